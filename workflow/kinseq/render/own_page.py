"""The page on a user's own data: one HTML file with everything in it, and its pictures.

Nothing is computed here; what is drawn comes from :class:`kinseq.own.Clustering`. Sizes are bounded: pictures show at most
as many items as they are given, tables and players a fixed number.
"""

from __future__ import annotations

import base64
import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..arrays import FloatArray, IntArray
from ..store import PathLike, replacing, write_text
from .figures import _style
from .style import capital, number

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PALETTE = (
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9",
    "#5E3C99", "#7F7F00", "#7A3B10", "#1A1A1A", "#D6336C", "#7A7A7A",
)  # fmt: skip
"""Colours of the clusters; with more of them they come round again."""

ROWS, CLUSTERS, EXAMPLES, CONFUSED = 300, 40, 5, 40
"""Most rows of the table of sequences, clusters and examples of each that are shown, labels of the table of scores."""
AUDIO_FILE, AUDIO_ALL = 400_000, 6_000_000
"""Bytes up to which an audio file is put into the page, and all of them together."""
_MIME = {".wav": "audio/wav", ".flac": "audio/flac", ".ogg": "audio/ogg", ".mp3": "audio/mpeg"}


@dataclass(frozen=True)
class Content:
    """What the page shows.

    Attributes
    ----------
    result : kinseq.own.Clustering
    shown : ndarray of int64
        Positions of the sequences that pictures show.
    order : ndarray of int64
        Rows of the heat map, as positions among those shown.
    maps : dict of ndarray, each of shape (number shown, 2)
        Coordinates in the plane by the name of the method.
    tree : kinseq.evaluation.pictures.Tree or None
        Dendrogram of the sequences shown.
    """

    result: Any
    shown: IntArray
    order: IntArray
    maps: dict[str, FloatArray]
    tree: Any


def colour(cluster: int) -> str:
    """Colour of a cluster, counted from 0."""
    return PALETTE[cluster % len(PALETTE)]


