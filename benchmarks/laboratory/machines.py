"""Kinds of sets that machines and buildings make: cycles that begin at any moment, switches, pulses, days.

Period, share of the time switched on and the like are the same for all sequences of a set and differ from set to set; the
moment at which a sequence begins is another one in each.
"""

from __future__ import annotations

import numpy as np
from scipy.signal import lfilter

from kinseq.core.arrays import FloatArray, IntArray

from .item import Item, Kind, alone, effects

CYCLES = 10.0, 25.0
"""Shortest and longest period of a machine, in frames."""
DUTIES = 0.25, 0.75
"""Least and largest share of a cycle that a machine is switched on."""
QUICK = 8.0
"""Frames of the shortest period, where groups differ in it."""
DAY = 24
"""Frames of a day."""


def _between(share: float, bounds: tuple[float, float]) -> float:
    return bounds[0] + share * (bounds[1] - bounds[0])


def _period(item: Item) -> float:
    return _between(item.shared[0], CYCLES)


def _duty(item: Item) -> float:
    return _between(item.shared[1], DUTIES)


def _cycles(item: Item, period: float, duty: float) -> FloatArray:
    """1 while switched on and 0 while off, at any moment of the cycle first; shape (T, 1)."""
    turns = np.arange(item.frames) / period + item.rng.uniform()
    return (turns % 1.0 < duty).astype(np.float64)[:, None]


def _held(item: Item, on: FloatArray, off: FloatArray) -> FloatArray:
    """The same from the times for which it is held on and off in turn, begun at any moment; these are to last long enough."""
    ends = np.cumsum(np.stack([on, off], axis=1).ravel())
    begin = item.rng.uniform(0.0, max(float(ends[-1]) - item.frames, 1.0))
    return (np.searchsorted(ends, begin + np.arange(item.frames), "right") % 2 == 0).astype(np.float64)[:, None]


def _jittered(item: Item, jitter: float, period: float) -> FloatArray:
    """Cycles of which each half takes longer or shorter by some share."""
    duty, count = _duty(item), 2 * int(item.frames / period) + 20
    on, off = np.exp(jitter * item.rng.normal(size=(2, count)))
    return _held(item, duty * period * on, (1.0 - duty) * period * off)


def _duty_cycle(item: Item) -> FloatArray:
    return _cycles(item, _period(item), _duty(item)) + item.noise()


def _two_columns(item: Item) -> FloatArray:
    """Return a current, and a pressure that follows it with a time constant of a quarter of a period."""
    long = Item(**{**vars(item), "frames": item.frames + 100})
    current = _cycles(long, _period(item), _duty(item))
    decay = np.exp(-4.0 / _period(item))
    pressure = np.asarray(lfilter([1.0 - decay], [1.0, -decay], current[:, 0]))[:, None]
    return np.hstack([current, pressure])[100:] + item.noise(2)


def _jittered_cycles(item: Item) -> FloatArray:
    return _jittered(item, item.strength.step, _period(item)) + item.noise()


def _thermostat(item: Item) -> FloatArray:
    """Return a temperature that is heated up to 1 and left to cool to -1, with small disturbances."""
    constant = _between(item.shared[2], (8.0, 16.0))
    ends = -_between(item.shared[0], (2.0, 4.0)), _between(item.shared[1], (2.0, 4.0))
    warm_up = int(item.rng.integers(100, 300))
    shocks = 0.05 * item.rng.normal(size=item.frames + warm_up)
    temperature, heating, values = 0.0, 1, []
    for shock in shocks:
        temperature += (ends[heating] - temperature) / constant + shock
        heating = 0 if temperature > 1.0 else 1 if temperature < -1.0 else heating
        values.append(temperature)
    return np.array(values[warm_up:])[:, None] + item.noise()


def _saw_teeth(item: Item) -> FloatArray:
    turns = np.arange(item.frames) / _period(item) + item.rng.uniform()
    return (turns % 1.0)[:, None] + item.noise()


def _telegraph(item: Item) -> FloatArray:
    """Return two states, held for times of an exponential distribution."""
    means = [_between(item.shared[i], (5.0, 15.0)) for i in (0, 1)]
    on, off = (np.maximum(item.rng.exponential(mean, size=2 * item.frames), 1.0) for mean in means)
    return _held(item, on, off) + item.noise()


