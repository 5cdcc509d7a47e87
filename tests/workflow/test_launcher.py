"""Calls of snakemake by the launcher: what they are given, what is passed on, how they end."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import psutil
import pytest
from launcher import documents, engine

from kinseq.core.errors import ParameterError


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A script in place of Python; it tells how it was called, and goes on as a test says."""
    script = tmp_path / "python"
    script.write_text('#!/bin/sh\necho "$@ [$KINSEQ_BRIEF] $PYTHONPATH" >&2\n')
    script.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(script))
    monkeypatch.setenv("PYTHONPATH", "here")
    monkeypatch.delenv("KINSEQ_BRIEF", raising=False)
    return script


def go_on(script: Path, text: str) -> None:
    script.write_text(script.read_text() + text)


def test_snakemake_and_its_jobs_are_told_how_much_to_say(stand_in: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = f"here:{Path(engine.__file__).parents[1]}"
    for interval, expected in (
        (None, "-m snakemake own [] here\n"),
        (0, f"-m snakemake own --logger-kinseq-interval 0 --logger kinseq [] {path}\n"),
        (7, f"-m snakemake own --logger-kinseq-interval 7 --logger kinseq [1] {path}\n"),
    ):
        assert engine.snakemake("own", interval=interval) == 0
        assert capsys.readouterr().err == expected


def test_lines_are_passed_on_but_for_noise(stand_in: Path, capsys: pytest.CaptureFixture[str]) -> None:
    go_on(stand_in, 'echo "Using workflow specific profile x" >&2\necho "error: a.csv" >&2\nexit 3\n')
    assert engine.snakemake("own") == 3
    assert capsys.readouterr().err.splitlines()[1:] == ["error: a.csv"]


def test_a_snakemake_that_was_killed_is_told(stand_in: Path, capsys: pytest.CaptureFixture[str]) -> None:
    go_on(stand_in, "kill -9 $$\n")
    assert engine.snakemake("own") == 128 + signal.SIGKILL
    (said,) = capsys.readouterr().err.splitlines()[1:]
    assert said == "error: snakemake was ended from outside (SIGKILL); the same command takes up the work"


def test_what_does_not_end_by_itself_is_killed() -> None:
    # A shell that ignores the signal, as does the job that it has started.
    process = psutil.Popen(["sh", "-c", "trap '' TERM; sleep 100 & echo ready; wait; sleep 100"], stdout=-1)
    assert process.stdout.readline() == b"ready\n"
    members = [process, *process.children()]
    assert len(members) == 2
    engine.end(process, grace=0.1)
    assert not psutil.wait_procs(members, timeout=5)[1]
    assert process.returncode == -signal.SIGKILL


def test_one_signal_stops_and_others_wait() -> None:
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    try:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as by nohup
        signal.signal(signal.SIGINT, signal.default_int_handler)
        engine.heed_signals()
        signal.raise_signal(signal.SIGHUP)
        with pytest.raises(engine.Stopped) as stopped:
            signal.raise_signal(signal.SIGTERM)
        assert stopped.value.number == signal.SIGTERM
        signal.raise_signal(signal.SIGINT)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def test_documents_are_known_by_their_experiments(tmp_path: Path) -> None:
    texts = {
        "tab1": "{chapter: c, sources: [{document: T, item: tab1}, {document: P1, item: tab2}]}",
        "beside": "{chapter: c, sources: []}",
        "fig1": "{chapter: v, sources: [{document: V, item: fig1}]}",
        "nowhere": "{chapter: other}",
    }
    (tmp_path / "experiments").mkdir()
    for name, text in texts.items():
        (tmp_path / "experiments" / f"{name}.yaml").write_text(text)
    assert documents.named("T", tmp_path) == ["T"]
    assert documents.named(" P1, V ,V", tmp_path) == ["P1", "V"]
    assert documents.named("all", tmp_path) == ["P1", "T", "V"]


@pytest.mark.parametrize("words", ["X", "V,x", "", " ,", "tab2_1", "all,V"])
def test_a_document_that_is_not_there_is_refused_with_those_that_are(words: str) -> None:
    with pytest.raises(ParameterError, match=r"^DOCUMENT is '.*', expected some of P1, P2, S, T, V, as DOCUMENT=V or"):
        documents.named(words, Path(__file__).parents[2] / "config")
