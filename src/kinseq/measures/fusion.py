"""Fusion of several measures: alignment, models, dynamics and plain statistics.

No measure is best on all data. Each one is a view here; the views' affinities are fused
(:mod:`kinseq.core.graphs.network_fusion`), so that links which several of them support become stronger. Which views carry the
structure is reported. ``elastic`` fuses alignments, ``fusion`` those, models and statistics, ``pooled_dtw`` what tells
embeddings of words apart (``docs/reports/words.md``). How the views were chosen, and where each of the two loses, is described in
``docs/reports/answers.md``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..core.arrays import FloatArray, IntArray, as_count
from ..core.content_cache import ContentCache
from ..core.errors import ParameterError, unknown_name
from ..core.graphs.affinity import local_widths
from ..core.graphs.network_fusion import (
    MIN_DIFFUSED_ITEMS,
    fuse,
    is_constant,
    join_components,
    local_affinity,
    local_exponent,
    neighbour_count,
    transitions,
)
from ..core.graphs.reference import unclustered
from ..core.jobs import each, workers
from ..core.ordering import Ordering, by_content
from ..core.seeds import derive_seed
from ..core.sequences import SequenceSet
from ..features.frames import averaged, frames_to_average
from ..models.selection import candidates, random_subset, sweep_states
from . import dtw, elastic, kl_ll, lockstep, pooled, spectrum, ssd, statistics, symbols
from .cross import cross as cross_of
from .descriptions import ALL, BALANCED, OF_SYMBOLS, REFERENCE_VIEWS, VIEWS, VOTING
from .elastic import standardised
from .fitting import fit, gather_from_models
from .landmarks import Shortlist, landmarks, near_by_landmarks
from .registry import Measure, MeasureInput

if TYPE_CHECKING:
    from ..models.hmm import HMMBank

MIN_AFFINITY = 1e-300
"""Floor of fused affinities, relative to the largest."""
ROUNDING_SHARE = 1e-12
"""Dissimilarities, relative to the spread of the data, below which they are rounding errors."""
ROUNDING_OF_SQUARES = 1e-20
"""As above, for squared distances."""
MAX_CELLS = 8e9
"""Largest total number of cells, in time and features, of all pairs' warping matrices; see :func:`frames_averaged`."""
ALIGNED_FRAMES = 1000
"""Largest number of frames of a sequence of median length in alignments; see :func:`frames_averaged`."""
LONG_CELLS, LONG_FRAMES = 1e9, 240
"""As :data:`MAX_CELLS`, for longer sequences, and the frames that this leaves of a median one: a day of minutes keeps means of
six, since cycles of half an hour are lost in means of ten."""
COMMON_FRAMES, COMMON_ITEMS = 20_000, 50
"""Number of frames of the random sample for the common model, and its least number of sequences: more hardly change it,
while its cost grows."""
STATES_COMMON = (2, 4, 8, 16, 32)
"""Numbers of states tried for the common model, ascending until one is no better."""
SWEEP_TOL = 3e-4
"""Relative gain at which fits stop that only decide the number of states."""

# Imported directly, not via the registry: the fingerprint of a fusion has to cover its components.
_MEASURES: Mapping[str, Measure] = {
    measure.name: measure
    for module in (kl_ll, ssd, dtw, elastic, statistics, spectrum, lockstep, pooled, symbols)
    for measure in module.MEASURES
}
_OF_SHAPES = {"kl_ll_shape": "kl_ll"}
"""Views whose measure has units of its own."""
COMMON = ("ssd", "ssd_joint")
"""Views of a common model."""
STAND_INS = {name: measure.fallbacks[0] for name in COMMON if (measure := _MEASURES[name]).fallbacks}
"""Replacements of views that cannot distinguish the sequences."""
ELASTIC = (*VOTING, "dtw", "dtw_shape", "msm", "msm_shape")
"""Views whose cost grows with the product of the lengths."""
WITHOUT_MODELS = (*ELASTIC, "spectrum", "lockstep_shape", "pooled")
"""Components allowed in a fusion without models."""
SYMBOLIC = ("edit", "om", "lcs", "subsequences", "durations")
"""Views of symbols."""
EVERY_FRAME = ("statistics", "spectrum", "pooled")
"""Views that keep every frame of long sequences."""
AUXILIARY_VIEWS = ("dtw", "dtw_shape", "kl_ll_shape", "statistics", "spectrum", "lockstep_shape")
"""Auxiliary views, which are also clustered alone, so that clear groups that only they show are found."""
MOST_MODELLED = "modelled_frames"
"""Parameter: largest number of frames of a sequence of median length in models; None keeps all."""
MODELS: Mapping[str, Any] = {
    "states_each": 3,
    "covariance_each": "diag",
    "startprob_each": "flat",
    "states_common": None,
}
"""Sizes of the models of views; None means the number of states of least BIC. The first state of a model of one sequence is
not a property of the sequence: machines with the same cycle may begin anywhere in it."""


