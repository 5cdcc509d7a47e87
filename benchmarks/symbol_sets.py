"""Sets of sequences of symbols with planted groups, and sets without groups, drawn from a seed."""

from __future__ import annotations

import string
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from kinseq.core.seeds import stream


class Drawn(NamedTuple):
    """Sequences, and the group of each."""

    rows: list[list[str]]
    groups: np.ndarray


Rows = list[list[int]]


def _chain(random: np.random.Generator, start: np.ndarray, rates: np.ndarray, length: int) -> list[int]:
    states = [int(random.choice(len(start), p=start))]
    while len(states) < length:
        states.append(int(random.choice(len(start), p=rates[states[-1]])))
    return states


def _sticky(k: int, stay: float, shares: np.ndarray) -> np.ndarray:
    """Return transitions that stay with a probability, and else go to any state by its share."""
    return np.asarray(stay * np.eye(k) + (1.0 - stay) * shares)


def _spread(k: int) -> np.ndarray:
    return np.full(k, 1.0 / k)


def _stages(states: list[int], durations: np.ndarray) -> list[int]:
    return [state for state, duration in zip(states, durations.tolist(), strict=True) for _ in range(max(duration, 1))]


def shares(random: np.random.Generator, groups: np.ndarray, lengths: np.ndarray, k: int) -> Rows:
    """Groups differ in how long they are in each state."""
    often = random.dirichlet(np.full(k, 1.5), groups.max() + 1)
    stay = random.uniform(0.3, 0.8)
    return [_chain(random, often[g], _sticky(k, stay, often[g]), n) for g, n in zip(groups, lengths, strict=True)]


def transitions(random: np.random.Generator, groups: np.ndarray, lengths: np.ndarray, k: int) -> Rows:
    """Groups are in all states as long, and differ in what follows what: cycles of other orders."""
    strength, stay = random.uniform(0.35, 0.7), random.uniform(0.1, 0.5)
    rates = []
    for _ in range(groups.max() + 1):
        cycle = np.roll(np.arange(k), 1)
        order = random.permutation(k)
        follows = np.zeros((k, k))
        follows[order[cycle], order] = 1.0
        rates.append(stay * np.eye(k) + (1 - stay) * (strength * follows + (1 - strength) / k))
    return [_chain(random, _spread(k), rates[g], n) for g, n in zip(groups, lengths, strict=True)]


def order(random: np.random.Generator, groups: np.ndarray, lengths: np.ndarray, k: int) -> Rows:
    """Groups go through the same states for as long, in another order."""
    orders = [random.permutation(k) for _ in range(groups.max() + 1)]
    return [
        _stages(orders[g].tolist(), random.multinomial(n, random.dirichlet(np.full(k, 3.0))))
        for g, n in zip(groups, lengths, strict=True)
    ]


def durations(random: np.random.Generator, groups: np.ndarray, lengths: np.ndarray, k: int) -> Rows:
    """Groups go through the same states in the same order, and are in each for another time."""
    means = random.dirichlet(np.full(k, 1.5), groups.max() + 1)
    return [
        _stages(list(range(k)), random.multinomial(n, random.dirichlet(15.0 * means[g] + 0.2)))
        for g, n in zip(groups, lengths, strict=True)
    ]


def beginnings(random: np.random.Generator, groups: np.ndarray, lengths: np.ndarray, k: int) -> Rows:
    """Groups begin in other states, and stay there for a fifth of the time, and are then alike."""
    rates = _sticky(k, random.uniform(0.5, 0.8), _spread(k))
    rows = []
    for g, n in zip(groups, lengths, strict=True):
        held = max(2, int(n * random.uniform(0.12, 0.28)))
        rows.append([int(g) % k] * held + _chain(random, _spread(k), rates, max(n - held, 1)))
    return rows


def ends(random: np.random.Generator, groups: np.ndarray, lengths: np.ndarray, k: int) -> Rows:
    """Groups end in other states, and are alike before."""
    return [row[::-1] for row in beginnings(random, groups, lengths, k)]


def motifs(random: np.random.Generator, groups: np.ndarray, lengths: np.ndarray, k: int) -> Rows:
    """Groups have another piece of four symbols again and again, between symbols drawn at random."""
    pieces = [random.integers(0, k, 4).tolist() for _ in range(groups.max() + 1)]
    share = random.uniform(0.05, 0.12)
    rows = []
    for g, n in zip(groups, lengths, strict=True):
        row = random.integers(0, k, n).tolist()
        for _ in range(max(1, round(share * n))):
            place = int(random.integers(0, max(n - 4, 1)))
            row[place : place + 4] = pieces[g]
        rows.append(row[:n])
    return rows


