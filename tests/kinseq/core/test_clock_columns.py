"""Notes on columns that are clocks."""

from __future__ import annotations

import numpy as np
import pytest

from kinseq.core.clock_columns import Found, find_clocks, notes_on_clocks


@pytest.mark.parametrize(
    ("name", "named", "reason"),
    [
        ("time_s", True, "by its name"),
        ("millis", True, "by its name"),
        ("q", True, "by its values"),
        ("time", False, "by its values"),
    ],
)
def test_note_says_whether_name_or_values_made_a_column_the_time(name: str, named: bool, reason: str) -> None:
    (said,) = notes_on_clocks([name, "flow"], Found(0, [], []), named)
    assert f"as time, {reason} (" in said


def test_a_column_that_rises_throughout_by_unequal_steps_stays_with_a_note() -> None:
    random = np.random.default_rng(0)
    tables = [
        np.column_stack([np.cumsum(random.uniform(0.01, 0.03, 40)), random.normal(size=(40, 2))]) for _ in range(8)
    ]
    found = find_clocks(["1", "2", "3"], tables, timed=False, named=False)
    assert found == Found(None, [], [0])
    (said,) = notes_on_clocks(["1", "2", "3"], found, named=False)
    assert "column 1 increases" in said
    assert "time_column='1'" in said
    # If a time is known, ascending columns are counts or measurements.
    assert find_clocks(["1", "2", "3"], tables, timed=True, named=False) == Found(None, [], [])
    # Ties, as in a count of events, rule out a clock.
    counted = [np.column_stack([np.floor(table[:, 0] * 10), table[:, 1:]]) for table in tables]
    assert find_clocks(["1", "2", "3"], counted, timed=False, named=False) == Found(None, [], [])
