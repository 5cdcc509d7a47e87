"""Information-theoretic clustering: 50 runs on sets of vectors and on their distances, one run on many vectors."""

from __future__ import annotations

import argparse
import resource
from collections.abc import Callable
from typing import Any

import numpy as np

from kinseq.clustering import information_theoretic
from timing import interleave, markdown, say, write_csv

# Sizes of Wine and Pima with random numbers, since only sizes and the exponent determine the time.
SIZES = {"178 x 13, 3 clusters": (178, 13, 3), "768 x 8, 2 clusters": (768, 8, 2)}
MANY = (20_000, 6, 4)


def draw(n: int, d: int, k: int) -> np.ndarray:
    """Gaussian clusters that overlap."""
    random = np.random.default_rng(0)
    return random.normal(size=(n, d)) + 1.5 * random.normal(size=(k, d))[np.arange(n) % k]


def run(options: argparse.Namespace) -> str:
    """Time every workload and return a table."""
    wanted = {name for name in options.only.split(",") if name}
    if wanted and "W8" not in wanted:
        return "## Information-theoretic clustering\n\nleft out"
    rows = []
    for size, (n, d, k) in SIZES.items():
        points = draw(n, d, k)
        distance = np.linalg.norm(points[:, None] - points, axis=2)
        candidates: dict[str, Callable[[], Any]] = {
            "50 runs, kNN": lambda points=points, k=k: information_theoretic(points, k),  # type: ignore[misc]
            "50 runs, kernel": lambda points=points, k=k: information_theoretic(points, k, method="kernel"),  # type: ignore[misc]
            "50 runs, kNN on distances": lambda distance=distance, k=k: information_theoretic(  # type: ignore[misc]
                distance, k, metric="precomputed"
            ),
        }
        say(f"W8: {size}")
        for what, (seconds, _, _) in interleave(candidates, dict.fromkeys(candidates, options.repeats)).items():
            rows.append({"id": "W8", "data": size, "what": what, "seconds": f"{seconds:.3g}", "peak MB": ""})
    if not options.quick:
        n, d, k = MANY
        points = draw(n, d, k)
        what = "one run, kNN"
        one: dict[str, Callable[[], Any]] = {what: lambda: information_theoretic(points, k, n_runs=1, n_voters=1)}
        seconds = interleave(one, {what: 1})[what][0]
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        size = f"{n} x {d}, {k} clusters"
        rows.append({"id": "W8", "data": size, "what": what, "seconds": f"{seconds:.3g}", "peak MB": f"{peak:.0f}"})
    write_csv(options.out / "itc.csv", rows)
    return "## Information-theoretic clustering\n\nCPU seconds; peak of the process.\n\n" + markdown(
        rows, list(rows[0])
    )
