"""Readings: axes and rules, the pass over widths against the clusterers, and what is counted of it."""

import numpy as np
import pandas as pd
import pytest

from kinseq import clustering
from kinseq.core.errors import ConfigError, DataError
from kinseq.core.seeds import derive_seed
from kinseq.core.sequences import SequenceSet
from kinseq.metrics import clustering_error
from kinseq_documents.evaluation import axes as axes_module
from kinseq_documents.evaluation import multiverse, passes
from kinseq_documents.evaluation.axes import parsed, picked, within
from kinseq_documents.evaluation.multiverse import Piece, Verse
from kinseq_documents.stages.distances import Distance
from kinseq_documents.stages.multiverse import pass_over
from kinseq_documents.stages.partitions import Partition
from kinseq_documents.tasks import Task
from tests.sentences import Recorded

WIDTHS = {"low": 0.01, "high": 10, "n": 28}
AXES = [
    {
        "name": "training",
        "enters": "models",
        "levels": {"a": {"params": {"n_init": 1}}, "b": {"params": {"n_init": 3}}},
    },
    {
        "name": "embedding",
        "enters": "embedding",
        "printed": "njw",
        "levels": {
            "njw": {"params": {"embedding": "njw"}},
            "skip": {"params": {"embedding": "skip_first", "starts": "random_rows"}},
        },
    },
    {
        "name": "kernel",
        "enters": "affinity",
        "levels": {"linear": {"params": {"kernel": "linear"}}, "gaussian": {"params": {"kernel": "gaussian"}}},
    },
    {
        "name": "diagonal",
        "enters": "affinity",
        "levels": {"own": {"params": {"diagonal": "own"}}, "zero": {"params": {"diagonal": "zero"}}},
    },
    {
        "name": "width",
        "enters": "width",
        "levels": {"narrow": {"params": {"low": 0.1, "high": 2}}, "one": {"params": {"rule": "fixed", "at": 1}}},
    },
    {
        "name": "rows",
        "enters": "measure",
        "measures": ["ssd"],
        "levels": {"eps": {"params": {"rows": "eps"}}, "joint": {"measure": "ssd_joint"}},
    },
]


def axes(some=AXES):
    return parsed(some, WIDTHS, {"sym": {"diagonal": "own"}, "ssd": {"rows": "limit"}}, "here")


def test_readings_are_all_combinations_and_measures_have_their_levels():
    every = axes()
    assert len(every.readings()) == 2**6
    assert list(every.graphs) == [("linear", "own"), ("linear", "zero"), ("gaussian", "own"), ("gaussian", "zero")]
    assert every.graphs["linear", "zero"] == {"kernel": "linear", "diagonal": "zero"}
    assert every.computed("sym") == {"sym": {"measure": "sym", "params": {"diagonal": "own"}}}
    assert every.computed("ssd") == {
        "ssd@eps": {"measure": "ssd", "params": {"rows": "eps"}},
        "ssd@joint": {"measure": "ssd_joint", "params": {"rows": "limit"}},
    }


def test_limits_of_widths_belong_to_them():
    """Of 28 log-spaced widths from .01 to 10 twelve lie from .1 to 2, and the first is .1."""
    widths = axes().widths
    among = within({"low": 0.1, "high": 2}, widths)
    assert len(among) == 12
    assert widths[among[0]] == pytest.approx(0.1, rel=1e-12)
    assert widths[among[-1]] < 2 < widths[among[-1] + 1]


def test_rules_pick_the_first_of_ties_and_none_where_something_was_not_looked_at():
    widths = np.geomspace(0.01, 10, 28)
    eigenvalues = np.full((28, 2), np.nan)
    among = within({"low": 0.1, "high": 2}, widths)
    eigenvalues[among] = [0.5, 0.4]
    eigenvalues[among[3]] = eigenvalues[among[5]] = [0.9, 0.1]
    rule = {"rule": "eigengap", "low": 0.1, "high": 2}
    assert picked(rule, eigenvalues, widths) == among[3]
    assert picked({"rule": "ratio", "low": 0.1, "high": 2}, eigenvalues, widths) == among[3]
    assert picked({"rule": "fixed", "at": 0.1}, eigenvalues, widths) == among[0]
    assert picked({"rule": "eigengap"}, eigenvalues, widths) is None


@pytest.mark.parametrize(
    "change",
    [
        {"enters": "kernel"},
        {"printed": "nwj"},
        {"enters": "measure"},
    ],
)
def test_bad_axes_are_refused(change, recorded: Recorded):
    with recorded.raises(ConfigError):
        axes([*AXES[:1], {**AXES[1], **change}, *AXES[2:]])


