"""A table as CSV, Markdown and LaTeX: what was regenerated, and on the line below it what is printed.

How it is laid out, ``render`` of the experiment says; see :mod:`kinseq_documents.plotting.layout`. Nothing is computed here: means
come from :func:`kinseq_documents.evaluation.summary.summarise`, printed numbers from
:func:`kinseq_documents.evaluation.fidelity.to_common_scale`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import product
from typing import Any

import pandas as pd

from kinseq.core.errors import ConfigError
from kinseq.core.store import PathLike, write_text
from kinseq.metrics import registry
from kinseq.plotting import html
from kinseq.plotting.style import DASH, capital, label, latex, markdown, mean_std

from ..evaluation.summary import records
from ..experiments import Experiment, RenderedExperiment
from ..plotting.layout import KEYS, SECTIONS, of_table
from . import verdicts
from .grids import Grid
from .table_forms import latex_row, latex_table, markdown_table

METHODS = ("measure", "clusterer", "model", "reading")
"""Keys whose values compete, so that one of a line is the best."""

MAX_NARROW_COLUMNS = 7
"""Columns of a table that fit into one column of a page."""

_NUMBERS = ("mean", "std", "n", "low", "high")


@dataclass(frozen=True)
class Row:
    """A line of a block: its names, where its numbers come from, its cells as text, and which are the best of the line."""

    names: tuple[str, ...]
    source: str
    cells: tuple[str, ...]
    printed: bool = False
    best: tuple[bool, ...] = ()


@dataclass(frozen=True)
class Block:
    """One grid of numbers: a title, headings of names and cells, the lines."""

    title: str
    name_heads: tuple[str, ...]
    columns: tuple[str, ...]
    rows: tuple[Row, ...]

    @property
    def heads(self) -> tuple[str, ...]:
        """Header of the columns before the cells."""
        return (*self.name_heads, "") if self.sources else self.name_heads

    @property
    def numeric(self) -> range:
        """Positions of the columns of cells."""
        return range(len(self.heads), len(self.heads) + len(self.columns))

    @property
    def sources(self) -> bool:
        """Whether any line holds printed numbers, so that lines have to say where they come from."""
        return any(row.printed for row in self.rows)


@dataclass(frozen=True)
class Table:
    """A table ready to be written.

    Attributes
    ----------
    id, caption : str
    blocks : tuple of Block
    notes : tuple of str
        Sentences under the table.
    title : str
        What it shows, in few words.
    places : tuple of str
        Tables and figures of the documents that it regenerates, as people call them.
    long : DataFrame
        The same numbers, one row a cell and place of print, for the CSV.
    """

    id: str
    caption: str
    blocks: tuple[Block, ...]
    notes: tuple[str, ...]
    long: pd.DataFrame
    title: str = ""
    places: tuple[str, ...] = ()

    @property
    def heading(self) -> str:
        """Opening of the page of a table: its place in print, and its content."""
        return ": ".join(part for part in (", ".join(self.places), self.title or self.caption) if part)

    @property
    def remark(self) -> str:
        """The caption, where it says more than the title."""
        return self.caption if self.title and self.caption not in (self.title, self.title.removesuffix(" (%)")) else ""


def places_of(experiment: Experiment) -> tuple[str, ...]:
    """Return the regenerated item of an experiment, as ``T Table 2.1``."""
    return tuple(verdicts.place(document, item) for document, item in experiment.sources)


def build(
    experiment: RenderedExperiment,
    summary: pd.DataFrame,
    published: pd.DataFrame | None = None,
    labels: Mapping[str, str] | None = None,
    unavailable: Mapping[str, str] | None = None,
    metrics: Sequence[str] = (),
    sections: Sequence[str] = SECTIONS,
) -> Table:
    """Lay a table out, by the ``render`` of the experiment (:mod:`kinseq_documents.plotting.layout`).

    `summary` is what :func:`kinseq_documents.evaluation.summary.summarise` gives with its default groups, `published`
    what :func:`kinseq_documents.evaluation.fidelity.to_common_scale` gives. `labels` maps ids to the names to print,
    `unavailable` data sets that cannot be had to the reason: their rows stay, and say so. `metrics` are those that the
    experiment computes, its own if none are given; `sections` separate the blocks where ``render`` shows curves. A
    ``render`` that leaves out a key that distinguishes cells is refused.
    """
    reasons = dict(unavailable or {})
    metric = experiment.shown_metric
    layout = _with_decimals(of_table(experiment, sections), metric, metrics or (metric,))
    summary = _shown_numbers(summary, metric, layout)
    published = None if published is None else _shown_numbers(published, metric, layout)
    apart = [*layout["variants"], *layout["controls"]]
    readings = experiment.readings
    shown = layout["readings"] or readings
    every = _cells(experiment, summary, published, reasons, apart, readings[:1], metric)
    # Single changes of a reading are in the CSV only.
    cells = every[every["reading"].isin([*shown, ""])] if shown else every
    variants = cells["measure"].isin(layout["variants"])
    controls = cells["measure"].isin(layout["controls"])
    order = [*layout["order"], *layout["shown"], *shown]
    # Unordered rows come in the order of print, then of computation.
    listed = {key: [*order, *_as_printed(published, key)] for key in KEYS}
    values = {key: _ordered(cells.loc[~controls, key], listed[key]) for key in KEYS}
    blocks: list[Block] = []
    for section in product(*(values[key] for key in layout["sections"])):
        here = pd.Series(True, index=cells.index)
        for key, value in zip(layout["sections"], section, strict=True):
            here &= cells[key] == value
        title = capital(", ".join(label(name, labels) for name in section if name != ""))
        for part, name in (
            (cells[here & ~variants & ~controls], title),
            (cells[here & variants], f"{title}: variants"),
        ):
            # Documents do not know readings: a block without regenerated numbers would only repeat another one's print.
            if len(part) and (part["regenerated"].any() or part["dataset"].isin(list(reasons)).all()):
                blocks.append(_block(name, part, layout, values, labels, reasons))
    once = cells["reading"].isin([*readings[:1], ""])
    blocks += _control_block(cells[controls & once & cells["regenerated"]], layout, labels)
    notes = _notes(cells, blocks, reasons, labels, _turned(published), readings)
    title = experiment.title or str(layout["caption"])
    if not layout["every_metric"] and registry.describe(metric).unit == "percent" and "(%)" not in title:
        title = f"{title} (%)"
    long = _long(every, labels)
    return Table(experiment.id, str(layout["caption"]), tuple(blocks), tuple(notes), long, title, places_of(experiment))


def of_grids(
    experiment: Experiment,
    grids: Sequence[Grid],
    labels: Mapping[str, str] | None = None,
    missing: Mapping[str, str] | None = None,
    stand_ins: Sequence[str] = (),
) -> Table:
    """Return a table without scores from the grids of a drawing; ``id`` and ``title`` of the experiment are read.

    `missing` maps data sets to the reason why they cannot be had, if that is so for all of them; `stand_ins` are titles
    of the data that stand in for missing ones, which a note names. The CSV has one row a cell, which is named by its
    part, the first cell of its row, and its column.
    """
    blocks, long = [], []
    for grid in grids:
        rows = tuple(Row(row[: grid.names], "", row[grid.names :]) for row in grid.rows)
        blocks.append(Block(capital(grid.title), grid.heads[: grid.names], grid.heads[grid.names :], rows))
        long += [
            {"part": grid.title, "row": row[0], "column": head, "value": cell}
            for row in grid.rows
            for head, cell in zip(grid.heads[1:], row[1:], strict=True)
        ]
    notes = [f"Data: {'; '.join(stand_ins)}."] if stand_ins else []
    for name, reason in (missing or {}).items():
        notes.append(f"{label(name, labels)}: data not available ({' '.join(reason.split()).rstrip('.')}).")
    frame = pd.DataFrame(long, columns=["part", "row", "column", "value"])
    title = experiment.title
    return Table(experiment.id, title, tuple(blocks), tuple(notes), frame, title, places_of(experiment))


def _with_decimals(layout: Mapping[str, Any], metric: str, metrics: Sequence[str]) -> dict[str, Any]:
    """Return the layout, with the metrics that are shown and the decimals of the numbers of each, regenerated and printed."""
    every = "metric" in (*layout["rows"], layout["columns"], *layout["sections"])
    shown_metrics = list(metrics) if every else [metric, *layout["metrics"].values()]
    own = registry.describe(metric).unit
    units = {name: registry.describe(name).unit for name in shown_metrics}
    # If metrics are not a key, a table has the decimals of its own metric throughout.
    decimals = {
        name: layout["decimals"] if unit == own or not every else registry.UNITS[unit].decimals
        for name, unit in units.items()
    }
    fine = {name: registry.UNITS[unit if every else own].fine_decimals for name, unit in units.items()}
    return {**layout, "every_metric": every, "shown": shown_metrics, "decimals": decimals, "printed_decimals": fine}


def _shown_numbers(numbers: pd.DataFrame, metric: str, layout: Mapping[str, Any]) -> pd.DataFrame:
    """Return the numbers that a table shows: the experiment's metric, another one for clusterers that have their own, or all."""
    if layout["every_metric"]:
        own = numbers["metric"].isin(layout["shown"])
    else:
        own = numbers["metric"] == numbers["clusterer"].map(lambda name: layout["metrics"].get(name, metric))
    if layout["clusterers"]:
        own &= numbers["clusterer"].isin([*layout["clusterers"], "control"])
    return numbers[own]


