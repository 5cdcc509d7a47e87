"""Views of a similarity matrix: its classes, its clusters, how well each item and class is retrieved, and by which words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from kinseq.clustering.mcl import markov
from kinseq.core.arrays import FloatArray, IntArray
from kinseq.core.errors import DataError
from kinseq.core.seeds import derive_seed
from kinseq.core.tokens import Items
from kinseq.metrics.external import adjusted_purity, ari, nmi_max, v_measure
from kinseq.metrics.retrieval import average_precision, map_by_class, roc_curves
from kinseq.plotting.array_figures import COLOURS, INK
from kinseq.sic.diagnostics import CONFIDENCE, confidence

from ..plotting import panels
from ..rendering.grids import Grid
from ..tasks import Task
from .registry import Arrays, Drawing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def _matrix(
    sequences: Items, tasks: Sequence[Task], distances: Sequence[Any]
) -> tuple[Items, NDArray[Any], FloatArray]:
    """Items, classes and dissimilarities of the first matrix."""
    first = distances[0]
    items = sequences.subset(first.task.indices)
    if items.labels is None:
        raise DataError(f"{sequences.name}: has no labels, so that there are no classes to draw")
    return items, np.asarray(items.labels).astype(str), np.asarray(first.matrix, dtype=np.float64)


def _thinned(classes: NDArray[Any], most: int) -> IntArray:
    """Return positions of a limited number of items, a share of each class, class by class."""
    order = np.argsort(classes, kind="stable")
    step = max(1, -(-len(order) // most))
    return np.asarray(order[::step], dtype=np.int64)


def _maps(
    seed: int,
    sequences: Items,
    tasks: Sequence[Task],
    distances: Sequence[Any],
    most: int,
    planar: bool,
    **_: Any,
) -> Arrays:
    """Return the matrix with classes together, and two maps of the items in the plane."""
    _items, classes, distance = _matrix(sequences, tasks, distances)
    at = _thinned(classes, most)
    names, codes = np.unique(classes[at], return_inverse=True)
    some = distance[np.ix_(at, at)]
    arrays: dict[str, Any] = {"matrix": 1.0 - some, "class": codes, "names": names}
    if planar:
        arrays |= {"mds": classical_scaling(some), "tsne": _tsne(some, derive_seed(seed, "t-sne"))}
    return arrays


def classical_scaling(distance: FloatArray) -> FloatArray:
    """Return coordinates of items in the plane by the two largest components of their dissimilarities, shape (N, 2).

    Torgerson's scaling: eigenvectors of the doubly centred squares, each with its largest entry positive.
    """
    square = distance**2
    centred = -0.5 * (square - square.mean(axis=0) - square.mean(axis=1)[:, None] + square.mean())
    values, vectors = np.linalg.eigh(centred)
    values, vectors = values[::-1][:2], vectors[:, ::-1][:, :2]
    largest = np.abs(vectors).argmax(axis=0)
    return np.asarray(vectors * np.sign(vectors[largest, [0, 1]]) * np.sqrt(np.maximum(values, 0.0)))


def _tsne(distance: FloatArray, seed: int) -> FloatArray:
    from sklearn.manifold import TSNE

    perplexity = min(30.0, max(2.0, (len(distance) - 1) / 4.0))
    estimator = TSNE(metric="precomputed", init="random", perplexity=perplexity, random_state=seed % 2**31, n_jobs=1)
    return np.asarray(estimator.fit_transform(distance), dtype=np.float64)


def _draw_maps(arrays: Arrays, **_: Any) -> Figure:
    names, codes = arrays["names"], arrays["class"]
    borders = np.flatnonzero(np.diff(codes)) + 0.5

    def heat(axis: Axes) -> None:
        matrix = arrays["matrix"].copy()
        np.fill_diagonal(matrix, np.nan)
        axis.imshow(matrix, cmap="Greys", vmin=np.nanmin(matrix), vmax=np.nanquantile(matrix, 0.999), rasterized=True)
        for border in borders:
            axis.axhline(border, color=COLOURS[1], linewidth=0.3)
            axis.axvline(border, color=COLOURS[1], linewidth=0.3)
        middle = [float(np.flatnonzero(codes == k).mean()) for k in range(len(names))]
        axis.set_yticks(middle, names, fontsize=6)
        axis.set_xticks([])
        axis.grid(visible=False)

    contents = [("similarities, class by class", heat)]
    for key, title in (("mds", "scaling"), ("tsne", "t-SNE")):
        if key in arrays:

            def plane(axis: Axes, key: str = key) -> None:
                panels.points(axis, arrays[key], codes, names=list(names), size=4.0)
                panels.bare(axis)

            contents.append((title, plane))
    figure = panels.panels(
        contents, columns=3, height=2.9 if len(contents) > 1 else 4.5, width=1.0 if len(contents) > 1 else 0.7
    )
    return panels.legend_below(figure, columns=5) if len(contents) > 1 and len(names) <= 12 else figure


def _composition(
    seed: int, sequences: Items, tasks: Sequence[Task], distances: Sequence[Any], n_clusters: int, **_: Any
) -> Arrays:
    """Return clusters of Markov clustering, their composition, and their scores."""
    _items, classes, distance = _matrix(sequences, tasks, distances)
    clusters = markov(distance, n_clusters or None)
    names, codes = np.unique(classes, return_inverse=True)
    table = np.zeros((int(clusters.max()) + 1, len(names)), dtype=np.int64)
    np.add.at(table, (clusters, codes), 1)
    table = table[np.argsort(-table.sum(axis=1), kind="stable")]
    scores = [measure(classes, clusters) for measure in (ari, v_measure, nmi_max, adjusted_purity)]
    return {"table": table, "names": names, "scores": np.array(scores)}


def _draw_composition(arrays: Arrays, **_: Any) -> Figure:
    def bars(axis: Axes) -> None:
        start = np.zeros(len(arrays["table"]))
        for k, name in enumerate(arrays["names"]):
            axis.barh(np.arange(len(start)), arrays["table"][:, k], left=start, color=COLOURS[k % 10], label=str(name))
            start = start + arrays["table"][:, k]
        axis.invert_yaxis()
        axis.set_yticks(np.arange(len(start)), np.arange(len(start)) + 1)
        axis.set_xlabel("Items of a cluster")
        axis.set_ylabel("Cluster")
        axis.grid(visible=False, axis="y")

    return panels.legend_below(panels.panels([("", bars)], height=2.9, width=0.75), columns=3)


def _table_of_composition(arrays: Arrays, **_: Any) -> list[Grid]:
    named = (
        "Adjusted Rand index",
        "V-measure",
        "NMI (over the larger entropy; over their mean it is the V-measure)",
        "Adjusted purity",
    )
    scores = [(name, f"{value:.3f}") for name, value in zip(named, arrays["scores"], strict=True)]
    scores.append(("Clusters", str(len(arrays["table"]))))
    members = [
        (str(number), *(str(count) for count in row.tolist()), str(int(row.sum())))
        for number, row in enumerate(arrays["table"], start=1)
    ]
    heads = ("Cluster", *(str(name) for name in arrays["names"]), "All")
    return [Grid(("Score", "Value"), tuple(scores), "scores"), Grid(heads, tuple(members), "items of each cluster")]


GRID = np.linspace(0.0, 1.0, 101)


def _by_class(seed: int, sequences: Items, tasks: Sequence[Task], distances: Sequence[Any], **_: Any) -> Arrays:
    """Mean ROC curve and mean average precision of the items of each class."""
    _items, classes, distance = _matrix(sequences, tasks, distances)
    queries, rates = roc_curves(classes, distance, GRID)
    names = [name for name in np.unique(classes) if (classes[queries] == name).any()]
    class_scores = map_by_class(classes, distance)
    at = [int(np.flatnonzero(class_scores.classes == name)[0]) for name in names]
    return {
        "names": np.array(names),
        "false": GRID,
        "true": np.stack([rates[classes[queries] == name].mean(axis=0) for name in names]),
        "map": class_scores.scores[at],
        "sizes": class_scores.sizes[at],
        "total": np.array(class_scores.total),
    }


def _draw_by_class(arrays: Arrays, **_: Any) -> Figure:
    def curves(axis: Axes) -> None:
        for k, row in enumerate(arrays["true"]):
            axis.plot(arrays["false"], row, color=COLOURS[k % 10], linewidth=0.9)
        axis.plot([0.0, 1.0], [0.0, 1.0], ":", color=INK, linewidth=0.7)
        axis.set_xlabel("False positive rate")
        axis.set_ylabel("True positive rate")

    def bars(axis: Axes) -> None:
        at = np.arange(len(arrays["names"]))
        axis.barh(at, arrays["map"], color=[COLOURS[k % 10] for k in range(len(at))])
        named = [f"{name} ({size})" for name, size in zip(arrays["names"], arrays["sizes"], strict=True)]
        axis.set_yticks(at, named, fontsize=6)
        axis.axvline(float(arrays["total"]), color=INK, linewidth=0.7, linestyle="--")
        axis.invert_yaxis()
        axis.set_xlabel("mAP (%); dashed: all items")

    height = max(2.6, 0.17 * len(arrays["names"]))
    return panels.panels([("mean ROC curve by class", curves), ("mAP by class", bars)], columns=2, height=height)


def _confidences(seed: int, sequences: Items, tasks: Sequence[Task], distances: Sequence[Any], **_: Any) -> Arrays:
    """Return a well and a poorly separated item, and how statistics of similarities go along with average precision."""
    from scipy.stats import pearsonr, spearmanr

    items, classes, distance = _matrix(sequences, tasks, distances)
    similarity = 1.0 - distance
    queries, precision = average_precision(classes, distance)
    confidences = confidence(similarity)
    rows = []
    for name in CONFIDENCE:
        own = confidences[name][queries]
        flat = np.ptp(own) == 0.0 or np.ptp(precision) == 0.0
        rows.append([0.0, 0.0] if flat else [pearsonr(own, precision)[0], spearmanr(own, precision)[0]])
    order = np.argsort(precision, kind="stable")
    examples = [int(queries[order[round(share * (len(order) - 1))]]) for share in (0.95, 0.05)]
    arrays: dict[str, Any] = {
        "correlation": np.array(rows),
        "ids": items.ids[examples],
        "precision": np.sort(precision),
    }
    roc_queries, rates = roc_curves(classes, distance, GRID)
    for number, item in enumerate(examples):
        others = np.arange(len(classes)) != item
        edges = np.histogram_bin_edges(similarity[item][others], 30)
        same = classes == classes[item]
        arrays[f"edges{number}"] = edges
        arrays[f"counts{number}"] = np.stack(
            [np.histogram(similarity[item][others & mask], edges)[0] for mask in (same, ~same)]
        )
        arrays[f"roc{number}"] = rates[int(np.flatnonzero(roc_queries == item)[0])]
    return {**arrays, "false": GRID}


def _draw_confidences(arrays: Arrays, **_: Any) -> Figure:
    contents = []
    for number, kind in enumerate(("well", "poorly")):

        def histogram(axis: Axes, number: int = number) -> None:
            edges, counts = arrays[f"edges{number}"], arrays[f"counts{number}"]
            for k, name in ((1, "different class"), (0, "same class")):
                axis.bar(edges[:-1], counts[k], np.diff(edges), align="edge", color=COLOURS[k], alpha=0.6, label=name)
            axis.set_yscale("log")
            axis.set_ylim(bottom=0.7)
            axis.set_xlabel("Similarity")
            axis.set_ylabel("Items")
            axis.legend(fontsize=5)

        def roc(axis: Axes, number: int = number) -> None:
            axis.plot(arrays["false"], arrays[f"roc{number}"], color=COLOURS[0])
            axis.plot([0.0, 1.0], [0.0, 1.0], ":", color=INK, linewidth=0.7)
            axis.set_xlabel("False positive rate")
            axis.set_ylabel("True positive rate")

        contents += [(f"{kind} separated:\n{str(arrays['ids'][number])[-28:]}", histogram), ("its ROC curve", roc)]

    def bars(axis: Axes) -> None:
        for k, name in enumerate(("Pearson", "Spearman")):
            axis.bar(np.arange(4) + 0.38 * (k - 0.5), arrays["correlation"][:, k], 0.36, color=COLOURS[k], label=name)
        axis.axhline(0.0, color=INK, linewidth=0.6)
        axis.set_xticks(range(4), CONFIDENCE, fontsize=6, rotation=25)
        axis.set_ylabel("Correlation with AP")
        # Room for the legend above the bars.
        axis.margins(y=0.05)
        low, high = axis.get_ylim()
        axis.set_ylim(low, high + 0.25 * (high - low))
        axis.legend(fontsize=6, ncols=2, loc="upper center")

    return panels.panels(
        [contents[0], contents[2], ("confidence", bars), contents[1], contents[3]], columns=3, height=2.2
    )


DRAWINGS = (
    Drawing(
        name="similarity_maps",
        label="similarities class by class, and maps of the items",
        source="report RR-8880, figures 11 and 18",
        compute=_maps,
        draw=_draw_maps,
        requires=("sequences", "distances"),
        shows_items=False,
        params={"most": 600, "planar": True},
    ),
    Drawing(
        name="cluster_composition",
        label="clusters of Markov clustering and the classes in them, and tables of both and of the scores",
        source="report RR-8880, figure 12",
        compute=_composition,
        draw=_draw_composition,
        table=_table_of_composition,
        requires=("sequences", "distances"),
        shows_items=False,
        params={"n_clusters": 0},
    ),
    Drawing(
        name="retrieval_by_class",
        label="mean ROC curve and mean average precision of each class",
        source="report RR-8880, figure 27 and table 1",
        compute=_by_class,
        draw=_draw_by_class,
        requires=("sequences", "distances"),
        shows_items=False,
    ),
    Drawing(
        name="confidence",
        label="a well and a poorly separated item, and what confidence scores say of precision",
        source="report RR-8880, figures 25 and 26",
        compute=_confidences,
        draw=_draw_confidences,
        requires=("sequences", "distances"),
        shows_items=False,
    ),
)