def test_bad_rules_and_readings_are_refused(recorded: Recorded):
    with recorded.raises(ConfigError):
        axes([*AXES, {**AXES[-1], "name": "again"}])
    for level in (
        {"rule": "widest"},
        {"rule": "fixed"},
        {"low": 20},
    ):
        with recorded.raises(ConfigError):
            axes([*AXES[:4], {**AXES[4], "levels": {"x": {"params": level}}}, AXES[5]])
    every = axes()
    levels = dict(zip((axis.name for axis in every.axes), every.readings()[0], strict=True))
    assert every.reading(levels, "here") == every.readings()[0]
    for wrong in (
        {**levels, "colour": "red"},
        {**levels, "width": "wide"},
        {name: level for name, level in levels.items() if name != "rows"},
    ):
        with recorded.raises(ConfigError):
            every.reading(wrong, "here")


def some_matrices(n=24):
    """Two measures on three groups that overlap; the diagonal of the first is not zero."""
    random = np.random.default_rng(3)
    classes = np.arange(n) % 3
    x = 1.5 * np.eye(3)[classes] + random.normal(size=(n, 3))
    distance = np.sqrt(((x[:, None] - x) ** 2).sum(axis=2))
    distance = 0.5 * (distance + distance.T)
    own = distance + np.diag(random.uniform(0.5, 4.0, n))
    sequences = SequenceSet.from_arrays([np.zeros((2, 1))] * n, labels=classes, name="set")
    task = Task("all", np.arange(n), 3)
    return sequences, [Distance("sym", "hmm2", 0, task, own, {}), Distance("yy", "hmm2", 0, task, distance, {})]


def test_a_pass_gives_what_the_clusterer_gives_under_every_reading(tmp_path):
    sequences, matrices = some_matrices()
    every = axes()
    passes.write(tmp_path / "pass.npz", pass_over(matrices, sequences, every, seed=7))
    found = passes.read(tmp_path / "pass.npz")
    cells = pd.DataFrame(
        [
            {**dict(zip(multiverse.CELL, ("1", "set", "hmm2", name, "error", ""), strict=True)), "printed": 10.0,
             "printed_std": np.nan, "n_printed": np.nan}
            for name in ("sym", "yy")
        ]
    )  # fmt: skip
    whole = multiverse.verse(every, cells, [Piece("set", (level,), found) for level in ("a", "b")])
    stream = derive_seed(7, "cluster", "set", "all", 0)
    grid = {"low": 0.1, "high": 0.01 * 1000 ** (20 / 27), "n": 12}
    seen = set()
    for reading, means in zip(whole.readings, whole.means, strict=True):
        _, embedding, kernel, diagonal, width, _ = reading
        for matrix, mean in zip(matrices, means, strict=True):
            distance = matrix.matrix.copy()
            if diagonal == "zero":
                np.fill_diagonal(distance, 0.0)
            unit = np.median(distance[np.triu_indices(24, k=1)])
            near = every.widths[np.abs(np.log(every.widths)).argmin()] * unit
            how = {"embedding": "njw"} if embedding == "njw" else {"embedding": "skip_first", "starts": "random_rows"}
            labels = clustering.get("spectral")(
                distance, 3, stream, kernel=kernel, diagonal=diagonal, grid=grid,
                width="eigengap" if width == "narrow" else near, **how,
            )  # fmt: skip
            assert mean == clustering_error(np.arange(24) % 3, labels)
            seen.add(mean)
    assert len(seen) >= 3


def test_segments_are_scored_where_a_task_has_some():
    sequences, _ = some_matrices()
    classes = np.repeat([0, 1], 12)
    random = np.random.default_rng(0)
    x = 6.0 * classes + random.normal(size=24)
    task = Task("all", np.arange(24), 2, n_segments=2)
    sequences = SequenceSet.from_arrays([np.zeros((2, 1))] * 24, labels=classes, groups=classes, name="set")
    found = pass_over([Distance("yy", "hmm2", 0, task, np.abs(x[:, None] - x), {})], sequences, axes(), seed=1)
    values = found.values[..., 1]
    assert np.nanmin(values) == 0.0
    assert np.isnan(found.values[..., 0]).sum() == np.isnan(values).sum()


def test_sets_without_classes_or_measures_are_refused():
    sequences, matrices = some_matrices()
    with pytest.raises(DataError, match="no classes"):
        pass_over(matrices, SequenceSet.from_arrays([np.zeros((2, 1))] * 24), axes(), 0)
    with pytest.raises(DataError, match="no measure"):
        pass_over([], sequences, axes(), 0)


