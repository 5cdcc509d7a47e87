"""The analysis from beginning to end."""

from __future__ import annotations

import os
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from inspect import signature
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ..analysis.comparison import View, is_logarithmic, nonnegative, option_names, uses_states
from ..analysis.in_parts import in_parts, prepare_in_parts
from ..analysis.options import (
    AUTO,
    FOR_ARRAYS,
    SETTINGS,
    STRETCH,
    Options,
    Range,
    as_number,
    described,
    require_reached,
    usual_measure,
)
from ..analysis.partition import choose_rule
from ..analysis.preparation import Data, Scaling, labelled, prepare
from ..analysis.steps import compare, decided_by_matrix, restored
from ..clustering.registry import get as get_clusterer
from ..clustering.registry import segmenters
from ..core.arrays import as_count, as_flag, require_no_dissimilarities
from ..core.errors import DataError, ParameterError
from ..core.inputs import AS_SERIES
from ..core.jobs import as_threads
from ..core.roots import RandomState, check_seed
from ..core.store import PathLike
from ..measures.custom import PRECOMPUTED, Function, as_measure, precomputed_matrix
from ..measures.evidence import accepts, model_kind
from ..measures.registry import Measure
from .results import Analysis, SampledAnalysis, extended, extended_in_parts

if TYPE_CHECKING:
    import pandas

    from ..analysis.options import Length, Scale, Width
    from ..core.folders import Animals, Annotations, Band, DateOrder, Kind, Missing, Rows
    from ..core.sequences import Layout
    from ..features.extraction import OnBadFile

OneMeasure = str | Measure | Function


