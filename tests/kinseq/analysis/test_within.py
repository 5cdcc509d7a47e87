"""The tree of groups: groups within groups, the sentences on them, and none where there are none."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import get_args

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import adjusted_rand_score

import kinseq
from kinseq.analysis.assignment import places
from kinseq.analysis.candidates import Candidate
from kinseq.analysis.limits import MAX_DEPTH, THRESHOLDS
from kinseq.analysis.options import Options
from kinseq.analysis.pipeline import _divided, divider_of
from kinseq.analysis.verdict import Degree
from kinseq.api import Clustering
from kinseq.api.results import GroupTree, SampledClustering
from kinseq.core.arrays import IntArray
from kinseq.core.errors import ParameterError
from kinseq.core.sequences import SequenceSet, as_sequence_set
from kinseq.measures.registry import get
from kinseq.metrics.groupings import of_labels
from kinseq.report.data import partitions
from kinseq.report.groups import answer
from kinseq.report.thumbnails import Thumbnails
from kinseq.report.writing import content_of
from tests.sentences import Recorded

LEAKING, NORMAL, HOT = 0, 1, 2
COLUMNS = ["current", "pressure_bar", "oil_temperature"]


def compressors(seed: int = 0, frames: int = 30) -> tuple[list[pd.DataFrame], IntArray]:
    """Logs of 13 compressors that leak, of 20 that are normal, and of 19 that get hot; and which is which."""
    random, time = np.random.default_rng(seed), np.linspace(0.0, 1.0, frames)
    kinds = random.permutation(np.repeat([LEAKING, NORMAL, HOT], [13, 20, 19]))
    load, logs = np.cos(4.0 * np.pi * time), []
    for kind in kinds:
        current = 8.0 + 2.0 * load + 0.3 * random.normal(size=frames)
        pressure = 7.0 + 0.2 * load - 5.0 * (kind == LEAKING) + 0.1 * random.normal(size=frames)
        drift = (kind == HOT) * DRIFT * time * (1.0 + 0.1 * random.normal())
        oil = 60.0 + load + drift + 0.3 * random.normal(size=frames)
        logs.append(pd.DataFrame(np.stack([current, pressure, oil], axis=1), columns=COLUMNS))
    return logs, kinds


DRIFT = 1.3
"""Degrees by which the oil of hot ones gets warmer."""
LOGS, KINDS = compressors()


@pytest.fixture(scope="module")
def found() -> Clustering:
    result = kinseq.cluster(LOGS, measure="dtw", n_resamples=2)
    assert isinstance(result, Clustering)
    return result


def test_clusters_are_the_leaves_of_the_tree(found: Clustering, tmp_path: Path, recorded: Recorded) -> None:
    assert adjusted_rand_score(KINDS, found.labels) > 0.9
    np.testing.assert_array_equal(found.level(), found.labels)
    np.testing.assert_array_equal(found.level(1) == 1, KINDS == LEAKING)
    divided, leaking = found.tree.children
    inner = divided.result
    assert inner is not None
    assert leaking.result is None
    assert [group.number for group in found.tree.at()] == ["1.1", "1.2", "2"]
    recorded(found.verdict)
    (said,) = found._subcluster_sentences()
    assert said == f"within group 1 (clusters 1 and 2): {inner.verdict}"
    assert f"W{said[1:]}." in " ".join(found.summary().split())
    assert (inner.degree, found.tree.result.degree, found.degree) == ("separated", "clear", "separated")  # type: ignore[union-attr]
    page = found.report(tmp_path / "page").read_text(encoding="utf-8")
    part = page[page.index('id="answer"') :]
    part = part[: part.index("</section>")]
    rows = re.findall(r'<div class="row (\w+)"><div class="who"><span class="dot">([\d.]+)</span><b>(\d+)</b>', part)
    sizes = np.bincount(found.labels).tolist()
    assert rows == [
        (look, number, str(size))
        for look, number, size in zip(["k12", "k13", "k1"], ["1.1", "1.2", "2"], sizes, strict=True)
    ]
    # Every member is drawn.
    drawn = [
        row.count("M")
        for row in re.findall(r'<figure class="panel curve"[^~]*?<path class="members" d="([^"]*)"', part)
    ]
    assert set(drawn) == set(sizes)
    table = pd.read_csv(tmp_path / "page" / "partition.csv")
    np.testing.assert_array_equal(table["cluster"] - 1, found.labels)
    # The menu has the first division too.
    names = [name for name, _ in partitions(content_of(found))]
    assert found.tree.result is not None
    why = f"the first division: {found.tree.result.decision.why}"
    assert names[:2] == ["3 clusters, chosen", f"2 clusters, {why}"]
    said_first = found.tree.suggestions()
    assert said_first.index.tolist()[:2] == [3, 2]
    assert said_first.loc[2].tolist() == [why, "level(1)"]
    assert page.index(f"W{said[1:]}.") < page.index('id="answer"')
    table = found.tree.to_frame()
    assert table.index.tolist() == ["", "1", "1.1", "1.2", "2"]
    assert table["sequences"].tolist() == [len(group.members) for group in found.tree.walk()]
    assert table["degree"].tolist() == ["clear", "separated", "", "", ""]
    drawn = {text.get_text() for text in found.tree.plot().axes[0].texts}
    assert drawn == {"52", *(f"{group.number}: {len(group.members)}" for group in found.tree.walk()[1:])}
    assert str(found.tree).splitlines()[1].strip().startswith("1: 39, 2 groups (")


def test_each_leaf_is_judged_in_its_division(found: Clustering) -> None:
    inner, members = found.tree.children[0].result, found.tree.children[0].members
    first = found.tree.result
    assert inner is not None
    assert first is not None
    leaking = found.tree.children[1].members
    for name in ("silhouettes", "membership_"):
        values = getattr(found, name)
        np.testing.assert_array_equal(values[members], getattr(inner, name))
        np.testing.assert_array_equal(values[leaking], getattr(first, name)[leaking])
    assert found.medoid_indices_.tolist() == [*members[inner.medoid_indices_], first.medoid_indices_[1]]
    assert found.stability is not None
    assert inner.stability is not None
    assert first.stability is not None
    assert found.stability.jaccard.tolist() == [*inner.stability.jaccard, first.stability.jaccard[1]]
    # Statements on a leaf: those of its division, then those on the group that it is in.
    own, on_first, on_leaves = inner.explain(), first.explain(), found.explain()
    for leaf in (1, 2):
        rows = on_leaves[on_leaves["cluster"] == leaf]["sentence"].tolist()
        outer = on_first[on_first["cluster"] == 1]["sentence"].tolist()
        of_leaf = own[own["cluster"] == leaf]["sentence"].tolist()
        assert rows[: len(of_leaf)] == of_leaf
        assert [sentence.split("kind: ")[1] for sentence in rows[len(of_leaf) :]] == outer
    last = on_leaves[on_leaves["cluster"] == 3]["sentence"].tolist()
    assert last == on_first[on_first["cluster"] == 2]["sentence"].tolist()


def test_new_sequences_go_down_the_tree_also_of_a_loaded_result(found: Clustering, tmp_path: Path) -> None:
    logs, kinds = compressors(7)
    new = found.predict(logs)
    assert adjusted_rand_score(kinds, new) > 0.8
    np.testing.assert_array_equal(found.tree.predict(logs), new)
    assert found.tree.result is not None
    np.testing.assert_array_equal(found.tree.predict(logs, 1), found.tree.result.predict(logs))
    placed = found.place(logs)
    np.testing.assert_array_equal(placed.labels, new)
    assert placed.nowhere.size == 0
    odd = [log.assign(oil_temperature=log["oil_temperature"] + 2.0) for log in logs]
    assert found.place(odd).nowhere.size == len(odd)
    found.save(tmp_path / "saved")
    again = kinseq.load(tmp_path / "saved")
    assert again._look is not None
    assert vars(again.details)["within"][0]._look is None
    for name in ("labels", "silhouettes", "verdict", "degree", "choices"):
        np.testing.assert_array_equal(getattr(again, name), getattr(found, name))
    np.testing.assert_array_equal(again.level(1), found.level(1))
    np.testing.assert_array_equal(again.predict(logs), new)
    assert again.explain().equals(found.explain())
    with pytest.raises(ParameterError, match="depth"):
        found.level(0)


def test_coarse_stops_at_the_first_division(found: Clustering, recorded: Recorded) -> None:
    coarse = kinseq.cluster(LOGS, "coarse", "dtw", n_resamples=2)
    np.testing.assert_array_equal(coarse.labels, found.level(1))
    np.testing.assert_array_equal(coarse.level(), found.labels)
    assert "n_clusters='coarse'" in coarse.details.call()
    # Of other texts is none a number.
    with recorded.raises(ParameterError):
        kinseq.cluster(LOGS, "coarser", "dtw")
    fitted = kinseq.SequenceClustering("coarse", "dtw", random_state=0, n_resamples=2).fit(LOGS)
    np.testing.assert_array_equal(fitted.labels_, coarse.labels)


def test_of_a_sample_all_others_go_down_its_tree(found: Clustering, tmp_path: Path) -> None:
    some = kinseq.cluster(LOGS, measure="dtw", n_resamples=2, sample=45)
    assert isinstance(some, SampledClustering)
    assert adjusted_rand_score(KINDS, some.labels) > 0.9
    np.testing.assert_array_equal(some.level(), some.labels)
    np.testing.assert_array_equal(some.level(1) == 1, KINDS == LEAKING)
    np.testing.assert_array_equal(some.labels[some.sample_positions], some.sample.labels)
    logs, kinds = compressors(7)
    assert adjusted_rand_score(kinds, some.predict(logs)) > 0.8
    some.save(tmp_path / "saved")
    again = kinseq.load(tmp_path / "saved")
    for name in ("labels", "membership_", "verdict"):
        np.testing.assert_array_equal(getattr(again, name), getattr(some, name))
    np.testing.assert_array_equal(again.level(1), some.level(1))
    np.testing.assert_array_equal(again.predict(logs), some.predict(logs))


def test_with_the_number_given_what_a_group_falls_into_goes_before_a_cut(recorded: Recorded) -> None:
    three = kinseq.cluster(LOGS, 3, "dtw", n_resamples=2)
    assert three.decision.groups is not None
    assert adjusted_rand_score(KINDS, three.labels) > 0.9
    recorded(three.verdict)


def test_within_halves_of_one_process_there_is_nothing() -> None:
    random = np.random.default_rng(1)
    halves = kinseq.cluster([random.normal(size=(20, 1)) for _ in range(44)], 2, "dtw", n_resamples=2)
    assert np.bincount(halves.labels).max() >= 20
    assert halves.tree.at() == halves.tree.children
    assert halves._subcluster_sentences() == []


def test_each_division_shares_the_level_of_its_parent_down_to_four() -> None:
    options = Options(measures=(get("dtw"),), n_resamples=2)
    random, levels = np.random.default_rng(0), list[float]()
    members = as_sequence_set([random.normal(size=(12, 1)) for _ in range(24)])
    look = divider_of(options)
    while look is not None:
        found = look.args[0](members, 2)
        look = found._look
        assert found.decision.structure is not None
        levels.append(found.decision.structure.level)
    assert levels == [THRESHOLDS.level / 2**depth for depth in range(1, MAX_DEPTH)]


def test_leaves_of_three_levels_have_a_row_each_and_one_order(recorded: Recorded) -> None:
    random = np.random.default_rng(0)
    levels = np.repeat([0.0, 1.0, 9.0, 200.0], 6)
    arrays = [level + 0.05 * random.normal(size=(12, 1)) for level in levels]
    whole, inner, deepest = (
        replace(kinseq.cluster(arrays[:n], 2, "dtw", n_resamples=2), _by_leaves=True) for n in (24, 18, 12)
    )
    assert isinstance(whole, Clustering)
    # The largest group of each is the one that is divided.
    vars(inner.details)["within"] = {0: deepest}
    vars(whole.details)["within"] = {0: inner}
    assert [group.number for group in whole.tree.at()] == ["1.1.1", "1.1.2", "1.2", "2"]
    np.testing.assert_array_equal(whole.labels, whole.level())
    content = content_of(whole)
    assert [len(set(levels[members])) for _, _, members in content.groups] == [1, 1, 1, 1]
    recorded([text.partition(":")[0] for text in content.within])
    assert [[len(set(levels[level == k])) for k in np.unique(level)] for level in whole.details.levels] == [
        [3, 1],
        [2, 1, 1],
        [1, 1, 1, 1],
    ]
    # Blocks of the first division, within them those of the next, and so on.
    assert len(np.unique(levels[content.order][np.r_[True, np.diff(levels[content.order]) != 0]])) == 4
    recorded(whole.verdict)
    for place, group in enumerate(whole.tree.at()):
        assert set(levels[whole.level() == place]) == set(levels[group.members])
    shown = answer(content, Thumbnails(content))
    assert shown is not None
    assert [row.number for row in shown.rows] == ["1.1.1", "1.1.2", "1.2", "2"]
    assert whole.predict(arrays).tolist() == whole.place(arrays).labels.tolist() == whole.labels.tolist()
    # A sequence is as far from the members as at the division where it is furthest.
    new = as_sequence_set([level + 0.05 * random.normal(size=(12, 1)) for level in (0.5, 9.0, 200.0)])
    times = []
    for node in (whole, inner, deepest):
        times.append(places(node._division, None, node.scaling.apply(new), node.options).times)
    placed = whole.tree._place(new, whole.options)
    assert placed.labels[1:].tolist() == [2, 3]
    assert placed.times.tolist() == [max(each[0] for each in times), max(each[1] for each in times[:2]), times[0][2]]
    said = whole.tree.suggestions()
    assert said.index.tolist()[:2] == [2, 4]
    recorded(said["why"].tolist()[:2])


def test_the_sentence_of_leaves_is_as_sure_as_the_least_sure_division(recorded: Recorded) -> None:
    random = np.random.default_rng(0)
    levels = np.repeat([0.0, 1.0, 200.0], 6)
    arrays = [level + 0.05 * random.normal(size=(12, 1)) for level in levels]
    for n, inner in ((18, 12), (12, 6)):
        whole, part = (
            replace(kinseq.cluster(arrays[:k], 2, "dtw", n_resamples=2), _by_leaves=True) for k in (n, inner)
        )
        vars(whole.details)["within"] = {0: part}
        recorded([whole.verdict, *whole._subcluster_sentences()])
        weakest = max(part.degree, whole._division.degree, key=get_args(Degree).index)
        assert whole.degree == weakest


def test_of_more_than_seven_groups_the_others_unfold(tmp_path: Path) -> None:
    random = np.random.default_rng(0)
    arrays = [9.0 * level + random.normal(size=(12, 1)) for level in range(9) for _ in range(4)]
    page = kinseq.cluster(arrays, 9, "dtw", n_resamples=2).report(tmp_path / "page").read_text(encoding="utf-8")
    first, unfolded = page[page.index('id="answer"') :].split("<summary>2 more groups</summary>")
    assert (first.count('<div class="row k'), unfolded.count('<div class="row k')) == (7, 2)


def test_at_most_three_numbers_are_suggested_the_chosen_one_first() -> None:
    random = np.random.default_rng(0)
    found = kinseq.cluster([random.normal(size=(12, 1)) for _ in range(30)], measure="dtw", n_resamples=2)
    assert found.n_clusters == 1
    other = Candidate("level of 1", of_labels(found.distance, np.repeat([0, 1, 2], 10)), by_property=True)
    found.decision = replace(found.decision, details=replace(found.decision.found(), others=(other,)))
    vars(found.details)["candidates"] = {5: np.repeat(np.arange(5), 6), 3: np.repeat(np.arange(3), 10), 7: found.labels}
    said = found.tree.suggestions()
    assert said.index.tolist() == [1, 5, 3]
    assert said["why"].tolist() == [found.decision.why, *["comes nearest to groups"] * 2]
    assert said["how"][5] == "kinseq.cluster(sequences, measure='dtw', random_state=0, n_resamples=2, n_clusters=5)"
    vars(found.details)["candidates"] = {}
    said = found.tree.suggestions()
    assert said.index.tolist() == [1, 3]
    assert "level" in said["why"][3]
    assert all(part in said["how"][3] for part in ("n_clusters", "3", "level of 1"))


def test_the_estimator_has_the_tree_of_its_labels() -> None:
    random = np.random.default_rng(0)
    arrays = [random.normal(size=(12, 1)) + 9.0 * (i % 2) for i in range(12)]
    estimator = kinseq.SequenceClustering(2, "dtw", random_state=0).fit(arrays)
    np.testing.assert_array_equal(estimator.tree_.level(1), estimator.labels_)


def test_a_tree_of_several_levels_is_read_from_the_left(recorded: Recorded) -> None:
    def group(number: str, members: list[int], *children: GroupTree) -> GroupTree:
        return GroupTree(number, np.array(members), None, children)

    inner = group("1.2", [1, 4, 5], group("1.2.1", [4]), group("1.2.2", [1, 5]))
    tree = group("", [*range(7)], group("1", [0, 1, 4, 5], group("1.1", [0]), inner), group("2", [2, 3]))
    assert [one.number for one in tree.at(2)] == ["1.1", "1.2", "2"]
    # One sequence is in no group.
    assert tree.level(1).tolist() == [0, 0, 1, 1, 0, 0, -1]
    assert tree.level(2).tolist() == [0, 1, 2, 2, 1, 1, -1]
    assert tree.level().tolist() == [0, 2, 3, 3, 1, 2, -1]
    assert tree.level(0).tolist() == [0] * 7
    assert inner.level().tolist() == [1, 0, 1]
    assert [one.number for one in tree.walk()] == ["", "1", "1.1", "1.2", "1.2.1", "1.2.2", "2"]
    with recorded.raises(ParameterError):
        inner.at()[0].predict([np.zeros((3, 1))])
    # Without a clustering of a node nothing goes below it.
    assert tree.assign(np.array([1, 0, -1]), lambda items: items).tolist() == [3, 0, -1]


def test_the_more_groups_are_looked_into_the_more_has_to_stand_out_in_each() -> None:
    random, asked = np.random.default_rng(1), list[tuple[int, int]]()
    levels = np.repeat([0.0, 5.0, 10.0, 15.0], [24, 22, 20, 6])
    found = kinseq.cluster([random.normal(size=(12, 1)) + level for level in levels], 4, "dtw", n_resamples=2)
    assert isinstance(found, Clustering)

    def look(members: SequenceSet, n_groups: int) -> None:
        asked.append((len(members), n_groups))

    assert replace(found, _look=look).details.within == {}
    assert asked == [(24, 3), (22, 3), (20, 3)]
    assert THRESHOLDS.shared_by(3).level == THRESHOLDS.level / 3


def test_groups_of_lengths_and_parts_of_a_continuum_divide_nothing() -> None:
    random = np.random.default_rng(1)
    arrays = [random.normal(size=((20, 60)[i % 2], 1)) for i in range(24)]
    lengths = kinseq.cluster(arrays, 2, "properties", params={"only": ["length"]}, n_resamples=2)
    by = Candidate("length", of_labels(lengths.distance, lengths.labels), by_property=True)
    lengths.decision = replace(lengths.decision, by=by)
    assert lengths.verdict.startswith("2 groups that differ only in length")
    assert lengths.degree == "lengths"
    levels = [random.normal(size=(20, 1)) + level for level in np.linspace(0.0, 20.0, 40)]
    continuum = kinseq.cluster(levels, 2, "dtw", n_resamples=2)
    apart = kinseq.cluster([frames + 9.0 * (i % 2) for i, frames in enumerate(arrays)], 2, "dtw", n_resamples=2)
    assert [continuum.degree, apart.degree] == ["continuum", "clear"]
    divided = {
        found.degree: _divided(lambda *_, found=found: found, found.original, 1)
        for found in (lengths, continuum, apart)
    }
    assert divided == {"lengths": None, "continuum": None, "clear": apart}


def test_groups_of_a_matrix_and_by_models_are_not_looked_into() -> None:
    places = np.concatenate([np.linspace(0.0, 1.0, 10), np.linspace(5.0, 6.0, 10), np.linspace(90.0, 91.0, 10)])
    matrix = np.abs(places[:, None] - places)
    assert kinseq.cluster(matrix, 2, "precomputed", n_resamples=2).details.within == {}
    random = np.random.default_rng(1)
    arrays = [random.normal(size=(12, 1)) + 9.0 * (i % 2) for i in range(40)]
    assert kinseq.cluster(arrays, 2, "kl_ll", n_resamples=2, n_states=1).details.within == {}
