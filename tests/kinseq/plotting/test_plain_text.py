"""No text of a user is read as a formula, whatever figure it gets into."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

import kinseq
from kinseq.report.figures import figure_of, overview, png
from kinseq.report.writing import content_of

# Parsed as a formula, the first is drawn in italics without its dollar signs and the others are errors.
HOSTILE = [
    "a$b$",
    r"$\frac{$",
    r"x$\nothing$",
    "100$ 200$",
    "日本",
    "line\nbreak",
    "\x07bell",
    "<b>&amp;",
    "_x^",
    "plain",
]


@pytest.fixture(scope="module")
def found() -> kinseq.api.Clustering:
    rng = np.random.default_rng(0)
    arrays = [rng.normal(3.0 * (i % 2), 1.0, size=(20, 2)) for i in range(len(HOSTILE))]
    sequences = kinseq.SequenceSet.from_arrays(
        arrays, ids=HOSTILE, labels=[HOSTILE[i % 2] for i in range(len(HOSTILE))]
    )
    return kinseq.cluster(sequences, 2, measure="dtw", n_resamples=2)


def texts(figure: Figure) -> list[Text]:
    ticks = [text for axes in figure.axes for text in (*axes.get_xticklabels(), *axes.get_yticklabels())]
    return [text for text in (*figure.findobj(Text), *ticks) if text.get_text()]


def test_names_are_drawn_as_they_are(found: kinseq.api.Clustering) -> None:
    content = replace(content_of(found), verdict=" ".join(HOSTILE))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for name in ("dendrogram", "heatmap", "map"):
            png(figure_of(content, name), 50)
        figure = overview(content)
        png(figure, 50)
    drawn = " ".join(text.get_text() for text in texts(figure))
    for name in (r"$\frac{$", r"x$\nothing$", "100$ 200$", "日本"):
        assert name in drawn
    assert not any(text.get_parse_math() for text in texts(figure))


def test_the_page_holds_such_ids(found: kinseq.api.Clustering, tmp_path: Path) -> None:
    page = found.report(tmp_path).read_text(encoding="utf-8")
    assert r"x$\nothing$" in page
    assert "&lt;b&gt;&amp;amp;" in page
    assert "<b>&amp;" not in page
