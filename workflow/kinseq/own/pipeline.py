"""The analysis from beginning to end."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ..arrays import require_clusters
from ..errors import ParameterError
from ..evaluation.unlabelled import Numbers
from ..measures.registry import Measure, get
from ..sequences import SequenceSet
from ..store import PathLike
from . import limits
from .analysis import Analysis
from .partition import choose_number, cut
from .preparation import Data, cut_long, leave_out_short, load, scale
from .run import Run
from .settings import Settings
from .views import View, view_of


def cluster(
    data: Data,
    n_clusters: int | None = None,
    measure: str | Sequence[str] = "fusion",
    seed: int = 0,
    *,
    name: str | None = None,
    cache: PathLike | None = None,
    threads: int = 1,
    progress: bool = False,
    command: str | None = None,
    **settings: Any,
) -> Analysis:
    """Cluster sequences, with everything that is not given chosen by stated rules.

    Parameters
    ----------
    data : path-like, SequenceSet or list of array_like, each of shape (T, d)
        A folder or file as :func:`kinseq.data.readers.read_folder` reads it, or arrays.
    n_clusters : int, optional
        Number of clusters; without it, the least number whose mean silhouette comes within one standard
        error of the largest.
    measure : str or sequence of str
        Measures by name, in a list or separated by commas. The partition is that of the first, the others are compared
        with it.
    seed : int
        Root of every random stream.
    name : str, optional
        Title of the page; that of the folder if not given.
    cache : path-like, optional
        Folder in which features of audio files are remembered.
    threads : int
        Number of threads; no number depends on it.
    progress : bool
        Report long stages, with an estimate of the rest, to standard error.
    command : str, optional
        What the page names as the command that repeats it; a call of this function if not given.
    **settings
        ``labels``, ``kind``, ``missing``, ``on_bad_file``, ``features``, ``sample_rate``, ``trim``: see
        :func:`~kinseq.data.readers.read_folder`. ``scale``: ``"zscore"`` scales every column by its mean and deviation
        over the whole set, ``"none"`` does not, ``"auto"`` does so unless the columns are features of audio.
        ``width``: rule for the kernel width of spectral clustering (:func:`kinseq.affinity.choose_width`); ``"auto"`` is
        ``"local"``, one width per item, and ``"eigengap"`` for a fusion, which is scaled locally before. ``n_states``:
        number of states of the models instead of the one with the least BIC. ``max_clusters``: largest number of clusters
        tried. ``max_frames``: longer sequences are represented by that many frames in their middle, None keeps all.
        ``n_resamples``: number of bootstrap samples.

    Returns
    -------
    Analysis
        With ``distance``, ``labels``, ``report(path)``, ``plot()`` and ``predict(new sequences)``.

    Raises
    ------
    DataError
        If nothing can be read, fewer than two sequences are left, or numbers are missing.
    ParameterError
        If an argument is unknown or out of range, for example more clusters than sequences.

    Examples
    --------
    >>> import kinseq
    >>> found = kinseq.cluster("my/recordings", n_clusters=5)  # doctest: +SKIP
    >>> found.report("my/page")  # doctest: +SKIP
    """
    measures = _measures(measure)
    run = Run(Settings.of(settings), seed, threads, progress)
    sequences = load(data, run, cache)
    sequences = leave_out_short(replace(sequences, name=name or sequences.name), measures, run)
    if n_clusters is not None:
        n_clusters = require_clusters(len(sequences), n_clusters, sequences.name)
    sequences, scaling = scale(cut_long(sequences, run), run)
    views, numbers = _compare(sequences, measures, n_clusters, run)
    return Analysis(
        sequences=sequences,
        views=views,
        numbers=numbers,
        settings=run.settings,
        scaling=scaling,
        seed=seed,
        asked=n_clusters,
        source=str(data) if isinstance(data, (str, os.PathLike)) else None,
        notes=run.notes,
        choices=run.choices,
        threads=threads,
        progress=progress,
        command=command,
    )


def _measures(measure: str | Sequence[str]) -> list[Measure]:
    names = [word.strip() for word in measure.split(",")] if isinstance(measure, str) else [str(m) for m in measure]
    if not names or len(set(names)) < len(names):
        raise ParameterError(f"measure is {measure!r}; name at least one, and none twice")
    return [get(name) for name in names]


def _affordable(measures: Sequence[Measure], sequences: SequenceSet, run: Run) -> list[Measure]:
    """The measures, a fusion of very many sequences replaced by the one of its views whose models cost linear time."""
    if len(sequences) <= limits.QUADRATIC:
        return list(measures)
    chosen: list[Measure] = []
    for measure in measures:
        if "views" in measure.params:
            run.notes.append(
                f"{measure.name} was replaced by {limits.LINEAR}: it aligns and scores all pairs, and {len(sequences)}"
                f" sequences are more than {limits.QUADRATIC}"
            )
            measure = get(limits.LINEAR)
        if all(measure.name != other.name for other in chosen):
            chosen.append(measure)
    return chosen


def _compare(
    sequences: SequenceSet, measures: Sequence[Measure], n_clusters: int | None, run: Run
) -> tuple[list[View], Numbers | None]:
    """A view for each measure. The first one's matrix decides how many clusters there are, unless somebody said."""
    views: list[View] = []
    numbers: Numbers | None = None
    count = n_clusters
    for measure in _affordable(measures, sequences, run):
        if views and measure.needs in ("loglik", "bank") and len(sequences) > limits.QUADRATIC:
            run.notes.append(
                f"{measure.name} was skipped: it scores every sequence under the model of every other, and"
                f" {len(sequences)} sequences are more than {limits.QUADRATIC}"
            )
            continue
        if measure.needs_n_clusters and count is None:
            raise ParameterError(f"measure {measure.name!r} needs the number of clusters; give it")
        view = view_of(measure, sequences, count, run)
        if not views:
            count, numbers = choose_number(n_clusters, view.distance, view.width, run)
        view.labels = cut(view.distance, count or 1, view.width, run.seed)
        views.append(view)
    return views, numbers
