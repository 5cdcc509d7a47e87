"""Numbers and tables that pages show, from files of results and from the code's own tables.

``values`` has them by name. They stand as text in the pages, where ``make pages`` writes them (:mod:`filled_pages`).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import yaml
from links_of_repository import moved
from markdown_tables import markdown
from numbers_of_divergences import divergences
from release import copy, module

import kinseq
from kinseq.options import COMMANDS
from kinseq.report.glossary import FIRST
from kinseq_documents.evaluation import multiverse
from kinseq_documents.evaluation.fidelity import read_published
from kinseq_documents.rendering import publish

OURS = "kinseq, default"
"""Column of the default in the table of peers."""
SHOWN = (
    OURS,
    "dtaidistance DTW, spectral",
    "aeon k-medoids, MSM",
    "aeon KASBA",
    "tslearn KShape",
    "Euclid, k-means",
    "catch24, k-means",
    "MultiRocket, k-means",
)
"""Contenders of the short table: those that have clusters of most sets."""
ARCHIVE_TIE = 0.01
"""Differences below this are ties: published indices have two digits."""
GROUPS = {
    "open": "15 open sets",
    "kept aside": "13 further sets",
    "archive, to decide": "25 of an archive",
    "archive, to confirm": "25 more of it",
}
"""Groups of labelled sets, and what they are called."""


def peers(root: Path) -> pd.DataFrame:
    """Adjusted Rand indices, one row a set, one column a contender, and the group of the set."""
    return pd.read_csv(root / "docs" / "results" / "peers.csv")


def peers_sums(root: Path) -> pd.DataFrame:
    """Means of these and medians of CPU seconds over each group, computed before the scores were rounded."""
    return pd.read_csv(root / "docs" / "results" / "peers-means.csv")


def score(value: float) -> str:
    """An adjusted Rand index as people write it."""
    return "" if pd.isna(value) else f"{value:.2f}".replace("0.", ".", 1)


def peers_table(root: Path) -> str:
    """Means of the contenders over each group of sets, and over all."""
    table, sums = peers(root), peers_sums(root)
    means = sums[sums["statistic"] == "mean"].set_index("group")
    rows = []
    for name in SHOWN:
        cells = [score(means.loc[group, name]) for group in GROUPS] + [score(table[name].mean())]
        some = table[name].notna().sum()
        title = f"**{name}**" if name == OURS else name + ("" if some == len(table) else f" ({some} sets)")
        rows.append([title, *cells])
    return markdown(["", *GROUPS.values(), f"all {len(table)}"], rows)


def peers_each(root: Path, group: str) -> str:
    """Every set of a group, and the sums over it."""
    table = peers(root).query("group == @group").drop(columns="group").dropna(axis=1, how="all")
    sums = peers_sums(root).query("group == @group")[["statistic", *table.columns[1:]]]
    rows = [[str(name).replace("_", " "), *map(score, values)] for name, *values in table.itertuples(index=False)]
    for name, *values in sums.itertuples(index=False):
        rows.append([f"**{name}**", *(score(value) if name == "mean" else f"{value:.1f}" for value in values)])
    return markdown(list(table.columns), rows)


def channels(root: Path) -> dict[str, str]:
    """Sets of many channels: indices and median seconds of the contenders, and the default at a number of its own."""
    table = pd.read_csv(root / "docs" / "results" / "peers-channels.csv").sort_values("set", ignore_index=True)
    names = [name for name in table.columns if f"{name}, CPU (s)" in table.columns]
    rows = []
    for row in table.to_dict("records"):
        own = f"{score(row['own number, ARI'])} ({row['own number']:.0f} of {row['true number']:.0f})"
        own = "" if pd.isna(row["own number"]) else own
        rows.append([str(row["set"]).replace("_", " "), *(score(row[name]) for name in names), own])
    # Means and medians over different sets are not comparable.
    shared = table.dropna(subset=names)
    rows.append([f"**mean of {len(shared)}**", *(score(shared[name].mean()) for name in names), ""])
    seconds = [f"{shared[f'{name}, CPU (s)'].median():.1f}" for name in names]
    rows.append(["**CPU, median (s)**", *seconds, ""])
    behind = shared.loc[shared[OURS] < shared[names].max(axis=1) - 0.02, "set"]
    return {
        "table": markdown(["set", *names, "default, its own number of clusters"], rows),
        "sets": str(len(shared)),
        "behind": ", ".join(str(name).replace("_", " ") for name in behind) or "none",
    }


def differences(root: Path) -> pd.DataFrame:
    """The default less each other contender, over the sets that both have clusters of."""
    return pd.read_csv(root / "docs" / "results" / "peers-differences.csv", dtype=str)


def versus(root: Path) -> dict[str, Any]:
    """The default and the best other contender that has clusters of nearly all sets."""
    sets = peers(root)
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


def archive(root: Path) -> dict[str, Any]:
    """The default on sets of the UCR archive at full size, next to published results: a table, and each set."""
    results = root / "docs" / "results"
    ours = pd.read_csv(results / "archive.csv").set_index("set")
    others = pd.read_csv(results / "archive-published.csv").pivot(index="set", columns="method", values="ari")
    rows = []
    for name in others:
        both = ours[[OURS]].join(others[name]).dropna()
        gap = both[OURS] - both[name]
        # Published indices have two digits, so that smaller differences are ties.
        ties = int((gap.abs() < ARCHIVE_TIE).sum())
        better, worse = int((gap >= ARCHIVE_TIE).sum()), int((gap <= -ARCHIVE_TIE).sum())
        rows.append(
            [name, len(both), f"{both[OURS].mean():.3f}", f"{both[name].mean():.3f}", f"{better} / {ties} / {worse}"]
        )
    each = ours.join(others).sort_index()
    listed = [
        [name, row["sequences"], row["frames"], row["classes"], *(score(row[key]) for key in (OURS, *others))]
        for name, row in each.astype({"sequences": object, "frames": object, "classes": object}).iterrows()
    ]
    return {
        "sets": len(ours),
        "seconds": f"{ours['CPU (s)'].sum():.0f}",
        "table": markdown(["published by others", "sets", "kinseq, default", "they", "better / same / worse"], rows),
        "each": markdown(["set", "sequences", "frames", "classes", OURS, *map(str, others)], listed),
    }


MOST_NAMED = 3
"""Kinds of data without groups that are named, those with the most false groups."""


def _kinds_of_process(process: pd.DataFrame) -> str:
    """Number of kinds of sets without groups, and those that are cut most often."""
    cut = (100 * (1 - process.set_index("kind")["right"])).sort_values(ascending=False, kind="stable")
    names = {
        "ar_5": "autoregression of .5",
        "ar_9": "autoregression of .9",
        "duty_cycle": "duty cycles",
        "telegraph": "telegraphs",
    }
    worst = cut.iloc[:MOST_NAMED]
    told = [f"{names.get(str(kind), str(kind).replace('_', ' '))} {share:.1f} %" for kind, share in worst.items()]
    return f"{len(cut)} kinds, most often in {', '.join(told[:-1])} and {told[-1]}"


def _goals(page: str) -> str:
    """The table of the targets of the default and how far they are met."""
    section = page.partition("## Targets")[2].partition("\n## ")[0]
    return "\n".join(line for line in section.splitlines() if line.startswith("|"))


def laboratory(root: Path) -> dict[str, Any]:
    """Counts of the laboratory of planted structure, over all sets of a kind."""
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
        "process_kinds": _kinds_of_process(process),
        "process_sure": f"{100 * rate(process, 'sure'):.1f} %",
        "goals": _goals((root / "docs" / "results" / "laboratory.md").read_text(encoding="utf-8")),
    }


def unseen(root: Path) -> dict[str, str]:
    """The default and others on sequences that nothing was chosen with: the best other one, and that of :func:`versus`."""
    table = pd.read_csv(root / "docs" / "results" / "unseen.csv").set_index("method")
    others = table.drop(index=OURS)
    best, usual = others["mean"].idxmax(), versus(root)["other"]

    def shown(name: str) -> str:
        significant = "significant" if others.loc[name, "p"] < 0.05 else "not significant"
        return f"{others.loc[name, 'mean']:.3f} of {name} ({significant}, p {others.loc[name, 'p']:g})".replace(
            "0.", "."
        )

    return {
        "sets": str(int(table.loc[OURS, "sets"])),
        "ours": f"{table.loc[OURS, 'mean']:.3f}".replace("0.", "."),
        "others": " and ".join(shown(str(name)) for name in dict.fromkeys((best, usual)) if name in others.index),
    }


def other_draw(root: Path) -> dict[str, str]:
    """Sets without groups of another draw: how many, and the share that is cut."""
    (row,) = (
        pd.read_csv(root / "docs" / "results" / "laboratory-draw.csv").query("family == 'process'").to_dict("records")
    )
    return {"sets": str(row["sets"]), "cut": f"{100 * row['cut'] / row['sets']:.1f} %"}


def evidence(root: Path) -> str:
    """Three lines of evidence."""
    p, planted, new, again = versus(root), laboratory(root), unseen(root), other_draw(root)
    return (
        f"- On {p['sets']} labelled sets the default has a mean adjusted Rand index of {p['ours']}; the best of the others,"
        f" {p['other']}, has {p['theirs']}. It is better on {p['better']} sets and worse on {p['worse']}. All {p['sets']} sets took"
        f" part in choosing the default. On other sequences of {new['sets']} of them, which took no part, it has {new['ours']}"
        f" against {new['others']}.\n"
        f"- In {planted['process']} sets without any groups it finds some in {planted['process_cut']}"
        f" ({planted['process_kinds']}) and calls them clearly separated in {planted['process_sure']}; at most 5 % and 1 % are the"
        f" aims. On another draw of {again['sets']} sets it finds some in {again['cut']}.\n"
        "- Numbers that five documents print stand next to regenerated ones, [each with a verdict and, where it differs, the"
        " cause](docs/results/documents/index.md):\n" + "".join(f"  - {sentence}\n" for sentence in sentences(root))
    )


def sentences(root: Path) -> list[str]:
    """Verdicts on the printed numbers, if a run has been published."""
    items = publish.published(root / "docs" / "results" / "documents")
    choices = publish.choices_beside(root / "docs" / "results" / "documents")
    return publish.sentences(items, choices) or ["No run at the documents' own scale is published with this version."]


def summary(root: Path) -> str:
    """The same in one paragraph."""
    return " ".join(sentences(root))


def published_table(root: Path, item: str) -> pd.DataFrame:
    """The table of an item as it is published, by data set, clusterer and position on the axis (-1 where there is none)."""
    (file,) = (root / "docs" / "results" / "documents").glob(f"*/{item}.csv")
    table = pd.read_csv(file, keep_default_na=False, na_values={"x": "", "mean": "", "std": ""})
    return table.assign(x=table["x"].fillna(-1.0)).set_index(["dataset", "clusterer", "x"]).sort_index()


NOT_YET = "*No run with readings of what print leaves open is published with this version.*"
"""In place of tables whose numbers are listed by reading."""


def by_reading(root: Path, item: str, **cells: str) -> pd.DataFrame | None:
    """Errors of some cells of a published item by reading, model, measure and data set; None if it is not listed by reading."""
    (file,) = (root / "docs" / "results" / "documents").glob(f"*/{item}.csv")
    table = pd.read_csv(file, keep_default_na=False, na_values={"mean": "", "std": "", "n": "", "published": ""})
    if "reading" not in table:
        return None
    table = table[(table["metric"] == "error") & (table["clusterer"] == "spectral")]
    for column, value in cells.items():
        table = table[table[column] == value]
    key = ["reading", "model", "measure", "dataset"]
    return table.drop_duplicates(key).set_index(key)


def shown(table: pd.DataFrame, *cell: str) -> str:
    """Mean and deviation of a cell, empty where there is none."""
    if cell not in table.index or pd.isna(table.loc[cell, "mean"]):
        return ""
    row = table.loc[cell]
    return f"{row['mean']:.1f} ± {row['std']:.1f}"


def printed(table: pd.DataFrame, *cell: str) -> str:
    """The printed number of a cell, which stands next to the judged reading."""
    return f"{table.loc[cell, 'published']:.1f}" if cell in table.index else ""


SHOWN_READINGS = {"authors": "the reading that agrees best", "modern": "today's recipe"}


def selection(root: Path) -> str:
    """Errors of KL-LL with and without a selection of models on the vowels, of the published run."""
    vowels = by_reading(root, "tab2_1", dataset="japanese_vowels")
    if vowels is None:
        return NOT_YET
    names = {
        "kl_ll": "all models",
        "kl_ll_ms": "selection",
        "kl_ll_ms_third": "at least a third",
        "kl_ll_ms_length": "longest first",
    }
    rows = [
        [
            f"{text}, {states} states",
            *(printed(vowels, "authors", f"hmm{states}", name, "japanese_vowels") for name in ("kl_ll", "kl_ll_ms")),
            *(shown(vowels, reading, f"hmm{states}", name, "japanese_vowels") for name in names),
        ]
        for reading, text in SHOWN_READINGS.items()
        for states in (2, 3, 4, 5)
    ]
    return markdown(["", "printed KL", "printed KL+MS", *names.values()], rows)


AGREEMENT = ("agree", "within 2 points", "median difference", "runs")
"""Entries on the cells of a table under a reading."""


def agreement(root: Path) -> str:
    """Cells of the published tables that agree with print by the rule that the reading was chosen by, misprints as they are meant.

    Cells and corrections are those of the experiment ``multiverse``, of tables that are published with readings; characters are all
    pairs here.
    """
    config = root / "config"
    entry = yaml.safe_load((config / "experiments" / "multiverse.yaml").read_text(encoding="utf-8"))
    tables, files = entry["tables"], sorted({table["file"] for table in entry["tables"]})
    published = {file: own for file in files if (own := by_reading(root, file)) is not None}
    tables = [table for table in tables if table["file"] in published]
    if not tables:
        return NOT_YET
    printed_numbers = {file: read_published(config / "published" / f"{file}.csv") for file in published}
    file_of = {table["name"]: table["file"] for table in tables}
    named = {new: old for table in tables for new, old in table.get("printed_as", {}).items()}
    cells = multiverse.printed_cells(printed_numbers, tables, entry["corrected"])
    keys = [(row["model"], row["measure"], named.get(row["dataset"], row["dataset"])) for _, row in cells.iterrows()]
    found = {}
    for reading in SHOWN_READINGS:
        rows = [
            published[file_of[name]].reindex([(reading, *key)])[["mean", "std", "n"]].iloc[0]
            for name, key in zip(cells["table"], keys, strict=True)
        ]
        found[reading] = pd.DataFrame(rows).reset_index(drop=True).apply(pd.to_numeric)
    table = []
    for name in [*file_of, ""]:
        here = (cells["table"] == name).to_numpy() | (name == "")
        line = [name or "all of these", int(here.sum())]
        for reading in SHOWN_READINGS:
            line += _agreement(cells[here], found[reading][here])
        table.append(line)
    columns = [f"{text}: {what}" for text in SHOWN_READINGS.values() for what in AGREEMENT]
    return markdown(["table", "printed numbers", *columns], table)


CHANGES = {
    "njw": "embedding with the constant eigenvector",
    "squared": "affinity by squared distances",
    "median_width": "median width",
}
"""Single changes of the reading that agrees best that the report on the reading tells of."""


def agreement_of_changes(root: Path) -> str:
    """Values of :func:`agreement` on the cells that a single change was run on, with it and without it."""
    config = root / "config"
    entry = yaml.safe_load((config / "experiments" / "multiverse.yaml").read_text(encoding="utf-8"))
    rows = []
    for file in sorted({table["file"] for table in entry["tables"]}):
        published = by_reading(root, file)
        if published is None:
            continue
        tables = [table for table in entry["tables"] if table["file"] == file]
        numbers = {file: read_published(config / "published" / f"{file}.csv")}
        cells = multiverse.printed_cells(numbers, tables, entry["corrected"])
        keys = [(row["model"], row["measure"], row["dataset"]) for _, row in cells.iterrows()]
        own = published.reindex([("authors", *key) for key in keys])[["mean", "std", "n"]].apply(pd.to_numeric)
        for change, text in CHANGES.items():
            other = published.reindex([(change, *key) for key in keys])[["mean", "std", "n"]].apply(pd.to_numeric)
            for name in dict.fromkeys(cells["table"]):
                here = (cells["table"] == name).to_numpy() & (other["n"] > 0).to_numpy()
                if here.any():
                    with_it, without = (_agreement(cells[here], each[here]) for each in (other, own))
                    rows.append([text, name, int(here.sum()), *without, *with_it])
    columns = [f"{text}: {what}" for text in ("as chosen", "changed") for what in AGREEMENT]
    return markdown(["single change", "table", "numbers", *columns], rows) if rows else NOT_YET


def _agreement(cells: pd.DataFrame, ours: pd.DataFrame) -> list[str]:
    """Values that :data:`AGREEMENT` names, of some cells; empty where nothing was run."""
    some = (ours["n"] > 0).to_numpy()
    if not some.any():
        return [""] * len(AGREEMENT)
    differences = np.abs(ours["mean"].to_numpy() - cells["printed"].to_numpy())[some]
    allowed = multiverse.tolerance(
        cells["printed_std"].to_numpy()[some], cells["n_printed"].to_numpy()[some], ours["std"].to_numpy()[some],
        ours["n"].to_numpy()[some],
    )  # fmt: skip
    runs = ours["n"][some].astype(int)
    beside = "" if some.all() else f" of {some.sum()}"
    return [
        f"{(differences <= allowed + 1e-9).sum()}{beside}",
        f"{(differences <= multiverse.POINTS + 1e-9).sum()}{beside}",
        f"{np.median(differences):.1f}",
        f"{runs.min()}" if runs.min() == runs.max() else f"{runs.min()} to {runs.max()}",
    ]


SIGNS = ("hot_cold", "eat_drink", "happy_sad", "spend_cost", "yes_no")
READINGS_OF_SIGNS = {
    **SHOWN_READINGS,
    "one_start": "one start",
    "ten_starts": "ten starts",
    "diagonal_covariances": "diagonal covariances",
    "one_start_diagonal": "one start, diagonal covariances",
    "ten_starts_diagonal": "ten starts, diagonal covariances",
    "njw": "embedding with the constant eigenvector",
    "limit_rows": "rows of SSD without eps",
}
"""Readings, and single changes of the authors', that the report on the signs tells of."""


