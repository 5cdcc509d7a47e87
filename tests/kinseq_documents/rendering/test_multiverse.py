"""Outputs of a multiverse: figures, a table, and numbers, from files of passes; and missing data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from kinseq.core.sequences import SequenceSet
from kinseq_documents.evaluation import axes, passes
from kinseq_documents.experiments import MultiverseExperiment
from kinseq_documents.rendering.multiverse import DRAWN, _thinned, render
from kinseq_documents.stages.distances import Distance
from kinseq_documents.stages.multiverse import pass_over
from kinseq_documents.tasks import Task

AXES: list[dict[str, Any]] = [
    {"name": "training", "enters": "models", "levels": {"a": {"label": "first"}, "b": {"label": "second"}}},
    {
        "name": "embedding",
        "enters": "embedding",
        "printed": "njw",
        "levels": {"njw": {}, "skip": {"params": {"embedding": "skip_first"}}},
    },
    {"name": "width", "enters": "width", "levels": {"one": {"params": {"rule": "fixed", "at": 1}}}},
]
EXPERIMENT: dict[str, Any] = {
    "id": "verse",
    "title": "Readings",
    "trials": {"quick": 1, "thesis": 1},
    "widths": {"low": 0.5, "high": 2, "n": 3},
    "axes": AXES,
    "readings": {"print": {"training": "a", "embedding": "njw", "width": "one"}},
    "tables": [
        {
            "name": "1",
            "file": "t",
            "items": ["t1"],
            "parts": [{"datasets": ["set"], "models": ["hmm2"], "measures": ["sym", "yy"]}],
        }
    ],
}
KINDS = ("svg", "png", "pdf")


def out(folder: Path) -> dict[str, Path]:
    files = {name: folder / f"verse.{name}" for name in (*KINDS, "md", "tex", "csv", "html")}
    files |= {f"cells_{name}": folder / f"cells.{name}" for name in KINDS}
    files |= {"full": folder / "full.tex"}
    return files | {name: folder / f"{name}.csv" for name in ("readings", "cells", "held_out", "effects")}


@pytest.fixture
def printed(tmp_path: Path) -> Path:
    columns = (
        "document,item,row,column,dataset,model,measure,clusterer,metric,value,std,n_runs,unit,place,errata,note,x"
    )
    lines = [
        f"T,t1,r,c,set,hmm2,{measure},spectral,error,{value},,,percent,p,,,"
        for measure, value in (("sym", 0.0), ("yy", 99))
    ]
    (tmp_path / "t.csv").write_text("\n".join([columns, *lines]) + "\n", encoding="utf-8")
    return tmp_path / "t.csv"


def passes_in(folder: Path) -> list[Path]:
    """Under the first training the groups are clear, under the second there are none."""
    every = axes.parsed(AXES, EXPERIMENT["widths"], {}, "here")
    classes = np.arange(12) % 2
    sequences = SequenceSet.from_arrays([np.zeros((2, 1))] * 12, labels=classes, name="set")
    task = Task("all", np.arange(12), 2)
    random = np.random.default_rng(0)
    files = []
    for training, apart in (("a", 20.0), ("b", 0.0)):
        x = apart * classes + random.normal(size=12)
        distance = np.abs(x[:, None] - x)
        found = [Distance(measure, "hmm2", 0, task, distance, {}) for measure in ("sym", "yy")]
        file = folder / "set" / training / "t000-000.npz"
        file.parent.mkdir(parents=True)
        passes.write(file, pass_over(found, sequences, every, seed=1))
        files.append(file)
    return files


def test_the_best_reading_never_stands_without_its_held_out_count(tmp_path: Path, printed: Path) -> None:
    files = out(tmp_path)
    render(MultiverseExperiment.read(EXPERIMENT), passes_in(tmp_path / "passes"), [printed], files, {}, {})
    assert all(file.stat().st_size > 0 for file in files.values())
    readings = pd.read_csv(files["readings"])
    assert readings["agree"].tolist() == [1, 1, 0, 0]
    assert set(readings["training"][:2]) == {"a"}
    cells = pd.read_csv(files["cells"])
    assert cells["readings_agree"].tolist() == [2, 0]
    held = pd.read_csv(files["held_out"])
    page = files["md"].read_text(encoding="utf-8")
    assert f"best of all, {held['agree'].sum()} of {held['judged'].sum()} held out" in page
    figure = files["svg"].read_text(encoding="utf-8")
    assert figure.startswith("<?xml")


def test_without_data_it_says_so(tmp_path: Path, printed: Path) -> None:
    files = out(tmp_path)
    render(MultiverseExperiment.read(EXPERIMENT), [], [printed], files, {"set": "The set"}, {"set": "it is gone"})
    assert all(file.exists() for file in files.values())
    assert "it is gone" in files["md"].read_text(encoding="utf-8")


def test_a_curve_of_many_readings_shows_some_of_them_evenly_and_the_marked_ones() -> None:
    order = np.arange(10_000)[::-1]
    shown = _thinned(order, [3, 9_998])
    assert len(shown) <= DRAWN
    assert (shown[0], shown[-1]) == (9_999, 0)
    assert {3, 9_998} <= set(shown)
    assert np.all(np.diff(shown) < 0), "in the order that they had"
    assert np.abs(np.diff(shown)).max() <= 8
    assert _thinned(order[:20], [3]) is not None
    assert len(_thinned(order[:20], [3])) == 20
