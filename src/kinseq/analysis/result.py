"""What an analysis found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ..core.arrays import FloatArray, IntArray, read_only
from ..core.ordering import Ordering
from ..core.progress import counter
from ..core.seeds import derive_seed
from ..core.sequences import SequenceSet
from ..metrics.external import ari, clustering_error, nmi, purity
from ..metrics.internal import (
    Numbers,
    Stability,
    membership,
    silhouettes,
    stability,
)
from ..metrics.maps import classical_mds
from .details import ResultDetails
from .explaining import explain, no_content
from .log import Choice
from .options import Options
from .partition import cutter
from .preparation import Transform
from .rules import Decision
from .views import View

if TYPE_CHECKING:
    import pandas


Subclusterer = Callable[[SequenceSet, int], "Result"]
"""The result of some sequences by the same rules, where so many groups are looked into: one process is cut in none of them."""


@dataclass(repr=False, kw_only=True)
class Result:
    """Clusters of sequences that were compared with each other, with what is needed to judge them.

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
        What was asked.
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
    # The result of the members of one group; None where these are not looked at by themselves.
    _look: Subclusterer | None = None

    @cached_property
    def details(self) -> ResultDetails:
        """What follows from the result, for its words, its page and its predictions."""
        return ResultDetails(self)

    @property
    def numbers(self) -> Numbers | None:
        """Evidence for each number of clusters; None where no numbers were compared."""
        return self.decision.numbers

    @property
    def distance(self) -> FloatArray:
        """Dissimilarities under the first measure, shape (N, N)."""
        return read_only(self.views[0].distance)

    @property
    def _overall(self) -> FloatArray:
        """Dissimilarities of whole sequences, shape (N, N), also where one property shows the groups."""
        whole = self.views[0].whole
        return self.distance if whole is None else read_only(whole)

    @property
    def labels(self) -> IntArray:
        """Cluster of each sequence under the first measure, shape (N,), from 0, the largest cluster first."""
        return read_only(self.views[0].labels)

    @property
    def n_clusters(self) -> int:
        """Number of clusters found."""
        return int(self.labels.max()) + 1

    @cached_property
    def medoid_indices_(self) -> IntArray:
        """Position of the most typical sequence of each cluster, shape (number of clusters,)."""
        return read_only(np.array([self.details.typical(k)[0] for k in range(self.n_clusters)], dtype=np.int64))

    @property
    def medoids_(self) -> list[FloatArray]:
        """The most typical sequence of each cluster in the units that were given, each of shape (T, d)."""
        return [read_only(self.original[int(i)]) for i in self.medoid_indices_]

    @cached_property
    def embedding_(self) -> FloatArray:
        """Coordinates in the plane whose distances come closest to the dissimilarities (classical scaling), shape (N, 2)."""
        return read_only(classical_mds(self.ordering.sort_matrix(self.distance))[self.ordering.ranks])

    @cached_property
    def silhouettes(self) -> FloatArray:
        """Silhouette of each sequence, shape (N,)."""
        return read_only(silhouettes(self.distance, self.labels))

    @cached_property
    def stability(self) -> Stability | None:
        """Stability in bootstrap samples; None for a single cluster or one of each sequence."""
        if not 1 < self.n_clusters < len(self.sequences):
            return None
        step = counter(self.options.progress, "bootstrap", self.options.n_resamples, "resample")
        seed, again = derive_seed(self.options.seed, "own"), cutter(self.views[0].width, self.options)
        distance, labels = self.ordering.sort_matrix(self.distance), self.labels[self.ordering.positions]
        return stability(distance, labels, again, self.options.n_resamples, 500, seed, step)

    @cached_property
    def membership_(self) -> FloatArray:
        """How strongly each sequence belongs to its cluster, shape (N,): ``b / (a + b)``, with a the mean dissimilarity to its
        own cluster and b that to the nearest other one. 1 if it is like its own, 0.5 on the border; 1 for a single cluster.
        """
        return read_only(membership(self.distance, self.labels))

    def explain(self) -> pandas.DataFrame:
        """Return what sets each cluster apart from all other sequences, strongest first, tested and in words.

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

            As data: ``value`` and ``others``, medians of members and of other sequences that have the property, in ``unit``; where
            members are of two values, ``low`` and ``high`` instead of `value`; ``n_with`` and ``n_others_with``, how many have it;
            ``direction``: 1 if members have more of it (or have it, and others do not), -1 if less, 0 if they lie in between;
            ``start`` and ``end`` of the place, from the first row, in the time of the rate or clock, else in frames.

            A cluster that nothing simple tells apart has one row that says so, with an empty property, no words and an effect of
            NaN; so has a single cluster, and clusters of given dissimilarities.

        Notes
        -----
        Random labels get a statement in at most 2 % of cases: p-values are of permutations of the labels. Clusters that were
        found in the same data differ in something because they were cut so: of such, a small p-value says that the difference is no
        accident of a few sequences, and not that there are groups (the verdict and its p-value say that). Values are in the
        units that were given. Of more than 1000 sequences, as many are looked at, and of a sample it is that of the sample.
        """
        return self._explanation.copy()

    @cached_property
    def _explanation(self) -> pandas.DataFrame:
        if not self.details.has_content:
            return no_content(self.n_clusters)
        taken = self.decision.by
        by_property = taken is not None and taken.by_property
        kind, _, column = taken.name.partition(" of ") if taken is not None and by_property else ("", "", "")
        return explain(self.details.looked_at, self.labels, self.options.seed, (kind, column) if by_property else None)

    def outliers(self) -> pandas.DataFrame:
        """Return anomalies, the furthest out first, and behind them the sequences that are least similar to others.

        Returns
        -------
        pandas.DataFrame
            A row a sequence, at least 5 if there are so many, with its id as index: ``cluster`` (from 1); ``anomaly``, whether it
            is 6 or more deviations from the median of its cluster; ``column`` and ``property`` that is furthest out (as of
            :meth:`explain`, or ``dissimilarity``), of several that are about as far the plainest; by how many ``deviations``; its
            ``value`` and the ``usual`` one, the median of the cluster, in ``unit``; ``away``, its mean dissimilarity to the other
            members; ``sentence``. Empty of a single sequence, and of given dissimilarities.

        Notes
        -----
        A cluster of fewer than 8 members has no anomalies. Where more than one member in ten is unusual, that is usual. Of more
        than 1000 sequences, as many are compared, and those that are least similar to others; of a sample it is that of the sample.
        """
        table = self.details.outlying
        ids = [self.sequences.ids[item] for item in table["item"]]
        return table.drop(columns="item").set_axis(ids, axis="index").rename_axis("id")

    @property
    def _partitions(self) -> dict[str, IntArray]:
        """Clusters under each measure by its name, shape (N,) each."""
        return {view.measure.name: read_only(view.labels) for view in self.views}

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
