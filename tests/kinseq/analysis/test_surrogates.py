"""Sequences of one process: what they keep of the given ones, and what they do not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kinseq.analysis.surrogates import MAX_STRETCHED_LENGTH, SOURCES
from kinseq.core.arrays import FloatArray
from kinseq.core.sequences import SequenceSet
from kinseq.features.properties import properties
from tests.processes import spliced, surrogates

STREAM = 26


def as_set(arrays: list[FloatArray]) -> SequenceSet:
    return SequenceSet.from_arrays(arrays, name="given", layout="channels_last")


def noise(n: int = 20, frames: int = 30, columns: int = 1, seed: int = 0) -> list[FloatArray]:
    random = np.random.default_rng(seed)
    return [random.normal(size=(frames, columns)) for _ in range(n)]


def uneven(n: int = 12, columns: int = 2) -> list[FloatArray]:
    random = np.random.default_rng(1)
    return [random.normal(size=(8 + 2 * i, columns)).cumsum(axis=0) for i in range(n)]


def units(arrays: list[FloatArray]) -> FloatArray:
    """Sequences of one length with mean 0 and deviation 1 in each column, shape (N, T, d)."""
    stacked = np.stack(arrays)
    centred = stacked - stacked.mean(axis=1, keepdims=True)
    return np.asarray(centred / centred.std(axis=1, keepdims=True))


def levels(sets: list[SequenceSet]) -> FloatArray:
    return np.array([[frames.mean() for frames in drawn] for drawn in sets])


def spreads(sets: list[SequenceSet]) -> FloatArray:
    return np.array([[np.log(frames.std()) for frames in drawn] for drawn in sets])


def same(one: SequenceSet, other: SequenceSet) -> bool:
    return np.array_equal(one.values, other.values) and np.array_equal(one.offsets, other.offsets)


@pytest.mark.parametrize("same_lengths", [True, False])
def test_the_kth_set_follows_from_the_seed_alone(same_lengths: bool) -> None:
    given = as_set(uneven())
    few = list(surrogates(given, 2, STREAM, same_lengths))
    many = list(surrogates(given, 4, STREAM, same_lengths))
    again = list(surrogates(given, 4, STREAM, same_lengths))
    assert (len(few), len(many)) == (2, 4)
    assert all(same(a, b) for a, b in zip(many, again, strict=True))
    assert all(same(a, b) for a, b in zip(few, many[:2], strict=True))
    assert not same(many[0], many[2])
    assert not same(many[0], surrogates(given, 1, STREAM + 1, same_lengths)[0])


def test_equal_lengths_are_kept_and_others_put_in_another_order() -> None:
    for drawn in surrogates(as_set(noise(columns=3)), 3, STREAM):
        assert drawn.lengths.tolist() == [30] * 20
        assert drawn.n_features == 3
    given = as_set(uneven())
    sets = list(surrogates(given, 4, STREAM))
    for drawn in sets:
        assert sorted(drawn.lengths) == sorted(given.lengths)
    assert any(not np.array_equal(drawn.lengths, given.lengths) for drawn in sets)
    assert drawn.name == given.name


def test_groups_of_lengths_become_lengths_of_any_size() -> None:
    random = np.random.default_rng(0)
    given = as_set([random.normal(size=(20 if i % 2 else 80, 1)) for i in range(30)])
    sets = list(surrogates(given, 20, STREAM, same_lengths=False))
    logs = np.log([drawn.lengths for drawn in sets])
    # Stretched ones may be longer than all given ones; pieces may not.
    assert logs.max() <= np.log(MAX_STRETCHED_LENGTH * 80)
    assert logs[1::2].max() <= np.log(80)
    assert np.exp(logs[::2].max()) > 80
    inside = (logs > np.log(25)) & (logs < np.log(64))
    assert inside.mean() > 0.4
    assert logs[::2].mean() == pytest.approx(np.log(40), abs=0.1)
    assert logs[::2].std() == pytest.approx(np.log(2), rel=0.1)


def test_the_mean_and_the_covariance_over_time_are_those_of_the_given_ones() -> None:
    random = np.random.default_rng(3)
    bump = np.exp(-0.5 * ((np.arange(16.0) - 4) / 2) ** 2)[:, None]
    given = [4 * bump + 0.5 * random.normal(size=(16, 1)).cumsum(axis=0) for _ in range(60)]
    kept = units(given)[:, :, 0]
    sets = [units(list(one))[:, :, 0] for one in surrogates(as_set(given), 80, STREAM)]
    drawn, joined = np.concatenate(sets[::2]), np.concatenate(sets[1::2])
    np.testing.assert_allclose(drawn.mean(axis=0), kept.mean(axis=0), atol=0.12)
    np.testing.assert_allclose(np.cov(drawn.T), np.cov(kept.T), atol=0.12)
    # Spliced ones have the same course except for shifts to slightly earlier or later.
    assert np.corrcoef(joined.mean(axis=0), kept.mean(axis=0))[0, 1] > 0.95
    # Not for lack of content.
    assert np.ptp(kept.mean(axis=0)) > 1.5
    assert np.ptp(np.cov(kept.T)) > 0.4


def test_sequences_are_combined_of_many_and_spliced_in_turns() -> None:
    given = noise(40, 400)
    kept = units(given)[:, :, 0]

    def likeness(drawn: SequenceSet) -> float:
        """Mean, over surrogates, of the largest correlation with a given sequence."""
        made = units(list(drawn))[:, :, 0]
        return float(np.abs(made @ kept.T / kept.shape[1]).max(axis=1).mean())

    sets = list(surrogates(as_set(given), 4, STREAM))
    # The largest of eight normal weights of unit length: .65 on average, less noise of the values.
    np.testing.assert_allclose([likeness(drawn) for drawn in sets[::2]], 0.63, atol=0.07)
    # Nearly all steps of spliced ones are scaled steps of given ones.
    steps = np.concatenate([np.diff(frames[:, 0]) / frames[:, 0].std() for frames in given])
    for drawn in sets[1::2]:
        for frames in list(drawn)[:5]:
            made = np.diff(frames[:, 0]) / frames[:, 0].std()
            assert np.median(np.abs(made[:, None] - steps).min(axis=1)) < 0.01


def test_waves_of_any_phase_stay_waves_of_their_period() -> None:
    random = np.random.default_rng(0)
    time = np.arange(60.0)[:, None]
    given = as_set([np.sin(2 * np.pi * time / 20 + random.uniform(0, 2 * np.pi)) for _ in range(20)])
    for drawn in surrogates(given, 3, STREAM):
        power = np.abs(np.fft.rfft(units(list(drawn))[:, :, 0], axis=1)) ** 2
        assert (power[:, 3] / power.sum(axis=1)).min() > 0.9


@pytest.mark.parametrize("lengths", [(60, 60), (40, 80)])
def test_memory_is_kept_with_equal_and_with_unequal_lengths(lengths: tuple[int, int]) -> None:
    random = np.random.default_rng(0)

    def process(memory: float) -> SequenceSet:
        out = []
        for i in range(20):
            steps = random.normal(size=lengths[i % 2] + 50)
            for t in range(1, len(steps)):
                steps[t] += memory * steps[t - 1]
            out.append(steps[50:, None])
        return as_set(out)

    def remembered(sequences: SequenceSet) -> float:
        pairs = [(x[1:, 0] * x[:-1, 0]).mean() for x in (frames - frames.mean(axis=0) for frames in sequences)]
        return float(np.mean(pairs) / np.mean([frames.var() for frames in sequences]))

    for memory in (-0.6, 0.0, 0.9):
        given = process(memory)
        # Sets are stretched and spliced in turn; only spliced ones run as fast as the given ones.
        sets = list(surrogates(given, 8, STREAM))[1::2]
        assert np.mean([remembered(drawn) for drawn in sets]) == pytest.approx(remembered(given), abs=0.1)


def test_heavy_tails_and_two_states_are_kept() -> None:
    random = np.random.default_rng(0)

    def peaked(arrays: list[FloatArray]) -> float:
        values = units(arrays).ravel()
        return float((values**4).mean() / (values**2).mean() ** 2)

    heavy = [random.standard_t(3, size=(80, 1)) for _ in range(20)]
    states = [
        np.repeat(random.integers(0, 2, size=16), 5)[:, None] + 0.01 * random.normal(size=(80, 1)) for _ in range(20)
    ]
    assert peaked(heavy) > 6
    assert peaked(states) < 1.5
    for given, least, most in ((heavy, 6.0, np.inf), (states, 1.0, 1.6), (noise(frames=80), 2.5, 3.3)):
        assert least < np.mean([peaked(list(drawn)) for drawn in surrogates(as_set(given), 4, STREAM)]) < most


def test_values_are_those_that_are_there() -> None:
    """Each sequence holds the same values in an order of its own: surrogates hold them too, up to their own means."""
    random = np.random.default_rng(0)
    values = random.exponential(size=200)
    given = as_set([random.permutation(values)[:, None] for _ in range(15)])
    drawn = surrogates(given, 1, STREAM)[0]
    for share in (0.05, 0.25, 0.5, 0.75, 0.95):
        assert np.quantile(drawn.values, share) == pytest.approx(np.quantile(values, share), abs=0.12)


def test_levels_and_spreads_in_two_groups_become_one_normal_distribution() -> None:
    steps = noise(40, 30)
    for arrays, seen in (
        ([x + 20.0 * (i % 2) for i, x in enumerate(steps)], levels),
        ([x * 16.0 ** (i % 2) for i, x in enumerate(steps)], spreads),
    ):
        sets = list(surrogates(as_set(arrays), 30, STREAM))
        given, drawn = np.sort(seen([as_set(arrays)])[0]), np.sort(seen(sets), axis=1)
        # Half of the range is empty in the given ones, hardly anything in the others.
        assert np.diff(given).max() > 0.6 * np.ptp(given)
        assert np.median(np.diff(drawn, axis=1).max(axis=1) / np.ptp(drawn, axis=1)) < 0.2
        centred = (drawn - drawn.mean()) / drawn.std()
        # Weights of unit length over SOURCES values of one size: nearly normal, with this kurtosis exactly.
        assert (centred**4).mean() == pytest.approx(3.0 * SOURCES / (SOURCES + 2), abs=0.2)
        assert drawn.mean() == pytest.approx(given.mean(), abs=0.1 * np.ptp(given))
        assert drawn.std() == pytest.approx(given.std(ddof=1), rel=0.1)


def test_levels_have_the_mean_and_the_covariance_of_the_given_ones_over_columns() -> None:
    random = np.random.default_rng(2)
    mixing = np.array([[3.0, 0.0], [2.0, 0.5]])
    given = [frames + mixing @ random.normal(size=2) + 7.0 for frames in noise(25, 10, 2)]
    means = np.array([frames.mean(axis=0) for frames in given])
    drawn = np.concatenate([[frames.mean(axis=0) for frames in one] for one in surrogates(as_set(given), 60, STREAM)])
    np.testing.assert_allclose(drawn.mean(axis=0), means.mean(axis=0), atol=0.15)
    np.testing.assert_allclose(np.cov(drawn.T), np.cov(means.T), rtol=0.12)


def test_columns_stay_correlated_as_they_are() -> None:
    random = np.random.default_rng(0)
    for share in (-0.8, 0.0, 0.95):
        given = []
        for _ in range(15):
            first, second = random.normal(size=(2, 40))
            given.append(np.stack([first, share * first + np.sqrt(1 - share**2) * second], axis=1))
        sets = surrogates(as_set(given), 5, STREAM)
        each = [np.corrcoef(frames.T)[0, 1] for drawn in sets for frames in drawn]
        assert np.mean(each) == pytest.approx(share, abs=0.08)


def test_units_and_origins_of_columns_pass_through() -> None:
    given = uneven()
    factor, shift = np.array([1000.0, 0.01]), np.array([-5.0, 300.0])
    plain = list(surrogates(as_set(given), 2, STREAM))
    scaled = list(surrogates(as_set([frames * factor + shift for frames in given]), 2, STREAM))
    for one, other in zip(plain, scaled, strict=True):
        np.testing.assert_allclose(other.values, one.values * factor + shift, rtol=1e-6, atol=1e-6)


def test_a_constant_column_stays_constant() -> None:
    given = [np.column_stack([frames, np.full(len(frames), 4.0)]) for frames in uneven(columns=1)]
    for drawn in surrogates(as_set(given), 2, STREAM):
        assert np.isfinite(drawn.values).all()
        np.testing.assert_allclose(drawn.values[:, 1], 4.0, atol=1e-3)
        assert drawn.values[:, 0].std() > 1.0
    still = as_set([np.full((5, 1), 2.0)] * 6)
    np.testing.assert_allclose(surrogates(still, 1, STREAM)[0].values, 2.0, atol=1e-3)


def test_one_constant_sequence_among_others_does_no_harm() -> None:
    given = as_set([*noise(9), np.full((30, 1), 1.0)])
    for drawn in surrogates(given, 3, STREAM):
        assert np.isfinite(drawn.values).all()


@pytest.mark.parametrize("same_lengths", [True, False])
def test_two_frames_are_enough(same_lengths: bool) -> None:
    random = np.random.default_rng(0)
    for lengths in ([2] * 6, [2, 3, 2, 4, 2, 2]):
        given = as_set([random.normal(size=(length, 2)) for length in lengths])
        for drawn in surrogates(given, 4, STREAM, same_lengths):
            assert len(drawn) == 6
            assert drawn.lengths.min() >= 2
            assert np.isfinite(drawn.values).all()


def test_columns_keep_their_names() -> None:
    """A property is looked for by its name, in the given sequences and in those of one process."""
    rng = np.random.default_rng(3)
    given = SequenceSet.from_arrays([rng.normal(size=(20, 2)) for _ in range(6)], layout="channels_last")
    given = replace(given, provenance={"columns": ["warmth", "pressure"]})
    for drawn in (*surrogates(given, 2, STREAM), *spliced(given, 1, STREAM)):
        assert properties(drawn).names == properties(given).names
        assert "level of warmth" in properties(drawn).names
