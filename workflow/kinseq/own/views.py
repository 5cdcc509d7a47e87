"""What one measure makes of the sequences: its models are chosen and fitted, its matrix computed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..arrays import FloatArray, IntArray
from ..measures import evidence as gathering
from ..measures.needs import NEEDS
from ..measures.registry import Measure
from ..seeds import derive_seed
from ..sequences import SequenceSet
from .run import Run, plural
from .states import choose_params

if TYPE_CHECKING:
    from ..models.hmm import HMMBank


@dataclass
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
    models : HMMBank or None
        The common model, where there is one; models of each sequence from the first prediction on that asks for them.
    """

    measure: Measure
    distance: FloatArray
    labels: IntArray
    findings: dict[str, Any]
    choice: str
    fit: dict[str, Any]
    models: HMMBank | None = None


def view_of(measure: Measure, sequences: SequenceSet, n_clusters: int | None, run: Run) -> View:
    """View of a measure; all sequences are in one cluster until somebody cuts the matrix."""
    fit, why = _choose_models(measure, sequences, run)
    models = fit_models(measure, sequences, fit, run)
    task = run.task(f"{measure.name}: score sequences")
    stream = derive_seed(run.seed, "measure")
    evidence = gathering.gather_from_models(measure, sequences, models, n_clusters, stream, run.threads, task)
    distance, findings = measure.compute(evidence)
    kept = models if NEEDS[measure.needs].models == "common" else None
    return View(measure, distance, np.zeros(len(sequences), dtype=np.int64), findings, why, fit, kept)


def fit_models(measure: Measure, sequences: SequenceSet, fit: dict[str, Any], run: Run) -> HMMBank | None:
    """The models that a measure needs: one of all sequences, one of each, or none."""
    what = {"common": "fit the common model", "each": "fit models"}.get(NEEDS[measure.needs].models or "")
    task = run.task(f"{measure.name}: {what}")
    return gathering.fit(measure, sequences, seed=run.seed, threads=run.threads, progress=task, **fit)


def _choose_models(measure: Measure, sequences: SequenceSet, run: Run) -> tuple[dict[str, Any], str]:
    """Arguments of the fit of a measure's models, and why."""
    kind = gathering.model_kind(measure)
    if kind is None:
        why = "needs no models"
        run.choices.append((f"{measure.name}: models", "none", why))
        return {}, why
    common = NEEDS[measure.needs].models == "common"
    params, why = choose_params(kind, common, sequences, run.settings.n_states, run.seed)
    what = "common model" if common else "model of each sequence"
    said = [plural(params["n_states"], "state")] if "n_states" in params else [kind]
    said += [f"{params['covariance']} covariances"] if "covariance" in params else []
    run.choices.append((f"{measure.name}: {what}", ", ".join(said), why))
    return params, why
