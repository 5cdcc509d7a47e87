"""What a user may set beside data, number of clusters, measure and seed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from numbers import Real
from typing import Any, Literal, get_args

from ..core.arrays import as_count, as_positive, as_real
from ..core.errors import ParameterError, is_one_of, unknown_name
from ..core.folders import LABELS_FILE, Kind, Missing
from ..core.inputs import Columns
from ..core.sequences import LAYOUTS, Layout, as_column
from ..features.extraction import OnBadFile, audio_features

Scale = Literal["zscore", "per_sequence", "none"]
Length = Literal["as_given", "stretch"]
STRETCH = "stretch"
Width = Literal["auto", "local", "eigengap", "tightness", "median"]
MEASURE = "elastic"
"""The measure where none is named; ``docs/answers.md`` says why."""
AUTO = "auto"
"""The sample that is drawn where there are many sequences."""
SYNONYMS = {
    "K": "n_clusters",
    "k": "n_clusters",
    "num_clusters": "n_clusters",
    "n_components": "n_states",
    "metric": "measure",
    "distance": "measure",
    "affinity": "measure",
    "covariance_type": "covariance",
    "n_iter": "max_iter",
    "method": "clusterer",
    "algorithm": "clusterer",
    "seed": "random_state",
    "random_seed": "random_state",
    "n_jobs": "threads",
    "verbose": "progress",
    "normalize": "scale",
    "normalise": "scale",
    "standardize": "scale",
    "X": "data",
    "y": "labels",
    "id": "id_column",
    "time": "time_column",
    "columns": "value_columns",
    "n_samples": "sample",
    "sample_size": "sample",
    "subsample": "sample",
}
"""What is called otherwise elsewhere, in scikit-learn, tslearn, aeon or by hand."""
FOR_ARRAYS = ("layout", "id_column", "value_columns")
"""Settings that say how arrays and tables in memory are read."""
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
    "length": "LENGTH",
    "clusterer": "CLUSTERER",
    "n_states": "STATES",
    "features": "FEATURES",
    "sample": "SAMPLE",
    "time_column": "TIME",
}
"""Keys of the configuration that ``make cluster`` takes on its command line, and what they are called there."""


@dataclass(frozen=True)
class Settings:
    """Everything that :func:`cluster` takes beside data, number of clusters, measure and seed; see there."""

    labels: str | os.PathLike[str] | Sequence[Any] | None = LABELS_FILE
    kind: Kind | None = None
    missing: Missing = "refuse"
    on_bad_file: OnBadFile = "skip"
    scale: Scale = "zscore"
    length: Length = "as_given"
    clusterer: str = "spectral"
    width: Width | float = "auto"
    model: str | None = None
    features: str | Mapping[str, Any] = "speech"
    sample_rate: float | None = None
    trim: float | None = None
    n_states: int | None = None
    max_clusters: int = 20
    max_frames: int | None = 10_000
    n_resamples: int = 50
    sample: int | Literal["auto"] | None = "auto"
    layout: Layout | None = None
    id_column: Any = None
    time_column: Any = None
    value_columns: Sequence[Any] | None = None
    options: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        words: dict[str, tuple[str, ...]] = {
            "scale": get_args(Scale),
            "length": get_args(Length),
            "missing": get_args(Missing),
            "on_bad_file": get_args(OnBadFile),
            "kind": get_args(Kind),
            "layout": LAYOUTS,
        }
        for name, valid in words.items():
            value = getattr(self, name)
            if not is_one_of(value, valid) and not (value is None and name in ("kind", "layout")):
                raise ParameterError(unknown_name(name, value, valid))
        if isinstance(self.width, str) or not isinstance(self.width, Real) or isinstance(self.width, bool):
            if not is_one_of(self.width, get_args(Width)):
                raise ParameterError(unknown_name("width", self.width, get_args(Width)))
        else:
            object.__setattr__(self, "width", as_positive(self.width, "width"))
        for name, least in (("max_clusters", 2), ("n_resamples", 1), ("n_states", 1), ("max_frames", 2)):
            value = getattr(self, name)
            if value is not None or name in ("max_clusters", "n_resamples"):
                object.__setattr__(self, name, as_count(value, name, least))
        if isinstance(self.sample, str) and self.sample != AUTO:
            raise ParameterError(
                f"sample is {self.sample!r}, expected {AUTO!r}, a whole number, or None to compare all"
            )
        if self.sample is not None and not isinstance(self.sample, str):
            object.__setattr__(self, "sample", as_count(self.sample, "sample", 2))
        if self.sample_rate is not None:
            as_positive(self.sample_rate, "sample_rate")
        if self.trim is not None:
            as_real(self.trim, "trim")
        if not isinstance(self.features, (str, Mapping)):
            raise ParameterError(f"features is {self.features!r}, expected a name or a dictionary")
        if self.features != Settings.features:
            audio_features(self.features)
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
        idle = FOR_ARRAYS if on_disk else FOR_FILES
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

    @property
    def columns(self) -> Columns:
        """What the columns of a table in memory mean."""
        return Columns(self.id_column, self.time_column, self.value_columns)

    @classmethod
    def require_names(cls, given: Iterable[str], others: Iterable[str], options: Iterable[str], kind: str) -> set[str]:
        """Names of all settings, once every name that was given is known to be one, or one of `options`."""
        known, free = {entry.name for entry in fields(cls)} - {"options"}, set(options)
        for word in given:
            if word not in known | free:
                if word in SYNONYMS and SYNONYMS[word] in {*known, *others, *free}:
                    raise ParameterError(f"unknown {kind} {word!r}; here it is called {SYNONYMS[word]!r}")
                raise ParameterError(unknown_name(kind, word, {*known, *others, *free}))
        return known

    @classmethod
    def of(
        cls, given: Mapping[str, Any], others: Iterable[str] = (), options: Iterable[str] = (), kind: str = "setting"
    ) -> Settings:
        """Settings by name.

        Parameters
        ----------
        given : mapping
        others : iterable of str
            What else might have been meant by a name that is misspelt.
        options : iterable of str
            Names that are no settings but parameters of the measures, their models or the clusterer.
        kind : str
            What a name stands for, in messages.

        Raises
        ------
        ParameterError
            If a name is unknown (the message lists the valid ones) or a value out of range.
        """
        known = cls.require_names(given, others, options, kind)
        own = {word: value for word, value in given.items() if word in known}
        return cls(**own, options={word: value for word, value in given.items() if word not in known})

    def changed(self) -> dict[str, Any]:
        """What differs from the defaults."""
        named = [entry for entry in fields(self) if entry.name != "options"]
        found = {entry.name: value for entry in named if _differs(value := getattr(self, entry.name), entry.default)}
        return {**found, **self.options}


def _differs(value: Any, default: Any) -> bool:
    """Whether a setting was changed; what compares elementwise was."""
    return value is not default and not (isinstance(same := value == default, bool) and same)
