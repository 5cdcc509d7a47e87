"""Laws of symbol sequences: which past is chosen, and what is drawn by it."""

import numpy as np
import pytest

from kinseq.analysis.markov_surrogates import MarkovSets
from kinseq.analysis.symbol_laws import BY_TIME, HOMOGENEOUS, SymbolLaws
from kinseq.core.symbols import symbol_set, symbols_of


def chain(steps, n=30, length=60, k=3, seed=0):
    """Sequences of a chain of an order; each past has two symbols that may follow."""
    random = np.random.default_rng(seed)
    follows = random.dirichlet(np.full(k, 0.3), (k,) * max(steps, 1))
    rows = []
    for _ in range(n):
        row = random.integers(0, k, steps).tolist()
        while len(row) < length:
            past = tuple(row[-steps:]) if steps else (0,)
            row.append(int(random.choice(k, p=follows[past])))
        rows.append(row)
    return np.array(rows)


def visits(n=30, length=80, k=3, seed=0):
    """Visits of about eight moments each."""
    random = np.random.default_rng(seed)
    rows = []
    for _ in range(n):
        row = [int(random.integers(k))] * int(random.integers(1, 9))
        while len(row) < length:
            state = (row[-1] + int(random.integers(1, k))) % k
            row += [state] * int(random.integers(7, 10))
        rows.append(row[:length])
    return np.array(rows)


@pytest.mark.parametrize("steps", [1, 2, 3])
def test_the_order_of_a_chain_is_found(steps):
    assert SymbolLaws(chain(steps), 3).best(HOMOGENEOUS) == HOMOGENEOUS[steps]


def test_of_independent_symbols_no_long_past_is_taken():
    found = [SymbolLaws(chain(0, seed=seed), 3).best(HOMOGENEOUS) for seed in range(10)]
    assert set(found) <= {HOMOGENEOUS[0], HOMOGENEOUS[1]}
    assert found.count(HOMOGENEOUS[0]) >= 6


def test_visits_of_regular_durations_are_found_and_drawn():
    given = visits()
    laws = SymbolLaws(given, 3)
    law = laws.best(HOMOGENEOUS)
    assert law == HOMOGENEOUS[4]
    drawn = laws.drawn(law, np.full(30, 80), np.random.default_rng(1))
    inner = [np.diff(np.flatnonzero(np.diff(row))) for row in drawn]
    lasted = np.concatenate(inner)
    assert (lasted >= 7).mean() > 0.95
    assert (lasted <= 10).mean() > 0.8
    memoryless = np.concatenate(
        [
            np.diff(np.flatnonzero(np.diff(row)))
            for row in laws.drawn(HOMOGENEOUS[1], np.full(30, 80), np.random.default_rng(1))
        ]
    )
    assert (memoryless >= 7).mean() < 0.6


def test_drawn_sequences_have_the_transitions_of_the_given_ones():
    given = chain(2, n=100, length=100)
    laws = SymbolLaws(given, 3)
    drawn = laws.drawn(HOMOGENEOUS[2], np.full(100, 100), np.random.default_rng(0))

    def shares(rows):
        counts = np.zeros((3, 3, 3))
        np.add.at(counts, (rows[:, :-2], rows[:, 1:-1], rows[:, 2:]), 1.0)
        return counts / counts.sum()

    assert np.abs(shares(drawn) - shares(given)).max() < 0.01
    assert (
        np.abs(shares(laws.drawn(HOMOGENEOUS[1], np.full(100, 100), np.random.default_rng(0))) - shares(given)).max()
        > 0.02
    )


def test_code_lengths_are_those_of_a_sum_over_places():
    given = np.array([[0, 1, 1, 0], [1, 1, 0, -1], [0, 0, 1, 1]])
    law = HOMOGENEOUS[1]
    places = [(i, t) for i in range(3) for t in range(4) if given[i, t] >= 0]
    past = {(i, t): 2 if t == 0 else given[i, t - 1] for i, t in places}
    best = np.inf
    for weight in (2.0, 8.0, 32.0, 128.0, np.inf):
        total = 0.0
        for i, t in places:
            others = [place for place in places if place[0] != i]
            p = (sum(given[o] == given[i, t] for o in others) + 2.0 * 0.5) / (len(others) + 2.0)
            same = [o for o in others if past[o] == past[i, t]]
            p = (sum(given[o] == given[i, t] for o in same) + 2.0 * p) / (len(same) + 2.0)
            own = [o for o in places if o[0] == i and o != (i, t) and past[o] == past[i, t]]
            seen = sum(given[o] == given[i, t] for o in own)
            total -= np.log(p if np.isinf(weight) else (seen + weight * p) / (len(own) + weight))
        best = min(best, total)
    assert SymbolLaws(given, 2).code_length(law) == pytest.approx(best, rel=1e-12)


def test_a_state_that_nothing_follows_stays():
    given = np.array([[0, 0, 1], [0, 1, 1], [0, 0, 0], [0, 2, -1]])
    drawn = SymbolLaws(given, 3).drawn(HOMOGENEOUS[1], np.full(200, 6), np.random.default_rng(0))
    for row in drawn:
        assert (row[np.flatnonzero(row == 2)[:1].sum() :] == 2).all() or 2 not in row


def test_sets_keep_lengths_and_take_turns_where_sequences_begin_together():
    random = np.random.default_rng(0)
    rows = [["a"] * int(random.integers(10, 20)) + ["b"] * int(random.integers(10, 20)) for _ in range(30)]
    given = symbol_set(rows)
    sets = MarkovSets(given, 0)
    assert not sets.begin_anywhere
    by_time = sets.drawn("surrogates", 1)
    assert sorted(by_time.lengths) == sorted(given.lengths)
    changes = [int((symbols_of(given.with_frames(x, np.array([0, len(x)]))) == 0).sum()) for x in by_time]
    assert np.mean(changes) == pytest.approx(np.mean([row.count("a") for row in rows]), abs=2.0)
    assert SymbolLaws(np.array([[0] * 10 + [1] * 10] * 5), 2).best(BY_TIME) in BY_TIME
    moved = sets.drawn("moved", 0)
    assert (moved.lengths < given.lengths).all()
