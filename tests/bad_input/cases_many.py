"""Bad input to the sample that stands for many sequences."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import kinseq
from kinseq import SequenceClustering
from kinseq.cli import request

from .table import Case, texts

RANDOM = np.random.default_rng(0)
TWELVE = [RANDOM.normal(size=(9, 2)) + 6.0 * (i % 2) for i in range(12)]
LINE = np.abs(np.subtract.outer(np.arange(6.0), np.arange(6.0)))


def asked(sample: Any, n_clusters: Any = 2, measure: Any = "dtw", **settings: Any) -> Callable[[Path], Any]:
    """An analysis with a sample."""
    return lambda _: kinseq.cluster(TWELVE, n_clusters, measure, sample=sample, **settings)


def worded(*words: str) -> Callable[[Path], Any]:
    """Words of the command line."""

    def call(folder: Path) -> Any:
        data = folder / "data"
        data.mkdir()
        (data / "a.csv").write_text("1\n2\n", encoding="utf-8")
        given = request.checked(request.from_texts({"data": str(data), **texts(words)}), folder / "results")
        return given

    return call


def constant(x: Any, y: Any) -> float:
    """A measure under which nothing differs."""
    return 0.0


def spoilt(sampled: Any) -> Any:
    """New sequences of another number of features."""
    return sampled.predict([np.zeros((4, 3))])


CASES: tuple[Case, ...] = (
    *(Case(f"sample: {value!r}", asked(value)) for value in (0, 1, -3)),
    Case("sample: a fraction", asked(2.5)),
    Case("sample: true", asked(True)),
    Case("sample: not a number", asked(float("nan"))),
    Case("sample: a word", asked("some")),
    Case("sample: more than there are", asked(13)),
    Case("sample: all that there are", asked(12), gives=lambda found: found.distance.shape == (12, 12)),
    Case("sample: none", asked(None), gives=lambda found: found.distance.shape == (12, 12)),
    Case("sample: as a whole float", asked(8.0), gives=lambda found: len(found.sample_positions) == 8),
    Case("sample: too few for the clusters", asked(3, 5)),
    Case("sample: too few for a range of clusters", asked(3, (2, 5))),
    Case("sample: two", asked(2), gives=lambda found: sorted(np.bincount(found.labels)) == [6, 6]),
    Case("sample: two, and a number to choose", asked(2, None), gives=lambda found: found.n_clusters == 1),
    Case("sample: a measure of the whole set", asked(6, measure="glds")),
    Case("sample: nothing differs", asked(6, None, constant), gives=lambda found: found.n_clusters == 1),
    Case("sample: misspelt", lambda _: kinseq.cluster(TWELVE, 2, smaple=6)),
    Case("sample: under another name", lambda _: kinseq.cluster(TWELVE, 2, subsample=6)),
    Case("sample: of dissimilarities", lambda _: kinseq.cluster(LINE, 2, "precomputed", sample=4)),
    Case(
        "sample: clusterer of all sequences",
        lambda _: SequenceClustering(clusterer="kmeans_of_means", n_clusters=2, sample=4).fit(TWELVE),
    ),
    Case("sample: new sequences of other features", lambda _: spoilt(asked(6)(_))),
    Case("sample: matrix of all", lambda _: asked(6)(_).distance),
    Case("sample: no path", lambda _: asked(6)(_).report(" ")),
    Case("SAMPLE: a number", worded("sample=500"), gives=lambda own: own["sample"] == 500),
    Case(
        "SAMPLE: all",
        worded("sample=all"),
        gives=lambda own: own["sample"] is None,
    ),
    Case("SAMPLE: empty", worded("sample=")),
    Case("SAMPLE: a word", worded("sample=few")),
    Case("SAMPLE: one", worded("sample=1")),
    Case("fusion: no frames to average", lambda _: kinseq.cluster(TWELVE, 2, params={"frames_averaged": 0})),
)
