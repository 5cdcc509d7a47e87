"""Cached digests of file contents, so that unchanged files are not read again."""

from __future__ import annotations

import hashlib
import json
import stat
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from .errors import KinseqError
from .store import write_text

SETTLED_NS = 100_000_000
"""Time (nanoseconds) after a change of a file from which on further changes are visible in its times: file systems have
clock steps, and two writes within one step have the same time."""


def content_of(files: Iterable[Path], kept: Path) -> str:
    """Return a digest of the names and contents of files.

    It also changes when the date of a file goes back, as it does where another version is put in its place; a later date of the
    same content changes nothing.

    Parameters
    ----------
    files : iterable of Path
        Files that are absent, or no regular files, count as such.
    kept : Path
        JSON file with the digest of each file next to its size, its number and its times of change. A file of which these are the
        same is not opened. What cannot be kept is computed anew at the next call.

    Returns
    -------
    str
        16 hexadecimal digits.
    """
    before, now = _read(kept), {}
    whole = hashlib.blake2b(digest_size=8)
    for path in sorted(set(files), key=str):
        entry = _entry(path, before.get(str(path)))
        if entry["since"] is not None:
            now[str(path)] = entry
        whole.update(f"{path}\0{entry['content']}\0{entry['since']}\0".encode("utf-8", "surrogateescape"))
    if now != before:
        with suppress(KinseqError, UnicodeEncodeError):
            write_text(kept, json.dumps(now))
    return whole.hexdigest()


def _read(kept: Path) -> dict[str, Any]:
    try:
        found = json.loads(kept.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _entry(path: Path, before: Any) -> dict[str, Any]:
    """The digest of a file and its identity: inode times also change if a copy keeps the date of the file."""
    try:
        status = path.stat()
        known = [status.st_size, status.st_ino, status.st_mtime_ns, status.st_ctime_ns]
        if isinstance(before, dict) and before.get("known") == known:
            return before
        if not stat.S_ISREG(status.st_mode):
            return {"known": None, "content": "no regular file", "since": None}
        since = min(status.st_mtime_ns, before["since"] if isinstance(before, dict) else status.st_mtime_ns)
        with path.open("rb") as stream:
            content = hashlib.file_digest(stream, lambda: hashlib.blake2b(digest_size=16)).hexdigest()
    except OSError as error:
        return {"known": None, "content": str(error.strerror), "since": None}
    settled = time.time_ns() - status.st_ctime_ns > SETTLED_NS
    return {"known": known if settled else None, "content": content, "since": since}
