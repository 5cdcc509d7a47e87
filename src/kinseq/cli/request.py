"""Request of ``kinseq cluster``, checked before any data are read.

:func:`checked` needs no more than the names of files and measures, so that a mistake is reported
within a second.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ..analysis.options import COARSE, Options, as_number, in_words, is_coarse, usual_measure
from ..analysis.options import OPTIONS as OF_ANALYSIS
from ..clustering import registry as clusterers
from ..core.errors import DataError, ParameterError, unknown_name
from ..measures import registry
from ..measures.registry import MEASURE
from ..options import LISTS, OF_MEASURES, OPTIONS, names_in, parsed, shown
from ..readers.discovery import LABELS_FILE, labels_path
from ..readers.reading import Reading, reading_of
from ..readers.segments.segmentation import AUTO as AUTO_SEGMENTS
from ..readers.segments.segmentation import BESIDE
from ..readers.segments.segmentation import segment_table as table_of
from ..report.result_names import SETTINGS, require_free, require_name, resolve_path, stem_of

PARAMETERS = frozenset(entry.name for entry in OF_MEASURES)
"""Keys that are parameters of measures, not options of an analysis."""
PAGE, RESULT = "index.html", "result.kinseq"
FILES = (
    PAGE,
    RESULT,
    "partition.csv",
    "explanation.csv",
    "distance.csv",
    "distance.npz",
    SETTINGS,
    "heatmap.png",
    "map.png",
    "dendrogram.png",
)
"""Output files of an analysis, in its folder."""

USAGE = "kinseq cluster path/to/folder [-k 5 or -k 3-6] [--measure ssd,kl_ll] [--name mine]"


def from_texts(texts: Mapping[str, str]) -> dict[str, Any]:
    """Options of an analysis as typed, by name, in the types of the schema; always with ``name``.

    Not checked any further, see :func:`checked`. ParameterError if a value is empty, or a number none.
    """
    if not texts.get("data", "").strip():
        raise ParameterError(f"name the data: {USAGE}")
    own = {key: parsed(OPTIONS[key], text) for key, text in texts.items()}
    return {**own, "name": own.get("name") or default_name(own["data"])}


def _number(value: Any, name: str) -> int | str | None:
    """A number of clusters, a range in command-line form, or ``"coarse"``."""
    if is_coarse(value):
        return COARSE
    one, several = as_number(value, name)
    return one if several is None else in_words(several)


def default_name(data: str) -> str:
    """Name of the results of some data: that of the folder or file, reduced to valid characters."""
    return stem_of(_located(data)) or "own"


def checked(own: Mapping[str, Any], results: Path = Path("results")) -> dict[str, Any]:
    """Check the options of an analysis without reading the data.

    Keys and types are as the schema has them; whole numbers come back as such, the path of the data without ``~``.
    ParameterError if a measure, a choice or the name is unknown, a number not finite, or the name taken by other data;
    DataError if the data or the labels file are not there, or the data are results.
    """
    options = dict(own)
    for key, entry in OPTIONS.items():
        # The schema accepts 3.0 as a whole number.
        if isinstance(options.get(key), float) and entry.schema.get("type") != "number":
            options[key] = int(options[key])
    if "k" in options:
        options["k"] = _number(options["k"], shown(OPTIONS["k"]))
    for key, entry in OPTIONS.items():
        if key in options and entry.schema.get("type") == "number" and not math.isfinite(options[key]):
            raise ParameterError(f"{shown(entry)} is {options[key]!r}, expected a finite number")
        if key in options and entry.choices and options[key] not in entry.choices:
            raise ParameterError(unknown_name(shown(entry), options[key], entry.choices))
    _require_measures(options.get("measure", MEASURE))
    _require_clusterer(options.get("clusterer", Options.clusterer))
    for key in LISTS & set(options):
        if isinstance(options[key], str):
            options[key] = names_in(options[key])
    arguments_of(options)
    path = _located(options["data"])
    _require_labels(path, options.get("labels", LABELS_FILE))
    if options.get("segments") not in (None, AUTO_SEGMENTS, BESIDE):
        # Absolute, whatever folder a later call runs in.
        options["segments"] = str(table_of(path if path.is_dir() else path.parent, options["segments"]))
    require_name(options["name"])
    _require_no_results(path, results)
    require_free(results / "own", options["name"], default_name(str(path)), FILES, [path], data_of)
    return {**options, "data": str(path)}


def data_of(settings: Any) -> list[str]:
    """Return the data of an analysis, from the parsed file next to it."""
    return [settings["own"]["data"]]


def arguments_of(own: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any], Reading]:
    """Return options of an analysis, parameters of its measures, and reading options; :class:`ParameterError` for others."""
    values = {name: value for name, value in own.items() if name in OF_ANALYSIS}
    params = {name: value for name, value in own.items() if name in PARAMETERS}
    others = {"data", "name", "k", "measure", *values, *params}
    reading = reading_of(None, {name: value for name, value in own.items() if name not in others}, OPTIONS)
    Options(**values)
    return values, params, reading


def _located(data: str) -> Path:
    """Return the path of existing data."""
    if not str(data).strip():
        raise ParameterError(f"name the data: {USAGE}")
    return resolve_path(data)


def measures_of(own: Mapping[str, Any]) -> list[str]:
    """Names of the measures under the key ``own``."""
    return _names(own.get("measure") or usual_measure(own.get("features")))


def _names(measures: str | Iterable[str]) -> list[str]:
    return [word.strip() for word in measures.split(",")] if isinstance(measures, str) else list(measures)


def _require_measures(measures: str | Iterable[str]) -> None:
    names = _names(measures)
    valid = registry.modules()
    for name in names:
        if name not in valid:
            raise ParameterError(registry.REGISTRY.unknown(name))
    if len(set(names)) < len(names):
        raise ParameterError(f"{shown(OPTIONS['measure'])} names {', '.join(names)}; name none twice")


def _require_clusterer(name: str) -> None:
    valid = {entry.name for entry in clusterers.modules().values() if entry.fields["takes"] == "matrix"}
    if name not in valid:
        raise ParameterError(unknown_name(shown(OPTIONS["clusterer"]), name, valid))


def _require_labels(data: Path, labels: str | None) -> None:
    path = labels_path(data, labels)
    if path is not None and labels != LABELS_FILE and not path.is_file():
        raise DataError(f"{path}: no such labels file; check the name, it is relative to the folder of the data")


def _require_no_results(data: Path, results: Path) -> None:
    """Refuse to cluster the folder of results: its own results would be read as data in the next call."""
    home, real = Path(os.path.realpath(results / "own")), Path(os.path.realpath(data))
    if home.is_relative_to(real):
        raise DataError(f"{data}: holds the folder of results, {results}; put the sequences into a folder of their own")
    inside = len(real.relative_to(home).parts) if real.is_relative_to(home) else 0
    if inside == (1 if real.is_dir() else 2):
        raise DataError(f"{data}: is the result of an analysis; name the data that it was made from, or others")
