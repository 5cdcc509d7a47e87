"""Plain properties against closed forms, and the distance in them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from kinseq import measures
from kinseq.core.arrays import FloatArray
from kinseq.core.errors import ParameterError
from kinseq.core.sequences import SequenceSet
from kinseq.core.symbols import symbol_set
from kinseq.features.properties import (
    MOST_PAIRED,
    NEARLY_ONE,
    STILL_DEVIATION,
    WORDS,
    lacking_properties,
    pairwise_gaps,
    properties,
)
from kinseq.measures.cross import cross
from kinseq.measures.properties import params_of
from tests.sentences import Recorded


def noise(n: int = 6, columns: int = 1, seed: int = 0) -> list[FloatArray]:
    random = np.random.default_rng(seed)
    return [random.normal(i, 1.0 + i, size=(12 + 3 * i, columns)) for i in range(n)]


def of(arrays: list[FloatArray], name: str) -> FloatArray:
    return properties(SequenceSet.from_arrays(arrays, layout="channels_last")).of(name)


def test_level_spread_and_length_are_what_they_say() -> None:
    arrays = noise()
    np.testing.assert_allclose(of(arrays, "level of 1"), [x.mean() for x in arrays])
    np.testing.assert_allclose(of(arrays, "spread of 1"), [np.log(x.std()) for x in arrays])
    np.testing.assert_allclose(of(arrays, "length"), [np.log(len(x)) for x in arrays])


def test_roughness_is_the_step_in_units_of_the_deviation() -> None:
    random = np.random.default_rng(0)
    frames = 20
    zigzag = np.tile([[5.0], [-3.0]], (frames // 2, 1))
    line = np.arange(float(frames))[:, None]
    white = random.normal(2.0, 7.0, size=(20_000, 1))
    expected = [2.0, np.sqrt(12 / (frames**2 - 1)), np.sqrt(2)]
    np.testing.assert_allclose(np.exp(of([zigzag, line, white], "roughness of 1")), expected, rtol=0.01)
    np.testing.assert_allclose(np.exp(of([zigzag, line], "roughness of 1")), expected[:2], rtol=1e-12)


def test_trend_is_the_correlation_with_time() -> None:
    arrays = noise()
    expected = [np.arctanh(np.corrcoef(x[:, 0], np.arange(len(x)))[0, 1]) for x in arrays]
    np.testing.assert_allclose(of(arrays, "trend of 1"), expected)
    line = np.arange(9.0)[:, None]
    most = np.arctanh(NEARLY_ONE)
    np.testing.assert_allclose(
        of([3 + 2 * line, 5 - line, (line - 4) ** 2], "trend of 1"), [most, -most, 0], atol=1e-12
    )


def test_timing_of_a_pulse_is_where_it_stands() -> None:
    # The mean of one pulse in T frames is not 0, which moves the centre by (T - 2) / (T - 1).
    for frames in (3, 10, 41):
        places = np.linspace(-1, 1, frames)
        pulses = [7.0 * np.eye(frames)[[k]].T for k in range(frames)]
        np.testing.assert_allclose(of(pulses, "timing of 1"), places * (frames - 2) / (frames - 1), atol=1e-12)
    late = np.concatenate([np.zeros(80), np.tile([-1.0, 1.0], 10)])[:, None]
    centre = np.linspace(-1, 1, 100)[80:].mean()
    np.testing.assert_allclose(of([late, late[::-1]], "timing of 1"), [centre, -centre])


def test_correlations_are_those_of_each_pair_of_columns() -> None:
    arrays = noise(5, 3)
    for i, j in ((0, 1), (0, 2), (1, 2)):
        expected = [np.arctanh(np.corrcoef(x.T)[i, j]) for x in arrays]
        np.testing.assert_allclose(of(arrays, f"correlation of {i + 1} and {j + 1}"), expected)
    line = np.arange(9.0)
    both = [np.column_stack([line, line]), np.column_stack([line, -line])]
    np.testing.assert_allclose(of(both, "correlation of 1 and 2"), np.arctanh(NEARLY_ONE) * np.array([1, -1]))


def test_units_move_levels_and_spreads_and_nothing_else() -> None:
    arrays, factor, shift = noise(6, 2), np.array([1000.0, 0.02]), np.array([-4.0, 9.0])
    plain, moved = (properties(SequenceSet.from_arrays(x)) for x in (arrays, [x * factor + shift for x in arrays]))
    for name in plain.names:
        kind, _, column = name.partition(" of ")
        expected = plain.of(name)
        if kind == "level":
            expected = expected * factor[int(column) - 1] + shift[int(column) - 1]
        if kind == "spread":
            expected = expected + np.log(factor[int(column) - 1])
        np.testing.assert_allclose(moved.of(name), expected, rtol=1e-9, atol=1e-9, err_msg=name)


def test_running_backwards_turns_trend_and_timing_round() -> None:
    arrays = noise(6, 2)
    plain, back = (properties(SequenceSet.from_arrays(x)) for x in (arrays, [x[::-1] for x in arrays]))
    for name in plain.names:
        sign = -1.0 if name.startswith(("trend", "timing")) else 1.0
        np.testing.assert_allclose(back.of(name), sign * plain.of(name), atol=1e-12, err_msg=name)


def test_each_sequence_has_its_properties_to_itself() -> None:
    arrays = noise(6, 2)
    whole = properties(SequenceSet.from_arrays(arrays))
    some = properties(SequenceSet.from_arrays([arrays[4], arrays[1]]), like=SequenceSet.from_arrays(arrays))
    np.testing.assert_array_equal(some.values, whole.values[[4, 1]])
    assert some.names == whole.names


def test_names_are_those_of_columns(recorded: Recorded) -> None:
    arrays = noise(3, 2)
    each = [f"{kind} of {column}" for kind in ("level", "spread", "roughness", "trend", "timing") for column in "12"]
    assert properties(SequenceSet.from_arrays(arrays)).names == (*each, "correlation of 1 and 2", "length")
    named = SequenceSet.from_arrays(arrays, provenance={"columns": ["x", "arm"]})
    assert properties(named).names[:2] == ("level of x", "level of arm")
    recorded(properties(named).names[-2])
    states = properties(symbol_set([list("abca"), list("cab")], None))
    assert states.names == ("time in a", "time in b", "time in c", "changes", "length")
    every = {name.partition(" of ")[0].partition(" in ")[0] for name in (*properties(named).names, *states.names)}
    assert every == set(WORDS)
    assert properties(SequenceSet.from_arrays(noise(3, 1))).values.shape == (3, 6)


def test_pairs_of_many_columns_are_left_out() -> None:
    for columns, pairs in ((MOST_PAIRED, MOST_PAIRED * (MOST_PAIRED - 1) // 2), (MOST_PAIRED + 1, 0)):
        found = properties(SequenceSet.from_arrays(noise(2, columns), layout="channels_last"))
        assert len(found.names) == found.values.shape[1] == 5 * columns + pairs + 1


def test_what_hardly_moves_counts_as_still() -> None:
    random = np.random.default_rng(0)
    moving = random.normal(size=(50, 1))
    arrays = [moving, np.full((9, 1), 3.0), 3.0 + 1e-9 * moving, np.array([[2.0]])]
    found = properties(SequenceSet.from_arrays(arrays))
    floor = np.log(STILL_DEVIATION * np.concatenate(arrays).std())
    np.testing.assert_allclose(found.of("spread of 1")[1:], floor)
    np.testing.assert_allclose(found.of("roughness of 1")[1:], np.log(STILL_DEVIATION))
    assert np.isfinite(found.values).all()
    assert np.isfinite(properties(SequenceSet.from_arrays([np.ones((4, 2))] * 3)).values).all()


def test_a_still_column_has_no_course() -> None:
    arrays = noise(3, 2)
    arrays[1][:, 1] = 5.0
    arrays[2][:, 0] *= STILL_DEVIATION / 10
    found = SequenceSet.from_arrays(arrays)
    missing = {name: lacking_properties(found)[:, i].tolist() for i, name in enumerate(properties(found).names)}
    no_course = {"1": [False, False, True], "2": [False, True, False]}
    for kind in ("roughness", "trend", "timing"):
        assert {column: missing[f"{kind} of {column}"] for column in no_course} == no_course
    assert missing["correlation of 1 and 2"] == [False, True, True]
    assert not any(any(missing[name]) for name in missing if name.startswith(("level", "spread", "length")))
    assert not lacking_properties(symbol_set([list("abca"), list("cab")], None)).any()


def test_values_on_a_grid_are_at_least_a_step_apart() -> None:
    values = np.array([0.0, 2.0, 0.0, 6.0, 2.0])
    expected = [[0, 2, 2, 6, 2], [2, 0, 2, 4, 2], [2, 2, 0, 6, 2], [6, 4, 6, 0, 4], [2, 2, 2, 4, 0]]
    np.testing.assert_array_equal(pairwise_gaps(values), expected)
    # None repeats: no grid, however close two of them are.
    free = np.array([0.0, 0.001, 5.0])
    np.testing.assert_array_equal(pairwise_gaps(free), np.abs(free[:, None] - free))
    np.testing.assert_array_equal(pairwise_gaps(np.full(4, 3.0)), np.zeros((4, 4)))


def test_the_distance_is_that_of_properties_in_units_of_their_deviation() -> None:
    given = SequenceSet.from_arrays(noise(7, 2))
    values = properties(given).values
    expected = cdist(values, values, "seuclidean", V=values.var(axis=0))
    found = measures.compute("properties", given)
    np.testing.assert_allclose(found, expected, atol=1e-12)
    np.testing.assert_array_equal(found, found.T)
    assert not np.diag(found).any()


def test_only_some_properties_count_if_asked() -> None:
    given = SequenceSet.from_arrays(noise(7, 2))
    found = measures.compute("properties", given, only=["level of 2", "length"])
    plain = np.column_stack([properties(given).of(name) for name in ("level of 2", "length")])
    np.testing.assert_allclose(found, cdist(plain, plain, "seuclidean", V=plain.var(axis=0)), atol=1e-12)
    one = properties(given).of("trend of 1")
    expected = np.abs(one[:, None] - one) / one.std()
    np.testing.assert_allclose(measures.compute("properties", given, **params_of("trend of 1")), expected, atol=1e-12)


def test_units_do_not_matter_to_the_distance() -> None:
    arrays = noise(7, 2)
    moved = [x * [1e4, 0.1] - [3.0, 8.0] for x in arrays]
    np.testing.assert_allclose(
        measures.compute("properties", moved), measures.compute("properties", arrays), rtol=1e-8, atol=1e-8
    )


def test_new_sequences_are_measured_in_units_of_the_old_ones() -> None:
    old, new = SequenceSet.from_arrays(noise(7, 2)), SequenceSet.from_arrays(noise(4, 2, seed=1))
    measure = measures.get("properties")
    found = cross(measure, old, new, None, lambda _: None, seed=0)
    unit = properties(old).values.std(axis=0)
    expected = cdist(properties(new, like=old).values / unit, properties(old).values / unit)
    np.testing.assert_allclose(found, expected, atol=1e-12)
    np.testing.assert_array_equal(
        cross(measure, old, old, None, lambda _: None, seed=0), measures.compute("properties", old)
    )


@pytest.mark.parametrize(
    "only",
    [
        ["levle of 1"],
        ["level of 3"],
        [],
        "length",
        5,
    ],
)
def test_what_is_no_property_is_refused(only: object, recorded: Recorded) -> None:
    with recorded.raises(ParameterError):
        measures.compute("properties", noise(3, 2), only=only)
