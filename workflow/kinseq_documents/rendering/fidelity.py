"""The fidelity page: a summary, one line per experiment, the claims, every printed cell, how to read it; as CSV, Markdown, HTML."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import pandas as pd

from kinseq.core.store import PathLike, write_text
from kinseq.metrics import registry
from kinseq.plotting import html
from kinseq.plotting.style import DASH, capital, label, markdown, mean_std, number

from ..evaluation.fidelity import MIN_RUNS, NO_NUMBER, NOT_AVAILABLE, VERDICTS, Fidelity, digest
from ..evaluation.looks import LOOKS
from ..evaluation.summary import records
from . import verdicts
from .errata import section
from .table_forms import markdown_table

CSV_COLUMNS = (
    "kind",
    "experiment",
    "document",
    "item",
    "place",
    "row",
    "column",
    "dataset",
    "model",
    "measure",
    "clusterer",
    "metric",
    "x",
    "unit",
    "printed",
    "printed_metric",
    "published",
    "published_std",
    "published_n",
    "mean",
    "std",
    "n",
    "se",
    "difference",
    "verdict",
)
"""First columns of ``fidelity.csv``; those of other readings, the order of methods and the claims follow."""

HOW_TO_READ = (
    "Difference: regenerated minus printed, in the unit of the metric; accuracies were turned into errors first. "
    f"Verdicts: too few runs (fewer than {MIN_RUNS} trials, or a standard error above the largest one of the metric, or "
    "2 combined standard errors cover the difference only since these are above the first tolerance); equal (the same, but the "
    "90 % interval of the difference lies within the largest standard error of the metric); print uncertain (the same, and the "
    "printed error alone covers the difference: no number of runs here could decide); reproduced (within the "
    "first tolerance of the metric, or 2 combined standard errors); one run (print gives a single run, and the difference is "
    "at most 2 standard deviations of a run here); one draw (the data are one draw of many, and the difference is at most 2 "
    "combined standard errors with the deviation between draws, or these cover it whatever the number of runs); better or worse "
    "(beyond its "
    "second tolerance; different, where no side is the good one); close (in between); not available. A claim is held or "
    "not held if a paired interval over trials (Student's t) says so at 95 %, else undecided. What make settle gave further "
    f"trials is judged again after {verdicts.listed([str(look) for look in LOOKS])} of them at a third of the level each."
)


GONE = "Not available (the printed numbers stand in fidelity.csv):"


@dataclass(frozen=True)
class Verdict:
    """A word that says how something came out, in a colour of its own; the deciding one is emphasised in Markdown, too."""

    word: str = ""
    judged: bool = False


@dataclass(frozen=True)
class Note:
    """A remark, and errata by their names and addresses."""

    text: str
    links: Sequence[tuple[str, str]]


Cell = str | Verdict | Note


@dataclass(frozen=True)
class Shown:
    """A table of the page, whatever it is written in; columns in `numeric` hold numbers."""

    header: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    numeric: Sequence[int] = ()


@dataclass(frozen=True)
class Part:
    """One experiment on the page: the orders of its methods, its printed cells, and cells that could not be regenerated."""

    name: str
    title: str
    orders: Shown | None
    cells: Shown | None
    missing: Sequence[str]


def _tolerances(fidelity: Fidelity) -> str:
    """Return the sentence with the tolerances of every metric that is compared, metrics of equal ones together."""
    groups: dict[str, list[str]] = {}
    for name in dict.fromkeys(fidelity.cells.loc[fidelity.cells["unit"] != NO_NUMBER, "metric"]):
        metric = registry.describe(str(name))
        scale = 100.0 if metric.relative else 1.0
        unit = "% of the printed number" if metric.relative else registry.UNITS[metric.unit].word
        reproduced, close, se = (scale * within for within in metric.tolerances)
        within = f"{reproduced:g} and {close:g} {unit}".rstrip()
        largest = f"{se:g} {unit}".rstrip()
        groups.setdefault(f"{within}, largest standard error {largest}", []).append(metric.label)
    # Labels contain commas and capitals.
    return "Tolerances: " + "; ".join(f"{' / '.join(names)}: {text}" for text, names in groups.items()) + "."


def _how_to_read(fidelity: Fidelity) -> list[str]:
    """Paragraphs below the tables."""
    return [HOW_TO_READ, *([_tolerances(fidelity)] if len(fidelity.cells) else [])]


def _decimals(metric: str) -> int:
    """Decimals of a number next to a printed one."""
    return registry.UNITS[registry.describe(metric).unit].fine_decimals


def _difference(value: float, decimals: int) -> str:
    return f"{value:+.{decimals}f}" if math.isfinite(value) else DASH


def table(fidelity: Fidelity) -> pd.DataFrame:
    """Return all rows of ``fidelity.csv``: column ``kind`` is ``cell``, ``order`` (of the methods in a table) or ``claim``."""
    frames = []
    for kind, frame in (("cell", fidelity.cells), ("order", fidelity.orders), ("claim", fidelity.claims)):
        if len(frame):
            frames.append(frame.assign(kind=kind))
    if not frames:
        return pd.DataFrame(columns=list(CSV_COLUMNS))
    rows = pd.concat(frames, ignore_index=True)
    others = [column for column in rows.columns if column not in CSV_COLUMNS]
    return rows.reindex(columns=[*CSV_COLUMNS, *others])


def to_csv(fidelity: Fidelity) -> str:
    """Return the text of ``fidelity.csv``; numbers with 6 digits."""
    return str(table(fidelity).to_csv(index=False, float_format="%.6g", lineterminator="\n"))


def _correlation(value: float) -> str:
    return number(value, 2) if math.isfinite(value) else DASH


def _counts(row: Mapping[str, Any]) -> list[str]:
    return [str(row[name]) if row[name] else "" for name in VERDICTS]


def _claim_counts(row: Mapping[str, Any]) -> str:
    parts = [(row["held"], "held"), (row["not_held"], "not held"), (row["undecided"], "undecided")]
    return ", ".join(f"{count} {name}" for count, name in parts if count)


def _beside(fidelity: Fidelity) -> list[str]:
    """Return readings that are not judged and under which something was regenerated."""
    cells, claims = fidelity.cells, fidelity.claims
    return [
        name
        for name in fidelity.beside
        if (f"{name}_n" in cells and (cells[f"{name}_n"] > 0).any())
        or (f"{name}_verdict" in claims and (claims[f"{name}_verdict"].fillna("") != "").any())
    ]


def _text(value: Any) -> str:
    """Return a verdict of a row, also of an experiment that is not shown under the reading."""
    return value if isinstance(value, str) else ""


def _digest(fidelity: Fidelity, labels: Mapping[str, str] | None) -> Shown:
    """Return how many cells, orders and claims of each experiment came out how."""
    header = ["Experiment", "Reading", "Printed cells", *(name.capitalize() for name in VERDICTS)]
    header += ["Same best method", "Rank correlation", "Claims"]
    rows = []
    for row in records(digest(fidelity)):
        if not row["cells"] and not _claim_counts(row):
            continue
        rows.append(
            [
                f"{row['experiment']}: {row['title']}"
                if row["reading"] == fidelity.readings[row["experiment"]][0]
                else "",
                label(row["reading"], labels) if row["reading"] else "",
                str(row["cells"]) if row["cells"] else "",
                *_counts(row),
                row["same_best"],
                _correlation(row["correlation"]),
                _claim_counts(row),
            ]
        )
    # Unused verdicts and readings only widen the page.
    spare = [1, *range(3, 3 + len(VERDICTS))]
    keep = [k for k in range(len(header)) if k not in spare or any(row[k] for row in rows)]
    kept = [header[k] for k in keep]
    counts = {*(name.capitalize() for name in VERDICTS), "Printed cells", "Rank correlation"}
    numeric = tuple(k for k, name in enumerate(kept) if name in counts)
    return Shown(kept, [[row[k] for k in keep] for row in rows], numeric)


def _link(slugs: str, errata: str) -> list[tuple[str, str]]:
    return [(slug, f"{errata}#{slug}") for slug in str(slugs or "").split() if slug and slug != "nan"]


def _claims(fidelity: Fidelity, readings: Sequence[str], labels: Mapping[str, str] | None) -> Shown:
    """Return one line per claim."""
    header = ["Claim", "Source", "Verdict", *(capital(label(name, labels)) for name in readings), "What decided"]
    rows: list[list[Cell]] = [
        [
            row["sentence"],
            verdicts.source(row),
            Verdict(row["verdict"], judged=True),
            *(Verdict(_text(row.get(f"{name}_verdict"))) for name in readings),
            _decided(row),
        ]
        for row in records(fidelity.claims)
    ]
    return Shown(header, rows)


def _cells(cells: pd.DataFrame, readings: Sequence[str], labels: Mapping[str, str] | None, errata: str) -> Shown | None:
    """Return one line per printed cell, the readings that are not judged at its end; None if there are none."""
    header = ["Place", "Cell", "Printed", "Regenerated", "n", "Difference", "Verdict"]
    header += [text for name in readings for text in (capital(label(name, labels)), "Difference", "Verdict")]
    rows: list[list[Cell]] = []
    for row in records(cells):
        digits = _decimals(row["metric"]) if row["unit"] != NO_NUMBER else 0
        line: list[Cell] = [
            row["place"],
            f"{row['row']}, {row['column']}",
            row["printed"] if row["unit"] == NO_NUMBER else mean_std(row["published"], row["published_std"], digits),
            mean_std(row["mean"], row["std"], digits),
            str(int(row["n"])) if row["n"] > 0 else "",
            _difference(row["difference"], digits),
            Verdict(row["verdict"], judged=True),
        ]
        for name in readings:
            line += [
                mean_std(row[f"{name}_mean"], row[f"{name}_std"], digits),
                _difference(row[f"{name}_difference"], digits),
                Verdict(_text(row[f"{name}_verdict"])),
            ]
        rows.append([*line, Note(row["note"], _link(row["errata"], errata))])
    numeric = (2, 3, 4, 5, *(7 + 3 * k + j for k in range(len(readings)) for j in (0, 1)))
    return Shown([*header, "Note"], rows, numeric) if rows else None


def _parts(fidelity: Fidelity, labels: Mapping[str, str] | None, errata: str) -> Iterator[Part]:
    """Yield the results of each experiment with printed cells."""
    readings = _beside(fidelity)
    for name, title in fidelity.titles.items():
        cells = fidelity.cells[fidelity.cells["experiment"] == name]
        if len(cells):
            had = cells[cells["verdict"] != NOT_AVAILABLE]
            own = [reading for reading in readings if reading in fidelity.readings[name][1:]]
            orders, compared = _orders(fidelity, name, own, labels), _cells(had, own, labels, errata)
            yield Part(name, title, orders, compared, _unavailable(cells, labels))


def _orders(fidelity: Fidelity, name: str, readings: Sequence[str], labels: Mapping[str, str] | None) -> Shown | None:
    """Return one line per row of a printed table, the readings side by side; None if nothing is ordered."""
    header = ["Place", "Row", "Methods", "Printed best", "Regenerated best", "Same?", "Rank correlation"]
    header += [
        text for other in readings for text in (f"{capital(label(other, labels))}: best", "Same?", "Rank correlation")
    ]
    orders = fidelity.orders[fidelity.orders["experiment"] == name]
    rows = []
    for (place, line), group in orders.groupby(["place", "row"], sort=False):
        by_reading = {row["reading"]: row for row in records(group)}
        first = next(iter(by_reading.values()))
        texts: list[Cell] = [
            str(place),
            str(line) or "whole table",
            str(first["methods"]),
            _methods(first["published_best"], labels),
        ]
        for reading in (fidelity.readings[name][0], *readings):
            row = by_reading.get(reading)
            texts += (
                [_methods(row["best"], labels), Verdict(row["same_best"]), _correlation(row["correlation"])]
                if row
                else ["", Verdict(), ""]
            )
        rows.append(texts)
    same = [k for k, text in enumerate(header) if text == "Same?"]
    return Shown(header, rows, (2, *(k + 1 for k in same))) if rows else None


def _methods(names: str, labels: Mapping[str, str] | None) -> str:
    return ", ".join(" with ".join(label(part, labels) for part in name.split("/")) for name in str(names).split(", "))


def _unavailable(cells: pd.DataFrame, labels: Mapping[str, str] | None) -> list[str]:
    """Return data that could not be regenerated: data set, number of cells, reason."""
    missing = cells[cells["verdict"] == NOT_AVAILABLE]
    return [
        f"{label(str(dataset), labels)}: {len(group)} printed cells, {str(reason).rstrip('.')}."
        for (dataset, reason), group in missing.groupby(["dataset", "reason"], sort=False)
    ]


def to_markdown(
    fidelity: Fidelity, labels: Mapping[str, str] | None = None, errata: str = "../docs/reference/errata.md"
) -> str:
    """Return the text of ``fidelity.md``; `errata` is the address of the page of errata, as seen from the file."""
    lines = ["# Fidelity: regenerated and printed numbers", ""]
    lines += [
        line for text in verdicts.summary(fidelity.cells, fidelity.claims, labels) for line in (markdown(text), "")
    ]
    lines += _md_table(_digest(fidelity, labels))
    if len(fidelity.claims):
        lines += ["", "## Claims", "", *_md_table(_claims(fidelity, _beside(fidelity), labels))]
    for part in _parts(fidelity, labels, errata):
        lines += ["", f"## {markdown(part.name)}: {markdown(part.title)}", ""]
        if part.orders:
            lines += [*_md_table(part.orders), ""]
        if part.cells:
            lines += _md_table(part.cells)
        if part.missing:
            lines += ["", GONE, "", *(f"- {markdown(text)}" for text in part.missing)]
    lines += ["", "## How to read it", "", *(line for text in _how_to_read(fidelity) for line in (markdown(text), ""))]
    return "\n".join(lines).rstrip("\n") + "\n"


def _md_table(shown: Shown) -> list[str]:
    def text(cell: Cell) -> str:
        if isinstance(cell, Verdict):
            return f"**{markdown(cell.word)}**" if cell.judged else markdown(cell.word)
        if isinstance(cell, Note):
            links = ", ".join(f"[{slug}]({address})" for slug, address in cell.links)
            return "; ".join(part for part in (markdown(cell.text), links) if part)
        return markdown(cell)

    return markdown_table(shown.header, [[*map(text, row)] for row in shown.rows])


def _decided(row: Mapping[str, Any]) -> str:
    note = str(row.get("note") or "")
    return f"{row['numbers']}. {note}" if note else str(row["numbers"])


def to_html(
    fidelity: Fidelity,
    labels: Mapping[str, str] | None = None,
    errata: str = "../docs/reference/errata.md",
    carried: Mapping[str, str] | None = None,
) -> str:
    """Return the text of a page of its own, without anything to load from elsewhere.

    Parameters as in :func:`to_markdown`; errata that are `carried`, see :func:`kinseq_documents.rendering.errata.entries`, stand at
    the end of the page, so that the links to them hold wherever the page goes.
    """
    carried = carried or {}
    out = ["<h1>Regenerated and printed numbers</h1>"]
    out += [f"<p>{escape(text)}</p>" for text in verdicts.summary(fidelity.cells, fidelity.claims, labels)]
    out += ['<p class="how">How verdicts are made stands <a href="#how">at the foot</a>.</p>']
    out += _html_table(_digest(fidelity, labels), carried)
    if len(fidelity.claims):
        out.append("<h2>What the documents say of their results</h2>")
        out += _html_table(_claims(fidelity, _beside(fidelity), labels), carried)
    out.append("<h2>Printed cells</h2>")
    parts = list(_parts(fidelity, labels, errata))
    for part in parts:
        opened = " open" if part.cells else ""
        out.append(
            f'<details id="{escape(part.name)}"{opened}><summary>{escape(part.name)}: {escape(part.title)}</summary>'
        )
        if part.orders:
            out.append("<p>Order of the methods, printed and regenerated:</p>")
            out += [*_html_table(part.orders, carried), "<p>Cell by cell:</p>"]
        if part.cells:
            out += _html_table(part.cells, carried)
        if part.missing:
            out += [f"<p>{GONE}</p><ul>", *(f"<li>{escape(text)}</li>" for text in part.missing), "</ul>"]
        out.append("</details>")
    foot = [
        '<h2 id="how">How to read it</h2>',
        *(f'<p class="how">{escape(text)}</p>' for text in _how_to_read(fidelity)),
    ]
    notes = [cell for part in parts if part.cells for row in part.cells.rows for cell in row if isinstance(cell, Note)]
    referred = {slug for note in notes for slug, _ in note.links}
    return html.page("kinseq: fidelity", [*out, *section(carried, referred), *foot])


def _html_table(shown: Shown, carried: Mapping[str, str]) -> list[str]:
    def link(slug: str, address: str) -> str:
        return f'<a href="{escape(f"#{slug}" if slug in carried else address)}">{escape(slug)}</a>'

    def text(cell: Cell) -> str:
        if isinstance(cell, Verdict):
            colour = verdicts.COLOURS.get(cell.word, "#1c1c1c")
            return f'<span class="v" style="color:{colour}">{escape(cell.word)}</span>' if cell.word else ""
        if isinstance(cell, Note):
            links = ", ".join(link(*each) for each in cell.links)
            return "; ".join(part for part in (escape(cell.text), links) if part)
        return escape(cell)

    return html.table(shown.header, [[text(cell) for cell in row] for row in shown.rows], shown.numeric)


def write(
    fidelity: Fidelity,
    csv: PathLike,
    md: PathLike,
    page: PathLike | None = None,
    labels: Mapping[str, str] | None = None,
    errata: str = "../docs/reference/errata.md",
    carried: Mapping[str, str] | None = None,
) -> None:
    """Write the page in its forms; see :func:`to_csv`, :func:`to_markdown`, :func:`to_html`."""
    write_text(csv, to_csv(fidelity))
    write_text(md, to_markdown(fidelity, labels, errata))
    if page is not None:
        write_text(page, to_html(fidelity, labels, errata, carried))
