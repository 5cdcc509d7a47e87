"""The analysis from beginning to end."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from inspect import signature
from typing import Any

from ..arrays import as_count, as_flag, as_seed, require_clusters
from ..errors import ParameterError
from ..evaluation.unlabelled import Numbers
from ..measures.registry import Measure, get
from ..ordering import Ordering, by_content
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
        :func:`~kinseq.data.readers.read_folder`; for arrays only ``labels``, a list with one label a sequence (None
        drops those of a SequenceSet). ``layout``: ``"channels_last"`` or ``"channels_first"`` says how arrays are laid
        out, see :meth:`~kinseq.SequenceSet.from_arrays`. ``scale``: ``"zscore"`` scales every column by its mean and deviation
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
    measures, run = _asked(n_clusters, measure, seed, name, threads, progress, settings)
    run.settings.require_for(data)
    sequences = load(data, run, cache)
    sequences = leave_out_short(replace(sequences, name=name or sequences.name), measures, run)
    clusters = None if n_clusters is None else require_clusters(len(sequences), n_clusters, sequences.name)
    sequences = cut_long(sequences, run)
    # No number depends on the order of files: everything is computed in an order of content, and put back at the end.
    ordering = by_content(sequences)
    ordered, scaling = scale(sequences.subset(ordering.positions), run)
    views, numbers = _compare(ordered, ordering, measures, clusters, run)
    return Analysis(
        sequences=ordered.subset(ordering.ranks),
        views=[_restored(view, ordering) for view in views],
        numbers=numbers,
        settings=run.settings,
        scaling=scaling,
        ordering=ordering,
        seed=run.seed,
        asked=clusters,
        source=str(data) if isinstance(data, (str, os.PathLike)) else None,
        notes=run.notes,
        choices=run.choices,
        threads=run.threads,
        progress=run.progress,
        command=command,
    )


def _asked(
    n_clusters: Any,
    measure: str | Sequence[str],
    seed: Any,
    name: str | None,
    threads: Any,
    progress: Any,
    settings: Mapping[str, Any],
) -> tuple[list[Measure], Run]:
    """Measures and settings, everything checked that can be before data are read."""
    others = [word for word, entry in signature(cluster).parameters.items() if entry.kind is not entry.VAR_KEYWORD]
    chosen = Settings.of(settings, others)
    measures = _measures(measure)
    if n_clusters is not None:
        as_count(n_clusters, "n_clusters")
    elif measures[0].needs_n_clusters:
        raise ParameterError(f"measure {measures[0].name!r} needs the number of clusters; give it")
    if name is not None and not isinstance(name, str):
        raise ParameterError(f"name is {name!r}, expected text")
    return measures, Run(chosen, as_seed(seed), as_count(threads, "threads"), as_flag(progress, "progress"))


def _restored(view: View, ordering: Ordering) -> View:
    """A view in the order that the sequences were given in."""
    distance, labels = ordering.restore_matrix(view.distance), view.labels[ordering.ranks]
    return replace(view, distance=distance, labels=labels)


def _measures(measure: str | Sequence[str]) -> list[Measure]:
    if not isinstance(measure, (str, list, tuple)):
        raise ParameterError(f"measure is {measure!r}, expected names in a list or separated by commas")
    names = [word.strip() for word in measure.split(",")] if isinstance(measure, str) else list(measure)
    if not names or names == [""] or len({str(name) for name in names}) < len(names):
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
    sequences: SequenceSet, ordering: Ordering, measures: Sequence[Measure], n_clusters: int | None, run: Run
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
        view = view_of(measure, sequences, count, run)
        view.distance = ordering.equal_alike(view.distance)
        if not views:
            count, numbers = choose_number(n_clusters, view.distance, view.width, run)
        view.labels = cut(view.distance, count or 1, view.width, run.seed, ordering.first)
        views.append(view)
    return views, numbers
