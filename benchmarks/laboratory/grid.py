"""The sets to draw: one table, and its derived values.

Not all axes are crossed. In each cell, a kind at one number of sequences, every value of every other axis comes as often as
any other, in an order of its own (a Latin hypercube), so that each axis by itself is seen evenly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple

from kinseq.core.errors import ParameterError, unknown_name
from kinseq.core.seeds import stream

from .item import Effect, Family, Kind
from .kinds import KINDS
from .machines import MACHINES
from .planted import LEAST, Lengths, Planted, Sizes, draw, outlier_count


@dataclass(frozen=True)
class Case:
    """A set to draw; the arguments of :func:`.planted.draw`."""

    kind: str
    n: int
    k: int
    effect: Effect
    sizes: Sizes
    lengths: Lengths
    outliers: float
    seed: int

    @property
    def key(self) -> str:
        """All axes."""
        return " ".join(f"{value}" for value in asdict(self).values())

    @property
    def family(self) -> Family:
        return KINDS[self.kind].family

    def draw(self) -> Planted:
        """Return the set itself."""
        return draw(
            self.kind,
            self.n,
            self.k,
            self.effect,
            self.seed,
            sizes=self.sizes,
            lengths=self.lengths,
            outliers=self.outliers,
        )


class Plan(NamedTuple):
    """Sets of each kind of some families: how many at each number of sequences, and what they take turns in.

    ``beside`` is how many of them, at most, are also given to other rules and examined view by view. ``machines`` says whether the
    kinds are those that machines make, or all others.
    """

    families: tuple[Family, ...]
    counts: dict[int, int]
    lengths: tuple[Lengths, ...]
    sizes: tuple[Sizes, ...] = ("equal",)
    outliers: tuple[float, ...] = (0.0,)
    effects: tuple[Effect, ...] = ("none",)
    beside: dict[int, int] | None = None
    machines: bool = False


OF_MACHINES = frozenset(kind.name for kind in MACHINES)

GRID = (
    Plan(
        ("planted", "nuisance", "two_groupings", "hierarchy"),
        {8: 4, 12: 8, 24: 4, 40: 6, 120: 2, 300: 1},
        lengths=("equal", "unequal"),
        sizes=("equal", "unequal"),
        outliers=(0.0, 0.0, 0.05),
        effects=("obvious", "obvious", "clear", "hidden"),
    ),
    Plan(
        ("process",),
        {12: 50, 40: 44, 120: 5, 300: 1},
        lengths=("equal", "equal", "short", "long"),
        beside={12: 12, 40: 12, 120: 1, 300: 0},
    ),
    Plan(
        ("continuum",),
        {12: 16, 40: 16, 120: 2, 300: 1},
        lengths=("equal", "unequal"),
        beside={12: 8, 40: 8, 120: 1, 300: 0},
    ),
    Plan(
        ("process",),
        {12: 50, 40: 44, 120: 5, 300: 1},
        lengths=("equal", "equal", "short", "long"),
        beside={12: 4, 40: 4, 120: 0, 300: 0},
        machines=True,
    ),
    Plan(
        ("planted",),
        {12: 8, 24: 4, 40: 6, 120: 2, 300: 1},
        lengths=("equal", "unequal"),
        sizes=("equal", "unequal"),
        outliers=(0.0, 0.0, 0.05),
        effects=("obvious", "obvious", "clear", "hidden"),
        machines=True,
    ),
    Plan(
        ("continuum",),
        {12: 16, 40: 16, 120: 2, 300: 1},
        lengths=("equal", "unequal"),
        beside={12: 4, 40: 4, 120: 0, 300: 0},
        machines=True,
    ),
)
"""The whole laboratory."""


class PlannedCase(NamedTuple):
    """A case, its place in its cell from 0 to 1, and whether it is also given to others."""

    case: Case
    place: float
    beside: bool


def cases(draw: int = 0, only: Sequence[str] = (), share: float = 1.0) -> list[PlannedCase]:
    """Cases of the grid, in an order of which every beginning is about as even as the whole.

    `draw` is 1, 2 ... for other sets of the same grid; `only` are kinds or families, all if empty; `share` is the part
    of each cell that is taken, at least one set of each.
    """
    families = {kind.family for kind in KINDS.values()}
    for name in only:
        if name not in KINDS and name not in families:
            raise ParameterError(unknown_name("kind", name, [*KINDS, *sorted(families)]))
    selection = []
    for plan in GRID:
        for kind in KINDS.values():
            if plan.machines != (kind.name in OF_MACHINES):
                continue
            if kind.family in plan.families and (not only or kind.name in only or kind.family in only):
                for n, count in plan.counts.items():
                    cell = _cell(kind, n, count, plan, draw)
                    least = 0.5 / max(len(cell), 1)
                    selection += [placed for placed in cell if placed.place <= max(share, least)]
    return sorted(selection, key=lambda placed: placed.place)


def groups_possible(kind: Kind, n: int) -> list[int]:
    """Return numbers of groups possible for a number of sequences of a kind, each with enough of them."""
    if kind.most == 1:
        return [1]
    if n < LEAST * kind.second:
        return []
    return list(range(kind.least, min(kind.most, n // LEAST) + 1))


def _cell(kind: Kind, n: int, count: int, plan: Plan, draw: int) -> list[PlannedCase]:
    """Return sets of one kind and one number of sequences."""
    rng = stream(draw, "laboratory", "grid", kind.name, n)
    numbers = groups_possible(kind, n)
    if not numbers:
        return []

    def turns(values: Sequence[Any]) -> list[Any]:
        """Return each value as often as any other, those of the rest drawn."""
        whole, rest = divmod(count, len(values))
        indices = [*range(len(values))] * whole + [*rng.permutation(len(values))[:rest]]
        return [values[i] for i in rng.permutation(indices)]

    effects = [effect for effect in plan.effects if effect in kind.strengths]
    axes = zip(
        turns(numbers), turns(effects), turns(plan.sizes), turns(plan.lengths), turns(plan.outliers), strict=True
    )
    all_cases = [
        Case(kind.name, n, k, effect, sizes, lengths, outliers, draw * count + i)
        for i, (k, effect, sizes, lengths, outliers) in enumerate(axes)
    ]
    # If every sequence is needed, none can be an outlier.
    all_cases = [
        case if n - outlier_count(n, case.outliers) >= LEAST * max(case.k, kind.second) else replace(case, outliers=0.0)
        for case in all_cases
    ]
    beside = count if plan.beside is None else plan.beside[n]
    return [PlannedCase(case, (i + 0.5) / count, i < beside) for i, case in enumerate(all_cases)]
