"""Jobs give the same numbers wherever joblib runs them, and the same ones by a generator's root."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import joblib
import numpy as np
import pytest

import kinseq
from kinseq import hmm, measures, sic
from kinseq.clustering import information_theoretic
from kinseq.core.content_cache import forget
from kinseq.core.jobs import each
from kinseq.core.random_state import check_seed

RANDOM = np.random.default_rng(0)
WAVES = [RANDOM.normal(size=(20 + i, 2)).cumsum(axis=0) for i in range(18)]


def computed(n_jobs: int | None) -> dict[str, Any]:
    """One result of everything that hands its work to joblib."""
    forget()
    by_model = {"n_states": 2, "max_iter": 5}
    models = hmm.fit_each(WAVES, 2, n_iter=5, n_jobs=n_jobs)
    return {
        "alignments": measures.compute("dtw", WAVES, n_jobs=n_jobs),
        "alignments with a parameter": measures.compute("msm", WAVES, cost=0.5, n_jobs=n_jobs),
        "models": measures.compute("kl_ll", WAVES, n_jobs=n_jobs, **by_model),
        "new under old models": measures.compute("kl_ll", WAVES[:3], WAVES, n_jobs=n_jobs, **by_model),
        "scores": hmm.score_matrix(models, WAVES, n_jobs=n_jobs),
        "common model": measures.compute("ssd", WAVES, n_jobs=n_jobs, n_states=2),
        "fusion": measures.compute("fusion", WAVES, n_jobs=n_jobs),
        "classifiers": sic.similarity(WAVES, "forest", n_iterations=6, n_jobs=n_jobs).matrix,
        "runs": information_theoretic(np.concatenate(WAVES)[:60], 3, n_runs=3, n_voters=3, n_jobs=n_jobs).labels,
        "analysis": kinseq.cluster(WAVES, 2, measure="dtw", n_resamples=2, n_jobs=n_jobs).labels,
    }


@pytest.fixture(scope="module")
def expected() -> dict[str, Any]:
    return computed(1)


@contextmanager
def backend(name: str) -> Iterator[None]:
    if name != "dask":
        with joblib.parallel_config(backend=name, n_jobs=2):
            yield
        return
    distributed = pytest.importorskip("distributed", reason="two local workers of Dask need dask.distributed")
    cluster = distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
    with cluster, distributed.Client(cluster), joblib.parallel_config(backend="dask"):
        yield


@pytest.mark.parametrize("name", ["threading", "loky", "dask"])
def test_every_backend_gives_the_same_numbers(name: str, expected: dict[str, Any]) -> None:
    with backend(name):
        processes = set(each(process, range(8), 2))
        found = computed(None)
    assert (os.getpid() in processes) == (name == "threading")
    for what, numbers in expected.items():
        np.testing.assert_array_equal(found[what], numbers, err_msg=what)


def process(_: int) -> int:
    return os.getpid()


def test_threads_of_this_process_are_what_serves_where_nobody_says_another() -> None:
    assert set(each(process, range(8), 2)) == {os.getpid()}


def test_a_generator_is_asked_for_the_root() -> None:
    root = check_seed(np.random.default_rng(3))
    generator = np.random.default_rng(3)
    first = measures.compute("kl_ll", WAVES[:5], random_state=generator, n_states=2)
    second = measures.compute("kl_ll", WAVES[:5], random_state=generator, n_states=2)
    np.testing.assert_array_equal(first, measures.compute("kl_ll", WAVES[:5], random_state=root, n_states=2))
    assert not np.array_equal(first, second)
