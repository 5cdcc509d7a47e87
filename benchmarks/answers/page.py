"""The page of the benchmark: who wins where, the ranks, paired differences, costs, and how the default was chosen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from io import StringIO
from pathlib import Path

import numpy as np
import pandas as pd

from kinseq.core.errors import DataError
from kinseq.core.store import write_text
from kinseq.plotting.html import page, table

from . import ceiling, channels
from .comparison import EQUAL, Difference, LeftOut, differences, leave_one_out, ranks
from .contenders import BESIDE, CANDIDATES, CONTENDERS, COSTS, EVERY, VIEWS, YARDSTICK, Contender
from .loading import GROUPS, BenchSet
from .running import Outcome

OTHERS = ("fusion", "elastic_aeon")
"""Contenders that the cost of the default is compared with: the fusion of all views, and the same alignments by aeon."""
GOOD = 0.5
"""Adjusted Rand index from which on clusters count as good where warnings are counted."""
DOUBTS = ("without structure", "unstable", "continuous")
"""Cautions about the clusters as such; the others are about measures, single sequences and other numbers of clusters."""
CLOSE = 0.02
"""Scores this close to the best of a set count as the best."""
RUN = ("ok", "failed", "out of time")
"""States of a contender that took part."""
ALL = "all sets"
"""Name of all sets together."""
PUBLISHED = {
    "open": "open",
    "aside": "kept aside",
    "deciding": "archive, to decide",
    "confirming": "archive, to confirm",
}
"""Names of groups in the published tables."""
PARTS = {
    "open sets": ["open"],
    "kept aside": ["kept aside"],
    "archive": ["archive, to decide", "archive, to confirm"],
}
"""Columns of the published differences to the groups that they are over."""
MEAN, CPU = "mean", "CPU, median (s)"
"""Rows of the published scores that are not sets."""


def frame(outcomes: Sequence[Outcome], value: str, contenders: Sequence[Contender]) -> pd.DataFrame:
    """Return scores or costs, one row per set, one column per contender in the order given; NaN if there are none."""
    names = [contender.name for contender in contenders]
    rows = [entry for entry in outcomes if entry.contender in names]
    cells = {(entry.data, entry.contender): getattr(entry, value) for entry in rows}
    sets = list(dict.fromkeys(entry.data for entry in rows))
    filled = {name: [cells.get((data, name)) for data in sets] for name in names}
    return pd.DataFrame(filled, index=sets, dtype=np.float64)


def present(scores: pd.DataFrame) -> pd.DataFrame:
    """Without contenders that have clusters nowhere, and without sets on which none has."""
    return scores.dropna(axis=1, how="all").dropna(axis=0, how="all")


def places(scores: pd.DataFrame, outcomes: Sequence[Outcome]) -> pd.DataFrame:
    """Ranks of the contenders on each set among those that were run on it; NaN for one that was not."""
    run = {(entry.data, entry.contender) for entry in outcomes if entry.status in RUN}
    here = [[(data, name) in run for name in scores.columns] for data in scores.index]
    return ranks(scores, pd.DataFrame(here, index=scores.index, columns=scores.columns))


def parts(scores: pd.DataFrame, sets: Sequence[BenchSet]) -> dict[str, pd.DataFrame]:
    """Return all sets, and if there are several groups each of them, by the words of :data:`GROUPS`."""
    group = scores.index.map({entry.name: entry.group for entry in sets})
    each = {words: scores[group == name] for name, words in GROUPS.items() if (group == name).any()}
    return {ALL: scores, **(each if len(each) > 1 else {})}


def write_page(
    outcomes: Sequence[Outcome],
    sets: Sequence[BenchSet],
    missing: Mapping[str, str],
    settings: Sequence[str],
    folder: Path,
) -> Path:
    """Write ``index.html``, ``scores.csv`` and ``summary.md`` and return the page.

    `sets` are those that were run, `missing` says by name why others could not be had, `settings` how it was run:
    sizes, limits, versions.
    """
    scores = present(frame(outcomes, "ari", CONTENDERS))
    if scores.empty:
        raise DataError("bench: no contender has clusters of any set; see the messages above")
    titles = {entry.name: entry.title for entry in EVERY}
    every, reference = _with_candidates(outcomes, scores), str(scores.columns[0])
    compared = {words: differences(every.loc[rows.index], reference) for words, rows in parts(scores, sets).items()}
    placed = places(scores, outcomes)
    body = [
        "<h1>Whose clusters are better?</h1>",
        '<p class="how">Adjusted Rand index against the labels, at the true number of clusters and everybody\'s defaults;'
        " 1 is perfect, 0 is chance. No setting was chosen with these labels except where the page says so.</p>",
        *(f'<p class="how">{escape(line)}</p>' for line in findings(scores, placed, compared[ALL], sets, titles)),
        "<h2>Ranks</h2>",
        _rank_figure(placed, titles),
        "<h2>Scores by set</h2>",
        *_score_table(scores, placed, outcomes, sets, titles),
        "<h2>Differences, paired by set</h2>",
        '<p class="how">Mean over the sets that both have clusters of, with its bootstrap interval over sets; the p-value'
        " of a sign-flip test, after Holm's correction for all rows.</p>",
        *(line for words, rows in compared.items() for line in _difference_table(words, rows, titles)),
        *channels.section(outcomes, {entry.name: entry.title for entry in sets}),
        "<h2>Other scores, and CPU</h2>",
        *_cost_table(outcomes, scores, titles),
        "<h2>Cost of the default, of a fusion of all views, and of its alignments by aeon</h2>",
        *_ratio_table(outcomes),
        "<h2>How many clusters, and what the page warns of</h2>",
        *_number_table(outcomes, sets),
        "<h2>How the default was chosen</h2>",
        *_choice(outcomes, titles),
        "<h2>What a choice with the labels at hand would reach</h2>",
        *_ceiling_tables(outcomes, sets, titles),
        "<h2>Who takes part</h2>",
        *table(
            ["Contender", "Package", "What is called"],
            [[escape(c.title), escape(c.package), escape(c.does)] for c in EVERY],
        ),
        *_sources(sets),
        "<h2>How it was run</h2>",
        *(f'<p class="how">{escape(line)}</p>' for line in settings),
        *(f'<p class="how">{escape(f"Not run: {why}")}</p>' for why in missing.values()),
    ]
    folder.mkdir(parents=True, exist_ok=True)
    rows = pd.DataFrame([vars(entry) for entry in outcomes])
    write_text(folder / "scores.csv", rows.to_csv(index=False, lineterminator="\n"))
    write_text(folder / "summary.md", summary(outcomes, scores, compared, sets, titles))
    write_text(folder / "index.html", page("Whose clusters are better?", body))
    return folder / "index.html"


def publish(
    outcomes: Sequence[Outcome], sets: Sequence[BenchSet], contenders: Sequence[Contender], folder: Path
) -> None:
    """Write ``peers.csv``, ``peers-means.csv`` and ``peers-differences.csv`` in `folder`, from which the documentation is made.

    What was not run stays as it is published: columns of other contenders, and sets that could not be had. Sets of the archive of
    many channels have ``peers-channels.csv``, with the others that have several.
    """
    channels.publish(outcomes, folder)
    apart = {entry.name for entry in channels.CHANNELS}
    outcomes = [entry for entry in outcomes if entry.data not in apart]
    sets = [entry for entry in sets if entry.name not in apart]
    file, sums = folder / "peers.csv", folder / "peers-means.csv"
    titles = {entry.name: entry.title for entry in contenders}
    group_of = {entry.name: PUBLISHED[entry.group] for entry in sets}
    rows = _rows_of(file, "set")
    seconds = {group: row for (group, name), row in _rows_of(sums, "statistic").items() if name == CPU}
    scores, cpu = (frame(outcomes, value, contenders).rename(columns=titles) for value in ("ari", "cpu"))
    for name, values in scores.dropna(axis=1, how="all").iterrows():
        rows.setdefault((group_of[str(name)], str(name)), {}).update(values)
    for group in dict.fromkeys(group_of.values()):
        medians = cpu[[group_of[name] == group for name in cpu.index]].median().dropna()
        seconds.setdefault(group, {}).update(medians)
    columns = list(dict.fromkeys(name for row in rows.values() for name in row))
    every = pd.DataFrame(rows).T.reindex(columns=columns).astype(np.float64)
    groups = [words for words in PUBLISHED.values() if words in every.index.get_level_values(0)]
    scored = [pd.DataFrame(every.loc[group]).rename_axis("set").reset_index().assign(group=group) for group in groups]
    # Means use unrounded scores.
    summed = pd.DataFrame(
        {
            key: row
            for group in groups
            for key, row in (((group, MEAN), every.loc[group].mean()), ((group, CPU), seconds[group]))
        }
    ).T.rename_axis(["group", "statistic"])
    _write_csv(file, pd.concat(scored)[["group", "set", *columns]])
    _write_csv(sums, summed.reset_index()[["group", "statistic", *columns]])
    write_text(folder / "peers-differences.csv", _differences_of(every).to_csv(index=False, lineterminator="\n"))


def _rows_of(file: Path, name: str) -> dict[tuple[str, str], dict[str, float]]:
    """Return rows of a published table by group and by the column `name`; none if it is not there."""
    if not file.is_file():
        return {}
    table = pd.read_csv(file)
    columns = [str(column) for column in table.columns if column not in ("group", name)]
    keys = zip(table["group"].astype(str), table[name].astype(str), strict=True)
    return {
        key: dict(zip(columns, values, strict=True))
        for key, values in zip(keys, table[columns].to_numpy(), strict=True)
    }


def _write_csv(file: Path, table: pd.DataFrame) -> None:
    write_text(file, table.to_csv(index=False, float_format="%.4g", lineterminator="\n"))


def _differences_of(scores: pd.DataFrame) -> pd.DataFrame:
    """Return the first column less each other that has clusters in every group; rows are sets of a group."""
    parts = {ALL: scores, **{words: scores.loc[groups] for words, groups in PARTS.items()}}
    complete = [str(name) for name in scores if all(part[name].notna().any() for part in parts.values())]
    compared = {
        words: {entry.other: entry for entry in differences(part[complete].reset_index(drop=True), complete[0])}
        for words, part in parts.items()
    }
    rows = []
    for name in complete[1:]:
        entry = compared[ALL][name]
        row = {
            "against": name,
            "sets": entry.n,
            "difference, all": f"{entry.mean:+.2f}",
            "95 % interval": f"{entry.low:+.2f} to {entry.high:+.2f}",
            "better / same / worse": f"{entry.better} / {entry.n - entry.better - entry.worse} / {entry.worse}",
            "p, all": f"{entry.adjusted:.3f}",
        }
        for words in PARTS:
            row |= {words: f"{compared[words][name].mean:+.2f}"}
            row |= {f"p, {words.removesuffix(' sets')}": f"{compared[words][name].adjusted:.3f}"}
        rows.append(row)
    return pd.DataFrame(rows)


def _with_candidates(outcomes: Sequence[Outcome], scores: pd.DataFrame) -> pd.DataFrame:
    """Return scores of the contenders, and of the candidates and their yardstick behind them."""
    return pd.concat([scores, present(frame(outcomes, "ari", (*CANDIDATES, YARDSTICK)))], axis=1)


def findings(
    scores: pd.DataFrame,
    placed: pd.DataFrame,
    compared: Sequence[Difference],
    sets: Sequence[BenchSet],
    titles: Mapping[str, str],
) -> list[str]:
    """Return sentences on the numbers."""
    reference = str(scores.columns[0])
    place, counts = placed.mean().sort_values(), placed.count()
    first = str(place.index[0])
    best = (
        f"{titles[first]} has the best mean rank ({place.iloc[0]:.1f} of {scores.shape[1]}) over {counts[first]} sets"
    )
    own = "" if first == reference else f"; {titles[reference]} has {place[reference]:.1f}"
    sentences = [f"{best}{own}{', and' if first == reference else ', with'} a mean of {scores[reference].mean():.2f}."]
    fewer = [f"{titles[str(name)]} on {counts[name]}" for name in placed.columns if counts[name] < len(scores)]
    if fewer:
        sentences.append(f"Not run on all of the {len(scores)} sets, and ranked on the others: {'; '.join(fewer)}.")
    ahead = [titles[entry.other] for entry in compared if entry.adjusted < 0.05 and entry.mean > 0]
    behind = [titles[entry.other] for entry in compared if entry.adjusted < 0.05 and entry.mean < 0]
    open_ = [titles[entry.other] for entry in compared if not entry.adjusted < 0.05]
    for words, names in (("ahead of", ahead), ("behind", behind), ("not distinguished from", open_)):
        if names:
            sentences.append(f"Over these sets {titles[reference]} is {words}: {'; '.join(names)}.")
    kinds = {entry.name: entry.kind for entry in sets}
    for kind, rows in scores.groupby(scores.index.map(kinds)):
        # Means over different sets are not comparable.
        mean = rows.dropna(axis=1).mean().sort_values(ascending=False)
        if mean.empty:
            continue
        names = [titles[str(name)] for name in mean.index if mean[name] >= mean.iloc[0] - CLOSE]
        own = (
            ""
            if titles[reference] in names or reference not in mean
            else f", {titles[reference]} {mean[reference]:.2f}"
        )
        sentences.append(
            f"Where the classes differ by the {kind} ({len(rows)} sets): {', '.join(names)} {mean.iloc[0]:.2f}{own}."
        )
    return sentences


def _score_table(
    scores: pd.DataFrame,
    placed: pd.DataFrame,
    outcomes: Sequence[Outcome],
    sets: Sequence[BenchSet],
    titles: Mapping[str, str],
) -> list[str]:
    notes = {(entry.data, entry.contender): entry for entry in outcomes}
    set_of = {entry.name: entry for entry in sets}
    rows = []
    for data, line in scores.iterrows():
        best = line.max()
        cells = []
        for name, value in line.items():
            outcome = notes.get((str(data), str(name)))
            if np.isnan(value):
                cells.append(f'<span title="{escape(outcome.why)}">{escape(outcome.status)}</span>' if outcome else "")
            else:
                cells.append(f"<b>{value:.2f}</b>" if value >= best - CLOSE else f"{value:.2f}")
        entry = set_of[str(data)]
        rows.append([f"{escape(entry.title)} <small>({escape(entry.kind)})</small>", *cells])
    for words, some in parts(scores, sets).items():
        rows.append([f"<b>mean, {words}</b>", *(f"{value:.2f}" for value in some.mean())])
    rows.append(["<b>mean rank</b>", *(f"{value:.1f}" for value in placed.mean())])
    header = ["Set", *(titles[str(name)] for name in scores.columns)]
    return table(header, rows, numeric=range(1, len(header)))


def _difference_table(words: str, compared: Sequence[Difference], titles: Mapping[str, str]) -> list[str]:
    rows = [
        [
            escape(titles[entry.other]),
            str(entry.n),
            f"{entry.mean:+.2f}",
            f"{entry.low:+.2f} to {entry.high:+.2f}",
            f"{entry.better} / {entry.n - entry.better - entry.worse} / {entry.worse}",
            f"{entry.p:.3f}",
            f"{entry.adjusted:.3f}",
        ]
        for entry in compared
    ]
    header = [f"Against, {words}", "Sets", "Difference", "Interval", "Better / same / worse", "p", "p, Holm"]
    return table(header, rows, numeric=range(1, len(header)))


def _sources(sets: Sequence[BenchSet]) -> list[str]:
    """Return where sets come from that are not among the documents' or bundled with a dependency."""
    rows = [[escape(entry.title), escape(entry.source)] for entry in sets if entry.source]
    return ["<h2>Where sets come from</h2>", *table(["Set", "Source and licence"], rows)] if rows else []


