"""Divergences between all pairs of sets of vectors against a loop over SciPy's cKDTree and over scikit-learn's kernels.

W4: risk curve of the nearest-neighbour rule over 1000 priors, integrated into the Jeffreys divergence, and the divergence of
Wang et al.; W4m: maximum mean discrepancy; W10: sphere packing. The loops call a function of two arrays pair by pair, as one
writes it with these libraries; they are timed on a random part of the pairs and scaled up.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

import numpy as np

from kinseq import SequenceSet
from kinseq import divergences as dv
from kinseq.clustering import sphere_packing
from kinseq.divergences.neighbours import Within
from timing import interleave, markdown, say, write_csv

PRIORS = np.linspace(1e-3, 1 - 1e-3, 1000)
RANKS = "ranks alone"
PART = 400
"""Pairs on which a loop is timed."""


def japanese_vowels() -> SequenceSet:
    """Return the 270 training utterances that come with aeon, as sets of frames."""
    from aeon.datasets import load_japanese_vowels

    cases, labels = load_japanese_vowels(split="train")
    return SequenceSet.from_arrays([case.T for case in cases], labels=labels, name="Japanese Vowels")


def windows() -> SequenceSet:
    """400 sets of 60 vectors with 135 features, the size of songs cut into windows."""
    rng = np.random.default_rng(0)
    return SequenceSet.from_arrays([rng.normal(size=(60, 135)) + 0.3 * rng.normal(size=135) for _ in range(400)])


def some_pairs(data: SequenceSet) -> list[tuple[int, int]]:
    """Return pairs that a loop is timed on."""
    rng = np.random.default_rng(0)
    return [tuple(rng.choice(len(data), 2, replace=False)) for _ in range(PART)]


def trees(data: SequenceSet) -> Callable[[], Any]:
    """Wang's divergence in both directions, by trees: a function of two arrays, called pair by pair."""
    from scipy.spatial import cKDTree

    pairs, d = some_pairs(data), data.n_features

    def run() -> float:
        total = 0.0
        for i, j in pairs:
            x, y = data[i], data[j]
            of_x, of_y = cKDTree(x), cKDTree(y)
            for a, own, other, n, m in ((x, of_x, of_y, len(x), len(y)), (y, of_y, of_x, len(y), len(x))):
                total += d * np.log(other.query(a)[0] / own.query(a, k=2)[0][:, 1]).mean() + np.log(m / (n - 1))
        return total

    return run


def kernels(data: SequenceSet, sigma: float) -> Callable[[], Any]:
    """MMD by scikit-learn's Gaussian kernel: a function of two arrays, called pair by pair."""
    from sklearn.metrics.pairwise import rbf_kernel

    gamma, pairs = 0.5 / sigma**2, some_pairs(data)

    def run() -> float:
        total = 0.0
        for i, j in pairs:
            x, y = data[i], data[j]
            total += rbf_kernel(x, gamma=gamma).mean() + rbf_kernel(y, gamma=gamma).mean()
            total -= 2 * rbf_kernel(x, y, gamma=gamma).mean()
        return total

    return run


def ranks(data: SequenceSet) -> int:
    """Return what every estimate by neighbours starts from, and the curve of risks may at most double."""
    return sum(len(runs.others) for runs in Within.of(data).blocks())


def curves(data: SequenceSet) -> int:
    """Return every risk at 1000 priors of every pair."""
    return sum(len(risks) for _, risks in dv.pairwise_nn_risk_curves(data, PRIORS))


def run(options: argparse.Namespace) -> str:
    """Time every workload and return a table."""
    wanted = {name for name in options.only.split(",") if name}
    rows = []
    for name, data in (("", japanese_vowels()), ("b", windows())):
        n_pairs = len(data) * (len(data) - 1) / 2
        sigma = dv.median_distance(data.values)
        size = f"{len(data)} sets, d={data.n_features}"
        groups: dict[str, dict[str, Callable[[], Any]]] = {
            f"W4{name}": {
                "NN-J over 1000 priors and Wang": lambda data=data: dv.pairwise_jeffreys(  # type: ignore[misc]
                    data, ("nn", "wang"), grid="uniform", n_priors=1000
                ),
                RANKS: lambda data=data: ranks(data),  # type: ignore[misc]
                "all curves of 1000 risks": lambda data=data: curves(data),  # type: ignore[misc]
                "loop over cKDTree, Wang": trees(data),
            },
            f"W4m{name}": {
                "MMD": lambda data=data, sigma=sigma: dv.pairwise_mmd2(data, sigma),  # type: ignore[misc]
                "loop over scikit-learn, MMD": kernels(data, sigma),
            },
        }
        for workload, candidates in groups.items():
            if wanted and workload not in wanted:
                continue
            say(f"{workload}: {size}")
            timings = interleave(candidates, dict.fromkeys(candidates, options.repeats))
            loop = next(seconds * n_pairs / PART for label, (seconds, _, _) in timings.items() if "loop" in label)
            for label, (seconds, _, _) in timings.items():
                whole = loop if "loop" in label else seconds
                of_ranks = whole / timings[RANKS][0] if RANKS in timings else None
                rows.append(row(workload, size, label, whole, loop / whole, of_ranks))
    if not wanted or "W10" in wanted:
        for d in (1, 135):
            rng = np.random.default_rng(1)
            sets = [rng.normal(size=(60, d)) + 0.2 * (i % 6) for i in range(600)]
            label = {"sphere packing": lambda sets=sets: sphere_packing(sets, 6)}  # type: ignore[misc]
            seconds = interleave(label, {"sphere packing": options.repeats})["sphere packing"][0]
            rows.append(row("W10", f"600 sets of 60, d={d}", "sphere packing", seconds, None))
    if not rows:
        return ""
    write_csv(options.out / "divergences.csv", rows)
    return "## Divergences\n\nCPU seconds.\n\n" + markdown(rows, list(rows[0]))


def row(
    workload: str, size: str, what: str, seconds: float, ratio: float | None, of_ranks: float | None = None
) -> dict[str, str]:
    """Return one line of the table."""
    times, share = ("" if number is None else f"{number:.{digits}f}" for number, digits in ((ratio, 1), (of_ranks, 2)))
    return {
        "id": workload,
        "data": size,
        "what": what,
        "seconds": f"{seconds:.3g}",
        "x the loop": times,
        "of the ranks' time": share,
    }
