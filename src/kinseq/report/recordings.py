"""Recordings to view and play: spectrograms, and as much sound as fits on one page."""

from __future__ import annotations

import base64
import math
import os
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

import numpy as np

from ..core.arrays import FloatArray, IntArray
from ..core.errors import DataError
from ..features.audio import Excerpt, audio_info, next_samples, stream_audio
from ..features.pitch import BLOCK_SECONDS, track
from ..features.recordings import recording_info
from ..plotting.sound import BYTES_A_SECOND, RATES_HZ, mp3
from ..readers.segments.segmentation import recorded
from .content import CLUSTERS, EXAMPLES, Content
from .drawing import grey
from .panels import HEIGHT, WIDTH, Layer, Panel, ticks

COLUMNS, BANDS = 80, 40
"""Columns and rows of a spectrogram."""
N_SHADES = 15
"""Shades of a spectrogram in addition to white."""
RANGE_DB = 60.0
"""Range of a spectrogram in decibels below the loudest point."""
LOUD, MARGIN, LEAST = 0.5, 1.3, 0.125
"""Spectrograms end where typical recordings are within this part of that range, times a margin, rounded in halvings."""
MAX_SOUND_BYTES = 8_000_000
"""Largest size, in bytes, of the sound of a page, as encoded in it."""
MIN_PLAYED_SECONDS = 4.0
"""Least total duration, in seconds, of the sound played, before anything is left out."""
N_NEIGHBOURS_PLAYED = 5
"""Number of neighbours of the examples that are played before others."""
_WINDOW_SECONDS = 0.025
_MIN_SAMPLES = 128
_BLOCK_SECONDS = 0.25
_WRITTEN = 4.0 / 3.0


class Clip(NamedTuple):
    """A part of a recording: an MP3 file in base 64, and which part it is, empty for all of it."""

    mp3: str
    part: str


