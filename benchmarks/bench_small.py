"""Small clusters: all pairs against graphs of neighbours, on several kinds of data of which nothing is tuned.

Sequences differ in level, frequency or shape; kinds are far apart or touch; some are 3, 1 and 0.3 % of the data, or all are
of one size. Every matrix is that of the default over all pairs, cut as by default, or through a graph that links every
sequence to its nearest ones. About 5 minutes of CPU; ``--only level`` takes one generator.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import kinseq
from bench_sampling import n_recovered
from kinseq.analysis.partition import cutter
from kinseq.core.graphs.kmeans import kmeans
from kinseq.core.graphs.laplacian import leading_vectors
from kinseq.metrics import ari
from timing import markdown, say, write_csv

N, FRAMES = 1000, 40
LARGE, SIZES, EQUAL = 3, (30, 30, 10, 10, 3, 3), 5
"""Kinds that share what small ones leave, sizes of the small ones, and kinds where all are of one size."""
SHARES = ("3 %", "1 %", "0.3 %")
"""Sizes of all sequences, two of each."""
APART = (8.0, 4.0)
"""Distances of neighbouring kinds, in deviations within a kind."""
NEIGHBOURS = (5, 10, 20)
PLACES = 9

Rng = np.random.Generator
Sequences = list[np.ndarray]


def kinds_of(rng: Rng, equal: bool) -> np.ndarray:
    """Kind of each sequence."""
    if equal:
        return rng.permutation(np.arange(N) % EQUAL)
    large = np.arange(N - sum(SIZES)) % LARGE
    return rng.permutation(np.concatenate([large, np.repeat(LARGE + np.arange(len(SIZES)), SIZES)]))


def level(kinds: np.ndarray, apart: float, rng: Rng) -> Sequences:
    """White noise of two columns around levels about the points of a grid."""
    centres = apart * np.array([(place // 3, place % 3) for place in rng.permutation(PLACES)])
    levels = centres[kinds] + rng.normal(size=(len(kinds), 2))
    return list(levels[:, None] + rng.normal(size=(len(kinds), FRAMES, 2)))


def frequency(kinds: np.ndarray, apart: float, rng: Rng) -> Sequences:
    """Sines of any phase, whose periods are 4 to 64 frames, at even steps of their logarithm."""
    step, time = np.log(16.0) / (PLACES - 1), np.arange(2 * FRAMES)
    place = rng.permutation(PLACES)[kinds] + rng.normal(size=len(kinds)) / apart
    phase, periods = rng.uniform(0, 2 * np.pi, size=len(kinds)), 4.0 * np.exp(step * place)
    sines = np.sin(2 * np.pi * time / periods[:, None] + phase[:, None])
    return list((sines + 0.2 * rng.normal(size=sines.shape))[:, :, None])


def shape(kinds: np.ndarray, apart: float, rng: Rng) -> Sequences:
    """Return a smooth random curve for each kind, another one for each sequence, and noise."""
    time = np.arange(FRAMES)
    covariance = np.exp(-0.5 * ((time[:, None] - time) / 6.0) ** 2) + 1e-8 * np.eye(FRAMES)
    smooth = np.linalg.cholesky(covariance).T
    kind, own = (rng.normal(size=(n, FRAMES)) @ smooth for n in (kinds.max() + 1, len(kinds)))
    return list((kind[kinds] + own * 2.0 / apart + 0.1 * rng.normal(size=own.shape))[:, :, None])


GENERATORS: tuple[Callable[[np.ndarray, float, Rng], Sequences], ...] = (level, frequency, shape)


def links(distance: np.ndarray, n_neighbours: int, mutual: bool) -> np.ndarray:
    """Graph of nearest neighbours: of pairs where both are among the nearest of the other, or one is.

    In the first, every item is linked to its nearest one all the same, so that none is alone.
    """
    beyond = distance + np.diag(np.full(len(distance), np.inf))
    order = np.argsort(beyond, axis=1, kind="stable")
    near, first = np.zeros(distance.shape, dtype=bool), np.zeros(distance.shape, dtype=bool)
    np.put_along_axis(near, order[:, :n_neighbours], True, axis=1)
    np.put_along_axis(first, order[:, :1], True, axis=1)
    linked = (near & near.T) | first | first.T if mutual else near | near.T
    return linked.astype(np.float64)


def cut(graph: np.ndarray, n_clusters: int) -> np.ndarray:
    """Return clusters of a graph by the leading eigenvectors of its normalised Laplacian (Ng, Jordan and Weiss 2002)."""
    degree = graph.sum(axis=1)
    vectors = leading_vectors(graph / np.sqrt(degree[:, None] * degree), n_clusters)
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(kmeans(vectors / np.where(norms > 0, norms, 1.0), n_clusters, 0)[0])


def ways(analysis: Any) -> dict[str, Callable[[int], np.ndarray]]:
    """Return how the matrix of an analysis is cut into a number of clusters."""
    whole = cutter(analysis.views[0].width, analysis.options)
    cuts: dict[str, Callable[[int], np.ndarray]] = {"all pairs": lambda number: whole(analysis.distance, number)}
    for mutual in (False, True):
        for count in NEIGHBOURS:
            graph = links(analysis.distance, count, mutual)
            name = f"{count} neighbours, {'mutual' if mutual else 'one-sided'}"
            cuts[name] = lambda number, graph=graph: cut(graph, number)  # type: ignore[misc]
    return cuts


def judged(kinds: np.ndarray, labels: np.ndarray, equal: bool) -> dict[str, Any]:
    """Agreement with the kinds, that within the large ones, and the small ones that are found."""
    row: dict[str, Any] = {"ARI": round(float(ari(kinds, labels)), 3)}
    if not equal:
        large = kinds < LARGE
        row["ARI within the large"] = round(float(ari(kinds[large], labels[large])), 3)
        for i, share in enumerate(SHARES):
            row[share] = n_recovered(LARGE + 2 * i + np.arange(2), kinds, labels)
    return row


def of_set(name: str, apart: float, equal: bool, kinds: np.ndarray, sequences: Sequences) -> list[dict[str, Any]]:
    """Return every way, with the true number of clusters and, where the data choose one, the chosen number."""
    analysis = kinseq.cluster(sequences, sample=None, n_resamples=1, max_clusters=20)
    true = int(kinds.max()) + 1
    return [
        {"data": name, "apart": apart, "equal": equal, "way": way, "K": which, "clusters": number}
        | judged(kinds, cut_into(number), equal)
        for way, cut_into in ways(analysis).items()
        for which, number in (("true", true), ("twice", 2 * true), ("chosen", analysis.n_clusters))
    ]


def summed(rows: list[dict[str, Any]], which: str) -> list[dict[str, Any]]:
    """Return one row per way: means and sums over all data."""
    lines = []
    for way in dict.fromkeys(row["way"] for row in rows):
        some = [row for row in rows if (row["way"], row["K"]) == (way, which)]
        uneven, equal = ([row for row in some if row["equal"] == wanted] for wanted in (False, True))
        line: dict[str, Any] = {"K": which, "way": way}
        line["ARI, small kinds"] = f"{np.mean([row['ARI'] for row in uneven]):.2f}"
        line["ARI, equal kinds"] = f"{np.mean([row['ARI'] for row in equal]):.2f}"
        line |= {f"found of {2 * len(uneven)}, {share}": sum(row[share] for row in uneven) for share in SHARES}
        lines.append(line)
    return lines


def run(options: argparse.Namespace) -> str:
    """Return lines of the section."""
    wanted = {name for name in options.only.split(",") if name}
    generators = [generator for generator in GENERATORS if not wanted or generator.__name__ in wanted]
    rows: list[dict[str, Any]] = []
    for generator in generators:
        for apart in APART:
            for equal in (False, True):
                start = time.process_time()
                rng = np.random.default_rng([1, int(apart), equal])
                kinds = kinds_of(rng, equal)
                rows += of_set(generator.__name__, apart, equal, kinds, generator(kinds, apart, rng))
                say(f"small: {generator.__name__}, {apart:g} deviations apart, {time.process_time() - start:.0f} s")
    if not rows:
        return ""
    uneven_first = sorted(rows, key=lambda row: row["equal"])
    write_csv(options.out / "small.csv", [{key: row.get(key, "") for key in uneven_first[0]} for row in rows])
    lines = [line for which in ("true", "twice", "chosen") for line in summed(rows, which)]
    return "\n".join([f"## Small clusters among {N} sequences", "", markdown(lines, list(lines[0])), ""])
