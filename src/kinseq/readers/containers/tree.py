"""Named arrays, lists of arrays and texts, as MATLAB and HDF5 files hold them, as one sequence or many."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.errors import DataError
from ...core.wording import as_typed, count, listed
from ..arrays import as_floats
from ..npy import is_time_first, stacked
from ..reading import Reading
from ..table import Table, selected

Tree = Mapping[str, Any]
"""Arrays of numbers, lists (of arrays or texts) and trees by name."""
_LABEL_NAMES = frozenset(
    {"label", "labels", "y", "class", "classes", "target", "targets", "charlabels", "category", "gesture", "condition"}
)
_ID_NAMES = frozenset({"id", "ids", "name", "names", "trial", "file", "filename"})
_RATE_NAMES = frozenset(
    {"fs", "rate", "srate", "sf", "sfreq", "sampling_rate", "samplingrate", "sample_rate", "samplerate", "frequency"}
)
_TIME_NAMES = frozenset({"t", "time", "times", "timestamp", "timestamps"})


@dataclass
class _Leaves:
    """Leaves of a tree by possible role."""

    cells: dict[str, list[NDArray[Any]]] = field(default_factory=dict)
    cubes: dict[str, NDArray[Any]] = field(default_factory=dict)
    matrices: dict[str, NDArray[Any]] = field(default_factory=dict)
    vectors: dict[str, NDArray[Any]] = field(default_factory=dict)
    scalars: dict[str, float] = field(default_factory=dict)
    texts: dict[str, list[str]] = field(default_factory=dict)
    nested: list[str] = field(default_factory=list)


def table_of_tree(tree: Tree, path: Path, how: Reading, kind: str) -> Table:
    """Return the table of the sequences in a file of some `kind`.

    They are a list of matrices, else the one array of three axes, else several matrices with an axis in common, else one
    matrix, or vectors of one length. The axis whose length differs between sequences is time; where none does, the longer one.

    Raises
    ------
    DataError
        If there are no numbers, several arrays might be the data, or their axes cannot be distinguished.
    """
    found = _Leaves()
    _collect(tree, "", found)
    found, how = _named_arrays(found, how)
    if len(found.cells) > 1:
        raise _several(path, found.cells)
    if found.cells:
        ((name, arrays),) = found.cells.items()
        return _many(arrays, None, name, found, path, how, kind)
    if len(found.cubes) > 1:
        raise _several(path, found.cubes)
    if found.cubes:
        ((name, cube),) = found.cubes.items()
        axis = _sequence_axis(name, cube, found, path)
        return _many(list(np.moveaxis(cube, axis, 0)), None, name, found, path, how, kind)
    if len(found.matrices) > 1:
        matrices = found.matrices
        if len(matrices) > 2 and _common_axes(list(matrices.values())):
            return _many(list(matrices.values()), list(matrices), "", found, path, how, kind)
        raise _several(path, matrices)
    return _single(found, path, how, kind)


def _named_arrays(found: _Leaves, how: Reading) -> tuple[_Leaves, Reading]:
    """Return what may be the data without arrays that were not given by their names, and options without these names."""
    wanted = [] if how.value_columns is None else [str(name) for name in how.value_columns]
    if not wanted or not set(wanted) <= {*found.cells, *found.cubes, *found.matrices}:
        return found, how
    chosen = replace(
        found,
        cells={name: arrays for name, arrays in found.cells.items() if name in wanted},
        cubes={name: cube for name, cube in found.cubes.items() if name in wanted},
        matrices={name: matrix for name, matrix in found.matrices.items() if name in wanted},
    )
    return chosen, how.altered(value_columns=None)


def _several(path: Path, candidates: Mapping[str, Any]) -> DataError:
    names = listed([repr(name) for name in candidates])
    return DataError(
        f"{path}: {names} may each be the data; name one ({as_typed('value_columns', next(iter(candidates)))})"
    )


def _collect(tree: Tree, prefix: str, found: _Leaves) -> None:
    """Sort the leaves of a tree."""
    for key, value in tree.items():
        name = f"{prefix}{key}"
        if isinstance(value, Mapping):
            _collect(value, f"{name}.", found)
        elif isinstance(value, list):
            _collect_list(name, value, found)
        else:
            _collect_array(name, np.asarray(value), found)


def _collect_list(name: str, entries: list[Any], found: _Leaves) -> None:
    if entries and all(isinstance(entry, str) for entry in entries):
        found.texts[name] = entries
        return
    if entries and all(isinstance(entry, list) and len(entry) == 1 and isinstance(entry[0], str) for entry in entries):
        found.texts[name] = [entry[0] for entry in entries]
        return
    arrays = [np.asarray(entry) for entry in entries if not isinstance(entry, (list, Mapping, str))]
    if len(arrays) < len(entries) or not all(entry.dtype.kind in "iufb" for entry in arrays):
        found.nested.append(name)
    elif arrays and all(entry.size == 1 for entry in arrays):
        found.vectors[name] = np.array([entry.item() for entry in arrays])
    elif arrays and all(entry.ndim <= 2 for entry in arrays):
        found.cells[name] = [entry if entry.ndim == 2 else entry.reshape(-1, 1) for entry in arrays]
    else:
        found.nested.append(name)


def _collect_array(name: str, array: NDArray[Any], found: _Leaves) -> None:
    if array.dtype.kind not in "iufb" or not array.size:
        return
    shape = tuple(size for size in array.shape if size > 1)
    if not shape:
        found.scalars[name] = float(array.reshape(-1)[0])
    elif array.ndim == 3 and len(shape) > 1:
        found.cubes[name] = array
    elif len(shape) == 1:
        found.vectors[name] = array.reshape(-1)
    elif len(shape) == 2:
        found.matrices[name] = array.reshape(shape)
    else:
        found.nested.append(name)


def _last(name: str) -> str:
    """Return the last part of a name, in small letters."""
    return name.rpartition(".")[2].lower()


def _text_columns(found: _Leaves, number: int) -> dict[str, list[str]]:
    """Return entries with one value per sequence as texts."""
    numbers = {name: [f"{value:g}" for value in vector.astype(float)] for name, vector in found.vectors.items()}
    return {name: entries for name, entries in (numbers | found.texts).items() if len(entries) == number}


def _labels(found: _Leaves, number: int) -> tuple[str, list[str]] | None:
    """Return name and entries of the labels: by a usual name, or the only candidate of few values."""
    every = _text_columns(found, number)
    named = [name for name in every if _last(name) in _LABEL_NAMES]
    few = [
        name for name, entries in every.items() if 1 < len(set(entries)) <= number // 2 and _last(name) not in _ID_NAMES
    ]
    chosen = named if named else few
    return (chosen[0], every[chosen[0]]) if len(chosen) == 1 else None


def _sequence_axis(name: str, cube: NDArray[Any], found: _Leaves, path: Path) -> int:
    """Return which of three axes holds the sequences: the one as long as the labels, or the first axis other than time."""
    fitting = [
        axis
        for axis, size in enumerate(cube.shape)
        if size > 1
        and any(
            _last(own) in _LABEL_NAMES or len(set(entries)) < size
            for own, entries in _text_columns(found, size).items()
        )
    ]
    if len(fitting) == 1:
        return fitting[0]
    shape = cube.shape
    if (len(fitting) != 1 and is_time_first((shape[0], shape[1], shape[2]))) or 0 in fitting:
        return 0
    raise DataError(
        f"{path}: {name!r} has the shape {' x '.join(map(str, shape))}, and nothing says which axis is the sequences; store labels,"
        " one per sequence, next to it, or write one matrix per sequence"
    )


def _common_axes(arrays: Sequence[NDArray[Any]]) -> list[int]:
    """Return the axis, of two, along which all arrays have equal length."""
    return [axis for axis in (0, 1) if len({entry.shape[axis] for entry in arrays}) == 1]


def _time_axis(arrays: Sequence[NDArray[Any]], path: Path, name: str) -> tuple[int, bool]:
    """Return the time axis of matrices, and whether only its length decides."""
    common = _common_axes(arrays)
    if not common:
        first, other = arrays[0].shape, next(entry.shape for entry in arrays if entry.shape[1] != arrays[0].shape[1])
        raise DataError(
            f"{path}: the matrices of {name or 'the file'} have no axis in common (such as {first[0]} x {first[1]} and"
            f" {other[0]} x {other[1]}); give all the same channels"
        )
    if len(common) == 1:
        return 1 - common[0], False
    shape = arrays[0].shape
    return int(shape[1] > shape[0]), 1 not in shape


def _many(
    arrays: Sequence[NDArray[Any]],
    ids: Sequence[str] | None,
    name: str,
    found: _Leaves,
    path: Path,
    how: Reading,
    kind: str,
) -> Table:
    """Return the table of several matrices, one sequence each."""
    number = len(arrays)
    axis, open_axes = _time_axis(arrays, path, name)
    every = _text_columns(found, number)
    own = [entries for key, entries in every.items() if _last(key) in _ID_NAMES and len(set(entries)) == number]
    width = len(str(number))
    names = list(ids or (own[0] if own else [f"{i + 1:0{width}d}" for i in range(number)]))
    values = [as_floats(entry if axis == 0 else entry.T, path, f"has {name!r}") for entry in arrays]
    columns = tuple(str(j + 1) for j in range(values[0].shape[1]))
    table = stacked(values, names, columns, path)
    labels = _labels(found, number) if how.labels is not None else None
    if labels is not None:
        of = dict(zip(names, labels[1], strict=True))
        assert table.id is not None
        table.label = np.array([of[entry] for entry in table.id.tolist()], dtype=np.str_)
    table = _timed(table, found)
    said = (
        f"{kind}: read {f'{name!r} as ' if name else ''}{count(number, 'sequence')} of {count(len(columns), 'channel')}"
    )
    said += f", labels from {labels[0]!r}" if labels is not None else ""
    return selected(replace(table, said=said + (_TIME_IS_LONGER if open_axes else "")), how, path)


_TIME_IS_LONGER = "; the longer axis is time (for the other reading, transpose the matrices)"


def _single(found: _Leaves, path: Path, how: Reading, kind: str) -> Table:
    """Return the table of one sequence: a matrix, or vectors of one length."""
    times = {name: vector for name, vector in found.vectors.items() if _last(name) in _TIME_NAMES}
    rest = {
        name: vector for name, vector in found.vectors.items() if name not in times and _last(name) not in _LABEL_NAMES
    }
    if found.matrices:
        ((name, matrix),) = found.matrices.items()
        axis, open_axes = _time_axis([matrix], path, name)
        values, names = as_floats(matrix if axis == 0 else matrix.T, path, f"has {name!r}"), None
    elif rest:
        lengths = {len(vector) for vector in rest.values()}
        if len(lengths) > 1:
            raise _several(path, rest)
        values, names, open_axes = (
            as_floats(np.column_stack(list(rest.values())), path, "has vectors"),
            list(rest),
            False,
        )
        name = ""
    else:
        problem = f"nested cells ({listed(found.nested)})" if found.nested else "no array of numbers"
        raise DataError(
            f"{path}: holds {problem}; save the numbers of each sequence as a plain matrix with time along one of its axes"
        )
    columns = tuple(names or [str(j + 1) for j in range(values.shape[1])])
    table = Table(values, columns, names is not None, np.arange(1, len(values) + 1), "frame")
    label = next((own for key, own in found.texts.items() if _last(key) in _LABEL_NAMES and len(own) == 1), None)
    if label is not None:
        table.label = np.full(len(values), label[0])
    clock = next((vector for vector in times.values() if len(vector) == len(values)), None)
    if clock is not None:
        table = replace(table, time=clock.astype(float), unit="s", time_source=next(iter(times)))
    said = f"{kind}: read {repr(name) if name else 'vectors'} as {count(len(columns), 'channel')} of a sequence"
    said += _TIME_IS_LONGER if open_axes else ""
    return selected(replace(_timed(table, found), said=said), how, path)


def _timed(table: Table, found: _Leaves) -> Table:
    """Return a table with times from its rate, in seconds."""
    rate = next((value for name, value in found.scalars.items() if _last(name) in _RATE_NAMES and value > 0), None)
    if rate is None or table.time is not None:
        return table
    return replace(table, time=(table.rows - 1) / rate, unit="s")
