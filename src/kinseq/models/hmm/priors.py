"""EM with priors: the most probable parameters of one model for all sequences, and fixed parameters.

The E-step is that of :mod:`~kinseq.models.hmm.shared_model`. Starts and rows of transitions have Dirichlet priors, means normal
ones, and covariances inverse gamma or Wishart ones; all of them flat, this is maximum likelihood.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ...core.arrays import FloatArray
from ...core.jobs import workers
from ...core.sequences import SequenceSet
from .bank import HMMBank
from .densities import Model, log_symbols, stacked, unpacked
from .maximisation import LEAST_VISITS, MIN_EIGENVALUE, Moments
from .shared_model import CommonFit, regular

Kind = Literal["spherical", "diag", "tied", "full"]
LEAST_WEIGHT = 1e-5
"""Floor of the visits of a variance; hmmlearn's number."""


@dataclass(frozen=True)
class Shrinkage:
    """Covariances shrunk towards that of all frames about the means of their states.

    Attributes
    ----------
    frames : float
        So many frames of that covariance are added to those of every state.
    pooled : ndarray, shape (d,)
        Variances that this covariance itself is drawn towards.
    pooled_frames : float
        Frames that these count for.
    """

    frames: float
    pooled: FloatArray
    pooled_frames: float


@dataclass(frozen=True)
class Prior:
    """Parameters of the priors, each of the shape of its parameter, or a number.

    Attributes
    ----------
    startprob : float or ndarray, shape (K,)
        Of the Dirichlet distribution of the first state; 1 is flat.
    transmat : float or ndarray, shape (K, K)
        Of those of the rows.
    means : float or ndarray, shape (K, d)
    means_weight : float or ndarray, shape (K, 1)
        So many frames at `means` are added; 0 is flat.
    covars : float or ndarray
        Added to the sums of squares: broadcast to (K, d) of a spherical or diagonal model, to (d, d) of a tied and to (K, d, d) of
        a full one. A number is added to every entry.
    covars_weight : float
        Frames added to those of a covariance, less 1 for a spherical or diagonal model, less d for the others, and at least 0.
    shrinkage : Shrinkage or None
        Takes the place of `covars` and `covars_weight`.
    """

    startprob: float | FloatArray = 1.0
    transmat: float | FloatArray = 1.0
    means: float | FloatArray = 0.0
    means_weight: float | FloatArray = 0.0
    covars: float | FloatArray = 0.0
    covars_weight: float = 1.0
    shrinkage: Shrinkage | None = None


def fit_with_priors(
    data: SequenceSet,
    init: HMMBank,
    kind: Kind,
    prior: Prior,
    update: str,
    variances: FloatArray,
    least: float,
    n_iter: int,
    enough: Callable[[float], bool],
    threads: int = 1,
) -> HMMBank:
    """Fit one model to all sequences together from `init`, for at most `n_iter` iterations.

    `update` says what is updated, by any of the letters s (start), t (transitions), m (means) and c (covariances). Eigenvalues
    are floored at `least` (1e-12 if it is less) relative to the pooled `variances` (d,). `enough` takes the log-likelihood
    before each update and says, after it, whether to stop. No number depends on `threads`.
    """
    least = max(least, MIN_EIGENVALUE)
    if "c" in update and n_iter:
        init = HMMBank(
            init.startprob, init.transmat, init.means, _regular(init.covars[0], kind, variances, least)[None]
        )
    bank = init
    with workers(threads) as spread:
        fit = CommonFit(data, np.arange(len(data)), bank.n_states, bank.full, spread)
        for _ in range(n_iter):
            sums, loglik, _ = fit.expectation(Model(*(array[0] for array in stacked(bank))))
            bank = maximised(bank, sums, kind, prior, update, variances, least)
            if enough(loglik):
                break
    return bank


def fit_symbols_with_priors(
    data: SequenceSet,
    init: HMMBank,
    priors: Sequence[FloatArray],
    update: str,
    n_iter: int,
    enough: Callable[[float], bool],
    threads: int = 1,
) -> HMMBank:
    """Fit one model of symbols to all sequences together, as :func:`fit_with_priors` does.

    `priors` are the parameters of the Dirichlet priors of the start, of rows of transitions and of rows of emissions; `update`
    says what is updated, by the letters s, t and e.
    """
    start, trans, emission = init.startprob[0], init.transmat[0], init.means[0]
    with workers(threads) as spread:
        fit = CommonFit(data, np.arange(len(data)), init.n_states, None, spread)
        for _ in range(n_iter):
            back = np.ascontiguousarray(trans.T)
            sums, loglik, _ = fit.expectation(Model(start, trans, back, emission, log_symbols(emission), np.empty(0)))
            if "s" in update:
                start = _distribution(start[None], (priors[0] - 1.0 + sums.starts)[None])[0]
            if "t" in update:
                trans = _distribution(trans, priors[1] - 1.0 + sums.counts)
            if "e" in update:
                emission = _distribution(emission, priors[2] - 1.0 + sums.first)
            if enough(loglik):
                break
    return HMMBank.of_symbols(start[None], trans[None], emission[None])


