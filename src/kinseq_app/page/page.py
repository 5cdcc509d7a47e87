"""The page on a user's own data: one HTML file with everything in it, and its figures.

Nothing is computed here; what is drawn comes from :class:`kinseq.analysis.Analysis`. Sizes are bounded: figures show at most
as many items as they are given, tables and players a fixed number.
"""

from __future__ import annotations

from pathlib import Path

from kinseq.core.store import PathLike, replacing, write_text
from kinseq_drawing.html import uri
from kinseq_drawing.style import capital

from . import sections
from .clusters import clusters
from .content import Content
from .figures import figure_of, png, svg
from .parts import live_map, written


def to_html(content: Content) -> str:
    """Text of the page, without anything to load from elsewhere."""
    result = content.result
    return written(
        "page.html.jinja",
        title=result.sequences.name,
        verdict=capital(content.verdict),
        sure=content.sure,
        intro=sections.intro(content),
        cards=sections.cards(content),
        sampling=sections.sampling(content),
        warnings=[capital(text) for text in content.warnings],
        notes=sections.notes(result.notes),
        maps=[live_map(content, method, points) for method, points in content.maps.items()],
        heat=uri(png(figure_of(content, "heatmap", titled=False), 170), "image/png"),
        n=len(content.everything.sequences),
        drawn=len(content.shown),
        others=sections.others(content),
        carriers=sections.carriers(content),
        clusters=clusters(content),
        numbers=sections.numbers(content),
        dendrogram="" if content.tree is None else svg(figure_of(content, "dendrogram", titled=False)),
        views=sections.views(content),
        scores=sections.scores(content),
        items=sections.items(content),
        choices=sections.choices(content),
        repeat=result.repeat(),
        sampled=content.whole is not None,
    )


def write(content: Content, path: PathLike) -> None:
    """Write the page, and its figures as PNG files beside it."""
    page = Path(path)
    for name in ("heatmap", "map", "dendrogram"):
        with replacing(page.parent / f"{name}.png") as temporary:
            temporary.write_bytes(png(figure_of(content, name), 100))
    write_text(page, to_html(content))
