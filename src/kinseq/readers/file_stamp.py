"""Dependencies of a reading: a stamp that changes with any file, and the amount of data."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from ..core.digests import content_of
from ..core.errors import KinseqError
from ..core.folders import LABELS_FILE, Kind, Listing, stamp_of, walk
from ..core.store import PathLike
from .discovery import find, labels_path, root_of
from .segments.segmentation import AUTO, BESIDE, segment_table


@dataclass(frozen=True)
class Extent:
    """Files to read.

    Attributes
    ----------
    stamp : str
        Of all that is read, see :func:`stamp`.
    files, bytes : int
        Files that hold sequences; 0 of data that are refused.
    one_each : bool
        Whether each file is a sequence.
    """

    stamp: str
    files: int = 0
    bytes: int = 0
    one_each: bool = False


def files_read(
    path: PathLike,
    labels: str | os.PathLike[str] | None = LABELS_FILE,
    listing: Listing | None = None,
    segments: PathLike | None = None,
) -> list[Path]:
    """Return every file that :func:`kinseq.read` reads or mentions in its notes.

    Parameters
    ----------
    path : path-like
        Folder or file, as given to the reader.
    labels : str, path-like or None
        As given to the reader. The file is listed even if it is absent, since it may appear.
    listing : Listing, optional
        What is below the folder; made if not given.
    segments : str or path-like, optional
        As given to the reader: a table may lie elsewhere.

    Returns
    -------
    list of Path
        Sorted; links are followed, and links that lead back are survived.

    Raises
    ------
    DataError
        If `path` does not exist or a folder cannot be listed.
    """
    root = root_of(path)
    if listing is None and root.is_dir():
        listing = walk(root)
    files = {root} if listing is None else {*listing.files, *listing.special}
    labels_file = labels_path(root, labels)
    tables = (
        {segment_table(root if root.is_dir() else root.parent, segments)}
        if segments not in (None, AUTO, BESIDE)
        else set()
    )
    return sorted({*files, *tables, *(() if labels_file is None else (labels_file,))})


def stamp(path: PathLike, labels: str | os.PathLike[str] | None = LABELS_FILE) -> str:
    """Return a digest of names, sizes and times of :func:`files_read`, which changes whenever the data may have changed.

    Parameters
    ----------
    path, labels
        As given to :func:`kinseq.read`.

    Returns
    -------
    str
        16 hexadecimal digits.
    """
    return stamp_of(files_read(path, labels))


def content(
    path: PathLike, labels: str | os.PathLike[str] | None = LABELS_FILE, segments: PathLike | None = None, *, kept: Path
) -> str:
    """Return the digest of names and contents of :func:`files_read`.

    It changes when what is read does, see :func:`kinseq.core.digests.content_of`.

    Parameters
    ----------
    path, labels, segments
        As given to :func:`files_read`.
    kept : Path
        Where digests of single files are kept, see :func:`kinseq.core.digests.content_of`.

    Returns
    -------
    str
        16 hexadecimal digits.

    Raises
    ------
    DataError
        If there is no such file or folder, or a folder cannot be listed.
    """
    return content_of(files_read(path, labels, segments=segments), kept)


def extent(
    path: PathLike,
    labels: str | os.PathLike[str] | None = LABELS_FILE,
    kind: Kind | None = None,
    segments: PathLike | None = None,
) -> Extent:
    """Return the stamp and the size of some data, from one listing of the folder.

    Parameters
    ----------
    path, labels, kind, segments
        As given to :func:`kinseq.read`. Of data that it refuses, which it will say, the size is 0.

    Raises
    ------
    DataError
        If there is no such file or folder, or a folder cannot be listed.
    """
    root = root_of(path)
    listing = walk(root) if root.is_dir() else None
    whole = stamp_of(files_read(root, labels, listing, segments))
    try:
        cut = segments is not None
        contents = find(root, labels, "audio" if cut else kind, alone=cut, listing=listing)
    except KinseqError:
        return Extent(whole)
    return Extent(whole, len(contents.files), sum(_size(file) for file in contents.files), contents.one_each)


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        return 0  # a dangling link: opening it later reports the error
