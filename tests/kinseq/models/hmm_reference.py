"""References of the engine: all state paths written out, and a plain log-space HMM in extended precision."""

from __future__ import annotations

import itertools

import numpy as np

from kinseq.models.hmm import HMMBank

LONG = np.longdouble


def random_bank(rng, n, k, d, full=False, spread=1.5):
    """Models with Dirichlet rows, scattered means and well-conditioned covariances."""
    covars = rng.uniform(0.3, 2.0, size=(n, k, d))
    if full:
        mix = rng.normal(size=(n, k, d, d)) / np.sqrt(d)
        covars = mix @ np.swapaxes(mix, 2, 3) + covars[..., None] * np.eye(d)
    return HMMBank(
        rng.dirichlet(np.ones(k), size=n),
        rng.dirichlet(np.ones(k), size=(n, k)),
        spread * rng.normal(size=(n, k, d)),
        covars,
    )


def sequences(rng, n, d, low, high):
    return [rng.normal(size=(rng.integers(low, high + 1), d)) * 1.5 for _ in range(n)]


def log_densities(x, means, covars):
    """Log N(x_t; mu_k, Sigma_k), shape (T, K), in extended precision."""
    x, means, covars = (np.asarray(a, dtype=LONG) for a in (x, means, covars))
    d = x.shape[1]
    columns = []
    for mean, covar in zip(means, covars, strict=True):
        gap = x - mean
        if covar.ndim == 1:
            square, log_det = (gap**2 / covar).sum(axis=1), np.log(covar).sum()
        else:
            factor = np.zeros((d, d), dtype=LONG)
            for j in range(d):
                factor[j, j] = np.sqrt(covar[j, j] - factor[j, :j] @ factor[j, :j])
                for i in range(j + 1, d):
                    factor[i, j] = (covar[i, j] - factor[i, :j] @ factor[j, :j]) / factor[j, j]
            z = np.zeros_like(gap)
            for i in range(d):
                z[:, i] = (gap[:, i] - z[:, :i] @ factor[i, :i]) / factor[i, i]
            square, log_det = (z**2).sum(axis=1), 2 * np.log(np.diag(factor)).sum()
        columns.append(-(square + log_det + d * np.log(2 * LONG(np.pi))) / 2)
    return np.stack(columns, axis=1)


def _lse(a, axis):
    top = a.max(axis=axis, keepdims=True)
    top = np.where(np.isfinite(top), top, 0)
    with np.errstate(divide="ignore"):
        return np.log(np.exp(a - top).sum(axis=axis)) + np.squeeze(top, axis)


class Reference:
    """Forward-backward of one sequence under model m of a bank, all in logarithms and extended precision."""

    def __init__(self, bank, m, x):
        with np.errstate(divide="ignore"):
            start, trans = np.log(bank.startprob[m].astype(LONG)), np.log(bank.transmat[m].astype(LONG))
        log_b = log_densities(x, bank.means[m], bank.covars[m])
        n, k = log_b.shape
        alpha, beta = np.empty((n, k), dtype=LONG), np.zeros((n, k), dtype=LONG)
        alpha[0] = start + log_b[0]
        for t in range(1, n):
            alpha[t] = _lse(alpha[t - 1][:, None] + trans, 0) + log_b[t]
        for t in range(n - 2, -1, -1):
            beta[t] = _lse(trans + log_b[t + 1] + beta[t + 1], 1)
        self.loglik = _lse(alpha[-1], 0)
        self.log_gamma = alpha + beta - self.loglik
        self.log_xi = np.full((k, k), -np.inf, dtype=LONG)
        if n > 1:
            pairs = alpha[:-1, :, None] + trans + log_b[1:, None, :] + beta[1:, None, :] - self.loglik
            self.log_xi = _lse(pairs, 0)

    @property
    def gamma(self):
        return np.exp(self.log_gamma)

    @property
    def xi(self):
        return np.exp(self.log_xi)


def enumerate_paths(bank, m, x):
    """Likelihood, posteriors (T, K) and expected transitions (K, K) by summing over all K**T state paths."""
    b = np.exp(log_densities(x, bank.means[m], bank.covars[m]))
    n, k = b.shape
    total, gamma, xi = LONG(0), np.zeros((n, k), dtype=LONG), np.zeros((k, k), dtype=LONG)
    for path in itertools.product(range(k), repeat=n):
        p = LONG(bank.startprob[m, path[0]]) * b[0, path[0]]
        for t in range(1, n):
            p *= LONG(bank.transmat[m, path[t - 1], path[t]]) * b[t, path[t]]
        total += p
        for t in range(n):
            gamma[t, path[t]] += p
        for t in range(1, n):
            xi[path[t - 1], path[t]] += p
    return np.log(total), gamma / total, xi / total


def agree(a, b, eps):
    """``|a - b| <= eps * max(1, |b|)`` everywhere."""
    a, b = np.asarray(a, dtype=LONG), np.asarray(b, dtype=LONG)
    assert a.shape == b.shape
    gap = np.abs(a - b) / np.maximum(1, np.abs(b))
    assert np.isfinite(gap).all()
    assert gap.max(initial=0) <= eps, f"largest relative difference {float(gap.max()):.2e}"
