"""Notes on columns that are clocks."""

from __future__ import annotations

import pytest

from kinseq.core.clock_columns import Found, told_clocks


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
    (said,) = told_clocks([name, "flow"], Found(0, [], []), named)
    assert f"as time, {reason};" in said
