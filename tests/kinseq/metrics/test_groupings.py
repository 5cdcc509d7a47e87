"""Groups that are far apart, the number that stands for the others, and membership: against definitions and brute force."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count, islice

import numpy as np
import pytest
from scipy.cluster.hierarchy import average, fcluster
from scipy.spatial.distance import pdist, squareform
from sklearn.metrics import adjusted_rand_score, silhouette_samples

from kinseq.core.arrays import FloatArray, IntArray
from kinseq.core.errors import DataError, ParameterError
from kinseq.metrics import groupings as module
from kinseq.metrics.external import ari
from kinseq.metrics.groupings import (
    CLEAR_SILHOUETTE,
    ENOUGH_DEVIATIONS,
    FIRST_SETS,
    HOPELESS_SETS,
    LAST_SETS,
    MAX_SCATTERED,
    MIN_GROUP_SIZE,
    STRENGTH_MARGIN,
    WEAKEST_SILHOUETTE,
    Grouping,
    clearest,
    completed,
    decided,
    groupings,
    structure,
)
from kinseq.metrics.internal import (
    MAX_CANDIDATES,
    MIN_DIVISOR,
    SOFT_DIFFERENCE,
    Numbers,
    membership,
    representative,
    silhouettes,
)
from tests.sentences import Recorded


def points(n: int, seed: int = 0) -> FloatArray:
    """Uneven heaps and some items between them."""
    random = np.random.default_rng(seed)
    centres = random.normal(scale=4, size=(5, 2))
    return np.asarray(centres[random.integers(5, size=n)] + random.standard_t(2, size=(n, 2)) * 0.5)


def square(of: FloatArray) -> FloatArray:
    return np.asarray(squareform(pdist(of)))


def line(*places: float) -> FloatArray:
    """Distances of places on a line."""
    at = np.array(places)
    return np.abs(at[:, None] - at)


TWO = (0.0, 0.1, 0.25, 10.0, 10.1, 10.3)


# ---------------------------------------------------------------------------------------------------------------------
# Groupings
# ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("least", [2, 3, 5])
def test_groups_are_branches_of_average_linkage(seed: int, least: int) -> None:
    """Brute force: every cut of the tree, in the order from the root; the first for each number of large branches."""
    n, most = 40, 8
    distance = square(points(n, seed))
    tree = average(squareform(distance, checks=False))
    expected: dict[int, IntArray] = {}
    for branches in range(2, most + int(MAX_SCATTERED * n) + 1):
        codes = fcluster(tree, branches, "maxclust")
        large = [code for code in range(1, branches + 1) if (codes == code).sum() >= least]
        left = sum(code not in large for code in codes)
        if 2 <= len(large) <= most and left <= MAX_SCATTERED * n and len(large) not in expected:
            expected[len(large)] = np.array([code if code in large else -1 for code in codes])
    found = groupings(distance, most, least)
    assert set(found) == set(expected)
    for number, grouping in found.items():
        assert grouping.n_clusters == number
        np.testing.assert_array_equal(grouping.labels < 0, expected[number] < 0)
        assert adjusted_rand_score(grouping.labels, expected[number]) == 1.0
        # Numbered by first appearance.
        seen = grouping.labels[grouping.labels >= 0]
        assert list(dict.fromkeys(seen.tolist())) == list(range(number))


@pytest.mark.parametrize("seed", range(4))
def test_silhouettes_are_those_of_scikit_learn_over_members(seed: int) -> None:
    distance = square(points(40, seed))
    found = groupings(distance, 8)
    assert found
    for grouping in found.values():
        inside = grouping.labels >= 0
        labels = grouping.labels[inside]
        each = silhouette_samples(distance[np.ix_(inside, inside)], labels, metric="precomputed")
        assert grouping.silhouette == pytest.approx(each.mean())
        assert grouping.weakest == pytest.approx(min(each[labels == k].mean() for k in set(labels)))


def test_outliers_are_left_over_as_long_as_they_are_few() -> None:
    places = [*(0.01 * k for k in range(10)), *(5 + 0.01 * k for k in range(9)), 100.0]
    found = groupings(line(*places), 4)
    assert found[2].labels.tolist() == [0] * 10 + [1] * 9 + [-1]
    assert found[2].silhouette == pytest.approx(found[2].weakest, rel=0.01)
    assert found[2].is_clear
    # Two of 20 are a tenth, three are not.
    assert groupings(line(*places[:-2], 100.0, -100.0), 2)[2].labels.tolist() == [0] * 10 + [1] * 8 + [-1] * 2
    assert 2 not in groupings(line(*places[:-3], 100.0, -100.0, 300.0), 2)


def test_a_group_has_three_items() -> None:
    assert MIN_GROUP_SIZE == 3
    assert groupings(line(*TWO), 3)[2].labels.tolist() == [0, 0, 0, 1, 1, 1]
    assert groupings(line(*TWO[:5]), 3) == {}
    assert groupings(line(*TWO[:2], *TWO[3:5]), 3, least=2)[2].labels.tolist() == [0, 0, 1, 1]
    # Pairs of pairs are no groups of their own.
    pairs = line(0, 0.1, 1, 1.1, 20, 20.1, 21, 21.1)
    assert sorted(groupings(pairs, 4)) == [2]
    assert sorted(groupings(pairs, 4, least=2)) == [2, 3, 4]


def test_order_and_unit_do_not_matter() -> None:
    distance = square(points(30))
    order = np.random.default_rng(0).permutation(30)
    plain, other = groupings(distance, 6), groupings(1e6 * distance[np.ix_(order, order)], 6)
    assert set(plain) == set(other)
    for number, grouping in plain.items():
        np.testing.assert_array_equal(grouping.labels[order] < 0, other[number].labels < 0)
        assert adjusted_rand_score(grouping.labels[order], other[number].labels) == 1.0
        assert other[number].silhouette == pytest.approx(grouping.silhouette)
        assert other[number].weakest == pytest.approx(grouping.weakest)


def test_equal_distances_hold_no_groups() -> None:
    assert groupings(1.0 - np.eye(12), 4) == {}
    assert groupings(np.zeros((12, 12)), 4) == {}
    assert groupings(np.zeros((1, 1)), 4) == {}


def test_magnitudes_count() -> None:
    distance = line(*TWO)
    plain, negative = groupings(distance, 2)[2], groupings(-distance, 2)[2]
    np.testing.assert_array_equal(negative.labels, plain.labels)
    assert negative.silhouette == plain.silhouette


def test_what_is_no_distance_is_refused() -> None:
    with pytest.raises(DataError):
        groupings(np.arange(36.0).reshape(6, 6), 2)
    with pytest.raises(ParameterError, match="most"):
        groupings(line(*TWO), 0)


def grouping(number: int, silhouette: float, weakest: float) -> Grouping:
    return Grouping(number, np.arange(6) % number, silhouette, weakest)


def test_the_clear_partition_of_most_groups_is_taken_among_those_about_as_strong() -> None:
    low, near = CLEAR_SILHOUETTE - 1e-9, WEAKEST_SILHOUETTE - 1e-9
    entries = [
        grouping(2, 0.95, 0.9),
        grouping(3, CLEAR_SILHOUETTE, WEAKEST_SILHOUETTE),
        grouping(4, low, 0.7),
        grouping(5, 0.9, near),
    ]
    assert [entry.is_clear for entry in entries] == [True, True, False, False]
    assert [entry.strength for entry in entries[:2]] == pytest.approx(
        [0.925, (CLEAR_SILHOUETTE + WEAKEST_SILHOUETTE) / 2]
    )
    found = {entry.n_clusters: entry for entry in entries}
    # Three are clear too, but much less so, as if one of two groups were halved by chance.
    assert clearest(found) is found[2]
    close = {
        2: found[2],
        3: grouping(3, 0.93, 0.93 - 2 * STRENGTH_MARGIN),
        4: grouping(4, 0.92, 0.92 - 2 * STRENGTH_MARGIN),
    }
    assert clearest(close) is close[3]
    assert clearest({2: found[2], 5: found[5]}) is found[2]
    assert clearest({4: found[4], 5: found[5]}) is None
    assert clearest({}) is None


def test_of_many_items_outliers_that_are_near_each_other_are_no_group() -> None:
    groups = [base + 0.1 * k for base in (0, 10) for k in range(46)]
    strays = [200 + 3.0 * k for k in range(4)] + [-300 + 3.0 * k for k in range(4)]
    found = groupings(line(*groups, *strays), 2)[2]
    assert found.labels.tolist() == [0] * 46 + [1] * 46 + [-1] * 8
    # Of few items, a group may be as small as that.
    few = groupings(line(*groups[::4], *strays[:3]), 3)[3]
    assert (few.labels >= 0).all()


def test_groups_of_groups_are_divided() -> None:
    places = [base + step + jitter for base in (0, 1000) for step in (0, 30) for jitter in (0, 0.5, 1)]
    found = groupings(line(*places), 6)
    assert found[2].is_clear
    best = clearest(found)
    assert best is not None
    assert best.n_clusters == 4
    assert best.labels.tolist() == [0] * 3 + [1] * 3 + [2] * 3 + [3] * 3


def test_what_belongs_to_none_is_put_where_it_is_nearest_on_average() -> None:
    distance = line(0, 1, 10, 11, 12, 7, 4.9)
    labels = np.array([0, 0, 1, 1, 1, -1, -1])
    # Means: 6.5 and 4 for the first; 4.4 and 6.1 for the second.
    assert completed(labels, distance).tolist() == [0, 0, 1, 1, 1, 1, 0]
    assert labels.tolist() == [0, 0, 1, 1, 1, -1, -1]
    np.testing.assert_array_equal(completed(np.array([0, 1, 0]), line(0, 1, 2)), [0, 1, 0])


# ---------------------------------------------------------------------------------------------------------------------
# Structure
# ---------------------------------------------------------------------------------------------------------------------

Table = dict[tuple[str, int], float]


def statistics(tables: Sequence[Table]) -> FloatArray:
    """The definition by loops: the largest corrected silhouette of each view, in deviations of the other sets from their mean."""
    views = sorted({name for table in tables for name, _ in table})
    out = np.zeros((len(tables), len(views)))
    for v, view in enumerate(views):
        numbers = sorted({k for table in tables for name, k in table if name == view})
        for t, table in enumerate(tables):
            corrected = []
            for k in numbers:
                expected = sum(other.get((view, k), 0.0) for other in tables) / len(tables)
                corrected.append((table.get((view, k), 0.0) - expected) / max(1 - expected, MIN_DIVISOR))
            out[t, v] = max(corrected)
        others = [np.delete(out[:, v], t) for t in range(len(tables))]
        unit = [max(float(other.std()), module.MIN_DEVIATION) for other in others]
        out[:, v] = (out[:, v] - [other.mean() for other in others]) / unit
    return np.asarray(out.max(axis=1))


def tables(seed: int) -> Iterator[Table]:
    """Silhouettes of sets without groups: three views, the second without some numbers in some sets."""
    random = np.random.default_rng(seed)
    while True:
        common = random.normal(scale=0.05)
        table = {("a", k): 0.3 + 0.02 * k + common + random.normal(scale=0.1) for k in (2, 3, 4)}
        table |= {("b", k): random.uniform(0, 0.9) for k in (2, 3, 5) if random.random() < 0.7}
        table |= {("", k): random.exponential(0.1) for k in (2, 3)}
        yield table


@pytest.mark.parametrize("seed", range(8))
def test_p_is_the_share_of_sets_that_show_as_much(seed: int) -> None:
    given, *drawn = islice(tables(seed), LAST_SETS + 6)
    found = decided(given, drawn)
    seen = statistics([given, *drawn[: found.n_sets]])
    as_much = int((seen[1:] >= seen[0]).sum())
    fewest = max(found.n_sets, FIRST_SETS)
    assert found.p_value == pytest.approx((1 + as_much) / (1 + (found.n_sets if as_much else fewest)))
    # It ended as early as possible.
    for n in range(HOPELESS_SETS, found.n_sets + 1):
        seen = statistics([given, *drawn[:n]])
        as_much = int((seen[1:] >= seen[0]).sum())
        above = (seen[0] - seen[1:].mean()) / max(float(seen[1:].std()), 1.0)
        enough = as_much == 0 and any(n >= sets and above > least for sets, least in ENOUGH_DEVIATIONS)
        hopeless = as_much >= HOPELESS_SETS
        lost = (1 + as_much) / (1 + LAST_SETS) > found.level
        assert (hopeless or enough or n >= LAST_SETS or (n >= FIRST_SETS and (as_much == 0 or lost))) == (
            n == found.n_sets
        )


def test_it_is_decided_early_where_it_is_plain() -> None:
    outstanding: Table = {("a", 2): 0.95, ("a", 3): 0.5}
    common: list[Table] = [{("a", 2): 0.2 + 0.01 * (i % 7), ("a", 3): 0.2} for i in range(LAST_SETS + 9)]
    found = decided(outstanding, common)
    # It is far above the first of them; p is computed as if the others had been drawn.
    assert (found.n_sets, found.p_value, found.stands_out) == (ENOUGH_DEVIATIONS[0][0], 1 / (FIRST_SETS + 1), True)
    assert found.is_bound
    # At a smaller distance it takes more; if one of these shows as much, all of them.
    deviating: list[Table] = [{("a", 2): 0.2 + 0.14 * (-1) ** i} for i in range(LAST_SETS + 9)]
    found = decided({("a", 2): 0.95}, deviating)
    assert (found.n_sets, found.stands_out) == (ENOUGH_DEVIATIONS[1][0], True)
    # A smaller level requires more deviations, and more sets.
    found = decided({("a", 2): 0.95}, deviating, level=module.LEVEL / 16)
    assert (found.n_sets, found.stands_out) == (ENOUGH_DEVIATIONS[3][0], True)
    assert decided({("a", 2): 0.95}, [{("a", 2): 0.95}, *deviating]).n_sets == LAST_SETS
    found = decided({("a", 2): 0.1, ("a", 3): 0.2}, common)
    assert (found.n_sets, found.p_value, found.stands_out) == (HOPELESS_SETS, 1.0, False)
    # One set of the first shows as much: all are drawn.
    once = [outstanding, *common]
    found = decided(outstanding, once)
    assert (found.n_sets, found.p_value, found.stands_out) == (LAST_SETS, 2 / (LAST_SETS + 1), True)
    assert not found.is_bound
    # At half the level, one that shows as much is too many: the sets drawn by then decide.
    half = decided(outstanding, once, level=module.LEVEL / 2)
    assert (half.n_sets, half.p_value, half.stands_out) == (39, 2 / 40, False)
    # Fewer sets than required: the available ones decide.
    assert decided(outstanding, common[:3]) == module.Structure(1 / 4, 3)
    # The p-value counts the drawn sets.
    some = decided({("a", 2): 0.1, ("a", 3): 0.2}, common)
    first, *others = some.tops
    assert (1 + sum(top >= first for top in others)) / len(some.tops) == some.p_value
    assert decided(outstanding, common, kinds=2).tops[0] > max(decided(outstanding, common, kinds=2).tops[1:])
    assert not decided(outstanding, common[:3]).stands_out


def test_a_view_that_is_the_same_for_all_sets_says_nothing() -> None:
    given, *drawn = islice(tables(3), LAST_SETS + 6)
    flat: Table = {("flat", 2): 0.4}
    assert decided(given | flat, [table | flat for table in drawn]) == decided(given, drawn)
    same: list[Table] = [flat] * 10
    assert not decided(flat, same).stands_out


def test_one_of_equals_stands_out_as_often_as_promised() -> None:
    values = []
    for seed in range(300):
        drawn = tables(1000 + seed)
        values.append(decided(next(drawn), drawn).p_value)
    # In 5.4 %: one in twenty, plus the effect of early stopping. Three deviations of 300 draws are 3.9 %.
    assert 0.015 < np.mean(np.array(values) <= 0.05) < 0.093
    # Larger ones are rather too large: ends come early, and few sets are often equal.
    assert 0.3 < np.mean(np.array(values) <= 0.5) <= 0.5


def heaps(n: int, apart: float, seed: int) -> dict[str, FloatArray]:
    """Two views of items in one or two heaps; the second view sees none."""
    random = np.random.default_rng(seed)
    first, second = random.normal(size=(n, 2)), random.normal(size=(n, 2))
    first[: n // 2] += apart
    return {"one": square(first), "other": square(second)}


def references(n: int) -> Iterator[dict[str, FloatArray]]:
    return (heaps(n, 0.0, 100 + seed) for seed in count())


@pytest.mark.parametrize("fused", [True, False])
def test_heaps_stand_out_from_one_heap_and_one_heap_does_not(fused: bool) -> None:
    found = structure(heaps(12, 8.0, 1), references(12), 4, fused)
    assert found.stands_out
    # All views together show them clearly; alone, only after none of the first sets shows as much.
    assert found.n_sets == (ENOUGH_DEVIATIONS[3][0] if fused else FIRST_SETS)
    assert not structure(heaps(12, 0.0, 1), references(12), 4, fused).stands_out


def test_names_units_and_order_do_not_matter_to_structure() -> None:
    def renamed(views: dict[str, FloatArray]) -> dict[str, FloatArray]:
        return {"z": 1000.0 * views["one"], "a": 0.01 * views["other"]}

    for apart in (0.0, 2.5):
        given = heaps(14, apart, 5)
        plain = structure(given, references(14), 4)
        assert structure(renamed(given), map(renamed, references(14)), 4) == plain
        order = np.random.default_rng(0).permutation(14)
        shuffled = {name: view[np.ix_(order, order)] for name, view in given.items()}
        assert structure(shuffled, references(14), 4) == plain


def test_without_references_or_anything_to_tell_nothing_stands_out() -> None:
    assert structure(heaps(12, 9.0, 0), [], 4) == module.Structure(1.0, 0)
    flat = {"flat": 1.0 - np.eye(12)}
    assert not structure(flat, [flat] * 5, 4).stands_out


# ---------------------------------------------------------------------------------------------------------------------
# The number that stands for the others
# ---------------------------------------------------------------------------------------------------------------------


def by_loops(distance: FloatArray, partitions: dict[int, IntArray], about: float) -> tuple[int, list[int]]:
    numbers = sorted(partitions)
    score = {k: float(silhouettes(distance, partitions[k]).mean()) for k in numbers}
    support = {
        k: sum(
            np.exp(score[j] / SOFT_DIFFERENCE) / j * adjusted_rand_score(partitions[k], partitions[j]) for j in numbers
        )
        for k in numbers
    }
    best = max(numbers, key=lambda k: support[k])
    named = []
    for i, k in enumerate(numbers):
        before = score[numbers[i - 1]] if i else -np.inf
        after = score[numbers[i + 1]] if i + 1 < len(numbers) else -np.inf
        if k != best and score[k] > before and score[k] >= after and score[k] >= score[best] - about:
            named.append(k)
    return best, sorted(named, key=lambda k: -score[k])


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("about", [0.0, 0.05, 1.0])
def test_the_representative_number_is_that_of_its_definition(seed: int, about: float) -> None:
    distance = square(points(30, seed))
    tree = average(squareform(distance, checks=False))
    partitions = {k: fcluster(tree, k, "maxclust").astype(np.int64) - 1 for k in (2, 3, 4, 5, 7, 9, 12)}
    best, others = by_loops(distance, partitions, about)
    found = representative(distance, partitions, about)
    assert found.best == found.candidates[0] == best
    # The number taken may be one of the largest three peaks.
    assert set(found.candidates[1:]) <= set(others)
    assert list(found.candidates[1:]) == others[: len(found.candidates) - 1]
    assert len(found.candidates) >= min(MAX_CANDIDATES - 1, 1 + len(others))
    np.testing.assert_array_equal(found.n_clusters, sorted(partitions))
    np.testing.assert_allclose(
        found.silhouette,
        [silhouette_samples(distance, partitions[k], metric="precomputed").mean() for k in sorted(partitions)],
    )
    assert (found.expected, found.p_value, found.n_items, found.n_references) == (None, None, 30, 0)


def test_neither_the_order_of_items_nor_names_of_clusters_matter() -> None:
    distance = square(points(30, 2))
    tree = average(squareform(distance, checks=False))
    partitions = {k: fcluster(tree, k, "maxclust").astype(np.int64) for k in range(2, 10)}
    order = np.random.default_rng(0).permutation(30)
    other = {k: np.max(labels) - labels[order] for k, labels in reversed(partitions.items())}
    plain, shuffled = representative(distance, partitions), representative(7 * distance[np.ix_(order, order)], other)
    assert plain.candidates == shuffled.candidates
    np.testing.assert_allclose(plain.silhouette, shuffled.silhouette)


def test_plain_groups_are_counted() -> None:
    for number in (2, 3, 5):
        distance = line(*(10.0 * k + 0.1 * j for k in range(number) for j in range(6)))
        tree = average(squareform(distance, checks=False))
        partitions = {k: fcluster(tree, k, "maxclust").astype(np.int64) for k in range(2, 9)}
        assert representative(distance, partitions).best == number
        assert ari(partitions[number], np.repeat(np.arange(number), 6)) == 1.0
    assert representative(line(*TWO), {2: np.repeat([0, 1], 3)}).candidates == (2,)


def test_what_is_said_of_a_number_follows_from_what_is_taken() -> None:
    plain = Numbers(np.array([2, 3, 4]), np.array([0.4, 0.3, 0.4]), None, 0.0, None, 4, (4, 2), 20, 0)
    beside = plain.tested(0.02, 29)
    assert (beside.p_value, beside.n_references, beside.best) == (0.02, 29, 4)
    assert (plain.with_best(3).best, plain.with_best(3).candidates) == (3, (3, 4, 2))
    assert (plain.with_best(2).best, plain.with_best(2).candidates) == (2, (2, 4))
    none = plain.none_stands_out()
    assert (none.best, none.candidates) == (1, (1, 4))
    assert none.with_best(4).candidates == (4,)


# ---------------------------------------------------------------------------------------------------------------------
# Membership
# ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_membership_is_that_of_its_definition(seed: int) -> None:
    distance = square(points(20, seed))
    labels = np.random.default_rng(seed).integers(4, size=20)
    labels[:1] = 9
    expected = []
    for i in range(20):
        own = [distance[i, j] for j in range(20) if j != i and labels[j] == labels[i]]
        others = [np.mean([distance[i, j] for j in range(20) if labels[j] == k]) for k in set(labels) - {labels[i]}]
        expected.append(min(others) / (np.mean(own) + min(others)) if own else 0.5)
    found = membership(distance, labels)
    np.testing.assert_allclose(found, expected)
    np.testing.assert_allclose(membership(50 * distance, labels), found)


def test_membership_goes_with_silhouettes() -> None:
    """Above one half where the silhouette is positive: both compare the same two means."""
    distance = square(points(30, 4))
    labels = np.random.default_rng(1).integers(3, size=30)
    np.testing.assert_array_equal(membership(distance, labels) > 0.5, silhouettes(distance, labels) > 0)


def test_membership_at_its_ends(recorded: Recorded) -> None:
    distance = line(0, 0, 5, 5, 2.5)
    np.testing.assert_allclose(membership(distance, [0, 0, 1, 1, 2]), [1, 1, 1, 1, 0.5])
    np.testing.assert_array_equal(membership(distance, np.zeros(5)), np.ones(5))
    np.testing.assert_array_equal(membership(np.zeros((4, 4)), [0, 0, 1, 1]), [0.5] * 4)
    with recorded.raises(DataError):
        membership(distance, [0, 1])


def test_groups_outdo_one_process_if_hardly_any_set_is_as_strong() -> None:
    asked: list[float] = []

    def sets(values: list[float]) -> Iterator[float]:
        for value in values:
            asked.append(value)
            yield value

    # Nothing is left to be estimated once five sets are as strong: of 199, four may be.
    assert not module.outdoes(0.8, sets([0.5, 0.8] * 100))
    assert len(asked) == 10
    asked.clear()
    assert not module.outdoes(0.8, [0.5, 0.8, 0.1])
    # One of the first sets is as strong, and few of the others are: the share is estimated.
    assert module.outdoes(0.75, sets([0.8, *[0.2, 0.7] * 200]))
    assert len(asked) == 199
    asked.clear()
    assert module.outdoes(0.75, [0.8] * 4 + [0.2, 0.7] * 200)
    assert not module.outdoes(0.75, [0.8] * 5 + [0.2, 0.7] * 200)
    # Far above all of them, a dozen is enough; close to them, as many are drawn as the level needs.
    assert module.outdoes(0.95, sets([0.3, 0.4] * 50))
    assert len(asked) == 12
    asked.clear()
    assert module.outdoes(0.75, sets([0.2, 0.7] * 50))
    assert len(asked) == 39
    asked.clear()
    assert module.outdoes(0.75, sets([0.2, 0.7] * 50), level=0.0125)
    assert len(asked) == 79
    assert module.outdoes(0.75, [])


def test_the_strongest_groups_are_not_a_few_outliers_unless_these_are_asked_for() -> None:
    values = np.concatenate([np.linspace(0, 1, 37), [50.0, 50.1, 50.2]])
    distance = np.abs(values[:, None] - values)
    assert module.max_strength(distance, 5, with_lonely=True) > 0.95
    assert module.max_strength(distance, 5) < 0.9
    assert module.max_strength(np.zeros((8, 8)), 3) == 0.0
