"""Expectation-maximisation: one model per sequence, or one model for all."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from threading import local
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...core.arrays import FloatArray, IntArray, as_count, as_numbers
from ...core.compiled import compiled, inlined
from ...core.errors import DataError, ParameterError
from ...core.seeds import derive_seed
from ...core.sequences import Sequences, SequenceSet, as_sequence_set, require_range
from ...core.variances import pooled_variances
from .bank import HMMBank
from .densities import Model, packed, unpacked, whiten
from .expectation import Work, expect, expect_group, room
from .initialisation import FRAMES_PER_STATE, draw_starts
from .lanes import LANES, aligned, load, pieces, repeat, store
from .linalg import identity
from .maximisation import (
    LEAST_VISITS,
    REGULAR,
    Floor,
    Matrices,
    Moments,
    add_moments,
    matrices,
    maximise,
    moments,
    regularise,
    tie,
    whiten_lanes,
)
from .packing import groups, longest, pack
from .presets import Recipe, is_full, resolve
from .running import Reporter, Spread, reporter, workers

ROUND = 8
"""EM iterations between two sortings of the chains that still run, so that converged ones leave their lanes."""
ROUNDING = 1e-12
"""Relative to the likelihood: a smaller fall is rounding."""
SLOTS = 8
"""Partial sums of a common fit; fixed, so that its numbers do not depend on the number of threads."""
PACKED_LIMIT = 2**28
"""A common fit keeps the frames packed up to this many bytes, and packs them anew in every iteration beyond."""


N_ITER, RUNNING, CONVERGED, FLOOR_HITS, DEAD_STATES, FALLS, RESCUES = range(7)
"""Columns of the report of a chain."""


def _n_packed(d: int, full: bool) -> int:
    return d * (d + 1) // 2 if full else d


def _shapes(k: int, d: int, full: bool) -> tuple[tuple[int, ...], ...]:
    """Start, transitions, means, covariances and scale: the parts of a row of parameters."""
    return (k,), (k, k), (k, d), (k, _n_packed(d, full)), (d,)


class Chains:
    """C runs of EM side by side: one row of parameters each, and what is reported of them.

    The named parameters are views of the rows `parameters` (C, S): a kernel moves a row into a lane and back as one.
    """

    def __init__(self, sequence: IntArray, k: int, d: int, full: bool, max_iter: int) -> None:
        c = sequence.size
        self.sequence = sequence
        """(C,), the sequence that each chain is fitted to"""
        self.parameters = np.zeros((c, sum(math.prod(shape) for shape in _shapes(k, d, full))))
        columns = pieces(self.parameters.T, _shapes(k, d, full))
        self.startprob, self.transmat, self.means, self.covars, self.scale = (
            np.moveaxis(column, -1, 0) for column in columns
        )
        self.trace = np.zeros((c, max_iter + 1))
        self.report = np.zeros((c, 7), dtype=np.int64)
        self.report[:, RUNNING] = 1


# ---------------------------------------------------------------------------------------------------------------------
# One model per sequence
# ---------------------------------------------------------------------------------------------------------------------


class Lane(NamedTuple):
    """Everything a group of chains needs while it runs; every array has a last axis of lanes."""

    parameters: FloatArray
    """(S, lanes); what follows up to the model's means are views of it"""
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


def _lane(k: int, d: int, full: bool) -> Lane:
    shapes = _shapes(k, d, full)
    parameters = aligned(sum(math.prod(shape) for shape in shapes), LANES)
    start, trans, means, covars, scale = pieces(parameters, shapes)
    model = Model(start, trans, aligned(k, k, LANES), means, aligned(k, _n_packed(d, full), LANES), aligned(k, LANES))
    flat, sums = moments(k, d, _n_packed(d, full), LANES)
    single = (aligned(LANES) for _ in range(3))
    return Lane(parameters, covars, scale, model, flat, sums, matrices(k, d, full), *single)


@inlined
def gather(rows, members, block):  # type: ignore[no-untyped-def]
    """``block[i, l] = rows[members[l], i]``; an empty lane takes what lane 0 holds."""
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


