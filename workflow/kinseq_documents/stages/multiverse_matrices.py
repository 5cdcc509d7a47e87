"""First stage of a multiverse: all matrices under one training of the models, which later stages only read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kinseq.core.sequences import SequenceSet

from ..tasks import Task
from .distances import Distance, distances
from .loglik import log_likelihoods
from .models import fit_models


def all_matrices(
    sequences: SequenceSet,
    tasks: Sequence[Task],
    models: Mapping[str, Mapping[str, Any]],
    measures: Mapping[str, Mapping[str, Any]],
    trials: Sequence[int],
    seed: int,
    threads: int = 1,
) -> Iterator[Distance]:
    """Yield every matrix of one training; `models` and `measures` as those of the other stages.

    Streams are named by data set, model and trial, not by the training: all readings see equal seeds.
    """
    banks = fit_models(sequences, tasks, models, trials, seed, threads)
    logliks = log_likelihoods(sequences, tasks, banks, threads)
    yield from distances(sequences, tasks, measures, trials, seed, {"models": banks, "loglik": logliks})
