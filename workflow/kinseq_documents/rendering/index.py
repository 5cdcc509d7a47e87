"""The front page of the results, ``index.html``: every item in the order of its document, with its verdict and its files."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from kinseq.core.store import PathLike, write_text
from kinseq.plotting import html
from kinseq.plotting.style import capital

from ..evaluation.fidelity import NOT_AVAILABLE, REPRODUCED, WORSE
from ..evaluation.summary import records
from . import verdicts
from .verdicts import BESIDE, DOCUMENTS, Document

TEMPLATE = "index.html.jinja"


@dataclass(frozen=True)
class Entry:
    """An experiment as the plan knows it.

    Attributes
    ----------
    id, title, chapter, caption : str
    sources : tuple of tuple
        Document and item of each table or figure that it regenerates; the first says where it is shown.
    products : tuple of str
        Files that it leaves, relative to the results.
    missing : mapping
        Title of a data set that cannot be had to the reason.
    stand_ins : tuple of str
        Titles of the data that stand in for missing ones.
    nothing : bool
        Whether none of its data can be had, so that its figure holds nothing.
    """

    id: str
    title: str
    chapter: str
    caption: str
    sources: tuple[tuple[str, str], ...]
    products: tuple[str, ...]
    missing: Mapping[str, str]
    stand_ins: tuple[str, ...]
    nothing: bool


def chapter_of(entry: Entry) -> str:
    """Chapter that an item is shown in, as ``2`` or ``C``; empty where its document has none."""
    if entry.sources:
        document, item = entry.sources[0]
        if not DOCUMENTS.get(document, BESIDE).by_chapter:
            return ""
        # fig2_1 and text_4_5 lie in chapters, tab1 of the front matter does not.
        match = re.match(r"(?:fig|tab|text_)([0-9]+|[A-Z])_|section ([0-9]+|[A-Z])\b", item)
        return (match[1] or match[2]) if match else ""
    match = re.fullmatch(r"chapter([0-9]+)|appendix_([a-z])", entry.chapter)
    return (match[1] or match[2].upper()) if match else ""


def _place(entry: Entry) -> tuple[Any, ...]:
    """Sorts the items of a document: chapters, appendices; figures, tables, the rest, by their numbers."""
    chapter, item = chapter_of(entry), entry.sources[0][1] if entry.sources else ""
    kinds = ("fig", "tab", "section", "text")
    kind = next((k for k, name in enumerate(kinds) if item.startswith(name)), len(kinds))
    numbers = tuple(int(number) for number in re.findall(r"\d+", item))
    return (not chapter.isdigit() and bool(chapter), chapter.zfill(3), kind, numbers, item)


def _order(entries: Sequence[Entry]) -> list[str]:
    """Documents in the order in which they are shown; what belongs to none comes last, under an empty name."""
    others = {document for entry in entries for document, _ in entry.sources} - set(DOCUMENTS)
    return [*DOCUMENTS, *sorted(others), ""]


def _documents(entries: Sequence[Entry]) -> dict[str, list[Entry]]:
    """Document to the entries that are shown with it, in their order: its own, and those of its chapters that are in no print."""
    by_chapter = {entry.chapter: entry.sources[0][0] for entry in entries if entry.sources}
    entries_of: dict[str, list[Entry]] = {}
    for entry in entries:
        document = entry.sources[0][0] if entry.sources else by_chapter.get(entry.chapter, "")
        entries_of.setdefault(document, []).append(entry)
    return {document: sorted(members, key=_place) for document, members in entries_of.items()}


def in_order(entries: Sequence[Entry]) -> list[Entry]:
    """Return entries in the order in which pages show them."""
    at_home = _documents(entries)
    return [entry for document in _order(entries) for entry in at_home.get(document, [])]


def _elsewhere(entries: Sequence[Entry]) -> dict[str, list[tuple[str, str]]]:
    """Document to its items that are shown with another one, which prints them too: names and the id."""
    items_of: dict[str, list[tuple[Any, str, str]]] = {}
    for entry in entries:
        for document, item in entry.sources[1:]:
            if document != entry.sources[0][0]:
                place = (item[:3], tuple(int(number) for number in re.findall(r"\d+", item)))
                items_of.setdefault(document, []).append((place, verdicts.place("", item), entry.id))
    return {document: [(name, there) for _, name, there in sorted(items)] for document, items in items_of.items()}


def _heading(chapter: str) -> str:
    if not chapter:
        return ""
    return f"Chapter {chapter}" if chapter.isdigit() else f"Appendix {chapter}"


def sentence(entry: Entry, cells: pd.DataFrame, claims: pd.DataFrame) -> str:
    """Return the outcome of an experiment, in one line, by its rows of ``fidelity.csv``."""
    counts = verdicts.of_cells(cells["verdict"])
    missing = ", ".join(entry.missing)
    parts = []
    if entry.nothing or (counts and set(counts) == {NOT_AVAILABLE} and entry.missing):
        parts.append(f"data not available: {missing}")
    elif counts:
        first = f"{counts.pop(REPRODUCED, 0)} of {len(cells)} {'cell' if len(cells) == 1 else 'cells'} {REPRODUCED}"
        parts.append(", ".join([first, *(f"{count} {name}" for name, count in counts.items())]))
    if entry.stand_ins:
        parts.append("stand-in data, never compared")
    if not parts:
        parts.append("print gives no numbers to compare" if entry.sources else "not in print")
    decided = verdicts.of_claims(claims["verdict"])
    if decided:
        parts.append(f"claims: {', '.join(f'{count} {name}' for name, count in decided.items())}")
    return "; ".join(parts)


def _links(entry: Entry, compared: bool) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return links for a reader: a word, and the files of that kind with their own words."""
    by_ending: dict[str, dict[str, str]] = {}
    for file in entry.products:
        folder, _, name = file.partition("/")
        full = "_full" if folder == "tables" and name == f"{entry.id}_full.tex" else ""
        by_ending.setdefault(folder, {})[name.rpartition(".")[2] + full] = file
    links: list[tuple[str, list[tuple[str, str]]]] = []
    names = {"html": "read", "csv": "CSV", "md": "Markdown", "tex": "LaTeX to paste", "tex_full": "LaTeX in full"}
    tables = by_ending.get("tables", {})
    if tables:
        links.append(("Table", [(names[ending], tables[ending]) for ending in names if ending in tables]))
    figures = {} if entry.nothing else by_ending.get("figures", {})
    if figures:
        names = {"html": "page", "svg": "SVG", "pdf": "PDF", "png": "PNG", "npz": "arrays"}
        links.append(("Figure", [(names[ending], figures[ending]) for ending in names if ending in figures]))
    if compared:
        links.append(("Print", [("cell by cell", f"fidelity.html#{entry.id}")]))
    words = {"scores": "all trials", "estimates": "estimates", "timings": "times"}
    data = [(words[folder], by_ending[folder]["csv"]) for folder in words if "csv" in by_ending.get(folder, {})]
    return [*links, *([("Data", data)] if data else [])]