class _Averaging(NamedTuple):
    """Numbers of frames averaged into one before alignment, and before models are fitted or courses compared."""

    aligned: int
    modelled: int

    def of(self, name: str) -> int:
        """Return the number for a view; see :data:`EVERY_FRAME`."""
        if name in ELASTIC:
            return self.aligned
        return 1 if name in EVERY_FRAME else self.modelled


@dataclass(frozen=True)
class _View:
    """One measure of the sequences, with the data to compare new sequences."""

    name: str
    measure: Measure
    sequences: SequenceSet
    params: Mapping[str, Any]
    models: HMMBank | None
    distance: FloatArray


@dataclass(frozen=True)
class _Fused:
    """A fusion in the order of the sequences' contents."""

    ordering: Ordering
    views: list[_View]
    affinity: FloatArray
    top: float
    findings: dict[str, Any]
    averaging: _Averaging


def frames_averaged(lengths: IntArray, n_features: int) -> int:
    """How many consecutive frames are averaged into one before sequences are aligned; 1 for sets of moderate size.

    Aligning all pairs costs time in proportion to the square of the number of frames, and of more than a thousand frames of each an
    alignment follows nothing that it does not follow in their means. The rule considers the size of the
    data and at no clock, so that the answer is the same on any machine.
    """
    cells = 0.5 * float(lengths.sum()) ** 2 * (1.0 + n_features / 4.0)
    needed, of_length = int(np.ceil(np.sqrt(cells / MAX_CELLS))), frames_to_average(lengths, ALIGNED_FRAMES)
    if of_length > 1:
        quick = int(np.ceil(np.sqrt(cells / LONG_CELLS)))
        of_length = max(of_length, min(quick, frames_to_average(lengths, LONG_FRAMES)))
    return max(1, needed, of_length)


def agreement(distance: FloatArray, fused: FloatArray, n_neighbours: int) -> float:
    """Share of nearest neighbours under a view that are nearest under the fusion too, 0 by chance and 1 at best."""
    n = len(distance)
    k = min(n_neighbours, n - 2)
    if k < 1:
        return 0.0
    sets = []
    for matrix in (distance, fused):
        others = matrix.copy()
        np.fill_diagonal(others, np.inf)
        near = np.zeros((n, n), dtype=bool)
        np.put_along_axis(near, np.argsort(others, axis=1, kind="stable")[:, :k], True, axis=1)
        sets.append(near)
    chance = k / (n - 1)
    return float(((sets[0] & sets[1]).sum() / (n * k) - chance) / (1.0 - chance))


def _views(
    names: Sequence[str],
    sequences: SequenceSet,
    factor: _Averaging,
    seed: int,
    params: Mapping[str, Any],
    threads: int,
    parts: Mapping[str, _View],
    ordering: Ordering,
) -> list[_View]:
    """All views. With several threads, alignments run in parallel with the models, which are partly serial."""
    left = [name for name in names if name not in parts]
    groups = [[name for name in left if (name in ELASTIC) == elastic] for elastic in (False, True)]

    computed = each(_some_views, groups, min(threads, 2), sequences, factor, seed, params, threads)
    here = {view.name: view for views in computed for view in views}
    return [here[name] if name in here else _sorted(parts[name], ordering) for name in names]


