"""Scaled values that are moved by their last bits, as another processor may do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from kinseq.analysis.preparation import Transform
from kinseq.core.sequences import SequenceSet

Move = Callable[[int], None]


def moved(sequences: SequenceSet, seed: int) -> SequenceSet:
    """Return sequences whose values are moved by two steps of float64 at most, equal values of a column alike."""
    random, values = np.random.default_rng(seed), sequences.values.copy()
    for column in values.T:
        distinct, places = np.unique(column, return_inverse=True)
        steps = random.integers(-2, 3, size=distinct.size)
        column[:] = (distinct + steps * np.spacing(distinct))[places]
    return replace(sequences, values=values)


def move_values(monkeypatch: pytest.MonkeyPatch) -> Move:
    """Return ``move(seed)``: from its call on, all scaled values are moved."""
    apply = Transform.apply

    def move(seed: int) -> None:
        monkeypatch.setattr(Transform, "apply", lambda self, sequences: moved(apply(self, sequences), seed))

    return move
