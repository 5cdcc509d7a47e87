"""Probability product kernel between hidden Markov models.

``k(p, q)`` is the integral of ``p(X)^rho q(X)^rho`` over sequences X of a fixed length, with the power taken of each
path of states by itself, so that a recursion over pairs of states finds it (Jebara, Kondor and Howard, 2004; Jebara,
Song and Thadani, 2007; thesis 2011, section 3.1, equation 3.1). For rho = 1 the power changes nothing and the recursion
is the exact integral.
"""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np

from ..core.arrays import FloatArray, as_count
from ..core.compiled import compiled
from ..core.errors import ParameterError, is_one_of, unknown_name
from ..models.hmm import HMMBank
from ..models.markov import stationary
from .registry import Measure, MeasureInput

Start = Literal["stationary", "learnt"]
STARTS = ("stationary", "learnt")

# Floor of normalised kernels, exp(-this), so that distances stay finite; exp(-690.8) is 1e-300.
MAX_DISTANCE = -math.log(1e-300)

# Sums of scaled products above this are exact to the last digit, whatever underflowed in their terms.
_MIN_EXACT_SUM = 1e-250


@compiled()
def _log_overlaps(means_a, means_b, covars_a, covars_b, rho, work, gap, out):  # type: ignore[no-untyped-def]
    """Fill ``out[k, u]`` with ``-rho/2 gap' S^-1 gap - log|S| / 2`` for S the sum of two full covariances."""
    d = means_a.shape[1]
    for k in range(means_a.shape[0]):
        for u in range(means_b.shape[0]):
            log_root = 0.0
            square = 0.0
            # Cholesky factor of the sum, with forward substitution on the way.
            for i in range(d):
                gap[i] = means_a[k, i] - means_b[u, i]
                for j in range(i + 1):
                    value = covars_a[k, i, j] + covars_b[u, i, j]
                    for m in range(j):
                        value -= work[i, m] * work[j, m]
                    if i == j:
                        work[i, i] = math.sqrt(value)
                        log_root += math.log(work[i, i])
                    else:
                        work[i, j] = value / work[j, j]
                for m in range(i):
                    gap[i] -= work[i, m] * gap[m]
                gap[i] /= work[i, i]
                square += gap[i] * gap[i]
            out[k, u] = -0.5 * rho * square - log_root


@compiled()
def _log_overlaps_diagonal(means_a, means_b, covars_a, covars_b, rho, out):  # type: ignore[no-untyped-def]
    """:func:`_log_overlaps` for diagonal covariances."""
    for k in range(means_a.shape[0]):
        for u in range(means_b.shape[0]):
            log_det = 0.0
            square = 0.0
            for i in range(means_a.shape[1]):
                variance = covars_a[k, i] + covars_b[u, i]
                gap = means_a[k, i] - means_b[u, i]
                log_det += math.log(variance)
                square += gap * gap / variance
            out[k, u] = -0.5 * rho * square - 0.5 * log_det


@compiled()
def _log_overlaps_of_symbols(powers_a, powers_b, out):  # type: ignore[no-untyped-def]
    """``log sum_s p_k(s)^rho q_u(s)^rho`` of categorical emissions, by their powers (K, S)."""
    for k in range(powers_a.shape[0]):
        for u in range(powers_b.shape[0]):
            total = 0.0
            for s in range(powers_a.shape[1]):
                total += powers_a[k, s] * powers_b[u, s]
            out[k, u] = math.log(total) if total > 0.0 else -np.inf


# Loops instead of array expressions, which take longer to compile than to compute.
@compiled()
def _largest(values):  # type: ignore[no-untyped-def]
    top = -np.inf
    for k in range(values.shape[0]):
        for u in range(values.shape[1]):
            top = max(top, values[k, u])
    return top


@compiled()
def _log_sum(values):  # type: ignore[no-untyped-def]
    top = _largest(values)
    if top == -np.inf:
        return -np.inf
    total = 0.0
    for k in range(values.shape[0]):
        for u in range(values.shape[1]):
            total += math.exp(values[k, u] - top)
    return top + math.log(total)


