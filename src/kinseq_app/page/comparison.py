"""What is shown of a comparison of two samples: a text, a table and one figure."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from kinseq.divergences.comparison import TESTED, Comparison, Estimate
from kinseq_drawing.figures import PAGE_WIDTH, _style
from kinseq_drawing.style import LINES, Line

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
        The command that repeats it.
    """

    found: Comparison
    samples: tuple[str, str]
    settings: tuple[str, ...]
    notes: tuple[str, ...]
    command: str


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
    lines += ["", *(f"note: {note}" for note in shown.notes), *([""] if shown.notes else []), shown.command]
    return "\n".join(lines) + "\n"


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
