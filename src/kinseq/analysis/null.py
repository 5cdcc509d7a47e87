"""The null hypothesis: what views and properties show of sequences of one process, in which there are no groups.

Such sequences are drawn from the given ones (:mod:`.surrogates`, :mod:`.splicing`), and compared under the same views.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil

import numpy as np

from ..core.arrays import FloatArray, IntArray
from ..core.progress import counter
from ..core.seeds import derive_seed
from ..core.sequences import SequenceSet
from ..features.frames import averaged
from ..features.properties import pairwise_gaps, properties
from ..metrics.groupings import LAST_SETS, MIN_GROUP_SIZE, Structure, of_labels, outdoes, strongest, structure
from . import limits
from .candidates import Candidate, Standing
from .limits import THRESHOLDS, Thresholds
from .options import Options, Range
from .sampling import subsample
from .surrogates import KINDS, begins_anywhere, spliced, surrogates

ViewFunction = Callable[[SequenceSet, Sequence[str]], Mapping[str, FloatArray]]
"""Views of other sequences, of the names that are given."""
ENDLESS = 10_000
"""Sets of one process that could be drawn."""


def default_range(n_items: int, options: Options) -> Range:
    """Lowest and highest number of groups that are looked for where nobody said."""
    # Clusters of fewer than three sequences on average are not worth suggesting.
    return 2, min(options.max_clusters, max(2, min(n_items, limits.MAX_COUNTED_ON) // MIN_GROUP_SIZE))


@dataclass(frozen=True)
class Null:
    """Comparisons of given sequences with sequences of one process.

    Attributes
    ----------
    sequences : SequenceSet
    compute : callable or None
        ``compute(sequences, names)`` are views of other sequences; None where these would take too long.
    voting : tuple of str
        Views that are fused where all of them are compared.
    options : Options
    thresholds : Thresholds
    """

    sequences: SequenceSet
    compute: ViewFunction | None
    voting: tuple[str, ...]
    options: Options
    thresholds: Thresholds = THRESHOLDS

    def within(self, members: IntArray) -> Null:
        """The same comparisons of some of the sequences."""
        return replace(self, sequences=self.sequences.subset(members))

    def views(self, names: Sequence[str], most: int, alone: bool = False, together: bool | None = None) -> Structure:
        """Whether some views show more than of sequences of one process; several also together. `alone`: an auxiliary view."""
        compute = self.compute
        assert compute is not None
        sample = self._sample()
        factor = _averaging(sample, self.thresholds.drawn_frames if alone else self.thresholds.null_frames)
        step = counter(self.options.progress, "sequences of one process", KINDS * LAST_SETS, "set")

        def some(sequences: SequenceSet) -> Mapping[str, FloatArray]:
            return compute(averaged(sequences, factor), names)

        references = self._references(some, sample, step)
        together = set(names) == set(self.voting) if together is None else together
        return structure(
            some(sample), references, min(most, len(sample) // MIN_GROUP_SIZE), together, KINDS, self.thresholds.level
        )

    def properties(self, most: int) -> Structure:
        """Whether properties show more than of sequences of one process."""

        def compute(items: SequenceSet) -> dict[str, FloatArray]:
            plain = properties(items)
            return {name: pairwise_gaps(plain.of(name)) for name in plain.names}

        sample = self.sequences.subset(self._items())
        references = self._references(compute, sample, None, same_lengths=False)
        fewest = min(most, self.thresholds.max_property_groups, len(sample) // MIN_GROUP_SIZE)
        return structure(compute(sample), references, fewest, fused=False, kinds=KINDS, level=self.thresholds.level)

    def standing(self, candidate: Candidate) -> Standing:
        """Whether sequences of one process fall into groups as clear as those of a candidate, under its view or property."""
        views = self.compute
        if views is None and not candidate.by_property:
            return "not compared"
        sample = self._sample()
        factor = 1 if candidate.by_property else _averaging(sample, self.thresholds.clear_frames)

        def compute(drawn: SequenceSet) -> FloatArray | None:
            some = averaged(drawn, factor)
            if candidate.by_property:
                return pairwise_gaps(properties(some).of(candidate.name))
            assert views is not None
            return views(some, [candidate.name]).get(candidate.name)

        shown = compute(sample)
        if shown is None:
            # Nothing is left to be seen of fewer frames.
            return "not compared"
        labels = candidate.grouping.labels[self._items()]
        counts = np.bincount(labels[labels >= 0], minlength=candidate.grouping.n_clusters)
        labels = np.where((labels >= 0) & (counts[labels] > 1), labels, -1)
        if np.unique(labels[labels >= 0]).size < 2:
            return "not compared"
        observed = of_labels(np.abs(shown), labels).strength
        most = default_range(len(self.sequences), self.options)[1]
        most = max(min(most, len(sample) // MIN_GROUP_SIZE), candidate.grouping.n_clusters)
        draw = spliced
        if not begins_anywhere(sample):
            # Pieces would make courses that no sequence has; combinations are of one amplitude, and may be two for an alignment.
            if not candidate.by_property:
                return "not compared"
            draw = surrogates
        seed = derive_seed(self.options.seed, "one process")
        sets = draw(sample, ENDLESS, seed, same_lengths=not candidate.by_property)
        shown_of_sets = (compute(drawn) for drawn in sets)
        lonely = candidate.grouping.is_lonely
        strengths = (0.0 if one is None else strongest(one, most, lonely) for one in shown_of_sets)
        return "distinct" if outdoes(observed, strengths) else "as one process"

    def _items(self) -> IntArray:
        return subsample(len(self.sequences), self.thresholds.null_sequences, self.options.seed, "one process")

    def _sample(self) -> SequenceSet:
        """Some of the sequences, with as many frames as sets of one process are drawn with."""
        some = self.sequences.subset(self._items())
        return averaged(some, _averaging(some, self.thresholds.drawn_frames))

    def _references(
        self,
        compute: Callable[[SequenceSet], Mapping[str, FloatArray]],
        sample: SequenceSet,
        step: Callable[[], None] | None,
        same_lengths: bool = True,
    ) -> Iterator[Mapping[str, FloatArray]]:
        # More than the most that any level asks for: they are drawn one by one, and only as many as are needed.
        for sequences in surrogates(sample, ENDLESS, derive_seed(self.options.seed, "one process"), same_lengths):
            yield compute(sequences)
            if step is not None:
                step()


def _averaging(sequences: SequenceSet, frames: int) -> int:
    """How many frames are averaged so that a sequence of median length has so many."""
    return ceil(float(np.median(sequences.lengths)) / frames)