def cluster(
    X: Data | pandas.DataFrame,
    n_clusters: int | Range | str | None = None,
    measure: OneMeasure | Sequence[OneMeasure] = AUTO,
    *,
    random_state: RandomState = 0,
    clusterer: str = Options.clusterer,
    scale: Scale = Options.scale,
    width: Width | float = Options.width,
    layout: Layout | None = Options.layout,
    length: Length = Options.length,
    missing: Missing = Options.missing,
    model: str | None = Options.model,
    n_states: int | None = Options.n_states,
    max_clusters: int = Options.max_clusters,
    max_frames: int | None = Options.max_frames,
    n_resamples: int = Options.n_resamples,
    sample: int | Literal["auto"] | None = Options.sample,
    id_column: Hashable | None = Options.id_column,
    time_column: Hashable | None = Options.time_column,
    value_columns: Sequence[Hashable] | None = Options.value_columns,
    drop_columns: Sequence[str] | None = Options.drop_columns,
    missing_codes: Sequence[str | float] | None = Options.missing_codes,
    value_name: str | None = Options.value_name,
    variable_name: str | None = Options.variable_name,
    skip_rows: int | None = Options.skip_rows,
    date_order: DateOrder | None = Options.date_order,
    rows: Rows | None = Options.rows,
    likelihood: float | None = Options.likelihood,
    relative_to: str | None = Options.relative_to,
    heading: str | None = Options.heading,
    animals: Animals | None = Options.animals,
    annotations: Annotations | None = Options.annotations,
    circular: Mapping[str, float | None] | Sequence[str] | str | None = Options.circular,
    trim_padding: bool = Options.trim_padding,
    rate: float | None = Options.rate,
    labels: PathLike | Sequence[Hashable] | None = Options.labels,
    kind: Kind | None = Options.kind,
    on_bad_file: OnBadFile = Options.on_bad_file,
    features: str | Mapping[str, Any] = Options.features,
    sample_rate: float | None = Options.sample_rate,
    window_seconds: float | None = Options.window_seconds,
    hop_seconds: float | None = Options.hop_seconds,
    trim: float | None = Options.trim,
    segments: PathLike | None = Options.segments,
    tier: str | None = Options.tier,
    band: Band = Options.band,
    params: Mapping[str, Any] | None = None,
    n_jobs: int | None = None,
    name: str | None = None,
    cache: PathLike | None = None,
    progress: bool = False,
    command: str | None = None,
    **parameters: Any,
) -> Analysis | SampledAnalysis:
    """Cluster sequences, with everything that is not given chosen by stated rules.

    Parameters
    ----------
    X : path-like, SequenceSet, list, ndarray or pandas.DataFrame
        A folder or file as :func:`kinseq.readers.read_folder` reads it, or what :func:`kinseq.core.inputs.as_collection`
        takes: ``(T, d)`` arrays or series in a list, or in a dict by their ids; an array of shape ``(N, T, d)``, perhaps padded
        with NaN; or a long table of pandas, polars or pyarrow. With ``measure="precomputed"`` a symmetric matrix of
        dissimilarities, shape ``(N, N)``.
    n_clusters : int, (int, int) or str, optional
        Number of clusters; or the lowest and the highest of a range that it is chosen from, as ``(3, 6)`` or ``"3-6"``, at
        least 2 and at most the number of sequences. Without it, groups that are clear in one view or in one plain
        property; or else as many as stand out from sequences of one process, or 1 where nothing does
        (:mod:`kinseq.analysis.rules`). Under measures with models, functions and given matrices that show no groups beyond
        doubt, the number with the largest silhouette corrected for chance
        (``kinseq.metrics.unlabelled.compare_numbers``).
    measure : str, callable, or sequence of these
        Measures by name, in a list or separated by commas; ``"precomputed"``; or a function of two ``(T, d)`` arrays that
        returns how far they are apart. The partition is that of the first, the others are compared with it. ``"auto"`` is
        ``"elastic"``, and of recordings with ``features="words"`` ``"pooled_dtw"``
        (:func:`~kinseq.analysis.options.usual_measure`).
    random_state : int, RandomState, Generator or None
        Root of every random stream. None draws one from NumPy's global state.
    {options}
    params : mapping, optional
        Parameters of the measures, of their models and of the clusterer, as for :func:`kinseq.measures.compute`; each goes to
        those that know it.
    n_jobs : int or None
        Number of threads; None is 1, -1 all processors. No number depends on it.
    name : str, optional
        Title of the page; that of the folder if not given.
    cache : path-like, optional
        Folder in which features of audio files are remembered.
    progress : bool
        Report long stages, with an estimate of the rest, to standard error.
    command : str, optional
        What the page names as the command that repeats it; a call of this function if not given.
    **parameters
        The same as in `params`, by their names.

    Returns
    -------
    Analysis or SampledAnalysis
        With ``distance``, ``labels``, ``report(path)``, ``plot()`` and ``predict(new sequences)``, and the
        attributes of :class:`kinseq.SequenceClustering` (``labels_``, ``medoids_``, ``embedding_`` ...). Of many sequences
        there is no ``distance``, but ``sample``, the analysis of those at ``sample_positions``.

    Raises
    ------
    DataError
        If nothing can be read, fewer than two sequences are left, or numbers are missing; or if arrays or a table hold a
        sequence of a single frame that a measure cannot use (one that is read from a folder or file is left out, and named).
    ParameterError
        If an argument is unknown or out of range, for example more clusters than sequences.

    Examples
    --------
    >>> import kinseq
    >>> found = kinseq.cluster("my/recordings", n_clusters=5)  # doctest: +SKIP
    >>> found.report("my/page")  # doctest: +SKIP
    """
    # Every option by its name, as in the signature.
    given = {name: value for name, value in locals().items() if name in SETTINGS}
    if isinstance(measure, str) and measure == AUTO:
        measure = usual_measure(features)
    _require_unambiguous(X, measure)
    options = options_of(
        X,
        n_clusters,
        measure,
        random_state,
        given | with_params(parameters, params),
        name=name,
        threads=as_threads(n_jobs),
        progress=progress,
        command=command,
    )
    return analyse(X, options, cache)


cluster.__doc__ = (cluster.__doc__ or "").replace("{options}", described(signature(cluster).parameters, " " * 4))