class Recordings:
    """The recordings of the sequences, if they still exist.

    Attributes
    ----------
    highest, top : float
        Frequencies (Hz) up to which they were compared, and spectrograms go.
    """

    def __init__(self, content: Content) -> None:
        self._result = content.result
        self._info = recording_info(self._result.sequences)
        self.folder: Path | None = self._result.details.folder if self._info.from_files else None
        self.highest = self._info.sample_rate / 2.0 if self.folder is not None else 0.0
        self._of, self.top = cache(self._look), self.highest
        if self:
            typical = [self._look(item) for item in self._result.medoid_indices_.tolist()]
            loud = [np.flatnonzero(levels.max(axis=1) >= LOUD).max() + 1 for levels in typical if levels is not None]
            share = max(LEAST, MARGIN * max(loud, default=BANDS) / BANDS)
            self.top *= 2.0 ** min(0, math.ceil(math.log2(share)))

    def __bool__(self) -> bool:
        return self.folder is not None and self.highest > 0.0 and self._part(0).path.is_file()

    def seconds(self, item: int) -> float:
        """Duration of a recording; 0 if it cannot be read."""
        if not self:
            return 0.0
        part = self._part(item)
        try:
            return max(0.0, min(part.stop, audio_info(part.path).seconds) - part.start)
        except DataError:
            return 0.0

    def levels(self, item: int) -> FloatArray | None:
        """Spectrogram between 0 and 1, lowest frequency first, shape (BANDS, at most COLUMNS); None if it cannot be read."""
        return self._of(item) if self else None

    def _part(self, item: int) -> Excerpt:
        """Location of the sound of a sequence: a recording, or a segment of one."""
        assert self.folder is not None
        return recorded(self._info, self.folder, str(self._result.sequences.ids[item]))

    def _look(self, item: int) -> FloatArray | None:
        import soundfile

        try:
            part = self._part(item)
            return spectrogram(part.path, self.top, part.start, part.stop)
        except (soundfile.SoundFileError, OSError, RuntimeError):
            return None

    def image(self, item: int) -> str:
        """Address of a spectrogram as an image, the lowest frequency at the bottom; empty if it cannot be read."""
        levels = self.levels(item)
        # With so few shades, images take half the space.
        return "" if levels is None else grey(np.round(N_SHADES * levels[::-1]) / N_SHADES)

    def panel(self, item: int, title: str, with_pitch: bool = False) -> Panel:
        """A spectrogram, and the pitch as a line over it."""
        name = f"spectrogram of {self._result.sequences.ids[item]}, time to the right, frequency upwards"
        layers = [Layer("own", path) for path in self._pitch(item)] if with_pitch else []
        *axis, last = ticks(0.0, self.top / 1000.0)
        axis.append(last._replace(text=f"{last.text} kHz"))
        return Panel(title, name, layers, axis, end=f"{self.seconds(item):.3g} s", image=self.image(item))

    def _pitch(self, item: int) -> list[str]:
        """Paths of the stretches that have a pitch, at parts of the length and of `top`."""
        rate = round(2.0 * self.highest)
        try:
            hertz = track(_samples(self._part(item), rate, 0, round(BLOCK_SECONDS * rate)), rate)[:, 1]
        except DataError:
            return []
        x, y = WIDTH * np.linspace(0.0, 1.0, len(hertz)), HEIGHT * (1.0 - hertz / self.top)
        there = np.flatnonzero(np.isfinite(hertz))
        stretches = np.split(there, np.flatnonzero(np.diff(there) > 1) + 1)
        return ["M" + " ".join(f"{x[j]:.1f} {y[j]:.1f}" for j in one) for one in stretches if one.size > 1]

    def clips(self) -> dict[int, Clip]:
        """Sounds by position of the sequence."""
        if not self:
            return {}
        seconds = np.array([self.seconds(item) for item in range(len(self._result.sequences))])
        room = MAX_SOUND_BYTES / (BYTES_A_SECOND * _WRITTEN)
        planned = plan(seconds, self._ranks(), room)
        clips = {}
        for item in np.flatnonzero(planned).tolist():
            clip = self._clip(item, float(planned[item]), float(seconds[item]))
            if clip is not None:
                clips[item] = clip
        return clips

    def _ranks(self) -> IntArray:
        """Priority of playing: medoids (0), further examples (1), their nearest neighbours (2), all others (3)."""
        result = self._result
        ranks = np.full(len(result.sequences), 3, dtype=np.int64)
        examples = [result.details.typical(k, EXAMPLES) for k in range(min(result.n_clusters, CLUSTERS))]
        ranks[result.details.neighbours(N_NEIGHBOURS_PLAYED)[np.concatenate(examples)].ravel()] = 2
        ranks[np.concatenate(examples)] = 1
        ranks[[members[0] for members in examples]] = 0
        return ranks

    def _clip(self, item: int, planned: float, whole: float) -> Clip | None:
        rate = max((one for one in RATES_HZ if one <= max(RATES_HZ[0], 2.0 * self.highest)), default=RATES_HZ[0])
        begin = 0.0 if planned >= whole else loudest(self.levels(item), planned / whole) * whole
        first, count = round(begin * rate), round(planned * rate)
        try:
            samples = _samples(self._part(item), rate, first, first + count)
        except DataError:
            return None
        part = "" if planned >= whole else f"{planned:.3g} s of {whole:.3g} s, from {begin:.3g} s on"
        return Clip(base64.b64encode(mp3(np.clip(samples, -1.0, 1.0), rate)).decode("ascii"), part)

    def path_from(self, page: Path | None) -> str | None:
        """Address of the folder of the recordings relative to the page; None without a page."""
        if not self or page is None or self.folder is None:
            return None
        try:
            relative = Path(os.path.relpath(self.folder.resolve(), page.resolve().parent))
        except ValueError:
            # On another drive, which no relative address can reach.
            return None
        return f"./{quote(relative.as_posix())}/"

    def places(self) -> list[str] | None:
        """Addresses of segments within that folder, per sequence; None for whole recordings, addressed by id."""
        sequences = self._result.sequences
        if not self or not self._info.segments:
            return None
        places = []
        for item, entry in enumerate(sequences.ids.astype(str).tolist()):
            part, file = self._part(item), self._info.segments["of"][entry]["file"]
            places.append(f"{quote(file)}#t={part.start:.3f},{part.stop:.3f}")
        return places


def plan(seconds: FloatArray, ranks: IntArray, room: float) -> FloatArray:
    """Seconds played of each recording, shape (N,), within `room` (seconds).

    All of them if there is room; else all are cut to one length, but not below :data:`MIN_PLAYED_SECONDS`; else those of the last
    rank are left out first. The first rank, 0, is cut as far as it has to be.
    """
    for last in range(int(ranks.max(initial=0)), -1, -1):
        lengths = np.where(ranks <= last, seconds, 0.0)
        longest = longest_cut(lengths[lengths > 0.0], room)
        if last == 0 or longest >= min(MIN_PLAYED_SECONDS, lengths.max(initial=0.0)):
            break
    return np.minimum(lengths, longest)


