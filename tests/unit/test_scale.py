"""What differs between the scales, and how the work of a comparison is cut into jobs."""

from itertools import product

import numpy as np
import pytest

from kinseq.clustering.registry import Clusterer
from kinseq.core.errors import ConfigError
from kinseq.core.sequences import Task
from kinseq_documents import plan
from kinseq_documents.kinds import matrices
from kinseq_documents.kinds.comparison import Comparison
from kinseq_documents.stages import partitions as stage
from kinseq_documents.stages.distances import Distance

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
    assert plan.at_scale(DATASETS, "quick")["many"] == {"title": "Few", "loader": "mohmm", "params": {}}
    assert plan.at_scale(DATASETS, "thesis")["many"] == {
        "title": "Many",
        "loader": "mohmm",
        "params": {"n_sequences": [80]},
    }
    assert plan.at_scale(DATASETS, "quick")["same"] == DATASETS["same"]


def test_a_part_without_trials_at_a_scale_makes_no_jobs_there():
    entry = experiment({"quick": 0, "thesis": 3})
    assert [(job.dataset, job.trials) for job in jobs(entry, scale="quick")] == [("many", (0, 1))]
    thesis = [(job.dataset, job.trials) for job in jobs(entry, scale="thesis")]
    assert thesis == [("many", (0, 1, 2, 3)), ("same", (0, 1, 2))]
    with pytest.raises(ConfigError, match="unknown scale 'fast'; valid names: quick, thesis"):
        jobs(entry, scale="fast")


def test_a_stand_in_is_run_only_where_the_data_are_missing():
    datasets = {**DATASETS, "made": {"title": "Made", "loader": "mohmm", "stand_in_for": "same"}}
    entry = experiment({"quick": 1, "thesis": 1})
    entry["parts"].append({**entry["parts"][0], "datasets": ["made"], "instead": True})
    assert [job.dataset for job in jobs(entry, datasets)] == ["many", "same"]
    lost = [job.dataset for job in jobs(entry, datasets, missing={"same": "it is lost"})]
    assert lost == ["many", "made"]


def test_a_stand_in_for_a_stand_in_is_run_where_both_are_missing():
    made = {"title": "Made", "loader": "mohmm", "stand_in_for": "same"}
    datasets = {**DATASETS, "made": made, "drawn": {**made, "title": "Drawn", "stand_in_for": "made"}}
    entry = experiment({"quick": 1, "thesis": 1})
    entry["parts"].append({**entry["parts"][0], "datasets": ["made", "drawn"], "instead": True})

    def run(missing):
        lost = dict.fromkeys(missing, "it is lost")
        cat = plan.catalogue(datasets, MODELS, {}, {"e": entry}, batch=BATCH, missing=lost)
        return [job.dataset for job in Comparison(cat, entry).jobs()], plan.stand_ins(cat, "e")

    assert run([]) == (["many", "same"], [])
    assert run(["same"]) == (["many", "made"], ["Made"])
    assert run(["same", "made"]) == (["many", "drawn"], ["Drawn"])
    # What is stood in for is there, so that nobody has to step in for the stand-in.
    assert run(["made"]) == (["many", "same"], [])


def test_a_strip_names_stand_ins_only_where_it_shows_them():
    datasets = {**DATASETS, "made": {"title": "Made", "loader": "mohmm", "stand_in_for": "same"}}
    entry = experiment({"quick": 1, "thesis": 1})
    entry["parts"].append({**entry["parts"][0], "datasets": ["made"], "instead": True})
    for shown, named in (({}, ["Made"]), ({"dataset": "many"}, []), ({"dataset": "made"}, ["Made"])):
        drawn = {**entry, "render": {**entry.get("render", {}), "strip": {"panels": [], "measures": [], **shown}}}
        cat = plan.Catalogue(
            **{
                **vars(plan.catalogue(datasets, MODELS, {}, {"e": entry}, batch=BATCH, missing={"same": "lost"})),
                "experiments": {"e": drawn},
            }
        )
        assert plan.stand_ins(cat, "e") == named


def test_stand_ins_for_nothing_and_for_themselves_are_refused():
    made = {"title": "Made", "loader": "mohmm", "stand_in_for": "sama"}
    entry = experiment({"quick": 1, "thesis": 1})
    with pytest.raises(ConfigError, match="data set 'made', stand_in_for: unknown data set 'sama'"):
        jobs(entry, {**DATASETS, "made": made})
    circle = {"made": {**made, "stand_in_for": "drawn"}, "drawn": {**made, "stand_in_for": "made"}}
    with pytest.raises(ConfigError, match=r"stands in for itself \(made for drawn for made\)"):
        jobs(entry, {**DATASETS, **circle})


