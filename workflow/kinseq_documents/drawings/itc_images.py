"""Information-theoretic clustering of images and of their pixels (thesis 2012, sections 5.3 to 5.5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from kinseq.clustering.itc import information_theoretic, match
from kinseq.core.arrays import FloatArray, IntArray
from kinseq.core.content_cache import ContentCache
from kinseq.core.errors import DataError
from kinseq.core.sequences import SequenceSet
from kinseq.metrics.external import accuracy, balanced_accuracy

from ..data import planar
from ..data.pixels import DIGIT, FACE
from ..data.vectors import ranged
from ..plotting import panels
from ..tasks import Task
from .itc_runs import KERNELS
from .registry import Arrays, Drawing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def _faces(seed: int, sequences: SequenceSet, tasks: Sequence[Task], n_shown: int, k_init: int) -> Arrays:
    """Return two clusters of faces: their means, and faces drawn evenly from each."""
    items = sequences.subset(tasks[0].indices)
    clustering = information_theoretic(items.values, 2, exponent=1.0, k_init=k_init, random_state=seed)
    images = items.values.reshape(-1, *FACE)
    order = np.argsort([-np.count_nonzero(clustering.labels == k) for k in (0, 1)], kind="stable")
    members = [np.flatnonzero(clustering.labels == k) for k in order]
    examples = [one[np.linspace(0, len(one) - 1, n_shown).astype(np.int64)] for one in members]
    return {
        "means": np.array([images[one].mean(axis=0) for one in members]),
        "examples": np.array([images[one] for one in examples]),
        "sizes": np.array([len(one) for one in members]),
    }


def _draw_faces(arrays: Arrays, **_: Any) -> Figure:
    means, examples, sizes = arrays["means"], arrays["examples"], arrays["sizes"]
    first: list[tuple[str, panels.Draw]] = []
    second: list[tuple[str, panels.Draw]] = []
    for k in (0, 1):

        def mean(axis: Axes, k: int = k) -> None:
            panels.image(axis, means[k], vmin=0, vmax=255)

        def some(axis: Axes, k: int = k) -> None:
            panels.image(axis, panels.mosaic(examples[k], 8), vmin=0, vmax=255)

        first.append((f"mean of cluster {k + 1}, {int(sizes[k])} faces", mean))
        second.append((f"some of cluster {k + 1}", some))

    def difference(axis: Axes) -> None:
        span = float(np.abs(means[0] - means[1]).max())
        axis.imshow(means[0] - means[1], cmap="RdBu_r", vmin=-span, vmax=span, interpolation="nearest")
        panels.bare(axis)

    return panels.panels([*first, ("first mean minus second", difference), *second], height=2.2)


def _digits(seed: int, sequences: SequenceSet, tasks: Sequence[Task], k_init: int) -> Arrays:
    """Return clusters of the first pair of digits, and the errors of all pairs."""
    errors, pairs = [], []
    for task in tasks:
        items = sequences.subset(task.indices)
        if items.labels is None:
            raise DataError(f"{items.name}: has no labels to count errors by")
        truth = np.unique(items.labels, return_inverse=True)[1]
        clustering = information_theoretic(items.values, 2, exponent=1.0, k_init=k_init, random_state=seed)
        labels = match(clustering.labels, truth, 2)
        errors.append(int((labels != truth).sum()))
        pairs.append((items.values.reshape(-1, *DIGIT), labels))
    images, labels = pairs[0]
    return {
        "images": images,
        "labels": labels,
        "pairs": np.array([task.name for task in tasks]),
        "errors": np.array(errors),
        "sizes": np.array([task.indices.size for task in tasks]),
    }


def _draw_digits(arrays: Arrays, **_: Any) -> Figure:
    contents = []
    for k in (0, 1):

        def draw(axis: Axes, k: int = k) -> None:
            panels.image(axis, panels.mosaic(-arrays["images"][arrays["labels"] == k], 6))

        contents.append((f"cluster {k + 1}", draw))
    figure = panels.panels(contents, columns=2, height=3.0)
    notes = [
        f"{pair}: {int(wrong)} of {int(size)} wrong"
        for pair, wrong, size in zip(arrays["pairs"], arrays["errors"], arrays["sizes"], strict=True)
    ]
    figure.supxlabel(", ".join(notes), fontsize=8.0)
    return figure


def _nearest(trained: FloatArray, labels: IntArray, points: FloatArray) -> IntArray:
    """Label of the nearest trained point."""
    from scipy.spatial import KDTree

    return np.asarray(labels[KDTree(trained).query(points, k=1)[1]], dtype=np.int64)


_last: ContentCache[Arrays] = ContentCache()
"""Two figures show the same pixels."""


def _clouds(seed: int, sequences: SequenceSet, tasks: Sequence[Task], side: int) -> Arrays:
    """Return pixels clustered, the whole image by its nearest clustered pixel, and a crop clustered directly."""
    if sequences.labels is None or sequences.groups is None:
        raise DataError(f"{sequences.name}: needs a mask of clouds and the rows of its pixels")
    points, truth = sequences.values, (sequences.labels == "cloud").astype(np.int64)
    rows = int(sequences.groups.max()) + 1
    shape = (rows, len(points) // rows)
    sample = np.asarray(tasks[0].indices, dtype=np.int64)
    return dict(
        _last.get(
            (points, truth, sample), lambda: _clustered(seed, points, truth, sample, shape, side), (seed, *shape, side)
        )
    )


def _clustered(
    seed: int, points: FloatArray, truth: IntArray, sample: IntArray, shape: tuple[int, int], side: int
) -> Arrays:
    clustering = information_theoretic(points[sample], 2, random_state=seed)
    clustered = match(clustering.labels, truth[sample], 2)
    whole = _nearest(points[sample], clustered, points)
    at = _crop(truth.reshape(shape), side)
    inside = (np.arange(points.shape[0]).reshape(shape)[at[0] : at[0] + side, at[1] : at[1] + side]).ravel()
    crop = match(information_theoretic(points[inside], 2, random_state=seed, n_runs=10).labels, truth[inside], 2)
    return {
        "image": points[:, :3].reshape(*shape, 3),
        "truth": truth.reshape(shape),
        "found": whole.reshape(shape),
        "crop": crop.reshape(side, side),
        "at": np.array(at),
        "crop_accuracy": np.array(100.0 * float((crop == truth[inside]).mean())),
        "accuracy": np.array(100.0 * float((whole == truth).mean())),
        "balanced": np.array(balanced_accuracy(truth, whole)),
        "constant": np.array(100.0 * float((truth == 0).mean())),
        "sample_accuracy": np.array(accuracy(truth[sample], clustering.labels)),
    }


def _crop(truth: IntArray, side: int) -> tuple[int, int]:
    """Corner of the square, among those on a coarse grid, that comes closest to being half clouds."""
    corners = [(r, c) for r in range(0, truth.shape[0] - side, side) for c in range(0, truth.shape[1] - side, side)]
    share = [abs(float(truth[r : r + side, c : c + side].mean()) - 0.5) for r, c in corners]
    return corners[int(np.argmin(share))]


def _composite(arrays: Arrays) -> FloatArray:
    """Return the first three features as colours from 0 to 1."""
    return np.asarray(np.clip(0.5 * (arrays["image"] + 1.0), 0.0, 1.0))


def _window(arrays: Arrays) -> tuple[slice, slice]:
    (r, c), side = arrays["at"], len(arrays["crop"])
    return slice(int(r), int(r) + side), slice(int(c), int(c) + side)


def _draw_clouds(arrays: Arrays, **_: Any) -> Figure:
    whole = _composite(arrays)
    texts = [
        ("crop, first three features", lambda axis: panels.image(axis, whole[_window(arrays)])),
        (
            f"crop clustered: {float(arrays['crop_accuracy']):.1f} % right",
            lambda axis: panels.image(axis, arrays["crop"].astype(np.float64)),
        ),
        ("whole image", lambda axis: panels.image(axis, whole)),
        (
            f"1-NN of clustered pixels: {float(arrays['accuracy']):.1f} %",
            lambda axis: panels.image(axis, arrays["found"].astype(np.float64)),
        ),
    ]
    figure = panels.panels(texts, columns=2, height=3.0)
    figure.supxlabel(
        f"balanced accuracy {float(arrays['balanced']):.1f} %; calling every pixel clear"
        f" {float(arrays['constant']):.1f} % and 50 %",
        fontsize=8.0,
    )
    return figure


def _draw_masks(arrays: Arrays, **_: Any) -> Figure:
    wrong = arrays["found"] - arrays["truth"]
    colours = np.ones((*wrong.shape, 3))
    colours[wrong > 0] = (0.0, 0.45, 0.70)
    colours[wrong < 0] = (0.84, 0.37, 0.0)
    return panels.panels(
        [
            ("mask, clouds white", lambda axis: panels.image(axis, arrays["truth"].astype(np.float64))),
            ("classified", lambda axis: panels.image(axis, arrays["found"].astype(np.float64))),
            ("blue: found only, orange: mask", lambda axis: panels.image(axis, colours)),
        ],
        height=2.5,
    )


MAKERS = {"colour_image": planar.colour_image, "object_on_texture": planar.object_on_texture}


def _coloured(seed: int, shape: str, k_init: int, convention: str) -> Arrays:
    """Return pixels of a generated image by kernels at both rules for the width and by nearest neighbours."""
    raw, truth = MAKERS[shape](seed)
    points = ranged(raw)
    settings: list[dict[str, Any]] = [
        {"method": "kernel", "width": "mean_deviation", "convention": convention},
        {"method": "kernel", "width": "silverman", "convention": convention},
        {},
    ]
    partitions = [
        information_theoretic(points, 2, k_init=k_init, random_state=seed, **options).labels for options in settings
    ]
    labels = [match(one, truth, 2) for one in partitions]
    return {
        "pixels": raw,
        "class": truth,
        "labels": np.array(labels),
        "errors": np.array([int((one != truth).sum()) for one in labels]),
    }


def _draw_coloured(arrays: Arrays, convention: str, **_: Any) -> Figure:
    side = round(len(arrays["pixels"]) ** 0.5)
    colours, truth = arrays["pixels"][:, :3], arrays["class"]

    def spread(axis: Axes) -> None:
        for k, marker in ((1, "o"), (0, "^")):
            members = truth == k
            axis.scatter(colours[members, 0], colours[members, 1], s=7, c=colours[members], marker=marker, linewidths=0)
        axis.set_xlabel("red")
        axis.set_ylabel("green")

    contents: list[tuple[str, panels.Draw]] = [
        ("image", lambda axis: panels.image(axis, colours.reshape(side, side, 3))),
        ("two of its colours", spread),
    ]
    names = ("kernel, sigma_M", "kernel, sigma_S", "nearest neighbours")
    for i, name in enumerate(names):

        def draw(axis: Axes, i: int = i) -> None:
            panels.image(axis, arrays["labels"][i].reshape(side, side).astype(np.float64), vmin=0, vmax=1)

        contents.append((f"{name}: {int(arrays['errors'][i])} wrong", draw))
    figure = panels.panels(contents, height=2.3)
    figure.supxlabel(KERNELS[convention], fontsize=7.5)
    return figure


DRAWINGS = (
    Drawing(
        name="itc_faces",
        label="faces in two clusters",
        source="thesis 2012, figure 5.5",
        compute=_faces,
        draw=_draw_faces,
        requires=("sequences",),
        params={"n_shown": 24, "k_init": 8},
    ),
    Drawing(
        name="itc_digits",
        label="digits in two clusters",
        source="thesis 2012, figure 5.6",
        compute=_digits,
        draw=_draw_digits,
        requires=("sequences",),
        params={"k_init": 8},
    ),
    Drawing(
        name="itc_clouds",
        label="clouds found from clustered pixels",
        source="thesis 2012, figure 5.7",
        compute=_clouds,
        draw=_draw_clouds,
        requires=("sequences",),
        params={"side": 48},
    ),
    Drawing(
        name="itc_cloud_masks",
        label="where the mask of clouds and the classification differ",
        source="thesis 2012, figure 5.8",
        compute=_clouds,
        draw=_draw_masks,
        requires=("sequences",),
        params={"side": 48},
    ),
    Drawing(
        name="itc_colours",
        label="pixels of a generated image in two clusters",
        source="thesis 2012, figures 5.10 and 5.11",
        compute=_coloured,
        draw=_draw_coloured,
        params={"shape": "colour_image", "k_init": 6, "convention": "plug_in"},
    ),
)
