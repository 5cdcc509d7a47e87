"""The page on data sets, ``docs/reference/data.md``, made from the entries of ``datasets.yaml``."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from typing import Any

from ..data import registry
from .table_forms import markdown_table

Entries = Mapping[str, Mapping[str, Any]]

HEAD = """# Data sets

Made from `config/datasets.yaml` by `make pages`; do not edit it here.

Data sets are looked for in the mirror folder (`KINSEQ_DATA` or `data_dir`), in installed packages, and on the network, in this
order. What cannot be had stops nothing: its rows say so, and where a stand-in is named, that is used instead. A stand-in is
labelled wherever it appears and gets no verdict against printed numbers. `results/data.csv` says what a run has found.
"""

_COUNTS = {
    "sequences": "sequences",
    "features": "features",
    "frames": "frames",
    "classes": "classes",
}


def page(datasets: Entries) -> str:
    """Return the text of the page, in Markdown, from the parsed ``datasets.yaml``.

    Entries that follow each other and share loader and folder, or are made of such entries, share a section.
    """
    stand_ins: dict[str, list[str]] = {}
    for name, entry in datasets.items():
        if entry.get("stand_in_for"):
            stand_ins.setdefault(str(entry["stand_in_for"]), []).append(name)
    generated = {
        name: registry.modules()[entry["loader"]].fields["kind"] in ("generated", "derived")
        for name, entry in datasets.items()
    }
    lines = [HEAD]
    for title, wanted in (("Recordings and measurements", False), ("Generated data", True)):
        lines.append(f"## {title}\n")
        section = [(name, entry) for name, entry in datasets.items() if generated[name] == wanted]
        for _, group in groupby(section, key=lambda item: _source(datasets, item[1])):
            lines += _section(list(group), stand_ins, wanted)
    return "\n".join(lines)


def _source(datasets: Entries, entry: Mapping[str, Any]) -> tuple[str, str | None]:
    """Loader and folder of the data; of derived data those of what they are made of."""
    first = datasets[entry["derived_from"]] if entry.get("derived_from") else entry
    return first["loader"], first.get("folder")


def _section(
    group: list[tuple[str, Mapping[str, Any]]], stand_ins: Mapping[str, list[str]], generated: bool
) -> list[str]:
    """Return one source of data and the sets that are made of it."""
    _, first = group[0]
    lines = [f"### {first['title']}\n"]
    facts = [f"- Loader: [`{first['loader']}`](../../config/README.md#loaders)"]
    if not generated:
        facts.append(f"- Where: {_where(first)}")
        facts.append(f"- Licence: {first.get('licence', 'not stated')}")
    if first.get("citation"):
        facts.append(f"- Citation: {first['citation']}")
    rows = []
    for name, entry in group:
        instead = ", ".join(f"`{other}`" for other in stand_ins.get(name, ()))
        what = str(entry["title"])
        if entry.get("stand_in_for"):
            what += f" (a stand-in for `{entry['stand_in_for']}`)"
        if entry.get("derived_from"):
            what += f"; derived from `{entry['derived_from']}`"
        rows.append([f"`{name}`", what, _counts(entry), instead])
    header = ["data set", "what it is", "counts", "stands in for it"]
    return [*lines, *facts, "", *markdown_table(header, rows), ""]


def _where(entry: Mapping[str, Any]) -> str:
    """Return how to get the files."""
    files = ", ".join(f"`{pattern}`" for pattern in entry.get("files", ()))
    put = f"{files} in `<data folder>/{entry['folder']}/`"
    ways: list[str] = []
    if entry.get("gone"):
        ways.append(f"gone ({entry['gone']}); whoever holds a copy puts {put}")
    else:
        ways.append(put)
    if entry.get("bundled"):
        ways.append(f"comes with `{entry['bundled']['package']}`")
    if entry.get("download"):
        ways.append("downloaded by `snakemake -c1 data`")
    if entry.get("url"):
        ways.append(f"source {entry['url']}")
    return "; ".join(ways)


def _counts(entry: Mapping[str, Any]) -> str:
    counts = entry.get("counts", {})
    texts = [f"{counts[key]} {word}" for key, word in _COUNTS.items() if key in counts]
    lengths = [str(counts[key]) for key in ("shortest", "longest") if key in counts]
    if len(lengths) == 2:
        texts.append(
            f"{lengths[0]} to {lengths[1]} frames each" if lengths[0] != lengths[1] else f"{lengths[0]} frames each"
        )
    return ", ".join(texts)
