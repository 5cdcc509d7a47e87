"""External scores: partitions against what is known of the sequences, their labels or the sub-folders that they lie in."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..core.arrays import IntArray
from ..core.folders import UNLABELLED
from ..metrics.clustering import ari, clustering_error, confusion, nmi, purity

if TYPE_CHECKING:
    from ..core.sequences import SequenceSet


class ExternalScores(ABC):
    """Scores of something that has `sequences`, clusters of them in `labels`, and `partitions` by several measures."""

    sequences: SequenceSet

    @property
    @abstractmethod
    def labels(self) -> IntArray:
        """Cluster of each sequence under the first measure, shape (N,), from 0, the largest cluster first."""

    @property
    @abstractmethod
    def n_clusters(self) -> int:
        """Number of clusters found."""

    @property
    @abstractmethod
    def partitions(self) -> Mapping[str, IntArray]:
        """Clusters of each sequence under each measure by its name, shape (N,) each."""

    @cached_property
    def labelled(self) -> IntArray:
        """Positions of the sequences whose true label is known."""
        if self.sequences.labels is None:
            return np.zeros(0, dtype=np.int64)
        return np.flatnonzero(self.sequences.labels.astype(str) != UNLABELLED)

    @cached_property
    def scores(self) -> dict[str, dict[str, float]]:
        """Scores of each measure's partition against the labels, by measure; empty without labels."""
        if not self.labelled.size or self.sequences.labels is None:
            return {}
        truth = self.sequences.labels[self.labelled].astype(str)
        by_measure = {}
        for name, labels in self.partitions.items():
            clusters = labels[self.labelled]
            by_measure[name] = {
                "clustering error (%)": clustering_error(truth, clusters),
                "adjusted Rand index": ari(truth, clusters),
                "normalised mutual information": nmi(truth, clusters),
                "purity": purity(truth, clusters),
            }
        return by_measure

    def confusion(self) -> tuple[list[str], IntArray]:
        """Labels, and how many sequences of each are in each cluster, shape (labels, clusters)."""
        assert self.sequences.labels is not None
        return self._crossed(self.sequences.labels.astype(str)[self.labelled], self.labels[self.labelled])

    @cached_property
    def by_folder(self) -> tuple[list[str], IntArray] | None:
        """First sub-folders, and how many sequences of each are in each cluster, shape (folders, clusters).

        None if some sequence lies in none, all lie in one, or each has one of its own.
        """
        tops = np.array(
            [name.partition("/")[0] if "/" in name else "" for name in self.sequences.ids.astype(str).tolist()]
        )
        on_disk = self.sequences.provenance.get("kind") in ("audio", "table")
        if not on_disk or "" in tops or not 1 < np.unique(tops).size < len(tops):
            return None
        return self._crossed(tops, self.labels)

    def _crossed(self, truth: NDArray[np.str_], clusters: IntArray) -> tuple[list[str], IntArray]:
        """Names, and how many of each are in each of the clusters."""
        names = np.unique(truth)
        table = np.zeros((names.size, self.n_clusters), dtype=np.int64)
        table[:, np.unique(clusters)] = confusion(truth, clusters)
        return names.tolist(), table
