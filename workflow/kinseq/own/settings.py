"""What a user may set beside data, number of clusters, measure and seed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, get_args

from ..arrays import as_count
from ..data.readers import Kind, Missing
from ..errors import ParameterError, unknown_name
from ..features.extraction import OnBadFile

Scale = Literal["auto", "none", "zscore"]
Width = Literal["auto", "local", "eigengap", "tightness", "median"]
WORDS = {
    "data": "DATA",
    "k": "K",
    "measure": "MEASURE",
    "name": "NAME",
    "labels": "LABELS",
    "kind": "KIND",
    "missing": "MISSING",
    "scale": "SCALE",
    "n_states": "STATES",
}
"""Keys of the configuration that ``make cluster`` takes on its command line, and what they are called there."""


@dataclass(frozen=True)
class Settings:
    """Everything that :func:`cluster` takes beside data, number of clusters, measure and seed; see there."""

    labels: str | None = "labels.csv"
    kind: Kind | None = None
    missing: Missing = "refuse"
    on_bad_file: OnBadFile = "skip"
    scale: Scale = "auto"
    width: Width = "auto"
    features: str | Mapping[str, Any] = "speech"
    sample_rate: float | None = None
    trim: float | None = None
    n_states: int | None = None
    max_clusters: int = 10
    max_frames: int | None = 10_000
    n_resamples: int = 50

    def __post_init__(self) -> None:
        if self.scale not in get_args(Scale):
            raise ParameterError(unknown_name("scale", self.scale, get_args(Scale)))
        if self.width not in get_args(Width):
            raise ParameterError(unknown_name("width", self.width, get_args(Width)))
        as_count(self.max_clusters, "max_clusters", 2)
        as_count(self.n_resamples, "n_resamples")
        if self.n_states is not None:
            as_count(self.n_states, "n_states")
        if self.max_frames is not None:
            as_count(self.max_frames, "max_frames", 2)

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Settings:
        """Settings by name.

        Raises
        ------
        ParameterError
            If a name is unknown (the message lists the valid ones) or a value out of range.
        """
        known = {entry.name for entry in fields(cls)}
        for word in given:
            if word not in known:
                raise ParameterError(unknown_name("setting", word, known))
        return cls(**given)

    def changed(self) -> dict[str, Any]:
        """What differs from the defaults."""
        return {entry.name: value for entry in fields(self) if (value := getattr(self, entry.name)) != entry.default}
