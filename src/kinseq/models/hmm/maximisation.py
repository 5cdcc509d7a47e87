"""The M-step: weighted moments of the frames, and the parameters that maximise the EM objective.

Moments are taken about the current means, so that they lose no digits at any offset of the data.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from ...core.arrays import FloatArray
from ...core.compiled import inlined, part
from .densities import LEAST_LOG_DENSITY, LOG_2PI
from .linalg import cholesky, clip_eigenvalues, invert_factor
from .simd import (
    LANES,
    accumulate,
    aligned,
    choose,
    fma,
    larger,
    load,
    log,
    log_product,
    multiply,
    pieces,
    repeat,
    store,
    total,
)

LEAST_VISITS = 1e-10
"""Expected number of frames below which a state is dead: it keeps its parameters."""
MIN_EIGENVALUE = 1e-12
"""Least eigenvalue relative to the pooled variances in every recipe: below it a factorisation may fail."""


class Moments(NamedTuple):
    """Sums over frames; every array may have a last axis of lanes."""

    starts: FloatArray
    """(K,), sum of gamma_0"""
    counts: FloatArray
    """(K, K), expected transitions"""
    visits: FloatArray
    """(K,), sum of gamma_t"""
    first: FloatArray
    """(K, d), sum of gamma_t (x_t - mu)"""
    second: FloatArray
    """(K, P), sum of gamma_t (x_t - mu)^2, or of the lower triangle of gamma_t (x_t - mu) (x_t - mu)'"""


def moments(n_states: int, n_features: int, n_packed: int, *lanes: int) -> tuple[FloatArray, Moments]:
    """Zero moments, as one block (R, [lanes]) and as its parts."""
    k = n_states
    shapes = (k,), (k, k), (k,), (k, n_features), (k, n_packed)
    block = aligned(sum(math.prod(shape) for shape in shapes), *lanes)
    block[...] = 0.0
    return block, Moments(*pieces(block, shapes))


@inlined
def add_moments(x, steps, gamma, gap, means, full, starts, visits, first, second):  # type: ignore[no-untyped-def]
    """Add the moments of one group: sum_t gamma_t(k) (1, x_t - mu_k, (x_t - mu_k) (x_t - mu_k)').

    `gap` (some, d, lanes) is room for the differences of a full model, which takes so many frames at a time.
    """
    d = x.shape[1]
    of_symbols = second.shape[1] == 0
    if of_symbols:
        count_symbols(x, steps, gamma, first)
    for k in range(gamma.shape[1]):
        accumulate(load(gamma, 0, k), starts, k)
        s0 = repeat(0.0)
        for t in range(steps):
            s0 = s0 + load(gamma, t, k)
        accumulate(s0, visits, k)
        if of_symbols:
            continue
        if not full:
            for i in range(d):
                s1, s2 = repeat(0.0), repeat(0.0)
                mean = load(means, k, i)
                for t in range(steps):
                    z = load(x, t, i) - mean
                    weighted = load(gamma, t, k) * z
                    s1 = s1 + weighted
                    s2 = fma(weighted, z, s2)
                accumulate(s1, first, k, i)
                accumulate(s2, second, k, i)
            continue
        for begin in range(0, steps, gap.shape[0]):
            add_products(x, begin, min(gap.shape[0], steps - begin), gamma, k, gap, means, first, second)


@part
def count_symbols(x, steps, gamma, first):  # type: ignore[no-untyped-def]
    """Add gamma_t(k) to ``first[k, x_t]``, per lane or over all of them, ignoring missing symbols."""
    for t in range(steps):
        for lane in range(gamma.shape[2]):
            symbol = int(x[t, 0, lane])
            if symbol >= 0:
                for k in range(gamma.shape[1]):
                    if first.ndim == 3:
                        first[k, symbol, lane] += gamma[t, k, lane]
                    else:
                        first[k, symbol] += gamma[t, k, lane]


@part
def log_probabilities(means, white):  # type: ignore[no-untyped-def]
    """`white` of a model of symbols with lanes: logarithms of the probabilities `means` (K, S, lanes)."""
    for k in range(means.shape[0]):
        for symbol in range(means.shape[1]):
            store(larger(log(load(means, k, symbol)), LEAST_LOG_DENSITY), white, k, symbol)


@part
def maximise_symbols(sums, on, means):  # type: ignore[no-untyped-def]
    """Probabilities of symbols: the share of each in a state; a state without visits keeps its probabilities."""
    for k in range(means.shape[0]):
        seen = repeat(0.0)
        for symbol in range(means.shape[1]):
            seen = seen + load(sums, k, symbol)
        changed = choose(seen, LEAST_VISITS, 0.0, on)
        for symbol in range(means.shape[1]):
            share = load(sums, k, symbol) / choose(0.5, changed, seen, 1.0)
            store(choose(0.5, changed, share, load(means, k, symbol)), means, k, symbol)