def moments(random: np.random.Generator, groups: np.ndarray, lengths: np.ndarray, k: int) -> Rows:
    """Groups go from one state to the next at other times, with short visits elsewhere."""
    places = np.sort(random.uniform(0.1, 0.9, groups.max() + 1))
    rows = []
    for g, n in zip(groups, lengths, strict=True):
        change = int(np.clip(random.normal(places[g], 0.06), 0.05, 0.95) * n)
        row = np.where(np.arange(n) < change, 0, 1)
        visits = random.random(n) < 0.1
        row[visits] = random.integers(0, k, visits.sum())
        rows.append(row.tolist())
    return rows


KINDS: dict[str, Callable[[np.random.Generator, np.ndarray, np.ndarray, int], Rows]] = {
    function.__name__: function
    for function in (shares, transitions, order, durations, beginnings, ends, motifs, moments)
}


def _lengths(random: np.random.Generator, n: int) -> np.ndarray:
    length = int(random.integers(20, 90))
    if random.random() < 0.5:
        return np.full(n, length)
    return random.integers(round(0.7 * length), round(1.3 * length) + 1, n)


def _lettered(rows: Rows) -> list[list[str]]:
    return [[string.ascii_lowercase[state] for state in row] for row in rows]


def planted(kind: str, seed: int) -> Drawn:
    """Return a set of two to four groups of 8 to 30 sequences of 3 to 8 symbols."""
    random = stream(seed, "planted symbols", kind)
    sizes = random.integers(8, 31, random.integers(2, 5))
    groups = np.repeat(np.arange(len(sizes)), sizes)
    groups = groups[random.permutation(len(groups))]
    rows = KINDS[kind](random, groups, _lengths(random, len(groups)), int(random.integers(max(3, len(sizes)), 9)))
    noise = random.uniform(0.0, 0.08)
    k = max(map(max, rows)) + 1
    for row in rows:
        for place in np.flatnonzero(random.random(len(row)) < noise).tolist():
            row[place] = int(random.integers(k))
    return Drawn(_lettered(rows), groups)


Lengths = np.ndarray
OneLaw = Callable[[np.random.Generator, Lengths, int], Rows]
"""Sequences of some lengths and about so many symbols."""


def chain(random: np.random.Generator, lengths: Lengths, k: int) -> Rows:
    """A chain of order 1."""
    rates = random.dirichlet(np.ones(k), k)
    return [_chain(random, _spread(k), rates, n) for n in lengths.tolist()]


def sticky_chain(random: np.random.Generator, lengths: Lengths, k: int) -> Rows:
    """A chain that mostly stays in its state."""
    random.dirichlet(np.ones(k), k)
    rates = _sticky(k, random.uniform(0.7, 0.95), random.dirichlet(np.ones(k)))
    return [_chain(random, _spread(k), rates, n) for n in lengths.tolist()]


def skewed_chain(random: np.random.Generator, lengths: Lengths, k: int) -> Rows:
    """A chain that is mostly in few states."""
    random.dirichlet(np.ones(k), k)
    rates = _sticky(k, random.uniform(0.0, 0.5), random.dirichlet(np.full(k, 0.5)))
    return [_chain(random, _spread(k), rates, n) for n in lengths.tolist()]


def _of_order(random: np.random.Generator, lengths: Lengths, k: int, steps: int, spread: float = 0.5) -> Rows:
    follows = random.dirichlet(np.full(k, spread), (k,) * steps)
    rows = []
    for length in lengths.tolist():
        row = random.integers(0, k, steps).tolist()
        while len(row) < length:
            row.append(int(random.choice(k, p=follows[tuple(row[-steps:])])))
        rows.append(row)
    return rows


def two_steps(random: np.random.Generator, lengths: Lengths, k: int) -> Rows:
    """A chain of order 2."""
    random.dirichlet(np.ones(k), k)
    return _of_order(random, lengths, k, 2)


def life_course(random: np.random.Generator, lengths: Lengths, k: int) -> Rows:
    """An order of states that few leave: rates of leaving change over time, and returns are rare."""
    random.dirichlet(np.ones(k), k)
    leaving = random.uniform(0.02, 0.12, k)
    rows = []
    for length in lengths.tolist():
        row = [0]
        while len(row) < length:
            state, t = row[-1], len(row) / length
            moved = random.random() < leaving[state] * (0.5 + 1.5 * t)
            onward = min(state + 1, k - 1) if random.random() < 0.8 else int(random.integers(k))
            row.append(onward if moved else state)
        rows.append(row)
    return rows


