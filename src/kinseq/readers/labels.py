"""Labels of sequences, from a labels file or from the names of sub-folders."""

from __future__ import annotations

import csv
import io
import os
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..core.cutting import pieces_of
from ..core.errors import DataError
from ..core.folders import FURTHER_COLUMNS, LABELS_FILE, UNLABELLED, is_special
from ..core.sequences import SequenceSet
from ..core.store import unshielded
from ..core.wording import as_typed, count, listed
from .delimited import SEP_LINE, read_sheet
from .discovery import BY_CONTENT, SUFFIXES, Contents, labels_path
from .text import PACKED, decode, plain_text, read_bytes


class LabelRow(NamedTuple):
    """A row of a labels file.

    Attributes
    ----------
    line : int
        Its number in the file.
    id, label : str
    group : str or None
        None without such a column.
    about : dict of str to str
        Cells of further columns by their names.
    """

    line: int
    id: str
    label: str
    group: str | None
    about: dict[str, str]


@dataclass(frozen=True)
class Rows:
    """Rows of a labels file, notes on it, and its path if it was not named."""

    rows: tuple[LabelRow, ...]
    notes: tuple[str, ...] = ()
    path: Path | None = None


def open_labels(contents: Contents, labels: str | os.PathLike[str] | None) -> Rows | None:
    """Return rows of the labels file; None if there is none.

    It is opened before anything else is read: that may take long, and would be in vain.

    Raises
    ------
    DataError
        If a file that was named is not there or is no labels file, or there are no sub-folders to name labels.
    """
    if labels is None:
        return None
    if isinstance(labels, str) and labels == "folders":
        if contents.kind not in ("audio", "table") or not any("/" in name for name in contents.names.values()):
            raise DataError(
                f"{contents.root}: has no sub-folders with sequences; {as_typed('labels', 'folders')} needs some"
            )
        return None
    path = labels_path(contents.root, labels)
    assert path is not None
    if is_special(path) or path.is_dir():
        raise DataError(f"{path}: is no file; give a labels file, or none")
    if not path.exists():
        if os.fspath(labels) == LABELS_FILE and not path.is_symlink():
            return None
        raise DataError(f"{path}: no such labels file; check the name, it is relative to the folder")
    return _read_labels(path)


_ABOUT = re.compile(
    r"meta|subject|participant|patient|info|label|about|index|summary|demograph|annot|list|overview|descri|condition|class|key"
)
"""Parts of names of tables about recordings."""
_MOST_ABOUT = 3
"""Largest number of tables of a folder that may be about the others."""
_NUMBERED = frozenset(
    {"id", "no", "nr", "number", "subject", "participant", "patient", "file", "recording", "trial", "session"}
)
"""Names of columns that may give the number in the name of a file."""
_LABEL_NAMES = ("label", "class", "target", "category", "condition", "activity type", "activity", "sport")
_GROUP_NAMES = ("group", "subject", "participant")


def about_recordings(contents: Contents, labels: str | os.PathLike[str] | None) -> tuple[Contents, Rows] | None:
    """Return the files of a folder without a table about the others, and its rows; None if there is no such table.

    One of its columns names half of them, and it has half of its rows for them. Its label and group are columns of such names.
    """
    if (
        labels is None
        or os.fspath(labels) != LABELS_FILE
        or contents.kind != "table"
        or len(contents.files) <= _MOST_ABOUT
    ):
        return None
    named = [path for path in contents.files if _ABOUT.search(path.stem.lower())]
    for path in named if len(named) <= _MOST_ABOUT else ():
        others = _by_file_name([contents.names[file] for file in contents.files if file != path])
        found = _about(path, others) if path.suffix.lower() in (".csv", ".tsv", ".txt") else None
        if found is not None:
            files = [file for file in contents.files if file != path]
            names = {file: name for file, name in contents.names.items() if file != path}
            return replace(contents, files=files, names=names), found
    return None


