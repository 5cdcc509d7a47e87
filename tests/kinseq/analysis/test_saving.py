"""Results in files: what comes back is what went in, and a file of a stranger can do nothing."""

from __future__ import annotations

import io
import json
import pickle
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kinseq
from kinseq.analysis import saving
from kinseq.core.errors import DataError, ParameterError
from tests.sentences import Recorded

rng = np.random.default_rng(0)
FRAMES = {f"m{i}": rng.normal(5.0 * (i % 2), 1.0, (20 + i % 7, 2)) for i in range(16)}
NEW = [rng.normal(5.0, 1.0, (18, 2)), rng.normal(0.0, 1.0, (30, 2))]
WORDS: dict[str, dict[str, Any]] = {
    "default": {},
    "a property or a view": {"measure": "dtw"},
    "one model of all": {"measure": "ssd", "n_clusters": 2, "n_states": 3},
    "models of each": {"measure": "kl_ll", "n_clusters": 2, "n_states": 2, "params": {"covariance": "diag"}},
    "a sample": {"measure": "dtw", "sample": 8},
    "several measures, labels, stretched": {
        "measure": "dtw,statistics",
        "labels": ["a", "b"] * 8,
        "length": "stretch",
        "n_clusters": 2,
    },
    "a range, another clusterer": {
        "measure": "dtw",
        "clusterer": "hierarchical",
        "params": {"linkage": "average"},
        "n_clusters": (2, 4),
    },
}


@pytest.mark.parametrize("name", WORDS)
def test_what_is_loaded_is_what_was_saved(tmp_path: Path, name: str) -> None:
    found = kinseq.cluster(FRAMES, n_resamples=2, **WORDS[name])
    found.save(tmp_path / "found.kinseq")
    again = kinseq.load(tmp_path / "found.kinseq")
    assert type(again) is type(found)
    np.testing.assert_array_equal(again.labels, found.labels)
    assert (again.degree, again.measure) == (found.degree, found.measure)
    assert again.summary() == found.summary()
    assert repr(again) == repr(found)
    assert again.to_frame().equals(found.to_frame())
    np.testing.assert_array_equal(again.predict(NEW), found.predict(NEW))
    np.testing.assert_array_equal(again.transform(NEW), found.transform(NEW))
    # The page shows everything available.
    pages = [entry.report(tmp_path / str(k)).read_text(encoding="utf-8") for k, entry in enumerate((found, again))]
    assert pages[0] == pages[1]


def test_a_matrix_comes_back(tmp_path: Path) -> None:
    points = np.arange(10) % 2 * 5.0 + rng.random(10)
    found = kinseq.cluster(np.abs(np.subtract.outer(points, points)), measure="precomputed")
    found.save(tmp_path / "found")
    again = kinseq.load(tmp_path / "found")
    np.testing.assert_array_equal(again.distance, found.distance)
    assert again.summary() == found.summary()


