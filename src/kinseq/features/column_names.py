"""Names of the columns of a set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ..core.clock import unit_of
from ..core.sequences import COLUMN_NUMBERS, SequenceSet, WithColumns, numbered_columns
from .frames import with_changes
from .recordings import recording_info
from .registry import get

LOUDNESS = " (loudness)"
"""Names of columns with the level of the sound."""

UNITS = {
    "s": "s", "ms": "ms", "min": "min", "c": "°C", "k": "K", "bar": "bar", "pa": "Pa", "kpa": "kPa", "mm": "mm", "m": "m",
    "hz": "Hz", "khz": "kHz", "mg": "mg", "kg": "kg", "v": "V", "mv": "mV", "a": "A", "ma": "mA", "w": "W", "kw": "kW",
    "rpm": "rpm", "pct": "%",
}  # fmt: skip
"""Units by the last part of a name, as in ``temperature_c``."""


COMPOUND_UNITS = {"m_s": "m/s", "m_s2": "m/s²", "km_h": "km/h", "deg_s": "°/s", "rad_s": "rad/s"}
"""Units by the last two parts of a name, as in ``wind_m_s``."""
VECTORS = frozenset({"acc", "accel", "acceleration", "gyro", "gyr", "mag", "vel", "velocity", "pos"})
"""Quantities with axes, which letters may name."""


def titled(column: str) -> tuple[str, str]:
    """Name and unit of a column: by the unit in brackets, else by the last parts of its name; the unit may be empty."""
    name, unit = (column, "") if column.endswith(LOUDNESS) else unit_of(column)
    if unit:
        return name, unit
    for parts, units in ((2, COMPOUND_UNITS), (1, UNITS)):
        first, *rest = name.rsplit("_", parts)
        last = "_".join(rest).lower()
        if first and last in units and not _is_axis(first, last):
            return first, units[last]
    return name, ""


def _is_axis(name: str, last: str) -> bool:
    """Return whether a letter is the axis of a vector, as the vertical one in ``acc_v``."""
    return last in ("v", "a") and name.rpartition("_")[2].lower() in VECTORS


def with_unit(name: str, unit: str) -> str:
    """A name with its unit in brackets, if any."""
    return f"{name} [{unit}]" if unit else name


def column_labels(sequences: WithColumns) -> list[str]:
    """Return labels of columns: names, descriptions of cepstra, otherwise numbers from 1 as in the file."""
    if sequences.provenance.get("columns"):
        return numbered_columns(sequences)
    return of_recording(sequences) or [f"column {number}" for number in numbered_columns(sequences)]


def with_column_names(sequences: SequenceSet) -> SequenceSet:
    """Return features of recordings with descriptions as column names, so that all code uses the same."""
    names = of_recording(sequences)
    return replace(sequences, provenance={**sequences.provenance, "columns": names}) if names else sequences


def of_recording(sequences: WithColumns) -> list[str]:
    """Return names of features of recordings, as ``"coefficient 13"``; empty for other data."""
    if sequences.provenance.get("columns"):
        return []
    recipe = recipe_of(sequences)
    if recipe is None:
        names = _named_by_recipe(sequences)
        return names if len(names) == sequences.n_features else []
    first = 0 if not recipe.get("drop_c0") else 1
    static = [f"coefficient {k}" if k else f"coefficient 0{LOUDNESS}" for k in range(first, int(recipe["n_mfcc"]))]
    # The normalised energy is relative to the loudest frame of the recording.
    static += {"log": [f"energy{LOUDNESS}"], "normalised": ["energy"]}.get(str(recipe.get("energy")), [])
    if COLUMN_NUMBERS not in sequences.provenance and sequences.n_features % len(static):
        return []
    places = [int(number) - 1 for number in numbered_columns(sequences)]
    names = with_changes(static, max(places, default=0) // len(static))
    return [names[k] for k in places]


def _named_by_recipe(sequences: WithColumns) -> list[str]:
    """Return names that other features of recordings give their columns; empty for other data."""
    info = recording_info(sequences)
    if not info.from_files or not info.features or info.features.get("mar"):
        return []
    recipe = get(info.feature).recipe
    names = getattr(type(recipe)(**info.recipe), "column_names", None)
    return [] if names is None else list(names())


def recipe_of(sequences: WithColumns) -> Mapping[str, Any] | None:
    """Return the recipe of cepstra of recordings; None for other data."""
    info = recording_info(sequences)
    return info.recipe if info.from_files and "n_mfcc" in info.recipe else None
