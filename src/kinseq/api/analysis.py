"""What :func:`kinseq.cluster` returns: a result and what can be done with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..analysis.diagnostics import cautions
from ..analysis.prediction import nearest_clusters, placed
from ..analysis.preparation import Data
from ..analysis.result import Result
from ..analysis.saving import save
from ..analysis.verdict import also_there, verdict
from ..core.arrays import FloatArray, IntArray
from ..core.store import PathLike
from .clusters import Clusters

if TYPE_CHECKING:
    import pandas
    from matplotlib.figure import Figure


class Analysis(Result, Clusters):
    """A :class:`~kinseq.analysis.result.Result` that can be shown, written and asked about new sequences."""

    @classmethod
    def of(cls, result: Result) -> Analysis:
        """The same result, with these methods."""
        return cls(**{entry.name: getattr(result, entry.name) for entry in fields(result)})

    @property
    def verdict(self) -> str:
        """What was found, in one sentence."""
        return verdict(self).sentence

    @property
    def also_there(self) -> list[str]:
        """Groups beyond doubt that were not taken, as another view or property sees them, one sentence each."""
        return also_there(self)

    def __repr__(self) -> str:
        name, n = self.sequences.name, len(self.sequences)
        return f"{type(self).__name__}({name!r}, {n} sequences by {self.views[0].measure.name}: {self.verdict})"

    def warnings(self) -> list[str]:
        """What a reader should not overlook."""
        return cautions(self)

    def predict(self, sequences: Data | pandas.DataFrame) -> IntArray:
        """Nearest cluster of new sequences, under the first measure and the models already fitted.

        Parameters
        ----------
        sequences : path-like, SequenceSet, list, ndarray or pandas.DataFrame
            New sequences of the same features, in the units of the originals and any form that :func:`kinseq.cluster` takes;
            a path is read with the same settings. They are stretched to the length of the old ones, where these were. Of
            precomputed dissimilarities, those from each new item (a row) to each old one (a column).

        Returns
        -------
        ndarray, shape (M,), int64
            Cluster with the least mean dissimilarity. A sequence's answer does not depend on the others.

        Raises
        ------
        DataError
            If the number of features differs.
        ParameterError
            If the measure has no meaning for one sequence by itself (it selects models by the whole set).
        """
        return nearest_clusters(self, sequences)

    def transform(self, sequences: Data | pandas.DataFrame) -> FloatArray:
        """Coordinates of new sequences in the plane of `embedding_`, each placed by its dissimilarities to the old ones.

        Parameters
        ----------
        sequences
            As for :meth:`predict`.

        Returns
        -------
        ndarray, shape (M, 2)
            Old sequences come to where they are, except under a fusion, which compares new sequences with old ones in a
            way of its own (`reproduces` of :class:`~kinseq.measures.registry.Measure`).
        """
        return placed(self, sequences)

    def to_frame(self) -> pandas.DataFrame:
        import pandas as pd

        medoid = np.zeros(len(self.labels), dtype=bool)
        medoid[self.medoid_indices_] = True
        columns = {
            "cluster": self.labels,
            "silhouette": self.silhouettes,
            "membership": self.membership_,
            "medoid": medoid,
        }
        columns |= {f"cluster_{view.measure.name}": view.labels for view in self.views[1:]}
        if self.sequences.labels is not None:
            columns["label"] = self.sequences.labels
        return pd.DataFrame(columns, index=pd.Index(self.sequences.ids, name="id"))

    def _repr_html_(self) -> str:
        """The map, for notebooks; nothing is loaded from elsewhere."""
        from ..report.parts import small_map
        from ..report.writing import small_content

        return small_map(small_content(self))

    def plot(self) -> Figure:
        """Heat map, 2-D map, numbers of clusters and dendrogram in one figure."""
        from ..report.figures import overview
        from ..report.writing import content_of

        return overview(content_of(self))

    def save(self, path: PathLike) -> None:
        save(self.original, self, path)

    def report(self, path: PathLike, also: Mapping[str, str] | None = None) -> Path:
        from ..report.writing import write_report

        return write_report(self, path, also)
