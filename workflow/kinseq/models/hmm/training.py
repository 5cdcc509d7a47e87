"""Expectation-maximisation: one model per sequence, or one model for all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ...arrays import FloatArray, as_count
from ...errors import DataError, ParameterError
from ...seeds import content_key, derive_seed
from ...sequences import Sequences, SequenceSet, as_sequence_set
from .bank import HMMBank
from .densities import log_densities
from .initialisation import FRAMES_PER_STATE, draw_starts, pooled_variances, sequence_variances
from .presets import Recipe, is_full, resolve
from .recursions import backward, forward, log_transition_counts, logsumexp
from .scoring import _log, reporter

LEAST_VISITS = 1e-10
REGULAR = 1e-12


@dataclass
class _Chain:
    startprob: FloatArray
    transmat: FloatArray
    means: FloatArray
    covars: FloatArray
    trace: list[float]
    converged: bool = False
    floor_hits: int = 0
    dead_states: int = 0
    falls: int = 0
    rescues: int = 0


def _regular(covars: FloatArray, variances: FloatArray, recipe: Recipe, add: bool = True) -> tuple[FloatArray, int]:
    """Covariances made regular by the recipe's rule, and the number that changed by clipping."""
    least = REGULAR
    if recipe.rule == "clip":
        least = max(recipe.floor, REGULAR)
    if covars.ndim == 2:
        if recipe.rule == "add" and add:
            covars = covars + recipe.floor
        clipped = np.maximum(covars, least * variances)
        return clipped, int((clipped != covars).any(axis=1).sum())
    if recipe.rule == "add" and add:
        covars = covars + recipe.floor * np.eye(covars.shape[-1])
    covars = 0.5 * (covars + np.swapaxes(covars, 1, 2))
    scale = np.sqrt(variances)
    values, vectors = np.linalg.eigh(covars / np.outer(scale, scale))
    hit = values[:, 0] < least
    if hit.any():
        fixed = (vectors * np.maximum(values, least)[:, None, :]) @ np.swapaxes(vectors, 1, 2) * np.outer(scale, scale)
        covars = np.where(hit[:, None, None], fixed, covars)
        covars = 0.5 * (covars + np.swapaxes(covars, 1, 2))
    return covars, int(hit.sum())


def _em(chain: _Chain, xs: list[FloatArray], variances: FloatArray, recipe: Recipe) -> None:
    stacked = np.concatenate(xs)
    k = chain.startprob.size
    chain.covars, _ = _regular(chain.covars, variances, recipe, add=False)
    for iteration in range(recipe.max_iter + 1):
        log_trans = _log(chain.transmat)
        total, gammas, starts, counts = 0.0, [], np.zeros(k), np.zeros((k, k))
        for x in xs:
            log_b = log_densities(x, chain.means, chain.covars)
            alpha = forward(_log(chain.startprob), log_trans, log_b)
            loglik = logsumexp(alpha[-1])
            total += loglik
            if iteration < recipe.max_iter:
                beta = backward(log_trans, log_b)
                gammas.append(np.exp(alpha + beta - loglik))
                starts += gammas[-1][0]
                counts += np.exp(log_transition_counts(log_trans, log_b, alpha, beta) - loglik)
        chain.trace.append(float(total))
        if iteration > 0:
            gain, size = total - chain.trace[-2], max(1.0, abs(chain.trace[-2]))
            chain.falls += gain < -1e-12 * size
            if gain < recipe.tol * size:
                chain.converged = True
                break
        if iteration == recipe.max_iter:
            break
        gamma = np.concatenate(gammas)
        chain.startprob = starts / starts.sum()
        leaving = counts.sum(axis=1)
        kept = leaving < LEAST_VISITS
        chain.transmat = np.where(kept[:, None], chain.transmat, counts / np.where(kept, 1.0, leaving)[:, None])
        visits = gamma.sum(axis=0)
        dead = visits < LEAST_VISITS
        chain.dead_states = int(dead.sum())
        for s in np.flatnonzero(~dead):
            weights = gamma[:, s] / visits[s]
            gap = stacked - chain.means[s]
            shift = weights @ gap
            chain.means[s] += shift
            gap -= shift
            if chain.covars.ndim == 2:
                updated = weights @ (gap * gap)
            else:
                updated = (gap * weights[:, None]).T @ gap
            updated, hits = _regular(updated[None], variances, recipe)
            chain.covars[s] = updated[0]
            chain.floor_hits += hits


def _bank(chains: list[_Chain]) -> HMMBank:
    longest = max(len(chain.trace) for chain in chains)
    return HMMBank(
        np.array([chain.startprob for chain in chains]),
        np.array([chain.transmat for chain in chains]),
        np.array([chain.means for chain in chains]),
        np.array([chain.covars for chain in chains]),
        trace=np.array([chain.trace + chain.trace[-1:] * (longest - len(chain.trace)) for chain in chains]),
        n_iter=np.array([len(chain.trace) - 1 for chain in chains]),
        converged=np.array([chain.converged for chain in chains]),
        **{name: np.array([getattr(chain, name) for chain in chains]) for name in ("floor_hits", "dead_states", "falls", "rescues")},
    )


def _check_init(init: HMMBank, n_models: int, n_states: int, n_features: int, full: bool) -> None:
    wanted = (n_models, n_states, n_features, full)
    given = (len(init), init.n_states, init.n_features, init.full)
    if wanted != given:
        def say(what: tuple[int, int, int, bool]) -> str:
            return f"{what[0]} models, K={what[1]}, d={what[2]}, {'full' if what[3] else 'diagonal'} covariances"

        raise ParameterError(f"init holds {say(given)}; the fit needs {say(wanted)}")


