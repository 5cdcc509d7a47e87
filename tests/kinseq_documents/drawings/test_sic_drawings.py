"""Figures of the report on similarity by iterative classifications: what they compute."""

from __future__ import annotations

from functools import cache
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kinseq.core.errors import DataError
from kinseq.core.tokens import TokenSet
from kinseq.sic.labels import Labels
from kinseq_documents.data import registry as loaders
from kinseq_documents.drawings import registry, sic_matrices, sic_runs, sic_schemes
from kinseq_documents.experiments import DrawingExperiment
from kinseq_documents.rendering.grids import Grid
from kinseq_documents.stages import drawings
from kinseq_documents.stages.distances import Distance
from kinseq_documents.tasks import write_sequences
from tests.sentences import Recorded

SETTINGS = {"classifier": "crf", "n_iterations": 8, "train": 0.3, "labels": 5}


def entities(**params: Any) -> dict[str, Any]:
    items, tasks = loaders.make("words", "sentences", {"items": 45, "classes": 3, "words": 8, **params}, None, 1)
    return {"sequences": items, "tasks": tasks}


def matrix(items: TokenSet, tasks: Any) -> dict[str, Any]:
    """Near within classes, with noise, so that everything that is asked of a matrix has an answer."""
    assert items.labels is not None
    noise = np.random.default_rng(0).random((len(items), len(items)))
    found = 0.6 * (items.labels[:, None] != items.labels) + 0.2 * (noise + noise.T)
    np.fill_diagonal(found, 0.0)
    return {"sequences": items, "tasks": tasks, "distances": [Distance("m", "none", 0, tasks[0], found, {})]}


def drawn(name: str, needed: dict[str, Any] | None = None, **params: Any) -> dict[str, Any]:
    """The arrays of a drawing; that it can be drawn is seen on the way."""
    drawing = registry.get(name)
    full = drawing.completed(params)
    arrays = drawing.arrays(3, full, **(needed or {}))
    if drawing.draw is not None:
        figure = drawing.draw(arrays, **full)
        figure.draw_without_rendering()
        assert figure.axes
    return arrays


def figure_of(name: str, arrays: dict[str, Any], **params: Any) -> Any:
    """The figure of arrays, laid out."""
    drawing = registry.get(name)
    assert drawing.draw is not None
    figure = drawing.draw(arrays, **drawing.completed(params))
    figure.draw_without_rendering()
    return figure


def table_of(name: str, arrays: dict[str, Any], **params: Any) -> list[Grid]:
    """The table of arrays, each row as long as its header."""
    drawing = registry.get(name)
    assert drawing.table is not None
    grids = list(drawing.table(arrays, **drawing.completed(params)))
    assert all(len(row) == len(grid.heads) for grid in grids for row in grid.rows)
    return grids


def test_degrees_of_membership_are_those_of_fuzzy_means() -> None:
    points, centres = np.array([[0.0, 0.0], [1.0, 0.0], [3.0, 0.0]]), np.array([[0.0, 0.0], [4.0, 0.0]])
    found = sic_schemes.soft_membership(points, centres)
    np.testing.assert_allclose(found.sum(axis=1), 1.0)
    # At distances 1 and 3: 1 / (1 + 1/9).
    np.testing.assert_allclose(found[1], [0.9, 0.1])
    np.testing.assert_allclose(found[2], [0.1, 0.9])
    assert drawn("kinds_of_clustering")["soft"].shape == (24, 3)


def test_steps_of_k_means_end_where_nothing_moves() -> None:
    points = np.random.default_rng(1).normal(size=(40, 2))
    stages = sic_schemes.lloyd(points, points[:3])
    labels, centres = stages[-1]
    for k in range(3):
        np.testing.assert_allclose(points[labels == k].mean(axis=0), centres[k])
    costs = [((points - at[own]) ** 2).sum() for own, at in stages]
    assert all(later <= earlier + 1e-12 for earlier, later in pairwise(costs))
    drawn("kmeans_steps")


def test_the_tree_is_its_regions() -> None:
    found = drawn("decision_tree")
    at = np.searchsorted(found["grid"], found["x"]).clip(max=400)
    assert (found["regions"][found["flag"].astype(int), at] == found["label"]).mean() > 0.95


