"""Sections of the page on a user's data, in order; the clusters have a file of their own.

Each function returns what the template of the page writes out, and None or nothing where the section is left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..analysis.outliers import MIN_DEVIATIONS
from ..analysis.verdict import NOT_IN_A_GROUP, Degree
from ..clustering.registry import get as get_clusterer
from ..core.arrays import IntArray
from ..core.clock import duration, in_time, told_clock
from ..core.wording import as_typed, count, in_seconds, listed
from ..features.recordings import recording_info
from ..features.registry import get as get_feature
from ..plotting.style import capital, number
from .content import Content
from .figures import MAX_CROSSED, crossed, figure_of, svg
from .groups import Panel, strip
from .parts import Entry, PageTable, Sequenced, badge, graded

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
MOST_OTHERS = 6
"""Number of other groupings shown."""
MAX_OUTLIERS = 20
"""Number of outliers shown."""
MAX_NAMED_COLUMNS = 8
"""Number of columns named in the sentence on what was compared."""
COLUMNS, CONFUSED = 20, 40
"""Largest numbers of clusters in tables of counts, and of labels in the table of scores."""


@dataclass(frozen=True)
class Others:
    """Clear groups that were not used, one sentence each; and the number of further ones."""

    groupings: Sequence[str]
    more: int


def others(content: Content) -> Others | None:
    """Clear groups that were not used; None if there are none."""
    if not content.others:
        return None
    return Others([capital(text) for text in content.others[:MOST_OTHERS]], max(0, len(content.others) - MOST_OTHERS))


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
    span = f"{lengths.min()} to {lengths.max()} frames" if lengths.min() < lengths.max() else f"{lengths.max()} frames"
    clock = told_clock(content.everything.original)
    if clock is not None:
        longest = duration(clock, int(lengths.max()))
        span += (
            f" ({longest})"
            if lengths.min() == lengths.max()
            else f" ({in_time(clock, int(lengths.min()))} to {longest})"
        )
    features = f"{count(sequences.n_features, 'feature')}{_columns(sequences)}"
    return (
        f"{len(sequences)} sequences of {span} and {features}, compared by {first.label} ({first.source.removeprefix(OWN)}),"
        f" clustered by {clusterer}.{_features(sequences)}{content.heard and f' {content.heard}'}"
    )


def _columns(sequences: Any) -> str:
    """Names of the compared columns, in brackets; empty without names."""
    names = [str(name) for name in sequences.provenance.get("columns") or ()]
    return f" ({listed(names, MAX_NAMED_COLUMNS)})" if names else ""


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


@dataclass(frozen=True)
class Sampling:
    """Relation of a sample to all sequences: how it was drawn, and the smallest visible cluster."""

    text: str
    in_sight: str


def sampling(content: Content) -> Sampling | None:
    """Relation of a sample to all sequences; None if all were compared."""
    whole = content.whole
    if whole is None:
        return None
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
    return Sampling(text, whole._in_sight())


def how_sure(content: Content) -> str:
    """Certainty of the groups, with reasons; empty if nothing was examined."""
    result, reasons = content.result, []
    if 1 < result.n_clusters < len(result.sequences):
        of_what = f" in {content.evidence_source}" if content.evidence_source else ""
        reasons.append(f"mean silhouette {number(content.silhouette, 2)} of 1{of_what}")
    if result.stability is not None and result.n_clusters > 1:
        reasons.append(
            f"found again in {result.stability.n_resamples} resamples with agreement {number(result.stability.ari, 2)} of 1"
        )
    numbers = result.numbers
    if _is_compared(result):
        at_most = "at most" if numbers.is_bound else "="
        if result.n_clusters == 1:
            nearest = numbers.n_clusters == max(numbers.candidates, default=0)
            reasons += [
                f"the number that comes nearest, {k} clusters, has a mean silhouette of {number(float(height), 2)} of 1"
                for k, height in zip(numbers.n_clusters[nearest], numbers.silhouette[nearest], strict=True)
            ]
        reasons.append(f"data without groups look as clear with p {at_most} {numbers.p_value:.2g}")
    return f"How sure: {'; '.join(reasons)}." if reasons else ""


def _is_compared(result: Any) -> bool:
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
    # A note may start with a file name, which keeps its case.
    return [text if "." in text.split()[0] else capital(text) for text in sentences]


@dataclass(frozen=True)
class NumbersSection:
    """Evidence for each number of clusters: a figure, data without groups, its explanation, equally good numbers."""

    figure: str
    strip: Panel | None
    text: str
    others: str


def numbers(content: Content) -> NumbersSection | None:
    """Return the evidence for each number of clusters; None if no numbers were compared."""
    result = content.result
    if not _is_compared(result):
        return None
    text = _against_chance(result.numbers, len(result.sequences))
    drawn = svg(figure_of(content, "numbers", titled=False), "numbers")
    return NumbersSection(drawn, _beside_chance(result.numbers), text, _candidates(result))


def _beside_chance(numbers: Any) -> Panel | None:
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


@dataclass(frozen=True)
class Outliers:
    """Anomalies, and the sequences furthest from others, with a legend of the table."""

    table: PageTable
    caption: str


def outliers(content: Content) -> Outliers | None:
    """Return sequences far from all others; None with several clusters, or without sequences."""
    result = content.result
    if content.varying is None or content.outliers is None or content.outliers.empty:
        return None
    rows: list[list[Entry]] = [
        [
            Sequenced(row.item, str(result.sequences.ids[row.item])),
            "anomaly" if row.anomaly else "least similar",
            row.sentence,
            f"{row.deviations:.1f}",
            f"{row.away:.3g}",
        ]
        for row in content.outliers[:MAX_OUTLIERS].itertuples()
    ]
    found, far = int(content.outliers["anomaly"].sum()), f"{MIN_DEVIATIONS:g} or more deviations from what is usual"
    rest = len(content.outliers) - found
    least = f"{rest} that {'are' if rest > 1 else 'is'} least similar to all others"
    if found:
        caption = f"First {found} {'anomalies' if found > 1 else 'anomaly'}, {far}, whether the measure sees it or not"
        caption += f"; then {least}." if rest else "."
    else:
        caption = f"No sequence is an anomaly, {far}. Listed are {least}."
    caption += f" The median of the mean dissimilarities is {float(np.median(result.details.typicality)):.3g}."
    header = ["sequence", "", "furthest out in", "deviations", "mean dissimilarity"]
    return Outliers(PageTable(header, rows, [3, 4]), caption)


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
    rows: list[list[Entry]] = [[badge(i), *_cells(line)] for i, line in enumerate(counts)]
    return PageTable([first.measure.name, *(f"{other.measure.name} {i + 1}" for i in range(j))], rows, range(1, j + 1))


def _cells(counts: IntArray) -> list[str]:
    return [str(v) if v else "·" for v in counts]


@dataclass(frozen=True)
class Hinton:
    """A Hinton diagram, its width in percent, and its legend."""

    figure: str
    width: int
    caption: str


@dataclass(frozen=True)
class Scores:
    """Comparison of the clusters with labels, or else with sub-folders."""

    crossed: Hinton
    table: PageTable | None = None
    counts: PageTable | None = None
    text: str = ""


def scores(content: Content) -> Scores | None:
    """Comparison of the clusters with the labels, or else with the sub-folders; None without either."""
    result = content.everything
    if not result.scores:
        folders = result.details.by_folder
        return None if folders is None else Scores(_hinton("sub-folder", *folders))
    names = list(next(iter(result.scores.values())))
    rows = [
        [measure, *(number(values[name], 1 if "%" in name else 2) for name in names)]
        for measure, values in result.scores.items()
    ]
    labels, counts = result.details.confusion()
    text = f"{result.details.labelled.size} of {len(result.labels)} sequences have a label, of {len(labels)} kinds."
    if content.result.options.n_clusters is None and len(labels) != result.n_clusters:
        wish = as_typed("n_clusters", len(labels))
        text += f" The number of clusters was chosen without them; {wish} gives as many clusters as labels."
    columns = min(counts.shape[1], COLUMNS)
    confused = [[name, *_cells(line[:columns])] for name, line in zip(labels[:CONFUSED], counts, strict=False)]
    names_of = [str(k + 1) if k < result.n_clusters else NOT_IN_A_GROUP for k in range(columns)]
    counted = PageTable(["label", *names_of], confused, range(1, columns + 1))
    scored = PageTable(["measure", *names], rows, range(1, len(names) + 1))
    return Scores(_hinton("label", labels, counts), scored, counted, text)


def _hinton(what: str, names: Sequence[str], counts: IntArray) -> Hinton:
    left = [
        f"{total - MAX_CROSSED} more {kind}"
        for total, kind in ((len(names), f"{what}s"), (counts.shape[1], "clusters"))
        if total > MAX_CROSSED
    ]
    more = f" {' and '.join(left).capitalize()} are not drawn." if left else ""
    width = round(100 * min(1.0, 0.25 + 0.05 * min(counts.shape[1], MAX_CROSSED)))
    caption = f"The area of a square is the share of the {what} that is in the cluster.{more}"
    return Hinton(svg(crossed(names, counts), "crossed"), width, caption)


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
