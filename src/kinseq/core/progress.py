"""Progress of long stages: one line with count, elapsed time and estimated remaining time."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from threading import Event, Thread
from typing import Any, TextIO

COMPILING = "kinseq: compiling its numeric code, about half a minute; done once, and kept (python -m kinseq.compile does it ahead)"


class Progress:
    """Reports "fit hmm2: trial 3/15, 41 s, ETA 160 s" at a bounded rate.

    Parameters
    ----------
    task : str
        What is being done, for example ``"fit hmm2"``.
    total : int
        Number of steps in all.
    unit : str
        Name of one step.
    every : float
        Least number of seconds between two lines; the first and the last step are always reported.
    out : text stream, optional
        Where lines go; standard error by default.
    clock : callable, optional
        Returns seconds; replaced in tests.
    """

    def __init__(
        self,
        task: str,
        total: int,
        unit: str = "trial",
        every: float = 5.0,
        out: TextIO | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.task, self.total, self.unit, self.every = task, int(total), unit, float(every)
        self._out, self._clock = out, clock
        self._start = clock()
        self._last = -float("inf")
        self.done = 0

    def step(self, count: int = 1) -> None:
        """Count `count` finished steps and report if it is due."""
        self.done += count
        now = self._clock()
        if self.done < self.total and now - self._last < self.every:
            return
        self._last = now
        spent = now - self._start
        rest = spent / self.done * (self.total - self.done) if self.done else 0.0
        line = f"{self.task}: {self.unit} {self.done}/{self.total}, {spent:.0f} s"
        if self.done < self.total:
            line += f", ETA {rest:.0f} s"
        print(line, file=self._out or sys.stderr, flush=True)


def counter(progress: bool, task: str, total: int, unit: str) -> Callable[[], None] | None:
    """Return the function to call after each of `total` steps; None without progress."""
    return Progress(task, total, unit=unit).step if progress and total > 0 else None


@contextmanager
def waiting(task: str | None, every: float = 5.0, out: TextIO | None = None) -> Iterator[None]:
    """Say every few seconds that a stage without steps that could be counted goes on: "compare sequences: 10 s so far".

    Parameters
    ----------
    task : str or None
        What is being done; nothing is said without it.
    every : float
        Seconds between two lines; a shorter stage has none.
    out : text stream, optional
        Where lines go; standard error by default.
    """
    if task is None:
        yield
        return
    done, start = Event(), time.monotonic()

    def tell() -> None:
        while not done.wait(every):
            print(f"{task}: {time.monotonic() - start:.0f} s so far", file=out or sys.stderr, flush=True)

    teller = Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield
    finally:
        done.set()
        teller.join()


@cache
def tell_of_compilation() -> None:
    """Print once per process that functions are being compiled, since nothing else happens for seconds."""
    from numba.core import event

    class Telling(event.Listener):
        """Prints a line when the first function of this package is compiled."""

        is_new = True

        def on_start(self, event: Any) -> None:
            """Print the line, unless it was printed, or the function belongs to another package."""
            module = str(getattr(event.data["dispatcher"].py_func, "__module__", ""))
            if self.is_new and module.partition(".")[0] == __name__.partition(".")[0]:
                self.is_new = False
                print(COMPILING, file=sys.stderr, flush=True)

        def on_end(self, event: Any) -> None:
            """Ignore the end of compilation, since work continues at once."""

    event.register("numba:compile", Telling())