def longest_cut(seconds: FloatArray, room: float) -> float:
    """The length to which all must be cut to fit into `room` together; infinite if they fit."""
    ordered = np.sort(seconds)
    if ordered.sum() <= room:
        return float("inf")
    # The first i keep their room, and the others share the rest.
    before = np.concatenate([[0.0], np.cumsum(ordered)[:-1]])
    shares = (room - before) / np.arange(ordered.size, 0, -1)
    return float(shares[np.flatnonzero(shares <= ordered)[0]])


def loudest(levels: FloatArray | None, share: float) -> float:
    """Start of the loudest part of a recording, 0 to 1, for a part of a given relative length."""
    if levels is None:
        return 0.0
    power = (10.0 ** (RANGE_DB * (levels - 1.0) / 10.0)).sum(axis=0)
    width = max(1, round(share * power.size))
    sums = np.convolve(power, np.ones(width), mode="valid")
    return float(min(sums.argmax() / power.size, 1.0 - share))


def spectrogram(path: Path, highest: float, start: float = 0.0, stop: float = math.inf) -> FloatArray:
    """Levels of a recording, or of the part from `start` to `stop` (s), shape (BANDS, at most COLUMNS).

    They lie between 0, :data:`RANGE_DB` below the loudest, and 1.

    Of long recordings, a quarter of a second of each column is examined.
    """
    import soundfile

    with soundfile.SoundFile(str(path)) as file:
        rate = float(file.samplerate)
        first, last = round(start * rate), round(min(stop * rate, float(file.frames)))
        samples = max(1, last - first)
        # Low-frequency sound has as many samples per window as speech.
        window = 2 ** round(np.log2(max(_WINDOW_SECONDS * rate, _MIN_SAMPLES)))
        n = min(COLUMNS, max(1, samples // window))
        bounds = np.linspace(first, first + samples, n + 1).astype(np.int64)
        bands = np.empty((BANDS, n))
        for column, (begin, end) in enumerate(zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True)):
            if file.tell() != begin:
                file.seek(begin)
            block = next_samples(file, min(end - begin, max(window, round(_BLOCK_SECONDS * rate)))).mean(axis=1)
            bands[:, column] = _bands(block, window, rate, highest)
    levels = 10.0 * np.log10(np.maximum(bands / max(float(bands.max()), 1e-30), 1e-30))
    return np.asarray(np.clip(1.0 + levels / RANGE_DB, 0.0, 1.0))


def _bands(block: FloatArray, window: int, rate: float, highest: float) -> FloatArray:
    """Mean power of a block in bands of equal width, shape (BANDS,)."""
    padded = np.pad(block, (0, max(0, window - len(block))))
    frames = np.lib.stride_tricks.sliding_window_view(padded, window)[:: max(1, window // 2)]
    power = np.square(np.abs(np.fft.rfft(frames * np.hanning(window), axis=1))).mean(axis=0)
    middles = (np.arange(BANDS) + 0.5) * highest / BANDS
    # At least one line of the spectrum per band, so that none is empty.
    edges = np.rint(np.linspace(0.0, highest, BANDS + 1) * window / rate).astype(np.int64)
    first = np.minimum(edges[:-1], power.size - 1)
    last = np.minimum(np.maximum(edges[1:], first + 1), power.size)
    sums = np.concatenate([[0.0], np.cumsum(power)])
    means = (sums[last] - sums[first]) / (last - first)
    return np.where(middles < rate / 2.0, means, 0.0)


def _samples(part: Excerpt, rate: int, begin: int, end: int) -> FloatArray:
    """Samples `begin` to `end` of a recording, or of a segment of one, at a given rate."""
    pieces: list[Any] = []
    place = 0
    for piece in stream_audio(part.path, rate, part.start, part.stop, channel=part.channel):
        pieces.append(piece[max(0, begin - place) : max(0, end - place)])
        place += len(piece)
        if place >= end:
            break
    return np.concatenate(pieces) if pieces else np.zeros(0)
