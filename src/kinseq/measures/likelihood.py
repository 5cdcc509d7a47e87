"""Distances from the likelihood matrix that use only the models of the two sequences: SYM, BP, POR, YY.

All functions take the matrix of length-normalised log-likelihoods ``l[i, j] = log f(S_j; theta_i) / length(S_j)``,
natural logarithms, rows models and columns sequences (thesis 2011, equation 2.1). The diagonal of every result is zero.
"""

from __future__ import annotations

import warnings
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from ..core.arrays import FloatArray, as_square, require_finite
from ..core.errors import DataError, KinseqWarning, ParameterError, is_one_of, unknown_name
from .registry import Measure, MeasureInput

OwnDiagonal = Literal["zero", "own"]
DIAGONALS = ("zero", "own")

# Beyond this the exponential overflows, or the sum of four of them would.
LARGEST_EXPONENT = 700.0

# Replaces a length-normalised log-likelihood of exactly zero in a denominator.
SMALLEST_DIVISOR = 1e-12


def length_normalised(loglik: ArrayLike, lengths: ArrayLike) -> FloatArray:
    """Divide total log-likelihoods by the lengths of the sequences.

    Parameters
    ----------
    loglik : array_like, shape (P, N)
        Total log-likelihoods in nats, rows are models and columns sequences.
    lengths : array_like of int, shape (N,)
        Number of frames of each sequence, at least 1.

    Returns
    -------
    ndarray, shape (P, N)
        Nats per frame.

    Raises
    ------
    DataError
        If the shapes do not fit together, a length is below 1 or an entry is not finite.

    References
    ----------
    Thesis 2011, equation 2.1.
    """
    total = np.asarray(loglik, dtype=np.float64)
    frames = np.asarray(lengths, dtype=np.float64)
    if total.ndim != 2 or frames.shape != (total.shape[1],):
        raise DataError(
            f"log-likelihoods of shape {total.shape} and lengths of shape {frames.shape} do not fit;"
            " expected (models, sequences) and (sequences,)"
        )
    require_finite(total, "log-likelihoods")
    if not (frames >= 1).all():
        raise DataError(f"lengths: the least one is {frames.min():g}; every sequence needs at least one frame")
    return total / frames


def _square(L: ArrayLike) -> FloatArray:
    return as_square(L, "likelihood matrix")


def _zero_diagonal(matrix: FloatArray) -> FloatArray:
    np.fill_diagonal(matrix, 0.0)
    return matrix


def sym(L: ArrayLike, diagonal: OwnDiagonal = "zero") -> FloatArray:
    """Symmetrised log-likelihood ``(l_ij + l_ji) / 2``, exactly as printed.

    It is a similarity that the documents use as a distance; entries are signed. :func:`sym_neg` has the sign turned.
    Rows of the length-normalised log-likelihoods are models. The diagonal is zero, or with ``"own"`` what the formula
    says, ``l_ii``. Thesis 2011, equation 2.2; Juang and Rabiner (1985).
    """
    if not is_one_of(diagonal, DIAGONALS):
        raise ParameterError(unknown_name("diagonal", diagonal, DIAGONALS))
    ll = _square(L)
    matrix = 0.5 * (ll + ll.T)
    return matrix if diagonal == "own" else _zero_diagonal(matrix)


def sym_neg(L: ArrayLike) -> FloatArray:
    """SYM with the sign turned, ``-(l_ij + l_ji) / 2``, so that likely pairs are near; see :func:`sym`."""
    return _zero_diagonal(-sym(L))


def _bp(ll: FloatArray) -> tuple[FloatArray, dict[str, Any]]:
    own = np.diag(ll).copy()
    zero = np.abs(own) < SMALLEST_DIVISOR
    divisor = np.where(zero, np.where(own < 0, -SMALLEST_DIVISOR, SMALLEST_DIVISOR), own)
    relative = (ll - own[:, None]) / divisor[:, None]
    findings = {"bp_positive_diagonal": int((own > 0).sum()), "bp_zero_diagonal": int(zero.sum())}
    if findings["bp_positive_diagonal"] or findings["bp_zero_diagonal"]:
        warnings.warn(
            f"BP: {findings['bp_positive_diagonal']} of {own.size} sequences have a positive log-likelihood per frame"
            " under their own model, which turns the sign of the metric; it is used as printed",
            KinseqWarning,
            stacklevel=3,
        )
    return _zero_diagonal(0.5 * (relative + relative.T)), findings


