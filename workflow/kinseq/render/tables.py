"""A table experiment as CSV, Markdown and LaTeX: regenerated mean and deviation, the printed one under it.

``render`` of a table experiment::

    render:
      kind: table
      rows: [dataset, model]           # keys that make the rows
      columns: measure                 # the key that makes the columns
      sections: [clusterer, preset]    # one block for each combination (default)
      order: [sym, bp, yy, por, kl_ll] # optional: the order of ids; what is not named follows as it comes
      controls: [true_labels, random_labels, dtw]   # optional: shown in a block of their own
      caption: Clustering error ...    # optional, for LaTeX and Markdown; the title otherwise
      decimals: 1                      # optional, of regenerated numbers

Keys are ``dataset``, ``model`` (without its preset), ``measure``, ``clusterer``, ``preset``. Nothing is computed here: means
come from :func:`kinseq.evaluation.summary.summarise`, printed numbers from
:func:`kinseq.evaluation.fidelity.to_common_scale`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import pandas as pd

from ..errors import ConfigError, unknown_name
from ..store import PathLike, write_text
from .style import DASH, label, latex, markdown, mean_std

KEYS = ("dataset", "model", "measure", "clusterer", "preset")
CONTROLS = ("true_labels", "random_labels")


@dataclass(frozen=True)
class Cell:
    """One cell: what was regenerated, and what is printed where."""

    regenerated: str
    printed: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Block:
    """One table: a title, the names of its columns, rows of names and cells."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[tuple[str, ...], tuple[Cell, ...]], ...]


@dataclass(frozen=True)
class Table:
    """A table ready to be written.

    Attributes
    ----------
    id, caption : str
    blocks : tuple of Block
    notes : tuple of str
        Sentences under the table.
    long : DataFrame
        The same numbers, one row a cell, for the CSV.
    """

    id: str
    caption: str
    blocks: tuple[Block, ...]
    notes: tuple[str, ...]
    long: pd.DataFrame


def build(
    experiment: Mapping[str, Any],
    summary: pd.DataFrame,
    published: pd.DataFrame,
    labels: Mapping[str, str] | None = None,
    unavailable: Mapping[str, str] | None = None,
    presets: Sequence[str] = ("classic",),
) -> Table:
    """Lay a table out.

    Parameters
    ----------
    experiment : mapping
        The parsed experiment; see the module for its ``render``.
    summary : DataFrame
        As :func:`kinseq.evaluation.summary.summarise` gives it with its default groups.
    published : DataFrame
        As :func:`kinseq.evaluation.fidelity.to_common_scale` gives it; may be empty.
    labels : mapping, optional
        Id of a measure, data set, clusterer or model to the name to print.
    unavailable : mapping, optional
        Name of a data set that cannot be had to the reason.
    presets : sequence of str
        Presets of the models beside the default.

    Returns
    -------
    Table

    Raises
    ------
    ConfigError
        If ``render`` is not as the module says.
    """
    render = check_render(experiment)
    reasons = dict(unavailable or {})
    metric = str(experiment.get("metric", "error"))
    decimals = int(render.get("decimals", 1))
    found = _cells(summary, published, metric, presets)
    controls = [name for name in render.get("controls", ()) if name in set(found["measure"])]
    body = found[~found["measure"].isin(render.get("controls", ()))]
    order = [str(name) for name in render.get("order", ())]
    rows_by, column, sections_by = list(render["rows"]), str(render["columns"]), list(render["sections"])
    values = {key: _ordered(body[key], order) for key in KEYS}
    blocks = []
    for section in product(*(values[key] for key in sections_by)):
        part = body
        for key, value in zip(sections_by, section, strict=True):
            part = part[part[key] == value]
        # A block of printed numbers only would repeat another block's, since documents know no presets.
        if not part["regenerated"].any() and blocks:
            continue
        block = _block(_title(section, labels), part, rows_by, column, values, labels, decimals, reasons)
        if block.rows:
            blocks.append(block)
    if controls:
        blocks.append(_control_block(found, controls, labels, decimals))
    notes = [f"{label(name, labels)}: data not available. {_sentence(reason)}" for name, reason in reasons.items()]
    if found["printed"].map(len).any():
        notes.insert(
            0, "Regenerated mean ± standard deviation over trials; beneath it, in brackets, what is printed and where."
        )
        notes.insert(1, "Accuracies are shown as errors (100 minus accuracy).")
    else:
        notes.insert(0, "Mean ± standard deviation over trials.")
    trials = sorted({int(n) for n in found.loc[found["regenerated"], "n"]})
    if trials:
        notes.insert(1, f"Trials: {trials[0]}." if len(trials) == 1 else f"Trials: {trials[0]} to {trials[-1]}.")
    return Table(str(experiment["id"]), str(render["caption"]), tuple(blocks), tuple(notes), _long(found, labels))


