"""Runs of similarity by iterative classifications seen from inside: mixtures, weighted scores, convergence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from kinseq.clustering.mcl import markov
from kinseq.core.arrays import FloatArray, IntArray
from kinseq.core.errors import DataError
from kinseq.core.seeds import derive_seed, stream
from kinseq.core.sequences import Task
from kinseq.core.tokens import Items
from kinseq.metrics.clustering import adjusted_purity, ari, nmi, v_measure
from kinseq.metrics.retrieval import f_at, mean_average_precision, precision_at
from kinseq.sic.computing import Similarity, similarity
from kinseq.sic.diagnostics import convergence, entropy_trace
from kinseq.sic.labels import Labels
from kinseq.sic.laws import poisson_binomial
from kinseq.sic.mixture import bernoulli_mixture
from kinseq.sic.recipes import named
from kinseq.sic.scores import binary, independent_rate, pair_counts, scored, weights
from kinseq_drawing import planes
from kinseq_drawing.diagrams import COLOURS, INK

from .registry import Arrays, Drawing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SAME, OTHER = COLOURS[0], COLOURS[1]


def _first(sequences: Items, tasks: Sequence[Task]) -> tuple[Items, NDArray[Any]]:
    """Items and classes of the first task."""
    items = sequences.subset(tasks[0].indices)
    if items.labels is None:
        raise DataError(f"{sequences.name}: has no labels, so that pairs of one class are not known")
    return items, np.asarray(items.labels)


def _run(
    seed: int,
    items: Items,
    classifier: str,
    settings: Mapping[str, Any],
    n_iterations: int,
    train: float,
    labels: Any,
    **rest: Any,
) -> Similarity:
    """A run that all figures of one set and the same settings share."""
    recipe = named(classifier, **{key: tuple(v) if isinstance(v, list) else v for key, v in settings.items()})
    asked = tuple(labels) if isinstance(labels, list) else labels
    return similarity(items, recipe, n_iterations, train, asked, seed=derive_seed(seed, "sic", items.name), **rest)


def true_rates(labels: Labels, classes: NDArray[Any]) -> tuple[FloatArray, FloatArray, float]:
    """Share of the pairs of one class, and of those of different ones, that each iteration puts together; pi_0.

    Over pairs that are tested; skipped iterations are left out (section 2.1.3 C).
    """
    from sklearn.metrics.cluster import pair_confusion_matrix

    one, two = [], []
    for column in labels.used().values.T:
        tested = column >= 0
        # Rows: of different classes, of one; columns: apart, together.
        (apart, together), (missed, found) = pair_confusion_matrix(classes[tested], column[tested]).tolist()
        one.append(found / max(missed + found, 1))
        two.append(together / max(apart + together, 1))
    (different, alike), _ = pair_confusion_matrix(np.arange(len(classes)), classes).tolist()
    return np.array(one), np.array(two), different / max(different + alike, 1)


def _estimates(seed: int, sequences: Items, tasks: Sequence[Task], n_row: int, bins: int, **params: Any) -> Arrays:
    """Parameters of the mixture: true ones, by EM, by independence; laws under them; one item at a few iterations."""
    items, classes = _first(sequences, tasks)
    run = _run(seed, items, train_tested=True, **params)
    found = run.labels.used()
    p1, p0, pi0 = true_rates(found, classes)
    mixture = bernoulli_mixture(found)
    n = found.n_iterations
    law = {
        "law_true": np.stack([pi0 * poisson_binomial(p0), (1.0 - pi0) * poisson_binomial(p1)]),
        "law_em": np.stack([mixture.pi0 * poisson_binomial(mixture.p0), mixture.pi1 * poisson_binomial(mixture.p1)]),
    }
    some = found.first(min(n_row, n))
    few = bernoulli_mixture(some)
    # The item whose class is neither rare nor half of all: that of median size.
    sizes = np.array([(classes == name).sum() for name in classes])
    item = int(np.argsort(sizes, kind="stable")[len(sizes) // 2])
    others = np.arange(len(classes)) != item
    edges = np.linspace(0.0, 1.0, bins + 1)
    rows = {}
    for name, matrix in (("binary", binary(some)), ("em", few.responsibilities)):
        row, same = matrix[item][others], (classes == classes[item])[others]
        rows[name] = np.stack([np.histogram(row[chosen], edges)[0] for chosen in (same, ~same)])
    return {
        "p1_true": p1,
        "p0_true": p0,
        "p1_em": mixture.p1,
        "p0_em": mixture.p0,
        "p0_independence": independent_rate(found),
        "pi0": np.array([pi0, mixture.pi0]),
        "similarity": np.arange(n + 1) / n,
        **law,
        "edges": edges,
        "row_binary": rows["binary"],
        "row_em": rows["em"],
        "item": np.array(str(items.ids[item])),
        "n_row": np.array(some.n_iterations),
    }


_ESTIMATES = ("p0_true", "p0_em", "p0_independence", "p1_true", "p1_em")
_NAMED = ("p₀ true", "p₀ EM", "p₀ indep.", "p₁ true", "p₁ EM")


def _draw_estimates(arrays: Arrays, **_: Any) -> Figure:
    def table(axis: Axes) -> None:
        lines = [f"π₀   true {arrays['pi0'][0]:.3f}   EM {arrays['pi0'][1]:.3f}", ""]
        for name, key in zip(_NAMED, _ESTIMATES, strict=True):
            lines.append(f"{name:<10} {arrays[key].mean():.4f} ± {arrays[key].std():.3f}")
        axis.text(0.0, 1.0, "\n".join(lines), va="top", fontsize=7, family="monospace")
        planes.bare(axis)

    def boxes(axis: Axes) -> None:
        axis.boxplot([arrays[key] for key in _ESTIMATES], widths=0.6, medianprops={"color": COLOURS[1]})
        axis.set_xticks(range(1, 6), _NAMED, fontsize=6, rotation=35)

    def curves(axis: Axes) -> None:
        at = np.arange(1, arrays["p0_true"].size + 1)
        for k, (name, key) in enumerate(zip(_NAMED, _ESTIMATES, strict=True)):
            axis.plot(at, arrays[key], linewidth=0.8, color=COLOURS[k], label=name)
        axis.set_xlabel("Iteration")
        axis.legend(fontsize=5, ncols=2)

    def law(key: str) -> Any:
        def draw(axis: Axes) -> None:
            parts = arrays[key]
            axis.plot(arrays["similarity"], parts[1], color=SAME, label="one class")
            axis.plot(arrays["similarity"], parts[0], color=OTHER, label="different classes")
            axis.plot(arrays["similarity"], parts.sum(axis=0), color=INK, linewidth=0.7, label="mixture")
            axis.set_yscale("log")
            axis.set_ylim(1e-6, 1.0)
            axis.set_xlabel("Similarity")
            axis.legend(fontsize=5)

        return draw

    def row(key: str) -> Any:
        def draw(axis: Axes) -> None:
            middle, width = 0.5 * (arrays["edges"][1:] + arrays["edges"][:-1]), arrays["edges"][1]
            axis.bar(middle, arrays[key][1], width, color=OTHER, alpha=0.7, label="different class")
            axis.bar(middle, arrays[key][0], width, color=SAME, alpha=0.7, label="same class")
            axis.set_yscale("log")
            axis.set_ylim(bottom=0.7)
            axis.set_xlabel("Similarity")
            axis.set_ylabel("Items")
            axis.legend(fontsize=5)

        return draw

    n_row = int(arrays["n_row"])
    return planes.panels(
        [
            ("estimates", table),
            ("over iterations", boxes),
            ("by iteration", curves),
            ("law, true parameters", law("law_true")),
            ("law, EM", law("law_em")),
            (f"one item, {n_row} iterations", row("row_binary")),
            (f"one item, EM, {n_row} iterations", row("row_em")),
        ],
        columns=3,
        height=2.1,
    )


def _weighted(
    seed: int, sequences: Items, tasks: Sequence[Task], sigmas: Sequence[float], n_short: int, bins: int, **params: Any
) -> Arrays:
    """Weighted scores of one item after all iterations, and flipped ones after a few, beside the normal laws."""
    items, classes = _first(sequences, tasks)
    run = _run(seed, items, **params)
    found = run.labels.used()
    few = found.first(min(n_short, found.n_iterations))
    p1, p0, pi0 = true_rates(few, classes)
    flips = float((1 - pi0) * (1 - p1.mean()) / ((1 - pi0) * (1 - p1.mean()) + pi0 * (1 - p0.mean())))
    item = int(np.argsort(np.array([(classes == name).sum() for name in classes]), kind="stable")[len(classes) // 2])
    cases: list[tuple[str, Labels, float, float]] = [("weighted", found, 1.0, 0.0)]
    cases += [(f"flipped, sigma {sigma:g}", few, sigma, flips) for sigma in sigmas]
    made: dict[str, Any] = {"titles": [], "moments": [], "law": []}
    for number, (title, labels, sigma, chance) in enumerate(cases):
        counts = pair_counts(labels)
        matrix = scored(
            labels, weights(independent_rate(labels), chance, sigma=sigma), counts, derive_seed(seed, "flips")
        )
        seen = (np.arange(len(classes)) != item) & (counts[item] > 0)
        row, same = np.asarray(matrix[item], dtype=np.float64), classes == classes[item]
        other = row[seen & ~same]
        edges = np.histogram_bin_edges(row[seen], bins)
        made[f"edges{number}"] = edges
        made[f"counts{number}"] = np.stack([np.histogram(row[seen & chosen], edges)[0] for chosen in (same, ~same)])
        made["titles"].append(f"{title}, {labels.n_iterations} iterations")
        made["moments"].append([other.mean(), other.std()])
        made["law"].append(sigma / np.sqrt(counts[item][seen & ~same].mean()))
    return {
        **{key: np.array(value) for key, value in made.items() if isinstance(value, list)},
        **{key: value for key, value in made.items() if not isinstance(value, list)},
        "item": np.array(str(items.ids[item])),
        "flips": np.array(flips),
    }


def _normal(x: FloatArray, mean: float, deviation: float) -> FloatArray:
    spread = max(deviation, 1e-12)
    return np.asarray(np.exp(-0.5 * ((x - mean) / spread) ** 2) / (spread * np.sqrt(2.0 * np.pi)))


def _draw_weighted(arrays: Arrays, **_: Any) -> Figure:
    drawn = []
    for number, title in enumerate(arrays["titles"]):

        def draw(axis: Axes, number: int = number) -> None:
            edges, counts = arrays[f"edges{number}"], arrays[f"counts{number}"]
            width, total = np.diff(edges), max(1, counts[1].sum())
            axis.bar(edges[:-1], counts[1] / total / width, width, align="edge", color=OTHER, alpha=0.5)
            axis.bar(edges[:-1], counts[0] / total / width, width, align="edge", color=SAME, alpha=0.6)
            x = np.linspace(edges[0], edges[-1], 201)
            axis.plot(
                x, _normal(x, *arrays["moments"][number]), color=COLOURS[2], label="normal, fitted to other classes"
            )
            axis.plot(x, _normal(x, 0.0, float(arrays["law"][number])), color=INK, linewidth=0.8, label="N(0, σ²/T)")
            axis.set_xlabel("Score")

        drawn.append((str(title), draw))
    return planes.legend_below(planes.panels(drawn, columns=2, height=2.1), columns=2)


QUALITIES = ("mAP", "P@1", "f@r", "ARI", "purity", "V", "NMI")


def qualities(classes: NDArray[Any], matrix: NDArray[Any], n_clusters: int, rank: int) -> list[float]:
    """Retrieval and clustering scores of a similarity as shares of 1, in the order of :data:`QUALITIES`."""
    distance = 1.0 - np.asarray(matrix, dtype=np.float64)
    np.fill_diagonal(distance, 0.0)
    clusters = markov(distance, n_clusters)
    retrieved = [
        mean_average_precision(classes, distance) / 100.0,
        precision_at(classes, distance, 1) / 100.0,
        f_at(classes, distance, rank) / 100.0,
    ]
    grouped = [measure(classes, clusters) for measure in (ari, adjusted_purity, v_measure, nmi)]
    return [float(value) for value in (*retrieved, *grouped)]


def _marks(entropy: FloatArray, at: IntArray, tolerances: Sequence[float]) -> list[int]:
    """Iterations at which the entropy has moved by less than a tolerance for the first time; the last one otherwise."""
    moved = np.abs(np.diff(entropy))
    found = []
    for tolerance in tolerances:
        small = np.flatnonzero(moved < tolerance)
        found.append(int(at[small[0] + 1]) if small.size else int(at[-1]))
    return found


def _converging(
    seed: int,
    sequences: Items,
    tasks: Sequence[Task],
    n_clusters: int,
    rank: int,
    n_pairs: int,
    at_share: float,
    tolerances: Sequence[float],
    **params: Any,
) -> Arrays:
    """One run: correlations with its end and between halves, entropy, scores where it settles, mAP all along."""
    items, classes = _first(sequences, tasks)
    found = _run(seed, items, **params).labels
    n = found.n_iterations
    course = entropy_trace(found)
    at = np.unique(np.linspace(max(4, n // 20), n, 15).astype(np.int64))
    compared = convergence(found, at)
    marks = np.unique([*_marks(course.entropy, course.iterations, tolerances), n])
    scores = np.array([qualities(classes, binary(found.first(int(x))), n_clusters, rank) for x in marks])
    maps = []
    for x in at:
        distance = 1.0 - np.asarray(binary(found.first(int(x))), dtype=np.float64)
        np.fill_diagonal(distance, 0.0)
        maps.append(mean_average_precision(classes, distance))
    part, final = binary(found.first(max(1, round(at_share * n)))), binary(found)
    upper = np.triu_indices(len(classes), 1)
    chosen = stream(seed, "pairs").permutation(upper[0].size)[:n_pairs]
    values = np.stack([matrix[upper][chosen] for matrix in (final, part)])
    from scipy.stats import rankdata

    return {
        "at": at,
        "pearson": compared.pearson,
        "spearman": compared.spearman,
        "halves_pearson": compared.disjoint_pearson,
        "halves_spearman": compared.disjoint_spearman,
        "entropy_at": course.iterations,
        "entropy": course.entropy,
        "marks": marks,
        "scores": scores,
        "tolerance_at": np.array(_marks(course.entropy, course.iterations, tolerances)),
        "map": np.array(maps),
        "pairs": values,
        "ranks": np.stack([rankdata(row) for row in values]),
        "compared_at": np.array(max(1, round(at_share * n))),
    }


def _draw_converging(arrays: Arrays, tolerances: Sequence[float], **_: Any) -> Figure:
    at, last = arrays["at"], int(arrays["at"][-1])

    def correlations(axis: Axes) -> None:
        for k, (key, name) in enumerate((("pearson", "Pearson"), ("spearman", "Spearman"))):
            axis.plot(at, arrays[key], color=COLOURS[k], label=f"{name}, with the end")
            axis.plot(at, arrays[f"halves_{key}"], color=COLOURS[k], linestyle=":", label=f"{name}, two halves")
        axis.set_xlabel("Iterations X")
        axis.legend(fontsize=5)

    def scatter(key: str) -> Any:
        def draw(axis: Axes) -> None:
            final, part = arrays[key]
            axis.scatter(final, part, s=1, linewidths=0, alpha=0.3, color=COLOURS[0], rasterized=True)
            top = float(max(final.max(), part.max(), 1e-9))
            axis.plot([0.0, top], [0.0, top], color=INK, linewidth=0.6)
            axis.set_xlabel(f"after {last} iterations")
            axis.set_ylabel(f"after {int(arrays['compared_at'])}")

        return draw

    def entropy(axis: Axes) -> None:
        axis.plot(arrays["entropy_at"], arrays["entropy"], ":", color=INK)
        axis.set_xlabel("Iterations")
        axis.set_ylabel("Mean entropy (nats)")
        other = axis.twinx()
        for k, name in enumerate(QUALITIES):
            other.plot(arrays["marks"], arrays["scores"][:, k], marker="o", markersize=3, color=COLOURS[k], label=name)
        # Room for the legend above what is drawn, which fills the whole range of scores.
        other.set_ylim(0.0, 1.6)
        other.set_yticks(np.linspace(0.0, 1.0, 6))
        low, high = float(arrays["entropy"].min()), float(arrays["entropy"].max())
        axis.set_ylim(low - 0.05 * (high - low), low + 1.65 * max(high - low, 1e-9))
        other.legend(fontsize=5, ncols=3, loc="upper center")

    def maps(axis: Axes) -> None:
        final = arrays["map"][-1]
        for share, alpha in ((0.05, 0.2), (0.01, 0.4)):
            axis.axhspan((1 - share) * final, (1 + share) * final, color=COLOURS[2], alpha=alpha, linewidth=0)
        axis.plot(at, arrays["map"], color=COLOURS[0])
        # One line for all tolerances that are reached at once.
        for x in np.unique(arrays["tolerance_at"]).tolist():
            reached = [f"{value:g}" for value, at in zip(tolerances, arrays["tolerance_at"], strict=True) if at == x]
            axis.axvline(x, color=INK, linewidth=0.6, linestyle=":")
            axis.text(x, axis.get_ylim()[0], f"{', '.join(reached)} ", fontsize=5, rotation=90, va="bottom", ha="right")
        axis.set_xlabel("Iterations")
        axis.set_ylabel("mAP (%)")

    return planes.panels(
        [
            ("correlations", correlations),
            ("values of pairs", scatter("pairs")),
            ("ranks of pairs", scatter("ranks")),
            ("entropy and scores", entropy),
            ("mAP, within 5 and 1 % of its end", maps),
        ],
        columns=3,
        height=2.3,
    )


DRAWINGS = (
    Drawing(
        name="sic_estimates",
        label="parameters of the mixture behind a similarity: true, by EM, by independence",
        source="report RR-8880, figures 5 to 7",
        compute=_estimates,
        draw=_draw_estimates,
        needs=("sequences",),
        params={
            "classifier": "crf",
            "settings": {},
            "n_iterations": 60,
            "train": 0.05,
            "labels": "auto",
            "n_row": 30,
            "bins": 40,
        },
    ),
    Drawing(
        name="sic_weighted",
        label="weighted and flipped scores of one item beside their normal law",
        source="report RR-8880, figures 8 and 9",
        compute=_weighted,
        draw=_draw_weighted,
        needs=("sequences",),
        params={
            "classifier": "crf",
            "settings": {},
            "n_iterations": 1000,
            "train": 0.05,
            "labels": "auto",
            "n_short": 60,
            "sigmas": [0.5, 1.0, 2.0],
            "bins": 40,
        },
    ),
    Drawing(
        name="sic_convergence",
        label="how a similarity settles over the iterations, and its scores with it",
        source="report RR-8880, figures 21 to 24",
        compute=_converging,
        draw=_draw_converging,
        needs=("sequences",),
        params={
            "classifier": "crf",
            "settings": {},
            "n_iterations": 600,
            "train": 0.05,
            "labels": "auto",
            "n_clusters": 6,
            "rank": 50,
            "n_pairs": 10000,
            "at_share": 0.1,
            "tolerances": [0.0001, 0.00001],
        },
    ),
)
