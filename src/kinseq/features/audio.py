"""Audio input: WAV, FLAC, OGG, MP3 and other formats of libsndfile, whole or block by block, at any rate, mixed to mono."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..core.arrays import FloatArray
from ..core.errors import DataError, ParameterError
from ..core.extras import from_extra
from ..core.store import PathLike
from ..core.wording import count, option_name
from .cepstral import as_signal

AUDIO_SUFFIXES = frozenset(
    {".wav", ".flac", ".ogg", ".oga", ".opus", ".mp3", ".aif", ".aifc", ".aiff", ".au", ".caf", ".sph", ".w64"}
)
"""Extensions of files that can be read."""

FOREIGN_SUFFIXES = frozenset({".m4a", ".aac", ".wma", ".mp4", ".webm", ".amr", ".ape", ".mka", ".ac3"})
"""Extensions of audio files that libsndfile cannot decode."""

SILENT_SPAN = 2.0**-14
"""Largest range (two steps of 16 bits) of a silent signal, whatever its constant offset."""

LOWEST_RATE, HIGHEST_RATE = 10.0, 1e6
"""Plausible sampling rates (Hz), from earthquakes to bats: others come from damaged headers or wrong units."""

_BLOCK_FRAMES = 1 << 18
# Samples of four MP3 frames, more than the bit reservoir covers.
_LEAD_SAMPLES = 4 * 1152
_FACT = re.compile(r"\bfact\s*:\s*\d+\s+frames\s*:\s*(\d+)")
# Floating point has headroom above full scale, 1; values this far above come from integers stored without division.
_MAX_FULL_SCALE = 16.0
# The mean of independent channels keeps this share of their power, times the number of channels.
_MIN_MEAN_POWER = 0.04
# Decoder message for a WAV file with fewer samples than its header announces; streams of unknown length announce ~4 GB.
_CUT_DATA = re.compile(r"^data\s*: (\d+) \(should be (\d+)\)", re.MULTILINE)
_UNKNOWN_LENGTH = 0x7FFFFFFF
# Samples of a periodogram, and of the part of a recording that is analysed at a time
_SPECTRUM_SAMPLES = 2048
_MAX_SPECTRA = 64


@dataclass(frozen=True)
class AudioInfo:
    """Header of an audio file.

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
        # Decoder message for an existing file of unknown content
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
    with from_extra("audio", f"{path}: reading sound"):
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
            f"{path}: its header says {rate:g} Hz, expected {LOWEST_RATE:g} to {HIGHEST_RATE:g}; correct the header, or"
            " write a CSV if it is no sound"
        )


def as_rate(rate: Any, name: str) -> float:
    """Return the sampling rate that was given, in Hz."""
    number = not isinstance(rate, (bool, np.bool_)) and isinstance(rate, (int, float, np.integer, np.floating))
    if not (number and LOWEST_RATE <= rate <= HIGHEST_RATE):
        raise ParameterError(f"{name} is {rate!r}, expected a number of Hz from {LOWEST_RATE:g} to {HIGHEST_RATE:g}")
    return float(rate)


@dataclass(frozen=True)
class Excerpt:
    """A part of a recording; as text it is the path of the file.

    Attributes
    ----------
    path : Path
        The file.
    start, stop : float
        Where it begins and ends, in seconds from the beginning of the file; `stop` may lie beyond the end.
    low, high : float
        Edges (Hz) of the band that is kept, see :func:`in_band`; 0 and infinity keep all.
    channel : int or None
        Channel that is kept, from 1; None keeps the mean of all.
    """

    path: Path
    start: float = 0.0
    stop: float = math.inf
    low: float = 0.0
    high: float = math.inf
    channel: int | None = None

    def __str__(self) -> str:
        return str(self.path)

    @property
    def whole(self) -> bool:
        """Whether this is the whole file."""
        return self == Excerpt(self.path)


