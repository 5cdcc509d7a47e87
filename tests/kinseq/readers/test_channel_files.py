"""A file a channel: rows of several files of one shape are windows, with labels in a file of their own."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import kinseq
from kinseq.core.errors import DataError
from tests.sentences import Recorded

CHANNELS = ["total_acc_x", "total_acc_y", "total_acc_z", "body_gyro_x"]


def windows(folder: Path, part: str, rows: int, start: int = 0) -> np.ndarray:
    """Write a part of a set; shape (windows, frames, channels)."""
    values = np.random.default_rng(start).normal(size=(rows, 12, len(CHANNELS))).round(6)
    (folder / "Inertial Signals").mkdir(parents=True, exist_ok=True)
    for j, name in enumerate(CHANNELS):
        np.savetxt(folder / f"Inertial Signals/{name}_{part}.txt", values[:, :, j], fmt="%15.7e")
    (folder / f"y_{part}.txt").write_text("".join(f"{1 + i % 3}\n" for i in range(rows)))
    (folder / f"subject_{part}.txt").write_text("".join(f"{1 + i // 4}\n" for i in range(rows)))
    np.savetxt(folder / f"X_{part}.txt", np.random.default_rng(1).normal(size=(rows, 20)))
    return values


def test_rows_of_files_are_sequences_with_a_channel_a_file(tmp_path: Path, recorded: Recorded) -> None:
    values = windows(tmp_path / "train", "train", 9)
    (tmp_path / "train/README.txt").write_text("What was measured, and how.\nBy whom.\n")
    read = kinseq.read(tmp_path / "train")
    assert len(read) == 9
    order = [CHANNELS.index(name) for name in read.provenance["columns"]]
    for i in range(9):
        np.testing.assert_allclose(read[i], values[i][:, order], rtol=1e-6)
    assert read.labels.tolist() == ["1", "2", "3"] * 3
    assert read.groups.tolist() == ["1"] * 4 + ["2"] * 4 + ["3"]
    recorded.within("\n".join(read.notes))
    recorded.within("\n".join(read.notes))


def test_parts_are_joined_and_channels_can_be_chosen(tmp_path: Path, recorded: Recorded) -> None:
    first, second = windows(tmp_path / "train", "train", 12), windows(tmp_path / "test", "test", 6, 5)
    (tmp_path / "features.txt").write_text("".join(f"{i} mean-{i}\n" for i in range(1, 21)))
    read = kinseq.read(tmp_path, value_columns=["body_gyro_x"])
    assert read.ids.tolist() == [*(f"test/{i}" for i in range(1, 7)), *(f"train/{i:02d}" for i in range(1, 13))]
    np.testing.assert_allclose(read[0][:, 0], second[0, :, 3], rtol=1e-6)
    np.testing.assert_allclose(read[6][:, 0], first[0, :, 3], rtol=1e-6)
    (tmp_path / "test/Inertial Signals/total_acc_y_test.txt").unlink()
    with recorded.raises(DataError):
        kinseq.read(tmp_path)


def test_labels_have_to_be_as_many_as_rows(tmp_path: Path, recorded: Recorded) -> None:
    windows(tmp_path, "train", 9)
    (tmp_path / "y_train.txt").write_text("1\n2\n3\n")
    with recorded.raises(DataError):
        kinseq.read(tmp_path)


def test_files_without_labels_are_channels_if_they_differ_by_the_axis(tmp_path: Path) -> None:
    values = windows(tmp_path, "train", 9)
    for name in ("y_train.txt", "subject_train.txt", "X_train.txt"):
        (tmp_path / name).unlink()
    read = kinseq.read(tmp_path / "Inertial Signals")
    assert (len(read), read.n_features, read.labels) == (9, 4, None)
    assert len(values) == len(read)
    # Recordings may have such names too.
    for name in "xyz":
        (tmp_path / "other").mkdir(exist_ok=True)
        np.savetxt(tmp_path / f"other/{name}.txt", values[0])
    assert len(kinseq.read(tmp_path / "other")) == 3
    # One file per sequence, as given or as other names imply.
    assert len(kinseq.read(tmp_path / "Inertial Signals", rows="frames")) == 4
    for i, path in enumerate(sorted((tmp_path / "Inertial Signals").iterdir())):
        path.rename(path.with_name(f"walk{i}.txt"))
    assert len(kinseq.read(tmp_path / "Inertial Signals")) == 4
