"""A multiverse as it is planned: jobs, what they depend on, and what is made where nothing else is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from kinseq.core.errors import ConfigError
from kinseq_documents import plan
from kinseq_documents.catalogue import at_scale
from kinseq_documents.kinds.multiverse import Multiverse
from tests.sentences import Recorded

CONFIG = Path(__file__).resolve().parents[3] / "config"


def shipped(name: str) -> dict[str, Any]:
    return dict(yaml.safe_load((CONFIG / "experiments" / f"{name}.yaml").read_text(encoding="utf-8")))


def catalogue(*experiments: dict[str, Any], scale: str = "quick", **settings: Any) -> plan.Catalogue:
    files = {
        name: yaml.safe_load((CONFIG / f"{name}.yaml").read_text(encoding="utf-8"))
        for name in ("datasets", "models", "variants")
    }
    named = {experiment["id"]: experiment for experiment in experiments}
    datasets = at_scale(files["datasets"], scale)
    return plan.catalogue(datasets, files["models"], files["variants"], named, scale=scale, **settings)


def small(**changes: Any) -> Multiverse:
    entry = {**shipped("multiverse_small"), **changes}
    found = plan.planned(catalogue(entry), "multiverse_small")
    assert isinstance(found, Multiverse)
    return found


def with_level(axis: str, level: str, **change: Any) -> list[dict[str, Any]]:
    """The shipped axes with one level changed."""
    every: list[dict[str, Any]] = shipped("multiverse_small")["axes"]
    for entry in every:
        if entry["name"] == axis:
            entry["levels"][level] = {**entry["levels"][level], **change}
    return every


DATASET = "control_chart_process_10"


def test_a_job_is_a_data_set_a_training_and_some_trials() -> None:
    one = small(trials={"quick": 2, "thesis": 3})
    files = [job.file("multiverse") for job in one.jobs()]
    assert files == [
        f"multiverse/multiverse_small/{DATASET}/{training}/t{trial:03d}-{trial:03d}.npz"
        for training in ("toolbox", "classic", "default")
        for trial in (0, 1)
    ]
    assert one.inputs()["passes"] == [file.replace("multiverse", "passes", 1) for file in files]
    assert set(one.products()) >= {
        "figures/multiverse_small.svg",
        "figures/multiverse_small_cells.svg",
        "tables/multiverse_small.md",
        "multiverse/multiverse_small/held_out.csv",
    }


def test_data_that_cannot_be_had_get_no_job() -> None:
    cat = plan.with_availability(catalogue(shipped("multiverse")), {"character_pairs_20": "not there"})
    one = plan.planned(cat, "multiverse")
    assert isinstance(one, Multiverse)
    assert {job.dataset for job in one.jobs()} == set(one.datasets()) - {"character_pairs_20"}
    assert one.missing() == {"character_pairs_20": "not there"}


def test_a_job_of_matrices_is_told_its_own_levels_and_all_of_its_measures() -> None:
    specs = small().specs(DATASET, ("toolbox",))
    assert specs["models"]["hmm2"]["preset"] == "toolbox"
    assert specs["models"]["hmm2"]["n_states"] == 2
    measures = specs["measures"]
    assert measures["sym"] == {"measure": "sym", "params": {"diagonal": "own"}, "models": ["hmm2", "hmm3"]}
    assert measures["ssd@eps"] == {"measure": "ssd", "params": {"rows": "eps"}, "models": ["global12"]}
    assert {name for name in measures if name.startswith("ppk")} == {"ppk@two_learnt", "ppk@learnt", "ppk@stationary"}


@pytest.mark.parametrize(
    "axis, level, change, reruns",
    [
        ("training", "classic", {"params": {"preset": "classic", "n_init": 2}}, {"classic"}),
        ("ppk", "learnt", {"params": {"start": "learnt", "rho": 0.5}}, {"toolbox", "classic", "default"}),
        ("diagonal", "own", {"params": {"diagonal": "one"}}, {"passes"}),
        ("embedding", "njw", {"params": {"embedding": "njw", "starts": "random_rows"}}, {"passes"}),
        ("width", "narrow", {"params": {"low": 0.2, "high": 2}}, {"passes"}),
        ("width", "narrow", {"label": "another name"}, set()),
        ("training", "classic", {"label": "another name"}, set()),
    ],
)
def test_a_changed_level_reruns_exactly_what_depends_on_it(
    axis: str, level: str, change: dict[str, Any], reruns: set[str]
) -> None:
    """Settings of a rule are what Snakemake compares: models and measures of the first stage, axes of the second."""
    before, after = small(), small(axes=with_level(axis, level, **change))
    changed = {
        training
        for training in ("toolbox", "classic", "default")
        if before.specs(DATASET, (training,)) != after.specs(DATASET, (training,))
    }
    changed |= {"passes"} if before.pass_axes() != after.pass_axes() else set()
    assert changed == reruns


def test_what_is_apart_is_made_only_where_it_is_named() -> None:
    cat = catalogue(shipped("multiverse"), shipped("multiverse_small"))
    assert plan.experiment_ids(cat, "all") == ["multiverse_small"]
    assert plan.experiment_ids(cat, ["multiverse"]) == ["multiverse"]
    assert plan.chapters(cat) == {"chapter3": ["multiverse_small"]}
    tab3_1 = shipped("tab3_1")
    assert plan.documents({**cat.experiments, "tab3_1": tab3_1})["T"] == ["multiverse_small", "tab3_1"]
    assert plan.experiments_of_rule(cat, "all_readings") == ["multiverse", "multiverse_small"]


@pytest.mark.parametrize(
    "change",
    [
        {"measures": ["symm"]},
        {"models": ["hmm22"]},
        {"datasets": ["charts"]},
        {"models": ["hmm2"], "measures": ["ssd"]},
    ],
)
def test_unknown_names_are_refused(change: dict[str, Any], recorded: Recorded) -> None:
    table = shipped("multiverse_small")["tables"][0]
    with recorded.raises(ConfigError):
        small(tables=[{**table, "printed_as": {}, "parts": [{**table["parts"][0], **change}]}])


def test_a_level_that_stands_for_an_unknown_measure_is_refused() -> None:
    with pytest.raises(ConfigError, match="measure 'ssdd'"):
        small(axes=with_level("rows", "eps", measure="ssdd"))


def test_marked_readings_name_a_level_of_each_axis(recorded: Recorded) -> None:
    readings = shipped("multiverse_small")["readings"]
    with recorded.raises(ConfigError):
        small(readings={**readings, "mine": {}})


@pytest.mark.parametrize(
    "name, marked",
    [
        *((name, "authors") for name in ("multiverse", "multiverse_signs", "multiverse_segments", "multiverse_small")),
        *((name, "print") for name in ("multiverse_sets", "multiverse_risks")),
    ],
)
def test_shipped_multiverses_are_complete(name: str, marked: str) -> None:
    one = plan.planned(catalogue(shipped(name), scale="thesis"), name)
    assert isinstance(one, Multiverse)
    assert {"print", marked} <= set(one.experiment.readings)
    assert one.is_on_request == (name != "multiverse_small")


def test_an_axis_enters_the_models(recorded: Recorded) -> None:
    axes = [axis for axis in shipped("multiverse_small")["axes"] if axis["enters"] != "models"]
    readings = {
        name: {key: level for key, level in reading.items() if key != "training"}
        for name, reading in shipped("multiverse_small")["readings"].items()
    }
    with recorded.raises(ConfigError):
        small(axes=axes, readings=readings).check()


def test_data_that_stand_for_others_get_jobs_of_all_trials_of_their_table_and_its_clusterers() -> None:
    one = plan.planned(catalogue(shipped("multiverse_sets"), scale="thesis", batch={"trials": 4}), "multiverse_sets")
    assert isinstance(one, Multiverse)
    jobs = [job for job in one.jobs() if job.dataset == "gauss_sets_deviation_outliers_added"]
    assert [job.trials for job in jobs if job.levels == ("full",)] == [(0, 1, 2, 3), (4, 5, 6, 7), (8, 9)]
    assert [job.trials for job in one.jobs() if (job.dataset, job.levels) == ("japanese_vowels", ("full",))] == [
        (0,), (1,), (2,),
    ]  # fmt: skip
    assert one.of_items("gauss_sets_deviation")["sphere_packing@nu"] == {
        "clusterer": "sphere_packing", "params": {"C": None, "nu": 0.05},
    }  # fmt: skip
    measures = one.specs("gauss_sets_deviation", ("full",))["measures"]
    assert measures["kl_ll@third"] == {
        "measure": "kl_ll_ms",
        "params": {"min_pool": "N/3"},
        "models": ["gauss", "gmm2"],
    }
    assert measures["mmd@half"]["models"] == ["none"]
    assert one.clusterer_modules() == ["kinseq.clustering.packing"]


def test_data_that_are_not_known_cannot_stand_for_others() -> None:
    entry = shipped("multiverse_sets")
    entry["axes"][0]["levels"]["deviation"]["datasets"] = {"gauss_sets": "gauss_set"}
    with pytest.raises(ConfigError, match="gauss_set"):
        plan.planned(catalogue(entry), "multiverse_sets")
