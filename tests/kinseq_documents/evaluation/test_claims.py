"""Claims on scores whose truth is known."""

import math

import numpy as np
import pandas as pd
import pytest

from kinseq.core.errors import ConfigError
from kinseq_documents.evaluation import claims, summary
from tests.sentences import Recorded


def table(curves, trials=8, noise=0.5, clusterer="spectral", model="hmm2", seed=0, reading=""):
    """Scores of curves {measure: {x: level}} with a level of its own in every trial, which pairing must remove."""
    rng = np.random.default_rng(seed)
    shifts = rng.normal(0, 10, size=trials)
    rows = []
    for measure, curve in curves.items():
        for x, level in curve.items():
            for trial in range(trials):
                value = level + shifts[trial] + rng.normal(0, noise)
                rows.append(("e", "d", f"l{x}", trial, model, measure, clusterer, "error", value, 1, float(x), reading))
    return pd.DataFrame(rows, columns=list(summary.SCORE_COLUMNS))


def decide(test, scores, where=None, **kwargs):
    claim = {"id": "c", "sentence": "It is so.", "source": {"document": "T", "item": "fig2_1"}, "test": test}
    if where:
        claim["where"] = where
    return claims.evaluate([claim], scores, "e", **kwargs).iloc[0]


FLAT = {"a": {50: 10, 100: 10, 150: 10}, "b": {50: 20, 100: 20, 150: 20}, "c": {50: 20, 100: 20, 150: 20}}


def test_lower_is_held_or_not():
    scores = table(FLAT)
    assert decide({"kind": "lower", "a": "a", "b": "b"}, scores)["verdict"] == "held"
    assert decide({"kind": "lower", "a": "b", "b": "a"}, scores)["verdict"] == "not held"
    assert decide({"kind": "lower", "a": "b", "b": "c"}, scores)["verdict"] == "undecided"
    assert decide({"kind": "lower", "a": "a", "b": ["b", "c"]}, scores)["verdict"] == "held"


def test_equal_scores_decide_nothing_about_lower():
    scores = table({"a": {50: 0}, "b": {50: 0}}, noise=0.0)
    assert decide({"kind": "lower", "a": "a", "b": "b"}, scores)["verdict"] == "undecided"
    assert decide({"kind": "not_worse", "a": "a", "b": "b", "within": 1}, scores)["verdict"] == "held"


def test_the_number_that_decides_is_reported():
    row = decide({"kind": "lower", "a": "a", "b": ["b", "c"]}, table(FLAT, noise=0.0), labels={"a": "KL-LL", "b": "BP"})
    assert row["difference"] == pytest.approx(-10)
    assert row["numbers"].startswith("KL-LL minus BP: -10.00 points (95 % -10.00 to -10.00; claimed: below 0), n = 8")
    assert row["numbers"].endswith("2 of 2 comparisons hold")
    assert (row["n"], row["comparisons"], row["experiment"], row["document"]) == (8, 2, "e", "T")


def test_fewer_than_five_trials_decide_nothing():
    row = decide({"kind": "lower", "a": "a", "b": "b"}, table(FLAT, trials=4, noise=0.0))
    assert row["verdict"] == "undecided"
    assert "fewer than 5 trials" in row["numbers"]
    assert decide({"kind": "lower", "a": "a", "b": "b"}, table(FLAT, trials=5))["verdict"] == "held"
    assert decide({"kind": "lower", "a": "a", "b": "b"}, table(FLAT, trials=1))["verdict"] == "undecided"


def test_lowest_at_each_position():
    scores = table({"a": {50: 10, 100: 10}, "b": {50: 20, 100: 9}, "c": {50: 20, 100: 30}})
    assert decide({"kind": "lowest", "a": "a", "among": ["a", "b", "c"]}, scores)["verdict"] == "held"
    everywhere = {"kind": "lowest", "a": "a", "among": ["a", "b", "c"], "each": "x"}
    row = decide(everywhere, scores)
    assert row["verdict"] == "not held"
    assert row["comparisons"] == 4
    assert "a minus b at x = 100" in row["numbers"]
    assert decide({**everywhere, "within": 2.5}, scores)["verdict"] == "held"


