"""The forms in which several sequences are held: all of them mean the same sequences."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import kinseq
from kinseq.core.errors import DataError
from kinseq.core.inputs import Columns, as_collection
from kinseq.core.sequences import SequenceSet
from tests.sentences import Recorded

rng = np.random.default_rng(0)
SERIES = [rng.normal(3 * (i % 2), 1, size=(length, 2)) for i, length in enumerate((9, 12, 10, 11))]


def padded(arrays: list[np.ndarray], total: int) -> np.ndarray:
    stack = np.full((len(arrays), total, arrays[0].shape[1]), np.nan)
    for i, frames in enumerate(arrays):
        stack[i, : len(frames)] = frames
    return stack


def long_table(arrays: list[np.ndarray], ids: list[Any]) -> pd.DataFrame:
    parts = [
        pd.DataFrame(frames, columns=["x", "y"]).assign(id=name, time=np.arange(len(frames)))
        for frames, name in zip(arrays, ids, strict=True)
    ]
    return pd.concat(parts, ignore_index=True)


FORMS: dict[str, tuple[Any, dict[str, Any]]] = {
    "list": (SERIES, {}),
    "set": (SequenceSet.from_arrays(SERIES), {}),
    "channels first": ([frames.T for frames in SERIES], {"layout": "channels_first"}),
    "padded": (padded(SERIES, 12), {}),
    "padded further": (padded(SERIES, 20), {}),
    "padded, channels first": (np.swapaxes(padded(SERIES, 12), 1, 2), {"layout": "channels_first"}),
    "long table": (long_table(SERIES, ["b", "a", "d", "c"]), {}),
    "long table, shuffled": (
        long_table(SERIES, [7, 3, 9, 1]).sort_values(
            ["time", "id"], key=lambda c: (c * 7) % 5 if c.name == "time" else c
        ),
        {},
    ),
}


def same_sets(found: SequenceSet, expected: list[np.ndarray]) -> bool:
    order = np.argsort([frames.tobytes() for frames in expected])
    other = np.argsort([found[i].tobytes() for i in range(len(found))])
    return len(found) == len(expected) and all(
        np.array_equal(found[int(i)], expected[int(j)]) for i, j in zip(other, order, strict=True)
    )


@pytest.mark.parametrize("form", FORMS)
def test_all_forms_are_the_same_sequences(form: str) -> None:
    given, settings = FORMS[form]
    found = as_collection(given, **settings)[0]
    assert same_sets(found, SERIES)
    if "shuffled" not in form:
        for frames, expected in zip(found, SERIES, strict=True):
            np.testing.assert_array_equal(frames, expected)


@pytest.mark.parametrize("form", ["list", "padded", "channels first", "long table"])
def test_all_doors_take_them(form: str) -> None:
    given, settings = FORMS[form]
    distance = kinseq.measures.compute("dtw", SERIES)
    np.testing.assert_array_equal(kinseq.measures.compute("dtw", given, **settings), distance)
    found = kinseq.cluster(given, 2, "dtw", scale="none", n_resamples=2, **settings)
    np.testing.assert_array_equal(found.distance, distance)
    np.testing.assert_array_equal(found.predict(given), found.labels)
    model = kinseq.SequenceClustering(2, "dtw", scale="none", **settings).fit(given)
    np.testing.assert_array_equal(model.distance_, distance)
    np.testing.assert_array_equal(model.predict(given), model.labels_)


def test_rows_and_series_are_univariate() -> None:
    rows = rng.normal(size=(5, 8))
    for given in (rows, list(rows), rows.tolist(), pd.DataFrame(rows).to_numpy()):
        found = as_collection(given)[0]
        assert (len(found), found.n_features) == (5, 1)
        np.testing.assert_array_equal(found.values.reshape(5, 8), rows)


def test_how_the_axes_were_read_is_told(recorded: Recorded) -> None:
    assert "padding" in as_collection(FORMS["padded"][0])[1]
    assert "padding" not in as_collection(padded(SERIES, 12)[1:2])[1]
    assert "'channels_first' given" in as_collection(*FORMS["channels first"][:1], layout="channels_first")[1]
    recorded(as_collection(FORMS["long table"][0])[1])
    choices = {what: value for what, value, _ in kinseq.cluster(padded(SERIES, 12), 2, "dtw").choices}
    recorded(choices["layout of the arrays"])


def test_columns_of_a_long_table_by_name() -> None:
    table = long_table(SERIES, ["b", "a", "d", "c"]).rename(columns={"id": "who", "time": "t"}).assign(note="n")
    named = Columns(id="who", time="t", values=["y", "x"])
    found = as_collection(table.sample(frac=1.0, random_state=1), columns=named)[0]
    by_id = {str(name): frames for name, frames in zip(found.ids, found, strict=True)}
    np.testing.assert_array_equal(by_id["d"], SERIES[2][:, ::-1])
    words: dict[str, Any] = {"id_column": "who", "time_column": "t", "value_columns": ["x", "y"]}
    result = kinseq.cluster(table, 2, "dtw", **words)
    assert result.sequences.ids.tolist() == ["b", "a", "d", "c"]
    np.testing.assert_array_equal(result.predict(table), result.labels)
    model = kinseq.SequenceClustering(2, "dtw", **words).fit(table)
    np.testing.assert_array_equal(model.labels_, result.labels)


def test_times_may_be_dates_and_nanoseconds() -> None:
    table = long_table(SERIES, ["b", "a", "d", "c"])
    turned = table.iloc[::-1]
    for time in (
        pd.Timestamp("2024-05-31") + pd.to_timedelta(turned["time"], unit="ms"),
        1_700_000_000 * 10**9 + turned["time"],
    ):
        found = as_collection(turned.assign(time=time))[0]
        for name, expected in zip("badc", SERIES, strict=True):
            np.testing.assert_array_equal(found[found.ids.tolist().index(name)], expected)
    kept = as_collection(turned.drop(columns="time"))[0]
    np.testing.assert_array_equal(kept[0], SERIES[3][::-1])


class Streamed:
    """A table that has nothing but Arrow's stream interface, as those of many libraries."""

    def __init__(self, table: pd.DataFrame) -> None:
        import pyarrow

        self.table = pyarrow.Table.from_pandas(table, preserve_index=False)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.table.__arrow_c_stream__(requested_schema)


