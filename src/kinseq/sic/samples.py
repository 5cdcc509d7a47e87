"""Samples to classify: sequences, or the places of items in sentences, and the samples that share draws."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.arrays import IntArray, as_numbers
from ..core.errors import DataError
from ..core.sequences import SequenceSet, as_sequence_set
from ..core.tokens import Items, TokenSet


@dataclass(frozen=True, eq=False)
class Samples:
    """The N samples of a set, each with a class whenever it is tested.

    Attributes
    ----------
    items : SequenceSet or TokenSet
        What holds them. The samples are the sequences, or the places of a TokenSet.
    together : ndarray, shape (N,), int64
        Samples of one number are trained or tested together: equal sequences, or the places in one sentence.
    alike : ndarray, shape (N,), int64
        Samples of one number get the same random label: equal sequences, or places that hold the same words.
    owners : ndarray, shape (N,), int64, or None
        The item that each sample is an occurrence of; None where every item has one sample.
    """

    items: Items
    together: IntArray
    alike: IntArray
    owners: IntArray | None = None

    def __len__(self) -> int:
        return int(self.together.size)

    @property
    def name(self) -> str:
        """Name of the set."""
        return self.items.name


def _numbered(entries: NDArray[Any]) -> IntArray:
    """Equal entries as equal numbers from 0."""
    return np.asarray(np.unique(entries, return_inverse=True)[1], dtype=np.int64).reshape(-1)


def as_items(items: Any) -> Items:
    """Items in their stored form, or a DataError; a list holds (T, d) arrays, a matrix (N, d) one vector per row."""
    if isinstance(items, (SequenceSet, TokenSet)):
        return items
    if isinstance(items, np.ndarray) and items.ndim == 2 and items.dtype != object:
        return SequenceSet(as_numbers(items, "vectors"), np.arange(len(items) + 1), name="vectors")
    return as_sequence_set(items)


def samples_of(items: Items, same_label: bool = True) -> Samples:
    """Return the samples of some items, at least two.

    With `same_label`, places that hold the same words, in whatever case, get the same label (report RR-8880, section
    3.1.1). Equal sequences always do.
    """
    owners = None
    if isinstance(items, TokenSet):
        together = items.sentence_of_places()
        words = np.array([words.casefold() for words in items.strings(items.attributes[0])])
        alike = _numbered(words) if same_label else np.arange(len(words))
        if (items.items != np.arange(len(items.items))).any():
            owners = items.items
    else:
        alike = together = _numbered(np.array([key.hex() for key in items.content_keys]))
    if len(together) < 2:
        raise DataError(
            f"{items.name}: holds a single sample, and nothing that it could be classified with; add others"
        )
    return Samples(items, _numbered(together), np.asarray(alike, dtype=np.int64), owners)
