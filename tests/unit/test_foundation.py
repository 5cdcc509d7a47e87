"""Floors 0 and 1: seeds, arrays, sequences, tasks, files, registries, fingerprints, progress, jobs."""

from __future__ import annotations

import io
import os
import stat
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from kinseq import fingerprint as prints
from kinseq.arrays import as_count, as_distance, as_frames
from kinseq.discovery import registered
from kinseq.errors import ConfigError, DataError, KinseqError, ParameterError, unknown_name
from kinseq.jobs import job
from kinseq.progress import Progress
from kinseq.schema import check
from kinseq.seeds import content_key, derive_seed, stream
from kinseq.sequences import SequenceSet, Task, as_sequence_set
from kinseq.store import read_arrays, read_sequences, replacing, write_arrays, write_sequences, write_text

WORKFLOW = Path(prints.__file__).resolve().parents[1]


# Seeds


def test_seeds_are_fixed_for_good() -> None:
    # Pinned: a change of the derivation would silently change every number of every experiment.
    assert derive_seed(1, "data", "mohmm", 0) == 8438790265335260796
    assert derive_seed(0) == 17563181186795651822


def test_axes_do_not_run_into_each_other() -> None:
    made = [
        derive_seed(1, *axes) for axes in (("a", "bc"), ("ab", "c"), ("abc",), ("a", "b", "c"), (3,), ("3",), (b"3",))
    ]
    assert len(set(made)) == len(made)


def test_streams_of_the_same_name_are_the_same() -> None:
    assert (stream(5, "x").random(4) == stream(5, "x").random(4)).all()
    assert (stream(5, "x").random(4) != stream(6, "x").random(4)).all()


def test_content_keys_follow_values_and_shape() -> None:
    a = np.arange(6.0)
    assert content_key(a.reshape(2, 3)) != content_key(a.reshape(3, 2))
    assert content_key(a.reshape(2, 3)) == content_key(np.asfortranarray(a.reshape(2, 3)))


# Arrays and sequences


@pytest.mark.parametrize(
    "array, words",
    [
        ([1.0, 2.0], ["two dimensions", "x[:, None]"]),
        (np.empty((0, 2)), ["empty", "0 frames"]),
        (np.empty((2, 0)), ["0 features"]),
        ([[1.0, np.nan]], ["nan", "(0, 1)"]),
        ([[np.inf], [1.0]], ["inf", "(0, 0)"]),
        ([["a"], ["b"]], ["cannot be read as numbers"]),
        ([[1.0, 2.0], [3.0]], ["cannot be read as numbers"]),
        (np.zeros((2, 2, 2)), ["(2, 2, 2)"]),
    ],
)
def test_bad_frames_are_refused_with_their_place(array: object, words: list[str]) -> None:
    with pytest.raises(DataError) as caught:
        as_frames(array, "sequence 'x'")  # type: ignore[arg-type]
    for word in ["sequence 'x'", *words]:
        assert word in str(caught.value)


@pytest.mark.parametrize(
    "matrix, words",
    [
        (np.zeros((2, 3)), ["square"]),
        (np.zeros((0, 0)), ["empty"]),
        ([[0.0, 1.0], [2.0, 0.0]], ["not symmetric", "(0, 1)"]),
        ([[0.0, np.nan], [np.nan, 0.0]], ["nan"]),
    ],
)
def test_bad_distances_are_refused(matrix: object, words: list[str]) -> None:
    with pytest.raises(DataError) as caught:
        as_distance(matrix)  # type: ignore[arg-type]
    for word in words:
        assert word in str(caught.value)


@pytest.mark.parametrize("value", [0, -1, 1.5, "two", None, True])
def test_counts_are_whole_and_large_enough(value: object) -> None:
    with pytest.raises(ParameterError, match="n_states"):
        as_count(value, "n_states")


def some_sequences() -> SequenceSet:
    rng = np.random.default_rng(0)
    arrays = [rng.normal(size=(length, 2)) for length in (3, 1, 5)]
    return SequenceSet.from_arrays(arrays, labels=["a", "b", "a"], ids=["x", "y", "z"], groups=[1, 1, 2])


