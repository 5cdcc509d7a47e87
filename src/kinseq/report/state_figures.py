"""Figures of groups of sequences of symbols: index plots, shares of states over time, typical sequences, transitions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.errors import DataError, ParameterError, unknown_name
from ..core.symbols import alphabet_of
from ..plotting.figures import figure_style
from ..plotting.states import (
    colours_of,
    in_index_order,
    legend_of,
    padded,
    state_shares,
    transition_shares,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..analysis.result import Result
    from ..core.arrays import IntArray

MIN_SHOWN_TRANSITION = 0.1
"""Share of the changes out of a state above which a transition has an arrow."""


def states_figure(result: Result, kind: str) -> Figure:
    """Return a figure of one kind, with a picture for each group.

    Parameters
    ----------
    result : Result
        Of sequences of symbols.
    kind : {"index", "distribution", "typical", "transitions"}
        A row a sequence, a colour a state; shares of states over time; the most typical sequence; transitions between states,
        as arrows whose width is the share of the changes out of a state.

    Raises
    ------
    ParameterError
        If the kind is unknown.
    DataError
        If the sequences are of numbers.
    """
    from ..plotting.shown import ShownFigure

    if kind not in _DRAW:
        raise ParameterError(unknown_name("plot", kind, list(_DRAW)))
    sequences = result.original
    if sequences.alphabet is None:
        raise DataError(f"{sequences.name}: holds numbers, which have no {kind} plot; call plot() without a kind")
    n = result.n_clusters
    with figure_style():
        figure = ShownFigure(figsize=(9.0, 0.8 + 1.7 * n if kind != "typical" else 0.8 + 0.8 * n))
        axes = np.atleast_1d(figure.subplots(n, 1, sharex=kind != "transitions"))
        for k, axis in enumerate(axes):
            members = np.flatnonzero(result.labels == k)
            _DRAW[kind](axis, result, members)
            axis.set_title(f"cluster {k + 1}: {len(members)} sequences", loc="left", fontsize=9)
            axis.set_yticks([])
        handles = [_patch(state.colour, state.name) for state in legend_of(sequences)]
        figure.legend(handles=handles, loc="lower center", ncols=min(len(handles), 6), fontsize=8, frameon=False)
    return figure


def _patch(colour: str, name: str) -> Any:
    from matplotlib.patches import Patch

    return Patch(facecolor=colour, label=name)


def _image(axis: Axes, rows: IntArray, colours: list[str]) -> None:
    from matplotlib.colors import to_rgba

    table = np.array([*(to_rgba(colour) for colour in colours), (1.0, 1.0, 1.0, 0.0)])
    axis.imshow(table[rows], aspect="auto", interpolation="nearest")


def _index(axis: Axes, result: Result, members: IntArray) -> None:
    rows = padded(result.original, members)
    _image(axis, rows[in_index_order(rows)], colours_of(result.original))


def _distribution(axis: Axes, result: Result, members: IntArray) -> None:
    colours = colours_of(result.original)
    shares = state_shares(padded(result.original, members), len(colours))
    axis.stackplot(np.arange(shares.shape[1]), shares, colors=colours, step="post")
    axis.set_ylim(0.0, 1.0)


def _typical(axis: Axes, result: Result, members: IntArray) -> None:
    square = result.distance[np.ix_(members, members)]
    typical = members[[int(square.sum(axis=1).argmin())]]
    _image(axis, padded(result.original, typical), colours_of(result.original))


def _transitions(axis: Axes, result: Result, members: IntArray) -> None:
    letters, colours = alphabet_of(result.original), colours_of(result.original)
    shares = transition_shares(padded(result.original, members), len(letters))
    angles = 2.0 * np.pi * np.arange(len(letters)) / len(letters)
    places = np.column_stack([2.5 * np.cos(angles), np.sin(angles)])
    for i, j in zip(*np.nonzero(shares >= MIN_SHOWN_TRANSITION), strict=True):
        how = {"arrowstyle": "-|>", "connectionstyle": "arc3,rad=0.15", "shrinkA": 9, "shrinkB": 9, "color": colours[i]}
        axis.annotate("", places[j], places[i], arrowprops={**how, "lw": 0.5 + 3.0 * shares[i, j]})
    axis.scatter(places[:, 0], places[:, 1], s=160, c=colours, zorder=3)
    for place, letter in zip(places, letters, strict=True):
        axis.annotate(letter, place, xytext=(0, 9), textcoords="offset points", ha="center", fontsize=8)
    axis.set_xlim(-3.2, 3.2)
    axis.set_ylim(-1.4, 1.6)
    axis.set_axis_off()


_DRAW: Mapping[str, Callable[[Axes, Result, IntArray], None]] = {
    "index": _index,
    "distribution": _distribution,
    "typical": _typical,
    "transitions": _transitions,
}
