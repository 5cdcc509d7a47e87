"""Known costs of measures agree with what is registered of them."""

from __future__ import annotations

import pytest

from kinseq.measures import registry
from kinseq_documents.costs import COSTS, USUAL


@pytest.mark.parametrize("name", COSTS)
def test_costs_are_of_measures_that_there_are_with_parameters_that_they_have(name: str) -> None:
    measure = registry.get(name)
    assert set(COSTS[name].same_run) <= set(measure.params)
    assert COSTS[name] != USUAL


def test_a_longer_run_of_sic_comes_first_and_one_that_stops_by_itself_last() -> None:
    length = COSTS["sic"].run_length
    assert length is not None
    params = dict(registry.get("sic").params)
    runs = [{**params, "n_iterations": 500}, {**params, "n_iterations": 20}, {**params, "stop": 0.1}]
    assert [length(run) for run in runs] == [500.0, 20.0, 0.0]
