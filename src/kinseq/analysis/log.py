"""What a step of an analysis has to tell: it returns that beside what it found."""

from __future__ import annotations

from dataclasses import dataclass

Choice = tuple[str, str, str]
"""What was chosen, the value, and by whom or why."""


@dataclass(frozen=True)
class Remarks:
    """What was skipped, repaired or should be known, and what was chosen; of several steps in their order.

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


NONE = Remarks()
"""Nothing to tell."""


def noted(*sentences: str) -> Remarks:
    """Notes alone."""
    return Remarks(notes=sentences)


def chose(what: str, value: str, why: str) -> Remarks:
    """Return one choice."""
    return Remarks(choices=((what, value, why),))
