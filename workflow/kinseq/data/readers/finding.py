"""What a folder holds: which files are sequences, of which kind, and which are left out."""

from __future__ import annotations

import os
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ...errors import DataError, ParameterError
from ...features.audio import AUDIO_SUFFIXES, FOREIGN_SUFFIXES
from .wording import count, listed

Kind = Literal["audio", "table", "npz", "ts", "parquet"]

SUFFIXES: dict[str, Kind] = {
    **dict.fromkeys(AUDIO_SUFFIXES | FOREIGN_SUFFIXES, "audio"),
    ".csv": "table",
    ".tsv": "table",
    ".npy": "table",
    ".npz": "npz",
    ".ts": "ts",
    ".parquet": "parquet",
    ".pq": "parquet",
}
_PLURAL = {
    "audio": "audio files",
    "table": "CSV, TSV or NPY files",
    "npz": "NPZ files",
    "ts": "TS files",
    "parquet": "Parquet files",
}
_SUPPORTED = "audio (WAV, FLAC, OGG, MP3), CSV, TSV, NPY, NPZ, TS and Parquet files"
LABELS_FILE = "labels.csv"
# Files and folders that operating systems leave behind.
_CLUTTER = frozenset({"thumbs.db", "desktop.ini", "__macosx"})


@dataclass(frozen=True)
class Found:
    """Files to read, all of one kind, with the path of each relative to the folder."""

    root: Path
    kind: Kind
    files: list[Path]
    names: dict[Path, str]


def find(root: Path, labels: str | os.PathLike[str] | None, kind: Kind | None, notes: list[str]) -> Found:
    """Files of one kind in a folder, or the one file that was given; what is left out joins the notes.

    Raises
    ------
    DataError
        If there is nothing that can be read, or kinds are mixed.
    """
    if root.is_file():
        own = SUFFIXES.get(root.suffix.lower())
        if own is None:
            raise DataError(f"{root}: is no kind of file that can be read; {_SUPPORTED} can, or a folder of them")
        if own == "audio" or root.suffix.lower() == ".npy":
            raise DataError(f"{root}: is a single sequence; give the folder that holds it together with others")
        if kind is not None and kind != own:
            raise ParameterError(f"kind is {kind!r} but {root} is of kind {own!r}; leave kind out")
        return Found(root.parent, own, [root], {root: root.name})
    given = None if labels in (None, "folders") else root / Path(str(labels))
    by_kind: dict[Kind, list[Path]] = {}
    names: dict[Path, str] = {}
    other: list[str] = []
    for file in _walk(root):
        relative = unicodedata.normalize("NFC", file.relative_to(root).as_posix())
        if file.name.lower() == LABELS_FILE or (given is not None and file == given):
            if file.parent != root and file != given:
                other.append(relative)
            continue
        own = SUFFIXES.get(file.suffix.lower())
        if own is None:
            other.append(relative)
            continue
        names[file] = relative
        by_kind.setdefault(own, []).append(file)
    if other:
        notes.append(f"ignored {count(len(other), 'file')} of kinds that are not read: {listed(other)}")
    if kind is not None:
        if kind not in by_kind:
            raise DataError(f"{root}: holds no {_PLURAL[kind]}; give another folder or leave kind out")
        left = [names[file] for own, files in by_kind.items() if own != kind for file in files]
        if left:
            notes.append(f"ignored {count(len(left), 'file')} of other kinds: {listed(left)}")
        by_kind = {kind: by_kind[kind]}
    if not by_kind:
        raise DataError(f"{root}: holds nothing that can be read; put {_SUPPORTED} there")
    if len(by_kind) > 1:
        parts = [f"{_files(own, len(files))} (such as {names[files[0]]})" for own, files in sorted(by_kind.items())]
        raise DataError(
            f"{root}: holds {' and '.join(parts)}; kinds cannot be mixed, so move one of them elsewhere or pass"
            f" {' or '.join(f'kind={own!r}' for own in sorted(by_kind))}"
        )
    ((own, files),) = by_kind.items()
    if own in ("npz", "ts", "parquet") and len(files) > 1:
        raise DataError(
            f"{root}: holds {len(files)} {_PLURAL[own]} ({listed([names[file] for file in files])}), each a set of"
            " its own; name the one to read"
        )
    return Found(root, own, files, names)


def _files(kind: Kind, number: int) -> str:
    return f"{number} {_PLURAL[kind] if number != 1 else _PLURAL[kind].removesuffix('s')}"


def _walk(root: Path) -> list[Path]:
    """Every file below `root`, hidden ones and clutter of file managers left out, sorted by relative path."""
    files: list[Path] = []
    seen: set[str] = set()

    def refuse(error: OSError) -> None:
        raise DataError(
            f"{error.filename}: cannot be listed ({error.strerror}); check the permissions of the folder"
        ) from error

    for folder, inner, entries in os.walk(root, followlinks=True, onerror=refuse):
        real = os.path.realpath(folder)
        if real in seen:  # a link that leads back
            inner.clear()
            continue
        seen.add(real)
        inner[:] = [entry for entry in inner if not _is_clutter(entry)]
        files += [Path(folder) / entry for entry in entries if not _is_clutter(entry)]
    return sorted(files, key=lambda file: file.relative_to(root).as_posix())


def _is_clutter(entry: str) -> bool:
    return entry.startswith((".", "~$")) or entry.lower() in _CLUTTER
