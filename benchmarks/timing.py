"""Interleaved timing, and the tables it ends in."""

from __future__ import annotations

import csv
import math
import os
import platform
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import median
from typing import Any

LIBRARIES = ("kinseq", "numpy", "scipy", "numba", "llvmlite", "scikit-learn", "hmmlearn", "pomegranate", "jax", "aeon")


def environment() -> list[str]:
    """Machine, interpreter, library versions and linear algebra in use, one line each."""
    from threadpoolctl import threadpool_info  # type: ignore[import-untyped]

    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [
            line.split(":", 1)[1].strip() for line in cpuinfo.read_text().splitlines() if line.startswith("model name")
        ]
        model = names[0] if names else model
    import llvmlite.binding as llvm

    lines = [
        f"machine: {model} ({llvm.get_host_cpu_name()}), {os.cpu_count()} cores, {platform.system()} {platform.release()}",
        f"python: {platform.python_version()}",
    ]
    versions = []
    for name in LIBRARIES:
        try:
            versions.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            if name == "kinseq":
                import kinseq

                versions.append(f"kinseq {kinseq.__version__}")
    lines.append("libraries: " + ", ".join(versions))
    for pool in threadpool_info():
        lines.append(
            f"threads: {pool['internal_api']} {pool.get('version')} {pool.get('architecture', '')}"
            f" ({pool['num_threads']} threads)"
        )
    return lines


def versions_of(names: Sequence[str]) -> str:
    """Return the versions of packages, and which are not installed."""
    found = []
    for name in names:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            found.append(f"{name} not installed")
    return ", ".join(found)


def interleave(
    candidates: Mapping[str, Callable[[], Any]], repeats: Mapping[str, int], at_most: float = math.inf
) -> dict[str, tuple[float, float, int]]:
    """Median CPU and wall seconds of each candidate, and the number of runs.

    Every candidate is called once to warm up if it runs more than once; then all take turns, so that whatever else the
    machine does falls on all of them alike. A candidate whose runs took `at_most` seconds on the clock takes no further turn.
    """
    seconds: dict[str, list[tuple[float, float]]] = {name: [] for name in candidates}
    spent = dict.fromkeys(candidates, 0.0)
    for name, call in candidates.items():
        if repeats[name] > 1:
            start = time.perf_counter()
            call()
            spent[name] = time.perf_counter() - start
    for turn in range(max(repeats.values())):
        for name, call in candidates.items():
            if turn < repeats[name] and (turn == 0 or spent[name] < at_most):
                cpu, wall = time.process_time(), time.perf_counter()
                call()
                seconds[name].append((time.process_time() - cpu, time.perf_counter() - wall))
                spent[name] += seconds[name][-1][1]
    return {
        name: (median(cpu for cpu, _ in runs), median(wall for _, wall in runs), len(runs))
        for name, runs in seconds.items()
    }


def write_csv(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """All rows with the columns of the first."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="") as stream:
        writer = csv.DictWriter(stream, fieldnames=list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def markdown(rows: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> str:
    """Return a table of the given columns."""
    lines = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    lines += ["| " + " | ".join(str(row[column]) for column in columns) + " |" for row in rows]
    return "\n".join(lines)


def say(*words: object) -> None:
    """Progress, to standard error."""
    print(*words, file=sys.stderr, flush=True)