@compiled()
def note(trace, report, members, iteration, max_iter, tol, loglik, doubtful, active):  # type: ignore[no-untyped-def]
    """Write down the likelihoods of one iteration and stop the chains whose gain < tol * max(1, |L|). Any left?"""
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
            if gain < -ROUNDING * size:
                report[c, FALLS] += 1
            if gain < tol * size:
                report[c, CONVERGED] = 1
        if report[c, CONVERGED] == 1 or iteration == max_iter:
            report[c, RUNNING] = 0
            active[lane] = 0.0
        else:
            left = True
    return left


@inlined
def enter(sequence, parameters, offsets, members, values, work, lane):  # type: ignore[no-untyped-def]
    """Put the chains `members` and the frames of their sequences into the lanes; number of frames of the longest."""
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
    whiten_lanes(covars, full, room, model.white, model.constants)
    for i in range(model.trans.shape[0]):
        for j in range(model.trans.shape[0]):
            store(load(model.trans, i, j), model.back, j, i)
    for i in range(sums.shape[0]):
        store(repeat(0.0), sums, i)


@compiled()
def run_group(  # type: ignore[no-untyped-def]
    values, offsets, sequence, parameters, trace, report, members, full, tied, begin, end, max_iter, tol, least, added,
    work, lane
):  # fmt: skip
    """EM iterations ``begin .. end - 1`` of the chains in `members` (lanes,): E-step, test, M-step.

    If `tied` they are mixtures: what state comes next does not depend on the present one.
    """
    model, sums = lane.model, lane.sums
    steps = enter(sequence, parameters, offsets, members, values, work, lane)
    floor = Floor(lane.scale, least, added)
    for k in range(model.start.shape[0]):
        identity(k, lane.matrices.vectors)
    if begin == 0:
        # EM climbs only among models that obey the floor, so the first one must.
        for k in range(model.start.shape[0]):
            regularise(lane.covars, k, full, floor, 0.0, lane.matrices)
    for iteration in range(begin, end):
        prepare(model, lane.covars, full, lane.matrices, lane.moments)
        expect(model, full, work, steps, sums.counts)
        if not note(trace, report, members, iteration, max_iter, tol, work.loglik, work.doubtful, lane.active):
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
    full: bool,
    recipe: Recipe,
    threads: int,
    report: Callable[[int], None],
    tied: bool = False,
) -> None:
    """Run all chains until they stop, sorted by length into groups anew every :data:`ROUND` iterations."""
    k, d = chains.means.shape[1:]
    lengths = data.lengths[chains.sequence]
    least, added = _floor(recipe)
    # Without a test of the gain all chains run to the end, and nothing is won by sorting again.
    size = ROUND if recipe.tol > -np.inf else recipe.max_iter + 1
    thread = local()

    def run(members: IntArray, begin: int) -> None:
        if not hasattr(thread, "rooms"):
            thread.rooms = room(int(lengths.max()), k, d, full), _lane(k, d, full)
        end = min(begin + size, recipe.max_iter + 1)
        run_group(
            data.values, data.offsets, chains.sequence, chains.parameters, chains.trace, chains.report, members, full,
            tied, begin, end, recipe.max_iter, float(recipe.tol), least, added, *thread.rooms,
        )  # fmt: skip

    with workers(threads) as spread:
        for begin in range(0, recipe.max_iter + 1, size):
            running = np.flatnonzero(chains.report[:, RUNNING])
            if not running.size:
                break
            grouped = groups(lengths[running])
            grouped = np.where(grouped >= 0, running[grouped], -1)
            for members, _ in zip(grouped, spread(partial(run, begin=begin), grouped), strict=True):
                chosen = members[members >= 0]
                report(int((chains.report[chosen, RUNNING] == 0).sum()))


