"""Schematic figures of the report on similarity by iterative classifications: partitions, k-means, trees, word models."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from kinseq.core.arrays import FloatArray, IntArray
from kinseq.core.graphs.kmeans import kmeans
from kinseq.core.seeds import derive_seed, stream
from kinseq.models.left_to_right import fit_words, frames_of
from kinseq.plotting.array_figures import COLOURS, INK

from ..plotting import panels
from .registry import Arrays, Drawing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def groups(seed: int, sizes: tuple[int, ...] = (9, 7, 8)) -> tuple[FloatArray, IntArray]:
    """Return three round groups of points in the plane, the last two near each other."""
    draw = stream(seed, "groups")
    centres = ((0.0, 0.0), (2.6, 0.4), (2.0, 1.9))
    points = [np.array(at) + 0.42 * draw.normal(size=(n, 2)) for at, n in zip(centres, sizes, strict=True)]
    return np.concatenate(points), np.repeat(np.arange(3), sizes)


def soft_membership(points: FloatArray, centres: FloatArray, exponent: float = 2.0) -> FloatArray:
    """Degrees of membership of fuzzy c-means, shape (N, k): ``1 / sum_l (d_k / d_l)^(2 / (m - 1))``."""
    distance = np.maximum(np.linalg.norm(points[:, None] - centres, axis=2), 1e-12)
    ratio = (distance[:, :, None] / distance[:, None, :]) ** (2.0 / (exponent - 1.0))
    return np.asarray(1.0 / ratio.sum(axis=2))


def _kinds(seed: int) -> Arrays:
    """Return a tree of merges, a partition into three, and degrees of membership of it."""
    from scipy.cluster.hierarchy import dendrogram, linkage

    points, _ = groups(seed)
    tree = linkage(points, "average")
    coordinates = dendrogram(tree, no_plot=True)
    hard, _ = kmeans(points, 3, seed=derive_seed(seed, "k-means"))
    centres = np.stack([points[hard == k].mean(axis=0) for k in range(3)])
    return {
        "points": points,
        "hard": hard,
        "soft": soft_membership(points, centres),
        "x": np.array(coordinates["icoord"]),
        "y": np.array(coordinates["dcoord"]),
    }


def _draw_kinds(arrays: Arrays, **_: Any) -> Figure:
    from matplotlib.colors import to_rgb

    def tree(axis: Axes) -> None:
        for x, y in zip(arrays["x"], arrays["y"], strict=True):
            axis.plot(x, y, color=INK, linewidth=0.8)
        axis.set_xticks([])
        axis.set_ylabel("Distance of merged clusters")

    def soft(axis: Axes) -> None:
        colours = arrays["soft"] @ np.array([to_rgb(COLOURS[k]) for k in range(3)])
        axis.scatter(arrays["points"][:, 0], arrays["points"][:, 1], s=16, c=np.clip(colours, 0.0, 1.0), linewidths=0)
        panels.bare(axis)
        axis.set_aspect("equal", adjustable="datalim")

    def hard(axis: Axes) -> None:
        panels.points(axis, arrays["points"], arrays["hard"], size=16)
        panels.bare(axis)

    return panels.panels([("hierarchical", tree), ("hard", hard), ("fuzzy", soft)])


def lloyd(points: FloatArray, centres: FloatArray) -> list[tuple[IntArray, FloatArray]]:
    """Stages of k-means: the assignment to each list of centres, with these, until nothing moves."""
    stages = []
    while True:
        labels = np.linalg.norm(points[:, None] - centres, axis=2).argmin(axis=1)
        stages.append((labels, centres))
        moved = np.stack(
            [points[labels == k].mean(axis=0) if (labels == k).any() else centres[k] for k in range(len(centres))]
        )
        if np.array_equal(moved, centres):
            return stages
        centres = moved


def _steps(seed: int, n_shown: int) -> Arrays:
    draw = stream(seed, "k-means steps")
    middle = np.array([[0.0, 0.0], [3.0, 0.3], [0.4, 2.7], [3.2, 3.0]])
    points = np.concatenate([at + 0.6 * draw.normal(size=(14, 2)) for at in middle])
    # Starts close together, so that there is something to see.
    stages = lloyd(points, points[draw.permutation(14)[:4]])
    at = np.unique(np.linspace(0, len(stages) - 1, n_shown).round().astype(int))
    return {
        "points": points,
        "labels": np.stack([stages[i][0] for i in at]),
        "centres": np.stack([stages[i][1] for i in at]),
        "stage": at,
    }


def _draw_steps(arrays: Arrays, **_: Any) -> Figure:
    contents = []
    for stage, labels, centres in zip(arrays["stage"], arrays["labels"], arrays["centres"], strict=True):

        def draw(axis: Axes, labels: IntArray = labels, centres: FloatArray = centres) -> None:
            panels.points(axis, arrays["points"], labels)
            axis.scatter(centres[:, 0], centres[:, 1], s=40, marker="+", color=INK, linewidths=1.2)
            panels.bare(axis)

        contents.append(("start" if stage == 0 else f"step {stage}", draw))
    return panels.panels(contents, columns=4, height=1.9)


def _tree(seed: int) -> Arrays:
    """Return a small tree on a number and a yes or no, and the regions that it makes."""
    from sklearn.tree import DecisionTreeClassifier

    draw = stream(seed, "tree")
    x = draw.uniform(0.0, 10.0, size=90)
    flag = draw.integers(2, size=90).astype(np.float64)
    label = np.where(flag > 0.5, np.where(x < 4.0, 0, 1), np.where(x < 7.0, 2, 0))
    fitted = DecisionTreeClassifier(max_leaf_nodes=4, random_state=0).fit(np.column_stack([flag, x]), label)
    grid = np.linspace(0.0, 10.0, 401)
    regions = np.stack([fitted.predict(np.column_stack([np.full(401, f), grid])) for f in (0.0, 1.0)])
    tree = fitted.tree_
    return {
        "x": x,
        "flag": flag,
        "label": label,
        "grid": grid,
        "regions": regions,
        "feature": tree.feature,
        "threshold": np.where(tree.feature >= 0, tree.threshold, 0.0),
        "left": tree.children_left,
        "right": tree.children_right,
        "class": tree.value[:, 0].argmax(axis=1),
    }


def _draw_tree(arrays: Arrays, **_: Any) -> Figure:
    left, right = arrays["left"], arrays["right"]

    def node(axis: Axes, at: int, x: float, y: float, width: float) -> None:
        if left[at] < 0:
            k = int(arrays["class"][at])
            axis.text(x, y, f"class {k + 1}", ha="center", va="center", color=COLOURS[k])
            return
        question = "yes?" if arrays["feature"][at] == 0 else f"x > {arrays['threshold'][at]:.1f}?"
        for child, side, word in ((left[at], -1, "no"), (right[at], 1, "yes")):
            to = x + side * width
            axis.plot([x, to], [y - 0.05, y - 0.3], color=panels.PALE, linewidth=0.9, zorder=0)
            axis.text((x + to) / 2, y - 0.16, word, ha="center", va="center", fontsize=6, color=INK)
            node(axis, int(child), to, y - 0.36, width / 2)
        axis.text(
            x, y, question, ha="center", va="center", bbox={"boxstyle": "round", "fc": "white", "ec": panels.PALE}
        )

    def tree(axis: Axes) -> None:
        node(axis, 0, 0.0, 1.0, 0.5)
        axis.set_xlim(-1.1, 1.1)
        axis.set_ylim(0.05, 1.12)
        panels.bare(axis)

    def regions(axis: Axes) -> None:
        for flag in (0, 1):
            for k in np.unique(arrays["label"]):
                own = arrays["regions"][flag] == k
                axis.fill_between(arrays["grid"], flag - 0.4, flag + 0.4, where=own, color=COLOURS[k], alpha=0.15)
                members = (arrays["flag"] == flag) & (arrays["label"] == k)
                jitter = np.linspace(-0.3, 0.3, int(members.sum()))
                axis.scatter(arrays["x"][members], flag + jitter, s=7, color=COLOURS[k], linewidths=0)
        axis.set_yticks([0, 1], ["no", "yes"])
        axis.set_xlabel("x")
        axis.grid(visible=False)

    return panels.panels([("tree", tree), ("its regions", regions)], columns=2)


def _topologies(seed: int, n_states: int) -> Arrays:
    """Transitions of models of type 1 and type 2 that were fitted to some noise, entry and exit among the states."""
    draw = stream(seed, "noise")
    frames = frames_of([draw.normal(size=(4 * n_states, 2)) for _ in range(4)])
    everything = [np.arange(4)]
    return {
        "type1": fit_words(frames, everything, n_states, 1).transmat[0],
        "type2": fit_words(frames, everything, n_states, 2).transmat[0],
    }


def _draw_topologies(arrays: Arrays, **_: Any) -> Figure:
    contents = []
    for kind in (1, 2):
        allowed = arrays[f"type{kind}"] > 0.0

        def draw(axis: Axes, allowed: Any = allowed) -> None:
            n = len(allowed)
            # A row of the matrix must sum to one: the self-loop of the exit is arithmetic, not a transition.
            for i, j in np.argwhere(allowed[:-1]):
                if i == j:
                    style = {"arrowstyle": "->", "connectionstyle": "arc3,rad=-2.2", "color": INK, "lw": 0.8}
                    style |= {"shrinkA": 0, "shrinkB": 0}
                    axis.annotate("", (i + 0.08, 0.2), (i - 0.08, 0.2), arrowprops=style)
                else:
                    bend = 0.0 if j == i + 1 else 0.45
                    style = {"arrowstyle": "->", "connectionstyle": f"arc3,rad={bend}", "color": INK, "lw": 0.8}
                    style |= {"shrinkA": 7, "shrinkB": 7}
                    axis.annotate("", (j, 0.0), (i, 0.0), arrowprops=style)
            for i in range(n):
                emits = 0 < i < n - 1
                axis.scatter(i, 0.0, s=150, zorder=3, color=COLOURS[0] if emits else "white", edgecolors=INK)
            for i, name in ((0, "entry"), (n - 1, "exit")):
                axis.annotate(name, (i, 0.0), (0, 11), textcoords="offset points", ha="center", fontsize=7.5)
            axis.set_xlim(-0.5, n - 0.5)
            axis.set_ylim(-1.1, 1.0)
            panels.bare(axis)

        contents.append((f"type {kind}", draw))
    return panels.panels(contents, columns=1, height=1.5, width=0.8)


def _node(seed: int, n_workers: int) -> Arrays:
    """Return how the work flows: batches of iterations, the labels that they leave, and the job that adds them up."""
    return {"workers": np.arange(n_workers)}


def _draw_node(arrays: Arrays, **_: Any) -> Figure:
    def draw(axis: Axes) -> None:
        boxes = {"data": (0.0, 0.0, "items"), "sum": (3.0, 0.0, "labels added up in the\norder of iterations")}
        boxes["matrix"] = (4.4, 0.0, "similarity,\nEM, figures")
        n = len(arrays["workers"])
        for k in range(n):
            boxes[f"w{k}"] = (1.4, (k - (n - 1) / 2) * 0.55, f"batch {k + 1} of\niterations")
        for name, (x, y, text) in boxes.items():
            colour = COLOURS[0] if name.startswith("w") else INK
            frame = {"boxstyle": "round,pad=0.35", "fc": "white", "ec": colour}
            axis.text(x, y, text, ha="center", va="center", fontsize=7, bbox=frame, zorder=3)
        arrow = {"arrowstyle": "->", "color": panels.PALE, "lw": 0.9, "shrinkA": 26, "shrinkB": 30}
        for k in range(n):
            x, y, _text = boxes[f"w{k}"]
            axis.annotate("", (x, y), (0.0, 0.0), arrowprops={**arrow, "shrinkA": 16})
            axis.annotate("", (3.0, 0.0), (x, y), arrowprops={**arrow, "shrinkB": 46})
        axis.annotate("", (4.4, 0.0), (3.0, 0.0), arrowprops={**arrow, "shrinkA": 46})
        axis.set_xlim(-0.4, 4.9)
        axis.set_ylim(-0.35 * n, 0.35 * n)
        panels.bare(axis)

    return panels.panels([("", draw)], height=2.2, lettered=False)


DRAWINGS = (
    Drawing(
        name="kinds_of_clustering",
        label="a hierarchy, a partition and degrees of membership of the same points",
        source="report RR-8880, figure 1",
        compute=_kinds,
        draw=_draw_kinds,
    ),
    Drawing(
        name="kmeans_steps",
        label="a run of k-means step by step",
        source="report RR-8880, figure 2",
        compute=_steps,
        draw=_draw_steps,
        params={"n_shown": 4},
    ),
    Drawing(
        name="decision_tree",
        label="a decision tree and its regions",
        source="report RR-8880, figure 3",
        compute=_tree,
        draw=_draw_tree,
    ),
    Drawing(
        name="word_topologies",
        label="transitions of word models of two types",
        source="report RR-8880, figure 19",
        compute=_topologies,
        draw=_draw_topologies,
        params={"n_states": 5},
    ),
    Drawing(
        name="sic_jobs",
        label="how iterations are spread over jobs and added up",
        source="report RR-8880, figure 20",
        compute=_node,
        draw=_draw_node,
        params={"n_workers": 3},
    ),
)
