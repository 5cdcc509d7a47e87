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
from kinseq.core.tokens import Items
from kinseq.metrics.external import adjusted_purity, ari, nmi_max, v_measure
from kinseq.metrics.retrieval import f_at, mean_average_precision, precision_at
from kinseq.plotting.array_figures import COLOURS, DASHES, INK
from kinseq.plotting.style import DASH
from kinseq.sic.computing import Similarity, similarity
from kinseq.sic.diagnostics import convergence, entropy_trace, settled
from kinseq.sic.labels import Labels
from kinseq.sic.mixture import bernoulli_mixture
from kinseq.sic.null_distribution import poisson_binomial
from kinseq.sic.recipes import named
from kinseq.sic.scores import binary, independent_rate, pair_counts, scored, weights

from ..plotting import panels
from ..rendering.grids import Grid
from ..tasks import Task
from .registry import Arrays, Drawing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SAME, OTHER = COLOURS[0], COLOURS[1]


def _first(sequences: Items, tasks: Sequence[Task]) -> tuple[Items, NDArray[Any]]:
    """Return items and classes of the first task."""
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
    """Return a run that all figures of one set and the same settings share."""
    recipe = named(classifier, **{key: tuple(v) if isinstance(v, list) else v for key, v in settings.items()})
    label_setting = tuple(labels) if isinstance(labels, list) else labels
    return similarity(
        items, recipe, n_iterations, train, label_setting, random_state=derive_seed(seed, "sic", items.name), **rest
    )


def true_rates(labels: Labels, classes: NDArray[Any]) -> tuple[FloatArray, FloatArray, float]:
    """Return the share of the pairs of one class, and of those of different ones, that each iteration puts together; pi_0.

    Over pairs that are tested; skipped iterations are left out (section 2.1.3 C).
    """
    from sklearn.metrics.cluster import pair_confusion_matrix

    one, two = [], []
    for column in labels.used().values.T:
        tested = column >= 0
        # Rows: pairs of different classes, pairs of one class; columns: predicted different, predicted equal.
        (apart, together), (missed, hits) = pair_confusion_matrix(classes[tested], column[tested]).tolist()
        one.append(hits / max(missed + hits, 1))
        two.append(together / max(apart + together, 1))
    (different, alike), _ = pair_confusion_matrix(np.arange(len(classes)), classes).tolist()
    return np.array(one), np.array(two), different / max(different + alike, 1)


