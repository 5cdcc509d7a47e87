"""Steps of an analysis of sequences as pure functions, and the values passed between them.

:mod:`.pipeline` takes them one after another.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from ..clustering.registry import get as get_clusterer
from ..core.arrays import FloatArray, IntArray
from ..core.graphs.kmeans import relabel
from ..core.ordering import Ordering
from ..core.progress import waiting
from ..core.seeds import derive_seed
from ..core.sequences import SequenceSet
from ..core.wording import count
from ..measures.properties import params_of
from ..measures.registry import get
from ..metrics.internal import Numbers
from . import limits
from .evidence import DecisionEvidence, Divided
from .families import families, strongest_result
from .limits import THRESHOLDS, Thresholds
from .log import NO_REMARKS, Remarks, as_choice, as_notes
from .null_samples import ViewFunction
from .options import Options
from .partition import (
    KERNEL_WIDTH,
    SPECTRAL,
    by_size,
    compare_with_chance,
    cut,
    cut_into_several,
    remarks_on_fewer,
    some_of,
)
from .preparation import Prepared, prepare, remarks_of
from .result import Divider, Result
from .rules import NUMBER, Decision, decide
from .sampling import subsample
from .single_columns import by_a_column
from .verdict import verdict
from .views import View, component_views, is_open, view_function, view_of


def compare(options: Options, prepared: Prepared, thresholds: Thresholds = THRESHOLDS) -> Result:
    """Compare sequences, choose the number of clusters, and cut.

    Copies of a sequence count once, and are put with it afterwards. The first measure decides how many clusters there are,
    unless the number is given. Where no measure is named then, several are compared (:mod:`.families`).
    """
    parts: dict[str, Any] = {}
    results = [
        _compared(
            options.altered(measures=(measure, *options.measures[1:]), chooses=False), prepared, thresholds, parts
        )
        for measure in families(options, prepared)
    ]
    result, remarks = strongest_result(results)
    if (alone := by_a_column(options, prepared, result, compare, thresholds)) is not None:
        result, remarks = alone
    return replace(result, notes=[*remarks.notes, *result.notes], choices=[*remarks.choices, *result.choices])


def _compared(options: Options, prepared: Prepared, thresholds: Thresholds, parts: dict[str, Any]) -> Result:
    """Return the result under given measures; computed `parts` of the measure are reused and extended."""
    ordering, counted = prepared.ordering, prepared.counted()
    first, decision, of_number = _decided(options, prepared, thresholds, parts)
    views, remarks = [first], prepared.remarks + of_number
    for measure in options.measures[1:]:
        view, of_view = view_of(measure, counted, min(max(1, decision.n_clusters), len(counted)), options)
        remarks += of_view
        view.labels = _cut(view, decision.n_clusters, options, ordering.first_counted)
        views.append(view)
    return Result(
        options=options,
        notes=list(remarks.notes),
        choices=list(remarks.choices),
        sequences=prepared.ordered.subset(ordering.ranks),
        original=prepared.original,
        views=[to_input_order(view, ordering, with_copies=True) for view in views],
        decision=decision.in_order(ordering.counted_by),
        scaling=prepared.transform,
        ordering=ordering,
        _look=divider_of(options),
    )


Subclusterer = Callable[[SequenceSet, int], Result]
"""Function that clusters the members of a group by the same rules, by the number of groups that share a level."""
LEAVES = "leaves of the tree of groups"
"""Name of the choice of all groups, where some are divided further."""
FOR_ALL: Mapping[str, Any] = {
    "n_clusters": None,
    "n_range": None,
    "coarse": False,
    "sample": None,
    "command": None,
    "progress": False,
}
"""Notes on all sequences that are not repeated for the members of one group."""


def subclusterer_of(options: Options, thresholds: Thresholds = THRESHOLDS, depth: int = 1) -> Subclusterer | None:
    """Settings for clustering the members of one group: the first measure and the same rules, scaled anew.

    None under measures for which there are no sequences without groups, for clusterers that follow no rules (their groups are
    not compared with anything), and at the last level of the tree.
    """
    measure = options.measures[0]
    if view_function(measure, options) is None or get_clusterer(options.clusterer).finds_n_clusters:
        return None
    if depth == limits.MAX_DEPTH:
        return None
    return partial(_members, options.altered(measures=(measure,), **FOR_ALL), thresholds, depth)


def _members(options: Options, thresholds: Thresholds, depth: int, members: SequenceSet, n_groups: int) -> Result:
    """Cluster the members of one of `n_groups` groups, which share the level of the test that found them."""
    prepared = prepare(options, replace(members, labels=None), remarks_of(members))
    shared = thresholds.shared_by(n_groups)
    return replace(compare(options, prepared, shared), _look=divider_of(options, shared, depth + 1))


def by_leaves(result: Result) -> Result:
    """Return a result whose clusters are the leaves of its tree, where their number was chosen without a range."""
    if not result.options.by_leaves:
        return result
    found = replace(result, _by_leaves=True)
    if found._division is found:
        return found
    divided = " and ".join(str(k + 1) for k in found.details.within)
    why = f"{count(result.n_clusters, 'group')} at first, with {divided} divided further by the same rules"
    return found._altered(choices=[*result.choices, (LEAVES, str(found.n_clusters), why)])


def divider_of(options: Options, thresholds: Thresholds = THRESHOLDS, depth: int = 1) -> Divider | None:
    """Settings for dividing one group further; None where its members cannot be clustered as above."""
    look = subclusterer_of(options, thresholds, depth)
    return None if look is None else partial(_divided, look)


def _divided(look: Subclusterer, members: SequenceSet, n_groups: int) -> Result | None:
    """Divide the members of one group; None if they are one group, parts of a continuum, or differ in length alone."""
    found = look(members, n_groups)
    return None if found.n_clusters < 2 or verdict(found).degree in ("continuum", "lengths") else found


def _decided(
    options: Options, prepared: Prepared, thresholds: Thresholds, parts: dict[str, Any]
) -> tuple[View, Decision, Remarks]:
    """The clustered view with its clusters, the decision, and the remarks on both."""
    measure, sequences = options.measures[0], prepared.counted()
    # Copies share a cluster, so there may be fewer distinct sequences than requested clusters.
    n_clusters = None if options.n_clusters is None else min(options.n_clusters, len(prepared.ordering.distinct))
    with waiting(
        options.task(f"{measure.name}: compare {len(sequences)} sequences of {sequences.lengths.sum()} frames in all")
    ):
        components = component_views(measure, sequences, options, parts=parts)
        parts |= components
        view, remarks = view_of(measure, sequences, n_clusters, options, parts)
    distinct, first = prepared.ordering.positions[prepared.ordering.counted], prepared.ordering.first_counted
    rest = np.setdiff1d(np.arange(len(sequences)), prepared.outlying)
    are_all = len(rest) == len(sequences) or n_clusters is None or n_clusters > len(np.unique(first[rest]))
    if get_clusterer(options.clusterer).finds_n_clusters:
        decision, of_number = _found_by_clusterer(options, view, first)
    elif are_all or options.clusterer != SPECTRAL:
        decision, of_number = _chosen(options, view, sequences, components, distinct, prepared.original, thresholds)
    else:
        # Outlying sequences take no part: views that are in units of the set, and fusions, are made anew without them.
        others = sequences.subset(rest)
        of_rest = component_views(measure, others, options)
        fused, _ = view_of(measure, others, n_clusters, options, of_rest)
        decision, of_number = _chosen(options, fused, others, of_rest, distinct[rest], prepared.original, thresholds)
        labels = _labels(fused, decision, options, np.searchsorted(rest, first[rest]))
        decision = decision.among(rest, len(sequences), labels)
    views, _ = _voting(view, components)
    remarks, of_view = remarks + of_number, NO_REMARKS
    if (taken := decision.by) is not None and taken.by_property:
        whole = view.distance
        view, of_view = view_of(get("properties"), sequences, n_clusters, options, overrides=params_of(taken.name))
        view.whole = whole
    elif taken is not None and components and list(components) != [taken.name]:
        alone = measure if taken.name in views else get("fusion")
        view, of_view = view_of(alone, sequences, n_clusters, options, components, overrides={"views": [taken.name]})
    # The choice of the view is noted with the number of clusters.
    remarks += as_notes(*of_view.notes)
    if (taken is not None or decision.groups is not None) and options.clusterer == SPECTRAL:
        # Visible groups are not cut, so no kernel decided anything; given options are reported all the same.
        choices = [entry for entry in remarks.choices if entry[2] == "given" or not entry[0].endswith(KERNEL_WIDTH)]
        remarks = Remarks(remarks.notes, tuple(choices))
    items = subsample(len(sequences), limits.MAX_COUNTED_ON, options.seed, "numbers")
    of_items = {name: distance[np.ix_(items, items)] for name, distance in views.items()}
    view.labels = _labels(view, decision, options, first)
    remarks = remarks_on_fewer(options.n_clusters, view.labels, view.distance, remarks)
    return view, replace(decision, items=items, views=of_items), remarks


def _voting(view: View, components: Mapping[str, Any]) -> tuple[dict[str, FloatArray], dict[str, FloatArray]]:
    """Return what a measure is made of, and auxiliary views; the first are empty for a measure that is not made of views."""
    distances = {name: component.distance for name, component in components.items()}
    views = {name: distance for name, distance in distances.items() if f"agreement_{name}" in view.findings}
    return views, {name: distance for name, distance in distances.items() if name not in views}


def _chosen(
    options: Options,
    view: View,
    sequences: SequenceSet,
    components: Mapping[str, Any],
    places: IntArray,
    original: SequenceSet,
    thresholds: Thresholds,
) -> tuple[Decision, Remarks]:
    """Return the decision on some sequences that are at some `places` of the original ones, and the remarks on it."""
    measure, look = options.measures[0], subclusterer_of(options)
    views, auxiliary = _voting(view, components)

    def divided(members: IntArray, n_groups: int) -> IntArray | None:
        """Groups within some of the sequences, in their order; None if there are none."""
        if look is None:
            return None
        order = np.argsort(places[members])
        labels = np.zeros(len(members), dtype=np.int64)
        labels[order] = look(original.subset(places[members[order]]), n_groups).labels
        return labels if labels.any() else None

    compute, voting = view_function(measure, options), views or {measure.name: view.distance}
    return _choose(options, view, sequences, voting, compute, auxiliary, divided, thresholds)


def decided_by_matrix(options: Options, view: View, ordering: Ordering) -> tuple[Decision, Remarks]:
    """Return the decision on a given matrix; its view gets the clusters, and items with equal rows share one."""
    if get_clusterer(options.clusterer).finds_n_clusters:
        decision, remarks = _found_by_clusterer(options, view, ordering.first)
    else:
        decision, remarks = _choose(options, view, None, {view.measure.name: view.distance}, None)
    view.labels = _labels(view, decision, options, ordering.first)
    return decision, remarks_on_fewer(options.n_clusters, view.labels, view.distance, remarks)


def _found_by_clusterer(options: Options, view: View, first: IntArray) -> tuple[Decision, Remarks]:
    """Return the number of clusters found by the clusterer itself, and remarks on it."""
    number = int(_cut(view, 1, options, first).max()) + 1
    why = f"found by {get_clusterer(options.clusterer).label}"
    return Decision(number, why), as_choice(NUMBER, str(number), why)


def _choose(
    options: Options,
    view: View,
    sequences: SequenceSet | None,
    voting: Mapping[str, FloatArray],
    compute: ViewFunction | None,
    auxiliary: Mapping[str, FloatArray] | None = None,
    divided: Divided | None = None,
    thresholds: Thresholds = THRESHOLDS,
) -> tuple[Decision, Remarks]:
    square = partial(some_of, view, seed=derive_seed(options.seed, "reference"))

    def chance(numbers: Sequence[int], n_sets: int) -> Numbers:
        distance = square(np.arange(len(view.distance)))
        return compare_with_chance(numbers, n_sets, distance, view.width, options, view.reference)

    return decide(
        DecisionEvidence(
            sequences,
            voting,
            square,
            partial(cut_into_several, view.width, options),
            chance,
            compute,
            auxiliary or {},
            is_open(options.measures[0], options),
            options,
            thresholds,
            divided,
            fixed_draws=options.n_clusters is not None,
        )
    )


def _labels(view: View, decision: Decision, options: Options, first: IntArray) -> IntArray:
    """Return the groups of a view or property, unless another clusterer is given; otherwise cut the matrix.

    `first`, shape (N,), has the position of the first item that is equal to each.
    """
    if (decision.by is not None or decision.groups is not None) and options.clusterer == SPECTRAL:
        return by_size(relabel(decision.labels(view.distance)[first]))
    return _cut(view, decision.n_clusters, options, first)


def _cut(view: View, n_clusters: int, options: Options, first: IntArray) -> IntArray:
    alone = np.unique(first)
    number = min(max(1, n_clusters), len(alone))
    labels = cut(view.distance, number, view.width, options, first)
    if int(labels.max()) + 1 < number:
        # Copies were put into clusters of their own: count them once.
        of_alone = cut(view.distance[np.ix_(alone, alone)], number, view.width, options, np.arange(len(alone)))
        labels = by_size(of_alone[np.searchsorted(alone, first)])
    return labels


def to_input_order(view: View, ordering: Ordering, with_copies: bool = False) -> View:
    """Return a view in the given order of sequences; `with_copies`: one without merged copies."""
    whole = view.whole
    if not with_copies:
        whole = None if whole is None else ordering.restore_matrix(whole)
        distance = ordering.restore_matrix(view.distance)
        return replace(view, distance=distance, labels=view.labels[ordering.ranks], whole=whole)
    # Equal sequences get identical rows, those of the first one.
    places = ordering.first_counted[ordering.counted_by]
    by_content = by_size(view.labels[places[ordering.positions]])
    pairs = np.ix_(places, places)
    whole = None if whole is None else whole[pairs]
    return replace(view, distance=view.distance[pairs], labels=by_content[ordering.ranks], whole=whole)
