"""Log-densities of frames under the Gaussian of each state.

A covariance enters the kernels as a row of P numbers, so that one kernel serves both kinds: the d variances of a
diagonal model, or the lower triangle of a full one, row by row, with P = d (d + 1) / 2. Likewise `white` holds the
inverse variances, or the inverse W of the Cholesky factor: ``(x - mu)' Sigma^-1 (x - mu) = |W (x - mu)|^2``.
Differences are taken before they are squared, which keeps all digits at any offset of the data.

A model of symbols has no `constants`; its `white` holds the logarithms of the probabilities of its symbols. Frames are codes, and
one below 0 is missing: every state gives it the density 1, so that it is summed out.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...core.arrays import FloatArray
from ...core.compiled import inner, part
from .bank import HMMBank
from .simd import fma, larger, load, repeat, store

LOG_2PI = 1.8378770664093453
LEAST_LOG_DENSITY = -1e300


class Model(NamedTuple):
    """Parameters in the form of the kernels: without lanes for one model, or each with a last axis of lanes."""

    start: FloatArray
    """(K,)"""
    trans: FloatArray
    """(K, K)"""
    back: FloatArray
    """(K, K), the transpose of `trans`"""
    means: FloatArray
    """(K, d), or (K, S) probabilities of symbols"""
    white: FloatArray
    """(K, P), or (K, S)"""
    constants: FloatArray
    """(K,), of symbols (0,), ``-(d log 2 pi + log |Sigma|) / 2``"""


def packed(matrices: FloatArray) -> FloatArray:
    """Return the lower triangles (..., P) of symmetric matrices (..., d, d)."""
    rows, columns = np.tril_indices(matrices.shape[-1])
    return np.ascontiguousarray(matrices[..., rows, columns])


def unpacked(triangles: FloatArray, n_features: int) -> FloatArray:
    """Symmetric matrices (..., d, d) of lower triangles (..., P)."""
    rows, columns = np.tril_indices(n_features)
    matrices = np.empty((*triangles.shape[:-1], n_features, n_features))
    matrices[..., rows, columns] = triangles
    matrices[..., columns, rows] = triangles
    return matrices


def whiten(covars: FloatArray, full: bool) -> tuple[FloatArray, FloatArray]:
    """`white` and `constants` of :class:`Model` for variances (..., d) or covariance matrices (..., d, d)."""
    d = covars.shape[-1]
    if full:
        factors = np.linalg.cholesky(covars)
        half_log_det = np.log(np.diagonal(factors, axis1=-2, axis2=-1)).sum(axis=-1)
        white = packed(np.linalg.inv(factors))
    else:
        half_log_det = 0.5 * np.log(covars).sum(axis=-1)
        white = 1.0 / covars
    return np.ascontiguousarray(white), np.ascontiguousarray(-0.5 * d * LOG_2PI - half_log_det)


def stacked(bank: HMMBank) -> Model:
    """Return parameters of all models of a bank, with a leading axis of models."""
    if bank.categorical:
        white, constants = log_symbols(bank.means), np.empty((len(bank), 0))
    else:
        white, constants = whiten(bank.covars, bank.full)
    back = np.ascontiguousarray(np.swapaxes(bank.transmat, 1, 2))
    return Model(bank.startprob, bank.transmat, back, bank.means, white, constants)


def log_symbols(probabilities: FloatArray) -> FloatArray:
    """Return finite logarithms of probabilities of symbols."""
    with np.errstate(divide="ignore"):
        return np.maximum(np.log(probabilities), LEAST_LOG_DENSITY)


@part
def symbol_densities(x, steps, white, b):  # type: ignore[no-untyped-def]
    """b_t(k) = log p_k(x_t), 0 for a missing symbol, with probabilities shared by all lanes or per lane."""
    for t in range(steps):
        for lane in range(b.shape[2]):
            symbol = int(x[t, 0, lane])
            for k in range(b.shape[1]):
                if symbol < 0:
                    b[t, k, lane] = 0.0
                elif white.ndim == 3:
                    b[t, k, lane] = white[k, symbol, lane]
                else:
                    b[t, k, lane] = white[k, symbol]


@inner
def log_densities(x, steps, means, white, constants, full, gap, b):  # type: ignore[no-untyped-def]
    """b_t(k) = log N(x_t; mu_k, Sigma_k) = constant_k - |W_k (x_t - mu_k)|^2 / 2.

    `x` (T, d, lanes), `b` (T, K, lanes); row 0 of `gap` (., d, lanes) is room for x_t - mu_k.
    """
    if constants.shape[0] == 0:
        symbol_densities(x, steps, white, b)
        return
    d = x.shape[1]
    for t in range(steps):
        for k in range(b.shape[1]):
            square = repeat(0.0)
            if full:
                p = 0
                for i in range(d):
                    store(load(x, t, i) - load(means, k, i), gap, 0, i)
                    z = repeat(0.0)
                    for j in range(i + 1):
                        z = fma(load(white, k, p), load(gap, 0, j), z)
                        p += 1
                    square = fma(z, z, square)
            else:
                for i in range(d):
                    z = load(x, t, i) - load(means, k, i)
                    square = fma(z * z, load(white, k, i), square)
            store(larger(fma(-0.5, square, load(constants, k)), LEAST_LOG_DENSITY), b, t, k)