def _cost_table(outcomes: Sequence[Outcome], scores: pd.DataFrame, titles: Mapping[str, str]) -> list[str]:
    shared = [entry for entry in CONTENDERS if entry.name in scores.columns]
    similarity, cpu = frame(outcomes, "nmi", shared), frame(outcomes, "cpu", shared)
    missing = frame(outcomes, "ari", shared).isna().sum()
    rows = [
        [
            escape(titles[entry.name]),
            f"{similarity[entry.name].mean():.2f}",
            f"{cpu[entry.name].median():.1f} s",
            f"{cpu[entry.name].max():.1f} s",
            str(int(missing[entry.name])),
        ]
        for entry in shared
    ]
    header = ["Contender", "Mean NMI", "CPU, median", "CPU, largest", "Sets without clusters"]
    return table(header, rows, numeric=range(1, len(header)))


def ratios(outcomes: Sequence[Outcome]) -> pd.DataFrame:
    """CPU seconds of the default, of a fusion of all views and of aeon's alignments, and how the first compares; by set."""
    ours = CONTENDERS[0].name
    cpu = frame(outcomes, "cpu", (CONTENDERS[0], *CANDIDATES, *BESIDE))[[ours, *OTHERS]].dropna(subset=[ours])
    for name in OTHERS:
        cpu[f"over {name}"] = cpu[ours] / cpu[name]
    return cpu.dropna(axis=0, subset=[f"over {name}" for name in OTHERS], how="all")