def csv_text(header: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """A table as CSV text."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return out.getvalue()


def write_matrix(path: PathLike, ids: Sequence[str], matrix: FloatArray) -> None:
    """Write a square matrix as CSV with ids as header and first column, six significant digits."""
    with replacing(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(["id", *ids])
        for name, row in zip(ids, matrix, strict=True):
            writer.writerow([name, *(f"{value:.6g}" for value in row.tolist())])


# --- pictures ---------------------------------------------------------------------------------------------------------


def _heatmap(axis: Axes, content: Content) -> None:
    result, rows = content.result, content.shown[content.order]
    square = result.distance[np.ix_(rows, rows)]
    top = float(np.quantile(square, 0.98)) or float(square.max()) or 1.0
    image = axis.imshow(square, cmap="magma", vmin=min(0.0, float(square.min())), vmax=top, interpolation="nearest")
    borders = np.flatnonzero(np.diff(result.labels[rows])) + 0.5
    for border in borders:
        axis.axhline(border, color="white", linewidth=0.8)
        axis.axvline(border, color="white", linewidth=0.8)
    edges = np.concatenate([[-0.5], borders, [len(rows) - 0.5]])
    for low, high in pairwise(edges):
        k = int(result.labels[rows[int(low + 0.75)]])
        box = (-0.047, 1 - (high + 0.5) / len(rows), 0.04, (high - low) / len(rows))
        axis.add_patch(_rectangle(box, colour(k), axis))
        if high - low >= len(rows) / 40:
            middle = 1 - ((low + high) / 2 + 0.5) / len(rows)
            look: dict[str, Any] = {
                "fontsize": 7.5,
                "fontweight": "bold",
                "color": "white",
                "ha": "center",
                "va": "center",
            }
            axis.text(-0.027, middle, str(k + 1), transform=axis.transAxes, **look)
    axis.set(xticks=[], yticks=[])
    axis.grid(False)
    for spine in axis.spines.values():
        spine.set_visible(False)
    axis.set_title("Dissimilarities, sequences ordered by cluster", loc="left")
    bar = axis.figure.colorbar(image, ax=axis, fraction=0.045, pad=0.02, extend="max")
    bar.outline.set_visible(False)
    bar.ax.set_title(result.views[0].measure.label, fontsize=8, loc="left")


def _rectangle(box: tuple[float, ...], fill: str, axis: Axes) -> Any:
    from matplotlib.patches import Rectangle

    left, bottom, width, height = box
    return Rectangle((left, bottom), width, height, color=fill, linewidth=0, transform=axis.transAxes, clip_on=False)


def _map(axis: Axes, content: Content) -> None:
    result = content.result
    if not content.maps:
        axis.text(0.5, 0.5, "too few sequences for a map", ha="center", transform=axis.transAxes)
        return
    method, points = next(iter(content.maps.items()))
    labels = result.labels[content.shown]
    for k in range(result.n_clusters):
        own = points[labels == k]
        axis.scatter(own[:, 0], own[:, 1], s=16, color=colour(k), linewidths=0.4, edgecolors="white", label=str(k + 1))
    place = {int(item): row for row, item in enumerate(content.shown)}
    for k in range(result.n_clusters):
        row = place.get(int(result.typical(k)[0]))
        if row is not None:
            axis.annotate(str(k + 1), points[row], fontsize=8.5, fontweight="bold", color="white", ha="center",
                          va="center", bbox={"boxstyle": "circle,pad=0.22", "fc": colour(k), "ec": "white"})  # fmt: skip
    axis.set(xticks=[], yticks=[])
    axis.margins(0.06)
    for spine in axis.spines.values():
        spine.set_visible(False)
    axis.set_title(f"Map of the sequences ({method}), numbers mark the most typical", loc="left")


def _numbers(axis: Axes, content: Content) -> None:
    found = content.result.numbers
    if found is None or not found.n_clusters.size:
        axis.text(0.5, 0.5, "too few sequences to compare numbers of clusters", ha="center", transform=axis.transAxes)
        axis.set_axis_off()
        return
    axis.plot(found.n_clusters, found.silhouette, color="#0072B2", marker="o", label="mean silhouette")
    axis.plot(found.n_clusters, found.eigengap, color="#D55E00", marker="s", dashes=(4, 1.6), label="eigengap")
    axis.axvline(content.result.n_clusters, color="#7A7A7A", linewidth=1.0, zorder=0)
    axis.set(xlabel="number of clusters", xticks=found.n_clusters)
    axis.set_ylim(min(0.0, float(found.silhouette.min())) - 0.03, None)
    axis.legend(frameon=False, loc="best")
    axis.set_title("How many clusters? (line: those shown)", loc="left")


def _dendrogram(axis: Axes, content: Content) -> None:
    if content.tree is None:
        axis.set_axis_off()
        return
    from scipy.cluster.hierarchy import dendrogram

    n, result = len(content.shown), content.result
    labels = result.labels[content.shown]
    merges = content.tree.merges
    pure: list[int] = labels.tolist()
    for left, right in merges[:, :2].astype(int):
        pure.append(pure[left] if pure[left] == pure[right] else -1)
    small = n <= 40
    drawn = dendrogram(
        merges,
        ax=axis,
        no_labels=not small,
        labels=[_short(str(name), 22) for name in result.sequences.ids[content.shown]] if small else None,
        leaf_rotation=90,
        leaf_font_size=7,
        truncate_mode=None if n <= 400 else "lastp",
        p=200,
        link_color_func=lambda k: colour(pure[k]) if pure[k] >= 0 else "#8A8A8A",
    )
    if small:
        for text, leaf in zip(axis.get_xticklabels(), drawn["leaves"], strict=True):
            text.set_color(colour(int(labels[leaf])))
    axis.grid(False)
    axis.spines["bottom"].set_visible(False)
    axis.set_ylabel("mean dissimilarity")
    axis.set_title("Average-linkage dendrogram, coloured by cluster", loc="left")


_PICTURES = {"heatmap": _heatmap, "map": _map, "numbers": _numbers, "dendrogram": _dendrogram}
_SIZES = {"heatmap": (5.6, 5.0), "map": (5.6, 5.0), "numbers": (5.6, 3.0), "dendrogram": (9.0, 3.2)}


def picture(content: Content, name: str, titled: bool = True) -> Figure:
    """One of ``heatmap``, ``map``, ``numbers``, ``dendrogram`` as a figure; the page has headings of its own."""
    from matplotlib.figure import Figure

    with _style():
        figure = Figure(figsize=_SIZES[name])
        axis = figure.subplots()
        _PICTURES[name](axis, content)
        if not titled:
            axis.set_title("", loc="left")
    return figure


def overview(content: Content) -> Figure:
    """All four pictures in one figure."""
    from matplotlib.figure import Figure

    with _style():
        figure = Figure(figsize=(11.0, 8.4))
        for axis, draw in zip(figure.subplots(2, 2, height_ratios=[1.6, 1]).flat, _PICTURES.values(), strict=True):
            draw(axis, content)
    return figure


def _png(figure: Figure, dpi: int = 150) -> bytes:
    out = io.BytesIO()
    with _style():
        figure.savefig(out, format="png", dpi=dpi, metadata={"Software": None})
    return out.getvalue()


def _svg(figure: Figure) -> str:
    import matplotlib

    out = io.StringIO()
    with _style(), matplotlib.rc_context({"svg.fonttype": "none"}):
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    text = out.getvalue()
    return text[text.index("<svg") :]


def _uri(data: bytes, mime: str) -> str:
    return f"data:{mime};base64,{base64.b64encode(data).decode('ascii')}"


def _live_map(content: Content, method: str, points: FloatArray) -> str:
    """A map whose points tell their names under the pointer."""
    result, size, edge = content.result, 460.0, 16.0
    span = float(np.ptp(points, axis=0).max()) or 1.0
    middle = (points.max(axis=0) + points.min(axis=0)) / 2
    places = (points - middle) / span * (size - 2 * edge) + size / 2
    out = [f'<svg viewBox="0 0 {size:g} {size:g}" role="img" aria-label="{escape(method)} map" class="map">']
    typical = {int(result.typical(k)[0]): k for k in range(result.n_clusters)}
    marks = []
    for row, item in enumerate(content.shown.tolist()):
        x, y, k = places[row, 0], size - places[row, 1], int(result.labels[item])
        title = f"<title>{escape(str(result.sequences.ids[item]))} · cluster {k + 1}</title>"
        if item in typical:
            marks.append(
                f'<g><circle cx="{x:.1f}" cy="{y:.1f}" r="10" fill="{colour(k)}" stroke="#fff" stroke-width="1.5"/>'
                f'<text x="{x:.1f}" y="{y + 4:.1f}" class="mark">{k + 1}</text>{title}</g>'
            )
        else:
            out.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.2" fill="{colour(k)}">{title}</circle>')
    return "".join([*out, *marks, "</svg>"])


def _thumbnail(frames: FloatArray, low: FloatArray, high: FloatArray) -> str:
    """A small picture of a sequence: lines for up to three columns, else an image of time by columns."""
    steps = np.unique(np.linspace(0, len(frames) - 1, min(len(frames), 120)).astype(int))
    part = (frames[steps] - low) / np.where(high > low, high - low, 1.0)
    if frames.shape[1] <= 3:
        lines = []
        x = np.linspace(0, 150, len(steps)) if len(steps) > 1 else np.array([75.0])
        for column, stroke in zip(np.clip(part.T, -0.05, 1.05), ("#1f4e79", "#c0504d", "#4f8a3c"), strict=False):
            pairs = " ".join(f"{a:.0f},{60 - 56 * b:.1f}" for a, b in zip(x, column, strict=True))
            lines.append(f'<polyline points="{pairs}" fill="none" stroke="{stroke}" stroke-width="1.3"/>')
        return f'<svg class="thumb" viewBox="0 0 150 64" preserveAspectRatio="none">{"".join(lines)}</svg>'
    from matplotlib.image import imsave

    out = io.BytesIO()
    imsave(out, part.T[::-1], cmap="viridis", vmin=0.0, vmax=1.0, format="png", metadata={"Software": ""})
    return f'<img class="thumb" alt="" src="{_uri(out.getvalue(), "image/png")}">'


# --- the page ---------------------------------------------------------------------------------------------------------

_CSS = """
:root{color-scheme:light;--line:#e3e3e3;--soft:#5b5b5b}
*{box-sizing:border-box}
body{font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;color:#1c1c1c;background:#fafafa;
margin:0 auto;max-width:1180px;padding:28px 28px 64px}
h1{font-size:26px;line-height:1.2;margin:0 0 4px;overflow-wrap:anywhere}
h2{font-size:18px;margin:0 0 10px}
p{margin:6px 0;max-width:80ch}p.soft,.soft{color:var(--soft);font-size:13px}
section{background:#fff;border:1px solid var(--line);border-radius:10px;padding:18px 20px;margin:18px 0}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));gap:12px;margin:18px 0}
.card{background:#fff;border:1px solid var(--line);border-radius:10px;padding:12px 16px}
.card b{display:block;font-size:24px;line-height:1.25}.card>span{color:var(--soft);font-size:13px}
.two{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(440px,100%),1fr));gap:20px;align-items:start}
.three{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(260px,100%),1fr));gap:16px}
section svg,section img.full{width:100%;height:auto;display:block}
.map{background:#fff;border:1px solid var(--line);border-radius:8px}
.map circle{fill-opacity:.82;stroke:#fff;stroke-width:.7}.map circle:hover{fill-opacity:1;stroke:#000}
.map .mark{font:700 11px system-ui,sans-serif;fill:#fff;text-anchor:middle;pointer-events:none}
.warn{border-left:5px solid #d9822b;background:#fff8ee}.warn li{margin:4px 0}
.cluster{border-top:1px solid var(--line);padding:14px 0 8px;display:grid;grid-template-columns:minmax(170px,220px) 1fr;gap:16px}
.cluster:first-of-type{border-top:0}
.dot{display:inline-block;min-width:26px;height:26px;border-radius:13px;padding:0 7px;color:#fff;font-weight:700;
text-align:center;line-height:26px;margin-right:8px}
.examples{display:grid;grid-template-columns:repeat(auto-fill,minmax(150px,1fr));gap:12px}
figure{margin:0;min-width:0}figcaption{font-size:12px;color:var(--soft);overflow-wrap:anywhere;margin-top:3px}
section .thumb{width:100%;height:64px;border:1px solid var(--line);border-radius:5px;image-rendering:pixelated}
audio{width:100%;height:32px;margin-top:4px}
.scroll{overflow-x:auto}table{border-collapse:collapse;font-size:13px}
th{font-weight:600;text-align:left;border-bottom:1.5px solid #333;padding:4px 12px 4px 0;vertical-align:bottom}
td{border-bottom:1px solid #ececec;padding:4px 12px 4px 0;vertical-align:top}
td.num,th.num{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
td.id{overflow-wrap:anywhere;min-width:12ch}
pre{background:#f4f4f4;border:1px solid var(--line);border-radius:6px;padding:10px 12px;overflow-x:auto;font-size:13px;
white-space:pre-wrap;overflow-wrap:anywhere}
details>summary{cursor:pointer;font-weight:600}
.good{color:#1b7f4d}.fair{color:#a86200}.poor{color:#b3261e}
@media(max-width:640px){body{padding:16px 12px 40px;font-size:14px}section{padding:14px 12px}.cluster{grid-template-columns:1fr}}
@media print{body{max-width:none;background:#fff}section{break-inside:avoid}}
"""


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else f"…{text[1 - most :]}"


def _table(header: Sequence[str], rows: Sequence[Sequence[str]], numeric: Sequence[int] = ()) -> str:
    """Rows hold finished HTML."""
    kinds = [' class="num"' if k in numeric else (' class="id"' if k == 0 else "") for k in range(len(header))]
    head = "".join(f"<th{kind}>{escape(name)}</th>" for kind, name in zip(kinds, header, strict=True))
    body = "".join(
        "<tr>" + "".join(f"<td{kind}>{cell}</td>" for kind, cell in zip(kinds, row, strict=True)) + "</tr>"
        for row in rows
    )
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _grade(value: float, good: float, fair: float) -> str:
    kind = "good" if value >= good else "fair" if value >= fair else "poor"
    return f'<span class="{kind}">{number(value, 2)}</span>'


def _badge(k: int) -> str:
    return f'<span class="dot" style="background:{colour(k)}">{k + 1}</span>'


def _cards(content: Content) -> str:
    result = content.result
    n = len(result.sequences)
    cards = [(f"{n:,}".replace(",", " "), "sequences"), (str(result.n_clusters), _how_many(result))]
    if 1 < result.n_clusters < n:
        cards.append((_grade(float(result.silhouettes.mean()), 0.5, 0.25), "mean silhouette, −1 to 1"))
    if result.stability is not None:
        cards.append((_grade(result.stability.ari, 0.75, 0.5), "stability under resampling, up to 1"))
    for entry in result.agreement[:1]:
        cards.append((_grade(entry["ari"], 0.75, 0.5), f"agreement with {escape(entry['measures'][1])}, up to 1"))
    for entry in list(result.scores.values())[:1]:
        cards.append((f"{number(entry['clustering error (%)'])} %", "clustering error against your labels"))
    return (
        '<div class="cards">'
        + "".join(f'<div class="card"><b>{a}</b><span>{b}</span></div>' for a, b in cards)
        + "</div>"
    )


def _how_many(result: Any) -> str:
    word = "cluster" if result.n_clusters == 1 else "clusters"
    return f"{word}, as asked" if result.asked is not None else f"{word}, suggested by the silhouette"


class _Audio:
    """Players, until the page would grow too large."""

    def __init__(self, result: Any) -> None:
        self.folder = result.folder if result.sequences.provenance.get("kind") == "audio" else None
        self.left, self.refused = AUDIO_ALL, 0

    def player(self, name: str) -> str:
        if self.folder is None:
            return ""
        path = Path(self.folder) / name
        mime = _MIME.get(path.suffix.lower())
        try:
            size = path.stat().st_size
            if mime is None or size > min(AUDIO_FILE, self.left):
                self.refused += 1
                return ""
            data = path.read_bytes()
        except OSError:
            self.refused += 1
            return ""
        self.left -= size
        return f'<audio controls preload="none" src="{_uri(data, mime)}"></audio>'


def _clusters(content: Content) -> str:
    result, audio = content.result, _Audio(content.result)
    low, high = (np.quantile(result.sequences.values, q, axis=0) for q in (0.01, 0.99))
    out = ["<section><h2>The clusters and what is typical of them</h2>"]
    kind = "coefficients by time" if result.sequences.n_features > 3 else "columns over time"
    out.append(
        '<p class="soft">Each cluster with its most typical sequences, the medoid first: the one with the least mean'
        f" dissimilarity to the others. The small pictures show {kind}"
        f"{' (z-scores)' if np.abs(result.scaling.scale - 1).max() > 0 else ''}.</p>"
    )
    for k in range(min(result.n_clusters, CLUSTERS)):
        members = np.flatnonzero(result.labels == k)
        facts = [f"{members.size} sequence{'s' * (members.size != 1)}"]
        if 1 < result.n_clusters < len(result.sequences):
            facts.append(f"silhouette {_grade(float(result.silhouettes[members].mean()), 0.5, 0.25)}")
        if result.stability is not None:
            facts.append(f"stability {_grade(float(result.stability.jaccard[k]), 0.75, 0.6)}")
        facts.append(
            f"length {result.sequences.lengths[members].min()}–{result.sequences.lengths[members].max()} frames"
        )
        if result.labelled.size:
            own = result.sequences.labels[np.intersect1d(members, result.labelled)].astype(str)
            names, counts = np.unique(own, return_counts=True)
            best = np.argsort(-counts, kind="stable")[:4]
            if best.size:
                facts.append("labels: " + ", ".join(f"{escape(str(names[j]))} ({counts[j]})" for j in best))
        out.append(f'<div class="cluster"><div>{_badge(k)}<b>Cluster {k + 1}</b><br><span class="soft">')
        out.append("<br>".join(facts) + '</span></div><div class="examples">')
        for item in result.typical(k, EXAMPLES).tolist():
            name = str(result.sequences.ids[item])
            out.append(
                f"<figure>{_thumbnail(result.sequences[item], low, high)}{audio.player(name)}"
                f"<figcaption>{escape(name)}</figcaption></figure>"
            )
        out.append("</div></div>")
    if result.n_clusters > CLUSTERS:
        out.append(f'<p class="soft">The other {result.n_clusters - CLUSTERS} clusters are in partition.csv.</p>')
    if audio.refused:
        out.append(f'<p class="soft">{audio.refused} recordings are too large to be put into the page.</p>')
    return "".join([*out, "</section>"])


def _views(content: Content) -> str:
    result = content.result
    if len(result.views) < 2:
        return ""
    first = result.views[0]
    out = ["<section><h2>Do the measures agree?</h2>"]
    rows = []
    for entry in result.agreement:
        a, b = entry["measures"]
        rows.append(
            [f"{escape(a)} and {escape(b)}", _grade(entry["ari"], 0.75, 0.5), _grade(entry["correlation"], 0.75, 0.5)]
        )
    header = ["measures", "adjusted Rand index of the partitions", "rank correlation of the dissimilarities"]
    out.append(_table(header, rows, [1, 2]))
    for other in result.views[1:]:
        k, j = min(result.n_clusters, 20), min(int(other.labels.max()) + 1, 20)
        table = np.zeros((k, j), dtype=int)
        keep = (first.labels < k) & (other.labels < j)
        np.add.at(table, (first.labels[keep], other.labels[keep]), 1)
        rows = [[_badge(i), *(str(v) if v else "·" for v in line)] for i, line in enumerate(table)]
        header = [first.measure.name, *(f"{other.measure.name} {i + 1}" for i in range(j))]
        out.append(
            f'<p class="soft">Sequences in each cluster under {escape(first.measure.name)} (rows) and'
            f" {escape(other.measure.name)} (columns):</p>" + _table(header, rows, range(1, j + 1))
        )
    return "".join([*out, "</section>"])


def _scores(content: Content) -> str:
    result = content.result
    if not result.scores:
        return ""
    names = list(next(iter(result.scores.values())))
    rows = [
        [escape(measure), *(number(found[name], 1 if "%" in name else 2) for name in names)]
        for measure, found in result.scores.items()
    ]
    known = result.labelled.size
    out = ["<section><h2>Against your labels</h2>"]
    out.append(_table(["measure", *names], rows, range(1, len(names) + 1)))
    labels, table = result.confusion()
    said = f"{known} of {len(result.labels)} sequences have a label, of {len(labels)} kinds."
    if result.asked is None and len(labels) != result.n_clusters:
        said += f" The number of clusters was suggested without them; ask for K={len(labels)} to match."
    out.append(f'<p class="soft">{said} Sequences of each label in each cluster:</p>')
    columns = min(result.n_clusters, 20)
    rows = [
        [escape(name), *(str(v) if v else "·" for v in line[:columns])]
        for name, line in zip(labels[:CONFUSED], table, strict=False)
    ]
    out.append(_table(["label", *(str(k + 1) for k in range(columns))], rows, range(1, columns + 1)))
    return "".join([*out, "</section>"])


def _items(content: Content) -> str:
    result = content.result
    near = result.neighbours(5)
    ids = result.sequences.ids.astype(str).tolist()
    n = len(ids)
    if n <= ROWS:
        chosen, said = list(range(n)), f"All {n} sequences"
    else:
        each = max(1, ROWS // result.n_clusters)
        chosen = sorted(i for k in range(min(result.n_clusters, ROWS)) for i in result.typical(k, each).tolist())
        said = f"The {len(chosen)} most typical of {n} sequences"
    chosen.sort(key=lambda i: int(result.labels[i]))
    rows = [
        [
            escape(ids[i]),
            _badge(int(result.labels[i])),
            number(float(result.silhouettes[i]), 2),
            ", ".join(f'<span style="color:{colour(int(result.labels[j]))}">{escape(ids[j])}</span>' for j in near[i]),
        ]
        for i in chosen
    ]
    table = _table(["sequence", "cluster", "silhouette", "nearest sequences, nearest first"], rows, [2])
    return f"<section><details><summary>{said} with their nearest neighbours</summary>{table}</details></section>"


def _settings(content: Content) -> str:
    result = content.result
    rows = [[escape(what), escape(value), escape(why)] for what, value, why in result.choices]
    rows.append(["seed", str(result.seed), "root of every random stream"])
    for name, value in result.settings.changed().items():
        rows.append([escape(name), escape(str(value)), "given"])
    return (
        "<section><h2>What was chosen, and why</h2>"
        + _table(["choice", "value", "reason"], rows)
        + f'<p style="margin-top:14px">To repeat it:</p><pre>{escape(result.repeat())}</pre>'
        '<p class="soft">Beside this page lie <b>partition.csv</b> (one row a sequence), <b>distance.csv</b> and'
        " <b>distance.npz</b> (the dissimilarities), and the pictures as PNG.</p></section>"
    )


def to_html(content: Content) -> str:
    """Text of the page, without anything to load from elsewhere."""
    result = content.result
    n, title = len(result.sequences), escape(result.sequences.name)
    first = result.views[0].measure
    lengths = result.sequences.lengths
    span = f"{lengths.min()} to {lengths.max()} frames" if lengths.min() < lengths.max() else f"{lengths.max()} frames"
    out = ['<!doctype html><html lang="en"><head><meta charset="utf-8">', f"<title>{title}: clusters</title>"]
    out.append('<meta name="viewport" content="width=device-width,initial-scale=1">')
    out.append(f"<style>{_CSS}</style></head><body><h1>{title}</h1>")
    out.append(
        f'<p class="soft">{n} sequences of {span} and {result.sequences.n_features}'
        f" feature{'s' * (result.sequences.n_features != 1)}, compared by {escape(first.label)}"
        f" ({escape(first.source)}), clustered by spectral clustering.</p>"
    )
    out.append(_cards(content))
    warnings = result.warnings()
    if warnings:
        items = "".join(f"<li>{escape(capital(text))}.</li>" for text in warnings)
        out.append(f'<section class="warn"><h2>Before you believe it</h2><ul>{items}</ul></section>')
    if result.notes:
        # A note may start with the name of a file, which keeps its case.
        items = "".join(
            f"<li>{escape(text if '.' in text.split()[0] else capital(text))}.</li>" for text in result.notes
        )
        out.append(f"<section><h2>What happened to the data</h2><ul>{items}</ul></section>")
    drawn = "" if n == len(content.shown) else f" {len(content.shown)} of the {n} sequences are drawn."
    out.append('<section><div class="two"><div>')
    heat = _uri(_png(picture(content, "heatmap", titled=False), 170), "image/png")
    live = list(content.maps.items())
    if live:
        out.append(f"<h2>Map</h2>{_live_map(content, *live[0])}")
        out.append(
            f'<p class="soft">{escape(live[0][0])}: near points are alike. Numbers mark the most typical sequence of each'
            f" cluster; point at a dot for its name.{drawn}</p>"
        )
    out.append(f'</div><div><h2>Heat map</h2><img class="full" alt="heat map of dissimilarities" src="{heat}">')
    out.append('<p class="soft">Dark blocks on the diagonal are clusters of sequences that are alike.</p></div></div>')
    if len(live) > 1:
        others = "".join(
            f'<div>{_live_map(content, name, points)}<p class="soft">{escape(name)}</p></div>'
            for name, points in live[1:]
        )
        out.append(
            "<details><summary>Other maps of the same dissimilarities</summary>"
            f'<p class="soft">Each distorts in its own way: trust what they share.</p><div class="three">{others}</div>'
            "</details>"
        )
    out.append("</section>")
    out.append(_clusters(content))
    out.append('<section><div class="two"><div>')
    out.append(_svg(picture(content, "numbers", titled=False)))
    out.append(
        '</div><div><h2>How many clusters?</h2><p class="soft">The silhouette says how much nearer sequences are to their own'
        " cluster than to the next; the eigengap how well the graph falls apart into that many pieces. Where they"
        " agree on a peak, the number is easy to defend; where they do not, look at several."
    )
    if result.numbers is not None and result.numbers.n_items < n:
        out.append(f" Compared on {result.numbers.n_items} sequences drawn at random.")
    if result.stability is not None:
        out.append(
            f" Stability: the mean Jaccard similarity of a cluster with its best match in"
            f" {result.stability.n_resamples} bootstrap samples of {result.stability.n_items}; from 0.75 on a cluster is"
            " stable, below 0.6 it should not be trusted (Hennig, 2007)."
        )
    out.append("</p></div></div></section>")
    if content.tree is not None:
        drawing = _svg(picture(content, "dendrogram", titled=False))
        said = "Average linkage; branches inside one cluster have its colour."
        out.append(f'<section><h2>Dendrogram</h2><p class="soft">{said}</p>{drawing}</section>')
    out += [_views(content), _scores(content), _items(content), _settings(content)]
    return "\n".join([*out, "</body></html>"]) + "\n"


def write(content: Content, path: PathLike) -> None:
    """Write the page, and its pictures as PNG files beside it."""
    page = Path(path)
    for name in ("heatmap", "map", "dendrogram"):
        with replacing(page.parent / f"{name}.png") as temporary:
            temporary.write_bytes(_png(picture(content, name), 100))
    write_text(page, to_html(content))
