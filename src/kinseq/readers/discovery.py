"""Files of a folder: sequences, their kind, and omitted files."""

from __future__ import annotations

import os
import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from ..core.errors import DataError, ParameterError, printable
from ..core.folders import LABEL_PLACES, LABELS_FILE, Kind, Listing, RealPaths, is_special, walk
from ..core.shard import Part
from ..core.store import PathLike
from ..core.wording import as_typed, count, listed
from ..features.audio import AUDIO_SUFFIXES, FOREIGN_SUFFIXES
from .containers import CONTAINERS
from .npy import read_npy
from .text import PACKED, end_of_header, is_moment_like, is_number, unpacked
from .ts import begins_as_ts

WORKBOOK = ".xlsx"
"""Extension of workbooks, which are tables if there is nothing else: next to other data they are notes."""
SUFFIXES: dict[str, Kind] = {
    **dict.fromkeys(AUDIO_SUFFIXES | FOREIGN_SUFFIXES, "audio"),
    ".csv": "table",
    ".tsv": "table",
    ".npy": "table",
    WORKBOOK: "table",
    ".edf": "table",
    ".hea": "table",
    ".npz": "npz",
    ".ts": "ts",
    ".parquet": "parquet",
    ".pq": "parquet",
    **dict.fromkeys((ending for container in CONTAINERS for ending in container.endings), "table"),
}
_NEVER_TABLES = frozenset(
    f".{ending}"
    for endings in (
        "md rst tex pdf html htm xml css svg doc docx odt rtf ppt pptx",
        "py ipynb r m c h cpp js sh yaml yml toml ini cfg",
    )
    for ending in endings.split()
)
"""Extensions of text or code files whose lines hold numbers."""
BY_CONTENT = (".txt", ".dat", ".asc", ".data", ".tra", ".train", ".test", ".tab", ".prn", "")
"""Usual extensions of files that are tables if their content is one, and there is nothing else; others may be, see
`_NEVER_TABLES`."""
_IF_NOTHING_ELSE = frozenset({WORKBOOK, *(ending for container in CONTAINERS for ending in container.endings)})
"""Extensions of tables that are read only if there are no others: next to those they may be settings or results."""
_PARTS = {".hea": (".dat",), ".vhdr": (".eeg", ".vmrk"), ".set": (".fdt",)}
"""Extensions of files that belong to others, by the extensions of these."""
BY_THEMSELVES = (".npy", ".edf", ".hea")
"""Extensions of tables with one sequence each, also if there is only one."""
_PLURAL = {
    "audio": "audio files",
    "table": "CSV, TSV or NPY files",
    "npz": "NPZ files",
    "ts": "TS files",
    "parquet": "Parquet files",
}
_SUPPORTED = (
    "audio (WAV, FLAC, OGG, MP3), CSV, TSV, NPY, NPZ, TS, Parquet,"
    f" {', '.join(container.name for container in CONTAINERS)}, Excel, EDF and WFDB files"
)


def kind_of(path: Path) -> Kind | None:
    """Return the kind of a file by its extension; None if it is not read."""
    suffix = path.suffix.lower()
    if suffix != PACKED:
        return SUFFIXES.get(suffix)
    inner = ending_of(path)
    return "table" if inner in BY_CONTENT[:-1] or SUFFIXES.get(inner) == "table" else None


def ending_of(path: Path) -> str:
    """Return the extension of a file in small letters, of a gzip file that of its content."""
    suffix = path.suffix.lower()
    return suffix if suffix != PACKED else unpacked(path).suffix.lower()


def files_of_containers(files: Sequence[Path]) -> list[Path]:
    """Return the files of all kinds of :data:`CONTAINERS`."""
    able = [file for file in files if ending_of(file) in _IF_NOTHING_ELSE]
    return [file for file in able if any(container.matches(file) for container in CONTAINERS)]


def _own_kind(path: Path) -> Kind | None:
    """Return the kind of a file by its extension, unless it is one that other files have too and the file does not begin so."""
    own = kind_of(path)
    return None if own == "ts" and not begins_as_ts(path) else own


_SNIFFED = 4096
_FEW_LINES, _SNIFFED_MORE = 4, 1 << 16


