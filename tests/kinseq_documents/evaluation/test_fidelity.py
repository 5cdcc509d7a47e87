"""Verdicts of cells, order of methods, published numbers."""

import math
from pathlib import Path

import pandas as pd
import pytest
import yaml

from kinseq.core.errors import ConfigError, DataError
from kinseq.metrics import registry
from kinseq_documents import plan
from kinseq_documents.catalogue import at_scale
from kinseq_documents.data import registry as loaders
from kinseq_documents.evaluation import fidelity, summary
from kinseq_documents.rendering.fidelity import to_markdown
from tests.sentences import Recorded

PUBLISHED = Path(__file__).parents[3] / "config" / "published"
NAN = math.nan


def published(*cells):
    """Printed cells from dictionaries; what is left out is as in Table 2.1."""
    blank = dict.fromkeys(fidelity.PUBLISHED_COLUMNS, "") | {
        "document": "T",
        "item": "tab2_1",
        "row": "m=2",
        "dataset": "d",
        "model": "hmm2",
        "measure": "sym",
        "clusterer": "spectral",
        "metric": "error",
        "std": "0",
        "n_runs": "15",
        "unit": "percent",
        "place": "T Table 2.1",
    }
    return pd.DataFrame([{**blank, **cell} for cell in cells], dtype=str)


def scores(values, measure="sym", model="hmm2", dataset="d", clusterer="spectral", x=NAN, metric="error", reading=""):
    rows = [("e", dataset, "all", t, model, measure, clusterer, metric, v, 1, x, reading) for t, v in enumerate(values)]
    return pd.DataFrame(rows, columns=list(summary.SCORE_COLUMNS))


@pytest.mark.parametrize(
    ("mean", "se", "n", "published_se", "expected"),
    [
        (NAN, NAN, 0, 0.0, "not available"),
        (20.0, 0.1, 4, 0.0, "too few runs"),
        (20.0, 2.01, 5, 0.0, "too few runs"),
        (20.0, NAN, 1, 0.0, "too few runs"),
        (20.0, 0.0, 5, 0.0, "reproduced"),
        (21.0, 0.1, 5, 0.0, "reproduced"),
        (19.0, 0.1, 5, 0.0, "reproduced"),
        (21.01, 0.5, 5, 0.0, "close"),
        (21.01, 0.51, 5, 0.0, "reproduced"),
        (23.0, 0.1, 5, 0.0, "close"),
        (17.0, 0.1, 5, 0.0, "close"),
        (23.01, 0.1, 5, 0.0, "worse"),
        (16.99, 0.1, 5, 0.0, "better"),
        # 2 * hypot(1.2, 1.6) = 4: within the noise of both, so no more can be said.
        (24.0, 1.2, 5, 1.6, "too few runs"),
        # 2 * hypot(0.6, 0.8) = 2.
        (22.0, 0.6, 5, 0.8, "reproduced"),
        (22.0, 0.6, 5, 0.81, "too few runs"),
        # A hit is no better than a miss if the runs cannot decide.
        (21.0, 1.2, 5, 1.6, "print uncertain"),
        (20.0, 1.2, 5, 1.6, "print uncertain"),
        (24.01, 1.2, 5, 1.6, "worse"),
        (24.01, 2.0, 5, NAN, "worse"),
    ],
)
def test_verdicts_by_hand(mean, se, n, published_se, expected):
    assert fidelity.verdict(20.0, published_se, mean, se, n) == expected


def test_the_good_side_depends_on_the_metric():
    assert fidelity.verdict(0.5, 0.0, 0.6, 0.001, 5, "ari") == "better"
    assert fidelity.verdict(0.6, 0.0, 0.5, 0.001, 5, "ari") == "worse"
    assert fidelity.verdict(50.0, 0.0, 60.0, 0.1, 5, "segmentation_error") == "worse"
    assert fidelity.verdict(50.0, 0.0, 60.0, 0.1, 5, "models_kept") == "different"