def _ratio_table(outcomes: Sequence[Outcome]) -> list[str]:
    ratio_rows = ratios(outcomes)
    if ratio_rows.empty:
        return ['<p class="how">Not run.</p>']
    rows = [[escape(str(data)), *_costs(line)] for data, line in ratio_rows.iterrows()]
    rows += [["<b>median</b>", *_costs(ratio_rows.median())]]
    header = ["Set", "default, s", "all views, s", "alignments by aeon, s", "ratio to all views", "ratio to aeon"]
    return table(header, rows, numeric=range(1, len(header)))


def _costs(line: pd.Series) -> list[str]:
    """Seconds and ratios of a row of :func:`ratios`."""
    return [_number(value, 2 if str(name).startswith("over") else 1) for name, value in line.items()]


def _number(value: float, digits: int) -> str:
    return "" if np.isnan(value) else f"{value:.{digits}f}"


def warned(outcome: Outcome) -> bool:
    """Return whether the page of these clusters would warn of them as such."""
    return bool(set(DOUBTS) & set(outcome.cautions or ()))


def _pairs(outcomes: Sequence[Outcome]) -> list[tuple[Outcome, Outcome]]:
    """Return the default at the true and at its own number of clusters, of the sets that have both."""
    cells = {(entry.data, entry.contender): entry for entry in outcomes if entry.status == "ok"}
    own, names = BESIDE[0].name, dict.fromkeys(entry.data for entry in outcomes)
    pairs = [(cells.get((data, CONTENDERS[0].name)), cells.get((data, own))) for data in names]
    return [(true, own_number) for true, own_number in pairs if true is not None and own_number is not None]


