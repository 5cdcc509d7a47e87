"""Each figure of the 2012 thesis says what it is drawn for; arrays are those that are saved next to the figures."""

import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import yaml

from kinseq.clustering.itc import information_theoretic
from kinseq.core.errors import DataError
from kinseq.core.sequences import SequenceSet
from kinseq.metrics.external import accuracy
from kinseq_documents.data.vectors import load_wine, ranged
from kinseq_documents.drawings import registry
from kinseq_documents.drawings.itc_runs import steps_data
from kinseq_documents.tasks import Task
from tests.sentences import Recorded

CONFIG = Path(__file__).resolve().parents[3] / "config" / "experiments"
DRAWN = {
    path.stem: experiment
    for path in sorted(CONFIG.glob("V_*.yaml"))
    if (experiment := yaml.safe_load(path.read_text(encoding="utf-8"))).get("kind") == "drawing"
}
LIGHT = {"V_fig2_9": {"sizes": [100, 2000], "n_grid": 40}}
"""Parts that are left out here to save time; the rest is as in the experiments."""


@cache
def arrays(item):
    experiment = DRAWN[item]
    drawing = registry.get(experiment["drawing"])
    return drawing.arrays(1, drawing.completed({**experiment.get("params", {}), **LIGHT.get(item, {})}))


def peaks(surface):
    """Number of points of a grid that are above all their neighbours."""
    inner = surface[1:-1, 1:-1]
    around = [
        surface[1 + i : len(surface) - 1 + i, 1 + j : len(surface) - 1 + j]
        for i in (-1, 0, 1)
        for j in (-1, 0, 1)
        if i or j
    ]
    return int((inner > np.max(around, axis=0)).sum())


@pytest.mark.parametrize("item", [name for name, entry in DRAWN.items() if "datasets" not in entry])
def test_every_figure_is_drawn(item):
    experiment = DRAWN[item]
    drawing = registry.get(experiment["drawing"])
    if drawing.draw is not None:
        full = drawing.completed({**experiment.get("params", {}), **LIGHT.get(item, {})})
        figure = drawing.draw(arrays(item), **full)
        assert figure.axes
        for axis in figure.axes:
            for name, side in (("x", "labelbottom"), ("y", "labelleft")):
                along = getattr(axis, f"{name}axis")
                if axis.get_visible() and len(along.get_ticklocs()) and along.get_tick_params().get(side, True):
                    assert along.get_label_text(), f"the {name} axis of {axis.get_title(loc='left')!r} has no name"
    again = drawing.arrays(1, drawing.completed({**experiment.get("params", {}), **LIGHT.get(item, {})}))
    for name, array in again.items():
        np.testing.assert_array_equal(array, arrays(item)[name])


def test_2_1_a_small_width_gives_a_peak_at_every_point():
    narrow, wide = arrays("V_fig2_1")["density"]
    assert peaks(narrow) > 30
    assert peaks(wide) == 2


def test_2_2_the_same_point_is_fifth_and_the_areas_differ():
    found = arrays("V_fig2_2")
    assert len(set(found["kth"].tolist())) == 1
    assert np.diff(found["area"]).min() > 0.5


def test_2_3_and_2_4_neighbours_are_spikier_than_a_kernel():
    kernel, knn = arrays("V_fig2_4")["density"]
    assert peaks(kernel) <= 3 < 20 < peaks(knn)
    np.testing.assert_array_equal(arrays("V_fig2_3")["density"][0], knn)


def test_2_5_the_kernel_smears_the_dense_group():
    found = arrays("V_fig2_5")
    beside = np.abs(found["along"] + 4.0).argmin()
    assert found["parzen"][beside] > found["knn"][beside] + 1.0 > found["truth"][beside] + 1.0
    assert found["parzen"].max() < found["knn"].max() - 3.0


def test_2_6_the_border_comes_closer_to_the_line():
    assert (np.diff(arrays("V_fig2_6")["off"]) < 0).all()


def length_of_border(decision):
    return int((np.diff(decision, axis=0) != 0).sum() + (np.diff(decision, axis=1) != 0).sum())


