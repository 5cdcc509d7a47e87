"""Results of a clusterer that leaves sequences in no group: words, tables, page, predictions."""

import csv
import json
import re

import numpy as np
import pytest

import kinseq
from kinseq.core.errors import ParameterError
from kinseq.metrics.internal import silhouettes, stability
from tests.sentences import Recorded


def sequences(n_strays=3):
    """Two groups of 9 and 7 noise sequences at two levels, and some at levels of their own."""
    random = np.random.default_rng(1)
    levels = [0.0] * 9 + [8.0] * 7 + [-40.0, 50.0, 90.0][:n_strays]
    return [random.normal(level, 1.0, (30, 2)) for level in levels]


@pytest.fixture(scope="module")
def found():
    return kinseq.cluster(sequences(), measure="dtw", clusterer="hdbscan", labels=["a"] * 9 + ["b"] * 7 + ["c"] * 3)


def test_strays_have_no_group(found):
    assert found.labels.tolist() == [0] * 9 + [1] * 7 + [-1] * 3
    assert found.n_clusters == 2
    assert len(found.medoid_indices_) == 2
    assert found.verdict.endswith("; 3 are not in a group")
    assert found.verdict.startswith("2 groups")
    assert any(said.endswith("are not in a group") for said in found.warnings())
    assert ("number of clusters", "2", "found by HDBSCAN") in found.choices
    assert "not in a group   3" in found.summary()
    assert "not in a group" in found._repr_html_()


def test_scores_are_of_members(found):
    inside = slice(0, 16)
    np.testing.assert_allclose(
        found.silhouettes[inside], silhouettes(found.distance[inside, inside], found.labels[inside])
    )
    assert np.isnan(found.silhouettes[16:]).all()
    assert np.isnan(found.membership_[16:]).all()
    assert set(found.explain()["cluster"]) == {1, 2}
    assert not set(found.outliers()["cluster"]) & {0, -1}
    assert found.stability.jaccard.shape == (2,)
    assert (found.stability.jaccard > 0.7).all()


def test_stability_leaves_out_what_is_in_no_cluster():
    d = np.abs(np.subtract.outer(np.arange(8.0), np.arange(8.0))) + 20.0 * np.not_equal.outer(
        np.arange(8) < 4, np.arange(8) < 4
    )
    labels = np.array([0, 0, 0, -1, 1, 1, 1, 1])

    def cut(square, n_clusters):
        """The same groups, of which the fourth item is never one."""
        near = square < 10.0
        groups = np.unique(near, axis=0, return_inverse=True)[1].reshape(-1)
        return np.where(np.isclose(np.where(near, square, 0.0).max(axis=1), 3.0) & (groups == groups[0]), -1, groups)

    assert np.isfinite(stability(d, labels, cut, n_resamples=20).jaccard).all()
    # If no sequence is in a cluster, no cluster recurs.
    nothing = stability(d, labels, lambda square, _: np.full(len(square), -1), n_resamples=5)
    assert nothing.jaccard.tolist() == [0.0, 0.0]


def test_tables_number_groups_from_one_and_leave_strays_out(found, tmp_path, recorded: Recorded):
    assert found.to_frame()["cluster"].tolist() == [1] * 9 + [2] * 7 + [-1] * 3
    page = found.report(tmp_path)
    rows = list(csv.DictReader((tmp_path / "partition.csv").open(encoding="utf-8")))
    assert [row["cluster"] for row in rows] == ["1"] * 9 + ["2"] * 7 + ["-1"] * 3
    assert {row["silhouette"] for row in rows[16:]} == {""}
    html = page.read_text(encoding="utf-8")
    data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', html, re.DOTALL)[1])
    assert data["partitions"][0]["labels"] == found.labels.tolist()
    assert data["outside"] == [16, 17, 18]
    assert data["none"] == "not in a group"
    assert data["memberships"][16:] == [None] * 3
    recorded.within(html)
    # Of labels against clusters.
    assert ">not in a group</th>" in html


def test_new_sequences_go_to_the_nearest_group(found):
    assert found.predict(sequences()[:2] + sequences()[10:12]).tolist() == [0, 0, 1, 1]
    assert sorted(found.place(sequences()[16:]).nowhere.tolist()) == [0, 1, 2]


def test_a_result_is_read_again(found, tmp_path):
    found.save(tmp_path / "found")
    again = kinseq.load(tmp_path / "found")
    np.testing.assert_array_equal(again.labels, found.labels)
    assert again.verdict == found.verdict


def test_order_and_copies_change_nothing():
    given = sequences()
    order = np.random.default_rng(0).permutation(len(given))
    first = kinseq.cluster(given, measure="dtw", clusterer="hdbscan")
    other = kinseq.cluster([given[i] for i in order], measure="dtw", clusterer="hdbscan")
    np.testing.assert_array_equal(other.labels, first.labels[order])
    copied = kinseq.cluster([*given, given[0]], measure="dtw", clusterer="hdbscan")
    assert copied.labels[-1] == copied.labels[0]


def test_no_group_at_all(tmp_path, recorded):
    found = kinseq.cluster(sequences()[:4], measure="dtw", clusterer="hdbscan")
    assert found.labels.tolist() == [-1] * 4
    assert (found.n_clusters, found.degree) == (0, "none")
    recorded(found.verdict)
    assert found.explain().empty
    assert found.outliers().empty
    assert found.stability is None
    assert "not in a group" in found.summary()
    found.plot()
    found.report(tmp_path)
    for call in (found.predict, found.place):
        with recorded.raises(ParameterError):
            call(sequences())


@pytest.mark.parametrize("number", [2, (2, 4), "2-4"])
def test_a_number_is_refused(number, recorded: Recorded):
    for call in (
        lambda: kinseq.cluster(sequences(), number, "dtw", clusterer="hdbscan"),
        lambda: kinseq.SequenceClustering(number, "dtw", clusterer="hdbscan").fit(sequences()),
    ):
        with recorded.raises(ParameterError):
            call()
    with recorded.raises(ParameterError):
        kinseq.cluster(sequences(), measure="dtw", clusterer="hdbscan", sample=10)


def test_the_estimator_and_a_given_matrix():
    model = kinseq.SequenceClustering(measure="dtw", clusterer="hdbscan", params={"min_cluster_size": 6})
    assert model.fit_predict(sequences()).tolist() == [0] * 9 + [1] * 7 + [-1] * 3
    assert model.n_clusters_ == 2
    assert 0.5 < model.score(sequences()) <= 1.0
    given = kinseq.cluster(model.distance_, measure="precomputed", clusterer="hdbscan")
    np.testing.assert_array_equal(given.labels, model.labels_)
    assert given.verdict.endswith("3 are not in a group")
