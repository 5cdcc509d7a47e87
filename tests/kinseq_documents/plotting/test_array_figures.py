"""Figures of arrays, and what they are drawn from."""

import numpy as np
import pandas as pd
import pytest

from kinseq.core.errors import ConfigError, DataError
from kinseq.core.sequences import SequenceSet
from kinseq.plotting.array_figures import eigenmap
from kinseq_documents.drawings import registry as drawings
from kinseq_documents.experiments import ComparisonExperiment
from kinseq_documents.plotting import array_figures, layout
from kinseq_documents.stages import confusion, figures
from kinseq_documents.stages.distances import Distance
from kinseq_documents.stages.partitions import Partition
from kinseq_documents.tasks import Task
from tests.sentences import Recorded

typed = ComparisonExperiment.read


def labelled(labels):
    return SequenceSet.from_arrays([np.zeros((2, 1))] * len(labels), labels=labels, name="made up")


def test_confusion_is_matched_in_each_trial_by_itself():
    sequences = labelled(["a", "a", "a", "b", "b", "c"])
    task = Task("all", np.arange(6), 3)
    found = [
        Partition("ssd", "m", 0, "all", "spectral", np.array([2, 2, 0, 0, 0, 1]), {}),
        Partition("ssd", "m", 1, "all", "spectral", np.array([0, 0, 0, 1, 1, 2]), {}),
    ]
    table = confusion.confusion_over_trials(sequences, [task], found, ["c", "a", "b"])
    np.testing.assert_array_equal(table, [[2, 0, 0], [0, 5, 1], [0, 0, 4]])
    with pytest.raises(DataError, match=r"label 'b' .*names"):
        confusion.confusion_over_trials(sequences, [task], found, ["a", "c"])


def test_eigenvectors_are_drawn_with_the_segments_of_the_task_in_samples(recorded: Recorded):
    points = np.repeat([0.0, 3.0, 0.0], [4, 3, 5])
    noise = 0.1 * np.random.default_rng(1).normal(size=12)
    distance = np.abs((points + noise)[:, None] - (points + noise))
    groups = np.repeat([0, 1, 2], [4, 3, 5])
    sequences = SequenceSet.from_arrays([np.zeros((7, 1))] * 12, labels=groups % 2, groups=groups, name="recording")
    task = Task("w7", np.arange(12), 2, n_segments=3)
    drawing = drawings.get("eigenvectors")
    params = drawing.completed({"task": "w7"})
    needed = {"sequences": sequences, "tasks": [task], "distances": [Distance("ssd", "m", 0, task, distance, {})]}
    arrays = drawing.arrays(1, params, **needed)
    assert arrays["boundaries"].tolist() == [28, 49]
    assert arrays["true_boundaries"].tolist() == [28, 49]
    assert arrays["sources"].tolist() == [0, 1, 0]
    (axis,) = drawing.draw(arrays, **params).axes
    assert [text.get_text() for text in axis.texts] == ["1", "2", "1"]
    assert [text.get_position()[0] for text in axis.texts] == [14.0, 38.5, 66.5], "middles of the segments"
    (legend,) = axis.figure.legends
    n = arrays["embedding"].shape[1]
    names = [f"eigenvector {k + 1}" for k in range(n)]
    assert [text.get_text() for text in legend.get_texts()] == [*names, "boundary found", "true boundary"]
    recorded(legend.get_title().get_text())
    with recorded.raises(DataError):
        drawing.arrays(1, {**params, "task": "w8"}, **needed)


def test_some_eigenvectors_are_drawn_and_the_others_told():
    embedding = np.random.default_rng(0).normal(size=(6, 4))
    figure = eigenmap(embedding, np.arange(7), np.array([3]), n_shown=2)
    (axis,), (legend,) = figure.axes, figure.legends
    curves = [line for line in axis.lines if len(line.get_ydata()) == 6]
    np.testing.assert_array_equal([line.get_ydata() for line in curves], embedding[:, :2].T)
    assert [text.get_text() for text in legend.get_texts()] == ["eigenvector 1", "eigenvector 2", "boundary found"]
    assert legend.get_title().get_text() == "2 of 4 are drawn"


def test_functions_that_nearly_coincide_have_a_panel_of_differences():
    x = np.linspace(0.0, 1.0, 5)
    named = {"exact": x**2, "estimate": x**2 + 0.001}
    left, right = array_figures.lines(x, named, "x", "risk", against="exact").axes
    np.testing.assert_allclose([line.get_ydata() for line in left.lines], list(named.values()))
    np.testing.assert_allclose([line.get_ydata() for line in right.lines], [np.zeros(5), np.full(5, 0.001)], atol=1e-15)
    assert right.get_ylabel() == "risk\nminus exact"
    assert right.get_ylim()[1] < 0.01, "a scale of its own"
    assert len(array_figures.lines(x, named, "x", "risk").axes) == 1


