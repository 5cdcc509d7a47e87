"""A number of clusters that is chosen from a range."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest

import kinseq
from kinseq import SequenceClustering
from kinseq.analysis.options import as_number
from kinseq.clustering import spectral
from kinseq.metrics.internal import representative
from kinseq.report.advice import python
from kinseq.report.data import partitions
from kinseq.report.sections import choices
from kinseq.report.writing import content_of
from tests.sentences import Recorded


def levels(kinds: int = 3, each: int = 4) -> list[np.ndarray]:
    """Noise at some levels."""
    random = np.random.default_rng(0)
    return [random.normal(8.0 * (i % kinds), 1.0, (12 + i % 3, 1)) for i in range(kinds * each)]


def matrix(sequences: list[np.ndarray]) -> np.ndarray:
    means = np.array([x.mean() for x in sequences])
    return np.abs(means[:, None] - means)


def the_representative(found: Any, numbers: Iterable[int]) -> int:
    """The same from the matrix and its cuts."""
    distance = found.ordering.sort_matrix(found.distance)
    return representative(distance, {int(k): spectral(distance, int(k), width="local") for k in numbers}).best


@pytest.mark.parametrize(
    "given, one, several",
    [
        (None, None, None),
        (3, 3, None),
        (np.int64(3), 3, None),
        ((3, 6), None, (3, 6)),
        ([2, np.int64(4)], None, (2, 4)),
        ("3-6", None, (3, 6)),
        ("12-120", None, (12, 120)),
        ("4-4", 4, None),
        ((2, 2), 2, None),
    ],
)
def test_a_number_or_a_range_in_any_form(given: Any, one: Any, several: Any) -> None:
    assert as_number(given) == (one, several)


@pytest.mark.parametrize("measure", ["dtw", "precomputed"])
def test_the_number_is_the_best_of_the_range(measure: str) -> None:
    data: Any = levels() if measure == "dtw" else matrix(levels())
    free = kinseq.cluster(data, None, measure)
    assert free.n_clusters == 3
    assert free.options.n_range is None
    assert free.decision.by is not None
    for low, high in ((4, 6), (2, 12)):
        found = kinseq.cluster(data, (low, high), measure)
        assert found.numbers is not None
        tried = found.numbers.n_clusters
        assert tried.tolist() == list(range(low, min(high, 11) + 1))
        assert (found.options.n_clusters, found.options.n_range) == (None, (low, high))
        assert set(found.details.candidates) <= set(range(low, high + 1)) - {found.n_clusters}
        if low <= 3:
            # A clear number within the range is accepted.
            assert found.decision.by is not None
            np.testing.assert_array_equal(found.labels, free.labels)
        elif measure == "dtw":
            # Of equally good numbers, the one whose clusters best represent the others, the largest.
            assert the_representative(found, tried) in found.numbers.candidates
            assert found.n_clusters == found.numbers.best == max(found.numbers.candidates)
        else:
            assert found.n_clusters == tried[found.numbers.corrected.argmax()]
        # The evidence for a number does not depend on the other numbers tried.
        both = np.intersect1d(tried, free.numbers.n_clusters)
        np.testing.assert_allclose(
            found.numbers.silhouette[np.searchsorted(tried, both)], free.numbers.silhouette[both - 2], atol=1e-12
        )
    assert kinseq.cluster(data, "2-4", measure).n_clusters == 3
    assert kinseq.cluster(data, (4, 4), measure).choices[-1] == ("number of clusters", "4", "given")


def test_it_is_never_one_where_a_range_is_given() -> None:
    random = np.random.default_rng(4)
    noise = [random.normal(size=(30, 1)) for _ in range(20)]
    assert kinseq.cluster(noise, None, "dtw").n_clusters == 1
    found = kinseq.cluster(noise, (3, 5), "dtw")
    assert found.numbers is not None
    assert found.numbers.p_value > 0.05
    assert found.n_clusters == found.numbers.best == the_representative(found, (3, 4, 5))
    assert 1 not in found.numbers.candidates
    value, why = {what: (value, why) for what, value, why in found.choices}["number of clusters"]
    assert value == str(found.n_clusters)
    assert why.startswith("of 3 to 5, the one whose groups are most like those of the others that do well (p = ")


def test_two_sequences_and_equal_ones_have_a_range_too(recorded: Recorded) -> None:
    two = levels(2, 1)
    assert kinseq.cluster(two, (2, 2), "dtw").n_clusters == 2
    same = kinseq.cluster([two[0]] * 4, (2, 3), "dtw")
    assert same.n_clusters == 1
    recorded.within("\n".join(same.notes))


def test_every_door_repeats_the_range() -> None:
    found = kinseq.cluster(levels(), (2, 4), "dtw", n_resamples=2)
    assert (
        found.details.repeat()
        == "kinseq.cluster(sequences, n_clusters=(2, 4), measure='dtw', random_state=0, n_resamples=2)"
    )
    content = content_of(found)
    told = {str(row[0]): row[1:] for row in choices(content).rows}
    assert told["number of clusters"][0] == "3"
    assert "n_clusters=(2, 4)" in python(found)
    assert content.verdict.startswith("3 groups")
    # No number outside the range is named.
    assert {int(labels.max()) + 1 for _, labels in partitions(content)} <= {2, 3, 4}
    model = SequenceClustering(n_clusters=(2, 4), measure="dtw").fit(levels())
    np.testing.assert_array_equal(model.labels_, found.labels)
    assert model.get_params()["n_clusters"] == (2, 4)
    some = kinseq.cluster(levels(), (2, 4), "dtw", sample=10)
    assert some.n_clusters == 3
    assert some.sample.options.n_range == (2, 4)
