"""Large Parquet files: read in parts, and what is found is what is found of all in memory."""

from __future__ import annotations

import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import kinseq
from kinseq.analysis import limits, preparation
from kinseq.analysis.prediction import SCREENS, check_assignment_rule
from kinseq.core.errors import DataError, ParameterError
from kinseq.core.sequences import SequenceSet
from kinseq.core.streamed import SequenceParts
from kinseq.metrics import ari
from kinseq.readers import streaming
from kinseq.readers.reading import USUAL, Reading
from tests.sentences import Recorded

from ...moving import move_values

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

KINDS, N = 3, 2400


def long_table(n: int = N, seed: int = 0) -> tuple[pd.DataFrame, np.ndarray]:
    """Sequences of 6 to 10 frames with ids, of three levels and speeds, and their kinds."""
    rng = np.random.default_rng(seed)
    kinds, lengths = rng.integers(KINDS, size=n), rng.integers(6, 11, size=n)
    ids = np.repeat([f"s{i:05d}" for i in range(n)], lengths)
    time = np.concatenate([np.arange(length) for length in lengths])
    kind = np.repeat(kinds, lengths)
    x = 4.0 * kind + np.sin(time / (1.0 + kind)) + rng.normal(scale=0.3, size=len(time))
    return pd.DataFrame({"id": ids, "time": time, "x": x, "still": 1.0}), kinds


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table in row groups that cut sequences, with copies and some that are much longer than all others."""
    path, (table, _) = tmp_path_factory.mktemp("parts") / "many.parquet", long_table()
    copied = table["id"] == "s00007"
    table.loc[table["id"] == "s00009", "x"] = np.resize(table.loc[copied, "x"], (table["id"] == "s00009").sum())
    table.to_parquet(path, row_group_size=1000)
    return path


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_ALL_PAIRS", 1000)
    monkeypatch.setattr(limits, "MAX_FULLY_PLACED", 500)
    monkeypatch.setattr(limits, "SHORTENED_BY", 30)
    monkeypatch.setattr(limits, "ASSIGNED_AT_ONCE", 300)


def found_of(path: Path, monkeypatch: pytest.MonkeyPatch, least: int, rows: int = 2**20, **how: Any) -> Any:
    monkeypatch.setattr(streaming, "STREAMED_FROM", least)
    monkeypatch.setattr(streaming, "READ_AT_ONCE", rows)
    return kinseq.cluster(path, KINDS, sample=150, n_resamples=2, **how)


def test_labels_and_page_are_those_of_all_in_memory_whatever_the_parts_and_threads(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = found_of(file, monkeypatch, 10**9)
    assert isinstance(held.sequences, SequenceSet)
    truth = long_table()[1]
    assert ari(np.delete(truth, 9), np.delete(held.labels, 9)) == 1.0
    held.report(tmp_path / "held")
    for rows, jobs in ((2**20, 1), (997, 2)):
        found = found_of(file, monkeypatch, 1, rows, n_jobs=jobs)
        assert isinstance(found.sequences, SequenceParts)
        np.testing.assert_array_equal(found.sample_positions, held.sample_positions)
        np.testing.assert_array_equal(found.labels, held.labels)
        np.testing.assert_array_equal(found._unlike, held._unlike)
        assert (found.notes, found.choices) == (held.notes, held.choices)
        assert (found._comes_back, found._shortcut) == (held._comes_back, held._shortcut)
        found.report(tmp_path / "found")
        for name in ("partition.csv", "distance.csv", "index.html"):
            same = (tmp_path / "held" / name).read_text(encoding="utf-8")
            assert (tmp_path / "found" / name).read_text(encoding="utf-8") == same
    assert "still" in str(found.notes)
    assert found._shortcut is not None
    assert f"aligned with {found._shortcut.screen.compared} representatives" in same


def test_labels_of_many_do_not_follow_the_last_bits(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    move = move_values(monkeypatch)
    found = found_of(file, monkeypatch, 1)
    for seed in (1, 2):
        move(seed)
        again = found_of(file, monkeypatch, 1)
        np.testing.assert_array_equal(again.sample_positions, found.sample_positions)
        np.testing.assert_array_equal(again.labels, found.labels)
        assert (again.notes, again.choices, again.verdict) == (found.notes, found.choices, found.verdict)


def test_what_is_odd_about_many_is_told_of_those_that_are_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, _ = long_table(1200)
    table.loc[table.index % 50 == 0, "x"] = -9999.0
    table.to_parquet(tmp_path / "t.parquet", row_group_size=1000)
    odd = [note for note in found_of(tmp_path / "t.parquet", monkeypatch, 1).notes if "-9999" in note]
    assert len(odd) == 1
    assert odd[0].startswith(
        "of 150 sequences that were drawn: a value far from all others may stand for a missing one"
    )


def test_what_needs_frames_reads_them_and_saving_them_is_refused(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, recorded: Recorded
) -> None:
    found, held = (found_of(file, monkeypatch, least, measure="dtw") for least in (1, 10**9))
    assert found._shortcut is None
    np.testing.assert_allclose(found.membership_, held.membership_, rtol=1e-9)
    np.testing.assert_allclose(found.embedding_, held.embedding_, atol=1e-6)
    assert repr(found) == repr(held)
    assert "SequenceParts('many': 2400 sequences of 6 to 10 frames, 2 features)" in repr(found.sequences)
    new = [held.sequences[i] for i in range(20)]
    np.testing.assert_array_equal(found.predict(new), found.labels[:20])
    with recorded.raises(ParameterError):
        found.save(tmp_path / "found.kinseq")
    found.sample.save(tmp_path / "sample.kinseq")


def test_a_shortcut_is_kept_with_a_result(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = found_of(file, monkeypatch, 10**9)
    assert found._shortcut is not None
    found.save(tmp_path / "found.kinseq")
    again = kinseq.load(tmp_path / "found.kinseq")
    assert again._shortcut == found._shortcut
    np.testing.assert_array_equal(again.predict([found.sequences[i] for i in range(30)]), found.labels[:30])


def test_a_shortcut_has_to_agree_with_all_representatives(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no difference is allowed, all that differ are in doubt; and there is none where few do not pay."""
    found = found_of(file, monkeypatch, 10**9)
    sample, base, options = found.sample, found._base, found.sample.options
    monkeypatch.setattr(limits, "PLACED_OTHERWISE", 0.0)
    returned, shortcut = check_assignment_rule(sample, base, options, shorten=True)
    assert returned == found._comes_back
    assert shortcut is not None
    assert shortcut.agreement == 1.0
    assert shortcut.screen in SCREENS
    assert check_assignment_rule(sample, base, options)[1] is None
    monkeypatch.setattr(limits, "SHORTENED_TO", 0.1)
    assert check_assignment_rule(sample, base, options, shorten=True)[1] is None
    monkeypatch.setattr(limits, "SHORTENED_BY", 10_000)
    assert check_assignment_rule(sample, base, options, shorten=True)[1] is None


