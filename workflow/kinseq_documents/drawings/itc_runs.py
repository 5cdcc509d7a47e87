"""Information-theoretic clustering at work: its steps, its vote, and its divergence (thesis 2012, ch. 4 and 5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from kinseq.clustering.itc import ItcClustering, information_theoretic, match, vote
from kinseq.core.arrays import FloatArray, IntArray
from kinseq.core.graphs.kmeans import kmeans
from kinseq.core.seeds import derive_seed, stream
from kinseq.core.sequences import SequenceSet
from kinseq.divergences.density import bayes_rule, mean_deviation, silverman
from kinseq.metrics.external import accuracy

from ..data import planar
from ..plotting import panels
from ..tasks import Task
from .registry import Arrays, Drawing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def _classes(sequences: SequenceSet, task: Task) -> tuple[FloatArray, IntArray]:
    items = sequences.subset(task.indices)
    if items.labels is None:
        return items.values, np.zeros(len(items), dtype=np.int64)
    return items.values, np.unique(items.labels, return_inverse=True)[1].astype(np.int64)


def _aligned(labels: IntArray, truth: IntArray) -> IntArray:
    """Return clusters named by the classes they agree with best."""
    return match(labels, truth, 1 + max(int(labels.max()), int(truth.max())))


def steps_data(seed: int) -> FloatArray:
    """Return two arcs between two compact groups."""
    random = stream(seed, "steps")
    angle = np.linspace(0.0, np.pi, 40)
    arcs = [
        np.column_stack([np.cos(angle), np.sin(angle)]),
        np.column_stack([3.0 - np.cos(angle), 0.2 - np.sin(angle)]),
    ]
    groups = [random.normal(size=(30, 2)) * 0.12 + middle for middle in ([1.5, 1.5], [1.2, -1.4])]
    return np.concatenate([*(arc + 0.06 * random.normal(size=arc.shape) for arc in arcs), *groups])


def _steps(seed: int, k_init: int, n_init: int, n_clusters: int) -> Arrays:
    """Return the run with the largest divergence of ten, stage by stage."""
    points = steps_data(seed)
    clustering = information_theoretic(points, n_clusters, n_runs=10, k_init=k_init, n_init=n_init, random_state=seed)
    run = clustering.runs[int(clustering.ranking[0])]
    return {"points": points, "stages": run.stages, "costs": run.costs, "removed": run.removed}


def _draw_steps(arrays: Arrays, k_init: int, n_clusters: int, **_: Any) -> Figure:
    # Seeds, growth, the first removal step by step, the regrowths after it, and the last removal.
    last = len(arrays["stages"]) - 1
    stages = [0, 1, 2, 3, 5, 7, last - 1, last]
    names = {0: "seeds", 1: f"grown, {k_init} clusters"}
    for stage in range(2, last + 1):
        left = k_init - stage // 2
        names[stage] = f"regrown, {left} clusters" if stage % 2 else f"removed, {left} left"
    contents = []
    for stage in stages:

        def draw(axis: Axes, stage: int = stage) -> None:
            panels.points(axis, arrays["points"], arrays["stages"][stage])

        contents.append((names[stage], draw))
    figure = panels.panels(contents, columns=4, height=1.85)
    # All stages show the same points, so that the outer axes are those of all.
    for axis in figure.axes:
        axis.label_outer()
    return figure


def _scheme(seed: int) -> Arrays:
    """Return three partitions of ten points with an error each, under names of their own; matched, and their vote."""
    truth = np.array([0, 0, 0, 1, 1, 1, 1, 2, 2, 2])
    wrong = ((2, 1), (5, 2), (8, 0))
    names = ((0, 1, 2), (2, 0, 1), (1, 2, 0))
    partitions = []
    for (place, label), renamed in zip(wrong, names, strict=True):
        run = truth.copy()
        run[place] = label
        partitions.append(np.array(renamed)[run])
    matched = [match(run, partitions[0], 3) for run in partitions]
    return {"truth": truth, "given": np.array(partitions), "matched": np.array(matched), "vote": vote(partitions)}


def _draw_scheme(arrays: Arrays) -> Figure:
    from kinseq.plotting.array_figures import COLOURS

    def rows(table: IntArray, names: Sequence[str]) -> panels.Draw:
        def draw(axis: Axes) -> None:
            for row, labels in enumerate(table):
                for column, label in enumerate(labels):
                    axis.text(column, -row, str(int(label) + 1), ha="center", va="center", color=COLOURS[int(label)])
                    if table is not arrays["given"] and label != arrays["truth"][column]:
                        axis.plot(column, -row, "s", markersize=13, markerfacecolor="none", color="#D55E00")
                axis.text(-1.2, -row, names[row], ha="right", va="center", fontsize=7.5)
            axis.set_xlim(-3.6, table.shape[1] - 0.4)
            axis.set_ylim(-len(table) + 0.4, 0.6)
            panels.bare(axis)

        return draw

    runs = ["run 1", "run 2", "run 3"]
    return panels.panels(
        [
            ("labels of the runs, names arbitrary", rows(arrays["given"], runs)),
            ("names matched to those of run 1, errors framed", rows(arrays["matched"], runs)),
            ("majority", rows(arrays["vote"][None], ["vote"])),
        ],
        columns=1,
        height=1.05,
        width=0.7,
    )


def _pair(points: FloatArray, truth: IntArray, first: IntArray, second: IntArray) -> dict[str, Any]:
    return {
        "points": points,
        "first": _aligned(first, truth),
        "second": _aligned(second, truth),
        "accuracy": np.array([accuracy(truth, first), accuracy(truth, second)]),
    }


def _spirals(seed: int, noise: float) -> Arrays:
    points, truth = planar.spirals(seed, noise=noise)
    clustered = kmeans(points, 3, derive_seed(seed, "spirals"))[0]
    return _pair(points, truth, clustered, information_theoretic(points, 3, random_state=seed).labels)


def _draw_pair(arrays: Arrays, names: Sequence[str]) -> Figure:
    contents = []
    for i, (key, name) in enumerate(zip(("first", "second"), names, strict=True)):

        def draw(axis: Axes, key: str = key) -> None:
            panels.points(axis, arrays["points"], arrays[key])

        contents.append((f"{name}: {float(arrays['accuracy'][i]):.1f} % right", draw))
    return panels.panels(contents, columns=2, height=3.2)


def _draw_spirals(arrays: Arrays, **_: Any) -> Figure:
    return _draw_pair(arrays, ["k-means", "kNN ITC"])


def _toy(seed: int) -> Arrays:
    points, label = planar.three_scales(seed)
    return {"points": points, "class": label}


def _draw_toy(arrays: Arrays) -> Figure:
    def draw(axis: Axes) -> None:
        panels.points(axis, arrays["points"], arrays["class"])

    return panels.panels([("", draw)], height=3.4, width=0.75)


def bayes_accuracy(points: FloatArray, label: IntArray, means: FloatArray, deviations: FloatArray) -> float:
    """Return the percentage of points that the Bayes rule, which knows the Gaussians, puts right."""
    squares = ((points[:, None] - means) ** 2).sum(axis=2)
    logs = -0.5 * squares / deviations**2 - points.shape[1] * np.log(deviations)
    shares = np.bincount(label, minlength=len(means)) / len(label)
    return float(100.0 * (bayes_rule(logs, shares) == label).mean())


KERNELS = {
    "plug_in": "Kernel convention plug-in: the cost has kernels of the width itself (eq. 3.29), which the printed numbers fit.",
    "convolution": "Kernel convention convolution: the cost has kernels of twice the squared width (eqs. 3.27 and 3.31).",
}
"""Note on the kernel of a figure: the two conventions give different clusters."""


def _scales(seed: int, width: float, convention: str) -> Arrays:
    """Return the kernel and kNN on three scales, and the accuracy of the Bayes rule, which knows the densities."""
    points, truth = planar.three_scales(seed)
    kernel = information_theoretic(points, 3, method="kernel", width=width, convention=convention, random_state=seed)
    pair = _pair(points, truth, kernel.labels, information_theoretic(points, 3, random_state=seed).labels)
    means = np.array([(place, 0.0) for place, _ in planar.SCALES])
    best = bayes_accuracy(points, truth, means, np.array([scale for _, scale in planar.SCALES]))
    return {**pair, "bayes": np.array(best)}


def _draw_scales(arrays: Arrays, width: float, convention: str) -> Figure:
    text = f"kNN ITC (Bayes rule {float(arrays['bayes']):.1f} %)"
    figure = _draw_pair(arrays, [f"kernel ITC, width {width:g}", text])
    figure.supxlabel(KERNELS[convention], fontsize=7.5)
    return figure


def _numbers(seed: int, k_init: int) -> Arrays:
    """Return one run on four Gaussians, from `k_init` clusters down to two."""
    points, label = planar.four_gaussians(seed)
    clustering = information_theoretic(points, 2, n_runs=1, n_voters=1, k_init=k_init, random_state=seed)
    numbers, curve = clustering.curve()
    return {"points": points, "class": label, "numbers": numbers, "divergence": curve[0]}


def _draw_numbers(arrays: Arrays, **_: Any) -> Figure:
    def curve(axis: Axes) -> None:
        axis.plot(arrays["numbers"], arrays["divergence"], "o-", color="#0072B2")
        axis.set_xlabel("Number of clusters")
        axis.set_ylabel("Mean pairwise divergence (nats)")

    return panels.panels(
        [("points", lambda axis: panels.points(axis, arrays["points"], arrays["class"])), ("one run", curve)],
        columns=2,
        height=2.9,
    )


def _accuracies(clustering: ItcClustering, truth: IntArray) -> FloatArray:
    return np.array([accuracy(truth, labels) for labels in clustering.run_labels()])


def _against(seed: int, sequences: SequenceSet, tasks: Sequence[Task], n_runs: int) -> Arrays:
    """Accuracy of each run against its divergence."""
    points, truth = _classes(sequences, tasks[0])
    clustering = information_theoretic(points, tasks[0].n_clusters, n_runs=n_runs, random_state=seed)
    right, divergence = _accuracies(clustering, truth), clustering.divergences
    return {
        "accuracy": right,
        "divergence": divergence,
        "voters": clustering.ranking[:5],
        "voted": np.array(accuracy(truth, clustering.labels)),
        "correlation": np.array(np.corrcoef(right, divergence)[0, 1] if np.ptp(right) and np.ptp(divergence) else 0.0),
    }


def _draw_against(arrays: Arrays, **_: Any) -> Figure:
    def draw(axis: Axes) -> None:
        axis.plot(arrays["divergence"], arrays["accuracy"], "o", color="#0072B2", label="run")
        best = arrays["voters"]
        axis.plot(arrays["divergence"][best], arrays["accuracy"][best], "o", color="#D55E00", label="run that votes")
        axis.axhline(float(arrays["voted"]), color="#1A1A1A", linewidth=0.8, linestyle="--", label="vote")
        axis.set_xlabel("Mean pairwise divergence (nats)")
        axis.set_ylabel("Clustering accuracy (%)")

    figure = panels.panels([(f"correlation {float(arrays['correlation']):.2f}", draw)], height=3.2, width=0.75)
    return panels.legend_below(figure)


def _sweep(
    seed: int, sequences: SequenceSet, tasks: Sequence[Task], n_runs: int, widths: list[float], convention: str
) -> Arrays:
    """Accuracy of the kernel method over its width."""
    points, truth = _classes(sequences, tasks[0])
    values = [
        _accuracies(
            information_theoretic(
                points,
                tasks[0].n_clusters,
                method="kernel",
                width=width,
                convention=convention,
                n_runs=n_runs,
                n_voters=1,
                random_state=seed,
            ),
            truth,
        )
        for width in widths
    ]
    return {
        "width": np.array(widths),
        "accuracy": np.array(values),
        "rules": np.array([mean_deviation(points), silverman(points)]),
    }


def _draw_sweep(arrays: Arrays, convention: str, **_: Any) -> Figure:
    def draw(axis: Axes) -> None:
        width, right = arrays["width"], arrays["accuracy"]
        # The middle two thirds are about one deviation to each side, within the range of runs: no accuracy is above 100
        # %.
        low, high = np.quantile(right, [1.0 / 6.0, 5.0 / 6.0], axis=1)
        axis.fill_between(
            width, low, high, color="#0072B2", alpha=0.15, linewidth=0, label="middle two thirds of the runs"
        )
        axis.plot(width, right.mean(axis=1), "o-", color="#0072B2", label="mean of the runs")
        axis.plot(width, right.max(axis=1), "^", color="#D55E00", label="best run by the labels")
        for value, name, dash in zip(arrays["rules"], ("sigma_M", "sigma_S"), ("--", ":"), strict=True):
            axis.axvline(float(value), color="#1A1A1A", linewidth=0.8, linestyle=dash, label=name)
        axis.set_xlabel("Width of the kernel")
        axis.set_ylabel("Clustering accuracy (%)")

    figure = panels.panels([("", draw)], height=3.4, width=0.85)
    return panels.legend_below(figure, 3, title=KERNELS[convention])


DRAWINGS = (
    Drawing(
        name="itc_steps",
        label="a run of the algorithm stage by stage",
        source="thesis 2012, figure 4.1",
        compute=_steps,
        draw=_draw_steps,
        params={"k_init": 8, "n_init": 10, "n_clusters": 4},
    ),
    Drawing(
        name="vote_scheme",
        label="how partitions vote",
        source="thesis 2012, figure 4.2",
        compute=_scheme,
        draw=_draw_scheme,
    ),
    Drawing(
        name="three_scales",
        label="three clusters on different scales",
        source="thesis 2012, figure 1.1",
        compute=_toy,
        draw=_draw_toy,
    ),
    Drawing(
        name="itc_spirals",
        label="three spirals by k-means and by nearest neighbours",
        source="thesis 2012, figure 5.1",
        compute=_spirals,
        draw=_draw_spirals,
        params={"noise": 0.015},
    ),
    Drawing(
        name="itc_numbers",
        label="divergence over the number of clusters",
        source="thesis 2012, figure 5.2",
        compute=_numbers,
        draw=_draw_numbers,
        params={"k_init": 12},
    ),
    Drawing(
        name="accuracy_and_divergence",
        label="accuracy of runs against their divergence",
        source="thesis 2012, figure 5.3",
        compute=_against,
        draw=_draw_against,
        requires=("sequences",),
        shows_items=False,
        params={"n_runs": 50},
    ),
    Drawing(
        name="width_sweep",
        label="accuracy of the kernel method over its width",
        source="thesis 2012, figure 5.4",
        compute=_sweep,
        draw=_draw_sweep,
        requires=("sequences",),
        shows_items=False,
        params={
            "n_runs": 50,
            "widths": [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.85, 1.0],
            "convention": "plug_in",
        },
    ),
    Drawing(
        name="itc_scales",
        label="three scales by kernels and by nearest neighbours",
        source="thesis 2012, figure 5.9",
        compute=_scales,
        draw=_draw_scales,
        params={"width": 1.0, "convention": "plug_in"},
    ),
)
