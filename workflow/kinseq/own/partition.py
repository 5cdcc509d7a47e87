"""From dissimilarities to clusters: how many, and which."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..affinity import WidthRule, choose_width
from ..arrays import FloatArray, IntArray
from ..clustering.registry import get
from ..evaluation.unlabelled import Numbers, compare_numbers
from ..kmeans import relabel
from ..measures.registry import Measure
from ..seeds import stream
from . import limits
from .run import Run, counter
from .settings import Settings

Width = WidthRule | float
"""Rule for the kernel width of spectral clustering, or the width."""
SAME = 1e-9
"""Dissimilarities below this are rounding."""


def choose_number(asked: int | None, distance: FloatArray, width: Width, run: Run) -> tuple[int, Numbers | None]:
    """The number of clusters, and what speaks for each; None where nobody asks, and for fewer than three sequences."""
    wanted = asked is None or run.alternatives
    numbers = _compare(distance, width, run) if wanted and len(distance) > 2 else None
    same = float(np.abs(distance).max()) < SAME
    if same:
        run.notes.append("all sequences are the same under this measure, there is nothing to tell them apart by")
    if asked is not None:
        best, why = asked, "given"
    elif same:
        best, why = 1, "no two sequences differ under this measure"
    elif numbers is None:
        run.notes.append("two sequences are too few to choose a number of clusters; only their distance says something")
        best, why = 1, "fewer than three sequences"
    else:
        best = numbers.by_silhouette
        why = f"least of 2 to {numbers.n_clusters[-1]} within a standard error of the largest mean silhouette"
        if numbers.by_eigengap != best:
            why += f"; the eigengap would say {numbers.by_eigengap}"
    run.choices.append(("number of clusters", str(best), why))
    return best, numbers


def choose_rule(measure: Measure, run: Run) -> Width:
    """The rule for the kernel width: one width per item, unless the measure's own scale is local already."""
    asked, why = run.settings.width, "given"
    if asked == "auto":
        asked = "eigengap" if measure.locally_scaled else "local"
        why = (
            "its entries are scaled to their surroundings" if measure.locally_scaled else "groups may differ in density"
        )
    run.choices.append((f"{measure.name}: kernel width", str(asked), why))
    return asked


def cut(distance: FloatArray, n_clusters: int, width: Width, run: Run, first: IntArray) -> IntArray:
    """Clusters, numbered from the largest; a single kernel width of many items is chosen on some of them.

    Parameters
    ----------
    distance : ndarray, shape (N, N)
    n_clusters : int
    width : str or float
        Rule for the kernel width, or the width.
    run : Run
        Says which clusterer, and the seed.
    first : ndarray, shape (N,), int64
        Position of the first item that is equal to each; all equal items are put into its cluster.

    Returns
    -------
    ndarray, shape (N,), int64
    """
    if isinstance(width, str) and width != "local" and len(distance) > limits.MANY and n_clusters > 1:
        width = choose_width(_some(distance, run.seed, "width"), n_clusters, width)
    labels = relabel(cutter(width, run.settings, run.seed)(distance, n_clusters)[first])
    sizes = np.bincount(labels)
    rank = np.empty(sizes.size, dtype=np.int64)
    rank[np.argsort(-sizes, kind="stable")] = np.arange(sizes.size)
    return rank[labels]


def cutter(width: Width, settings: Settings, seed: int) -> Callable[[FloatArray, int], IntArray]:
    """How a matrix is cut, of all sequences or of samples, whatever the number of clusters."""
    clusterer = get(settings.clusterer)
    params = {name: value for name, value in settings.options.items() if name in clusterer.params}
    if "width" in clusterer.params:
        params["width"] = width
    return lambda distance, n_clusters: clusterer(distance, n_clusters, seed=seed, **params)


def _compare(distance: FloatArray, width: Width, run: Run) -> Numbers:
    square = _some(distance, run.seed, "numbers")
    # Clusters of fewer than three sequences on average are not worth suggesting.
    most = min(run.settings.max_clusters, max(2, len(square) // 3))
    step = counter(run.progress, "numbers of clusters", most - 1, "number")
    return compare_numbers(square, most, cutter(width, run.settings, run.seed), run.seed, step)


def _some(distance: FloatArray, seed: int, purpose: str) -> FloatArray:
    """The matrix, of many items that of some drawn at random."""
    if len(distance) <= limits.MANY:
        return distance
    drawn = np.sort(stream(seed, purpose).permutation(len(distance))[: limits.MANY])
    return distance[np.ix_(drawn, drawn)]
