"""Spliced sequences without groups: they switch as the given ones do, keep the cycle, and hold something of many of these."""

from __future__ import annotations

import numpy as np
import pytest

from kinseq.analysis.splicing import Splices
from kinseq.analysis.surrogates import Sets
from kinseq.core.arrays import FloatArray
from kinseq.core.sequences import SequenceSet
from tests.processes import spliced, surrogates

STREAM = 11


def as_set(arrays: list[FloatArray]) -> SequenceSet:
    return SequenceSet.from_arrays(arrays, name="given", layout="channels_last")


def cycles(period: float, n: int = 24, frames: int = 120, on: float = 0.4, seed: int = 0) -> list[FloatArray]:
    """A machine that is switched on and off, begun at any moment."""
    rng = np.random.default_rng(seed)
    turns = np.arange(frames) / period + rng.uniform(size=(n, 1))
    return [row[:, None] + 0.02 * rng.normal(size=(frames, 1)) for row in (turns % 1.0 < on).astype(float)]


def held(drawn: SequenceSet) -> list[np.ndarray]:
    """Frames from one switching on to the next."""
    on = [frames[:, 0] > 0.5 * (frames.min() + frames.max()) for frames in drawn]
    return [np.diff(np.flatnonzero(states[1:] & ~states[:-1])) for states in on]


@pytest.mark.parametrize("lengths", ["equal", "unequal"])
def test_a_cycle_is_kept_whatever_the_phases(lengths: str) -> None:
    given = cycles(15.0)
    if lengths == "unequal":
        given = [frames[: 60 + 2 * i] for i, frames in enumerate(given)]
    for drawn in spliced(as_set(given), 3, STREAM):
        times = np.concatenate(held(drawn))
        assert (np.abs(times - 15) <= 1).mean() > 0.95
        assert np.sort(drawn.lengths).tolist() == sorted(len(frames) for frames in given)
        # Begun at any moment: on at first as often as there.
        assert np.mean([frames[0, 0] > 0.5 for frames in drawn]) == pytest.approx(0.4, abs=0.25)


def test_on_and_off_are_what_they_are_for_every_sequence() -> None:
    given = as_set(cycles(27.5))
    drawn = spliced(given, 1, STREAM)[0]
    off, on = np.quantile([frames[:, 0] for frames in drawn], [0.3, 0.9], axis=1)
    # The means of the given ones differ by their phases; the levels on and off do not.
    assert np.std([frames.mean() for frames in given]) > 0.01
    assert off.std() < 0.02
    assert on.std() < 0.02
    assert (on - off).mean() == pytest.approx(1.0, abs=0.05)


def test_groups_are_mixed() -> None:
    """Of two periods, nearly every spliced sequence has both; of two levels and of two spreads, those between are there."""
    given = as_set([*cycles(10.0, 12), *cycles(20.0, 12)])
    short = np.array([np.mean(times < 15) for drawn in spliced(given, 4, STREAM) for times in held(drawn)])
    assert ((short > 0.0) & (short < 1.0)).mean() > 0.75
    rng = np.random.default_rng(0)
    noise = rng.normal(size=(40, 50, 1))
    for far, seen in (
        (noise + 20.0 * (np.arange(40) % 2)[:, None, None], np.mean),
        (noise * 8.0 ** (np.arange(40) % 2)[:, None, None], lambda frames: np.log(frames.std())),
    ):
        there = np.array([seen(frames) for frames in far])
        for drawn in spliced(as_set(list(far)), 3, STREAM):
            made = (np.array([float(seen(frames)) for frames in drawn]) - there.min()) / np.ptp(there)
            # None of the given ones is there, but nearly half of a normal distribution of equal width.
            assert ((made > 0.2) & (made < 0.8)).mean() > 0.25


def test_pieces_are_those_of_given_sequences_in_their_order() -> None:
    ramps = as_set([np.arange(40.0)[:, None] + 100.0 * i for i in range(6)])
    splices = Splices(ramps)
    course = splices.drawn(np.array([40]), np.zeros((1, 6)), np.random.default_rng(0))[0][:, 0]
    # Levels are removed, so that every ramp continues another one: a single ramp again.
    np.testing.assert_allclose(np.diff(course), 1.0, atol=1e-9)


@pytest.mark.parametrize("lengths", [[1, 2, 1, 3], [2, 2, 2, 2], [5, 40, 2, 9]])
def test_the_shortest_sequences_are_spliced(lengths: list[int]) -> None:
    rng = np.random.default_rng(0)
    given = as_set([rng.normal(size=(length, 2)) for length in lengths])
    drawn = Splices(given).drawn(np.array(lengths), np.zeros((4, 4)), rng)
    assert drawn.lengths.tolist() == lengths
    assert np.isfinite(drawn.values).all()


def days(peaks: tuple[float, ...], n: int = 24, seed: int = 0) -> list[FloatArray]:
    """Courses of a day with one peak each, at one of some hours."""
    rng = np.random.default_rng(seed)
    hour = np.arange(96) / 4
    courses = [np.exp(-(((hour - peaks[i % len(peaks)] - 0.5 * rng.normal()) / 2.0) ** 2)) for i in range(n)]
    return [course[:, None] + 0.05 * rng.normal(size=(96, 1)) for course in courses]


def begin_anywhere(sequences: SequenceSet) -> bool:
    return Sets(sequences, 0).begin_anywhere


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("n", [12, 40, 120])
def test_cycles_of_any_phase_begin_anywhere_and_days_do_not(n: int, seed: int) -> None:
    assert begin_anywhere(as_set(cycles(15.0, n, seed=seed)))
    assert begin_anywhere(as_set([*cycles(10.0, n // 2, seed=seed), *cycles(20.0, n // 2, seed=seed + 9)]))
    assert not begin_anywhere(as_set(days((8.0, 14.0), n, seed)))
    # Opposite trends: their mean is constant in time, their products are not.
    trends = [sign * np.linspace(-1.0, 1.0, 60)[:, None] for sign in (1.0, -1.0)]
    rng = np.random.default_rng(seed)
    assert not begin_anywhere(as_set([trends[i % 2] + 0.2 * rng.normal(size=(60, 1)) for i in range(n)]))


def test_the_answer_does_not_depend_on_units_or_order() -> None:
    given = [*days((8.0, 14.0), 12), *days((10.0,), 8)]
    for factor, shift in ((1e-9, 0.0), (1e6, -4.0)):
        assert begin_anywhere(as_set([factor * x + shift for x in given[::-1]])) == begin_anywhere(as_set(given))


def test_where_time_has_a_meaning_no_pieces_are_joined() -> None:
    """Days of pieces would have two peaks or none: a window of a piece is one of a given day, one of a combination is not."""
    given = days((7.0, 17.0), 12)
    windows = np.concatenate([np.lib.stride_tricks.sliding_window_view(x[:, 0], 12) for x in given])
    windows = windows - windows.mean(axis=1, keepdims=True)
    windows /= np.linalg.norm(windows, axis=1, keepdims=True)

    def taken(sets: list[SequenceSet]) -> float:
        """Share of sequences of which a window is one of the given ones."""
        some = np.array([frames[40:52, 0] - frames[40:52, 0].mean() for drawn in sets for frames in drawn])
        return float(((some / np.linalg.norm(some, axis=1, keepdims=True)) @ windows.T > 1 - 1e-9).any(axis=1).mean())

    assert taken(list(spliced(as_set(given), 4, STREAM))) > 0.3
    assert taken(list(surrogates(as_set(given), 8, STREAM))) == 0.0
