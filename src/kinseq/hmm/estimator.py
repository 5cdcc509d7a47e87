"""A hidden Markov model with Gaussian emissions, with the conventions of scikit-learn and the names of hmmlearn."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from copy import deepcopy
from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted, validate_data

from ..core.arrays import (
    FloatArray,
    IntArray,
    as_count,
    as_flag,
    as_numbers,
    as_positive,
    as_real,
    as_whole_numbers,
    require_finite,
)
from ..core.errors import DataError, KinseqWarning, ParameterError, is_one_of, unknown_name
from ..core.jobs import as_threads
from ..core.random_state import RandomState, check_seed
from ..core.seeds import derive_seed, stream
from ..core.sequences import SequenceSet, require_range
from ..core.variances import pooled_variances
from ..core.wording import count
from ..models.hmm import HMMBank, fit_common, log_likelihood, posteriors, viterbi
from ..models.hmm.priors import Kind, Prior, Shrinkage, fit_with_priors
from .covariances import SHAPES, as_matrices, checked_kind, compact, for_engine, from_engine, n_numbers
from .monitor import ConvergenceMonitor

Algorithm = Literal["viterbi", "map"]
ALGORITHMS = ("viterbi", "map")
Frames = ArrayLike | Sequence[ArrayLike] | SequenceSet
"""Stacked frames of shape (sum of T, d), a list of (T, d) arrays, or a set of sequences."""
ATTRIBUTES = {"s": "startprob_", "t": "transmat_", "m": "means_", "c": "covars_"}
"""Letters of `params` and `init_params`."""
COVARIANCE_FLOOR = 1e-6
"""Least eigenvalue of a covariance relative to the variances of all frames: it allows states a thousand times narrower than
their distances, and keeps them from collapsing onto a frame."""
COVARIANCE_FRAMES = 1.0
"""Weight, in frames, of the fixed prior of every covariance; docs/reports/held-out.md gives the reasons."""
SHARE_OF_POOLED = 0.5
"""Covariance of that prior, in units of the pooled variances."""
PRIORS = ("pooled", "weak", "strong", "broad")
"""Priors of covariances that are compared on held-out data; the first of equals wins."""
BROAD_SHARE = 2.0
"""Share of the pooled variances of ``"broad"``."""
WEAK_FRAMES = 0.1
"""Weight, in frames, of the covariance within states that ``"weak"`` adds to each state."""
STRONG_FRAMES = {"spherical": 4.0, "diag": 4.0, "full": 2.0, "tied": 0.0}
"""Weight, in frames, that ``"strong"`` adds to each state, by covariance type; for full ones per feature."""
VALIDATION_ITERATIONS = 50
"""Iterations of a fit that compares priors."""
VALIDATION_FRAMES = 20_000
"""Total number of frames of such fits; larger data are thinned."""
VALIDATION_PIECES = 4
"""Number of sequences below which they are cut in time into at least this many pieces in total."""
PSEUDOCOUNT = 0.3
"""Default prior count of each first state and each transition."""
HMMLEARN: dict[str, float] = {
    "min_covar": 1e-3,
    "startprob_prior": 1.0,
    "transmat_prior": 1.0,
    "means_prior": 0.0,
    "means_weight": 0.0,
    "covars_prior": 1e-2,
    "covars_weight": 1.0,
    "n_iter": 10,
    "tol": 1e-2,
    "n_init": 1,
}
"""Defaults of hmmlearn: ``GaussianHMM(3, **HMMLEARN)`` draws starts and makes steps as its estimator does."""


class GaussianHMM(BaseEstimator):
    """Hidden Markov model with Gaussian emissions.

    Names, shapes and meanings are those of ``hmmlearn.hmm.GaussianHMM``. From the same start and with the same priors fits,
    likelihoods, posteriors and paths are the same. Defaults that differ are named below; :data:`HMMLEARN` holds theirs.

    Parameters
    ----------
    n_components : int
        Number of states K.
    covariance_type : {"diag", "full", "spherical", "tied"}
        A variance for each state and feature; a matrix for each state; a variance for each state; one matrix for all.
    min_covar : float or None
        None (default): no covariance has an eigenvalue below 1e-6 of the pooled variances, whatever the unit of the data.
        A number is what hmmlearn does with it (default there: 1e-3): it is added to the diagonal of the covariances that a fit
        starts from, and nothing is done later.
    startprob_prior, transmat_prior : float or array_like, shape (K,) or (K, K)
        Parameters of the Dirichlet priors of `startprob_` and of the rows of `transmat_`: 1.3, so that no step between states is
        impossible because it was not seen; 1, as in hmmlearn, is flat.
    means_prior, means_weight : float or array_like, shape (K,) or (K, d)
        Mean of the normal prior of `means_`, and how many frames it counts for; 0 and 0, as in hmmlearn, is flat.
    covars_prior : float or array_like, shape (K,), (K, d), (d, d) or (K, d, d) by kind, or None
        What is added to the sums of squares, in squared units of the data, where hmmlearn adds 1e-2. A number is added
        to every entry, of matrices too. None (default): one of four priors that follow from the data, see below.
    covars_weight : float or None
        Frames that this counts for, and 1 more for a diagonal or spherical model, d more for the others; 1 in hmmlearn. A number
        without a `covars_prior` is that of half the pooled variances. None (default): a `covars_prior` that is given has a
        weight of 1.
    algorithm : {"viterbi", "map"}
        How :meth:`decode` and :meth:`predict` decide: the most probable path, or the most probable state of each frame.
    random_state : int, RandomState, Generator or None
        Root of the random starts and of :meth:`sample`. None draws one from NumPy's global state.
    n_iter : int
        Greatest number of iterations: 100, where hmmlearn stops after 10.
    tol : float
        The fit ends when the gain in log-likelihood, in nats over all frames, is less; 1e-2 as in hmmlearn.
    verbose : bool
        Whether iterations are reported on standard error.
    params, init_params : str
        What is fitted, and what gets a new start before: any of the letters s (start), t (transitions), m (means) and c
        (covariances). What is not to get a start has to be set, as ``model.means_ = ...``.
    n_init : int
        Number of random starts, of which the one that ends with the largest likelihood is kept: 3, where hmmlearn has one.
    n_jobs : int or None
        Number of threads; no number depends on it.
    start_concentration : float or None
        Parameter of the Dirichlet distribution that `startprob_` and the rows of `transmat_` are drawn from at the start. None
        (default) is 1 / K, by which hmmlearn draws: most rows begin with one large entry. 1 is flat.

    Attributes
    ----------
    startprob_ : ndarray, shape (K,)
        Probabilities of the first state.
    transmat_ : ndarray, shape (K, K)
        ``transmat_[i, j]`` is the probability of state j after state i.
    means_ : ndarray, shape (K, d)
    covars_ : ndarray, shape (K, d, d)
        One matrix a state, whatever the kind. Set them in that shape or as (K,) for "spherical", (K, d) for "diag" and (d, d)
        for "tied".
    monitor_ : ConvergenceMonitor
        History of the fit.
    prior_ : {"pooled", "weak", "strong", "broad", "given"}
        Prior of the covariances that was taken.
    n_features_in_ : int
        Number of features d of a frame.

    See Also
    --------
    kinseq.hmm.fit_each : One model for each of many sequences, at once.
    kinseq.hmm.score_matrix : All sequences under all models.
    kinseq.models.hmm.fit_common : The engine's own fit, without priors.

    Notes
    -----
    Everything takes X in one of three forms: stacked frames (sum of T, d) with `lengths`, as in hmmlearn, one sequence
    without; a list of (T, d) arrays; or a :class:`kinseq.SequenceSet`. What has a row for each frame comes back stacked.

    Unless a prior of the covariances is given, four are compared by the likelihood of one half of the data under models of the
    other half: ``"pooled"`` adds to every state one frame of half the pooled variances, ``"broad"`` one of twice these; ``"weak"``
    a tenth of a frame of the covariance of all frames about the means of their states; ``"strong"`` four such frames, or 2 d for
    full covariances. Data too few to be halved take ``"pooled"``. The comparison takes about as long as the fit, less where data
    are many.

    Baum-Welch re-estimation (Rabiner, 1989). Starts are drawn by this library: K means of k-means, the covariance of all
    frames for every state, Dirichlet rows. Among equally probable paths the one of the lowest states is taken.

    Examples
    --------
    >>> import numpy as np
    >>> from kinseq.hmm import GaussianHMM
    >>> random = np.random.default_rng(0)
    >>> X = [np.concatenate([random.normal(0, 1, (20, 2)), random.normal(9, 1, (20, 2))]) for _ in range(5)]
    >>> model = GaussianHMM(n_components=2, random_state=0).fit(X)
    >>> np.sort(model.means_[:, 0].round()).astype(int).tolist()
    [0, 9]
    >>> states = model.predict(X[0])
    >>> bool((states[:20] == states[0]).all() and (states[20:] != states[0]).all())
    True
    """

    startprob_: FloatArray
    transmat_: FloatArray
    means_: FloatArray
    monitor_: ConvergenceMonitor
    prior_: str
    n_features_in_: int

    def __init__(
        self,
        n_components: int = 1,
        covariance_type: Kind = "diag",
        min_covar: float | None = None,
        startprob_prior: float | ArrayLike = 1.0 + PSEUDOCOUNT,
        transmat_prior: float | ArrayLike = 1.0 + PSEUDOCOUNT,
        means_prior: float | ArrayLike = 0.0,
        means_weight: float | ArrayLike = 0.0,
        covars_prior: float | ArrayLike | None = None,
        covars_weight: float | None = None,
        algorithm: Algorithm = "viterbi",
        random_state: RandomState = None,
        n_iter: int = 100,
        tol: float = 1e-2,
        verbose: bool = False,
        params: str = "stmc",
        init_params: str = "stmc",
        n_init: int = 3,
        n_jobs: int | None = None,
        start_concentration: float | None = None,
    ) -> None:
        self.n_components = n_components
        self.covariance_type = covariance_type
        self.min_covar = min_covar
        self.startprob_prior = startprob_prior
        self.transmat_prior = transmat_prior
        self.means_prior = means_prior
        self.means_weight = means_weight
        self.covars_prior = covars_prior
        self.covars_weight = covars_weight
        self.algorithm = algorithm
        self.random_state = random_state
        self.n_iter = n_iter
        self.tol = tol
        self.verbose = verbose
        self.params = params
        self.init_params = init_params
        self.n_init = n_init
        self.n_jobs = n_jobs
        self.start_concentration = start_concentration

    # -----------------------------------------------------------------------------------------------------------------
    # Parameters of the model
    # -----------------------------------------------------------------------------------------------------------------

    @property
    def covars_(self) -> FloatArray:
        """Covariance matrix of each state, shape (K, d, d)."""
        if "_covars_" not in self.__dict__:
            raise AttributeError(f"{type(self).__name__} has no covars_ before they are fitted or set")
        d = self._covars_.shape[-1]
        if self._covars_.ndim == 1:
            if np.ndim(getattr(self, "means_", 0.0)) != 2:
                raise AttributeError(
                    f"covars_ of {type(self).__name__} are as large as means_, which are not set; set them first"
                )
            d = np.shape(self.means_)[1]
        return as_matrices(self._covars_, self.covariance_type, self.n_components, d)

    @covars_.setter
    def covars_(self, covars: ArrayLike) -> None:
        kind, k = checked_kind(self.covariance_type), as_count(self.n_components, "n_components")
        self._covars_ = compact(covars, kind, k)

    def _stored_array(self, name: str) -> Any:
        """Return the array behind an attribute, not copied, or None."""
        return self.__dict__.get("_covars_" if name == "covars_" else name)

    def as_bank(self) -> HMMBank:
        """Return the model as a bank of one for the engine: :class:`kinseq.models.hmm.HMMBank`."""
        check_is_fitted(self, ["startprob_", "transmat_", "means_", "_covars_"])
        k = as_count(self.n_components, "n_components")
        arrays = {}
        for name, dimensions in (("startprob_", 1), ("transmat_", 2), ("means_", 2)):
            arrays[name] = array = as_numbers(getattr(self, name), name)
            require_finite(array, name)
            wanted = {"startprob_": "(K,)", "transmat_": "(K, K)", "means_": "(K, d)"}[name]
            square = name == "transmat_"
            if array.ndim != dimensions or len(array) != k or (square and array.shape[1] != k) or array.size == 0:
                raise ParameterError(f"{name} has shape {array.shape}, expected {wanted} with n_components K={k}")
            if name != "means_" and ((array < 0.0).any() or not np.allclose(array.sum(axis=-1), 1.0)):
                raise ParameterError(f"{name} must hold probabilities that sum to 1, it sums to {array.sum(axis=-1)}")
        d = arrays["means_"].shape[1]
        kind = checked_kind(self.covariance_type)
        covars = compact(self._covars_, kind, k)
        if kind != "spherical" and covars.shape[-1] != d:
            raise ParameterError(
                f"covars_ of covariance_type={kind!r} have shape {covars.shape} but means_ {(k, d)};"
                f" expected {SHAPES[kind]} with K={k}, d={d}"
            )
        start, trans = (arrays[name] / arrays[name].sum(axis=-1, keepdims=True) for name in ("startprob_", "transmat_"))
        return HMMBank(start[None], trans[None], arrays["means_"][None], for_engine(covars, kind, k, d)[None])

    def _keep(self, bank: HMMBank) -> None:
        """Take the parameters of a bank of one model."""
        self.startprob_, self.transmat_ = bank.startprob[0].copy(), bank.transmat[0].copy()
        self.means_ = bank.means[0].copy()
        self._covars_ = from_engine(bank.covars[0], self.covariance_type)
        self._left = {name: self._stored_array(name) for name in ATTRIBUTES.values()}

    def _sequences(self, X: Any, lengths: ArrayLike | None, reset: bool = False, y: Any = None) -> SequenceSet:
        """Return the input as a set of sequences; `y` may hold lengths too (:func:`_lengths`)."""
        several = isinstance(X, SequenceSet) or (isinstance(X, (list, tuple)) and len(X) > 0 and np.ndim(X[0]) == 2)
        if several or (isinstance(X, np.ndarray) and X.ndim == 3):
            if lengths is not None or y is not None:
                raise ParameterError("lengths are for stacked frames, but several sequences were given; leave them out")
            data = X if isinstance(X, SequenceSet) else SequenceSet.from_arrays(X, name="X")
            if reset:
                self.n_features_in_ = data.n_features
                self.__dict__.pop("feature_names_in_", None)
        else:
            frames = self._stacked(X, reset)
            bounds, lengths = np.array([len(frames)]), _lengths(y, lengths, len(frames))
            if lengths is not None:
                bounds = np.cumsum(np.atleast_1d(as_whole_numbers(lengths, "lengths")))
                if bounds.ndim != 1 or not bounds.size or bounds[-1] != len(frames):
                    total = int(bounds[-1]) if bounds.size else 0
                    raise DataError(
                        f"lengths sum to {total} but X has {count(len(frames), 'frame')}; give one length a sequence"
                    )
            data = SequenceSet(frames, np.concatenate([[0], bounds]), name="X")
        expected = np.shape(self.means_)[-1] if not reset and hasattr(self, "means_") else data.n_features
        if data.n_features != expected:
            raise DataError(
                f"X has {data.n_features} features, but {type(self).__name__} is expecting {expected} features as input"
            )
        return data

    def _stacked(self, X: Any, reset: bool) -> FloatArray:
        """Return frames as scikit-learn checks them."""
        try:
            return np.asarray(validate_data(self, X, reset=reset, dtype=np.float64))
        except ValueError as error:
            # Feature names are compared over several lines, as scikit-learn's checks expect.
            first = str(error).partition("\n")[0]
            if first.startswith("The feature names"):
                raise
            remedies = {
                "NaN": "remove or interpolate missing values first",
                "2D array": "Reshape your data, X[:, None]",
            }
            remedy = [f"; {words}" for what, words in remedies.items() if what in first]
            raise DataError(first.rstrip(".:").replace(" instead", "") + "".join(remedy)) from error

    # -----------------------------------------------------------------------------------------------------------------
    # Fit
    # -----------------------------------------------------------------------------------------------------------------

    def fit(self, X: Frames, y: ArrayLike | None = None, lengths: ArrayLike | None = None) -> GaussianHMM:
        """Fit the model to all sequences together by expectation-maximisation.

        Parameters
        ----------
        X : array_like, shape (n, d), list of array_like, or SequenceSet
            At least K frames.
        y : array_like, optional
            The same as `lengths`, which are the second argument in hmmlearn. What has an entry for each frame, as the targets that
            scikit-learn hands to all estimators, can be no lengths and is ignored.
        lengths : array_like of int, shape (N,), optional
            Lengths of the sequences that are stacked in X; it is one sequence without them.

        Returns
        -------
        GaussianHMM
            The estimator itself.

        Raises
        ------
        ValueError
            If X is not usable, or a parameter is out of range; a :class:`~kinseq.core.errors.KinseqError` except where
            scikit-learn finds it.
        NotFittedError
            If something is to start from values that are not set.

        Warns
        -----
        KinseqWarning
            If there are fewer numbers in X than are fitted, values that were set are overwritten, or the likelihood falls.
        ConvergenceWarning
            If `n_iter` was reached while the likelihood still grew.
        """
        kind, k = checked_kind(self.covariance_type), as_count(self.n_components, "n_components")
        n_init, n_iter = as_count(self.n_init, "n_init"), as_count(self.n_iter, "n_iter", least=0)
        threads, tol = as_threads(self.n_jobs), self._tolerance()
        update, init_letters = _letters(self.params, "params"), _letters(self.init_params, "init_params")
        least = COVARIANCE_FLOOR if self.min_covar is None else 0.0
        as_flag(self.verbose, "verbose")
        data = self._sequences(X, lengths, reset=True, y=y)
        require_range(data)
        # Makes sums independent of the order of the sequences.
        keys = data.content_keys
        data = data.subset(sorted(range(len(data)), key=lambda s: (-data.lengths[s], keys[s])))
        variances = pooled_variances(data, np.arange(len(data)), np.array([0, len(data)]))[0]
        # Check given values before fitting.
        prior = self._prior(kind, k, data.n_features, variances)
        init_letters = self._letters_to_initialise(init_letters)
        if len(data.values) < k and init_letters:
            raise DataError(
                f"X has {count(len(data.values), 'frame')}, fewer than n_components={k}; ask for fewer states"
            )
        self._warn_if_degenerate(data, kind, k, update)
        root = check_seed(self.random_state) if set(init_letters) & set("stm") else 0
        start_arrays = {name: self._stored_array(name) for name in ATTRIBUTES.values()}
        given = self.covars_prior is not None or self.covars_weight is not None
        self.prior_ = "given" if given else PRIORS[0]
        if not given and "c" in update and n_iter:
            self.prior_ = self._compared(
                data, kind, k, update, init_letters, root, tol, min(n_iter, VALIDATION_ITERATIONS), threads
            )
            prior = self._prior(kind, k, data.n_features, variances, self.prior_)
        own = getattr(self, "monitor_", None)
        own = None if type(own) is ConvergenceMonitor else own
        best: tuple[float, HMMBank, ConvergenceMonitor] | None = None
        for number in range(n_init if set(init_letters) & set("stm") else 1):
            self._restore(start_arrays)
            self._start(data, kind, k, init_letters, variances, derive_seed(root, "start", number), threads)
            monitor = deepcopy(own) if own is not None else ConvergenceMonitor(tol, n_iter, self.verbose)
            monitor.reset()

            # The default prior may lower the likelihood slightly; users who set one see this.
            enough = partial(_ended, monitor, self.covars_prior is None)
            bank = fit_with_priors(data, self.as_bank(), kind, prior, update, variances, least, n_iter, enough, threads)
            reached = monitor.history[-1] if monitor.history else 0.0
            if best is None or reached > best[0]:
                best = reached, bank, monitor
        assert best is not None
        self._keep(best[1])
        self.monitor_ = best[2]
        # With a tolerance below 0, run all iterations.
        if n_iter and tol >= 0.0 and not best[2].converged:
            warnings.warn(
                f"the fit ended after n_iter={n_iter} iterations while the log-likelihood still grew by more than tol={tol:g};"
                " give a larger n_iter, or a larger tol",
                ConvergenceWarning,
                stacklevel=2,
            )
        return self

    def _restore(self, arrays: Mapping[str, Any]) -> None:
        """Set the arrays behind the attributes."""
        for name, value in arrays.items():
            self.__dict__["_covars_" if name == "covars_" else name] = value

    def _compared(
        self,
        data: SequenceSet,
        kind: Kind,
        k: int,
        update: str,
        letters: str,
        root: int,
        tol: float,
        n_iter: int,
        threads: int,
    ) -> str:
        """Return the prior under which models of each half of the data best explain the other half."""
        pieces = _validation_pieces(data)
        halves = [pieces.subset(np.arange(first, len(pieces), 2)) for first in (0, 1) if len(pieces) > first]
        if len(halves) < 2 or min(len(half.values) for half in halves) < max(k, 2):
            return PRIORS[0]
        arrays = {name: self._stored_array(name) for name in ATTRIBUTES.values()}
        least = COVARIANCE_FLOOR if self.min_covar is None else 0.0
        totals = dict.fromkeys(PRIORS, 0.0)
        for number, (half, other) in enumerate((halves, halves[::-1])):
            variances = pooled_variances(half, np.arange(len(half)), np.array([0, len(half)]))[0]
            for name in PRIORS:
                self._restore(arrays)
                self._start(half, kind, k, letters, variances, derive_seed(root, "half", number), threads)
                prior = self._prior(kind, k, data.n_features, variances, name)
                stop = partial(_ended, ConvergenceMonitor(tol, n_iter), True)
                bank = fit_with_priors(
                    half, self.as_bank(), kind, prior, update, variances, least, n_iter, stop, threads
                )
                totals[name] += float(log_likelihood(bank, other, n_jobs=threads).sum())
        self._restore(arrays)
        return max(PRIORS, key=lambda name: totals[name])

    def _tolerance(self) -> float:
        tol = self.tol
        if isinstance(tol, (float, np.floating)) and tol == -np.inf:
            return -np.inf
        return as_real(tol, "tol", "a number, or -inf for all iterations")

    def _prior(self, kind: Kind, k: int, d: int, variances: FloatArray, name: str = PRIORS[0]) -> Prior:
        """Return the priors in the shapes used by the M-step; `name` is one of :data:`PRIORS`."""
        square = (k, d) if kind in ("spherical", "diag") else (d, d) if kind == "tied" else (k, d, d)
        parameters = {
            "startprob": self._numbers("startprob_prior", (k,)),
            "transmat": self._numbers("transmat_prior", (k, k)),
            "means": self._numbers("means_prior", (k, d), by_state=True),
            "means_weight": self._numbers("means_weight", (k, 1), by_state=True),
        }
        # Visits of a covariance count this much more than the frames of its prior.
        own = 1.0 if kind in ("spherical", "diag") else float(d)
        if self.covars_prior is None:
            weight = (
                own + COVARIANCE_FRAMES if self.covars_weight is None else as_real(self.covars_weight, "covars_weight")
            )
            pooled = np.full(d, variances.mean()) if kind == "spherical" else variances
            share = BROAD_SHARE if name == "broad" else SHARE_OF_POOLED
            added = max(weight - own, 0.0) * share * pooled
            parameters["covars"] = added if kind in ("spherical", "diag") else np.diag(added)
        else:
            weight = 1.0 if self.covars_weight is None else as_real(self.covars_weight, "covars_weight")
            parameters["covars"] = self._numbers("covars_prior", square, by_state=kind in ("spherical", "diag"))
        for which, values in parameters.items():
            if which != "means" and which != "covars" and (np.asarray(values) < 0.0).any():
                raise ParameterError(
                    f"{which if which.endswith('weight') else which + '_prior'} holds a number below 0"
                )
        shrinkage = None
        if name in ("weak", "strong"):
            pooled = SHARE_OF_POOLED * (np.full(d, variances.mean()) if kind == "spherical" else variances)
            frames, own = (WEAK_FRAMES, WEAK_FRAMES) if name == "weak" else (STRONG_FRAMES[kind], own)
            shrinkage = Shrinkage(frames * (d if name == "strong" and kind == "full" else 1), pooled, own)
        return Prior(**parameters, covars_weight=weight, shrinkage=shrinkage)

    def _numbers(self, name: str, shape: tuple[int, ...], by_state: bool = False) -> FloatArray:
        """A prior as an array that broadcasts to `shape`; if `by_state`, K numbers apply to all features of a state."""
        array = as_numbers(getattr(self, name), name)
        require_finite(array, name)
        if by_state and array.ndim == 1 and len(array) == shape[0]:
            array = array[:, None]
        try:
            np.broadcast_to(array, shape)
        except ValueError as error:
            raise ParameterError(f"{name} has shape {array.shape}, expected a number or {shape}") from error
        return array

    def _letters_to_initialise(self, init_letters: str) -> str:
        """Return the letters of parameters to initialise: those in `init_letters`, and those without values."""
        left = getattr(self, "_left", {})
        for letter, name in ATTRIBUTES.items():
            value = self._stored_array(name)
            if value is None:
                init_letters += letter * (letter not in init_letters)
            elif letter in init_letters and value is not left.get(name):
                warnings.warn(
                    f"{name} was set, but it will be overwritten by a start; leave {letter!r} out of init_params to keep it",
                    KinseqWarning,
                    stacklevel=3,
                )
        return init_letters

    def _warn_if_degenerate(self, data: SequenceSet, kind: Kind, k: int, update: str) -> None:
        counts = self._n_fitted(kind, k, data.n_features)
        fitted = sum(counts[letter] for letter in update)
        if data.values.size < fitted:
            warnings.warn(
                f"{fitted} numbers are fitted to the {data.values.size} of X, which has a degenerate solution;"
                " ask for fewer states, or give more data",
                KinseqWarning,
                stacklevel=3,
            )

    @staticmethod
    def _n_fitted(kind: Kind, k: int, d: int) -> dict[str, int]:
        """Return numbers of free parameters, by letter."""
        return {"s": k - 1, "t": k * (k - 1), "m": k * d, "c": n_numbers(kind, k, d)}

    def _start(
        self, data: SequenceSet, kind: Kind, k: int, init_letters: str, variances: FloatArray, seed: int, threads: int
    ) -> None:
        """Initialise parameters."""
        if set(init_letters) & set("stm"):
            start = fit_common(data, k, "diag", n_init=1, max_iter=0, random_state=seed, n_jobs=threads)
            rows = np.vstack([start.startprob[:1], start.transmat[0]])
            if self.start_concentration != 1.0:
                alpha = (
                    1.0 / k
                    if self.start_concentration is None
                    else as_positive(self.start_concentration, "start_concentration")
                )
                rows = stream(seed, "rows").dirichlet(np.full(k, alpha), size=k + 1)
            if "s" in init_letters:
                self.startprob_ = rows[0].copy()
            if "t" in init_letters:
                self.transmat_ = rows[1:].copy()
            if "m" in init_letters:
                self.means_ = start.means[0].copy()
        if "c" in init_letters:
            added = as_real(0.0 if self.min_covar is None else self.min_covar, "min_covar")
            if added < 0.0:
                raise ParameterError(f"min_covar is {self.min_covar!r}, expected None or a number of at least 0")
            scale = np.sqrt(variances)
            centred = (data.values - data.values.mean(axis=0)) / scale
            covars = centred.T @ centred / len(centred)
            # For a constant column this is the pooled variance, which is positive; a small addition keeps the matrix of
            # dependent columns positive definite.
            np.fill_diagonal(covars, 1.0 + 1e-9)
            covars = covars * np.outer(scale, scale) + added * np.eye(len(scale))
            if kind == "spherical":
                self._covars_ = np.full(k, np.diag(covars).mean())
            elif kind == "diag":
                self._covars_ = np.repeat(np.diag(covars)[None], k, axis=0)
            else:
                self._covars_ = covars if kind == "tied" else np.repeat(covars[None], k, axis=0)

    # -----------------------------------------------------------------------------------------------------------------
    # Likelihood, posteriors, paths
    # -----------------------------------------------------------------------------------------------------------------

    def score(self, X: Frames, y: ArrayLike | None = None, lengths: ArrayLike | None = None) -> float:
        """Return the log-likelihood of all sequences together.

        Parameters
        ----------
        X : array_like, shape (n, d), list of array_like, or SequenceSet
        y : array_like, optional
            As in :meth:`fit`.
        lengths : array_like of int, shape (N,), optional
            As for :meth:`fit`.

        Returns
        -------
        float
            In nats.

        Raises
        ------
        NotFittedError
            If the model is neither fitted nor set.
        ValueError
            If X is not usable.
        """
        bank = self.as_bank()
        return float(log_likelihood(bank, self._sequences(X, lengths, y=y), n_jobs=self._threads()).sum())

    def score_samples(self, X: Frames, lengths: ArrayLike | None = None) -> tuple[float, FloatArray]:
        """Log-likelihood, and posteriors of the states.

        Parameters
        ----------
        X, lengths
            As for :meth:`score`.

        Returns
        -------
        log_prob : float
            Log-likelihood of all sequences in nats.
        posteriors : ndarray, shape (n, K)
            Probabilities of the states at each frame; rows sum to 1.

        Raises
        ------
        NotFittedError, ValueError
            As :meth:`score`.
        """
        bank, data = self.as_bank(), self._sequences(X, lengths)
        loglik = float(log_likelihood(bank, data, n_jobs=self._threads()).sum())
        return loglik, np.concatenate(posteriors(bank, data, n_jobs=self._threads()))

    def predict_proba(self, X: Frames, lengths: ArrayLike | None = None) -> FloatArray:
        """Posteriors of the states, shape (n, K); see :meth:`score_samples`."""
        bank, data = self.as_bank(), self._sequences(X, lengths)
        return np.concatenate(posteriors(bank, data, n_jobs=self._threads()))

    def decode(
        self, X: Frames, lengths: ArrayLike | None = None, algorithm: Algorithm | None = None
    ) -> tuple[float, IntArray]:
        """States of the frames, and their log probability.

        Parameters
        ----------
        X, lengths
            As for :meth:`score`.
        algorithm : {"viterbi", "map"}, optional
            That of the estimator if not given.

        Returns
        -------
        log_prob : float
            For ``"viterbi"`` the log-probability in nats of paths and sequences together; for ``"map"``, as in hmmlearn, the
            sum of the posteriors of the states that are taken.
        states : ndarray, shape (n,), int64

        Raises
        ------
        NotFittedError, ValueError
            As :meth:`score`, or if the algorithm is unknown.
        """
        bank = self.as_bank()
        name = self.algorithm if algorithm is None else algorithm
        if not is_one_of(name, ALGORITHMS):
            raise ParameterError(unknown_name("algorithm", name, ALGORITHMS))
        data = self._sequences(X, lengths)
        if name == "map":
            probabilities = np.concatenate(posteriors(bank, data, n_jobs=self._threads()))
            return float(probabilities.max(axis=1).sum()), probabilities.argmax(axis=1)
        loglik, paths = viterbi(bank, data, n_jobs=self._threads())
        return float(loglik.sum()), np.concatenate(paths)

    def predict(self, X: Frames, lengths: ArrayLike | None = None) -> IntArray:
        """States of the frames, shape (n,); see :meth:`decode`."""
        return self.decode(X, lengths)[1]

    def aic(self, X: Frames, lengths: ArrayLike | None = None) -> float:
        """Akaike's information criterion, -2 L + 2 p with the number p of free parameters; less is better."""
        return -2.0 * self.score(X, lengths=lengths) + 2.0 * self._n_free()

    def bic(self, X: Frames, lengths: ArrayLike | None = None) -> float:
        """Bayesian information criterion, -2 L + p log n with the number n of frames; less is better."""
        n_frames = len(self._sequences(X, lengths).values)
        return float(-2.0 * self.score(X, lengths=lengths) + self._n_free() * np.log(n_frames))

    def _n_free(self) -> int:
        bank = self.as_bank()
        return sum(self._n_fitted(checked_kind(self.covariance_type), bank.n_states, bank.n_features).values())

    def _threads(self) -> int:
        return as_threads(self.n_jobs)

    # -----------------------------------------------------------------------------------------------------------------
    # What the model draws and what it comes to
    # -----------------------------------------------------------------------------------------------------------------

    def sample(
        self,
        n_samples: int = 1,
        random_state: RandomState = None,
        currstate: int | None = None,
    ) -> tuple[FloatArray, IntArray]:
        """Draw a sequence.

        Parameters
        ----------
        n_samples : int
            Number of frames.
        random_state : int, RandomState, Generator or None
            That of the estimator if None.
        currstate : int, optional
            State of the first frame, drawn from `startprob_` if not given.

        Returns
        -------
        X : ndarray, shape (n_samples, d)
        states : ndarray, shape (n_samples,), int64

        Raises
        ------
        NotFittedError
            If the model is neither fitted nor set.
        ParameterError
            If an argument is out of range.
        """
        bank, n = self.as_bank(), as_count(n_samples, "n_samples")
        rng = stream(check_seed(self.random_state if random_state is None else random_state), "hmm", "sample")
        # Rounding may leave the last entry below 1.
        start, trans = (
            np.cumsum(rows, axis=-1) / rows.sum(axis=-1, keepdims=True)
            for rows in (bank.startprob[0], bank.transmat[0])
        )
        states, uniform = np.empty(n, dtype=np.int64), rng.random(n)
        if currstate is None:
            states[0] = np.searchsorted(start, uniform[0], side="right")
        else:
            states[0] = as_count(currstate, "currstate", least=0)
            if states[0] >= bank.n_states:
                raise ParameterError(f"currstate is {currstate!r}, expected a state from 0 to {bank.n_states - 1}")
        for t in range(1, n):
            states[t] = np.searchsorted(trans[states[t - 1]], uniform[t], side="right")
        return self._emitted(bank, states, rng), states

    def _emitted(self, bank: HMMBank, states: IntArray, random: np.random.Generator) -> FloatArray:
        """Return a frame drawn for each state, shape (n, d)."""
        noise = random.normal(size=(len(states), bank.n_features))
        covars = bank.covars[0]
        if bank.full:
            noise = np.einsum("tij,tj->ti", np.linalg.cholesky(covars)[states], noise)
        else:
            noise *= np.sqrt(covars)[states]
        return np.asarray(bank.means[0][states] + noise)

    def get_stationary_distribution(self) -> FloatArray:
        """Return the stationary share of frames of each state, shape (K,): ``p = p transmat_``, ``sum p = 1``."""
        trans = self.as_bank().transmat[0]
        k = len(trans)
        rows = np.vstack([trans.T - np.eye(k), np.ones(k)])
        solution = np.linalg.lstsq(rows, np.append(np.zeros(k), 1.0), rcond=None)[0]
        return np.maximum(solution, 0.0) / np.maximum(solution, 0.0).sum()


