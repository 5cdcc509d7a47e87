"""Numbers and tables that pages show, from files of results and from the code's own tables; made anew by every build.

``substitutions`` is what ``{{ name }}`` stands for on a page of the site. The README cannot be built: the tests compare the numbers
in it with these.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
from links_of_repository import rewritten

import kinseq
from kinseq_app.options import COMMANDS, WORDS
from kinseq_documents.rendering import verdicts

OURS = "kinseq, default"
"""Column of the default in the table of peers."""
SHOWN = (
    OURS,
    "dtaidistance DTW, spectral",
    "aeon k-medoids, MSM",
    "aeon KASBA",
    "tslearn KShape",
    "Euclid, k-means",
)
"""Contenders of the short table: those that have clusters of most sets."""
GROUPS = {
    "open": "15 open sets",
    "kept aside": "13 sets kept aside",
    "archive, to decide": "25 of an archive",
    "archive, to confirm": "25 more of it",
}
"""Groups of labelled sets, and what they are called."""


def markdown(heads: Sequence[str], rows: Iterable[Sequence[Any]], right: int = 1) -> str:
    """A table; columns from `right` on are set to the right."""
    rule = ["---" if i < right else "--:" for i in range(len(heads))]
    lines = [heads, rule, *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines) + "\n"


SUMS = ("mean", "CPU, median (s)")
"""Rows of a group that are no sets: they were computed before the scores were rounded."""


def peers(root: Path) -> pd.DataFrame:
    """Adjusted Rand indices, one row a set, one column a contender, and the group of the set; and rows of :data:`SUMS`."""
    return pd.read_csv(root / "docs" / "results" / "peers.csv")


def sets_of(table: pd.DataFrame) -> pd.DataFrame:
    """The rows that are sets."""
    return table[~table["set"].isin(SUMS)]


def score(value: float) -> str:
    """An adjusted Rand index as people write it."""
    return "" if pd.isna(value) else f"{value:.2f}".replace("0.", ".", 1)


def peers_table(root: Path) -> str:
    """Means of the contenders over each group of sets, and over all."""
    table, sets = peers(root), sets_of(peers(root))
    means = table[table["set"] == "mean"].set_index("group")
    rows = []
    for name in SHOWN:
        cells = [score(means.loc[group, name]) for group in GROUPS] + [score(sets[name].mean())]
        some = sets[name].notna().sum()
        title = f"**{name}**" if name == OURS else name + ("" if some == len(sets) else f" ({some} sets)")
        rows.append([title, *cells])
    return markdown(["", *GROUPS.values(), f"all {len(sets)}"], rows)


def peers_each(root: Path, group: str) -> str:
    """Every set of a group."""
    table = peers(root).query("group == @group").drop(columns="group").dropna(axis=1, how="all")
    rows = []
    for _, row in table.iterrows():
        name, *values = list(row)
        seconds = name == SUMS[1]
        title = f"**{name}**" if name in SUMS else name.replace("_", " ")
        rows.append([title, *(f"{value:.1f}" if seconds else score(value) for value in values)])
    return markdown(list(table.columns), rows)


def differences(root: Path) -> pd.DataFrame:
    """The default less each other contender, over the sets that both have clusters of."""
    return pd.read_csv(root / "docs" / "results" / "peers-differences.csv", dtype=str)


def versus(root: Path) -> dict[str, Any]:
    """The default beside the best other contender that has clusters of nearly all sets."""
    sets = sets_of(peers(root))
    others = {name: sets[name].mean() for name in SHOWN[1:]}
    best = max(others, key=lambda name: others[name])
    row = differences(root).set_index("against").loc[best]
    better, _, worse = row["better / same / worse"].split(" / ")
    return {
        "sets": len(sets),
        "ours": score(sets[OURS].mean()),
        "other": best,
        "theirs": score(others[best]),
        "better": better,
        "worse": worse,
        "p": row["p, all"],
        "p_largest": max(differences(root)["p, all"]),
    }


def laboratory(root: Path) -> dict[str, Any]:
    """What the laboratory of planted structure counted, over all sets of a kind."""
    table = pd.read_csv(root / "docs" / "results" / "laboratory.csv")

    def rate(rows: pd.DataFrame, column: str) -> float:
        return float((rows[column] * rows["sets"]).sum() / rows["sets"].sum())

    obvious = table[(table["family"] == "planted") & (table["effect"] == "obvious")]
    process = table[table["family"] == "process"]
    return {
        "sets": int(table["sets"].sum()),
        "obvious": int(obvious["sets"].sum()),
        "obvious_right": f"{100 * rate(obvious, 'right'):.0f} %",
        "obvious_ari": score(rate(obvious, "ari")),
        "process": int(process["sets"].sum()),
        "process_cut": f"{100 * (1 - rate(process, 'right')):.1f} %",
    }


def printed(root: Path) -> int:
    """How many printed numbers there are to compare with."""
    files = sorted((root / "config" / "published").glob("*.csv"))
    return sum(len(list(csv.DictReader(file.open(encoding="utf-8", newline="")))) for file in files)


def evidence(root: Path) -> str:
    """Three lines of evidence."""
    p, planted = versus(root), laboratory(root)
    return (
        f"- On {p['sets']} labelled sets the default has a mean adjusted Rand index of {p['ours']}; the best of the others,"
        f" {p['other']}, has {p['theirs']}. It is better on {p['better']} sets and worse on {p['worse']}.\n"
        f"- In {planted['process']} sets without any groups it finds some in {planted['process_cut']}; one in twenty is the aim.\n"
        f"- {printed(root)} printed numbers of five documents are held against regenerated ones, and each gets a verdict.\n"
    )


def summary(root: Path) -> str:
    """What became of the printed numbers, if a whole run has been published; else where to get one."""
    file = root / "docs" / "results" / "fidelity.csv"
    if file.is_file():
        return " ".join(verdicts.summary(*verdicts.read(file)))
    return (
        f"`make reproduce` regenerates the tables and figures, holds {printed(root)} printed numbers against them, and says in"
        " three sentences to quote what became of them. No run at the documents' own scale is published with this version; when one"
        " is, its summary stands here."
    )


def options(root: Path, command: str) -> str:
    """The options of a command of the command line."""
    rows = []
    for name, entry in COMMANDS[command].options.items():
        default = "" if entry.default is None else f"`{entry.default}`"
        # The text stands in config/README.md too, and links from there.
        text = rewritten(entry.text, root / "config", root / "docs" / "reference" / "commands.md")
        rows.append([f"`{name}`", default, text])
    return markdown(["option", "default", "what it does"], rows, right=3)


def words() -> str:
    """The words of ``make cluster``."""
    return ", ".join(f"`{word}`" for word in WORDS.values())


def measures() -> str:
    """The registry of measures."""
    table = kinseq.measures.table()
    rows = [
        [f"`{name}`", row["label"], row["sees"], row["cost"], "yes" if row["predicts"] else "no"]
        for name, row in table.iterrows()
    ]
    return markdown(["measure", "called", "what it sees", "cost", "for new sequences"], rows, right=5)


def speed(root: Path) -> str:
    """Speed beside other libraries."""
    table = pd.read_csv(root / "docs" / "results" / "speed.csv", dtype=str, keep_default_na=False)
    return markdown(list(table.columns), table.to_numpy().tolist())


def substitutions(root: Path) -> dict[str, Any]:
    """What ``{{ name }}`` stands for on a page."""
    return {
        "version": kinseq.__version__,
        "evidence": evidence(root),
        "summary": summary(root),
        "versus": versus(root),
        "laboratory": laboratory(root),
        "printed": printed(root),
        "peers_table": peers_table(root),
        **{f"peers_{group.split()[-1]}": peers_each(root, group) for group in GROUPS},
        "differences_table": markdown(list(differences(root).columns), differences(root).to_numpy().tolist()),
        "speed_table": speed(root),
        "measures_table": measures(),
        **{f"options_{command}": options(root, command) for command in COMMANDS},
        "words": words(),
    }
