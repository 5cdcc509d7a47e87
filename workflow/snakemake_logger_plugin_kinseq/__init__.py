"""What a run shows beside its jobs: a line every few seconds, and errors in a sentence; Snakemake finds it by its name."""

from __future__ import annotations

import builtins
import logging
import re
import sys
import threading
import time
from dataclasses import dataclass, field

from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent
from snakemake_interface_logger_plugins.settings import LogHandlerSettingsBase

SOON = 3
"""Jobs after which the time left is told."""
REPEAT = 60.0
"""Seconds after which a line is told again that has not changed."""
CLOSING = ("Exiting because a job execution failed", "At least one job did not complete successfully")
"""What Snakemake says at the end of a run whose failures were told."""
_ENDED = re.compile(r"CalledProcessError.*(?:died with <Signals\.(\w+)|exit status (?:129|1[3-5]\d)\b)", re.DOTALL)
"""Of a job that a signal has ended, in the words of Python or of the shell."""
_FRAME = re.compile(r"(\w*(Error|Exception)( in .*)?[:.]?|File \".*|Traceback.*|Wildcards:)?")
"""Lines around the sentence of an error."""


@dataclass
class LogHandlerSettings(LogHandlerSettingsBase):
    """Options on the command line of Snakemake."""

    interval: float = field(
        default=5.0,
        metadata={"help": "Seconds between two lines, or 0.", "type": float, "env_var": False, "required": False},
    )
    """Between two lines that say how far the run is, in seconds; 0: errors only, beside jobs that tell all they have to."""


class Progress:
    """How far a run is.

    Attributes
    ----------
    done, total : int
        Jobs; the total is 0 until it is known.
    running : dict
        Number of a job to what it does.
    """

    def __init__(self, began: float) -> None:
        self.began = began
        self.done = self.total = 0
        self.running: dict[int, str] = {}

    def line(self, now: float) -> str:
        """Done, of, time left, now; empty before anything is known."""
        if not self.total:
            return ""
        parts = [f"{self.done} of {self.total} done"]
        if SOON <= self.done < self.total:
            left = (now - self.began) / self.done * (self.total - self.done)
            parts.append(f"about {left / 60:.0f} min left" if left >= 90 else f"about {max(left, 1):.0f} s left")
        current = next(iter(self.running.values()), "")
        more = f" and {len(self.running) - 1} more" if len(self.running) > 1 else ""
        return ", ".join(parts) + (f"; now: {current}{more}" if current else "")


class LogHandler(LogHandlerBase):
    """Handler of Snakemake's events."""

    # In place of Snakemake's own lines; its own log is written beside.
    writes_to_stream = True
    writes_to_file = needs_rulegraph = False
    # What is told, and in which words, is chosen here.
    has_filter = has_formatter = True

    def __post_init__(self) -> None:
        interval = getattr(self.settings, "interval", None)
        self.interval = LogHandlerSettings.interval if interval is None else interval
        self.progress = Progress(time.monotonic())
        # Where no progress is told, jobs tell all that their logs hold, unless they are ended.
        self.logs_have_more = self.interval > 0
        self.ended = threading.Event()
        self.ticker = threading.Thread(target=self._tick, daemon=True)
        self.ticker.start()

    def emit(self, record: logging.LogRecord) -> None:
        """Take note of an event; tell an error."""
        event_fields, message = record.__dict__, record.getMessage()
        event = event_fields.get("event")
        if event == LogEvent.RUN_INFO:
            self.progress.total = event_fields.get("stats", {}).get("total", 0)
        elif event == LogEvent.PROGRESS:
            self.progress.done, self.progress.total = event_fields["done"], event_fields["total"]
        elif event == LogEvent.JOB_INFO:
            self.progress.running[event_fields["jobid"]] = event_fields["rule_msg"] or event_fields["rule_name"]
        elif event == LogEvent.JOB_FINISHED:
            self.progress.running.pop(event_fields["job_id"], None)
        elif event == LogEvent.JOB_ERROR:
            what = self.progress.running.pop(event_fields["jobid"], None) or event_fields["rule_name"]
            logs = ", ".join(event_fields["log"])
            if self.logs_have_more:
                _say(f"failed: {what}{f'; {logs} has more' if logs else ''}")
        elif (
            event_fields.get("exception") in ("RuleException", "CalledProcessError") and "CalledProcessError" in message
        ):
            if ended := _ENDED.search(message):
                name = f" ({ended[1]})" if ended[1] else ""
                _say(f"error: a job was ended from outside{name}, perhaps by the system since memory ran short")
                self.logs_have_more = True
            # A job that ended by itself has told its error.
        elif record.levelno >= logging.ERROR:
            if not any(words in message for words in CLOSING):
                _say(f"error: {sentence(message)}")
        elif record.levelno >= logging.WARNING and self.interval:
            _say(message)

    def close(self) -> None:
        """End the lines with the run."""
        self.ended.set()
        self.ticker.join(timeout=1)
        super().close()

    def _tick(self) -> None:
        """Tell where the run is, if that has changed, until it ends."""
        before, at = ("", 0), -REPEAT
        while self.interval and not self.ended.wait(self.interval):
            now = time.monotonic()
            state = (next(iter(self.progress.running.values()), ""), self.progress.done)
            line = self.progress.line(now)
            if line and (state != before or now - at >= REPEAT):
                _say(line)
                before, at = state, now


def sentence(message: str) -> str:
    """What Snakemake says of an error in several lines, in one.

    Without names and places in the code, unless one of Python's own exceptions tells of a mistake there; how it was
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


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
