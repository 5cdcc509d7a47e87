"""A call of snakemake that can be stopped without a trace."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

import psutil
from kinseq_documents.jobs import BRIEF

GRACE = 15.0
"""Seconds that snakemake gets to put its files in order once its jobs were stopped."""
PLUGINS = Path(__file__).resolve().parents[1]
"""Folder of the logger plugin."""
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_NOISE = (b"Using workflow specific profile", b"Using profile")
"""What snakemake says before its logger is there, and what tells nobody anything here."""


class Stopped(BaseException):
    """The user, or the system, asked the run to stop, by the signal of this `number`."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.number = number


def heed_signals() -> None:
    """Turn the signals that ask a run to stop into :class:`Stopped`, except those that were to be ignored (nohup)."""
    caught = [number for number in _SIGNALS if signal.getsignal(number) != signal.SIG_IGN]

    def stop(number: int, _: Any) -> None:
        # A second Ctrl-C must not leave half of the processes behind.
        for one in caught:
            signal.signal(one, signal.SIG_IGN)
        raise Stopped(number)

    for number in caught:
        signal.signal(number, stop)


def snakemake(*arguments: str, interval: int | None = 0) -> int:
    """Call snakemake of this environment and return its exit status; what it says is passed on line by line.

    Parameters
    ----------
    *arguments : str
    interval : int, optional
        Seconds between two lines that say how far it is; jobs then tell results and errors only. 0: no such lines, and
        jobs tell all they have to. Errors are told in a sentence, unless it is None: snakemake then speaks for itself.

    Raises
    ------
    Stopped
        If the run was asked to stop; snakemake and all its jobs have ended by then.
    """
    command, variables = [sys.executable, "-m", "snakemake", *arguments], dict(os.environ)
    if interval is not None:
        command += ["--logger-kinseq-interval", str(interval), "--logger", "kinseq"]
        variables["PYTHONPATH"] = os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH"), str(PLUGINS)]))
    if interval:
        variables[BRIEF] = "1"
    # Ctrl-C reaches every process of the terminal. Here it is for this one alone, which ends the others in order;
    # jobs that were interrupted by themselves would each print a traceback.
    process = psutil.Popen(
        command,
        env=variables,
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),
    )
    silent = threading.Event()
    relay = threading.Thread(target=_pass_on, args=(process.stderr, silent), daemon=True)
    relay.start()
    try:
        status = int(process.wait())
    except BaseException:
        silent.set()
        end(process)
        raise
    finally:
        # Whoever still holds the pipe was left behind by a job; do not wait for it.
        relay.join(timeout=5)
    if status < 0:  # it could not say so itself
        name = signal.Signals(-status).name
        print(f"error: snakemake was ended from outside ({name}); the same command takes up the work", file=sys.stderr)
        return 128 - status
    return status


def end(process: psutil.Popen, grace: float = GRACE) -> None:
    """End snakemake and its jobs: it starts no more of them, they end, it cleans up; by force after `grace` seconds."""
    members = _family(process)
    for member in members:
        with suppress(psutil.Error):
            member.terminate()
    with suppress(psutil.TimeoutExpired):
        process.wait(grace)
    for member in [*members, *_family(process)]:
        with suppress(psutil.Error):
            member.kill()
    process.wait()


def _family(process: psutil.Popen) -> list[psutil.Process]:
    """Snakemake and its jobs, as far as they live."""
    try:
        return [process, *process.children(recursive=True)]
    except psutil.Error:
        return []


def _pass_on(source: IO[bytes], silent: threading.Event) -> None:
    for line in source:
        if not silent.is_set() and not line.startswith(_NOISE):
            with suppress(OSError):  # a terminal that was closed
                sys.stderr.buffer.write(line)
                sys.stderr.flush()