def _require_unambiguous(data: Any, measure: Any) -> None:
    """Refuse one array of two axes, which may be one sequence as well as many series."""
    if isinstance(data, np.ndarray) and data.ndim == 2 and measure not in (PRECOMPUTED, PRECOMPUTED.name):
        n, m = data.shape
        if data.dtype.kind in "iuf":
            require_no_dissimilarities(data.astype(np.float64), "the data", AS_SERIES)
        raise DataError(
            f"the data are one array of shape {data.shape}, which may mean two things: {n} series of {m} values each, then give"
            f" array[:, :, None]; or one sequence of {n} frames, then put all sequences into a list"
        )


def analyse(data: Any, options: Options, cache: PathLike | None = None) -> Analysis | SampledAnalysis:
    """Return what :func:`cluster` and the estimator have in common, by the options of :func:`options_of`."""
    if options.measures == (PRECOMPUTED,):
        return _of_matrix(options, data)
    large = in_parts(options, data)
    if large is not None:
        parts = prepare_in_parts(options, *large)
        return extended_in_parts(compare(Analysis, options, parts.sample), parts, options)
    prepared = prepare(options, data, cache)
    analysis = compare(Analysis, options, prepared.compared())
    return analysis if prepared.sampled is None else extended(analysis, prepared, options)


def options_of(
    data: Any,
    n_clusters: Any,
    measure: Any,
    random_state: Any,
    values: Mapping[str, Any],
    *,
    words: Sequence[str] = (),
    kind: str = "setting",
    name: str | None = None,
    threads: int = 1,
    progress: bool = False,
    strict: bool = False,
    **how: Any,
) -> Options:
    """Return the options of an analysis, checked before data are read.

    `values` are options and parameters by their names. `words` are what else might have been meant by a name that is misspelt,
    those of :func:`cluster` if empty; `kind` is what a name stands for, in messages. With `strict`, sequences of a folder or file
    that a measure cannot use are refused, instead of left out; of sequences that are given themselves none is left out, as labels
    are taken by their place. `how` are other fields of :class:`~kinseq.analysis.options.Options`.
    """
    measures = as_measures(measure)
    others = words or [n for n, entry in signature(cluster).parameters.items() if entry.kind is not entry.VAR_KEYWORD]
    options = as_options(values, measures, others, kind)
    one, several = as_number(n_clusters)
    if one is None and measures[0].requires_n_clusters:
        how_to = "give it" if several is None else "give one number in place of a range"
        raise ParameterError(f"measure {measures[0].name!r} needs the number of clusters; {how_to}")
    if name is not None and not isinstance(name, str):
        raise ParameterError(f"name is {name!r}, expected text")
    threads, progress, seed = as_count(threads, "threads"), as_flag(progress, "progress"), check_seed(random_state)
    options.require_for(data)
    source = str(data) if isinstance(data, (str, os.PathLike)) else None
    return replace(
        options,
        measures=tuple(measures),
        n_clusters=one,
        n_range=several,
        seed=seed,
        name=name,
        threads=threads,
        progress=progress,
        source=source,
        strict=strict or source is None,
        **how,
    )


def _of_matrix(options: Options, data: Any) -> Analysis:
    """Analysis of a given matrix, its only view, in the order of its rows' contents."""
    if options.source is not None:
        raise ParameterError(
            "measure 'precomputed' takes a matrix of dissimilarities, but the data are a path; read it first"
        )
    for word in (
        "layout",
        "scale",
        "length",
        "max_frames",
        "sample",
        "id_column",
        "time_column",
        "value_columns",
        "rate",
        *FOR_ARRAYS,
    ):
        if word in options.changed():
            raise ParameterError(f"{word} is for sequences, but the data are dissimilarities; leave it out")
    distance, items, ordering = precomputed_matrix(data, signed=is_logarithmic(PRECOMPUTED, options))
    distance, findings, of_sign = nonnegative(PRECOMPUTED, distance, {}, options)
    items = labelled(replace(items, name=options.name or "items"), options)
    require_reached(options.n_clusters, options.n_range, len(items), items.name)
    width, of_width = choose_rule(PRECOMPUTED, options)
    none = np.zeros(len(items), dtype=np.int64)
    # Equal rows are no copies: two groups may be perfect.
    view = View(PRECOMPUTED, ordering.sort_matrix(distance), none, findings, "given", {}, width)
    decision, of_number = decided_by_matrix(options, view, ordering)
    remarks = of_sign + of_width + of_number
    return Analysis(
        options=options,
        notes=list(remarks.notes),
        choices=list(remarks.choices),
        sequences=items,
        original=items,
        views=[restored(view, ordering)],
        decision=decision.in_order(ordering.ranks),
        scaling=Scaling(),
        ordering=ordering,
    )


