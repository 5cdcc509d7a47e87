"""Expectation-maximisation: one model per sequence."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ...core.arrays import FloatArray, IntArray, as_count
from ...core.compiled import compiled, inlined
from ...core.errors import DataError
from ...core.jobs import ThreadLocal, as_threads, each
from ...core.random_state import RandomState, check_seed
from ...core.seeds import derive_seed
from ...core.sequences import Sequences, SequenceSet
from ...core.wording import count
from .bank import HMMBank
from .densities import Model
from .em_state import (
    DEAD_STATES,
    FLOOR_HITS,
    RUNNING,
    Chains,
    bank_of,
    continued,
    floor_of,
    initial_chains,
    n_packed,
    note,
    pool_variances,
    resolved,
    shapes_of,
    width_of,
)
from .expectation import Work, expect, room
from .initialisation import FIXED, RandomStarts, root_of
from .linalg import identity
from .maximisation import (
    Floor,
    Matrices,
    Moments,
    add_moments,
    log_probabilities,
    matrices,
    maximise,
    moments,
    regularise,
    tie,
    whiten_lanes,
)
from .packing import groups, longest, pack
from .presets import FramePrior, TrainingRecipe
from .running import Reporter, reporter
from .simd import LANES, aligned, load, pieces, repeat, store

ROUND_ITERATIONS = 8
"""EM iterations between two sortings of the running chains, so that converged ones leave their lanes."""


class Lane(NamedTuple):
    """Workspace of a running group of chains; every array has a last axis of lanes."""

    parameters: FloatArray
    """(S, lanes); the following fields up to the model's means are views of it"""
    covars: FloatArray
    scale: FloatArray
    model: Model
    moments: FloatArray
    """(R, lanes), of which `sums` are views"""
    sums: Moments
    matrices: Matrices
    active: FloatArray
    hits: FloatArray
    dead: FloatArray


def _lane(k: int, d: int, full: bool | None) -> Lane:
    shapes = shapes_of(k, d, full)
    parameters = aligned(sum(math.prod(shape) for shape in shapes), LANES)
    start, trans, means, covars, scale = pieces(parameters, shapes)
    white, constants = (
        (aligned(k, d, LANES), aligned(0, LANES))
        if full is None
        else (
            aligned(k, n_packed(d, full), LANES),
            aligned(k, LANES),
        )
    )
    model = Model(start, trans, aligned(k, k, LANES), means, white, constants)
    flat, sums = moments(k, d, n_packed(d, full), LANES)
    single = (aligned(LANES) for _ in range(3))
    return Lane(parameters, covars, scale, model, flat, sums, matrices(k, d, bool(full)), *single)


@inlined
def gather(rows, members, block):  # type: ignore[no-untyped-def]
    """``block[i, l] = rows[members[l], i]``; an empty lane copies lane 0."""
    for lane in range(LANES):
        c = members[lane] if members[lane] >= 0 else members[0]
        for i in range(block.shape[0]):
            block[i, lane] = rows[c, i]


@inlined
def scatter(block, members, rows):  # type: ignore[no-untyped-def]
    """``rows[members[l], i] = block[i, l]``."""
    for lane in range(LANES):
        if members[lane] >= 0:
            for i in range(block.shape[0]):
                rows[members[lane], i] = block[i, lane]


@inlined
def enter(sequence, parameters, offsets, members, values, work, lane):  # type: ignore[no-untyped-def]
    """Load the chains `members` and the frames of their sequences into the lanes; return the longest number of frames."""
    places = np.empty(LANES, np.int64)
    for m in range(LANES):
        filled = members[m] >= 0
        places[m] = sequence[members[m]] if filled else -1
        lane.active[m] = 1.0 if filled else 0.0
        lane.hits[m], lane.dead[m] = 0.0, 0.0
    steps = longest(offsets, places)
    pack(values, offsets, places, np.int64(0), steps, work.x, work.lengths)
    gather(parameters, members, lane.parameters)
    return steps


