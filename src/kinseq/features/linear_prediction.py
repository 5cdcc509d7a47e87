"""Features of speech by linear prediction: coefficients, their cepstra, and perceptual linear prediction.

Each stage is a function of its own; :func:`linear_prediction_features` puts them together. Windows are cut as for
:mod:`kinseq.features.cepstral`, so that frames of all these features belong to the same times.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from ..core.arrays import FloatArray, as_count, as_flag, as_numbers, as_positive, as_real, keep_checked
from ..core.errors import DataError, ParameterError, is_one_of, unknown_name
from ..core.wording import option_name
from .cepstral import runs, taper, too_short
from .frames import delta, with_changes
from .registry import Feature

Kind = Literal["plp", "lpc", "lpcepstra"]

WHITE_NOISE = 1e-9
"""Share of the power added to lag 0, so that a frame of pure tones has a solution."""

_FRAMES_AT_ONCE = 4096
MIN_POWER = 1e-10
"""Floor of powers before a logarithm or a root (16-bit units: far below one step)."""


@dataclass(frozen=True)
class PredictionRecipe:
    """All conventions of an analysis by linear prediction; times in seconds, the signal in [-1, 1].

    Attributes
    ----------
    kind : {"plp", "lpc", "lpcepstra"}
        Cepstra of perceptual linear prediction, coefficients of linear prediction, or their cepstra.
    window_seconds, hop_seconds : float
        Length of the Hamming window and distance between two; both are rounded to whole samples.
    preemphasis : float
        ``y_n = x_n - p x_{n-1}`` within each window; 0 for none, as in perceptual linear prediction, whose curve of equal
        loudness does the same.
    full_scale : float
        Number that an amplitude of 1 is multiplied by.
    order : int
        Number of coefficients.
    n_cepstra : int
        Number of cepstra, c0 not among them.
    lifter : int
        c_n is multiplied by ``1 + (L / 2) sin(pi n / L)``; 0 for none.
    energy : bool
        Append the log energy of each window, ``1 - 0.1 (E_max - E)`` with E at most 50 dB below E_max, as in HTK.
    deltas : int
        How many orders of increments to append.
    delta_width : int
        Half-width in frames of the regression; see :func:`kinseq.features.delta`.
    """

    kind: Kind = "plp"
    window_seconds: float = 0.025
    hop_seconds: float = 0.010
    preemphasis: float = 0.0
    full_scale: float = 32768.0
    order: int = 12
    n_cepstra: int = 12
    lifter: int = 22
    energy: bool = True
    deltas: int = 1
    delta_width: int = 2

    def __post_init__(self) -> None:
        if not is_one_of(self.kind, get_args(Kind)):
            raise ParameterError(unknown_name("kind", self.kind, get_args(Kind)))
        keep_checked(self, as_positive, "window_seconds", "hop_seconds", "full_scale")
        if not 0.0 <= as_real(self.preemphasis, "preemphasis") <= 1.0:
            raise ParameterError(f"preemphasis is {self.preemphasis!r}, expected a number from 0 to 1")
        keep_checked(self, as_count, "order", "n_cepstra", "delta_width")
        keep_checked(self, as_count, "lifter", "deltas", least=0)
        keep_checked(self, as_flag, "energy")

    def samples(self, sample_rate: float) -> tuple[int, int]:
        """Window and hop in samples at `sample_rate`."""
        rate = as_positive(sample_rate, "sample_rate")
        window = int(np.floor(self.window_seconds * rate + 0.5))
        hop = int(np.floor(self.hop_seconds * rate + 0.5))
        if window <= self.order or hop < 1:
            raise ParameterError(
                f"{option_name('sample_rate')} is {sample_rate!r}: a window of {self.window_seconds} s and a hop of"
                f" {self.hop_seconds} s"
                f" come to {window} and {hop} samples, which is too little for order {self.order}; use longer ones"
            )
        return window, hop

    def column_names(self) -> list[str]:
        """Return the names of the columns."""
        static = [f"coefficient {k + 1}" for k in range(self.n_static)] + ["energy"] * self.energy
        return with_changes(static, self.deltas)

    @property
    def n_static(self) -> int:
        """Number of coefficients or cepstra of a frame."""
        return self.order if self.kind == "lpc" else self.n_cepstra


def autocorrelation(windows: FloatArray, order: int) -> FloatArray:
    """``r_k = sum_n x_n x_{n + k}``, k = 0 .. `order`, of each row; shape (T, order + 1)."""
    n = windows.shape[1]
    return np.stack([(windows[:, : n - k] * windows[:, k:]).sum(axis=1) for k in range(order + 1)], axis=1)


def predictors(correlation: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Coefficients of linear prediction from autocorrelations, ``x_n ~ sum_k a_k x_{n - k}``.

    Parameters
    ----------
    correlation : array_like, shape (T, p + 1)
        Autocorrelations at lags 0 .. p of T frames.

    Returns
    -------
    coefficients : ndarray, shape (T, p)
        a_1 .. a_p, the solution of the normal equations, with a share of :data:`WHITE_NOISE` added to lag 0.
    error : ndarray, shape (T,)
        Power of what is not predicted, ``r_0 - sum_k a_k r_k``, at least :data:`MIN_POWER`. A frame without power has
        coefficients 0.

    Raises
    ------
    DataError
        If the correlations are not finite or of another shape.
    """
    lags = as_numbers(correlation, "correlation")
    if lags.ndim != 2 or lags.shape[1] < 2 or not np.isfinite(lags).all():
        raise DataError(f"correlation has shape {lags.shape}, expected finite numbers of shape (frames, order + 1)")
    order = lags.shape[1] - 1
    columns = np.concatenate([lags[:, :1] * (1.0 + WHITE_NOISE), lags[:, 1:-1]], axis=1)
    coefficients = np.zeros((len(lags), order))
    sounding = np.flatnonzero(lags[:, 0] > MIN_POWER)
    # All frames at once: the Levinson-Durbin recursion frame by frame takes twenty times as long.
    at = np.abs(np.arange(order)[:, None] - np.arange(order))
    for start in range(0, sounding.size, _FRAMES_AT_ONCE):
        some = sounding[start : start + _FRAMES_AT_ONCE]
        coefficients[some] = np.linalg.solve(columns[some][:, at], lags[some, 1:, None])[:, :, 0]
    return coefficients, np.maximum(lags[:, 0] - (coefficients * lags[:, 1:]).sum(axis=1), MIN_POWER)