def _turned(published: pd.DataFrame | None) -> str:
    """Return which printed numbers are shown as their complements, as part of a sentence."""
    if published is None:
        return ""
    turned = published.loc[published["printed_metric"] != published["metric"], ["printed_metric", "metric"]]
    if (turned["metric"] == "error").any():
        return ", accuracies as errors (100 minus accuracy)"
    return ", errors as accuracies (100 minus error)" if (turned["metric"] == "accuracy").any() else ""


def _notes(
    cells: pd.DataFrame,
    blocks: Sequence[Block],
    reasons: Mapping[str, str],
    labels: Mapping[str, str] | None,
    turned: str = "",
    readings: Sequence[str] = (),
) -> list[str]:
    trials = sorted({int(n) for n in cells.loc[cells["regenerated"], "n"]})
    notes = ["Nothing could be regenerated."]
    if trials:
        count = f"{trials[0]}" if len(trials) == 1 else f"{trials[0]} to {trials[-1]}"
        notes = [f"Regenerated: mean ± standard deviation over {count} trials."]
        if trials == [1]:
            notes = ["Regenerated: one trial."]
    if any(block.sources for block in blocks):
        notes.append(
            f"Printed numbers stand below the regenerated ones{turned}; a second document is shown only where its number"
            " differs from the first one's."
        )
        if readings:
            notes.append(f"What is printed is compared with {label(readings[0], labels)}.")
    for name in dict.fromkeys(cells["dataset"]):
        if name in reasons:
            text = " ".join(str(reasons[name]).split())
            notes.append(f"{label(name, labels)}: data not available ({text.rstrip('.')}).")
    return notes