def signs(root: Path) -> str:
    """Errors of SSD on the pairs of signs under several readings, of the published run."""
    table = by_reading(root, "tab3_2", measure="ssd", model="global4")
    if table is None:
        return NOT_YET
    beside = root / "docs" / "results" / "documents" / "T" / "choices3.csv"
    if beside.is_file():
        # Starts and covariances are an item of their own.
        table = pd.concat([table, by_reading(root, "choices3", measure="ssd", model="global4")])
        table = table[~table.index.duplicated()].sort_index()
    rows = [["printed", *(printed(table, "authors", "global4", "ssd", f"auslan_{pair}") for pair in SIGNS)]]
    for reading, text in READINGS_OF_SIGNS.items():
        cells = [shown(table, reading, "global4", "ssd", f"auslan_{pair}") for pair in SIGNS]
        rows += [[text, *cells]] if any(cells) else []
    return markdown(["", *(pair.replace("_", ", ") for pair in SIGNS)], rows)


def charts(root: Path) -> str:
    """Errors of SSD on the control charts by number of states under several readings, of the published run."""
    table = by_reading(root, "tab3_1", measure="ssd")
    if table is None:
        return NOT_YET
    rows, states = [], (12, 16, 20, 28, 40)
    for charts_of_class in (30, 100):
        data = f"control_chart_{charts_of_class}"
        cells = [printed(table, "authors", f"global{k}", "ssd", data) for k in states]
        rows.append([f"{charts_of_class} a class, printed", *cells, over_states(cells)])
        for reading, text in {**SHOWN_READINGS, "njw": "embedding with the constant eigenvector", "limit_rows": "rows without eps",
                              "squared": "affinity by squared distances", "median_width": "median width"}.items():  # fmt: skip
            cells = [shown(table, reading, f"global{k}", "ssd", data) for k in states]
            rows += [[f"{charts_of_class} a class, {text}", *cells, over_states(cells)]] if any(cells) else []
    return markdown(["", *(f"{k} states" for k in states), "mean"], rows)