def cost(timings: PathLike, usage: Iterable[PathLike]) -> float | None:
    """Processor seconds behind an experiment; None where nothing is recorded.

    `timings` is its ``timings/<id>.csv``, one row a job with a column ``cpu_seconds``; `usage` are records of further
    jobs, as Snakemake's benchmarks write them. Either may be missing.
    """
    seconds = []
    for path, column, separator in [(timings, "cpu_seconds", ","), *((path, "cpu_time", "\t") for path in usage)]:
        if Path(path).is_file():
            with Path(path).open(encoding="utf-8", newline="") as table:
                seconds += [_seconds(row.get(column)) for row in csv.DictReader(table, delimiter=separator)]
    return sum(seconds) if seconds else None


def _seconds(text: str | None) -> float:
    try:
        return float(text or 0)
    except ValueError:
        return 0.0  # Snakemake writes NA for a job too short to measure


def _spent(seconds: float | None) -> str:
    if seconds is None:
        return ""
    return f"{seconds:.0f} s" if 1 <= seconds < 120 else (f"{seconds / 60:.0f} min" if seconds >= 120 else "below 1 s")


def _missing(entries: Sequence[Entry]) -> list[tuple[str, str]]:
    """Titles of unavailable data, with reasons; data with one reason share a line."""
    titles: dict[str, list[str]] = {}
    for title, reason in dict(pair for entry in entries for pair in entry.missing.items()).items():
        titles.setdefault(reason, []).append(title)
    lines = []
    for reason, names in titles.items():
        more = f" and {len(names) - 1} more made of it" if len(names) > 1 else ""
        lines.append((f"{names[0]}{more}", reason))
    return lines


