"""Readers for users' own files: a folder, a table or an archive in, a set of sequences and notes out.

Nothing is guessed silently: whatever is left out, repaired or chosen for the user is said in one sentence of the notes,
and what cannot be read is refused with the file, the line and the column named.
"""

from __future__ import annotations

import csv
import io
import os
import unicodedata
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from ..arrays import FloatArray, IntArray
from ..errors import DataError, ParameterError, unknown_name
from ..features.audio import AUDIO_SUFFIXES, FOREIGN_SUFFIXES
from ..features.extraction import OnBadFile, extract_features, map_files, require_on_bad_file
from ..features.frames import PerSequence
from ..features.frames import normalise as normalise_each
from ..seeds import content_key
from ..sequences import SequenceSet
from ..store import PathLike

if TYPE_CHECKING:
    import pandas

UNLABELLED = ""
"""Label (and group) of a sequence that the labels file does not mention, when it mentions others."""

Kind = Literal["audio", "table", "npz", "ts", "parquet"]
Missing = Literal["refuse", "interpolate"]

_SUFFIXES: dict[str, Kind] = {
    **dict.fromkeys(AUDIO_SUFFIXES | FOREIGN_SUFFIXES, "audio"),
    ".csv": "table",
    ".tsv": "table",
    ".npy": "table",
    ".npz": "npz",
    ".ts": "ts",
    ".parquet": "parquet",
    ".pq": "parquet",
}
_PLURAL = {
    "audio": "audio files",
    "table": "CSV, TSV or NPY files",
    "npz": "NPZ files",
    "ts": "TS files",
    "parquet": "Parquet files",
}
_SUPPORTED = "audio (WAV, FLAC, OGG, MP3), CSV, TSV, NPY, NPZ, TS and Parquet files"
_MISSING_CELLS = ["", "?", "NA", "N/A", "n/a", "na", "NaN", "nan", "NAN", "null", "NULL", "None", "none"]
_LABELS_FILE = "labels.csv"
_CLUTTER = frozenset({"thumbs.db", "desktop.ini", "__macosx"})


