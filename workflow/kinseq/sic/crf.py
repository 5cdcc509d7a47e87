"""Linear-chain conditional random fields on items in sentences."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..arrays import FloatArray, IntArray, as_count, as_real
from ..errors import DataError, KinseqError, ParameterError, unknown_name
from ..tokens import Items, TokenSet
from .classifying import Answer

NULL, INSIDE = "null", "in"
"""Labels of tokens outside of items, and of those of an item but its first. They are given, never decoded."""


GIVEN = (NULL, INSIDE)
NOTHING, TOUCHING = 2, 3
"""Beside the positions in GIVEN: there is no token in the sentence, or it is the first one of another item."""


class Weights(NamedTuple):
    """What a trained field says: weights of attributes and of transitions, for random labels in their order."""

    state: Any
    """Sparse, (attributes, C)"""
    entering: FloatArray
    """(3, C), weights of the transitions to each class from what is given before: see GIVEN and NOTHING"""
    leaving: FloatArray
    """(3, C), weights of the transitions from each class to what is given after"""
    between: FloatArray
    """(C, C)"""


@dataclass(frozen=True)
class CRF:
    """A field that learns the labels of the items of some sentences, and gives one of them to the items of others.

    The label of an item is that of its first token. Other tokens are labelled as outside or inside of an item, in training
    and in testing alike. Decoding is exact: the likeliest random labels of the first tokens, given the others.

    Attributes
    ----------
    attributes : sequence of str, optional
        Attributes of the tokens that are looked at; all if not given. Whether a token begins an item, is inside of one or
        outside is always looked at.
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
        as_count(self.window, "window", least=0)
        as_count(self.max_iterations, "max_iterations")
        as_count(self.min_per_label, "min_per_label")
        if self.context is not None:
            as_count(self.context, "context", least=0)
        for name in ("c1", "c2"):
            if as_real(getattr(self, name), name) < 0.0:
                raise ParameterError(f"{name} is {getattr(self, name)!r}, expected a penalty of at least 0")

    def prepare(self, items: Items) -> Answer:
        """Attributes of all tokens, in the form that training takes and as sparse rows of the first tokens."""
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


def _crfsuite() -> Any:
    try:
        import pycrfsuite
    except ImportError as error:
        raise KinseqError("conditional random fields need python-crfsuite; install it with pip") from error
    return pycrfsuite


def _quiet_trainer() -> Any:
    """A trainer that does not read its own log, which takes longer than a small field."""

    class Quiet(_crfsuite().Trainer):  # type: ignore[misc]
        def message(self, message: str) -> None:
            pass

    return Quiet(algorithm="lbfgs", verbose=False)


class Learnt(NamedTuple):
    """Parameters of a trained field as CRFsuite writes them: names and a weight, each as text."""

    state: list[tuple[str, str, str]]
    """Attribute, label, weight"""
    transitions: list[tuple[str, str, str]]
    """Label before, label after, weight"""


_LINE = re.compile(r"^ +\([01]\) (\S+) --> (\S+): (\S+)$", re.MULTILINE)


def learnt(dump: str) -> Learnt:
    """Parameters from the text of a model; no name of ours holds a space.

    Reading it line by line, as the package does, takes longer than training a small field.
    """
    transitions, found, state = dump.partition("STATE_FEATURES = {")
    if not found:
        raise KinseqError(
            "the model that CRFsuite wrote has no features; install the version of python-crfsuite asked for"
        )
    return Learnt(_LINE.findall(state), _LINE.findall(transitions.partition("TRANSITIONS = {")[2]))


