"""Publication of a run: a record and a page for each item, small files, a front page, a manifest, a page for checks.

Pages follow from the records alone (:mod:`kinseq_documents.rendering.records`), which lie as ``<document>/<id>.json`` in the
folder. So items that were published at different times stand side by side, and pages are written anew without results.
"""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd

from kinseq.core.store import PathLike, write_text
from kinseq.plotting import html
from kinseq.plotting.style import capital, mean_std

from ..evaluation import causes, multiverse
from ..evaluation.fidelity import AGREES, DIFFERS, VERDICTS
from ..evaluation.summary import records
from . import verdicts
from .index import chapter_of, in_order, sentence
from .records import Record, entry_of, sha256
from .verdicts import BESIDE, DOCUMENTS, SAME_NUMBER

LARGEST_FIGURE = 300_000
"""Bytes."""
NO_DOCUMENT = "beside"
"""Folder of items without a document."""
EASY_SECONDS = 900.0
"""Processor time of the items that an outsider is invited to run."""
CHOICES = "readings.csv"
"""How readings were chosen, next to the published folder."""
CELLS = Path("multiverse") / "multiverse" / "cells.csv"
"""File with the verdict on each printed number under every reading, in the same folder."""
PAGES = ("index.md", "check.md", "check.sha256", "manifest.csv")


def publish(run: Iterable[Record], results: PathLike, folder: PathLike, commit: str, locks: Mapping[str, str]) -> None:
    """Write records, tables and figures of some items below `folder`, and leave those of others.

    `commit` is that of the code and configuration, `locks` maps files of requirements to their SHA-256.
    """
    home, target = Path(results), Path(folder)
    for one in run:
        place = target / folder_of(one)
        place.mkdir(parents=True, exist_ok=True)
        for old in place.glob(f"{one['id']}.*"):
            old.unlink()
        files = {}
        for name, source in _small_files(one, home).items():
            shutil.copyfile(source, place / name)
            files[name] = sha256(place / name)
        text = json.dumps({**one, "files": files, "commit": commit, "locks": dict(locks)}, indent=1, sort_keys=True)
        write_text(place / f"{one['id']}.json", text + "\n")


def _small_files(one: Record, home: Path) -> dict[str, Path]:
    """Return files that are copied: the table as CSV, and the smaller form of the figure if it is small enough."""
    products = [home / file for file in one["products"] if (home / file).is_file()]
    tables = [file for file in products if file.parent.name == "tables" and file.suffix == ".csv"]
    figures = [] if one["nothing"] or one["shows_third_party"] else [f for f in products if f.parent.name == "figures"]
    forms = sorted((f.stat().st_size, f) for f in figures if f.suffix in (".svg", ".png"))
    return {file.name: file for file in [*tables, *(f for size, f in forms[:1] if size <= LARGEST_FIGURE)]}


def folder_of(one: Record) -> str:
    """Return the folder of an item below the published results: its document."""
    return str(one["home"] or NO_DOCUMENT)


def published(folder: PathLike) -> list[Record]:
    """Return all records that are published, in the order of their documents."""
    by_id = {}
    for path in sorted(Path(folder).glob("*/*.json")):
        one = json.loads(path.read_text(encoding="utf-8"))
        by_id[one["id"]] = one
    return [by_id[entry.id] for entry in in_order([entry_of(one) for one in by_id.values()])]


def stale(items: Sequence[Record], digests: Mapping[str, str]) -> list[str]:
    """Return ids of published items whose configuration changed or is gone; `digests` are the present ones by id."""
    return [one["id"] for one in items if digests.get(one["id"]) != one["configuration"]]