def stream_audio(
    path: PathLike,
    sample_rate: float | None = None,
    start: float = 0.0,
    stop: float = math.inf,
    *,
    channel: int | None = None,
    tap: Callable[[FloatArray], object] | None = None,
) -> Iterator[FloatArray]:
    """Read an audio file, or a part of it, in blocks, as one channel and resampled.

    Parameters
    ----------
    path : path-like
        WAV, FLAC, OGG, MP3 or another format that libsndfile decodes.
    sample_rate : float, optional
        Rate to resample to (Hz, 10 to 1e6), by soxr at high quality, which is what ``librosa.resample`` does by default; the rate
        of the file if not given.
    start, stop : float
        The part to read, in seconds from the beginning of the file, rounded to samples of the file; what is before is not decoded.
    channel : int, optional
        The channel to read, from 1; the mean over all channels if not given.
    tap : callable, optional
        Called with the samples of each block before they are resampled.

    Yields
    ------
    ndarray, shape (n,), float64
        Consecutive samples, the channel or the mean over all channels, nominally in [-1, 1]. Blocks hold some seconds, so that the
        memory needed does not depend on the length of the file; joined they are the same bits as :func:`read_audio`.

    Raises
    ------
    DataError
        If the file cannot be decoded, ends before its time, holds no sample, NaN, infinity or numbers that were never
        scaled to [-1, 1], or if its channels cancel each other; the last is known at the end only.
    """
    with from_extra("audio", f"{path}: reading sound"):
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
            packed = "MPEG" in file.subtype
            announced, begin, end = _announced(path, file), _sample(start, file), _sample(stop, file)
            if begin:
                file.seek(min(begin, file.frames))
            announced, wanted = min(announced, end) - begin, max(0.0, end - begin)
            while True:
                block = next_samples(file, int(min(_BLOCK_FRAMES, wanted - read)))
                mono = _one_channel(block, channel, path)
                bad = np.flatnonzero(~np.isfinite(mono))
                if bad.size:
                    raise DataError(
                        f"{path}: sample {read + int(bad[0])} is {mono[bad[0]]}; repair the recording or leave it out"
                    )
                if len(mono) and np.abs(block).max() > _MAX_FULL_SCALE:
                    raise DataError(
                        f"{path}: holds samples up to {np.abs(block).max():g} where 1 is full scale; divide them (by"
                        " 32768 if they were 16 bits)"
                    )
                if channel is None:
                    power.add(block, mono)
                if tap is not None:
                    tap(mono)
                read += len(mono)
                last = len(block) < _BLOCK_FRAMES or read >= wanted
                piece = resample(np.ascontiguousarray(mono), last)
                if len(piece):
                    yield piece
                if last:
                    break
    except (soundfile.SoundFileError, OSError, RuntimeError) as error:
        raise _broken(path, error) from error
    if read == 0:
        where = "holds no sample" if begin == 0 and wanted > 0 else f"holds no sample from {start:g} to {stop:g} s"
        raise DataError(f"{path}: {where}; leave it out or record it again")
    if read < announced:
        raise DataError(
            f"{path}: is cut short, it ends after {read} of about {announced:.0f} samples;"
            f" copy it again{', write it as FLAC' if packed else ''} or leave it out"
        )
    if power.cancelled:
        raise DataError(
            f"{path}: its channels cancel each other, so that mixing them leaves next to nothing; invert one of them, or"
            " write a single one"
        )


def _one_channel(block: FloatArray, channel: int | None, path: PathLike) -> FloatArray:
    """Return a channel, from 1, of samples of shape (n, channels), or their mean."""
    if channel is None:
        return block[:, 0] if block.shape[1] == 1 else np.asarray(block.mean(axis=1))
    if not 1 <= channel <= block.shape[1]:
        raise DataError(
            f"{path}: has {count(block.shape[1], 'channel')}, but channel {channel} is wanted; correct its number"
        )
    return block[:, channel - 1]


def next_samples(file: Any, samples: int) -> FloatArray:
    """Return the next samples of an open file, shape (n, channels); fewer at its end.

    A frame of MP3 needs bits of those before it, which the decoder has forgotten after a jump, and the binding jumps after each
    call: up to 14 ms would be wrong. So some samples before are decoded again.
    """
    place = file.tell()
    lead = min(place, _LEAD_SAMPLES) if "MPEG" in file.subtype else 0
    if lead:
        file.seek(place - lead)
    return np.asarray(file.read(lead + samples, dtype="float64", always_2d=True)[lead:])


