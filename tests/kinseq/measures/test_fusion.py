"""Fusion of views: the diffusion against its equations, what any fusion must do, and the measure."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from kinseq import SequenceClustering, measures
from kinseq.analysis.views import findings_in_words
from kinseq.clustering import spectral
from kinseq.clustering.registry import get as get_clusterer
from kinseq.core.content_cache import forget
from kinseq.core.errors import DataError, ParameterError
from kinseq.core.graphs.network_fusion import (
    MIN_DIFFUSED_ITEMS,
    fuse,
    is_constant,
    join_components,
    local_affinity,
    local_exponent,
    neighbour_count,
    transitions,
)
from kinseq.core.sequences import SequenceSet
from kinseq.measures import fusion
from kinseq.measures.elastic import (
    centred,
    dtw_delta,
    dtw_delta_between,
    msm,
    msm_between,
    standardised,
    stretched,
    with_increments,
)
from kinseq.measures.fitting import gather_from_models
from kinseq.measures.registry import MeasureInput
from kinseq.measures.statistics import statistics, summaries
from kinseq.metrics import ari
from kinseq.metrics.internal import silhouettes

FAST = {"views": ["dtw", "dtw_shape", "statistics"]}


def points(n=30, n_clusters=3, seed=0, apart=8.0):
    random = np.random.default_rng(seed)
    centres = random.normal(0.0, apart, (n_clusters, 3))
    return centres[np.arange(n) % n_clusters] + random.normal(0.0, 1.0, (n, 3))


def affinities(n=48, n_views=3):
    return [local_affinity(cdist(x, x)) for x in (points(n, seed=seed) for seed in range(n_views))]


def by_equations(views, k, rounds):
    """The fusion of the paper, one sum at a time."""
    n = len(views[0])

    def balanced(w):
        p = np.zeros((n, n))
        for i in range(n):
            total = sum(w[i, j] for j in range(n) if j != i)
            for j in range(n):
                p[i, j] = 0.5 if i == j else w[i, j] / (2 * total)
        return (p + p.T) / 2

    walks = []
    for w in views:
        s = np.zeros((n, n))
        for i in range(n):
            near = sorted((j for j in range(n) if j != i), key=lambda j: -w[i, j])[:k]
            for j in near:
                s[i, j] = w[i, j] / sum(w[i, m] for m in near)
        walks.append(s)
    states = [balanced(w) for w in views]
    for _ in range(rounds):
        others = []
        for v in range(len(views)):
            rest = [u for u in range(len(views)) if u != v]
            others.append(sum(states[u] for u in rest) / len(rest))
        states = [balanced(s @ other @ s.T) for s, other in zip(walks, others, strict=True)]
    fused = sum(states) / len(views)
    np.fill_diagonal(fused, 0.0)
    return fused


@pytest.mark.parametrize("rounds", [1, 4])
def test_fusion_is_that_of_the_equations(rounds):
    views = affinities(24)
    np.testing.assert_allclose(fuse(views, 4, rounds), by_equations(views, 4, rounds), rtol=1e-10, atol=1e-15)


def test_fusion_neither_looks_at_the_order_of_views_nor_of_items():
    views, order = affinities(46), np.random.default_rng(1).permutation(46)
    fused = fuse(views)
    np.testing.assert_array_equal(fused, fused.T)
    assert (fused >= 0).all()
    np.testing.assert_allclose(fuse(views[::-1]), fused, rtol=1e-12, atol=1e-18)
    permuted = fuse([view[np.ix_(order, order)] for view in views])
    np.testing.assert_allclose(permuted, fused[np.ix_(order, order)], rtol=1e-12, atol=1e-18)


@pytest.mark.parametrize("n", [48, 150])
def test_a_fusion_is_the_same_on_any_number_of_threads_and_that_of_sparse_products(n):
    """Against products of SciPy's sparse matrices, to the last bit: blocks of a transpose and halves of sums included."""
    views = affinities(n, 4)

    def balanced(affinity):
        np.fill_diagonal(affinity, 0.0)
        share = 0.25 / affinity.sum(axis=1)
        affinity = affinity * (share[:, None] + share)
        np.fill_diagonal(affinity, 0.5)
        return affinity

    walks = [transitions(view, 5) for view in views]
    states = [balanced(view.copy()) for view in views]
    for _ in range(3):
        total = states[0] + states[1] + states[2] + states[3]
        others = [total - state for state in states]
        states = [
            balanced(walk @ np.ascontiguousarray((walk @ other).T)) for walk, other in zip(walks, others, strict=True)
        ]
    fused = (states[0] + states[1] + states[2] + states[3]) / 4
    expected = 0.5 * (fused + fused.T)
    np.fill_diagonal(expected, 0.0)
    for threads in (1, 3):
        np.testing.assert_array_equal(fuse(views, 5, 3, threads), expected)