def over_states(cells: Sequence[str]) -> str:
    """The mean of means that stand in cells; empty where one is missing."""
    return f"{np.mean([float(cell.split()[0]) for cell in cells]):.1f}" if all(cells) else ""


ROWS_OF_ITC = {
    "Wine": ("V_tab5_1", "wine"),
    "Iris": ("V_tab5_3", "iris"),
    "Wisconsin, 10 features": ("V_tab5_4", "wisconsin_id"),
    "Wisconsin, 9 features": ("V_tab5_4", "wisconsin"),
    "Pima": ("V_tab5_5", "pima"),
}
"""Benchmark sets of the thesis of 2012, and where they are published."""
COLUMNS_OF_ITC = {
    "vote": "knn_itc",
    "best run by the labels": "knn_itc_best",
    "one run": "knn_itc_run",
    "kernel at sigma_M, plug-in": "kernel_itc_m_plug",
    "kernel at sigma_M, formulas": "kernel_itc_m",
    "k-means": "kmeans_of_points",
}


def information_theoretic(root: Path) -> dict[str, str]:
    """Accuracies that the report on information-theoretic clustering tells, of the published run."""

    def shown(item: str, dataset: str, clusterer: str, x: float = -1.0, spread: bool = True) -> str:
        row = published_table(root, item).loc[(dataset, clusterer, x)]
        row = row[row["metric"] == "accuracy"].iloc[0]
        printed = f" ({float(row['published']):.1f})" if spread and row["published"] else ""
        return f"{row['mean']:.1f} ± {row['std']:.1f}{printed}" if spread else f"{row['mean']:.0f}"

    rows = [
        [name, *(shown(item, dataset, clusterer) for clusterer in COLUMNS_OF_ITC.values())]
        for name, (item, dataset) in ROWS_OF_ITC.items()
    ]
    numbers = {
        "table": markdown(["printed in brackets", *COLUMNS_OF_ITC], rows),
        "three_scales": shown("itc_shapes", "three_scales", "knn_itc"),
        "three_scales_kernel": shown("itc_shapes", "three_scales", "kernel_itc_one", spread=False),
        "colour_image": shown("itc_shapes", "colour_image", "knn_itc_seeds6"),
        "texture": shown("itc_shapes", "object_on_texture", "knn_itc_seeds6"),
        "clouds": shown("itc_pictures", "clouds_38", "knn_itc"),
        "clouds_k_means": shown("itc_pictures", "clouds_38", "kmeans_of_points"),
        "iris_linear": shown("itc_choices", "iris", "knn_itc_linear"),
    }
    for number in (15, 20):
        numbers[f"wine_seeds{number}"] = shown("itc_choices", "wine", f"knn_itc_seeds{number}", spread=False)
    numbers["wine_share40"] = shown("itc_choices", "wine", "knn_itc_share40", spread=False)
    for width in (15, 50, 100):
        numbers[f"wine_width{width}"] = shown("V_tab5_1", "wine", f"kernel_itc_w{width}")
    for noise in ("0", "0.01", "0.015", "0.02", "0.03"):
        key = f"spirals_{noise.replace('.', '_')}"
        numbers[key] = shown("itc_shapes", "spirals_wide", "knn_itc", float(noise))
    return numbers