class _Power:
    """Variances of the channels and of their mean, block by block."""

    def __init__(self) -> None:
        self._sums: FloatArray | None = None
        self._samples = 0

    def add(self, block: FloatArray, mono: FloatArray) -> None:
        """Process the next samples, of shape (n, channels), and their mean over the channels."""
        if block.shape[1] == 1 or not len(block):
            return
        columns = np.column_stack([block, mono])
        sums = np.stack([columns.sum(axis=0), (columns**2).sum(axis=0)])
        self._sums = sums if self._sums is None else self._sums + sums
        self._samples += len(block)

    @property
    def cancelled(self) -> bool:
        """Whether the mean over the channels lost nearly all their power."""
        if self._sums is None:
            return False
        mean, square = self._sums / self._samples
        variance = np.maximum(square - mean**2, 0.0)
        channels, mixed = variance[:-1], variance[-1]
        sounding = channels.mean() > SILENT_SPAN**2
        return bool(sounding and mixed < _MIN_MEAN_POWER / channels.size * channels.mean())


def _sample(seconds: float, file: Any) -> float:
    """Return the sample index of an open file at a time; infinity is kept."""
    return seconds if math.isinf(seconds) else math.floor(seconds * file.samplerate + 0.5)


def _announced(path: PathLike, file: Any) -> float:
    """Return the number of samples below which an open file must be truncated."""
    samples = float(file.frames)
    cut_data = _CUT_DATA.search(str(file.extra_info))
    is_cut = cut_data is not None and 0 < int(cut_data[2]) < int(cut_data[1]) < _UNKNOWN_LENGTH
    if file.subtype.startswith("MPEG_LAYER") and file.format != "MP3":
        # Decoders guess the number of samples from the first frame, and encoders pad; the size of the data is known,
        # and mostly the number too.
        whole = samples * int(cut_data[1]) / int(cut_data[2]) if is_cut and cut_data is not None else 0.0
        fact = _FACT.search(str(file.extra_info))
        return max(whole, 0.9 * int(fact[1]) if fact else 0.0)
    if file.format == "MP3":
        # Only some MP3 files state their length, and encoders pad: less than nine tenths of the stated length means
        # damage.
        with Path(path).open("rb") as stream:
            head = stream.read(1 << 18)
        return 0.9 * samples if b"Xing" in head or b"Info" in head else 0.0
    if is_cut and cut_data is not None:
        return math.floor(samples * int(cut_data[1]) / int(cut_data[2]))
    return samples


def _resampler(source: float, target: float | None) -> Any:
    if target is None or float(target) == source:
        return lambda block, last: block
    with from_extra("audio", "changing a sampling rate"):
        import soxr

    stream = soxr.ResampleStream(source, float(target), 1, dtype="float64", quality="HQ")
    return lambda block, last: stream.resample_chunk(block, last=last)


