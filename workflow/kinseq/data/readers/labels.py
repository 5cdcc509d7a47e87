"""Labels of sequences, from a labels file or from the names of sub-folders."""

from __future__ import annotations

import csv
import io
import os
import unicodedata
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import DataError
from ...sequences import SequenceSet
from ..folders import is_special
from .finding import LABELS_FILE, SUFFIXES, Found, labels_path
from .text import cells_of, decode, plain_text, read_bytes
from .wording import count, listed

UNLABELLED = ""
"""Label (and group) of a sequence that the labels file does not mention, when it mentions others."""


def attach_labels(
    sequences: SequenceSet, found: Found, labels: str | os.PathLike[str] | None, notes: list[str]
) -> SequenceSet:
    """Attach the labels of the labels file, or of the sub-folders."""
    if labels is None:
        return sequences
    if labels == "folders":
        tops = [name.partition("/")[0] if "/" in name else UNLABELLED for name in sequences.ids.tolist()]
        if found.kind not in ("audio", "table") or not any(tops):
            raise DataError(f"{found.root}: has no sub-folders with sequences; labels='folders' needs some")
        return replace(sequences, labels=np.array(tops, dtype=np.str_))
    path = labels_path(found.root, labels)
    assert path is not None
    if is_special(path) or path.is_dir():
        raise DataError(f"{path}: is no file; give a labels file, or labels=None to go without")
    if not path.exists():
        if os.fspath(labels) == LABELS_FILE and not path.is_symlink():
            return sequences
        raise DataError(f"{path}: no such labels file; check the name, it is relative to the folder")
    return _attach(sequences, _read_labels(path), path, set(found.names.values()), notes)


def _read_labels(path: Path) -> list[tuple[int, str, str, str | None]]:
    """Line, id, label and group of every row of a labels file."""
    text, _ = decode(read_bytes(path), path)
    lines = text.splitlines()
    head = next((i for i, line in enumerate(lines) if line.strip()), None)
    if head is None:
        raise DataError(f"{path}: is empty; write the header id,label and one row for each sequence")
    separator = next((mark for mark in (",", ";", "\t") if mark in lines[head]), ",")
    header = [cell.lower() for cell in cells_of(lines[head], separator)]
    for column in ("id", "label"):
        if header.count(column) != 1:
            raise DataError(f"{path}: its header is {lines[head][:60]!r}, expected id,label or id,label,group")
    rows = []
    reader = csv.reader(io.StringIO("\n".join(lines[head + 1 :])), delimiter=separator)
    for cells in reader:
        line = head + 1 + reader.line_num
        if not any(cell.strip() for cell in cells):
            continue
        if len(cells) < len(header):
            cells = cells + [""] * (len(header) - len(cells))
        if len(cells) > len(header) and any(cell.strip() for cell in cells[len(header) :]):
            raise DataError(
                f"{path}: line {line} has {len(cells)} cells but the header has {len(header)};"
                " put cells that hold a separator in quotes"
            )
        entry = plain_text(cells[header.index("id")])
        if not entry:
            raise DataError(f"{path}: line {line} has no id; fill it in or remove the line")
        group = plain_text(cells[header.index("group")]) if "group" in header else None
        rows.append((line, entry, plain_text(cells[header.index("label")]), group))
    if not rows:
        raise DataError(f"{path}: holds no row; write one for each sequence or remove the file")
    return rows


def _attach(
    sequences: SequenceSet,
    rows: Iterable[tuple[int, str, str, str | None]],
    path: Path,
    files: set[str],
    notes: list[str],
) -> SequenceSet:
    ids = [_key(entry) for entry in sequences.ids.tolist()]
    exact = {entry: i for i, entry in enumerate(ids)}
    stems: dict[str, list[int]] = {}
    for i, entry in enumerate(ids):
        stems.setdefault(_stem(entry), []).append(i)
    skipped = {_key(entry) for entry in files} | {_stem(_key(entry)) for entry in files}
    labels = np.full(len(ids), UNLABELLED, dtype=object)
    groups = np.full(len(ids), UNLABELLED, dtype=object)
    where: dict[int, int] = {}
    strange: list[str] = []
    has_groups = False
    for line, entry, label, group in rows:
        key = _key(entry)
        matches = [exact[key]] if key in exact else stems.get(key, [])
        if len(matches) > 1:
            raise DataError(
                f"{path}: line {line}: {entry!r} may be {ids[matches[0]]!r} or {ids[matches[1]]!r}; write the extension"
            )
        if not matches:
            if key not in skipped:
                strange.append(entry)
            continue
        i = matches[0]
        if i in where and (labels[i] != label or groups[i] != (group or UNLABELLED)):
            raise DataError(
                f"{path}: lines {where[i]} and {line} contradict each other about {ids[i]!r}; remove one of them"
            )
        where[i] = line
        labels[i], groups[i] = label, group or UNLABELLED
        has_groups = has_groups or bool(group)
    if not where:
        raise DataError(
            f"{path}: none of its ids is that of a sequence, for example {strange[0] if strange else '?'!r} where an id"
            f" looks like {ids[0]!r}; write the path relative to the folder"
        )
    if strange:
        notes.append(f"{path.name}: {count(len(strange), 'id')} without a sequence: {listed(strange)}")
    labelled = int((labels != UNLABELLED).sum())
    if 0 < labelled < len(ids):
        notes.append(
            f"{path.name}: labels for {labelled} of {len(ids)} sequences; the others have the label {UNLABELLED!r}"
        )
    changes: dict[str, Any] = {}
    if labelled:
        changes["labels"] = labels.astype(np.str_)
    if has_groups:
        changes["groups"] = groups.astype(np.str_)
    return replace(sequences, **changes)


def _key(entry: str) -> str:
    key = unicodedata.normalize("NFC", entry).replace("\\", "/")
    while key.startswith("./"):
        key = key[2:]
    return key


def _stem(key: str) -> str:
    base, dot, suffix = key.rpartition(".")
    return base if dot and f".{suffix.lower()}" in SUFFIXES else key
