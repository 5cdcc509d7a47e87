"""Names, numbers, colours: a common style for all tables and figures."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ..metrics import registry

LABELS = {
    "spectral": "Spectral clustering",
    "hierarchical": "Hierarchical clustering",
    "spectral_segmentation": "Spectral segmentation",
    "control": "Controls",
    "true_labels": "true labels",
    "random_labels": "random labels",
    "random_distances": "random distances",
    "bayes_error": "Bayes error",
    "none": "no model",
}
"""Names of things that are in no registry; `labels` takes precedence."""

DASH = "–"


@dataclass(frozen=True)
class Line:
    """Drawing style of a measure, in every figure.

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


# Hues of Okabe and Ito, darkened where they are too pale for a thin line on white.
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
    "random_distances": Line(_GREY, "", (2.0, 1.4)),
    "bayes_error": Line(_BLACK, "", (7.0, 1.6, 1.2, 1.6)),
    "ppk": Line(_OLIVE, "<", (5.0, 1.4)),
    "ssd": Line(_BLACK, ">"),
    "ssd_st": Line(_BROWN, ">", (4.0, 1.6)),
    "nn_kl": Line(_BLUE, "o"),
    "nn_kl_literal": Line(_BLUE, "s", (4.0, 1.6)),
    "wang_kl": Line(_RED, "^"),
    "bound_kl": Line(_GREEN, "D"),
}
"""Fixed, so that a measure looks the same in every figure."""

_SPARE = [
    Line(colour, marker, dash)
    for dash in ((2.0, 1.0), (7.0, 2.0))
    for marker in ("<", "D", "8", "X", "d")
    for colour in (_BROWN, _GREEN, _VIOLET, _ORANGE, _BLUE, _PINK, _OLIVE)
]


def lines_of(measures: Iterable[str]) -> dict[str, Line]:
    """Return distinct styles for the measures of one figure.

    A measure that is not listed gets a spare style by a hash of its name, the next one where an earlier measure of the
    figure has it; so adding a measure at the end changes no other.
    """
    names = list(dict.fromkeys(measures))
    line_of: dict[str, Line] = {}
    for name in names:
        look = LINES.get(name)
        place = int.from_bytes(hashlib.blake2b(name.encode(), digest_size=4).digest(), "little")
        for k in range(len(_SPARE)):
            if look is not None:
                break
            spare = _SPARE[(place + k) % len(_SPARE)]
            look = None if spare in line_of.values() else spare
        line_of[name] = look or _SPARE[place % len(_SPARE)]
    return line_of


def axis_start(metric: str, share: float) -> float | None:
    """Return the lower end of a metric's axis: slightly below 0 if that is the minimum, otherwise automatic."""
    entry = registry.describe(metric)
    return -share * entry.most if entry.least == 0.0 and entry.most is not None else None


def label(name: str, labels: Mapping[str, str] | None = None) -> str:
    """Return the name to print for an id of a measure, data set, clusterer, model, reading or metric."""
    if labels and name in labels:
        return labels[name]
    if name in LABELS:
        return LABELS[name]
    if registry.is_known(name):
        return registry.describe(name).title
    return name.replace("_", " ")


def capital(text: str) -> str:
    """Return the text with its first letter capitalised."""
    return text[:1].upper() + text[1:]


def number(value: float, decimals: int = 1) -> str:
    """Return a number with fixed decimals; an en dash if missing, never a negative zero."""
    if not math.isfinite(value):
        return DASH
    text = f"{value:.{decimals}f}"
    return text.removeprefix("-") if not text.strip("-0.") else text


def mean_std(mean: float, std: float, decimals: int = 1) -> str:
    """``12.3 ± 1.4``; only the mean if the deviation is unknown."""
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
    **{
        letter: rf"$\{name}$"
        for letter, name in {"α": "alpha", "κ": "kappa", "π": "pi", "ω": "omega", "∫": "int"}.items()
    },
    **{subscript: f"$_{digit}$" for digit, subscript in enumerate("₀₁₂")},
    # A hat follows its letter in Unicode and precedes it in LaTeX, which a letter-by-letter translation cannot handle.
    "\u0302": r"\textasciicircum{}",
}


def latex(text: str) -> str:
    """Escape text for LaTeX, one character at a time so that nothing is escaped twice."""
    return "".join(_LATEX.get(character, character) for character in text).replace(r" \,$\pm$\, ", r"\,$\pm$\,")


def markdown(text: str) -> str:
    """Escape text for a cell of a Markdown table."""
    # GitHub does not treat an underscore inside a word as emphasis, and ids stay readable without the backslash.
    escaped = re.sub(r"([\\`*|<>\[\]]|(?<![^\W_])_|_(?![^\W_]))", r"\\\1", text)
    return " ".join(escaped.split())
