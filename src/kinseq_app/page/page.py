"""The page on a user's own data: one HTML file with everything in it, and its figures.

Nothing is computed here; what is drawn comes from :class:`kinseq.analysis.Analysis`. Sizes are bounded: figures show at most
as many items as they are given, tables and players a fixed number.
"""

from __future__ import annotations

from html import escape
from pathlib import Path

from kinseq.core.store import PathLike, replacing, write_text

from .clusters import clusters
from .content import Content
from .figures import figure_of, png
from .sections import (
    cards,
    carriers,
    cautions,
    choices,
    dendrogram,
    figures,
    intro,
    items,
    notes,
    numbers,
    others,
    sampling,
    scores,
    verdict,
    views,
)
from .style import CSS


def to_html(content: Content) -> str:
    """Text of the page, without anything to load from elsewhere."""
    result, title = content.result, escape(content.result.sequences.name)
    out = ['<!doctype html><html lang="en"><head><meta charset="utf-8">', f"<title>{title}: clusters</title>"]
    out.append('<meta name="viewport" content="width=device-width,initial-scale=1">')
    out.append(f"<style>{CSS}</style></head><body><h1>{title}</h1>")
    out += [verdict(content), intro(content), cards(content), sampling(content)]
    if content.warnings:
        out.append(cautions(content.warnings))
    if result.notes:
        out.append(notes(result.notes))
    out += [figures(content), others(content), carriers(content), clusters(content), numbers(content)]
    if content.tree is not None:
        out.append(dendrogram(content))
    out += [views(content), scores(content), items(content), choices(content)]
    return "\n".join([*out, "</body></html>"]) + "\n"


def write(content: Content, path: PathLike) -> None:
    """Write the page, and its figures as PNG files beside it."""
    page = Path(path)
    for name in ("heatmap", "map", "dendrogram"):
        with replacing(page.parent / f"{name}.png") as temporary:
            temporary.write_bytes(png(figure_of(content, name), 100))
    write_text(page, to_html(content))
