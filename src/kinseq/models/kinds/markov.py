"""Markov chains of symbols: hidden Markov models with visible states and a pseudo-count."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.arrays import FloatArray, IntArray, as_positive
from ...core.sequences import SequenceSet
from ...core.symbols import alphabet_of, symbols_of
from ..hmm import HMMBank
from .registry import ModelKind

PSEUDO_COUNT = 0.5
"""Prior count of each first symbol and each transition."""


def chains(sequences: SequenceSet, owners: IntArray, n_models: int, pseudo_count: float) -> HMMBank:
    """Return chains shared by sequences, `owners` (N,), ignoring steps from or to missing symbols."""
    k, codes = len(alphabet_of(sequences)), symbols_of(sequences)
    added = as_positive(pseudo_count, "pseudo_count")
    of_frames = np.repeat(owners, sequences.lengths)
    last = np.zeros(len(codes), dtype=bool)
    last[sequences.offsets[1:] - 1] = True
    steps = np.flatnonzero(~last[:-1] & (codes[:-1] >= 0) & (codes[1:] >= 0))
    trans = np.full((n_models, k, k), added)
    np.add.at(trans, (of_frames[steps], codes[steps], codes[steps + 1]), 1.0)
    first = codes[sequences.offsets[:-1]]
    start = np.full((n_models, k), added)
    np.add.at(start, (owners[first >= 0], first[first >= 0]), 1.0)
    return HMMBank.of_symbols(_shares(start), _shares(trans), np.broadcast_to(np.eye(k), (n_models, k, k)))


def _shares(counts: FloatArray) -> FloatArray:
    return np.asarray(counts / counts.sum(axis=-1, keepdims=True))


def _each(sequences: SequenceSet, pseudo_count: float = PSEUDO_COUNT, **_: Any) -> HMMBank:
    return chains(sequences, np.arange(len(sequences)), len(sequences), pseudo_count)


def _common(
    sequences: SequenceSet, n_clusters: int | None = None, pseudo_count: float = PSEUDO_COUNT, **_: Any
) -> HMMBank:
    return chains(sequences, np.zeros(len(sequences), dtype=np.int64), 1, pseudo_count)


MODEL_KINDS = (
    ModelKind(
        name="markov",
        label="Markov chain",
        source="Anderson and Goodman 1957",
        accepts=("symbols",),
        each=_each,
        common=_common,
        params={"pseudo_count": PSEUDO_COUNT},
        schema={
            "pseudo_count": {
                "type": "number",
                "exclusiveMinimum": 0,
                "description": "Times that each first symbol and each step is thought to have been seen besides.",
            },
        },
    ),
)
