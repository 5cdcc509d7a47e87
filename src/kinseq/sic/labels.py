"""Answers of the classifiers: the class of every sample at every iteration, the basis of all results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.arrays import FloatArray, IntArray, as_count, as_whole_numbers
from ..core.errors import DataError
from ..core.store import PathLike, read_arrays, write_arrays
from . import kernels

UNTESTED = -1
"""Class of a sample that was not tested."""
MOST_CLASSES = 2**15 - 1
"""Classes of one iteration are numbered by int16."""


@dataclass(frozen=True, eq=False)
class Labels:
    """Assigned classes of samples, by iteration.

    Batches of iterations can be computed anywhere and in any order: :meth:`join` puts them into the order of their
    iterations, and every similarity, partial sum and estimate is a function of the whole.

    Attributes
    ----------
    values : ndarray, shape (N, I), int16
        Class of each sample at each iteration, -1 where it was not tested. Numbers of classes mean nothing beyond their
        iteration.
    iterations : ndarray, shape (I,), int64
        Numbers of the iterations, rising.
    n_trained : ndarray, shape (I,), int64
        Number of classes that were trained. Below 2, the iteration was skipped and nothing was tested.

    Raises
    ------
    DataError
        If shapes disagree, or iterations do not rise.
    """

    values: NDArray[np.int16]
    iterations: IntArray
    n_trained: IntArray

    def __post_init__(self) -> None:
        values = as_whole_numbers(self.values, "labels")
        if values.ndim != 2 or len(values) == 0:
            raise DataError(f"labels have shape {values.shape}, expected (samples, iterations)")
        if values.size and not UNTESTED <= int(values.min()) <= int(values.max()) <= MOST_CLASSES:
            raise DataError(
                f"labels run from {values.min()} to {values.max()}, expected {UNTESTED} to {MOST_CLASSES}; use fewer"
            )
        object.__setattr__(self, "values", np.ascontiguousarray(values, dtype=np.int16))
        for name in ("iterations", "n_trained"):
            column = as_whole_numbers(getattr(self, name), name)
            if column.shape != values.shape[1:]:
                raise DataError(f"{name} have shape {column.shape} but there are {values.shape[1]} iterations")
            object.__setattr__(self, name, column)
        if (np.diff(self.iterations) <= 0).any():
            raise DataError("iterations must rise and none may come twice; join each batch once")

    @classmethod
    def from_classes(cls, values: ArrayLike) -> Labels:
        """Return labels from an array of classes, for classifications from elsewhere."""
        array = as_whole_numbers(values, "labels")
        if array.ndim != 2:
            raise DataError(f"labels have shape {array.shape}, expected (samples, iterations)")
        trained = [np.unique(column[column >= 0]).size for column in array.T]
        return cls(array, np.arange(array.shape[1]), np.array(trained, dtype=np.int64))  # type: ignore[arg-type]

    @classmethod
    def join(cls, batches: Sequence[Labels]) -> Labels:
        """Concatenate batches of different iterations of the same samples.

        Raises
        ------
        DataError
            If there is no batch, they differ in their number of samples, or an iteration is in two of them.
        """
        if not batches:
            raise DataError("there are no batches of labels; at least one is needed")
        sizes = sorted({len(batch) for batch in batches})
        if len(sizes) > 1:
            raise DataError(f"batches hold {sizes[0]} and {sizes[-1]} samples; join those of one set only")
        iterations = np.concatenate([batch.iterations for batch in batches])
        order = np.argsort(iterations, kind="stable")
        return cls(
            np.concatenate([batch.values for batch in batches], axis=1)[:, order],
            iterations[order],
            np.concatenate([batch.n_trained for batch in batches])[order],
        )

    def __len__(self) -> int:
        return len(self.values)

    @property
    def n_iterations(self) -> int:
        """Number of iterations I, including skipped ones."""
        return int(self.iterations.size)

    @property
    def tested(self) -> NDArray[np.bool_]:
        """Whether a sample was tested, shape (N, I)."""
        return np.asarray(self.values >= 0)

    @property
    def skipped(self) -> NDArray[np.bool_]:
        """Whether an iteration was skipped, shape (I,)."""
        return np.asarray(~self.tested.any(axis=0))

    @property
    def n_classes(self) -> IntArray:
        """Number of classes that some sample was put into, shape (I,)."""
        return np.array([np.unique(column[column >= 0]).size for column in self.values.T], dtype=np.int64)

    def first(self, n_iterations: int) -> Labels:
        """Return the first iterations."""
        some = as_count(n_iterations, "n_iterations")
        return Labels(self.values[:, :some], self.iterations[:some], self.n_trained[:some])

    def of_iterations(self, chosen: ArrayLike) -> Labels:
        """Return iterations at some positions, in order."""
        at = np.sort(np.arange(self.n_iterations)[np.asarray(chosen)])
        return Labels(self.values[:, at], self.iterations[at], self.n_trained[at])

    def used(self) -> Labels:
        """Return the labels without skipped iterations."""
        return self.of_iterations(~self.skipped) if self.skipped.any() else self

    def save(self, path: PathLike) -> None:
        """Write to an npz file atomically."""
        arrays: dict[str, Any] = {
            "values": self.values,
            "iterations": self.iterations,
            "n_trained": self.n_trained,
        }
        write_arrays(path, arrays, {"kind": "Labels"})

    @classmethod
    def load(cls, path: PathLike) -> Labels:
        """Read the output of :meth:`save`.

        Raises
        ------
        DataError
            If the file is missing, damaged or holds something else.
        """
        arrays, meta = read_arrays(path)
        if meta.get("kind") != "Labels":
            raise DataError(f"{path}: holds {meta.get('kind', 'something else')!r}, expected Labels")
        return cls(arrays["values"], arrays["iterations"], arrays["n_trained"])


def _untested(labels: Labels) -> NDArray[np.int16]:
    """0 for untested samples, -1 for tested ones: the untested as a class of their own."""
    return np.where(labels.tested, UNTESTED, 0).astype(np.int16)


def add_together(labels: Labels, weights: FloatArray, total: NDArray[Any], threads: int = 1) -> None:
    """Add weights[i] to `total` (N, N) for pairs put into one class at iteration i."""
    kernels.add(kernels.members(labels.values), weights, total, threads)


def add_tested(labels: Labels, weights: FloatArray, total: NDArray[Any], threads: int = 1) -> None:
    """Add weights[i] to `total` (N, N) for pairs tested at iteration i.

    Mostly more samples are tested than not. What is added for a pair is ``w - w u_p - w u_q + w u_p u_q``, where u is 1
    for a sample that was not tested, so that only pairs of those are visited.
    """
    weights = np.asarray(weights, dtype=np.float64)
    left_out = _untested(labels)
    few = (left_out >= 0).sum(axis=0) * 2 <= len(labels)
    if (~few).any():
        some = np.where(labels.tested[:, ~few], 0, UNTESTED).astype(np.int16)
        kernels.add(kernels.members(some), weights[~few], total, threads)
    if few.any():
        w = weights[few]
        rows = (left_out[:, few] >= 0) @ w
        kernels.add(kernels.members(left_out[:, few]), w, total, threads)
        whole = float(w.sum())
        for low, high in kernels.blocks(len(total)):
            total[low:high] += (whole - (rows[low:high, None] + rows)).astype(total.dtype)


def pairs_tested(labels: Labels) -> FloatArray:
    """Return the number of unordered pairs that are tested at each iteration, shape (I,)."""
    n = labels.tested.sum(axis=0).astype(np.float64)
    return np.asarray(n * (n - 1.0) / 2.0)


def pairs_together(labels: Labels) -> FloatArray:
    """Return the number of unordered pairs that are put into one class at each iteration, shape (I,)."""
    counts = np.zeros(labels.n_iterations)
    for i, column in enumerate(labels.values.T):
        sizes = np.bincount(column[column >= 0], minlength=1).astype(np.float64)
        counts[i] = (sizes * (sizes - 1.0)).sum() / 2.0
    return counts


def sums_of_tested(labels: Labels, matrix: NDArray[Any], threads: int = 1) -> FloatArray:
    """Return the sum of a symmetric matrix over unordered pairs that are both tested, for every iteration, shape (I,)."""
    rows = matrix.sum(axis=1, dtype=np.float64) - np.diag(matrix)
    left_out = _untested(labels)
    without = (left_out >= 0).T @ rows
    return np.asarray(
        0.5 * rows.sum() - without + kernels.class_sums(kernels.members(left_out), matrix, threads), dtype=np.float64
    )


def sums_of_together(labels: Labels, matrix: NDArray[Any], threads: int = 1) -> FloatArray:
    """Return the sum of a symmetric matrix over unordered pairs of one class, for every iteration, shape (I,)."""
    return kernels.class_sums(kernels.members(labels.values), matrix, threads)
