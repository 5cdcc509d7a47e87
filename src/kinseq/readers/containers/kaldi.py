"""Archives of Kaldi: one matrix per utterance, as text or binary."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from ...core.arrays import FloatArray
from ...core.errors import DataError
from ...core.wording import count
from ..npy import stacked
from ..reading import Reading
from ..table import Table, selected
from ..text import beginning_of, decode, read_bytes
from .container import Container

_TEXT = re.compile(rb"\s*\S+[ \t]+\[[ \t]*(\r?\n|[-+0-9.])")
_BINARY = re.compile(rb"(\S+) \0B([FD]M|CM[23]?|[FD]V) ")
_ENTRY = re.compile(r"(\S+)[ \t]+\[([^\]]*)\]")


def begins(path: Path) -> bool:
    """Return whether a file begins with the name of an utterance and a matrix."""
    start = beginning_of(path)
    return _TEXT.match(start) is not None or _BINARY.match(start) is not None


def read_kaldi(path: Path, how: Reading) -> Table:
    """Return the matrices of an archive, with the names of the utterances as ids.

    Raises
    ------
    DataError
        If it breaks off, a matrix is compressed, or matrices have different numbers of columns.
    """
    content = read_bytes(path)
    found = _of_binary(content, path) if _BINARY.match(content) else _of_text(decode(content, path)[0], path)
    widths = {values.shape[1] for _, values in found}
    if len(widths) > 1:
        raise DataError(f"{path}: its utterances have {min(widths)} to {max(widths)} columns; write those of one kind")
    ids = [name for name, _ in found]
    double = next((name for name in ids if ids.count(name) > 1), None) if len(set(ids)) < len(ids) else None
    if double is not None:
        raise DataError(f"{path}: the utterance {double!r} occurs twice; give each a name of its own")
    table = stacked([values for _, values in found], ids, tuple(str(j + 1) for j in range(widths.pop())), path)
    table.said = f"{CONTAINER.name}: read {count(len(found), 'utterance')}, a sequence each"
    return selected(table, how, path)


def _of_text(text: str, path: Path) -> list[tuple[str, FloatArray]]:
    found, end = [], 0
    for entry in _ENTRY.finditer(text):
        if text[end : entry.start()].strip():
            break
        rows = [line.split() for line in entry[2].splitlines() if line.strip()]
        try:
            found.append((entry[1], np.array(rows, dtype=np.float64).reshape(len(rows), -1)))
        except ValueError as error:
            raise DataError(
                f"{path}: the utterance {entry[1]!r} has rows of different lengths, or what is no number; write it again"
            ) from error
        end = entry.end()
    if not found or text[end:].strip():
        line = text[:end].count("\n") + 1
        raise DataError(f"{path}: line {line} and below hold no whole matrix; write the archive again")
    return found


def _of_binary(content: bytes, path: Path) -> list[tuple[str, FloatArray]]:
    found, place = [], 0
    while place < len(content):
        match = _BINARY.match(content, place)
        if match is None or match[2] not in (b"FM", b"DM"):
            what = "holds compressed matrices or vectors" if match else "breaks off"
            raise DataError(
                f"{path}: {what} at byte {place}; copy the features as text (copy-feats ark:{path.name} ark,t:features.txt)"
            )
        kind = np.dtype("<f4" if match[2] == b"FM" else "<f8")
        sizes = content[match.end() : match.end() + 10]
        rows, columns = int.from_bytes(sizes[1:5], "little"), int.from_bytes(sizes[6:10], "little")
        begin = match.end() + 10
        place = begin + rows * columns * kind.itemsize
        if place > len(content) or not rows or not columns:
            raise DataError(f"{path}: breaks off at byte {begin}; write the archive again")
        values = np.frombuffer(content[begin:place], dtype=kind).astype(np.float64).reshape(rows, columns)
        found.append((match[1].decode("utf-8", errors="replace"), values))
    return found


CONTAINER = Container("Kaldi", (".ark",), read_kaldi, begins, shared=(".txt",))