def _as_printed(published: pd.DataFrame | None, key: str) -> list[str]:
    """Return values of a key in the order of print."""
    return list(dict.fromkeys(published[key])) if published is not None and key in published.columns else []


def _ordered(column: pd.Series, order: Sequence[str]) -> list[Any]:
    distinct = list(dict.fromkeys(column))
    if column.name == "x":
        return sorted(distinct, key=lambda x: (x == "", float(x or 0)))
    return [name for name in dict.fromkeys(order) if name in distinct] + [
        name for name in distinct if name not in order
    ]


def _position(x: Any) -> str:
    return "" if x is None or math.isnan(float(x)) else f"{float(x):g}"


def _cells(
    experiment: RenderedExperiment,
    summary: pd.DataFrame,
    published: pd.DataFrame | None,
    reasons: Mapping[str, str],
    apart: Sequence[str],
    judged: Sequence[str],
    metric: str,
) -> pd.DataFrame:
    """Regenerated and printed numbers side by side, one row for each combination of the keys.

    `judged` is the reading, if there is one, that what is printed and not computed is shown under.
    """
    reading = next(iter(judged), "")
    cells: dict[tuple[str, ...], dict[str, Any]] = {}
    for row in records(summary):
        names = (row["dataset"], row["model"], row["measure"], row["clusterer"], row["reading"])
        key = (*names, _position(row["x"]), row["metric"])
        cells[key] = {"regenerated": True, **{name: row[name] for name in _NUMBERS}}
    printed: dict[tuple[str, ...], list[tuple[float, float, str]]] = {}
    for row in records(published) if published is not None else []:
        cell, where = (
            (row["dataset"], row["model"], row["measure"], row["clusterer"]),
            (_position(row["x"]), row["metric"]),
        )
        printed.setdefault((*cell, *where), []).append((row["published"], row["published_std"], row["place"]))
        cells.setdefault((*cell, reading, *where), {})
    # An unavailable data set keeps its rows even if nothing is printed.
    for part in experiment.parts_on_data:
        missing = [name for name in part.datasets if name in reasons]
        measures = [name for name in part.measures if name not in apart]
        for dataset, model, measure, clusterer in product(missing, part.models, measures, part.clusterers or ["none"]):
            cells.setdefault((dataset, model, measure, clusterer, reading, "", metric), {})
    blank: dict[str, Any] = {"regenerated": False, **dict.fromkeys(_NUMBERS, float("nan")), "n": 0}
    rows = []
    for place, entry in cells.items():
        named = dict(zip(KEYS, place, strict=True))
        beside = printed.get(tuple(str(named[name]) for name in KEYS if name != "reading"), [])
        rows.append({**named, **blank, **entry, "printed": beside})
    return pd.DataFrame(rows, columns=[*KEYS, *blank, "printed"])


