"""The elastic family: distances of time series by the best alignment, as other libraries define them, and two without alignment.

All members but the last two are one recursion (:mod:`kinseq.measures.pairs`). Numbers are sums over the alignment and are not
divided by the lengths, unlike those of :func:`~kinseq.measures.dtw.dtw`: they are those of aeon, where aeon's are distances.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..core.arrays import FloatArray, IntArray, as_positive, as_real
from ..core.errors import DataError, ParameterError, is_one_of
from ..core.jobs import as_threads, each
from ..core.sequences import Sequences, SequenceSet, as_sequence_set
from ..core.wording import count
from ..divergences.neighbours import squared_distances
from . import pairs
from .alignment import align_all, weighted
from .dtw import as_window, dtw, dtw_between
from .elastic import standardised
from .pairs import LANES, Alignment, Side, align, align_selves
from .registry import Measure, MeasureInput

SHARE_OF_SPREAD = 0.25
"""Default `epsilon`, the distance of matching frames, as a share of the spread of the whole set."""
BORDERS = ("aeon", "published")
"""Package whose rule sets the cost of frames before the other sequence begins."""
AT_ONCE = 1 << 20
"""Approximate number of values transformed at a time."""


def erp(
    sequences: Sequences,
    g: Any = 0.0,
    border: str = "aeon",
    window: float | None = None,
    n_jobs: int | None = None,
) -> FloatArray:
    """Edit distance with real penalty: a frame without a partner costs its distance from a fixed value.

    Parameters
    ----------
    sequences : SequenceSet or list of array_like, each of shape (T, d)
        Any lengths.
    g : float or array_like of shape (d,)
        The fixed value, in the unit of the data.
    border : {"aeon", "published"}
        Cost of frames before the other sequence begins: that of all frames of the sequence, as aeon computes it, or of those so
        far, as published.
    window : float, optional
        Half the width of the Sakoe-Chiba band, as a share of the length of the shorter sequence, 0 to 1.
    n_jobs : int or None
        Number of threads; no number depends on it.

    Returns
    -------
    ndarray, shape (N, N)
        Units of the data; symmetric, not negative, zero diagonal.

    References
    ----------
    Chen and Ng (2004), "On the marriage of Lp-norms and edit distance".
    """
    return _pairwise(_erp, sequences, n_jobs, g=g, border=border, window=window)


def edr(
    sequences: Sequences,
    epsilon: float | str | None = None,
    border: str = "aeon",
    window: float | None = None,
    n_jobs: int | None = None,
) -> FloatArray:
    """Edit distance on real sequences: number of unmatched and skipped frames, as a share of the longer length.

    Parameters
    ----------
    sequences : SequenceSet or list of array_like, each of shape (T, d)
        Any lengths.
    epsilon : float or "aeon", optional
        Frames match that are closer than this, in the unit of the data; by default a quarter of the spread of the whole set, the
        root of the sum of the variances of its features. ``"aeon"`` takes, for each pair, a quarter of the larger deviation of
        all numbers of a sequence. Equal frames always match.
    border : {"aeon", "published"}
        Frames before the other sequence begins cost nothing, as aeon computes it, or 1 each, as published.
    window, n_jobs
        As of :func:`erp`.

    Returns
    -------
    ndarray, shape (N, N)
        0 to 1; symmetric, zero diagonal.

    References
    ----------
    Chen, Özsu and Oria (2005), "Robust and fast similarity search for moving object trajectories".
    """
    return _pairwise(_edr, sequences, n_jobs, epsilon=epsilon, border=border, window=window)


def lcss(
    sequences: Sequences, epsilon: float | str | None = None, window: float | None = None, n_jobs: int | None = None
) -> FloatArray:
    """Return one minus the length of the longest common subsequence, as a share of the shorter length.

    Parameters
    ----------
    sequences : SequenceSet or list of array_like, each of shape (T, d)
        Any lengths.
    epsilon : float or "aeon", optional
        Frames match that are at most as far apart, in the unit of the data; by default as of :func:`edr`. ``"aeon"`` takes 1.
    window, n_jobs
        As of :func:`erp`.

    Returns
    -------
    ndarray, shape (N, N)
        0 to 1; symmetric, zero diagonal.

    References
    ----------
    Vlachos, Kollios and Gunopulos (2002), "Discovering similar multidimensional trajectories".
    """
    return _pairwise(_lcss, sequences, n_jobs, epsilon=epsilon, window=window)


def twe(
    sequences: Sequences,
    nu: float = 0.001,
    lmbda: float = 1.0,
    window: float | None = None,
    n_jobs: int | None = None,
) -> FloatArray:
    """Time warp edit distance: gaps cost the distance to the previous frame, matches also the difference of their times.

    Parameters
    ----------
    sequences : SequenceSet or list of array_like, each of shape (T, d)
        Any lengths; a frame of zeros is thought before the first.
    nu : float
        Stiffness: cost of a step of time between two frames that match, not negative.
    lmbda : float
        Cost of a gap in addition to that of the distance, not negative.
    window, n_jobs
        As of :func:`erp`.

    Returns
    -------
    ndarray, shape (N, N)
        Units of the data; symmetric, not negative, zero diagonal.

    References
    ----------
    Marteau (2009), "Time warp edit distance with stiffness adjustment for time series matching".
    """
    return _pairwise(_twe, sequences, n_jobs, nu=nu, lmbda=lmbda, window=window)


def wdtw(sequences: Sequences, g: float = 0.05, window: float | None = None, n_jobs: int | None = None) -> FloatArray:
    """Weighted dynamic time warping: squared distances of frames weigh more with the difference of their positions.

    Parameters
    ----------
    sequences : SequenceSet or list of array_like, each of shape (T, d)
        Any lengths.
    g : float
        Steepness of the weight, a logistic function of the difference of the positions that is 1/2 at half the longer length;
        not negative.
    window, n_jobs
        As of :func:`erp`.

    Returns
    -------
    ndarray, shape (N, N)
        Squared units of the data; symmetric, not negative, zero diagonal.

    References
    ----------
    Jeong, Jeong and Omitaomu (2011), "Weighted dynamic time warping for time series classification".
    """
    return _pairwise(_wdtw, sequences, n_jobs, g=g, window=window)


def ddtw(sequences: Sequences, window: float | None = None, n_jobs: int | None = None) -> FloatArray:
    """Derivative dynamic time warping: of slopes, each the mean of the slope to the previous frame and that over both neighbours.

    Parameters
    ----------
    sequences : SequenceSet or list of array_like, each of shape (T, d)
        Of at least three frames; the first and the last have no slope.
    window, n_jobs
        As of :func:`erp`, with lengths two frames shorter.

    Returns
    -------
    ndarray, shape (N, N)
        Squared units of the data; symmetric, not negative, zero diagonal.

    References
    ----------
    Keogh and Pazzani (2001), "Derivative dynamic time warping".
    """
    return _pairwise(_ddtw, sequences, n_jobs, window=window)


def adtw(
    sequences: Sequences, warp_penalty: float = 1.0, window: float | None = None, n_jobs: int | None = None
) -> FloatArray:
    """Amerced dynamic time warping: each step of one sequence alone costs a penalty.

    Parameters
    ----------
    sequences : SequenceSet or list of array_like, each of shape (T, d)
        Any lengths.
    warp_penalty : float
        Squared units of the data, not negative.
    window, n_jobs
        As of :func:`erp`.

    Returns
    -------
    ndarray, shape (N, N)
        Squared units of the data; symmetric, not negative, zero diagonal.

    References
    ----------
    Herrmann and Webb (2023), "Amercing: an intuitive and effective constraint for dynamic time warping".
    """
    return _pairwise(_adtw, sequences, n_jobs, warp_penalty=warp_penalty, window=window)


def soft_dtw(
    sequences: Sequences, gamma: float = 1.0, window: float | None = None, n_jobs: int | None = None
) -> FloatArray:
    """Soft-DTW divergence: the soft minimum over all alignments, minus half of that of each sequence with itself.

    The soft minimum alone may be negative, and that of a sequence with itself is not the least.

    Parameters
    ----------
    sequences : SequenceSet or list of array_like, each of shape (T, d)
        Any lengths.
    gamma : float
        Temperature, positive, in squared units of the data: the soft minimum is
        ``-gamma log(sum exp(-cost / gamma))`` over alignments, each of squared Euclidean costs.
    window, n_jobs
        As of :func:`erp`.

    Returns
    -------
    ndarray, shape (N, N)
        Squared units of the data; symmetric, zero diagonal. What is negative by rounding is 0.

    References
    ----------
    Blondel, Mensch and Vert (2021), "Differentiable divergences between time series".
    """
    return _pairwise(_soft_dtw, sequences, n_jobs, gamma=gamma, window=window)


def euclidean(sequences: Sequences, n_jobs: int | None = None) -> FloatArray:
    """Euclidean distance, frame by frame.

    Parameters
    ----------
    sequences : SequenceSet or list of array_like, each of shape (T, d)
        Of two lengths, the frames are compared that both have.
    n_jobs : int or None
        Number of threads; no number depends on it.

    Returns
    -------
    ndarray, shape (N, N)
        Units of the data; symmetric, not negative, zero diagonal.
    """
    return _pairwise(_euclidean, sequences, n_jobs)


def sbd(sequences: Sequences, n_jobs: int | None = None) -> FloatArray:
    """Shape-based distance: one minus the largest correlation over all shifts of one sequence against the other.

    Parameters
    ----------
    sequences : SequenceSet or list of array_like, each of shape (T, d)
        Each feature is brought to mean 0 and deviation 1, sequence by sequence. A feature that is constant has no shape: it is
        0 from another constant one and 1, as what has no correlation, from all others.
    n_jobs : int or None
        Number of threads; no number depends on it.

    Returns
    -------
    ndarray, shape (N, N)
        0 to 2, the mean over features; symmetric, zero diagonal.

    References
    ----------
    Paparrizos and Gravano (2015), "k-Shape: efficient and accurate clustering of time series".
    """
    return _pairwise(_sbd, sequences, n_jobs)


# ---------------------------------------------------------------------------------------------------------------------
# Each between two sets, or within one
# ---------------------------------------------------------------------------------------------------------------------

_Between = Callable[..., FloatArray]
"""``between(first, second, threads, chosen, **params)`` returns (M, N), or (N, N) of the first if `second` is None, or (M,
K) with ``chosen (M, K)``, positions in `second`. Properties of the whole set come from `second`, or from the first
alone."""


def _pairwise(between: _Between, sequences: Sequences, n_jobs: int | None, **params: Any) -> FloatArray:
    return between(as_sequence_set(sequences), None, as_threads(n_jobs), None, **params)


def _aligned(
    how: Alignment,
    side: Callable[[SequenceSet], Side],
    first: SequenceSet,
    second: SequenceSet | None,
    threads: int,
    chosen: IntArray | None,
) -> FloatArray:
    return align(how, side(first), None if second is None else side(second), threads, chosen)


def _lengths(first: SequenceSet, second: SequenceSet | None, chosen: IntArray | None) -> tuple[IntArray, IntArray]:
    """Return broadcast lengths of both sequences of each entry."""
    others = (first if second is None else second).lengths
    return first.lengths[:, None], others[None, :] if chosen is None else others[chosen]


def _erp(
    first: SequenceSet,
    second: SequenceSet | None,
    threads: int,
    chosen: IntArray | None,
    g: Any,
    border: str,
    window: float | None,
) -> FloatArray:
    value = np.atleast_1d(np.asarray(g, dtype=np.float64))
    if value.shape not in ((1,), (first.n_features,)) or not np.isfinite(value).all():
        raise ParameterError(f"g is {g!r}, expected a finite number or one for each feature, here {first.n_features}")
    kind = pairs.WHOLE if _is_aeon(border) else pairs.RUNNING
    how = Alignment(pairs.ROOT, pairs.GAPS, kind, as_window(window))
    return _aligned(how, lambda some: Side(some, gaps=_norms(some.values - value)), first, second, threads, chosen)


def _edr(
    first: SequenceSet,
    second: SequenceSet | None,
    threads: int,
    chosen: IntArray | None,
    epsilon: float | str | None,
    border: str,
    window: float | None,
) -> FloatArray:
    def deviation(some: SequenceSet) -> FloatArray:
        return SHARE_OF_SPREAD * np.array([frames.std() for frames in some])

    kind = pairs.ZERO if _is_aeon(border) else pairs.RUNNING
    how = Alignment(pairs.UNLIKE, pairs.GAPS, kind, as_window(window))
    side = _tolerant(epsilon, first if second is None else second, deviation)
    longer = np.maximum(*_lengths(first, second, chosen))
    return _aligned(how, side, first, second, threads, chosen) / longer


def _lcss(
    first: SequenceSet,
    second: SequenceSet | None,
    threads: int,
    chosen: IntArray | None,
    epsilon: float | str | None,
    window: float | None,
) -> FloatArray:
    how = Alignment(pairs.ROOT, pairs.COMMON, pairs.ZERO, as_window(window))
    side = _tolerant(epsilon, first if second is None else second, lambda some: np.ones(len(some)))
    shorter = np.minimum(*_lengths(first, second, chosen))
    distance = 1.0 + _aligned(how, side, first, second, threads, chosen) / shorter
    if second is None:
        np.fill_diagonal(distance, 0.0)
    return distance


def _twe(
    first: SequenceSet,
    second: SequenceSet | None,
    threads: int,
    chosen: IntArray | None,
    nu: float,
    lmbda: float,
    window: float | None,
) -> FloatArray:
    stiffness, cost = _not_negative(nu, "nu"), _not_negative(lmbda, "lmbda")

    def side(some: SequenceSet) -> Side:
        before = np.vstack([np.zeros((1, some.n_features)), some.values[:-1]])
        before[some.offsets[:-1]] = 0.0
        return Side(some, gaps=_norms(some.values - before) + (stiffness + cost))

    how = Alignment(pairs.TWICE, pairs.GAPS, pairs.NO_BORDER, as_window(window), stiffness)
    return _aligned(how, side, first, second, threads, chosen)


def _wdtw(
    first: SequenceSet,
    second: SequenceSet | None,
    threads: int,
    chosen: IntArray | None,
    g: float,
    window: float | None,
) -> FloatArray:
    band, steepness = as_window(window), _not_negative(g, "g")
    if band is None and chosen is None:
        return align_all(weighted(steepness), first, second, threads, LANES)
    how = Alignment(pairs.WEIGHTED, pairs.LEAST, pairs.NO_BORDER, band, steepness)
    return _aligned(how, Side, first, second, threads, chosen)


def _ddtw(
    first: SequenceSet, second: SequenceSet | None, threads: int, chosen: IntArray | None, window: float | None
) -> FloatArray:
    if second is None:
        return dtw(_slopes(first), threads, normalise=False, window=window)
    return dtw_between(_slopes(first), _slopes(second), threads, chosen, normalise=False, window=window)


def _adtw(
    first: SequenceSet,
    second: SequenceSet | None,
    threads: int,
    chosen: IntArray | None,
    warp_penalty: float,
    window: float | None,
) -> FloatArray:
    penalty = _not_negative(warp_penalty, "warp_penalty")
    how = Alignment(pairs.SQUARED, pairs.PENALISED, pairs.NO_BORDER, as_window(window), penalty)
    return _aligned(how, Side, first, second, threads, chosen)


def _soft_dtw(
    first: SequenceSet,
    second: SequenceSet | None,
    threads: int,
    chosen: IntArray | None,
    gamma: float,
    window: float | None,
) -> FloatArray:
    how = Alignment(pairs.SQUARED, pairs.SOFT, pairs.NO_BORDER, as_window(window), as_positive(gamma, "gamma"))
    whole = _aligned(how, Side, first, second, threads, chosen)
    of_first = align_selves(how, Side(first))
    others = of_first if second is None else align_selves(how, Side(second))
    halves = 0.5 * (of_first[:, None] + (others[None, :] if chosen is None else others[chosen]))
    rounding = np.finfo(np.float64).eps * (np.abs(whole) + np.abs(halves)) * np.add(*_lengths(first, second, chosen))
    divergence = whole - halves
    divergence[np.abs(divergence) <= rounding] = 0.0
    if second is None:
        np.fill_diagonal(divergence, 0.0)
    return divergence


def _euclidean(first: SequenceSet, second: SequenceSet | None, threads: int, chosen: IntArray | None) -> FloatArray:
    other = first if second is None else second
    shorter = np.minimum(*_lengths(first, second, None))
    total = np.empty(shorter.shape)
    # All pairs whose shorter sequence has this length, at once.
    tasks = [(length, rows, columns) for length in np.unique(shorter)
             for rows, columns in _of_shorter(first.lengths, other.lengths, length, second is None)]  # fmt: skip
    threads = threads if total.size * first.values.size > len(first) * FEW_SQUARES else 1
    for (_, rows, columns), part in zip(tasks, each(_lockstep, tasks, threads, first, other), strict=True):
        total[np.ix_(rows, columns)] = part
        if second is None:
            total[np.ix_(columns, rows)] = part.T
    return np.sqrt(total) if chosen is None else np.sqrt(np.take_along_axis(total, chosen, axis=1))


FEW_SQUARES = 50_000_000
"""Squares of differences up to which threads cost more than they save."""
ROWS_A_BLOCK = 32
"""Sequences that are compared with all others at once."""


def _of_shorter(first: IntArray, second: IntArray, length: int, within: bool) -> list[tuple[IntArray, IntArray]]:
    """Return blocks of rows and columns with all pairs whose shorter sequence has a length; each pair of one set once at least."""
    exact, beyond = np.flatnonzero(first == length), np.flatnonzero(first > length)
    parts = np.array_split(exact, max(1, len(exact) // ROWS_A_BLOCK))
    if within:
        return [(some, np.concatenate([exact[exact >= some[0]], beyond])) for some in parts if len(some)]
    blocks = [(some, np.flatnonzero(second >= length)) for some in parts]
    blocks.append((beyond, np.flatnonzero(second == length)))
    return [(rows, columns) for rows, columns in blocks if len(rows) and len(columns)]


def _lockstep(task: tuple[int, IntArray, IntArray], first: SequenceSet, second: SequenceSet) -> FloatArray:
    length, rows, columns = task
    values = [_heads(some, which, length) for some, which in ((first, rows), (second, columns))]
    out = np.empty((len(rows), len(columns)))
    squared_distances(values[0], np.ascontiguousarray(values[1].T), out)
    return out


def _heads(sequences: SequenceSet, which: IntArray, length: int) -> FloatArray:
    """Return the first frames of some sequences, each in one row."""
    starts = sequences.offsets[:-1][which]
    if (np.diff(starts) == length).all():
        # They follow each other, so that nothing is copied.
        return sequences.values[starts[0] : starts[-1] + length].reshape(len(which), -1)
    return sequences.values[starts[:, None] + np.arange(length)].reshape(len(which), -1)


def _sbd(first: SequenceSet, second: SequenceSet | None, threads: int, chosen: IntArray | None) -> FloatArray:
    from scipy.fft import next_fast_len

    other = first if second is None else second
    points = next_fast_len(int(first.lengths.max() + other.lengths.max()) - 1, real=True)
    spectra, constant = _spectra(first, points)
    others, constants = (spectra, constant) if second is None else _spectra(other, points)
    tasks = list(range(len(first)))
    rows = each(_best_shifts, tasks, threads, spectra, others, constant, constants, points, second is None, chosen)
    total = np.stack(list(rows))
    return total + total.T if second is None else total


def _spectra(sequences: SequenceSet, points: int) -> tuple[Any, Any]:
    """Return transforms (N, d, F) of sequences of norm 1, and which features are constant, (N, d)."""
    data = standardised(sequences)
    padded = np.zeros((len(data), data.n_features, points))
    for i, frames in enumerate(data):
        padded[i, :, : len(frames)] = frames.T
    norms = np.linalg.norm(padded, axis=2, keepdims=True)
    from scipy.fft import rfft

    return rfft(padded / np.where(norms > 0.0, norms, 1.0)), norms[:, :, 0] == 0.0


def _best_shifts(
    i: int, spectra: Any, others: Any, constant: Any, constants: Any, points: int, within: bool, chosen: IntArray | None
) -> FloatArray:
    """Return distances of one sequence from all others; within one set, from those after it."""
    from scipy.fft import irfft

    which = np.arange(i + 1 if within else 0, len(others)) if chosen is None else chosen[i]
    row = np.zeros(len(others) if chosen is None else len(which))
    places = which if chosen is None else np.arange(len(which))
    at_once = max(1, AT_ONCE // (spectra.shape[1] * points))
    for begin in range(0, len(which), at_once):
        some = which[begin : begin + at_once]
        best = irfft(spectra[i].conj() * others[some], points).max(axis=2)
        alone, both = constant[i] | constants[some], constant[i] & constants[some]
        apart = np.where(both, 0.0, np.where(alone, 1.0, np.maximum(0.0, 1.0 - best)))
        row[places[begin : begin + at_once]] = apart.mean(axis=1)
    return row


def _slopes(sequences: SequenceSet) -> SequenceSet:
    short = np.flatnonzero(sequences.lengths < 3)
    if len(short):
        name = sequences.ids[short[0]]
        raise DataError(
            f"{sequences.name}: sequence {str(name)!r} has"
            f" {count(int(sequences.lengths[short[0]]), 'frame')} but slopes need at least three; leave it"
            " out or choose another measure"
        )
    return SequenceSet.from_arrays(
        [((x[1:-1] - x[:-2]) + (x[2:] - x[:-2]) / 2.0) / 2.0 for x in sequences], name=sequences.name
    )


def _norms(frames: FloatArray) -> FloatArray:
    return np.abs(frames[:, 0]) if frames.shape[1] == 1 else np.linalg.norm(frames, axis=1)


def _tolerant(
    epsilon: float | str | None, like: SequenceSet, by_aeon: Callable[[SequenceSet], FloatArray]
) -> Callable[[SequenceSet], Side]:
    """Return the function that adds tolerances to sequences."""
    if isinstance(epsilon, str):
        if epsilon != "aeon":
            raise ParameterError(f'epsilon is {epsilon!r}, expected a number that is not negative, "aeon" or nothing')
        return lambda some: Side(some, tolerance=by_aeon(some))
    if epsilon is None:
        spread = float(np.sqrt(np.var(like.values, axis=0).sum()))
        return lambda some: Side(some, tolerance=np.full(len(some), SHARE_OF_SPREAD * spread))
    number = _not_negative(epsilon, "epsilon")
    return lambda some: Side(some, tolerance=np.full(len(some), number))


def _is_aeon(border: str) -> bool:
    if not is_one_of(border, BORDERS):
        raise ParameterError(f"border is {border!r}, expected one of {', '.join(BORDERS)}")
    return border == "aeon"


def _not_negative(value: Any, name: str) -> float:
    expected = "a finite number that is not negative"
    number = as_real(value, name, expected)
    if number < 0.0:
        raise ParameterError(f"{name} is {value!r}, expected {expected}")
    return number


def _measure(name: str, between: _Between, **fields: Any) -> Measure:
    def function(evidence: MeasureInput, **params: Any) -> FloatArray:
        return between(evidence.sequences, None, evidence.threads, None, **params)

    def cross(old: MeasureInput, new: MeasureInput, chosen: IntArray | None = None, **params: Any) -> FloatArray:
        return between(new.sequences, old.sequences, old.threads, chosen, **params)

    return Measure(name=name, function=function, cross=cross, requires="sequences", cheap=True, **fields)


_BANDED = {"window": None}

MEASURES = (
    _measure("erp", _erp, label="ERP", source="Chen and Ng 2004", params={"g": 0.0, "border": "aeon", **_BANDED},
             description="the course of values over time, with frames left out at their distance from a fixed value"),
    _measure("edr", _edr, label="EDR", source="Chen, Özsu and Oria 2005", scope="task",
             params={"epsilon": None, "border": "aeon", **_BANDED},
             description="how many frames have to change or go for one course to become the other"),
    _measure("lcss", _lcss, label="LCSS", source="Vlachos, Kollios and Gunopulos 2002", scope="task",
             params={"epsilon": None, **_BANDED},
             description="how long a course both have in common, with anything between"),
    _measure("twe", _twe, label="TWE", source="Marteau 2009", params={"nu": 0.001, "lmbda": 1.0, **_BANDED},
             description="the course of values and when they come, with frames left out at a cost"),
    _measure("wdtw", _wdtw, label="weighted DTW", source="Jeong, Jeong and Omitaomu 2011", params={"g": 0.05, **_BANDED},
             description="the course of values over time, at nearly the same speed"),
    _measure("ddtw", _ddtw, label="derivative DTW", source="Keogh and Pazzani 2001", params=_BANDED, one_frame=False,
             description="the slopes of the course, regardless of speed and level"),
    _measure("adtw", _adtw, label="amerced DTW", source="Herrmann and Webb 2023", params={"warp_penalty": 1.0, **_BANDED},
             description="the course of values over time, where another speed has its price"),
    _measure("soft_dtw", _soft_dtw, label="soft-DTW divergence", source="Blondel, Mensch and Vert 2021", signed=True,
             params={"gamma": 1.0, **_BANDED},
             description="the course of values over time by all alignments together, at any speed"),
    _measure("euclidean", _euclidean, label="Euclidean", source="in no document",
             description="the values at each moment, without alignment"),
    _measure("sbd", _sbd, label="SBD", source="Paparrizos and Gravano 2015",
             description="the shape of the course, wherever it begins"),
)  # fmt: skip
