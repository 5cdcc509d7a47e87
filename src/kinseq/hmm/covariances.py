"""The four kinds of covariances: their shapes, and how the engine takes them."""

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
    """The kind of covariances, if there is such a kind."""
    if not is_one_of(kind, KINDS):
        raise ParameterError(unknown_name("covariance_type", kind, KINDS))
    return kind


def compact(covars: ArrayLike, kind: Kind, n_components: int) -> FloatArray:
    """Covariances as they are kept: (K,), (K, d), (K, d, d) or (d, d).

    Parameters
    ----------
    covars : array_like
        In that shape, or as one matrix a state, (K, d, d), which has to be of that kind.
    kind : {"spherical", "diag", "full", "tied"}
    n_components : int
        K.

    Raises
    ------
    ParameterError
        If they have another shape or kind, or are not positive definite.
    """
    given = np.array(as_numbers(covars, "covars_"))
    require_finite(given, "covars_")
    k, where = n_components, f"covars_ of covariance_type={kind!r}"
    square = given.ndim == 3 and given.shape[0] == k and given.shape[1] == given.shape[2] > 0
    found = given
    if kind == "spherical":
        # hmmlearn flattens whatever holds K numbers, and gives one matrix a state back.
        if given.size == k:
            found = given.reshape(k)
        elif given.ndim == 2 and len(given) == k and (given == given[:, :1]).all():
            found = given[:, 0].copy()
        elif square and np.array_equal(given, given[:, :1, :1] * np.eye(given.shape[1])):
            found = given[:, 0, 0].copy()
    elif kind == "diag" and square and np.array_equal(given, given * np.eye(given.shape[1])):
        found = np.diagonal(given, axis1=1, axis2=2).copy()
    elif kind == "tied" and square and (given == given[0]).all():
        found = given[0].copy()
    fits = {
        "spherical": found.shape == (k,),
        "diag": found.ndim == 2 and len(found) == k and found.size > 0,
        "full": square,
        "tied": found.ndim == 2 and found.shape[0] == found.shape[1] > 0,
    }
    if not fits[kind]:
        raise ParameterError(f"{where} have shape {given.shape}, expected {SHAPES[kind]} with K={k}")
    if kind in ("spherical", "diag"):
        positive = bool((found > 0.0).all())
    else:
        symmetric = np.allclose(found, np.swapaxes(found, -1, -2))
        positive = symmetric and bool((np.linalg.eigvalsh(found) > 0.0).all())
    if not positive:
        what = "positive" if kind in ("spherical", "diag") else "symmetric and positive definite"
        raise ParameterError(f"{where} are not {what}; give others, or raise min_covar or the priors of the fit")
    return found


def for_engine(kept: FloatArray, kind: Kind, n_components: int, n_features: int) -> FloatArray:
    """What is kept as variances (K, d), of spherical and diagonal models, or matrices (K, d, d)."""
    if kind == "spherical":
        return np.repeat(kept[:, None], n_features, axis=1)
    return np.repeat(kept[None], n_components, axis=0) if kind == "tied" else kept


def from_engine(covars: FloatArray, kind: Kind) -> FloatArray:
    """The reverse of :func:`for_engine`."""
    if kind == "spherical":
        return covars[:, 0].copy()
    return covars[0].copy() if kind == "tied" else covars.copy()


def as_matrices(kept: FloatArray, kind: Kind, n_components: int, n_features: int) -> FloatArray:
    """What is kept as one matrix a state, (K, d, d)."""
    covars = for_engine(kept, kind, n_components, n_features)
    return covars[:, :, None] * np.eye(n_features) if covars.ndim == 2 else covars.copy()


def n_numbers(kind: Kind, k: int, d: int) -> int:
    """How many numbers the covariances have that can be chosen freely."""
    return {"spherical": k, "diag": k * d, "full": k * d * (d + 1) // 2, "tied": d * (d + 1) // 2}[kind]
