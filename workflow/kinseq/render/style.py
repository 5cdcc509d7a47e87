"""Names, numbers, colours: what has to look the same in every table and figure."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass

LABELS = {
    "spectral": "Spectral clustering",
    "hierarchical": "Hierarchical clustering",
    "spectral_segmentation": "Spectral segmentation",
    "control": "Controls",
    "true_labels": "true labels",
    "random_labels": "random labels",
    "none": "no model",
    "default": "default preset",
    "classic": "classic preset",
    "error": "Clustering error (%)",
    "segmentation_error": "Segmentation error (%)",
    "models_kept": "Models kept (%)",
    "ari": "Adjusted Rand index",
    "nmi": "Normalised mutual information",
    "v_measure": "V-measure (%)",
}
"""Names of things that are not in any registry; what is passed as `labels` wins."""

DASH = "–"


@dataclass(frozen=True)
class Line:
    """How a measure is drawn, in every figure.

    Attributes
    ----------
    colour : str
        Hex colour; neighbours differ in lightness as well, so that they survive in grey and for colour-blind readers.
    marker : str
        Matplotlib marker.
    dash : tuple of float
        On and off lengths in points; empty for a solid line.
    """

    colour: str
    marker: str
    dash: tuple[float, ...] = ()


# The hues of Okabe and Ito, darkened where they would be too pale for a thin line on white.
_ORANGE, _SKY, _GREEN, _BLUE, _RED, _PINK, _BLACK = (
    "#E69F00",
    "#56B4E9",
    "#009E73",
    "#0072B2",
    "#D55E00",
    "#CC79A7",
    "#1A1A1A",
)
_GREY, _BROWN, _OLIVE, _VIOLET, _OCHRE, _NAVY = "#7A7A7A", "#7A3B10", "#7F7F00", "#5E3C99", "#A6761D", "#0B2F6B"

LINES = {
    "sym": Line(_ORANGE, "s", (4.0, 1.6)),
    "sym_neg": Line(_OCHRE, "D", (1.2, 1.2)),
    "bp": Line(_GREEN, "^", (1.2, 1.2)),
    "yy": Line(_SKY, "v", (6.0, 1.6, 1.2, 1.6)),
    "por": Line(_PINK, "D", (3.0, 1.2, 1.2, 1.2, 1.2, 1.2)),
    "kl_ll": Line(_RED, "o"),
    "kl_ll_linear": Line(_BROWN, "8", (1.2, 1.2)),
    "kl_ll_ms": Line(_BLUE, "P"),
    "kl_ll_ms_third": Line(_NAVY, "X", (4.0, 1.6)),
    "kl_ll_ms_length": Line(_VIOLET, "p", (2.4, 1.2)),
    "dtw": Line(_GREY, "h", (5.0, 1.2, 1.2, 1.2)),
    "true_labels": Line(_GREY, "", (6.0, 3.0)),
    "random_labels": Line(_GREY, "", (1.0, 1.4)),
    "ppk": Line(_OLIVE, "<", (5.0, 1.4)),
    "ssd": Line(_BLACK, ">"),
    "ssd_st": Line(_BROWN, ">", (4.0, 1.6)),
    "mean_vector": Line(_GREY, "*", (1.2, 1.2)),
    "sph": Line(_BLUE, "H", (1.2, 1.2)),
    "mmd": Line(_GREEN, "d"),
    "el": Line(_PINK, "8", (4.0, 1.6)),
    "kl_gauss": Line(_SKY, "s", (1.2, 1.2)),
    "kl_gmm": Line(_BROWN, "v", (5.0, 1.2, 1.2, 1.2)),
    "kl_hmm": Line(_RED, "X", (4.0, 1.6)),
    "nn_risk": Line(_ORANGE, "o"),
    "nn_j": Line(_VIOLET, "s"),
    "wang_j": Line(_OLIVE, "^", (4.0, 1.6)),
    "nn_bound_j": Line(_BLUE, "v", (1.2, 1.2)),
}
"""Fixed for good: a measure looks the same in every figure."""

_SPARE = [
    Line(colour, marker, dash)
    for dash in ((2.0, 1.0), (7.0, 2.0))
    for marker in ("<", "D", "8", "X", "d")
    for colour in (_BROWN, _GREEN, _VIOLET, _ORANGE, _BLUE, _PINK, _OLIVE)
]


def line_of(measure: str) -> Line:
    """How `measure` is drawn.

    A measure that is not listed gets a spare style by a hash of its name, so that adding one changes no other.
    """
    if measure in LINES:
        return LINES[measure]
    return _SPARE[int.from_bytes(hashlib.blake2b(measure.encode(), digest_size=4).digest(), "little") % len(_SPARE)]


def label(name: str, labels: Mapping[str, str] | None = None) -> str:
    """The name to print for an id of a measure, data set, clusterer, model, preset or metric."""
    if labels and name in labels:
        return labels[name]
    if name in LABELS:
        return LABELS[name]
    states = re.fullmatch(r"hmm(\d+)", name)
    if states:
        return f"{states[1]} states" if states[1] != "1" else "1 state"
    common = re.fullmatch(r"global(\d+)", name)
    if common:
        return f"common HMM, {common[1]} states"
    return name.replace("_", " ")


def capital(text: str) -> str:
    """The text with a capital at its start and nowhere else changed."""
    return text[:1].upper() + text[1:]


def number(value: float, decimals: int = 1) -> str:
    """A number with fixed decimals; an en dash where there is none, never a negative zero."""
    if not math.isfinite(value):
        return DASH
    text = f"{value:.{decimals}f}"
    return text.removeprefix("-") if not text.strip("-0.") else text


def mean_std(mean: float, std: float, decimals: int = 1) -> str:
    """``12.3 ± 1.4``; only the mean where the deviation is unknown."""
    if not math.isfinite(mean):
        return DASH
    return f"{number(mean, decimals)} ± {number(std, decimals)}" if math.isfinite(std) else number(mean, decimals)


_LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "±": r"\,$\pm$\,",
    DASH: "--",
    "σ": r"$\sigma$",
    "λ": r"$\lambda$",
    "×": r"$\times$",
    "≥": r"$\geq$",
    "≤": r"$\leq$",
}


def latex(text: str) -> str:
    """Escape text for LaTeX, one character at a time so that nothing is escaped twice."""
    return "".join(_LATEX.get(character, character) for character in text).replace(r" \,$\pm$\, ", r"\,$\pm$\,")


def markdown(text: str) -> str:
    """Escape text for a cell of a Markdown table."""
    # An underscore inside a word is no emphasis to GitHub, and ids stay readable without the backslash.
    escaped = re.sub(r"([\\`*|<>\[\]]|(?<![^\W_])_|_(?![^\W_]))", r"\\\1", text)
    return " ".join(escaped.split())