@pytest.mark.parametrize(
    ("metric", "published_value", "mean", "se", "expected"),
    [
        # Tolerances are those of the metric and in its unit: these would all be equal within one percentage point.
        ("nmi", 0.80, 0.85, 0.004, "better"),
        ("nmi", 0.80, 0.82, 0.004, "close"),
        ("nmi", 0.80, 0.81, 0.004, "reproduced"),
        ("nmi", 0.80, 0.80, 0.03, "too few runs"),
        ("ari", 0.60, 0.50, 0.004, "worse"),
        ("estimate", 0.125, 1.1, 0.004, "different"),
        ("estimate", 0.125, 0.13, 0.001, "reproduced"),
        ("estimate", 0.125, 0.14, 0.001, "close"),
        ("estimate", 0.125, 0.125, 0.02, "too few runs"),
        ("estimate", -2.0, -2.1, 0.01, "reproduced"),
        ("bias", 0.0, 0.05, 0.001, "different"),
        ("nmse", 0.02, 0.05, 0.001, "worse"),
        ("n_clusters", 22.0, 23.0, 0.1, "close"),
        ("map", 20.6, 24.0, 0.5, "better"),
    ],
)
def test_verdicts_in_the_unit_of_the_metric(metric, published_value, mean, se, expected):
    assert fidelity.verdict(published_value, 0.0, mean, se, 5, metric) == expected


@pytest.mark.parametrize(
    ("metric", "unit", "value", "expected"),
    [
        ("nmi", "fraction", "0.80", 0.8),
        ("nmi", "percent", "80", 0.8),
        ("map", "percent", "44.85", 44.85),
        ("map", "fraction", "0.4485", 44.85),
        ("estimate", "nats", "0.125", 0.125),
        ("loglik_per_frame", "bits", "2", 2 * math.log(2)),
        ("p_at_10", "percent", "13.76", 13.76),
        ("n_clusters", "count", "22", 22.0),
        ("accuracy", "fraction", "0.973", 2.7),
    ],
)
def test_printed_numbers_are_brought_to_the_unit_of_the_metric(metric, unit, value, expected):
    cells = fidelity.to_common_scale(published({"metric": metric, "unit": unit, "value": value, "std": value}))
    assert cells.loc[0, "published"] == pytest.approx(expected, abs=1e-9)
    if metric != "accuracy":
        assert cells.loc[0, "published_std"] == pytest.approx(expected, abs=1e-9)


def test_a_printed_fraction_meets_a_scored_fraction():
    """A printed NMI of 0.80 next to a regenerated one of 0.8 is reproduced, next to one of 0.9 it is not."""
    printed = published({"metric": "nmi", "unit": "fraction", "value": "0.80", "std": ""})
    assert fidelity.compare(printed, scores([0.8] * 5, metric="nmi")).loc[0, "verdict"] == "reproduced"
    row = fidelity.compare(printed, scores([0.9] * 5, metric="nmi")).loc[0]
    assert (row["verdict"], row["unit"]) == ("better", "fraction")
    assert row["difference"] == pytest.approx(0.1)


def test_errors_become_accuracies_where_accuracies_are_shown():
    printed = published({"metric": "error", "value": "20"}, {"metric": "accuracy", "value": "0.75", "unit": "fraction"})
    cells = fidelity.to_common_scale(printed, "accuracy")
    assert cells["metric"].tolist() == ["accuracy", "accuracy"]
    assert cells["published"].tolist() == [80.0, 75.0]
    found = fidelity.assess({"id": "e", "metric": "accuracy"}, scores([80.0] * 5, metric="accuracy"), printed.iloc[:1])
    assert found.cells["verdict"].tolist() == ["reproduced"]


def test_units_and_metrics_of_print_are_checked(tmp_path, recorded: Recorded):
    for cell in (
        {"metric": "nmi", "unit": "nats", "value": "1"},
        {"metric": "nmy", "unit": "fraction", "value": "1"},
    ):
        path = tmp_path / "p.csv"
        published(cell).to_csv(path, index=False)
        with recorded.raises(ConfigError):
            fidelity.read_published(path)
        with recorded.raises(ConfigError):
            fidelity.to_common_scale(published(cell))


