"""Kinds of sets: what groups differ in, and processes and continua in which there are none.

Each kind makes one sequence at a time from its place: the number of its group and a little more or less, so that members of
a group differ in the very property that the groups differ in. How far groups are apart, and the noise, depend on the effect.
``trait`` estimates that property from a sequence; tests hold the promise of each effect against it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np
from scipy.ndimage import gaussian_filter1d
from scipy.signal import lfilter, sawtooth, square

from kinseq.core.arrays import FloatArray

from .item import Item, Kind, alone, effects
from .machines import MACHINES

PERIOD = 20.0
"""Frames of a wave, where the period tells nothing."""
SHORTEST = 6.0
"""Frames of the shortest period, where it does."""
LEVELS = 20.0
"""Range of levels that tell nothing, and distance of levels that are one of two groupings."""


# ---------------------------------------------------------------------------------------------------------------------
# Waves and walks
# ---------------------------------------------------------------------------------------------------------------------


def _sine(item: Item, period: float, phase: float | None = None) -> FloatArray:
    """Return a sine, of any phase where none is given, shape (T, 1)."""
    turns = item.rng.uniform() if phase is None else phase
    return np.sin(2 * np.pi * (np.arange(item.frames) / period + turns))[:, None]


def _walk(item: Item, size: float = 1.0) -> FloatArray:
    return size * np.cumsum(item.rng.normal(size=(item.frames, 1)), axis=0)


def _autoregressive(item: Item, memory: float, warm_up: int = 200) -> FloatArray:
    """Return a process of first order and variance 1, shape (T, 1)."""
    shocks = np.sqrt(1.0 - memory**2) * item.rng.normal(size=item.frames + warm_up)
    return np.asarray(lfilter([1.0], [1.0, -memory], shocks))[warm_up:, None]


def _form(item: Item, wave: FloatArray, which: int) -> FloatArray:
    """Return a wave of angle `wave` as mixture of a sine and another form, of variance 1."""
    forms: tuple[Callable[[FloatArray], FloatArray], ...] = (np.sin, square, sawtooth, partial(square, duty=0.15))
    form = forms[which](wave)
    form = (form - form.mean()) / form.std()
    mixed = (1.0 - item.strength.step) * np.sqrt(2.0) * np.sin(wave) + item.strength.step * form
    return np.asarray(mixed / mixed.std())[:, None]


def _bell(item: Item, centre: float, width: float = 0.03) -> FloatArray:
    return np.exp(-0.5 * ((item.time - centre) / width) ** 2)[:, None]


# ---------------------------------------------------------------------------------------------------------------------
# Groups
# ---------------------------------------------------------------------------------------------------------------------


def _level(item: Item) -> FloatArray:
    return item.strength.step * item.place + item.noise()


def _spread(item: Item) -> FloatArray:
    return item.strength.step**item.place * item.rng.normal(size=(item.frames, 1))


def _trend(item: Item) -> FloatArray:
    return item.strength.step * item.from_centre * (item.time[:, None] - 0.5) + item.noise()


def _period(item: Item) -> FloatArray:
    return _sine(item, SHORTEST * item.strength.step**item.place) + item.noise()


def _forms(item: Item) -> FloatArray:
    period = PERIOD * np.exp(0.05 * item.rng.normal())
    angle = 2 * np.pi * (np.arange(item.frames) / period + item.rng.uniform())
    return _form(item, angle, item.group) + item.noise()


def _pulse_time(item: Item) -> FloatArray:
    """Return the pulses of all groups lie on .15 to .85 of the time; a smaller effect brings them together."""
    centre = 0.5 + 0.7 * item.strength.step * item.from_centre / max(item.n_groups - 1, 1)
    return 8.0 * _bell(item, centre) + item.noise()


def _length(item: Item) -> FloatArray:
    frames = round(40 * item.strength.step**item.place)
    return item.noise(frames=frames)


def _memory(item: Item) -> FloatArray:
    return _autoregressive(item, float(np.tanh(item.strength.step * item.from_centre)))


def _dwell(item: Item) -> FloatArray:
    """Return two states 3 apart; how long each is held is a gamma variable whose deviation is half its mean."""
    mean = 2.0 * item.strength.step**item.place
    held = np.maximum(1, np.rint(item.rng.gamma(4.0, mean / 4.0, size=2 * item.frames))).astype(int)
    states = np.repeat(np.arange(len(held)) % 2, held)
    start = item.rng.integers(0, max(1, int(2 * mean)))
    return 3.0 * states[start : start + item.frames, None] + item.noise()


def _correlation(item: Item) -> FloatArray:
    rho = np.tanh(item.strength.step * item.from_centre)
    first, second = item.rng.normal(size=(2, item.frames))
    return np.stack([first, rho * first + np.sqrt(1.0 - rho**2) * second], axis=1)


def _one_column(item: Item) -> FloatArray:
    frames = item.noise(10)
    frames[:, 3] += item.strength.step * item.place
    return frames


def _events(item: Item) -> FloatArray:
    """Pulses of one frame at random places at least 3 frames apart."""
    places = 3 * np.arange(item.frames // 3) + 1
    count = int(np.clip(round(2 + item.strength.step * item.place), 0, len(places)))
    frames = item.noise()
    frames[item.rng.choice(places, count, replace=False)] += 8.0
    return frames


def _onset(item: Item) -> FloatArray:
    """Return a wave that begins at a place between .1 and .8 of the time."""
    begin = 0.45 + 0.7 * item.strength.step * item.from_centre / max(item.n_groups - 1, 1)
    return _sine(item, 8.0) * (item.time[:, None] >= begin) + item.noise()


def _sweep(item: Item) -> FloatArray:
    """Return a wave of .12 cycles a frame in the mean that grows faster or slower in time."""
    change = 2.0 * item.strength.step * item.from_centre / max(item.n_groups - 1, 1)
    turns = 0.12 * item.frames * (item.time + change * (item.time**2 - item.time))
    return np.sin(2 * np.pi * (turns + item.rng.uniform()))[:, None] + item.noise()


def _level_and_period(item: Item) -> FloatArray:
    """Return groups in two rows of periods and as many columns of levels as it takes: neither tells all of them."""
    columns = (item.n_groups + 1) // 2
    row, column = divmod(item.group, columns)
    beside = item.place - item.group
    level = item.strength.step * (column + beside)
    return 2.0 * level + _sine(item, SHORTEST * item.strength.step ** (row + 0.5 * beside)) + item.noise()


# ---------------------------------------------------------------------------------------------------------------------
# Groups with something else that varies more, or elsewhere
# ---------------------------------------------------------------------------------------------------------------------


def _levels_under_waves(item: Item) -> FloatArray:
    return item.strength.step * item.place + _sine(item, PERIOD) + item.noise()


def _walks_apart(item: Item) -> FloatArray:
    return item.strength.step * item.group + _walk(item)


def _larger_waves(item: Item) -> FloatArray:
    return item.strength.step**item.place * _sine(item, PERIOD) + item.noise()


def _levels_under_walks(item: Item) -> FloatArray:
    """Walks of steps .5 to 2 about a level that is theirs from beginning to end."""
    walk = _walk(item, float(np.exp(item.rng.uniform(-np.log(2), np.log(2)))))
    return item.strength.step * item.place + walk - walk.mean()


def _period_under_levels(item: Item) -> FloatArray:
    return item.rng.uniform(0, LEVELS) + _period(item)


def _without_groups(item: Item) -> FloatArray:
    """Return a walk, noise and a process with memory, none of which depends on the group, shape (T, 3)."""
    return np.hstack([_walk(item), item.rng.normal(size=(item.frames, 1)), _autoregressive(item, 0.9)])


def _period_in_one_column(item: Item) -> FloatArray:
    return np.hstack([_period(item), _without_groups(item)])


def _form_under_amplitude(item: Item) -> FloatArray:
    return np.exp(item.rng.uniform(0, np.log(10.0))) * _forms(item)


# ---------------------------------------------------------------------------------------------------------------------
# Two groupings, hierarchies
# ---------------------------------------------------------------------------------------------------------------------


def _levels_and_phases(item: Item) -> FloatArray:
    """Return three turns over the whole time, begun at one of four phases."""
    wave = np.sin(2 * np.pi * (3.0 * item.time + item.other / 4.0))[:, None]
    return item.strength.step * item.place + wave + item.noise()


def _levels_and_periods(item: Item) -> FloatArray:
    wave = _sine(item, SHORTEST * 1.8**item.other)
    return item.strength.step * item.place + wave + item.noise()


def _pairs(group: int) -> int:
    return group // 2


def _levels_of_levels(item: Item) -> FloatArray:
    beside = item.place - item.group
    level = 5.0 * (item.group // 2) + item.group % 2 + beside
    return item.strength.step * level + item.noise()


def _levels_of_periods(item: Item) -> FloatArray:
    beside = item.place - item.group
    wave = _sine(item, SHORTEST * item.strength.step ** (item.group % 2 + beside))
    return LEVELS * (item.group // 2) + wave + item.noise()


# ---------------------------------------------------------------------------------------------------------------------
# Data without groups
# ---------------------------------------------------------------------------------------------------------------------


def _white(item: Item) -> FloatArray:
    return item.noise()


def _waves(item: Item) -> FloatArray:
    return _sine(item, PERIOD) + item.noise()


def _smooth(item: Item) -> FloatArray:
    """Noise averaged over about ten frames."""
    return np.asarray(gaussian_filter1d(item.rng.normal(size=(item.frames + 40, 1)), 4.0, axis=0))[20:-20]


def _heavy(item: Item) -> FloatArray:
    return item.rng.standard_t(3, size=(item.frames, 1))


def _bursts(item: Item) -> FloatArray:
    """Return one to five bells of any size at any time."""
    bells = [item.rng.uniform(1, 5) * _bell(item, item.rng.uniform()) for _ in range(item.rng.integers(1, 6))]
    return np.sum(bells, axis=0) + item.noise()


def _one_step(item: Item) -> FloatArray:
    """One step of one size at any time, but for the first and the last tenth."""
    return 15.0 * (item.time > item.rng.uniform(0.1, 0.9))[:, None] + item.noise()


def _one_pulse(item: Item) -> FloatArray:
    return 8.0 * _bell(item, item.rng.uniform(0.1, 0.9)) + item.noise()


def _swelling_waves(item: Item) -> FloatArray:
    """Waves of nearly one period and any phase in one column, a swell in the other; two thirds to four thirds as long."""
    frames = round(item.frames * item.rng.uniform(0.67, 1.33))
    phase = np.arange(frames) / item.rng.normal(14.0, 0.7) + item.rng.uniform()
    swell = 10.0 * np.sin(np.pi * np.arange(frames) / frames)
    return np.stack([4.0 * np.sin(2 * np.pi * phase), swell], axis=1) + item.noise(2, frames)


# ---------------------------------------------------------------------------------------------------------------------
# Continua
# ---------------------------------------------------------------------------------------------------------------------


def _any_level(item: Item) -> FloatArray:
    return item.strength.step * item.place + item.noise()


def _any_period(item: Item) -> FloatArray:
    return _sine(item, SHORTEST + item.strength.step * item.place) + item.noise()


def _any_phase(item: Item) -> FloatArray:
    """Half a turn at most: a line with two ends."""
    return np.sin(2 * np.pi * (3.0 * item.time + item.strength.step * item.place))[:, None] + item.noise()


def _any_length(item: Item) -> FloatArray:
    return item.noise(frames=round(40 + item.strength.step * item.place))


def _any_amplitude(item: Item) -> FloatArray:
    return (1.0 + item.strength.step * item.place) * _sine(item, PERIOD) + item.noise()


def _any_pulse_time(item: Item) -> FloatArray:
    return 8.0 * _bell(item, 0.15 + item.strength.step * item.place) + item.noise()


# ---------------------------------------------------------------------------------------------------------------------
# What groups differ in, estimated
# ---------------------------------------------------------------------------------------------------------------------


def mean_of(frames: FloatArray) -> FloatArray:
    """Level of each column."""
    return np.asarray(frames.mean(axis=0))


def log_spread(frames: FloatArray) -> FloatArray:
    """Return the logarithm of the deviation about the own mean."""
    return np.log(frames.std(axis=0))


def slope(frames: FloatArray) -> FloatArray:
    """Change over the whole time by least squares."""
    return np.polyfit(np.linspace(0, 1, len(frames)), frames[:, 0], 1)[:1]


def log_period(frames: FloatArray) -> FloatArray:
    """Return the logarithm of the period at which the periodogram is largest."""
    centred = (frames[:, 0] - frames[:, 0].mean()) * np.hanning(len(frames))
    power, padded = np.abs(np.fft.rfft(centred, 4096)), 4096
    return -np.log(np.array([max(int(np.argmax(power)), 1) / padded]))


def form(frames: FloatArray, harmonics: int = 5) -> FloatArray:
    """Harmonics in units of the fundamental and as seen from its phase, by least squares."""
    order = np.arange(1, harmonics + 1)
    turns = np.arange(len(frames)) / np.exp(log_period(frames))
    angles = 2 * np.pi * np.outer(turns, order)
    basis = np.hstack([np.ones((len(frames), 1)), np.cos(angles), np.sin(angles)])
    coefficients = np.linalg.lstsq(basis, frames[:, 0], rcond=None)[0]
    waves = coefficients[1 : harmonics + 1] - 1j * coefficients[harmonics + 1 :]
    normalised = (waves * np.exp(-1j * order * np.angle(waves[0])) / np.abs(waves[0]))[1:]
    return np.concatenate([normalised.real, normalised.imag])


def pulse(frames: FloatArray) -> FloatArray:
    """Return the time of the largest value, lightly smoothed, from 0 to 1."""
    return np.array([np.argmax(gaussian_filter1d(frames[:, 0], 2.0)) / (len(frames) - 1)])


def log_length(frames: FloatArray) -> FloatArray:
    """Return the logarithm of the number of frames."""
    return np.log(np.array([len(frames)]))


def memory(frames: FloatArray) -> FloatArray:
    """Return the correlation of neighbouring frames after Fisher's transform."""
    return np.arctanh(np.array([np.corrcoef(frames[:-1, 0], frames[1:, 0])[0, 1]]))


