"""What one measure makes of the sequences: its models are chosen and fitted, its matrix computed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.arrays import FloatArray, IntArray
from ..core.graphs.reference import Reference
from ..core.seeds import derive_seed
from ..core.sequences import SequenceSet
from ..core.wording import count
from ..measures import evidence as gathering
from ..measures import registry as measures
from ..measures.needs import NEEDS
from ..measures.registry import Evidence, Measure
from . import limits
from .null import ViewFunction
from .options import Options
from .partition import Width, choose_rule
from .reading import nonnegative, without_rounding
from .remarks import Remarks, chose
from .states import choose_params

if TYPE_CHECKING:
    from ..models.hmm import HMMBank

PARTS = "views"
"""The parameter that names what a measure is made of."""


@dataclass(repr=False)
class View:
    """What one measure makes of the sequences.

    Attributes
    ----------
    measure : Measure
    distance : ndarray, shape (N, N)
    labels : ndarray, shape (N,), int64
        Clusters from 0, the largest first.
    findings : dict
        What the measure reported.
    choice : str
        How its models were chosen, one sentence.
    fit : dict
        Arguments of the fit of its models.
    width : str or float
        Rule for the kernel width of its clusters, or the width.
    params : dict
        Parameters of the measure that differ from its defaults.
    reference : callable or None
        Where items without clusters come from; the matrix itself if None.
    reference_views : callable or None
        How far views without a part in the matrix agree with it; of a matrix in the order of contents.
    models : HMMBank or None
        The common model, where there is one; models of each sequence from the first prediction on that asks for them.
    """

    measure: Measure
    distance: FloatArray
    labels: IntArray
    findings: dict[str, Any]
    choice: str
    fit: dict[str, Any]
    width: Width = "local"
    params: dict[str, Any] = field(default_factory=dict)
    models: HMMBank | None = None
    reference: Reference | None = None
    reference_views: Callable[[FloatArray], dict[str, float]] | None = None

    def __repr__(self) -> str:
        return f"View({self.measure.name!r}, {len(self.distance)} sequences)"


def view_of(
    measure: Measure,
    sequences: SequenceSet,
    n_clusters: int | None,
    run: Options,
    parts: Mapping[str, Any] | None = None,
    overrides: Mapping[str, Any] | None = None,
) -> tuple[View, Remarks]:
    """View of a measure, and what is told of it; all sequences are in one cluster until somebody cuts the matrix.

    `parts` of the measure (:func:`component_views`) are not computed again; `overrides` go before the parameters that were given.
    """
    fit, why, remarks = _choose_models(measure, sequences, run)
    models = fit_models(measure, sequences, fit, run)
    evidence = replace(_evidence(measure, sequences, models, n_clusters, run), parts=parts or {})
    params = {**_params(measure, run), **(overrides or {})}
    distance, findings = measure.compute(evidence, **params)
    distance = without_rounding(measure, distance, evidence, lambda other: measure.compute(other, **params)[0])
    distance, findings, of_sign = nonnegative(measure, distance, findings, run)
    width, of_width = choose_rule(measure, run)
    for sentence in _findings_in_words(measure, findings):
        what, _, value = sentence.partition(": ")
        remarks += chose(what, value, "follows from the sequences")
    remarks += of_sign + of_width
    common_model = models if NEEDS[measure.needs].models == "common" else None
    none = np.zeros(len(sequences), dtype=np.int64)
    every = {**measure.params, **params}
    reference, reference_views = measure.reference, measure.reference_views
    view = View(
        measure,
        distance,
        none,
        findings,
        why,
        fit,
        width,
        params,
        common_model,
        reference=None if reference is None else partial(reference, evidence, **every),
        reference_views=None if reference_views is None else partial(reference_views, evidence, **every),
    )
    return view, remarks


def _evidence(
    measure: Measure, sequences: SequenceSet, models: HMMBank | None, n_clusters: int | None, run: Options
) -> Evidence:
    task = run.task(f"{measure.name}: score sequences")
    stream = derive_seed(run.seed, "measure")
    return gathering.gather_from_models(measure, sequences, models, n_clusters, stream, run.threads, task)


def component_views(
    measure: Measure,
    sequences: SequenceSet,
    run: Options,
    only: Sequence[str] | None = None,
) -> dict[str, Any]:
    """What a measure is made of that is a measure by itself, by name, each with its `distance`; empty for others.

    With auxiliary views, see :class:`~kinseq.measures.registry.Measure`, unless somebody said what it is to be made of;
    of many sequences that takes too long. Or `only` some of these.
    What is returned is the `parts` of :func:`view_of`.
    """
    if measure.looks is None:
        return {}
    evidence = _evidence(measure, sequences, None, None, run)
    params = {**measure.params, **_params(measure, run)}
    auxiliary = len(sequences) <= limits.MANY and is_open(measure, run)
    return dict(measure.looks(evidence, beside=auxiliary, only=only, **params))


def is_open(measure: Measure, run: Options) -> bool:
    """Whether a measure is made of others, and nobody said of which: then others may show the groups that are taken."""
    return measure.looks is not None and PARTS not in run.params


def view_function(measure: Measure, run: Options) -> ViewFunction | None:
    """What gives the views of other sequences, under a measure that is quick enough; None for others."""
    if measure.looks is not None:
        return lambda sequences, names: {
            name: part.distance for name, part in component_views(measure, sequences, run, only=names).items()
        }
    if not measure.quick:
        return None
    params = _params(measure, run)
    return lambda sequences, _: {
        measure.name: measure.compute(_evidence(measure, sequences, None, None, run), **params)[0]
    }


def fit_models(measure: Measure, sequences: SequenceSet, fit: dict[str, Any], run: Options) -> HMMBank | None:
    """The models that a measure needs: one of all sequences, one of each, or none."""
    if (models := NEEDS[measure.needs].models) is None:
        return None
    what = "fit the common model" if models == "common" else "fit models"
    task = run.task(f"{measure.name}: {what}")
    return gathering.fit(measure, sequences, random_state=run.seed, n_jobs=run.threads, progress=task, **fit)


def option_names(measure: Measure, model: str | None) -> set[str]:
    """Names of the parameters of a measure and of its models that may be given beside the settings."""
    serves = gathering.accepts(measure, model)
    return set(gathering.valid_params(measure, model if serves else None))


def uses_states(measure: Measure, model: str | None = None) -> bool:
    """Whether a measure has models whose number of states can be given."""
    return "n_states" in option_names(measure, model) or bool(STATES & set(measure.params))


STATES = {"states_each", "states_common"}
"""Parameters of measures that size their models themselves."""


def _params(measure: Measure, run: Options) -> dict[str, Any]:
    """Parameters of a measure that were given, or follow from the settings."""
    states = {} if run.n_states is None else dict.fromkeys(STATES & set(measure.params), run.n_states)
    width = {} if run.width == "auto" or "width" not in measure.params else {"width": run.width}
    options = {name: value for name, value in run.params.items() if name in measure.params}
    return {**states, **width, **options}


def _findings_in_words(measure: Measure, findings: Mapping[str, Any]) -> list[str]:
    """What a fusion dropped, replaced or shortened, in sentences."""
    sentences = []
    if findings.get("dropped_views"):
        sentences.append(f"{measure.label}: {findings['dropped_views']} left out, under which all pairs are alike")
    if findings.get("replaced_views"):
        lost = str(findings["replaced_views"])
        others = ", ".join(measures.get(name).instead[0] for name in lost.split(", "))
        sentences.append(f"{measure.label}: {lost} lost sight of differences, {others} stands in")
    if findings.get("frames_averaged", 1) > 1:
        sentences.append(
            f"{measure.label}: every {findings['frames_averaged']} frames were averaged before sequences were aligned, as"
            " aligning all pairs in full would cost too much"
        )
    if findings.get("components", 1) > 1:
        sentences.append(
            f"{measure.label}: the sequences fall into {findings['components']} parts that share no neighbours; the parts are"
            " placed by their nearest sequences"
        )
    return sentences


def _choose_models(measure: Measure, sequences: SequenceSet, run: Options) -> tuple[dict[str, Any], str, Remarks]:
    """Arguments of the fit of a measure's models, why these, and the same as a choice."""
    model = run.model if gathering.accepts(measure, run.model) else None
    kind = gathering.model_kind(measure, model)
    if kind is None:
        fused = "views" in measure.params
        why = "those that together came nearest to the classes of 78 labelled sets" if fused else "needs no models"
        value = ", ".join(run.params.get("views", measure.params["views"])) if fused else "none"
        return {}, why, chose(f"{measure.name}: {'views' if fused else 'models'}", value, why)
    common = NEEDS[measure.needs].models == "common"
    params, why = choose_params(kind, common, sequences, run.n_states, run.seed)
    if "start" in measure.params:
        # It says by itself where chains start.
        params.pop("startprob", None)
    names = set(option_names(measure, model)) - set(measure.params)
    options = {name: value for name, value in run.params.items() if name in names}
    params, why = {**params, **options}, "; ".join([why, *(f"{name} given" for name in options)])
    what = "common model" if common else "model of each sequence"
    words = [count(params["n_states"], "state")] if "n_states" in params else [kind]
    words += [f"{params['covariance']} covariances"] if "covariance" in params else []
    params |= {} if model is None else {"model": model}
    return params, why, chose(f"{measure.name}: {what}", ", ".join(words), why)
