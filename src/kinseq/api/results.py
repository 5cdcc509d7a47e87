"""What :func:`kinseq.cluster` returns: a result, or that of a sample with the clusters of all sequences, and their methods."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from ..analysis import limits
from ..analysis.belonging import remarks_on_few
from ..analysis.diagnostics import cautions, summary
from ..analysis.in_parts import PreparedInParts
from ..analysis.options import Options
from ..analysis.placement import places, read
from ..analysis.prediction import (
    Shortcut,
    assigned,
    assigned_in_turn,
    blocks,
    compared,
    located,
    nearest_clusters,
    placed,
    placing,
    prepared,
    represented,
    silhouettes_among,
    silhouettes_among_represented,
    strengths,
)
from ..analysis.preparation import Data, Prepared
from ..analysis.remarks import Choice
from ..analysis.result import ExternalScores, Result
from ..analysis.sampling import smallest_in_sight
from ..analysis.saving import save
from ..analysis.verdict import also_there, sentence, verdict, within_groups
from ..core.arrays import FloatArray, IntArray, as_flag, read_only
from ..core.errors import ParameterError
from ..core.jobs import as_threads
from ..core.parts import as_part
from ..core.sequence_parts import SequenceParts
from ..core.sequences import SequenceSet
from ..core.store import PathLike
from ..core.wording import count
from ..measures.custom import PRECOMPUTED
from .placing import Placed

if TYPE_CHECKING:
    import pandas
    from matplotlib.figure import Figure


class Clusters(ExternalScores):
    """Clusters of sequences: the attributes and methods that all results share; names that end in an underscore are scikit-learn's.

    Arrays that are asked for are read-only: predictions and the page rely on them.

    Attributes
    ----------
    sequences : SequenceSet
        As they were compared: read, cut, scaled; where a sample was compared, all of them as they were given.
    original : SequenceSet
        As they were given.
    notes : list of str
        One sentence for everything that was skipped, repaired or should be known.
    choices : list of (str, str, str)
        What was chosen, the value, and by whom or why.
    """

    sequences: SequenceSet | SequenceParts
    original: SequenceSet | SequenceParts
    notes: list[str]
    choices: list[Choice]

    @property
    @abstractmethod
    def distance(self) -> FloatArray:
        """Dissimilarities under the first measure, shape (N, N)."""

    @property
    @abstractmethod
    def has_content(self) -> bool:
        """Whether there are sequences to look at, and not only dissimilarities."""

    @property
    @abstractmethod
    def findings_(self) -> dict[str, Any]:
        """What the first measure reported beside the matrix."""

    @property
    @abstractmethod
    def medoid_indices_(self) -> IntArray:
        """Position of the most typical sequence of each cluster, shape (number of clusters,)."""

    @property
    @abstractmethod
    def medoids_(self) -> list[FloatArray]:
        """The most typical sequence of each cluster in the units that were given, each of shape (T, d)."""

    @property
    @abstractmethod
    def membership_(self) -> FloatArray:
        """How strongly each sequence belongs to its cluster, shape (N,): ``b / (a + b)``, with a the mean dissimilarity to its
        own cluster and b that to the nearest other one. 1 if it is like its own, 0.5 on the border; 1 for a single cluster.
        """

    @property
    @abstractmethod
    def verdict(self) -> str:
        """What was found, in one sentence."""

    @property
    @abstractmethod
    def shown_by(self) -> str:
        """The view or property that shows the groups, in words."""

    @property
    @abstractmethod
    def also_there(self) -> list[str]:
        """Clear groups that were not taken, as another view or property sees them, one sentence each."""

    @abstractmethod
    def within(self) -> dict[int, Analysis]:
        """A second look: groups that fall into several themselves, by number from 0, each with the result of its members.

        Groups of 20 or more are looked into, copies counted once, by the first measure and the rules that choose the number of
        clusters, in a scale of their own; what is found in them is not looked into again. Empty under measures that cannot be
        held against sequences of one process, as those of models and given matrices. Of a sample it is that of the
        sample. It is computed when it is first asked for, also by `summary` and `report`.
        """

    @abstractmethod
    def within_groups(self) -> list[str]:
        """What :meth:`within` found in words, one sentence for each group that falls into several, which counts from 1."""

    @abstractmethod
    def warnings(self) -> list[str]:
        """Return what a reader should not overlook."""

    @abstractmethod
    def predict(self, sequences: Data | pandas.DataFrame) -> IntArray:
        """Cluster of new sequences, shape (M,)."""

    def place(
        self,
        sequences: Data | pandas.DataFrame,
        *,
        part: str | Sequence[int] | None = None,
        n_jobs: int | None = None,
        progress: bool = False,
        cache: PathLike | None = None,
        **reading: Any,
    ) -> Placed:
        """Clusters of new sequences with how clearly they belong there, and which of them fit nowhere.

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
        Placed
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
        largest of members from the others, and 1 + 3 / n times that of n members, since few say less of what there may be.
        """
        result, base = self._compared
        which = None if part is None else as_part(part)
        if result.views[0].measure is PRECOMPUTED:
            raise ParameterError(
                "place takes sequences, but the clusters were made of given dissimilarities; predict takes a row of these"
            )
        new = read(result, sequences, reading, which, cache, as_threads(n_jobs), as_flag(progress, "progress"))
        found = places(result, base, new.scaled, new.options, progress)
        old = result if base is None else base
        return Placed(
            new.given.name,
            new.given.ids,
            *found,
            old=old.embedding_,
            old_labels=old.labels,
            old_ids=old.sequences.ids,
            sizes=np.bincount(self.labels, minlength=result.n_clusters).astype(np.int64),
            notes=[*new.notes, *remarks_on_few(result)],
        )

    @property
    @abstractmethod
    def _compared(self) -> tuple[Result, Result | None]:
        """The result of the sequences that were compared with each other, and the representatives of a sample."""

    @abstractmethod
    def silhouettes_of(self, sequences: Data | pandas.DataFrame) -> FloatArray:
        """Silhouettes of the sequences that were clustered, or of new ones among them, shape (M,).

        Of a new sequence ``(b - a) / b``, with a its mean dissimilarity to the cluster that ``predict`` puts it into and b that to
        the next one.
        """

    @abstractmethod
    def transform(self, sequences: Data | pandas.DataFrame) -> FloatArray:
        """Return coordinates of new sequences in the plane of `embedding_`, shape (M, 2)."""

    @abstractmethod
    def plot(self) -> Figure:
        """Heat map, 2-D map, numbers of clusters and dendrogram in one figure."""

    @abstractmethod
    def report(self, path: PathLike, also: Mapping[str, str] | None = None) -> Path:
        """Write the page, and beside it the distance matrix and the partition.

        Parameters
        ----------
        path : path-like
            A folder, made if need be, or the ``.html`` file to write.
        also : mapping, optional
            Texts to write beside them, by the names of their files.

        Returns
        -------
        Path
            The page. The folder also gets ``distance.npz``, ``distance.csv``, ``partition.csv``,
            ``explanation.csv`` and three figures.

        Raises
        ------
        ParameterError
            If `path` is empty or no path.
        """

    @abstractmethod
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

    @abstractmethod
    def to_frame(self) -> pandas.DataFrame:
        """Return a row a sequence, with its id as index.

        Returns
        -------
        pandas.DataFrame
            ``cluster`` (from 0, as `labels`); ``silhouette``, ``membership`` and ``medoid`` (whether it is the most typical one
            of its cluster); ``cluster_<measure>`` of each further measure; ``label`` where labels are known. Of a sample,
            ``sampled`` as well, and what follows from dissimilarities is missing for all others.
        """

    @abstractmethod
    def explain(self) -> pandas.DataFrame:
        """Return what sets each cluster apart from all other sequences, strongest first, tested and in words.

        Returns
        -------
        pandas.DataFrame
            A row a statement: ``cluster`` (from 0); ``column``, by name or number from 1, two of a correlation, empty for
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

    def summary(self) -> str:
        """What was found, as text of several lines: the verdict, the clusters, what sets them apart, what was chosen and why."""
        return summary(self)

    @property
    def labels_(self) -> IntArray:
        """The same as `labels`."""
        return self.labels

    @property
    def n_clusters_(self) -> int:
        """The same as `n_clusters`."""
        return self.n_clusters

    @property
    def distance_(self) -> FloatArray:
        """The same as `distance`."""
        return self.distance

    @property
    def notes_(self) -> list[str]:
        """The same as `notes`."""
        return self.notes