def _sorted(part: _View, ordering: Ordering) -> _View:
    """A view of :func:`_components` in the order of contents."""
    return replace(part, distance=ordering.sort_matrix(part.distance))


def _some_views(
    names: Sequence[str], sequences: SequenceSet, factor: _Averaging, seed: int, params: Mapping[str, Any], threads: int
) -> list[_View]:
    return [_view(name, sequences, factor, seed, params, threads) for name in names]


def one_view(evidence: MeasureInput, name: str, **params: Any) -> _View:
    """One view by itself, with its `distance` in the order of the sequences; also auxiliary ones."""
    params = {**MODELS, **params}
    ordering, sequences, factor = _prepared(evidence.sequences, params)
    view = _view(name, sequences, factor, evidence.seed, params, evidence.threads)
    return replace(view, distance=ordering.restore_matrix(view.distance))


def _components(
    evidence: MeasureInput,
    with_auxiliary: bool = True,
    names: Sequence[str] | None = None,
    auxiliary: Sequence[str] = AUXILIARY_VIEWS,
    **params: Any,
) -> dict[str, _View]:
    """Compute the voting alignments, in the order of the sequences, without uninformative ones.

    `with_auxiliary` adds the `auxiliary` ones: they have no vote, but count where they show clear groups that the others
    blur. `names` restricts the result to these views.
    """
    voting = _names(params["views"])
    able = (*WITHOUT_MODELS, *SYMBOLIC, *(AUXILIARY_VIEWS if len(voting) == 1 else ()))
    wanted = [name for name in voting if name in able]
    wanted += [name for name in auxiliary if with_auxiliary and wanted and name not in voting]
    wanted = [name for name in wanted if names is None or name in names]
    ordering, sequences, factor = _prepared(evidence.sequences, params)
    views = _views(wanted, sequences, factor, evidence.seed, params, evidence.threads, evidence.parts, ordering)
    return {
        view.name: replace(view, distance=ordering.restore_matrix(view.distance))
        for view in views
        if not is_constant(view.distance, _negligible(view))
    }


def _view(
    name: str, sequences: SequenceSet, factor: _Averaging, seed: int, params: Mapping[str, Any], threads: int = 1
) -> _View:
    measure, inputs = _MEASURES[_OF_SHAPES.get(name, name)], _inputs_of_view(name, sequences, factor)
    modelled = _typical(inputs, seed) if name in COMMON else inputs
    models_as = _model_params(name, modelled, seed, params)
    models, evidence = None, MeasureInput(inputs, seed=seed, threads=threads)
    if measure.requires != "sequences":
        models = fit(measure, modelled, random_state=seed, n_jobs=threads, **models_as)
        evidence = gather_from_models(measure, inputs, models, random_state=seed, n_jobs=threads)
    distance, findings = measure.compute(evidence)
    if name in STAND_INS and findings.get("collapsed"):
        measure = _MEASURES[STAND_INS[name]]
        distance = measure.compute(evidence)[0]
    return _View(name, measure, inputs, models_as, models, distance)


def _inputs_of_view(name: str, sequences: SequenceSet, factor: _Averaging) -> SequenceSet:
    """The sequences as prepared for a view."""
    sequences = averaged(sequences, factor.of(name))
    return standardised(sequences) if name in _OF_SHAPES else sequences


def _typical(sequences: SequenceSet, seed: int) -> SequenceSet:
    """Sequences for a common model: all of a set of moderate size."""
    within = random_subset(sequences, seed, frames=COMMON_FRAMES)
    return within if len(within) >= COMMON_ITEMS else random_subset(sequences, seed, items=COMMON_ITEMS)


