"""Clusters of new sequences under the models already fitted; each sequence's result is independent of the others.

Of many sequences, those outside the sample go to the cluster whose representatives are nearest. Comparing every sequence with
all of a sample would cost more than the sample itself. So each cluster is represented by some of its members, at even steps from
the most typical one to the least. They are what `predict` of an analysis calls the old sequences: everything that a measure fits
or scales is fitted to them, and a sequence is compared with nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.arrays import FloatArray, IntArray
from ..core.errors import ParameterError
from ..core.jobs import ahead
from ..core.ordering import by_content
from ..core.progress import Progress
from ..core.seeds import content_key, derive_seed
from ..core.sequences import SequenceSet
from ..features.frames import averaged
from ..measures.computing import as_compared
from ..measures.cross import cross as cross_distances
from ..measures.custom import PRECOMPUTED, precomputed_rows
from ..measures.landmarks import Shortlist
from ..measures.requirements import REQUIREMENTS
from ..metrics.internal import nearness, typicality
from ..metrics.maps import place
from ..readers.folder import Processing, reading_like
from . import limits
from .options import Options
from .preparation import in_columns_of, load
from .result import Result
from .rules import Details
from .views import fit_models, is_logarithmic, nonnegative_rows

if TYPE_CHECKING:
    from ..models.hmm import HMMBank


def nearest_clusters(result: Result, data: Any) -> IntArray:
    """Cluster with the least mean dissimilarity to each new sequence; see :meth:`~kinseq.api.results.Clustering.predict`."""
    return np.asarray(_means_of_clusters(result, data).argmin(axis=0), dtype=np.int64)


def silhouettes_among(result: Result, data: Any) -> FloatArray:
    """Silhouette of each sequence, shape (M,): of old ones if given, otherwise of new ones among the old ones.

    The cluster of a new sequence is the one with the least mean dissimilarity, so that its silhouette is not negative; 0 where
    there is a single cluster.
    """
    if are_old(result, data):
        known = result.silhouettes
        return known[~np.isnan(known)] if result.n_clusters else np.zeros(1)
    return silhouettes_of_means(_means_of_clusters(result, data))


def silhouettes_among_represented(base: Result, data: Any) -> FloatArray:
    """As above with the nearest representatives of each cluster of a sample; all sequences count as new."""
    new, options = prepare_new(base, data)
    labels = base.labels[base.ordering.positions]
    return np.concatenate(
        [silhouettes_of_means(nearest_means(distances_to_old(base, block, options), labels)) for block in blocks(new)]
    )


def silhouettes_of_means(means: FloatArray) -> FloatArray:
    """``(b - a) / b`` of the least and the second least mean dissimilarity, shape (number of clusters, M)."""
    if len(means) == 1:
        return np.zeros(means.shape[1])
    own, other = np.sort(means, axis=0)[:2]
    return np.where(other > 0, (other - own) / np.where(other > 0, other, 1.0), 0.0)


def _means_of_clusters(result: Result, data: Any) -> FloatArray:
    """Mean dissimilarity of each new sequence to each cluster, shape (number of clusters, M)."""
    require_groups(result)
    distance, labels = _from_old(result, data), result.labels[result.ordering.positions]
    return np.stack([distance[:, labels == k].mean(axis=1) for k in range(result.n_clusters)])


def require_groups(result: Result) -> None:
    """Refuse to assign new sequences if there are no clusters."""
    if not result.n_clusters:
        raise ParameterError(
            f"clusterer {result.options.clusterer!r} found no cluster, so that there is none to put new sequences into; give it"
            " other parameters, or take another clusterer"
        )


def are_old(result: Result, data: Any) -> bool:
    """Return whether data are those that were clustered."""
    if result.views[0].measure is PRECOMPUTED:
        rows = _from_old(result, data)
        return np.array_equal(rows, result.distance[:, result.ordering.positions])
    new, _ = prepare_new(result, data)
    old = result.sequences
    return np.array_equal(new.offsets, old.offsets) and np.array_equal(new.values, old.values)


def embed_new(result: Result, data: Any) -> FloatArray:
    """Coordinates of new sequences in the embedding; see :meth:`~kinseq.api.results.Clustering.transform`."""
    if result.views[0].measure is PRECOMPUTED:
        return embed(result, _from_old(result, data))
    new, options = prepare_new(result, data)
    return embed(result, distances_to_old(result, new, options), new)


def embed(result: Result, distance: FloatArray, new: SequenceSet | None = None) -> FloatArray:
    """As above from dissimilarities to the old sequences in order of content.

    `new` are the sequences in the scale of the old ones. An old one that comes again is where it was, also under a measure that
    compares new sequences in a way of its own.
    """
    order = result.ordering
    points = place(distance, order.sort_matrix(result.distance), result.embedding_[order.positions])
    if new is None or result.views[0].measure.reproduces:
        return points
    old = {content_key(frames): i for i, frames in enumerate(result.sequences)}
    again = np.array([old.get(content_key(frames), -1) for frames in new])
    points[again >= 0] = result.embedding_[again[again >= 0]]
    return points


def _from_old(result: Result, data: Any) -> FloatArray:
    """Dissimilarities of new sequences from the old ones in order of content."""
    if result.views[0].measure is PRECOMPUTED:
        rows = precomputed_rows(data, len(result.sequences), signed=is_logarithmic(PRECOMPUTED, result.options))
        return nonnegative_rows(rows, result.views[0].findings)[:, result.ordering.positions]
    new, options = prepare_new(result, data)
    return distances_to_old(result, new, options)


def prepare_new(result: Result, data: Any) -> tuple[SequenceSet, Options]:
    """New sequences read and scaled like the old ones, and their transform."""
    return result.scaling.apply(given_like(result, data)), result.options.altered(progress=False)


def given_like(result: Result, data: Any) -> SequenceSet:
    """New sequences read like the old ones, in the given units."""
    given, _ = load(data, reading_like(result.original, data), Processing(result.options.threads))
    return in_columns_of(given, result.original)


def cross(result: Result, new: SequenceSet) -> FloatArray:
    """Dissimilarities between new sequences and the old ones under the first measure, shape (M, N)."""
    return distances_to_old(result, new, result.options.altered(progress=False))[:, result.ordering.ranks]


def distances_to_old(result: Result, new: SequenceSet, options: Options, screen: Shortlist | None = None) -> FloatArray:
    """As above with the old sequences in order of content, as they were clustered.

    With a `screen`, each new one is compared with few old ones, as far as the measure can do with them.
    """
    view = result.views[0]
    both = result.sequences.subset(result.ordering.positions), new
    old, new = (averaged(as_compared(view.measure, some), view.averaged) for some in both)

    def models_of(sequences: SequenceSet) -> HMMBank | None:
        return fit_models(view.measure, sequences, view.fit, options)

    if view.models is None and REQUIREMENTS[view.measure.requires].models is not None:
        # Fitted again once, then cached.
        view.models = models_of(old)
    distance = cross_distances(
        view.measure,
        old,
        new,
        view.models,
        models_of,
        n_clusters=max(1, result._division.n_clusters),
        seed=derive_seed(options.seed, "measure"),
        threads=options.threads,
        screen=screen,
        **view.params,
    )
    return nonnegative_rows(distance, view.findings)


def representatives(sample: Result) -> IntArray:
    """Positions of the representatives of each cluster, in order of content."""
    order = sample.ordering.positions
    labels = sample.labels[order]
    # Sum in the order of content, so that the order of files does not decide ties.
    ranked = np.argsort(typicality(sample.ordering.sort_matrix(sample.distance), labels), kind="stable")
    share = limits.MAX_REPRESENTATIVES // sample.n_clusters
    most = min(limits.REPRESENTATIVES_MOST, max(limits.REPRESENTATIVES_LEAST, share))
    members_by_cluster = []
    for cluster in range(sample.n_clusters):
        members = ranked[labels[ranked] == cluster]
        steps = np.linspace(0, len(members) - 1, min(most, len(members)))
        members_by_cluster.append(members[np.round(steps).astype(np.int64)])
    return order[np.sort(np.concatenate(members_by_cluster))]


def represented(sample: Result) -> Result:
    """The analysis of a sample, reduced to its representatives.

    What a measure decided by the size of the sample, it does not decide anew.
    """
    positions = representatives(sample)
    sequences = sample.sequences.subset(positions)
    first = sample.views[0]
    decisions = {
        name: first.findings[name]
        for name, default in first.measure.params.items()
        if default is None and first.params.get(name) is None and name in first.findings
    }
    view = replace(
        first,
        distance=first.distance[np.ix_(positions, positions)],
        labels=first.labels[positions],
        params={**first.params, **decisions},
        reference=None,
        reference_views=None,
    )
    return replace(
        sample,
        sequences=sequences,
        original=sample.original.subset(positions),
        views=[view],
        decision=replace(sample.decision, details=Details()),
        ordering=by_content(sequences),
        notes=[],
        choices=[],
    )


def blocks(sequences: SequenceSet) -> Iterator[SequenceSet]:
    """Yield sequences in chunks that limit the size of matrices."""
    for start in range(0, len(sequences), limits.ASSIGNED_AT_ONCE):
        yield sequences.subset(np.arange(start, min(start + limits.ASSIGNED_AT_ONCE, len(sequences))))


def assigned(base: Result, new: SequenceSet, options: Options, shortcut: Shortcut | None = None) -> IntArray:
    """Clusters of sequences in the scale of the representatives, shape (M,)."""
    return np.concatenate(list(assigned_in_turn(base, blocks(new), len(new), options, shortcut)))


def assigned_in_turn(
    base: Result, parts: Iterable[SequenceSet], total: int, options: Options, shortcut: Shortcut | None = None
) -> Iterator[IntArray]:
    """As above for `total` streamed sequences."""
    reported = Progress("assign sequences", total, unit="sequence") if options.progress else None
    # Models are cached; two shards at a time would fit them twice.
    apart = options.threads if REQUIREMENTS[base.views[0].measure.requires].models is None else 1
    placing = partial(_placed_by, base, shortcut=shortcut, options=options.altered(threads=options.threads // apart))
    for clusters in ahead(placing, parts, apart):
        if reported is not None:
            reported.step(len(clusters))
        yield clusters


def _placed_by(base: Result, new: SequenceSet, options: Options, shortcut: Shortcut | None) -> IntArray:
    """Clusters of some sequences; with a shortcut, doubtful ones are compared with all representatives."""
    if base.n_clusters == 1:
        return np.zeros(len(new), dtype=np.int64)
    labels = base.labels[base.ordering.positions]
    if shortcut is None:
        return nearest(distances_to_old(base, new, options), labels)
    means = nearest_means(distances_to_old(base, new, options, shortcut.screen), labels)
    clusters = means.argmin(axis=0).astype(np.int64)
    doubtful = np.flatnonzero(_margins(means) < shortcut.margin)
    if doubtful.size:
        clusters[doubtful] = nearest(distances_to_old(base, new.subset(doubtful), options), labels)
    return clusters


@dataclass(frozen=True)
class Shortcut:
    """How to assign sequences with few comparisons each.

    Attributes
    ----------
    screen : Screen
        With which representatives each is compared.
    margin : float
        How much farther the second cluster has to be than the nearest one for that to be enough; the others are compared with
        all representatives.
    agreement : float
        Share, 0 to 1, of the sampled sequences that represent nothing which get the same cluster as by all representatives.
    in_doubt : float
        Share of them that had to be compared with all.
    """

    screen: Shortlist
    margin: float
    agreement: float
    in_doubt: float


SCREENS = (Shortlist(16, 16), Shortlist(16, 32), Shortlist(32, 32), Shortlist(32, 64))
"""Numbers of representatives tried; alignments are computed in packs of 16."""


def _margins(means: FloatArray) -> FloatArray:
    """Margin between the second nearest and the nearest cluster, from means (clusters, M)."""
    own, other = np.sort(means, axis=0)[:2]
    return np.asarray(other - own)


def check_assignment_rule(
    sample: Result, base: Result, options: Options, shorten: bool = False
) -> tuple[float | None, Shortcut | None]:
    """Accuracy of the assignment rule on sampled sequences other than representatives.

    The share, 0 to 1, of them that are assigned to their own cluster; None if all of them represent their cluster. With
    `shorten`, also the cheapest shortcut by which all but :data:`.limits.PLACED_OTHERWISE` of them get the cluster that all
    representatives give them; None if no shortcut pays, or if they are too few to tell.
    """
    others = np.flatnonzero(~np.isin(sample.sequences.ids, base.sequences.ids))
    if not others.size:
        return None, None
    new, quiet = sample.sequences.subset(others), options.altered(progress=False)
    labels = assigned(base, new, quiet)
    returned = float((labels == sample.labels[others]).mean())
    able = shorten and base.views[0].measure.screens and base.n_clusters > 1
    return returned, _cheapest(base, new, labels, quiet) if able and others.size >= limits.SHORTENED_BY else None


def _cheapest(base: Result, new: SequenceSet, labels: IntArray, options: Options) -> Shortcut | None:
    """The cheapest shortcut among those that give (nearly) all new sequences their `labels`."""
    of_old, found, least = base.labels[base.ordering.positions], None, limits.SHORTENED_TO
    for screen in SCREENS:
        share = screen.compared / len(base.labels)
        if share >= least:
            break
        means = np.concatenate(
            [nearest_means(distances_to_old(base, part, options, screen), of_old) for part in blocks(new)], axis=1
        )
        margins, wrong = _margins(means), means.argmin(axis=0) != labels
        # All differing sequences but the few with the largest margins must count as doubtful.
        allowed = int(limits.PLACED_OTHERWISE * len(new))
        worst = np.sort(margins[wrong])[::-1]
        margin = float(np.nextafter(worst[allowed], np.inf)) if len(worst) > allowed else 0.0
        in_doubt = margins < margin
        if share + float(in_doubt.mean()) < least:
            agreement = 1.0 - float((wrong & ~in_doubt).mean())
            found, least = Shortcut(screen, margin, agreement, float(in_doubt.mean())), share + float(in_doubt.mean())
    return found


def nearest(distance: FloatArray, labels: IntArray) -> IntArray:
    """Cluster whose nearest representatives are closest on average, shape (M,); the first of equals.

    `distance`, shape (M, R), holds dissimilarities from the representatives, `labels`, shape (R,), their clusters.
    """
    return nearest_means(distance, labels).argmin(axis=0).astype(np.int64)


def nearest_means(distance: FloatArray, labels: IntArray) -> FloatArray:
    """Mean dissimilarity to the nearest representatives of each cluster, shape (number of clusters, M)."""
    means = []
    for cluster in range(int(labels.max()) + 1):
        own = np.sort(distance[:, labels == cluster], axis=1)[:, : limits.N_NEAREST]
        # Selected columns lie in the order of columns, in which sums depend on how many rows there are.
        means.append(np.ascontiguousarray(own).mean(axis=1))
    return np.array(means)


def strengths(base: Result, new: SequenceSet, options: Options) -> FloatArray:
    """Membership of sequences in their assigned clusters from the same means; shape (M,)."""
    if base.n_clusters == 1:
        return np.ones(len(new))
    labels = base.labels[base.ordering.positions]
    means = [
        np.sort(nearest_means(distances_to_old(base, block, options), labels), axis=0)[:2] for block in blocks(new)
    ]
    own, other = np.concatenate(means, axis=1)
    return nearness(own, other)
