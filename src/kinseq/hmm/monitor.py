"""Progress of a fit."""

from __future__ import annotations

import sys
import warnings
from collections import deque

import numpy as np

from ..core.errors import KinseqWarning

ROUNDING = float(np.sqrt(np.finfo(np.float64).eps))
"""Largest fall of the log-likelihood that counts as rounding."""


class ConvergenceMonitor:
    """History of a fit, and its stopping rule; as in hmmlearn.

    A subclass with another property `converged` that is set as ``model.monitor_`` before :meth:`GaussianHMM.fit` is used
    and kept.

    Parameters
    ----------
    tol : float
        The fit ends when the gain in log-likelihood (nats) is less.
    n_iter : int
        Greatest number of iterations.
    verbose : bool
        Whether each iteration is reported on standard error.

    Attributes
    ----------
    history : deque of float
        Log-likelihood of the training data before each update of the parameters.
    iter : int
        Number of iterations.
    """

    def __init__(self, tol: float, n_iter: int, verbose: bool = False) -> None:
        self.tol = tol
        self.n_iter = n_iter
        self.verbose = verbose
        self.history: deque[float] = deque()
        self.iter = 0

    def __repr__(self) -> str:
        last = f", last log-likelihood {self.history[-1]:.8g}" if self.history else ""
        return f"{type(self).__name__}(tol={self.tol}, n_iter={self.n_iter}, iter={self.iter}{last})"

    def reset(self) -> None:
        """Reset the history."""
        self.iter = 0
        self.history.clear()

    def report(self, log_prob: float) -> None:
        """Record the log-likelihood of one iteration.

        Parameters
        ----------
        log_prob : float
            In nats.

        Warns
        -----
        KinseqWarning
            If it has fallen by more than rounding, as it can where priors or a floor are at work.
        """
        gain = log_prob - self.history[-1] if self.history else np.nan
        self.history.append(log_prob)
        self.iter += 1
        if self.verbose:
            print(f"{self.iter:>10d} {log_prob:>16.8f} {gain:>+16.8f}", file=sys.stderr)
        if gain < -ROUNDING * max(1.0, abs(log_prob)):
            warnings.warn(
                f"the log-likelihood fell by {-gain:.3g} to {log_prob:.8g} in iteration {self.iter};"
                " priors or the floor of the covariances hold it down",
                KinseqWarning,
                stacklevel=2,
            )

    @property
    def converged(self) -> bool:
        """Whether the last gain was less than `tol`; False if the iterations ran out first."""
        return len(self.history) > 1 and self.history[-1] - self.history[-2] < self.tol
