"""The elastic family against numbers of aeon 1.6, which were computed once, and against plain recursions."""

import json
from pathlib import Path

import numpy as np
import pytest

import kinseq
from kinseq import SequenceSet
from kinseq.core.errors import DataError, ParameterError
from kinseq.measures import family, get, pairs
from kinseq.measures.dtw import dtw, dtw_between
from kinseq.measures.registry import MeasureInput
from tests.sentences import Recorded

OF_AEON = json.loads(Path(__file__).with_name("aeon_distances.json").read_text())
ALL = ("erp", "edr", "lcss", "twe", "wdtw", "ddtw", "adtw", "soft_dtw", "euclidean", "sbd")


def frozen(d, lengths=(9, 12, 12, 7, 15)):
    """The sequences of the frozen numbers: waves of other phases and trends."""
    times = [np.arange(n) for n in lengths]
    return [
        np.column_stack([np.round(3 * np.sin(0.7 * (k + 1) * t + 1.3 * i) + 0.05 * i * t, 2) for k in range(d)])
        for i, t in enumerate(times)
    ]


def drawn(n, d, longest, seed=0):
    random = np.random.default_rng(seed)
    lengths = random.integers(3, longest + 1, size=n)
    return SequenceSet.from_arrays(
        [np.round(np.cumsum(random.normal(size=(length, d)), axis=0), 1) for length in lengths], layout="channels_last"
    )


