"""Many hidden Markov models of one shape, stacked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...core.arrays import FloatArray, IntArray, for_compiled, require_finite
from ...core.errors import DataError
from ...core.sequences import Sequences, SequenceSet, as_sequence_set
from ...core.store import PathLike, read_arrays, write_arrays
from ...core.wording import count

_PARAMETERS = ("startprob", "transmat", "means", "covars")
_REPORT = ("trace", "n_iter", "converged", "floor_hits", "dead_states", "falls", "rescues")


@dataclass(eq=False)
class HMMBank:
    """N hidden Markov models with K states and Gaussian emissions over d features, or categorical ones of S symbols.

    Attributes
    ----------
    startprob : ndarray, shape (N, K)
        Probabilities of the first state.
    transmat : ndarray, shape (N, K, K)
        ``transmat[n, i, j]`` is the probability of state j after state i.
    means : ndarray, shape (N, K, d) or (N, K, S)
        Of categorical emissions the probabilities of the symbols, see `emissionprob`.
    covars : ndarray, shape (N, K, d), (N, K, d, d) or (N, K, 0)
        Variances (diagonal model) or covariance matrices (full model); nothing of categorical emissions.
    trace : ndarray, shape (N, I + 1), or None
        Log-likelihood in nats of the training data before the first and after each EM iteration; the last value is
        repeated for models that took fewer iterations. This and what follows is None for a bank that was not fitted.
    n_iter : ndarray, shape (N,), int64, or None
        EM iterations taken.
    converged : ndarray, shape (N,), bool, or None
        Whether the gain fell below the tolerance before the iterations ran out.
    floor_hits : ndarray, shape (N,), int64, or None
        Number of covariance updates, over states and iterations, that the floor changed.
    dead_states : ndarray, shape (N,), int64, or None
        Number of states that no frame belongs to in the last iteration; they keep the parameters they had.
    falls : ndarray, shape (N,), int64, or None
        Number of iterations in which the likelihood fell by more than rounding.
    rescues : ndarray, shape (N,), int64, or None
        Number of E-steps that had to be redone in log space because scaled probabilities left the range of float64.

    Raises
    ------
    DataError
        If shapes disagree, a value is not finite, probabilities do not sum to 1, or a covariance is not positive
        definite.
    """

    startprob: FloatArray
    transmat: FloatArray
    means: FloatArray
    covars: FloatArray
    trace: FloatArray | None = None
    n_iter: IntArray | None = None
    converged: NDArray[np.bool_] | None = None
    floor_hits: IntArray | None = None
    dead_states: IntArray | None = None
    falls: IntArray | None = None
    rescues: IntArray | None = None

    def __post_init__(self) -> None:
        for name in _PARAMETERS:
            try:
                array = for_compiled(np.asarray(getattr(self, name), dtype=np.float64))
            except (TypeError, ValueError) as error:
                raise DataError(f"HMM bank: {name} cannot be read as numbers ({error})") from error
            require_finite(array, f"HMM bank: {name}")
            setattr(self, name, array)
        if self.startprob.ndim != 2 or 0 in self.startprob.shape:
            raise DataError(f"HMM bank: startprob has shape {self.startprob.shape}, expected (N, K)")
        n, k = self.startprob.shape
        d = self.means.shape[-1] if self.means.ndim == 3 else 0
        expected: dict[str, list[tuple[int, ...]]] = {
            "transmat": [(n, k, k)],
            "means": [(n, k, d)],
            "covars": [(n, k, d), (n, k, d, d), (n, k, 0)],
        }
        for name, shapes in expected.items():
            if getattr(self, name).shape not in shapes or (d == 0 and name == "means"):
                wanted = {"transmat": "(N, K, K)", "means": "(N, K, d)", "covars": "(N, K, d) or (N, K, d, d)"}[name]
                raise DataError(
                    f"HMM bank: {name} has shape {getattr(self, name).shape}, expected {wanted} with N={n}, K={k}"
                    + (f", d={d}" if d else "")
                )
        for name in ("startprob", "transmat", *(["emissionprob"] if self.categorical else [])):
            rows = getattr(self, name)
            wrong = (rows < 0.0).any(axis=-1) | (np.abs(rows.sum(axis=-1) - 1.0) > 1e-6)
            if wrong.any():
                place = tuple(int(i) for i in np.argwhere(wrong)[0])
                raise DataError(
                    f"HMM bank: {name} of model {place[0]} is not a probability distribution at {place}:"
                    f" {rows[place].tolist()}; entries must be at least 0 and sum to 1"
                )
        self._check_covars()
        for name, kind in {"converged": np.bool_, "trace": np.float64}.items():
            if getattr(self, name) is not None:
                setattr(self, name, np.asarray(getattr(self, name), dtype=kind))

    def _check_covars(self) -> None:
        if self.full:
            mirrored = np.swapaxes(self.covars, -1, -2)
            scale = np.abs(self.covars).max(axis=(-1, -2))
            skew = np.abs(self.covars - mirrored).max(axis=(-1, -2)) > 1e-8 * scale
            if skew.any():
                model, state = np.argwhere(skew)[0]
                raise DataError(f"HMM bank: covars of model {model}, state {state} are not symmetric")
            try:
                np.linalg.cholesky(self.covars)
                return
            except np.linalg.LinAlgError:
                bad = np.linalg.eigvalsh(self.covars)[..., 0] <= 0.0
        else:
            bad = np.any(self.covars <= 0.0, axis=-1)
        if bad.any():
            model, state = np.argwhere(bad)[0]
            raise DataError(
                f"HMM bank: covars of model {model}, state {state} are not positive definite; raise the variance floor"
            )

    def __len__(self) -> int:
        return int(self.startprob.shape[0])

    @property
    def n_states(self) -> int:
        """Number of states K."""
        return int(self.startprob.shape[1])

    @property
    def n_features(self) -> int:
        """Number of features d; a symbol is one."""
        return 1 if self.categorical else int(self.means.shape[2])

    @property
    def categorical(self) -> bool:
        """Whether the emissions are symbols."""
        return self.covars.shape[2] == 0

    @property
    def emissionprob(self) -> FloatArray:
        """Probabilities of the symbols in each state, shape (N, K, S); DataError of Gaussian emissions."""
        if not self.categorical:
            raise DataError("HMM bank: has Gaussian emissions, and no probabilities of symbols")
        return self.means

    @classmethod
    def of_symbols(cls, startprob: ArrayLike, transmat: ArrayLike, emissionprob: ArrayLike) -> HMMBank:
        """Return models with categorical emissions, by arrays of shapes (N, K), (N, K, K) and (N, K, S)."""
        start, trans, emission = (np.asarray(array, dtype=np.float64) for array in (startprob, transmat, emissionprob))
        return cls(start, trans, emission, np.zeros((*start.shape, 0)))

    @property
    def full(self) -> bool:
        """Whether the covariances are full matrices."""
        return self.covars.ndim == 4

    @property
    def loglik(self) -> FloatArray | None:
        """Log-likelihood of the training data under each fitted model, shape (N,), or None."""
        return None if self.trace is None else self.trace[:, -1]

    def subset(self, indices: ArrayLike) -> HMMBank:
        """Return the models at `indices` (positions or a mask), in that order, as a new bank."""
        positions = np.atleast_1d(np.asarray(indices))
        if positions.dtype != np.bool_:
            positions = positions.astype(np.int64)
        return HMMBank.from_arrays({name: array[positions] for name, array in self.to_arrays().items()})

    def summary(self) -> str:
        """Return a sentence on the result of the fit."""
        shape = f"{len(self)} HMM{'s' * (len(self) != 1)}, K={self.n_states}, d={self.n_features}"
        if self.categorical:
            shape = f"{shape.partition(', d=')[0]}, {self.means.shape[2]} symbols"
        else:
            shape += ", full covariances" if self.full else ", diagonal covariances"
        if self.trace is None or self.n_iter is None or self.converged is None:
            return f"{shape}, not fitted here"
        parts = [
            f"{int(self.n_iter.min())}-{int(self.n_iter.max())} iterations (mean {self.n_iter.mean():.1f})",
            f"{int((~self.converged).sum())} not converged",
        ]
        for name, text in {
            "floor_hits": "met the variance floor",
            "dead_states": "lost a state",
            "falls": "saw the likelihood fall",
            "rescues": "needed log space",
        }.items():
            count = getattr(self, name)
            if count is not None:
                parts.append(f"{int((count > 0).sum())} {text}")
        return f"{shape}: " + ", ".join(parts)

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Return parameters and report as named arrays, without None."""
        return {name: getattr(self, name) for name in (*_PARAMETERS, *_REPORT) if getattr(self, name) is not None}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> HMMBank:
        """Return the bank from the output of :meth:`to_arrays`.

        Raises
        ------
        DataError
            If a parameter is missing.
        """
        missing = [name for name in _PARAMETERS if name not in arrays]
        if missing:
            raise DataError(f"HMM bank: lacks {', '.join(missing)}; it was not written by HMMBank.save")
        return cls(**{name: arrays[name] for name in (*_PARAMETERS, *_REPORT) if name in arrays})

    def save(self, path: PathLike) -> None:
        """Write the bank to an npz file atomically."""
        write_arrays(path, self.to_arrays(), {"kind": "HMMBank"})

    @classmethod
    def load(cls, path: PathLike) -> HMMBank:
        """Read a bank that :meth:`save` wrote.

        Raises
        ------
        DataError
            If the file is missing, damaged or holds something else.
        """
        arrays, meta = read_arrays(path)
        if meta.get("kind") != "HMMBank":
            raise DataError(f"{path}: holds {meta.get('kind', 'something else')!r}, expected an HMMBank")
        return cls.from_arrays(arrays)


def compatible(bank: HMMBank, sequences: Sequences) -> SequenceSet:
    """Return the sequences as a set, checked for the number of features of the models."""
    data = as_sequence_set(sequences)
    if bank.categorical != (data.alphabet is not None) or (
        data.alphabet is not None and len(data.alphabet) != bank.means.shape[2]
    ):
        own = f"{len(data.alphabet)} symbols" if data.alphabet is not None else "numbers"
        of_models = f"{bank.means.shape[2]} symbols" if bank.categorical else "numbers"
        raise DataError(
            f"{data.name}: holds {own} but the models are of {of_models}; score what the models were fitted on"
        )
    if data.n_features != bank.n_features:
        raise DataError(
            f"{data.name}: frames have {count(data.n_features, 'feature')} but the models have {bank.n_features};"
            " score with the features the models were fitted on"
        )
    return data
