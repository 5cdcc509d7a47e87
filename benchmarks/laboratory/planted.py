"""Sets whose groups are known because they were made: :func:`draw`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from kinseq.core.arrays import FloatArray, IntArray
from kinseq.core.errors import ParameterError, unknown_name
from kinseq.core.seeds import stream

from .item import Effect, Family, Item, Kind
from .kinds import KINDS

Sizes = Literal["equal", "unequal"]
Lengths = Literal["equal", "unequal", "short", "long"]

LEAST = 3
"""Sequences of the smallest group."""
RATIO = 10.0
"""How often the largest group holds the smallest, where sizes are unequal and there are enough sequences."""
FRAMES: dict[Lengths, tuple[int, int]] = {
    "equal": (100, 100),
    "unequal": (60, 140),
    "short": (30, 90),
    "long": (84, 259),
}
"""Least and most frames of a sequence."""
BESIDE: dict[Effect, float] = {"obvious": 0.06, "clear": 0.12, "hidden": 0.25}
"""Deviation of the members of a group in what the groups differ in, in steps from group to group."""
OUTLIER = -1
"""Label of a sequence that belongs to no group; no score counts it."""


@dataclass(frozen=True)
class Planted:
    """A set of sequences and the truth about it.

    Attributes
    ----------
    name : str
        All that it was drawn by.
    family : str
        ``"planted"``, ``"nuisance"`` (something else varies more, or elsewhere), ``"two_groupings"``, ``"hierarchy"``,
        ``"process"`` (no groups), ``"continuum"``.
    kind : str
    effect : str
        ``"obvious"``, ``"clear"`` or ``"hidden"``; ``"none"`` where there are no groups.
    sequences : list of ndarray, shape (T, d)
    labels : ndarray, shape (N,)
        Groups from 0; all 0 where there are none. :data:`OUTLIER` for outliers.
    other : ndarray, shape (N,), or None
        A second grouping; in a hierarchy the coarse one.
    position : ndarray, shape (N,), or None
        Hidden position in a continuum, 0 to 1.
    seed : int
    """

    name: str
    family: Family
    kind: str
    effect: Effect
    sequences: list[FloatArray]
    labels: IntArray
    other: IntArray | None
    position: FloatArray | None
    seed: int

    @property
    def n_groups(self) -> int:
        """Number of groups, outliers apart."""
        return int(self.labels.max()) + 1

    @property
    def members(self) -> np.ndarray:
        """Which sequences belong to a group, shape (N,)."""
        return np.asarray(self.labels != OUTLIER)


def group_sizes(n: int, k: int, sizes: Sizes = "equal") -> IntArray:
    """Return the number of sequences of each of `k` groups, `n` together, each at least :data:`LEAST`.

    Unequal ones grow by one factor from group to group, up to :data:`RATIO` in all; small groups that would be smaller
    than the least are filled up from the largest.
    """
    if k < 1 or n < LEAST * k:
        raise ParameterError(f"laboratory: {n} sequences cannot be {k} groups of at least {LEAST}; take more sequences")
    weights = np.geomspace(1.0, RATIO, k) if sizes == "unequal" else np.ones(k)
    ends = np.rint(n * np.cumsum(weights) / weights.sum()).astype(np.int64)
    counts = np.maximum(np.diff(ends, prepend=0), LEAST)
    while counts.sum() > n:
        counts[np.argmax(counts)] -= 1
    return counts


def outlier_count(n: int, share: float) -> int:
    """Outliers among `n` sequences: a share of them, rounded, but at least one if it is not 0."""
    return max(1, round(share * n)) if share else 0


def draw(
    kind: str,
    n: int,
    k: int,
    effect: Effect,
    seed: int,
    *,
    sizes: Sizes = "equal",
    lengths: Lengths = "equal",
    outliers: float = 0.0,
) -> Planted:
    """Draw a set, in random order.

    `kind` is one of :data:`.kinds.KINDS`; `n` sequences, outliers among them, in `k` groups: 1 for processes and
    continua, of which `effect` is ``"none"``. It says how far groups are apart, and the noise. `lengths` are ranges of
    :data:`FRAMES`, of no consequence where groups or positions differ in length. `outliers` is their share, 0 to .5;
    see :func:`outlier_count`. What the kind does not have, and too few sequences, are refused.
    """
    entry = _checked(kind, k, effect, sizes, lengths, outliers)
    rng = stream(seed, "laboratory", kind, n, k, effect, sizes, lengths, repr(float(outliers)))
    n_outliers = outlier_count(n, outliers)
    labels = np.repeat(np.arange(k), group_sizes(n - n_outliers, k, sizes))
    other = _second(entry, labels)
    position = rng.uniform(size=len(labels)) if entry.family == "continuum" else None
    places = labels + BESIDE.get(effect, 0.0) * rng.normal(size=len(labels)) if position is None else position
    least, most = FRAMES[lengths]
    frames = rng.integers(least, most + 1, size=n)
    shared = stream(seed, "laboratory", "shared", kind, n, k, effect).uniform(size=4)
    sequences = [
        entry.make(Item(int(t), int(group), int(second), float(place), k, entry.strengths[effect], rng, shared))
        for t, group, second, place in zip(
            frames, labels, np.zeros_like(labels) if other is None else other, places, strict=False
        )
    ]
    order = rng.permutation(n)
    sequences += _outliers(sequences, frames[len(labels) :], rng)
    return Planted(
        name=f"{kind}, {effect}, {n} in {k}, sizes {sizes}, lengths {lengths}, outliers {outliers:g}, seed {seed}",
        family=entry.family,
        kind=kind,
        effect=effect,
        sequences=[sequences[i] for i in order],
        labels=_filled(labels, n)[order],
        other=None if other is None else _filled(other, n)[order],
        position=None if position is None else np.append(position, np.full(n_outliers, np.nan))[order],
        seed=seed,
    )


def _checked(kind: str, k: int, effect: str, sizes: str, lengths: str, outliers: float) -> Kind:
    if kind not in KINDS:
        raise ParameterError(unknown_name("kind", kind, KINDS))
    entry = KINDS[kind]
    if effect not in entry.strengths:
        raise ParameterError(f"laboratory: {kind} has no effect {effect!r}; it has {', '.join(entry.strengths)}")
    least = entry.least if entry.most > 1 else 1
    if not least <= k <= entry.most:
        raise ParameterError(f"laboratory: {kind} has {least} to {entry.most} groups, but {k} are requested")
    for word, value, valid in (("sizes", sizes, get_args(Sizes)), ("lengths", lengths, get_args(Lengths))):
        if value not in valid:
            raise ParameterError(f"laboratory: {word} is {value!r}; give one of {', '.join(valid)}")
    if not 0.0 <= outliers <= 0.5:
        raise ParameterError(f"laboratory: outliers is {outliers!r}; give a share of the sequences from 0 to .5")
    return entry


def _second(entry: Kind, labels: IntArray) -> IntArray | None:
    """Return the second grouping: that of the hierarchy, or one that crosses the first as evenly as it can."""
    if entry.coarse is not None:
        return np.array([entry.coarse(int(group)) for group in labels], dtype=np.int64)
    return np.arange(len(labels)) % entry.second if entry.second else None


def _filled(labels: IntArray, n: int) -> IntArray:
    return np.append(labels, np.full(n - len(labels), OUTLIER)).astype(np.int64)


def _outliers(others: list[FloatArray], lengths: IntArray, rng: np.random.Generator) -> list[FloatArray]:
    """Walks of three times the spread of all others, each about a level of its own."""
    if not len(lengths):
        return []
    values = np.concatenate(others)
    centre, spread = values.mean(axis=0), 3.0 * values.std(axis=0)
    walks = []
    for frames in lengths:
        walk = np.cumsum(rng.normal(size=(int(frames), values.shape[1])), axis=0)
        walk = (walk - walk.mean(axis=0)) / walk.std(axis=0)
        walks.append(centre + spread * (walk + rng.normal(size=values.shape[1])))
    return walks
