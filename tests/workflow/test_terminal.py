"""Terminal output of a run: few lines, results and errors."""

from __future__ import annotations

import io
import logging
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from snakemake_interface_logger_plugins.common import LogEvent
from snakemake_interface_logger_plugins.registry import LoggerPluginRegistry

from kinseq.core.errors import KinseqError
from kinseq_documents import jobs
from kinseq_documents.conclusion import conclusion, missing_data
from snakemake_logger_plugin_kinseq import LOCKED, LogHandler, Progress, sentence
from tests.sentences import Recorded


def record(level: int = logging.INFO, msg: str = "", **told: Any) -> logging.LogRecord:
    made = logging.LogRecord("snakemake", level, "here", 1, msg, None, None)
    made.__dict__.update(told)
    return made


@pytest.fixture
def handler() -> Any:
    made = LogHandler(None, None)  # type: ignore[arg-type]
    yield made
    made.close()
    assert not made.ticker.is_alive()


def test_snakemake_finds_it_among_what_is_installed() -> None:
    assert LoggerPluginRegistry().get_plugin("kinseq").log_handler is LogHandler


def test_events_become_one_line(handler: LogHandler, capsys: pytest.CaptureFixture[str], recorded: Recorded) -> None:
    handler.emit(record(msg="Job stats: many lines", event=LogEvent.RUN_INFO, stats={"a": 4, "total": 4}))
    for number in (1, 2):
        told = {"jobid": number, "rule_msg": f"Models {number}", "rule_name": "models"}
        handler.emit(record(event=LogEvent.JOB_INFO, **told))
    recorded(handler.progress.line(0.0))
    handler.emit(record(event=LogEvent.JOB_FINISHED, job_id=1))
    handler.emit(record(event=LogEvent.PROGRESS, done=1, total=4))
    recorded(handler.progress.line(0.0))
    handler.emit(record(msg="Select jobs to execute..."))
    assert capsys.readouterr().err == ""


def test_a_plan_is_written_job_by_job_and_nothing_else(capsys: pytest.CaptureFixture[str], recorded: Recorded) -> None:
    made = LogHandler(SimpleNamespace(dryrun=True), None)  # type: ignore[arg-type]
    stats = record(msg="Job stats: many lines", event=LogEvent.RUN_INFO, stats={"scores": 2, "tables": 1, "total": 3})
    made.emit(stats)
    for number in (1, 2):
        made.emit(
            record(
                event=LogEvent.JOB_INFO,
                jobid=number,
                rule_msg=f"Scores {number}",
                rule_name="scores",
                reason="Missing output files: a, b",
            )
        )
    made.emit(stats)
    made.emit(record(logging.WARNING, "a file is late"))
    made.close()
    recorded(capsys.readouterr().err.splitlines())
    assert not made.progress.running


@pytest.mark.parametrize(
    ("done", "total", "seconds", "expected"),
    [
        (0, 0, 10, ""),
        (2, 8, 10, "2 of 8 done"),
        (4, 8, 10, "4 of 8 done, about 10 s left"),
        (4, 8, 600, "4 of 8 done, about 10 min left"),
        (8, 8, 10, "8 of 8 done"),
    ],
)
def test_the_time_left_is_that_of_the_jobs_left(done: int, total: int, seconds: float, expected: str) -> None:
    progress = Progress(100.0)
    progress.done, progress.total = done, total
    assert progress.line(100.0 + seconds) == expected


CALLED = "RuleException:\nCalledProcessError in file \"x.smk\", line 3:\nCommand 'python a.py' "
"""How Snakemake begins to tell of a job that failed."""


def fail(handler: LogHandler, how: str, jobid: int = 3) -> None:
    """The events of a job that fails, and those of the end of the run."""
    handler.emit(record(event=LogEvent.JOB_INFO, jobid=jobid, rule_msg="Scores of demo", rule_name="scores"))
    handler.emit(record(logging.ERROR, CALLED + how, event=LogEvent.ERROR, exception="RuleException"))
    failed = {"jobid": jobid, "rule_name": "scores", "log": ["logs/scores/demo.log"]}
    handler.emit(record(logging.ERROR, "Error in rule scores, jobid: 3", event=LogEvent.JOB_ERROR, **failed))
    handler.emit(record(logging.ERROR, "Exiting because a job execution failed. Look above for error messages"))
    end = "WorkflowError:\nAt least one job did not complete successfully."
    handler.emit(record(logging.ERROR, end, event=LogEvent.ERROR, exception="WorkflowError"))


def test_errors_are_told_once(handler: LogHandler, capsys: pytest.CaptureFixture[str], recorded: Recorded) -> None:
    fail(handler, "returned non-zero exit status 1.")
    missing = "MissingRuleException:\nNo rule to produce x."
    handler.emit(record(logging.ERROR, missing, event=LogEvent.ERROR, exception="MissingRuleException"))
    handler.emit(record(logging.WARNING, "a file is late"))
    recorded(capsys.readouterr().err.splitlines())


@pytest.mark.parametrize(
    ("how", "signal"),
    [("died with <Signals.SIGKILL: 9>.", " (SIGKILL)"), ("returned non-zero exit status 137.", "")],
)
def test_a_job_that_was_killed_is_told(
    handler: LogHandler, how: str, signal: str, capsys: pytest.CaptureFixture[str], recorded: Recorded
) -> None:
    fail(handler, how)
    recorded(capsys.readouterr().err.splitlines())


