"""Dissimilarities in one call: within a set of sequences, or between two."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..core.arrays import FloatArray
from ..core.errors import ParameterError
from ..core.inputs import Collection, Columns, as_collection
from ..core.jobs import as_threads
from ..core.random_state import RandomState, check_seed
from ..core.seeds import derive_seed
from ..core.sequences import Layout, SequenceSet
from ..core.settings import SYNONYMS
from ..core.tokens import TokenSet
from ..features.frames import without_glitches
from .cross import cross
from .custom import Function, as_measure
from .fitting import compute_with_findings, fit, split_params
from .registry import MEASURE, Measure, base_name

if TYPE_CHECKING:
    from ..models.hmm import HMMBank


def as_compared(measure: Measure, sequences: SequenceSet) -> SequenceSet:
    """Return sequences as a measure uses them: without glitches, except for plain properties.

    Glitches are beyond the limits that a set has where an analysis has scaled it; sets without limits are left as they are.
    """
    return sequences if base_name(measure.name) == "properties" else without_glitches(sequences)


def compute(
    name: str | Measure | Function,
    sequences: Collection | TokenSet,
    others: Collection | None = None,
    n_clusters: int | None = None,
    random_state: RandomState = 0,
    model: str | None = None,
    layout: Layout | None = None,
    n_jobs: int | None = None,
    symbols: Hashable | None = None,
    **params: Any,
) -> FloatArray:
    """Return dissimilarities between sequences under a registered measure; required models are fitted first.

    Parameters
    ----------
    name : str, Measure or callable
        One of :func:`kinseq.measures.names`, or a function of two ``(T, d)`` arrays that says how far they are apart.
    sequences : SequenceSet, TokenSet, list, ndarray or pandas.DataFrame
        At least one, in any form that :func:`kinseq.core.inputs.as_collection` takes. Nothing is scaled, unlike by
        :func:`kinseq.cluster` and :class:`kinseq.SequenceClustering`, whose default are z-scores over the whole set. The
        `sequences` of a result are in its scale, and glitches in them are bridged as they were there.
    others : SequenceSet, list, ndarray or pandas.DataFrame, optional
        Sequences that those are compared with, instead of with each other. What depends on the whole set, such as a
        common model, is fitted to these; the answer for one of `sequences` does not depend on the rest of them. The unit is that
        of the matrix of `others` by themselves; fusions serve up to 300 of them, and refuse more.
    n_clusters : int, optional
        Number of clusters looked for; some measures need it.
    random_state : int, RandomState, Generator or None
        Root seed. All measures that need the same kind of model see the same models under one seed.
    model : str, optional
        Kind of model that is fitted, one of :func:`kinseq.models.kinds.names`; ``"hmm"`` where the measure can use it.
    layout : {"channels_last", "channels_first"}, optional
        Whether arrays are (time, channels) or (channels, time).
    n_jobs : int or None
        Number of jobs that run at a time; None is 1, -1 all processors. No number depends on it.
    symbols : hashable, optional
        Of sequences of symbols, the column of a table that holds them, or how text is cut: ``"characters"`` or ``"words"``.
    **params
        The measure's own parameters, and those of the kind of model, for ``"hmm"``: ``n_states``, ``preset``,
        ``covariance``, ``n_init``, ``max_iter``, ``tol``, ``floor``, ``pool``.

    Returns
    -------
    ndarray, shape (N, N) or (N, M), float64
        Finite; within one set symmetric with a zero diagonal, else rows are `sequences` and columns `others`.

    Raises
    ------
    ParameterError
        If the measure, the kind of model or a parameter is unknown (the message lists the valid names) or out of range,
        or if a measure whose entries depend on the whole set has no answer for two sets.
    DataError
        If the sequences are not usable, or those of two sets have different numbers of features.

    Examples
    --------
    >>> from kinseq import measures
    >>> distance = measures.compute("kl_ll", sequences, random_state=0, n_states=3)  # doctest: +SKIP
    >>> new = measures.compute("kl_ll", new_sequences, sequences, n_states=3)  # doctest: +SKIP
    """
    seed, threads = check_seed(random_state), as_threads(n_jobs)
    measure = as_measure(name)
    if isinstance(sequences, TokenSet):
        if others is not None:
            raise ParameterError(
                f"measure {measure.name!r}: items in sentences are compared within one set; leave others out"
            )
        return compute_with_findings(measure, sequences, n_clusters, seed, model, n_jobs, **params)[0]
    columns = Columns(symbols=symbols)
    items = as_collection(sequences, layout, measure.ordered, columns)[0]
    if others is None:
        return compute_with_findings(measure, as_compared(measure, items), n_clusters, seed, model, n_jobs, **params)[0]
    own, of_models = split_params(measure, params, model)
    old, new = as_collection(others, layout, measure.ordered, columns)[0], items
    if old.limits is not None and new.n_features == old.n_features:
        new = replace(new, limits=old.limits)
    old, new = as_compared(measure, old), as_compared(measure, new)

    def models_of(items: SequenceSet) -> HMMBank | None:
        return fit(measure, items, n_clusters, seed, model, threads, **{param: params[param] for param in of_models})

    return cross(
        measure,
        old,
        new,
        models_of(old),
        models_of,
        n_clusters=n_clusters,
        seed=derive_seed(seed, "measure"),
        threads=threads,
        one_unit=True,
        **{param: params[param] for param in own},
    )


def dissimilarity(
    X: Collection | TokenSet,
    Y: Collection | None = None,
    measure: str | Measure | Function = MEASURE,
    *,
    random_state: RandomState = 0,
    n_jobs: int | None = None,
    **params: Any,
) -> FloatArray:
    """Return dissimilarities within a set of sequences, or between two, in the order of ``pairwise_distances``.

    The same as :func:`kinseq.measures.compute`.

    Parameters
    ----------
    X : SequenceSet, TokenSet, list, dict, ndarray or table
        At least one sequence, in the numbers that are compared: nothing is scaled, unlike by :func:`kinseq.cluster` and
        :class:`kinseq.SequenceClustering`, whose default are z-scores over the whole set (``scale="none"`` there is the same).
        The `sequences` of a result are in its scale, and glitches in them are bridged as they were there: under
        ``measure=result.measure`` they give its matrix.
    Y : the same, optional
        What they are compared with, instead of with each other.
    measure : str, Measure or callable
        One of :func:`kinseq.measures.names`, or a function of two ``(T, d)`` arrays that says how far they are apart.
    random_state, n_jobs
        As for :func:`kinseq.measures.compute`.
    **params
        Parameters of the measure and of its models, and `n_clusters`, `model`, `layout` and `symbols` of
        :func:`kinseq.measures.compute`.

    Returns
    -------
    ndarray, shape (N, N) or (N, M), float64
        Finite; within one set symmetric with a zero diagonal, else rows are those of X.

    Raises
    ------
    ParameterError, DataError
        As :func:`kinseq.measures.compute`.

    Examples
    --------
    >>> import kinseq
    >>> kinseq.dissimilarity([[0.0, 1.0, 2.0], [0.0, 2.0], [5.0, 5.0]], measure="dtw").shape
    (3, 3)
    """
    if isinstance(Y, str):
        raise ParameterError(f"Y is {Y!r}, but has to be other sequences; name a measure by measure={Y!r}")
    for name in params:
        if name == "params":
            raise ParameterError(
                "params is no parameter of a measure; give each parameter by its own name, as window=0.1"
            )
        if SYNONYMS.get(name) in ("measure", "random_state", "n_jobs"):
            raise ParameterError(f"unknown setting {name!r}; here it is called {SYNONYMS[name]!r}")
    return compute(measure, X, Y, random_state=random_state, n_jobs=n_jobs, **params)