def test_few_items_and_single_views_are_averaged():
    few = affinities(MIN_DIFFUSED_ITEMS - 1)
    np.testing.assert_allclose(fuse(few), sum(few) / 3)
    one = affinities(50, 1)
    np.testing.assert_array_equal(fuse(one), one[0])


def test_the_given_affinities_are_left_alone():
    views = affinities()
    before = [view.copy() for view in views]
    fuse(views)
    for view, old in zip(views, before, strict=True):
        np.testing.assert_array_equal(view, old)


def test_noisy_views_tell_groups_apart_together():
    # The noise of each view is its own, the groups are common to all.
    truth = np.arange(90) % 3
    centres = np.random.default_rng(9).normal(0.0, 1.5, (3, 3))
    noise = [np.random.default_rng(seed).normal(0.0, 1.0, (90, 3)) for seed in range(5)]
    views = [cdist(x, x) for x in (centres[truth] + each for each in noise)]
    fused = fuse([local_affinity(view) for view in views])
    distance = -np.log(np.maximum(fused / fused.max(), 1e-300))
    np.fill_diagonal(distance, 0.0)
    together = ari(truth, spectral(distance, 3))
    assert together > 0.7
    assert max(ari(truth, spectral(view, 3, width="local")) for view in views) < together - 0.2


def test_no_views_and_views_of_different_sets_are_refused():
    with pytest.raises(DataError, match="0 views"):
        fuse([])
    with pytest.raises(DataError, match="2 shapes"):
        fuse([np.ones((3, 3)), np.ones((4, 4))])


@pytest.mark.parametrize(("n", "k"), [(2, 1), (3, 2), (10, 3), (40, 4), (60, 6), (100, 10), (500, 10)])
def test_neighbours(n, k):
    assert neighbour_count(n) == k


def test_constant_views():
    assert is_constant(np.zeros((4, 4)))
    assert is_constant(3.0 * (1 - np.eye(4)))
    assert not is_constant(cdist(points(4), points(4)))


def sequences(n=24, seed=0):
    """Two kinds that differ in level."""
    random = np.random.default_rng(seed)
    return [random.normal(3.0 * (i % 2), 1.0, (12 + i % 5, 2)) for i in range(n)]


def test_elastic_fusion_is_the_fusion_of_five_alignments_whatever_has_no_vote():
    given = sequences(44)
    expected, told = measures.compute_with_findings("fusion", given, views=fusion.VOTING)
    distance, findings = measures.compute_with_findings("elastic", given)
    np.testing.assert_array_equal(distance, expected)
    assert findings == told
    assert findings["fused_views"] == 5
    np.testing.assert_array_equal(measures.compute("elastic", given, witnesses=["kl_ll"]), expected)
    new = sequences(3, seed=4)
    across = measures.compute("fusion", new, given, views=fusion.VOTING)
    np.testing.assert_array_equal(measures.compute("elastic", new, given), across)


