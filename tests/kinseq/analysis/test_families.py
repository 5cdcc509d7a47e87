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


def columns(random: np.random.Generator, n_kinds: int = 2) -> tuple[list[np.ndarray], np.ndarray]:
    """Courses of a few kinds in three columns, at any speed, with sizes and levels by chance."""
    shape = (n_kinds, 3)
    phase, frequency = random.uniform(0.0, 6.28, shape), random.uniform(1.0, 2.5, shape)
    level, size = random.normal(0.0, 0.8, shape), random.uniform(0.6, 1.6, shape)
    made, kinds = [], np.arange(N) % n_kinds
    for kind in kinds:
        time = np.linspace(0.0, 1.0, int(50 * random.uniform(0.85, 1.15)))[:, None] ** random.uniform(0.85, 1.18)
        course = np.sin(2.0 * np.pi * frequency[kind] * time + phase[kind] + random.normal(0.0, 0.25))
        frames = level[kind] + random.normal(0.0, 0.25, 3) + size[kind] * random.uniform(0.85, 1.15) * course
        made.append(frames + random.normal(0.0, 0.15, frames.shape))
    return made, kinds


def with_glitches(frames: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """One to three frames of a column far away, in a third of the sequences."""
    frames = frames.copy()
    if random.random() < 0.35:
        start = random.integers(0, len(frames) - 3)
        end, value = start + random.integers(1, 4), random.choice([-1, 1]) * random.uniform(10.0, 60.0)
        frames[start:end, random.integers(frames.shape[1])] = value
    return frames


def with_a_saturated_column(frames: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """One more column that lies at one of its ends most of the time."""
    walk = np.cumsum(random.normal(0.0, 1.0, len(frames))) + random.normal(0.0, 3.0)
    return np.column_stack([frames, np.clip(4.0 * walk, -2.0, 2.0)])


def with_a_dead_column(frames: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """One more column that is noise in a fifth of the sequences, and stands still anywhere in the others."""
    alive, noise = random.random() < 0.2, random.normal(0.0, 1.0, len(frames))
    return np.column_stack([frames, noise if alive else np.full(len(frames), random.normal(0.0, 3.0))])


def with_a_column_of_any_spread(frames: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """One more column of noise, whose spread differs between sequences by orders of magnitude."""
    noise = np.exp(random.normal(0.0, 1.5)) * random.normal(0.0, 1.0, len(frames))
    return np.column_stack([frames, noise])


def with_rests(frames: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Rests of any length before and after."""
    moved = frames * np.sqrt(np.sin(np.linspace(0.0, np.pi, len(frames))))[:, None]
    before, after = (random.normal(0.0, 0.1, (length, frames.shape[1])) for length in random.integers(0, 50, 2))
    return np.concatenate([before, moved, after])


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize(
    "disturbed",
    [with_glitches, with_a_saturated_column, with_a_dead_column, with_a_column_of_any_spread, with_rests],
)
def test_disturbances_of_columns_do_not_decide(
    disturbed: Callable[[np.ndarray, np.random.Generator], np.ndarray], seed: int
) -> None:
    random = np.random.default_rng([71, seed])
    made, kinds = columns(random, 2 + seed)
    found = kinseq.cluster([disturbed(frames, random) for frames in made], 2 + seed)
    assert ari(found.labels, kinds) > 0.9


def of_correlations(random: np.random.Generator) -> list[np.ndarray]:
    """Noise of two columns, that are one or the opposite of the other."""
    made = []
    for sign in np.where(TRUTH == 0, 1.0, -1.0):
        first = random.normal(size=60)
        made.append(np.column_stack([first, sign * first + 0.2 * random.normal(size=60)]))
    return made


def of_levels(random: np.random.Generator) -> list[np.ndarray]:
    """Noise around two levels."""
    return [random.normal(4.0 * (i % 2), 1.0, (40, 2)) for i in range(N)]


@pytest.mark.parametrize("make", [of_correlations, of_levels])
def test_one_property_or_view_that_decides_has_a_name_that_gives_the_same(
    make: Callable[[np.random.Generator], list[np.ndarray]], tmp_path: Path
) -> None:
    sequences = make(np.random.default_rng(72))
    found = kinseq.cluster(sequences, 2)
    assert found.decision.by is not None
    assert found.measure.endswith(f"[{found.decision.by.name}]")
    named = kinseq.cluster(sequences, 2, found.measure)
    np.testing.assert_array_equal(found.labels, named.labels)
    np.testing.assert_array_equal(found.distance, named.distance)
    scaled = [frames / np.concatenate(sequences).std(axis=0) for frames in sequences]
    if found.decision.by.by_property:
        alone = kinseq.dissimilarity(scaled, measure=found.measure)
        np.testing.assert_allclose(alone, found.distance, atol=1e-6 * alone.max())
    named.save(tmp_path / "result.kinseq")
    kept = kinseq.load(tmp_path / "result.kinseq")
    assert kept.measure == found.measure
    np.testing.assert_array_equal(kept.predict(sequences), named.predict(sequences))


def test_parts_of_measures_that_are_not_there_are_refused() -> None:
    for name in ("elastic[nothing]", "properties[nothing]", "dtw[nothing]", "nothing[dtw]"):
        with pytest.raises(kinseq.KinseqError, match="nothing"):
            kinseq.cluster(movements(), 2, name)