def counts_of_warnings(outcomes: Sequence[Outcome]) -> list[list[str]]:
    """Rows: clusters at the true and at the default's own number; of good and of bad ones, how many were warned of."""
    rows = []
    for i, words in enumerate(("true number", "its own number")):
        entries = [pair[i] for pair in _pairs(outcomes)]
        groups = [[e for e in entries if ((e.ari or 0.0) >= GOOD) == good] for good in (True, False)]
        rows.append([words, *(f"{sum(map(warned, group))} of {len(group)}" for group in groups)])
    return rows


def _number_table(outcomes: Sequence[Outcome], sets: Sequence[BenchSet]) -> list[str]:
    pairs, titles = _pairs(outcomes), {entry.name: entry.title for entry in sets}
    if not pairs:
        return ['<p class="how">Not run.</p>']
    rows = [
        [
            escape(titles[true.data]),
            f"{true.n_clusters}",
            f"{true.ari:.2f}",
            ", ".join(true.cautions or ()),
            f"{own.n_clusters}",
            f"{own.ari:.2f}",
            ", ".join(own.cautions or ()),
        ]
        for true, own in pairs
    ]
    means = [np.mean([pair[i].ari or 0.0 for pair in pairs]) for i in (0, 1)]
    rows.append(["<b>mean</b>", "", f"{means[0]:.2f}", "", "", f"{means[1]:.2f}", ""])
    header = ["Set", "True number", "ARI", "Cautions", "Its own", "ARI", "Cautions"]
    note = f"Of good clusters (adjusted Rand index of {GOOD} or more) and of bad ones, those with a warning: {', '.join(DOUBTS)}."
    return [
        *table(header, rows, numeric=(1, 2, 4, 5)),
        f'<p class="how">{escape(note)}</p>',
        *table(["Clusters at the", "good, warned", "bad, warned"], counts_of_warnings(outcomes), numeric=(1, 2)),
    ]


