"""From the files of a folder to the page: threads change nothing, what is wrong is told, nothing is left half-written."""

from __future__ import annotations

import os
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

import kinseq
from kinseq.cli.commands import run_cluster
from kinseq.cli.request import FILES
from kinseq.core import store
from kinseq.core.errors import KinseqError
from kinseq.core.folders import FURTHER_COLUMNS, RealPaths
from kinseq.measures import registry
from kinseq.measures.registry import Measure, MeasureInput
from kinseq.readers import Extent, extent, stamp
from tests.reading import read_folder
from tests.sentences import Recorded


def waves(folder: Path, n: int = 36) -> Path:
    """Series of three kinds with labels, a file twice, one without a header, one that is no table and one too wide."""
    rng = np.random.default_rng(0)
    (folder / "sub").mkdir(parents=True)
    for i in range(n):
        frames = 20 + int(rng.integers(6))
        time = np.arange(frames) / (3.0, 5.0, 9.0)[i % 3]
        values = np.column_stack([2.0 * (i % 3) + np.sin(2 * np.pi * time), rng.normal(size=frames)])
        header = "" if i == 5 else "level,noise"
        np.savetxt(folder / ("sub" if i % 4 else "") / f"w{i}.csv", values, "%.3f", ",", header=header, comments="")
    (folder / "sub/twin.csv").write_bytes((folder / "sub/w1.csv").read_bytes())
    (folder / "words.csv").write_text("level,noise\nhigh,low\n", encoding="utf-8")
    (folder / "wide.csv").write_text("level,noise,more\n1,2,3\n4,5,6\n", encoding="utf-8")
    named = "".join(f"{'sub/' if i % 4 else ''}w{i}.csv,{i % 3}\n" for i in range(n))
    (folder / "labels.csv").write_text("id,label\n" + named, encoding="utf-8")
    return folder