def _estimates(seed: int, sequences: Items, tasks: Sequence[Task], n_row: int, bins: int, **params: Any) -> Arrays:
    """Return parameters of the mixture: true ones, by EM, by independence; laws under them; one item at a few iterations."""
    items, classes = _first(sequences, tasks)
    run = _run(seed, items, train_tested=True, **params)
    labels = run.labels.used()
    p1, p0, pi0 = true_rates(labels, classes)
    mixture = bernoulli_mixture(labels)
    n = labels.n_iterations
    law = {
        "law_true": np.stack([pi0 * poisson_binomial(p0), (1.0 - pi0) * poisson_binomial(p1)]),
        "law_em": np.stack([mixture.pi0 * poisson_binomial(mixture.p0), mixture.pi1 * poisson_binomial(mixture.p1)]),
    }
    some = labels.first(min(n_row, n))
    few = bernoulli_mixture(some)
    # The item whose class is neither rare nor half of all: that of median size.
    sizes = np.array([(classes == name).sum() for name in classes])
    item = int(np.argsort(sizes, kind="stable")[len(sizes) // 2])
    others = np.arange(len(classes)) != item
    edges = np.linspace(0.0, 1.0, bins + 1)
    rows = {}
    for name, matrix in (("binary", binary(some)), ("em", few.responsibilities)):
        row, same = matrix[item][others], (classes == classes[item])[others]
        rows[name] = np.stack([np.histogram(row[mask], edges)[0] for mask in (same, ~same)])
    return {
        "p1_true": p1,
        "p0_true": p0,
        "p1_em": mixture.p1,
        "p0_em": mixture.p0,
        "p0_independence": independent_rate(labels),
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
_HUES = COLOURS[2:7]
"""Of the estimates; the first two colours are those of pairs of one class and of different ones."""


def _draw_estimates(arrays: Arrays, **_: Any) -> Figure:
    def boxes(axis: Axes) -> None:
        artists = axis.boxplot(
            [arrays[key] for key in _ESTIMATES], widths=0.6, patch_artist=True, medianprops={"color": INK}
        )
        for box, hue in zip(artists["boxes"], _HUES, strict=True):
            box.set_facecolor(hue)
        axis.set_xticks(range(1, 6), _NAMED, fontsize=6, rotation=35)
        axis.set_ylabel("Probability")

    def curves(axis: Axes) -> None:
        at = np.arange(1, arrays["p0_true"].size + 1)
        for name, key, hue in zip(_NAMED, _ESTIMATES, _HUES, strict=True):
            axis.plot(at, arrays[key], linewidth=0.8, color=hue, label=name)
        axis.set_xlabel("Iteration")
        axis.set_ylabel("Probability")

    def law(key: str) -> Any:
        def draw(axis: Axes) -> None:
            parts = arrays[key]
            axis.plot(arrays["similarity"], parts[1], color=SAME, label="pairs of one class")
            axis.plot(arrays["similarity"], parts[0], color=OTHER, label="pairs of different classes")
            axis.plot(arrays["similarity"], parts.sum(axis=0), color=INK, linewidth=0.7, label="all pairs")
            axis.set_yscale("log")
            axis.set_ylim(1e-6, 1.0)
            axis.set_xlabel("Similarity")
            axis.set_ylabel("Probability")

        return draw

    def row(key: str) -> Any:
        def draw(axis: Axes) -> None:
            middle, width = 0.5 * (arrays["edges"][1:] + arrays["edges"][:-1]), arrays["edges"][1]
            axis.bar(middle, arrays[key][1], width, color=OTHER, alpha=0.7)
            axis.bar(middle, arrays[key][0], width, color=SAME, alpha=0.7)
            axis.set_yscale("log")
            axis.set_ylim(bottom=0.7)
            axis.set_xlabel("Similarity")
            axis.set_ylabel("Items")

        return draw

    figure = panels.panels(
        [
            ("over iterations", boxes),
            ("by iteration", curves),
            ("law, true parameters", law("law_true")),
            ("law, EM", law("law_em")),
            (f"one item after {int(arrays['n_row'])}", row("row_binary")),
            ("the same item, EM", row("row_em")),
        ],
        columns=3,
        height=2.2,
    )
    return panels.legend_below(figure, columns=3, panels=(2, 1))


def _table_of_estimates(arrays: Arrays, **_: Any) -> list[Grid]:
    """Return means over the iterations and deviations of each way, laid out as in figure 5(a)."""

    def over(key: str) -> str:
        return f"{arrays[key].mean():.4f} ± {arrays[key].std():.4f}"

    true, em = (f"{value:.3f}" for value in arrays["pi0"])
    rows = (
        ("True parameters", true, over("p0_true"), over("p1_true")),
        ("EM", em, over("p0_em"), over("p1_em")),
        ("Independence", DASH, over("p0_independence"), DASH),
    )
    return [Grid(("", "π₀", "p₀ (mean ± deviation over iterations)", "p₁"), rows)]


def _weighted(
    seed: int, sequences: Items, tasks: Sequence[Task], sigmas: Sequence[float], n_short: int, bins: int, **params: Any
) -> Arrays:
    """Weighted scores of one item after all iterations, and flipped ones after a few, next to the normal laws."""
    items, classes = _first(sequences, tasks)
    run = _run(seed, items, **params)
    all_labels = run.labels.used()
    few = all_labels.first(min(n_short, all_labels.n_iterations))
    p1, p0, pi0 = true_rates(few, classes)
    flips = float((1 - pi0) * (1 - p1.mean()) / ((1 - pi0) * (1 - p1.mean()) + pi0 * (1 - p0.mean())))
    item = int(np.argsort(np.array([(classes == name).sum() for name in classes]), kind="stable")[len(classes) // 2])
    cases: list[tuple[str, Labels, float, float]] = [("weighted", all_labels, 1.0, 0.0)]
    cases += [(f"flipped, sigma {sigma:g}", few, sigma, flips) for sigma in sigmas]
    arrays: dict[str, Any] = {"titles": [], "moments": [], "law": []}
    for number, (title, labels, sigma, chance) in enumerate(cases):
        counts = pair_counts(labels)
        matrix = scored(
            labels, weights(independent_rate(labels), chance, sigma=sigma), counts, derive_seed(seed, "flips")
        )
        tested = (np.arange(len(classes)) != item) & (counts[item] > 0)
        row, same = np.asarray(matrix[item], dtype=np.float64), classes == classes[item]
        other = row[tested & ~same]
        edges = np.histogram_bin_edges(row[tested], bins)
        arrays[f"edges{number}"] = edges
        arrays[f"counts{number}"] = np.stack([np.histogram(row[tested & mask], edges)[0] for mask in (same, ~same)])
        arrays["titles"].append(f"{title}, {labels.n_iterations} iterations")
        arrays["moments"].append([other.mean(), other.std()])
        arrays["law"].append(sigma / np.sqrt(counts[item][tested & ~same].mean()))
    return {
        **{key: np.array(value) for key, value in arrays.items() if isinstance(value, list)},
        **{key: value for key, value in arrays.items() if not isinstance(value, list)},
        "item": np.array(str(items.ids[item])),
        "flips": np.array(flips),
    }


def _normal(x: FloatArray, mean: float, deviation: float) -> FloatArray:
    spread = max(deviation, 1e-12)
    return np.asarray(np.exp(-0.5 * ((x - mean) / spread) ** 2) / (spread * np.sqrt(2.0 * np.pi)))


def _draw_weighted(arrays: Arrays, **_: Any) -> Figure:
    contents = []
    for number, title in enumerate(arrays["titles"]):

        def draw(axis: Axes, number: int = number) -> None:
            edges, counts = arrays[f"edges{number}"], arrays[f"counts{number}"]
            width, total = np.diff(edges), max(1, counts[1].sum())
            for k, (name, colour, alpha) in enumerate((("same class", SAME, 0.6), ("different class", OTHER, 0.5))):
                shares = counts[k] / total / width
                axis.bar(edges[:-1], shares, width, align="edge", color=colour, alpha=alpha, label=name, zorder=2 - k)
            x = np.linspace(edges[0], edges[-1], 201)
            axis.plot(
                x, _normal(x, *arrays["moments"][number]), color=COLOURS[2], label="normal, fitted to other classes"
            )
            axis.plot(x, _normal(x, 0.0, float(arrays["law"][number])), color=INK, linewidth=0.8, label="N(0, σ²/T)")
            axis.set_xlabel("Score of an item")
            axis.set_ylabel("Density")

        contents.append((str(title).replace("sigma", "σ ="), draw))
    figure = panels.panels(contents, columns=2, height=2.1)
    # σ only scales the scores of one run: on separate axes the panels would be the same figure.
    flipped = figure.axes[1:]
    for axis in flipped[1:]:
        axis.sharex(flipped[0])
        axis.sharey(flipped[0])
    for axis in flipped:
        axis.autoscale()
    note = "Areas: items of different classes make 1. σ multiplies the scores of one flipped run."
    return panels.legend_below(figure, columns=4, title=note)


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
    # The V-measure is the mutual information over the arithmetic mean of the entropies; what the report calls normalised mutual
    # information is never above it, as that over the larger entropy (errata, s-nmi).
    grouped = [measure(classes, clusters) for measure in (ari, adjusted_purity, v_measure, nmi_max)]
    return [float(value) for value in (*retrieved, *grouped)]


NOT_REACHED = -1
"""Where no number of iterations can stand."""


def _settled(entropy: FloatArray, at: IntArray, tolerances: Sequence[float]) -> list[int]:
    """Return iterations at which a run with each tolerance would have stopped, by the rule of the library."""
    iterations = []
    for tolerance in tolerances:
        small = (stop for stop in range(len(at)) if settled(entropy[: stop + 1], tolerance))
        iterations.append(next((int(at[stop]) for stop in small), NOT_REACHED))
    return iterations


def _converging(
    seed: int,
    sequences: Items,
    tasks: Sequence[Task],
    n_clusters: int,
    rank: int,
    n_pairs: int,
    n_scored: int,
    at_share: float,
    tolerances: Sequence[float],
    **params: Any,
) -> Arrays:
    """Return one run: correlations with its end and between halves, entropy, where it settles, scores all along."""
    items, classes = _first(sequences, tasks)
    labels = _run(seed, items, **params).labels
    n = labels.n_iterations
    course = entropy_trace(labels)
    reached = _settled(course.entropy, course.iterations, tolerances)
    at = np.unique(np.linspace(max(4, n // 20), n, 15).astype(np.int64))
    settled_at = np.array([stop for stop in reached if stop != NOT_REACHED], dtype=np.int64)
    at = np.union1d(at, settled_at)
    compared = convergence(labels, at)
    maps = []
    for x in at:
        distance = 1.0 - np.asarray(binary(labels.first(int(x))), dtype=np.float64)
        np.fill_diagonal(distance, 0.0)
        maps.append(mean_average_precision(classes, distance))
    # Clustering takes most of the time, so use a subset of places, where the run converges among them.
    scored_at = np.union1d(at[np.linspace(0, len(at) - 1, n_scored).round().astype(int)], settled_at)
    scores = np.array([qualities(classes, binary(labels.first(int(x))), n_clusters, rank) for x in scored_at])
    part, final = binary(labels.first(max(1, round(at_share * n)))), binary(labels)
    upper = np.triu_indices(len(classes), 1)
    sample = stream(seed, "pairs").permutation(upper[0].size)[:n_pairs]
    values = np.stack([matrix[upper][sample] for matrix in (final, part)])
    from scipy.stats import rankdata

    return {
        "at": at,
        "pearson": compared.pearson,
        "spearman": compared.spearman,
        "halves_pearson": compared.disjoint_pearson,
        "halves_spearman": compared.disjoint_spearman,
        "entropy_at": course.iterations,
        "entropy": course.entropy,
        "scored_at": scored_at,
        "scores": scores,
        "tolerance_at": np.array(reached),
        "map": np.array(maps),
        "pairs": values,
        "ranks": np.stack([rankdata(row) for row in values]),
        "compared_at": np.array(max(1, round(at_share * n))),
    }


def _draw_converging(arrays: Arrays, tolerances: Sequence[float], **_: Any) -> Figure:
    at, last = arrays["at"], int(arrays["at"][-1])
    keys: list[tuple[str, list[Any]]] = []

    def correlations(axis: Axes) -> None:
        for k, (key, name) in enumerate((("pearson", "Pearson"), ("spearman", "Spearman"))):
            axis.plot(at, arrays[key], color=COLOURS[k], label=f"{name}, with the end")
            axis.plot(at, arrays[f"halves_{key}"], color=COLOURS[k], linestyle=":", label=f"{name}, two halves")
        axis.set_xlabel("Iterations X")
        axis.set_ylabel("Correlation")
        keys.append(("(a)", axis.get_legend_handles_labels()[0]))

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
        (dotted,) = axis.plot(arrays["entropy_at"], arrays["entropy"], ":", color=INK, label="mean entropy")
        axis.set_xlabel("Iterations")
        axis.set_ylabel("Mean entropy (nats)")
        axis.set_ylim(bottom=0.0)
        other = axis.twinx()
        # As in print: curves, and circles where the run would have stopped.
        marked = np.flatnonzero(np.isin(arrays["scored_at"], arrays["tolerance_at"])).tolist()
        for k, name in enumerate(QUALITIES):
            look: dict[str, Any] = {"color": COLOURS[k], "linestyle": DASHES[k % 2], "linewidth": 1.1}
            look |= {"marker": "o", "markersize": 3, "markevery": marked}
            other.plot(arrays["scored_at"], 100.0 * arrays["scores"][:, k], label=name, **look)
        other.set_ylim(min(0.0, 105.0 * float(arrays["scores"].min())), 102.0)
        other.set_ylabel("Scores (%)")
        other.grid(visible=False)
        keys.append(("(d), circles where it settles", [dotted, *other.get_legend_handles_labels()[0]]))

    def maps(axis: Axes) -> None:
        final = arrays["map"][-1]
        for share, alpha in ((0.05, 0.2), (0.01, 0.4)):
            low, high = (1 - share) * final, (1 + share) * final
            axis.axhspan(
                low, high, color=COLOURS[2], alpha=alpha, linewidth=0, label=f"within {100 * share:g} % of the end"
            )
        axis.plot(at, arrays["map"], color=COLOURS[0], label="mAP")
        for k, (tolerance, stop) in enumerate(zip(tolerances, arrays["tolerance_at"].tolist(), strict=True)):
            name = f"settled to {tolerance:g}"
            if stop == NOT_REACHED:
                axis.plot([], [], linestyle="", label=f"{name}: not reached")
            else:
                dash = DASHES[(k + 1) % len(DASHES)]
                axis.axvline(stop, color=INK, linewidth=0.8, linestyle=dash, label=f"{name}: after {stop}")
        axis.set_xlabel("Iterations")
        axis.set_ylabel("mAP (%)")
        keys.append(("(e)", axis.get_legend_handles_labels()[0]))

    figure = panels.panels(
        [
            ("correlations", correlations),
            ("values of pairs", scatter("pairs")),
            ("ranks of pairs", scatter("ranks")),
            ("entropy and scores", entropy),
            ("mAP and its end", maps),
        ],
        columns=3,
        height=2.4,
    )
    return panels.legends_in_spare(figure, keys)


DRAWINGS = (
    Drawing(
        name="sic_estimates",
        label="parameters of the mixture behind a similarity: true, by EM, by independence, and a table of their means",
        source="report RR-8880, figures 5 to 7",
        compute=_estimates,
        draw=_draw_estimates,
        table=_table_of_estimates,
        requires=("sequences",),
        shows_items=False,
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
        label="weighted and flipped scores of one item and their normal law",
        source="report RR-8880, figures 8 and 9",
        compute=_weighted,
        draw=_draw_weighted,
        requires=("sequences",),
        shows_items=False,
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
        notes={"n_scored": "places where scores of clusterings are computed"},
        source="report RR-8880, figures 21 to 24",
        compute=_converging,
        draw=_draw_converging,
        requires=("sequences",),
        shows_items=False,
        params={
            "classifier": "crf",
            "settings": {},
            "n_iterations": 600,
            "train": 0.05,
            "labels": "auto",
            "n_clusters": 6,
            "rank": 50,
            "n_pairs": 10000,
            "n_scored": 6,
            "at_share": 0.1,
            "tolerances": [0.0001, 0.00001],
        },
    ),
)
