"""Own data in experiments: a folder of files with labels."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kinseq.core.errors import DataError, KinseqWarning, ParameterError
from kinseq_documents.data.registry import make
from tests.sentences import Recorded


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """Six logs of two kinds, in one sub-folder a kind."""
    random = np.random.default_rng(0)
    for kind in ("calm", "wild"):
        (tmp_path / kind).mkdir()
        for i in range(3):
            values = random.normal(5.0, 1.0 + 4.0 * (kind == "wild"), size=(9 + i, 2))
            np.savetxt(tmp_path / kind / f"log{i}.csv", values, delimiter=",", header="a,b", comments="")
    return tmp_path


def test_labels_are_the_names_of_sub_folders(logs: Path) -> None:
    items, (task,) = make("logs", "folder", {"labels": "folders"}, logs, 0)
    assert items.ids.tolist() == [f"{kind}/log{i}.csv" for kind in ("calm", "wild") for i in range(3)]
    assert items.labels.tolist() == ["calm"] * 3 + ["wild"] * 3
    assert (task.n_clusters, task.indices.tolist()) == (2, list(range(6)))
    assert items.lengths.tolist() == [9, 10, 11] * 2
    np.testing.assert_allclose([items.values.mean(axis=0), items.values.std(axis=0)], [[0, 0], [1, 1]], atol=1e-12)


def test_labels_of_a_file_and_the_units_of_the_files(logs: Path) -> None:
    rows = [f"{kind}/log{i}.csv,{'even' if i % 2 == 0 else 'odd'}" for kind in ("calm", "wild") for i in range(3)]
    (logs / "labels.csv").write_text("\n".join(["id,label", *rows]))
    items, (task,) = make("logs", "folder", {"scale": "none"}, logs, 0)
    assert items.labels.tolist() == ["even", "odd", "even"] * 2
    assert task.n_clusters == 2
    written = np.loadtxt(logs / "calm" / "log0.csv", delimiter=",", skiprows=1)
    np.testing.assert_array_equal(items.values[:9], written)
    own, _ = make("logs", "folder", {"scale": "per_sequence"}, logs, 0)
    np.testing.assert_allclose([piece.std(axis=0) for piece in own], 1.0)


def test_what_was_skipped_is_told(logs: Path) -> None:
    (logs / "calm" / "broken.csv").write_text("a,b\n")
    with pytest.warns(KinseqWarning, match=r"broken\.csv"):
        items, _ = make("logs", "folder", {"labels": "folders"}, logs, 0)
    assert len(items) == 6


def test_data_without_classes_are_refused(logs: Path, recorded: Recorded) -> None:
    with recorded.raises(DataError):
        make("logs", "folder", {}, logs, 0)
    (logs / "labels.csv").write_text("id,label\ncalm/log0.csv,a\nwild/log0.csv,b\n")
    with pytest.warns(KinseqWarning), recorded.raises(DataError):
        make("logs", "folder", {}, logs, 0)
    with recorded.raises(ParameterError):
        make("logs", "folder", {"scale": "minmax", "labels": "folders"}, logs, 0)
    for path in (logs / "wild").iterdir():
        path.unlink()
    with recorded.raises(DataError):
        make("logs", "folder", {"labels": "folders"}, logs, 0)