def check_render(experiment: Mapping[str, Any]) -> dict[str, Any]:
    """The ``render`` of a table experiment with its defaults filled in, or :class:`ConfigError`."""
    where = f"experiment {experiment.get('id', '?')!r}: render"
    render = dict(experiment.get("render") or {})
    allowed = {"kind", "rows", "columns", "sections", "order", "controls", "caption", "decimals", "strip"}
    for key in render:
        if key not in allowed:
            raise ConfigError(f"{where}: {unknown_name('key', key, allowed)}")
    render.setdefault("rows", ["dataset", "model"])
    render.setdefault("columns", "measure")
    render.setdefault("sections", ["clusterer", "preset"])
    render.setdefault("caption", experiment.get("title", experiment.get("id", "")))
    for key in (*render["rows"], render["columns"], *render["sections"]):
        if key not in KEYS:
            raise ConfigError(f"{where}: {unknown_name('key of rows, columns or sections', key, KEYS)}")
    used = [*render["rows"], render["columns"], *render["sections"]]
    for key in KEYS:
        if used.count(key) > 1:
            raise ConfigError(
                f"{where}: {key!r} is used {used.count(key)} times; each key makes rows, columns or sections once"
            )
    return render


def _sentence(text: str) -> str:
    text = " ".join(str(text).split())
    return text if text.endswith(".") else f"{text}."


def _title(section: Sequence[str], labels: Mapping[str, str] | None) -> str:
    return ", ".join(label(name, labels) for name in section)


def _ordered(column: pd.Series, order: Sequence[str]) -> list[str]:
    seen = list(dict.fromkeys(column))
    return [name for name in order if name in seen] + [name for name in seen if name not in order]


def _cells(summary: pd.DataFrame, published: pd.DataFrame, metric: str, presets: Sequence[str]) -> pd.DataFrame:
    """Regenerated and printed numbers side by side, one row for each (data set, model, measure, clusterer, preset)."""
    cells: dict[tuple[str, ...], dict[str, Any]] = {}
    for row in published[published["metric"] == metric].to_dict("records") if len(published) else []:
        key = (row["dataset"], row["model"], row["measure"], row["clusterer"], "default")
        entry = cells.setdefault(key, {"printed": []})
        entry["printed"].append((row["published"], row["published_std"], row["place"]))
    for row in summary[summary["metric"] == metric].to_dict("records"):
        model, preset = str(row["model"]), "default"
        for name in presets:
            if model.endswith(f"_{name}"):
                model, preset = model.removesuffix(f"_{name}"), name
        entry = cells.setdefault((row["dataset"], model, row["measure"], row["clusterer"], preset), {"printed": []})
        entry |= {"regenerated": True, **{name: row[name] for name in ("mean", "std", "n", "low", "high")}}
    blank = {
        "regenerated": False,
        "mean": float("nan"),
        "std": float("nan"),
        "n": 0,
        "low": float("nan"),
        "high": float("nan"),
    }
    # What was regenerated comes in its own order, hence before the rows that are only printed.
    rows = [{**dict(zip(KEYS, key, strict=True)), **blank, **entry} for key, entry in cells.items()]
    table = pd.DataFrame(rows, columns=[*KEYS, *blank, "printed"])
    # A preset other than the default stands beside the same printed number.
    lookup = {tuple(row[key] for key in KEYS[:-1]): row["printed"] for row in rows if row["preset"] == "default"}
    table["printed"] = [
        printed or lookup.get(tuple(key), [])
        for *key, printed in table[[*KEYS[:-1], "printed"]].itertuples(index=False)
    ]
    return table


def _printed(entries: Iterable[tuple[float, float, str]]) -> tuple[tuple[str, str], ...]:
    """Printed numbers and their places; places that print the same number share a line."""
    merged: dict[str, list[str]] = {}
    for value, std, place in entries:
        merged.setdefault(mean_std(value, std, 2).replace(f" ± {DASH}", ""), []).append(str(place).split(" ")[0])
    return tuple((text, ", ".join(dict.fromkeys(places))) for text, places in merged.items())


def _block(
    title: str,
    part: pd.DataFrame,
    rows_by: Sequence[str],
    column: str,
    values: Mapping[str, Sequence[str]],
    labels: Mapping[str, str] | None,
    decimals: int,
    reasons: Mapping[str, str],
) -> Block:
    heads = [name for name in values[column] if name in set(part[column])]
    index = {tuple(row[key] for key in (*rows_by, column)): row for row in part.to_dict("records")}
    rows = []
    for names in product(*(values[key] for key in rows_by)):
        line = [index.get((*names, head)) for head in heads]
        if not any(line):
            continue
        dataset = dict(zip(rows_by, names, strict=True)).get("dataset", "")
        shown = tuple(
            label(name, labels) + (" (data not available)" if key == "dataset" and name in reasons else "")
            for key, name in zip(rows_by, names, strict=True)
        )
        cells = tuple(
            Cell(
                mean_std(entry["mean"], entry["std"], decimals)
                if entry["regenerated"]
                else ("n/a" if dataset in reasons else DASH),
                _printed(entry["printed"]),
            )
            if entry
            else Cell("")
            for entry in line
        )
        rows.append((shown, cells))
    return Block(title, (*("" for _ in rows_by), *(label(head, labels) for head in heads)), tuple(rows))


