"""Segmentation: the dynamic programme, the choice of numbers, windows, and the entry point for recordings."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import signal

import kinseq
from kinseq.clustering import registry, segment, spectral_embedding
from kinseq.clustering.segmentation import choose_n_segments, find_changes, k_segmentation
from kinseq.core.errors import DataError, ParameterError
from kinseq.core.sequences import SequenceSet
from kinseq.metrics.external import clustering_error
from kinseq_documents.data import concatenated
from kinseq_documents.stages.partitions import Partition, partitions, read, write
from kinseq_documents.stages.scores import scores_of_partitions
from kinseq_documents.tasks import Task, read_sequences, write_sequences
from tests.sentences import Recorded


def cost_of(points, boundaries):
    pieces = np.split(points, boundaries)
    return sum(((piece - piece.mean(axis=0)) ** 2).sum() for piece in pieces)


def block_distance(sizes, sources, noise=0.0, seed=0):
    """Distances of windows whose sources lie far apart."""
    rng = np.random.default_rng(seed)
    points = np.repeat(np.array(sources, dtype=float), sizes)[:, None] * 3 + noise * rng.normal(size=(sum(sizes), 2))
    return np.linalg.norm(points[:, None] - points, axis=2)


@given(st.integers(0, 2**32 - 1), st.integers(1, 9), st.integers(1, 3))
@settings(max_examples=60, deadline=None)
def test_the_dynamic_programme_finds_what_exhaustive_search_finds(seed, n, d):
    points = np.random.default_rng(seed).normal(size=(n, d))
    for count in range(1, n + 1):
        boundaries, cost = k_segmentation(points, count)
        best = min(cost_of(points, chosen) for chosen in itertools.combinations(range(1, n), count - 1))
        assert boundaries.size == count - 1
        assert cost == pytest.approx(best, abs=1e-12)
        assert cost_of(points, boundaries) == pytest.approx(best, abs=1e-12)


def test_cost_keeps_its_digits_at_a_large_offset():
    points = np.concatenate([np.zeros(5), np.ones(5)])[:, None] + 1e8
    boundaries, cost = k_segmentation(points, 2)
    assert boundaries.tolist() == [5]
    assert cost < 1e-12


def test_ties_go_to_the_earliest_boundary():
    assert k_segmentation(np.zeros((4, 1)), 3)[0].tolist() == [1, 2]


def test_number_of_segments_by_bic():
    rng = np.random.default_rng(1)
    points = np.repeat([[0.0, 1.0], [1.0, 0.0], [0.0, 1.0], [0.7, 0.7]], [30, 20, 25, 40], axis=0)
    assert choose_n_segments(points) == 4
    assert choose_n_segments(points + 0.1 * rng.normal(size=points.shape)) == 4
    assert choose_n_segments(np.ones((10, 2))) == 1


@pytest.mark.parametrize("embedding", ["njw", "literal"])
def test_segments_of_two_alternating_sources(embedding):
    distance = block_distance([10, 8, 12, 9], [0, 1, 0, 1], noise=0.2)
    found = segment(distance, 4, n_sources=2, embedding=embedding)
    assert found.boundaries.tolist() == [10, 18, 30]
    assert found.labels.tolist() == np.repeat([0, 1, 2, 3], [10, 8, 12, 9]).tolist()
    assert found.sources.tolist() == np.repeat([0, 1, 0, 1], [10, 8, 12, 9]).tolist()
    assert np.asarray(found).tolist() == found.labels.tolist()
    assert found.embedding.shape[1] == (2 if embedding == "njw" else 1)


def test_numbers_of_sources_and_segments_are_found():
    found = segment(block_distance([15, 12, 14, 10, 13], [0, 1, 2, 0, 1], noise=0.2), None)
    assert (found.n_sources, found.n_segments) == (3, 5)
    assert found.sources[[0, 41]].tolist() == [0, 0]


def test_an_isolated_window_does_not_break_its_segment():
    distance = block_distance([10, 1, 9, 10], [0, 1, 0, 1], noise=0.1)
    found = segment(distance, 2, n_sources=2)
    assert found.boundaries.tolist() == [20]
    assert found.sources[10] == 0


def test_the_embedding_is_that_of_spectral_clustering():
    distance = block_distance([6, 7], [0, 1], noise=0.5)
    found = segment(distance, 2, n_sources=2, width=1.5)
    np.testing.assert_allclose(found.embedding, spectral_embedding(distance, 2, 1.5))


def test_bad_arguments_are_named():
    distance = block_distance([3, 3], [0, 1])
    with pytest.raises(ParameterError, match=r"n_segments is 7 .*6"):
        segment(distance, 7)
    with pytest.raises(ParameterError, match="unknown embedding"):
        segment(distance, 2, embedding="shi_malik")
    with pytest.raises(DataError, match="not symmetric"):
        segment(np.triu(distance), 2)
    with pytest.raises(ParameterError, match="n_segments is 0"):
        k_segmentation(np.zeros((3, 1)), 0)


def test_segmenters_stand_apart_from_clusterers():
    assert "spectral_segmentation" in registry.segmenters()
    assert "spectral_segmentation" not in registry.names()
    distance = block_distance([4, 5, 6], [0, 1, 0], noise=0.1)
    labels = registry.get("spectral_segmentation")(distance, 2, random_state=0, n_segments=3)
    assert labels.tolist() == np.repeat([0, 1, 2], [4, 5, 6]).tolist()


def test_windows_cover_every_sample_once():
    assert concatenated.window_edges(20, 5).tolist() == [0, 5, 10, 15, 20]
    assert concatenated.window_edges(22, 5).tolist() == [0, 5, 10, 15, 22]
    assert concatenated.window_edges(23, 5).tolist() == [0, 5, 10, 15, 20, 23]
    assert concatenated.window_edges(5, 5).tolist() == [0, 5]
    with pytest.raises(ParameterError, match=r"window is 6 .*5"):
        concatenated.window_edges(5, 6)


def test_true_labels_are_majorities_and_runs_are_segments():
    sources = np.repeat([0, 1, 0], [7, 8, 5])
    sequences, tasks = concatenated.cut(np.arange(20.0)[:, None], sources, [5, 4], "made up")
    assert sequences.labels[tasks[0].indices].tolist() == [0, 1, 1, 0]
    assert sequences.groups[tasks[0].indices].tolist() == [0, 1, 1, 2]
    assert (tasks[0].n_clusters, tasks[0].n_segments, tasks[0].x) == (2, 3, 5.0)
    # The second window of length 4 holds 3 samples of either source but one more of the first.
    assert sequences.labels[tasks[1].indices].tolist() == [0, 0, 1, 1, 0]
    np.testing.assert_array_equal(np.concatenate([sequences[i] for i in tasks[1].indices])[:, 0], np.arange(20.0))


def test_the_made_recording_alternates_between_its_models():
    params = {"n_segments": 20, "shortest": 350, "longest": 2000, "windows": [100, 150]}
    params["models"] = ["theta1", "theta2"]
    sequences, tasks = concatenated.mixture_segments(3, **params)
    again, _ = concatenated.mixture_segments(3, **params)
    np.testing.assert_array_equal(sequences.values, again.values)
    assert [(task.n_clusters, task.n_segments) for task in tasks] == [(2, 20), (2, 20)]
    for task in tasks:
        runs = np.flatnonzero(np.diff(sequences.groups[task.indices])) + 1
        assert (sequences.labels[task.indices][np.r_[0, runs]] == np.arange(20) % 2).all()
    total = sequences.lengths[tasks[0].indices].sum()
    assert 350 * 20 <= total <= 2000 * 20


def test_a_recording_is_cut_where_its_dynamics_change():
    rng = np.random.default_rng(2)
    parts = []
    for stay in (0.8, 0.2, 0.8):
        state = 0
        for _ in range(600):
            state = state if rng.random() < stay else 1 - state
            parts.append(4.0 * state + rng.normal())
    recording = np.array(parts)[:, None]
    for options in ({"measure": "kl_ll"}, {"measure": "ssd", "n_states": 2}):
        found = kinseq.segment_sequence(recording, 75, n_segments=3, n_sources=2, **options)
        assert found.boundaries.tolist() == [600, 1200]
        assert found.sources.tolist() == [0, 1, 0]
        assert found.labels.tolist() == np.repeat([0, 1, 2], 600).tolist()
        assert np.asarray(found).tolist() == found.boundaries.tolist()


@pytest.mark.parametrize("options", [{"measure": "dtw"}, {"measure": "mean_vector"}, {"n_states": 1}], ids=str)
def test_the_unit_of_a_column_does_not_decide_where_a_recording_is_cut(options):
    # The level changes in one column, and the other is noise that hides it in a unit of a thousandth.
    rng = np.random.default_rng(3)
    level = np.repeat([0.0, 3.0, 0.0], [100, 140, 120])
    recording = np.column_stack([level + rng.normal(size=360), rng.normal(size=360)])
    other_unit = recording * [1.0, 1000.0]
    options = {"window": 20, "n_segments": 3, "n_sources": 2, **options}
    for columns in (recording, other_unit, other_unit[:, ::-1]):
        assert kinseq.segment_sequence(columns, **options).boundaries.tolist() == [100, 240]
    zscores = (other_unit - other_unit.mean(axis=0)) / other_unit.std(axis=0)
    scaled, given = (
        kinseq.segment_sequence(x, scale=scale, **options) for x, scale in ((other_unit, "zscore"), (zscores, "none"))
    )
    np.testing.assert_allclose(scaled.distance, given.distance, rtol=1e-6, atol=1e-9)
    if "measure" in options:
        raw = kinseq.segment_sequence(other_unit, scale="none", **options)
        assert raw.boundaries.tolist() != [100, 240]


def test_segment_sequence_names_what_is_wrong(recorded: Recorded):
    with recorded.raises(ParameterError):
        kinseq.segment_sequence(np.zeros((100, 1)), 10, scale="minmax")
    with pytest.raises(DataError, match="two dimensions"):
        kinseq.segment_sequence(np.zeros(100), 10)
    with recorded.raises(ParameterError):
        kinseq.segment_sequence(np.zeros((10, 1)), 8)
    with pytest.raises(ParameterError, match="unknown measure"):
        kinseq.segment_sequence(np.zeros((10, 1)), 2, measure="kl")
    with recorded.raises(ParameterError):
        kinseq.segment_sequence(np.zeros((10, 1)), 2, states=3)


def test_segmentation_passes_through_the_stages(tmp_path):
    sizes, truth = [6, 5, 7], np.repeat([0, 1, 2], [6, 5, 7])
    sources = np.array([0, 1, 0])[truth]
    sequences = SequenceSet.from_arrays([np.zeros((3, 1))] * 18, labels=sources, groups=truth, name="recording")
    task = Task("w3", np.arange(18), 2, x=3.0, n_segments=3)
    write_sequences(tmp_path / "s.npz", sequences, [task])
    sequences, [task] = read_sequences(tmp_path / "s.npz")
    assert task.n_segments == 3

    class Given:
        measure, model, trial, findings = "kl_ll", "hmm2", 0, {}
        matrix = block_distance(sizes, [0, 1, 0], noise=0.1)

    Given.task = task
    chosen = {name: {"clusterer": name} for name in ("spectral", "spectral_segmentation")}
    write(tmp_path / "p.npz", partitions([Given], chosen, "recording", 1))
    found = {part.clusterer: part for part in read(tmp_path / "p.npz")}
    assert found["spectral_segmentation"].labels.tolist() == truth.tolist()
    rows = scores_of_partitions(sequences, [task], found.values())
    metrics = {(row["clusterer"], row["metric"]): row["value"] for row in rows}
    assert metrics["spectral", "error"] == 0.0
    assert metrics["spectral_segmentation", "segmentation_error"] == 0.0
    assert ("spectral_segmentation", "error") not in metrics
    late = np.repeat([0, 1, 2], [8, 3, 7])
    part = Partition("kl_ll", "hmm2", 0, "w3", "spectral_segmentation", late, {}, segments=True)
    value = scores_of_partitions(sequences, [task], [part])[0]["value"]
    assert value == pytest.approx(100 * 2 / 18)
    assert value == pytest.approx(clustering_error(truth, late))


def test_noise_of_one_kind_is_one_segment_and_a_change_is_found_to_the_window() -> None:
    rng = np.random.default_rng(0)
    noise = kinseq.segment_sequence(rng.normal(size=(1200, 1)), window=60)
    assert noise.n_segments == 1
    assert noise.notes[0].startswith("1 segment: ")
    assert noise.to_frame()[["start", "end"]].to_numpy().tolist() == [[0, 1200]]
    changed = np.concatenate([rng.normal(0.0, 1.0, 480), rng.normal(0.0, 4.0, 720)])[:, None]
    found = kinseq.segment_sequence(changed, window=60)
    assert found.boundaries.tolist() == [480]
    assert "\n" not in repr(found)
    assert found.to_frame()["samples"].tolist() == [480, 720]


def test_changes_are_as_rare_among_items_without_any_as_is_promised() -> None:
    rng, found = np.random.default_rng(1), 0
    for seed in range(40):
        points = rng.normal(size=(24, 3))
        found += find_changes(np.linalg.norm(points[:, None] - points, axis=2), random_state=seed)[0].size > 0
    assert found <= 3
    levels = np.repeat([0.0, 9.0, 0.0], 8)
    assert find_changes(np.abs(levels[:, None] - levels))[0].tolist() == [8, 16]


@pytest.mark.parametrize("seed", range(3))
def test_three_regimes_are_cut_where_they_change_and_neighbours_differ(seed: int) -> None:
    rng, time = np.random.default_rng(seed), np.arange(1600)
    slow = signal.lfilter([1.0], [1.0, -0.9], rng.normal(size=1600))
    values = np.where(time < 480, rng.normal(size=1600), np.where(time < 1120, slow, rng.normal(3.0, 1.0, 1600)))
    found = kinseq.segment_sequence(values[:, None], window=40)
    np.testing.assert_allclose(found.boundaries, [480, 1120], atol=40)
    assert (np.diff(found.sources) != 0).all()


def test_known_boundaries_stay_and_sources_are_as_many_as_it_takes() -> None:
    # Three levels in a row, of which two sources would make two equal.
    place = np.repeat([0.0, 1.0, 2.0], 6)
    distance = np.abs(place[:, None] - place)
    found = segment(distance, None, boundaries=np.array([6, 12]))
    np.testing.assert_array_equal(found.boundaries, [6, 12])
    assert found.n_segments == 3
    assert (np.diff(found.sources[[0, 6, 12]]) != 0).all()
