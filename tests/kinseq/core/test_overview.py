"""A first look at data, by ``kinseq read`` and by the representation of what was read."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import kinseq
from kinseq.cli import console
from kinseq.core.overview import overview
from kinseq.core.sequences import SequenceSet, heading
from kinseq.core.wording import speaking
from kinseq.options import COMMAND_LINE, COMMANDS
from kinseq.readers.reading import OPTIONS
from tests.sentences import Recorded


def tables(folder: Path) -> Path:
    """Eleven tables of two channels and a time, the k-th of 20 + k rows, with a column of text."""
    random = np.random.default_rng(0)
    (folder / "runs").mkdir()
    for k in range(11):
        rows = [
            f"{0.5 * i},{x:.3f},{y:.3f},ok{i % 3}" for i, (x, y) in enumerate(random.normal(size=(20 + k, 2)).tolist())
        ]
        (folder / f"runs/r{k:02d}.csv").write_text("\n".join(["time [s],force,torque,remark", *rows]) + "\n")
    labels = [f"r{k:02d}.csv,{'new' if k < 4 else 'worn'}" for k in range(11)]
    (folder / "runs/labels.csv").write_text("\n".join(["id,label", *labels]) + "\n")
    return folder / "runs"


def typed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """Return status, output and errors of a command."""
    monkeypatch.setattr("sys.argv", ["kinseq", *words])
    status = console.main()
    said = capsys.readouterr()
    return status, said.out, said.err


def test_read_shows_what_would_be_read_and_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], recorded: Recorded
) -> None:
    folder = tables(tmp_path)
    monkeypatch.chdir(tmp_path)
    status, said, _ = typed(monkeypatch, capsys, "read", "runs")
    assert status == 0
    lines = said.splitlines()
    recorded(lines[0])
    assert "channels  force, torque" in lines
    recorded(lines)
    assert "labels    new (4), worn (7)" in lines
    assert "  r09.csv  29      14.5 s  worn" in lines
    assert "  and 1 more" in lines
    first = np.loadtxt(folder / "r00.csv", delimiter=",", skiprows=1, usecols=(1, 2))
    place = lines.index("first rows of r00.csv")
    shown = [[float(cell) for cell in line.split()] for line in lines[place + 2 : place + 7]]
    np.testing.assert_allclose(shown, first[:5], rtol=1e-4)
    assert any(line.startswith("  - left out the column 'remark'") for line in lines)
    recorded(lines)
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["runs"]


def test_the_representation_of_what_was_read_says_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], recorded: Recorded
) -> None:
    folder = tables(tmp_path)
    sequences = kinseq.read(folder, drop_columns=["torque"])
    _, said, _ = typed(monkeypatch, capsys, "read", str(folder), "--drop", "torque")
    with speaking(COMMAND_LINE):
        assert said == f"runs: {heading(sequences)}\n{overview(sequences)}\n"
    assert repr(sequences) == f"SequenceSet('runs': {heading(sequences)})\n{overview(sequences)}"
    assert "drop_columns=" not in repr(sequences)  # a single channel is left
    # Sets that were not read have no files, notes or options.
    made = SequenceSet.from_arrays([np.zeros((3, 2)), np.ones((5, 2))])
    recorded(repr(made))


def test_symbols_and_single_sequences_are_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], recorded: Recorded
) -> None:
    (tmp_path / "one.csv").write_text("x\n" + "\n".join(str(0.5 * (i % 7)) for i in range(90)) + "\n")
    _, said, _ = typed(monkeypatch, capsys, "read", str(tmp_path / "one.csv"))
    assert said.startswith("one: 1 sequence of 90 frames, 1 feature\n")
    recorded(said)
    (tmp_path / "words").mkdir()
    for k in range(6):
        (tmp_path / f"words/u{k}.csv").write_text("\n".join(["action", *("view", "buy", "view") * 10]) + "\n")
    _, said, _ = typed(monkeypatch, capsys, "read", str(tmp_path / "words"), "--symbols", "action")
    assert "symbols   2: buy, view" in said
    recorded.within(said)


def test_read_takes_every_option_of_reading_and_says_what_is_wrong_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    wanted = {entry.name for entry in OPTIONS.values() if entry.word is not None and entry.in_files}
    assert wanted == {entry.name for entry in COMMANDS["read"].options.values()} - {"data", "threads"}
    status, said, error = typed(monkeypatch, capsys, "read", str(tmp_path / "none"))
    assert (status, said) == (1, "")
    assert error.startswith("error: ")
    assert len(error.splitlines()) == 1
    status, said, error = typed(monkeypatch, capsys, "read", str(tables(tmp_path)), "--cut", "0")
    assert (status, said) == (1, "")
    assert "cut is '0'" in error