def about_others(
    contents: Contents, others: Sequence[Path], labels: str | os.PathLike[str] | None
) -> tuple[Contents, Rows] | None:
    """Return files of another kind, such as tracks, next to a table about them, and its rows; None if there is no such table."""
    if labels is None or os.fspath(labels) != LABELS_FILE or contents.kind != "table" or len(others) <= _MOST_ABOUT:
        return None
    if any(file in contents.names for file in others):
        return None
    names = {file: file.relative_to(contents.root).as_posix() for file in others}
    stems = _by_file_name(list(names.values()))
    for path in contents.files:
        found = _about(path, stems) if path.suffix.lower() in (".csv", ".tsv", ".txt") else None
        if found is not None:
            rest = [contents.names[file] for file in contents.files if file != path]
            left = (f"left out {count(len(rest), 'table')} next to them: {listed(rest)}",) if rest else ()
            return replace(contents, files=sorted(others, key=names.__getitem__), names=names, notes=left), found
    return None


def about_sequences(contents: Contents, labels: str | os.PathLike[str] | None) -> tuple[Contents, Rows] | None:
    """Return the long table of a folder with a second one of a row for each of its ids, and these rows; otherwise None."""
    if labels is None or os.fspath(labels) != LABELS_FILE or contents.kind != "table" or len(contents.files) != 2:
        return None
    long, other = sorted(contents.files, key=lambda path: -path.stat().st_size)
    if not all(_ID.search(_first_line(path)) for path in (long, other)):
        return None
    try:
        sheets = [
            read_sheet(path) for path in (long, other) if path.suffix.lower() in ("", ".csv", ".tsv", ".txt", ".dat")
        ]
    except DataError:
        return None
    places = [
        [name.lower() for name in sheet.first].index("id") for sheet in sheets if "id" in map(str.lower, sheet.first)
    ]
    if len(places) < 2:
        return None
    ids, own = (sheet.columns[place].cells for sheet, place in zip(sheets, places, strict=True))
    if len(set(own)) < len(own) or len(set(ids)) == len(ids):
        return None
    found = _about(other, {entry: entry for entry in ids})
    return None if found is None else (replace(contents, files=[long]), found)


def _by_file_name(names: Sequence[str]) -> dict[str, str]:
    """Return paths of files by their names without folder and extension; those of several files stand for themselves."""
    found: dict[str, list[str]] = {}
    for name in names:
        found.setdefault(_stem(_key(name)).rpartition("/")[2], []).append(name)
    return {stem: own[0] if len(own) == 1 else stem for stem, own in found.items()}


def _about(path: Path, ids: Mapping[str, str]) -> Rows | None:
    """Return the rows of a table with a column that names half of some files, by ids of these names."""
    stems = set(ids)
    try:
        lines = [line for line in decode(read_bytes(path), path)[0].splitlines() if line.strip()]
        separator = next((mark for mark in ("\t", ";", ",") if lines and mark in lines[0]), ",")
        cells = [
            [cell.strip() for cell in row] for row in csv.reader(lines, delimiter=separator, skipinitialspace=True)
        ]
    except (DataError, csv.Error):
        return None
    if len(cells) < 2 or any(len(row) != len(cells[0]) for row in cells):
        return None
    names, body = cells[0], cells[1:]
    lowered = [name.lower() for name in names]
    numbered = _by_number(stems)
    for j in range(len(names)):
        own = {_stem(_key(row[j])).rpartition("/")[2] for row in body} & stems
        if 2 * len(own) >= max(len(stems), len(body)):
            break
        by_begin = [(stem, row) for stem in sorted(stems) for row in body if _begins_with(stem, row[j])]
        if 2 * len(by_begin) >= len(stems) >= len({stem for stem, _ in by_begin}) == len(by_begin):
            body = [[*row[:j], stem, *row[j + 1 :]] for stem, row in by_begin]
            break
        by_number = {row[j] for row in body if row[j].isdecimal() and int(row[j]) in numbered}
        if lowered[j] in _NUMBERED and len(by_number) == len(body) and 2 * len(by_number) >= len(stems):
            body = [[*row[:j], numbered[int(row[j])], *row[j + 1 :]] for row in body]
            break
    else:
        return None
    label = next((k for name in _LABEL_NAMES for k, other in enumerate(lowered) if other == name and k != j), None)
    group = next(
        (k for name in _GROUP_NAMES for k, other in enumerate(lowered) if other == name and k not in (j, label)), None
    )
    further = {names[k]: k for k in range(len(names)) if k not in (j, label, group) and names[k]}
    rows = tuple(
        LabelRow(
            line,
            ids.get(_stem(_key(row[j])).rpartition("/")[2], row[j]),
            UNLABELLED if label is None else row[label],
            None if group is None else row[group],
            {name: row[k] for name, k in further.items()},
        )
        for line, row in enumerate(body, start=2)
    )
    roles = [
        f"{what} from the column {names[k]!r}" for what, k in (("labels", label), ("groups", group)) if k is not None
    ]
    said = f"{path.name}: is about the recordings, by the column {names[j]!r}, and is no sequence"
    return Rows(rows, ("; ".join([said, *roles]),), path)


