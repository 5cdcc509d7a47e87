"""Text of users' files: its encoding, its cells, and what in a cell stands for no number."""

from __future__ import annotations

import csv
import unicodedata
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import DataError

MISSING_CELLS = ["", "?", "NA", "N/A", "n/a", "na", "NaN", "nan", "NAN", "null", "NULL", "None", "none"]


def read_bytes(path: Path, size: int = -1) -> bytes:
    """The first `size` bytes of a file, all by default; one that cannot be opened is refused."""
    try:
        with path.open("rb") as stream:
            return stream.read(size)
    except OSError as error:
        raise DataError(f"{path}: cannot be opened ({error.strerror or error}); check its permissions") from error


def decode(content: bytes, path: Path) -> tuple[str, str]:
    """Text of `content` and its encoding: UTF-16 by its mark, UTF-8, or else that of older Windows programs."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", errors="replace"), "utf-16"
    if b"\0" in content:
        raise DataError(f"{path}: is no text table but holds binary data; save it as CSV")
    try:
        return content.decode("utf-8-sig"), "utf-8-sig"
    except UnicodeDecodeError as error:
        if error.start >= len(content) - 4:  # a character cut in two by reading only the head of the file
            return content[: error.start].decode("utf-8-sig"), "utf-8-sig"
        return content.decode("cp1252", errors="replace"), "cp1252"


def cells_of(line: str, separator: str) -> list[str]:
    r"""Cells of one line, blanks around them removed; the separator ``\s+`` stands for any blanks."""
    if separator == r"\s+":
        return line.split()
    return [cell.strip() for cell in next(csv.reader([line], delimiter=separator), [])]


def plain_text(entry: Any) -> str:
    """An id or label as text: 3 and 3.0 are the same, blanks around it do not count."""
    if isinstance(entry, (float, np.floating)) and float(entry).is_integer():
        entry = int(entry)
    return unicodedata.normalize("NFC", str(entry)).strip()
