"""Matrices of elastic distances, on two threads: kinseq against aeon, dtaidistance and tsdistances, as far as they are installed.

Every candidate of a distance takes turns with the others. Times are those of the processor: both threads of all of them compute
all the time, and on a busy machine seconds on the clock are those of its other work. ``--only`` names distances, ``--quick``
takes the first size only.
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
LIBRARIES = ("kinseq", "aeon", "dtaidistance", "tsdistances")
FEW = 4
"""Walks of the first call, which compiles."""
SECONDS_A_CELL = 10.0
"""A library that took longer for one matrix is not called again."""
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
    """Return lines of the section; rows go to the folder of the tables one by one."""
    wanted = [name for name in DISTANCES if not options.only or name in options.only.split(",")]
    rows: list[dict[str, Any]] = []
    for n, length in SIZES[:1] if options.quick else SIZES:
        for channels in CHANNELS:
            walks = np.random.default_rng(n).normal(size=(n, channels, length)).cumsum(axis=2)
            for name in wanted:
                # What is compiled, and what a process does once, is no part of it.
                for call in candidates(name, walks[:FEW]).values():
                    call()
                rows.append(row_of(name, walks, options.repeats))
                say(f"elastic: {rows[-1]}")
                write_csv(options.out / "elastic.csv", rows)
    if not rows:
        return ""
    return "\n".join(["## Elastic distances (CPU seconds of two threads)", "", markdown(rows, list(rows[0])), ""])


def row_of(name: str, walks: np.ndarray, repeats: int) -> dict[str, Any]:
    """Return CPU seconds of each library, and how many times as fast as the fastest other one kinseq is."""
    calls = candidates(name, walks)
    timed = {library: cpu for library, (cpu, _, _) in
             interleave(calls, dict.fromkeys(calls, repeats), SECONDS_A_CELL).items()}  # fmt: skip
    row: dict[str, Any] = {"distance": name, "size": " × ".join(map(str, (len(walks), walks.shape[2], walks.shape[1])))}
    row |= {library: f"{timed[library]:.3f}" if library in timed else "" for library in LIBRARIES}
    others = [cpu for library, cpu in timed.items() if library != "kinseq"]
    return row | {"times as fast": f"{min(others) / timed['kinseq']:.1f}" if others else ""}