def test_estimates_of_a_risk_can_be_told_apart():
    drawing = drawings.get("risk_curves")
    params = drawing.completed({"n": 60, "repeats": 2, "n_priors": 5})
    arrays = drawing.arrays(1, params)
    differences = drawing.draw(arrays, **params).axes[1]
    expected = [arrays[name] - arrays["asymptotic"] for name in ("closed_form", "scheme_a", "scheme_b", "asymptotic")]
    np.testing.assert_allclose([line.get_ydata() for line in differences.lines], expected)


def test_panels_with_equal_numbers_say_whether_their_clusters_are_equal(recorded: Recorded):
    def found(measure, *trials):
        return [Partition(measure, "m", t, "all", "spectral", np.array(labels), {}) for t, labels in enumerate(trials)]

    behind = {
        "A": [found("a", [0, 0, 1, 1], [0, 1, 0, 1])],
        "B": [found("b", [1, 1, 0, 0], [0, 1, 1, 0])],
        "C": [found("c", [0, 0, 1, 1], [1, 0, 1, 0])],
        "D": [found("d", [0, 0, 0, 1], [0, 1, 0, 1])],
    }
    tables = {"A": np.eye(2), "B": np.eye(2), "C": np.eye(2), "D": np.ones((2, 2))}

    def said(*names):
        return figures._equal_panels({name: tables[name] for name in names}, behind)

    recorded(said("A", "B"))
    recorded(said("A", "C"))
    assert said("A", "D") == ""
    figure = array_figures.hinton({"A": np.eye(2), "B": np.eye(2)}, ["x", "y"], said("A", "B"))
    assert figure.get_supxlabel() == said("A", "B")


def test_samples_are_the_first_sequences_of_each_class():
    frames = [np.full((length, 2), value) for length, value in ((3, 1.0), (4, 2.0), (5, 3.0), (2, 4.0))]
    sequences = SequenceSet.from_arrays(frames, labels=["b", "a", "b", "b"], name="made up")
    drawing = drawings.get("class_samples")
    params = drawing.completed({"names": {"a": "First", "b": "Second"}, "n_samples": 2})
    arrays = drawing.arrays(1, params, sequences=sequences, tasks=[])
    assert arrays["titles"].tolist() == ["First", "Second"]
    assert arrays["lengths"].tolist() == [4, 3, 5]
    np.testing.assert_array_equal(arrays["values"], [2.0] * 4 + [1.0] * 3 + [3.0] * 5)
    lines = [[line.get_ydata().tolist() for line in axis.lines] for axis in drawing.draw(arrays, **params).axes[:2]]
    assert lines == [[[2.0] * 4], [[1.0] * 3, [3.0] * 5]]
    with pytest.raises(DataError, match="class 'c'"):
        drawing.arrays(1, {**params, "names": {"c": "Third"}}, sequences=sequences, tasks=[])


def test_costs_are_drawn_a_line_a_method_with_its_slope():
    table = pd.DataFrame({"method": ["a", "a", "b"], "n": [10, 20, 10], "cpu_seconds": [1.0, 2.0, 3.0]})
    table["slope"] = [1.0, 1.0, float("nan")]
    axis = array_figures.costs(table, {"a": "the first"}).axes[0]
    assert [line.get_label() for line in axis.lines] == ["the first (slope 1.0)", "b"]
    assert axis.lines[0].get_xdata().tolist() == [10, 20]


def test_areas_of_a_hinton_diagram_are_shares_of_a_row(recorded: Recorded):
    figure = array_figures.hinton({"": np.array([[3.0, 1.0], [0.0, 8.0]])}, ["first", "second"])
    patches = figure.axes[0].patches
    # Areas relative to that of a full cell.
    areas = sorted(round(patch.get_width() * patch.get_height() / 0.92**2, 10) for patch in patches)
    assert areas == [0.25, 0.75, 1.0]
    with pytest.raises(DataError, match="none empty"):
        array_figures.hinton({"": np.zeros((2, 2))}, ["first", "second"])
    with recorded.raises(DataError):
        array_figures.hinton({}, ["first", "second"])


def test_a_hinton_diagram_a_panel_each_shows_its_own_matrix():
    tables = {str(k): np.eye(4) + k * np.roll(np.eye(4), 1, axis=1) for k in range(7)}
    figure = array_figures.hinton(tables, list("abcd"))
    shown = [axis for axis in figure.axes if axis.get_visible()]
    assert [axis.get_title(loc="left") for axis in shown] == [f"({'abcdefg'[k]}) {k}" for k in range(7)]
    assert [len(axis.patches) for axis in shown] == [4] + [8] * 6
    areas = [sum(patch.get_width() * patch.get_height() for patch in axis.patches) for axis in shown]
    np.testing.assert_allclose(areas, 4 * 0.92**2)