def test_views_without_a_vote_are_compared_with_what_the_others_say():
    measure, given = measures.get("elastic"), SequenceSet.from_arrays(sequences(60))
    evidence, every = MeasureInput(given, seed=2), {**measure.params, "witnesses": ["statistics", "kl_ll", "dtw_delta"]}
    distance = measure.compute(evidence)[0]
    found = measure.reference_views(evidence, distance, **every)
    # An alignment has its vote already.
    assert list(found) == ["statistics", "kl_ll"]
    by_hand = fusion.agreement(measures.compute("statistics", given), distance, neighbour_count(60))
    assert found["statistics"] == pytest.approx(by_hand)
    order = np.random.default_rng(3).permutation(60)
    again = measure.reference_views(MeasureInput(given.subset(order), seed=2), distance[np.ix_(order, order)], **every)
    assert again == pytest.approx(found)
    made = {name: fusion.one_view(evidence, name, **every) for name in [*fusion.VOTING, "statistics", "kl_ll"]}
    assert measure.reference_views(replace(evidence, parts=made), distance, **every) == found


def test_views_that_were_computed_before_are_taken_as_they_are():
    measure, given = measures.get("fusion"), SequenceSet.from_arrays(sequences(24))
    evidence, params = MeasureInput(given, seed=7), {"views": ["dtw", "statistics", "kl_ll"], "states_each": 2}
    every = {**measure.params, **params}
    made = {name: fusion.one_view(evidence, name, **every) for name in params["views"]}
    # Another seed, so that nothing is cached, and modified views, to verify that they are used.
    whole, _ = measure.compute(MeasureInput(given, seed=8, parts=made), **params)
    np.testing.assert_array_equal(whole, measure.compute(evidence, **params)[0])
    tampered = dict.fromkeys(made, made["dtw"])
    assert not np.array_equal(measure.compute(MeasureInput(given, seed=9, parts=tampered), **params)[0], whole)


def test_a_view_without_a_vote_that_sees_nothing_is_not_named():
    # Levels, spreads, speeds and lengths are the same.
    wave = np.sin(np.arange(24.0))[:, None]
    given = SequenceSet.from_arrays([np.roll(wave, i % 24, axis=0) for i in range(48)])
    measure = measures.get("elastic")
    params = {**measure.params, "witnesses": ["statistics"]}
    flat = SequenceSet.from_arrays([wave] * 48)
    assert measure.reference_views(MeasureInput(flat), np.zeros((48, 48)), **params) == {}
    assert list(measure.reference_views(MeasureInput(given), measures.compute("elastic", given), **params)) == [
        "statistics"
    ]


@pytest.mark.parametrize("n", [24, 44])
def test_any_order_of_sequences_gives_the_same_to_the_last_bit(n):
    given, order = sequences(n), np.random.default_rng(2).permutation(n)
    distance = measures.compute("fusion", given, **FAST)
    again = measures.compute("fusion", [given[i] for i in order], **FAST)
    np.testing.assert_array_equal(again, distance[np.ix_(order, order)])


def test_a_constant_view_is_dropped_and_named():
    # For sequences that differ only in level, shapes are uninformative.
    shape = np.sin(np.arange(15.0))[:, None]
    given = [shape + level for level in [*np.linspace(0, 1, 12), *np.linspace(8, 9, 12)]]
    distance, findings = measures.compute_with_findings("fusion", given, **FAST)
    assert findings["dropped_views"] == "dtw_shape"
    assert findings["fused_views"] == 2
    assert ari(np.repeat([0, 1], 12), spectral(distance, 2)) == 1.0


def test_equal_sequences_are_at_distance_zero_and_all_equal_ones_have_no_views():
    given = [*sequences(42), *sequences(2)]
    distance = measures.compute("fusion", given, **FAST)
    np.testing.assert_array_equal(distance[42], distance[0])
    assert distance[42, 0] == 0.0
    assert (distance[0, [*range(1, 42), 43]] > 0).all()
    distance, findings = measures.compute_with_findings("fusion", [sequences()[0]] * 5, **FAST)
    assert not distance.any()
    assert findings["fused_views"] == 0


def test_findings_say_which_view_carries_the_structure():
    _, findings = measures.compute_with_findings("fusion", sequences(100), **FAST)
    assert findings["fused_by"] == "diffusion"
    assert findings["components"] >= 1
    # The kinds differ in level, which per-sequence scores do not see.
    assert findings["agreement_dtw"] > findings["agreement_dtw_shape"] + 0.1
    assert findings["agreement_statistics"] > findings["agreement_dtw_shape"] + 0.1


