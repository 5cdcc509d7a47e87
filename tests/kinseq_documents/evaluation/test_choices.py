"""How a reading was chosen, as the tables of a multiverse tell it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from kinseq.core.errors import DataError
from kinseq_documents import documents
from kinseq_documents.evaluation import axes, choices, multiverse
from kinseq_documents.evaluation.multiverse import Verse
from kinseq_documents.rendering import verdicts
from tests.sentences import Recorded

MEANS = [[0, 0, 50, 50, 50], [0, 50, 0, 50, 50], [50, 50, 50, 50, 0], [50, 50, 0, 0, 0]]
"""Errors of five cells, printed as 0, under the readings xx, xy, yx and yy."""


def experiment(name: str, **changes: Any) -> dict[str, Any]:
    levels: dict[str, Any] = {"x": {}, "y": {}}
    entry = {
        "id": name,
        "decides": "mine",
        "axes": [{"name": axis, "label": axis.upper(), "levels": levels} for axis in "pq"],
    }
    entry["axes"][0]["printed"] = "x"
    return {**entry, "readings": {"mine": {"p": "y", "q": "y"}}, **changes}


def left(results: Path, name: str) -> None:
    """Tables of a multiverse of two axes of two levels, as its rule leaves them."""
    two = axes.Axes(
        tuple(axes.Axis(axis, axis, "measure", {"x": {}, "y": {}}, "x", ("m",)) for axis in "pq"), np.ones(1)
    )
    cells = pd.DataFrame(
        {"table": list("aabbb"), "dataset": "d", "model": "m", "measure": "m", "metric": "error", "x": ""}
    )
    cells = cells.assign(printed=0.0, printed_std=0.0, n_printed=10.0)
    means = np.array(MEANS, dtype=float)
    found = Verse(two, two.readings(), cells, means, np.zeros(means.shape), np.full(means.shape, 4.0))
    folder = results / "multiverse" / name
    folder.mkdir(parents=True)
    multiverse.table_of_readings(found).to_csv(folder / "readings.csv", index=False)
    multiverse.table_of_cells(found, {"mine": ("y", "y"), "print": ("x", "x")}).to_csv(
        folder / "cells.csv", index=False
    )
    multiverse.held_out(found).to_csv(folder / "held_out.csv", index=False)


def test_held_out_counts_are_summed_over_tables_that_the_choice_did_not_see(tmp_path: Path, recorded: Recorded) -> None:
    """Reading yy agrees with three cells; each table under the reading that is best on the other one, with none."""
    left(tmp_path, "one")
    (row,) = choices.chosen([experiment("one")], tmp_path, "abc").to_dict("records")
    assert row == {
        "reading": "mine", "among": 4, "held_out": 0, "held_out_of": 5, "folds": 2, "folds_alike": 1, "agree": 3, "judged": 5,
        "best": 3, "print": 2, "contradicts": "P", "trials": 4,
        "experiment": "one", "commit": "abc",
    }  # fmt: skip
    told = verdicts.choices(choices.chosen([experiment("one")], tmp_path, "abc").to_csv(index=False))
    recorded(told["mine"].sentences())
    more = replace(told["mine"], folds_alike=0, contradicts="").sentences((1, 4), (2, 3))
    assert more[0].startswith("It was chosen by agreement")
    recorded.within(more[0])
    assert more[1].endswith(
        "none of these 2 choices is this reading. Of 3 numbers that did not choose it, 2 are reproduced."
    )


def test_only_multiverses_that_decide_and_are_there_count(tmp_path: Path) -> None:
    left(tmp_path, "one")
    undecided = {key: value for key, value in experiment("one").items() if key != "decides"}
    assert choices.chosen([undecided, experiment("absent")], tmp_path, "abc").empty


def test_tables_of_other_axes_are_refused(tmp_path: Path, recorded: Recorded) -> None:
    left(tmp_path, "one")
    more = [*experiment("one")["axes"], {"name": "r", "levels": {"x": {}, "y": {}}}]
    with recorded.raises(DataError):
        choices.chosen([experiment("one", axes=more)], tmp_path, "abc")
    with recorded.raises(DataError):
        choices.chosen([experiment("one", readings={"mine": {"gone": "y"}})], tmp_path, "abc")


def test_rows_of_other_readings_stay() -> None:
    before = pd.DataFrame({"reading": ["mine", "yours"], "among": [2, 3]})
    after = choices.kept(pd.DataFrame({"reading": ["mine"], "among": [4]}), before)
    assert dict(zip(after["reading"], after["among"], strict=True)) == {"yours": 3, "mine": 4}


def test_what_is_published_follows_from_the_tables_beside_it() -> None:
    root = Path(__file__).resolve().parents[3]
    told = pd.read_csv(root / "docs" / "results" / "readings.csv")
    parsed = documents.experiments(root / "config").values()
    (commit,) = told["commit"].unique()
    pd.testing.assert_frame_equal(choices.chosen(parsed, root / "docs" / "results", commit), told)
