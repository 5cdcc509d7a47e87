"""Mel-frequency cepstral coefficients, with every convention explicit.

Toolboxes disagree on the mel formula, the shape and the norm of the filters, magnitude or power, the logarithm, its
floor, the DCT, the lifter and the handling of the ends; :class:`CepstralRecipe` names each of these choices.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from ..core.arrays import FloatArray, as_count, keep_checked
from ..core.errors import DataError, ParameterError, is_one_of, unknown_name
from ..core.extras import from_extra
from ..core.wording import as_typed, option_name
from .frames import delta
from .registry import Feature

# Frames are always transformed in runs of this many, counted from the start of the signal, so that a streamed signal
# gives the same bits as the whole one, whatever the FFT does with the rows of a batch.
_FRAMES_PER_RUN = 1024
# How often the transform is doubled at most for filters without a bin
_DOUBLINGS = 6


def real_number(value: Any, name: str, least: float | None = None, above: float | None = None) -> float:
    """`value` as a finite float within its range, or :class:`ParameterError`."""
    bound = f"of at least {least:g}" if least is not None else f"above {above:g}" if above is not None else ""
    try:
        number = float(value)
    except (TypeError, ValueError) as error:
        raise ParameterError(f"{name} is {value!r}, expected a number {bound}".rstrip()) from error
    low = (least is not None and number < least) or (above is not None and number <= above)
    if not np.isfinite(number) or low:
        raise ParameterError(f"{name} is {value!r}, expected a number {bound}".rstrip())
    return number


@dataclass(frozen=True)
class CepstralRecipe:
    """All conventions of a cepstral analysis; times in seconds, frequencies in Hz, the signal in [-1, 1].

    Attributes
    ----------
    window_seconds, hop_seconds : float
        Length of the analysis window and distance between two; both are rounded to whole samples.
    window : {"hamming", "hann", "rectangular"}
        Shape of the window. ``"hamming"`` is symmetric (N - 1 in its denominator, as HTK), ``"hann"`` periodic (N, as
        librosa).
    center : bool
        False: the first window starts at the first sample and only whole windows are used, ``1 + (n - window) // hop``
        frames. True: the signal is continued with zeros by half a window on both sides, ``1 + n // hop`` frames.
    zero_mean : bool
        Subtract the mean of each window first.
    preemphasis : float
        ``y_n = x_n - p x_{n-1}`` within each window, its first sample being ``(1 - p) x_0`` (as HTK); 0 for none.
    full_scale : float
        Number that an amplitude of 1 is multiplied by; 32768 gives the units of 16-bit samples. It matters for `floor`
        and for c0 and the energy only.
    n_fft : int or None
        Length of the Fourier transform; the window is followed by zeros. None is the next power of two.
    spectrum : {"magnitude", "power"}
        What the filters sum.
    n_mels : int
        Number of filters.
    mel : {"htk", "slaney"}
        Formula of the mel scale: ``2595 log10(1 + f / 700)``, or linear below 1 kHz and logarithmic above.
    filter_shape : {"mel", "hz"}
        Triangles that are straight lines over mel (HTK) or over Hz (librosa).
    filter_norm : {"none", "slaney"}
        Peaks of height 1, or of ``2 / (width in Hz)``.
    fmin, fmax : float
        Lower and upper edge of the bank; `fmax` None is half the sampling rate.
    floor : float
        Band outputs, and the energy, are raised to at least this before the natural logarithm is taken.
    n_mfcc : int
        Number of coefficients computed, c0 among them, by the orthonormal DCT-II of the logarithms.
    drop_c0 : bool
        Leave the first coefficient out.
    lifter : int
        c_n is multiplied by ``1 + (L / 2) sin(pi n / L)``, n = 0, 1, ... (as HTK: librosa counts from 1); 0 for none.
    energy : {"none", "log", "normalised"}
        Append the log energy ``ln(sum x_n^2)`` of each window, taken before zero mean, pre-emphasis and windowing.
        ``"normalised"`` is HTK's form: ``1 - 0.1 (E_max - E)`` with E_max over the signal and E at most 50 dB below it.
    deltas : int
        How many orders of increments to append: 1 gives them, 2 those of the increments too.
    delta_width : int
        Half-width in frames of the regression; see :func:`kinseq.features.delta`.
    """

    window_seconds: float = 0.025
    hop_seconds: float = 0.010
    window: Literal["hamming", "hann", "rectangular"] = "hamming"
    center: bool = False
    zero_mean: bool = False
    preemphasis: float = 0.97
    full_scale: float = 32768.0
    n_fft: int | None = None
    spectrum: Literal["magnitude", "power"] = "magnitude"
    n_mels: int = 26
    mel: Literal["htk", "slaney"] = "htk"
    filter_shape: Literal["mel", "hz"] = "mel"
    filter_norm: Literal["none", "slaney"] = "none"
    fmin: float = 0.0
    fmax: float | None = None
    floor: float = 1.0
    n_mfcc: int = 13
    drop_c0: bool = True
    lifter: int = 22
    energy: Literal["none", "log", "normalised"] = "normalised"
    deltas: int = 1
    delta_width: int = 2

    def __post_init__(self) -> None:
        choices = {
            "window": ("hamming", "hann", "rectangular"),
            "spectrum": ("magnitude", "power"),
            "mel": ("htk", "slaney"),
            "filter_shape": ("mel", "hz"),
            "filter_norm": ("none", "slaney"),
            "energy": ("none", "log", "normalised"),
        }
        for name, valid in choices.items():
            if not is_one_of(getattr(self, name), valid):
                raise ParameterError(unknown_name(name, getattr(self, name), valid))
        for name in ("window_seconds", "hop_seconds", "full_scale", "floor"):
            real_number(getattr(self, name), name, above=0.0)
        for name in ("preemphasis", "fmin"):
            real_number(getattr(self, name), name, least=0.0)
        if self.preemphasis > 1.0:
            raise ParameterError(f"preemphasis is {self.preemphasis!r}, expected a number from 0 to 1")
        if self.fmax is not None and real_number(self.fmax, "fmax", above=0.0) <= self.fmin:
            raise ParameterError(f"fmax is {self.fmax!r}, expected more than fmin, which is {self.fmin!r}")
        keep_checked(self, as_count, "n_mels", "n_mfcc", "delta_width", *(["n_fft"] if self.n_fft is not None else []))
        keep_checked(self, as_count, "lifter", "deltas", least=0)
        if self.n_mfcc > self.n_mels:
            raise ParameterError(f"n_mfcc is {self.n_mfcc} but there are only {self.n_mels} mel bands; raise n_mels")
        if self.n_static == 0:
            raise ParameterError(
                "the recipe keeps no coefficient; raise n_mfcc, or set drop_c0=False or an energy term"
            )

    @property
    def n_static(self) -> int:
        """Number of features of a frame before increments."""
        return int(self.n_mfcc - bool(self.drop_c0) + (self.energy != "none"))

    @property
    def n_features(self) -> int:
        """Number of features of a frame."""
        return int(self.n_static * (1 + self.deltas))

    def samples(self, sample_rate: float) -> tuple[int, int, int]:
        """Window, hop and transform length in samples at `sample_rate`."""
        rate = real_number(sample_rate, "sample_rate", above=0.0)
        window = int(np.floor(self.window_seconds * rate + 0.5))
        hop = int(np.floor(self.hop_seconds * rate + 0.5))
        if window < 2 or hop < 1:
            raise ParameterError(
                f"{option_name('sample_rate')} is {sample_rate!r}: a window of {self.window_seconds} s and a hop of"
                f" {self.hop_seconds} s"
                f" come to {window} and {hop} samples; use longer ones"
            )
        n_fft = self.n_fft if self.n_fft is not None else 1 << (window - 1).bit_length()
        if n_fft < window:
            raise ParameterError(f"n_fft is {n_fft}, expected at least the window of {window} samples")
        return window, hop, n_fft


RECIPES = {
    "speech": CepstralRecipe(),
    "music": CepstralRecipe(
        window_seconds=0.030,
        hop_seconds=0.015,
        window="hann",
        preemphasis=0.0,
        full_scale=1.0,
        spectrum="power",
        n_mels=30,
        mel="slaney",
        filter_shape="hz",
        filter_norm="slaney",
        floor=1e-10,
        n_mfcc=7,
        drop_c0=True,
        lifter=0,
        energy="none",
        deltas=0,
    ),
}


def cepstral_recipe(recipe: str | CepstralRecipe = "speech", **overrides: Any) -> CepstralRecipe:
    """Return the named recipe with some conventions replaced; refuse unknown names with a list of valid ones."""
    if isinstance(recipe, str):
        if not is_one_of(recipe, RECIPES):
            raise ParameterError(unknown_name("recipe", recipe, RECIPES))
        recipe = RECIPES[recipe]
    valid = [entry.name for entry in fields(CepstralRecipe)]
    for name in overrides:
        if name not in valid:
            raise ParameterError(unknown_name("setting of a cepstral recipe", name, valid))
    return replace(recipe, **overrides)


def mfcc(
    signal: ArrayLike,
    sample_rate: float,
    recipe: Literal["speech", "music"] | CepstralRecipe = "speech",
    **overrides: Any,
) -> FloatArray:
    """Mel-frequency cepstral coefficients of one signal.

    Parameters
    ----------
    signal : array_like, shape (n,)
        Mono samples in [-1, 1]; integers are taken as PCM and divided by their full scale.
    sample_rate : float
        Samples per second (Hz).
    recipe : {"speech", "music"} or CepstralRecipe
        A set of conventions, see Notes.
    **overrides
        Attributes of :class:`CepstralRecipe` to replace, for example ``n_mels=40`` or ``center=True``.

    Returns
    -------
    ndarray, shape (T, d), float64
        Frames; d is ``recipe.n_features``: 26 for ``"speech"``, 6 for ``"music"``. Columns: coefficients in rising
        order (c0 left out), the energy term, then the increments of all these in the same order.

    Raises
    ------
    DataError
        If the signal is not one-dimensional, not finite, or shorter than one window.
    ParameterError
        If an override is unknown or outside its range.

    Notes
    -----
    ``"speech"`` (2011 thesis, Appendix D.3: 12 coefficients, energy and their increments, 25 ms windows every 10 ms,
    made with HTK, further settings unpublished). The open choices are those of HTK: symmetric Hamming window,
    pre-emphasis 0.97 within the window, no centring, samples in 16-bit units, transform of the next power of two,
    magnitude spectrum, 26 filters from 0 Hz to half the rate on the scale ``2595 log10(1 + f / 700)``, triangles
    straight over mel with peak 1, natural logarithm with floor 1, orthonormal DCT-II, c1 .. c12, lifter 22, log energy
    of the raw window normalised as ``1 - 0.1 (E_max - E)`` with a floor 50 dB down, increments by regression over +-2
    frames. (HTK's own scale writes ``1127 ln(1 + f / 700)``: the same filters.)

    ``"music"`` (2011 thesis, section 6.2: 30 filters, 30 ms windows every 15 ms, six coefficients without the loudness
    term; the further settings are unpublished): periodic Hann window, no pre-emphasis, no centring, power spectrum with
    the transform of the next power of two, Slaney's mel scale, triangles straight over Hz with area norm ``2 / width``,
    natural logarithm with floor 1e-10, orthonormal DCT-II, seven coefficients of which c0 is dropped, no lifter, no
    energy, no increments. Up to the length of the transform, the logarithm's unit and the centring this is librosa's
    default.
    """
    settings = cepstral_recipe(recipe, **overrides)
    return mfcc_of_stream([as_signal(signal, "signal")], sample_rate, settings)


def mfcc_of_stream(
    pieces: Iterable[FloatArray], sample_rate: float, recipe: CepstralRecipe, where: str = "signal"
) -> FloatArray:
    """:func:`mfcc` of a streamed signal; the same bits as for the whole signal.

    Parameters
    ----------
    pieces : iterable of ndarray, each of shape (n_i,)
        Consecutive samples.
    sample_rate : float
        Samples per second (Hz).
    recipe : CepstralRecipe
        Conventions.
    where : str
        Name of the signal, used in messages.

    Returns
    -------
    ndarray, shape (T, d), float64
    """
    window, hop, _ = recipe.samples(sample_rate)
    analyse = _analysis(recipe, float(sample_rate))
    with np.errstate(over="ignore", invalid="ignore"):  # overflow is refused below
        parts = [analyse(run) for run in runs(_padded(pieces, window // 2 if recipe.center else 0), window, hop)]
    if not parts:
        raise too_short(where, recipe.window_seconds)
    static = np.concatenate(parts)
    if not np.isfinite(static).all():
        frame = int(np.flatnonzero(~np.isfinite(static).all(axis=1))[0])
        raise DataError(
            f"{where}: the features overflow at {frame * recipe.hop_seconds:.3f} s;"
            " scale the samples to the range -1 to 1"
        )
    if recipe.energy == "normalised":
        energy = static[:, -1]
        loudest = energy.max()
        static[:, -1] = 1.0 - 0.1 * (loudest - np.maximum(energy, loudest - 5.0 * np.log(10.0)))
    columns = [static]
    for _ in range(recipe.deltas):
        columns.append(delta(columns[-1], recipe.delta_width))
    return np.concatenate(columns, axis=1)


def too_short(where: str, window_seconds: float) -> DataError:
    """Return the error message for a recording shorter than one window."""
    return DataError(
        f"{where}: is shorter than one analysis window ({window_seconds:g} s); leave it out or take a shorter window"
        f" ({as_typed('window_seconds', float(f'{window_seconds / 5.0:.1g}'))})"
    )


def as_signal(signal: ArrayLike, where: str) -> FloatArray:
    """Return a finite one-dimensional float64 signal, integers divided by their full scale, or raise an error with the reason."""
    array = np.asarray(signal)
    if array.ndim != 1:
        raise DataError(f"{where}: has shape {array.shape}, expected one channel of shape (n,); mix it down first")
    if array.size == 0:
        raise DataError(f"{where}: is empty (0 samples); check how it was read")
    if array.dtype.kind in "iu":
        info = np.iinfo(array.dtype)
        middle = 0.0 if array.dtype.kind == "i" else (info.max + 1) / 2
        return (array.astype(np.float64) - middle) / ((info.max + 1) if array.dtype.kind == "i" else middle)
    try:
        samples = np.ascontiguousarray(array, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(f"{where}: cannot be read as samples ({error}); give numbers") from error
    bad = np.flatnonzero(~np.isfinite(samples))
    if bad.size:
        raise DataError(f"{where}: sample {bad[0]} is {samples[bad[0]]}; repair the recording or leave it out")
    return samples


def _padded(pieces: Iterable[FloatArray], pad: int) -> Iterator[FloatArray]:
    if pad:
        yield np.zeros(pad)
    yield from pieces
    if pad:
        yield np.zeros(pad)


def runs(pieces: Iterable[FloatArray], window: int, hop: int) -> Iterator[FloatArray]:
    """Cut a stream of samples into runs of whole windows, each of shape (at most ``_FRAMES_PER_RUN``, window)."""
    needed = (_FRAMES_PER_RUN - 1) * hop + window
    pending: list[FloatArray] = []
    size = 0
    skip = 0  # samples between two runs that no window covers, if the hop is longer than the window
    for piece in pieces:
        if skip:
            dropped = min(skip, len(piece))
            piece, skip = piece[dropped:], skip - dropped
        pending.append(piece)
        size += len(piece)
        while size >= needed:
            samples = pending[0] if len(pending) == 1 else np.concatenate(pending)
            yield np.lib.stride_tricks.sliding_window_view(samples[:needed], window)[::hop]
            advance = _FRAMES_PER_RUN * hop
            skip = max(0, advance - len(samples))
            rest = samples[advance:]
            pending, size = [rest], len(rest)
    samples = np.concatenate(pending) if pending else np.zeros(0)
    if len(samples) >= window:
        yield np.lib.stride_tricks.sliding_window_view(samples, window)[::hop]


class _Analysis:
    """Static features of runs of windows; created once per recipe and rate, and safe to share between threads."""

    def __init__(self, recipe: CepstralRecipe, sample_rate: float) -> None:
        # SciPy and librosa are imported here: callers of other features save half a second.
        from scipy.sparse import csr_array

        self.recipe = recipe
        window, _, self.n_fft = recipe.samples(sample_rate)
        self.taper = taper(recipe.window, window)
        # A sparse product adds in a fixed order, whereas BLAS may add differently for another number of frames or
        # threads.
        self.bank = csr_array(mel_filters(recipe, sample_rate))
        orders = np.arange(recipe.n_mfcc)
        self.lift = np.ones(recipe.n_mfcc)
        if recipe.lifter:
            self.lift += 0.5 * recipe.lifter * np.sin(np.pi * orders / recipe.lifter)

    def __call__(self, windows: FloatArray) -> FloatArray:
        from scipy.fft import dct, rfft

        recipe = self.recipe
        frames = windows * recipe.full_scale
        columns = []
        if recipe.energy != "none":
            columns.append(np.log(np.maximum(np.square(frames).sum(axis=1), recipe.floor))[:, None])
        if recipe.zero_mean:
            frames = frames - frames.mean(axis=1, keepdims=True)
        if recipe.preemphasis:
            before = np.concatenate([frames[:, :1], frames[:, :-1]], axis=1)
            frames = frames - recipe.preemphasis * before
        spectrum = np.abs(rfft(frames * self.taper, n=self.n_fft, axis=1))
        if recipe.spectrum == "power":
            spectrum = np.square(spectrum)
        bands = np.ascontiguousarray((self.bank @ np.ascontiguousarray(spectrum.T)).T)
        cepstra = dct(np.log(np.maximum(bands, recipe.floor)), type=2, norm="ortho", axis=1)[:, : recipe.n_mfcc]
        cepstra = cepstra * self.lift
        return np.concatenate([cepstra[:, 1:] if recipe.drop_c0 else cepstra, *columns], axis=1)


@lru_cache(maxsize=16)
def _analysis(recipe: CepstralRecipe, sample_rate: float) -> _Analysis:
    return _Analysis(recipe, sample_rate)


def taper(shape: str, length: int) -> FloatArray:
    """Return a window by its name, shape (length,)."""
    turn = 2.0 * np.pi * np.arange(length)
    if shape == "hamming":
        return np.asarray(0.54 - 0.46 * np.cos(turn / (length - 1)))
    if shape == "hann":
        return np.asarray(0.5 - 0.5 * np.cos(turn / length))
    return np.ones(length)


def with_bins(recipe: CepstralRecipe, sample_rate: float) -> CepstralRecipe:
    """Return the recipe with a transform long enough for a bin in each filter, if the length is open and the usual one too short.

    Short windows, followed by more zeros, then serve as well. ParameterError as :func:`mel_filters` where no length helps.
    """
    if recipe.n_fft is not None:
        return recipe
    n_fft = recipe.samples(sample_rate)[2]
    for doubled in range(_DOUBLINGS):
        wider = recipe if doubled == 0 else replace(recipe, n_fft=n_fft << doubled)
        try:
            mel_filters(wider, sample_rate)
        except ParameterError:
            continue
        return wider
    return recipe


def mel_filters(recipe: CepstralRecipe, sample_rate: float) -> FloatArray:
    """Return weights of the mel filter bank of `recipe`, shape ``(n_mels, n_fft // 2 + 1)``.

    Raises
    ------
    ParameterError
        If the upper edge lies above half the rate, or a filter is so narrow that it holds no bin of the transform.
    """
    with from_extra("audio", "a mel filter bank"):
        import librosa

    _, _, n_fft = recipe.samples(sample_rate)
    nyquist = sample_rate / 2.0
    fmax = nyquist if recipe.fmax is None else float(recipe.fmax)
    if fmax > nyquist * (1.0 + 1e-9):
        raise ParameterError(f"fmax is {fmax:g} Hz but half the sampling rate is {nyquist:g} Hz; lower it or resample")
    if recipe.fmin >= fmax:
        raise ParameterError(f"fmin is {recipe.fmin:g} Hz, expected less than the upper edge of {fmax:g} Hz")
    htk = recipe.mel == "htk"
    edges = np.linspace(
        librosa.hz_to_mel(recipe.fmin, htk=htk), librosa.hz_to_mel(fmax, htk=htk), recipe.n_mels + 2, dtype=np.float64
    )
    corners = np.asarray(librosa.mel_to_hz(edges, htk=htk), dtype=np.float64)
    bins = np.arange(n_fft // 2 + 1) * (sample_rate / n_fft)
    if recipe.filter_shape == "mel":
        places, knots = np.asarray(librosa.hz_to_mel(bins, htk=htk), dtype=np.float64), np.asarray(edges)
    else:
        places, knots = np.asarray(bins), corners
    rising = (places - knots[:-2, None]) / (knots[1:-1] - knots[:-2])[:, None]
    falling = (knots[2:, None] - places) / (knots[2:] - knots[1:-1])[:, None]
    weights = np.maximum(0.0, np.minimum(rising, falling))
    if recipe.filter_norm == "slaney":
        weights *= (2.0 / (corners[2:] - corners[:-2]))[:, None]
    empty = np.flatnonzero(weights.sum(axis=1) == 0.0)
    if empty.size:
        raise ParameterError(
            f"n_mels is {recipe.n_mels}: filter {empty[0]} holds no bin of a transform of {n_fft} at"
            f" {sample_rate:g} Hz; use fewer bands or a larger n_fft"
        )
    return weights


FEATURES = (
    Feature(
        name="speech",
        label="MFCC of speech",
        source="thesis 2011, appendix D.3",
        recipe=RECIPES["speech"],
        function=mfcc_of_stream,
    ),
    Feature(
        name="music",
        label="MFCC of music",
        source="thesis 2011, chapter 6",
        recipe=RECIPES["music"],
        function=mfcc_of_stream,
        settings={"highest_rate": 22050.0},
    ),
    Feature(
        name="music_mar",
        label="MFCC of music, integrated by MAR",
        source="thesis 2011, chapter 6; Meng et al. 2007",
        recipe=RECIPES["music"],
        function=mfcc_of_stream,
        settings={"highest_rate": 22050.0, "mar": True},
    ),
    Feature(
        name="ultrasound",
        label="MFCC of ultrasound",
        source="the conventions of HTK from 10 kHz on, windows of 3 ms",
        recipe=CepstralRecipe(window_seconds=0.003, hop_seconds=0.001, fmin=10_000.0),
        function=mfcc_of_stream,
        settings={"highest_rate": 1e6, "fit_window": False},
    ),
    Feature(
        name="low_sound",
        label="MFCC of low sound",
        source="the conventions of HTK up to 1 kHz, windows of 0.4 s",
        recipe=CepstralRecipe(window_seconds=0.4, hop_seconds=0.1),
        function=mfcc_of_stream,
        settings={"highest_rate": 2000.0, "follow_power": False, "fit_window": False},
    ),
)
