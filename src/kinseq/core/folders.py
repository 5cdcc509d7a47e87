"""Folders of user data: all files below them, and a digest that changes with any file."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from .errors import DataError

Kind = Literal["audio", "table", "npz", "ts", "parquet"]
"""Kinds of input files."""
Missing = Literal["refuse", "interpolate", "cut"]
"""Treatment of missing numbers."""
Band = Literal["all", "selection"]
"""Frequency range of a segment that is kept."""
DateOrder = Literal["day_first", "month_first"]
"""Order of day and month in dates such as 5/6/2024."""
Rows = Literal["frames", "series", "moments"]
"""Meaning of the rows of a table."""
Animals = Literal["sequences", "columns"]
"""Meaning of several animals in one table of poses."""
Annotations = Literal["labels", "segments"]
"""Use of annotations of physiological recordings."""
LABELS_FILE = "labels.csv"
FURTHER_COLUMNS = "about"
"""Provenance key of further columns of a labels file: by name, the value for each id."""
"""Where labels stand next to users' files unless another file is named."""
LABEL_PLACES = ("first", "last", "none")
"""Column of a table of series that holds its labels."""
UNLABELLED = ""
"""Label (and group) of a sequence without one, if others have one."""

# Files and folders left by operating systems
_CLUTTER = frozenset({"thumbs.db", "desktop.ini", "__macosx"})


@dataclass
class Listing:
    """List the files below a folder; follow links, skip hidden entries and clutter of file managers.

    Attributes
    ----------
    files : list of Path
        Regular files and links that lead nowhere, sorted by path.
    special : list of Path
        Pipes, sockets and devices, which must not be opened: some never end, others never begin.
    repeated : list of Path
        Links to folders that are listed already under another name, links that lead back among them.
    """

    files: list[Path] = field(default_factory=list)
    special: list[Path] = field(default_factory=list)
    repeated: list[Path] = field(default_factory=list)


def walk(root: Path) -> Listing:
    """List everything below a folder, each folder once, in an order independent of the operating system.

    A folder that can be reached both directly and by a link is listed under its own name; one that cannot be listed is
    a DataError.
    """
    listing = Listing()
    real_paths: set[str] = set()
    waiting = [root]
    while waiting:
        links: list[Path] = []
        for start in waiting:
            if os.path.realpath(start) in real_paths:
                listing.repeated.append(start)
                continue
            links += _walk_without_links(start, real_paths, listing)
        waiting = sorted(links)
    for entries in (listing.files, listing.special, listing.repeated):
        entries.sort(key=str)  # the root is a common prefix, so it does not affect the order
    return listing


def _walk_without_links(start: Path, real_paths: set[str], listing: Listing) -> list[Path]:
    """Add the entries below `start` to `listing`; return the links to folders for later."""

    def refuse(error: OSError) -> None:
        raise DataError(
            f"{error.filename}: cannot be listed ({error.strerror}); check the permissions of the folder"
        ) from error

    links: list[Path] = []
    for folder, inner, entries in os.walk(start, onerror=refuse):
        real = os.path.realpath(folder)
        if real in real_paths:
            inner.clear()
            continue
        real_paths.add(real)
        inner[:] = sorted(entry for entry in inner if not is_clutter(entry))
        links += [path for path in (Path(folder, entry) for entry in inner) if path.is_symlink()]
        for entry in entries:
            if not is_clutter(entry):
                path = Path(folder, entry)
                (listing.special if is_special(path) else listing.files).append(path)
    return links


def is_special(path: Path) -> bool:
    """Return whether a path leads to a pipe, a socket or a device."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return False  # dangling, or in a closed folder: opening it later reports the error
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


class RealPaths:
    """Real paths of files with resolved links, examining each folder once, since there may be very many files."""

    def __init__(self) -> None:
        self._folders: dict[str, str] = {}

    def real(self, path: Path) -> str:
        """Equivalent of :func:`os.path.realpath`."""
        folder, name = os.path.split(path)
        if name in ("", ".", "..") or path.is_symlink():
            return os.path.realpath(path)
        if folder not in self._folders:
            self._folders[folder] = os.path.realpath(folder).rstrip(os.sep) + os.sep
        return self._folders[folder] + name


def stamp_of(files: Iterable[Path]) -> str:
    """Digest (16 hexadecimal digits) of the names, real places, sizes and times of files; absent ones count as absent.

    Contents are not read: recordings are large, and every start of a workflow asks.
    """
    digest, places = hashlib.blake2b(digest_size=8), RealPaths()
    for path in sorted(set(files), key=str):
        digest.update(f"{path}\0{places.real(path)}\0".encode("utf-8", "surrogateescape"))
        try:
            status = path.stat()
        except OSError:
            digest.update(b"absent\0")
        else:
            digest.update(f"{status.st_size}\0{status.st_mtime_ns}\0".encode())
    return digest.hexdigest()


def is_clutter(entry: str) -> bool:
    """Return whether a name is hidden, or one that file managers leave behind."""
    return entry.startswith((".", "~$")) or entry.lower() in _CLUTTER
