"""KL-LL: Kullback-Leibler divergence between the distributions that sequences induce over a pool of models.

Column j of the likelihood matrix, scaled to sum one, is read as a distribution over the models given sequence j; the
distance of two sequences is the symmetrised divergence of their distributions (thesis 2011, section 2.3, equations
2.6-2.8). A pool of models smaller than the whole set is built and selected without labels (thesis 2011, section 2.3.1;
PAMI 2009, section 4.2).
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from ..core.arrays import FloatArray, IntArray, as_flag, require_clusters, require_finite
from ..core.errors import DataError, KinseqWarning, ParameterError, is_one_of, unknown_name
from ..core.graphs.affinity import Diagonal, WidthRule, best_eigengap, choose_width, eigengap, spectrum
from ..core.graphs.laplacian import TIE_TOLERANCE
from ..core.random_state import RandomState, check_seed
from .likelihood import normalised
from .registry import Measure, MeasureInput

Norm = Literal["exp", "linear"]
PoolRule = Literal["least_mass", "longest"]
Criterion = Literal["eigengap", "ratio"]

NORMS = ("exp", "linear")
POOL_RULES = ("least_mass", "longest")
CRITERIA = ("eigengap", "ratio")

# Floor of probabilities, so that logarithms stay finite.
MIN_PROBABILITY = 1e-300


def _matrix(L: ArrayLike) -> FloatArray:
    matrix = np.asarray(L, dtype=np.float64)
    if matrix.ndim != 2 or 0 in matrix.shape:
        raise DataError(f"likelihood matrix: has shape {matrix.shape}, expected (models, sequences), none of them zero")
    require_finite(matrix, "likelihood matrix")
    return matrix


def _as_pool(pool: ArrayLike | None, n_models: int) -> IntArray:
    if pool is None:
        return np.arange(n_models, dtype=np.int64)
    rows = np.asarray(pool)
    if rows.ndim != 1 or rows.size == 0 or rows.dtype.kind not in "iu":
        raise ParameterError(f"pool has shape {rows.shape} and type {rows.dtype}, expected a list of row numbers")
    if rows.min() < 0 or rows.max() >= n_models or np.unique(rows).size != rows.size:
        raise ParameterError(f"pool: row numbers must be distinct and within 0 .. {n_models - 1}")
    return rows.astype(np.int64)


def model_distributions(
    L: ArrayLike,
    pool: ArrayLike | None = None,
    norm: Norm = "exp",
) -> tuple[FloatArray, FloatArray, int]:
    """Distribution over the models of a pool for each sequence, its logarithm, and the number of floored shares.

    From length-normalised log-likelihoods (P, N), rows are models; `pool` are the rows that take part. ``"exp"`` scales
    likelihoods ``exp(l)`` to sum one, the column maximum subtracted first; the logarithm is then exact where the share
    has underflown to zero. ``"linear"`` takes the log-likelihoods themselves over their sum, the literal "normalise the
    likelihood matrix"; shares that come out negative are raised to 1e-300, or made equal where a column sums to zero.
    Thesis 2011, section 2.3.
    """
    matrix = _matrix(L)
    rows = _as_pool(pool, len(matrix))
    if not is_one_of(norm, NORMS):
        raise ParameterError(unknown_name("norm", norm, NORMS))
    used = matrix[rows]
    n_floored = 0
    if norm == "exp":
        centred = used - used.max(axis=0)
        probability = np.exp(centred)
        mass = probability.sum(axis=0)
        # Computed from log-likelihoods, not probabilities: sharp models give most sequences less than the smallest
        # number, and a floor would make all of those equally distant.
        logs = centred - np.log(mass)
        probability /= mass
    else:
        total = used.sum(axis=0)
        flat = np.abs(total) <= np.finfo(np.float64).tiny * 1e10
        n_floored = int(flat.sum()) * len(used)
        shares = np.where(flat, 1.0 / len(used), used / np.where(flat, 1.0, total))
        probability = np.maximum(shares, 0.0)
        probability /= probability.sum(axis=0)
        n_floored += int((probability < MIN_PROBABILITY).sum())
        probability = np.maximum(probability, MIN_PROBABILITY)
        logs = np.log(probability)
    return probability, logs, n_floored


def _divergences(probability: FloatArray, logs: FloatArray) -> FloatArray:
    """Symmetrised divergence between all pairs of columns as matrix products."""
    # The sum over models of (p_i - p_j)(log p_i - log p_j) does not change when a constant is subtracted from all
    # columns; without the row means, the products are of the size of the differences, and little is lost to
    # cancellation.
    p = probability - probability.mean(axis=1, keepdims=True)
    q = logs - logs.mean(axis=1, keepdims=True)
    cross = p.T @ q
    own = np.diag(cross)
    distance = 0.5 * ((own[:, None] + own) - (cross + cross.T))
    np.maximum(distance, 0.0, out=distance)
    np.fill_diagonal(distance, 0.0)
    return distance


def _divergences_between(probability: FloatArray, logs: FloatArray, n_old: int) -> FloatArray:
    """Symmetrised divergences of the columns from `n_old` on from those before, shape (M, N); each row by its column alone."""
    # As above, less the means of the old ones, on which no new one has an influence.
    p, q = (
        np.ascontiguousarray((each - each[:, :n_old].mean(axis=1, keepdims=True)).T) for each in (probability, logs)
    )
    before, after = (p[:n_old], q[:n_old]), zip(p[n_old:], q[n_old:], strict=True)
    own = np.einsum("ij,ij->i", *before)
    # A product of two matrices differs by its last digits with the number of rows.
    rows = [0.5 * ((p_new @ q_new + own) - (before[1] @ p_new + before[0] @ q_new)) for p_new, q_new in after]
    return np.maximum(np.stack(rows), 0.0)


def _warn_floored(n_floored: int, norm: str) -> None:
    if n_floored and norm == "linear":
        warnings.warn(
            f"KL-LL: {n_floored} shares of log-likelihoods were not positive and were floored; the signs within a"
            " column differ, so use norm='exp'",
            KinseqWarning,
            stacklevel=3,
        )


def kl_ll(L: ArrayLike, pool: ArrayLike | None = None, norm: Norm = "exp") -> FloatArray:
    """KL-LL distance: symmetrised divergence ``(KL(p_i, p_j) + KL(p_j, p_i)) / 2`` of distributions over models.

    Parameters
    ----------
    L : array_like, shape (P, N)
        Length-normalised log-likelihoods, rows are models and columns sequences.
    pool : array_like of int, optional
        Rows (models) that take part; all by default.
    norm : {"exp", "linear"}
        How a column becomes a distribution, see :func:`model_distributions`.

    Returns
    -------
    ndarray, shape (N, N)
        Nats; symmetric, not negative, zero diagonal. All zero for a pool of one model.

    Raises
    ------
    DataError
        If the matrix is empty or not finite.
    ParameterError
        If the pool names a row that does not exist or names one twice, or the norm is unknown.

    References
    ----------
    Thesis 2011, equations 2.6-2.8; PAMI 2009, equations 6-8.
    """
    probability, logs, n_floored = model_distributions(L, pool, norm)
    _warn_floored(n_floored, norm)
    return _divergences(probability, logs)


def build_pool(
    L: ArrayLike,
    lengths: ArrayLike,
    rule: PoolRule = "least_mass",
) -> IntArray:
    """Order (N,) in which models join the pool; the first P entries are the pool of P models.

    ``"least_mass"`` starts with the longest sequence, then adds again and again the model of the sequence that is
    represented worst, the one with the least sum of ``exp(l)`` over the models of the pool; ``"longest"`` takes the
    longest sequences first. Ties go to the lowest index. Thesis 2011, section 2.3.1 (which calls the column sum a row
    sum); PAMI 2009, section 4.2.
    """
    matrix = _matrix(L)
    frames = np.asarray(lengths, dtype=np.float64)
    n = len(matrix)
    if matrix.shape != (n, n) or frames.shape != (n,):
        raise DataError(
            f"likelihood matrix of shape {matrix.shape} and lengths of shape {frames.shape} do not fit;"
            " a pool needs one model and one length per sequence"
        )
    if not is_one_of(rule, POOL_RULES):
        raise ParameterError(unknown_name("pool rule", rule, POOL_RULES))
    if rule == "longest":
        return np.argsort(-frames, kind="stable").astype(np.int64)
    order = np.empty(n, dtype=np.int64)
    order[0] = int(frames.argmax())
    mass = matrix[order[0]].copy()
    outside = np.zeros(n)
    outside[order[0]] = np.inf
    for step in range(1, n):
        # Members get an infinite distance instead of being removed, so that positions remain indices.
        best = int((mass + outside).argmin())
        order[step] = best
        outside[best] = np.inf
        np.logaddexp(mass, matrix[best], out=mass)
    return order


def _share(value: Any, name: str, n: int, least: int, up: bool) -> int:
    """Return a count given as an int, as a fraction of N, or as ``"N/3"``."""
    amount: float
    wrong = ParameterError(f"{name} is {value!r}, expected a whole number, a fraction below 1, or text like 'N/3'")
    if isinstance(value, str):
        head, slash, tail = value.replace(" ", "").partition("/")
        if head != "N" or (slash and not tail.isdigit()) or (slash and int(tail) == 0):
            raise wrong
        amount = n / int(tail) if slash else n
    elif isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)):
        raise wrong
    else:
        amount = float(value)
        if not np.isfinite(amount) or amount < 0 or (amount >= 1 and amount != int(amount)):
            raise wrong
        if 0 < amount < 1:
            amount *= n
    # N/20 times 20 must be N again whatever the rounding of the division.
    whole = round(amount) if abs(amount - round(amount)) < 1e-9 else int(np.ceil(amount) if up else np.floor(amount))
    return min(max(whole, least), n)


def pool_sizes(n_models: int, min_pool: int | float | str = 0, pool_step: int | float | str = "N/20") -> IntArray:
    """Sizes of the candidate pools: rising multiples of the step that are not below the least size, and N itself.

    Both are a number of models, a fraction of N (below 1; rounded up, for the step down), or text like ``"N/3"``. A
    single model puts all sequences at distance zero, where both criteria are at their largest for the wrong reason, so
    that two are the least.
    """
    least = _share(min_pool, "min_pool", n_models, 2, up=True)
    step = _share(pool_step, "pool_step", n_models, 1, up=False)
    sizes = np.arange(step, n_models + 1, step, dtype=np.int64)
    sizes = np.unique(np.append(sizes, n_models))
    return sizes[sizes >= least]


@dataclass(frozen=True)
class Selection:
    """Outcome of the selection of a pool.

    Attributes
    ----------
    pool : ndarray of int64
        Rows of the selected models, in the order in which they joined.
    score : float
        Value of the criterion.
    sizes : ndarray of int64
        Sizes that were tried.
    """

    pool: IntArray
    score: float
    sizes: IntArray


def select_pool(
    L: ArrayLike,
    lengths: ArrayLike,
    n_clusters: int,
    rule: PoolRule = "least_mass",
    criterion: Criterion = "eigengap",
    norm: Norm = "exp",
    min_pool: int | float | str = 0,
    pool_step: int | float | str = "N/20",
    width: WidthRule | float = "eigengap",
    diagonal: Diagonal = "zero",
    random_state: RandomState = 0,
) -> Selection:
    """Choose the number of models by the spectrum of the resulting graph; of ties (within 1e-10) the smallest.

    The criterion is the largest ``lambda_{K+1} - lambda_K`` (thesis) or ``lambda_{K+1} / lambda_N`` (paper). For `rule`
    see :func:`build_pool`, for `norm` :func:`model_distributions`, for `min_pool` and `pool_step` :func:`pool_sizes`;
    `width` is that of the kernel of each candidate's graph. Thesis 2011, section 2.3.1; PAMI 2009, equation 9.
    """
    seed = check_seed(random_state)
    matrix = _matrix(L)
    order = build_pool(matrix, lengths, rule)
    clusters = require_clusters(len(order), n_clusters, "pool selection")
    if not is_one_of(criterion, CRITERIA):
        raise ParameterError(unknown_name("criterion", criterion, CRITERIA))
    sizes = pool_sizes(len(order), min_pool, pool_step)
    scores = np.full(sizes.size, -np.inf)
    for step, size in enumerate(sizes):
        probability, logs, _ = model_distributions(matrix, order[:size], norm)
        distance = _divergences(probability, logs)
        if criterion == "eigengap" and width == "eigengap":
            scores[step] = best_eigengap(distance, clusters, diagonal=diagonal, bar=float(scores.max()))[1]
            continue
        sigma: Any = width
        if isinstance(width, str):
            sigma = choose_width(distance, clusters, width, diagonal=diagonal, random_state=seed)
        if criterion == "eigengap":
            scores[step] = eigengap(distance, clusters, sigma, diagonal)
        elif clusters < len(order):
            values = spectrum(distance, sigma, diagonal)
            scores[step] = values[clusters] / values[-1] if values[-1] > 0 else 0.0
        else:
            scores[step] = 0.0
    best = int(np.flatnonzero(scores >= scores.max() - TIE_TOLERANCE)[0])
    return Selection(order[: sizes[best]], float(scores[best]), sizes)


def _compute_kl_ll(evidence: MeasureInput, norm: Norm, root: bool) -> tuple[FloatArray, dict[str, Any]]:
    probability, logs, n_floored = model_distributions(normalised(evidence), None, norm)
    _warn_floored(n_floored, norm)
    divergences = _divergences(probability, logs)
    return np.sqrt(divergences) if as_flag(root, "root") else divergences, {"kl_ll_floored": n_floored}


def _cross(old: MeasureInput, new: MeasureInput, pool: IntArray | None, norm: Norm) -> FloatArray:
    """Divergences of new sequences from old ones over the models of the old ones that are in the pool."""
    n, matrix = len(old.sequences), np.concatenate([normalised(old), normalised(new)], axis=1)
    probability, logs, n_floored = model_distributions(matrix, pool, norm)
    _warn_floored(n_floored, norm)
    return _divergences_between(probability, logs, n)


def _cross_kl_ll(old: MeasureInput, new: MeasureInput, norm: Norm, root: bool) -> FloatArray:
    divergences = _cross(old, new, None, norm)
    return np.sqrt(divergences) if as_flag(root, "root") else divergences


def _selected(evidence: MeasureInput, rule: PoolRule, criterion: Criterion, **params: Any) -> Selection:
    assert evidence.n_clusters is not None
    lengths = evidence.sequences.lengths
    return select_pool(
        normalised(evidence), lengths, evidence.n_clusters, rule, criterion, random_state=evidence.seed, **params
    )


def _compute_selected(
    evidence: MeasureInput, rule: PoolRule, criterion: Criterion, norm: Norm, **params: Any
) -> tuple[FloatArray, dict[str, Any]]:
    matrix = normalised(evidence)
    selection = _selected(evidence, rule, criterion, norm=norm, **params)
    probability, logs, n_floored = model_distributions(matrix, selection.pool, norm)
    _warn_floored(n_floored, norm)
    findings = {
        "models_kept": 100.0 * selection.pool.size / len(matrix),
        "pool_size": int(selection.pool.size),
        "pools_tried": int(selection.sizes.size),
        "pool_score": selection.score,
        "kl_ll_floored": n_floored,
    }
    return _divergences(probability, logs), findings


def _compute_kl_ll_ms(evidence: MeasureInput, **params: Any) -> tuple[FloatArray, dict[str, Any]]:
    return _compute_selected(evidence, "least_mass", "eigengap", **params)


def _compute_kl_ll_ms_length(evidence: MeasureInput, **params: Any) -> tuple[FloatArray, dict[str, Any]]:
    return _compute_selected(evidence, "longest", "ratio", **params)


def _cross_kl_ll_ms(old: MeasureInput, new: MeasureInput, norm: Norm, **params: Any) -> FloatArray:
    return _cross(old, new, _selected(old, "least_mass", "eigengap", norm=norm, **params).pool, norm)


def _cross_kl_ll_ms_length(old: MeasureInput, new: MeasureInput, norm: Norm, **params: Any) -> FloatArray:
    return _cross(old, new, _selected(old, "longest", "ratio", norm=norm, **params).pool, norm)


MEASURES = (
    Measure(
        name="kl_ll",
        description="the values that frames take and in which order, by a model of each sequence",
        label="KL",
        source="thesis 2011, eq. 2.8",
        function=_compute_kl_ll,
        cross=_cross_kl_ll,
        requires="loglik",
        accepts=("numbers", "symbols"),
        scope="task",
        params={"norm": "exp", "root": False},
    ),
    Measure(
        name="kl_ll_ms",
        description="like kl_ll, with the most informative models",
        label="KL+MS",
        source="thesis 2011, section 2.3.1",
        function=_compute_kl_ll_ms,
        cross=_cross_kl_ll_ms,
        requires="loglik",
        accepts=("numbers", "symbols"),
        scope="task",
        requires_n_clusters=True,
        params={"norm": "exp", "min_pool": 0, "pool_step": "N/20", "width": "eigengap", "diagonal": "zero"},
    ),
    Measure(
        name="kl_ll_ms_length",
        description="the same as kl_ll, by the models of the longest sequences",
        label="KL+MS (longest)",
        source="PAMI 2009, section 4.2, eq. 9",
        function=_compute_kl_ll_ms_length,
        cross=_cross_kl_ll_ms_length,
        requires="loglik",
        accepts=("numbers", "symbols"),
        scope="task",
        requires_n_clusters=True,
        params={"norm": "exp", "min_pool": 0, "pool_step": "N/20", "width": "eigengap", "diagonal": "zero"},
    ),
)
