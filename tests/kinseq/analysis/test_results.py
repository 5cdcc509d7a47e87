"""What a result says of itself: a table, and a text."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
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
    assert table["cluster"].tolist() == (found.labels + 1).tolist()
    assert table.index[table["medoid"]].tolist() == found.original.ids[np.sort(found.medoid_indices_)].tolist()
    np.testing.assert_array_equal(table["silhouette"], found.silhouettes)
    np.testing.assert_array_equal(table["membership"], found.membership_)
    np.testing.assert_array_equal(table["cluster_statistics"], found.views[1].labels + 1)
    assert table["label"].tolist() == found.sequences.labels.tolist()


def test_table_of_a_sample_leaves_open_what_is_not_known() -> None:
    found = kinseq.cluster(two_levels(60, labels=True), measure="dtw", n_clusters=2, sample=20)
    table = found.to_frame()
    assert len(table) == 60
    assert np.flatnonzero(table["sampled"]).tolist() == found.sample_positions.tolist()
    np.testing.assert_array_equal(table["silhouette"].notna(), table["sampled"])
    assert table["cluster"].tolist() == (found.labels + 1).tolist()
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


@pytest.mark.parametrize("sample", [None, 20])
def test_a_cluster_has_one_number_in_tables_files_and_sentences(tmp_path: Path, sample: int | None) -> None:
    found = kinseq.cluster(two_levels(40), 2, ["dtw", "statistics"], sample=sample)
    found.report(tmp_path)
    table, of_files = found.to_frame(), pd.read_csv(tmp_path / "partition.csv", index_col="id")
    assert table["cluster"].tolist() == of_files["cluster"].tolist() == (found.labels + 1).tolist()
    numbers = ["cluster", "cluster_statistics"]
    pd.testing.assert_frame_equal(table[numbers].dropna(), of_files[numbers].dropna(), check_dtype=False)
    explained = found.explain()["cluster"].tolist()
    assert explained == pd.read_csv(tmp_path / "explanation.csv")["cluster"].tolist()
    assert set(explained) == {1, 2}
    lines = found.summary().splitlines()
    at = lines.index("cluster  sequences  silhouette  most typical")
    assert [line.split()[0] for line in lines[at + 1 : at + 3]] == ["1", "2"]
    # What members are by the table is what they are: the mean level of column 1 is 0 or 6.
    for k in (1, 2):
        own = np.concatenate([found.original[int(i)] for i in np.flatnonzero(table["cluster"] == k)])
        level = found.explain().query("cluster == @k and property == 'level'")["sentence"].iloc[0]
        assert level.startswith("higher" if own.mean() > 3.0 else "lower")
    placed = found.place(two_levels(4))
    assert placed.to_frame()["cluster"].tolist() == (found.predict(two_levels(4)) + 1).tolist()
