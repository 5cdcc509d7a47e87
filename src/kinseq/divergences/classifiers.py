"""Divergences that a classifier induces: its held-out risk at many priors, integrated (thesis 2011, eq. 5.44)."""

from __future__ import annotations

import copy
import sys
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import ArrayLike

from ..core.arrays import FloatArray, as_count
from ..core.errors import DataError, ParameterError
from ..core.progress import Progress
from ..core.random_state import RandomState, check_seed
from ..core.seeds import stream
from ..core.system import one_thread
from .checks import as_choice, as_limits, as_pair, as_priors, require_vectors
from .families import FDivergence, as_divergence, as_loss
from .quadrature import log_odds, priors_at

LossName = Literal["zero_one", "square", "log", "hinge"]

# Keep posteriors this far from 0 and 1 under the logarithmic loss, which is infinite there.
_MIN_POSTERIOR = 1e-15

_PREDICTIONS = {"zero_one": "predict", "square": "predict_proba", "log": "predict_proba", "hinge": "decision_function"}


class Learner(Protocol):
    """A classifier of scikit-learn, with `fit` and the method that the loss needs."""

    def fit(self, X: FloatArray, y: FloatArray, /) -> object:
        """Fit the classifier to vectors and their classes."""


@dataclass(frozen=True)
class InformationCurve:
    """Statistical information of a classifier at some priors.

    Attributes
    ----------
    priors, risks, information : ndarray, shape (P,)
        Priors of the first set; held-out risks; prior risks minus the Bayes risks that these stand for, at least 0.
    n_clipped : int
        Number of priors at which the information was negative and became 0.
    n_fits : int
        Number of fits.
    """

    priors: FloatArray
    risks: FloatArray
    information: FloatArray
    n_clipped: int
    n_fits: int


def _fresh(classifier: Any) -> Any:
    if hasattr(classifier, "get_params"):
        from sklearn.base import clone

        return clone(classifier)
    return copy.deepcopy(classifier)


def _losses(fitted: Any, vectors: FloatArray, label: int, loss: LossName) -> FloatArray:
    """Loss of each vector of one class."""
    if loss == "zero_one":
        return np.asarray(fitted.predict(vectors) != label, dtype=np.float64)
    if loss == "hinge":
        margin = np.asarray(fitted.decision_function(vectors), dtype=np.float64)
        return np.maximum(0.0, 1.0 - (margin if label == 1 else -margin))
    right = np.asarray(fitted.predict_proba(vectors), dtype=np.float64)[:, list(fitted.classes_).index(label)]
    return (1.0 - right) ** 2 if loss == "square" else -np.log(np.clip(right, _MIN_POSTERIOR, 1.0))


def _share_of_risk(classifier: Any, loss: LossName) -> float:
    """Return the share of a classifier's risk that is the Bayes risk of the loss.

    The 1-NN rule answers with the label of a neighbour, as if drawn from the posterior: its risk tends to twice the
    Bayes risk under the square loss (eq. 5.22). Classifiers that answer with the posterior attain it.
    """
    return 0.5 if loss == "square" and getattr(classifier, "n_neighbors", None) == 1 else 1.0


def _training(
    x: FloatArray, y: FloatArray, prior: float, weighted: bool, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray, dict[str, FloatArray]]:
    """Vectors, labels and weights for a given prior; the surplus set is thinned instead of weighted."""
    n, m = len(x), len(y)
    if not weighted:
        keep_x = min(n, max(1, round(m * prior / (1.0 - prior))))
        keep_y = min(m, max(1, round(n * (1.0 - prior) / prior)))
        x, y = x[rng.permutation(n)[:keep_x]], y[rng.permutation(m)[:keep_y]]
    labels = np.repeat([1, 0], [len(x), len(y)])
    shares = np.where(labels == 1, prior / len(x), (1.0 - prior) / len(y)) * len(labels)
    return np.concatenate([x, y]), labels, {"sample_weight": shares} if weighted else {}