def _model_params(name: str, sequences: SequenceSet, seed: int, params: Mapping[str, Any]) -> dict[str, Any]:
    """Model sizes of a view for some sequences; independent of the number of clusters."""
    if _OF_SHAPES.get(name, name) == "kl_ll":
        states = min(as_count(params["states_each"], "states_each"), int(sequences.lengths.min()))
        sizes = {"n_states": states, "covariance": params["covariance_each"], "startprob": params["startprob_each"]}
        # A matrix depends neither on a seed nor on the last digits of the data.
        return {**sizes, "random_starts": "fixed"}
    if name not in COMMON:
        return {}
    if params["states_common"] is not None:
        return {"n_states": as_count(params["states_common"], "states_common")}
    tried, stream = candidates(len(sequences.values), STATES_COMMON), derive_seed(seed, "sweep")
    sweep = sweep_states(sequences, tried, random_state=stream, until_worse=True, n_init=1, tol=SWEEP_TOL)
    return {"n_states": sweep.best}


def _names(views: Sequence[str], word: str = "views", least: int = 1, valid: Iterable[str] = VIEWS) -> list[str]:
    """Return checked names of views; the error lists the `valid` ones."""
    listed = isinstance(views, Sequence) and not isinstance(views, str)
    names = list(views) if listed else []
    for name in names:
        if name not in list(VIEWS):
            raise ParameterError(unknown_name("view", name, valid))
    if not listed or len(names) < least or len(set(names)) < len(names):
        some = "one or more" if least else "some"
        raise ParameterError(f"{word} is {views!r}; give a list of {some} of {', '.join(valid)}, none twice")
    return names


def _names_of_reference_views(params: Mapping[str, Any]) -> list[str]:
    """Auxiliary views, without those that are part of the fusion."""
    voting = _names(params["views"])
    return [name for name in _names(params["witnesses"], "witnesses", least=0) if name not in voting]


def _informative(views: Sequence[_View]) -> list[_View]:
    """Views that distinguish pairs, or else those that show any difference."""
    telling = [view for view in views if not is_constant(view.distance, _negligible(view))]
    return telling or [view for view in views if view.distance.max(initial=0.0) > _negligible(view)]


def _negligible(view: _View) -> float:
    """Size of rounding errors under a view; raw alignments are in the unit of the data, or in its square."""
    power = {"dtw": 2, "dtw_delta": 2, "msm": 1, "msm_stretched": 1}.get(view.name, 0)
    spread = float(view.sequences.values.std()) or 1.0
    # One extreme frame in every sequence makes everything else small, and its square even smaller.
    same = ROUNDING_OF_SQUARES if view.name.startswith("dtw") or view.name == "lockstep_shape" else ROUNDING_SHARE
    return same * float(spread**power)


def _prepared(items: SequenceSet, params: Mapping[str, Any]) -> tuple[Ordering, SequenceSet, _Averaging]:
    """An order of content, the sequences in it, and the numbers of averaged frames."""
    n_frames = params["frames_averaged"]
    factor = None if n_frames is None else as_count(n_frames, "frames_averaged")
    ordering = by_content(items)
    sequences = items.subset(ordering.positions)
    aligned = factor or frames_averaged(sequences.lengths, sequences.n_features)
    return ordering, sequences, _Averaging(aligned, frames_to_average(sequences.lengths, params[MOST_MODELLED]))


def _make(evidence: MeasureInput, params: Mapping[str, Any]) -> _Fused:
    items, names = evidence.sequences, _names(params["views"])
    _names_of_reference_views(params)
    ordering, sequences, factor = _prepared(items, params)
    every = _views(names, sequences, factor, evidence.seed, params, evidence.threads, evidence.parts, ordering)
    views, n = _informative(every), len(items)
    affinity = np.zeros((n, n))
    if views:
        with workers(min(evidence.threads, len(views))) as spread:
            affinities = list(spread(lambda view: local_affinity(view.distance), views))
        affinity = fuse(affinities, threads=evidence.threads)
    diffused = _diffuses(len(views), n)
    top = _top(affinity, len(views))
    findings = {
        "fused_views": len(views),
        "dropped_views": ", ".join(view.name for view in every if not any(view is other for other in views)),
        "replaced_views": ", ".join(view.name for view in every if view.measure.name == STAND_INS.get(view.name)),
        "fused_by": "diffusion" if diffused else "average",
        "frames_averaged": factor.aligned if set(names) & set(ELASTIC) else 1,
    }
    return _Fused(ordering, views, affinity, top, findings, factor)


