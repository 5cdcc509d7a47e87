"""Cache of runs shared by similarities that differ only in their scores."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, Generic, TypeVar

from numpy.typing import NDArray

from ..core.sequences import SequenceSet
from ..core.tokens import Items

MAX_BYTES = 2**26
"""Size, in bytes, of the cache of runs."""

Run = TypeVar("Run")


def key_of(items: Items, settings: Mapping[str, Any]) -> bytes:
    """Return the digest of settings and of the content of some items, with its description and their true classes."""
    description = (sorted(settings.items()), sorted(items.provenance.items()))
    digest = hashlib.blake2b(repr(description).encode(), digest_size=16)
    arrays: list[NDArray[Any]]
    if isinstance(items, SequenceSet):
        arrays = [items.values, items.offsets]
    else:
        arrays = [items.sentences, items.places, items.items]
        for name in items.attributes:
            arrays += [items.codes[name], items.vocabularies[name]]
    for array in [*arrays, items.labels] if items.labels is not None else arrays:
        digest.update(f"{array.shape} {array.dtype}".encode())
        digest.update(array.tobytes() if array.dtype != object else repr(array.tolist()).encode())
    return digest.digest()


class Remembered(Generic[Run]):
    """Cache of the latest runs, limited by size; the least recently used are dropped."""

    def __init__(self, capacity: int = MAX_BYTES) -> None:
        self._capacity = capacity
        self._held: OrderedDict[bytes, tuple[Run, int]] = OrderedDict()

    def get(self, key: bytes) -> Run | None:
        """Return a run, if cached."""
        if key not in self._held:
            return None
        self._held.move_to_end(key)
        return self._held[key][0]

    def put(self, key: bytes, run: Run, size: int) -> None:
        """Cache a run of `size` bytes."""
        self._held[key] = (run, size)
        self._held.move_to_end(key)
        while sum(each for _, each in self._held.values()) > self._capacity:
            self._held.popitem(last=False)