def parts_of(path: Path, rows: int = 50, **how: Any) -> SequenceParts | None:
    return streaming.open_in_parts(path, 1, Reading(**{"labels": None, **how}), rows=rows)


@pytest.fixture
def table() -> pd.DataFrame:
    return long_table(40)[0].drop(columns="still")


def test_sequences_are_those_of_the_whole_file(table: pd.DataFrame, tmp_path: Path) -> None:
    table["label"] = np.where(table["id"] < "s00020", "a", "b")
    table.to_parquet(tmp_path / "t.parquet", row_group_size=33)
    whole = kinseq.read(tmp_path / "t.parquet")
    for rows in (7, 50, 10_000):
        found = parts_of(tmp_path / "t.parquet", rows)
        assert found is not None
        parts = found.load()
        for name in ("values", "offsets", "ids", "labels"):
            np.testing.assert_array_equal(getattr(parts, name), getattr(whole, name))
        assert parts.provenance == whole.provenance
        assert parts.name == whole.name
        for some in ([1, 5, 39], [0], [39], [17, 18], range(12, 30)):
            few = found.subset(np.array(some)).load()
            np.testing.assert_array_equal(few.values, whole.subset(some).values)
            np.testing.assert_array_equal(few.offsets, whole.subset(some).offsets)


def test_of_a_part_no_other_rows_are_read_than_those_stored_with_it(
    table: pd.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, recorded: Recorded
) -> None:
    """Faults of other rows are not found."""
    monkeypatch.setattr(streaming, "HEAD_ROWS", 30)
    table["x"] = table["x"].where(table["id"] != "s00030", np.inf)
    table.to_parquet(tmp_path / "t.parquet", row_group_size=33)
    found = parts_of(tmp_path / "t.parquet")
    assert found is not None
    whole = found
    assert len(whole.subset(np.arange(20)).load()) == len(whole.subset(np.arange(36, 40)).load()) + 16
    with recorded.raises(DataError):
        whole.load()


