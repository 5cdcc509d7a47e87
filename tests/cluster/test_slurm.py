"""The profile on a real SLURM: a job that is cancelled, a run that is stopped and taken up, the scores of a local run; own data."""

from __future__ import annotations

import getpass
import json
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from kinseq.core.sequences import SequenceSet
from kinseq.readers.writers import write_folder

from ..workflow.project import ROOT, Project, heed_interrupts
from ..workflow.test_own import PATH, SNAKEFILE
from .slurm import answer

EXPERIMENTS = ("fig2_2", "kl_check")
"""A comparison and an estimation, both on generated data."""
BATCH = {"trials": 2, "models": 4, "measures": 8}
"""Of the local run; other jobs than those of the profile."""
PATIENCE = 1800.0
"""Seconds that a step of the run on the cluster may take, most of them spent by jobs that wait in the queue."""


def project(folder: Path) -> Project:
    """The experiments as they are shipped."""
    made = Project(folder)
    shutil.rmtree(made.config)
    (made.config / "experiments").mkdir(parents=True)
    for path in (ROOT / "config").glob("*.yaml"):
        shutil.copy(path, made.config)
    for name in EXPERIMENTS:
        shutil.copy(ROOT / "config/experiments" / f"{name}.yaml", made.config / "experiments")
    made.change("config.yaml", offline=True)
    shutil.copytree(ROOT / "profiles", folder / "profiles")
    return made


