"""Channels of physiological recordings, each with a name and a rate, as a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ..core.arrays import FloatArray
from ..core.clock import SECONDS
from ..core.errors import DataError
from ..core.wording import as_typed, listed, plain
from .columns import found_name
from .reading import Reading
from .table import Table, ordered


@dataclass(frozen=True)
class Channel:
    """One channel: its values and their rate in Hz."""

    values: FloatArray
    rate: float


def table_of_channels(channels: Mapping[str, Channel], path: Path, how: Reading) -> Table:
    """Return the table of the channels of one rate, with the time in seconds; column options select channels.

    Raises
    ------
    DataError
        If there is none, or the channels that are requested have several rates.
    """
    dropped = {found_name(name, list(channels), path, "drop_columns") for name in how.drop_columns}
    names = [name for name in channels if name not in dropped]
    if how.value_columns is not None:
        names = [found_name(str(name), names, path, "value_columns") for name in how.value_columns]
    if not names:
        raise DataError(f"{path}: holds no channel; leave it out")
    rates = Counter(channels[name].rate for name in names)
    if len(rates) > 1:
        by_rate = "; ".join(
            f"{plain(rate)} Hz: {listed([name for name in names if channels[name].rate == rate])}"
            for rate in sorted(rates)
        )
        raise DataError(
            f"{path}: its channels have {len(rates)} rates ({by_rate}); name channels of one rate"
            f" ({how_to_choose([name for name in names if channels[name].rate == rates.most_common(1)[0][0]])})"
        )
    (rate,) = rates
    length = min(len(channels[name].values) for name in names)
    values = np.column_stack([channels[name].values[:length] for name in names])
    if not length:
        raise DataError(f"{path}: holds no sample; leave it out")
    table = Table(values, tuple(names), True, np.arange(1, length + 1), "sample")
    table.time, table.unit = np.arange(length) / rate, SECONDS
    return table


def how_to_choose(names: list[str]) -> str:
    """Return the option that names channels, as its reader writes it."""
    return as_typed("value_columns", names)


Interval = tuple[float, float, str]
"""Start and end of each annotation in seconds, and its text."""


def annotated(table: Table, intervals: Sequence[Interval], path: Path, how: Reading) -> Table:
    """Return a table with its annotations as labels, or only the annotated parts, each a sequence.

    Parameters
    ----------
    table : Table
        With the time in seconds, from 0.
    intervals : sequence of Interval
        Those that end before they begin, or lie outside the recording, are left out.
    path : Path
    how : Reading

    Raises
    ------
    DataError
        If there is none, or labels differ.
    """
    assert table.time is not None
    if how.annotations == "labels":
        texts = sorted({text for _, _, text in intervals})
        if len(texts) != 1:
            said = f"has the annotations {listed(texts)}" if texts else "has no annotation"
            raise DataError(
                f"{path}: {said}, and a label is one; pass {as_typed('annotations', 'segments')} or leave it out"
            )
        return replace(table, label=np.full(len(table.values), texts[0]))
    # Half a frame, so that rounding moves no border.
    step = float(table.time[1] - table.time[0]) if len(table.time) > 1 else 1.0
    spans: dict[str, tuple[int, int, str]] = {}
    for start, stop, text in intervals:
        first, end = (int(np.searchsorted(table.time, moment - step / 2)) for moment in (start, stop))
        if first < end:
            spans.setdefault(f"{start:.3f}-{stop:.3f}", (first, end, text))
    if not spans:
        raise DataError(
            f"{path}: has no annotation with a duration within the recording; leave {as_typed('annotations')} out"
        )
    rows = np.concatenate([np.arange(first, end) for first, end, _ in spans.values()])
    lengths = [end - first for first, end, _ in spans.values()]
    return replace(
        ordered(table, rows),
        id=np.repeat(np.array(list(spans)), lengths),
        label=np.repeat(np.array([text for _, _, text in spans.values()]), lengths),
    )


def require_signals(how: Reading, files: Iterable[Path]) -> None:
    """Refuse to read annotations from files that cannot have any."""
    if how.annotations is not None and not any(file.suffix.lower() in (".edf", ".hea") for file in files):
        raise DataError(f"{how.as_typed('annotations')} is for EDF and WFDB files, but there is none; leave it out")
