"""Which measure decides where none is named and the number of groups is given."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

import kinseq
from kinseq.analysis import families, pipeline
from kinseq.analysis.candidates import Candidate
from kinseq.analysis.log import Remarks
from kinseq.analysis.result import Result
from kinseq.analysis.rules import Decision
from kinseq.metrics import ari
from kinseq.metrics.groupings import Grouping

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


@pytest.mark.parametrize(
    ("name", "degree", "strength", "has_vote", "shows_more"),
    [
        ("kl_ll_shape", "clear", 0.95, True, True),
        ("kl_ll_shape", "clear", 0.85, False, True),
        ("kl_ll_shape", "unclear", 0.95, False, True),
        ("kl_ll_shape", "unclear", 0.85, False, False),
        ("kl_ll_shape", "unclear", 0.85, True, True),
        ("dtw", "unclear", 0.85, False, True),
    ],
)
def test_one_divergence_without_a_vote_that_data_without_groups_show_has_to_be_firm(
    name: str, degree: str, strength: float, has_vote: bool, shows_more: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Against a continuum that a family shows, whose silhouettes are smaller."""
    labels = np.arange(12) % 2
    by = Candidate(name, Grouping(2, labels, strength, strength))
    views = {name: np.zeros((12, 12))} if has_vote else {}
    one = SimpleNamespace(
        decision=Decision(2, "given", by, views=views), silhouettes=np.full(12, strength), degree=degree
    )
    cut = SimpleNamespace(decision=Decision(2, "given"), silhouettes=np.full(12, 0.3), degree="continuum")
    monkeypatch.setattr(families, "verdict", lambda result: result)
    assert families._shows_more(cast(Result, one), cast(Result, cut)) == shows_more
    assert families._shows_more(cast(Result, cut), cast(Result, one)) != shows_more


def test_a_named_measure_parameters_and_other_clusterers_leave_nothing_open(monkeypatch: pytest.MonkeyPatch) -> None:
    counts: list[int] = []
    taken = families.strongest_result

    def counted(results: Sequence[Result]) -> tuple[Result, Remarks]:
        counts.append(len(results))
        return taken(results)

    monkeypatch.setattr(pipeline, "strongest_result", counted)
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


def far_away(kind: str, like: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """One sequence that is unlike all others: of another unit in one or all columns, dead, elsewhere, or noise."""
    (length, n_columns), frames = like.shape, like.copy()
    if kind == "unit":
        return 100.0 * frames
    if kind == "unit of a column":
        frames[:, -1] *= 1000.0
        return frames
    if kind == "dead":
        return np.tile(random.normal(0.0, 3.0, n_columns), (length, 1))
    return random.normal(0.0, 15.0, frames.shape) if kind == "noise" else frames + 20.0


@pytest.mark.parametrize("kinds", [["unit"], ["unit of a column"], ["dead"], ["noise"], ["level", "level"]])
@pytest.mark.parametrize("of_courses", [True, False])
def test_outlying_sequences_take_no_part_in_forming_groups_and_are_listed(kinds: list[str], of_courses: bool) -> None:
    random = np.random.default_rng([73, of_courses, len(kinds)])
    drawn = [columns(random)[0] if of_courses else movements(seed) for seed in range(len(kinds))]
    usual = [frames for some in drawn for frames in some]
    found = kinseq.cluster(usual, 2)
    far = [far_away(kind, usual[i], random) for i, kind in enumerate(kinds)]
    both = kinseq.cluster([*far, *usual], 2)
    assert both.n_clusters == 2
    assert both.measure.partition("[")[0] == found.measure.partition("[")[0]
    assert ari(both.labels[len(far) :], found.labels) == 1.0
    np.testing.assert_array_equal(np.sort(both.details.scattered), np.arange(len(far)))
    table = both.outliers()
    assert set(both.sequences.ids[: len(far)]) <= set(table.index[: len(far) + 2])
    named = kinseq.cluster([*far, *usual], 2, both.measure)
    np.testing.assert_array_equal(named.labels, both.labels)
    np.testing.assert_array_equal(named.distance, both.distance)


@pytest.mark.parametrize("disturbed", [with_glitches, with_a_dead_column, with_rests])
def test_the_matrix_is_that_of_the_measure_by_its_name_also_where_glitches_are_bridged(
    disturbed: Callable[[np.ndarray, np.random.Generator], np.ndarray],
) -> None:
    random = np.random.default_rng(74)
    sequences = [disturbed(frames, random) for frames in columns(random)[0]]
    found = kinseq.cluster(sequences, 2)
    alone = kinseq.dissimilarity(found.sequences, measure=found.measure)
    assert (found.sequences.limits is None) == (disturbed is not with_glitches)
    np.testing.assert_allclose(alone, found.distance, rtol=1e-9, atol=1e-12)
    some = found.sequences.subset(np.arange(3))
    across = kinseq.dissimilarity([*some], found.sequences, measure="dtw")
    within = kinseq.dissimilarity(found.sequences, measure="dtw")
    np.testing.assert_allclose(across, within[:3], rtol=1e-9, atol=1e-12)


def test_parts_of_measures_that_are_not_there_are_refused() -> None:
    for name in ("elastic[nothing]", "properties[nothing]", "dtw[nothing]", "nothing[dtw]"):
        with pytest.raises(kinseq.KinseqError, match="nothing"):
            kinseq.cluster(movements(), 2, name)