def chose(cell: Mapping[str, Any], choices: Mapping[str, verdicts.Choice]) -> str:
    """Return whether a cell agrees with print, by the rule that chose its reading; empty if it took no part in the choice."""
    choice = choices.get(str(cell.get("under", "")))
    if choice is None or "mean" not in cell or verdicts.key_of_choice(cell) not in choice.chosen_on:
        return ""
    own, printed = (float(cell.get(name, 0.0)) for name in ("std", "published_std"))
    n, n_printed = (np.array([float(cell.get(name, 0.0))]) for name in ("n", "published_n"))
    within = multiverse.tolerance(np.array([printed]), n_printed, np.array([own]), n)
    return AGREES if abs(float(cell["mean"]) - float(cell["published"])) <= within[0] else DIFFERS


def counted_once(
    items: Sequence[Record],
    rules: Sequence[causes.Rule] = (),
    choices: Mapping[str, verdicts.Choice] = MappingProxyType({}),
) -> pd.DataFrame:
    """Return the printed numbers, each once.

    A quantity (:data:`.verdicts.SAME_NUMBER`) with a value counts where it is printed first. Columns are ``document``,
    ``documents`` (all that print it), ``experiment``, ``verdict``, ``cause``, ``reading`` (that it is judged under) and
    ``<other>_verdict`` of other readings.
    """
    cells = [{**cell, "experiment": one["id"]} for one in items for cell in one["cells"]]
    found = {*SAME_NUMBER, "document", "verdict"}.union(*cells)
    rows = records(verdicts.once(pd.DataFrame(cells, columns=sorted(found), dtype=object)))
    columns = ["document", "documents", "experiment", "verdict", "cause", "reading", "chose"]
    columns += [f"{name}_verdict" for name in readings_of(items) if f"{name}_verdict" in found]
    rows = [row for row in rows if row["verdict"] in VERDICTS]
    told = [{key: value for key, value in row.items() if key == "documents" or value == value} for row in rows]
    told = [{**cell, "chose": chose(cell, choices)} for cell in told]
    whole = [{**cell, "cause": causes.of(cell, rules).kind, "reading": cell.get("under", "")} for cell in told]
    return pd.DataFrame([{name: row.get(name, "") for name in columns} for row in whole], columns=columns)


def readings_of(items: Sequence[Record]) -> dict[str, str]:
    """Return readings that items are shown under, to their printed names."""
    return {name: text for one in items for name, text in one.get("readings", {}).items()}


def claims_of(items: Sequence[Record]) -> pd.DataFrame:
    """Claims of all items; columns as in :func:`.verdicts.about_claims`, empty if there are none."""
    rows = [{**claim, "claim_of": f"{one['id']}.{claim['claim']}"} for one in items for claim in one["claims"]]
    columns = ["verdict", "origin", "decided_on", "variant_of", "by_construction", "claim_of"]
    return pd.DataFrame(rows, columns=columns).fillna("")


def sentences(items: Sequence[Record], choices: Mapping[str, verdicts.Choice] | None = None) -> list[str]:
    """Return the outcome of the printed numbers and the claims, to be quoted; `choices` say how readings were chosen."""
    return verdicts.summary(counted_once(items, choices=choices or {}), claims_of(items), readings_of(items), choices)


def _summary(
    items: Sequence[Record], rules: Sequence[causes.Rule], choices: Mapping[str, verdicts.Choice]
) -> dict[str, Any]:
    """Return counts of printed numbers by document and by cause, and of claims by their data."""
    once, claims = counted_once(items, rules, choices), claims_of(items)
    shown = [name for name in VERDICTS if (once["verdict"] == name).any()]

    def counts(rows: pd.DataFrame) -> list[int]:
        return [len(rows), *(int((rows["verdict"] == name).sum()) for name in shown)]

    documents = {
        document: counts(once[[document in names for names in once["documents"]]])
        for document in dict.fromkeys([*DOCUMENTS, *(name for names in once["documents"] for name in names)])
    }
    unlike = Counter((str(row["cause"]), str(row["verdict"])) for row in records(once) if row["cause"])
    order = {kind: k for k, kind in enumerate(causes.KINDS)}
    by_data = {
        f"{origin}, {kind}": verdicts.of_claims(rows["verdict"])
        for (origin, kind), rows in claims.groupby(["origin", "decided_on"], sort=True)
        if kind
    }
    return {
        "sentences": verdicts.summary(once, claims, readings_of(items), choices),
        "verdicts": shown,
        "documents": {document: row for document, row in documents.items() if row[0]},
        "once": counts(once),
        "causes": [
            (causes.KINDS[kind], verdict, count)
            for (kind, verdict), count in sorted(unlike.items(), key=lambda each: (order[each[0][0]], each[0][1]))
        ],
        "claims": by_data,
    }


