"""Maps of points by kernels and by graphs of neighbours (thesis 2012, sections 2.3 and 2.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from kinseq.core.arrays import FloatArray
from kinseq.core.errors import DataError, ParameterError
from kinseq.core.graphs.laplacian import leading_vectors
from kinseq.core.seeds import stream
from kinseq.metrics.external import accuracy

from ..data import planar
from ..plotting import panels
from .registry import Arrays, Drawing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def _kernel_pca(seed: int, widths: list[float]) -> Arrays:
    """Return two sets with a round symmetry, and their first two components under a Gaussian kernel."""
    from sklearn.decomposition import KernelPCA

    rings = planar.rings(seed, 120, (1.0, 3.0), 0.12)
    blob = planar.rings(seed + 1, 120, (0.0, 2.5), 0.25)
    arrays: dict[str, Any] = {}
    for number, ((points, label), width) in enumerate(zip((rings, blob), widths, strict=True), start=1):
        mapped = KernelPCA(2, kernel="rbf", gamma=0.5 / width**2, eigen_solver="dense").fit_transform(points)
        # The sign of a component is free; the first class is put on the left.
        mapped *= np.where(mapped[label == 0].mean(axis=0) > mapped[label == 1].mean(axis=0), -1.0, 1.0)
        arrays |= {f"points{number}": points, f"class{number}": label, f"mapped{number}": mapped}
    return arrays


def _draw_kernel_pca(arrays: Arrays, **_: Any) -> Figure:
    contents = []
    for number in (1, 2):
        for name, title in (("points", f"set {number}"), ("mapped", f"set {number} by kernel PCA")):

            def draw(axis: Axes, name: str = f"{name}{number}", label: str = f"class{number}") -> None:
                is_input = "points" in name
                named = panels.PLANE if is_input else ("first component", "second component")
                panels.points(axis, arrays[name], arrays[label], equal=is_input, named=named)

            contents.append((title, draw))
    return panels.panels(contents, columns=2, height=2.5)


def graph(points: FloatArray, epsilon: float, rate: float) -> FloatArray:
    """Return weights ``exp(-rate d^2)`` between different points closer than `epsilon`, 0 elsewhere; shape (N, N)."""
    from scipy.spatial.distance import pdist, squareform

    distance = squareform(pdist(points))
    weights = np.exp(-rate * distance**2) * (distance < epsilon)
    np.fill_diagonal(weights, 0.0)
    if not (weights.sum(axis=1) > 0.0).all():
        raise DataError(f"graph: a point has no neighbour within {epsilon:g}; raise epsilon")
    return np.asarray(weights)


def components(weights: FloatArray) -> int:
    """Return the number of connected parts of a graph."""
    from scipy.sparse.csgraph import connected_components

    return int(connected_components(weights > 0.0, directed=False)[0])


def eigenmap(weights: FloatArray, count: int, normalised: bool) -> tuple[FloatArray, FloatArray]:
    """Return the least eigenvalues of L = D - W, or of D^-1 L, and their vectors as columns (eqs. 2.54 to 2.59).

    The graphs have edges of weight 0 or 1 and, in one figure, no normalisation, so :class:`kinseq.core.graphs.laplacian.Graph`
    cannot be used.
    """
    degrees = weights.sum(axis=1)
    laplacian = np.diag(degrees) - weights
    if normalised:
        root = np.sqrt(degrees)
        vectors = leading_vectors(weights / (root[:, None] * root), count) / root[:, None]
    else:
        vectors = leading_vectors(-laplacian, count)
    # Vectors have length one in the metric of the problem, so a Rayleigh quotient needs no denominator.
    values = np.einsum("ik,ik->k", vectors, laplacian @ vectors)
    # The sign is free: the entry of largest magnitude is positive.
    largest = np.abs(vectors).argmax(axis=0)
    return np.asarray(values), np.asarray(vectors * np.sign(vectors[largest, np.arange(count)]))


def _edges(seed: int, n: int, epsilon: float) -> Arrays:
    random = stream(seed, "graph")
    points = np.concatenate([random.normal(size=(n, 2)) * 0.5, random.normal(size=(n, 2)) * 0.5 + [3.5, 1.0]])
    weights = (((points[:, None] - points) ** 2).sum(axis=2) < epsilon**2) & ~np.eye(len(points), dtype=bool)
    pairs = np.argwhere(np.triu(weights))
    return {"points": points, "edges": pairs, "components": np.array(components(weights.astype(np.float64)))}


def _draw_edges(arrays: Arrays, epsilon: float, **_: Any) -> Figure:
    def draw(axis: Axes) -> None:
        points = arrays["points"]
        for i, j in arrays["edges"]:
            axis.plot(points[[i, j], 0], points[[i, j], 1], color=panels.PALE, linewidth=0.7, zorder=1)
        panels.points(axis, points, size=16.0)
        angle = np.linspace(0.0, 2.0 * np.pi, 121)
        middle = points[0]
        axis.plot(middle[0] + epsilon * np.cos(angle), middle[1] + epsilon * np.sin(angle), "--", color="#D55E00")

    return panels.panels(
        [(f"edges below {epsilon:g}: {int(arrays['components'])} parts", draw)], height=3.4, width=0.75
    )


def _cylinders(seed: int, bend: float, epsilon: float, width: float, normalised: bool) -> Arrays:
    points, label = planar.cylinders(seed, bend=bend)
    weights = graph(points, epsilon, 1.0 / width**2)
    values, vectors = eigenmap(weights, 3, normalised)
    if components(weights) != 1:
        raise ParameterError(f"cylinders: the graph is not connected with epsilon {epsilon:g}; raise it")
    return {"points": points, "class": label, "values": values, "mapped": vectors[:, 1:]}


def _draw_cylinders(arrays: Arrays, normalised: bool, **_: Any) -> Figure:
    from matplotlib.figure import Figure

    from kinseq.plotting.array_figures import COLOURS
    from kinseq.plotting.figures import PAGE_WIDTH, figure_style

    with figure_style():
        figure = Figure(figsize=(PAGE_WIDTH, 3.1))
        space: Any = figure.add_subplot(1, 2, 1, projection="3d")
        label = arrays["class"]
        for k in (0, 1):
            space.scatter(*arrays["points"][label == k].T, s=5, color=COLOURS[k], linewidths=0)
        space.set(xlabel="x₁", ylabel="x₂", zlabel="x₃")
        # The layout ignores text outside the box; the second panel is next to it.
        space.set_box_aspect(None, zoom=0.8)
        space.set_title("(a) points in three dimensions", loc="left")
        flat = figure.add_subplot(1, 2, 2)
        panels.points(
            flat, arrays["mapped"][:, :2], label, equal=False, named=("second eigenvector", "third eigenvector")
        )
        flat.locator_params(axis="x", nbins=5)
        flat.set_title(f"(b) mapped by {'D⁻¹L' if normalised else 'L'}", loc="left")
    return figure


def _cut(seed: int, epsilon: float, width: float) -> Arrays:
    points, label = planar.moons(seed)
    weights = graph(points, epsilon, 0.5 / width**2)
    if components(weights) != 1:
        raise ParameterError(f"spectral cut: the graph is not connected with epsilon {epsilon:g}; raise it")
    _, vectors = eigenmap(weights, 2, True)
    clusters = (vectors[:, 1] > 0.0).astype(np.int64)
    return {
        "points": points,
        "found": clusters,
        "second": vectors[:, 1],
        "accuracy": np.array(accuracy(label, clusters)),
    }


def _draw_cut(arrays: Arrays, **_: Any) -> Figure:
    return panels.panels(
        [
            ("points", lambda axis: panels.points(axis, arrays["points"], np.full(len(arrays["points"]), 9))),
            ("sign of the second eigenvector", lambda axis: panels.points(axis, arrays["points"], arrays["found"])),
        ],
        columns=2,
        height=2.6,
    )


DRAWINGS = (
    Drawing(
        name="kernel_pca",
        label="round sets mapped by kernel PCA",
        source="thesis 2012, figure 2.10",
        compute=_kernel_pca,
        draw=_draw_kernel_pca,
        params={"widths": [1.0, 1.2]},
    ),
    Drawing(
        name="epsilon_graph",
        label="a graph of near points that is not connected",
        source="thesis 2012, figure 2.11",
        compute=_edges,
        draw=_draw_edges,
        params={"n": 18, "epsilon": 0.9},
    ),
    Drawing(
        name="cylinder_map",
        label="two tilted rings mapped by a graph Laplacian",
        source="thesis 2012, figures 2.12 and 2.13",
        compute=_cylinders,
        draw=_draw_cylinders,
        params={"bend": 0.0, "epsilon": 1.0, "width": 5.0, "normalised": False},
    ),
    Drawing(
        name="spectral_cut",
        label="a set cut by the second eigenvector of a graph",
        source="thesis 2012, figure 2.14",
        compute=_cut,
        draw=_draw_cut,
        params={"epsilon": 0.5, "width": 0.1},
    ),
)
