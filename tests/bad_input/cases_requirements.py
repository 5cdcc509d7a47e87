"""Bad input where models are fitted for measures: needs, kinds of models, clusterers of items, features."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from kinseq import SequenceClustering, clustering, measures
from kinseq.core.sequences import SequenceSet
from kinseq.features.extraction import AudioFeatures, audio_features
from kinseq.measures.cross import cross
from kinseq.measures.registry import Measure
from kinseq.models.kinds import registry as kinds
from kinseq_documents.stages import distances
from kinseq_documents.tasks import Task

from .table import Case

RNG = np.random.default_rng(0)
FOUR = SequenceSet.from_arrays([RNG.normal(i % 2, 1.0, (12 + i, 2)) for i in range(4)])
TASKS = [Task("all", np.arange(4), 2)]


def entry(**keys: Any) -> Callable[[Path], Any]:
    """An entry of models.yaml."""
    return lambda _: kinds.check_entry("mine", keys)


def compute(name: str, **params: Any) -> Callable[[Path], Any]:
    return lambda _: measures.compute(name, FOUR, **params)


def staged(measure: str, fitted: dict[str, Any]) -> Callable[[Path], Any]:
    """A measure in the stage of the workflow, with what was fitted before."""
    asked = {"m": {"measure": measure, "models": ["hmm2"]}}
    return lambda _: list(distances.distances(FOUR, TASKS, asked, [0], 1, fitted))


def measure_that(**fields: Any) -> Callable[[Path], Any]:
    """A measure of a user's own."""
    return lambda _: Measure(name="mine", label="mine", source="", function=len, **fields)


def across(name: str, columns: int, **params: Any) -> Callable[[Path], Any]:
    """A new sequence against old ones, without any model."""
    new = SequenceSet.from_arrays([np.zeros((4, columns))])
    return lambda _: cross(measures.get(name), FOUR, new, None, lambda _: None, **params)


def means(data: Any, n_clusters: int | None, **params: Any) -> Callable[[Path], Any]:
    return lambda _: clustering.get("kmeans_of_means")(data, n_clusters, **params)


def estimator(**params: Any) -> Callable[[Path], Any]:
    return lambda _: SequenceClustering(n_clusters=2, **params).fit(FOUR)


CASES: tuple[Case, ...] = (
    Case("requires: unknown", measure_that(requires="loglikes")),
    Case("requires: the old word", measure_that(requires="global")),
    Case("requires: file of the stage missing", staged("kl_ll", {})),
    Case("requires: model not in the file", staged("ssd", {"models": {}})),
    Case("requires: likelihoods not in the file", staged("yy", {"loglik": {}})),
    Case("kind: unknown", compute("kl_ll", model="gausian")),
    Case("kind: of the wrong type", compute("kl_ll", model=3)),
    Case("kind: one that the measure cannot use", compute("ssd", model="gaussian")),
    Case("kind: of a measure without models", compute("dtw", model="hmm")),
    Case("kind: parameter of another", compute("yy", model="gaussian", n_states=2)),
    Case("kind: no components", compute("yy", model="gmm", n_components=0)),
    Case("kind: half a component", compute("yy", model="gmm", n_components=1.5)),
    Case("kind: components are text", compute("yy", model="gmm", n_components="2x")),
    Case("kind: too many components", compute("yy", model="gmm", n_components=13)),
    Case("kind: unknown pool", compute("yy", model="gmm", pool="sequences")),
    Case("kind: unknown pool of a Gaussian", compute("yy", model="gaussian", pool="set")),
    Case("kind: unknown covariance", compute("yy", model="gaussian", covariance="dia")),
    Case("kind: negative floor", compute("yy", model="gaussian", floor=-1.0)),
    Case("kind: floor is NaN", compute("yy", model="gmm", floor=float("nan"))),
    Case("kind: common model of a kind without one", lambda _: kinds.get("gaussian").fit(FOUR, common=True)),
    Case("kind: unknown name", lambda _: kinds.get("hhm")),
    Case("kind: unknown argument", lambda _: kinds.get("gmm").fit(FOUR, n_mix=2)),
    Case("entry: the old word", entry(kind="hmm_global")),
    Case("entry: misspelt key", entry(kind="hmm", n_state=2)),
    Case("entry: key of another kind", entry(kind="gaussian", n_components=2)),
    Case("entry: no states", entry(kind="hmm", n_states=0)),
    Case("entry: half a state", entry(kind="hmm", n_states=1.5)),
    Case("entry: states are true", entry(kind="hmm", n_states=True)),
    Case("entry: unknown preset", entry(kind="hmm", preset="clasic")),
    Case("entry: common where there is none", entry(kind="gmm", common=True)),
    Case("clusterer: no number of clusters", means(FOUR, None)),
    Case("clusterer of items: too many clusters", means(FOUR, 5)),
    Case("clusterer of items: a matrix", means(np.zeros((4, 4)), 2)),
    Case("clusterer of items: unknown scale", means(FOUR, 2, scale="z")),
    Case("clusterer of items: parameter of a measure", estimator(clusterer="kmeans_of_means", n_states=3)),
    Case("estimator: kind of model", estimator(measure="ssd", model="gmm")),
    Case("cross: other features", across("dtw", 3)),
    Case("cross: no answer", across("sym_neg", 2)),
    Case("cross: unknown parameter", across("dtw", 2, widow=3)),
    Case("cross: no models", across("kl_ll", 2)),
    Case("features: unknown", lambda _: audio_features("musik")),
    Case("features: unknown recipe", lambda _: audio_features({"recipe": "MFCC"})),
    Case("features: misspelt key", lambda _: audio_features({"n_mel": 3})),
    Case(
        "features: recipe of unknown features",
        lambda _: AudioFeatures(audio_features("speech").recipe, feature="spech"),
    ),
)
