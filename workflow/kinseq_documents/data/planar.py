"""Generated points for the thesis of 2012: clusters that kernels, straight lines or one scale cannot tell apart."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from kinseq.core.arrays import FloatArray, IntArray, as_count, as_flag, as_real
from kinseq.core.errors import ParameterError
from kinseq.core.seeds import stream
from kinseq.core.sequences import SequenceSet

from ..tasks import Task
from .registry import Loader
from .vectors import as_points, ranged

Points = tuple[FloatArray, IntArray]
"""Points, shape (N, d), and the class of each."""

CORNERS = ((0.0, 0.0), (0.0, 10.0), (10.0, 0.0), (10.0, 10.0))

SCALES = ((0.0, 0.1), (4.0, 1.0), (20.0, 10.0))
"""Place on the horizontal axis and standard deviation of the three Gaussians of V 5.5.1."""


def mixture(
    seed: int,
    sizes: Sequence[int],
    means: Sequence[Sequence[float]],
    deviations: Sequence[float],
    stochastic: bool = False,
) -> Points:
    """Spherical Gaussians, with numbers of points, means and standard deviations.

    If `stochastic`, the number of points of each is drawn, with `sizes` as weights.
    """
    random = stream(seed, "mixture")
    total = sum(as_count(size, "sizes") for size in sizes)
    counts = random.multinomial(total, np.array(sizes) / total) if stochastic else np.asarray(sizes)
    label = np.repeat(np.arange(len(counts)), counts)
    centers, widths = np.asarray(means, dtype=np.float64), np.asarray(deviations, dtype=np.float64)
    return centers[label] + widths[label, None] * random.normal(size=(total, centers.shape[1])), label


def four_gaussians(seed: int, per_class: int = 50) -> Points:
    """Four Gaussians of unit variance on the corners of a square of side 10 (V 5.1.2)."""
    return mixture(seed, [as_count(per_class, "per_class")] * 4, CORNERS, [1.0] * 4)


def three_scales(seed: int, per_class: int = 100) -> Points:
    """Return three Gaussians whose standard deviations are .1, 1 and 10 (V 5.5.1)."""
    return mixture(
        seed, [as_count(per_class, "per_class")] * 3, [(place, 0.0) for place, _ in SCALES], [s for _, s in SCALES]
    )


def spirals(seed: int, per_class: int = 100, noise: float = 0.01, pace: float = 0.6) -> Points:
    """Return three spirals around one centre, within the unit circle; `noise` is the standard deviation of either coordinate.

    Arms run from radius .2 to 1 and make `pace` turns in a radius of 1: .48 turns each, or three quarters at 0.9375.
    """
    n = as_count(per_class, "per_class")
    deviation = as_real(noise, "noise")
    if deviation < 0.0:
        raise ParameterError(f"noise is {noise!r}, expected a number of at least 0")
    random = stream(seed, "spirals")
    label = np.repeat(np.arange(3), n)
    along = np.tile(np.linspace(0.2, 1.0, n), 3)
    angle = 2.0 * math.pi * (label / 3.0 + pace * along)
    points = along[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    return points + deviation * random.normal(size=points.shape), label


def rings(seed: int, per_ring: int = 150, radii: Sequence[float] = (1.0, 3.0), noise: float = 0.1) -> Points:
    """Circles around one centre with Gaussian noise."""
    random = stream(seed, "rings")
    label = np.repeat(np.arange(len(radii)), as_count(per_ring, "per_ring"))
    angle = random.uniform(0.0, 2.0 * math.pi, label.size)
    points = np.asarray(radii)[label, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    return points + noise * random.normal(size=points.shape), label


def cylinders(seed: int, per_ring: int = 150, bend: float = 0.0, noise: float = 0.05) -> Points:
    """Return two rings side by side in three dimensions, tilted against each other, that come close in one place.

    `bend` is the height of a saddle that each ring is bent to; 0 leaves it flat. `noise` is the standard deviation of
    each coordinate.
    """
    random = stream(seed, "cylinders")
    n = as_count(per_ring, "per_ring")
    label = np.repeat(np.arange(2), n)
    angle = np.tile(np.linspace(0.0, 2.0 * math.pi, n, endpoint=False), 2)
    ring = np.column_stack([np.cos(angle), np.sin(angle), bend * np.cos(2.0 * angle)])
    tilt = np.array([[1.0, 0.0, 0.0], [0.0, math.cos(0.9), -math.sin(0.9)], [0.0, math.sin(0.9), math.cos(0.9)]])
    ring[n:] = ring[n:] @ tilt.T + np.array([2.4, 0.0, 0.0])
    return ring + noise * random.normal(size=ring.shape), label


def moons(seed: int, per_class: int = 150, noise: float = 0.04) -> Points:
    """Return two interleaved half circles."""
    random = stream(seed, "moons")
    n = as_count(per_class, "per_class")
    angle = np.linspace(0.0, math.pi, n)
    upper = np.column_stack([np.cos(angle), np.sin(angle)])
    lower = np.column_stack([1.0 - np.cos(angle), 0.45 - np.sin(angle)])
    points = np.concatenate([upper, lower])
    return points + noise * random.normal(size=points.shape), np.repeat(np.arange(2), n)


def _grid(side: int) -> FloatArray:
    row, column = np.divmod(np.arange(side * side), side)
    return np.column_stack([row, column]).astype(np.float64)


def colour_image(seed: int, side: int = 20) -> Points:
    """Return pixels of an image whose left half has one colour and whose right half has random ones (V 5.5.2).

    Points have shape (side ** 2, 5): red, green, blue from 0 to 1, row, column; the label is 0 in the left half.
    """
    random = stream(seed, "colours")
    place = _grid(as_count(side, "side", least=2))
    label = (place[:, 1] >= side / 2).astype(np.int64)
    plain = np.array([0.45, 0.5, 0.55]) + 0.01 * random.normal(size=(len(place), 3))
    colours = np.where(label[:, None] == 0, plain, random.random((len(place), 3)))
    return np.column_stack([np.clip(colours, 0.0, 1.0), place]), label


def object_on_texture(seed: int, side: int = 24) -> Points:
    """Return pixels of a grey disc on a rough texture, in the place of the photograph of V 5.5.3; columns as above."""
    random = stream(seed, "texture")
    place = _grid(as_count(side, "side", least=4))
    middle = np.array([0.45, 0.55]) * side
    label = (((place - middle) ** 2).sum(axis=1) < (0.23 * side) ** 2).astype(np.int64)
    grain = random.random((len(place), 1)) * np.array([0.95, 0.8, 0.5]) + 0.12 * random.normal(size=(len(place), 3))
    grey = 0.5 + 0.015 * random.normal(size=(len(place), 1)) + np.zeros(3)
    colours = np.where(label[:, None] == 1, grey, grain)
    return np.column_stack([np.clip(colours, 0.0, 1.0), place]), label


MAKERS: dict[str, Callable[..., Points]] = {
    "four_gaussians": four_gaussians,
    "three_scales": three_scales,
    "spirals": spirals,
    "spirals_wide": partial(spirals, pace=0.9375),
    "rings": rings,
    "moons": moons,
    "colour_image": colour_image,
    "object_on_texture": object_on_texture,
}


def _generate(seed: int, shape: str, scale: str, noise: Sequence[float], known: bool) -> tuple[SequenceSet, list[Task]]:
    """Return one replicate; with several levels of noise a task for each, on the same draws."""
    if shape not in MAKERS:
        raise ParameterError(f"planar: shape is {shape!r}, expected one of {', '.join(MAKERS)}")
    levels = [None] if not noise else list(noise)
    parts = [MAKERS[shape](seed) if level is None else MAKERS[shape](seed, noise=level) for level in levels]
    scaled = [ranged(points) if scale == "range" else points for points, _ in parts]
    labels = np.concatenate([label for _, label in parts])
    tasks, start = [], 0
    for level, points in zip(levels, scaled, strict=True):
        members = np.arange(start, start + len(points))
        count = len(np.unique(labels[members])) if as_flag(known, "planar: known") else None
        name, x = ("all", float("nan")) if level is None else (f"noise{level:g}".replace(".", "_"), float(level))
        tasks.append(Task(name, members, count, x=x))
        start += len(points)
    return as_points(np.concatenate(scaled), [str(c) for c in labels], shape), tasks


LOADERS = (
    Loader(
        name="planar",
        label="generated points: `four_gaussians`, `three_scales`, `spirals`, `rings`, `moons`, `colour_image`,"
        " `object_on_texture`, anew in every trial",
        notes={"noise": "of the spirals: a task for each level"},
        function=_generate,
        kind="generated",
        params={"shape": "four_gaussians", "scale": "none", "noise": [], "known": True},
    ),
)
