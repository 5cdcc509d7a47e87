"""Tables of libraries other than pandas, as far as their interface goes: polars need not be installed."""

from __future__ import annotations

import numpy as np
import pandas as pd

from kinseq.core import arrays
from kinseq.core.inputs import as_collection


class Table:
    """Has what is used of a table of polars."""

    def __init__(self, columns):
        self._columns = columns
        self.columns = list(columns)

    def to_dict(self, as_series):
        assert not as_series
        return self._columns

    def to_pandas(self):
        raise ModuleNotFoundError("pyarrow")

    def group_by(self, *by, maintain_order):
        assert maintain_order
        return Grouped(self, by)


class Grouped:
    """A group-by of polars."""

    map_groups = None

    def __init__(self, df, by):
        self.df, self.by = df, by

    def __iter__(self):
        frame = pd.DataFrame(self.df.to_dict(as_series=False))
        for key, group in frame.groupby(self.by[0], sort=False):
            yield (key,), Table(group.to_dict(orient="list"))


def content():
    random = np.random.default_rng(0)
    return {"id": [2] * 5 + [1] * 7, "x": random.normal(size=12).tolist(), "y": random.normal(size=12).tolist()}


def test_a_table_is_read_without_pyarrow(monkeypatch):
    monkeypatch.setattr(arrays, "find_spec", lambda name: None)
    expected, _ = as_collection(pd.DataFrame(content()))
    found, _ = as_collection(Table(content()))
    assert list(found.ids) == list(expected.ids)
    np.testing.assert_array_equal(found.values, expected.values)


def test_a_group_by_is_taken_as_sequences(monkeypatch):
    monkeypatch.setattr(arrays, "find_spec", lambda name: None)
    found, _ = as_collection(Grouped(Table(content()), ("id",)))
    assert list(found.ids) == ["2", "1"]
    assert found.lengths.tolist() == [5, 7]
    np.testing.assert_array_equal(found.values, np.column_stack([content()["x"], content()["y"]]))