def independent(random: np.random.Generator, lengths: Lengths, k: int) -> Rows:
    """Symbols of which none depends on another."""
    often = random.dirichlet(np.ones(k))
    return [random.choice(k, n, p=often).tolist() for n in lengths.tolist()]


def two_symbols(random: np.random.Generator, lengths: Lengths, k: int) -> Rows:
    """A chain of two symbols."""
    del k
    return chain(random, lengths, 2)


def three_steps(random: np.random.Generator, lengths: Lengths, k: int) -> Rows:
    """A chain of order 3 of few symbols."""
    return _of_order(random, lengths, min(k, 4), 3, 0.7)


def _visits(
    random: np.random.Generator, length: int, first: int, onward: Callable[[int], int], lasting: Callable[[int], int]
) -> list[int]:
    """Return a course of visits of given durations, begun in the midst of one."""
    row: list[int] = [first] * int(random.integers(1, max(lasting(first), 1) + 1))
    while len(row) < length:
        state = onward(row[-1])
        row += [state] * max(lasting(state), 1)
    return row[:length]


def _elsewhere(random: np.random.Generator, k: int) -> Callable[[int], int]:
    """Return a function that draws the next state, another one, from transitions that are drawn here."""
    rates = random.dirichlet(np.ones(k), k)
    np.fill_diagonal(rates, 0.0)
    rates += 1e-6 * (1.0 - np.eye(k))
    rates /= rates.sum(axis=1, keepdims=True)
    return lambda state: int(random.choice(k, p=rates[state]))


def regular_visits(random: np.random.Generator, lengths: Lengths, k: int) -> Rows:
    """Visits of a state that last about equally long."""
    means, onward = random.uniform(3.0, 12.0, k), _elsewhere(random, k)
    rows = []
    for n in lengths.tolist():
        first = int(random.integers(k))
        rows.append(_visits(random, n, first, onward, lambda s: round(random.normal(means[s], 0.15 * means[s]))))
    return rows


def cycle(random: np.random.Generator, lengths: Lengths, k: int) -> Rows:
    """A cycle of states of regular durations, begun at any moment."""
    k = min(k, 5)
    means = random.uniform(2.0, 8.0, k)
    rows = []
    for n in lengths.tolist():
        first = int(random.choice(k, p=means / means.sum()))
        lasting = lambda s: round(random.normal(means[s], 0.2 * means[s]))  # noqa: E731
        rows.append(_visits(random, n, first, lambda s: (s + 1) % k, lasting))
    return rows


def stages(random: np.random.Generator, lengths: Lengths, k: int) -> Rows:
    """Courses that begin together and go through all states in order, each for a part of the time that varies."""
    shares = random.dirichlet(np.full(k, 3.0))
    spread = random.uniform(5.0, 40.0)
    return [
        _stages(list(range(k)), random.multinomial(n, random.dirichlet(spread * shares + 0.2)))
        for n in lengths.tolist()
    ]


def _flipped(random: np.random.Generator, rows: Rows, k: int) -> Rows:
    """Return sequences in which some symbols are others."""
    noise = random.uniform(0.0, 0.08)
    return [[int(random.integers(k)) if random.random() < noise else state for state in row] for row in rows]


def noisy_stages(random: np.random.Generator, lengths: Lengths, k: int) -> Rows:
    """The same with symbols that are wrong."""
    return _flipped(random, stages(random, lengths, k), k)


def one_change(random: np.random.Generator, lengths: Lengths, k: int) -> Rows:
    """Courses that change once, at about the same part of the time, with short visits elsewhere."""
    middle, spread = random.uniform(0.2, 0.8), random.uniform(0.05, 0.2)
    rows = [
        (np.arange(n) > n * np.clip(random.normal(middle, spread), 0.05, 0.95)).astype(int).tolist()
        for n in lengths.tolist()
    ]
    return _flipped(random, rows, k)


def timetable(random: np.random.Generator, lengths: Lengths, k: int) -> Rows:
    """Courses that begin together, in which states are more likely at some hours."""
    stay, peaks, width = random.uniform(0.5, 0.9), random.uniform(0.0, 1.0, k), random.uniform(0.1, 0.3)
    rows = []
    for n in lengths.tolist():
        row = [int(np.argmin(peaks))]
        while len(row) < n:
            likely = np.exp(-0.5 * np.square((len(row) / n - peaks) / width)) + 0.02
            row.append(row[-1] if random.random() < stay else int(random.choice(k, p=likely / likely.sum())))
        rows.append(row)
    return rows


