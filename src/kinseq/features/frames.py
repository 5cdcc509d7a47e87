"""Features computed from frames: increments, differences, one length, and normalisation per sequence or per set.

Every function takes one ``(T, d)`` array, a list of them or a :class:`~kinseq.core.sequences.SequenceSet`, and returns the
same kind. Nothing looks across the border between two sequences, except :func:`scale`, whose very point it is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import Any, Literal, TypeVar, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.arrays import FloatArray, IntArray, as_count, as_frames
from ..core.errors import DataError, ParameterError, is_one_of, unknown_name
from ..core.sequences import SequenceSet, as_sequence_set
from ..core.wording import count

Frames = TypeVar("Frames", bound=SequenceSet | ArrayLike | Sequence[ArrayLike])
PerSequence = Literal["none", "mean", "mean_variance"]
PerSet = Literal["none", "zscore"]

CONSTANT_SHARE = 1e-12
"""Deviation, relative to its magnitude, below which a column varies by rounding only."""
KEPT_FRAMES = 1000
"""Largest length whose stretching weights are cached; sets without groups reuse them."""
EXTREME_SHARE, USUAL_REACH = 0.01, 3.0
"""Share of the frames on each side outside the usual range, and distance from its middle, in half-ranges, up to which
values are kept."""
GLITCH_FRAMES = 3
"""Longest glitch in frames; longer unusual stretches belong to the course."""
OFTEN = 0.5
"""Share of the sequences above which unusual values of a feature belong to it."""
# Share of the deviation of a column, given the others, that rounding to single precision leaves.
_DEPENDENT_SHARE = 1e-6


def is_single(sequences: Any) -> bool:
    """Return whether `sequences` is one ``(T, d)`` array rather than a list, an ``(N, T, d)`` array or a set."""
    return isinstance(sequences, np.ndarray) and sequences.dtype != object and sequences.ndim != 3


def apply_each(sequences: Frames, function: Callable[[FloatArray, str], FloatArray]) -> Frames:
    """Apply ``function(frames, name)`` to every sequence and return the kind of collection given."""
    if is_single(sequences):
        return cast(Frames, function(as_frames(cast(ArrayLike, sequences), "sequence"), "sequence"))
    sequence_set = as_sequence_set(cast("SequenceSet | Sequence[ArrayLike]", sequences))
    results = [
        function(frames, f"{sequence_set.name}: sequence {str(sequence_set.ids[i])!r}")
        for i, frames in enumerate(sequence_set)
    ]
    if not isinstance(sequences, SequenceSet):
        return cast(Frames, results)
    offsets = np.concatenate([[0], np.cumsum([len(result) for result in results])]).astype(np.int64)
    return cast(Frames, sequence_set.with_frames(np.concatenate(results), offsets))


def apply_stacked(sequences: Frames, function: Callable[[FloatArray], FloatArray]) -> Frames:
    """As above for a function of arrays of shape (..., T, d) that treats sequences independently.

    Sequences of one length go through it together, since a call for each of many would take longer than the arithmetic. The
    numbers are those of one call each, to the last bit.
    """
    if not isinstance(sequences, SequenceSet):
        return apply_each(sequences, lambda frames, _: function(frames))
    lengths = sequences.lengths
    groups = [(members, function(frames)) for members, frames in stacks(sequences)]
    after = np.empty_like(lengths)
    for members, results in groups:
        after[members] = results.shape[1]
    offsets = np.concatenate([[0], np.cumsum(after)]).astype(np.int64)
    values = np.empty((int(offsets[-1]), groups[0][1].shape[2]))
    for members, results in groups:
        values[offsets[members, None] + np.arange(results.shape[1])] = results
    return cast(Frames, sequences.with_frames(values, offsets))


def stacks(sequences: SequenceSet) -> Iterator[tuple[IntArray, FloatArray]]:
    """Yield sequences of equal length together: their positions, shape (n,), and frames, shape (n, T, d)."""
    lengths, starts = sequences.lengths, sequences.offsets[:-1]
    for length in np.unique(lengths):
        members = np.flatnonzero(lengths == length)
        yield members, sequences.values[starts[members, None] + np.arange(length)]


def summarised(sequences: SequenceSet, function: Callable[[FloatArray], FloatArray]) -> FloatArray:
    """Apply a function of arrays of shape (n, T, d) to each sequence; one row each, in order."""
    found = [(members, function(frames)) for members, frames in stacks(sequences)]
    out = np.empty((len(sequences), *found[0][1].shape[1:]))
    for members, rows in found:
        out[members] = rows
    return out


def delta(sequences: Frames, width: int = 2) -> Frames:
    """Increments of every feature: the slope of a regression line through ``2 width + 1`` frames.

    ``d_t = sum_k k (x_{t+k} - x_{t-k}) / (2 sum_k k^2)``, k = 1 .. `width`. Beyond its ends a sequence is continued
    with its first and last frame, as in HTK, so that the number of frames stays the same; a single frame has increment
    0.

    Parameters
    ----------
    sequences : ndarray of shape (T, d), list of such, or SequenceSet
        Frames.
    width : int
        Half-width of the regression window in frames, at least 1; 2 is HTK's default.

    Returns
    -------
    same kind as `sequences`
        Increments per frame, in the unit of the features.

    Raises
    ------
    ParameterError
        If `width` is not a whole number of at least 1.
    DataError
        If a sequence is empty, not two-dimensional or not finite.

    Notes
    -----
    Source: the "increments" of 2011 thesis, Appendix D.3, with the formula of HTK, which the thesis names as its tool.
    """
    half = as_count(width, "width")
    steps = np.arange(1, half + 1)

    def slope(frames: FloatArray, starts: IntArray, stops: IntArray) -> FloatArray:
        """Increments of concatenated frames, each within the sequence from `starts` to `stops`."""
        place, total = np.arange(len(frames)), np.zeros_like(frames)
        for k in steps:
            total += k * (frames[np.minimum(place + k, stops - 1)] - frames[np.maximum(place - k, starts)])
        return np.asarray(total / (2.0 * float((steps**2).sum())))

    if isinstance(sequences, SequenceSet):
        ends = (np.repeat(end, sequences.lengths) for end in (sequences.offsets[:-1], sequences.offsets[1:]))
        return cast(Frames, sequences.with_frames(slope(sequences.values, *ends)))
    none = np.zeros(1, dtype=np.int64)
    return apply_each(sequences, lambda frames, _: slope(frames, none, none + len(frames)))


def with_changes(names: Sequence[str], deltas: int) -> list[str]:
    """Return names of columns followed by those of their increments up to an order."""
    before = ["", "change of ", "second change of "]
    return [f"{before[min(k, 2)]}{name}" for k in range(deltas + 1) for name in names]


def difference(sequences: Frames, order: int = 1) -> Frames:
    """Return differences of consecutive frames, ``x_{t+1} - x_t``, applied `order` times.

    Parameters
    ----------
    sequences : ndarray of shape (T, d), list of such, or SequenceSet
        Frames; every sequence needs more than `order` of them.
    order : int
        How many times to difference, at least 1.

    Returns
    -------
    same kind as `sequences`
        Each sequence has ``T - order`` frames.

    Raises
    ------
    DataError
        If a sequence has too few frames; it is named.

    Notes
    -----
    Source: the first-order derivative taken of the EEG recordings in the 2011 thesis, Appendix D.1.
    """
    times = as_count(order, "order")

    def differ(frames: FloatArray, where: str) -> FloatArray:
        if len(frames) <= times:
            raise DataError(
                f"{where}: has {count(len(frames), 'frame')}, a difference of order {times} needs at least {times + 1};"
                " leave it out or lower the order"
            )
        return np.diff(frames, n=times, axis=0)

    return apply_each(sequences, differ)


def normalise(sequences: Frames, method: PerSequence = "mean_variance") -> Frames:
    """Normalise every sequence by its own statistics (per utterance).

    Parameters
    ----------
    sequences : ndarray of shape (T, d), list of such, or SequenceSet
        Frames.
    method : {"none", "mean", "mean_variance"}
        ``"mean"`` subtracts the mean of each feature over the sequence (cepstral mean normalisation),
        ``"mean_variance"`` then divides by the standard deviation (1/T). A feature that is constant within a sequence
        becomes 0.

    Returns
    -------
    same kind as `sequences`

    Raises
    ------
    ParameterError
        If `method` is unknown.
    """
    methods = ("none", "mean", "mean_variance")
    if not is_one_of(method, methods):
        raise ParameterError(unknown_name("normalisation", method, methods))

    def normal(frames: FloatArray) -> FloatArray:
        if method == "none":
            return frames
        mean, deviation = (moment[..., None, :] for moment in moments(frames))
        centred = frames - mean
        if method == "mean":
            return np.asarray(centred)
        return np.where(deviation > 0.0, centred / np.where(deviation > 0.0, deviation, 1.0), 0.0)

    return apply_stacked(sequences, normal)


def median_length(sequences: SequenceSet) -> int:
    """Median number of frames of the sequences of a set, rounded down."""
    return int(np.median(sequences.lengths))


def to_length(sequences: Frames, length: int) -> Frames:
    """Stretch or shorten every sequence to one length by linear interpolation.

    Parameters
    ----------
    sequences : ndarray of shape (T, d), list of such, or SequenceSet
        Frames.
    length : int
        Number of frames that each has afterwards, at least 1: evenly spaced from its first frame to its last. Of a length of
        1 that is the first.

    Returns
    -------
    same kind as `sequences`
        A set of sequences that have that length already is returned as it is. A single frame is repeated.

    Raises
    ------
    ParameterError
        If `length` is not a whole number of at least 1.
    """
    frames_each = as_count(length, "length")
    if isinstance(sequences, SequenceSet) and (sequences.lengths == frames_each).all():
        return sequences
    return apply_stacked(sequences, lambda frames: stretched_stack(frames, frames_each))


def stretched_stack(frames: FloatArray, length: int) -> FloatArray:
    """Stretch several sequences of one length: from shape (..., T, d) to (..., `length`, d)."""
    n = frames.shape[-2]
    if n == 1:
        return np.repeat(frames, length, axis=-2)
    before, after, step, way = (_grid if max(n, length) <= KEPT_FRAMES else _grid.__wrapped__)(n, length)
    left = frames[..., before, :]
    slope = (frames[..., after, :] - left) / step
    return np.asarray(slope * way + left)


@lru_cache(maxsize=256)
def _grid(n: int, length: int) -> tuple[IntArray, IntArray, FloatArray, FloatArray]:
    """Return for each of `length` positions the two frames around it, their distance, and the offset from the first."""
    grid, places = np.linspace(0.0, 1.0, length), np.linspace(0.0, 1.0, n)
    before = np.minimum(np.searchsorted(places, grid, side="right") - 1, n - 1)
    after = np.minimum(before + 1, n - 1)
    step = np.where(after > before, places[after] - places[before], 1.0)[:, None]
    return before, after, step, (grid - places[before])[:, None]


def frames_to_average(lengths: IntArray, most: int | None) -> int:
    """Return the number of frames averaged into one so that a sequence of median length keeps at most `most`; None keeps all."""
    return 1 if most is None else max(1, math.ceil(float(np.median(lengths)) / most))


def averaged(sequences: Frames, factor: int) -> Frames:
    """Return sequences in which every `factor` frames, and the remaining ones, are replaced by their mean.

    A sequence of no more than `factor` frames is halved, so that it keeps a course. Symbols have no means, and stay as they are.
    """
    if factor == 1 or (isinstance(sequences, SequenceSet) and sequences.alphabet is not None):
        return sequences

    def shorter(frames: FloatArray, starts: IntArray) -> FloatArray:
        counts = np.diff(np.append(starts, len(frames)))
        return np.asarray(np.add.reduceat(frames, starts, axis=0) / counts[:, None])

    if isinstance(sequences, SequenceSet):
        lengths = sequences.lengths
        short = (lengths > 1) & (lengths <= factor)
        numbers = np.where(short, 2, -(-lengths // factor))
        offsets = np.concatenate([[0], np.cumsum(numbers)]).astype(np.int64)
        within = np.arange(offsets[-1]) - np.repeat(offsets[:-1], numbers)
        starts = (
            np.repeat(sequences.offsets[:-1], numbers)
            + np.repeat(np.where(short, lengths // 2, factor), numbers) * within
        )
        return cast(Frames, sequences.with_frames(shorter(sequences.values, starts), offsets))
    return apply_each(
        sequences,
        lambda frames, _: shorter(
            frames,
            np.arange(0, len(frames), factor) if not 1 < len(frames) <= factor else np.array([0, len(frames) // 2]),
        ),
    )


def middles(sequences: SequenceSet, most: int) -> SequenceSet:
    """Return sequences with those of more than `most` frames cut to as many in their middle."""
    if not (sequences.lengths > most).any():
        return sequences
    lengths = np.minimum(sequences.lengths, most)
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    first = sequences.offsets[:-1] + (sequences.lengths - lengths) // 2
    return sequences.with_frames(
        sequences.values[np.arange(offsets[-1]) + np.repeat(first - offsets[:-1], lengths)], offsets
    )


@dataclass(frozen=True)
class Scaling:
    """Shift and scale per feature, fitted on one set and applied to any other.

    Attributes
    ----------
    shift : ndarray, shape (d,)
        Subtracted from each feature, in its unit.
    scale : ndarray, shape (d,)
        Then divided by; positive.
    """

    shift: FloatArray
    scale: FloatArray

    def apply(self, sequences: Frames) -> Frames:
        """Shift and scale `sequences`; returns the kind of collection given.

        Raises
        ------
        DataError
            If the number of features differs from that of the set it was fitted on.
        """

        def scaled(frames: FloatArray, where: str) -> FloatArray:
            if frames.shape[1] != self.shift.size:
                raise DataError(
                    f"{where}: has {count(frames.shape[1], 'feature')} but the scaling was fitted on {self.shift.size};"
                    " give sequences of the same kind"
                )
            return np.asarray((frames - self.shift) / self.scale)

        if isinstance(sequences, SequenceSet):
            # Each frame separately, whichever sequence it belongs to.
            values = scaled(sequences.values, f"{sequences.name}: sequence {str(sequences.ids[0])!r}")
            return cast(Frames, sequences.with_frames(values))
        return apply_each(sequences, scaled)


def fit_scaling(sequences: SequenceSet | Sequence[ArrayLike] | ArrayLike, method: PerSet = "zscore") -> Scaling:
    """Fit the scaling of a whole set, to apply to that set and to later sequences.

    Parameters
    ----------
    sequences : ndarray of shape (T, d), list of such, or SequenceSet
        Frames; all of them count alike, so longer sequences weigh more.
    method : {"none", "zscore"}
        ``"zscore"`` takes mean and standard deviation (1/n) of each feature over all frames; a constant feature is
        shifted to 0 and left unscaled. ``"none"`` changes nothing.

    Returns
    -------
    Scaling
    """
    if not is_one_of(method, ("none", "zscore")):
        raise ParameterError(unknown_name("scale", method, ("none", "zscore")))
    if is_single(sequences):
        values = as_frames(cast(FloatArray, sequences), "sequence")
    else:
        values = as_sequence_set(cast("SequenceSet | Sequence[ArrayLike]", sequences)).values
    if method == "none":
        return Scaling(np.zeros(values.shape[1]), np.ones(values.shape[1]))
    mean, deviation = moments(values)
    return Scaling(mean, np.where(deviation > 0.0, deviation, 1.0))


def scale(sequences: Frames, method: PerSet = "zscore") -> Frames:
    """Scale every feature by its statistics over the whole set; see :func:`fit_scaling` for the methods.

    Returns
    -------
    same kind as `sequences`
    """
    fitted = fit_scaling(sequences, method)
    return sequences if method == "none" else fitted.apply(sequences)


@dataclass(frozen=True)
class SequenceMoments:
    """Moments of each of N sequences, which combine to those of any subset.

    Sums over sequences are exact before they are rounded once, so that they do not depend on the order of the sequences or on
    the blocks in which they came.

    Attributes
    ----------
    lengths : ndarray, shape (N,), int64
        Number of frames of each.
    means, deviations : ndarray, shape (N, d)
        Of each feature, over the frames of each sequence (1/T); a deviation is 0 where only rounding varies.
    low, high : ndarray, shape (N, d)
        Least and largest value of each feature in each.
    """

    lengths: IntArray
    means: FloatArray
    deviations: FloatArray
    low: FloatArray
    high: FloatArray

    @classmethod
    def of(cls, sequences: SequenceSet) -> SequenceMoments:
        """Return the moments of the sequences of a set."""
        both = summarised(sequences, lambda frames: np.stack(moments(frames), axis=1))
        values, starts = sequences.values, sequences.offsets[:-1]
        low, high = (extreme.reduceat(values, starts, axis=0) for extreme in (np.minimum, np.maximum))
        return cls(sequences.lengths, both[:, 0], both[:, 1], low, high)

    @classmethod
    def joined(cls, blocks: Sequence[SequenceMoments]) -> SequenceMoments:
        """Return the moments of sequences that came in blocks."""
        return cls(*(np.concatenate([getattr(block, name.name) for block in blocks]) for name in fields(cls)))

    def subset(self, positions: IntArray) -> SequenceMoments:
        """Return the moments of a subset."""
        return SequenceMoments(*(getattr(self, entry.name)[positions] for entry in fields(self)))

    def beyond(self, limits: FloatArray) -> NDArray[np.bool_]:
        """Return whether each sequence has a value of each feature beyond its `limits`, shape (2, d); shape (N, d)."""
        return np.asarray((self.low < limits[0]) | (self.high > limits[1]))

    def replaced(self, positions: IntArray, others: SequenceMoments) -> SequenceMoments:
        """Return the moments with those of some sequences replaced by `others`."""
        rest = np.setdiff1d(np.arange(len(self.lengths)), positions)
        back = np.argsort(np.concatenate([rest, positions]), kind="stable")
        return SequenceMoments.joined([self.subset(rest), others]).subset(back)

    def pooled(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return mean and deviation (1/n) of each feature over all frames, and the share of the variance between sequences.

        All of shape (d,). A deviation is exactly 0 where only rounding varies, and so is the share.
        """
        low, high = self.low.min(axis=0), self.high.max(axis=0)
        unit = _unit(np.maximum(np.abs(low), np.abs(high)))
        lengths, total = self.lengths[:, None], float(self.lengths.sum())
        means = self.means / unit
        mean = _exact_sums(lengths * means) / total
        between = _exact_sums(lengths * np.square(means - mean)) / total
        variance = between + _exact_sums(lengths * np.square(self.deviations / unit)) / total
        still = low == high
        deviation = np.where(still | (variance <= CONSTANT_SHARE**2), 0.0, np.sqrt(variance))
        share = np.where(deviation > 0.0, between / np.where(deviation > 0.0, variance, 1.0), 0.0)
        return np.where(still, low, mean * unit), deviation * unit, share