def test_more_is_better_ranks_the_other_way_and_units_are_ranked_apart():
    cells, tables = [], []
    for metric, unit, values in (("map", "percent", (40, 30)), ("ari", "fraction", (0.2, 0.3))):
        for measure, value in zip(("a", "b"), values, strict=True):
            cells.append({"row": metric, "metric": metric, "unit": unit, "measure": measure, "value": str(value)})
            tables.append(scores([float(value)] * 5, measure=measure, metric=metric))
    orders = fidelity.rankings(fidelity.compare(published(*cells), pd.concat(tables)))
    assert orders["row"].tolist() == ["map", "", "ari", ""]
    assert orders["best"].tolist() == ["a", "a", "b", "b"]


def test_accuracies_become_errors_and_fractions_stay():
    cells = fidelity.to_common_scale(
        published(
            {"metric": "accuracy", "value": "66.67", "std": "2.8"},
            {"metric": "ari", "value": "0.136", "unit": "fraction", "std": "0.01"},
            {"metric": "bandwidth", "value": "sigma", "unit": "text"},
        )
    )
    assert cells["metric"].tolist() == ["error", "ari"]
    assert cells["published"].tolist() == [33.33, 0.136]
    assert cells["published_std"].tolist() == [2.8, 0.01]
    assert cells["printed"].tolist() == ["66.67", "0.136"]
    assert cells["printed_metric"].tolist() == ["accuracy", "ari"]


def test_cells_meet_their_scores(recorded: Recorded):
    printed = published(
        {"value": "20.00", "std": "1.5"}, {"value": "40.0", "measure": "bp"}, {"value": "9", "dataset": "gone"}
    )
    values = [20.5, 21.5, 21.0, 20.0, 22.0]
    table = pd.concat([scores(values, reading="judged"), scores([25.0] * 5, reading="other")])
    cells = fidelity.compare(printed, table, "e", {"gone": "it is lost"}, ["judged", "other"])
    first = cells.iloc[0]
    assert (first["mean"], first["n"], first["verdict"]) == (21.0, 5, "reproduced")
    assert first["difference"] == pytest.approx(1.0)
    assert (first["other_mean"], first["other_verdict"]) == (25.0, "worse")
    assert cells["verdict"].tolist() == ["reproduced", "not available", "not available"]
    recorded(cells["reason"].tolist())


def test_what_is_not_compared_has_a_verdict_too(recorded: Recorded):
    words = {"unit": "text", "metric": "time_real"}
    printed = published({**words, "value": "6m 12.3s"}, {"value": "20"}, {**words, "value": "7 h", "dataset": "gone"})
    cells = fidelity.compare(printed, scores([20.0] * 5), "e", {"gone": "it is lost"})
    assert cells["printed"].tolist() == ["20", "6m 12.3s", "7 h"]
    assert cells["verdict"].tolist() == ["reproduced", "not available", "not available"]
    recorded(cells["reason"].tolist())
    assert fidelity.rankings(cells)["methods"].tolist() == []


def test_printed_deviation_takes_part():
    """Standard error of print 3 / sqrt(9) = 1, none of ours: 2 points are within 2 combined standard errors, 2.1 are not."""
    printed = published({"value": "20", "std": "3", "n_runs": "9"})
    assert fidelity.compare(printed, scores([22.0] * 5)).loc[0, "verdict"] == "reproduced"
    assert fidelity.compare(printed, scores([22.1] * 5)).loc[0, "verdict"] == "close"
    wide = published({"value": "20", "std": "6", "n_runs": "9"})
    assert fidelity.compare(wide, scores([24.0] * 5)).loc[0, "verdict"] == "print uncertain"
    assert fidelity.compare(wide, scores([24.1] * 5)).loc[0, "verdict"] == "worse"
    unknown = published({"value": "20", "std": "6", "n_runs": ""})
    assert fidelity.compare(unknown, scores([24.0] * 5)).loc[0, "verdict"] == "worse"