def power_above(excerpt: Excerpt, hertz: float) -> float:
    """Return the share of the power of a recording above a frequency, lost by resampling to twice that frequency.

    Parameters
    ----------
    excerpt : Excerpt
        The file, or a part of it.
    hertz : float

    Returns
    -------
    float
        From 0 to 1; 0 where nothing is recorded above. Periodograms of 2048 samples side by side (Hann), each about its mean.

    Raises
    ------
    DataError
        As :func:`stream_audio`.
    """
    from scipy.fft import rfft

    rate = float(audio_info(excerpt.path).sample_rate)
    first = math.ceil(hertz * _SPECTRUM_SAMPLES / rate)
    if first > _SPECTRUM_SAMPLES // 2:
        return 0.0
    taper, total = np.hanning(_SPECTRUM_SAMPLES), np.zeros(_SPECTRUM_SAMPLES // 2 + 1)
    held = np.zeros(0)
    for piece in stream_audio(excerpt.path, None, excerpt.start, excerpt.stop, channel=excerpt.channel):
        held = np.concatenate([held, piece])
        whole = len(held) // _SPECTRUM_SAMPLES * _SPECTRUM_SAMPLES
        total += _summed_power(held[:whole].reshape(-1, _SPECTRUM_SAMPLES), taper, rfft)
        held = held[whole:]
    if len(held) and not total.any():
        # Shorter than one window.
        total += _summed_power(held[None], np.hanning(len(held) + 2)[1:-1], partial(rfft, n=_SPECTRUM_SAMPLES))
    power = total[1:].sum()
    return float(total[max(1, first) :].sum() / power) if power > 0.0 else 0.0


def _summed_power(frames: FloatArray, taper: Any, transform: Any) -> FloatArray:
    total = np.zeros(_SPECTRUM_SAMPLES // 2 + 1)
    for begin in range(0, len(frames), _MAX_SPECTRA):
        some = frames[begin : begin + _MAX_SPECTRA]
        spectrum = transform((some - some.mean(axis=1, keepdims=True)) * taper, axis=1)
        total += np.square(np.abs(spectrum)).sum(axis=0)
    return total


def in_band(signal: FloatArray, sample_rate: float, low: float, high: float) -> FloatArray:
    """Band-pass a signal by a Butterworth filter of order 4 run forwards and backwards.

    Parameters
    ----------
    signal : ndarray, shape (n,)
    sample_rate : float
        Samples per second (Hz).
    low, high : float
        Edges (Hz), 0 to infinity; an edge outside 0 to half the rate is none.

    Returns
    -------
    ndarray, shape (n,)
    """
    from scipy.signal import butter, sosfiltfilt

    top = 0.499 * sample_rate
    edges = (low if low > 0.0 else None, high if high < top else None)
    if edges == (None, None) or (edges[0] is not None and edges[0] >= top):
        return signal
    if edges[1] is None:
        design = butter(4, edges[0], "highpass", fs=sample_rate, output="sos")
    elif edges[0] is None:
        design = butter(4, edges[1], "lowpass", fs=sample_rate, output="sos")
    else:
        design = butter(4, edges, "bandpass", fs=sample_rate, output="sos")
    pad = min(len(signal) - 1, 3 * (2 * len(design) + 1))
    return np.asarray(sosfiltfilt(design, signal, padlen=pad))


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
    """Trim the quiet ends of a signal by the energy of its windows.

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
    """The bounds of :func:`trim` for a streamed signal; also measures its mean and whether it is silent.

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
            raise ParameterError(f"{option_name('sample_rate')} is {sample_rate!r}, expected a positive number of Hz")
        self.window = max(1, math.floor(0.025 * sample_rate + 0.5))
        self.threshold, self.margin = float(threshold), math.floor(margin * sample_rate + 0.5)
        self.samples = 0
        self.low, self.high = math.inf, -math.inf
        self._energies: list[FloatArray] = []
        self._sums: list[FloatArray] = []
        self._held = np.zeros(0)

    def feed(self, piece: FloatArray) -> EnergyTrimmer:
        """Process the next samples; returns the trimmer itself."""
        if not len(piece):
            return self
        self.samples += len(piece)
        self.low, self.high = min(self.low, float(piece.min())), max(self.high, float(piece.max()))
        joined = np.concatenate([self._held, piece])
        whole = len(joined) // self.window * self.window
        if whole:
            windows = joined[:whole].reshape(-1, self.window)
            self._energies.append(_energy(windows))
            self._sums.append(windows.sum(axis=1))
        self._held = joined[whole:]
        return self

    @property
    def mean(self) -> float:
        """Mean of the samples so far, independent of how they were streamed."""
        sums = [*self._sums, self._held.sum(keepdims=True)]
        return math.fsum(np.concatenate(sums).tolist()) / max(1, self.samples)

    @property
    def silent(self) -> bool:
        """Whether the range of the samples so far is at most :data:`SILENT_SPAN`."""
        return self.high - self.low <= SILENT_SPAN

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
    """Mean square about the mean of each row, since a constant offset is not sound."""
    with np.errstate(over="ignore", invalid="ignore"):
        return np.nan_to_num(windows.var(axis=1), nan=np.inf, posinf=np.inf)
