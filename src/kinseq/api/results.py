"""Results of :func:`kinseq.cluster`: of all sequences, or of a sample with the clusters of all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from ..analysis import limits
from ..analysis.assignment import Assignments, places, read, with_members
from ..analysis.diagnostics import MAX_LISTED_CLUSTERS, cautions, clusters_table, summary
from ..analysis.novelty import remarks_on_few
from ..analysis.options import Options
from ..analysis.partition import numbered, sizes_of
from ..analysis.prediction import (
    Shortcut,
    are_old,
    assigned,
    assigned_in_turn,
    blocks,
    check_assignment_rule,
    distances_to_old,
    embed,
    embed_new,
    given_like,
    nearest_clusters,
    prepare_new,
    represented,
    silhouettes_among,
    silhouettes_among_represented,
    strengths,
)
from ..analysis.preparation import Data, Population
from ..analysis.result import Result
from ..analysis.sampling import smallest_in_sight
from ..analysis.saving import save
from ..analysis.verdict import Degree, alternative_groupings, sentence, subcluster_sentences, suggestions, verdict
from ..core.arrays import FloatArray, IntArray, as_count, as_flag, read_only
from ..core.cutting import columns_of_pieces
from ..core.errors import ParameterError
from ..core.jobs import as_threads
from ..core.sequences import SequenceSet
from ..core.shard import as_part
from ..core.store import PathLike
from ..core.streamed import SequenceParts
from ..core.wording import count
from ..measures.custom import PRECOMPUTED
from ..readers.folder import Processing
from .assignment import Assignment

if TYPE_CHECKING:
    import pandas
    from matplotlib.figure import Figure


class Clustering(Result):
    """Clusters of sequences, the evidence for them, and methods to use them.

    Arrays are read-only: predictions and the page rely on them. Names that end in an underscore are scikit-learn's.

    Attributes
    ----------
    sequences : SequenceSet
        As they were compared: read, cut, scaled.
    original : SequenceSet
        As they were given.
    views : list of View
        The measures, each with its matrix and its clusters; those of the first are the clusters.
    decision : Decision
        How many clusters there are, by what they are seen, and which other groups are.
    options : Options
        Options of the analysis.
    scaling : Scaling
        How the values were scaled.
    ordering : Ordering
        Order of the sequences by content, in which everything was computed; the attributes are in the given order.
    notes : list of str
        One sentence for everything that was skipped, repaired or should be known.
    choices : list of (str, str, str)
        What was chosen, the value, and by whom or why.
    """

    @property
    def _judged(self) -> Clustering:
        """Sequences that were compared with each other, which the evidence refers to."""
        return self

    @property
    def _representatives(self) -> Result | None:
        """Members that represent the clusters of a sample."""
        return None

    @property
    def _whole(self) -> Clustering | None:
        """All sequences, if those compared are a sample."""
        return None if self._judged is self else self

    @property
    def verdict(self) -> str:
        """The finding in one sentence: number of groups, separation, and a description of each."""
        return sentence(self._judged, sizes_of(self.labels, self.n_clusters))

    @property
    def degree(self) -> Degree:
        """How sure the groups are, in one fixed word; of leaves of the tree, of the least sure division.

        ``"clear"``: clearly separated; ``"separated"``: nothing lies between the groups; ``"overlapping"``: some sequences lie
        between; ``"borderline"``: the evidence is near the threshold; ``"unclear"``: data without groups look as clear, or could
        not be compared; ``"continuum"``: parts of a continuum; ``"lengths"``: groups differ in length alone; ``"phase"``: apparent
        groups depend on where sequences begin; ``"too_few"``: too few different sequences to say; ``"none"``: no groups.
        """
        return verdict(self._judged).degree

    @property
    def measure(self) -> str:
        """Name of the measure that was used; with a given number, :func:`kinseq.cluster` gives the same result by it.

        Where one view or one property shows the groups, it is in brackets: ``"elastic[dtw_delta]"``, ``"properties[length]"``.
        """
        return self.views[0].name

    @property
    def evidence_source(self) -> str:
        """The view or property that shows the groups, in words; empty if all views together are cut."""
        return verdict(self._judged).evidence_source

    @property
    def alternative_groupings(self) -> list[str]:
        """Clear groups of other views or properties that were not used, one sentence each."""
        return alternative_groupings(self._judged)

    @cached_property
    def tree(self) -> GroupTree:
        """The groups, those within them, and so on, each division in a scale of its own.

        A group of 20 or more is divided further, copies counted once, by the first measure and the rules that choose the number
        of clusters, down to four divisions. The groups within one share the level of the test that found it, so that the tree as a
        whole errs no more often than one test. Groups are not divided under measures that cannot be compared with data
        without groups, as those of models and given matrices. Of a sample it is that of the sample. Where the number of clusters
        is given, it is computed on first use, also by `summary` and `report`.
        """
        return tree_of(self._judged)

    def level(self, depth: int = limits.MAX_DEPTH) -> IntArray:
        """Return the group of each sequence after at most `depth` divisions of the tree.

        Parameters
        ----------
        depth : int
            1 is the first division; the leaves of the tree by default, which are `labels` where the number is chosen.

        Returns
        -------
        ndarray, shape (N,), int64
            From 0, in the order of the tree; -1 of a sequence that is not in a group. Sequences outside a sample are assigned down
            the tree.

        Raises
        ------
        ParameterError
            If `depth` is no integer of at least 1.
        """
        return self.tree.level(as_count(depth, "depth"))

    def _subcluster_sentences(self) -> list[str]:
        """Sentences on groups that divide further."""
        return subcluster_sentences(self._judged)

    def warnings(self) -> list[str]:
        """Return warnings and notes that matter for the result."""
        return cautions(self)

    def predict(self, sequences: Data | pandas.DataFrame) -> IntArray:
        """Return the nearest cluster of new sequences, under the first measure and the models already fitted.

        Parameters
        ----------
        sequences : path-like, SequenceSet, list, ndarray or pandas.DataFrame
            New sequences of the same features, in the units of the originals and any form that :func:`kinseq.cluster` takes;
            a path is read with the same settings. They are stretched to the length of the old ones, where these were. Of
            precomputed dissimilarities, those from each new item (a row) to each old one (a column).

        Returns
        -------
        ndarray, shape (M,), int64
            Cluster with the least mean dissimilarity; down the tree, in the scale of each division, where clusters are its
            leaves. A sequence's answer does not depend on the others.

        Raises
        ------
        DataError
            If the number of features differs.
        ParameterError
            If the measure has no meaning for one sequence by itself (it selects models by the whole set).
        """
        return nearest_clusters(self, sequences) if self._division is self else self.tree.predict(sequences)

    def place(
        self,
        sequences: Data | pandas.DataFrame,
        *,
        part: str | Sequence[int] | None = None,
        n_jobs: int | None = None,
        progress: bool = False,
        cache: PathLike | None = None,
        **reading: Any,
    ) -> Assignment:
        """Assign new sequences to clusters, with how clearly, and which of them fit nowhere.

        Parameters
        ----------
        sequences
            As for :meth:`predict`; a path may also be that of a file with a single sequence.
        part : str or (int, int), optional
            Which part of the sequences: ``"3/16"`` is the third of sixteen. All parts together are the same as the whole
            (coordinates but for rounding).
        n_jobs : int or None
            Number of threads; None is 1, -1 all processors. No number depends on it.
        progress : bool
            Report long stages to standard error.
        cache : path-like, optional
            Folder in which features of audio files are remembered.
        **reading
            How files are read, where it is not as the old ones were: `kind`, `missing`, `segments`, `id_column` and so on, as for
            :func:`kinseq.cluster`.

        Returns
        -------
        Assignment
            With ``labels``, ``nowhere``, ``to_frame()`` and ``report(path)``.

        Raises
        ------
        DataError
            If nothing can be read, or the sequences have other columns, or another time from frame to frame.
        ParameterError
            As of :meth:`predict`, or if an option is unknown, or there are fewer sequences than parts.

        Notes
        -----
        A sequence fits nowhere if, under one of the views of the measure, it is more than 1.5 times as far from the members of
        its cluster as is usual. How far that is, is the mean of the three least dissimilarities to some members; usual is the
        largest of members from the others, outliers among them left out, and 1 + 3 / n times that of n members, since few say
        less of what there may be. A sequence that stands still in a column in which all members move, or by a quarter of its
        time longer than any of them, fits nowhere either. Where clusters are the leaves of the tree, this is checked at each
        division that a sequence comes to, in its scale.
        """
        result, base = self._judged, self._representatives
        which = None if part is None else as_part(part)
        if result.views[0].measure is PRECOMPUTED:
            raise ParameterError(
                "place takes sequences, but the clusters were made of given dissimilarities; predict takes a row of these"
            )
        work = Processing(as_threads(n_jobs), as_flag(progress, "progress"), cache)
        new = read(result, sequences, reading, work, which)
        if self._tree_of_labels is None:
            found = places(result, base, new.scaled, new.options, progress)
        else:
            found = self._tree_of_labels._place(new.given, new.options, progress, self._bases)
        old = result if base is None else base
        return Assignment(
            new.given.name,
            new.given.ids,
            *found,
            old=old.embedding_,
            old_labels=old.labels,
            old_ids=old.sequences.ids,
            **with_members(result, new.given, found)._asdict(),
            sizes=sizes_of(self.labels, result.n_clusters),
            numbers=np.array(result.details.numbers, dtype=np.str_),
            pieces=np.array(list(columns_of_pieces(new.given).values()), dtype=np.str_).reshape(-1, len(new.given)).T,
            notes=[*new.notes, *remarks_on_few(result)],
        )

    def _silhouettes_of(self, sequences: Data | pandas.DataFrame) -> FloatArray:
        """Silhouettes of the sequences that were clustered, or of new ones among them, shape (M,).

        Of a new sequence ``(b - a) / b``, with a its mean dissimilarity to the cluster that ``predict`` puts it into and b that to
        the next one.
        """
        tree = self._tree_of_labels
        if tree is None or are_old(self, sequences):
            return silhouettes_among(self, sequences)
        return tree._place(
            given_like(self, sequences), self.options.altered(progress=False), bases=self._bases
        ).silhouettes

    @property
    def _tree_of_labels(self) -> GroupTree | None:
        """The tree whose leaves are the clusters; None where they are its first division."""
        return None if self._judged._division is self._judged else self.tree

    def _bases(self, group: GroupTree) -> Result | None:
        """Members that represent the clusters of a divided group of a sample."""
        return None

    def transform(self, sequences: Data | pandas.DataFrame) -> FloatArray:
        """Return coordinates of new sequences in the plane of `embedding_`, from their dissimilarities to the old ones.

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
        return embed_new(self, sequences)

    def summary(self) -> str:
        """Return verdict, clusters, their differences, and choices with reasons as text of several lines."""
        return summary(self)

    def to_frame(self) -> pandas.DataFrame:
        """Return one row per sequence, with its id as index.

        Returns
        -------
        pandas.DataFrame
            ``cluster`` (from 1, as on the page and in files; -1 of a sequence that is not in a group);
            ``silhouette``, ``membership`` and ``medoid`` (whether it is the
            most typical one of its cluster); ``cluster_<measure>`` of each further measure; ``label`` where labels are known. Of a
            sample, ``sampled`` as well, and what follows from dissimilarities is missing for all others.
        """
        import pandas as pd

        medoid = np.zeros(len(self.labels), dtype=bool)
        medoid[self.medoid_indices_] = True
        columns = {
            "cluster": numbered(self.labels),
            **columns_of_pieces(self.sequences),
            "silhouette": self.silhouettes,
            "membership": self.membership_,
            "medoid": medoid,
        }
        columns |= {f"cluster_{view.measure.name}": numbered(view.labels) for view in self.views[1:]}
        if self.sequences.labels is not None:
            columns["label"] = self.sequences.labels
        return pd.DataFrame(columns, index=pd.Index(self.sequences.ids, name="id"))

    def __repr__(self) -> str:
        name, n = self.sequences.name, len(self.sequences)
        return f"{type(self).__name__}({name!r}, {n} sequences by {self.measure}: {self.verdict})"

    def _repr_html_(self) -> str:
        """Return the map and the table of clusters, for notebooks; self-contained."""
        from ..report.parts import small_map
        from ..report.writing import small_content

        table = clusters_table(self).to_html(max_rows=MAX_LISTED_CLUSTERS, float_format="{:.2f}".format, na_rep="")
        return f"{small_map(small_content(self._judged, self._whole))}\n{table}"

    def plot(self, kind: str | None = None) -> Figure:
        """Heat map, 2-D map, numbers of clusters and dendrogram in one figure, for a sample if one was drawn.

        Parameters
        ----------
        kind : {"index", "distribution", "typical", "transitions"}, optional
            Of sequences of symbols, one of these figures instead, with a picture for each group: a row a sequence; shares of states
            over time; the most typical sequence; transitions between states.

        Raises
        ------
        ParameterError
            If the kind is unknown.
        DataError
            If sequences of numbers are to be drawn so.
        """
        if kind is not None:
            from ..report.state_figures import states_figure

            return states_figure(self._judged, kind)
        from ..report.figures import overview
        from ..report.writing import content_of

        return overview(content_of(self._judged))

    def report(self, path: PathLike, also: Mapping[str, str] | None = None) -> Path:
        """Write the page, and next to it the distance matrix and the partition.

        Parameters
        ----------
        path : path-like
            A folder, made if need be, or the ``.html`` file to write.
        also : mapping, optional
            Texts to write next to them, by the names of their files.

        Returns
        -------
        Path
            The page. The folder also gets ``distance.npz``, ``distance.csv``, ``partition.csv``,
            ``explanation.csv`` and three figures.

        Raises
        ------
        ParameterError
            If `path` is empty or no path, or another page is in the folder, whose tables would be overwritten.
        """
        from ..report.writing import write_report

        return write_report(self._judged, path, also, self._whole)

    def save(self, path: PathLike) -> None:
        """Write everything to a file that :func:`kinseq.load` reads: arrays and JSON, no pickle.

        Parameters
        ----------
        path : path-like
            File to write; nothing is added to its name.

        Raises
        ------
        ParameterError
            If the measure is a function, or a setting holds what no file can.
        """
        save(self.original, self, path)