def _choice(outcomes: Sequence[Outcome], titles: Mapping[str, str]) -> list[str]:
    """Return candidates for the default, and what a choice on the other sets scores on the set left out."""
    choice = _left_out(outcomes)
    if choice is None:
        return ['<p class="how">Too few sets have clusters of every candidate.</p>']
    candidates, left = choice
    lines = [f'<p class="how">{escape(line)}</p>' for line in _sentence_of_choice(candidates, left, titles)]
    header = ["Set", *(titles[str(name)] for name in candidates.columns), "chosen on the others"]
    rows = [
        [escape(str(data)), *(f"{value:.2f}" for value in line), escape(titles[str(left.choices[str(data)])])]
        for data, line in candidates.iterrows()
    ]
    rows.append(["<b>mean</b>", *(f"{value:.2f}" for value in candidates.mean()), f"{left.scores.mean():.2f}"])
    return [*lines, *table(header, rows, numeric=range(1, len(header) - 1))]


def _left_out(outcomes: Sequence[Outcome]) -> tuple[pd.DataFrame, LeftOut] | None:
    candidates = frame(outcomes, "ari", (CONTENDERS[0], *CANDIDATES)).dropna(axis=1, how="all").dropna()
    return (candidates, leave_one_out(candidates, COSTS)) if len(candidates) > 1 and not candidates.empty else None


