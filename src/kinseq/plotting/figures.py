"""Shared style of all figures."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

PAGE_WIDTH = 7.0
"""Width in inches: two columns of a journal, so a panel is about one column wide."""

PAPER_DPI = 220
"""Pixels per inch of rasterised parts."""

_RC = {
    # The second is a fallback for SVG viewers that lack the first.
    "font.family": ["DejaVu Sans", "sans-serif"],
    "font.size": 8.0,
    "axes.titlesize": 9.0,
    "axes.labelsize": 8.5,
    "xtick.labelsize": 8.0,
    "ytick.labelsize": 8.0,
    "legend.fontsize": 8.5,
    "axes.linewidth": 0.7,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#E4E4E4",
    "grid.linewidth": 0.6,
    "lines.linewidth": 1.5,
    "lines.markersize": 4.5,
    "figure.constrained_layout.use": True,
    # An id or label may contain dollar signs; formulas request parsing themselves (parse_math=True).
    "text.parse_math": False,
    "svg.hashsalt": "kinseq",
    # Outlines of letters would be a third of every file and of the report; text is also searchable.
    "svg.fonttype": "none",
    "pdf.fonttype": 42,
    "savefig.dpi": PAPER_DPI,
}


@contextmanager
def figure_style() -> Iterator[None]:
    """Matplotlib's defaults with kinseq's changes, independent of a user's matplotlibrc."""
    import matplotlib
    from matplotlib import style

    with style.context(["default"]), matplotlib.rc_context(_RC):  # type: ignore[arg-type]
        yield