@compiled()
def _log_entry(phi, log_a, log_b, j, q):  # type: ignore[no-untyped-def]
    """``log sum_{k, u} exp(phi[k, u] + log_a[k, j] + log_b[u, q])`` in logarithms throughout."""
    n, m = phi.shape
    top = -np.inf
    for k in range(n):
        for u in range(m):
            top = max(top, phi[k, u] + log_a[k, j] + log_b[u, q])
    if top == -np.inf:
        return -np.inf
    total = 0.0
    for k in range(n):
        for u in range(m):
            total += math.exp(phi[k, u] + log_a[k, j] + log_b[u, q] - top)
    return top + math.log(total)


@compiled()
def _step(phi, a, b, log_a, log_b, half, out):  # type: ignore[no-untyped-def]
    """One transition of both chains, ``out = log(a' exp(phi) b)``: scaled products, logarithms where they underflow."""
    n, m = phi.shape
    top = _largest(phi)
    if top == -np.inf:
        for j in range(n):
            for q in range(m):
                out[j, q] = -np.inf
        return
    for u in range(m):
        for j in range(n):
            half[j, u] = 0.0
        for k in range(n):
            weight = math.exp(phi[k, u] - top)
            if weight > 0.0:
                for j in range(n):
                    half[j, u] += a[k, j] * weight
    for j in range(n):
        for q in range(m):
            total = 0.0
            for u in range(m):
                total += half[j, u] * b[u, q]
            # Underflowed terms are below 1e-300, so an entry above the limit has lost nothing.
            out[j, q] = top + math.log(total) if total > _MIN_EXACT_SUM else _log_entry(phi, log_a, log_b, j, q)


@compiled()
def _pairs(log_start, log_trans, trans, means, covars, spreads, rho, n_frames, full):  # type: ignore[no-untyped-def]
    """Logarithms of all kernels; `spreads` (N, K) are the terms of a single Gaussian."""
    n, n_states, d = means.shape
    result = np.empty((n, n))
    work, gap = np.empty((d, d)), np.empty(d)
    overlap = np.empty((n_states, n_states))
    phi, half, moved = np.empty_like(overlap), np.empty_like(overlap), np.empty_like(overlap)
    for i in range(n):
        for j in range(i, n):
            if covars.shape[2] == 0:
                _log_overlaps_of_symbols(means[i], means[j], overlap)
            elif full:
                _log_overlaps(means[i], means[j], covars[i], covars[j], rho, work, gap, overlap)
            else:
                _log_overlaps_diagonal(means[i], means[j], covars[i, :, :, 0], covars[j, :, :, 0], rho, overlap)
            for k in range(n_states):
                for u in range(n_states):
                    overlap[k, u] += spreads[i, k] + spreads[j, u]
                    phi[k, u] = log_start[i, k] + log_start[j, u] + overlap[k, u]
            for _ in range(n_frames - 1):
                _step(phi, trans[i], trans[j], log_trans[i], log_trans[j], half, moved)
                for k in range(n_states):
                    for u in range(n_states):
                        phi[k, u] = moved[k, u] + overlap[k, u]
            result[i, j] = _log_sum(phi)
            result[j, i] = result[i, j]
    return result


def _log_determinants(bank: HMMBank) -> FloatArray:
    if bank.full:
        return np.asarray(np.linalg.slogdet(bank.covars)[1])
    return np.asarray(np.log(bank.covars).sum(axis=-1))


