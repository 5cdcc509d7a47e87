"""Time between frames, from columns of times, and its use for lengths and places."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from .arrays import FloatArray
from .confounders import suspect, with_suspect
from .epochs import epoch_unit
from .sequences import SequenceSet
from .spans import in_words, seconds_of_unit
from .streamed import SequenceParts
from .wording import as_typed, listed, out_of, plain

CLOCK = "clock"
"""Provenance key of the clock."""
SECONDS = "s"
UNTOLD = "units of time"
"""Unit of a column of times without a stated unit."""
LARGER = {"s": (60.0, "min"), "min": (60.0, "h"), "h": (24.0, "d")}
"""Next larger unit, and number of units it has."""
PARTS_OF_SECONDS = {"ms": 1e3, "us": 1e6, "µs": 1e6, "ns": 1e9}
"""Number of units in a second, for times since 1970."""
MANY_PARTS = 999_999.5
"""Number from which on times count parts of a second."""
DAY = 86400.0
"""Seconds of a day."""
FOUR_DIGITS = 999.5
"""Number of units from which on the next larger unit is used."""
TIME_UNITS = {
    "s": "s", "sec": "s", "second": "s", "seconds": "s", "ms": "ms", "us": "us", "ns": "ns", "min": "min", "minute": "min",
    "minutes": "min", "h": "h", "hour": "h", "hours": "h",
}  # fmt: skip
"""Units of columns of times by the last word of their names, as in ``time_s``."""
_NAME = "time"
_UNIT = re.compile(r"\s*(.*[^\s_])[\s_]*(?:\[([^][]+)\]|\(([^()]+)\))\s*")
_MAX_STEP_DIFFERENCE = 0.01
"""Largest relative difference between the steps of two sequences, if it amounts to more than a frame over the whole length."""


@dataclass(frozen=True)
class Clock:
    """Time from frame to frame, the same in all sequences of a set.

    Attributes
    ----------
    step : float
    unit : str
        As a column of times has it; ``"units of time"`` where it has none.
    begins : float or None
        Time of day at which all sequences begin, in seconds after midnight; None where it is not known or differs.
    """

    step: float
    unit: str = SECONDS
    begins: float | None = None

    def as_provenance(self) -> dict[str, Any]:
        """Return the provenance entry."""
        return {CLOCK: {name: value for name, value in asdict(self).items() if value is not None}}


def clock_of(sequences: SequenceSet | SequenceParts) -> Clock | None:
    """Return the time from frame to frame of a set; None if unknown."""
    known = sequences.provenance.get(CLOCK)
    return None if known is None else Clock(float(known["step"]), str(known["unit"]), known.get("begins"))


def display_clock(sequences: SequenceSet | SequenceParts) -> Clock | None:
    """Return the clock for lengths and places of a set: in larger units if the longest sequence takes many of its own."""
    clock = clock_of(sequences)
    if clock is not None and clock.unit in PARTS_OF_SECONDS and clock.step * int(sequences.lengths.max()) >= MANY_PARTS:
        clock = replace(clock, step=clock.step / PARTS_OF_SECONDS[clock.unit], unit=SECONDS)
    while clock is not None and clock.unit in LARGER and clock.step * int(sequences.lengths.max()) >= FOUR_DIGITS:
        count, unit = LARGER[clock.unit]
        clock = replace(clock, step=clock.step / count, unit=unit)
    return clock


def unit_of(column: str) -> tuple[str, str]:
    """Return name and unit of a column with a unit in brackets, as ``temp [C]``; otherwise the unit is empty."""
    match = _UNIT.fullmatch(column)
    return (column, "") if match is None else (match[1], match[2] or match[3])


def named_time(columns: Sequence[Any]) -> Any:
    """Return the only column that is called time and has a unit, as ``time [ms]``; None for none or several."""
    units = {column: unit_of(column) for column in columns if isinstance(column, str)}
    matches = [column for column, (name, unit) in units.items() if unit and name.lower() == _NAME]
    return matches[0] if len(matches) == 1 else None


def time_unit(column: str, first: float, steps: FloatArray | None = None) -> str:
    """Return the unit of a column of numbers from a time since 1970 in its first row, or from its header; otherwise empty.

    With the `steps` between its rows, numbers that cannot be times since 1970 are recognised.
    """
    return unit_of(column)[1] or epoch_unit(first, steps) or TIME_UNITS.get(column.lower().rpartition("_")[2], "")


def read_clock(times: Sequence[FloatArray], unit: str, begins: float | None = None) -> tuple[Clock | None, str]:
    """Read the time between frames from the times of the frames.

    Parameters
    ----------
    times : sequence of ndarray, each of shape (T_i,)
        Of each sequence, in order.
    unit : str
        Their unit; empty if it is not given. They may count the frames then.
    begins : float or None
        Time of day at which all sequences begin, in seconds after midnight, if it is known.

    Returns
    -------
    clock : Clock or None
        None where steps are not equal. They count as equal where no frame is further than half a step from where equal
        steps would put it, as after rounding.
    remark : str
        A sentence on what was assumed, or why there is none; empty where nothing has to be said.
    """
    long = [moments for moments in times if len(moments) > 1]
    if not long:
        return None, ""
    steps = np.array([(moments[-1] - moments[0]) / (len(moments) - 1) for moments in long])
    places = [moments[0] + step * np.arange(len(moments)) for moments, step in zip(long, steps, strict=True)]
    if not steps.any():
        return None, "all times of a sequence are the same, so that lengths and places are given in frames"
    uneven = sum(
        bool(step <= 0 or np.abs(moments - place).max() > 0.5 * step)
        for moments, place, step in zip(long, places, steps, strict=True)
    )
    if uneven:
        number = "all" if uneven == len(times) else f"{uneven} of"
        which = f" in {number} {len(times)} sequences" if len(times) > 1 else ""
        return None, (
            f"irregular time steps{which}: lengths and positions are given in frames; {_remedy(_usual(long), unit)}"
        )
    step = float(np.median(steps))
    counts = np.array([len(moments) - 1 for moments in long])
    if (np.abs(steps - step) > np.maximum(_MAX_STEP_DIFFERENCE, 1.0 / counts) * step).any():
        remark = f"time steps differ between sequences ({steps.min():.3g} to {steps.max():.3g} {unit}"
        return None, (
            f"{remark.rstrip()}), but count as equal; lengths and positions are given in frames;"
            f" {_remedy(_lower_median(steps), unit)}"
        )
    if unit:
        return Clock(step, unit, begins), ""
    if step == 1.0 and all(bool((moments == np.round(moments)).all()) for moments in long):
        return None, ""
    return Clock(step, UNTOLD), (
        f"the time has no unit (step {step:.3g}); give it in the header, as time [ms], or give {as_typed('rate')}"
    )


REGULAR = 0.5
"""Share of the steps within a tenth of their median, above which a longer step means missing rows."""
MISSING_FROM = 0.02
"""Share of missing rows in a sequence above which it is reported."""
RATES_FROM = 1.1
"""Ratio of the steps of two sequences above which their rates differ."""


def _lower_median(steps: FloatArray) -> float:
    """Return the median of the steps, restricted to values that occur."""
    return float(np.percentile(steps, 50.0, method="lower"))


def _usual(times: Sequence[FloatArray]) -> float:
    """Return the step of most rows, approximately."""
    between = np.concatenate([np.diff(moments) for moments in times])
    between = between[between > 0]
    return _lower_median(between) if len(between) else 0.0


def _remedy(step: float, unit: str) -> str:
    """Name the option that puts rows on a regular clock."""
    if step <= 0:
        return f"resample with {as_typed('every')}"
    step = _even(step, unit)
    usual = f"{plain(step)} {unit}".rstrip()
    return f"resample with {as_typed('every', in_words(step, unit))} (most steps are {usual})"


_EVEN_STEPS = (
    *(number * size for size in (1.0, 60.0) for number in (1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30)),
    *(3600.0 * number for number in (1, 2, 3, 4, 6, 8, 12, 24)),
)
"""Steps, in seconds, that clocks are set to."""
_NEAR_STEP = 0.05
"""Largest relative deviation of a median of jittering steps from the nominal step."""


def _even(step: float, unit: str) -> float:
    """Return the nominal step nearest to the median of jittering steps, otherwise the median."""
    size = seconds_of_unit(unit) if unit else None
    if size is None:
        return step
    nearest = min(_EVEN_STEPS, key=lambda even: abs(even - step * size))
    return nearest / size if abs(nearest - step * size) <= _NEAR_STEP * nearest else step


def unevenness(times: Sequence[FloatArray], ids: Sequence[str], unit: str = "") -> tuple[list[str], dict[str, Any]]:
    """Return sentences on missing rows and differing rates, and provenance entries for both.

    Parameters
    ----------
    times : sequence of ndarray, each of shape (T_i,)
        Of each sequence, in order.
    ids : sequence of str
    unit : str
        Of the times; empty if it is not given.
    """
    steps, missing = np.zeros(len(times)), np.zeros(len(times))
    for i, moments in enumerate(times):
        between = np.diff(moments)
        between = between[between > 0]
        if not len(between):
            continue
        least, most = float(between.min()), float(between.max())
        if most - least <= 0.1 * least:
            steps[i] = float(between.mean())
            continue
        step = float(np.median(between))
        if float((np.abs(between - step) <= 0.1 * step).mean()) < REGULAR:
            continue
        steps[i] = step
        lost = float((np.round(between / step) - 1.0)[between > 1.5 * step].sum())
        missing[i] = lost / (len(moments) + lost)
    said: list[str] = []
    known: dict[str, Any] = {}
    regular = steps > 0
    if 2 * int(regular.sum()) < len(times):
        return said, known
    gaps = missing >= MISSING_FROM
    if gaps.any():
        low, high = (f"{100.0 * share:.0f}" for share in (missing[gaps].min(), missing[gaps].max()))
        said.append(
            f"rows are missing by the times in {out_of(int(gaps.sum()), len(times), 'sequence')}"
            f" ({low if low == high else f'{low} to {high}'} %"
            f" of their rows), and frames are compared as if none were: {listed([ids[i] for i in np.flatnonzero(gaps)])};"
            f" {_remedy(_lower_median(steps[regular]), unit)}"
        )
        known = suspect("the share of rows that are missing by their times", ids, missing)
    if float(steps[regular].max()) > RATES_FROM * float(steps[regular].min()):
        said.append(
            f"rates differ: the time from frame to frame is {steps[regular].min():.3g} to {steps[regular].max():.3g}, and"
            f" frames are compared"
            f" as if it were the same; {_remedy(_lower_median(steps[regular]), unit)}"
        )
        amounts = np.log(np.where(regular, steps, np.median(steps[regular])))
        known = with_suspect(known, suspect("the time from frame to frame", ids, amounts))
    return said, known


def duration(clock: Clock | None, frames: float) -> str:
    """Return a number of frames in words: as time, if known."""
    if clock is not None:
        return f"{in_time(clock, frames)} {clock.unit}"
    return f"{frames:g} frame{'s' * (frames != 1)}"


def in_time(clock: Clock, frames: float) -> str:
    """Return the duration of frames, without its unit."""
    return plain(frames * clock.step)


def time_of_day(clock: Clock, time: float, length: float) -> str:
    """Return a time of a sequence as a time of day, as ``06:30``; empty if the day is unknown or a sequence exceeds one.

    A time after midnight is one of the next day, as ``01:30 the next day``.

    Parameters
    ----------
    clock : Clock
    time : float
        Since the beginning of the sequence, in the unit of `clock`.
    length : float
        Time that a sequence takes, in that unit.
    """
    seconds = None if clock.begins is None else seconds_of_unit(clock.unit)
    if clock.begins is None or seconds is None or length * seconds > DAY:
        return ""
    # Minutes suffice if a hundredth of the length exceeds one.
    to = 60 if length * seconds >= 6000 else 1
    moment = round((clock.begins + time * seconds) / to) * to
    days, moment = divmod(moment, int(DAY)) if moment > DAY else (0, moment)
    hours, rest = divmod(moment, 3600)
    return f"{hours:02d}:{rest // 60:02d}" + (f":{rest % 60:02d}" if to == 1 else "") + " the next day" * days
