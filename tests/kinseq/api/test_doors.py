"""The same rows through every door: a frame, a file, arrays, the estimator, frames in a list, a group-by."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import kinseq
from kinseq import SequenceClustering

N = 16


def rows(label, of):
    """Waves of two periods, a row per frame, with a column that is constant within sequences."""
    random = np.random.default_rng(0)
    tables = []
    for i in range(N):
        waves = np.sin(np.arange(30)[:, None] / (0.7 if i % 2 else 3.0) + random.random())
        values = waves + random.normal(scale=0.3, size=(30, 2))
        tables.append(pd.DataFrame(values, columns=["a", "b"]).assign(id=f"s{i:02d}", **{label: of(i, random)}))
    return pd.concat(tables, ignore_index=True)


def fitted(data):
    return SequenceClustering(2, "dtw").fit(data)


@pytest.mark.parametrize(
    "label, of",
    [
        ("label", lambda i, random: int(random.integers(3))),
        ("subject", lambda i, random: float(random.integers(3))),
        ("class", lambda i, random: "uvw"[int(random.integers(3))]),
        ("y", lambda i, random: bool(random.integers(2))),
    ],
)
def test_a_label_is_no_channel_through_any_door(tmp_path, label, of):
    frame = rows(label, of)
    frame.to_csv(tmp_path / "rows.csv", index=False)
    folder = tmp_path / "apart"
    folder.mkdir()
    apart = {str(key): table.drop(columns="id") for key, table in frame.groupby("id")}
    for key, table in apart.items():
        table.to_csv(folder / f"{key}.csv", index=False)
    without = kinseq.cluster([table[["a", "b"]].to_numpy() for table in apart.values()], 2, "dtw")
    found = {
        "frame": kinseq.cluster(frame, 2, "dtw"),
        "file": kinseq.cluster(tmp_path / "rows.csv", 2, "dtw"),
        "folder": kinseq.cluster(folder, 2, "dtw"),
        "frames": kinseq.cluster(apart, 2, "dtw"),
        "group-by": kinseq.cluster(frame.groupby("id"), 2, "dtw"),
        "read before": kinseq.cluster(kinseq.read(tmp_path / "rows.csv"), 2, "dtw"),
    }
    for door, result in found.items():
        assert label in " ".join(result.notes), door
        np.testing.assert_array_equal(result.labels, without.labels, err_msg=door)
        np.testing.assert_allclose(result.distance, without.distance, atol=1e-9, err_msg=door)
    for data in (frame, apart, frame.groupby("id"), kinseq.read(tmp_path / "rows.csv")):
        estimator = fitted(data)
        assert label in " ".join(estimator.notes_)
        np.testing.assert_array_equal(estimator.labels_, without.labels)
        np.testing.assert_allclose(estimator.distance_, without.distance, atol=1e-9)
