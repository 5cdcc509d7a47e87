"""The null hypothesis: strength of views and properties in sequences without groups.

Such sequences are drawn from the given ones (:mod:`.surrogates`, :mod:`.splicing`), and compared under the same views. All
questions are about the same sets (:mod:`.null_samples`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, count

import numpy as np

from ..core.arrays import FloatArray, IntArray
from ..core.jobs import ahead, in_threads
from ..core.ordering import steady_order
from ..core.progress import counter
from ..core.seeds import derive_seed
from ..core.sequences import SequenceSet
from ..features.frames import averaged, frames_to_average, middles
from ..features.properties import pairwise_gaps, properties
from ..metrics.groupings import (
    ENOUGH_DEVIATIONS,
    HOPELESS_SETS,
    LAST_SETS,
    MIN_GROUP_SIZE,
    MIN_NULL_SETS,
    Silhouettes,
    Structure,
    decided,
    max_strength,
    of_labels,
    outdoes,
    shown,
)
from . import limits
from .candidates import Candidate, NullComparison
from .limits import THRESHOLDS, Thresholds
from .null_samples import GIVEN, NullSamples, SampleKey, ViewFunction
from .null_sets import N_KINDS_OF_SETS, Source
from .options import Options, Range
from .sampling import subsample
from .surrogates import sets_of

N_MOVED = 3
"""Number of times sequences are restarted at other moments to see whether groups persist."""
MAY_END_AFTER = HOPELESS_SETS, *(sets for sets, _ in ENOUGH_DEVIATIONS)
"""Number of sets of each kind after which most comparisons end."""
FEW_THREADS = 4
"""Number of threads up to which no further set is started before it is known to be needed; more threads would be idle."""
SMALL_SETS, SMALL_CELLS = 50, 2e6
"""Number of sequences, and of pairs of frames in units of one feature, below which sets are compared one after another:
threads would mostly wait for the interpreter."""


def default_range(n_items: int, options: Options) -> Range:
    """Default smallest and largest number of groups."""
    # Do not suggest clusters of fewer than three sequences on average.
    return 2, min(options.max_clusters, max(2, min(n_items, limits.MAX_COUNTED_ON) // MIN_GROUP_SIZE))


@dataclass(frozen=True)
class Null:
    """Comparisons of given sequences with sequences without groups.

    Attributes
    ----------
    sequences : SequenceSet
    compute : callable or None
        ``compute(sequences, names)`` are views of other sequences, in one thread; None where these would take too long.
    voting : tuple of str
        Views that are fused where all of them are compared.
    options : Options
        With the number of threads that sets are compared in side by side; no answer depends on it.
    thresholds : Thresholds
    fixed_draws : bool
        Whether sets are drawn by one stream for all data, in a steady order of the sequences, so that neither a seed nor the last
        digits of the data have an influence.
    """

    sequences: SequenceSet
    compute: ViewFunction | None
    voting: tuple[str, ...]
    options: Options
    thresholds: Thresholds = THRESHOLDS
    fixed_draws: bool = False

    def within(self, members: IntArray) -> Null:
        """Return these comparisons for some of the sequences."""
        return replace(self, sequences=self.sequences.subset(members))

    def views(self, names: Sequence[str], most: int, alone: bool = False, together: bool | None = None) -> Structure:
        """Whether views, alone or together, show more than in sequences without groups. `alone`: an auxiliary view."""
        key = (tuple(names), most, alone, together)
        if key not in self._structures:
            self._structures[key] = self._of_views(names, most, alone, together)
        return self._structures[key]

    def _of_views(self, names: Sequence[str], most: int, alone: bool, together: bool | None) -> Structure:
        drawn, most = self._drawn, min(most, len(self.items) // MIN_GROUP_SIZE)
        factor = frames_to_average(
            drawn.given.lengths, self.thresholds.drawn_frames if alone else self.thresholds.null_frames
        )
        kinds = N_KINDS_OF_SETS if alone else drawn.n_kinds
        step = counter(self.options.progress, "sequences without groups", kinds * LAST_SETS, "set")
        fused = set(names) == set(self.voting) if together is None else together

        def of(place: SampleKey) -> Silhouettes:
            return shown(drawn.views(place, factor, names), most, fused)

        ends = self._pauses(tuple(1 + kinds * sets for sets in MAY_END_AFTER))
        with closing(ahead(of, chain([GIVEN], drawn.in_turn(kinds)), self._threads, ends)) as found:
            return decided(next(found), _counted(found, step), fused, kinds, self.thresholds.level)

    def properties(self, most: int) -> Structure:
        """Whether properties show more than in sequences without groups."""
        # Not means, which would remove fast changes.
        sample = middles(self.sequences.subset(self.items), self.thresholds.property_frames)
        sets = sets_of(sample, self._seed)
        fewest = min(most, self.thresholds.max_property_groups, len(sample) // MIN_GROUP_SIZE)

        def of(items: SequenceSet) -> Silhouettes:
            plain = properties(items)
            return shown({name: pairwise_gaps(plain.of(name)) for name in plain.names}, fewest, fused=False)

        others = (of(sets.drawn("for properties", number)) for number in count())
        return decided(of(sample), others, in_deviations=False, kinds=N_KINDS_OF_SETS, level=self.thresholds.level)

    def survives_phase_shift(self, labels: IntArray, names: Sequence[str], by_property: bool = False) -> bool:
        """Whether groups persist when each sequence starts at another moment; see :meth:`before_and_after`."""
        before, after = self.before_and_after(labels, names, by_property)
        return after >= self.thresholds.lasting * before

    def before_and_after(
        self, labels: IntArray, names: Sequence[str], by_property: bool = False
    ) -> tuple[float, float]:
        """Silhouettes of groups before and after each sequence starts at another moment.

        Machines of one period fall into groups by the moment at which they begin, and what is random into groups of what
        happened to happen. What is so of a sequence shows in each part of it. Where the time in a sequence has a meaning, and under
        views that show nothing of the groups, there is no telling: both are 0.

        Parameters
        ----------
        labels : ndarray, int64, shape (N,)
            Groups; -1 for none.
        names : sequence of str
            Views that show them, of which mean silhouettes are added up, or a property.
        by_property : bool

        Returns
        -------
        tuple of two floats
            Sums of mean silhouettes, each -1 to 1, over the views that show something of the groups as they are given.
        """
        key = (labels.tobytes(), *names)
        if key not in self._moved:
            self._moved[key] = self._before_and_after(labels, names, by_property)
        return self._moved[key]

    def _before_and_after(self, labels: IntArray, names: Sequence[str], by_property: bool) -> tuple[float, float]:
        drawn, some = self._drawn, _without_single(labels[self.items])
        if (
            not drawn.begin_anywhere
            or (self.compute is None and not by_property)
            or np.unique(some[some >= 0]).size < 2
        ):
            return 0.0, 0.0
        frames = self.thresholds.clear_frames if len(names) == 1 else self.thresholds.null_frames
        factor = frames_to_average(drawn.given.lengths, frames)

        def silhouettes(place: SampleKey) -> dict[str, float]:
            if by_property:
                plain = properties(drawn.sequences(place))
                views = {name: pairwise_gaps(plain.of(name)) for name in names}
            else:
                views = drawn.views(place, factor, names)
            return {name: of_labels(np.abs(view), some).silhouette for name, view in views.items()}

        before = {name: value for name, value in silhouettes(GIVEN).items() if value > 0.0}
        places = [SampleKey("moved", k) for k in range(N_MOVED)] if before else []
        moved = list(in_threads(silhouettes, places, self._threads))
        return sum(before.values()), sum(found.get(name, 0.0) for found in moved for name in before) / N_MOVED

    def null_comparison(self, candidate: Candidate) -> NullComparison:
        """Whether sequences without groups form groups as clear as those of a candidate, under its view or property."""
        if self.compute is None and not candidate.by_property:
            return "not compared"
        if not self.survives_phase_shift(candidate.grouping.labels, [candidate.name], candidate.by_property):
            return "like data without groups"
        drawn, by_property = self._drawn, candidate.by_property
        factor = frames_to_average(drawn.given.lengths, self.thresholds.clear_frames)

        def distances(place: SampleKey) -> FloatArray | None:
            if by_property:
                return pairwise_gaps(properties(drawn.sequences(place)).of(candidate.name))
            return drawn.views(place, factor, [candidate.name]).get(candidate.name)

        of_given = distances(GIVEN)
        if of_given is None:
            # Fewer frames would hide everything.
            return "not compared"
        labels = _without_single(candidate.grouping.labels[self.items])
        if np.unique(labels[labels >= 0]).size < 2:
            return "not compared"
        observed = of_labels(np.abs(of_given), labels).strength
        most = default_range(len(self.sequences), self.options)[1]
        most = max(min(most, len(self.items) // MIN_GROUP_SIZE), candidate.grouping.n_clusters)
        if drawn.begin_anywhere:
            source: Source = "spliced"
        elif by_property:
            source = "for properties"
        else:
            # Splicing would make courses that no sequence has. Combinations have one amplitude, and an alignment may
            # see two.
            return "not compared"
        lonely = candidate.grouping.has_singletons
        # Of symbols, each state has a property, and the clearest of them is the candidate.
        any_property = by_property and self.sequences.alphabet is not None
        kinds = N_KINDS_OF_SETS if any_property and not drawn.begin_anywhere else 1

        def strength(number: int) -> float:
            key = SampleKey(source, number, same_lengths=not by_property)
            if any_property:
                plain = properties(drawn.sequences(key))
                return max(max_strength(pairwise_gaps(plain.of(name)), most, lonely) for name in plain.names)
            one = distances(key)
            return 0.0 if one is None else max_strength(one, most, lonely)

        def outdone(kind: int) -> bool:
            numbers, ends = count(kind, kinds), self._pauses((MIN_NULL_SETS,))
            with closing(ahead(strength, numbers, self._threads, ends)) as strengths:
                return outdoes(observed, strengths, self.thresholds.level)

        return "distinct" if all(map(outdone, range(kinds))) else "like data without groups"

    @cached_property
    def _structures(self) -> dict[tuple[object, ...], Structure]:
        return {}

    @cached_property
    def _moved(self) -> dict[tuple[object, ...], tuple[float, float]]:
        return {}

    @cached_property
    def items(self) -> IntArray:
        """Sequences that are compared with sets without groups: a random sample of many."""
        some = subsample(len(self.sequences), self.thresholds.null_sequences, self._root, "one process")
        return steady_order(self.sequences)[some] if self.fixed_draws else some

    @property
    def _root(self) -> int:
        return 0 if self.fixed_draws else self.options.seed

    @cached_property
    def _threads(self) -> int:
        """Number of threads for comparing sets: the given one, but one for small sets."""
        n, sequences = len(self.items), self.sequences
        frames = min(float(np.median(sequences.lengths)), self.thresholds.null_frames)
        cells = 0.5 * (n * frames) ** 2 * (1.0 + sequences.n_features / 4.0)
        return 1 if n < SMALL_SETS and cells < SMALL_CELLS else self.options.threads

    def _pauses(self, after: tuple[int, ...]) -> tuple[int, ...]:
        """Number of sets, among those at which comparisons end, after which further ones start only if needed."""
        return after if self._threads <= FEW_THREADS else ()

    @cached_property
    def _seed(self) -> int:
        return derive_seed(self._root, "one process")

    @cached_property
    def _drawn(self) -> NullSamples:
        """A subset of the sequences with the number of frames used for sets without groups, and these sets."""
        some = self.sequences.subset(self.items)
        return NullSamples(
            averaged(some, frames_to_average(some.lengths, self.thresholds.drawn_frames)), self._seed, self.compute
        )


def _without_single(labels: IntArray) -> IntArray:
    """Groups without those of one item."""
    counts = np.bincount(labels[labels >= 0], minlength=int(labels.max(initial=0)) + 1)
    return np.where((labels >= 0) & (counts[labels] > 1), labels, -1)


def _counted(results: Iterator[Silhouettes], step: Callable[[], None] | None) -> Iterator[Silhouettes]:
    for result in results:
        yield result
        if step is not None:
            step()