def _diffuses(n_views: int, n_items: int) -> bool:
    return n_views > 1 and n_items >= MIN_DIFFUSED_ITEMS


def _top(affinity: FloatArray, n_views: int) -> float:
    """Affinity of practically equal items.

    The mean of affinities has a scale of its own, where 1 means equal; diffused ones are only relative.
    """
    return float(affinity.max()) if _diffuses(n_views, len(affinity)) and affinity.any() else 1.0


_last: ContentCache[_Fused] = ContentCache(2)
"""Cache of the latest fusions for predictions: one of a sample, and one of its representatives."""


def _fused(evidence: MeasureInput, params: Mapping[str, Any]) -> _Fused:
    sequences = evidence.sequences
    deciding = sorted((name, value) for name, value in params.items() if name != "witnesses")
    options = repr((evidence.seed, sequences.alphabet, deciding))
    return _last.get((sequences.values, sequences.offsets), lambda: _make(evidence, params), options)


def _dissimilarity(affinity: FloatArray, top: float) -> FloatArray:
    return np.asarray(-np.log(np.clip(affinity / top, MIN_AFFINITY, 1.0)) + 0.0)


def _compute(evidence: MeasureInput, **params: Any) -> tuple[FloatArray, dict[str, Any]]:
    fusion = _fused(evidence, params)
    if not fusion.views:
        return np.zeros((len(evidence.sequences),) * 2), {**fusion.findings, "components": 1, "fused_floored": 0}
    distance = _dissimilarity(fusion.affinity, fusion.top)
    np.fill_diagonal(distance, 0.0)
    distance = fusion.ordering.equal_alike(distance)
    distance[fusion.ordering.first[:, None] == fusion.ordering.first] = 0.0
    near = neighbour_count(len(distance))
    distance, n_parts = _joined(distance, fusion.affinity / fusion.top, [view.distance for view in fusion.views])
    findings = {
        **fusion.findings,
        "components": n_parts,
        "fused_floored": int((fusion.affinity[np.triu_indices(len(distance), k=1)] / fusion.top < MIN_AFFINITY).sum()),
    }
    for view in fusion.views:
        findings[f"agreement_{view.name}"] = agreement(view.distance, distance, near)
    return fusion.ordering.restore_matrix(distance), findings


def _joined(distance: FloatArray, links: FloatArray, distances: Sequence[FloatArray]) -> tuple[FloatArray, int]:
    """Return fused dissimilarities, with those between disconnected parts from the views' `distances`, and the number of parts."""
    from scipy.sparse.csgraph import connected_components

    n_parts, parts = connected_components(links > MIN_AFFINITY, directed=False)
    if n_parts > 1:
        exponents = np.mean([local_exponent(each) for each in distances], axis=0)
        distance = join_components(distance, parts.astype(np.int64), exponents)
    return distance, int(n_parts)


def _agreement_of_reference_views(evidence: MeasureInput, distance: FloatArray, **params: Any) -> dict[str, float]:
    """Agreement of the nearest neighbours of auxiliary views with the fusion, without uninformative views."""
    ordering, sequences, factor = _prepared(evidence.sequences, params)
    fused, near = ordering.sort_matrix(distance), neighbour_count(len(distance))
    views = _views(
        _names_of_reference_views(params),
        sequences,
        factor,
        evidence.seed,
        params,
        evidence.threads,
        evidence.parts,
        ordering,
    )
    telling = [view for view in views if not is_constant(view.distance, _negligible(view))]
    return {view.name: agreement(view.distance, fused, near) for view in telling}


def _cross(old: MeasureInput, new: MeasureInput, screen: Shortlist | None = None, **params: Any) -> FloatArray:
    """One more diffusion step: from a new sequence to its neighbours in each view, and along the fused links.

    With a `screen`, neighbours are looked for among few old sequences.
    """
    fusion = _fused(old, params)
    m, n = len(new.sequences), len(old.sequences)
    if not fusion.views:
        return np.zeros((m, n))
    steps = [_step(view, new.sequences, fusion.averaging, old.seed, old.threads, screen) for view in fusion.views]
    links = fusion.affinity / fusion.top
    np.fill_diagonal(links, 1.0)
    affinity = np.mean([step @ links for step in steps], axis=0)
    return _dissimilarity(affinity, 1.0)[:, fusion.ordering.ranks]


