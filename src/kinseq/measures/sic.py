"""Similarity by iterative classifications as a measure of sequences, vectors and items in sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..core.arrays import FloatArray, as_real
from ..core.errors import ParameterError, unknown_name
from ..core.ordering import by_content
from ..core.seeds import derive_seed
from ..core.sequences import SequenceSet
from ..core.symbols import indicators
from ..core.tokens import Items
from ..features.recordings import recording_info
from ..sic.cache import Remembered, key_of
from ..sic.computing import Similarity, score, similarity
from ..sic.diagnostics import convergence, settled_at
from ..sic.labels import Labels
from ..sic.recipes import RECIPES, named
from ..sic.samples import samples_of
from .registry import Measure, MeasureInput

AUTO = "auto"
MIN_ITEMS = 4
"""Least number of distinct items: two to learn from and two to classify."""
SCORING = ("scores", "p0", "flips", "sigma")
"""Parameters that do not affect results: measures that differ only in them share a run."""

SHARE_IN_WORDS = "a share of the iterations above 0 and below 1"

_RUNS: Remembered[Labels] = Remembered()


def choose_classifier(items: Items) -> str:
    """Return the name in :data:`~kinseq.sic.recipes.RECIPES` that fits a kind of items.

    Word models for recordings and symbols, fields for sentences, else trees.
    """
    if not isinstance(items, SequenceSet):
        return "crf"
    return "hmm" if recording_info(items).from_files or items.alphabet is not None else "forest"


def _recipe(items: Items, classifier: str, settings: Mapping[str, Any] | None) -> Any:
    if classifier != AUTO and classifier not in RECIPES:
        raise ParameterError(unknown_name("classifier", classifier, (AUTO, *RECIPES)))
    name = choose_classifier(items) if classifier == AUTO else classifier
    options = dict(settings or {})
    if classifier == AUTO and name == "hmm" and "n_states" not in options:
        # The shortest recording bounds the number of states.
        options["n_states"] = int(min(5, items.lengths.min()))  # type: ignore[union-attr]
    return named(name, **{key: tuple(value) if isinstance(value, list) else value for key, value in options.items()})


def _similarity(items: Items, recipe: Any, seed: int, threads: int, params: Mapping[str, Any]) -> Similarity:
    """Return a run, or the cached scores of one with the same parameters."""
    scoring = {name: params[name] for name in SCORING}
    options = {name: value for name, value in params.items() if name not in SCORING}
    about = {**options, "recipe": repr(recipe), "seed": seed}
    key = key_of(items, about)
    # Iterations do not depend on how many follow: a run is a prefix of every longer one.
    longest = key_of(items, {**about, "stop": None, "n_iterations": None})
    whole, wanted = _RUNS.get(longest), options["n_iterations"]
    labels = _RUNS.get(key)
    if labels is None and whole is not None and whole.n_iterations >= wanted:
        labels = whole.first(wanted)
        if options["stop"] is not None:
            labels = labels.first(settled_at(labels, options["stop"], threads))
    if labels is not None:
        owners = samples_of(items, params["same_label"]).owners
        return score(labels, occurrences=owners, random_state=seed, n_jobs=threads, name=items.name, **scoring)
    result = similarity(items, recipe, random_state=seed, n_jobs=threads, progress="sic", **params)
    _RUNS.put(key, result.labels, result.labels.values.nbytes)
    if whole is None or whole.n_iterations < result.labels.n_iterations:
        _RUNS.put(longest, result.labels, result.labels.values.nbytes)
    return result


def _settling(labels: Labels, share: float, threads: int) -> dict[str, float]:
    """Return the correlation of the similarity after a share of the iterations with that after all of them."""
    at = max(2, round(share * labels.n_iterations))
    agreement = convergence(labels, [at], threads)
    return {"settled_pearson": float(agreement.pearson[0]), "settled_spearman": float(agreement.spearman[0])}


def _compute(
    evidence: MeasureInput,
    classifier: str,
    settings: Mapping[str, Any] | None,
    labels: Any,
    settling: float | None,
    **params: Any,
) -> tuple[FloatArray, dict[str, Any]]:
    items, order = evidence.items, None
    share = None if settling is None else as_real(settling, "settling", SHARE_IN_WORDS)
    if share is not None and not 0.0 < share < 1.0:
        raise ParameterError(f"settling is {settling!r}, expected {SHARE_IN_WORDS}")
    if share is not None and not isinstance(items, SequenceSet) and len(items.places) > len(items):
        raise ParameterError(f"settling is {settling!r}, but {items.name} holds items that occur often; leave it out")
    recipe = _recipe(items, classifier, settings)
    if isinstance(items, SequenceSet) and items.alphabet is not None:
        # Classifiers learn from numbers.
        items = indicators(items)
    if isinstance(items, SequenceSet):
        # Draws pick positions: sorted by content, the given order does not matter.
        order = by_content(items)
        items = items.subset(order.positions)
        if len(items) < 2 or int((together := samples_of(items).together).max()) + 1 < MIN_ITEMS:
            apart = np.zeros((1, 1)) if len(items) < 2 else (together[:, None] != together).astype(np.float64)
            return order.restore_matrix(apart), {"n_iterations": 0.0}
    options = {"labels": tuple(labels) if isinstance(labels, list) else labels, **params}
    result = _similarity(items, recipe, derive_seed(evidence.seed, "sic"), evidence.threads, options)
    findings = result.findings
    if share is not None:
        findings = {**findings, **_settling(result.labels, share, evidence.threads)}
    distance = result.distance
    if params["scores"] in ("weighted", "flipped"):
        # Scores are unbounded: the largest is the nearest.
        top = float(result.matrix[~np.eye(len(distance), dtype=bool)].max())
        distance = top - np.asarray(result.matrix, dtype=np.float64)
        np.fill_diagonal(distance, 0.0)
    return (distance if order is None else order.restore_matrix(distance)), findings


MEASURES = (
    Measure(
        name="sic",
        description="how often items get the same label in many random classifications",
        label="SIC",
        source="report RR-8880, equations 2 to 10",
        function=_compute,
        requires="items",
        scope="task",
        random=True,
        accepts=("numbers", "symbols"),
        classes_by={"labels": "classes"},
        params={
            "classifier": "auto",
            "settings": None,
            "n_iterations": 150,
            "train": 0.25,
            "labels": "auto",
            "min_per_label": None,
            "scores": "binary",
            "test": None,
            "train_tested": False,
            "same_label": True,
            "stop": None,
            "p0": "independence",
            "flips": None,
            "sigma": 1.0,
            "settling": None,
        },
    ),
)
