"""The analysis from data to result."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from inspect import signature
from typing import TYPE_CHECKING, Any, Literal, Unpack

import numpy as np

from ..analysis import limits
from ..analysis.log import as_notes
from ..analysis.options import (
    AUTO,
    OPTIONS,
    STRETCH,
    Options,
    Range,
    as_number,
    in_words,
    is_coarse,
    require_reached,
    usual_measure,
)
from ..analysis.partition import choose_rule
from ..analysis.pipeline import by_leaves, compare, decided_by_matrix, to_input_order
from ..analysis.preparation import Data, Transform, as_symbolic, kind_of, labelled, load, needs_all, opened, prepare
from ..analysis.views import View, is_logarithmic, nonnegative, option_names, uses_states
from ..clustering.registry import get as get_clusterer
from ..clustering.registry import segmenters
from ..core.arrays import as_count, as_flag, require_no_dissimilarities
from ..core.errors import DataError, ParameterError, unknown_name
from ..core.inputs import AS_SERIES, as_held
from ..core.jobs import as_threads
from ..core.random_state import RandomState, check_seed
from ..core.settings import described, differs, unknown_option
from ..core.store import PathLike
from ..core.symbol_inputs import holds_text
from ..core.wording import count, option_name
from ..measures.custom import PRECOMPUTED, Function, as_measure, precomputed_matrix
from ..measures.fitting import accepts, model_kind
from ..measures.registry import Measure
from ..readers.folder import Processing, is_read
from ..readers.reading import OPTIONS as OF_READING
from ..readers.reading import USUAL, Reading, ReadingOptions, reading_of
from .results import Clustering, clustering_of, extended

if TYPE_CHECKING:
    import pandas

    from ..analysis.options import Length, Scale, Width

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
    length: Length = Options.length,
    model: str | None = Options.model,
    n_states: int | None = Options.n_states,
    max_clusters: int = Options.max_clusters,
    max_frames: int | None = Options.max_frames,
    n_resamples: int = Options.n_resamples,
    sample: int | Literal["auto"] | None = Options.sample,
    params: Mapping[str, Any] | None = None,
    n_jobs: int | None = None,
    name: str | None = None,
    progress: bool = False,
    reading: Reading | Mapping[str, Any] | None = None,
    **options: Unpack[ReadingOptions],
) -> Clustering:
    """Cluster sequences; everything that is not given is chosen by documented rules.

    Parameters
    ----------
    X : path-like, SequenceSet, list, ndarray or pandas.DataFrame
        A folder or file as :func:`kinseq.read` reads it, or what that returned; or what
        :func:`kinseq.core.inputs.as_collection` takes: ``(T, d)`` arrays or series in a list, or in a dict by their ids; an array
        of shape ``(N, T, d)``, perhaps padded with NaN; or a long table of pandas, polars or pyarrow. With
        ``measure="precomputed"`` a symmetric matrix of dissimilarities, shape ``(N, N)``.
    n_clusters : int, (int, int) or str, optional
        Number of clusters; or the lowest and the highest of a range that it is chosen from, as ``(3, 6)`` or ``"3-6"``, at
        least 2 and at most the number of sequences. Without it, groups are divided further by the same rules, each in a scale
        of its own, and the clusters are the leaves of this tree (:attr:`~kinseq.api.results.Clustering.tree`); ``"coarse"``
        stops at its first division. A division has groups that are clear in one view or in one plain
        property; or else as many as are clearer than in sequences without groups, or 1 where none are
        (:mod:`kinseq.analysis.rules`). Under measures with models, functions and given matrices that show no groups clearly,
        the number with the largest silhouette corrected for chance
        (``kinseq.metrics.internal.compare_numbers``).
    measure : str, callable, or sequence of these
        Measures by name, in a list or separated by commas; ``"precomputed"``; or a function of two ``(T, d)`` arrays that
        returns how far they are apart. The partition is that of the first, the others are compared with it. ``"auto"`` is
        ``"elastic"``, or ``"balanced"`` where the number of clusters is given and its groups show more
        (:mod:`kinseq.analysis.families`); of symbols ``"symbolic"``, of recordings with ``features="words"`` ``"pooled_dtw"``.
        The result says which as ``measure``.
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
    progress : bool
        Report long stages, with an estimate of the rest, to standard error.
    reading : Reading or mapping, optional
        How data are read: the options below in one object.
    {reading}

    Returns
    -------
    Clustering or SampledClustering
        With ``distance``, ``labels``, ``report(path)``, ``plot()`` and ``predict(new sequences)``, and the
        rest of :class:`~kinseq.api.results.Clustering` (``degree``, ``explain()``, ``to_frame()`` ...). Of many sequences
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
    # List every option by name, as in the signature.
    given = {name: value for name, value in locals().items() if name in OPTIONS}
    how = _reading(reading, options, measure, given)
    return run(X, n_clusters, measure, random_state, given, params, how, name=name, n_jobs=n_jobs, progress=progress)


