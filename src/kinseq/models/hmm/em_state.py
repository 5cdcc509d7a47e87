"""Parallel runs of EM: their inputs, starts and records."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...core.arrays import FloatArray, IntArray, as_count, as_numbers
from ...core.compiled import compiled
from ...core.errors import ParameterError
from ...core.sequences import Sequences, SequenceSet, as_sequence_set, require_range
from ...core.variances import pooled_variances
from .bank import HMMBank
from .densities import packed, unpacked
from .initialisation import draw_starts, draw_symbol_starts
from .maximisation import MIN_EIGENVALUE
from .presets import FramePrior, TrainingRecipe, is_full, resolve
from .simd import LANES, pieces

ROUNDING_SHARE = 1e-12
"""Largest fall relative to the likelihood that counts as rounding."""

N_ITER, RUNNING, CONVERGED, FLOOR_HITS, DEAD_STATES, FALLS, RESCUES = range(7)
"""Columns of the report of a chain."""


def width_of(data: SequenceSet) -> int:
    """Return the number of entries of a mean: features, or symbols of the alphabet with their probabilities."""
    return data.n_features if data.alphabet is None else len(data.alphabet)


def n_packed(d: int, full: bool | None) -> int:
    """Return the number of entries of a covariance; `full` is None for symbols, which have none."""
    if full is None:
        return 0
    return d * (d + 1) // 2 if full else d


def shapes_of(k: int, d: int, full: bool | None) -> tuple[tuple[int, ...], ...]:
    """Start, transitions, means, covariances and scale: the parts of a row of parameters."""
    return (k,), (k, k), (k, d), (k, n_packed(d, full)), (0 if full is None else d,)


class Chains:
    """C parallel runs of EM: one row of parameters each, and their records.

    The named parameters are views of the rows `parameters` (C, S): a kernel moves a row into a lane and back as one.
    """

    def __init__(self, sequence: IntArray, k: int, d: int, full: bool | None, max_iter: int) -> None:
        c = sequence.size
        self.sequence = sequence
        """(C,), the sequence that each chain is fitted to"""
        self.parameters = np.zeros((c, sum(math.prod(shape) for shape in shapes_of(k, d, full))))
        columns = pieces(self.parameters.T, shapes_of(k, d, full))
        self.startprob, self.transmat, self.means, self.covars, self.scale = (
            np.moveaxis(column, -1, 0) for column in columns
        )
        self.trace = np.zeros((c, max_iter + 1))
        self.report = np.zeros((c, 7), dtype=np.int64)
        self.report[:, RUNNING] = 1

    @property
    def rows(self) -> tuple[IntArray, FloatArray, FloatArray, IntArray]:
        """Parameters and state of the chains, one row per chain."""
        return self.sequence, self.parameters, self.trace, self.report


@compiled()
def note(trace, report, members, iteration, max_iter, tol, by_change, loglik, doubtful, active):  # type: ignore[no-untyped-def]
    """Record the likelihoods of one iteration, stop the chains whose gain < tol * max(1, |L|), and return whether any is left.

    If `by_change`, those whose |gain| < tol times the mean of both |L|.
    """
    left = False
    for lane in range(LANES):
        c = members[lane]
        if c < 0 or active[lane] == 0.0:
            continue
        for later in range(iteration, trace.shape[1]):
            trace[c, later] = loglik[lane]
        report[c, N_ITER] = iteration
        report[c, RESCUES] += int(doubtful[lane])
        if iteration > 0:
            before = trace[c, iteration - 1]
            gain, size = loglik[lane] - before, max(1.0, abs(before))
            if gain < -ROUNDING_SHARE * size:
                report[c, FALLS] += 1
            if by_change:
                size = 0.5 * (abs(loglik[lane]) + abs(before))
                gain = abs(gain)
            if gain < tol * size:
                report[c, CONVERGED] = 1
        if report[c, CONVERGED] == 1 or iteration == max_iter:
            report[c, RUNNING] = 0
            active[lane] = 0.0
        else:
            left = True
    return left


def floor_of(recipe: TrainingRecipe) -> tuple[float, float]:
    """Return the least relative eigenvalue, and the addition to the diagonal."""
    if recipe.rule == "clip":
        return max(recipe.floor, MIN_EIGENVALUE), 0.0
    return MIN_EIGENVALUE, recipe.floor


def resolved(
    sequences: Sequences,
    n_states: int,
    init: HMMBank | None,
    preset: str,
    covariance: str | None,
    **explicit: float | FramePrior | None,
) -> tuple[SequenceSet, TrainingRecipe, int, bool | None]:
    """Return the checked inputs of both kinds of fit: data, recipe, states, full covariances or not, None for symbols."""
    data = as_sequence_set(sequences)
    require_range(data)
    recipe = resolve(preset, covariance=covariance, **explicit)
    k = as_count(n_states, "n_states")
    if data.alphabet is not None:
        return data, recipe, k, None
    full = init.full if init is not None and covariance is None else is_full(recipe, data.n_features)
    return data, recipe, k, full


def pool_variances(data: SequenceSet, pool: str | ArrayLike, order: IntArray) -> FloatArray:
    """Pooled variances, shape (N, d) per sequence, otherwise (1, d); for symbols (1, 0)."""
    if data.alphabet is not None:
        return np.ones((1, 0))
    if isinstance(pool, str):
        if pool not in ("sequence", "all"):
            raise ParameterError(f"pool is {pool!r}, expected 'sequence', 'all' or an array of d variances")
        bounds = np.arange(len(data) + 1) if pool == "sequence" else np.array([0, len(data)])
        return pooled_variances(data, order, bounds)
    variances = as_numbers(pool, "pool")
    if variances.shape != (data.n_features,) or not (np.isfinite(variances) & (variances > 0.0)).all():
        raise ParameterError(
            f"pool has shape {variances.shape}, expected ({data.n_features},) positive and finite variances"
        )
    return variances[None]


def continued(init: HMMBank, n_models: int, k: int, d: int, full: bool | None, recipe: TrainingRecipe) -> Chains:
    """Return one chain per model of `init`, which must have the shape of the fit."""

    def say(models: int, states: int, features: int, full: bool | None) -> str:
        if full is None:
            return f"{models} models, K={states}, {features} symbols"
        return f"{models} models, K={states}, d={features}, {'full' if full else 'diagonal'} covariances"

    shape = say(len(init), init.n_states, init.means.shape[2], None if init.categorical else init.full)
    wanted = say(n_models, k, d, full)
    if shape != wanted:
        raise ParameterError(f"init holds {shape} but the fit needs {wanted}")
    chains = Chains(np.arange(n_models), k, d, full, recipe.max_iter)
    chains.startprob[:], chains.transmat[:], chains.means[:] = init.startprob, init.transmat, init.means
    chains.covars[:] = packed(init.covars) if init.full else init.covars
    return chains


def initial_chains(
    data: SequenceSet,
    seeds: NDArray[np.uint64],
    k: int,
    full: bool | None,
    variances: FloatArray,
    recipe: TrainingRecipe,
) -> Chains:
    """Chains from random starts, one row of `seeds` per sequence."""
    d = width_of(data)
    chains = Chains(np.repeat(np.arange(len(data)), seeds.shape[1]), k, d, full, recipe.max_iter)
    if full is None:
        draw_symbol_starts(seeds, chains.startprob, chains.transmat, chains.means)
        return chains
    scales = np.sqrt(variances) if recipe.scaled else np.ones(variances.shape)
    starts = [np.empty(view.shape) for view in (chains.startprob, chains.transmat, chains.means, chains.covars)]
    toolbox = recipe.start == "toolbox"
    draw_starts(data.values, data.offsets, np.ascontiguousarray(scales), seeds, full, toolbox, *starts)
    chains.startprob[:], chains.transmat[:], chains.means[:], chains.covars[:] = starts
    diagonal = np.cumsum(np.arange(1, d + 1)) - 1 if full else np.arange(d)
    if toolbox:
        chains.covars[:, :, diagonal] += _missing_rank(starts[3], d, full)
    else:
        # Covariances of clusters come from data as those of an M-step do, and are treated alike.
        chains.covars[:, :, diagonal] += floor_of(recipe)[1]
    return chains


def _missing_rank(covars: FloatArray, d: int, full: bool) -> FloatArray:
    """Return the addition to the diagonals (C, K, d) of first covariances: 1 if the rank is not full or a variance is 0."""
    if not full:
        return np.asarray(covars < np.finfo(np.float64).eps, dtype=np.float64)
    ranks = np.linalg.matrix_rank(unpacked(covars, d), hermitian=True)
    return np.repeat((ranks < d)[..., None].astype(np.float64), d, axis=2)


def bank_of(chains: Chains, full: bool | None, indices: IntArray) -> HMMBank:
    """Return some of the chains as a bank of models."""
    report = chains.report[indices]
    return HMMBank(
        startprob=chains.startprob[indices],
        transmat=chains.transmat[indices],
        means=chains.means[indices],
        covars=unpacked(chains.covars[indices], chains.means.shape[2]) if full else chains.covars[indices],
        trace=chains.trace[indices, : report[:, N_ITER].max() + 1],
        n_iter=report[:, N_ITER],
        converged=report[:, CONVERGED] == 1,
        floor_hits=report[:, FLOOR_HITS],
        dead_states=report[:, DEAD_STATES],
        falls=report[:, FALLS],
        rescues=report[:, RESCUES],
    )