def read_folder(
    path: PathLike,
    labels: str | os.PathLike[str] | None = _LABELS_FILE,
    missing: Missing = "refuse",
    on_bad_file: OnBadFile = "skip",
    features: str | Mapping[str, Any] = "speech",
    *,
    kind: Kind | None = None,
    sample_rate: float | None = None,
    trim: float | None = None,
    normalise: PerSequence | None = None,
    cache: PathLike | None = None,
    jobs: int = 1,
    progress: bool = False,
    name: str | None = None,
) -> tuple[SequenceSet, list[str]]:
    """Read a folder, or a single file that holds many sequences.

    Parameters
    ----------
    path : path-like
        One of:

        * a folder, with sub-folders, of audio files (WAV, FLAC, OGG, MP3...): one sequence of features each; * a
        folder, with sub-folders, of CSV, TSV or NPY files: one sequence each, rows are frames and columns features; a
          CSV may have a header, and a column ``time`` by which its rows are sorted;
        * a CSV, TSV or Parquet file of many sequences: a column ``id``, optionally ``time`` (numbers or dates) by which
          the rows of an id are sorted, optionally ``label`` and ``group`` (constant within an id), then numbers;
        * an ``.npz`` with `values` of shape (frames, d), `offsets` of shape (N + 1,), optionally `labels`, `groups`,
          `ids`;
        * a ``.ts`` file as of the UEA archive, univariate or multivariate, of equal or unequal lengths;
        * a folder with exactly one file of the last three kinds.
    labels : str, path-like or None
        Labels file, relative to the folder (or to the folder of the file): a CSV with the header ``id,label`` or
        ``id,label,group``. An id is the path relative to the folder, with ``/``, with or without the extension. The
        default may be absent, another name may not. ``"folders"`` takes the name of the first sub-folder as the label.
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
    normalise : {"none", "mean", "mean_variance"}, optional
        Normalisation of every sequence by its own statistics, see :func:`kinseq.features.normalise`.
    jobs : int
        Number of threads that read files, -1 for one per processor; it changes no result.
    progress : bool
        Report progress of long stages to standard error.
    name : str, optional
        Name of the set; the name of the folder or file if not given.

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
    for argument, value, valid in (("missing", missing, get_args(Missing)), ("kind", kind, (*get_args(Kind), None))):
        if value not in valid:
            raise ParameterError(unknown_name(argument, value, [str(entry) for entry in valid if entry is not None]))
    require_on_bad_file(on_bad_file)
    if normalise is not None and normalise not in get_args(PerSequence):
        raise ParameterError(unknown_name("normalisation", normalise, get_args(PerSequence)))
    root = Path(path)
    if not root.exists():
        raise DataError(f"{root}: no such file or folder; check the path")
    notes: list[str] = []
    found = _find(root, labels, kind, notes)
    title = name or (root.resolve().name if root.is_dir() else root.stem) or "own"
    if found.kind == "audio":
        sequences, said = extract_features(
            found.files,
            features,
            ids=[found.names[file] for file in found.files],
            sample_rate=sample_rate,
            trim=trim,
            normalise=normalise,
            on_bad_file=on_bad_file,
            cache=cache,
            jobs=jobs,
            progress=progress,
            name=title,
        )
        notes += said
    else:
        if found.kind == "table" and not (len(found.files) == 1 and found.files[0].suffix.lower() != ".npy"):
            task = f"read {title}" if progress else None
            raw = _read_tables(found, title, notes, on_bad_file=on_bad_file, jobs=jobs, task=task)
        else:
            raw = _READERS[found.kind](found.files[0], notes)
        sequences = _assemble(raw, title, missing, notes)
        if normalise is not None:
            sequences = normalise_each(sequences, normalise)
    sequences = replace(sequences, provenance={"path": str(root), "kind": found.kind, **sequences.provenance})
    sequences = _label(sequences, found, labels, notes)
    notes += _remarks(sequences)
    return sequences, notes


# --- which files ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Found:
    """Files to read, all of one kind, with the path of each relative to the folder."""

    root: Path
    kind: Kind
    files: list[Path]
    names: dict[Path, str]


def _find(root: Path, labels: str | os.PathLike[str] | None, kind: Kind | None, notes: list[str]) -> _Found:
    if root.is_file():
        own = _SUFFIXES.get(root.suffix.lower())
        if own is None:
            raise DataError(f"{root}: is no kind of file that can be read; {_SUPPORTED} can, or a folder of them")
        if own == "audio" or root.suffix.lower() == ".npy":
            raise DataError(f"{root}: is a single sequence; give the folder that holds it together with others")
        if kind is not None and kind != own:
            raise ParameterError(f"kind is {kind!r} but {root} is of kind {own!r}; leave kind out")
        return _Found(root.parent, own, [root], {root: root.name})
    given = None if labels in (None, "folders") else root / Path(str(labels))
    by_kind: dict[Kind, list[Path]] = {}
    names: dict[Path, str] = {}
    other: list[str] = []
    for file in _walk(root):
        relative = unicodedata.normalize("NFC", file.relative_to(root).as_posix())
        if file.name.lower() == _LABELS_FILE or (given is not None and file == given):
            if file.parent != root and file != given:
                other.append(relative)
            continue
        own = _SUFFIXES.get(file.suffix.lower())
        if own is None:
            other.append(relative)
            continue
        names[file] = relative
        by_kind.setdefault(own, []).append(file)
    if other:
        notes.append(f"ignored {_count(len(other), 'file')} of kinds that are not read: {_listed(other)}")
    if kind is not None:
        if kind not in by_kind:
            raise DataError(f"{root}: holds no {_PLURAL[kind]}; give another folder or leave kind out")
        left = [names[file] for own, files in by_kind.items() if own != kind for file in files]
        if left:
            notes.append(f"ignored {_count(len(left), 'file')} of other kinds: {_listed(left)}")
        by_kind = {kind: by_kind[kind]}
    if not by_kind:
        raise DataError(f"{root}: holds nothing that can be read; put {_SUPPORTED} there")
    if len(by_kind) > 1:
        parts = [f"{_files(own, len(files))} (such as {names[files[0]]})" for own, files in sorted(by_kind.items())]
        raise DataError(
            f"{root}: holds {' and '.join(parts)}; kinds cannot be mixed, so move one of them elsewhere or pass"
            f" {' or '.join(f'kind={own!r}' for own in sorted(by_kind))}"
        )
    ((own, files),) = by_kind.items()
    if own in ("npz", "ts", "parquet") and len(files) > 1:
        raise DataError(
            f"{root}: holds {len(files)} {_PLURAL[own]} ({_listed([names[file] for file in files])}), each a set of"
            " its own;"
            " name the one to read"
        )
    return _Found(root, own, files, names)


def _files(kind: Kind, number: int) -> str:
    return f"{number} {_PLURAL[kind] if number != 1 else _PLURAL[kind].removesuffix('s')}"


def _walk(root: Path) -> list[Path]:
    """Every file below `root`, hidden ones and clutter of file managers left out, sorted by relative path."""
    files: list[Path] = []
    seen: set[str] = set()

    def refuse(error: OSError) -> None:
        raise DataError(
            f"{error.filename}: cannot be listed ({error.strerror}); check the permissions of the folder"
        ) from error

    for folder, inner, entries in os.walk(root, followlinks=True, onerror=refuse):
        real = os.path.realpath(folder)
        if real in seen:  # a link that leads back
            inner.clear()
            continue
        seen.add(real)
        inner[:] = [entry for entry in inner if not _is_clutter(entry)]
        files += [Path(folder) / entry for entry in entries if not _is_clutter(entry)]
    return sorted(files, key=lambda file: file.relative_to(root).as_posix())


def _is_clutter(entry: str) -> bool:
    return entry.startswith((".", "~$")) or entry.lower() in _CLUTTER


# --- what was read, before it is checked ------------------------------------------------------------------------------


@dataclass
class _Raw:
    """One sequence as it stands in its file; numbers may be missing.

    ``place(row, column)`` says where a number stands, for messages.
    """

    id: str
    where: str
    values: FloatArray
    place: Callable[[int, int], str]
    time: FloatArray | None = None
    columns: tuple[str, ...] | None = None


@dataclass
class _RawSet:
    sequences: list[_Raw]
    labels: NDArray[Any] | None = None
    groups: NDArray[Any] | None = None
    provenance: dict[str, Any] = field(default_factory=dict)


def _assemble(raw: _RawSet, title: str, missing: Missing, notes: list[str]) -> SequenceSet:
    """Fill or refuse what is missing and stack the sequences."""
    arrays, filled, touched, timed = [], 0, 0, False
    for sequence in raw.sequences:
        bad = ~np.isfinite(sequence.values)
        if bad.any():
            sequence.values = _fill(sequence, bad, missing)
            filled += int(bad.sum())
            timed = timed or sequence.time is not None
            touched += 1
        arrays.append(sequence.values)
    provenance = dict(raw.provenance)
    if filled:
        notes.append(
            f"interpolated {_count(filled, 'missing number')} in {_count(touched, 'sequence')}, linearly in"
            f" {'time' if timed else 'the order of frames'}"
        )
        provenance["interpolated"] = filled
    columns = raw.sequences[0].columns
    if columns is not None:
        provenance["columns"] = list(columns)
    return SequenceSet.from_arrays(
        arrays,
        labels=raw.labels,
        groups=raw.groups,
        ids=[sequence.id for sequence in raw.sequences],
        name=title,
        provenance=provenance,
    )


def _fill(sequence: _Raw, bad: NDArray[np.bool_], missing: Missing) -> FloatArray:
    values = sequence.values
    infinite = np.argwhere(np.isinf(values))
    if len(infinite):
        row, column = (int(i) for i in infinite[0])
        raise DataError(
            f"{sequence.where}: {sequence.place(row, column)} is infinite; correct it or leave the sequence out"
        )
    row, column = (int(i) for i in np.argwhere(bad)[0])
    if missing == "refuse":
        raise DataError(
            f"{sequence.where}: {sequence.place(row, column)} is missing ({int(bad.sum())} missing in this sequence);"
            " fill it in, leave the sequence out, or pass missing='interpolate'"
        )
    filled = values.copy()
    moments = np.arange(len(values), dtype=np.float64) if sequence.time is None else sequence.time
    for column in np.flatnonzero(bad.any(axis=0)):
        known = ~bad[:, column]
        if not known.any():
            raise DataError(
                f"{sequence.where}: all numbers of {sequence.place(0, int(column)).rpartition(', ')[2]} are missing in"
                f" sequence {sequence.id!r}; there is nothing to interpolate, leave the sequence or the column out"
            )
        filled[:, column] = np.interp(moments, moments[known], values[known, column])
    return filled


# --- tables -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Dialect:
    """How a text table is written; found from its first lines."""

    encoding: str
    skip: int  # lines before the data, comments and the header included
    separator: str
    decimal: str
    columns: tuple[str, ...]
    has_header: bool


def _decode(content: bytes, path: Path) -> tuple[str, str]:
    """Text of `content` and its encoding: UTF-16 by its mark, UTF-8, or else that of older Windows programs."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", errors="replace"), "utf-16"
    if b"\0" in content:
        raise DataError(f"{path}: is no text table but holds binary data; save it as CSV")
    try:
        return content.decode("utf-8-sig"), "utf-8-sig"
    except UnicodeDecodeError as error:
        if error.start >= len(content) - 4:  # a character cut in two by reading only the head of the file
            return content[: error.start].decode("utf-8-sig"), "utf-8-sig"
        return content.decode("cp1252", errors="replace"), "cp1252"