NUMBERS_OF_SIC = {
    "words_dtw": ("S_tab4", "arabic_tiny", "dtw_mfcc", "map"),
    "words_dtw_own": ("S_tab4", "arabic_tiny", "dtw_mfcc_normalised", "map"),
    "words": ("S_tab4", "arabic_tiny", "sic_mfcc_177", "map"),
    "words_own": ("S_tab4", "arabic_tiny", "sic_mfcc_own_units", "map"),
    "words_dtw_p1": ("S_tab4", "arabic_tiny", "dtw_mfcc", "p_at_1"),
    "words_dtw_own_p1": ("S_tab4", "arabic_tiny", "dtw_mfcc_normalised", "p_at_1"),
    "words_p1": ("S_tab4", "arabic_tiny", "sic_mfcc_177", "p_at_1"),
    "words_own_p1": ("S_tab4", "arabic_tiny", "sic_mfcc_own_units", "p_at_1"),
    "english_dtw_own": ("S_tab4", "english_words", "dtw_mfcc_normalised", "map"),
    "english_own": ("S_tab4", "english_words", "sic_mfcc_own_units_few", "map"),
    "mfcc": ("S_tab3", "arabic_tiny", "sic_mfcc", "map"),
    "plp": ("S_tab3", "arabic_tiny", "sic_plp", "map"),
    "entities": ("S_tab1", "europeana", "sic_ner", "map"),
    "entities_rich": ("S_tab1", "europeana_rich", "sic_ner_rich", "map"),
    "entities_cosine": ("S_tab1", "europeana", "attribute_cosine", "map"),
    "entities_classes": ("S_tab1", "europeana", "sic_ner_classes", "map"),
    "entities_classes_rich": ("S_tab1", "europeana_rich", "sic_ner_classes", "map"),
    "entities_random": ("S_fig9_law", "europeana", "random_distances", "map"),
    "nouns": ("S_tab2", "noun_synonyms", "sic_nouns", "map"),
    "nouns_ova": ("S_tab2", "noun_synonyms", "sic_ova_nouns", "map"),
    "nouns_ova_counts": ("S_tab2", "noun_synonyms", "sic_ova_counts", "map"),
    "vowels": ("sic_sequences", "japanese_vowels", "sic_word_models", "error"),
    "vowels_ssd": ("sic_sequences", "japanese_vowels", "ssd", "error"),
    "vowels_kl_ll": ("sic_sequences", "japanese_vowels", "kl_ll", "error"),
    "vowels_dtw": ("sic_sequences", "japanese_vowels", "dtw", "error"),
    "apart_true": ("S_fig5_mixture", "europeana_rich", "sic_all_tested", "pi_0"),
    "apart_em": ("S_fig5_mixture", "europeana_rich", "sic_all_tested_em", "pi_0"),
    "together_true": ("S_fig5_mixture", "europeana_rich", "sic_all_tested", "p_1"),
    "together_em": ("S_fig5_mixture", "europeana_rich", "sic_all_tested_em", "p_1"),
    "law_flipped": ("S_fig9_law", "europeana", "sic_flipped_60", "normality_gap"),
    "law_weighted": ("S_fig9_law", "europeana", "sic_weighted_60", "normality_gap"),
}
"""Numbers of the report on iterative classifications: item, data set, measure and metric."""


