"""Means over trials, their intervals, and paired differences."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from kinseq.core.errors import DataError, ParameterError
from kinseq_documents.evaluation import summary
from tests.sentences import Recorded


def scores(rows):
    """A table of scores from (trial, measure, value) and optional further columns."""
    blank = {
        "experiment": "e",
        "dataset": "d",
        "task": "all",
        "model": "hmm2",
        "clusterer": "spectral",
        "metric": "error",
        "seed": 1,
        "x": math.nan,
        "reading": "",
    }
    table = pd.DataFrame([{**blank, **row} for row in rows])
    return table[list(summary.SCORE_COLUMNS)]


def of_values(values, **columns):
    return scores([{"trial": t, "measure": "sym", "value": v, **columns} for t, v in enumerate(values)])


def test_mean_and_deviation_by_hand():
    row = summary.summarise(of_values([10.0, 20.0, 30.0, 40.0])).iloc[0]
    assert (row["mean"], row["n"]) == (25.0, 4)
    assert row["std"] == pytest.approx(math.sqrt(500 / 3))
    assert row["se"] == pytest.approx(math.sqrt(500 / 3) / 2)
    assert row["low"] < 25 < row["high"]


def test_tasks_of_a_trial_are_averaged_first():
    """Two trials of three tasks each: n is 2, and a trial with more tasks weighs no more."""
    rows = [{"trial": 0, "measure": "sym", "value": v, "task": f"t{k}"} for k, v in enumerate([0.0, 6.0, 12.0])]
    rows += [{"trial": 1, "measure": "sym", "value": v, "task": f"t{k}"} for k, v in enumerate([10.0])]
    row = summary.summarise(scores(rows)).iloc[0]
    assert (row["mean"], row["n"]) == (8.0, 2)
    assert row["std"] == pytest.approx(math.sqrt(8))


def test_positions_on_a_curve_are_kept_apart_and_may_be_missing():
    rows = [{"trial": t, "measure": "sym", "value": v, "x": x} for t in (0, 1) for x, v in ((50, 4.0), (100, 2.0))]
    rows += [{"trial": t, "measure": "dtw", "value": 9.0} for t in (0, 1)]
    table = summary.summarise(scores(rows))
    assert table["mean"].tolist() == [4.0, 2.0, 9.0]
    assert table["x"].isna().tolist() == [False, False, True]


def test_one_trial_has_no_spread():
    row = summary.summarise(of_values([7.0])).iloc[0]
    assert row["mean"] == 7.0
    assert row[["std", "se", "low", "high"]].isna().all()


def test_t_interval_agrees_with_scipy():
    values = np.array([3.0, 8.5, 1.25, 9.0, 4.0, 7.5])
    found = summary.mean_interval(values, 0.9, "t")
    expected = stats.t.interval(0.9, 5, loc=values.mean(), scale=stats.sem(values))
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_bootstrap_interval_agrees_with_scipy():
    values = np.random.default_rng(3).gamma(2.0, 5.0, size=40)
    found = summary.mean_interval(values, n_resamples=20_000)
    expected = stats.bootstrap(
        (values,), np.mean, n_resamples=20_000, method="percentile", rng=np.random.default_rng(0)
    ).confidence_interval
    np.testing.assert_allclose(found, expected, atol=0.1)


def test_bootstrap_is_the_same_at_every_call_and_of_every_cell():
    one = summary.summarise(of_values([1.0, 5.0, 2.0, 8.0, 4.0]))
    rows = pd.concat([of_values([9.0, 9.5, 8.0, 1.0, 0.0], model="hmm3"), of_values([1.0, 5.0, 2.0, 8.0, 4.0])])
    two = summary.summarise(rows)
    pd.testing.assert_frame_equal(one, two[two["model"] == "hmm2"].reset_index(drop=True))


def test_bootstrap_stays_within_the_values():
    low, high = summary.mean_interval(np.array([0.0, 0.0, 0.0, 0.0, 1.0]))
    assert low == 0.0
    assert high <= 1.0


def test_what_is_no_number_is_named(recorded: Recorded):
    with recorded.raises(DataError):
        summary.summarise(of_values([1.0, math.nan]))
    with recorded.raises(DataError):
        summary.summarise(of_values([1.0]).drop(columns="clusterer"))


def test_scores_survive_the_file(tmp_path, recorded: Recorded):
    path = tmp_path / "scores.csv"
    table = scores([{"trial": 0, "measure": "dtw", "value": 1.5, "model": "none"}])
    table.to_csv(path, index=False)
    back = summary.read_scores(path)
    assert back.loc[0, "model"] == "none"
    assert math.isnan(back.loc[0, "x"])
    with recorded.raises(DataError):
        summary.read_scores(tmp_path / "nothing.csv")


def test_selection_by_value_list_and_range(recorded: Recorded):
    rows = [{"trial": 0, "measure": m, "value": x, "x": float(x)} for m in ("a", "b", "c") for x in (50, 100, 150)]
    table = scores(rows)
    assert len(summary.select(table, {"measure": "a"})) == 3
    assert len(summary.select(table, {"measure": ["a", "c"], "x": {"max": 100}})) == 4
    assert summary.select(table, {"measure": "b", "x": {"min": 100, "max": 100}})["value"].tolist() == [100]
    with recorded.raises(ParameterError):
        summary.select(table, {"metrics": "error"})
    with recorded.raises(ParameterError):
        summary.select(table, {"x": {"below": 100}})


def test_differences_are_paired_by_trial():
    """The trial's own level cancels: what is left is the difference, with no spread at all."""
    level = [0.0, 30.0, 7.0, 55.0, 21.0]
    rows = [
        {"trial": t, "measure": m, "value": v + d} for t, v in enumerate(level) for m, d in (("a", 0.0), ("b", 2.0))
    ]
    found = summary.paired(scores(rows), {"measure": "a"}, {"measure": "b"})
    assert (found.mean, found.low, found.high, found.n) == (-2.0, -2.0, -2.0, 5)


