"""Recordings of single words by many speakers, as they are published: in archives or unpacked, speaker or word first.

Speech Commands (Warden, 2018) and its kin name a file by speaker, word and take. Features are those of the thesis of
2011 (appendix D.3) unless others are requested.
"""

from __future__ import annotations

import lzma
import re
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import combinations
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np

from kinseq.core.arrays import FloatArray, as_count
from kinseq.core.errors import DataError, ParameterError, is_one_of, printable, unknown_name
from kinseq.core.folders import is_clutter, walk
from kinseq.core.sequences import SequenceSet
from kinseq.features.audio import AUDIO_SUFFIXES
from kinseq.features.extraction import AS_WRITTEN, audio_features, extract_features
from kinseq.features.recordings import RecordingInfo, recording_info

from ..tasks import Task
from .registry import Loader, everything, pairs

NAMINGS: Mapping[str, re.Pattern[str]] = {
    "<word>/<speaker>_NO_<take>": re.compile(r"(?P<word>[^/]+)/(?P<speaker>[^/]+)_NO_(?P<take>\d+)"),
    "<word>/<speaker>_nohash_<take>": re.compile(r"(?P<word>[^/]+)/(?P<speaker>[^/]+)_nohash_(?P<take>\d+)"),
    "<speaker>/<word>_<take>": re.compile(r"(?P<speaker>\d+)/(?P<word>[^/]+?)_(?P<take>\d+)"),
}
"""How recordings are named, endings left out: folder and file. A speaker's folder is a number."""

NOISE = frozenset({"background_noise", "_background_noise_"})
"""Folders of these data that hold no words."""

LABELS = ("speaker", "word")

_TAR = (".tar", ".tar.gz", ".tgz", ".tar.xz", ".tar.bz2")
_DAMAGED = (zipfile.BadZipFile, tarfile.TarError, lzma.LZMAError, zlib.error, EOFError, OSError, NotImplementedError)


@dataclass(frozen=True, order=True)
class Recording:
    """One spoken word and where it lies.

    Attributes
    ----------
    speaker : str
    take : int
        Which time the speaker says the word.
    word : str
    source : Path
        The file, or the archive that holds it.
    member : str
        Name inside the archive; empty for a file.
    """

    speaker: str
    take: int
    word: str
    source: Path
    member: str

    @property
    def place(self) -> str:
        """File, or archive and name inside it."""
        return f"{self.source}:{self.member}" if self.member else str(self.source)


def _is_tar(path: Path) -> bool:
    return path.name.lower().endswith(_TAR)


@contextmanager
def _readable(archive: Path) -> Iterator[None]:
    """Damage to an archive as one sentence."""
    try:
        yield
    except _DAMAGED as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise DataError(f"{archive}: cannot be unpacked ({reason}); fetch it again") from error


def _members(archive: Path) -> list[str]:
    """Return names of the files in an archive."""
    with _readable(archive):
        if _is_tar(archive):
            with tarfile.open(archive) as tar:
                return [entry.name for entry in tar if entry.isfile()]
        with zipfile.ZipFile(archive) as content:
            return [entry.filename for entry in content.infolist() if not entry.is_dir()]


def _candidates(folder: Path, files: str | None) -> Iterator[tuple[str, Path, str]]:
    """Yield every recording below a folder: folder and name without ending, file or archive, name inside the archive."""
    for path in walk(folder).files:
        if files is not None and not fnmatchcase(path.name, files):
            continue
        archive = path.suffix.lower() == ".zip" or _is_tar(path)
        for member in _members(path) if archive else [""]:
            name = PurePosixPath(member) if member else PurePosixPath(path.relative_to(folder).as_posix())
            hidden = any(is_clutter(part) for part in name.parts if part != "..")
            if name.suffix.lower() in AUDIO_SUFFIXES and not hidden and name.parent.name not in NOISE:
                yield f"{name.parent.name}/{name.stem}", path, member


