"""Entry of the readers: from a folder, a table or an archive to a set of sequences, with notes and the way it was read."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar, Unpack

import numpy as np

from ..core.circular import CIRCULAR, as_circles, remark_on_seams, seams, turned
from ..core.clock import Clock
from ..core.clock_columns import LEFT_OUT
from ..core.confounders import suspect, suspected
from ..core.cutting import EVERY
from ..core.errors import ParameterError, printable
from ..core.folders import LABEL_PLACES, LABELS_FILE, UNLABELLED, Listing, walk
from ..core.jobs import as_threads
from ..core.padding import padding_of, remark_on_padding, without_padding
from ..core.sequences import SequenceSet
from ..core.settings import described
from ..core.shard import Part
from ..core.store import PathLike
from ..core.streamed import SequenceParts
from ..core.wording import as_typed, count, listed
from ..features.column_names import with_column_names
from ..features.extraction import as_made, extract_features, with_windows
from ..features.recordings import RecordingInfo, recording_info
from .discovery import SUFFIXES, Contents, files_of_containers, find, label_column, root_of
from .labels import about_others, about_recordings, about_sequences, attach_labels, open_labels
from .long_table import read_long
from .missing import assemble
from .notes import remarks_on
from .npz import read_npz
from .raw import RawSet
from .reading import OPTIONS, USUAL, Reading, ReadingOptions, reading_of
from .segments.intervals import cut_tables
from .segments.segmentation import AUTO, BESIDE, Cuts, cut, looks_like_tables, segment_table
from .sensors import read_sensors
from .single_tables import read_tables, read_together
from .streaming import open_in_parts
from .symbols import read_symbols
from .ts import read_ts

AnySequences = TypeVar("AnySequences", SequenceSet, SequenceParts)
# Readers of single files that hold many sequences
_READERS: dict[str, Callable[[Path], RawSet]] = {"npz": read_npz, "ts": read_ts}


@dataclass(frozen=True)
class Processing:
    """How files are processed; results do not depend on it.

    Attributes
    ----------
    jobs : int
        Threads that read files.
    progress : bool
        Whether long stages report to standard error.
    cache : path-like or None
        Folder in which features of recordings are remembered.
    """

    jobs: int = 1
    progress: bool = False
    cache: PathLike | None = None

    def task(self, text: str) -> str | None:
        """Return the heading of a stage with progress; None without progress."""
        return text if self.progress else None


_ANY_GAP = 1e300
"""Larger than any gap in data."""
ALONE = Processing()
"""One thread, without progress messages."""


def read(
    path: PathLike,
    reading: Reading | Mapping[str, Any] | None = None,
    *,
    n_jobs: int | None = None,
    progress: bool = False,
    name: str | None = None,
    cache: PathLike | None = None,
    **options: Unpack[ReadingOptions],
) -> SequenceSet | SequenceParts:
    """Read a folder, or a file of one or many sequences.

    Parameters
    ----------
    path : path-like
        One of:

        * a folder, with sub-folders, of audio files (WAV, FLAC, OGG, MP3...): one sequence of features each;
        * a folder, with sub-folders, of CSV, TSV, NPY, EDF or WFDB files: one sequence each, rows are frames and columns
          features; a CSV may have a header, a column of times (`time_column`), and ``label`` and ``group``, constant
          within it. Header, index and decimal mark are settled by agreement over the folder; more than half of the files
          have to have the same columns;
        * a CSV, TSV or Parquet file of many sequences: a column ``id``, optionally ``time`` (numbers or dates) by which
          the rows of an id are sorted, optionally ``label`` and ``group`` (constant within an id), then numbers;
        * an ``.npz`` with `values` of shape (frames, d), `offsets` of shape (N + 1,), optionally `labels`, `groups`,
          `ids`;
        * a ``.ts`` file as of the UEA archive, univariate or multivariate, of equal or unequal lengths;
        * a folder with exactly one file of the last three kinds;
        * a single recording or table, which is a single sequence.
    reading : Reading or mapping, optional
        The options below in one object, such as the ``reading`` of a set that was read before.
    n_jobs : int or None
        Number of threads that read files; None is 1, -1 all processors. It changes no result.
    progress : bool
        Report progress of long stages to standard error.
    name : str, optional
        Name of the set; that of the folder or file if not given.
    cache : path-like, optional
        Folder in which features of audio files are remembered.
    {options}

    Returns
    -------
    SequenceSet or SequenceParts
        In the order of the sorted relative paths, of first appearance, or of the file. Its ids are relative paths with
        the extension, or the ids of the file. Labels are strings if they come from a labels file; where it leaves a
        sequence out, label and group are the empty string. Its ``notes`` are one sentence for everything that was
        skipped, repaired, or that a user should know of; its ``reading`` says how it was read. A long table in Parquet
        that is too large to be held is streamed: its frames are read when they are needed.

    Raises
    ------
    DataError
        If nothing can be read, kinds are mixed, numbers are missing and ``missing="refuse"``, or labels contradict.
    ParameterError
        If an option is unknown, or a value is none of its option's.

    Examples
    --------
    >>> import kinseq
    >>> sequences = kinseq.read("my/recordings", features="music")  # doctest: +SKIP
    >>> sequences.notes  # doctest: +SKIP
    ()
    """
    how = reading_of(reading, options, ("path", "reading", "n_jobs", "progress", "name", "cache"))
    work = Processing(as_threads(n_jobs), progress, cache)
    large = open_large(path, how, work=work, name=name)
    return read_files(path, how, work=work, name=name, alone=True) if large is None else large


read.__doc__ = (read.__doc__ or "").replace("{options}", described(OPTIONS.values(), " " * 4))


def open_large(
    path: PathLike, how: Reading, *, work: Processing = ALONE, name: str | None = None, least: int | None = None
) -> SequenceParts | None:
    """Return the sequences of a large file, with frames read on demand; None for other data.

    It is large if it holds `least` numbers, or :data:`.streaming.STREAMED_FROM`.
    """
    how = how.of_files()
    in_column = label_column(root_of(path), how.labels_file) is not None
    if in_column or how.kind not in (None, "parquet") or how.circular or how.trim_padding:
        return None
    if how.given("clock") or how.missing == "cut" or how.segments is not None:
        return None
    whole = open_in_parts(Path(path), least, how, name=name, progress=work.progress)
    return None if whole is None else timed(whole, how)


def read_files(
    path: PathLike,
    how: Reading = USUAL,
    *,
    work: Processing = ALONE,
    name: str | None = None,
    alone: bool = False,
    part: Part | None = None,
    average: int | None = None,
) -> SequenceSet:
    """Read files into memory, see :func:`read`.

    Parameters
    ----------
    path : path-like
    how : Reading
    work : Processing
    name : str, optional
    alone : bool
        Whether `path` may be a file that holds a single sequence: a recording, an NPY, a table without a column ``id``.
    part : Part, optional
        Part to read. Of files, or segments, that are a sequence each, no others are opened.
    average : int, optional
        Consecutive frames of recordings whose mean is one frame, see :class:`kinseq.features.AudioFeatures`.
    """
    how = how.of_files()
    if name is not None and not isinstance(name, str):
        raise ParameterError(f"name is {name!r:.80}, expected text")
    root = root_of(path)
    given = how
    if (symbolic := symbols_in(root, given, name)) is not None:
        if part is not None:
            symbolic = symbolic.subset(np.arange(len(symbolic))[part.of(len(symbolic), "sequence")])
        return finished(symbolic, given)
    if (column := label_column(root, how.labels_file)) is not None:
        how = how.altered(label_column=column, labels=None)
    listing = walk(root) if root.is_dir() else None
    cuts = None
    intervals = _intervals(root, how, listing)
    if how.segments is None or intervals is not None:
        apart = (
            frozenset(file for file in listing.files if intervals is not None and file.resolve() == intervals.resolve())
            if listing is not None and intervals is not None
            else frozenset[Path]()
        )
        contents = find(root, how.labels_file, how.kind, alone, listing, apart)
    else:
        contents, cuts = _cut(root, how, listing, work)
    of_files = part is not None and cuts is None and contents.one_each
    if part is not None and of_files:
        contents = contents.part(part)
    elif part is not None and cuts is not None:
        some = part.of(len(cuts.ids), "segment")
        cuts = replace(cuts, excerpts=cuts.excerpts[some], ids=cuts.ids[some], labels=cuts.labels[some])
    _require_kind(how, contents.kind, root)
    title = name or printable(root.resolve().name if root.is_dir() else root.stem) or "own"
    rows = open_labels(contents, how.labels_file)
    if rows is None:
        others = [] if listing is None else files_of_containers(listing.files)
        about = (
            about_recordings(contents, how.labels_file)
            or about_sequences(contents, how.labels_file)
            or about_others(contents, others, how.labels_file)
        )
        contents, rows = about or (contents, rows)
    if contents.kind == "audio":
        segment_tables = looks_like_tables(listing.files) if cuts is None and listing is not None else []
        sequences = _recordings(contents, cuts, how, title, average, work, segment_tables)
    else:
        sequences = _tables(contents, how, title, alone, work, intervals)
    if part is not None and not of_files and cuts is None:
        sequences = sequences.subset(np.arange(len(sequences))[part.of(len(sequences), "sequence")])
    sequences = replace(
        sequences, provenance={"path": printable(str(root)), "kind": contents.kind, **sequences.provenance}
    )
    if contents.kind == "audio":
        sequences = with_column_names(sequences)
    sequences = attach_labels(sequences, contents, how.labels_file, rows)
    notes = (*sequences.notes, *remarks_on(sequences))
    return finished(replace(sequences, notes=notes, reading=given), how)


def symbols_in(path: PathLike, how: Reading, name: str | None = None) -> SequenceSet | None:
    """Return the sequences of symbols in a file or folder, None for other data."""
    how = how.of_files()
    root = root_of(path)
    return read_symbols(root, how, name or printable(root.resolve().name if root.is_dir() else root.stem) or "own")


def is_read(data: Any) -> bool:
    """Return whether data are sequences that were read from files."""
    return isinstance(data, (SequenceSet, SequenceParts)) and data.reading is not None and data.source is not None


def finished(sequences: SequenceSet, how: Reading) -> SequenceSet:
    """Return a set without padding, with circular columns as cosine and sine, and with the given rate."""
    return timed(settled(sequences, how), how)


def settled(sequences: SequenceSet, how: Reading) -> SequenceSet:
    """Return a set without padding and with named circular columns as cosine and sine.

    Where they were not, notes say what looks like them, and the set keeps which sequences have how much of it.
    """
    if recording_info(sequences).from_files or sequences.alphabet is not None:
        return sequences
    notes = [*sequences.notes]
    padding = padding_of(sequences)
    if how.trim_padding:
        if padding.rows.any():
            rows, cut_ones = int(padding.rows.sum()), int((padding.rows > 0).sum())
            notes.append(f"cut {count(rows, 'row')} of padding from {count(cut_ones, 'sequence')}")
            sequences = without_padding(sequences, padding)
    elif remark := remark_on_padding(sequences, padding):
        notes.append(remark)
        sequences = suspected(sequences, suspect("how many rows of padding they have", sequences.ids, padding.rows))
    sequences, said = turned(sequences, as_circles(how.circular))
    notes += said
    round_columns = seams(sequences)
    if remark := remark_on_seams(sequences, round_columns):
        notes.append(remark)
    for name, (_, passing) in round_columns.items():
        sequences = suspected(
            sequences, suspect(f"whether {name} passes the ends of its range", sequences.ids, passing)
        )
    return replace(sequences, notes=tuple(notes))


def timed(sequences: AnySequences, how: Reading) -> AnySequences:
    """Return sequences with the given rate, if any."""
    of_recordings = recording_info(sequences).from_files
    if of_recordings and (given := how.given("clock")):
        raise ParameterError(
            f"{how.as_typed(given[0])} is for tables and arrays, but {sequences.provenance['path']} holds recordings; cut them by"
            f" {as_typed('segments')}"
        )
    if how.rate is None or how.every is not None:
        return sequences
    if of_recordings:
        where = sequences.provenance["path"]
        raise ParameterError(f"rate is {how.rate:g}, but {where} holds recordings, whose time is known; leave it out")
    return replace(sequences, provenance={**sequences.provenance, **Clock(1.0 / how.rate).as_provenance()})


def reading_like(old: SequenceSet, data: Any) -> Reading:
    """Return reading options for new data, without labels: as for a set, including its windows, rates and times."""
    how = old.reading if isinstance(old.reading, Reading) else USUAL
    if is_read(data):
        return USUAL.altered(labels=None)
    changes: dict[str, Any] = {"labels": None}
    if how.every is None and (step := old.provenance.get(EVERY)) is not None:
        # Missing rows of the old data were interpolated on this clock, however long the gaps.
        changes |= {"every": step, "max_gap": _ANY_GAP}
    info = recording_info(old)
    if info.features:
        # Frames fitted to the old recordings apply to new ones, which alone might be fitted otherwise.
        changes["features"] = {**as_made(how.features, info.features), "follow_power": False}
        changes |= {
            "window_seconds": None,
            "hop_seconds": None,
            "sample_rate": info.sample_rate or how.sample_rate,
        }
    if how.circular:
        # A period derived from the range of all sequences may not follow from a few new ones.
        changes["circular"] = old.provenance.get(CIRCULAR, how.circular)
    if how.segments not in (None, AUTO, BESIDE):
        # The table describes the old recordings.
        changes["segments"] = None
    # A time, a counter or an attribute that all old data show may not be visible in a few new ones.
    left_out = old.provenance.get(LEFT_OUT, ()) if how.value_columns is None else ()
    label = how.labels if isinstance(how.labels, str) and how.labels not in (LABELS_FILE, *LABEL_PLACES) else None
    changes["idle_columns"] = (*left_out, *(() if label is None else (label,)), *how.drop_columns)
    changes["drop_columns"] = ()
    if isinstance(data, (str, os.PathLike)):
        # A column of labels is not a feature of new series either.
        changes["labels"] = how.labels if how.labels in LABEL_PLACES else None
        return how.altered(**changes, layout=None, time_column=how.time_column or old.provenance.get("time_column"))
    table = hasattr(data, "columns")
    if not table:
        # The number of features decides which axis is which, if nothing else does.
        layout = None if isinstance(data, SequenceSet) else how.layout or "channels_last"
        changes |= {"layout": layout, "id_column": None, "value_columns": None, "cut_at": None}
        if not _with_times(data):
            changes |= {"every": None, "max_gap": None}
            changes |= {"cut": None, "step": None} if isinstance(how.cut, str) else {}
        if not (isinstance(data, (list, tuple)) and any(hasattr(entry, "columns") for entry in data)):
            changes["time_column"] = None
    return how.altered(**{**changes, **({"layout": None} if table else {})})


def _with_times(data: Any) -> bool:
    """Return whether data in memory are pandas tables or series, which may have times."""
    return isinstance(data, (list, tuple)) and any(hasattr(entry, "iloc") for entry in data)


def _require_kind(how: Reading, kind: str, root: Path) -> None:
    """Refuse options for other kinds of data than those found."""
    for name in how.given("recordings") if kind != "audio" else ():
        if name == "segments" and how.segments not in (AUTO, BESIDE):
            continue
        raise ParameterError(f"{name} is {getattr(how, name)!r} but {root} holds no audio; leave {name} out")
    for name in how.given_of_tables if kind not in ("table", "parquet") else ():
        raise ParameterError(
            f"{how.as_typed(name)} is given, but {root} holds no tables with named columns; leave it out"
        )


def _recordings(
    contents: Contents,
    cuts: Cuts | None,
    how: Reading,
    title: str,
    average: int | None,
    work: Processing,
    segment_tables: Sequence[Path],
) -> SequenceSet:
    """Return the features of recordings, or of their segments; `segment_tables` are tables that might cut them."""
    sequences, remarks = extract_features(
        contents.files if cuts is None else cuts.excerpts,
        with_windows(how.features, how.window_seconds, how.hop_seconds),
        ids=[contents.names[file] for file in contents.files] if cuts is None else cuts.ids,
        sample_rate=how.sample_rate,
        trim=how.trim,
        average=average,
        on_bad_file=how.on_bad_file,
        cache=work.cache,
        n_jobs=work.jobs,
        progress=work.progress,
        name=title,
        sound=True,
    )
    notes = [*contents.notes, *(() if cuts is None else cuts.notes), *remarks]
    if segment_tables:
        notes.append(
            f"{listed([table.name for table in segment_tables])} look{'s' * (len(segment_tables) == 1)} like tables of segments;"
            f" {as_typed('segments', 'beside')} cuts the recordings by them"
        )
    sequences = replace(sequences, notes=tuple(notes))
    return sequences if cuts is None else _of_segments(sequences, cuts, how)


def _intervals(root: Path, how: Reading, listing: Listing | None) -> Path | None:
    """Return the table of intervals that cuts tables; None if recordings are cut, or nothing is."""
    if how.segments in (None, AUTO, BESIDE) or how.kind == "audio":
        return None
    files = [root] if listing is None else listing.files
    if how.kind is None and any(SUFFIXES.get(file.suffix.lower()) == "audio" for file in files):
        return None
    path = segment_table(root if root.is_dir() else root.parent, how.segments)
    return None if path.resolve() == root.resolve() else path


def _tables(
    contents: Contents, how: Reading, title: str, alone: bool, work: Processing, intervals: Path | None = None
) -> SequenceSet:
    """Return the sequences of files of numbers, possibly cut by a table of intervals."""
    task = work.task(f"read {title}")
    if contents.one_each and (together := read_together(contents, how)) is not None:
        raw = together
    elif contents.one_each and (joined := read_sensors(contents, how, jobs=work.jobs, task=task)) is not None:
        raw = joined
    elif contents.one_each:
        raw = read_tables(contents, how, jobs=work.jobs, task=task)
    elif contents.kind in ("table", "parquet"):
        raw = read_long(contents.files[0], alone or intervals is not None or how.arrangement.cuts, how)
    else:
        raw = _READERS[contents.kind](contents.files[0])
    raw = raw if intervals is None else cut_tables(raw, intervals, how)
    return assemble(replace(raw, notes=contents.notes + raw.notes), title, how)


def _cut(root: Path, how: Reading, listing: Listing | None, work: Processing) -> tuple[Contents, Cuts]:
    """Return the recordings of a folder or file, and the segments that they are cut into."""
    assert how.segments is not None
    if how.kind not in (None, "audio") or (root.is_file() and SUFFIXES.get(root.suffix.lower()) != "audio"):
        raise ParameterError(
            f"segments is {str(how.segments)!r}, but {root} holds no recordings to be cut; leave it out"
        )
    cuts = cut(
        find(root, how.labels_file, "audio", alone=True, listing=listing),
        how.segments,
        tier=how.tier,
        band=how.band == "selection",
        on_bad_file=how.on_bad_file,
        jobs=work.jobs,
        task=work.task(f"segments of {root.name}"),
    )
    # The tables cut recordings, so they do not count as skipped files.
    return find(root, how.labels_file, "audio", alone=True, listing=listing, apart=frozenset(cuts.tables)), cuts


def _of_segments(sequences: SequenceSet, cuts: Cuts, how: Reading) -> SequenceSet:
    """Return features of segments with the labels that their tables give."""
    label_of = dict(zip(cuts.ids, cuts.labels, strict=True))
    own = [label_of[entry] or UNLABELLED for entry in sequences.ids.astype(str).tolist()]
    changed = replace(
        sequences, provenance={**sequences.provenance, **RecordingInfo(segments=cuts.provenance).as_provenance()}
    )
    if how.labels_file is None or not any(own):
        return changed
    return replace(changed, labels=np.array(own, dtype=np.str_))