def iterative_classifications(root: Path) -> dict[str, Any]:
    """Values of the report on iterative classifications, of the published run: numbers, and counts of claims."""

    def shown(item: str, dataset: str, measure: str, metric: str) -> str:
        (file,) = (root / "docs" / "results" / "documents").glob(f"*/{item}.csv")
        table = pd.read_csv(file, keep_default_na=False, na_values={"mean": "", "std": "", "n": ""})
        row = table.query("dataset == @dataset and measure == @measure and metric == @metric").iloc[0]
        digits = 1 if metric in ("map", "p_at_1", "error") else 2
        spread = f" ± {row['std']:.{digits}f}" if row["n"] > 1 and row["std"] >= 0.5 * 10**-digits else ""
        return f"{row['mean']:.{digits}f}{spread}"

    items = publish.published(root / "docs" / "results" / "documents")
    claims = [claim for one in items if one["home"] == "S" for claim in one["claims"]]
    counts = {name: sum(claim["verdict"] == name for claim in claims) for name in ("held", "not held", "undecided")}
    return {
        **{name: shown(*where) for name, where in NUMBERS_OF_SIC.items()},
        "claims": len(claims),
        "claims_held": counts["held"],
        "claims_not_held": counts["not held"],
        "claims_undecided": counts["undecided"],
        "claims_own": sum("question of this project" in claim["place"] for claim in claims),
    }


