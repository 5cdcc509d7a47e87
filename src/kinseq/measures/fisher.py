"""Fisher-score kernel on the transition parameters of a common model, which the thesis compares with SSD in words.

The score of a sequence is the gradient of its log-likelihood at the parameters of the common model. Written in the
logarithms of the transition probabilities, each row constrained to sum one, its entries are
``u_ij = c_ij - a_ij sum_j c_ij`` with c the expected transition counts of the sequence: how much more often than the
common model expects it goes from i to j.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from ..core.arrays import FloatArray, require_finite
from ..core.errors import DataError, ParameterError, is_one_of, unknown_name
from ..models.markov import as_transitions
from .registry import Measure, MeasureInput

Information = Literal["model", "identity"]
INFORMATION = ("model", "identity")


def fisher_features(
    counts: ArrayLike, transmat: ArrayLike, information: Information = "model", visits: ArrayLike | None = None
) -> FloatArray:
    """Return vectors (N, K * K) whose inner products are Fisher kernels of transition parameters.

    From expected transition counts (N, K, K) under a common model with the transitions `transmat`; counts are divided
    by their sum first, so that length plays no part. With ``"model"`` scores are whitened by the Fisher information of
    the chain, ``n_i (diag(a_i) - a_i a_i')`` for row i, with n_i the mean share of transitions that leave state i
    (`visits`, see :func:`state_visits`; those of the counts by default); with ``"identity"`` they are as they are. A
    DataError if shapes do not fit, a count is negative or not finite, or a sequence has no transition at all. Jaakkola
    and Haussler (1998); thesis 2011, section 3.2.1.
    """
    if not is_one_of(information, INFORMATION):
        raise ParameterError(unknown_name("information", information, INFORMATION))
    common = as_transitions(transmat, "transition matrix")
    expected = np.asarray(counts, dtype=np.float64)
    if expected.ndim != 3 or len(common) != 1 or expected.shape[1:] != common.shape[1:]:
        raise DataError(
            f"counts of shape {expected.shape} do not fit a transition matrix of shape {np.shape(transmat)}"
        )
    require_finite(expected, "transition counts")
    total = expected.sum(axis=(1, 2))
    if (expected < 0).any() or not (total > 0).all():
        raise DataError("transition counts: every sequence needs counts of at least 0 with a positive sum")
    share = expected / total[:, None, None]
    leaving = share.sum(axis=2, keepdims=True)
    score = share - common * leaving
    if information == "model":
        # The rows of a score sum to zero, so the inverse of the diagonal part replaces the inverse of the whole.
        share_of_state = leaving.mean(axis=0) if visits is None else np.asarray(visits, dtype=np.float64)[:, None]
        variance = common * share_of_state
        score = np.where(variance > 0, score / np.sqrt(np.where(variance > 0, variance, 1.0)), 0.0)
    return np.asarray(score.reshape(len(score), -1))


def state_visits(counts: ArrayLike) -> FloatArray:
    """Mean share of transitions that leave each state, shape (K,), for counts of shape (N, K, K)."""
    expected = np.asarray(counts, dtype=np.float64)
    return np.asarray((expected.sum(axis=2) / expected.sum(axis=(1, 2))[:, None]).mean(axis=0))


def fisher(counts: ArrayLike, transmat: ArrayLike, information: Information = "model") -> FloatArray:
    """Return the distance between Fisher scores in the norm of the Fisher kernel.

    Parameters
    ----------
    counts, transmat, information
        See :func:`fisher_features`.

    Returns
    -------
    ndarray, shape (N, N)
        ``sqrt(k_ii + k_jj - 2 k_ij)``; symmetric, not negative, zero diagonal.
    """
    from scipy.spatial.distance import pdist, squareform

    # Differences first: the three-term formula leaves the square root of the rounding error between equal sequences.
    return np.asarray(squareform(pdist(fisher_features(counts, transmat, information))))


def _counts(evidence: MeasureInput) -> FloatArray:
    from ..models.hmm import expected_transitions

    assert evidence.common is not None
    return expected_transitions(evidence.common, evidence.sequences)


def _compute(evidence: MeasureInput, information: Information) -> FloatArray:
    assert evidence.common is not None
    return fisher(_counts(evidence), evidence.common.transmat[0], information)


def _cross(old: MeasureInput, new: MeasureInput, information: Information) -> FloatArray:
    from scipy.spatial.distance import cdist

    assert old.common is not None
    counts, transmat = _counts(old), old.common.transmat[0]
    # The information matrix is that of the old sequences, so that new ones do not affect each other's results.
    visits = state_visits(counts)
    scores = [fisher_features(transitions, transmat, information, visits) for transitions in (_counts(new), counts)]
    return np.asarray(cdist(*scores))


MEASURES = (
    Measure(
        name="fisher",
        description="in which direction each sequence would change a model of all",
        label="Fisher score",
        source="Jaakkola and Haussler 1998; thesis 2011, section 3.2.1",
        function=_compute,
        cross=_cross,
        requires="common",
        accepts=("numbers", "symbols"),
        model_kinds=("hmm",),
        scope="task",
        one_frame=False,
        params={"information": "model"},
    ),
)
