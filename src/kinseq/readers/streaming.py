"""A long table in a Parquet file too large for memory, read by blocks of rows.

What its columns mean is settled by its first rows, as of any table. Then one pass finds the sequences: rows with one id lie
together, in the order of their time. Any further pass reads the features alone. What this does not serve (text, dates, tidy tables,
codes for missing numbers) is read as a whole, like a table of moderate size.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..core.arrays import FloatArray, IntArray
from ..core.errors import DataError, printable
from ..core.folders import Missing
from ..core.progress import Progress
from ..core.sequences import SequenceSet
from ..core.streamed import SequenceParts
from .arrays import as_floats
from .discovery import find
from .labels import attach_labels, open_labels
from .long_table import sequences_of
from .missing import MAX_MAGNITUDE, assemble, completed
from .parquet import cell_text, table_of_frame
from .raw import Raw
from .reading import Reading
from .text import plain_text

if TYPE_CHECKING:
    import pyarrow
    from pyarrow import parquet

HEAD_ROWS = 10_000
"""Rows that describe the columns."""
ASKED = ("id_column", "time_column", "value_columns", "drop_columns")
"""Options available for a streamed file."""


STREAMED_FROM = 2**25
"""Number of values in a file above which it is streamed, if its format allows."""
PLACED_READ_FROM = 2**20
"""As above for new sequences, where rows in another order are no error."""
READ_AT_ONCE = 2**20
"""Number of rows of such a file read at a time; it does not affect results."""


def open_in_parts(
    path: Path,
    least: int | None,
    how: Reading,
    *,
    name: str | None = None,
    progress: bool = False,
    rows: int | None = None,
) -> SequenceParts | None:
    """Sequences of a Parquet file of at least `least` numbers, with notes; None to read it as a whole.

    Without `least` it is :data:`STREAMED_FROM`. Some `rows` are read at a time, or :data:`READ_AT_ONCE`.

    Raises
    ------
    DataError
        If the rows of an id do not lie together, are not in the order of their time, or what any table is refused for.
    """
    if path.suffix.lower() not in (".parquet", ".pq") or not path.is_file():
        return None
    file = _opened(path, STREAMED_FROM if least is None else least)
    if file is None or not set(how.given_of_tables) <= set(ASKED):
        return None
    layout = _layout(file, path, how)
    if layout is None:
        return None
    contents = find(path, how.labels_file, None)
    rows_of_labels = open_labels(contents, how.labels_file)
    table = _LongTable(path, layout, how.missing, READ_AT_ONCE if rows is None else rows)
    ids, lengths, own = table.scan(progress)
    # Labels are matched by id, whatever the frames.
    stand_in = SequenceSet(
        np.zeros((len(ids), 1)),
        np.arange(len(ids) + 1),
        ids=ids,
        name=name or printable(path.stem) or "own",
        provenance={"path": printable(str(path)), "kind": contents.kind, **layout.provenance},
        notes=layout.notes,
        **own,
    )
    known = attach_labels(stand_in, contents, how.labels_file, rows_of_labels)
    places = np.arange(len(ids))
    read = _Reading(table, np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64), known.ids)
    return SequenceParts(
        known.ids,
        lengths,
        len(layout.features),
        places,
        read,
        labels=known.labels,
        groups=known.groups,
        name=known.name,
        provenance=known.provenance,
        notes=known.notes,
        reading=how,
    )


def _opened(path: Path, least: int) -> parquet.ParquetFile | None:
    """The file, if it is large and readable by pyarrow; otherwise reading it as a whole reports the error."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        return None
    try:
        file = parquet.ParquetFile(path)
    except (OSError, pyarrow.ArrowException):
        return None
    return file if file.metadata.num_rows * file.metadata.num_columns >= least else None


@dataclass(frozen=True)
class _Layout:
    """Columns of the file by role, and the time derived from the first rows."""

    id: str
    features: tuple[str, ...]
    names: tuple[str, ...]
    time: str | None
    label: str | None
    group: str | None
    provenance: dict[str, Any]
    notes: tuple[str, ...]