def _block(
    title: str,
    part: pd.DataFrame,
    layout: Mapping[str, Any],
    values: Mapping[str, Sequence[str]],
    labels: Mapping[str, str] | None,
    reasons: Mapping[str, str],
) -> Block:
    rows_by, column = list(layout["rows"]), str(layout["columns"])
    heads = [name for name in values[column] if name in set(part[column])]
    index = _index(part, (*rows_by, column))
    rows: list[Row] = []
    for names in product(*(values[key] for key in rows_by)):
        line = [index.get((*names, head)) for head in heads]
        if not any(line):
            continue
        row_names = tuple(
            label(name, labels) + (": data not available" if key == "dataset" and name in reasons else "")
            for key, name in zip(rows_by, names, strict=True)
        )
        texts = []
        for entry in line:
            if entry is None:
                texts.append("")
            elif entry["regenerated"]:
                texts.append(mean_std(entry["mean"], entry["std"], layout["decimals"][entry["metric"]]))
            else:
                texts.append("n/a" if entry["dataset"] in reasons else DASH)
        best = _best(line, texts) if column in METHODS else ()
        rows.append(Row(row_names, "regenerated", tuple(texts), best=best))
        rows += [
            Row(row_names, place, texts_, printed=True)
            for place, texts_ in _printed_lines(
                [entry["printed"] if entry else [] for entry in line],
                [layout["printed_decimals"][entry["metric"]] if entry else 0 for entry in line],
            )
        ]
    above = tuple(str(layout.get("x_label", "")) if key == "x" else "" for key in rows_by)
    return Block(title, above, tuple(label(head, labels) for head in heads), tuple(rows))