def test_a_single_printed_run_is_no_exact_number():
    """Runs of 14, 16, 18, 20, 22 have mean 18 and deviation 3.16; one run lies within 2 * hypot(3.16, 1.41) = 6.93."""
    runs = [14.0, 16.0, 18.0, 20.0, 22.0]
    for value, expected in (
        ("24.9", "one run"),
        ("25", "better"),
        ("11.1", "one run"),
        ("11", "worse"),
        ("18.5", "too few runs"),
    ):
        cell = {"value": value, "std": "", "n_runs": "1"}
        assert fidelity.compare(published(cell), scores(runs)).loc[0, "verdict"] == expected, value
    # The mean of many such runs is known; the single printed one cannot decide, even if equal.
    for value in ("18", "18.5", "22"):
        cell = {"value": value, "std": "", "n_runs": "1"}
        assert fidelity.compare(published(cell), scores(runs * 4)).loc[0, "verdict"] == "one run", value
    for known in ({"n_runs": "15"}, {"n_runs": ""}, {"std": "0.1"}):
        cell = published({"value": "24.9", "std": "", "n_runs": "1", **known})
        assert fidelity.compare(cell, scores(runs)).loc[0, "verdict"] == "better"


def test_what_is_no_result_of_the_document_has_a_verdict_of_its_own():
    cells = [{"value": "20", "standing": standing} for standing in ("", "formula", "cited")]
    near, far = (fidelity.compare(published(*cells), scores([mean] * 5))["verdict"].tolist() for mean in (20.5, 30.0))
    assert near == ["reproduced", "agrees", "cited"]
    assert far == ["worse", "differs", "cited"]
    assert not {"agrees", "differs", "cited"} & set(fidelity.VERDICTS)


def test_a_known_misprint_is_compared_as_it_is_meant():
    cell = fidelity.compare(published({"value": "23.63", "meant": "13.63"}), scores([13.0] * 5)).loc[0]
    assert (cell["printed"], cell["published"], cell["verdict"]) == ("23.63", 13.63, "reproduced")


def test_close_is_at_most_half_of_the_printed_number():
    """0.47 is within three points of 2.66, and less than a fifth of it."""
    assert fidelity.verdict(2.66, 0.0, 0.47, 0.01, 10) == "better"
    assert fidelity.verdict(2.66, 0.0, 1.40, 0.01, 10) == "close"
    assert fidelity.verdict(0.4, 0.0, 1.3, 0.01, 10) == "reproduced"


def test_positions_on_an_axis_are_matched():
    printed = published({"value": "10", "x": "15"}, {"value": "20", "x": "20"})
    table = pd.concat([scores([10.0] * 5, x=15.0), scores([99.0] * 5)])
    assert fidelity.compare(printed, table)["verdict"].tolist() == ["reproduced", "not available"]


def test_without_scores_all_is_not_available():
    cells = fidelity.compare(published({"value": "10"}), scores([]))
    assert cells["verdict"].tolist() == ["not available"]
    assert fidelity.rankings(cells).empty


def ranked(regenerated, printed=(10.0, 20.0, 30.0, 40.0), spread=0.0):
    names = ["a", "b", "c", "d"]
    cells = published(*({"measure": m, "value": str(v), "column": m} for m, v in zip(names, printed, strict=True)))
    table = pd.concat(
        [scores([v - spread, v, v, v, v + spread], measure=m) for m, v in zip(names, regenerated, strict=True)]
    )
    return fidelity.rankings(fidelity.compare(cells, table)).iloc[0]


def test_rank_correlation_by_hand():
    """Ranks 1 2 3 4 against 2 1 3 4: 1 - 6 * 2 / (4 * 15) = 0.8."""
    row = ranked([12.0, 11.0, 50.0, 60.0])
    assert row["correlation"] == pytest.approx(0.8)
    assert (row["published_best"], row["best"], row["same_best"], row["methods"]) == ("a", "b", "no", 4)
    assert ranked([1.0, 2.0, 3.0, 4.0])["correlation"] == pytest.approx(1.0)
    assert ranked([4.0, 3.0, 2.0, 1.0])["correlation"] == pytest.approx(-1.0)


