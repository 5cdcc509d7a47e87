"""Left-to-right hidden Markov models of words: batches of classes trained and scored at once.

A model has K emitting states between an entry and an exit that emit nothing, as in HTK: a path starts behind the entry, only
moves forward, and has to leave by the exit with the last frame. In type 1 a state is followed by itself or the next one, in
type 2 it may also skip one, at the entry and the exit too. Emissions are Gaussian with diagonal covariances.

What sums over all paths, Baum-Welch training, likelihoods and posteriors, is the engine of :mod:`kinseq.models.hmm`, which
is given the exit as a state of its own. Best paths are found here, by the two or three transitions that there are, and all
classes share the frames, so that a few thousand short models cost seconds. Frames are kept feature by feature: the
innermost loops run over time, one frame after the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from ..core.arrays import FloatArray, IntArray, as_count, as_positive, as_whole_numbers
from ..core.compiled import compiled
from ..core.errors import DataError, ParameterError, is_one_of, unknown_name
from ..core.sequences import Sequences, SequenceSet, as_positions, as_sequence_set, require_range
from ..core.variances import pooled_variances
from ..core.wording import count
from .hmm.bank import HMMBank
from .hmm.densities import LOG_2PI, Model, stacked
from .hmm.maximisation import LEAST_VISITS
from .hmm.scoring import log_likelihood
from .hmm.shared_model import CommonFit
from .hmm.smoothing import posteriors

Topology = Literal[1, 2]
Decoding = Literal["viterbi", "forward"]

LEAST_TRANSITION = 1e-5
"""Floor of the probability of allowed transitions; forbidden ones are zero."""
FIRST_MOVES = {1: (0.6, 0.4, 0.0), 2: (0.5, 0.35, 0.15)}
"""Initial probabilities to stay, to go on and to skip a state."""
FIRST_STARTS = {1: (1.0, 0.0), 2: (0.85, 0.15)}
LANES = 32
"""Number of states whose densities are computed in parallel."""


@dataclass(frozen=True, eq=False)
class Frames:
    """Sequences in the form of the kernels: scaled to unit variance, once for all fits.

    Attributes
    ----------
    columns : ndarray, shape (d, sum of T)
        Features, each minus its mean and divided by its standard deviation over all frames.
    rows : ndarray, shape (sum of T, d)
        The same, frame by frame.
    offsets : ndarray, shape (N + 1,), int64
    """

    columns: FloatArray
    rows: FloatArray
    offsets: IntArray

    @property
    def lengths(self) -> IntArray:
        """Number of frames of each sequence."""
        return np.diff(self.offsets)


def frames_of(sequences: Sequences) -> Frames:
    """Scale the frames of a set; constant features become zero."""
    data = as_sequence_set(sequences)
    require_range(data)
    everything = np.arange(len(data)), np.array([0, len(data)])
    scale = np.sqrt(pooled_variances(data, *everything)[0])
    centred = data.values - data.values[0]
    rows = (centred - centred.mean(axis=0)) / scale
    return Frames(np.ascontiguousarray(rows.T), np.ascontiguousarray(rows), data.offsets)


@dataclass(frozen=True, eq=False)
class WordModels:
    """C models of one shape, over the scaled features that they use.

    Attributes
    ----------
    start : ndarray, shape (C, 2)
        Probability of entering at the first and at the second state.
    moves : ndarray, shape (C, K, 3)
        Probability to stay, to go to the next state and to skip one. Behind the last state is the exit.
    means, variances : ndarray, shape (C, K, d)
    features : ndarray, shape (d,), int64
        Columns of the frames that the models use.
    trace : ndarray, shape (C, R)
        Log-likelihood in nats of the training sequences of each class before every round: of their best paths in rounds
        of Viterbi training, of all paths in those of Baum and Welch.
    """

    start: FloatArray
    moves: FloatArray
    means: FloatArray
    variances: FloatArray
    features: IntArray
    trace: FloatArray

    def __len__(self) -> int:
        return len(self.start)

    def one(self, c: int) -> WordModels:
        """Model c as a view of these arrays."""
        only = slice(c, c + 1)
        return WordModels(
            self.start[only], self.moves[only], self.means[only], self.variances[only], self.features, self.trace[only]
        )

    @property
    def n_states(self) -> int:
        """Number of emitting states K."""
        return int(self.moves.shape[1])

    @property
    def transmat(self) -> FloatArray:
        """Transitions between entry, states and exit, shape (C, K + 2, K + 2); the exit is absorbing."""
        k = self.n_states
        full = np.zeros((len(self), k + 2, k + 2))
        full[:, 0, 1:3] = self.start
        for state in range(k):
            for step in range(3):
                if state + step <= k:
                    full[:, state + 1, state + 1 + step] = self.moves[:, state, step]
        full[:, k + 1, k + 1] = 1.0
        return full


def least_frames(n_states: int, topology: Topology) -> int:
    """Return the number of frames of the shortest path through a model."""
    return n_states if topology == 1 else max(1, n_states // 2)


# ---------------------------------------------------------------------------------------------------------------------
# Kernels
# ---------------------------------------------------------------------------------------------------------------------


@compiled(fastmath={"contract"})
def _densities(x, features, begin, steps, scales, shifts, constants, b):  # type: ignore[no-untyped-def]
    """b[k, t] = log N(x_t; mu_k, diag sigma_k^2) = c_k - sum_i (x_ti / sigma_ki - mu_ki / sigma_ki)^2 / 2.

    Four features at a time, so that a sum is read and written once for all of them.
    """
    d = features.size
    whole, end = d - d % 4, begin + steps
    for k in range(b.shape[0]):
        sums = b[k, :steps]
        for t in range(steps):
            sums[t] = 0.0
        for i in range(0, whole, 4):
            x0, x1 = x[features[i], begin:end], x[features[i + 1], begin:end]
            x2, x3 = x[features[i + 2], begin:end], x[features[i + 3], begin:end]
            s0, s1, s2, s3 = scales[k, i], scales[k, i + 1], scales[k, i + 2], scales[k, i + 3]
            m0, m1, m2, m3 = shifts[k, i], shifts[k, i + 1], shifts[k, i + 2], shifts[k, i + 3]
            for t in range(steps):
                u0 = x0[t] * s0 - m0
                u1 = x1[t] * s1 - m1
                u2 = x2[t] * s2 - m2
                u3 = x3[t] * s3 - m3
                sums[t] += (u0 * u0 + u1 * u1) + (u2 * u2 + u3 * u3)
        for i in range(whole, d):
            row = x[features[i], begin:end]
            scale, shift = scales[k, i], shifts[k, i]
            for t in range(steps):
                u = row[t] * scale - shift
                sums[t] += u * u
        for t in range(steps):
            sums[t] = constants[k] - 0.5 * sums[t]


@compiled()
def _prepare(means, variances, scales, shifts, constants):  # type: ignore[no-untyped-def]
    """Return the terms of the densities of one model, from its means and variances (K, d)."""
    for k in range(means.shape[0]):
        total = means.shape[1] * LOG_2PI
        for i in range(means.shape[1]):
            scales[k, i] = 1.0 / np.sqrt(variances[k, i])
            shifts[k, i] = means[k, i] * scales[k, i]
            total += np.log(variances[k, i])
        constants[k] = -0.5 * total


@compiled()
def _exits(scores, moves):  # type: ignore[no-untyped-def]
    """Scores of the paths from each of the last two states."""
    k = moves.shape[0]
    last = scores[k - 1] + moves[k - 1, 1]
    skipping = scores[k - 2] + moves[k - 2, 2] if k > 1 else -np.inf
    return last, skipping


@compiled()
def _best(b, steps, start, moves, back, path):  # type: ignore[no-untyped-def]
    """Log-probability of the best path, and the path itself, from logarithms of the parameters."""
    k = moves.shape[0]
    old, new = np.full(k, -np.inf), np.empty(k)
    old[0] = start[0] + b[0, 0]
    if k > 1:
        old[1] = start[1] + b[1, 0]
    for t in range(1, steps):
        for j in range(k):
            score, came = old[j] + moves[j, 0], 0
            if j >= 1 and old[j - 1] + moves[j - 1, 1] > score:
                score, came = old[j - 1] + moves[j - 1, 1], 1
            if j >= 2 and old[j - 2] + moves[j - 2, 2] > score:
                score, came = old[j - 2] + moves[j - 2, 2], 2
            new[j] = score + b[j, t]
            back[t, j] = came
        old, new = new, old
    last, skipping = _exits(old, moves)
    state = k - 1 if last >= skipping else k - 2
    for t in range(steps - 1, -1, -1):
        path[t] = state
        if t > 0:
            state -= back[t, state]
    return max(last, skipping)


@compiled()
def _add_frame(row, features, centre, visits, first, second, k):  # type: ignore[no-untyped-def]
    """Add the moments of one frame about the current mean of state k."""
    visits[k] += 1.0
    for i in range(features.size):
        gap = row[features[i]] - centre[k, i]
        first[k, i] += gap
        second[k, i] += gap * gap


@compiled()
def _count_path(path, steps, starts, counts):  # type: ignore[no-untyped-def]
    """Add the transitions of one path, including entry and exit."""
    k = counts.shape[0]
    starts[path[0]] += 1.0
    for t in range(1, steps):
        counts[path[t - 1], path[t] - path[t - 1]] += 1.0
    counts[path[steps - 1], k - path[steps - 1]] += 1.0


@compiled()
def _shares(counts, allowed, shares):  # type: ignore[no-untyped-def]
    """Probabilities from counts: forbidden ones are zero, allowed ones at least LEAST_TRANSITION."""
    total = counts.sum()
    if total < LEAST_VISITS:
        return
    for j in range(counts.size):
        shares[j] = max(counts[j] / total, LEAST_TRANSITION) if allowed[j] else 0.0
    shares /= shares.sum()


@compiled()
def _logs(values):  # type: ignore[no-untyped-def]
    logs = np.full(values.shape, -np.inf)
    for place, value in np.ndenumerate(values):
        if value > 0.0:
            logs[place] = np.log(value)
    return logs


@compiled()
def _segment(steps, n_states, path):  # type: ignore[no-untyped-def]
    """Divide frames into as many equal parts as states."""
    for t in range(steps):
        path[t] = (2 * t + 1) * n_states // (2 * steps)


@compiled()
def _train(  # type: ignore[no-untyped-def]
    x, rows, offsets, features, members, bounds, n_viterbi, floor, start, moves, means, variances, trace
):  # fmt: skip
    """Viterbi training of class c on the sequences members[bounds[c]:bounds[c + 1]], for all c, in place."""
    k, d = means.shape[1], means.shape[2]
    longest = 0
    for s in members:
        longest = max(longest, offsets[s + 1] - offsets[s])
    b, path = np.empty((k, longest)), np.empty(longest, dtype=np.int64)
    back = np.empty((longest, k), dtype=np.int8)
    scales, shifts, constants = np.empty((k, d)), np.empty((k, d)), np.empty(k)
    for c in range(bounds.size - 1):
        allowed_start, allowed_moves = start[c] > 0.0, moves[c] > 0.0
        means[c] = 0.0
        for r in range(n_viterbi + 1):
            # Round 0 segments evenly; its parameters start the first round of training.
            starts, counts = np.zeros(2), np.zeros((k, 3))
            visits, first, second = np.zeros(k), np.zeros((k, d)), np.zeros((k, d))
            log_start, log_moves = _logs(start[c]), _logs(moves[c])
            total = 0.0
            _prepare(means[c], variances[c], scales, shifts, constants)
            for m in range(bounds[c], bounds[c + 1]):
                begin, steps = offsets[members[m]], offsets[members[m] + 1] - offsets[members[m]]
                if r == 0:
                    _segment(steps, k, path)
                else:
                    _densities(x, features, begin, steps, scales, shifts, constants, b)
                    total += _best(b, steps, log_start, log_moves, back, path)
                    _count_path(path, steps, starts, counts)
                for t in range(steps):
                    _add_frame(rows[begin + t], features, means[c], visits, first, second, path[t])
            if r > 0:
                trace[c, r - 1] = total
                _shares(starts, allowed_start, start[c])
                for j in range(k):
                    _shares(counts[j], allowed_moves[j], moves[c, j])
            for j in range(k):
                if visits[j] >= LEAST_VISITS:
                    for i in range(d):
                        shift = first[j, i] / visits[j]
                        means[c, j, i] += shift
                        variances[c, j, i] = max(second[j, i] / visits[j] - shift * shift, floor)


@compiled(fastmath={"contract"})
def _block_densities(rows, features, begin, steps, weights, constants, place, sums, b):  # type: ignore[no-untyped-def]
    """b[t, place + q] for LANES states of any models: their log-densities of all frames of a sequence.

    `weights` holds 1 / sigma and mu / sigma of every state for each feature in turn. Four frames and two features at a time,
    states side by side: all offsets are known when this is compiled, so that it is all vector operations.
    """
    last = begin + steps - 1
    for t in range(0, steps, 4):
        at = begin + t
        r0, r1, r2, r3 = rows[at], rows[min(at + 1, last)], rows[min(at + 2, last)], rows[min(at + 3, last)]
        for q in range(4 * LANES):
            sums[q] = 0.0
        for i in range(0, features.size, 2):
            f, g = features[i], features[i + 1]
            x0, x1, x2, x3 = r0[f], r1[f], r2[f], r3[f]
            y0, y1, y2, y3 = r0[g], r1[g], r2[g], r3[g]
            w = weights[2 * LANES * i : 2 * LANES * (i + 2)]
            for q in range(LANES):
                s, m, z, n = w[q], w[LANES + q], w[2 * LANES + q], w[3 * LANES + q]
                u0, v0 = x0 * s - m, y0 * z - n
                u1, v1 = x1 * s - m, y1 * z - n
                u2, v2 = x2 * s - m, y2 * z - n
                u3, v3 = x3 * s - m, y3 * z - n
                sums[q] = sums[q] + u0 * u0 + v0 * v0
                sums[LANES + q] = sums[LANES + q] + u1 * u1 + v1 * v1
                sums[2 * LANES + q] = sums[2 * LANES + q] + u2 * u2 + v2 * v2
                sums[3 * LANES + q] = sums[3 * LANES + q] + u3 * u3 + v3 * v3
        for j in range(min(4, steps - t)):
            row, own = b[t + j, place : place + LANES], sums[j * LANES : (j + 1) * LANES]
            for q in range(LANES):
                row[q] = constants[q] - 0.5 * own[q]


@compiled()
def _walk(b, steps, n, moves, old, new):  # type: ignore[no-untyped-def]
    """Advance the best paths through all states of all `n` models by one step at a time.

    State k of model c is at k n + c. A row of scores begins with 2 n places for states that there are not.
    """
    size = moves.shape[1]
    stay, go, skip = moves[0], moves[1], moves[2]
    for t in range(1, steps):
        here, before, above, to, now = old[2 * n :], old[n:], old, new[2 * n :], b[t]
        for q in range(size):
            score = max(here[q] + stay[q], before[q] + go[q])
            to[q] = max(score, above[q] + skip[q]) + now[q]
        old, new = new, old
    return old


@compiled()
def _score(rows, features, weights, constants, start, moves, exits, offsets, indices, logliks):  # type: ignore[no-untyped-def]
    """found[s, c]: log-probability of the best path of sequence chosen[s] through model c."""
    n, size = logliks.shape[1], moves.shape[1]
    longest = 0
    for s in indices:
        longest = max(longest, offsets[s + 1] - offsets[s])
    b, sums = np.empty((longest, constants.size)), np.empty(4 * LANES)
    old, new = np.full(2 * n + size, -np.inf), np.full(2 * n + size, -np.inf)
    for s in range(indices.size):
        begin, steps = offsets[indices[s]], offsets[indices[s] + 1] - offsets[indices[s]]
        for block in range(weights.shape[0]):
            place = block * LANES
            _block_densities(
                rows, features, begin, steps, weights[block], constants[place : place + LANES], place, sums, b
            )
        old[2 * n :] = -np.inf
        for q in range(start.size):
            old[2 * n + q] = start[q] + b[0, q]
        scores = _walk(b, steps, n, moves, old, new)
        for c in range(n):
            logliks[s, c] = max(scores[n + size + c] + exits[0, c], scores[size + c] + exits[1, c])


# ---------------------------------------------------------------------------------------------------------------------
# All paths: the engine, with the exit as a state that emits one frame behind the last
# ---------------------------------------------------------------------------------------------------------------------

_MARK = 1e200
"""Last feature of the frame that the exit emits, 0 in all others: far enough that no other state emits it, nor the exit any
other."""
_NO_PATH = -1e299
"""Log-likelihood below which such a frame is included."""
_UNIT = 1.0 / (2.0 * np.pi)
"""Variance of a density that is 1 at its mean, so that the addition changes no likelihood."""


def _with_exit(models: WordModels) -> HMMBank:
    n, k, d = models.means.shape
    trans = models.transmat
    means, variances = np.zeros((n, k + 1, d + 1)), np.full((n, k + 1, d + 1), _UNIT)
    means[:, :k, :d], variances[:, :k, :d] = models.means, models.variances
    means[:, k, d] = _MARK
    return HMMBank(np.ascontiguousarray(trans[:, 0, 1:]), np.ascontiguousarray(trans[:, 1:, 1:]), means, variances)


def _with_exit_frames(frames: Frames, features: IntArray, indices: IntArray) -> SequenceSet:
    """Return some sequences in the form of the engine, each with the frame of the exit."""
    end = np.append(np.zeros(features.size), _MARK)
    parts = [frames.rows[frames.offsets[s] : frames.offsets[s + 1], features] for s in indices]
    return SequenceSet.from_arrays([np.vstack([np.pad(part, ((0, 0), (0, 1))), end]) for part in parts])


def _baum_welch(
    models: WordModels, frames: Frames, groups: Sequence[IntArray], first: int, tol: float, floor: float
) -> None:
    """Rounds of training by all paths, in place, from round `first` on."""
    k, d = models.n_states, models.features.size
    rounds = models.trace.shape[1]
    for c, group in enumerate(groups):
        data = _with_exit_frames(frames, models.features, group)
        fit = CommonFit(data, np.arange(len(data)), k + 1, False, map)
        start, moves, trace = models.start[c], models.moves[c], models.trace[c]
        allowed = start > 0.0, moves > 0.0
        for r in range(first, rounds):
            bank = _with_exit(models.one(c))
            sums, trace[r], _ = fit.expectation(Model(*(array[0] for array in stacked(bank))))
            # After a round without gain, further rounds would gain nothing either.
            if r > first and trace[r] - trace[r - 1] < tol * abs(trace[r]):
                trace[r:] = trace[r]
                break
            _shares(sums.starts[:2].copy(), allowed[0], start)
            for j in range(k):
                counts = np.append(sums.counts[j], [0.0, 0.0])[j : j + 3]
                _shares(counts, allowed[1][j], moves[j])
            visited = sums.visits[:k] >= LEAST_VISITS
            visits = sums.visits[:k][visited, None]
            shift = sums.first[:k, :d][visited] / visits
            models.means[c, visited] += shift
            models.variances[c, visited] = np.maximum(sums.second[:k, :d][visited] / visits - shift * shift, floor)


# ---------------------------------------------------------------------------------------------------------------------
# Public functions
# ---------------------------------------------------------------------------------------------------------------------


def _first_models(n_classes: int, n_states: int, topology: Topology) -> tuple[FloatArray, FloatArray]:
    """Initial transitions of training."""
    start = np.tile(FIRST_STARTS[topology], (n_classes, 1))
    moves = np.tile(FIRST_MOVES[topology], (n_classes, n_states, 1))
    moves[:, -1, 2] = 0.0
    if n_states == 1:
        start[:] = (1.0, 0.0)
    return start, moves / moves.sum(axis=2, keepdims=True)


def require_long(frames: Frames, n_states: int, topology: Topology, name: str) -> None:
    """Raise :class:`DataError` if a sequence is too short for a path through a model."""
    least = least_frames(n_states, topology)
    if (frames.lengths < least).any():
        s = int(frames.lengths.argmin())
        raise DataError(
            f"{name}: sequence {s} has {count(int(frames.lengths[s]), 'frame')}, but a path through {n_states} states"
            f" takes at least {least}; use fewer states, or leave short sequences out"
        )


def fit_words(
    frames: Frames,
    members: Sequence[ArrayLike],
    n_states: int = 5,
    topology: Topology = 1,
    n_viterbi: int = 5,
    n_baum_welch: int = 3,
    features: ArrayLike | None = None,
    floor: float = 0.01,
    tol: float = 1e-4,
) -> WordModels:
    """Train a left-to-right model of each class.

    Frames are first cut into equal parts, one a state. Viterbi training then gives each frame to the state on the best
    path, and Baum-Welch training weighs all paths.

    Parameters
    ----------
    frames : Frames
        From :func:`frames_of`.
    members : sequence of array_like of int
        Training sequences of each class, at least one.
    n_states : int
        K, the emitting states; HTK counts entry and exit too.
    topology : {1, 2}
        Whether one state may be skipped.
    n_viterbi, n_baum_welch : int
        Rounds of each kind of training, in this order.
    features : array_like of int, optional
        Columns that the models use; all if not given.
    floor : float
        Least variance, relative to that of the feature over all frames.
    tol : float
        Baum-Welch training of a class stops when its likelihood gains less than this share of itself.

    Returns
    -------
    WordModels

    Raises
    ------
    ParameterError
        If a number is out of range.
    DataError
        If a class has no sequences, or one is too short for a path.
    """
    k = as_count(n_states, "n_states")
    if topology not in (1, 2):
        raise ParameterError(f"topology is {topology!r}, expected 1 or 2")
    rounds = as_count(n_viterbi, "n_viterbi", least=0), as_count(n_baum_welch, "n_baum_welch", least=0)
    least = as_positive(floor, "floor")
    columns = np.arange(len(frames.columns)) if features is None else as_whole_numbers(features, "features")
    groups = [as_whole_numbers(group, "members") for group in members]
    if not groups or min(group.size for group in groups) == 0:
        raise DataError("word models: a class has no training sequences; give each at least one")
    everyone = np.concatenate(groups)
    all_frames = Frames(frames.columns, frames.rows, frames.offsets)
    if (frames.lengths[everyone] < least_frames(k, topology)).any():
        require_long(all_frames, k, topology, "word models")
    bounds = np.concatenate([[0], np.cumsum([group.size for group in groups])])
    start, moves = _first_models(len(groups), k, topology)
    means = np.zeros((len(groups), k, columns.size))
    variances = np.ones_like(means)
    trace = np.zeros((len(groups), sum(rounds)))
    _train(
        frames.columns, frames.rows, frames.offsets, columns, everyone, bounds, rounds[0], least,
        start, moves, means, variances, trace,
    )  # fmt: skip
    models = WordModels(start, moves, means, variances, columns, trace)
    if rounds[1]:
        _baum_welch(models, frames, groups, rounds[0], float(tol), least)
    return models


def _side_by_side(models: WordModels) -> tuple[IntArray, FloatArray, FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return inputs of scoring, by state and within a state by model, states in blocks of LANES.

    An even number of columns of the frames; of each, 1 / sigma and then mu / sigma of every state (blocks, 2 D LANES), 0 where
    there is none; constants; logarithms of entering (min(2, K) C,), of coming from the state itself, the one before and the one
    before that (3, K C), and of leaving from the last state and the one before (2, C).
    """
    n, k, d = models.means.shape
    size, even = n * k, d + d % 2
    blocks = -(-size // LANES)
    weights = np.zeros((2, even, blocks * LANES))
    weights[0, :d, :size] = (1.0 / np.sqrt(models.variances)).transpose(2, 1, 0).reshape(d, size)
    weights[1, :d, :size] = (models.means / np.sqrt(models.variances)).transpose(2, 1, 0).reshape(d, size)
    constants = np.zeros(blocks * LANES)
    constants[:size] = -0.5 * (d * LOG_2PI + np.log(models.variances).sum(axis=2)).T.reshape(size)
    with np.errstate(divide="ignore"):
        log_start, log_moves = np.log(models.start), np.log(models.moves)
    moves, exits = np.full((3, k, n), -np.inf), np.full((2, n), -np.inf)
    for step in range(min(3, k)):
        moves[step, step:] = log_moves[:, : k - step, step].T
    exits[0] = log_moves[:, k - 1, 1]
    if k > 1:
        exits[1] = log_moves[:, k - 2, 2]
    return (
        np.concatenate([models.features, models.features[: d % 2]]),
        weights.reshape(2, even, blocks, LANES).transpose(2, 1, 0, 3).reshape(blocks, 2 * even * LANES),
        constants,
        log_start[:, : min(2, k)].T.reshape(-1).copy(),
        moves.reshape(3, size),
        exits,
    )


def word_log_likelihood(
    models: WordModels, frames: Frames, chosen: ArrayLike | None = None, decoding: Decoding = "viterbi"
) -> FloatArray:
    """Return the log-likelihood of sequences under models.

    Parameters
    ----------
    models : WordModels
    frames : Frames
    chosen : array_like of int, shape (M,), optional
        Positions of the sequences; all if not given.
    decoding : {"viterbi", "forward"}
        Of the best path, or of all paths.

    Returns
    -------
    ndarray, shape (M, C)
        In nats, of the scaled features; minus infinity where a sequence is too short for a path. Each entry depends on
        its sequence and model only.
    """
    if not is_one_of(decoding, ("viterbi", "forward")):
        raise ParameterError(unknown_name("decoding", decoding, ("viterbi", "forward")))
    some = np.arange(len(frames.lengths)) if chosen is None else as_whole_numbers(chosen, "chosen")
    if decoding == "forward" and some.size:
        scores = log_likelihood(_with_exit(models), _with_exit_frames(frames, models.features, some)).T
        return np.where(scores < _NO_PATH, -np.inf, scores)
    logliks = np.empty((some.size, len(models)))
    _score(frames.rows, *_side_by_side(models), frames.offsets, some, logliks)
    return logliks


@compiled()
def _decode(x, features, begin, steps, scales, shifts, constants, start, moves, path):  # type: ignore[no-untyped-def]
    """Best path of one sequence through one model, and its log-probability."""
    k = moves.shape[0]
    b, back = np.empty((k, steps)), np.empty((steps, k), dtype=np.int8)
    _densities(x, features, begin, steps, scales, shifts, constants, b)
    return _best(b, steps, start, moves, back, path)


@dataclass(frozen=True, eq=False)
class Decoded:
    """Path of one sequence through each of C models.

    Attributes
    ----------
    paths : ndarray, shape (C, T), int64
        State of each frame on the best path (Viterbi), from 0; of equally likely paths one that stays rather than moves on.
    path_log_likelihood : ndarray, shape (C,)
        Of the best path, in nats.
    posteriors : ndarray, shape (C, T, K)
        Probability that a frame is in a state, given the sequence, over all paths; sums to 1 over the states.
    log_likelihood : ndarray, shape (C,)
        Of all paths, in nats.
    """

    paths: IntArray
    path_log_likelihood: FloatArray
    posteriors: FloatArray
    log_likelihood: FloatArray


def decode_words(models: WordModels, frames: Frames, chosen: ArrayLike | None = None) -> list[Decoded]:
    """Return the best paths of sequences through models, and the probabilities of their states.

    Parameters
    ----------
    models : WordModels
    frames : Frames
    chosen : array_like of int, shape (M,), optional
        Positions of the sequences; all if not given.

    Returns
    -------
    list of Decoded
        One a sequence. The log-likelihoods are those of :func:`word_log_likelihood`.

    Raises
    ------
    DataError
        If a position is none, or no path through a model has a probability above 0, as where a sequence is too short.

    References
    ----------
    Rabiner (1989), sections III A and B; the models are those of report RR-8880, section 3.3.
    """
    n = len(frames.lengths)
    some = np.arange(n) if chosen is None else as_positions(chosen, n, "word models")
    c, k, d = models.means.shape
    scales, shifts, constants = np.empty((c, k, d)), np.empty((c, k, d)), np.empty((c, k))
    for model in range(c):
        _prepare(models.means[model], models.variances[model], scales[model], shifts[model], constants[model])
    with np.errstate(divide="ignore"):
        start, moves = np.log(models.start), np.log(models.moves)
    ended, bank = _with_exit_frames(frames, models.features, some), _with_exit(models)
    likelihoods = word_log_likelihood(models, frames, some, "forward")
    shares = [posteriors(bank.subset([model]), ended) for model in range(c)]
    results = []
    for i, s in enumerate(some.tolist()):
        begin, steps = int(frames.offsets[s]), int(frames.lengths[s])
        paths, scores = np.empty((c, steps), dtype=np.int64), np.empty(c)
        for model in range(c):
            scores[model] = _decode(
                frames.columns, models.features, begin, steps, scales[model], shifts[model], constants[model],
                start[model], moves[model], paths[model],
            )  # fmt: skip
            if np.isneginf(scores[model]):
                raise DataError(
                    f"word models: sequence {s}, of {steps} frames, has no path through model {model} of {k} states; leave"
                    " it out of chosen, or use fewer states"
                )
        results.append(Decoded(paths, scores, np.array([share[i][:-1, :k] for share in shares]), likelihoods[i]))
    return results


__all__ = [
    "Decoded",
    "Frames",
    "SequenceSet",
    "WordModels",
    "decode_words",
    "fit_words",
    "frames_of",
    "least_frames",
    "word_log_likelihood",
]
