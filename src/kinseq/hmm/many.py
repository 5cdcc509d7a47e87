"""Many models and many sequences at once."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from ..core.arrays import FloatArray, as_count
from ..core.errors import ParameterError, is_one_of, unknown_name
from ..core.jobs import as_threads
from ..core.random_state import RandomState
from ..core.sequences import Sequences, SequenceSet, as_sequence_set
from ..features.frames import moments
from ..models.hmm import HMMBank, fit_bank, log_likelihood
from ..models.hmm.presets import PRESETS, FramePrior
from .estimator import COVARIANCE_FRAMES, PSEUDOCOUNT, SHARE_OF_POOLED, GaussianHMM
from .monitor import ConvergenceMonitor


def fit_each(
    sequences: Sequences,
    n_components: int = 1,
    covariance_type: Literal["diag", "full"] = "diag",
    *,
    n_iter: int = 100,
    relative_tol: float = PRESETS["default"].tol,
    floor: float = PRESETS["default"].floor,
    n_init: int = PRESETS["default"].n_init,
    random_state: RandomState = 0,
    n_jobs: int | None = None,
) -> list[GaussianHMM]:
    """Fit one model to each sequence, all in parallel.

    Parameters
    ----------
    sequences : SequenceSet or list of array_like, each of shape (T, d)
        N sequences of at least `n_components` frames.
    n_components : int
        Number of states K.
    covariance_type : {"diag", "full"}
    n_iter : int
        Greatest number of iterations.
    relative_tol : float
        A fit ends when its gain is below ``relative_tol * max(1, |L|)``, with L the log-likelihood (nats) of the sequence in
        units of its own deviations: sequences of unequal lengths are fitted alike, and so are volts and millivolts.
    floor : float
        Least eigenvalue of a covariance relative to the pooled variances of its sequence.
    n_init : int
        Number of random starts, of which the one with the largest likelihood is kept.
    random_state : int, RandomState, Generator or None
        Root of the random starts, which depend on the content of a sequence and not on the others.
    n_jobs : int or None
        Number of threads; no number depends on it.

    Returns
    -------
    list of GaussianHMM, of length N
        Fitted models; the history of each is in its `monitor_`.

    Raises
    ------
    DataError
        If a sequence is not usable or too short.
    ParameterError
        If an argument is out of range.

    Warns
    -----
    ConvergenceWarning
        If fits reached `n_iter` while their likelihood still grew.

    Notes
    -----
    The priors are the defaults of :class:`GaussianHMM`. The models of measures (``fit_bank``) have none.

    Examples
    --------
    >>> import numpy as np
    >>> from kinseq.hmm import fit_each, score_matrix
    >>> random = np.random.default_rng(0)
    >>> sequences = [random.normal(3 * (i % 2), 1, size=(40, 2)) for i in range(6)]
    >>> scores = score_matrix(fit_each(sequences, n_components=2), sequences)
    >>> scores.shape, bool((scores[0, ::2] > scores[0, 1::2]).all())
    ((6, 6), True)
    """
    if not is_one_of(covariance_type, ("diag", "full")):
        hint = "; fit a GaussianHMM to each sequence for it" if covariance_type in ("tied", "spherical") else ""
        raise ParameterError(unknown_name("covariance_type of fit_each", covariance_type, ("diag", "full")) + hint)
    k = as_count(n_components, "n_components")
    data = as_sequence_set(sequences)
    standard, units = _in_units_of_their_own(data)
    bank = fit_bank(
        standard,
        k,
        covariance_type,
        n_init=n_init,
        max_iter=as_count(n_iter, "n_iter", least=0),
        tol=relative_tol,
        floor=floor,
        random_state=random_state,
        n_jobs=n_jobs,
        prior=FramePrior(COVARIANCE_FRAMES, SHARE_OF_POOLED, PSEUDOCOUNT),
    )
    assert bank.trace is not None
    assert bank.n_iter is not None
    models = []
    for m in range(len(bank)):
        model = GaussianHMM(k, covariance_type, n_iter=n_iter, n_init=n_init, random_state=random_state)
        model.startprob_, model.transmat_ = bank.startprob[m].copy(), bank.transmat[m].copy()
        shift, unit = units[m]
        model.means_ = bank.means[m] * unit + shift
        model.covars_ = bank.covars[m] * (unit**2 if covariance_type == "diag" else np.outer(unit, unit))
        model.n_features_in_ = bank.n_features
        # Relative to this sequence, the tolerance is a number of nats.
        history = bank.trace[m, : int(bank.n_iter[m]) + 1] - data.lengths[m] * np.log(unit).sum()
        monitor = ConvergenceMonitor(relative_tol * max(1.0, abs(float(bank.trace[m, -1]))), n_iter)
        monitor.history.extend(float(value) for value in history)
        monitor.iter = int(bank.n_iter[m])
        model.monitor_ = monitor
        models.append(model)
    left = 0 if bank.converged is None else int((~bank.converged).sum())
    if left and n_iter and relative_tol >= 0.0:
        warnings.warn(
            f"{left} of {len(models)} fits ended after n_iter={n_iter} iterations while the log-likelihood still grew; give a"
            " larger n_iter, or a larger relative_tol",
            ConvergenceWarning,
            stacklevel=2,
        )
    return models


FINEST_STEP = 1e-6
"""Step, in deviations of a sequence, to which its values are rounded before they name random starts."""


def _in_units_of_their_own(data: SequenceSet) -> tuple[SequenceSet, list[tuple[FloatArray, FloatArray]]]:
    """Sequences with mean 0 and deviation 1 in each feature, and the mean and deviation of each, shape (d,)."""
    units = [moments(frames) for frames in data]
    units = [(shift, np.where(deviation > 0.0, deviation, 1.0)) for shift, deviation in units]
    values = np.concatenate([(frames - shift) / unit for frames, (shift, unit) in zip(data, units, strict=True)])
    return replace(data, values=values, rounding=FINEST_STEP), units


def score_matrix(models: Sequence[GaussianHMM], sequences: Sequences, n_jobs: int | None = None) -> FloatArray:
    """Return the log-likelihood of every sequence under every model.

    Parameters
    ----------
    models : sequence of GaussianHMM
        M models, fitted or set, over the same features; they may differ in states and kinds of covariances, and are scored
        together where they do not.
    sequences : SequenceSet or list of array_like, each of shape (T, d)
        N sequences.
    n_jobs : int or None
        Number of threads; no number depends on it.

    Returns
    -------
    ndarray, shape (M, N)
        In nats, not divided by the length; rows are models.

    Raises
    ------
    NotFittedError
        If a model is neither fitted nor set.
    DataError
        If sequences are not usable or have another number of features.
    ParameterError
        If something else than models is given.
    """
    if isinstance(models, GaussianHMM) or not all(isinstance(model, GaussianHMM) for model in models):
        raise ParameterError("models hold something else than GaussianHMM; give a list of them, as fit_each returns it")
    data, threads = as_sequence_set(sequences), as_threads(n_jobs)
    ones = [model.as_bank() for model in models]
    result = np.empty((len(ones), len(data)))
    shapes = [bank.covars.shape for bank in ones]
    for shape in dict.fromkeys(shapes):
        rows = [m for m, other in enumerate(shapes) if other == shape]
        joined = {
            name: np.concatenate([getattr(ones[m], name) for m in rows])
            for name in ("startprob", "transmat", "means", "covars")
        }
        result[rows] = log_likelihood(HMMBank(**joined), data, n_jobs=threads)
    return result