def test_copies_and_files_that_are_left_out_are_told_on_page_and_console(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = {"data": str(waves(tmp_path / "waves")), "name": "it", "n_resamples": 2, "max_clusters": 5}
    page = tmp_path / "own/it/index.html"
    run_cluster({**own, "sample": 20, "measure": "ssd,dtw", "n_states": 2}, page, 1, 1, "make cluster")
    assert {path.name for path in page.parent.iterdir() if path.is_file()} == set(FILES)
    told = "1 sequence is a copy of another (sub/w1.csv of sub/twin.csv): it shares its cluster and counts once"
    text = page.read_text(encoding="utf-8")
    for expected in ("words.csv", "wide.csv", told):
        assert expected in text
    assert capsys.readouterr().out.count(f"note: {told}") == 1


def tone(path: Path, pitch: float, rate: int) -> None:
    time = np.arange(rate // 2) / rate
    soundfile.write(path, 0.3 * np.sin(2 * np.pi * pitch * time), rate)


def recordings(folder: Path) -> Path:
    """Tones of two rates, a broken file and a silent one."""
    folder.mkdir()
    for i in range(6):
        tone(folder / f"{i}.wav", 200.0 + 40 * i, 11025 if i == 4 else 16000)
    (folder / "broken.wav").write_bytes(b"RIFF")
    soundfile.write(folder / "silent.wav", np.zeros(8000), 16000)
    return folder


def linked(folder: Path) -> Path:
    """Series, with a link that leads nowhere and one that leads back to itself."""
    waves(folder, 9)
    (folder / "sub/lost.csv").symlink_to("nowhere.csv")
    (folder / "sub/round.csv").symlink_to("round.csv")
    return folder


@pytest.mark.parametrize(
    ("make", "expected"), [(recordings, ("broken.wav", "silent.wav", "11025")), (linked, ("lost.csv", "words.csv"))]
)
def test_threads_change_nothing_of_what_is_read_and_told(make: Any, expected: tuple[str, ...], tmp_path: Path) -> None:
    folder = make(tmp_path / "data")
    one, told = read_folder(folder)
    for jobs in (2, 5):
        several, said = read_folder(folder, n_jobs=jobs, cache=tmp_path / f"features{jobs}")
        np.testing.assert_array_equal(several.values, one.values)
        assert (several.ids.tolist(), several.provenance, said) == (one.ids.tolist(), one.provenance, told)
    for name in expected:
        assert name in " ".join(told)
    assert "Errno" not in " ".join(told)
    refused = set()
    for jobs in (1, 3):
        with pytest.raises(KinseqError) as error:
            read_folder(folder, on_bad_file="refuse", n_jobs=jobs)
        refused.add(str(error.value))
    assert len(refused) == 1


def test_the_extent_is_of_what_would_be_read(tmp_path: Path) -> None:
    folder = linked(tmp_path / "waves")
    found = extent(folder)
    files = [path for path in folder.rglob("*.csv") if path.name != "labels.csv"]
    sizes = sum(path.stat().st_size for path in files if path.exists())
    assert found == Extent(stamp(folder), len(files), sizes, one_each=True)
    before = found
    (folder / "labels.csv").write_text("id,label\nw0.csv,1\n", encoding="utf-8")
    assert extent(folder) == Extent(stamp(folder), before.files, before.bytes, one_each=True)
    assert extent(folder).stamp != before.stamp
    np.savez(tmp_path / "sets.npz", values=np.zeros((4, 1)), offsets=np.array([0, 2, 4]))
    assert extent(tmp_path / "sets.npz").one_each is False
    # The job that reads it reports its faults.
    (tmp_path / "none").mkdir()
    assert extent(tmp_path / "none").files == 0


def test_drafts_of_killed_processes_are_removed_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    store.write_text(tmp_path / "parts/kept.txt", "kept")
    (tmp_path / ".features").mkdir()
    with store.replacing(tmp_path / "parts/half.pkl") as draft:
        killed = draft.name
        draft.write_text("half")
    (tmp_path / "parts/half.pkl").rename(tmp_path / "parts" / killed)
    (tmp_path / ".draft.folder/sub").mkdir(parents=True)
    (tmp_path / ".draft.folder/sub/.draft.x").touch()
    store.remove_drafts(tmp_path)
    assert sorted(file.name for file in tmp_path.rglob("*")) == [".features", "kept.txt", "parts"]


def _nothing(evidence: MeasureInput) -> Any:
    return np.zeros((len(evidence.items), len(evidence.items)))


def test_measures_are_passed_on_by_name_and_others_as_they_are() -> None:
    for name in ("dtw", "msm_shape", "fusion", "ssd_joint"):
        measure = registry.get(name)
        assert pickle.loads(pickle.dumps(measure)) is measure
    mine = Measure(name="dtw", label="mine", source="test", function=_nothing)
    again = pickle.loads(pickle.dumps(mine))
    assert again == mine
    assert again is not registry.get("dtw")


def test_real_places_are_those_of_the_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner/a.csv").touch()
    (tmp_path / "b.csv").symlink_to("inner/a.csv")
    (tmp_path / "folder").symlink_to("inner")
    (tmp_path / "lost").symlink_to("nowhere")
    monkeypatch.chdir(tmp_path)
    places = RealPaths()
    for name in (
        "inner/a.csv",
        "b.csv",
        "folder/a.csv",
        "folder/../b.csv",
        "lost",
        "lost/x",
        "none",
        "..",
        ".",
        "/",
        "/x",
    ):
        for path in (Path(name), tmp_path / name):
            assert places.real(path) == os.path.realpath(path)


def _recordings(folder: Path, number: int = 8) -> Path:
    random = np.random.default_rng(4)
    for i in range(number):
        rows = "".join(f"{x:.3f},{y:.3f}\n" for x, y in random.normal(size=(12, 2)).tolist())
        (folder / f"walk_{i}.csv").write_text("x,y\n" + rows)
    return folder


def test_a_table_about_the_recordings_gives_labels_and_groups(tmp_path: Path, recorded: Recorded) -> None:
    folder = _recordings(tmp_path)
    rows = [f"{20 + i},walk_{i}.csv,{'old' if i % 2 else 'young'},s{i // 4}" for i in range(8)]
    (folder / "metadata.csv").write_text("\n".join(["age,file,condition,subject", *rows]) + "\n")
    read = kinseq.read(folder)
    assert read.ids.tolist() == [f"walk_{i}.csv" for i in range(8)]
    assert read.labels is not None
    assert read.groups is not None
    assert read.labels.tolist() == ["young", "old"] * 4
    assert read.groups.tolist() == ["s0"] * 4 + ["s1"] * 4
    assert read.provenance[FURTHER_COLUMNS]["age"]["walk_3.csv"] == "23"
    about = [note for note in read.notes if "metadata.csv" in note]
    recorded(about)
    # Without a class there are no labels, and without any labels it is an ordinary file.
    (folder / "metadata.csv").write_text("id,age\n" + "".join(f"walk_{i},{20 + i}\n" for i in range(8)))
    assert kinseq.read(folder).labels is None
    assert any("skipped metadata.csv" in note for note in kinseq.read(folder, labels=None).notes)


def test_a_table_that_is_skipped_is_named_once(tmp_path: Path) -> None:
    folder = _recordings(tmp_path)
    (folder / "summary.csv").write_text("site,remark,mean\n" + "".join(f"a{i},good{i},{i}.5\n" for i in range(6)))
    notes = [note for note in kinseq.read(folder).notes if "summary.csv" in note or "remark" in note]
    assert len(notes) == 1
    assert notes[0].startswith("skipped summary.csv")