def test_keys_of_a_dict_are_ids() -> None:
    frames = {"b": np.arange(6.0).reshape(3, 2), "a": np.ones((4, 2))}
    found, how = as_collection(frames)
    assert found.ids.tolist() == ["b", "a"]
    assert found.lengths.tolist() == [3, 4]
    assert "keys" in how
    series, _ = as_collection({1: [1.0, 2.0], 2: [3.0, 4.0, 5.0]})
    assert series.ids.tolist() == ["1", "2"]
    tables, _ = as_collection({key: pd.DataFrame(value, columns=["x", "y"]) for key, value in frames.items()})
    np.testing.assert_array_equal(tables.values, found.values)


@pytest.mark.parametrize(
    "frames",
    [
        {"a": np.ones((3, 2)), "b": np.ones(4)},
        {"a": np.ones((3, 2)), "b": np.array([[1.0, np.nan]])},
        {1: np.ones((3, 2)), "1": np.ones((4, 2))},
        {},
    ],
)
def test_what_is_wrong_in_a_dict_is_named(frames: dict[Any, Any], recorded: Recorded) -> None:
    with recorded.raises(DataError):
        as_collection(frames)


def test_tables_are_taken_by_the_stream_interface_of_arrow() -> None:
    table = pd.DataFrame({"id": ["a", "a", "b", "b", "b"], "time": [1, 0, 0, 1, 2], "x": [1.0, 2.0, 3.0, 4.0, 5.0]})
    found, how = as_collection(Streamed(table))
    wanted, said = as_collection(table)
    np.testing.assert_array_equal(found.values, wanted.values)
    assert how == said
    wide, _ = as_collection([Streamed(table[["x"]]), Streamed(table[["x"]][:2])])
    assert wide.lengths.tolist() == [5, 2]


def test_one_array_of_two_axes_is_refused_with_what_it_may_mean(recorded: Recorded) -> None:
    with recorded.raises(DataError):
        kinseq.cluster(np.ones((65, 3)))


GAPS = np.array([[np.nan, 1.0], [2.0, np.nan], [np.nan, np.nan], [6.0, 7.0]])
WITHOUT = np.array([[2.0, 1.0], [2.0, 3.0], [4.0, 5.0], [6.0, 7.0]])


def gaps(form: str) -> tuple[Any, dict[str, Any]]:
    table = pd.DataFrame(GAPS, columns=["x", "y"])
    full = np.arange(8.0).reshape(4, 2)
    return {
        "list": ([GAPS, full], {}),
        "dict": ({"a": GAPS, "b": full}, {}),
        "tables": ([table, pd.DataFrame(full, columns=["x", "y"])], {}),
        "channels first": ([GAPS.T, full.T], {"layout": "channels_first"}),
        "stacked": (np.stack([GAPS, full]), {}),
        "padded": (np.concatenate([np.stack([GAPS, full]), np.full((2, 3, 2), np.nan)], axis=1), {}),
        "long": (pd.concat([table.assign(id="a"), pd.DataFrame(full, columns=["x", "y"]).assign(id="b")]), {}),
    }[form]


