"""Which files a reading depends on, and a stamp by which a change of any of them is seen."""

from __future__ import annotations

import os
from pathlib import Path

from kinseq.core.folders import LABELS_FILE, Listing, stamp_of, walk
from kinseq.core.store import PathLike

from .finding import labels_path, root_of


def files_read(
    path: PathLike, labels: str | os.PathLike[str] | None = LABELS_FILE, listing: Listing | None = None
) -> list[Path]:
    """Every file that :func:`kinseq_app.readers.read_folder` reads or mentions in its notes.

    Parameters
    ----------
    path : path-like
        Folder or file, as given to the reader.
    labels : str, path-like or None
        As given to the reader. The file is listed even if it is absent, since it may appear.
    listing : Listing, optional
        What is below the folder; made if not given.

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
    named = labels_path(root, labels)
    return sorted(files if named is None else {*files, named})


def stamp(path: PathLike, labels: str | os.PathLike[str] | None = LABELS_FILE) -> str:
    """Digest of names, sizes and times of :func:`files_read`: it changes when what is read may have changed.

    Parameters
    ----------
    path, labels
        As given to :func:`kinseq_app.readers.read_folder`.

    Returns
    -------
    str
        16 hexadecimal digits.
    """
    return stamp_of(files_read(path, labels))
