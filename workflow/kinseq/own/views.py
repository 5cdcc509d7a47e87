"""What one measure makes of the sequences: its models are chosen and fitted, its matrix computed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..arrays import FloatArray, IntArray
from ..errors import ParameterError
from ..measures.evidence import FITTED
from ..measures.registry import Evidence, Measure
from ..seeds import derive_seed
from ..sequences import SequenceSet
from .run import Run, plural
from .states import common_states, own_states

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
    common : HMMBank or None
        The common model, where there is one.
    bank : HMMBank or None
        One model a sequence, kept from the first prediction on that asks for them.
    """

    measure: Measure
    distance: FloatArray
    labels: IntArray
    findings: dict[str, Any]
    choice: str
    fit: dict[str, Any]
    common: HMMBank | None = None
    bank: HMMBank | None = None


def view_of(measure: Measure, sequences: SequenceSet, n_clusters: int | None, run: Run) -> View:
    """View of a measure; all sequences are in one cluster until somebody cuts the matrix.

    Raises
    ------
    ParameterError
        If the measure needs what is not made here.
    """
    fit, why = _choose_models(measure, sequences, run)
    models = fit_models(measure, sequences, fit, run)
    distance, findings = measure.compute(evidence_for(measure, sequences, models, n_clusters, run))
    labels = np.zeros(len(sequences), dtype=np.int64)
    return View(measure, distance, labels, findings, why, fit, models if measure.needs == "global" else None)


def fit_models(measure: Measure, sequences: SequenceSet, fit: dict[str, Any], run: Run) -> HMMBank | None:
    """The models that a measure needs: one of all sequences, one of each, or none."""
    if measure.needs not in FITTED:
        return None
    from ..models.hmm import fit_bank, fit_global

    seed = derive_seed(run.seed, "fit")
    if measure.needs == "global":
        task = run.task(f"{measure.name}: fit the common model")
        return fit_global(sequences, seed=seed, threads=run.threads, progress=task, **fit)
    return fit_bank(sequences, seed=seed, threads=run.threads, progress=run.task(f"{measure.name}: fit models"), **fit)


def evidence_for(
    measure: Measure, sequences: SequenceSet, models: HMMBank | None, n_clusters: int | None, run: Run
) -> Evidence:
    """What a measure computes from, in the form it needs."""
    evidence = Evidence(sequences, n_clusters=n_clusters, seed=derive_seed(run.seed, "measure"))
    if models is None:
        return evidence
    if measure.needs == "global":
        return replace(evidence, common=models)
    if measure.needs == "bank":
        return replace(evidence, bank=models)
    from ..models.hmm import log_likelihood

    task = run.task(f"{measure.name}: score sequences")
    return replace(evidence, loglik=log_likelihood(models, sequences, threads=run.threads, progress=task))


def _choose_models(measure: Measure, sequences: SequenceSet, run: Run) -> tuple[dict[str, Any], str]:
    """Arguments of the fit of a measure's models, and why."""
    if measure.needs == "sequences":
        why = "needs no models"
        run.choices.append((f"{measure.name}: models", "none", why))
        return {}, why
    if measure.needs not in FITTED:
        raise ParameterError(
            f"measure {measure.name!r} needs {measure.needs!r}, which is not made here; choose another"
        )
    common = measure.needs == "global"
    fit, why = (common_states if common else own_states)(sequences, run.settings.n_states, run.seed)
    kind = "common model" if common else "model of each sequence"
    covariances = f", {fit['covariance']} covariances" if "covariance" in fit else ""
    run.choices.append((f"{measure.name}: {kind}", plural(fit["n_states"], "state") + covariances, why))
    return fit, why
