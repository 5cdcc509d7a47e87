"""Alignments of each sequence with others of its own, and which these are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from kinseq.core.errors import DataError
from kinseq.core.sequences import SequenceSet
from kinseq.measures.cross import cross
from kinseq.measures.dtw import dtw, dtw_between
from kinseq.measures.elastic import dtw_delta_between, msm_between
from kinseq.measures.landmarks import Shortlist, landmarks, near_by_landmarks
from kinseq.measures.registry import get
from tests.sentences import Recorded


def some(n: int, seed: int, features: int = 2) -> SequenceSet:
    rng = np.random.default_rng(seed)
    return SequenceSet.from_arrays([rng.normal(size=(int(rng.integers(2, 14)), features)) for _ in range(n)])


@pytest.mark.parametrize("between", [dtw_between, dtw_delta_between, msm_between])
@pytest.mark.parametrize("threads", [1, 2])
def test_costs_with_some_are_those_with_all_to_the_last_bit(between: Any, threads: int) -> None:
    new, old, rng = some(35, 0), some(41, 1), np.random.default_rng(2)
    # More than a pack, of different lengths in one row, and one that comes twice.
    chosen = np.stack([rng.permutation(41)[:19] for _ in range(35)])
    chosen[:, 3] = chosen[:, 4]
    every = np.take_along_axis(between(new, old), chosen, axis=1)
    np.testing.assert_array_equal(between(new, old, chosen=chosen, n_jobs=threads), every)


def test_sets_of_different_features_are_refused(recorded: Recorded) -> None:
    with recorded.raises(DataError):
        dtw_between(some(2, 0), some(2, 1, features=3), chosen=np.zeros((2, 1), dtype=np.int64))


def test_landmarks_are_the_central_one_and_then_the_farthest() -> None:
    line = np.array([0.0, 1.0, 2.0, 3.0, 10.0])
    distance = np.abs(line[:, None] - line)
    np.testing.assert_array_equal(landmarks(distance, 3), [2, 4, 0])
    assert sorted(landmarks(distance, 9)) == [0, 1, 2, 3, 4]
    # Copies are close to everything, and still no item occurs twice.
    assert sorted(landmarks(np.zeros((4, 4)), 3)) == [0, 1, 2]


def test_near_ones_are_those_as_far_from_the_landmarks() -> None:
    line, new = np.array([0.0, 1.0, 2.0, 5.0, 9.0]), np.array([4.5, 0.9])
    marks = np.array([0, 4])
    apart, between = np.abs(line[:, None] - line[marks]), np.abs(new[:, None] - line[marks])
    np.testing.assert_array_equal(near_by_landmarks(between, apart, marks, 1), [[3], [1]])
    assert (np.diff(near_by_landmarks(between, apart, marks, 3)) > 0).all()
    assert not np.isin(marks, near_by_landmarks(between, apart, marks, 3)).any()


def test_a_screen_that_leaves_all_changes_nothing_and_one_that_leaves_most_hardly_anything() -> None:
    rng, measure = np.random.default_rng(4), get("elastic")
    kinds = np.arange(60) % 3
    old, new = (
        SequenceSet.from_arrays(
            [np.sin(np.arange(12) / (1.0 + kind) + rng.random())[:, None] + 3.0 * kind for kind in of]
        )
        for of in (kinds, kinds[:12])
    )
    every = cross(measure, old, new, None, lambda _: None)
    np.testing.assert_array_equal(cross(measure, old, new, None, lambda _: None, screen=Shortlist(30, 30)), every)
    few = cross(measure, old, new, None, lambda _: None, screen=Shortlist(8, 16))
    np.testing.assert_array_equal(kinds[few.argmin(axis=1)], kinds[:12])
    # With fewer than the neighbours of a sequence, some of these are others.
    fewest = cross(measure, old, new, None, lambda _: None, screen=Shortlist(4, 4))
    assert not np.array_equal(fewest, every)
    alone = np.concatenate(
        [cross(measure, old, new.subset([i]), None, lambda _: None, screen=Shortlist(8, 16)) for i in range(12)]
    )
    np.testing.assert_array_equal(alone, few)


def test_measures_without_screens_compare_with_all() -> None:
    old, new = some(20, 5), some(3, 6)
    np.testing.assert_array_equal(
        cross(get("dtw"), old, new, None, lambda _: None, screen=Shortlist(2, 2)), dtw_between(new, old)
    )
    assert dtw(old).shape == (20, 20)
