"""Sequences without groups that lie between given ones: what happens once, as a step or a pulse, happens once at another time.

Moments of two sequences are aligned by dynamic time warping. A sequence between them has each event at a time between the two
times, and as large as between the two sizes; of a set in which one event happens at any time, it is one more of the kind. Of
two kinds of sequences, it is neither. The second sequence of a pair is drawn from the half of all that is farthest from the
first, since what lies between two of one group would be in that group.

Source: Petitjean, Ketterlin and Gançarski (2011) for means along alignments.
"""

from __future__ import annotations

import numpy as np

from ..core.arrays import FloatArray, IntArray
from ..core.sequences import SequenceSet
from ..features.frames import to_length

ALIGNED_MOMENTS = 50
"""Moments of a sequence that are aligned with those of another one."""
BEYOND = 0.5 * (np.sqrt(3.0) - 1.0)
"""How far places lie beyond either sequence, in units of what is between them: evenly spread, they vary as the given ones do."""
INSTANT = 1e-9
"""Time between two moments of a path that are at one time, in moments."""


class Between:
    """Pairs of given sequences, and the sequences simulated between them.

    Parameters
    ----------
    sequences : SequenceSet
    courses : ndarray, shape (N, T, d)
        The sequences at one length, of mean 0 and deviation 1 each, by which moments are aligned.
    """

    def __init__(self, sequences: SequenceSet, courses: FloatArray) -> None:
        from scipy.spatial.distance import cdist

        self.sequences = list(sequences)
        n = len(self.sequences)
        whole = sequences.values.std(axis=0)
        units = np.where(whole > 0, whole, 1.0)
        length = courses.shape[1]
        stack = np.stack([to_length(x, length) for x in self.sequences]) / units
        flat = stack.reshape(n, -1)
        farthest = np.argsort(-cdist(flat, flat, "sqeuclidean"), axis=1, kind="stable")
        self.far = farthest[:, : max(1, n // 2)]
        m = min(ALIGNED_MOMENTS, length)
        edges = np.linspace(0, length, m + 1).astype(np.int64)
        counts = np.diff(edges)
        self.moments = np.ascontiguousarray(np.add.reduceat(courses, edges[:-1], axis=1) / counts[:, None])
        self._paths: dict[tuple[int, int], IntArray] = {}

    def drawn(self, lengths: IntArray, random: np.random.Generator) -> tuple[FloatArray, IntArray]:
        """Return frames, shape (sum of lengths, d), and offsets of sequences of these lengths."""
        n = len(self.sequences)
        firsts = np.resize(random.permutation(n), len(lengths))
        seconds = self.far[firsts, random.integers(self.far.shape[1], size=len(lengths))]
        places = random.uniform(-BEYOND, 1.0 + BEYOND, size=len(lengths))
        offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        values = np.concatenate(
            [
                self._one(int(i), int(j), float(place), int(length))
                for i, j, place, length in zip(firsts, seconds, places, lengths, strict=True)
            ]
        )
        return values, offsets

    def _path(self, i: int, j: int) -> IntArray:
        """Aligned moments of two sequences, computed once."""
        if (i, j) not in self._paths:
            # Where a workflow is planned, nothing is aligned and nothing compiled.
            from ..core.warping_path import warping_path

            self._paths[i, j] = warping_path(self.moments[i], self.moments[j])[1]
        return self._paths[i, j]

    def _one(self, i: int, j: int, place: float, length: int) -> FloatArray:
        """Return a sequence between two; a `place` of 0 is the first, 1 the second; shape (length, d)."""
        path = self._path(i, j)
        last = self.moments.shape[1] - 1
        time = np.maximum.accumulate(np.clip((1.0 - place) * path[:, 0] + place * path[:, 1], 0.0, last))
        # Moments of one time are passed in an instant, in their order.
        time = time + INSTANT * np.arange(len(time))
        at = np.interp(np.linspace(0.0, last, length), time, np.arange(len(path)))
        frames = []
        for side, source in ((0, self.sequences[i]), (1, self.sequences[j])):
            along = np.interp(at, np.arange(len(path)), path[:, side]) * ((len(source) - 1) / max(last, 1))
            # Frames as they are: lines between them would be smoother than the given sequences.
            frames.append(source[np.rint(along).astype(np.int64)])
        return (1.0 - place) * frames[0] + place * frames[1]