def test_same_best_method():
    assert ranked([1.0, 2.0, 3.0, 4.0])["same_best"] == "yes"
    assert ranked([1.0, 1.0, 3.0, 4.0])["same_best"] == "yes"
    # The deviation of (v-1, v, v, v, v+1) is sqrt(1/2), so the standard error of the difference is sqrt(2 * 0.5 / 5).
    limit = 2 * math.sqrt(0.2)
    assert ranked([10.0 + limit - 0.01, 10.0, 30.0, 40.0], spread=1.0)["same_best"] == "undecided"
    assert ranked([10.0 + limit + 0.01, 10.0, 30.0, 40.0], spread=1.0)["same_best"] == "no"


def test_the_whole_table_is_ranked_by_the_means_of_its_rows():
    cells, tables = [], []
    for row, model, values in (("m=2", "hmm2", (10, 30)), ("m=3", "hmm3", (40, 30))):
        for measure, value in zip(("a", "b"), values, strict=True):
            cells.append({"row": row, "model": model, "measure": measure, "value": str(value)})
            tables.append(scores([float(value)] * 5, measure=measure, model=model))
    orders = fidelity.rankings(fidelity.compare(published(*cells), pd.concat(tables)))
    assert orders["row"].tolist() == ["m=2", "m=3", ""]
    assert orders["published_best"].tolist() == ["a", "b", "a"]
    assert orders["same_best"].tolist() == ["yes", "yes", "yes"]


@pytest.mark.parametrize(
    ("mean", "spread", "expected"),
    [
        (27.0, 0.0, "worse"),
        (27.0, 4.0, "one draw"),
        (13.0, 4.0, "one draw"),
        (29.5, 4.0, "worse"),
        (20.5, 4.0, "one draw"),
        (20.5, 0.4, "reproduced"),
    ],
)
def test_data_that_are_one_draw_of_many(mean: float, spread: float, expected: str) -> None:
    """A difference of 7 points is 1.75 deviations of 4 between draws, one of 9.5 is more than two."""
    assert fidelity.verdict(20.0, 0.0, mean, 0.1, 10, spread=spread) == expected


def test_a_spread_counts_where_it_is_said_to() -> None:
    printed = published({"value": "20"}, {"value": "20", "measure": "bp"})
    table = pd.concat([scores([27.0] * 5), scores([27.0] * 5, measure="bp")])
    spreads = [{"where": {"dataset": "d", "measure": ["bp"]}, "sd": 4.0}]
    cells = fidelity.compare(printed, table, spreads=spreads)
    assert cells["verdict"].tolist() == ["worse", "one draw"]
    assert cells["spread"].tolist() == [0.0, 4.0]


def test_a_share_of_models_has_no_best_method():
    cells = published(*({"measure": m, "metric": "models_kept", "value": "60"} for m in ("a", "b")))
    table = pd.concat([scores([60.0] * 5, measure=m, metric="models_kept") for m in ("a", "b")])
    assert fidelity.rankings(fidelity.compare(cells, table)).empty


def test_digest_counts():
    printed = published({"value": "20"}, {"value": "50", "measure": "bp"})
    table = pd.concat([scores([20.0] * 5), scores([30.0] * 5, measure="bp")])
    claim = {"id": "c", "sentence": "s", "source": {"document": "T", "item": "tab2_1"}}
    claim["test"] = {"kind": "lower", "a": "sym", "b": "bp"}
    found = fidelity.assess({"id": "e", "title": "t", "claims": [claim]}, table, printed)
    row = fidelity.digest(found).iloc[0]
    assert (row["cells"], row["reproduced"], row["better"], row["worse"]) == (2, 1, 1, 0)
    assert (row["same_best"], row["held"], row["reading"]) == ("1 of 1 rows", 1, "")
    assert len(fidelity.digest(found)) == 1


def test_experiments_are_combined(recorded: Recorded):
    one = fidelity.assess({"id": "e1"}, scores([20.0] * 5), published({"value": "20"}))
    two = fidelity.assess({"id": "e2"}, scores([20.0] * 5))
    both = fidelity.combine([one, two])
    assert list(both.titles) == ["e1", "e2"]
    assert len(both.cells) == 1
    with recorded.raises(DataError):
        fidelity.combine([])


