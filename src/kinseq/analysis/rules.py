"""Choose the number of groups and their source: the matrix, one of its views, or a plain property.

The rules (:data:`RULES`) are tried in order; the first that has an answer decides.

1. Clear groups of one view are taken, whatever the other views show; of several such views, those of the clearest. Sequences
   without groups, spliced of the given ones, must not show groups as clear under that view: machines of one duty cycle do, by the
   moment at which they begin. Auxiliary views count if another view or a property shows the same groups, or if sequences
   without groups hardly ever show as much under them. Where a plain property shows the same groups, or divides or joins them,
   more clearly still, its groups are taken.
2. Where no view is clear, the views are compared with those of sequences without groups. If groups are significant, those of an
   auxiliary view that another source shows too are taken if data without groups hardly ever show as much under that view, and no
   groups are significant within them. Or else the matrix is cut; the number is the one whose groups are most like those of the
   other numbers that do well, unless a plain property shows groups of some number that are the same, and no groups are
   significant within them.
3. If no groups are significant, groups by a plain property are taken if they are clear, and data without groups show no
   such groups: by properties together, or by that one if its groups are firm.
4. Or else there is one group.

Where every moment is as good as another, all groups have to last: what is left of them when each sequence begins at another moment
(:meth:`.null.Null.before_and_after`) has to be half of what they show, or they are of how far in its cycle a sequence began.

Clear groups, clearer than those of data without groups, that are not taken are named, and so are those that are significant in
views which see nothing of the clear groups. With the number given, groups of that number are looked for in the same steps;
those of an auxiliary view, but for models of each sequence, need no other source: a given number implies that there are groups.
Whether data without groups show as much is examined and reported. A property decides then only where no view of whole sequences
shows as many groups, and most sequences have it; a few sequences of one view against all others are groups only where the
matrix supports them. Where there are none, fewer clear groups of which some fall into groups by the same rules, so many in all,
go before a cut of the matrix.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ..core.arrays import FloatArray, IntArray
from ..core.graphs.network_fusion import fuse, local_affinity
from ..features.properties import properties
from ..metrics.external import ari
from ..metrics.groupings import Structure, completed, of_labels
from ..metrics.internal import Numbers, representative, silhouettes
from ..metrics.maps import classical_mds
from . import limits
from .candidates import DIRECT_VIEWS, SQUARED_VIEWS, Candidate, NullComparison, clearer_property, similarity
from .evidence import DecisionEvidence
from .log import Remarks, as_choice, as_notes
from .null import default_range

PHASE_ONLY = "apparent groups disappear when sequences start at another point of their cycle"
"""Used if sequences differ only in where their cycle starts, or by chance."""
NUMBER = "number of clusters"
"""Name of this choice."""


@dataclass(frozen=True)
class Details:
    """Details on a decision that do not change it.

    Attributes
    ----------
    others : tuple of Candidate
        Clear groups that are different from those taken, the clearest first.
    numbers : Numbers or None
        What speaks for each number.
    null_comparison : str
        How the groups taken stand against sequences without groups, as in :class:`Candidate`.
    """

    others: tuple[Candidate, ...] = ()
    numbers: Numbers | None = None
    null_comparison: NullComparison = "not compared"


@dataclass(frozen=True)
class Decision:
    """Number of groups, and the reason.

    Attributes
    ----------
    n_clusters : int
    why : str
        One sentence.
    by : Candidate or None
        Whose groups are taken; None for those of the matrix.
    structure : Structure or None
        Whether groups are clearer than in sequences without groups, where that was examined.
    details : Details or callable
        Details of the decision; a function that computes them on first use, since it takes longer than the decision.
    items : ndarray, int64
        Some of the sequences; of a small set all.
    views : mapping of str to ndarray
        The views that vote, of these sequences by themselves; empty for a measure that is not made of views.
    groups : ndarray, int64, shape (N,), or None
        Groups that no single source shows: clear ones of which some were divided by a second look; -1 as of a grouping.
    """

    n_clusters: int
    why: str
    by: Candidate | None = None
    structure: Structure | None = None
    details: Details | Callable[[], Details] = field(default=Details(), compare=False, repr=False)
    # Arrays would fill pages of a repr.
    items: IntArray = field(default_factory=lambda: np.zeros(0, dtype=np.int64), compare=False, repr=False)
    views: Mapping[str, FloatArray] = field(default_factory=dict, compare=False, repr=False)
    groups: IntArray | None = field(default=None, compare=False, repr=False)

    def found(self) -> Details:
        """Compute the details on first use, keep them, and release the evidence."""
        details = self.details
        if not isinstance(details, Details):
            details = details()
            object.__setattr__(self, "details", details)
        return details

    @property
    def others(self) -> tuple[Candidate, ...]:
        """Clear groups that differ from the accepted ones, clearest first."""
        return self.found().others

    @property
    def numbers(self) -> Numbers | None:
        """Evidence for each number of groups; None if numbers were not compared."""
        return self.found().numbers

    @property
    def null_comparison(self) -> NullComparison:
        """Comparison of the accepted groups with sequences without groups."""
        return self.found().null_comparison

    @property
    def is_of_lengths(self) -> bool:
        """Whether the groups differ only in the length of the sequences."""
        return self.by is not None and self.by.by_property and self.by.name == "length"

    @property
    def differs_in_phase_only(self) -> bool:
        """Whether apparent groups disappear when sequences start at other moments, so that there is one group."""
        return self.n_clusters == 1 and self.structure is not None and self.structure.stands_out

    def __getstate__(self) -> dict[str, object]:
        """Support pickle, which cannot store nested functions."""
        self.found()
        return self.__dict__

    def in_order(self, places: IntArray) -> Decision:
        """Return the decision for items in another order, or with copies, by their positions in the present order."""

        def placed() -> Details:
            details = self.found()
            return replace(details, others=tuple(entry.placed(places) for entry in details.others))

        first = np.full(int(places.max(initial=-1)) + 1, -1, dtype=np.int64)
        first[places[::-1]] = np.arange(len(places))[::-1]
        return replace(
            self,
            by=None if self.by is None else self.by.placed(places),
            groups=None if self.groups is None else self.groups[places],
            details=placed,
            items=first[self.items] if self.items.size else self.items,
        )

    @property
    def outside(self) -> IntArray:
        """Positions of the items that belong to none of the groups taken, and are put where they are nearest."""
        labels = self.groups if self.by is None else self.by.grouping.labels
        return np.zeros(0, dtype=np.int64) if labels is None else np.flatnonzero(labels < 0)

    def among(self, places: IntArray, n_items: int, labels: IntArray) -> Decision:
        """Return the decision on some of `n_items` items, by their `places`, as one on all; the others are in no group.

        `labels`, shape (number of some,), are their groups where no single source shows them.
        """

        def placed() -> Details:
            details = self.found()
            return replace(details, others=tuple(entry.among(places, n_items) for entry in details.others))

        groups = np.full(n_items, -1, dtype=np.int64)
        groups[places] = labels if self.groups is None else self.groups
        by = None if self.by is None else self.by.among(places, n_items)
        return replace(self, by=by, groups=groups if by is None else None, details=placed)

    def labels(self, distance: FloatArray) -> IntArray:
        """The groups as decided, with ungrouped items assigned to the nearest, shape (N,)."""
        labels = self.groups
        if labels is None:
            assert self.by is not None
            labels = self.by.grouping.labels
        return completed(labels, distance)


Rule = Callable[[DecisionEvidence], Decision | None]
"""A rule: its answer, or None if it does not apply."""


# ---------------------------------------------------------------------------------------------------------------------
# Where there is next to nothing to look at
# ---------------------------------------------------------------------------------------------------------------------


def nothing_differs(evidence: DecisionEvidence) -> Decision | None:
    """All items are equal."""
    return _unseen(evidence, "no two sequences differ under this measure") if evidence.all_alike else None


def too_few_items(evidence: DecisionEvidence) -> Decision | None:
    """One or two items."""
    return _unseen(evidence, "fewer than three different sequences") if evidence.n_items < 3 else None


def _unseen(evidence: DecisionEvidence, why: str) -> Decision:
    if evidence.options.n_clusters is not None:
        return Decision(evidence.options.n_clusters, "given")
    return Decision(evidence.options.n_range[0] if evidence.options.n_range else 1, why)


# ---------------------------------------------------------------------------------------------------------------------
# Clear groups, and the number given
# ---------------------------------------------------------------------------------------------------------------------


def clear_view(evidence: DecisionEvidence) -> Decision | None:
    """Clear groups of a voting view, or of a source that shows them more clearly."""
    best = evidence.clear.best
    return None if best is None else _of(best, evidence, lambda: evidence.others_beside(best))


def groups_within_groups(evidence: DecisionEvidence) -> Decision | None:
    """With a given number, fewer clear groups with some divided further, to make that number in total."""
    labels = evidence.within_fewer()
    if labels is None:
        return None
    details = _details(None, evidence, lambda: evidence.others_beside(None))
    return Decision(int(labels.max()) + 1, "given", groups=labels, details=details)


def auxiliary_view_of_given_number(evidence: DecisionEvidence) -> Decision | None:
    """With a given number, groups of the clearest auxiliary view that is not a squared divergence.

    A view may be as sure of groups of sequences without groups; but who gives a number says that there are groups.
    """
    known = [e for e in evidence.auxiliary_candidates if not e.grouping.has_singletons and e.name not in SQUARED_VIEWS]
    if not evidence.is_given or not known:
        return None
    best = min(known, key=lambda entry: entry.rank)
    return _of(best, evidence, lambda: evidence.others_beside(best))


def supported_groups_of_given_number(evidence: DecisionEvidence) -> Decision | None:
    """With a given number, confirmed groups, or those of another source that the matrix supports."""
    if not evidence.is_given:
        return None
    confirmed = evidence.clear.confirmed
    best = confirmed[0] if confirmed else evidence.supported([*evidence.unconfirmed_without_groups, *_firm(evidence)])
    return None if best is None else _of(best, evidence, lambda: evidence.others_beside(None))


def groups_without_the_number(evidence: DecisionEvidence) -> Decision | None:
    """With a given number, the groups found without it, if none are significant in the voting views."""
    null, plain = evidence.null, evidence.clear.properties
    auxiliary = [*evidence.clear.confirmed, *evidence.unconfirmed_without_groups] if evidence.is_given else []
    if not evidence.is_given or null is None or evidence.compute is None or not (auxiliary or plain):
        return None
    most = default_range(evidence.n_items, evidence.options)[1]
    # Properties first, since their references need no alignments.
    if not auxiliary and not null.properties(most).stands_out:
        return None
    if null.views(list(evidence.views), most).stands_out:
        return None
    best = auxiliary[0] if auxiliary else plain[0]
    return _of(best, evidence, lambda: evidence.others_beside(None))


def matrix_of_given_number(evidence: DecisionEvidence) -> Decision | None:
    """With a given number, cut the matrix."""
    number = evidence.options.n_clusters
    if number is None:
        return None
    return Decision(number, "given", details=_details(None, evidence, lambda: evidence.others_beside(None)))


# ---------------------------------------------------------------------------------------------------------------------
# Groups that are clearer than in sequences without groups
# ---------------------------------------------------------------------------------------------------------------------


def supported_groups(evidence: DecisionEvidence) -> Decision | None:
    """If groups are significant, those of an auxiliary view or a firm property that the matrix supports.

    Confirmed ones need no support, nor do those of views that neither align nor model, but no groups may be significant within.
    """
    structure = evidence.structure
    if structure is None or not evidence.stands_out:
        return None
    numbers = evidence.numbers
    assert numbers is not None
    # Lazily, since each comparison draws its own sets.
    best = next(
        (
            entry
            for entry in evidence.firmly_auxiliary()
            if entry.grouping.n_clusters >= max(numbers.candidates) or not evidence.falls_apart(entry.grouping.labels)
        ),
        None,
    )
    best = best or evidence.supported([*evidence.unconfirmed_without_groups, *_firm(evidence)])
    return None if best is None else _of(best, evidence, lambda: evidence.others_beside(None), structure, numbers)


def auxiliary_view_alone(evidence: DecisionEvidence) -> Decision | None:
    """If no groups are significant in the voting views, groups of an auxiliary view that is significant by itself."""
    structure = evidence.structure
    if structure is None or evidence.stands_out or not (auxiliary := _auxiliary(evidence)):
        return None
    best = clearer_property(auxiliary[0], evidence.clear.properties, evidence.thresholds)
    return _of(best, evidence, lambda: evidence.others_beside(None), structure)


def property_like_the_cut(evidence: DecisionEvidence) -> Decision | None:
    """If the matrix is to be cut, equal groups by a property, unless they divide further."""
    structure = evidence.structure
    if structure is None or not evidence.is_to_be_cut:
        return None
    numbers = evidence.numbers
    assert numbers is not None
    coarse: dict[int, bool] = {}
    for entry in evidence.all_properties if evidence.properties_may_decide else []:
        number, labels = entry.grouping.n_clusters, entry.grouping.labels[evidence.items]
        inside = labels >= 0
        if (
            number not in evidence.partitions
            or ari(labels[inside], evidence.partitions[number][inside]) < evidence.thresholds.same_ari
            or not evidence.survives_phase_shift(entry)
        ):
            continue
        if number not in coarse:
            coarse[number] = number < max(numbers.candidates) and evidence.falls_apart(entry.grouping.labels)
        if not coarse[number]:
            why = f"the property {entry.name!r} shows the same {number} groups"
            why = f"{why} (silhouette {entry.grouping.silhouette:.2f}; {_against(structure)})"
            best = numbers.with_best(number)
            details = _details(entry, evidence, lambda: _beside_a_cut(evidence), structure, best, is_taken=False)
            return Decision(number, why, structure=structure, details=details)
    return None


def cut_of_the_matrix(evidence: DecisionEvidence) -> Decision | None:
    """If groups are significant or a range was given, cut the matrix into the largest number that does about as well."""
    structure = evidence.structure
    if structure is None or not evidence.is_to_be_cut:
        return None
    numbers = evidence.numbers
    assert numbers is not None
    # Users can join groups that were divided too far, but cannot see what one group hides.
    if evidence.stands_out:
        numbers = numbers.with_best(max(numbers.candidates))
    others = " or ".join(map(str, numbers.candidates[1:]))
    tried = f"{numbers.n_clusters[0]} to {numbers.n_clusters[-1]}"
    of_these = "the largest of those" if others and evidence.stands_out else "the one"
    why = f"of {tried}, {of_these} whose groups are most like those of the others that do well ({_against(structure)})"
    why = f"{why}; {others} would do about as well" if others else why
    cut, different = evidence.partitions[numbers.best], evidence.thresholds.different_ari

    def alternatives() -> list[Candidate]:
        return [e for e in _beside_a_cut(evidence) if ari(e.grouping.labels[evidence.items], cut) < different]

    return Decision(
        numbers.best, why, structure=structure, details=_details(None, evidence, alternatives, structure, numbers)
    )


def property_alone(evidence: DecisionEvidence) -> Decision | None:
    """If no groups are significant, groups by the clearest property, if properties are."""
    structure, plain = evidence.structure, evidence.clear.properties
    if structure is None or not plain or not evidence.property_stands_out(plain[0]):
        return None
    return _of(plain[0], evidence, lambda: _beside_a_cut(evidence), structure)


def firm_property_alone(evidence: DecisionEvidence) -> Decision | None:
    """Accept the groups of one property if they are firm.

    All properties together may show no significant groups where one by itself does, since another is in groups in any data.
    """
    if (structure := evidence.structure) is None:
        return None
    best = next((entry for entry in _firm(evidence) if evidence.null_comparison(entry) == "distinct"), None)
    if best is None:
        return None
    return _of(best, evidence, lambda: _beside_a_cut(evidence), structure)


def one_group(evidence: DecisionEvidence) -> Decision | None:
    """No groups are significant."""
    if (structure := evidence.structure) is None:
        return None
    if not evidence.tried:
        why = "fewer than six sequences"
    else:
        found = PHASE_ONLY if structure.stands_out else "no grouping is clearer than in data without groups"
        why = f"{found} ({_against(structure)})"
    details = _details(None, evidence, lambda: _beside_a_cut(evidence), structure)
    return Decision(1, why, structure=structure, details=details)


# ---------------------------------------------------------------------------------------------------------------------
# Without sequences without groups
# ---------------------------------------------------------------------------------------------------------------------


def largest_corrected_silhouette(evidence: DecisionEvidence) -> Decision:
    """The number whose silhouette most exceeds that of items from one Gaussian distribution, from the matrix alone."""
    least, most = evidence.options.n_range or (
        2,
        min(evidence.options.max_clusters, max(2, min(evidence.n_items, limits.MAX_COUNTED_ON) // 3)),
    )
    numbers = evidence.chance(range(least, most + 1), limits.N_REFERENCES)
    tried = f"{numbers.n_clusters[0]} to {numbers.n_clusters[-1]}"
    likely = f"p = {numbers.p_value:.2f}, against {numbers.n_references} sets without clusters"
    if numbers.best == 1:
        why = f"none of {tried} is clearer than chance ({likely}); {numbers.candidates[1]} clusters come closest"
    else:
        why = f"of {tried}, the one with the largest silhouette corrected for chance ({likely})"
        others = " or ".join(map(str, numbers.candidates[1:]))
        why = f"{why}; {others} would do about as well" if others else why
    if evidence.options.n_range is not None and numbers.best == 1:
        numbers = replace(numbers, best=numbers.candidates[1], candidates=numbers.candidates[1:])
    return Decision(numbers.best, why, details=Details(numbers=numbers))


RULES: tuple[Rule, ...] = (
    nothing_differs,
    too_few_items,
    clear_view,
    auxiliary_view_of_given_number,
    supported_groups_of_given_number,
    groups_without_the_number,
    groups_within_groups,
    matrix_of_given_number,
    supported_groups,
    auxiliary_view_alone,
    property_like_the_cut,
    cut_of_the_matrix,
    property_alone,
    firm_property_alone,
    one_group,
    largest_corrected_silhouette,
)
"""In the order in which they are tried."""


def decide(evidence: DecisionEvidence) -> tuple[Decision, Remarks]:
    """The answer of the first applicable rule, and remarks on it; the reason is among the choices."""
    decision = next(answer for rule in RULES if (answer := rule(evidence)) is not None)
    remarks = as_choice(NUMBER, str(decision.n_clusters), decision.why)
    if evidence.all_alike:
        return decision, as_notes("all sequences are equal under this measure") + remarks
    if evidence.n_items < 3 and not evidence.is_given:
        few = "two different sequences are too few to choose a number of clusters; only their distance is meaningful"
        return decision, as_notes(few) + remarks
    return decision, remarks


# ---------------------------------------------------------------------------------------------------------------------
# What rules have in common
# ---------------------------------------------------------------------------------------------------------------------


def _of(
    best: Candidate,
    evidence: DecisionEvidence,
    alternatives: Callable[[], Sequence[Candidate]],
    structure: Structure | None = None,
    numbers: Numbers | None = None,
) -> Decision:
    """Accept the groups of one source."""
    grouping = best.grouping
    what = f"the property {best.name!r}" if best.by_property else f"{best.name} alone"
    why = f"{what} sets {grouping.n_clusters} groups apart clearly (silhouette {grouping.silhouette:.2f})"
    why = "given" if evidence.is_given else why
    return Decision(
        grouping.n_clusters, why, best, structure, _details(best, evidence, alternatives, structure, numbers)
    )


def _details(
    best: Candidate | None,
    evidence: DecisionEvidence,
    alternatives: Callable[[], Sequence[Candidate]],
    structure: Structure | None = None,
    numbers: Numbers | None = None,
    is_taken: bool = True,
) -> Callable[[], Details]:
    """Return a function that computes details on accepted groups, or on none."""

    def found() -> Details:
        candidates = alternatives()
        taken = best if is_taken else None
        null_comparison: NullComparison = "not compared" if taken is None else evidence.null_comparison(taken)
        others = _named(best, candidates, evidence)
        # If no numbers were compared, the page shows their silhouettes.
        compared = evidence.curve if structure is None else numbers or evidence.numbers
        if not evidence.options.alternatives:
            return Details(others, compared, null_comparison)
        if taken is not None and (second := _blind_spot(taken, others, evidence)) is not None:
            others = (*others, second)[: evidence.thresholds.max_others]
        others = tuple(replace(entry, points=_points(entry, evidence)) for entry in others)
        return Details(others, compared, null_comparison)

    return found


def _named(
    best: Candidate | None, candidates: Sequence[Candidate], evidence: DecisionEvidence
) -> tuple[Candidate, ...]:
    """Candidates that differ from the accepted groups and from each other; views before properties, clearest first.

    None that sequences without groups show as clearly under an alignment, a model or a property.
    """
    distinct: list[Candidate] = [] if best is None else [best]
    named: list[Candidate] = []
    for entry in candidates:
        if len(named) == evidence.thresholds.max_others:
            break
        if any(similarity(entry.grouping, there.grouping) >= evidence.thresholds.different_ari for there in distinct):
            continue
        # Spliced sequences start where the given ones start, so that groups by starting point appear in them too. Views
        # that neither align nor model show such groups where no others exist, and are not compared.
        null_comparison: NullComparison = (
            "not compared" if entry.name in DIRECT_VIEWS else evidence.null_comparison(entry)
        )
        if null_comparison != "like data without groups":
            named.append(replace(entry, null_comparison=null_comparison))
            distinct.append(entry)
    return tuple(named)


def _auxiliary(evidence: DecisionEvidence) -> list[Candidate]:
    """Auxiliary candidates that are clearer than in data without groups, confirmed ones first."""
    return [*evidence.confirmed_and_distinct, *evidence.unconfirmed_without_groups]


def _firm(evidence: DecisionEvidence) -> list[Candidate]:
    return [entry for entry in evidence.clear.properties if entry.is_strong(evidence.thresholds)]


def _beside_a_cut(evidence: DecisionEvidence) -> list[Candidate]:
    """Candidates to name if no clear groups are accepted."""
    return [*_auxiliary(evidence), *(entry for entry in evidence.properties if entry.is_strong(evidence.thresholds))]


def _against(structure: Structure) -> str:
    is_at_most = "at most" if structure.is_bound else "="
    return f"p {is_at_most} {structure.p_value:.2g}, against {structure.n_sets} sets of sequences without groups"


def _blind_spot(best: Candidate, others: Sequence[Candidate], evidence: DecisionEvidence) -> Candidate | None:
    """Groups of views that do not show the accepted clear groups, if they are clearer than in data without groups."""
    null = evidence.null
    if evidence.is_given or null is None or evidence.compute is None:
        return None
    taken, thresholds = best.grouping, evidence.thresholds
    inside = np.flatnonzero(taken.labels >= 0)
    views = {
        name: distance
        for name, distance in evidence.views.items()
        if float(silhouettes(np.abs(distance)[np.ix_(inside, inside)], taken.labels[inside]).mean())
        < thresholds.unseen_silhouette
    }
    least, most = evidence.bounds
    if not views or most <= least or not null.views(list(views), most, together=len(views) > 1).stands_out:
        return None
    items = evidence.items
    joined = _joined({name: np.abs(distance)[np.ix_(items, items)] for name, distance in views.items()})
    tried = [number for number in range(least, most + 1) if number < len(items)]
    partitions = dict(zip(tried, evidence.cuts(joined, tried), strict=True))
    number = max(representative(joined, partitions, thresholds.number_margin).candidates)
    candidates = [
        Candidate(name, of_labels(distance, evidence.cuts(np.abs(distance), [number])[0]))
        for name, distance in views.items()
    ]
    second = max(candidates, key=lambda entry: ari(entry.grouping.labels[items], partitions[number]))
    there = [taken, *(entry.grouping for entry in others)]
    different = all(similarity(second.grouping, entry) < thresholds.different_ari for entry in there)
    return second if different and evidence.survives_phase_shift(second) else None


def _joined(views: Mapping[str, FloatArray]) -> FloatArray:
    """One matrix of several views."""
    if len(views) == 1:
        return next(iter(views.values()))
    affinity = fuse([local_affinity(distance) for distance in views.values()])
    distance = -np.log(np.clip(affinity / affinity.max(), 1e-12, 1.0))
    np.fill_diagonal(distance, 0.0)
    return np.asarray(distance)


def _points(entry: Candidate, evidence: DecisionEvidence) -> FloatArray | None:
    """Positions of items in the plane of a view, or along the values of a property."""
    if not entry.by_property:
        return classical_mds({**evidence.views, **evidence.auxiliary}[entry.name])
    if evidence.sequences is None:
        return None
    values = properties(evidence.sequences).of(entry.name)
    # Side by side, so that equal values do not hide each other.
    return np.stack([values, np.linspace(-0.1, 0.1, len(values)) * float(np.ptp(values))], axis=1)