def _on_off_bursts(item: Item) -> FloatArray:
    """Return a wave of four frames that is switched on and off, for times of a gamma distribution."""
    means = [_between(item.shared[i], (10.0, 20.0)) for i in (0, 1)]
    on, off = (item.rng.gamma(4.0, mean / 4.0, size=2 * item.frames) for mean in means)
    wave = np.sin(2 * np.pi * (np.arange(item.frames) / 4.3 + item.rng.uniform()))[:, None]
    return _held(item, on, off) * wave + item.noise()


def _pulses(item: Item, interval: float, jitter: float = 0.05) -> FloatArray:
    """Pulses of two frames and height 5 at nearly equal intervals."""
    count = int(item.frames / interval) + 6
    times = np.cumsum(interval * np.exp(jitter * item.rng.normal(size=count))) - interval * item.rng.uniform(1.0, 2.0)
    return 5.0 * np.exp(-0.5 * (np.arange(item.frames)[:, None] - times) ** 2).sum(axis=1, keepdims=True)


def _pulse_trains(item: Item) -> FloatArray:
    return _pulses(item, _period(item)) + item.noise()


def _days(item: Item, evening: float) -> FloatArray:
    """Load with a peak at eight and one at nineteen, each day by a tenth larger or smaller."""
    frames = np.arange(item.frames) + item.rng.integers(DAY)
    size = np.exp(0.1 * item.rng.normal(size=int(frames[-1]) // DAY + 1))[frames // DAY]
    hour = frames % DAY
    load = np.exp(-0.5 * ((hour - 8.0) / 1.5) ** 2) + evening * np.exp(-0.5 * ((hour - 19.0) / 2.0) ** 2)
    return (size * load)[:, None]


def _day_profiles(item: Item) -> FloatArray:
    return _days(item, _between(item.shared[0], (0.5, 1.5))) + item.noise()


# ---------------------------------------------------------------------------------------------------------------------
# Groups and a continuum
# ---------------------------------------------------------------------------------------------------------------------


def _by_period(item: Item) -> FloatArray:
    return _cycles(item, QUICK * item.strength.step**item.place, _duty(item)) + item.noise()


def _by_duty(item: Item) -> FloatArray:
    duty = 0.5 + item.strength.step * item.from_centre
    return _cycles(item, _period(item), duty) + item.noise()


def _by_level(item: Item) -> FloatArray:
    return (1.0 + item.strength.step * item.place) * _cycles(item, _period(item), _duty(item)) + item.noise()


def _by_jitter(item: Item) -> FloatArray:
    period = _between(item.shared[0], (QUICK, 1.5 * QUICK))
    return _jittered(item, 0.03 * item.strength.step**item.place, period) + item.noise()


def _by_interval(item: Item) -> FloatArray:
    return _pulses(item, QUICK * item.strength.step**item.place) + item.noise()


def _by_evening(item: Item) -> FloatArray:
    return _days(item, 0.3 + item.strength.step * item.place) + item.noise()


def _any_cycle(item: Item) -> FloatArray:
    """Periods up to 15 % shorter or longer than that of the set."""
    return _cycles(item, _period(item) * (0.85 + 0.3 * item.place), _duty(item)) + item.noise()


# ---------------------------------------------------------------------------------------------------------------------
# What groups differ in, estimated
# ---------------------------------------------------------------------------------------------------------------------


def _switched_on(frames: FloatArray) -> IntArray:
    """Return frames at which it is switched on."""
    on = frames[:, 0] > 0.5
    return np.flatnonzero(on[1:] & ~on[:-1]) + 1


def log_cycle(frames: FloatArray) -> FloatArray:
    """Return the logarithm of the mean time from one switching on to the next."""
    return np.log(np.diff(_switched_on(frames)).mean(keepdims=True))


def duty(frames: FloatArray) -> FloatArray:
    """Return the share of whole cycles that it is on."""
    times = _switched_on(frames)
    return (frames[times[0] : times[-1], :1] > 0.5).mean(axis=0)


def level_on(frames: FloatArray) -> FloatArray:
    """Level while it is on."""
    return np.array([frames[frames[:, 0] > 0.5, 0].mean()])


def log_jitter(frames: FloatArray) -> FloatArray:
    """Return the logarithm of the relative deviation of the times on and off, and of what rounding adds."""
    on = frames[:, 0] > 0.5
    times = np.diff(np.flatnonzero(on[1:] != on[:-1]))
    shares = [some.std() / some.mean() for some in (times[::2], times[1::2])]
    return np.log(np.array([np.hypot(np.mean(shares), 0.1)]))


def log_interval(frames: FloatArray) -> FloatArray:
    """Return the logarithm of the mean time between pulses."""
    above = frames[:, 0] > 2.5
    return np.log(np.diff(np.flatnonzero(above[1:] & ~above[:-1])).mean(keepdims=True))


def evening(frames: FloatArray) -> FloatArray:
    """Size of the evening's peak in units of the morning's, by the two peaks of the mean day, whatever its first hour."""
    whole = len(frames) // DAY * DAY
    day = frames[:whole, 0].reshape(-1, DAY).mean(axis=0)
    shapes = [np.exp(-0.5 * ((np.arange(DAY) - centre) / width) ** 2) for centre, width in ((8, 1.5), (19, 2.0))]
    fits = []
    for shift in range(DAY):
        basis = np.stack([np.roll(shape, shift) for shape in shapes], axis=1)
        sizes = np.linalg.lstsq(basis, day, rcond=None)[0]
        fits.append((float(np.square(basis @ sizes - day).sum()), float(sizes[1] / max(sizes[0], 1e-6))))
    return np.array([min(fits)[1]])


MACHINES = (
    Kind("duty_cycle", "process", "duty cycles of one period, begun at any moment", _duty_cycle, alone(noise=0.05)),
    Kind(
        "duty_cycle_of_two",
        "process",
        "the same with a pressure that follows the current",
        _two_columns,
        alone(noise=0.05),
    ),
    Kind(
        "jittered_cycles", "process", "duty cycles whose halves vary by 15 %", _jittered_cycles, alone(0.15, noise=0.05)
    ),
    Kind("thermostats", "process", "temperatures between two thresholds", _thermostat, alone(noise=0.05)),
    Kind("saw_teeth", "process", "saw teeth of one period, begun at any moment", _saw_teeth, alone(noise=0.05)),
    Kind("telegraph", "process", "two states, held for exponential times", _telegraph, alone(noise=0.05)),
    Kind("on_off_bursts", "process", "a quick wave that is switched on and off", _on_off_bursts, alone(noise=0.1)),
    Kind("pulse_trains", "process", "pulses at nearly equal intervals", _pulse_trains, alone(noise=0.2)),
    Kind("day_profiles", "process", "days with two peaks, begun at any hour", _day_profiles, alone(noise=0.1)),
    Kind(
        "duty_period",
        "planted",
        "period of duty cycles",
        _by_period,
        effects((1.6, 0.05), (1.3, 0.1), (1.12, 0.2)),
        3,
        trait=log_cycle,
    ),
    Kind(
        "duty_share",
        "planted",
        "share of a cycle that a machine is on",
        _by_duty,
        effects((0.3, 0.05), (0.15, 0.1), (0.06, 0.15)),
        3,
        trait=duty,
    ),
    Kind(
        "duty_level",
        "planted",
        "level of machines while they are on",
        _by_level,
        effects((1.0, 0.05), (0.4, 0.05), (0.12, 0.05)),
        4,
        trait=level_on,
    ),
    Kind(
        "duty_jitter",
        "planted",
        "how much the times on and off vary",
        _by_jitter,
        effects((12.0, 0.05), (6.0, 0.05), (2.5, 0.05)),
        2,
        trait=log_jitter,
    ),
    Kind(
        "pulse_interval",
        "planted",
        "time between pulses",
        _by_interval,
        effects((1.6, 0.2), (1.3, 0.3), (1.12, 0.5)),
        3,
        trait=log_interval,
    ),
    Kind(
        "day_evening",
        "planted",
        "size of the evening's peak of days",
        _by_evening,
        effects((1.0, 0.05), (0.5, 0.1), (0.2, 0.15)),
        3,
        trait=evening,
    ),
    Kind(
        "any_cycle",
        "continuum",
        "period of duty cycles, by 15 % either way",
        _any_cycle,
        alone(noise=0.05),
        trait=log_cycle,
    ),
)
"""All kinds of this module."""