def recordings(folder: Path, files: str | None = None) -> list[Recording]:
    """Return the recordings below a folder, sorted by speaker, take and word.

    It holds zip and tar archives, or folders, of audio files that are named in one of the ways of :data:`NAMINGS`; two
    ways are not mixed, and a speaker's take of a word is not there twice. Blanks in words count as ``_``. Folders of
    :data:`NOISE` are passed over. `files` is a pattern of the names of archives or files that are examined.
    """
    records: dict[tuple[str, int, str], Recording] = {}
    naming = ""
    for name, source, member in _candidates(folder, files):
        place = Recording("", 0, "", source, member).place
        matches = {key: match for key, pattern in NAMINGS.items() if (match := pattern.fullmatch(name))}
        if not matches:
            raise DataError(
                f"{printable(place)}: its name does not say who speaks which word; expected {' or '.join(NAMINGS)}"
            )
        kind, match = next(iter(matches.items()))
        if naming and kind != naming:
            raise DataError(f"{printable(place)}: is named {kind} where others are {naming}; keep one kind of them")
        naming = kind
        recording = Recording(match["speaker"], int(match["take"]), match["word"].replace(" ", "_"), source, member)
        key = (recording.speaker, recording.take, recording.word)
        if key in records:
            raise DataError(
                f"{printable(place)}: is the same speaker, word and take as {printable(records[key].place)}; keep one"
            )
        records[key] = recording
    if not records:
        raise DataError(
            f"{folder}: holds no recording of a word; put archives or folders with {' or '.join(NAMINGS)} there"
        )
    return sorted(records.values())


def select(
    every: Sequence[Recording],
    words: Sequence[str] | None = None,
    speakers: int | None = None,
    per_speaker: int | None = None,
    per_word: int | None = None,
) -> list[Recording]:
    """Return some of the recordings, in the order given, which is by speaker, take and word.

    Only `words`, if there are any; of the first so many `speakers`; `per_speaker` of each: first takes before second
    ones, words in the order of the alphabet; then `per_word` of each word: first takes before second ones, speakers in
    their order. A word that is not there, or more than there are, is refused.
    """
    vocabulary = sorted({entry.word for entry in every})
    if words is not None:
        if isinstance(words, str) or not words:
            raise ParameterError(f"spoken words: words is {words!r}, expected a list of words such as [zero, one]")
        for word in words:
            if word not in vocabulary:
                raise DataError(f"spoken words: {unknown_name('word', word, vocabulary)}")
    candidates = [entry for entry in every if words is None or entry.word in words]
    names = sorted({entry.speaker for entry in candidates})
    wanted = len(names) if speakers is None else as_count(speakers, "spoken words: speakers")
    if wanted > len(names):
        raise DataError(f"spoken words: speakers is {wanted}, there are {len(names)}; ask for fewer")
    selection = []
    for name in names[:wanted]:
        own = [entry for entry in candidates if entry.speaker == name]
        count = len(own) if per_speaker is None else as_count(per_speaker, "spoken words: per_speaker")
        if count > len(own):
            raise DataError(
                f"spoken words: per_speaker is {count}, there are {len(own)} recordings of speaker {name!r}; ask for"
                " fewer, or fetch the missing ones"
            )
        selection += own[:count]
    return selection if per_word is None else _of_each_word(selection, as_count(per_word, "spoken words: per_word"))


def _of_each_word(every: Sequence[Recording], count: int) -> list[Recording]:
    """Of each word the first recordings by take and speaker, in the order given."""
    selection: set[Recording] = set()
    for word in sorted({entry.word for entry in every}):
        own = sorted((entry for entry in every if entry.word == word), key=lambda entry: (entry.take, entry.speaker))
        if count > len(own):
            raise DataError(
                f"spoken words: per_word is {count}, there are {len(own)} recordings of {word!r}; ask for fewer, or name"
                " the words"
            )
        selection |= set(own[:count])
    return [entry for entry in every if entry in selection]