MAX_FUSED_ANEW = 300
"""Largest number of old sequences that each new one is fused with: the time grows with the cube of their number."""
COPY_SHARE = 1e-6
"""Differences of all frames, relative to the spread of the data, below which a sequence is a copy."""


def _between(old: MeasureInput, new: MeasureInput, name: str = "fusion", **params: Any) -> FloatArray:
    """Return dissimilarities of new sequences in the unit of the matrix of the old ones, shape (M, N).

    Each new sequence by itself is fused anew with all old ones, as one of them would be; a copy of an old one has the row of that
    one. ParameterError if there are more old ones than :data:`MAX_FUSED_ANEW`.
    """
    fusion = _fused(old, params)
    m, n = len(new.sequences), len(old.sequences)
    if not fusion.views:
        return np.zeros((m, n))
    if n > MAX_FUSED_ANEW:
        raise ParameterError(
            f"measure {name!r} fuses each new sequence with all old ones, which takes too long for more than {MAX_FUSED_ANEW} of"
            f" them, and there are {n}; call kinseq.cluster(old).predict(new), or take a measure of pairs such as 'dtw'"
        )
    originals = _originals(new.sequences, old.sequences)
    distances = [np.abs(view.distance) for view in fusion.views]
    rows = [_to_old(view, new.sequences, fusion.averaging, old.seed, old.threads) for view in fusion.views]

    def fused(item: int) -> FloatArray:
        wider = [
            np.block([[distance, row[item][:, None]], [row[item], np.zeros(1)]])
            for distance, row in zip(distances, rows, strict=True)
        ]
        affinity = fuse([local_affinity(distance) for distance in wider])
        top = _top(affinity, len(wider))
        matrix = _joined(_dissimilarity(affinity, top), affinity / top, wider)[0]
        # Distances among the old sequences give the unit.
        return matrix[-1, :-1] * (unit / _unit(matrix[:-1, :-1]))

    whole = _compute(old, **params)[0]
    unit = _unit(whole)
    anew = np.flatnonzero(originals < 0)
    answer = np.empty((m, n))
    if anew.size:
        with workers(min(old.threads, len(anew))) as spread:
            answer[anew] = np.stack(list(spread(fused, anew.tolist())))[:, fusion.ordering.ranks]
    answer[originals >= 0] = whole[originals[originals >= 0]]
    return answer


def _unit(distance: FloatArray) -> float:
    """Return the median dissimilarity of an item to its nearest distinct one; 1 if there is none."""
    nearest = np.where(distance > 0.0, distance, np.inf).min(
        axis=1, initial=np.inf, where=~np.eye(len(distance), dtype=bool)
    )
    known = nearest[np.isfinite(nearest)]
    return float(np.median(known)) if known.size else 1.0


def _originals(new: SequenceSet, old: SequenceSet) -> IntArray:
    """Return the position of the first old sequence that each new one copies, shape (M,); -1 for none."""
    same = COPY_SHARE * float(old.values.std())
    of_length: dict[int, list[int]] = {}
    for place, length in enumerate(old.lengths.tolist()):
        of_length.setdefault(length, []).append(place)
    found = np.full(len(new), -1, dtype=np.int64)
    for i, values in enumerate(new):
        alike = (j for j in of_length.get(len(values), ()) if float(np.abs(old[j] - values).max()) <= same)
        found[i] = next(alike, -1)
    return found


def _reference(
    evidence: MeasureInput, items: IntArray, count: int, seed: int, **params: Any
) -> tuple[FloatArray, Iterator[FloatArray]]:
    """Some items fused again, and items without clusters with the same variation in all views."""
    fusion = _fused(evidence, params)
    if not fusion.views:
        none = np.zeros((len(items),) * 2)
        return none, (none for _ in range(count))
    places = fusion.ordering.ranks[items]
    some = [np.abs(view.distance[np.ix_(places, places)]) for view in fusion.views]

    def fused(distances: Sequence[FloatArray]) -> FloatArray:
        affinity = fuse([local_affinity(distance) for distance in distances])
        distance = _dissimilarity(affinity, _top(affinity, len(distances)))
        np.fill_diagonal(distance, 0.0)
        return distance

    return fused(some), (fused(matrices) for matrices in unclustered(some, count, seed))


