"""What a measure needs is fitted here, for callers that hold nothing but sequences."""

from __future__ import annotations

from typing import Any

from ..arrays import FloatArray, require_clusters
from ..errors import DataError, ParameterError, unknown_name
from ..seeds import derive_seed
from ..sequences import Sequences, as_sequence_set
from .registry import Evidence, Measure, get

MODEL_PARAMS = ("n_states", "preset", "covariance", "n_init", "max_iter", "tol", "floor")
"""Names of the parameters that go to the fit of the models, for measures that need any."""

FITTED = ("loglik", "bank", "global")

# Number of states when none is given: of one model per sequence; of a common model, per cluster, and without clusters.
STATES_EACH = 2
STATES_PER_CLUSTER = 2
STATES_COMMON = 8


def valid_params(measure: Measure) -> list[str]:
    """Names of all parameters that :func:`compute` takes for a measure, sorted."""
    return sorted({*measure.params, *(MODEL_PARAMS if measure.needs in FITTED else ())})


def gather(
    measure: Measure,
    sequences: Sequences,
    n_clusters: int | None = None,
    seed: int = 0,
    n_states: int | None = None,
    **fit: Any,
) -> Evidence:
    """Fit what `measure` needs.

    Parameters
    ----------
    measure : Measure
    sequences : SequenceSet or list of array_like, each of shape (T, d)
    n_clusters : int, optional
        Number of clusters looked for.
    seed : int
        Root seed. The stream of the fit does not depend on the measure, so that all measures see the same models.
    n_states : int, optional
        Number of hidden states; 2 for one model per sequence. For a common model 2 per cluster, or 8 without
        `n_clusters`.
    **fit
        Further arguments of :func:`kinseq.models.hmm.fit_bank`.

    Returns
    -------
    Evidence

    Raises
    ------
    DataError
        If the sequences are not usable, or too short for the measure.
    ParameterError
        If there are more clusters than sequences, or an argument of the fit is out of range.
    """
    given = as_sequence_set(sequences)
    clusters = None if n_clusters is None else require_clusters(len(given), n_clusters, f"measure {measure.name!r}")
    if not measure.one_frame and (given.lengths < 2).any():
        short = given.ids[int((given.lengths < 2).argmax())]
        raise DataError(
            f"{given.name}: sequence {short!r} has a single frame but measure {measure.name!r} needs at least two;"
            " remove it"
        )
    stream = derive_seed(seed, "fit")
    found: dict[str, Any] = {}
    if measure.needs in ("loglik", "bank"):
        from ..models.hmm import fit_bank, log_likelihood

        bank = fit_bank(given, STATES_EACH if n_states is None else n_states, seed=stream, **fit)
        found = {"loglik": log_likelihood(bank, given)} if measure.needs == "loglik" else {"bank": bank}
    elif measure.needs == "global":
        from ..models.hmm import fit_global

        default = STATES_COMMON if clusters is None else STATES_PER_CLUSTER * clusters
        found = {"common": fit_global(given, default if n_states is None else n_states, seed=stream, **fit)}
    return Evidence(given, n_clusters=clusters, seed=derive_seed(seed, "measure"), **found)


def compute_with_findings(
    name: str, sequences: Sequences, n_clusters: int | None = None, seed: int = 0, **params: Any
) -> tuple[FloatArray, dict[str, Any]]:
    """Like :func:`compute`, with what the measure reports beside the matrix.

    Returns
    -------
    distance : ndarray, shape (N, N)
    findings : dict
        Counts of repairs, the share of models kept, and the like.
    """
    measure = get(name)
    valid = valid_params(measure)
    for param in params:
        if param not in valid:
            if not valid:
                raise ParameterError(f"measure {name!r}: takes no parameters, {param!r} was given; leave it out")
            raise ParameterError(f"measure {name!r}: {unknown_name('parameter', param, valid)}")
    if measure.needs_n_clusters and n_clusters is None:
        raise ParameterError(f"measure {name!r} needs the number of clusters; pass n_clusters")
    own = {param: value for param, value in params.items() if param in measure.params}
    fit = {param: value for param, value in params.items() if param not in measure.params}
    return measure.compute(gather(measure, sequences, n_clusters, seed, **fit), **own)


def compute(name: str, sequences: Sequences, n_clusters: int | None = None, seed: int = 0, **params: Any) -> FloatArray:
    """Dissimilarities between sequences under a registered measure; what it needs is fitted first.

    Parameters
    ----------
    name : str
        One of :func:`kinseq.measures.names`.
    sequences : SequenceSet or list of array_like, each of shape (T, d)
        At least one.
    n_clusters : int, optional
        Number of clusters looked for; some measures need it.
    seed : int
        Root seed. All measures that need the same kind of model see the same models under one seed.
    **params
        The measure's own parameters, and those of the model fit: ``n_states``, ``preset``, ``covariance``, ``n_init``,
        ``max_iter``, ``tol``, ``floor``.

    Returns
    -------
    ndarray, shape (N, N), float64
        Symmetric, finite, zero diagonal.

    Raises
    ------
    ParameterError
        If the measure or a parameter is unknown (the message lists the valid names) or out of range.
    DataError
        If the sequences are not usable.

    Examples
    --------
    >>> from kinseq import measures
    >>> distance = measures.compute("kl_ll", sequences, seed=0, n_states=3)  # doctest: +SKIP
    """
    return compute_with_findings(name, sequences, n_clusters, seed, **params)[0]
