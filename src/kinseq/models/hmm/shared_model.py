"""Expectation-maximisation: one model for all sequences."""

from __future__ import annotations

from collections.abc import Callable
from threading import local

import numpy as np
from numpy.typing import ArrayLike

from ...core.arrays import FloatArray, IntArray
from ...core.compiled import compiled
from ...core.errors import DataError, ParameterError
from ...core.jobs import Spread, as_threads, workers
from ...core.ordering import steady_order
from ...core.random_state import RandomState
from ...core.seeds import derive_seed
from ...core.sequences import Sequences, SequenceSet
from ...core.wording import count
from .bank import HMMBank
from .densities import Model, log_symbols, packed, unpacked, whiten
from .em_state import (
    DEAD_STATES,
    FLOOR_HITS,
    Chains,
    bank_of,
    continued,
    floor_of,
    initial_chains,
    n_packed,
    note,
    pool_variances,
    resolved,
    width_of,
)
from .expectation import Work, expect_group, room
from .initialisation import FRAMES_PER_STATE, RandomStarts, root_of
from .maximisation import LEAST_VISITS, Moments, add_moments, moments
from .packing import groups, pack
from .presets import TrainingRecipe
from .running import Reporter, reporter
from .simd import LANES, aligned

N_PARTIAL_SUMS = 8
"""Number of partial sums of a common fit; fixed, so that results do not depend on the number of threads."""
PACKED_LIMIT = 2**28
"""Largest size, in bytes, of packed frames that a common fit keeps; larger data are packed again in every iteration."""


def fit_common(
    sequences: Sequences,
    n_states: int,
    covariance: str | None = None,
    n_init: int | None = None,
    max_iter: int | None = None,
    tol: float | None = None,
    floor: float | None = None,
    init: HMMBank | None = None,
    preset: str = "default",
    random_state: RandomState = 0,
    pool: str | ArrayLike = "all",
    n_jobs: int | None = None,
    progress: Reporter = None,
    random_starts: RandomStarts = "drawn",
) -> HMMBank:
    """Fit one hidden Markov model to all sequences together by expectation-maximisation.

    Does not depend on the number of threads, and for a random start not on the order of the sequences.

    Parameters
    ----------
    sequences : SequenceSet or list of array_like, each of shape (T, d)
        At least `n_states` frames in all.
    n_states : int
        Number of states K.
    covariance, n_init, max_iter, tol, floor, preset, random_state, n_jobs, progress
        As for :func:`fit_bank`.
    init : HMMBank, optional
        A bank of one model to start from.
    pool : {"all"} or array_like of shape (d,)
        Pooled variances that the floor is relative to: those of all frames, or given ones.
    random_starts : {"drawn", "fixed"}
        As for :func:`fit_bank`.

    Returns
    -------
    HMMBank
        One model.

    Raises
    ------
    DataError
        If sequences are not finite or empty, or there are fewer frames than states.
    ParameterError
        If an argument lies outside its range or `init` has another shape.
    """
    seed, threads = root_of(random_starts, random_state), as_threads(n_jobs)
    data, recipe, k, full = resolved(
        sequences, n_states, init, preset, covariance, n_init=n_init, max_iter=max_iter, tol=tol, floor=floor
    )
    if isinstance(pool, str) and pool != "all":
        raise ParameterError(f"pool is {pool!r}, expected 'all' or an array of d variances")
    if init is not None:
        chains = continued(init, 1, k, width_of(data), full, recipe)
        order = np.arange(len(data))
        variances = pool_variances(data, pool, order)
    else:
        if len(data.values) < k:
            raise DataError(
                f"{data.name}: has {count(len(data.values), 'frame')} in all, fewer than n_states={k}; ask for fewer states"
            )
        if random_starts == "fixed":
            by_values = steady_order(data)
            order = by_values[np.argsort(-data.lengths[by_values], kind="stable")]
        else:
            keys = data.content_keys
            order = np.array(sorted(range(len(data)), key=lambda s: (-data.lengths[s], keys[s])))
        variances = pool_variances(data, pool, order)
        seeds = [[derive_seed(seed, "hmm-global", start) for start in range(recipe.n_init)]]
        frames = _sampled(data, order, FRAMES_PER_STATE * k)
        chains = initial_chains(frames, np.array(seeds, dtype=np.uint64), k, full, variances, recipe)
    chains.scale[:] = np.sqrt(variances)
    report = reporter(progress, chains.sequence.size * (recipe.max_iter + 1), "iteration")
    with workers(threads) as spread:
        fit = CommonFit(data, order, k, full, spread)
        for c in range(chains.sequence.size):
            fit.run(chains, c, recipe, report)
    return bank_of(chains, full, np.array([chains.trace[:, -1].argmax()]))