def may_hold_table(path: Path) -> bool:
    """Return whether the extension of a file allows a table."""
    return path.suffix.lower() not in _NEVER_TABLES


def holds_table(path: Path) -> bool:
    """Return whether a file of any name holds rows of numbers: most of its first lines have the same number of cells."""
    try:
        with path.open("rb") as stream:
            start = stream.read(_SNIFFED)
            if start.count(b"\n") < _FEW_LINES:
                start += stream.read(_SNIFFED_MORE)
    except OSError:
        return False
    start = start.rstrip(b"\0")
    if not start or b"\0" in start:
        return False
    lines = start.decode("utf-8", errors="replace").splitlines()
    lines = lines[:-1] if len(start) in (_SNIFFED, _SNIFFED + _SNIFFED_MORE) else lines
    lines = lines[end_of_header(lines) :]
    rows = [[cell for cell in re.split(r"[\s,;|]+", line.strip()) if cell] for line in lines if line.strip()]
    numeric = [
        len(row) for row in rows if row and 2 * sum(is_number(cell) or is_moment_like(cell) for cell in row) >= len(row)
    ]
    usual = max(map(numeric.count, numeric), default=0)
    if usual > 1 and 2 * usual > len(rows):
        return True
    of_file = (one for one in CONTAINERS if path.suffix.lower() in one.shared and one.begins is not None)
    return any(container.begins(path) for container in of_file if container.begins is not None)


@dataclass(frozen=True)
class Contents:
    """Files to read, all of one kind, with the path of each relative to the folder.

    Where only a part of them is read, `n_files` is how many there are. `notes` say which others there are.
    """

    root: Path
    kind: Kind
    files: list[Path]
    names: dict[Path, str]
    n_files: int | None = None
    notes: tuple[str, ...] = ()

    @property
    def one_each(self) -> bool:
        """Whether every file is one sequence. A single CSV or TSV must be a table of many."""
        alone = (self.n_files or len(self.files)) == 1 and self.files[0].suffix.lower() not in BY_THEMSELVES
        return self.kind == "audio" or (self.kind == "table" and not alone)

    def part(self, part: Part) -> Contents:
        """A subset of files with one sequence each."""
        return replace(self, files=self.files[part.of(len(self.files), "file")], n_files=len(self.files))


def root_of(path: PathLike) -> Path:
    """Return the folder or file that a user gave.

    Raises
    ------
    ParameterError
        If `path` is no path at all or blank: a blank one would stand for the current folder.
    DataError
        If there is no such file or folder, or it is a pipe, a socket or a device.
    """
    if not isinstance(path, (str, os.PathLike)):
        raise ParameterError(f"path is {path!r:.80}, expected the path of a folder or a file")
    if not os.fspath(path).strip():
        raise ParameterError("the path is empty; give a folder or a file ('.' for the current folder)")
    root = Path(path)
    try:
        exists = root.exists()
    except (OSError, ValueError) as error:  # too long, closed, or with a null byte
        raise DataError(f"{path!r:.80}: is not a valid path ({error}); check it") from error
    if not exists:
        raise DataError(f"{root}: no such file or folder; check the path")
    if is_special(root):
        raise DataError(f"{root}: is a pipe, a socket or a device; give a folder or a file")
    return root


def labels_path(root: Path, labels: str | os.PathLike[str] | None) -> Path | None:
    """Return the path of the labels file, existing or not; None if labels come from elsewhere. Resolves a leading ``~``.

    Raises
    ------
    ParameterError
        If `labels` is blank or no path.
    """
    if labels is None or (isinstance(labels, str) and labels == "folders") or label_column(root, labels) is not None:
        return None
    if not isinstance(labels, (str, os.PathLike)) or not _can_be_path(os.fspath(labels)):
        raise ParameterError(f"labels is {labels!r:.80}, expected the name of a labels file, 'folders' or None")
    given = Path(labels)
    with suppress(RuntimeError):  # ~ of an unknown user is an ordinary name
        given = given.expanduser()
    return (root if root.is_dir() else root.parent) / given


