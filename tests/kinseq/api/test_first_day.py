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
