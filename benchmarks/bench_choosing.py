"""Cost of choosing the number of clusters: the default with the number given, and with it chosen.

Sets of several sizes whose two groups differ in period, which one view sees clearly; one of them also with groups whose levels are
apart, and without groups; and the labelled sets of ``make bench`` that are there. CPU seconds of one thread, in turns, and of two
threads the seconds on the clock, which say something on a machine that is not busy. Where aeon is installed, the alignments of the
default, computed by it on one thread, take their turn once. ``--only periods,labelled`` takes some kinds, ``--quick`` leaves out
sets of more than 100 sequences. All of it takes twenty minutes with ``--repeats 2``.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

import kinseq
from answers.contenders import named
from answers.sets import SETS
from kinseq.core.errors import KinseqError
from kinseq.core.seeds import stream
from kinseq.core.sequences import as_sequence_set
from timing import interleave, markdown, say, write_csv

Sequences = Any
SIZES = ((20, 60, 1), (30, 120, 2), (60, 150, 3), (200, 100, 6), (500, 100, 1))
"""Sequences, frames, columns."""
MIDDLE = SIZES[3]
"""The size at which other kinds of sets are examined too."""
PERIODS = (10.0, 16.0)
"""Frames of a cycle in the two groups."""
MOST = 200
"""Sequences of a labelled set."""
QUICK = 100
"""Sequences of the largest set with ``--quick``."""
JOBS = 2


def periods(n: int, frames: int, columns: int) -> Sequences:
    """Waves of two periods and any phase, in noise of a third of their size."""
    rng, time = stream(0, "bench", "choosing", n, frames, columns), np.arange(frames)[:, None]
    phases = rng.uniform(0.0, 2.0 * np.pi, size=(n, columns))
    waves = [np.sin(2.0 * np.pi * time / PERIODS[i % 2] + phases[i]) for i in range(n)]
    return [wave + 0.3 * rng.normal(size=wave.shape) for wave in waves]


def levels(n: int, frames: int, columns: int) -> Sequences:
    """White noise about two levels, four deviations apart."""
    rng = stream(1, "bench", "choosing", n, frames, columns)
    return [rng.normal(size=(frames, columns)) + 4.0 * (i % 2) for i in range(n)]


def noise(n: int, frames: int, columns: int) -> Sequences:
    """White noise."""
    rng = stream(2, "bench", "choosing", n, frames, columns)
    return list(rng.normal(size=(n, frames, columns)))


def cases(kinds: set[str], quick: bool = False) -> Iterator[tuple[str, str, Sequences, int]]:
    """Kind, name, sequences and number of groups of each set of some kinds, or of all."""
    makers: Mapping[str, Callable[[int, int, int], Sequences]] = {"periods": periods, "levels": levels, "noise": noise}
    for kind, make in makers.items():
        for size in SIZES if kind == "periods" else (MIDDLE,):
            if (not kinds or kind in kinds) and not (quick and size[0] > QUICK):
                yield kind, f"{kind}, {' × '.join(map(str, size))}", make(*size), 2
    roots = [Path(os.environ["KINSEQ_DATA"])] if os.environ.get("KINSEQ_DATA") else []
    for entry in SETS if not kinds or "labelled" in kinds else ():
        try:
            sequences = entry.sequences(roots, QUICK if quick else MOST)
        except (KinseqError, ImportError) as error:
            say(f"choosing: {entry.name} left out, {error}")
            continue
        yield "labelled", entry.name, sequences, len(set(sequences.labels.tolist()))


def row_of(kind: str, name: str, sequences: Sequences, number: int, repeats: int) -> dict[str, Any]:
    """Seconds with the number given and chosen, on one thread and on two, and of the alignments in it by aeon."""
    calls: dict[tuple[str, int], Callable[[], Any]] = {
        (what, jobs): partial(kinseq.cluster, sequences, n_clusters=given, n_jobs=jobs)
        for what, given in (("given", number), ("chosen", None))
        for jobs in (1, JOBS)
    }
    names = {f"{what} {jobs}": call for (what, jobs), call in calls.items()}
    times = dict.fromkeys(names, repeats)
    if find_spec("aeon") is not None:
        (peer,) = named(["elastic_aeon"])
        names["aeon"], times["aeon"] = partial(peer.cluster, as_sequence_set(sequences), number, 0), 1
    seconds = interleave(names, times)
    given, chosen = (seconds[f"{what} 1"] for what in ("given", "chosen"))
    row: dict[str, Any] = {"kind": kind, "set": name, "found": kinseq.cluster(sequences).n_clusters}
    row |= {"given (s CPU)": f"{given[0]:.2f}", "chosen (s CPU)": f"{chosen[0]:.2f}"}
    row |= {"ratio": f"{chosen[0] / given[0]:.1f}", "choosing / rest": f"{(chosen[0] - given[0]) / given[0]:.1f}"}
    for what, alone in (("given", given), ("chosen", chosen)):
        together = seconds[f"{what} {JOBS}"][1]
        row |= {f"{what}, {JOBS} jobs (s)": f"{together:.2f}", f"{what}, gain": f"{alone[1] / together:.2f}"}
    peers = seconds.get("aeon")
    row |= {"its alignments by aeon (s CPU)": "" if peers is None else f"{peers[0]:.2f}"}
    return row | {"aeon / given": "" if peers is None else f"{peers[0] / given[0]:.1f}"}


def run(options: argparse.Namespace) -> str:
    """Lines of the section; one row per set goes to the folder of the tables."""
    kinds = {name for name in options.only.split(",") if name}
    # Exclude compilation and one-time costs of a process.
    for given in (2, None):
        kinseq.cluster(periods(12, 30, 2), n_clusters=given)
    rows = []
    for case in cases(kinds, options.quick):
        rows.append(row_of(*case, options.repeats))
        say(f"choosing: {case[1]}, {rows[-1]['ratio']} times")
    if not rows:
        return ""
    write_csv(options.out / "choosing.csv", rows)
    ratios = [float(row["ratio"]) for row in rows]
    said = f"Chosen over given: {median(ratios):.1f} times in the median, {max(ratios):.1f} at most."
    return "\n".join(["## Choosing the number of clusters", "", markdown(rows, list(rows[0])[1:]), "", said, ""])
