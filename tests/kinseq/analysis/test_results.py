"""Representations of a result: a table, and a text."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

import kinseq
from kinseq import SequenceSet
from kinseq.core.errors import ParameterError
from tests.sentences import Recorded


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
    # Members match the table: the mean level of column 1 is 0 or 6.
    for k in (1, 2):
        own = np.concatenate([found.original[int(i)] for i in np.flatnonzero(table["cluster"] == k)])
        level = found.explain().query("cluster == @k and property == 'level'")["sentence"].iloc[0]
        assert level.startswith("higher" if own.mean() > 3.0 else "lower")
    placed = found.place(two_levels(4))
    assert placed.to_frame()["cluster"].tolist() == (found.predict(two_levels(4)) + 1).tolist()


def rows_of(html: str) -> list[list[str]]:
    """Return the cells of the rows of the table in a text, without its head."""
    table = ElementTree.fromstring(html[html.index("<table") : html.index("</table>") + len("</table>")])
    return [[cell.text or "" for cell in row] for row in table.findall("tbody/tr")]


PNG = b"\x89PNG\r\n\x1a\n"


def test_notebooks_show_figures_and_tables() -> None:
    """Methods of the value of a cell that IPython calls, without any other import."""
    found = kinseq.cluster(two_levels(12), 2, "dtw", name="<levels>", n_resamples=2)
    assert found.plot()._repr_png_().startswith(PNG)
    sizes, typical = np.bincount(found.labels).tolist(), found.original.ids[found.medoid_indices_].tolist()
    shown = [[row[0], row[1], row[3]] for row in rows_of(found._repr_html_())]
    assert shown == [[str(k + 1), str(sizes[k]), typical[k]] for k in range(2)]
    assert "<svg" in found._repr_html_()
    assert "<levels>" not in found._repr_html_()
    assert [int(row[1]) for row in rows_of(found.tree._repr_html_())] == found.tree.to_frame()["level"].tolist()
    assert "array" not in repr(found.tree)
    placed = found.place(two_levels(4))
    assert [int(row[1]) for row in rows_of(placed._repr_html_())] == (placed.labels + 1).tolist()
    low, high = (SequenceSet.from_arrays([frames + level for frames in two_levels(12)]) for level in (0.0, 3.0))
    compared = kinseq.compare(low, high)
    estimates = compared.comparison.estimates
    shown = [[row[0], row[1]] for row in rows_of(compared._repr_html_())]
    assert shown == [[entry.name, f"{entry.value:.4g}"] for entry in estimates]
    assert repr(compared).count("\n") == 0
    assert len(repr(compared)) < 200


def test_segments_have_a_table_and_a_figure_in_notebooks() -> None:
    random = np.random.default_rng(0)
    recording = np.concatenate([random.normal(0.0, deviation, (200, 1)) for deviation in (1.0, 3.0, 1.0)])
    found = kinseq.segment_sequence(recording, window=20, n_segments=3, n_sources=2)
    assert found.figure()._repr_png_().startswith(PNG)
    assert rows_of(found._repr_html_()) == [
        ["1", "0", "200", "200", "1"],
        ["2", "200", "400", "200", "2"],
        ["3", "400", "600", "200", "1"],
    ]
    assert repr(found) == "RecordingSegments(3 segments of 2 sources, 600 samples)"


def test_a_second_page_in_a_folder_is_refused_and_the_first_may_be_written_again(
    tmp_path: Path, recorded: Recorded
) -> None:
    found = kinseq.cluster(two_levels(12), 2, "dtw", n_resamples=2)
    found.report(tmp_path / "first.html")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    for other in (found, found.place(two_levels(4))):
        for path in (tmp_path, tmp_path / "second.html"):
            with recorded.raises(ParameterError):
                other.report(path)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
    kinseq.cluster(two_levels(10), 2, "dtw", n_resamples=2).report(tmp_path / "first.html")
    assert len(pd.read_csv(tmp_path / "partition.csv")) == 10