def _sentence_of_choice(candidates: pd.DataFrame, left: LeftOut, titles: Mapping[str, str]) -> list[str]:
    counts = left.choices.value_counts()
    counts_in_words = ", ".join(f"{titles[str(name)]} {count} times" for name, count in counts.items())
    return [
        f"Each of {len(candidates)} sets was left out in turn, and the cheapest candidate within {EQUAL} of the best mean over"
        " the others was scored on it, sets kept aside until then included:"
        f" {counts_in_words}; mean {left.scores.mean():.2f}. All sets together would choose {titles[left.best]}"
        f" ({candidates[left.best].mean():.2f})."
    ]


def _ceilings(outcomes: Sequence[Outcome], sets: Sequence[BenchSet]) -> dict[str, list[ceiling.Ceiling]]:
    """Of the open sets and of those kept aside; nothing where no view was run by itself."""
    scores = frame(outcomes, "ari", (*CONTENDERS, *CANDIDATES, YARDSTICK, *VIEWS)).dropna(axis=1, how="all")
    if CONTENDERS[0].name not in scores.columns or not {entry.name for entry in VIEWS} & set(scores.columns):
        return {}
    group = scores.index.map({entry.name: entry.group for entry in sets})
    groups = {words: scores[group == name] for name, words in GROUPS.items() if words in ceiling.TARGETS}
    return {words: ceiling.ceilings(some, ceiling.TARGETS[words]) for words, some in groups.items() if len(some)}


def _ceiling_tables(outcomes: Sequence[Outcome], sets: Sequence[BenchSet], titles: Mapping[str, str]) -> list[str]:
    ceilings, lines = _ceilings(outcomes, sets), []
    for words, entries in ceilings.items():
        sentence = (
            f"Goal on {words}: {ceiling.TARGETS[words]:.2f}. The way to it is counted from the default to the best on each"
            " set; the fewest sets are those on which the best would have to be chosen, if they were the right ones."
        )
        rows = [[escape(cell) for cell in row] for row in ceiling.rows(entries, titles)]
        lines += [f'<p class="how">{escape(sentence)}</p>', *table(list(ceiling.HEADER), rows, numeric=(1, 3, 4, 5))]
    return lines or ['<p class="how">Not run.</p>']