def _control_block(
    found: pd.DataFrame, controls: Sequence[str], labels: Mapping[str, str] | None, decimals: int
) -> Block:
    part = found[found["measure"].isin(controls) & found["regenerated"]]
    rows = []
    for (dataset, clusterer), group in part.groupby(["dataset", "clusterer"], sort=False):
        means = {row["measure"]: mean_std(row["mean"], row["std"], decimals) for row in group.to_dict("records")}
        shown = (label(str(dataset), labels), label(str(clusterer), labels) if clusterer != "control" else "")
        rows.append((shown, tuple(Cell(means.get(name, "")) for name in controls)))
    return Block("Controls", ("", "", *(label(name, labels) for name in controls)), tuple(rows))


def _long(found: pd.DataFrame, labels: Mapping[str, str] | None) -> pd.DataFrame:
    rows = []
    for row in found.to_dict("records"):
        base = {key: row[key] for key in KEYS} | {"method": label(row["measure"], labels)}
        base |= {name: row[name] for name in ("mean", "std", "n", "low", "high")}
        for value, std, place in row["printed"] or [(float("nan"), float("nan"), "")]:
            rows.append({**base, "published": value, "published_std": std, "place": place})
    columns = [*KEYS, "method", "mean", "std", "n", "low", "high", "published", "published_std", "place"]
    return pd.DataFrame(rows, columns=columns)


def to_csv(table: Table) -> str:
    """One row a cell and place of print; numbers with 4 decimals."""
    return str(table.long.to_csv(index=False, float_format="%.4f", lineterminator="\n"))


def to_markdown(table: Table) -> str:
    """Tables of GitHub's Markdown, one for each block, with notes under them."""
    lines = [f"# {markdown(table.caption)}", ""]
    for block in table.blocks:
        n_names = len(block.header) - len(block.rows[0][1])
        lines += [f"## {markdown(block.title)}", ""] if block.title else []
        lines.append("| " + " | ".join(markdown(name) for name in block.header) + " |")
        lines.append("|" + "---|" * n_names + "--:|" * (len(block.header) - n_names))
        previous: tuple[str, ...] = ()
        for names, cells in block.rows:
            shown = [markdown(name) if names[: i + 1] != previous[: i + 1] else "" for i, name in enumerate(names)]
            previous = names
            texts = []
            for cell in cells:
                printed = "; ".join(f"{value} {place}" for value, place in cell.printed)
                texts.append(markdown(cell.regenerated) + (f"<br>*({markdown(printed)})*" if printed else ""))
            lines.append("| " + " | ".join([*shown, *texts]) + " |")
        lines.append("")
    lines += [f"- {markdown(note)}" for note in table.notes]
    return "\n".join(lines) + "\n"


def to_latex(table: Table) -> str:
    """A ``table*`` of booktabs tabulars, one for each block; needs ``booktabs`` only."""
    lines = [
        "% needs \\usepackage{booktabs}",
        "\\begin{table*}",
        "\\centering\\footnotesize",
        "\\setlength{\\tabcolsep}{4pt}",
        f"\\caption{{{latex(table.caption)}}}",
        f"\\label{{tab:{table.id.replace('_', '-')}}}",
    ]
    for block in table.blocks:
        n_names = len(block.header) - len(block.rows[0][1])
        n_columns = len(block.header)
        lines += [f"\\begin{{tabular}}{{@{{}}{'l' * n_names}{'r' * (n_columns - n_names)}@{{}}}}", "\\toprule"]
        if block.title:
            lines += [f"\\multicolumn{{{n_columns}}}{{@{{}}l}}{{\\textbf{{{latex(block.title)}}}}} \\\\", "\\midrule"]
        lines += [" & ".join(latex(name) for name in block.header) + r" \\", "\\midrule"]
        previous: tuple[str, ...] = ()
        for i, (names, cells) in enumerate(block.rows):
            if i and names[0] != previous[0]:
                lines.append("\\addlinespace")
            shown = [latex(name) if names[: k + 1] != previous[: k + 1] else "" for k, name in enumerate(names)]
            previous = names
            lines.append(" & ".join([*shown, *(latex(cell.regenerated) for cell in cells)]) + r" \\")
            for k in range(max((len(cell.printed) for cell in cells), default=0)):
                printed = [cell.printed[k] if k < len(cell.printed) else ("", "") for cell in cells]
                texts = [f"\\textit{{({latex(f'{value} {place}')})}}" if value else "" for value, place in printed]
                lines.append(" & ".join([*("" for _ in names), *texts]) + r" \\")
        lines += ["\\bottomrule", "\\end{tabular}\\par\\medskip"]
    lines += [f"\\par\\noindent {latex(note)}" for note in table.notes]
    lines.append("\\end{table*}")
    return "\n".join(lines) + "\n"


def write(table: Table, csv: PathLike, md: PathLike, tex: PathLike) -> None:
    """Write a table in its three forms; see :func:`to_csv`, :func:`to_markdown`, :func:`to_latex`."""
    write_text(csv, to_csv(table))
    write_text(md, to_markdown(table))
    write_text(tex, to_latex(table))
