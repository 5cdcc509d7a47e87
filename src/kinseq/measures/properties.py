"""Distance in plain properties: level, spread, roughness, trend, timing, correlation, length."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core.arrays import FloatArray
from ..core.errors import ParameterError, unknown_name
from ..core.sequences import SequenceSet
from ..features.frames import fit_scaling
from ..features.properties import properties
from .registry import Measure, MeasureInput


def _selected_columns(new: SequenceSet, old: SequenceSet, only: Sequence[str] | None) -> tuple[FloatArray, FloatArray]:
    """Return properties of two sets in units of their deviation over the old set."""
    if only is not None and (not isinstance(only, (list, tuple)) or not only):
        raise ParameterError(f"only is {only!r}; give a list of properties, or leave it out to count all of them")
    before = properties(old)
    names = list(before.names)
    selection = names if only is None else list(only)
    for name in selection:
        if name not in names:
            raise ParameterError(unknown_name("property", name, names))
    places = [names.index(name) for name in selection]
    scaling = fit_scaling(before.values[:, places])
    return scaling.apply(properties(new, like=old).values[:, places]), scaling.apply(before.values[:, places])


def _compute(evidence: MeasureInput, only: Sequence[str] | None) -> FloatArray:
    return _cross(evidence, evidence, only)


def _cross(old: MeasureInput, new: MeasureInput, only: Sequence[str] | None) -> FloatArray:
    from scipy.spatial.distance import cdist

    return np.asarray(cdist(*_selected_columns(new.sequences, old.sequences, only)))


def params_of(name: str) -> dict[str, Any]:
    """Return parameters of the distance in one property."""
    return {"only": [name]}


MEASURES = (
    Measure(
        name="properties",
        description="plain properties: level, spread, roughness, trend, timing, correlation of columns, length",
        label="plain properties",
        source="in no document; properties that anybody can name",
        function=_compute,
        cross=_cross,
        requires="sequences",
        accepts=("numbers", "symbols"),
        cheap=True,
        every_frame=True,
        scope="task",
        params={"only": None},
    ),
)
