"""Channels of recordings of the body, each with a name and a rate, as a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from kinseq.core.arrays import FloatArray
from kinseq.core.clock import SECONDS
from kinseq.core.errors import DataError
from kinseq.core.table_options import TableOptions
from kinseq.core.wording import listed, plain

from .columns import found_name
from .table import Table


@dataclass(frozen=True)
class Channel:
    """One channel: its values and their rate in Hz."""

    values: FloatArray
    rate: float


def table_of_channels(channels: Mapping[str, Channel], path: Path, how: TableOptions) -> Table:
    """Table of the channels of one rate, with the time in seconds; channels are chosen by the options of columns.

    Raises
    ------
    DataError
        If there is none, or the channels that are asked for have several rates.
    """
    names = [
        name
        for name in channels
        if name not in {found_name(n, list(channels), path, "drop_columns") for n in how.drop_columns}
    ]
    if how.value_columns is not None:
        names = [found_name(name, names, path, "value_columns") for name in how.value_columns]
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
    """The option that names channels, as its reader writes it."""
    from kinseq.core.table_options import asked_of_tables

    return asked_of_tables("value_columns", names)
