"""What sets a cluster apart: sentences, and its typical course against that of the others."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

import numpy as np
from numpy.typing import NDArray

from kinseq.core.arrays import FloatArray
from kinseq.features.traits import column_labels, courses

from .content import Content, colour

STATEMENTS = 3
"""Most sentences on a cluster."""
WIDTH, HEIGHT = 400.0, 90.0
OTHERS = "#7A7A7A"


@dataclass(frozen=True)
class Courses:
    """Courses of all sequences that are looked at, in the units that were given.

    Attributes
    ----------
    names : list of str
        Of the columns.
    values : ndarray, shape (d, N, L)
    """

    names: list[str]
    values: FloatArray

    @classmethod
    def of(cls, content: Content) -> Courses | None:
        """Of what the page shows; None where there are no sequences, or nothing to compare."""
        result = content.result
        if content.explanation is None or not result.has_content or result.n_clusters < 2:
            return None
        shown = result.given.subset(content.shown)
        return cls(column_labels(shown), courses(shown))


def apart(content: Content, k: int, drawn: Courses | None) -> str:
    """Sentences and figure on one cluster, finished HTML; empty if there is nothing to compare it with."""
    if drawn is None:
        return ""
    rows = content.explanation[content.explanation["cluster"] == k][:STATEMENTS]
    said = "".join(f"<li>{escape(sentence)}</li>" for sentence in rows["sentence"])
    named = [(column, where) for column, where in zip(rows["column"], rows["where"], strict=True) if column]
    column, where = next((entry for entry in named if entry[0] in drawn.names), (drawn.names[0], ""))
    own = content.result.labels[content.shown] == k
    figure = _figure(drawn.values[drawn.names.index(column)], own, column, where, colour(k))
    return f'<div class="apart"><div><b>What sets it apart</b><ul>{said}</ul></div>{figure}</div>'


def _figure(values: FloatArray, own: NDArray[np.bool_], column: str, where: str, stroke: str) -> str:
    """Median and quartiles of members and of others over the time, the place marked."""
    bands = [np.quantile(values[side], (0.25, 0.5, 0.75), axis=0) for side in (~own, own)]
    low, high = min(float(band.min()) for band in bands), max(float(band.max()) for band in bands)
    title = escape(f"typical course of {column}: the cluster (in its colour) against the others (grey), with quartiles")
    out = [f'<svg viewBox="0 0 {WIDTH:g} {HEIGHT:g}" preserveAspectRatio="none" role="img" aria-label="{title}">']
    if where:
        begin, end = (float(part) / 100.0 * WIDTH for part in where.removesuffix(" %").split(" to "))
        out.append(f'<rect x="{begin:.1f}" y="0" width="{end - begin:.1f}" height="{HEIGHT:g}" fill="#fff3c4"/>')
    x = np.linspace(0.0, WIDTH, values.shape[1])
    scale = (HEIGHT - 8.0) / (high - low if high > low else 1.0)
    for band, ink in zip(bands, (OTHERS, stroke), strict=True):
        lower, middle, upper = (HEIGHT - 4.0 - scale * (line - low) for line in band)
        edge = _points(np.concatenate([x, x[::-1]]), np.concatenate([lower, upper[::-1]]))
        out.append(f'<polygon points="{edge}" fill="{ink}" fill-opacity=".18"/>')
        out.append(f'<polyline points="{_points(x, middle)}" fill="none" stroke="{ink}" stroke-width="2"/>')
    marked = f"; yellow: {where} of the time, where they differ most" if where else ""
    said = f"{column}, {low:.3g} to {high:.3g}, from beginning to end: median and quartiles, the others grey{marked}"
    return f"<figure>{''.join(out)}</svg><figcaption>{escape(said)}</figcaption></figure>"


def _points(x: FloatArray, y: FloatArray) -> str:
    return " ".join(f"{a:.0f},{b:.1f}" for a, b in zip(x, y, strict=True))