@inlined
def prepare(model, covars, full, room, sums):  # type: ignore[no-untyped-def]
    """Before an E-step: whitening matrices, transposed transitions, and moments of zero."""
    if covars.shape[1] == 0:
        log_probabilities(model.means, model.white)
    else:
        whiten_lanes(covars, full, room, model.white, model.constants)
    for i in range(model.trans.shape[0]):
        for j in range(model.trans.shape[0]):
            store(load(model.trans, i, j), model.back, j, i)
    for i in range(sums.shape[0]):
        store(repeat(0.0), sums, i)


@compiled()
def run_group(  # type: ignore[no-untyped-def]
    values, offsets, sequence, parameters, trace, report, members, full, tied, begin, end, max_iter, tol, by_change, least,
    added, prior, work, lane
):  # fmt: skip
    """EM iterations ``begin .. end - 1`` of the chains in `members` (lanes,): E-step, test, M-step.

    If `tied` they are mixtures: what state comes next does not depend on the present one.
    """
    model, sums = lane.model, lane.sums
    steps = enter(sequence, parameters, offsets, members, values, work, lane)
    floor = Floor(lane.scale, least, added, prior.frames, prior.share, prior.seen)
    for k in range(model.start.shape[0]):
        identity(k, lane.matrices.vectors)
    if begin == 0:
        # EM only climbs among models that obey the floor, so the first one must obey it.
        for k in range(model.start.shape[0]):
            regularise(lane.covars, k, full, floor, 0.0, lane.matrices)
    for iteration in range(begin, end):
        prepare(model, lane.covars, full, lane.matrices, lane.moments)
        expect(model, full, work, steps, sums.counts)
        if not note(
            trace, report, members, iteration, max_iter, tol, by_change, work.loglik, work.doubtful, lane.active
        ):
            break
        add_moments(
            work.x, steps, work.gamma, work.gap, model.means, full, sums.starts, sums.visits, sums.first, sums.second
        )
        if tied:
            tie(sums)
        maximise(
            sums, full, lane.active, floor, lane.matrices, model.start, model.trans, model.means, lane.covars,
            lane.hits, lane.dead,
        )  # fmt: skip
    scatter(lane.parameters, members, parameters)
    for m in range(LANES):
        if members[m] >= 0:
            report[members[m], FLOOR_HITS] += int(lane.hits[m])
            report[members[m], DEAD_STATES] = int(lane.dead[m])


def _run(
    data: SequenceSet,
    chains: Chains,
    full: bool | None,
    recipe: TrainingRecipe,
    threads: int,
    report: Callable[[int], None],
    tied: bool = False,
) -> None:
    """Run all chains until they stop, regrouped by length every :data:`ROUND_ITERATIONS` iterations."""
    k, d = chains.means.shape[1:]
    lengths = data.lengths[chains.sequence]
    least, added = floor_of(recipe)
    # Without a test of the gain all chains run to the end, and sorting again saves nothing.
    size = ROUND_ITERATIONS if recipe.tol > -np.inf else recipe.max_iter + 1
    rooms = ThreadLocal(partial(_rooms, int(lengths.max()), k, d, full, data.n_features))
    how = bool(full), tied, recipe.max_iter, float(recipe.tol), recipe.stop == "change", least, added, recipe.prior
    for begin in range(0, recipe.max_iter + 1, size):
        running = np.flatnonzero(chains.report[:, RUNNING])
        if not running.size:
            break
        grouped = groups(lengths[running])
        chain_indices = [running[members[members >= 0]] for members in grouped]
        rows = (tuple(array[members] for array in chains.rows) for members in chain_indices)
        end = min(begin + size, recipe.max_iter + 1)
        ran = each(_ran, rows, threads, data.values, data.offsets, begin, end, how, rooms)
        for members, arrays in zip(chain_indices, ran, strict=True):
            for array, of_members in zip(chains.rows, arrays, strict=True):
                array[members] = of_members
            report(int((chains.report[members, RUNNING] == 0).sum()))


def _rooms(longest: int, k: int, d: int, full: bool | None, n_features: int) -> tuple[Work, Lane]:
    return room(longest, k, n_features, bool(full)), _lane(k, d, full)