def test_a_reading_that_nothing_in_print_is_judged_under_is_no_hindrance() -> None:
    """An experiment without printed numbers may be the only one under a reading, next to others with numbers and claims."""
    claim = {"id": "c", "sentence": "s", "source": {"document": "T", "item": "tab2_1"}}
    claim["test"] = {"kind": "lower", "a": "sym", "b": "bp"}
    judged = pd.concat([scores([20.0] * 5, reading="authors"), scores([30.0] * 5, measure="bp", reading="authors")])
    one = fidelity.assess(
        {"id": "e1", "readings": ["authors", "modern"], "claims": [claim]}, judged, published({"value": "20"})
    )
    tried = pd.concat([scores([20.0] * 5, reading="authors"), scores([40.0] * 5, reading="squared")])
    two = fidelity.assess({"id": "e2", "readings": ["authors", "squared"]}, tried)
    for parts in ([one, two], [two, one]):
        rows = fidelity.digest(fidelity.combine(parts)).set_index("experiment")
        assert rows.loc["e1", ["cells", "reproduced", "held"]].tolist() == [1, 1, 1]
        assert rows.loc[["e2"], "cells"].tolist() == [0]
        assert "e1" in to_markdown(fidelity.combine(parts))


@pytest.mark.parametrize("path", sorted(PUBLISHED.glob("*.csv")), ids=lambda path: path.stem)
def test_published_files_are_sound(path):
    table = fidelity.read_published(path)
    cells = fidelity.to_common_scale(table)
    assert len(cells) == (table["unit"] != fidelity.NO_NUMBER).sum()
    for name, value in zip(cells["metric"], cells["published"], strict=True):
        metric = registry.describe(name)
        # Correlations may be negative; no other printed number is.
        assert value >= (-1 if metric.unit == "number" and metric.least == -1 else 0), name
        assert metric.unit == "count" or value <= (100 if metric.most is None else metric.most), name
    key = ["document", "item", "dataset", "model", "measure", "clusterer", "metric", "x"]
    assert not cells.duplicated(key).any()
    assert table["place"].str.len().gt(0).all()
    assert table["errata"].str.fullmatch(r"([A-Za-z0-9_-]+( [A-Za-z0-9_-]+)*)?").all()


def test_documents_agree_but_for_the_known_cells():
    """Thesis and paper print the same cells; where they do not, the cell carries an erratum."""
    cells = fidelity.to_common_scale(fidelity.read_published(PUBLISHED / "tab2_1.csv"))
    cells["measure"] = cells["measure"].replace("kl_ll_ms_length", "kl_ll_ms")
    key = ["dataset", "model", "measure"]
    both = cells[cells["document"] == "T"].merge(cells[cells["document"] == "P2"], on=key)
    assert len(both) == 36
    as_printed = both["printed_x"].astype(float) - (100.0 - both["printed_y"].astype(float))
    differ = both[as_printed.abs() > 0.005]
    assert len(differ) == 4
    assert (differ["errata_x"] != "").all()
    assert (differ["errata_y"] != "").all()
    seven = differ[(differ["model"] == "hmm7") & (differ["measure"] == "kl_ll_ms")].iloc[0]
    assert (seven["printed_x"], seven["published_x"], seven["published_y"]) == ("16.79", 26.79, 26.79)


def test_a_missing_column_is_named(tmp_path, recorded: Recorded):
    path = tmp_path / "p.csv"
    published({"value": "1"}).drop(columns="place").to_csv(path, index=False)
    with recorded.raises(DataError):
        fidelity.read_published(path)


def test_every_erratum_is_explained():
    """Each anchor that a published cell names stands in the page of errata."""
    page = PUBLISHED.parents[1] / "docs" / "reference" / "errata.md"
    text = page.read_text(encoding="utf-8")
    headings = {
        line.lstrip("# ").strip().lower().replace(" ", "-") for line in text.splitlines() if line.startswith("#")
    }
    for path in sorted(PUBLISHED.glob("*.csv")):
        for slugs in fidelity.read_published(path)["errata"]:
            for slug in slugs.split():
                assert f'id="{slug}"' in text or slug.lower() in headings, f"{path.name}: {slug}"


