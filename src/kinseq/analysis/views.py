"""Apply measures to the sequences: choose and fit models, compute and interpret matrices.

Models get the number of states that is given, or else one that is chosen. A common model gets that of the least BIC. Models of
one sequence each are chosen by how well they predict *other* sequences. The BIC is no guide there: the frames of a sequence depend
on each other, so that a sequence is worth far fewer observations than it has frames, and full covariances win by describing the
path of one recording.

Whatever an analysis does with a matrix (cut it, look at its silhouettes and medoids, assign new sequences) reads it in one way,
and in no unit: the same data in volts and in millivolts have the same clusters.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..core.arrays import FloatArray, IntArray
from ..core.graphs.reference import Reference
from ..core.seeds import derive_seed, stream
from ..core.sequences import SequenceSet
from ..core.wording import count
from ..features.frames import averaged, frames_to_average
from ..measures import fitting as gathering
from ..measures import registry as measures
from ..measures.computing import as_compared
from ..measures.fusion import MOST_MODELLED
from ..measures.registry import Measure, MeasureInput
from ..measures.requirements import REQUIREMENTS
from ..models.selection import candidates, random_subset, sweep_states
from . import limits
from .candidates import DIRECT_VIEWS
from .log import NO_REMARKS, Remarks, as_choice, as_notes
from .null_samples import ViewFunction
from .options import Options
from .partition import DIRECT_CLUSTERER, Width, choose_rule

if TYPE_CHECKING:
    from ..models.hmm import HMMBank
    from ..models.hmm.starts import Start

PARTS = "views"
"""Parameter that names the components of a measure."""


@dataclass(repr=False)
class View:
    """Result of one measure on the sequences.

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
        The common model, where there is one; models of each sequence once a prediction needs them.
    averaged : int
        Frames that were averaged to one before sequences were compared.
    whole : ndarray, shape (N, N), or None
        Dissimilarities of whole sequences, where `distance` is that of one property.
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
    averaged: int = 1
    whole: FloatArray | None = None

    @property
    def name(self) -> str:
        """Name of the measure, with the part that was used if it has several."""
        for parameter in measures.PARTS:
            parts = self.params.get(parameter)
            if parts is not None and len(parts) == 1 and measures.base_name(self.measure.name) == self.measure.name:
                return measures.part_name(self.measure.name, str(parts[0]))
        return self.measure.name

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
    """View of a measure, and notes on it; all sequences are in one cluster until the matrix is cut.

    `parts` of the measure (:func:`component_views`) are not computed again; `overrides` go before the parameters that were given.
    """
    factor = frames_averaged(measure, sequences, run)
    lengths, sequences = sequences.lengths, averaged(as_compared(measure, sequences), factor)
    fit, why, remarks = _choose_models(measure, sequences, run)
    models = fit_models(measure, sequences, fit, run)
    evidence = replace(_evidence(measure, sequences, models, n_clusters, run), parts=parts or {})
    params = {**_params(measure, run), **(overrides or {})}
    distance, findings = measure.compute(evidence, **params)
    distance = without_rounding(measure, distance, evidence, lambda other: measure.compute(other, **params)[0])
    distance, findings, of_sign = nonnegative(measure, distance, findings, run)
    width, of_width = choose_rule(measure, run)
    for sentence in findings_in_words(measure, findings):
        what, _, value = sentence.partition(": ")
        remarks += as_choice(what, value, "follows from the sequences")
    remarks += of_sign + of_width + _remarks_on_long(max(factor, findings.get("frames_averaged", 1)), lengths, run)
    common_model = models if REQUIREMENTS[measure.requires].models == "common" else None
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
        averaged=factor,
    )
    return view, remarks


def _remarks_on_long(factor: int, lengths: IntArray, run: Options) -> Remarks:
    """Note how many frames were averaged, for sequences longer than ``max_frames``."""
    if factor == 1 or run.max_frames is None or np.median(lengths) <= run.max_frames:
        return NO_REMARKS
    return as_notes(
        f"the sequences are long ({np.median(lengths):.0f} frames, the median): means of {factor} frames stand for them where they"
        " are aligned or models are fitted; properties and spectra are those of all frames"
    )


def frames_averaged(measure: Measure, sequences: SequenceSet, run: Options) -> int:
    """Return the number of frames averaged into one before a measure compares long sequences.

    A fusion does so itself for those of its views that need it. Symbols have no means.
    """
    if sequences.alphabet is not None:
        return 1
    sees_every_frame = measure.components is not None or measure.every_frame
    return 1 if sees_every_frame else frames_to_average(sequences.lengths, run.max_frames)


