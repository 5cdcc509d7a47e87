"""Matrices of elastic distances, on two threads: kinseq against aeon, dtaidistance and tsdistances, as far as they are installed.

Every candidate of a distance takes turns with the others. ``--only`` names distances, ``--quick`` takes the first size only.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np

import kinseq
from timing import interleave, markdown, say, write_csv

SIZES = ((100, 200), (60, 1000), (400, 128))
CHANNELS = (1, 3)
THREADS = 2
DISTANCES = ("dtw", "msm", "erp", "edr", "lcss", "twe", "wdtw", "ddtw", "adtw", "soft_dtw", "euclidean", "sbd")
OF_TSDISTANCES = {name: name for name in DISTANCES} | {"sbd": "sb"}
"""Names of the distances in tsdistances, which takes one channel."""
Call = Callable[[], Any]


def candidates(name: str, walks: np.ndarray) -> dict[str, Call]:
    """Return calls by library for walks of shape (N, channels, T)."""
    given = kinseq.SequenceSet.from_arrays([x.T for x in walks], layout="channels_last")
    calls: dict[str, Call] = {"kinseq": lambda: kinseq.dissimilarity(given, measure=name, n_jobs=THREADS)}
    if find_spec("aeon"):
        import aeon.distances

        pairwise = getattr(aeon.distances, f"{name}_pairwise_distance")
        calls["aeon"] = lambda: pairwise(walks, n_jobs=THREADS)
    if find_spec("dtaidistance") and name == "dtw":
        from dtaidistance import dtw, dtw_ndim

        if walks.shape[1] == 1:
            calls["dtaidistance"] = lambda: dtw.distance_matrix_fast(walks[:, 0], parallel=True)
        else:
            turned = np.ascontiguousarray(walks.transpose(0, 2, 1))
            calls["dtaidistance"] = lambda: dtw_ndim.distance_matrix_fast(turned, ndim=walks.shape[1], parallel=True)
    if find_spec("tsdistances") and walks.shape[1] == 1:
        import tsdistances

        function = getattr(tsdistances, f"{OF_TSDISTANCES[name]}_distance", None)
        if function is not None:
            calls["tsdistances"] = lambda: function(walks[:, 0], par=True)
    return calls


def run(options: argparse.Namespace) -> str:
    """Return lines of the section."""
    wanted = [name for name in DISTANCES if not options.only or name in options.only.split(",")]
    rows = []
    for n, length in SIZES[:1] if options.quick else SIZES:
        for channels in CHANNELS:
            walks = np.random.default_rng(n).normal(size=(n, channels, length)).cumsum(axis=2)
            for name in wanted:
                calls = candidates(name, walks)
                timed = interleave(calls, dict.fromkeys(calls, options.repeats))
                row: dict[str, Any] = {"distance": name, "size": f"{n} x {length} x {channels}"}
                row |= {library: round(timed[library][1], 3) if library in timed else "" for library in
                        ("kinseq", "aeon", "dtaidistance", "tsdistances")}  # fmt: skip
                others = [wall for library, (_, wall, _) in timed.items() if library != "kinseq"]
                row["times as fast"] = round(min(others) / timed["kinseq"][1], 1) if others else ""
                rows.append(row)
                say(f"elastic: {row}")
    if not rows:
        return ""
    write_csv(options.out / "elastic.csv", rows)
    return "\n".join(
        ["## Elastic distances (seconds on the clock, two threads)", "", markdown(rows, list(rows[0])), ""]
    )
