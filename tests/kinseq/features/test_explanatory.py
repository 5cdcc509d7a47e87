"""Properties of sequences whose answer is known, of their mirror images, and in other units."""

from __future__ import annotations

import numpy as np
import pytest

from kinseq.analysis.explaining import WORDS
from kinseq.core.arrays import FloatArray
from kinseq.core.sequences import SequenceSet
from kinseq.features.explanatory import traits
from kinseq.report.glossary import PROPERTIES

TIME = np.arange(300)


def of(x: FloatArray) -> dict[str, float]:
    found = traits(SequenceSet.from_arrays([x[:, None], x[:, None]], layout="channels_last"))
    return dict(zip(found.kinds, found.values[0].tolist(), strict=True))


def noise(size: float = 0.1, frames: int = 300) -> FloatArray:
    return np.random.default_rng(0).normal(0.0, size, frames)


def pulses(places: list[int], width: int = 14) -> FloatArray:
    x = noise()
    for place in places:
        x[place : place + width] += 3.0 * np.sin(1.4 * np.arange(width))
    return x


def on_and_off(on: int, off: int, frames: int = 300) -> FloatArray:
    return np.where((np.arange(frames) + 3) % (on + off) < on, 8.0, 3.0) + noise(0.1, frames)


def test_every_property_is_defined() -> None:
    assert set(PROPERTIES) == {*WORDS, "shape"}


@pytest.mark.parametrize("place", [75, 150, 225])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_step_is_at_its_edge(place: int, sign: float) -> None:
    step = sign * 15.0 * (place <= TIME) + noise(0.8)
    assert of(step)["event time"] == pytest.approx(place / 300, abs=0.01)
    assert of(step[::-1])["event time"] == pytest.approx(1.0 - place / 300, abs=0.01)
    assert of(7.0 - 1e4 * step)["event time"] == pytest.approx(place / 300, abs=0.01)
    assert np.isnan(of(step)["time high"])


@pytest.mark.parametrize("place", [40, 120, 260])
def test_a_burst_is_at_its_middle_and_two_are_two(place: int) -> None:
    bell = 3.0 * np.exp(-0.5 * ((TIME - place) / 6.0) ** 2) + noise()
    assert of(bell)["event time"] == pytest.approx(place / 300, abs=0.015)
    assert of(-bell)["event time"] == pytest.approx(place / 300, abs=0.015)
    assert of(bell[::-1])["event time"] == pytest.approx(1.0 - place / 300, abs=0.015)
    swings = noise() + 3.0 * np.exp(-0.5 * ((TIME - place) / 8.0) ** 2) * np.sin(TIME)
    assert of(swings)["event time"] == pytest.approx(place / 300, abs=0.02)
    both = bell + 3.0 * np.exp(-0.5 * ((TIME - (place + 150) % 300) / 6.0) ** 2)
    assert np.isnan(of(both)["event time"])
    assert of(both)["events"] == 2


@pytest.mark.parametrize("x", [0.05 * TIME + noise(0.5), np.sin(TIME / 5.0), noise(1.0), np.full(300, 0.3)])
def test_what_rises_swings_or_does_nothing_has_no_main_event(x: FloatArray) -> None:
    assert np.isnan(of(x)["event time"])


def test_bursts_are_counted_and_not_their_swings() -> None:
    places = [20, 75, 130, 190, 250]
    assert of(pulses(places))["events"] == 5
    assert of(pulses(places)[::-1])["events"] == 5
    assert of(1e-5 * pulses(places) - 3.0)["events"] == 5
    # A long burst is one event; a wave throughout has none.
    assert of(pulses([100], 90))["events"] == 1
    assert of(np.sin(TIME / 5.0) + noise())["events"] == 0


def test_two_states_have_a_time_each() -> None:
    found = of(on_and_off(10, 25))
    assert np.exp(found["time high"]) == pytest.approx(10)
    assert np.exp(found["time low"]) == pytest.approx(25)
    assert np.exp(found["dwell"]) == pytest.approx(17.5)
    turned = of(100.0 - 7.0 * on_and_off(10, 25))
    assert np.exp([turned["time high"], turned["time low"]]).tolist() == pytest.approx([25, 10])
    for x in (np.sin(TIME / 5.0), noise(1.0), 0.1 * TIME, pulses([50, 120, 200])):
        assert np.isnan(of(x)["dwell"])


def test_a_period_is_there_or_not() -> None:
    assert np.exp(of(np.sin(2 * np.pi * TIME / 23.0) + noise(0.3))["period"]) == pytest.approx(23.0, rel=0.02)
    for x in (0.05 * TIME + noise(0.5), noise(1.0), np.full(300, 0.3), 15.0 * (TIME > 75) + noise()):
        assert np.isnan(of(x)["period"])


def test_pace_is_in_the_unit_of_the_column() -> None:
    dying = 5.0 * np.exp(-TIME / 60.0) * np.sin(TIME / 2.0) + 0.01 * noise()
    steps = [np.sqrt(np.square(np.diff(half)).mean()) for half in np.array_split(dying, 2)]
    assert of(dying)["quickening"] == pytest.approx(np.log(steps[1] / steps[0]))
    assert of(dying[::-1])["quickening"] == pytest.approx(-of(dying)["quickening"])
    assert of(1e3 * dying + 5.0)["quickening"] == pytest.approx(of(dying)["quickening"])
    assert abs(of(15.0 * (TIME > 75) + noise(3.0))["quickening"]) < 0.3


def test_the_largest_distance_from_the_median_is_in_the_unit_of_the_column() -> None:
    x = noise(1.0)
    x[40] = 9.0
    size = np.abs(x - np.median(x)).max()
    assert np.exp(of(x)["event size"]) == pytest.approx(size)
    assert np.exp(of(-50.0 * x + 2.0)["event size"]) == pytest.approx(50.0 * size)


def test_a_moment_of_most_deviation_is_there_or_not() -> None:
    bell = 3.0 * np.exp(-0.5 * ((TIME - 225) / 8.0) ** 2) + 0.1 * noise()
    assert of(bell)["timing"] == pytest.approx(0.5, abs=0.05)
    assert of(bell[::-1])["timing"] == pytest.approx(-0.5, abs=0.05)
    for x in (noise(1.0), 0.05 * TIME, bell + bell[::-1]):
        assert np.isnan(of(x)["timing"])