def _fit(classifier: Any, vectors: FloatArray, labels: FloatArray, weights: dict[str, FloatArray]) -> Any:
    try:
        return _fresh(classifier).fit(vectors, labels, **weights)
    except ValueError as error:
        reason = " ".join(str(error).split())
        raise DataError(
            f"classifier {type(classifier).__name__}: cannot be fitted to {len(vectors)} vectors ({reason});"
            " give larger sets or another classifier"
        ) from error


def _held_out(
    x: FloatArray,
    y: FloatArray,
    classifier: Any,
    at: FloatArray,
    loss: LossName,
    division: tuple[int, int, int],
    weighted: bool,
    progress: Progress | None,
) -> FloatArray:
    """Mean held-out losses of the vectors of either set at each prior, shape (2, P)."""
    splits, repeats, seed = division
    errors = np.zeros((2, len(at)))
    for repeat in range(repeats):
        rng = stream(seed, "classifier_divergence", repeat)
        parts = [np.array_split(rng.permutation(len(array)), splits) for array in (x, y)]
        for out_x, out_y in zip(*parts, strict=True):
            train_x, train_y = np.delete(x, out_x, axis=0), np.delete(y, out_y, axis=0)
            for k, prior in enumerate(at):
                fitted = _fit(classifier, *_training(train_x, train_y, float(prior), weighted, rng))
                errors[0, k] += _losses(fitted, x[out_x], 1, loss).sum() / (len(x) * repeats)
                errors[1, k] += _losses(fitted, y[out_y], 0, loss).sum() / (len(y) * repeats)
                if progress is not None:
                    progress.step()
    return errors


def classifier_information(
    X: ArrayLike,
    Y: ArrayLike,
    classifier: Learner,
    priors: ArrayLike,
    loss: LossName = "zero_one",
    n_splits: int = 5,
    n_repeats: int = 1,
    random_state: RandomState = 0,
    quiet: bool = False,
) -> InformationCurve:
    """Statistical information of a classifier at each prior, by stratified cross-validation.

    Parameters
    ----------
    X, Y : array_like, shapes (n, d) and (m, d)
        At least `n_splits` vectors each, and two.
    classifier : object
        With ``fit(vectors, labels)`` and the method that the loss uses: ``predict`` (zero_one), ``predict_proba`` (square, log)
        or ``decision_function`` (hinge), as in scikit-learn. Priors are set by ``sample_weight`` if its ``fit`` takes
        that, by thinning one set otherwise. It is not changed.
    priors : array_like, shape (P,)
        Inside (0, 1).
    loss : {"zero_one", "square", "log", "hinge"}
    n_splits, n_repeats : int
        Parts of each set, at least 2, and divisions into parts.
    random_state : int, RandomState, Generator or None
        Names the stream of divisions and thinning.
    quiet : bool
        Whether nothing is printed; otherwise the number of fits is, before the first one.

    Returns
    -------
    InformationCurve

    Raises
    ------
    DataError, ParameterError
        If the sets, the classifier or the arguments are not usable.
    """
    seed = check_seed(random_state)
    as_choice("loss", loss, tuple(_PREDICTIONS))
    at = as_priors(priors)
    if ((at <= 0.0) | (at >= 1.0)).any():
        raise ParameterError("priors: a classifier needs both classes; give priors inside (0, 1)")
    splits, repeats = as_count(n_splits, "n_splits", least=2), as_count(n_repeats, "n_repeats")
    name = type(classifier).__name__
    for method in ("fit", _PREDICTIONS[loss]):
        if isinstance(classifier, type) or not callable(getattr(classifier, method, None)):
            raise ParameterError(
                f"classifier {classifier!r}: has no method {method!r}, which loss {loss!r} needs;"
                " give a classifier object as in scikit-learn"
            )
    x, y = as_pair(X, Y)
    require_vectors(len(x), splits, "first set")
    require_vectors(len(y), splits, "second set")
    from sklearn.utils.validation import has_fit_parameter

    weighted, n_fits = has_fit_parameter(classifier, "sample_weight"), len(at) * splits * repeats
    progress = None if quiet else Progress("classifier divergence", n_fits, unit="fit")
    if not quiet:
        print(f"classifier divergence: {n_fits} fits of {name}, up to {len(x) + len(y)} vectors each", file=sys.stderr)
    # Fits are small: threads would mostly wait for each other.
    with one_thread():
        errors = _held_out(x, y, classifier, at, loss, (splits, repeats, seed), weighted, progress)
    risks = at * errors[0] + (1.0 - at) * errors[1]
    information = as_loss(loss).bayes_risk(at) - _share_of_risk(classifier, loss) * risks
    return InformationCurve(at, risks, np.maximum(information, 0.0), int((information < 0.0).sum()), n_fits)