def test_word_models_of_type_2_skip_a_state() -> None:
    found = drawn("word_topologies")
    steps = {kind: {j - i for i, j in np.argwhere(found[f"type{kind}"] > 0.0)} for kind in (1, 2)}
    assert steps[1] - {0} == {1}
    assert steps[2] - {0} == {1, 2}
    drawn("sic_jobs")


def test_only_states_that_emit_are_drawn_with_a_loop() -> None:
    arrays = drawn("word_topologies", n_states=3)
    for axis, between in zip(figure_of("word_topologies", arrays, n_states=3).axes, (4, 7), strict=True):
        arrows = [text for text in axis.texts if text.arrow_patch is not None]
        loops = [text.xy[0] for text in arrows if abs(text.xy[0] - text.xyann[0]) < 0.5]
        assert np.round(loops).tolist() == [1.0, 2.0, 3.0], "neither entry nor exit"
        assert len(arrows) - len(loops) == between


def test_figures_of_the_data() -> None:
    sizes = drawn("class_sizes", entities())
    assert sizes["counts"].tolist() == [15, 15, 15]
    twice = TokenSet.from_sentences(
        {"word": [["a", "X", "b", "Y Z", "c"]] * 12}, [(s, at, at + 1) for s in range(12) for at in (1, 3)]
    )
    shown = drawn("random_annotation", {"sequences": twice, "tasks": []}, train=0.4)
    low, high = (shown["labels"][a:b].tolist() for a, b in pairwise(shown["ends"]))
    assert [label.rstrip("0123456789") for label in low] == ["O-null", "B-fake", "O-null", "B-fake", "O-null"]
    assert high == ["O-null", "??", "O-null", "??", "O-null"]


def test_printed_numbers_stand_beside_the_counts(tmp_path: Path, recorded: Recorded) -> None:
    given, file = entities(repeated=True), tmp_path / "counts.csv"
    write_sequences(tmp_path / "all.npz", given["sequences"], given["tasks"])
    file.write_text("row,value,place\ntext documents,825148,S Figure 14\n")
    experiment = {"drawing": "word_occurrences", "title": "Counts", "datasets": ["words"]}
    made = drawings.make(DrawingExperiment.read(experiment), {"sequences": tmp_path / "all.npz", "published": file}, 3)
    assert made.arrays["printed_value"].tolist() == ["825148"]
    here, printed = made.grids
    assert (printed.title, printed.rows) == ("printed in S Figure 14", (("text documents", "825 148"),))
    assert {name for name, _ in here.rows} >= {"sentences", "tokens", "words"}
    without = drawings.make(DrawingExperiment.read(experiment), {"sequences": tmp_path / "all.npz"}, 3)
    assert not any(name.startswith("printed") for name in without.arrays)
    assert without.grids == (here,)
    for text in ("row,value\na,1\n", "row,value,place\n"):
        file.write_text(text)
        with recorded.raises(DataError):
            drawings.printed(file)


def test_neighbours_of_neighbours_are_two_steps_away(recorded: Recorded) -> None:
    chain = TokenSet.from_sentences(
        {"word": [["a", "b", "c", "d"]]},
        [(0, at, at + 1) for at in range(4)],
        ids=["a", "b", "c", "d"],
        neighbours=[(0, 1), (1, 0), (1, 2), (2, 3)],
    )
    found = drawn("neighbour_graph", {"sequences": chain, "tasks": []}, word="a")
    assert found["names"].tolist() == ["a", "b", "c"]
    assert found["level"].tolist() == [0, 1, 2]
    assert found["edges"].tolist() == [[0, 1], [1, 0], [1, 2]]
    words = entities(items=90, words=5, repeated=True)
    assert drawn("neighbour_graph", words)["level"].tolist() == [0, 1, 1, 1, 1]
    counts = drawn("word_occurrences", words, border=5)
    assert counts["occurrences"].sum() == 90
    with recorded.raises(DataError):
        drawn("neighbour_graph", words, word="chocolate")


