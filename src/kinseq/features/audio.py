"""Audio in: WAV, FLAC, OGG, MP3 and what else libsndfile reads, whole or block by block, at any rate, mixed to mono."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..core.arrays import FloatArray
from ..core.errors import DataError, ParameterError
from ..core.store import PathLike
from .cepstral import as_signal

AUDIO_SUFFIXES = frozenset({".wav", ".flac", ".ogg", ".oga", ".opus", ".mp3", ".aif", ".aiff", ".au", ".caf", ".w64"})
"""Endings of the files that can be read."""

FOREIGN_SUFFIXES = frozenset({".m4a", ".aac", ".wma", ".mp4", ".webm", ".amr", ".ape", ".mka", ".ac3"})
"""Endings of audio files that libsndfile cannot decode."""

SILENCE = 2.0**-14
"""A signal that spans no more than this (two steps of 16 bits) is silent, whatever its constant offset."""

LOWEST_RATE, HIGHEST_RATE = 1000.0, 1e6
"""Sampling rates that can be meant (Hz): others come from damaged headers or wrong units, and would fill the memory."""

_BLOCK_FRAMES = 1 << 18
# Floating point has headroom above full scale, which is 1; this far above, whole numbers were stored undivided.
_HEADROOM = 16.0
# Independent channels leave this share of their power in the mean, times the number of channels.
_CANCELLED = 0.04
# The decoder's log of a WAV file whose data are shorter than its header says; streams of unknown length announce ~4 GB.
_CUT_DATA = re.compile(r"^data\s*: (\d+) \(should be (\d+)\)", re.MULTILINE)
_UNKNOWN_LENGTH = 0x7FFFFFFF


@dataclass(frozen=True)
class AudioInfo:
    """What the header of an audio file says.

    Attributes
    ----------
    sample_rate : int
        Samples per second and channel (Hz).
    channels : int
        Number of channels.
    samples : int
        Number of samples per channel; an estimate for MP3.
    """

    sample_rate: int
    channels: int
    samples: int

    @property
    def seconds(self) -> float:
        """Duration in seconds."""
        return self.samples / self.sample_rate


def _broken(path: PathLike, error: Exception) -> DataError:
    if Path(path).suffix.lower() in FOREIGN_SUFFIXES:
        return DataError(f"{path}: this kind of audio cannot be decoded; convert it to WAV, FLAC, OGG or MP3")
    reason = str(getattr(error, "error_string", "") or error).strip().rstrip(".").removeprefix("Error : ")
    if "does not exist" in reason:
        # What the decoder says of a file that exists, but in whose content it finds nothing that it knows.
        reason = "the content is not what the ending of its name says"
    return DataError(f"{path}: cannot be read as audio ({reason}); repair the file or leave it out")


def _check_file(path: PathLike) -> None:
    try:
        size = Path(path).stat().st_size
        if Path(path).is_dir():
            raise DataError(f"{path}: is a folder, expected an audio file; name the file")
        with Path(path).open("rb"):
            pass
    except FileNotFoundError as error:
        raise DataError(f"{path}: no such file; check the path") from error
    except OSError as error:
        raise DataError(f"{path}: cannot be opened ({error.strerror or error}); check its permissions") from error
    if size == 0:
        raise DataError(f"{path}: is empty (0 bytes); leave it out or record it again")


def audio_info(path: PathLike) -> AudioInfo:
    """Read the header of an audio file.

    Parameters
    ----------
    path : path-like
        The file.

    Returns
    -------
    AudioInfo

    Raises
    ------
    DataError
        If there is no such file, or it is no audio that can be read.
    """
    import soundfile

    _check_file(path)
    try:
        info = soundfile.info(str(path))
    except (soundfile.SoundFileError, OSError, RuntimeError) as error:
        raise _broken(path, error) from error
    _require_sane_rate(path, info.samplerate)
    return AudioInfo(int(info.samplerate), int(info.channels), int(info.frames))


def _require_sane_rate(path: PathLike, rate: float) -> None:
    if not LOWEST_RATE <= rate <= HIGHEST_RATE:
        raise DataError(
            f"{path}: its header says {rate:g} Hz, which no recording of sound has; correct the header, or write a CSV"
            " if it is no sound"
        )


def as_rate(rate: Any, name: str) -> float:
    """A sampling rate that somebody asks for, in Hz."""
    number = not isinstance(rate, (bool, np.bool_)) and isinstance(rate, (int, float, np.integer, np.floating))
    if not (number and LOWEST_RATE <= rate <= HIGHEST_RATE):
        raise ParameterError(f"{name} is {rate!r}, expected a number of Hz from {LOWEST_RATE:g} to {HIGHEST_RATE:g}")
    return float(rate)


def stream_audio(path: PathLike, sample_rate: float | None = None) -> Iterator[FloatArray]:
    """Read an audio file in blocks, mixed down to mono and resampled.

    Parameters
    ----------
    path : path-like
        WAV, FLAC, OGG, MP3 or another format that libsndfile decodes.
    sample_rate : float, optional
        Rate to resample to (Hz, 1000 to 1e6), by soxr at high quality, which is what ``librosa.resample`` does by default; the rate
        of the file if not given.

    Yields
    ------
    ndarray, shape (n,), float64
        Consecutive samples, the mean over the channels, nominally in [-1, 1]. Blocks hold some seconds, so that the
        memory needed does not depend on the length of the file; joined they are the same bits as :func:`read_audio`.

    Raises
    ------
    DataError
        If the file cannot be decoded, ends before its time, holds no sample, NaN, infinity or numbers that were never
        scaled to [-1, 1], or if its channels cancel each other; the last is known at the end only.
    """
    import soundfile

    if sample_rate is not None:
        sample_rate = as_rate(sample_rate, "sample_rate")
    _check_file(path)
    read = 0
    power = _Power()
    try:
        with soundfile.SoundFile(str(path)) as file:
            _require_sane_rate(path, file.samplerate)
            resample = _resampler(float(file.samplerate), sample_rate)
            announced = _announced(path, file)
            while True:
                block = file.read(_BLOCK_FRAMES, dtype="float64", always_2d=True)
                mono = block[:, 0] if block.shape[1] == 1 else block.mean(axis=1)
                bad = np.flatnonzero(~np.isfinite(mono))
                if bad.size:
                    raise DataError(
                        f"{path}: sample {read + int(bad[0])} is {mono[bad[0]]}; repair the recording or leave it out"
                    )
                if len(mono) and np.abs(block).max() > _HEADROOM:
                    raise DataError(
                        f"{path}: holds samples up to {np.abs(block).max():g} where 1 is full scale; divide them (by"
                        " 32768 if they were 16 bits)"
                    )
                power.add(block, mono)
                read += len(mono)
                last = len(block) < _BLOCK_FRAMES
                piece = resample(np.ascontiguousarray(mono), last)
                if len(piece):
                    yield piece
                if last:
                    break
    except (soundfile.SoundFileError, OSError, RuntimeError) as error:
        raise _broken(path, error) from error
    if read == 0:
        raise DataError(f"{path}: holds no sample; leave it out or record it again")
    if read < announced:
        raise DataError(
            f"{path}: is cut short, it ends after {read} of about {announced:.0f} samples;"
            " copy it again or leave it out"
        )
    if power.cancelled:
        raise DataError(
            f"{path}: its channels cancel each other, so that mixing them leaves next to nothing; invert one of them, or"
            " write a single one"
        )


class _Power:
    """Variances of the channels and of their mean, block by block."""

    def __init__(self) -> None:
        self._sums: FloatArray | None = None
        self._samples = 0

    def add(self, block: FloatArray, mono: FloatArray) -> None:
        """Take the next samples, of shape (n, channels), and their mean over the channels."""
        if block.shape[1] == 1 or not len(block):
            return
        columns = np.column_stack([block, mono])
        sums = np.stack([columns.sum(axis=0), (columns**2).sum(axis=0)])
        self._sums = sums if self._sums is None else self._sums + sums
        self._samples += len(block)

    @property
    def cancelled(self) -> bool:
        """Whether the mean over the channels lost nearly all that they hold."""
        if self._sums is None:
            return False
        mean, square = self._sums / self._samples
        variance = np.maximum(square - mean**2, 0.0)
        channels, mixed = variance[:-1], variance[-1]
        sounding = channels.mean() > SILENCE**2
        return bool(sounding and mixed < _CANCELLED / channels.size * channels.mean())


def _announced(path: PathLike, file: Any) -> float:
    """Number of samples below which an open file must have been cut short."""
    samples = float(file.frames)
    if file.format == "MP3":
        # Only some MP3 files state their length, and encoders pad: less than nine tenths of a stated one is damage.
        with Path(path).open("rb") as stream:
            head = stream.read(1 << 18)
        return 0.9 * samples if b"Xing" in head or b"Info" in head else 0.0
    cut_data = _CUT_DATA.search(str(file.extra_info))
    if cut_data is not None and 0 < int(cut_data[2]) < int(cut_data[1]) < _UNKNOWN_LENGTH:
        return math.floor(samples * int(cut_data[1]) / int(cut_data[2]))
    return samples


def _resampler(source: float, target: float | None) -> Any:
    if target is None or float(target) == source:
        return lambda block, last: block
    import soxr

    stream = soxr.ResampleStream(source, float(target), 1, dtype="float64", quality="HQ")
    return lambda block, last: stream.resample_chunk(block, last=last)


def read_audio(path: PathLike, sample_rate: float | None = None) -> tuple[FloatArray, float]:
    """Read a whole audio file, mixed down to mono and resampled; see :func:`stream_audio`.

    Returns
    -------
    signal : ndarray, shape (n,), float64
        Samples, nominally in [-1, 1].
    sample_rate : float
        Rate of `signal` (Hz).

    Raises
    ------
    DataError
        As :func:`stream_audio`.
    """
    rate = float(audio_info(path).sample_rate if sample_rate is None else sample_rate)
    return np.concatenate(list(stream_audio(path, rate))), rate


def trim(
    signal: ArrayLike, sample_rate: float, threshold: float = 40.0, margin: float = 0.05
) -> tuple[FloatArray, tuple[int, int]]:
    """Cut the quiet ends off a signal by the energy of its windows.

    Parameters
    ----------
    signal : array_like, shape (n,)
        Mono samples.
    sample_rate : float
        Samples per second (Hz).
    threshold : float
        A window is quiet if its energy, about its own mean, lies more than this many dB below that of the loudest one.
    margin : float
        Seconds kept before the first and after the last window that is not quiet.

    Returns
    -------
    signal : ndarray, shape (stop - start,)
        The part kept; quiet stretches within it stay.
    bounds : tuple of int
        ``(start, stop)`` in samples.

    Raises
    ------
    DataError
        If the signal is silent: it spans no more than two steps of 16 bits.

    Notes
    -----
    Windows of 25 ms stand side by side from the first sample on; what is left at the end counts as a window.
    """
    samples = as_signal(signal, "signal")
    start, stop = EnergyTrimmer(sample_rate, threshold, margin).feed(samples).bounds("signal")
    return samples[start:stop], (start, stop)


class EnergyTrimmer:
    """The bounds of :func:`trim` for a signal that arrives in pieces; also measures whether it is silent.

    Parameters
    ----------
    sample_rate : float
        Samples per second (Hz).
    threshold : float
        Decibels below the loudest window.
    margin : float
        Seconds.
    """

    def __init__(self, sample_rate: float, threshold: float = 40.0, margin: float = 0.05) -> None:
        for name, value in (("threshold", threshold), ("margin", margin)):
            if not (np.isfinite(value) and value >= 0):
                raise ParameterError(f"{name} is {value!r}, expected a number of at least 0")
        if not (np.isfinite(sample_rate) and sample_rate > 0):
            raise ParameterError(f"sample_rate is {sample_rate!r}, expected a positive number of Hz")
        self.window = max(1, math.floor(0.025 * sample_rate + 0.5))
        self.threshold, self.margin = float(threshold), math.floor(margin * sample_rate + 0.5)
        self.samples = 0
        self.low, self.high = math.inf, -math.inf
        self._energies: list[FloatArray] = []
        self._held = np.zeros(0)

    def feed(self, piece: FloatArray) -> EnergyTrimmer:
        """Take the next samples; returns the trimmer itself."""
        if not len(piece):
            return self
        self.samples += len(piece)
        self.low, self.high = min(self.low, float(piece.min())), max(self.high, float(piece.max()))
        joined = np.concatenate([self._held, piece])
        whole = len(joined) // self.window * self.window
        if whole:
            self._energies.append(_energy(joined[:whole].reshape(-1, self.window)))
        self._held = joined[whole:]
        return self

    @property
    def silent(self) -> bool:
        """Whether the samples so far span no more than :data:`SILENCE`."""
        return self.high - self.low <= SILENCE

    def bounds(self, where: str) -> tuple[int, int]:
        """``(start, stop)`` in samples of the part to keep, or :class:`DataError` if all is silent."""
        if self.silent:
            raise DataError(f"{where}: is silent from start to end; leave it out or record it again")
        rest = [_energy(self._held[None])] if len(self._held) else []
        energy = np.concatenate([*self._energies, *rest])
        loud = np.flatnonzero(energy >= energy.max() * 10.0 ** (-self.threshold / 10.0))
        start = max(0, int(loud[0]) * self.window - self.margin)
        stop = min(self.samples, (int(loud[-1]) + 1) * self.window + self.margin)
        return start, stop


def _energy(windows: FloatArray) -> FloatArray:
    """Mean square about the mean of each row: a constant offset is no sound."""
    with np.errstate(over="ignore", invalid="ignore"):
        return np.nan_to_num(windows.var(axis=1), nan=np.inf, posinf=np.inf)