def run(
    data: Any,
    n_clusters: Any,
    measure: Any,
    random_state: Any,
    values: Mapping[str, Any],
    params: Any,
    reading: Reading,
    *,
    n_jobs: int | None = None,
    cache: PathLike | None = None,
    **how: Any,
) -> Clustering:
    """Return the result of :func:`cluster` from mappings of options; `how` are further options of the analysis."""
    data = as_held(data)
    if isinstance(measure, str) and measure == AUTO:
        as_number(n_clusters)  # Check the number before reading files.
        symbolic = as_symbolic(data, reading)
        if symbolic is not None:
            data, reading = symbolic, USUAL if is_read(symbolic) else reading
        measure = usual_measure((data.reading if is_read(data) else reading).features, kind_of(symbolic))
        how["chooses"] = leaves_open(n_clusters, values, params)
    if reading.symbols is None:
        _require_unambiguous(data, measure)
    options = options_of(
        n_clusters, measure, random_state, values, params, words=WORDS, threads=as_threads(n_jobs), **how
    )
    return analyse(data, options, reading, cache)


_OF_ONE_MEASURE = ("model", "clusterer", "width")


def leaves_open(n_clusters: Any, values: Mapping[str, Any], params: Any) -> bool:
    """Return whether another measure may replace the default one.

    It may where the number of clusters is given, and nothing that is for one measure.
    """
    exact, _ = as_number(n_clusters)
    settled = any(name in values and differs(values[name], OPTIONS[name].default) for name in _OF_ONE_MEASURE)
    return exact is not None and not params and not settled


_OF_ANALYSIS = [OPTIONS[name] for name in signature(cluster).parameters if name in OPTIONS]
cluster.__doc__ = (
    (cluster.__doc__ or "")
    .replace("{options}", described(_OF_ANALYSIS, " " * 4))
    .replace("{reading}", described(OF_READING.values(), " " * 4))
)
WORDS = (*(name for name in signature(cluster).parameters if name != "options"), *OF_READING)
"""All parameters of :func:`cluster`."""


def _reading(
    reading: Reading | Mapping[str, Any] | None, options: Mapping[str, Any], measure: Any, given: Mapping[str, Any]
) -> Reading:
    """Return how to read the data; say where a parameter of a measure belongs."""
    named = usual_measure(None) if isinstance(measure, str) and measure == AUTO else measure
    for name in options:
        if name not in OF_READING and any(
            name in names for names in _parameters(as_measures(named), given.get("model"), given["clusterer"]).values()
        ):
            raise ParameterError(
                f"{name} is a parameter of the measure, its models or the clusterer; give it as params={{{name!r}: ...}}"
            )
    return reading_of(reading, options, WORDS)


def _require_unambiguous(data: Any, measure: Any) -> None:
    """Refuse one two-dimensional array, which may be one sequence or many series."""
    if (
        isinstance(data, np.ndarray)
        and data.ndim == 2
        and not holds_text(data)
        and measure not in (PRECOMPUTED, PRECOMPUTED.name)
    ):
        n, m = data.shape
        if data.dtype.kind in "iuf":
            require_no_dissimilarities(data.astype(np.float64), "the data", AS_SERIES)
        raise DataError(
            f"the data are one array of shape {data.shape}, which may mean two things: {n} series of {m} values each, then give"
            f" array[:, :, None]; or one sequence of {count(n, 'frame')}, then put all sequences into a list"
        )


