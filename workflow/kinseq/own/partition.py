"""From dissimilarities to clusters: how many, and which."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np

from ..affinity import WidthRule, choose_width
from ..arrays import FloatArray, IntArray
from ..clustering.registry import Clusterer, get
from ..evaluation.unlabelled import Numbers, compare_numbers
from ..kmeans import relabel
from ..measures.registry import Measure
from ..reference import Reference, of_matrix
from ..seeds import derive_seed, stream
from . import limits
from .run import Run, counter
from .settings import Settings

Width = WidthRule | Literal["none"] | float
"""Rule for the kernel width of spectral clustering, or the width; none where dissimilarities are logarithms of affinities."""
SPECTRAL, DIRECT = "spectral", "spectral_direct"
"""The clusterer whose affinity is a Gaussian of some width, and the same for affinities as they are."""
NUMBER = "number of clusters"
"""What the choice of it is called."""
SAME = 1e-9
"""Dissimilarities below this are rounding."""


def choose_number(
    asked: int | None, distance: FloatArray, width: Width, run: Run, reference: Reference | None = None
) -> tuple[int, Numbers | None]:
    """The number of clusters, and what speaks for each; None where nobody asks, and for fewer than three sequences.

    Parameters
    ----------
    asked : int or None
        The number that was asked for. It is not compared with items without clusters.
    distance : ndarray, shape (N, N)
    width : str or float
        Rule for the kernel width, or the width.
    run : Run
    reference : callable, optional
        Where items without clusters come from; the matrix itself if not given.
    """
    same = float(np.abs(distance).max()) < SAME
    wanted = (asked is None and not same) or (asked is not None and run.alternatives)
    numbers = _compare(asked, distance, width, run, reference) if wanted and len(distance) > 2 else None
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
        best, why = numbers.best, _why(numbers)
    run.choices.append((NUMBER, str(best), why))
    return best, numbers


def _why(numbers: Numbers) -> str:
    tried = f"2 to {numbers.n_clusters[-1]}"
    likely = f"p = {numbers.p_value:.2f}, against {numbers.n_references} sets without clusters"
    if numbers.best == 1:
        return f"none of {tried} stands out ({likely}); {numbers.candidates[1]} would stand out most"
    why = f"of {tried}, the one with the largest silhouette corrected for chance ({likely})"
    others = " or ".join(map(str, numbers.candidates[1:]))
    return f"{why}; {others} would do about as well" if others else why


def choose_rule(measure: Measure, run: Run) -> Width:
    """The rule for the kernel width: one width per item, unless the measure's own scale is local already."""
    asked = run.settings.width
    if asked == "auto":
        chosen: Width = "none" if measure.locally_scaled else "local"
        why = "its entries are logarithms of affinities" if measure.locally_scaled else "groups may differ in density"
    else:
        chosen, why = asked, "given"
    run.choices.append((f"{measure.name}: kernel width", str(chosen), why))
    return chosen


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
    if float(np.abs(distance).max()) < SAME:
        return np.zeros(len(distance), dtype=np.int64)
    many = len(distance) > limits.MANY and n_clusters > 1
    if many and (width == "eigengap" or width == "tightness" or width == "median"):
        width = choose_width(_some(distance, run.seed, "width"), n_clusters, width)
    labels = relabel(cutter(width, run.settings, run.seed)(distance, n_clusters)[first])
    sizes = np.bincount(labels)
    rank = np.empty(sizes.size, dtype=np.int64)
    rank[np.argsort(-sizes, kind="stable")] = np.arange(sizes.size)
    return rank[labels]


def tell_fewer(asked: int | None, labels: IntArray, distance: FloatArray, run: Run) -> None:
    """Say where there are fewer clusters than were asked for; the choice names the number that there is."""
    found = int(labels.max()) + 1
    if asked is None or found >= asked:
        return
    # Rows that are the same are of sequences that nothing tells apart.
    differing = len(np.unique(np.round(distance / SAME), axis=0)) if float(np.abs(distance).max()) >= SAME else 1
    few = f"only {differing} of the sequences differ" if differing > 1 else "no two sequences differ"
    why = f"{asked} were asked for, but {few if differing < asked else 'the clusterer found no more'}"
    run.notes.append(f"{found} {'cluster' if found == 1 else 'clusters'}: {why}")
    run.choices[:] = [
        (what, str(found), why) if what == NUMBER else (what, value, by) for what, value, by in run.choices
    ]


def cutter(width: Width, settings: Settings, seed: int) -> Callable[[FloatArray, int], IntArray]:
    """How a matrix is cut, of all sequences or of samples, whatever the number of clusters."""
    clusterer, params = _clusterer(width, settings)
    return lambda distance, n_clusters: clusterer(distance, n_clusters, seed=seed, **params)


def _clusterer(width: Width, settings: Settings) -> tuple[Clusterer, dict[str, Any]]:
    """The clusterer with its parameters."""
    name = DIRECT if settings.clusterer == SPECTRAL and width == "none" else settings.clusterer
    clusterer = get(name)
    params = {option: value for option, value in settings.options.items() if option in clusterer.params}
    if "width" in clusterer.params:
        params["width"] = width
    return clusterer, params


def compare_with_chance(
    numbers: Sequence[int], count: int, distance: FloatArray, width: Width, run: Run, reference: Reference | None
) -> Numbers:
    """Numbers of clusters against `count` sets of items without clusters; of many items, on some drawn at random."""
    items = drawn(len(distance), limits.COMPARED, run.seed, "numbers")
    square, references = (reference or of_matrix(distance))(items, count, derive_seed(run.seed, "reference"))
    step = counter(run.progress, "numbers of clusters", count + 1, "set")
    clusterer, params = _clusterer(width, run.settings)

    def cuts(given: FloatArray, wanted: list[int]) -> list[IntArray]:
        return clusterer.several(given, wanted, run.seed, **params)

    return compare_numbers(square, references, numbers, cuts, step)


def _compare(asked: int | None, distance: FloatArray, width: Width, run: Run, reference: Reference | None) -> Numbers:
    # Clusters of fewer than three sequences on average are not worth suggesting.
    most = min(run.settings.max_clusters, max(2, min(len(distance), limits.COMPARED) // 3))
    count = limits.REFERENCES if asked is None else 0
    return compare_with_chance(range(2, most + 1), count, distance, width, run, reference)


def drawn(n_items: int, most: int, seed: int, purpose: str) -> IntArray:
    """Positions of all items, of many those of some drawn at random."""
    if n_items <= most:
        return np.arange(n_items)
    return np.sort(stream(seed, purpose).permutation(n_items)[:most])


def _some(distance: FloatArray, seed: int, purpose: str) -> FloatArray:
    """The matrix, of many items that of some drawn at random."""
    some = drawn(len(distance), limits.MANY, seed, purpose)
    return distance[np.ix_(some, some)] if len(some) < len(distance) else distance
