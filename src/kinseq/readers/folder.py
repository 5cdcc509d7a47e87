"""The way in: a folder, a table or an archive becomes a set of sequences and notes."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import numpy as np

from kinseq.core.errors import ParameterError, is_one_of, printable, unknown_name
from kinseq.core.folders import LABELS_FILE, UNLABELLED, Band, Kind, Listing, Missing, walk
from kinseq.core.jobs import as_threads
from kinseq.core.parts import Part
from kinseq.core.sequences import SequenceSet
from kinseq.core.store import PathLike
from kinseq.core.table_options import USUAL, TableOptions
from kinseq.core.wording import as_typed, listed
from kinseq.features.column_names import with_column_names
from kinseq.features.extraction import OnBadFile, extract_features, require_on_bad_file, with_windows
from kinseq.features.frames import PerSequence
from kinseq.features.frames import normalise as normalise_each

from .finding import SUFFIXES, Contents, find, label_column, root_of
from .labels import attach_labels, open_labels
from .long_table import read_long
from .missing import assemble
from .npz import read_npz
from .raw import RawSet
from .remarks import remarks_on
from .segments.cutting import Cuts, cut, looks_like_tables
from .single_tables import read_tables
from .ts import read_ts

# Readers of a single file that holds many sequences.
_READERS: dict[str, Callable[[Path, list[str]], RawSet]] = {"npz": read_npz, "ts": read_ts}


def read_folder(
    path: PathLike,
    labels: str | os.PathLike[str] | None = LABELS_FILE,
    missing: Missing = "refuse",
    on_bad_file: OnBadFile = "skip",
    features: str | Mapping[str, Any] = "speech",
    *,
    kind: Kind | None = None,
    sample_rate: float | None = None,
    window_seconds: float | None = None,
    hop_seconds: float | None = None,
    trim: float | None = None,
    average: int | None = None,
    segments: PathLike | None = None,
    tier: str | None = None,
    band: Band = "all",
    normalise: PerSequence | None = None,
    cache: PathLike | None = None,
    n_jobs: int | None = None,
    progress: bool = False,
    name: str | None = None,
    time_column: str | None = None,
    tables: TableOptions = USUAL,
    alone: bool = False,
    part: Part | None = None,
) -> tuple[SequenceSet, list[str]]:
    """Read a folder, or a single file that holds many sequences.

    Parameters
    ----------
    path : path-like
        One of:

        * a folder, with sub-folders, of audio files (WAV, FLAC, OGG, MP3...): one sequence of features each;
        * a folder, with sub-folders, of CSV, TSV or NPY files: one sequence each, rows are frames and columns features;
          a CSV may have a header, a column of times (`time_column`), and ``label`` and ``group``, constant
          within it. Header, index and decimal mark are settled by agreement over the folder (:mod:`.layout`); more than
          half of the files have to have the same columns;
        * a CSV, TSV or Parquet file of many sequences: a column ``id``, optionally ``time`` (numbers or dates) by which
          the rows of an id are sorted, optionally ``label`` and ``group`` (constant within an id), then numbers;
        * an ``.npz`` with `values` of shape (frames, d), `offsets` of shape (N + 1,), optionally `labels`, `groups`,
          `ids`;
        * a ``.ts`` file as of the UEA archive, univariate or multivariate, of equal or unequal lengths;
        * a folder with exactly one file of the last three kinds.
    labels : str, path-like or None
        Labels file, relative to the folder (or to the folder of the file): a CSV with the header ``id,label`` or
        ``id,label,group``; further columns are kept in the provenance (:data:`~kinseq.core.folders.FURTHER_COLUMNS`). An id is the
        path relative to the folder, with ``/``, with or without the extension. The default may be absent, another name
        may not. An apostrophe before ``=``, ``+``, ``-`` or ``@`` is taken off (:func:`kinseq.core.store.unshielded`).
        ``"folders"`` takes the name of the first sub-folder as the label.
        None reads no labels; a file called ``labels.csv`` is no sequence even then.
    missing : {"refuse", "interpolate"}
        What to do about missing numbers: raise with file, line and column, or interpolate linearly within the sequence
        (over ``time`` if there is such a column, else over frames; beyond the first and last known value that value is
        kept). Infinite numbers are always refused.
    on_bad_file : {"skip", "refuse"}
        What to do about a file that cannot be read, is empty, silent or too short, or has another number of features
        than most: leave it out with a note, or raise. Missing numbers are governed by `missing` alone.
    features : str or mapping
        What to compute from audio, see :func:`kinseq.features.extraction.audio_features`.
    kind : {"audio", "table", "npz", "ts", "parquet"}, optional
        Which files of a folder to read if it holds several kinds; a mixture is refused otherwise.
    sample_rate, trim, cache : optional
        For audio, see :func:`kinseq.features.extract_features`.
    window_seconds, hop_seconds : float, optional
        Window and hop of the features of audio, see :func:`kinseq.features.extraction.with_windows`.
    average : int, optional
        Consecutive frames of audio whose mean is one frame, see :class:`kinseq.features.AudioFeatures`.
    segments : str or path-like, optional
        Cut recordings into segments, each a sequence: the path of a table (a Raven selection table, labels of Audacity, a
        TextGrid of Praat, a CSV with onset, offset, file and label), relative to the working directory or the folder;
        ``"beside"``, by the tables that lie beside the recordings; or ``"auto"``, by energy
        (:func:`kinseq.features.active_segments`). `path` may be a single recording then.
    tier : str, optional
        Tier of TextGrids, where there are several.
    band : {"all", "selection"}
        Whether segments keep only the band that their table gives.
    normalise : {"none", "mean", "mean_variance"}, optional
        Normalisation of every sequence by its own statistics, see :func:`kinseq.features.normalise`.
    n_jobs : int or None
        Number of threads that read files; None is 1, -1 all processors. It changes no result.
    progress : bool
        Report progress of long stages to standard error.
    name : str, optional
        Name of the set; the name of the folder or file if not given.
    time_column : str, optional
        Name of the column by which the rows of a sequence are sorted. Without it, that is the column ``time``, else the
        one column that can be nothing else: dates as of ISO 8601, or times since 1970 that rise.
    tables : TableOptions
        How tables are read: columns, codes for missing numbers, rows, dates, poses. `time_column` is one of these, by itself.
    alone : bool
        Whether `path` may be a file that holds a single sequence: a recording, an NPY, a table without a column ``id``.
    part : Part, optional
        Which part to read. Of files, or segments, that are a sequence each, no others are opened.

    Returns
    -------
    sequences : SequenceSet
        In the order of the sorted relative paths, of first appearance, or of the file. Its ids are relative paths with
        the extension, or the ids of the file. Labels are strings if they come from a labels file; where it leaves a
        sequence out, label and group are :data:`UNLABELLED`, the empty string.
    notes : list of str
        One sentence for everything that was skipped, repaired, or that a user should know of.

    Raises
    ------
    DataError
        If nothing can be read, kinds are mixed, numbers are missing and ``missing="refuse"``, or labels contradict.
    ParameterError
        If an argument is not one of its values.
    """
    for argument, value, valid in (("missing", missing, get_args(Missing)), ("kind", kind, get_args(Kind))):
        if not is_one_of(value, valid) and not (value is None and argument == "kind"):
            raise ParameterError(unknown_name(argument, value, valid))
    require_on_bad_file(on_bad_file)
    if normalise is not None and not is_one_of(normalise, get_args(PerSequence)):
        raise ParameterError(unknown_name("normalisation", normalise, get_args(PerSequence)))
    jobs = as_threads(n_jobs)
    if name is not None and not isinstance(name, str):
        raise ParameterError(f"name is {name!r:.80}, expected text")
    root = root_of(path)
    if (column := label_column(root, labels)) is not None:
        tables, labels = replace(tables, label_column=column), None
    notes: list[str] = []
    listing = walk(root) if root.is_dir() else None
    cuts = None
    if segments is None:
        contents = find(root, labels, kind, notes, alone, listing)
    else:
        contents, cuts = _cut(root, labels, kind, notes, listing, segments, tier, band, on_bad_file, jobs, progress)
    of_files = part is not None and cuts is None and contents.one_each
    if part is not None and of_files:
        contents = contents.part(part)
    elif part is not None and cuts is not None:
        some = part.of(len(cuts.ids), "segment")
        cuts = replace(cuts, excerpts=cuts.excerpts[some], ids=cuts.ids[some], labels=cuts.labels[some])
    title = name or printable(root.resolve().name if root.is_dir() else root.stem) or "own"
    plain = isinstance(features, str) and features == "speech"
    for argument, argument_value in (
        ("features", None if plain else features),
        ("sample_rate", sample_rate),
        ("window_seconds", window_seconds),
        ("hop_seconds", hop_seconds),
        ("trim", trim),
    ):
        if argument_value is not None and contents.kind != "audio":
            raise ParameterError(f"{argument} is {argument_value!r} but {root} holds no audio; leave {argument} out")
    if time_column is not None:
        if not isinstance(time_column, str) or not time_column.strip():
            raise ParameterError(f"time_column is {time_column!r:.80}, expected the name of a column")
        tables = replace(tables, time_column=time_column)
    if tables.given and contents.kind not in ("table", "parquet"):
        raise ParameterError(
            f"{tables.as_typed(tables.given[0])} is given, but {root} holds no tables with named columns; leave it out"
        )
    said_of_labels: list[str] = []
    rows = open_labels(contents, labels, said_of_labels)
    if contents.kind == "audio":
        sequences, remarks = extract_features(
            contents.files if cuts is None else cuts.excerpts,
            with_windows(features, window_seconds, hop_seconds),
            ids=[contents.names[file] for file in contents.files] if cuts is None else cuts.ids,
            sample_rate=sample_rate,
            trim=trim,
            average=average,
            normalise=normalise,
            on_bad_file=on_bad_file,
            cache=cache,
            n_jobs=jobs,
            progress=progress,
            name=title,
            pitch=True,
        )
        notes += remarks
        if cuts is not None:
            sequences = _of_segments(sequences, cuts, labels)
        elif listing is not None and (beside := looks_like_tables(listing.files)):
            notes.append(
                f"{listed([table.name for table in beside])} look{'s' * (len(beside) == 1)} like tables of segments;"
                f" {as_typed('segments', 'beside')} cuts the recordings by them"
            )
    else:
        if contents.one_each:
            task = f"read {title}" if progress else None
            raw = read_tables(contents, title, notes, on_bad_file=on_bad_file, jobs=jobs, task=task, how=tables)
        elif contents.kind in ("table", "parquet"):
            raw = read_long(contents.files[0], notes, alone, tables)
        else:
            raw = _READERS[contents.kind](contents.files[0], notes)
        sequences = assemble(raw, title, missing, notes)
        if normalise is not None:
            sequences = normalise_each(sequences, normalise)
    if part is not None and not of_files and cuts is None:
        sequences = sequences.subset(np.arange(len(sequences))[part.of(len(sequences), "sequence")])
    sequences = replace(
        sequences, provenance={"path": printable(str(root)), "kind": contents.kind, **sequences.provenance}
    )
    if contents.kind == "audio":
        sequences = with_column_names(sequences)
    notes += said_of_labels
    sequences = attach_labels(sequences, contents, labels, rows, notes)
    notes += remarks_on(sequences)
    return sequences, notes


def _cut(
    root: Path,
    labels: str | os.PathLike[str] | None,
    kind: Kind | None,
    notes: list[str],
    listing: Listing | None,
    segments: PathLike,
    tier: str | None,
    band: Band,
    on_bad_file: OnBadFile,
    jobs: int,
    progress: bool,
) -> tuple[Contents, Cuts]:
    """Return the recordings of a folder or file, and what they are cut into."""
    if not is_one_of(band, get_args(Band)):
        raise ParameterError(unknown_name("band", band, get_args(Band)))
    if kind not in (None, "audio") or (root.is_file() and SUFFIXES.get(root.suffix.lower()) != "audio"):
        raise ParameterError(f"segments is {str(segments)!r}, but {root} holds no recordings to be cut; leave it out")
    contents = find(root, labels, "audio", [], alone=True, listing=listing)
    said: list[str] = []
    task = f"segments of {root.name}" if progress else None
    cuts = cut(
        contents,
        segments,
        said,
        tier=tier,
        band=band == "selection",
        on_bad_file=on_bad_file,
        jobs=jobs,
        task=task,
    )
    # What else lies there is noted as ever.
    contents = find(root, labels, "audio", notes, alone=True, listing=listing, apart=frozenset(cuts.tables))
    notes += said
    return contents, cuts


def _of_segments(sequences: SequenceSet, cuts: Cuts, labels: str | os.PathLike[str] | None) -> SequenceSet:
    """Return features of segments with what the tables say of them."""
    label_of = dict(zip(cuts.ids, cuts.labels, strict=True))
    own = [label_of[entry] or UNLABELLED for entry in sequences.ids.astype(str).tolist()]
    changed = replace(sequences, provenance={**sequences.provenance, "segments": cuts.provenance})
    if labels is None or not any(own):
        return changed
    return replace(changed, labels=np.array(own, dtype=np.str_))
