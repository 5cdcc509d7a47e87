"""The own page of a folder with sub-folders: how these fall into the clusters."""

from __future__ import annotations

import html
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from kinseq import api as own
from kinseq.report.page import to_html
from kinseq.report.sections import COLUMNS, CONFUSED, Scores, scores
from kinseq.report.writing import content_of
from tests.sentences import Recorded


def write(folder: Path, places: dict[str, float]) -> Path:
    """A table of a few frames around a level for each name."""
    rng = np.random.default_rng(0)
    for name, level in places.items():
        path = folder / f"{name}.csv"
        path.parent.mkdir(parents=True, exist_ok=True)
        rows = level + rng.normal(size=(12, 2))
        path.write_text("x,y\n" + "\n".join(f"{a:.6f},{b:.6f}" for a, b in rows) + "\n", encoding="utf-8")
    return folder


GENRES = {f"{genre}/{i}": 9.0 * k for k, genre in enumerate(("jazz", "folk")) for i in range(4)}


def clustered(folder: Path, **settings: object) -> own.Clustering:
    return own.cluster(folder, 2, measure="mean_vector", n_resamples=1, **settings)  # type: ignore[arg-type]


def section(found: own.Clustering) -> Scores | None:
    """The page on labels and sub-folders."""
    return scores(SimpleNamespace(result=found, everything=found))  # type: ignore[arg-type]


def test_sub_folders_are_shown_beside_the_clusters(tmp_path: Path, recorded: Recorded) -> None:
    # One of jazz sounds like folk.
    found = clustered(write(tmp_path / "music", {**GENRES, "jazz/4": 9.0}))
    assert found.details.by_folder is not None
    names, counts = found.details.by_folder
    assert names == ["folk", "jazz"]
    assert counts.tolist() == [[4, 0], [1, 4]]
    assert not found.scores
    said = section(found)
    assert said is not None
    assert said.table is None
    assert list(said.counts.header) == ["sub-folder", "1", "2"]
    assert [list(row) for row in said.counts.rows] == [["folk", "4", "·"], ["jazz", "1", "4"]]
    page = to_html(content_of(found))
    recorded.within(page)
    assert "labels='folders'" in html.unescape(page)
    labelled = clustered(tmp_path / "music", labels="folders")
    said = section(labelled)
    assert said is not None
    assert said.table is not None
    page = to_html(content_of(labelled))
    assert "Against your labels" in page
    assert "Comparison with your sub-folders" not in page


@pytest.mark.parametrize(
    "places",
    [
        {name.replace("/", ""): level for name, level in GENRES.items()},
        {f"all/{name}": level for name, level in GENRES.items()},
        {**GENRES, "loose": 0.0},
        {f"{name}/one": level for name, level in ((f"s{i}", 9.0 * (i % 2)) for i in range(6))},
    ],
    ids=["none", "a single one", "one file beside them", "one for each file"],
)
def test_sub_folders_that_say_nothing_are_not_shown(places: dict[str, float], tmp_path: Path) -> None:
    found = clustered(write(tmp_path / "music", places))
    assert found.details.by_folder is None
    assert section(found) is None


def test_ids_of_arrays_are_no_folders() -> None:
    arrays = [np.array([[0.0], [1.0], [0.0]]) + i for i in range(6)]
    found = own.cluster(arrays, 2, measure="mean_vector")
    assert found.details.by_folder is None


def shown(names: list[str], counts: np.ndarray) -> list[list[str]]:
    """Rows of the table of sub-folders and clusters."""
    details = SimpleNamespace(by_folder=(names, counts))
    found = SimpleNamespace(scores={}, details=details, n_clusters=counts.shape[1])
    said = scores(SimpleNamespace(result=found, everything=found))  # type: ignore[arg-type]
    assert said is not None
    return [list(row) for row in said.counts.rows]  # type: ignore[misc]


def test_rows_stand_in_the_order_of_the_clusters_that_most_are_in() -> None:
    rows = shown(["a", "b", "c"], np.array([[0, 1, 3], [5, 0, 0], [0, 2, 2]]))
    assert rows == [["b", "5", "·", "·"], ["c", "·", "2", "2"], ["a", "·", "1", "3"]]


def test_of_very_many_folders_and_clusters_the_first_are_shown() -> None:
    counts = np.zeros((200, 50), dtype=np.int64)
    counts[np.arange(200), np.arange(200) % 50] = 3
    rows = shown([f"genre {i:03d}" for i in range(200)], counts)
    assert len(rows) == CONFUSED
    assert {len(row) for row in rows} == {1 + COLUMNS}