def _machines(items: Sequence[Record]) -> dict[str, int]:
    """Return where and with what items were made, to how many of them."""
    lines: Counter[str] = Counter()
    for one in items:
        machine = one["machine"]
        versions = ", ".join(f"{name} {version}" for name, version in sorted(machine["versions"].items()))
        lines[
            f"{machine['cpu']}, {machine['cores']} cores, Python {machine['python']}; {versions}; commit {one['commit']}"
        ] += 1
    return dict(lines)


def _outcome_line(one: Record) -> str:
    """Return the outcome of an item, in one line."""
    cells = pd.DataFrame(one["cells"], columns=["verdict"])
    claims = pd.DataFrame(one["claims"], columns=["verdict"])
    return sentence(entry_of(one), cells, claims)


BRIEFLY = {"data": "data", "document": "errata", "choice": "open choice", "unknown": "unknown"}
"""Kinds of causes next to a number that differs from print; :data:`kinseq_documents.evaluation.causes.KINDS` has them in full."""
ERRATA = "../../../reference/errata.md"
"""The page of errata as seen from the page of an item."""


def _why(cell: Mapping[str, Any], rules: Sequence[causes.Rule]) -> dict[str, Any]:
    """Return why a number differs from print: ``text``, and the ``errata`` that concern it, anchor to address."""
    cause = causes.of(cell, rules)
    if cause.kind not in BRIEFLY:
        return {"text": "", "errata": {}}
    errata = {slug: f"{ERRATA}#{slug}" for slug in str(cell.get("errata", "")).split()}
    return {"text": ": ".join(part for part in (BRIEFLY[cause.kind], cause.text) if part), "errata": errata}


def _row(cell: Mapping[str, Any]) -> list[str]:
    """Return a page's data on a printed number, without the cause of its difference."""

    def number(name: str) -> float:
        return float(cell.get(name, "nan"))

    digits = _digits(cell)
    notes = (cell.get("reason", ""), cell.get("note", ""))
    return [
        str(cell.get("place", "")),
        f"{cell.get('row', '')}, {cell.get('column', '')}",
        str(cell["printed"]),
        mean_std(number("published"), number("published_std"), digits),
        mean_std(number("mean"), number("std"), digits) if cell.get("n") else "",
        str(int(cell.get("n", 0)) or ""),
        f"{cell['difference']:+z.{digits}f}" if "difference" in cell else "",
        cell["verdict"],
        "; ".join(part for part in dict.fromkeys(notes) if part),
    ]


def _under(cell: Mapping[str, Any], reading: str) -> str:
    """Return a page's data on a printed number under a reading that it is not judged by."""
    if not cell.get(f"{reading}_n"):
        return ""
    mean, std = (float(cell.get(f"{reading}_{name}", "nan")) for name in ("mean", "std"))
    return f"{mean_std(mean, std, _digits(cell))} ({cell[f'{reading}_verdict']}, {int(cell[f'{reading}_n'])} runs)"


def _digits(cell: Mapping[str, Any]) -> int:
    """Decimals: percentages are given to the hundredth, other numbers as finely as in print."""
    return 2 if cell.get("unit") == "percent" else max(2, len(str(cell["printed"]).partition(".")[2]))