def bp(L: ArrayLike) -> FloatArray:
    """BP metric ``((l_ij - l_ii) / l_ii + (l_ji - l_jj) / l_jj) / 2``, as printed, zero diagonal.

    Rows of the length-normalised log-likelihoods are models. Densities above one make ``l_ii`` positive, which turns
    the sign; such rows are counted in a warning, and so are ``l_ii`` that are so small that they were replaced by
    1e-12. Thesis 2011, equation 2.3; Panuccio et al. (2002).
    """
    return _bp(_square(L))[0]


def _por(ll: FloatArray) -> tuple[FloatArray, dict[str, Any]]:
    clipped = int((ll > LARGEST_EXPONENT).sum())
    if clipped:
        warnings.warn(
            f"POR: {clipped} likelihoods exceed exp({LARGEST_EXPONENT:g}) and were clipped; rescale the data",
            KinseqWarning,
            stacklevel=3,
        )
    p = np.exp(np.minimum(ll, LARGEST_EXPONENT))
    own = np.diag(p)
    return _zero_diagonal(np.abs(p + p.T - (own[:, None] + own))), {"por_clipped": clipped}


def por(L: ArrayLike) -> FloatArray:
    """Porikli's distance ``|p_ij + p_ji - p_ii - p_jj|`` with ``p = exp(l)``, rows of the length-normalised l being models.

    An ``l`` above 700 is clipped, with a warning. Thesis 2011, equation 2.4; Porikli (2004).
    """
    return _por(_square(L))[0]


def yy(L: ArrayLike) -> FloatArray:
    """Return the distance of Yin and Yang, ``|l_ii + l_jj - l_ij - l_ji|``, rows of the length-normalised l being models.

    Thesis 2011, equation 2.5; Yin and Yang (2005).
    """
    ll = _square(L)
    own = np.diag(ll)
    return _zero_diagonal(np.abs((own[:, None] + own) - (ll + ll.T)))


def normalised(evidence: MeasureInput) -> FloatArray:
    """Length-normalised log-likelihoods of the sequences of a task under each other's models."""
    assert evidence.loglik is not None
    return length_normalised(evidence.loglik, evidence.sequences.lengths)


def _compute_sym(evidence: MeasureInput, diagonal: OwnDiagonal) -> FloatArray:
    return sym(normalised(evidence), diagonal)


def _compute_sym_neg(evidence: MeasureInput, shift: bool) -> FloatArray:
    distance = sym_neg(normalised(evidence))
    if not shift or len(distance) < 2:
        return distance
    # A Gaussian kernel squares its argument and ignores the sign; with the likeliest pair at zero it ranks all pairs.
    apart = ~np.eye(len(distance), dtype=bool)
    return np.where(apart, distance - distance[apart].min(), 0.0)


def _compute_bp(evidence: MeasureInput) -> tuple[FloatArray, dict[str, Any]]:
    return _bp(normalised(evidence))


def _compute_por(evidence: MeasureInput) -> tuple[FloatArray, dict[str, Any]]:
    return _por(normalised(evidence))


def _compute_yy(evidence: MeasureInput) -> FloatArray:
    return yy(normalised(evidence))


MEASURES = (
    Measure(
        name="sym",
        description="how well models of sequences explain each other",
        label="SYM",
        source="thesis 2011, eq. 2.2",
        function=_compute_sym,
        requires="loglik",
        accepts=("numbers", "symbols"),
        params={"diagonal": "zero"},
        signed=True,
    ),
    Measure(
        name="sym_neg",
        description="how well models of sequences explain each other, larger where they do less",
        label="SYM (sign turned)",
        source="thesis 2011, eq. 2.2, sign turned",
        function=_compute_sym_neg,
        requires="loglik",
        accepts=("numbers", "symbols"),
        scope="task",
        params={"shift": True},
        signed=True,
    ),
    Measure(
        name="bp",
        description="how well models of sequences explain each other, by the better of both directions",
        label="BP",
        source="thesis 2011, eq. 2.3",
        function=_compute_bp,
        requires="loglik",
        accepts=("numbers", "symbols"),
        signed=True,
    ),
    Measure(
        name="por",
        description="how well models of sequences explain each other, compared with their own sequences",
        label="POR",
        source="thesis 2011, eq. 2.4",
        function=_compute_por,
        requires="loglik",
        accepts=("numbers", "symbols"),
    ),
    Measure(
        name="yy",
        description="how far the likelihoods of two sequences under each other's models differ",
        label="YY",
        source="thesis 2011, eq. 2.5",
        function=_compute_yy,
        requires="loglik",
        accepts=("numbers", "symbols"),
    ),
)
