"""Cost of the stages before clustering: computations timed on mixtures of two HMMs (thesis 2011, 3.4)."""

from __future__ import annotations

from typing import Any

from kinseq.core.sequences import SequenceSet
from kinseq.measures import ppk, ssd
from kinseq.models.hmm import fit_bank, fit_common, induced_transitions, log_likelihood

from ..data.mohmm import mixture
from .registry import Estimator, Problem

# The same work for every size of data: a fixed number of iterations, even if EM would stop earlier.
EM: dict[str, Any] = {"n_init": 1, "max_iter": 10, "tol": -float("inf")}


def _draw(n: int, seed: int, mean_length: int, variation: float) -> SequenceSet:
    arrays, _ = mixture(seed, n, mean_length, variation)
    return SequenceSet.from_arrays(arrays, name="mixture")


def _ssd(sequences: SequenceSet, seed: int) -> Any:
    return ssd.features(induced_transitions(fit_common(sequences, 4, random_state=seed, **EM), sequences))


def _ssd_matrix(sequences: SequenceSet, seed: int) -> Any:
    return ssd.ssd(induced_transitions(fit_common(sequences, 4, random_state=seed, **EM), sequences))


def _likelihoods(sequences: SequenceSet, seed: int) -> Any:
    return log_likelihood(fit_bank(sequences, 2, random_state=seed, **EM), sequences)


def _ppk(sequences: SequenceSet, seed: int) -> Any:
    return ppk.ppk(fit_bank(sequences, 2, random_state=seed, **EM))


PROBLEMS = (
    Problem(
        name="hmm_mixture",
        label="mixture of two HMMs",
        source="thesis 2011, 2.4.1",
        draw=_draw,
        params={"mean_length": 100, "variation": 40.0},
    ),
)

ESTIMATORS = (
    Estimator(
        name="cost_ssd",
        label="SSD: common model, induced transitions",
        source="thesis 2011, 3.4",
        function=_ssd,
    ),
    Estimator(
        name="cost_ssd_matrix",
        label="SSD: with the matrix of distances",
        source="thesis 2011, 3.4",
        function=_ssd_matrix,
    ),
    Estimator(
        name="cost_ppk",
        label="PPK: models, matrix of kernels",
        source="thesis 2011, 3.4",
        function=_ppk,
    ),
    Estimator(
        name="cost_likelihoods",
        label="KL-LL, YY, BP, SYM: models, matrix of likelihoods",
        source="thesis 2011, 3.4",
        function=_likelihoods,
    ),
)