def _floor(recipe: Recipe) -> tuple[float, float]:
    """Least relative eigenvalue, and what is added to the diagonal."""
    if recipe.rule == "clip":
        return max(recipe.floor, REGULAR), 0.0
    return REGULAR, recipe.floor


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
    progress: Reporter = None,
) -> HMMBank:
    """Fit one hidden Markov model to each sequence by expectation-maximisation.

    A model depends on its own sequence, the arguments and the seed only: not on the other sequences, their order, or
    the number of threads, to the last bit.

    Parameters
    ----------
    sequences : SequenceSet or list of array_like, each of shape (T, d)
        N sequences with at least `n_states` frames each.
    n_states : int
        Number of states K.
    covariance : {"full", "diag", "auto"}, optional
        Kind of covariance; ``"auto"`` is full up to 30 features. This and the following: None takes what the preset
        says, see :data:`~kinseq.models.hmm.presets.PRESETS`; an explicit value wins.
    n_init : int, optional
        Number of starts, of which the one with the largest final likelihood is kept.
    max_iter : int, optional
        Greatest number of EM iterations; 0 returns the start.
    tol : float, optional
        Stop when the gain in log-likelihood is below ``tol * max(1, |L|)``; ``-inf`` runs all iterations.
    floor : float, optional
        Floor of the covariances: relative to the pooled variances under ``"default"``, in squared units of the data
        under ``"classic"``. Eigenvalues below 1e-12 of the pooled variances are lifted in any case.
    init : HMMBank, optional
        One model per sequence to start from, instead of `n_init` random ones. It is made to obey the floor first.
    preset : {"default", "classic"}
        Recipe that fills in what is None. ``"default"`` never lowers the likelihood; ``"classic"`` can, and its falls
        are counted.
    seed : int
        Root of the random starts.
    pool : {"sequence", "all"} or array_like of shape (d,)
        Pooled variances D that the floor (and k-means) are relative to: those of each sequence by itself, of all
        sequences together (models then depend on the company a sequence is in), or given ones. A column that is
        constant takes the least variance among the other columns, or 1.
    threads : int
        Number of threads; no number depends on it.
    progress : str or callable, optional
        A label under which lines with an ETA go to standard error, or ``progress(done, total)``.

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
    data, recipe, k, full, threads = _asked(
        sequences, n_states, init, threads, preset, covariance, n_init=n_init, max_iter=max_iter, tol=tol, floor=floor
    )
    variances = np.broadcast_to(_pooled(data, pool, np.arange(len(data))), (len(data), data.n_features))
    if init is not None:
        chains = _continued(init, len(data), k, data.n_features, full, recipe)
    else:
        short = np.flatnonzero(data.lengths < k)
        if short.size:
            raise DataError(
                f"{data.name}: sequence {str(data.ids[short[0]])!r} has {data.lengths[short[0]]} frames, fewer than"
                f" n_states={k}; ask for fewer states or leave it out"
            )
        seeds = [[derive_seed(seed, "hmm", key, start) for start in range(recipe.n_init)] for key in data.content_keys]
        chains = _drawn(data, np.array(seeds, dtype=np.uint64), k, full, variances, recipe)
    chains.scale[:] = np.sqrt(variances)[chains.sequence]
    _run(data, chains, full, recipe, threads, reporter(progress, chains.sequence.size, "fit"))
    return _bank(chains, full, _best_starts(chains, len(data)))


def _best_starts(chains: Chains, n_sequences: int) -> IntArray:
    """The chain of each sequence with the largest final likelihood, the first of equals."""
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
    seed: int = 0,
    pool: str | ArrayLike = "sequence",
    threads: int = 1,
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
    covariance, n_init, max_iter, tol, floor, preset, seed, pool, threads, progress
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
    given, recipe, k, full, threads = _asked(
        sets,
        as_count(n_components, "n_components"),
        None,
        threads,
        preset,
        covariance,
        n_init=n_init,
        max_iter=max_iter,
        tol=tol,
        floor=floor,
    )
    few = np.flatnonzero(given.lengths < k)
    if few.size:
        raise DataError(
            f"{given.name}: {str(given.ids[few[0]])!r} has {given.lengths[few[0]]} vectors, fewer than"
            f" n_components={k}; ask for fewer components or leave it out"
        )
    # Streams are named by the ordered vectors, so that the order they were given in does not matter.
    ordered = np.concatenate([vectors[np.lexsort(vectors.T[::-1])] for vectors in given])
    data = replace(given, values=ordered)
    variances = np.broadcast_to(_pooled(data, pool, np.arange(len(data))), (len(data), data.n_features))
    streams = [derive_seed(seed, "gmm", key) for key in data.content_keys]
    seeds = [[derive_seed(stream, "hmm-global", start) for start in range(recipe.n_init)] for stream in streams]
    chains = _drawn(data, np.array(seeds, dtype=np.uint64), k, full, variances, recipe)
    chains.transmat[:] = chains.startprob[:, None]
    chains.scale[:] = np.sqrt(variances)[chains.sequence]
    _run(data, chains, full, recipe, threads, reporter(progress, chains.sequence.size, "fit"), tied=True)
    return _bank(chains, full, _best_starts(chains, len(data)))


def _asked(
    sequences: Sequences,
    n_states: int,
    init: HMMBank | None,
    threads: int,
    preset: str,
    covariance: str | None,
    **explicit: float | None,
) -> tuple[SequenceSet, Recipe, int, bool, int]:
    """What both kinds of fit are asked for, checked: data, recipe, states, full covariances or not, threads."""
    data = as_sequence_set(sequences)
    require_range(data)
    recipe = resolve(preset, covariance=covariance, **explicit)
    k, n_threads = as_count(n_states, "n_states"), as_count(threads, "threads")
    full = init.full if init is not None and covariance is None else is_full(recipe, data.n_features)
    return data, recipe, k, full, n_threads


def _pooled(data: SequenceSet, pool: str | ArrayLike, order: IntArray) -> FloatArray:
    """Pooled variances, shape (N, d) for each sequence by itself, else (1, d)."""
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


def _continued(init: HMMBank, n_models: int, k: int, d: int, full: bool, recipe: Recipe) -> Chains:
    """One chain a model of `init`, which must have the shape of the fit."""

    def say(models: int, states: int, features: int, full: bool) -> str:
        return f"{models} models, K={states}, d={features}, {'full' if full else 'diagonal'} covariances"

    given = say(len(init), init.n_states, init.n_features, init.full)
    wanted = say(n_models, k, d, full)
    if given != wanted:
        raise ParameterError(f"init holds {given} but the fit needs {wanted}")
    chains = Chains(np.arange(n_models), k, d, full, recipe.max_iter)
    chains.startprob[:], chains.transmat[:], chains.means[:] = init.startprob, init.transmat, init.means
    chains.covars[:] = packed(init.covars) if init.full else init.covars
    return chains


def _drawn(
    data: SequenceSet, seeds: NDArray[np.uint64], k: int, full: bool, variances: FloatArray, recipe: Recipe
) -> Chains:
    """Chains from random starts, one row of `seeds` a sequence."""
    d = data.n_features
    chains = Chains(np.repeat(np.arange(len(data)), seeds.shape[1]), k, d, full, recipe.max_iter)
    scales = np.sqrt(variances) if recipe.scaled else np.ones(variances.shape)
    drawn = [np.empty(view.shape) for view in (chains.startprob, chains.transmat, chains.means, chains.covars)]
    draw_starts(data.values, data.offsets, np.ascontiguousarray(scales), seeds, full, *drawn)
    chains.startprob[:], chains.transmat[:], chains.means[:], chains.covars[:] = drawn
    # The covariances of clusters come from data like those of an M-step, and are treated alike.
    diagonal = np.cumsum(np.arange(1, d + 1)) - 1 if full else np.arange(d)
    chains.covars[:, :, diagonal] += _floor(recipe)[1]
    return chains


def _bank(chains: Chains, full: bool, chosen: IntArray) -> HMMBank:
    report = chains.report[chosen]
    return HMMBank(
        startprob=chains.startprob[chosen],
        transmat=chains.transmat[chosen],
        means=chains.means[chosen],
        covars=unpacked(chains.covars[chosen], chains.means.shape[2]) if full else chains.covars[chosen],
        trace=chains.trace[chosen, : report[:, N_ITER].max() + 1],
        n_iter=report[:, N_ITER],
        converged=report[:, CONVERGED] == 1,
        floor_hits=report[:, FLOOR_HITS],
        dead_states=report[:, DEAD_STATES],
        falls=report[:, FALLS],
        rescues=report[:, RESCUES],
    )


# ---------------------------------------------------------------------------------------------------------------------
# One model for all sequences
# ---------------------------------------------------------------------------------------------------------------------


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
    seed: int = 0,
    pool: str | ArrayLike = "all",
    threads: int = 1,
    progress: Reporter = None,
) -> HMMBank:
    """Fit one hidden Markov model to all sequences together by expectation-maximisation.

    Does not depend on the number of threads, and for a random start not on the order of the sequences.

    Parameters
    ----------
    sequences : SequenceSet or list of array_like, each of shape (T, d)
        At least `n_states` frames in all.
    n_states : int
        Number of states K.
    covariance, n_init, max_iter, tol, floor, preset, seed, threads, progress
        As for :func:`fit_bank`.
    init : HMMBank, optional
        A bank of one model to start from.
    pool : {"all"} or array_like of shape (d,)
        Pooled variances that the floor is relative to: those of all frames, or given ones.

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
    data, recipe, k, full, threads = _asked(
        sequences, n_states, init, threads, preset, covariance, n_init=n_init, max_iter=max_iter, tol=tol, floor=floor
    )
    if isinstance(pool, str) and pool != "all":
        raise ParameterError(f"pool is {pool!r}, expected 'all' or an array of d variances")
    if init is not None:
        chains = _continued(init, 1, k, data.n_features, full, recipe)
        order = np.arange(len(data))
        variances = _pooled(data, pool, order)
    else:
        if len(data.values) < k:
            raise DataError(
                f"{data.name}: has {len(data.values)} frames in all, fewer than n_states={k}; ask for fewer states"
            )
        keys = data.content_keys
        order = np.array(sorted(range(len(data)), key=lambda s: (-data.lengths[s], keys[s])))
        variances = _pooled(data, pool, order)
        seeds = [[derive_seed(seed, "hmm-global", start) for start in range(recipe.n_init)]]
        frames = _sampled(data, order, FRAMES_PER_STATE * k)
        chains = _drawn(frames, np.array(seeds, dtype=np.uint64), k, full, variances, recipe)
    chains.scale[:] = np.sqrt(variances)
    report = reporter(progress, chains.sequence.size * (recipe.max_iter + 1), "iteration")
    with workers(threads) as spread:
        fit = CommonFit(data, order, k, full, spread)
        for c in range(chains.sequence.size):
            fit.run(chains, c, recipe, report)
    return _bank(chains, full, np.array([chains.trace[:, -1].argmax()]))