@pytest.mark.parametrize("case", OF_AEON)
def test_numbers_of_aeon(case):
    d, window, name, *words = case.split()
    given = [word.partition("=")[::2] for word in words]
    params = {key: value if value == "aeon" else float(value) for key, value in given}
    if window != "none":
        params["window"] = float(window)
    if name == "dtw":
        params["normalise"] = False
    distance = kinseq.dissimilarity(frozen(int(d)), measure=name, **params)
    np.testing.assert_allclose(distance[np.tril_indices(5, -1)], OF_AEON[case], rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("gamma", [0.05, 1.0, 40.0])
def test_soft_dtw_is_the_divergence_of_soft_minima(gamma):
    def soft(x, y):
        cost = np.full((len(x) + 1, len(y) + 1), np.inf)
        cost[0, 0] = 0.0
        for i in range(len(x)):
            for j in range(len(y)):
                before = np.array([cost[i, j], cost[i, j + 1], cost[i + 1, j]])
                cost[i + 1, j + 1] = ((x[i] - y[j]) ** 2).sum() - gamma * np.logaddexp.reduce(-before / gamma)
        return cost[-1, -1]

    given = drawn(9, 2, 8)
    expected = [[soft(x, y) - 0.5 * (soft(x, x) + soft(y, y)) for y in given] for x in given]
    np.testing.assert_allclose(family.soft_dtw(given, gamma=gamma), expected, rtol=1e-11, atol=1e-11)


def test_soft_dtw_of_a_low_temperature_is_dtw():
    given = drawn(8, 1, 12)
    np.testing.assert_allclose(family.soft_dtw(given, gamma=1e-6), dtw(given, normalise=False), atol=1e-3)


def published(x, y, match, gap):
    """An edit distance whose border sums up gaps."""
    cost = np.zeros((len(x) + 1, len(y) + 1))
    cost[1:, 0], cost[0, 1:] = np.cumsum([gap(a) for a in x]), np.cumsum([gap(b) for b in y])
    for i, a in enumerate(x):
        for j, b in enumerate(y):
            cost[i + 1, j + 1] = min(cost[i, j] + match(a, b), cost[i, j + 1] + gap(a), cost[i + 1, j] + gap(b))
    return cost[-1, -1]


def test_published_borders():
    given = drawn(7, 2, 9)
    erp = [[published(x, y, lambda a, b: np.linalg.norm(a - b), np.linalg.norm) for y in given] for x in given]
    np.testing.assert_allclose(family.erp(given, border="published"), erp, rtol=1e-12, atol=1e-12)
    edr = [
        [
            published(x, y, lambda a, b: float(np.linalg.norm(a - b) >= 1.05), lambda a: 1.0) / max(len(x), len(y))
            for y in given
        ]
        for x in given
    ]
    np.testing.assert_allclose(family.edr(given, epsilon=1.05, border="published"), edr, rtol=1e-12)


@pytest.mark.parametrize("name", [*ALL, "dtw"])
def test_order_threads_lanes_and_calls_do_not_matter(name, monkeypatch):
    given = drawn(41, 2, 20, seed=1)
    whole = kinseq.dissimilarity(given, measure=name)
    np.testing.assert_array_equal(whole, whole.T)
    np.testing.assert_array_equal(whole.diagonal(), 0.0)
    order = np.random.default_rng(2).permutation(41)
    monkeypatch.setattr(pairs, "CELLS_A_CALL", 1)
    monkeypatch.setattr(pairs, "LANES", 7)
    again = kinseq.dissimilarity(given.subset(order), measure=name, n_jobs=2)
    np.testing.assert_allclose(again, whole[np.ix_(order, order)], rtol=1e-12, atol=1e-12)
    few = {"epsilon": 0.5} if name in ("edr", "lcss") else {}
    whole = kinseq.dissimilarity(given, measure=name, **few)
    between = kinseq.dissimilarity(given.subset(np.arange(9)), given.subset(np.arange(9, 41)), measure=name, **few)
    np.testing.assert_allclose(between, whole[:9, 9:], rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", ALL)
def test_each_with_some_is_part_of_the_whole(name):
    given = drawn(12, 2, 15, seed=3)
    chosen = np.stack([np.random.default_rng(i).permutation(12)[:5] for i in range(12)])
    measure, every = get(name), MeasureInput(given)
    whole = measure.cross(every, every, **measure.params)
    some = measure.cross(every, every, chosen=chosen, **measure.params)
    np.testing.assert_allclose(some, np.take_along_axis(whole, chosen, axis=1), rtol=1e-12, atol=1e-12)


def test_a_band_of_everything_is_none_and_a_narrow_one_costs_more():
    given = drawn(10, 1, 25, seed=4)
    np.testing.assert_allclose(dtw(given, window=1.0), dtw(given), rtol=1e-12)
    assert (dtw(given, window=0.1) >= dtw(given) - 1e-12).all()
    equal = SequenceSet.from_arrays([x[:3] for x in given], layout="channels_last")
    np.testing.assert_allclose(
        dtw(equal, normalise=False, window=0.0), family.euclidean(equal) ** 2, rtol=1e-12, atol=1e-12
    )
    np.testing.assert_array_equal(dtw_between(equal, given, window=0.3), dtw_between(given, equal, window=0.3).T)


def test_a_tolerance_is_a_share_of_the_spread_of_the_whole_set():
    given = drawn(8, 2, 12, seed=5)
    spread = np.sqrt(given.values.var(axis=0).sum())
    for name in ("edr", "lcss"):
        by_default = kinseq.dissimilarity(given, measure=name)
        np.testing.assert_array_equal(by_default, kinseq.dissimilarity(given, measure=name, epsilon=spread / 4))
        # The unit of the data does not matter, and old sequences set it for new ones.
        scaled = [1000 * x for x in given]
        np.testing.assert_allclose(kinseq.dissimilarity(scaled, measure=name), by_default, rtol=1e-12)
        new = [5 * x for x in given.subset(np.arange(3))]
        np.testing.assert_array_equal(
            kinseq.dissimilarity(new, given, measure=name),
            kinseq.dissimilarity(new, given, measure=name, epsilon=spread / 4),
        )


def test_a_constant_has_no_shape():
    wave = np.sin(np.arange(12.0))
    distance = kinseq.dissimilarity([wave, np.ones(12), np.full(7, 3.0), wave[3:], -wave], measure="sbd")
    np.testing.assert_array_equal(distance[1], [1, 0, 0, 1, 1])
    # A feature constant in both has no effect.
    both = family.sbd([np.column_stack([wave, np.ones(12)]), np.column_stack([-wave, np.zeros(12)])])
    assert both[0, 1] == pytest.approx(distance[0, 4] / 2)


def test_euclidean_distances_are_of_the_frames_that_both_have():
    given = drawn(14, 3, 9, seed=6)
    expected = [[np.linalg.norm(x[: min(len(x), len(y))] - y[: min(len(x), len(y))]) for y in given] for x in given]
    np.testing.assert_allclose(family.euclidean(given, n_jobs=2), expected, rtol=1e-12)


def test_equal_frames_match_whatever_the_tolerance():
    steady = [np.ones(5), np.ones(8), np.ones(5)]
    for name in ("edr", "lcss"):
        for epsilon in (None, 0.0):
            distance = kinseq.dissimilarity(steady, measure=name, epsilon=epsilon)
            assert distance[0, 2] == 0.0
            assert (distance <= 3 / 8).all()


@pytest.mark.parametrize(
    "name, params",
    [
        ("dtw", {"window": 1.5}),
        ("dtw", {"normalise": "yes"}),
        ("erp", {"g": [1.0, 2.0]}),
        ("erp", {"border": "mine"}),
        ("edr", {"epsilon": "half"}),
        ("lcss", {"epsilon": -1.0}),
        ("twe", {"nu": -1.0}),
        ("soft_dtw", {"gamma": 0.0}),
        ("adtw", {"warp_penalty": -0.5}),
    ],
)
def test_parameters_out_of_range_are_refused(name, params, recorded: Recorded):
    with recorded.raises(ParameterError):
        kinseq.dissimilarity([np.arange(4.0), np.arange(5.0)], measure=name, **params)


def test_slopes_need_three_frames(recorded: Recorded):
    with recorded.raises(DataError):
        kinseq.dissimilarity([np.arange(4.0), np.arange(2.0)], measure="ddtw")


def test_features_must_agree():
    how = pairs.Alignment(pairs.SQUARED, pairs.LEAST)
    with pytest.raises(DataError, match="features"):
        pairs.align(how, pairs.Side(drawn(2, 2, 5)), pairs.Side(drawn(2, 3, 5)))


@pytest.mark.parametrize(("longest", "g"), [(40, 0.2), (260, 0.05), (260, 0.4)])
def test_weighted_dtw_of_one_with_many_is_that_of_pairs(longest, g):
    """Of long ones, where cells far from the diagonal are left out, as well."""
    sequences = SequenceSet.from_arrays([*drawn(40, 2, longest, seed=5), np.ones((1, 2)), np.zeros((2, 2))])
    other = drawn(5, 2, longest + 20, seed=6)
    how = pairs.Alignment(pairs.WEIGHTED, pairs.LEAST, pairs.NO_BORDER, parameter=g)
    for second in (None, other):
        sides = [pairs.Side(some) for some in (sequences, second) if some is not None]
        found = family._wdtw(sequences, second, 1, None, g, None)
        np.testing.assert_array_equal(found, pairs.align(how, *sides))


@pytest.mark.parametrize("epsilon", [0.0, 5.0, np.sqrt(2.0), np.nextafter(np.sqrt(2.0), 2.0), 1e-170, 1e170])
@pytest.mark.parametrize("d", [1, 2])
def test_frames_at_the_tolerance_match_for_lcss_alone(d, epsilon):
    grid = np.arange(-4.0, 5.0)
    frames = [np.array([[x, y]])[:, :d] for x in grid for y in grid[:: 1 if d == 2 else 9]]
    apart = np.array([[np.sqrt(((x - y) ** 2).sum()) for y in frames] for x in frames])
    sequences = SequenceSet.from_arrays(frames, layout="channels_last")
    found = {name: kinseq.dissimilarity(sequences, measure=name, epsilon=epsilon) for name in ("edr", "lcss")}
    np.testing.assert_array_equal(found["lcss"], np.where(apart <= epsilon, 0.0, 1.0))
    np.testing.assert_array_equal(found["edr"], np.where((apart < epsilon) | (apart == 0.0), 0.0, 1.0))


@pytest.mark.parametrize("name", ["erp", "twe", "edr", "lcss", "msm"])
def test_one_sequence_is_compared_as_several_are(name: str) -> None:
    random = np.random.default_rng(0)
    new, old = ([random.normal(size=(n, 2)) for n in lengths] for lengths in ((9, 12), (8, 10, 13)))
    together = kinseq.dissimilarity(new, old, measure=name)
    np.testing.assert_array_equal(np.vstack([kinseq.dissimilarity([one], old, measure=name) for one in new]), together)