def label_column(root: Path, labels: str | os.PathLike[str] | None) -> str | None:
    """Return the label column of a table, or its position, if no labels file is named; otherwise None.

    Raises
    ------
    ParameterError
        If a file is called like a place.
    """
    if not isinstance(labels, str) or labels in ("folders", LABELS_FILE) or not _can_be_path(labels):
        return None
    if any(mark in labels for mark in "/\\.") or root.suffix.lower() in (".npz", ".ts"):
        return None
    is_file = ((root if root.is_dir() else root.parent) / labels).exists()
    if labels in LABEL_PLACES:
        if is_file:
            raise ParameterError(
                f"labels is {labels!r}, which is a file there and a place of a column; write ./{labels} for the file, or rename it"
            )
        return labels
    if is_file:
        return None
    of_tables = root.is_file() and kind_of(root) in ("table", "parquet", None)
    if root.is_dir():
        of_tables = any(kind_of(path) in ("table", "parquet") for path in root.rglob("*") if path.is_file())
    return labels if of_tables else None


def _can_be_path(text: str) -> bool:
    try:
        return bool(text.strip()) and b"\0" not in os.fsencode(text)
    except UnicodeEncodeError:
        return False


def find(
    root: Path,
    labels: str | os.PathLike[str] | None,
    kind: Kind | None,
    alone: bool = False,
    listing: Listing | None = None,
    apart: frozenset[Path] = frozenset(),
) -> Contents:
    """Return files of one kind in a folder, or the given file; notes list omissions.

    A file that holds a single sequence has to be in a folder, unless it may stand `alone`. A `listing` of the folder is
    made if none is given. Files that were read otherwise are set `apart`.

    Raises
    ------
    DataError
        If there is nothing that can be read, or kinds are mixed.
    """
    if root.is_file():
        return _one_file(root, kind, alone)
    listing = walk(root) if listing is None else listing
    found = _sorted(root, labels, [file for file in listing.files if file not in apart])
    by_kind, names, notes = found.by_kind, found.names, found.notes + _of_no_kind(root, found.other, listing)
    if kind is not None:
        if kind not in by_kind:
            raise DataError(f"{root}: holds no {_PLURAL[kind]}; give another folder or leave kind out")
        others = [names[file] for own, files in by_kind.items() if own != kind for file in files]
        if others:
            notes += (f"ignored {count(len(others), 'file')} of other kinds: {listed(others)}",)
        by_kind = {kind: by_kind[kind]}
    own = _the_kind(root, by_kind, names)
    return Contents(root, own, by_kind[own], names, notes=notes)


def _one_file(root: Path, kind: Kind | None, alone: bool) -> Contents:
    """Return a given file."""
    own = _own_kind(root)
    if own is None and may_hold_table(root) and holds_table(root):
        own = "table"
    if own is None:
        raise DataError(f"{root}: is no kind of file that can be read; {_SUPPORTED} can, or a folder of them")
    many = root.suffix.lower() == ".npy" and read_npy(root).id is not None
    if not alone and not many and (own == "audio" or root.suffix.lower() in BY_THEMSELVES):
        cut = f", or cut it into segments ({as_typed('segments')})" if own == "audio" else ""
        raise DataError(f"{root}: is a single sequence; give the folder that holds it together with others{cut}")
    if kind is not None and kind != own:
        raise ParameterError(f"kind is {kind!r} but {root} is of kind {own!r}; leave kind out")
    return Contents(root.parent, own, [root], {root: _path_as_id(Path(root.name))})


@dataclass(frozen=True)
class _Sorted:
    """Files by kind, with relative paths, and files of no kind, sorted."""

    by_kind: dict[Kind, list[Path]]
    names: dict[Path, str]
    other: list[str]
    notes: tuple[str, ...]


