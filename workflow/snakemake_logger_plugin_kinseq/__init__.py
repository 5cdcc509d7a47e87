"""What ``make reproduce`` shows of a run: a line every few seconds, and errors; Snakemake finds this package by its name."""

from __future__ import annotations

import logging
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


@dataclass
class LogHandlerSettings(LogHandlerSettingsBase):
    """Options on the command line of Snakemake."""

    interval: float = field(
        default=5.0, metadata={"help": "Seconds between two lines.", "type": float, "env_var": False, "required": False}
    )


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
        step = next(iter(self.running.values()), "")
        more = f" and {len(self.running) - 1} more" if len(self.running) > 1 else ""
        return ", ".join(parts) + (f"; now: {step}{more}" if step else "")


class LogHandler(LogHandlerBase):
    """Handler of Snakemake's events."""

    def __post_init__(self) -> None:
        self.progress = Progress(time.monotonic())
        self.ended = threading.Event()
        self.ticker = threading.Thread(target=self._tick, daemon=True)
        self.ticker.start()

    @property
    def writes_to_stream(self) -> bool:
        """In place of Snakemake's own lines."""
        return True

    @property
    def writes_to_file(self) -> bool:
        """Snakemake's own log is written beside."""
        return False

    @property
    def has_filter(self) -> bool:
        """What is told is chosen here."""
        return True

    @property
    def has_formatter(self) -> bool:
        """And in which words."""
        return True

    @property
    def needs_rulegraph(self) -> bool:
        """Nothing of the plan is shown."""
        return False

    def emit(self, record: logging.LogRecord) -> None:
        """Take note of an event; tell an error."""
        fields = record.__dict__
        event = fields.get("event")
        if event == LogEvent.RUN_INFO:
            self.progress.total = fields.get("stats", {}).get("total", 0)
        elif event == LogEvent.PROGRESS:
            self.progress.done, self.progress.total = fields["done"], fields["total"]
        elif event == LogEvent.JOB_INFO:
            self.progress.running[fields["jobid"]] = fields["rule_msg"] or fields["rule_name"]
        elif event == LogEvent.JOB_FINISHED:
            self.progress.running.pop(fields["job_id"], None)
        elif event == LogEvent.JOB_ERROR:
            what = self.progress.running.pop(fields["jobid"], None) or fields["rule_name"]
            logs = ", ".join(fields["log"])
            _say(f"failed: {what}{f'; {logs} has more' if logs else ''}")
        elif record.levelno >= logging.WARNING and not _is_of_a_job(fields):
            _say(record.getMessage())

    def close(self) -> None:
        """End the lines with the run."""
        self.ended.set()
        self.ticker.join(timeout=1)
        super().close()

    def _tick(self) -> None:
        """Tell where the run is, if that has changed, until it ends."""
        interval = getattr(self.settings, "interval", None) or LogHandlerSettings.interval
        before, at = ("", 0), -REPEAT
        while not self.ended.wait(interval):
            now = time.monotonic()
            state = (next(iter(self.progress.running.values()), ""), self.progress.done)
            line = self.progress.line(now)
            if line and (state != before or now - at >= REPEAT):
                _say(line)
                before, at = state, now


def _is_of_a_job(fields: dict[str, object]) -> bool:
    """Whether an error is that a job ended with one, which the job has told."""
    return fields.get("event") == LogEvent.ERROR and fields.get("exception") in ("RuleException", "CalledProcessError")


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
