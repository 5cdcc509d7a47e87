"""``kinseq predict``: what it leaves, parts that are put together, one sentence for every mistake."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

import kinseq
from kinseq.cli import commands, console
from kinseq.cli.predict import FILES
from kinseq.core.errors import KinseqError
from kinseq.options import PREDICTING
from tests.sentences import Recorded


def write(folder: Path, levels: list[float], seed: int, columns: str = "x,y", step: float | None = None) -> None:
    """Tables of noise about levels; with times where there is a step between them."""
    rng = np.random.default_rng(seed)
    folder.mkdir()
    for i, level in enumerate(levels):
        table = rng.normal(level, 1.0, size=(12, columns.count(",") + 1))
        head = columns
        if step is not None:
            table, head = np.column_stack([step * np.arange(12), table]), f"time [s],{columns}"
        np.savetxt(folder / f"f{i:02d}.csv", table, delimiter=",", fmt="%.4f", header=head, comments="")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A result of sixteen tables of two kinds, and seven new ones, of which one is of neither kind."""
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "old", [6.0 * (i % 2) for i in range(16)], 0)
    write(tmp_path / "new", [0.0, 6.0, 0.0, 60.0, 6.0, 0.0, 6.0], 1)
    console.run(["cluster", "old", "-k", "2", "--measure", "dtw"])
    return tmp_path


def rows(folder: Path) -> list[dict[str, str]]:
    return list(csv.DictReader((folder / "partition.csv").read_text(encoding="utf-8").splitlines()))


def test_new_files_get_clusters_and_strangers_are_said_first(
    place: Path, capsys: pytest.CaptureFixture[str], recorded: Recorded
) -> None:
    capsys.readouterr()
    page = console.run(["predict", "results/own/old", "new"])
    assert page == Path("results/predict/new/index.html")
    assert {file.name for file in page.parent.iterdir()} == set(FILES)
    table = rows(page.parent)
    assert [row["id"] for row in table] == [f"f{i:02d}.csv" for i in range(7)]
    assert [row["fits"] for row in table] == ["yes"] * 3 + ["no"] + ["yes"] * 3
    old = {row["id"]: row["cluster"] for row in rows(Path("results/own/old"))}
    assert [table[i]["cluster"] for i in (0, 2, 5)] == [old["f00.csv"]] * 3
    assert [table[i]["cluster"] for i in (1, 4, 6)] == [old["f01.csv"]] * 3
    recorded.within(capsys.readouterr().out)
    text = page.read_text(encoding="utf-8")
    assert text.index("1 of 7 fits nowhere (f03.csv)") < text.index("fits nowhere; ") < text.index("<h2>Clusters")
    recorded.within(text)
    summary = list(csv.DictReader((page.parent / "summary.csv").read_text().splitlines()))
    assert [(row["old"], row["new"], row["fit"]) for row in summary] == [("8", "3", "3"), ("8", "4", "3")] or [
        (row["old"], row["new"], row["fit"]) for row in summary
    ] == [("8", "4", "3"), ("8", "3", "3")]
    # The same from Python.
    placed = kinseq.load("results/own/old/result.kinseq").place("new")
    assert [str(k + 1) for k in placed.labels] == [row["cluster"] for row in table]


def test_parts_that_are_put_together_are_what_one_call_writes(place: Path, recorded: Recorded) -> None:
    whole = console.run(["predict", "results/own/old", "new", "--name", "one"]).parent
    for number in (3, 1, 2):
        file = console.run(["predict", "results/own/old", "new", "--name", "parts", "--part", f"{number}/3"])
        assert file == Path(f"results/predict/parts/parts/{number}-of-3.npz")
    parts = console.run(["predict", "results/own/old", "new", "--name", "parts", "--gather", "3"]).parent
    for name in FILES:
        text = (parts / name).read_text(encoding="utf-8")
        assert text.replace('"parts"', '"one"').replace("--name parts", "--name one") == (whole / name).read_text(
            encoding="utf-8"
        )
    with recorded.raises(KinseqError):
        console.run(["predict", "results/own/old", "new", "--name", "parts", "--gather", "2"])
    with recorded.raises(KinseqError):
        console.run(
            ["predict", "results/own/old", "new", "--name", "parts", "--gather", "3", "--missing", "interpolate"]
        )


def test_a_file_by_itself_is_a_sequence(place: Path) -> None:
    page = console.run(["predict", "results/own/old/result.kinseq", "new/f03.csv"])
    assert [(row["id"], row["fits"]) for row in rows(page.parent)] == [("f03.csv", "no")]


