"""Memory that jobs of an analysis ask for: it covers what was measured, and follows the data and their batches."""

from __future__ import annotations

import pytest

from kinseq.analysis import limits
from kinseq_app import memory
from kinseq_app.readers.batches import Cut

SMALL = Cut(1, "", files=200, bytes=200_000, one_each=True)
PACKED = Cut(16, "", files=1, bytes=80_777_392, one_each=False)
"""100 000 sequences of 100 frames in one file."""
FILES = Cut(2, "", files=20_000, bytes=15_368_182, one_each=True)
"""20 000 tables of 100 rows."""


def test_small_data_ask_for_what_their_rule_did() -> None:
    asked = {step: memory.asked(step, SMALL, "auto") for step in memory.NEEDS}
    assert asked == {step: need.least for step, need in memory.NEEDS.items()}
    assert set(asked.values()) == {2000, 4000}


@pytest.mark.parametrize(
    ("step", "cut", "sample", "peak"),
    [
        ("sample", PACKED, "auto", 618),
        ("view", PACKED, "auto", 347),
        ("clusters", PACKED, "auto", 956),
        ("assign", PACKED, "auto", 284),
        ("analysis", PACKED, "auto", 619),
        ("read", FILES, "auto", 101),
        ("read", Cut(1, "", files=8, bytes=60_006_169, one_each=True), "auto", 214),
        ("sample", Cut(16, "", files=100_000, bytes=16_000_000, one_each=True), "auto", 1010),
        ("alone", Cut(1, "", files=3000, bytes=2_000_000, one_each=True), "auto", 3994),
    ],
)
def test_what_is_asked_for_is_well_above_what_was_measured(
    step: memory.Step, cut: Cut, sample: str, peak: float
) -> None:
    assert memory.asked(step, cut, sample) > 1.5 * peak


def test_it_grows_with_the_data_and_falls_with_their_batches() -> None:
    large = Cut(4, "", files=8, bytes=4 * 10**9, one_each=True)
    assert memory.asked("read", large, "auto") == 500 + 5000
    assert memory.asked("read", Cut(8, "", 8, 4 * 10**9, True), "auto") == 500 + 2500
    assert memory.asked("sample", large, "auto") == memory.asked("sample", Cut(8, "", 8, 4 * 10**9, True), "auto")
    assert memory.asked("sample", large, "auto") == 500 + 36_000


@pytest.mark.parametrize(
    ("files", "sample", "n"),
    [
        (2000, "auto", 2000),
        (limits.DENSE, "auto", limits.DENSE),
        (limits.DENSE + 1, "auto", limits.SAMPLE_MOST),
        (50_000, 5000, 5000),
        (50_000, None, 50_000),
        (40, 5000, 40),
    ],
)
def test_pairs_are_those_of_the_sample(files: int, sample: int | str | None, n: int) -> None:
    assert memory.compared(Cut(2, "", files, 10**6, True), sample) == n
    assert memory.asked("clusters", Cut(2, "", files, 10**6, True), sample) == max(4000, 500 + round(6e-4 * n * n))


def test_a_file_that_holds_many_may_hold_as_many_as_are_compared() -> None:
    assert memory.compared(PACKED, "auto") == limits.DENSE
    assert memory.compared(PACKED, None) == limits.DENSE
    assert memory.compared(PACKED, 5000) == 5000
    assert memory.compared(Cut(1, "", 1, 5000, False), "auto") == 50
