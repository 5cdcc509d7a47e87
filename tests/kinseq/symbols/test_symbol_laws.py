"""Laws of symbol sequences: which past is chosen, and what is drawn by it."""

import numpy as np
import pytest

import kinseq
from kinseq.analysis.hidden_law import HiddenLaw
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
    assert SymbolLaws(chain(steps), 3).best(HOMOGENEOUS) == HOMOGENEOUS[steps - 1]


def test_of_independent_symbols_no_long_past_is_taken():
    found = [SymbolLaws(chain(0, seed=seed), 3).best(HOMOGENEOUS) for seed in range(10)]
    assert set(found) == {HOMOGENEOUS[0]}


def test_visits_of_regular_durations_are_found_and_drawn():
    given = visits()
    laws = SymbolLaws(given, 3)
    law = laws.best(HOMOGENEOUS)
    assert law == HOMOGENEOUS[3]
    drawn = laws.drawn(law, np.full(30, 80), np.random.default_rng(1))
    inner = [np.diff(np.flatnonzero(np.diff(row))) for row in drawn]
    lasted = np.concatenate(inner)
    assert (lasted >= 7).mean() > 0.95
    assert (lasted <= 10).mean() > 0.8
    memoryless = np.concatenate(
        [
            np.diff(np.flatnonzero(np.diff(row)))
            for row in laws.drawn(HOMOGENEOUS[0], np.full(30, 80), np.random.default_rng(1))
        ]
    )
    assert (memoryless >= 7).mean() < 0.6


def test_drawn_sequences_have_the_transitions_of_the_given_ones():
    given = chain(2, n=100, length=100)
    laws = SymbolLaws(given, 3)
    drawn = laws.drawn(HOMOGENEOUS[1], np.full(100, 100), np.random.default_rng(0))

    def shares(rows):
        counts = np.zeros((3, 3, 3))
        np.add.at(counts, (rows[:, :-2], rows[:, 1:-1], rows[:, 2:]), 1.0)
        return counts / counts.sum()

    assert np.abs(shares(drawn) - shares(given)).max() < 0.01
    assert (
        np.abs(shares(laws.drawn(HOMOGENEOUS[0], np.full(100, 100), np.random.default_rng(0))) - shares(given)).max()
        > 0.02
    )


def test_code_lengths_are_those_of_a_sum_over_places():
    given = np.array([[0, 1, 1, 0], [1, 1, 0, -1], [0, 0, 1, 1]])
    law = HOMOGENEOUS[0]
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
    drawn = SymbolLaws(given, 3).drawn(HOMOGENEOUS[0], np.full(200, 6), np.random.default_rng(0))
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


def hidden(seed, n=40, length=60):
    """Symbols of two states that last for about ten moments, each with two of four symbols most of the time."""
    random = np.random.default_rng(seed)
    rows = []
    for _ in range(n):
        state = np.cumsum(random.random(length) < 0.1) % 2
        rows.append(2 * np.where(random.random(length) < 0.1, 1 - state, state) + random.integers(0, 2, length))
    return np.array(rows)


