"""Warnings on a clustering, and the result as text for a terminal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.wording import as_typed, count
from ..metrics.internal import MIN_STRUCTURE, STABLE, share_between
from .explaining import MAX_P_VALUE
from .partition import sizes_of
from .piece_sources import NOTHING_BUT_SOURCES, dependent_sources, permutable_sources, share_of_sources, sources_of
from .preparation import MIN_SHARE_OF_LEVELS, is_embedded
from .result import Result
from .rules import PHASE_ONLY
from .verdict import NOT_IN_A_GROUP, lacks_gaps

if TYPE_CHECKING:
    import pandas

MIN_AGREEMENT_ARI = 0.5
"""Adjusted Rand index between the partitions of two measures below which the page warns."""
MAX_UNSTABLE_SHARE = 0.5
"""Share of the sequences in unstable clusters above which the page warns."""
BY_LENGTH = 0.5
"""Share of the variance of lengths between clusters above which the page reports it."""
LENGTHS_VARY, LENGTHS_ENOUGH = 0.05, 20
"""Relative deviation of lengths, and number of sequences, below which it does not, since such shares may be chance."""
MIN_SHARED_NEIGHBOURS = 0.2
"""Agreement about nearest neighbours below which the page warns. Pairs of ssd, kl_ll and dtw have 0.32 to 0.81 on vowels,
control charts and simulated groups of 24 to 300 sequences, and 0.21 on 15 vowels; 0.04 to 0.08 on noise without groups,
0.16 on a continuum. Unrelated matrices stay below 0.12 in 99 of 100 draws from 24 items on. It is 0 if one measure gives
all pairs the same value, which a comparison of partitions into a single cluster would not show."""


def _blind(result: Result) -> list[str]:
    """Return sentences on measures that report a loss of differences between sequences."""
    sentences = []
    pairs = len(result.sequences) * (len(result.sequences) - 1) // 2
    for view in result.views:
        disjoint, label = view.findings.get("disjoint_pairs", 0), view.measure.label
        if view.findings.get("collapsed"):
            sentences.append(
                f"{label} gives dissimilarity 0 to sequences that have nothing in common: {disjoint} of {pairs} pairs visit no"
                " state of the common model together, and it compares only states that both visit; do not use it"
                f" here{', compare by ' if view.measure.fallbacks else ''}{' or '.join(view.measure.fallbacks)}"
            )
        elif disjoint:
            share = view.findings.get("saturated_rows", 0.0)
            sentences.append(
                f"{disjoint} of {pairs} pairs of sequences visit no state of the common model together, so that"
                f" {label} compares them by transitions that were hardly ever made ({share:.0%} of the rows hold no other):"
                " they are dissimilar, but the exact value is unreliable"
            )
    return sentences


def _undecided(result: Result) -> list[str]:
    """Return a sentence if the number of clusters was chosen and others do about as well."""
    if result.options.n_clusters is not None or result.numbers is None or not result.details.candidates:
        return []
    result = result._division
    others = " or ".join(map(str, result.details.candidates))
    if result.n_clusters > 1:
        return [f"{others} clusters are about as clear as {result.n_clusters}: compare them"]
    if result.decision.differs_in_phase_only:
        return [f"{PHASE_ONLY}; {others} clusters come closest"]
    return [f"no grouping is clearer than in data without groups; {others} clusters come closest"]


def _scattered(result: Result) -> list[str]:
    """Return sequences that belong to no group, though the groups themselves are clear."""
    places = result.details.scattered
    if not len(places) or not result.n_clusters:
        return []
    ids = [str(name) for name in result.sequences.ids[places[:5]]]
    more = f" and {len(places) - 5} more" if len(places) > 5 else ""
    if result.details.unassigned.size:
        return [f"{', '.join(ids)}{more} {'is' if len(places) == 1 else 'are'} {NOT_IN_A_GROUP}"]
    which = "belongs to none of the groups and is" if len(places) == 1 else "belong to none of the groups and are"
    return [f"{', '.join(ids)}{more} {which} put where {'it is' if len(places) == 1 else 'they are'} nearest"]


def _beyond_doubt(result: Result) -> bool:
    """Whether one view or property shows the groups by itself; warnings on a cut of the matrix then do not apply.

    Small groups, for one, are cut otherwise in many bootstrap samples, however far apart they are.
    """
    return result.decision.by is not None


def _unstable(result: Result) -> list[str]:
    """Return a warning if most sequences are in unstable clusters.

    A few unstable clusters among many are no sign of a bad result: on labelled sets they are as common in good ones, see
    ``docs/reports/answers.md``. The page shows the stability of each.
    """
    if _beyond_doubt(result) or result.stability is None:
        return []
    unstable = result.stability.jaccard < STABLE
    share = float(unstable[result.labels[result.labels >= 0]].mean())
    if share <= MAX_UNSTABLE_SHARE:
        return []
    weak = ", ".join(str(k + 1) for k in np.flatnonzero(unstable))
    return [
        f"{'no cluster is stable' if unstable.all() else f'{share:.0%} of the sequences are in unstable clusters'}:"
        f" bootstrap samples do not reproduce {'any of them' if unstable.all() else f'number {weak}'}"
    ]


def _without_structure(result: Result) -> list[str]:
    result = result._division
    if _beyond_doubt(result) or result.details.corrected is None or result.details.corrected >= MIN_STRUCTURE:
        return []
    return [
        f"the mean silhouette is {result.silhouettes.mean():.2f}, or {result.details.corrected:.2f} corrected for chance (0: as in"
        f" sequences without clusters that are cut in the same way; 1: best); below {MIN_STRUCTURE} the borders between"
        " clusters mean little"
    ]


def _continuous(result: Result) -> list[str]:
    """Return a warning if clusters may be parts of a continuum; a curved continuum is clearer than items without clusters."""
    if result.details.gaps is None or not len(result.details.gaps.pairs) or not lacks_gaps(result._division):
        return []
    return [
        "there are no clear gaps between neighbouring clusters: sequences spread evenly on a line would be separated as "
        f"clearly (p = {result.details.gaps.p_value:.2f}); these may be parts of a continuum"
    ]


def _by_length(result: Result) -> list[str]:
    """Return a warning if clusters differ in length, which alignments always notice."""
    lengths = result.sequences.lengths
    if len(lengths) < LENGTHS_ENOUGH or result.n_clusters < 2 or lengths.std() < LENGTHS_VARY * lengths.mean():
        return []
    members = np.flatnonzero(result.labels >= 0)
    lengths, labels = lengths[members], result.labels[members]
    share = share_between(lengths, labels)
    if share <= BY_LENGTH:
        return []
    means = np.bincount(labels, weights=lengths) / np.bincount(labels)
    return [
        f"the clusters are of shorter and longer sequences ({means.min():.0f} to {means.max():.0f} frames on average;"
        f" {share:.0%} of the variance of lengths lies between clusters): if lengths are arbitrary, stretch all sequences to "
        "one length"
        f" ({as_typed('length', 'stretch')}) and see what is left"
    ]


def _dependent(result: Result) -> list[str]:
    """Return a warning if pieces count as independent because there are too few sources to draw whole ones."""
    sources = sources_of(result.sequences)
    if not sources or len(sources) == len(result.sequences):
        return []
    of = f"that the {count(len(result.sequences), 'piece')} of {count(len(sources), 'source')} are independent"
    reason = "neighbouring pieces of one source rarely are"
    if not dependent_sources(result.sequences):
        return [f"p-values and stability assume {of}, but {reason}"]
    if result.n_clusters > 1 and not permutable_sources(result.sequences, result.labels, MAX_P_VALUE):
        return [
            f"p-values of differences between clusters assume {of}, since there are too few sources to permute; but {reason}"
        ]
    return []


def _of_sources(result: Result) -> list[str]:
    """Return a warning if clusters of pieces coincide with the sources."""
    sources = sources_of(result.sequences)
    if not sources or result.n_clusters < 2:
        return []
    share = share_of_sources(sources, result.labels)
    if share < NOTHING_BUT_SOURCES:
        return []
    return [
        f"the clusters are nothing but the sources: {share:.0%} of the pieces lie where most of their source do; what differs"
        f" within sources is seen in one of them alone, or where each piece is scaled by itself"
        f" ({as_typed('scale', 'per_sequence')})"
    ]


def _disagreeing(result: Result) -> list[str]:
    sentences, labels = [], {view.measure.name: view.measure.label for view in result.views}
    for entry in result.details.agreement:
        names = " and ".join(labels[word] for word in entry["measures"])
        if entry["neighbours"] < MIN_SHARED_NEIGHBOURS:
            sentences.append(
                f"{names} disagree on which sequences are similar (neighbours"
                f" {entry['neighbours']:.2f}, 1 if they were the same and 0 by chance): at least one of them misses a "
                "difference that the other one shows, or there are no groups"
            )
        elif entry["ari"] < MIN_AGREEMENT_ARI:
            sentences.append(
                f"{names} disagree (adjusted Rand index {entry['ari']:.2f}): which sequences are similar depends on the measure"
            )
    return sentences


def _alone(result: Result) -> list[str]:
    sizes = sizes_of(result.labels)
    alone = np.flatnonzero(sizes == 1)
    if len(sizes) < 2 or len(result.labels) < 5 or not alone.size:
        return []
    ids = [str(result.sequences.ids[int(result.details.typical(int(k))[0])]) for k in alone[:3]]
    more = f" and {len(alone) - 3} more" if len(alone) > 3 else ""
    which = (
        "is alone in a cluster; if it is an outlier, remove it,"
        if len(alone) == 1
        else "are each alone in a cluster; if they are outliers, remove them,"
    )
    return [f"{', '.join(ids)}{more} {which} or ask for more clusters"]


CHECKS: Mapping[str, Callable[[Result], list[str]]] = {
    "blind": _blind,
    "undecided": _undecided,
    "scattered": _scattered,
    "unstable": _unstable,
    "without structure": _without_structure,
    "continuous": _continuous,
    "by length": _by_length,
    "of sources": _of_sources,
    "dependent": _dependent,
    "disagreeing": _disagreeing,
    "alone": _alone,
}
"""Warnings by kind; each check returns sentences, or none."""
NEUTRAL = ("undecided", "scattered", "dependent")
"""Kinds that do not count against the clusters: other numbers that do about as well, sequences that belong to none, and
pieces."""


def cautions(result: Result) -> list[str]:
    """Return all evidence against a clustering."""
    return [*(sentence for check in CHECKS.values() for sentence in check(result)), *_levels(result)]


def _levels(result: Result) -> list[str]:
    """A note on levels that differ within clusters; the page explains differences between clusters."""
    if not result.details.has_content or result.options.scale != "zscore" or is_embedded(result.sequences):
        return []
    share = result.details.share_of_levels
    if share < MIN_SHARE_OF_LEVELS:
        return []
    where = "" if result.n_clusters == 1 else " of one cluster and influences the clusters"
    return [
        f"{share:.0%} of the variance lies between the means of sequences{where}; if these levels come from sensors, microphones or"
        f" persons and should not count, remove them ({as_typed('scale', 'per_sequence')})"
    ]


LINE_CHARACTERS = 100
MAX_LISTED_CLUSTERS = 20
"""Largest number of clusters listed one per line."""


def summary(result: Any) -> str:
    """See :meth:`~kinseq.api.results.Clustering.summary`, whose object this is."""
    parts = [
        _wrapped(f"{result.original.name}: {count(len(result.labels), 'sequence')}: {result.verdict}"),
        f"Shown by {result.evidence_source}." if result.evidence_source else "",
        "\n".join(_wrapped(f"{text[0].upper()}{text[1:]}.") for text in result._subcluster_sentences()),
        _clusters(result),
    ]
    parts.append(_list("What sets them apart", _strongest_statements(result)))
    parts += [
        _list("Also there", result.alternative_groupings),
        _list("Look out", result.warnings()),
        _list("Notes", result.notes),
    ]
    parts.append(_list("Chosen", [f"{what}: {value} ({why})" for what, value, why in result.choices]))
    parts.append(_list("Scores against the labels", _scores(result)))
    return "\n\n".join(part for part in parts if part)


def clusters_table(result: Any) -> pandas.DataFrame:
    """Return one row per cluster, numbered from 1: size, mean silhouette and most typical sequence.

    The silhouette is that of the sample where one was drawn, and missing for a single cluster. The last row is of sequences
    that are not in a group, if there are any.
    """
    import pandas as pd

    frame, outside = result.to_frame(), int((result.labels < 0).sum())
    mean = frame[frame["cluster"] > 0].groupby("cluster")["silhouette"].mean()
    columns = {
        "sequences": sizes_of(result.labels, result.n_clusters),
        "silhouette": mean.to_numpy() if result.n_clusters > 1 else np.nan,
        "most typical": result.original.ids[result.medoid_indices_].astype(str),
    }
    table = pd.DataFrame(columns, index=mean.index)
    if outside:
        table = table.astype({"silhouette": float}).rename(index=str)
        row = {"sequences": [outside], "silhouette": [np.nan], "most typical": [""]}
        table = pd.concat([table, pd.DataFrame(row, index=pd.Index([NOT_IN_A_GROUP], name="cluster"))])
    return table


def _clusters(result: Any) -> str:
    lines = ["cluster  sequences  silhouette  most typical"]
    for k, size, silhouette, typical in clusters_table(result).head(MAX_LISTED_CLUSTERS).itertuples(name=None):
        mean = f"{silhouette:.2f}" if result.n_clusters > 1 and not np.isnan(silhouette) else ""
        lines.append(f"{k!s:>7}  {size:{max(1, 16 - max(7, len(str(k))))}d}  {mean:>10}  {typical}".rstrip())
    if result.n_clusters > MAX_LISTED_CLUSTERS:
        lines.append(f"... and {result.n_clusters - MAX_LISTED_CLUSTERS} more")
    return "\n".join(lines)


def _strongest_statements(result: Any) -> list[str]:
    """Return the strongest statement on each cluster."""
    if result.n_clusters < 2 or not result.details.has_content:
        return []
    first = result.explain().groupby("cluster").first()["sentence"]
    return [f"cluster {k}: {sentence}" for k, sentence in first.items() if k <= MAX_LISTED_CLUSTERS]


def _scores(result: Any) -> list[str]:
    return [
        f"{measure}: {', '.join(f'{name} {value:.3g}' for name, value in scores.items())}"
        for measure, scores in result.scores.items()
    ]


def _list(title: str, entries: list[str]) -> str:
    return "\n".join([f"{title}:", *(_wrapped(entry, "- ") for entry in entries)]) if entries else ""


def _wrapped(text: str, start: str = "") -> str:
    return fill(text, LINE_CHARACTERS, initial_indent=start, subsequent_indent=" " * len(start), break_on_hyphens=False)
