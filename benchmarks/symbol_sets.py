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


UNCLUSTERED = ("chain", "sticky chain", "skewed chain", "life course", "two steps")


def unclustered(kind: str, seed: int) -> list[list[str]]:
    """Return 20 to 80 sequences of one law: chains of order 1, courses that begin together, or a chain of order 2."""
    random = stream(seed, "one law", kind)
    n, k = int(random.integers(20, 81)), int(random.integers(3, 11))
    lengths = _lengths(random, n)
    rates = random.dirichlet(np.ones(k), k)
    if kind == "sticky chain":
        rates = _sticky(k, random.uniform(0.7, 0.95), random.dirichlet(np.ones(k)))
    if kind == "skewed chain":
        rates = _sticky(k, random.uniform(0.0, 0.5), random.dirichlet(np.full(k, 0.5)))
    if kind == "two steps":
        pairs = random.dirichlet(np.full(k, 0.5), (k, k))
        rows = []
        for length in lengths.tolist():
            row = random.integers(0, k, 2).tolist()
            while len(row) < length:
                row.append(int(random.choice(k, p=pairs[row[-2], row[-1]])))
            rows.append(row)
        return _lettered(rows)
    if kind != "life course":
        return _lettered([_chain(random, _spread(k), rates, length) for length in lengths.tolist()])
    # An order of states that few leave: rates of leaving change over time, and returns are rare.
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
    return _lettered(rows)
