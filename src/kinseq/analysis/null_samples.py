"""Sets without groups by number, and their matrices under views, cached within a memory limit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import count
from threading import Lock
from typing import Any, NamedTuple

from ..core.arrays import FloatArray
from ..core.sequences import SequenceSet
from ..features.frames import averaged
from .null_sets import N_KINDS_OF_SETS, NullSets, Source
from .surrogates import sets_of

ViewFunction = Callable[[SequenceSet, Sequence[str]], Mapping[str, FloatArray]]
"""Views, by name, of other sequences; none depends on the other names requested."""
KEPT_BYTES = 1 << 27
"""Most bytes of sets and views that are kept; others are recomputed on request."""


class SampleKey(NamedTuple):
    """The given sequences, restarted ones, or a set without groups, by number; see :class:`.null_sets.NullSets`."""

    source: Source
    number: int = 0
    same_lengths: bool = True


GIVEN = SampleKey("given")


class NullSamples:
    """Sequences, sets without groups drawn from them, and their views; safe for several threads.

    Parameters
    ----------
    sequences : SequenceSet
    seed : int
        The k-th set follows from it and nothing else.
    compute : callable or None
        ``compute(sequences, names)`` are views of a set; None where none are requested.
    most_bytes : int
        What is kept.
    """

    def __init__(
        self, sequences: SequenceSet, seed: int, compute: ViewFunction | None, most_bytes: int = KEPT_BYTES
    ) -> None:
        self.given = sequences
        self._seed, self._compute, self._room = seed, compute, most_bytes
        self._kept: dict[tuple[Any, ...], Any] = {}
        self._one = Lock()

    @cached_property
    def _sets(self) -> NullSets:
        return sets_of(self.given, self._seed)

    @property
    def begin_anywhere(self) -> bool:
        """Whether absolute time within a sequence is irrelevant, so that spliced sequences resemble the given ones."""
        return self._sets.begin_anywhere

    @property
    def n_kinds(self) -> int:
        """Kinds of sets that views that vote are compared with."""
        return N_KINDS_OF_SETS + self._sets.has_third_kind

    def in_turn(self, n_kinds: int) -> Iterator[SampleKey]:
        """Sets of so many kinds in turn."""
        for number in count():
            for kind in range(N_KINDS_OF_SETS):
                yield SampleKey("surrogates", N_KINDS_OF_SETS * number + kind)
            if n_kinds > N_KINDS_OF_SETS:
                yield SampleKey("between", number)

    def sequences(self, place: SampleKey) -> SequenceSet:
        """One of the sets."""
        if place.source == "given":
            return self.given
        kept: SequenceSet | None = self._kept.get(place)
        if kept is not None:
            return kept
        with self._one:
            # Made once, whichever thread needs it first.
            sets = self._sets
        drawn = sets.drawn(place.source, place.number, place.same_lengths)
        self._keep(place, drawn, drawn.values.nbytes)
        return drawn

    def views(self, place: SampleKey, factor: int, names: Sequence[str]) -> dict[str, FloatArray]:
        """Views of a set with this number of averaged frames, without those under which all pairs are alike."""
        assert self._compute is not None
        found = {name: self._kept[key] for name in names if (key := (place, factor, name)) in self._kept}
        if missing := [name for name in names if name not in found]:
            computed = self._compute(averaged(self.sequences(place), factor), missing)
            for name in missing:
                found[name] = view = computed.get(name)
                self._keep((place, factor, name), view, 0 if view is None else view.nbytes)
        return {name: view for name in names if (view := found[name]) is not None}

    def _keep(self, key: tuple[Any, ...], value: object, n_bytes: int) -> None:
        with self._one:
            if key not in self._kept and n_bytes <= self._room:
                self._room -= n_bytes
                self._kept[key] = value