def analyse(data: Any, options: Options, reading: Reading = USUAL, cache: PathLike | None = None) -> Clustering:
    """Common part of :func:`cluster` and the estimator, with the options of :func:`options_of`."""
    on_disk = isinstance(data, (str, os.PathLike))
    if options.measures == (PRECOMPUTED,):
        if on_disk:
            raise ParameterError(
                "measure 'precomputed' takes a matrix of dissimilarities, but the data are a path; read it first"
            )
        return _of_matrix(options, reading, data)
    if is_read(data):
        for name in reading.changed():
            if name not in ("labels", "rate"):
                raise ParameterError(
                    f"{name} says how data are read, but they were read before; give it to kinseq.read"
                )
    elif not on_disk:
        reading.require_arrays()
    work = Processing(options.threads, options.progress, cache)
    ordered = any(entry.ordered for entry in options.measures)
    large = None if needs_all(options) else opened(data, reading, work)
    # With few long sequences, almost all pairs are compared.
    if large is not None and len(large) > limits.MAX_ALL_PAIRS:
        prepared = prepare(options, large, as_notes(*large.notes))
    else:
        prepared = prepare(options, *load(data, reading, work, ordered=ordered))
    analysis = clustering_of(by_leaves(compare(options, prepared)))
    return analysis if prepared.population is None else extended(analysis, prepared.population, options)


def options_of(
    n_clusters: Any,
    measure: Any,
    random_state: Any,
    values: Mapping[str, Any],
    params: Any,
    *,
    words: Sequence[str],
    kind: str = "setting",
    name: str | None = None,
    threads: int = 1,
    progress: bool = False,
    **how: Any,
) -> Options:
    """Return the options of an analysis, checked before data are read.

    Parameters
    ----------
    n_clusters, measure, random_state
        As of :func:`cluster`.
    values : mapping
        Options of :class:`~kinseq.analysis.options.Options` by name.
    params : mapping or None
        Parameters of measures, models and the clusterer.
    words : sequence of str
        Other names that a misspelt one might stand for.
    kind : str
        The word for an option, in messages.
    name, threads, progress
        As of :class:`~kinseq.analysis.options.Options`.
    **how
        Other fields of it.

    Raises
    ------
    ParameterError
        If a name is unknown, a value out of range, or an option says nothing to any of the measures.
    """
    measures, model = as_measures(measure), values.get("model")
    clusterer = get_clusterer(values.get("clusterer", Options.clusterer))
    if clusterer.takes != "matrix" or clusterer.name in segmenters():
        raise ParameterError(
            f"clusterer {clusterer.name!r} does not cut a matrix of dissimilarities, which this function shows; use "
            "kinseq.SequenceClustering, or another clusterer"
        )
    known = _parameters(measures, model, clusterer.name)
    params = checked_params(params, known, words, kind)
    one, several = as_number(n_clusters)
    clusterer.require_no_number(one if several is None else in_words(several))
    options = Options(
        **values,
        params=params,
        measures=tuple(measures),
        n_clusters=one,
        n_range=several,
        coarse=is_coarse(n_clusters),
        seed=check_seed(random_state),
        name=name,
        threads=as_count(threads, "threads"),
        progress=as_flag(progress, "progress"),
        **how,
    )
    if options.n_states is not None or model is not None:
        require_models(measures, options.n_states, model)
    if options.length == STRETCH:
        require_ordered(measures)
    if options.width != "auto" and not any("width" in names for names in known.values()):
        raise ParameterError(f"width is for spectral clustering, but the clusterer is {clusterer.name!r}; leave it out")
    if one is None and measures[0].requires_n_clusters:
        how_to = "give it" if several is None else "give one number in place of a range"
        raise ParameterError(f"measure {measures[0].name!r} needs the number of clusters; {how_to}")
    if name is not None and not isinstance(name, str):
        raise ParameterError(f"name is {name!r}, expected text")
    return options


