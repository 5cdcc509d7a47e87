"""From recordings and tables to segments: matching tables to recordings, and usable rows."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

from ...core.errors import DataError, ParameterError
from ...core.folders import walk
from ...core.wording import as_typed, count, in_seconds, listed
from ...features.activity import COARSE, GAP, OTHER_SHARE, RISE, WINDOW_SECONDS, excess, segments_of
from ...features.audio import AUDIO_SUFFIXES, Excerpt, audio_info
from ...features.extraction import Notes, OnBadFile, map_files
from ...features.recordings import RecordingInfo
from ..discovery import Contents
from ..text import decode, read_bytes
from . import LAYOUTS
from .layout import Segment, SegmentLayout

AUTO, BESIDE = "auto", "beside"
"""Segments by energy; by the tables next to the recordings."""
SUFFIXES = frozenset({".txt", ".csv", ".tsv", ".textgrid"})
"""Extensions of tables that are searched next to recordings."""
# Number of files, and bytes of each, examined if no tables were chosen
_LOOKED_AT, _BEGINNING = 50, 1 << 14
_SLACK_SECONDS = 0.01
"""Largest excess, in seconds, of a segment over its recording, since tables are rounded."""


@dataclass(frozen=True)
class SegmentTable:
    """A table of segments as read.

    Attributes
    ----------
    path : Path
    layout : SegmentLayout
    text : str
    segments : list of Segment
    """

    path: Path
    layout: SegmentLayout
    text: str
    segments: list[Segment]


@dataclass(frozen=True)
class Cuts:
    """Segments of recordings.

    Attributes
    ----------
    excerpts : list of Excerpt
        In the order of the recordings, and of time.
    ids : list of str
        Of the recording and the interval in seconds, as ``long.wav@12.300-13.450``.
    labels : list of str
        What tables say of each; empty where they say nothing.
    provenance : dict
        What :mod:`.export` needs to give tables back, and others to find the sound of a sequence.
    tables : tuple of Path
        The tables that were read.
    notes : tuple of str
        What was read, and what could not be used.
    """

    excerpts: list[Excerpt]
    ids: list[str]
    labels: list[str]
    provenance: dict[str, Any]
    tables: tuple[Path, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class _UsableSegment:
    """A usable segment of a recording."""

    name: str
    segment: Segment
    table: int


def cut(
    contents: Contents,
    segments: str | os.PathLike[str],
    *,
    tier: str | None = None,
    band: bool = False,
    on_bad_file: OnBadFile = "skip",
    jobs: int = 1,
    task: str | None = None,
) -> Cuts:
    """Cut recordings by tables, or by energy.

    Parameters
    ----------
    contents : Contents
        The recordings.
    segments : str or path-like
        Path of a table, relative to the working directory or to the recordings; :data:`BESIDE`; or :data:`AUTO`.
    tier : str, optional
        Tier of TextGrids.
    band : bool
        Whether each segment keeps only the band that its table gives.
    on_bad_file, jobs, task
        See :func:`kinseq.features.extraction.map_files`.

    Raises
    ------
    DataError
        If no table can be read or none of its segments used.
    ParameterError
        If a TextGrid needs a package that is missing, or the name of a tier.
    """
    infos, said = map_files(audio_info, contents.files, contents.names, on_bad_file=on_bad_file, jobs=jobs)
    notes = [*said]
    seconds = {
        contents.names[file]: info.seconds for file, info in zip(contents.files, infos, strict=True) if info is not None
    }
    if not seconds:
        raise DataError(f"{contents.root}: no recording can be read; the first reason: {notes[0]}")
    tables: list[SegmentTable] = []
    if segments == AUTO:
        pieces, said = _by_energy(contents, seconds, jobs, task)
        notes += said
    else:
        tables = _tables(contents, segments, tier)
        pieces, said = _usable(_placed(tables, contents, segments), seconds)
        stereo = any(info is not None and info.channels > 1 for info in infos)
        notes += [*said, _in_words(tables, pieces, band, stereo)]
    if not pieces:
        raise DataError(f"{contents.root}: no segment can be used; {notes[-1]}")
    return _cuts(pieces, tables, contents, tier, band, tuple(notes))


def _cuts(
    pieces: Sequence[_UsableSegment],
    tables: Sequence[SegmentTable],
    contents: Contents,
    tier: str | None,
    band: bool,
    notes: tuple[str, ...],
) -> Cuts:
    pieces = sorted(pieces, key=_place)
    path_of = {name: file for file, name in contents.names.items()}
    ids = _ids(pieces)
    excerpts = []
    for piece in pieces:
        edges = (piece.segment.low, piece.segment.high) if band else (0.0, float("inf"))
        excerpts.append(
            Excerpt(path_of[piece.name], piece.segment.start, piece.segment.stop, *edges, piece.segment.channel)
        )
    labels = [piece.segment.label for piece in pieces]
    # Numbers assigned by programs, one per row, are not labels.
    labels = (
        labels if len(set(labels)) < len(labels) or not all(label.isdigit() for label in labels) else [""] * len(ids)
    )
    provenance = {
        "of": {
            entry: {
                "file": piece.name,
                "start": piece.segment.start,
                "stop": piece.segment.stop,
                "channel": piece.segment.channel,
            }
            for entry, piece in zip(ids, pieces, strict=True)
        },
        "rows": {
            entry: [piece.table, list(piece.segment.rows)]
            for entry, piece in zip(ids, pieces, strict=True)
            if piece.table >= 0
        },
        "tables": [{"name": table.path.name, "layout": table.layout.name, "text": table.text} for table in tables],
        "tier": tier,
    }
    return Cuts(excerpts, ids, labels, provenance, tuple(table.path for table in tables), notes)


def _place(piece: _UsableSegment) -> tuple[str, float, float, int]:
    return piece.name, piece.segment.start, piece.segment.stop, piece.segment.channel or 0


def _id(piece: _UsableSegment, digits: int) -> str:
    return f"{piece.name}@{piece.segment.start:.{digits}f}-{piece.segment.stop:.{digits}f}"


def _ids(pieces: Sequence[_UsableSegment]) -> list[str]:
    """Return names of pieces, with enough digits to be distinct, and with the channel if others overlap in time."""
    digits = 3
    while digits < 9 and len({(_id(piece, digits), piece.segment.channel) for piece in pieces}) < len(pieces):
        digits += 1
    ids = [_id(piece, digits) for piece in pieces]
    if len(set(ids)) == len(ids):
        return ids
    return [
        entry if (channel := piece.segment.channel) is None else f"{entry} channel {channel}"
        for entry, piece in zip(ids, pieces, strict=True)
    ]


def _by_energy(
    contents: Contents, seconds: Mapping[str, float], jobs: int, task: str | None
) -> tuple[list[_UsableSegment], Notes]:
    """Return segments of each recording by energy, and notes on the method."""
    files = [file for file in contents.files if contents.names[file] in seconds]
    found, notes = map_files(excess, files, contents.names, jobs=jobs, task=task)
    pieces: list[_UsableSegment] = []
    coarser = 0
    for file, above in zip(files, found, strict=True):
        if above is not None:
            pieces += [
                _UsableSegment(contents.names[file], Segment(float(start), float(stop), (), 0), -1)
                for start, stop in segments_of(above)
            ]
            coarser += len(segments_of(above, COARSE * GAP))
    durations = sorted(piece.segment.stop - piece.segment.start for piece in pieces)
    if pieces:
        said = (
            f"cut {count(len(files), 'recording')} by energy into {count(len(pieces), 'segment')} of {in_seconds(durations[0])} to"
            f" {in_seconds(durations[-1])}: where a band rises at least {RISE:g} dB above the background of the recording; a table"
            f" of segments ({as_typed('segments')}) cuts elsewhere"
        )
    else:
        said = f"no band rises {RISE:g} dB above its background anywhere; give a table ({as_typed('segments')})"
        return pieces, (*notes, said)
    if coarser < (1.0 - OTHER_SHARE) * len(pieces):
        gap = in_seconds(COARSE * GAP * WINDOW_SECONDS)
        notes = (
            *notes,
            f"if gaps of up to {gap} were part of a segment there would be {coarser} of them: check where calls end",
        )
    return pieces, (*notes, said)


def _tables(contents: Contents, segments: str | os.PathLike[str], tier: str | None) -> list[SegmentTable]:
    """Return the tables that are named, or next to the recordings."""
    if segments != BESIDE:
        path = segment_table(contents.root, segments)
        table = _read(path, tier)
        if table is None:
            raise DataError(
                f"{path}: is no table of segments that is known; a Raven selection table, labels of Audacity, a TextGrid, or a CSV"
                " with columns such as onset, offset, file and label are"
            )
        return [table]
    recordings = set(contents.files)
    beside = [
        file
        for file in walk(contents.root).files
        if file.suffix.lower() in SUFFIXES and file not in recordings and file.stem.lower() != "labels"
    ]
    tables = [table for file in beside if (table := _read(file, tier)) is not None]
    if not tables:
        raise DataError(
            f"{contents.root}: no table of segments next to the recordings; name one ({as_typed('segments')}), or cut by energy"
            f" ({as_typed('segments', AUTO)})"
        )
    return tables


def segment_table(root: Path, segments: str | os.PathLike[str] | None) -> Path:
    """Return the path of a named table; :class:`DataError` if there is none, :class:`ParameterError` for an invalid path."""
    if not isinstance(segments, (str, os.PathLike)) or not os.fspath(segments).strip():
        raise ParameterError(f"segments is {segments!r:.80}, expected the path of a table, {BESIDE!r} or {AUTO!r}")
    given = Path(segments).expanduser()
    for path in (given, root / given):
        if path.is_file():
            return path
    raise DataError(
        f"{given}: no such table of segments; check the path ({BESIDE!r} takes the tables next to the recordings, {AUTO!r} cuts by"
        " energy)"
    )


def _read(path: Path, tier: str | None) -> SegmentTable | None:
    """Return a table by the first matching layout; None if there is none."""
    text, _ = decode(read_bytes(path), path)
    layout = next((layout for layout in LAYOUTS if layout.matches(path, text)), None)
    return None if layout is None else SegmentTable(path, layout, text, layout.read(path, text, tier))


def looks_like_tables(files: Sequence[Path]) -> list[Path]:
    """Find tables of segments among some files by the beginnings of the first ones, if none were requested."""
    found = []
    for file in [file for file in files if file.suffix.lower() in SUFFIXES][:_LOOKED_AT]:
        try:
            with file.open("rb") as stream:
                text, _ = decode(stream.read(_BEGINNING), file)
        except (DataError, OSError):
            continue
        if any(layout.matches(file, text) for layout in LAYOUTS):
            found.append(file)
    return found


def _placed(
    tables: Sequence[SegmentTable], contents: Contents, segments: str | os.PathLike[str]
) -> list[_UsableSegment]:
    """Return segments with the names of their recordings; DataError if these are missing or ambiguous."""
    by_base = _by(contents, lambda name: PurePosixPath(name).name.lower())
    by_stem = _by(contents, lambda name: PurePosixPath(name).stem.lower())
    pieces = []
    for number, table in enumerate(tables):
        own = _recording_of(table, contents, by_stem)
        strange: dict[str, int] = {}
        placed = []
        for segment in table.segments:
            names = own if not segment.file else _named(segment.file, contents, by_base, by_stem)
            if len(names) > 1:
                raise DataError(
                    f"{table.path}: line {segment.line}: {segment.file or 'no file is named, so the recording'} may be"
                    f" {listed(names)}; write the path relative to the folder"
                )
            if not names and not segment.file:
                raise DataError(
                    f"{table.path}: does not say of which recording it is; add a column file, or name it like the recording"
                    f" ({Path(next(iter(contents.names.values()))).stem}.txt)"
                )
            if names:
                placed.append(_UsableSegment(names[0], segment, number))
            else:
                strange[segment.file] = strange.get(segment.file, 0) + 1
        if strange and not placed and segments != BESIDE:
            raise DataError(
                f"{table.path}: names recordings that are not there: {listed([*strange])}; check the folder"
            )
        pieces += placed
    return pieces


def _by(contents: Contents, key: Callable[[str], str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name in contents.names.values():
        found.setdefault(key(name), []).append(name)
    return found


def _named(
    file: str, contents: Contents, by_base: Mapping[str, list[str]], by_stem: Mapping[str, list[str]]
) -> list[str]:
    """Recordings that a cell may denote: by path, name, or name without extension."""
    path = PureWindowsPath(file)
    exact = [name for name in contents.names.values() if name == path.as_posix()]
    if exact:
        return exact
    if path.name.lower() in by_base:
        return by_base[path.name.lower()]
    return by_stem.get((path.stem if path.suffix.lower() in AUDIO_SUFFIXES else path.name).lower(), [])


def _recording_of(table: SegmentTable, contents: Contents, by_stem: Mapping[str, list[str]]) -> list[str]:
    """Recordings that a table may describe: the longest stem that its name begins with, or the only recording."""
    name = table.path.name.lower()
    stems = [
        stem
        for stem in by_stem
        if name.startswith(stem) and (name[len(stem) :][:1] in (".", "_", "-", " ") or name == stem)
    ]
    matched = by_stem[max(stems, key=len)] if stems else []
    if len(matched) > 1:
        near = [entry for entry in matched if (contents.root / entry).parent == table.path.parent]
        matched = near or matched
    return matched or ([*contents.names.values()] if len(contents.names) == 1 else [])


def _usable(pieces: Sequence[_UsableSegment], seconds: Mapping[str, float]) -> tuple[list[_UsableSegment], Notes]:
    """Return usable segments, and one sentence for each reason to omit or change others."""
    reasons: dict[str, list[str]] = {}
    good: dict[tuple[str, float, float, int | None], _UsableSegment] = {}

    def note(reason: str, piece: _UsableSegment) -> None:
        reasons.setdefault(reason, []).append(f"{piece.name}, {piece.segment.start:g} to {piece.segment.stop:g} s")

    for piece in pieces:
        segment, end = piece.segment, seconds.get(piece.name)
        if end is None:
            note("left out, of a recording that cannot be read", piece)
        elif segment.stop < segment.start:
            note("left out, which end before they begin", piece)
        elif segment.stop == segment.start:
            note("left out, which are empty", piece)
        elif segment.start < 0.0 or segment.start >= end:
            note("left out, which begin outside the recording", piece)
        else:
            if segment.stop > end + _SLACK_SECONDS:
                note("cut at the end of the recording, behind which they end", piece)
            piece = replace(piece, segment=replace(segment, stop=min(segment.stop, end)))
            key = (piece.name, piece.segment.start, piece.segment.stop, piece.segment.channel)
            if key in good:
                note("with the interval of another one, which count once", piece)
                first = good[key].segment
                if good[key].table == piece.table:
                    good[key] = replace(good[key], segment=replace(first, rows=(*first.rows, *piece.segment.rows)))
            else:
                good[key] = piece
    kept = sorted(good.values(), key=_place)
    reach: dict[tuple[str, int | None], float] = {}
    for piece in kept:
        heard = (piece.name, piece.segment.channel)
        if piece.segment.start < reach.get(heard, 0.0):
            note("that overlap the one before, whose sound they share", piece)
        reach[heard] = max(reach.get(heard, 0.0), piece.segment.stop)
    return kept, tuple(f"{count(len(which), 'segment')} {reason}: {listed(which)}" for reason, which in reasons.items())


def _in_words(
    tables: Sequence[SegmentTable], pieces: Sequence[_UsableSegment], band: bool, several_channels: bool
) -> str:
    """Return the sources of the segments in one sentence."""
    recordings = {piece.name for piece in pieces}
    used = {piece.table for piece in pieces}
    kinds = sorted({tables[number].layout.name for number in used})
    labelled = sum(bool(piece.segment.label) for piece in pieces)
    boxed = sum(piece.segment.low > 0.0 or piece.segment.high < float("inf") for piece in pieces)
    what = (
        f"{tables[0].path.name}: {kinds[0] if kinds else 'table'}"
        if len(tables) == 1
        else f"{len(used)} tables ({listed(kinds)})"
    )
    text = f"{what}, {count(len(pieces), 'segment')} of {count(len(recordings), 'recording')}"
    text += f", {labelled} with a label" if labelled else ""
    if boxed:
        which = (
            "outside of which nothing was kept"
            if band
            else f"which was not used ({as_typed('band', 'selection')} uses it)"
        )
        text += f", {boxed} with a band, {which}"
    channels = sorted({piece.segment.channel for piece in pieces if piece.segment.channel is not None})
    if len(channels) > 1:
        text += f"; each from its channel ({listed([str(channel) for channel in channels])})"
    elif channels and several_channels:
        text += f"; all from channel {channels[0]}"
    return text


def recorded(info: RecordingInfo, folder: Path, entry: str) -> Excerpt:
    """Return the location of the sound of a sequence: a recording, or a part of one."""
    place = info.segments.get("of", {}).get(entry)
    if place is None:
        return Excerpt(folder / entry)
    return Excerpt(folder / place["file"], float(place["start"]), float(place["stop"]), channel=place.get("channel"))
