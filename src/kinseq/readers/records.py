"""Records of PhysioNet's WFDB format, by the optional package wfdb: a header ``.hea`` and the signals beside it."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from kinseq.core.errors import DataError, ParameterError
from kinseq.core.table_options import USUAL, TableOptions

from .signals import Channel, table_of_channels
from .table import Table


def read_record(path: Path, how: TableOptions = USUAL) -> Table:
    """Table of the signals of a record on this machine, in their physical units; nothing is fetched.

    Raises
    ------
    ParameterError
        If wfdb is not installed.
    DataError
        If the record cannot be read, or lacks its signals.
    """
    try:
        import wfdb
    except ImportError:
        raise ParameterError(
            f"{path}: is a record of WFDB, which the optional package wfdb reads; pip install 'kinseq[physiology]' installs it"
        ) from None
    try:
        # An absolute path is never looked for in an archive.
        record = wfdb.rdrecord(str(path.resolve().with_suffix("")), smooth_frames=True)
    except Exception as error:  # of many kinds, of a file that is cut or of another kind
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
    return table_of_channels({name: Channel(values[:, j], float(record.fs)) for j, name in enumerate(names)}, path, how)
