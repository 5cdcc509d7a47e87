"""One item against all others: sums by their definition, draws, and neighbours that share contexts."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

from kinseq import measures, sic
from kinseq.core.errors import DataError, KinseqWarning, ParameterError
from kinseq.core.seeds import derive_seed
from kinseq.core.sequences import SequenceSet
from kinseq.core.tokens import TokenSet
from kinseq.measures import sic_ova as of_measure
from kinseq.measures.registry import MeasureInput, get
from kinseq.sic.cache import Remembered
from tests.sentences import Recorded


def text(n: int = 120, seed: int = 0) -> TokenSet:
    """Six items that look alike; two of them at a time share the word before."""
    rng = np.random.default_rng(seed)
    words, owners = [], []
    for _ in range(n):
        item = int(rng.integers(6))
        words.append([f"a{rng.integers(5)}", f"before{item // 2}", "item", f"z{rng.integers(5)}"])
        owners.append(item)
    return TokenSet.from_sentences({"word": words}, [(s, 2, 3) for s in range(n)], owners, name="text")


OF_FIRST, OF_OTHERS = (np.flatnonzero((text().items == 0) == own).tolist() for own in (True, False))


class _Fixed:
    """Takes a sample for the target if a table says so; remembers what it was asked."""

    min_per_label = 1

    def __init__(self, table: np.ndarray) -> None:
        self.table, self.asked = table, []

    def prepare(self, items: TokenSet) -> Any:
        def answer(train: Any, labels: Any, tested: Any, generator: Any) -> Any:
            self.asked.append((train, labels, tested))
            return self.table[items.items[train[labels == 1][0]], tested]

        return answer


@pytest.mark.parametrize("counting", ["presence", "share"])
@pytest.mark.parametrize("normalised", [True, False])
def test_scores_are_those_of_equation_11(normalised: bool, counting: Any) -> None:
    items = text(60)
    recipe = _Fixed((np.random.default_rng(3).random((6, 60)) < 0.3).astype(int))
    found = sic.one_versus_all(
        items, recipe, targets=[1, 4], n_iterations=7, normalised=normalised, counting=counting, random_state=2
    )
    assert len(recipe.asked) == 14
    for row, target in enumerate((1, 4)):
        total, counts = np.zeros(6), np.zeros(6, dtype=int)
        for _, _, tested in recipe.asked[7 * row : 7 * row + 7]:
            taken = recipe.table[target, tested] == 1
            for q in range(6):
                of_q = items.items[tested] == q
                counts[q] += of_q.any()
                if of_q.any() and taken.any():
                    score = (taken & of_q).any() if counting == "presence" else (taken & of_q).sum() / of_q.sum()
                    total[q] += score / (taken.sum() if normalised else 1.0)
        np.testing.assert_array_equal(found.counts[row], counts)
        np.testing.assert_allclose(found.directed[row], total / np.maximum(counts, 1), atol=1e-12)
    np.testing.assert_array_equal(found.both[normalised], found.directed)
    other = sic.one_versus_all(
        items, recipe, targets=[1, 4], n_iterations=7, normalised=not normalised, counting=counting, random_state=2
    )
    np.testing.assert_array_equal(found.both[not normalised], other.directed)
    own = found.directed[:, [1, 4]]
    np.testing.assert_allclose(found.matrix, 0.5 * (own + own.T))


def test_training_sets_hold_a_share_of_the_target_and_the_ratio_of_others(recorded: Recorded) -> None:
    items = text(60)
    recipe = _Fixed(np.zeros((6, 60), dtype=int))
    with recorded.warns(KinseqWarning):
        found = sic.one_versus_all(items, recipe, n_iterations=3, train=0.5, negatives=2.0)
    assert found.findings == {"found": 0.0, "empty": 1.0}
    np.testing.assert_array_equal(found.directed, 0.0)
    for call, (train, labels, tested) in enumerate(recipe.asked):
        target = call // 3
        n = int(items.occurrences[target])
        assert (items.items[train[labels == 1]] == target).all()
        assert (items.items[train[labels == 0]] != target).all()
        assert (labels == 1).sum() == min(max(1, round(0.5 * n)), n - 1)
        assert (labels == 0).sum() == round(2.0 * (labels == 1).sum())
        assert np.intersect1d(train, tested).size == 0
        assert (items.items[tested] == target).any()
    # Draws of a target do not depend on the others.
    again = _Fixed(recipe.table)
    with pytest.warns(KinseqWarning):
        sic.one_versus_all(items, again, targets=[5, 2], n_iterations=3, train=0.5, negatives=2.0)
    for first, second in zip(recipe.asked[15:18] + recipe.asked[6:9], again.asked, strict=True):
        for x, y in zip(first, second, strict=True):
            np.testing.assert_array_equal(x, y)


def test_given_sets_are_what_is_trained_on_and_tested() -> None:
    items = text(60)
    of = items.items
    rng = np.random.default_rng(8)
    table = (rng.random((6, 60)) < 0.4).astype(int)
    table[4] = 0
    sets: list[list[Any]] = []
    for target, n in ((4, 2), (1, 3)):
        some = []
        for _ in range(n):
            own, others = (rng.permutation(np.flatnonzero(chosen)) for chosen in (of == target, of != target))
            train = rng.permutation(np.concatenate([own[:2], others[:7]]))
            some.append((train.tolist(), rng.permutation(np.setdiff1d(np.arange(60), train))[:30]))
        sets.append(some)
    recipe = _Fixed(table)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = sic.one_versus_all(items, recipe, targets=[4, 1], sets=sets, counting="share", n_iterations=99)
    assert len(recipe.asked) == 5
    of_targets = [4] * 2 + [1] * 3
    for (train, labels, tested), (given_train, given_tested), target in zip(
        recipe.asked, [*sets[0], *sets[1]], of_targets, strict=True
    ):
        np.testing.assert_array_equal(labels, of[train] == target)
        np.testing.assert_array_equal(train, np.sort(given_train))
        np.testing.assert_array_equal(tested, np.sort(given_tested))
    # Equation 11 by hand, over occurrences.
    total, counts, taken_by = np.zeros(6), np.zeros(6), []
    for _, tested in sets[1]:
        taken = [x for x in tested if table[1, x]]
        taken_by.append(len(taken))
        for q in range(6):
            of_q = [x for x in tested if of[x] == q]
            counts[q] += bool(of_q)
            if of_q and taken:
                total[q] += sum(table[1, x] for x in of_q) / len(of_q) / len(taken)
    np.testing.assert_allclose(found.directed, [np.zeros(6), total / counts], atol=1e-12)
    np.testing.assert_array_equal(found.counts[1], counts)
    assert found.findings == {"found": pytest.approx(sum(taken_by) / 5), "empty": 0.4}


def test_sets_that_were_drawn_give_the_same_again() -> None:
    items = text(60)
    recipe = _Fixed((np.random.default_rng(3).random((6, 60)) < 0.3).astype(int))
    drawn = sic.one_versus_all(items, recipe, targets=[2, 5], n_iterations=4)
    sets = [[(train, tested) for train, _, tested in recipe.asked[4 * row : 4 * row + 4]] for row in range(2)]
    given = sic.one_versus_all(items, recipe, targets=[2, 5], sets=sets)
    np.testing.assert_array_equal(given.directed, drawn.directed)
    np.testing.assert_array_equal(given.counts, drawn.counts)
    assert given.findings == drawn.findings


def test_words_with_the_same_contexts_are_found() -> None:
    found = sic.one_versus_all(text(), sic.CRF(window=1), n_iterations=6, negatives=3.0)
    matrix = found.matrix.copy()
    np.fill_diagonal(matrix, -1.0)
    np.testing.assert_array_equal(matrix.argmax(axis=1), [1, 0, 3, 2, 5, 4])
    distance, findings = measures.get("sic_ova").compute(
        MeasureInput(text()), n_iterations=6, negatives=3.0, settings={"window": 1}
    )
    np.testing.assert_array_equal((distance + 9.0 * np.eye(6)).argmin(axis=1), [1, 0, 3, 2, 5, 4])
    assert findings["found"] > 0


def test_an_item_that_occurs_once_is_learnt_from_that() -> None:
    items = TokenSet.from_sentences(
        {"word": [["a", "b"], ["a", "c"], ["d", "b"]]}, [(0, 0, 1), (1, 0, 1), (2, 0, 1)], [0, 1, 1]
    )
    recipe = _Fixed(np.ones((2, 3), dtype=int))
    found = sic.one_versus_all(items, recipe, targets=[0], n_iterations=4, negatives=1.0)
    for train, labels, tested in recipe.asked:
        np.testing.assert_array_equal(train[labels == 1], [0])
        assert 0 not in tested
    np.testing.assert_array_equal(found.counts, [[0, 4]])
    np.testing.assert_array_equal(found.directed, [[0.0, 1.0]])


@pytest.mark.parametrize(
    "items, arguments",
    [
        (text(), {"targets": [6]}),
        (text(), {"negatives": 0.0}),
        (text(), {"train": 1.0}),
        (text(), {"counting": "all"}),
        (text(), {"sets": [[([0], [1])]]}),
        (text(), {"targets": [0], "sets": {0: []}}),
        (text(), {"targets": [0], "sets": [[]]}),
        (text(), {"targets": [0], "sets": [[(OF_FIRST, [1], [2])]]}),
        (text(), {"targets": [0], "sets": [[(OF_FIRST[:1], OF_OTHERS)]]}),
        (text(), {"targets": [0], "sets": [[(OF_OTHERS, OF_FIRST)]]}),
        (text(), {"targets": [0], "sets": [[(range(9), range(8, 20))]]}),
        (text(), {"targets": [0], "sets": [[(range(9), [120])]]}),
        (text(), {"targets": [0], "sets": [[(range(9), [20, 20])]]}),
        (SequenceSet(np.zeros((4, 1)), np.arange(5)), {}),
    ],
)
def test_what_cannot_be_is_refused(items: Any, arguments: dict[str, Any], recorded: Recorded) -> None:
    with recorded.raises((DataError, ParameterError)):
        sic.one_versus_all(items, n_iterations=1, **arguments)


def test_measures_with_and_without_normalisation_share_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    items, runs = text(60), []
    original = of_measure.one_versus_all

    def counted(*args: Any, **params: Any) -> Any:
        runs.append(params["random_state"])
        return original(*args, **params)

    monkeypatch.setattr(of_measure, "one_versus_all", counted)
    monkeypatch.setattr(of_measure, "_RUNS", Remembered())
    ways: dict[str, Any] = {"n_iterations": 2, "negatives": 1.0}
    both = [get("sic_ova").compute(MeasureInput(items, seed=1), normalised=way, **ways)[0] for way in (True, False)]
    assert len(runs) == 1
    for way, distance in zip((True, False), both, strict=True):
        expected = sic.one_versus_all(items, random_state=derive_seed(1, "sic_ova"), normalised=way, **ways).matrix
        pairs = np.triu_indices(6, 1)
        np.testing.assert_allclose(distance[pairs], (expected.max() - expected)[pairs])
    get("sic_ova").compute(MeasureInput(items, seed=2), **ways)
    assert len(runs) == 2
