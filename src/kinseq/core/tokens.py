"""Words in sentences with named attributes, some of them marked as items: the input of taggers."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .arrays import IntArray, as_names, as_whole_numbers
from .errors import DataError, ParameterError, unknown_name
from .sequences import Sequences, SequenceSet, as_column, as_positions, as_sequence_set

StrArray = NDArray[np.str_]


@dataclass(frozen=True, repr=False)
class TokenSet:
    """Items that are marked in sentences, and the sentences.

    A token has one value of each attribute (word, part of speech, ...). An item is marked in one place, as a named
    entity, or in several, as a word that occurs again and again. A place is a run of tokens of one sentence. Items have
    ids, labels and groups and are chosen by tasks, as the sequences of a :class:`~kinseq.core.sequences.SequenceSet` are.

    Attributes
    ----------
    codes : mapping of str to ndarray, shape (T,), int32
        By attribute: for each token the position of its value in the vocabulary.
    vocabularies : mapping of str to ndarray of str
        By attribute: its distinct values.
    sentences : ndarray, shape (S + 1,), int64
        Sentence s holds the tokens ``sentences[s]`` to ``sentences[s + 1] - 1``.
    places : ndarray, shape (M, 2), int64
        First token of each place and the token after its last one, in rising order and without overlap.
    items : ndarray, shape (M,), int64
        Which item is in each place; every item of 0 .. N - 1 is somewhere.
    labels, groups : ndarray, shape (N,), or None
        True class of each item, and what else it belongs to.
    ids : ndarray of str, shape (N,)
        Unique names.
    neighbours : ndarray, shape (P, 2), int64, or None
        Ordered pairs (i, j) of items: j is in the list of true neighbours of i. They are for scores, as labels are.
    name : str
        Name of the data set.
    provenance : mapping
        Where the data come from (JSON-compatible).
    """

    codes: Mapping[str, NDArray[np.int32]]
    vocabularies: Mapping[str, StrArray]
    sentences: IntArray
    places: IntArray
    items: IntArray
    labels: NDArray[Any] | None = None
    groups: NDArray[Any] | None = None
    ids: StrArray = field(default_factory=lambda: np.zeros(0, dtype=np.str_))
    neighbours: IntArray | None = None
    name: str = "tokens"
    provenance: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.codes or list(self.codes) != list(self.vocabularies):
            raise DataError(
                f"{self.name}: has codes of {', '.join(self.codes) or 'no attribute'} and vocabularies of"
                f" {', '.join(self.vocabularies) or 'none'}; give both of the same attributes, at least one"
            )
        codes = {key: self._codes(key) for key in self.codes}
        sentences = as_whole_numbers(self.sentences, f"{self.name}: sentences")
        n_tokens = len(next(iter(codes.values())))
        if sentences.ndim != 1 or sentences.size < 2 or sentences[0] != 0 or sentences[-1] != n_tokens:
            raise DataError(f"{self.name}: sentences must rise from 0 to the number of tokens {n_tokens}")
        if (np.diff(sentences) <= 0).any():
            empty = int(np.flatnonzero(np.diff(sentences) <= 0)[0])
            raise DataError(f"{self.name}: sentence {empty} is empty; remove it")
        places, items = self._places(sentences)
        n = int(items.max()) + 1
        ids = np.array(as_names(self.ids, f"{self.name}: ids"), dtype=np.str_)
        ids = ids if ids.size else np.array([f"i{i:05d}" for i in range(n)], dtype=np.str_)
        columns = {"ids": ids}
        for column in ("labels", "groups"):
            if getattr(self, column) is not None:
                columns[column] = as_column(getattr(self, column), f"{self.name}: {column}")
        for column, entries in columns.items():
            if entries.shape != (n,):
                raise DataError(
                    f"{self.name}: {column} have shape {entries.shape} but there are {n} items; give one each"
                )
            object.__setattr__(self, column, entries)
        unique, counts = np.unique(ids, return_counts=True)
        if (counts > 1).any():
            raise DataError(
                f"{self.name}: id {str(unique[counts > 1][0])!r} is used more than once; ids must be unique"
            )
        if self.neighbours is not None:
            object.__setattr__(self, "neighbours", self._pairs(self.neighbours, n))
        for key, value in (("codes", codes), ("sentences", sentences), ("places", places), ("items", items)):
            object.__setattr__(self, key, value)

    def _codes(self, attribute: str) -> NDArray[np.int32]:
        codes = as_whole_numbers(self.codes[attribute], f"{self.name}: codes of {attribute}")
        vocabulary = np.asarray(self.vocabularies[attribute])
        first = next(iter(self.codes.values()))
        if codes.ndim != 1 or codes.shape != np.shape(first) or codes.size == 0:
            raise DataError(
                f"{self.name}: codes of {attribute} have shape {codes.shape}, expected one for each of"
                f" {np.size(first)} tokens, of which there must be some"
            )
        if vocabulary.ndim != 1 or np.unique(vocabulary).size != vocabulary.size:
            raise DataError(f"{self.name}: the vocabulary of {attribute} holds a value twice; values must be distinct")
        if codes.min() < 0 or codes.max() >= vocabulary.size:
            raise DataError(
                f"{self.name}: codes of {attribute} run from {codes.min()} to {codes.max()}, expected 0 to"
                f" {vocabulary.size - 1}"
            )
        return codes.astype(np.int32)

    def _places(self, sentences: IntArray) -> tuple[IntArray, IntArray]:
        places = as_whole_numbers(self.places, f"{self.name}: places")
        items = as_whole_numbers(self.items, f"{self.name}: items")
        if places.ndim != 2 or places.shape[1] != 2 or len(places) == 0:
            raise DataError(f"{self.name}: places have shape {places.shape}, expected (M, 2) with M of at least 1")
        if items.shape != (len(places),):
            raise DataError(
                f"{self.name}: items have shape {items.shape} but there are {len(places)} places; give one each"
            )
        ordered = (places[1:, 0] >= places[:-1, 1]).all() and (places[:, 0] < places[:, 1]).all()
        if not ordered or places[0, 0] < 0 or places[-1, 1] > sentences[-1]:
            raise DataError(
                f"{self.name}: places must hold a token, be in rising order, not overlap and lie within the"
                f" {sentences[-1]} tokens"
            )
        first, last = (np.searchsorted(sentences, at, side="right") for at in (places[:, 0], places[:, 1] - 1))
        if (first != last).any():
            wrong = int(np.flatnonzero(first != last)[0])
            raise DataError(f"{self.name}: place {wrong} reaches over the end of a sentence; end it there")
        present = np.unique(items)
        if (present != np.arange(present.size)).any():
            raise DataError(f"{self.name}: items must be numbered from 0 without a gap, each in at least one place")
        return places, items

    def _pairs(self, neighbours: ArrayLike, n: int) -> IntArray:
        pairs = as_whole_numbers(neighbours, f"{self.name}: neighbours").reshape(-1, 2)
        if pairs.size and (pairs.min() < 0 or pairs.max() >= n):
            raise DataError(
                f"{self.name}: neighbours run from {pairs.min()} to {pairs.max()}, expected items 0 to {n - 1}"
            )
        if (pairs[:, 0] == pairs[:, 1]).any():
            raise DataError(f"{self.name}: an item is its own neighbour; leave such pairs out")
        return np.unique(pairs, axis=0)

    @classmethod
    def from_sentences(
        cls,
        attributes: Mapping[str, Sequence[Sequence[str]]],
        places: Sequence[tuple[int, int, int]],
        items: ArrayLike | None = None,
        **rest: Any,
    ) -> TokenSet:
        """Return a set from sentences as lists of strings.

        Parameters
        ----------
        attributes : mapping of str to list of list of str
            By attribute: the values of the tokens, sentence by sentence.
        places : sequence of (sentence, start, stop)
            Tokens `start` to ``stop - 1`` of a sentence are one place; in any order.
        items : array_like, shape (M,), optional
            Which item is in each place; an item of its own in each if not given.
        **rest
            `labels`, `groups`, `ids`, `neighbours`, `name`, `provenance`.

        Returns
        -------
        TokenSet

        Raises
        ------
        DataError
            If attributes differ in the lengths of sentences, or a place is outside its sentence.
        """
        name = str(rest.get("name", "tokens"))
        lengths = {key: [len(sentence) for sentence in values] for key, values in attributes.items()}
        if not lengths or not next(iter(lengths.values())):
            raise DataError(f"{name}: holds no sentence; at least one is needed")
        expected = next(iter(lengths.values()))
        for key, length in lengths.items():
            if length != expected:
                raise DataError(
                    f"{name}: sentences of attribute {key!r} differ in number or length from those of the first"
                    " attribute; give each token one value of each"
                )
        codes, vocabularies = {}, {}
        for key, values in attributes.items():
            # A set of strings, since sorting a million fixed-width tokens takes half a minute.
            flat = [value for sentence in values for value in sentence]
            vocabulary = sorted(set(flat))
            number = {value: code for code, value in enumerate(vocabulary)}
            vocabularies[key] = np.array(vocabulary, dtype=np.str_)
            codes[key] = np.array([number[value] for value in flat], dtype=np.int32)
        offsets = np.concatenate([[0], np.cumsum(expected)]).astype(np.int64)
        for sentence, start, stop in places:
            if not (0 <= sentence < len(expected) and 0 <= start < stop <= expected[sentence]):
                raise DataError(f"{name}: there are no tokens {start} to {stop} in sentence {sentence}")
        at = np.array([(offsets[s] + start, offsets[s] + stop) for s, start, stop in places]).reshape(-1, 2)
        owner = np.arange(len(at)) if items is None else as_whole_numbers(items, f"{name}: items")
        order = np.argsort(at[:, 0], kind="stable")
        owner = owner[order] if owner.shape == (len(at),) else owner
        return cls(codes, vocabularies, offsets, at[order], owner, **rest)

    def __repr__(self) -> str:
        return (
            f"TokenSet({self.name!r}: {len(self)} items in {len(self.places)} places of {self.n_sentences} sentences,"
            f" {self.n_tokens} tokens with {', '.join(self.attributes)})"
        )

    def __len__(self) -> int:
        return int(self.ids.size)

    @property
    def attributes(self) -> tuple[str, ...]:
        """Names of the attributes."""
        return tuple(self.codes)

    @property
    def n_sentences(self) -> int:
        """Number of sentences S."""
        return int(self.sentences.size - 1)

    @property
    def n_tokens(self) -> int:
        """Number of tokens T."""
        return int(self.sentences[-1])

    @property
    def occurrences(self) -> IntArray:
        """Number of places of each item, shape (N,)."""
        return np.bincount(self.items, minlength=len(self)).astype(np.int64)

    def values(self, attribute: str) -> StrArray:
        """Return the values of an attribute, token by token, shape (T,).

        Raises
        ------
        ParameterError
            If there is no such attribute; the message lists the names.
        """
        if attribute not in self.codes:
            raise ParameterError(f"{self.name}: {unknown_name('attribute', attribute, self.attributes)}")
        return np.asarray(self.vocabularies[attribute][self.codes[attribute]])

    def sentence_of_places(self) -> IntArray:
        """Return the number of the sentence of each place, shape (M,)."""
        return np.asarray(np.searchsorted(self.sentences, self.places[:, 0], side="right") - 1, dtype=np.int64)

    def strings(self, attribute: str = "word") -> list[str]:
        """Return the tokens of each place as one string with blanks between, in order."""
        values = self.values(attribute)
        return [" ".join(values[start:stop].tolist()) for start, stop in self.places.tolist()]

    def are_neighbours(self) -> NDArray[np.bool_]:
        """Return whether item j is in the list of item i, shape (N, N).

        Raises
        ------
        DataError
            If the set has no lists of neighbours.
        """
        if self.neighbours is None:
            raise DataError(f"{self.name}: has no lists of neighbours, so that nothing can be retrieved by them")
        related = np.zeros((len(self), len(self)), dtype=bool)
        related[self.neighbours[:, 0], self.neighbours[:, 1]] = True
        return related

    def subset(self, indices: ArrayLike) -> TokenSet:
        """Return the items at `indices`, in that order, with those sentences that hold one of them.

        Tokens of other items stay where they are and are no longer marked.

        Parameters
        ----------
        indices : array_like of int, shape (M,)
            Distinct positions in 0 .. N - 1, at least one.

        Raises
        ------
        DataError
            If a position is no whole number, out of range or listed twice, or there is none.
        """
        positions = as_positions(indices, len(self), self.name)
        if positions.size == len(self) and (positions == np.arange(len(self))).all():
            return self
        number = np.full(len(self), -1, dtype=np.int64)
        number[positions] = np.arange(positions.size)
        in_subset = number[self.items] >= 0
        used = np.unique(self.sentence_of_places()[in_subset])
        lengths = np.diff(self.sentences)[used]
        sentences = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        shift = sentences[:-1] - self.sentences[used]
        tokens = np.arange(sentences[-1]) - np.repeat(shift, lengths)
        moved = self.places[in_subset] + shift[np.searchsorted(used, self.sentence_of_places()[in_subset])][:, None]
        pairs = None
        if self.neighbours is not None:
            pairs = number[self.neighbours]
            pairs = pairs[(pairs >= 0).all(axis=1)]
        return TokenSet(
            codes={key: codes[tokens] for key, codes in self.codes.items()},
            vocabularies=self.vocabularies,
            sentences=sentences,
            places=moved,
            items=number[self.items[in_subset]],
            labels=None if self.labels is None else self.labels[positions],
            groups=None if self.groups is None else self.groups[positions],
            ids=self.ids[positions],
            neighbours=pairs,
            name=self.name,
            provenance=self.provenance,
        )

    def checksum(self) -> str:
        """Return the SHA-256 over sentences, values of the attributes, places, items, labels and neighbours."""
        digest = hashlib.sha256()
        for array in (self.sentences, self.places, self.items):
            digest.update(np.ascontiguousarray(array, dtype="<i8").tobytes())
        for key in self.attributes:
            digest.update(f"{key}\n".encode() + "\n".join(self.values(key).tolist()).encode())
        digest.update("\n".join(map(str, self.labels if self.labels is not None else [])).encode())
        if self.neighbours is not None:
            digest.update(np.ascontiguousarray(self.neighbours, dtype="<i8").tobytes())
        return digest.hexdigest()


def join(sets: Sequence[TokenSet], ids: Sequence[str], name: str, provenance: Mapping[str, Any]) -> TokenSet:
    """Return several sets concatenated, with new ids; neighbours, labels and groups are kept if all sets have them.

    A DataError if they have different attributes.
    """
    attributes = sets[0].attributes
    if any(each.attributes != attributes for each in sets):
        raise DataError(f"{name}: sets with different attributes cannot be joined; give all the same")
    codes, vocabularies = {}, {}
    for key in attributes:
        vocabularies[key] = np.unique(np.concatenate([each.vocabularies[key] for each in sets]))
        codes[key] = np.concatenate(
            [np.searchsorted(vocabularies[key], each.vocabularies[key])[each.codes[key]] for each in sets]
        ).astype(np.int32)
    tokens = np.cumsum([0, *(each.n_tokens for each in sets)])
    starts = np.cumsum([0, *(len(each) for each in sets)])

    def moved(field_name: str, shifts: IntArray) -> Any:
        parts = [getattr(each, field_name) for each in sets]
        if any(part is None for part in parts):
            return None
        return np.concatenate([part + shift for part, shift in zip(parts, shifts, strict=False)])

    def joined_field(field_name: str) -> Any:
        parts = [getattr(each, field_name) for each in sets]
        return None if any(part is None for part in parts) else np.concatenate(parts)

    return TokenSet(
        codes=codes,
        vocabularies=vocabularies,
        sentences=np.concatenate(
            [[0], *(each.sentences[1:] + shift for each, shift in zip(sets, tokens, strict=False))]
        ),
        places=moved("places", tokens),
        items=moved("items", starts),
        labels=joined_field("labels"),
        groups=joined_field("groups"),
        ids=np.array(ids, dtype=np.str_),
        neighbours=moved("neighbours", starts),
        name=name,
        provenance=provenance,
    )


Items = SequenceSet | TokenSet
"""Items of a data set: sequences of vectors, or items in sentences."""


def as_items(items: Sequences | TokenSet) -> Items:
    """Return items in sentences unchanged, and other data as :func:`~kinseq.core.sequences.as_sequence_set` does."""
    return items if isinstance(items, TokenSet) else as_sequence_set(items)
