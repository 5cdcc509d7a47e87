"""Sections of the page on a user's own data, in the order of the page; the clusters have a file of their own."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np

from kinseq.clustering.registry import get as get_clusterer
from kinseq.core.arrays import IntArray
from kinseq.measures.view_texts import VIEWS
from kinseq_drawing.style import capital, number

from .content import Content, colour
from .figures import CROSSED, crossed, figure_of, png, svg
from .html import badge, graded, live_map, table, uri

MOST_OTHERS = 6
"""Other groupings that are shown."""
ROWS, COLUMNS, CONFUSED = 300, 20, 40
"""Most rows of the table of sequences, clusters in tables of counts, and labels in the table of scores."""


def verdict(content: Content) -> str:
    """What was found, before anything else; its colour is that of the other numbers, good only where one can be sure."""
    kind = "good" if content.sure else "fair"
    return f'<p class="verdict {kind}">{escape(capital(content.verdict))}.</p>' if content.verdict else ""


def others(content: Content) -> str:
    """Groups beyond doubt that were not taken, each with a small map; empty if there are none."""
    found = content.result.decision.others
    if not found:
        return ""
    cells = []
    for entry, said in zip(found[:MOST_OTHERS], content.others, strict=False):
        map_ = (
            ""
            if entry.points is None
            else live_map(content, entry.name, entry.points[content.shown], np.maximum(entry.grouping.labels, 0))
        )
        cells.append(f'<div style="max-width:22rem">{map_}<p class="soft">{escape(capital(said))}</p></div>')
    more = f"<p>{len(found) - MOST_OTHERS} more are in the table of choices.</p>" if len(found) > MOST_OTHERS else ""
    return (
        "<section><h2>Other groups that are there too</h2><p>Seen by something else, these are plain as well: which groups you mean"
        f' is not in the data.</p><div class="three">{"".join(cells)}</div>{more}</section>'
    )


def intro(content: Content) -> str:
    """What was compared, by what."""
    sequences, first = content.everything.sequences, content.result.views[0].measure
    lengths, clusterer = content.everything.given.lengths, get_clusterer(content.result.settings.clusterer).label
    if not content.result.has_content:
        return (
            f'<p class="soft">{len(sequences)} items with given dissimilarities, clustered by {escape(clusterer)}.</p>'
        )
    span = f"{lengths.min()} to {lengths.max()} frames" if lengths.min() < lengths.max() else f"{lengths.max()} frames"
    return (
        f'<p class="soft">{len(sequences)} sequences of {span} and {sequences.n_features}'
        f" feature{'s' * (sequences.n_features != 1)}, compared by {escape(first.label)}"
        f" ({escape(first.source)}), clustered by {escape(clusterer)}.</p>"
    )


def sampling(content: Content) -> str:
    """How a sample stands for all sequences; empty where all were compared."""
    whole = content.whole
    if whole is None:
        return ""
    n, size, known = len(whole.labels), len(whole.sample_positions), whole.comes_back
    said = (
        f"{size} of the {n} sequences were drawn, in proportion to what there is of each length, level, spread and speed,"
        f" and compared with each other; everything but sizes, labels and partition.csv is about these. The other"
        f" {n - size} are each in the cluster whose nearest representatives (of {len(whole.base.labels)} in all) are least"
        " far on average."
    )
    if known is not None:
        said += f" By this rule, {known:.1%} of the sampled sequences that represent nothing come back to their own cluster."
    return (
        f"<section><h2>A sample stands for all</h2><p>{said}</p><p>How small a cluster can be seen:"
        f" {escape(whole.in_sight())}.</p></section>"
    )


def cards(content: Content) -> str:
    """The numbers to see first."""
    result, every = content.result, content.everything
    n = len(result.sequences)
    shown = [(_grouped(len(every.sequences)), "sequences"), (str(result.n_clusters), _how_many(result))]
    if content.whole is not None:
        shown.insert(1, (_grouped(n), "of them compared with each other"))
    if 1 < result.n_clusters < n:
        shown.append((graded(content, float(result.silhouettes.mean()), 0.5, 0.25), "mean silhouette, −1 to 1"))
    if result.stability is not None:
        shown.append((graded(content, result.stability.ari, 0.75, 0.5), "stability under resampling, up to 1"))
    # Into one cluster each, any two partitions agree.
    for entry in result.agreement[:1] if result.n_clusters > 1 else []:
        shown.append(
            (graded(content, entry["ari"], 0.75, 0.5), f"agreement with {escape(entry['measures'][1])}, up to 1")
        )
    for entry in list(every.scores.values())[:1]:
        shown.append((f"{number(entry['clustering error (%)'])} %", "clustering error against your labels"))
    inner = "".join(f'<div class="card"><b>{a}</b><span>{b}</span></div>' for a, b in shown)
    return f'<div class="cards">{inner}</div>'


def _grouped(number: int) -> str:
    return f"{number:,}".replace(",", " ")


def _how_many(result: Any) -> str:
    if result.asked is not None and result.n_clusters < result.asked:
        return f"{'cluster' if result.n_clusters == 1 else 'clusters'}, where {result.asked} were asked for"
    if result.asked is not None:
        return "cluster, as asked" if result.n_clusters == 1 else "clusters, as asked"
    if result.n_clusters > 1:
        others = [str(number) for number in result.candidates]
        if result.n_range is not None:
            low, high = result.n_range
            return f"clusters, chosen among {low} to {high}" + (
                f"; {' or '.join(others)} about as much" if others else ""
            )
        return "clusters, chosen" + (f"; {' or '.join(others)} would do about as well" if others else "")
    return "cluster: " + escape("; ".join(why for what, _, why in result.choices if what == "number of clusters"))


def cautions(warnings: Sequence[str]) -> str:
    """What should not be overlooked."""
    entries = "".join(f"<li>{escape(capital(text))}.</li>" for text in warnings)
    return f'<section class="warn"><h2>Before you believe it</h2><ul>{entries}</ul></section>'


def notes(said: Sequence[str]) -> str:
    """What was skipped or repaired."""
    # A note may start with the name of a file, which keeps its case.
    entries = "".join(f"<li>{escape(text if '.' in text.split()[0] else capital(text))}.</li>" for text in said)
    return f"<section><h2>What happened to the data</h2><ul>{entries}</ul></section>"


def figures(content: Content) -> str:
    """Maps and heat map."""
    n, drawn = len(content.everything.sequences), len(content.shown)
    heat = uri(png(figure_of(content, "heatmap", titled=False), 170), "image/png")
    out = ['<section><div class="two"><div>']
    if content.maps:
        method, points = next(iter(content.maps.items()))
        out.append(f"<h2>Map</h2>{live_map(content, method, points)}")
        out.append(
            f'<p class="soft">{escape(method)}: near points are alike. Numbers mark the most typical sequence of each'
            " cluster; point at a dot for its name."
            f"{'' if n == drawn else f' {drawn} of the {n} sequences are drawn.'}</p>"
        )
    out.append(f'</div><div><h2>Heat map</h2><img class="full" alt="heat map of dissimilarities" src="{heat}">')
    out.append('<p class="soft">Dark blocks on the diagonal are clusters of sequences that are alike.</p></div></div>')
    if len(content.maps) > 1:
        out.append(_other_maps(content))
    return "\n".join([*out, "</section>"])


def _other_maps(content: Content) -> str:
    others = "".join(
        f'<div>{live_map(content, name, points)}<p class="soft">{escape(name)}</p></div>'
        for name, points in list(content.maps.items())[1:]
    )
    return (
        "<details><summary>Other maps of the same dissimilarities</summary>"
        f'<p class="soft">Each distorts in its own way: trust what they share.</p><div class="three">{others}</div>'
        "</details>"
    )


def numbers(content: Content) -> str:
    """What speaks for each number of clusters."""
    result = content.result
    out = ['<section><div class="two"><div>', svg(figure_of(content, "numbers", titled=False))]
    out.append(
        '</div><div><h2>How many clusters?</h2><p class="soft">The silhouette says how much nearer sequences are to their own'
        " cluster than to the next. Any data can be cut into clusters, and the silhouette changes with their number even"
        " where there are none; what counts is how much it exceeds that."
    )
    if result.numbers is not None:
        out.append(_against_chance(result.numbers, len(result.sequences)))
    if result.stability is not None:
        out.append(
            f" Stability: the mean Jaccard similarity of a cluster with its best match in"
            f" {result.stability.n_resamples} bootstrap samples of {result.stability.n_items}; from 0.75 on a cluster is"
            " stable, below 0.6 it should not be trusted (Hennig, 2007)."
        )
    return "\n".join([*out, "</p></div></div>", _candidates(content), "</section>"])


def _against_chance(found: Any, n: int) -> str:
    """What the silhouettes were compared with."""
    some = f" on {found.n_items} sequences drawn at random" if found.n_items < n else ""
    if found.p_value is None:
        return (
            f" It was not compared with sequences without groups{some}: the number was given, or groups are beyond doubt without"
            " that."
        )
    if found.expected is None:
        return (
            f" Sequences of one process, made of these, show groups as plain with p = {found.p_value:.2g}"
            f" ({found.n_references} sets were drawn until it was decided)."
        )
    return (
        f" The dashed line is its mean over {found.n_references} sets without clusters that vary like these sequences, the"
        f" band two standard deviations{some}; sets without clusters stand out as much with p = {found.p_value:.2g}."
    )


def _candidates(content: Content) -> str:
    """Maps coloured by other numbers of clusters that do about as well; empty if there are none."""
    result = content.result
    if not result.candidates or not content.maps:
        return ""
    method, points = next(iter(content.maps.items()))
    maps = "".join(
        f'<div style="max-width:22rem">{live_map(content, method, points, labels)}<p class="soft">{number} clusters</p></div>'
        for number, labels in result.candidates.items()
    )
    said = (
        f"The evidence for {result.n_clusters} is about as good as for these:"
        if result.n_clusters > 1
        else "No number stands out from chance. The one that comes nearest:"
    )
    return f'<p class="soft">{said}</p><div class="three">{maps}</div>'


def dendrogram(content: Content) -> str:
    """The tree of the sequences shown."""
    drawing = svg(figure_of(content, "dendrogram", titled=False))
    said = "Average linkage; branches inside one cluster have its colour."
    return f'<section><h2>Dendrogram</h2><p class="soft">{said}</p>{drawing}</section>'


def carriers(content: Content) -> str:
    """Which view of a fusion the clusters rest on; empty for other measures, and where there is nothing to compare."""
    shares = content.result.carriers
    if not shares or len(shares) + len(content.result.witnesses) < 2:
        return ""
    first, last = next(iter(shares)), list(shares)[-1]
    said = (
        f"Each view finds neighbours of its own. Those of <b>{escape(first)}</b> follow the fusion most closely"
        f" ({shares[first]:.2f}; 1 if they were the same, 0 by chance): it sees {escape(VIEWS[first])}."
    )
    if last != first:
        said += (
            f" Those of <b>{escape(last)}</b> ({shares[last]:.2f}), which sees {escape(VIEWS[last])}, follow it least."
        )
    if silent := content.result.witnesses:
        said += (
            f" {' and '.join(f'<b>{escape(name)}</b>' for name in silent)} {'has' if len(silent) == 1 else 'have'} no vote: what"
            " sees something else is here to be compared, and the clusters do not depend on it. Measure <b>fusion</b> gives"
            " models and statistics a vote."
        )
    drawing = svg(figure_of(content, "carriers", titled=False))
    return (
        f'<section><div class="two"><div>{drawing}</div><div><h2>Which view carries the structure?</h2>'
        f'<p class="soft">{said}</p></div></div></section>'
    )


def views(content: Content) -> str:
    """How far the measures agree; empty for one measure."""
    result = content.result
    if len(result.views) < 2:
        return ""
    rows = [
        [
            " and ".join(escape(name) for name in entry["measures"]),
            graded(content, entry["ari"], 0.75, 0.5),
            graded(content, entry["neighbours"], 0.5, 0.2),
            graded(content, entry["correlation"], 0.75, 0.5),
        ]
        for entry in result.agreement
    ]
    header = [
        "measures",
        "adjusted Rand index of the partitions",
        "agreement about the nearest neighbours",
        "rank correlation of the dissimilarities",
    ]
    out = ["<section><h2>Do the measures agree?</h2>", table(header, rows, [1, 2, 3])]
    out += [_crossed(result.views[0], other) for other in result.views[1:]]
    return "".join([*out, "</section>"])


def _crossed(first: Any, other: Any) -> str:
    """How many sequences are in each cluster under one measure and under another."""
    k, j = (min(int(view.labels.max()) + 1, COLUMNS) for view in (first, other))
    counts = np.zeros((k, j), dtype=int)
    keep = (first.labels < k) & (other.labels < j)
    np.add.at(counts, (first.labels[keep], other.labels[keep]), 1)
    rows = [[badge(i), *_cells(line)] for i, line in enumerate(counts)]
    header = [first.measure.name, *(f"{other.measure.name} {i + 1}" for i in range(j))]
    return (
        f'<p class="soft">Sequences in each cluster under {escape(first.measure.name)} (rows) and'
        f" {escape(other.measure.name)} (columns):</p>" + table(header, rows, range(1, j + 1))
    )


def _cells(counts: IntArray) -> list[str]:
    return [str(v) if v else "·" for v in counts]


def scores(content: Content) -> str:
    """How the clusters compare with the labels, or else with the sub-folders; empty without either."""
    result = content.everything
    if not result.scores:
        return _by_folder(content)
    names = list(next(iter(result.scores.values())))
    rows = [
        [escape(measure), *(number(found[name], 1 if "%" in name else 2) for name in names)]
        for measure, found in result.scores.items()
    ]
    labels, counts = result.confusion()
    said = f"{result.labelled.size} of {len(result.labels)} sequences have a label, of {len(labels)} kinds."
    if content.result.asked is None and len(labels) != result.n_clusters:
        said += f" The number of clusters was suggested without them; ask for K={len(labels)} to match."
    columns = min(result.n_clusters, COLUMNS)
    confused = [[escape(name), *_cells(line[:columns])] for name, line in zip(labels[:CONFUSED], counts, strict=False)]
    counted = table(["label", *(str(k + 1) for k in range(columns))], confused, range(1, columns + 1))
    return (
        f"<section><h2>Against your labels</h2>{table(['measure', *names], rows, range(1, len(names) + 1))}"
        f'<p class="soft">{said}</p>{_hinton("label", labels, counts)}'
        f"<details><summary>Numbers of sequences of each label in each cluster</summary>{counted}</details></section>"
    )


def _by_folder(content: Content) -> str:
    """How the sub-folders fall into the clusters; empty if they say nothing."""
    found = content.everything.by_folder
    if found is None:
        return ""
    return (
        '<section><h2>Beside your sub-folders</h2><p class="soft">They played no part. If they are genres, speakers or'
        f" another truth, ask for LABELS=folders to have scores.</p>{_hinton('sub-folder', *found)}</section>"
    )


def _hinton(what: str, names: Sequence[str], counts: IntArray) -> str:
    """A Hinton diagram with a line on how to read it."""
    left = [
        f"{total - CROSSED} more {kind}"
        for total, kind in ((len(names), f"{what}s"), (counts.shape[1], "clusters"))
        if total > CROSSED
    ]
    more = f" {' and '.join(left).capitalize()} are not drawn." if left else ""
    width = 100 * min(1.0, 0.25 + 0.05 * min(counts.shape[1], CROSSED))
    return (
        f'<div style="max-width:{width:.0f}%">{svg(crossed(names, counts))}</div>'
        f'<p class="soft">The area of a square is the share of the {what} that is in the cluster.{more}</p>'
    )


def items(content: Content) -> str:
    """The sequences with their nearest neighbours."""
    result = content.result
    near = result.neighbours(5)
    ids = result.sequences.ids.astype(str).tolist()
    chosen, said = _rows(result, "sampled sequences" if content.whole is not None else "sequences")
    rows = [
        [
            escape(ids[i]),
            badge(int(result.labels[i])),
            number(float(result.silhouettes[i]), 2),
            ", ".join(f'<span style="color:{colour(int(result.labels[j]))}">{escape(ids[j])}</span>' for j in near[i]),
        ]
        for i in chosen
    ]
    listed = table(["sequence", "cluster", "silhouette", "nearest sequences, nearest first"], rows, [2])
    return f"<section><details><summary>{said} with their nearest neighbours</summary>{listed}</details></section>"


def _rows(result: Any, kind: str) -> tuple[list[int], str]:
    """Sequences that are listed, by cluster, and which these are."""
    n = len(result.sequences)
    if n <= ROWS:
        chosen, said = list(range(n)), f"All {n} {kind}"
    else:
        each = max(1, ROWS // result.n_clusters)
        chosen = sorted(i for k in range(min(result.n_clusters, ROWS)) for i in result.typical(k, each).tolist())
        said = f"The {len(chosen)} most typical of {n} {kind}"
    return sorted(chosen, key=lambda i: int(result.labels[i])), said


def choices(content: Content) -> str:
    """What was chosen, and how to repeat it."""
    result = content.result
    of = "" if content.whole is None else " of the sample"
    rows = [[escape(what), escape(value), escape(why)] for what, value, why in result.choices]
    rows.append(["seed", str(result.seed), "root of every random stream"])
    for name, value in result.settings.changed().items():
        rows.append([escape(name), escape(str(value)), "given"])
    return (
        "<section><h2>What was chosen, and why</h2>"
        + table(["choice", "value", "reason"], rows)
        + f'<p style="margin-top:14px">To repeat it:</p><pre>{escape(result.repeat())}</pre>'
        '<p class="soft">Beside this page lie <b>partition.csv</b> (one row a sequence), <b>explanation.csv</b> (what sets'
        " each cluster apart), <b>distance.csv</b> and"
        f" <b>distance.npz</b> (the dissimilarities{of}), and the figures as PNG.</p></section>"
    )
