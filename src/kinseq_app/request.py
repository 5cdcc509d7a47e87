"""What a user asks of ``make cluster`` or of the key ``own`` of the configuration, checked before any data are read.

Both doors lead through :func:`checked`. It needs no more than the names of files and measures, so that a mistake is told
within a second.
"""

from __future__ import annotations

import math
import os
import re
import shlex
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from kinseq.analysis.number import EXPECTED, RANGE, as_number, in_words
from kinseq.analysis.settings import AUTO, Settings, usual_measure
from kinseq.clustering import registry as clusterers
from kinseq.core.errors import DataError, ParameterError, unknown_name
from kinseq.features import registry as features
from kinseq.measures import registry
from kinseq.measures.registry import MEASURE
from kinseq.models.kinds import registry as kinds

from .naming import SETTINGS, folded, located, require_free, require_name, stem_of
from .options import OPTIONS, WORDS, as_real
from .readers.finding import LABELS_FILE, labels_path
from .readers.segments.cutting import AUTO as AUTO_SEGMENTS
from .readers.segments.cutting import BESIDE
from .readers.segments.cutting import located as table_of

EXAMPLE = "vowels"
"""Name of the worked example, which lies beside the user's own analyses."""
PAGE = "index.html"
FILES = (
    PAGE,
    "partition.csv",
    "explanation.csv",
    "distance.csv",
    "distance.npz",
    SETTINGS,
    "heatmap.png",
    "map.png",
    "dendrogram.png",
)
"""What an analysis leaves in its folder."""

ALL = "all"
"""What ``SAMPLE`` is where all sequences are compared; a configuration has null."""
USAGE = "make cluster DATA=path/to/folder [K=5 or K=3-6] [MEASURE=ssd,kl_ll] [NAME=mine]"


def from_words(entries: Iterable[str]) -> dict[str, Any]:
    """The key ``own`` from words of the command line, ``WORD=value`` each; always with ``data`` and ``name``.

    The words are :data:`~kinseq_app.options.WORDS`. Not checked any further, see :func:`checked`. ParameterError if a
    word is unknown, a value empty, or a number none.
    """
    keys = {word: key for key, word in WORDS.items()}
    own: dict[str, Any] = {}
    for word, _, value in (entry.partition("=") for entry in entries):
        if word not in keys:
            raise ParameterError(unknown_name("word", word, keys))
        if not value.strip():
            what = f"name the data: {USAGE}" if word == "DATA" else f"{word} is empty; give a value or leave it out"
            raise ParameterError(what)
        own[keys[word]] = value
    if "data" not in own:
        raise ParameterError(f"name the data: {USAGE}")
    for key in {"k", "n_states"} & set(own):
        if key == "k" and RANGE.fullmatch(own[key]):
            own[key] = _number(own[key], WORDS[key])
            continue
        # Not str.isdigit, which takes superscripts and the digits of every script.
        if not re.fullmatch(r"[0-9]{1,9}", own[key]) or int(own[key]) == 0:
            expected = EXPECTED if key == "k" else "a whole number of at least 1"
            raise ParameterError(f"{WORDS[key]} is {own[key]!r}, expected {expected} (nine digits at most)")
        own[key] = int(own[key])
    for key in {key for key, entry in OPTIONS.items() if entry.schema.get("type") == "number"} & set(own):
        own[key] = as_real(own[key], WORDS[key])
    if "sample" in own:
        own["sample"] = _sample(own["sample"])
    return {**own, "name": own.get("name") or default_name(own["data"])}


def _number(value: Any, name: str) -> int | str | None:
    """A number of clusters, or a range as on the command line."""
    one, several = as_number(value, name)
    return one if several is None else in_words(several)


def _sample(text: str) -> int | str | None:
    """A size of a sample in words."""
    if text in (ALL, AUTO):
        return None if text == ALL else text
    if not re.fullmatch(r"[0-9]{1,9}", text) or int(text) < 2:
        raise ParameterError(
            f"{WORDS['sample']} is {text!r}, expected a whole number of at least 2 (nine digits at most), {AUTO!r}, or"
            f" {ALL!r} to compare all"
        )
    return int(text)


def default_name(data: str) -> str:
    """Name of the results of some data: that of the folder or file, reduced to what a name may hold."""
    return stem_of(_located(data)) or "own"


