"""Segmentation of one long recording: windows, a dissimilarity between them, and the best cut."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from ..clustering.segmentation import CHANGE_LEVEL, Segmentation, find_changes, segment
from ..core.arrays import FloatArray, IntArray, as_count, as_frames
from ..core.errors import ParameterError, unknown_name
from ..core.roots import RandomState, check_seed
from ..core.sequences import SequenceSet
from ..core.store import PathLike
from ..core.wording import count
from ..features.frames import PerSet, fit_scaling, window_edges
from ..measures.computing import compute
from ..measures.evidence import valid_params
from ..measures.registry import get

if TYPE_CHECKING:
    import pandas
    from matplotlib.figure import Figure

_OPTIONS = ("embedding", "width", "diagonal")


@dataclass(frozen=True, eq=False)
class RecordingSegments:
    """Segments of one recording; as an array it is `boundaries`.

    Attributes
    ----------
    boundaries : ndarray, shape (S - 1,), int64
        First sample of every segment but the first; multiples of the window.
    sources : ndarray, shape (S,), int64
        Source that each segment comes from, numbered in order of first appearance.
    edges : ndarray, shape (M + 1,), int64
        First sample of every window, and the number of samples.
    windows : Segmentation
        The same in windows, with the eigenvectors that were cut.
    distance : ndarray, shape (M, M)
        Dissimilarities between windows.
    notes : tuple of str
        How sure the segments are, one sentence each.
    """

    boundaries: IntArray
    sources: IntArray
    edges: IntArray
    windows: Segmentation
    distance: FloatArray
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        window = count(int(self.edges[1]), "sample")
        return f"RecordingSegments({count(self.n_segments, 'segment')} of {self.edges[-1]} samples, in windows of {window})"

    def to_frame(self) -> pandas.DataFrame:
        """Return a row a segment: first sample, sample behind the last one, number of samples, and source."""
        import pandas as pd

        starts = np.concatenate([[0], self.boundaries]).astype(np.int64)
        ends = np.concatenate([self.boundaries, self.edges[-1:]]).astype(np.int64)
        columns = {"start": starts, "end": ends, "samples": ends - starts, "source": self.sources}
        return pd.DataFrame(columns, index=pd.RangeIndex(1, len(starts) + 1, name="segment"))

    @property
    def n_segments(self) -> int:
        """Number of segments S."""
        return int(self.boundaries.size) + 1

    @property
    def labels(self) -> IntArray:
        """Number of the segment of every sample, shape (T,)."""
        return np.repeat(self.windows.labels, np.diff(self.edges))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        return np.array(self.boundaries, dtype=dtype)

    def figure(self) -> Figure:
        """Figure of the eigenvectors over time with the boundaries found and the source of each segment."""
        from ..plotting.array_figures import eigenmap

        return eigenmap(self.windows.embedding, self.edges, self.boundaries, self.sources)

    def save(self, path: PathLike) -> None:
        """Write :meth:`figure` to a file; its ending (svg, png, pdf) says the format."""
        from ..core.store import replacing

        with replacing(path) as temporary:
            self.figure().savefig(temporary, format=str(path).rpartition(".")[2])


def segment_sequence(
    array: ArrayLike,
    window: int,
    n_segments: int | None = None,
    measure: str = "kl_ll",
    n_sources: int | None = None,
    random_state: RandomState = 0,
    scale: PerSet = "zscore",
    n_jobs: int | None = None,
    **params: Any,
) -> RecordingSegments:
    """Cut a recording into segments that differ in their dynamics.

    Parameters
    ----------
    array : array_like, shape (T, d)
        Samples in order of time.
    window : int
        Samples of a window; boundaries are found to that resolution. Each window gets a model of its own, so that it
        has to be long enough for one.
    n_segments : int, optional
        Number of segments. If it is not given, changes are tested against windows in random order, see
        :func:`kinseq.clustering.segmentation.find_changes`; a single segment is an answer.
    measure : str
        One of :func:`kinseq.measures.names`.
    n_sources : int, optional
        Number of different sources; found by the eigengap if not given. Two segments may share a source.
    random_state : int, RandomState, Generator or None
        Root seed of the models and of the k-means starts.
    scale : {"zscore", "none"}
        Z-scores of each column over the whole recording, so that none decides by its unit; or columns as they are, as
        where all of them are in one unit that matters, or where they were scaled before.
    n_jobs : int or None
        Number of jobs that run at a time; None is 1, -1 all processors. No number depends on it.
    **params
        Parameters of the measure and of its models (``n_states``...), and of :func:`kinseq.clustering.segment`
        (``embedding``, ``width``, ``diagonal``).

    Returns
    -------
    RecordingSegments
        With ``boundaries`` in samples and ``figure()``.

    Raises
    ------
    DataError
        If the recording is not usable.
    ParameterError
        If there are fewer than two windows, or a parameter is unknown or out of range.

    References
    ----------
    Thesis 2011, appendix C.

    Examples
    --------
    >>> import numpy as np
    >>> import kinseq
    >>> random = np.random.default_rng(0)
    >>> recording = np.concatenate([random.normal(0, 1, (200, 1)), random.normal(0, 3, (200, 1))])
    >>> kinseq.segment_sequence(recording, window=20, n_segments=2, n_sources=2).boundaries
    array([200])
    """
    seed = check_seed(random_state)
    frames = as_frames(array, "recording")
    frames = fit_scaling(frames, scale).apply(frames)
    edges = window_edges(len(frames), as_count(window, "window"))
    n_windows = edges.size - 1
    if n_windows < 2:
        raise ParameterError(f"window is {window} but the recording has {len(frames)} samples; take shorter windows")
    options = {name: params.pop(name) for name in _OPTIONS if name in params}
    valid = valid_params(get(measure), params.get("model"))
    for name in params:
        if name not in valid:
            raise ParameterError(f"segment_sequence: {unknown_name('parameter', name, [*valid, *_OPTIONS])}")
    pieces = SequenceSet(frames, edges, ids=np.array([f"window{i}" for i in range(n_windows)]), name="recording")
    distance = compute(measure, pieces, n_clusters=n_sources, random_state=seed, n_jobs=n_jobs, **params)
    number = n_segments
    notes: tuple[str, ...] = ()
    if n_segments is None:
        changes, p_values = find_changes(distance, random_state=seed)
        number, notes = len(changes) + 1, (_how_sure(len(changes), p_values, n_windows),)
    segmentation = segment(distance, number, n_sources, random_state=seed, **options)
    first = np.concatenate([[0], segmentation.boundaries]).astype(np.int64)
    boundaries, sources = edges[segmentation.boundaries], segmentation.sources[first]
    return RecordingSegments(boundaries, sources, edges, segmentation, distance, notes)


def _how_sure(n_changes: int, p_values: FloatArray, n_windows: int) -> str:
    """How clear the changes are that were found, and the next one."""
    taken, left = p_values[:n_changes], p_values[n_changes:]
    if not n_changes:
        why = f"p = {left[0]:.2g}" if left.size else f"{n_windows} windows are too few for two segments"
        return f"1 segment: windows in random order show a change as clear ({why}, {CHANGE_LEVEL:g} is needed)"
    more = f"; the next one would have p = {left[0]:.2g}" if left.size else ""
    return (
        f"{count(n_changes + 1, 'segment')}: windows in random order hardly show a change as clear as"
        f" {'this one' if n_changes == 1 else 'each of these'} (p at most {taken.max():.2g}){more}"
    )