def _grid(low: float, high: float, count: int) -> tuple[FloatArray, FloatArray]:
    """Nodes and weights of a quadrature in log-odds, separately on either side of prior 1/2, where prior risks have a kink."""
    edges = [low, 0.0, high] if low < 0.0 < high else [low, high]
    parts = []
    for a, b, size in zip(edges[:-1], edges[1:], np.full(len(edges) - 1, -(-count // (len(edges) - 1))), strict=True):
        at, weight = np.polynomial.legendre.leggauss(int(size))
        parts.append((0.5 * (b - a) * at + 0.5 * (a + b), 0.5 * (b - a) * weight))
    return np.concatenate([at for at, _ in parts]), np.concatenate([weight for _, weight in parts])


def classifier_divergence(
    X: ArrayLike,
    Y: ArrayLike,
    classifier: Learner,
    divergence: str | FDivergence = "jeffreys",
    loss: LossName = "zero_one",
    n_priors: int = 20,
    limits: tuple[float, float] | None = None,
    n_splits: int = 5,
    n_repeats: int = 1,
    random_state: RandomState = 0,
    quiet: bool = False,
) -> float:
    """Divergence that a classifier induces between two sets.

    Its held-out risks at Gauss-Legendre nodes in the log-odds of the prior give statistical information, which is
    integrated with the weight of an f-divergence. With loss ``"square"`` the Kullback-Leibler and Jeffreys divergences
    keep their meaning, with ``"zero_one"`` all do, as far as the classifier attains the Bayes risk. Every prior takes
    `n_splits` fits: this is for single pairs, not for all pairs of a collection.

    Parameters
    ----------
    X, Y, classifier, loss, n_splits, n_repeats, random_state, quiet
        See ``classifier_information``.
    divergence : str or FDivergence
        A name of ``kinseq.divergences.families.DIVERGENCES``.
    n_priors : int
        At least 2; an even number, half of them on either side of 1/2.
    limits : tuple of float, optional
        Least and largest prior, inside (0, 1); ``1 / (1 + m)`` and ``n / (1 + n)`` if not given, one vector against
        all of the other set. Beyond, information counts as zero.

    Returns
    -------
    float
        At least 0.

    Raises
    ------
    DataError, ParameterError
        If the sets, the classifier or the arguments are not usable.

    References
    ----------
    Thesis 2011, eq. 5.44.
    """
    seed = check_seed(random_state)
    kind, count = as_divergence(divergence), as_count(n_priors, "n_priors", least=2)
    x, y = as_pair(X, Y)
    low, high = as_limits((1.0 / (1.0 + len(y)), len(x) / (1.0 + len(x))) if limits is None else limits)
    if low <= 0.0 or high >= 1.0:
        raise ParameterError(f"limits are {limits!r}, a classifier needs both classes; give limits inside (0, 1)")
    odds, steps = _grid(log_odds(low), log_odds(high), count)
    pi, rest = priors_at(odds)
    # An atom of the weight needs the prior 1/2 itself.
    priors = np.append(pi, 0.5) if kind.atom else pi
    estimates = classifier_information(x, y, classifier, priors, loss, n_splits, n_repeats, seed, quiet)
    smooth = steps @ (estimates.information[: len(pi)] * kind.weight(pi, rest) * pi * rest)
    return float(smooth + (kind.atom * estimates.information[-1] if kind.atom else 0.0))
