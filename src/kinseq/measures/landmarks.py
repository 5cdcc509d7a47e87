"""Select the old sequences that each new one is compared with, by landmarks, if only near ones matter.

A new sequence is compared with some old ones that are far from each other, the landmarks. Old sequences that are as far from these
as it is are likely to be near it, and only they are compared with it. That finds neighbours for certain under no measure here;
how often an answer becomes another one has to be measured where it is used. Hjaltason and Samet (2003), "Properties of embedding
methods for similarity searching in metric spaces", compare such embeddings.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..core.arrays import FloatArray, IntArray


@dataclass(frozen=True)
class Shortlist:
    """Number of old sequences that each new one is compared with in each view.

    Attributes
    ----------
    landmarks : int
        With how many all new ones are compared.
    near : int
        With how many of those that are near by the landmarks.
    """

    landmarks: int
    near: int

    @property
    def compared(self) -> int:
        """Number of these in total."""
        return self.landmarks + self.near


def landmarks(distance: FloatArray, count: int) -> IntArray:
    """Positions of items that are far from each other, by dissimilarities (N, N).

    The most central item comes first, then repeatedly the one farthest from all before (Gonzalez, 1985).
    """
    magnitude = np.abs(distance)
    chosen = [int(magnitude.sum(axis=0).argmin())]
    nearest = magnitude[chosen[0]].copy()
    while len(chosen) < min(count, len(magnitude)):
        nearest[chosen] = -1.0
        chosen.append(int(nearest.argmax()))
        nearest = np.minimum(nearest, magnitude[chosen[-1]])
    return np.array(chosen, dtype=np.int64)


def near_by_landmarks(new: FloatArray, old: FloatArray, marks: IntArray, count: int) -> IntArray:
    """Ascending positions (M, count) of the old items about as far from the landmarks as each new one.

    `new`, shape (M, L), and `old`, shape (N, L), are dissimilarities from the landmarks; these themselves, at positions `marks`
    (L,), are not among the answers.
    """
    # Square roots, so that far landmarks do not dominate.
    here, there = np.sqrt(new), np.sqrt(old)
    apart = np.square(there).sum(axis=1) - 2.0 * here @ there.T
    apart[:, marks] = np.inf
    return np.sort(np.argpartition(apart, count - 1, axis=1)[:, :count], axis=1).astype(np.int64)
