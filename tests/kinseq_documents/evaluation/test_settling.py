"""Further trials: which cells get them, where they are cut, at which level they are judged."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

from kinseq.core.errors import DataError
from kinseq_documents import further, settling
from kinseq_documents.evaluation import claims, fidelity, summary
from kinseq_documents.evaluation.settling import undecided
from kinseq_documents.experiments import ComparisonExperiment
from tests.sentences import Recorded

CELL = {"dataset": "d", "model": "m", "measure": "a", "clusterer": "spectral"}
PARSED = {
    "id": "e",
    "metric": "error",
    "trials": {"quick": 5, "thesis": 10},
    "parts": [
        {"datasets": ["d"], "models": ["m", "n"], "measures": ["a", "b"], "clusterers": ["spectral"]},
        {
            "datasets": ["long"],
            "models": ["m"],
            "measures": ["a"],
            "clusterers": ["spectral"],
            "trials": {"thesis": 50},
        },
    ],
}


def parts(*entries, scale="thesis"):
    experiment = ComparisonExperiment.read({**PARSED, "further": list(entries)})
    return [
        (part.datasets, part.models, part.measures, part.clusterers, part.first, part.trials[scale])
        for part in experiment.further_parts(scale)
    ]


def test_further_trials_are_cut_at_the_looks():
    cell = (("d",), ("m",), ("a",), ("spectral",))
    assert parts({**CELL, "until": 20}) == [(*cell, 10, 20)]
    assert parts({**CELL, "until": 100}) == [(*cell, 10, 20), (*cell, 20, 50), (*cell, 50, 100)]
    assert parts({**CELL, "until": 100}, scale="quick")[0] == (*cell, 5, 20)
    # A part with 50 trials of its own has one look left.
    assert parts({**CELL, "dataset": "long", "until": 50}) == []
    assert [(first, last) for *_, first, last in parts({**CELL, "dataset": "long", "until": 100})] == [(50, 100)]


def test_jobs_keep_their_measures_when_only_some_go_on():
    both = [{**CELL, "until": 20}, {**CELL, "measure": "b", "until": 20}]
    first = parts(*both)
    assert first == [(("d",), ("m",), ("a", "b"), ("spectral",), 10, 20)]
    later = parts({**CELL, "until": 50}, both[1])
    assert later == [*first, (("d",), ("m",), ("a",), ("spectral",), 20, 50)]


def test_what_no_part_has_is_given_nothing():
    assert parts({**CELL, "measure": "gone", "until": 20}) == []
    assert parts({**CELL, "model": "none", "until": 20}) == [(("d",), ("m",), ("a",), ("spectral",), 10, 20)]


@pytest.mark.parametrize("looks", [1, 3])
def test_looks_share_the_level_of_two_standard_errors(looks):
    """Of equal numbers, the shares that all looks together call different is at most that of one look."""
    width = norm.isf(norm.sf(2.0) / looks)
    just, above = 20.0 + 0.5 * width - 1e-6, 20.0 + 0.5 * width + 1e-6
    assert fidelity.verdict(20.0, 0.0, just, 0.5, 20, looks=looks) == "reproduced"
    assert fidelity.verdict(20.0, 0.0, above, 0.5, 20, looks=looks) == "close"


@pytest.mark.parametrize(
    ("difference", "se", "printed", "spread", "expected"),
    [
        # 1.645 standard errors and the difference are within 2 points.
        (0.0, 1.1, 0.0, 0.0, "equal"),
        (0.2, 1.1, 0.0, 0.0, "too few runs"),
        (0.0, 0.1, 1.1, 0.0, "equal"),
        # No number of runs here brings the error below that of print.
        (1.0, 0.1, 1.6, 0.0, "print uncertain"),
        (1.0, 1.2, 1.6, 0.0, "print uncertain"),
        # A difference beyond two printed errors could be decided.
        (4.0, 1.9, 1.6, 0.0, "too few runs"),
        # The data are one draw of many.
        (1.0, 1.2, 0.0, 5.0, "one draw"),
        (0.0, 1.1, 0.0, 5.0, "one draw"),
        (3.0, 0.1, 0.0, 5.0, "one draw"),
        (11.0, 0.1, 0.0, 5.0, "worse"),
    ],
)
def test_causes_of_what_cannot_be_told(difference, se, printed, spread, expected):
    assert fidelity.verdict(20.0, printed, 20.0 + difference, se, 10, spread=spread) == expected
    assert fidelity.verdict(20.0, printed, 20.0 + difference, se, 4, spread=spread) == "too few runs"


def scored(values_of):
    rows = [
        ("e", "d", "all", trial, "m", measure, "spectral", "error", value, 1, np.nan, "")
        for measure, values in values_of.items()
        for trial, value in enumerate(values)
    ]
    return pd.DataFrame(rows, columns=list(summary.SCORE_COLUMNS))


CLAIM = {
    "id": "a_is_lower",
    "sentence": "a is lower than b.",
    "source": {"document": "T", "item": "tab1"},
    "test": {"kind": "lower", "a": "a", "b": "b"},
}


def test_a_claim_that_was_given_further_trials_needs_more_at_each_look():
    """The interval of 98.3 % holds the bound where that of 95 % does not."""
    # Mean -1, standard error 0.45 over 10 trials: t = 2.2, between the quantiles 2.26 (95 %) and 2.93 (98.3 %).
    spread = 0.42 * np.sqrt(10) * np.resize([-1.0, 1.0], 10) * np.sqrt(9 / 10)
    table = scored({"a": 20.0 - 1.0 + spread, "b": np.full(10, 20.0)})
    alone = claims.evaluate([CLAIM], table, "e").iloc[0]
    shared = claims.evaluate([CLAIM], table, "e", further=[{**CELL, "until": 20}]).iloc[0]
    assert (alone["verdict"], shared["verdict"]) == ("held", "undecided")
    assert "95 %" in alone["numbers"]
    assert "98.3 %" in shared["numbers"]
    other = claims.evaluate([CLAIM], table, "e", further=[{**CELL, "measure": "c", "until": 20}]).iloc[0]
    assert other["verdict"] == "held"


def test_what_is_undecided_says_why_and_what_it_takes(recorded: Recorded):
    table = scored({"a": [18.0, 26.0, 20.0, 16.0, 20.0], "b": [20.0, 20.0, 24.0, 16.0, 20.0]})
    experiment = {**PARSED, "claims": [CLAIM]}
    assessed = fidelity.assess(experiment, table)
    timings = pd.DataFrame(
        [
            ("results/benchmarks/models/d/m+n/t000-004", 20.0),
            ("results/benchmarks/partitions/d/m+n/a+b/spectral/t000-004", 10.0),
        ],
        columns=["job", "seconds"],
    )
    rows = undecided(assessed, experiment, table, timings, 5)
    assert [(row["measure"], row["cause"], row["until"], row["n"]) for row in rows] == [
        ("a", "more runs", 20, 5),
        ("b", "more runs", 20, 5),
    ]
    # A trial takes (20 / 2 + 10 / 4) / 5 seconds of a cell, and there are 15 more.
    assert [row["seconds"] for row in rows] == [37.5, 37.5]
    assert {row["cause"] for row in undecided(assessed, experiment, table, timings, 1)} == {"one set"}
    assert {row["cause"] for row in undecided(assessed, experiment, table, timings, None)} == {"trials cannot be added"}
    many = scored({"a": np.resize([18.0, 22.0], 100), "b": np.full(100, 20.0)})
    (first, *_) = undecided(fidelity.assess(experiment, many), experiment, many, timings, 5)
    recorded((first["cause"], first["until"], first["seconds"]))
    gone = table[table["measure"] == "c"]
    assert [row["cause"] for row in undecided(fidelity.assess(experiment, gone), experiment, gone, timings, 5)] == [
        "no scores"
    ]


def test_the_cheapest_first_and_a_claim_as_a_whole(recorded: Recorded):
    def row(kind, what, measure, seconds):
        return {
            **CELL,
            "measure": measure,
            "experiment": "e",
            "kind": kind,
            "what": what,
            "cause": "more runs",
            "seconds": seconds,
            "until": 20,
        }

    rows = [
        row("claim", "c", "a", 30.0),
        row("claim", "c", "b", 30.0),
        row("cell", "x", "a", 40.0),
        row("cell", "y", "b", 90.0),
    ]
    chosen, out = settling.affordable(rows, 101.0)
    assert [one["what"] for one in chosen] == ["c", "c", "x"]
    assert [one["what"] for one in out] == ["y"]
    assert settling.affordable(rows, 39.0)[0] == []
    recorded(settling.sentence(20, chosen, out))
    recorded(settling.sentence(50, [], []))


def test_added_trials_keep_the_larger_number(tmp_path):
    before = further.combined({}, [{**CELL, "experiment": "e", "until": 50}])
    assert before == {"e": [{**CELL, "until": 50}]}
    both = further.combined(
        before, [{**CELL, "experiment": "e", "until": 20}, {**CELL, "measure": "b", "experiment": "e", "until": 20}]
    )
    assert both == {"e": [{**CELL, "until": 50}, {**CELL, "measure": "b", "until": 20}]}
    assert further.read(tmp_path / "none.yaml", "quick") == {}


@pytest.mark.parametrize(
    "text", ["[]", "scale: quick", "scale: quick\nfurther: {e: [{until: 20}]}", "scale: quick\nfurther: 3"]
)
def test_another_file_is_refused(tmp_path, text, recorded: Recorded):
    path = tmp_path / "further.yaml"
    path.write_text(text, encoding="utf-8")
    with recorded.raises(DataError):
        further.read(path, "quick")