def cepstra_of(coefficients: FloatArray, count: int) -> FloatArray:
    """Cepstra c_1 .. c_count of ``1 / A(z)``, ``A(z) = 1 - sum_k a_k z^-k``; shape (T, count).

    ``c_n = a_n + sum_{k=1}^{n-1} (k / n) c_k a_{n-k}`` with a_n = 0 beyond the order.
    """
    frames, order = coefficients.shape
    padded = np.concatenate([coefficients, np.zeros((frames, max(0, count - order)))], axis=1)
    cepstra = np.zeros((frames, count))
    for n in range(1, count + 1):
        cepstra[:, n - 1] = padded[:, n - 1]
        for k in range(1, n):
            cepstra[:, n - 1] += (k / n) * cepstra[:, k - 1] * padded[:, n - k - 1]
    return cepstra


def bark(frequency: ArrayLike) -> FloatArray:
    """Critical-band rate of a frequency in Hz, ``6 asinh(f / 600)``, in Bark (Hermansky 1990, eq. 3)."""
    return np.asarray(6.0 * np.arcsinh(np.asarray(frequency, dtype=np.float64) / 600.0))


def hertz(rate: ArrayLike) -> FloatArray:
    """Frequency in Hz of a critical-band rate in Bark; the inverse of :func:`bark`."""
    return np.asarray(600.0 * np.sinh(np.asarray(rate, dtype=np.float64) / 6.0))


def band_centres(sample_rate: float) -> FloatArray:
    """Return centres of the critical bands in Bark: about one apart, the first at 0 and the last at half the rate."""
    top = float(bark(sample_rate / 2.0))
    return np.linspace(0.0, top, int(np.ceil(top)) + 1)


