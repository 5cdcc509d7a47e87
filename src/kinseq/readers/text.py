"""Text of users' files: encoding, cells, and marks for missing numbers."""

from __future__ import annotations

import gzip
import re
import unicodedata
import zlib
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from ..core.errors import DataError

ERROR_CELLS = frozenset({"#N/A", "#NA", "#NULL!", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!"})
"""Error values of spreadsheets."""
MISSING_CELLS = ERROR_CELLS | {
    "",
    "?",
    "-",
    "--",
    "---",
    "NA",
    "N/A",
    "n/a",
    "na",
    "NaN",
    "nan",
    "NAN",
    "null",
    "NULL",
    "None",
    "none",
    "undefined",
    "--undefined--",
    "nan(ind)",
    "-nan(ind)",
    "1.#QNAN",
    "-1.#IND",
}
TRUTH = {"true": 1.0, "false": 0.0}
"""Words that stand for numbers."""
UTF_16 = (b"\xff\xfe", b"\xfe\xff")
"""Marks at the beginning of a file in UTF-16."""
COMMENTS = ("#", "%")
"""Prefixes of comments."""
DECIMAL_COMMA = re.compile(r"[+-]?(\d+,\d*|,\d+)([eE][+-]?\d+)?")
"""A number with a decimal comma."""


MINUS = "\u2212"
"""Typographic minus, which spreadsheets and statistics programs write."""
_BETWEEN_THOUSANDS = re.compile(r"(?<=\d)['\u2019\u00a0\u202f\u2009 ](?=\d{3}(?!\d))")
_GROUPED = re.compile(r"[+-]?\d{1,3}(?P<mark>['\u2019\u00a0\u202f\u2009 ])\d{3}((?P=mark)\d{3})*([.,]\d+)?")
"""A number with an apostrophe or a (no-break) space as thousands separator."""
THOUSANDS = {
    ".": re.compile(r"[+-]?[1-9]\d{0,2}(\.\d{3})+(,\d+)?"),
    ",": re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d+)?"),
}
"""Numbers with a point, or a comma, as thousands separator; a single one may be a decimal mark."""


_DATE = re.compile(
    r"\d{4}-\d\d-\d\d([T ]\d\d?:\d\d(:\d\d([.,]\d+)?)? ?(Z|UTC|[+-]\d\d(:?\d\d)?)?)?"
    r"|\d{8}T\d{4}(\d\d([.,]\d+)?)?(Z|[+-]\d\d(:?\d\d)?)?"
)
_TIME_OF_DAY = re.compile(r"\d{1,3}:\d\d(:\d\d([.,]\d+)?)?")


_DAY = re.compile(r"(\d{4}-\d\d-\d\d)([T ]00:00(:00([.,]0+)?)?)?")
_CLOCK = re.compile(r"([01]?\d|2[0-3]):[0-5]\d(:[0-5]\d([.,]\d+)?)?")


_MOMENT_LIKE = re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}\b|\d{1,3}:\d\d\b|\d{8}T\d{4}")


SEPARATORS = ',;| \t"\r\n'
"""Marks that fill up lines without cells."""
_HEADER_ENDS = re.compile(r"\**\s*end[ _]?(of[ _]?)?header\s*\**", re.IGNORECASE)
"""A line that says that the table begins below it, as LabVIEW and OpenSim write it."""
_MOST_HEADER, MOST_HEADER_TEXT = 400, 20_000
"""Lines and characters of a header, at most."""


def end_of_header(lines: Sequence[str]) -> int:
    """Return how many lines a header has whose end a line says; 0 where none does. Of several such lines, the last counts."""
    ends = [i for i, line in enumerate(lines[:_MOST_HEADER]) if _HEADER_ENDS.fullmatch(line.strip(SEPARATORS))]
    return ends[-1] + 1 if ends and ends[-1] + 1 < len(lines) else 0


def day_of(cell: str) -> str:
    """Return the date in a cell without a time of day; empty otherwise."""
    match = _DAY.fullmatch(cell)
    return "" if match is None else match[1]


def is_clock(cell: str) -> bool:
    """Return whether a cell is a time of day of 24 hours."""
    return _CLOCK.fullmatch(cell) is not None


