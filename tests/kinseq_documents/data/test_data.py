"""Data sets: loaders on made-up files of the published layouts, checks of what was read, acquisition."""

from __future__ import annotations

import functools
import hashlib
import http.server
import io
import threading
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kinseq.core.errors import DataError, ParameterError, UnavailableError
from kinseq.core.sequences import SequenceSet
from kinseq_documents.data import acquire, japanese_vowels, mohmm, registry
from kinseq_documents.data.feature_files import load_speakers, speaker_pairs
from kinseq_documents.stages.sequences import make_sequences
from kinseq_documents.stages.tasks import members, tasks_of
from tests.sentences import Recorded

# Japanese Vowels


def write_vowels(folder: Path, blocks: int = 270) -> None:
    """A file in the UCI layout: blocks of rows of twelve numbers, each ended by a row of ones."""
    rng = np.random.default_rng(0)
    lines = []
    for k in range(blocks):
        lines += [" ".join(f"{x:.6f}" for x in row) for row in rng.normal(size=(3 + k % 4, 12))]
        lines.append(" ".join(["1.0"] * 12) + " ")
    (folder / "ae.train").write_text("\r\n".join(lines) + "\r\n")


def test_the_uci_layout_is_read(tmp_path: Path) -> None:
    write_vowels(tmp_path)
    read = japanese_vowels.load(tmp_path, "train")
    assert len(read) == 270
    assert read.n_features == 12
    assert read.lengths[:5].tolist() == [3, 4, 5, 6, 3]
    assert read.labels is not None
    assert [str(label) for label in read.labels[[0, 29, 30, 269]]] == ["1", "1", "2", "9"]
    assert not (read.values == 1.0).all(axis=1).any(), "separators are not data"


