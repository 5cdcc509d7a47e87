"""Chroma: strength of each of the twelve notes of the octave, whatever the octave and the instrument."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ..core.arrays import FloatArray
from ..core.errors import DataError, ParameterError
from ..core.extras import from_extra
from ..core.wording import option_name
from .cepstral import real_number, runs, too_short
from .registry import Feature


@dataclass(frozen=True)
class Chroma:
    """Conventions of chroma.

    Attributes
    ----------
    window_seconds, hop_seconds : float
        Length of the analysis window and distance between two, rounded to whole samples. Neighbouring low notes are distinguished
        apart by long windows only.
    tuning : float
        Deviation of the instruments from 440 Hz, in semitones.
    """

    window_seconds: float = 0.2
    hop_seconds: float = 0.1
    tuning: float = 0.0

    def __post_init__(self) -> None:
        for name in ("window_seconds", "hop_seconds"):
            real_number(getattr(self, name), name, above=0.0)
        real_number(self.tuning, "tuning")

    def column_names(self) -> list[str]:
        """Return the names of the columns."""
        return [f"note {name}" for name in ("C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B")]

    def samples(self, sample_rate: float) -> tuple[int, int, int]:
        """Window, hop and length of the transform, in samples."""
        rate = real_number(sample_rate, "sample_rate", above=0.0)
        window, hop = round(self.window_seconds * rate), round(self.hop_seconds * rate)
        if window < 2 or hop < 1:
            raise ParameterError(
                f"{option_name('sample_rate')} is {sample_rate!r}: a window of {self.window_seconds} s and a hop of"
                f" {self.hop_seconds} s"
                f" come to {window} and {hop} samples; use longer ones"
            )
        return window, hop, 1 << (window - 1).bit_length()


def chroma(pieces: Iterable[FloatArray], sample_rate: float, recipe: Chroma, where: str) -> FloatArray:
    """Chroma of a streamed signal, by the filters of librosa.

    Parameters
    ----------
    pieces : iterable of ndarray, each of shape (n_i,)
        Consecutive samples in [-1, 1].
    sample_rate : float
        Samples per second (Hz).
    recipe : Chroma
    where : str
        Name of the signal, used in messages.

    Returns
    -------
    ndarray, shape (T, 12)
        From C to B, in power, the loudest note of a frame being 1; 0 where nothing sounds.

    Raises
    ------
    DataError
        If the signal is shorter than a window.

    Notes
    -----
    Source: Ellis (2007), the filters of ``librosa.filters.chroma``: Gaussians around each note, the fifth octave weighted
    most. Window: periodic Hann, no centring, the transform of the next power of two.
    """
    with from_extra("audio", "chroma"):
        import librosa
    from scipy.fft import rfft
    from scipy.signal import get_window

    window, hop, n_fft = recipe.samples(sample_rate)
    bank = librosa.filters.chroma(sr=sample_rate, n_fft=n_fft, tuning=recipe.tuning, dtype=np.float64)
    taper = get_window("hann", window)
    # Row by row, since BLAS adds differently for another number of frames.
    blocks = [
        np.array([bank @ np.square(np.abs(line)) for line in rfft(frames * taper, n=n_fft, axis=1)])
        for frames in runs(pieces, window, hop)
    ]
    if not blocks:
        raise too_short(where, recipe.window_seconds)
    power = np.concatenate(blocks)
    if not np.isfinite(power).all():
        raise DataError(f"{where}: the features overflow; scale the samples to the range -1 to 1")
    loudest = power.max(axis=1, keepdims=True)
    return np.asarray(np.divide(power, loudest, out=np.zeros_like(power), where=loudest > np.finfo(np.float64).tiny))


FEATURES = (
    Feature(
        name="chroma",
        label="chroma",
        source="librosa",
        recipe=Chroma(),
        function=chroma,
        settings={"highest_rate": 22050.0},
    ),
)