def _sampled(data: SequenceSet, order: IntArray, most: int) -> SequenceSet:
    """At most `most` frames, evenly spaced over the sequences in the given order, as one sequence."""
    ends = np.cumsum(data.lengths[order])
    every = -(-int(ends[-1]) // most)
    positions = np.arange(0, int(ends[-1]), every)
    sequence = np.searchsorted(ends, positions, side="right")
    rows = data.offsets[order[sequence]] + positions - (ends - data.lengths[order])[sequence]
    return data.with_frames(data.values[rows], np.array([0, len(rows)], dtype=np.int64))


@compiled()
def expect_slot(data, slot, is_packed, full, model, work, sums, counts, loglik):  # type: ignore[no-untyped-def]
    """E-steps of the groups of a slot: add their moments to `sums` and `counts`, and fill their rows of `loglik` (G, lanes).

    `data` are values, offsets, groups, their steps, their frames and where these begin, which are filled in if `is_packed`.
    Returns the number of lanes that needed log space.
    """
    values, offsets, groups, steps, frames, first = data
    rescued = 0
    for g in slot:
        x = frames[first[g] : first[g] + steps[g]] if is_packed else work.x
        own = Work(
            x, work.b, work.alpha, work.gamma, work.scale, work.gap, work.sums, work.lengths, work.doubtful, work.loglik,
            work.chain,
        )  # fmt: skip
        rescued += expect_group(values, offsets, groups[g], steps[g], is_packed, False, full, model, own, counts)
        add_moments(
            x, steps[g], work.gamma, work.gap, model.means, full, sums.starts, sums.visits, sums.first, sums.second
        )
        for lane in range(LANES):
            loglik[g, lane] = work.loglik[lane]
    return rescued


class CommonFit:
    """Sequences in groups for a common model, and the EM runs that fit it."""

    def __init__(self, data: SequenceSet, order: IntArray, k: int, full: bool | None, spread: Spread) -> None:
        self.data, self.k, self.full, self.spread = data, k, full, spread
        grouped = groups(data.lengths[order])
        self.groups = np.where(grouped >= 0, order[grouped], -1)
        self.steps = data.lengths[self.groups[:, 0]]
        d = data.n_features
        self.slots = [
            np.arange(slot, len(self.groups), N_PARTIAL_SUMS) for slot in range(min(N_PARTIAL_SUMS, len(self.groups)))
        ]
        self.thread = local()
        self.first = np.concatenate([[0], np.cumsum(self.steps)])
        self.is_packed = int(self.first[-1]) * d * LANES * 8 <= PACKED_LIMIT
        self.frames = aligned(int(self.first[-1]) if self.is_packed else 1, d, LANES)
        self.loglik = np.empty(self.groups.shape)
        width = width_of(data)
        self.room = [(*moments(k, width, n_packed(width, full)), aligned(k, k, LANES)) for _ in self.slots]
        if self.is_packed:
            lengths = np.empty(LANES)
            for members, steps, first in zip(self.groups, self.steps, self.first, strict=False):
                pack(data.values, data.offsets, members, 0, int(steps), self.frames[first : first + steps], lengths)

    def expectation(self, model: Model) -> tuple[Moments, float, int]:
        """Moments over all sequences, log-likelihood and number of sequences that needed log space."""
        parts = list(self.spread(lambda slot: self._slot(slot, model), self.slots))
        sums = Moments(*(np.sum([getattr(part[0], name) for part in parts], axis=0) for name in Moments._fields))
        return sums, float(sum(part[1] for part in parts)), sum(part[2] for part in parts)

    def _slot(self, slot: IntArray, model: Model) -> tuple[Moments, float, int]:
        block, sums, counts = self.room[int(slot[0])]
        block[...], counts[...] = 0.0, 0.0
        if not hasattr(self.thread, "work"):
            longest = int(self.steps.max())
            self.thread.work = room(longest, self.k, self.data.n_features, bool(self.full), frames=not self.is_packed)
        rescued = expect_slot(
            (self.data.values, self.data.offsets, self.groups, self.steps, self.frames, self.first),
            slot, self.is_packed, bool(self.full), model, self.thread.work, sums, counts, self.loglik,
        )  # fmt: skip
        sums.counts[:] = counts.sum(axis=2)
        of_groups = self.loglik[slot].sum(axis=1)
        for place in np.flatnonzero(self.groups[slot, -1] < 0):
            of_groups[place] = self.loglik[slot[place], self.groups[slot[place]] >= 0].sum()
        return sums, sum(of_groups.tolist()), rescued

    def _square(self, covars: FloatArray) -> FloatArray:
        return unpacked(covars, self.data.n_features) if self.full else covars

    def run(self, chains: Chains, c: int, recipe: TrainingRecipe, report: Callable[[int], None]) -> None:
        """EM of chain c from its current start."""
        members = np.full(LANES, -1, dtype=np.int64)
        members[0] = c
        active = np.ones(LANES)
        least, added = floor_of(recipe)
        variances = chains.scale[c] ** 2
        if self.full is not None:
            covars, _ = regular(self._square(chains.covars[c]), variances, least, 0.0)
            chains.covars[c] = packed(covars) if self.full else covars
        for iteration in range(recipe.max_iter + 1):
            if self.full is None:
                white, constants = log_symbols(chains.means[c]), np.empty(0)
            else:
                white, constants = whiten(self._square(chains.covars[c]), self.full)
            trans = chains.transmat[c]
            model = Model(
                chains.startprob[c].copy(), trans.copy(), trans.T.copy(), chains.means[c].copy(), white, constants
            )
            sums, loglik, rescued = self.expectation(model)
            counts = np.zeros(LANES)
            counts[0] = rescued > 0
            left = note(
                chains.trace, chains.report, members, iteration, recipe.max_iter, float(recipe.tol),
                recipe.stop == "change", np.full(LANES, loglik), counts, active,
            )  # fmt: skip
            if not left:
                report(recipe.max_iter + 1 - iteration)
                break
            maximise_one(sums, chains, c, self.full, variances, least, added)
            report(1)


def maximise_one(
    sums: Moments, chains: Chains, c: int, full: bool | None, variances: FloatArray, least: float, added: float
) -> None:
    """M-step of one model; the formulas of :func:`~kinseq.models.hmm.maximisation.maximise`."""
    chains.startprob[c] = sums.starts / sums.starts.sum()
    leaving = sums.counts.sum(axis=1)
    left = leaving >= LEAST_VISITS
    chains.transmat[c, left] = sums.counts[left] / leaving[left, None]
    alive = sums.visits >= LEAST_VISITS
    if full is None:
        chains.means[c] = shares_of(sums.first, chains.means[c])
        chains.report[c, DEAD_STATES] = int((~alive).sum())
        return
    visits = sums.visits[alive, None]
    shift = sums.first[alive] / visits
    chains.means[c, alive] += shift
    covars = sums.second[alive] / visits
    outer = shift[:, :, None] * shift[:, None, :]
    covars = unpacked(covars, shift.shape[1]) - outer if full else covars - shift * shift
    covars, hits = regular(covars, variances, least, added)
    chains.covars[c, alive] = packed(covars) if full else covars
    chains.report[c, FLOOR_HITS] += hits
    chains.report[c, DEAD_STATES] = int((~alive).sum())


def shares_of(counts: FloatArray, otherwise: FloatArray) -> FloatArray:
    """Return the share of each entry in its row, shape (K, S); empty rows are taken from `otherwise`."""
    totals = counts.sum(axis=1, keepdims=True)
    return np.where(totals >= LEAST_VISITS, counts / np.where(totals > 0.0, totals, 1.0), otherwise)


def regular(covars: FloatArray, variances: FloatArray, least: float, added: float) -> tuple[FloatArray, int]:
    """Floored covariances, (K, d) or (K, d, d), and the number of clipped states."""
    if covars.ndim == 2:
        lifted = covars + added
        clipped = np.maximum(lifted, least * variances)
        return clipped, int((clipped > lifted).any(axis=1).sum())
    scale = np.sqrt(variances)
    lifted = covars + added * np.eye(len(variances))
    values, vectors = np.linalg.eigh(lifted / np.outer(scale, scale))
    hit = values[:, :1, None] < least
    clipped = (vectors * np.maximum(values, least)[:, None, :]) @ np.swapaxes(vectors, 1, 2) * np.outer(scale, scale)
    return np.where(hit, 0.5 * (clipped + np.swapaxes(clipped, 1, 2)), lifted), int(hit.sum())


__all__ = ["CommonFit", "fit_common"]