def _ran(
    rows: tuple[Any, ...],
    values: FloatArray,
    offsets: IntArray,
    begin: int,
    end: int,
    how: tuple[Any, ...],
    rooms: ThreadLocal[tuple[Work, Lane]],
) -> tuple[Any, ...]:
    """Return the rows of some chains after further iterations."""
    sequence = rows[0]
    parameters, trace, report = (array.copy() for array in rows[1:])
    full, tied, max_iter, tol, by_change, least, added, prior = how
    members = np.full(LANES, -1)
    members[: len(sequence)] = np.arange(len(sequence))
    run_group(
        values, offsets, sequence, parameters, trace, report, members, full, tied, begin, end, max_iter, tol, by_change,
        least, added, prior, *rooms(),
    )  # fmt: skip
    return sequence, parameters, trace, report


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
    random_state: RandomState = 0,
    pool: str | ArrayLike = "sequence",
    n_jobs: int | None = None,
    progress: Reporter = None,
    prior: FramePrior | None = None,
    random_starts: RandomStarts = "drawn",
) -> HMMBank:
    """Fit one hidden Markov model to each sequence by expectation-maximisation.

    A model depends on its own sequence, the arguments and the seed only: not on the other sequences, their order, or
    the number of threads, to the last bit.

    Parameters
    ----------
    sequences : SequenceSet or list of array_like, each of shape (T, d)
        N sequences with at least `n_states` frames each. Of symbols, emissions are categorical, and their probabilities are the
        most likely ones, without a floor; `covariance`, `floor` and `pool` then say nothing.
    n_states : int
        Number of states K.
    covariance : {"full", "diag", "auto"}, optional
        Kind of covariance; ``"auto"`` is full up to 30 features. This and the following: None takes what the preset
        says, see ``kinseq.models.hmm.presets.PRESETS``; an explicit value wins.
    n_init : int, optional
        Number of starts, of which the one with the largest final likelihood is kept.
    max_iter : int, optional
        Greatest number of EM iterations; 0 returns the start.
    tol : float, optional
        Stop when the gain in log-likelihood is below ``tol * max(1, |L|)``; ``-inf`` runs all iterations.
    floor : float, optional
        Floor of the covariances: relative to the pooled variances under ``"default"``, in squared units of the data
        under ``"classic"`` and ``"toolbox"``. Eigenvalues below 1e-12 of the pooled variances are lifted in any case.
    init : HMMBank, optional
        One model per sequence to start from, instead of `n_init` random ones. It is made to obey the floor first.
    preset : {"default", "classic", "toolbox"}
        Recipe that fills in what is None. ``"default"`` never lowers the likelihood; the others can, and their falls
        are counted. ``"toolbox"`` also draws starts and stops as toolboxes of the documents' years do.
    random_state : int, RandomState, Generator or None
        Root of the random starts.
    pool : {"sequence", "all"} or array_like of shape (d,)
        Pooled variances D that the floor (and k-means) are relative to: those of each sequence by itself, of all
        sequences together (models then depend on the company a sequence is in), or given ones. A column that is
        constant takes the least variance among the other columns, or 1.
    n_jobs : int or None
        Number of threads; no number depends on it.
    progress : str or callable, optional
        A label under which lines with an ETA go to standard error, or ``progress(done, total)``.
    prior : FramePrior, optional
        Priors in frames of the pooled variances; none by default, which is maximum likelihood.
    random_starts : {"drawn", "fixed"}
        Random starts of each sequence by `random_state` and its content, or one stream for all sequences, on which neither the
        seed nor the last digits of the frames have an influence.

    Returns
    -------
    HMMBank
        N models with trace, iterations, convergence and counts of repairs; see :meth:`HMMBank.summary`.

    Raises
    ------
    DataError
        If sequences are not finite, empty or shorter than `n_states`.
    ParameterError
        If an argument lies outside its range or `init` has another shape.

    Notes
    -----
    Baum-Welch re-estimation (Rabiner, 1989) as used by the 2011 thesis, chapters 2 and 3, which leave initialisation,
    stopping rule and floor open.
    """
    seed, threads = root_of(random_starts, random_state), as_threads(n_jobs)
    data, recipe, k, full = resolved(
        sequences,
        n_states,
        init,
        preset,
        covariance,
        n_init=n_init,
        max_iter=max_iter,
        tol=tol,
        floor=floor,
        prior=prior,
    )
    variances = pool_variances(data, pool, np.arange(len(data)))
    variances = np.broadcast_to(variances, (len(data), variances.shape[1]))
    if init is not None:
        chains = continued(init, len(data), k, width_of(data), full, recipe)
    else:
        short = np.flatnonzero(data.lengths < k)
        if short.size:
            raise DataError(
                f"{data.name}: sequence {str(data.ids[short[0]])!r} has {count(int(data.lengths[short[0]]), 'frame')}, fewer than"
                f" n_states={k}; ask for fewer states or leave it out"
            )
        keys = data.content_keys if random_starts == "drawn" else [FIXED] * len(data)
        seeds = [[derive_seed(seed, "hmm", key, start) for start in range(recipe.n_init)] for key in keys]
        chains = initial_chains(data, np.array(seeds, dtype=np.uint64), k, full, variances, recipe)
    chains.scale[:] = np.sqrt(variances)[chains.sequence]
    _run(data, chains, full, recipe, threads, reporter(progress, chains.sequence.size, "fit"))
    return bank_of(chains, full, _best_starts(chains, len(data)))


