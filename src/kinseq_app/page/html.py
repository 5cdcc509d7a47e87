"""Pieces of HTML that the page on a user's own data is made of."""

from __future__ import annotations

import io
from collections.abc import Sequence
from html import escape

import numpy as np

from kinseq.core.arrays import FloatArray, IntArray
from kinseq_drawing.html import uri
from kinseq_drawing.style import number

from .content import Content, colour


def table(header: Sequence[str], rows: Sequence[Sequence[str]], numeric: Sequence[int] = ()) -> str:
    """A table whose rows hold finished HTML; columns in `numeric` stand flush right."""
    kinds = [' class="num"' if k in numeric else (' class="id"' if k == 0 else "") for k in range(len(header))]
    head = "".join(f"<th{kind}>{escape(name)}</th>" for kind, name in zip(kinds, header, strict=True))
    body = "".join(
        "<tr>" + "".join(f"<td{kind}>{cell}</td>" for kind, cell in zip(kinds, row, strict=True)) + "</tr>"
        for row in rows
    )
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def grade(value: float, good: float, fair: float) -> str:
    """A number in the colour of what it is worth."""
    kind = "good" if value >= good else "fair" if value >= fair else "poor"
    return f'<span class="{kind}">{number(value, 2)}</span>'


def graded(content: Content, value: float, good: float, fair: float) -> str:
    """The same on a page about clusters; no green where its first sentence says that one cannot be sure."""
    return grade(value, good if content.sure else float("inf"), fair)


def badge(k: int) -> str:
    """Number of a cluster, counted from 0, in its colour."""
    return f'<span class="dot" style="background:{colour(k)}">{k + 1}</span>'


def live_map(content: Content, method: str, points: FloatArray, clusters: IntArray | None = None) -> str:
    """A map whose points tell their names under the pointer; of other clusters than those of the result, if given."""
    result, size, edge = content.result, 460.0, 16.0
    span = float(np.ptp(points, axis=0).max()) or 1.0
    middle = (points.max(axis=0) + points.min(axis=0)) / 2
    places = (points - middle) / span * (size - 2 * edge) + size / 2
    out = [f'<svg viewBox="0 0 {size:g} {size:g}" role="img" aria-label="{escape(method)} map" class="map">']
    labels = result.labels if clusters is None else clusters
    typical = {int(result.typical(k)[0]): k for k in range(result.n_clusters)} if clusters is None else {}
    marks = []
    for row, item in enumerate(content.shown.tolist()):
        x, y, k = places[row, 0], size - places[row, 1], int(labels[item])
        title = f"<title>{escape(str(result.sequences.ids[item]))} · cluster {k + 1}</title>"
        if item in typical:
            marks.append(
                f'<g><circle cx="{x:.1f}" cy="{y:.1f}" r="10" fill="{colour(k)}" stroke="#fff" stroke-width="1.5"/>'
                f'<text x="{x:.1f}" y="{y + 4:.1f}" class="mark">{k + 1}</text>{title}</g>'
            )
        else:
            out.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.2" fill="{colour(k)}">{title}</circle>')
    return "".join([*out, *marks, "</svg>"])


def small_map(content: Content) -> str:
    """The first map with a line on what it shows, styled in place for notebooks."""
    method, points = next(iter(content.maps.items()))
    style = 'style="font:bold 11px sans-serif;fill:#fff;text-anchor:middle"'
    drawing = live_map(content, method, points).replace('class="mark"', style).replace('class="map"', 'width="320"')
    n, drawn = len(content.everything.sequences), len(content.shown)
    said = escape(repr(content.everything)) + ("" if n == drawn else f", {drawn} of them drawn")
    return f'<div style="max-width:340px"><div style="font:12px sans-serif">{said}</div>{drawing}</div>'


def thumbnail(frames: FloatArray, low: FloatArray, high: FloatArray) -> str:
    """A small figure of a sequence: lines for up to three columns, else an image of time by columns."""
    steps = np.unique(np.linspace(0, len(frames) - 1, min(len(frames), 120)).astype(int))
    part = (frames[steps] - low) / np.where(high > low, high - low, 1.0)
    return _lines(part) if frames.shape[1] <= 3 else _image(part)


def _lines(part: FloatArray) -> str:
    out = []
    x = np.linspace(0, 150, len(part)) if len(part) > 1 else np.array([75.0])
    for column, stroke in zip(np.clip(part.T, -0.05, 1.05), ("#1f4e79", "#c0504d", "#4f8a3c"), strict=False):
        pairs = " ".join(f"{a:.0f},{60 - 56 * b:.1f}" for a, b in zip(x, column, strict=True))
        out.append(f'<polyline points="{pairs}" fill="none" stroke="{stroke}" stroke-width="1.3"/>')
    return f'<svg class="thumb" viewBox="0 0 150 64" preserveAspectRatio="none">{"".join(out)}</svg>'


def _image(part: FloatArray) -> str:
    from matplotlib.image import imsave

    out = io.BytesIO()
    imsave(out, part.T[::-1], cmap="viridis", vmin=0.0, vmax=1.0, format="png", metadata={"Software": ""})
    return f'<img class="thumb" alt="" src="{uri(out.getvalue(), "image/png")}">'