def critical_bands(n_fft: int, sample_rate: float) -> FloatArray:
    """Return weights of the bins of a transform in each critical band, shape (B, n_fft // 2 + 1) (Hermansky 1990, eq. 4).

    Flat within half a Bark of the centre; towards lower frequencies the weight falls by 10 dB a Bark down to 2.5 Bark,
    towards higher ones by 25 dB a Bark up to 1.3 Bark, as a tone masks those above it more than those below.
    """
    bins = bark(np.arange(n_fft // 2 + 1) * (sample_rate / n_fft))
    away = bins - band_centres(sample_rate)[:, None]
    slopes = np.where(away > 0.0, -2.5 * (away - 0.5), away + 0.5)
    return np.where((away >= -2.5) & (away <= 1.3), 10.0 ** np.minimum(0.0, slopes), 0.0)


def equal_loudness(frequency: ArrayLike, above_5_khz: bool = True) -> FloatArray:
    """Gain of power that approximates the ear at about 40 dB (Hermansky 1990, eqs. 6 and 7); 0 at 0 Hz.

    Parameters
    ----------
    frequency : array_like
        Hz.
    above_5_khz : bool
        With the factor for frequencies above 5 kHz, scaled to 1 at low ones.
    """
    square = np.square(2.0 * np.pi * np.asarray(frequency, dtype=np.float64))
    gain = (square + 56.8e6) * square**2 / ((square + 6.3e6) ** 2 * (square + 0.38e9))
    return np.asarray(gain * 9.58e26 / (square**3 + 9.58e26) if above_5_khz else gain)


def auditory_spectrum(power: FloatArray, sample_rate: float) -> FloatArray:
    """Loudness in critical bands, shape (T, B): bands, equal loudness at their centres, cube root.

    Parameters
    ----------
    power : ndarray, shape (T, n_fft // 2 + 1)
        Power spectra.
    sample_rate : float
        Hz.

    Notes
    -----
    The first and the last band, at 0 Hz and at half the rate, take the values of their neighbours, as they reach over the
    ends (Hermansky 1990, section II D).
    """
    weights = critical_bands(2 * (power.shape[1] - 1), sample_rate)
    bands = np.ascontiguousarray((weights @ np.ascontiguousarray(power.T)).T)
    bands *= equal_loudness(hertz(band_centres(sample_rate)), sample_rate > 10000.0)
    bands[:, 0], bands[:, -1] = bands[:, 1], bands[:, -2]
    return np.asarray(np.cbrt(np.maximum(bands, MIN_POWER)))


def correlation_of_spectrum(spectrum: FloatArray, order: int) -> FloatArray:
    """Autocorrelations at lags 0 .. `order` of frames with a given power spectrum at even steps from 0 to half the rate."""
    from scipy.fft import irfft

    if order >= spectrum.shape[1]:
        raise ParameterError(f"order is {order} but there are only {spectrum.shape[1]} critical bands; lower it")
    return np.asarray(irfft(spectrum, axis=1)[:, : order + 1])


def lifted(cepstra: FloatArray, lifter: int) -> FloatArray:
    """Cepstra c_1, c_2, ... multiplied by ``1 + (L / 2) sin(pi n / L)``; unchanged with L = 0."""
    if lifter == 0:
        return cepstra
    n = np.arange(1, cepstra.shape[1] + 1)
    return np.asarray(cepstra * (1.0 + 0.5 * lifter * np.sin(np.pi * n / lifter)))


@lru_cache(maxsize=16)
def _hamming(window: int) -> FloatArray:
    return taper("hamming", window)


def _static(windows: FloatArray, sample_rate: float, recipe: PredictionRecipe) -> FloatArray:
    """Coefficients or cepstra of windows in units of full scale."""
    from scipy.fft import rfft

    frames = windows
    if recipe.preemphasis:
        before = np.concatenate([frames[:, :1], frames[:, :-1]], axis=1)
        frames = frames - recipe.preemphasis * before
    frames = frames * _hamming(windows.shape[1])
    if recipe.kind == "plp":
        n_fft = 1 << (windows.shape[1] - 1).bit_length()
        spectrum = auditory_spectrum(np.square(np.abs(rfft(frames, n=n_fft, axis=1))), sample_rate)
        lags = correlation_of_spectrum(spectrum, recipe.order)
    else:
        lags = autocorrelation(frames, recipe.order)
    coefficients, _ = predictors(lags)
    return coefficients if recipe.kind == "lpc" else lifted(cepstra_of(coefficients, recipe.n_cepstra), recipe.lifter)


def linear_prediction_features(
    pieces: Iterable[FloatArray], sample_rate: float, recipe: PredictionRecipe, where: str = "signal"
) -> FloatArray:
    """Return features by linear prediction of a streamed signal.

    Parameters
    ----------
    pieces : iterable of ndarray, each of shape (n_i,)
        Consecutive samples.
    sample_rate : float
        Hz.
    recipe : PredictionRecipe
    where : str
        Name of the signal, used in messages.

    Returns
    -------
    ndarray, shape (T, d), float64
        Coefficients or cepstra, the energy, then the increments of all these.

    Raises
    ------
    DataError
        If the signal is shorter than one window, or so loud that powers overflow.

    References
    ----------
    Hermansky (1990), "Perceptual linear predictive (PLP) analysis of speech", JASA 87; Makhoul (1975), "Linear prediction:
    a tutorial review". Report RR-8880, section 3.3.2, names the features.
    """
    window, hop = recipe.samples(sample_rate)
    columns = []
    with np.errstate(over="ignore", invalid="ignore"):  # overflow is refused below
        for run in runs(pieces, window, hop):
            frames = run * recipe.full_scale
            energy = np.log(np.maximum(np.square(frames).sum(axis=1), 1.0))
            if not np.isfinite(energy).all():
                raise DataError(f"{where}: powers overflow; scale the samples to the range -1 to 1")
            columns.append(np.column_stack([_static(frames, float(sample_rate), recipe), energy]))
    if not columns:
        raise too_short(where, recipe.window_seconds)
    static = np.concatenate(columns)
    loudest = static[:, -1].max()
    static[:, -1] = 1.0 - 0.1 * (loudest - np.maximum(static[:, -1], loudest - 5.0 * np.log(10.0)))
    parts = [static if recipe.energy else static[:, :-1]]
    for _ in range(recipe.deltas):
        parts.append(delta(parts[-1], recipe.delta_width))
    return np.concatenate(parts, axis=1)


FEATURES = (
    Feature(
        name="plp",
        label="perceptual linear prediction",
        source="Hermansky 1990",
        recipe=PredictionRecipe(),
        function=linear_prediction_features,
    ),
    Feature(
        name="lpc",
        label="linear prediction",
        source="Makhoul 1975",
        recipe=PredictionRecipe(kind="lpc", preemphasis=0.97),
        function=linear_prediction_features,
    ),
    Feature(
        name="lpcepstra",
        label="cepstra of linear prediction",
        source="Makhoul 1975",
        recipe=PredictionRecipe(kind="lpcepstra", preemphasis=0.97),
        function=linear_prediction_features,
    ),
)
