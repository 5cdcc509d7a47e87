"""Result of an analysis: its data, and values derived from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..clustering.registry import get as get_clusterer
from ..core.arrays import FloatArray, IntArray, as_count, read_only
from ..core.errors import DataError, ParameterError
from ..core.folders import UNLABELLED
from ..core.ordering import Ordering
from ..core.progress import counter
from ..core.seeds import derive_seed
from ..core.sequences import SequenceSet
from ..features.properties import pairwise_gaps, properties
from ..measures.custom import MATRIX
from ..metrics.external import ari, clustering_error, confusion, nmi, purity
from ..metrics.gaps import Gaps, gaps, gaps_in_views
from ..metrics.groupings import MIN_GROUP_SIZE, of_labels
from ..metrics.internal import (
    LEVEL,
    Numbers,
    Stability,
    membership,
    rank_correlation,
    silhouettes,
    stability,
    typicality,
)
from ..metrics.maps import classical_mds
from ..metrics.neighbours import neighbour_agreement
from . import limits
from .candidates import Candidate
from .explaining import Varying, explain, no_content, varying
from .log import Choice
from .options import COARSE, Options
from .outliers import no_outliers, outliers
from .partition import compare_with_chance, cut, cutter, sizes_of
from .piece_sources import dependent_sources
from .preparation import Transform, only_columns, share_of_levels
from .rules import Decision
from .sampling import subsample
from .views import View

if TYPE_CHECKING:
    import pandas


MOST_AVERAGED = 100
"""Largest number of members of a cluster that are averaged."""
Divider = Callable[[SequenceSet, int], "Result | None"]
"""Function that divides the members of a group by the same rules, by the number of groups that share a level; None if they are
not divided."""


@dataclass(repr=False, kw_only=True)
class Result:
    """Clusters of sequences that were compared with each other, with the data to judge them.

    :class:`~kinseq.api.results.Clustering` adds words, a page and predictions, which read `details`.

    Attributes
    ----------
    views : list of View
        One a measure; the first one's partition is *the* partition.
    decision : Decision
        How many clusters there are, by what they are seen, and which other groups are.
    ordering : Ordering
        Order of the sequences by content, in which everything was computed; the attributes are in the given order.
    options : Options
        Options of the analysis.
    """

    sequences: SequenceSet
    original: SequenceSet
    views: list[View]
    decision: Decision
    options: Options
    scaling: Transform
    ordering: Ordering
    notes: list[str]
    choices: list[Choice]
    # Divides the members of one group; None if groups are not divided.
    _look: Divider | None = None
    # Whether the clusters are the leaves of the tree of groups, and not its first division.
    _by_leaves: bool = False

    @cached_property
    def details(self) -> ResultDetails:
        """Details derived from the result for sentences, page and predictions."""
        return ResultDetails(self)

    @property
    def numbers(self) -> Numbers | None:
        """Evidence for each number of clusters; None if no numbers were compared."""
        return self.decision.numbers

    @property
    def distance(self) -> FloatArray:
        """Dissimilarities under the first measure, shape (N, N)."""
        return read_only(self.views[0].distance)

    @property
    def _overall(self) -> FloatArray:
        """Dissimilarities of whole sequences, shape (N, N), even if one property shows the groups."""
        whole = self.views[0].whole
        return self.distance if whole is None else read_only(whole)

    @property
    def labels(self) -> IntArray:
        """Cluster of each sequence under the first measure, shape (N,), from 0, the largest cluster first.

        Without a given number they are the leaves of the tree of groups, in its order: the largest group first, and so within
        it. -1 marks a sequence that is not in a group; only the clusterer ``"hdbscan"`` leaves such sequences.
        """
        return self._leaves if self._by_leaves else read_only(self.views[0].labels)

    @cached_property
    def _leaves(self) -> IntArray:
        """Leaf of each sequence in the tree of groups, shape (N,)."""
        first, firsts = self.views[0].labels, self._first_leaves
        labels = np.where(first < 0, first, firsts[first])
        for k, inner in self.details.within.items():
            labels[first == k] += inner.labels
        return read_only(labels)

    @property
    def _first_leaves(self) -> IntArray:
        """The first leaf within each group of the first division, shape (number of these groups,)."""
        within = self.details.within
        leaves = [within[k].n_clusters if k in within else 1 for k in range(int(self.views[0].labels.max()) + 1)]
        return np.cumsum([0, *leaves], dtype=np.int64)[:-1] if leaves else np.zeros(1, dtype=np.int64)

    @property
    def _division(self) -> Self:
        """The first division of the tree, which the evidence is on; the result itself if that is its clusters."""
        return self._first_division if self._by_leaves and self.details.within else self

    @cached_property
    def _first_division(self) -> Self:
        """The result with the first division as its clusters."""
        return self._altered(_by_leaves=False)

    def _altered(self, **changes: Any) -> Self:
        """Return the result with some fields replaced; groups within groups that were found are not searched again."""
        found = replace(self, **changes)
        if "within" in vars(self.details):
            vars(found.details)["within"] = self.details.within
        return found

    @property
    def n_clusters(self) -> int:
        """Number of clusters found."""
        return int(self.labels.max()) + 1

    def _of_members(self, score: Callable[[FloatArray, IntArray], FloatArray]) -> FloatArray:
        """Return a score of members of clusters, shape (N,); NaN for ungrouped sequences.

        Leaves of the tree are compared with the other groups of their division, in its scale.
        """
        if (division := self._division) is not self:
            values = division._of_members(score).copy()
            for k, inner in self.details.within.items():
                values[division.labels == k] = inner._of_members(score)
            return read_only(values)
        members = np.flatnonzero(self.labels >= 0)
        values = np.full(len(self.labels), np.nan)
        if members.size:
            values[members] = score(self.distance[np.ix_(members, members)], self.labels[members])
        return read_only(values)

    @cached_property
    def medoid_indices_(self) -> IntArray:
        """Position of the most typical sequence of each cluster, shape (number of clusters,)."""
        return read_only(np.array([self.details.typical(k)[0] for k in range(self.n_clusters)], dtype=np.int64))

    @cached_property
    def embedding_(self) -> FloatArray:
        """Coordinates in the plane whose distances come closest to the dissimilarities (classical scaling), shape (N, 2)."""
        return read_only(classical_mds(self.ordering.sort_matrix(self.distance))[self.ordering.ranks])

    @cached_property
    def silhouettes(self) -> FloatArray:
        """Silhouette of each sequence among the groups of its division, shape (N,); NaN for ungrouped ones."""
        return self._of_members(silhouettes)

    @cached_property
    def stability(self) -> Stability | None:
        """Stability in bootstrap samples; None for a single cluster or one of each sequence.

        Of leaves of the tree, that of each in its division; `ari` is that of the first division.
        """
        if (division := self._division) is not self:
            return self._stability_of_leaves(division.stability)
        if not 1 < self.n_clusters < len(self.sequences):
            return None
        step = counter(self.options.progress, "bootstrap", self.options.n_resamples, "resample")
        seed, again = derive_seed(self.options.seed, "own"), cutter(self.views[0].width, self.options)
        distance, labels = self.ordering.sort_matrix(self.distance), self.labels[self.ordering.positions]
        blocks = dependent_sources(self.sequences.subset(self.ordering.positions))
        return stability(distance, labels, again, self.options.n_resamples, 500, seed, step, blocks)

    def _stability_of_leaves(self, first: Stability | None) -> Stability | None:
        """Stability of each leaf in its division, by that of the first division."""
        if first is None:
            return None
        parts = []
        for k, own in enumerate(first.jaccard):
            inner = self.details.within.get(k)
            stable = None if inner is None else inner.stability
            parts.append(np.full(1 if inner is None else inner.n_clusters, own) if stable is None else stable.jaccard)
        return replace(first, jaccard=np.concatenate(parts))

    @cached_property
    def membership_(self) -> FloatArray:
        """How strongly each sequence belongs to its cluster, shape (N,): ``b / (a + b)``.

        a is the mean dissimilarity to its own cluster and b that to the nearest other one. 1 if the sequence is like its own
        cluster, 0.5 on the border; 1 for a single cluster; NaN for a sequence that is not in a group.
        """
        return self._of_members(membership)

    def explain(self) -> pandas.DataFrame:
        """Return how each cluster differs from all other sequences, strongest statement first, tested and in words.

        Returns
        -------
        pandas.DataFrame
            A row a statement: ``cluster`` (from 1); ``column``, by name or number from 1, two of a correlation, empty for
            all; ``property``, one of a fixed list that the glossary defines; ``effect``, the chance (0 to 1) that a member's value
            exceeds that of another sequence, ties half (where `direction` is 0, and of shapes: that a member is nearer to the
            typical member; where some have a property and others do not: 0.5 and half of the difference of their shares); ``p``,
            corrected for all properties, columns and clusters; ``where``, the share of the time in which a level differs most in
            the direction of the statement, or a shape, lengths stretched to one, empty if nowhere for sure or everywhere;
            ``sentence``; ``words``, what members are by it in a few words.

            As data: ``value`` and ``others``, medians of members and of other sequences that have the property, in ``unit``,
            missing where these are of two values; of members, ``low`` and ``high`` are the two values, or the deciles of a moment
            that may be any; ``n_with`` and ``n_others_with``, how many have it;
            ``direction``: 1 if members have more of it (or have it, and others do not), -1 if less, 0 if they lie in between;
            ``start`` and ``end`` of the place, from the first row, in the time of the rate or clock, else in frames.

            A cluster that nothing simple tells apart has one row that says so, with an empty property, no words and an effect of
            NaN; so has a single cluster, and clusters of given dissimilarities.

        Notes
        -----
        Random labels get a statement in at most 2 % of cases: p-values are of permutations of the labels. Clusters that were
        found in the same data differ in something because they were cut so: of such, a small p-value says that the difference is no
        accident of a few sequences, and not that there are groups (the verdict and its p-value say that). Values are in the
        units that were given. Of more than 1000 sequences, as many are examined, and of a sample it is that of the sample.
        """
        return self._explanation.copy()

    @cached_property
    def _explanation(self) -> pandas.DataFrame:
        if (division := self._division) is not self:
            return self._explanation_of_leaves(division._explanation)
        if not self.details.has_content:
            return no_content(self.n_clusters)
        taken = self.decision.by
        by_property = taken is not None and taken.by_property
        kind, _, column = taken.name.partition(" of ") if taken is not None and by_property else ("", "", "")
        # Sequences that fit none of the groups say nothing about them.
        members = np.setdiff1d(np.flatnonzero(self.labels >= 0), self.details.scattered)
        labels, decided = self.labels[members], (kind, column) if by_property else None
        if not members.size:
            return no_content(0)
        examined = self.details.examined
        return explain(
            examined if members.size == len(examined) else examined.subset(members),
            labels,
            self.options.seed,
            decided,
        )

    def _explanation_of_leaves(self, first: pandas.DataFrame) -> pandas.DataFrame:
        """Statements on each leaf: those of its own division, then those on the groups that it is in."""
        import pandas as pd

        tables = []
        for k, start in enumerate(self._first_leaves.tolist()):
            own, inner = first[first["cluster"] == k + 1], self.details.within.get(k)
            if inner is None:
                tables.append(own.assign(cluster=start + 1))
                continue
            own, said = own.assign(sentence="the whole kind: " + own["sentence"]), inner._explanation
            for j in range(inner.n_clusters):
                rows = [said[said["cluster"] == j + 1], own]
                # A row that says that nothing was found is for leaves without another one.
                told = [part for part in rows if (part["property"] != "").any()] or rows[:1]
                tables += [part.assign(cluster=start + j + 1) for part in told]
        return pd.concat(tables, ignore_index=True)

    def outliers(self) -> pandas.DataFrame:
        """Return anomalies, most extreme first, followed by the sequences least similar to others.

        Returns
        -------
        pandas.DataFrame
            A row a sequence, at least 5 if there are so many, and all that belong to no cluster and are put where they are nearest,
            with its id as index: ``cluster`` (from 1); ``anomaly``, whether it
            is 6 or more deviations from the median of its cluster; ``column`` and ``property`` that is furthest out (as of
            :meth:`explain`, or ``dissimilarity``), of several that are about as far the plainest; by how many ``deviations``; its
            ``value`` and the ``usual`` one, the median of the cluster, in ``unit``; ``away``, its mean dissimilarity to the other
            members; ``sentence``. Empty of a single sequence, and of given dissimilarities.

        Notes
        -----
        A cluster of fewer than 8 members has no anomalies but sequences that belong to no cluster, which are compared with all
        others then. Where more than one member in ten is unusual, that is usual. Of more
        than 1000 sequences, as many are compared, and those that are least similar to others; of a sample it is that of the sample.
        """
        table = self.details.outlying
        ids = [self.sequences.ids[item] for item in table["item"]]
        return table.drop(columns="item").set_axis(ids, axis="index").rename_axis("id")

    @property
    def _partitions(self) -> dict[str, IntArray]:
        """Clusters under each measure by its name, shape (N,) each."""
        return {self.views[0].measure.name: self.labels} | {
            view.measure.name: read_only(view.labels) for view in self.views[1:]
        }

    @cached_property
    def scores(self) -> dict[str, dict[str, float]]:
        """Scores of each measure's partition against the labels, by measure; empty without labels."""
        if not self.details.labelled.size or self.sequences.labels is None:
            return {}
        truth = self.sequences.labels[self.details.labelled].astype(str)
        by_measure = {}
        for name, labels in self._partitions.items():
            clusters = labels[self.details.labelled]
            by_measure[name] = {
                "clustering error (%)": clustering_error(truth, clusters),
                "adjusted Rand index": ari(truth, clusters),
                "normalised mutual information": nmi(truth, clusters),
                "purity": purity(truth, clusters),
            }
        return by_measure


