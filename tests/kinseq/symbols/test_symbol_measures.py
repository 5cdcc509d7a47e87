"""Distances between sequences of symbols against brute force, closed forms and their own laws."""

from functools import cache
from itertools import combinations
from itertools import pairwise as pairwise_of

import numpy as np
import pytest

import kinseq
from kinseq.core.errors import DataError, ParameterError
from kinseq.core.symbols import symbol_set
from kinseq.measures import compute
from kinseq.measures.symbols import dynamic_costs, subsequence_counts, substitution_costs, transition_rates
from tests.sentences import Recorded

LETTERS = "abcd"


def drawn(n=12, shortest=1, longest=9, seed=0):
    random = np.random.default_rng(seed)
    rows = [[LETTERS[c] for c in random.integers(0, 4, random.integers(shortest, longest + 1))] for _ in range(n)]
    return [*rows, list("abcd")]


def by_edits(first, second, indel, cost):
    @cache
    def least(i, j):
        if not i or not j:
            return indel * (i + j)
        return min(
            least(i - 1, j) + indel,
            least(i, j - 1) + indel,
            least(i - 1, j - 1) + (0.0 if first[i - 1] == second[j - 1] else cost(first[i - 1], second[j - 1])),
        )

    return least(len(first), len(second))


def pairwise(rows, function):
    return np.array([[function(tuple(a), tuple(b)) for b in rows] for a in rows])


@pytest.mark.parametrize(("indel", "substitution"), [(1.0, 2.0), (1.0, 1.0), (0.7, 1.1), (2.0, 5.0)])
def test_optimal_matching_is_the_least_cost_of_edits(indel, substitution):
    rows = drawn()
    found = compute("om", rows, indel=indel, substitution=substitution)
    assert np.allclose(found, pairwise(rows, lambda a, b: by_edits(a, b, indel, lambda x, y: substitution)), atol=1e-12)


def test_optimal_matching_by_a_matrix_and_by_transitions():
    rows = drawn(seed=1)
    matrix = np.abs(np.subtract.outer(np.arange(4.0), np.arange(4.0)))
    found = compute("om", rows, substitution=matrix.tolist())
    at = {letter: place for place, letter in enumerate(LETTERS)}
    assert np.allclose(found, pairwise(rows, lambda a, b: by_edits(a, b, 1.0, lambda x, y: matrix[at[x], at[y]])))
    counts = np.zeros((4, 4))
    for row in rows:
        for one, other in pairwise_of(row):
            counts[at[one], at[other]] += 1
    rates = counts / counts.sum(axis=1, keepdims=True)
    assert np.allclose(transition_rates(symbol_set(rows)), rates)
    found = compute("om", rows, substitution="transitions")
    cost = lambda x, y: 2.0 - rates[at[x], at[y]] - rates[at[y], at[x]]  # noqa: E731
    assert np.allclose(found, pairwise(rows, lambda a, b: by_edits(a, b, 1.0, cost)))


def test_normalised_costs():
    rows = drawn(seed=2)
    plain, lengths = compute("om", rows), np.array([len(row) for row in rows], dtype=float)
    assert np.allclose(compute("om", rows, normalise="longer"), plain / np.maximum.outer(lengths, lengths))
    metric = compute("om", rows, normalise="yujian_bo")
    assert np.allclose(metric, 2 * plain / (np.add.outer(lengths, lengths) + plain))
    assert (metric[:, :, None] <= metric[:, None, :] + metric.T[None] + 1e-12).all()


def test_edit_and_common_subsequences():
    rows = drawn(seed=3)
    edits = pairwise(rows, lambda a, b: by_edits(a, b, 1.0, lambda x, y: 1.0))
    longer = np.maximum.outer(*[[len(row) for row in rows]] * 2)
    assert np.allclose(compute("edit", rows, normalise=False), edits)
    assert np.allclose(compute("edit", rows), edits / longer)

    def common(a, b):
        for size in range(min(len(a), len(b)), 0, -1):
            if {tuple(a[i] for i in c) for c in combinations(range(len(a)), size)} & {
                tuple(b[i] for i in c) for c in combinations(range(len(b)), size)
            }:
                return size
        return 0

    assert np.allclose(compute("lcs", rows), 1.0 - pairwise(rows, common) / longer)


@pytest.mark.parametrize("length", [63, 64, 65, 128, 129, 200])
def test_common_subsequences_of_sequences_longer_than_a_word(length):
    """Bits are carried from word to word."""
    random = np.random.default_rng(length)
    rows = [[LETTERS[c] for c in random.integers(0, 4, length - k)] for k in range(3)]
    expected = pairwise(rows, lambda a, b: by_edits_of_long(a, b))
    assert np.allclose(compute("om", rows), expected)


