"""Memory that the job of an analysis needs, from measurements (docs/reports/many.md)."""

from __future__ import annotations

from ..analysis import limits
from ..readers.file_stamp import Extent

LEAST_MB = 4000
"""MB, of small data."""
OF_DATA, OF_FILES, OF_PAIRS = 9.0, 16e3, 700.0
"""Bytes per byte of the files, per file, and per compared pair of sequences: about twice the measured numbers."""
PROCESS_MB = 500
"""MB of Python with its libraries, and some reserve."""
LEAST_BYTES = 100
"""Assumed size of a sequence in a file of many, while their number is unknown."""


def estimate(extent: Extent, sample: int | str | None) -> int:
    """Memory (MB) to request for the first try; `sample` sequences are compared, all if None."""
    of_data = OF_DATA * extent.bytes + OF_FILES * extent.files
    of_pairs = OF_PAIRS * float(compared(extent, sample)) ** 2
    return max(LEAST_MB, PROCESS_MB + round((of_data + of_pairs) / 1e6))


def compared(extent: Extent, sample: int | str | None) -> int:
    """Largest number of compared sequences; the limit without a sample if their number is unknown."""
    if not extent.one_each:
        n = min(limits.MAX_ALL_PAIRS, extent.bytes // LEAST_BYTES)
        return max(n, sample) if isinstance(sample, int) else n
    if sample is None:
        return extent.files
    if isinstance(sample, int):
        return min(extent.files, sample)
    return extent.files if extent.files <= limits.MAX_ALL_PAIRS else limits.SAMPLE_MOST
