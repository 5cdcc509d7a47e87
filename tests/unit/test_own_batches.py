"""Large data in several processes: what comes out is what one process finds, to the last byte."""

from __future__ import annotations

import errno
import os
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from kinseq.analysis import cluster, limits
from kinseq.core import store
from kinseq.core.errors import DataError, KinseqError
from kinseq.core.folders import Places
from kinseq.core.sequences import SequenceSet
from kinseq.measures import registry
from kinseq.measures.registry import Evidence, Measure
from kinseq.measures.view_texts import MADE_OF
from kinseq_app import batched
from kinseq_app.commands import arguments, carry_out, write
from kinseq_app.readers import batches, read_folder
from kinseq_app.readers.finding import find
from kinseq_app.readers.stamping import stamp
from kinseq_app.request import FILES


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "REPRESENTATIVES_LEAST", 3)
    monkeypatch.setattr(limits, "REPRESENTATIVES_MOST", 6)
    monkeypatch.setattr(limits, "BLOCK", 4)


def waves(folder: Path, n: int = 36) -> Path:
    """Series of three kinds with labels, a file twice, one without a header, one that is no table and one too wide."""
    rng = np.random.default_rng(0)
    (folder / "sub").mkdir(parents=True)
    for i in range(n):
        frames = 20 + int(rng.integers(6))
        time = np.arange(frames) / (3.0, 5.0, 9.0)[i % 3]
        values = np.column_stack([2.0 * (i % 3) + np.sin(2 * np.pi * time), rng.normal(size=frames)])
        header = "" if i == 5 else "level,noise"
        np.savetxt(folder / ("sub" if i % 4 else "") / f"w{i}.csv", values, "%.3f", ",", header=header, comments="")
    (folder / "sub/twin.csv").write_bytes((folder / "sub/w1.csv").read_bytes())
    (folder / "words.csv").write_text("level,noise\nhigh,low\n", encoding="utf-8")
    (folder / "wide.csv").write_text("level,noise,more\n1,2,3\n4,5,6\n", encoding="utf-8")
    named = "".join(f"{'sub/' if i % 4 else ''}w{i}.csv,{i % 3}\n" for i in range(n))
    (folder / "labels.csv").write_text("id,label\n" + named, encoding="utf-8")
    return folder


def together(listed: list[batches.Batch], infos: Any, cache: Path | None = None) -> batches.Opened:
    """What several processes have opened."""
    return batches.Opened(
        {path: answer for some in listed for path, answer in batches.opened(some, cache).items()}, infos
    )


def passed(made: Any, folder: Path) -> Any:
    """What the next job reads."""
    store.write_object(folder / "made.pkl", made)
    return store.read_object(folder / "made.pkl")


def in_batches(own: dict[str, Any], page: Path, number: int) -> Any:
    """What the jobs of the workflow do, each with nothing but what others left."""
    folder, cut = page.parent, batches.cut(own["data"], number=number)
    listed, infos = passed(batches.survey(number=number, **batched.reading(own)), folder)
    for i, batch in enumerate(listed):
        batched.read(batch, folder / f"{i}.pkl", folder / f"{i}.key", "code", folder / ".features")
    read = (store.read_object(folder / f"{i}.pkl") for i in range(number)) if cut.one_each else None
    drawn, whole, rest = passed(batched.sample(own, 1, page, 1, listed, read, infos), folder)
    views = {name: passed(batched.view(drawn, name, 1), folder) for name in batched.names_of_views(own)}
    found = passed(batched.clusters(drawn, views, 1, "make cluster", whole is not None), folder)
    labels = [passed(batched.assign(found, share, 1), folder) for share in rest]
    for file in [*folder.glob("*.pkl"), *folder.glob("*.key")]:
        file.unlink()
    return batched.together(found, whole, labels, 1)


def asked(folder: Path, **settings: Any) -> dict[str, Any]:
    """A request to cluster the waves."""
    return {"data": str(waves(folder / "waves")), "name": "it", "n_resamples": 2, "max_clusters": 5, **settings}