def small(means, printed, tables, deviations=None, trials=10, std=0.0, n=10.0):
    """A multiverse of two axes of two levels, with these means (4, C)."""
    levels = {"x": {}, "y": {}}
    two = axes_module.Axes(
        tuple(axes_module.Axis(name, name, "measure", levels, "x", ("none",)) for name in ("p", "q")), np.ones(1)
    )
    count = len(printed)
    cells = pd.DataFrame({"table": tables, "dataset": "d", "model": "m", "measure": [f"m{i}" for i in range(count)]})
    cells = cells.assign(metric="error", x="", printed=printed, printed_std=std, n_printed=n)
    means = np.asarray(means, dtype=float)
    spread = np.zeros(means.shape) if deviations is None else np.asarray(deviations, dtype=float)
    return Verse(two, two.readings(), cells, means, spread, np.full(means.shape, float(trials)))


def test_a_cell_agrees_within_two_points_or_two_standard_errors():
    """sqrt(9^2/10 + 3^2/4) = 3.217; a deviation of few printed runs counts as of ten, and none as zero."""
    found = small([[12.0, 16.4, 16.5], [12.1, 10.0, 10.0], [8.0, 8.0, 8.0], [np.nan] * 3], [10.0, 10.0, 10.0], ["a"] * 3,
                  deviations=np.full((4, 3), 3.0), trials=4, std=[np.nan, 9.0, 9.0], n=[np.nan, 3.0, 10.0])  # fmt: skip
    np.testing.assert_allclose(found.allowed[0], [3.0, 2 * np.sqrt(8.1 + 2.25), 2 * np.sqrt(8.1 + 2.25)])
    np.testing.assert_array_equal(found.agree[0], [True, True, False])
    np.testing.assert_array_equal(found.strict[0], [True, False, False])
    np.testing.assert_array_equal(found.strict[1], [False, True, True])
    assert not found.agree[3].any()
    table = multiverse.table_of_readings(found)
    assert table["judged"].tolist() == [3, 3, 3, 0]
    assert table["strict"].sum() == 1 + 2 + 3


def test_the_reading_of_a_table_is_chosen_on_the_others():
    """Reading x, x reaches both cells of table a and none of the others; y, y the reverse."""
    means = [[0, 0, 50, 50, 50], [0, 50, 0, 50, 50], [50, 50, 50, 50, 0], [50, 50, 0, 0, 0]]
    found = small(means, [0.0] * 5, ["a", "a", "b", "b", "b"])
    held = multiverse.held_out(found).set_index("table")
    assert (held.loc["a", "agree"], held.loc["a", "best"], held.loc["a", "judged"]) == (0, 2, 2)
    assert (held.loc["b", "agree"], held.loc["b", "best"], held.loc["b", "median"]) == (0, 3, 1.0)
    assert (held.loc["a", "p"], held.loc["b", "p"]) == ("y", "x")
    assert multiverse.best(found) == 3


def test_effects_change_one_axis_of_the_best_reading():
    means = [[0, 0, 0, 50], [0, 0, 50, 50], [0, 50, 50, 50], [50, 50, 50, 50]]
    found = small(means, [0.0] * 4, ["a", "a", "b", "b"])
    effects = multiverse.effects(found).set_index(["axis", "level"])
    assert effects["changed"].to_dict() == {("p", "x"): 3, ("p", "y"): 1, ("q", "x"): 3, ("q", "y"): 2}
    assert effects["best"].to_dict() == {("p", "x"): 3, ("p", "y"): 1, ("q", "x"): 3, ("q", "y"): 2}
    assert effects.loc[("p", "x"), "median"] == 2.5
    assert effects["printed"].tolist() == [True, False, True, False]


def test_cells_say_which_single_change_reaches_print():
    means = [[0, 0, 30], [0, 30, 30], [0, 30, 0], [30, 30, 30]]
    found = small(means, [0.0, 0.0, 0.0], ["a", "a", "b"])
    cells = multiverse.table_of_cells(found, {"mine": ("y", "y")})
    assert multiverse.best(found) == 0
    assert cells["changes"].tolist() == ["", "", "p=y (0.0)"]
    assert cells["readings_agree"].tolist() == [3, 1, 1]
    assert cells["mine"].tolist() == [30, 30, 30]
    assert cells["best_agrees"].tolist() == [True, True, False]


