"""Fit the models that a measure needs, for callers that only have sequences."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..core.arrays import FloatArray
from ..core.errors import DataError, ParameterError, is_one_of, unknown_name
from ..core.jobs import as_threads
from ..core.random_state import RandomState, check_seed
from ..core.seeds import derive_seed
from ..core.sequences import Sequences, SequenceSet
from ..core.tokens import TokenSet, as_items
from ..core.wording import option_name
from ..models.kinds import registry as kinds
from .custom import Function, as_measure
from .inputs import gather, require_usable
from .registry import Measure, MeasureInput
from .requirements import REQUIREMENTS

if TYPE_CHECKING:
    from ..models.hmm import HMMBank

Reporter = str | Callable[[int, int], None] | None
"""A label for progress lines on standard error, or ``progress(done, total)``."""


def model_kind(measure: Measure, model: str | None = None) -> str | None:
    """Return the kind of model that is fitted for a measure, None if it needs none.

    Without `model` it is the one that all measures share where it serves, else the measure's first. :class:`ParameterError` if the
    measure cannot use the kind requested.
    """
    if REQUIREMENTS[measure.requires].models is None:
        if model is not None:
            raise ParameterError(f"measure {measure.name!r} needs no models, model={model!r} was given; leave it out")
        return None
    valid = measure.model_kinds or kinds.names()
    if model is None:
        return kinds.DEFAULT if kinds.DEFAULT in valid else valid[0]
    if not is_one_of(model, valid):
        raise ParameterError(f"measure {measure.name!r}: {unknown_name('model kind', model, valid)}")
    return model


def accepts(measure: Measure, model: str | None) -> bool:
    """Return whether a measure uses models that may be of a given kind."""
    if REQUIREMENTS[measure.requires].models is None:
        return False
    return model is None or is_one_of(model, measure.model_kinds or kinds.names())


def valid_params(measure: Measure, model: str | None = None) -> list[str]:
    """Return names of all parameters that :func:`kinseq.measures.compute` takes for a measure and a kind of model, sorted."""
    kind = model_kind(measure, model)
    return sorted({*measure.params, *(("model", *kinds.params_of(kind)) if kind else ())})


def fit(
    measure: Measure,
    sequences: Sequences | TokenSet,
    n_clusters: int | None = None,
    random_state: RandomState = 0,
    model: str | None = None,
    n_jobs: int | None = None,
    progress: Reporter = None,
    **params: Any,
) -> HMMBank | None:
    """Fit the models that a measure needs: one a sequence, or one of all; None if it needs none.

    The stream of the fit does not depend on the measure, so that all measures see the same models. `model` is a kind
    (:func:`model_kind`), `params` are those of it; `n_clusters` sizes a common model whose number of states is not
    given. A DataError if sequences are not usable, or too short for the measure.
    """
    seed, threads = check_seed(random_state), as_threads(n_jobs)
    items = as_items(sequences)
    clusters = require_usable(measure, items, n_clusters)
    kind = model_kind(measure, model)
    if kind is None:
        return None
    if isinstance(items, TokenSet):
        raise DataError(
            f"{items.name}: holds words in sentences, to which no model of sequences is fitted; use a measure of words"
        )
    common = REQUIREMENTS[measure.requires].models == "common"
    stream = derive_seed(seed, "fit")
    return kinds.get(kind).fit(items, common, clusters, stream, n_jobs=threads, progress=progress, **params)


def gather_from_models(
    measure: Measure,
    sequences: Sequences | TokenSet,
    models: HMMBank | None,
    n_clusters: int | None = None,
    random_state: RandomState = 0,
    n_jobs: int | None = None,
    progress: Reporter = None,
) -> MeasureInput:
    """Evidence of sequences under given models, which score them if the measure uses likelihoods.

    The measure may use the threads too, and draws from `random_state`. Errors are those of :func:`fit`.
    """
    seed, threads = check_seed(random_state), as_threads(n_jobs)
    items = as_items(sequences)
    loglik = None
    if measure.requires == "loglik" and models is not None and isinstance(items, SequenceSet):
        from ..models.hmm import log_likelihood

        loglik = log_likelihood(models, items, n_jobs=threads, progress=progress)
    return replace(gather(measure, items, models, loglik, n_clusters=n_clusters, seed=seed), threads=threads)


def split_params(measure: Measure, params: Iterable[str], model: str | None = None) -> tuple[list[str], list[str]]:
    """Split parameters by name into those of the measure and those of model fits; refuse unknown ones."""
    valid = valid_params(measure, model)
    own: list[str] = []
    of_models: list[str] = []
    for param in params:
        if param not in valid:
            if not valid:
                raise ParameterError(
                    f"measure {measure.name!r}: takes no parameters, {param!r} was given; leave it out"
                )
            raise ParameterError(f"measure {measure.name!r}: {unknown_name('parameter', param, valid)}")
        (own if param in measure.params else of_models).append(param)
    return own, of_models


def compute_with_findings(
    name: str | Measure | Function,
    sequences: Sequences | TokenSet,
    n_clusters: int | None = None,
    random_state: RandomState = 0,
    model: str | None = None,
    n_jobs: int | None = None,
    **params: Any,
) -> tuple[FloatArray, dict[str, Any]]:
    """Like :func:`kinseq.measures.compute` within one set, with the findings of the measure.

    Returns
    -------
    distance : ndarray, shape (N, N)
    findings : dict
        Counts of repairs, the share of models kept, and the like.
    """
    seed, threads = check_seed(random_state), as_threads(n_jobs)
    measure = as_measure(name)
    own, of_models = split_params(measure, params, model)
    if measure.requires_n_clusters and n_clusters is None:
        raise ParameterError(f"measure {measure.name!r} needs the number of clusters; pass {option_name('n_clusters')}")
    items = as_items(sequences)
    models = fit(measure, items, n_clusters, seed, model, threads, **{param: params[param] for param in of_models})
    evidence = gather_from_models(measure, items, models, n_clusters, derive_seed(seed, "measure"), threads)
    return measure.compute(evidence, **{param: params[param] for param in own})