def _sorted(root: Path, labels: str | os.PathLike[str] | None, files: Sequence[Path]) -> _Sorted:
    """Return the files of a folder by kind, without the labels file."""
    labels_file, places = labels_path(root, labels), RealPaths()
    # However its path is written.
    labelling = None if labels_file is None else places.real(labels_file)
    by_kind: dict[Kind, list[Path]] = {}
    names: dict[Path, str] = {}
    other: list[str] = []
    unsaid: list[tuple[Path, str]] = []
    notes: tuple[str, ...] = ()
    begins = len(str(root / "_")) - 1
    for file in files:
        relative, name = _as_id(str(file)[begins:]), file.name.lower()
        is_given = labelling is not None and places.real(file) == labelling
        own = _own_kind(file)
        if name == LABELS_FILE or is_given:
            if file.parent != root and not is_given:
                other.append(relative)
        elif own is not None and ending_of(file) not in _IF_NOTHING_ELSE:
            names[file] = relative
            by_kind.setdefault(own, []).append(file)
        elif own is not None or may_hold_table(file):
            unsaid.append((file, relative))
        else:
            other.append(relative)
    # Next to files with telling names, other files are notes.
    tables = (
        []
        if by_kind
        else _of_container(unsaid)
        or [
            entry
            for entry in unsaid
            if entry[0].suffix.lower() == WORKBOOK or (_own_kind(entry[0]) is None and holds_table(entry[0]))
        ]
    )
    if tables:
        by_kind["table"] = [file for file, _ in tables]
        names.update(tables)
        nameless = sum(ending_of(file) not in _IF_NOTHING_ELSE for file, _ in tables)
        if nameless:
            notes = (f"read {count(nameless, 'file')} as tables, judged by their content",)
    held = {
        (file.with_suffix(""), ending)
        for kept in by_kind.values()
        for file in kept
        for ending in _PARTS.get(file.suffix.lower(), ())
    }
    other += [
        relative
        for file, relative in unsaid
        if file not in names and (file.with_suffix(""), file.suffix.lower()) not in held
    ]
    for kept in by_kind.values():
        kept.sort(key=names.__getitem__)  # some systems compose accents, others decompose them
    return _Sorted(by_kind, names, sorted(other), notes)


def _of_container(files: Sequence[tuple[Path, str]]) -> list[tuple[Path, str]]:
    """Return the files of the first kind of :data:`CONTAINERS` that has any."""
    kinds = ([entry for entry in files if container.matches(entry[0])] for container in CONTAINERS)
    return next((entries for entries in kinds if entries), [])


def _of_no_kind(root: Path, other: Sequence[str], listing: Listing) -> tuple[str, ...]:
    """Return notes on files in a folder that are not read."""
    notes = []
    if other:
        endings = Counter(Path(relative).suffix.lower() or "without an ending" for relative in other).most_common()
        kinds = ", ".join(f"{number} {ending}" for ending, number in endings)
        notes.append(
            f"ignored {count(len(other), 'file')} of kinds that are not read: {listed(other)}"
            + (f" ({kinds})" if len(other) > len(other[:5]) else "")
        )
    for entries, what in (
        (listing.special, "neither a file nor a folder"),
        (listing.repeated, "a link to a folder that is read already"),
    ):
        if entries:
            names_of = listed([_path_as_id(entry.relative_to(root)) for entry in entries])
            notes.append(f"ignored what is {what}: {names_of}")
    return tuple(notes)


def _the_kind(root: Path, by_kind: Mapping[Kind, Sequence[Path]], names: Mapping[Path, str]) -> Kind:
    """Return the only remaining kind of files; :class:`DataError` for none or several."""
    if not by_kind:
        raise DataError(f"{root}: holds nothing that can be read; put {_SUPPORTED} there")
    if len(by_kind) > 1:
        parts = [f"{_files(own, len(files))} (such as {names[files[0]]})" for own, files in sorted(by_kind.items())]
        cut = (
            f"; {as_typed('segments', 'beside')} cuts recordings by tables"
            if {"audio", "table"} <= set(by_kind)
            else ""
        )
        raise DataError(
            f"{root}: holds {' and '.join(parts)}; kinds cannot be mixed, so move one of them elsewhere or pass"
            f" {' or '.join(as_typed('kind', own) for own in sorted(by_kind))}{cut}"
        )
    ((own, files),) = by_kind.items()
    if own in ("npz", "ts", "parquet") and len(files) > 1:
        raise DataError(
            f"{root}: holds {len(files)} {_PLURAL[own]} ({listed([names[file] for file in files])}), each a set of"
            " its own; name the one to read"
        )
    return own


def _files(kind: Kind, number: int) -> str:
    return f"{number} {_PLURAL[kind] if number != 1 else _PLURAL[kind].removesuffix('s')}"


def _path_as_id(path: Path) -> str:
    """Return a relative path as an id."""
    return _as_id(path.as_posix())


def _as_id(relative: str) -> str:
    return relative if relative.isascii() else unicodedata.normalize("NFC", printable(relative))
