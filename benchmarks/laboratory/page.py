"""The page of the laboratory: aims of the product and what it reaches, next to rules on one matrix."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import binomtest

from kinseq.analysis.diagnostics import NEUTRAL
from kinseq.core.errors import DataError
from kinseq.core.store import write_text
from timing import markdown

from .grid import GRID
from .kinds import KINDS
from .looking import BEYOND_DOUBT, FUSED, VIEWS
from .planted import BESIDE, FRAMES, LEAST
from .rules import DIMENSIONS, MOST, REFERENCES, RULES

GROUPS = ("planted", "nuisance", "two_groupings", "hierarchy")
"""Families in which there are groups."""
SURE = "clear"
"""The kind of first sentence that is a reason to be sure."""
BAD, GOOD = 0.3, 0.5
"""Adjusted Rand index below which clusters count as bad, and from which on as good, where warnings are counted."""
FAMILIES = {
    "planted": "groups, otherwise noise",
    "nuisance": "something else varies more",
    "two_groupings": "two groupings that cross",
    "hierarchy": "two levels of a hierarchy",
    "process": "data without groups",
    "continuum": "a continuum",
}
"""Families in words."""
ON_ONE = [f"{matrix} {rule}" for matrix in ("dtw", FUSED) for rule in RULES]
"""Names of the rules on one matrix."""


# ---------------------------------------------------------------------------------------------------------------------
# From records to rows
# ---------------------------------------------------------------------------------------------------------------------


def frame(records: Iterable[Mapping[str, Any]]) -> pd.DataFrame:
    """Return one row per set: the default, and what others said of it; missing where a part was not run.

    Where a set has two groupings, the result is compared with the one that it is nearer to.
    """
    sets: dict[str, dict[str, Any]] = {}
    for record in sorted(records, key=lambda record: str(record["key"])):
        row = sets.setdefault(record["key"].partition(" ")[2], {})
        row |= {name: record[name] for name in ("family", "kind", "n", "k", "effect", "sizes", "lengths", "outliers")}
        if "why" in record:
            row |= {f"{record['part']} failed": record["why"]}
        row |= _of_default(record) if record["part"] == "default" else _of_others(record)
    for row in sets.values():
        for word in BEYOND:
            names = row.get(f"{word} groupings")
            if names and "given" in row:
                row[f"ari given of the {word}"] = _score_at_numbers_of(row, names) if row["given"] else 0.0
    return pd.DataFrame(sets.values())


def _of_default(record: Mapping[str, Any]) -> dict[str, Any]:
    if "why" in record:
        return {"number": 0, "right": 0.0, "ari": 0.0, "ari given": 0.0, "given": {}, "cautions": [], "told": False}
    own, cautions = record["found"], record["cautions"]
    return {
        **_judged(record, own, ""),
        "number": own["number"],
        "ari given": _mean_score(record["given"]),
        "given": record["given"],
        "cautions": cautions,
        "warned": any(kind not in NEUTRAL for kind in cautions),
        "says": record["says"],
        "sure": float(record["says"] == SURE),
        "sentence true": _is_true(record),
        "words right": record.get("words", {}).get("right"),
        "words by chance": record.get("words", {}).get("by chance"),
        **_of_looks(record),
        "nearer": _nearer(own),
        "told": any(_tells_other(record, other) for other in record["told"].values()),
    }


def _of_looks(record: Mapping[str, Any]) -> dict[str, Any]:
    """How many groups that hold one true group, or several, were clustered again, and how many of each were cut."""
    looks, row = record.get("looks", []), dict[str, Any]()
    for name, holds in (("one", lambda held: held == 1), ("several", lambda held: held > 1)):
        numbers = [look["number"] for look in looks if holds(look["held"])]
        row |= {f"looks at {name}": len(numbers), f"split at {name}": sum(number > 1 for number in numbers)}
    return row | {"cost of looks": record["seconds_looks"] / record["seconds_found"] if looks else None}


def _is_true(record: Mapping[str, Any]) -> bool | None:
    """Whether the first sentence is true of how the set was made; None of kinds that claim nothing."""
    says, has_groups = record["says"], record["family"] in GROUPS
    score = float(record["found"][_nearer(record["found"])]) if has_groups else 0.0
    if says in ("clear", "separated"):
        return bool(has_groups and score >= BEYOND_DOUBT and _judged(record, record["found"], "")["right"])
    if says == "overlapping":
        return has_groups and score >= GOOD
    if says == "lengths":
        return record["kind"] in ("length", "any_length")
    if says in ("continuum", "unclear", "phase", "none"):
        return not has_groups
    return None


def _of_others(record: Mapping[str, Any]) -> dict[str, Any]:
    if "why" in record:
        return {}
    row: dict[str, Any] = {}
    for name, rule_scores in record["rules"].items():
        row |= _judged(record, rule_scores, f"{name} ") | {f"{name} number": rule_scores["number"]}
    row |= {f"{name} given": _mean_score(scores) for name, scores in record["given"].items()}
    if record["views"]:
        best = [sights[0] for sights in record["views"].values() if sights]
        row["view given"] = float(np.mean([sight["ari"] for sight in best])) if best else 0.0
        for word, beyond in BEYOND.items():
            row[f"{word} groupings"] = [name for name, sights in record["views"].items() if beyond(sights)]
            row[word] = bool(row[f"{word} groupings"])
    return row


def _is_obvious(sights: Sequence[Mapping[str, Any]]) -> bool:
    return bool(sights) and sights[0]["silhouette"] >= BEYOND_DOUBT


def _is_seen(sights: Sequence[Mapping[str, Any]]) -> bool:
    return any(sight["true_silhouette"] >= BEYOND_DOUBT for sight in sights)


BEYOND: Mapping[str, Callable[[Sequence[Mapping[str, Any]]], bool]] = {"obvious": _is_obvious, "seen": _is_seen}
"""When a grouping is clear: some view has such a silhouette when it is cut by itself, or the true groups have it."""


def _nearer(scores: Mapping[str, Any]) -> str:
    """Return the grouping that clusters are nearer to, the first of equals; empty if there is none."""
    names = [name for name in ("groups", "other") if name in scores]
    return max(names, key=lambda name: float(scores[name])) if names else ""


def _numbers(record: Mapping[str, Any]) -> dict[str, int]:
    """Return the number of groups in each grouping."""
    kind, k = KINDS[record["kind"]], int(record["k"])
    if kind.coarse is not None:
        return {"groups": k, "other": kind.coarse(k - 1) + 1}
    return {"groups": k, "other": kind.second} if kind.second else {"groups": k}


def _judged(record: Mapping[str, Any], scores: Mapping[str, Any], prefix: str) -> dict[str, Any]:
    nearer = _nearer(scores)
    if not nearer:
        return {f"{prefix}right": float(scores["number"] == 1)}
    right = scores["number"] == _numbers(record)[nearer]
    return {f"{prefix}right": float(right), f"{prefix}ari": float(scores[nearer])}


def _mean_score(by_number: Mapping[str, Mapping[str, Any]]) -> float:
    """Return the mean over the numbers that were given; each is compared with the grouping that it is nearer to."""
    scores = [float(scores_at[_nearer(scores_at)]) for scores_at in by_number.values() if _nearer(scores_at)]
    return float(np.mean(scores)) if scores else np.nan


def _score_at_numbers_of(row: Mapping[str, Any], names: Sequence[str]) -> float:
    """Mean over the numbers of some groupings; of groupings of one number only one can be given back, the nearest counts."""
    numbers = _numbers(row)
    at_number: dict[int, list[str]] = {}
    for name in names:
        at_number.setdefault(numbers[name], []).append(name)
    given = row["given"]
    return float(np.mean([max(given[str(number)][name] for name in same) for number, same in at_number.items()]))


def _tells_other(record: Mapping[str, Any], beside: Mapping[str, Any]) -> bool:
    """Return whether a grouping that is named too is the other one that there is."""
    mine, theirs = _nearer(record["found"]), _nearer(beside)
    return mine != theirs and beside["number"] == _numbers(record)[theirs] and float(beside[theirs]) >= BEYOND_DOUBT


# ---------------------------------------------------------------------------------------------------------------------
# Tables
# ---------------------------------------------------------------------------------------------------------------------

Row = dict[str, Any]


def percent(values: pd.Series) -> str:
    """Return a share of sets; empty if there are none."""
    numbers = values.dropna().astype(float)
    return f"{100 * numbers.mean():.0f} %" if len(numbers) else ""


def mean(values: pd.Series) -> str:
    """Return a mean score; empty if there is none."""
    numbers = values.dropna().astype(float)
    return f"{numbers.mean():.2f}".replace("0.", ".", 1) if len(numbers) else ""


def column(rows: pd.DataFrame, name: str) -> pd.Series:
    """Return a column, without values where no set has any."""
    return rows[name] if name in rows else pd.Series(np.nan, index=rows.index)


def goals(rows: pd.DataFrame) -> list[Row]:
    """Return the aims of the product, the values reached, and whether these suffice."""
    groups, lines = rows[rows["family"].isin(GROUPS)], []

    def add(what: str, some: pd.DataFrame, values: pd.Series, wanted: float, most: bool = False) -> None:
        numbers = values.dropna().astype(float)
        if len(numbers):
            met = numbers.mean() <= wanted if most else numbers.mean() >= wanted
            bound = f"{'at most' if most else 'at least'} {wanted:g}"
            lines.append(
                {
                    "what": what,
                    "sets": len(numbers),
                    "reached": f"{numbers.mean():.3f}",
                    "asked": bound,
                    "met": "yes" if met else "no",
                }
            )

    for word in BEYOND:
        some = groups[column(groups, word).eq(True)]
        for what, part, right, alone, with_number in (
            (f"{word}, from 12 sequences", some[some["n"] >= 12], 0.95, 0.95, 0.98),
            (f"{word}, 8 sequences", some[some["n"] < 12], 0.8, 0.8, 0.8),
        ):
            add(f"{what}: number right", part, part["right"], right)
            add(f"{what}: ARI without the number", part, column(part, "ari"), alone)
            add(f"{what}: ARI with the number", part, column(part, f"ari given of the {word}"), with_number)
    two = groups[groups["family"].eq("two_groupings") & groups["effect"].isin(["obvious", "clear"])]
    add("two groupings, obvious or clear: the other is named", two, two["told"], 0.95)
    obvious = groups[groups["effect"].eq("obvious") & (groups["n"] >= 12)]
    add(
        "obvious sets, from 12 sequences: every group in the right words", obvious, column(obvious, "words right"), 0.95
    )
    add("random labelings of sets with groups: words", groups, column(groups, "words by chance"), 0.02, most=True)
    one = rows[rows["family"].eq("process")]
    cut = 1.0 - one["right"]
    add("data without groups: cut", one, cut, 0.05, most=True)
    if len(one):
        worst = str(cut.groupby(one["kind"]).mean().idxmax())
        add(f"data without groups: cut, the worst ({worst})", one, cut[one["kind"].eq(worst)], 0.1, most=True)
        sure = column(one, "says").eq(SURE).astype(float)
        add("data without groups: called clearly separated", one, sure, 0.01, most=True)
        worst = str(sure.groupby(one["kind"]).mean().idxmax())
        add(
            f"data without groups: called clearly separated, the worst ({worst})",
            one,
            sure[one["kind"].eq(worst)],
            0.03,
            most=True,
        )
    single = _each_look(rows[~rows["family"].eq("continuum")], "one")
    add("a second look inside one true group: cuts it", rows, single, 0.05, most=True)
    add(
        "a second look: its time relative to that of choosing the number",
        rows,
        column(rows, "cost of looks"),
        0.5,
        most=True,
    )
    line = rows[rows["family"].eq("continuum")]
    add("a continuum: left whole or warned of", line, line["right"].eq(1.0) | line["warned"].eq(True), 0.95)
    # One group is reported as no finding; no warning is needed.
    several = groups[column(groups, "number") > 1]
    bad, good = several[column(several, "ari") < BAD], several[column(several, "ari") >= GOOD]
    add(f"bad clusters (ARI below {BAD:g}): warned of", bad, bad["warned"], 0.6)
    add(f"good clusters (ARI from {GOOD:g}): warned of", good, good["warned"], 0.15, most=True)
    return lines


def _each_look(rows: pd.DataFrame, name: str) -> pd.Series:
    """Whether each group that holds one true group, or several, was seen to fall apart: 1 or 0 for each second look."""
    split, looks = (int(column(rows, f"{word} at {name}").fillna(0).sum()) for word in ("split", "looks"))
    return pd.Series(np.repeat([1.0, 0.0], [split, looks - split]))


def _looks(name: str) -> Callable[[pd.DataFrame], str]:
    return lambda part: percent(_each_look(part, name))


def _counted(name: str) -> Callable[[pd.DataFrame], str]:
    return lambda part: str(int(column(part, name).fillna(0).sum()))


def table_of(rows: pd.DataFrame, by: Sequence[str], cells: Mapping[str, Callable[[pd.DataFrame], str]]) -> list[Row]:
    """Return a row for each combination of values of some columns, in the order in which they come, and one for all."""
    lines = []
    for values, part in rows.groupby(list(by), sort=False, observed=True):
        lines.append(
            {
                **dict(zip(by, map(str, values), strict=True)),
                "sets": len(part),
                **{name: cell(part) for name, cell in cells.items()},
            }
        )
    if len(lines) > 1:
        whole = {name: "all" if name == by[0] else "" for name in by}
        lines.append({**whole, "sets": len(rows), **{name: cell(rows) for name, cell in cells.items()}})
    return lines


def _rates(name: str) -> Callable[[pd.DataFrame], str]:
    return lambda part: percent(column(part, name))


def _means(name: str) -> Callable[[pd.DataFrame], str]:
    return lambda part: mean(column(part, name))


def _cut(name: str) -> Callable[[pd.DataFrame], str]:
    """Return the share of sets in which more than one cluster is found."""
    return lambda part: percent(1.0 - column(part, name))


DEFAULT: Mapping[str, Callable[[pd.DataFrame], str]] = {
    "obvious": _rates("obvious"),
    "seen": _rates("seen"),
    "number right": _rates("right"),
    "ARI without": _means("ari"),
    "ARI with": _means("ari given"),
}
"""Values of the default that are shown."""


def ordered(rows: pd.DataFrame) -> pd.DataFrame:
    """Return rows by family, kind, effect and size, as the tables of the code have them."""
    effects = ["obvious", "clear", "hidden", "none"]
    keys = pd.DataFrame(
        {
            "kind": rows["kind"].map({name: i for i, name in enumerate(KINDS)}),
            "effect": rows["effect"].map(effects.index),
            "n": rows["n"],
        }
    )
    return rows.loc[keys.sort_values(["kind", "effect", "n"], kind="stable").index]


def sections(rows: pd.DataFrame) -> list[str]:
    """Return the tables, each behind its heading and what it shows."""
    rows = ordered(rows)
    groups = rows[rows["family"].isin(GROUPS)]
    one, line = rows[rows["family"].eq("process")], rows[rows["family"].eq("continuum")]
    crossing = groups[groups["family"].isin(["two_groupings", "hierarchy"])]
    body = [
        "## Targets",
        f"*Obvious*: a view that is cut by itself at the true number has a silhouette of {BEYOND_DOUBT:g} or more, whatever groups"
        " it shows; *seen*: the true groups have it under some view. Each of two groupings is requested by its own number; where"
        " both have the same number, either may be given back.",
        _table(goals(rows)),
    ]
    if len(groups):
        body += [
            "## The number of groups, compared with rules on one matrix",
            "Share of the sets in which the number is right.",
            _table(
                table_of(
                    groups,
                    ["family", "effect"],
                    {"default": _rates("right"), **{name: _rates(f"{name} right") for name in ON_ONE}},
                )
            ),
            "## The groups when no number is given",
            "Mean adjusted Rand index.",
            _table(
                table_of(
                    groups,
                    ["family", "effect"],
                    {"default": _means("ari"), **{name: _means(f"{name} ari") for name in ON_ONE}},
                )
            ),
            "## The groups when their number is given",
            "Mean adjusted Rand index; the best view is that with the largest silhouette when it is cut by itself.",
            _table(
                table_of(
                    groups,
                    ["family", "effect"],
                    {
                        "default": _means("ari given"),
                        "fused": _means(f"{FUSED} given"),
                        "dtw": _means("dtw given"),
                        "best view": _means("view given"),
                    },
                )
            ),
            "## By kind",
            _table(table_of(groups, ["kind", "effect"], {**DEFAULT, "best view": _means("view given")})),
            "## By size and shape of the set",
            *(
                _table(table_of(groups.sort_values(name, kind="stable"), [name], DEFAULT))
                for name in ("n", "k", "sizes", "lengths", "outliers")
            ),
        ]
    if len(crossing):
        body += [
            "## Two groupings",
            "The result is compared with the grouping that it is nearer to; *other named*: the other one is named too.",
            _table(
                table_of(
                    crossing,
                    ["kind", "effect"],
                    {
                        "number right": _rates("right"),
                        "ARI without": _means("ari"),
                        "the first": lambda part: percent(part["nearer"].eq("groups")),
                        "other named": _rates("told"),
                    },
                )
            ),
        ]
    if "says" in rows:
        body += [
            "## What is said first",
            "By the degree of the first sentence: how many sets, how many of them have no groups, a continuum or groups, and of"
            " those with groups how often the number is right, and the ARI. *True*: that groups are apart, where the number is"
            f" right and the ARI {BEYOND_DOUBT:g} or more; that sequences lie between them, where it is {GOOD:g} or more; that"
            " there is one group, or are parts of a continuum, where no groups were planted.",
            _table(
                table_of(
                    rows[rows["says"].notna()],
                    ["says"],
                    {
                        "no groups": _share_of(("process",)),
                        "a continuum": _share_of(("continuum",)),
                        "groups": _share_of(GROUPS),
                        "number right": lambda part: percent(part.loc[part["family"].isin(GROUPS), "right"]),
                        "ARI": lambda part: mean(column(part[part["family"].isin(GROUPS)], "ari")),
                        "true": _rates("sentence true"),
                    },
                )
            ),
        ]
    looks = column(rows, "looks at one").fillna(0) + column(rows, "looks at several").fillna(0)
    if len(looked := rows[looks > 0]):
        body += [
            "## The second look",
            "Groups of 20 or more that were found are divided further. How many of them hold one true group or several (of a"
            " continuum and of data without groups there is one), how many of each are cut, clusters of outliers alone aside,"
            " and the time that it takes, as a share of that of choosing the number.",
            _table(
                table_of(
                    looked,
                    ["family"],
                    {
                        "hold one": _counted("looks at one"),
                        "of these cut": _looks("one"),
                        "hold several": _counted("looks at several"),
                        "of those cut": _looks("several"),
                        "time": _means("cost of looks"),
                    },
                )
            ),
        ]
    if len(worded := groups[column(groups, "words right").notna()]):
        body += [
            "## How groups are called",
            "Share of the sets in which every true group is called by a property, of the right column, that it was made to"
            " differ in or that follows from it; one may be what the others are not. *By chance*: the share in which random groups"
            " of these sizes are called anything.",
            _table(
                table_of(
                    worded, ["kind", "effect"], {"right": _rates("words right"), "by chance": _rates("words by chance")}
                )
            ),
        ]
    if len(one):
        by_size = {f"{n} sequences": _cut_at(int(n)) for n in sorted(one["n"].unique())}
        by_length = {f"{name} lengths": _cut_where("lengths", name) for name in dict.fromkeys(one["lengths"])}
        body += [
            "## Data without groups",
            "Share of the sets that are cut.",
            _table(table_of(one, ["kind"], {"default": _cut("right"), **by_size, **by_length})),
            _interval("are cut", 1.0 - one["right"]),
            _interval("are called clearly separated", column(one, "says").eq(SURE)),
            "The same by rules on one matrix, on the first of these sets; those by silhouette never say one.",
            _table(table_of(one, ["kind"], {name: _cut(f"{name} right") for name in ON_ONE})),
        ]
    if len(line):
        body += [
            "## Continua",
            "Share of the sets that are left whole, and that are cut and warned of as such.",
            _table(
                table_of(
                    line,
                    ["kind"],
                    {
                        "left whole": _rates("right"),
                        "cut and warned of": lambda part: percent(part["right"].eq(0.0) & part["warned"].eq(True)),
                        "neither": lambda part: percent(part["right"].eq(0.0) & ~part["warned"].eq(True)),
                        **{
                            f"whole: {name}": _rates(f"{name} right")
                            for name in ON_ONE
                            if not name.endswith("silhouette")
                        },
                    },
                )
            ),
        ]
    return body


def _share_of(families: Sequence[str]) -> Callable[[pd.DataFrame], str]:
    return lambda part: percent(part["family"].isin(families))


def _cut_at(n: int) -> Callable[[pd.DataFrame], str]:
    return lambda part: percent(1.0 - part.loc[part["n"].eq(n), "right"])


def _cut_where(name: str, value: str) -> Callable[[pd.DataFrame], str]:
    return lambda part: percent(1.0 - part.loc[part[name].eq(value), "right"])


def _interval(what: str, counted: pd.Series) -> str:
    count = int(counted.sum())
    low, high = binomtest(count, len(counted)).proportion_ci(method="exact")
    return f"{count} of {len(counted)} {what} (95 % interval of Clopper and Pearson {low:.3f} to {high:.3f})."


def _table(lines: Sequence[Row]) -> str:
    return markdown(lines, list(lines[0])) + "\n" if lines else ""


def method() -> list[str]:
    """Return how sets are made and judged, from the tables of the code."""
    kinds = [
        {
            "kind": kind.name,
            "family": FAMILIES[kind.family],
            "what groups differ in, or what it is": kind.does,
            "groups": f"{kind.least} to {kind.most}" if kind.most > 1 else "",
            "step, noise": "; ".join(f"{s.step:g}, {s.noise:g}" for s in kind.strengths.values()),
        }
        for kind in KINDS.values()
    ]
    plans = [
        {
            "families": ", ".join(FAMILIES[name] for name in plan.families),
            **{f"{n}": plan.counts.get(n, "") for n in sorted({n for each in GRID for n in each.counts})},
            "take turns": "; ".join(
                ", ".join(dict.fromkeys(map(str, axis)))
                for axis in (plan.effects, plan.sizes, plan.lengths, plan.outliers)
                if len(set(axis)) > 1
            ),
        }
        for plan in GRID
    ]
    ranges = ", ".join(
        f"{name} {least} to {most}" if least < most else f"{name} {least}" for name, (least, most) in FRAMES.items()
    )
    beside = ", ".join(f"{effect} {value:g}" for effect, value in BESIDE.items())
    return [
        "## How it is done",
        f"`make laboratory` repeats it. Every group has at least {LEAST} sequences; unequal ones grow by one factor, up to ten"
        " times."
        f" Frames: {ranges}. Members of a group differ in what the groups differ in, by a deviation of so many steps: {beside}."
        " Outliers are walks of three times the spread of the others; no score counts them, nor a cluster of them alone.",
        f"Rules try up to {MOST} clusters and as many as there may be groups, on the matrix of DTW and on that of the default's"
        f" views, cut as the product cuts them. The gap statistic: k-means of the {DIMENSIONS} leading coordinates of classical"
        f" scaling, {REFERENCES} sets uniform along their axes. HDBSCAN of scikit-learn: clusters of at least {LEAST}. Single"
        f" views: {', '.join(VIEWS)}.",
        "Sets of each kind by their number of sequences; all other axes take turns, so that each value comes as often as any"
        " other.",
        _table(plans),
        _table(kinds),
    ]


def page_of(rows: pd.DataFrame, n_cases: int) -> str:
    """Return the page in Markdown; `n_cases` is the number of sets there should be."""
    failed = rows.filter(like="failed").notna().any(axis=1)
    missing = n_cases - len(rows)
    lines = [
        "# Laboratory of planted structure",
        f"{len(rows)} sets whose groups are known since they were made; the default (`kinseq.cluster(sequences)`) chooses the"
        " number of clusters and cuts them. The same sets are cut at their true number, by rules that people use on one"
        " matrix, and view by view. Adjusted Rand index (ARI): 1 is perfect, 0 is chance.",
    ]
    if missing:
        lines.append(f"**{missing} sets of the grid are not in these tables.**")
    if failed.any():
        lines.append(f"On {int(failed.sum())} sets something failed; where the default did, that counts as 0.")
    return "\n\n".join(part.strip("\n") for part in [*lines, *sections(rows), *method()] if part) + "\n"


def summary(rows: pd.DataFrame) -> pd.DataFrame:
    """Return one row per kind and effect: means of all scores."""
    rows = ordered(rows)
    names = [str(name) for name in rows.columns]
    plain = ("obvious", "seen", "warned", "told", "sure")
    scores = [name for name in names if name in plain or name.endswith(("right", "ari", "given"))]
    keys = ["family", "kind", "effect"]
    numeric = rows[keys].join(rows[scores].apply(pd.to_numeric, errors="coerce"))
    grouped = numeric.groupby(keys, sort=False)
    return pd.concat([grouped.size().rename("sets"), grouped[scores].mean().round(3)], axis=1).reset_index()


def write_page(records: Iterable[Mapping[str, Any]], n_cases: int, folder: Path, name: str = "laboratory") -> Path:
    """Write the page and, as CSV, its summary; returns the page."""
    rows = frame(records)
    if "right" not in rows or rows["right"].isna().all():
        raise DataError("laboratory: nothing was run yet; give it a longer budget")
    # A set with runs of other rules only says nothing about the default.
    rows = rows[rows["right"].notna()]
    folder.mkdir(parents=True, exist_ok=True)
    write_text(folder / f"{name}.csv", summary(rows).to_csv(index=False, lineterminator="\n"))
    write_text(folder / f"{name}.md", page_of(rows, n_cases))
    return folder / f"{name}.md"
