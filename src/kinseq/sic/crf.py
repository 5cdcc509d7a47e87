"""Linear-chain conditional random fields on items in sentences."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..core.arrays import FloatArray, IntArray, as_count, as_real, keep_checked
from ..core.compiled import compiled
from ..core.errors import DataError, ParameterError, unknown_name
from ..core.tokens import Items, TokenSet
from .classifying import Answer
from .crfsuite import Learnt, trained

NULL, INSIDE = "null", "in"
"""Labels of tokens outside of items, and of all tokens of an item but its first. They are given, never decoded."""


GIVEN = (NULL, INSIDE)
NOTHING, TOUCHING = 2, 3
"""Markers in addition to the positions in GIVEN: no token in the sentence, or the first one of another item."""


class FieldWeights(NamedTuple):
    """Trained field: weights of attributes and transitions, for ordered random labels."""

    state: Any
    """Sparse, (attributes, C)"""
    entering: FloatArray
    """(3, C), weights of the transitions to each class from the given label before: see GIVEN and NOTHING"""
    leaving: FloatArray
    """(3, C), weights of the transitions from each class to the given label after"""
    between: FloatArray
    """(C, C)"""


@dataclass(frozen=True)
class CRF:
    """A field that learns the labels of the items of some sentences, and labels the items of others.

    The label of an item is that of its first token. Other tokens are labelled as outside or inside of an item, in training
    and in testing alike. Decoding is exact: the likeliest random labels of the first tokens, given the others.

    Attributes
    ----------
    attributes : sequence of str, optional
        Attributes of the tokens that are used; all if not given. Whether a token begins an item, is inside of one or
        outside is always used.
    window : int
        Attributes are those of the token and of so many tokens before and after it.
    context : int or None
        Tokens further than this from an item are left out of training, which cuts sentences into pieces: their label says
        nothing about items, and the cost grows with the number of tokens times the square of that of labels. None keeps
        whole sentences.
    c1, c2 : float
        Penalties of the weights, of their sizes and their squares.
    max_iterations : int
        Of L-BFGS.
    min_per_label : int

    References
    ----------
    Report RR-8880, section 3.1.1.
    """

    attributes: Sequence[str] | None = None
    window: int = 2
    context: int | None = 1
    c1: float = 0.0
    c2: float = 1.0
    max_iterations: int = 50
    min_per_label: int = 1

    def __post_init__(self) -> None:
        keep_checked(self, as_count, "window", *(["context"] if self.context is not None else []), least=0)
        keep_checked(self, as_count, "max_iterations", "min_per_label")
        for name in ("c1", "c2"):
            if as_real(getattr(self, name), name) < 0.0:
                raise ParameterError(f"{name} is {getattr(self, name)!r}, expected a penalty of at least 0")

    def prepare(self, items: Items) -> Answer:
        """Attributes of all tokens, in training format and as sparse rows of the first tokens."""
        if not isinstance(items, TokenSet):
            raise DataError(f"{items.name}: holds no sentences; take the classifier 'forest' or 'hmm'")
        for name in self.attributes or ():
            if name not in items.attributes:
                raise ParameterError(f"{items.name}: {unknown_name('attribute', name, items.attributes)}")
        field = _Field(self, items)

        def answer(
            train: IntArray, labels: IntArray, tested: IntArray, generator: np.random.Generator
        ) -> NDArray[np.int64]:
            return field.decode(field.train(train, labels), tested)

        return answer


_KEPT = re.compile(b"\1+")


class TokenAttributes:
    """Names of the attributes of each token: ``offset|attribute|code of the value``.

    Values stand for themselves by number, so that no character of a word is mistaken for a separator. The names of a token
    are made on first use: most tokens of a text are far from any item.
    """

    def __init__(self, items: TokenSet, names: Iterable[str], window: int) -> None:
        begins = np.zeros(items.n_tokens, dtype=np.int32)
        for start, stop in items.places.tolist():
            begins[start:stop], begins[start] = 2, 1
        self._columns = [(str(j), items.codes[name].tolist()) for j, name in enumerate(names)]
        self._columns.append(("place", begins.tolist()))
        lengths = np.diff(items.sentences)
        self._low = np.repeat(items.sentences[:-1], lengths).tolist()
        self._high = np.repeat(items.sentences[1:], lengths).tolist()
        self._window = window
        self._names: dict[int, list[str]] = {}

    def __getitem__(self, token: int) -> list[str]:
        """Return the names of one token."""
        names = self._names.get(token)
        if names is None:
            first, after = max(self._low[token], token - self._window), token + self._window + 1
            near = range(first, min(self._high[token], after))
            names = [f"{s - token}|{name}|{codes[s]}" for name, codes in self._columns for s in near]
            self._names[token] = names
        return names


class _Field:
    """State shared by all iterations: tokens with attributes, and the places of the items."""

    def __init__(self, settings: CRF, items: TokenSet) -> None:
        from scipy.sparse import csr_matrix

        self.settings, self.items = settings, items
        self.tokens = TokenAttributes(items, settings.attributes or items.attributes, settings.window)
        self.first = items.places[:, 0]
        self.fixed_labels: list[str | None] = [NULL] * items.n_tokens
        for start, stop in items.places.tolist():
            self.fixed_labels[start:stop] = [None, *[INSIDE] * (stop - start - 1)]
        self.sentence = items.sentence_of_places()
        self.bounds, self.places = items.sentences.tolist(), items.places.tolist()
        self.firsts = np.searchsorted(self.sentence, np.arange(len(self.bounds))).tolist()
        self._link()
        self.number: dict[str, int] = {}
        columns = [
            [self.number.setdefault(name, len(self.number)) for name in self.tokens[t]] for t in self.first.tolist()
        ]
        bounds = np.concatenate([[0], np.cumsum([len(row) for row in columns])])
        flat = np.array([column for row in columns for column in row], dtype=np.int64)
        self.rows = csr_matrix((np.ones(flat.size), flat, bounds), shape=(len(columns), len(self.number)))

    def pieces(self, train: IntArray) -> list[tuple[int, int]]:
        """Return runs of training tokens: those near the items, without unlabelled items of the same sentences."""
        reach, trained = self.settings.context, set(train.tolist())
        runs: list[tuple[int, int]] = []
        for sentence in np.unique(self.sentence[train]).tolist():
            low, high = self.bounds[sentence], self.bounds[sentence + 1]
            places = [(place, *self.places[place]) for place in range(self.firsts[sentence], self.firsts[sentence + 1])]
            mask = bytearray(high - low)
            for place, start, stop in places:
                if place in trained:
                    before, after = (low, high) if reach is None else (max(low, start - reach), min(high, stop + reach))
                    mask[before - low : after - low] = b"\1" * (after - before)
            for place, start, stop in places:
                if place not in trained:
                    mask[start - low : stop - low] = bytes(stop - start)
            runs += [(low + run.start(), low + run.end()) for run in _KEPT.finditer(mask)]
        return runs

    def train(self, train: IntArray, labels: IntArray) -> FieldWeights:
        """Return weights of a field trained on some places."""
        settings = self.settings
        label_of_token = dict(zip(self.first[train].tolist(), labels.tolist(), strict=True))
        pieces = (
            (
                [self.tokens[t] for t in range(low, high)],
                [
                    label if label is not None else str(label_of_token[low + t])
                    for t, label in enumerate(self.fixed_labels[low:high])
                ],
            )
            for low, high in self.pieces(train)
        )
        model = trained(pieces, c1=settings.c1, c2=settings.c2, max_iterations=settings.max_iterations)
        return self.weights(model, int(labels.max()) + 1)

    def weights(self, info: Learnt, n_classes: int) -> FieldWeights:
        """Return weights by the numbers of attributes and classes."""
        from scipy.sparse import coo_matrix

        # Attributes of tokens around an item may be absent from the first token.
        rows = np.array([self.number.get(name, -1) for name in info.attributes], dtype=np.int64)
        # The number of a class, or of a given label after the classes.
        codes = np.array([n_classes + GIVEN.index(n) if n in GIVEN else int(n) for n in info.labels], dtype=np.int64)
        attribute, label, weight = info.state
        row, column = rows[attribute], codes[label]
        mask = (row >= 0) & (column < n_classes)
        at = row[mask], column[mask]
        state = coo_matrix((weight[mask], at), shape=(len(self.number), n_classes)).tocsr()
        between = np.zeros((n_classes + len(GIVEN) + 1, n_classes + len(GIVEN) + 1))
        before, after, weight = info.transitions
        between[codes[before], codes[after]] = weight
        entering, leaving = between[n_classes:, :n_classes].copy(), between[:n_classes, n_classes:].T.copy()
        between = between[:n_classes, :n_classes].copy()
        return FieldWeights(state, entering, leaving, between)

    def decode(self, weights: FieldWeights, tested: IntArray) -> NDArray[np.int64]:
        """Return the likeliest classes of some places and adjacent ones, given the labels of all other tokens."""
        state, classes = weights.state, np.full(len(self.first), -1, dtype=np.int64)
        _decode(
            self.rows.indptr, self.rows.indices, state.indptr, state.indices, state.data,
            weights.entering, weights.leaving, weights.between, self.before, self.after,
            np.unique(self.head[tested]), self.length, classes,
        )  # fmt: skip
        return np.asarray(classes[tested])

    def _link(self) -> None:
        """Find the labels before and after each first token, and adjacent first tokens.

        Items of one token that stand side by side are a chain, and are decoded together.
        """
        bounds, n = self.items.sentences, len(self.first)
        opens = self.first == bounds[self.sentence]
        closes = self.first + 1 == bounds[self.sentence + 1]
        codes = np.array(
            [GIVEN.index(label) if label is not None else TOUCHING for label in (*self.fixed_labels, None)]
        )
        self.before = np.where(opens, NOTHING, codes[self.first - 1])
        self.after = np.where(closes, NOTHING, codes[self.first + 1])
        # Adjacent items form a chain: consecutive places, whose first is the head.
        joined = np.concatenate([[False], self.after[:-1] == TOUCHING]) if n else np.zeros(0, dtype=bool)
        self.head = np.maximum.accumulate(np.where(joined, 0, np.arange(n)))
        self.length = np.bincount(self.head, minlength=n)


@compiled()
def _decode(  # type: ignore[no-untyped-def]
    row_bounds, row_attributes, state_bounds, state_classes, state_weights,
    entering, leaving, between, before, after, heads, length, classes,
):  # fmt: skip
    """Classes of every place of some chains, on the path with the largest sum; the first of equal ones."""
    n_classes = between.shape[0]
    longest = 0
    for head in heads:
        longest = max(longest, length[head])
    came = np.empty((longest, n_classes), dtype=np.int64)
    best, own, total = np.empty(n_classes), np.empty(n_classes), np.empty(n_classes)
    for head in heads:
        last = head + length[head] - 1
        for place in range(head, last + 1):
            for to in range(n_classes):
                own[to] = 0.0
            for r in range(row_bounds[place], row_bounds[place + 1]):
                attribute = row_attributes[r]
                for s in range(state_bounds[attribute], state_bounds[attribute + 1]):
                    own[state_classes[s]] += state_weights[s]
            if place == last:
                for to in range(n_classes):
                    own[to] += leaving[after[place], to]
            if place == head:
                for to in range(n_classes):
                    best[to] = own[to] + entering[before[place], to]
                continue
            for to in range(n_classes):
                best_origin = 0
                for origin in range(n_classes):
                    total[origin] = best[origin] + between[origin, to]
                    if total[origin] > total[best_origin]:
                        best_origin = origin
                came[place - head, to] = best_origin
                own[to] += total[best_origin]
            for to in range(n_classes):
                best[to] = own[to]
        label = np.argmax(best)
        for place in range(last, head - 1, -1):
            classes[place] = label
            if place > head:
                label = came[place - head, label]
