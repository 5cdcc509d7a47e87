"""Generated sentences, for tests and for machines that cannot have any text: classes differ in their contexts."""

from __future__ import annotations

from typing import Any

import numpy as np

from kinseq.core.arrays import as_count, as_flag
from kinseq.core.errors import ParameterError
from kinseq.core.seeds import stream
from kinseq.core.tokens import TokenSet

from ..tasks import Task
from .registry import Loader

_COMMON = 12
_TYPICAL = 4


def _number(value: Any, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0.0 <= value <= 1.0:
        raise ParameterError(f"sentences: {name} is {value!r}, expected a share from 0 to 1")
    return float(value)


def generate(
    seed: int, items: int, classes: int, words: int, typical: float, repeated: bool, **_: Any
) -> tuple[TokenSet, list[Task]]:
    """Entities of some classes in sentences of five to nine words, as many of each class as of any other, up to one.

    A class has `words` distinct words of its own. `typical` is the probability that the word before or behind an entity
    is one of four that only its class has there; it is one of twelve common words otherwise, as all others are. If
    `repeated`, items are words and occur again and again, with the words of their class as neighbours; else every
    occurrence is an item. Attributes are ``word``, ``tag`` (``noun``, ``typical``, ``common``) and ``position``; the
    one task is of all items.
    """
    n, k, size = (
        as_count(v, f"sentences: {name}") for v, name in ((items, "items"), (classes, "classes"), (words, "words"))
    )
    share = _number(typical, "typical")
    if n < k * size and as_flag(repeated, "sentences: repeated"):
        raise ParameterError(f"sentences: items is {n}, expected at least one for each of {k * size} words; raise it")
    draw = stream(seed, "sentences")
    kind = np.arange(n) % k
    # The first round over the words of all classes uses each of them once.
    which = np.where(np.arange(n) < k * size, np.arange(n) // k % size, draw.integers(size, size=n))
    text: list[list[str]] = []
    tags: list[list[str]] = []
    places = []

    def beside(side: str, of: int) -> tuple[str, str]:
        if draw.random() < share:
            return f"{side}{of}{chr(97 + int(draw.integers(_TYPICAL)))}", "typical"
        return f"word{int(draw.integers(_COMMON))}", "common"

    for of, entity in zip(kind.tolist(), which.tolist(), strict=True):
        start, stop = int(draw.integers(1, 3)), int(draw.integers(1, 4))
        filler = [(f"word{int(c)}", "common") for c in draw.integers(_COMMON, size=start + stop)]
        name = f"{chr(65 + of % 26)}{of // 26 or ''}name{entity}"
        line = [*filler[:start], beside("pre", of), (name, "noun"), beside("post", of), *filler[start:]]
        places.append((len(text), start + 1, start + 2))
        text.append([word for word, _ in line])
        tags.append([tag for _, tag in line])
    position = [["O"] * len(line) for line in text]
    for sentence, at, _stop in places:
        position[sentence][at] = "B"
    attributes = {"word": text, "tag": tags, "position": position}
    strings = [text[s][at] for s, at, _ in places]
    if not repeated:
        tokens = TokenSet.from_sentences(
            attributes,
            places,
            labels=[f"class{of}" for of in kind],
            groups=strings,
            ids=[f"{i:05d}/{string}" for i, string in enumerate(strings)],
            name="sentences",
        )
        return tokens, [Task("all", np.arange(len(tokens)), k)]
    ids, owner = np.unique(strings, return_inverse=True)
    of_word = np.zeros(len(ids), dtype=np.int64)
    of_word[owner] = kind
    pairs = np.argwhere((of_word[:, None] == of_word) & ~np.eye(len(ids), dtype=bool))
    tokens = TokenSet.from_sentences(attributes, places, items=owner, ids=ids, neighbours=pairs, name="sentences")
    return tokens, [Task("all", np.arange(len(tokens)), None)]


LOADERS = (
    Loader(
        name="sentences",
        label="generated sentences with entities whose class shows in the words next to them, anew in every trial",
        notes={
            "words": "of a class",
            "typical": "share of contexts that show the class",
            "repeated": "true: items are words, neighbours those of their class",
        },
        function=generate,
        kind="generated",
        params={"items": 300, "classes": 4, "words": 20, "typical": 0.7, "repeated": False},
    ),
)