def _item(
    entry: Entry, cells: pd.DataFrame, claims: pd.DataFrame, seconds: float | None, command: str
) -> dict[str, Any]:
    """Return the template's data on an entry."""
    figures = [file for file in entry.products if file.startswith("figures/") and file.endswith(".png")]
    worse = cells[cells["verdict"] == WORSE]
    errata = sorted({slug for slugs in worse["errata"] for slug in slugs.split()}) if len(worse) else []
    return {
        "id": entry.id,
        "title": entry.title,
        "printed": [verdicts.place(document, item) for document, item in entry.sources],
        "verdict": sentence(entry, cells, claims),
        "counts": verdicts.of_cells(cells["verdict"]),
        "worse": [f"{row['row']}, {row['column']}" for row in records(worse)],
        "errata": errata,
        "image": figures[0] if figures and not entry.nothing else "",
        "links": _links(entry, len(cells) > 0),
        "caption": entry.caption,
        "claims": [{**row, "where": verdicts.source(row)} for row in records(claims)],
        "stand_ins": entry.stand_ins,
        "missing": entry.missing,
        "cost": _spent(seconds),
        "command": f"{command} {entry.id}",
    }


def to_html(
    entries: Sequence[Entry],
    cells: pd.DataFrame,
    claims: pd.DataFrame,
    costs: Mapping[str, float | None] | None = None,
    settings: Mapping[str, Any] | None = None,
    beside: Sequence[tuple[str, str]] = (),
) -> str:
    """Return the text of the page, which loads nothing but files of the results.

    For `cells` and `claims` see :func:`kinseq_documents.rendering.verdicts.read`. `costs` maps an experiment to the
    processor seconds behind it; `settings` are ``scale``, ``seed`` and ``version`` of the run, and the printed names of its
    ``readings`` and how they were chosen (``choices``); `beside` are word and file of other pages.
    """
    settings = {"scale": "quick", "seed": 1, "version": "", **(settings or {})}
    scale = "" if settings["scale"] == "quick" else f" --config scale={settings['scale']}"
    documents = []
    at_home, elsewhere = _documents(entries), _elsewhere(entries)
    for name in _order(entries):
        chapters: dict[str, list[dict[str, Any]]] = {}
        for entry in at_home.get(name, []):
            own = (cells[cells["experiment"] == entry.id], claims[claims["experiment"] == entry.id])
            item = _item(entry, *own, (costs or {}).get(entry.id), f"snakemake -c2{scale}")
            chapters.setdefault(_heading(chapter_of(entry)), []).append(item)
        title = DOCUMENTS.get(name, BESIDE if not name else Document(capital(name))).title
        if chapters or elsewhere.get(name):
            documents.append({"id": name, "title": title, "chapters": chapters, "elsewhere": elsewhere.get(name, [])})
    return html.render(
        "kinseq_documents",
        "rendering",
        TEMPLATE,
        css=html.CSS,
        colours=verdicts.COLOURS,
        summary=verdicts.summary(cells, claims, settings.pop("readings", {}), settings.pop("choices", None) or {}),
        documents=documents,
        missing=_missing(entries),
        beside=beside,
        **settings,
    )


def write(listed: Sequence[Mapping[str, Any]], fidelity: PathLike, page: PathLike, settings: Mapping[str, Any]) -> None:
    """Write the page into the results.

    `listed` are arguments of :class:`Entry`, and ``usage``, records of jobs, each relative to the results; `fidelity`
    is ``fidelity.csv``; `page` lies in the folder of the results. `settings` are those of :func:`to_html`, and
    ``beside``.
    """
    home = Path(page).parent
    entries, costs = [], {}
    for one in listed:
        fields = dict(one)
        usage = [home / file for file in fields.pop("usage")]
        fields["sources"] = tuple((document, item) for document, item in fields["sources"])
        entry = Entry(**{**fields, **{key: tuple(fields[key]) for key in ("products", "stand_ins")}})
        entries.append(entry)
        costs[entry.id] = cost(home / "timings" / f"{entry.id}.csv", usage)
    cells, claims = verdicts.read(fidelity)
    page_settings = dict(settings)
    if page_settings.get("choices"):
        page_settings["choices"] = verdicts.choices(page_settings["choices"])
    beside = [(word, file) for word, file in page_settings.pop("beside", ())]
    write_text(page, to_html(entries, cells, claims, costs, page_settings, beside))