def maximised(
    bank: HMMBank, sums: Moments, kind: Kind, prior: Prior, update: str, variances: FloatArray, least: float
) -> HMMBank:
    """M-step of a bank of one model. Probabilities of 0 stay 0; parameters without data stay unchanged.

    ``pi = pi' + gamma_0 - 1``, rows alike, ``mu = (w m + S_1) / (w + S_0)``; covariances are
    ``(C + w (mu - m)(mu - m)' + sum gamma (x - mu)(x - mu)') / (c + S_0)``, of which a diagonal model takes the diagonal, a
    spherical one its mean, and a tied one both sums over the states.
    """
    start, trans, means, covars = bank.startprob[0], bank.transmat[0], bank.means[0], bank.covars[0]
    if "s" in update:
        start = _distribution(start[None], (prior.startprob - 1.0 + sums.starts)[None])[0]
    if "t" in update:
        trans = _distribution(trans, prior.transmat - 1.0 + sums.counts)
    visits = sums.visits[:, None]
    shift = np.zeros_like(means)
    if "m" in update:
        weight = np.broadcast_to(prior.means_weight + visits, means.shape)
        pull = prior.means_weight * (prior.means - means) + sums.first
        np.divide(pull, weight, out=shift, where=weight >= LEAST_VISITS)
        means = means + shift
    if "c" in update:
        covars = _regular(_covars(covars, sums, shift, means, kind, prior), kind, variances, least)
    return HMMBank(start[None], trans[None], means[None], covars[None])


def _distribution(rows: FloatArray, counts: FloatArray) -> FloatArray:
    """Return rows proportional to the counts, 0 where they were 0; a row without counts is unchanged."""
    counts = np.where(rows == 0.0, 0.0, np.maximum(counts, 0.0))
    totals = counts.sum(axis=1, keepdims=True)
    # As in fits without priors; smaller counts are rounding errors.
    visited = totals >= LEAST_VISITS
    return np.where(visited, counts / np.where(visited, totals, 1.0), rows)


def _covars(
    covars: FloatArray, sums: Moments, shift: FloatArray, means: FloatArray, kind: Kind, prior: Prior
) -> FloatArray:
    """Return new covariances, before anything is done to keep them regular; `shift` is new less old means."""
    k, d = means.shape
    gap = means - prior.means
    if kind in ("spherical", "diag"):
        # Moments are about the old means: sum gamma (x - mu)^2 = S_2 - 2 shift S_1 + S_0 shift^2.
        squares = sums.second - 2.0 * shift * sums.first + sums.visits[:, None] * shift**2
        squares = squares + prior.means_weight * gap**2
        if prior.shrinkage is not None:
            variances = _shrunk(squares, sums.visits[:, None], prior.shrinkage)
            return np.repeat(variances.mean(axis=1, keepdims=True), d, axis=1) if kind == "spherical" else variances
        squares = prior.covars + squares
        frames = max(prior.covars_weight - 1.0, 0.0) + sums.visits[:, None]
        variances = squares / np.maximum(frames, LEAST_WEIGHT)
        if kind == "spherical":
            variances = np.repeat(variances.mean(axis=1, keepdims=True), d, axis=1)
        return np.where((frames >= LEAST_VISITS) | (squares > 0.0).all(axis=1, keepdims=True), variances, covars)
    crossed = shift[:, :, None] * sums.first[:, None, :]
    squares = unpacked(sums.second, d) - crossed - np.swapaxes(crossed, 1, 2)
    squares += sums.visits[:, None, None] * shift[:, :, None] * shift[:, None, :]
    weight = np.broadcast_to(prior.means_weight, (k, 1))[:, :, None]
    squares = squares + weight * gap[:, :, None] * gap[:, None, :]
    if prior.shrinkage is not None:
        shrunk = _shrunk(squares, sums.visits[:, None, None], prior.shrinkage)
        return np.repeat(within(squares, sums.visits, prior.shrinkage)[None], k, axis=0) if kind == "tied" else shrunk
    added = max(prior.covars_weight - d, 0.0)
    if kind == "tied":
        variances = (prior.covars + squares.sum(axis=0)) / (added + sums.visits.sum())
        return np.repeat(variances[None], k, axis=0)
    frames = added + sums.visits[:, None, None]
    visited = frames >= LEAST_VISITS
    return np.where(visited, (prior.covars + squares) / np.where(visited, frames, 1.0), covars)


def within(squares: FloatArray, visits: FloatArray, shrinkage: Shrinkage) -> FloatArray:
    """Covariance of all frames about the means of their states, shrunk towards the pooled variances.

    One frame a state is taken off, as the means are fitted to the frames, but at most half of them.
    """
    frames = visits.sum()
    pooled = shrinkage.pooled_frames * shrinkage.pooled
    total = squares.sum(axis=0) + (np.diag(pooled) if squares.ndim == 3 else pooled)
    return np.asarray(total / (frames - min(len(visits), 0.5 * frames) + shrinkage.pooled_frames))


def _shrunk(squares: FloatArray, visits: FloatArray, shrinkage: Shrinkage) -> FloatArray:
    """Return covariances with the prior frames; `visits` broadcasts to `squares`."""
    target = within(squares, visits.ravel(), shrinkage)
    return (squares + shrinkage.frames * target) / (visits + shrinkage.frames)


def _regular(covars: FloatArray, kind: Kind, variances: FloatArray, least: float) -> FloatArray:
    """Covariances (K, d) or (K, d, d) with eigenvalues, relative to the pooled variances, of at least `least`."""
    if kind == "spherical":
        return np.maximum(covars, least * variances.mean())
    if kind == "tied":
        return np.repeat(regular(covars[:1], variances, least, 0.0)[0], len(covars), axis=0)
    return regular(covars, variances, least, 0.0)[0]
