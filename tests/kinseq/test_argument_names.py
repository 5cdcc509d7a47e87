"""Arguments have one name for one thing: those of scikit-learn."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import pytest

import kinseq
from kinseq import clustering, divergences, features, hmm, measures, metrics, sic
from kinseq.models import hmm as engine

OTHER = {"seed", "random_seed", "threads", "jobs"}
"""Names that other libraries, and the inside of this one, have for `random_state` and `n_jobs`."""

PACKAGES = (kinseq, measures, clustering, divergences, sic, metrics, features, hmm, engine)


def public() -> Iterator[tuple[str, Callable[..., Any]]]:
    for package in PACKAGES:
        for name in package.__all__:
            value = getattr(package, name)
            if isinstance(value, type):
                methods = inspect.getmembers(value, inspect.isfunction)
                yield from (
                    (f"{package.__name__}.{name}.{m}", f)
                    for m, f in methods
                    if not m.startswith("_") or m == "__init__"
                )
            elif callable(value) and not isinstance(value, ModuleType):
                yield f"{package.__name__}.{name}", value


# A drawn plan and its results hold the requested root.
HOLD = {"kinseq.sic.Labels.__init__"}


@pytest.mark.parametrize("name, function", [pytest.param(*entry, id=entry[0]) for entry in public()])
def test_arguments_are_called_as_in_scikit_learn(name: str, function: Callable[..., Any]) -> None:
    assert not inspect.signature(function).parameters.keys() & OTHER or name in HOLD