def test_each_option_that_is_taken_is_followed(place: Path) -> None:
    assert {"kind", "missing", "time_column", "segments", "rows", "sample_rate"} <= PREDICTING.keys()
    assert not {"features", "labels", "rate"} & PREDICTING.keys()
    # Columns with other names than in the old files, in one table of all.
    rng = np.random.default_rng(3)
    lines = [
        f"{n},{k},{x:.3f},{y:.3f}" for n in range(4) for k, (x, y) in enumerate(rng.normal(6.0 * (n % 2), size=(12, 2)))
    ]
    lines[3] = lines[3].rpartition(",")[0] + ","
    (place / "all.csv").write_text("\n".join(["case,step,x,y", *lines]) + "\n")
    words = ["predict", "results/own/old", "all.csv", "--id", "case", "--time", "step", "--columns", "x,y"]
    with pytest.raises(KinseqError, match="is missing"):
        console.run(words)
    words += ["--missing", "interpolate"]
    table = rows(console.run(words).parent)
    assert [row["id"] for row in table] == ["0", "1", "2", "3"]
    assert table[0]["cluster"] == table[2]["cluster"] != table[1]["cluster"] == table[3]["cluster"]


def test_a_rate_that_a_note_names_is_taken_for_new_recordings(tmp_path: Path, recorded: Recorded) -> None:
    soundfile = pytest.importorskip("soundfile")
    for folder, rate, count in (("old", 16000, 12), ("new", 8000, 2)):
        (tmp_path / folder).mkdir()
        for number in range(count):
            time = np.arange(rate // 3) / rate
            tone = np.sin(2 * np.pi * (500, 1500)[number % 2] * time)
            noise = np.random.default_rng(number).normal(scale=0.01, size=time.size)
            soundfile.write(tmp_path / folder / f"{number:02d}.wav", 0.3 * tone + noise, rate)
    found = kinseq.cluster(tmp_path / "old", 2, "dtw")
    (named,) = [note for note in found.place(tmp_path / "new").notes if "sample_rate=8000" in note]
    recorded.within(named)
    placed = found.place(tmp_path / "new", sample_rate=8000)
    assert not any("hold nothing above" in note for note in placed.notes)
    assert placed.labels[0] != placed.labels[1]


@pytest.mark.parametrize(
    "words",
    [
        ["old", "new"],
        ["results/own/old/partition.csv", "new"],
        ["nowhere", "new"],
        ["results/own/old", "nowhere"],
        ["results/own/old", "empty"],
        ["results/own/old", "wide"],
        ["results/own/old", "named"],
        ["results/own/old", "new", "--part", "8/8"],
        ["results/own/old", "new", "--part", "9/8"],
        ["results/own/old", "new", "--part", "1/2", "--gather", "2"],
        ["results/own/old", "."],
        ["results/own/old", "new", "--name", "a/b"],
        ["", "new"],
    ],
)
def test_mistakes_are_one_sentence_and_leave_nothing(place: Path, words: list[str], recorded: Recorded) -> None:
    (place / "empty").mkdir()
    write(place / "wide", [0.0, 1.0], 2, "x,y,z")
    write(place / "named", [0.0, 1.0], 2, "x,z")
    with recorded.raises(KinseqError) as said:
        console.run(["predict", *words])
    assert "\n" not in str(said.value)
    assert not (place / "results/predict").exists()


def test_frames_at_another_rate_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, recorded: Recorded
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "old", [6.0 * (i % 2) for i in range(8)], 0, step=0.5)
    write(tmp_path / "same", [0.0, 6.0], 1, step=0.5)
    write(tmp_path / "slow", [0.0, 6.0], 1, step=2.0)
    console.run(["cluster", "old", "-k", "2", "--measure", "dtw"])
    console.run(["predict", "results/own/old", "same"])
    with recorded.raises(KinseqError):
        console.run(["predict", "results/own/old", "slow"])


def test_of_a_function_no_result_is_left_and_it_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def apart(x: np.ndarray, y: np.ndarray) -> float:
        return float(abs(x.mean() - y.mean()))

    file = tmp_path / "result.kinseq"
    file.write_text("of an earlier run")
    sequences = [np.full((5, 1), float(i)) + np.arange(5)[:, None] for i in range(6)]
    commands.keep(kinseq.cluster(sequences, 2, apart), file)
    assert not file.exists()
    said = capsys.readouterr().out.splitlines()
    assert len(said) == 1
    assert said[0].startswith("note: no result.kinseq is left: measure 'apart' is a function of yours")
