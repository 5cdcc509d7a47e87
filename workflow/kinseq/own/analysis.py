"""What :func:`kinseq.cluster` returns: a result and what can be done with it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from ..arrays import IntArray
from ..errors import ParameterError
from ..store import PathLike
from .cautions import cautions
from .prediction import nearest_clusters
from .preparation import Data
from .report import content_of, write_report
from .result import Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Analysis(Result):
    """A :class:`~kinseq.own.result.Result` that can be shown, written and asked about new sequences."""

    def warnings(self) -> list[str]:
        """What a reader should not overlook."""
        return cautions(self)

    def predict(self, sequences: Data) -> IntArray:
        """Nearest cluster of new sequences, under the first measure and the models already fitted.

        Parameters
        ----------
        sequences : path-like, SequenceSet or list of array_like, each of shape (T, d)
            New sequences of the same features, in the units of the originals; a path is read with the same settings.

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
