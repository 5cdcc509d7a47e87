"""Songs made in code, in four styles, for those who hold no recordings of music (in the place of those of T ch. 6).

Every song has its own key, tempo, chords, sounds, form and recording (level, tone, noise). These are drawn alike for all
styles, so that none of them tells the style by itself. What does:

========= ====================================== ===========================================
style     sounds                                 form
========= ====================================== ===========================================
drive     distorted guitar, bass, drums          three textures that change every 2.5 to 4 s
riff      the same, tuned lower, more galloping  the same three textures, every 9 to 14 s
chamber   strings and piano, no drums            three textures, every 5 to 9 s
offbeat   organ on the off-beats, bass, drums    three textures, every 7 to 12 s
========= ====================================== ===========================================

*drive* and *riff* are close on purpose. Their textures (open chords, muted chords, a break without distortion) take equal
shares of the time in both, and differ in how long they last: this is dynamics, which the order of windows shows and
their distribution does not.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from kinseq.core.arrays import FloatArray
from kinseq.core.errors import ParameterError, is_one_of, unknown_name
from kinseq.core.seeds import stream

from .tones import harmonics, low_passed

RATE = 22050.0
"""Samples per second of all songs (Hz)."""
SHORTEST = 5.0
"""Shortest song that can be requested (s)."""

_STEPS = 16
_MAJOR, _MINOR = (0, 4, 7), (0, 3, 7)
# Chords by their distance from the key note in semitones, and their notes.
_CHORDS = ((0, _MAJOR), (5, _MAJOR), (7, _MAJOR), (9, _MINOR), (2, _MINOR), (4, _MINOR))
_GALLOP = (0, 2, 3, 4, 6, 7, 8, 10, 11, 12, 14, 15)
_EIGHTHS = tuple(range(0, _STEPS, 2))


@dataclass(frozen=True)
class Section:
    """A stretch of a song: its texture, its start in seconds."""

    texture: str
    start: float


@dataclass(frozen=True)
class Song:
    """A song and its random choices.

    Attributes
    ----------
    samples : ndarray, shape (n,)
        Mono, within [-1, 1], at :data:`RATE`.
    style : str
    tempo : float
        Beats per minute.
    form : tuple of Section
    """

    samples: FloatArray
    style: str
    tempo: float
    form: tuple[Section, ...]


@dataclass(frozen=True)
class Style:
    """Properties that the songs of a style share.

    Attributes
    ----------
    textures : tuple of str
        Each is followed by one of the others, with equal chances, so that all take equal shares of the time.
    lasts : tuple of float
        Shortest and longest duration of a section (s), before it is rounded to whole bars.
    tuning : tuple of int
        Lowest and highest key note (MIDI number) of the accompaniment.
    gallop : float
        Share of songs whose muted chords gallop.
    grit : tuple of float
        Least and largest amplification of the guitar before it is clipped.
    """

    textures: tuple[str, ...]
    survives_phase_shift: tuple[float, float]
    tuning: tuple[int, int]
    gallop: float = 0.0
    grit: tuple[float, float] = (0.0, 0.0)


STYLES: dict[str, Style] = {
    "drive": Style(("open", "muted", "break"), (2.5, 4.0), (42, 53), 0.3, (3.0, 9.0)),
    "riff": Style(("open", "muted", "break"), (9.0, 14.0), (35, 46), 0.7, (6.0, 18.0)),
    "chamber": Style(("legato", "arpeggio", "tutti"), (5.0, 9.0), (40, 51)),
    "offbeat": Style(("skank", "dub", "lead"), (7.0, 12.0), (40, 51)),
}


def make_song(style: str, number: int, seconds: float, seed: int) -> Song:
    """Make one song, which depends on its style, its number, its length and the seed only.

    `style` is one of :data:`STYLES`; a song is at least :data:`SHORTEST` seconds long.
    """
    if not is_one_of(style, STYLES):
        raise ParameterError(unknown_name("style", style, STYLES))
    if isinstance(seconds, (bool, str)) or not SHORTEST <= seconds <= 3600.0:
        raise ParameterError(f"seconds is {seconds!r}, expected a length from {SHORTEST:g} to 3600 seconds")
    rng = stream(seed, "song", style, number)
    band = _Band.draw(STYLES[style], round(seconds * RATE), rng)
    form = []
    texture = str(rng.choice(band.style.textures))
    while band.at < len(band):
        form.append(Section(texture, band.at / RATE))
        bars = max(1, round(rng.uniform(*band.style.survives_phase_shift) * RATE / (_STEPS * band.step)))
        for _ in range(bars):
            if band.at < len(band):
                TEXTURES[texture](band)
                band.next_bar()
        texture = str(rng.choice([other for other in band.style.textures if other != texture]))
    return Song(_recorded(band.mixed(), rng), style, band.tempo, tuple(form))


# Sounds


def _frequency(note: float) -> float:
    """Hz of a MIDI number."""
    return float(440.0 * 2.0 ** ((note - 69.0) / 12.0))


def _tone(
    note: float, n: int, partials: FloatArray, decay: float, attack: float, vibrato: float = 0.0, release: float = 0.02
) -> FloatArray:
    """Return a note of harmonics that die away, the high ones first; shape (n,).

    `decay` is per second, `attack` and `release` in seconds, `vibrato` a share of the frequency, at 5.5 Hz.
    """
    t = np.arange(n) / RATE
    frequency = _frequency(note)
    phase = 2.0 * np.pi * frequency * t
    if vibrato:
        phase += vibrato * frequency / 5.5 * np.sin(2.0 * np.pi * 5.5 * t)
    # Harmonics by the recurrence for sines of multiples: two multiplications per sample instead of a sine.
    count = min(len(partials), int(0.45 * RATE / frequency))
    fade, fading = np.exp(-decay * t), np.exp(-0.3 * decay * t)
    sound = harmonics(np.sin(phase), 2.0 * np.cos(phase), fade, fading, partials[:count], decay > 0.0)
    sound *= np.minimum(1.0, t / attack)
    tail = min(n, int(release * RATE))
    if tail:
        sound[n - tail :] *= np.linspace(1.0, 0.0, tail)
    return np.asarray(sound)


def _kick(pitch: float) -> FloatArray:
    t = np.arange(int(0.18 * RATE)) / RATE
    return np.asarray(np.sin(2.0 * np.pi * (pitch * t + 0.04 * pitch * (1.0 - np.exp(-40.0 * t)))) * np.exp(-18.0 * t))


def _noise(seconds: float, decay: float, low: float, rng: np.random.Generator) -> FloatArray:
    """Noise above `low` Hz that dies away."""
    t = np.arange(int(seconds * RATE)) / RATE
    noise = rng.standard_normal(t.size)
    return np.asarray((noise - _low_passed(noise, low)) * np.exp(-decay * t))


def _low_passed(signal: FloatArray, corner: float) -> FloatArray:
    """Return a filter of first order with its corner at that frequency (Hz)."""
    return np.asarray(low_passed(signal, float(np.exp(-2.0 * np.pi * corner / RATE))))


# The band


@dataclass
class _Band:
    """Player of a song, with the samples it has played and its place in the song."""

    style: Style
    tempo: float
    step: int
    key: int
    chords: list[tuple[int, tuple[int, ...]]]
    gallop: bool
    grit: float
    voices: dict[str, FloatArray]
    drums: dict[str, FloatArray]
    levels: dict[str, float]
    buses: dict[str, FloatArray]
    rng: np.random.Generator
    at: int = 0
    bar: int = 0
    sounds: dict[tuple[object, ...], FloatArray] = field(default_factory=dict)

    @classmethod
    def draw(cls, style: Style, n: int, rng: np.random.Generator) -> _Band:
        """Return a band for `n` samples; what is drawn is drawn alike for all styles, but for the key and the gallop."""
        tempo = float(rng.uniform(90.0, 150.0))
        orders = np.arange(1, 25)
        slopes = {name: rng.uniform(low, high) for name, low, high in _SLOPES}
        drums = {
            "kick": _kick(rng.uniform(45.0, 65.0)),
            "snare": _noise(0.2, rng.uniform(16.0, 28.0), 600.0, rng),
            "hat": _noise(0.06, rng.uniform(60.0, 110.0), 6000.0, rng),
        }
        return cls(
            style=style,
            tempo=tempo,
            step=round(RATE * 60.0 / tempo / 4.0),
            key=int(rng.integers(style.tuning[0], style.tuning[1], endpoint=True)),
            chords=[_CHORDS[k] for k in rng.choice(len(_CHORDS), size=4, replace=False)],
            gallop=bool(rng.random() < style.gallop),
            grit=float(rng.uniform(*style.grit)),
            voices={name: np.asarray(orders ** -float(slope), dtype=np.float64) for name, slope in slopes.items()},
            drums=drums,
            levels={name: float(np.exp(rng.normal(0.0, 0.2))) for name in _LEVELS},
            buses={name: np.zeros(n) for name in _LEVELS},
            rng=rng,
        )

    def __len__(self) -> int:
        return len(self.buses["drums"])

    @property
    def chord(self) -> tuple[int, tuple[int, ...]]:
        """Key note of the chord of this bar (MIDI), and its notes above it."""
        above, notes = self.chords[self.bar % len(self.chords)]
        return self.key + above, notes

    def next_bar(self) -> None:
        """Go on to the next bar."""
        self.at += _STEPS * self.step
        self.bar += 1

    def add(self, bus: str, step: float, sound: FloatArray, level: float = 1.0) -> None:
        """Play a sound at a sixteenth of this bar, a little early or late, as loud as players manage."""
        start = max(0, self.at + round(step * self.step) + round(self.rng.normal(0.0, 0.003) * RATE))
        room = self.buses[bus][start : start + len(sound)]
        room += level * self.rng.uniform(0.85, 1.15) * sound[: len(room)]

    def hit(self, drum: str, steps: tuple[int, ...], level: float = 1.0) -> None:
        """Play a drum at some steps of this bar."""
        for step in steps:
            self.add("drums", step, self.drums[drum], level)

    def note(self, voice: str, note: float, steps: float) -> FloatArray:
        """Return a note of a voice that lasts some steps; made once and remembered."""
        key = (voice, note, steps)
        if key not in self.sounds:
            decay, attack, vibrato, release = _SHAPES[voice]
            n = int(steps * self.step)
            self.sounds[key] = _tone(note, n, self.voices[_TIMBRES.get(voice, voice)], decay, attack, vibrato, release)
        return self.sounds[key]

    def strum(self, voice: str, notes: tuple[float, ...], steps: float) -> FloatArray:
        """Return several notes at once."""
        return np.asarray(sum(self.note(voice, note, steps) for note in notes))

    def mixed(self) -> FloatArray:
        """Return all that was played, the distorted guitar through its amplifier."""
        guitar = self.buses["guitar"]
        if guitar.any():
            loud = np.tanh(self.grit * guitar / float(np.abs(guitar).max()))
            self.buses["guitar"] = 0.5 * _low_passed(_low_passed(loud, 4500.0), 4500.0)
        return np.asarray(sum(_LEVELS[name] * self.levels[name] * bus for name, bus in self.buses.items()))


_SLOPES = (
    ("guitar", 1.0, 1.4),
    ("clean", 1.3, 2.0),
    ("bass", 1.6, 2.4),
    ("strings", 1.5, 2.1),
    ("piano", 1.8, 2.4),
    ("organ", 1.2, 2.0),
)
"""Voices, and the range of the power that their harmonics fall with."""
_SHAPES = {
    "guitar": (1.2, 0.004, 0.0, 0.02),
    "muted": (14.0, 0.003, 0.0, 0.02),
    "clean": (2.5, 0.005, 0.0, 0.05),
    "bass": (2.0, 0.006, 0.0, 0.02),
    "strings": (0.0, 0.12, 0.004, 0.1),
    "piano": (3.0, 0.004, 0.0, 0.05),
    "organ": (0.0, 0.01, 0.003, 0.03),
}
"""Decay per second, attack (s), vibrato and release (s)."""
_TIMBRES = {"muted": "guitar"}
_LEVELS = {"drums": 0.5, "guitar": 0.8, "clean": 0.35, "bass": 0.5, "strings": 0.3, "piano": 0.4, "organ": 0.35}


# Textures: parts of the band in a bar


def _open(band: _Band) -> None:
    root, _ = band.chord
    for step in _EIGHTHS:
        band.add("guitar", step, band.strum("guitar", (root, root + 7, root + 12), 2))
        band.add("bass", step, band.note("bass", root - 12, 2))
    band.hit("kick", (0, 6, 8))
    band.hit("snare", (4, 12), 0.8)
    band.hit("hat", _EIGHTHS, 0.6)


def _muted(band: _Band) -> None:
    root, _ = band.chord
    for step in _GALLOP if band.gallop else _EIGHTHS:
        band.add("guitar", step, band.strum("muted", (root, root + 7), 1.5))
    for step in (0, 8):
        band.add("bass", step, band.note("bass", root - 12, 6))
    band.hit("kick", _GALLOP if band.gallop else (0, 4, 8, 12))
    band.hit("snare", (8,), 0.8)


def _break(band: _Band) -> None:
    root, notes = band.chord
    for k, step in enumerate(_EIGHTHS):
        band.add("clean", step, band.note("clean", root + 12 + (*notes, 12)[k % 4], 4))
    band.hit("hat", (0, 4, 8, 12), 0.5)


def _legato(band: _Band) -> None:
    root, notes = band.chord
    band.add("strings", 0, band.strum("strings", (root, *(root + 12 + note for note in notes)), _STEPS))


def _arpeggio(band: _Band) -> None:
    root, notes = band.chord
    for k, step in enumerate(_EIGHTHS):
        band.add("piano", step, band.note("piano", root + 12 + (*notes, 12, 16, 12, notes[2], notes[1])[k % 8], 6))
    band.add("strings", 0, band.note("strings", root, _STEPS), 0.4)


def _tutti(band: _Band) -> None:
    _legato(band)
    root, notes = band.chord
    for step in (0, 4, 8, 12):
        tune = int(band.rng.choice(notes))
        band.add("strings", step, band.note("strings", root + 24 + tune, 4), 1.2)
        band.add("piano", step, band.strum("piano", (root, root + 12 + tune), 4), 0.8)


def _groove(band: _Band, stabs: bool) -> None:
    root, notes = band.chord
    for step, above in ((0, 0), (3, 0), (6, 7), (10, 12), (12, 7)):
        band.add("bass", step, band.note("bass", root - 12 + above, 3), 1.3)
    if stabs:
        for step in (2, 6, 10, 14):
            band.add("organ", step, band.strum("organ", tuple(root + 12 + note for note in notes), 1))
    band.hit("kick", (8,))
    band.hit("snare", (8,), 0.5)
    band.hit("hat", _EIGHTHS, 0.5)


def _skank(band: _Band) -> None:
    _groove(band, stabs=True)


def _dub(band: _Band) -> None:
    _groove(band, stabs=False)
    root, notes = band.chord
    echo = band.strum("organ", tuple(root + 12 + note for note in notes), 1)
    for k in range(5):
        band.add("organ", 2 + 3 * k, echo, 0.6**k)


def _lead(band: _Band) -> None:
    _groove(band, stabs=True)
    root, notes = band.chord
    for step in (0, 6, 8, 12):
        band.add("clean", step, band.note("clean", root + 24 + int(band.rng.choice(notes)), 4), 1.2)


TEXTURES: dict[str, Callable[[_Band], None]] = {
    "open": _open,
    "muted": _muted,
    "break": _break,
    "legato": _legato,
    "arpeggio": _arpeggio,
    "tutti": _tutti,
    "skank": _skank,
    "dub": _dub,
    "lead": _lead,
}
"""Notes that the band plays in one bar of each texture."""


def _recorded(signal: FloatArray, rng: np.random.Generator) -> FloatArray:
    """Return the song as another recording of it: with a tone of its own (treble within 3 dB), noise, and a level of its own."""
    treble = 10.0 ** (rng.uniform(-3.0, 3.0) / 20.0)
    signal = signal + (treble - 1.0) * (signal - _low_passed(signal, 2000.0))
    power = float(np.sqrt(np.mean(signal**2)))
    signal = signal + power * 10.0 ** (rng.uniform(-60.0, -50.0) / 20.0) * rng.standard_normal(signal.size)
    level = 10.0 ** (rng.uniform(-26.0, -12.0) / 20.0) / power
    return np.asarray(signal * min(level, 0.99 / float(np.abs(signal).max())))
