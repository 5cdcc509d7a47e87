"""A hidden Markov model with categorical emissions, with the names of hmmlearn."""

from __future__ import annotations

import warnings
from copy import deepcopy
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from ..core.arrays import FloatArray, IntArray, as_count, as_flag, as_numbers, as_whole_numbers, require_finite
from ..core.errors import DataError, ParameterError
from ..core.jobs import as_threads
from ..core.random_state import RandomState, check_seed
from ..core.seeds import derive_seed, stream
from ..core.sequences import ALPHABET, SequenceSet
from ..models.hmm import HMMBank
from ..models.hmm.priors import fit_symbols_with_priors
from .estimator import Algorithm, Frames, GaussianHMM, _lengths
from .monitor import ConvergenceMonitor


class CategoricalHMM(GaussianHMM):
    """Hidden Markov model with categorical emissions.

    Names, shapes, meanings and defaults are those of ``hmmlearn.hmm.CategoricalHMM``. From the same start and with the same priors
    fits, likelihoods, posteriors and paths are the same.

    Parameters
    ----------
    n_components : int
        Number of states K.
    startprob_prior, transmat_prior, emissionprob_prior : float or array_like
        Parameters of the Dirichlet priors of `startprob_`, shape (K,), and of the rows of `transmat_`, (K, K), and
        `emissionprob_`, (K, S); 1 is flat.
    n_features : int or None
        Number of symbols S; one more than the largest code if not given.
    algorithm : {"viterbi", "map"}
        How :meth:`decode` and :meth:`predict` decide: the most probable path, or the most probable state of each symbol.
    random_state : int, RandomState, Generator or None
        Root of the random starts and of :meth:`sample`. None draws one from NumPy's global state.
    n_iter : int
        Greatest number of iterations.
    tol : float
        The fit ends when the gain in log-likelihood, in nats over all symbols, is less.
    verbose : bool
        Whether iterations are reported on standard error.
    params, init_params : str
        What is fitted, and what gets a new start before: any of the letters s (start), t (transitions) and e (emissions).
    n_init : int
        Number of random starts, of which the one that ends with the largest likelihood is kept.
    n_jobs : int or None
        Number of threads; no number depends on it.

    Attributes
    ----------
    startprob_ : ndarray, shape (K,)
    transmat_ : ndarray, shape (K, K)
    emissionprob_ : ndarray, shape (K, S)
        ``emissionprob_[k, s]`` is the probability of symbol s in state k.
    monitor_ : ConvergenceMonitor
        History of the fit.

    Notes
    -----
    X is a column of codes from 0 to S - 1, shape (n, 1) or (n,), with `lengths`; a list of such columns; or a set of sequences of
    symbols. A code of -1 is a missing symbol, which is summed out.

    Baum-Welch re-estimation (Rabiner, 1989).

    Examples
    --------
    >>> import numpy as np
    >>> from kinseq.hmm import CategoricalHMM
    >>> X = np.array([0, 0, 0, 1, 0, 2, 2, 1, 2, 2])[:, None]
    >>> model = CategoricalHMM(n_components=2, random_state=1, n_iter=50).fit(X)
    >>> model.emissionprob_.shape
    (2, 3)
    """

    _letters: ClassVar[dict[str, str]] = {"s": "startprob_", "t": "transmat_", "e": "emissionprob_"}
    emissionprob_: FloatArray

    def __init__(
        self,
        n_components: int = 1,
        startprob_prior: float | ArrayLike = 1.0,
        transmat_prior: float | ArrayLike = 1.0,
        *,
        emissionprob_prior: float | ArrayLike = 1.0,
        n_features: int | None = None,
        algorithm: Algorithm = "viterbi",
        random_state: RandomState = None,
        n_iter: int = 10,
        tol: float = 1e-2,
        verbose: bool = False,
        params: str = "ste",
        init_params: str = "ste",
        n_init: int = 1,
        n_jobs: int | None = None,
    ) -> None:
        self.n_components = n_components
        self.startprob_prior = startprob_prior
        self.transmat_prior = transmat_prior
        self.emissionprob_prior = emissionprob_prior
        self.n_features = n_features
        self.algorithm = algorithm
        self.random_state = random_state
        self.n_iter = n_iter
        self.tol = tol
        self.verbose = verbose
        self.params = params
        self.init_params = init_params
        self.n_init = n_init
        self.n_jobs = n_jobs

    def as_bank(self) -> HMMBank:
        """Return the model as a bank of one for the engine: :class:`kinseq.models.hmm.HMMBank`."""
        check_is_fitted(self, list(self._letters.values()))
        k = as_count(self.n_components, "n_components")
        arrays = []
        for name in self._letters.values():
            array = as_numbers(getattr(self, name), name)
            require_finite(array, name)
            shape = {"startprob_": (k,), "transmat_": (k, k)}.get(name, (k, array.shape[-1] if array.ndim == 2 else 0))
            if array.shape != shape or not array.size:
                raise ParameterError(f"{name} has shape {array.shape}, expected {shape} with n_components K={k}")
            if (array < 0.0).any() or not np.allclose(array.sum(axis=-1), 1.0):
                raise ParameterError(f"{name} must hold probabilities that sum to 1, it sums to {array.sum(axis=-1)}")
            arrays.append(array / array.sum(axis=-1, keepdims=True))
        start, trans, emission = arrays
        return HMMBank.of_symbols(start[None], trans[None], emission[None])

    def _sequences(self, X: Any, lengths: ArrayLike | None, reset: bool = False, y: Any = None) -> SequenceSet:
        """Return codes as a set of sequences of symbols."""
        several = isinstance(X, (list, tuple)) and len(X) > 0 and np.ndim(X[0]) > 0 and np.size(X[0]) > 1
        if isinstance(X, SequenceSet) and X.alphabet is not None:
            codes, offsets = X.values[:, 0].astype(np.int64), X.offsets
        elif several and lengths is None and y is None:
            columns = [_codes(entry) for entry in X]
            codes = np.concatenate(columns)
            offsets = np.concatenate([[0], np.cumsum([len(column) for column in columns])])
        else:
            codes = _codes(X)
            given = _lengths(y, lengths, len(codes))
            sizes = [len(codes)] if given is None else np.atleast_1d(as_whole_numbers(given, "lengths"))
            offsets = np.concatenate([[0], np.cumsum(sizes)])
            if offsets[-1] != len(codes):
                raise DataError(
                    f"lengths sum to {int(offsets[-1])} but X has {len(codes)} symbols; give one length a sequence"
                )
        known = np.shape(self.emissionprob_)[-1] if hasattr(self, "emissionprob_") and not reset else 0
        own = len(X.alphabet) if isinstance(X, SequenceSet) and X.alphabet is not None else 0
        largest = int(codes.max(initial=-1)) + 1
        requested = 0 if self.n_features is None else as_count(self.n_features, "n_features")
        n_symbols = known or requested or max(own, largest)
        if largest > n_symbols:
            raise DataError(f"X holds the symbol {largest - 1}, but there are {n_symbols} from 0 to {n_symbols - 1}")
        if n_symbols < 1:
            raise DataError("X holds no symbol; give codes from 0")
        alphabet = [str(code) for code in range(n_symbols)]
        return SequenceSet(
            codes[:, None].astype(np.float64), offsets.astype(np.int64), name="X", provenance={ALPHABET: alphabet}
        )

    def fit(self, X: Frames, y: ArrayLike | None = None, lengths: ArrayLike | None = None) -> CategoricalHMM:
        """Fit the model to all sequences together by expectation-maximisation.

        Parameters
        ----------
        X : array_like, shape (n, 1), list of array_like, or SequenceSet
        y : array_like, optional
            The same as `lengths`, which are the second argument in hmmlearn.
        lengths : array_like of int, shape (N,), optional
            Lengths of the sequences that are stacked in X; it is one sequence without them.

        Returns
        -------
        CategoricalHMM
            The estimator itself.

        Raises
        ------
        ValueError
            If X is not usable, or a parameter is out of range.

        Warns
        -----
        KinseqWarning
            If the likelihood falls.
        ConvergenceWarning
            If `n_iter` was reached while the likelihood still grew.
        """
        k, n_init = as_count(self.n_components, "n_components"), as_count(self.n_init, "n_init")
        n_iter, threads, tol = as_count(self.n_iter, "n_iter", least=0), as_threads(self.n_jobs), self._tolerance()
        update, drawn = (self._checked_letters(getattr(self, name), name) for name in ("params", "init_params"))
        as_flag(self.verbose, "verbose")
        drawn += "".join(letter for letter, name in self._letters.items() if not hasattr(self, name))
        data = self._sequences(X, lengths, reset="e" in drawn, y=y)
        self.n_features_in_ = 1
        s = len(data.alphabet or ())
        keys = data.content_keys
        # Makes sums independent of the order of the sequences.
        data = data.subset(sorted(range(len(data)), key=lambda i: (-data.lengths[i], keys[i])))
        priors = [
            self._numbers(f"{name}prior", shape)
            for name, shape in (("startprob_", (k,)), ("transmat_", (k, k)), ("emissionprob_", (k, s)))
        ]
        root = check_seed(self.random_state) if drawn else 0
        kept = {name: getattr(self, name) for name in self._letters.values() if hasattr(self, name)}
        best: tuple[float, HMMBank, ConvergenceMonitor] | None = None
        for number in range(n_init if drawn else 1):
            for name, value in kept.items():
                setattr(self, name, value)
            random = stream(derive_seed(root, "start", number), "symbols")
            for letter, shape in (("s", (k,)), ("t", (k, k)), ("e", (k, s))):
                if letter in drawn:
                    rows = random.dirichlet(np.ones(shape[-1]), size=shape[:-1] or None)
                    setattr(self, self._letters[letter], rows)
            monitor = ConvergenceMonitor(tol, n_iter, self.verbose)

            def enough(loglik: float, monitor: ConvergenceMonitor = monitor) -> bool:
                monitor.report(loglik)
                return bool(monitor.converged) or monitor.iter >= n_iter

            bank = fit_symbols_with_priors(data, self.as_bank(), priors, update, n_iter, enough, threads)
            reached = monitor.history[-1] if monitor.history else 0.0
            if best is None or reached > best[0]:
                best = reached, bank, deepcopy(monitor)
        assert best is not None
        bank = best[1]
        self.startprob_, self.transmat_ = bank.startprob[0].copy(), bank.transmat[0].copy()
        self.emissionprob_, self.monitor_ = bank.emissionprob[0].copy(), best[2]
        if n_iter and tol >= 0.0 and not best[2].converged:
            warnings.warn(
                f"the fit ended after n_iter={n_iter} iterations while the log-likelihood still grew by more than tol={tol:g};"
                " give a larger n_iter, or a larger tol",
                ConvergenceWarning,
                stacklevel=2,
            )
        return self

    def _checked_letters(self, letters: Any, name: str) -> str:
        if not isinstance(letters, str) or set(letters) - set(self._letters):
            raise ParameterError(f"{name} is {letters!r}, expected some of the letters {''.join(self._letters)!r}")
        return letters

    def _n_free(self) -> int:
        bank = self.as_bank()
        return bank.n_states**2 - 1 + bank.n_states * (bank.emissionprob.shape[2] - 1)

    def _emitted(self, bank: HMMBank, states: IntArray, random: np.random.Generator) -> Any:
        """Return a column of codes, one for each state."""
        cumulated = np.cumsum(bank.emissionprob[0], axis=1)[states]
        drawn = random.random(len(states))[:, None] * cumulated[:, -1:]
        return (cumulated <= drawn).sum(axis=1)[:, None]


def _codes(X: Any) -> IntArray:
    """Return a column of codes, whole numbers from 0, or -1 where a symbol is missing."""
    codes = as_whole_numbers(np.asarray(X), "X")
    if codes.ndim == 2 and codes.shape[1] == 1:
        codes = codes[:, 0]
    if codes.ndim != 1 or not codes.size:
        raise DataError(f"X has shape {codes.shape}, expected a column of symbols, (n, 1)")
    if (codes < -1).any():
        raise DataError(f"X holds {int(codes.min())}; symbols are codes from 0, and -1 where one is missing")
    return codes