def _read_bytes(path: Path, size: int = -1) -> bytes:
    try:
        with path.open("rb") as stream:
            return stream.read(size)
    except OSError as error:
        raise DataError(f"{path}: cannot be opened ({error.strerror or error}); check its permissions") from error


def _sniff(path: Path) -> _Dialect:
    """Find encoding, separator, decimal mark and header of a text table.

    Raises
    ------
    DataError
        If the file is empty or no text.
    """
    text, encoding = _decode(_read_bytes(path, 1 << 16), path)
    lines = text.splitlines()
    skip = 0
    comment = None
    while skip < len(lines) and (not lines[skip].strip() or lines[skip].lstrip().startswith("#")):
        if lines[skip].strip():
            comment = lines[skip].lstrip().lstrip("#").strip()
        skip += 1
    if skip == len(lines):
        raise DataError(f"{path}: holds no row; leave it out or write it again")
    first = lines[skip]
    rest = [line for line in lines[skip + 1 : skip + 20] if line.strip()]
    separator = "," if path.suffix.lower() != ".tsv" else "\t"
    for candidate in ("\t", ";", ","):
        if candidate in first:
            separator = candidate
            break
    else:
        if len(first.split()) > 1 and all(len(line.split()) == len(first.split()) for line in rest):
            separator = r"\s+"
    cells = _cells(first, separator)
    decimal = "."
    if separator != "," and any("," in line for line in rest or [first]):
        plain = [cell for line in rest or [first] for cell in _cells(line, separator)]
        if any(_is_number(cell.replace(",", ".", 1)) and not _is_number(cell) for cell in plain):
            decimal = ","
    has_header = not all(_is_number(cell.replace(decimal, ".")) or cell in _MISSING_CELLS for cell in cells)
    if has_header:
        skip += 1
    else:
        # numpy.savetxt writes its header as a comment
        named = _cells(comment, separator) if comment else []
        has_header = len(named) == len(cells) and not any(_is_number(cell) for cell in named)
        cells = named if has_header else [f"{i + 1}" for i in range(len(cells))]
    return _Dialect(encoding, skip, separator, decimal, tuple(cells), has_header)


def _cells(line: str, separator: str) -> list[str]:
    if separator == r"\s+":
        return line.split()
    return [cell.strip() for cell in next(csv.reader([line], delimiter=separator), [])]


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return "_" not in cell


@dataclass
class _Table:
    """A table of numbers with its named columns, and where its rows stand in the file."""

    values: FloatArray
    columns: tuple[str, ...]
    has_header: bool
    rows: IntArray  # line (or row) of the file that each row of `values` came from, counted from 1
    row_word: str
    time: FloatArray | None = None
    id: NDArray[np.str_] | None = None
    label: NDArray[np.str_] | None = None
    group: NDArray[np.str_] | None = None

    def place(self, row: int, column: int) -> str:
        name = self.columns[column]
        return f"{self.row_word} {self.rows[row]}, column {repr(name) if self.has_header else name}"


