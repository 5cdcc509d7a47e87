"""The page on a user's data: one self-contained HTML file, and its figures.

Nothing is computed here; what is drawn comes from :class:`kinseq.api.Clustering`. Sizes are bounded: figures show at most
as many items as they are given, tables and players a fixed number.
"""

from __future__ import annotations

from pathlib import Path

from ..analysis.outliers import MIN_DEVIATIONS
from ..core.folders import LABELS_FILE
from ..core.store import PathLike, replacing, write_text
from ..core.wording import as_typed
from ..plotting.style import capital
from . import sections
from .advice import next_steps, python
from .content import CLUSTERS, Content, typeset
from .data import for_script
from .drawing import WIDE, dendrogram, heatmap, interactive_map
from .figures import figure_of, png
from .glossary import PROPERTIES, WORDS, meaning, settings
from .groups import LISTED, answer
from .over_time import over_time
from .parts import written
from .thumbnails import Thumbnails

NOTHING = "no grouping is clearer than"
"""Beginning of the warning that repeats the first sentence of a page without groups."""
MANY = 8
"""Clusters from which on, one more, a single one is in colour."""
FIRST_ROWS = 7
"""Groups with pictures at first; the others unfold."""
MOST_OTHERS = 6
"""Number of other groupings shown."""
NEXT_STEPS = 2
"""Number of next steps on the first screen if nothing was found."""


def to_html(content: Content, page: Path | None = None) -> str:
    """Text of the page, self-contained; recordings are linked relative to its location, if known."""
    result, thumbnails = content.result, Thumbnails(content)
    alone = result.n_clusters == 1 and content.varying is not None
    method, points = next(iter(content.maps.items()), ("", None))
    sure = sections.how_sure(content)
    return written(
        "page.html.jinja",
        title=result.sequences.name,
        verdict=capital(typeset(content.verdict)),
        many=result.n_clusters > MANY,
        looks=content.looks,
        is_nested=content.is_nested,
        colour=sections.COLOURS.get(content.degree, ""),
        intro=sections.intro(content),
        how_sure=sure,
        answer=answer(content, thumbnails),
        first_rows=FIRST_ROWS,
        varies=[] if content.varying is None else list(map(typeset, content.varying.properties["sentence"][:LISTED])),
        sampling=sections.sampling(content),
        # Where nothing was found, the first sentence has said so.
        warnings=[capital(typeset(text)) for text in content.warnings if not (alone and text.startswith(NOTHING))],
        notes=sections.notes(result.notes),
        map=None if points is None else interactive_map(content, method, points, width=WIDE),
        n_maps=len(content.maps),
        shown="states" if thumbnails.are_states else "curve",
        heat=heatmap(content),
        tree=dendrogram(content),
        compared=len(result.sequences),
        n=len(content.everything.sequences),
        n_drawn=len(content.positions),
        alone=alone,
        first_steps=NEXT_STEPS,
        within=[capital(typeset(sentence)) for sentence in content.within],
        others=sections.others(content)[:MOST_OTHERS],
        clusters=sections.clusters(content),
        more_clusters=max(0, result.n_clusters - CLUSTERS),
        examples=sections.examples(content, thumbnails.recordings),
        outliers=sections.outliers(content),
        deviations=f"{MIN_DEVIATIONS:g}",
        over_time=over_time(content),
        numbers=sections.numbers(content),
        not_compared=sections.why_not_compared(content),
        views=sections.views(content),
        scores=sections.scores(content),
        choices=sections.choices(content),
        # If nothing was found, the evidence says so in numbers.
        meaning="" if content.degree == "none" and sure else meaning(content),
        labels_of={name: as_typed("labels", name) for name in (LABELS_FILE, "folders")},
        words={**WORDS, **(PROPERTIES if result.details.has_content else {})},
        # The settings belong to commands that read sequences, so matrices have none.
        settings=settings() if result.details.has_content else [],
        repeat=result.details.repeat(),
        python=python(result),
        steps=next_steps(content),
        sampled=content.whole is not None,
        data=for_script(content, thumbnails, page),
    )


def write(content: Content, path: PathLike, final: PathLike | None = None) -> None:
    """Write the page, and its figures as PNG files next to it; `final` is its later location."""
    page = Path(path)
    for name in ("heatmap", "map", "dendrogram"):
        with replacing(page.parent / f"{name}.png") as temporary:
            temporary.write_bytes(png(figure_of(content, name), 100))
    write_text(page, to_html(content, Path(final or path)))
