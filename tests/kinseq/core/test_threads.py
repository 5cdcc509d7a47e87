"""State that all threads of a process share is restored: threads of libraries, filters of warnings, kept results."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import count, islice
from threading import Event, Thread

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from threadpoolctl import threadpool_info

from kinseq import sic
from kinseq.clustering.mixture import mixture_of_means
from kinseq.core.content_cache import ContentCache
from kinseq.core.graphs.kmeans import kmeans
from kinseq.core.jobs import ahead
from kinseq.core.sequences import SequenceSet
from kinseq.core.system import one_thread
from kinseq.divergences import classifier_divergence

POINTS = np.random.default_rng(0).normal(size=(60, 2))
SETS = SequenceSet(POINTS, np.arange(61))


@pytest.fixture(autouse=True)
def many_turns() -> Iterator[None]:
    """Threads take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def used() -> set[int]:
    return {library["num_threads"] for library in threadpool_info()}


def test_only_one_caller_at_a_time_sets_the_number_of_threads_of_all() -> None:
    entered, seen = Event(), []

    def second() -> None:
        with one_thread():
            entered.set()
            seen.append(used())

    before = used()
    with one_thread():
        with one_thread():  # the same caller again
            pass
        assert used() == {1}
        other = Thread(target=second)
        other.start()
        # It would take one thread for the earlier state, and leave that to all.
        assert not entered.wait(0.05)
    other.join()
    assert seen == [{1}]
    assert used() == before


def test_callers_side_by_side_get_the_same_and_leave_filters_of_warnings_as_they_were() -> None:
    filters = list(warnings.filters)
    calls = [
        lambda: kmeans(POINTS, 3, 0, 2)[1],
        lambda: tuple(mixture_of_means(SETS, 2, 1).tolist()),
        lambda: classifier_divergence(POINTS, POINTS + 1.0, LogisticRegression(), quiet=True, n_priors=4),
    ]
    expected = [call() for call in calls]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda call: call(), 4 * calls)) == 4 * expected
    assert list(warnings.filters) == filters


def test_iterations_side_by_side_leave_the_filters_of_warnings_as_they_were() -> None:
    filters = list(warnings.filters)
    for seed in range(3):
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            sic.similarity(
                POINTS, "forest", n_iterations=20, labels=52, train=0.9, min_per_label=1, random_state=seed, n_jobs=4
            )
        # No warning for many labels, whichever thread was first.
        assert not [entry for entry in said if "unique classes" in str(entry.message)]
    assert list(warnings.filters) == filters


def test_results_are_kept_by_callers_side_by_side() -> None:
    recent: ContentCache[int] = ContentCache(2)
    arrays = [np.array([float(k)]) for k in range(4)]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda k: recent.get([arrays[k % 4]], lambda: k % 4), range(4000)))
    assert found == [k % 4 for k in range(4000)]


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_results_are_computed_ahead_in_order_and_no_further_than_there_are_threads(threads: int) -> None:
    begun: list[int] = []

    def square(k: int) -> int:
        begun.append(k)
        return k * k

    with closing(ahead(square, count(), threads)) as results:
        assert list(islice(results, 20)) == [k * k for k in range(20)]
    assert sorted(begun) == list(range(len(begun)))
    assert 20 <= len(begun) <= 20 + (threads if threads > 1 else 0)
    assert list(ahead(square, range(3), threads)) == [0, 1, 4]


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_none_is_begun_behind_a_pause_before_it_is_asked_for(threads: int) -> None:
    begun: list[int] = []
    with closing(ahead(begun.append, count(), threads, (5, 6))) as results:
        for asked_for in (5, 6):
            list(islice(results, asked_for - len(begun)))
            assert sorted(begun) == list(range(asked_for))
        list(islice(results, 1))
        assert len(begun) > 6


@pytest.mark.parametrize("threads", [1, 2])
def test_an_error_comes_where_its_result_would(threads: int) -> None:
    results = ahead(lambda k: 1 // (3 - k), count(), threads)
    assert [next(results) for _ in range(3)] == [0, 0, 1]
    with pytest.raises(ZeroDivisionError):
        next(results)