_SPECIAL = ("id", "time", "label", "group")


def _read_csv(path: Path) -> _Table:
    import pandas

    dialect = _sniff(path)
    columns = list(dialect.columns)
    doubled = [column for column, count in Counter(columns).items() if count > 1 and column]
    if doubled:
        raise DataError(f"{path}: column {doubled[0]!r} occurs more than once; rename or remove one")
    lowered = [column.lower() for column in columns] if dialect.has_header else [""] * len(columns)
    if dialect.has_header and set(lowered) <= {"id", "label", "group"} and {"id", "label"} <= set(lowered):
        raise DataError(
            f"{path}: is a labels file, not a sequence; call it {_LABELS_FILE} or pass labels={path.name!r}"
        )
    text = [i for i, column in enumerate(lowered) if column in ("id", "label", "group")]
    options: dict[str, Any] = {
        "sep": dialect.separator,
        "decimal": dialect.decimal,
        "header": None,
        "names": list(range(len(columns))),
        "index_col": False,
        "skiprows": dialect.skip,
        "encoding": dialect.encoding,
        "encoding_errors": "replace",
        "dtype": dict.fromkeys(text, str),
        # Ids and labels are text even where they read "NA" or "007".
        "na_values": {i: _MISSING_CELLS for i in range(len(columns)) if i not in text},
        "keep_default_na": False,
        "skip_blank_lines": False,
        "skipinitialspace": True,
        "float_precision": "round_trip",
        "on_bad_lines": "error",
        "low_memory": False,
    }
    try:
        frame: pandas.DataFrame = pandas.read_csv(path, **options)
    except pandas.errors.EmptyDataError as error:
        raise DataError(f"{path}: holds a header but no row; leave it out or write it again") from error
    except (pandas.errors.ParserError, ValueError, OSError) as error:
        reason = " ".join(str(error).split()).removeprefix("Error tokenizing data. C error: ")
        raise DataError(f"{path}: cannot be read as a table ({reason}); check its rows and its separator") from error
    frame.index = pandas.RangeIndex(dialect.skip + 1, dialect.skip + 1 + len(frame))
    return _table_of(frame, columns, dialect.has_header, path, "line")


def _read_parquet(path: Path) -> _Table:
    try:
        import pyarrow  # noqa: F401
    except ImportError as error:
        raise DataError(
            f"{path}: Parquet files need the package pyarrow, which is not installed; install it or save the table as"
            " CSV"
        ) from error
    import pandas

    try:
        frame = pandas.read_parquet(path, engine="pyarrow")
    except (OSError, ValueError) as error:
        raise DataError(
            f"{path}: cannot be read as Parquet ({' '.join(str(error).split())}); write it again"
        ) from error
    stored = [entry for entry in frame.index.names if entry is not None]
    if stored:
        frame = frame.reset_index()
    columns = [str(column) for column in frame.columns]
    frame.columns = pandas.RangeIndex(len(columns))
    frame.index = pandas.RangeIndex(1, len(frame) + 1)
    return _table_of(frame, columns, True, path, "row")


def _table_of(frame: pandas.DataFrame, columns: Sequence[str], has_header: bool, path: Path, row_word: str) -> _Table:
    """Split a data frame into numbers and the special columns, with every cell checked."""
    special: dict[str, Any] = {}
    numbers: list[NDArray[np.float64]] = []
    names: list[str] = []
    rows = frame.index.to_numpy(dtype=np.int64)
    for i, column in enumerate(columns):
        cells = frame[i]
        lowered = column.lower() if has_header else ""
        if lowered in _SPECIAL:
            special[lowered] = cells
            continue
        if column == "" and has_header and _is_row_counter(cells, i):
            continue
        if column == "" and has_header and i == len(columns) - 1 and bool(cells.isna().all()):
            continue  # every row ends with a separator
        numbers.append(_numbers(cells, path, column if has_header else f"{i + 1}", row_word))
        names.append(column)
    if not has_header and len(numbers) > 1 and np.isnan(numbers[-1]).all():
        numbers.pop()
        names.pop()
    if not numbers:
        raise DataError(f"{path}: holds no column of numbers; put the features beside the other columns")
    values = np.column_stack(numbers)
    # Rows without a single number at the end are blank lines or padding.
    known = np.flatnonzero(~np.isnan(values).all(axis=1))
    last = int(known[-1]) + 1 if known.size else 0
    if last < len(values) and "id" in special:
        blank = special["id"].isna() | (special["id"].astype(str).str.strip() == "")
        last = int(np.flatnonzero(~blank.to_numpy(dtype=bool)).max(initial=last - 1)) + 1
    if last == 0:
        raise DataError(f"{path}: holds no row of numbers; leave it out or write it again")
    table = _Table(values[:last], tuple(names), has_header, rows[:last], row_word)
    for column in ("id", "label", "group"):
        if column in special:
            cells = special[column].iloc[:last]
            blank = cells.isna().to_numpy(dtype=bool)
            text = ["" if empty else _plain(cell) for cell, empty in zip(cells, blank, strict=True)]
            setattr(table, column, np.array(text, dtype=np.str_))
    if table.id is not None and (table.id == "").any():
        row = int(np.flatnonzero(table.id == "")[0])
        raise DataError(f"{path}: {row_word} {rows[row]} has no id; fill it in or remove the row")
    if "time" in special:
        table.time = _moments(special["time"].iloc[:last], path, row_word)
    return table


