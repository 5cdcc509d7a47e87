"""Work that several metrics of one matrix share: the last result of a function of arrays, found again by their content."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

from numpy.typing import NDArray

from ..seeds import content_key

T = TypeVar("T")


class Recent(Generic[T]):
    """Keeps one result. Arrays are compared by what they hold, so that one that was changed meanwhile is not taken for itself."""

    def __init__(self) -> None:
        self._kept: tuple[tuple[Any, ...], T] | None = None

    def get(self, arrays: Sequence[NDArray[Any]], make: Callable[[], T]) -> T:
        """The result for some arrays of numbers: the kept one if it was made from equal ones, else what `make` returns.

        Callers must not write to it.
        """
        key = tuple((array.dtype.str, content_key(array)) for array in arrays)
        if self._kept is None or self._kept[0] != key:
            self._kept = None
            self._kept = key, make()
        return self._kept[1]
