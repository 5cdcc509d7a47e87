"""Which views the default of symbols fuses: all fusions of its five views on planted groups, with the number given.

Fusions are ordered by their mean adjusted Rand index over kinds of groups on the seeds that choose, and judged on other ones. Then
the number is left open, on planted groups and on data without groups. ``--only without`` runs the last part, ``--quick`` few sets.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import combinations
from typing import Any

import numpy as np

import kinseq
from kinseq.measures.fusion import SYMBOLIC
from symbol_sets import KINDS, UNCLUSTERED, UNSEEN, planted, unclustered
from timing import markdown, say, write_csv

CHOOSING, JUDGING = range(8), range(1000, 1012)
"""Seeds of the sets that fusions are chosen on, and of those that they are judged on."""
N_JUDGED = 6
"""Fusions that are judged: the best ones, and all single views next to them."""
OPEN, OPEN_GROUPS = range(5000, 5020), range(5000, 5012)
"""Seeds of sets without groups and with groups on which the number is left open; none of them was seen before."""
FUSIONS = [list(views) for size in range(1, len(SYMBOLIC) + 1) for views in combinations(SYMBOLIC, size)]
OTHERS: dict[str, dict[str, Any]] = {
    "om, transitions": {"measure": "om", "params": {"substitution": "transitions"}},
    "sym of Markov chains": {"measure": "sym", "model": "markov"},
    "kl_ll of Markov chains": {"measure": "kl_ll", "model": "markov"},
}
"""Measures that are no view of the fusion, for comparison."""


def name_of(views: Sequence[str]) -> str:
    return " + ".join(views)


def agreements(case: tuple[str, int, Sequence[Sequence[str]]]) -> list[dict[str, Any]]:
    """Return the adjusted Rand index of each fusion on one set."""
    from sklearn.metrics import adjusted_rand_score

    kind, seed, fusions = case
    rows, groups = planted(kind, seed)
    k = int(groups.max()) + 1
    ways: dict[str, dict[str, Any]] = {
        name_of(views): {"measure": "symbolic", "params": {"views": list(views)}} for views in fusions
    }
    found = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, how in {**ways, **OTHERS}.items():
            labels = kinseq.cluster(rows, k, **how).labels
            found.append(
                {"kind": kind, "seed": seed, "fusion": name, "ari": round(adjusted_rand_score(groups, labels), 4)}
            )
    return found


def number_found(case: tuple[str, int]) -> dict[str, Any]:
    """Return the number of groups found in one set by the default with the number left open."""
    from sklearn.metrics import adjusted_rand_score

    kind, seed = case
    rows, groups = planted(kind, seed) if kind in KINDS else (unclustered(kind, seed), None)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = kinseq.cluster(rows)
    return {
        "kind": kind,
        "seed": seed,
        "true": 1 if groups is None else int(groups.max()) + 1,
        "found": found.n_clusters,
        "ari": "" if groups is None else round(adjusted_rand_score(groups, found.labels), 4),
    }


def _means(rows: Iterable[dict[str, Any]]) -> dict[str, dict[str, float]]:
    """Return the mean of each fusion for each kind, and over kinds."""
    cells: dict[str, dict[str, list[float]]] = {}
    for row in rows:
        cells.setdefault(row["fusion"], {}).setdefault(row["kind"], []).append(row["ari"])
    means = {name: {kind: float(np.mean(values)) for kind, values in own.items()} for name, own in cells.items()}
    return {name: {"mean": float(np.mean(list(own.values()))), **own} for name, own in means.items()}


def _table(means: dict[str, dict[str, float]], names: Sequence[str]) -> list[dict[str, Any]]:
    return [{"views": name, **{kind: f"{value:.3f}" for kind, value in means[name].items()}} for name in names]


def run(options: argparse.Namespace) -> str:
    """Return lines of the section."""
    choosing, judging = (list(CHOOSING)[:1], list(JUDGING)[:1]) if options.quick else (list(CHOOSING), list(JUDGING))
    lines = ["## The default of symbols", ""]
    with ProcessPoolExecutor(2) as pool:
        if options.only in ("", "choosing"):
            cases = [(kind, seed, FUSIONS) for kind in KINDS for seed in choosing]
            chosen = [row for rows in pool.map(agreements, cases) for row in rows]
            write_csv(options.out / "symbolic-choosing.csv", chosen)
            means = _means(chosen)
            order = sorted((name_of(views) for views in FUSIONS), key=lambda name: -means[name]["mean"])
            best = order[:N_JUDGED]
            fusions = [views for views in FUSIONS if name_of(views) in best or len(views) == 1]
            say(*(f"{name}: {means[name]['mean']:.3f}\n" for name in [*order, *OTHERS]))
            cases = [(kind, seed, fusions) for kind in KINDS for seed in judging]
            judged = [row for rows in pool.map(agreements, cases) for row in rows]
            write_csv(options.out / "symbolic-judging.csv", judged)
            again = _means(judged)
            lines += [f"{len(FUSIONS)} fusions tried on {len(choosing) * len(KINDS)} sets; the best {N_JUDGED} of them and"
                      f" all views on {len(judging) * len(KINDS)} others:", ""]  # fmt: skip
            table = _table(again, [*best, *(name for name in again if name not in best)])
            table = [{"views": row["views"], "chosen on": f"{means[row['views']]['mean']:.3f}", **row} for row in table]
            lines += [markdown(table, list(table[0])), ""]
        if options.only in ("", "without"):
            without, groups = (list(seeds)[: 1 if options.quick else None] for seeds in (OPEN, OPEN_GROUPS))
            cases_open = [(kind, seed) for kind in (*UNCLUSTERED, *UNSEEN) for seed in without]
            cases_open += [(kind, seed) for kind in KINDS for seed in groups]
            numbers = list(pool.map(number_found, cases_open))
            write_csv(options.out / "symbols-open.csv", numbers)
            rows = []
            for kinds, what in ((UNCLUSTERED, "no groups"), (UNSEEN, "no groups, new"), (KINDS, "groups")):
                for kind in kinds:
                    own = [row for row in numbers if row["kind"] == kind]
                    rows.append(
                        {
                            "kind": kind,
                            "data": what,
                            "sets": len(own),
                            "cut": sum(row["found"] > 1 for row in own),
                            "true number": sum(row["found"] == row["true"] for row in own),
                            "ARI": f"{np.mean([row['ari'] for row in own]):.3f}" if kinds is KINDS else "",
                        }
                    )
            lines += [markdown(rows, list(rows[0])), ""]
    return "\n".join(lines)