def _step(
    view: _View, new: SequenceSet, factor: _Averaging, seed: int, threads: int, screen: Shortlist | None = None
) -> Any:
    """Random walk from new sequences to their nearest old ones in a view; rows are new sequences."""
    if screen is not None and view.name in ELASTIC and screen.compared < len(view.sequences):
        distance = _screened(view, _inputs_of_view(view.name, new, factor), threads, screen)
    else:
        distance = _to_old(view, new, factor, seed, threads)
    n = distance.shape[1]
    old_widths = local_widths(view.distance)
    # As for old items, the distance to the seventh neighbour; nothing here depends on other new sequences.
    reach = np.sort(distance, axis=1)[:, min(7, n) - 1] / np.sqrt(2.0)
    widths = np.where(reach > 0, reach, np.median(old_widths))
    # Subtract the least exponent of a row, so that far outliers keep nearest neighbours.
    exponents = distance**2 / (2.0 * widths[:, None] * old_widths)
    exponents -= exponents.min(axis=1, keepdims=True)
    return transitions(np.exp(-exponents), neighbour_count(n))


def _to_old(view: _View, new: SequenceSet, factor: _Averaging, seed: int, threads: int) -> FloatArray:
    """Return dissimilarities between new sequences and old ones in a view, shape (M, N)."""

    def again(sequences: SequenceSet) -> HMMBank | None:
        return fit(view.measure, sequences, random_state=seed, **view.params)

    inputs = _inputs_of_view(view.name, new, factor)
    return np.abs(cross_of(view.measure, view.sequences, inputs, view.models, again, seed=seed, threads=threads))


def _screened(view: _View, new: SequenceSet, threads: int, screen: Shortlist) -> FloatArray:
    """Align each new sequence with the old ones that pass a screen; infinite for the others, shape (M, N)."""
    old, evidence, cross = (
        MeasureInput(view.sequences, threads=threads),
        MeasureInput(new, threads=threads),
        view.measure.cross,
    )
    assert cross is not None
    marks, m = landmarks(view.distance, screen.landmarks), len(new)

    def aligned(chosen: IntArray) -> FloatArray:
        return np.abs(cross(old, evidence, chosen=chosen, **view.measure.params))

    from_marks = aligned(np.tile(marks, (m, 1)))
    near = near_by_landmarks(from_marks, np.abs(view.distance[:, marks]), marks, screen.near)
    distance = np.full((m, len(view.sequences)), np.inf)
    distance[:, marks] = from_marks
    np.put_along_axis(distance, near, aligned(near), axis=1)
    return distance


def across(
    views: Sequence[str], old: SequenceSet, new: SequenceSet, factor: int, threads: int = 1
) -> dict[str, FloatArray]:
    """Dissimilarities between new sequences and old ones, shape (M, N), under each of some views.

    Views with models are left out. `factor` is the number of frames that are averaged before sequences are aligned.
    """
    found = {}
    for name in views:
        if name in WITHOUT_MODELS:
            measure = _MEASURES[_OF_SHAPES.get(name, name)]
            before, after = (_inputs_of_view(name, sequences, _Averaging(factor, 1)) for sequences in (old, new))
            found[name] = np.abs(cross_of(measure, before, after, None, lambda both: None, threads=threads))
    return found