def _best(line: Sequence[Mapping[str, Any] | None], texts: Sequence[str]) -> tuple[bool, ...]:
    """Return which regenerated numbers of a line are its best ones, as they are shown; none where no side is the good one."""
    there = [entry for entry in line if entry is not None and entry["regenerated"] and math.isfinite(entry["mean"])]
    metrics = {entry["metric"] for entry in there}
    direction = registry.describe(metrics.pop()).direction if len(metrics) == 1 else "none"
    if len(there) < 2 or direction == "none":
        return ()
    best = (min if direction == "lower" else max)(entry["mean"] for entry in there)
    # Means that are displayed alike are equally good.
    best_texts = {
        text.partition(" ")[0] for entry, text in zip(line, texts, strict=True) if entry and entry["mean"] == best
    }
    return tuple(
        entry is not None and bool(entry["regenerated"]) and text.partition(" ")[0] in best_texts
        for entry, text in zip(line, texts, strict=True)
    )


def _index(part: pd.DataFrame, keys: Sequence[str]) -> dict[tuple[str, ...], dict[str, Any]]:
    """Return cells of a block by the keys of its rows and columns; cells that differ only in other keys must agree."""
    index: dict[tuple[str, ...], dict[str, Any]] = {}
    for row in records(part):
        place = tuple(row[key] for key in keys)
        earlier = index.get(place)
        if earlier is None:
            index[place] = row
            continue
        if earlier["regenerated"] and row["regenerated"] and earlier["mean"] != row["mean"]:
            free = next(key for key in KEYS if earlier[key] != row[key])
            raise ConfigError(
                f"render: {earlier[free]!r} and {row[free]!r} fall into one cell, {place}; add {free!r} to"
                " rows or sections"
            )
        first = row if row["regenerated"] and not earlier["regenerated"] else earlier
        index[place] = {**first, "printed": earlier["printed"] or row["printed"]}
    return index


def _printed_lines(
    line: Sequence[Iterable[tuple[float, float, str]]], decimals: Sequence[int]
) -> list[tuple[str, tuple[str, ...]]]:
    """Return one line per place of print; a number that an earlier place gave already is left out."""
    texts = [
        [(place, mean_std(value, std, digits)) for value, std, place in entries]
        for entries, digits in zip(line, decimals, strict=True)
    ]
    lines = []
    for place in dict.fromkeys(place for entries in texts for place, _ in entries):
        cells = []
        for entries in texts:
            earlier: list[str] = []
            own = ""
            for where, text in entries:
                if where == place:
                    own = text if text not in earlier else ""
                    break
                earlier.append(text)
            cells.append(own)
        if any(cells):
            lines.append((place, tuple(cells)))
    return lines


def _control_block(cells: pd.DataFrame, layout: Mapping[str, Any], labels: Mapping[str, str] | None) -> list[Block]:
    if cells.empty:
        return []
    controls = [name for name in layout["controls"] if name in set(cells["measure"])]
    clusterers = [name for name in dict.fromkeys(cells["clusterer"]) if name != "control"] or ["control"]
    metrics = [name for name in layout["shown"] if name in set(cells["metric"])] if layout["every_metric"] else [""]
    positions = (cells["x"] != "").any()
    heads = [
        "",
        "",
        *([str(layout.get("x_label", ""))] if positions else []),
        *([""] if layout["every_metric"] else []),
    ]
    rows = []
    places = product(dict.fromkeys(cells["dataset"]), clusterers, _ordered(cells["x"], []), metrics)
    for dataset, clusterer, x, metric in places:
        # True and random labels belong to no clusterer, so they appear in the rows of all clusterers.
        selected = (cells["dataset"] == dataset) & (cells["x"] == x) & cells["clusterer"].isin([clusterer, "control"])
        if metric:
            selected &= cells["metric"] == metric
        means = {
            row["measure"]: mean_std(row["mean"], row["std"], layout["decimals"][row["metric"]])
            for row in records(cells[selected])
        }
        names = [label(dataset, labels), "" if clusterer in ("control", "none") else capital(label(clusterer, labels))]
        names += [x] if positions else []
        names += [label(metric, labels)] if metric else []
        if means:
            rows.append(Row(tuple(names), "regenerated", tuple(means.get(name, "") for name in controls)))
    return [Block("Controls", tuple(heads), tuple(label(name, labels) for name in controls), tuple(rows))]