def is_date(cell: str) -> bool:
    """Return whether a cell is an ISO 8601 date, possibly with a time of day."""
    return _DATE.fullmatch(cell) is not None


def is_moment_like(cell: str) -> bool:
    """Return whether a cell looks like a date or a time, supported or not."""
    return _MOMENT_LIKE.match(cell) is not None


def is_time_of_day(cell: str) -> bool:
    """Return whether a cell is a time of day, or a duration in hours, minutes and optionally seconds."""
    return _TIME_OF_DAY.fullmatch(cell) is not None


PACKED = ".gz"
"""Extension of gzip files."""


def unpacked(path: Path) -> Path:
    """Return the path of a file without the extension of gzip files."""
    return path.with_suffix("") if path.suffix.lower() == PACKED else path


def read_bytes(path: Path) -> bytes:
    """Return the content of a file, uncompressed if it is gzip; refuse a file that cannot be opened."""
    try:
        content = path.read_bytes()
        return gzip.decompress(content) if path.suffix.lower() == PACKED else content
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise DataError(f"{path}: cannot be unpacked ({error}); pack it again") from error
    except OSError as error:
        raise DataError(f"{path}: cannot be opened ({error.strerror or error}); check its permissions") from error
    except MemoryError as error:
        raise DataError(f"{path}: does not fit into the memory of this machine; cut it into parts") from error


def beginning_of(path: Path, size: int = 4096) -> bytes:
    """Return the first bytes of a file; none if it cannot be opened, which reading it reports later."""
    try:
        with path.open("rb") as stream:
            return stream.read(size)
    except OSError:
        return b""


def decode(content: bytes, path: Path) -> tuple[str, str]:
    """Return the text of `content` and its encoding: UTF-16 by its mark, UTF-8, or the older Windows one."""
    if content.startswith(UTF_16):
        text, encoding = content.decode("utf-16", errors="replace"), "utf-16"
    else:
        try:
            text, encoding = content.decode("utf-8-sig"), "utf-8-sig"
        except UnicodeDecodeError:
            text, encoding = content.decode("cp1252", errors="replace"), "cp1252"
    if "\n" in text:
        text = text.rstrip("\0")  # of a file whose last block was never written
    if "\0" in text:
        raise DataError(f"{path}: is no text table but holds binary data or UTF-16 without its mark; save it as UTF-8")
    return text, encoding


def marked(line: str) -> bool:
    """Return whether a line is a comment; errors of spreadsheets are not."""
    return line.startswith(COMMENTS) and not line.startswith(tuple(ERROR_CELLS))


def to_number(cell: str) -> float:
    """Return the number in a cell with a decimal point; :class:`ValueError` if there is none."""
    if "_" in cell:  # 1_000 is a number in Python only
        raise ValueError(f"could not convert string to float: {cell!r}")
    return float(cell)


def without_marks(cell: str) -> str:
    """Return a cell without apostrophes and blanks between thousands, and with a plain minus."""
    if cell.startswith(MINUS):
        cell = f"-{cell[1:]}"
    return _BETWEEN_THOUSANDS.sub("", cell) if _GROUPED.fullmatch(cell) else cell


def is_grouped(cell: str) -> bool:
    """Return whether points or commas in a cell must be thousands separators: there are two, or one of each."""
    return len(re.findall(r"[.,]", cell)) > 1 and any(form.fullmatch(cell) for form in THOUSANDS.values())


@lru_cache(maxsize=4096)
def is_number(cell: str) -> bool:
    """Return whether a cell holds a number, with any marks."""
    try:
        to_number(cell)
    except ValueError:
        plain = without_marks(cell)
        if plain != cell:
            return is_number(plain)
        return DECIMAL_COMMA.fullmatch(cell) is not None or is_grouped(cell)
    return True


def plain_text(entry: Any) -> str:
    """Return an id or label as text: 3 and 3.0 are equal, and surrounding blanks are ignored."""
    if isinstance(entry, bytes):
        entry = entry.decode("utf-8", "backslashreplace")
    if isinstance(entry, (float, np.floating)) and float(entry).is_integer():
        entry = int(entry)
    return unicodedata.normalize("NFC", str(entry)).strip()