@pytest.mark.parametrize(
    "damage, words",
    [
        (lambda text: text[: len(text) // 2], ["ae.train", "truncated", "expected 270"]),
        (lambda text: text.replace("1.0 1.0", "1.0", 1), ["ae.train", "line", "numbers, expected 12"]),
        (lambda text: "x" + text, ["ae.train", "line 1", "not numeric"]),
    ],
)
def test_damaged_vowels_are_told(tmp_path: Path, damage: object, words: list[str]) -> None:
    write_vowels(tmp_path)
    text = (tmp_path / "ae.train").read_text()
    # Truncated at the end of a line, unlike most interrupted downloads: the count reveals it.
    damaged = damage(text)  # type: ignore[operator]
    (tmp_path / "ae.train").write_text(damaged if damaged[0] == "x" else damaged[: damaged.rfind("\n") + 1])
    with pytest.raises(DataError) as caught:
        japanese_vowels.load(tmp_path, "train")
    for word in words:
        assert word in str(caught.value)


def test_missing_vowels_and_unknown_parts_are_told(tmp_path: Path, recorded: Recorded) -> None:
    with recorded.raises(DataError):
        japanese_vowels.load(tmp_path, "train")
    with recorded.raises(ParameterError):
        japanese_vowels.load(tmp_path, "all")


def test_the_bundled_vowels_are_the_published_ones() -> None:
    entry = {
        "bundled": {"package": "aeon", "path": "datasets/data/JapaneseVowels", "files": ["JapaneseVowels_TRAIN.ts"]}
    }
    folder = acquire.locate("japanese_vowels", entry, [])
    assert folder is not None
    read = japanese_vowels.load(folder, "train")
    counts = {"sequences": 270, "features": 12, "frames": 4274, "classes": 9, "shortest": 7, "longest": 26}
    registry.verify(read, counts, "bc623c69e2c42a0e2ffc3a5a8710327a4b712e9147c06c313c99cd6a2b3af484")


# Checks of the data read


def small_set() -> SequenceSet:
    return SequenceSet.from_arrays([np.ones((3, 2)), np.zeros((4, 2))], labels=["a", "b"], name="made up")


def test_wrong_counts_and_checksums_are_told(recorded: Recorded) -> None:
    with recorded.raises(DataError):
        registry.verify(small_set(), {"frames": 8}, None)
    with recorded.raises(DataError):
        registry.verify(small_set(), {}, "0" * 64)
    registry.verify(small_set(), {"frames": 7, "classes": 2}, registry.checksum(small_set()))


def test_the_checksum_sees_values_borders_and_labels() -> None:
    made = small_set()
    others = [
        SequenceSet.from_arrays([np.ones((3, 2)), np.full((4, 2), 1e-9)], labels=["a", "b"]),
        SequenceSet(made.values, np.array([0, 4, 7]), labels=made.labels),
        SequenceSet(made.values, made.offsets, labels=np.array(["a", "a"])),
    ]
    assert len({registry.checksum(x) for x in [made, *others]}) == 4


def test_unknown_loaders_and_parameters_are_told(recorded: Recorded) -> None:
    with recorded.raises(ParameterError):
        registry.get("mohm")
    with recorded.raises(ParameterError):
        registry.make("x", "mohmm", {"variatoin": 3}, None, 0)
    with pytest.raises(DataError, match="no folder"):
        registry.make("x", "japanese_vowels", {}, None, 0)


# Mixtures of hidden Markov models


def test_mixtures_have_the_statistics_of_their_models() -> None:
    sequences, labels = mohmm.mixture(seed=3, n_sequences=400, mean_length=200, variation=40)
    lengths = np.array([len(x) for x in sequences])
    assert lengths.min() >= 120
    assert lengths.max() <= 280
    assert abs(lengths.mean() - 200) < 8
    assert abs(labels.mean() - 0.5) < 0.1
    values = np.concatenate(sequences)[:, 0]
    # Stationary mixture of N(0, 1) and N(3, 1) with equal weights.
    assert abs(values.mean() - 1.5) < 0.03
    assert abs(values.var() - (1 + 2.25)) < 0.06
    # The lag-one autocovariance of the hidden mean is 2.25 (2 a - 1) with a the probability to stay.
    for label, stay in ((0, 0.6), (1, 0.4)):
        pairs = np.concatenate([np.c_[x[:-1], x[1:]] for x, y in zip(sequences, labels, strict=True) if y == label])
        assert abs(np.cov(pairs.T)[0, 1] - 2.25 * (2 * stay - 1)) < 0.06


def test_a_third_model_stays_longer() -> None:
    sequences, labels = mohmm.mixture(3, 300, 200, 40, ["theta1", "theta2", "theta3"])
    assert set(labels) == {0, 1, 2}
    pairs = np.concatenate([np.c_[x[:-1], x[1:]] for x, y in zip(sequences, labels, strict=True) if y == 2])
    assert abs(np.cov(pairs.T)[0, 1] - 2.25 * 0.4) < 0.08


def test_rows_of_a_transition_matrix_are_the_states_that_are_left() -> None:
    """The models of the documents are symmetric, and would hide columns taken for rows."""
    leave, enter = 0.1, 0.5
    transmat = np.array([[1 - leave, leave], [enter, 1 - enter]])
    sequences = mohmm.sample_two_state(transmat, np.full(200, 500), np.random.default_rng(0))
    share = leave / (leave + enter)
    assert np.mean(sequences) == pytest.approx(3 * share, abs=0.03)
    pairs = np.concatenate([np.c_[x[:-1], x[1:]] for x in sequences])
    assert np.cov(pairs.T)[0, 1] == pytest.approx(9 * share * (1 - share) * (1 - leave - enter), abs=0.06)


def test_a_point_of_a_sweep_does_not_depend_on_the_other_points() -> None:
    alone, _ = mohmm.sweep(5, [10], [40], 40, ["theta1", "theta2"])
    among, tasks = mohmm.sweep(5, [10], [20, 40, 60], 40, ["theta1", "theta2"])
    task = next(task for task in tasks if task.name == "l40")
    np.testing.assert_array_equal(among.subset(task.indices).values, alone.values)
    assert task.x == 40


def test_bad_mixtures_are_refused(recorded: Recorded) -> None:
    with pytest.raises(ParameterError, match="2 generating models"):
        mohmm.mixture(0, 1, 10, 40)
    with pytest.raises(ParameterError, match=r"variation is 100"):
        mohmm.mixture(0, 10, 10, 100)
    with recorded.raises(ParameterError):
        mohmm.sweep(0, [10, 20], [10, 20], 40, ["theta1", "theta2"])


# Layouts of the lost sets, on made-up files


def test_speaker_folders_become_pairs(tmp_path: Path, recorded: Recorded) -> None:
    for speaker in ("s1", "s2", "s3"):
        for k in range(2):
            (tmp_path / speaker).mkdir(exist_ok=True)
            np.savetxt(tmp_path / speaker / f"{k}.txt", np.full((4 + k, 26), float(speaker[1])))
    read = load_speakers(tmp_path, "gpm")
    assert len(read) == 6
    assert read.n_features == 26
    tasks = speaker_pairs(read, 0, "gpm")
    assert [task.name for task in tasks] == ["s1-s2", "s1-s3", "s2-s3"]
    assert read.subset(tasks[1].indices).labels is not None
    assert set(read.subset(tasks[1].indices).labels) == {"s1", "s3"}  # type: ignore[arg-type]
    (tmp_path / "s1" / "0.txt").write_text("1 2 three\n")
    with recorded.raises(DataError):
        load_speakers(tmp_path, "gpm")
    with recorded.raises(DataError):
        load_speakers(tmp_path / "s2", "gpm")


# The stage


def test_replicates_of_several_trials_are_joined_in_order(recorded: Recorded) -> None:
    entry = {"loader": "mohmm", "params": {"n_sequences": [6], "mean_length": [10, 20]}}
    both, tasks = make_sequences("m", entry, [3, 4], 1, None)
    alone, of_one = make_sequences("m", entry, [4], 1, None)
    assert len(both) == 2 * len(alone)
    for task, single in zip(tasks_of(tasks, 4), of_one, strict=True):
        np.testing.assert_array_equal(both.subset(task.indices).values, alone.subset(single.indices).values)
    assert members(tasks, 4).tolist() == list(range(12, 24))
    with recorded.raises(DataError):
        members(tasks, 9)
    with recorded.raises(DataError):
        make_sequences("m", entry, None, 1, None)


def test_the_data_stream_does_not_follow_the_name_of_the_set() -> None:
    # Two experiments that draw the same kind of data in the same trial see the same data.
    entry = {"loader": "mohmm", "params": {"n_sequences": [6], "mean_length": [10]}}
    one, two = (make_sequences(name, entry, [0], 1, None)[0] for name in ("a", "b"))
    np.testing.assert_array_equal(one.values, two.values)
    other, _ = make_sequences("a", entry, [0], 2, None)
    assert one.values.shape != other.values.shape or (one.values != other.values).any()


# Acquisition


def test_mirrors_come_before_the_bundled_copy(tmp_path: Path) -> None:
    entry = {
        "folder": "jv",
        "files": ["ae.train"],
        "bundled": {"package": "kinseq_documents", "path": "data", "files": ["mohmm.py"]},
    }
    found = acquire.locate("x", entry, [tmp_path])
    assert found is not None
    assert found.name == "data"
    (tmp_path / "jv").mkdir()
    assert acquire.locate("x", entry, [tmp_path]) == found, "an empty folder is no mirror"
    (tmp_path / "jv" / "ae.train").touch()
    assert acquire.locate("x", entry, [tmp_path]) == tmp_path / "jv"
    missing = {"bundled": {"package": "no_such_package", "path": ".", "files": ["x"]}}
    assert acquire.locate("x", missing, [tmp_path / "nowhere"]) is None


def test_the_reason_says_what_to_do() -> None:
    gone = acquire.why_missing("x", {"gone": "it was withdrawn", "files": ["a.txt"], "folder": "f"})
    assert gone.startswith("it was withdrawn")
    assert "put a.txt into <data folder>/f/" in gone
    assert "https://example.org" in acquire.why_missing("x", {"url": "https://example.org", "files": ["a"]})


@pytest.fixture
def server(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """A folder that is served on a loopback address."""
    folder = tmp_path / "served"
    folder.mkdir()
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as listening:
        thread = threading.Thread(target=listening.serve_forever, daemon=True)
        thread.start()
        yield folder, f"http://127.0.0.1:{listening.server_address[1]}"
        listening.shutdown()


def test_downloads_are_checked_and_unpacked(server: tuple[Path, str], tmp_path: Path) -> None:
    folder, address = server
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as content:
        content.writestr("inside.txt", "hello")
    (folder / "set.zip").write_bytes(archive.getvalue())
    digest = hashlib.sha256(archive.getvalue()).hexdigest()
    entry = {"folder": "set", "download": [{"url": f"{address}/set.zip", "file": "set.zip", "sha256": digest}]}
    assert (acquire.download("set", entry, tmp_path / "data") / "inside.txt").read_text() == "hello"

    entry["download"][0]["sha256"] = "0" * 64  # type: ignore[index]
    # The archive holds the time at which it was made, and so does its digest.
    with pytest.raises(DataError, match="SHA-256"):
        acquire.download("set", entry, tmp_path / "again")
    assert not list((tmp_path / "again").rglob("*.*")), "nothing of a failed download stays"


def test_servers_that_do_not_answer_are_told(server: tuple[Path, str], tmp_path: Path, recorded: Recorded) -> None:
    _, address = server
    entry = {"files": ["x"], "download": [{"url": f"{address}/missing.zip", "file": "x.zip"}]}
    with recorded.raises(UnavailableError):
        acquire.download("set", entry, tmp_path)
    entry["download"][0]["url"] = "http://127.0.0.1:9/x.zip"  # type: ignore[index]
    with recorded.raises(UnavailableError):
        acquire.download("set", entry, tmp_path, timeout=2)
    with pytest.raises(UnavailableError, match=r"set: .*machine"):
        acquire.download("set", {}, tmp_path)
    assert not list(tmp_path.rglob("*.zip"))


def test_broken_archives_are_told(server: tuple[Path, str], tmp_path: Path, recorded: Recorded) -> None:
    folder, address = server
    (folder / "set.zip").write_bytes(b"PK\x03\x04 not a zip")
    with recorded.raises(DataError):
        acquire.download("set", {"download": [{"url": f"{address}/set.zip", "file": "set.zip"}]}, tmp_path)


def test_everything_needs_labels() -> None:
    made = small_set()
    assert registry.everything(made).n_clusters == 2
    with pytest.raises(DataError, match="no labels"):
        registry.everything(replace(made, labels=None))
