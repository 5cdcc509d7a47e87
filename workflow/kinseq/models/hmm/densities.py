"""Log-densities of frames under the Gaussian of each state."""

from __future__ import annotations

import numpy as np

from ...arrays import FloatArray

LOG_2PI = float(np.log(2.0 * np.pi))


def log_densities(x: FloatArray, means: FloatArray, covars: FloatArray) -> FloatArray:
    """``log N(x_t; mu_k, Sigma_k)``, shape (T, K), for frames (T, d) and one model's means and covariances."""
    if covars.ndim == 2:
        precision = 1.0 / covars
        gap = x[:, None, :] - means[None]
        return np.asarray(-0.5 * (np.einsum("tki,tki,ki->tk", gap, gap, precision) + np.log(covars).sum(1) + means.shape[1] * LOG_2PI))
    result = np.empty((len(x), len(means)))
    for k, factor in enumerate(np.linalg.cholesky(covars)):
        z = np.linalg.solve(factor, (x - means[k]).T)
        result[:, k] = -0.5 * (np.einsum("it,it->t", z, z) + means.shape[1] * LOG_2PI) - np.log(np.diag(factor)).sum()
    return result
