"""Notes and choices of a step of an analysis, returned with its result."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

Choice = tuple[str, str, str]
"""Choice: its name, its value, and who made it or why."""


@dataclass(frozen=True)
class Remarks:
    """Notes and choices of several steps, in order.

    Attributes
    ----------
    notes : tuple of str
        Sentences.
    choices : tuple of (str, str, str)
    """

    notes: tuple[str, ...] = ()
    choices: tuple[Choice, ...] = ()

    def __add__(self, later: Remarks) -> Remarks:
        return Remarks(self.notes + later.notes, self.choices + later.choices)

    def without(self, notes: Collection[str]) -> Remarks:
        """Return these remarks without some notes."""
        return replace(self, notes=tuple(note for note in self.notes if note not in notes))


NO_REMARKS = Remarks()
"""Empty log."""


def as_notes(*sentences: str) -> Remarks:
    """Notes alone."""
    return Remarks(notes=sentences)


def as_choice(what: str, value: str, why: str) -> Remarks:
    """Return one choice."""
    return Remarks(choices=((what, value, why),))