_ID = re.compile(rb"\bid\b", re.IGNORECASE)
_FIRST_BYTES = 4096


def _first_line(path: Path) -> bytes:
    """Return the first line of a file, or its first bytes; empty if it cannot be opened."""
    try:
        with path.open("rb") as stream:
            return stream.readline(_FIRST_BYTES)
    except OSError:
        return b""


def _begins_with(stem: str, name: str) -> bool:
    """Return whether the name of a file is a name and a mark such as ``_`` before more."""
    return len(name) > 1 and not name.isdecimal() and stem.startswith(name) and not stem[len(name) :][:1].isalnum()


def _by_number(stems: set[str]) -> dict[int, str]:
    """Return names of files by the number in each, if they differ by it alone; empty otherwise."""
    found = {stem: re.findall(r"\d+", stem) for stem in stems}
    if any(len(numbers) != 1 for numbers in found.values()) or len({re.sub(r"\d+", "", stem) for stem in stems}) > 1:
        return {}
    by_number = {int(numbers[0]): stem for stem, numbers in found.items()}
    return by_number if len(by_number) == len(stems) else {}


def attach_labels(
    sequences: SequenceSet,
    contents: Contents,
    labels: str | os.PathLike[str] | None,
    rows: Rows | None,
) -> SequenceSet:
    """Attach the labels of the `rows` of the labels file, or of the sub-folders; notes on them join those of the set."""
    if labels == "folders":
        tops = [name.partition("/")[0] if "/" in name else UNLABELLED for name in sequences.ids.tolist()]
        return replace(sequences, labels=np.array(tops, dtype=np.str_)) if any(tops) else sequences
    path = labels_path(contents.root, labels) if rows is None or rows.path is None else rows.path
    if rows is None or path is None:
        return sequences
    return _attach(sequences, rows, path, set(contents.names.values()))


def _read_labels(path: Path) -> Rows:
    text, encoding = decode(read_bytes(path), path)
    said = f"{path.name}: is not in UTF-8; was read as Windows-1252, so look at its accents"
    try:
        rows = _rows_of(text, path)
    except csv.Error as error:
        raise DataError(f"{path}: cannot be read ({error}); look for a quote that is not closed") from error
    if not rows:
        raise DataError(f"{path}: holds no row; write one for each sequence or remove the file")
    return Rows(tuple(rows), (said,) if encoding == "cp1252" else ())


