"""Memory that the job of an analysis asks for: it covers what was measured, and follows the data."""

from __future__ import annotations

import pytest

from kinseq.analysis import limits
from kinseq.cli import memory
from kinseq.readers import Extent

SMALL = Extent("", files=200, bytes=200_000, one_each=True)
PACKED = Extent("", files=1, bytes=80_777_392)
"""100 000 sequences of 100 frames in one file."""


def test_small_data_ask_for_what_their_rule_says() -> None:
    assert memory.estimate(SMALL, "auto") == memory.LEAST_MB == 4000


@pytest.mark.parametrize(
    ("extent", "peak"),
    [(PACKED, 956), (Extent("", 100_000, 16_000_000, True), 1670), (Extent("", 3000, 2_000_000, True), 3994)],
)
def test_what_is_asked_for_is_well_above_what_was_measured(extent: Extent, peak: float) -> None:
    assert memory.estimate(extent, "auto") > 1.5 * peak


def test_it_grows_with_the_data() -> None:
    assert memory.estimate(Extent("", 8, 4 * 10**9, True), "auto") == 500 + 36_000
    assert memory.estimate(Extent("", 10**6, 10**9, True), "auto") == 500 + 9000 + 16_000 + round(
        700e-6 * limits.SAMPLE_MOST**2
    )


@pytest.mark.parametrize(
    ("files", "sample", "n"),
    [
        (2000, "auto", 2000),
        (limits.MAX_ALL_PAIRS, "auto", limits.MAX_ALL_PAIRS),
        (limits.MAX_ALL_PAIRS + 1, "auto", limits.SAMPLE_MOST),
        (50_000, 5000, 5000),
        (50_000, None, 50_000),
        (40, 5000, 40),
    ],
)
def test_pairs_are_those_of_the_sample(files: int, sample: int | str | None, n: int) -> None:
    extent = Extent("", files, 0, True)
    assert memory.compared(extent, sample) == n
    assert memory.estimate(extent, sample) == max(4000, 500 + round(0.016 * files + 7e-4 * n * n))


def test_a_file_that_holds_many_may_hold_as_many_as_are_compared() -> None:
    assert memory.compared(PACKED, "auto") == limits.MAX_ALL_PAIRS
    assert memory.compared(PACKED, None) == limits.MAX_ALL_PAIRS
    assert memory.compared(PACKED, 5000) == 5000
    assert memory.compared(Extent("", 1, 5000), "auto") == 50