def usual_limits(values: FloatArray) -> FloatArray:
    """Return the smallest and largest usual value of each feature of frames of shape (T, d); shape (2, d).

    Those are :data:`USUAL_REACH` half-ranges from the middle of all but the most extreme frames (:data:`EXTREME_SHARE` on each
    side): far beyond what courses reach. A feature that most frames do not change has none.
    """
    low, high = np.quantile(values, [EXTREME_SHARE, 1.0 - EXTREME_SHARE], axis=0)
    reach = np.where(high > low, USUAL_REACH * 0.5 * (high - low), np.inf)
    return np.stack([0.5 * (low + high) - reach, 0.5 * (low + high) + reach])


def without_glitches(sequences: SequenceSet) -> SequenceSet:
    """Interpolate glitches: up to :data:`GLITCH_FRAMES` frames beyond the limits of the set.

    They also lie far beyond the other values of their sequence (:data:`USUAL_REACH`).
    Lines go from the frame before to the one after, in the column that is beyond; at an end of a sequence the nearest frame counts.
    """
    if sequences.limits is None:
        return sequences
    low, high = sequences.limits
    beyond, values = (sequences.values < low) | (sequences.values > high), sequences.values.copy()
    for i in np.unique(np.searchsorted(sequences.offsets, np.flatnonzero(beyond.any(axis=1)), side="right") - 1):
        rows = slice(sequences.offsets[i], sequences.offsets[i + 1])
        for j in np.flatnonzero(beyond[rows].any(axis=0)):
            bad = _glitches(values[rows, j], beyond[rows, j])
            if bad.any() and not bad.all():
                values[rows, j][bad] = np.interp(np.flatnonzero(bad), np.flatnonzero(~bad), values[rows, j][~bad])
    return replace(sequences.with_frames(values), limits=None)