MIN_OWN_SILHOUETTE = 0.2
"""Silhouette below which a sequence lies between groups: it is less than a fifth nearer to its own than to the next."""

NO_SIGN = 0.2
"""p-value above which there is no sign of a gap; for pieces of one continuum it is anything from 0 to 1."""


def _is_at_an_end(values: FloatArray, own: NDArray[np.bool_]) -> bool:
    """Whether most members have larger, or most have smaller, values than others, which is quick to see."""
    low, middle, high = np.quantile(values[own], (0.1, 0.5, 0.9))
    others = np.median(values[~own])
    return bool(low > others or high < others) and bool(middle != others)


Evidence = TypeVar("Evidence")


def _of_division(compute: Callable[[ResultDetails], Evidence]) -> cached_property[Evidence]:
    """Property of the first division, also where clusters are the leaves of the tree."""

    @wraps(compute)
    def found(details: ResultDetails) -> Evidence:
        division = details._result._division
        if division is details._result:
            return compute(details)
        value: Evidence = getattr(division.details, compute.__name__)
        return value

    return cached_property(found)


class ResultDetails:
    """Derived values of a result beyond its public attributes, in the given order; each is computed once."""

    def __init__(self, result: Result) -> None:
        self._result = result

    @property
    def source(self) -> str | None:
        """Path of the data; None for arrays."""
        return self._result.original.source

    @property
    def medoids(self) -> list[FloatArray]:
        """The most typical sequence of each cluster in the original units, each of shape (T, d)."""
        return [read_only(self._result.original[int(i)]) for i in self._result.medoid_indices_]

    @property
    def n_distinct(self) -> int:
        """Number of distinct sequences; for a matrix, of items with distinct rows."""
        return len(self._result.ordering.distinct)

    @_of_division
    def candidates(self) -> dict[int, IntArray]:
        """Clusters for other numbers that the evidence does not distinguish from the chosen one, shape (N,) each.

        Empty if the number was given, or if groups are clear. After a single cluster, the number that comes nearest to
        significance.
        """
        result = self._result
        if result.options.n_clusters is not None or result.decision.by is not None or result.numbers is None:
            return {}
        return self.cut(number for number in result.numbers.candidates if number not in (1, result.n_clusters))

    @_of_division
    def neighbouring(self) -> dict[int, IntArray]:
        """Clusters for one fewer and one more by the same clusterer, shape (N,) each.

        Empty for a clusterer that finds the number by itself, and of more than 1000 sequences, which would take long.
        """
        result = self._result
        if (
            not get_clusterer(result.options.clusterer).requires_n_clusters
            or len(result.sequences) > limits.MAX_EXAMINED
        ):
            return {}
        most = len(result.ordering.distinct) if self.has_content else len(result.sequences)
        cuts = self.cut(number for number in (result.n_clusters - 1, result.n_clusters + 1) if 1 < number < most)
        return {number: labels for number, labels in cuts.items() if int(labels.max()) + 1 == number}

    def cut(self, numbers: Iterable[int]) -> dict[int, IntArray]:
        """Return clusters for some numbers of them."""
        result = self._result
        distance, width, first = (
            result.ordering.sort_matrix(result.distance),
            result.views[0].width,
            result.ordering.first,
        )
        return {
            number: cut(distance, number, width, result.options, first)[result.ordering.ranks] for number in numbers
        }

    @_of_division
    def corrected(self) -> float | None:
        """Mean silhouette corrected for chance: 0 for sequences without clusters, 1 at best.

        None for one cluster or one of each sequence, and for a clusterer that finds the number itself. Where the number was
        given, sets without clusters are drawn on first access.
        """
        result = self._result
        finds = get_clusterer(result.options.clusterer).finds_n_clusters
        if finds or not 1 < result.n_clusters < len(result.sequences):
            return None
        # With a given number, no sets without groups were drawn.
        numbers = result.numbers if result.options.n_clusters is None else None
        if numbers is None or numbers.expected is None:
            view = result.views[0]
            distance = self.once(view.distance)
            if result.n_clusters >= len(distance):
                return None
            numbers = compare_with_chance(
                [result.n_clusters],
                limits.N_REFERENCES,
                distance,
                view.width,
                result.options,
                view.reference,
            )
        at = np.flatnonzero(numbers.n_clusters == result.n_clusters)
        return float(numbers.corrected[at[0]]) if at.size and numbers.corrected is not None else None

    def once(self, distance: FloatArray) -> FloatArray:
        """Return a matrix in order of content, of the counted sequences, as measures saw it."""
        result = self._result
        positions = result.ordering.counted if self.has_content else np.arange(len(distance))
        return result.ordering.sort_matrix(distance)[np.ix_(positions, positions)]

    @property
    def is_scaled(self) -> bool:
        """Whether sequences were rescaled for comparison."""
        return self._result.scaling.units is not None

    @property
    def has_content(self) -> bool:
        """Whether there are sequences to show, not only dissimilarities."""
        return self._result.sequences.provenance.get("kind") != MATRIX

    @cached_property
    def typicality(self) -> FloatArray:
        """Mean dissimilarity of each sequence to its own cluster, shape (N,); the least is the most typical. NaN if ungrouped."""
        return self._result._of_members(typicality)

    @_of_division
    def gaps(self) -> Gaps | None:
        """Whether gaps separate the clusters: in the matrix, or for a fusion in most of the voting views.

        Of many sequences, some are drawn at random. None for a single cluster or one of each sequence. Sequences that belong
        to no cluster are left out.
        """
        result = self._result
        if not 1 < result.n_clusters < len(result.sequences):
            return None
        seed, decision = derive_seed(result.options.seed, "gaps"), result.decision
        if decision.by is None and len(decision.views) > 1:
            inside = np.flatnonzero(~np.isin(decision.items, self.scattered))
            views = [view[np.ix_(inside, inside)] for view in decision.views.values()]
            return gaps_in_views(views, result.labels[decision.items[inside]], seed)
        items = result.ordering.positions[
            subsample(len(result.sequences), limits.MAX_EXAMINED, result.options.seed, "gaps")
        ]
        items = items[~np.isin(items, self.scattered)]
        return gaps(result.distance[np.ix_(items, items)], result.labels[items], seed)

    @_of_division
    def far_away(self) -> IntArray:
        """Groups separated by gaps from all groups nearest to them, or by one property from all others.

        Most views that vote see nothing of a level, say, so that there are no gaps in them, wherever the levels are.
        """
        result = self._result
        far = self.apart_in_a_property
        if self.gaps is not None and len(self.gaps.pairs):
            # One test per gap, corrected for their number.
            without = self.gaps.p_values * len(self.gaps.pairs) > LEVEL
            far = np.union1d(np.setdiff1d(self.gaps.pairs, self.gaps.pairs[without]), far)
        # If all groups but one are far from the others, so is the remaining one.
        return np.arange(result.n_clusters) if len(far) == result.n_clusters - 1 > 1 else far

    @_of_division
    def apart_in_a_property(self) -> IntArray:
        """Groups that one property separates from all others as firmly as it may decide alone, for a cut of the matrix."""
        result = self._result
        if not self.has_content or result.decision.by is not None or not 1 < result.n_clusters < len(result.sequences):
            return np.zeros(0, dtype=np.int64)
        items = result.decision.items if result.decision.items.size else np.arange(len(result.sequences))
        plain, labels = properties(result.sequences.subset(items)), result.labels[items]
        sizes = sizes_of(labels, result.n_clusters)
        firm = [
            k
            for k in np.flatnonzero((sizes >= MIN_GROUP_SIZE) & (sizes <= len(items) - MIN_GROUP_SIZE))
            if any(
                Candidate(name, of_labels(pairwise_gaps(plain.of(name)), (labels == k).astype(np.int64))).is_strong()
                for name in plain.names
                if _is_at_an_end(plain.of(name), labels == k)
            )
        ]
        return np.array(firm, dtype=np.int64)

    @_of_division
    def pieces(self) -> IntArray:
        """Groups near others without a sign of a gap (``NO_SIGN``)."""
        if self.gaps is None or not len(self.gaps.pairs):
            return np.zeros(0, dtype=np.int64)
        return np.setdiff1d(self.gaps.pairs[self.gaps.p_values > NO_SIGN], self.far_away)

    @_of_division
    def between(self) -> IntArray:
        """Positions of sequences between groups: hardly nearer to their own than to the next (``MIN_OWN_SILHOUETTE``)."""
        result = self._result
        if not 1 < result.n_clusters < len(result.sequences):
            return np.zeros(0, dtype=np.int64)
        sizes = sizes_of(result.labels)
        near = (result.silhouettes < MIN_OWN_SILHOUETTE) & (sizes[result.labels] > 1)
        return np.flatnonzero(near & ~np.isin(result.labels, self.apart_in_a_property))

    @property
    def scattered(self) -> IntArray:
        """Positions of sequences that belong to no cluster.

        Their cluster is only the nearest one (known for clear groups, and of outlying sequences), or they have none
        (`unassigned`).
        """
        found, first = np.union1d(self.unassigned, self._result.decision.outside), self._result.views[0].labels
        if self._result._by_leaves:
            for k, inner in self.within.items():
                found = np.union1d(found, np.flatnonzero(first == k)[inner.details.scattered])
        return found.astype(np.int64)

    @property
    def numbers(self) -> list[str]:
        """Number of each cluster in the tree of groups: 1.2 is the second group within the first."""
        found: list[str] = []
        for k in range(self._result._division.n_clusters):
            inner = self.within.get(k) if self._result._by_leaves else None
            found += [str(k + 1)] if inner is None else [f"{k + 1}.{number}" for number in inner.details.numbers]
        return found

    @property
    def levels(self) -> list[IntArray]:
        """Group of each sequence after each division, called by its first cluster, shape (N,); the clusters last."""
        paths = [number.split(".") for number in self.numbers]
        levels = []
        for depth in range(1, 1 + max(map(len, paths), default=1)):
            names = [path[:depth] for path in paths]
            levels.append(np.array([*map(names.index, names), len(names)])[self._result.labels])
        return levels

    @property
    def unassigned(self) -> IntArray:
        """Positions of sequences left unassigned by the clusterer."""
        return np.flatnonzero(self._result.labels < 0)

    @cached_property
    def share_of_levels(self) -> float:
        """Share of the variance between the means of sequences of one cluster."""
        members = np.flatnonzero(self._result.labels >= 0)
        sequences, labels = self._result.sequences, self._result.labels[members]
        if not members.size:
            return 0.0
        return share_of_levels(sequences if len(labels) == len(sequences) else sequences.subset(members), labels)

    @cached_property
    def examined(self) -> SequenceSet:
        """The compared columns, in the original units."""
        result = self._result
        columns = result.scaling.columns
        return result.original if columns is None else only_columns(result.original, columns)

    @property
    def examined_members(self) -> SequenceSet:
        """Clustered members of `examined`."""
        members = np.flatnonzero(self._result.labels >= 0)
        return self.examined if members.size == len(self._result.labels) else self.examined.subset(members)

    @cached_property
    def within(self) -> dict[int, Result]:
        """Results for the members of groups that divide further, by group from 0."""
        result, labels = self._result, self._result.views[0].labels
        if result._look is None or labels.max() < 1:
            return {}
        copied = result.ordering.first[result.ordering.ranks]
        groups = {k: np.flatnonzero(labels == k) for k in range(int(labels.max()) + 1)}
        large = {k: own for k, own in groups.items() if len(np.unique(copied[own])) >= limits.LOOKED_INTO}
        found = {k: result._look(result.original.subset(members), len(large)) for k, members in large.items()}
        return {k: replace(inner, _by_leaves=True) for k, inner in found.items() if inner is not None}

    @cached_property
    def barycentres(self) -> list[FloatArray]:
        """DTW barycentre of each cluster in the original units, each of shape (T, d).

        Lengths may differ; T is that of the sequence in the middle. Columns are aligned in units of their standard deviations.
        Of more than 100 members, the 100 most typical ones are averaged. DataError of symbols and of given dissimilarities.
        """
        original = self._result.original
        if not self.has_content or original.alphabet is not None:
            what = "symbols have no mean" if self.has_content else "there are dissimilarities alone"
            raise DataError(f"{original.name}: {what}; medoid_indices_ has the most typical of each cluster")
        from ..measures.averaging import barycentre

        deviation = original.values.std(axis=0)
        units = np.where(deviation > 0.0, deviation, 1.0)
        groups = (original.subset(self.typical(k, MOST_AVERAGED)) for k in range(self._result.n_clusters))
        return [read_only(barycentre([frames / units for frames in group]) * units) for group in groups]

    @cached_property
    def outlying(self) -> pandas.DataFrame:
        """Outliers by their positions."""
        result = self._result
        if not self.has_content:
            return no_outliers()
        members = np.flatnonzero(result.labels >= 0)
        if not members.size:
            return no_outliers()
        distance = result.distance[np.ix_(members, members)]
        scattered = np.searchsorted(members, np.intersect1d(self.scattered, members))
        table = outliers(self.examined_members, result.labels[members], distance, result.options.seed, scattered)
        return table.assign(item=members[table["item"].to_numpy(dtype=np.int64)])

    def varies(self) -> Varying:
        """Return the properties that vary most among all sequences."""
        result = self._result
        return varying(self.examined, result.distance, result.options.seed)

    def neighbours(self, count: int = 5) -> IntArray:
        """Return positions of the nearest neighbours of each whole sequence, nearest first, shape (N, count)."""
        result = self._result
        n, count = len(result.sequences), as_count(count, "count", 0)
        others = result._overall.copy()
        np.fill_diagonal(others, np.inf)
        count = min(count, n - 1)
        near = np.argpartition(others, count - 1, axis=1)[:, :count] if count else np.zeros((n, 0), dtype=np.int64)
        order = np.lexsort((near, np.take_along_axis(others, near, axis=1)), axis=1)
        return np.take_along_axis(near, order, axis=1).astype(np.int64)

    def typical(self, cluster: int, count: int = 1) -> IntArray:
        """Return positions of the most typical members of a cluster, the medoid first."""
        result = self._result
        wanted, count = as_count(cluster, "cluster", 0), as_count(count, "count")
        if wanted >= result.n_clusters:
            raise ParameterError(f"cluster is {wanted}, but they are numbered from 0 to {result.n_clusters - 1}")
        members = np.flatnonzero(result.labels == wanted)
        return members[np.argsort(self.typicality[members], kind="stable")[:count]].astype(np.int64)

    @cached_property
    def agreement(self) -> list[dict[str, Any]]:
        """Agreement of each further measure with the first: partitions, neighbours and ranks of dissimilarities."""
        result = self._result
        first = result.views[0]
        return [
            {
                "measures": (first.measure.name, other.measure.name),
                "ari": ari(first.labels, other.labels),
                "neighbours": neighbour_agreement(first.distance, other.distance, random_state=result.options.seed),
                "correlation": rank_correlation(first.distance, other.distance, random_state=result.options.seed),
            }
            for other in result.views[1:]
        ]

    @cached_property
    def carriers(self) -> dict[str, float]:
        """Agreement of the nearest neighbours of each view with those of the fusion, closest view first.

        0 by chance, 1 if they are the same; empty if the first measure is no fusion. Auxiliary views
        (:attr:`reference_views`) are among them; they are computed on first use.
        """
        first = self._result.views[0]
        shares = {name: float(first.findings[f"agreement_{name}"]) for name in self.voting}
        if first.reference_views is not None:
            shares |= first.reference_views(self.once(first.distance))
        return dict(sorted(shares.items(), key=lambda entry: -entry[1]))

    @property
    def reference_views(self) -> list[str]:
        """Non-voting views of a fusion, examined to show what the fusion follows and ignores."""
        return [name for name in self.carriers if name not in self.voting]

    @property
    def voting(self) -> list[str]:
        """Voting views of a fusion."""
        prefix = "agreement_"
        return [name.removeprefix(prefix) for name in self._result.views[0].findings if name.startswith(prefix)]

    @property
    def folder(self) -> Path | None:
        """Folder that ids are relative to; None for arrays."""
        if self.source is None:
            return None
        path = Path(self.source)
        return path if path.is_dir() else path.parent

    def given(self) -> dict[str, Any]:
        """Non-default options of reading and of the analysis, and parameters of measures, in one mapping."""
        result = self._result
        reading = result.original.reading
        params = {"params": dict(result.options.params)} if result.options.params else {}
        return {**({} if reading is None else reading.changed()), **result.options.changed(), **params}

    def repeat(self) -> str:
        """Command or call that repeats the analysis."""
        result = self._result
        return self.call() if result.options.command is None else result.options.command

    def call(self, **changes: Any) -> str:
        """Call that repeats the analysis with some arguments replaced."""
        result = self._result
        data = repr(self.source) if self.source is not None else "sequences" if self.has_content else "matrix"
        number = COARSE if result.options.coarse else result.options.n_range or result.options.n_clusters
        arguments: dict[str, Any] = {} if number is None else {"n_clusters": number}
        arguments |= {
            "measure": ",".join(
                [entry.name for entry in result.options.measures] or (view.measure.name for view in result.views)
            ),
            "random_state": result.options.seed,
        }
        arguments |= self.given() | changes
        texts = {name: repr(value) for name, value in arguments.items()}
        # Labels given as a list are too long to repeat.
        if isinstance(arguments.get("labels"), tuple):
            texts["labels"] = "labels"
        return f"kinseq.cluster({', '.join([data, *(f'{name}={text}' for name, text in texts.items())])})"

    @cached_property
    def labelled(self) -> IntArray:
        """Positions of the sequences whose true label is known."""
        result = self._result
        if result.sequences.labels is None:
            return np.zeros(0, dtype=np.int64)
        return np.flatnonzero(result.sequences.labels.astype(str) != UNLABELLED)

    def confusion(self) -> tuple[list[str], IntArray]:
        """Labels, and the number of sequences of each in each cluster, shape (labels, clusters)."""
        result = self._result
        assert result.sequences.labels is not None
        return self.crossed(result.sequences.labels.astype(str)[self.labelled], result.labels[self.labelled])

    @cached_property
    def by_folder(self) -> tuple[list[str], IntArray] | None:
        """First sub-folders, and the number of sequences of each in each cluster, shape (folders, clusters).

        None if some sequence lies in none, all lie in one, or each has one of its own.
        """
        result = self._result
        tops = np.array(
            [name.partition("/")[0] if "/" in name else "" for name in result.sequences.ids.astype(str).tolist()]
        )
        on_disk = result.sequences.provenance.get("kind") in ("audio", "table")
        if not on_disk or "" in tops or not 1 < np.unique(tops).size < len(tops):
            return None
        return self.crossed(tops, result.labels)

    def crossed(self, truth: NDArray[np.str_], clusters: IntArray) -> tuple[list[str], IntArray]:
        """Names, and their counts in each cluster, with a last column for unassigned ones if there are any."""
        names, places = np.unique(truth), np.unique(clusters)
        table = np.zeros((names.size, self._result.n_clusters + bool(self.unassigned.size)), dtype=np.int64)
        table[:, places] = confusion(truth, clusters)
        return names.tolist(), table
