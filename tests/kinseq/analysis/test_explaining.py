"""Differences of clusters: planted ones are named first, random labels get none; bad labels and small sets."""

import re
from dataclasses import replace
from itertools import pairwise, permutations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import soundfile
from scipy.signal import lfilter
from scipy.stats import mannwhitneyu

import kinseq
from kinseq.analysis.explaining import COLUMNS, MAX_P_VALUE, explain, facts
from kinseq.core.sequences import SequenceSet
from kinseq.features.explanatory import traits
from kinseq.features.sound import heard
from kinseq.metrics.group_differences import TOGETHER, _in_a_row, _of_places, _places, contrasts
from tests.sentences import Recorded

FRAMES, EACH = 100, 10


def _sine(rng, period):
    return np.sin(2 * np.pi * (np.arange(FRAMES) / period + rng.uniform()))


def _states(rng, mean):
    held = np.maximum(1, np.rint(rng.gamma(4.0, mean / 4.0, size=2 * FRAMES))).astype(int)
    return 3.0 * np.repeat(np.arange(len(held)) % 2, held)[:FRAMES] + 0.3 * rng.normal(size=FRAMES)


def _pulses(rng, count):
    x = rng.normal(size=FRAMES)
    x[rng.choice(FRAMES // 3, count, replace=False) * 3] += 8
    return x


def _bell(rng, centre):
    return 8 * np.exp(-0.5 * ((np.linspace(0, 1, FRAMES) - centre) / 0.03) ** 2) + 0.5 * rng.normal(size=FRAMES)


def _square(rng, group):
    wave = _sine(rng, 20.0)
    return (np.sign(wave) if group else np.sqrt(2) * wave) + 0.05 * rng.normal(size=FRAMES)


def _memory(rng, group):
    return lfilter([1.0], [1.0, -(-0.6, 0.6)[group]], rng.normal(size=FRAMES + 50))[50:]


def _chirp(rng, group):
    """A wave that gets faster or slower, through the same frequencies."""
    turns = np.cumsum(np.linspace(0.02, 0.2, FRAMES)[:: (1, -1)[group]]) + rng.uniform()
    return np.sin(2 * np.pi * turns) + 0.05 * rng.normal(size=FRAMES)


def _switching(rng, group):
    """A switch that is turned every ten frames on average, at times that vary by little or much."""
    much = (0.02, 0.5)[group]
    held = np.maximum(1, np.rint(10 * np.exp(much * rng.normal(size=FRAMES) - much**2 / 2))).astype(int)
    return 3.0 * np.repeat(np.arange(len(held)) % 2, held)[:FRAMES] + 0.05 * rng.normal(size=FRAMES)


# A sequence of one column by its group, and the property that is planted.
PLANTED = {
    "level": lambda rng, g: 8 * g + rng.normal(size=FRAMES),
    "spread": lambda rng, g: 4.0**g * rng.normal(size=FRAMES),
    "trend": lambda rng, g: 16 * (g - 0.5) * np.linspace(-0.5, 0.5, FRAMES) + rng.normal(size=FRAMES),
    "period": lambda rng, g: _sine(rng, 6 * 1.6**g) + 0.15 * rng.normal(size=FRAMES),
    "form": _square,
    "event time": lambda rng, g: _bell(rng, (0.15, 0.85)[g]),
    "length": lambda rng, g: rng.normal(size=round(40 * 1.8**g)),
    "roughness": _memory,
    "dwell": lambda rng, g: _states(rng, 2 * 3.5**g),
    "events": lambda rng, g: _pulses(rng, (2, 8)[g]),
    "quickening": _chirp,
}


def planted(make, seed, column=0, columns=1):
    """Two groups of sequences that differ in one column of noise, and the groups."""
    rng, arrays = np.random.default_rng(seed), []
    labels = np.repeat([0, 1], EACH)
    for group in labels:
        x = make(rng, group)
        frames = rng.normal(size=(len(x), columns))
        frames[:, column] = x
        arrays.append(frames)
    return SequenceSet.from_arrays(arrays, layout="channels_last"), labels


def first(table, cluster):
    """The strongest statement on a cluster, counted from 0 as labels are."""
    return table[table["cluster"] == cluster + 1].iloc[0]


ALSO = {
    "form": {"dwell", "roughness", "event size"},
    "events": {"form", "spread"},
    "dwell": {"time high", "time low", "roughness"},
}
"""Properties that differ as much, or more, where something is planted."""


@pytest.mark.parametrize("kind", PLANTED)
def test_what_is_planted_comes_first_with_its_column(kind):
    right = []
    for seed in range(4):
        table = explain(*planted(PLANTED[kind], seed, column=seed % 3, columns=3))
        for cluster in (0, 1):
            row = first(table, cluster)
            name = "" if kind == "length" else f"column {seed % 3 + 1}"
            called = row["property"] in {kind, *ALSO.get(kind, ())} and row["column"] == name
            every = table.loc[(table["cluster"] == cluster + 1) & (table["column"] == name), "property"]
            said = kind in every.tolist() or kind == "dwell"
            right.append(called and said and row["p"] <= MAX_P_VALUE)
    assert np.mean(right) >= 0.95


@pytest.mark.parametrize("seed", range(4))
def test_irregular_intervals_are_said_beside_the_period_that_regular_ones_have(seed):
    table = explain(*planted(_switching, seed))
    for cluster, exceeds in ((1, 0.0), (2, 1.0)):
        (row,) = table[(table["cluster"] == cluster) & (table["property"] == "regularity")].to_dict("records")
        assert row["effect"] == pytest.approx(exceeds, abs=0.05)
        assert row["p"] <= MAX_P_VALUE


def test_correlation_is_planted_in_two_columns():
    rng = np.random.default_rng(0)
    arrays = [rng.normal(size=(100, 2)) @ np.array([[1, (-1) ** (i % 2) * 0.7], [0, 0.7]]) for i in range(24)]
    table = explain(SequenceSet.from_arrays(arrays, layout="channels_last"), np.arange(24) % 2)
    assert first(table, 0)["property"] == "correlation"
    assert first(table, 0)["column"] == "column 1 and column 2"


def test_a_group_in_the_middle_is_said_to_be_in_between_and_a_place_is_told():
    rng = np.random.default_rng(1)
    levels = np.repeat([0, 1, 2], 10)
    x = rng.normal(size=(30, 100, 1)) + 8 * levels[:, None, None] * (np.arange(100) >= 60)[:, None]
    table = explain(SequenceSet.from_arrays(x, layout="channels_last"), levels)
    middle = table[(table["cluster"] == 2) & (table["property"] == "level") & (table["direction"] == 0)].iloc[0]
    assert middle["effect"] == 1.0
    low, high = (int(part) for part in first(table, 2)["where"].removesuffix(" %").split(" to "))
    assert 56 <= low <= 62
    assert high == 100


def test_random_labels_get_a_statement_in_at_most_one_case_of_twenty():
    rng = np.random.default_rng(0)
    noise = SequenceSet.from_arrays(
        [np.cumsum(rng.normal(size=(rng.integers(20, 60), 2)), axis=0) for _ in range(30)], layout="channels_last"
    )
    said = [(explain(noise, rng.permutation(np.arange(30) % 3), seed)["property"] != "").any() for seed in range(60)]
    assert np.mean(said) <= 0.05


def test_effect_is_that_of_mann_and_whitney_with_ties():
    rng = np.random.default_rng(2)
    values, labels = rng.integers(0, 4, size=(40, 3)).astype(float), np.arange(40) % 2
    found = contrasts(values, np.zeros((1, 40, 4)), labels, MAX_P_VALUE)
    for j in range(3):
        u = mannwhitneyu(values[labels == 1, j], values[labels == 0, j]).statistic
        assert found.higher[1, j] == pytest.approx(u / 400)
    assert not found.places.any()
    assert (found.alike_p == 1).all()


def test_p_values_are_corrected_for_all_that_was_tried():
    """One property that separates all: as many labelings do so by chance; among noise it is less rare."""
    labels = np.repeat([0, 1], 6)
    alone = np.arange(12.0)[:, None]
    noise = np.random.default_rng(3).normal(size=(12, 200))
    p = [
        contrasts(values, np.zeros((1, 12, 2)), labels, MAX_P_VALUE).higher_p[0, 0]
        for values in (alone, np.hstack([alone, noise]))
    ]
    assert p[0] == pytest.approx(2 / 924 / TOGETHER)
    assert p[1] > 0.05


@pytest.mark.parametrize("sizes", [(2, 2, 2), (1, 2, 3), (2, 1, 1, 2)])
def test_clusters_in_a_row_are_as_rare_as_counting_says(sizes):
    """Three clusters or more behind one another, of all ways in which labels can be given out."""
    labels = np.repeat(np.arange(len(sizes)), sizes)
    line = np.arange(float(len(labels)))
    every = set(permutations(labels.tolist()))
    in_a_row = sum(sum(a != b for a, b in pairwise(order)) == len(sizes) - 1 for order in every)
    same = np.zeros((len(labels), 1))
    p_value = _in_a_row(line[:, None], _places(line[:, None], labels, len(sizes)), np.bincount(labels))[0]
    assert p_value == pytest.approx(in_a_row / len(every))
    two = np.stack([line, line[::-1]], axis=1)
    assert _in_a_row(two, _places(two, labels, len(sizes)), np.bincount(labels)) == pytest.approx(2 * p_value)
    mixed = line[[-1, *range(1, len(line) - 1), 0], None]
    assert _in_a_row(mixed, _places(mixed, labels, len(sizes)), np.bincount(labels))[0] == 1.0
    assert _in_a_row(same, _places(same, labels, len(sizes)), np.bincount(labels))[0] == 1.0


def test_places_are_those_of_clusters_that_share_no_value():
    values = np.array(
        [[0.0, 5.0, 2.0], [1.0, 9.0, 2.0], [4.0, 6.0, 2.0], [5.0, 7.0, 2.0], [2.0, 0.0, 2.0], [2.0, 1.0, 2.0]]
    )
    assert _places(values, np.repeat([0, 1, 2], 2), 3).tolist() == [[0, 1, 0], [2, 1, 0], [1, 0, 0]]


def test_each_of_four_times_three_in_a_row_is_told_and_none_of_them_alone_would_be():
    rng = np.random.default_rng(0)
    labels = np.repeat([2, 0, 3, 1], 3)
    levels = 10.0 * labels[:, None, None] + rng.normal(size=(12, 60, 1))
    table = explain(SequenceSet.from_arrays(levels, layout="channels_last"), labels)
    told = {k: list(rows.loc[rows["p"] <= MAX_P_VALUE, "property"]) for k, rows in table.groupby("cluster")}
    assert [told[k][0] for k in range(1, 5)] == ["level"] * 4
    firsts = [rows[rows["property"] == "level"]["direction"].iloc[0] for _, rows in table.groupby("cluster")]
    assert firsts == [-1, 0, 0, 1]
    # Three of twelve next to each other in the middle are not rare.
    alone = contrasts(levels.mean(axis=1), np.zeros((1, 12, 2)), (labels == 1).astype(np.int64), MAX_P_VALUE)
    assert alone.close_p[1, 0] > MAX_P_VALUE


def test_of_clusters_at_one_place_those_are_told_that_most_others_are_not_at():
    """Two at one level and two at another; of one against three that are alike, the three are what it is not."""
    labels = np.repeat(np.arange(4), 6)

    def p_of(levels):
        values = np.repeat(levels, 6)[:, None] + np.tile(np.arange(6.0), 4)[:, None]
        return [p[:, 0].tolist() for p in _of_places(values, labels, 4, np.array([[0.01]]))]

    ends, middle = p_of([0.0, 0.0, 50.0, 50.0])
    assert (ends, middle) == ([0.01] * 4, [1.0] * 4)
    ends, middle = p_of([0.0, 50.0, 50.0, 50.0])
    assert (ends, middle) == ([0.01, 1.0, 1.0, 1.0], [1.0] * 4)
    ends, middle = p_of([0.0, 0.0, 50.0, 100.0])
    assert (ends, middle) == ([0.01, 0.01, 1.0, 0.01], [1.0, 1.0, 0.01, 1.0])


def test_order_copies_and_scale_change_nothing_but_words():
    given, labels = planted(PLANTED["spread"], 5, column=1, columns=2)
    table, order = explain(given, labels), np.random.default_rng(0).permutation(len(labels))
    pd.testing.assert_frame_equal(table, explain(given.subset(order), labels[order]))
    arrays = [frames * [1.0, 1024.0] for frames in given]
    scaled = explain(SequenceSet.from_arrays(arrays, layout="channels_last"), labels)
    assert (
        first(scaled, 0)[["column", "property", "effect"]].tolist()
        == first(table, 0)[["column", "property", "effect"]].tolist()
    )
    twice = SequenceSet.from_arrays([*given, *given], layout="channels_last")
    pd.testing.assert_frame_equal(table, explain(twice, np.concatenate([labels, labels])))


def test_a_column_given_twice_is_named_twice():
    given, labels = planted(PLANTED["level"], 6)
    double = SequenceSet.from_arrays([np.hstack([frames, frames]) for frames in given], layout="channels_last")
    table = explain(double, labels)
    levels = table[(table["cluster"] == 1) & (table["property"] == "level")]
    assert levels["column"].tolist() == ["column 1", "column 2"]
    assert levels["effect"].nunique() == 1


@pytest.mark.parametrize("lengths", [(1, 1, 1, 1), (1, 2, 3, 9)])
def test_small_and_still_sets_have_a_row_a_cluster(lengths):
    still = SequenceSet.from_arrays([np.full((n, 2), 7.0) for n in lengths], layout="channels_last")
    for labels in ([0, 0, 0, 0], [0, 0, 0, 1], [0, 1, 2, 3]):
        table = explain(still, np.array(labels))
        assert list(table.columns) == list(COLUMNS)
        assert table["cluster"].tolist() == [k + 1 for k in sorted(set(labels))]
        assert (table["property"] == "").all()
        assert table["effect"].isna().all()


def test_results_explain_themselves_and_so_does_the_page(tmp_path: Path, recorded: Recorded) -> None:
    rng = np.random.default_rng(7)
    tables = [
        pd.DataFrame(rng.normal(size=(30, 2)) + np.array([0, 9 * (i % 2)]), columns=["=x", "<script>y"])
        for i in range(24)
    ]
    found = kinseq.cluster(tables, 2, "dtw")
    table = found.explain()
    assert first(table, 0)["column"] == "<script>y"
    assert first(table, 0)["property"] == "level"
    table.loc[:, "sentence"] = ""
    assert first(found.explain(), 0)["sentence"]
    recorded.within(found.summary())
    page = found.report(tmp_path).read_text(encoding="utf-8")
    assert page.count('<div class="says">') == 2
    assert "level of &lt;script&gt;y" in page
    assert "<script>y" not in page
    written = pd.read_csv(tmp_path / "explanation.csv", keep_default_na=False)
    assert written["cluster"].tolist() == found.explain()["cluster"].tolist()
    assert written["sentence"][0] == first(found.explain(), 0)["sentence"]


def test_of_given_dissimilarities_and_of_one_cluster_nothing_is_said(tmp_path: Path) -> None:
    points = np.random.default_rng(8).normal(size=(12, 1))
    found = kinseq.cluster(np.abs(points - points.T), 2, "precomputed")
    assert found.explain()["property"].tolist() == ["", ""]
    assert "What sets it apart" not in found.report(tmp_path / "a").read_text(encoding="utf-8")
    one = kinseq.cluster([points + k for k in range(6)], 1, "dtw")
    assert one.explain()["property"].tolist() == [""]
    assert "What sets" not in one.summary()


def test_brighter_recordings_are_said_to_be_brighter_in_hertz(tmp_path):
    rng, rate = np.random.default_rng(5), 16000
    spectrum = np.fft.rfftfreq(rate, 1 / rate)
    for i in range(20):
        centre = (700.0, 2500.0)[i % 2]
        noise = np.fft.rfft(rng.normal(size=rate)) * np.exp(-0.5 * ((spectrum - centre) / 150.0) ** 2)
        sound = np.fft.irfft(noise)
        soundfile.write(tmp_path / f"{i:02d}.wav", 0.3 * sound / np.abs(sound).max(), rate)
    sequences = kinseq.read(tmp_path)
    hertz = np.exp(heard(sequences)["brightness"])
    np.testing.assert_allclose(hertz[::2], 700.0, rtol=0.1)
    np.testing.assert_allclose(hertz[1::2], 2500.0, rtol=0.1)
    table = explain(sequences, np.arange(20) % 2)
    (said,) = table[(table["cluster"] == 2) & (table["property"] == "brightness")]["sentence"]
    assert re.match(r"brighter sound \(centre of the spectrum at \d{4} against \d{3} Hz\)(?!, in )", said)
    # Given features have no sound, so there is no statement on it.
    assert not heard(replace(sequences, provenance={}))


def test_pitch_comes_first_where_nothing_else_differs_and_noise_has_none(tmp_path):
    """Harmonics under one envelope: the timbre is the same, and what repeats it is not."""
    rng, rate = np.random.default_rng(6), 16000
    time = np.arange(rate) / rate
    for kind in ("tones", "noise"):
        (tmp_path / kind).mkdir()
        for i in range(20):
            hertz = (140.0, 210.0)[i % 2] * rng.uniform(0.97, 1.03)
            orders = np.arange(1, int(4000 / hertz))
            phases = rng.uniform(0, 2 * np.pi, size=orders.size)
            envelope = np.exp(-0.5 * ((orders * hertz - 1200.0) / 900.0) ** 2)
            sound = (envelope[:, None] * np.sin(2 * np.pi * hertz * np.outer(orders, time) + phases[:, None])).sum(
                axis=0
            )
            sound = sound + 0.02 * rng.normal(size=rate) if kind == "tones" else rng.normal(size=rate)
            soundfile.write(tmp_path / kind / f"{i:02d}.wav", 0.3 * sound / np.abs(sound).max(), rate)
    tones, again = (kinseq.read(tmp_path / "tones", cache=tmp_path / "cache") for _ in range(2))
    assert tones.provenance["sound"] == again.provenance["sound"]
    hertz = np.exp(heard(tones)["pitch"])
    np.testing.assert_allclose(hertz[::2], 140.0, rtol=0.04)
    np.testing.assert_allclose(hertz[1::2], 210.0, rtol=0.04)
    row = first(explain(tones, np.arange(20) % 2), 1)
    assert (row["property"], row["column"], row["effect"]) == ("pitch", "", 1.0)
    assert re.match(r"higher pitch \(2\d\d against 1\d\d Hz\)$", row["sentence"])
    noise = kinseq.read(tmp_path / "noise")
    assert "pitch" not in heard(noise)
    assert "pitch" not in traits(noise).kinds
    # Given features have no sound, so there is no statement on it.
    assert "pitch" not in traits(replace(tones, provenance={})).kinds


@pytest.mark.parametrize("features", [{"energy": "log"}, {"energy": "none", "drop_c0": False}])
def test_recordings_that_differ_in_loudness_only_are_said_to(features, tmp_path):
    rng, rate = np.random.default_rng(9), 8000
    for i in range(20):
        soundfile.write(tmp_path / f"{i:02d}.wav", (0.02, 0.2)[i % 2] * np.clip(rng.normal(size=rate), -4, 4), rate)
    sequences = kinseq.read(tmp_path, features=features)
    row = first(explain(sequences, np.arange(20) % 2), 1)
    assert (row["property"], row["effect"]) == ("level", 1.0)
    assert re.match(r"higher level of (energy|coefficient 0) \(loudness\)", row["sentence"])


def test_statements_on_one_fact_are_one_and_coefficients_come_last():
    def rows(*of):
        return pd.DataFrame([{"column": column, "property": kind} for kind, column in of])

    level = rows(("level", "load"), ("event size", "load"), ("spread", "load"), ("trend", "load"), ("level", "oil"))
    assert facts(level, 3)[["property", "column"]].to_numpy().tolist() == [
        ["level", "load"],
        ["trend", "load"],
        ["level", "oil"],
    ]
    twice = rows(("level", "load"), ("level", "load"), ("length", ""))
    assert facts(twice, 3)["property"].tolist() == ["level", "length"]
    sounds = rows(("level", "coefficient 2"), ("pitch", ""), ("trend", "coefficient 3"))
    assert facts(sounds, 3)["property"].tolist() == ["pitch"]
    assert len(facts(sounds.iloc[[0, 2]], 3)) == 2


@pytest.mark.parametrize("scale", [1.0, -1e-6, 1e6])
def test_intervals_vary_by_their_deviation_over_their_mean(scale):
    held = [5, 5, 5, 15] * 3 + [5]
    square = np.repeat(np.arange(len(held)) % 2, held).astype(float)[:, None]
    found = traits(SequenceSet.from_arrays([7.0 * scale + scale * square, scale * square], layout="channels_last"))
    regularity = found.values[:, found.kinds.index("regularity")]
    # 10 and 20 frames alternating: nearly 5 over 15 either way; the first and last are one more or less.
    np.testing.assert_allclose(np.exp(regularity), 1 / 3, atol=0.03)
    even = traits(SequenceSet.from_arrays([np.tile([0.0, 1.0], 30)[:, None]] * 2, layout="channels_last"))
    np.testing.assert_allclose(np.exp(even.values[:, even.kinds.index("regularity")]), 0.01)


def test_quickening_is_the_same_backwards_but_for_its_sign_and_none_of_noise_of_one_kind():
    rng = np.random.default_rng(4)
    chirp = _chirp(rng, 0)[:, None]
    noise = rng.normal(size=(4000, 1))
    items = [chirp, chirp[::-1], 3.0 * chirp + 5.0, noise, np.ones((40, 1))]
    found = traits(SequenceSet.from_arrays(items, layout="channels_last"))
    values = found.values[:, found.kinds.index("quickening")]
    assert values[0] > 0.5
    assert values[1] == pytest.approx(-values[0], rel=1e-9)
    assert values[2] == pytest.approx(values[0], rel=1e-9)
    assert abs(values[3]) < 0.1
    # A constant sequence has none.
    assert np.isnan(values[4])


def test_recordings_whose_pitch_rises_are_said_to(tmp_path):
    rng, rate, folder = np.random.default_rng(7), 8000, tmp_path / "sounds"
    folder.mkdir()
    for i in range(16):
        hertz = np.linspace(400, 600, rate)[:: (1, -1)[i % 2]] * rng.uniform(0.98, 1.02)
        sound = np.sin(2 * np.pi * np.cumsum(hertz) / rate) + 0.02 * rng.normal(size=rate)
        soundfile.write(folder / f"{i:02d}.wav", 0.3 * sound, rate)
    sequences, again = (kinseq.read(folder, cache=tmp_path / "cache") for _ in range(2))
    assert sequences.provenance["sound"] == again.provenance["sound"]
    rises = heard(sequences)["rise of pitch"]
    # From the middle of the first third to that of the last one.
    expected = 12 * np.log2((400 + 200 * 5 / 6) / (400 + 200 / 6))
    np.testing.assert_allclose(rises[::2], expected, atol=0.3)
    np.testing.assert_allclose(rises[1::2], -expected, atol=0.3)
    row = first(explain(sequences, np.arange(16) % 2), 0)
    assert (row["property"], row["column"], row["words"]) == ("rise of pitch", "", "with pitch rising")


def test_a_pitch_that_rises_less_than_elsewhere_is_not_said_to_fall(tmp_path):
    rng, rate = np.random.default_rng(7), 8000
    for i in range(16):
        hertz = np.linspace(500, (700, 500)[i % 2], rate) * rng.uniform(0.98, 1.02)
        sound = np.sin(2 * np.pi * np.cumsum(hertz) / rate) + 0.02 * rng.normal(size=rate)
        soundfile.write(tmp_path / f"{i:02d}.wav", 0.3 * sound, rate)
    table = explain(kinseq.read(tmp_path), np.arange(16) % 2)
    rises = table[table["property"] == "rise of pitch"]
    assert rises["cluster"].tolist() == [1]
    assert rises["words"].tolist() == ["with pitch rising"]


def test_a_property_of_all_others_is_contrasted_and_that_of_some_compared() -> None:
    """No group of two has a property "against all" others: "2 of 12 ..., but all 12 others do"."""
    rng, labels = np.random.default_rng(0), np.arange(24) // 12

    def said(of_members: int, of_others: int) -> set[str]:
        waving = np.arange(24) % 12 < np.where(labels == 0, of_members, of_others)
        arrays = [(_sine(rng, 10.0) if waves else np.zeros(FRAMES)) + 0.1 * rng.normal(size=FRAMES) for waves in waving]
        table = explain(SequenceSet.from_arrays([x[:, None] for x in arrays], layout="channels_last"), labels)
        return {row["sentence"] for _, row in table[table["property"] == "period"].iterrows()}

    first, second = sorted(said(2, 12))
    assert re.fullmatch(r"2 of 12 have a period \(.*\), but all 12 others do \(.*\)", first)
    assert re.fullmatch(r"all 12 have a period \(.*\), against 2 of the 12 others \(.*\)", second)
    first, second = sorted(said(0, 12))
    assert re.fullmatch(r"all 12 have a period \(.*\), but none of the 12 others do", first)
    assert re.fullmatch(r"none of 12 have a period, but all 12 others do \(.*\)", second)
