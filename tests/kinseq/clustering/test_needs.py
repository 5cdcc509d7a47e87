"""Needs, kinds of models, and clusterers of items: the seam between what is fitted and what is computed from it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kinseq import SequenceClustering, clustering, measures
from kinseq.clustering import registry
from kinseq.clustering.means import kmeans_of_means
from kinseq.core.sequences import SequenceSet
from kinseq_documents.stages import partitions as stage
from kinseq_documents.tasks import Task


def items(n: int = 12) -> SequenceSet:
    rng = np.random.default_rng(0)
    return SequenceSet.from_arrays([rng.normal(5.0 * (i % 3), 1.0, (6 + i % 4, 2)) for i in range(n)])


def test_k_means_of_means_is_k_means_of_the_means() -> None:
    from sklearn.cluster import KMeans

    given = items()
    means = np.array([x.mean(axis=0) for x in given])
    expected = KMeans(3, n_init=10, random_state=0).fit(means / means.std(axis=0)).labels_
    found = kmeans_of_means(given, 3)
    assert (np.equal.outer(found, found) == np.equal.outer(expected, expected)).all()


def test_columns_of_means_weigh_alike_only_if_they_are_scaled() -> None:
    # The groups differ in the first column; the second is louder and uninformative.
    noise = np.random.default_rng(1).permutation(np.linspace(-1.0, 1.0, 20))
    given = [np.array([[float(i % 2), 40.0 * noise[i]]]) for i in range(20)]
    groups = np.arange(20) % 2
    np.testing.assert_array_equal(kmeans_of_means(given, 2, scale="zscore") == 0, groups == 0)
    assert ((kmeans_of_means(given, 2, scale="none") == 0) != (groups == 0)).any()


def test_clusterers_of_items_and_of_matrices_share_a_stage() -> None:
    given = items()
    tasks = [Task("all", np.arange(12), 3), Task("some", np.array([0, 1, 3, 4]), 2, trial=1)]
    entries = {
        "means": {"clusterer": "kmeans_of_means", "params": {"scale": "none"}},
        "tree": {"clusterer": "hierarchical"},
    }
    found = list(stage.partitions_of_items(given, tasks, entries, [0, 1], seed=7))
    assert [(p.measure, p.model, p.trial, p.task, p.clusterer) for p in found] == [
        ("none", "none", 0, "all", "means"),
        ("none", "none", 1, "all", "means"),
        ("none", "none", 1, "some", "means"),
    ]
    assert len(found[2].labels) == 4
    assert set(stage.clusterers_accepting("matrix", entries)) == {"tree"}
    assert list(stage.partitions([], {"means": entries["means"]}, "x", 7)) == []


def test_what_does_not_depend_on_the_seed_is_made_once_for_tasks_that_all_trials_share(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[int] = []
    chosen = registry.get

    def counting(name: str):  # type: ignore[no-untyped-def]
        clusterer = chosen(name)

        def partition(data, n_clusters, seed, **params):  # type: ignore[no-untyped-def]
            made.append(len(data))
            return clusterer.partition(data, n_clusters, seed=seed, **params)

        return replace(clusterer, partition=partition)

    monkeypatch.setattr(registry, "get", counting)
    shared, drawn = Task("all", np.arange(12), 3), [Task("some", np.arange(4 + t), 2, trial=t) for t in (0, 1)]
    entries = {"hard": {"clusterer": "sphere_packing", "params": {"C": None}}, "soft": {"clusterer": "sphere_packing"}}
    found = list(stage.partitions_of_items(items(), [shared, *drawn], entries, [0, 1], seed=7))
    assert len(found) == 8
    assert sorted(made) == [4, 4, 5, 5, 12, 12]
    by_trial = {(p.trial, p.task, p.clusterer): p.labels for p in found}
    for name, params in (("hard", {"C": None}), ("soft", {})):
        expected = clustering.sphere_packing(items(), 3, **params).labels
        for trial in (0, 1):
            np.testing.assert_array_equal(by_trial[trial, "all", name], expected)
    made.clear()
    list(stage.partitions_of_items(items(), [shared], {"means": {"clusterer": "kmeans_of_means"}}, [0, 1], seed=7))
    assert len(made) == 2


def test_partitions_of_items_survive_the_file(tmp_path: Path) -> None:
    tasks = [Task("all", np.arange(12), 3)]
    found = list(stage.partitions_of_items(items(), tasks, {"m": {"clusterer": "kmeans_of_means"}}, [0], seed=7))
    stage.write(tmp_path / "p.npz", found)
    again = stage.read(tmp_path / "p.npz")
    assert [(p.measure, p.clusterer, p.labels.tolist()) for p in again] == [("none", "m", found[0].labels.tolist())]


def test_partitions_of_some_measures_are_read(tmp_path: Path) -> None:
    found = [stage.Partition(m, "none", 0, "all", "mcl", np.arange(3), {}) for m in ("a", "b")]
    stage.write(tmp_path / "p.npz", found)
    for asked, expected in ((None, ["a", "b"]), (["b"], ["b"]), (["none"], [])):
        assert [part.measure for part in stage.read(tmp_path / "p.npz", asked)] == expected


def test_an_estimator_with_a_clusterer_of_items_computes_no_matrix() -> None:
    estimator = SequenceClustering(clusterer="kmeans_of_means", n_clusters=3, scale="none", random_state=0)
    labels = estimator.fit_predict(list(items()))
    np.testing.assert_array_equal(labels, clustering.get("kmeans_of_means")(items(), 3, random_state=0, scale="none"))
    assert estimator.distance_ is None


def test_measures_that_need_no_models_take_none_of_their_parameters() -> None:
    assert measures.fitting.valid_params(measures.get("dtw")) == ["normalise", "window"]
    assert {"model", "n_states", "norm"} <= set(measures.fitting.valid_params(measures.get("kl_ll")))