def _evidence(
    measure: Measure, sequences: SequenceSet, models: HMMBank | None, n_clusters: int | None, run: Options
) -> MeasureInput:
    task = run.task(f"{measure.name}: score sequences")
    stream = derive_seed(run.seed, "measure")
    return gathering.gather_from_models(measure, sequences, models, n_clusters, stream, run.threads, task)


def component_views(
    measure: Measure,
    sequences: SequenceSet,
    run: Options,
    only: Sequence[str] | None = None,
    parts: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return the component measures of a composite measure by name, each with its `distance`; empty for others.

    With auxiliary views, see :class:`~kinseq.measures.registry.Measure`, unless what it is to be made of was given;
    of many sequences that takes too long. Or `only` some of these. What is among `parts` is not computed again.
    What is returned is the `parts` of :func:`view_of`.
    """
    if measure.components is None:
        return {}
    evidence = replace(_evidence(measure, as_compared(measure, sequences), None, None, run), parts=parts or {})
    params = {**measure.params, **_params(measure, run)}
    auxiliary = is_open(measure, run)
    if auxiliary and only is None and len(sequences) > limits.MAX_EXAMINED:
        # Models and alignments of so many would take too long.
        only = [*params[PARTS], *DIRECT_VIEWS]
    return dict(measure.components(evidence, with_auxiliary=auxiliary, names=only, **params))


def is_open(measure: Measure, run: Options) -> bool:
    """Return whether a measure is composite with default components, so that other views may show the groups."""
    return measure.components is not None and measure.properties_may_decide and PARTS not in run.params


def view_function(measure: Measure, run: Options) -> ViewFunction | None:
    """Return a function that gives the views of other sequences, if the measure is quick enough; otherwise None."""
    run = run.altered(threads=1)
    if measure.components is not None:
        return lambda sequences, names: {
            name: part.distance for name, part in component_views(measure, sequences, run, only=names).items()
        }
    if not measure.cheap:
        return None
    params = _params(measure, run)
    return lambda sequences, _: {
        measure.name: measure.compute(_evidence(measure, as_compared(measure, sequences), None, None, run), **params)[0]
    }


def fit_models(measure: Measure, sequences: SequenceSet, fit: dict[str, Any], run: Options) -> HMMBank | None:
    """Return the models that a measure needs: one of all sequences, one of each, or none."""
    if (models := REQUIREMENTS[measure.requires].models) is None:
        return None
    what = "fit the common model" if models == "common" else "fit models"
    task = run.task(f"{measure.name}: {what}")
    return gathering.fit(measure, sequences, random_state=run.seed, n_jobs=run.threads, progress=task, **fit)


def option_names(measure: Measure, model: str | None) -> set[str]:
    """Return names of parameters of a measure and of its models that may be given in addition to the settings."""
    serves = gathering.accepts(measure, model)
    return set(gathering.valid_params(measure, model if serves else None))


def uses_states(measure: Measure, model: str | None = None) -> bool:
    """Return whether a measure has models with a settable number of states."""
    return "n_states" in option_names(measure, model) or bool(STATES & set(measure.params))


STATES = {"states_each", "states_common"}
"""Parameters of measures that choose the size of their own models."""


def _params(measure: Measure, run: Options) -> dict[str, Any]:
    """Return parameters of a measure that were given or follow from the settings."""
    states = {} if run.n_states is None else dict.fromkeys(STATES & set(measure.params), run.n_states)
    width = {} if run.width == "auto" or "width" not in measure.params else {"width": run.width}
    modelled = {MOST_MODELLED: run.max_frames} if MOST_MODELLED in measure.params else {}
    options = {name: value for name, value in run.params.items() if name in measure.params}
    return {**states, **width, **modelled, **options}


def findings_in_words(measure: Measure, findings: Mapping[str, Any]) -> list[str]:
    """Return sentences on what a fusion dropped, replaced or shortened."""
    sentences = []
    if findings.get("dropped_views"):
        sentences.append(f"{measure.label}: {findings['dropped_views']} left out, since all pairs are equal under it")
    if findings.get("replaced_views"):
        lost = str(findings["replaced_views"])
        others = ", ".join(measures.get(name).fallbacks[0] for name in lost.split(", "))
        sentences.append(f"{measure.label}: {lost} cannot distinguish the sequences; {others} stands in")
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
    """Return arguments for fitting a measure's models, the reason, and both as a choice."""
    model = run.model if gathering.accepts(measure, run.model) else None
    kind = gathering.model_kind(measure, model)
    if kind is None:
        fused = "views" in measure.params
        why = measure.chosen if fused else "needs no models"
        value = ", ".join(run.params.get("views", measure.params["views"])) if fused else "none"
        return {}, why, as_choice(f"{measure.name}: {'views' if fused else 'models'}", value, why)
    common = REQUIREMENTS[measure.requires].models == "common"
    params, why = choose_params(kind, common, sequences, run.n_states, run.seed)
    if "start" in measure.params:
        # The measure itself states where chains start.
        params.pop("startprob", None)
    names = set(option_names(measure, model)) - set(measure.params)
    options = {name: value for name, value in run.params.items() if name in names}
    params, why = {**params, **options}, "; ".join([why, *(f"{name} given" for name in options)])
    what = "common model" if common else "model of each sequence"
    words = [count(params["n_states"], "state")] if "n_states" in params else [kind]
    words += [f"{params['covariance']} covariances"] if "covariance" in params else []
    params |= {} if model is None else {"model": model}
    return params, why, as_choice(f"{measure.name}: {what}", ", ".join(words), why)


# ---------------------------------------------------------------------------------------------------------------------
# Numbers of states
# ---------------------------------------------------------------------------------------------------------------------

HMM = "hmm"
"""Kind of model whose size is chosen; others keep their defaults."""
STARTPROB_EACH: Start = "flat"
"""Option for models of single sequences: no distribution of the first state. If fitted, it would be the state in which that
sequence begins, and sequences that begin elsewhere in the same cycle would be far away."""


def choose_params(
    kind: str, common: bool, sequences: SequenceSet, n_states: int | None, seed: int
) -> tuple[dict[str, Any], str]:
    """Return non-default parameters of the models of a kind, and the reason."""
    if kind != HMM:
        return {}, "defaults"
    return (common_states if common else own_states)(sequences, n_states, seed)


def common_states(sequences: SequenceSet, n_states: int | None, seed: int) -> tuple[dict[str, Any], str]:
    """Return arguments for fitting one model of all sequences, and the reason."""
    if n_states is not None:
        return {"n_states": n_states}, "given"
    part = random_subset(sequences, seed, frames=limits.SWEEP_FRAMES)
    tried = candidates(len(part.values), limits.STATES_COMMON)
    sweep = sweep_states(part, tried, random_state=derive_seed(seed, "sweep"), n_init=1)
    return {"n_states": sweep.best}, _why("least BIC", sweep.best, tried, len(part), len(sequences))


def own_states(sequences: SequenceSet, n_states: int | None, seed: int) -> tuple[dict[str, Any], str]:
    """Return arguments for fitting one model per sequence, and the reason: the largest held-out likelihood."""
    from ..models.hmm import fit_bank, log_likelihood, smoothed, with_start

    if n_states is not None:
        return {"n_states": n_states, "startprob": STARTPROB_EACH}, "given"
    part = random_subset(sequences, seed, items=limits.SWEEP_SEQUENCES)
    keys = np.array([key.hex() for key in part.content_keys])
    others = keys[:, None] != keys
    tried = [k for k in limits.STATES_EACH if k <= int(sequences.lengths.min())]
    if not others.any():
        return {"n_states": tried[0], "covariance": "diag", "startprob": STARTPROB_EACH}, "no two sequences differ"
    scores = []
    for covariance in ("diag", "full") if 1 < sequences.n_features <= limits.MAX_FULL_FEATURES else ("diag",):
        for k in tried:
            bank = fit_bank(part, k, covariance=covariance, random_state=derive_seed(seed, "sweep"), n_init=1)
            bank = smoothed(with_start(bank, STARTPROB_EACH), part.lengths)
            scores.append((-left_out_likelihood(log_likelihood(bank, part), others), k, covariance))
    _, best, covariance = min(scores)
    why = _why("largest likelihood of sequences left out", best, tried, len(part), len(sequences))
    chosen = {"n_states": best, "covariance": covariance, "startprob": STARTPROB_EACH}
    if sequences.alphabet is not None:
        # Symbols have no covariances.
        del chosen["covariance"]
    return chosen, why


def left_out_likelihood(loglik: FloatArray, others: NDArray[np.bool_]) -> float:
    """Return the log-likelihood, in nats, of held-out sequences under models of one sequence each.

    `loglik`, shape (N, N), has a row a model; `others` says which models may speak for a sequence: not its own, and not
    those of equal sequences. Each sequence is under the equal mixture of these models, and left out where there is
    none. Habbema, Hermans and van den Broek (1974) and Duin (1976) choose the width of a kernel density in this way;
    here a kernel is the model of a sequence.
    """
    from scipy.special import logsumexp

    count = others.sum(axis=0)
    able = count > 0
    mixed = logsumexp(loglik[:, able], b=others[:, able], axis=0)
    return float((mixed - np.log(count[able])).sum())


def _why(rule: str, best: int, tried: Sequence[int], looked: int, n: int) -> str:
    text = f"{rule} among {', '.join(map(str, tried))}"
    text += f", on {looked} sequences drawn at random" if looked < n else ""
    return text + ("; the largest number tried, more may be better" if best == tried[-1] and len(tried) > 1 else "")


# ---------------------------------------------------------------------------------------------------------------------
# How numbers are read: which are rounding, and what a negative one means
# ---------------------------------------------------------------------------------------------------------------------

MAX_SUSPECT_ENTRY = 1e-9
"""Largest entry below which matrices are tested for being rounding errors; for measures of pairs, in squares of the largest
value of the data. It decides alone only for comparisons by models, which have no unit."""
LAST_DIGITS = 2.0**-42
"""Largest relative change of values in the test for rounding: far above rounding, far below differences in data."""
SHIFT = "least"
"""Sentence on the reference point of dissimilarities that are logarithms."""

Compute = Callable[[MeasureInput], FloatArray]


def without_rounding(measure: Measure, distance: FloatArray, evidence: MeasureInput, compute: Compute) -> FloatArray:
    """Return the matrix, or zeros if it consists of rounding errors.

    A number that becomes another one where the last digits of the data change was made by these. ``compute(evidence)`` is
    the matrix of other evidence.
    """
    size = np.abs(distance)
    largest = float(size.max(initial=0.0))
    suspect = MAX_SUSPECT_ENTRY
    if measure.requires == "sequences" and measure.scope == "pair":
        with np.errstate(over="ignore"):
            suspect *= max(1.0, float(np.square(np.abs(evidence.sequences.values).max(initial=0.0))))
    if largest == 0.0 or largest > suspect:
        return distance
    if measure.requires not in ("sequences", "loglik"):
        return np.zeros_like(distance)
    furthest = np.sort(np.unravel_index(int(size.argmax()), size.shape))
    # A measure of pairs needs no other items.
    items = furthest if measure.scope == "pair" else np.arange(len(distance))
    i, j = np.searchsorted(items, furthest)
    shaken = float(compute(_shaken(evidence, items))[i, j])
    return distance if abs(shaken - float(distance[tuple(furthest)])) <= 0.5 * largest else np.zeros_like(distance)


def _shaken(evidence: MeasureInput, items: IntArray) -> MeasureInput:
    """Return the log-evidence of some items after perturbing the last digits of their likelihoods or values."""

    def changed(values: FloatArray) -> FloatArray:
        # Scaling only shrinks values, so none leaves the range of float64.
        less = stream(0, "last digits").choice([0.0, LAST_DIGITS], size=values.shape)
        return np.asarray(values * (1.0 - less))

    sequences = evidence.sequences.subset(items)
    if evidence.loglik is not None:
        return replace(evidence, items=sequences, loglik=changed(evidence.loglik[np.ix_(items, items)]))
    return replace(evidence, items=replace(sequences, values=changed(sequences.values)), parts={})


def is_logarithmic(measure: Measure, options: Options) -> bool:
    """Return whether dissimilarities count as minus logarithms of affinities, of which only differences matter."""
    return measure.locally_scaled or options.clusterer == DIRECT_CLUSTERER


def nonnegative(
    measure: Measure, distance: FloatArray, findings: dict[str, Any], options: Options
) -> tuple[FloatArray, dict[str, Any], Remarks]:
    """Return the matrix as later steps use it, without negative entries, its findings, and notes on them.

    Logarithms are counted from the least; of printed formulas that have a sign the size counts, as in the documents, whose
    kernel squares them.
    """
    apart = ~np.eye(len(distance), dtype=bool)
    least = float(distance[apart].min(initial=0.0))
    if least >= 0.0:
        return distance, findings, NO_REMARKS
    if is_logarithmic(measure, options):
        why = "they are logarithms, of which only differences count"
        shifted = np.where(apart, distance - least, 0.0)
        return shifted, {**findings, SHIFT: least}, as_choice(f"{measure.name}: sign", "counted from the least", why)
    why = "some are negative, and clusters, silhouettes and new sequences have to read them alike"
    return np.abs(distance), findings, as_choice(f"{measure.name}: sign", "the size of the dissimilarities", why)


def nonnegative_rows(distance: FloatArray, findings: dict[str, Any]) -> FloatArray:
    """Return dissimilarities of new sequences, shape (M, N), interpreted as those of the matrix were."""
    return np.maximum(distance - findings[SHIFT], 0.0) if SHIFT in findings else np.abs(distance)
