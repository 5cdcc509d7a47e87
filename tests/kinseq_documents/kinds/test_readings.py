"""Readings of what print leaves open: how entries are taken under them, and which jobs they share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from kinseq.clustering import registry as clusterers
from kinseq.core.errors import ConfigError
from kinseq.measures import registry as measures
from kinseq.models.kinds import registry as kinds
from kinseq_documents import catalogue, plan, readings
from kinseq_documents.kinds import matrices
from kinseq_documents.kinds.comparison import Comparison
from tests.sentences import Recorded

CONFIG = Path(__file__).parents[3] / "config"
DATASETS = {"d": {"title": "D", "loader": "mohmm"}}
MODELS = {
    "hmm2": {"kind": "hmm", "n_states": 2},
    "wide": {"kind": "hmm", "n_states": 2, "covariance": "full"},
    "common4": {"kind": "hmm", "common": True, "n_states": 4},
    "gauss": {"kind": "gaussian"},
}
READINGS: dict[str, Any] = {
    "own": {
        "label": "own",
        "training": {"preset": "toolbox", "covariance": "diag"},
        "diagonal": "own",
        "sym": {"diagonal": "own"},
    },
    "plain": {
        "label": "plain",
        "training": {"preset": "default"},
        "embedding": "njw",
        "diagonal": "zero",
        "ssd": {"rows": "limit"},
    },
    "wider": {"label": "wider", "based_on": "own", "width": "median"},
}
VARIANTS = {"clusterers": {"local": {"clusterer": "spectral", "params": {"width": "local"}}}}


def planned(part: dict[str, Any], **more: Any) -> Comparison:
    part = {"datasets": ["d"], "models": ["hmm2"], "measures": ["yy"], "clusterers": ["spectral"], **part}
    experiment = {"id": "e", "metric": "error", "trials": {"quick": 4, "thesis": 4}, "render": {"kind": "table"}}
    experiment |= {"readings": ["own", "plain"], "parts": [part], **more}
    cat = plan.catalogue(DATASETS, MODELS, VARIANTS, {"e": experiment}, readings=READINGS)
    return Comparison(cat, experiment)


def shown(one: Comparison) -> set[tuple[str, ...]]:
    """Reading, model, measure, clusterer and number of trials of everything that is shown."""
    return {
        (under.reading, model, measure, clusterer, str(len(job.trials)))
        for job, all_under in one.shown().items()
        for measure, entry in matrices.assigned(one.cat, job.own_measures, job.models).items()
        for model in entry["models"]
        for under in all_under
        for clusterer in under.clusterers
    }


def test_the_defaults_of_a_reading_are_those_of_the_library() -> None:
    """A setting that is written down as a default, and skipped, must be one."""
    for key, setting in readings.SETTINGS.items():
        written = {setting.param: setting.default} if setting.param else setting.default
        for name in setting.entries:
            params = {
                "model": lambda name: kinds.get(name).params,
                "measure": lambda name: measures.get(name).params,
                "clusterer": lambda name: clusterers.get(name).params,
            }[setting.of](name)
            assert {param: params.get(param) for param in written} == written, (key, name)


def test_only_what_differs_has_a_name_of_its_own() -> None:
    one = planned({"models": ["hmm2", "gauss"], "measures": ["yy"], "clusterers": ["spectral", "hierarchical"]})
    assert shown(one) == {
        ("own", model, "yy", clusterer, "4")
        for model in ("hmm2@own", "gauss")
        for clusterer in ("spectral@own", "hierarchical")
    } | {
        ("plain", model, "yy", clusterer, "4")
        for model in ("hmm2", "gauss")
        for clusterer in ("spectral", "hierarchical")
    }


def test_a_change_of_a_reading_shares_what_it_does_not_change() -> None:
    one = planned({"readings": ["own", "wider"]})
    (job,) = one.jobs()
    assert (job.models, job.clusterers) == (("hmm2@own",), ("spectral@own", "spectral@wider"))
    assert [(under.reading, under.clusterers) for under in one.shown()[job]] == [
        ("own", ("spectral@own",)),
        ("wider", ("spectral@wider",)),
    ]


def test_what_needs_no_reading_is_computed_once_for_all() -> None:
    one = planned({"models": [], "measures": ["dtw"], "clusterers": ["hierarchical"]})
    (job,) = one.jobs()
    assert [under.reading for under in one.shown()[job]] == ["own", "plain"]


def test_what_an_entry_says_itself_counts_first() -> None:
    one = planned({"models": ["wide"], "clusterers": ["local"], "readings": ["wider"]})
    (job,) = one.jobs()
    assert one.cat.models[job.models[0]] == MODELS["wide"] | {"preset": "toolbox"}
    assert one.cat.clusterers[job.clusterers[0]]["params"] == {"width": "local", "diagonal": "own"}


def test_a_clusterer_that_does_not_look_at_the_diagonal_gets_the_plain_measure() -> None:
    one = planned({"measures": ["sym"], "clusterers": ["spectral", "hierarchical"], "readings": ["own"]})
    assert shown(one) == {
        ("own", "hmm2@own", "sym@own", "spectral@own", "4"),
        ("own", "hmm2@own", "sym", "hierarchical", "4"),
    }


def test_a_reading_may_have_fewer_trials() -> None:
    one = planned({}, most_trials={"plain": {"quick": 1, "thesis": 9}})
    assert {(row[0], row[4]) for row in shown(one)} == {("own", "4"), ("plain", "1")}
    none = planned({"most_trials": {"plain": {"quick": 0, "thesis": 9}}})
    assert {row[0] for row in shown(none)} == {"own"}


def test_pieces_of_a_part_share_the_jobs_that_fit() -> None:
    """Measures that differ under readings are clustered apart, of the same file of models."""
    one = planned(
        {"models": ["hmm2", "common4"], "measures": ["sym", "ssd"], "clusterers": ["spectral", "hierarchical"]}
    )
    assert {job.models for job in one.jobs()} == {("hmm2@own", "common4@own"), ("hmm2", "common4")}


def settings(changes: dict[str, Any]) -> dict[str, Any]:
    """Parameters of the rules of models and partitions for each file of an experiment, as its settings decide on a rerun."""
    every = READINGS | {"own": READINGS["own"] | {"ppk": {"rho": 2.0}} | changes}
    part = {
        "datasets": ["d"],
        "models": ["hmm2", "common4"],
        "measures": ["yy", "ppk", "ssd"],
        "clusterers": ["spectral", "hierarchical"],
    }
    experiment = {
        "id": "e",
        "metric": "error",
        "trials": {"quick": 1, "thesis": 1},
        "render": {"kind": "table"},
        "parts": [part],
    }
    experiment |= {"readings": ["own", "plain"]}
    batch = {"trials": 1, "models": 4, "measures": 1}
    cat = plan.catalogue(DATASETS, MODELS, VARIANTS, {"e": experiment}, readings=every, batch=batch)
    told: dict[str, Any] = {}
    for job in Comparison(cat, experiment).jobs():
        models = next(file for file in matrices.behind(cat, job) if file.startswith("models/"))
        told[models] = {name: cat.models[name] for name in job.models}
        used = {name: cat.clusterers[name] for name in job.clusterers}
        told[job.file] = matrices.assigned(cat, job.measures, job.models), used, told[models]
    return told


@pytest.mark.parametrize(
    ("change", "depends"),
    [
        ({"ppk": {"rho": 0.5}}, lambda file: "/ppk@own/" in file),
        ({"width": "median"}, lambda file: "spectral@own" in file),
        ({"training": {"preset": "toolbox"}}, lambda file: "hmm2@own" in file),
        ({"ssd": {"rows": "eps"}}, lambda file: "hmm2@own" in file and "/ssd" in file),
        ({"label": "another name"}, lambda file: False),
    ],
)
def test_a_change_of_one_entry_concerns_what_depends_on_it_and_nothing_else(
    change: dict[str, Any], depends: Callable[[str], bool]
) -> None:
    before, after = settings({}), settings(change)
    changed = {file for file in after if before.get(file) != after[file]}
    assert changed == {file for file in after if depends(file)}
    assert {file for file in before if not depends(file)} == set(after) - changed


@pytest.mark.parametrize(
    "changes",
    [
        {"a": {"based_on": "b"}},
        {"a": {"based_on": "b"}, "b": {"based_on": "a"}},
        {"a": {"training": {"preset": "toolbx"}}},
    ],
)
def test_readings_that_cannot_be_settled_are_refused(changes: dict[str, Any], recorded: Recorded) -> None:
    with recorded.raises(ConfigError):
        readings.settled(changes)


def test_names_that_are_not_known_are_refused(recorded: Recorded) -> None:
    with recorded.raises(ConfigError):
        planned({"readings": ["owm"]})
    with recorded.raises(ConfigError):
        planned({"models": ["hmm2@own"]})


def test_variants_take_over_what_they_do_not_say(recorded: Recorded) -> None:
    entries = {
        "base": {
            "measure": "sic",
            "params": {"classifier": "hmm", "settings": {"n_states": 5}},
            "quick": {"params": {"labels": 10}},
        },
        "more": {
            "based_on": "base",
            "params": {"settings": {"topology": 2}},
            "quick": {"params": {"settings": {"n_states": 3}}},
        },
    }
    of = {
        scale: catalogue.resolve({}, {}, {"measures": entries}, {}, scale=scale).measures["more"]["params"]
        for scale in catalogue.SCALES
    }
    assert of["thesis"] == {"classifier": "hmm", "settings": {"n_states": 5, "topology": 2}}
    assert of["quick"] == {"classifier": "hmm", "settings": {"n_states": 3, "topology": 2}, "labels": 10}
    for wrong in ({"based_on": "bse"}, {"based_on": "more"}):
        with recorded.raises(ConfigError):
            catalogue.resolve({}, {}, {"measures": {**entries, "base": wrong}}, {})


def test_every_reading_of_the_configuration_is_shown_somewhere() -> None:
    every = yaml.safe_load((CONFIG / "readings.yaml").read_text(encoding="utf-8"))
    named = set()
    for path in (CONFIG / "experiments").glob("*.yaml"):
        parsed = yaml.safe_load(path.read_text(encoding="utf-8"))
        if parsed.get("kind") == "multiverse":  # has readings of its own
            continue
        named |= {
            *readings.named(parsed),
            parsed.get("reading"),
            *(name for part in parsed.get("parts", ()) for name in readings.named(parsed, part)),
        }
    assert set(every) == named - {None}
