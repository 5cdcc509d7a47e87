"""What the launcher says of a call of snakemake that failed without a word."""

from __future__ import annotations

import os
from pathlib import Path

import launch
import pytest
from launching.engine import Outcome, last_written

SILENT = Outcome(1, error_reported=False, cpu_seconds=0.0)


@pytest.fixture
def logs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Logs of three jobs, of which the second was written last; the call can be planned."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(launch, "_reason_aloud", lambda _: "")
    for i, name in enumerate(("own/c.log", "own/b.log", "a.log")):
        (tmp_path / "logs" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "logs" / name).write_text("read 1/2\n")
        os.utime(tmp_path / "logs" / name, (100 + (i == 1), 100 + (i == 1)))
    return Path("logs")


def test_a_job_that_was_ended_from_outside_is_named(logs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    launch.explain(SILENT, ["own"], logs=logs)
    said = capsys.readouterr().err
    assert said.startswith("error: a job was ended from outside, perhaps by the system since memory ran short;")
    assert said.endswith("logs/own/b.log is the last log that was written\n")


def test_what_is_known_is_said_instead(
    logs: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    launch.explain(Outcome(1, error_reported=True, cpu_seconds=0.0), ["own"], logs=logs)
    assert capsys.readouterr().err == ""
    launch.explain(SILENT, ["own"], logs=Path("none"))
    assert capsys.readouterr().err == "error: the run failed without a word\n"
    launch.explain(SILENT, ["report"])
    assert capsys.readouterr().err == "error: the run failed without a word\n"
    monkeypatch.setattr(launch, "_reason_aloud", lambda _: "the folder is locked")
    launch.explain(SILENT, ["own"], logs=logs)
    assert capsys.readouterr().err == "error: the folder is locked\n"
    assert last_written(Path("none")) is None