@pytest.mark.parametrize("item", ["V_fig2_7", "V_fig2_8"])
def test_2_7_and_2_8_borders_get_smoother(item):
    lengths = [length_of_border(decision) for decision in arrays(item)["decision"]]
    assert lengths[0] > lengths[1] >= lengths[2]


def test_2_9_the_deviation_falls_with_the_number_of_points():
    few, many = arrays("V_fig2_9")["off"].reshape(2, 3)
    assert (many[1:] < few[1:]).all()
    assert many.max() < 0.5


def separated_by_threshold(values, label):
    low, high = values[label == 0], values[label == 1]
    return low.max() < high.min() or high.max() < low.min()


def test_2_10_the_first_component_alone_separates():
    found = arrays("V_fig2_10")
    for number in (1, 2):
        mapped, label = found[f"mapped{number}"], found[f"class{number}"]
        assert separated_by_threshold(mapped[:, 0], label)
        # The points themselves are separated by none of their coordinates.
        points = found[f"points{number}"]
        assert not any(separated_by_threshold(points[:, j], label) for j in (0, 1))


def test_2_11_the_graph_is_not_connected():
    assert int(arrays("V_fig2_11")["components"]) == 2


@pytest.mark.parametrize("item", ["V_fig2_12", "V_fig2_13"])
def test_2_12_and_2_13_the_second_eigenvector_separates_the_rings(item):
    found = arrays(item)
    assert separated_by_threshold(found["mapped"][:, 0], found["class"])
    assert abs(found["values"][0]) < 1e-9 < found["values"][1]


def test_2_14_the_sign_of_the_second_eigenvector_cuts_without_error():
    found = arrays("V_fig2_14")
    assert float(found["accuracy"]) == 100.0
    np.testing.assert_array_equal(found["found"], found["second"] > 0)


def test_3_1_moments_are_equal_and_entropies_are_not():
    found = arrays("V_fig3_1")
    x = np.linspace(-30, 30, 600_001)
    densities = [
        np.exp(-(x**2) / 2) / np.sqrt(2 * np.pi),
        (np.abs(x) <= 3**0.5) / 12**0.5,
        np.exp(-(2**0.5) * np.abs(x)) / 2**0.5,
    ]
    step = x[1] - x[0]
    for density, shannon, quadratic in zip(densities, found["entropy"], found["quadratic"], strict=True):
        assert step * (x**2 * density).sum() == pytest.approx(1.0, abs=1e-3)
        positive = density[density > 0]
        assert -step * (positive * np.log(positive)).sum() == pytest.approx(shannon, abs=1e-3)
        assert -np.log(step * (density**2).sum()) == pytest.approx(quadratic, abs=1e-3)
    assert found["entropy"].argmax() == 0
    assert np.ptp(found["entropy"]) > 0.1


def test_4_1_is_the_trace_of_the_library():
    found = arrays("V_fig4_1")
    result = information_theoretic(steps_data(1), 4, n_runs=10, k_init=8, n_init=10, random_state=1)
    run = result.runs[int(np.argmax(result.divergences))]
    np.testing.assert_array_equal(found["stages"], run.stages)
    counts = [len(np.unique(stage[stage >= 0])) for stage in found["stages"]]
    assert counts == [8, 8, 7, 7, 6, 6, 5, 5, 4, 4]
    assert (np.bincount(found["stages"][0][found["stages"][0] >= 0]) == 10).all()
    assert found["stages"][1].min() == 0


def test_4_2_the_vote_is_better_than_each_run():
    found = arrays("V_fig4_2")
    assert [accuracy(found["truth"], run) for run in found["given"]] == [90.0] * 3
    assert accuracy(found["truth"], found["vote"]) == 100.0
    assert ((found["matched"] == found["truth"]).sum(axis=1) == 9).all()


def test_5_1_k_means_fails_on_spirals_and_neighbours_do_not():
    k_means, knn = arrays("V_fig5_1")["accuracy"]
    assert k_means < 60
    assert knn == 100.0


def test_5_2_the_divergence_peaks_at_four():
    found = arrays("V_fig5_2")
    assert int(found["numbers"][found["divergence"].argmax()]) == 4


