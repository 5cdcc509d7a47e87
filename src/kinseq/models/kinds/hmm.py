"""Hidden Markov models with Gaussian emissions, or categorical ones for symbols, as in chapters 2 and 3 of the thesis."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.sequences import SequenceSet
from ..hmm import HMMBank, fit_bank, fit_common, smoothed, with_start
from ..hmm.starts import Start
from .registry import ModelKind

# Default numbers of states: of one model per sequence; of a common model, per cluster, and without clusters.
STATES_EACH = 2
STATES_PER_CLUSTER = 2
STATES_COMMON = 8


def _each(sequences: SequenceSet, n_states: int = STATES_EACH, startprob: Start = "learnt", **params: Any) -> HMMBank:
    return smoothed(with_start(fit_bank(sequences, n_states, **params), startprob), sequences.lengths)


def _common(
    sequences: SequenceSet,
    n_clusters: int | None = None,
    n_states: int | None = None,
    startprob: Start = "learnt",
    **params: Any,
) -> HMMBank:
    if n_states is None:
        n_states = STATES_COMMON if n_clusters is None else STATES_PER_CLUSTER * n_clusters
    bank = with_start(fit_common(sequences, n_states, **params), startprob)
    return smoothed(bank, np.array([len(sequences.values)]))


MODEL_KINDS = (
    ModelKind(
        name="hmm",
        label="HMM",
        accepts=("numbers", "symbols"),
        source="Rabiner 1989; thesis 2011, chapters 2 and 3",
        each=_each,
        common=_common,
        params={
            "n_states": None,
            "preset": "default",
            "covariance": None,
            "n_init": None,
            "max_iter": None,
            "tol": None,
            "floor": None,
            "pool": None,
            "startprob": None,
            "random_starts": None,
        },
        schema={
            "n_states": {
                "type": "integer",
                "minimum": 1,
                "description": "Number of hidden states; 2 if left out, for a common model 2 per cluster.",
            },
            "preset": {
                "enum": ["default", "classic", "toolbox"],
                "description": "`default`, `classic` or `toolbox`.",
            },
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
                "description": "Covariance floor; what it means depends on the preset.",
            },
            "pool": {
                "enum": ["sequence", "all"],
                "description": "What the floor is relative to: the variances of each `sequence` by itself (default; a model then"
                " depends on its own sequence only), or of `all` sequences together.",
            },
            "startprob": {
                "enum": ["learnt", "stationary", "flat"],
                "description": "Distribution of the first state: as it is `learnt` (default; that of a model of one sequence is the"
                " state in which it begins), `stationary` under the transitions, or `flat`.",
            },
            "random_starts": {
                "enum": ["drawn", "fixed"],
                "description": "Random starts `drawn` by the seed and the content of each sequence (default), or `fixed`: neither"
                " the seed nor the last digits of the data have an influence.",
            },
        },
    ),
)