def test_no_arrow_runs_through_a_name() -> None:
    around = ["confectionery", "sweet", "beverage", "candy", "cocoa", "brown", "food", "drink"]
    edges = [(0, k) for k in range(1, 9)] + [(1, 5), (3, 7), (2, 9), (2, 10), (6, 9)]
    arrays = {
        "names": np.array(["chocolate", *around, "sugar", "refreshment"]),
        "level": np.array([0] + [1] * 8 + [2] * 2),
        "edges": np.array(edges),
    }
    (axis,) = figure_of("neighbour_graph", arrays).axes
    names = [text.get_window_extent() for text in axis.texts if text.get_text()]
    arrows = [text.arrow_patch for text in axis.texts if getattr(text, "arrow_patch", None) is not None]
    assert len(names) == 11
    assert len(arrows) == len(edges)
    for arrow, edge in zip(arrows, edges, strict=True):
        path = arrow.get_transform().transform_path(arrow.get_path()).interpolated(30)
        for at, box in enumerate(names):
            # Edges (1, 5) and (3, 7) are opposite, so that straight ones would run through the middle.
            assert not any(box.contains(x, y) for x, y in path.vertices), (edge, at)
    for one, other in combinations(names, 2):
        assert not one.overlaps(other)


def test_nearest_words_are_learnt_one_against_all() -> None:
    found = drawn(
        "nearest_words",
        entities(items=90, words=4, repeated=True, typical=1.0),
        n_iterations=3,
        n_words=2,
        negatives=1.0,
    )
    assert found["after"].shape == (2, 8)
    assert found["after_true"].dtype == bool
    for grid, key in zip(table_of("nearest_words", found), ("before", "after"), strict=True):
        assert grid.heads == ("", *found["words"])
        assert grid.rows[0] == ("its list", *found["truth"])
        for r, row in enumerate(grid.rows[1:]):
            for k, cell in enumerate(row[1:]):
                rank, word = cell.split(" ")[:2]
                assert word == found[key][k, r]
                assert rank == f"{found[f'{key}_rank'][k, r]}{'=' if found[f'{key}_tied'][k, r] else '.'}"
                in_list = bool(found[f"{key}_true"][k, r]) and word != found["words"][k]
                assert ("in its list" in cell) == in_list


def test_true_rates_count_pairs() -> None:
    classes = np.array(["a", "a", "b", "b"])
    found = Labels.from_classes(np.array([[0, 0], [0, 1], [1, 0], [1, -1]]))
    p1, p0, pi0 = sic_runs.true_rates(found, classes)
    np.testing.assert_allclose(p1, [1.0, 0.0])
    # At the second iteration the pairs (0, 2) and (1, 2) of different classes are tested, and the first is together.
    np.testing.assert_allclose(p0, [0.0, 0.5])
    assert pi0 == pytest.approx(4 / 6)


def test_estimates_of_a_run() -> None:
    found = drawn("sic_estimates", entities(), **SETTINGS, n_row=5)
    for law in ("law_true", "law_em"):
        assert found[law].sum() == pytest.approx(1.0)
    # One item, and its similarities to the 44 others.
    assert found["row_binary"].sum() == found["row_em"].sum() == 44
    (grid,) = table_of("sic_estimates", found)
    # The rows and columns of figure 5(a); independence knows neither pi_0 nor p_1.
    assert [row[0] for row in grid.rows] == ["True parameters", "EM", "Independence"]
    assert grid.rows[2][1] == grid.rows[2][3] == "–"
    assert grid.rows[1][3] == f"{found['p1_em'].mean():.4f} ± {found['p1_em'].std():.4f}"


def test_weighted_scores_of_a_run() -> None:
    found = drawn("sic_weighted", entities(), **SETTINGS, n_short=5)
    assert found["titles"].tolist()[0] == "weighted, 8 iterations"
    assert (found["law"] > 0.0).all()
    assert 0.0 < found["flips"] < 1.0
    figure = figure_of("sic_weighted", found)
    (legend,) = figure.legends
    named = {text.get_text() for text in legend.get_texts()}
    assert {"same class", "different class", "N(0, σ²/T)"} < named
    # One run times several σ: on separate axes they would be the same picture.
    limits = {(axis.get_xlim(), axis.get_ylim()) for axis in figure.axes[1:]}
    assert len(limits) == 1
    ((low, high), _), edges = limits.pop(), found["edges3"]
    assert low <= edges[0] < edges[-1] <= high