def _layout(file: parquet.ParquetFile, path: Path, how: Reading) -> _Layout | None:
    """Return the roles of the columns from the first rows; None if a column is not plain."""
    import pyarrow

    types = {str(entry.name).strip(): (entry.name, entry.type) for entry in file.schema_arrow}
    head = next(file.iter_batches(batch_size=HEAD_ROWS), None)
    if head is None or len(types) < len(file.schema_arrow):
        return None
    table = table_of_frame(pyarrow.Table.from_batches([head]).to_pandas(), path, how)
    if table.id is None or table.restart_column:
        return None

    def column(wanted: str | None) -> str | None:
        """The name of a column in the file, ignoring case if that is unambiguous."""
        exact = [name for name in types if name == wanted]
        alike = exact or [name for name in types if wanted is not None and name.lower() == wanted.lower()]
        return types[alike[0]][0] if len(alike) == 1 else None

    def is_plain(name: str | None) -> bool:
        kind = None if name is None else types[name.strip()][1]
        return kind is not None and (pyarrow.types.is_integer(kind) or pyarrow.types.is_floating(kind))

    own_id = column(str(how.id_column or "id"))
    raw = sequences_of(table, path, how=how)
    names = tuple(name for name in table.columns if name in (raw.sequences[0].columns or ()))
    features = tuple(column(name) for name in names)
    time = None if table.time is None else column(table.time_name)
    if own_id is None or not all(map(is_plain, features)) or (table.time is not None and not is_plain(time)):
        return None
    label, group = (
        None if entry is None else column(name) for name, entry in (("label", table.label), ("group", table.group))
    )
    provenance = assemble(raw, path.stem, how).provenance
    kept = {key: entry for key, entry in provenance.items() if key != "interpolated"}
    return _Layout(own_id, tuple(map(str, features)), names, time, label, group, kept, (*raw.first, *raw.notes))


@dataclass(frozen=True)
class _LongTable:
    """The file and the roles of its columns."""

    path: Path
    layout: _Layout
    missing: Missing
    rows: int

    def _batches(
        self, columns: list[str], begin: int = 0, end: int | None = None
    ) -> Iterator[tuple[int, pyarrow.RecordBatch]]:
        """Some columns of rows `begin` up to `end`, including those stored with them; the offset of each batch before it."""
        from pyarrow import parquet

        with parquet.ParquetFile(self.path) as file:
            sizes = [file.metadata.row_group(i).num_rows for i in range(file.metadata.num_row_groups)]
            ends = np.cumsum(sizes, dtype=np.int64)
            last = ends[-1] if end is None else end
            wanted = np.flatnonzero((ends > begin) & (ends - sizes < last))
            place = int((ends - sizes)[wanted[0]])
            for batch in file.iter_batches(batch_size=self.rows, columns=columns, row_groups=wanted.tolist()):
                yield place, batch
                place += len(batch)

    def scan(self, progress: bool) -> tuple[NDArray[np.str_], IntArray, dict[str, Any]]:
        """Ids and lengths of the sequences, and labels and groups if present."""
        from pyarrow import parquet

        total = parquet.read_metadata(self.path).num_rows
        reported = Progress(f"look through {self.path.name}", total, unit="row") if progress else None
        layout, rows = self.layout, 0
        ids: list[Any] = []
        starts: list[IntArray] = []
        entries: dict[str, list[Any]] = {name: [] for name in ("label", "group") if getattr(layout, name) is not None}
        before: tuple[Any, float] | None = None
        for place, batch in self._batches(
            [name for name in (layout.id, layout.time, layout.label, layout.group) if name]
        ):
            firsts, values = _runs(batch.column(layout.id))
            if any(value is None for value in values):
                row = place + int(firsts[values.index(None)]) + 1
                raise DataError(f"{self.path}: row {row} has no id; fill it in or remove the row")
            goes_on = before is not None and before[0] == values[0]
            self._require_order(batch, firsts, values, before if goes_on else None, place)
            for name, column in entries.items():
                own, changes = batch.column(getattr(layout, name)), firsts
                found, texts = _runs(own)
                odd = np.setdiff1d(found[1:], changes)
                same = not goes_on or column[-1] == texts[0]
                if odd.size or not same:
                    row = place + int(odd[0] if odd.size else 0) + 1
                    raise DataError(
                        f"{self.path}: row {row}, column {name!r} differs within a sequence; give a sequence one {name}, or"
                        " rename the column if it is a feature"
                    )
                column += np.array(texts, dtype=object)[np.searchsorted(found, changes, side="right") - 1].tolist()[
                    goes_on:
                ]
            ids += values[goes_on:]
            starts.append(firsts[goes_on:] + place)
            last = 0.0 if layout.time is None else float(batch.column(layout.time)[len(batch) - 1].as_py() or 0.0)
            before, rows = (values[-1], last), place + len(batch)
            if reported is not None:
                reported.step(len(batch))
        names = np.array([plain_text(cell_text(entry)) for entry in ids], dtype=np.str_)
        self._require_once(names)
        lengths = np.diff(np.append(np.concatenate(starts), rows)).astype(np.int64)
        own = {
            f"{name}s": np.array(
                [plain_text("" if entry is None else cell_text(entry)) for entry in column], dtype=np.str_
            )
            for name, column in entries.items()
        }
        return names, lengths, own

    def _require_order(
        self,
        batch: pyarrow.RecordBatch,
        firsts: IntArray,
        values: list[Any],
        before: tuple[Any, float] | None,
        place: int,
    ) -> None:
        """Refuse rows of a sequence that are not in order of time."""
        if self.layout.time is None:
            return
        times = batch.column(self.layout.time).to_numpy(zero_copy_only=False).astype(np.float64)
        steps = np.diff(times, prepend=times[0] if before is None else before[1])
        steps[firsts[int(before is not None) :]] = 0.0
        wrong = np.flatnonzero(~(steps >= 0.0))
        if wrong.size:
            row = int(wrong[0])
            entry = values[int(np.searchsorted(firsts, row, side="right")) - 1]
            raise DataError(
                f"{self.path}: row {place + row + 1}, column {self.layout.time!r}, in sequence {cell_text(entry)!r}, is missing or"
                " earlier than the row before; a file of this size is read in parts, so sort its rows by id and time"
            )

    def _require_once(self, names: Any) -> None:
        """Refuse an id with scattered rows."""
        unique, counts = np.unique(names, return_counts=True)
        if (counts > 1).any():
            raise DataError(
                f"{self.path}: the rows of sequence {str(unique[counts > 1][0])!r} do not lie together; a file of this size is"
                f" read in parts, so sort its rows by the column {self.layout.id!r}"
            )

    def stretches(self, offsets: IntArray, first: int, stop: int) -> Iterator[tuple[int, int, FloatArray]]:
        """Sequences from `first` up to `stop` in stretches: the first, the end, and their frames."""
        columns = [
            *self.layout.features,
            *([self.layout.time] if self.layout.time and self.missing != "refuse" else []),
        ]
        held, begin, end = np.zeros((0, len(columns))), int(offsets[first]), int(offsets[stop])
        for place, batch in self._batches(list(dict.fromkeys(columns)), begin, end):
            asked_for = batch.slice(max(begin - place, 0))
            if not len(asked_for):
                continue
            values = np.column_stack([self._numbers(asked_for, name) for name in columns])
            held = np.concatenate([held, values]) if len(held) else values
            # The last sequence may continue in the next batch.
            behind = min(int(np.searchsorted(offsets, place + len(batch), side="right")) - 1, stop)
            if behind > first:
                taken = int(offsets[behind] - offsets[first])
                yield first, behind, held[:taken]
                held, first = held[taken:].copy(), behind

    def _numbers(self, batch: pyarrow.RecordBatch, name: str) -> FloatArray:
        column = batch.column(name)
        if column.null_count:
            column = column.cast("float64")
        return as_floats(column.to_numpy(zero_copy_only=False), self.path, f"has a column {name!r}")