def _parameters(measures: Sequence[Measure], model: Any, clusterer: str) -> dict[str, Collection[str]]:
    """Return parameter names of each measure, with its model, and of the clusterer, for error messages."""
    of_measures = {f"measure {entry.name!r}": option_names(entry, model) for entry in measures}
    return {**of_measures, f"clusterer {clusterer!r}": get_clusterer(clusterer).params}


def _of_matrix(options: Options, reading: Reading, data: Any) -> Clustering:
    """Analysis of a given matrix, its only view, in the order of its rows' contents."""
    for word in (*reading.changed(), *options.changed()):
        if word in ("scale", "length", "max_frames", "sample") or (
            word in OF_READING and word not in ("labels", "missing")
        ):
            raise ParameterError(f"{word} is for sequences, but the data are dissimilarities; leave it out")
    distance, items, ordering = precomputed_matrix(data, signed=is_logarithmic(PRECOMPUTED, options))
    distance, findings, of_sign = nonnegative(PRECOMPUTED, distance, {}, options)
    items = replace(labelled(replace(items, name=options.name or "items"), reading), reading=reading)
    require_reached(options.n_clusters, options.n_range, len(items), items.name)
    width, of_width = choose_rule(PRECOMPUTED, options)
    none = np.zeros(len(items), dtype=np.int64)
    # Equal rows are not copies: two groups may be separated perfectly.
    view = View(PRECOMPUTED, ordering.sort_matrix(distance), none, findings, "given", {}, width)
    decision, of_number = decided_by_matrix(options, view, ordering)
    remarks = of_sign + of_width + of_number
    return Clustering(
        options=options,
        notes=list(remarks.notes),
        choices=list(remarks.choices),
        sequences=items,
        original=items,
        views=[to_input_order(view, ordering)],
        decision=decision.in_order(ordering.ranks),
        scaling=Transform(),
        ordering=ordering,
    )


def checked_params(
    params: Any, known: Mapping[str, Collection[str]], words: Sequence[str], kind: str
) -> dict[str, Any]:
    """Return parameters of measures, models and the clusterer.

    ParameterError if they are no mapping, hold an option, or none of the `known` names, by what they are of.
    """
    if params is None:
        return {}
    if not isinstance(params, Mapping):
        raise ParameterError(f"params is {params!r}, expected a dictionary of parameters by their names")
    for name in params:
        if name in OPTIONS or name in OF_READING:
            raise ParameterError(
                f"params holds {name!r}, which is no parameter of a measure; give it outside params, once"
            )
        if not any(name in names for names in known.values()):
            found, words_for, _ = unknown_name("parameter", name, set().union(*known.values())).partition(
                "valid names: "
            )
            listing = [f"{', '.join(sorted(names)) or 'none'} of {owner}" for owner, names in known.items()]
            own = f"params: {found}{words_for}{'; '.join(listing)}"
            # An option with another name here is not a parameter either.
            other = unknown_option(kind, name, {*OPTIONS, *OF_READING, *words})
            raise ParameterError(own if "valid names" in other else other)
    return dict(params)


def require_models(measures: Sequence[Measure], n_states: Any, model: str | None) -> None:
    """Refuse a number of states or a kind of model that no measure uses."""
    if n_states is not None and not any(uses_states(entry, model) for entry in measures):
        named = ", ".join(entry.name for entry in measures)
        raise ParameterError(
            f"{option_name('n_states')} is {n_states}, but there are no states in {named}; leave it out, or name a"
            " measure of models"
        )
    if model is not None and not any(accepts(entry, model) for entry in measures):
        model_kind(measures[0], model)


def require_ordered(measures: Sequence[Measure]) -> None:
    """Refuse to stretch sequences for measures that ignore the order of frames."""
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
        raise ParameterError("measure 'precomputed' means that the data are a matrix; give no other measure")
    return measures
