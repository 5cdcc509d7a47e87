"""Spoken words made in code, for those who hold no recordings of speakers (in the place of T App. D.3).

A voice is a source and a filter (Fant, 1960). The source is a train of pulses of the glottis with some breath, or noise; the
filter has five formants, which follow the sounds of a word. What a speaker is lies in both: the pitch and how it moves, the
steepness of the spectrum of the source, the length of the vocal tract, which shifts all formants, and deviations of each
formant; then the rate of speech and the tone of the microphone. Words are sequences of syllables, drawn once and said by all
speakers. Vowels have the mean formants of Peterson and Barney (1952).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from kinseq.core.arrays import FloatArray, as_count
from kinseq.core.errors import ParameterError
from kinseq.core.seeds import stream
from kinseq.core.sequences import SequenceSet
from kinseq.features.extraction import audio_features
from kinseq.features.registry import get

from ..tasks import Task
from .registry import Loader
from .spoken_words import tasks

RATE = 16000.0
"""Samples per second (Hz)."""
VOWELS: Mapping[str, tuple[float, float, float]] = {
    "i": (270.0, 2290.0, 3010.0),
    "e": (530.0, 1840.0, 2480.0),
    "a": (730.0, 1090.0, 2440.0),
    "o": (570.0, 840.0, 2410.0),
    "u": (300.0, 870.0, 2240.0),
}
"""First three formants of vowels of men (Hz)."""


@dataclass(frozen=True)
class Consonant:
    """How a consonant is made.

    Attributes
    ----------
    voiced : float
        Level of the voice, 0 to 1.
    noise : float
        Level of the noise, 0 to 1.
    centre, width : float
        Of the noise in the spectrum (Hz).
    formants : tuple of float
        The first three (Hz).
    closed : float
        Share of its time at the beginning in which nothing is heard, as before the burst of a stop.
    """

    voiced: float
    noise: float
    centre: float = 3000.0
    width: float = 1000.0
    formants: tuple[float, float, float] = (400.0, 1500.0, 2500.0)
    closed: float = 0.0


CONSONANTS: Mapping[str, Consonant] = {
    "s": Consonant(0.0, 0.30, 6000.0, 1200.0),
    "sh": Consonant(0.0, 0.35, 3200.0, 900.0),
    "f": Consonant(0.0, 0.10, 5000.0, 3000.0),
    "z": Consonant(0.3, 0.20, 5800.0, 1200.0),
    "p": Consonant(0.0, 0.40, 900.0, 700.0, closed=0.7),
    "t": Consonant(0.0, 0.45, 4200.0, 1500.0, closed=0.7),
    "k": Consonant(0.0, 0.45, 1900.0, 700.0, closed=0.7),
    "m": Consonant(0.4, 0.0, formants=(250.0, 1100.0, 2200.0)),
    "n": Consonant(0.4, 0.0, formants=(250.0, 1600.0, 2500.0)),
    "l": Consonant(0.6, 0.0, formants=(360.0, 1100.0, 2700.0)),
    "r": Consonant(0.6, 0.0, formants=(400.0, 1300.0, 1700.0)),
}

_HIGH = (3500.0, 4500.0)  # the two formants that all sounds share (Hz)
_BANDWIDTHS = np.array([70.0, 90.0, 130.0, 200.0, 280.0])  # Hz
_PERIOD = 0.004  # s, of the tracks that a word is made of
_WINDOW, _TRANSFORM = 256, 512
_PAUSE = 0.06  # s, before and after a word


@dataclass(frozen=True)
class Speaker:
    """Properties of a voice.

    Attributes
    ----------
    pitch : float
        Mean frequency of the glottis (Hz).
    melody : float
        How far it falls over a word, a share.
    jitter : float
        Deviation from pulse to pulse, a share.
    breath : float
        Level of the noise between the pulses.
    pole : float
        Of the low-pass filter of the source, 0 to 1: the larger, the darker the voice.
    formants : ndarray, shape (5,)
        Factors of the formants.
    bandwidth : float
        Factor of their bandwidths.
    rate : float
        Factor of durations.
    tone : float
        Slope of the microphone (dB an octave above 1 kHz).
    hiss : float
        Level of the noise of the recording, relative to the word.
    """

    pitch: float
    melody: float
    jitter: float
    breath: float
    pole: float
    formants: FloatArray
    bandwidth: float
    rate: float
    tone: float
    hiss: float


@dataclass(frozen=True)
class Sound:
    """A consonant or a vowel of a word, with its duration in seconds."""

    name: str
    seconds: float


def draw_speaker(seed: int, number: int) -> Speaker:
    """Return one of the speakers; every second one has a longer vocal tract and a lower pitch."""
    rng = stream(seed, "speaker", number)
    low = number % 2 == 0
    tract = rng.normal(1.0 if low else 1.16, 0.04)
    return Speaker(
        pitch=float(np.exp(rng.normal(np.log(118.0 if low else 205.0), 0.12))),
        melody=float(rng.uniform(0.05, 0.3)),
        jitter=float(rng.uniform(0.003, 0.015)),
        breath=float(rng.uniform(0.02, 0.12)),
        pole=float(rng.uniform(0.80, 0.97)),
        formants=np.asarray(tract * np.exp(rng.normal(0.0, 0.04, 5))),
        bandwidth=float(np.exp(rng.normal(0.0, 0.15))),
        rate=float(np.exp(rng.normal(0.0, 0.12))),
        tone=float(rng.normal(0.0, 3.0)),
        hiss=float(10.0 ** rng.uniform(-3.0, -1.3)),
    )


def draw_word(seed: int, number: int) -> tuple[Sound, ...]:
    """Return one of the words: two or three syllables of a consonant and a vowel, perhaps with a consonant at the end."""
    rng = stream(seed, "word", number)
    sounds = []
    for _ in range(int(rng.integers(2, 4))):
        sounds.append(Sound(str(rng.choice(list(CONSONANTS))), float(rng.uniform(0.06, 0.11))))
        sounds.append(Sound(str(rng.choice(list(VOWELS))), float(rng.uniform(0.11, 0.20))))
    if rng.random() < 0.5:
        sounds.append(Sound(str(rng.choice(list(CONSONANTS))), float(rng.uniform(0.06, 0.12))))
    return tuple(sounds)


@dataclass(frozen=True)
class Tracks:
    """Targets of source and filter during a word, every 4 ms."""

    voiced: FloatArray
    noise: FloatArray
    centre: FloatArray
    width: FloatArray
    formants: FloatArray


def tracks(sounds: tuple[Sound, ...], rate: float, rng: np.random.Generator) -> Tracks:
    """Return levels and frequencies over time, smoothed, so that sounds run into each other."""
    rows: list[tuple[float, ...]] = []
    for sound in sounds:
        n = max(4, round(sound.seconds * rate * float(np.exp(rng.normal(0.0, 0.08))) / _PERIOD))
        kind = CONSONANTS.get(sound.name)
        if kind is None:
            rows += [(1.0, 0.0, 3000.0, 1000.0, *VOWELS[sound.name])] * n
        else:
            silent = round(kind.closed * n)
            rows += [(0.0, 0.0, kind.centre, kind.width, *kind.formants)] * silent
            rows += [(kind.voiced, kind.noise, kind.centre, kind.width, *kind.formants)] * (n - silent)
    pause = round(_PAUSE / _PERIOD)
    rows = [(0.0, 0.0, *rows[0][2:])] * pause + rows + [(0.0, 0.0, *rows[-1][2:])] * pause
    table = np.array(rows)
    levels, noise_band = _smoothed(table[:, :2], 0.012), table[:, 2:4]
    formants = np.exp(_smoothed(np.log(table[:, 4:]), 0.05))
    high = np.broadcast_to(np.array(_HIGH), (len(table), len(_HIGH)))
    return Tracks(levels[:, 0], levels[:, 1], noise_band[:, 0], noise_band[:, 1], np.hstack([formants, high]))


def _smoothed(columns: FloatArray, seconds: float) -> FloatArray:
    """Return columns under a moving average with the ends held."""
    from scipy.ndimage import uniform_filter1d

    return np.asarray(uniform_filter1d(columns, max(1, round(seconds / _PERIOD)), axis=0, mode="nearest"))


def source(tracks_of: Tracks, speaker: Speaker, rng: np.random.Generator) -> tuple[FloatArray, FloatArray]:
    """Voice and noise before the filter, both at :data:`RATE`."""
    from scipy.signal import lfilter

    n = round(len(tracks_of.voiced) * _PERIOD * RATE)
    time = np.arange(n) / RATE
    at = np.arange(len(tracks_of.voiced)) * _PERIOD
    pitch = speaker.pitch * float(np.exp(rng.normal(0.0, 0.04)))
    fall = 1.0 + speaker.melody * (0.5 - time / time[-1])
    trembling = 1.0 + speaker.jitter * np.interp(time, at, rng.standard_normal(len(at)))
    phase = np.cumsum(pitch * fall * trembling / RATE)
    pulses = np.zeros(n)
    pulses[1:] = np.diff(np.floor(phase))
    glottis = lfilter([1.0, -1.0], [1.0, -2.0 * speaker.pole, speaker.pole**2], pulses)
    glottis /= np.sqrt(np.mean(np.square(glottis)))
    voice = glottis + speaker.breath * rng.standard_normal(n)
    return voice * np.interp(time, at, tracks_of.voiced), rng.standard_normal(n) * np.interp(time, at, tracks_of.noise)


def formant_response(formants: FloatArray, bandwidths: FloatArray, frequencies: FloatArray) -> FloatArray:
    """Magnitude of resonators one after another, each 1 at frequency 0, shape (T, B); all arguments are in Hz.

    Formants have shape (T, F), and those above half of :data:`RATE` are left out; bandwidths (F,), frequencies (B,).
    """
    turn = 2.0 * np.pi * frequencies / RATE
    across, along = np.cos(turn), np.sin(turn)
    squared = np.ones((len(formants), len(frequencies)))
    for formant, r in zip(formants.T, np.exp(-np.pi * bandwidths / RATE), strict=True):
        angle = 2.0 * np.pi * formant[:, None] / RATE
        # Distances from a point of the unit circle to both poles.
        middle, apart = 1.0 + r * r - 2.0 * r * np.cos(angle) * across, 2.0 * r * np.sin(angle) * along
        gain = (1.0 + r * r - 2.0 * r * np.cos(angle)) ** 2 / ((middle - apart) * (middle + apart))
        squared *= np.where(formant[:, None] < RATE / 2, gain, 1.0)
    return np.sqrt(squared)


def say(word: tuple[Sound, ...], speaker: Speaker, rng: np.random.Generator) -> FloatArray:
    """Return the sound of a speaker who says a word: mono, shape (n,), within [-1, 1], at :data:`RATE`.

    `rng` makes all that differs between two times.
    """
    from scipy.signal import istft, stft

    wanted = tracks(word, speaker.rate, rng)
    voice, noise = source(wanted, speaker, rng)
    # Filtered in the frequency domain, all frames at once.
    shape = {"fs": RATE, "nperseg": _WINDOW, "noverlap": 3 * _WINDOW // 4, "nfft": _TRANSFORM}
    frequencies, times, spoken = stft(voice, **shape)
    _, _, hissed = stft(noise, **shape)
    at = np.arange(len(wanted.voiced)) * _PERIOD
    formants = np.array([np.interp(times, at, track) for track in wanted.formants.T]).T * speaker.formants
    centre, width = (np.interp(times, at, track) for track in (wanted.centre, wanted.width))
    band = np.exp(-0.5 * ((frequencies - centre[:, None]) / width[:, None]) ** 2)
    through = formant_response(formants, _BANDWIDTHS * speaker.bandwidth, frequencies)
    octaves = np.log2(np.maximum(frequencies, 1000.0) / 1000.0)
    microphone = 10.0 ** (speaker.tone * octaves / 20.0)
    _, samples = istft((spoken * through.T + 4.0 * hissed * band.T) * microphone[:, None], **shape)
    level = np.sqrt(np.mean(np.square(samples)))
    samples = samples + speaker.hiss * level * rng.standard_normal(len(samples))
    return np.asarray(0.5 * samples / np.abs(samples).max())


def generate(
    seed: int, speakers: int, words: int, per_speaker: int, join: int, n_pairs: int | str
) -> tuple[SequenceSet, list[Task]]:
    """Return features of words said by some speakers, and tasks that are pairs of speakers.

    All speakers, at least two, say the same `words` different words, `per_speaker` recordings each; after the last word
    comes the first one again. `join` and `n_pairs` are those of :mod:`kinseq_documents.data.spoken_words`. Frames have
    26 numbers (T App. D.3); labels are the speakers.
    """
    n_speakers, n_words = as_count(speakers, "voices: speakers", least=2), as_count(words, "voices: words")
    each, run = as_count(per_speaker, "voices: per_speaker"), as_count(join, "voices: join")
    if each % run:
        raise ParameterError(f"voices: per_speaker is {each}, expected a multiple of join, which is {run}")
    vocabulary = [draw_word(seed, number) for number in range(min(n_words, each))]
    settings = audio_features("speech")
    compute = get(settings.feature).function
    arrays: list[FloatArray] = []
    labels, ids = [], []
    for speaker in range(n_speakers):
        voice, name = draw_speaker(seed, speaker), f"{speaker:03d}"
        utterances = []
        for number in range(each):
            rng = stream(seed, "spoken", speaker, number)
            where = f"{name}/{number:03d}"
            utterances.append(compute([say(vocabulary[number % n_words], voice, rng)], RATE, settings.recipe, where))
        arrays += [np.concatenate(utterances[start : start + run]) for start in range(0, each, run)]
        labels += [name] * (each // run)
        ids += [f"{name}/{number:03d}" for number in range(each // run)]
    sequences = SequenceSet.from_arrays(arrays, labels=labels, ids=ids, name="voices")
    return sequences, tasks(sequences, seed, n_pairs=n_pairs)


_DEFAULTS: dict[str, Any] = {"speakers": 30, "words": 25, "per_speaker": 25, "join": 1, "n_pairs": "all"}

LOADERS = (
    Loader(
        name="voices",
        label="words made in code, said by speakers with voices of their own, anew in every trial;"
        " every pair of speakers is a task",
        notes={"words": "different ones", "per_speaker": "recordings", "n_pairs": "as of `spoken_words`"},
        function=generate,
        kind="generated",
        params=_DEFAULTS,
    ),
)
