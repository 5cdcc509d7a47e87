"""How much memory the jobs of an analysis in several processes ask for, by what they have measured."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from kinseq.analysis import limits

from .readers.batches import Cut

Step = Literal["read", "sample", "view", "clusters", "assign", "analysis", "alone"]


@dataclass(frozen=True)
class Need:
    """Memory of a step.

    Attributes
    ----------
    least : int
        MB, of small data.
    of_data : float
        Bytes for each byte of the files.
    of_files : float
        Bytes for each file.
    of_pairs : float
        Bytes for each pair of sequences that are compared with each other.
    """

    least: int
    of_data: float = 0.0
    of_files: float = 0.0
    of_pairs: float = 0.0


NEEDS: dict[Step, Need] = {
    "read": Need(2000, of_data=5.0, of_files=12e3),
    "sample": Need(4000, of_data=9.0, of_files=16e3),
    "view": Need(2000, of_pairs=130.0),
    "clusters": Need(4000, of_pairs=600.0),
    "assign": Need(2000, of_data=6.0),
    "analysis": Need(4000, of_data=9.0, of_files=16e3, of_pairs=130.0),
    "alone": Need(4000, of_data=9.0, of_files=16e3, of_pairs=700.0),
}
"""About twice of what was measured (docs/many.md); ``alone`` is the analysis where a single job does all."""
IN_BATCHES: tuple[Step, ...] = ("read", "assign")
"""Steps that take a share of the data."""
PROCESS = 500
"""MB of Python with the libraries, and some room."""
LEAST_BYTES = 100
"""Of a sequence in a file that holds many, as long as nobody knows how many there are."""


def asked(step: Step, cut: Cut, sample: int | str | None) -> int:
    """Memory that a job asks for when it is tried for the first time (MB).

    Parameters
    ----------
    step : str
        Which job; see :data:`NEEDS`.
    cut : Cut
        How much data there are, and in how many batches.
    sample : int, "auto" or None
        How many sequences are to be compared with each other; all if None.
    """
    need, share = NEEDS[step], cut.number if step in IN_BATCHES else 1
    of_data = (need.of_data * cut.bytes + need.of_files * cut.files) / share
    of_pairs = need.of_pairs * float(compared(cut, sample)) ** 2
    return max(need.least, PROCESS + round((of_data + of_pairs) / 1e6))


def compared(cut: Cut, sample: int | str | None) -> int:
    """How many sequences are compared with each other, at most; as many as without a sample where nobody knows."""
    if not cut.one_each:
        n = min(limits.DENSE, cut.bytes // LEAST_BYTES)
        return max(n, sample) if isinstance(sample, int) else n
    if sample is None:
        return cut.files
    if isinstance(sample, int):
        return min(cut.files, sample)
    return cut.files if cut.files <= limits.DENSE else limits.SAMPLE_MOST