@dataclass(frozen=True)
class _Reading:
    """Reads sequences at some positions of the file, in parts."""

    table: _LongTable
    offsets: IntArray
    ids: Any

    def __call__(self, places: IntArray) -> Iterator[SequenceSet]:
        d, offsets = len(self.table.layout.features), self.offsets
        if not places.size:
            return
        for first, behind, held in self.table.stretches(offsets, int(places[0]), int(places[-1]) + 1):
            wanted = places[np.searchsorted(places, first) : np.searchsorted(places, behind)]
            if not wanted.size:
                continue
            lengths = np.diff(offsets)[wanted]
            starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
            rows = np.arange(starts[-1]) + np.repeat(offsets[wanted] - offsets[first] - starts[:-1], lengths)
            values, times = held[rows, :d], held[rows, d:]
            self._complete(values, times, starts, wanted)
            yield SequenceSet(values, starts, ids=self.ids[wanted])

    def _complete(self, values: FloatArray, times: FloatArray, starts: IntArray, wanted: IntArray) -> None:
        """Interpolate or refuse missing numbers, in place."""
        odd, names = ~(np.abs(values) <= MAX_MAGNITUDE).all(axis=1), self.table.layout.names
        for i in np.unique(np.searchsorted(starts, np.flatnonzero(odd), side="right") - 1).tolist():
            part, first = slice(int(starts[i]), int(starts[i + 1])), int(self.offsets[wanted[i]])
            sequence = Raw(
                str(self.ids[wanted[i]]),
                str(self.table.path),
                values[part],
                partial(_place, first, names),
                times[part, 0] if times.shape[1] else None,
            )
            completed(sequence, self.table.missing)
            values[part] = sequence.values


def _place(first: int, names: tuple[str, ...], row: int, column: int) -> str:
    """Where a number stands in the file, for messages."""
    return f"row {first + row + 1}, column {names[column]!r}"


def _runs(column: pyarrow.Array) -> tuple[IntArray, list[Any]]:
    """Start of each run of equal cells, and the cell."""
    import pyarrow
    from pyarrow import compute

    if pyarrow.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    runs = compute.run_end_encode(column)
    ends = runs.run_ends.to_numpy(zero_copy_only=False).astype(np.int64)
    return np.concatenate([[0], ends[:-1]]).astype(np.int64), runs.values.to_pylist()