def log_ppk(bank: HMMBank, rho: float = 1.0, n_frames: int = 10) -> FloatArray:
    """Return logarithms (N, N) of un-normalised probability product kernels between all models of a bank.

    `rho` is the power of the densities, `n_frames` the length of the sequences that are integrated over; ``startprob``
    is used as it is. May hold ``-inf``, where two models give no sequence of states that both allow. Jebara, Kondor and
    Howard (2004), section 5; thesis 2011, equation 3.1 (whose text says rho = 2; the papers on the kernel use 1/2 and
    1).

    The kernel of two models is ``sum_x p(x)^rho q(x)^rho`` over all sequences x of that length. The recursion of the paper takes
    powers of the probabilities of paths: it sums ``(pi_k1 a_k1k2 ...)^rho (pi'_u1 a'_u1u2 ...)^rho`` over the paths k and u of
    both models, times one factor for each frame, the integral of the product of two densities. A symbol is one of S, so that this
    integral is a sum, ``psi(k, u) = sum_s p_k(s)^rho q_u(s)^rho``, an inner product of rows of probabilities. With rho = 1 the sum
    over paths is exact.
    """
    frames = as_count(n_frames, "n_frames")
    if isinstance(rho, bool) or not isinstance(rho, (int, float, np.integer, np.floating)) or not 0 < rho < np.inf:
        raise ParameterError(f"rho is {rho!r}, expected a positive number such as 1")
    power, d = float(rho), bank.n_features
    with np.errstate(divide="ignore"):
        log_start, log_trans = power * np.log(bank.startprob), power * np.log(bank.transmat)
    if bank.categorical:
        none = np.zeros((*bank.startprob.shape, 0, 1))
        spreads, powers = np.zeros(bank.startprob.shape), bank.means**power
        return np.asarray(_pairs(log_start, log_trans, np.exp(log_trans), powers, none, spreads, power, frames, False))
    # The power of a Gaussian is a Gaussian of covariance S / rho times a constant; the integral of two such.
    constant = d * (0.5 * (0.5 - power) * math.log(2.0 * math.pi) - 0.25 * math.log(power))
    spreads = constant + 0.5 * (1.0 - power) * _log_determinants(bank)
    covars = bank.covars if bank.full else bank.covars[..., None]
    return np.asarray(
        _pairs(log_start, log_trans, np.exp(log_trans), bank.means, covars, spreads, power, frames, bank.full)
    )


def ppk(
    bank: HMMBank, rho: float = 1.0, n_frames: int = 10, start: Start = "stationary", normalised: bool = True
) -> FloatArray:
    """Dissimilarity ``-log k(p, q)`` of a probability product kernel.

    Parameters
    ----------
    bank : HMMBank
        N models, with Gaussian or categorical emissions.
    rho : float
        Power of the densities, positive.
    n_frames : int
        Number of frames that are integrated over.
    start : {"stationary", "learnt"}
        Start of the chains: the stationary distribution of each transition matrix, or ``startprob`` as it was fitted.
        A start vector learnt from a single sequence is next to one-hot.
    normalised : bool
        Whether the kernel is divided by ``sqrt(k(p, p) k(q, q))``, which makes the dissimilarity of a model to itself 0
        and others not negative. Without, entries are signed.

    Returns
    -------
    ndarray, shape (N, N)
        Symmetric, zero diagonal; entries beyond 690.8 count as that.

    References
    ----------
    Jebara, Song and Thadani (2007); thesis 2011, section 3.3.
    """
    return _distance(bank, rho, n_frames, start, normalised)[0]


def _distance(
    bank: HMMBank, rho: float, n_frames: int, start: Start, normalised: bool
) -> tuple[FloatArray, dict[str, Any]]:
    if not is_one_of(start, STARTS):
        raise ParameterError(unknown_name("start", start, STARTS))
    if start == "stationary":
        bank = HMMBank(stationary(bank.transmat), bank.transmat, bank.means, bank.covars)
    logs = log_ppk(bank, rho, n_frames)
    if normalised:
        own = np.diag(logs)
        logs = logs - 0.5 * (own[:, None] + own)
    floored = int((np.triu(logs < -MAX_DISTANCE, k=1)).sum())
    distance = -np.maximum(logs, -MAX_DISTANCE)
    if normalised:
        # Cauchy-Schwarz holds for the recursion as for the integral; values below 0 are rounding.
        distance = np.maximum(distance, 0.0)
    np.fill_diagonal(distance, 0.0)
    return distance, {"ppk_floored": floored}


def _compute(evidence: MeasureInput, **params: Any) -> tuple[FloatArray, dict[str, Any]]:
    assert evidence.bank is not None
    return _distance(evidence.bank, **params)


MEASURES = (
    Measure(
        name="ppk",
        description="how similar the sequences are that two models would generate",
        label="PPK",
        source="Jebara, Song and Thadani 2007; thesis 2011, eq. 3.1",
        function=_compute,
        requires="bank",
        accepts=("numbers", "symbols"),
        model_kinds=("hmm",),
        params={"rho": 1.0, "n_frames": 10, "start": "stationary", "normalised": True},
    ),
)