def test_files_are_those_of_one_process(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own = asked(tmp_path, sample=20, measure="ssd,dtw", n_states=2)
    one, several = (tmp_path / name / "own/it/index.html" for name in ("one", "several"))
    carry_out(own, one, 1, 1, "make cluster")
    write(in_batches({**own, "batches": 4}, several, 4), own, several, 1)
    assert {path.name for path in several.parent.iterdir() if path.is_file()} == set(FILES)
    for name in FILES:
        assert (several.parent / name).read_bytes() == (one.parent / name).read_bytes(), name
    page = one.read_text(encoding="utf-8")
    assert "words.csv" in page
    assert "wide.csv" in page
    told = "1 sequence is a copy of another (sub/w1.csv of sub/twin.csv): it is put with it and counts once"
    assert told in page
    assert capsys.readouterr().out.count(f"note: {told}") == 2


@pytest.mark.parametrize(
    "settings",
    [
        {"sample": None, "measure": "kl_ll", "n_states": 2},
        {"sample": 24, "measure": "fusion", "n_states": 2},
        {"sample": 24},
        {"sample": 24, "measure": "dtw", "length": "stretch"},
        {"sample": 24, "measure": "dtw", "k": "2-4"},
    ],
    ids=["all", "sample", "default", "one length", "range"],
)
def test_what_is_found_is_that_of_one_process(settings: dict[str, Any], tmp_path: Path) -> None:
    own = asked(tmp_path, **{"k": 3, **settings})
    one = cluster(**arguments(own, 1, tmp_path / "one/index.html", 1))
    several = in_batches(own, tmp_path / "several/index.html", 2)
    np.testing.assert_array_equal(several.labels, one.labels)
    assert several.notes == one.notes
    whole, parts = (getattr(found, "sample", found) for found in (one, several))
    np.testing.assert_array_equal(parts.distance, whole.distance)
    assert parts.choices == whole.choices
    assert parts.corrected == whole.corrected
    assert parts.findings_ == whole.findings_
    # Views without a vote are jobs of their own too.
    assert parts.carriers == whole.carriers
    assert parts.witnesses == whole.witnesses


def test_a_file_that_holds_many_is_read_once_and_assigned_in_shares(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    sets = SequenceSet.from_arrays([rng.normal(size=(9, 1)) + 5.0 * (i % 2) for i in range(30)])
    np.savez(tmp_path / "sets.npz", values=sets.values, offsets=sets.offsets)
    own = {"data": str(tmp_path / "sets.npz"), "name": "it", "k": 2, "measure": "dtw", "sample": 8, "n_resamples": 2}
    assert batches.cut(own["data"], number=3).one_each is False
    one = carry_out(own, tmp_path / "one/index.html", 1, 1, "make cluster")
    several = in_batches(own, tmp_path / "several/index.html", 3)
    np.testing.assert_array_equal(several.labels, one.labels)
    assert several.comes_back == one.comes_back


def tone(path: Path, pitch: float, rate: int) -> None:
    time = np.arange(rate // 2) / rate
    soundfile.write(path, 0.3 * np.sin(2 * np.pi * pitch * time), rate)


def test_recordings_share_the_rate_of_all_of_them(tmp_path: Path) -> None:
    """The one file of a low rate decides what is computed in every batch, and broken files are told alike."""
    for i in range(6):
        tone(tmp_path / f"{i}.wav", 200.0 + 40 * i, 11025 if i == 4 else 16000)
    (tmp_path / "broken.wav").write_bytes(b"RIFF")
    soundfile.write(tmp_path / "silent.wav", np.zeros(8000), 16000)
    whole, notes = read_folder(tmp_path)
    listed, infos = batches.survey(tmp_path, 4)
    assert {batch.rate for batch in listed} == {11025.0}
    cache = tmp_path / ".features"
    opened = together(listed, infos, cache)
    again, said = read_folder(tmp_path, opened=opened)
    assert said == notes
    assert any("broken.wav" in note for note in notes)
    assert any("silent.wav" in note for note in notes)
    np.testing.assert_array_equal(again.values, whole.values)
    assert again.ids.tolist() == whole.ids.tolist()
    assert again.provenance == whole.provenance
    assert len(list(cache.rglob("*.npy"))) == 6


@pytest.mark.parametrize("number", [1, 4])
def test_a_bad_file_that_must_not_be_is_told_in_the_same_sentence(number: int, tmp_path: Path) -> None:
    folder = waves(tmp_path / "waves", 6)
    with pytest.raises(DataError) as alone:
        read_folder(folder, on_bad_file="refuse")
    listed, infos = batches.survey(folder, number)
    opened = together(listed, infos)
    with pytest.raises(DataError) as apart:
        read_folder(folder, on_bad_file="refuse", opened=opened)
    assert str(apart.value) == str(alone.value)


def test_the_number_of_batches_grows_with_files_and_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = waves(tmp_path / "waves", 10)
    files = len(find(folder, "labels.csv", None, []).files)
    assert batches.cut(folder).number == 1
    assert batches.cut(folder).files == files == 13
    monkeypatch.setattr(batches, "FILES", 6)
    assert batches.cut(folder).number == 4
    monkeypatch.setattr(batches, "FILES", 13)
    assert batches.cut(folder).number == 1
    monkeypatch.setattr(batches, "BYTES", batches.cut(folder).bytes // 2)
    assert batches.cut(folder).number == 4
    assert batches.cut(folder, number=1).number == 1
    assert batches.cut(folder, number=5).number == 5
    # What cannot be read is not cut: the job that reads it says why.
    (tmp_path / "none").mkdir()
    assert batches.cut(tmp_path / "none", number=3).number == 1


def test_every_file_is_in_one_batch_and_a_change_shows_in_its_stamp_alone(tmp_path: Path) -> None:
    folder = waves(tmp_path / "waves", 12)
    listed, _ = batches.survey(folder, 4)
    found = find(folder, "labels.csv", None, [])
    assert sorted(file for batch in listed for file in batch.files) == sorted(found.files)
    before = batches.cut(folder).stamp
    assert before == stamp(folder)
    for change in (lambda: (folder / "sub/w3.csv").write_text("1,2\n3,4\n"), lambda: (folder / "w8.csv").unlink()):
        change()
        again, _ = batches.survey(folder, 4)
        assert sum(a.stamp != b.stamp for a, b in zip(listed, again, strict=True)) == 1
        assert batches.cut(folder).stamp != before
        listed, before = again, batches.cut(folder).stamp
    (folder / "labels.csv").write_text("id,label\nw0.csv,1\n")
    assert batches.survey(folder, 4)[0] == listed
    assert batches.cut(folder).stamp != before


def test_answers_that_hold_are_not_looked_for_again(tmp_path: Path) -> None:
    folder, (answers, key) = waves(tmp_path / "waves", 6), (tmp_path / "0.pkl", tmp_path / "0.key")

    def again(code: str = "code") -> bool:
        before = answers.stat().st_ino if answers.exists() else None
        (batch,), _ = batches.survey(folder, 1)
        batched.read(batch, answers, key, code, tmp_path / ".features")
        assert store.read_object(answers)[0] == batch.stamp
        return answers.stat().st_ino != before

    assert again()
    assert not again()
    assert again("other code")
    (folder / "w0.csv").write_text("level,noise\n1,2\n3,4\n", encoding="utf-8")
    assert again("other code")
    # Without a key, nobody knows what the answers are of.
    key.unlink()
    assert again("other code")
    answers.unlink()
    assert again("other code")
    assert not again("other code")


def test_files_that_change_while_they_are_read_are_noticed(tmp_path: Path) -> None:
    folder = waves(tmp_path / "waves", 8)
    own = {"data": str(folder), "name": "it", "measure": "dtw", "k": 2}
    listed, infos = batches.survey(folder, 2)
    read = [(batch.stamp, batches.opened(batch)) for batch in listed]
    opened = together(listed, infos)
    with pytest.raises(KinseqError, match=r"was changed while it was read; delete .*\.parts and run the same command"):
        batched.sample(own, 1, tmp_path / "page.html", 1, listed, read[::-1], infos)
    (folder / "new.csv").write_text("level,noise\n1,2\n3,4\n", encoding="utf-8")
    with pytest.raises(KinseqError, match=r"new\.csv: came while the others were read") as told:
        read_folder(folder, opened=opened)
    assert not isinstance(told.value, DataError)


def test_another_number_of_batches_takes_nothing_of_the_old_ones(tmp_path: Path) -> None:
    """What an earlier run has left under the same names is of other files."""
    folder = waves(tmp_path / "waves", 12)
    alone = batches.opened(batches.survey(folder, 1)[0][0])
    for number in (4, 2, 3, 4, 1):
        listed, infos = batches.survey(folder, number)
        for i, batch in enumerate(listed):
            batched.read(batch, tmp_path / f"{i}.pkl", tmp_path / f"{i}.key", "code", tmp_path / ".features")
        read = [store.read_object(tmp_path / f"{i}.pkl") for i in range(number)]
        assert [stamp for stamp, _ in read] == [batch.stamp for batch in listed]
        assert [set(answers) for _, answers in read] == [set(batch.files) for batch in listed]
        assert sum(len(answers) for _, answers in read) == len(alone)
        whole, notes = read_folder(
            folder, opened=batches.Opened({k: v for _, some in read for k, v in some.items()}, infos)
        )
        once, said = read_folder(folder)
        np.testing.assert_array_equal(whole.values, once.values)
        assert (whole.ids.tolist(), notes) == (once.ids.tolist(), said)


def test_a_file_that_is_removed_before_its_batch_is_read_is_not_there(tmp_path: Path) -> None:
    folder = waves(tmp_path / "waves", 9)
    listed, infos = batches.survey(folder, 2)
    (folder / "sub/w3.csv").unlink()
    opened = together(listed, infos)
    whole, notes = read_folder(folder, labels=None, opened=opened)
    once, said = read_folder(folder, labels=None)
    np.testing.assert_array_equal(whole.values, once.values)
    assert whole.ids.tolist() == once.ids.tolist()
    assert "sub/w3" not in whole.ids
    assert notes == said


@pytest.mark.parametrize("on_bad_file", ["skip", "refuse"])
def test_a_file_that_cannot_be_opened_is_told_as_in_one_process(on_bad_file: Any, tmp_path: Path) -> None:
    folder = waves(tmp_path / "waves", 9)
    (folder / "words.csv").unlink()
    (folder / "wide.csv").unlink()
    (folder / "sub/lost.csv").symlink_to("nowhere.csv")
    (folder / "sub/round.csv").symlink_to("round.csv")

    def told(**given: Any) -> tuple[str, list[str]]:
        try:
            made, notes = read_folder(folder, on_bad_file=on_bad_file, **given)
        except KinseqError as error:
            return str(error), []
        return " ".join(made.ids), notes

    alone = told()
    assert told(opened=together(*batches.survey(folder, 4))) == alone
    said = alone[0] if on_bad_file == "refuse" else " ".join(alone[1])
    assert "lost.csv" in said
    assert "Errno" not in said


def test_a_full_disc_leaves_no_batch_half_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, (answers, key) = waves(tmp_path / "waves", 6), (tmp_path / "parts/0.pkl", tmp_path / "parts/0.key")

    def read() -> None:
        batched.read(batches.survey(folder, 1)[0][0], answers, key, "code", tmp_path / ".features")

    def full(made: Any, stream: Any, protocol: int) -> None:
        stream.write(b"half")
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    read()
    before = answers.read_bytes()
    (folder / "w0.csv").write_text("level,noise\n1,2\n3,4\n", encoding="utf-8")
    with monkeypatch.context() as patched:
        patched.setattr(pickle, "dump", full)
        with pytest.raises(KinseqError, match=r"0\.pkl: could not be written \(No space left on device\); free space"):
            read()
    # The answers of before are whole, and nobody takes them for those of the file as it is now.
    assert answers.read_bytes() == before
    assert sorted(file.name for file in answers.parent.iterdir()) == ["0.pkl"]
    read()
    assert store.read_object(answers)[0] == batches.survey(folder, 1)[0][0].stamp
    assert answers.read_bytes() != before


def test_drafts_of_killed_processes_are_removed_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    store.write_text(tmp_path / "parts/kept.txt", "kept")
    (tmp_path / ".features").mkdir()
    with store.replacing(tmp_path / "parts/half.pkl") as draft:
        killed = draft.name
        draft.write_text("half")
    (tmp_path / "parts/half.pkl").rename(tmp_path / "parts" / killed)
    (tmp_path / ".draft.folder/sub").mkdir(parents=True)
    (tmp_path / ".draft.folder/sub/.draft.x").touch()
    store.remove_drafts(tmp_path)
    assert sorted(file.name for file in tmp_path.rglob("*")) == [".features", "kept.txt", "parts"]


@pytest.mark.parametrize(("n", "number"), [(0, 3), (3, 4), (9, 2), (10, 3), (40, 3), (41, 40)])
def test_shares_are_whole_blocks_in_their_order(n: int, number: int) -> None:
    left = SequenceSet.from_arrays([np.full((2, 1), float(i)) for i in range(n)]) if n else None
    shares = batched.shares(left, number)
    assert len(shares) == number
    whole = [share for share in shares if share is not None]
    assert [frames[0, 0] for share in whole for frames in share] == list(range(n))
    assert all(len(share) % limits.BLOCK == 0 for share in whole[:-1])
    sizes = [-(-len(share) // limits.BLOCK) for share in whole]
    assert not sizes or len(sizes) < number or max(sizes) - min(sizes) <= 1


def _nothing(evidence: Evidence) -> Any:
    return np.zeros((len(evidence.items), len(evidence.items)))


def test_measures_are_passed_on_by_name_and_others_as_they_are() -> None:
    for name in ("dtw", "msm_shape", "fusion", "ssd_joint"):
        measure = registry.get(name)
        assert pickle.loads(pickle.dumps(measure)) is measure
    mine = Measure(name="dtw", label="mine", source="test", function=_nothing)
    again = pickle.loads(pickle.dumps(mine))
    assert again == mine
    assert again is not registry.get("dtw")


def test_what_is_made_apart_is_known_without_importing_a_measure(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in registry.modules():
        measure = registry.get(name)
        parts = [] if measure.parts is None else measure.parts(**measure.params)
        assert list(MADE_OF.get(name, ())) == parts, name

    def lacks(name: str) -> Measure:
        raise ModuleNotFoundError(f"No module named 'numba', for {name}")

    own = {"data": "waves", "name": "it", "measure": "fusion"}
    asked = batched.names_of_views(own)
    monkeypatch.setattr("kinseq.analysis.pipeline.get", lacks)
    assert batched.names_of_views(own) == asked == list(MADE_OF["fusion"])


def test_views_that_were_made_apart_are_those_of_the_fusion() -> None:
    rng = np.random.default_rng(3)
    sets = SequenceSet.from_arrays([rng.normal(size=(12, 2)) + 3.0 * (i % 2) for i in range(10)])
    fusion, params = registry.get("fusion"), {"views": ["dtw", "statistics", "kl_ll"], "states_each": 2}
    evidence = Evidence(sets, seed=7)
    every = {**fusion.params, **params}
    assert fusion.parts is not None
    assert fusion.part is not None
    made = {name: fusion.part(evidence, name, **every) for name in fusion.parts(**every)}
    assert list(made) == params["views"]
    # Another seed, so that nothing is remembered, and views that were tampered with, so that they are seen to be used.
    whole, _ = fusion.compute(Evidence(sets, seed=8, made=made), **params)
    np.testing.assert_array_equal(whole, fusion.compute(evidence, **params)[0])
    fewer = dict.fromkeys(made, made["dtw"])
    assert not np.array_equal(fusion.compute(Evidence(sets, seed=9, made=fewer), **params)[0], whole)


def test_what_is_stored_is_all_there_or_told(tmp_path: Path) -> None:
    store.write_object(tmp_path / "made.pkl", {"numbers": np.arange(3)})
    np.testing.assert_array_equal(store.read_object(tmp_path / "made.pkl")["numbers"], np.arange(3))
    with pytest.raises(DataError, match=r"none\.pkl: no such file; run the stage that makes it"):
        store.read_object(tmp_path / "none.pkl")
    whole = (tmp_path / "made.pkl").read_bytes()
    for damaged in (b"", whole[:-9], b"no pickle", whole.replace(b"numpy", b"nimpy")):
        (tmp_path / "made.pkl").write_bytes(damaged)
        with pytest.raises(DataError, match=r"made\.pkl: cannot be read \(.*\); delete it"):
            store.read_object(tmp_path / "made.pkl")


def test_real_places_are_those_of_the_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner/a.csv").touch()
    (tmp_path / "b.csv").symlink_to("inner/a.csv")
    (tmp_path / "folder").symlink_to("inner")
    (tmp_path / "lost").symlink_to("nowhere")
    monkeypatch.chdir(tmp_path)
    places = Places()
    for name in (
        "inner/a.csv",
        "b.csv",
        "folder/a.csv",
        "folder/../b.csv",
        "lost",
        "lost/x",
        "none",
        "..",
        ".",
        "/",
        "/x",
    ):
        for path in (Path(name), tmp_path / name):
            assert places.real(path) == os.path.realpath(path)
