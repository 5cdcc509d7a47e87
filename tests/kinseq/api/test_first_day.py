"""First steps of users of scikit-learn, pandas and other libraries of time series."""

import io

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

import kinseq
from kinseq.core.errors import DataError, ParameterError
from tests.sentences import Recorded


def rows(n=12, t=20):
    return np.random.default_rng(0).normal(size=(n, t)) + 4.0 * (np.arange(n) % 2)[:, None]


def test_a_wide_table_that_is_refused_says_how_it_is_read(recorded: Recorded):
    wide = pd.DataFrame(rows())
    with recorded.raises(DataError):
        kinseq.cluster(wide, 2)
    labels = kinseq.cluster(wide.to_numpy()[:, :, None], 2).labels
    np.testing.assert_array_equal(labels % 2, (np.arange(12) + labels[0]) % 2)
    # Texts are no moments.
    with pytest.raises(DataError) as caught:
        kinseq.cluster(wide.assign(kind="a"), 2)
    assert "to_numpy" not in str(caught.value)


@pytest.mark.parametrize(
    "data",
    [
        io.StringIO("id,a\n1,2\n"),
        scipy.sparse.eye(4, format="csr"),
    ],
)
def test_what_is_no_list_of_sequences_says_what_to_give(data, recorded: Recorded):
    with recorded.raises(DataError):
        kinseq.cluster(data, 2)


@pytest.mark.parametrize(
    "options",
    [
        {"metric": "dtw"},
        {"measure": "dtw", "params": {"window": 0.1}},
        {"measure": "DTW"},
        {"measure": "dtw", "Window": 0.1},
    ],
)
def test_names_of_other_libraries_are_answered_with_those_of_here(options, recorded: Recorded):
    with recorded.raises(ParameterError):
        kinseq.dissimilarity(list(rows()[:, :, None]), **options)


class Stream:
    """An Arrow stream, which can be read once."""

    def __init__(self, table: pd.DataFrame) -> None:
        self.table = table

    def __arrow_c_stream__(self, requested_schema=None):
        table, self.table = self.table, self.table.iloc[:0]
        return table.__arrow_c_stream__(requested_schema)


def long_table():
    table = pd.DataFrame({"id": np.repeat(np.arange(12), 20), "a": rows().ravel()})
    return table


@pytest.mark.skipif(not hasattr(pd.DataFrame, "from_arrow"), reason="needs pandas 3")
def test_a_stream_of_arrow_is_read_once():
    pytest.importorskip("pyarrow")
    expected = kinseq.cluster(long_table(), 2, "mean_vector").labels
    np.testing.assert_array_equal(kinseq.cluster(Stream(long_table()), 2, "mean_vector").labels, expected)
    found = kinseq.SequenceClustering(2, "mean_vector").fit(Stream(long_table()))
    np.testing.assert_array_equal(found.labels_, expected)
    assert found.feature_names_in_.tolist() == ["a"]


@pytest.mark.parametrize(
    "call", [lambda data: kinseq.cluster(data), lambda data: kinseq.SequenceClustering(2).fit(data)]
)
@pytest.mark.parametrize("data", ["groups", "list", "dict"])
def test_lazy_tables_in_any_form_say_how_rows_are_had(call, data, recorded: Recorded):
    class LazyFrame:
        columns = ("a",)

        def collect(self): ...
        def collect_schema(self): ...

    class LazyGroupBy:
        def map_groups(self): ...

    given = {"groups": LazyGroupBy(), "list": [LazyFrame()] * 3, "dict": {"u": LazyFrame(), "v": LazyFrame()}}
    with recorded.raises(DataError):
        call(given[data])


def test_a_list_of_frames_of_one_sequence_is_read_with_a_warning():
    one = np.random.default_rng(0).normal(size=(30, 2))
    with pytest.warns(UserWarning, match="30 series"):
        kinseq.SequenceClustering(2, "mean_vector").fit(one.tolist())