def test_differences_match_tasks_and_models():
    """Measure b lacks the hard task and the hard model, so they may not count against a."""
    rows = []
    for trial in range(3):
        for task, model, value in (("easy", "hmm2", 1.0), ("hard", "hmm2", 40.0), ("easy", "hmm3", 60.0)):
            rows.append({"trial": trial, "measure": "a", "value": value, "task": task, "model": model})
        rows.append({"trial": trial, "measure": "b", "value": 3.0, "task": "easy", "model": "hmm2"})
    found = summary.paired_differences(scores(rows), {"measure": "a"}, {"measure": "b"})
    assert found.tolist() == [-2.0, -2.0, -2.0]


def test_a_measure_without_model_is_compared_with_all_models():
    rows = [
        {"trial": t, "measure": "a", "value": v, "model": m} for t in (0, 1) for m, v in (("hmm2", 1.0), ("hmm3", 3.0))
    ]
    rows += [{"trial": t, "measure": "dtw", "value": 10.0, "model": "none"} for t in (0, 1)]
    found = summary.paired_differences(scores(rows), {"measure": "a"}, {"measure": "dtw"})
    assert found.tolist() == [-8.0, -8.0]


def test_differences_across_positions_ignore_the_task_made_for_one():
    rows = [
        {"trial": t, "measure": "a", "value": v + t, "x": float(x), "task": f"l{x}"}
        for t in range(3)
        for x, v in ((50, 20.0), (200, 5.0))
    ]
    found = summary.paired_differences(scores(rows), {"x": 200.0}, {"x": 50.0})
    assert found.tolist() == [-15.0, -15.0, -15.0]


def test_no_common_trial_gives_nothing():
    rows = [{"trial": 0, "measure": "a", "value": 1.0}, {"trial": 1, "measure": "b", "value": 1.0}]
    found = summary.paired(scores(rows), {"measure": "a"}, {"measure": "b"})
    assert found.n == 0
    assert math.isnan(found.mean)


def test_readings_are_views():
    table = pd.concat([of_values([1.0], reading="a"), of_values([2.0], reading="b"), of_values([3.0], model="none")])
    view = summary.reading_view(table, "b")
    # Rows without a reading, such as controls, belong to each, and are compared with its rows.
    assert view["value"].tolist() == [2.0, 3.0]
    assert view["reading"].tolist() == ["b", "b"]
    assert summary.reading_view(table)["value"].tolist() == [3.0]
    assert summary.reading_view(table[:1], "b").empty


def test_root_mean_squares_are_pooled_as_such():
    """Errors 3, 4 and 5 in three trials: the root of 50 / 3, not their mean of 4."""
    row = summary.summarise(of_values([3.0, 4.0, 5.0], metric="rmse")).iloc[0]
    assert row["mean"] == pytest.approx(math.sqrt(50 / 3))
    assert row["std"] == pytest.approx(1.0)
    squares = np.array([9.0, 16.0, 25.0])
    assert row["se"] == pytest.approx(squares.std(ddof=1) / math.sqrt(3) / (2 * math.sqrt(50 / 3)))
    low, high = summary.mean_interval(squares)
    assert (row["low"], row["high"]) == (pytest.approx(math.sqrt(low)), pytest.approx(math.sqrt(high)))
    single = summary.summarise(of_values([3.0], metric="rmse")).iloc[0]
    assert single["mean"] == 3.0
    assert single[["std", "se", "low", "high"]].isna().all()
    exact = summary.summarise(of_values([0.0] * 5, metric="rmse")).iloc[0]
    assert exact[["mean", "std", "se", "low", "high"]].tolist() == [0.0] * 5


def test_pooling_goes_by_the_metric_of_each_row(recorded: Recorded):
    table = pd.concat([of_values([3.0, 5.0], metric="rmse"), of_values([3.0, 5.0])])
    assert summary.summarise(table)["mean"].tolist() == [pytest.approx(math.sqrt(17.0)), 4.0]
    with recorded.raises(ParameterError):
        summary.summarise(table, by=["measure"])
