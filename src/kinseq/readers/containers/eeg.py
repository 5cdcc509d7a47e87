"""EEG and MEG by the optional package mne: BrainVision, EEGLAB and FIF; epochs are sequences."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ...core.clock import SECONDS
from ...core.errors import DataError
from ...core.extras import from_extra
from ...core.wording import count
from ..npy import stacked
from ..reading import Reading
from ..signals import Channel, annotated, table_of_channels
from ..table import Table, selected
from .container import Container
from .matlab import begins as begins_as_matlab

_MICROVOLTS = frozenset({"eeg", "eog", "ecg", "emg", "ecog", "seeg"})
"""Kinds of channels in microvolts; others are in the units of mne."""


def begins(path: Path) -> bool:
    """Return whether a file has the right beginning; EEGLAB writes MATLAB files."""
    return path.suffix.lower() != ".set" or begins_as_matlab(path)


def read_eeg(path: Path, how: Reading) -> Table:
    """Return the data channels of a recording, or its epochs as sequences with events as labels.

    Raises
    ------
    ParameterError
        If mne is not installed.
    DataError
        If the file cannot be read.
    """
    with from_extra("eeg", f"{path}: reading EEG"):
        import mne
    try:
        mne.set_log_level("error")
        opened, is_epochs = _opened(mne, path)
        picked = mne.pick_types(opened.info, meg=True, eeg=True, eog=True, ecg=True, emg=True, seeg=True, ecog=True)
        names = [opened.ch_names[j] for j in picked]
        scale = np.array([1e6 if kind in _MICROVOLTS else 1.0 for kind in opened.get_channel_types(picks=picked)])
        values = np.asarray(opened.get_data(picks=picked, verbose="error"), dtype=np.float64) * scale[:, None]
    except Exception as error:  # of many kinds, for a truncated file or another format
        raise DataError(
            f"{path}: cannot be read as EEG ({' '.join(str(error).split())[:120]}); export it again"
        ) from error
    if not names:
        raise DataError(f"{path}: holds no channel of EEG or MEG; leave it out")
    if is_epochs:
        return selected(_epochs(opened, values, names, path, how), how, path)
    rate = float(opened.info["sfreq"])
    table = table_of_channels({name: Channel(row, rate) for name, row in zip(names, values, strict=True)}, path, how)
    if how.annotations is None:
        return table
    notes = opened.annotations
    spans = zip(notes.onset.tolist(), notes.duration.tolist(), map(str, notes.description), strict=True)
    return annotated(table, [(onset, onset + duration, text) for onset, duration, text in spans], path, how)


def _opened(mne: Any, path: Path) -> tuple[Any, bool]:
    """Return a recording, or epochs, and which of both it is."""
    suffix = path.suffix.lower()
    if suffix == ".vhdr":
        return mne.io.read_raw_brainvision(path, preload=True, verbose="error"), False
    whole, cut = (
        (mne.io.read_raw_eeglab, mne.read_epochs_eeglab) if suffix == ".set" else (mne.io.read_raw_fif, mne.read_epochs)
    )
    try:
        return whole(path, preload=True, verbose="error"), False
    except (ValueError, TypeError):
        # For epochs, mne refuses to read a recording.
        return cut(path, verbose="error"), True


def _epochs(opened: Any, values: np.ndarray, names: list[str], path: Path, how: Reading) -> Table:
    """Return the table of epochs, shape of the values (epochs, channels, frames)."""
    width = len(str(len(values)))
    ids = [f"{i + 1:0{width}d}" for i in range(len(values))]
    table = stacked(list(values.transpose(0, 2, 1)), ids, tuple(names), path)
    of_code = {code: name for name, code in opened.event_id.items()}
    labels = np.array([of_code.get(code, str(code)) for code in opened.events[:, 2].tolist()], dtype=np.str_)
    return replace(
        table,
        has_header=True,
        time=np.tile(np.asarray(opened.times, dtype=np.float64), len(values)),
        unit=SECONDS,
        label=np.repeat(labels, values.shape[2]) if how.labels is not None else None,
        said=f"{CONTAINER.name}: read {count(len(values), 'epoch')}, a sequence each, with their events as labels",
    )


CONTAINER = Container("EEG", (".vhdr", ".set", ".fif"), read_eeg, begins)
