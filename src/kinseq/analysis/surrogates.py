"""Sequences without groups that otherwise resemble the given ones; true groups have to be clearer than in these.

Any measure finds some sequences nearer to each other than to the rest, and how much so depends on what it is made of: walks
end far apart, waves run round a circle, alignments bend. So the same measure is given sequences without groups. Each is a
random combination of some of the given ones, so that all are of one Gaussian process with the course and the correlations over time
and columns of the given ones together; its values are then put at the values that are there (heavy tails, two states), and
its level and spread are drawn from one Gaussian distribution as wide as that of the given ones, so that what varies from
sequence to sequence still varies, without gaps. What switches, or runs in cycles begun at any moment, has no such combination:
every other set is spliced from pieces of the given sequences instead (:mod:`.splicing`). Where the time in a sequence has
a meaning, as the hour of a day or the beginning of a gesture, pieces would make courses that no sequence has, with two peaks or
none: every other set is of combinations of few sequences there. What happens once at any time, as a step or a pulse, has no
combination either, which would have it several times: a third kind of sets has sequences between two given ones
(:mod:`.between`).

Pieces of one source resemble each other without any groups. So where sequences were cut from enough sources, whole sources are
combined: a source without groups is a random combination of given ones, each begun at a random piece, and its pieces are
combinations of theirs with the same weights.

Sources: Theiler et al. (1992), "Testing for nonlinearity in time series: the method of surrogate data"; Schreiber and
Schmitz (2000), "Surrogate time series"; Tibshirani, Walther and Hastie (2001) for the comparison of clusters with it.
"""

from __future__ import annotations

from functools import cached_property
from threading import Lock
from typing import Literal

import numpy as np

from ..core.arrays import FloatArray, IntArray
from ..core.seeds import stream
from ..core.sequences import SequenceSet
from ..core.system import one_thread
from ..features.frames import apply_stacked, stretched_stack, summarised, to_length
from .between import Between
from .markov_surrogates import MarkovSets
from .null_sets import N_KINDS_OF_SETS, NullSets, Source
from .piece_sources import dependent_sources
from .splicing import CONSTANT_DEVIATION, Splices, changes_once, is_stationary, unnamed

SOURCES, FEW_SOURCES = 8, 3
"""Number of sequences in a combination. With many, a local event is spread over all of them; with few, sequences that lie
between others are rare."""
MAX_STRETCHED_LENGTH = 2.0
"""Largest length of a stretched surrogate, relative to the longest given sequence."""
FAINT, TRIES = 0.7, 20
"""Root mean square of a combination, relative to the given ones, below which it is drawn again, and the number of tries:
among nearly equal sequences, such as waves of one period, some combinations cancel out and leave noise."""


Kind = Literal["of many", "of few", "between", "spliced"]
"""Methods of making courses: combinations of many or few sequences, courses between two, or spliced pieces."""


