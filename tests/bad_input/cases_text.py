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
    Case("measures of words: sequences", lambda _: measures.compute("contexts", [[[0.0]], [[1.0]]])),
    Case("measures of words: another set", words_by("contexts", others=[[[0.0]]])),
    Case("measures of words: unknown attribute", words_by("contexts", attribute="lemma")),
    Case("measures of words: window of no width", words_by("contexts", window=0)),
    Case("measures of words: a model", words_by("attribute_cosine", model="hmm")),
    Case("measures of sequences: words", words_by("dtw_symmetric2")),
    Case("forest: no trees", lambda _: measures.compute("forest", [[[0.0]], [[1.0]], [[3.0]]], n_trees=0)),
    Case(
        "symmetric steps: kind of features that nobody knows",
        lambda _: measures.compute("dtw_symmetric2", [[[0.0]], [[1.0]]], kind="mfcc"),
    ),
    Case(
        "symmetric steps: unknown normalisation",
        lambda _: measures.compute("dtw_symmetric2", [[[0.0]], [[1.0]]], normalisation="all"),
    ),
    Case("entities: no file", lambda folder: registry.make("x", "europeana", {}, folder, 1)),
    Case("entities: unknown tag", entities("Rennes I-XXX\n")),
    Case("entities: token without tag", entities("Rennes\n")),
    Case("entities: none", entities("est O\n")),
    Case("entities: fewer than asked for", entities(items=2)),
    Case("entities: none asked for", entities(items=0)),
    Case("entities: rich is a word", entities(rich="very")),
    Case("entities: unknown parameter", entities(item=2)),
    Case("nouns: no corpus", nouns(brown=None)),
    Case("nouns: no WordNet", nouns(wordnet=None)),
    Case("nouns: corpus cut off", cut("brown.zip", "noun_classes")),
    Case("nouns: WordNet cut off", cut("oewn-nouns-yaml.zip", "noun_words")),
    Case("nouns: WordNet without senses", nouns(wordnet="nothing")),
    Case("nouns: texts without tags", nouns(brown="The cat\n")),
    Case("nouns: more texts than there are", nouns(texts=2)),
    Case("nouns: unknown corpus", nouns(corpora=["blue"])),
    Case("nouns: unknown field", nouns(fields=["thing"])),
    Case("nouns: too many items", nouns(fields=["animal"], items=3)),
    Case("words: unknown relation", nouns("noun_words", relation="kin")),
    Case("words: none with a neighbour", nouns("noun_words", least=1)),
    Case("words: least is no number", nouns("noun_words", least="few")),
    Case("generated: share above 1", generated(typical=1.5)),
    Case("generated: no items", generated(items=0)),
    Case("generated: fewer items than words", generated(items=10, repeated=True)),
)
