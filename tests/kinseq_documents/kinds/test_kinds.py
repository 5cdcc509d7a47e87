"""Estimation and drawing: what they compute, and how they are planned."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from kinseq.core.errors import ConfigError, DataError, ParameterError
from kinseq.core.seeds import stream
from kinseq_documents import jobs as job_module
from kinseq_documents import plan
from kinseq_documents.catalogue import Catalogue
from kinseq_documents.drawings.registry import Drawing
from kinseq_documents.kinds import KINDS, drawing
from kinseq_documents.kinds.base import Experiment, Kind
from kinseq_documents.kinds.estimation import Estimation
from kinseq_documents.problems import registry
from kinseq_documents.problems.registry import Estimator, Problem
from kinseq_documents.stages import estimates, timings
from tests.sentences import Recorded

NORMAL = Problem(
    name="normal",
    label="N(m, 4)",
    source="none",
    draw=lambda n, seed, mean: stream(seed, "normal").normal(mean, 2.0, size=n),
    truth=lambda mean: {"mean": mean, "variance": 4.0},
    quantities=("mean", "variance"),
    params={"mean": 1.0},
)
MEAN = Estimator(name="mean", label="mean", source="none", function=lambda data, seed: data.mean(), estimates="mean")
PLUG_IN = Estimator(
    name="plug_in",
    label="variance",
    source="none",
    function=lambda data, seed, ddof: data.var(ddof=ddof),
    estimates="variance",
    params={"ddof": 0},
)


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The problem and estimators above in place of those of the folder."""
    monkeypatch.setattr(registry, "problem", {"normal": NORMAL}.__getitem__)
    monkeypatch.setattr(registry, "estimator", {"mean": MEAN, "plug_in": PLUG_IN}.__getitem__)


def run(trials: list[int], **changes: Any) -> pd.DataFrame:
    given: dict[str, Any] = {
        "problem": ("shifted", {"problem": "normal", "params": {"mean": 3.0}}),
        "estimators": {"mean": {"estimator": "mean"}, "biased": {"estimator": "plug_in"}},
        "sizes": {"mean": [5, 20], "biased": [5]},
    }
    return estimates.estimates(**{**given, **changes}, trials=trials, seed=1)


def test_estimates_stand_beside_the_truth(registered: None) -> None:
    table = run([0, 1, 2])
    assert list(table.columns) == estimates.COLUMNS
    found = {(row.estimator, row.n, row.trial) for row in table.itertuples()}
    assert found == {(name, n, t) for name, n in (("mean", 5), ("mean", 20), ("biased", 5)) for t in range(3)}
    np.testing.assert_array_equal(table["error"], table["estimate"] - table["truth"])
    assert set(table.loc[table["estimator"] == "mean", "truth"]) == {3.0}
    assert set(table.loc[table["estimator"] == "biased", "truth"]) == {4.0}


def test_the_bias_of_the_plug_in_variance_is_the_one_of_the_textbook(registered: None) -> None:
    table = run(list(range(4000)), estimators={"biased": {"estimator": "plug_in"}}, sizes={"biased": [5]})
    # -sigma^2 / n = -0.8; the standard error of the mean of 4000 runs is 0.036.
    assert abs(table["error"].mean() + 0.8) < 4 * 0.036
    free = run(
        list(range(4000)), estimators={"free": {"estimator": "plug_in", "params": {"ddof": 1}}}, sizes={"free": [5]}
    )
    assert abs(free["error"].mean()) < 4 * 0.045
    # Both saw the same data.
    np.testing.assert_allclose(free["estimate"], table["estimate"] * 5 / 4)


def test_estimates_do_not_depend_on_how_the_work_is_cut(registered: None) -> None:
    whole = estimates.combine([run([0, 1, 2])])
    parts = [
        run([2, 1], estimators={"biased": {"estimator": "plug_in"}}),
        run([0], sizes={"mean": [20, 5], "biased": [5]}),
        run([1, 2], estimators={"mean": {"estimator": "mean"}}),
    ]
    pd.testing.assert_frame_equal(estimates.combine(parts), whole)


def test_estimates_become_scores_of_one_row_a_metric(registered: None) -> None:
    table = run([0, 1])
    rows = pd.DataFrame(estimates.scores(table, ["bias", "relative_error"]))
    assert len(rows) == 2 * len(table)
    bias = rows[rows["metric"] == "bias"].reset_index(drop=True)
    np.testing.assert_allclose(bias["value"], table["error"])
    assert (bias["dataset"] == "shifted").all()
    assert bias["measure"].tolist() == table["estimator"].tolist()
    assert bias["x"].tolist() == table["n"].tolist()
    assert set(bias["model"]) == set(bias["clusterer"]) == {"none"}


