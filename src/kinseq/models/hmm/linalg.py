"""Small symmetric matrices, one per lane: Cholesky factor, its inverse, and eigenvalues by Jacobi rotations.

Matrices are (d, d, lanes); only their lower triangle is read.
"""

from __future__ import annotations

import numpy as np

from ...core.compiled import inlined, part
from .simd import choose, fma, larger, load, log_product, multiply, repeat, sqrt, store, total

_MAX_SWEEPS = 30
_NEGLIGIBLE_SQUARE = 1e-24
"""Squared size of an off-diagonal entry relative to the product of its diagonal entries, as they will be clipped."""


@part
def cholesky(a, minus, factor):  # type: ignore[no-untyped-def]
    """Lower factor of ``a - minus * I``: l_ij = (a_ij - sum_{m<j} l_im l_jm) / l_jj. Returns the least squared pivot.

    Where a pivot is not positive the factor is meaningless but finite.
    """
    d = a.shape[0]
    least = repeat(np.inf)
    for j in range(d):
        pivot = load(a, j, j) - minus
        for m in range(j):
            pivot = fma(-1.0 * load(factor, j, m), load(factor, j, m), pivot)
        least = choose(pivot, least, pivot, least)
        root = sqrt(choose(0.0, pivot, pivot, 1.0))
        store(root, factor, j, j)
        inverse = 1.0 / root
        for i in range(j + 1, d):
            entry = load(a, i, j)
            for m in range(j):
                entry = fma(-1.0 * load(factor, i, m), load(factor, j, m), entry)
            store(entry * inverse, factor, i, j)
    return least


@part
def invert_factor(factor, inverse):  # type: ignore[no-untyped-def]
    """Inverse W of a lower factor L, w_ij = -(sum_{j<=m<i} l_im w_mj) / l_ii, and log |L L'| = 2 sum_i log l_ii."""
    d = factor.shape[0]
    power, product = repeat(0.0), repeat(1.0)
    for i in range(d):
        r = 1.0 / load(factor, i, i)
        power, product = multiply(power, product, load(factor, i, i))
        store(r, inverse, i, i)
        for j in range(i):
            entry = repeat(0.0)
            for m in range(j, i):
                entry = fma(load(factor, i, m), load(inverse, m, j), entry)
            store(-1.0 * entry * r, inverse, i, j)
    return 2.0 * log_product(power, product)


@part
def _cosine(tangent):  # type: ignore[no-untyped-def]
    """1 / sqrt(x) with x = 1 + tangent^2 <= 2: a parabola (0.4 %), then y <- y (3 - x y^2) / 2 three times (1e-16).

    A square root and a division would take four times as long.
    """
    x = fma(tangent, tangent, 1.0)
    y = fma(fma(x, 0.14496475, -0.72223657), x, 1.57368075)
    for _ in range(3):
        y = fma(0.5 * y, fma(-1.0 * (x * y), y, 1.0), y)
    return y


@part
def _rotate(a, i, j, m, n, c, s, minus_s):  # type: ignore[no-untyped-def]
    """(a_ij, a_mn) <- (c a_ij - s a_mn, s a_ij + c a_mn)."""
    p, q = load(a, i, j), load(a, m, n)
    store(fma(c, p, minus_s * q), a, i, j)
    store(fma(s, p, c * q), a, m, n)


@inlined
def identity(k, matrices):  # type: ignore[no-untyped-def]
    """Matrix k of `matrices` (K, d, d, lanes) <- I."""
    d = matrices.shape[1]
    for i in range(d):
        for j in range(d):
            store(repeat(1.0 if i == j else 0.0), matrices, k, i, j)


@part
def turn(a, k, vectors, room):  # type: ignore[no-untyped-def]
    """Replace a by V a V' with the rows of ``vectors[k]`` as V; `room` (d, d, lanes) is a workspace."""
    d = a.shape[0]
    for i in range(d):
        for j in range(d):
            entry = repeat(0.0)
            for m in range(j):
                entry = fma(load(vectors, k, i, m), load(a, j, m), entry)
            for m in range(j, d):
                entry = fma(load(vectors, k, i, m), load(a, m, j), entry)
            store(entry, room, i, j)
    for i in range(d):
        for j in range(i + 1):
            entry = repeat(0.0)
            for m in range(d):
                entry = fma(load(room, i, m), load(vectors, k, j, m), entry)
            store(entry, a, i, j)


@part
def diagonalise(a, on, least, k, vectors):  # type: ignore[no-untyped-def]
    """Diagonalise `a` by rotations accumulated in ``vectors[k]``, where `on` is 1.

    Cyclic Jacobi: each rotation makes one off-diagonal entry zero. Entries within the part of the matrix that will be
    clipped as a whole are left: by Gershgorin's circles its eigenvalues are all below `least`. A lane whose entry is
    negligible is rotated by exactly nothing: its result does not depend on how long its neighbours take.
    """
    d = a.shape[0]
    low, narrow = 0.5 * least, (0.25 / (d * d)) * (least * least)
    for _ in range(_MAX_SWEEPS):
        turned = repeat(0.0)
        for q in range(1, d):
            for p in range(q):
                apq, app, aqq = load(a, q, p), load(a, p, p), load(a, q, q)
                bound = _NEGLIGIBLE_SQUARE * (larger(app, least) * larger(aqq, least))
                bound = choose(larger(app, aqq), low, larger(bound, narrow), bound)
                here = choose(bound, apq * apq, on, 0.0)
                if total(here) == 0.0:
                    continue
                turned = turned + here
                # tan of the angle is sign(h) b / (|h| + r).
                b, h = 2.0 * apq, aqq - app
                distance = larger(h, -1.0 * h)
                r = sqrt(fma(h, h, b * b))
                signed = choose(h, 0.0, -1.0 * b, b)
                tangent = choose(0.5, here, signed / (distance + r), 0.0)
                c = choose(0.5, here, _cosine(tangent), 1.0)
                s = tangent * c
                minus_s = -1.0 * s
                store(app - tangent * apq, a, p, p)
                store(aqq + tangent * apq, a, q, q)
                store(choose(0.5, here, 0.0, apq), a, q, p)
                for i in range(p):
                    _rotate(a, p, i, q, i, c, s, minus_s)
                for i in range(p + 1, q):
                    _rotate(a, i, p, q, i, c, s, minus_s)
                for i in range(q + 1, d):
                    _rotate(a, i, p, i, q, c, s, minus_s)
                for i in range(d):
                    v, w = load(vectors, k, p, i), load(vectors, k, q, i)
                    store(fma(c, v, minus_s * w), vectors, k, p, i)
                    store(fma(s, v, c * w), vectors, k, q, i)
        if total(turned) == 0.0:
            break


@inlined
def clip_eigenvalues(a, on, least, k, vectors, out):  # type: ignore[no-untyped-def]
    """Lower triangle of ``out = V' max(Lambda, least) V`` where ``a = V' Lambda V``, in the lanes where `on` is 1.

    The search for V begins at ``vectors[k]`` and leaves it there: the matrices of one EM iteration are nearly diagonal in
    the basis of the one before. `a` is used up.
    """
    d = a.shape[0]
    turn(a, k, vectors, out)
    diagonalise(a, on, least, k, vectors)
    for m in range(d):
        value = larger(load(a, m, m), least)
        for i in range(d):
            store(value * load(vectors, k, m, i), a, m, i)
    for i in range(d):
        for j in range(i + 1):
            entry = repeat(0.0)
            for m in range(d):
                entry = fma(load(a, m, i), load(vectors, k, m, j), entry)
            store(entry, out, i, j)
