"""Nouns in tagged English texts (Brown and MASC), with fields and relations of WordNet as the truth.

The corpora know no entities. A noun all of whose senses lie in one noun file of WordNet (person, location, time...) has
that file as its class wherever it occurs. Words that occur often are items of their own, with synonyms as neighbours.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from kinseq.core.arrays import as_count, as_flag
from kinseq.core.errors import DataError, ParameterError, is_one_of, unknown_name
from kinseq.core.tokens import TokenSet

from ..tasks import Task
from . import wordnet
from .europeana import entity_set
from .registry import Loader

CORPORA: Mapping[str, tuple[str, re.Pattern[str]]] = {
    "brown": ("brown.zip", re.compile(r"brown/c[a-r]\d\d")),
    "masc": ("masc_tagged.zip", re.compile(r"masc_tagged/(spoken|written)/.+\.txt")),
}
"""By corpus: its archive, and which of the files in it are texts."""

WORDNET = "open-english-wordnet-nouns"
"""Folder of WordNet next to that of the corpora."""

FIELDS = ("person", "location", "time", "quantity", "group", "artifact", "animal", "food")

NOUN, NAME, VERB, ADJECTIVE, ADVERB = "noun", "name", "verb", "adjective", "adverb"
PRONOUN, DETERMINER, PREPOSITION, NUMBER = "pronoun", "determiner", "preposition", "number"
CONJUNCTION, PARTICLE, SIGN, OTHER = "conjunction", "particle", "sign", "other"

PENN = {
    "NNP": NAME,
    "NN": NOUN,
    "VB": VERB,
    "MD": VERB,
    "JJ": ADJECTIVE,
    "RB": ADVERB,
    "WRB": ADVERB,
    "PRP": PRONOUN,
    "WP": PRONOUN,
    "EX": PRONOUN,
    "DT": DETERMINER,
    "PDT": DETERMINER,
    "WDT": DETERMINER,
    "IN": PREPOSITION,
    "CD": NUMBER,
    "CC": CONJUNCTION,
    "TO": PARTICLE,
    "RP": PARTICLE,
    "POS": PARTICLE,
}
"""How tags of the Penn treebank begin, longest first where one begins another, to the common set."""

BROWN = {
    "np": NAME,
    "nn": NOUN,
    "nr": NOUN,
    "vb": VERB,
    "be": VERB,
    "do": VERB,
    "hv": VERB,
    "md": VERB,
    "jj": ADJECTIVE,
    "od": ADJECTIVE,
    "ap": ADJECTIVE,
    "rb": ADVERB,
    "rn": ADVERB,
    "ql": ADVERB,
    "wrb": ADVERB,
    "wql": ADVERB,
    "*": ADVERB,
    "pp": PRONOUN,
    "pn": PRONOUN,
    "wp": PRONOUN,
    "ex": PRONOUN,
    "at": DETERMINER,
    "ab": DETERMINER,
    "dt": DETERMINER,
    "wdt": DETERMINER,
    "in": PREPOSITION,
    "cs": PREPOSITION,
    "cd": NUMBER,
    "cc": CONJUNCTION,
    "to": PARTICLE,
    "rp": PARTICLE,
}
"""Word classes of the tags of the Brown corpus; subordinating conjunctions count as prepositions, as in the Penn treebank."""

Tagged = list[tuple[str, str]]


def common_tag(tag: str, word: str) -> str:
    """Return the tag of either corpus in the common set; ``to`` is a particle in both."""
    if word.lower() == "to":
        return PARTICLE
    if not any(c.isalnum() for c in word):
        return SIGN
    table = BROWN if tag == tag.lower() else PENN
    first = tag.removeprefix("fw-").split("+")[0]
    prefixes = [prefix for prefix in table if first.startswith(prefix)]
    return table[max(prefixes, key=len)] if prefixes else OTHER


def _parsed(text: str, separator: str) -> Iterator[Tagged]:
    """Yield sentences of a text, one a line, of tokens with a tag behind a separator; fields without one are passed over."""
    for line in text.splitlines():
        parts = [field.rpartition(separator) for field in line.split()]
        sentence = [(word, common_tag(tag, word)) for word, mark, tag in parts if mark and word]
        if sentence:
            yield sentence


def sentences(folder: Path, corpora: Sequence[str], texts: int | None) -> list[Tagged]:
    """Return sentences of the corpora, text by text, from the archives of :data:`CORPORA`.

    So many `texts` of each corpus, spread evenly over the list of all in the order of their names; None for all.
    """
    tagged_sentences: list[Tagged] = []
    for corpus in corpora:
        if not is_one_of(corpus, CORPORA):
            raise ParameterError(f"tagged English: {unknown_name('corpus', corpus, CORPORA)}")
        file, pattern = CORPORA[corpus]
        try:
            with zipfile.ZipFile(folder / file) as archive:
                names = sorted(name for name in archive.namelist() if pattern.fullmatch(name))
                wanted = len(names) if texts is None else as_count(texts, "tagged English: texts")
                if not names or wanted > len(names):
                    raise DataError(
                        f"{folder / file}: holds {len(names)} texts, {wanted or 'some'} were requested; request fewer or"
                        " fetch it again"
                    )
                for name in [names[i * len(names) // wanted] for i in range(wanted)]:
                    text = archive.read(name).decode("utf-8", errors="replace")
                    tagged_sentences += _parsed(text, "/" if corpus == "brown" else "_")
        except (OSError, zipfile.BadZipFile, EOFError, NotImplementedError) as error:
            raise DataError(f"{folder / file}: cannot be unpacked ({error}); fetch it again") from error
    if not tagged_sentences:
        raise DataError(f"{folder}: the texts hold no tagged token; fetch the archives again")
    return tagged_sentences


def _nouns(folder: Path) -> wordnet.Nouns:
    for place in (folder, folder.parent / WORDNET):
        if (place / wordnet.ARCHIVE).is_file():
            return wordnet.read(place / wordnet.ARCHIVE)
    raise DataError(
        f"{folder.parent / WORDNET / wordnet.ARCHIVE}: is missing; put the archive of the noun files of Open English"
        f" WordNet there or into {folder}"
    )


def _spread(count: int, wanted: int) -> list[int]:
    """Return positions of `wanted` of `count` things, spread evenly."""
    return [i * count // wanted for i in range(wanted)]


def load_classes(
    folder: Path,
    corpora: Sequence[str],
    texts: int | None,
    fields: Sequence[str],
    items: int | None,
    rich: bool,
    **_: Any,
) -> TokenSet:
    """Occurrences of nouns that have one field of WordNet, with their sentences; labels are the fields.

    `folder` holds the corpora; WordNet is there or in :data:`WORDNET` next to it. For `corpora` and `texts` see
    :func:`sentences`. `fields` are noun files of WordNet; so many `items` are spread evenly over the texts, None takes
    all. `rich` adds shapes and flags of :data:`kinseq.features.word_attributes.ENGLISH` to ``word``, ``tag`` and ``position``.
    """
    nouns, texts_read = _nouns(folder), sentences(folder, corpora, texts)
    all_fields = sorted({synset.field for synset in nouns.synsets.values()})
    for field in fields:
        if field not in all_fields:
            raise ParameterError(f"tagged English: {unknown_name('field', field, all_fields)}")
    of_word: dict[str, str | None] = {}

    def field_of(word: str) -> str | None:
        if word not in of_word:
            lemma = nouns.lemma(word)
            field = None if lemma is None else nouns.field(lemma)
            of_word[word] = field if field in fields else None
        return of_word[word]

    occurrences = [
        (s, t, kind)
        for s, sentence in enumerate(texts_read)
        for t, (word, tag) in enumerate(sentence)
        if tag in (NOUN, NAME) and (kind := field_of(word)) is not None
    ]
    wanted = len(occurrences) if items is None else as_count(items, "tagged English: items")
    if not occurrences or wanted > len(occurrences):
        raise DataError(
            f"{folder}: {len(occurrences)} nouns are of one of the fields, items is {wanted}; ask for fewer or read more texts"
        )
    selection = [occurrences[i] for i in _spread(len(occurrences), wanted)]
    used = {s: number for number, s in enumerate(sorted({s for s, _, _ in selection}))}
    return entity_set(
        [[word for word, _ in texts_read[s]] for s in used],
        [(used[s], t, t + 1) for s, t, _ in selection],
        [kind for _, _, kind in selection],
        "noun_classes",
        "english" if as_flag(rich, "tagged English: rich") else None,
        tag=[[tag for _, tag in texts_read[s]] for s in used],
    )


RELATIONS = ("synonyms", "related")


def load_words(
    folder: Path,
    corpora: Sequence[str],
    texts: int | None,
    least: int,
    most: int | None,
    relation: str,
    words: int | None,
    **_: Any,
) -> TokenSet:
    """Nouns that occur often, each in many places, with related nouns as neighbours.

    Ids are the nouns, and each has a neighbour. `folder`, `corpora` and `texts` are those of :func:`load_classes`. A noun
    occurs `least` times; of more than `most` occurrences so many are kept, spread evenly. Neighbours share a sense
    (``"synonyms"``), or also those of senses right above and right below count (``"related"``). So many `words` are spread
    evenly over those in the order of the alphabet that have a neighbour; a neighbour of each is kept, so that up to twice as
    many result. Attributes are ``word``, ``lemma``, ``tag`` and ``position``.
    """
    if not is_one_of(relation, RELATIONS):
        raise ParameterError(f"tagged English: {unknown_name('relation', relation, RELATIONS)}")
    nouns, texts_read = _nouns(folder), sentences(folder, corpora, texts)
    lemma_of: dict[str, str | None] = {}
    places: dict[str, list[tuple[int, int]]] = {}
    for s, sentence in enumerate(texts_read):
        for t, (word, tag) in enumerate(sentence):
            if tag != NOUN:
                continue
            if word not in lemma_of:
                lemma_of[word] = nouns.lemma(word.lower())
            lemma = lemma_of[word]
            if lemma is not None:
                places.setdefault(lemma, []).append((s, t))
    enough = as_count(least, "tagged English: least")
    often = {lemma for lemma, where in places.items() if len(where) >= enough}
    related = {
        lemma: sorted((nouns.synonyms if relation == "synonyms" else nouns.related)(lemma) & often) for lemma in often
    }
    candidates = sorted(lemma for lemma, others in related.items() if others)
    wanted = len(candidates) if words is None else as_count(words, "tagged English: words")
    if not candidates or wanted > len(candidates):
        raise DataError(
            f"{folder}: {len(candidates)} nouns occur {enough} times and have a neighbour that does, words is {wanted};"
            " ask for fewer or read more texts"
        )
    targets = {candidates[i] for i in _spread(len(candidates), wanted)}
    lemmas = sorted(targets | {related[lemma][0] for lemma in targets})
    number = {lemma: i for i, lemma in enumerate(lemmas)}
    largest = None if most is None else as_count(most, "tagged English: most")
    occurrences = []
    for lemma in lemmas:
        where = places[lemma]
        places_of = where if largest is None else [where[i] for i in _spread(len(where), min(largest, len(where)))]
        occurrences += [(s, t, number[lemma]) for s, t in places_of]
    used = {s: at for at, s in enumerate(sorted({s for s, _, _ in occurrences}))}
    sentences_used = [texts_read[s] for s in used]
    position = [["O"] * len(sentence) for sentence in sentences_used]
    for s, t, _item in occurrences:
        position[used[s]][t] = "B"
    return TokenSet.from_sentences(
        {
            "word": [[word for word, _ in sentence] for sentence in sentences_used],
            "lemma": [
                [(lemma_of.get(word) if tag == NOUN else None) or word.lower() for word, tag in sentence]
                for sentence in sentences_used
            ],
            "tag": [[tag for _, tag in sentence] for sentence in sentences_used],
            "position": position,
        },
        [(used[s], t, t + 1) for s, t, _ in occurrences],
        items=[i for _, _, i in occurrences],
        ids=lemmas,
        neighbours=[(number[lemma], number[other]) for lemma in lemmas for other in related[lemma] if other in number],
        name="noun_words",
    )


def tasks_of_words(tokens: TokenSet, seed: int, **_: Any) -> list[Task]:
    """Return one task of all words, which have neighbours and no classes."""
    return [Task("all", np.arange(len(tokens)), None)]


LOADERS = (
    Loader(
        name="noun_classes",
        label="nouns in tagged English texts whose senses in WordNet all lie in one noun file, which is their class",
        notes={
            "texts": "all of a corpus, or so many, spread evenly",
            "fields": "noun files that are classes",
            "items": "all, or so many, spread evenly",
        },
        function=load_classes,
        params={
            "corpora": ["brown", "masc"],
            "texts": None,
            "fields": list(FIELDS),
            "items": None,
            "rich": False,
        },
    ),
    Loader(
        name="noun_words",
        label="frequent nouns of these texts, each in all its places, with related nouns of WordNet as neighbours",
        notes={
            "least": "occurrences",
            "most": "all, or so many places of each, spread evenly",
            "relation": "or `related`: what is right above and below too",
            "words": "all, or so many and a neighbour of each",
        },
        function=load_words,
        params={
            "corpora": ["brown", "masc"],
            "texts": None,
            "least": 11,
            "most": None,
            "relation": "synonyms",
            "words": None,
        },
        tasks=tasks_of_words,
        draws=False,
    ),
)
