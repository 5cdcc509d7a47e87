"""The features of songs that are made in code: a stand-in for the music of T ch. 6, see :mod:`kinseq_documents.data.songs`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from kinseq.core.arrays import FloatArray, as_count
from kinseq.core.errors import ParameterError, is_one_of, unknown_name
from kinseq.core.sequences import SequenceSet
from kinseq.features.autoregression import mar
from kinseq.features.extraction import audio_features
from kinseq.features.registry import get

from ..tasks import Task
from .registry import Loader
from .songs import RATE, STYLES, make_song


def vectors_of_samples(samples: FloatArray, where: str) -> FloatArray:
    """MAR vectors of a signal at :data:`~kinseq_documents.data.songs.RATE`, by the recipe of music; shape (T, 135)."""
    settings = audio_features("music_mar")
    frames = get(settings.feature).function([samples], RATE, settings.recipe, where)
    period = settings.recipe.samples(RATE)[1] / RATE
    return mar(frames, settings.mar_order, settings.mar_window, settings.mar_hop, period)


def generate(seed: int, styles: Sequence[str], per_style: int, seconds: float) -> tuple[SequenceSet, list[Task]]:
    """Songs of some :data:`~kinseq_documents.data.songs.STYLES`, as MAR vectors.

    Each song is turned into vectors before the next one is made. At least two different styles, at least two songs of each, of
    a length in seconds.
    """
    count = as_count(per_style, "styles: per_style", least=2)
    if isinstance(styles, str) or len(set(styles)) != len(styles) or len(styles) < 2:
        raise ParameterError(f"styles: styles is {styles!r}, expected at least two different names")
    for style in styles:
        if not is_one_of(style, STYLES):
            raise ParameterError(f"styles: {unknown_name('style', style, STYLES)}")
    songs, labels, ids = [], [], []
    for style in styles:
        for number in range(count):
            name = f"{style}/{number:03d}"
            songs.append(vectors_of_samples(make_song(style, number, seconds, seed).samples, name))
            labels.append(style)
            ids.append(name)
    sequences = SequenceSet.from_arrays(songs, labels=labels, ids=ids, name="styles")
    return sequences, [Task("all", np.arange(len(songs)), len(styles))]


_DEFAULTS: dict[str, Any] = {
    "styles": list(STYLES),
    "per_style": 100,
    "seconds": 30.0,
}

LOADERS = (
    Loader(
        name="styles",
        label="songs made in code, in four styles, as MAR vectors, anew in every trial",
        function=generate,
        kind="generated",
        params=_DEFAULTS,
    ),
)