def minutes(root: Path) -> dict[str, str]:
    """Processor time of the published items of each document; jobs that items share count for each of them."""
    spent: dict[str, float] = {}
    for one in publish.published(root / "docs" / "results" / "documents"):
        spent[one["home"]] = spent.get(one["home"], 0.0) + (one["seconds"] or 0.0) / 60.0
    return {document: f"{value:.0f}" for document, value in spent.items()}


def options(root: Path, command: str) -> str:
    """The options of a command of the command line."""
    rows = []
    for name, entry in COMMANDS[command].options.items():
        default = "" if entry.default is None else f"`{entry.default}`"
        # The text stands in config/README.md too, and links from there.
        text = moved(entry.text, root / "config", root / "docs" / "reference" / "commands.md")
        rows.append([f"`{name}`", default, text])
    return markdown(["option", "default", "what it does"], rows, right=3)


def first_sentences() -> str:
    """First sentences of pages with their meanings, as the pages have them."""
    rows = [[f"*{one.reads}*", f"`{degree}`", one.meaning] for degree, one in FIRST.items()]
    return markdown(["the page says", "`degree`", "what it means"], rows, right=3)


def measures() -> str:
    """The registry of measures."""
    table = kinseq.measures.table()
    rows = [
        [f"`{name}`", row["label"], row["description"], row["cost"], "yes" if row["predicts"] else "no"]
        for name, row in table.iterrows()
    ]
    return markdown(["measure", "called", "what it sees", "cost", "for new sequences"], rows, right=5)


