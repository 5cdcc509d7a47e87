"""Entities in newspapers, nouns in tagged texts, WordNet, generated sentences."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kinseq.core.errors import DataError, ParameterError
from kinseq.core.tokens import TokenSet
from kinseq.features.word_attributes import flags, shape
from kinseq_documents.data import europeana, registry, tagged_english, wordnet

BIO = """Le O
comte I-PER
de I-PER
M I-PER
. I-PER
est O
à O
Rennes I-LOC
. O
Rien O
ici O
! O
La O
Chambre I-ORG
Nantes I-LOC
"""

PERSON = """00000001-n:
  definition:
  - 'a person: one'
  members:
  - woman
  - lady
  partOfSpeech: n
00000002-n:
  hypernym:
  - 00000001-n
  ili: i1
  members:
  - actress
  - 'cat''s paw'
"""
ANIMAL = """00000003-n:
  members:
  - cat
00000004-n:
  hypernym:
  - 00000003-n
  members:
  - tomcat
  - lady
"""
BROWN = "\n\tThe/at old/jj women/nns saw/vbd Cats/nns-hl ./.\n\n\tactress/nn cat's/nn$ lady/nn\n"
MASC = "Women_NNS to_TO see_VB cats_NNS ,_, woman_NN ._. \n\nTomcat_NN _ odd_JJ plain\n"


def corpora(folder: Path) -> Path:
    texts = folder / "english-tagged-corpora"
    texts.mkdir(parents=True, exist_ok=True)
    words = folder / tagged_english.WORDNET
    words.mkdir(exist_ok=True)
    files = {
        texts / "brown.zip": {"brown/ca01": BROWN, "brown/README": "no/nn text/nn"},
        texts / "masc_tagged.zip": {"masc_tagged/written/a.txt": MASC, "masc_tagged/categories.txt": "no_NN"},
        words / wordnet.ARCHIVE: {"src/yaml/noun.person.yaml": PERSON, "src/yaml/noun.animal.yaml": ANIMAL},
    }
    for path, members in files.items():
        with zipfile.ZipFile(path, "w") as archive:
            for name, content in members.items():
                archive.writestr(name, content)
    return texts


def made(loader: str, folder: Path | None, seed: int = 1, **params: Any) -> TokenSet:
    items, _ = registry.make("x", loader, params, folder, seed)
    assert isinstance(items, TokenSet)
    return items


def test_sentences_end_outside_entities_only() -> None:
    lines = [(line.split()[0], line.split()[1]) for line in BIO.splitlines()]
    assert [len(sentence) for sentence in europeana.sentences(lines)] == [9, 3, 3]


def test_entities_are_runs_of_one_tag(tmp_path: Path) -> None:
    (tmp_path / europeana.FILE).write_text(BIO, encoding="utf-8")
    found = made("europeana", tmp_path)
    assert found.strings() == ["comte de M .", "Rennes", "Chambre", "Nantes"]
    assert found.labels is not None
    assert found.labels.tolist() == ["person", "location", "organisation", "location"]
    assert found.n_sentences == 2
    assert "".join(found.values("position")) == "OBIIIOOBO" + "OBB"
    assert found.groups is not None
    assert found.groups[0] == "comte de m ."
    assert found.attributes == ("word", "position")


def test_the_first_entities_and_rich_attributes(tmp_path: Path) -> None:
    (tmp_path / europeana.FILE).write_text(BIO, encoding="utf-8")
    found = made("europeana", tmp_path, items=1, rich=True)
    assert found.ids.tolist() == ["00000/comte de M ."]
    # Unmarked words of a sentence have no position either: nothing shows that they are entities.
    assert "".join(found.values("position")) == "OBIIIOOOO"
    assert found.values("in_title")[1] == "yes"
    assert found.values("in_place")[7] == "yes"
    assert found.values("shape")[7] == "Xx"


def test_words_of_wordnet(tmp_path: Path) -> None:
    corpora(tmp_path)
    nouns = wordnet.read(tmp_path / tagged_english.WORDNET / wordnet.ARCHIVE)
    assert nouns.synsets["00000002-n"].members == ("actress", "cat's paw")
    assert nouns.lemma("women") == "woman"
    assert nouns.lemma("Cats") == "cat"
    assert nouns.lemma("s") is None
    assert nouns.field("woman") == "person"
    assert nouns.field("lady") is None
    assert nouns.synonyms("lady") == {"woman", "tomcat"}
    assert nouns.related("woman") == {"lady", "actress", "cat's paw"}
    assert nouns.related("actress") == {"cat's paw", "woman", "lady"}


def test_nouns_of_one_field_are_the_items(tmp_path: Path) -> None:
    found = made("noun_classes", corpora(tmp_path), fields=["person", "animal"])
    labels = dict(zip(found.strings(), found.labels.tolist() if found.labels is not None else [], strict=True))
    assert labels == {"women": "person", "Cats": "animal", "actress": "person", "Women": "person", "cats": "animal"} | {
        "woman": "person",
        "Tomcat": "animal",
    }
    # The possessive is a noun of both corpora's own tagging; the word itself is none of WordNet.
    assert found.values("tag").tolist()[:6] == ["determiner", "adjective", "noun", "verb", "noun", "sign"]
    assert made("noun_classes", corpora(tmp_path), fields=["animal"]).strings() == ["Cats", "cats", "Tomcat"]


def test_words_have_their_places_and_neighbours(tmp_path: Path) -> None:
    found = made("noun_words", corpora(tmp_path), least=1)
    assert found.ids.tolist() == ["lady", "tomcat", "woman"]
    assert [found.ids[i] for i in found.items] == ["woman", "lady", "woman", "woman", "tomcat"]
    pairs = {(str(found.ids[i]), str(found.ids[j])) for i, j in np.asarray(found.neighbours)}
    assert pairs == {("lady", "woman"), ("woman", "lady"), ("lady", "tomcat"), ("tomcat", "lady")}
    assert made("noun_words", corpora(tmp_path), least=1, most=1).occurrences.tolist() == [1, 1, 1]
    wider = made("noun_words", corpora(tmp_path), least=1, relation="related")
    assert wider.ids.tolist() == ["actress", "cat", "lady", "tomcat", "woman"]


@pytest.mark.parametrize(
    "tag, word, common",
    [
        ("np-tl", "Fulton", "name"),
        ("nn$", "cat's", "noun"),
        ("ppss+bem", "I'm", "pronoun"),
        ("fw-in", "de", "preposition"),
        ("bedz*", "wasn't", "verb"),
        ("wdt", "which", "determiner"),
        ("wql", "how", "adverb"),
        ("NNPS", "Beatles", "name"),
        ("PRP$", "his", "pronoun"),
        ("WP$", "whose", "pronoun"),
        ("PDT", "all", "determiner"),
        ("POS", "'s", "particle"),
        ("IN", "To", "particle"),
        (":", "--", "sign"),
        ("FW", "via", "other"),
    ],
)
def test_tags_of_both_corpora_meet(tag: str, word: str, common: str) -> None:
    assert tagged_english.common_tag(tag, word) == common


def test_shapes_and_flags() -> None:
    assert [shape(word) for word in ("Rennes", "USA", "1908", "L'", "X9y")] == ["Xx", "X", "9", "X'", "X9x"]
    found = flags(["Rue", "LUNDI", "xyz"], "french")
    assert found["place_word"] == ["yes", "no", "no"]
    assert found["month_or_day"] == ["no", "yes", "no"]
    with pytest.raises(ParameterError, match="english, french"):
        flags(["a"], "german")


def test_generated_sentences_show_their_classes_in_their_contexts() -> None:
    found, [task] = registry.make("x", "sentences", {"items": 200, "typical": 1.0}, None, 3)
    assert isinstance(found, TokenSet)
    assert task.n_clusters == 4
    words = found.values("word")
    for (start, stop), label in zip(found.places, found.labels, strict=True):  # type: ignore[arg-type]
        assert words[start - 1].startswith(f"pre{label[-1]}")
        assert words[stop].startswith(f"post{label[-1]}")
    again, _ = registry.make("x", "sentences", {"items": 200, "typical": 1.0}, None, 3)
    assert isinstance(again, TokenSet)
    assert again.checksum() == found.checksum()


def test_generated_words_are_neighbours_within_their_class() -> None:
    found = made("sentences", None, items=150, classes=3, words=5, repeated=True)
    assert len(found) == 15
    related = found.are_neighbours()
    assert (related.sum(axis=1) == 4).all()
    first = np.array([name[0] for name in found.ids.tolist()])
    np.testing.assert_array_equal(related, (first[:, None] == first) & ~np.eye(15, dtype=bool))


@pytest.mark.parametrize("change", ["Le X\n", "one\n", " O\n", ""])
def test_a_damaged_list_of_entities_is_refused(tmp_path: Path, change: str) -> None:
    (tmp_path / europeana.FILE).write_text(change, encoding="utf-8")
    with pytest.raises(DataError, match="fetch"):
        made("europeana", tmp_path)
