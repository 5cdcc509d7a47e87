"""The result in one plain sentence, shown first by page, console and ``repr``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, get_args

import numpy as np

from ..core.arrays import FloatArray, IntArray
from ..core.confounders import SUSPECTS
from ..core.wording import all_as_typed, count
from ..features.explanatory import OF_SOUND
from ..measures.descriptions import VIEWS
from ..measures.registry import modules
from ..measures.registry import names as measures
from ..measures.requirements import REQUIREMENTS
from ..metrics.groupings import MIN_GROUP_SIZE
from ..metrics.internal import LEVEL, share_between
from .candidates import Candidate
from .group_labels import groups_in_words, is_heard, spoken
from .partition import sizes_of
from .result import Result
from .rules import NUMBER, PHASE_ONLY

Degree = Literal[
    "clear",
    "separated",
    "overlapping",
    "borderline",
    "unclear",
    "continuum",
    "lengths",
    "phase",
    "too_few",
    "none",
]
"""How sure the groups are: clearly separated; separated, with nothing between them; overlapping, with sequences between
them; borderline evidence (no rule uses it yet); as clear as in data without groups, or not compared with such data; parts
of a continuum; different only in length; different only in where sequences begin; too few distinct sequences to say; no
groups."""
LEAST_SURE_LAST = get_args(Degree)
"""Degrees from the surest to the least sure."""
MAX_NAMED_SEQUENCES = 3
"""Largest number of sequences between groups that are named."""


@dataclass(frozen=True)
class Verdict:
    """Verdict on the groups.

    Attributes
    ----------
    groups : str
        How many groups, and how far apart.
    degree : str
        How sure the groups are, one of :data:`Degree`.
    more : str
        What else is to be said, after the groups in words.
    evidence_source : str
        The view or property that shows the groups, in words; empty for those of the matrix.
    has_words : bool
        Whether groups can be called by what sets them apart.
    """

    groups: str
    degree: Degree
    more: str = ""
    evidence_source: str = ""
    has_words: bool = True

    def sentence(self, words: str = "") -> str:
        """The sentence, without a full stop, with the groups in words if there are any."""
        return f"{self.groups}{': ' * bool(words)}{words}{'; ' * bool(self.more)}{self.more}"

    @property
    def is_sure(self) -> bool:
        """Whether the groups are certain: nothing lies between them."""
        return self.degree in ("clear", "separated")


FEWEST_FOR_GAPS = 20
"""Least number of sequences for which gaps are required if one view alone shows groups; with fewer, true groups often show
none."""


def lacks_gaps(result: Result) -> bool:
    """Whether clusters are separated no better than parts of a continuum.

    Not required of clear groups, unless an auxiliary view shows them and no other source does: such views show parts of a
    continuum as clearly.
    """
    if (
        result.details.gaps is None
        or result.details.gaps.p_value <= LEVEL
        or len(result.details.far_away) == result.n_clusters
    ):
        return False
    candidate = result.decision.by
    return candidate is None or (candidate.is_unconfirmed and len(result.sequences) >= FEWEST_FOR_GAPS)


BY_SUSPECT = 0.5
"""Share of the variance of padding, missing rows and the like between groups above which these are unreliable."""
MAX_P_OF_ARTEFACT = 0.01
"""P-value, over the number of groups, below which an artefact that all members of a group have makes the groups unreliable."""


def verdict(result: Result) -> Verdict:
    """Return the verdict without the words for each group.

    Groups that coincide with what was not measured (:mod:`kinseq.core.confounders`) are never sure. Leaves of the tree are as sure
    as the least sure division; the sentence is on the first one.
    """
    division = result._division
    found = _by_evidence(division)
    if found.is_sure and (artefact := coinciding(division) or explaining_a_group(division)):
        found = replace(
            found, groups=f"{count(division.n_clusters, 'group')}, which {artefact}", degree="unclear", more=""
        )
    if division is result:
        return found
    inner = [verdict(one).degree for one in result.details.within.values()]
    kinds = count(division.n_clusters, "kind")
    groups = found.groups.replace(count(division.n_clusters, "group"), kinds, 1)
    for apart in ("clearly separated", "separated"):
        groups = groups.replace(f"{kinds}, {apart}", f"{division.n_clusters} {apart} kinds")
    more = found.more.replace("group", "kind")
    return replace(
        found,
        groups=f"{count(result.n_clusters, 'group')} in {groups}",
        degree=max((found.degree, *inner), key=LEAST_SURE_LAST.index),
        more=more,
    )


def coinciding(result: Result) -> str:
    """Return the artefact that the groups coincide with, in words; empty if there is none."""
    for what, amounts in _suspects(result):
        if share_between(amounts, result.labels) > BY_SUSPECT:
            return f"coincide with {what}"
    return ""


def explaining_a_group(result: Result) -> str:
    """Return the artefact that all sequences of one group have, beyond chance, in words; empty if there is none.

    A group may be a part of the sequences that have it: those with padding that is long, or differs most from the rest.
    """
    from scipy.stats import hypergeom

    for what, amounts in _suspects(result):
        labels = result.labels
        have_it = 2.0 * amounts > amounts.min() + amounts.max()
        groups = [have_it[labels == k] for k in range(result.n_clusters)]
        for size in (len(group) for group in groups if group.all()):
            # The chance that a group of this size is drawn from these sequences alone.
            p_value = hypergeom.sf(size - 1, len(labels), have_it.sum(), size)
            if p_value < MAX_P_OF_ARTEFACT / result.n_clusters:
                return f"depend on {what}"
    return ""


def _suspects(result: Result) -> Iterator[tuple[str, FloatArray]]:
    """Yield possible artefacts, with their amounts in all sequences, shape (N,)."""
    ids = result.sequences.ids.tolist()
    for what, amounts in result.sequences.provenance.get(SUSPECTS, {}).items():
        yield str(what), np.array([amounts.get(entry, 0.0) for entry in ids])


def _by_evidence(result: Result) -> Verdict:
    """Return the verdict from the distances alone."""
    number, decision = result.n_clusters, result.decision
    groups, requested = count(number, "group"), ", as requested" if result.options.n_clusters == number else ""
    if number == 0:
        return Verdict("no groups found: no sequence is in a group", "none", has_words=False)
    if number == 1:
        if result.options.n_clusters is None and result.details.n_distinct > 1 and decision.differs_in_phase_only:
            return Verdict(f"no groups: {PHASE_ONLY}", "phase", has_words=False)
        return Verdict(_of_one(result), "none", has_words=False)
    if number == len(result.sequences):
        return Verdict(f"{groups} of one sequence each{requested}", "too_few", has_words=False)
    if number == result.details.n_distinct:
        copies = "copies of one sequence" if result.details.has_content else "equal items"
        return Verdict(f"{groups} of {copies} each{requested}", "too_few", has_words=False)
    if (candidate := decision.by) is not None:
        evidence_source = in_words(candidate)
        if decision.is_of_lengths:
            return Verdict(f"{groups} that differ only in length", "lengths", evidence_source=evidence_source)
        if lacks_gaps(result):
            more = _set_apart(result)
            perhaps = "" if more else ", perhaps parts of a continuum"
            return Verdict(f"{groups}{perhaps}", "continuum", more, evidence_source)
        if decision.null_comparison == "like data without groups":
            return Verdict(
                f"{groups}, but data without groups look as clear", "unclear", evidence_source=evidence_source
            )
        if decision.null_comparison == "not compared" and _is_of_models(candidate):
            return Verdict(
                f"{groups}, not compared with data without groups", "unclear", evidence_source=evidence_source
            )
        return Verdict(f"{groups}, clearly separated", "clear", evidence_source=evidence_source)
    if result.details.n_distinct < 2 * MIN_GROUP_SIZE:
        # So few sequences show neither two groups nor a gap between them.
        few = f"{result.details.n_distinct} different sequences are too few to judge how well separated they are"
        return Verdict(f"{groups}{requested}", "too_few", few, has_words=False)
    if more := _set_apart(result):
        return Verdict(groups, "continuum", more)
    if lacks_gaps(result):
        if result.options.n_clusters is not None:
            return Verdict(f"a continuum, divided into {number} parts as requested", "continuum")
        return Verdict(f"{groups} without clear gaps between them, perhaps parts of a continuum", "continuum")
    between = result.details.between
    if not len(between):
        return Verdict(f"{groups}, separated", "separated")
    names = [str(name) for name in result.sequences.ids[between[:MAX_NAMED_SEQUENCES]]]
    more = ", ..." if len(between) > MAX_NAMED_SEQUENCES else ""
    which = "1 sequence lies" if len(between) == 1 else f"{len(between)} sequences lie"
    return Verdict(groups, "overlapping", f"{which} between them: {', '.join(names)}{more}")


def _set_apart(result: Result) -> str:
    """Names of well separated groups among others that may be parts of a continuum; empty unless there are both."""
    far, pieces = result.details.far_away, result.details.pieces
    if not len(far) or not len(pieces):
        return ""
    rest = "the others" if len(pieces) > 1 and len(far) + len(pieces) == result.n_clusters else _numbered(pieces)
    perhaps = "is perhaps a part" if len(pieces) == 1 else "are perhaps parts"
    return f"{_numbered(far)} {'is' if len(far) == 1 else 'are'} set apart, {rest} {perhaps} of a continuum"


def _numbered(groups: IntArray) -> str:
    names = [str(k + 1) for k in groups]
    return f"group {names[0]}" if len(names) == 1 else f"groups {_listed(names)}"


_SURENESS: Mapping[Degree, str] = {
    "clear": "clearly separated",
    "separated": "separated",
    "overlapping": "overlapping",
    "borderline": "borderline",
    "unclear": "unclear",
    "continuum": "perhaps parts of a continuum",
    "lengths": "that differ only in length",
    "too_few": "too few to judge",
}
"""Words for how sure the groups within a group are."""
NOT_IN_A_GROUP = "not in a group"
"""Words for a sequence that a clusterer leaves unassigned."""
AS_A_WHOLE = "they differ in their course as a whole"
"""Words for groups that no simple property sets apart."""
BY_TIMBRE = "they differ in timbre; listen to the typical ones"
"""Words for recordings that differ only in coefficients, which have no everyday name."""


def sentence(result: Result, sizes: IntArray | None = None) -> str:
    """Return the result in one sentence: number of groups, separation, and a description of each.

    `sizes`, shape (K,), are numbers of sequences where these are more than were compared.
    """
    found = verdict(result)
    alone = result.details.unassigned
    more = (
        f"; {alone.size} {'is' if alone.size == 1 else 'are'} {NOT_IN_A_GROUP}"
        if alone.size and result.n_clusters
        else ""
    )
    if not found.has_words or not result.details.has_content:
        return found.sentence() + more
    outside = np.setdiff1d(result.details.scattered, alone)
    counts = sizes_of(result.labels, result.n_clusters) if sizes is None else sizes
    if counts.sum() == len(result.labels):
        # Sequences that fit no group are counted separately.
        counts = counts - np.bincount(result.labels[outside], minlength=result.n_clusters)
    division, notes = result._division, [""] * result.n_clusters
    if division is not result:
        counts, notes = np.add.reduceat(counts, result._first_leaves), _divisions(result)
    words = groups_in_words(division.explain(), counts, notes) or _as_a_whole(division)
    if not outside.size:
        return found.sentence(words) + more
    fit = "fits" if outside.size == 1 else "fit"
    return f"{found.sentence(words)}; and {outside.size} that {fit} {'neither' if result.n_clusters == 2 else 'none of them'}"


def _divisions(result: Result) -> list[str]:
    """For each group of the first division, into how many it is divided and how surely, in brackets; empty if it is not."""
    notes = []
    for k in range(result._division.n_clusters):
        inner = result.details.within.get(k)
        notes.append("" if inner is None else f" (in {inner.n_clusters}, {_SURENESS[verdict(inner).degree]})")
    return notes


def _as_a_whole(result: Result) -> str:
    named = result.explain()["column"]
    return BY_TIMBRE if any(name and not is_heard(name) for name in named) else AS_A_WHOLE


def subcluster_sentences(result: Result, before: int = 0, within: str = "") -> list[str]:
    """Return a sentence for each group that divides further, each before those within it.

    Groups are called by their numbers in the tree, below `within`, and by the numbers of their clusters, those `before` them not
    counted; the latter only where clusters are the leaves.
    """
    sentences = []
    for k, inner in result.details.within.items():
        number = f"{within}{k + 1}"
        if not result._by_leaves:
            sentences.append(f"within group {number}: {sentence(inner)}")
            continue
        first = before + int(result._first_leaves[k])
        join = "and" if inner.n_clusters == 2 else "to"
        clusters = f"clusters {first + 1} {join} {first + inner.n_clusters}"
        sentences.append(f"within group {number} ({clusters}): {sentence(inner)}")
        sentences += subcluster_sentences(inner, first, f"{number}.")
    return sentences


MAX_SUGGESTIONS = 3
"""Largest number of suggested numbers of groups."""


class Suggestion(NamedTuple):
    """A plausible number of groups: the evidence for it, the call or method that gives them, and the groups, shape (N,)."""

    n_clusters: int
    why: str
    how: str
    labels: IntArray


def suggestions(result: Result, by_leaves: bool) -> list[Suggestion]:
    """Return up to three plausible numbers of groups, the clusters first.

    These are the leaves of the tree if `by_leaves`, else its first division, and the other ones are next. Then come numbers that do
    about as well (after a single group, the number that comes nearest), and clear groups of other views or properties.
    """
    division = result._division
    found = [Suggestion(division.n_clusters, division.decision.why, "level(1)", division.labels)]
    if result.details.within:
        leaves = result._altered(_by_leaves=True)
        why = f"leaves of the tree, with {' and '.join(divided_groups(result))} divided"
        found.append(Suggestion(leaves.n_clusters, why, "level()", leaves.labels))
    if len(found) > 1 and by_leaves:
        first = found[0]._replace(why=f"the first division: {division.decision.why}")
        found = [found[1], first]
    nearest = "does about as well" if division.n_clusters > 1 else "comes nearest to groups"
    for number, labels in result.details.candidates.items():
        found.append(Suggestion(number, nearest, result.details.call(n_clusters=number), labels))
    for candidate in result.decision.others:
        why, labels = f"clear groups by {in_words(candidate)}", np.maximum(candidate.grouping.labels, 0)
        found.append(Suggestion(candidate.grouping.n_clusters, why, _settings_of(candidate), labels))
    by_number = {one.n_clusters: one for one in reversed(found)}
    chosen, *others = (one for one in found if by_number[one.n_clusters] is one)
    return [chosen._replace(how="labels"), *others][:MAX_SUGGESTIONS]


def divided_groups(result: Result, number: str = "") -> list[str]:
    """Numbers in the tree, as 1.2, of the groups that are divided further."""
    divided = []
    for k, inner in result.details.within.items():
        divided += [f"{number}{k + 1}", *divided_groups(inner, f"{number}{k + 1}.")]
    return divided


def _is_of_models(candidate: Candidate) -> bool:
    """Whether a single model-based measure shows the groups; such measures find some even without groups."""
    if candidate.by_property or candidate.name not in measures():
        return False
    return REQUIREMENTS[modules()[candidate.name].fields["requires"]].models is not None


def _listed(words: list[str]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else words[0]


def _of_one(result: Result) -> str:
    evidence = result.decision.structure
    if result.options.n_clusters == 1:
        return "one group, as requested"
    if result.details.n_distinct == 1:
        return (
            f"one group: {'all sequences are copies of one' if result.details.has_content else 'all items are equal'}"
        )
    if result.options.n_clusters is not None:
        return f"one group: {next((why for what, _, why in result.choices if what == NUMBER), result.decision.why)}"
    if evidence is None:
        return f"one group: {result.decision.why}"
    if evidence.p_value <= LEVEL:
        # Below the size that counts as chance elsewhere.
        return f"weak evidence for groups (p = {evidence.p_value:.2g}, needs {evidence.level:.2g})"
    return f"no groups found (p = {evidence.p_value:.2g})"


def in_words(candidate: Candidate) -> str:
    """Describe a view or a property."""
    if candidate.by_property:
        kind, _, column = candidate.name.partition(" of ")
        if not column:
            return f"{candidate.name} of the sequences"
        # Features of recordings are called by their names, not "columns".
        return f"{kind} in {spoken(column)}" if OF_SOUND.fullmatch(column) else f"{kind} in column {column}"
    return VIEWS.get(candidate.name, candidate.name)


def alternative_groupings(result: Result) -> list[str]:
    """Describe clear groups that were not accepted, one sentence each, with the call that gives them."""
    return [
        f"{candidate.grouping.n_clusters} groups also by {in_words(candidate)}: {_settings_of(candidate)}"
        for candidate in result.decision.others
    ]


def _settings_of(candidate: Candidate) -> str:
    """Settings that give the groups of a view or property, as they are typed."""
    number = candidate.grouping.n_clusters
    if candidate.by_property:
        return all_as_typed(measure="properties", params={"only": [candidate.name]}, n_clusters=number)
    if candidate.name in measures():
        return all_as_typed(measure=candidate.name, n_clusters=number)
    return all_as_typed(measure="fusion", params={"views": [candidate.name]}, n_clusters=number)