def test_pages_of_errata_are_carried_along():
    from kinseq_documents.rendering.errata import entries, section

    text = (
        "## Cells\n\nWords.\n\n"
        '<a id="a"></a>\n<a id="also"></a>\n### First, `x < y`\n'
        "- **Printed**: one\n  and more.\n- **Reading**: [two](other.md).\n\n"
        '<a id="b"></a>\n### Second\n- **Printed**: 3.\n\n## Next chapter\n\nMore words.\n'
    )
    found = entries(text)
    assert list(found) == ["a", "also", "b"]
    assert found["a"] == (
        '<a id="a"></a><a id="also"></a><h3>First, <code>x &lt; y</code></h3>'
        "<ul><li><b>Printed</b>: one and more.</li><li><b>Reading</b>: two.</li></ul>"
    )
    assert "More words" not in found["b"]
    assert section(found, {"a", "also"}) == ["<h2>Errata referred to</h2>", found["a"]]
    assert section(found, {"b"}) == ["<h2>Errata referred to</h2>", found["b"]]
    assert section(found, {"elsewhere"}) == []


def test_methods_are_told_apart_by_what_differs_in_the_table():
    """The clusterer belongs to the name of a method where a table has several, whichever they are."""
    names = [("a", "hierarchical"), ("a", "spectral"), ("b", "hierarchical")]
    cells = published(*({"measure": m, "clusterer": c, "value": str(10 * k)} for k, (m, c) in enumerate(names, 1)))
    table = pd.concat([scores([10.0 * k] * 5, measure=m, clusterer=c) for k, (m, c) in enumerate(names, 1)])
    orders = fidelity.rankings(fidelity.compare(cells, table))
    assert orders.loc[0, ["best", "methods"]].tolist() == ["a/hierarchical", 3]
    single = cells[cells["clusterer"] == "hierarchical"]
    assert fidelity.rankings(fidelity.compare(single, table)).loc[0, ["best", "methods"]].tolist() == ["a", 2]
    page = to_markdown(fidelity.assess({"id": "e"}, table, cells), {"a": "A", "hierarchical": "complete linkage"})
    assert "A with complete linkage" in page


def test_a_hundred_printed_numbers_need_no_download_and_have_enough_trials_at_the_quick_scale():
    """Page of a quick scale without any data; too wide an error can still leave a number undecided."""
    config = PUBLISHED.parent
    files = {
        name: yaml.safe_load((config / f"{name}.yaml").read_text())
        for name in ("datasets", "models", "variants", "readings")
    }
    experiments = {path.stem: yaml.safe_load(path.read_text()) for path in (config / "experiments").glob("*.yaml")}
    cat = plan.catalogue(
        at_scale(files["datasets"], "quick"),
        files["models"],
        files["variants"],
        experiments,
        readings=files["readings"],
    )
    there = {
        name
        for name, entry in files["datasets"].items()
        if "bundled" in entry or loaders.get(entry["loader"]).kind != "files"
    }
    enough = set()
    for path in PUBLISHED.glob("*.csv"):
        experiment = plan.planned(cat, path.stem).experiment
        planned = {
            (dataset, model, measure, clusterer)
            for part in getattr(experiment, "parts", ())
            if getattr(part, "trials", experiment.trials)["quick"] >= fidelity.MIN_RUNS
            for dataset in getattr(part, "datasets", ())
            if dataset in there
            for model in part.models or ["none"]
            for measure in part.measures or ["none"]
            for clusterer in part.clusterers or ["none"]
        }
        # A misprint is a printed number too.
        for cell in fidelity.to_common_scale(fidelity.read_published(path).assign(meant="")).to_dict("records"):
            place = tuple(cell[name] for name in ("dataset", "model", "measure", "clusterer"))
            if place in planned:
                enough.add((*place, cell["metric"], cell["published"]))
    assert len(enough) >= 100