def test_a_set_gives_back_what_it_was_made_of() -> None:
    made = some_sequences()
    assert len(made) == 3
    assert made.n_features == 2
    assert made.lengths.tolist() == [3, 1, 5]
    assert [len(x) for x in made] == [3, 1, 5]
    assert made[-1].shape == (5, 2)
    with pytest.raises(IndexError):
        made[3]


def test_a_subset_is_the_set_of_the_chosen() -> None:
    made = some_sequences()
    part = made.subset([2, 0])
    assert part.ids.tolist() == ["z", "x"]
    assert part.labels is not None
    assert part.labels.tolist() == ["a", "a"]
    np.testing.assert_array_equal(part[0], made[2])
    np.testing.assert_array_equal(part[1], made[0])
    assert made.subset([0, 1, 2]) is made


@pytest.mark.parametrize(
    "arguments, words",
    [
        ({"arrays": []}, ["no sequence"]),
        ({"arrays": [np.zeros((2, 1)), np.zeros((2, 2))]}, ["s00001", "2 features", "has 1"]),
        ({"arrays": [np.zeros((2, 1)), np.zeros((0, 1))]}, ["s00001", "empty"]),
        ({"arrays": [np.zeros((2, 1))] * 2, "labels": [1]}, ["labels", "2 sequences"]),
        ({"arrays": [np.zeros((2, 1))] * 2, "ids": ["a", "a"]}, ["'a'", "more than once"]),
        ({"arrays": [np.zeros((2, 1))] * 2, "ids": ["a"]}, ["ids", "2 sequences"]),
        ({"arrays": [np.zeros((2, 1))] * 2, "groups": [1, 2, 3]}, ["groups"]),
        ({"arrays": np.zeros((4, 2))}, ["(4, 2)", "list of (T, d) arrays"]),
    ],
)
def test_bad_sets_are_refused(arguments: dict[str, object], words: list[str]) -> None:
    with pytest.raises(DataError) as caught:
        SequenceSet.from_arrays(**arguments)  # type: ignore[arg-type]
    for word in words:
        assert word in str(caught.value)


def test_nan_names_its_sequence() -> None:
    values = np.zeros((5, 1))
    values[3] = np.nan
    with pytest.raises(DataError, match=r"sequence 's00001'.*nan.*\(1, 0\)"):
        SequenceSet(values=values, offsets=np.array([0, 2, 5]))


def test_lists_and_stacks_become_sets() -> None:
    assert len(as_sequence_set([np.zeros((2, 1)), np.zeros((3, 1))])) == 2
    assert len(as_sequence_set(np.zeros((4, 3, 1)))) == 4  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "indices, n_clusters, error",
    [([], 1, DataError), ([1, 1], 1, DataError), ([0, 1], 3, ParameterError), ([0], 0, ParameterError)],
)
def test_bad_tasks_are_refused(indices: list[int], n_clusters: int, error: type[Exception]) -> None:
    with pytest.raises(error, match="t"):
        Task("t", np.array(indices, dtype=np.int64), n_clusters)


# Files


def test_sequences_survive_the_file(tmp_path: Path) -> None:
    made = some_sequences()
    tasks = [Task("all", np.arange(3), 2), Task("few", np.array([2, 0]), 1, trial=4, x=2.5)]
    write_sequences(tmp_path / "s.npz", made, tasks)
    again, read = read_sequences(tmp_path / "s.npz")
    np.testing.assert_array_equal(again.values, made.values)
    assert again.ids.tolist() == made.ids.tolist()
    assert again.labels is not None
    assert again.labels.tolist() == ["a", "b", "a"]
    assert again.groups is not None
    assert [(t.name, t.indices.tolist(), t.n_clusters, t.trial) for t in read] == [
        ("all", [0, 1, 2], 2, None),
        ("few", [2, 0], 1, 4),
    ]
    assert np.isnan(read[0].x)
    assert read[1].x == 2.5


