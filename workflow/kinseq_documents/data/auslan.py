"""Australian Sign Language, high quality: gestures of one signer, 22 features a frame (T App. D.6; Kadous, 2002).

Read from ``tctodd.tar.gz`` or from its unpacked folder: ``tctodd1`` .. ``tctodd9`` are the nine recording sessions,
with three files ``<sign>-<number>.tsd`` of each sign.
"""

from __future__ import annotations

import io
import re
import tarfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from kinseq.core.arrays import FloatArray
from kinseq.core.errors import DataError, ParameterError
from kinseq.core.sequences import SequenceSet

from .registry import Loader

ARCHIVE = "tctodd.tar.gz"
N_FEATURES = 22
_FILE = re.compile(r"(?:^|/)tctodd(\d)/([^/]+)-(\d+)\.tsd$")


def _files(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the name and content of every sample, from the archive or from the folder it unpacks to."""
    archive = folder / ARCHIVE
    if archive.is_file():
        try:
            with tarfile.open(archive) as tar:
                for member in tar:
                    content = tar.extractfile(member) if member.isfile() else None
                    if content is not None:
                        yield member.name, content.read()
        except (tarfile.TarError, OSError, EOFError) as error:
            raise DataError(f"{archive}: cannot be unpacked ({error}); fetch it again") from error
        return
    for path in sorted(folder.rglob("*.tsd")):
        yield path.as_posix(), path.read_bytes()


def _parse(name: str, content: bytes) -> FloatArray:
    try:
        frames = np.loadtxt(io.BytesIO(content), dtype=np.float64, ndmin=2)
    except ValueError as error:
        raise DataError(f"{name}: is not numeric ({error}); fetch the archive again") from error
    if frames.shape[1] != N_FEATURES:
        raise DataError(f"{name}: has {frames.shape[1]} columns, expected {N_FEATURES}; fetch the archive again")
    return frames


def load(folder: Path, signs: Sequence[str], centred: bool = False) -> SequenceSet:
    """Read the samples of some signs from the archive, or the folder that it unpacks to.

    Signs are named as in the files (``hot``, ``cold``...). The samples come sign by sign in the order given, then by session
    and number; labels are the signs, groups the sessions. `centred` subtracts the mean of each sequence, which takes away the
    drift of the sensors between the sessions; the documents say that they did no preprocessing.
    """
    if not signs:
        raise ParameterError("auslan: signs is empty; name the signs that are wanted")
    all_signs: set[str] = set()
    samples: list[tuple[int, int, int, FloatArray]] = []
    for name, content in _files(folder):
        match = _FILE.search(name)
        if match is None:
            continue
        session, sign, number = match.groups()
        all_signs.add(sign)
        if sign in signs:
            samples.append((list(signs).index(sign), int(session), int(number), _parse(name, content)))
    if not all_signs:
        raise DataError(f"auslan: there are no .tsd files in {folder}; put {ARCHIVE} there")
    for sign in signs:
        if sign not in all_signs:
            raise ParameterError(
                f"auslan: there is no sign {sign!r} in {folder}; there are {', '.join(sorted(all_signs))}"
            )
    samples.sort(key=lambda entry: entry[:3])
    return SequenceSet.from_arrays(
        [frames - frames.mean(axis=0) if centred else frames for *_, frames in samples],
        labels=[signs[i] for i, *_ in samples],
        groups=[f"session{session}" for _, session, *_ in samples],
        ids=[f"{signs[i]}-{session}-{number}" for i, session, number, _ in samples],
        name="auslan",
    )


LOADERS = (
    Loader(
        name="auslan",
        label="signs of AUSLAN, from the archive or unpacked",
        notes={"centred": "true: each sequence without its mean"},
        function=load,
        params={"signs": ["hot", "cold"], "centred": False},
    ),
)
