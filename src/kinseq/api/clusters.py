"""What every result of :func:`kinseq.cluster` has, of all sequences or of a sample of them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..analysis.external import ExternalScores
from ..analysis.preparation import Data
from ..analysis.remarks import Choice
from ..analysis.summary import summary
from ..core.arrays import FloatArray, IntArray
from ..core.sequences import SequenceSet
from ..core.store import PathLike

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

    sequences: SequenceSet
    original: SequenceSet
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
    def also_there(self) -> list[str]:
        """Groups beyond doubt that were not taken, as another view or property sees them, one sentence each."""

    @abstractmethod
    def warnings(self) -> list[str]:
        """What a reader should not overlook."""

    @abstractmethod
    def predict(self, sequences: Data | pandas.DataFrame) -> IntArray:
        """Cluster of new sequences, shape (M,)."""

    @abstractmethod
    def transform(self, sequences: Data | pandas.DataFrame) -> FloatArray:
        """Coordinates of new sequences in the plane of `embedding_`, shape (M, 2)."""

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
        """A row a sequence, with its id as index.

        Returns
        -------
        pandas.DataFrame
            ``cluster`` (from 0, as `labels`); ``silhouette``, ``membership`` and ``medoid`` (whether it is the most typical one
            of its cluster); ``cluster_<measure>`` of each further measure; ``label`` where labels are known. Of a sample,
            ``sampled`` as well, and what follows from dissimilarities is missing for all others.
        """

    @abstractmethod
    def explain(self) -> pandas.DataFrame:
        """What sets each cluster apart from all other sequences, strongest first, tested and in words.

        Returns
        -------
        pandas.DataFrame
            A row a statement: ``cluster`` (from 0); ``column``, by name or number from 1, two of a correlation, empty for
            all; ``property``; ``effect``, the chance (0 to 1) that a member's value exceeds that of another sequence, ties
            half (of a property "in between" and of shapes: that a member is nearer to the typical member); ``p``, corrected
            for all properties, columns and clusters; ``where``, the share of the time in which courses of members differ
            most from those of others, lengths stretched to one, empty if they differ nowhere for sure or everywhere;
            ``sentence``. A cluster that nothing simple tells apart has one row that says so, with an empty property and an
            effect of NaN; so has a single cluster, and clusters of given dissimilarities.

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
