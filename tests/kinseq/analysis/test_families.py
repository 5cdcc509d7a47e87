"""Which measure decides where none is named and the number of groups is given."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

import kinseq
from kinseq.analysis import families, pipeline
from kinseq.analysis.log import Remarks
from kinseq.analysis.result import Result
from kinseq.metrics import ari

N = 24
TRUTH = np.arange(N) % 2


def movements(seed: int = 1) -> list[np.ndarray]:
    """Movements of random courses and sizes: of two kinds, by which columns are the larger ones, and a little by levels."""
    random = np.random.default_rng([69, seed])
    made = []
    for i in range(N):
        size = random.uniform(0.7, 1.4) * np.array([1.0, 1.7, 1.0, 1.7] if i % 2 else [1.7, 1.0, 1.7, 1.0])
        level = (1.0 if i % 2 else -1.0) * np.array([0.6, -0.6, 0.6, -0.6]) + random.normal(0.0, 0.5, 4)
        course = np.sin(np.linspace(0.0, 1.0, 50)[:, None] * random.uniform(4.0, 12.0, 4) + random.uniform(0.0, 6.0, 4))
        made.append(size * course + level + random.normal(0.0, 0.1, (50, 4)))
    return made


def curves(seed: int = 0) -> list[np.ndarray]:
    """Curves of two shapes at any speed, with levels and sizes by chance."""
    random = np.random.default_rng([70, seed])
    made = []
    for i in range(N):
        time = np.linspace(0.0, 1.0, 80) ** random.uniform(0.8, 1.25)
        shape = np.exp(-(((time - (0.3 if i % 2 else 0.6)) / 0.08) ** 2)) - np.exp(-(((time - 0.8) / 0.05) ** 2))
        made.append(random.uniform(0.8, 1.25) * shape[:, None] + random.normal(0.0, 0.05, (80, 1)))
    return made


def test_movements_are_grouped_by_size_and_curves_by_course() -> None:
    moved, bent = kinseq.cluster(movements(), 2), kinseq.cluster(curves(), 2)
    assert moved.measure == "balanced"
    assert ari(moved.labels, TRUTH) > ari(kinseq.cluster(movements(), 2, "elastic").labels, TRUTH) + 0.2
    assert bent.measure == "elastic"
    assert ari(bent.labels, TRUTH) > 0.8


def test_the_result_says_what_decided_and_what_the_other_would_say() -> None:
    found = kinseq.cluster(movements(), 2)
    (said,) = [note for note in found.notes if note.startswith("grouped by")]
    other = kinseq.cluster(movements(), 2, "elastic")
    agreement = ari(found.labels, other.labels)
    assert said == (
        "grouped by levels, spreads, models and alignments together; alignments (measure='elastic') would give other groups"
        f" (agreement {agreement:.2f})"
    )
    assert ("measure", "balanced") in [entry[:2] for entry in found.choices]


@pytest.mark.parametrize("make", [movements, curves])
def test_the_measure_that_was_taken_gives_the_same_by_its_name(
    make: Callable[..., list[np.ndarray]], tmp_path: Path
) -> None:
    sequences = make()
    found = kinseq.cluster(sequences, 2)
    named = kinseq.cluster(sequences, 2, found.measure)
    np.testing.assert_array_equal(found.labels, named.labels)
    np.testing.assert_array_equal(found.distance, named.distance)
    estimator = kinseq.SequenceClustering(2).fit(sequences)
    np.testing.assert_array_equal(found.labels, estimator.labels_)
    assert estimator.measure_ == found.measure
    new = make(1)
    found.save(tmp_path / "result.kinseq")
    kept = kinseq.load(tmp_path / "result.kinseq")
    assert kept.measure == found.measure
    np.testing.assert_array_equal(kept.predict(new), named.predict(new))


@pytest.mark.parametrize("make", [movements, curves])
def test_noise_in_the_last_digits_and_the_seed_change_no_label(make: Callable[..., list[np.ndarray]]) -> None:
    sequences = make()
    found = kinseq.cluster(sequences, 2)
    random = np.random.default_rng(0)
    moved = [frames + 1e-6 * frames.std() * random.normal(size=frames.shape) for frames in sequences]
    others = [kinseq.cluster(moved, 2), *(kinseq.cluster(sequences, 2, random_state=seed) for seed in (1, 2))]
    for other in others:
        assert other.measure == found.measure
        assert ari(other.labels, found.labels) == 1.0


def test_alignments_come_first_where_both_show_the_same() -> None:
    random = np.random.default_rng(0)
    apart = [random.normal(5.0 * (i % 2), 1.0, (40, 2)) for i in range(N)]
    found = kinseq.cluster(apart, 2)
    assert ari(found.labels, TRUTH) == 1.0
    assert ari(found.labels, kinseq.cluster(apart, 2, "elastic").labels) == 1.0
    assert not [entry for entry in found.choices if entry[0] == "measure"]


def test_a_named_measure_parameters_and_other_clusterers_leave_nothing_open(monkeypatch: pytest.MonkeyPatch) -> None:
    counts: list[int] = []
    taken = families.taken

    def counted(results: Sequence[Result]) -> tuple[Result, Remarks]:
        counts.append(len(results))
        return taken(results)

    monkeypatch.setattr(pipeline, "taken", counted)
    for how in (
        {"measure": "elastic"},
        {"params": {"views": ["dtw_delta"]}},
        {"clusterer": "kmedoids"},
        {"n_clusters": None},
    ):
        kinseq.cluster(movements(), **{"n_clusters": 2, **how})
    assert set(counts) == {1}
    kinseq.cluster(movements(), 2)
    assert counts[-1] == 2
