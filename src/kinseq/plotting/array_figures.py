"""Figures of arrays: squares of shares (Hinton diagrams), and segmented eigenvectors. Nothing is computed here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.arrays import FloatArray, IntArray
from .figures import PAGE_WIDTH, figure_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK = "#1A1A1A"
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#5E3C99", "#7A3B10", "#7F7F00", "#7A7A7A")
DASHES: tuple[Any, ...] = ("-", (0, (4, 1.6)), (0, (1.2, 1.2)), (0, (6, 1.6, 1.2, 1.6)))


def squares(axis: Axes, share: FloatArray, fits: float) -> None:
    """One Hinton diagram of shares, shape (rows, columns).

    The share is written into a square whose side is above `fits`, and below a smaller one.
    """
    from matplotlib.patches import Rectangle

    n_rows, n_columns = share.shape
    for row in range(n_rows):
        for column in range(n_columns):
            side = 0.92 * np.sqrt(share[row, column])
            if side > 0:
                axis.add_patch(Rectangle((column - side / 2, row - side / 2), side, side, color=INK, linewidth=0))
            text = f"{100 * share[row, column]:.0f} %"
            if side > fits:
                axis.annotate(text, (column, row), ha="center", va="center", fontsize=6, color="white")
            elif share[row, column] >= 0.005:
                below = (column, row + side / 2)
                axis.annotate(text, below, (0, -1), textcoords="offset points", ha="center", va="top", fontsize=6)
    axis.set_xlim(-0.6, n_columns - 0.4)
    axis.set_ylim(n_rows - 0.4, -0.6)
    axis.set_aspect("equal")
    axis.grid(visible=False)


def _eigenvectors(
    axis: Axes, embedding: FloatArray, edges: IntArray, boundaries: IntArray, true: IntArray | None
) -> None:
    look: dict[str, Any] = {"linewidth": 0.9}
    middle = 0.5 * (edges[:-1] + edges[1:])
    for k in range(embedding.shape[1]):
        look |= {"color": COLOURS[k % len(COLOURS)], "linestyle": DASHES[k % len(DASHES)]}
        axis.plot(middle, embedding[:, k], label=f"eigenvector {k + 1}", **look)
    for number, place in enumerate(boundaries):
        # One legend entry for all of them; a name with this prefix gets none.
        axis.axvline(place, color=INK, linewidth=0.8, label="_" if number else "boundary found")
    if true is not None:
        low, high = axis.get_ylim()
        axis.set_ylim(low - 0.08 * (high - low), high)
        axis.plot(
            true, np.full(len(true), low - 0.04 * (high - low)), linestyle="", marker="^", color=INK, markersize=3.5,
            label="true boundary",
        )  # fmt: skip
    axis.set_xlim(edges[0], edges[-1])
    axis.grid(axis="x", visible=False)


def eigenmap(
    embedding: FloatArray,
    edges: IntArray,
    boundaries: IntArray,
    sources: IntArray | None = None,
    true_boundaries: IntArray | None = None,
    x_label: str = "sample",
    n_shown: int | None = None,
) -> Figure:
    """Return eigenvectors over time, shape (M, D) with one row per window, with the boundaries of the segments.

    `edges`, shape (M + 1,), are the first sample of every window and the number of samples; `boundaries`, shape (S -
    1,), the samples at which segments begin, drawn as lines; `sources`, shape (S,), the source of each segment, written
    above it; `true_boundaries` triangles at the bottom. The leading `n_shown` eigenvectors are drawn, or all. Thesis
    2011, figure C.1.
    """
    from .shown import ShownFigure

    with figure_style():
        figure = ShownFigure(figsize=(PAGE_WIDTH, 3.4))
        axis = figure.subplots()
        vectors = np.asarray(embedding)[:, :n_shown]
        _eigenvectors(axis, vectors, np.asarray(edges), np.asarray(boundaries), true_boundaries)
        if sources is not None:
            ends = np.concatenate([[edges[0]], boundaries, [edges[-1]]])
            for start, end, source in zip(ends[:-1], ends[1:], sources, strict=True):
                axis.text((start + end) / 2, 1.01, str(int(source) + 1), transform=axis.get_xaxis_transform(),
                          ha="center", va="bottom", fontsize=7)  # fmt: skip
        axis.set_xlabel(x_label)
        axis.set_ylabel("entries of the eigenvectors")
        notes = (
            []
            if vectors.shape[1] == np.shape(embedding)[1]
            else [f"{vectors.shape[1]} of {np.shape(embedding)[1]} are drawn"]
        )
        notes += [] if sources is None else ["above: the source of each segment"]
        figure.legend(
            *axis.get_legend_handles_labels(), loc="outside lower center", ncols=4, frameon=False,
            title="; ".join(notes) or None, title_fontsize=7.5,
        )  # fmt: skip
    return figure
