"""Bad input to the readers of texts."""

from __future__ import annotations

import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from kinseq import measures
from kinseq_documents.data import registry

from .table import Case

BIO = "Rennes I-LOC\nest O\n. O\n"
BROWN = "The/at cat/nn saw/vbd cats/nns ./.\n"
WORDNET = "00000001-n:\n  members:\n  - cat\n  - kitty\n"


def archive(path: Path, members: dict[str, str]) -> None:
    with zipfile.ZipFile(path, "w") as made:
        for name, content in members.items():
            made.writestr(name, content)


def entities(content: str = BIO, **params: Any) -> Callable[[Path], Any]:
    def call(folder: Path) -> Any:
        (folder / "enp_FR.bnf.bio").write_text(content, encoding="utf-8")
        return registry.make("x", "europeana", params, folder, 1)

    return call


def nouns(
    loader: str = "noun_classes",
    brown: str | None = BROWN,
    wordnet: str | None = WORDNET,
    field: str = "animal",
    **params: Any,
) -> Callable[[Path], Any]:
    def call(folder: Path) -> Any:
        if brown is not None:
            archive(folder / "brown.zip", {"brown/ca01": brown})
        if wordnet is not None:
            archive(folder / "oewn-nouns-yaml.zip", {f"noun.{field}.yaml": wordnet})
        return registry.make("x", loader, {"corpora": ["brown"], **params}, folder, 1)

    return call


def cut(name: str, loader: str) -> Callable[[Path], Any]:
    def call(folder: Path) -> Any:
        with tempfile.TemporaryDirectory() as scratch:
            archive(Path(scratch, "whole.zip"), {"brown/ca01": BROWN * 50, "noun.animal.yaml": WORDNET * 50})
            content = Path(scratch, "whole.zip").read_bytes()
        for file in ("brown.zip", "oewn-nouns-yaml.zip"):
            (folder / file).write_bytes(content[: len(content) // 2] if file == name else content)
        return registry.make("x", loader, {"corpora": ["brown"]}, folder, 1)

    return call


def generated(**params: Any) -> Callable[[Path], Any]:
    return lambda folder: registry.make("x", "sentences", params, None, 1)


def words_by(name: str, **params: Any) -> Callable[[Path], Any]:
    return lambda folder: measures.compute(name, generated(items=20)(folder)[0], **params)


CASES: tuple[Case, ...] = (
    Case(
        "measures of words: sequences",
        lambda _: measures.compute("contexts", [[[0.0]], [[1.0]]]),
        "words in sentences are",
    ),
    Case("measures of words: another set", words_by("contexts", others=[[[0.0]]]), "compared within one set"),
    Case(
        "measures of words: unknown attribute",
        words_by("contexts", attribute="lemma"),
        "unknown attribute 'lemma'.*word",
    ),
    Case("measures of words: window of no width", words_by("contexts", window=0), "window is 0"),
    Case("measures of words: a model", words_by("attribute_cosine", model="hmm"), "needs no models"),
    Case("measures of sequences: words", words_by("dtw_symmetric2"), "holds words in sentences"),
    Case(
        "forest: no trees", lambda _: measures.compute("forest", [[[0.0]], [[1.0]], [[3.0]]], n_trees=0), "n_trees is 0"
    ),
    Case(
        "symmetric steps: kind of features that nobody knows",
        lambda _: measures.compute("dtw_symmetric2", [[[0.0]], [[1.0]]], kind="mfcc"),
        "does not say which of its features are 'mfcc'; leave the kind out",
    ),
    Case(
        "symmetric steps: unknown normalisation",
        lambda _: measures.compute("dtw_symmetric2", [[[0.0]], [[1.0]]], normalisation="all"),
        "unknown normalisation 'all'",
    ),
    Case(
        "entities: no file",
        lambda folder: registry.make("x", "europeana", {}, folder, 1),
        "bio: cannot be read .*fetch",
    ),
    Case("entities: unknown tag", entities("Rennes I-XXX\n"), "line 1 is 'Rennes I-XXX', expected a token.*I-PER"),
    Case("entities: token without tag", entities("Rennes\n"), "line 1 is 'Rennes'"),
    Case("entities: none", entities("est O\n"), "has no entity"),
    Case("entities: fewer than asked for", entities(items=2), "has 1 entities, items is 2; ask for fewer"),
    Case("entities: none asked for", entities(items=0), "items is 0"),
    Case("entities: rich is a word", entities(rich="very"), "rich is 'very'"),
    Case("entities: unknown parameter", entities(item=2), "unknown parameter 'item'.*valid names: items, rich"),
    Case("nouns: no corpus", nouns(brown=None), "brown.zip: cannot be unpacked"),
    Case("nouns: no WordNet", nouns(wordnet=None), "oewn-nouns-yaml.zip: is missing; put the archive"),
    Case("nouns: corpus cut off", cut("brown.zip", "noun_classes"), "brown.zip: cannot be unpacked.*fetch it again"),
    Case(
        "nouns: WordNet cut off",
        cut("oewn-nouns-yaml.zip", "noun_words"),
        "yaml.zip: cannot be unpacked.*fetch it again",
    ),
    Case("nouns: WordNet without senses", nouns(wordnet="nothing"), "noun.animal.yaml holds no sense"),
    Case("nouns: texts without tags", nouns(brown="The cat\n"), "hold no tagged token"),
    Case("nouns: more texts than there are", nouns(texts=2), "holds 1 texts, 2 were asked for"),
    Case("nouns: unknown corpus", nouns(corpora=["blue"]), "unknown corpus 'blue'; valid names: brown, masc"),
    Case("nouns: unknown field", nouns(fields=["thing"]), "unknown field 'thing'; valid names: animal"),
    Case("nouns: too many items", nouns(fields=["animal"], items=3), "2 nouns are of one of the fields, items is 3"),
    Case(
        "words: unknown relation",
        nouns("noun_words", relation="kin"),
        "unknown relation 'kin'; valid names: related, syn",
    ),
    Case("words: none with a neighbour", nouns("noun_words", least=1), "0 nouns occur 1 times and have a neighbour"),
    Case("words: least is no number", nouns("noun_words", least="few"), "least is 'few'"),
    Case("generated: share above 1", generated(typical=1.5), "typical is 1.5, expected a share from 0 to 1"),
    Case("generated: no items", generated(items=0), "items is 0"),
    Case("generated: fewer items than words", generated(items=10, repeated=True), "at least one for each of 80 words"),
)
