"""State-space dynamics: distances between the transition matrices that sequences induce on the states of one model.

A single hidden Markov model is fitted to all sequences of a task; each sequence is represented by the row-normalised
expected transition counts that it has under it, and two sequences are compared by the Bhattacharyya affinity of the
rows (thesis 2011, chapter 3, Algorithm 1; arXiv 1004.1982). The fit and the representation cost time linear in the
number of sequences; only the matrix of distances itself is quadratic, and :func:`features` does without it.

The printed formula weighs all rows alike, also rows of states that a sequence never visits. Their entries are ratios of
numbers far below the rounding error of the counts that the sequence does have, and where the common model falls into
blocks of states that no sequence leaves, such rows make sequences alike that have nothing in common. What was lost is
reported (:func:`lost_information`). With ``rows="eps"`` they are uniform; :func:`ssd_joint` compares the joint
frequencies of transitions instead.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from ..core.arrays import FloatArray, as_count, as_numbers, as_positive, require_finite
from ..core.errors import DataError
from ..models.markov import as_transitions, stationary
from .registry import Measure, MeasureInput

if TYPE_CHECKING:
    from ..models.hmm.smoothing import Rows

# Floor of affinities, so that distances between sequences without a common transition stay finite.
MIN_AFFINITY = 1e-300

# A smaller share of a sequence's transitions is below the rounding error of the others.
UNVISITED_SHARE = float(np.finfo(np.float64).eps)

# Smaller distances are rounding errors.
MIN_DISTANCE = 1e-9


def features(transitions: ArrayLike) -> FloatArray:
    """Return vectors whose inner products are the mean Bhattacharyya affinities of the rows of transition matrices.

    Parameters
    ----------
    transitions : array_like, shape (N, K, K)
        Rows sum to one.

    Returns
    -------
    ndarray, shape (N, K * K)
        Square roots over sqrt(K); every vector has length one. Linear memory, for data sets whose matrix of distances
        is too large.

    References
    ----------
    Thesis 2011, equations 3.4-3.5.
    """
    matrices = as_transitions(transitions)
    n, k, _ = matrices.shape
    return np.sqrt(matrices.reshape(n, k * k) / k)


def _distance(vectors: FloatArray) -> tuple[FloatArray, int]:
    """Negative logarithms of inner products of unit vectors, and the number of floored ones."""
    affinity = vectors @ vectors.T
    low = int((np.triu(affinity < MIN_AFFINITY, k=1)).sum())
    np.clip(affinity, MIN_AFFINITY, 1.0, out=affinity)
    distance = -np.log(affinity, out=affinity)
    # Rounding may leave -0.0 and, through the order of summation, an asymmetry in the last bit.
    distance = 0.5 * (distance + distance.T) + 0.0
    np.fill_diagonal(distance, 0.0)
    return distance, low


def ssd(transitions: ArrayLike) -> FloatArray:
    """SSD distance: minus the logarithm of the mean Bhattacharyya affinity of corresponding rows.

    Parameters
    ----------
    transitions : array_like, shape (N, K, K)
        Induced transition matrices, rows sum to one; see :func:`kinseq.models.hmm.induced_transitions`.

    Returns
    -------
    ndarray, shape (N, N)
        Symmetric, not negative, zero diagonal; at most 690.8 (two sequences that share no transition).

    Raises
    ------
    DataError
        If a row is no probability distribution.

    References
    ----------
    Thesis 2011, equation 3.5 and Algorithm 1; arXiv 1004.1982, equation 11.
    """
    return _distance(features(transitions))[0]


def ssd_st(transitions: ArrayLike) -> FloatArray:
    """SSD distance at equilibrium: minus the logarithm of the Bhattacharyya affinity of stationary distributions.

    Of transition matrices (N, K, K); for chains with several closed classes see
    :func:`kinseq.models.markov.stationary`. Thesis 2011, section 6.3 (SSD-ST).
    """
    return _distance(np.sqrt(stationary(transitions)))[0]


def diffused(transitions: ArrayLike, t: int) -> FloatArray:
    """Transition matrices (N, K, K) over t time steps, ``A^t``, t at least 1."""
    matrices = np.linalg.matrix_power(as_transitions(transitions), as_count(t, "t"))
    return np.asarray(matrices / matrices.sum(axis=2, keepdims=True))


def diffusion(transitions: ArrayLike, t: int) -> FloatArray:
    """SSD distance between transition matrices (N, K, K) over t time steps.

    1 gives :func:`ssd`, and large t approach the stationary distributions. Thesis 2011, section 3.2.2.
    """
    return ssd(diffused(transitions, t))


def without_self(transitions: ArrayLike) -> FloatArray:
    """Transition matrices given that the state changes: diagonals set to zero, rows scaled to sum one (thesis 2011, section 3.2.2).

    A row with nothing but its self transition becomes uniform over the other states. A chain of one state stays as it
    is.
    """
    matrices = as_transitions(transitions).copy()
    k = matrices.shape[1]
    if k == 1:
        return matrices
    matrices[:, np.arange(k), np.arange(k)] = 0.0
    # Scale by the largest entry first: the sum of the least float64 numbers has no accurate inverse.
    top = matrices.max(axis=2, keepdims=True)
    uniform = (1.0 - np.eye(k)) / (k - 1)
    matrices = np.where(top > 0.0, matrices / np.where(top > 0.0, top, 1.0), uniform)
    return np.asarray(matrices / matrices.sum(axis=2, keepdims=True))


def joint(counts: ArrayLike, prior: float = 1.0) -> FloatArray:
    """Joint frequencies of transitions: the posterior mean under a Dirichlet prior that is flat over the K * K pairs.

    Of expected numbers of transitions (N, K, K), see :func:`kinseq.models.hmm.expected_transitions`: ``(counts + prior
    / K^2) / (counts.sum() + prior)``, positive, each matrix sums to one. `prior` is its weight in transitions, over all
    pairs together; Perks (1947) has the one of total weight 1.
    """
    weight = as_positive(prior, "prior")
    transitions = as_numbers(counts, "counts")
    if transitions.ndim != 3 or transitions.shape[1] != transitions.shape[2] or 0 in transitions.shape:
        raise DataError(f"counts: have shape {transitions.shape}, expected (N, K, K), none of them zero")
    require_finite(transitions, "counts")
    if (transitions < 0).any():
        raise DataError(f"counts: the least is {transitions.min():g}, expected numbers of transitions of at least 0")
    k = transitions.shape[1]
    return np.asarray((transitions + weight / (k * k)) / (transitions.sum(axis=(1, 2)) + weight)[:, None, None])


def ssd_joint(counts: ArrayLike, prior: float = 1.0) -> FloatArray:
    """Minus the logarithm of the Bhattacharyya affinity of joint transition frequencies; depends on the states visited.

    The affinity is the sum over states of the affinity of their rows, as in :func:`ssd`, weighted by the geometric mean
    of the shares of time that the two sequences spend in the state. Rows of states that neither visits count for
    nothing; sequences that visit no common state are as far apart as the prior allows. Two have distance 0 only if
    their frequencies (:func:`joint`) are the same.
    """
    return _distance(_joint_vectors(as_numbers(counts, "counts"), prior))[0]


def lost_information(counts: FloatArray, distance: FloatArray) -> dict[str, Any]:
    """Return the information that a distance (N, N) between rows ignores, from the expected numbers of transitions (N, K, K).

    ``saturated_rows``: share, 0 to 1, of the N * K rows whose transitions together are below the rounding error of the
    sequence's other transitions, so that the row is a ratio of numbers that say nothing. ``disjoint_pairs``: number of
    pairs of sequences whose sets of visited states do not meet. ``collapsed``: whether some such pair, which differs as
    much as sequences can, has distance 0.
    """
    total = counts.sum(axis=(1, 2))[:, None]
    visited = counts.sum(axis=1) + counts.sum(axis=2) > 2.0 * UNVISITED_SHARE * total
    disjoint = np.triu(visited.astype(np.float32) @ visited.T.astype(np.float32) == 0.0, k=1)
    return {
        "saturated_rows": float((counts.sum(axis=2) < UNVISITED_SHARE * total).mean()),
        "disjoint_pairs": int(disjoint.sum()),
        "collapsed": bool((distance[disjoint] < MIN_DISTANCE).any()),
    }


def _counts(evidence: MeasureInput) -> FloatArray:
    from ..models.hmm import expected_transitions

    assert evidence.common is not None
    return expected_transitions(evidence.common, evidence.sequences)


def _induced(evidence: MeasureInput, rows: Rows) -> FloatArray:
    from ..models.hmm import induced_transitions

    assert evidence.common is not None
    return induced_transitions(evidence.common, evidence.sequences, rows=rows)


def _distance_and_findings(evidence: MeasureInput, vectors: FloatArray) -> tuple[FloatArray, dict[str, Any]]:
    assert evidence.common is not None
    distance, floored = _distance(vectors)
    share = stationary(evidence.common.transmat)[0]
    # Thesis 2011, section 3.3.3: a hardly occupied state is a sign of too many states.
    findings = {
        "ssd_floored": floored,
        "least_occupancy": 100.0 * float(share.min()),
        "rare_states": int((share < 0.01).sum()),
    }
    if evidence.common.loglik is not None:
        findings["loglik_per_frame"] = float(evidence.common.loglik[0]) / len(evidence.sequences.values)
    return distance, findings


def _by_rows(evidence: MeasureInput, vectors: FloatArray) -> tuple[FloatArray, dict[str, Any]]:
    """Return the distance and findings of a measure that uses rows, including those of unvisited states."""
    distance, findings = _distance_and_findings(evidence, vectors)
    return distance, findings | lost_information(_counts(evidence), distance)


def _between(new: FloatArray, old: FloatArray) -> FloatArray:
    """Negative logarithms of inner products of two sets of unit vectors, shape (M, N)."""
    return np.asarray(-np.log(np.clip(new @ old.T, MIN_AFFINITY, 1.0)) + 0.0)


def _stationary_vectors(transitions: FloatArray) -> FloatArray:
    return np.sqrt(stationary(transitions))


def _diffused_vectors(transitions: FloatArray, t: int) -> FloatArray:
    return features(diffused(transitions, t))


def _noself_vectors(transitions: FloatArray) -> FloatArray:
    return features(without_self(transitions))


def _joint_vectors(counts: FloatArray, prior: float) -> FloatArray:
    return np.sqrt(joint(counts, prior).reshape(len(counts), -1))


DistanceAndFindings = tuple[FloatArray, dict[str, Any]]


def _measure(
    vectors: Callable[..., FloatArray],
    of: Callable[..., FloatArray] = _induced,
    distances: Callable[[MeasureInput, FloatArray], DistanceAndFindings] = _by_rows,
    **fields: Any,
) -> Measure:
    """A measure by unit vectors derived from the transitions of each sequence; new ones are compared with old ones alike.

    The parameter ``rows`` is one of the transitions, the others are of the vectors.
    """

    def made(evidence: MeasureInput, params: dict[str, Any]) -> FloatArray:
        of_transitions = {name: value for name, value in params.items() if name == "rows"}
        return vectors(
            of(evidence, **of_transitions), **{name: params[name] for name in params if name not in of_transitions}
        )

    def function(evidence: MeasureInput, **params: Any) -> DistanceAndFindings:
        return distances(evidence, made(evidence, params))

    def cross(old: MeasureInput, new: MeasureInput, **params: Any) -> FloatArray:
        return _between(made(new, params), made(old, params))

    return Measure(function=function, cross=cross, **fields)


ALGORITHM = "thesis 2011, Algorithm 1, eq. 3.5; arXiv 1004.1982, eq. 11"
VARIANTS = "thesis 2011, section 3.2.2"
OURS = "in no document; Bhattacharyya affinity of joint transition frequencies"

_ssd = partial(
    _measure, requires="common", accepts=("numbers", "symbols"),
    model_kinds=("hmm",), scope="task", one_frame=False, fallbacks=("ssd_joint", "kl_ll"),
    params={"rows": "limit"},
)  # fmt: skip

MEASURES = (
    _ssd(name="ssd", label="SSD", source=ALGORITHM, vectors=features,
         description="how sequences pass between states that all share, by a model of all"),
    _ssd(name="ssd_st", label="SSD-ST", source="thesis 2011, section 6.3", vectors=_stationary_vectors,
         description="which shared states sequences visit in the long run"),
    _ssd(name="ssd_diffusion", label="SSD (diffusion)", source=VARIANTS, vectors=_diffused_vectors,
         params={"rows": "limit", "t": 2}, description="how sequences pass between shared states in several steps"),
    _ssd(name="ssd_noself", label="SSD (no self transitions)", source=VARIANTS, vectors=_noself_vectors,
         description="how sequences pass between shared states when they leave one"),
    _ssd(name="ssd_joint", label="SSD (joint)", source=OURS, vectors=_joint_vectors, of=_counts,
         distances=_distance_and_findings, params={"prior": 1.0}, fallbacks=(),
         description="which shared states sequences visit and how they pass between them, by a model of all"),
)  # fmt: skip
