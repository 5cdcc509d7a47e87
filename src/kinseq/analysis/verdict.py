"""What was found, in one plain sentence: what the page, the console and ``repr`` say first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ..features.traits import OF_SOUND
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


FEWEST_FOR_GAPS = 20
"""Sequences from which on gaps are asked for where one view alone shows groups; of fewer, true groups often show none."""


def lacks_gaps(result: Result) -> bool:
    """Whether clusters are set apart no more than pieces of a continuum would be.

    Not asked of groups beyond doubt, unless a view without a vote shows them and no other source does: such views show pieces
    of a continuum as clearly.
    """
    if result.gaps is None or result.gaps.p_value <= LEVEL:
        return False
    sighting = result.decision.by
    return sighting is None or (sighting.is_alone and len(result.sequences) >= FEWEST_FOR_GAPS)


def verdict(result: Result) -> Verdict:
    """The sentence that follows from the evidence."""
    number, decision = result.n_clusters, result.decision
    groups = plural(number, "group")
    if number == 1:
        return Verdict(_of_one(result), "one")
    if number == len(result.sequences):
        return Verdict(f"{groups} of one sequence each, as asked", "between")
    if (sighting := decision.by) is not None:
        if sighting.by_property and sighting.name == "length":
            return Verdict(f"{groups} that differ in nothing but length", "lengths")
        if lacks_gaps(result):
            return Verdict(f"{groups} by {in_words(sighting)}, perhaps pieces of a continuum", "continuum")
        return Verdict(f"{groups}, well apart by {in_words(sighting)}", "apart")
    if lacks_gaps(result):
        if result.n_requested is not None:
            return Verdict(f"a continuum, cut in {number} pieces because you asked", "continuum")
        return Verdict(f"{groups} without clear gaps between them, perhaps pieces of a continuum", "continuum")
    return Verdict(f"{groups}, with sequences between them", "between")


def _of_one(result: Result) -> str:
    evidence = result.decision.structure
    if result.n_requested is not None:
        return "one group, as asked"
    if evidence is None:
        return f"one group: {result.decision.why}"
    if evidence.p_value <= LEVEL:
        # Less than what is taken for chance elsewhere.
        return (
            f"one group: what stands out is not enough (p = {evidence.p_value:.2g}, {evidence.level:.2g} is asked for)"
        )
    return f"one group: nothing stands out (p = {evidence.p_value:.2g})"


def in_words(sighting: Sighting) -> str:
    """What a view or a property sees."""
    if sighting.by_property:
        kind, _, column = sighting.name.partition(" of ")
        if not column:
            return f"{sighting.name} of the sequences"
        # Features of recordings are called what they are, and not columns.
        return f"{kind} in {column}" if OF_SOUND.fullmatch(column) else f"{kind} in column {column}"
    return VIEWS.get(sighting.name, sighting.name)


def also_there(result: Result) -> list[str]:
    """Groups beyond doubt that were not taken, one sentence each, with what asks for them."""
    sentences = []
    for sighting in result.decision.others:
        number = sighting.grouping.n_clusters
        if sighting.by_property:
            how = f'measure="properties", only=["{sighting.name}"], n_clusters={number}'
        elif sighting.name in measures():
            how = f"MEASURE={sighting.name} K={number}"
        else:
            how = f'measure="fusion", views=["{sighting.name}"], n_clusters={number}'
        sentences.append(f"by {in_words(sighting)} there are {number} groups too: {how}")
    return sentences
