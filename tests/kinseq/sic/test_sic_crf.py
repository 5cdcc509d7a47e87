"""Conditional random fields as classifiers: what is trained on, and decoding against the probabilities of all labels."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kinseq import sic
from kinseq.core.errors import DataError, KinseqError, ParameterError
from kinseq.core.sequences import SequenceSet
from kinseq.core.tokens import TokenSet
from kinseq.metrics.retrieval import mean_average_precision
from kinseq.sic.crf import INSIDE, NULL, _Field
from kinseq.sic.crfsuite import Learnt, learnt, trained
from tests.sentences import Recorded

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
    found = sic.similarity(items, "crf", n_iterations=40, train=0.3, labels=(4, 8), random_state=0)
    tested = found.labels.values[found.labels.tested]
    assert tested.min() >= 0
    assert tested.max() < 8
    blind = sic.similarity(items, sic.CRF(window=0), n_iterations=40, train=0.3, labels=(4, 8), random_state=0)
    seen, control = (mean_average_precision(items.labels, x.distance) for x in (found, blind))  # type: ignore[arg-type]
    assert seen > control + 6.0
    again = sic.similarity(items, "crf", n_iterations=40, train=0.3, labels=(4, 8), random_state=0, n_jobs=2)
    np.testing.assert_array_equal(again.matrix, found.matrix)


def test_training_looks_at_what_is_near_items_that_bear_a_label() -> None:
    words = [list("abcdefghij"), list("klmno")]
    items = TokenSet.from_sentences({"word": words}, [(0, 1, 2), (0, 5, 7), (0, 8, 9), (1, 4, 5)])
    whole = _Field(sic.CRF(context=None), items)
    assert whole.pieces(np.array([0, 1, 2, 3])) == [(0, 10), (10, 15)]
    # An item without a label is no context: its label is unknown.
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
    "items, settings",
    [
        (text(), {"attributes": ["lemma"]}),
        (text(), {"window": -1}),
        (text(), {"c2": -0.5}),
        (SequenceSet(np.zeros((4, 1)), np.arange(5), name="vectors"), {}),
    ],
)
def test_what_cannot_be_is_refused(items: Any, settings: dict[str, Any], recorded: Recorded) -> None:
    with recorded.raises((ParameterError, DataError)):
        sic.similarity(items, sic.CRF(**settings), n_iterations=2)
    with recorded.raises(DataError):
        sic.similarity(text(), "forest", n_iterations=2)
    with recorded.raises(DataError):
        sic.similarity(text(), "hmm", n_iterations=2)


DUMP = """
import json, sys, pycrfsuite
tagger = pycrfsuite.Tagger()
tagger.open(sys.argv[1])
info = tagger.info()
print(json.dumps([[[*pair, weight] for pair, weight in part.items()] for part in (info.state_features, info.transitions)]))
"""


def test_parameters_are_those_that_the_package_reads(tmp_path: Path, recorded: Recorded) -> None:
    trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
    for k in range(6):
        trainer.append([["0|0|1"], [f"-1|word|{k}", "0|pläce|0"], ["1|0|2"]], ["null", str(k % 3), "in"])
    path = tmp_path / "m"
    trainer.train(str(path))
    found = learnt(path.read_bytes())
    # In a separate process, since the package closes descriptors twice.
    said = subprocess.run([sys.executable, "-c", DUMP, str(path)], capture_output=True, text=True, check=True).stdout
    state, transitions = ({(a, b): w for a, b, w in part} for part in json.loads(said))
    attributes, labels = np.array(found.attributes), np.array(found.labels)
    a, b, w = found.state
    assert dict(zip(zip(attributes[a], labels[b], strict=True), w, strict=True)) == state
    a, b, w = found.transitions
    assert dict(zip(zip(labels[a], labels[b], strict=True), w, strict=True)) == transitions
    assert len(state) > 10
    assert len(transitions) > 3
    for model in (b"", b"lCRF", path.read_bytes()[:200], b"x" + path.read_bytes()[1:]):
        with recorded.raises(KinseqError):
            learnt(model)


def test_weights_are_those_of_the_classes_and_of_what_is_given() -> None:
    field = _Field(sic.CRF(window=0), text())
    one, two = (np.array(numbers, dtype=np.uint32) for numbers in ([0, 1, 2, 3, 0], [2, 0, 1, 3, 3]))
    first, second = list(field.number)[:2]
    names, labels = [first, second, "unknown"], ["null", "1", "0", "in"]
    state = np.array([0, 1, 2, 0]), np.array([1, 2, 1, 0]), np.array([1.0, 2.0, 3.0, 4.0])
    found = field.weights(Learnt(names, labels, state, (one, two, np.array([1.0, 2.0, 3.0, 4.0, 5.0]))), 2)
    expected = np.zeros((len(field.number), 2))
    expected[field.number[first], 1], expected[field.number[second], 0] = 1.0, 2.0
    np.testing.assert_array_equal(found.state.toarray(), expected)
    # null to class 0, class 1 to null, class 0 to class 1; transitions between given labels decide nothing.
    np.testing.assert_array_equal(found.entering, [[1.0, 0.0], [0.0, 0.0], [0.0, 0.0]])
    np.testing.assert_array_equal(found.leaving, [[0.0, 2.0], [0.0, 0.0], [0.0, 0.0]])
    np.testing.assert_array_equal(found.between, [[0.0, 3.0], [0.0, 0.0]])


def test_fields_that_are_trained_side_by_side_leave_all_files_alone() -> None:
    items = text(90)
    options: dict[str, Any] = {"n_iterations": 40, "train": 0.3, "labels": (4, 8), "random_state": 0}
    alone = sic.similarity(items, "crf", **options)
    # Threads take turns more often than they would.
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    stop, broken = threading.Event(), []

    def reading() -> None:
        while not stop.is_set():
            with tempfile.TemporaryFile() as own:
                try:
                    own.write(b"ours")
                    own.seek(0)
                    if own.read() != b"ours":
                        raise OSError("the file of somebody else")
                except OSError as error:
                    broken.append(str(error))
                    return

    other = threading.Thread(target=reading)
    other.start()
    try:
        for threads in (1, 4, 4, 4, 4):
            found = sic.similarity(items, "crf", **options, n_jobs=threads)
            np.testing.assert_array_equal(found.matrix, alone.matrix)
    finally:
        stop.set()
        other.join()
        sys.setswitchinterval(before)
    assert not broken


def test_without_crfsuite_a_sentence_asks_for_it(monkeypatch: pytest.MonkeyPatch, recorded: Recorded) -> None:
    monkeypatch.setitem(sys.modules, "pycrfsuite", None)
    with recorded.raises(KinseqError):
        trained([([["a"]], ["b"])])
