"""Gaussians and Gaussian mixtures: models of a set of vectors, whose order plays no part.

A mixture is a hidden Markov model whose next state does not depend on the present one, so that fitted mixtures travel in
the same banks, and are scored by the same code, as fitted HMMs. They are fitted by the same EM as well: to a set of
one-frame sequences, whose first states have the weights of the mixture as probabilities.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...arrays import FloatArray, as_count
from ...errors import DataError, ParameterError, unknown_name
from ...seeds import content_key, derive_seed
from ...sequences import SequenceSet
from ..hmm import HMMBank, fit_bank, fit_common
from ..hmm.running import Reporter, reporter
from ..variances import pooled_variances
from .registry import ModelKind

POOLS = ("sequence", "all")


def gaussians(sets: SequenceSet, threads: int = 1, **fit: Any) -> HMMBank:
    """Fit one Gaussian to each set of vectors.

    Parameters
    ----------
    sets : SequenceSet
        N sets of vectors with d features.
    threads : int
        Number of threads; no number depends on it.
    **fit
        ``covariance``, ``floor``, ``pool``, ``seed``, ``progress`` as for :func:`kinseq.models.hmm.fit_bank`; the floor keeps
        covariances regular where a set has fewer vectors than features.

    Returns
    -------
    HMMBank
        N models of one state.
    """
    # The M-step of a single state is the maximum, wherever it starts.
    return fit_bank(sets, 1, n_init=1, max_iter=1, threads=threads, **fit)


def mixtures(
    sets: SequenceSet,
    n_components: int = 2,
    seed: int = 0,
    threads: int = 1,
    progress: Reporter = None,
    pool: str = "sequence",
    **fit: Any,
) -> HMMBank:
    """Fit one Gaussian mixture to each set of vectors by expectation-maximisation.

    A mixture depends on its own set as a set, the arguments and the seed only: not on the order of the vectors, on the
    other sets, or on the number of threads.

    Parameters
    ----------
    sets : SequenceSet
        N sets with at least `n_components` vectors each.
    n_components : int
        Number of Gaussians C.
    seed : int
        Root of the random starts.
    threads : int
        Number of threads.
    progress : str or callable, optional
        A label under which lines with an ETA go to standard error, or ``progress(done, total)``.
    pool : {"sequence", "all"}
        Whether the floor is relative to the variances of each set or of all vectors.
    **fit
        ``covariance``, ``n_init``, ``max_iter``, ``tol``, ``floor`` as for :func:`kinseq.models.hmm.fit_bank`.

    Returns
    -------
    HMMBank
        N models whose rows of `transmat` all are the weights `startprob`.

    Raises
    ------
    DataError
        If a set has fewer vectors than components.
    ParameterError
        If an argument lies outside its range.
    """
    components = as_count(n_components, "n_components")
    if pool not in POOLS:
        raise ParameterError(unknown_name("pool", pool, POOLS))
    few = np.flatnonzero(sets.lengths < components)
    if few.size:
        raise DataError(
            f"{sets.name}: {str(sets.ids[few[0]])!r} has {sets.lengths[few[0]]} vectors, fewer than"
            f" n_components={components}; ask for fewer components or leave it out"
        )
    variances: str | FloatArray = "all"
    if pool == "all":
        variances = pooled_variances(sets, np.arange(len(sets)), np.array([0, len(sets)]))[0]
    report = reporter(progress, len(sets), "fit")
    banks = []
    for vectors in sets:
        ordered = vectors[np.lexsort(vectors.T[::-1])]
        alone = SequenceSet(ordered, np.arange(len(ordered) + 1), name=sets.name)
        stream = derive_seed(seed, "gmm", content_key(ordered))
        banks.append(fit_common(alone, components, seed=stream, threads=threads, pool=variances, **fit))
        report(1)
    return _stacked(banks)


def _stacked(banks: Sequence[HMMBank]) -> HMMBank:
    """One bank of mixtures from banks of one model each."""
    arrays = [bank.to_arrays() for bank in banks]
    longest = max(found["trace"].shape[1] for found in arrays)
    for found in arrays:
        found["trace"] = np.pad(found["trace"], ((0, 0), (0, longest - found["trace"].shape[1])), mode="edge")
        found["transmat"] = np.repeat(found["startprob"][:, None], found["startprob"].shape[1], axis=1)
    return HMMBank.from_arrays({name: np.concatenate([found[name] for found in arrays]) for name in arrays[0]})


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
