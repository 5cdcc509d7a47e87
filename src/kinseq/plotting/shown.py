"""Figures for notebooks."""

from __future__ import annotations

from io import BytesIO

from matplotlib.figure import Figure


class ShownFigure(Figure):
    """A figure that Jupyter displays as the value of a cell, whether pyplot was imported before or not.

    IPython draws figures by itself once ``%matplotlib inline`` or an import of pyplot has set it up; then it does not call this.
    """

    def _repr_png_(self) -> bytes:
        stream = BytesIO()
        self.savefig(stream, format="png")
        return stream.getvalue()