def _long(cells: pd.DataFrame, labels: Mapping[str, str] | None) -> pd.DataFrame:
    rows = []
    for row in records(cells):
        base = {key: row[key] for key in KEYS} | {"method": label(row["measure"], labels)}
        base |= {name: row[name] for name in _NUMBERS}
        for value, std, place in row["printed"] or [(float("nan"), float("nan"), "")]:
            rows.append({**base, "published": value, "published_std": std, "place": place})
    return pd.DataFrame(rows, columns=[*KEYS, "method", *_NUMBERS, "published", "published_std", "place"])


def to_csv(table: Table) -> str:
    """Return one row per cell and place of print; numbers with 6 digits."""
    return str(table.long.to_csv(index=False, float_format="%.6g", lineterminator="\n"))


def _names_once(rows: Sequence[Row]) -> list[list[str]]:
    """Return names of each line, blank where they repeat those of the line above."""
    lines: list[list[str]] = []
    previous: tuple[str, ...] | None = None
    for row in rows:
        same = [previous is not None and row.names[: k + 1] == previous[: k + 1] for k in range(len(row.names))]
        lines.append(["" if repeated else name for name, repeated in zip(row.names, same, strict=True)])
        previous = row.names
    return lines


def _lines(block: Block) -> list[tuple[Row, list[str]]]:
    """Return the lines of a block, each with its leading cells: names once, and the source if lines have several."""
    names = _names_once(block.rows)
    return [(row, [*own, row.source] if block.sources else own) for row, own in zip(block.rows, names, strict=True)]


def to_markdown(table: Table) -> str:
    """Return tables of GitHub's Markdown, one for each block, with notes under them."""
    lines = [f"# {markdown(table.heading)}", "", *([markdown(table.remark), ""] if table.remark else [])]
    for block in table.blocks:
        lines += [f"## {markdown(block.title)}", ""] if block.title else []
        rows = []
        for row, names in _lines(block):
            cells = [f"*{markdown(cell)}*" if row.printed and cell else markdown(cell) for cell in row.cells]
            rows.append([*map(markdown, names), *cells])
        lines += [*markdown_table([*map(markdown, (*block.heads, *block.columns))], rows, block.numeric), ""]
    lines += [f"- {markdown(note)}" for note in table.notes]
    return "\n".join(lines) + "\n"


def to_latex(table: Table) -> str:
    """Return one ``table*`` a block, so that none is longer than a page; needs ``booktabs`` and nothing else."""
    lines = ["% needs \\usepackage{booktabs}"]
    for number, block in enumerate(table.blocks, start=1):
        # Long names of variants would make columns too wide for a page, so the part in brackets goes to a second line.
        heads = [name.partition(" (") for name in (*block.heads, *block.columns)]
        header = [_latex_row(head for head, _, _ in heads)]
        if any(bracket for _, bracket, _ in heads):
            header.append(_latex_row(bracket.lstrip() + rest for _, bracket, rest in heads))
        rows = []
        previous = block.rows[0].names[0] if block.rows else ""
        for row, names in _lines(block):
            if len(block.name_heads) > 1 and row.names[0] != previous:
                rows.append("\\addlinespace")
            previous = row.names[0]
            rows.append(_latex_row([*names, *row.cells], italic_from=len(names) if row.printed else None))
        notes = [f"\\par\\smallskip\\raggedright {latex(note)}" for note in table.notes]
        lines += latex_table(
            header,
            rows,
            "l" * len(block.heads) + "r" * len(block.columns),
            latex(f"{table.caption}. {block.title}." if block.title else table.caption),
            f"tab:{table.id.replace('_', '-')}-{number}",
            ["\\centering\\footnotesize", "\\setlength{\\tabcolsep}{3.5pt}"],
            wide=True,
            below=notes if number == len(table.blocks) else [],
        )
    return "\n".join(lines) + "\n"


