"""Number and kind of parallel jobs of a call.

What gives back all that it makes goes through :func:`each`, which runs in threads of this process, unless a
``joblib.parallel_config`` around the call names another backend; then joblib hands it on. What writes into arrays that its
threads share goes through :func:`workers`, which are threads wherever the rest runs.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from numbers import Integral
from threading import local
from typing import Any, Generic, TypeVar

from .errors import ParameterError
from .wording import option_name

Item = TypeVar("Item")
Result = TypeVar("Result")
Spread = Callable[..., Iterable[Any]]
"""``map``, or an equivalent with threads."""


def as_threads(n_jobs: int | None) -> int:
    """Return the number of jobs for `n_jobs`, as in scikit-learn, or raise ParameterError.

    None is 1 (or what a ``joblib.parallel_config`` around the call says), -1 all processors, -2 all but one; 0 is none.
    """
    from joblib import effective_n_jobs

    if n_jobs is not None and (isinstance(n_jobs, bool) or not isinstance(n_jobs, Integral) or n_jobs == 0):
        raise ParameterError(
            f"{option_name('n_jobs')} is {n_jobs!r}, expected None, a number of threads, or -1 for all processors"
        )
    return int(effective_n_jobs(n_jobs))


def each(function: Callable[..., Result], items: Iterable[Any], n_jobs: int, *shared: Any) -> Iterator[Result]:
    """Apply ``function(item, *shared)`` to all items, in order, possibly in other processes.

    The function is of a module, or a ``functools.partial`` of one, so that it can be pickled, and changes none of its
    arguments. What is shared is sent once to each process where the backend can. No result depends on `n_jobs`; 1 stays
    in this thread.
    """
    if n_jobs == 1:
        yield from (function(item, *shared) for item in items)
        return
    from joblib import Parallel, delayed
    from joblib.parallel import get_active_backend

    if getattr(get_active_backend(prefer="threads")[0], "supports_sharedmem", False):
        # joblib polls for results every 10 ms, longer than many calls take.
        yield from in_threads(lambda item: function(item, *shared), items, n_jobs)
        return
    # Other processes map large arrays, as writable, since compiled code expects writable arrays.
    yield from Parallel(n_jobs, return_as="generator", mmap_mode="c")(
        delayed(function)(item, *shared) for item in items
    )


@contextmanager
def workers(threads: int) -> Iterator[Spread]:
    """A ``map`` over `threads` threads that live as long as the context; results are in the order of the items."""
    if threads == 1:
        yield map
        return
    with ThreadPoolExecutor(threads) as pool:
        yield pool.map


def in_threads(function: Callable[[Item], Result], items: Iterable[Item], threads: int) -> Iterator[Result]:
    """Apply ``map(function, items)`` over `threads` threads; the order of results does not depend on their number."""
    with workers(threads) as spread:
        yield from spread(function, items)


def ahead(
    function: Callable[[Item], Result], items: Iterable[Item], threads: int, pauses: Collection[int] = ()
) -> Generator[Result, None, None]:
    """Apply ``map(function, items)`` to endless items; the caller takes as many as needed, in order.

    Each of `threads` threads is at one result that may be needed next; what nobody took is thrown away. After so many results
    as one of `pauses` says, the next one is begun when it is requested, since likely it is not needed.
    """
    if threads == 1:
        yield from map(function, items)
        return
    with ThreadPoolExecutor(threads) as pool:
        begun: deque[Future[Result]] = deque()
        try:
            for number, item in enumerate(items):
                while begun and number in pauses:
                    yield begun.popleft().result()
                begun.append(pool.submit(function, item))
                if len(begun) > threads:
                    yield begun.popleft().result()
            while begun:
                yield begun.popleft().result()
        finally:
            # Cancel the last job first, or a free thread would start the next one.
            for result in reversed(begun):
                result.cancel()


class ThreadLocal(Generic[Result]):
    """Working arrays created once per thread; other processes create their own."""

    def __init__(self, make: Callable[[], Result]) -> None:
        self._make, self._thread = make, local()

    def __call__(self) -> Result:
        """Return the object of the calling thread."""
        if not hasattr(self._thread, "made"):
            self._thread.made = self._make()
        return self._thread.made

    def __reduce__(self) -> tuple[type, tuple[Callable[[], Result]]]:
        return type(self), (self._make,)
