"""Other readings of printed cells: which ones count, and which one is shown."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd
import pytest

from kinseq_documents import plan
from kinseq_documents.evaluation import fidelity, summary
from kinseq_documents.evaluation.readings import Tried, readings

FAMILIES = {
    "model": {"hmm2": "two", "hmm2_diagonal": "two", "hmm3": "three"},
    "measure": {"sym": "sym", "sym_neg": "sym", "bp": "bp", "bp_log": "bp"},
    "clusterer": {"spectral": "spectral", "spectral_median": "spectral"},
}


def scores(*rows: tuple[str, str, str, float], x: float = math.nan, reading: str = "") -> pd.DataFrame:
    table = [
        ("e", "d", "all", trial, model, measure, clusterer, "error", value, 1, x, reading)
        for model, measure, clusterer, value in rows
        for trial in range(5)
    ]
    return pd.DataFrame(table, columns=list(summary.SCORE_COLUMNS))


def printed(measure: str, value: float, **other: Any) -> dict[str, str]:
    blank = dict.fromkeys(fidelity.PUBLISHED_COLUMNS, "") | {"document": "T", "item": "tab", "unit": "percent"}
    cell = {"dataset": "d", "model": "hmm2", "measure": measure, "clusterer": "spectral", "metric": "error"}
    return {**blank, **cell, "value": str(value), "place": "T tab", **{key: str(one) for key, one in other.items()}}


def told(rows: list[tuple[str, str, str, float]], *cells: dict[str, str]) -> list[str]:
    table = scores(*rows)
    compared = fidelity.compare(pd.DataFrame(list(cells), dtype=str), table)
    return [one.nearest for one in readings(compared, table, FAMILIES, {"spectral_median": "median width"})]


OWN = ("hmm2", "sym", "spectral", 40.0)


@pytest.mark.parametrize(
    ("others", "expected"),
    [
        ([], ""),
        ([("hmm2", "sym", "spectral_median", 20.5)], "another reading, median width: 20.5 (reproduced)"),
        ([("hmm2", "sym", "spectral_median", 26.0)], ""),
        # The nearest of several, whichever of the three differs, or all of them.
        (
            [("hmm2", "sym_neg", "spectral", 22.0), ("hmm2_diagonal", "sym_neg", "spectral_median", 19.5)],
            "another reading, hmm2_diagonal, sym_neg, median width: 19.5 (reproduced)",
        ),
        # Another model or measure is not a reading.
        ([("hmm3", "sym", "spectral", 20.0), ("hmm2", "bp_log", "spectral", 20.0)], ""),
    ],
)
def test_the_nearest_reading_is_told(others: list[tuple[str, str, str, float]], expected: str) -> None:
    assert told([OWN, *others], printed("sym", 20.0)) == [expected]


def test_what_is_printed_is_no_reading_of_another_cell() -> None:
    rows = [OWN, ("hmm2", "sym_neg", "spectral", 20.0)]
    assert told(rows, printed("sym", 20.0), printed("sym_neg", 20.0)) == ["", ""]


def test_a_reproduced_cell_needs_none() -> None:
    rows = [("hmm2", "sym", "spectral", 20.2), ("hmm2", "sym_neg", "spectral", 20.0)]
    assert told(rows, printed("sym", 20.0)) == [""]


def test_single_changes_of_the_judged_reading_count_and_are_counted() -> None:
    families = {**FAMILIES, "reading": {"judged": "judged", "wide": "judged", "narrow": "judged", "today": "today"}}
    table = pd.concat(
        [
            scores(OWN, ("hmm2", "sym", "spectral_median", 35.0), reading="judged"),
            scores(("hmm2", "sym", "spectral", 21.0), ("hmm2", "sym", "spectral_median", 20.0), reading="wide"),
            scores(("hmm2", "sym", "spectral", 30.0), reading="narrow"),
            # A wholly different recipe is not a single change.
            scores(("hmm2", "sym", "spectral", 20.0), reading="today"),
        ]
    )
    cells = fidelity.compare(pd.DataFrame([printed("sym", 20.0)], dtype=str), table, readings=["judged", "today"])
    (found,) = readings(cells, table, families, {"wide": "width of one"})
    assert found == Tried(3, "a single change, width of one: 21 (reproduced)")
    (none,) = readings(cells, table[table["reading"] != "wide"], families)
    assert none == Tried(2, "")


def test_families_of_the_configuration() -> None:
    models = {
        "m": {"kind": "hmm", "n_states": 2, "label": "m"},
        "m_diagonal": {"kind": "hmm", "n_states": 2, "covariance": "diag", "label": "c"},
    }
    variants = {
        "measures": {"kl_ll_linear": {"measure": "kl_ll", "params": {"norm": "linear"}, "label": "linear"}},
        "clusterers": {
            "best": {"clusterer": "knn_itc", "params": {"choose": "labels"}, "label": "best"},
            "wide": {"clusterer": "spectral", "params": {"width": "median"}, "label": "wide"},
        },
    }
    datasets = {"d": {"title": "d", "loader": "mohmm", "params": {"n_sequences": [4], "mean_length": [9]}}}
    part = {"datasets": ["d"], "models": ["m", "m_diagonal"], "measures": ["kl_ll", "kl_ll_linear"]}
    part |= {"clusterers": ["spectral", "wide", "best"]}
    experiment = {"id": "e", "title": "E", "chapter": "c", "sources": [], "metric": "error", "parts": [part]}
    experiment |= {"trials": {"quick": 1, "thesis": 1}}
    experiment |= {"render": {"kind": "table", "rows": ["dataset"], "columns": "measure", "sections": []}}
    families = plan.families(plan.catalogue(datasets, models, variants, {"e": experiment}), ["e"])
    assert len(set(families["model"].values())) == 1
    assert families["measure"]["kl_ll_linear"] == families["measure"]["kl_ll"] == "kl_ll"
    assert families["clusterer"] == {"spectral": "spectral", "wide": "spectral", "best": "best"} | {
        name: name for name in families["clusterer"] if name == "control"
    }
