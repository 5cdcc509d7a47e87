"""Sequences as found in users' files, before checks and interpolation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from numpy.typing import NDArray

from ..core.arrays import FloatArray


@dataclass
class Raw:
    """One sequence as found in its file; numbers may be missing.

    ``place(row, column)`` says where a number stands, for messages; ``numbers`` are those of the columns in a file without
    names, from 1; ``unit`` is that of the time, empty if it is not given; ``origin`` is the moment at which the time is 0, if
    that is known, ``epoch`` says whether it is a number since 1970; ``marks`` are entries of the column that it is cut at.
    """

    id: str
    where: str
    values: FloatArray
    place: Callable[[int, int], str]
    time: FloatArray | None = None
    columns: tuple[str, ...] | None = None
    numbers: tuple[str, ...] | None = None
    unit: str = ""
    origin: Any = None
    epoch: bool = False
    marks: NDArray[Any] | None = None


@dataclass
class RawSet:
    """All data read, with labels and groups from the files; the notes `first` come before all others."""

    sequences: list[Raw]
    labels: NDArray[Any] | None = None
    groups: NDArray[Any] | None = None
    provenance: dict[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    first: tuple[str, ...] = ()
