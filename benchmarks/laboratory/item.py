"""Items that sequences are made from, kinds of sets, and sizes of effects."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import numpy as np

from kinseq.core.arrays import FloatArray

Family = Literal["planted", "nuisance", "two_groupings", "hierarchy", "process", "continuum"]
Effect = Literal["obvious", "clear", "hidden", "none"]


class Strength(NamedTuple):
    """Size of an effect for a kind: the step from one group to the next (a unit or a factor) and the noise."""

    step: float
    noise: float


@dataclass(frozen=True)
class Item:
    """One sequence to be made.

    Attributes
    ----------
    frames : int
    group, other : int
        Its group, and that in a second grouping.
    place : float
        The group with what its members differ by; in a continuum the hidden position, 0 to 1.
    n_groups : int
    strength : Strength
    rng : numpy.random.Generator
    shared : ndarray, shape (4,)
        Numbers from 0 to 1 that all sequences of the set have in common, as the period of machines of one kind.
    """

    frames: int
    group: int
    other: int
    place: float
    n_groups: int
    strength: Strength
    rng: np.random.Generator
    shared: FloatArray

    @property
    def from_centre(self) -> float:
        """Place as seen from the middle of all groups."""
        return self.place - (self.n_groups - 1) / 2.0

    @property
    def time(self) -> FloatArray:
        """Time of each frame, from 0 to 1."""
        return np.linspace(0.0, 1.0, self.frames)

    def noise(self, columns: int = 1, frames: int | None = None) -> FloatArray:
        """White noise of the strength's deviation, shape (T, columns)."""
        return self.strength.noise * self.rng.normal(size=(frames or self.frames, columns))


Make = Callable[[Item], FloatArray]
Trait = Callable[[FloatArray], FloatArray]


@dataclass(frozen=True)
class Kind:
    """Parts of a set.

    Attributes
    ----------
    name : str
    family : str
    does : str
        What groups differ in and what else varies, in words.
    make : callable
        ``make(item) -> (T, d)``.
    strengths : mapping of str to Strength
        By effect; the effects that the kind has.
    most : int
        Most groups that it can have.
    least : int
        Fewest groups.
    trait : callable or None
        ``trait((T, d)) -> (m,)``: what groups differ in, estimated, such that steps between groups are about equal.
    second : int
        Groups of a second grouping that crosses the first; 0 if there is none.
    """

    name: str
    family: Family
    does: str
    make: Make
    strengths: Mapping[Effect, Strength]
    most: int = 1
    least: int = 2
    trait: Trait | None = None
    second: int = 0
    coarse: Callable[[int], int] | None = field(default=None, repr=False)


def effects(obvious: tuple[float, float], *others: tuple[float, float]) -> dict[Effect, Strength]:
    """Step and noise of the effects, from obvious to hidden."""
    names: tuple[Effect, ...] = ("obvious", "clear", "hidden")
    return {name: Strength(*values) for name, values in zip(names, (obvious, *others), strict=False)}


def alone(step: float = 0.0, noise: float = 1.0) -> dict[Effect, Strength]:
    """Return the item for sets without groups."""
    return {"none": Strength(step, noise)}
