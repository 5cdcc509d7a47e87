"""Tree of groups: sequences that are divided into groups, and each group divided further in a scale of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ..analysis.limits import MAX_DEPTH
from ..analysis.prediction import given_like
from ..core.arrays import IntArray, as_count, read_only
from ..core.errors import ParameterError

if TYPE_CHECKING:
    import pandas
    from matplotlib.figure import Figure

    from ..analysis.preparation import Data
    from .results import Clustering


@dataclass(frozen=True)
class GroupTree:
    """A group of sequences and the groups into which it is divided; the root holds all sequences.

    Attributes
    ----------
    number : str
        ``"1.2"`` is the second group within the first; empty for the root.
    members : ndarray, shape (n,), int64
        Positions of the members among all sequences, ascending.
    result : Clustering or None
        The clustering of the members, in a scale of their own; None for a group that is not divided further.
    children : tuple of GroupTree
        The groups within it, in the order of `result`; empty for a group that is not divided further.
    """

    number: str
    members: IntArray = field(compare=False)
    result: Clustering | None = field(default=None, compare=False)
    children: tuple[GroupTree, ...] = ()

    def at(self, depth: int = MAX_DEPTH) -> tuple[GroupTree, ...]:
        """Return the groups after at most `depth` divisions, from left to right; the leaves by default.

        ParameterError if `depth` is no integer of at least 0.
        """
        left = as_count(depth, "depth", 0)
        if not left or not self.children:
            return (self,)
        return tuple(group for child in self.children for group in child.at(left - 1))

    def level(self, depth: int = MAX_DEPTH) -> IntArray:
        """Return the group of each member after at most `depth` divisions.

        Parameters
        ----------
        depth : int
            1 is the first division; the leaves by default.

        Returns
        -------
        ndarray, shape (n,), int64
            From 0, in the order of :meth:`at`; -1 for a member that is in no group.

        Raises
        ------
        ParameterError
            If `depth` is no integer of at least 0.
        """
        if not self.children and self.result is not None:
            return read_only(np.minimum(self.result.labels, 0))
        labels = np.full(len(self.members), -1, dtype=np.int64)
        for place, group in enumerate(self.at(depth)):
            labels[np.searchsorted(self.members, group.members)] = place
        return read_only(labels)

    def walk(self) -> tuple[GroupTree, ...]:
        """Return this group and all groups within it, each before its own."""
        return (self, *(group for child in self.children for group in child.walk()))

    def predict(self, sequences: Data | pandas.DataFrame, depth: int = MAX_DEPTH) -> IntArray:
        """Return the group of new sequences, down the tree: at each node the nearest cluster, in the scale of its members.

        Parameters
        ----------
        sequences
            As for :meth:`~kinseq.api.results.Clustering.predict`.
        depth : int
            As for :meth:`level`.

        Returns
        -------
        ndarray, shape (M,), int64
            Groups, numbered as by :meth:`level`.

        Raises
        ------
        DataError
            If the number of features differs.
        ParameterError
            If the group is a leaf, `depth` is no integer of at least 0, or the measure has no meaning for one sequence by itself.
        """
        if self.result is None:
            raise ParameterError(f"group {self.number} is not divided; call predict of the root of the tree")
        if len(self.at(depth)) == len(self.children):
            return self.result.predict(sequences)
        given = given_like(self.result, sequences)
        return self.assign(self.result.predict(given), given.subset, depth)

    def assign(self, clusters: IntArray, members: Callable[[IntArray], Any], depth: int = MAX_DEPTH) -> IntArray:
        """Return the group of new sequences whose cluster at this node is known, down the tree.

        Parameters
        ----------
        clusters : ndarray, shape (M,), int64
            Their clusters in `result`, from 0; -1 for none.
        members : callable
            Function that returns the sequences at some positions, shape (m,), of the M.
        depth : int
            As for :meth:`level`.

        Returns
        -------
        ndarray, shape (M,), int64
            As of :meth:`level`. Each node compares sequences in its own scale.
        """
        labels, before = np.full(len(clusters), -1, dtype=np.int64), 0
        for k, child in enumerate(self.children if depth else ()):
            own = np.flatnonzero(clusters == k)
            labels[own] = before
            if own.size and child.result is not None and depth > 1:
                inside = members(own)
                labels[own] += child.assign(child.result.predict(inside), inside.subset, depth - 1)
            before += len(child.at(depth - 1))
        return labels if before else np.minimum(clusters, 0)

    def to_frame(self) -> pandas.DataFrame:
        """Return one row per group, the root first and each group before those within it.

        Returns
        -------
        pandas.DataFrame
            With the number as index: ``level`` (0 for the root), ``sequences``, ``groups`` (into how many it is divided, 1 if it is
            not), and of its division ``degree`` (as of :attr:`~kinseq.api.results.Clustering.degree`), ``shown_by`` and
            ``verdict``, empty for a group that is not divided.
        """
        import pandas as pd

        groups = self.walk()
        rows = [
            {
                "level": group.number.count(".") + 1 if group.number else 0,
                "sequences": len(group.members),
                "groups": max(1, len(group.children)),
                "degree": "" if group.result is None else group.result.degree,
                "shown_by": "" if group.result is None else group.result.evidence_source,
                "verdict": "" if group.result is None else group.result.verdict,
            }
            for group in groups
        ]
        return pd.DataFrame(rows, index=pd.Index([group.number for group in groups], name="group"))

    def plot(self) -> Figure:
        """Draw the tree from left to right, with the numbers and sizes of groups."""
        from ..report.figures import tree_figure

        return tree_figure(self)

    def __str__(self) -> str:
        """The groups as indented lines, with their sizes."""
        lines = []
        for group in self.walk():
            indent = "  " * (group.number.count(".") + 1 if group.number else 0)
            degree = (
                ""
                if group.result is None or not group.children
                else f", {len(group.children)} groups ({group.result.degree})"
            )
            lines.append(f"{indent}{group.number or 'all'}: {len(group.members)}{degree}")
        return "\n".join(lines)


def tree_of(result: Clustering, members: IntArray | None = None, number: str = "") -> GroupTree:
    """Return the tree of a clustering of some `members`, positions among all sequences; all by default."""
    places = np.arange(len(result.labels), dtype=np.int64) if members is None else members
    children = []
    for k in range(result.n_clusters if result.n_clusters > 1 else 0):
        own, name = read_only(places[result.labels == k]), f"{number}.{k + 1}".lstrip(".")
        inner = result._inner.get(k)
        children.append(GroupTree(name, own) if inner is None else tree_of(inner, own, name))
    return GroupTree(number, read_only(places), result, tuple(children))
