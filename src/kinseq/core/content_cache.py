"""Cache of the latest results of a function of arrays, found by the content of the arrays and shared by callers."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from threading import Lock
from typing import Any, Generic, TypeVar
from weakref import WeakSet

from numpy.typing import NDArray

from .seeds import content_key

T = TypeVar("T")


class ContentCache(Generic[T]):
    """Cache of the most recently used results.

    Arrays are compared by what they hold, so that one that was changed meanwhile is not taken for itself.

    Parameters
    ----------
    most : int
        How many results are kept.
    """

    def __init__(self, most: int = 1) -> None:
        self._most = most
        self._one = Lock()
        # From the least to the most recently used.
        self._results: dict[Hashable, T] = {}
        _ALL.add(self)

    def get(self, arrays: Sequence[NDArray[Any]], make: Callable[[], T], settings: Hashable = ()) -> T:
        """Return the cached result for some arrays and settings, or compute it.

        Parameters
        ----------
        arrays : sequence of ndarray
            Numbers of any shape and type that the result follows from.
        make : callable
            Called without arguments where no result for them is kept; may raise.
        settings : hashable
            Whatever else the result depends on.

        Returns
        -------
        T
            Shared with other callers, who must not write to it.
        """
        key = (tuple((array.dtype.str, content_key(array)) for array in arrays), settings)
        with self._one:
            if key in self._results:
                self._results[key] = result = self._results.pop(key)
                return result
            # Free room first, so that the old and the new result are not in memory together.
            while len(self._results) >= self._most:
                self._results.pop(next(iter(self._results)))
        result = make()
        with self._one:
            self._results[key] = result
        return result

    def clear(self) -> None:
        """Clear the cache."""
        with self._one:
            self._results.clear()


_ALL: WeakSet[ContentCache[Any]] = WeakSet()


def forget() -> None:
    """Clear all caches and free their memory."""
    for kept in list(_ALL):
        kept.clear()
