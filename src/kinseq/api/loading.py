"""Load results that :mod:`.saving` wrote."""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

import numpy as np

from .. import __version__
from ..analysis.options import OPTIONS, Options
from ..analysis.pipeline import divider_of
from ..analysis.prediction import Shortcut, represented
from ..analysis.preparation import Population, Transform, prepare
from ..analysis.saving import CLASSES, FORMAT_NUMBER, KEPT, LIMITED_FROM, META
from ..analysis.views import View, nonnegative
from ..core.errors import DataError, ParameterError
from ..core.sequences import SequenceSet
from ..core.store import PathLike
from ..measures.custom import PRECOMPUTED, precomputed_matrix
from ..measures.landmarks import Shortlist
from ..measures.registry import get
from ..readers.reading import OPTIONS as OF_READING
from ..readers.reading import Reading
from .results import Clustering, sampled_clustering


def load(path: PathLike) -> Clustering:
    """Return a result written by its method ``save``.

    Parameters
    ----------
    path : path-like

    Returns
    -------
    Clustering or SampledClustering
        With everything that it had, ``report``, ``plot`` and ``predict`` included. Models of each sequence are fitted again when
        a prediction requires them, to the same numbers.

    Raises
    ------
    ParameterError
        If `path` is no path.
    DataError
        If the file cannot be read, is no saved result, or was written by a later version.
    """
    if not isinstance(path, (str, os.PathLike)):
        raise ParameterError(
            f"path is of type {type(path).__name__}, expected that of a file that the method save wrote"
        )
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
    except FileNotFoundError as error:
        raise DataError(f"{path}: no such file; check the path") from error
    except (OSError, ValueError, EOFError, zipfile.BadZipFile) as error:
        raise DataError(
            f"{path}: cannot be read as a result of kinseq; give a file that its method save wrote"
        ) from error
    try:
        meta = json.loads(str(arrays.pop(META)))
        if meta["format"] > FORMAT_NUMBER:
            raise DataError(f"{path}: was written by kinseq {meta['kinseq']}, this is {__version__}; update kinseq")
        return _restored({name: _unpacked(entry, arrays) for name, entry in meta.items()})
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(f"{path}: is no result of kinseq, or is damaged ({error}); write it again") from error


def _restored(meta: Mapping[str, Any]) -> Clustering:
    given, values = dict(meta["given"]), meta["asked"]["values"]
    if "reading" not in given:
        # Files of format 1 stored reading options with those of the analysis.
        given["reading"] = Reading(**{name: value for name, value in values.items() if name in OF_READING})
    analysis, population = _made(meta, SequenceSet(**given), meta["format"] >= LIMITED_FROM)
    assigned = meta["assigned"]
    if assigned is None or population is None:
        return analysis
    base, known = represented(analysis._division), assigned.get("shortcut")
    shortcut = None if known is None else Shortcut(**{**known, "screen": Shortlist(**known["screen"])})
    return sampled_clustering(
        analysis,
        population.positions,
        population.whole,
        assigned["labels"],
        assigned.get("first", assigned["labels"]),
        base,
        assigned["comes_back"],
        population.unlike,
        shortcut,
    )


def _made(
    meta: Mapping[str, Any], originals: SequenceSet, limited: bool, depth: int = 1
) -> tuple[Clustering, Population | None]:
    """Return the clustering of sequences in the given units, and all sequences where these are a sample."""
    call = meta["asked"]
    measures = tuple(_measure(name) for name in call["measures"])
    values = {name: value for name, value in call["values"].items() if name in (*OPTIONS, *KEPT)}
    options = Options(**values, measures=measures)
    population: Population | None = None
    views = [_read_alike(View(**{**view, "measure": _measure(view["measure"])}), options) for view in meta["views"]]
    if measures == (PRECOMPUTED,):
        ordering, scaling, sequences = precomputed_matrix(views[0].distance, signed=True)[2], Transform(), originals
    else:
        prepared = prepare(options.altered(name=originals.name), originals, limited=limited)
        ordering, scaling, population = prepared.ordering, prepared.transform, prepared.population
        sequences, originals = prepared.ordered.subset(ordering.ranks), prepared.original
    analysis = Clustering(
        options=options,
        notes=list(meta["notes"]),
        choices=[(what, value, why) for what, value, why in meta["choices"]],
        sequences=sequences,
        original=originals,
        views=views,
        decision=meta["decision"],
        scaling=scaling,
        ordering=ordering,
        _look=None if depth > 1 or measures == (PRECOMPUTED,) else divider_of(options),
        # Earlier versions had the first division, and so have results with a given number.
        _by_leaves=meta.get("within") is not None,
    )
    vars(analysis.details).update(meta["known"])
    if (within := meta.get("within")) is not None:
        own = {k: np.flatnonzero(views[0].labels == k) for k in within}
        members = {k: replace(originals.subset(places), labels=None) for k, places in own.items()}
        vars(analysis.details)["within"] = {
            k: _made(entry, members[k], limited, depth + 1)[0] for k, entry in within.items()
        }
    return analysis, population


def _read_alike(view: View, options: Options) -> View:
    """Return a view in the current form: files of earlier versions hold signed matrices."""
    distance, findings, _ = nonnegative(view.measure, view.distance, view.findings, options)
    return replace(view, distance=distance, findings=findings)


def _measure(name: str) -> Any:
    return PRECOMPUTED if name == PRECOMPUTED.name else get(name)


def _unpacked(value: Any, arrays: Mapping[str, np.ndarray[Any, Any]]) -> Any:
    if isinstance(value, list):
        return [_unpacked(entry, arrays) for entry in value]
    if not isinstance(value, dict):
        return value
    if "array" in value:
        return arrays[value["array"]]
    if "objects" in value:
        return np.array(_unpacked(value["objects"], arrays), dtype=object)
    if "tuple" in value:
        return tuple(_unpacked(entry, arrays) for entry in value["tuple"])
    if "class" in value:
        kind = CLASSES[value["class"]]
        field_names = {entry.name for entry in fields(kind)}
        named = {name: _unpacked(entry, arrays) for name, entry in value["fields"].items() if name in field_names}
        return kind(**named)
    return {_unpacked(key, arrays): _unpacked(entry, arrays) for key, entry in value["mapping"]}
