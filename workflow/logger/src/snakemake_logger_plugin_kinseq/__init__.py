"""Output of a run: its progress in a line every few seconds, and each error in a sentence (``--logger kinseq``)."""

from __future__ import annotations

import builtins
import logging
import re
import sys
import threading
import time
from typing import Any

from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent

INTERVAL_SECONDS, FILE_INTERVAL_SECONDS = 5.0, 30.0
"""Time between two lines on a terminal, and in a file."""
REPEAT_SECONDS = 60.0
"""Time after which a line that has not changed is written again."""
MIN_DONE = 3
"""Jobs that have to be done before the time left is estimated."""
LOCKED = (
    "this folder is locked: another run is at work, or one was killed; wait for it, or call make unlock, which checks that"
    " nothing is at work any more"
)
CLOSING = ("Exiting because a job execution failed", "At least one job did not complete successfully")
"""Snakemake's messages at the end of a run whose failures have been reported."""
UP_TO_DATE = "Nothing to be done"
"""How Snakemake begins to say that a plan is empty."""
_ENDED = re.compile(r"CalledProcessError.*(?:died with <Signals\.(\w+)|exit status (129|1[3-5]\d)\b)", re.DOTALL)
"""Of a job that a signal has ended, in the words of Python or of the shell."""
_FRAME = re.compile(r"(\w*(Error|Exception)( in .*)?[:.]?|File \".*|Traceback.*|Wildcards:)?")
"""Lines around the sentence of an error."""


class Progress:
    """How far a run is.

    Attributes
    ----------
    done, total : int
        Numbers of jobs; the total is 0 until it is known.
    running : dict
        Number of a job to what it does.
    """

    def __init__(self, began: float) -> None:
        self.began = began
        self.done = self.total = 0
        self.running: dict[int, str] = {}

    def line(self, now: float) -> str:
        """Return the finished jobs, the remaining time and the running jobs; empty before anything is known."""
        if not self.total:
            return ""
        parts = [f"{self.done} of {self.total} done"]
        if MIN_DONE <= self.done < self.total:
            left = (now - self.began) / self.done * (self.total - self.done)
            parts.append(f"about {left / 60:.0f} min left" if left >= 90 else f"about {max(left, 1):.0f} s left")
        current = next(iter(self.running.values()), "")
        more = f" and {len(self.running) - 1} more" if len(self.running) > 1 else ""
        return ", ".join(parts) + (f"; now: {current}{more}" if current else "")


class LogHandler(LogHandlerBase):
    """Handler of Snakemake's events."""

    # In place of Snakemake's own lines; its own log is written as well.
    writes_to_stream = True
    writes_to_file = needs_rulegraph = False
    # This class decides what is printed, and in which words.
    has_filter = has_formatter = True

    def __post_init__(self) -> None:
        self.interval = INTERVAL_SECONDS if sys.stderr.isatty() else FILE_INTERVAL_SECONDS
        self.progress = Progress(time.monotonic())
        self.interrupted = self.planned = False
        # With -n nothing is run, and the plan is the output.
        self.plans = bool(self.common_settings and self.common_settings.dryrun)
        self.ended = threading.Event()
        self.ticker = threading.Thread(target=self._tick, daemon=True)
        self.ticker.start()

    def emit(self, record: logging.LogRecord) -> None:
        """Take note of an event; write an error."""
        fields, message = record.__dict__, record.getMessage()
        event = fields.get("event")
        if self.plans and record.levelno < logging.WARNING:
            self._note_plan(event, fields, message)
        elif event == LogEvent.RUN_INFO:
            self.progress.total = fields.get("stats", {}).get("total", 0)
        elif event == LogEvent.PROGRESS:
            self.progress.done, self.progress.total = fields["done"], fields["total"]
        elif event == LogEvent.JOB_INFO:
            self.progress.running[fields["jobid"]] = fields["rule_msg"] or fields["rule_name"]
        elif event == LogEvent.JOB_FINISHED:
            self.progress.running.pop(fields["job_id"], None)
        elif event == LogEvent.JOB_ERROR:
            what = self.progress.running.pop(fields["jobid"], None) or fields["rule_name"]
            if not self.interrupted:
                _write("; ".join([f"failed: {what}", *(f"{log} has more" for log in fields["log"])]))
        elif "CalledProcessError" in message and fields.get("exception") in ("RuleException", "CalledProcessError"):
            self._note_end_of_job(message)
        elif record.levelno >= logging.ERROR:
            if fields.get("exception") == "LockException":
                _write(f"error: {LOCKED}")
            elif not any(words in message for words in CLOSING):
                _write(f"error: {sentence(message)}")
        elif record.levelno >= logging.WARNING:
            _write(message)

    def _note_plan(self, event: Any, fields: dict[str, Any], message: str) -> None:
        """Write the jobs of a run, each with its reason; the counts come first, and again at the end."""
        if event == LogEvent.RUN_INFO:
            counts = ", ".join(f"{rule} {number}" for rule, number in fields["stats"].items() if rule != "total")
            if not self.planned:
                _write(f"would run {fields['stats']['total']} jobs: {counts}")
            self.planned = True
        elif event == LogEvent.JOB_INFO:
            # After a colon come names of files or parameters, possibly thousands.
            reason = str(fields.get("reason") or "forced").split(":")[0]
            _write(f"would run: {fields['rule_msg'] or fields['rule_name']} ({reason})")
        elif message.startswith(UP_TO_DATE):
            _write(message)

    def _note_end_of_job(self, message: str) -> None:
        """Report a job that was killed; one that ended by itself has reported its error."""
        if ended := _ENDED.search(message):
            # Ctrl-C reaches the jobs as well; the user knows.
            if ended[1] == "SIGINT" or ended[2] == "130":
                self.interrupted = True
                return
            name = f" ({ended[1]})" if ended[1] else ""
            _write(f"error: a job was ended from outside{name}, perhaps by the system since memory ran short")

    def close(self) -> None:
        """End the lines with the run."""
        self.ended.set()
        self.ticker.join(timeout=1)
        super().close()

    def _tick(self) -> None:
        """Write how far the run is, if that has changed, until it ends."""
        before, at = ("", 0), -REPEAT_SECONDS
        while not self.ended.wait(self.interval):
            now = time.monotonic()
            state = (next(iter(self.progress.running.values()), ""), self.progress.done)
            line = self.progress.line(now)
            if line and (state != before or now - at >= REPEAT_SECONDS):
                _write(line)
                before, at = state, now


def sentence(message: str) -> str:
    """Put an error of Snakemake, which has several lines, into one.

    Names and places in the code are left out, unless one of Python's own exceptions shows a mistake there; how it was
    reached is in Snakemake's log.
    """
    lines = [line.strip() for line in message.splitlines()]
    trace = lines[0].startswith("Traceback")
    names = re.findall(r"\b\w+(?:Error|Exception)\b", message)
    unexpected = trace or any(hasattr(builtins, name) for name in names)
    if trace:
        lines = lines[-1:]
    kept = [line for i, line in enumerate(lines) if (unexpected and i == 0) or not _FRAME.fullmatch(line)]
    more = "; .snakemake/log has more" if unexpected else ""
    return (" ".join(kept).removeprefix("Error: ") or message) + more


def _write(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