def _rows_of(text: str, path: Path) -> list[LabelRow]:
    lines = list(io.StringIO(text, newline=""))
    head = next((i for i, line in enumerate(lines) if line.strip() and not SEP_LINE.fullmatch(line.strip())), None)
    if head is None:
        raise DataError(f"{path}: is empty; write the header id,label and one row for each sequence")
    separator = next((mark for mark in (",", ";", "\t", "|") if mark in lines[head]), ",")
    reader = csv.reader(lines[head:], delimiter=separator, skipinitialspace=separator != "\t", strict=True)
    names = [plain_text(cell).strip() for cell in next(reader)]
    header = [name.lower() for name in names]
    for column in ("id", "label", "group"):
        if header.count(column) != 1 and (column != "group" or header.count(column) > 1):
            start = lines[head].strip()[:60]
            raise DataError(f"{path}: its header is {start!r}, expected id,label or id,label,group")
    further = {name: k for k, name in enumerate(names) if name and header[k] not in ("id", "label", "group")}
    rows = []
    for cells in reader:
        line = head + reader.line_num
        if not any(cell.strip() for cell in cells):
            continue
        if len(cells) > len(header) and any(cell.strip() for cell in cells[len(header) :]):
            raise DataError(
                f"{path}: line {line} has {len(cells)} cells but the header has {len(header)};"
                " put cells that hold a separator in quotes"
            )
        cells = [unshielded(plain_text(cell)) for cell in cells] + [""] * (len(header) - len(cells))
        entry = cells[header.index("id")]
        if not entry:
            raise DataError(f"{path}: line {line} has no id; fill it in or remove the line")
        group = cells[header.index("group")] if "group" in header else None
        about = {name: cells[k] for name, k in further.items()}
        rows.append(LabelRow(line, entry, cells[header.index("label")], group, about))
    return rows


def _attach(sequences: SequenceSet, rows: Rows, path: Path, files: set[str]) -> SequenceSet:
    matched, said = _matches(sequences, rows, path, files)
    ids = [_key(entry) for entry in sequences.ids.tolist()]
    labels = np.full(len(ids), UNLABELLED, dtype=object)
    groups = np.full(len(ids), UNLABELLED, dtype=object)
    where: dict[int, int] = {}
    further: dict[str, dict[str, str]] = {}
    for (line, _, label, group, about), matches in zip(rows.rows, matched, strict=True):
        for i in matches:
            if i in where and (labels[i] != label or groups[i] != (group or UNLABELLED)):
                raise DataError(
                    f"{path}: lines {where[i]} and {line} contradict each other about {ids[i]!r}; remove one of them"
                )
            where[i] = line
            labels[i], groups[i] = label, group or UNLABELLED
            for column, cell in about.items():
                further.setdefault(column, {})[str(sequences.ids[i])] = cell
    has_groups = any(row.group and matches for row, matches in zip(rows.rows, matched, strict=True))
    notes = [*sequences.notes, *rows.notes, *said]
    notes += [f"{path.name}: {remark}" for remark in _remarks(labels[labels != UNLABELLED].tolist())]
    if sequences.labels is not None:
        notes.append(f"{path.name}: takes the place of the labels that the data themselves hold")
    labelled = int((labels != UNLABELLED).sum())
    if 0 < labelled < len(ids):
        notes.append(
            f"{path.name}: labels for {labelled} of {len(ids)} sequences; the others have the label {UNLABELLED!r}"
        )
    changes: dict[str, Any] = {"notes": tuple(notes)}
    if labelled:
        changes["labels"] = labels.astype(np.str_)
    if has_groups:
        changes["groups"] = groups.astype(np.str_)
    if further:
        changes["provenance"] = {**sequences.provenance, FURTHER_COLUMNS: further}
    return replace(sequences, **changes)