def test_parts_of_a_large_file_are_placed_as_all_of_it(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, recorded: Recorded
) -> None:
    found = found_of(file, monkeypatch, 10**9, name="old")
    table, _ = long_table(500, seed=3)
    table.to_parquet(tmp_path / "new.parquet", row_group_size=700)
    placed = found.place(tmp_path / "new.parquet")
    # Rows of an id are scattered, so a file of moderate size is read as a whole.
    mixed = pd.concat([table[table["time"] < 4], table[table["time"] >= 4]])
    mixed.to_parquet(tmp_path / "mixed.parquet", row_group_size=700)

    def placed_in_parts(name: str) -> pd.DataFrame:
        parts = [found.place(tmp_path / name, part=(k, 3)) for k in (1, 2, 3)]
        assert {part.name for part in parts} == {placed.name}
        return pd.concat([part.to_frame() for part in parts])

    # As an ordinary file, as one that can be streamed, and as a large one.
    pd.testing.assert_frame_equal(placed_in_parts("new.parquet"), placed.to_frame())
    monkeypatch.setattr(preparation, "PLACED_READ_FROM", 1)
    with pytest.MonkeyPatch.context() as none_read_whole:
        none_read_whole.setattr(preparation, "read_files", None)
        pd.testing.assert_frame_equal(placed_in_parts("new.parquet"), placed.to_frame())
        pd.testing.assert_frame_equal(found.place(tmp_path / "new.parquet").to_frame(), placed.to_frame())
        monkeypatch.setattr(streaming, "STREAMED_FROM", 1)
        pd.testing.assert_frame_equal(placed_in_parts("new.parquet"), placed.to_frame())
        with recorded.raises(DataError):
            placed_in_parts("mixed.parquet")
    monkeypatch.setattr(streaming, "STREAMED_FROM", 10**9)
    placed = found.place(tmp_path / "mixed.parquet")
    pd.testing.assert_frame_equal(placed_in_parts("mixed.parquet"), placed.to_frame())


def test_gaps_are_filled_or_refused_as_of_a_whole_file(table: pd.DataFrame, tmp_path: Path, recorded: Recorded) -> None:
    table.loc[[3, 90], "x"] = np.nan
    table.to_parquet(tmp_path / "t.parquet")
    found = parts_of(tmp_path / "t.parquet", missing="interpolate")
    assert found is not None
    whole = kinseq.read(tmp_path / "t.parquet", missing="interpolate")
    np.testing.assert_array_equal(found.load().values, whole.values)
    with recorded.raises(DataError):
        parts_of(tmp_path / "t.parquet")


def test_rows_of_an_id_lie_together_in_the_order_of_their_time(
    table: pd.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, recorded: Recorded
) -> None:
    monkeypatch.setattr(streaming, "HEAD_ROWS", 30)
    path = tmp_path / "t.parquet"
    pd.concat([table, table.iloc[:1]]).to_parquet(path)
    with recorded.raises(DataError):
        parts_of(path)
    swapped = table.copy()
    swapped.loc[[100, 101], "time"] = swapped.loc[[101, 100], "time"].to_numpy()
    swapped["id"] = swapped["id"].where(~swapped.index.isin([100, 101]), swapped["id"][100])
    swapped = swapped.sort_values("id", kind="stable", ignore_index=True)
    swapped.to_parquet(path)
    with recorded.raises(DataError):
        parts_of(path)
    nameless = table.copy()
    nameless.loc[60, "id"] = None
    nameless.to_parquet(path)
    with recorded.raises(DataError):
        parts_of(path)
    table["label"] = "a"
    table.loc[70, "label"] = "b"
    table.to_parquet(path)
    with recorded.raises(DataError):
        parts_of(path)


def test_other_tables_are_read_as_a_whole(table: pd.DataFrame, tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    table.to_parquet(path)
    assert parts_of(path, missing_codes=("-1",)) is None
    table.to_csv(tmp_path / "t.csv", index=False)
    assert parts_of(tmp_path / "t.csv") is None
    assert streaming.open_in_parts(path, 10**6, USUAL) is None
    table.drop(columns="id").to_parquet(path)
    assert parts_of(path) is None
    table.assign(time=pd.to_datetime(table["time"], unit="s")).to_parquet(path)
    assert parts_of(path) is None
    path.write_bytes(b"no Parquet")
    assert parts_of(path) is None


def test_reading_in_parts_holds_some_rows_and_not_all(tmp_path: Path) -> None:
    n, frames = 400, 500
    ids = np.repeat([f"s{i:04d}" for i in range(n)], frames)
    pd.DataFrame({"id": ids, "x": np.random.default_rng(0).normal(size=n * frames)}).to_parquet(
        tmp_path / "t.parquet", row_group_size=20_000
    )
    found = parts_of(tmp_path / "t.parquet", rows=5000)
    assert found is not None
    tracemalloc.start()
    total = sum(float(part.values.sum()) for part in found.blocks())
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert np.isfinite(total)
    # All values are 1.6 MB; a block is 40 kB, in a few copies.
    assert peak < 0.5 * 8 * n * frames