def checked(own: Mapping[str, Any], results: Path = Path("results")) -> dict[str, Any]:
    """The key ``own`` of the configuration, checked as far as it can be without reading the data.

    Keys and types are as the schema has them; whole numbers come back as such, the path of the data without ``~``.
    ParameterError if a measure, a choice or the name is unknown, a number not finite, or the name taken by other data;
    DataError if the data or the labels file are not there, or the data are results.
    """
    options = dict(own)
    for key, entry in OPTIONS.items():
        # A schema takes 3.0 for a whole number.
        if isinstance(options.get(key), float) and entry.schema.get("type") != "number":
            options[key] = int(options[key])
    if "k" in options:
        options["k"] = _number(options["k"], "own.k")
    for key, entry in OPTIONS.items():
        if key in options and entry.schema.get("type") == "number" and not math.isfinite(options[key]):
            raise ParameterError(f"own.{key} is {options[key]!r}, expected a finite number")
        if key in options and entry.choices and options[key] not in entry.choices:
            raise ParameterError(unknown_name(WORDS.get(key, key), options[key], entry.choices))
    _require_measures(options.get("measure", MEASURE))
    _require_clusterer(options.get("clusterer", Settings.clusterer))
    # Unknown settings and values out of range.
    Settings.of({key: value for key, value in options.items() if key not in ("data", "name", "k", "measure")})
    path = _located(options["data"])
    _require_labels(path, options.get("labels", LABELS_FILE))
    if options.get("segments") not in (None, AUTO_SEGMENTS, BESIDE):
        # Wherever it is called from later, and also where settings are read by the workflow.
        options["segments"] = str(table_of(path if path.is_dir() else path.parent, options["segments"]))
    _require_name(options["name"])
    _require_no_results(path, results)
    require_free(
        results / "own",
        options["name"],
        FILES,
        [path],
        lambda settings: [settings["own"]["data"]],
        "give another name (NAME=..., or own.name in a configuration)",
    )
    return {**options, "data": str(path)}


def repeating(own: Mapping[str, Any], seed: int, results: Path = Path("results"), make: bool = True) -> str:
    """The command that repeats an analysis, quoted for the shell.

    ``make`` hands the words on as the shell gave them, so that nothing has to be quoted for it. Without `make` there is
    none where the command is called, and Snakemake is told the settings that were saved.
    """
    if own["name"] == EXAMPLE:
        return "snakemake -c2 fig_own"
    in_words = set(own) <= set(WORDS) and not any(isinstance(value, Mapping) for value in own.values())
    own = {key: ALL if key == "sample" and value is None else value for key, value in own.items()}
    if not make or not in_words or None in own.values() or seed != 1:
        return f"snakemake -c2 own --configfile {shlex.quote(str(results / 'own' / own['name'] / SETTINGS))}"
    texts = {key: ",".join(value) if isinstance(value, list) else str(value) for key, value in own.items()}
    for key in ("data", "labels"):
        # make drops blanks before a value.
        if texts.get(key, "")[:1].isspace():
            texts[key] = f"./{texts[key]}"
    return "make cluster " + " ".join(f"{word}={shlex.quote(texts[key])}" for key, word in WORDS.items() if key in own)


def _located(data: str) -> Path:
    """The data as a path that is there."""
    if not str(data).strip():
        raise ParameterError(f"name the data: {USAGE}")
    return located(data)


def modules(own: Mapping[str, Any]) -> list[str]:
    """Modules that an analysis (the key ``own``, checked) depends on, for its fingerprint; registries know what it
    imports by name.

    The analysis, the measures and the clusterer that it names, and every kind of models and feature, since the data
    decide which serve.
    """
    named = [registry.modules()[name] for name in measures_of(own)]
    cutting = clusterers.modules()[own.get("clusterer", Settings.clusterer)]
    entries = [*named, cutting, *kinds.modules().values(), *features.modules().values()]
    return ["kinseq.analysis", "kinseq_app.commands", *sorted({entry.module for entry in entries})]


def measures_of(own: Mapping[str, Any]) -> list[str]:
    """Names of the measures that the key ``own`` asks for."""
    return _names(own.get("measure") or usual_measure(own.get("features")))


def _names(measures: str | Iterable[str]) -> list[str]:
    return [word.strip() for word in measures.split(",")] if isinstance(measures, str) else list(measures)


def _require_measures(measures: str | Iterable[str]) -> None:
    names = _names(measures)
    valid = registry.modules()
    for name in names:
        if name not in valid:
            raise ParameterError(unknown_name("measure", name, valid))
    if len(set(names)) < len(names):
        raise ParameterError(f"MEASURE names {', '.join(names)}; name none twice")


def _require_clusterer(name: str) -> None:
    valid = {entry.name for entry in clusterers.modules().values() if clusterers.takes_of(entry) == "matrix"}
    if name not in valid:
        raise ParameterError(unknown_name(WORDS["clusterer"], name, valid))


def _require_labels(data: Path, labels: str | None) -> None:
    path = labels_path(data, labels)
    if path is not None and labels != LABELS_FILE and not path.is_file():
        raise DataError(f"{path}: no such labels file; check the name, it is relative to the folder of the data")


def _require_name(name: str) -> None:
    require_name(name)
    if folded(name) == EXAMPLE:
        raise ParameterError(f"NAME {name!r} is that of the example; give another one")


def _require_no_results(data: Path, results: Path) -> None:
    """Refuse to cluster a folder into itself: its own results would be read as data in the next call."""
    home, real = Path(os.path.realpath(results / "own")), Path(os.path.realpath(data))
    if home.is_relative_to(real):
        raise DataError(f"{data}: holds the folder of results, {results}; put the sequences into a folder of their own")
    inside = len(real.relative_to(home).parts) if real.is_relative_to(home) else 0
    if inside == (1 if real.is_dir() else 2):
        raise DataError(f"{data}: is the result of an analysis; name the data that it was made from, or others")