def item_page(one: Record, is_stale: bool, rules: Sequence[causes.Rule] = ()) -> str:
    """Markdown of one item: its verdict, figure, every printed number next to the regenerated one, claims, where it is from."""
    entry = entry_of(one)
    # Rules may name the experiment, which a cell of a record does not repeat.
    whys = [_why({**cell, "experiment": one["id"]}, rules) for cell in one["cells"]]
    shown = {
        name: text
        for name, text in list(one.get("readings", {}).items())[1:]
        if any(cell.get(f"{name}_n") for cell in one["cells"])
    }
    return _render(
        "published_item.md.jinja",
        beside=[capital(text) for text in shown.values()],
        judged=next(iter(one.get("readings", {}).values()), ""),
        one=one,
        is_stale=is_stale,
        told=capital(_outcome_line(one)),
        places=[verdicts.place(*source) for source in entry.sources],
        image=next((name for name in one["files"] if name.endswith((".svg", ".png"))), ""),
        table=next((name for name in one["files"] if name.endswith(".csv")), ""),
        rows=[
            (_row(cell)[:-1] + [_under(cell, name) for name in shown] + _row(cell)[-1:], why)
            for cell, why in zip(one["cells"], whys, strict=True)
        ],
        explained=any(why["text"] for why in whys),
        draws=any(file.startswith("figures/") for file in one["products"]),
        machine=next(iter(_machines([one]))),
        command=command(one),
    )


def command(one: Record) -> str:
    """Return what makes an item again."""
    return f"snakemake --cores 2 {one['id']} --config scale={one['scale']}"


QUICK = "quick"
"""The scale with less data and fewer trials than in print; items at this scale are marked."""


def front_page(
    items: Sequence[Record],
    outdated: Sequence[str],
    rules: Sequence[causes.Rule] = (),
    left_out: Mapping[str, tuple[int, int]] = MappingProxyType({}),
    choices: Mapping[str, verdicts.Choice] = MappingProxyType({}),
) -> str:
    """Markdown of ``index.md``: quotable results first, then every item by document and chapter."""
    documents: dict[str, dict[str, list[Record]]] = {}
    for one in items:
        chapter = chapter_of(entry_of(one))
        heading = f"{'Chapter' if chapter.isdigit() else 'Appendix'} {chapter}" if chapter else ""
        line = {
            "title": one["title"],
            "address": f"{folder_of(one)}/{one['id']}.md",
            "places": [verdicts.place(*source) for source in entry_of(one).sources],
            "told": _outcome_line(one),
            "is_stale": one["id"] in outdated,
            "is_quick": one["scale"] == QUICK,
        }
        documents.setdefault(one["home"], {}).setdefault(heading, []).append(line)
    return _render(
        "published_index.md.jinja",
        documents={
            f"{name}: {DOCUMENTS[name].title}" if name in DOCUMENTS else BESIDE.title: chapters
            for name, chapters in documents.items()
        },
        summary=_summary(items, rules, choices),
        outdated=outdated,
        quick=sum(one["scale"] == QUICK for one in items),
        number=len(items),
        left_out=left_out,
        machines=_machines(items),
    )


def manifest(items: Sequence[Record]) -> str:
    """CSV: every file that is published, and every table of scores behind it, with SHA-256 and how it was made."""
    rows = []
    for one in items:
        files = {f"docs/results/documents/{folder_of(one)}/{name}": digest for name, digest in one["files"].items()}
        files |= {f"results/{name}": digest for name, digest in one["scores"].items()}
        rows += [(name, digest, command(one)) for name, digest in sorted(files.items())]
    return pd.DataFrame(rows, columns=["file", "sha256", "made_by"]).to_csv(index=False, lineterminator="\n")


def easy(items: Sequence[Record], outdated: Sequence[str] = ()) -> list[Record]:
    """Return items that anybody can run soon: no data but generated ones or those of installed packages, the cheapest first."""
    able = [
        one
        for one in items
        if one["scores"]
        and one["seconds"] is not None
        and not one["missing"]
        and one["id"] not in outdated
        and all(data["generated"] or data["bundled"] for data in one["data"].values())
    ]
    # Byte equality is promised on one kind of processor; take the one of most items.
    processors = Counter(one["machine"]["cpu"] for one in able)
    selected, spent = [], 0.0
    for one in sorted(able, key=lambda one: (one["seconds"], one["id"])):
        if one["machine"]["cpu"] != max(processors, key=lambda name: processors[name]):
            continue
        if spent + one["seconds"] > EASY_SECONDS:
            break
        selected.append(one)
        spent += one["seconds"]
    return selected


