"""Gaussians and Gaussian mixtures: models of a set of vectors, whose order plays no part.

A mixture is a hidden Markov model whose next state does not depend on the present one, so that fitted mixtures travel in
the same banks, and are scored by the same code, as fitted HMMs. They are fitted by the same EM as well.
"""

from __future__ import annotations

from typing import Any

from ...core.renamed import renames
from ...core.sequences import SequenceSet
from ..hmm import HMMBank, fit_bank, fit_mixtures
from .registry import ModelKind


@renames(threads="n_jobs")
def gaussians(sets: SequenceSet, n_jobs: int | None = None, **fit: Any) -> HMMBank:
    """Fit one Gaussian to each of N sets of vectors: N models of one state.

    ``covariance``, ``floor``, ``pool``, ``random_state`` and ``progress`` are as for
    :func:`kinseq.models.hmm.fit_bank`; the floor keeps covariances regular where a set has fewer vectors than features.
    """
    # The M-step of a single state is the maximum, wherever it starts.
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
            "covariance": {"enum": ["full", "diag", "auto"]},
            "floor": {"type": "number", "minimum": 0},
            "pool": {"enum": ["sequence", "all"]},
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
            "n_components": {"type": "integer", "minimum": 1},
            "covariance": {"enum": ["full", "diag", "auto"]},
            "n_init": {"type": "integer", "minimum": 1},
            "max_iter": {"type": "integer", "minimum": 1},
            "tol": {"type": "number", "minimum": 0},
            "floor": {"type": "number", "minimum": 0},
            "pool": {"enum": ["sequence", "all"]},
        },
    ),
)
