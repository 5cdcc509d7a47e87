"""Parts of a set that are worked on apart, and put together in their order again."""

from __future__ import annotations

import re
from typing import NamedTuple

from .errors import ParameterError
from .wording import count


class Part(NamedTuple):
    """A part of something: the `number`-th of `parts`, counted from 1; all are of one size, up to one."""

    number: int
    parts: int

    def of(self, size: int, what: str) -> slice:
        """Which of `size` things this is, in their order; :class:`ParameterError` if there are fewer than parts."""
        if self.parts > size:
            there = f"there {'is' if size == 1 else 'are'} {count(size, what)}"
            raise ParameterError(f"{there}, which cannot be {self.parts} parts; ask for fewer")
        return slice(size * (self.number - 1) // self.parts, size * self.number // self.parts)

    def __str__(self) -> str:
        return f"{self.number}/{self.parts}"


def as_part(value: object, name: str = "part") -> Part:
    """A part as it is written, ``"3/16"``, or a pair of numbers."""
    numbers: tuple[int, ...] = ()
    if isinstance(value, str) and (match := re.fullmatch(r"([0-9]{1,9})/([0-9]{1,9})", value)):
        numbers = int(match[1]), int(match[2])
    elif isinstance(value, (tuple, list)) and all(isinstance(entry, int) for entry in value):
        numbers = tuple(value)
    if len(numbers) != 2 or not 1 <= numbers[0] <= numbers[1]:
        raise ParameterError(f"{name} is {value!r}, expected a part such as 3/16: the third of sixteen")
    return Part(*numbers)
