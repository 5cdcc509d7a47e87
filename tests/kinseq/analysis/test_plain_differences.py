"""Statements on groups of a known kind: a person who looks at the courses would say the same."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from kinseq.analysis.explaining import WORDS, explain
from kinseq.analysis.group_labels import groups_in_words, phrase, phrase_of_share
from kinseq.core.arrays import FloatArray
from kinseq.core.sequences import SequenceSet
from kinseq.features.explanatory import traits
from tests.sentences import Recorded

EACH, FRAMES = 16, 200
TIME = np.arange(FRAMES)
TWO = np.repeat([0, 1], EACH)


def explained(make: Callable[[int, np.random.Generator], FloatArray], labels: FloatArray = TWO) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    arrays = [pd.DataFrame({"load": make(int(k), rng)}) for k in labels]
    return explain(SequenceSet.from_arrays(arrays, layout="channels_last"), np.asarray(labels))


def row(table: pd.DataFrame, cluster: int, kind: str) -> pd.Series:
    (found,) = [entry for _, entry in table[(table.cluster == cluster) & (table.property == kind)].iterrows()]
    return found


def verdict(table: pd.DataFrame, labels: FloatArray = TWO) -> str:
    return groups_in_words(table, np.bincount(labels))


def noise(rng: np.random.Generator, size: float = 0.1) -> FloatArray:
    return np.asarray(size * rng.normal(size=FRAMES))


def test_the_place_of_a_shape_is_where_courses_differ() -> None:
    # The first halves are alike, except after centring.
    table = explained(lambda k, rng: 5.0 + 0.04 * k * np.maximum(TIME - 100, 0) + noise(rng))
    for cluster in (1, 2):
        shapes = table[(table.cluster == cluster) & (table.property.isin(["shape", "level"]))]
        assert (shapes["start"].isna() | (shapes["start"] >= 100)).all()
    assert row(table, 2, "shape")["start"] > 120


def test_a_difference_that_comes_again_and_again_has_no_place() -> None:
    table = explained(lambda k, rng: 5.0 + 2.0 * k * (TIME % 50 < 10) + noise(rng))
    assert row(table, 2, "level")["where"] == ""


@pytest.mark.parametrize("mirror", [1, -1])
@pytest.mark.parametrize("scale", [1.0, 1e-6, 1e6])
@pytest.mark.parametrize(
    ("course", "at"),
    [
        (np.where(TIME < 60, 0.0, 1.0), 0.3),
        (1.0 / (1.0 + np.exp(-(TIME - 120) / 3.0)), 0.6),
        (np.exp(-0.5 * ((TIME - 50) / 6.0) ** 2), 0.25),
        (np.maximum(TIME - 110.0, 0.0), np.nan),
        (np.minimum(TIME, 60.0), np.nan),
        (1.0 - np.exp(-TIME / 40.0), np.nan),
        (TIME / 10.0, np.nan),
    ],
    ids=["step", "soft step", "burst", "leak", "filling", "warming", "line"],
)
def test_what_goes_on_rising_has_no_main_event(course: FloatArray, at: float, mirror: int, scale: float) -> None:
    values = scale * mirror * course
    found = traits(SequenceSet.from_arrays([values[:, None], values[:, None] + scale], layout="channels_last"))
    moments = found.values[:, found.kinds.index("event time")]
    np.testing.assert_allclose(moments, at, atol=0.011)


def test_moments_at_any_time_are_said_as_a_range() -> None:
    def make(k: int, rng: np.random.Generator) -> FloatArray:
        return noise(rng) + 4.0 * k * (np.abs(TIME - rng.integers(20, 180)) < 6)

    found = row(explained(make), 2, "event time")
    assert np.isnan(found["value"])
    assert found["low"] < 30
    assert found["high"] > 70
    assert f"at {found['low']:.0f} to {found['high']:.0f} % of the time" in found["sentence"]


def test_one_event_goes_before_what_follows_from_it() -> None:
    table = explained(lambda k, rng: 230.0 - 20.0 * (np.abs(TIME - (40, 150)[k] - rng.integers(8)) < 10) + noise(rng))
    for _, rows in table.groupby("cluster"):
        places = {kind: place for place, kind in reversed(list(enumerate(rows["property"])))}
        assert places["event time"] == 0
        assert {"quickening", "trend"} & set(places)
    assert verdict(table).count("main event") == 1


def test_repeated_facts_and_trifles_come_behind_other_facts() -> None:
    rng = np.random.default_rng(0)
    arrays = [
        pd.DataFrame(
            {
                "load": 20 * k + rng.normal() / 2 + 4.0**k * rng.normal(size=FRAMES),
                "flow": k + rng.normal() / 4 + rng.normal(size=FRAMES) + 0.6 * k * TIME / FRAMES,
            }
        )
        for k in TWO
    ]
    table = explain(SequenceSet.from_arrays(arrays, layout="channels_last"), TWO)
    for _, rows in table.groupby("cluster"):
        said = list(zip(rows["property"], rows["column"], strict=True))
        # A larger spread of load is of the same values as its level; the trend of flow is weak.
        assert said[:2] == [("level", "load"), ("level", "flow")]
        assert said.index(("spread", "load")) < said.index(("trend", "flow"))


def test_a_steady_group_is_not_called_by_what_the_trend_of_others_makes() -> None:
    table = explained(lambda k, rng: 5.0 + k * (TIME - 100) / 50.0 + noise(rng))
    steady = table[table.cluster == 1]["property"].tolist()
    assert steady.index("trend") < min(steady.index(kind) for kind in ("spread", "event size", "roughness"))


def test_who_lies_between_by_chance_is_called_by_something_else() -> None:
    # Levels of the others vary more, and so lie on both sides; members are smoother.
    def make(k: int, rng: np.random.Generator) -> FloatArray:
        level = rng.normal(0.0, (0.02, 1.0)[k])
        return level + (
            np.convolve(rng.normal(size=FRAMES + 4), np.ones(5), "valid") if k == 0 else 2.2 * noise(rng, 1)
        )

    table = explained(make)
    members = table[table.cluster == 1]
    assert members.iloc[0]["direction"] != 0
    between = members[members.direction == 0]
    assert between.empty or between.index[0] > members[members.property == "roughness"].index[0]


def test_others_of_two_values_are_said_by_both() -> None:
    labels = np.repeat([0, 1, 2], 12)
    table = explained(lambda k, rng: (10.0, 20.0, 40.0)[k] + rng.normal(0.0, 0.2) + noise(rng), labels)
    found = row(table, 1, "level")
    assert "10 against 20 or 40" in found["sentence"]
    assert np.isnan(found["others"])
    assert found["value"] == pytest.approx(10.0, abs=0.2)


def test_two_values_that_nobody_takes_for_one_are_said_also_far_from_others() -> None:
    def make(k: int, rng: np.random.Generator) -> FloatArray:
        speed = 25.0 if k else (1.4, 4.5)[rng.integers(2)]
        return np.asarray(speed * np.exp(rng.normal(0.0, 0.03)) + noise(rng, 0.05))

    found = row(explained(make), 1, "level")
    assert np.isnan(found["value"])
    assert (found["low"], found["high"]) == pytest.approx((1.4, 4.5), abs=0.2)
    assert "1.4 or 4." in found["words"]


def test_what_frames_make_of_intervals_is_no_irregularity() -> None:
    def make(period: tuple[float, float], jitter: tuple[float, float]) -> Callable[..., FloatArray]:
        def course(k: int, rng: np.random.Generator) -> FloatArray:
            phase = np.cumsum(1.0 / period[k] * np.exp(jitter[k] * rng.normal(size=FRAMES)))
            return np.sin(2 * np.pi * (phase + rng.uniform()))

        return course

    assert "regularity" not in set(explained(make((12.4, 24.8), (0.0, 0.0)))["property"])
    assert "regularity" in set(explained(make((12.4, 12.4), (0.0, 1.0)))["property"])


def test_a_difference_that_its_numbers_do_not_show_is_not_said() -> None:
    table = explained(lambda k, rng: 90.0 - (20.0, 60.0)[k] * TIME / FRAMES + noise(rng))
    assert (
        not table["sentence"].str.contains(r"-1\.00 against -1\.00|1\.00 with its typical course, others 1\.00").any()
    )
    assert {"level", "spread"} <= set(table["property"])


def test_a_small_spread_is_not_said_as_none() -> None:
    table = explained(lambda k, rng: (11.0, 40.0)[k] + (0.0, 1.0)[k] * 20.0 * np.sin(TIME / 9.0) + noise(rng, 0.05))
    found = row(table, 1, "spread")
    assert "0.05 against 14" in found["sentence"]
    assert "by about 0.05" in found["words"]


@pytest.mark.parametrize(
    ("kind", "has", "shares"),
    [
        ("period", True, (1.0, 0.8, 0.55)),
        ("event time", False, (0.05, 0.3, 0.5)),
        ("first state", True, (1.0, 0.7)),
    ],
)
def test_words_say_of_how_many_they_are_true(
    kind: str, has: bool, shares: tuple[float, ...], recorded: Recorded
) -> None:
    value = "every 5 s" if kind != "period" else "5 s"
    recorded([phrase_of_share(kind, "load", value, share, has) for share in shares])


@pytest.mark.parametrize(("value", "said"), [(0.0, "0"), (1.0, "1"), (2.5, "2 or 3"), (8.0, "8")])
def test_counts_are_whole(value: float, said: str) -> None:
    assert WORDS["events"].text_of(value) == said
    assert (f" {said} event" in phrase("events", "load", said, True, False)) == bool(value)


def test_groups_of_mirrored_shapes_are_called_by_when_they_are_highest() -> None:
    def make(k: int, rng: np.random.Generator) -> FloatArray:
        bump = np.exp(-0.5 * ((TIME - 30) / 8.0) ** 2) - np.exp(-0.5 * ((TIME - 170) / 8.0) ** 2)
        return (1 - 2 * k) * bump + noise(rng, 0.03)

    table = explained(make)
    for cluster, expected in ((1, (15, 85)), (2, (85, 15))):
        words = row(table, cluster, "shape")["words"]
        found = re.fullmatch(r"with load highest at (\d+) and lowest at (\d+) % of the time", words)
        assert found is not None
        np.testing.assert_allclose([int(share) for share in found.groups()], expected, atol=2)


def test_waves_have_no_place_at_which_they_are_highest(recorded: Recorded) -> None:
    table = explained(lambda k, rng: (1 - 2 * k) * np.sin(2 * np.pi * TIME / 40) + noise(rng))
    recorded(row(table, 1, "shape")["words"])


@pytest.mark.parametrize("n_spikes", [5, 20, 30])
@pytest.mark.parametrize("scale", [-1.0, 1.0, 1e5])
def test_spikes_that_come_often_are_counted_one_by_one(n_spikes: int, scale: float) -> None:
    rng = np.random.default_rng(n_spikes)
    course = rng.normal(size=1000)
    for at in np.arange(n_spikes) * 17 + 20:
        course[at : at + 4] += 60.0
    found = traits(
        SequenceSet.from_arrays([scale * course[:, None], rng.normal(size=(1000, 1))], layout="channels_last")
    )
    assert found.values[0, found.kinds.index("events")] == n_spikes
