"""Powers on axes are plain text, with the ticks that Matplotlib labels by formulas."""

from __future__ import annotations

import matplotlib
import pandas as pd
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

from kinseq.plotting.figures import figure_style
from kinseq_documents.plotting import array_figures
from kinseq_documents.plotting.ticks import label_powers, plain_power


def texts(figure: Figure) -> list[Text]:
    ticks = [text for axes in figure.axes for text in (*axes.get_xticklabels(), *axes.get_yticklabels())]
    return [text for text in (*figure.findobj(Text), *ticks) if text.get_text()]


def test_labels_in_figures_of_experiments_are_drawn_as_they_are() -> None:
    table = pd.DataFrame({"method": ["a"] * 2, "n": [10, 100], "cpu_seconds": [0.01, 20.0], "slope": [1.0, 1.0]})
    figure = array_figures.costs(table, {"a": "a$b$"})
    with figure_style():
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