@part
def add_products(x, begin, steps, gamma, k, gap, means, first, second):  # type: ignore[no-untyped-def]
    """First and second moments of a full model from frames ``begin .. begin + steps - 1``, four columns at a time."""
    d = x.shape[1]
    for t in range(steps):
        for i in range(d):
            store(load(x, begin + t, i) - load(means, k, i), gap, t, i)
    p = 0
    for i in range(d):
        s1 = repeat(0.0)
        for t in range(steps):
            s1 = fma(load(gamma, begin + t, k), load(gap, t, i), s1)
        accumulate(s1, first, k, i)
        whole = (i + 1) - (i + 1) % 4
        for j in range(0, whole, 4):
            q0, q1, q2, q3 = repeat(0.0), repeat(0.0), repeat(0.0), repeat(0.0)
            for t in range(steps):
                weighted = load(gamma, begin + t, k) * load(gap, t, i)
                q0 = fma(weighted, load(gap, t, j), q0)
                q1 = fma(weighted, load(gap, t, j + 1), q1)
                q2 = fma(weighted, load(gap, t, j + 2), q2)
                q3 = fma(weighted, load(gap, t, j + 3), q3)
            accumulate(q0, second, k, p + j)
            accumulate(q1, second, k, p + j + 1)
            accumulate(q2, second, k, p + j + 2)
            accumulate(q3, second, k, p + j + 3)
        for j in range(whole, i + 1):
            q0 = repeat(0.0)
            for t in range(steps):
                q0 = fma(load(gamma, begin + t, k) * load(gap, t, i), load(gap, t, j), q0)
            accumulate(q0, second, k, p + j)
        p += i + 1


@inlined
def tie(sums):  # type: ignore[no-untyped-def]
    """Count starts and transitions as if every state were drawn independently: they equal the visits."""
    k = sums.visits.shape[0]
    for j in range(k):
        store(load(sums.visits, j), sums.starts, j)
        for i in range(k):
            store(load(sums.visits, j), sums.counts, i, j)


class Floor(NamedTuple):
    """Floor and priors of one group; see :class:`~kinseq.models.hmm.presets.TrainingRecipe`."""

    scale: FloatArray
    """(d, lanes), square roots of the pooled variances D"""
    least: float
    """Least eigenvalue of D^-1/2 Sigma D^-1/2"""
    added: float
    """Added to the diagonal beforehand"""
    frames: float
    """Prior frames added to those of every state"""
    share: float
    """Their covariance, in units of D"""
    seen: float
    """Prior count of each first state and each transition"""


class Matrices(NamedTuple):
    """Workspace for the matrices of full models."""

    relative: FloatArray
    """(d, d, lanes), like the next two"""
    factor: FloatArray
    inverse: FloatArray
    vectors: FloatArray
    """(K, d, d, lanes), eigenvectors of each state's covariance relative to D, as rows"""


def matrices(n_states: int, n_features: int, full: bool) -> Matrices:
    """Workspace for full models; a diagonal model needs none."""
    d = n_features if full else 1
    return Matrices(aligned(d, d, LANES), aligned(d, d, LANES), aligned(d, d, LANES), aligned(n_states, d, d, LANES))


@part
def regular_variances(cov, k, floor, added):  # type: ignore[no-untyped-def]
    """Row k of `cov` (K, d, lanes): var_i <- max(var_i + added, least D_i). Returns 1 in the clipped lanes."""
    hit = repeat(0.0)
    for i in range(cov.shape[1]):
        variance = load(cov, k, i) + added
        bound = floor.least * (load(floor.scale, i) * load(floor.scale, i))
        hit = choose(variance, bound, 1.0, hit)
        store(larger(variance, bound), cov, k, i)
    return hit


@inlined
def regular_covariance(cov, k, floor, added, room):  # type: ignore[no-untyped-def]
    """Row k of `cov` (K, P, lanes): the eigenvalues of D^-1/2 (Sigma + added I) D^-1/2 are clipped at `least`.

    Returns 1 in the lanes where an eigenvalue was below it.
    """
    d = room.factor.shape[0]
    p = 0
    for i in range(d):
        for j in range(i + 1):
            entry = load(cov, k, p)
            if i == j:
                entry = entry + added
                store(entry, cov, k, p)
            store(entry / (load(floor.scale, i) * load(floor.scale, j)), room.relative, i, j)
            p += 1
    # All eigenvalues are above `least` if and only if the matrix minus least * I has a Cholesky factor.
    hit = choose(0.0, cholesky(room.relative, floor.least, room.factor), 0.0, 1.0)
    if total(hit) > 0.0:
        clip_eigenvalues(room.relative, hit, repeat(floor.least), k, room.vectors, room.factor)
        p = 0
        for i in range(d):
            for j in range(i + 1):
                clipped = load(room.factor, i, j) * (load(floor.scale, i) * load(floor.scale, j))
                store(choose(0.5, hit, clipped, load(cov, k, p)), cov, k, p)
                p += 1
    return hit


