"""Images as points: faces, digits, and the pixels of satellite images with a mask of clouds (V 5.3 and 5.4)."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinseq.core.arrays import FloatArray, as_count
from kinseq.core.errors import DataError, ParameterError
from kinseq.core.seeds import stream
from kinseq.core.sequences import SequenceSet

from ..tasks import Task
from .registry import Loader
from .vectors import as_points

FACE = (28, 20)
DIGIT = (16, 16)

BANDS_38 = ("blue", "green", "red", "nir")
BANDS_8 = {"blue": 2, "green": 3, "red": 4, "nir": 5, "cirrus": 9, "thermal": 10}
"""Bands of Landsat 8 by their numbers."""

FEATURES_38 = ("blue", "red", "near infrared", "brightness", "whiteness", "vegetation index")
FEATURES_8 = ("brightness", "whiteness", "near infrared", "vegetation index", "cirrus", "thermal")
"""Six features of a pixel. Brightness is the mean of the visible bands, whiteness their mean absolute deviation from it
over it, and the vegetation index (near infrared - red) / (near infrared + red)."""


def load_faces(folder: Path, **_: Any) -> SequenceSet:
    """1965 grey images of one face, 28 x 20 pixels from 0 to 255 by rows (``frey_rawface.mat``); no labels."""
    from scipy.io import loadmat

    path = folder / "frey_rawface.mat"
    try:
        images = np.asarray(loadmat(path)["ff"], dtype=np.float64)
    except Exception as error:  # the parser raises many kinds
        raise DataError(f"{path}: is not the file of the faces ({error}); fetch the file again") from error
    if images.ndim != 2 or images.shape[0] != FACE[0] * FACE[1]:
        raise DataError(f"{path}: has images of {images.shape[0]} pixels, expected 560; fetch the file again")
    return as_points(images.T, None, "frey_faces")


def tasks_of_faces(sequences: SequenceSet, seed: int, n: int) -> list[Task]:
    """`n` images drawn at random, in two clusters."""
    count = as_count(n, "frey_faces: n", least=2)
    if count > len(sequences):
        raise ParameterError(f"frey_faces: n is {count} but there are {len(sequences)} images; lower it")
    sample = np.sort(stream(seed, "faces").choice(len(sequences), count, replace=False))
    return [Task("all", sample, 2)]


def load_digits(folder: Path, **_: Any) -> SequenceSet:
    """2007 test images of digits, 16 x 16 grey values from -1 to 1 by rows (``zip.test.gz``)."""
    path = folder / "zip.test.gz"
    try:
        with gzip.open(path, "rt", encoding="ascii") as file:
            table = np.loadtxt(file, dtype=np.float64, ndmin=2)
    except (OSError, ValueError, EOFError) as error:
        raise DataError(f"{path}: cannot be read as numbers ({error}); fetch the file again") from error
    if table.shape[1] != 1 + DIGIT[0] * DIGIT[1]:
        raise DataError(f"{path}: has {table.shape[1]} numbers a line, expected 257; fetch the file again")
    return as_points(table[:, 1:], [str(int(digit)) for digit in table[:, 0]], "usps")


def tasks_of_digits(sequences: SequenceSet, seed: int, pairs: Sequence[Sequence[int]], per_class: int) -> list[Task]:
    """Return a task for each pair of digits: `per_class` images of either, drawn at random."""
    count = as_count(per_class, "usps: per_class")
    tasks = []
    for pair in pairs:
        samples = []
        for digit in pair:
            members = np.flatnonzero(sequences.labels == str(digit))
            if count > members.size:
                raise ParameterError(
                    f"usps: per_class is {count} but there are {members.size} images of {digit}; lower it"
                )
            samples.append(np.sort(stream(seed, "usps", f"{digit}").choice(members, count, replace=False)))
        tasks.append(Task("-".join(map(str, pair)), np.concatenate(samples), len(pair)))
    return tasks


def _image(path: Path) -> NDArray[Any]:
    from PIL import Image

    try:
        with Image.open(path) as image:
            return np.asarray(image)
    except OSError as error:
        raise DataError(f"{path}: is not a readable image ({error}); fetch the file again") from error


def _one(folder: Path, pattern: str) -> NDArray[Any]:
    paths = sorted(folder.glob(pattern))
    if len(paths) != 1:
        raise DataError(f"{folder}: has {len(paths)} files {pattern}, expected one; fetch the files again")
    return _image(paths[0])


def _features(bands: dict[str, FloatArray]) -> dict[str, FloatArray]:
    """Bands of one shape, and features derived from them."""
    shapes = {band.shape for band in bands.values()}
    if len(shapes) != 1:
        raise DataError(f"clouds: the bands have different sizes ({sorted(shapes)}); fetch the files again")
    visible = np.array([bands[name] for name in ("blue", "green", "red")])
    brightness = visible.mean(axis=0)
    total = bands["nir"] + bands["red"]
    return {
        **bands,
        "near infrared": bands["nir"],
        "brightness": brightness,
        "whiteness": np.abs(visible - brightness).mean(axis=0) / np.maximum(brightness, 1.0),
        "vegetation index": (bands["nir"] - bands["red"]) / np.maximum(total, 1.0),
    }


def _as_pixels(features: dict[str, FloatArray], names: Sequence[str], cloud: NDArray[Any], name: str) -> SequenceSet:
    """Return pixels by rows; the groups hold the number of the row."""
    if cloud.shape != features[names[0]].shape:
        raise DataError(f"{name}: the mask has shape {cloud.shape}, not that of the bands; fetch the files again")
    points = np.column_stack([features[feature].ravel() for feature in names])
    pixels = as_points(points, np.where(cloud.ravel(), "cloud", "clear").tolist(), name, "range")
    rows = np.repeat(np.arange(cloud.shape[0]), cloud.shape[1])
    return SequenceSet(pixels.values, pixels.offsets, labels=pixels.labels, groups=rows, name=name)


def load_clouds_38(folder: Path, **_: Any) -> SequenceSet:
    """Return the sample patch of 38-Cloud: four bands of 8 bits and a mask made by hand; features as in :data:`FEATURES_38`."""
    bands = {name: _grey(_one(folder, f"{name}_patch_*.jpg")) for name in BANDS_38}
    return _as_pixels(_features(bands), FEATURES_38, _grey(_one(folder, "gt_patch_*.jpg")) > 127, "clouds_38")


def _grey(image: NDArray[Any]) -> FloatArray:
    return np.asarray(image if image.ndim == 2 else image[..., 0], dtype=np.float64)


def load_clouds_8(folder: Path, **_: Any) -> SequenceSet:
    """Return a scene of Landsat 8 with the mask of its quality band; doubtful pixels count as clear.

    Features as in :data:`FEATURES_8`. The mask was made by a program, so that what agrees with it agrees with that.
    """
    bands = {name: np.asarray(_image(folder / f"l8_B{n}.tif"), dtype=np.float64) for name, n in BANDS_8.items()}
    quality = np.asarray(_image(folder / "l8_BQA.tif"), dtype=np.int64)
    return _as_pixels(_features(bands), FEATURES_8, (quality >> 14) == 3, "clouds_8")


def tasks_of_clouds(sequences: SequenceSet, seed: int, per_class: int) -> list[Task]:
    """`per_class` pixels of clouds and as many others, drawn at random."""
    count = as_count(per_class, f"{sequences.name}: per_class")
    samples = []
    for name in ("cloud", "clear"):
        members = np.flatnonzero(sequences.labels == name)
        if count > members.size:
            raise ParameterError(
                f"{sequences.name}: per_class is {count} but there are {members.size} pixels of class {name}; lower it"
            )
        samples.append(np.sort(stream(seed, "clouds", name).choice(members, count, replace=False)))
    return [Task("all", np.concatenate(samples), 2)]


LOADERS = (
    Loader(
        name="frey_faces",
        label="grey images of a face as vectors, some of them drawn in every trial; no labels",
        function=load_faces,
        params={"n": 300},
        tasks=tasks_of_faces,
    ),
    Loader(
        name="usps",
        label="images of digits as vectors; each pair is a task, its images drawn anew in every trial",
        function=load_digits,
        params={"pairs": [[0, 1]], "per_class": 30},
        tasks=tasks_of_digits,
    ),
    Loader(
        name="clouds_38",
        label="pixels of a patch of 38-Cloud with six features and a mask of clouds made by hand, some drawn in every trial",
        function=load_clouds_38,
        params={"per_class": 150},
        tasks=tasks_of_clouds,
    ),
    Loader(
        name="clouds_8",
        label="pixels of a scene of Landsat 8, clouds after the mask of a program",
        function=load_clouds_8,
        params={"per_class": 150},
        tasks=tasks_of_clouds,
    ),
)
