"""``python -m kinseq.compile``: compile in advance, so that the first analysis does not wait.

Compiled code is kept where later runs find it (:mod:`kinseq.core.compiled`). ``make install`` ends with this call; whoever
installed by pip may make it once.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np

from .analysis.surrogates import Sets
from .core import compiled
from .core.errors import KinseqError
from .core.graphs.network_fusion import MIN_DIFFUSED_ITEMS
from .core.sequences import SequenceSet
from .measures.computing import compute
from .metrics.groupings import structure
from .readers.plain_numbers import plain_columns

MEASURES = ("elastic", "kl_ll", "ssd")
"""Alignments, models of each sequence and models of all: every usual measure is made of these."""


def compile_ahead() -> Path:
    """Compile the functions of the default analysis and the usual measures, and return the cache folder.

    Raises
    ------
    KinseqError
        If there is no folder that it can be kept in.
    """
    folder = compiled.cache_folder(__name__.partition(".")[0])
    if folder is None:
        raise KinseqError(
            "compiled code cannot be kept, since no folder can be written to; name one in NUMBA_CACHE_DIR"
        )
    random = np.random.default_rng(0)
    sequences = SequenceSet.from_arrays([random.normal(size=(20, 2)) for _ in range(6)])
    for measure in MEASURES:
        compute(measure, sequences, n_clusters=2)
    # The choice of the number of clusters compiles further code: for sets without groups, and views of enough items to fuse.
    compute("dtw", Sets(sequences, 0).spliced(0))
    plain_columns("1,2\n", ",", 1, 2)
    points = random.normal(size=(2, MIN_DIFFUSED_ITEMS, 2))
    structure({str(i): np.linalg.norm(some[:, None] - some, axis=2) for i, some in enumerate(points)}, [], 4)
    return folder


def main() -> int:
    """Entry point; prints one line."""
    begun = time.perf_counter()
    try:
        folder = compile_ahead()
    except KinseqError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print(f"compiled the numeric code in {time.perf_counter() - begun:.0f} s; it is kept in {folder}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