@dataclass(frozen=True)
class _Aligning:
    """A version of ``fusion`` without models; auxiliary views have models of the usual size."""

    function: Callable[..., Any]
    name: str = "elastic"
    views: tuple[str, ...] = ELASTIC

    def __call__(self, *arguments: Any, **params: Any) -> Any:
        of_symbols = self.views == SYMBOLIC
        for name in _names(params["views"], valid=self.views):
            if name not in self.views:
                hint = f"measure 'fusion' takes {name} too"
                if (name in SYMBOLIC) != of_symbols:
                    hint = f"{name} compares {'numbers' if of_symbols else 'symbols'}"
                raise ParameterError(
                    f"views is {params['views']!r}, but measure {self.name!r} fuses {', '.join(self.views)}; {hint}"
                )
        same_kind = [name for name in VIEWS if (name in SYMBOLIC) == of_symbols]
        _names(params.get("witnesses", ()), "witnesses", least=0, valid=same_kind)
        return self.function(*arguments, **MODELS, **params)


_SYMBOLS = partial(_Aligning, name="symbolic", views=SYMBOLIC)
_WORDS = partial(_Aligning, name="pooled_dtw", views=WITHOUT_MODELS)

_FUSION = Measure(
    name="fusion",
    description="whatever several measures see together: values, order, shape and course",
    label="fusion",
    source="Wang et al. 2014; Zelnik-Manor and Perona 2004",
    function=_compute,
    cross=_cross,
    between=_between,
    reference=_reference,
    reference_views=_agreement_of_reference_views,
    components=_components,
    requires="sequences",
    scope="task",
    one_frame=False,
    reproduces=False,
    locally_scaled=True,
    screens=True,
    params={"views": ALL, "witnesses": [], **MODELS, "frames_averaged": None, MOST_MODELLED: 10_000},
)

MEASURES = (
    Measure(
        name="pooled_dtw",
        description="mean and largest values, whenever they come, and the course of the values over time, together",
        label="pooled vectors and DTW",
        source="Wang et al. 2014; Zelnik-Manor and Perona 2004",
        function=_WORDS(_compute),
        cross=_WORDS(_cross),
        between=_WORDS(partial(_between, name="pooled_dtw")),
        reference=_WORDS(_reference),
        reference_views=_WORDS(_agreement_of_reference_views),
        components=_WORDS(_components),
        requires="sequences",
        scope="task",
        one_frame=False,
        reproduces=False,
        locally_scaled=True,
        screens=True,
        params={"views": ["pooled", "dtw"], "witnesses": [], "frames_averaged": None, MOST_MODELLED: 10_000},
    ),
    Measure(
        name="symbolic",
        description="the order of symbols, how often each comes and which follow each other, together",
        label="fusion for symbols",
        source="Wang et al. 2014; Studer and Ritschard 2016",
        function=_SYMBOLS(_compute),
        cross=_SYMBOLS(_cross),
        between=_SYMBOLS(partial(_between, name="symbolic")),
        reference=_SYMBOLS(_reference),
        reference_views=_SYMBOLS(_agreement_of_reference_views),
        components=_SYMBOLS(partial(_components, auxiliary=())),
        requires="sequences",
        accepts=("symbols",),
        chosen="of 31 choices, the one that agreed best with the groups planted in 64 sets of symbols",
        scope="task",
        reproduces=False,
        locally_scaled=True,
        screens=False,
        params={"views": OF_SYMBOLS, "witnesses": [], "frames_averaged": None, MOST_MODELLED: 10_000},
    ),
    Measure(
        name="elastic",
        description="courses and shapes over time, with and without their levels, by five alignments together",
        label="elastic fusion",
        source="Wang et al. 2014; Zelnik-Manor and Perona 2004",
        function=_Aligning(_compute),
        cross=_Aligning(_cross),
        between=_Aligning(partial(_between, name="elastic")),
        reference=_Aligning(_reference),
        reference_views=_Aligning(_agreement_of_reference_views),
        components=_Aligning(_components),
        requires="sequences",
        scope="task",
        one_frame=False,
        reproduces=False,
        locally_scaled=True,
        screens=True,
        params={"views": VOTING, "witnesses": REFERENCE_VIEWS, "frames_averaged": None, MOST_MODELLED: 10_000},
    ),
    replace(
        _FUSION,
        name="balanced",
        description="levels and spreads, dynamics and courses over time, together, none of which outvotes the others",
        label="balanced fusion",
        between=partial(_between, name="balanced"),
        properties_may_decide=False,
        params={**_FUSION.params, "views": BALANCED},
    ),
    _FUSION,
)