@dataclass
class Run:
    """A call of snakemake, one that submits jobs if it is not a local one."""

    place: Project
    local: bool = False
    process: subprocess.Popen[bytes] = field(init=False)

    def __post_init__(self) -> None:
        how = ["--cores", "2"] if self.local else ["--workflow-profile", "profiles/slurm"]
        command = self.place.command(*EXPERIMENTS, *how)
        # The plugin looks up the user's account by name, which containers do not set.
        env = self.place.environment(USER=getpass.getuser())
        with (self.place.folder / "run.log").open("ab") as log:
            self.process = subprocess.Popen(
                command,
                cwd=self.place.folder,
                env=env,
                stdout=log,
                stderr=log,
                preexec_fn=heed_interrupts,
            )

    def said(self) -> str:
        """Output of all calls so far."""
        return (self.place.folder / "run.log").read_text(encoding="utf-8", errors="replace")

    def until(self, holds: Callable[[], bool], what: str) -> None:
        """Wait while the run is at work."""
        end = time.monotonic() + PATIENCE
        while not holds():
            assert self.process.poll() is None, f"ended before {what}: {self.said()[-3000:]}"
            assert time.monotonic() < end, f"no {what}: {self.said()[-3000:]}"
            time.sleep(1)

    def wait(self) -> int:
        """Status at its end."""
        return self.process.wait(PATIENCE)

    def end(self) -> None:
        """Stop it if it still works."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            self.process.wait(120)


def queued(folder: Path) -> dict[str, tuple[str, str]]:
    """Jobs of a project in the queue: number to state and rule."""
    listed = answer("squeue", "--me", "--noheader", "--format", "%i|%T|%k|%Z") or ""
    rows = [line.split("|") for line in listed.splitlines()]
    return {job: (state, comment) for job, state, comment, place in rows if Path(place) == folder}


def at_work(folder: Path, rule: str) -> list[str]:
    """Jobs of a rule that are running."""
    return [
        job
        for job, (state, comment) in queued(folder).items()
        if state == "RUNNING" and comment.startswith(f"rule_{rule}")
    ]


@pytest.fixture(scope="module")
def remote(cluster: str, shared: Path) -> Project:
    """A project whose jobs went through SLURM, one of them cancelled and the whole stopped once."""
    made = project(shared / "remote")
    runs = [Run(made)]
    try:
        runs[0].until(lambda: bool(at_work(made.folder, "models")), "job of models")
        (cancelled, *_) = at_work(made.folder, "models")
        assert answer("scancel", cancelled) is not None
        fitted = made.folder / "results/models"
        # The plugin polls jobs every half minute; partitions without models start earlier.
        runs[0].until(lambda: "(Rule: models)" in runs[0].said(), "end of a job of models")
        assert any(fitted.rglob("*.npz"))
        runs[0].until(lambda: bool(at_work(made.folder, "partitions")), "job of partitions")
        runs[0].process.send_signal(signal.SIGINT)
        assert runs[0].wait() != 0
        (made.folder / "cancelled").write_text(cancelled)
        (made.folder / "left").write_text(json.dumps(queued(made.folder)))
        before = {str(path): path.stat().st_mtime_ns for path in fitted.rglob("*.npz")}
        (made.folder / "fitted").write_text(json.dumps(before))
        runs.append(Run(made))
        assert runs[1].wait() == 0, runs[1].said()[-4000:]
    finally:
        for run in runs:
            run.end()
    return made


@pytest.fixture(scope="module")
def local(shared: Path) -> Project:
    """The same on this machine, in other batches."""
    made = project(shared / "local")
    made.change("config.yaml", scales={scale: {"batch": BATCH} for scale in ("quick", "thesis")})
    run = Run(made, local=True)
    try:
        assert run.wait() == 0, run.said()[-4000:]
    finally:
        run.end()
    return made


def test_a_job_that_was_cancelled_is_submitted_again(remote: Project) -> None:
    cancelled = (remote.folder / "cancelled").read_text()
    said = (remote.folder / "run.log").read_text(encoding="utf-8")
    assert f"SLURM-job '{cancelled}' failed, SLURM status is: 'CANCELLED'" in said
    assert "Trying to restart job" in said


def test_a_run_that_was_stopped_leaves_nothing_in_the_queue_and_is_taken_up(remote: Project) -> None:
    left = json.loads((remote.folder / "left").read_text())
    assert all(state == "COMPLETING" for state, _ in left.values()), left
    before = json.loads((remote.folder / "fitted").read_text())
    assert before
    assert {path: Path(path).stat().st_mtime_ns for path in before} == before


def test_results_are_those_of_a_local_run(cluster: str, remote: Project, local: Project) -> None:
    print(f"\n{cluster}")
    for name in (f"scores/{name}.csv" for name in EXPERIMENTS):
        assert remote.result(name) == local.result(name), name
    cut = [
        sorted(path.name for path in (made.folder / "results/partitions").rglob("*.npz")) for made in (remote, local)
    ]
    assert cut[0] != cut[1], "the jobs were the same; cut them otherwise"


def test_no_submission_asks_for_more_than_one_job_needs(remote: Project) -> None:
    listed = answer("sacct", "-X", "--noheader", "--parsable2", "--format", "JobIDRaw,ReqCPUS,ReqMem,WorkDir") or ""
    rows = [line.split("|") for line in listed.splitlines()]
    asked = [(int(cpus), amount) for _, cpus, amount, place in rows if Path(place) == remote.folder]
    assert len(asked) > len(EXPERIMENTS)
    assert {cpus for cpus, _ in asked} == {1}
    rules = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "workflow/rules").glob("*.smk"))
    amounts = {int(amount) for amount in re.findall(r"mem_mb=growing\((\d+)\)", rules)}
    # Of one job, and twice that for a retry, after it was cancelled or with the stopped run.
    others = [amount for _, amount in asked if amount not in {f"{amount}M" for amount in amounts}]
    assert set(others) <= {f"{2 * amount}M" for amount in amounts}
    assert len(others) <= 2
    assert "Error in group" not in (remote.folder / "run.log").read_text(encoding="utf-8")


def test_new_sequences_are_placed_by_jobs_side_by_side(cluster: str, shared: Path) -> None:
    made = project(shared / "own")
    rng = np.random.default_rng(0)
    for name, n in (("old", 18), ("new", 7)):
        frames = [rng.normal(4.0 * (i % 2), 1.0, size=(20, 1)) for i in range(n)]
        write_folder(made.folder / name, SequenceSet.from_arrays(frames))
    settings = ["data=old", "new=new", "name=mine", "parts=3", "options=-k 2"]
    command = [
        *made.command(*SNAKEFILE, "--workflow-profile", "profiles/slurm"),
        *("--config", *settings, "--cores", "2"),
    ]
    env = made.environment(USER=getpass.getuser(), PATH=PATH)
    done = subprocess.run(command, cwd=made.folder, env=env, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr[-4000:]
    assert len(re.findall(r"rule_place\S*/\d+\.log", done.stderr)) == 3
    # A single call of the command writes the same.
    words = ["predict", "results/own/mine", "new", "--results", "once"]
    subprocess.run(["kinseq", *words], cwd=made.folder, env=env, check=True, timeout=PATIENCE)
    for table in ("partition.csv", "summary.csv"):
        assert made.result(f"predict/new/{table}") == (made.folder / "once/predict/new" / table).read_bytes()