def test_segmenters_can_be_named_where_clusterers_are():
    entry = experiment({"quick": 1, "thesis": 1})
    entry["parts"][0]["clusterers"] = ["spectral_segmentation", "cut"]
    variants = {"clusterers": {"cut": {"clusterer": "spectral_segmentation", "params": {"embedding": "literal"}}}}
    cat = plan.catalogue(plan.at_scale(DATASETS, "quick"), MODELS, variants, {"e": entry})
    assert cat.clusterers["cut"]["params"] == {"embedding": "literal"}
    entry["parts"][0]["clusterers"] = ["segmentation"]
    with pytest.raises(ConfigError, match="unknown clusterer 'segmentation'"):
        plan.catalogue(plan.at_scale(DATASETS, "quick"), MODELS, variants, {"e": entry})


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


def test_measures_that_are_kept_together_share_a_job_however_many_others_do():
    entry = experiment({"quick": 0, "thesis": 0})
    entry["parts"][0] |= {"measures": ["yy", "bp", "por"], "together": True}
    cat = plan.catalogue(DATASETS, MODELS, {}, {"e": entry}, batch={**BATCH, "measures": 1})
    assert [job.measures for job in Comparison(cat, entry).jobs()] == [("yy", "bp", "por")]
    entry["parts"][0]["together"] = False
    assert [job.measures for job in Comparison(cat, entry).jobs()] == [("yy",), ("bp",), ("por",)]


@pytest.mark.parametrize("random", [False, True])
def test_a_matrix_that_trials_share_is_clustered_once_by_what_draws_nothing(monkeypatch, random):
    calls = []

    def by_size(distance, n_clusters, seed):
        calls.append(seed)
        return np.array([0, 1, n_clusters - 1])

    clusterer = Clusterer(name="own", label="own", source="test", partition=by_size, random=random)
    monkeypatch.setattr(stage.registry, "modules", lambda: {"own": clusterer})
    monkeypatch.setattr(stage.registry, "takes_of", lambda _: "matrix")
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


def test_parts_of_one_run_share_its_file_and_show_their_own_measures():
    run = ["el2", "dtw", "mean"]
    variants = {"measures": {name: {"measure": "dtw", "label": name} for name in ("el2", "mean")}}
    part = {"datasets": ["same"], "models": [], "run": run}
    entry = {**experiment({"quick": 1, "thesis": 1}), "metric": "map"}
    entry["parts"] = [{**part, "measures": ["mean"]}, {**part, "measures": ["dtw", "el2"], "batch": 1}]
    entry["trials"] = {"quick": 1, "thesis": 1}
    found = jobs(entry, variants=variants)
    assert [(job.file, job.measures, job.shown) for job in found] == [
        ("distances/same/none/el2+dtw+mean/t000-000.npz", tuple(run), shown) for shown in (("mean",), ("el2", "dtw"))
    ]
    cat = plan.catalogue(DATASETS, MODELS, variants, {"e": entry}, batch=BATCH)
    assert [job["measures"] for job in Comparison(cat, entry).scored_jobs()] == [["mean"], ["el2", "dtw"]]
    assert [job["file"] for job in Comparison(cat, entry).scored_jobs()] == [0, 0]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"run": ["dtw"], "measures": ["dtw", "mean_vector"]}, "part 1, run: unknown measure 'mean_vector'"),
        ({"run": ["dtw", "dtv"], "measures": ["dtw"]}, "part 1, run: unknown measure 'dtv'"),
        ({"run": ["yy", "dtw"], "measures": ["dtw"], "models": ["hmm2"]}, "'yy' of the run needs models"),
        ({"run": ["dtw"], "measures": ["dtw"], "clusterers": ["spectral"]}, "'dtw' of the run has no file of its own"),
    ],
)
def test_a_run_that_cannot_be_shared_is_refused(changes, message):
    entry = experiment({"quick": 1, "thesis": 1})
    entry["parts"] = [{"datasets": ["same"], "models": [], **changes}]
    with pytest.raises(ConfigError, match=message):
        jobs(entry)


def test_a_run_whose_matrices_are_stored_may_be_clustered():
    variants = {"measures": {name: {"measure": "sic", "label": name} for name in ("long", "short")}}
    entry = experiment({"quick": 1, "thesis": 1})
    part = {"datasets": ["same"], "models": [], "measures": ["short"], "run": ["long", "short"], "clusterers": ["mcl"]}
    entry["parts"] = [{**part, "trials": {"quick": 1, "thesis": 1}}]
    (job,) = jobs(entry, variants=variants)
    assert (job.file, job.shown) == ("partitions/same/none/long+short/mcl/t000-000.npz", ("short",))
