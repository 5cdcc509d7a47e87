"""Embeddings of spoken words by a network trained on words, with the optional extra ``speech``.

The networks are files in the wheel of another project, openwakeword 0.4.0, and are run by onnxruntime. Nothing of them is part of
this package, nothing is downloaded, none of that project's code is run, and none of its models of wake words is loaded. Under which
terms they may be used is said in ``docs/reports/words.md``, and in :data:`TERMS`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from ..core.arrays import FloatArray
from ..core.errors import DataError, ParameterError
from ..core.wording import as_typed, option_name
from .cepstral import real_number, runs
from .registry import Feature

SAMPLE_RATE_HZ = 16000.0
"""Sample rate (Hz) that the networks were trained at."""
HIGHEST_EDGE_HZ = 3800.0
"""Upper edge (Hz) of the highest band of the first network; recordings at 8000 Hz cover it."""
BANDS, WINDOW, SIZE = 32, 76, 96
"""Number of bands, of 10 ms frames per embedding, and of values of an embedding."""
TERMS = (
    "the networks are part of openwakeword 0.4.0, whose author calls the original of the second one Apache-2.0 and all models that"
    " he includes CC BY-NC-SA 4.0; whether that means these two is not clear, so the safe reading is non-commercial use only"
)
"""Terms of use of the networks, in one sentence."""
MIN_WORD_SECONDS = 0.1
"""Seconds below which a recording cannot be a word."""
MIN_LEVEL_SPAN_DB = 6.0
"""Least range of the level of a recording in decibels, between its quiet and loud twentieths. Of 880 words of the open sets
one has less, which is noise alone; all others have 19 to 71, and 7 to 21 with white noise 10 dB below the word. Hum and
steady noise have 0 to 5."""

_FRAME, _HOP = 512, 160
_WINDOWS_AT_ONCE = 64
_FULL_SCALE = 32768.0
# Pad with zeros, so that the window of the first embedding is centred on the first sample.
_AROUND = WINDOW // 2 * _HOP


@dataclass(frozen=True)
class SpokenRecipe:
    """Settings of embeddings, including those fixed by the network; times in seconds.

    Attributes
    ----------
    hop_seconds : float
        Distance between two embeddings, a multiple of 0.01.
    window_seconds : float
        What one embedding sees; the network knows no other.
    fmax : float
        Frequency (Hz) up to which it sees; the network knows no other.
    """

    hop_seconds: float = 0.04
    window_seconds: float = 0.775
    fmax: float = HIGHEST_EDGE_HZ

    def __post_init__(self) -> None:
        hop = 100.0 * real_number(self.hop_seconds, "hop_seconds", above=0.0)
        if abs(hop - round(hop)) > 1e-6 or round(hop) < 1:
            raise ParameterError(
                f"{option_name('hop_seconds')} is {self.hop_seconds!r}, expected a multiple of 0.01, such as 0.04"
            )
        for name, only in (("window_seconds", 0.775), ("fmax", HIGHEST_EDGE_HZ)):
            if getattr(self, name) != only:
                raise ParameterError(
                    f"{name} is {getattr(self, name)!r}, but the network of the features 'words' has {only:g}; leave it out"
                )

    def samples(self, sample_rate: float) -> tuple[int, int]:
        """Window and hop in samples.

        Raises
        ------
        ParameterError
            If the rate is not that of the networks.
        """
        if sample_rate != SAMPLE_RATE_HZ:
            raise ParameterError(
                f"{option_name('sample_rate')} is {sample_rate:g}, but the features 'words' are of {SAMPLE_RATE_HZ:g}"
                " Hz, to which recordings of any"
                " rate are resampled; leave it out"
            )
        return round(self.window_seconds * SAMPLE_RATE_HZ), self.hop_frames * _HOP

    @property
    def hop_frames(self) -> int:
        """Frames of 10 ms from one embedding to the next."""
        return round(100.0 * self.hop_seconds)


def embeddings(pieces: Iterable[FloatArray], sample_rate: float, recipe: SpokenRecipe, where: str) -> FloatArray:
    """Embeddings of a streamed recording.

    Parameters
    ----------
    pieces : iterable of ndarray, each of shape (n_i,)
        Consecutive samples in [-1, 1].
    sample_rate : float
        16000 Hz.
    recipe : SpokenRecipe
    where : str
        Name of the recording, used in messages.

    Returns
    -------
    ndarray, shape (T, 96), float64
        One every `recipe.hop_seconds`, each of the 0.775 s around its place, the first around the first sample. Before and behind
        the recording zeros are heard, so that also what is shorter than a window has embeddings.

    Raises
    ------
    DataError
        If the recording is shorter than 0.1 s, or as loud from start to end as words never are: hum and steady noise.
    ParameterError
        If the extra is missing, or the rate is another.

    Notes
    -----
    Source: Lin, Kilgour, Roblek and Sharifi (2020), arXiv:2002.01322, as openwakeword carries it. The first network gives levels
    of 32 bands (60 to 3800 Hz) every 10 ms, the second one embedding of 76 of them. Levels more than 80 dB below the loudest of
    some ten seconds, counted from the start, count as that. Numbers are the same however a recording is cut into pieces.
    """
    recipe.samples(sample_rate)
    to_levels, to_embedding = networks()
    levels, heard = [], 0
    silence = np.zeros(_AROUND)

    def counted() -> Iterator[FloatArray]:
        nonlocal heard
        for piece in pieces:
            heard += len(piece)
            yield piece

    for windows in runs(chain([silence], counted(), [silence]), _FRAME, _HOP):
        samples = np.concatenate([windows[:-1, :_HOP].ravel(), windows[-1]])
        levels.append(_run(to_levels, samples[None] * _FULL_SCALE).reshape(-1, BANDS))
    if heard < MIN_WORD_SECONDS * SAMPLE_RATE_HZ:
        raise DataError(f"{where}: is shorter than {MIN_WORD_SECONDS:g} s, too short for a word; leave it out")
    frames = np.concatenate(levels)
    # Frames that overlap none of the padding.
    within = slice(_AROUND // _HOP, _AROUND // _HOP + (heard - _FRAME) // _HOP + 1)
    _require_changing(frames[within], where)
    # Scale that the second network was trained on, as in the project that publishes the networks.
    frames = frames / 10.0 + 2.0
    inputs = np.lib.stride_tricks.sliding_window_view(frames, WINDOW, axis=0)[:: recipe.hop_frames].transpose(0, 2, 1)
    outputs = [
        _run(to_embedding, inputs[i : i + _WINDOWS_AT_ONCE, :, :, None])
        for i in range(0, len(inputs), _WINDOWS_AT_ONCE)
    ]
    return np.concatenate(outputs).reshape(-1, SIZE).astype(np.float64)


def _require_changing(levels: FloatArray, where: str) -> None:
    """Refuse sounds of constant loudness, which cannot be words."""
    power = np.log10(np.power(10.0, levels / 10.0).mean(axis=1))
    low, high = np.quantile(10.0 * power, [0.05, 0.95])
    if high - low < MIN_LEVEL_SPAN_DB:
        raise DataError(
            f"{where}: is about as loud from start to end (its level spans {high - low:.1f} dB), as hum and noise are and words are"
            f" not; leave it out, or compare features of sound ({as_typed('features', 'speech')})"
        )


def require_networks() -> None:
    """Raise :class:`ParameterError` unless the extra is installed."""
    networks()


@cache
def networks() -> tuple[Any, Any]:
    """Return the two networks, of levels and of embeddings, ready to run in one thread each."""
    try:
        import onnxruntime

        home = find_spec("openwakeword")
    except ImportError:
        home = None
    folders = [] if home is None else list(home.submodule_search_locations or [])
    files = [Path(folder, "resources", "models", name) for folder in folders for name in _FILES]
    if not files or not all(file.is_file() for file in files):
        raise ParameterError(
            "the features 'words' need the extra speech, which is not installed; make install-speech (or pip install"
            f" 'kinseq[speech]') installs it: {TERMS}"
        )
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    first, second = (
        onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"]) for file in files[:2]
    )
    return first, second


_FILES = ("melspectrogram.onnx", "embedding_model.onnx")


def _run(network: Any, values: FloatArray) -> FloatArray:
    name = network.get_inputs()[0].name
    return np.asarray(network.run(None, {name: np.ascontiguousarray(values, dtype=np.float32)})[0])


FEATURES = (
    Feature(
        name="words",
        label="embeddings by a network that was trained on words",
        source="Lin et al. 2020, arXiv:2002.01322",
        recipe=SpokenRecipe(),
        function=embeddings,
        settings={"sample_rate": SAMPLE_RATE_HZ},
        measure="pooled_dtw",
        terms=TERMS,
        ready=require_networks,
    ),
)
