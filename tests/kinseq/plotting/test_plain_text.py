"""No text of a user is read as a formula, whatever figure it gets into."""

from __future__ import annotations

import warnings
from pathlib import Path

import matplotlib
import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

import kinseq
from kinseq.plotting import array_figures
from kinseq.plotting.figures import _style
from kinseq.plotting.ticks import label_powers, plain_power
from kinseq.report.figures import figure_of, overview, png, svg
from kinseq.report.writing import content_of

# Read as a formula, the first is drawn in italics without its dollar signs and the others are errors.
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


def test_ids_are_drawn_as_they_are(found: kinseq.api.Clustering) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure = figure_of(content_of(found), "dendrogram")
        png(figure, 50)
        drawn = svg(figure_of(content_of(found), "dendrogram"))
        png(overview(content_of(found)), 50)
    assert {"a$b$", r"$\frac{$", "100$ 200$", "日本", "line·break", "·bell"} <= {
        text.get_text() for text in texts(figure)
    }
    assert not any(text.get_parse_math() for text in texts(figure))
    for name in ("a$b$", r"x$\nothing$", "日本"):
        assert f">{name}</text>" in drawn


def test_the_page_holds_such_ids(found: kinseq.api.Clustering, tmp_path: Path) -> None:
    page = found.report(tmp_path).read_text(encoding="utf-8")
    assert r"x$\nothing$" in page
    assert "&lt;b&gt;&amp;amp;" in page
    assert "<b>&amp;" not in page


def test_labels_in_figures_of_experiments_are_drawn_as_they_are() -> None:
    table = pd.DataFrame({"method": ["a"] * 2, "n": [10, 100], "cpu_seconds": [0.01, 20.0], "slope": [1.0, 1.0]})
    figure = array_figures.costs(table, {"a": "a$b$"})
    with _style():
        figure.canvas.draw()
        said = {text.get_text() for text in texts(figure)}
    assert "a$b$ (slope 1.0)" in said
    assert {"10⁻²", "10⁰", "10¹", "10²"} <= said
    assert not any("mathdefault" in text for text in said)


def test_powers_are_plain_text() -> None:
    assert plain_power(r"$\mathdefault{10^{-12}}$") == "10⁻¹²"
    assert plain_power(r"$\mathdefault{2\times10^{3}}$") == "2×10³"
    assert plain_power("") == ""
    assert plain_power("a$b$") == "a$b$"


@pytest.mark.parametrize("low, high", [(1e-3, 1e3), (20, 90), (0.5, 30), (1, 9)])
def test_the_same_ticks_are_labelled_as_without(low: float, high: float) -> None:
    said = []
    for plain in (True, False):
        with matplotlib.rc_context({"text.parse_math": not plain}):
            figure = Figure()
            axis = figure.subplots()
            axis.set_xscale("log")
            if plain:
                label_powers(axis)
            axis.set_xlim(low, high)
            figure.canvas.draw()
            said.append([text.get_text() for minor in (False, True) for text in axis.get_xticklabels(minor=minor)])
    assert said[0] == [plain_power(text) for text in said[1]]
    assert any(said[0])
