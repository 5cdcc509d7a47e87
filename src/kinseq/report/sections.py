"""Sections of the page on a user's data, in order; the clusters have a file of their own.

Each function returns what the template of the page writes out, and None or nothing where the section is left out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ..analysis.verdict import NOT_IN_A_GROUP, Degree
from ..clustering.registry import get as get_clusterer
from ..core.arrays import IntArray
from ..core.clock import display_clock, duration, in_time
from ..core.wording import as_typed, count, in_seconds, listed, out_of
from ..features.recordings import recording_info
from ..features.registry import get as get_feature
from ..plotting.style import capital, number
from .content import CLUSTERS, EXAMPLES, Content, look_of, typeset
from .figures import figure_of, svg
from .groups import MOST, shortened, span
from .panels import Panel, strip
from .parts import Cell, Entry, PageTable, Sequenced, badge, counted, graded
from .recordings import Recordings

COLOURS: Mapping[Degree | None, str] = {
    "clear": "good",
    "separated": "good",
    "overlapping": "fair",
    "continuum": "fair",
    "lengths": "fair",
    "unclear": "poor",
}
"""Colours by degree: sure groups, groups with a reservation, unreliable groups; other degrees have none, since finding no
groups is as good a result."""
MAX_OUTLIERS = 20
"""Number of outliers shown."""
MAX_NAMED_COLUMNS = 8
"""Number of columns named in the sentence on what was compared."""
COLUMNS, CONFUSED = 20, 40
"""Largest numbers of clusters in tables of counts, and of labels in the table of scores."""


OTHER_FEATURES = (
    "They separate voices, instruments and rooms rather than words; the features called words are for short words,"
    " whoever says them, those called chroma for the harmony of music"
)
"""Uses of the usual features of recordings, and of others."""


OWN = "in no document; "
"""Prefixes of sources of measures that come from none of the documents, which a page does not cite."""


def intro(content: Content) -> str:
    """Describe the data and the measure."""
    sequences, first = content.everything.sequences, content.result.views[0].measure
    lengths, clusterer = content.everything.original.lengths, get_clusterer(content.result.options.clusterer).label
    if not content.result.details.has_content:
        return f"{len(sequences)} items with given dissimilarities, clustered by {clusterer}."
    symbols = content.result.original.alphabet is not None
    unit = "symbols" if symbols else "frames"
    span = f"{lengths.min()} to {lengths.max()} {unit}" if lengths.min() < lengths.max() else f"{lengths.max()} {unit}"
    clock = display_clock(content.everything.original)
    if clock is not None:
        longest = duration(clock, int(lengths.max()))
        span += (
            f" ({longest})"
            if lengths.min() == lengths.max()
            else f" ({in_time(clock, int(lengths.min()))} to {longest})"
        )
    features = "" if symbols else f" and {count(sequences.n_features, 'feature')}"
    return (
        f"{len(sequences)} sequences of {span}{features}{_columns(sequences)}, compared by {first.label}"
        f" ({first.source.removeprefix(OWN)}), clustered by {clusterer}.{_features(sequences)}"
        f"{content.heard and f' {content.heard}'}"
    )


def _columns(sequences: Any) -> str:
    """Names of the compared columns, in brackets; empty without names."""
    names = [str(name) for name in sequences.provenance.get("columns") or ()]
    short, common = shortened(names) if len(names) > MOST else (names, "")
    return f" ({common and f'{common}: '}{listed(short, MAX_NAMED_COLUMNS)})" if names else ""


def _features(sequences: Any) -> str:
    """Features of recordings that were compared; empty if there are none."""
    info = recording_info(sequences)
    features, recipe = info.features, info.recipe
    if not features:
        return ""
    feature = get_feature(info.feature)
    highest = info.sample_rate / 2
    if recipe.get("fmax"):
        highest = min(highest, float(recipe["fmax"]))
    text = f" Features of the sound up to {highest:g} Hz: {feature.label}"
    if {"window_seconds", "hop_seconds"} <= set(recipe):
        window, hop = (in_seconds(float(recipe[name])) for name in ("window_seconds", "hop_seconds"))
        text += f", of frames of {window}, one every {hop}"
    if features.get("mar"):
        text += f", summed up over {features['mar_window']:g} s every {features['mar_hop']:g} s"
    if (features.get("average") or 1) > 1:
        text += f", the mean of every {features['average']} frames"
    if feature.name == "speech":
        text += f". {OTHER_FEATURES}"
    return f"{text}.{feature.terms and f' Terms of use: {feature.terms}.'}"


def sampling(content: Content) -> str:
    """How a sample stands for all sequences; empty where all were compared."""
    whole = content.whole
    if whole is None:
        return ""
    n, size, comes_back = len(whole.labels), len(whole.sample_positions), whole._comes_back
    text = (
        f"{size} of the {n} sequences were drawn, in proportion to what there is of each length, level, spread and speed,"
        f" and compared with each other; everything but sizes, labels and partition.csv is about these. The other"
        f" {n - size} are each in the cluster whose nearest representatives (of {len(whole._base.labels)} in all) are least"
        " far on average."
    )
    if comes_back is not None:
        text += f" By this rule, {comes_back:.1%} of the sampled sequences that represent nothing come back to their own cluster."
    if (shortcut := whole._shortcut) is not None:
        text += (
            f" To save time, each of the others was first aligned with {shortcut.screen.compared} representatives, and with all of"
            f" them only where two clusters were about as near. Of the sampled sequences, {shortcut.in_doubt:.1%} were so, and"
            f" {shortcut.agreement:.1%} get the cluster that all representatives give."
        )
    return f"{text} How small a cluster can be seen: {whole._in_sight()}."


def how_sure(content: Content) -> str:
    """Certainty of the groups, with reasons; empty if nothing was examined."""
    result, reasons = content.result._division, []
    of_first = "" if result is content.result else " the first division is"
    if 1 < result.n_clusters < len(result.sequences):
        of_what = f" in {content.evidence_source}" if content.evidence_source else ""
        reasons.append(f"mean silhouette {number(content.silhouette, 2)} of 1{of_what}")
    if result.stability is not None and result.n_clusters > 1:
        reasons.append(
            f"found again in {result.stability.n_resamples} resamples with agreement {number(result.stability.ari, 2)} of 1"
        )
    numbers = result.numbers
    if is_compared(result):
        at_most = "at most" if numbers.is_bound else "="
        if result.n_clusters == 1:
            nearest = numbers.n_clusters == max(numbers.candidates, default=0)
            reasons += [
                f"the number that comes nearest, {k} clusters, has a mean silhouette of {number(float(height), 2)} of 1"
                for k, height in zip(numbers.n_clusters[nearest], numbers.silhouette[nearest], strict=True)
            ]
        reasons.append(f"data without groups look as clear with p {at_most} {numbers.p_value:.2g}")
    return f"How sure{of_first}: {'; '.join(reasons)}." if reasons else ""


def is_compared(result: Any) -> bool:
    """Whether numbers of clusters were compared with data without groups, in the deciding view."""
    numbers = result.numbers
    return (
        numbers is not None
        and numbers.p_value is not None
        and numbers.n_clusters.size > 0
        and result.decision.by is None
    )


def notes(sentences: Sequence[str]) -> list[str]:
    """Write notes as sentences."""
    # A note may start with the name of a file or of a column, which keeps its case.
    return [typeset(text) if re.search(r"[._]", text.split()[0]) else capital(typeset(text)) for text in sentences]


@dataclass(frozen=True)
class NumbersSection:
    """Evidence for each number of clusters: a figure, data without groups, its explanation, equally good numbers."""

    figure: str
    strip: Panel | None
    text: str
    others: str


def numbers(content: Content) -> NumbersSection | None:
    """Return the evidence for each number of clusters; None if no numbers were compared."""
    result = content.result._division
    if not is_compared(result):
        return None
    text = _against_chance(result.numbers, len(result.sequences))
    drawn = svg(figure_of(content, "numbers", titled=False), "numbers")
    return NumbersSection(drawn, _near_chance(result.numbers), text, _candidates(result))


def why_not_compared(content: Content) -> str:
    """Why numbers of clusters were not compared with data without groups."""
    options = content.result.options
    if options.n_clusters is not None:
        return "the number was given"
    return (
        "the clusterer finds the number"
        if get_clusterer(options.clusterer).finds_n_clusters
        else "one view or property shows the groups clearly"
    )


def _near_chance(numbers: Any) -> Panel | None:
    """Clarity of the groups, among sets of data without groups; None if those are unknown."""
    if len(numbers.tops) < 2:
        return None
    unit = "standard deviations" if numbers.references is None else "silhouette"
    tops = np.array(numbers.tops)
    title = f"how clear groups are, above what is usual without groups [{unit}]; grey: {count(tops.size - 1, 'set')} without groups"
    return strip(title, tops[0], tops[1:], "these data")


def _against_chance(numbers: Any, n: int) -> str:
    """Describe the data that the silhouettes were compared with."""
    first = (
        "Any data can be cut into clusters; what counts is how far the silhouette exceeds that of data without groups."
    )
    at_most, sets = "at most" if numbers.is_bound else "=", numbers.n_references
    if numbers.expected is None:
        return (
            f"{first} Data without groups look as clear with p {at_most} {numbers.p_value:.2g}, by {sets} simulated sets"
            f"{'; dots are those of the kind that comes nearest' if len(numbers.tops) > 1 else ''}."
        )
    some = f" on {numbers.n_items} sequences drawn at random" if numbers.n_items < n else ""
    return (
        f"{first} Grey: {sets} such sets{some}; they reach as large a difference"
        f" with p {at_most} {numbers.p_value:.2g}."
    )


def _candidates(result: Any) -> str:
    """Other numbers of clusters that do about as well; empty if there are none."""
    if not result.details.candidates:
        return ""
    numbers = " or ".join(map(str, result.details.candidates))
    sentence = (
        f"The evidence for {result.n_clusters} is about as good as for {numbers}"
        if result.n_clusters > 1
        else f"No number is clearer than chance; the closest one is {numbers}"
    )
    return f"{sentence}: switch between them above the map."


ON_THE_PAGE = 0.95
"""Share of the members of clusters, each within one group of another grouping, from which on that only joins clusters."""


class Other(NamedTuple):
    """Another grouping: what it is, how many of each of its groups are in which clusters, and the settings that give it."""

    text: str
    crossed: str
    settings: str


def others(content: Content) -> list[Other]:
    """Other clear groupings but those that only join clusters, which the page shows."""
    labels, found = content.result.labels, []
    for said, candidate in zip(content.others, content.result.decision.others, strict=True):
        inside = labels >= 0
        groups = np.maximum(candidate.grouping.labels, 0)
        counts = np.zeros((int(groups.max()) + 1, content.result.n_clusters), dtype=np.int64)
        np.add.at(counts, (groups[inside], labels[inside]), 1)
        if counts.max(axis=0).sum() >= ON_THE_PAGE * inside.sum():
            continue
        held = [
            listed(
                [f"{line[k]} from cluster {content.looks[k].number}" for k in np.flatnonzero(line)[:MAX_NAMED_COLUMNS]]
            )
            for line in counts
        ]
        text, _, settings = said.partition(": ")
        found.append(Other(capital(text), "; ".join(held), settings))
    return found


class Example(NamedTuple):
    """A typical recording to see and to hear."""

    item: int
    name: str
    panel: Panel


def clusters(content: Content) -> PageTable:
    """Facts on each cluster, and its most typical sequences."""
    result, every = content.result, content.everything
    labelled, is_sample = every.details.labelled, content.whole is not None
    columns: dict[str, list[Entry]] = {}
    for k in range(min(result.n_clusters, CLUSTERS)):
        members = np.setdiff1d(np.flatnonzero(every.labels == k), [] if is_sample else content.outside)
        facts: dict[str, Entry] = {"cluster": badge(content.looks[k]), "sequences": str(members.size)}
        if content.is_nested:
            facts["in the tables"] = str(k + 1)
        if is_sample:
            facts["sampled"] = str(int((result.labels == k).sum()))
        if result.stability is not None:
            facts["stability"] = graded(content, float(result.stability.jaccard[k]), 0.75, 0.6)
        if result.details.has_content:
            facts["length"] = span(every.original, every.original.lengths[members])
        if labelled.size:
            own = every.sequences.labels[np.intersect1d(members, labelled)].astype(str).tolist()
            facts["labels"] = ", ".join(f"{name} ({number})" for name, number in Counter(sorted(own)).most_common(4))
        typical = result.details.typical(k, EXAMPLES).tolist()
        facts["most typical, the medoid first"] = [Sequenced(one, str(result.sequences.ids[one])) for one in typical]
        for name, entry in facts.items():
            columns.setdefault(name, []).append(entry)
    return PageTable(list(columns), list(zip(*columns.values(), strict=True)), [1, 2] if is_sample else [1])


def examples(content: Content, recordings: Recordings) -> list[tuple[Cell, list[Example]]]:
    """The most typical recordings of each cluster; none where there are no recordings."""
    result = content.result
    return [
        (
            badge(content.looks[k]),
            [
                Example(one, (name := str(result.sequences.ids[one])), recordings.panel(one, name))
                for one in result.details.typical(k, EXAMPLES).tolist()
            ],
        )
        for k in range(min(result.n_clusters, CLUSTERS) if recordings else 0)
    ]


def outliers(content: Content) -> PageTable | None:
    """Return the anomalies of a single cluster; None where there are none. With several, what fits none has a picture."""
    result = content.result
    if result.n_clusters > 1:
        return None
    found = result.details.outlying
    rows: list[list[Entry]] = [
        [
            Sequenced(row.item, str(result.sequences.ids[row.item])),
            typeset(row.sentence),
            f"{row.deviations:.1f}",
            f"{row.away:.3g}",
        ]
        for row in found[found["anomaly"].astype(bool)][:MAX_OUTLIERS].itertuples()
    ]
    return (
        PageTable(["sequence", "furthest out in", "deviations", "mean dissimilarity"], rows, [2, 3]) if rows else None
    )


@dataclass(frozen=True)
class Views:
    """Agreement of the measures: a table, and for each further measure its name and a table of counts."""

    agreement: PageTable
    first: str
    crossed: Sequence[tuple[str, PageTable]]


def views(content: Content) -> Views | None:
    """Agreement of the measures; None for one measure."""
    result = content.result
    if len(result.views) < 2:
        return None
    rows: list[list[Entry]] = [
        [
            " and ".join(entry["measures"]),
            graded(content, entry["ari"], 0.75, 0.5),
            graded(content, entry["neighbours"], 0.5, 0.2),
            graded(content, entry["correlation"], 0.75, 0.5),
        ]
        for entry in result.details.agreement
    ]
    header = [
        "measures",
        "adjusted Rand index of the partitions",
        "agreement about the nearest neighbours",
        "rank correlation of the dissimilarities",
    ]
    first = result.views[0]
    counts = [(other.measure.name, _crossed(first, other)) for other in result.views[1:]]
    return Views(PageTable(header, rows, [1, 2, 3]), first.measure.name, counts)


def _crossed(first: Any, other: Any) -> PageTable:
    """Counts of sequences in each cluster under one measure and under another."""
    k, j = (min(int(view.labels.max()) + 1, COLUMNS) for view in (first, other))
    counts = np.zeros((k, j), dtype=int)
    keep = (first.labels < k) & (other.labels < j) & (first.labels >= 0) & (other.labels >= 0)
    np.add.at(counts, (first.labels[keep], other.labels[keep]), 1)
    return counted(
        first.measure.name,
        [badge(look_of(i)) for i in range(k)],
        [f"{other.measure.name} {i + 1}" for i in range(j)],
        counts,
    )


@dataclass(frozen=True)
class Scores:
    """How the clusters compare with labels, or else with sub-folders: sizes of both in common; scores and a sentence on labels."""

    counts: PageTable
    table: PageTable | None = None
    text: str = ""


def scores(content: Content) -> Scores | None:
    """Comparison of the clusters with the labels, or else with the sub-folders; None without either."""
    result = content.everything
    if not result.scores:
        folders = result.details.by_folder
        return None if folders is None else Scores(_by_name("sub-folder", result.n_clusters, *folders))
    names = list(next(iter(result.scores.values())))
    rows = [
        [measure, *(number(values[name], 1 if "%" in name else 2) for name in names)]
        for measure, values in result.scores.items()
    ]
    labels, counts = result.details.confusion()
    labelled = out_of(result.details.labelled.size, len(result.labels), "sequence")
    text = f"{labelled} have a label; there are {count(len(labels), 'different label')}."
    if content.result.options.n_clusters is None and len(labels) != result.n_clusters:
        wish = as_typed("n_clusters", len(labels))
        text += f" The number of clusters was chosen without them; {wish} gives as many clusters as labels."
    scored = PageTable(["measure", *names], rows, range(1, len(names) + 1))
    return Scores(_by_name("label", result.n_clusters, labels, counts), scored, text)


def _by_name(what: str, n_clusters: int, names: Sequence[str], counts: IntArray) -> PageTable:
    """How the sequences of each name fall into the clusters, in the order of the clusters that most of them are in."""
    order = sorted(range(len(names)), key=lambda row: (int(counts[row].argmax()), names[row]))[:CONFUSED]
    clusters = [str(k + 1) if k < n_clusters else NOT_IN_A_GROUP for k in range(min(counts.shape[1], COLUMNS))]
    return counted(what, [names[row] for row in order], clusters, counts[order, :COLUMNS])


def _each_by_name(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return options together with the parameters of measures."""
    return {**{name: value for name, value in given.items() if name != "params"}, **given.get("params", {})}


def choices(content: Content) -> PageTable:
    """Table of choices and reasons."""
    result = content.result
    rows = [list(choice) for choice in result.choices]
    rows.append(["seed", str(result.options.seed), "root of every random stream"])
    rows += [[name, str(value), "given"] for name, value in _each_by_name(result.details.given()).items()]
    return PageTable(["choice", "value", "reason"], rows)
