"""A user's large folder in several jobs, stopped in the middle of one and taken up: nothing is half there, nothing differs."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import psutil
import pytest

from kinseq.core.sequences import SequenceSet
from kinseq_app.request import FILES
from kinseq_app.writers import write_folder

from .project import Outcome, Project

WHOLE = "        pickle.dump(made, stream, protocol=pickle.HIGHEST_PROTOCOL)\n"
HALVES = """        import time

        made = pickle.dumps(made, protocol=pickle.HIGHEST_PROTOCOL)
        stream.write(made[: len(made) // 2])
        stream.flush()
        if Path("full").exists() and str(path).endswith(Path("full").read_text()):
            raise OSError(28, os.strerror(28))
        while Path("held").exists() and str(path).endswith(Path("held").read_text()):
            Path("reached").write_text(str(os.getpid()))
            time.sleep(0.05)
        stream.write(made[len(made) // 2 :])
"""
"""Files of the jobs are written in two halves; between them a job waits, or finds the disc full, where a test wants it to."""


@pytest.fixture
def waves(fresh: Project) -> Project:
    """A project with series of two kinds, in which a job can be held in the middle of writing."""
    store = fresh.folder / "src/kinseq/core/store.py"
    text = store.read_text(encoding="utf-8")
    assert text.count(WHOLE) == 1
    store.write_text(text.replace(WHOLE, HALVES), encoding="utf-8")
    rng = np.random.default_rng(0)
    arrays = [rng.normal(3.0 * (i % 2), 1.0, size=(12, 1)) for i in range(24)]
    write_folder(fresh.folder / "waves", SequenceSet.from_arrays(arrays, ids=[f"w{i}" for i in range(24)]))
    return fresh


def start(project: Project, batches: int) -> subprocess.Popen[str]:
    """``make cluster`` in a process group of its own."""
    words = {"DATA": "waves", "NAME": "it", "K": "2", "MEASURE": "dtw", "SAMPLE": "12", "BATCHES": str(batches)}
    given = [f"--set={word}={value}" for word, value in words.items()]
    return project.start(sys.executable, "workflow/launch.py", "--cores", "1", "--own", *given)


def batches_read(project: Project) -> dict[str, int]:
    """The batches that have been read, and their files' numbers on the disc: another one if a batch was read again."""
    return {path.name: path.stat().st_ino for path in (parts(project) / "read").glob("[!.]*.pkl")}


def end(run: subprocess.Popen[str]) -> Outcome:
    said = run.communicate(timeout=300)[0]
    return Outcome(run.returncode, said)


def held(project: Project, run: subprocess.Popen[str], file: str, seconds: float = 300) -> psutil.Process:
    """The job that has written half of a file."""
    reached, until = project.folder / "reached", time.monotonic() + seconds
    while not reached.exists() or not reached.read_text():
        assert run.poll() is None, run.stdout.read() if run.stdout else ""
        assert time.monotonic() < until, f"nothing writes {file}"
        time.sleep(0.05)
    return psutil.Process(int(reached.read_text()))


def parts(project: Project) -> Path:
    return project.folder / "results/own/it/.parts"


def require_same(home: Path, other: Path) -> None:
    assert {path.name for path in home.iterdir() if path.is_file()} == set(FILES)
    for name in FILES:
        assert (home / name).read_bytes() == (other / name).read_bytes(), name


def told(outcome: Outcome) -> str:
    """The one sentence of a run that failed."""
    assert outcome.status == 1, outcome.text[-3000:]
    sentences = [line for line in outcome.text.splitlines() if line.startswith("error: ")]
    assert len(sentences) == 1, outcome.text[-3000:]
    return sentences[0]


@pytest.mark.slow
def test_stopped_in_the_middle_of_any_job_and_taken_up(waves: Project) -> None:
    home = waves.folder / "results/own/it"
    whole = end(start(waves, 1))
    assert whole.status == 0, whole.text[-3000:]
    home.rename(waves.folder / "one")

    def stopped(file: str) -> tuple[subprocess.Popen[str], psutil.Process]:
        (waves.folder / "reached").unlink(missing_ok=True)
        (waves.folder / "held").write_text(file)
        run = start(waves, 2)
        return run, held(waves, run, file)

    # The system ends one job, as it does where memory is short.
    run, job = stopped("read/1.pkl")
    job.kill()
    said = told(end(run))
    assert "ended from outside, perhaps by the system since memory ran short" in said
    assert "results/logs/own/it_read_1.log is the last log that was written" in said
    assert not (parts(waves) / "read/1.pkl").exists()
    assert not (parts(waves) / "read/1.key").exists()
    # Which of the two batches is read first is up to the scheduler.
    read = batches_read(waves)

    # The user presses Ctrl-C.
    run, job = stopped("sample.pkl")
    run.send_signal(signal.SIGINT)
    outcome = end(run)
    assert outcome.status == 128 + signal.SIGINT
    assert "stopped; the same command takes up the work" in outcome.text
    assert not job.is_running()
    assert not (parts(waves) / "sample.pkl").exists()
    both = batches_read(waves)
    assert set(both) == {"0.pkl", "1.pkl"}
    assert read.items() <= both.items()

    # The disc is full.
    (waves.folder / "held").unlink()
    (waves.folder / "full").write_text("clusters.pkl")
    said = told(end(start(waves, 2)))
    assert "clusters.pkl: could not be written (No space left on device); free space" in said
    assert not (parts(waves) / "clusters.pkl").exists()
    (waves.folder / "full").unlink()

    # The machine goes down.
    run, job = stopped("assigned/1.pkl")
    assert batches_read(waves) == both
    clusters = (parts(waves) / "clusters.pkl").stat()
    os.killpg(run.pid, signal.SIGKILL)
    end(run)
    assert not (parts(waves) / "assigned/1.pkl").exists()
    assert not (home / "index.html").exists()

    (waves.folder / "held").unlink()
    outcome = end(start(waves, 2))
    assert outcome.status == 0, outcome.text[-3000:]
    assert (parts(waves) / "clusters.pkl").stat().st_mtime_ns == clusters.st_mtime_ns
    require_same(home, waves.folder / "one")
    assert not [path for path in parts(waves).rglob(".*") if path.is_file()], "drafts of jobs that were killed"

    # Other batches, of which some have names of earlier ones; and none.
    for batches in (3, 1):
        outcome = end(start(waves, batches))
        assert outcome.status == 0, outcome.text[-3000:]
        require_same(home, waves.folder / "one")
