"""The four types of covariances: their shapes, and conversion for the engine."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..core.arrays import FloatArray, as_numbers, require_finite
from ..core.errors import ParameterError, is_one_of, unknown_name
from ..models.hmm.priors import Kind

KINDS: tuple[Kind, ...] = ("spherical", "diag", "full", "tied")
SHAPES = {"spherical": "(K,)", "diag": "(K, d)", "full": "(K, d, d)", "tied": "(d, d)"}


def checked_kind(kind: Any) -> Kind:
    """Return the covariance type if it is valid."""
    if not is_one_of(kind, KINDS):
        raise ParameterError(unknown_name("covariance_type", kind, KINDS))
    return kind


def compact(covars: ArrayLike, kind: Kind, n_components: int) -> FloatArray:
    """Covariances as stored: (K,), (K, d), (K, d, d) or (d, d).

    They come in that shape, or as one matrix a state, (K, d, d), which has to be of that kind; another shape or kind,
    or ones that are not positive definite, are a ParameterError.
    """
    array = np.array(as_numbers(covars, "covars_"))
    require_finite(array, "covars_")
    k, where = n_components, f"covars_ of covariance_type={kind!r}"
    square = array.ndim == 3 and array.shape[0] == k and array.shape[1] == array.shape[2] > 0
    values = array
    if kind == "spherical":
        # hmmlearn flattens any array of K numbers, and returns one matrix per state.
        if array.size == k:
            values = array.reshape(k)
        elif array.ndim == 2 and len(array) == k and (array == array[:, :1]).all():
            values = array[:, 0].copy()
        elif square and np.array_equal(array, array[:, :1, :1] * np.eye(array.shape[1])):
            values = array[:, 0, 0].copy()
    elif kind == "diag" and square and np.array_equal(array, array * np.eye(array.shape[1])):
        values = np.diagonal(array, axis1=1, axis2=2).copy()
    elif kind == "tied" and square and (array == array[0]).all():
        values = array[0].copy()
    fits = {
        "spherical": values.shape == (k,),
        "diag": values.ndim == 2 and len(values) == k and values.size > 0,
        "full": square,
        "tied": values.ndim == 2 and values.shape[0] == values.shape[1] > 0,
    }
    if not fits[kind]:
        raise ParameterError(f"{where} have shape {array.shape}, expected {SHAPES[kind]} with K={k}")
    if kind in ("spherical", "diag"):
        positive = bool((values > 0.0).all())
    else:
        symmetric = np.allclose(values, np.swapaxes(values, -1, -2), atol=1e-8 * float(np.abs(values).max()))
        positive = symmetric and bool((np.linalg.eigvalsh(values) > 0.0).all())
    if not positive:
        what = "positive" if kind in ("spherical", "diag") else "symmetric and positive definite"
        raise ParameterError(f"{where} are not {what}; give others, or raise min_covar or the priors of the fit")
    return values


def for_engine(values: FloatArray, kind: Kind, n_components: int, n_features: int) -> FloatArray:
    """Return stored covariances as variances (K, d), for spherical and diagonal models, or matrices (K, d, d)."""
    if kind == "spherical":
        return np.repeat(values[:, None], n_features, axis=1)
    return np.repeat(values[None], n_components, axis=0) if kind == "tied" else values


def from_engine(covars: FloatArray, kind: Kind) -> FloatArray:
    """Return the inverse of :func:`for_engine`."""
    if kind == "spherical":
        return covars[:, 0].copy()
    return covars[0].copy() if kind == "tied" else covars.copy()


def as_matrices(values: FloatArray, kind: Kind, n_components: int, n_features: int) -> FloatArray:
    """Return stored covariances as one matrix per state, (K, d, d)."""
    covars = for_engine(values, kind, n_components, n_features)
    return covars[:, :, None] * np.eye(n_features) if covars.ndim == 2 else covars.copy()


def n_numbers(kind: Kind, k: int, d: int) -> int:
    """Return the number of free parameters of the covariances."""
    return {"spherical": k, "diag": k * d, "full": k * d * (d + 1) // 2, "tied": d * (d + 1) // 2}[kind]
