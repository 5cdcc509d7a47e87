"""Columns with one value within every sequence are no channels, through whichever door the rows come."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import kinseq
from kinseq.core.constant_columns import find_constant, steady_columns
from kinseq.core.errors import DataError, ParameterError
from tests.sentences import Recorded

N = 10
VALUES: dict[str, Callable[[int], Any]] = {
    "text": lambda i: "ab"[i % 2],
    "truth": lambda i: i % 2 == 0,
    "integers": lambda i: i % 2,
    "whole floats": lambda i: float(3 * (i % 2)),
    "numbers of recordings": lambda i: i,
    "days": lambda i: pd.Timestamp("2024-05-01") + pd.Timedelta(days=i % 3),
    "days in a calendar": lambda i: datetime.date(2024, 5, 1 + i % 3),
    "periods": lambda i: pd.Period("2024-05", "M") + i % 3,
}


def parts_of(value: Callable[[int], Any], name: str = "kind") -> list[pd.DataFrame]:
    random = np.random.default_rng(1)
    return [
        pd.DataFrame({"a": random.normal(size=20), "b": random.normal(size=20), name: [value(i)] * 20})
        for i in range(N)
    ]


def long(parts: list[pd.DataFrame]) -> pd.DataFrame:
    return pd.concat([part.assign(id=f"s{i}") for i, part in enumerate(parts)], ignore_index=True)


def doors(parts: list[pd.DataFrame], folder: Path) -> dict[str, Any]:
    files = folder / "files"
    files.mkdir()
    for i, part in enumerate(parts):
        part.to_csv(files / f"s{i}.csv", index=False)
    whole = long(parts)
    whole.to_csv(folder / "long.csv", index=False)
    found = {"frame": whole, "list": parts, "long table": folder / "long.csv", "folder": files}
    if any(isinstance(part.iloc[0, -1], (datetime.date, pd.Period)) for part in parts):
        # In a file of one recording, dates are its times.
        del found["folder"]
    return found


def columns(result: Any) -> list[str]:
    return list(result.original.provenance["columns"])


@pytest.mark.parametrize("kind", VALUES)
def test_all_doors_leave_out_attributes_of_sequences_and_say_so_first(kind: str, tmp_path: Path) -> None:
    parts = parts_of(VALUES[kind])
    plain = kinseq.cluster([part[["a", "b"]] for part in parts], 2, "mean_vector").labels
    number = len({VALUES[kind](i) for i in range(N)})
    for door, data in doors(parts, tmp_path).items():
        result = kinseq.cluster(data, 2, "mean_vector")
        assert columns(result) == ["a", "b"], door
        assert f"'kind' ({number} values)" in result.notes[0], door
        assert "labels='kind'" in result.notes[0], door
        assert "value_columns" in result.notes[0], door
        np.testing.assert_array_equal(result.labels, plain, err_msg=door)
        if door in ("frame", "list"):
            found = kinseq.SequenceClustering(2, "mean_vector").fit(data)
            np.testing.assert_array_equal(found.labels_, plain)
            assert found.notes_[0] == result.notes[0]


def test_labels_and_columns_to_drop_are_named_alike_at_all_doors(tmp_path: Path) -> None:
    parts = [part.assign(batch=np.arange(20.0) % 7) for part in parts_of(VALUES["text"])]
    for door, data in doors(parts, tmp_path).items():
        result = kinseq.cluster(data, 2, "mean_vector", labels="kind", drop_columns=["batch"])
        assert columns(result) == ["a", "b"], door
        assert result.original.labels.tolist() == [VALUES["text"](i) for i in range(N)], door
        assert not any("kind" in note for note in result.notes), door
        # New sequences are read without it, whether they have it or not.
        new = parts[:1] if door in ("frame", "list") else data
        expected = result.labels[:1] if door in ("frame", "list") else result.labels
        np.testing.assert_array_equal(result.predict(new), expected)
        np.testing.assert_array_equal(result.predict([parts[0][["a", "b"]]]), result.labels[:1])


def test_a_day_of_each_recording_is_not_the_time_of_its_rows(tmp_path: Path) -> None:
    parts = parts_of(VALUES["days"])
    timed = [part.assign(moment=part["kind"] + pd.to_timedelta(np.arange(20)[::-1], unit="s")) for part in parts]
    clocks = [part.assign(clock=pd.to_timedelta(np.arange(20)[::-1], unit="s")) for part in parts]
    turned = [part[["a", "b"]].to_numpy()[::-1] for part in parts]
    for data in (long(timed), timed, long(clocks), clocks):
        result = kinseq.cluster(data, 2, "mean_vector")
        assert columns(result) == ["a", "b"]
        np.testing.assert_array_equal(result.original[0], turned[0])
    long(timed).to_csv(tmp_path / "long.csv", index=False)
    np.testing.assert_array_equal(kinseq.cluster(tmp_path / "long.csv", 2, "mean_vector").original[0], turned[0])


@pytest.mark.parametrize("entries", [["A"] * 20, ["2024-05-01"] * 20, [np.nan] * 20, [None] * 20, [pd.NaT] * 20])
def test_columns_of_one_word_or_without_entries_are_left_out_at_all_doors(entries: list[Any], tmp_path: Path) -> None:
    parts = [part.assign(kind=entries) for part in parts_of(VALUES["integers"])]
    plain = kinseq.cluster([part[["a", "b"]] for part in parts], 2, "mean_vector").labels
    for door, data in doors(parts, tmp_path).items():
        result = kinseq.cluster(data, 2, "mean_vector")
        assert columns(result) == ["a", "b"], door
        assert any("'kind'" in note for note in result.notes), door
        np.testing.assert_array_equal(result.labels, plain, err_msg=door)


def test_columns_recognised_in_capitals_are_named_as_they_are() -> None:
    table = long(parts_of(VALUES["integers"], "Label"))
    result = kinseq.cluster(table, 2, "mean_vector")
    assert "'Label'" in result.notes[0]
    assert "drop_columns='Label'" in result.notes[0]
    assert kinseq.cluster(table, 2, "mean_vector", drop_columns="Label").original.labels is None


@pytest.mark.parametrize("name", ["label", "group"])
def test_columns_of_labels_and_groups_are_known_by_their_names_at_all_doors(name: str, tmp_path: Path) -> None:
    for door, data in doors(parts_of(VALUES["integers"], name), tmp_path).items():
        result = kinseq.cluster(data, 2, "mean_vector")
        assert columns(result) == ["a", "b"], door
        assert getattr(result.original, f"{name}s").tolist() == [str(i % 2) for i in range(N)], door
        assert f"using column '{name}'" in result.notes[0], door


def test_columns_that_are_named_as_features_stay(tmp_path: Path) -> None:
    found = doors(parts_of(VALUES["integers"]), tmp_path)
    for door in ("frame", "long table", "folder"):
        result = kinseq.cluster(found[door], 2, "mean_vector", value_columns=["a", "kind"])
        assert columns(result) == ["a", "kind"], door


def test_other_numbers_and_channels_without_names_stay_with_a_note(tmp_path: Path, recorded: Recorded) -> None:
    for door, data in doors(parts_of(lambda i: i + 0.5), tmp_path).items():
        result = kinseq.cluster(data, 2, "mean_vector")
        assert columns(result) == ["a", "b", "kind"], door
        recorded.within("\n".join(result.notes))
    arrays = [part.to_numpy(dtype=float) for part in parts_of(VALUES["integers"])]
    result = kinseq.cluster(arrays, 2, "mean_vector")
    assert result.original.n_features == 3
    recorded.within("\n".join(result.notes))


def test_what_is_the_same_throughout_or_nowhere_varies_is_no_attribute() -> None:
    random = np.random.default_rng(0)
    parts = [np.column_stack([random.normal(size=9), np.full(9, 4.0)]) for _ in range(5)]
    assert find_constant(["a", "b"], parts) == {}
    assert steady_columns(parts) == []
    parts = [np.full((9, 2), float(i)) for i in range(5)]
    assert find_constant(["a", "b"], parts) == {}
    assert steady_columns(parts) == []
    # A name may say that a column numbers the recordings, if there are only constants next to it.
    assert find_constant(["a", "subject"], parts) == {1: 5}
    parts = [np.column_stack([random.normal(size=9), np.full(9, float(i))]) for i in range(5)]
    assert find_constant(["a", "b"], parts) == {1: 5}
    assert find_constant(["0", "1"], parts, named=False) == {}
    # Single frames say nothing.
    singles = [parts[0], *(part[:1] for part in parts[1:])]
    assert find_constant(["a", "b"], singles) == {}
    parts[2][4, 1] = np.nan
    assert find_constant(["a", "b"], parts) == {1: 5}
    parts[2][5, 1] = 7.0
    assert find_constant(["a", "b"], parts) == {}


def test_labels_that_differ_within_a_sequence_or_are_not_there_are_refused(recorded: Recorded) -> None:
    parts = parts_of(VALUES["integers"], "label")
    parts[3].loc[5, "label"] = 9
    with recorded.raises(DataError):
        kinseq.cluster(long(parts))
    with pytest.raises(DataError, match=r"labels: .*'kind'"):
        kinseq.cluster(long(parts), labels="kind")
    with recorded.raises(ParameterError):
        kinseq.cluster([np.ones((3, 2)), np.zeros((3, 2))], labels="kind")


def test_groups_of_a_table_are_sequences_and_what_is_not_computed_yet_is_refused(recorded: Recorded) -> None:
    whole = long([part[["a", "b"]] for part in parts_of(VALUES["text"])])
    expected = kinseq.cluster(whole, 2, "mean_vector")
    for grouped in (whole.groupby("id", sort=False), whole.groupby(["id"], sort=False)):
        found = kinseq.cluster(grouped, 2, "mean_vector")
        assert found.original.ids.tolist() == expected.original.ids.tolist()
        np.testing.assert_array_equal(found.labels, expected.labels)

    class LazyFrame:
        def collect(self) -> None: ...

        def collect_schema(self) -> None: ...

    with recorded.raises(DataError):
        kinseq.cluster(LazyFrame())


def test_names_in_capitals_are_known_with_a_note(recorded: Recorded) -> None:
    whole = long([part[["a", "b"]] for part in parts_of(VALUES["text"])])
    whole["Time"] = np.tile(np.arange(20.0)[::-1], N)
    found = kinseq.cluster(whole.rename(columns={"id": "ID"}), 2, "mean_vector")
    expected = kinseq.cluster(whole.rename(columns={"Time": "time"}), 2, "mean_vector")
    assert columns(found) == ["a", "b"]
    np.testing.assert_array_equal(found.original.values, expected.original.values)
    recorded.within("\n".join(found.notes))
    recorded.within("\n".join(found.notes))
    assert not any("using column" in note for note in expected.notes)


def test_a_wrong_parameter_lists_those_of_the_measure_alone(recorded: Recorded) -> None:
    arrays = [part[["a", "b"]].to_numpy() for part in parts_of(VALUES["text"])]
    with recorded.raises(ParameterError) as raised:
        kinseq.cluster(arrays, 2, "msm", params={"cots": 2.0})
    assert "labels" not in str(raised.value)
    assert "time_column" not in str(raised.value)
