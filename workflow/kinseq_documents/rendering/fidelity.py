"""The fidelity page: a summary, one line an experiment, the claims, every printed cell, how to read it; as CSV, Markdown, HTML."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

import pandas as pd

from kinseq.core.store import PathLike, write_text
from kinseq.metrics import registry
from kinseq.plotting import html
from kinseq.plotting.style import DASH, capital, label, markdown, mean_std, number

from ..evaluation.fidelity import MIN_RUNS, NO_NUMBER, NOT_AVAILABLE, VERDICTS, Fidelity, digest
from ..evaluation.summary import records
from . import verdicts
from .errata import section

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
    "2 combined standard errors cover the difference only since these are above the first tolerance); reproduced (within the "
    "first tolerance of the metric, or 2 combined standard errors); one run (print gives a single run, and the difference is "
    "at most 2 standard deviations of a run here); one draw (the data are one draw of many, and the difference is at most 2 "
    "combined standard errors with the deviation between draws); better or worse (beyond its "
    "second tolerance; different, where no side is the good one); close (in between); not available. A claim is held or "
    "not held if a paired interval over trials (Student's t) says so at 95 %, else undecided."
)


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
    # Labels hold commas and capitals of their own.
    return "Tolerances: " + "; ".join(f"{' / '.join(names)}: {text}" for text, names in groups.items()) + "."


def _how_to_read(fidelity: Fidelity) -> list[str]:
    """Paragraphs below the tables."""
    return [HOW_TO_READ, *([_tolerances(fidelity)] if len(fidelity.cells) else [])]


def _decimals(metric: str) -> int:
    """Decimals of a number beside a printed one."""
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


def _digest_rows(fidelity: Fidelity, labels: Mapping[str, str] | None) -> tuple[list[str], list[list[str]]]:
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
    # Verdicts that never occur, and readings where there are none, only widen the page.
    spare = [1, *range(3, 3 + len(VERDICTS))]
    keep = [k for k in range(len(header)) if k not in spare or any(row[k] for row in rows)]
    return [header[k] for k in keep], [[row[k] for k in keep] for row in rows]


def _link(slugs: str, errata: str) -> list[tuple[str, str]]:
    return [(slug, f"{errata}#{slug}") for slug in str(slugs or "").split() if slug and slug != "nan"]


def _cell_rows(
    cells: pd.DataFrame, readings: Sequence[str], labels: Mapping[str, str] | None
) -> Iterable[dict[str, Any]]:
    for row in records(cells):
        digits = _decimals(row["metric"]) if row["unit"] != NO_NUMBER else 0
        yield {
            "place": row["place"],
            "cell": f"{row['row']}, {row['column']}",
            "printed": row["printed"]
            if row["unit"] == NO_NUMBER
            else mean_std(row["published"], row["published_std"], digits),
            "regenerated": mean_std(row["mean"], row["std"], digits),
            "n": str(int(row["n"])) if row["n"] > 0 else "",
            "difference": _difference(row["difference"], digits),
            "verdict": row["verdict"],
            "beside": [
                (
                    mean_std(row[f"{name}_mean"], row[f"{name}_std"], digits),
                    _difference(row[f"{name}_difference"], digits),
                    _text(row[f"{name}_verdict"]),
                )
                for name in readings
            ],
            "errata": row["errata"],
            "note": row["note"],
        }


def _orders(
    fidelity: Fidelity, name: str, readings: Sequence[str], labels: Mapping[str, str] | None
) -> tuple[list[str], list[list[str]]]:
    """Return one line a row of a printed table, the readings side by side."""
    header = ["Place", "Row", "Methods", "Printed best", "Regenerated best", "Same?", "Rank correlation"]
    header += [
        text for other in readings for text in (f"{capital(label(other, labels))}: best", "Same?", "Rank correlation")
    ]
    orders = fidelity.orders[fidelity.orders["experiment"] == name]
    rows = []
    for (place, line), group in orders.groupby(["place", "row"], sort=False):
        by_reading = {row["reading"]: row for row in records(group)}
        first = next(iter(by_reading.values()))
        texts = [
            str(place),
            str(line) or "whole table",
            str(first["methods"]),
            _methods(first["published_best"], labels),
        ]
        for reading in (fidelity.readings[name][0], *readings):
            row = by_reading.get(reading)
            texts += (
                [_methods(row["best"], labels), row["same_best"], _correlation(row["correlation"])]
                if row
                else ["", "", ""]
            )
        rows.append(texts)
    return header, rows


def _methods(names: str, labels: Mapping[str, str] | None) -> str:
    return ", ".join(" with ".join(label(part, labels) for part in name.split("/")) for name in str(names).split(", "))


def _unavailable(cells: pd.DataFrame, labels: Mapping[str, str] | None) -> list[str]:
    """Return what could not be regenerated: data set, number of cells, reason."""
    missing = cells[cells["verdict"] == NOT_AVAILABLE]
    return [
        f"{label(str(dataset), labels)}: {len(group)} printed cells, {str(reason).rstrip('.')}."
        for (dataset, reason), group in missing.groupby(["dataset", "reason"], sort=False)
    ]


def to_markdown(
    fidelity: Fidelity, labels: Mapping[str, str] | None = None, errata: str = "../docs/reference/errata.md"
) -> str:
    """Return the text of ``fidelity.md``; `errata` is the address of the page of errata, as seen from the file."""
    readings = _beside(fidelity)
    lines = ["# Fidelity: regenerated beside printed", ""]
    lines += [
        line for text in verdicts.summary(fidelity.cells, fidelity.claims, labels) for line in (markdown(text), "")
    ]
    lines += _md_table(*_digest_rows(fidelity, labels))
    if len(fidelity.claims):
        lines += ["", "## Claims", ""]
        header = ["Claim", "Source", "Verdict", *(capital(label(name, labels)) for name in readings), "What decided"]
        rows = [
            [
                row["sentence"],
                verdicts.source(row),
                f"**{row['verdict']}**",
                *(_text(row.get(f"{name}_verdict")) for name in readings),
                _decided(row),
            ]
            for row in records(fidelity.claims)
        ]
        lines += _md_table(header, rows)
    for name, title in fidelity.titles.items():
        cells = fidelity.cells[fidelity.cells["experiment"] == name]
        if cells.empty:
            continue
        lines += ["", f"## {markdown(name)}: {markdown(title)}", ""]
        own = [reading for reading in readings if reading in fidelity.readings[name][1:]]
        header, orders = _orders(fidelity, name, own, labels)
        if orders:
            lines += [*_md_table(header, orders), ""]
        header = ["Place", "Cell", "Printed", "Regenerated", "n", "Difference", "Verdict"]
        header += [text for other in own for text in (capital(label(other, labels)), "Difference", "Verdict")] + [
            "Note"
        ]
        rows = []
        for row in _cell_rows(cells[cells["verdict"] != NOT_AVAILABLE], own, labels):
            links = ", ".join(f"[{slug}]({address})" for slug, address in _link(row["errata"], errata))
            note = "; ".join(part for part in (markdown(row["note"]), links) if part)
            beside = [text for triple in row["beside"] for text in triple]
            rows.append(
                [row[key] for key in ("place", "cell", "printed", "regenerated", "n", "difference")]
                + [f"**{row['verdict']}**", *beside, _Raw(note)]
            )
        if rows:
            lines += _md_table(header, rows)
        missing = _unavailable(cells, labels)
        if missing:
            lines += [
                "",
                "Not available (the printed numbers stand in fidelity.csv):",
                "",
                *(f"- {markdown(text)}" for text in missing),
            ]
    lines += ["", "## How to read it", "", *(line for text in _how_to_read(fidelity) for line in (markdown(text), ""))]
    return "\n".join(lines).rstrip("\n") + "\n"


class _Raw(str):
    """Markdown that is finished."""


def _md_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    def text(entry: str) -> str:
        if isinstance(entry, _Raw):
            return entry
        if entry.startswith("**") and entry.endswith("**") and len(entry) > 4:
            return f"**{markdown(entry[2:-2])}**"
        return markdown(entry)

    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return lines + ["| " + " | ".join(text(entry) for entry in row) + " |" for row in rows]


def _decided(row: Mapping[str, Any]) -> str:
    note = str(row.get("note") or "")
    return f"{row['numbers']}. {note}" if note else str(row["numbers"])


def _badge(verdict: str) -> str:
    colour = verdicts.COLOURS.get(verdict, "#1c1c1c")
    return f'<span class="v" style="color:{colour}">{escape(verdict)}</span>' if verdict else ""


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
    readings = _beside(fidelity)
    carried = carried or {}
    referred: set[str] = set()
    out: list[str] = []
    out += ["<h1>Regenerated beside printed</h1>"]
    out += [f"<p>{escape(text)}</p>" for text in verdicts.summary(fidelity.cells, fidelity.claims, labels)]
    out += ['<p class="how">How verdicts are made stands <a href="#how">at the foot</a>.</p>']
    header, rows = _digest_rows(fidelity, labels)
    counts = {name.capitalize() for name in VERDICTS}
    numeric = [k for k, name in enumerate(header) if name in counts or name in ("Printed cells", "Rank correlation")]
    out += html.table(header, [[escape(entry) for entry in row] for row in rows], numeric)
    if len(fidelity.claims):
        out.append("<h2>What the documents say of their results</h2>")
        header = ["Claim", "Source", "Verdict", *(capital(label(name, labels)) for name in readings), "What decided"]
        out += html.table(
            header,
            [
                [
                    escape(row["sentence"]),
                    escape(verdicts.source(row)),
                    _badge(row["verdict"]),
                    *(_badge(_text(row.get(f"{name}_verdict"))) for name in readings),
                    escape(_decided(row)),
                ]
                for row in records(fidelity.claims)
            ],
        )
    out.append("<h2>Printed cells</h2>")
    for name, title in fidelity.titles.items():
        cells = fidelity.cells[fidelity.cells["experiment"] == name]
        if cells.empty:
            continue
        had = cells[cells["verdict"] != NOT_AVAILABLE]
        opened = " open" if len(had) else ""
        out.append(f'<details id="{escape(name)}"{opened}><summary>{escape(name)}: {escape(title)}</summary>')
        own = [reading for reading in readings if reading in fidelity.readings[name][1:]]
        header, orders = _orders(fidelity, name, own, labels)
        if orders:
            out.append("<p>Order of the methods, printed and regenerated:</p>")
            same = [k for k, text in enumerate(header) if text == "Same?"]
            lines = [[_badge(entry) if k in same else escape(entry) for k, entry in enumerate(row)] for row in orders]
            out += html.table(header, lines, [2, *(k + 1 for k in same)])
            out.append("<p>Cell by cell:</p>")
        header = ["Place", "Cell", "Printed", "Regenerated", "n", "Difference", "Verdict"]
        header += [text for other in own for text in (capital(label(other, labels)), "Difference", "Verdict")] + [
            "Note"
        ]
        body = []
        for row in _cell_rows(had, own, labels):
            addresses = {slug: f"#{slug}" if slug in carried else away for slug, away in _link(row["errata"], errata)}
            referred |= set(addresses)
            links = ", ".join(f'<a href="{escape(there)}">{escape(slug)}</a>' for slug, there in addresses.items())
            note = "; ".join(part for part in (escape(row["note"]), links) if part)
            beside = [
                text for mean, gap, verdict in row["beside"] for text in (escape(mean), escape(gap), _badge(verdict))
            ]
            keys = ("place", "cell", "printed", "regenerated", "n", "difference")
            body.append([*(escape(row[key]) for key in keys), _badge(row["verdict"]), *beside, note])
        if body:
            numeric = [2, 3, 4, 5] + [7 + 3 * k + j for k in range(len(own)) for j in (0, 1)]
            out += html.table(header, body, numeric)
        missing = _unavailable(cells, labels)
        if missing:
            out.append("<p>Not available (the printed numbers stand in fidelity.csv):</p><ul>")
            out += [f"<li>{escape(text)}</li>" for text in missing]
            out.append("</ul>")
        out.append("</details>")
    foot = [
        '<h2 id="how">How to read it</h2>',
        *(f'<p class="how">{escape(text)}</p>' for text in _how_to_read(fidelity)),
    ]
    return html.page("kinseq: fidelity", [*out, *section(carried, referred), *foot])


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
