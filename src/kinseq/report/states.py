"""Pictures of groups of sequences of symbols, in SVG: one row per sequence, shares of states over time, the most typical one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..core.arrays import FloatArray, IntArray
from ..core.sequences import SequenceSet
from ..core.symbols import alphabet_of
from ..plotting.states import OTHERS, POINTS, colours_of, in_index_order, padded, state_shares
from .panels import HEIGHT, WIDTH, Layer, Panel


def pictures(sequences: SequenceSet, members: IntArray, typical: int, most: int, group: str, end: str) -> list[Panel]:
    """Return the pictures of one group: an index plot of up to `most` members, state distribution, and the most typical one."""
    colours, n_states = colours_of(sequences), len(alphabet_of(sequences))
    rows = padded(sequences, members)
    drawn = rows[in_index_order(rows)]
    if len(drawn) > most:
        drawn = drawn[np.linspace(0, len(drawn) - 1, most).round().astype(int)]
    layers = {
        "sequences, one a row": _index_plot(drawn, colours),
        "shares of states over time": _distribution(state_shares(rows, n_states), colours),
        "the most typical one": _index_plot(padded(sequences, np.array([typical])), colours),
    }
    return [Panel(title, f"{title} of {group}", bands, end=end) for title, bands in layers.items()]


def _index_plot(rows: IntArray, colours: Sequence[str]) -> list[Layer]:
    """Return the area of each colour: a box for each stretch of one state."""
    n, length = rows.shape
    paths: dict[str, list[str]] = {}
    height = HEIGHT / n
    for i, row in enumerate(rows):
        begins = np.flatnonzero(np.concatenate([[True], row[1:] != row[:-1]]))
        ends = np.append(begins[1:], length)
        for begin, end in zip(begins.tolist(), ends.tolist(), strict=True):
            if row[begin] >= 0:
                x, wide = WIDTH * begin / length, WIDTH * (end - begin) / length
                paths.setdefault(colours[row[begin]], []).append(
                    f"M{x:.1f} {height * i:.2f}h{wide:.1f}v{height:.2f}h-{wide:.1f}z"
                )
    return [Layer("", "".join(boxes), colour) for colour, boxes in paths.items()]


def _distribution(shares: FloatArray, colours: Sequence[str]) -> list[Layer]:
    """Return the area of each state, one above the other, with steps from time to time."""
    length = shares.shape[1]
    at = np.unique(np.linspace(0, length - 1, min(length, POINTS)).round().astype(int))
    edges = WIDTH * np.append(at, length) / length
    order = sorted(range(len(shares)), key=lambda state: (colours[state] == OTHERS, colours.index(colours[state])))
    bands: list[Layer] = []
    below = np.zeros(len(at))
    for state in order:
        above = below + shares[state][at]
        if shares[state].any():
            there = [f"L{edges[i]:.1f} {HEIGHT * (1 - above[i]):.1f}H{edges[i + 1]:.1f}" for i in range(len(at))]
            back = [f"V{HEIGHT * (1 - below[i]):.1f}H{edges[i]:.1f}" for i in reversed(range(len(at)))]
            path = "M" + there[0][1:] + "".join(there[1:]) + "".join(back) + "z"
            bands.append(Layer("", path, colours[state]))
        below = above
    return bands