def test_a_write_that_fails_half_way_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    write_text(path, "old")

    def write_half() -> None:
        with replacing(path) as temporary:
            temporary.write_text("ne")
            raise RuntimeError("half-way")

    with pytest.raises(RuntimeError, match="half-way"):
        write_half()
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["table.csv"]


def test_a_disk_that_is_full_is_told(tmp_path: Path) -> None:
    with pytest.raises(KinseqError, match=r"table\.csv.*No space left"), replacing(tmp_path / "table.csv"):
        raise OSError(28, "No space left on device")
    assert not list(tmp_path.iterdir())


def test_a_file_in_place_of_a_folder_is_told(tmp_path: Path) -> None:
    (tmp_path / "results").write_text("I am a file")
    with pytest.raises(KinseqError, match="cannot be written"):
        write_text(tmp_path / "results" / "table.csv", "x")


def test_files_get_the_usual_permissions(tmp_path: Path) -> None:
    write_text(tmp_path / "a", "x")
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o666 & ~mask


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 truncated", b"not an archive"])
def test_broken_files_are_named(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x.npz").write_bytes(content)
    with pytest.raises(DataError, match=r"x\.npz.*delete it"):
        read_arrays(tmp_path / "x.npz")


def test_truncated_and_missing_files_are_named(tmp_path: Path) -> None:
    write_arrays(tmp_path / "x.npz", {"a": np.arange(1000)})
    whole = (tmp_path / "x.npz").read_bytes()
    (tmp_path / "x.npz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(DataError, match="not a readable npz"):
        read_arrays(tmp_path / "x.npz")
    with pytest.raises(DataError, match="no such file"):
        read_arrays(tmp_path / "y.npz")
    with pytest.raises(DataError, match="Python objects"):
        write_arrays(tmp_path / "z.npz", {"a": np.array([None, 1], dtype=object)})


# Registries and fingerprints


def test_registrations_are_read_without_importing(tmp_path: Path) -> None:
    (tmp_path / "good.py").write_text(
        "raise SystemExit\nTHINGS = (Thing(name='a', needs='b', f=open), Thing(name='c'))\n"
    )
    found = registered(tmp_path, "package", "THINGS")
    assert sorted(found) == ["a", "c"]
    assert found["a"].literals == {"name": "a", "needs": "b"}
    assert found["a"].arguments == {"name", "needs", "f"}
    assert found["c"].module == "package.good"


def test_bad_registrations_are_refused(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.mkdir(), two.mkdir()
    (one / "a.py").write_text("THINGS = (Thing(name='a'),)\n")
    (one / "b.py").write_text("THINGS = (Thing(name='a'),)\n")
    with pytest.raises(ParameterError, match="registered in both"):
        registered(one, "p", "THINGS")
    (two / "a.py").write_text("N = 'a'\nTHINGS = (Thing(name=N),)\n")
    with pytest.raises(ParameterError, match="string literal"):
        registered(two, "p", "THINGS")


def test_closures_hold_what_is_imported_and_nothing_else() -> None:
    kl_ll = prints.closure(["kinseq.measures.kl_ll"])
    assert {"kinseq.measures.kl_ll", "kinseq.affinity", "kinseq.errors", "kinseq.measures.likelihood"} <= set(kl_ll)
    assert not {"kinseq.measures.dtw", "kinseq.clustering.graph", "kinseq.render.tables"} & set(kl_ll)
    assert "kinseq.models.hmm.training" in prints.closure(["kinseq.models.kinds.hmm"]), "lazy packages are followed"


def test_the_closure_is_at_least_what_python_loads() -> None:
    script = (
        "import sys, importlib; importlib.import_module('kinseq.stages.partitions');"
        "importlib.import_module('kinseq.clustering.graph');"
        "print(*sorted(m for m in sys.modules if m.startswith('kinseq.')))"
    )
    env = {**os.environ, "PYTHONPATH": str(WORKFLOW)}
    loaded = subprocess.run(
        [sys.executable, "-c", script], env=env, capture_output=True, text=True, check=True
    ).stdout.split()
    packages = {name for name in loaded if (WORKFLOW / name.replace(".", "/")).is_dir()}
    assert set(loaded) - packages <= set(prints.closure(["kinseq.stages.partitions", "kinseq.clustering.graph"])) | {
        "kinseq.lazy"
    }


def test_an_unknown_module_has_no_fingerprint() -> None:
    with pytest.raises(ParameterError, match=r"kinseq\.nothing"):
        prints.fingerprint("kinseq.nothing")


def test_importing_kinseq_is_light() -> None:
    script = (
        "import sys, kinseq; print(*[m for m in ('numpy', 'scipy', 'numba', 'sklearn', 'pandas') if m in sys.modules])"
    )
    env = {**os.environ, "PYTHONPATH": str(WORKFLOW)}
    done = subprocess.run([sys.executable, "-c", script], env=env, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_nothing_in_the_library_knows_the_workflow_engine() -> None:
    for path in (WORKFLOW / "kinseq").rglob("*.py"):
        assert "import snakemake" not in path.read_text(encoding="utf-8"), path


# Progress, jobs, schemas


def test_progress_tells_count_time_and_rest() -> None:
    now = [0.0]
    out = io.StringIO()
    progress = Progress("fit hmm2", 4, every=10, out=out, clock=lambda: now[0])
    for seconds in (2, 4, 15, 20):
        now[0] = seconds
        progress.step()
    assert out.getvalue().splitlines() == [
        "fit hmm2: trial 1/4, 2 s, ETA 6 s",
        "fit hmm2: trial 3/4, 15 s, ETA 5 s",
        "fit hmm2: trial 4/4, 20 s",
    ]


def test_a_job_logs_its_error_in_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:

    def fail() -> None:
        print("at work")
        raise DataError("x.csv: is empty; remove it")

    with pytest.raises(SystemExit) as caught, job(str(tmp_path / "a.log"), WORKFLOW):
        fail()
    assert caught.value.code == 1
    assert (tmp_path / "a.log").read_text() == "at work\nerror: x.csv: is empty; remove it\n"


def test_a_job_logs_the_traceback_of_a_defect(tmp_path: Path) -> None:
    with pytest.raises(SystemExit), job(str(tmp_path / "a.log"), WORKFLOW):
        raise ZeroDivisionError("a defect")
    log = (tmp_path / "a.log").read_text()
    assert "Traceback" in log
    assert "ZeroDivisionError: a defect" in log


def test_a_job_refuses_a_library_from_elsewhere(tmp_path: Path) -> None:
    with pytest.raises(SystemExit), job(str(tmp_path / "a.log"), tmp_path):
        pass
    assert "not from the workflow" in (tmp_path / "a.log").read_text()


SCHEMA = {
    "type": "object",
    "additionalProperties": False,
    "required": ["name"],
    "properties": {"name": {"type": "string"}, "kind": {"enum": ["a", "b"]}, "n": {"type": "integer", "minimum": 1}},
}


@pytest.mark.parametrize(
    "document, words",
    [
        ({"nmae": "x"}, ["'nmae'", "did you mean 'name'", "kind, n, name"]),
        ({}, ["'name' is missing"]),
        ({"name": 3}, ["name", "expected string"]),
        ({"name": "x", "kind": "c"}, ["unknown value 'c'", "a, b"]),
        ({"name": "x", "n": 0}, ["at least 1"]),
    ],
)
def test_schema_messages_help(document: object, words: list[str]) -> None:
    with pytest.raises(ConfigError) as caught:
        check(document, SCHEMA, "file.yaml")
    for word in ["file.yaml", *words]:
        assert word in str(caught.value)


def test_unknown_names_come_with_the_valid_ones() -> None:
    assert unknown_name("measure", "kl_l", ["yy", "kl_ll"]) == (
        "unknown measure 'kl_l' (did you mean 'kl_ll'?); valid names: kl_ll, yy"
    )