@pytest.mark.parametrize("form", ["list", "dict", "tables", "channels first", "stacked", "padded", "long"])
def test_gaps_are_filled_by_lines_where_that_is_asked_for(form: str) -> None:
    data, words = gaps(form)
    found, how = as_collection(data, missing="interpolate", **words)
    np.testing.assert_allclose(found[0], WITHOUT)
    np.testing.assert_array_equal(found[1], np.arange(8.0).reshape(4, 2))
    assert "4 missing numbers interpolated" in how
    with pytest.raises(DataError, match="NaN"):
        as_collection(data, **words)


def test_gaps_of_a_long_table_are_filled_along_its_time() -> None:
    table = pd.DataFrame({"id": "a", "time": [3.0, 0.0, 1.0], "x": [6.0, 0.0, np.nan]})
    table = pd.concat([table, table.assign(id="b", x=1.0)])
    found, _ = as_collection(table, missing="interpolate")
    np.testing.assert_allclose(found[0][:, 0], [0.0, 2.0, 6.0])


def test_a_column_without_any_number_cannot_be_filled(recorded: Recorded) -> None:
    with recorded.raises(DataError):
        as_collection({"a": WITHOUT, "b": np.array([[1.0, np.nan], [2.0, np.nan]])}, missing="interpolate")


def test_both_doors_and_predictions_fill_gaps() -> None:
    random = np.random.default_rng(4)
    frames = [random.normal(5.0 * (i % 2), 1.0, (12, 2)) for i in range(8)]
    holed = [x.copy() for x in frames]
    holed[3][4:6, 1] = np.nan
    result = kinseq.cluster(holed, 2, "dtw", missing="interpolate")
    model = kinseq.SequenceClustering(2, "dtw", missing="interpolate").fit(holed)
    np.testing.assert_array_equal(result.distance, model.distance_)
    assert any("interpolated" in why for _, _, why in result.choices)
    np.testing.assert_array_equal(result.predict(holed), result.labels)


NULLABLE = ["Float64", "Float32", "Int64", "UInt8", "boolean", "int64[pyarrow]", "double[pyarrow]", "bool[pyarrow]"]


@pytest.mark.parametrize("form", ["list", "dictionary", "long table", "long table with a time"])
@pytest.mark.parametrize("dtype", NULLABLE)
def test_a_missing_entry_of_a_nullable_column_is_the_nan_of_others(dtype: str, form: str, recorded: Recorded) -> None:
    tables = [pd.DataFrame((frames > frames.mean(axis=0)).astype(float), columns=["x", "y"]) for frames in SERIES]
    whole = [table.copy() for table in tables]
    for table in tables:
        table.iloc[3, 0] = np.nan

    def held(kind: str) -> Any:
        # Booleans of pandas and pyarrow accept whole numbers with gaps only via integers.
        typed = [table.astype("Int64").astype(kind) if kind != "float64" else table for table in tables]
        if form == "list":
            return typed
        named = dict(zip("badc", typed, strict=True))
        if form == "dictionary":
            return named
        times = {"time": np.arange(12)} if form.endswith("time") else {}
        parts = [
            table.assign(id=name, **{word: moments[: len(table)] for word, moments in times.items()})
            for name, table in named.items()
        ]
        return pd.concat(parts, ignore_index=True)

    found, how = as_collection(held(dtype), missing="interpolate")
    expected = as_collection(held("float64"), missing="interpolate")[0]
    np.testing.assert_array_equal(found.values, expected.values)
    assert found[1][3, 0] == (whole[1].iloc[2, 0] + whole[1].iloc[4, 0]) / 2
    assert "4 missing numbers interpolated" in how
    with recorded.raises(DataError):
        as_collection(held(dtype))


def test_a_gap_in_a_table_of_whole_numbers_does_not_round_the_others() -> None:
    beyond = pd.DataFrame({"x": pd.array([2**53 + 1, None, 3], dtype="Int64"), "y": [1.0, 2.0, 3.0]})
    with pytest.raises(DataError, match=r"beyond 2\*\*53"):
        as_collection([beyond, beyond], missing="interpolate")


def test_none_is_a_gap_among_numbers_only() -> None:
    found = as_collection([np.array([[1.0], [None], [3.0]]), [[1.0], [2.0]]], missing="interpolate")[0]
    assert found[0].ravel().tolist() == [1.0, 2.0, 3.0]
    with pytest.raises(DataError, match="holds None"):
        as_collection([[[None], [None]], [[1.0], [2.0]]])