@part
def regularise(cov, k, full, floor, added, room):  # type: ignore[no-untyped-def]
    """Floor the covariance of state k, diagonal or full; return 1 in the lanes where that changed it."""
    if full:
        return regular_covariance(cov, k, floor, added, room)
    return regular_variances(cov, k, floor, added)


@inlined
def whiten_lanes(cov, full, room, white, constants):  # type: ignore[no-untyped-def]
    """`white` and `constants` of a model with lanes: inverse variances, or the inverse Cholesky factor."""
    for k in range(cov.shape[0]):
        if full:
            d, p = room.factor.shape[0], 0
            for i in range(d):
                for j in range(i + 1):
                    store(load(cov, k, p), room.relative, i, j)
                    p += 1
            cholesky(room.relative, 0.0, room.factor)
            log_det = invert_factor(room.factor, room.inverse)
            p = 0
            for i in range(d):
                for j in range(i + 1):
                    store(load(room.inverse, i, j), white, k, p)
                    p += 1
        else:
            d = cov.shape[1]
            power, product = repeat(0.0), repeat(1.0)
            for i in range(d):
                variance = load(cov, k, i)
                store(1.0 / variance, white, k, i)
                power, product = multiply(power, product, variance)
            log_det = log_product(power, product)
        store(-0.5 * (log_det + d * LOG_2PI), constants, k)


@inlined
def maximise(sums, full, active, floor, room, start, trans, means, cov, hits, dead):  # type: ignore[no-untyped-def]
    """M-step of one model per lane, in the lanes where `active` (lanes,) is 1.

    pi = gamma_0; a_ij = xi_ij / sum_j xi_ij; mu = mu + S_1 / S_0; Sigma = S_2 / S_0 - (S_1 / S_0)(S_1 / S_0)', then
    made regular. With priors `seen` is added to gamma_0 and xi_ij, and Sigma is (S_0 Sigma + frames share D) / (S_0 + frames).
    Rows without transitions and states without frames keep what they had. Adds clipped covariances to `hits` and sets `dead` to
    the number of dead states.
    """
    k, d, n_packed = means.shape[0], means.shape[1], cov.shape[1]
    on = load(active)
    mass = repeat(0.0)
    for i in range(k):
        mass = mass + (load(sums.starts, i) + floor.seen)
    lost = repeat(0.0)
    for i in range(k):
        store(choose(0.5, on, (load(sums.starts, i) + floor.seen) / mass, load(start, i)), start, i)
        leaving = repeat(0.0)
        for j in range(k):
            leaving = leaving + (load(sums.counts, i, j) + floor.seen)
        changed = choose(leaving, LEAST_VISITS, 0.0, on)
        for j in range(k):
            row = (load(sums.counts, i, j) + floor.seen) / choose(0.5, changed, leaving, 1.0)
            store(choose(0.5, changed, row, load(trans, i, j)), trans, i, j)
        visits = load(sums.visits, i)
        changed = choose(visits, LEAST_VISITS, 0.0, on)
        lost = lost + choose(visits, LEAST_VISITS, 1.0, 0.0)
        if n_packed == 0:
            continue
        counted = choose(0.5, changed, visits, 1.0)
        r, weight = 1.0 / counted, counted / (counted + floor.frames)
        p = 0
        for u in range(d):
            shift = load(sums.first, i, u) * r
            store(shift, sums.first, i, u)
            store(choose(0.5, changed, load(means, i, u) + shift, load(means, i, u)), means, i, u)
            # Build the new covariance in place of S_2. Lanes that keep theirs have it there too, so that the others
            # need not wait for eigenvalues of something meaningless.
            for v in range(0 if full else u, u + 1):
                centred = (load(sums.second, i, p) * r - shift * load(sums.first, i, v)) * weight
                if u == v:
                    pooled = load(floor.scale, u) * load(floor.scale, u)
                    centred = centred + (1.0 - weight) * (floor.share * pooled)
                store(choose(0.5, changed, centred, load(cov, i, p)), sums.second, i, p)
                p += 1
        hit = regularise(sums.second, i, full, floor, floor.added, room)
        for u in range(n_packed):
            store(choose(0.5, changed, load(sums.second, i, u), load(cov, i, u)), cov, i, u)
        store(load(hits) + choose(0.5, changed, hit, 0.0), hits)
    if n_packed == 0:
        maximise_symbols(sums.first, on, means)
    store(choose(0.5, on, lost, load(dead)), dead)
