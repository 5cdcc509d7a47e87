"""A row of the table of bad input."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Case:
    """One input that a careless or hostile user might give, and what has to come of it.

    Attributes
    ----------
    name : str
        Identifies the row; unique in the whole table.
    call : callable
        ``call(folder)`` gives the input to an entry point; `folder` is an empty folder of its own.
    gives : callable, optional
        ``gives(result)`` is true if an input that is taken has led to the right result. Without it the input is refused,
        with the sentence that ``sentences.json`` has under this name: what is wrong, where, and the remedy.
    """

    name: str
    call: Callable[[Path], Any]
    gives: Callable[[Any], bool] | None = None


def texts(entries: Iterable[str]) -> dict[str, str]:
    """Options as typed, ``name=value`` each."""
    return dict(entry.split("=", 1) for entry in entries)
