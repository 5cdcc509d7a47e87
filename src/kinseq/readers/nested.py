"""Data frames whose rows are sequences: lists in their cells."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.errors import DataError
from ..core.id_names import names_ids
from ..core.wording import count, listed

if TYPE_CHECKING:
    import pandas


def is_list(cell: Any) -> bool:
    """Return whether a cell holds several values."""
    return isinstance(cell, (list, tuple, np.ndarray))


def unnested(frame: pandas.DataFrame, path: Path) -> tuple[pandas.DataFrame, str]:
    """Return a long frame from one with lists in cells, and a sentence; otherwise the frame itself.

    Raises
    ------
    DataError
        If lists of one row differ in length.
    """
    import pandas

    first = {name: next((cell for cell in frame[name] if is_list(cell)), None) for name in frame.columns}
    lists = [name for name, cell in first.items() if cell is not None]
    if not lists:
        return frame, ""
    for i, cells in enumerate(frame[lists].itertuples(index=False), start=1):
        lengths = {len(cell) if is_list(cell) else 1 for cell in cells}
        if len(lengths) > 1 or lengths == {0}:
            sizes = listed(
                [f"{name}: {len(cell) if is_list(cell) else 1}" for name, cell in zip(lists, cells, strict=True)]
            )
            raise DataError(
                f"{path}: the lists of entry {i} differ in length or are empty ({sizes}); give all channels the same"
            )
    lowered = {str(name).lower() for name in frame.columns}
    if "id" not in lowered:
        named = next((name for name in frame.columns if name not in lists and _are_names(frame[name])), None)
        width = len(str(len(frame)))
        numbers = [f"{i + 1:0{width}d}" for i in range(len(frame))]
        frame = frame.assign(id=numbers) if named is None else frame.rename(columns={named: "id"})
    classes = None if "label" in lowered else _classes(frame, lists)
    frame = frame if classes is None else frame.rename(columns={classes: "label"})
    parts = frame.explode(lists, ignore_index=True)
    channels: list[str] = []
    for name in lists:
        if is_list(parts[name].iloc[0]):
            # A list of points, each a list of coordinates.
            wide = pandas.DataFrame(parts[name].tolist())
            wide.columns = [f"{name}_{j + 1}" for j in range(wide.shape[1])]
            parts = pandas.concat([parts.drop(columns=name), wide], axis=1)
            channels += wide.columns.tolist()
        else:
            parts[name] = parts[name].infer_objects()
            channels.append(str(name))
    by = "" if classes is None else f", and the column {classes!r} as their labels"
    return parts, f"read {count(len(frame), 'row')} as sequences, with lists of the channels {listed(channels)}{by}"


def _are_names(column: pandas.Series) -> bool:
    """Return whether a column of another name than id holds a text of its own in every row, and its name denotes ids."""
    return names_ids(str(column.name)) and all(isinstance(cell, str) for cell in column) and bool(column.is_unique)


def _classes(frame: pandas.DataFrame, lists: list[str]) -> str | None:
    """Return the only column of text whose values several rows share; None without one, or of several."""
    texts = [name for name in frame.columns if name not in lists and str(name).lower() not in ("id", "group")]
    texts = [name for name in texts if all(isinstance(cell, str) for cell in frame[name])]
    shared = [name for name in texts if 1 < frame[name].nunique() <= len(frame) // 2]
    return str(shared[0]) if len(shared) == 1 else None
