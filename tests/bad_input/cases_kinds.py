"""Bad input to kinds of experiments, problems, estimators and drawings."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from kinseq.core.schema import check
from kinseq_documents import plan
from kinseq_documents.drawings import registry as drawings
from kinseq_documents.problems.registry import Estimator, Problem
from kinseq_documents.stages import estimates

from .table import Case

SCHEMAS = Path(plan.__file__).resolve().parents[2] / "workflow" / "schemas"
SIZES = {"quick": [10], "thesis": [20]}
HEAD: dict[str, Any] = {"id": "e", "title": "E", "chapter": "chapter0", "sources": []}
COMPARISON = HEAD | {
    "metric": "error",
    "trials": {"quick": 1, "thesis": 1},
    "parts": [{"datasets": ["one"], "models": ["hmm2"], "measures": ["yy"], "clusterers": ["spectral"]}],
    "render": {"kind": "table"},
}
ESTIMATION = HEAD | {
    "kind": "estimation",
    "records": "seconds",
    "trials": {"quick": 1, "thesis": 1},
    "parts": [{"problems": ["hmm_mixture"], "estimators": ["cost_ssd"], "sizes": SIZES}],
    "render": {"kind": "costs"},
}
DRAWING = HEAD | {
    "kind": "drawing",
    "drawing": "eigenvectors",
    "datasets": ["one"],
    "model": "hmm2",
    "measure": "kl_ll",
    "params": {"task": "all"},
}


def planned(experiment: dict[str, Any], variants: dict[str, Any] | None = None) -> Any:
    """Checks of an experiment before anything runs."""
    kind = plan.kind_name(experiment, "e.yaml")
    check(experiment, yaml.safe_load((SCHEMAS / f"{kind}.schema.yaml").read_text(encoding="utf-8")), "e.yaml")
    datasets = {"one": {"title": "One", "loader": "mohmm"}}
    models = {"hmm2": {"kind": "hmm", "n_states": 2}, "common4": {"kind": "hmm", "common": True, "n_states": 4}}
    return plan.catalogue(datasets, models, variants or {}, {"e": experiment})


def changed(experiment: dict[str, Any], **changes: Any) -> Callable[[Path], Any]:
    """Plan an experiment with other keys; None takes a key out."""
    made = {key: value for key, value in {**experiment, **changes}.items() if value is not None}
    return lambda _: planned(deepcopy(made))


def part(experiment: dict[str, Any], **changes: Any) -> Callable[[Path], Any]:
    """Plan an experiment whose first part has other keys; None takes a key out."""
    first = {key: value for key, value in {**experiment["parts"][0], **changes}.items() if value is not None}
    return changed(experiment, parts=[first])


def same_items(**changes: Any) -> Callable[[Path], Any]:
    """Plan with a data set that is declared as the items of another one under other classes."""
    words = {"title": "W", "loader": "spoken_words", "folder": "w", "params": {"label": "word"}}
    alike = {**words, "same_items_as": "words", "params": {"label": "word", "alike": [["four", "seven"]]}, **changes}
    schema = yaml.safe_load((SCHEMAS / "datasets.schema.yaml").read_text(encoding="utf-8"))

    def made(_: Path) -> Any:
        datasets = {"words": words, "alike": alike, "tones": {"title": "T", "loader": "mohmm"}}
        check(datasets, schema, "datasets.yaml")
        return plan.catalogue(datasets, {}, {}, {})

    return made


def truth(value: Any) -> Callable[[Path], Any]:
    """Ask a problem for a truth."""
    made = Problem(name="odd", label="", source="", draw=len, truth=lambda: value, quantities=("kl",))  # type: ignore[arg-type]
    return lambda _: made.true_value("kl")


def estimate(value: Any) -> Callable[[Path], Any]:
    """Ask an estimator for an estimate."""
    made = Estimator(name="odd", label="", source="", function=lambda data, seed: value, estimates="kl")
    return lambda _: made.estimate([], 0)


def sized(sizes: list[Any]) -> Callable[[Path], Any]:
    """Measure times at some sizes."""
    given = ("mix", {"problem": "hmm_mixture"}), {"cost_ssd": {"estimator": "cost_ssd"}}
    return lambda _: estimates.times(*given, {"cost_ssd": sizes}, seed=1)


CASES: tuple[Case, ...] = (
    Case("an experiment of each kind", lambda _: [planned(e) for e in (COMPARISON, ESTIMATION, DRAWING)], gives=bool),
    Case("unknown kind of experiment", changed(COMPARISON, kind="comparsion")),
    Case("kind that is no word", changed(COMPARISON, kind=3)),
    Case("misspelt key of a comparison", changed(COMPARISON, metirc="ari")),
    Case("misspelt key of an estimation", changed(ESTIMATION, record="seconds")),
    Case("misspelt key of a drawing", changed(DRAWING, parms={})),
    Case("key of another kind", changed(DRAWING, trials={"quick": 1, "thesis": 1})),
    Case("experiment that is a list", lambda _: planned([1])),  # type: ignore[arg-type]
    Case("run: a key of before", part(COMPARISON, models=[], measures=["dtw"], run=["dtw"])),
    Case("same_items_as: alike", same_items(), gives=bool),
    Case("same_items_as: unknown", same_items(same_items_as="word")),
    Case("same_items_as: a number", same_items(same_items_as=3)),
    Case("same_items_as: other speakers", same_items(params={"label": "word", "speakers": 3})),
    Case("same_items_as: other files", same_items(files=["*.wav"])),
    Case("same_items_as: another loader", same_items(same_items_as="tones")),
    Case("same_items_as: itself", same_items(same_items_as="alike")),
    Case("unknown problem", part(ESTIMATION, problems=["hmm_mix"])),
    Case("unknown estimator", part(ESTIMATION, estimators=["cost_sd"])),
    Case("no problems", part(ESTIMATION, problems=[])),
    Case("no estimators", part(ESTIMATION, estimators=[])),
    Case("unknown drawing", changed(DRAWING, drawing="eigenvector")),
    Case("sizes left out", part(ESTIMATION, sizes=None)),
    Case("sizes of one scale", part(ESTIMATION, sizes={"quick": [10]})),
    Case("sizes that are not whole numbers", part(ESTIMATION, sizes={"quick": [2.5], "thesis": [1]})),
    Case("sizes in words", part(ESTIMATION, sizes={"quick": ["10"], "thesis": [1]})),
    Case("sizes of zero", part(ESTIMATION, sizes={"quick": [0], "thesis": [1]})),
    Case("no sizes", part(ESTIMATION, sizes={"quick": [], "thesis": [1]})),
    Case("a size that is no list", part(ESTIMATION, sizes={"quick": 10, "thesis": [1]})),
    Case("sizes of half an item", sized([10, 2.5])),
    Case("sizes that are yes", sized([True])),
    Case("an empty list of sizes", sized([])),
    Case("something else recorded", changed(ESTIMATION, records="minutes")),
    Case(
        "an estimator that can only be timed",
        changed(ESTIMATION, records=None, metric="bias", render={"kind": "table"}),
    ),
    Case("seconds in a table", changed(ESTIMATION, render={"kind": "table"})),
    Case("costs of a comparison", changed(COMPARISON, render={"kind": "costs"})),
    Case(
        "confusion without clusters",
        changed(
            COMPARISON,
            metric="map",
            parts=[{"datasets": ["one"], "models": ["hmm2"], "measures": ["yy"]}],
            render={"kind": "hinton", "names": {"a": "A"}},
        ),
    ),
    Case("one estimator at two lists of sizes", changed(ESTIMATION, parts=ESTIMATION["parts"] * 2)),
    Case("a measure without its model", part(COMPARISON, measures=["ssd"])),
    Case("a measure without any model", part(COMPARISON, models=[])),
    Case(
        "a clusterer of matrices without a measure",
        part(COMPARISON, measures=[], clusterers=["kmeans_of_means", "spectral"]),
    ),
    Case("a drawing without its data", changed(DRAWING, datasets=None)),
    Case("a drawing without its measure", changed(DRAWING, measure=None)),
    Case("a drawing of a measure without its model", changed(DRAWING, model=None)),
    Case("a drawing with a model of another kind", changed(DRAWING, model="common4")),
    Case("a drawing of unknown data", changed(DRAWING, datasets=["on"])),
    Case("a drawing that takes no measure", changed(DRAWING, drawing="class_samples", params={"names": {"a": "A"}})),
    Case("a parameter that a drawing does not have", changed(DRAWING, params={"tsk": 1})),
    Case("a parameter that a drawing needs", changed(DRAWING, params={})),
    Case(
        "a variant of no problem", lambda _: planned(deepcopy(ESTIMATION), {"problems": {"mine": {"problem": "hmm"}}})
    ),
    Case(
        "a variant with a parameter of another",
        lambda _: planned(deepcopy(ESTIMATION), {"problems": {"m": {"problem": "hmm_mixture", "params": {"len": 1}}}}),
    ),
    Case("a truth that is an array", truth({"kl": np.zeros((2, 2))})),
    Case("a truth that is a list", truth({"kl": [0.1]})),
    Case("a truth without its quantity", truth({"js": 0.1})),
    Case("a truth that is a bare number", truth(0.1)),
    Case("an infinite truth", truth({"kl": float("inf")})),
    Case("a truth in an array without axes", truth({"kl": np.array(0.5)}), gives=lambda value: value == 0.5),
    Case("an estimate that is an array", estimate(np.zeros(3))),
    Case("an estimate that is nothing", estimate(None)),
    Case("an estimate that is not a number", estimate(float("nan"))),
    Case("a drawing that is not there", lambda _: drawings.get("bell")),
)