def choosing(root: Path) -> dict[str, str]:
    """Cost of choosing the number of clusters relative to the rest: a table, and ratios of made and of labelled sets."""
    rows = pd.read_csv(root / "docs" / "results" / "choosing.csv", dtype=str, keep_default_na=False)
    shown = rows.drop(columns=["kind", "ratio"])
    found = {"table": markdown(list(shown.columns), shown.to_numpy().tolist())}
    for kind in ("periods", "labelled"):
        ratios = pd.to_numeric(rows["choosing / rest"][rows["kind"] == kind])
        found |= {
            f"{kind}_median": f"{ratios.median():.1f}",
            f"{kind}_largest": f"{ratios.max():.1f}",
            f"{kind}_sets": str(len(ratios)),
        }
    return found


def elastic(root: Path) -> dict[str, str]:
    """Matrices of elastic distances and those of other libraries: a table, and the least ratios of elastic and other ones."""
    rows = pd.read_csv(root / "docs" / "results" / "elastic.csv", dtype=str, keep_default_na=False)
    shown = rows.loc[:, ~rows.columns.str.endswith("(clock)")]
    shown.columns = shown.columns.str.removesuffix(" (CPU)")
    ratios, lockstep = pd.to_numeric(rows["times as fast"]), rows["distance"].isin(["euclidean", "sbd"])
    return {
        "table": markdown(list(shown.columns), shown.to_numpy().tolist()),
        "cells": str(len(rows)),
        "least": f"{ratios[~lockstep].min():.1f}",
        "most": f"{ratios[~lockstep].max():.1f}",
        "least_lockstep": f"{ratios[lockstep].min():.1f}",
    }