def test_a_truth_is_one_finite_number_a_quantity(recorded: Recorded) -> None:
    def wrong(truth: Any) -> Problem:
        return Problem(name="odd", label="", source="", draw=NORMAL.draw, truth=lambda: truth, quantities=("mean",))

    assert wrong({"mean": np.float64(2.0)}).true_value("mean") == 2.0
    for truth in (
        {"mean": np.zeros((2, 2))},
        {"mean": [1.0]},
        {"mean": float("nan")},
        {"means": 1.0},
        3.0,
    ):
        with recorded.raises(DataError):
            wrong(truth).true_value("mean")
    with recorded.raises(ParameterError):
        NORMAL.true_value("median")


def test_slopes_are_those_of_the_upper_decade() -> None:
    n = np.array([1, 100, 200, 500, 1000])
    table = pd.DataFrame({"n": n, "cpu_seconds": np.where(n < 100, 77.0, 3e-6 * n**1.5)})
    assert estimates.slope(table) == pytest.approx(1.5)
    assert np.isnan(estimates.slope(table[:1]))


def test_times_are_measured_at_every_size_of_every_method() -> None:
    table = estimates.times(
        ("mix", {"problem": "hmm_mixture", "params": {"mean_length": 20}}),
        {"short": {"estimator": "cost_ssd"}, "pairs": {"estimator": "cost_likelihoods"}},
        {"short": [20, 40], "pairs": [20]},
        seed=1,
    )
    assert list(zip(table["method"], table["n"], strict=True)) == [("pairs", 20), ("short", 20), ("short", 40)]
    assert (table["cpu_seconds"] >= 0).all()
    assert np.isnan(table["slope"][0])
    assert np.isfinite(table["slope"][1])


