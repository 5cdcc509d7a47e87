"""First steps of users of scikit-learn, pandas and other libraries of time series."""

import io

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

import kinseq
from kinseq.core.errors import DataError, ParameterError


def rows(n=12, t=20):
    return np.random.default_rng(0).normal(size=(n, t)) + 4.0 * (np.arange(n) % 2)[:, None]


def test_a_wide_table_that_is_refused_says_how_it_is_read():
    wide = pd.DataFrame(rows())
    with pytest.raises(DataError, match=r"\.to_numpy\(\)\[:, :, None\]"):
        kinseq.cluster(wide, 2)
    labels = kinseq.cluster(wide.to_numpy()[:, :, None], 2).labels
    np.testing.assert_array_equal(labels % 2, (np.arange(12) + labels[0]) % 2)
    # Texts are no moments.
    with pytest.raises(DataError) as caught:
        kinseq.cluster(wide.assign(kind="a"), 2)
    assert "to_numpy" not in str(caught.value)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (io.StringIO("id,a\n1,2\n"), "is an open file .*give its path"),
        (scipy.sparse.eye(4, format="csr"), r"make it dense with \.toarray\(\)"),
    ],
)
def test_what_is_no_list_of_sequences_says_what_to_give(data, words):
    with pytest.raises(DataError, match=words):
        kinseq.cluster(data, 2)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"metric": "dtw"}, "here it is called 'measure'"),
        ({"measure": "dtw", "params": {"window": 0.1}}, "give each parameter by its own name"),
        ({"measure": "DTW"}, r"did you mean 'dtw'\?"),
        ({"measure": "dtw", "Window": 0.1}, r"did you mean 'window'\?"),
    ],
)
def test_names_of_other_libraries_are_answered_with_those_of_here(options, words):
    with pytest.raises(ParameterError, match=words):
        kinseq.dissimilarity(list(rows()[:, :, None]), **options)
