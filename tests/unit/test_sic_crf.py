"""Conditional random fields as classifiers: what is trained on, and decoding against the probabilities of all labels."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from kinseq import sic
from kinseq.errors import DataError, KinseqError, ParameterError
from kinseq.evaluation.retrieval import mean_average_precision
from kinseq.sequences import SequenceSet
from kinseq.sic.crf import INSIDE, NULL, _Field, learnt
from kinseq.tokens import TokenSet

pycrfsuite = pytest.importorskip("pycrfsuite")


def text(n: int = 40, seed: int = 0) -> TokenSet:
    """Sentences with an item of a class after the word of this class, and some items that touch each other."""
    rng = np.random.default_rng(seed)
    words, places, labels = [], [], []
    for s in range(n):
        kind = s % 3
        sentence = [f"a{rng.integers(4)}", f"before{kind}", f"x{rng.integers(30)}"]
        places.append((s, 2, 3))
        labels.append(kind)
        if s % 4 == 0:
            sentence += [f"x{rng.integers(30)}"]
            places.append((s, 3, 4))
            labels.append(kind)
        if s % 5 == 0:
            sentence += [f"to{kind}", f"x{rng.integers(30)}", "of", "it"]
            places.append((s, len(sentence) - 3, len(sentence)))
            labels.append(kind)
        words.append([*sentence, f"z{rng.integers(3)}"])
    shapes = [[word[0] for word in sentence] for sentence in words]
    return TokenSet.from_sentences({"word": words, "shape": shapes}, places, labels=labels, name="text")


def known_labels(items: TokenSet) -> list[str | None]:
    found: list[str | None] = [NULL] * items.n_tokens
    for start, stop in items.places.tolist():
        found[start] = None
        found[start + 1 : stop] = [INSIDE] * (stop - start - 1)
    return found


def test_decoding_is_the_likeliest_of_all_labels_of_the_first_tokens(tmp_path: Path) -> None:
    items = text()
    field = _Field(sic.CRF(context=None, c2=0.1), items)
    sentence = items.sentence_of_places()
    train = np.flatnonzero(sentence < 24)
    tested = np.flatnonzero(sentence >= 24)
    labels = np.random.default_rng(1).integers(0, 3, train.size)
    found = dict(zip(tested.tolist(), field.decode(field.train(train, labels), tested).tolist(), strict=True))
    # The same training by hand, whole sentences, and the probability of every labelling of the places of a sentence.
    trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
    trainer.set_params({"c1": 0.0, "c2": 0.1, "max_iterations": 50})
    known, given = known_labels(items), dict(zip(items.places[train, 0].tolist(), labels.tolist(), strict=True))
    bounds = items.sentences.tolist()
    for s in range(24):
        low, high = bounds[s], bounds[s + 1]
        trainer.append(
            [field.tokens[t] for t in range(low, high)], [known[t] or str(given[t]) for t in range(low, high)]
        )
    trainer.train(str(tmp_path / "m"))
    tagger = pycrfsuite.Tagger()
    tagger.open(str(tmp_path / "m"))
    n_joint = 0
    for s in range(24, 40):
        low, high = bounds[s], bounds[s + 1]
        tagger.set([field.tokens[t] for t in range(low, high)])
        own = np.flatnonzero(sentence == s).tolist()
        n_joint += len(own) > 1
        best, second = (-1.0, ()), -1.0
        for some in itertools.product(range(3), repeat=len(own)):
            whole = list(known[low:high])
            for place, label in zip(own, some, strict=True):
                whole[items.places[place, 0] - low] = str(label)
            p = tagger.probability(whole)
            best, second = ((p, some), best[0]) if p > best[0] else (best, max(second, p))
        if best[0] > second * (1.0 + 1e-9):
            assert tuple(found[place] for place in own) == best[1]
    assert n_joint >= 5


def test_null_and_inside_are_never_classes_and_contexts_are_learnt() -> None:
    items = text(90)
    found = sic.similarity(items, "crf", n_iterations=40, train=0.3, labels=(4, 8), seed=0)
    tested = found.labels.values[found.labels.tested]
    assert tested.min() >= 0
    assert tested.max() < 8
    blind = sic.similarity(items, sic.CRF(window=0), n_iterations=40, train=0.3, labels=(4, 8), seed=0)
    seen, control = (mean_average_precision(items.labels, x.distance) for x in (found, blind))  # type: ignore[arg-type]
    assert seen > control + 6.0
    again = sic.similarity(items, "crf", n_iterations=40, train=0.3, labels=(4, 8), seed=0, threads=2)
    np.testing.assert_array_equal(again.matrix, found.matrix)


def test_training_looks_at_what_is_near_items_that_bear_a_label() -> None:
    words = [list("abcdefghij"), list("klmno")]
    items = TokenSet.from_sentences({"word": words}, [(0, 1, 2), (0, 5, 7), (0, 8, 9), (1, 4, 5)])
    whole = _Field(sic.CRF(context=None), items)
    assert whole.pieces(np.array([0, 1, 2, 3])) == [(0, 10), (10, 15)]
    # An item without a label is no context: what to call it is not known.
    assert whole.pieces(np.array([0, 2])) == [(0, 5), (7, 10)]
    near = _Field(sic.CRF(context=1), items)
    assert near.pieces(np.array([0, 1, 2, 3])) == [(0, 3), (4, 10), (13, 15)]
    assert near.pieces(np.array([1])) == [(4, 8)]
    assert _Field(sic.CRF(context=0), items).pieces(np.array([1, 3])) == [(5, 7), (14, 15)]


def test_attributes_are_those_of_the_window_within_the_sentence() -> None:
    items = TokenSet.from_sentences({"word": [["a", "b", "a"], ["c"]]}, [(0, 1, 3), (1, 0, 1)])
    field = _Field(sic.CRF(window=1), items)
    assert sorted(field.tokens[0]) == sorted(["0|0|0", "1|0|1", "0|place|0", "1|place|1"])
    assert sorted(field.tokens[2]) == sorted(["-1|0|1", "0|0|0", "-1|place|1", "0|place|2"])
    assert sorted(field.tokens[3]) == sorted(["0|0|2", "0|place|1"])


def test_occurrences_of_a_set_give_similarities_of_its_items() -> None:
    plain = text()
    several = TokenSet(
        plain.codes, plain.vocabularies, plain.sentences, plain.places, np.arange(len(plain.places)) % 11
    )
    found = sic.similarity(several, "crf", n_iterations=6, train=0.3, labels=5)
    assert found.matrix.shape == (11, 11)
    assert len(found.labels) == len(plain.places)


@pytest.mark.parametrize(
    "items, settings, says",
    [
        (text(), {"attributes": ["lemma"]}, "unknown attribute 'lemma'.*word"),
        (text(), {"window": -1}, "window is -1"),
        (text(), {"c2": -0.5}, "c2 is -0.5"),
        (SequenceSet(np.zeros((4, 1)), np.arange(5), name="vectors"), {}, "holds no sentences"),
    ],
)
def test_what_cannot_be_is_refused(items: Any, settings: dict[str, Any], says: str) -> None:
    with pytest.raises((ParameterError, DataError), match=says):
        sic.similarity(items, sic.CRF(**settings), n_iterations=2)
    with pytest.raises(DataError, match="words in sentences"):
        sic.similarity(text(), "forest", n_iterations=2)
    with pytest.raises(DataError, match="words in sentences"):
        sic.similarity(text(), "hmm", n_iterations=2)


def test_parameters_are_those_that_the_package_reads(tmp_path: Path) -> None:
    trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
    for k in range(6):
        trainer.append([["0|0|1"], [f"-1|word|{k}", "0|place|0"], ["1|0|2"]], ["null", str(k % 3), "in"])
    trainer.train(str(tmp_path / "m"))
    tagger = pycrfsuite.Tagger()
    tagger.open(str(tmp_path / "m"))
    tagger.dump(str(tmp_path / "m.txt"))
    found, info = learnt((tmp_path / "m.txt").read_text()), tagger.info()
    assert {(a, b): float(w) for a, b, w in found.state} == info.state_features
    assert {(a, b): float(w) for a, b, w in found.transitions} == info.transitions
    assert len(found.state) == len(info.state_features) > 10
    assert len(found.transitions) == len(info.transitions) > 3
    with pytest.raises(KinseqError, match="has no features"):
        learnt("FILEHEADER = {")
