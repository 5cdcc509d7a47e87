"""What a result says of itself: a table, and a text."""

from __future__ import annotations

import numpy as np
import pytest

import kinseq
from kinseq import SequenceSet


def two_levels(n: int, labels: bool = False) -> SequenceSet:
    random = np.random.default_rng(3)
    frames = [random.normal(6.0 * (i % 2), 1.0, size=(20 + i % 5, 2)) for i in range(n)]
    names = [("low", "high")[i % 2] for i in range(n)]
    return SequenceSet.from_arrays(frames, labels=names if labels else None, ids=[f"m{i}" for i in range(n)])


def test_table_of_an_analysis_holds_what_its_attributes_hold() -> None:
    found = kinseq.cluster(two_levels(12, labels=True), measure=["dtw", "statistics"], n_clusters=2)
    table = found.to_frame()
    assert table.index.tolist() == found.sequences.ids.tolist()
    assert table["cluster"].tolist() == found.labels.tolist()
    assert table.index[table["medoid"]].tolist() == found.original.ids[np.sort(found.medoid_indices_)].tolist()
    np.testing.assert_array_equal(table["silhouette"], found.silhouettes)
    np.testing.assert_array_equal(table["membership"], found.membership_)
    np.testing.assert_array_equal(table["cluster_statistics"], found.views[1].labels)
    assert table["label"].tolist() == found.sequences.labels.tolist()


def test_table_of_a_sample_leaves_open_what_is_not_known() -> None:
    found = kinseq.cluster(two_levels(60, labels=True), measure="dtw", n_clusters=2, sample=20)
    table = found.to_frame()
    assert len(table) == 60
    assert np.flatnonzero(table["sampled"]).tolist() == found.sample_positions.tolist()
    np.testing.assert_array_equal(table["silhouette"].notna(), table["sampled"])
    assert table["cluster"].tolist() == found.labels.tolist()
    assert np.flatnonzero(table["medoid"]).tolist() == sorted(found.medoid_indices_.tolist())
    assert table["label"].tolist() == found.sequences.labels.tolist()


@pytest.mark.parametrize("sample", [None, 20])
def test_summary_names_the_verdict_clusters_choices_and_cautions(sample: int | None) -> None:
    found = kinseq.cluster(two_levels(40, labels=True), measure="dtw", n_clusters=2, sample=sample)
    told = found.summary()
    joined = " ".join(told.split())
    assert " ".join(found.verdict.split()) in joined
    for said in [*found.notes, *found.warnings()]:
        assert " ".join(said.split()) in joined
    for _, value, _ in found.choices:
        assert value in joined
    assert "adjusted Rand index 1" in joined
    for k in range(2):
        assert str(found.original.ids[found.medoid_indices_[k]]) in told


def test_nothing_is_chosen_twice() -> None:
    found = kinseq.cluster(two_levels(12))
    assert found.decision.by is not None
    names = [what for what, _, _ in found.choices]
    assert len(set(names)) == len(names)
    assert all(not what.startswith("fusion") for what in names)