def _merged(word: str, alike: Sequence[Sequence[str]]) -> str:
    """Return the label of a word, which words that sound alike share."""
    for words in alike:
        if word in words:
            return "+".join(words)
    return word


def _alike_groups(alike: Any, vocabulary: Iterable[str]) -> list[list[str]]:
    """Return lists of words that sound alike, no word in two of them."""
    good = isinstance(alike, (list, tuple)) and all(isinstance(words, (list, tuple)) for words in alike)
    if not good:
        raise ParameterError(f"spoken words: alike is {alike!r}, expected lists of words such as [[three, tree]]")
    named = [str(word) for words in alike for word in words]
    there = sorted(set(vocabulary))
    for word in named:
        if named.count(word) > 1:
            raise ParameterError(f"spoken words: alike names {word!r} twice; give each word once")
        if word not in there:
            raise DataError(f"spoken words: {unknown_name('word', word, there)}")
    return [[str(word) for word in words] for words in alike]


def _contents(archive: Path, names: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """Yield names inside an archive with their bytes; those of a tar in the order of the archive, which is read once."""
    wanted = set(names)
    with _readable(archive):
        if _is_tar(archive):
            with tarfile.open(archive) as tar:
                for entry in tar:
                    if entry.isfile() and entry.name in wanted:
                        stream = tar.extractfile(entry)
                        assert stream is not None
                        yield entry.name, stream.read()
        else:
            with zipfile.ZipFile(archive) as content:
                for name in wanted:
                    yield name, content.read(name)


@contextmanager
def _unpacked(wanted: Sequence[Recording]) -> Iterator[list[Path]]:
    """Paths of recordings; those in archives are written to a folder that is gone afterwards.

    The names of these files are numbers, so that a name inside an archive leads nowhere else.
    """
    with tempfile.TemporaryDirectory() as scratch:
        places = {(entry.source, entry.member): number for number, entry in enumerate(wanted)}
        paths = [entry.source for entry in wanted]
        for archive in dict.fromkeys(entry.source for entry in wanted if entry.member):
            for member, content in _contents(archive, [entry.member for entry in wanted if entry.source == archive]):
                number = places[archive, member]
                paths[number] = Path(scratch, f"{number}{PurePosixPath(member).suffix.lower()}")
                paths[number].write_bytes(content)
        yield paths


def _features(wanted: Sequence[Recording], features: str | Mapping[str, Any], trim: float | None) -> SequenceSet:
    """Return features of recordings, in their order; one that cannot be used is refused."""
    with _unpacked(wanted) as paths:
        try:
            exactly = audio_features(features, **AS_WRITTEN)
            sequences, notes = extract_features(paths, exactly, trim=trim, on_bad_file="refuse", name="spoken words")
        except DataError as error:
            text = str(error)
            for path, entry in zip(paths, wanted, strict=True):
                text = text.replace(f"{path}:", f"{printable(entry.place)}:")
            raise DataError(text) from error
    if notes:
        raise DataError(f"spoken words: {notes[0]}; give sample_rate under features, or keep one kind of recordings")
    return sequences


def load(
    folder: Path,
    words: Sequence[str] | None,
    speakers: int | None,
    per_speaker: int | None,
    per_word: int | None,
    join: int,
    label: str,
    alike: Sequence[Sequence[str]],
    files: str | None,
    features: str | Mapping[str, Any],
    trim: float | None,
    **_: Any,
) -> SequenceSet:
    """Return features of spoken words, sorted by speaker, take and word; groups are speakers.

    For `folder` and `files` see :func:`recordings`, for `words` to `per_word` :func:`select`, for `features`
    :func:`kinseq.features.extraction.audio_features`. So many consecutive recordings of a speaker as `join` says make
    one sequence, their frames one after another (PAMI 2009, section 4.2: digits in twos). `label` says what the classes
    are, ``"speaker"`` or ``"word"``; words cannot be joined. `alike` lists words that sound alike and share a label.
    `trim` cuts the ends that lie this many dB below the loudest part; None keeps them.
    """
    if not is_one_of(label, LABELS):
        raise ParameterError(f"spoken words: {unknown_name('label', label, LABELS)}")
    run = as_count(join, "spoken words: join")
    if run > 1 and label == "word":
        raise ParameterError(f"spoken words: join is {run}, but a sequence of several words has no label word")
    wanted = select(recordings(folder, files), words, speakers, per_speaker, per_word)
    alike = _alike_groups(alike, (entry.word for entry in wanted)) if alike else []
    groups: list[list[int]] = []
    for name in dict.fromkeys(entry.speaker for entry in wanted):
        own = [number for number, entry in enumerate(wanted) if entry.speaker == name]
        if len(own) % run:
            raise DataError(
                f"spoken words: the {len(own)} recordings of speaker {name!r} cannot be joined in runs of {run}; set"
                " per_speaker to a multiple"
            )
        groups += [own[start : start + run] for start in range(0, len(own), run)]
    read = _features(wanted, features, trim)
    arrays: list[FloatArray] = [np.concatenate([read[number] for number in group]) for group in groups]
    first = [wanted[group[0]] for group in groups]
    return SequenceSet.from_arrays(
        arrays,
        labels=[_merged(entry.word, alike) if label == "word" else entry.speaker for entry in first],
        groups=[entry.speaker for entry in first],
        ids=[
            f"{wanted[group[0]].speaker}/" + "+".join(f"{wanted[n].word}_{wanted[n].take:02d}" for n in group)
            for group in groups
        ],
        name="spoken_words",
        provenance=RecordingInfo(columns_of=recording_info(read).columns_of).as_provenance(),
    )


def tasks(sequences: SequenceSet, seed: int, n_pairs: int | str, **_: Any) -> list[Task]:
    """Two-class tasks over pairs of classes, or one task of all classes.

    The tasks are the same in every trial, so that the seed plays no part. The `n_pairs` pairs are spread evenly over the list
    of all; ``"all"`` takes each of them, ``"none"`` makes one task of all classes.
    """
    if n_pairs == "none":
        return [everything(sequences)]
    assert sequences.labels is not None
    every = list(combinations(sorted(set(map(str, sequences.labels))), 2))
    wanted = len(every) if n_pairs == "all" else as_count(n_pairs, "spoken words: n_pairs")
    if wanted > len(every):
        raise ParameterError(f"spoken words: n_pairs is {wanted}, there are {len(every)} pairs; ask for fewer")
    if not every:
        raise DataError(f"{sequences.name}: holds one class, which makes no pair; n_pairs: none takes it as it is")
    spread = [every[i * len(every) // wanted] for i in range(wanted)]
    return pairs(sequences.labels, spread, lambda members: members)


_DEFAULTS: dict[str, Any] = {
    "words": None,
    "speakers": None,
    "per_speaker": None,
    "per_word": None,
    "join": 1,
    "label": "speaker",
    "alike": [],
    "files": None,
    "features": "speech",
    "trim": None,
    "n_pairs": "all",
}

LOADERS = (
    Loader(
        name="spoken_words",
        label="single words of many speakers, from archives or unpacked, named as Speech Commands are;"
        " every pair of speakers is a task",
        notes={
            "words": "all, or a list",
            "speakers": "all, or the first so many",
            "per_speaker": "all, or the first so many recordings: first takes before second ones",
            "per_word": "all of each word, or the first so many",
            "join": "so many recordings make one sequence",
            "label": "or `word`",
            "alike": "lists of words that share a label",
            "files": "pattern of the archives that are read",
            "features": "or a mapping as under `own.features`",
            "trim": "dB",
            "n_pairs": "or so many, spread evenly over the list of pairs; `none`: one task of all classes",
        },
        function=load,
        params=_DEFAULTS,
        tasks=tasks,
        draws=False,
        labelling=("alike",),
    ),
)
