"""Calls of snakemake that can be stopped without a trace, and the reason of one that failed without a word."""

from __future__ import annotations

import contextlib
import os
import re
import resource
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import psutil

GRACE = 15.0
"""Seconds that snakemake gets to put its files in order once its jobs were stopped."""
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Stopped(Exception):
    """The user, or the system, asked the run to stop.

    Attributes
    ----------
    number : int
        The signal.
    """

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.number = number


@dataclass(frozen=True)
class Outcome:
    """How a call ended.

    Attributes
    ----------
    status : int
        Exit status.
    error_reported : bool
        Whether a job said what was wrong.
    cpu_seconds : float
        Processor time of snakemake and its jobs.
    """

    status: int
    error_reported: bool
    cpu_seconds: float


@contextlib.contextmanager
def stoppable() -> Iterator[None]:
    """Turn the signals that ask a run to stop into :class:`Stopped`, except those that were to be ignored (nohup)."""

    def stop(number: int, _: Any) -> None:
        raise Stopped(number)

    before = {number: signal.getsignal(number) for number in _SIGNALS}
    caught = [number for number, handler in before.items() if handler != signal.SIG_IGN]
    for number in caught:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number in caught:
            signal.signal(number, before[number])


PLUGINS = Path(__file__).resolve().parents[1]
"""Folder of the package that tells of a run in few lines."""
INTERVAL, INTERVAL_OF_FILES = 5, 30
"""Seconds between two lines on a terminal, and in a file."""


def brief() -> tuple[list[str], dict[str, str]]:
    """Options and variables with which snakemake and its jobs tell little: where the run is, results, errors."""
    interval = INTERVAL if sys.stderr.isatty() else INTERVAL_OF_FILES
    path = os.pathsep.join(part for part in (os.environ.get("PYTHONPATH"), str(PLUGINS)) if part)
    return ["--logger-kinseq-interval", str(interval), "--logger", "kinseq"], {"PYTHONPATH": path, "KINSEQ_BRIEF": "1"}


def snakemake(*arguments: str, verbose: bool = True) -> Outcome:
    """Call snakemake of this environment; what it says on standard error is passed on line by line.

    If `verbose`, it says everything that `arguments` do not silence; else it is :func:`brief`. :class:`Stopped` is
    raised when snakemake and all its jobs have ended.
    """
    before = _cpu_of_children()
    options, variables = ([], {}) if verbose else brief()
    # Ctrl-C reaches every process of the terminal. Here it is for this one alone, which ends the others in order;
    # jobs that were interrupted by themselves would each print a traceback.
    process = subprocess.Popen(
        [sys.executable, "-m", "snakemake", *arguments, *options],
        env={**os.environ, **variables},
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        preexec_fn=_ignore_interrupts,
    )
    assert process.stderr is not None
    relay = _Relay(process.stderr)
    try:
        status = process.wait()
    except BaseException:
        relay.silent = True
        end(process)
        raise
    finally:
        # Whoever still holds the pipe was left behind by a job; do not wait for it.
        relay.thread.join(timeout=5)
    return Outcome(status, relay.error_reported, _cpu_of_children() - before)


def end(process: subprocess.Popen[bytes], grace: float = GRACE) -> None:
    """End snakemake and its jobs: it starts no more of them, they end, it cleans up; by force after `grace` seconds."""
    with _deaf():
        jobs = _family(process)
        process.terminate()
        for job in jobs:
            with contextlib.suppress(psutil.Error):
                job.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(grace)
        for left in [*jobs, *_family(process)]:
            with contextlib.suppress(psutil.Error):
                left.kill()
        process.kill()
        process.wait()


def reason(log: str) -> str:
    """The first sentence of an error in what snakemake printed; empty where there is none.

    It is in a line ``SomeError in file ...:`` or ``SomeError:``, behind it or below.
    """
    lines = [line.strip() for line in log.splitlines()]
    for i, line in enumerate(lines):
        match = re.match(r"(?:\w+\.)*(\w*(?:Error|Exception))\b(?: in [^:]*(?:, line \d+)?)?:?\s*(.*)", line)
        if match:
            message = match[2] or next((below for below in lines[i + 1 :] if below), "")
            return message.removeprefix(": ") or match[1]
    return ""


def newest_log(state: Path) -> Path | None:
    """The log of the last call of snakemake."""
    logs = sorted((state / "log").glob("*.snakemake.log"), key=lambda path: path.stat().st_mtime)
    return logs[-1] if logs else None


def last_written(logs: Path) -> Path | None:
    """The log that a job wrote to last."""
    return max(logs.rglob("*.log"), key=lambda path: path.stat().st_mtime, default=None)


_NOISE = (b"Using workflow specific profile", b"Using profile")
"""What snakemake says before it is told to say little, and what tells nobody anything here."""


class _Relay:
    """Passes lines on to standard error, until told to be silent."""

    def __init__(self, source: IO[bytes]) -> None:
        self.silent = self.error_reported = False
        self.thread = threading.Thread(target=self._pass_on, args=(source,), daemon=True)
        self.thread.start()

    def _pass_on(self, source: IO[bytes]) -> None:
        for line in source:
            self.error_reported |= line.startswith(b"error: ")
            if not self.silent and not line.startswith(_NOISE):
                with contextlib.suppress(OSError):  # a terminal that was closed
                    sys.stderr.buffer.write(line)
                    sys.stderr.flush()


def _family(process: subprocess.Popen[bytes]) -> list[psutil.Process]:
    try:
        return psutil.Process(process.pid).children(recursive=True)
    except psutil.Error:
        return []


def _cpu_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextlib.contextmanager
def _deaf() -> Iterator[None]:
    """A second Ctrl-C must not leave half of the processes behind."""
    before = {number: signal.signal(number, signal.SIG_IGN) for number in _SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