def fit_bank(
    sequences: Sequences,
    n_states: int,
    covariance: str | None = None,
    n_init: int | None = None,
    max_iter: int | None = None,
    tol: float | None = None,
    floor: float | None = None,
    init: HMMBank | None = None,
    preset: str = "default",
    seed: int = 0,
    pool: str | ArrayLike = "sequence",
    threads: int = 1,
    progress: str | Callable[[int, int], None] | None = None,
) -> HMMBank:
    """Fit one hidden Markov model to each sequence."""
    data = as_sequence_set(sequences)
    as_count(threads, "threads")
    recipe = resolve(preset, covariance=covariance, n_init=n_init, max_iter=max_iter, tol=tol, floor=floor)
    k, d = as_count(n_states, "n_states"), data.n_features
    full = is_full(recipe, d) if covariance is not None or init is None else init.full
    variances = _pool(data, pool)
    if init is not None:
        _check_init(init, len(data), k, d, full)
        n_init, starts = 1, init
    else:
        short = np.flatnonzero(data.lengths < k)
        if short.size:
            raise DataError(
                f"{data.name}: sequence {data.ids[short[0]]!r} has {data.lengths[short[0]]} frames, fewer than n_states={k};"
                " ask for fewer states or leave it out"
            )
        n_init = recipe.n_init
        keys = [content_key(x) for x in data]
        seeds = np.array([[derive_seed(seed, "hmm", key, r) for r in range(n_init)] for key in keys], dtype=np.uint64)
        starts = _starts(data, k, full, variances, seeds, recipe)
    step = reporter(progress, len(data), "sequence")
    best = []
    for s, x in enumerate(data):
        chains = []
        for c in range(s * n_init, (s + 1) * n_init):
            chain = _Chain(starts.startprob[c].copy(), starts.transmat[c].copy(), starts.means[c].copy(), starts.covars[c].copy(), [])
            _em(chain, [x], variances[s], recipe)
            chains.append(chain)
        best.append(max(chains, key=lambda chain: chain.trace[-1]))
        step(1)
    return _bank(best)


def _pool(data: SequenceSet, pool: str | ArrayLike) -> FloatArray:
    if isinstance(pool, str):
        if pool == "sequence":
            return sequence_variances(data)
        if pool == "all":
            return np.tile(pooled_variances(data.values), (len(data), 1))
        raise ParameterError(f"pool is {pool!r}, expected 'sequence', 'all' or an array of variances")
    variances = np.asarray(pool, dtype=np.float64)
    if variances.shape != (data.n_features,) or not (variances > 0).all():
        raise ParameterError(f"pool has shape {variances.shape}, expected ({data.n_features},) positive variances")
    return np.tile(variances, (len(data), 1))


class _Starts:
    def __init__(self, n: int, k: int, d: int, full: bool) -> None:
        self.startprob, self.transmat = np.empty((n, k)), np.empty((n, k, k))
        self.means, self.covars = np.empty((n, k, d)), np.empty((n, k, d, d) if full else (n, k, d))


def _starts(data: SequenceSet, k: int, full: bool, variances: FloatArray, seeds: np.ndarray, recipe: Recipe) -> _Starts:
    starts = _Starts(seeds.size, k, data.n_features, full)
    scales = np.sqrt(variances) if recipe.scaled else np.ones_like(variances)
    draw_starts(data.values, data.offsets, scales, seeds, starts.startprob, starts.transmat, starts.means, starts.covars)
    return starts


def fit_global(
    sequences: Sequences,
    n_states: int,
    covariance: str | None = None,
    n_init: int | None = None,
    max_iter: int | None = None,
    tol: float | None = None,
    floor: float | None = None,
    init: HMMBank | None = None,
    preset: str = "default",
    seed: int = 0,
    pool: str | ArrayLike = "all",
    threads: int = 1,
    progress: str | Callable[[int, int], None] | None = None,
) -> HMMBank:
    """Fit one hidden Markov model to all sequences together."""
    data = as_sequence_set(sequences)
    as_count(threads, "threads")
    recipe = resolve(preset, covariance=covariance, n_init=n_init, max_iter=max_iter, tol=tol, floor=floor)
    k, d = as_count(n_states, "n_states"), data.n_features
    full = is_full(recipe, d) if covariance is not None or init is None else init.full
    variances = _pool(data, pool)[:1]
    if init is not None:
        _check_init(init, 1, k, d, full)
        n_init, starts = 1, init
    else:
        if len(data.values) < k:
            raise DataError(f"{data.name}: has {len(data.values)} frames in all, fewer than n_states={k}; ask for fewer states")
        n_init = recipe.n_init
        seeds = np.array([[derive_seed(seed, "hmm-global", r) for r in range(n_init)]], dtype=np.uint64)
        every = max(1, len(data.values) // (FRAMES_PER_STATE * k))
        sample = SequenceSet.from_arrays([data.values[::every]])
        starts = _starts(sample, k, full, variances, seeds, recipe)
    step = reporter(progress, n_init, "start")
    chains = []
    for c in range(n_init):
        chain = _Chain(starts.startprob[c].copy(), starts.transmat[c].copy(), starts.means[c].copy(), starts.covars[c].copy(), [])
        _em(chain, list(data), variances[0], recipe)
        chains.append(chain)
        step(1)
    return _bank([max(chains, key=lambda chain: chain.trace[-1])])