def wine():
    from sklearn.datasets import load_wine as given

    data = given()
    return SequenceSet(ranged(data.data), np.arange(179), labels=data.target.astype(str), name="wine")


def test_5_3_and_5_4_on_wine():
    sequences, task = wine(), Task("all", np.arange(178), 3)
    against = registry.get("accuracy_and_divergence")
    found = against.arrays(1, against.completed({}), sequences=sequences, tasks=[task])
    assert float(found["correlation"]) > 0.3
    assert float(found["voted"]) > 90.0
    assert against.draw(found, n_runs=50).axes
    sweep = registry.get("width_sweep")
    params = sweep.completed({"n_runs": 10, "widths": [0.05, 0.4, 1.0]})
    swept = sweep.arrays(1, params, sequences=sequences, tasks=[task])
    assert swept["accuracy"].mean(axis=1).argmax() == 1
    assert swept["rules"] == pytest.approx([0.403, 0.266], abs=0.001)  # printed in table 5.1
    assert sweep.draw(swept, **params).axes


def said(figure):
    """All that is written in a figure outside its panels."""
    texts = [*figure.texts, *(text for legend in figure.legends for text in (legend.get_title(), *legend.get_texts()))]
    return " ".join([text.get_text() for text in texts] + [figure.get_supxlabel()])


@pytest.mark.parametrize("item", ["V_fig5_4", "V_fig5_9", "V_fig5_10", "V_fig5_11"])
def test_figures_of_kernels_name_their_convention(item):
    drawing = registry.get(DRAWN[item]["drawing"])
    sweep = {"width": np.array([0.1, 1.0]), "accuracy": np.full((2, 3), 90.0), "rules": np.array([0.2, 0.3])}
    given = sweep if item == "V_fig5_4" else arrays(item)
    for convention, other in (("plug_in", "convolution"), ("convolution", "plug_in")):
        params = drawing.completed({**DRAWN[item].get("params", {}), "convention": convention})
        text = said(drawing.draw(given, **params))
        assert f"convention {convention.replace('_', '-')}:" in text
        assert other.replace("_", "-") not in text


def test_5_4_no_accuracy_is_above_100_percent():
    right = np.array([[60.0, 100.0, 100.0, 100.0, 100.0, 100.0], [50.0, 50.0, 98.0, 98.0, 99.0, 99.0]])
    assert (right.mean(axis=1) + right.std(axis=1, ddof=1)).max() > 100.0
    sweep = registry.get("width_sweep")
    given = {"width": np.array([0.1, 1.0]), "accuracy": right, "rules": np.array([0.2, 0.3])}
    (axis,) = sweep.draw(given, **sweep.completed({})).axes
    (band,) = (path.vertices[:, 1] for area in axis.collections for path in area.get_paths())
    assert band.max() <= 100.0
    assert band.min() == pytest.approx(np.quantile(right[1], 1 / 6))


def test_5_9_neighbours_come_close_to_the_bayes_rule_and_the_kernel_does_not():
    found = arrays("V_fig5_9")
    kernel, knn = found["accuracy"]
    assert kernel < knn - 3.0
    assert abs(knn - float(found["bayes"])) < 3.0
    assert float(found["bayes"]) == pytest.approx(99.2, abs=0.8)


@pytest.mark.parametrize("item", ["V_fig5_10", "V_fig5_11"])
def test_5_10_and_5_11_neighbours_find_the_two_parts(item):
    at_m, at_s, knn = arrays(item)["errors"]
    assert knn < 15 < min(at_m, at_s)


def test_a_1_and_a_2_likelihoods_tell():
    right, local = arrays("V_figA_1")["loglik"]
    assert right > local + 0.05
    found = arrays("V_figA_2")
    assert (np.diff(found["loglik"]) > 0).all()
    assert found["fresh"].argmax() == 1


def test_b_1_both_changes_move_the_border_to_the_right():
    equal, priors, losses = arrays("V_figB_1")["border"]
    assert equal == pytest.approx(0.0, abs=0.003)
    assert priors == pytest.approx(np.log(0.7 / 0.3) / 4, abs=0.003)
    assert losses == pytest.approx(np.log(5.0) / 4, abs=0.003)