def _rank_figure(placed: pd.DataFrame, titles: Mapping[str, str]) -> str:
    """Ranks on every set as pale dots and their mean as a dark one, the best contender on top."""
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot as plt

    order = placed.mean().sort_values().index[::-1]
    with plt.rc_context({"svg.hashsalt": "kinseq", "svg.fonttype": "none", "font.size": 9}):
        figure, axes = plt.subplots(figsize=(7.0, 0.6 + 0.32 * len(order)), layout="constrained")
        for y, name in enumerate(order):
            column = placed[name].dropna().to_numpy()
            offsets = np.linspace(-0.22, 0.22, column.size) if column.size > 1 else np.zeros(1)
            axes.plot(column, y + offsets, "o", color="#b8c4d4", markersize=3.5)
            axes.plot(column.mean(), y, "D", color="#1A1A1A", markersize=6)
        axes.set_yticks(range(len(order)), [titles[str(name)] for name in order])
        axes.set_xlim(0.7, len(order) + 0.3)
        axes.set_xticks(range(1, len(order) + 1))
        axes.set_xlabel("rank on a set (1 is the best); diamond: mean")
        axes.spines[["top", "right"]].set_visible(False)
        text = StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None})
        plt.close(figure)
    svg = text.getvalue()
    return svg[svg.index("<svg") :]


def summary(
    outcomes: Sequence[Outcome],
    scores: pd.DataFrame,
    compared: Mapping[str, Sequence[Difference]],
    sets: Sequence[BenchSet],
    titles: Mapping[str, str],
) -> str:
    """Return the tables in markdown, for the documentation."""
    names = [titles[str(name)] for name in scores.columns]
    lines = ["| set | " + " | ".join(names) + " |", "|---|" + "--:|" * len(names)]
    for data, line in scores.iterrows():
        lines.append(f"| {data} | " + " | ".join("" if np.isnan(v) else f"{v:.2f}" for v in line) + " |")
    for words, some in parts(scores, sets).items():
        lines.append(f"| **mean, {words}** | " + " | ".join(f"{value:.2f}" for value in some.mean()) + " |")
    lines.append("| **mean rank** | " + " | ".join(f"{value:.1f}" for value in places(scores, outcomes).mean()) + " |")
    cpu = frame(outcomes, "cpu", CONTENDERS)[list(scores.columns)]
    lines.append("| CPU, median (s) | " + " | ".join(f"{value:.1f}" for value in cpu.median()) + " |")
    for words, rows in compared.items():
        lines += ["", *_summary_of_differences(words, rows, titles)]
    lines += _summary_of_ours(outcomes)
    for words, entries in _ceilings(outcomes, sets).items():
        lines += ["", f"| {words}: {' | '.join(ceiling.HEADER)} |", "|---|--:|---|--:|--:|--:|"]
        lines += [f"| {' | '.join(row)} |" for row in ceiling.rows(entries, titles)]
    choice = _left_out(outcomes)
    if choice is not None:
        lines += ["", *_sentence_of_choice(*choice, titles)]
    return "\n".join(lines) + "\n"


def _summary_of_differences(words: str, compared: Sequence[Difference], titles: Mapping[str, str]) -> list[str]:
    lines = [
        f"| against, {words} | sets | difference | 95 % interval | better / same / worse | p, Holm |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for entry in compared:
        same = entry.n - entry.better - entry.worse
        lines.append(
            f"| {titles[entry.other]} | {entry.n} | {entry.mean:+.2f} | {entry.low:+.2f} to {entry.high:+.2f}"
            f" | {entry.better} / {same} / {entry.worse} | {entry.adjusted:.3f} |"
        )
    return lines


def _summary_of_ours(outcomes: Sequence[Outcome]) -> list[str]:
    """Costs, numbers of clusters and warnings of the default, in markdown."""
    lines, ratio_rows, pairs = [], ratios(outcomes), _pairs(outcomes)
    if not ratio_rows.empty:
        lines += ["", "| set | default, s | all views, s | by aeon, s | ratio | ratio to aeon |", "|---|" + "--:|" * 5]
        for data, line in [*ratio_rows.iterrows(), ("**median**", ratio_rows.median())]:
            lines.append(f"| {data} | " + " | ".join(_costs(line)) + " |")
    if pairs:
        lines += ["", "| set | true number | ARI | warned | its own | ARI | warned |", "|---|" + "--:|" * 6]
        for pair in pairs:
            cells = [f"{e.n_clusters} | {e.ari:.2f} | {'yes' if warned(e) else ''}" for e in pair]
            lines.append(f"| {pair[0].data} | " + " | ".join(cells) + " |")
        lines += ["", "| clusters at the | good, warned | bad, warned |", "|---|--:|--:|"]
        lines += [f"| {' | '.join(row)} |" for row in counts_of_warnings(outcomes)]
    return lines