def _glitches(course: FloatArray, beyond: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which values of a course beyond the limits are glitches.

    They are few in a row, and as far from the other values as :data:`USUAL_REACH` says: the peaks of a course that swings widely
    are none.
    """
    bad = np.zeros(len(course), dtype=bool)
    if beyond.all():
        return bad
    low, high = course[~beyond].min(), course[~beyond].max()
    far = np.abs(course - 0.5 * (low + high)) > USUAL_REACH * 0.5 * (high - low)
    for start, end in np.flatnonzero(np.diff(np.concatenate([[False], beyond, [False]]).astype(np.int8))).reshape(
        -1, 2
    ):
        bad[start:end] = end - start <= GLITCH_FRAMES and far[start:end].all()
    return bad


def _exact_sums(terms: FloatArray) -> FloatArray:
    """Return the sum of each column, rounded once."""
    return np.array([math.fsum(column) for column in terms.T.tolist()])


def deviations(frames: FloatArray) -> FloatArray:
    """Return the standard deviation (1/T) of each feature of frames of shape (T, d), 0 if only rounding varies; shape (d,)."""
    return moments(frames)[1]


def varies(frames: FloatArray) -> NDArray[np.bool_]:
    """Return whether each feature of frames of shape (T, d) varies by more than rounding; shape (d,)."""
    return np.asarray(deviations(frames) > 0.0)


def adds(frames: FloatArray) -> NDArray[np.bool_]:
    """Return whether each feature is linearly independent of those before it.

    Parameters
    ----------
    frames : ndarray, shape (T, d)

    Returns
    -------
    ndarray of bool, shape (d,)
        All of them where there are no more different frames than features and one: of so few, any feature is a sum of
        others. A feature that does not vary adds, see :func:`varies`.
    """
    adding = np.ones(frames.shape[1], dtype=bool)
    mean, deviation = moments(frames)
    changing = np.flatnonzero(deviation > 0.0)
    if len(frames) <= len(adding) + 1 or changing.size < 2:
        return adding
    # The common part of the features is in the triangle, whose columns have length 1.
    scaled = (frames[:, changing] - mean[changing]) / deviation[changing]
    triangle = np.linalg.qr(scaled, mode="r") / np.sqrt(len(frames))
    basis = np.zeros((changing.size, 0))
    for column, residual in zip(changing, triangle.T, strict=True):
        for _ in range(2):  # a second pass removes rounding errors
            residual = residual - basis @ (basis.T @ residual)
        size = float(np.linalg.norm(residual))
        adding[column] = size > _DEPENDENT_SHARE
        if adding[column]:
            basis = np.column_stack([basis, residual / size])
    # Equal frames count once, so that a few values do not look like structure.
    return adding if adding.all() or len(np.unique(frames, axis=0)) > len(adding) + 1 else np.ones_like(adding)


def moments(values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the mean and standard deviation (1/n) of each column; the deviation is exactly 0 if only rounding varies."""
    unit = _unit(np.abs(values).max(axis=-2))
    inner = values / unit[..., None, :]
    mean = inner.mean(axis=-2)
    deviation = np.sqrt(np.square(inner - mean[..., None, :]).mean(axis=-2))
    # The mean of equal values is off by their number of roundings at most: most calls need not look for such columns.
    if (deviation <= max(CONSTANT_SHARE, 4.0 * values.shape[-2] * np.finfo(float).eps)).any():
        still = np.ptp(inner, axis=-2) == 0.0
        deviation = np.where(still | (deviation <= CONSTANT_SHARE), 0.0, deviation)
        mean = np.where(still, inner[..., 0, :], mean)
    return np.asarray(mean * unit), np.asarray(deviation * unit)


def _unit(peak: FloatArray) -> FloatArray:
    """Return powers of two near the largest entries, which keep sums and squares in range without rounding."""
    return np.asarray(np.exp2(np.floor(np.log2(np.where(peak > 0.0, peak, 1.0)))))


def window_edges(n_samples: int, window: int) -> IntArray:
    """Return the first sample of each window, and the number of samples at the end.

    Parameters
    ----------
    n_samples : int
        At least one window.
    window : int
        Samples of a window, at least 1.

    Returns
    -------
    ndarray, shape (M + 1,), int64
    """
    size, total = as_count(window, "window"), as_count(n_samples, "number of samples")
    if size > total:
        raise ParameterError(f"window is {size} but the recording has {total} samples; take shorter windows")
    edges = np.arange(0, total, size, dtype=np.int64)
    if total - edges[-1] < size / 2:
        edges = edges[:-1]
    return np.append(edges, total)
