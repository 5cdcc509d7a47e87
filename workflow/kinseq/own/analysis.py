"""What :func:`kinseq.cluster` returns: a result and what can be done with it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from ..arrays import FloatArray, IntArray
from ..errors import ParameterError
from ..evaluation.pictures import sample_items
from ..store import PathLike
from .cautions import cautions
from .prediction import nearest_clusters, placed
from .preparation import Data
from .report import content_of, write_report
from .result import Result

if TYPE_CHECKING:
    import pandas
    from matplotlib.figure import Figure


ON_A_SMALL_MAP = 300
"""Most sequences that are drawn where an analysis is shown in a notebook."""


class Analysis(Result):
    """A :class:`~kinseq.own.result.Result` that can be shown, written and asked about new sequences."""

    def warnings(self) -> list[str]:
        """What a reader should not overlook."""
        return cautions(self)

    def predict(self, sequences: Data | pandas.DataFrame) -> IntArray:
        """Nearest cluster of new sequences, under the first measure and the models already fitted.

        Parameters
        ----------
        sequences : path-like, SequenceSet, list, ndarray or pandas.DataFrame
            New sequences of the same features, in the units of the originals and any form that :func:`kinseq.cluster` takes;
            a path is read with the same settings. Of precomputed dissimilarities, those from each new item (a row) to
            each old one (a column).

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

    def _repr_html_(self) -> str:
        """The map, for notebooks; nothing is loaded from elsewhere."""
        from ..render.own.content import Content
        from ..render.own.html import small_map

        shown = sample_items(self.labels, ON_A_SMALL_MAP, self.seed)
        return small_map(Content(self, (), shown, shown, {"MDS": self.embedding_[shown]}, None))

    def plot(self) -> Figure:
        """Heat map, 2-D map, numbers of clusters and dendrogram in one figure."""
        from ..render.own.figures import overview

        return overview(content_of(self))

    def report(self, path: PathLike) -> Path:
        """Write the page, and beside it the distance matrix and the partition.

        Parameters
        ----------
        path : path-like
            A folder, made if need be, or the ``.html`` file to write.

        Returns
        -------
        Path
            The page. The folder also gets ``distance.npz``, ``distance.csv``, ``partition.csv`` and three pictures.

        Raises
        ------
        ParameterError
            If `path` is empty or no path.
        """
        if not isinstance(path, (str, os.PathLike)) or not str(path).strip():
            raise ParameterError(f"path is {path!r}, expected a folder or an .html file")
        return write_report(self, path)