def test_sequences_of_files_come_back_without_them(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    for name, frames in FRAMES.items():
        np.savetxt(folder / f"{name}.csv", frames, delimiter=",", header="x,y", comments="")
    found = kinseq.cluster(folder, measure="dtw")
    found.save(tmp_path / "found")
    for path in folder.iterdir():
        path.unlink()
    again = kinseq.load(tmp_path / "found")
    assert again.original.ids.tolist() == found.original.ids.tolist()
    assert again.summary() == found.summary()
    np.testing.assert_array_equal(again.predict(NEW), found.predict(NEW))


def test_a_measure_of_ones_own_is_refused(tmp_path: Path, recorded: Recorded) -> None:
    found = kinseq.cluster(FRAMES, 2, measure=lambda x, y: float(abs(x.mean() - y.mean())))
    with recorded.raises(ParameterError):
        found.save(tmp_path / "found")
    assert not list(tmp_path.iterdir())


class Hostile:
    """Function that runs when it is unpickled."""

    def __reduce__(self) -> tuple[Any, ...]:
        return (exec, ("raise SystemExit('it ran')",))


def test_files_of_strangers_are_refused(tmp_path: Path, recorded: Recorded) -> None:
    path = tmp_path / "found"
    kinseq.cluster(FRAMES, 2, "dtw").save(path)
    whole = path.read_bytes()
    pickled = io.BytesIO()
    np.savez(pickled, meta=np.array([Hostile()], dtype=object))
    other = io.BytesIO()
    np.savez(other, x=np.ones(3))
    cut = [whole[:200], whole[: len(whole) // 2]]
    for content in (b"", b"text", *cut, pickle.dumps(Hostile()), pickled.getvalue(), other.getvalue()):
        path.write_bytes(content)
        with pytest.raises(DataError, match="kinseq"):
            kinseq.load(path)
    with recorded.raises(DataError):
        kinseq.load(tmp_path / "nowhere")
    with recorded.raises(ParameterError):
        kinseq.load(np.ones((3, 3)))  # type: ignore[arg-type]


def rewritten(path: Path, change: Any) -> None:
    """The same file with other words in it."""
    with np.load(path) as file:
        arrays = {name: file[name] for name in file.files}
    meta = json.loads(str(arrays[saving.META]))
    change(meta)
    with path.open("wb") as stream:
        np.savez(stream, **{**arrays, saving.META: np.array(json.dumps(meta))})


def test_other_versions(tmp_path: Path, recorded: Recorded) -> None:
    path = tmp_path / "found"
    found = kinseq.cluster(FRAMES, 2, "dtw")
    found.save(path)
    # An unknown field, and a missing one that has a default.
    rewritten(path, lambda meta: meta["decision"]["fields"].update(later=1))
    rewritten(path, lambda meta: meta["decision"]["fields"].pop("items"))
    np.testing.assert_array_equal(kinseq.load(path).labels, found.labels)
    rewritten(path, lambda meta: meta.update(format=saving.FORMAT_NUMBER + 1, kinseq="9.0"))
    with recorded.raises(DataError):
        kinseq.load(path)


def test_files_of_an_earlier_version_keep_the_scale_they_were_made_in(tmp_path: Path) -> None:
    """Before format 3 measures saw glitches as they are, and sequences of another unit were part of the scale."""
    path, random = tmp_path / "found", np.random.default_rng(3)
    frames = [random.normal(size=(30, 1)) for _ in range(24)]
    frames[5][7], frames[9] = 50.0, 100.0 * frames[9]
    found = kinseq.cluster(frames, 2)
    found.save(path)
    same = kinseq.load(path)
    np.testing.assert_array_equal(same.sequences.values, found.sequences.values)
    np.testing.assert_array_equal(same.sequences.limits, found.sequences.limits)
    rewritten(path, lambda meta: meta.update(format=2))
    before = kinseq.load(path)
    assert found.sequences.limits is not None
    assert before.sequences.limits is None
    values = np.concatenate(frames)
    np.testing.assert_allclose(before.sequences.values, (values - values.mean()) / values.std(), atol=1e-12)
    np.testing.assert_array_equal(before.labels, found.labels)
    assert before.predict(frames).shape == (24,)


def test_only_listed_classes_are_made(tmp_path: Path) -> None:
    path = tmp_path / "found"
    kinseq.cluster(FRAMES, 2, "dtw").save(path)
    rewritten(path, lambda meta: meta["decision"].update({"class": "Popen"}))
    with pytest.raises(DataError, match="damaged"):
        kinseq.load(path)


def test_it_is_a_zip_of_arrays_without_objects(tmp_path: Path) -> None:
    path = tmp_path / "found"
    kinseq.cluster(FRAMES, labels=["a", "b"] * 8).save(path)
    assert zipfile.is_zipfile(path)
    with np.load(path, allow_pickle=False) as file:
        assert all(file[name].dtype != object for name in file.files)