def _plain(entry: Any) -> str:
    """An id or label as text: 3 and 3.0 are the same, blanks around it do not count."""
    if isinstance(entry, (float, np.floating)) and float(entry).is_integer():
        entry = int(entry)
    return unicodedata.normalize("NFC", str(entry)).strip()


def _is_row_counter(cells: pandas.Series[Any], position: int) -> bool:
    """Whether a nameless first column only counts the rows, as some programs write it."""
    if position != 0 or cells.dtype.kind not in "iu":
        return False
    counted = cells.to_numpy()
    return bool((counted == np.arange(len(counted)) + counted[0]).all() and counted[0] in (0, 1))


def _numbers(cells: pandas.Series[Any], path: Path, column: str, row_word: str) -> NDArray[np.float64]:
    import pandas

    if pandas.api.types.is_numeric_dtype(cells.dtype):
        return cells.to_numpy(dtype=np.float64, na_value=np.nan)
    numbers = pandas.to_numeric(cells, errors="coerce")
    wrong = np.flatnonzero((numbers.isna() & cells.notna()).to_numpy(dtype=bool))
    if wrong.size:
        place = int(cells.index[wrong[0]])
        raise DataError(
            f"{path}: {row_word} {place}, column {column!r} holds {str(cells.iloc[wrong[0]])[:40]!r}, which is no"
            " number;"
            " correct the cell or remove the column"
        )
    return np.asarray(numbers.to_numpy(dtype=np.float64, na_value=np.nan))


def _moments(cells: pandas.Series[Any], path: Path, row_word: str) -> FloatArray:
    """The time column as numbers; dates become seconds."""
    import pandas

    if pandas.api.types.is_numeric_dtype(cells.dtype):
        moments = cells.to_numpy(dtype=np.float64, na_value=np.nan)
    else:
        numbers = pandas.to_numeric(cells, errors="coerce") if cells.dtype.kind != "M" else None
        if numbers is not None and bool(numbers.notna().all()):
            moments = numbers.to_numpy(dtype=np.float64)
        else:
            dates = pandas.to_datetime(cells, errors="coerce", utc=True, format="ISO8601")
            if bool(dates.isna().any()):  # another way of writing dates, the same in all rows
                dates = pandas.to_datetime(cells, errors="coerce", utc=True)
            since = (dates - dates.min()).dt.total_seconds()
            moments = since.to_numpy(dtype=np.float64, na_value=np.nan)
    wrong = np.flatnonzero(~np.isfinite(moments))
    if wrong.size:
        place = int(cells.index[wrong[0]])
        raise DataError(
            f"{path}: {row_word} {place}, column 'time' is neither a number nor a date; fill it in or remove the column"
        )
    return np.asarray(moments)


def _by_time(table: _Table) -> IntArray:
    """Order of the rows by id (first appearance) and then by time; equal times keep their order."""
    if table.id is None:
        return np.arange(len(table.values)) if table.time is None else np.argsort(table.time, kind="stable")
    _, first, codes = np.unique(table.id, return_index=True, return_inverse=True)
    rank = np.argsort(np.argsort(first))[codes]
    keys = (rank,) if table.time is None else (table.time, rank)
    return np.asarray(np.lexsort(keys))


def _ordered(table: _Table, order: IntArray | slice) -> _Table:
    picked: dict[str, Any] = {name: getattr(table, name) for name in ("values", "rows", *_SPECIAL)}
    changes: dict[str, Any] = {name: entry if entry is None else entry[order] for name, entry in picked.items()}
    return replace(table, **changes)