def test_no_two_runs_that_are_timed_see_the_same_data(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[bytes] = []

    def remembering(data: np.ndarray, seed: int) -> float:
        seen.append(data.tobytes())
        return 0.0

    made = Estimator(name="made", label="", source="", function=remembering, estimates="mean")
    monkeypatch.setattr(estimates.registry, "problem", lambda name: NORMAL)
    monkeypatch.setattr(estimates.registry, "estimator", lambda name: made)
    monkeypatch.setattr(estimates, "REPEATED_UP_TO", 30)
    given = {key: {"estimator": "made"} for key in ("one", "two")}
    estimates.times(("normal", {"problem": "normal"}), given, {"one": [20, 50], "two": [30, 50]}, seed=1)
    # A warm-up, three runs of the smaller size and one of the larger, for each.
    assert len(seen) == 2 * (1 + 3 + 1)
    assert len(set(seen)) == len(seen)


def catalogue(*experiments: dict[str, Any], **settings: Any) -> Any:
    datasets = {name: {"title": name, "loader": "mohmm"} for name in ("one", "two")}
    models = {"hmm2": {"kind": "hmm", "n_states": 2}}
    return plan.catalogue(datasets, models, {}, {entry["id"]: entry for entry in experiments}, **settings)


TIMED: dict[str, Any] = {
    "kind": "estimation",
    "id": "cost",
    "title": "Cost",
    "chapter": "chapter0",
    "records": "seconds",
    "trials": {"quick": 1, "thesis": 1},
    "parts": [{"problems": ["hmm_mixture"], "estimators": ["cost_ssd"], "sizes": {"quick": [10], "thesis": [20]}}],
    "render": {"kind": "costs"},
}
SHOWN: dict[str, Any] = {
    "kind": "drawing",
    "id": "shown",
    "title": "Shown",
    "chapter": "chapter0",
    "drawing": "eigenvectors",
    "datasets": ["one", "two"],
    "model": "hmm2",
    "measure": "kl_ll",
    "params": {"task": "all"},
}


def test_seconds_leave_timings_and_no_scores() -> None:
    cat = catalogue(TIMED)
    assert not plan.planned(cat, "cost").is_scored
    assert plan.planned(cat, "cost").products() == [
        "timings/cost.csv",
        *(f"figures/cost.{end}" for end in ("svg", "png", "pdf")),
    ]
    assert Estimation(cat, TIMED).arguments("hmm_mixture")["sizes"] == {"cost_ssd": [10]}
    assert Estimation(catalogue(TIMED, scale="thesis"), TIMED).arguments("hmm_mixture")["sizes"] == {"cost_ssd": [20]}


def test_problems_of_a_part_share_jobs_and_no_estimate_is_missing_or_made_twice() -> None:
    parts = [
        {"problems": ["a", "b", "c"], "estimators": ["e"], "trials": {"quick": 3, "thesis": 9}},
        {"problems": ["c", "d"], "estimators": ["f", "g"], "trials": {"quick": 1, "thesis": 9}},
        {"problems": ["d"], "estimators": ["h"], "trials": {"quick": 0, "thesis": 9}},
    ]
    entry = {"id": "x", "trials": {"quick": 3, "thesis": 9}, "parts": parts}
    made = {
        size: Estimation(Catalogue({}, {}, {}, {}, {}, {}, {}, batch={"trials": 2} | size_of), entry).jobs()
        for size, size_of in ((1, {}), (2, {"problems": 2}), (8, {"problems": 8}))
    }
    assert [job.file for job in made[2]][:2] == ["estimates/x/a+b/e/t000-001.csv", "estimates/x/a+b/e/t002-002.csv"]
    assert [len(jobs) for jobs in made.values()] == [8, 5, 3]
    for jobs in made.values():
        cells = [
            (problem, estimator, trial)
            for job in jobs
            for problem in job.problems
            for estimator in job.estimators
            for trial in job.trials
        ]
        assert sorted(cells) == sorted(
            [(problem, "e", trial) for problem in "abc" for trial in range(3)]
            + [(problem, estimator, 0) for problem in "cd" for estimator in "fg"]
        )


def test_a_drawing_shows_the_first_data_that_can_be_had() -> None:
    cat = catalogue(SHOWN)
    expected = {
        "distances": "distances/one/hmm2/kl_ll/t000-000.npz",
        "sequences": "sequences/one/t000-000.npz",
    }
    assert drawing.Drawing(cat, SHOWN).inputs() == expected
    cat = catalogue(SHOWN, missing={"one": "lost"})
    assert drawing.Drawing(cat, SHOWN).inputs()["sequences"] == "sequences/two/t000-000.npz"
    assert plan.planned(cat, "shown").nothing_to_draw() == {}
    cat = catalogue(SHOWN, missing={"one": "lost", "two": "gone"})
    assert drawing.Drawing(cat, SHOWN).inputs() == {}
    assert plan.planned(cat, "shown").nothing_to_draw() == {"one": "lost", "two": "gone"}
    assert [name for name in plan.planned(cat, "shown").products() if name.endswith(".npz")] == ["figures/shown.npz"]


def test_drawings_from_the_same_files_are_made_together() -> None:
    def entry(name: str, drawing: str, chapter: str = "chapter0") -> dict[str, Any]:
        return {"kind": "drawing", "id": name, "title": name, "chapter": chapter, "drawing": drawing}

    # One module registers the first and the third drawing, another one the second; a page stands by itself.
    entries = (
        SHOWN,
        SHOWN | {"id": "again", "params": {"task": "one"}},
        SHOWN | {"id": "other", "datasets": ["two"]},
        entry("a", "parzen_widths"),
        entry("b", "borders_knn"),
        entry("c", "parzen_widths"),
        entry("d", "parzen_widths", "other"),
        entry("e", "song_samples"),
        # So does a table, alone or beside a figure.
        entry("f", "symbols"),
        entry("g", "symbols"),
        TIMED,
    )
    expected = {
        "drawings_shown_and_1_more": ["shown", "again"],
        "drawings_a_and_1_more": ["a", "c"],
    }
    assert plan.batched_experiments(catalogue(*entries)) == expected
    # With the first data missing all three show the second, but the third names no other.
    assert plan.batched_experiments(catalogue(*entries, missing={"one": "lost"})) == expected


def test_a_drawing_leaves_each_of_its_forms() -> None:
    def left(name: str) -> tuple[tuple[str, ...], list[str]]:
        one = drawing.Drawing(Catalogue({}, {}, {}, {}, {}, {}, {}), {"id": "it", "drawing": name})
        return one.forms, one.products()

    figure, table = (
        [f"figures/it.{end}" for end in ("svg", "png", "pdf")],
        [f"tables/it{end}" for end in (".md", ".tex", "_full.tex", ".csv", ".html")],
    )
    assert left("parzen_widths") == (("figure",), [*figure, "figures/it.npz"])
    assert left("song_samples") == (("figure", "page"), [*figure, "figures/it.html", "figures/it.npz"])
    assert left("sic_estimates") == (("figure", "table"), [*figure, *table, "figures/it.npz"])
    assert left("symbols") == (("table",), [*table, "figures/it.npz"])


def test_arrays_of_a_drawing_are_finite(recorded: Recorded) -> None:
    def made(**arrays: Any) -> Drawing:
        return Drawing(name="odd", label="", source="", compute=lambda seed: arrays, draw=lambda arrays: None)  # type: ignore[arg-type, return-value]

    assert made(x=[1, 2]).arrays(1, {})["x"].tolist() == [1, 2]
    with recorded.raises(DataError):
        made(x=[1.0, np.inf]).arrays(1, {})
    with recorded.raises(DataError):
        made().arrays(1, {})


class Listing(Kind[Experiment]):
    """A kind that nothing knows: a text of the names of its data sets."""

    name = "listing"
    rule = "listings"

    @staticmethod
    def read(parsed: Mapping[str, Any]) -> Experiment:
        return Experiment(**Experiment.common(parsed))

    def check(self) -> None:
        if not self.datasets():
            raise ConfigError(f"{self.where}: lists nothing; name data sets")

    def datasets(self) -> list[str]:
        return list(self.parsed["datasets"])

    def labels(self) -> dict[str, str]:
        return {name: self.cat.datasets[name]["title"] for name in self.datasets()}

    def products(self) -> list[str]:
        return [f"listings/{self.experiment.id}.txt"]


def test_plan_asks_a_kind_that_it_does_not_know(monkeypatch: pytest.MonkeyPatch, recorded: Recorded) -> None:
    monkeypatch.setitem(KINDS, "listing", Listing)  # type: ignore[arg-type]
    listing = {"kind": "listing", "id": "x", "title": "X", "chapter": "chapter9", "datasets": ["two", "one"]}
    listing["sources"] = [{"document": "T", "item": "tab9_1"}]
    cat = catalogue(TIMED, listing, missing={"one": "lost", "two": "gone"})
    assert plan.experiments_of_rule(cat, "listings") == ["x"]
    assert plan.experiments_of_rule(cat, "times") == ["cost"]
    assert plan.planned(cat, "x").products() == ["listings/x.txt"]
    assert plan.labels(cat, ["x"]) == {"two": "two", "one": "one"}
    assert (
        plan.planned(cat, "x").metrics(),
        plan.planned(cat, "x").job_files(),
        plan.planned(cat, "x").rendered_files(),
    ) == ([], [], {})
    assert plan.with_table(cat) == []
    assert plan.with_figure(cat) == ["cost"]
    assert plan.planned(cat, "x").nothing_to_draw() == {"two": "gone", "one": "lost"}
    assert plan.chapters(cat) == {"chapter0": ["cost"], "chapter9": ["x"]}
    assert plan.items(cat) == {"T_tab9_1": ["x"]}
    with recorded.raises(ConfigError):
        catalogue({**listing, "datasets": []})


def test_kinds_are_found_by_name(recorded: Recorded) -> None:
    assert plan.kind_name({}, "here") == "comparison"
    with recorded.raises(ConfigError):
        plan.kind_name({"kind": "estimations"}, "here")
    with pytest.raises(ConfigError, match="unknown kind"):
        plan.kind_name({"kind": ["estimation"]}, "here")


def test_usage_counts_the_process_and_its_children(tmp_path: Path) -> None:
    def cpu() -> float:
        header, values = job_module.used().splitlines()
        return float(dict(zip(header.split("\t"), values.split("\t"), strict=True))["cpu_seconds"])

    before = cpu()
    child = os.fork()
    if not child:
        np.linalg.svd(np.random.default_rng(0).normal(size=(600, 600)))
        os._exit(0)
    os.waitpid(child, 0)
    assert cpu() > before
    (tmp_path / "b.tsv").write_text(job_module.used())
    (tmp_path / "a.tsv").write_text("seconds\tcpu_seconds\tpeak_memory_mb\n2.00\t1.50\t80.0\n")
    lines = timings.collect([tmp_path / "b.tsv", tmp_path / "a.tsv"]).splitlines()
    assert lines[0] == "job,seconds,cpu_seconds,peak_memory_mb"
    assert lines[1] == f"{(tmp_path / 'a').as_posix()},2.00,1.50,80.0"
    assert len(lines) == 3