def _sampled(data: SequenceSet, order: IntArray, most: int) -> SequenceSet:
    """At most `most` frames, evenly spaced over the sequences in the given order, as one sequence."""
    ends = np.cumsum(data.lengths[order])
    every = -(-int(ends[-1]) // most)
    chosen = np.arange(0, int(ends[-1]), every)
    sequence = np.searchsorted(ends, chosen, side="right")
    rows = data.offsets[order[sequence]] + chosen - (ends - data.lengths[order])[sequence]
    return SequenceSet.from_arrays([data.values[rows]], name=data.name)


@compiled()
def add_moments_of_group(work, steps, full, means, sums):  # type: ignore[no-untyped-def]
    """Add the moments of the frames in ``work.x``, about the `means` of one model for all lanes, to `sums`."""
    add_moments(work.x, steps, work.gamma, work.gap, means, full, sums.starts, sums.visits, sums.first, sums.second)


class CommonFit:
    """The sequences of a common fit in groups, and one EM run after another over them."""

    def __init__(self, data: SequenceSet, order: IntArray, k: int, full: bool, spread: Spread) -> None:
        self.data, self.k, self.full, self.spread = data, k, full, spread
        grouped = groups(data.lengths[order])
        self.groups = np.where(grouped >= 0, order[grouped], -1)
        self.steps = data.lengths[self.groups[:, 0]]
        d = data.n_features
        self.slots = [range(slot, len(self.groups), SLOTS) for slot in range(min(SLOTS, len(self.groups)))]
        self.thread = local()
        self.packed: list[FloatArray] = []
        if int(self.steps.sum()) * d * LANES * 8 <= PACKED_LIMIT:
            lengths = np.empty(LANES)
            for members, steps in zip(self.groups, self.steps, strict=True):
                x = aligned(int(steps), d, LANES)
                pack(data.values, data.offsets, members, 0, int(steps), x, lengths)
                self.packed.append(x)

    def expectation(self, model: Model) -> tuple[Moments, float, int]:
        """Moments over all sequences, log-likelihood and number of sequences that needed log space."""
        found = list(self.spread(lambda slot: self._slot(slot, model), self.slots))
        sums = Moments(*(np.sum([getattr(part[0], name) for part in found], axis=0) for name in Moments._fields))
        return sums, float(sum(part[1] for part in found)), sum(part[2] for part in found)

    def _slot(self, slot: range, model: Model) -> tuple[Moments, float, int]:
        d = self.data.n_features
        (_, sums), loglik, rescued = moments(self.k, d, _n_packed(d, self.full)), 0.0, 0
        counts = aligned(self.k, self.k, LANES)
        counts[:] = 0.0
        if not hasattr(self.thread, "work"):
            self.thread.work = room(int(self.steps.max()), self.k, d, self.full, frames=not self.packed)
        work: Work = self.thread.work
        for g in slot:
            if self.packed:
                work = work._replace(x=self.packed[g])
            members = self.groups[g]
            steps = int(self.steps[g])
            rescued += expect_group(
                self.data.values, self.data.offsets, members, steps, bool(self.packed), False, self.full, model, work,
                counts,
            )  # fmt: skip
            add_moments_of_group(work, steps, self.full, model.means, sums)
            loglik += float(work.loglik[members >= 0].sum())
        sums.counts[:] = counts.sum(axis=2)
        return sums, loglik, rescued

    def _square(self, covars: FloatArray) -> FloatArray:
        return unpacked(covars, self.data.n_features) if self.full else covars

    def run(self, chains: Chains, c: int, recipe: Recipe, report: Callable[[int], None]) -> None:
        """EM of chain c from the start it holds."""
        members = np.full(LANES, -1, dtype=np.int64)
        members[0] = c
        active = np.ones(LANES)
        least, added = _floor(recipe)
        variances = chains.scale[c] ** 2
        covars, _ = regular(self._square(chains.covars[c]), variances, least, 0.0)
        chains.covars[c] = packed(covars) if self.full else covars
        for iteration in range(recipe.max_iter + 1):
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
                np.full(LANES, loglik), counts, active,
            )  # fmt: skip
            if not left:
                report(recipe.max_iter + 1 - iteration)
                break
            maximise_one(sums, chains, c, self.full, variances, least, added)
            report(1)


def maximise_one(
    sums: Moments, chains: Chains, c: int, full: bool, variances: FloatArray, least: float, added: float
) -> None:
    """M-step of one model; the formulas of :func:`~kinseq.models.hmm.maximisation.maximise`."""
    chains.startprob[c] = sums.starts / sums.starts.sum()
    leaving = sums.counts.sum(axis=1)
    left = leaving >= LEAST_VISITS
    chains.transmat[c, left] = sums.counts[left] / leaving[left, None]
    alive = sums.visits >= LEAST_VISITS
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


def regular(covars: FloatArray, variances: FloatArray, least: float, added: float) -> tuple[FloatArray, int]:
    """Floored covariances, (K, d) or (K, d, d), and the number of states that were clipped."""
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


__all__ = ["CommonFit", "fit_bank", "fit_common", "fit_mixtures"]
