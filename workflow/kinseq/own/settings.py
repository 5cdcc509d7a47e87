"""What a user may set beside data, number of clusters, measure and seed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal, get_args

from ..arrays import as_count, as_positive, as_real
from ..data.readers import Kind, Missing
from ..data.readers.finding import LABELS_FILE
from ..errors import ParameterError, unknown_name
from ..features.extraction import OnBadFile
from ..sequences import LAYOUTS, Layout, as_column

Scale = Literal["auto", "none", "zscore"]
Width = Literal["auto", "local", "eigengap", "tightness", "median"]
SYNONYMS = {
    "K": "n_clusters",
    "k": "n_clusters",
    "n_jobs": "threads",
    "random_state": "seed",
    "verbose": "progress",
    "X": "data",
    "y": "labels",
}
"""What is called otherwise elsewhere, above all in scikit-learn."""
FOR_FILES = ("kind", "missing", "on_bad_file", "features", "sample_rate", "trim")
"""Settings that say how files are read."""
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

    labels: str | os.PathLike[str] | Sequence[Any] | None = LABELS_FILE
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
    layout: Layout | None = None

    def __post_init__(self) -> None:
        words: dict[str, tuple[str, ...]] = {
            "scale": get_args(Scale),
            "width": get_args(Width),
            "missing": get_args(Missing),
            "on_bad_file": get_args(OnBadFile),
            "kind": get_args(Kind),
            "layout": LAYOUTS,
        }
        for name, valid in words.items():
            value = getattr(self, name)
            if value not in valid and not (value is None and name in ("kind", "layout")):
                raise ParameterError(unknown_name(name, value, valid))
        for name, least in (("max_clusters", 2), ("n_resamples", 1), ("n_states", 1), ("max_frames", 2)):
            value = getattr(self, name)
            if value is not None or name in ("max_clusters", "n_resamples"):
                object.__setattr__(self, name, as_count(value, name, least))
        if self.sample_rate is not None:
            as_positive(self.sample_rate, "sample_rate")
        if self.trim is not None:
            as_real(self.trim, "trim")
        if not isinstance(self.features, (str, Mapping)):
            raise ParameterError(f"features is {self.features!r}, expected a name or a dictionary")
        if self.labels is not None and not isinstance(self.labels, (str, os.PathLike)):
            # A tuple compares as one, and cannot be changed under the feet of an analysis.
            object.__setattr__(self, "labels", tuple(as_column(self.labels, "labels").tolist()))

    def require_for(self, data: Any) -> None:
        """Raise :class:`ParameterError` for a setting that says nothing about the data that were given.

        Parameters
        ----------
        data : path-like, SequenceSet or list
        """
        on_disk = isinstance(data, (str, os.PathLike))
        idle = ("layout",) if on_disk else FOR_FILES
        for name in self.changed():
            if name in idle:
                of, given = ("arrays", "a path") if on_disk else ("files", "arrays")
                raise ParameterError(f"{name} is for {of}, but the data are {given}; leave it out")
        if on_disk and isinstance(self.labels, tuple):
            raise ParameterError("labels is a list, but the data are a path; give the name of a labels file")
        if not on_disk and isinstance(self.labels, (str, os.PathLike)) and str(self.labels) != LABELS_FILE:
            raise ParameterError(
                f"labels is {str(self.labels)!r}, but the data are arrays; give a list with one label a sequence"
            )

    @classmethod
    def of(cls, given: Mapping[str, Any], others: Iterable[str] = ()) -> Settings:
        """Settings by name.

        Parameters
        ----------
        given : mapping
        others : iterable of str
            What else might have been meant by a name that is misspelt.

        Raises
        ------
        ParameterError
            If a name is unknown (the message lists the valid ones) or a value out of range.
        """
        known = {entry.name for entry in fields(cls)}
        for word in given:
            if word in SYNONYMS:
                raise ParameterError(f"unknown setting {word!r}; here it is called {SYNONYMS[word]!r}")
            if word not in known:
                raise ParameterError(unknown_name("setting", word, {*known, *others}))
        return cls(**given)

    def changed(self) -> dict[str, Any]:
        """What differs from the defaults."""
        return {entry.name: value for entry in fields(self) if (value := getattr(self, entry.name)) != entry.default}
