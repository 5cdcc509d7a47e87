"""Arguments have one name for one thing, and take their old one for a release."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import kinseq
from kinseq import clustering, divergences, features, hmm, measures, metrics, sic
from kinseq.core.errors import ParameterError
from kinseq.models import hmm as engine

RANDOM = np.random.default_rng(1)
WAVES = [RANDOM.normal(size=(12 + i, 2)) for i in range(6)]
DISTANCE = measures.compute("dtw", WAVES)
OLD = {"seed": "random_state", "random_seed": "random_state", "threads": "n_jobs", "jobs": "n_jobs"}
ROOMS = (kinseq, measures, clustering, divergences, sic, metrics, features, hmm, engine)


def public() -> Iterator[tuple[str, Callable[..., Any]]]:
    for room in ROOMS:
        for name in room.__all__:
            value = getattr(room, name)
            if isinstance(value, type):
                methods = inspect.getmembers(value, inspect.isfunction)
                yield from (
                    (f"{room.__name__}.{name}.{m}", f) for m, f in methods if not m.startswith("_") or m == "__init__"
                )
            elif callable(value) and not isinstance(value, ModuleType):
                yield f"{room.__name__}.{name}", value


# A drawn plan, and what was found with it, hold the root that was asked for.
HOLD = {"kinseq.sic.Labels.__init__"}


@pytest.mark.parametrize("name, function", [pytest.param(*entry, id=entry[0]) for entry in public()])
def test_arguments_are_called_as_in_scikit_learn(name: str, function: Callable[..., Any]) -> None:
    taken = set(inspect.signature(function).parameters)
    assert not taken & OLD.keys() or name in HOLD


CALLS: list[tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any], str]] = [
    (kinseq.cluster, (WAVES, 2, "dtw"), {"n_resamples": 1}, "threads"),
    (kinseq.compare, (WAVES[0], WAVES[1]), {}, "seed"),
    (kinseq.compare, (WAVES[0], WAVES[1]), {}, "threads"),
    (kinseq.segment_sequence, (np.concatenate(WAVES), 8, 2, "dtw", 2), {}, "seed"),
    (measures.compute, ("kl_ll", WAVES), {"n_states": 2, "max_iter": 2}, "seed"),
    (measures.compute, ("dtw", WAVES), {}, "threads"),
    (clustering.spectral, (DISTANCE, 2), {}, "seed"),
    (clustering.kmedoids, (DISTANCE, 2), {}, "seed"),
    (clustering.get("kmedoids"), (DISTANCE, 2), {}, "seed"),
    (clustering.information_theoretic, (WAVES[0], 2), {"n_runs": 3, "n_voters": 3}, "seed"),
    (divergences.linear_divergence, (WAVES[0], WAVES[1]), {"n_directions": 3}, "seed"),
    (sic.similarity, (WAVES, "forest", 3), {}, "seed"),
    (sic.similarity, (WAVES, "forest", 3), {}, "threads"),
    (engine.fit_bank, (WAVES, 2), {"max_iter": 2}, "seed"),
    (engine.fit_common, (WAVES, 2), {"max_iter": 2}, "threads"),
    (metrics.random_labels, (np.arange(9) % 3, 3), {}, "seed"),
]


@pytest.mark.parametrize("function, given, rest, old", CALLS, ids=lambda value: getattr(value, "__name__", None))
def test_an_old_name_works_with_a_warning(
    function: Callable[..., Any], given: tuple[Any, ...], rest: dict[str, Any], old: str
) -> None:
    value = 2
    with warnings.catch_warnings():
        # Few vectors, labels or runs are said to be few; it is the names that count here.
        warnings.simplefilter("ignore")
        expected = function(*given, **rest, **{OLD[old]: value})
    with pytest.warns(FutureWarning, match=f"^{old} is called {OLD[old]} now") as said:
        found = function(*given, **rest, **{old: value})
    assert said[0].filename == __file__
    assert plain(found) == plain(expected)
    with pytest.raises(ParameterError, match=f"leave {old} out"):
        function(*given, **rest, **{old: value, OLD[old]: value})


def plain(found: Any) -> Any:
    """What can be compared of a result."""
    for name in ("labels", "matrix", "means", "boundaries"):
        if isinstance(getattr(found, name, None), np.ndarray):
            return np.asarray(getattr(found, name)).tolist()
    return found.tolist() if isinstance(found, np.ndarray) else str(found)


def test_a_place_counts_as_a_name() -> None:
    with pytest.raises(ParameterError, match="random_state and seed"):
        clustering.kmedoids(DISTANCE, 2, 10, 100, 3, seed=3)


def test_attributes_are_found_by_their_old_names() -> None:
    clusters = kinseq.cluster(WAVES, 2, "mean_vector", n_resamples=1)
    comparison = kinseq.compare(RANDOM.normal(size=(30, 2)), RANDOM.normal(size=(30, 2)))
    former: list[tuple[Any, str, str]] = [
        (clusters, "given", "original"),
        (clusters, "asked", "n_requested"),
        (comparison, "found", "comparison"),
        (comparison, "shown", "content"),
    ]
    for owner, old, new in former:
        with pytest.warns(FutureWarning, match=f"{old} is called {new}"):
            assert getattr(owner, old) is getattr(owner, new)