def check_page(items: Sequence[Record], outdated: Sequence[str] = ()) -> tuple[str, str]:
    """``check.md``, and ``check.sha256`` for ``sha256sum --check``."""
    selected = easy(items, outdated)
    sums = "".join(f"{digest}  results/{name}\n" for one in selected for name, digest in sorted(one["scores"].items()))
    ids_of_scale: dict[str, list[str]] = {}
    for one in sorted(selected, key=lambda one: str(one["scale"])):
        ids_of_scale.setdefault(one["scale"], []).append(one["id"])
    text = _render(
        "published_check.md.jinja",
        items=[{**one, "address": f"{folder_of(one)}/{one['id']}.md"} for one in selected],
        minutes=sum(one["seconds"] for one in selected) / 60,
        commands=[
            f".venv/bin/snakemake --cores 2 --config scale={scale} -- {' '.join(ids)}"
            for scale, ids in ids_of_scale.items()
        ],
        locks=sorted({f"`{name}` {digest}" for one in selected for name, digest in one["locks"].items()}),
        processors=sorted({one["machine"]["cpu"] for one in selected}),
        commits=sorted({one["commit"] for one in selected}),
    )
    return text, sums


def _render(template: str, **context: Any) -> str:
    return html.render("kinseq_documents", "rendering", template, **context).rstrip() + "\n"


def texts(
    items: Sequence[Record],
    outdated: Sequence[str],
    rules: Sequence[causes.Rule] = (),
    left_out: Mapping[str, tuple[int, int]] = MappingProxyType({}),
    choices: Mapping[str, verdicts.Choice] = MappingProxyType({}),
) -> dict[str, str]:
    """Return every page and list below the published results that follows from the records, by its name.

    `left_out` has the number of items of each document that are not published, and of numbers that are printed there,
    `choices` how readings were chosen.
    """
    pages = {f"{folder_of(one)}/{one['id']}.md": item_page(one, one["id"] in outdated, rules) for one in items}
    beside = (
        front_page(items, outdated, rules, left_out, choices),
        *check_page(items, outdated),
        manifest(items),
    )
    return {**pages, **dict(zip(PAGES, beside, strict=True))}


def choices_beside(folder: PathLike) -> dict[str, verdicts.Choice]:
    """Return how readings were chosen, if that is published next to the `folder` of the results."""
    file, cells = Path(folder).parent / CHOICES, Path(folder).parent / CELLS
    if not file.is_file():
        return {}
    took_part = records(pd.read_csv(cells)) if cells.is_file() else []
    chosen_on = frozenset(verdicts.key_of_choice(cell, "printed") for cell in took_part)
    found = verdicts.choices(file.read_text(encoding="utf-8"))
    return {name: replace(choice, chosen_on=chosen_on) for name, choice in found.items()}


def readings_beside(folder: PathLike) -> list[causes.Rule]:
    """Return the values of all readings for printed numbers, if published next to the `folder` of the results."""
    file = Path(folder).parent / CELLS
    return causes.of_readings(records(pd.read_csv(file))) if file.is_file() else []


def write_pages(
    folder: PathLike,
    digests: Mapping[str, str],
    rules: Sequence[causes.Rule] = (),
    left_out: Mapping[str, tuple[int, int]] = MappingProxyType({}),
) -> list[str]:
    """Write :func:`texts` again from the records in `folder`; gives the ids of stale items."""
    items = published(folder)
    outdated = stale(items, digests)
    choices, rules = choices_beside(folder), [*rules, *readings_beside(folder)]
    for name, text in texts(items, outdated, rules, left_out, choices).items():
        write_text(Path(folder) / name, text)
    return outdated