def to_compact_latex(table: Table) -> str:
    """Return the table for pasting into a paper: regenerated numbers, print below in italics, the best of a line in bold.

    Rows without a number that was computed are left out, with what is printed of them, and so are notes; they stand in
    the full form. A column that says where numbers come from is there only if several places of print are shown.
    """
    lines = ["% needs \\usepackage{booktabs}"]
    number = 0
    for block in table.blocks:
        had = {row.names for row in block.rows if not row.printed and any(map(_holds, row.cells))}
        rows = [row for row in block.rows if row.names in had]
        if not rows:
            continue
        number += 1
        places = list(dict.fromkeys(row.source for row in rows if row.printed))
        sources = len(places) > 1
        heads = [*block.name_heads, *([""] if sources else []), *block.columns]
        caption = latex(f"{table.title or table.caption}{f'. {block.title}' if block.title else ''}.")
        caption += f" In italics: {latex(places[0])}." if len(places) == 1 else ""
        caption += " In bold: the best." if any(any(row.best) for row in rows) else ""
        body = []
        for row, names in zip(rows, _names_once(rows), strict=True):
            source = [row.source if row.printed else ""] if sources else []
            cells = [latex(cell) if _holds(cell) else "" for cell in row.cells]
            if row.printed:
                cells = [f"\\textit{{{cell}}}" if cell else "" for cell in cells]
            elif row.best:
                cells = [f"\\textbf{{{cell}}}" if best else cell for cell, best in zip(cells, row.best, strict=True)]
            body.append(latex_row([*map(latex, [*names, *source]), *cells]))
        lines += latex_table(
            [_latex_row(heads)],
            body,
            "l" * (len(heads) - len(block.columns)) + "r" * len(block.columns),
            caption,
            f"tab:{table.id.replace('_', '-')}-{number}",
            ["\\centering\\small"],
            wide=len(heads) > MAX_NARROW_COLUMNS,
        )
    if not number:
        lines.append("% nothing could be computed; the full form says why")
    return "\n".join(lines) + "\n"


def _holds(cell: str) -> bool:
    """Return whether a cell holds something."""
    return cell not in ("", "n/a", DASH)


def _latex_row(texts: Iterable[str], italic_from: int | None = None) -> str:
    cells = [latex(text) for text in texts]
    if italic_from is not None:
        cells[italic_from:] = [f"\\textit{{{cell}}}" if cell else "" for cell in cells[italic_from:]]
    return latex_row(cells)


def to_html(table: Table) -> str:
    """Return a page of its own with one table for each block and the notes under them."""
    out = [
        f"<h1>{escape(table.heading)}</h1>",
        *([f'<p class="how">{escape(table.remark)}</p>'] if table.remark else []),
    ]
    for block in table.blocks:
        out += [f"<h2>{escape(block.title)}</h2>"] if block.title else []
        rows = []
        for row, names in _lines(block):
            cells = [f"<i>{escape(cell)}</i>" if row.printed and cell else escape(cell) for cell in row.cells]
            rows.append([*map(escape, names), *cells])
        out += html.table([*block.heads, *block.columns], rows, block.numeric)
    out += ["<ul>", *(f"<li>{escape(note)}</li>" for note in table.notes), "</ul>"] if table.notes else []
    return html.page(f"kinseq: {table.heading}", out)


def write(
    table: Table,
    csv: PathLike,
    md: PathLike,
    tex: PathLike,
    page: PathLike | None = None,
    full: PathLike | None = None,
) -> None:
    """Write a table in its forms.

    See :func:`to_csv`, :func:`to_markdown`, :func:`to_compact_latex`, :func:`to_html`, and for `full` :func:`to_latex`.
    """
    write_text(csv, to_csv(table))
    write_text(md, to_markdown(table))
    write_text(tex, to_compact_latex(table))
    if full is not None:
        write_text(full, to_latex(table))
    if page is not None:
        write_text(page, to_html(table))
