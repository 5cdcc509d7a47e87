"""What was found, in one plain sentence: what the page, the console and ``repr`` say first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ..measures.registry import names as measures
from ..measures.view_texts import VIEWS
from ..metrics.unlabelled import LEVEL
from .deciding import Sighting
from .result import Result
from .run import plural

Kind = Literal["apart", "between", "continuum", "lengths", "one"]
"""Groups well apart; with items between them; pieces of a continuum; groups of lengths; a single group."""


@dataclass(frozen=True)
class Verdict:
    """What was found.

    Attributes
    ----------
    sentence : str
        Without a full stop.
    kind : str
        ``"apart"``, ``"between"``, ``"continuum"``, ``"lengths"`` or ``"one"``; only the first is a reason to be sure.
    """

    sentence: str
    kind: Kind


def verdict(result: Result) -> Verdict:
    """The sentence that follows from the evidence."""
    number, decision = result.n_clusters, result.decision
    groups = plural(number, "group")
    if number == 1:
        return Verdict(_of_one(result), "one")
    if number == len(result.sequences):
        return Verdict(f"{groups} of one sequence each, as asked", "between")
    if (best := decision.by) is not None:
        if best.by_property and best.name == "length":
            return Verdict(f"{groups} that differ in nothing but length", "lengths")
        return Verdict(f"{groups}, well apart by {in_words(best)}", "apart")
    if result.gaps is not None and result.gaps.p_value > LEVEL:
        if result.asked is not None:
            return Verdict(f"a continuum, cut in {number} pieces because you asked", "continuum")
        return Verdict(f"{groups} without clear gaps between them, perhaps pieces of a continuum", "continuum")
    return Verdict(f"{groups}, with sequences between them", "between")


def _of_one(result: Result) -> str:
    found = result.decision.structure
    if result.asked is not None:
        return "one group, as asked"
    if found is None:
        return f"one group: {result.decision.why}"
    if found.p_value <= LEVEL:
        # Less than what is taken for chance elsewhere.
        return f"one group: what stands out is not enough (p = {found.p_value:.2g}, {found.level:.2g} is asked for)"
    return f"one group: nothing stands out (p = {found.p_value:.2g})"


def in_words(found: Sighting) -> str:
    """What a view or a property sees."""
    if found.by_property:
        kind, _, column = found.name.partition(" of ")
        return f"{found.name} of the sequences" if not column else f"{kind} in column {column}"
    return VIEWS.get(found.name, found.name)


def also_there(result: Result) -> list[str]:
    """Groups beyond doubt that were not taken, one sentence each, with what asks for them."""
    said = []
    for found in result.decision.others:
        number = found.grouping.n_clusters
        if found.by_property:
            how = f'measure="properties", only=["{found.name}"], n_clusters={number}'
        elif found.name in measures():
            how = f"MEASURE={found.name} K={number}"
        else:
            how = f'measure="fusion", views=["{found.name}"], n_clusters={number}'
        said.append(f"by {in_words(found)} there are {number} groups too: {how}")
    return said