def test_samples_and_scatter_draw_what_they_are_given(recorded: Recorded):
    figure = array_figures.samples({"one": [np.zeros((5, 1)), np.ones((5, 1))], "two": [np.ones((5, 2))]})
    assert [len(axis.lines) for axis in figure.axes[:2]] == [2, 1]
    with recorded.raises(DataError):
        array_figures.samples({"one": []})
    rows = [
        {"dataset": "d", "task": "all", "trial": t, "model": m, "measure": "ssd", "clusterer": "spectral", "metric": k,
         "reading": "", "value": v + t}
        for t in range(3)
        for m in ("a", "b")
        for k, v in (("error", 10.0), ("loglik_per_frame", -3.0))
    ]  # fmt: skip
    render = {"x": "loglik_per_frame", "x_label": "x", "panels": ["spectral"]}
    drawn = array_figures.scatter(pd.DataFrame(rows), render, "error", {})
    assert [len(points.get_offsets()) for points in drawn.axes[0].collections] == [3, 3]
    np.testing.assert_allclose(drawn.axes[0].collections[0].get_offsets()[0], [-3.0, 10.0])
    with recorded.raises(DataError):
        array_figures.scatter(pd.DataFrame(rows), {**render, "x": "likelihood"}, "error", {})


def test_no_point_of_a_later_panel_is_cut_off():
    rows = [
        {"dataset": "d", "task": "all", "trial": t, "model": "a", "measure": "ssd", "clusterer": c, "metric": k,
         "reading": "", "value": v + t}
        for t in range(3)
        for c, error in (("spectral", 10.0), ("spectral_median", 60.0))
        for k, v in (("error", error), ("loglik_per_frame", -3.0))
    ]  # fmt: skip
    render = {"x": "loglik_per_frame", "x_label": "x", "panels": ["spectral", "spectral_median"]}
    drawn = array_figures.scatter(pd.DataFrame(rows), render, "error", {})
    assert all(axis.get_ylim()[0] < 0.0 and axis.get_ylim()[1] > 62.0 for axis in drawn.axes[:2])


def test_renders_of_diagrams_are_checked(recorded: Recorded):
    layout.check(typed({"id": "e", "render": {"kind": "hinton", "names": {"a": "A"}}}))
    with recorded.raises(ConfigError):
        layout.check(typed({"id": "e", "render": {"kind": "hinton"}}))
    hinton = {"kind": "hinton", "names": {"a": "A"}}
    content = layout.Content(("sequences", "partitions"), measures=("ssd",), clusterers=("spectral",))
    layout.check(typed({"id": "e", "render": {**hinton, "panels": ["ssd", "spectral"]}}), content)
    with recorded.raises(ConfigError):
        layout.check(typed({"id": "e", "render": {**hinton, "panels": []}}), content)
    with recorded.raises(ConfigError):
        layout.check(typed({"id": "e", "render": {**hinton, "panels": ["dtw"]}}), content)
    with recorded.raises(ConfigError):
        layout.check(typed({"id": "e", "render": {**hinton, "clusterers": ["ssd"]}}), content)
    with recorded.raises(ConfigError):
        layout.check(typed({"id": "e", "render": {**hinton, "panel": []}}))
    with recorded.raises(ConfigError):
        layout.check(typed({"id": "e", "render": {"kind": "pie"}}))


def test_every_kind_of_render_is_drawn_by_one_function(tmp_path):
    assert set(figures.KINDS) == set(layout.FIGURES)
    (tmp_path / "costs.csv").write_text("method,n,cpu_seconds,slope\na,10,1.0,1.0\na,20,2.0,1.0\n")
    experiment, files = {"title": "e", "render": {"kind": "costs"}}, {"timings": tmp_path / "costs.csv"}
    assert len(figures.draw(typed(experiment), files, {}).axes[0].lines) == 1
    (text,) = figures.draw(typed(experiment), files, {}, missing={"d": "d is lost"}).texts
    assert text.get_text().splitlines() == ["e: data not available", "", "d: d is lost"]


def test_a_figure_is_drawn_from_the_files_that_its_kind_names(recorded: Recorded):
    assert layout.figure_files(typed({"render": {"kind": "table"}})) == ()
    assert layout.figure_files(typed({"render": {"kind": "table", "strip": {"dataset": "d"}}})) == (
        "scores",
        "published",
    )
    assert layout.figure_files(typed({"render": {"kind": "costs"}})) == ("timings",)
    hinton = {"id": "e", "render": {"kind": "hinton", "names": {"a": "A"}}}
    layout.check(typed(hinton), layout.Content(("scores", "published", "sequences", "partitions")))
    with recorded.raises(ConfigError):
        layout.check(typed(hinton), layout.Content(("scores",)))
