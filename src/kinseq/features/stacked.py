"""Several kinds of features of the same frames side by side, in parts that can be used separately."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..core.arrays import FloatArray, as_count, as_positive, keep_checked
from ..core.errors import DataError, ParameterError, is_one_of, unknown_name
from ..core.sequences import SequenceSet
from .cepstral import RECIPES, mfcc_of_stream
from .frames import delta, with_changes
from .linear_prediction import PredictionRecipe, linear_prediction_features
from .recordings import recording_info
from .registry import Feature

KINDS = ("mfcc", "plp", "lpcepstra", "lpc")
PARTS = ("static", "delta", "acceleration", "energy")
"""Parts of each kind; energy comes with its increments and accelerations."""

N_COEFFICIENTS = 12


@dataclass(frozen=True)
class StackedRecipe:
    """Kinds of features to combine; times in seconds.

    Attributes
    ----------
    kinds : sequence of str
        Of :data:`KINDS`; 12 coefficients each, the energy, and the increments and accelerations of all these.
    window_seconds, hop_seconds : float
        Length of the window and distance between two, the same for all.
    delta_width : int
        Half-width in frames of the regression; see :func:`kinseq.features.delta`.
    """

    kinds: Sequence[str] = KINDS
    window_seconds: float = 0.025
    hop_seconds: float = 0.010
    delta_width: int = 2

    def __post_init__(self) -> None:
        if isinstance(self.kinds, str) or not self.kinds or len(set(self.kinds)) != len(self.kinds):
            raise ParameterError(f"kinds is {self.kinds!r}, expected different names such as [mfcc, plp]")
        for kind in self.kinds:
            if not is_one_of(kind, KINDS):
                raise ParameterError(unknown_name("kind of features", kind, KINDS))
        keep_checked(self, as_positive, "window_seconds", "hop_seconds")
        keep_checked(self, as_count, "delta_width")

    def samples(self, sample_rate: float) -> tuple[int, int]:
        """Window and hop in samples at `sample_rate`."""
        window, hop, _ = self._mfcc().samples(sample_rate)
        return window, hop

    def columns(self) -> dict[str, dict[str, list[int]]]:
        """Return columns of each part of each kind."""
        width = N_COEFFICIENTS + 1
        columns = {}
        for number, kind in enumerate(self.kinds):
            start = 3 * width * number
            parts = [list(range(start + k * width, start + k * width + N_COEFFICIENTS)) for k in range(3)]
            energy = [start + k * width + N_COEFFICIENTS for k in range(3)]
            columns[kind] = dict(zip(PARTS, [*parts, energy], strict=True))
        return columns

    def column_names(self) -> list[str]:
        """Return the names of the columns."""
        static = [*(f"coefficient {k + 1}" for k in range(N_COEFFICIENTS)), "energy"]
        return [name for kind in self.kinds for name in with_changes([f"{kind} {entry}" for entry in static], 2)]

    def _mfcc(self) -> Any:
        return replace(RECIPES["speech"], window_seconds=self.window_seconds, hop_seconds=self.hop_seconds, deltas=0)

    def _static(self, kind: str, pieces: list[FloatArray], sample_rate: float, where: str) -> FloatArray:
        if kind == "mfcc":
            return mfcc_of_stream(pieces, sample_rate, self._mfcc(), where)
        recipe = PredictionRecipe(
            kind=kind,  # type: ignore[arg-type]
            window_seconds=self.window_seconds,
            hop_seconds=self.hop_seconds,
            preemphasis=0.0 if kind == "plp" else 0.97,
            deltas=0,
        )
        return linear_prediction_features(pieces, sample_rate, recipe, where)


def several(pieces: Iterable[FloatArray], sample_rate: float, recipe: StackedRecipe, where: str) -> FloatArray:
    """Return frames of all kinds side by side, shape (T, 39 K).

    Parameters
    ----------
    pieces : iterable of ndarray, each of shape (n_i,)
        Consecutive samples.
    sample_rate : float
        Hz.
    recipe : StackedRecipe
        `columns` says what is where.
    where : str
        Name of the signal, used in messages.

    Returns
    -------
    ndarray, shape (T, 39 K), float64

    Raises
    ------
    DataError
        If the signal is shorter than one window, or so loud that powers overflow.

    References
    ----------
    Report RR-8880, section 3.3.3 (features of spoken words).
    """
    samples = list(pieces)
    parts = []
    for kind in recipe.kinds:
        static = recipe._static(kind, samples, sample_rate, where)
        increments = delta(static, recipe.delta_width)
        parts += [static, increments, delta(increments, recipe.delta_width)]
    return np.concatenate(parts, axis=1)


def without_energy(sequences: SequenceSet, kind: str) -> SequenceSet:
    """Return one kind of features from a set made by :func:`several`, without its energy.

    Raises
    ------
    DataError
        If the set does not say which columns are whose.
    ParameterError
        If it has no such kind; the message lists those that it has.
    """
    columns_of = recording_info(sequences).columns_of
    if not columns_of:
        raise DataError(
            f"{sequences.name}: does not say which of its features are {kind!r}; leave the kind out, or read recordings with"
            " the features 'several'"
        )
    if kind not in columns_of:
        raise ParameterError(f"{sequences.name}: {unknown_name('kind of features', kind, columns_of)}")
    columns = [column for part, at in columns_of[kind].items() if part != "energy" for column in at]
    return replace(sequences, values=sequences.values[:, columns])


FEATURES = (
    Feature(
        name="several",
        label="MFCC, PLP, LPC and its cepstra side by side",
        source="report RR-8880, section 3.3.2",
        recipe=StackedRecipe(),
        function=several,
    ),
)
