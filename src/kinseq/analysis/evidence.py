"""Evidence on the number of groups; each part is computed once, when a rule needs it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ..core.arrays import FloatArray, IntArray
from ..core.sequences import SequenceSet
from ..features.frames import SequenceMoments
from ..features.recordings import recording_info
from ..metrics.external import ari
from ..metrics.groupings import MIN_GROUP_SIZE, Structure
from ..metrics.internal import Numbers, compare_numbers, representative, silhouettes
from . import limits
from .candidates import (
    DIRECT_VIEWS,
    Candidate,
    NullComparison,
    by_confirmation,
    clear_properties,
    clear_views,
    clearer_property,
    clearest_of_each,
    finest,
    similarity,
    without_source,
)
from .limits import THRESHOLDS, Thresholds
from .null import Null, default_range
from .null_samples import ViewFunction
from .options import Options, Range
from .sampling import subsample

Divided = Callable[[IntArray, int], IntArray | None]
"""``divided(items, n_groups)`` returns the groups of some items by the same rules, from 0, if groups are searched among so
many; None if they are one group."""


class Clear(NamedTuple):
    """Groups that are clearer than in data without groups, and the remaining candidates.

    Attributes
    ----------
    best : Candidate or None
        The groups to take; None where no view that votes shows any.
    voting, confirmed, properties : list of Candidate
        The others, without those that show what data without groups show too.
    """

    best: Candidate | None
    voting: list[Candidate]
    confirmed: list[Candidate]
    properties: list[Candidate]


@dataclass(eq=False)
class DecisionEvidence:
    """Evidence on distinct sequences.

    Attributes
    ----------
    sequences : SequenceSet or None
        As they are compared; None where only a matrix is known.
    views : mapping of str to ndarray, each of shape (N, N)
        Views that vote: what the measure is made of, by the names of measures; or the matrix by that of its own.
    square : callable
        ``square(items)`` is the matrix of some items.
    cuts : callable
        ``cuts(matrix, numbers)`` are its partitions.
    chance : callable
        ``chance(numbers, n_sets)`` compares partitions of the matrix with those of as many sets without clusters.
    compute : callable or None
        ``compute(sequences, names)`` are views of other sequences; None where these would take too long.
    auxiliary : mapping of str to ndarray, each of shape (N, N)
        Measures that have no part in the matrix. Their groups count where they are clearer than those of sequences
        without groups: alone, they would find groups where there are none.
    properties_may_decide : bool
        Whether groups by a property may be taken. Where a measure was named, they are named only.
    options : Options
        With the number of clusters, or its range, where these were given.
    thresholds : Thresholds
    divided : callable or None
        A second look: what some items fall into by themselves.
    fixed_draws : bool
        Whether data without groups depend on no seed, as in :class:`.null.Null`.
    """

    sequences: SequenceSet | None
    views: Mapping[str, FloatArray]
    square: Callable[[IntArray], FloatArray]
    cuts: Callable[[FloatArray, list[int]], list[IntArray]]
    chance: Callable[[Sequence[int], int], Numbers]
    compute: ViewFunction | None = None
    auxiliary: Mapping[str, FloatArray] = field(default_factory=dict)
    properties_may_decide: bool = True
    options: Options = field(default_factory=Options)
    thresholds: Thresholds = THRESHOLDS
    divided: Divided | None = None
    fixed_draws: bool = False

    # -- The question ------------------------------------------------------------------------------------------------

    @property
    def n_items(self) -> int:
        """Number of items."""
        return len(next(iter(self.views.values())))

    @property
    def is_given(self) -> bool:
        """Whether the number of groups was given."""
        return self.options.n_clusters is not None

    @cached_property
    def bounds(self) -> Range:
        """Smallest and largest number of groups searched for."""
        if self.options.n_clusters is not None:
            return self.options.n_clusters, self.options.n_clusters
        return self.options.n_range or default_range(self.n_items, self.options)

    @cached_property
    def all_alike(self) -> bool:
        """Whether all items are equal."""
        return not any(distance.any() for distance in self.views.values())

    # -- What views and properties show by themselves ----------------------------------------------------------------

    @cached_property
    def voting(self) -> list[Candidate]:
        """Clear groups of the voting views."""
        return clear_views(self.views, *self.bounds, self.options.threads)

    @cached_property
    def auxiliary_candidates(self) -> list[Candidate]:
        """Clear groups of the auxiliary views."""
        return self._of_more_than_still_columns(clear_views(self.auxiliary, *self.bounds, self.options.threads))

    @cached_property
    def all_properties(self) -> list[Candidate]:
        """Clear groups by properties, for each number of groups."""
        lacking = self.thresholds.lacking_share if self.is_given else 1.0
        found = clear_properties(self.sequences, *self.bounds, self.thresholds, self.options.threads, lacking)
        return self._of_more_than_still_columns(found)

    @cached_property
    def _still(self) -> list[IntArray]:
        """Groups by which columns are constant in a sequence: for each such column, and for all together."""
        if self.sequences is None or self.sequences.alphabet is not None:
            return []
        still = SequenceMoments.of(self.sequences).deviations == 0.0
        still = still[:, still.any(axis=0) & ~still.all(axis=0)]
        patterns = np.unique(still, axis=0, return_inverse=True)[1].reshape(-1) if still.size else still[:, :0]
        return [*still.T.astype(np.int64), patterns] if still.size else []

    def _of_more_than_still_columns(self, candidates: list[Candidate]) -> list[Candidate]:
        """Return candidates; with a given number, without those by constant columns, since a dead sensor is no group."""
        if not self.is_given or not self._still:
            return candidates

        def shows(candidate: Candidate) -> bool:
            labels = candidate.grouping.labels
            inside = labels >= 0
            return any(ari(labels[inside], still[inside]) >= self.thresholds.same_ari for still in self._still)

        return [entry for entry in candidates if not shows(entry)]

    @cached_property
    def properties(self) -> list[Candidate]:
        """Strengths in data without groups, one per property."""
        return clearest_of_each(self.all_properties)

    @cached_property
    def sources(self) -> list[Candidate]:
        """All views and properties that show clear groups, and so may confirm each other."""
        return [*self.voting, *self.auxiliary_candidates, *self.properties]

    @cached_property
    def confirmation(self) -> tuple[list[Candidate], list[Candidate]]:
        """Auxiliary candidates that another source confirms, and the others."""
        if not self.auxiliary_candidates:
            return [], []
        return by_confirmation(self.auxiliary_candidates, self.voting, self.sources, self.thresholds)

    @cached_property
    def clear(self) -> Clear:
        """Clearest groups of a voting view, or of a source that precedes it, that are clearer than in data without groups.

        Where the number is given, the groups are taken even if data without groups look as clear, and a property does not take the
        place of views of whole sequences that show as many groups.
        """
        voting, confirmed, properties = (
            [entry for entry in some if self.may_decide(entry)]
            for some in (self.voting, self.confirmation[0], self.properties if self.properties_may_decide else [])
        )
        while voting:
            alone = len(voting) == 1 and not confirmed
            best = voting[0] if alone else finest(voting, confirmed, self.sources, self.thresholds)
            best = self.clearer_property(best, properties)
            if self.is_given or self.null_comparison(best) != "like data without groups":
                return Clear(best, voting, confirmed, properties)
            voting, confirmed, properties = (
                without_source(best, some, self.thresholds) for some in (voting, confirmed, properties)
            )
        return Clear(None, voting, confirmed, properties)

    def may_decide(self, candidate: Candidate) -> bool:
        """Return whether groups may be accepted. With a given number, a few items against all others need support by the matrix.

        Who gives a number wants groups, and a few outliers of one view are none where all views together do not see them.
        """
        is_few = self.is_given and candidate.grouping.has_singletons
        return not is_few or self.supported([candidate]) is not None

    def clearer_property(self, best: Candidate, properties: Sequence[Candidate]) -> Candidate:
        """Return the property that shows related groups more clearly than a view, or else the view; with a given number, the view.

        Of recordings, whose hundred properties of coefficients nobody can name, one with as many groups does not move them.
        """
        if self.is_given:
            return best
        if self.sequences is not None and recording_info(self.sequences).from_files:
            properties = [entry for entry in properties if entry.grouping.n_clusters != best.grouping.n_clusters]
        return clearer_property(best, properties, self.thresholds)

    def unconfirmed(self, best: Candidate | None) -> list[Candidate]:
        """Auxiliary candidates that count without confirmation, in addition to accepted ones.

        Those that hardly ever show as much in data without groups, and where there are groups anyhow, those that neither align nor
        model. What is not new in addition to the groups taken needs no comparison.
        """
        entries = self.confirmation[1]
        if best is not None:
            different = self.thresholds.different_ari
            entries = [entry for entry in entries if similarity(entry.grouping, best.grouping) < different]
        there_are_groups = self.is_given or best is not None
        return [
            entry
            for entry in entries
            if (there_are_groups and entry.name in DIRECT_VIEWS) or self.is_significant_alone(entry)
        ]

    @cached_property
    def unconfirmed_without_groups(self) -> list[Candidate]:
        """As above, if no clear groups are accepted."""
        return self.unconfirmed(None)

    def firmly_auxiliary(self) -> Iterator[Candidate]:
        """Auxiliary candidates that need no support: confirmed ones, and those of views that neither align nor model."""
        yield from (entry for entry in self.clear.confirmed if self.is_significant_alone(entry))
        direct = (entry for entry in self.confirmation[1] if entry.name in DIRECT_VIEWS)
        yield from (entry for entry in direct if not entry.grouping.has_singletons and self.is_significant_alone(entry))

    def others_beside(self, best: Candidate | None) -> list[Candidate]:
        """Return candidates that may be named in addition to the accepted ones: views before properties."""
        unconfirmed = self.unconfirmed_without_groups if best is None else self.unconfirmed(best)
        direct_first = sorted(unconfirmed, key=lambda entry: entry.name not in DIRECT_VIEWS)
        firm = [entry for entry in self.properties if entry.is_strong(self.thresholds)]
        return [*self.clear.voting, *self.clear.confirmed, *direct_first, *firm]

    # -- Sequences without groups --------------------------------------------------------------------------------------

    @cached_property
    def null(self) -> Null | None:
        """Comparisons with sequences without groups; None if there are no sequences."""
        if self.sequences is None:
            return None
        return Null(self.sequences, self.compute, tuple(self.views), self.options, self.thresholds, self.fixed_draws)

    @cached_property
    def structure(self) -> Structure | None:
        """Whether voting views show more than in data without groups; None if the test would take too long."""
        if self.null is None or self.compute is None:
            return None
        return self.null.views(list(self.views), self.bounds[1])

    @cached_property
    def _null_comparisons(self) -> dict[tuple[str, int], NullComparison]:
        return {}

    def null_comparison(self, candidate: Candidate) -> NullComparison:
        """Return whether sequences without groups form groups as clear as those of one source."""
        key = candidate.name, candidate.grouping.n_clusters
        if key not in self._null_comparisons:
            self._null_comparisons[key] = "not compared" if self.null is None else self.null.null_comparison(candidate)
        return self._null_comparisons[key]

    def survives_phase_shift(self, candidate: Candidate) -> bool:
        """Return whether the groups of one source persist when each sequence starts at another moment.

        No objection where the number is given: who gives it says that there are groups.
        """
        if self.null is None or self.is_given:
            return True
        return self.null.survives_phase_shift(candidate.grouping.labels, [candidate.name], candidate.by_property)

    @cached_property
    def stands_out(self) -> bool:
        """Whether voting views show more than in data without groups, and some partition of the matrix persists."""
        return self.structure is not None and self.structure.stands_out and bool(self.lasting)

    def is_significant_alone(self, candidate: Candidate) -> bool:
        """Return whether data without groups rarely show as much in an auxiliary view, comparing its groups too."""
        if self.null is None or self.compute is None or not self.survives_phase_shift(candidate):
            return False
        most = default_range(self.n_items, self.options)[1]
        return self._noted(candidate, self.null.views([candidate.name], most, alone=True))

    def property_stands_out(self, candidate: Candidate) -> bool:
        """Return the same for the clearest property, relative to all properties."""
        assert self.null is not None
        return self.survives_phase_shift(candidate) and self._noted(candidate, self.null.properties(self.bounds[1]))

    def _noted(self, candidate: Candidate, found: Structure) -> bool:
        if found.stands_out:
            self._null_comparisons[candidate.name, candidate.grouping.n_clusters] = "distinct"
        return found.stands_out

    @cached_property
    def confirmed_and_distinct(self) -> list[Candidate]:
        """Confirmed candidates that data without groups rarely show.

        Levels of any size are a continuum, of which the level and an alignment may show the same pieces.
        """
        return [entry for entry in self.clear.confirmed if self.is_significant_alone(entry)]

    @cached_property
    def _apart(self) -> dict[bytes, bool]:
        return {}

    def falls_apart(self, labels: IntArray) -> bool:
        """Return whether groups are significant within one of several groups, largest first."""
        key = labels.tobytes()
        if key not in self._apart:
            self._apart[key] = self._stand_out_within(labels)
        return self._apart[key]

    def _stand_out_within(self, labels: IntArray) -> bool:
        assert self.null is not None
        for group in np.argsort(-np.bincount(labels[labels >= 0]), kind="stable"):
            members = np.flatnonzero(labels == group)
            if len(members) < 2 * MIN_GROUP_SIZE:
                return False
            most = default_range(len(members), self.options)[1]
            if self.null.within(members).views(list(self.views), most).stands_out:
                return True
        return False

    # -- A second look ---------------------------------------------------------------------------------------------------

    @cached_property
    def without_number(self) -> DecisionEvidence:
        """Evidence if the number is not given."""
        return replace(self, options=self.options.altered(n_clusters=None))

    @cached_property
    def clearest(self) -> Candidate | None:
        """Clear groups of a voting view, or of a source that needs no confirmation, if data without groups have none as clear."""
        if self.clear.best is not None:
            return self.clear.best
        firm = [entry for entry in self.clear.properties if entry.is_strong(self.thresholds)]
        some = [entry for entry in (*self.clear.confirmed, *firm) if not entry.grouping.has_singletons]
        return next((entry for entry in some if self.null_comparison(entry) == "distinct"), None)

    def within_fewer(self) -> IntArray | None:
        """With a given number: fewer clear groups, some divided further, to make that number in total; shape (N,).

        None where there are no such groups, or these are not so many. Of several ways, the largest groups are divided first.
        """
        number = self.options.n_clusters
        if number is None or number < 3 or self.divided is None or self.n_items < limits.LOOKED_INTO:
            return None
        best = self.without_number.clearest
        if best is None or best.grouping.n_clusters >= number:
            return None
        labels, missing = best.grouping.labels.copy(), number - best.grouping.n_clusters
        n_large = int(np.count_nonzero(np.bincount(labels[labels >= 0]) >= limits.LOOKED_INTO))
        for group in np.argsort(-np.bincount(labels[labels >= 0]), kind="stable"):
            members = np.flatnonzero(labels == group)
            if not missing or len(members) < limits.LOOKED_INTO:
                break
            parts = self.divided(members, n_large)
            if parts is not None and int(parts.max()) <= missing:
                missing -= int(parts.max())
                labels[members] = np.where(parts > 0, labels.max() + parts, labels[members])
        return labels if not missing else None

    # -- The matrix ------------------------------------------------------------------------------------------------------

    @cached_property
    def items(self) -> IntArray:
        """Items on which numbers of groups are compared: all, or a random sample of many."""
        return subsample(self.n_items, limits.MAX_COUNTED_ON, self.options.seed, "numbers")

    @cached_property
    def matrix(self) -> FloatArray:
        """The matrix of these items."""
        return self.square(self.items)

    @property
    def tried(self) -> list[int]:
        """Numbers of groups into which the matrix can be cut."""
        least, most = self.bounds
        return [number for number in range(least, most + 1) if number < len(self.items)]

    @cached_property
    def partitions(self) -> dict[int, IntArray]:
        """Partitions of the matrix, by the number of groups."""
        return dict(zip(self.tried, self.cuts(self.matrix, self.tried), strict=True)) if self.tried else {}

    @cached_property
    def lasting(self) -> dict[int, IntArray]:
        """Partitions whose groups persist when each sequence starts at another moment.

        They have to show as much then as the number that would be taken requires: small groups of chance always show a little.
        """
        if self.null is None or self.compute is None or self.is_given or not self.partitions:
            return self.partitions
        found = {}
        for number, cut in self._of_compared.items():
            labels = np.full(self.n_items, -1)
            labels[self.null.items] = cut
            found[number] = self.null.before_and_after(labels, list(self.views))
        first = found[representative(self.matrix, self.partitions, self.thresholds.number_margin).best][0]
        return {
            number: self.partitions[number]
            for number, (before, after) in found.items()
            if after >= self.thresholds.lasting * max(before, first)
        }

    @property
    def _of_compared(self) -> dict[int, IntArray]:
        """Partitions of the items compared with data without groups; for many items, others cut in the same way."""
        assert self.null is not None
        compared = self.null.items
        if np.isin(compared, self.items).all():
            places = np.searchsorted(self.items, compared)
            return {number: cut[places] for number, cut in self.partitions.items()}
        return dict(zip(self.partitions, self.cuts(self.square(compared), list(self.partitions)), strict=True))

    @cached_property
    def is_to_be_cut(self) -> bool:
        """Whether to cut the matrix if no source shows clear groups: its structure persists, or a range was given."""
        return self.stands_out or (self.structure is not None and self.options.n_range is not None)

    @cached_property
    def numbers(self) -> Numbers | None:
        """Evidence for each number of groups of the matrix; None if no number can be tried."""
        if not self.partitions or self.structure is None:
            return None
        numbers = representative(self.matrix, self._supported_by_views(self.partitions), self.thresholds.number_margin)
        if self.stands_out and not set(numbers.candidates) <= set(self.lasting):
            numbers = representative(self.matrix, self._supported_by_views(self.lasting), self.thresholds.number_margin)
        if not self.is_to_be_cut:
            numbers = numbers.none_stands_out()
        return numbers.tested(
            self.structure.p_value, self.structure.n_sets, self.structure.is_bound, self.structure.tops
        )

    def _supported_by_views(self, partitions: Mapping[int, IntArray]) -> Mapping[int, IntArray]:
        """Return partitions that the views themselves show, by mean silhouette; a fusion of symbols divides further."""
        if self.sequences is None or self.sequences.content_kind != "symbols":
            return partitions
        examined = np.ix_(self.items, self.items)
        scores = {
            number: float(np.mean([silhouettes(view[examined], labels).mean() for view in self.views.values()]))
            for number, labels in partitions.items()
        }
        largest = max(scores.values())
        least = min(self.thresholds.shown_by_views * largest, largest)
        return {number: partitions[number] for number, score in scores.items() if score >= least}

    @cached_property
    def curve(self) -> Numbers | None:
        """Silhouettes of numbers of groups for the page, if they decide nothing."""
        if not self.options.alternatives or self.n_items < 3:
            return None
        least, most = self.options.n_range or default_range(self.n_items, self.options)
        return compare_numbers(self.matrix, (), range(least, most + 1), self.cuts)

    def supported(self, candidates: Sequence[Candidate]) -> Candidate | None:
        """First candidate supported by the matrix: its groups are about as well separated in it as those of any cut."""
        if not candidates:
            return None
        square = self.matrix
        largest = max(float(silhouettes(square, cut).mean()) for cut in self.partitions.values())
        for entry in candidates:
            labels = entry.grouping.labels[self.items]
            inside = np.flatnonzero(labels >= 0)
            if not self.survives_phase_shift(entry):
                continue
            if len(np.unique(labels[inside])) == entry.grouping.n_clusters and (
                silhouettes(square[np.ix_(inside, inside)], labels[inside]).mean() >= self.thresholds.support * largest
            ):
                return entry
        return None
