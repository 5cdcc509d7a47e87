"""Differences between the scales, and how the work of a comparison is cut into jobs."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from kinseq.clustering.registry import Clusterer
from kinseq.core.errors import ConfigError
from kinseq.core.registries import Registered
from kinseq_documents import plan
from kinseq_documents.catalogue import at_scale
from kinseq_documents.kinds import matrices
from kinseq_documents.kinds.comparison import Comparison
from kinseq_documents.stages import distances as distance_stage
from kinseq_documents.stages import partitions as stage
from kinseq_documents.stages.distances import Distance
from kinseq_documents.tasks import Task
from tests.sentences import Recorded

DATASETS = {
    "many": {
        "title": "Many",
        "loader": "mohmm",
        "params": {"n_sequences": [80]},
        "quick": {"title": "Few", "params": {}},
    },
    "same": {"title": "Same", "loader": "mohmm"},
}
MODELS = {
    "hmm2": {"kind": "hmm", "n_states": 2},
    "hmm3": {"kind": "hmm", "n_states": 3},
    "common4": {"kind": "hmm", "common": True, "n_states": 4},
}
BATCH = {"trials": 10, "models": 4, "measures": 8}


def experiment(trials):
    parts = [
        {"datasets": ["many"], "models": ["hmm2"], "measures": ["yy"], "clusterers": ["spectral"]},
        {"datasets": ["same"], "models": ["hmm2"], "measures": ["yy"], "clusterers": ["spectral"], "trials": trials},
    ]
    return {
        "id": "e",
        "metric": "error",
        "trials": {"quick": 2, "thesis": 4},
        "parts": parts,
        "render": {"kind": "table"},
    }


def jobs(entry, datasets=DATASETS, variants=None, **settings):
    cat = plan.catalogue(datasets, MODELS, variants or {}, {"e": entry}, **{"batch": BATCH, **settings})
    return Comparison(cat, entry).jobs()


def test_entries_have_their_quick_form_at_the_quick_scale_only():
    assert at_scale(DATASETS, "quick")["many"] == {"title": "Few", "loader": "mohmm", "params": {}}
    assert at_scale(DATASETS, "thesis")["many"] == {
        "title": "Many",
        "loader": "mohmm",
        "params": {"n_sequences": [80]},
    }
    assert at_scale(DATASETS, "quick")["same"] == DATASETS["same"]


def test_a_part_without_trials_at_a_scale_makes_no_jobs_there(recorded: Recorded):
    entry = experiment({"quick": 0, "thesis": 3})
    assert [(job.dataset, job.trials) for job in jobs(entry, scale="quick")] == [("many", (0, 1))]
    thesis = [(job.dataset, job.trials) for job in jobs(entry, scale="thesis")]
    assert thesis == [("many", (0, 1, 2, 3)), ("same", (0, 1, 2))]
    with recorded.raises(ConfigError):
        jobs(entry, scale="fast")


def test_a_stand_in_is_run_only_where_the_data_are_missing():
    datasets = {**DATASETS, "made": {"title": "Made", "loader": "mohmm", "stand_in_for": "same"}}
    entry = experiment({"quick": 1, "thesis": 1})
    entry["parts"].append({**entry["parts"][0], "datasets": ["made"], "fallback": True})
    assert [job.dataset for job in jobs(entry, datasets)] == ["many", "same"]
    lost = [job.dataset for job in jobs(entry, datasets, missing={"same": "it is lost"})]
    assert lost == ["many", "made"]


def test_a_stand_in_for_a_stand_in_is_run_where_both_are_missing():
    made = {"title": "Made", "loader": "mohmm", "stand_in_for": "same"}
    datasets = {**DATASETS, "made": made, "drawn": {**made, "title": "Drawn", "stand_in_for": "made"}}
    entry = experiment({"quick": 1, "thesis": 1})
    entry["parts"].append({**entry["parts"][0], "datasets": ["made", "drawn"], "fallback": True})

    def run(missing):
        lost = dict.fromkeys(missing, "it is lost")
        cat = plan.catalogue(datasets, MODELS, {}, {"e": entry}, batch=BATCH, missing=lost)
        return [job.dataset for job in Comparison(cat, entry).jobs()], plan.planned(cat, "e").stand_ins()

    assert run([]) == (["many", "same"], [])
    assert run(["same"]) == (["many", "made"], ["Made"])
    assert run(["same", "made"]) == (["many", "drawn"], ["Drawn"])
    # The replaced set is available, so no stand-in is needed.
    assert run(["made"]) == (["many", "same"], [])


def test_a_strip_names_stand_ins_only_where_it_shows_them():
    datasets = {**DATASETS, "made": {"title": "Made", "loader": "mohmm", "stand_in_for": "same"}}
    entry = experiment({"quick": 1, "thesis": 1})
    entry["parts"].append({**entry["parts"][0], "datasets": ["made"], "fallback": True})
    for shown, named in (({}, ["Made"]), ({"dataset": "many"}, []), ({"dataset": "made"}, ["Made"])):
        drawn = {**entry, "render": {**entry.get("render", {}), "strip": {"panels": [], "measures": [], **shown}}}
        planned = plan.catalogue(datasets, MODELS, {}, {"e": entry}, batch=BATCH, missing={"same": "lost"})
        cat = replace(planned, experiments={"e": drawn})
        assert plan.planned(cat, "e").stand_ins() == named


def test_stand_ins_for_nothing_and_for_themselves_are_refused(recorded: Recorded):
    made = {"title": "Made", "loader": "mohmm", "stand_in_for": "sama"}
    entry = experiment({"quick": 1, "thesis": 1})
    with recorded.raises(ConfigError):
        jobs(entry, {**DATASETS, "made": made})
    circle = {"made": {**made, "stand_in_for": "drawn"}, "drawn": {**made, "stand_in_for": "made"}}
    with recorded.raises(ConfigError):
        jobs(entry, {**DATASETS, **circle})


def test_segmenters_can_be_named_where_clusterers_are(recorded: Recorded):
    entry = experiment({"quick": 1, "thesis": 1})
    entry["parts"][0]["clusterers"] = ["spectral_segmentation", "cut"]
    variants = {"clusterers": {"cut": {"clusterer": "spectral_segmentation", "params": {"embedding": "literal"}}}}
    cat = plan.catalogue(at_scale(DATASETS, "quick"), MODELS, variants, {"e": entry})
    assert cat.clusterers["cut"]["params"] == {"embedding": "literal"}
    entry["parts"][0]["clusterers"] = ["segmentation"]
    with recorded.raises(ConfigError):
        plan.catalogue(at_scale(DATASETS, "quick"), MODELS, variants, {"e": entry})


@pytest.mark.parametrize("models, measures, trials", [(1, 1, 1), (2, 3, 2), (9, 9, 9)])
def test_jobs_compute_every_combination_exactly_once(models, measures, trials):
    entry = experiment({"quick": 0, "thesis": 0})
    entry["trials"] = {"quick": 5, "thesis": 5}
    entry["parts"][0] |= {"models": list(MODELS), "measures": ["yy", "ssd", "dtw", "ppk"]}
    cat = plan.catalogue(
        DATASETS, MODELS, {}, {"e": entry}, batch={"models": models, "measures": measures, "trials": trials}
    )
    found = []
    for job in Comparison(cat, entry).jobs():
        assert len(job.models) <= models
        assert len(job.measures) <= measures
        assert len(job.trials) <= trials
        for measure, given in matrices.assigned(cat, job.measures, job.models).items():
            found += list(product([measure], given["models"], job.trials))
    expected = {(measure, model) for measure in ("yy", "ppk") for model in ("hmm2", "hmm3")}
    expected |= {("ssd", "common4"), ("dtw", "none")}
    assert sorted(found) == sorted((*pair, trial) for pair in expected for trial in range(5))


def test_a_job_reads_what_its_measures_need_and_nothing_else():
    cat = plan.catalogue(DATASETS, MODELS, {}, {})

    def read(*measures):
        return set(matrices.needed(cat, "same", ["hmm2"], measures, "t000-001"))

    assert read("dtw") == {"sequences"}
    assert read("yy", "dtw") == {"sequences", "loglik"}
    assert read("ppk") == {"sequences", "models"}
    assert read("ppk", "yy") == {"sequences", "models", "loglik"}


def test_without_clusterers_the_matrices_are_what_is_scored():
    entry = experiment({"quick": 0, "thesis": 0}) | {"metric": "map"}
    del entry["parts"][0]["clusterers"]
    cat = plan.catalogue(DATASETS, MODELS, {}, {"e": entry})
    assert [job.file for job in Comparison(cat, entry).jobs()] == ["distances/many/hmm2/yy/t000-001.npz"]
    files = Comparison(cat, entry).inputs()
    assert (len(files["distances"]), files["partitions"]) == (1, [])
    assert Comparison(cat, entry).scored_jobs()[0]["stage"] == "distances"


def test_clusterers_of_items_run_once_beside_every_measure():
    entry = experiment({"quick": 0, "thesis": 0})
    entry["parts"][0] |= {"measures": ["yy", "dtw"], "clusterers": ["spectral", "kmeans_of_means"]}
    cat = plan.catalogue(DATASETS, MODELS, {}, {"e": entry}, batch={**BATCH, "measures": 1})
    made = [(job.measures, job.clusterers) for job in Comparison(cat, entry).jobs()]
    assert made == [(("yy",), ("spectral",)), (("dtw",), ("spectral",)), (("none",), ("kmeans_of_means",))]
    assert set(matrices.needed(cat, "many", ["none"], ["none"], "t000-001")) == {"sequences"}


LENGTHS = {
    "short": {"measure": "sic", "params": {"n_iterations": 20, "train": 0.5}},
    "weighted": {"measure": "sic", "params": {"n_iterations": 20, "train": 0.5, "scores": "weighted"}},
    "long": {"measure": "sic", "params": {"n_iterations": 90, "train": 0.5}},
    "other": {"measure": "sic", "params": {"n_iterations": 20, "train": 0.4}},
}
"""The first three share a run; the last trains on fewer items."""


def sharing(**parts):
    """The catalogue of some experiments, each with one part without models."""
    experiments = {}
    for name, part in parts.items():
        experiments[name] = {
            "id": name,
            "metric": "ari" if "clusterers" in part else "map",
            "trials": part.pop("trials", {"quick": 2, "thesis": 2}),
            "parts": [{"datasets": ["same"], "models": [], **part}],
            "render": {"kind": "table", "rows": ["dataset"], "columns": "measure", "sections": []},
        }
    return lambda **batch: plan.catalogue(
        DATASETS, MODELS, {"measures": LENGTHS}, experiments, batch={**BATCH, **batch}
    )


def test_measures_that_share_a_run_share_a_job_however_many_others_do():
    cat = sharing(e={"measures": ["dtw", "short", "other", "weighted"]})(measures=1)
    expected = [("short", "weighted"), ("dtw",), ("other",)]
    assert [job.measures for job in plan.planned(cat, "e").jobs()] == expected


def test_experiments_that_ask_for_one_run_share_its_job_and_score_their_own_measures():
    cat = sharing(one={"measures": ["long"]}, two={"measures": ["short", "other"]}, three={"measures": ["weighted"]})()
    run = "distances/same/none/short+weighted+long/t000-001.npz"
    jobs = {name: plan.planned(cat, name).jobs() for name in ("one", "two", "three")}
    assert {name: [job.file for job in found] for name, found in jobs.items()} == {
        "one": [run],
        "two": [run, "distances/same/none/other/t000-001.npz"],
        "three": [run],
    }
    assert [job.own_measures for found in jobs.values() for job in found] == [
        ("long",),
        ("short",),
        ("other",),
        ("weighted",),
    ]
    assert [job["measures"] for job in plan.planned(cat, "two").scored_jobs()] == [["short"], ["other"]]


def test_runs_of_other_trials_are_shared_where_the_cut_is_the_same():
    parts = {"one": {"measures": ["long"], "trials": {"quick": 1, "thesis": 1}}, "two": {"measures": ["short"]}}
    cat = sharing(**parts)()
    assert [job.measures for name in parts for job in plan.planned(cat, name).jobs()] == [("long",), ("short",)]
    parts["one"]["trials"] = {"quick": 1, "thesis": 1}
    cat = sharing(**parts)(heavy_trials=1)
    (first,), (same, second) = (plan.planned(cat, name).jobs() for name in parts)
    assert first.file == same.file == "distances/same/none/short+long/t000-000.npz"
    assert second.file == "distances/same/none/short/t001-001.npz"


def test_clusterers_take_their_measures_out_of_the_file_of_a_run():
    cat = sharing(one={"measures": ["long", "dtw"]}, two={"measures": ["short"], "clusterers": ["mcl"]})()
    (job,) = plan.planned(cat, "two").jobs()
    assert job.file == "partitions/same/none/short/mcl/t000-001.npz"
    read = matrices.clustered(cat, "same", ["none"], ["short"], "t000-001", keep=False)
    assert read["distances"] == "distances/same/none/short+long/t000-001.npz"
    assert read["distances"] in [job.file for job in plan.planned(cat, "one").jobs()]
    # Computed on the way, so no file is shared.
    cat = sharing(
        one={"measures": ["yy"]} | {"models": ["hmm2"]}, two={"measures": ["dtw"], "clusterers": ["spectral"]}
    )()
    assert "distances" not in matrices.clustered(cat, "same", ["none"], ["dtw"], "t000-001", keep=False)


def test_how_many_trials_share_a_job_follows_from_what_one_costs():
    runs = {"clusterers": {"once": {"clusterer": "knn_itc", "params": {"n_runs": 1, "n_voters": 1}}}}
    cat = plan.catalogue(DATASETS, MODELS, runs, {}, batch={**BATCH, "light_trials": 50, "heavy_trials": 2})
    cut = matrices.trials_a_job
    assert cut(cat, ["none"], ["once"]) == 50
    assert cut(cat, ["none"], ["once", "knn_itc"]) == 10
    assert cut(cat, ["dtw"], ["spectral"]) == cut(cat, ["yy", "dtw"], []) == 10
    # Whatever the clusterer: the same matrices are judged without clusterers, too.
    assert cut(cat, ["dtw", "sic"], []) == cut(cat, ["sic"], ["mcl"]) == 2
    plain = plan.catalogue(DATASETS, MODELS, runs, {}, batch=BATCH)
    assert cut(plain, ["none"], ["once"]) == cut(plain, ["sic"], []) == 10


def test_a_long_run_is_computed_before_those_that_begin_like_it(monkeypatch):
    asked = []
    monkeypatch.setattr(distance_stage, "_of_measure", lambda sequences, tasks, name, *rest: asked.append(name) or [])
    entries = {name: {**entry, "models": ["none"]} for name, entry in LENGTHS.items()}
    entries["stopping"] = {"measure": "sic", "params": {"n_iterations": 200, "stop": 0.1}, "models": ["none"]}
    list(distance_stage.distances(None, [], entries, [0], 1, {}))
    assert asked[0] == "long"
    assert asked[-1] == "stopping"


@pytest.mark.parametrize("random", [False, True])
def test_a_matrix_that_trials_share_is_clustered_once_by_what_draws_nothing(monkeypatch, random):
    calls = []

    def by_size(distance, n_clusters, seed):
        calls.append(seed)
        return np.array([0, 1, n_clusters - 1])

    clusterer = Clusterer(name="own", label="own", source="test", partition=by_size, random=random)
    monkeypatch.setattr(stage.registry, "modules", lambda: {"own": Registered("own", "test", {"takes": "matrix"})})
    monkeypatch.setattr(stage.registry, "get", lambda _: clusterer)
    one, other = np.ones((3, 3)) - np.eye(3), 2.0 * (np.ones((3, 3)) - np.eye(3))
    tasks = [Task("two", np.arange(3), 2), Task("three", np.arange(3), 3)]
    given = [("dtw", 0, tasks[0], one), ("dtw", 1, tasks[0], one.copy()), ("dtw", 1, tasks[1], one)]
    given += [("sic", 0, tasks[0], other)]
    distances = [Distance(measure, "none", trial, task, matrix, {}) for measure, trial, task, matrix in given]
    found = list(stage.partitions(distances, {"own": {"clusterer": "own"}}, "x", 1))
    assert [(part.measure, part.trial, part.task) for part in found] == [(m, t, task.name) for m, t, task, _ in given]
    assert [part.labels[2] for part in found] == [1, 1, 2, 1]
    assert len(calls) == (4 if random else 3)
