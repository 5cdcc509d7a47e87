"""Cells of the confusion matrix, for prints that give it whole."""

from __future__ import annotations

from numpy.typing import ArrayLike

from ..core.errors import ParameterError
from .external import matched_confusion
from .registry import Metric


def confusion_cell(y_true: ArrayLike, y_pred: ArrayLike, rank: int) -> float:
    """Return the number of items in one cell of the confusion matrix.

    Parameters
    ----------
    y_true, y_pred : array_like, shape (N,)
        True classes and cluster numbers.
    rank : int
        Which cell, counted from 1 along the rows of :func:`~kinseq.metrics.external.matched_confusion`: classes in the order of
        their names, clusters in the order of the classes that they are matched with; those without a class are left out.

    Raises
    ------
    ParameterError
        If there are fewer cells.
    """
    table = matched_confusion(y_true, y_pred)
    table = table[:, : len(table)]
    if rank > table.size:
        raise ParameterError(f"confusion_{rank}: the confusion matrix has {table.size} cells")
    return float(table.ravel()[rank - 1])


METRICS = (
    Metric(
        name="confusion",
        label="Items in cell {rank} of the confusion matrix",
        unit="count",
        direction="none",
        judges="partition",
        reproduced_within=1.0,
        close_within=3.0,
        largest_se=2.0,
        least=0.0,
        ranked=True,
        function=confusion_cell,
    ),
)
