"""Loss of a sample against comparing all pairs: clusters that touch, and clusters that are small.

A number of sequences at which both can be done. ``--only touching`` and ``--only small`` take one half; 5 minutes in all.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from sklearn.cluster import SpectralClustering

import kinseq
from kinseq.analysis.partition import cutter
from kinseq.metrics import ari
from timing import markdown, say, write_csv

N, SAMPLE, FRAMES = 3000, 1000, 30
SEPARATIONS = (6.0, 4.0, 3.0)
"""Distances of neighbouring clusters, in standard deviations of each of their two levels."""
LARGE, SMALL, MEMBERS = 3, 6, 30
"""Clusters that share all other sequences, and small ones with their size."""
NEIGHBOURS = (10, 20)


def around(centres: np.ndarray, kinds: np.ndarray, random: np.random.Generator) -> list[np.ndarray]:
    """Noise of two columns around levels that are normal about the centre of each kind, with unit variances."""
    levels = centres[kinds] + random.normal(size=(N, 2))
    return list(levels[:, None] + random.normal(size=(N, FRAMES, 2)))


def touching(separation: float, seed: int = 0) -> tuple[list[np.ndarray], np.ndarray, np.ndarray]:
    """Four kinds on a square of levels; their kinds, and the kind of the nearest centre, which nothing can do better than."""
    random = np.random.default_rng(seed)
    centres, kinds = separation * np.array([(0, 0), (0, 1), (1, 0), (1, 1)]), random.integers(4, size=N)
    sequences = around(centres, kinds, random)
    means = np.array([frames.mean(axis=0) for frames in sequences])
    return sequences, kinds, np.linalg.norm(means[:, None] - centres, axis=2).argmin(axis=1)


def small(seed: int = 0) -> tuple[list[np.ndarray], np.ndarray]:
    """Return a few large kinds, and small ones six deviations from these and from each other."""
    random = np.random.default_rng(seed)
    sizes = [*[(N - SMALL * MEMBERS) // LARGE] * LARGE, *[MEMBERS] * SMALL]
    kinds = random.permutation(np.repeat(np.arange(LARGE + SMALL), sizes))
    centres = 6.0 * np.array([(kind // 3, kind % 3) for kind in range(LARGE + SMALL)])
    return around(centres, kinds, random), kinds


def clustered(sequences: list[np.ndarray], n_clusters: int, sample: int | None) -> tuple[Any, float]:
    """Return an analysis, and its CPU seconds."""
    start = time.process_time()
    analysis = kinseq.cluster(sequences, n_clusters, sample=sample, n_resamples=1)
    return analysis, time.process_time() - start


def graph(distance: np.ndarray, n_clusters: int, n_neighbours: int) -> np.ndarray:
    """Return clusters of the graph that links every sequence to its nearest ones, as good as any search for neighbours can do."""
    nearest = np.argsort(distance, axis=1, kind="stable")[:, 1 : n_neighbours + 1]
    links = np.zeros(distance.shape)
    np.put_along_axis(links, nearest, 1.0, axis=1)
    cut = SpectralClustering(n_clusters, affinity="precomputed", random_state=0, assign_labels="kmeans")
    return np.asarray(cut.fit_predict((links + links.T) / 2.0))


def n_recovered(small_kinds: np.ndarray, kinds: np.ndarray, labels: np.ndarray) -> int:
    """Return how many kinds are a cluster: most of the one are in the other, and the other way round."""
    both = np.array(
        [[np.sum((kinds == kind) & (labels == k)) for k in range(labels.max() + 1)] for kind in small_kinds]
    )
    sizes = np.bincount(labels)
    return sum(bool(2 * row.max() > row.sum() and 2 * row.max() > sizes[row.argmax()]) for row in both)


def rows_of_touching() -> list[dict[str, Any]]:
    """Return both paths at each separation."""
    rows = []
    for separation in SEPARATIONS:
        say(f"sampling: clusters {separation:g} standard deviations apart")
        sequences, kinds, best = touching(separation)
        (dense, slow), (sampled, quick) = (clustered(sequences, 4, size) for size in (None, SAMPLE))
        rows.append(
            {
                "separation": separation,
                "ARI, nearest centre": round(ari(kinds, best), 3),
                "ARI, all pairs": round(ari(kinds, dense.labels), 3),
                "ARI, sample": round(ari(kinds, sampled.labels), 3),
                "ARI of the two": round(ari(dense.labels, sampled.labels), 3),
                "come back": round(sampled._comes_back or 1.0, 3),
                "CPU, all pairs (s)": round(slow, 1),
                "CPU, sample (s)": round(quick, 1),
            }
        )
    return rows


def rows_of_small() -> list[dict[str, Any]]:
    """Return all pairs, a sample, and graphs of neighbours where some clusters are small."""
    say("sampling: small clusters")
    sequences, kinds = small()
    numbers = (LARGE + SMALL, 2 * (LARGE + SMALL))
    dense = clustered(sequences, numbers[0], None)[0]
    cut = cutter(dense.views[0].width, dense.options)
    ways: dict[str, Callable[[int], np.ndarray]] = {
        "all pairs": partial(cut, dense.distance),
        "sample": lambda number: clustered(sequences, number, SAMPLE)[0].labels,
        **{f"graph of {k} neighbours": partial(graph, dense.distance, n_neighbours=k) for k in NEIGHBOURS},
    }
    rows = []
    for way, labels_of in ways.items():
        row: dict[str, Any] = {"way": way}
        for number in numbers:
            labels = labels_of(number)
            row[f"ARI of {number} clusters"] = round(ari(kinds, labels), 3)
            row[f"small ones among {number}"] = n_recovered(np.arange(LARGE, LARGE + SMALL), kinds, labels)
        rows.append(row)
    return rows


def run(options: argparse.Namespace) -> str:
    """Return lines of the section."""
    wanted = {name for name in options.only.split(",") if name}
    lines = []
    for name, title, make in (
        ("touching", f"Clusters that touch, {N} sequences, {SAMPLE} sampled", rows_of_touching),
        ("small", f"{SMALL} clusters of {MEMBERS} among {N} sequences, {SAMPLE} sampled", rows_of_small),
    ):
        if not wanted or name in wanted:
            rows = make()
            write_csv(options.out / f"sampling_{name}.csv", rows)
            lines += [f"## {title}", "", markdown(rows, list(rows[0])), ""]
    return "\n".join(lines)