def log_dwell(frames: FloatArray) -> FloatArray:
    """Return the logarithm of the mean number of frames between passings of the middle of the two states."""
    return np.log(np.array([len(frames) / (1 + np.count_nonzero(np.diff(frames[:, 0] > 1.5)))]))


def correlation(frames: FloatArray) -> FloatArray:
    """Return the correlation of the two columns after Fisher's transform."""
    return np.arctanh(np.array([np.corrcoef(frames[:, 0], frames[:, 1])[0, 1]]))


def fourth_column(frames: FloatArray) -> FloatArray:
    """Level of the column that differs."""
    return np.asarray(frames[:, 3:4].mean(axis=0))


def events(frames: FloatArray) -> FloatArray:
    """Return the number of extreme frames."""
    return np.array([np.count_nonzero(frames[:, 0] > 5.0)], dtype=np.float64)


def onset(frames: FloatArray, margin: int = 5) -> FloatArray:
    """Return the time that best divides the sequence in two normal variables of variances of their own, from 0 to 1."""
    power, n = np.cumsum(frames[:, 0] ** 2), len(frames)
    before = np.arange(margin, n - margin)
    after = n - before
    loss = before * np.log(power[before - 1] / before) + after * np.log((power[-1] - power[before - 1]) / after)
    return np.array([before[np.argmin(loss)] / n])


