"""Killed at any moment and started again; locks; two runs at once."""

from __future__ import annotations

import csv
import io
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import psutil
import pytest
from launcher.owner import Owner

from .project import ROOT, Project


def launcher(project: Project) -> list[str]:
    return [sys.executable, str(project.folder / "workflow/launch.py"), "--cores", "2"]


def launched(project: Project) -> subprocess.CompletedProcess[str]:
    """Call the launcher and wait."""
    return subprocess.run(
        launcher(project), cwd=project.folder, env=project.environment(), capture_output=True, text=True, check=False
    )


def leave_locks(project: Project, owner: Owner | None) -> Path:
    """What a run leaves that was killed: a lock of snakemake, and who held the folder."""
    locks = project.folder / ".snakemake/locks"
    locks.mkdir(parents=True, exist_ok=True)
    (locks / "0.output.lock").write_text(str(project.folder / "results/scores/demo.csv"))
    (locks.parent / "kinseq.lock").write_text(owner.text() if owner else "")
    return locks


def wait_for(condition: Path, run: subprocess.Popen[str], seconds: float = 300) -> None:
    """Wait until a path exists while a run is at work."""
    end = time.monotonic() + seconds
    while not condition.exists():
        assert run.poll() is None, run.stdout.read() if run.stdout else ""
        assert time.monotonic() < end, f"{condition} did not appear"
        time.sleep(0.05)


@pytest.mark.parametrize(
    "stage",
    ["models", pytest.param("sequences", marks=pytest.mark.slow), pytest.param("partitions", marks=pytest.mark.slow)],
)
def test_killed_and_started_again_gives_the_same_scores(finished: Project, fresh: Project, stage: str) -> None:
    run = fresh.start(*launcher(fresh))
    wait_for(fresh.folder / "results" / stage, run)
    os.killpg(run.pid, signal.SIGKILL)
    run.wait()
    assert not (fresh.folder / "results/scores/demo.csv").exists()
    again = launched(fresh)
    assert again.returncode == 0, again.stdout[-2000:] + again.stderr[-2000:]
    assert fresh.result("scores/demo.csv") == finished.result("scores/demo.csv")
    # Little is said: what is made, what is missing, what to open.
    assert "made results/tables/demo.html" in again.stderr
    others = [line for line in again.stderr.splitlines() if not line.startswith("made ") and " done" not in line]
    assert others == ["an earlier run was killed; taking up its work"]
    missing, end = again.stdout.splitlines()
    assert missing == "not available: 1 of 3 data sets (lost); results/data.csv has the reasons"
    assert end.endswith("s: open results/index.html")
    # The run that ended is accounted for, the one that was killed is not.
    (run_of_all,) = csv.DictReader(io.StringIO(fresh.result("benchmarks/runs.tsv").decode()), delimiter="\t")
    assert float(run_of_all["cpu_seconds"]) > 1


def test_the_lock_of_a_killed_run_is_removed(copied: Project) -> None:
    leave_locks(copied, Owner(socket.gethostname(), 2**22 - 1, 0.0))
    done = launched(copied)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    assert "an earlier run was killed" in done.stderr
    assert not (copied.folder / ".snakemake/kinseq.lock").read_text()


def test_a_report_that_cannot_be_made_says_why(copied: Project) -> None:
    (copied.folder / "workflow/report/table.rst").write_text("{{ snakemake.params.nothing.there }}")
    done = launched(copied)
    assert done.returncode == 1
    said = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
    assert len(said) == 1
    assert "Error loading caption file" in said[0]
    assert "table.rst" in said[0]
    assert not (copied.folder / "results/report.html").exists()


@pytest.mark.parametrize(
    "owner, sentence", [(Owner("elsewhere", 1, 0.0), "a run on host elsewhere"), (None, "locked by a snakemake")]
)
def test_the_lock_of_a_run_that_may_live_is_respected(fresh: Project, owner: Owner | None, sentence: str) -> None:
    locks = leave_locks(fresh, owner)
    done = launched(fresh)
    assert done.returncode == 1
    assert [line[:7] for line in done.stderr.splitlines()] == ["error: "]
    assert sentence in done.stderr
    assert any(locks.iterdir())
    assert not (fresh.folder / "results").exists()


@pytest.mark.parametrize("number, whole_group", [(signal.SIGINT, True), (signal.SIGTERM, False)])
def test_a_run_that_is_stopped_leaves_nothing_at_work(fresh: Project, number: int, whole_group: bool) -> None:
    # Ctrl-C reaches every process of the terminal, a signal by number one alone: here make.
    shutil.copy(ROOT / "Makefile", fresh.folder)
    (fresh.folder / ".venv").symlink_to(sys.prefix)
    (fresh.folder / "data").mkdir()
    rng = np.random.default_rng(0)
    for i in range(200):
        np.savetxt(fresh.folder / f"data/{i}.csv", rng.normal(size=(100, 3)), delimiter=",")
    run = fresh.start("make", "-o", ".venv/.installed", "cluster", "DATA=data", "MEASURE=ssd", "CORES=2")
    assert run.stdout is not None
    said = ""
    for line in run.stdout:
        said += line
        if "fit the common model" in line:
            break
    workers = psutil.Process(run.pid).children(recursive=True)
    assert len(workers) >= 3, said
    (os.killpg if whole_group else os.kill)(run.pid, number)
    said += run.communicate(timeout=60)[0]
    assert run.returncode != 0
    assert "stopped; the same command takes up the work" in said
    assert "Traceback" not in said
    assert "error: " not in said
    _, alive = psutil.wait_procs(workers, timeout=10)
    assert not alive
    assert not list((fresh.folder / ".snakemake/locks").glob("*"))
    assert not (fresh.folder / ".snakemake/kinseq.lock").read_text()


def test_a_lock_that_a_live_run_holds_is_respected(small: Project) -> None:
    run = small.start(*launcher(small))
    try:
        wait_for(small.folder / ".snakemake/kinseq.lock", run)
        time.sleep(0.5)
        second = subprocess.run(
            launcher(small), cwd=small.folder, env=small.environment(), capture_output=True, text=True, check=False
        )
        assert second.returncode != 0
        assert "another run is at work" in second.stderr
        assert "Traceback" not in second.stderr
    finally:
        run.communicate(timeout=300)
    assert run.returncode == 0


def test_a_plain_snakemake_that_is_at_work_is_noticed(small: Project) -> None:
    run = small.start(*small.command("--cores", "1", "--scheduler", "greedy"))
    try:
        wait_for(small.folder / "results/sequences", run)
        second = subprocess.run(
            launcher(small), cwd=small.folder, env=small.environment(), capture_output=True, text=True, check=False
        )
        assert second.returncode != 0
        assert "another run is at work" in second.stderr
    finally:
        run.communicate(timeout=300)
    assert run.returncode == 0