class Sets(NullSets):
    """Sets without groups for sequences of numbers.

    Sets are of two kinds, which take turns (:data:`.null_sets.N_KINDS_OF_SETS`). In one kind, courses are combinations of
    :data:`SOURCES` sequences, stretched to one length before they are combined and to their own length afterwards. In the other
    they are spliced from pieces, which run as fast as the given sequences do, switch as they do and are as far in their cycles; or,
    where the time in a sequence has a meaning (:func:`.splicing.is_stationary`), combinations of :data:`FEW_SOURCES`.
    Sets :meth:`between` given sequences are a third kind. Levels and spreads of combinations and pieces are combinations of many,
    or they would lie in groups. Columns are called as those of the given ones.

    The given sequences are in an order of content. Without `same_lengths` (those of the given ones, in another order), lengths are
    drawn from a Gaussian distribution of their logarithms, so that groups of lengths can be distinguished from lengths of any size.
    """

    def __init__(self, sequences: SequenceSet, seed: int) -> None:
        super().__init__(sequences, seed)
        self._process = _Process(sequences)
        self._making = Lock()

    @cached_property
    def begin_anywhere(self) -> bool:
        """Return whether absolute time within a sequence is irrelevant, so that spliced sequences resemble the given ones."""
        return is_stationary(self._process.one_length)

    def drawn(self, source: Source, k: int, same_lengths: bool = True) -> SequenceSet:
        """Return the k-th set of a source; see the methods of their names."""
        if source == "moved":
            return self.moved(k)
        if source == "for properties":
            return self.for_properties(k)
        draw = {"between": self.between, "spliced": self.spliced}.get(source, self.surrogate)
        return draw(k, same_lengths)

    def surrogate(self, k: int, same_lengths: bool = True) -> SequenceSet:
        """The k-th set, of the kind next in turn."""
        second: Kind = "spliced" if self.begin_anywhere else "of few"
        return self._drawn("surrogates", k, second if k % N_KINDS_OF_SETS else "of many", same_lengths)

    @cached_property
    def has_third_kind(self) -> bool:
        """Whether views that vote are compared with sets :meth:`between` given sequences, too, in which an event happens once.

        Where what happens once may happen at any moment, or what sequences deviate by from their common course may.
        """
        if self.begin_anywhere:
            return changes_once(self._process.one_length)
        return is_stationary(self._process.deviating.reshape(self._process.one_length.shape))

    def between(self, k: int, same_lengths: bool = True) -> SequenceSet:
        """The k-th set of sequences between given ones."""
        return self._drawn("between", k, "between", same_lengths)

    def for_properties(self, k: int) -> SequenceSet:
        """The k-th set that properties are compared with, of any lengths.

        Sequences between given ones take the turns of combinations of few: few of one group make a combination of that group.
        """
        if self.begin_anywhere or not k % N_KINDS_OF_SETS:
            return self.surrogate(k, same_lengths=False)
        return self.between(k // N_KINDS_OF_SETS, same_lengths=False)

    def spliced(self, k: int, same_lengths: bool = True) -> SequenceSet:
        """The k-th spliced set: its groups are as clear as those of a single process that switches, or runs in cycles."""
        return self._drawn("spliced", k, "spliced", same_lengths)

    @property
    def _unnamed(self) -> SequenceSet:
        return self._process.unnamed

    def _drawn(self, name: str, k: int, kind: Kind, same_lengths: bool) -> SequenceSet:
        if kind in ("spliced", "between"):
            with self._making:
                # Once, in the first thread that needs it.
                _ = self._process.splices if kind == "spliced" else self._process.between
        return self._process.draw(stream(self._seed, name, k), kind, same_lengths)


def sets_of(sequences: SequenceSet, seed: int) -> NullSets:
    """Return sets without groups for some sequences."""
    return Sets(sequences, seed) if sequences.alphabet is None else MarkovSets(sequences, seed)


class _Process:
    """Model of the given sequences: courses, levels, spreads and lengths."""

    def __init__(self, sequences: SequenceSet) -> None:
        arrays = list(sequences)
        floor = CONSTANT_DEVIATION * np.where(sequences.values.std(axis=0) > 0, sequences.values.std(axis=0), 1.0)
        deviations = np.maximum([frames.std(axis=0) for frames in arrays], floor)
        self.lengths = sequences.lengths
        self.uneven = bool(np.ptp(self.lengths) > 0)
        self.means = np.array([frames.mean(axis=0) for frames in arrays])
        self.spreads = np.log(deviations)
        self.courses = [(x - mean) / scale for x, mean, scale in zip(arrays, self.means, deviations, strict=True)]
        self.one_length = np.stack([to_length(x, int(np.median(self.lengths))) for x in self.courses])
        self.values = np.sort(np.concatenate(self.courses), axis=0)
        self.common = self.one_length.mean(axis=0)
        self.deviating = (self.one_length - self.common).reshape(len(arrays), -1)
        with one_thread():
            self.products = self.deviating @ self.deviating.T
        common = self.common.ravel()
        self.crossed, self.squared = self.deviating @ common, float(common @ common)
        self.enough = FAINT**2 * float(np.square(self.one_length).sum()) / len(arrays)
        self.sequences = sequences
        self.sources = dependent_sources(sequences)
        n_independent = len(self.sources) or len(arrays)
        self.scale = np.sqrt(n_independent / max(n_independent - 1, 1))
        # Properties are named after the kinds of columns, in surrogates too.
        self.unnamed = unnamed(sequences)

    @cached_property
    def splices(self) -> Splices:
        """Pieces of spliced sets; most stationarity tests need none."""
        return Splices(self.sequences)

    @cached_property
    def between(self) -> Between:
        """Pairs of sequences that are far apart, and courses between them."""
        return Between(self.sequences, self.one_length)

    def draw(self, random: np.random.Generator, kind: Kind, same_lengths: bool) -> SequenceSet:
        """Return one set."""
        weights = self._every_weight(random, SOURCES)
        lengths = (
            random.permutation(self.lengths) if same_lengths else self._lengths(weights, kind in ("spliced", "between"))
        )
        if kind == "spliced":
            return self.splices.drawn(lengths, weights, random)
        if kind == "between":
            return self.unnamed.with_frames(*self.between.drawn(lengths, random))
        few = kind == "of few"
        of_courses = self._every_weight(random, FEW_SOURCES) if few else weights
        courses = self._with_values(apply_stacked(self._stretched(of_courses, lengths), _unit))
        spreads = self._spreads(weights, courses)
        means = self.means.mean(axis=0) + weights @ (self.means - self.means.mean(axis=0))
        mean, factor = (np.repeat(rows, lengths, axis=0) for rows in (means, np.exp(spreads)))
        return courses.with_frames(mean + factor * courses.values)

    def _every_weight(self, random: np.random.Generator, most: int) -> FloatArray:
        """Weights of the given sequences in each surrogate, shape (N, N); for pieces, of whole sources."""
        if not self.sources:
            return np.array([self._weights(random, most) for _ in self.lengths])
        weights = np.zeros((len(self.lengths), len(self.lengths)))
        for own in self.sources:
            weights[own] = self._of_source(random, most, len(own))
        return weights

    def _of_source(self, random: np.random.Generator, most: int, n_pieces: int) -> FloatArray:
        """Weights of the pieces of one source, shape (`n_pieces`, N), except of sources that cancel out."""
        weights = np.zeros((n_pieces, len(self.lengths)))
        for _ in range(TRIES):
            weights[:] = 0.0
            chosen = random.permutation(len(self.sources))[:most]
            parts = random.normal(size=chosen.size)
            parts *= self.scale / np.sqrt(parts @ parts)
            for part, source in zip(parts, (self.sources[i] for i in chosen), strict=True):
                turned = (random.integers(len(source)) + np.arange(n_pieces)) % len(source)
                weights[np.arange(n_pieces), source[turned]] = part
            squares = np.einsum("ij,ij->i", weights @ self.products, weights)
            if self.squared + float((2.0 * weights @ self.crossed + squares).mean()) >= self.enough:
                break
        return weights

    def _weights(self, random: np.random.Generator, most: int) -> FloatArray:
        """Weights normalised to one length, so that no surrogate is larger by chance, except those that cancel out."""
        n = len(self.lengths)
        weights = np.zeros(n)
        for _ in range(TRIES):
            weights = np.zeros(n)
            sources = random.permutation(n)[:most]
            weights[sources] = random.normal(size=sources.size)
            weights *= self.scale / np.sqrt(weights @ weights)
            crossed = float(weights @ self.crossed)
            if self.squared + 2.0 * crossed + float(weights @ self.products @ weights) >= self.enough:
                break
        return weights

    def _lengths(self, weights: FloatArray, is_spliced: bool) -> IntArray:
        if not self.uneven:
            return self.lengths
        logs = np.log(self.lengths)
        lengths = np.exp(logs.mean() + weights @ (logs - logs.mean()))
        most = self.lengths.max() * (1.0 if is_spliced else MAX_STRETCHED_LENGTH)
        return np.clip(np.rint(lengths), 2, max(most, 2)).astype(np.int64)

    def _stretched(self, weights: FloatArray, lengths: IntArray) -> SequenceSet:
        # Sets are drawn side by side: with threads of its own in each of these, a product takes ten times as long.
        with one_thread():
            mixed = weights @ self.deviating
        courses = self.common + mixed.reshape(self.one_length.shape)
        offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        values = np.empty((int(offsets[-1]), courses.shape[2]))
        for length in np.unique(lengths):
            members = np.flatnonzero(lengths == length)
            values[offsets[members, None] + np.arange(length)] = stretched_stack(courses[members], int(length))
        return self.unnamed.with_frames(values, offsets)

    def _quantiles(self, count: int) -> FloatArray:
        """Evenly spaced quantiles of the given values, `count` of them, shape (`count`, d)."""
        places, ranks = ((np.arange(n) + 0.5) / n for n in (len(self.values), count))
        return np.stack([np.interp(ranks, places, column) for column in self.values.T], axis=1)

    @cached_property
    def _at_own_ranks(self) -> FloatArray:
        """As above at as many ranks as there are values, computed once."""
        return self._quantiles(len(self.values))

    def _with_values(self, courses: SequenceSet) -> SequenceSet:
        """Return values replaced by the given ones of equal rank, with means removed."""
        count = len(courses.values)
        at_ranks = self._at_own_ranks if count == len(self.values) else self._quantiles(count)
        every = np.empty_like(courses.values)
        for column, values in enumerate(courses.values.T):
            every[np.argsort(values, kind="stable"), column] = at_ranks[:, column]
        return apply_stacked(courses.with_frames(every), lambda frames: frames - frames.mean(axis=-2, keepdims=True))

    def _spreads(self, weights: FloatArray, courses: SequenceSet) -> FloatArray:
        """Return log scales of courses: a Gaussian supplies the variation that their own deviations lack."""
        own = np.log(np.maximum(summarised(courses, lambda frames: frames.std(axis=-2)), CONSTANT_DEVIATION))
        there = self.spreads.var(axis=0)
        missing = np.sqrt(np.clip(1.0 - own.var(axis=0) / np.where(there > 0, there, 1.0), 0.0, 1.0))
        mean = self.spreads.mean(axis=0)
        return np.asarray(mean - own.mean(axis=0) + missing * (weights @ (self.spreads - mean)))


def _unit(course: FloatArray) -> FloatArray:
    """Return courses, shape (..., T, d), with mean 0 and deviation 1 in every column; constant columns become 0."""
    centred = course - course.mean(axis=-2, keepdims=True)
    scale = centred.std(axis=-2, keepdims=True)
    return np.asarray(centred / np.where(scale > CONSTANT_DEVIATION, scale, 1.0))