def _matches(sequences: SequenceSet, rows: Rows, path: Path, files: set[str]) -> tuple[list[list[int]], list[str]]:
    """Return positions of the sequences of each row, and notes on unmatched or similar ids.

    Raises
    ------
    DataError
        If an id may be that of two files, or none is that of a sequence.
    """
    ids = [_key(entry) for entry in sequences.ids.tolist()]
    exact = {entry: i for i, entry in enumerate(ids)}
    stems, loose = _by(_stem, ids), _by(_loose, ids)
    parts, sources = _parts(ids), _sources(ids, pieces_of(sequences.provenance))
    skipped = {_key(entry) for entry in files} | {_stem(_key(entry)) for entry in files}
    matched: list[list[int]] = []
    strange: list[str] = []
    guessed: list[str] = []
    for line, entry, *_ in rows.rows:
        key = _key(entry)
        matches = [exact[key]] if key in exact else stems.get(key, [])
        if len(matches) > 1:
            raise DataError(
                f"{path}: line {line}: {entry!r} may be {ids[matches[0]]!r} or {ids[matches[1]]!r}; write the extension"
            )
        if not matches and key not in skipped and len(loose.get(_loose(key), [])) == 1:
            matches = loose[_loose(key)]
            guessed.append(f"{entry} for {ids[matches[0]]}")
        matches = matches or parts.get(key, []) or sources.get(key, []) or sources.get(_stem(key), [])
        if not matches and key not in skipped:
            strange.append(entry)
        matched.append(matches)
    if not any(matched):
        raise DataError(
            f"{path}: none of its ids is that of a sequence, for example {strange[0] if strange else '?'!r} where an id"
            f" looks like {ids[0]!r}; write the path relative to the folder"
        )
    notes = []
    if strange:
        notes.append(f"{path.name}: {count(len(strange), 'id')} without a sequence: {listed(strange)}")
    if guessed:
        notes.append(
            f"{path.name}: took {count(len(guessed), 'id')} that differ in case, extension or zeros at the front:"
            f" {listed(guessed)}"
        )
    return matched, notes


def _remarks(labels: Sequence[str]) -> list[str]:
    """Return notes on suspicious non-blank labels."""
    if not labels:
        return ["holds no label, so there are no scores"]
    remarks = []
    spellings: dict[str, set[str]] = {}
    for label in labels:
        spellings.setdefault(" ".join(label.casefold().split()), set()).add(label)
    alike = [sorted(variants) for variants in spellings.values() if len(variants) > 1]
    if alike:
        examples = listed([" and ".join(map(repr, variants)) for variants in alike])
        remarks.append(f"labels that differ in case or blanks alone count as different: {examples}")
    if len(set(labels)) == 1:
        remarks.append(f"there is a single label, {labels[0]!r}, so scores say nothing")
    elif len(set(labels)) == len(labels) > 2:
        remarks.append("every label occurs once, so scores say nothing")
    return remarks


def _parts(ids: Sequence[str]) -> dict[str, list[int]]:
    """Return positions of the sequences of each multi-sequence file, by its name with and without extension."""
    positions: dict[str, list[int]] = {}
    for i, entry in enumerate(ids):
        file = entry.rpartition("/")[0]
        if file and _stem(file) != file:
            for name in (file, _stem(file)):
                positions.setdefault(name, []).append(i)
    return positions


def _sources(ids: Sequence[str], pieces: Mapping[str, Sequence[str]]) -> dict[str, list[int]]:
    """Return positions of the pieces of each source, by its name."""
    sources = {_key(entry): _key(about[0]) for entry, about in pieces.items()}
    positions: dict[str, list[int]] = {}
    for i, entry in enumerate(ids):
        if entry in sources:
            positions.setdefault(sources[entry], []).append(i)
    return positions


def _by(key: Callable[[str], str], ids: Sequence[str]) -> dict[str, list[int]]:
    positions: dict[str, list[int]] = {}
    for i, entry in enumerate(ids):
        positions.setdefault(key(entry), []).append(i)
    return positions


def _loose(key: str) -> str:
    """Return an id normalised for spreadsheets and file systems: case, extension, leading zeros."""
    return "/".join(part.lstrip("0") or "0" for part in _stem(key.casefold()).split("/"))


def _key(entry: str) -> str:
    key = unicodedata.normalize("NFC", entry).replace("\\", "/")
    while key.startswith("./"):
        key = key[2:]
    return key


def _stem(key: str) -> str:
    key = key.removesuffix(PACKED)
    base, dot, suffix = key.rpartition(".")
    return base if dot and f".{suffix.lower()}" in {*SUFFIXES, *BY_CONTENT} else key