def symbols(root: Path) -> dict[str, str]:
    """Sequences of symbols: tables of matrices, models and the default, and ratios to the other libraries."""
    rows = pd.read_csv(root / "docs" / "results" / "symbols.csv", dtype=str, keep_default_na=False)
    models, default = rows["what"].str.startswith("CategoricalHMM"), rows["what"].str.startswith("the default")
    shown = rows.drop(columns="clock")
    ratios = pd.to_numeric(rows["over kinseq"], errors="coerce")
    sequenzo = rows["library"] == "Sequenzo"

    def table(chosen: pd.Series) -> str:
        return markdown(list(shown.columns), shown[chosen].to_numpy().tolist(), right=3)

    def least(chosen: pd.Series) -> str:
        return f"{ratios[chosen].min():.1f}"

    return {
        "matrices": table(~models & ~default),
        "models": table(models),
        "default": table(default),
        "constant": least(sequenzo & (rows["what"] == "OM, constant costs")),
        "general": least(sequenzo & (rows["what"] == "OM, costs from transitions")),
        "least": least(sequenzo),
        "hmmlearn": least(models & (rows["library"] != "kinseq")),
        "given": rows.loc[default, "CPU"].iloc[0],
    }


def speed(root: Path) -> str:
    """Speed compared with other libraries."""
    table = pd.read_csv(root / "docs" / "results" / "speed.csv", dtype=str, keep_default_na=False)
    return markdown(list(table.columns), table.to_numpy().tolist())


def values(root: Path) -> dict[str, Any]:
    """Texts by name; a name with a point is an entry of a dictionary."""
    return {
        "version": kinseq.__version__,
        "release": {"copy": copy(), "module": module()},
        "evidence": evidence(root),
        "evidence_in_docs": moved(evidence(root), root, root / "docs" / "index.md"),
        "summary": summary(root),
        "versus": versus(root),
        "unseen": unseen(root),
        "laboratory": laboratory(root),
        "peers_table": peers_table(root),
        **{f"peers_{group.split()[-1]}": peers_each(root, group) for group in GROUPS},
        "differences_table": markdown(
            [column.replace("kept aside", "further sets") for column in differences(root).columns],
            differences(root).to_numpy().tolist(),
        ),
        "archive": archive(root),
        "channels": channels(root),
        "speed_table": speed(root),
        "choosing": choosing(root),
        "elastic": elastic(root),
        "symbols": symbols(root),
        "measures_table": measures(),
        **{f"options_{command}": options(root, command) for command in COMMANDS},
        "first_sentences": first_sentences(),
        "itc": information_theoretic(root),
        "divergence": divergences(root),
        "agreement_table": agreement(root),
        "agreement_of_changes": agreement_of_changes(root),
        "selection_table": selection(root),
        "signs_table": signs(root),
        "charts_table": charts(root),
        "sic": iterative_classifications(root),
        "minutes": minutes(root),
    }
