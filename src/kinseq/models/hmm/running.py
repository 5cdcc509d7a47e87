"""Threads and progress of long computations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar

from ...core.progress import Progress

Item = TypeVar("Item")
Result = TypeVar("Result")
Reporter = str | Callable[[int, int], None] | None
"""A label under which lines with an ETA go to standard error, a function of (done, total), or nothing."""


Spread = Callable[..., Iterable[Any]]
"""``map``, or its like over threads."""


@contextmanager
def workers(threads: int) -> Iterator[Spread]:
    """A ``map`` over `threads` threads that live as long as the context; the order of its results is that of the items."""
    if threads == 1:
        yield map
        return
    with ThreadPoolExecutor(threads) as pool:
        yield pool.map


def in_threads(function: Callable[[Item], Result], items: Iterable[Item], threads: int) -> Iterator[Result]:
    """``map(function, items)`` over `threads` threads; the order of the results does not depend on their number."""
    with workers(threads) as spread:
        yield from spread(function, items)


def reporter(progress: Reporter, total: int, unit: str) -> Callable[[int], None]:
    """A function that is told how many of `total` steps were done since its last call."""
    if progress is None:
        return lambda count: None
    if isinstance(progress, str):
        return Progress(progress, total, unit).step
    tell, done = progress, 0

    def step(count: int) -> None:
        nonlocal done
        done += count
        tell(done, total)

    return step
