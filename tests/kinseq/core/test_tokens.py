"""Items in sentences: what is checked, chosen, stored and joined."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kinseq.core.errors import DataError, ParameterError
from kinseq.core.sequences import SequenceSet
from kinseq.core.tokens import TokenSet, join
from kinseq.measures.registry import MeasureInput
from kinseq_documents.data import registry
from kinseq_documents.tasks import Task, read_items, read_sequences, write_sequences
from tests.sentences import Recorded

WORDS = [["the", "old", "cat", "sat"], ["a", "dog", "ran"], ["cat", "and", "dog", "slept", "here"]]
TAGS = [["D", "A", "N", "V"], ["D", "N", "V"], ["N", "C", "N", "V", "R"]]
FLAT_TAGS = [tag for sentence in TAGS for tag in sentence]


def animals(**changes: Any) -> TokenSet:
    """Two words in four places, given out of order."""
    given: dict[str, Any] = {
        "attributes": {"word": WORDS, "tag": TAGS},
        "places": [(2, 0, 1), (0, 2, 3), (1, 1, 2), (2, 2, 3)],
        "items": [0, 0, 1, 1],
        "labels": ["feline", "canine"],
        "ids": ["cat", "dog"],
        "neighbours": [(0, 1)],
        "name": "animals",
    }
    return TokenSet.from_sentences(**{**given, **changes})


def test_places_are_put_in_order_and_stay_with_their_items() -> None:
    made = animals()
    assert len(made) == 2
    assert made.strings() == ["cat", "dog", "cat", "dog"]
    assert [made.ids[i] for i in made.items] == made.strings()
    assert made.occurrences.tolist() == [2, 2]
    assert made.sentence_of_places().tolist() == [0, 1, 2, 2]
    assert made.values("tag").tolist() == FLAT_TAGS


def test_a_place_of_several_words_is_one_string() -> None:
    made = TokenSet.from_sentences({"word": WORDS}, [(0, 1, 3), (2, 2, 3)])
    assert made.strings() == ["old cat", "dog"]
    assert len(made) == 2


def test_subset_keeps_sentences_of_the_chosen_and_unmarks_the_others() -> None:
    some = animals().subset([1])
    assert some.n_sentences == 2
    assert some.strings() == ["dog", "dog"]
    assert some.values("word").tolist() == WORDS[1] + WORDS[2]
    assert some.ids.tolist() == ["dog"]
    assert some.labels is not None
    assert some.labels.tolist() == ["canine"]
    assert some.neighbours is not None
    assert len(some.neighbours) == 0


def test_subset_in_another_order_renumbers_items_and_neighbours() -> None:
    some = animals().subset([1, 0])
    assert [some.ids[i] for i in some.items] == some.strings()
    assert some.neighbours is not None
    assert some.neighbours.tolist() == [[1, 0]]
    np.testing.assert_array_equal(some.are_neighbours(), [[False, False], [True, False]])


def test_all_of_it_is_the_set_itself() -> None:
    made = animals()
    assert made.subset([0, 1]) is made


def test_it_comes_back_from_a_file(tmp_path: Path, recorded: Recorded) -> None:
    made, task = animals(), Task("all", np.arange(2), 2)
    write_sequences(tmp_path / "a.npz", made, [task])
    again, tasks = read_items(tmp_path / "a.npz")
    assert isinstance(again, TokenSet)
    assert again.checksum() == made.checksum()
    assert again.attributes == ("word", "tag")
    assert again.ids.tolist() == ["cat", "dog"]
    assert tasks[0].indices.tolist() == [0, 1]
    with recorded.raises(DataError):
        read_sequences(tmp_path / "a.npz")


@pytest.mark.parametrize(
    "change",
    [{"labels": ["x", "y"]}, {"neighbours": [(1, 0)]}, {"places": [(2, 0, 1), (0, 2, 4), (1, 1, 2), (2, 2, 3)]}],
)
def test_the_checksum_sees_everything_that_is_scored(change: dict[str, Any]) -> None:
    assert animals(**change).checksum() != animals().checksum()


def test_the_checksum_does_not_depend_on_how_values_are_coded() -> None:
    made = animals()
    turned = {"word": made.vocabularies["word"][::-1], "tag": made.vocabularies["tag"]}
    codes = {"word": len(turned["word"]) - 1 - made.codes["word"], "tag": made.codes["tag"]}
    assert replace(made, codes=codes, vocabularies=turned).checksum() == made.checksum()


def test_joined_sets_have_the_places_of_their_parts() -> None:
    first, second = animals(), animals(attributes={"word": WORDS, "tag": [["X"] * len(s) for s in WORDS]})
    both = join([first, second], ["a", "b", "c", "d"], "both", {})
    assert both.strings() == first.strings() * 2
    assert both.values("tag").tolist() == FLAT_TAGS + ["X"] * 12
    assert both.items.tolist() == [0, 1, 0, 1, 2, 3, 2, 3]
    assert both.neighbours is not None
    assert both.neighbours.tolist() == [[0, 1], [2, 3]]


def test_counts_and_checksum_are_verified(recorded: Recorded) -> None:
    made = animals()
    counts = {"sequences": 2, "features": 2, "frames": 12, "classes": 2, "shortest": 2, "longest": 2}
    registry.verify(made, counts, made.checksum())
    with recorded.raises(DataError):
        registry.verify(made, {"frames": 13}, None)


def test_evidence_refuses_the_other_kind_of_items(recorded: Recorded) -> None:
    made, vectors = animals(), SequenceSet.from_arrays([[[1.0]], [[2.0]]])
    assert MeasureInput(made).tokens is made
    assert MeasureInput(vectors).sequences is vectors
    with recorded.raises(DataError):
        _ = MeasureInput(made).sequences
    with recorded.raises(DataError):
        _ = MeasureInput(vectors).tokens


@pytest.mark.parametrize(
    "change",
    [
        {"places": [(2, 0, 1), (0, 2, 3), (1, 1, 2), (2, 2, 6)]},
        {"places": [(2, 0, 2), (0, 2, 3), (1, 1, 2), (2, 1, 3)]},
        {"places": []},
        {"items": [0, 0, 2, 2]},
        {"items": [0, 0, 1]},
        {"labels": ["x"]},
        {"ids": ["x", "x"]},
        {"neighbours": [(0, 2)]},
        {"neighbours": [(0, 0)]},
        {"attributes": {"word": WORDS, "tag": TAGS[:2]}},
        {"attributes": {"word": []}},
    ],
)
def test_bad_sets_are_refused(change: dict[str, Any], recorded: Recorded) -> None:
    with recorded.raises(DataError):
        animals(**change)


def test_a_place_ends_with_its_sentence(recorded: Recorded) -> None:
    made = animals()
    with recorded.raises(DataError):
        replace(made, places=np.array([[3, 5], [5, 6], [7, 8], [9, 10]]))


def test_an_unknown_attribute_lists_the_names() -> None:
    with pytest.raises(ParameterError, match="tag, word"):
        animals().values("lemma")
