"""Describe sequences as read: content, interpretation, and options that would change it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from .clock import clock_of, display_clock, duration
from .sequences import SequenceSet, numbered_columns
from .streamed import SequenceParts
from .wording import as_typed, count, listed

_SEQUENCES, _ROWS, _COLUMNS = 10, 5, 8
"""Largest numbers of sequences, frames of the first one, and channels that are printed."""
_TABLES = ("table", "parquet")
_FEW = 5
"""Least number of sequences for groups."""


def overview(sequences: SequenceSet | SequenceParts) -> str:
    """Return the text of ``kinseq read`` below its heading, computing only the first rows of streamed data."""
    facts = [("from", _source(sequences)), *_channels(sequences), ("time", _time(sequences))]
    facts += [(name, _divided(getattr(sequences, name))) for name in ("labels", "groups")]
    blocks = [
        [f"{name:10}{text}" for name, text in facts if text],
        _table(_of_sequences(sequences), "sequences", len(sequences) - _SEQUENCES),
        _table(_first_rows(sequences), f"first rows of {sequences.ids[0]}", 0),
        _listed("notes", sequences.notes),
        _listed("options that would change it", _options(sequences)),
    ]
    return "\n\n".join("\n".join(block) for block in blocks if block)


def _source(sequences: SequenceSet | SequenceParts) -> str:
    files = sequences.provenance.get("files")
    return f"{sequences.source}" + (f" ({count(int(files), 'file')})" if files is not None else "")


def _channels(sequences: SequenceSet | SequenceParts) -> list[tuple[str, str]]:
    alphabet = sequences.alphabet if isinstance(sequences, SequenceSet) else None
    if alphabet is not None:
        return [("symbols", f"{len(alphabet)}: {listed(alphabet, _COLUMNS)}")]
    return [("channels", listed(numbered_columns(sequences), _COLUMNS))]


def _time(sequences: SequenceSet | SequenceParts) -> str:
    """Return a description of the time of frames."""
    column = sequences.provenance.get("time_column")
    source = "" if column is None else f", by the column {column!r}"
    clock = display_clock(sequences)
    if clock is None:
        return f"unknown; lengths are in frames{source}"
    longest = duration(clock, int(sequences.lengths.max()))
    # A step of 600 s is 600 s and not 0.167 h, though the lengths are in hours.
    step = duration(clock if clock.step >= 1 else clock_of(sequences) or clock, 1)
    return f"{step} from frame to frame{source}; the longest sequence has {longest}"


def _divided(entries: Any) -> str:
    """Return the labels or groups with their numbers of sequences."""
    if entries is None:
        return ""
    counts = Counter(str(entry) for entry in entries.tolist())
    return listed([f"{entry or 'without'} ({number})" for entry, number in sorted(counts.items())], _COLUMNS)


def _of_sequences(sequences: SequenceSet | SequenceParts) -> list[list[str]]:
    clock = display_clock(sequences)
    columns = [("label", sequences.labels), ("group", sequences.groups)]
    kept = [(name, entries) for name, entries in columns if entries is not None]
    rows = [["id", "frames", *(["length"] if clock is not None else []), *(name for name, _ in kept)]]
    for i in range(min(_SEQUENCES, len(sequences))):
        frames = int(sequences.lengths[i])
        length = [] if clock is None else [duration(clock, frames)]
        rows.append([str(sequences.ids[i]), str(frames), *length, *(str(entries[i]) for _, entries in kept)])
    return rows


def _first_rows(sequences: SequenceSet | SequenceParts) -> list[list[str]]:
    first = sequences if isinstance(sequences, SequenceSet) else next(sequences.read(sequences.places[:1]))
    frames = first[0][:_ROWS]
    alphabet = first.alphabet
    if alphabet is not None:
        codes = frames[:, 0].astype(np.int64).tolist()
        return [["symbol"], *([alphabet[code] if code >= 0 else "missing"] for code in codes)]
    more = ["..."] if sequences.n_features > _COLUMNS else []
    rows = [[f"{value:.5g}" for value in row[:_COLUMNS].tolist()] + more for row in frames]
    return [numbered_columns(sequences)[:_COLUMNS] + more, *rows]


def _table(rows: Sequence[Sequence[str]], title: str, more: int) -> list[str]:
    """Return rows below a title, with aligned columns."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return [title, *(f"  {line}" for line in lines), *([f"  and {more} more"] if more > 0 else [])]


def _listed(title: str, sentences: Iterable[str]) -> list[str]:
    lines = [f"  - {sentence}" for sentence in sentences]
    return [title, *lines] if lines else []


def _options(sequences: SequenceSet | SequenceParts) -> list[str]:
    """Return options that suit these data, each with its effect."""
    kind, one_column = sequences.provenance.get("kind"), sequences.n_features == 1
    said: list[tuple[str, str]] = []
    if kind == "audio":
        said += [("features", "other features of recordings, as music"), ("sample_rate", "another rate in Hz")]
        said += [("segments", "cut recordings into segments, by tables or by their energy (auto)")]
    if kind in _TABLES:
        said += [("id_column", "the column that divides rows into sequences"), ("time_column", "the column of times")]
        said += [] if one_column else [("value_columns", "the columns that are features")]
        said += [] if one_column else [("drop_columns", "columns to leave out")]
        said += [("rows", "whether rows are frames, series, or moments whose columns are series")]
        said += (
            []
            if display_clock(sequences) is not None
            else [("rate", "frames per second, where no column tells the time")]
        )
        said += [("every", "put rows on a regular clock by their times, as 1min")]
    symbols = isinstance(sequences, SequenceSet) and sequences.alphabet is not None
    if symbols:
        said += [
            ("symbols", "the column of symbols, characters, or words"),
            ("id_column", "the column that divides rows into sequences"),
        ]
        said += [("time_column", "the column of times"), ("every", "the state at each step of time, as 1min")]
        said += [("drop_columns", "columns to leave out")]
    said += [] if kind == "audio" or symbols else [("cut", "cut into pieces of a length, as 1d, or 256 frames")]
    if sequences.labels is None:
        said += [("labels", "a file id,label, the sub-folders (folders), or a column of labels")]
    else:
        said += [("labels", "labels from elsewhere")]
    lines = [f"{as_typed(name)}: {what}" for name, what in said]
    if len(sequences) < _FEW:
        lines.insert(
            0, f"few sequences show no groups; cut long ones into more with {as_typed('cut')} or {as_typed('cut_at')}"
        )
    return lines
