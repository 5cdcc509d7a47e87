"""Segmentation of one long recording: windows, a dissimilarity between them, and the best cut."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from ..clustering.segmentation import CHANGE_LEVEL, Segmentation, find_changes, segment
from ..core.arrays import FloatArray, IntArray, as_count, as_frames
from ..core.errors import DataError, ParameterError, unknown_name
from ..core.random_state import RandomState, check_seed
from ..core.sequences import SequenceSet
from ..core.store import PathLike
from ..core.streamed import SequenceParts
from ..core.wording import count
from ..features.frames import PerSet, fit_scaling, window_edges
from ..measures.computing import compute
from ..measures.fitting import valid_params
from ..measures.registry import get
from ..readers.folder import read
from ..readers.reading import Reading
from .assignment import MAX_SHOWN_ROWS

if TYPE_CHECKING:
    import pandas
    from matplotlib.figure import Figure

_OPTIONS = ("embedding", "width", "diagonal")


@dataclass(frozen=True, eq=False, repr=False)
class RecordingSegments:
    """Segments of one recording; converts to the array `boundaries`.

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

    def to_frame(self) -> pandas.DataFrame:
        """Return one row per segment, numbered from 1: ``start`` and ``end`` (exclusive), ``samples``, ``source``."""
        import pandas as pd

        ends = np.concatenate([[0], self.boundaries, self.edges[-1:]])
        columns = {"start": ends[:-1], "end": ends[1:], "samples": np.diff(ends), "source": self.sources + 1}
        return pd.DataFrame(columns, index=pd.RangeIndex(1, len(ends), name="segment"))

    def __repr__(self) -> str:
        segments, sources = count(self.n_segments, "segment"), count(len(np.unique(self.sources)), "source")
        return f"{type(self).__name__}({segments} of {sources}, {self.edges[-1]} samples)"

    def _repr_html_(self) -> str:
        """Return the table of segments, for notebooks."""
        return str(self.to_frame().to_html(max_rows=MAX_SHOWN_ROWS))

    def figure(self) -> Figure:
        """Figure of the eigenvectors over time with the found boundaries and the source of each segment."""
        from ..plotting.array_figures import eigenmap

        return eigenmap(self.windows.embedding, self.edges, self.boundaries, self.sources)

    def save(self, path: PathLike) -> None:
        """Write :meth:`figure` to a file; its extension (svg, png, pdf) selects the format."""
        from ..core.store import replacing

        with replacing(path) as temporary:
            self.figure().savefig(temporary, format=str(path).rpartition(".")[2])


def segment_sequence(
    array: ArrayLike | SequenceSet | PathLike,
    window: int,
    n_segments: int | None = None,
    measure: str = "kl_ll",
    n_sources: int | None = None,
    random_state: RandomState = 0,
    scale: PerSet = "zscore",
    n_jobs: int | None = None,
    reading: Reading | Mapping[str, Any] | None = None,
    **params: Any,
) -> RecordingSegments:
    """Cut a recording into segments that differ in their dynamics.

    Parameters
    ----------
    array : array_like, shape (T, d), SequenceSet or path-like
        Samples in order of time; or a set or file that holds this one sequence, whose frames are the samples.
    window : int
        Samples of a window; boundaries are found to that resolution. Each window gets a model of its own, so that it
        has to be long enough for one.
    n_segments : int, optional
        Number of segments. If it is not given, changes are tested against windows in random order, see
        ``kinseq.clustering.segmentation.find_changes``; a single segment is an answer.
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
    reading : Reading or mapping, optional
        How a file is read, see :func:`kinseq.read`.
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
    frames = _frames_of(array, reading, n_jobs)
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
    notes: tuple[str, ...] = ()
    changes: IntArray | None = None
    if n_segments is None:
        changes, p_values = find_changes(distance, random_state=seed)
        notes = (_how_sure(len(changes), p_values, n_windows),)
    segmentation = segment(distance, n_segments, n_sources, random_state=seed, boundaries=changes, **options)
    first = np.concatenate([[0], segmentation.boundaries]).astype(np.int64)
    boundaries, sources = edges[segmentation.boundaries], segmentation.sources[first]
    return RecordingSegments(boundaries, sources, edges, segmentation, distance, notes)


def _frames_of(data: Any, reading: Reading | Mapping[str, Any] | None, n_jobs: int | None) -> FloatArray:
    """Return the frames of one sequence, shape (T, d)."""
    if isinstance(data, (str, os.PathLike)):
        data = read(data, reading, n_jobs=n_jobs)
    elif reading is not None:
        raise ParameterError("reading is for files, but the recording is no path; leave it out")
    if not isinstance(data, (SequenceSet, SequenceParts)):
        return as_frames(data, "recording")
    if len(data) > 1:
        raise DataError(f"{data.name}: holds {count(len(data), 'sequence')}; give one recording")
    return (data if isinstance(data, SequenceSet) else data.load())[0]


def _how_sure(n_changes: int, p_values: FloatArray, n_windows: int) -> str:
    """Significance of the found changes, and of the next one."""
    taken, left = p_values[:n_changes], p_values[n_changes:]
    if not n_changes:
        why = f"p = {left[0]:.2g}" if left.size else f"{n_windows} windows are too few for two segments"
        return f"1 segment: windows in random order show a change as clear ({why}, {CHANGE_LEVEL:g} is needed)"
    more = f"; the next one would have p = {left[0]:.2g}" if left.size else ""
    return (
        f"{count(n_changes + 1, 'segment')}: windows in random order hardly show a change as clear as"
        f" {'this one' if n_changes == 1 else 'each of these'} (p at most {taken.max():.2g}){more}"
    )
