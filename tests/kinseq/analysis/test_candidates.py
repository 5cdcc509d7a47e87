"""Groups that one source shows by itself, and how they compare with those of others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from kinseq.analysis.candidates import (
    Candidate,
    by_confirmation,
    clear_properties,
    clearer_property,
    finest,
    nested_share,
    similarity,
    without_source,
)
from kinseq.core.sequences import SequenceSet
from kinseq.metrics.groupings import Grouping

HALVES, PAIRS, ACROSS = [0] * 6 + [1] * 6, [0] * 3 + [1] * 3 + [2] * 3 + [3] * 3, [0, 1] * 6
THIRDS_ACROSS = [0, 1, 2] * 4


def candidate(name: str, labels: Sequence[int], silhouette: float) -> Candidate:
    groups = np.array(labels)
    return Candidate(name, Grouping(int(groups.max()) + 1, groups, silhouette, silhouette))


def unconfirmed(entry: Candidate) -> Candidate:
    return replace(entry, is_unconfirmed=True)


def test_of_views_about_as_clear_the_one_that_divides_the_groups_further_is_taken() -> None:
    first, finer = candidate("a", HALVES, 0.9), candidate("b", PAIRS, 0.87)
    assert finest([first], [finer], [first, finer]) is finer
    assert finest([first, finer], [], [first, finer]) is finer
    assert finest([first], [candidate("b", PAIRS, 0.84)], [first]) is first
    assert finest([first], [candidate("b", THIRDS_ACROSS, 0.89)], [first]) is first
    weaker, across = candidate("a", HALVES, 0.85), candidate("b", THIRDS_ACROSS, 0.9)
    assert finest([weaker], [across], []).name == "b"
    # Groups are as clear as in their clearest source.
    assert finest([weaker], [across], [candidate("c", HALVES, 0.95)]).name == "a"


def test_an_auxiliary_view_does_not_go_before_groups_that_it_only_joins() -> None:
    voting, coarse = candidate("msm", PAIRS, 0.85), candidate("dtw", HALVES, 0.97)
    assert finest([voting], [coarse], [voting, coarse]) is voting
    across = candidate("dtw", ACROSS, 0.97)
    assert finest([voting], [across], [voting, across]) is across


def test_a_property_of_fewer_groups_has_to_be_clearer_by_some() -> None:
    view, few = candidate("a", PAIRS, 0.9), candidate("level", HALVES, 0.94)
    assert clearer_property(view, [few]) is view
    assert clearer_property(view, [candidate("level", HALVES, 0.96)]).name == "level"
    halves = candidate("a", HALVES, 0.9)
    assert clearer_property(halves, [candidate("level", PAIRS, 0.91)]).name == "level"
    assert clearer_property(halves, [candidate("level", HALVES, 0.91)]) is halves


def test_a_property_that_many_sequences_lack_can_be_left_out() -> None:
    random = np.random.default_rng(0)
    line = np.linspace(0.0, 1.0, 40)
    second = [(line + 0.1 * random.normal(size=40)) * (i % 2) for i in range(20)]
    arrays = [np.column_stack([random.normal(size=40), column]) for column in second]
    found = SequenceSet.from_arrays(arrays)
    everything, common = (
        {entry.name for entry in clear_properties(found, 2, 3, lacking=share)} for share in (1.0, 0.2)
    )
    assert {"trend of 2", "spread of 2"} <= everything
    assert "trend of 2" not in common
    assert "spread of 2" in common


def test_groups_that_another_source_shows_are_confirmed() -> None:
    dtw, spectra = candidate("dtw", HALVES, 0.9), candidate("spectrum", ACROSS, 0.95)
    level = candidate("level", HALVES, 0.85)
    confirmed, alone = by_confirmation([spectra, dtw], [], [spectra, dtw, level])
    assert (confirmed, alone) == ([dtw], [unconfirmed(spectra)])
    # A voting view shows them already.
    assert by_confirmation([dtw], [candidate("msm", HALVES, 0.9)], [dtw, level]) == ([], [])
    # The most confirmed one goes first, whatever is clearest.
    trend = candidate("trend", ACROSS, 0.8)
    timing = candidate("timing", HALVES, 0.8)
    confirmed, _ = by_confirmation([spectra, dtw], [], [spectra, dtw, level, trend, timing])
    assert confirmed == [dtw, spectra]


def test_sources_that_compare_the_same_do_not_confirm_each_other() -> None:
    same = [candidate(name, HALVES, 0.9) for name in ("dtw", "dtw_shape", "lockstep_shape", "dtw_delta_shape")]
    assert by_confirmation(same[:1], [], same) == ([], [unconfirmed(same[0])])
    values = [candidate("statistics", HALVES, 0.9), replace(candidate("level of 2", HALVES, 0.9), by_property=True)]
    assert by_confirmation(values[:1], [], values) == ([], [unconfirmed(values[0])])
    assert by_confirmation(same[:1], [], [*same, *values])[0] == same[:1]


def test_few_outliers_are_not_confirmed_by_those_who_see_them_too() -> None:
    outliers = [0] * 40 + [1] * 3
    dtw = candidate("dtw", outliers, 0.95)
    assert by_confirmation([dtw], [], [dtw, candidate("level", outliers, 0.9)]) == ([], [unconfirmed(dtw)])


def test_a_doubtful_source_takes_those_with_it_that_compare_the_same_and_show_the_same() -> None:
    doubtful = candidate("dtw", HALVES, 0.9)
    same, other_groups = candidate("dtw_shape", HALVES, 0.8), candidate("dtw_shape", ACROSS, 0.8)
    other_source = candidate("spectrum", HALVES, 0.8)
    assert without_source(doubtful, [doubtful, same, other_groups, other_source]) == [other_groups, other_source]


def test_items_that_belong_to_no_group_count_for_nothing() -> None:
    halves = candidate("a", HALVES, 0.9).grouping
    strayed = replace(halves, labels=np.where(np.arange(12) % 6 == 0, -1, halves.labels))
    assert similarity(halves, strayed) == 1.0
    assert nested_share(strayed, halves) == 1.0
    pairs = candidate("b", PAIRS, 0.9).grouping
    assert (nested_share(pairs, halves), nested_share(halves, pairs)) == (1.0, 0.5)
    assert similarity(halves, replace(halves, labels=np.full(12, -1))) == 0.0


def test_candidates_are_put_into_another_order() -> None:
    entry = candidate("dtw", [0, 0, 1, 1], 0.9)
    points = np.arange(8.0).reshape(4, 2)
    placed = replace(entry, points=points).placed(np.array([3, 1, 1, 0, 2]))
    assert placed.grouping.labels.tolist() == [1, 0, 0, 0, 1]
    assert placed.points is not None
    np.testing.assert_array_equal(placed.points, points[[3, 1, 1, 0, 2]])
    assert entry.placed(np.array([1])).points is None
