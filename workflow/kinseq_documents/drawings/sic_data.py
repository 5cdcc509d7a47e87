"""Data of the report on similarity by iterative classifications."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from kinseq.core.arrays import FloatArray, IntArray
from kinseq.core.errors import DataError
from kinseq.core.seeds import derive_seed, stream
from kinseq.core.tokens import Items, TokenSet
from kinseq.plotting.array_figures import COLOURS, INK
from kinseq.sic.one_vs_all import one_versus_all
from kinseq.sic.samples import samples_of
from kinseq.sic.sampling_design import draw as draw_iteration
from kinseq.sic.sampling_design import plan

from ..plotting import panels
from ..rendering.grids import Grid
from ..tasks import Task
from .registry import Arrays, Drawing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def words_of(sequences: Items) -> TokenSet:
    """Return the items as words in sentences, or :class:`DataError`."""
    if not isinstance(sequences, TokenSet):
        raise DataError(f"{sequences.name}: holds no sentences; draw a data set of words")
    return sequences


def _sizes(seed: int, sequences: Items, tasks: Sequence[Task], **_: Any) -> Arrays:
    """Return the number of items of each class, the largest first."""
    if sequences.labels is None:
        raise DataError(f"{sequences.name}: has no labels, so that there are no classes to draw")
    names, counts = np.unique(sequences.labels.astype(str), return_counts=True)
    order = np.argsort(-counts, kind="stable")
    return {"names": names[order], "counts": counts[order]}


def _draw_sizes(arrays: Arrays, x_label: str, **_: Any) -> Figure:
    def draw(axis: Axes) -> None:
        at = np.arange(len(arrays["names"]))
        axis.barh(at, arrays["counts"], color=COLOURS[0])
        axis.set_yticks(at, arrays["names"], fontsize=8 if len(at) < 25 else 5)
        axis.invert_yaxis()
        axis.set_xlabel(x_label)
        for y, count in zip(at.tolist(), arrays["counts"].tolist(), strict=True):
            axis.text(count, float(y), f" {count}", va="center", fontsize=7 if len(at) < 25 else 4)
        axis.grid(visible=False, axis="y")

    height = 0.6 + 0.2 * len(arrays["names"]) if len(arrays["names"]) < 25 else 0.12 * len(arrays["names"])
    return panels.panels([("", draw)], height=height, width=0.75, lettered=False)


def _annotation(seed: int, sequences: Items, tasks: Sequence[Task], train: float, n_words: int) -> Arrays:
    """The labels of one iteration: a sentence that is trained on and one that is tested, several items in each if there are."""
    tokens = words_of(sequences)
    samples = samples_of(tokens)
    iteration = draw_iteration(samples, plan(samples, train, min_per_label=1, seed=seed), 0)
    sentence, lengths = tokens.sentence_of_places(), np.diff(tokens.sentences)
    held = np.bincount(sentence, minlength=tokens.n_sentences)
    items = np.flatnonzero(held > 0)
    fitting = items[lengths[items] <= n_words] if (lengths[items] <= n_words).any() else items
    all_labels: list[str] = []
    words: list[str] = []
    ends = [0]
    for members, is_train in ((iteration.train, True), (iteration.tested, False)):
        candidates = [s for s in fitting.tolist() if np.isin(np.flatnonzero(sentence == s), members).all()]
        if not candidates:
            raise DataError(f"{tokens.name}: the items of no sentence are all {'trained on' if is_train else 'tested'}")
        example = max(candidates, key=lambda s: (held[s] > 1, int(lengths[s]), -s))
        low, high = int(tokens.sentences[example]), int(tokens.sentences[example + 1])
        labels = ["O-null"] * (high - low)
        for place in np.flatnonzero(sentence == example).tolist():
            start, stop = (tokens.places[place] - low).tolist()
            number = int(iteration.labels[np.flatnonzero(iteration.train == place)[0]]) if is_train else -1
            labels[start:stop] = [f"B-fake{number}" if is_train else "??", *["I-in"] * (stop - start - 1)]
        words += tokens.values("word")[low:high].tolist()
        all_labels += labels
        ends.append(len(words))
    return {"words": np.array(words), "labels": np.array(all_labels), "ends": np.array(ends)}


def _draw_annotation(arrays: Arrays, **_: Any) -> Figure:
    contents = []
    for k, title in enumerate(("a sentence that is trained on", "a sentence that is tested")):
        low, high = int(arrays["ends"][k]), int(arrays["ends"][k + 1])

        def draw(axis: Axes, low: int = low, high: int = high) -> None:
            x = y = 0.0
            for word, label in zip(arrays["words"][low:high], arrays["labels"][low:high], strict=True):
                width = 0.9 * max(len(word), len(label)) + 1.0
                if x + width > 78.0:
                    x, y = 0.0, y - 2.6
                item = label != "O-null"
                axis.text(x, y, word, fontsize=7.5, weight="bold" if item else "normal")
                axis.text(x, y - 1.0, label, fontsize=6, color=COLOURS[1] if item else INK)
                x += width
            axis.set_xlim(0.0, 78.0)
            axis.set_ylim(y - 1.6, 1.6)
            panels.bare(axis)

        contents.append((title, draw))
    return panels.panels(contents, columns=1, height=1.7)


def _neighbour_graph(seed: int, sequences: Items, tasks: Sequence[Task], word: str, levels: int, most: int) -> Arrays:
    """Return the lists of neighbours around a word, level by level; the word with the longest list if `word` is empty."""
    tokens = words_of(sequences)
    related = tokens.are_neighbours()
    names = tokens.ids.tolist()
    if word and word not in names:
        raise DataError(f"{tokens.name}: has no word {word!r}; leave it empty for the one with most neighbours")
    start = names.index(word) if word else int(related.sum(axis=1).argmax())
    level = {start: 0}
    edges = []
    for depth in range(1, levels + 1):
        for node in [node for node, at in level.items() if at == depth - 1]:
            for other in np.flatnonzero(related[node])[:most].tolist():
                level.setdefault(other, depth)
                edges.append((node, other))
    nodes = list(level)
    number = {node: i for i, node in enumerate(nodes)}
    return {
        "names": np.array([names[node] for node in nodes]),
        "level": np.array([level[node] for node in nodes]),
        "edges": np.array([(number[a], number[b]) for a, b in edges]).reshape(-1, 2),
    }


_LETTER, _SIZE = 0.058, np.array([6.8, 4.2])
"""Inches that a letter of seven points and the axes of a graph take."""

_BESIDE = {"boxstyle": "square,pad=0.15", "facecolor": "white", "edgecolor": "none"}
"""Distance at which arrows stop: a little more than the name."""


def _bend(start: FloatArray, end: FloatArray, names: FloatArray, room: FloatArray, limits: FloatArray) -> float:
    """How much an arrow is bent, so that it runs through no name: the least that does, or else the one that meets fewest."""
    share = np.linspace(0.0, 1.0, 61)[:, None]
    met = []
    for bend in _BENDS:
        # The arc is a quadratic curve whose middle is offset by half of the bend, at right angles on paper.
        on_paper = (end - start) * _SIZE / limits
        aside = np.array([on_paper[1], -on_paper[0]]) * limits / _SIZE
        middle = 0.5 * (start + end) + bend * aside
        path = (1 - share) ** 2 * start + 2 * share * (1 - share) * middle + share**2 * end
        met.append(int((np.abs(path[:, None] - names) < room).all(axis=2).any(axis=0).sum()))
    return _BENDS[int(np.argmin(met))]


def _angles(n: int) -> FloatArray:
    """Angles of names around a circle: even ones of a few, of many such that neighbouring names have room."""
    if n <= 16:
        return 2.0 * np.pi * np.arange(n) / n
    fine = np.linspace(0.0, 2.0 * np.pi, 3601)
    # Names are separated vertically or horizontally, whichever takes less.
    need = np.maximum(np.abs(np.sin(fine)) / (10.0 * _LETTER), np.abs(np.cos(fine)) / 0.15)
    cumulative = np.concatenate([[0.0], np.cumsum(need[:-1])])
    return np.asarray(np.interp(np.arange(n) / n * cumulative[-1], cumulative, fine))


_BENDS = (0.0, 0.12, -0.12, 0.25, -0.25, 0.4, -0.4, 0.6, -0.6)


def _draw_graph(arrays: Arrays, **_: Any) -> Figure:
    # Children near the angle of their first parent, so that few arrows cross.
    angle = np.zeros(len(arrays["names"]))
    for depth in range(1, int(arrays["level"].max()) + 1):
        own = np.flatnonzero(arrays["level"] == depth)
        parent = [int(arrays["edges"][arrays["edges"][:, 1] == node][0, 0]) for node in own]
        order = np.argsort(angle[parent], kind="stable")
        angle[own[order]] = _angles(len(own))
    at = arrays["level"][:, None] * np.column_stack([np.cos(angle), np.sin(angle)])

    reach = float(arrays["level"].max()) + 0.25
    limits = np.array([1.15 * reach, reach])
    # Half the room that each name takes, in the units of the axes, with a margin around the letters.
    letters = np.array([len(name) for name in arrays["names"]])
    room = np.column_stack([0.5 * _LETTER * letters + 0.05, np.full(len(letters), 0.09)]) * 2.0 * limits / _SIZE

    def draw(axis: Axes) -> None:
        written = [
            axis.text(x, y, name, ha="center", va="center", fontsize=7, color=COLOURS[int(depth)], bbox=_BESIDE)
            for name, (x, y), depth in zip(arrays["names"], at, arrays["level"], strict=True)
        ]
        for a, b in arrays["edges"].tolist():
            others = np.delete(np.arange(len(at)), [a, b])
            arrow = {"arrowstyle": "->", "color": panels.PALE, "lw": 0.7, "shrinkA": 1, "shrinkB": 1, "zorder": 1}
            arrow["connectionstyle"] = f"arc3,rad={_bend(at[a], at[b], at[others], room[others], limits)}"
            # From the edge of one name to that of the other, however long they are.
            arrow |= {"patchA": written[a].get_bbox_patch(), "patchB": written[b].get_bbox_patch()}
            axis.annotate("", at[b], at[a], arrowprops=arrow)
        axis.set_xlim(-limits[0], limits[0])
        axis.set_ylim(-limits[1], limits[1])
        panels.bare(axis)

    return panels.panels([("", draw)], height=4.4, lettered=False)


def _occurrences(seed: int, sequences: Items, tasks: Sequence[Task], border: int) -> Arrays:
    """Return frequencies of words, and counts of the data."""
    tokens = words_of(sequences)
    counts = tokens.occurrences
    rarest, commonest = int(counts.argmin()), int(counts.argmax())
    facts = {
        "sentences": tokens.n_sentences,
        "tokens": tokens.n_tokens,
        "words": len(tokens),
        f"words that occur more than {border} times": int((counts > border).sum()),
        f"least occurrences ({tokens.ids[rarest]})": int(counts[rarest]),
        f"most occurrences ({tokens.ids[commonest]})": int(counts[commonest]),
    }
    return {"occurrences": counts, "facts": np.array(list(facts)), "counts": np.array(list(facts.values()))}


def _draw_occurrences(arrays: Arrays, border: int, **_: Any) -> Figure:
    contents = []
    counts = arrays["occurrences"]
    for title, members in ((f"up to {border} times", counts <= border), (f"more than {border} times", counts > border)):

        def draw(axis: Axes, own: Any = counts[members]) -> None:
            if own.size:
                axis.hist(own, bins=min(30, max(1, int(np.ptp(own)))), color=COLOURS[0])
            axis.set_xlabel("Occurrences of a word")
            axis.set_ylabel("Words")

        contents.append((title, draw))

    return panels.panels(contents, columns=2, height=2.4)


def _table_of_occurrences(arrays: Arrays, **_: Any) -> list[Grid]:
    def counts(title: str, names: Any, values: Any) -> Grid:
        # Not every font has a narrow space for thousands.
        rows = tuple(
            (str(name), f"{int(value):,}".replace(",", " ")) for name, value in zip(names, values, strict=True)
        )
        return Grid(("", "Number"), rows, title)

    grids = [counts("these data", arrays["facts"], arrays["counts"])]
    if "printed_row" in arrays:
        grids.append(counts(f"printed in {arrays['printed_place'][0]}", arrays["printed_row"], arrays["printed_value"]))
    return grids


def _ranks(values: FloatArray, order: IntArray) -> tuple[IntArray, NDArray[np.bool_]]:
    """Ranks of some columns of each row among all of them, the largest first, and whether others have the same value."""
    column_values = np.take_along_axis(values, order, axis=1)
    ranks = 1 + np.sum(values[:, None, :] > column_values[:, :, None], axis=2)
    return ranks, np.sum(values[:, None, :] == column_values[:, :, None], axis=2) > 1


def _nearest_words(
    seed: int,
    sequences: Items,
    tasks: Sequence[Task],
    words: Sequence[str],
    n_words: int,
    n_shown: int,
    n_iterations: int,
    negatives: float,
    test: int,
) -> Arrays:
    """Return the nearest others of some words, learnt one against all, without and with the normalisation of eq. 11."""
    tokens = words_of(sequences)
    names = tokens.ids.tolist()
    for word in words:
        if word not in names:
            raise DataError(f"{tokens.name}: has no word {word!r}; leave words empty for some that are drawn")
    related = tokens.are_neighbours()
    sample = stream(seed, "words").permutation(len(names))[:n_words]
    targets = np.array([names.index(word) for word in words] if words else np.sort(sample))
    arrays: dict[str, Any] = {"words": np.array(names)[targets]}
    truth = [", ".join(names[j] for j in np.flatnonzero(related[i])[:n_shown]) for i in targets.tolist()]
    arrays["truth"] = np.array(truth)
    stream_seed = derive_seed(seed, "one versus all")
    similarities = one_versus_all(
        tokens, "crf", targets, n_iterations, negatives=negatives, test=test, random_state=stream_seed
    )
    for key, normalised in (("before", False), ("after", True)):
        order = np.argsort(-similarities.both[normalised], axis=1, kind="stable")[:, :n_shown]
        arrays[key] = np.array(names)[order]
        arrays[f"{key}_true"] = related[targets[:, None], order] | (order == targets[:, None])
        arrays[f"{key}_value"] = np.take_along_axis(similarities.both[normalised], order, axis=1)
        arrays[f"{key}_rank"], arrays[f"{key}_tied"] = _ranks(similarities.both[normalised], order)
    return arrays


def _table_of_nearest_words(arrays: Arrays, **_: Any) -> list[Grid]:
    """Return one column per word; the true lists of neighbours are above the found ones."""
    grids, words = [], arrays["words"].tolist()
    for key, title in (("before", "not normalised"), ("after", "normalised")):
        rows = [("its list", *(str(truth) for truth in arrays["truth"]))]
        for r in range(arrays[key].shape[1]):
            cells = []
            for k, other in enumerate(arrays[key][:, r].tolist()):
                tied, true = arrays[f"{key}_tied"][k, r], arrays[f"{key}_true"][k, r] and other != words[k]
                rank = f"{arrays[f'{key}_rank'][k, r]}{'=' if tied else '.'}"
                cells.append(f"{rank} {other}{' (in its list)' if true else ''}")
            rows.append((str(r + 1), *cells))
        if arrays[f"{key}_tied"].any():
            title = f"{title} (= is tied, by name)"
        heads = ("", *words)
        grids.append(Grid(heads, tuple(rows), title, names=len(heads)))
    return grids


DRAWINGS = (
    Drawing(
        name="nearest_words",
        label="the nearest others of some words, learnt one against all, a table",
        source="report RR-8880, figures 15 and 16",
        compute=_nearest_words,
        table=_table_of_nearest_words,
        requires=("sequences",),
        params={"words": [], "n_words": 4, "n_shown": 8, "n_iterations": 100, "negatives": 5.0, "test": 4000},
    ),
    Drawing(
        name="class_sizes",
        label="number of items of each class",
        source="report RR-8880, figures 4 and 17",
        compute=_sizes,
        draw=_draw_sizes,
        requires=("sequences",),
        shows_items=False,
        params={"x_label": "Items"},
    ),
    Drawing(
        name="random_annotation",
        label="random labels of a sentence that is trained on and of one that is tested",
        source="report RR-8880, figure 10",
        compute=_annotation,
        draw=_draw_annotation,
        requires=("sequences",),
        params={"train": 0.05, "n_words": 30},
    ),
    Drawing(
        name="neighbour_graph",
        label="lists of neighbours around a word",
        notes={"word": "that with most neighbours"},
        source="report RR-8880, figure 13",
        compute=_neighbour_graph,
        draw=_draw_graph,
        requires=("sequences",),
        params={"word": "", "levels": 2, "most": 8},
    ),
    Drawing(
        name="word_occurrences",
        label="how often words occur, and a table of counts",
        source="report RR-8880, figure 14",
        compute=_occurrences,
        draw=_draw_occurrences,
        table=_table_of_occurrences,
        requires=("sequences",),
        shows_items=False,
        params={"border": 15},
    ),
)
