"""What :func:`kinseq.cluster` returns for many sequences: the analysis of a sample, and clusters of all of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from ..analysis import limits
from ..analysis.assigning import assigned, blocks, come_back, represented, strengths
from ..analysis.options import Options
from ..analysis.prediction import compared, located, prepared
from ..analysis.preparation import Data, Prepared
from ..analysis.remarks import Choice
from ..analysis.sampling import smallest_in_sight
from ..analysis.saving import save
from ..core.arrays import FloatArray, IntArray, read_only
from ..core.errors import ParameterError
from ..core.sequences import SequenceSet
from ..core.store import PathLike
from ..core.wording import count
from .analysis import Analysis
from .clusters import Clusters

if TYPE_CHECKING:
    import pandas
    from matplotlib.figure import Figure

FEW_COME_BACK = 0.9
"""Share of sampled sequences that the rule for all others puts into their own cluster, below which the page warns."""


@dataclass(repr=False)
class SampledAnalysis(Clusters):
    """Clusters of a sample, to which all other sequences are assigned.

    There is no matrix of dissimilarities over all sequences. Whatever follows from one (the map, the dendrogram,
    silhouettes, stability, the number of clusters) is that of the sample.

    Attributes
    ----------
    sample : Analysis
        Of the sequences that were compared with each other.
    sample_positions : ndarray, shape (n,), int64
        Where these stand among all, rising.
    assignment : ndarray, shape (N,), int64
        Cluster of each sequence: of the sampled ones that of the sample.
    base : Analysis
        The representatives of the clusters, which new sequences are compared with.
    comes_back : float or None
        Share, 0 to 1, of the sampled sequences that represent nothing whose cluster the rule for all others finds again;
        None if all represent their cluster.
    unlike : ndarray, int64
        Positions of sequences whose statistics are far from those of every sampled one.
    """

    sample: Analysis
    sample_positions: IntArray
    sequences: SequenceSet
    assignment: IntArray
    base: Analysis
    comes_back: float | None
    unlike: IntArray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    original: SequenceSet = field(init=False)
    notes: list[str] = field(init=False)
    choices: list[Choice] = field(init=False)

    def __post_init__(self) -> None:
        self.original, self.notes, self.choices = self.sequences, self.sample.notes, self.sample.choices

    @property
    def labels(self) -> IntArray:
        """Cluster of each sequence, shape (N,), from 0, in the order of their sizes in the sample."""
        return read_only(self.assignment)

    @property
    def n_clusters(self) -> int:
        """Number of clusters."""
        return self.sample.n_clusters

    @property
    def distance(self) -> NoReturn:
        """Refused: there is no matrix of all sequences."""
        raise self._no_matrix()

    def _no_matrix(self) -> ParameterError:
        return ParameterError(
            f"there are no dissimilarities between all {len(self.labels)} sequences; sample.distance has those of the"
            f" {len(self.sample_positions)} at sample_positions, and sample=None compares all if the memory suffices"
        )

    @property
    def has_content(self) -> bool:
        """Whether there are sequences to look at; always."""
        return True

    @property
    def findings_(self) -> dict[str, Any]:
        """What the first measure reported of the sample."""
        return self.sample.findings_

    @property
    def partitions(self) -> dict[str, IntArray]:
        """Clusters under the first measure, by its name; further measures see the sample only."""
        return {self.sample.views[0].measure.name: self.labels}

    @property
    def medoid_indices_(self) -> IntArray:
        """Position of the most typical sampled sequence of each cluster, shape (number of clusters,)."""
        return self.sample_positions[self.sample.medoid_indices_]

    @property
    def medoids_(self) -> list[FloatArray]:
        """These sequences in the units that were given, each of shape (T, d)."""
        return self.sample.medoids_

    @cached_property
    def embedding_(self) -> FloatArray:
        """Coordinates of all sequences in the plane, by their dissimilarities to the representatives; shape (N, 2)."""
        return read_only(self.transform(self.sequences))

    @cached_property
    def membership_(self) -> FloatArray:
        """How strongly each sequence belongs to its cluster, shape (N,): of the sampled ones that in the sample, of all others by
        the representatives that they were assigned by.
        """
        memberships = np.empty(len(self.labels))
        others = np.setdiff1d(np.arange(len(self.labels)), self.sample_positions)
        memberships[self.sample_positions] = self.sample.membership_
        if others.size:
            memberships[others] = strengths(self.base, *prepared(self.base, self.sequences.subset(others)))
        return read_only(memberships)

    def predict(self, sequences: Data | pandas.DataFrame) -> IntArray:
        """Cluster of new sequences: that whose nearest representatives are least far on average, shape (M,).

        Parameters and errors are those of :meth:`~kinseq.api.analysis.Analysis.predict`. The clusters of all sequences
        outside the sample were found in this way.
        """
        return assigned(self.base, *prepared(self.base, sequences))

    def transform(self, sequences: Data | pandas.DataFrame) -> FloatArray:
        """Coordinates of new sequences in the plane of `embedding_`, shape (M, 2)."""
        new, options = prepared(self.base, sequences)
        return np.concatenate([located(self.base, compared(self.base, block, options)) for block in blocks(new)])

    def warnings(self) -> list[str]:
        """What a reader should not overlook."""
        sentences = self.sample.warnings()
        if self.comes_back is not None and self.comes_back < FEW_COME_BACK:
            sentences.append(
                f"only {self.comes_back:.0%} of the sampled sequences come back to their own cluster by the rule that all"
                " others were assigned by: the borders between the clusters are not sharp, take a larger sample"
            )
        if self.unlike.size:
            ids, more = self.sequences.ids[self.unlike[:5]].tolist(), len(self.unlike) - 5
            sentences.append(
                f"{count(len(self.unlike), 'sequence')} {'is' if len(self.unlike) == 1 else 'are'} unlike everything that was"
                " sampled, in level, spread, speed or length:"
                f" {', '.join(ids)}{f' and {more} more' if more > 0 else ''}; their clusters say little, look at them or take"
                " a larger sample"
            )
        return sentences

    def in_sight(self) -> str:
        """How small a cluster can be found, one sentence."""
        n, size = len(self.labels), len(self.sample_positions)
        smallest = smallest_in_sight(n, size, limits.SEEN)
        sentence = (
            f"a cluster of {smallest} sequences ({smallest / n:.1%}) has {limits.SEEN} or more in the sample with a"
            f" probability of {limits.SURE:g}, a smaller one may be missed; one in sight of less than {limits.FOUND:.0%} is"
            " mostly joined to a larger one, as it is without a sample"
        )
        numbers = self.sample.numbers
        if self.sample.n_requested is None and numbers is not None and numbers.n_items < size:
            counted = smallest_in_sight(n, numbers.n_items, limits.COUNTED)
            sentence += (
                f"; the number of clusters was chosen on {numbers.n_items}, where one of fewer than {counted}"
                f" ({counted / n:.1%}) may count for nothing"
            )
        return sentence

    @property
    def verdict(self) -> str:
        """What was found of the sample, in one sentence."""
        return self.sample.verdict

    @property
    def also_there(self) -> list[str]:
        """Groups beyond doubt in the sample that were not taken, one sentence each."""
        return self.sample.also_there

    def __repr__(self) -> str:
        n, size = len(self.labels), len(self.sample_positions)
        clusters = f"{self.n_clusters} cluster{'s' * (self.n_clusters != 1)}"
        name, measure = self.sequences.name, self.sample.views[0].measure.name
        return f"{type(self).__name__}({name!r}: {n} sequences in {clusters} by {measure}, {size} of them compared)"

    def to_frame(self) -> pandas.DataFrame:
        import pandas as pd

        every = pd.DataFrame({"cluster": self.labels}, index=pd.Index(self.sequences.ids, name="id"))
        every["sampled"] = False
        every.iloc[self.sample_positions, 1] = True
        some = self.sample.to_frame().drop(columns=["cluster", "label"], errors="ignore")
        table = every.join(some)
        table["medoid"] = table["medoid"].eq(True)
        if self.sequences.labels is not None:
            table["label"] = self.sequences.labels
        return table

    def explain(self) -> pandas.DataFrame:
        """What sets each cluster of the sample apart; see :meth:`~kinseq.api.clusters.Clusters.explain`."""
        return self.sample.explain()

    def _repr_html_(self) -> str:
        """The map of the sample, for notebooks."""
        from ..report.parts import small_map
        from ..report.writing import small_content

        return small_map(small_content(self.sample, self))

    def plot(self) -> Figure:
        """Heat map, 2-D map, numbers of clusters and dendrogram of the sample in one figure."""
        return self.sample.plot()

    def save(self, path: PathLike) -> None:
        save(self.sequences, self.sample, path, {"labels": self.assignment, "comes_back": self.comes_back})

    def report(self, path: PathLike, also: Mapping[str, str] | None = None) -> Path:
        """Write the page, the partition of all sequences, and the dissimilarities of the sample.

        Parameters are those of :meth:`~kinseq.api.analysis.Analysis.report`.
        """
        from ..report.writing import write_report

        return write_report(self.sample, path, also, self)


def extended(sample: Analysis, prepared: Prepared, options: Options) -> SampledAnalysis:
    """The analysis of all sequences, by that of the sample that was drawn of them: the others are assigned to its clusters."""
    base, left, ordering = represented(sample), prepared.left_out(), prepared.ordering
    clusters = np.full(len(prepared.original), -1, dtype=np.int64)
    clusters[ordering.first[ordering.ranks[prepared.positions]]] = sample.labels
    if left.size:
        clusters[left] = assigned(base, prepared.ordered.subset(left), options)
    labels, returned = clusters[ordering.first][ordering.ranks], come_back(sample, base, options)
    unlike = prepared.given(prepared.unlike)
    return SampledAnalysis(sample, prepared.positions, prepared.original, labels, base, returned, unlike)