@dataclass(frozen=True, repr=False)
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

    def suggestions(self) -> pandas.DataFrame:
        """Return up to three plausible numbers of groups, with the evidence for each: the chosen one first.

        Returns
        -------
        pandas.DataFrame
            With the number as index: ``why``, the reason; ``how``, the call or method that gives these groups. After the chosen one
            come the first division or the leaves, numbers that do about as well (after a single group, the number that comes
            nearest), and clear groups of other views or properties; the page's menu has the same order. Of a sample they are
            those of the sample.

        Raises
        ------
        ParameterError
            If this group is not divided, so that nothing was compared.
        """
        import pandas as pd

        result = self.result
        if result is None:
            raise ParameterError(f"group {self.number} is not divided; call suggestions of the whole tree, result.tree")
        rows = [(one.n_clusters, one.why, one.how) for one in suggestions(result, result.options.by_leaves)]
        return pd.DataFrame(rows, columns=["n_clusters", "why", "how"]).set_index("n_clusters")

    def at(self, depth: int = limits.MAX_DEPTH) -> tuple[GroupTree, ...]:
        """Return the groups after at most `depth` divisions, from left to right; the leaves by default.

        ParameterError if `depth` is no integer of at least 0.
        """
        left = as_count(depth, "depth", 0)
        if not left or not self.children:
            return (self,)
        return tuple(group for child in self.children for group in child.at(left - 1))

    def level(self, depth: int = limits.MAX_DEPTH) -> IntArray:
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

    def predict(self, sequences: Data | pandas.DataFrame, depth: int = limits.MAX_DEPTH) -> IntArray:
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

    def _place(
        self,
        given: SequenceSet,
        options: Options,
        progress: bool = False,
        bases: Callable[[GroupTree], Result | None] = lambda _: None,
    ) -> Assignments:
        """Return the leaves of new sequences in the given units, how clearly, and how far they are from the members.

        At each division in its scale: `times` are the largest of all divisions that a sequence comes to, silhouettes and
        memberships those of the last one. `bases` returns the representatives of the clusters of a group of a sample.
        """
        assert self.result is not None
        result, before = self.result, self._before()
        found = places(result, bases(self), result.scaling.apply(given), options, progress)
        labels, next_labels = before[found.labels], before[found.next_labels]
        silhouettes, memberships, times = (each.copy() for each in (found.silhouettes, found.memberships, found.times))
        for k, child in enumerate(self.children):
            if child.result is None:
                continue
            if (own := np.flatnonzero(found.labels == k)).size:
                inner = child._place(given.subset(own), options, progress, bases)
                labels[own], next_labels[own] = before[k] + inner.labels, before[k] + inner.next_labels
                silhouettes[own], memberships[own] = inner.silhouettes, inner.memberships
                times[own] = np.maximum(times[own], inner.times)
        return Assignments(labels, next_labels, silhouettes, memberships, times, found.points)

    def _before(self) -> IntArray:
        """Number of leaves before those of each child, shape (number of children,)."""
        return np.cumsum([0, *(len(child.at()) for child in self.children)], dtype=np.int64)[:-1]

    def assign(
        self,
        clusters: IntArray,
        members: Callable[[IntArray], Any],
        depth: int = limits.MAX_DEPTH,
        predict: Callable[[GroupTree, Any], IntArray] = lambda group, some: group.result.predict(some),  # type: ignore[union-attr]
    ) -> IntArray:
        """Return the group of new sequences whose cluster at this node is known, down the tree.

        Parameters
        ----------
        clusters : ndarray, shape (M,), int64
            Their clusters in `result`, from 0; -1 for none.
        members : callable
            Function that returns the sequences at some positions, shape (m,), of the M.
        depth : int
            As for :meth:`level`.
        predict : callable
            Function that returns the cluster of sequences in a divided group, by its clustering unless given.

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
                labels[own] += child.assign(predict(child, inside), inside.subset, depth - 1, predict)
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

    def __repr__(self) -> str:
        leaves = sum(not group.children for group in self.walk())
        return f"GroupTree({count(len(self.members), 'sequence')} in {count(leaves, 'group')})"

    def _repr_html_(self) -> str:
        """Return the table of :meth:`to_frame`, for notebooks."""
        return str(self.to_frame().to_html(na_rep=""))


def tree_of(result: Clustering, members: IntArray | None = None, number: str = "") -> GroupTree:
    """Return the tree of a clustering of some `members`, positions among all sequences; all by default."""
    division, within = result._division, result.details.within
    places = np.arange(len(result.labels), dtype=np.int64) if members is None else members
    children = []
    for k in range(division.n_clusters if division.n_clusters > 1 else 0):
        own, name = read_only(places[division.labels == k]), f"{number}.{k + 1}".lstrip(".")
        children.append(tree_of(clustering_of(within[k]), own, name) if k in within else GroupTree(name, own))
    return GroupTree(number, read_only(places), division, tuple(children))


FEW_COME_BACK = 0.9
"""Share of sampled sequences that the assignment rule puts into their own cluster, below which the page warns."""


@dataclass(repr=False, kw_only=True)
class SampledClustering(Clustering):
    """Clusters of a sample, to which all other sequences are assigned.

    There is no matrix of dissimilarities over all sequences: `distance` and what follows from it (`silhouettes`, `stability`)
    are refused; `sample` has those of the sample. The evidence, and with it `verdict`, `explain()` and the page, is that of the
    sample, and `views` hold its matrices.

    Attributes
    ----------
    sample : Clustering
        Of the sequences that were compared with each other.
    sample_positions : ndarray, shape (n,), int64
        Where these stand among all, rising.
    """

    # Many sequences may be streamed; the evidence is that of the sample, which is in memory.
    sequences: SequenceSet | SequenceParts  # type: ignore[assignment]
    original: SequenceSet | SequenceParts  # type: ignore[assignment]
    sample: Clustering
    sample_positions: IntArray
    # Cluster of each sequence, and its group in the first division; sampled ones keep those of the sample.
    _assignment: IntArray
    _first: IntArray
    # Representatives of the clusters, which new sequences are compared with.
    _base: Result
    # Share, 0 to 1, of the sampled sequences other than representatives whose cluster the assignment rule reproduces;
    # None if all are representatives.
    _comes_back: float | None
    # Positions of sequences whose statistics are far from those of every sampled one.
    _unlike: IntArray
    # How sequences are compared with few representatives; None if each is compared with all of them.
    _shortcut: Shortcut | None

    @property
    def _judged(self) -> Clustering:
        return self.sample

    @property
    def _representatives(self) -> Result:
        return self._base

    @property
    def labels(self) -> IntArray:
        """Cluster of each sequence, shape (N,), from 0, in the order of their sizes in the sample."""
        return read_only(self._assignment)

    @property
    def distance(self) -> NoReturn:
        """Refused: there is no matrix of all sequences."""
        raise ParameterError(
            f"there are no dissimilarities between all {len(self.labels)} sequences; sample.distance has those of the"
            f" {len(self.sample_positions)} at sample_positions, and sample=None compares all if the memory suffices"
        )

    @property
    def _partitions(self) -> dict[str, IntArray]:
        """Clusters under the first measure, by its name; further measures cover the sample only."""
        return {self.measure: self.labels}

    @cached_property
    def medoid_indices_(self) -> IntArray:
        """Position of the most typical sampled sequence of each cluster, shape (number of clusters,)."""
        return self.sample_positions[self.sample.medoid_indices_]

    @cached_property
    def embedding_(self) -> FloatArray:
        """Coordinates of all sequences in the plane, from their dissimilarities to the representatives; shape (N, 2)."""
        return read_only(np.concatenate([self.transform(part) for part in self._parts(np.arange(len(self.labels)))]))

    @cached_property
    def membership_(self) -> FloatArray:
        """How strongly each sequence belongs to its cluster, shape (N,).

        For sampled sequences, the value in the sample; for all others, that by the representatives that they were assigned by.
        """
        memberships = np.empty(len(self.labels))
        others = np.setdiff1d(np.arange(len(self.labels)), self.sample_positions)
        memberships[self.sample_positions] = self.sample.membership_
        if others.size and self._tree_of_labels is not None:
            memberships[others] = self._memberships_in_leaves(self._tree_of_labels, others, self._first[others])
        elif others.size:
            parts = [strengths(self._base, *prepare_new(self._base, part)) for part in self._parts(others)]
            memberships[others] = np.concatenate(parts)
        return read_only(memberships)

    def _memberships_in_leaves(self, group: GroupTree, others: IntArray, clusters: IntArray) -> FloatArray:
        """As above at some positions, of sequences whose clusters in a divided group are known."""
        found = np.empty(len(others))
        base, kept = self._bases(group), np.ones(len(others), dtype=np.bool_)
        assert base is not None
        for k, child in enumerate(group.children):
            own = np.flatnonzero(clusters == k)
            if child.result is not None and own.size:
                inner = np.concatenate([_assigned_in(self._bases, child, part) for part in self._parts(others[own])])
                found[own], kept[own] = self._memberships_in_leaves(child, others[own], inner), False
        if kept.any():
            parts = [strengths(base, *prepare_new(base, part)) for part in self._parts(others[kept])]
            found[kept] = np.concatenate(parts)
        return found

    def _parts(self, positions: IntArray) -> Iterable[SequenceSet]:
        """Yield sequences at some ascending positions, in blocks."""
        return self.sequences.subset(positions).blocks()

    def level(self, depth: int = limits.MAX_DEPTH) -> IntArray:
        """Return the group of each sequence after at most `depth` divisions; see :meth:`Clustering.level`."""
        known, labels = self.tree.level(as_count(depth, "depth")), self._first.copy()
        if len(self.tree.at(depth)) == len(self.tree.at()) and self._tree_of_labels is not None:
            return self.labels
        if len(self.tree.at(depth)) > len(self.tree.children):
            others = np.setdiff1d(np.arange(len(labels)), self.sample_positions)
            labels[others] = down_the_tree(self.tree, self.original, others, self._first[others], depth, self._bases)
            labels[self.sample_positions] = known
        return read_only(labels)

    def _bases(self, group: GroupTree) -> Result | None:
        return _represented(group) if group.number else self._base

    def predict(self, sequences: Data | pandas.DataFrame) -> IntArray:
        """Cluster of new sequences whose nearest representatives are closest on average, shape (M,).

        Parameters and errors are those of :meth:`~kinseq.api.results.Clustering.predict`. The clusters of all sequences
        outside the sample were found in this way.
        """
        first = assigned(self._base, *prepare_new(self._base, sequences), self._shortcut)
        if (tree := self._tree_of_labels) is None:
            return first
        given = given_like(self.sample, sequences)
        return down_the_tree(tree, given, np.arange(len(first)), first, limits.MAX_DEPTH, self._bases)

    def _silhouettes_of(self, sequences: Data | pandas.DataFrame) -> FloatArray:
        """Silhouettes of sequences by the nearest representatives of each cluster, shape (M,); all of them count as new."""
        if (tree := self._tree_of_labels) is not None:
            given = given_like(self.sample, sequences)
            return tree._place(given, self.options.altered(progress=False), bases=self._bases).silhouettes
        return silhouettes_among_represented(self._base, sequences)

    def transform(self, sequences: Data | pandas.DataFrame) -> FloatArray:
        """Return coordinates of new sequences in the plane of `embedding_`, shape (M, 2)."""
        new, options = prepare_new(self._base, sequences)
        return np.concatenate(
            [embed(self._base, distances_to_old(self._base, block, options), block) for block in blocks(new)]
        )

    def warnings(self) -> list[str]:
        """Return warnings and notes that matter for the result."""
        sentences = self.sample.warnings()
        if self._comes_back is not None and self._comes_back < FEW_COME_BACK:
            sentences.append(
                f"only {self._comes_back:.0%} of the sampled sequences come back to their own cluster by the rule that all"
                " others were assigned by: the borders between the clusters are not sharp, take a larger sample"
            )
        if self._unlike.size:
            ids, more = self.sequences.ids[self._unlike[:5]].tolist(), len(self._unlike) - 5
            sentences.append(
                f"{count(len(self._unlike), 'sequence')} {'is' if len(self._unlike) == 1 else 'are'} unlike everything that was"
                " sampled, in level, spread, speed or length:"
                f" {', '.join(ids)}{f' and {more} more' if more > 0 else ''}; their clusters are unreliable; check them or take "
                "a larger sample"
            )
        return sentences

    def _in_sight(self) -> str:
        """Return a sentence on the smallest cluster that can be found."""
        n, size = len(self.labels), len(self.sample_positions)
        smallest = smallest_in_sight(n, size, limits.MIN_IN_SIGHT)
        sentence = (
            f"a cluster of {smallest} sequences ({smallest / n:.1%}) has {limits.MIN_IN_SIGHT} or more in the sample with a"
            f" probability of {limits.SIGHT_PROBABILITY:g}, a smaller one may be missed; one in sight of less than"
            f" {limits.FOUND_SHARE:.0%} is mostly joined to a larger one, as it is without a sample"
        )
        numbers = self.numbers
        if self.options.n_clusters is None and numbers is not None and numbers.n_items < size:
            counted = smallest_in_sight(n, numbers.n_items, limits.MIN_COUNTED)
            sentence += (
                f"; the number of clusters was chosen on {numbers.n_items}, where one of fewer than {counted}"
                f" ({counted / n:.1%}) may count for nothing"
            )
        return sentence

    def __repr__(self) -> str:
        n, size = len(self.labels), len(self.sample_positions)
        clusters = f"{self.n_clusters} cluster{'s' * (self.n_clusters != 1)}"
        name, measure = self.sequences.name, self.measure
        return f"{type(self).__name__}({name!r}: {n} sequences in {clusters} by {measure}, {size} of them compared)"

    def to_frame(self) -> pandas.DataFrame:
        """Return a row for each sequence, with a column `sampled`; see :meth:`Clustering.to_frame`."""
        import pandas as pd

        sampled = np.zeros(len(self.labels), dtype=bool)
        sampled[self.sample_positions] = True
        columns = {"cluster": numbered(self.labels), **columns_of_pieces(self.sequences), "sampled": sampled}
        every = pd.DataFrame(columns, index=pd.Index(self.sequences.ids, name="id"))
        some = self.sample.to_frame().drop(columns=["cluster", "source", "start", "end", "label"], errors="ignore")
        table = every.join(some)
        table["medoid"] = table["medoid"].eq(True)
        if self.sequences.labels is not None:
            table["label"] = self.sequences.labels
        return table

    def explain(self) -> pandas.DataFrame:
        """Return how each cluster of the sample differs; see :meth:`Clustering.explain`."""
        return self.sample.explain()

    def outliers(self) -> pandas.DataFrame:
        """Return anomalies of the sample; see :meth:`Clustering.outliers`."""
        return self.sample.outliers()

    def save(self, path: PathLike) -> None:
        """Write the clustering to a file; see :meth:`Clustering.save`."""
        if isinstance(self.sequences, SequenceParts):
            raise ParameterError(
                f"the frames of all {len(self.labels)} sequences would be in the file, but they are too many to be held; save the"
                " sample (its method save), which predicts clusters too, and keep partition.csv"
            )
        shortcut = None if self._shortcut is None else asdict(self._shortcut)
        known = {"labels": self._assignment, "first": self._first, "comes_back": self._comes_back, "shortcut": shortcut}
        save(self.sequences, self.sample, path, known)


def clustering_of(found: Result) -> Clustering:
    """Return a result with words, a page and predictions."""
    made = Clustering(**_fields(found))
    # Groups within groups are searched once.
    if "within" in vars(found.details):
        vars(made.details)["within"] = found.details.within
    return made


def sampled_clustering(
    sample: Clustering,
    sample_positions: IntArray,
    sequences: SequenceSet | SequenceParts,
    labels: IntArray,
    first: IntArray,
    base: Result,
    comes_back: float | None,
    unlike: IntArray,
    shortcut: Shortcut | None,
) -> SampledClustering:
    """Return the clusters of all `sequences`, of which a sample was compared; see :class:`SampledClustering`."""
    return SampledClustering(
        **{**_fields(sample), "sequences": sequences, "original": sequences, "_by_leaves": False},
        sample=sample,
        sample_positions=sample_positions,
        _assignment=labels,
        _first=first,
        _base=base,
        _comes_back=comes_back,
        _unlike=unlike,
        _shortcut=shortcut,
    )


def _fields(found: Result) -> dict[str, Any]:
    return {entry.name: getattr(found, entry.name) for entry in fields(Result)}


def extended(sample: Clustering, population: Population, options: Options) -> SampledClustering:
    """Return the analysis of all sequences from that of a sample, assigning the others to its clusters."""
    division, left = sample._division, population.left_out()
    base = represented(division)
    returned, shortcut = check_assignment_rule(division, base, options, shorten=left.size > limits.MAX_FULLY_PLACED)
    positions, representative_of, whole = population.positions, population.representative_of, population.whole
    clusters = np.full(len(whole), -1, dtype=np.int64)
    clusters[representative_of[positions]] = division.labels
    if left.size:
        blocks = population.blocks(left, sample.scaling)
        clusters[left] = np.concatenate(list(assigned_in_turn(base, blocks, left.size, options, shortcut)))
    first = labels = clusters[representative_of]
    if division is not sample:
        clusters[representative_of[positions]], bases = sample.labels, lambda group: _represented(group)
        clusters[left] = down_the_tree(sample.tree, whole, left, clusters[left], limits.MAX_DEPTH, bases)
        labels = clusters[representative_of]
    return sampled_clustering(sample, positions, whole, labels, first, base, returned, population.unlike, shortcut)


def _represented(group: GroupTree) -> Result:
    """Representatives of the clusters of a divided group."""
    assert group.result is not None
    known = vars(group.result.details)
    if "representatives" not in known:
        known["representatives"] = represented(group.result)
    base: Result = known["representatives"]
    return base


def _assigned_in(bases: Callable[[GroupTree], Result | None], group: GroupTree, some: SequenceSet) -> IntArray:
    """Clusters of sequences in a divided group, by its representatives."""
    base = bases(group)
    assert base is not None
    return assigned(base, *prepare_new(base, some))


def down_the_tree(
    tree: GroupTree,
    whole: SequenceSet | SequenceParts,
    items: IntArray,
    clusters: IntArray,
    depth: int,
    bases: Callable[[GroupTree], Result | None],
) -> IntArray:
    """Return the groups of sequences at some ascending positions, whose clusters in the first division are known."""
    labels, begin = np.empty(len(items), dtype=np.int64), 0
    for part in whole.subset(items).blocks() if len(items) else ():
        end = begin + len(part)
        labels[begin:end] = tree.assign(clusters[begin:end], part.subset, depth, partial(_assigned_in, bases))
        begin = end
    return labels