def test_margins_may_be_asked_for():
    scores = table(FLAT)
    assert decide({"kind": "lower", "a": "a", "b": "b", "within": -5}, scores)["verdict"] == "held"
    assert decide({"kind": "lower", "a": "a", "b": "b", "within": -15}, scores)["verdict"] == "not held"
    assert "claimed: below -5)" in decide({"kind": "lower", "a": "a", "b": "b", "within": -5}, scores)["numbers"]


def test_change_along_an_axis_is_the_least_squares_line():
    """The fitted line's change over the axis, as NumPy fits it; not the difference of the two ends."""
    levels = {50: 30, 100: 20, 200: 4}
    scores = table({"a": levels}, noise=0.0)
    row = decide({"kind": "falls", "of": "a", "along": "x"}, scores)
    slope = np.polyfit(list(levels), list(levels.values()), 1)[0]
    assert row["difference"] == pytest.approx(150 * slope)
    assert row["verdict"] == "held"
    assert decide({"kind": "rises", "of": "a", "along": "x"}, scores)["verdict"] == "not held"


def test_change_along_models_in_the_order_given():
    parts = [
        table({"a": {0: level}}, model=model, noise=0.1) for model, level in (("hmm2", 10), ("hmm3", 14), ("hmm10", 18))
    ]
    scores = pd.concat(parts)
    along = {"model": ["hmm2", "hmm3", "hmm10"]}
    row = decide({"kind": "rises", "of": "a", "along": along}, scores)
    assert row["verdict"] == "held"
    assert row["difference"] == pytest.approx(8, abs=0.3)
    assert decide({"kind": "falls", "of": "a", "along": along}, scores)["verdict"] == "not held"


def test_stable_within_points():
    scores = table({"a": {50: 10, 150: 12}, "b": {50: 12, 150: 10}})
    for of, within, expected in (
        ("a", 3, "held"),
        ("b", 3, "held"),
        (["a", "b"], 3, "held"),
        ("a", 1, "not held"),
        ("b", 1, "not held"),
    ):
        assert decide({"kind": "stable", "of": of, "along": "x", "within": within}, scores)["verdict"] == expected


def test_gap_between_two_ranges():
    scores = table({"a": {50: 10, 150: 5}, "b": {50: 30, 150: 6}})
    short = {"kind": "gap", "a": "a", "b": "b", "at": {"x": {"max": 99}}, "than": {"x": {"min": 100}}}
    row = decide(short, scores)
    assert row["verdict"] == "held"
    assert row["difference"] == pytest.approx(19, abs=0.7)
    swapped = {**short, "at": short["than"], "than": short["at"]}
    assert decide(swapped, scores)["verdict"] == "not held"


def test_gap_between_clusterers():
    scores = pd.concat(
        [table({"a": {50: 10}, "b": {50: 30}}), table({"a": {50: 18}, "b": {50: 20}}, clusterer="hierarchical")]
    )
    test = {"kind": "gap", "a": "a", "b": "b", "at": {"clusterer": "spectral"}, "than": {"clusterer": "hierarchical"}}
    assert decide(test, scores)["verdict"] == "held"


def test_near_is_in_percent_of_the_other():
    levels = {"a": 9.6, "b": 10.0, "c": 9.9, "zero": 0.0}
    scores = table({measure: {50: level} for measure, level in levels.items()})
    scores["value"] = scores["measure"].map(levels)
    found = decide({"kind": "near", "a": "a", "b": "b", "within": 5}, scores)
    assert found["verdict"] == "held"
    assert found["difference"] == pytest.approx(-4.0)
    assert "-4.00 %" in found["numbers"]
    assert decide({"kind": "near", "a": "a", "b": ["b", "c"], "within": 3.5}, scores)["verdict"] == "not held"
    assert decide({"kind": "near", "a": "b", "b": "a", "within": 4.1}, scores)["verdict"] == "not held"  # 4.17 % of a
    assert decide({"kind": "near", "a": "a", "b": "zero", "within": 5}, scores)["verdict"] == "undecided"


def test_alike():
    scores = table({"a": {50: 10}, "b": {50: 11}, "c": {50: 12}})
    assert decide({"kind": "alike", "of": ["a", "b", "c"], "within": 3}, scores)["verdict"] == "held"
    assert decide({"kind": "alike", "of": ["c", "b", "a"], "within": 3}, scores)["verdict"] == "held"
    assert decide({"kind": "alike", "of": ["c", "b", "a"], "within": 1.2}, scores)["verdict"] == "not held"