class Analysis(Result, Clusters):
    """A :class:`~kinseq.analysis.result.Result` that can be shown, written and used for new sequences."""

    sequences: SequenceSet
    original: SequenceSet

    @property
    def verdict(self) -> str:
        """What was found, in one sentence: how many groups, how far apart, and what each of them is."""
        return sentence(self)

    @property
    def shown_by(self) -> str:
        """The view or property that shows the groups, in words; empty where all views together are cut."""
        return verdict(self).shown_by

    @property
    def also_there(self) -> list[str]:
        """Clear groups that were not taken, as another view or property sees them, one sentence each."""
        return also_there(self)

    def within_groups(self) -> list[str]:
        return within_groups(self)

    def __repr__(self) -> str:
        name, n = self.sequences.name, len(self.sequences)
        return f"{type(self).__name__}({name!r}, {n} sequences by {self.views[0].measure.name}: {self.verdict})"

    def warnings(self) -> list[str]:
        """Return what a reader should not overlook."""
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
            Cluster with the least mean dissimilarity. A sequence's answer does not depend on the others.

        Raises
        ------
        DataError
            If the number of features differs.
        ParameterError
            If the measure has no meaning for one sequence by itself (it selects models by the whole set).
        """
        return nearest_clusters(self, sequences)

    @property
    def _compared(self) -> tuple[Result, Result | None]:
        return self, None

    def silhouettes_of(self, sequences: Data | pandas.DataFrame) -> FloatArray:
        return silhouettes_among(self, sequences)

    def transform(self, sequences: Data | pandas.DataFrame) -> FloatArray:
        """Return coordinates of new sequences in the plane of `embedding_`, each placed by its dissimilarities to the old ones.

        Parameters
        ----------
        sequences
            As for :meth:`predict`.

        Returns
        -------
        ndarray, shape (M, 2)
            Old sequences come to where they are.
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
        """Return the map, for notebooks; nothing is loaded from elsewhere."""
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
    shortcut : Shortcut or None
        How sequences are compared with few of the representatives; None if each is compared with all.
    """

    sample: Analysis
    sample_positions: IntArray
    sequences: SequenceSet | SequenceParts
    assignment: IntArray
    base: Analysis
    comes_back: float | None
    unlike: IntArray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    shortcut: Shortcut | None = None
    original: SequenceSet | SequenceParts = field(init=False)
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
        return read_only(np.concatenate([self.transform(part) for part in self._parts(np.arange(len(self.labels)))]))

    @cached_property
    def membership_(self) -> FloatArray:
        """How strongly each sequence belongs to its cluster, shape (N,): of the sampled ones that in the sample, of all others by
        the representatives that they were assigned by.
        """
        memberships = np.empty(len(self.labels))
        others = np.setdiff1d(np.arange(len(self.labels)), self.sample_positions)
        memberships[self.sample_positions] = self.sample.membership_
        if others.size:
            parts = [strengths(self.base, *prepared(self.base, part)) for part in self._parts(others)]
            memberships[others] = np.concatenate(parts)
        return read_only(memberships)

    def _parts(self, positions: IntArray) -> Iterable[SequenceSet]:
        """The sequences at some positions, which rise, together or as they are read."""
        some = self.sequences.subset(positions)
        return [some] if isinstance(some, SequenceSet) else some

    def predict(self, sequences: Data | pandas.DataFrame) -> IntArray:
        """Cluster of new sequences: that whose nearest representatives are least far on average, shape (M,).

        Parameters and errors are those of :meth:`~kinseq.api.results.Analysis.predict`. The clusters of all sequences
        outside the sample were found in this way.
        """
        return assigned(self.base, *prepared(self.base, sequences), self.shortcut)

    @property
    def _compared(self) -> tuple[Result, Result | None]:
        return self.sample, self.base

    def silhouettes_of(self, sequences: Data | pandas.DataFrame) -> FloatArray:
        """Silhouettes of sequences by the nearest representatives of each cluster, shape (M,); all of them count as new."""
        return silhouettes_among_represented(self.base, sequences)

    def transform(self, sequences: Data | pandas.DataFrame) -> FloatArray:
        """Return coordinates of new sequences in the plane of `embedding_`, shape (M, 2)."""
        new, options = prepared(self.base, sequences)
        return np.concatenate([located(self.base, compared(self.base, block, options), block) for block in blocks(new)])

    def warnings(self) -> list[str]:
        """Return what a reader should not overlook."""
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
        """Return how small a cluster can be found, one sentence."""
        n, size = len(self.labels), len(self.sample_positions)
        smallest = smallest_in_sight(n, size, limits.MIN_IN_SIGHT)
        sentence = (
            f"a cluster of {smallest} sequences ({smallest / n:.1%}) has {limits.MIN_IN_SIGHT} or more in the sample with a"
            f" probability of {limits.SIGHT_PROBABILITY:g}, a smaller one may be missed; one in sight of less than"
            f" {limits.FOUND_SHARE:.0%} is mostly joined to a larger one, as it is without a sample"
        )
        numbers = self.sample.numbers
        if self.sample.n_requested is None and numbers is not None and numbers.n_items < size:
            counted = smallest_in_sight(n, numbers.n_items, limits.MIN_COUNTED)
            sentence += (
                f"; the number of clusters was chosen on {numbers.n_items}, where one of fewer than {counted}"
                f" ({counted / n:.1%}) may count for nothing"
            )
        return sentence

    @property
    def verdict(self) -> str:
        """What was found of the sample, in one sentence; numbers of sequences are those of all."""
        return sentence(self.sample, np.bincount(self.labels, minlength=self.n_clusters))

    @property
    def shown_by(self) -> str:
        """The view or property that shows the groups of the sample, in words."""
        return self.sample.shown_by

    @property
    def also_there(self) -> list[str]:
        """Clear groups in the sample that were not taken, one sentence each."""
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
        """Return what sets each cluster of the sample apart; see :meth:`~kinseq.api.results.Clusters.explain`."""
        return self.sample.explain()

    def within(self) -> dict[int, Analysis]:
        """Groups of the sample that fall into several themselves; see :meth:`~kinseq.api.results.Clusters.within`."""
        return self.sample.within()

    def within_groups(self) -> list[str]:
        """What was found within groups of the sample, one sentence for each."""
        return self.sample.within_groups()

    def _repr_html_(self) -> str:
        """Return the map of the sample, for notebooks."""
        from ..report.parts import small_map
        from ..report.writing import small_content

        return small_map(small_content(self.sample, self))

    def plot(self) -> Figure:
        """Heat map, 2-D map, numbers of clusters and dendrogram of the sample in one figure."""
        return self.sample.plot()

    def save(self, path: PathLike) -> None:
        if isinstance(self.sequences, SequenceParts):
            raise ParameterError(
                f"the frames of all {len(self.labels)} sequences would be in the file, but they are too many to be held; save the"
                " sample (its method save), which predicts clusters too, and keep partition.csv"
            )
        shortcut = None if self.shortcut is None else asdict(self.shortcut)
        known = {"labels": self.assignment, "comes_back": self.comes_back, "shortcut": shortcut}
        save(self.sequences, self.sample, path, known)

    def report(self, path: PathLike, also: Mapping[str, str] | None = None) -> Path:
        """Write the page, the partition of all sequences, and the dissimilarities of the sample.

        Parameters are those of :meth:`~kinseq.api.results.Analysis.report`.
        """
        from ..report.writing import write_report

        return write_report(self.sample, path, also, self)


def extended(sample: Analysis, prepared: Prepared, options: Options) -> SampledAnalysis:
    """The analysis of all sequences, by that of the sample that was drawn of them: the others are assigned to its clusters."""
    base, left, ordering = represented(sample), prepared.left_out(), prepared.ordering
    returned, shortcut = placing(sample, base, options, shorten=left.size > limits.MAX_FULLY_PLACED)
    clusters = np.full(len(prepared.original), -1, dtype=np.int64)
    clusters[ordering.first[ordering.ranks[prepared.positions]]] = sample.labels
    if left.size:
        clusters[left] = assigned(base, prepared.ordered.subset(left), options, shortcut)
    labels, unlike = clusters[ordering.first][ordering.ranks], prepared.given(prepared.unlike)
    return SampledAnalysis(sample, prepared.positions, prepared.original, labels, base, returned, unlike, shortcut)


def extended_in_parts(sample: Analysis, prepared: PreparedInParts, options: Options) -> SampledAnalysis:
    """The same of sequences that are read in parts."""
    base, left = represented(sample), prepared.left_out()
    returned, shortcut = placing(sample, base, options, shorten=left.size > limits.MAX_FULLY_PLACED)
    clusters = np.full(len(prepared.whole), -1, dtype=np.int64)
    clusters[prepared.speakers[prepared.positions]] = sample.labels
    if left.size:
        parts = assigned_in_turn(base, prepared.blocks(left), left.size, options, shortcut)
        clusters[left] = np.concatenate(list(parts))
    labels = clusters[prepared.speakers]
    return SampledAnalysis(
        sample, prepared.positions, prepared.whole, labels, base, returned, prepared.unlike, shortcut
    )
