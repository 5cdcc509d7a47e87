"""Sequences as they are compared: the same bits whatever the order of the sequences and the blocks they come in."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from kinseq.analysis import preparation
from kinseq.analysis.options import Options
from kinseq.analysis.preparation import fit_transform, in_order, outlying, prepare
from kinseq.core import seeds
from kinseq.core.ordering import by_content
from kinseq.core.sequences import SequenceSet
from kinseq.core.streamed import SequenceParts
from kinseq.features import frames
from kinseq.features.frames import SequenceMoments, fit_scaling, frames_to_average
from kinseq.measures.registry import get

OPTIONS = Options(measures=(get("dtw"),))


def drawn(n: int = 40, seed: int = 0) -> SequenceSet:
    random = np.random.default_rng(seed)
    lengths = random.integers(2, 30, size=n)
    return SequenceSet.from_arrays([random.normal(1e3, 10.0, size=(length, 2)) + i for i, length in enumerate(lengths)])


def in_blocks(whole: SequenceSet, size: int) -> SequenceParts:
    """The same set as one that is read, some sequences at a time."""

    def read(places: np.ndarray) -> Any:
        for start in range(0, len(places), size):
            yield whole.subset(places[start : start + size])

    return SequenceParts(whole.ids, whole.lengths, whole.n_features, np.arange(len(whole)), read)


def test_moments_are_those_of_all_frames() -> None:
    whole = drawn()
    mean, deviation, share = SequenceMoments.of(whole).pooled()
    for j, column in enumerate(whole.values.T):
        values = [Fraction(value) for value in column]
        exact = sum(values) / len(values)
        variance = sum((value - exact) ** 2 for value in values) / len(values)
        assert mean[j] == pytest.approx(float(exact), rel=1e-15)
        assert deviation[j] == pytest.approx(float(variance) ** 0.5, rel=1e-12)
        within = sum(((x[:, j] - x[:, j].mean()) ** 2).sum() for x in whole) / len(values)
        assert share[j] == pytest.approx(1.0 - within / float(variance), rel=1e-9)
    fitted = fit_scaling(whole)
    np.testing.assert_allclose(mean, fitted.shift, rtol=1e-14)
    np.testing.assert_allclose(deviation, fitted.scale, rtol=1e-12)


def test_moments_of_constants_and_of_huge_numbers() -> None:
    whole = SequenceSet.from_arrays([[[0.1, 1e200]] * 3, [[0.1, -1e200]] * 3])
    mean, deviation, share = SequenceMoments.of(whole).pooled()
    np.testing.assert_array_equal(mean, [0.1, 0.0])
    assert deviation.tolist() == [0.0, pytest.approx(1e200)]
    assert share.tolist() == [0.0, pytest.approx(1.0)]


@pytest.mark.parametrize("scale", ["zscore", "per_sequence", "none"])
@pytest.mark.parametrize("size", [1, 7, 100])
def test_blocks_and_order_change_no_bit(scale: Any, size: int) -> None:
    whole, options = drawn(), replace(OPTIONS, scale=scale)
    transform = fit_transform(whole, options)[0]
    scaled, ordering, _ = in_order(whole, options)
    others = fit_transform(in_blocks(whole, size), options)[0]
    for block in in_blocks(whole, size).blocks():
        np.testing.assert_array_equal(others.apply(block).values, transform.apply(block).values)
    random = np.random.default_rng(1).permutation(len(whole))
    shuffled, again, _ = in_order(whole.subset(random), options)
    np.testing.assert_array_equal(shuffled.values, scaled.values)
    np.testing.assert_array_equal(random[again.positions], ordering.positions)


def test_copies_move_no_scale() -> None:
    whole = drawn()
    copies = SequenceSet.from_arrays([*whole, *[whole[3]] * 5, whole[7]])
    once = fit_transform(whole, OPTIONS)[0].apply(whole)
    np.testing.assert_array_equal(fit_transform(copies, OPTIONS)[0].apply(whole).values, once.values)
    assert in_order(copies, OPTIONS)[1].copies() == {40: 3, 41: 3, 42: 3, 43: 3, 44: 3, 45: 7}


def test_sequences_that_are_equal_as_they_are_compared_are_ordered_by_what_was_given() -> None:
    """They differ in their levels, which are taken out; which of them is called the copy does not follow the order of files."""
    whole = [np.array([[0.0], [1.0], [5.0]]) + level for level in (4.0, 0.0, 8.0)] + [np.array([[0.0], [2.0], [1.0]])]
    options = replace(OPTIONS, scale="per_sequence")
    found = {}
    for order in ((0, 1, 2, 3), (3, 2, 1, 0), (1, 3, 0, 2)):
        ordering = in_order(SequenceSet.from_arrays([whole[i] for i in order]), options)[1]
        found[order] = {order[i]: order[j] for i, j in ordering.copies().items()}
    assert len(found[0, 1, 2, 3]) == 2
    assert all(copies == found[0, 1, 2, 3] for copies in found.values())


def test_contents_are_digested_once(monkeypatch: pytest.MonkeyPatch) -> None:
    whole, times = drawn(), []
    for module in (seeds, preparation, by_content.__globals__, SequenceSet.with_keys.__globals__):
        names = module if isinstance(module, dict) else vars(module)
        digest = names["content_key"]
        monkeypatch.setitem(names, "content_key", lambda values, digest=digest: times.append(1) or digest(values))
    prepared = prepare(OPTIONS, whole)
    assert by_content(prepared.counted()).positions.tolist() == list(range(len(whole)))
    assert len(times) == len(whole)


def test_frames_that_are_averaged() -> None:
    lengths = np.array([10, 100, 1001])
    assert frames_to_average(lengths, 100) == 1
    assert frames_to_average(lengths, 99) == 2
    assert frames_to_average(lengths, 10) == 10
    assert frames_to_average(lengths, None) == 1


def with_pulses(columns: list[int], n: int = 12) -> SequenceSet:
    """Noise of two columns, with a pulse of two frames in the first one of some sequences."""
    random = np.random.default_rng(7)
    made = [random.normal(size=(60, 2)) for _ in range(n)]
    for i in columns:
        made[i][20:22, 0] = 40.0
    return SequenceSet.from_arrays(made)


def test_glitches_are_bridged_by_lines_and_long_events_stay() -> None:
    values = np.tile(np.arange(10.0)[:, None], (1, 2))
    values[3:5, 0], values[0, 1], values[5:9, 1] = 50.0, -50.0, 60.0
    given = replace(SequenceSet.from_arrays([values, values + 0.5]), limits=np.array([[-5.0, -5.0], [15.0, 15.0]]))
    clean = frames.without_glitches(given)
    np.testing.assert_allclose(clean[0][:, 0], np.arange(10.0))
    np.testing.assert_array_equal(clean[0][:, 1], [1.0, *range(1, 5), 60.0, 60.0, 60.0, 60.0, 9.0])
    np.testing.assert_allclose(clean[1], clean[0] + 0.5)
    assert clean.limits is None
    assert frames.without_glitches(clean) is clean


def test_usual_limits_are_of_most_frames_and_none_of_a_column_that_hardly_changes() -> None:
    values = np.column_stack([np.linspace(-1.0, 1.0, 2001), np.zeros(2001)])
    values[:5] = 1e6
    low, high = frames.usual_limits(values)
    np.testing.assert_allclose([low[0], high[0]], [-2.94, 2.94], atol=0.05)
    assert (low[1], high[1]) == (-np.inf, np.inf)


def test_a_glitch_moves_neither_the_scale_nor_the_matrix_and_properties_see_it() -> None:
    clean, glitched = with_pulses([]), with_pulses([3])
    transforms = [fit_transform(some, Options())[0] for some in (clean, glitched)]
    assert transforms[0].limits is None
    assert transforms[1].limits is not None
    scaled = [transform.apply(some) for transform, some in zip(transforms, (clean, glitched), strict=True)]
    np.testing.assert_allclose(frames.without_glitches(scaled[1])[0], scaled[0][0], atol=0.02)
    assert scaled[1][3].max() > 20.0


def test_what_half_of_the_sequences_have_is_no_glitch() -> None:
    assert fit_transform(with_pulses([0, 2, 4, 6, 8, 10]), Options())[0].limits is None


def test_limits_depend_on_no_order_and_on_no_copy() -> None:
    given = with_pulses([3])
    back = given.subset(np.arange(len(given))[::-1])
    twice = SequenceSet.from_arrays([*given, *given])
    first, second, third = (fit_transform(some, Options())[0].limits for some in (given, back, twice))
    np.testing.assert_array_equal(first, second)
    np.testing.assert_array_equal(first, third)


def reaching(*sizes: float, still: int = 0) -> SequenceMoments:
    """Moments of sequences around a level of 10, of some spreads, and of some that stand still; every other one is at -spread."""
    made = [10.0 + size * np.array([[-1.0], [1.0]]) for size in sizes] + [np.full((2, 1), 10.0)] * still
    return SequenceMoments.of(SequenceSet.from_arrays(made))


def test_outlying_sequences_are_few_and_far_beyond_all_others() -> None:
    usual = [1.0, 2.0] * 20
    assert outlying(reaching(*usual, 8.1, 300.0)).tolist() == [40, 41]
    assert outlying(reaching(*usual, 7.9, 300.0)).tolist() == [41]
    # More than one in twenty are no outliers.
    assert outlying(reaching(*usual, 100.0, 200.0, 300.0)).tolist() == []
    assert outlying(reaching(*[1.0] * 18, 100.0)).tolist() == []
    assert outlying(reaching(*[1.0] * 19, 100.0)).tolist() == [19]
    assert outlying(reaching(*usual, still=1)).tolist() == [40]
    assert outlying(reaching(*usual, still=3)).tolist() == []


def test_three_that_are_alike_are_no_outliers_and_three_that_are_not_are() -> None:
    usual = [1.0, 2.0] * 30
    assert outlying(reaching(*usual, 50.0, 55.0, 60.0)).tolist() == []
    assert outlying(reaching(*usual, 50.0, 500.0, 5000.0)).tolist() == [60, 61, 62]
    assert outlying(reaching(*usual, 50.0, 51.0, 5000.0)).tolist() == [60, 61, 62]


def test_outlying_sequences_move_the_scale_only_where_the_number_is_not_given() -> None:
    random = np.random.default_rng(8)
    usual = [random.normal(size=(30, 2)) for _ in range(24)]
    far = [1000.0 * random.normal(size=(30, 2))]
    values = SequenceSet.from_arrays(usual)
    given, free = Options(n_clusters=2), Options()
    of_all, of_most = SequenceSet.from_arrays([*far, *usual]), fit_transform(values, given)[0].apply(values)
    scaled = fit_transform(of_all, given)[0].apply(of_all)
    np.testing.assert_array_equal(scaled.subset(np.arange(1, 25)).values, of_most.values)
    assert fit_transform(of_all, given)[2].tolist() == [0]
    assert fit_transform(of_all, free)[2].tolist() == []
    assert float(np.std(fit_transform(of_all, free)[0].apply(of_all)[1])) < 0.1
    assert fit_transform(of_all, given, limited=False)[2].tolist() == []
