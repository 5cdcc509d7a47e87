"""Chapter 4: drawings that say what their captions say, the growth of spheres, and the figure of chosen cells."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize

from kinseq import measures
from kinseq.core.errors import ConfigError, DataError, ParameterError
from kinseq.core.sequences import SequenceSet
from kinseq.measures.sphere_growth import common_radii
from kinseq.models.spheres import enclosing_sphere, enclosing_spheres, merge_pair
from kinseq_documents.drawings import registry as drawings
from kinseq_documents.evaluation import summary
from kinseq_documents.experiments import ComparisonExperiment
from kinseq_documents.plotting import figures, layout
from tests.sentences import Recorded

typed = ComparisonExperiment.read


def arrays_of(name: str, **params: Any) -> dict[str, Any]:
    drawing = drawings.get(name)
    return drawing.arrays(1, drawing.completed(params))


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"centres": [[0.0, 0.0], [0.5, 0.0]], "radii": [2.0, 0.5]},
        {"centres": [[1.0, 1.0], [1.0, 1.0]], "radii": [1.0, 1.0]},
        {"centres": [[-1.0, 2.0], [1.0, 0.0]], "radii": [0.0, 0.0]},
    ],
)
def test_the_drawn_circle_is_the_smallest_around_both(params: dict[str, Any]) -> None:
    arrays = arrays_of("common_sphere", **params)
    centres, radii = arrays["centres"], arrays["radii"]

    def reach(middle: np.ndarray) -> float:
        return float((np.linalg.norm(centres[:2] - middle, axis=1) + radii[:2]).max())

    assert reach(centres[2]) == pytest.approx(radii[2])
    best = minimize(reach, centres[:2].mean(axis=0), method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-9})
    assert radii[2] == pytest.approx(best.fun, abs=1e-6)


def test_the_drawn_packing_is_one() -> None:
    arrays = arrays_of("packing_steps")
    vectors, of_vector, clusters = arrays["vectors"], arrays["set"], arrays["clusters"]
    assert clusters.tolist() == [0, 0, 0, 0, 1, 1, 1, 1], "the clusters are well apart"
    # Every vector lies in the sphere of its set, and some on it.
    own = np.linalg.norm(vectors - arrays["first_centres"][of_vector], axis=1) - arrays["first_radii"][of_vector]
    assert own.max() == pytest.approx(0.0, abs=1e-6)
    for k in range(8):
        assert own[of_vector == k].max() == pytest.approx(0.0, abs=1e-6)
    # The remaining spheres contain those of their sets, and touch at least two of them.
    apart = np.linalg.norm(arrays["first_centres"] - arrays["last_centres"][clusters], axis=1) + arrays["first_radii"]
    for k in (0, 1):
        reach = np.sort(apart[clusters == k])
        assert reach[-1] <= arrays["last_radii"][k] + 1e-9
    assert (np.diff(arrays["merges"][:, 2]) >= -1e-12).all(), "common spheres grow"
    np.testing.assert_allclose(sorted(arrays["last_radii"])[-1], arrays["merges"][5, 2])


def test_drawings_of_spheres_are_drawn() -> None:
    for name, panels in (("common_sphere", 1), ("packing_steps", 3)):
        drawing = drawings.get(name)
        params = drawing.completed({})
        figure = drawing.draw(drawing.arrays(1, params), **params)
        assert len(figure.axes) == panels
        circles = [len(axis.patches) for axis in figure.axes]
        assert circles == ([3] if panels == 1 else [0, 8, 2])


# Growth of spheres


def some_sets(n: int = 6) -> SequenceSet:
    draw = np.random.default_rng(3)
    return SequenceSet.from_arrays([draw.normal(i, 1.0, size=(8 + i, 2)) for i in range(n)])


def test_growth_is_by_the_radii_of_pairs() -> None:
    sets = some_sets()
    found = measures.compute("sphere_growth", sets)
    spheres = enclosing_spheres(sets)
    common = common_radii(spheres.squares, spheres.radii)
    for i in range(len(sets)):
        for j in range(i):
            r, s = float(spheres.radii[i]), float(spheres.radii[j])
            radius, _ = merge_pair(float(spheres.squares[i, j]), r, s)
            assert common[i, j] == pytest.approx(radius)
            assert found[i, j] == pytest.approx(radius - max(r, s))


def test_a_set_inside_another_needs_no_growth() -> None:
    draw = np.random.default_rng(0)
    wide = draw.normal(size=(30, 2))
    inside = wide.mean(axis=0) + 0.01 * draw.normal(size=(4, 2))
    found = measures.compute("sphere_growth", [wide, inside, inside + 50.0], C=None, sigma=20.0)
    assert found[0, 1] == pytest.approx(0.0, abs=1e-12)
    assert found[0, 2] > 0.1


@pytest.mark.parametrize("params", [{"C": None}, {"C": 1}, {"C": None, "nu": 0.2}, {"C": 0.25}])
def test_slack_is_against_the_sphere_of_the_union(params: dict[str, Any]) -> None:
    sets = some_sets(4)
    sigma, every = 1.5, 6
    evidence_params = {"sigma": sigma, "n_unions": 100, **params}
    _, findings = _with_findings(sets, evidence_params)
    radii = []
    for i in range(4):
        for j in range(i):
            both = np.concatenate([sets[i], sets[j]])
            squares = ((both[:, None] - both) ** 2).sum(axis=2)
            bound = params.get("C")
            ceiling = None if bound is None else bound / (2 - bound)
            radii.append(enclosing_sphere(np.exp(-squares / (2 * sigma**2)), ceiling, params.get("nu")).radius)
    assert len(radii) == every
    assert findings["exact_radius"] == pytest.approx(np.mean(radii))
    if "nu" not in params and params["C"] != 0.25:
        assert findings["merged_radius"] >= findings["exact_radius"], "a sphere around spheres holds the vectors"


def _with_findings(sets: SequenceSet, params: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    measure = measures.registry.get("sphere_growth")
    return measure.compute(measures.registry.MeasureInput(sets, seed=1), **params)


def test_no_union_is_computed_unless_asked_for() -> None:
    _, findings = _with_findings(some_sets(), {"n_unions": 0})
    assert findings == {}


# Root of a divergence


def test_root_of_kl_ll(recorded: Recorded) -> None:
    sets = some_sets()
    plain = measures.compute("kl_ll", sets, model="gaussian")
    np.testing.assert_allclose(measures.compute("kl_ll", sets, model="gaussian", root=True) ** 2, plain, atol=1e-12)
    with recorded.raises(ParameterError):
        measures.compute("kl_ll", sets, model="gaussian", root="yes")


# The figure of chosen cells

RENDER: dict[str, Any] = {
    "kind": "table",
    "rows": ["dataset"],
    "sections": ["clusterer"],
    "cells": {
        "panels": ["a", "b"],
        "columns": [{"clusterer": "sphere_packing"}, {"measure": "mmd", "clusterer": "spectral"}],
        "lines": ["bayes_error", "random_labels"],
    },
}


def experiment(**cells: Any) -> dict[str, Any]:
    return {
        "id": "made_up",
        "title": "t",
        "metric": "error",
        "render": {**RENDER, "cells": {**RENDER["cells"], **cells}},
    }


def scored() -> pd.DataFrame:
    rows = []
    for dataset, level in (("a", 0.0), ("b", 10.0)):
        for trial in range(3):
            for measure, clusterer, value in (
                ("none", "sphere_packing", 20.0 + trial),
                ("mmd", "spectral", 30.0 + trial),
                ("bayes_error", "control", 17.0),
                ("random_labels", "control", 45.0),
            ):
                rows.append(
                    {
                        "experiment": "made_up", "dataset": dataset, "task": "all", "trial": trial, "model": "none",
                        "measure": measure, "clusterer": clusterer, "metric": "error", "value": value + level,
                        "x": float("nan"), "seed": 1, "reading": "",
                    }
                )  # fmt: skip
    return pd.DataFrame(rows)


def test_cells_show_trials_means_and_the_bayes_error() -> None:
    scores = scored()
    figure = figures.cells(typed(experiment()), scores, summary.summarise(scores))
    first, second = figure.axes
    for axis, level in ((first, 0.0), (second, 10.0)):
        heights = sorted(float(y) for dots in axis.collections for y in dots.get_offsets()[:, 1])
        assert heights == [level + value for value in (20.0, 21.0, 22.0, 30.0, 31.0, 32.0)]
        bars = [tuple(line.get_ydata()) for line in axis.lines]
        for value in (21.0, 31.0, 17.0, 45.0):
            assert (level + value, level + value) in bars, "means, and a line at the level of each control"
    legend = [text.get_text() for text in figure.legends[0].get_texts()]
    assert legend == ["one trial", "mean", "Bayes error", "random labels"]
    with pytest.raises(DataError, match="data set 'c'"):
        figures.cells(typed(experiment(panels=["c"])), scores, summary.summarise(scores))


@pytest.mark.parametrize(
    "cells",
    [
        {"panels": []},
        {"columns": ["mmd"]},
        {"columns": [{"measure": "mmd"}]},
        {"columns": [{"clusterer": "spectral", "metric": "ari"}]},
        {"line": ["bayes_error"]},
    ],
)
def test_cells_that_cannot_be_drawn_are_refused(cells: dict[str, Any], recorded: Recorded) -> None:
    with recorded.raises(ConfigError):
        layout.check(typed(experiment(**cells)))


def test_a_table_has_one_figure(recorded: Recorded) -> None:
    both = experiment()
    both["render"] = {**both["render"], "strip": {"dataset": "a", "panels": ["spectral"]}}
    with recorded.raises(ConfigError):
        layout.check(typed(both))
    assert layout.figure_files(typed(experiment())) == ("scores", "published")
