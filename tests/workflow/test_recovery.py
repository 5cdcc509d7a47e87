"""Killed at any moment and started again; locks; two runs at once."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from .project import Project


def start(project: Project, *command: str) -> subprocess.Popen[str]:
    """Start a command in the project in a process group of its own."""
    return subprocess.Popen(
        command,
        cwd=project.folder,
        env=project.environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def launcher(project: Project) -> list[str]:
    return [sys.executable, str(project.folder / "workflow/launch.py"), "--cores", "2"]


def wait_for(condition: Path, run: subprocess.Popen[str], seconds: float = 300) -> None:
    """Wait until a path exists while a run is at work."""
    end = time.monotonic() + seconds
    while not condition.exists():
        assert run.poll() is None, run.stdout.read() if run.stdout else ""
        assert time.monotonic() < end, f"{condition} did not appear"
        time.sleep(0.05)


@pytest.mark.parametrize("stage", ["sequences", "models", "partitions"])
def test_killed_and_started_again_gives_the_same_scores(finished: Project, fresh: Project, stage: str) -> None:
    run = start(fresh, *launcher(fresh))
    wait_for(fresh.folder / "results" / stage, run)
    os.killpg(run.pid, signal.SIGKILL)
    run.wait()
    assert not (fresh.folder / "results/scores/demo.csv").exists()
    again = subprocess.run(
        launcher(fresh), cwd=fresh.folder, env=fresh.environment(), capture_output=True, text=True, check=False
    )
    assert again.returncode == 0, again.stdout[-2000:] + again.stderr[-2000:]
    assert fresh.result("scores/demo.csv") == finished.result("scores/demo.csv")


def test_a_lock_that_nobody_holds_is_removed(copied: Project) -> None:
    locks = copied.folder / ".snakemake/locks"
    locks.mkdir(exist_ok=True)
    (locks / "0.output.lock").write_text(str(copied.folder / "results/scores/demo.csv"))
    done = subprocess.run(
        launcher(copied), cwd=copied.folder, env=copied.environment(), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    assert "an earlier run was killed" in done.stderr


def test_a_lock_that_a_live_run_holds_is_respected(small: Project) -> None:
    run = start(small, *launcher(small))
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
    run = start(small, *small.command("--cores", "1", "--scheduler", "greedy"))
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
