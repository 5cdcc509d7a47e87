"""What is shown of a comparison of two samples: a page, a text, two tables and one figure."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from kinseq.core.arrays import FloatArray
from kinseq.core.store import shielded
from kinseq.core.wording import pair
from kinseq.divergences.comparison import TESTED, Comparison, Estimate
from kinseq_drawing.figures import PAGE_WIDTH, _style
from kinseq_drawing.style import LINES, Line

from .figures import svg
from .parts import Table, written

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LABELS = {
    "nn_risk": "NN risk",
    "nn_j": "NN-J",
    "wang_j": "Wang-J",
    "nn_bound_j": "NN Bound-J",
    "mmd2": "MMD^2",
}
MEANINGS = {
    "nn_risk": "error of the nearest-neighbour rule: 0.5 if alike, 0 if far apart",
    "nn_j": "Jeffreys divergence in nats, by nearest-neighbour risks",
    "wang_j": "Jeffreys divergence in nats, by distances to neighbours",
    "nn_bound_j": "lower bound of the Jeffreys divergence in nats, by means and covariances",
    "mmd2": "squared maximum mean discrepancy: 0 if alike, 2 at most",
}

_LOOKS = {"nn_j": LINES["nn_kl"], "wang_j": LINES["wang_kl"], "nn_bound_j": LINES["bound_kl"]}
_TEST = Line("#0072B2", "o")
_RARE = 0.05
_STATEMENTS, _NAMED, _ROWS, _DRAWN = 12, 8, 40, 12
"""Most sentences in the text, names of columns in a sentence, rows of the table, and columns that are drawn."""
_WIDTH, _HEIGHT, _BINS = 400.0, 90.0, 40


@dataclass(frozen=True)
class Shown:
    """A comparison and what has to be said with it.

    Attributes
    ----------
    found : Comparison
    samples : tuple of str
        What the two samples are, one phrase each.
    settings : tuple of str
        What was chosen, one phrase each.
    notes : tuple of str
        Sentences.
    command : str
        The command that repeats it; empty if there is none.
    apart : pandas.DataFrame
        In which columns the samples differ, see :func:`kinseq.divergences.columns.differences`.
    names : tuple of str
        Of the columns.
    vectors : tuple of ndarray
        What was compared, in the units that were given.
    call : str
        The call that repeats it.
    """

    found: Comparison
    samples: tuple[str, str]
    settings: tuple[str, ...]
    notes: tuple[str, ...]
    command: str
    apart: pd.DataFrame
    names: tuple[str, ...]
    vectors: tuple[FloatArray, FloatArray]
    call: str

    @property
    def different(self) -> pd.DataFrame:
        """Rows of what is sure to differ."""
        return self.apart[self.apart["p"] <= _RARE]


def verdict(found: Comparison) -> str:
    """What the p-values say together, in one sentence."""
    values = [made.p_value for made in found.estimates if made.p_value is not None]
    if not values:
        asked = {made.name for made in found.estimates} & set(TESTED)
        return "Whether the samples differ was not tested; the note says why." if asked else "No test was asked for."
    # The least of several is small more often than each of them.
    least = min(1.0, len(values) * min(values))
    if least <= _RARE:
        return f"The samples differ: equal distributions would look so different with a probability of {least:.3g} at most."
    return f"No difference was found (p = {least:.3g}), which is no proof that there is none: see how far the intervals reach."


def text(shown: Shown) -> str:
    """The comparison as plain text."""
    found = shown.found
    lines = [f"A  {shown.samples[0]}", f"B  {shown.samples[1]}", "; ".join(shown.settings), "", verdict(found), ""]
    rows = [
        (
            LABELS[made.name],
            f"{made.value:.4g}",
            made.interval,
            "" if made.p_value is None else f"{made.p_value:.3g}",
            MEANINGS[made.name],
        )
        for made in found.estimates
    ]
    head = ("", "estimate", f"{100 * found.level:g} % interval", "p", "")
    widths = [max(len(row[k]) for row in (head, *rows)) for k in range(5)]
    lines += [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in (head, *rows)
    ]
    lines += ["", _in_columns(shown), *(f"  {said}" for said in shown.different["sentence"][:_STATEMENTS])]
    lines += ["", *(f"note: {note}" for note in shown.notes), *([""] if shown.notes else []), shown.command]
    return "\n".join(lines) + "\n"


def _in_columns(shown: Shown) -> str:
    """What the tests of single columns say together."""
    if shown.apart.empty:
        return "Single columns were not tested; the note says why."
    found = shown.different
    if found.empty:
        return "No single column is sure to differ (corrected for all of them)."
    columns = list(dict.fromkeys(found["column"]))
    more = "" if len(columns) <= _NAMED else f" and {len(columns) - _NAMED} more"
    named = ", ".join(columns[:_NAMED])
    return f"Sure to differ (p of {_RARE:g} at most, corrected for all columns and properties): {named}{more}."


def columns_table(shown: Shown) -> str:
    """Columns and what they differ in as CSV, the surest first."""
    made = shown.apart.assign(
        column=shown.apart["column"].map(shielded), sentence=shown.apart["sentence"].map(shielded)
    )
    return str(made.to_csv(index=False, lineterminator="\n", float_format="%.6g"))


@dataclass(frozen=True)
class Histograms:
    """A column of both samples as outlines of two histograms of one scale, and what is said of it.

    Attributes
    ----------
    column : str
    sentences : sequence of str
    lines : (str, str)
        Points of the outlines, A and B.
    low, high : str
        Ends of the axis.
    width, height : float
    """

    column: str
    sentences: Sequence[str]
    lines: tuple[str, str]
    low: str
    high: str
    width: float = _WIDTH
    height: float = _HEIGHT


def histograms(shown: Shown) -> list[Histograms]:
    """Columns that differ, the surest first; where none does, the first ones."""
    found = shown.different
    columns = [name for name in dict.fromkeys(found["column"]) if name in shown.names] or list(shown.names)
    return [_histogram(shown, name, found[found["column"] == name]["sentence"].tolist()) for name in columns[:_DRAWN]]


def _histogram(shown: Shown, name: str, sentences: Sequence[str]) -> Histograms:
    a, b = (vectors[:, shown.names.index(name)] for vectors in shown.vectors)
    low, high = (float(end) for end in np.quantile(np.concatenate([a, b]), (0.005, 0.995)))
    high = high if high > low else low + 1.0
    edges = np.linspace(low, high, _BINS + 1)
    shares = [np.histogram(np.clip(values, low, high), edges)[0] / len(values) for values in (a, b)]
    top = max(float(share.max()) for share in shares)
    x = np.repeat(np.linspace(0.0, _WIDTH, _BINS + 1), 2)
    lines = []
    for share in shares:
        y = _HEIGHT - (_HEIGHT - 4.0) * np.concatenate([[0.0], np.repeat(share, 2), [0.0]]) / top
        lines.append(" ".join(f"{p:.1f},{q:.1f}" for p, q in zip(x, y, strict=True)))
    return Histograms(name, sentences, (lines[0], lines[1]), *pair(low, high))


def html(shown: Shown) -> str:
    """The comparison as a page, without anything to load from elsewhere."""
    found = shown.found
    rows = [
        [
            LABELS[made.name],
            f"{made.value:.4g}",
            made.interval,
            "" if made.p_value is None else f"{made.p_value:.3g}",
            MEANINGS[made.name],
        ]
        for made in found.estimates
    ]
    apart = [
        [str(row.column), str(row.property), f"{row.effect:.2f}", f"{row.p:.3g}", f"{row.a:.4g}", f"{row.b:.4g}"]
        for row in shown.apart[:_ROWS].itertuples()
    ]
    return written(
        "comparison.html.jinja",
        title=" and ".join(sample.partition(": ")[0].rpartition("/")[2] for sample in shown.samples),
        verdict=verdict(found),
        samples=list(zip("AB", shown.samples, strict=True)),
        settings="; ".join(shown.settings),
        estimates=Table(["", "estimate", f"{100 * found.level:g} % interval", "p", "what it says"], rows, [1, 3]),
        figure=svg(figure(shown)),
        in_columns=_in_columns(shown),
        histograms=histograms(shown),
        beside=[row.sentence for row in shown.different.itertuples() if row.column not in shown.names],
        apart=Table(["column", "property", "B exceeds A", "p", "A", "B"], apart, [2, 3, 4, 5]),
        n_apart=len(shown.apart),
        notes=shown.notes,
        command=shown.command,
        data={"comparison": table(shown), "columns": columns_table(shown)},
        python=f"import kinseq\nfound = {shown.call}\nfound.report('page')",
    )


def table(shown: Shown) -> str:
    """The estimates as CSV, one row each."""
    found = shown.found
    rows = pd.DataFrame(
        [
            {
                "estimate": made.name,
                "value": made.value,
                "low": made.low,
                "high": made.high,
                "p_value": made.p_value,
                "level": found.level,
                "n_a": found.n,
                "n_b": found.m,
                "units_a": found.units[0],
                "units_b": found.units[1],
                "features": found.d,
            }
            for made in found.estimates
        ]
    )
    return rows.to_csv(index=False, lineterminator="\n")


def figure(shown: Shown) -> Figure:
    """Estimates with their intervals, and beside them what equal distributions would give."""
    from matplotlib.figure import Figure

    found = shown.found
    divergences = [made for made in found.estimates if made.name in _LOOKS]
    tests = [made for made in found.estimates if made.p_value is not None]
    with _style():
        drawn = Figure(figsize=(PAGE_WIDTH, 2.6))
        axes = drawn.subplots(1, max(1, bool(divergences) + len(tests)), squeeze=False)[0]
        if divergences:
            _intervals(axes[0], divergences, found.level)
        for axis, made in zip(axes[bool(divergences) :], tests, strict=True):
            _against_null(axis, made)
        if tests:
            drawn.legend(*axes[-1].get_legend_handles_labels(), loc="outside lower right", ncols=2, frameon=False)
        for letter, axis in zip("abc", axes, strict=False):
            axis.set_title(f"({letter}) {axis.get_title(loc='left')}", loc="left")
    return drawn


def png(shown: Shown) -> bytes:
    """The figure as PNG, the same bytes every time."""
    out = io.BytesIO()
    with _style():
        figure(shown).savefig(out, format="png", metadata={"Software": None})
    return out.getvalue()


def _reach(made: Estimate) -> Any:
    """What an interval adds below and above, as matplotlib wants it; None without one, nothing above without upper end."""
    above = 0.0 if made.high is None else made.high - made.value
    return None if made.low is None else [[made.value - made.low], [above]]


def _intervals(axis: Axes, estimates: list[Estimate], level: float) -> None:
    for k, made in enumerate(estimates):
        look = _LOOKS[made.name]
        axis.errorbar(
            [made.value], [k], xerr=_reach(made), color=look.colour, marker=look.marker, capsize=3, linestyle="none"
        )
    axis.axvline(0.0, color="#7A7A7A", linewidth=0.8, linestyle=":")
    axis.set_yticks(range(len(estimates)), [LABELS[made.name] for made in estimates])
    axis.set_ylim(len(estimates) - 0.5, -0.5)
    axis.grid(axis="y", visible=False)
    axis.set_xlabel(f"nats, {100 * level:g} % interval")
    axis.set_title("Jeffreys divergence", loc="left")


def _against_null(axis: Axes, made: Estimate) -> None:
    """Histogram of the estimates under permuted labels, and above it the estimate with its interval."""
    assert made.null is not None
    assert made.p_value is not None
    span = float(np.ptp(made.null))
    axis.hist(made.null, bins=25 if span > 0.0 else 1, color="#B9B9B9", label="with permuted labels")
    peak = axis.get_ylim()[1]
    axis.errorbar(
        [made.value],
        [1.12 * peak],
        xerr=_reach(made),
        color=_TEST.colour,
        marker=_TEST.marker,
        capsize=3,
        linestyle="none",
        label="A and B",
    )
    axis.vlines(made.value, 0.0, 1.12 * peak, color=_TEST.colour, linewidth=0.8, linestyle=":")
    axis.set_ylim(0.0, 1.25 * peak)
    axis.set_yticks([])
    axis.grid(axis="y", visible=False)
    axis.set_xlabel("0.5 if alike" if made.name == "nn_risk" else "0 if alike")
    axis.set_title(f"{'NN risk' if made.name == 'nn_risk' else 'MMD²'}, p = {made.p_value:.3g}", loc="left")
