"""Many sequences: a sample is compared, all others are assigned to its clusters."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

import kinseq
from kinseq import SequenceClustering
from kinseq import api as own
from kinseq.analysis import limits, sampling
from kinseq.analysis.prediction import cross, nearest, representatives, represented
from kinseq.analysis.sampling import default_size, far_away, smallest_in_sight, stratified
from kinseq.cli.commands import run_cluster
from kinseq.cli.request import FILES
from kinseq.core import system
from kinseq.core.errors import DataError, ParameterError
from kinseq.core.sequences import SequenceSet
from kinseq.measures.registry import get
from kinseq.metrics import ari
from kinseq.readers.writers import write_folder
from tests.sentences import Recorded

KINDS = 3


def waves(each: int = 40, seed: int = 0) -> list[np.ndarray]:
    """Sequences of three kinds, of different level, speed and length."""
    rng = np.random.default_rng(seed)
    found = []
    for i in range(each * KINDS):
        kind, frames = i % KINDS, 20 + int(rng.integers(6))
        time = np.arange(frames) / (3.0, 5.0, 9.0)[kind] + rng.random()
        found.append((2.0 * kind + np.sin(2 * np.pi * time) + rng.normal(scale=0.2, size=frames))[:, None])
    return found


TRUTH = np.tile(np.arange(KINDS), 40)


@pytest.fixture(autouse=True)
def _few_representatives(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "REPRESENTATIVES_LEAST", 3)
    monkeypatch.setattr(limits, "REPRESENTATIVES_MOST", 8)


@pytest.fixture(scope="module")
def found() -> own.SampledClustering:
    result = kinseq.cluster(waves(), KINDS, measure="dtw,ssd", sample=48, n_states=3, n_resamples=5)
    assert isinstance(result, own.SampledClustering)
    return result


def test_all_sequences_get_a_cluster_and_sampled_ones_keep_theirs(found: own.SampledClustering) -> None:
    assert len(found.labels) == len(TRUTH)
    assert ari(TRUTH, found.labels) == 1.0
    assert len(found.sample_positions) == len(found.sample.labels) == 48
    np.testing.assert_array_equal(found.labels[found.sample_positions], found.sample.labels)
    for part, whole in zip(found.sample.original, found.sample_positions, strict=True):
        np.testing.assert_array_equal(part, waves()[whole])
    assert [view.measure.name for view in found.sample.views] == ["dtw", "ssd"]


def test_attributes_are_those_of_all(found: own.SampledClustering, recorded: Recorded) -> None:
    assert found.n_clusters == KINDS
    for medoid, frames in zip(found.medoid_indices_, found.details.medoids, strict=True):
        np.testing.assert_array_equal(waves()[medoid], frames)
    assert found.embedding_.shape == (len(TRUTH), 2)
    within = np.array([found.embedding_[found.labels == k].std(axis=0).sum() for k in range(KINDS)])
    centres = np.array([found.embedding_[found.labels == k].mean(axis=0) for k in range(KINDS)])
    assert within.max() < np.ptp(centres, axis=0).max()
    recorded.within(repr(found))
    assert "<svg" in found._repr_html_()


def test_there_is_no_matrix_of_all_and_the_sentence_says_what_there_is(
    found: own.SampledClustering, recorded: Recorded
) -> None:
    for attribute in ("distance", "silhouettes", "stability"):
        with recorded.raises(ParameterError):
            getattr(found, attribute)


def test_assignment_is_the_rule_written_out(found: own.SampledClustering) -> None:
    """The least mean of the five least dissimilarities, of the measure itself, over pairs that were all computed."""
    base = found._base
    both = SequenceSet.from_arrays([*base.sequences, *in_scale_of(found, waves())])
    matrix = kinseq.measures.compute("dtw", both)[len(base.sequences) :, : len(base.sequences)]
    means = [np.sort(matrix[:, base.labels == k])[:, : limits.N_NEAREST].mean(axis=1) for k in range(KINDS)]
    others = np.setdiff1d(np.arange(len(TRUTH)), found.sample_positions)
    np.testing.assert_array_equal(np.argmin(means, axis=0)[others], found.labels[others])
    np.testing.assert_array_equal(found.predict(waves())[others], found.labels[others])
    own_mean, next_mean = np.sort(means, axis=0)[:2]
    strength = next_mean / (own_mean + next_mean)
    np.testing.assert_allclose(found.membership_[others], strength[others], rtol=1e-12)
    np.testing.assert_array_equal(found.membership_[found.sample_positions], found.sample.membership_)


def test_all_belong_to_a_single_cluster() -> None:
    found = kinseq.cluster([frames for frames in waves(16) if frames.mean() < 1], 1, measure="dtw", sample=12)
    np.testing.assert_array_equal(found.membership_, np.ones(16))


def in_scale_of(found: own.SampledClustering, sequences: list[np.ndarray]) -> list[np.ndarray]:
    return list(found.sample.scaling.apply(SequenceSet.from_arrays(sequences)))


def test_columns_are_scaled_over_all_sequences(found: own.SampledClustering) -> None:
    frames = np.concatenate(in_scale_of(found, waves()))
    np.testing.assert_allclose([frames.mean(), frames.std()], [0.0, 1.0], atol=1e-12)


@pytest.mark.parametrize("measure", ["elastic", "fusion", "ssd", "kl_ll"])
def test_neither_order_nor_threads_nor_blocks_change_anything(measure: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sequences, order = waves(22), np.random.default_rng(5).permutation(22 * KINDS)
    sequences[7] = sequences[1].copy()
    given: dict[str, Any] = {} if measure == "elastic" else {"n_states": 2}
    one = kinseq.cluster(sequences, measure=measure, sample=45, max_clusters=5, **given)
    monkeypatch.setattr(limits, "ASSIGNED_AT_ONCE", 7)
    other = kinseq.cluster([sequences[i] for i in order], measure=measure, sample=45, max_clusters=5, n_jobs=2, **given)
    np.testing.assert_array_equal(one.labels[order], other.labels)
    assert set(order[other.sample_positions]) - set(one.sample_positions) <= {1, 7}
    assert one._comes_back == other._comes_back is not None
    assert one.labels[7] == one.labels[1]


def test_a_sequence_is_assigned_whatever_the_others_are(found: own.SampledClustering) -> None:
    new = waves(4, seed=3)
    together = found.predict(new)
    assert ari(np.tile(np.arange(KINDS), 4), together) == 1.0
    np.testing.assert_array_equal([found.predict([frames])[0] for frames in new], together)
    np.testing.assert_allclose(np.concatenate([found.transform([frames]) for frames in new]), found.transform(new))


def test_equal_sequences_share_a_cluster_whether_sampled_or_not() -> None:
    kinds = waves(1)
    sequences = [kinds[i % KINDS] for i in range(30)] + waves(3, seed=2)
    result = kinseq.cluster(sequences, KINDS, measure="dtw", sample=12)
    labels = result.labels[:30].reshape(10, KINDS)
    assert (labels == labels[0]).all()
    assert len(set(labels[0])) == KINDS


def test_fused_clusters_of_a_sample_are_those_of_all() -> None:
    sequences = waves(30, seed=4)
    dense, sampled = (kinseq.cluster(sequences, KINDS, sample=size) for size in (None, 45))
    assert type(dense) is own.Clustering
    assert ari(dense.labels, sampled.labels) == 1.0
    assert sampled._comes_back == 1.0
    # Choices that depend on the sample size are not repeated for the representatives.
    decided = sampled.views[0].findings["frames_averaged"]
    assert sampled._base.views[0].params["frames_averaged"] == decided


def test_few_sequences_are_all_compared_and_the_limit_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    few = waves(4)
    assert type(kinseq.cluster(few, KINDS, measure="dtw")) is own.Clustering
    assert type(kinseq.cluster(few, KINDS, measure="dtw", sample=12)) is own.Clustering
    monkeypatch.setattr(limits, "MAX_ALL_PAIRS", 11)
    monkeypatch.setattr(sampling, "default_size", lambda frames, n_features: 8)
    result = kinseq.cluster(few, 2, measure="dtw")
    assert isinstance(result, own.SampledClustering)
    assert any(choice[1] == "8 of 12" for choice in result.sample.choices)
    assert type(kinseq.cluster(few, 2, measure="dtw", sample=None)) is own.Clustering


def test_one_cluster_holds_all() -> None:
    result = kinseq.cluster(waves(8), 1, measure="dtw", sample=8)
    np.testing.assert_array_equal(result.labels, 0)


@pytest.mark.parametrize(("frames", "d"), [(10, 1), (100, 1), (100, 12), (10_000, 30)])
def test_the_size_of_a_sample_falls_with_what_pairs_cost(frames: int, d: int) -> None:
    size = default_size(frames, d)
    assert limits.SAMPLE_LEAST <= size <= limits.SAMPLE_MOST < limits.MAX_ALL_PAIRS
    assert default_size(2 * frames, d) <= size
    assert default_size(frames, 2 * d) <= size
    if limits.SAMPLE_LEAST < size < limits.SAMPLE_MOST:
        cells = size * size * frames * (1 + d / 4)
        assert cells == pytest.approx(limits.SAMPLE_CELLS, rel=0.01)


def test_strata_are_drawn_in_proportion() -> None:
    """A group that one column tells apart has its share of the sample, to a rounding of each cut."""
    rng = np.random.default_rng(0)
    group = rng.random(2000) < 0.15
    columns = np.column_stack([rng.normal(size=2000) + 20 * group, rng.normal(size=2000)])
    drawn = [stratified(columns, 100, seed) for seed in range(30)]
    shares = np.array([group[chosen].mean() for chosen in drawn])
    assert abs(shares - group.mean()).max() < 0.02
    assert shares.std() < 0.3 * np.sqrt(group.mean() * (1 - group.mean()) / 100)
    for chosen in drawn:
        assert np.unique(chosen).size == 100
    times = np.bincount(np.concatenate(drawn), minlength=2000)
    assert times.max() <= binom.ppf(1 - 1e-6, 30, 0.06)
    np.testing.assert_array_equal(stratified(columns, 2000, 0), np.arange(2000))
    np.testing.assert_array_equal(stratified(np.zeros((50, 1)), 50, 0), np.arange(50))


def test_what_is_unlike_all_that_was_sampled_is_told() -> None:
    columns = np.random.default_rng(2).normal(size=(400, 3))
    columns[[7, 300]] += [[30.0, 0, 0], [0, 0, -40.0]]
    sampled = np.setdiff1d(np.arange(0, 400, 4), [300])
    assert far_away(columns, sampled).tolist() == [7, 300]
    assert far_away(columns, np.append(sampled, [7, 300])).size == 0
    assert far_away(np.zeros((9, 2)), np.array([1, 4])).size == 0
    sequences = waves(40)
    sequences[5] = sequences[5] + 60.0
    found = [kinseq.cluster(sequences, KINDS, measure="dtw", sample=12, random_state=seed) for seed in range(3)]
    for one in found:
        lonely = 5 not in one.sample_positions
        assert one._unlike.tolist() == ([5] if lonely else [])
        assert any("s00005; their clusters" in text for text in one.warnings()) == lonely
    assert any(one._unlike.size for one in found)


def test_the_smallest_cluster_in_sight_is_counted_right() -> None:
    rng = np.random.default_rng(1)
    smallest = smallest_in_sight(500, 100, 4)
    met = np.array([(rng.permutation(500)[:100] < smallest).sum() for _ in range(20_000)])
    assert (met >= 4).mean() == pytest.approx(limits.SIGHT_PROBABILITY, abs=0.02)
    assert (met >= 4).mean() > limits.SIGHT_PROBABILITY - 0.01
    assert (met - (rng.random(20_000) < met / smallest) >= 4).mean() < limits.SIGHT_PROBABILITY  # one member fewer
    assert smallest_in_sight(500, 500, 4) == 4
    assert smallest_in_sight(500, 3, 4) == 500


def test_representatives_reach_from_the_most_typical_to_the_least(
    found: own.SampledClustering, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "REPRESENTATIVES_LEAST", 2)
    monkeypatch.setattr(limits, "REPRESENTATIVES_MOST", 3)
    chosen = representatives(found.sample)
    assert np.bincount(found.sample.labels[chosen]).tolist() == [3] * KINDS
    for cluster in range(KINDS):
        ranked = found.sample.details.typical(cluster, 48)
        assert {ranked[0], ranked[-1]} <= set(chosen.tolist())
    base = represented(found.sample)
    np.testing.assert_array_equal(base.labels, found.sample.labels[chosen])
    np.testing.assert_allclose(base.distance, found.sample.distance[np.ix_(chosen, chosen)])
    np.testing.assert_allclose(cross(base, base.sequences), base.distance, atol=1e-12)


def test_the_nearest_representatives_decide_and_not_their_number() -> None:
    labels = np.array([0] * 9 + [1] * 2)
    row = np.array([[9.0, 9, 9, 9, 1, 1, 1, 1, 1, 2, 0.5]])
    assert nearest(row, labels).tolist() == [0]
    row[0, 4] = 3.0
    assert nearest(row, labels).tolist() == [1]


def test_borders_that_are_not_sharp_are_told(recorded: Recorded) -> None:
    rng = np.random.default_rng(0)
    blurred = kinseq.cluster([rng.normal(size=(8, 1)) for _ in range(120)], 6, measure="dtw", sample=110, n_resamples=2)
    assert blurred._comes_back < 0.9
    recorded.within("\n".join(blurred.warnings()))


def test_the_page_tells_sampled_from_assigned(tmp_path: Path, recorded: Recorded) -> None:
    folder = tmp_path / "data"
    sequences = SequenceSet.from_arrays(waves(20), labels=TRUTH[:60].astype(str), ids=[f"w{i:02d}" for i in range(60)])
    write_folder(folder, sequences)
    result = kinseq.cluster(folder, KINDS, measure="dtw,statistics", sample=30, n_resamples=2)
    text = result.report(tmp_path / "page").read_text(encoding="utf-8")
    recorded.within(text)
    assert result._in_sight() in text
    assert f"{result._comes_back:.1%} of the sampled" in text
    with (tmp_path / "page/partition.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["id"] for row in rows] == result.sequences.ids.tolist()
    assert [int(row["cluster"]) - 1 for row in rows] == result.labels.tolist()
    sampled = [i for i, row in enumerate(rows) if row["how"] == "sampled"]
    assert sampled == result.sample_positions.tolist()
    for row in rows:
        known = row["how"] == "sampled"
        assert {bool(row[name]) for name in ("silhouette", "neighbour_1", "cluster_statistics")} == {known}
        assert row["how"] in ("sampled", "assigned")
        assert row["label"]
    with np.load(tmp_path / "page/distance.npz") as arrays:
        assert arrays["dtw"].shape == (30, 30)
        assert arrays["ids"].tolist() == result.sequences.ids[result.sample_positions].tolist()
    # Scores are over all 60 sequences.
    assert result.scores["dtw"]["adjusted Rand index"] == ari(TRUTH[:60], result.labels)
    recorded.within(text)


def test_a_command_says_that_a_sample_was_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], recorded: Recorded
) -> None:
    write_folder(tmp_path / "data", SequenceSet.from_arrays(waves(8)))
    own_key = {
        "data": str(tmp_path / "data"),
        "name": "it",
        "k": KINDS,
        "measure": "dtw",
        "sample": 12,
        "n_resamples": 2,
    }
    found = run_cluster(own_key, tmp_path / "results/own/it/index.html", 1, 1, "make cluster")
    said = capsys.readouterr().out
    recorded.within(said)
    assert "it: 24 sequences: 3 groups" in said
    assert {entry.name for entry in (tmp_path / "results/own/it").iterdir()} >= set(FILES)
    settings = json.loads((tmp_path / "results/own/it/settings.json").read_text(encoding="utf-8"))
    assert settings["own"]["sample"] == len(found.sample_positions) == 12


def test_the_estimator_is_the_same_analysis() -> None:
    sequences = waves(20)
    one = kinseq.cluster(sequences, KINDS, measure="dtw", sample=30)
    model = SequenceClustering(measure="dtw", n_clusters=KINDS, sample=30)
    np.testing.assert_array_equal(model.fit_predict(sequences), one.labels)
    assert model.distance_ is None
    np.testing.assert_array_equal(model.predict(sequences[:5]), one.predict(sequences[:5]))
    np.testing.assert_array_equal(model.fit_transform(sequences), model.transform(sequences))


def test_what_does_not_fit_into_the_memory_is_refused_before_it_is_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampling, "memory", lambda: 10_000)
    with pytest.raises(DataError, match=r"60 sequences .*0\.0 GB"):
        kinseq.cluster(waves(20), KINDS, measure="dtw", sample=None)
    assert len(kinseq.cluster(waves(20), KINDS, measure="dtw", sample=12).labels) == 60


def test_memory_of_a_job_is_less_than_that_of_the_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = system.memory()
    limit = tmp_path / "memory.max"
    monkeypatch.setattr(system, "CONTROL_GROUP", limit)
    assert system.memory() >= whole
    limit.write_text("12345\n", encoding="ascii")
    assert system.memory() == 12345
    limit.write_text("max\n", encoding="ascii")
    assert system.memory() >= whole


def test_a_fusion_takes_the_number_of_frames_to_average() -> None:
    given = SequenceSet.from_arrays(waves(5))
    usual = kinseq.measures.compute("fusion", given)
    np.testing.assert_array_equal(kinseq.measures.compute("fusion", given, frames_averaged=1), usual)
    coarse = kinseq.measures.compute("fusion", given, frames_averaged=4)
    assert not np.allclose(coarse, usual)
    assert "frames_averaged" in get("fusion").params


def test_a_result_of_a_sample_adds_the_sample_and_nothing_else(found: own.SampledClustering) -> None:
    """Whoever writes for one can read the other."""
    names = [{name for name in dir(entry) if not name.startswith("_")} for entry in (found, found.sample)]
    assert names[0] - names[1] == {"sample", "sample_positions"}
    assert names[1] <= names[0]
    assert len(names[0]) <= 40