def test_a_hidden_markov_model_is_the_law_where_it_predicts_better():
    given = symbol_set([[f"s{code}" for code in row] for row in hidden(0)])
    sets = MarkovSets(given, 0)
    assert sets.begin_anywhere
    assert sets._hidden is not None
    assert len(sets._hidden.start) == 2
    assert MarkovSets(symbol_set([["abc"[code] for code in row] for row in chain(2)]), 0)._hidden is None

    def lasting(rows):
        """How often symbols ten moments apart are of one state."""
        return (rows[:, 10:] // 2 == rows[:, :-10] // 2).mean()

    drawn = np.array([row[:, 0] for row in sets.drawn("surrogates", 0)]).astype(int)
    codes = np.array([row[:, 0] for row in given]).astype(int)
    assert lasting(drawn) == pytest.approx(lasting(codes), abs=0.03)


def test_groups_are_no_states_of_a_hidden_law():
    # A hidden Markov model with a state for each group, that is never left, would predict these best.
    random = np.random.default_rng(0)
    shares = [[0.5, 0.1, 0.3, 0.05, 0.05], [0.2, 0.35, 0.1, 0.3, 0.05], [0.2, 0.05, 0.2, 0.05, 0.5]]
    rows = [
        random.choice(list("abcde"), p=shares[i % 3], size=int(random.integers(25, 40))).tolist() for i in range(30)
    ]
    assert MarkovSets(symbol_set(rows), 0)._hidden is None
    found = kinseq.cluster(rows)
    assert found.n_clusters == 3
    assert len(set(zip(found.labels.tolist(), [i % 3 for i in range(30)], strict=True))) == 3


def test_the_memory_of_a_hidden_law_is_that_of_its_states():
    def memory(stays: float) -> float:
        return HiddenLaw(np.full(2, 0.5), np.array([[stays, 1.0 - stays], [1.0 - stays, stays]]), np.eye(2)).memory

    assert memory(0.9) == pytest.approx(-1.0 / np.log(0.8))
    assert memory(1.0) > 1e6


def test_probabilities_of_a_hidden_law_are_those_of_a_sum_over_paths():
    law = HiddenLaw(
        np.array([0.7, 0.3]), np.array([[0.9, 0.1], [0.4, 0.6]]), np.array([[0.5, 0.4, 0.1], [0.1, 0.2, 0.7]])
    )
    row = np.array([0, -1, 2, 1])

    def likelihood(symbols):
        total = 0.0
        for path in np.ndindex(*(2,) * len(symbols)):
            p = law.start[path[0]]
            for t, symbol in enumerate(symbols):
                p *= law.transitions[path[t - 1], path[t]] if t else 1.0
                p *= law.emissions[path[t], symbol] if symbol >= 0 else 1.0
            total += p
        return total

    expected = [likelihood(row[: t + 1]) / (likelihood(row[:t]) if t else 1.0) for t in range(4)]
    assert law.predicted(row[None])[0] == pytest.approx(expected, rel=1e-12)


def test_a_hidden_law_draws_what_it_predicts():
    law = HiddenLaw(np.array([1.0, 0.0]), np.array([[0.8, 0.2], [0.0, 1.0]]), np.array([[0.9, 0.1], [0.0, 1.0]]))
    drawn = law.drawn(np.full(20_000, 3), np.random.default_rng(0))
    shares = [(drawn[:, t] == 0).mean() for t in range(3)]
    assert shares == pytest.approx([0.9, 0.9 * 0.8, 0.9 * 0.64], abs=0.01)


def test_sequences_with_a_rhythm_in_common_begin_together_whatever_their_first_shares():
    random = np.random.default_rng(0)
    planned = np.array([0, 1, 2, 3, 1, 0, 3, 2])

    def sets_of(begins):
        rows = [
            np.where(random.random(64) < 0.8, planned[(np.arange(64) + start) % 8], random.integers(4, size=64))
            for start in begins
        ]
        return MarkovSets(symbol_set([["abcd"[code] for code in row] for row in rows]), 0)

    assert not sets_of([0] * 30).begin_anywhere
    assert sets_of(random.integers(8, size=30)).begin_anywhere


def test_a_rhythm_that_all_have_in_common_is_a_law_of_moments():
    random = np.random.default_rng(0)
    planned = random.integers(0, 3, 7)
    given = np.where(random.random((40, 60)) < 0.8, planned[np.arange(60) % 7], random.integers(0, 3, (40, 60)))
    assert SymbolLaws(given, 3).best(BY_TIME)[-1] == ("last", "moment")


def test_one_of_many_properties_has_to_be_clearer_than_any_in_data_without_groups():
    """Of independent rare states, one or another is in some sequences only by chance."""
    random = np.random.default_rng(5)
    often = np.array([0.7, *np.full(9, 0.3 / 9)])
    cut = 0
    for _ in range(20):
        rows = [["abcdefghij"[code] for code in random.choice(10, 30, p=often)] for _ in range(24)]
        cut += kinseq.cluster(rows).n_clusters > 1
    assert cut == 0