def test_where_and_each_leave_controls_out():
    control = table({"true_labels": {50: 0}}, clusterer="control", model="none")
    scores = pd.concat([table(FLAT), table(FLAT, clusterer="hierarchical"), control])
    row = decide({"kind": "lower", "a": "a", "b": "b", "each": "clusterer"}, scores)
    assert (row["verdict"], row["comparisons"]) == ("held", 2)
    row = decide({"kind": "lower", "a": "a", "b": "b", "each": ["clusterer", "x"]}, scores, where={"x": {"max": 100}})
    assert row["comparisons"] == 4


def test_many_comparisons_do_not_refute_by_chance():
    """Forty equal pairs: some single interval excludes 0, and yet nothing is said."""
    levels = dict.fromkeys(range(40), 20)
    scores = table({"a": levels, "b": levels}, trials=20, noise=2.0, seed=5)
    row = decide({"kind": "lower", "a": "a", "b": "b", "each": "x"}, scores)
    assert row["verdict"] == "undecided"


def test_readings_are_decided_side_by_side():
    better = table({"a": {50: 10}, "b": {50: 20}}, reading="judged")
    worse = table({"a": {50: 20}, "b": {50: 10}}, reading="other")
    readings = ["judged", "other"]
    test = {"kind": "lower", "a": {"measure": "a", "model": "hmm2"}, "b": {"measure": "b", "model": "hmm2"}}
    row = decide(test, pd.concat([better, worse]), readings=readings)
    assert (row["verdict"], row["other_verdict"]) == ("held", "not held")
    assert decide(test, better, readings=readings)["other_verdict"] == ""


def test_missing_scores_are_named(recorded: Recorded):
    row = decide({"kind": "lower", "a": "a", "b": "zz"}, table(FLAT))
    assert (row["verdict"], row["n"]) == ("undecided", 0)
    recorded(row["numbers"])
    assert math.isnan(row["difference"])
    assert decide({"kind": "falls", "of": "a", "along": "x", "each": "x"}, table(FLAT))["verdict"] == "undecided"


def test_the_same_numbers_at_every_call():
    scores = table(FLAT)
    test = {"kind": "lowest", "a": "a", "among": ["a", "b"], "each": "x"}
    assert decide(test, scores).equals(decide(test, scores))


GOOD = {
    "id": "c",
    "sentence": "s",
    "source": {"document": "T", "item": "fig2_1"},
    "test": {"kind": "lower", "a": "sym", "b": "bp"},
}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"sentense": "s"}, "unknown key 'sentense' .did you mean 'sentence'"),
        ({"source": {"document": "T"}}, "source needs document and item"),
        ({"test": {"kind": "lowr", "a": "sym", "b": "bp"}}, "unknown kind of test 'lowr' .did you mean 'lower'"),
        ({"test": {"kind": "lower", "a": "sym"}}, "lacks the key 'b'"),
        ({"test": {"kind": "lower", "a": "sym", "b": "bp", "margin": 1}}, "unknown key of test lower 'margin'"),
        ({"test": {"kind": "lower", "a": "sym", "b": {"clusterr": "x"}}}, "unknown column 'clusterr'"),
        ({"test": {"kind": "lower", "a": "sim", "b": "bp"}}, "unknown measure 'sim'"),
        ({"test": {"kind": "lower", "a": 3, "b": "bp"}}, "3 selects nothing"),
        ({"test": {"kind": "lower", "a": "sym", "b": "bp", "each": "y"}}, "unknown column 'y'"),
        ({"test": {"kind": "falls", "of": "sym", "along": {"model": ["hmm2"]}}}, "at least two values"),
        ({"where": {"metrics": "ari"}}, "unknown column 'metrics'"),
    ],
)
def test_malformed_claims_are_named(change, message):
    with pytest.raises(ConfigError, match=f"^claim 'c': .*{message}"):
        claims.check_claim({**GOOD, **change}, measures=["sym", "bp"])


def test_a_good_claim_passes(recorded: Recorded):
    claims.check_claim(GOOD, measures=["sym", "bp"])
    for key in ("id", "sentence", "source", "test"):
        with recorded.raises(ConfigError):
            claims.check_claim({name: value for name, value in GOOD.items() if name != key})


