"""Sequences between given ones: an event stays one event, at a time and of a size between those of the pair."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from kinseq.analysis.between import BEYOND, Between
from kinseq.analysis.splicing import changes_once
from kinseq.analysis.surrogates import Sets
from kinseq.core.arrays import FloatArray
from kinseq.core.sequences import SequenceSet
from kinseq.core.warping_path import warping_path
from kinseq.features.properties import pairwise_gaps, properties
from kinseq.metrics.groupings import max_strength


def as_set(arrays: list[FloatArray]) -> SequenceSet:
    return SequenceSet.from_arrays(arrays, name="given", layout="channels_last")


def steps(n: int = 20, frames: int = 200, noise: float = 0.05) -> list[FloatArray]:
    """One step of size 1 at any time."""
    rng = np.random.default_rng(0)
    times = rng.uniform(20, 180, size=n)
    return [((np.arange(frames) > time) + noise * rng.normal(size=frames))[:, None] for time in times]


def between(arrays: list[FloatArray], lengths: list[int]) -> SequenceSet:
    given = as_set(arrays)
    courses = np.stack([(x - x.mean(axis=0)) / x.std(axis=0) for x in arrays])
    return given.with_frames(*Between(given, courses).drawn(np.array(lengths), np.random.default_rng(1)))


def cost(one: FloatArray, other: FloatArray, path: list[tuple[int, int]]) -> float:
    return sum(float(np.square(one[i] - other[j]).sum()) for i, j in path)


def all_paths(i: int, j: int) -> list[list[tuple[int, int]]]:
    if i == j == 0:
        return [[(0, 0)]]
    before = [(i - a, j - b) for a, b in ((1, 1), (1, 0), (0, 1)) if i >= a and j >= b]
    return [[*path, (i, j)] for place in before for path in all_paths(*place)]


def test_a_path_is_the_cheapest_of_all() -> None:
    rng = np.random.default_rng(2)
    for n, m in ((4, 4), (3, 5), (1, 4)):
        one, other = rng.normal(size=(n, 2)), rng.normal(size=(m, 2))
        least, along = warping_path(one, other)
        path = [tuple(entry) for entry in along.tolist()]
        assert least == pytest.approx(min(cost(one, other, p) for p in all_paths(n - 1, m - 1)))
        assert cost(one, other, path) == pytest.approx(least)
        assert path[0] == (0, 0)
        assert path[-1] == (n - 1, m - 1)
        assert all((c - a, d - b) in {(1, 1), (1, 0), (0, 1)} for (a, b), (c, d) in itertools.pairwise(path))


def test_a_step_stays_one_step_at_any_time() -> None:
    drawn = between(steps(), [200] * 200)
    levels = np.stack([frames[:, 0] for frames in drawn])
    # One step of size 1 leaves next to nothing of the largest distance from two levels; combinations of sequences have many steps.
    left = [min(np.abs(row - (np.arange(200) > time)).mean() for time in range(0, 201, 2)) for row in levels]
    assert np.mean(left) < 0.08
    combined = np.stack([x[:, 0] for x in Sets(as_set(steps()), 0).surrogate(0)])
    units = (combined - combined.min(axis=1, keepdims=True)) / np.ptp(combined, axis=1, keepdims=True)
    assert np.mean([min(np.abs(r - (np.arange(200) > t)).mean() for t in range(0, 201, 2)) for r in units]) > 0.15
    times = (levels < 0.5).sum(axis=1)
    # At any time, so that no third of the time is without steps.
    assert (np.histogram(times, bins=3, range=(0, 200))[0] > 20).all()


def test_places_vary_as_much_as_the_given_sequences() -> None:
    """Of independent values, (1 - p) x + p y has the variance of x for p of E[p^2] = E[p], as of p evenly spread up to BEYOND."""
    a, b = -BEYOND, 1.0 + BEYOND
    assert (b**3 - a**3) / 3 / (b - a) == pytest.approx((a + b) / 2)


def test_of_two_groups_there_is_what_lies_between() -> None:
    rng = np.random.default_rng(3)
    given = [np.full((40, 1), 10.0 * (i % 2)) + rng.normal(size=(40, 1)) for i in range(20)]
    means = np.array([frames.mean() for frames in between(given, [40] * 300)])
    # Pairs are of both groups: places are spread evenly from one side of the groups to the other.
    assert np.mean((means > 2.5) & (means < 7.5)) == pytest.approx(5 / (10 * (1 + 2 * BEYOND)), abs=0.08)


def test_lengths_are_those_that_are_given() -> None:
    assert between(steps(6), [10, 37, 200, 1]).lengths.tolist() == [10, 37, 200, 1]


def test_sets_that_properties_are_compared_with_are_seldom_as_clear_as_two_groups() -> None:
    """Of waves of two periods that begin together, three of one group are a wave of that period: a fifth of all combinations.

    Groups are taken if one set in forty is as clear, at most.
    """
    as_clear = 0
    for seed in range(3):
        rng, time = np.random.default_rng(seed), np.arange(60)
        given = [
            np.sin(2 * np.pi * time / (5 if i % 2 else 20))[:, None] + rng.normal(0, 0.2, (60, 1)) for i in range(12)
        ]
        sets = Sets(as_set(given), 0)
        assert not sets.begin_anywhere

        def clearness(sequences: SequenceSet) -> float:
            return max_strength(pairwise_gaps(properties(sequences).of("roughness of 1")), 4)

        of_given = clearness(as_set(given))
        as_clear += sum(clearness(sets.for_properties(k)) >= of_given for k in range(1, 201, 2))
        # Combinations of many take the other turns.
        assert_array_equal(sets.for_properties(4).values, sets.surrogate(4, same_lengths=False).values)
    assert as_clear <= 3


def test_what_is_compared_with_sequences_between_given_ones() -> None:
    rng = np.random.default_rng(4)
    noise = [rng.normal(size=(80, 1)) for _ in range(20)]
    waves = [x + np.sin(np.arange(80) / 3 + rng.uniform(0, 6.3))[:, None] for x in noise]
    for some in (noise, waves):
        sets = Sets(as_set(some), 0)
        assert sets.begin_anywhere
        assert not sets.has_third_kind
        assert_array_equal(sets.for_properties(1).values, sets.surrogate(1, same_lengths=False).values)
    # One pulse at any time: sequences are stationary together, and none of them is by itself.
    time = np.arange(80)
    once = Sets(as_set([x + 9.0 * np.exp(-0.5 * ((time - rng.uniform(8, 72)) / 2) ** 2)[:, None] for x in noise]), 0)
    assert once.begin_anywhere
    assert once.has_third_kind
    bell = 5.0 * np.sin(np.pi * np.arange(80) / 80)[:, None]
    on_a_course = Sets(as_set([x + bell for x in noise]), 0)
    assert not on_a_course.begin_anywhere
    assert on_a_course.has_third_kind
    # Events at one of two times.
    # Properties of these are compared with them all the same.
    early = [x + 4.0 * (np.arange(80) < 20)[:, None] * (i % 2) for i, x in enumerate(noise)]
    together = Sets(as_set(early), 0)
    assert not together.begin_anywhere
    assert not together.has_third_kind
    assert_array_equal(together.for_properties(3).values, together.between(1, same_lengths=False).values)


def test_sums_tell_one_change_from_none() -> None:
    """Of a step at a share q of the time, sums are sqrt(q (1 - q)) of values and 1 - 2 q of squares: one is 0.44 or more."""
    time = np.arange(1000)

    def once(course: FloatArray) -> bool:
        return changes_once(((course - course.mean()) / course.std())[None, :, None])

    assert all(once((time >= 1000 * q).astype(float)) for q in (0.05, 0.28, 0.5, 0.72, 0.95))
    # Of three steps up and two down, they are about a sixth.
    assert not once(np.repeat([0.0, 1.0, 0.0, 1.0, 0.0, 1.0], 167)[:1000])
    # Of m whole cycles of a sine the largest sum is sqrt(2) / (pi m).
    assert [once(np.sin(2 * np.pi * m * (time + 0.5) / 1000)) for m in (1, 2)] == [True, False]
    # A pulse in the middle holds all the power at once.
    assert once((np.abs(time - 500) < 5).astype(float))
