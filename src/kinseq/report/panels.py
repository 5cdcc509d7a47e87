"""Small pictures as paths: curves over time, dots on an axis, states in colours, spectrograms; all are drawn by one template."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..core.arrays import FloatArray
from ..core.wording import plain

WIDTH, HEIGHT = 200.0, 100.0
"""Size of a picture in its own units."""
INSIDE = (0.01, 0.99)
"""Quantiles of all values that bound the scale of a column; values outside are clipped."""


class Tick(NamedTuple):
    """A text on an axis, and its position in percent from the low end."""

    at: float
    text: str


class Cut(NamedTuple):
    """Where a curve leaves the scale, in percent from the left, and whether at the top."""

    at: float
    is_high: bool


class Layer(NamedTuple):
    """A path: its class in the style sheet, or else the colour that it is filled with."""

    look: str
    path: str
    ink: str = ""


@dataclass(frozen=True)
class Panel:
    """A picture with its axes.

    Attributes
    ----------
    title : str
    name : str
        Description for those who do not see it.
    layers : sequence of Layer
        From the lowest to the uppermost.
    ticks : sequence of Tick
        Of the values: upwards for a course, else to the right.
    is_course : bool
        Whether time goes to the right.
    labels : sequence of Tick
        Texts at the ends of lines, places as on the screen: from the top of a course, else from the left.
    end : str
        End of the time axis; empty where it is not written.
    cuts : sequence of Cut
    image : str
        Address of an image under all layers.
    is_missing : bool
        Whether no member has the property.
    """

    title: str
    name: str
    layers: Sequence[Layer]
    ticks: Sequence[Tick] = ()
    is_course: bool = True
    labels: Sequence[Tick] = ()
    end: str = ""
    cuts: Sequence[Cut] = ()
    image: str = ""
    is_missing: bool = False


def path_of(heights: FloatArray, backwards: bool = False) -> str:
    """A curve between 0 and 1 as a path; values outside are drawn just beyond the edge."""
    x = np.linspace(WIDTH, 0.0, len(heights)) if backwards else np.linspace(0.0, WIDTH, len(heights))
    y = HEIGHT * (1.0 - np.clip(heights, -0.1, 1.1))
    points = np.rint(np.column_stack([x, y])).astype(np.int64)
    # Steps from point to point are half as long as places.
    steps = " ".join(f"{a} {b}" for a, b in np.diff(points, axis=0).tolist())
    return f"M{points[0, 0]} {points[0, 1]}l{steps}".replace(" -", "-")


def dots(parts: FloatArray, top: float = 0.3, step: float = 0.06, most: int = 1000) -> str:
    """Dots at parts of the width, in rows from `top` on, so that equal ones are distinguished; those outside are left out."""
    at = np.sort(parts[np.isfinite(parts)])
    at = at[:: max(1, at.size // most)].tolist()
    return "".join(
        f"M{WIDTH * x:.1f} {HEIGHT * (top + step * (j % 9)):.0f}h0" for j, x in enumerate(at) if 0.0 <= x <= 1.0
    )


def upright(part: float) -> str:
    """A line at a part of the width; empty outside of it."""
    return f"M{WIDTH * part:.1f} 18V{HEIGHT:.0f}" if 0.0 <= part <= 1.0 else ""


def ticks(low: float, high: float) -> list[Tick]:
    """Round numbers between two ends of an axis."""
    from matplotlib.ticker import MaxNLocator

    places = [float(place) for place in MaxNLocator(nbins=3, steps=[1, 2, 2.5, 5, 10]).tick_values(low, high)]
    return [
        Tick(100.0 * (place - low) / (high - low), plain(place, 4).replace("-", "−"))
        for place in places
        if low <= place <= high
    ]


def ends(
    values: FloatArray, lines: Sequence[FloatArray] = (), inside: tuple[float, float] = INSIDE
) -> tuple[float, float]:
    """Both ends of a scale for most of some values, and for all of some lines."""
    kept = values[np.isfinite(values)]
    both = np.concatenate([np.quantile(kept, inside) if kept.size else [0.0, 1.0], *map(np.ravel, lines)])
    low, high = float(np.nanmin(both)), float(np.nanmax(both))
    margin = 0.05 * (high - low) or 0.5
    return low - margin, high + margin


def cuts(heights: FloatArray) -> list[Cut]:
    """Where curves, shape (N, L), between 0 and 1 are cut most: at the top and at the bottom, at most one place per curve."""
    found = []
    for is_high, beyond in ((True, heights - 1.0), (False, -heights)):
        # The line width hides an excess below 0.1.
        at = {10 * round(10.0 * row.argmax() / max(1, row.size - 1)) for row in beyond if row.max() > 0.1}
        found += [Cut(float(place), is_high) for place in sorted(at)]
    return found


def strip(title: str, value: float, others: FloatArray, name: str) -> Panel:
    """A named value among others, as dots on one axis."""
    low, high = ends(np.append(others, value), inside=(0.0, 1.0))
    at = (value - low) / (high - low)
    layers = [Layer("own", upright(at)), Layer("members", dots((others - low) / (high - low)))]
    return Panel(title, f"{title}: {name} at {plain(value)}", layers, ticks(low, high), False, [Tick(100.0 * at, name)])