def test_c_the_machines():
    margin, slack, kernel = (arrays(f"V_figC_{i}") for i in (1, 2, 3))
    assert margin["errors"].tolist() == [0]
    assert 2 <= margin["support"].sum() <= 5
    assert slack["errors"].tolist() == [1, 0]
    assert slack["margin"][0] > 2 * slack["margin"][1]
    assert kernel["errors"].tolist() == [0]


def test_d_smaller_powers_are_smoother():
    assert (np.diff(np.ptp(arrays("V_figD_1")["scaled"], axis=1)) < 0).all()
    surfaces = arrays("V_figD_2")["density"]
    contrast = [surface.max() / np.median(surface) for surface in surfaces]
    assert (np.diff(contrast) < 0).all()


def test_table_of_symbols_names_what_exists(monkeypatch, recorded: Recorded):
    from kinseq_documents.drawings import symbols

    (grid,) = registry.get("symbols").table(arrays("V_tab1"))
    assert len(grid.rows) == len(symbols.SYMBOLS)
    assert ("κ_σ", "Gaussian kernel of width σ", "parzen", "kinseq.divergences.density") in grid.rows
    assert {row[3] for row in grid.rows if row[3]} <= {name for name in sys.modules if name.startswith("kinseq.")}
    for entry in (
        symbols.Symbol("x", "y", (symbols.named,)),
        symbols.Symbol("x", "y", (symbols.parzen,), "prior"),
    ):
        monkeypatch.setattr(symbols, "SYMBOLS", (entry,))
        with recorded.raises(DataError):
            arrays.__wrapped__("V_tab1")


def images(n, shape, seed=0):
    random = np.random.default_rng(seed)
    label = np.arange(n) % 2
    pattern = random.normal(size=(2, shape[0] * shape[1]))
    return 100.0 + 20.0 * pattern[label] + random.normal(size=(n, shape[0] * shape[1])), label


def test_faces_and_digits():
    values, label = images(60, (28, 20))
    faces = registry.get("itc_faces")
    params = faces.completed({"n_shown": 6})
    items = SequenceSet(values, np.arange(61))
    found = faces.arrays(1, params, sequences=items, tasks=[Task("all", np.arange(60), 2)])
    assert found["sizes"].tolist() == [30, 30]
    assert faces.draw(found, **params).axes
    values, label = images(40, (16, 16))
    digits = registry.get("itc_digits")
    items = SequenceSet(values, np.arange(41), labels=label.astype(str))
    found = digits.arrays(1, digits.completed({}), sequences=items, tasks=[Task("0-1", np.arange(40), 2)])
    assert found["errors"].tolist() == [0]
    assert digits.draw(found, **digits.completed({})).axes


def test_clouds():
    random = np.random.default_rng(0)
    cloud = np.zeros((40, 30), dtype=bool)
    cloud[10:30, 8:25] = True
    values = np.where(cloud.reshape(-1, 1), 0.6, -0.6) + 0.1 * random.normal(size=(1200, 6))
    items = SequenceSet(
        values,
        np.arange(1201),
        labels=np.where(cloud.ravel(), "cloud", "clear"),
        groups=np.repeat(np.arange(40), 30),
    )
    task = Task("all", np.concatenate([np.flatnonzero(cloud.ravel())[:60], np.flatnonzero(~cloud.ravel())[:60]]), 2)
    for name in ("itc_clouds", "itc_cloud_masks"):
        drawing = registry.get(name)
        params = drawing.completed({"side": 12})
        found = drawing.arrays(1, params, sequences=items, tasks=[task])
        assert float(found["accuracy"]) == float(found["crop_accuracy"]) == 100.0
        assert float(found["constant"]) == pytest.approx(100.0 * (1 - cloud.mean()))
        assert drawing.draw(found, **params).axes


def test_wine_is_read_as_scikit_learn_reads_it():
    from importlib.util import find_spec

    folder = Path(find_spec("sklearn").submodule_search_locations[0]) / "datasets" / "data"
    read = load_wine(folder, "range")
    np.testing.assert_allclose(read.values, wine().values)
    assert np.unique(read.labels).size == 3
