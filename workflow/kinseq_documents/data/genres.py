"""Folders of music, one a genre: Garageband, GTZAN, or anybody's own (T ch. 6)."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from kinseq.core.arrays import as_count
from kinseq.core.errors import DataError, KinseqWarning, ParameterError, is_one_of, unknown_name
from kinseq.core.sequences import SequenceSet
from kinseq.features.audio import AUDIO_SUFFIXES
from kinseq.features.extraction import AS_WRITTEN, audio_features, extract_features
from kinseq.features.frames import scale as scaled

from .registry import Loader


def load(
    folder: Path, name: str, genres: Sequence[str], per_genre: int | None, scale: str, features: str
) -> SequenceSet:
    """Return features of the recordings in ``<genre>/<any name>.wav``, or another format that can be decoded.

    `genres` are folders to take, in any spelling of capitals, blanks and dashes, all of them if empty; `per_genre`
    takes the first files of each by name. `scale`, ``"zscore"`` or ``"none"``, is over all recordings. Files that are
    damaged, silent, or shorter than one window are left out with a warning; a genre of which fewer than two are left is
    refused.
    """
    most = None if per_genre is None else as_count(per_genre, f"{name}: per_genre", least=2)
    if not is_one_of(scale, ("zscore", "none")):
        raise ParameterError(f"{name}: {unknown_name('scale', scale, ('zscore', 'none'))}")
    files: list[Path] = []
    labels: list[str] = []
    for genre, place in _folders(folder, name, genres).items():
        own = sorted(path for path in place.iterdir() if path.suffix.lower() in AUDIO_SUFFIXES and path.is_file())
        if len(own) < 2:
            raise DataError(
                f"{name}: genre {genre!r} has {len(own)} recordings in {place}, expected at least 2; add some or leave"
                " the genre out"
            )
        files += own[:most]
        labels += [genre] * len(own[:most])
    ids = [path.relative_to(folder).as_posix() for path in files]
    sequences, notes = extract_features(
        files, audio_features(features, **AS_WRITTEN), ids=ids, name=name, progress=True
    )
    label_of = dict(zip(ids, labels, strict=True))
    genre_labels = [label_of[entry] for entry in sequences.ids.tolist()]
    for genre in dict.fromkeys(labels):
        if genre_labels.count(genre) < 2:
            raise DataError(
                f"{name}: of genre {genre!r} only {genre_labels.count(genre)} of {labels.count(genre)} recordings can be used;"
                f" the first reason: {next((note for note in notes if note.startswith('skipped ')), 'none')}"
            )
    for note in notes:
        warnings.warn(f"{name}: {note}", KinseqWarning, stacklevel=2)
    labelled = SequenceSet(
        values=sequences.values, offsets=sequences.offsets, labels=np.array(genre_labels), ids=sequences.ids, name=name
    )
    return scaled(labelled, "zscore" if scale == "zscore" else "none")


def _folders(folder: Path, name: str, genres: Sequence[str]) -> dict[str, Path]:
    """Return the folder of each genre that is wanted, in the order requested."""
    there = {path.name: path for path in sorted(folder.iterdir()) if path.is_dir() and not path.name.startswith(".")}
    if isinstance(genres, str):
        raise ParameterError(f"{name}: genres is {genres!r}, expected a list of names")
    if not genres:
        if len(there) < 2:
            raise DataError(f"{name}: {folder} holds {len(there)} folders, expected one a genre, at least two")
        return there
    plain = {_plain(entry): path for entry, path in there.items()}
    if len(plain) < len(there):
        twice = sorted(entry for entry in there if sum(_plain(entry) == _plain(other) for other in there) > 1)
        raise DataError(f"{name}: {folder} holds {' and '.join(twice)}, which name one genre; join or rename them")
    folders: dict[str, Path] = {}
    for genre in genres:
        if _plain(genre) not in plain:
            raise DataError(f"{name}: {folder}: {unknown_name('genre', genre, there)}; name a folder that is there")
        folders[str(genre)] = plain[_plain(genre)]
    if len(folders) < len(genres) or len(set(folders.values())) < len(genres):
        raise ParameterError(f"{name}: genres names one twice: {', '.join(map(str, genres))}")
    return folders


def _plain(genre: str) -> str:
    return "".join(letter for letter in str(genre).lower() if letter.isalnum())


LOADERS = (
    Loader(
        name="genre_folders",
        label="recordings of music, one folder a genre, as features; bad files are left out with a warning",
        notes={"genres": "all folders", "per_genre": "files of each; all", "scale": "over all recordings; or `none`"},
        function=load,
        params={
            "name": "genres",
            "genres": [],
            "per_genre": None,
            "scale": "zscore",
            "features": "music_mar",
        },
    ),
)
