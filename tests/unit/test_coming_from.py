"""The page for those who come from other libraries says what works: its expressions are run."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import kinseq
import numpy as np
import pandas as pd
import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "coming-from.md"
rng = np.random.default_rng(0)
SERIES = [rng.normal(3 * (i % 2), 1, size=(length, 2)) for i, length in enumerate((9, 12, 10, 11))]


def rows() -> dict[str, str]:
    """Right-hand cells of all tables by the left-hand ones."""
    cells = re.findall(r"^\| (.+?) \| (.+?) \|$", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return dict(cells)


def code(start: str) -> str:
    """The first piece of code beside the row that begins so."""
    (cell,) = [right for left, right in rows().items() if left.startswith(start)]
    found = re.search(r"`([^`]+)`", cell)
    assert found, cell
    return found[1]


def test_padding_is_taken_off() -> None:
    padded = np.full((4, 12, 2), np.nan)
    for i, frames in enumerate(SERIES):
        padded[i, : len(frames)] = frames
    found = eval(code("tslearn, padded"), {"np": np, "X": padded})
    assert all((a == b).all() and a.shape == b.shape for a, b in zip(found, SERIES, strict=True))


def test_stacked_frames_are_cut() -> None:
    names = {"np": np, "X": np.concatenate(SERIES), "lengths": [len(frames) for frames in SERIES]}
    found = eval(code("hmmlearn, stacked"), names)
    assert all((a == b).all() for a, b in zip(found, SERIES, strict=True))


def test_rows_become_series() -> None:
    found = eval(code("`(n, T)`"), {"X": np.arange(12.0).reshape(3, 4)})
    assert kinseq.SequenceSet.from_arrays(found).lengths.tolist() == [4, 4, 4]


def test_a_long_table_is_cut_by_id_in_its_order() -> None:
    ids = np.repeat(["b", "a", "d", "c"], [len(frames) for frames in SERIES])
    table = pd.DataFrame(np.concatenate(SERIES), columns=["x", "y"]).assign(id=ids)
    found = kinseq.SequenceSet.from_arrays(eval(code("a long table"), {"table": table}))
    assert all((a == b).all() for a, b in zip(found, SERIES, strict=True))


def test_channels_first_is_said() -> None:
    layout = code("aeon or sktime").split("=")[1].strip('"')
    found = kinseq.SequenceSet.from_arrays([frames.T for frames in SERIES], layout=layout)
    assert all((a == b).all() for a, b in zip(found, SERIES, strict=True))


@pytest.mark.parametrize(
    "start",
    [
        "`tslearn.metrics.cdist_dtw(X",
        "`tslearn.metrics.cdist_dtw(new",
        "`TimeSeriesKMeans",
        "`TimeSeriesKMedoids",
        "try some",
    ],
)
def test_calls_work(start: str) -> None:
    names: dict[str, Any] = {"kinseq": kinseq, "X": SERIES, "new": SERIES[:2]}
    expression = code(start)
    if "SequenceClustering" in expression and "fit_predict" not in expression:
        expression += ".fit_predict(X)"
    assert eval(expression, names) is not None


def test_models_of_hmmlearn() -> None:
    import kinseq.models.hmm

    names: dict[str, Any] = {"kinseq": kinseq, "X": SERIES}
    names["bank"] = eval(code("`GaussianHMM(3)"), names)
    assert eval(code("`[[m.score"), names).shape == (4, 4)
    common = code("`GaussianHMM(40)").replace("40", "2")
    assert eval(common, names).n_states == 2
