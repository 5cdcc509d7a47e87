"""One file per channel: files of one shape whose rows are windows, as ``total_acc_x_train.txt``, with labels in ``y_train.txt``.

Sets of phone accelerometers come so. Row i of all files together is a sequence; parts for training and testing are joined.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...core.arrays import FloatArray
from ...core.errors import DataError
from ...core.wording import as_typed, count, listed
from ..columns import found_name
from ..delimited import Sheet
from ..layout import agree, tabulate
from ..raw import Raw, RawSet
from ..reading import Reading
from ..text import plain_text
from .known_layout import FolderLayout, Open

_SPLITS = ("train", "training", "test", "testing", "val", "valid", "validation")
_LABELS, _GROUPS = (
    (("y",), ("label",), ("labels",), ("target",)),
    (("subject",), ("subjects",), ("group",), ("groups",)),
)
_AXES = frozenset("xyz")
_MOST_FILES = 200
"""Largest number of files of a folder: channels are few."""
_LEAST_POINTS = 8
"""Least number of frames of a window."""


@dataclass
class _Part:
    """Files of one part of a set, such as the training part, by content."""

    channels: dict[str, Path] = field(default_factory=dict)
    labels: Path | None = None
    groups: Path | None = None


def _parts(files: Sequence[Path]) -> dict[str, _Part]:
    """Return the files of each part by name."""
    parts: dict[str, _Part] = defaultdict(_Part)
    for path in files:
        words = [word for word in re.split(r"[\W_]+", path.stem) if word]
        lowered = [word.lower() for word in words]
        split = next((word for word in lowered if word in _SPLITS), "")
        own = tuple(word for word in lowered if word not in _SPLITS)
        part = parts[split]
        if own in _LABELS:
            part.labels = path
        elif own in _GROUPS:
            part.groups = path
        else:
            part.channels["_".join(word for word in words if word.lower() not in _SPLITS)] = path
    return parts


def matches(files: Sequence[Path], how: Reading) -> bool:
    """Return whether file names denote channels: there are labels in a file ``y``, or names differ only by the axis."""
    if not 2 <= len(files) <= _MOST_FILES or how.rows is not None or how.id_column is not None:
        return False
    if len({path.suffix.lower() for path in files}) > 1 or files[0].suffix.lower() == ".npy":
        return False
    return any(map(_holds_channels, _parts(files).values()))


def _holds_channels(part: _Part) -> bool:
    """Return whether file names denote channels."""
    return len(part.channels) > 1 and (part.labels is not None or _axes(part))


def _axes(part: _Part) -> bool:
    """Return whether three channels have equal names except for the axis."""
    without: Counter[tuple[str, ...]] = Counter()
    for name in part.channels:
        words = name.lower().split("_")
        if len(_AXES & set(words)) == 1:
            without[tuple(word for word in words if word not in _AXES)] += 1
    return any(number >= len(_AXES) for number in without.values())


def read(files: Sequence[Path], names: Mapping[Path, str], how: Reading, opened: Open) -> RawSet | None:
    """Return the sequences in the rows of files; None if their shapes differ and there are no labels.

    Raises
    ------
    DataError
        If labels are not as many as rows, or a part lacks a channel.
    """
    parts = {split: part for split, part in sorted(_parts(files).items()) if _holds_channels(part)}
    made = {split: _read_part(part, how, opened) for split, part in parts.items()}
    if any(channels is None for channels in made.values()):
        return None
    known = {split: channels for split, channels in made.items() if channels is not None}
    common = next(iter(known.values()))
    for split, channels in known.items():
        missing = sorted(set(common) ^ set(channels))
        if missing:
            raise DataError(
                f"{names[files[0]]}: the channel {missing[0]!r} is not in all parts ({split}); add its file"
            )
    wanted = _selected(list(common), how, files[0])
    sequences: list[Raw] = []
    labels: list[str] = []
    groups: list[str] = []
    for split, channels in known.items():
        part = parts[split]
        values = np.stack([channels[name] for name in wanted], axis=2)
        width = len(str(len(values)))
        for i, window in enumerate(values):
            own = f"{i + 1:0{width}d}"
            sequences.append(
                Raw(
                    id=f"{split}/{own}" if split else own,
                    where=str(part.channels[wanted[0]].parent),
                    values=np.ascontiguousarray(window),
                    place=_place(i, wanted),
                    columns=tuple(wanted),
                )
            )
        for path, entries in ((part.labels, labels), (part.groups, groups)):
            entries += [] if path is None else _entries(path, len(values), how, opened)
    used = {path for part in parts.values() for name, path in part.channels.items() if name in common}
    said_of = {path for part in parts.values() for path in (part.labels, part.groups) if path is not None}
    rest = [names[path] for path in files if path not in used | said_of]
    by = listed([names[part.labels] for part in parts.values() if part.labels is not None])
    said = (
        f"took {count(len(used), 'file')} for channels of {count(len(sequences), 'sequence')}, one a row of all"
        f" ({listed(wanted, 3)})"
        + (f", and {by} for their labels" if by else "")
        + f"; {as_typed('rows', 'frames')} takes each file for a sequence"
    )
    left_out = [f"left out {count(len(rest), 'file')} of other shapes: {listed(rest)}"] if rest else []
    return RawSet(
        sequences,
        labels=_column(labels, len(sequences)) if how.labels is not None else None,
        groups=_column(groups, len(sequences)),
        provenance={"files": len(files)},
        notes=(said, *left_out),
    )


def _read_part(part: _Part, how: Reading, opened: Open) -> dict[str, FloatArray] | None:
    """Return the values of the channels of a part, each of shape (windows, frames); None unless two have one shape.

    Raises
    ------
    DataError
        If a file of that shape is no table of numbers.
    """
    if part.labels is not None and not _is_column(_sheet(part.labels, how, opened)) and not _axes(part):
        return None
    found_sheets = {name: _sheet(path, how, opened) for name, path in part.channels.items()}
    sheets = {name: sheet for name, sheet in found_sheets.items() if sheet is not None}
    shapes = Counter((len(sheet.lines), sheet.width) for sheet in sheets.values() if sheet.width >= _LEAST_POINTS)
    shape, number = shapes.most_common(1)[0] if shapes else ((0, 0), 0)
    if number < 2:
        return None
    alike = {name: sheet for name, sheet in sheets.items() if (len(sheet.lines), sheet.width) == shape}
    verdicts, _ = agree(list(alike.values()), lambda sheet: sheet.path.name)
    found: dict[str, FloatArray] = {}
    for (name, sheet), verdict in zip(alike.items(), verdicts, strict=True):
        if isinstance(verdict, DataError):
            raise verdict
        table = tabulate(sheet, verdict, how.altered(value_columns=None, drop_columns=(), time_column=None))
        if table.time is not None:
            return None
        found[name] = table.values
    return found


def _sheet(path: Path, how: Reading, opened: Open) -> Sheet | None:
    """Return the cells of a file; None if empty or unreadable, which reading it as a sequence will report."""
    try:
        sheet = opened(path, how)
    except DataError:
        return None
    return sheet if isinstance(sheet, Sheet) else None


def _is_column(sheet: Sheet | None) -> bool:
    return sheet is not None and sheet.width == 1


def _selected(channels: list[str], how: Reading, path: Path) -> list[str]:
    """Return the selected channels."""
    dropped = {found_name(entry, channels, path, "drop_columns") for entry in how.drop_columns}
    if how.value_columns is not None:
        return [found_name(str(entry), channels, path, "value_columns") for entry in how.value_columns]
    return [name for name in channels if name not in dropped]


def _place(row: int, channels: Sequence[str]) -> Callable[[int, int], str]:
    return lambda frame, column: f"row {row + 1}, column {frame + 1} of the file of {channels[column]!r}"


def _entries(path: Path, number: int, how: Reading, opened: Open) -> list[str]:
    """Return one label per row.

    Raises
    ------
    DataError
        If there are not as many as rows.
    """
    sheet = _sheet(path, how, opened)
    cells: list[str] = []
    if sheet is not None and sheet.width == 1:
        cells = [
            *([sheet.first[0]] if len(sheet.lines) < number else []),
            *(sheet.columns[0].cells if sheet.columns else []),
        ]
    if len(cells) != number:
        raise DataError(
            f"{path}: holds {count(len(cells), 'label')} in one column, but the files next to it have {count(number, 'row')};"
            " give each row one, or move the file elsewhere"
        )
    return [plain_text(cell) for cell in cells]


def _column(entries: Sequence[str], number: int) -> NDArray[np.str_] | None:
    return np.array(entries, dtype=np.str_) if entries and len(entries) == number else None


LAYOUT = FolderLayout("a file a channel", matches, read)
