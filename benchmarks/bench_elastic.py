"""Matrices of elastic distances, on two threads: kinseq against aeon, dtaidistance and tsdistances, as far as they are installed.

Every candidate of a distance takes turns with the others. A cell of the table is a library with a distance, a size and a number of
channels; each has the seconds of the processor, of both threads, and those on the clock, which on a busy machine are also those of
its other work. Ratios are of the processor. ``elastic.csv`` gains a row whenever a distance of a size is done, and rows that it has
are not timed again. ``--only`` names distances, ``--quick`` takes the first size only.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

import kinseq
from timing import interleave, markdown, say, versions_of, write_csv

SIZES = ((100, 200), (60, 1000), (400, 128))
CHANNELS = (1, 3)
THREADS = 2
DISTANCES = ("dtw", "msm", "erp", "edr", "lcss", "twe", "wdtw", "ddtw", "adtw", "soft_dtw", "euclidean", "sbd")
PEERS = ("aeon", "dtaidistance", "tsdistances")
LIBRARIES = ("kinseq", *PEERS)
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

        calls["aeon"] = partial(getattr(aeon.distances, f"{name}_pairwise_distance"), walks, n_jobs=THREADS)
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
    table = options.out / "elastic.csv"
    rows = read_rows(table)
    done = {(row["distance"], row["size"]) for row in rows}
    for n, length in SIZES[:1] if options.quick else SIZES:
        for channels in CHANNELS:
            walks = np.random.default_rng(n).normal(size=(n, channels, length)).cumsum(axis=2)
            for name in wanted:
                if (name, size_of(walks)) in done:
                    continue
                # What is compiled, and what a process does once, is no part of it.
                for call in candidates(name, walks[:FEW]).values():
                    call()
                rows.append(row_of(name, walks, options.repeats))
                say(f"elastic: {rows[-1]}")
                write_csv(table, rows)
    if not rows:
        return ""
    return "\n".join(["## Elastic distances (seconds)", "", markdown(rows, list(rows[0])), "", versions_of(PEERS), ""])


def read_rows(table: Path) -> list[dict[str, Any]]:
    """Return the rows of a table that an earlier run left."""
    if not table.exists():
        return []
    with table.open(newline="") as stream:
        return list(csv.DictReader(stream))


def size_of(walks: np.ndarray) -> str:
    """Return sequences × frames × channels."""
    return " × ".join(map(str, (len(walks), walks.shape[2], walks.shape[1])))


def row_of(name: str, walks: np.ndarray, repeats: int) -> dict[str, Any]:
    """Return seconds of each library, of the processor and on the clock, and their ratio to the fastest other one."""
    calls = candidates(name, walks)
    timed = interleave(calls, dict.fromkeys(calls, repeats), SECONDS_A_CELL)
    row: dict[str, Any] = {"distance": name, "size": size_of(walks)}
    for library in LIBRARIES:
        cpu, wall, _ = timed.get(library, (None, None, 0))
        row |= {f"{library} (CPU)": "" if cpu is None else f"{cpu:.4f}",
                f"{library} (clock)": "" if wall is None else f"{wall:.4f}"}  # fmt: skip
    others = [cpu for library, (cpu, _, _) in timed.items() if library != "kinseq"]
    return row | {"times as fast": f"{min(others) / timed['kinseq'][0]:.1f}" if others else ""}
