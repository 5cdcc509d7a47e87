"""What differs between the scales: entries of data sets, and parts that a scale leaves out."""

import pytest
from kinseq import plan
from kinseq.errors import ConfigError

DATASETS = {
    "many": {
        "title": "Many",
        "loader": "mohmm",
        "params": {"n_sequences": [80]},
        "quick": {"title": "Few", "params": {}},
    },
    "same": {"title": "Same", "loader": "mohmm"},
}


def experiment(trials):
    parts = [
        {"datasets": ["many"], "models": ["hmm2"], "measures": ["yy"], "clusterers": ["spectral"]},
        {"datasets": ["same"], "models": ["hmm2"], "measures": ["yy"], "clusterers": ["spectral"], "trials": trials},
    ]
    return {"id": "e", "trials": {"quick": 2, "thesis": 4}, "parts": parts, "render": {"kind": "table"}}


def test_entries_have_their_quick_form_at_the_quick_scale_only():
    assert plan.at_scale(DATASETS, "quick")["many"] == {"title": "Few", "loader": "mohmm", "params": {}}
    assert plan.at_scale(DATASETS, "thesis")["many"] == {
        "title": "Many",
        "loader": "mohmm",
        "params": {"n_sequences": [80]},
    }
    assert plan.at_scale(DATASETS, "quick")["same"] == DATASETS["same"]


def test_a_part_without_trials_at_a_scale_makes_no_jobs_there():
    models = {"hmm2": {"kind": "hmm", "n_states": 2}}
    cat = plan.catalogue(plan.at_scale(DATASETS, "quick"), models, {}, {"e": experiment({"quick": 0, "thesis": 3})})
    batch = {"trials": 10, "models": 4}
    quick = plan.points(cat, "e", "quick", DATASETS, batch)
    assert [(point.dataset, point.trials) for point in quick] == [("many", (0, 1))]
    thesis = plan.points(cat, "e", "thesis", DATASETS, batch)
    assert [(point.dataset, point.trials) for point in thesis] == [("many", (0, 1, 2, 3)), ("same", (0, 1, 2))]


def test_a_stand_in_is_run_only_where_the_data_are_missing():
    datasets = {**DATASETS, "made": {"title": "Made", "loader": "mohmm", "stand_in_for": "same"}}
    entry = experiment({"quick": 1, "thesis": 1})
    entry["parts"].append({**entry["parts"][0], "datasets": ["made"], "instead": True})
    models = {"hmm2": {"kind": "hmm", "n_states": 2}}
    cat = plan.catalogue(plan.at_scale(datasets, "quick"), models, {}, {"e": entry})
    batch = {"trials": 10, "models": 4}

    def run(available):
        return [point.dataset for point in plan.points(cat, "e", "quick", available, batch)]

    assert run(["many", "same", "made"]) == ["many", "same"]
    assert run(["many", "made"]) == ["many", "made"]


def test_segmenters_can_be_named_where_clusterers_are():
    entry = experiment({"quick": 1, "thesis": 1})
    entry["parts"][0]["clusterers"] = ["spectral_segmentation", "cut"]
    variants = {"clusterers": {"cut": {"clusterer": "spectral_segmentation", "params": {"embedding": "literal"}}}}
    models = {"hmm2": {"kind": "hmm", "n_states": 2}}
    cat = plan.catalogue(plan.at_scale(DATASETS, "quick"), models, variants, {"e": entry})
    assert cat.clusterers["cut"]["params"] == {"embedding": "literal"}
    entry["parts"][0]["clusterers"] = ["segmentation"]
    with pytest.raises(ConfigError, match="unknown clusterer 'segmentation'"):
        plan.catalogue(plan.at_scale(DATASETS, "quick"), models, variants, {"e": entry})
