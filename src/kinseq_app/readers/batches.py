"""Files opened in batches, by several processes, and put together as if one had opened them all.

The batch of a file follows from its name alone, and their number is a power of two: a file that is added or changed makes
one batch anew and leaves the others. What a batch holds are the answers to opening each file, bad ones included, so
that :func:`~kinseq_app.readers.folder.read_folder` says the same of them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any
from zlib import crc32

from kinseq.core.errors import DataError, KinseqError
from kinseq.core.folders import LABELS_FILE, Kind, stamp_of, walk
from kinseq.core.progress import Progress
from kinseq.core.store import PathLike
from kinseq.features.audio import AudioInfo, audio_info
from kinseq.features.extraction import AudioFeatures, attempted, audio_features, common_rate, remembered_features

from .finding import Found, find, root_of
from .single_tables import open_table
from .stamping import files_read

FILES = 10_000
"""Most files of a batch, about. Text tables of 100 rows are opened in 0.6 ms each."""
BYTES = 2**29
"""The same in bytes: minutes of decoding, or of taking text for numbers."""


@dataclass(frozen=True)
class Cut:
    """How many batches some data are cut into.

    Attributes
    ----------
    number : int
        Batches; with 1, nothing is cut.
    stamp : str
        Of all that is read, see :func:`~kinseq_app.readers.stamping.stamp`.
    files, bytes : int
        What there is to read.
    one_each : bool
        Whether each file is a sequence, so that batches of files are opened. A file that holds many is read as a whole.
    """

    number: int
    stamp: str
    files: int = 0
    bytes: int = 0
    one_each: bool = False


@dataclass(frozen=True)
class Batch:
    """Files that one process opens.

    Attributes
    ----------
    files : tuple of Path
    settings : AudioFeatures or None
        What is computed from recordings; None for tables.
    rate : float
        What recordings are resampled to (Hz).
    stamp : str
        It changes when what is in the batch may have changed.
    """

    files: tuple[Path, ...]
    stamp: str
    settings: AudioFeatures | None = None
    rate: float = 0.0

    def key(self, code: str) -> str:
        """Digest of everything that the answers follow from, with a fingerprint of the code that finds them."""
        return blake2b(f"{self!r} {code}".encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()


@dataclass
class Opened:
    """Answers to opening files, each an object or the error that makes it a bad file."""

    contents: dict[Path, Any]
    infos: Mapping[Path, Any]

    def content(self, path: Path) -> Any:
        """What a file holds, once: it is let go of."""
        return _said(self.contents.pop(path, None), path)

    def info(self, path: Path) -> AudioInfo:
        """What the header of a recording says."""
        info: AudioInfo = _said(self.infos.get(path), path)
        return info


def _said(answer: Any, path: Path) -> Any:
    if answer is None:
        # No DataError: it would count as a bad file, and be left out.
        raise KinseqError(f"{path}: came while the others were read; run the same command again")
    if isinstance(answer, DataError):
        raise answer
    return answer


def cut(
    path: PathLike,
    labels: str | os.PathLike[str] | None = LABELS_FILE,
    kind: Kind | None = None,
    number: int | None = None,
) -> Cut:
    """How many batches a folder or file is cut into: 1 for what a single process reads in a minute or two.

    Parameters
    ----------
    path, labels, kind
        As given to :func:`~kinseq_app.readers.folder.read_folder`. Data that it refuses are not cut; it will say why.
    number : int, optional
        Number of batches, of at least 1; by the number of files and bytes if not given.

    Raises
    ------
    DataError
        If there is no such file or folder, or a folder cannot be listed.
    """
    root = root_of(path)
    listing = walk(root) if root.is_dir() else None
    whole = stamp_of(files_read(root, labels, listing))
    try:
        found = find(root, labels, kind, [], listing=listing)
    except KinseqError:
        return Cut(1, whole)
    size = sum(_size(file) for file in found.files)
    if number is None:
        needed = max(len(found.files) / FILES, size / BYTES)
        number = 1
        while number < needed:
            number *= 2
    return Cut(number, whole, len(found.files), size, found.one_each)


def survey(
    path: PathLike,
    number: int,
    labels: str | os.PathLike[str] | None = LABELS_FILE,
    kind: Kind | None = None,
    features: str | Mapping[str, Any] = "speech",
    sample_rate: float | None = None,
    trim: float | None = None,
) -> tuple[list[Batch], dict[Path, Any]]:
    """Which files are in each batch, and what the headers of recordings say.

    Parameters
    ----------
    path, labels, kind, features, sample_rate, trim
        As given to :func:`~kinseq_app.readers.folder.read_folder`.
    number : int
        Number of batches.

    Returns
    -------
    batches : list of Batch
    infos : dict
        The answer of each recording's header; empty for tables.
    """
    found = find(root_of(path), labels, kind, [])
    files = _batches(found, number) if found.one_each else [[] for _ in range(number)]
    if found.kind != "audio":
        return [Batch(tuple(batch), stamp_of(batch)) for batch in files], {}
    settings = audio_features(features, sample_rate=sample_rate, trim=trim)
    infos = {file: attempted(audio_info, file) for file in found.files}
    rate = common_rate([info for info in infos.values() if isinstance(info, AudioInfo)], settings, [])
    # A bad file has said why by its header.
    good = [[file for file in batch if isinstance(infos[file], AudioInfo)] for batch in files]
    batches = zip(good, files, strict=True)
    return [Batch(tuple(some), stamp_of(batch), settings, rate) for some, batch in batches], infos


def opened(batch: Batch, cache: PathLike | None = None, task: str | None = None) -> dict[Path, Any]:
    """Answers to opening the files of a batch.

    Parameters
    ----------
    batch : Batch
    cache : path-like, optional
        Folder in which features of recordings are remembered.
    task : str, optional
        Heading of the progress lines; none are written without it.
    """
    function: Callable[[Path], Any] = open_table
    if batch.settings is not None:
        function = partial(remembered_features, settings=batch.settings, rate=batch.rate, cache=cache)
    report = Progress(task, len(batch.files), unit="file") if task is not None and batch.files else None
    answers = {}
    for file in batch.files:
        answers[file] = attempted(function, file)
        if report is not None:
            report.step()
    return answers


def _batches(found: Found, number: int) -> list[list[Path]]:
    batches: list[list[Path]] = [[] for _ in range(number)]
    for file in found.files:
        batches[crc32(found.names[file].encode("utf-8", "surrogateescape")) % number].append(file)
    return batches


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        return 0  # a link that leads nowhere: whoever opens it says so