def in_unit(curves, metric, scale=1.0, **options):
    """Scores of another metric, which need not be in percent."""
    scores = table(curves, **options).assign(metric=metric)
    scores["value"] *= scale
    return scores


def test_better_follows_the_direction_of_the_metric():
    errors, precisions = table(FLAT), in_unit(FLAT, "map")
    for kind, sides in (("better", {"a": "a", "b": ["b", "c"]}), ("best", {"a": "a", "among": ["a", "b", "c"]})):
        assert decide({"kind": kind, **sides}, errors)["verdict"] == "held"
        assert decide({"kind": kind, **sides}, precisions, metric="map")["verdict"] == "not held"
    # lower and lowest refer to numbers, whatever they mean.
    assert decide({"kind": "lower", "a": "a", "b": "b"}, precisions, metric="map")["verdict"] == "held"
    assert decide({"kind": "best", "a": "b", "among": ["a", "b"]}, precisions, metric="map")["verdict"] == "held"


def test_not_worse_and_gap_follow_the_direction_of_the_metric():
    near = {"a": {50: 11}, "b": {50: 10}}
    claim = {"kind": "not_worse", "a": "b", "b": "a", "within": 3}
    assert decide(claim, in_unit(near, "map"), metric="map")["verdict"] == "held"
    assert decide({**claim, "within": 0.2}, in_unit(near, "map"), metric="map")["verdict"] == "not held"
    assert decide({**claim, "a": "a", "b": "b", "within": 0.2}, in_unit(near, "map"), metric="map")["verdict"] == "held"
    curves = {"a": {50: 30, 100: 20}, "b": {50: 10, 100: 15}}
    gap = {"kind": "gap", "a": "a", "b": "b", "at": {"x": 50}, "than": {"x": 100}}
    assert decide(gap, in_unit(curves, "map"), metric="map")["verdict"] == "held"
    assert decide(gap, table(curves))["verdict"] == "not held"


def test_numbers_are_in_the_unit_of_the_metric():
    row = decide({"kind": "lower", "a": "a", "b": "b"}, in_unit(FLAT, "ari", 0.01, noise=0.0), metric="ari")
    assert row["numbers"].startswith("a minus b: -0.1000 (95 % -0.1000 to -0.1000; claimed: below 0), n = 8")
    assert row["difference"] == pytest.approx(-0.1)
    likelihoods = in_unit(FLAT, "loglik_per_frame", 0.01, noise=0.0)
    numbers = decide({"kind": "lower", "a": "a", "b": "b"}, likelihoods, metric="loglik_per_frame")["numbers"]
    assert "-0.1000 nats" in numbers
    assert "points" not in numbers


@pytest.mark.parametrize(
    "test, where, metric",
    [
        ({"kind": "lower", "a": "a", "b": "b"}, {"metric": "eror"}, "error"),
        ({"kind": "lower", "a": "a", "b": "b"}, {"metric": ["error", "ari"]}, "error"),
        ({"kind": "lower", "a": "a", "b": "b"}, {"metric": ["error", "map"]}, "error"),
        ({"kind": "better", "a": "a", "b": "b"}, None, "models_kept"),
        ({"kind": "lower", "a": "a", "b": "b"}, None, "rmse"),
    ],
)
def test_metrics_of_claims_are_checked(test, where, metric, recorded: Recorded):
    claim = {"id": "c", "sentence": "s", "source": {"document": "T", "item": "i"}, "test": test, "where": where or {}}
    with recorded.raises(ConfigError):
        claims.check_claim(claim, metric=metric)


def test_further_trials_of_a_gap_are_of_its_two_places_alone():
    scores = pd.concat(
        [table({"sym": {1: 10}, "yy": {1: 20}}).assign(dataset=name) for name in ("plain", "noisy", "other")]
    )
    test = {"kind": "gap", "a": "sym", "b": "yy", "at": {"dataset": "noisy"}, "than": {"dataset": "plain"}}
    cells = claims.cells_behind({"test": test}, scores.reset_index(drop=True))
    assert cells == [(name, "hmm2", each, "spectral") for name in ("plain", "noisy") for each in ("sym", "yy")]
    lower = {"test": {"kind": "lower", "a": "sym", "b": "yy"}}
    assert len(claims.cells_behind(lower, scores.reset_index(drop=True))) == 6
