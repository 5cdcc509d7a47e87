"""Partitions without an analysis: by clusterers that take the sequences themselves, or a matrix in the order of the sequences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..analysis.options import AUTO, Options, as_number, in_words
from ..analysis.preparation import remarks_on_copies, scaled_in_order
from ..analysis.remarks import Remarks
from ..analysis.views import option_names
from ..clustering.registry import Clusterer, get, segmenters
from ..core.arrays import FloatArray, IntArray, require_clusters
from ..core.errors import ParameterError
from ..core.graphs.kmeans import relabel
from ..core.inputs import as_collection
from ..core.roots import as_root
from ..core.sequences import SequenceSet
from ..measures.evidence import compute_with_findings
from ..measures.registry import Measure
from .pipeline import require_models, require_ordered


@dataclass(frozen=True)
class Apart:
    """What a clusterer found by itself.

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


def is_apart(clusterer: Clusterer) -> bool:
    """Whether a clusterer leaves labels alone: it takes the sequences, or a matrix in their order."""
    return clusterer.takes == "items" or clusterer.name in segmenters()


def partition_apart(
    data: Any,
    n_clusters: Any,
    measure: Measure,
    random_state: Any,
    settings: Mapping[str, Any],
    words: Sequence[str],
) -> Apart:
    """Cluster sequences, in any form that :func:`~kinseq.core.inputs.as_collection` takes, by such a clusterer.

    `settings` are as of :func:`kinseq.cluster`, with the clusterer; `measure` is that of the matrix, where it takes
    one; `words` are what else might have been meant by a name that is misspelt. DataError and ParameterError as there.
    """
    clusterer = get(settings["clusterer"])
    params, options, clusters = _checked(clusterer, n_clusters, measure, random_state, settings, words)
    ordered = clusterer.takes == "matrix" and measure.ordered
    sequences = as_collection(data, options.layout, ordered, options.columns, options.missing)[0]
    if clusters is not None:
        require_clusters(len(sequences), clusters, "SequenceClustering")
    counted = clusterer.takes == "matrix" and measure.counts_features
    items, _, ordering, remarks = scaled_in_order(sequences, options, counted=counted)
    params = {name: value for name, value in params.items() if name in clusterer.params}
    if clusterer.takes == "matrix":
        distance, findings = _matrix(measure, items, clusters, options)
        distance = ordering.restore_matrix(ordering.equal_alike(distance))
        labels = clusterer(distance, clusters, random_state=options.seed, **params)
        return Apart(labels, distance, findings, remarks, sequences.n_features)
    remarks += remarks_on_copies(sequences, ordering, counted=False)
    labels = relabel(ordering.restore_labels(clusterer(items, clusters, random_state=options.seed, **params)))
    return Apart(labels, None, {}, remarks, sequences.n_features)


def _checked(
    clusterer: Clusterer,
    n_clusters: Any,
    measure: Measure,
    random_state: Any,
    parameters: Mapping[str, Any],
    words: Sequence[str],
) -> tuple[dict[str, Any], Options, int | None]:
    """Parameters of the clusterer among the settings, how it is called, and the number of clusters."""
    # A kernel width that the clusterer has itself is its parameter.
    own = {"width"} & set(clusterer.params)
    width = {name: parameters[name] for name in own if parameters.get(name, "auto") != "auto"}
    model = parameters.get("model")
    known = {*(option_names(measure, model) if clusterer.takes == "matrix" else ()), *clusterer.params}
    rest = {name: value for name, value in parameters.items() if name not in own and name != "clusterer"}
    options = Options.of(rest, words, known, "parameter", seed=as_root(random_state))
    if options.sample != AUTO:
        raise ParameterError(
            f"sample is {options.sample!r}, but clusterer {clusterer.name!r} needs all sequences; leave it out"
        )
    if clusterer.takes == "matrix":
        require_models([measure], options.n_states, options.model)
        require_ordered([measure], options)
    elif options.n_states is not None or options.model is not None:
        word = "model" if options.n_states is None else "n_states"
        raise ParameterError(
            f"{word!r} is for measures, but clusterer {clusterer.name!r} takes the sequences themselves;"
            f" its parameters: {', '.join(sorted(clusterer.params))}"
        )
    clusters, several = as_number(n_clusters)
    if several is not None:
        raise ParameterError(
            f"n_clusters is {in_words(several)}, but clusterer {clusterer.name!r} cannot choose from a range; give one number"
        )
    if clusters is None and clusterer.needs_n_clusters:
        raise ParameterError(f"n_clusters is None, but clusterer {clusterer.name!r} needs their number; give it")
    return {**options.params, **width}, options, clusters


def _matrix(
    measure: Measure, items: SequenceSet, n_clusters: int | None, options: Options
) -> tuple[FloatArray, dict[str, Any]]:
    valid_names = option_names(measure, options.model)
    params = {name: value for name, value in options.params.items() if name in valid_names}
    params |= {} if options.n_states is None else {"n_states": options.n_states}
    return compute_with_findings(measure.name, items, n_clusters, options.seed, options.model, **params)