def test_printed_numbers_are_those_that_are_computed_and_corrected(recorded: Recorded):
    printed = pd.DataFrame(
        [
            {"item": "t1", "dataset": "d", "model": m, "measure": s, "metric": metric, "value": v, "std": "1.5",
             "n_runs": "", "errata": e, "x": ""}
            for m, s, metric, v, e in (
                ("hmm2", "sym", "error", "12.5", ""), ("hmm2", "yy", "error", "99", "slip"),
                ("hmm2", "bp", "error", "99", "slip"), ("hmm9", "sym", "error", "1", ""), ("hmm2", "sym", "accuracy", "1", ""),
            )
        ]
    )  # fmt: skip
    tables = [
        {"name": "1", "file": "t", "items": ["t1"], "printed_as": {"mine": "d"},
         "parts": [{"datasets": ["mine"], "models": ["hmm2"], "measures": ["sym", "yy", "bp"]}]}
    ]  # fmt: skip
    cells = multiverse.printed_cells({"t": printed}, tables, [{"erratum": "slip", "measures": ["yy"], "value": 9.9}])
    assert cells["measure"].tolist() == ["sym", "yy", "bp"]
    assert cells["printed"].tolist() == [12.5, 9.9, 99.0]
    assert cells["dataset"].tolist() == ["mine"] * 3
    assert np.isnan(cells["n_printed"]).all()
    with recorded.raises(DataError):
        multiverse.printed_cells({"t": printed}, [{**tables[0], "items": ["t9"]}], [])


DATA = [
    {
        "name": "spread",
        "enters": "data",
        "levels": {"a": {}, "b": {"datasets": {"set": "wide", "strange": "wide_strange"}}},
    },
    {"name": "place", "enters": "data", "levels": {"in": {}, "out": {"datasets": {"wide_strange": "wide_added"}}}},
    {
        "name": "spheres",
        "enters": "measure",
        "measures": ["sphere_packing"],
        "levels": {"soft": {}, "hard": {"params": {"C": None}}},
    },
]


def test_axes_of_data_change_what_those_before_them_left():
    every = axes([*AXES, *DATA])
    plain = tuple(next(iter(axis.levels)) for axis in every.axes)
    assert every.dataset_under("strange", plain) == "strange"
    assert every.dataset_under("strange", (*plain[:-3], "b", "out", "soft")) == "wide_added"
    assert every.dataset_under("set", (*plain[:-3], "b", "out", "soft")) == "wide"
    assert every.dataset_under("other", (*plain[:-3], "b", "out", "soft")) == "other"
    assert every.datasets_for("strange") == ["strange", "wide_strange", "wide_added"]
    assert every.datasets_for("other") == ["other"]


def test_clusterers_of_items_have_one_value_under_every_graph_and_are_looked_up_on_the_data_of_the_reading():
    """Two sets of data: of the printed one the soft spheres are right, of the other one the hard ones."""
    every = axes([*AXES, *DATA])
    classes = np.arange(8) % 2
    sequences = SequenceSet.from_arrays([np.zeros((2, 1))] * 8, labels=classes, name="set")
    # A task of each trial, in another order.
    tasks = [Task("all", np.roll(np.arange(8), trial), 2, trial=trial) for trial in (0, 1)]

    def partition(name, trial, right):
        labels = classes[tasks[trial].indices] if right else np.repeat([0, 1], 4)
        return Partition("none", "none", trial, "all", f"sphere_packing@{name}", labels, {}, False)

    pieces = []
    for dataset, good in (("set", "soft"), ("wide", "hard")):
        parts = [partition(name, trial, name == good) for name in ("soft", "hard") for trial in (0, 1)]
        passed = pass_over([], sequences, every, 1, tasks, parts)
        assert passed.values.shape == (4, 4, 28, 2, 2)
        assert not np.isnan(passed.values[..., 0]).any()
        pieces += [Piece(dataset, (training,), passed) for training in ("a", "b")]
    printed = pd.DataFrame(
        [
            {"item": "t", "dataset": "set", "model": "none", "measure": "none", "clusterer": each, "metric": "error",
             "value": "0", "std": "", "n_runs": "", "x": "", "errata": ""}
            for each in ("sphere_packing", "knn_itc")
        ]
    )  # fmt: skip
    table = {
        "name": "4.1",
        "file": "f",
        "items": ["t"],
        "parts": [{"datasets": ["set"], "models": [], "measures": [], "clusterers": ["sphere_packing"]}],
    }
    cells = multiverse.printed_cells({"f": printed}, [table], [])
    assert cells["measure"].tolist() == ["sphere_packing"]
    found = multiverse.verse(every, cells, pieces)
    for reading, mean, trials in zip(found.readings, found.means[:, 0], found.trials[:, 0], strict=True):
        assert mean == (0.0 if (reading[-3], reading[-1]) in {("a", "soft"), ("b", "hard")} else 50.0)
        assert trials == 2