def _read_npy(path: Path) -> _Table:
    try:
        array = np.load(path, allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise DataError(
            f"{path}: is no plain array (it is damaged, of another kind, or holds Python objects);"
            " write it again with numpy.save"
        ) from error
    if not isinstance(array, np.ndarray) or array.dtype.kind not in "fiub":
        raise DataError(f"{path}: holds no real numbers; save an array of shape (T, d)")
    if array.ndim == 1:
        array = array[:, None]
    if array.ndim != 2 or 0 in array.shape:
        raise DataError(
            f"{path}: has shape {array.shape}, expected one sequence of shape (T, d); write one file for each"
        )
    columns = tuple(str(i) for i in range(array.shape[1]))
    rows = np.arange(len(array))
    return _Table(array.astype(np.float64), columns, False, rows, "row (from 0)")


def _read_tables(
    found: _Found, title: str, notes: list[str], *, on_bad_file: OnBadFile, jobs: int, task: str | None
) -> _RawSet:
    """One sequence from each CSV, TSV or NPY file."""

    def read(path: Path) -> _Table:
        table = _read_npy(path) if path.suffix.lower() == ".npy" else _read_csv(path)
        if table.id is not None:
            raise DataError(
                f"{path}: has a column id, so it is a table of many sequences; give it by itself, or rename the column"
            )
        if table.time is not None:
            table = _ordered(table, _by_time(table))
        return table

    if any(path.suffix.lower() != ".npy" for path in found.files):
        import pandas  # noqa: F401  (once, before threads ask for it at the same time)
    tables = map_files(read, found.files, found.names, notes, on_bad_file=on_bad_file, jobs=jobs, task=task)
    good = [(path, table) for path, table in zip(found.files, tables, strict=True) if table is not None]
    if not good:
        raise DataError(
            f"{found.root}: none of the {len(found.files)} files can be used; the first reason:"
            f" {notes[-len(tables)].removeprefix('skipped ')}"
        )
    kept = _same_columns(good, found.names, notes, on_bad_file)
    return _RawSet(
        [
            _Raw(
                id=found.names[path],
                where=str(path),
                values=table.values,
                place=table.place,
                time=table.time,
                columns=table.columns if table.has_header else None,
            )
            for path, table in kept
        ],
        provenance={"files": len(found.files), "skipped": len(found.files) - len(kept)},
    )


def _same_columns(
    tables: list[tuple[Path, _Table]], names: Mapping[Path, str], notes: list[str], on_bad_file: OnBadFile
) -> list[tuple[Path, _Table]]:
    """Keep the tables that have the columns of most, in the order of the first of these."""
    headed = [table.columns for _, table in tables if table.has_header]
    sizes = Counter(len(table.columns) for _, table in tables)
    size = sizes.most_common(1)[0][0]
    usual: tuple[str, ...] | None = None
    sets = Counter(frozenset(columns) for columns in headed if len(columns) == size)
    if sets:
        common = sets.most_common(1)[0][0]
        usual = next(columns for columns in headed if frozenset(columns) == common)
    kept: list[tuple[Path, _Table]] = []
    moved: list[str] = []
    for path, table in tables:
        problem = None
        if len(table.columns) != size:
            problem = f"has {_count(len(table.columns), 'feature')} where most files have {size}"
        elif table.has_header and usual is not None and set(table.columns) != set(usual):
            strange = sorted(set(table.columns) - set(usual))[0]
            problem = f"has a column {strange!r}, which most files do not have"
        elif table.has_header and usual is not None and table.columns != usual:
            order = [table.columns.index(column) for column in usual]
            table = replace(table, values=np.ascontiguousarray(table.values[:, order]), columns=usual)
            moved.append(names[path])
        if problem is None:
            kept.append((path, table))
        elif on_bad_file == "refuse":
            raise DataError(f"{path}: {problem}; give all files the same columns")
        else:
            notes.append(f"skipped {names[path]}: {problem}; give all files the same columns")
    if moved:
        notes.append(f"put the columns of {_count(len(moved), 'file')} in the order of the others: {_listed(moved)}")
    return kept


def _read_long(path: Path, notes: list[str]) -> _RawSet:
    """Many sequences from one table with a column id."""
    table = _read_parquet(path) if path.suffix.lower() in (".parquet", ".pq") else _read_csv(path)
    if table.id is None:
        raise DataError(
            f"{path}: is a single table without a column id, hence a single sequence; add a column id that says which"
            " sequence a row belongs to, or give a folder with one file for each sequence"
        )
    table = _ordered(table, _by_time(table))
    assert table.id is not None
    starts = np.concatenate([[0], np.flatnonzero(table.id[1:] != table.id[:-1]) + 1, [len(table.id)]])
    if table.time is not None:
        same = (np.diff(table.time) == 0.0) & (table.id[1:] == table.id[:-1])
        if same.any():
            row = int(np.flatnonzero(same)[0])
            notes.append(
                f"{path.name}: {_count(int(same.sum()), 'row')} with the time of the row before (the first in sequence"
                f" {str(table.id[row])!r}); their order in the file was kept"
            )
    sequences = []
    for start, stop in pairwise(starts.tolist()):
        part = _ordered(table, slice(start, stop))
        sequences.append(_Raw(str(table.id[start]), str(path), part.values, part.place, part.time, part.columns))
    raw = _RawSet(sequences)
    for column, target in (("label", "labels"), ("group", "groups")):
        entries = getattr(table, column)
        if entries is None:
            continue
        own = entries[starts[:-1]]
        wrong = np.flatnonzero(entries != np.repeat(own, np.diff(starts)))
        if wrong.size:
            raise DataError(
                f"{path}: {table.row_word} {table.rows[wrong[0]]}, column {column!r} differs within sequence"
                f" {str(table.id[wrong[0]])!r}; give a sequence one {column}, or rename the column if it is a feature"
            )
        setattr(raw, target, own)
    return raw


# --- archives ---------------------------------------------------------------------------------------------------------


def _read_npz(path: Path, notes: list[str]) -> _RawSet:
    try:
        with np.load(path, allow_pickle=False) as archive:
            arrays = {entry: archive[entry] for entry in archive.files}
    except (OSError, ValueError, EOFError, zipfile.BadZipFile, AttributeError, KeyError) as error:
        raise DataError(
            f"{path}: is no archive of plain arrays (it is damaged, of another kind, or holds Python objects);"
            " write it again with numpy.savez"
        ) from error
    for entry in ("values", "offsets"):
        if entry not in arrays:
            raise DataError(
                f"{path}: lacks the array {entry!r} (it holds {_listed(sorted(arrays)) or 'nothing'}); write values of"
                " shape (frames, d) and offsets of shape (N + 1,)"
            )
    values, offsets = arrays["values"], arrays["offsets"]
    if values.ndim == 1:
        values = values[:, None]
    if values.dtype.kind not in "fiub" or values.ndim != 2 or values.shape[1] == 0:
        raise DataError(
            f"{path}: values have shape {values.shape} and type {values.dtype}, expected numbers (frames, d)"
        )
    if offsets.ndim != 1 or offsets.size < 2 or offsets.dtype.kind not in "iu":
        raise DataError(
            f"{path}: offsets have shape {offsets.shape} and type {offsets.dtype}, expected N + 1 whole numbers"
        )
    offsets = offsets.astype(np.int64)
    if offsets[0] != 0 or offsets[-1] != len(values) or (np.diff(offsets) < 0).any():
        raise DataError(
            f"{path}: offsets must rise from 0 to the number of frames {len(values)}, they run from {offsets[0]} to"
            f" {offsets[-1]}; write them again"
        )
    n = offsets.size - 1
    ids = arrays.get("ids", np.array([f"s{i:05d}" for i in range(n)]))
    columns = {name: arrays[name] for name in ("labels", "groups") if name in arrays}
    for name, entries in {"ids": ids, **columns}.items():
        if entries.shape != (n,):
            raise DataError(f"{path}: {name} have shape {entries.shape} but there are {n} sequences; give one each")
    values = values.astype(np.float64)

    def placed(start: int) -> Callable[[int, int], str]:
        return lambda row, column: f"row (from 0) {start + row}, column {column}"

    sequences = []
    for i in range(n):
        start, stop = int(offsets[i]), int(offsets[i + 1])
        if start == stop:
            raise DataError(f"{path}: sequence {str(ids[i])!r} is empty (0 frames); remove it")
        sequences.append(_Raw(str(ids[i]), str(path), values[start:stop], placed(start)))
    return _RawSet(sequences, labels=columns.get("labels"), groups=columns.get("groups"))


def _read_ts(path: Path, notes: list[str]) -> _RawSet:
    """The text format of the UEA archive: ``@`` lines, then one case per line, dimensions between colons."""
    text, _ = _decode(_read_bytes(path), path)
    header: dict[str, str] = {}
    sequences: list[_Raw] = []
    targets: list[str] = []
    in_data = False
    padded = 0
    for number, line in enumerate(text.splitlines(), start=1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        if not in_data:
            if not line.startswith("@"):
                raise DataError(f"{path}: line {number} stands before @data but starts with no @; add the header")
            key, _, value = line[1:].partition(" ")
            in_data = key.lower() == "data"
            header[key.lower()] = value.strip().lower()
            if key.lower() == "timestamps" and value.strip().lower().startswith("true"):
                raise DataError(f"{path}: holds time stamps, which are not read; write it as a CSV with id and time")
            continue
        parts = line.split(":")
        if _has_target(header):
            targets.append(_plain(parts.pop()))
        values, cut = _case(parts, path, number)
        padded += cut
        if sequences and values.shape[1] != sequences[0].values.shape[1]:
            raise DataError(
                f"{path}: line {number} has {_count(values.shape[1], 'dimension')} but the first case has"
                f" {sequences[0].values.shape[1]}; give all the same"
            )
        place = partial(_ts_place, f"line {number}")
        sequences.append(_Raw(f"s{len(sequences):05d}", str(path), values, place))
    if not sequences:
        raise DataError(f"{path}: holds no case; check that the cases follow a line @data")
    if padded:
        notes.append(f"{path.name}: {_count(padded, 'frame')} of padding at the ends of cases were dropped")
    return _RawSet(sequences, labels=np.array(targets, dtype=np.str_) if targets else None)


def _ts_place(line: str, row: int, column: int) -> str:
    return f"{line}, frame (from 0) {row}, dimension (from 0) {column}"


def _has_target(header: Mapping[str, str]) -> bool:
    return any(header.get(key, "").startswith("true") for key in ("classlabel", "targetlabel"))


def _case(parts: Sequence[str], path: Path, number: int) -> tuple[FloatArray, int]:
    """One case as a (T, d) array, and how many frames at its end held no number at all."""
    dimensions = []
    for part in parts:
        cells = [cell.strip() for cell in part.split(",")]
        try:
            dimensions.append([np.nan if cell in _MISSING_CELLS else float(cell) for cell in cells])
        except ValueError as error:
            raise DataError(f"{path}: line {number}: {error}; correct the cell") from error
    if not dimensions:
        raise DataError(f"{path}: line {number} holds no numbers; remove the line")
    lengths = {len(dimension) for dimension in dimensions}
    if len(lengths) > 1:
        raise DataError(
            f"{path}: line {number} has dimensions of {min(lengths)} to {max(lengths)} frames; give all of a case the"
            " same"
        )
    values = np.array(dimensions, dtype=np.float64).T
    known = np.flatnonzero(~np.isnan(values).all(axis=1))
    if not known.size:
        raise DataError(f"{path}: line {number} holds no number; remove the line")
    last = int(known[-1]) + 1
    return np.ascontiguousarray(values[:last]), len(values) - last


_READERS: dict[str, Callable[[Path, list[str]], _RawSet]] = {
    "table": _read_long,
    "parquet": _read_long,
    "npz": _read_npz,
    "ts": _read_ts,
}


# --- labels -----------------------------------------------------------------------------------------------------------


def _label(
    sequences: SequenceSet, found: _Found, labels: str | os.PathLike[str] | None, notes: list[str]
) -> SequenceSet:
    """Attach the labels of the labels file, or of the sub-folders."""
    if labels is None:
        return sequences
    if labels == "folders":
        tops = [name.partition("/")[0] if "/" in name else UNLABELLED for name in sequences.ids.tolist()]
        if found.kind not in ("audio", "table") or not any(tops):
            raise DataError(f"{found.root}: has no sub-folders with sequences; labels='folders' needs some")
        return replace(sequences, labels=np.array(tops, dtype=np.str_))
    path = found.root / Path(str(labels))
    if not path.is_file():
        if str(labels) == _LABELS_FILE:
            return sequences
        raise DataError(f"{path}: no such labels file; check the name, it is relative to the folder")
    return _attach(sequences, _read_labels(path), path, set(found.names.values()), notes)


def _read_labels(path: Path) -> list[tuple[int, str, str, str | None]]:
    """Line, id, label and group of every row of a labels file."""
    text, _ = _decode(_read_bytes(path), path)
    lines = text.splitlines()
    head = next((i for i, line in enumerate(lines) if line.strip()), None)
    if head is None:
        raise DataError(f"{path}: is empty; write the header id,label and one row for each sequence")
    separator = next((mark for mark in (",", ";", "\t") if mark in lines[head]), ",")
    header = [cell.lower() for cell in _cells(lines[head], separator)]
    for column in ("id", "label"):
        if header.count(column) != 1:
            raise DataError(f"{path}: its header is {lines[head][:60]!r}, expected id,label or id,label,group")
    rows = []
    reader = csv.reader(io.StringIO("\n".join(lines[head + 1 :])), delimiter=separator)
    for cells in reader:
        line = head + 1 + reader.line_num
        if not any(cell.strip() for cell in cells):
            continue
        if len(cells) < len(header):
            cells = cells + [""] * (len(header) - len(cells))
        if len(cells) > len(header) and any(cell.strip() for cell in cells[len(header) :]):
            raise DataError(
                f"{path}: line {line} has {len(cells)} cells but the header has {len(header)};"
                " put cells that hold a separator in quotes"
            )
        entry = _plain(cells[header.index("id")])
        if not entry:
            raise DataError(f"{path}: line {line} has no id; fill it in or remove the line")
        group = _plain(cells[header.index("group")]) if "group" in header else None
        rows.append((line, entry, _plain(cells[header.index("label")]), group))
    if not rows:
        raise DataError(f"{path}: holds no row; write one for each sequence or remove the file")
    return rows


def _key(entry: str) -> str:
    key = unicodedata.normalize("NFC", entry).replace("\\", "/")
    while key.startswith("./"):
        key = key[2:]
    return key


def _stem(key: str) -> str:
    base, dot, suffix = key.rpartition(".")
    return base if dot and f".{suffix.lower()}" in _SUFFIXES else key


def _attach(
    sequences: SequenceSet,
    rows: Iterable[tuple[int, str, str, str | None]],
    path: Path,
    files: set[str],
    notes: list[str],
) -> SequenceSet:
    ids = [_key(entry) for entry in sequences.ids.tolist()]
    exact = {entry: i for i, entry in enumerate(ids)}
    stems: dict[str, list[int]] = {}
    for i, entry in enumerate(ids):
        stems.setdefault(_stem(entry), []).append(i)
    skipped = {_key(entry) for entry in files} | {_stem(_key(entry)) for entry in files}
    labels = np.full(len(ids), UNLABELLED, dtype=object)
    groups = np.full(len(ids), UNLABELLED, dtype=object)
    where: dict[int, int] = {}
    strange: list[str] = []
    has_groups = False
    for line, entry, label, group in rows:
        key = _key(entry)
        matches = [exact[key]] if key in exact else stems.get(key, [])
        if len(matches) > 1:
            raise DataError(
                f"{path}: line {line}: {entry!r} may be {ids[matches[0]]!r} or {ids[matches[1]]!r}; write the extension"
            )
        if not matches:
            if key not in skipped:
                strange.append(entry)
            continue
        i = matches[0]
        if i in where and (labels[i] != label or groups[i] != (group or UNLABELLED)):
            raise DataError(
                f"{path}: lines {where[i]} and {line} contradict each other about {ids[i]!r}; remove one of them"
            )
        where[i] = line
        labels[i], groups[i] = label, group or UNLABELLED
        has_groups = has_groups or bool(group)
    if not where:
        raise DataError(
            f"{path}: none of its ids is that of a sequence, for example {strange[0] if strange else '?'!r} where an id"
            f" looks like {ids[0]!r}; write the path relative to the folder"
        )
    if strange:
        notes.append(f"{path.name}: {_count(len(strange), 'id')} without a sequence: {_listed(strange)}")
    labelled = int((labels != UNLABELLED).sum())
    if 0 < labelled < len(ids):
        notes.append(
            f"{path.name}: labels for {labelled} of {len(ids)} sequences; the others have the label {UNLABELLED!r}"
        )
    changes: dict[str, Any] = {}
    if labelled:
        changes["labels"] = labels.astype(np.str_)
    if has_groups:
        changes["groups"] = groups.astype(np.str_)
    return replace(sequences, **changes)


# --- what a user should know ------------------------------------------------------------------------------------------


def _remarks(sequences: SequenceSet) -> list[str]:
    """Sentences on sequences that no measure can make much of."""
    remarks = []
    ids = sequences.ids.tolist()
    single = [ids[i] for i in np.flatnonzero(sequences.lengths == 1)]
    if single:
        remarks.append(f"{_count(len(single), 'sequence')} of a single frame, without dynamics: {_listed(single)}")
    still = [ids[i] for i, frames in enumerate(sequences) if len(frames) > 1 and (frames == frames[0]).all()]
    if still:
        remarks.append(f"{_count(len(still), 'sequence')} constant from first to last frame: {_listed(still)}")
    flat = np.flatnonzero((sequences.values == sequences.values[0]).all(axis=0))
    if flat.size and len(sequences.values) > 1 and flat.size < sequences.n_features:
        columns = sequences.provenance.get("columns")
        named = [str(columns[i]) if columns is not None else str(i) for i in flat]
        remarks.append(f"{_count(flat.size, 'feature')} the same in every frame of every sequence: {_listed(named)}")
    twins: dict[bytes, list[str]] = {}
    for i, frames in enumerate(sequences):
        twins.setdefault(content_key(frames), []).append(ids[i])
    for group in [group for group in twins.values() if len(group) > 1][:5]:
        remarks.append(f"{len(group)} sequences are identical: {_listed(group)}")
    return remarks


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def _listed(names: Sequence[str], most: int = 5) -> str:
    """The first names, and how many more there are."""
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"
