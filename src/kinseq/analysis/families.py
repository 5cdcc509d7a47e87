"""Choose the deciding measure if none is named and the number of groups is given.

Alignments lead on curves; on short movements of several columns, groups differ in levels, sizes and dynamics, which a vote of
alignments outvotes. So both families cut the data, and the one whose groups show more is taken: first by their degree, which is
compared with data without groups in the scale of each family, then by the mean silhouette. How the rule was chosen is in
``docs/explanation/the-default.md``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..core.wording import as_typed
from ..measures.registry import Measure, get
from ..metrics.external import ari
from . import limits
from .candidates import SQUARED_VIEWS
from .log import NO_REMARKS, Remarks, as_choice, as_notes
from .options import Options
from .preparation import Prepared
from .result import Result
from .verdict import verdict

OTHER_FAMILIES: Mapping[str, tuple[str, ...]] = {"elastic": ("balanced",)}
"""Default measure to those that are computed as well; the default comes first where they show the same."""
FAMILY: Mapping[str, str] = {
    "elastic": "alignments",
    "balanced": "levels, spreads, models and alignments together",
}
"""Measures and the names of their families."""
MORE_IS_SHOWN_BY: Mapping[str, int] = {
    "clear": 3,
    "separated": 2,
    "lengths": 2,
    "overlapping": 1,
    "borderline": 1,
    "unclear": 1,
}
"""Degrees in descending order of evidence; other degrees, such as a continuum, show less. If data without groups look as
clear as the groups of one family, another family that shows less does not make them more certain."""
MARGIN = 0.02
"""Difference below which mean silhouettes are equal."""
SAME_GROUPS = 0.8
"""Least adjusted Rand index for the groups of two families to count as the same."""


def families(options: Options, prepared: Prepared) -> tuple[Measure, ...]:
    """Return the measures that may decide: only the first one if it was named, or for a sample of many sequences."""
    first = options.measures[0]
    if not options.chooses or prepared.population is not None or len(prepared.counted()) > limits.MAX_EXAMINED:
        return (first,)
    return (first, *(get(name) for name in OTHER_FAMILIES.get(first.name, ())))


def strongest_result(results: Sequence[Result]) -> tuple[Result, Remarks]:
    """Return the result with the most evidence, the first of equals, and notes on the choice."""
    first = results[0]
    if len(results) == 1 or all(ari(first.labels, other.labels) == 1.0 for other in results[1:]):
        return first, NO_REMARKS
    best = first
    for other in results[1:]:
        if _shows_more(other, best):
            best = other
    others = [result for result in results if result is not best]
    degree = verdict(best).degree
    said = f"its groups show most ({degree}, mean silhouette {_silhouette(best):.2f})"
    remarks = as_choice("measure", best.views[0].name, said)
    for other in others:
        agreement = ari(best.labels, other.labels)
        if agreement < SAME_GROUPS:
            remarks += as_notes(
                f"grouped by {_family(best)}; {FAMILY[_name(other)]} ({as_typed('measure', _name(other))}) would give other groups"
                f" (agreement {agreement:.2f})"
            )
    return best, remarks


def _shows_more(one: Result, other: Result) -> bool:
    first, second = _rank(one), _rank(other)
    return first > second if first != second else _silhouette(one) > _silhouette(other) + MARGIN


def _rank(result: Result) -> int:
    """Return how much evidence a result has.

    Groups of a single source without a vote count as overlapping at most. Silhouettes of divergences are large in any data: where
    data without groups show groups of such a view as clearly, and they are not firm, they are less than any cut of a family.
    """
    degree, by = verdict(result).degree, result.decision.by
    rank = MORE_IS_SHOWN_BY.get(degree, 0)
    if by is None or by.name in result.decision.views:
        return rank
    is_weak = degree == "unclear" and by.name in SQUARED_VIEWS and not by.is_strong()
    return -1 if is_weak else min(rank, MORE_IS_SHOWN_BY["overlapping"])


def _name(result: Result) -> str:
    return result.options.measures[0].name


def _family(result: Result) -> str:
    """Return the name of what decided the groups of a result: a family, or a single property."""
    by = result.decision.by
    return f"the property {by.name!r}" if by is not None and by.by_property else FAMILY[_name(result)]


def _silhouette(result: Result) -> float:
    return float(result.silhouettes.mean())
