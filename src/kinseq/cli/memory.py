"""How much memory the job of an analysis requires, by what was measured (docs/reports/many.md)."""

from __future__ import annotations

from ..analysis import limits
from ..readers.file_stamp import Extent

LEAST_MB = 4000
"""MB, of small data."""
OF_DATA, OF_FILES, OF_PAIRS = 9.0, 16e3, 700.0
"""Bytes for each byte of the files, for each file, and for each pair of sequences that are compared: about twice of what was
measured."""
PROCESS_MB = 500
"""MB of Python with the libraries, and some room."""
LEAST_BYTES = 100
"""Of a sequence in a file that holds many, as long as nobody knows how many there are."""


def estimate(extent: Extent, sample: int | str | None) -> int:
    """Memory (MB) that the job requires at its first try; `sample` sequences are compared, all if None."""
    of_data = OF_DATA * extent.bytes + OF_FILES * extent.files
    of_pairs = OF_PAIRS * float(compared(extent, sample)) ** 2
    return max(LEAST_MB, PROCESS_MB + round((of_data + of_pairs) / 1e6))


def compared(extent: Extent, sample: int | str | None) -> int:
    """How many sequences are compared with each other, at most; as many as without a sample where nobody knows."""
    if not extent.one_each:
        n = min(limits.MAX_ALL_PAIRS, extent.bytes // LEAST_BYTES)
        return max(n, sample) if isinstance(sample, int) else n
    if sample is None:
        return extent.files
    if isinstance(sample, int):
        return min(extent.files, sample)
    return extent.files if extent.files <= limits.MAX_ALL_PAIRS else limits.SAMPLE_MOST
