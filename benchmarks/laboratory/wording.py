"""Whether groups are called by what they were made to differ in, and random ones by nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from kinseq.analysis.explaining import explain
from kinseq.analysis.group_labels import called_by
from kinseq.core.arrays import IntArray
from kinseq.core.seeds import stream
from kinseq.core.sequences import SequenceSet

from .planted import Planted

STATES = ("dwell", "time high", "time low")
"""Time in each of two states, and in the upper and in the lower one."""
RIGHT: Mapping[str, tuple[str, ...]] = {
    "level": ("level",),
    "spread": ("spread",),
    "trend": ("trend",),
    "period": ("period",),
    "form": ("form", *STATES, "roughness", "event size", "events"),
    "pulse_time": ("event time", "timing"),
    "length": ("length",),
    "memory": ("roughness",),
    "dwell": (*STATES, "roughness", "period"),
    "correlation": ("correlation",),
    "one_column": ("level",),
    "events": ("events", "form", "spread"),
    "onset": ("timing", "event time", "events", "spread", "form", "roughness"),
    "sweep": ("quickening", "timing", "roughness", "shape"),
    "level_and_period": ("level", "period"),
    "levels_under_waves": ("level",),
    "far_levels_under_waves": ("level",),
    "walks_apart": ("level",),
    "larger_waves": ("spread",),
    "much_larger_waves": ("spread",),
    "levels_under_walks": ("level",),
    "period_under_levels": ("period",),
    "period_in_one_column": ("period",),
    "form_under_amplitude": ("form", *STATES, "roughness", "event size", "events"),
    "levels_and_phases": ("level",),
    "levels_and_periods": ("level",),
    "levels_of_levels": ("level",),
    "levels_of_periods": ("level", "period"),
    "duty_period": ("period", *STATES),
    "duty_share": (*STATES, "level", "spread", "form"),
    "duty_level": ("level", "spread"),
    "duty_jitter": ("regularity", "period", "dwell", "form", "roughness"),
    "pulse_interval": ("period", "events", "level", "form"),
    "day_evening": ("level", "spread", "form", "event size", "events"),
}
"""Properties that a kind's groups were made to differ in, and those that follow from it; the first one is the plainest."""
COLUMNS: Mapping[str, str] = {"one_column": "4", "period_in_one_column": "1"}
"""Column that differs, by its number, in kinds of several where one alone does."""


def words_of(planted: Planted) -> dict[str, Any]:
    """How the true groups are called, and whether random ones of these sizes are called anything; ready for JSON."""
    inside = np.flatnonzero(planted.members)
    sequences = SequenceSet.from_arrays([planted.sequences[i] for i in inside], layout="channels_last")
    labels = planted.labels[inside]
    chance = stream(planted.seed, "laboratory", "random labels", planted.kind).permutation(labels)
    return {"right": is_right(planted.kind, _called(sequences, labels)), "by chance": any(_called(sequences, chance))}


def is_right(kind: str, called: list[tuple[str, str] | None]) -> bool:
    """Whether every group is called by a right property of the right column; one of them may be what the others are not."""
    named = [entry for entry in called if entry is not None]
    column = COLUMNS.get(kind)
    return len(named) >= max(1, len(called) - 1) and all(
        name in RIGHT[kind] and (column is None or where.split()[-1:] == [column]) for name, where in named
    )


def _called(sequences: SequenceSet, labels: IntArray) -> list[tuple[str, str] | None]:
    """Property and column that each group is called by, if any."""
    rows = called_by(explain(sequences, labels))
    return [None if row is None else (row["property"], row["column"]) for row in rows]
