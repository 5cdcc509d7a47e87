"""Recordings in the European Data Format, by the optional package edfio."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..core.errors import DataError
from ..core.extras import from_extra
from .reading import USUAL, Reading
from .signals import Channel, annotated, table_of_channels
from .table import Table


def read_edf(path: Path, how: Reading = USUAL) -> Table:
    """Return the table of the channels of an EDF file, in their physical units.

    Raises
    ------
    ParameterError
        If edfio is not installed.
    DataError
        If the file cannot be read, or its channels have several rates.
    """
    with from_extra("files", f"{path}: reading an EDF file"):
        import edfio
    try:
        recording = edfio.read_edf(path)
        labels = [signal.label for signal in recording.signals]
        twice = next((label for label in labels if labels.count(label) > 1), None)
        if twice is not None:
            raise DataError(f"{path}: two channels are called {twice!r}; rename one of them")
        channels = {
            signal.label: Channel(np.asarray(signal.data, dtype=np.float64), float(signal.sampling_frequency))
            for signal in recording.signals
        }
        intervals = [(note.onset, note.onset + (note.duration or 0.0), note.text) for note in recording.annotations]
    except Exception as error:  # of many kinds, for a truncated file or another format
        if isinstance(error, DataError):
            raise
        raise DataError(f"{path}: cannot be read as EDF ({error!r:.100}); export it again") from error
    table = table_of_channels(channels, path, how)
    return table if how.annotations is None else annotated(table, intervals, path, how)