def with_params(settings: Mapping[str, Any], params: Any) -> dict[str, Any]:
    """Return options with the parameters of measures, models and clusterer beside them, told apart later.

    ParameterError if `params` is no mapping, or holds an option or something that is given beside it.
    """
    if params is None:
        return dict(settings)
    if not isinstance(params, Mapping):
        raise ParameterError(f"params is {params!r}, expected a dictionary of parameters by their names")
    for name in params:
        if name in settings or name in SETTINGS:
            raise ParameterError(
                f"params holds {name!r}, which is no parameter of a measure; give it beside params, once"
            )
    return {**settings, **params}


def as_options(values: Mapping[str, Any], measures: Sequence[Measure], others: Sequence[str], kind: str) -> Options:
    """Return options by name; those that are parameters of a measure, its models or the clusterer are told apart.

    ParameterError if a name is unknown, a value out of range, or states or a kind of model are asked of measures
    without any.
    """
    model, clusterer = values.get("model"), get_clusterer(values.get("clusterer", Options.clusterer))
    if clusterer.takes != "matrix" or clusterer.name in segmenters():
        raise ParameterError(
            f"clusterer {clusterer.name!r} does not cut a matrix of dissimilarities, which is what is shown here; use"
            " kinseq.SequenceClustering, or another one"
        )
    parameters = set(clusterer.params).union(*(option_names(entry, model) for entry in measures))
    options = Options.of(values, others, parameters, kind)
    if options.n_states is not None or model is not None:
        require_models(measures, options.n_states, model)
    if options.length == STRETCH:
        require_ordered(measures)
    if options.width != "auto" and "width" not in parameters:
        raise ParameterError(f"width is for spectral clustering, but the clusterer is {clusterer.name!r}; leave it out")
    return options


def require_models(measures: Sequence[Measure], n_states: Any, model: str | None) -> None:
    """Refuse a number of states or a kind of model that no measure has a use for."""
    if n_states is not None and not any(uses_states(entry, model) for entry in measures):
        named = ", ".join(entry.name for entry in measures)
        raise ParameterError(
            f"n_states is {n_states}, but there are no states in {named}; leave it out, or name a measure of models"
        )
    if model is not None and not any(accepts(entry, model) for entry in measures):
        model_kind(measures[0], model)


def require_ordered(measures: Sequence[Measure]) -> None:
    """Refuse to stretch what only measures compare to which the order of frames means nothing."""
    if not any(entry.ordered for entry in measures):
        named = ", ".join(entry.name for entry in measures)
        raise ParameterError(
            f"length is {STRETCH!r}, but the order of frames means nothing to {named}; leave it out, or name another measure"
        )


def as_measures(measure: Any) -> list[Measure]:
    """Return measures that were named or given as functions."""
    if isinstance(measure, str):
        entries: list[Any] = [word.strip() for word in measure.split(",")]
    elif isinstance(measure, Measure) or callable(measure):
        entries = [measure]
    elif isinstance(measure, (list, tuple)):
        entries = list(measure)
    else:
        raise ParameterError(f"measure is {measure!r}, expected names in a list or separated by commas, or a function")
    if not entries or entries == [""]:
        raise ParameterError(f"measure is {measure!r}; name at least one, and none twice")
    measures = [PRECOMPUTED if entry == PRECOMPUTED.name else as_measure(entry) for entry in entries]
    if len({entry.name for entry in measures}) < len(measures):
        raise ParameterError(f"measure is {measure!r}; name at least one, and none twice")
    if PRECOMPUTED in measures and len(measures) > 1:
        raise ParameterError("measure 'precomputed' means that the data are a matrix; name no other beside it")
    return measures
