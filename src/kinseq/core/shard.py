"""Shards of a set, processed separately and gathered in order."""

from __future__ import annotations

import re
from typing import NamedTuple

from .errors import ParameterError
from .wording import count


class Part(NamedTuple):
    """The `number`-th of `parts` shards, counted from 1; sizes differ by at most one."""

    number: int
    parts: int

    def of(self, size: int, what: str) -> slice:
        """Positions of this shard among `size` things; :class:`ParameterError` if there are fewer things than shards."""
        if self.parts > size:
            there = f"there {'is' if size == 1 else 'are'} {count(size, what)}"
            raise ParameterError(f"{there}, which cannot be {self.parts} parts; ask for fewer")
        return slice(size * (self.number - 1) // self.parts, size * self.number // self.parts)

    def __str__(self) -> str:
        return f"{self.number}/{self.parts}"


def as_part(value: object, name: str = "part") -> Part:
    """A shard as written, ``"3/16"``, or a pair of numbers."""
    numbers: tuple[int, ...] = ()
    if isinstance(value, str) and (match := re.fullmatch(r"([0-9]{1,9})/([0-9]{1,9})", value)):
        numbers = int(match[1]), int(match[2])
    elif isinstance(value, (tuple, list)) and all(isinstance(entry, int) for entry in value):
        numbers = tuple(value)
    if len(numbers) != 2 or not 1 <= numbers[0] <= numbers[1]:
        raise ParameterError(f"{name} is {value!r}, expected a part such as 3/16: the third of sixteen")
    return Part(*numbers)