def _best_starts(chains: Chains, n_sequences: int) -> IntArray:
    """Return the chain of each sequence with the largest final likelihood, the first of equals."""
    final = chains.trace[:, -1].reshape(n_sequences, -1)
    return np.asarray(np.arange(n_sequences) * final.shape[1] + final.argmax(axis=1))


def fit_mixtures(
    sets: Sequences,
    n_components: int,
    covariance: str | None = None,
    n_init: int | None = None,
    max_iter: int | None = None,
    tol: float | None = None,
    floor: float | None = None,
    preset: str = "default",
    random_state: RandomState = 0,
    pool: str | ArrayLike = "sequence",
    n_jobs: int | None = None,
    progress: Reporter = None,
) -> HMMBank:
    """Fit one Gaussian mixture to each set of vectors by expectation-maximisation.

    A mixture is a hidden Markov model whose next state does not depend on the present one, and is fitted like one. It
    depends on its own set, the arguments and the seed only: not on the order of the vectors, on the other sets, or on the
    number of threads.

    Parameters
    ----------
    sets : SequenceSet or list of array_like, each of shape (n, d)
        N sets with at least `n_components` vectors each.
    n_components : int
        Number of Gaussians C.
    covariance, n_init, max_iter, tol, floor, preset, random_state, pool, n_jobs, progress
        As for :func:`fit_bank`.

    Returns
    -------
    HMMBank
        N models whose rows of `transmat` all are the weights `startprob`.

    Raises
    ------
    DataError
        If a set is not finite or has fewer vectors than components.
    ParameterError
        If an argument lies outside its range.
    """
    seed, threads = check_seed(random_state), as_threads(n_jobs)
    unordered, recipe, k, full = resolved(
        sets,
        as_count(n_components, "n_components"),
        None,
        preset,
        covariance,
        n_init=n_init,
        max_iter=max_iter,
        tol=tol,
        floor=floor,
    )
    few = np.flatnonzero(unordered.lengths < k)
    if few.size:
        raise DataError(
            f"{unordered.name}: {str(unordered.ids[few[0]])!r} has {unordered.lengths[few[0]]} vectors, fewer than"
            f" n_components={k}; ask for fewer components or leave it out"
        )
    # Streams are named by the ordered vectors, so that the given order does not matter.
    ordered = np.concatenate([vectors[np.lexsort(vectors.T[::-1])] for vectors in unordered])
    data = replace(unordered, values=ordered)
    variances = np.broadcast_to(pool_variances(data, pool, np.arange(len(data))), (len(data), data.n_features))
    streams = [derive_seed(seed, "gmm", key) for key in data.content_keys]
    seeds = [[derive_seed(stream, "hmm-global", start) for start in range(recipe.n_init)] for stream in streams]
    chains = initial_chains(data, np.array(seeds, dtype=np.uint64), k, full, variances, recipe)
    chains.transmat[:] = chains.startprob[:, None]
    chains.scale[:] = np.sqrt(variances)[chains.sequence]
    _run(data, chains, full, recipe, threads, reporter(progress, chains.sequence.size, "fit"), tied=True)
    return bank_of(chains, full, _best_starts(chains, len(data)))


__all__ = ["fit_bank", "fit_mixtures"]
