"""Tables that are cut by a table of intervals."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import kinseq
from kinseq.core.cutting import PIECES
from kinseq.core.errors import DataError
from tests.sentences import Recorded


def logs(folder: Path, dates: bool = False) -> Path:
    """Two logs of a row in ten seconds, whose values are the numbers of the rows and of the logs."""
    (folder / "logs").mkdir()
    for k in range(2):
        times = [f"2024-03-01 10:{i // 6:02d}:{10 * (i % 6):02d}" if dates else f"{10 * i}" for i in range(60)]
        rows = "".join(f"{time},{i}.5,{k}.25\n" for i, time in enumerate(times))
        (folder / f"logs/unit{k}.csv").write_text(("when,x,y\n" if dates else "time [s],x,y\n") + rows)
    return folder / "logs"


def test_intervals_are_sequences_with_labels_and_their_source(tmp_path: Path) -> None:
    folder = logs(tmp_path)
    rows = ["unit0,0,100,rest", "unit0,100,250,run", "unit1.csv,45,115,run"]
    (folder / "intervals.csv").write_text("\n".join(["file,start,end,label", *rows]) + "\n")
    read = kinseq.read(folder, segments="intervals.csv")
    assert read.ids.tolist() == ["unit0 @ 0", "unit0 @ 100", "unit1 @ 45"]
    assert read.labels is not None
    assert read.labels.tolist() == ["rest", "run", "run"]
    expected = [np.arange(10), np.arange(10, 25), np.arange(5, 12)]
    for own, numbers in zip(read, expected, strict=True):
        np.testing.assert_array_equal(own[:, 0], numbers + 0.5)
    assert read.provenance[PIECES]["unit1 @ 45"] == ["unit1", "45", "115"]
    # The same from elsewhere, with a duration, and on a clock.
    (tmp_path / "other.csv").write_text("id,onset,duration\nunit1.csv,45,70\n")
    other = kinseq.read(folder, segments=tmp_path / "other.csv", every=20, drop_columns=[], labels=None)
    assert other.ids.tolist() == ["unit1 @ 45"]
    assert len(other[0]) == 4


def test_a_single_log_is_cut_too(tmp_path: Path) -> None:
    folder = logs(tmp_path)
    spans = [(60 * k, 60 * k + (30 if k % 2 else 60)) for k in range(10)]
    (tmp_path / "t.csv").write_text("start,end\n" + "".join(f"{a},{b}\n" for a, b in spans))
    found = kinseq.cluster(folder / "unit0.csv", 2, "mean_vector", segments=tmp_path / "t.csv", n_resamples=2)
    assert len(found.labels) == 10
    assert found.to_frame()["source"].unique().tolist() == ["unit0"]


def test_intervals_may_be_dates(tmp_path: Path) -> None:
    folder = logs(tmp_path, dates=True)
    text = "file,start,end\nunit1,2024-03-01 10:01:00,2024-03-01T10:02:00\n"
    (tmp_path / "t.csv").write_text(text)
    (read,) = kinseq.read(folder, segments=tmp_path / "t.csv")
    np.testing.assert_array_equal(read[:, 0], np.arange(6, 12) + 0.5)


BAD = {
    "overlap": "file,start,end\nunit0,0,100\nunit0,90,200\n",
    "outside": "file,start,end\nunit0,0,100\nunit0,5000,5100\n",
    "backwards": "file,start,end\nunit0,100,50\n",
    "of nothing": "file,start,end\nunit7,0,100\n",
    "without a file": "start,end\n0,100\n",
    "no intervals": "file,value\nunit0,100\n",
    "a word": "file,start,end\nunit0,noon,100\n",
    "a date": "file,start,end\nunit0,2024-03-01,100\n",
}


@pytest.mark.parametrize("case", BAD)
def test_wrong_intervals_are_refused_with_their_line(case: str, tmp_path: Path, recorded: Recorded) -> None:
    (tmp_path / "t.csv").write_text(BAD[case])
    with recorded.raises(DataError):
        kinseq.read(logs(tmp_path), segments=tmp_path / "t.csv")


def test_tables_without_times_are_not_cut(tmp_path: Path, recorded: Recorded) -> None:
    (tmp_path / "a.csv").write_text("x,y\n" + "".join(f"{i % 3}.5,{i % 5}.25\n" for i in range(30)))
    (tmp_path / "t").mkdir()
    (tmp_path / "t/t.csv").write_text("start,end\n0,10\n")
    with recorded.raises(DataError):
        kinseq.read(tmp_path / "a.csv", segments=tmp_path / "t/t.csv")
