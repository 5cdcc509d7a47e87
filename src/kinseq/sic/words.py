"""Left-to-right models of spoken words as classifiers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from ..core.arrays import IntArray, as_count, as_positive, as_whole_numbers, keep_checked
from ..core.errors import DataError, ParameterError, is_one_of, unknown_name
from ..core.sequences import SequenceSet
from ..core.tokens import Items
from ..features.frames import PerSequence, normalise
from ..features.recordings import recording_info
from ..models.left_to_right import Decoding, Topology, fit_words, frames_of, require_long, word_log_likelihood
from .classifying import Answer

Blocks = Mapping[str, Sequence[int]]
"""Columns of the parts of one kind of features: the first part is always used, each other one in every second draw."""


@dataclass(frozen=True)
class WordHMMs:
    """One left-to-right model per random label; a word gets the label of its likeliest model.

    Attributes
    ----------
    n_states : int or (int, int)
        Emitting states, or the least and greatest number, of which one is drawn at each iteration. HTK counts entry and
        exit too: its 7 states are 5 here.
    topology : {1, 2, "either"}
        Whether one state may be skipped (2) or not (1), or one of both at each iteration (type 1/2 of the report).
    features : mapping, optional
        Kinds of features, of which an iteration draws one: name to the columns of its parts, as ``{"mfcc": {"static":
        [0, 1], "delta": [2, 3]}}``. An iteration uses the first part and, with probability 1/2 each, the others.
        Without it, what the set says itself (``provenance["columns_of"]``), else all columns.
    kinds : sequence of str, optional
        Names of the kinds that are drawn from; all if not given.
    normalisation : {"none", "mean", "mean_variance", "either"}
        Of each word by its own statistics, see :func:`kinseq.features.normalise`; ``"either"`` draws none or mean and
        variance at each iteration.
    n_viterbi, n_baum_welch : int
        Rounds of training, see :func:`kinseq.models.left_to_right.fit_words`.
    decoding : {"viterbi", "forward"}
        Whether the likelihood of a word is that of its best path, as in HTK, or of all.
    floor : float
        Least variance, relative to that over all frames.
    min_per_label : int
        Least number of training words of a label.

    References
    ----------
    Report RR-8880, section 3.3.
    """

    n_states: int | tuple[int, int] = 5
    topology: Topology | Literal["either"] = 1
    features: Mapping[str, Blocks] | None = None
    kinds: Sequence[str] | None = None
    normalisation: PerSequence | Literal["either"] = "none"
    n_viterbi: int = 4
    n_baum_welch: int = 0
    decoding: Decoding = "viterbi"
    floor: float = 0.01
    min_per_label: int = 10

    def __post_init__(self) -> None:
        low, high = self._states()
        if low > high:
            raise ParameterError(f"n_states runs from {low} to {high}; give the least number first")
        if self.topology not in (1, 2, "either"):
            raise ParameterError(unknown_name("topology", self.topology, ("1", "2", "either")))
        if self.normalisation not in (*get_args(PerSequence), "either"):
            raise ParameterError(unknown_name("normalisation", self.normalisation, (*get_args(PerSequence), "either")))
        if not is_one_of(self.decoding, ("viterbi", "forward")):
            raise ParameterError(unknown_name("decoding", self.decoding, ("viterbi", "forward")))
        keep_checked(self, as_positive, "floor")
        keep_checked(self, as_count, "min_per_label")
        keep_checked(self, as_count, "n_viterbi", "n_baum_welch", least=0)

    def _states(self) -> tuple[int, int]:
        bounds = self.n_states if isinstance(self.n_states, (tuple, list)) else (self.n_states, self.n_states)
        if len(bounds) != 2:
            raise ParameterError(f"n_states is {self.n_states!r}, expected a number, or the least and greatest number")
        low, high = (as_count(number, "n_states") for number in bounds)
        return low, high

    def _parts(self, items: SequenceSet) -> list[list[IntArray]]:
        """Return the columns of each kind of features, as groups from which a representation may draw."""
        columns_by_kind = self.features if self.features is not None else recording_info(items).columns_of
        if columns_by_kind is None:
            if self.kinds is not None:
                raise ParameterError(
                    f"{items.name}: kinds is {list(self.kinds)}, but no kinds of features are known; leave it out"
                )
            return [[np.arange(items.n_features)]]
        for kind in self.kinds or ():
            if kind not in columns_by_kind:
                raise ParameterError(f"{items.name}: {unknown_name('kind of features', kind, columns_by_kind)}")
        parts = [
            [as_whole_numbers(np.asarray(columns), f"columns of {kind}") for columns in columns_by_kind[kind].values()]
            for kind in (self.kinds or sorted(columns_by_kind))
        ]
        if not parts or min(len(part) for part in parts) == 0:
            raise ParameterError(f"{items.name}: a kind of features has no columns; name some")
        every = np.concatenate([columns for part in parts for columns in part])
        if every.size == 0 or every.min() < 0 or every.max() >= items.n_features:
            raise ParameterError(
                f"{items.name}: columns of features run to {every.max(initial=-1)}, but there are {items.n_features}"
            )
        return parts

    def prepare(self, items: Items) -> Answer:
        """Scale the frames, once for all iterations."""
        if not isinstance(items, SequenceSet):
            raise DataError(f"{items.name}: holds words in sentences, not recordings; take the classifier 'crf'")
        parts, (low, high) = self._parts(items), self._states()
        # Frames hold only features that may be drawn; others would be read with them.
        used = np.unique(np.concatenate([columns for kind in parts for columns in kind]))
        parts = [[np.searchsorted(used, columns) for columns in kind] for kind in parts]
        examined = replace(items, values=items.values[:, used])
        methods: tuple[PerSequence, ...] = (
            ("none", "mean_variance") if self.normalisation == "either" else (self.normalisation,)
        )
        prepared = [frames_of(normalise(examined, method)) for method in methods]
        topologies: tuple[Topology, ...] = (1, 2) if self.topology == "either" else (self.topology,)
        require_long(prepared[0], high, topologies[0], items.name)

        def answer(
            train: IntArray, labels: IntArray, tested: IntArray, generator: np.random.Generator
        ) -> NDArray[np.int64]:
            kind = parts[int(generator.integers(len(parts)))]
            blocks = [columns for j, columns in enumerate(kind) if j == 0 or generator.random() < 0.5]
            n_states = int(generator.integers(low, high + 1))
            topology = topologies[int(generator.integers(len(topologies)))]
            frames = prepared[int(generator.integers(len(prepared))) if len(prepared) > 1 else 0]
            models = fit_words(
                frames,
                [train[labels == label] for label in range(int(labels.max()) + 1)],
                n_states,
                topology,
                self.n_viterbi,
                self.n_baum_welch,
                np.concatenate(blocks),
                self.floor,
            )
            return np.asarray(word_log_likelihood(models, frames, tested, self.decoding).argmax(axis=1))

        return answer
