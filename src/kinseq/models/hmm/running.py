"""Progress of long computations."""

from __future__ import annotations

from collections.abc import Callable

from ...core.progress import Progress

Reporter = str | Callable[[int, int], None] | None
"""A label under which lines with an ETA go to standard error, a function of (done, total), or nothing."""


def reporter(progress: Reporter, total: int, unit: str) -> Callable[[int], None]:
    """Return a function that takes the number of the `total` steps done since its last call."""
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
