"""make reproduce: killed at any moment and started again, stopped by Ctrl-C, two runs at once, one document."""

from __future__ import annotations

import csv
import io
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from tests.sentences import Recorded

from .project import Project

LOCKED = "error: this folder is locked: another run is at work, or one was killed; wait for it, or call make unlock"


def made(project: Project, *words: str) -> subprocess.CompletedProcess[str]:
    """Call make and wait."""
    return subprocess.run(
        project.make(*words),
        cwd=project.folder,
        env=project.environment(),
        capture_output=True,
        text=True,
        check=False,
        timeout=project.patience,
    )


def wait_for(condition: Path, run: subprocess.Popen[str], seconds: float = 300) -> None:
    """Wait until a path exists while a run is at work."""
    end = time.monotonic() + seconds
    while not condition.exists():
        assert run.poll() is None, run.stdout.read() if run.stdout else ""
        assert time.monotonic() < end, f"{condition} did not appear"
        time.sleep(0.05)


def locks(project: Project) -> list[Path]:
    return list((project.folder / ".snakemake/locks").glob("*"))


@contextmanager
def a_job_at_work(project: Project) -> Iterator[tuple[psutil.Process, psutil.Process]]:
    """Start a run by make and hold one of its jobs: the process of Snakemake, and that of the job."""
    run = project.start(*project.make("reproduce"))
    job = None
    try:
        end = time.monotonic() + 300
        while job is None:
            assert run.poll() is None, run.stdout.read() if run.stdout else ""
            assert time.monotonic() < end
            for process in psutil.Process(run.pid).children(recursive=True):
                try:
                    words = process.cmdline()
                except psutil.Error:
                    continue
                if any("/.snakemake/scripts/" in word for word in words) and Path(words[0]).name.startswith("python"):
                    job = process
            time.sleep(0.02)
        job.suspend()
        (engine,) = (
            process
            for process in psutil.Process(run.pid).children(recursive=True)
            if any(Path(word).name == "snakemake" for word in process.cmdline()[:3])
            and Path(process.cmdline()[0]).name.startswith("python")
        )
        yield engine, job
    finally:
        if job is not None and job.is_running():
            job.kill()
        os.killpg(run.pid, signal.SIGKILL)
        run.communicate(timeout=60)


@pytest.mark.parametrize(
    "stage",
    ["models", pytest.param("sequences", marks=pytest.mark.slow), pytest.param("partitions", marks=pytest.mark.slow)],
)
def test_killed_and_started_again_gives_the_same_scores(
    finished: Project, fresh: Project, stage: str, recorded: Recorded
) -> None:
    """They are some of those of the finished project."""
    experiment = fresh.read("experiments/demo.yaml")
    experiment["parts"][0] |= {"datasets": ["tiny_other", "lost"], "measures": ["yy"]}
    fresh.write("experiments/demo.yaml", experiment)
    run = fresh.start(*fresh.make("reproduce"))
    wait_for(fresh.folder / "results" / stage, run)
    os.killpg(run.pid, signal.SIGKILL)
    run.communicate()
    assert not (fresh.folder / "results/scores/demo.csv").exists()

    refused = made(fresh, "reproduce")
    assert refused.returncode != 0
    assert LOCKED in refused.stderr
    unlocked = made(fresh, "unlock")
    assert unlocked.returncode == 0, unlocked.stderr
    again = made(fresh, "reproduce")
    assert again.returncode == 0, again.stdout[-2000:] + again.stderr[-2000:]
    header, *scores = finished.result("scores/demo.csv").decode().splitlines()
    expected = [line for line in scores if ",tiny_other," in line and ",dtw," not in line and ",kl_ll," not in line]
    assert fresh.result("scores/demo.csv").decode().splitlines() == [header, *expected]
    assert (fresh.folder / "results/report.html").stat().st_size > 0
    # Short output: what is made, progress, missing data, what to open.
    recorded.within(again.stderr)
    others = [line for line in again.stderr.splitlines() if not line.startswith("made ") and " done" not in line]
    assert not [line for line in others if not line.startswith("Using ")]
    missing, *end = again.stdout.splitlines()
    recorded(missing)
    recorded(end[0])
    # The finished run is accounted for, the killed one is not.
    (run_of_all,) = csv.DictReader(io.StringIO(fresh.result("benchmarks/runs.tsv").decode()), delimiter="\t")
    assert float(run_of_all["cpu_seconds"]) > 1
    assert float(run_of_all["ended"]) > float(run_of_all["began"])