@pytest.mark.parametrize("how", ["died with <Signals.SIGINT: 2>.", "returned non-zero exit status 130."])
def test_jobs_that_ctrl_c_has_ended_are_no_failures(
    handler: LogHandler, how: str, capsys: pytest.CaptureFixture[str]
) -> None:
    fail(handler, how)
    assert capsys.readouterr().err == ""


def test_a_locked_folder_says_what_to_do(handler: LogHandler, capsys: pytest.CaptureFixture[str]) -> None:
    message = "LockException:\nError: Directory cannot be locked. It can be removed with the --unlock argument."
    handler.emit(record(logging.ERROR, message, event=LogEvent.ERROR, exception="LockException"))
    assert capsys.readouterr().err == f"error: {LOCKED}\n"


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (
            'WorkflowError in file "/a/b.smk", line 3:\nx.yaml: is empty\n  File "/a/b.smk", line 8, in f',
            "x.yaml: is empty",
        ),
        ("Error: cores must be given", "cores must be given"),
        (
            'MissingInputException in rule x in file "b.smk", line 3:\nMissing input files for rule x:\n'
            "    output: y\n    affected files:\n        a",
            "Missing input files for rule x: output: y affected files: a",
        ),
        (
            'InputFunctionException in rule x in file "b.smk", line 3:\nError:\n  WorkflowError:\n    no data\n'
            'Wildcards:\n\nTraceback:\n  File "b.smk", line 2, in f',
            "no data",
        ),
        # An error in the code comes with its location.
        (
            'KeyError in file "b.smk", line 3:\n\'k\'\n  File "b.smk", line 3, in f',
            "KeyError in file \"b.smk\", line 3: 'k'; .snakemake/log has more",
        ),
        (
            'Traceback (most recent call last):\n\n  File "cli.py", line 1, in f\n    g()\n\n'
            "OSError: [Errno 28] No space left on device: 'x'\n",
            "OSError: [Errno 28] No space left on device: 'x'; .snakemake/log has more",
        ),
    ],
)
def test_an_error_of_snakemake_is_one_sentence(message: str, expected: str) -> None:
    assert sentence(message) == expected


def test_a_line_is_written_by_itself(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("snakemake_logger_plugin_kinseq.FILE_INTERVAL_SECONDS", 0.01)
    made = LogHandler(None, None)  # type: ignore[arg-type]
    made.emit(record(event=LogEvent.PROGRESS, done=1, total=4))
    made.ticker.join(timeout=0.5)  # which it survives
    made.close()
    # Unchanged output is not rewritten at once.
    assert capsys.readouterr().err == "1 of 4 done\n"


@pytest.mark.parametrize("brief", [True, False])
def test_what_a_job_shows(brief: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, recorded: Recorded) -> None:
    terminal = io.StringIO()
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setattr("sys.__stderr__", terminal)
    monkeypatch.delenv("KINSEQ_HOME", raising=False)
    monkeypatch.setenv("KINSEQ_BRIEF", "1" if brief else "")
    log = tmp_path / "a.log"

    def run() -> None:
        with jobs.job(str(log)):
            print("EM ended after 40 iterations")
            jobs.announce("results/tables/a.html", "results/figures/a.svg")
            raise KinseqError("a.csv: is empty; take it away")

    with pytest.raises(SystemExit):
        run()
    recorded(log.read_text())
    assert ("EM ended" in terminal.getvalue()) == (not brief)
    assert ("made results/tables/a.html, results/figures/a.svg" in terminal.getvalue()) == brief
    assert terminal.getvalue().endswith("error: a.csv: is empty; take it away\n")


def test_a_job_that_ctrl_c_ends_leaves_no_traceback(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def run() -> None:
        with jobs.job(str(tmp_path / "a.log")):
            raise KeyboardInterrupt

    with pytest.raises(SystemExit) as stopped:
        run()
    assert stopped.value.code == jobs.INTERRUPTED
    assert (tmp_path / "a.log").read_text() == "interrupted\n"
    assert capsys.readouterr().err == ""


def test_what_whole_runs_have_used_is_added_up_in_a_table(tmp_path: Path) -> None:
    file = tmp_path / "benchmarks" / "runs.tsv"
    for began in (100.0, 200.0):
        jobs.account(file, began)
    head, *rows = [line.split("\t") for line in file.read_text().splitlines()]
    assert head == ["began", "ended", "cpu_seconds"]
    assert [float(row[0]) for row in rows] == [100.0, 200.0]
    assert all(float(row[1]) > 200.0 and float(row[2]) > 0.1 for row in rows)


def test_missing_data_are_one_line(tmp_path: Path, recorded: Recorded) -> None:
    table = tmp_path / "data.csv"
    table.write_text(
        'dataset,status,detail\na,available,here\nb,not available,"gone; ask, or not"\nc,downloaded,there\n'
    )
    recorded(missing_data(table))
    table.write_text("dataset,status,detail\na,available,here\n")
    assert missing_data(table) == ""
    assert missing_data(tmp_path / "none.csv") == ""


def test_the_end_names_the_page_and_the_verdicts(tmp_path: Path, recorded: Recorded) -> None:
    assert conclusion(tmp_path) == f"done: open {tmp_path}"
    (tmp_path / "index.html").write_text("")
    recorded(conclusion(tmp_path))
    (tmp_path / "fidelity.csv").write_text("kind,experiment,verdict\ncell,a,reproduced\ncell,a,close\nclaim,a,held\n")
    recorded(conclusion(tmp_path))
