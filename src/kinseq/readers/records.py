"""Records of PhysioNet's WFDB format, by the optional package wfdb: a header ``.hea`` and the signals next to it."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..core.errors import DataError
from ..core.extras import from_extra
from .reading import USUAL, Reading
from .signals import Channel, annotated, table_of_channels
from .table import Table

_ANNOTATIONS = ".atr"
"""Extension of the file of reference annotations; a text in it that begins with a bracket holds until the next one (a rhythm)."""


def read_record(path: Path, how: Reading = USUAL) -> Table:
    """Return the table of the signals of a local record, in physical units; nothing is downloaded.

    Raises
    ------
    ParameterError
        If wfdb is not installed.
    DataError
        If the record cannot be read, or lacks its signals.
    """
    with from_extra("files", f"{path}: reading a record of WFDB"):
        import wfdb
    try:
        # An absolute path is never looked up in an archive.
        record = wfdb.rdrecord(str(path.resolve().with_suffix("")), smooth_frames=True)
    except Exception as error:  # of many kinds, for a truncated file or another format
        raise DataError(
            f"{path}: cannot be read as a record of WFDB ({error!r:.100}); keep its files together"
        ) from error
    if record.p_signal is None or not record.n_sig:
        raise DataError(f"{path}: holds no signal; leave it out")
    names = [name or f"signal {j + 1}" for j, name in enumerate(record.sig_name)]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise DataError(f"{path}: two signals are called {twice!r}; rename one of them in the header")
    values = np.asarray(record.p_signal, dtype=np.float64)
    table = table_of_channels(
        {name: Channel(values[:, j], float(record.fs)) for j, name in enumerate(names)}, path, how
    )
    if how.annotations is None:
        return table
    if not path.with_suffix(_ANNOTATIONS).is_file():
        raise DataError(f"{path}: has no file of annotations ({_ANNOTATIONS}) next to it; leave the annotations out")
    try:
        found = wfdb.rdann(str(path.resolve().with_suffix("")), _ANNOTATIONS[1:])
    except Exception as error:
        raise DataError(f"{path.with_suffix(_ANNOTATIONS)}: cannot be read as annotations ({error!r:.100})") from error
    marks = [
        (int(sample) / float(record.fs), text.strip("\0 ")[1:])
        for sample, text in zip(found.sample, found.aux_note, strict=True)
        if text.startswith("(")
    ]
    ends = [start for start, _ in marks[1:]] + [len(values) / float(record.fs)]
    intervals = [(start, stop, text) for (start, text), stop in zip(marks, ends, strict=True)]
    return annotated(table, intervals, path, how)
