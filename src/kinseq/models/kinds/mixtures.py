"""Gaussians and Gaussian mixtures: models of unordered sets of vectors.

A mixture is a hidden Markov model whose next state does not depend on the present one, so that fitted mixtures travel in
the same banks, and are scored by the same code, as fitted HMMs. They are fitted by the same EM as well.
"""

from __future__ import annotations

from typing import Any

from ...core.sequences import SequenceSet
from ..hmm import HMMBank, fit_bank, fit_mixtures
from .registry import ModelKind


def gaussians(sets: SequenceSet, n_jobs: int | None = None, **fit: Any) -> HMMBank:
    """Fit one Gaussian to each of N sets of vectors: N models of one state.

    ``covariance``, ``floor``, ``pool``, ``random_state`` and ``progress`` are as for
    :func:`kinseq.models.hmm.fit_bank`; the floor keeps covariances regular where a set has fewer vectors than features.
    """
    # The M-step of a single state gives the maximum from any start.
    return fit_bank(sets, 1, n_init=1, max_iter=1, n_jobs=n_jobs, **fit)


def mixtures(sets: SequenceSet, n_components: int = 2, **fit: Any) -> HMMBank:
    """Fit one Gaussian mixture to each set of vectors; see :func:`kinseq.models.hmm.fit_mixtures`."""
    return fit_mixtures(sets, n_components, **fit)


MODEL_KINDS = (
    ModelKind(
        name="gaussian",
        label="Gaussian",
        source="thesis 2011, sections 4.2.1 and 4.5",
        each=gaussians,
        params={"covariance": None, "floor": None, "pool": "sequence"},
        schema={
            "covariance": {
                "enum": ["full", "diag", "auto"],
                "description": "`full`, `diag` or `auto` (full up to 30 features).",
            },
            "floor": {
                "type": "number",
                "minimum": 0,
                "description": "Covariance floor, relative to the variances that `pool` names.",
            },
            "pool": {
                "enum": ["sequence", "all"],
                "description": "`sequence` (default): the variances of each set by itself. `all`: those of all sets together.",
            },
        },
    ),
    ModelKind(
        name="gmm",
        label="Gaussian mixture",
        source="thesis 2011, sections 4.2.1 and 4.5",
        each=mixtures,
        params={
            "n_components": 2,
            "covariance": None,
            "n_init": None,
            "max_iter": None,
            "tol": None,
            "floor": None,
            "pool": "sequence",
        },
        schema={
            "n_components": {"type": "integer", "minimum": 1, "description": "Number of Gaussians; 2 if left out."},
            "covariance": {
                "enum": ["full", "diag", "auto"],
                "description": "`full`, `diag` or `auto` (full up to 30 features).",
            },
            "n_init": {
                "type": "integer",
                "minimum": 1,
                "description": "Number of starts, of which the likeliest is kept.",
            },
            "max_iter": {"type": "integer", "minimum": 1, "description": "Greatest number of EM iterations."},
            "tol": {
                "type": "number",
                "minimum": 0,
                "description": "EM stops when the gain is below `tol` times the log-likelihood (at least 1).",
            },
            "floor": {
                "type": "number",
                "minimum": 0,
                "description": "Covariance floor, relative to the variances that `pool` names.",
            },
            "pool": {
                "enum": ["sequence", "all"],
                "description": "`sequence` (default): the variances of each set by itself. `all`: those of all sets together.",
            },
        },
    ),
)