class TokenAttributes:
    """Names of the attributes that hold for each token: ``offset|attribute|code of the value``.

    Values stand for themselves by number, so that no character of a word is mistaken for a separator. The names of a token
    are made when they are first asked for: most tokens of a text are far from any item.
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
        self._made: dict[int, list[str]] = {}

    def __getitem__(self, token: int) -> list[str]:
        """The names of one token."""
        found = self._made.get(token)
        if found is None:
            first, after = max(self._low[token], token - self._window), token + self._window + 1
            near = range(first, min(self._high[token], after))
            found = [f"{s - token}|{name}|{codes[s]}" for name, codes in self._columns for s in near]
            self._made[token] = found
        return found


class _Field:
    """What all iterations share: tokens with their attributes, and where the items are."""

    def __init__(self, settings: CRF, items: TokenSet) -> None:
        from scipy.sparse import csr_matrix

        self.settings, self.items = settings, items
        self.tokens = TokenAttributes(items, settings.attributes or items.attributes, settings.window)
        self.first = items.places[:, 0]
        self.known: list[str | None] = [NULL] * items.n_tokens
        for start, stop in items.places.tolist():
            self.known[start:stop] = [None, *[INSIDE] * (stop - start - 1)]
        self.sentence = items.sentence_of_places()
        self._link()
        self.number: dict[str, int] = {}
        columns = [
            [self.number.setdefault(name, len(self.number)) for name in self.tokens[t]] for t in self.first.tolist()
        ]
        bounds = np.concatenate([[0], np.cumsum([len(row) for row in columns])])
        flat = np.array([column for row in columns for column in row], dtype=np.int64)
        self.rows = csr_matrix((np.ones(flat.size), flat, bounds), shape=(len(columns), len(self.number)))

    def pieces(self, train: IntArray) -> list[tuple[int, int]]:
        """Runs of tokens to train on: those near the items, without the items of the same sentences that bear no label."""
        reach, trained = self.settings.context, set(train.tolist())
        found: list[tuple[int, int]] = []
        for sentence in np.unique(self.sentence[train]).tolist():
            low, high = self.items.sentences[sentence : sentence + 2].tolist()
            first, last = np.searchsorted(self.sentence, [sentence, sentence + 1]).tolist()
            # One more on either side, so that what is kept begins and ends inside.
            kept = np.zeros(high - low + 2, dtype=np.int8)
            places = self.items.places[first:last].tolist()
            for place, (start, stop) in enumerate(places, start=first):
                if place in trained:
                    before, after = (low, high) if reach is None else (max(low, start - reach), min(high, stop + reach))
                    kept[before - low + 1 : after - low + 1] = 1
            for place, (start, stop) in enumerate(places, start=first):
                if place not in trained:
                    kept[start - low + 1 : stop - low + 1] = 0
            steps = np.diff(kept)
            begins, ends = np.flatnonzero(steps == 1) + low, np.flatnonzero(steps == -1) + low
            found += zip(begins.tolist(), ends.tolist(), strict=True)
        return found

    def train(self, train: IntArray, labels: IntArray) -> Weights:
        """Weights of a field that was trained on some places."""
        settings = self.settings
        given = dict(zip(self.first[train].tolist(), labels.tolist(), strict=True))
        trainer = _quiet_trainer()
        trainer.set_params({"c1": settings.c1, "c2": settings.c2, "max_iterations": settings.max_iterations})
        for low, high in self.pieces(train):
            names = [
                known if known is not None else str(given[low + t]) for t, known in enumerate(self.known[low:high])
            ]
            trainer.append([self.tokens[t] for t in range(low, high)], names)
        with tempfile.TemporaryDirectory() as folder:
            path = str(Path(folder) / "field.crf")
            trainer.train(path)
            tagger = _crfsuite().Tagger()
            tagger.open(path)
            try:
                tagger.dump(f"{path}.txt")
            finally:
                tagger.close()
            text = Path(f"{path}.txt").read_text(encoding="utf-8")
        return self.weights(learnt(text), int(labels.max()) + 1)

    def weights(self, info: Learnt, n_classes: int) -> Weights:
        """Weights by the numbers of attributes and classes."""
        from scipy.sparse import coo_matrix

        rows, columns, values = [], [], []
        for attribute, label, weight in info.state:
            if label not in GIVEN and attribute in self.number:
                rows.append(self.number[attribute])
                columns.append(int(label))
                values.append(float(weight))
        at = np.array(rows, dtype=np.int64), np.array(columns, dtype=np.int64)
        state = coo_matrix((np.array(values), at), shape=(len(self.number), n_classes)).tocsr()
        entering, leaving = np.zeros((len(GIVEN) + 1, n_classes)), np.zeros((len(GIVEN) + 1, n_classes))
        between = np.zeros((n_classes, n_classes))
        for before, after, weight in info.transitions:
            if before in GIVEN and after not in GIVEN:
                entering[GIVEN.index(before), int(after)] = float(weight)
            elif before not in GIVEN and after in GIVEN:
                leaving[GIVEN.index(after), int(before)] = float(weight)
            elif before not in GIVEN and after not in GIVEN:
                between[int(before), int(after)] = float(weight)
        return Weights(state, entering, leaving, between)

    def decode(self, weights: Weights, tested: IntArray) -> NDArray[np.int64]:
        """The likeliest classes of some places and of those that touch them, given the labels of all other tokens."""
        found = np.full(len(self.first), -1, dtype=np.int64)
        alone = tested[self.chain[tested] < 0]
        scores = np.asarray((self.rows[alone] @ weights.state).todense())
        scores += weights.entering[self.before[alone]] + weights.leaving[self.after[alone]]
        found[alone] = scores.argmax(axis=1)
        chains = [self.chains[number] for number in np.unique(self.chain[tested[self.chain[tested] >= 0]]).tolist()]
        if not chains:
            return np.asarray(found[tested])
        linked = np.asarray((self.rows[np.concatenate(chains)] @ weights.state).todense())
        for chain, own in zip(chains, np.split(linked, np.cumsum([chain.size for chain in chains])[:-1]), strict=True):
            own[0] += weights.entering[self.before[chain[0]]]
            own[-1] += weights.leaving[self.after[chain[-1]]]
            found[chain] = _viterbi(own, weights.between)
        return np.asarray(found[tested])

    def _link(self) -> None:
        """Find out which labels stand before and after each first token, and which first tokens touch each other.

        Items of one token that stand side by side are a chain, and are decoded together.
        """
        bounds, n = self.items.sentences, len(self.first)
        opens = self.first == bounds[self.sentence]
        closes = self.first + 1 == bounds[self.sentence + 1]
        codes = np.array([GIVEN.index(known) if known is not None else TOUCHING for known in (*self.known, None)])
        self.before = np.where(opens, NOTHING, codes[self.first - 1])
        self.after = np.where(closes, NOTHING, codes[self.first + 1])
        self.chain = np.full(n, -1, dtype=np.int64)
        self.chains: list[IntArray] = []
        for place in np.flatnonzero(self.after == TOUCHING).tolist():
            if self.chain[place] < 0:
                chain = [place]
                while self.after[chain[-1]] == TOUCHING:
                    chain.append(chain[-1] + 1)
                self.chain[chain] = len(self.chains)
                self.chains.append(np.array(chain))


def _viterbi(scores: FloatArray, between: FloatArray) -> IntArray:
    """Classes with the largest sum of scores and transitions, the first of equal ones."""
    best, back = scores[0], []
    for row in scores[1:]:
        total = best[:, None] + between
        back.append(total.argmax(axis=0))
        best = total.max(axis=0) + row
    path = [int(best.argmax())]
    for came in reversed(back):
        path.append(int(came[path[-1]]))
    return np.array(path[::-1], dtype=np.int64)
