"""Clustering of sequences with the conventions of scikit-learn."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple
from warnings import warn

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, ClusterMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from ..analysis.log import Remarks
from ..analysis.options import (
    AUTO,
    COARSE,
    OPTIONS,
    STRETCH,
    Options,
    Range,
    as_number,
    in_words,
    is_coarse,
    usual_measure,
)
from ..analysis.preparation import as_symbolic, in_order, kind_of, with_copies
from ..analysis.views import option_names
from ..clustering.registry import Clusterer, get, segmenters
from ..clustering.registry import get as get_clusterer
from ..core.arrays import FloatArray, IntArray, require_clusters
from ..core.errors import DataError, ParameterError
from ..core.graphs.kmeans import relabel
from ..core.inputs import Collection, as_collection, as_held
from ..core.jobs import as_threads
from ..core.random_state import RandomState, check_seed
from ..core.sequences import Layout, SequenceSet, require_list
from ..core.settings import differs
from ..core.spans import Span
from ..features.column_names import column_labels
from ..features.frames import without_glitches
from ..measures.fitting import compute_with_findings
from ..measures.registry import Measure
from ..readers.folder import is_read, settled
from ..readers.reading import OPTIONS as OF_READING
from ..readers.reading import Circular, ColumnName, Reading
from .clustering import (
    OneMeasure,
    analyse,
    as_measures,
    checked_params,
    leaves_open,
    options_of,
    require_models,
    require_ordered,
)
from .results import GroupTree, SampledClustering

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..analysis.options import Length, Scale, Width
    from ..analysis.verdict import Degree
    from ..core.folders import Missing
    from .results import Clustering


FEWEST_VALUES = 8
"""Largest length of a series that may be the frames of one recording in the rows of a matrix, and largest size of such a frame."""
_NUMBERED = re.compile(r"(\D*)(\d+(?:\.\d+)?)")
"""A name that ends in a number, as scikit-learn gives to columns."""


class SequenceClustering(ClassNamePrefixFeaturesOutMixin, TransformerMixin, ClusterMixin, BaseEstimator):
    """Cluster sequences with the names, defaults and results of :func:`kinseq.cluster`.

    Parameters
    ----------
    n_clusters : int, (int, int), str or None
        Number of clusters; or a range that it is chosen from, as ``(3, 6)`` or ``"3-6"``; without it, one is chosen,
        as :func:`kinseq.cluster` does: clusters are the leaves of a tree of groups, or with ``"coarse"`` its first division.
    measure : str, callable, or Measure
        One of :func:`kinseq.measures.names`; ``"auto"`` chooses as :func:`kinseq.cluster` does, and is ``"precomputed"`` if X
        holds dissimilarities; or a function of two ``(T, d)`` arrays. A clusterer that takes the sequences themselves has none.
    random_state : int, RandomState, Generator or None
        Root of every random stream. An int makes the result reproducible; None draws a seed from NumPy's global state.
    clusterer : str
        One of :func:`kinseq.clustering.names`.
    scale : {"zscore", "per_sequence", "none"}
        Every column by its mean and deviation over the whole set, over each sequence by itself, or not at all, as
        :func:`kinseq.dissimilarity` and :func:`kinseq.measures.compute` leave it.
    width : str or float
        Kernel width of spectral clustering, or a rule for it; ``"auto"`` is ``"local"``, and none for a fusion.
        A measure that has a kernel width of its own gets it too.
    layout : {"channels_last", "channels_first"} or None
        Whether arrays are (time, channels) or, as in aeon and sktime, (channels, time); see
        :func:`kinseq.core.inputs.as_collection`.
    length : {"as_given", "stretch"}
        Whether lengths count.
    missing : {"refuse", "interpolate"}
        What is done with NaN that is no padding.
    model : str or None
        Kind of the models of a measure that has some.
    n_states : int or None
        Number of states of the models; None chooses it.
    max_clusters : int
        Largest number of clusters that is tried where no range is given.
    max_frames : int or None
        Frames that a sequence of median length keeps, at most, where sequences are aligned or models are fitted: means of blocks.
    n_resamples : int
        Number of bootstrap samples behind the stability that ``analysis_`` tells.
    sample : int, "auto" or None
        Number of sequences that are compared with each other; all others are assigned to their clusters.
    id_column, time_column : hashable or None
        Columns of a long table that name the sequences, and sort their rows.
    value_columns : list or None
        Columns of a long table that are features; all others without it.
    symbols : str or None
        Of sequences of symbols, the column of a table that holds them, or how text is cut: "characters" or "words".
    circular : dict, list, str or None
        Columns that go round, with the lengths of their rounds, as ``{"heading": 360}``; compared by cosine and sine.
    trim_padding : bool
        Whether rows of zeros, or of another constant, are cut from the ends of sequences.
    every, max_gap : str, float or None
        Step of a regular clock that rows are put on by their times, as ``"1min"``, and the longest gap that lines cross.
    cut, step : str, int or None
        Length of the pieces that sequences are cut into, as ``"1d"`` or a number of frames, and from the beginning of one to that
        of the next. Pieces are the samples then: `labels_` has an entry for each, and ``analysis_.to_frame()`` their sources.
    cut_at : hashable or None
        Column at whose changes sequences are cut into pieces; it is no feature.
    params : dict or None
        Parameters of the measure, of the models it needs (``covariance``, ``n_init``, ``max_iter``...) and of the clusterer,
        distinguished by name. A name that measure and clusterer both know goes to both.
    n_jobs : int or None
        Number of threads; None is 1, -1 all processors. No number depends on it.

    Attributes
    ----------
    labels_ : ndarray, shape (N,), int64
        Cluster of each sequence, from 0, the largest cluster first; -1 of one in no cluster (``clusterer="hdbscan"``).
    n_clusters_ : int
        How many there are.
    distance_ : ndarray, shape (N, N), or None
        Dissimilarities that were clustered; None if the sequences themselves were, and for a sample of them.
    embedding_ : ndarray, shape (N, 2)
        Coordinates in the plane whose distances come closest to the dissimilarities (classical scaling).
    medoid_indices_ : ndarray, shape ``(n_clusters_,)``, int64
        The most typical sequence of each cluster: the one with the least mean dissimilarity to the others.
    medoids_ : list of ndarray, each of shape (T, d)
        These sequences, in the units of X.
    membership_ : ndarray, shape (N,), float64
        How strongly each sequence belongs to its cluster: 0.5 on the border to the next one, 1 if it is like its own.
    measure_ : str
        Name of the measure that was taken.
    degree_ : str
        How sure the groups are, in one fixed word; see `degree` of :class:`kinseq.api.results.Clustering`.
    tree_ : kinseq.api.results.GroupTree
        The groups, those within them, and so on, each division in a scale of its own; `labels_` are its first division. It is
        computed on first use.
    findings_ : dict
        What the measure reported in addition to the matrix.
    notes_ : list of str
        A sentence for everything that was shortened, dropped or should be known.
    analysis_ : kinseq.api.Clustering or kinseq.api.SampledClustering
        Everything else: choices with their reasons, candidates, cautions, ``report(path)``.
    n_features_in_ : int
        Number of features of a frame; of series in rows their number of values, of precomputed dissimilarities N.
    feature_names_in_ : ndarray of str
        Names of the columns of a frame, where the features of its sequences have names.

    Notes
    -----
    Sequences are sorted by content first, and what is found is put back into the order of X: their order changes neither
    the dissimilarities nor the partition, and equal sequences are in one cluster. A clusterer that takes the sequences
    themselves and a segmenter (``"spectral_segmentation"``, which takes the sequences in the order of X) leave labels
    and nothing to predict by: then there is no embedding, no medoid and no analysis.

    Examples
    --------
    >>> import numpy as np
    >>> from kinseq import SequenceClustering
    >>> random = np.random.default_rng(0)
    >>> sequences = [random.normal(3 * (i % 2), 1, size=(30, 2)) for i in range(9)]
    >>> SequenceClustering(measure="dtw", n_clusters=2).fit_predict(sequences)
    array([0, 1, 0, 1, 0, 1, 0, 1, 0])
    """

    _n_features_out = 2
    _of_rows = False
    """Whether the sequences were the rows of a matrix; new ones then need the same number of columns."""

    def __init__(
        self,
        n_clusters: int | Range | str | None = None,
        measure: OneMeasure = AUTO,
        *,
        random_state: RandomState = 0,
        clusterer: str = Options.clusterer,
        scale: Scale = Options.scale,
        width: Width | float = Options.width,
        layout: Layout | None = Reading.layout,
        length: Length = Options.length,
        missing: Missing = Reading.missing,
        model: str | None = Options.model,
        n_states: int | None = Options.n_states,
        max_clusters: int = Options.max_clusters,
        max_frames: int | None = Options.max_frames,
        n_resamples: int = Options.n_resamples,
        sample: int | Literal["auto"] | None = Options.sample,
        id_column: Hashable | None = Reading.id_column,
        time_column: Hashable | None = Reading.time_column,
        value_columns: Sequence[Hashable] | None = Reading.value_columns,
        symbols: ColumnName | None = Reading.symbols,
        circular: Circular | None = Reading.circular,
        trim_padding: bool = Reading.trim_padding,
        every: Span | None = Reading.every,
        max_gap: Span | None = Reading.max_gap,
        cut: Span | None = Reading.cut,
        step: Span | None = Reading.step,
        cut_at: ColumnName | None = Reading.cut_at,
        params: Mapping[str, Any] | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.measure = measure
        self.clusterer = clusterer
        self.random_state = random_state
        self.scale = scale
        self.width = width
        self.layout = layout
        self.length = length
        self.missing = missing
        self.model = model
        self.n_states = n_states
        self.max_clusters = max_clusters
        self.max_frames = max_frames
        self.n_resamples = n_resamples
        self.sample = sample
        self.id_column = id_column
        self.time_column = time_column
        self.value_columns = value_columns
        self.symbols = symbols
        self.circular = circular
        self.trim_padding = trim_padding
        self.every = every
        self.max_gap = max_gap
        self.cut = cut
        self.step = step
        self.cut_at = cut_at
        self.params = params
        self.n_jobs = n_jobs

    def fit(self, X: Collection, y: object = None) -> SequenceClustering:
        """Compute the dissimilarities and cluster them.

        Parameters
        ----------
        X : SequenceSet, list, dict, ndarray or pandas.DataFrame
            At least `n_clusters` sequences in any form that :func:`kinseq.core.inputs.as_collection` takes; rows of an array of
            shape (N, T) are series, and new ones then have as many values (others go into a list); so are rows of a pandas frame
            whose columns are numbered (``x0``, ``x1``, ...). For ``measure="precomputed"`` a symmetric matrix, shape (N, N).
        y : ignored
            Present by convention.

        Returns
        -------
        SequenceClustering
            The estimator itself.

        Raises
        ------
        DataError
            If the sequences are not usable.
        ParameterError
            If a parameter is unknown or out of range.
        """
        if isinstance(X, (str, bytes)):
            require_list(X, "sequences")
        X, settings = as_held(X), self._settings()
        symbolic = None if self._pairwise else as_symbolic(X, settings.reading)
        measure, clusterer = self._one_measure(kind_of(symbolic)), get_clusterer(self.clusterer)
        if clusterer.takes == "items" and not (isinstance(self.measure, str) and self.measure == AUTO):
            raise ParameterError(
                f"measure is {self.measure!r}, but clusterer {clusterer.name!r} takes the sequences themselves; leave it out"
            )
        for attribute in ("analysis_", "distance_", "labels_", "n_clusters_", "findings_", "notes_"):
            self.__dict__.pop(attribute, None)
        data, n_columns = self._checked(X if symbolic is None else symbolic, reset=True)
        if returns_labels_only(clusterer):
            self._fit_apart(data, measure, settings)
        else:
            self._fit_matrix(data, measure, settings)
        if n_columns is not None:
            self.n_features_in_ = n_columns
            return self
        self.__dict__.pop("feature_names_in_", None)
        if "analysis_" in self.__dict__ and self.analysis_.original.provenance.get("columns"):
            self.feature_names_in_ = np.array(column_labels(self.analysis_.original), dtype=object)
        return self

    def _settings(self) -> _Settings:
        """Return settings that differ from the defaults of :func:`kinseq.cluster`: analysis, reading, and parameters."""
        for name in self.params if isinstance(self.params, Mapping) else ():
            if name in OF_READING and name not in self.get_params(deep=False):
                raise ParameterError(f"{name} is for kinseq.cluster, which reads files and writes pages; leave it out")
            if name in self.get_params(deep=False):
                raise ParameterError(f"params holds {name!r}, which is a parameter of the estimator; give it there")
        # Options left at their defaults are accepted even where they do not apply.
        of_analysis, of_reading = (
            {
                name: value
                for name, entry in entries.items()
                if name in self.get_params(deep=False) and differs(value := getattr(self, name), entry.default)
            }
            for entries in (OPTIONS, OF_READING)
        )
        return _Settings(of_analysis, Reading(**of_reading), self.params)

    def _checked(self, X: Any, reset: bool) -> tuple[Any, int | None]:
        """Check a matrix of series in rows as scikit-learn does, with its number of columns; other data are returned unchanged."""
        self._of_rows = self._of_rows and not reset
        X, fitted = as_held(X), None if reset else getattr(self, "analysis_", None)
        if reset and isinstance(X, (list, tuple)) and all(np.ndim(entry) == 1 for entry in X):
            _warn_of_few_values(len(X), max(map(len, X), default=0))
        if self._pairwise or not (issparse(X) or hasattr(X, "__array__")) or (fitted and fitted.original.alphabet):
            return X, None
        is_frame = hasattr(X, "iloc")
        if is_frame and not (self._is_wide(X) if reset else self._of_rows):
            return X, None
        if not issparse(X) and not is_frame:
            array = np.asarray(X)
            if array.ndim > 2 or array.dtype.kind in "US" or (array.ndim == 1 and array.dtype == object):
                return X, None
            if array.ndim == 2 and not reset and not self._of_rows:
                return X, None
        self._of_rows = True
        # NaN from some column to the end is padding.
        checked = validate_data(
            self, X, reset=reset, dtype=np.float64, ensure_all_finite="allow-nan", ensure_min_samples=2 if reset else 1
        )
        if reset and checked.shape[1] == 1 and not self._one_measure().one_frame:
            raise DataError(
                f"X has 1 feature(s) for {len(checked)} samples: every series has a single value, so there are no dynamics to"
                " compare; one sequence goes into a list of all sequences"
            )
        if reset:
            _warn_of_few_values(*checked.shape)
        return checked, checked.shape[1]

    def _is_wide(self, frame: Any) -> bool:
        """Whether the rows of a data frame are series: no column has a role, and column names count the values."""
        if any(role is not None for role in (self.id_column, self.time_column, self.value_columns)):
            return False
        names = [_NUMBERED.fullmatch(str(name)) for name in getattr(frame, "columns", ())]
        numbers = [float(name[2]) for name in names if name is not None]
        prefixes = {name[1] for name in names if name is not None}
        is_counted = len(prefixes) == 1 and bool((np.diff(numbers) > 0).all())
        return is_counted and len(numbers) == len(names) >= FEWEST_VALUES

    @property
    def _pairwise(self) -> bool:
        return isinstance(self.measure, str) and self.measure == "precomputed"

    def _fit_matrix(self, X: Any, measure: Measure, given: _Settings) -> None:
        options = options_of(
            self.n_clusters,
            measure,
            self.random_state,
            given.values,
            given.params,
            threads=as_threads(self.n_jobs),
            alternatives=False,
            chooses=self.measure == AUTO and leaves_open(self.n_clusters, given.values, given.params),
            words=list(self.get_params(deep=False)),
            kind="parameter",
        )
        if is_read(X):
            # The caller matches labels to sequences by position, so none may be left out.
            X = replace(X, provenance={name: entry for name, entry in X.provenance.items() if name != "path"})
        self.analysis_ = analysis = analyse(X, options, given.reading)
        # Copies, because callers may write into them; slow parts are computed on request.
        self.labels_, self.n_clusters_ = analysis.labels.copy(), analysis.n_clusters
        self.findings_, self.notes_ = dict(analysis.views[0].findings), list(analysis.notes)
        self.distance_: FloatArray | None = None if isinstance(analysis, SampledClustering) else analysis.distance
        self.n_features_in_ = analysis.original.n_features if analysis.details.has_content else len(analysis.original)

    def fit_transform(self, X: Collection, y: object = None) -> FloatArray:
        """Fit and return `embedding_`, shape (N, 2)."""
        return self.fit(X, y).embedding_

    def predict(self, X: Collection) -> IntArray:
        """Nearest cluster of new sequences, under the models already fitted; see :meth:`kinseq.api.Clustering.predict`."""
        return self._fitted().predict(self._checked(X, reset=False)[0])

    def transform(self, X: Collection) -> FloatArray:
        """Return new sequences in the plane of `embedding_`, shape (M, 2); see :meth:`kinseq.api.Clustering.transform`."""
        return self._fitted().transform(self._checked(X, reset=False)[0])

    def score(self, X: Collection, y: object = None) -> float:
        """Mean silhouette of sequences among those that were fitted; what ``GridSearchCV`` compares without y.

        Parameters
        ----------
        X : as in :meth:`predict`
            Sequences. Of those that were fitted, the silhouettes of ``labels_`` count, unless a sample was compared. The
            silhouette of a new sequence is ``(b - a) / b``, with a its mean dissimilarity to the cluster that :meth:`predict`
            puts it into, and b that to the next one; it is not negative.
        y : ignored
            Present by convention.

        Returns
        -------
        float
            -1 to 1, larger is better; 0 with a single cluster. Silhouettes of different measures are in different units: they
            choose parameters of one measure, and hardly between measures.

        Raises
        ------
        DataError
            If the sequences are not usable.
        ParameterError
            If the clusterer has no answer for new sequences.
        """
        return float(self._fitted()._silhouettes_of(self._checked(X, reset=False)[0]).mean())

    @property
    def measure_(self) -> str:
        """Name of the measure that was used."""
        return self._analysis_for("measure_").measure

    @property
    def degree_(self) -> Degree:
        """How sure the groups are, in one fixed word; see :class:`kinseq.api.results.Clustering`."""
        return self._analysis_for("degree_").degree

    @property
    def tree_(self) -> GroupTree:
        """The groups, those within them, and so on; `labels_` are its leaves if no number is given.

        See :class:`kinseq.api.results.GroupTree`.
        """
        return self._analysis_for("tree_").tree

    @property
    def embedding_(self) -> FloatArray:
        """Coordinates in the plane whose distances come closest to the dissimilarities, shape (N, 2)."""
        return self._analysis_for("embedding_").embedding_

    @property
    def medoid_indices_(self) -> IntArray:
        """The most typical sequence of each cluster, shape ``(n_clusters_,)``."""
        return self._analysis_for("medoid_indices_").medoid_indices_

    @property
    def medoids_(self) -> list[FloatArray]:
        """The most typical sequences in the units of X, each of shape (T, d)."""
        return self._analysis_for("medoids_").details.medoids

    @property
    def membership_(self) -> FloatArray:
        """How strongly each sequence belongs to its cluster, 0 to 1, shape (N,); see :class:`kinseq.api.results.Clustering`."""
        return self._analysis_for("membership_").membership_

    def plot(self) -> Figure:
        """Heat map, 2-D map, numbers of clusters and dendrogram in one figure, for a sample if one was drawn."""
        return self._fitted().plot()

    def _analysis_for(self, attribute: str) -> Clustering:
        """Return the analysis for an attribute; without one, the attribute does not exist."""
        if "analysis_" not in self.__dict__:
            raise AttributeError(
                f"{type(self).__name__} has no {attribute} before fit, or with a clusterer without a matrix"
            )
        return self.analysis_

    def _fitted(self) -> Clustering:
        check_is_fitted(self, "labels_")
        if not hasattr(self, "analysis_"):
            raise ParameterError(
                f"clusterer {self.clusterer!r} has no answer for new sequences; use one that takes a matrix of dissimilarities"
            )
        return self.analysis_

    def _one_measure(self, kind: str = "numbers") -> Measure:
        # No recordings are involved, so no features can be named.
        auto = isinstance(self.measure, str) and self.measure == AUTO
        measures = as_measures(usual_measure(None, kind) if auto else self.measure)
        if len(measures) > 1:
            raise ParameterError(f"measure is {self.measure!r}; give one, kinseq.cluster compares several")
        return measures[0]

    def _fit_apart(self, X: Any, measure: Measure, given: _Settings) -> None:
        """Fit with a clusterer that takes the sequences themselves, or the matrix in their order."""
        words = list(self.get_params(deep=False))
        result = labels_only_partition(X, self.n_clusters, measure, self.random_state, given, words)
        self.labels_, self.distance_, self.findings_ = result.labels, result.distance, result.findings
        self.n_clusters_, self.notes_ = int(result.labels.max()) + 1, list(result.remarks.notes)
        self.n_features_in_ = result.n_features

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self._pairwise
        tags.input_tags.three_d_array = not self._pairwise
        tags.non_deterministic = self.random_state is None
        return tags


class _Settings(NamedTuple):
    """Settings of an estimator: options of the analysis, of reading, and parameters."""

    values: dict[str, Any]
    reading: Reading
    params: Any


@dataclass(frozen=True)
class ClustererOutput:
    """Result of a clusterer alone.

    Attributes
    ----------
    labels : ndarray, shape (N,), int64
        Cluster of each sequence, or its segment.
    distance : ndarray, shape (N, N), or None
        Dissimilarities that were cut; None if the sequences were clustered.
    findings : dict
        What the measure reported.
    remarks : Remarks
    n_features : int
        Of the sequences as they were given.
    """

    labels: IntArray
    distance: FloatArray | None
    findings: dict[str, Any]
    remarks: Remarks
    n_features: int


def _warn_of_few_values(n_series: int, n_values: int) -> None:
    """Warn of many series of few values each, which are perhaps the frames of one sequence."""
    if n_values < FEWEST_VALUES < n_series:
        warn(
            f"X of shape {(n_series, n_values)} is read as {n_series} series of {n_values} values each; one sequence of"
            f" {n_series} frames goes into a list of all sequences",
            stacklevel=4,
        )


def returns_labels_only(clusterer: Clusterer) -> bool:
    """Return whether a clusterer gives labels alone: it uses the sequences, or a matrix in their order."""
    return clusterer.takes == "items" or clusterer.name in segmenters()


def labels_only_partition(
    data: Any, n_clusters: Any, measure: Measure, random_state: Any, given: _Settings, words: Sequence[str]
) -> ClustererOutput:
    """Cluster sequences, in any form that :func:`~kinseq.core.inputs.as_collection` takes, by such a clusterer.

    `given` holds the clusterer too; `measure` is that of the matrix, where it takes one; a misspelt name might stand for one of
    `words`. DataError and ParameterError as of :func:`kinseq.cluster`.
    """
    clusterer, reading = get(given.values["clusterer"]), given.reading
    params, options, clusters = _checked(clusterer, n_clusters, measure, random_state, given, words)
    ordered = clusterer.takes == "matrix" and measure.ordered
    sequences = as_collection(data, reading.layout, ordered, reading.columns, reading.missing, reading.arrangement)[0]
    if clusters is not None:
        require_clusters(len(sequences), clusters, "SequenceClustering")
    sequences = settled(sequences, reading)
    counted = clusterer.takes == "matrix" and measure.counts_features
    items, ordering, remarks = in_order(sequences, options, counted=counted)
    items = without_glitches(items)
    params = {name: value for name, value in params.items() if name in clusterer.params}
    if clusterer.takes == "matrix":
        distance, findings = _matrix(measure, items, clusters, options)
        distance = ordering.restore_matrix(ordering.equal_alike(distance))
        labels = clusterer(distance, clusters, random_state=options.seed, **params)
        return ClustererOutput(labels, distance, findings, remarks, sequences.n_features)
    remarks = with_copies(remarks, sequences, ordering, counted=False)
    labels = relabel(ordering.restore_labels(clusterer(items, clusters, random_state=options.seed, **params)))
    return ClustererOutput(labels, None, {}, remarks, sequences.n_features)


def _checked(
    clusterer: Clusterer,
    n_clusters: Any,
    measure: Measure,
    random_state: Any,
    given: _Settings,
    words: Sequence[str],
) -> tuple[dict[str, Any], Options, int | None]:
    """Return the clusterer's parameters among the settings, how to call it, and the number of clusters."""
    # A kernel width of the clusterer itself is its own parameter.
    own = {"width"} & given.values.keys() & set(clusterer.params)
    width = {name: given.values[name] for name in own}
    known = {f"clusterer {clusterer.name!r}": set(clusterer.params)}
    if clusterer.takes == "matrix":
        known = {f"measure {measure.name!r}": option_names(measure, given.values.get("model")), **known}
    values = {name: value for name, value in given.values.items() if name not in own and name != "clusterer"}
    params = checked_params(given.params, known, words, "parameter")
    options = Options(**values, params=params, seed=check_seed(random_state))
    if options.sample != AUTO:
        raise ParameterError(
            f"sample is {options.sample!r}, but clusterer {clusterer.name!r} needs all sequences; leave it out"
        )
    if clusterer.takes == "matrix":
        require_models([measure], options.n_states, options.model)
        if options.length == STRETCH:
            require_ordered([measure])
    elif options.n_states is not None or options.model is not None:
        word = "model" if options.n_states is None else "n_states"
        raise ParameterError(
            f"{word!r} is for measures, but clusterer {clusterer.name!r} takes the sequences themselves;"
            f" its parameters: {', '.join(sorted(clusterer.params))}"
        )
    clusters, several = as_number(n_clusters)
    if is_coarse(n_clusters):
        raise ParameterError(
            f"n_clusters is {COARSE!r}, but clusterer {clusterer.name!r} makes no tree of groups; give one number"
        )
    if several is not None:
        raise ParameterError(
            f"n_clusters is {in_words(several)}, but clusterer {clusterer.name!r} cannot choose from a range; give one number"
        )
    if clusters is None and clusterer.requires_n_clusters:
        raise ParameterError(f"n_clusters is None, but clusterer {clusterer.name!r} needs their number; give it")
    return {**options.params, **width}, options, clusters


def _matrix(
    measure: Measure, items: SequenceSet, n_clusters: int | None, options: Options
) -> tuple[FloatArray, dict[str, Any]]:
    valid_names = option_names(measure, options.model)
    params = {name: value for name, value in options.params.items() if name in valid_names}
    params |= {} if options.n_states is None else {"n_states": options.n_states}
    return compute_with_findings(measure.name, items, n_clusters, options.seed, options.model, **params)