def by_edits_of_long(a, b):
    row = np.arange(len(b) + 1.0)
    for x in a:
        before, row[0] = row.copy(), row[0] + 1
        for j, y in enumerate(b):
            row[j + 1] = min(row[j] + 1, before[j + 1] + 1, before[j] + (0 if x == y else 2))
    return row[-1]


def test_mismatches_at_one_time():
    rows = [list("abca"), list("abda"), list("dbca"), list("aaaa"), list("cdbb")]
    expected = pairwise(rows, lambda a, b: sum(x != y for x, y in zip(a, b, strict=True)))
    assert np.allclose(compute("hamming", rows), expected)
    assert np.allclose(compute("hamming", rows, normalise=True), expected / 4)
    costs, at = dynamic_costs(symbol_set(rows)), {letter: place for place, letter in enumerate(LETTERS)}
    # From the first time to the second, both sequences that are in d or c go elsewhere, and two of three in a go to b.
    assert np.isclose(costs[0, at["a"], at["b"]], 4 - 2 * (2 / 3 + 0.0))
    found = compute("dynamic_hamming", rows)
    cells = lambda a, b: sum(costs[t, at[x], at[y]] for t, (x, y) in enumerate(zip(a, b, strict=True)))  # noqa: E731
    assert np.allclose(found, pairwise(rows, cells))
    for name in ("hamming", "dynamic_hamming"):
        with pytest.raises(DataError, match="3 to 4 symbols"):
            compute(name, [*rows, list("abc")])


def test_subsequences_are_counted_with_gaps():
    one = symbol_set([list("abab"), list("ba")])
    single, pairs = subsequence_counts(one, 2, 0)
    assert single.tolist() == [[2, 2], [1, 1]]
    assert pairs.tolist() == [[2, 1], [0, 1]]
    _, gapped = subsequence_counts(one, 2, 2)
    # aa, ab, ba, bb: a.a, ab ab a..b, ba, b.b
    assert gapped.tolist() == [[1, 3, 1, 1], [0, 0, 1, 0]]
    found = compute("subsequences", [list("abab"), list("ba"), list("ab")])
    assert found.max() <= 1.0
    assert found[0, 2] < found[0, 1]


def test_time_in_states_is_half_of_what_differs():
    found = compute("durations", [list("aab"), list("abb"), list("bbb")])
    assert found.tolist() == [[0, 1, 2], [1, 0, 1], [2, 1, 0]]


@pytest.mark.parametrize(
    ("name", "params"),
    [
        ("om", {}),
        ("om", {"substitution": "transitions"}),
        ("edit", {}),
        ("lcs", {}),
        ("subsequences", {}),
        ("durations", {}),
        ("hamming", {}),
        ("dynamic_hamming", {}),
    ],
)
def test_new_sequences_are_compared_as_old_ones_are(name, params):
    rows = drawn(shortest=6, longest=6)[:-1]
    within = compute(name, rows, **params)
    assert np.allclose(within, within.T)
    across = kinseq.dissimilarity([rows[2], rows[7]], rows, measure=name, **params)
    assert np.allclose(across, within[[2, 7]])


def test_distances_depend_on_no_order_and_no_name():
    rows = drawn(seed=5)
    renamed = [["xyzw"[LETTERS.index(c)] for c in row] for row in rows]
    order = np.random.default_rng(0).permutation(len(rows))
    for name in ("om", "edit", "lcs", "subsequences", "durations"):
        found = compute(name, rows)
        assert np.allclose(found, compute(name, renamed))
        assert np.allclose(found[np.ix_(order, order)], compute(name, [rows[i] for i in order]))


def test_a_missing_symbol_costs_as_much_as_the_dearest():
    costs = substitution_costs(symbol_set([list("ab"), list("ba")]), 1.5)
    assert costs.tolist() == [[0, 1.5, 1.5], [1.5, 0, 1.5], [1.5, 1.5, 0]]
    found = compute("om", [["a", None, "b"], ["a", "a", "b"], ["a", "b"]], substitution=1.0)
    assert found.tolist() == [[0, 1, 1], [1, 0, 1], [1, 1, 0]]


@pytest.mark.parametrize(
    "params",
    [
        {"indel": 0.0},
        {"substitution": "rates"},
        {"substitution": [[0.0, 1.0], [1.0, 0.0]]},
        {"substitution": -1.0},
        {"normalise": "max"},
    ],
)
def test_wrong_costs_are_refused(params, recorded: Recorded):
    with recorded.raises(ParameterError):
        compute("om", drawn(), **params)


def test_numbers_and_symbols_are_told_apart(recorded: Recorded):
    with recorded.raises(DataError):
        compute("dtw", drawn(shortest=2))
    with recorded.raises(DataError):
        compute("om", [np.zeros((3, 1)), np.ones((4, 1))])
