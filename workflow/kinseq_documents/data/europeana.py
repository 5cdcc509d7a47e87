"""Named entities in historic French newspapers (Europeana Newspapers, one token and its tag a line)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from kinseq.core.arrays import as_count, as_flag
from kinseq.core.errors import DataError
from kinseq.core.tokens import TokenSet
from kinseq.features.word_attributes import flags, shape

from .registry import Loader

FILE = "enp_FR.bnf.bio"
ENDS = frozenset(".!?")
KINDS = {"I-PER": "person", "I-LOC": "location", "I-ORG": "organisation"}
OUTSIDE = "O"

Line = tuple[str, str]


def read(path: Path) -> list[Line]:
    """Tokens with their tags; a line that is no token with a known tag is refused."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"{path}: cannot be read ({error}); fetch it again") from error
    tagged_lines = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        token, _, tag = line.rpartition(" ")
        if not token.strip() or (tag != OUTSIDE and tag not in KINDS):
            raise DataError(
                f"{path}: line {number} is {line[:40]!r}, expected a token, a blank and one of"
                f" {', '.join([OUTSIDE, *KINDS])}; fetch the file again"
            )
        tagged_lines.append((token.strip(), tag))
    if not tagged_lines:
        raise DataError(f"{path}: is empty; fetch it again")
    return tagged_lines


def sentences(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Yield the text has no borders of sentences: it is cut after ``.``, ``!`` and ``?`` that are in no entity."""
    held: list[Line] = []
    for token, tag in lines:
        held.append((token, tag))
        if token in ENDS and tag == OUTSIDE:
            yield held
            held = []
    if held:
        yield held


def entities(sentence: Sequence[Line]) -> list[tuple[int, int, str]]:
    """Return runs of one tag as (start, stop, class); entities of one class that touch cannot be distinguished."""
    runs, start = [], 0
    for at in range(1, len(sentence) + 1):
        if at == len(sentence) or sentence[at][1] != sentence[start][1]:
            if sentence[start][1] != OUTSIDE:
                runs.append((start, at, KINDS[sentence[start][1]]))
            start = at
    return runs


def load(folder: Path, items: int | None, rich: bool, **_: Any) -> TokenSet:
    """Entities of ``enp_FR.bnf.bio`` with their sentences; those without an entity are left out.

    `items` takes the first so many entities, None all. `rich` adds shapes and flags of
    :data:`kinseq.features.word_attributes.FRENCH` to word and position. Labels are person, location and organisation, groups the
    entities in small letters.
    """
    wanted = None if items is None else as_count(items, "europeana: items")
    words: list[list[str]] = []
    places: list[tuple[int, int, int]] = []
    labels: list[str] = []
    for sentence in sentences(read(folder / FILE)):
        spans = entities(sentence)
        if wanted is not None:
            spans = spans[: wanted - len(places)]
        if spans:
            places += [(len(words), start, stop) for start, stop, _ in spans]
            labels += [kind for _, _, kind in spans]
            words.append([token for token, _ in sentence])
    if wanted is not None and len(places) < wanted:
        raise DataError(f"{folder / FILE}: has {len(places)} entities, items is {wanted}; ask for fewer")
    if not places:
        raise DataError(f"{folder / FILE}: has no entity; fetch it again")
    return entity_set(words, places, labels, "europeana", "french" if as_flag(rich, "europeana: rich") else None)


def entity_set(
    words: Sequence[Sequence[str]],
    places: Sequence[tuple[int, int, int]],
    labels: Sequence[str],
    name: str,
    language: str | None,
    **attributes: Sequence[Sequence[str]],
) -> TokenSet:
    """Entities as items of their own, with positions and, in a language, shapes and flags as attributes.

    `words` are sentences, `places` (sentence, start, stop) of the entities, `labels` their classes, `attributes`
    further ones, sentence by sentence. `language` says whose lists make flags, see :func:`kinseq.features.word_attributes.flags`;
    None is for no shapes and no flags. Attribute ``position`` is ``B`` for the first token of a place, ``I`` for others
    of it and ``O`` elsewhere. Ids hold the number of the entity and its words, groups its words in small letters.
    """
    position = [[OUTSIDE] * len(sentence) for sentence in words]
    for sentence, start, stop in places:
        position[sentence][start:stop] = ["B", *["I"] * (stop - start - 1)]
    columns: dict[str, Sequence[Sequence[str]]] = {"word": words, **attributes, "position": position}
    if language is not None:
        columns["shape"] = [[shape(word) for word in sentence] for sentence in words]
        flagged = [flags(sentence, language) for sentence in words]
        columns |= {f"in_{key}": [each[key] for each in flagged] for key in flagged[0]}
    strings = [" ".join(words[sentence][start:stop]) for sentence, start, stop in places]
    return TokenSet.from_sentences(
        columns,
        places,
        labels=list(labels),
        groups=[string.lower() for string in strings],
        ids=[f"{number:05d}/{string}" for number, string in enumerate(strings)],
        name=name,
    )


LOADERS = (
    Loader(
        name="europeana",
        label="named entities in historic French newspapers, items in sentences",
        notes={
            "items": "all, or the first so many",
            "rich": "true: shapes of words and flags of short lists are attributes too",
        },
        function=load,
        params={"items": None, "rich": False},
    ),
)
