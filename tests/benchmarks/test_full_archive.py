"""The archive at full size: a folder of three made sets, published results next to it, and what is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from answers import full_archive
from answers.running import Limits
from kinseq.core.errors import DataError
from tests.sentences import Recorded


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three sets of ten short curves: two levels, two slopes, and one with values missing at the end and inside."""
    random = np.random.default_rng(0)
    for name, ending in (("Levels", "tsv"), ("Slopes", "txt"), ("Shorter", "csv")):
        place = tmp_path / "archive" / name
        place.mkdir(parents=True)
        for part in ("TRAIN", "TEST"):
            rows = []
            for i in range(10):
                time = np.arange(12.0)
                curve = 5.0 * (i % 2) + 0.0 * time if name != "Slopes" else (i % 2) * time
                curve = curve + random.normal(scale=0.1, size=12)
                if name == "Shorter":
                    curve[-3:], curve[4] = np.nan, np.nan
                rows.append([i % 2 + 1, *curve])
            separator = {"tsv": "\t", "txt": "  ", "csv": ","}[ending]
            lines = [separator.join(f"{value:g}" for value in row) for row in rows]
            (place / f"{name}_{part}.{ending}").write_text("\n".join(lines) + "\n")
    return tmp_path / "archive"


def results(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "published.csv"
    file.write_text(text)
    return file


def test_sets_are_read_whole(folder: Path) -> None:
    sets = {entry.name: entry.sequences(largest=full_archive.WHOLE) for entry in full_archive.sets_in(folder)}
    assert list(sets) == ["Levels", "Shorter", "Slopes"]
    assert [len(one) for one in sets.values()] == [20, 20, 20]
    shorter = sets["Shorter"]
    assert set(shorter.lengths) == {9}
    for frames in shorter:
        assert frames[4, 0] == pytest.approx((frames[3, 0] + frames[5, 0]) / 2)


TS = """@problemName Two
@timeStamps false
@missing true
@univariate false
@dimensions 2
@equalLength false
@classLabel true up down
@data
1,2,3:10,?,30:up
1,2:5,6:down
"""
ARFF = """@relation Two
@attribute both relational
  @attribute t0 numeric
  @attribute t1 numeric
  @attribute t2 numeric
@end both
@attribute class {up,down}
@data
'1,2,3\\n10,?,30',up
'1,2,?\\n5,6,?',down
"""


@pytest.mark.parametrize("ending, text", [("ts", TS), ("arff", ARFF)])
def test_sets_of_many_channels_are_read_in_the_forms_of_their_archive(tmp_path: Path, ending: str, text: str) -> None:
    """Both parts, classes by name, a value missing inside, and a sequence that is shorter."""
    (tmp_path / "Two").mkdir()
    for part in ("TRAIN", "TEST"):
        (tmp_path / "Two" / f"Two_{part}.{ending}").write_text(text)
    (entry,) = full_archive.sets_in(tmp_path)
    read = entry.sequences(largest=full_archive.WHOLE)
    assert read.labels is not None
    assert read.labels.tolist() == ["up", "down"] * 2
    assert [frames.tolist() for frames in (read[0], read[1])] == [
        [[1.0, 10.0], [2.0, 20.0], [3.0, 30.0]],
        [[1.0, 5.0], [2.0, 6.0]],
    ]


@pytest.mark.parametrize(
    "text", ["nothing of the kind\n", "@problemName Two\n@classLabel true a\n@data\n1,high:a\n"], ids=["empty", "words"]
)
def test_a_file_that_is_no_set_is_refused_by_name(tmp_path: Path, text: str, recorded: Recorded) -> None:
    (tmp_path / "Two").mkdir()
    (tmp_path / "Two" / "Two_TRAIN.ts").write_text(text)
    (entry,) = full_archive.sets_in(tmp_path)
    with recorded.raises(DataError):
        entry.sequences()


def test_the_archive_beside_published_results_and_again_from_what_is_kept(folder: Path, tmp_path: Path) -> None:
    published = results(tmp_path, "method,set,ari\nother,Levels,0.5\nother,Slopes,1\nother,Elsewhere,0.1\n")
    said: list[str] = []
    page = full_archive.run(folder, published, tmp_path / "out", Limits(60, 600), say=said.append)
    table = pd.read_csv(tmp_path / "out" / "archive.csv").set_index("set")
    assert table["kinseq, default"].tolist() == [1.0, 1.0, 1.0]
    assert table["other"].loc[["Levels", "Slopes"]].tolist() == [0.5, 1.0]
    assert "| other | 2 | 1.000 | 0.750 | 1 / 1 / 0 |" in page.read_text()
    assert len(said) == 3
    full_archive.run(folder, published, tmp_path / "out", Limits(60, 0), say=said.append)
    assert len(said) == 3, "what is kept is not run again"
    assert pd.read_csv(tmp_path / "out" / "archive.csv").set_index("set").equals(table)


def test_without_time_sets_are_left_for_the_next_call(folder: Path, tmp_path: Path) -> None:
    full_archive.run(folder, None, tmp_path / "out", Limits(60, 0))
    table = pd.read_csv(tmp_path / "out" / "archive.csv")
    assert set(table["status"]) == {"not run"}


@pytest.mark.parametrize(
    "text",
    [
        "method,set\nother,Levels\n",
        "method,set,ari\nother,Levels,high\n",
        "method,set,ari\nother,Levels,.5\nother,Levels,.6\n",
    ],
)
def test_published_results_are_checked(tmp_path: Path, text: str, recorded: Recorded) -> None:
    with recorded.raises(DataError):
        full_archive.published_in(results(tmp_path, text))


def test_a_folder_without_sets_is_refused(tmp_path: Path, folder: Path, recorded: Recorded) -> None:
    with pytest.raises(DataError, match="no folder"):
        full_archive.sets_in(tmp_path / "nothing")
    (tmp_path / "empty").mkdir()
    with recorded.raises(DataError):
        full_archive.sets_in(tmp_path / "empty")
    (folder / "Levels" / "Levels_TEST.tsv").unlink()
    with recorded.raises(DataError):
        full_archive.sets_in(folder)[0].sequences()
    (folder / "Slopes" / "Slopes_TEST.txt").write_text("1 a b\n")
    with recorded.raises(DataError):
        full_archive.sets_in(folder)[2].sequences()
