"""New sequences among clusters: those of the same groups fit, and those of another kind fit nowhere."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kinseq
from kinseq.analysis.novelty import COMPARED, MIN_FAR_RATIO, NEAREST_MEMBERS
from kinseq.api.assignment import joined
from kinseq.core.arrays import FloatArray
from kinseq.core.errors import DataError, ParameterError
from kinseq.measures.dtw import dtw, dtw_between
from kinseq.metrics.external import ari
from tests.sentences import Recorded

FRAMES = 40
MEASURES = ("dtw", "elastic", "kl_ll")


def drawn(group: int, rng: np.random.Generator) -> FloatArray:
    """A sequence of one of three groups: noise, waves, a trend."""
    time = np.arange(FRAMES)
    courses = (np.zeros(FRAMES), 2 * np.sin(2 * np.pi * (time / 10 + rng.random())), 4 * time / FRAMES)
    return np.column_stack([courses[group] + 0.4 * rng.normal(size=FRAMES), 0.4 * rng.normal(size=FRAMES)])


def stranger(kind: int, rng: np.random.Generator) -> FloatArray:
    """A sequence of another kind: far in level, wild, a trend the other way in the other column."""
    noise = 0.4 * rng.normal(size=(FRAMES, 2))
    if kind == 0:
        return noise + 9.0
    if kind == 1:
        return 12 * noise
    noise[:, 1] -= 0.2 * np.arange(FRAMES)
    return noise


@cache
def found(measure: str, sample: int | None = None) -> Any:
    rng = np.random.default_rng(0)
    sequences = [drawn(i % 3, rng) for i in range(30)]
    return kinseq.cluster(sequences, 3, measure, sample=sample)


@cache
def new(n: int = 45) -> tuple[list[FloatArray], list[int]]:
    rng = np.random.default_rng(1)
    return [drawn(i % 3, rng) for i in range(n)], [i % 3 for i in range(n)]


@pytest.mark.parametrize("measure, sample", [("dtw", None), ("elastic", None), ("elastic", 24), ("dtw", 24)])
def test_members_fit_and_strangers_fit_nowhere(measure: str, sample: int | None) -> None:
    sequences, groups = new()
    rng = np.random.default_rng(2)
    placed = found(measure, sample).place([*sequences, *(stranger(i % 3, rng) for i in range(9))])
    assert set(placed.nowhere) >= set(range(45, 54))
    assert len(placed.nowhere) <= 9 + 1
    # Members belong to their group; raw DTW takes one wave for noise.
    assert ari(groups, placed.labels[:45]) > 0.9
    assert placed.verdict.startswith(f"{len(placed.nowhere)} of 54 fit nowhere (")
    assert list(placed.times[placed.nowhere]) == sorted(placed.times[placed.nowhere], reverse=True)
    assert placed.to_frame()["fits"].sum() == 54 - len(placed.nowhere)


def test_how_far_is_what_the_rule_says() -> None:
    result, (sequences, _) = found("dtw"), new(6)
    placed = result.place(sequences)
    old = result.sequences
    fresh = result.scaling.apply(kinseq.SequenceSet.from_arrays(sequences))
    among, rows = dtw(old), dtw_between(fresh, old)
    for i, k in enumerate(placed.labels.tolist()):
        members = np.flatnonzero(result.labels == k)
        # Existing dissimilarities are all used.
        assert len(members) <= COMPARED
        away = np.array([np.sort([among[m, j] for j in members if j != m])[:NEAREST_MEMBERS].mean() for m in members])
        # Members that are outliers themselves do not define the usual range.
        low, high = np.quantile(away, [0.25, 0.75])
        usual = (1 + 3 / len(members)) * away[away <= high + 3.0 * (high - low)].max()
        assert placed.times[i] == pytest.approx(np.sort(rows[i, members])[:NEAREST_MEMBERS].mean() / usual, rel=1e-9)


@pytest.mark.parametrize("measure, sample", [("dtw", None), ("elastic", None), ("elastic", 24)])
def test_it_is_what_the_single_methods_say(measure: str, sample: int | None) -> None:
    result, (sequences, _) = found(measure, sample), new(6)
    placed = result.place(sequences)
    np.testing.assert_array_equal(placed.labels, result.predict(sequences))
    np.testing.assert_array_equal(placed.points, result.transform(sequences))
    np.testing.assert_array_equal(placed.silhouettes, result._silhouettes_of(sequences))
    # b / (a + b) and (b - a) / b of the same two.
    np.testing.assert_allclose(placed.silhouettes, 2.0 - 1.0 / placed.memberships, atol=1e-12)


@pytest.mark.parametrize("measure, sample", [("dtw", None), ("elastic", None), ("elastic", 24)])
def test_parts_together_are_the_whole(measure: str, sample: int | None, recorded: Recorded) -> None:
    result, (sequences, _) = found(measure, sample), new(7)
    whole = result.place(sequences)
    parts = joined([result.place(sequences, part=f"{number}/3") for number in (1, 2, 3)])
    for name in ("ids", "labels", "silhouettes", "memberships", "times"):
        np.testing.assert_array_equal(getattr(parts, name), getattr(whole, name))
    # A product of matrices rounds by their size.
    np.testing.assert_allclose(parts.points, whole.points, rtol=1e-12, atol=1e-12)
    with recorded.raises(DataError):
        joined([whole, whole])


def test_neither_the_order_of_the_old_ones_nor_their_unit_counts() -> None:
    rng = np.random.default_rng(0)
    sequences, fresh = [drawn(i % 3, rng) for i in range(30)], new(6)[0]
    first = found("elastic").place(fresh).times
    order = np.random.default_rng(5).permutation(30)
    again = kinseq.cluster([1000 * sequences[i] for i in order], 3, "elastic").place([1000 * a for a in fresh]).times
    np.testing.assert_allclose(again, first, rtol=1e-6)


def test_a_loaded_result_places_alike(tmp_path: Path) -> None:
    sequences = new(4)[0]
    for measure, sample in (("elastic", None), ("elastic", 24), ("kl_ll", None)):
        result = found(measure, sample)
        result.save(tmp_path / "result.kinseq")
        again, first = kinseq.load(tmp_path / "result.kinseq").place(sequences), result.place(sequences)
        np.testing.assert_allclose(again.times, first.times, rtol=1e-9)
        np.testing.assert_array_equal(again.labels, first.labels)


def test_where_members_are_equal_whatever_differs_fits_nowhere() -> None:
    rng = np.random.default_rng(3)
    flat, ramp = np.zeros((20, 1)), np.linspace(0, 9, 20)[:, None]
    result = kinseq.cluster(
        [flat] * 4 + [ramp + 0.1 * rng.normal(size=(20, 1)) for _ in range(8)], 2, "dtw", scale="none"
    )
    placed = result.place([flat, flat + 0.01, ramp + 0.1 * rng.normal(size=(20, 1))])
    assert placed.times[0] == 0.0
    assert placed.nowhere.tolist() == [] or placed.times[1] > MIN_FAR_RATIO


def test_one_cluster_has_strangers_too() -> None:
    rng = np.random.default_rng(4)
    result = kinseq.cluster([drawn(0, rng) for _ in range(12)], 1, "dtw")
    placed = result.place([drawn(0, rng), stranger(0, rng)])
    assert placed.nowhere.tolist() == [1]
    assert placed.memberships.tolist() == [1.0, 1.0]
    assert placed.silhouettes.tolist() == [0.0, 0.0]


def test_what_cannot_be_placed_is_refused_in_a_sentence(recorded: Recorded) -> None:
    result = found("dtw")
    with recorded.raises(DataError):
        result.place([np.zeros((9, 1))])
    with recorded.raises(ParameterError):
        result.place([np.zeros((9, 2))], clusterer="spectral")
    with recorded.raises(ParameterError):
        result.place([np.zeros((9, 2))], part="1/2")
    matrix = np.abs(np.subtract.outer(np.arange(6.0), np.arange(6.0)))
    with recorded.raises(ParameterError):
        kinseq.cluster(matrix, 2, "precomputed").place(matrix)


def pump(kind: int, rng: np.random.Generator) -> FloatArray:
    """Two columns, of which one pulses or the other one creeps up: what models of each sequence tell apart by themselves."""
    time = np.arange(120)
    pressure, current = 4.0 + 0.15 * rng.normal(size=120), 2.0 + 0.1 * rng.normal(size=120)
    pressure += (kind == 1) * np.sin(2.0 * np.pi * (time / 15.0 + rng.random()))
    return np.stack([pressure, current + (kind == 2) * time / 120.0], axis=1)


def test_what_one_model_cannot_see_is_seen_by_the_other_views() -> None:
    rng = np.random.default_rng(7)
    result = kinseq.cluster([pump(i % 3, rng) for i in range(30)], n_resamples=2)
    # A model of each sequence by its order alone, for which a wave of another size is ordinary.
    assert result.views[0].params["views"] == ["kl_ll_shape"]
    time = np.arange(120)
    strange = np.stack([8.0 + 3.0 * np.sin(time / 3.0), 9.0 - time / 30.0], axis=1)
    placed = result.place([*(pump(i % 3, rng) for i in range(6)), strange])
    assert placed.nowhere.tolist() == [6]
    assert (placed.times[:6] > 0.0).all()


def test_what_one_property_cannot_see_is_seen_by_the_views() -> None:
    rng = np.random.default_rng(3)
    result = kinseq.cluster([rng.normal(size=(30, 1)) + 40.0 * (i % 2) for i in range(14)], n_resamples=2)
    wild = 20.0 * np.cumsum(rng.normal(size=(30, 1)), axis=0)
    placed = result.place([rng.normal(size=(30, 1)), rng.normal(size=(30, 1)) + 40.0, wild - wild.mean()])
    assert placed.nowhere.tolist() == [2]


def test_what_is_hardly_nearer_to_one_cluster_than_to_the_next_lies_between_them(tmp_path: Path) -> None:
    levels = [base + step for base in (0.0, 8.0, 30.0) for step in (-2.0, -1.0, 0.0, 1.0, 2.0)]
    result = kinseq.cluster([np.full((20, 1), level) for level in levels], 3, "dtw", scale="none")
    asked = {"low": 0.5, "middle": 3.9, "other middle": 4.1, "off the middle": 3.2, "high": 30.5, "far": 90.0}
    placed = result.place({name: np.full((20, 1), level) for name, level in asked.items()})
    # Levels 3.9 and 4.1 are 3.9 and 4.1 from the two levels 0 and 8, 3.2 is 3.2 and 4.8 from them.
    assert {str(placed.ids[i]) for i in placed.between} == {"middle", "other middle"}
    assert [str(placed.ids[i]) for i in placed.nowhere] == ["far"]
    names = [int(result.labels[start]) + 1 for start in (0, 5)]
    table = placed.to_frame()
    assert table["between"].to_dict() == {
        name: f"{min(names)} and {max(names)}" if "middle" in name and "off" not in name else "" for name in asked
    }
    assert placed.next_labels[0] == names[1] - 1
    assert placed.verdict.startswith("1 of 6 fits nowhere (far); 2 of 6 lie between two clusters (")
    page = placed.report(tmp_path).read_text(encoding="utf-8")
    assert page.count(f"between clusters {min(names)} and {max(names)}; membership {placed.memberships[1]:.2f}") == 2
    assert (tmp_path / "partition.csv").read_text().splitlines()[0].endswith(",fits,between")
    # Sequences in between do not count as fitting.
    assert placed.verdict.count(" in cluster ") == 2
    assert sum(int(row.split(",")[3]) for row in (tmp_path / "summary.csv").read_text().splitlines()[1:]) == 3


def test_a_sensor_that_dies_on_the_way_fits_nowhere() -> None:
    rng = np.random.default_rng(0)

    def walks(n: int) -> list[FloatArray]:
        return [np.cumsum(rng.normal(size=(120, 2)), axis=0) for _ in range(n)]

    found = kinseq.cluster(walks(24), 1, "dtw", n_resamples=2)
    dead = walks(6)
    for i, frames in enumerate(dead):
        # For 40 of 120 frames, in one column.
        frames[60 + i : 100 + i, i % 2] = frames[60 + i, i % 2]
    assert not found.place(dead).to_frame()["fits"].any()
    assert found.place(walks(12)).to_frame()["fits"].sum() >= 11


def test_who_stands_still_as_members_do_fits() -> None:
    rng = np.random.default_rng(1)

    def valves(n: int) -> list[FloatArray]:
        return [np.repeat(rng.integers(0, 2, 10), 12)[:, None] + np.zeros((120, 1)) for _ in range(n)]

    found = kinseq.cluster([*valves(24)], 1, "dtw", n_resamples=2)
    assert found.place(valves(12)).to_frame()["fits"].sum() >= 11


def test_a_constant_new_sequence_is_far_in_words(tmp_path: Path, recorded: Recorded) -> None:
    rng = np.random.default_rng(0)
    found = kinseq.cluster([drawn(i % 2, rng) for i in range(16)], 2, "dtw")
    placed = found.place([np.full((FRAMES, 2), 3.0)])
    assert placed.to_frame()["fits"].tolist() == [False]
    placed.report(tmp_path / "index.html")
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    recorded.within(page)
    assert "inf times" not in page
    # No size is the least number that a computer has.
    assert "e-30" not in page
