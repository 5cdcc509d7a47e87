"""Parts of a set: none is left out and none comes twice."""

from __future__ import annotations

import pytest

from kinseq.core.errors import ParameterError
from kinseq.core.shard import Part, as_part
from tests.sentences import Recorded


@pytest.mark.parametrize("size, parts", [(1, 1), (7, 3), (16, 16), (100, 7)])
def test_parts_together_are_the_whole_in_its_order(size: int, parts: int) -> None:
    everything = list(range(size))
    slices = [everything[Part(number, parts).of(size, "file")] for number in range(1, parts + 1)]
    assert [item for some in slices for item in some] == everything
    assert max(map(len, slices)) - min(map(len, slices)) <= 1
    assert min(map(len, slices)) > 0


def test_there_are_no_more_parts_than_things(recorded: Recorded) -> None:
    with recorded.raises(ParameterError):
        Part(1, 4).of(3, "file")


@pytest.mark.parametrize("value", ["3/16", (3, 16), [3, 16]])
def test_a_part_is_written_in_several_ways(value: object) -> None:
    assert as_part(value) == Part(3, 16)
    assert str(as_part(value)) == "3/16"


@pytest.mark.parametrize("value", ["0/3", "4/3", "3", "a/b", "1/2/3", (1,), 3, None, "-1/2", "²/3"])
def test_what_is_no_part_is_refused(value: object, recorded: Recorded) -> None:
    with recorded.raises(ParameterError):
        as_part(value)
