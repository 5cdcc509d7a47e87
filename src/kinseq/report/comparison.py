"""Report of a comparison of two samples: a page, a text, two tables and one figure."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ..core.arrays import FloatArray, IntArray
from ..core.seeds import stream
from ..core.store import shielded
from ..core.wording import listed, pair, plain
from ..divergences.comparison import Comparison, Estimate
from ..plotting.figures import PAGE_WIDTH, figure_style
from ..plotting.style import LINES, Line
from .panels import HEIGHT, WIDTH, Layer, Panel, Tick, dots, ends, ticks
from .parts import PageTable, written

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LABELS = {
    "nn_risk": "NN risk",
    "nn_j": "NN-J",
    "wang_j": "Wang-J",
    "nn_bound_j": "NN Bound-J",
    "mmd2": "squared MMD",
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
_MAX_P_VALUE = 0.05
IN_COLUMNS = "single columns"
"""Name of the test of all columns together."""
_STATEMENTS, _NAMED, _ROWS, _DRAWN = 12, 8, 40, 12
"""Largest numbers of sentences in the text, of column names in a sentence, of rows of the table, and of columns drawn."""
_DOTS, _DRAWS = 300, 400
"""Approximate number of dots drawn per sample, and number of bootstrap samples."""


@dataclass(frozen=True)
class ComparisonContent:
    """A comparison with its notes.

    Attributes
    ----------
    comparison : Comparison
    samples : tuple of str
        What the two samples are, one phrase each.
    settings : tuple of str
        What was chosen, one phrase each.
    notes : tuple of str
        Sentences.
    command : str
        The command that repeats it; empty if there is none.
    by_column : pandas.DataFrame
        In which columns the samples differ, see :func:`kinseq.divergences.columns.differences`.
    names : tuple of str
        Of the columns.
    vectors : tuple of ndarray
        What was compared, in the units that were given.
    call : str
        The call that repeats it.
    units : tuple of ndarray of int64
        What is drawn as a whole: number of the unit that each vector belongs to.
    """

    comparison: Comparison
    samples: tuple[str, str]
    settings: tuple[str, ...]
    notes: tuple[str, ...]
    command: str
    by_column: pd.DataFrame
    names: tuple[str, ...]
    vectors: tuple[FloatArray, FloatArray]
    call: str
    units: tuple[IntArray, IntArray]

    @property
    def tests(self) -> dict[str, float]:
        """P-values of the estimates by name, and that of all columns together."""
        values = {one.name: one.p_value for one in self.comparison.estimates if one.p_value is not None}
        return values if self.by_column.empty else {**values, IN_COLUMNS: float(self.by_column["p"].min())}

    @cached_property
    def effects(self) -> dict[str, tuple[float, float, float, float]]:
        """Difference of the medians of each column between the ends of its interval, and the deviation within samples."""
        return {name: _effect(self, k) for k, name in enumerate(self.names)}

    @property
    def least(self) -> float | None:
        """The p-value of all tests together, corrected for their number; None without tests."""
        tests = self.tests
        return min(1.0, len(tests) * min(tests.values())) if tests else None

    @property
    def differ(self) -> bool:
        """Whether the samples differ, by all tests together."""
        return self.least is not None and self.least <= _MAX_P_VALUE

    @property
    def different(self) -> pd.DataFrame:
        """Rows of significant differences; none if all tests together show no difference."""
        return self.by_column[(self.by_column["p"] <= _MAX_P_VALUE) & self.differ]


def verdict(content: ComparisonContent) -> str:
    """Summarise all tests in one sentence, with those that decided.

    The tests of all columns together count as one; the least of several p-values is small more often than each of them.
    """
    if content.least is None:
        why = content.comparison.why_untested
        return f"It was not tested whether the samples differ: {why}." if why else "No test was requested."
    if content.differ:
        return (
            f"The samples differ: with equal distributions, such a difference has a probability of at most {content.least:.3g}"
            f" (by {_decided(content)})."
        )
    return (
        f"No difference was found (p = {content.least:.3g}), but this does not prove that there is none: see how wide the"
        " intervals are."
    )


def _decided(content: ComparisonContent) -> str:
    """The tests that would each decide alone, in words."""
    sure = [name for name, p in content.tests.items() if len(content.tests) * p <= _MAX_P_VALUE]
    return listed([IN_COLUMNS if name == IN_COLUMNS else LABELS[name] for name in sure])


def text(content: ComparisonContent) -> str:
    """The comparison as plain text."""
    comparison = content.comparison
    lines = [
        f"A  {content.samples[0]}",
        f"B  {content.samples[1]}",
        "; ".join(content.settings),
        "",
        *([headline(content)] if headline(content) else []),
        verdict(content),
        "",
    ]
    head, rows = _estimates(comparison)
    widths = [max(len(row[k]) for row in (head, *rows)) for k in range(5)]
    lines += [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in (head, *rows)
    ]
    lines += ["", _in_columns(content), *(f"  {sentence}" for sentence in content.different["sentence"][:_STATEMENTS])]
    lines += ["", *(f"note: {note}" for note in content.notes), *([""] if content.notes else []), content.command]
    return "\n".join(lines) + "\n"


def _estimates(comparison: Comparison) -> tuple[list[str], list[list[str]]]:
    """Header and rows of the table of estimates."""
    rows = [
        [
            LABELS[estimate.name],
            f"{estimate.value:.4g}",
            estimate.interval,
            "" if estimate.p_value is None else f"{estimate.p_value:.3g}",
            MEANINGS[estimate.name],
        ]
        for estimate in comparison.estimates
    ]
    return ["", "estimate", f"{100 * comparison.level:g} % interval", "p", ""], rows


def _in_columns(content: ComparisonContent) -> str:
    """Combine the tests of single columns."""
    if content.by_column.empty:
        return "Single columns were not tested; a note says why."
    rows = content.different
    if rows.empty:
        if content.differ:
            return "No single column differs significantly (corrected for all of them): the samples differ in several together."
        return "No single column differs significantly (corrected for all tests)."
    columns = list(dict.fromkeys(rows["column"]))
    more = "" if len(columns) <= _NAMED else f" and {len(columns) - _NAMED} more"
    named = ", ".join(columns[:_NAMED])
    return (
        f"Columns that differ significantly (p at most {_MAX_P_VALUE:g}, corrected for all columns and properties):"
        f" {named}{more}."
    )


def columns_table(content: ComparisonContent) -> str:
    """Columns and their differences as CSV, most significant first."""
    rows = content.by_column.assign(
        column=content.by_column["column"].map(shielded), sentence=content.by_column["sentence"].map(shielded)
    )
    return str(rows.to_csv(index=False, lineterminator="\n", float_format="%.6g"))


@dataclass(frozen=True)
class ComparedColumn:
    """A column of both samples on one axis, and the difference of B from A.

    Attributes
    ----------
    name : str
    sentences : sequence of str
        Significant differences; empty where there are none.
    panels : sequence of Panel
        Values, quartiles and medians of both; and the difference of the medians with its interval on the common axis.
    effect : str
        Difference of the medians, B less A, in the unit of the column with its interval, as text.
    """

    name: str
    sentences: Sequence[str]
    panels: Sequence[Panel]
    effect: str


def columns(content: ComparisonContent) -> list[ComparedColumn]:
    """The columns, what differs most first and equal ones too; differences on one axis in standard deviations."""
    effects = content.effects
    order = sorted(content.names, key=lambda name: -abs(effects[name][1] / effects[name][3]))[:_DRAWN]
    reach = 1.1 * max(max(abs(end) for end in effects[name][:3]) / effects[name][3] for name in order) or 1.0
    return [_column(content, name, effects[name], reach, name == order[-1]) for name in order]


def _effect(content: ComparisonContent, k: int) -> tuple[float, float, float, float]:
    """Difference of the medians of a column in its middle, the ends of its interval, and the deviation within samples."""
    a, b = (vectors[:, k] for vectors in content.vectors)
    rng = stream(0, "difference of medians", k)
    drawn = np.array(
        [
            np.median(b[_resampled(content.units[1], rng)]) - np.median(a[_resampled(content.units[0], rng)])
            for _ in range(_DRAWS)
        ]
    )
    low, high = (float(end) for end in np.quantile(drawn, (0.025, 0.975)))
    spread = float(np.sqrt((a.var() + b.var()) / 2.0)) or 1.0
    return low, float(np.median(b) - np.median(a)), high, spread


def _resampled(units: IntArray, rng: np.random.Generator) -> IntArray:
    """Positions of a bootstrap sample of whole units, given the unit of each vector."""
    names, first = np.unique(units, return_index=True)
    if len(names) == len(units):
        return rng.integers(len(units), size=len(units))
    members = np.split(np.argsort(units, kind="stable"), np.cumsum(np.bincount(units))[:-1])
    return np.concatenate([members[unit] for unit in rng.integers(len(first), size=len(first))])


def _column(
    content: ComparisonContent, name: str, effect: tuple[float, float, float, float], reach: float, is_last: bool
) -> ComparedColumn:
    both = [vectors[:, content.names.index(name)] for vectors in content.vectors]
    low, high = ends(np.concatenate(both), inside=(0.005, 0.995))
    layers = []
    for look, values, top in (("side0", both[0], 0.06), ("side1", both[1], 0.54)):
        layers.append(Layer(f"members {look}", dots((values - low) / (high - low), top, 0.02, _DOTS)))
        first, middle, last = (WIDTH * (np.quantile(values, (0.25, 0.5, 0.75)) - low) / (high - low)).tolist()
        y = HEIGHT * top + 25
        box = f"M{first:.1f} {y:.0f}v12H{last:.1f}v-12ZM{middle:.1f} {y - 2:.0f}v16"
        layers.append(Layer(f"box {look}", box))
    rows = content.different[content.different["column"] == name]
    start, at, end, spread = effect
    said = "{:+.3g} ({} to {})".format(at, *pair(start, end)).replace("-", "−")
    first, middle, last = (0.5 * WIDTH * (1.0 + value / spread / reach) for value in (start, at, end))
    difference = [
        Layer("other", f"M{WIDTH / 2:.0f} 0V{HEIGHT:.0f}"),
        Layer("own side1", f"M{first:.1f} 50H{last:.1f}"),
        Layer("point side1", f"M{middle:.1f} 50h0"),
    ]
    axis = [Tick(0.0, f"−{reach:.2g}"), Tick(50.0, "0"), Tick(100.0, f"{reach:.2g}")] if is_last else []
    seen = Panel("", f"{name} in A and in B: all values, quartiles and medians", layers, ticks(low, high), False)
    far = f"How far {name} in B is from that in A, with its interval: {said}"
    return ComparedColumn(name, rows["sentence"].tolist(), (seen, Panel("", far, difference, axis, False)), said)


def headline(content: ComparisonContent) -> str:
    """Describe which columns differ, by how much, and which do not; empty without tested or differing columns."""
    rows, parts = content.different, []
    if content.by_column.empty or (content.differ and rows.empty):
        return ""
    named = list(dict.fromkeys(rows["column"]))
    for name in named[:_NAMED]:
        own = rows[rows["column"] == name]
        level = own[own["property"] == "level"]
        if len(level):
            start, at, end, _ = content.effects[name]
            is_higher = at > 0.0
            between = " to ".join(plain(one, 2) for one in ((start, end) if is_higher else (-end, -start)))
            parts.append(
                f"{name} {'higher' if is_higher else 'lower'} by {plain(abs(at), 2)} ({between.replace('-', '−')})"
            )
        if level.empty:
            parts.append(f"{name} differs in {' and '.join(own['property'])}")
    if len(named) > _NAMED:
        parts.append(f"{len(named) - _NAMED} more differ")
    equal = [name for name in content.names if name not in named]
    differing = f"In B, {', '.join(parts)}" if parts else ""
    none = f"{listed(equal, _NAMED)}: no difference seen" if equal else ""
    return "; ".join(part for part in (differing, none) if part)


def html(content: ComparisonContent) -> str:
    """The comparison as a self-contained page."""
    drawn = columns(content)
    apart = [
        [str(row.column), str(row.property), f"{row.effect:.2f}", f"{row.p:.3g}", f"{row.a:.4g}", f"{row.b:.4g}"]
        for row in content.by_column[:_ROWS].itertuples()
    ]
    return written(
        "comparison.html.jinja",
        title=" and ".join(sample.partition(": ")[0].rpartition("/")[2] for sample in content.samples),
        verdict=verdict(content),
        samples=list(zip("AB", content.samples, strict=True)),
        settings="; ".join(content.settings),
        estimates=PageTable(*_estimates(content.comparison), [1, 3]),
        in_columns=_in_columns(content),
        headline=headline(content),
        columns=drawn,
        other_columns=[row.sentence for row in content.different.itertuples() if row.column not in content.names],
        apart=PageTable(["column", "property", "B exceeds A", "p", "A", "B"], apart, [2, 3, 4, 5]),
        n_apart=len(content.by_column),
        notes=content.notes,
        command=content.command,
        data={"comparison": table(content), "columns": columns_table(content)},
        python=f"import kinseq\nfound = {content.call}\nfound.report('page')",
    )


def table(content: ComparisonContent) -> str:
    """The estimates as CSV, one row each."""
    comparison = content.comparison
    rows = pd.DataFrame(
        [
            {
                "estimate": estimate.name,
                "value": estimate.value,
                "low": estimate.low,
                "high": estimate.high,
                "p_value": estimate.p_value,
                "level": comparison.level,
                "n_a": comparison.n,
                "n_b": comparison.m,
                "units_a": comparison.units[0],
                "units_b": comparison.units[1],
                "features": comparison.d,
            }
            for estimate in comparison.estimates
        ]
    )
    return rows.to_csv(index=False, lineterminator="\n")


def figure(content: ComparisonContent) -> Figure:
    """Estimates with their intervals, next to the values for equal distributions."""
    from matplotlib.figure import Figure

    comparison = content.comparison
    divergences = [estimate for estimate in comparison.estimates if estimate.name in _LOOKS]
    tests = [estimate for estimate in comparison.estimates if estimate.p_value is not None]
    with figure_style():
        canvas = Figure(figsize=(PAGE_WIDTH, 2.6))
        axes = canvas.subplots(1, max(1, bool(divergences) + len(tests)), squeeze=False)[0]
        if divergences:
            _intervals(axes[0], divergences, comparison.level)
        for axis, estimate in zip(axes[bool(divergences) :], tests, strict=True):
            _against_null(axis, estimate)
        if tests:
            canvas.legend(*axes[-1].get_legend_handles_labels(), loc="outside lower right", ncols=2, frameon=False)
        for letter, axis in zip("abc", axes, strict=False):
            axis.set_title(f"({letter}) {axis.get_title(loc='left')}", loc="left")
    return canvas


def png(content: ComparisonContent) -> bytes:
    """The figure as reproducible PNG bytes."""
    out = io.BytesIO()
    with figure_style():
        figure(content).savefig(out, format="png", metadata={"Software": None})
    return out.getvalue()


def _error_bars(estimate: Estimate) -> Any:
    """Lengths of an interval below and above, as matplotlib takes them; None without one, nothing above without upper end."""
    above = 0.0 if estimate.high is None else estimate.high - estimate.value
    return None if estimate.low is None else [[estimate.value - estimate.low], [above]]


def _intervals(axis: Axes, estimates: list[Estimate], level: float) -> None:
    for k, estimate in enumerate(estimates):
        look = _LOOKS[estimate.name]
        axis.errorbar(
            [estimate.value],
            [k],
            xerr=_error_bars(estimate),
            color=look.colour,
            marker=look.marker,
            capsize=3,
            linestyle="none",
        )
    axis.axvline(0.0, color="#7A7A7A", linewidth=0.8, linestyle=":")
    axis.set_yticks(range(len(estimates)), [LABELS[estimate.name] for estimate in estimates])
    axis.set_ylim(len(estimates) - 0.5, -0.5)
    axis.grid(axis="y", visible=False)
    axis.set_xlabel(f"nats, {100 * level:g} % interval")
    axis.set_title("Jeffreys divergence", loc="left")


def _against_null(axis: Axes, estimate: Estimate) -> None:
    """Histogram of the estimates under permuted labels, with the estimate and its interval above."""
    assert estimate.null is not None
    assert estimate.p_value is not None
    span = float(np.ptp(estimate.null))
    axis.hist(estimate.null, bins=25 if span > 0.0 else 1, color="#B9B9B9", label="with permuted labels")
    peak = axis.get_ylim()[1]
    axis.errorbar(
        [estimate.value],
        [1.12 * peak],
        xerr=_error_bars(estimate),
        color=_TEST.colour,
        marker=_TEST.marker,
        capsize=3,
        linestyle="none",
        label="A and B",
    )
    axis.vlines(estimate.value, 0.0, 1.12 * peak, color=_TEST.colour, linewidth=0.8, linestyle=":")
    axis.set_ylim(0.0, 1.25 * peak)
    axis.set_yticks([])
    axis.grid(axis="y", visible=False)
    axis.set_xlabel("0.5 if alike" if estimate.name == "nn_risk" else "0 if alike")
    axis.set_title(f"{'NN risk' if estimate.name == 'nn_risk' else 'MMD²'}, p = {estimate.p_value:.3g}", loc="left")
