"""Pieces of one source resemble each other: sources to draw and permute as a whole, and clusters that are sources."""

from __future__ import annotations

from math import factorial, prod
from typing import Any

import numpy as np

from ..core.arrays import IntArray
from ..core.cutting import pieces_of
from ..metrics.group_differences import SHARE

MIN_SOURCES = 6
"""Least number of sources for drawing and permuting pieces by whole sources; fewer have too few permutations."""
NOTHING_BUT_SOURCES = 0.95
"""Least share of pieces in the main cluster of their source for clusters to coincide with the sources."""


def sources_of(sequences: Any) -> list[IntArray]:
    """Return positions of the pieces of each source, in order of time; empty if sequences were not cut.

    Sources are in the order of their first piece in the set.
    """
    pieces = pieces_of(sequences.provenance)
    if not pieces:
        return []
    in_time = {entry: place for place, entry in enumerate(pieces)}
    ids = sequences.ids.tolist()
    found: dict[str, list[int]] = {}
    for position, entry in enumerate(ids):
        found.setdefault(pieces[entry][0], []).append(position)
    return [np.array(sorted(own, key=lambda i: in_time[ids[i]]), dtype=np.int64) for own in found.values()]


def dependent_sources(sequences: Any) -> list[IntArray]:
    """Return :func:`sources_of` if whole sources are drawn; empty if sequences are independent.

    That is with :data:`MIN_SOURCES` sources or more, one of which has several pieces.
    """
    found = sources_of(sequences)
    return found if MIN_SOURCES <= len(found) < len(sequences) else []


def permutable_sources(sequences: Any, labels: IntArray, level: float) -> list[IntArray]:
    """Return :func:`dependent_sources` if permuting them can give a p-value of `level`; otherwise empty.

    Clusters that are nothing but few sources have too few other orders.
    """
    sources = dependent_sources(sequences)
    if not sources or share_of_sources(sources, labels) < NOTHING_BUT_SOURCES:
        return sources
    sizes = np.bincount([int(np.bincount(labels[own][labels[own] >= 0], minlength=1).argmax()) for own in sources])
    orders = factorial(len(sources)) // prod(factorial(int(size)) for size in sizes)
    return sources if orders * level * SHARE >= 1.0 else []


def share_of_sources(sources: list[IntArray], labels: IntArray) -> float:
    """Return the share of pieces, 0 to 1, in the main cluster of their source; 0 if a cluster has no source."""
    counts = np.array([np.bincount(labels[own][labels[own] >= 0], minlength=int(labels.max()) + 1) for own in sources])
    if len(set(counts.argmax(axis=1).tolist())) < counts.shape[1]:
        return 0.0
    return float(counts.max(axis=1).sum() / len(labels))