def change_of_frequency(frames: FloatArray) -> FloatArray:
    """Return how much faster the second half passes its mean than the first, in passings a frame."""
    smooth = gaussian_filter1d(frames[:, 0], 1.0)
    crossings = np.diff(smooth > 0.0)
    half = len(crossings) // 2
    return np.array([crossings[half:].mean() - crossings[:half].mean()])


def level_and_period(frames: FloatArray) -> FloatArray:
    """Level, and the logarithm of the period in comparable units."""
    return np.concatenate([mean_of(frames), 4.0 * log_period(frames)])


# ---------------------------------------------------------------------------------------------------------------------
# The table
# ---------------------------------------------------------------------------------------------------------------------


_ENTRIES = (
    Kind("level", "planted", "level of white noise", _level, effects((8, 1), (3, 1), (0.8, 1)), 10, trait=mean_of),
    Kind(
        "spread",
        "planted",
        "spread of white noise, by factors",
        _spread,
        effects((4, 0), (2, 0), (1.4, 0)),
        6,
        trait=log_spread,
    ),
    Kind("trend", "planted", "slope of a line", _trend, effects((16, 1), (5, 1), (2, 1)), 10, trait=slope),
    Kind(
        "period",
        "planted",
        "period of a sine of any phase",
        _period,
        effects((1.6, 0.15), (1.35, 0.3), (1.15, 0.5)),
        5,
        trait=log_period,
    ),
    Kind(
        "form",
        "planted",
        "form of a wave of any phase: sine, square, sawtooth, pulses",
        _forms,
        effects((1.0, 0.05), (0.8, 0.2), (0.5, 0.5)),
        4,
        trait=form,
    ),
    Kind(
        "pulse_time",
        "planted",
        "time of a single pulse",
        _pulse_time,
        effects((1, 0.5), (0.6, 1), (0.3, 2)),
        8,
        trait=pulse,
    ),
    Kind(
        "length",
        "planted",
        "number of frames of white noise",
        _length,
        effects((1.8, 1), (1.4, 1), (1.15, 1)),
        4,
        trait=log_length,
    ),
    Kind(
        "memory",
        "planted",
        "correlation of neighbouring frames",
        _memory,
        effects((1.6, 0), (0.8, 0), (0.35, 0)),
        3,
        trait=memory,
    ),
    Kind(
        "dwell",
        "planted",
        "how long each of two states is held",
        _dwell,
        effects((3.5, 0.3), (2.2, 0.5), (1.5, 0.8)),
        3,
        trait=log_dwell,
    ),
    Kind(
        "correlation",
        "planted",
        "correlation of two columns",
        _correlation,
        effects((1.6, 0), (0.8, 0), (0.35, 0)),
        3,
        trait=correlation,
    ),
    Kind(
        "one_column",
        "planted",
        "level of one column of ten",
        _one_column,
        effects((8, 1), (3, 1), (0.8, 1)),
        10,
        trait=fourth_column,
    ),
    Kind(
        "events",
        "planted",
        "number of short events at any time",
        _events,
        effects((6, 0.5), (3, 1), (2, 2)),
        3,
        trait=events,
    ),
    Kind(
        "onset",
        "planted",
        "time at which a wave begins",
        _onset,
        effects((1, 0.1), (0.6, 0.3), (0.3, 0.6)),
        4,
        trait=onset,
    ),
    Kind(
        "sweep",
        "planted",
        "whether a wave gets faster or slower",
        _sweep,
        effects((0.8, 0.05), (0.4, 0.2), (0.15, 0.4)),
        3,
        trait=change_of_frequency,
    ),
    Kind(
        "level_and_period",
        "planted",
        "levels in columns and periods in two rows, so that both are needed",
        _level_and_period,
        effects((2.0, 0.15), (1.5, 0.4), (1.2, 0.7)),
        6,
        3,
        trait=level_and_period,
    ),
    Kind(
        "levels_under_waves",
        "nuisance",
        "levels under waves of any phase",
        _levels_under_waves,
        effects((20, 0.1), (4, 0.1), (1.5, 0.1)),
        6,
        trait=mean_of,
    ),
    Kind(
        "far_levels_under_waves",
        "nuisance",
        "levels 100 apart under waves of any phase",
        _levels_under_waves,
        effects((100, 0.1)),
        6,
        trait=mean_of,
    ),
    Kind(
        "walks_apart",
        "nuisance",
        "where walks begin",
        _walks_apart,
        effects((60, 0), (25, 0), (12, 0)),
        6,
        trait=mean_of,
    ),
    Kind(
        "larger_waves",
        "nuisance",
        "size of waves of any phase, 4 times",
        _larger_waves,
        effects((4, 0.1), (2, 0.1), (1.4, 0.1)),
        4,
        trait=log_spread,
    ),
    Kind(
        "much_larger_waves",
        "nuisance",
        "size of waves of any phase, 16 times",
        _larger_waves,
        effects((16, 0.1)),
        3,
        trait=log_spread,
    ),
    Kind(
        "levels_under_walks",
        "nuisance",
        "levels of walks",
        _levels_under_walks,
        effects((40, 0), (12, 0), (5, 0)),
        6,
        trait=mean_of,
    ),
    Kind(
        "period_under_levels",
        "nuisance",
        "period of waves at any level",
        _period_under_levels,
        effects((1.6, 0.15), (1.35, 0.3), (1.15, 0.5)),
        5,
        trait=log_period,
    ),
    Kind(
        "period_in_one_column",
        "nuisance",
        "period of waves in one of four columns",
        _period_in_one_column,
        effects((1.6, 0.15), (1.35, 0.3), (1.15, 0.5)),
        5,
        trait=log_period,
    ),
    Kind(
        "form_under_amplitude",
        "nuisance",
        "form of waves of any size",
        _form_under_amplitude,
        effects((1.0, 0.05), (0.8, 0.2), (0.5, 0.5)),
        4,
        trait=form,
    ),
    Kind(
        "levels_and_phases",
        "two_groupings",
        "levels, and four phases of a wave",
        _levels_and_phases,
        effects((20, 0.1), (4, 0.3), (1.5, 0.5)),
        4,
        trait=mean_of,
        second=4,
    ),
    Kind(
        "levels_and_periods",
        "two_groupings",
        "levels, and four periods of a wave of any phase",
        _levels_and_periods,
        effects((20, 0.1), (4, 0.3), (1.5, 0.5)),
        4,
        trait=mean_of,
        second=4,
    ),
    Kind(
        "levels_of_levels",
        "hierarchy",
        "levels in pairs",
        _levels_of_levels,
        effects((8, 1), (3, 1), (0.8, 1)),
        8,
        4,
        trait=mean_of,
        coarse=_pairs,
    ),
    Kind(
        "levels_of_periods",
        "hierarchy",
        "levels, and two periods at each",
        _levels_of_periods,
        effects((1.8, 0.15), (1.4, 0.3), (1.2, 0.5)),
        8,
        4,
        trait=level_and_period,
        coarse=_pairs,
    ),
    Kind("white_noise", "process", "white noise", _white, alone()),
    Kind("ar_5", "process", "half of the frame before", lambda item: _autoregressive(item, 0.5), alone()),
    Kind("ar_9", "process", "nine tenths of the frame before", lambda item: _autoregressive(item, 0.9), alone()),
    Kind("walks", "process", "random walks", _walk, alone()),
    Kind("waves", "process", "waves of any phase", _waves, alone(noise=0.1)),
    Kind("smooth_noise", "process", "smooth noise", _smooth, alone()),
    Kind("heavy_tails", "process", "noise after Student's t of 3 degrees of freedom", _heavy, alone()),
    Kind("bursts", "process", "one to five bursts of any size at any time", _bursts, alone(noise=0.2)),
    Kind("one_step", "process", "one step at any time", _one_step, alone(noise=0.8)),
    Kind("one_pulse", "process", "one pulse at any time", _one_pulse, alone(noise=0.5)),
    Kind("three_columns", "process", "a walk, noise and a process with memory", _without_groups, alone()),
    Kind(
        "swelling_waves",
        "process",
        "waves of one period under a swell, of any length",
        _swelling_waves,
        alone(noise=1.0),
    ),
    Kind("any_level", "continuum", "level", _any_level, alone(20.0), trait=mean_of),
    Kind("any_period", "continuum", "period", _any_period, alone(34.0, 0.15), trait=lambda x: np.exp(log_period(x))),
    Kind("any_phase", "continuum", "phase, half a turn at most", _any_phase, alone(0.5, 0.1)),
    Kind(
        "any_length",
        "continuum",
        "length of white noise",
        _any_length,
        alone(160.0),
        trait=lambda x: np.exp(log_length(x)),
    ),
    Kind(
        "any_amplitude",
        "continuum",
        "size of a wave",
        _any_amplitude,
        alone(9.0, 0.1),
        trait=lambda x: np.exp(log_spread(x)),
    ),
    Kind("any_pulse_time", "continuum", "time of a pulse", _any_pulse_time, alone(0.7, 0.5), trait=pulse),
)
KINDS: Mapping[str, Kind] = {kind.name: kind for kind in (*_ENTRIES, *MACHINES)}
"""All kinds by name."""