def test_a_second_run_is_refused_and_no_second_copy_of_a_job_runs_beside_one_that_lives_on(
    small: Project, recorded: Recorded
) -> None:
    with a_job_at_work(small) as (engine, job):
        second = made(small, "reproduce")
        assert second.returncode != 0
        assert LOCKED in second.stderr
        assert "Traceback" not in second.stderr
        assert job.is_running()
        engine.kill()
        psutil.wait_procs([engine], timeout=30)
        assert job.is_running()
        again = made(small, "reproduce")
        assert again.returncode != 0
        assert LOCKED in again.stderr
        refused = made(small, "unlock")
        assert refused.returncode != 0
        (said,) = [line for line in refused.stderr.splitlines() if line.startswith("error: ")]
        assert f" {job.pid}" in said
        recorded.within(said)
        assert locks(small)
        job.kill()
        psutil.wait_procs([job], timeout=30)
        assert made(small, "unlock").returncode == 0
        assert not locks(small)


def test_ctrl_c_ends_the_jobs_and_says_how_to_go_on(fresh: Project, recorded: Recorded) -> None:
    run = fresh.start(*fresh.make("reproduce"))
    wait_for(fresh.folder / "results/logs/models", run)
    time.sleep(1.0)
    workers = psutil.Process(run.pid).children(recursive=True)
    assert len(workers) >= 2
    # Ctrl-C reaches every process of the terminal.
    os.killpg(run.pid, signal.SIGINT)
    said = run.communicate(timeout=120)[0]
    assert run.returncode != 0
    recorded.within(said)
    assert "error: " not in said
    assert "failed: " not in said
    _, alive = psutil.wait_procs(workers, timeout=10)
    assert not alive
    assert not locks(fresh)


def test_a_report_that_cannot_be_made_says_why(copied: Project, recorded: Recorded) -> None:
    (copied.folder / "workflow/report/table.rst").write_text("{{ snakemake.params.nothing.there }}")
    done = made(copied, "reproduce")
    assert done.returncode != 0
    said = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
    assert len(said) == 1
    recorded.within(said[0])
    assert "table.rst" in said[0]
    assert not (copied.folder / "results/report.html").exists()


def test_documents_that_are_not_named_or_not_known_are_refused(small: Project) -> None:
    empty = made(small, "reproduce", "DOCUMENT=")
    assert empty.returncode != 0
    assert "DOCUMENT is empty" in empty.stderr
    # Other errors are tested in tests/kinseq_documents/test_project.py.
    done = made(small, "reproduce", "DOCUMENT=T,x")
    assert done.returncode != 0
    (said,) = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
    assert "DOCUMENT is" in said
    assert "expected some of T" in said
    assert not (small.folder / "results").exists()


@pytest.mark.slow
def test_the_items_of_one_document(small: Project) -> None:
    """Publishing a run of one document is tested in test_runs.py."""
    done = made(small, "reproduce", "DOCUMENT=T")
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.splitlines()[-1] == "done: T"
    left = {path.name for path in (small.folder / "results").iterdir()}
    assert {"scores", "tables", "documents"} <= left
    assert not {"index.html", "fidelity.csv", "report.html"} & left


def test_processes_of_other_folders_do_not_count(tmp_path: Path) -> None:
    import unlock

    script = tmp_path / ".snakemake" / "scripts" / "tmp.models.py"
    script.parent.mkdir(parents=True)
    script.write_text("print('ready', flush=True)\nimport time\ntime.sleep(100)\n")
    with subprocess.Popen([sys.executable, str(script)], cwd=tmp_path, stdout=subprocess.PIPE, text=True) as job:
        assert job.stdout is not None
        assert job.stdout.readline() == "ready\n"
        try:
            assert [process.pid for process in unlock.at_work(tmp_path)] == [job.pid]
            assert not unlock.at_work(tmp_path.parent)
        finally:
            job.kill()