@cache
def converged() -> dict[str, Any]:
    """One run for several tests."""
    return drawn("sic_convergence", entities(), **SETTINGS, n_clusters=3, rank=10, n_pairs=100)


def test_convergence_of_a_run() -> None:
    found = converged()
    assert found["pearson"][-1] == pytest.approx(1.0)
    assert found["halves_pearson"][-1] < 1.0
    assert found["scores"].shape == (len(found["scored_at"]), len(sic_runs.QUALITIES))
    assert found["map"][-1] == pytest.approx(100.0 * found["scores"][-1, 0])
    assert found["tolerance_at"].tolist() == [sic_runs.NOT_REACHED] * 2
    figure = figure_of("sic_convergence", found)
    said = [text.get_text() for legend in legends(figure) for text in legend.get_texts()]
    assert {"settled to 0.0001: not reached", "settled to 1e-05: not reached"} < set(said)
    # Curves in (d), and no line in (e) where nothing is reached.
    assert len(found["scored_at"]) > 2
    scores = figure.axes[-1]
    assert [len(line.get_xdata()) for line in scores.lines] == [len(found["scored_at"])] * len(sic_runs.QUALITIES)
    assert [line.get_label() for line in figure.axes[4].lines if len(line.get_xdata())] == ["mAP"]


def legends(figure: Any) -> list[Any]:
    return [child for axis in figure.axes for child in axis.get_children() if hasattr(child, "get_texts")]


def test_names_of_curves_are_beside_the_panels_and_apart() -> None:
    found = converged()
    reached = {**found, "tolerance_at": np.array([found["scored_at"][1], sic_runs.NOT_REACHED])}
    figure = figure_of("sic_convergence", reached)
    said = [text.get_text() for legend in legends(figure) for text in legend.get_texts()]
    assert f"settled to 0.0001: after {found['scored_at'][1]}" in said
    boxes = [legend.get_window_extent() for legend in legends(figure)]
    assert len(boxes) == 3
    for one, other in combinations(boxes, 2):
        assert not one.overlaps(other)
    panels = [axis.get_tightbbox() for axis in (*figure.axes[:5], figure.axes[6])]
    assert not any(box.overlaps(panel) for box in boxes for panel in panels)
    for box in boxes:
        assert figure.bbox.x0 <= box.x0 < box.x1 <= figure.bbox.x1
        assert figure.bbox.y0 <= box.y0 < box.y1 <= figure.bbox.y1


def test_a_run_has_settled_after_two_small_steps() -> None:
    entropy = np.array([0.1, 0.5, 0.50005, 0.6, 0.60005, 0.60006, 0.60006])
    at = np.arange(5, 40, 5)
    # The step at 15 is small, and the next one is not.
    assert sic_runs._settled(entropy, at, [1e-3, 1e-5, 1.0]) == [30, sic_runs.NOT_REACHED, 15]


def test_scaling_gives_distances_in_the_plane_back() -> None:
    points = np.random.default_rng(2).normal(size=(15, 2))
    distance = np.linalg.norm(points[:, None] - points, axis=2)
    found = sic_matrices.classical_scaling(distance)
    np.testing.assert_allclose(np.linalg.norm(found[:, None] - found, axis=2), distance, atol=1e-9)


def test_figures_of_a_matrix() -> None:
    given = matrix(*entities().values())
    maps = drawn("similarity_maps", given)
    assert (np.diff(maps["class"]) >= 0).all()
    clusters = drawn("cluster_composition", given, n_clusters=3)
    assert clusters["table"].sum() == 45
    np.testing.assert_allclose(clusters["scores"], 1.0)
    scores, made_of = table_of("cluster_composition", clusters, n_clusters=3)
    assert dict(scores.rows)["Clusters"] == "3"
    assert sum(int(row[-1]) for row in made_of.rows) == 45
    assert made_of.heads == ("Cluster", *clusters["names"], "All")
    by_class = drawn("retrieval_by_class", given)
    assert by_class["total"] == pytest.approx(100.0)
    np.testing.assert_allclose(by_class["true"][:, 1:], 1.0)
    confident = drawn("confidence", given)
    assert confident["correlation"].shape == (4, 2)
    assert (np.abs(confident["correlation"]) <= 1.0).all()