def test_agreement_is_one_for_the_same_and_about_zero_by_chance():
    distance = cdist(points(200), points(200))
    assert fusion.agreement(distance, distance, 10) == pytest.approx(1.0)
    order = np.random.default_rng(0).permutation(200)
    assert abs(fusion.agreement(distance, distance[np.ix_(order, order)], 10)) < 0.05


@pytest.mark.parametrize("n", [24, 48])
def test_the_reference_of_all_items_is_the_fusion_of_them_and_of_like_ones(n):
    rng = np.random.default_rng(8)
    arrays = [4.0 * (i % 3) + rng.normal(size=(int(rng.integers(9, 14)), 2)) for i in range(n)]
    given = SequenceSet.from_arrays(arrays, layout="channels_last")
    measure = measures.registry.get("fusion")
    params = {**measure.params, "views": ["dtw", "msm"]}
    evidence = MeasureInput(given, seed=1)
    distance, drawn = measure.reference(evidence, np.arange(n), 3, 0, **params)
    np.testing.assert_allclose(distance, measure.compute(evidence, **params)[0], atol=1e-9)
    # Entries of these views depend on their two sequences only, so a subset fused again is a set of its own.
    some = rng.permutation(n)[: n // 2]
    small, _ = measure.reference(evidence, some, 0, 0, **params)
    np.testing.assert_allclose(small, measure.compute(MeasureInput(given.subset(some)), **params)[0], atol=1e-9)
    matrices = list(drawn)
    assert len(matrices) == 3
    for matrix in matrices:
        np.testing.assert_allclose(matrix, matrix.T)
        assert np.isfinite(matrix).all()
        assert not np.diag(matrix).any()
    # The groups are gone: no cut of the drawn items is as clear as that of the given ones.
    truth = np.arange(n) % 3
    clear = silhouettes(distance, truth).mean()
    assert clear > 0.3
    cut = get_clusterer("spectral_direct")
    assert all(silhouettes(matrix, cut(matrix, 3)).mean() < clear - 0.1 for matrix in matrices)


def test_new_sequences_join_their_own_kind_whoever_comes_with_them():
    from kinseq.measures.cross import cross

    measure, old, new = measures.get("fusion"), SequenceSet.from_arrays(sequences(40)), sequences(6, seed=5)
    distance = cross(measure, old, SequenceSet.from_arrays(new), None, lambda _: None, seed=3, **FAST)
    assert distance.shape == (6, 40)
    near = np.stack([distance[:, k::2].mean(axis=1) for k in (0, 1)], axis=1).argmin(axis=1)
    np.testing.assert_array_equal(near, np.arange(6) % 2)
    alone = cross(measure, old, SequenceSet.from_arrays(new[2:3]), None, lambda _: None, seed=3, **FAST)
    np.testing.assert_allclose(alone[0], distance[2], rtol=1e-9)


def test_estimator():
    found = SequenceClustering(measure="fusion", n_clusters=2, params=FAST).fit(sequences())
    assert ari(np.arange(24) % 2, found.labels_) == 1.0


def test_long_recordings_are_aligned_by_averaged_frames():
    assert fusion.frames_averaged(np.full(200, 100), 13) == 1
    assert fusion.frames_averaged(np.full(2000, 1000), 1) > 10
    # Days of minutes: of a year means of six, of two weeks two frames to one, as of few long recordings.
    assert [fusion.frames_averaged(np.full(n, 1440), 1) for n in (365, 14)] == [6, 2]
    assert fusion.frames_averaged(np.full(20, 50_000), 3) == 50
    given = SequenceSet.from_arrays([np.arange(7.0)[:, None], np.ones((2, 1))])
    short = fusion.averaged(given, 3)
    np.testing.assert_allclose(short[0].ravel(), [1.0, 4.0, 6.0])
    # Two frames of two instead of one: a single frame has no course.
    np.testing.assert_allclose(short[1].ravel(), [1.0, 1.0])


@pytest.mark.parametrize("views", ["dtw", [], ["dtw", "dtw"], ["nothing"]])
def test_views_that_cannot_be(views):
    with pytest.raises(ParameterError, match="view"):
        measures.compute("fusion", sequences(4), views=views)


def test_move_split_merge_by_hand():
    # Moving 1 to 3 costs 2; one frame more is one split, which costs 1 where the values are equal.
    x, y, z = np.array([[1.0]]), np.array([[3.0]]), np.array([[1.0], [1.0]])
    distance = msm([x, y, z])
    assert distance[0, 1] == pytest.approx(2.0 / 2)
    assert distance[0, 2] == pytest.approx(1.0 / 3)
    assert msm([x, z], cost=0.25)[0, 1] == pytest.approx(0.25 / 3)
    with pytest.raises(ParameterError, match="cost"):
        msm([x, y], cost=0.0)


def test_features_without_change_do_not_make_lengths_count():
    given = SequenceSet.from_arrays(sequences(7))
    new, old = given.subset(range(3)), given.subset(range(3, 7))

    def beside(items, *values):
        return SequenceSet.from_arrays([np.column_stack([*(np.full(len(x), v) for v in values), x]) for x in items])

    np.testing.assert_array_equal(msm(beside(given, 7.0, -1e9)), msm(given))
    np.testing.assert_array_equal(msm_between(beside(new, 7.0), beside(old, 7.0)), msm_between(new, old))
    # Unseen transitions of old sequences carry no information on new ones, in any direction.
    np.testing.assert_array_equal(msm_between(beside(new, 8.0), beside(old, 7.0)), msm_between(new, old))
    # A level that differs between sequences counts unscaled, and not for shapes.
    levels = [np.column_stack([np.full(len(x), float(i)), x]) for i, x in enumerate(given)]
    assert (msm(levels) >= msm(given)).all()
    assert (msm(levels) > msm(given)).any()
    np.testing.assert_allclose(measures.compute("msm_shape", levels), measures.compute("msm_shape", given), rtol=1e-12)
    # If nothing changes at all, only lengths remain.
    assert msm([np.ones((3, 2)), np.ones((5, 2))])[0, 1] == pytest.approx(2 * 2.0 / 8)


def test_shapes_do_not_depend_on_level_and_unit():
    given = sequences(6)
    moved = [(i + 1.0) * frames + 7.0 * i for i, frames in enumerate(given)]
    for name in ("dtw_shape", "msm_shape", "dtw_delta_shape", "msm_stretched_shape"):
        np.testing.assert_allclose(measures.compute(name, moved), measures.compute(name, given), rtol=1e-9, atol=1e-12)
    np.testing.assert_array_equal(standardised([np.full((4, 2), 3.0)]).values, 0.0)


def test_increments_stand_beside_the_values_and_vary_as_much():
    given = SequenceSet.from_arrays([np.array([[0.0], [2.0], [6.0], [0.0]]), np.array([[1.0], [1.0], [9.0]])])
    rises = np.array([1.0, 3.0, -1.0, -3.0, 0.0, 4.0, 4.0])
    found = with_increments(given)
    np.testing.assert_array_equal(found.values[:, 0], given.values[:, 0])
    np.testing.assert_allclose(found.values[:, 1], rises * given.values.std() / rises.std(), rtol=1e-14)
    np.testing.assert_array_equal(found.offsets, given.offsets)
    # Other sequences are scaled to the same units, not their own.
    steeper = SequenceSet.from_arrays([np.array([[0.0], [20.0], [60.0], [0.0]])])
    np.testing.assert_allclose(with_increments(steeper, given).values, 10.0 * found.values[:4], rtol=1e-14)


@pytest.mark.parametrize("unit", [1e-9, 3.0, 1e12])
def test_increments_follow_the_unit_of_each_feature(unit):
    given = SequenceSet.from_arrays(sequences(8), layout="channels_last")
    units = np.array([unit, 1.0])
    other = replace(given, values=given.values * units + 5.0 * units)
    expected = with_increments(given).values * np.tile(units, 2)
    expected[:, :2] += 5.0 * units
    np.testing.assert_allclose(with_increments(other).values, expected, rtol=1e-6, atol=1e-9 * unit)


def test_increments_that_are_all_the_same_say_nothing():
    # Straight lines of one slope, far from 0: their increments differ by rounding, which must not be amplified.
    lines = [1e6 + 0.1 * level + 0.3 * np.arange(200.0)[:, None] for level in range(4)]
    ends = np.r_[1:199]
    inner = SequenceSet.from_arrays([line[ends] for line in lines], layout="channels_last")
    found = with_increments(inner).values[:, 1]
    middle = np.abs(np.diff(found.reshape(4, -1)[:, 1:-1])).max()
    assert middle <= 1e-6 * inner.values.std()
    flat = SequenceSet.from_arrays([np.full((5, 1), level) for level in (0.0, 0.0)], layout="channels_last")
    np.testing.assert_array_equal(with_increments(flat).values, 0.0)
    single = SequenceSet.from_arrays([np.array([[1.0]]), np.array([[2.0]])], layout="channels_last")
    np.testing.assert_array_equal(with_increments(single).values, [[1.0, 0.0], [2.0, 0.0]])


def test_curves_that_only_bend_differently_are_told_apart_by_increments():
    """A fast ripple far smaller than the level it rides on."""
    random, time, given = np.random.default_rng(3), np.arange(60.0), []
    for i in range(20):
        ripple = 0.25 * np.sin(time * (2.2 if i % 2 else 1.1) + random.uniform(0, 6))
        given.append((np.sin(time / 9.0 + random.normal(0, 0.4)) + ripple)[:, None])
    truth = np.arange(20) % 2
    alone, beside = (spectral(measures.compute(name, given), 2, width="local") for name in ("dtw", "dtw_delta"))
    assert ari(truth, beside) == 1.0
    assert ari(truth, alone) < 0.5


def test_centred_sequences_have_no_level_but_keep_how_much_they_vary():
    given = sequences(6)
    moved = [frames + 7.0 * i for i, frames in enumerate(given)]
    name = "dtw_delta_centred"
    np.testing.assert_allclose(measures.compute(name, moved), measures.compute(name, given), rtol=1e-9, atol=1e-12)
    wide = [*given[:-1], 5.0 * given[-1]]
    assert measures.compute(name, wide)[0, -1] > 1.5 * measures.compute(name, given)[0, -1]
    inner = centred(SequenceSet.from_arrays(given, layout="channels_last"))
    np.testing.assert_allclose(inner.values.std(axis=0), 1.0)
    np.testing.assert_allclose([frames.mean(axis=0) for frames in inner], 0.0, atol=1e-12)


def test_stretched_sequences_have_the_median_length_and_keep_their_course():
    given = SequenceSet.from_arrays([np.arange(n)[:, None] / (n - 1.0) for n in (3, 5, 9)], layout="channels_last")
    found = stretched(given)
    assert found.lengths.tolist() == [5, 5, 5]
    np.testing.assert_allclose(found.values[:, 0], np.tile(np.linspace(0, 1, 5), 3), atol=1e-15)
    assert stretched(found) is found
    single = SequenceSet.from_arrays([np.array([[2.0]])], layout="channels_last")
    np.testing.assert_array_equal(stretched(single, given).values, np.full((5, 1), 2.0))
    # Longer duration is no larger distance, unlike under the measure itself.
    slow, quick = np.repeat([0.0, 3.0, 1.0], 8)[:, None], np.repeat([0.0, 3.0, 1.0], 4)[:, None]
    other = np.repeat([0.0, 1.0, 3.0], 4)[:, None]
    even, raw = (measures.compute(name, [slow, quick, other]) for name in ("msm_stretched", "msm"))
    assert even[0, 1] < 0.5 * even[1, 2]
    assert raw[0, 1] > even[0, 1]


def test_msm_of_one_length_is_msm():
    given = [frames[:12] for frames in sequences(6)]
    for name in ("msm", "msm_shape"):
        found = measures.compute(name.replace("msm", "msm_stretched"), given)
        np.testing.assert_array_equal(found, measures.compute(name, given))


@pytest.mark.parametrize("name", fusion.VOTING)
def test_new_sequences_are_seen_in_the_units_of_the_old_ones(name):
    old = SequenceSet.from_arrays(sequences(8), layout="channels_last")
    # The same sequences again, with an extreme one that would change every unit if it were used.
    new = SequenceSet.from_arrays([*sequences(8), 1e3 * sequences(9)[8]], layout="channels_last")
    np.testing.assert_allclose(
        measures.compute(name, new, old)[:8], measures.compute(name, old), rtol=1e-12, atol=1e-12
    )


def test_dtw_of_increments_is_dtw_of_values_and_increments():
    given, new = (SequenceSet.from_arrays(sequences(5, seed), layout="channels_last") for seed in (0, 1))
    stacked = with_increments(given)
    np.testing.assert_array_equal(dtw_delta(given), measures.compute("dtw", stacked))
    np.testing.assert_array_equal(dtw_delta_between(given, given), dtw_delta(given))
    across = measures.compute("dtw", with_increments(new, given), stacked)
    np.testing.assert_array_equal(dtw_delta_between(new, given), across)


def test_statistics_are_levels_spreads_speeds_and_lengths():
    frames = np.array([[0.0, 1.0], [2.0, 1.0], [0.0, 1.0]])
    expected = [2 / 3, 1.0, np.sqrt(8 / 9), 0.0, 2.0, 0.0, np.log(3)]
    np.testing.assert_allclose(summaries([frames])[0], expected)
    given = sequences(8)
    table = summaries(given)
    table = (table - table.mean(axis=0)) / table.std(axis=0)
    np.testing.assert_allclose(statistics(given), cdist(table, table), atol=1e-9)


def test_statistics_that_differ_by_rounding_only_count_for_nothing():
    # For sequences centred and scaled separately, means and deviations are rounding errors.
    given = [standardised([frames])[0] for frames in sequences(9)]
    kept = summaries(given)[:, [4, 5, 6]]
    kept = (kept - kept.mean(axis=0)) / kept.std(axis=0)
    np.testing.assert_allclose(statistics(given), cdist(kept, kept), atol=1e-9)


def test_statistics_that_differ_by_the_digits_of_the_data_count_for_nothing():
    rng = np.random.default_rng(2)
    # Centred and scaled, and written with three decimals: means differ by a few ten-thousandths.
    scaled = [(frames - frames.mean()) / frames.std() for frames in rng.normal(size=(12, 60, 1)).cumsum(axis=1)]
    written = [np.round(frames, 3) for frames in scaled]
    difference = np.abs(measures.compute("statistics", written) - measures.compute("statistics", scaled))
    assert difference.max() < 0.05
    # Levels that differ by a hundredth of the spread count like any other.
    apart = [frames + 0.01 * (i % 2) for i, frames in enumerate(scaled)]
    moved = measures.compute("statistics", apart) - measures.compute("statistics", scaled)
    assert moved[0, 1] > 0.5 > np.abs(moved[0, 2])


def test_parts_that_nothing_links_are_joined_by_their_nearest_items():
    # Three groups far apart on a line, the middle one nearer to the first.
    places = np.concatenate([c + np.linspace(0.0, 1.0, 15) for c in (0.0, 1e4, 4e4)])
    given = [np.full((6, 1), x) + np.sin(np.arange(6.0))[:, None] for x in places]
    distance, findings = measures.compute_with_findings("fusion", given, views=["dtw", "msm"])
    assert findings["components"] == 3
    first, middle, last = (np.arange(k, k + 15) for k in (0, 15, 30))
    inside = max(distance[np.ix_(group, group)].max() for group in (first, middle, last))
    near, far, ends = (distance[np.ix_(a, b)] for a, b in ((first, middle), (middle, last), (first, last)))
    assert inside < near.min()
    assert near.min() < far.min()
    assert ends.min() > max(near.max(), far.max())
    assert near.min() == near[-1, 0]
    assert ari(np.repeat([0, 1, 2], 15), spectral(distance, 3)) == 1.0
    np.testing.assert_array_equal(distance, distance.T)


def test_joining_is_the_shortest_way_over_the_links():
    from scipy.sparse.csgraph import minimum_spanning_tree, shortest_path

    random = np.random.default_rng(5)
    parts = np.repeat([0, 1, 2, 3], [4, 3, 5, 2])[random.permutation(14)]
    inside, exponent = (cdist(x, x) for x in random.normal(size=(2, 14, 2)))
    joined = join_components(inside, parts, exponent)
    # The same by the least tree over parts, then the shortest ways.
    gaps = np.array([[exponent[np.ix_(parts == a, parts == b)].min() for b in range(4)] for a in range(4)])
    np.fill_diagonal(gaps, 0.0)
    steps = np.where(parts[:, None] == parts, inside, 0.0)
    longest = steps.max()
    for a, b in zip(*minimum_spanning_tree(gaps).nonzero(), strict=True):
        i, j = np.argwhere((exponent == gaps[a, b]) & (parts[:, None] == a) & (parts == b))[0]
        steps[i, j] = steps[j, i] = longest + np.log1p(gaps[a, b])
    np.testing.assert_allclose(joined, shortest_path(steps, directed=False), rtol=1e-12)


def test_a_data_set_written_twice_has_the_same_groups():
    once = sequences(45)
    twice = measures.compute("fusion", [*once, *once], **FAST)
    assert np.isfinite(twice).all()
    np.testing.assert_array_equal(twice[:45, :45], twice[45:, 45:])
    np.testing.assert_array_equal(twice[np.arange(45), np.arange(45, 90)], 0.0)
    truth = np.arange(45) % 2
    assert ari(np.tile(truth, 2), spectral(twice, 2)) == 1.0


def test_many_copies_have_positive_widths():
    # The seventh neighbour of a copy is a copy as well, at distance zero.
    given = [*sequences(6) * 9]
    distance, findings = measures.compute_with_findings("fusion", given, **FAST)
    assert np.isfinite(distance).all()
    assert findings["fused_views"] >= 2
    assert (distance[0, 1:6] > 0).all()
    assert ari(np.tile(np.arange(6) % 2, 9), spectral(distance, 2)) == 1.0


def test_local_exponents_are_the_logarithms_of_affinities():
    distance = cdist(points(20), points(20))
    affinity, exponent = local_affinity(distance), local_exponent(distance)
    np.fill_diagonal(affinity, 1.0)
    np.testing.assert_allclose(np.exp(-exponent), affinity, rtol=1e-12)
    assert np.isfinite(local_exponent(1e200 * distance)).all()


def test_threads_change_nothing():
    given = SequenceSet.from_arrays(sequences(41))
    for name in ("dtw", "dtw_shape", "dtw_delta", "dtw_delta_centred", "msm", "msm_shape", "fusion"):
        measure = measures.get(name)
        params = {"views": ["kl_ll", "dtw", "msm_shape"]} if name == "fusion" else {}
        found = []
        for threads in (1, 2, 1000):
            forget()
            found.append(measure.compute(gather_from_models(measure, given, None, n_jobs=threads), **params)[0])
        np.testing.assert_array_equal(found[0], found[1])
        np.testing.assert_array_equal(found[0], found[2])


def test_affinities_that_are_all_but_zero_stay_finite() -> None:
    rng = np.random.default_rng(0)
    views = []
    for _ in range(3):
        view = local_affinity(cdist(points := rng.normal(size=(20, 2)), points))
        # A row whose sum is too small to divide by.
        view[0, 1:] = view[1:, 0] = 0.0
        view[0, 1] = view[1, 0] = 1e-310
        views.append(view)
    fused = fuse(views)
    assert np.isfinite(fused).all()
    assert (fused >= 0).all()


def test_the_measure_that_takes_the_place_of_a_view_is_named():
    assert fusion.STAND_INS == {"ssd": "ssd_joint"}
    (sentence,) = findings_in_words(measures.get("fusion"), {"replaced_views": "ssd"})
    assert sentence.endswith("ssd cannot distinguish the sequences; ssd_joint stands in")