def hidden(random: np.random.Generator, lengths: Lengths, k: int) -> Rows:
    """Symbols of a hidden Markov model of three states."""
    rates, emission = _sticky(3, random.uniform(0.5, 0.9), _spread(3)), random.dirichlet(np.full(k, 0.4), 3)
    return [
        [int(random.choice(k, p=emission[state])) for state in _chain(random, _spread(3), rates, n)]
        for n in lengths.tolist()
    ]


def two_followers(random: np.random.Generator, lengths: Lengths, k: int) -> Rows:
    """A chain of order 2 in which two symbols follow each pair."""
    follows = np.array([[random.choice(k, 2, replace=False) for _ in range(k)] for _ in range(k)])
    share = random.uniform(0.5, 0.8)
    rows = []
    for n in lengths.tolist():
        row = random.integers(0, k, 2).tolist()
        while len(row) < n:
            row.append(int(follows[row[-2], row[-1], int(random.random() > share)]))
        rows.append(row)
    return rows


def phrases(random: np.random.Generator, lengths: Lengths, k: int) -> Rows:
    """Words of two to four symbols, one after another in any order."""
    words = [random.integers(0, k, int(random.integers(2, 5))).tolist() for _ in range(int(random.integers(3, 7)))]
    often = random.dirichlet(np.full(len(words), 2.0))
    rows = []
    for n in lengths.tolist():
        row: list[int] = []
        while len(row) < n + 4:
            row += words[int(random.choice(len(words), p=often))]
        begin = int(random.integers(0, 4))
        rows.append(row[begin : begin + n])
    return rows


def long_visits(random: np.random.Generator, lengths: Lengths, k: int) -> Rows:
    """Visits with a heavy tail: most are short, few very long."""
    means, onward = random.uniform(0.5, 2.0, k), _elsewhere(random, k)
    return [
        _visits(random, n, int(random.integers(k)), onward, lambda s: round(random.lognormal(means[s], 0.9)))
        for n in lengths.tolist()
    ]


def absorbed(random: np.random.Generator, lengths: Lengths, k: int) -> Rows:
    """Courses that begin together and end for good in one state, at any time."""
    rates = _sticky(k, random.uniform(0.6, 0.9), random.dirichlet(np.ones(k)))
    leaving = random.uniform(0.01, 0.04)
    rows = []
    for n in lengths.tolist():
        row = [0]
        while len(row) < n:
            done = row[-1] == k or random.random() < leaving
            row.append(k if done else int(random.choice(k, p=rates[row[-1]])))
        rows.append(row)
    return rows


def hours(random: np.random.Generator, lengths: Lengths, k: int) -> Rows:
    """A rhythm that repeats, begun at the same moment by all."""
    period, k = int(random.integers(8, 20)), min(k, 5)
    planned, kept = np.sort(random.integers(0, k, period)), random.uniform(0.6, 0.9)
    return [
        [int(planned[t % period]) if random.random() < kept else int(random.integers(k)) for t in range(n)]
        for n in lengths.tolist()
    ]


def very_unequal(random: np.random.Generator, lengths: Lengths, k: int) -> Rows:
    """A chain in sequences of which some are ten times as long as others."""
    return chain(random, np.maximum(5, np.rint(lengths * random.uniform(0.2, 2.0, len(lengths)))).astype(int), k)


def pairs_of_two_symbols(random: np.random.Generator, lengths: Lengths, k: int) -> Rows:
    """A chain of order 2 of two symbols."""
    del k
    return _of_order(random, lengths, 2, 2, 1.0)


UNCLUSTERED: dict[str, OneLaw] = {
    function.__name__.replace("_", " "): function
    for function in (
        chain, sticky_chain, skewed_chain, life_course, two_steps, independent, two_symbols, three_steps, regular_visits,
        cycle, stages, noisy_stages, one_change, timetable,
    )
}  # fmt: skip
"""Data without groups that the default was made with."""
UNSEEN: dict[str, OneLaw] = {
    function.__name__.replace("_", " "): function
    for function in (
        hidden, two_followers, phrases, long_visits, absorbed, hours, very_unequal, pairs_of_two_symbols,
    )
}  # fmt: skip
"""Data without groups that it is judged on only."""


def unclustered(kind: str, seed: int) -> list[list[str]]:
    """Return 20 to 80 sequences of one law of 3 to 10 symbols."""
    random = stream(seed, "one law", kind)
    n, k = int(random.integers(20, 81)), int(random.integers(3, 11))
    return _lettered({**UNCLUSTERED, **UNSEEN}[kind](random, _lengths(random, n), k))
