"""Groups in one column by itself, which the others drown.

A walk that wanders far, or noise, moves every distance between whole sequences, so that the groups of one column are lost in
all views. Where all columns together show no groups, each is analysed by itself, by the same rules and at a level that the columns
share. The groups of a column have to be clear by themselves; a cut of its matrix does not suffice.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ..core.circular import CIRCULAR
from ..core.wording import as_typed
from ..features.column_names import column_labels
from ..features.recordings import recording_info
from . import limits
from .candidates import DIRECT_VIEWS, clear_views
from .families import MORE_IS_SHOWN_BY
from .limits import THRESHOLDS, Thresholds
from .log import Remarks, as_notes
from .null import default_range
from .options import Options
from .preparation import Prepared, prepare
from .result import Result
from .verdict import verdict
from .views import PARTS, component_views, is_open

Compared = Callable[[Options, Prepared, Thresholds], Result]
"""Analysis of prepared sequences at given thresholds."""
LEAST_SHOWN = MORE_IS_SHOWN_BY["separated"]
"""Least evidence for the groups of a single column, as in :data:`.families.MORE_IS_SHOWN_BY`."""


def by_a_column(
    options: Options, prepared: Prepared, found: Result, compared: Compared, shared: Thresholds = THRESHOLDS
) -> tuple[Result, Remarks] | None:
    """Return the result of the column that shows the clearest groups by itself, and a note on it; None where none does.

    `found` is the result of all columns, at the thresholds `shared`. Single coefficients of recordings are not examined, nor
    halves of circular columns, nor any where there are many sequences or the measure was named.
    """
    if not _is_open(options, prepared, found):
        return None
    places = (
        np.arange(prepared.original.n_features) if prepared.transform.columns is None else prepared.transform.columns
    )
    thresholds = shared.shared_by(len(places))
    clear: list[tuple[int, Result]] = []
    for place in places.tolist():
        alone = options.altered(columns=(place,))
        of_column = prepare(alone, prepared.original)
        if not _may_show_groups(alone, of_column):
            continue
        result = compared(alone, of_column, thresholds)
        if result.decision.by is not None and _evidence_of(result) >= LEAST_SHOWN:
            clear.append((place, result))
    if not clear:
        return None
    # The first of equals.
    place, best = max(clear, key=lambda entry: (_evidence_of(entry[1]), float(entry[1].silhouettes.mean())))
    return _with_remarks(best, prepared, place, found.decision.n_clusters)


def _evidence_of(result: Result) -> int:
    """Return how much evidence its degree stands for, as in :data:`.families.MORE_IS_SHOWN_BY`."""
    return MORE_IS_SHOWN_BY.get(verdict(result).degree, 0)


def _with_remarks(alone: Result, prepared: Prepared, place: int, n_clusters: int) -> tuple[Result, Remarks]:
    """Return the result of one column with the remarks on all of them, and a note on why it was taken."""
    name = column_labels(prepared.original)[place]
    names = prepared.original.provenance.get("columns")
    how = f" ({as_typed('value_columns', names[place])})" if names else ""
    what = "no groups" if n_clusters == 1 else "no groups with clear gaps"
    before = prepared.remarks
    result = replace(
        alone,
        notes=list(dict.fromkeys([*before.notes, *alone.notes])),
        choices=list(dict.fromkeys([*before.choices, *alone.choices])),
    )
    return result, as_notes(f"grouped by {name} alone{how}: all columns together show {what}")


def _is_open(options: Options, prepared: Prepared, found: Result) -> bool:
    """Return whether single columns are examined, given the result of all of them."""
    sequences = prepared.original
    return (
        found.decision.structure is not None
        and (found.decision.n_clusters == 1 or _is_uncertain(found))
        and options.n_clusters is None
        and options.n_range is None
        and options.columns is None
        and prepared.population is None
        and 1 < sequences.n_features <= limits.MAX_SINGLE_COLUMNS
        and len(sequences) <= limits.MAX_EXAMINED
        and sequences.alphabet is None
        and CIRCULAR not in sequences.provenance
        and is_open(options.measures[0], options)
        and not recording_info(sequences).from_files
    )


def _is_uncertain(found: Result) -> bool:
    """Return whether the groups are a cut of the matrix without gaps between them."""
    return found.decision.by is None and _evidence_of(found) < MORE_IS_SHOWN_BY["overlapping"]


def _may_show_groups(options: Options, prepared: Prepared) -> bool:
    """Return whether a view of a column that needs no model shows clear groups, which are not compared with anything yet."""
    sequences, measure = prepared.counted(), options.measures[0]
    most = default_range(len(sequences), options)[1]
    parts = component_views(measure, sequences, options, only=[*measure.params[PARTS], *DIRECT_VIEWS])
    views = {name: part.distance for name, part in parts.items()}
    return bool(clear_views(views, 2, most, options.threads))