def _ended(monitor: ConvergenceMonitor, quiet: bool, loglik: float) -> bool:
    """Record a log-likelihood; return whether the fit ends. If `quiet`, a fall gives no warning."""
    with warnings.catch_warnings():
        if quiet:
            warnings.simplefilter("ignore", KinseqWarning)
        monitor.report(loglik)
    return bool(monitor.converged) or monitor.iter >= monitor.n_iter


def _validation_pieces(data: SequenceSet) -> SequenceSet:
    """Return sequences of at most about :data:`VALIDATION_FRAMES` frames, ordered by content, in pieces if they are few."""
    keys = data.content_keys
    order = sorted(range(len(data)), key=lambda s: keys[s])
    number = -(-VALIDATION_PIECES // len(data))
    if number > 1:
        most = VALIDATION_FRAMES // (number * len(data))
        return SequenceSet.from_arrays(
            [piece[:most] for s in order for piece in np.array_split(data[s], number) if len(piece)],
            layout="channels_last",
        )
    before = np.cumsum(data.lengths[order]) - data.lengths[order]
    return data.subset([s for s, frames in zip(order, before, strict=True) if frames < VALIDATION_FRAMES])


def _lengths(y: Any, lengths: Any, n: int) -> Any:
    """Return lengths from either argument; for n frames, n entries are lengths only if all are 1."""
    if lengths is not None or y is None:
        return lengths
    entries = np.asarray(y)
    targets = entries.ndim > 0 and len(entries) == n and not bool(np.all(entries == 1))
    return None if targets else y


def _letters(letters: Any, name: str) -> str:
    """Return some of the letters s, t, m and c; hmmlearn ignores all others silently."""
    if not isinstance(letters, str) or set(letters) - set(ATTRIBUTES):
        raise ParameterError(f"{name} is {letters!r}, expected some of the letters {''.join(ATTRIBUTES)!r}")
    return letters
