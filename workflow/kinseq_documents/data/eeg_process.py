"""Recordings made in code that stand in for the EEG of mental tasks (T App. D.1), of which one trial is left in public.

Each channel is an autoregressive process, which is how Keirn and Aunon (1990) describe theirs (of order six; twelve lags
resolve the rhythms better). Its coefficients are those that have the autocovariance of a spectrum: a background that falls
with the square of the frequency down to a floor of noise, and rhythms (theta, alpha, beta) with powers that depend on the
place of the electrode and on the mental task. Levels, slope and shares of the bands are like those of the one trial left.
What the tasks change is taken from the literature on such rhythms, not from any clustering: the alpha rhythm, strongest at
rest and at the back of the head, is weaker over the side that works; calculating adds theta; following numbers on an
imagined board moves the eyes. Subjects differ in the frequency of alpha, in levels and in how strongly they respond;
sessions differ in levels and rhythms by `drift`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy.linalg import solve_toeplitz
from scipy.signal import lfilter

from kinseq.core.arrays import FloatArray, IntArray, as_count, as_real
from kinseq.core.errors import ParameterError
from kinseq.core.seeds import stream
from kinseq.core.sequences import SequenceSet

from ..tasks import Task
from .eeg import CHANNELS, PER_TASK, RATE, windows
from .registry import Loader

ORDER = 12
"""Lags of the autoregressive processes."""
SECONDS = 10.0
"""Length of a recording (s)."""
RHYTHMS: Mapping[str, tuple[float, float]] = {"theta": (6.0, 1.0), "alpha": (10.0, 1.0), "beta": (20.0, 4.0)}
"""Centre and standard deviation of a rhythm in the spectrum (Hz)."""
POWERS: Mapping[str, tuple[float, ...]] = {
    "theta": (0.2, 0.2, 0.2, 0.2, 0.15, 0.15, 0.1),
    "alpha": (0.3, 0.3, 0.6, 0.6, 1.0, 1.0, 0.05),
    "beta": (0.12, 0.12, 0.12, 0.12, 0.12, 0.12, 0.12),
}
"""Power of a rhythm at rest, relative to the background, at each of the channels."""
LEVELS = (5.0, 5.0, 5.0, 5.0, 4.5, 4.5, 8.0)
"""Standard deviation of the background at each of the channels (microvolts)."""
TASKS: Mapping[str, Mapping[str, tuple[float, ...]]] = {
    "baseline": {},
    "multiplication": {
        "alpha": (0.5, 0.7, 0.4, 0.7, 0.6, 0.7, 1.0),
        "theta": (1.8, 1.8, 1.4, 1.4, 1.0, 1.0, 1.0),
        "beta": (1.3, 1.2, 1.3, 1.2, 1.0, 1.0, 1.0),
    },
    "letter-composing": {
        "alpha": (0.4, 0.9, 0.5, 0.9, 0.7, 0.9, 1.0),
        "beta": (1.6, 1.0, 1.4, 1.0, 1.0, 1.0, 1.0),
    },
    "rotation": {
        "alpha": (0.9, 0.7, 0.7, 0.3, 0.7, 0.4, 1.0),
        "theta": (1.0, 1.0, 1.2, 1.4, 1.0, 1.0, 1.0),
    },
    "counting": {
        "alpha": (0.8, 0.8, 0.7, 0.7, 0.35, 0.35, 1.0),
        "level": (1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.5),
    },
}
"""Factors of a mental task at each channel, of the powers of rhythms or of the level of the background."""

# Left to right and front to back on a head of radius 1; the last one is next to the left eye.
_PLACES = np.array([[-0.5, 0], [0.5, 0], [-0.4, -0.5], [0.4, -0.5], [-0.25, -0.9], [0.25, -0.9], [-0.3, 1.0]])
_CORNER = 3.0  # Hz, above which the background falls
_FLOOR = 0.1  # power of white noise, relative to the background
_ALPHA_SPREAD, _SUBJECT_SPREAD, _RESPONSE_SPREAD = 0.8, 0.3, 0.3  # between subjects: Hz, and of logarithms
_BURN_IN = 250
_BINS = 512


@dataclass(frozen=True)
class Head:
    """Process of the seven channels for a subject, a task and a session.

    Attributes
    ----------
    coefficients : ndarray, shape (7, 1 + ORDER)
        Of ``x[t] + c[1] x[t-1] + ... = e[t]``.
    noise : ndarray, shape (7, 7)
        Factor of the covariance of ``e``.
    """

    coefficients: FloatArray
    noise: FloatArray

    def record(self, n: int, rng: np.random.Generator) -> FloatArray:
        """`n` samples of all channels, shape (n, 7), in microvolts."""
        driven = self.noise @ rng.standard_normal((len(CHANNELS), n + _BURN_IN))
        channels = [lfilter([1.0], line, entry) for line, entry in zip(self.coefficients, driven, strict=True)]
        return np.ascontiguousarray(np.array(channels)[:, _BURN_IN:].T)


def spectrum(levels: FloatArray, powers: Mapping[str, FloatArray], alpha: float) -> FloatArray:
    """Power density at :data:`_BINS` frequencies from 0 to half the rate, shape (channels, bins).

    `levels`, shape (channels,), are standard deviations of the background; `powers` of rhythms, shape (channels,) each,
    are relative to it; `alpha` is the frequency of the alpha rhythm (Hz).
    """
    f = np.linspace(0.0, RATE / 2, _BINS)
    background = 1.0 / (1.0 + (f / _CORNER) ** 2)
    total = np.tile(background / background.sum() + _FLOOR / _BINS, (len(levels), 1))
    for name, (centre, width) in RHYTHMS.items():
        bump = np.exp(-0.5 * ((f - (alpha if name == "alpha" else centre)) / width) ** 2)
        total += powers[name][:, None] * bump / bump.sum()
    return np.asarray(np.square(levels)[:, None] * total)


def autoregression(density: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Autoregressive processes whose first autocovariances are those of a spectrum (Yule and Walker).

    `density` has shape (channels, bins), from 0 to half the rate; its sum over bins is the variance. Returns
    coefficients, shape (channels, 1 + ORDER), and variances of the driving noise, shape (channels,).
    """
    # A bin between the ends represents itself and its mirror image.
    covariances = np.fft.irfft(density, axis=1)[:, : ORDER + 1]
    covariances *= (density.sum(axis=1) / covariances[:, 0])[:, None]
    coefficients = np.ones((len(density), ORDER + 1))
    for line, r in zip(coefficients, covariances, strict=True):
        line[1:] = solve_toeplitz(r[:-1], -r[1:])
    return coefficients, (coefficients * covariances).sum(axis=1)


def head(seed: int, subject: int, task: str, session: int, drift: float) -> Head:
    """Return the channels of a subject at a task in a session; each of them has a random stream of its own."""
    n = len(CHANNELS)
    born = stream(seed, "eeg subject", subject)
    alpha = float(np.clip(born.normal(10.0, _ALPHA_SPREAD), 8.0, 12.0))
    levels = np.array(LEVELS) * np.exp(_SUBJECT_SPREAD * born.standard_normal(n))
    responding = stream(seed, "eeg response", subject, task)
    drifting = stream(seed, "eeg session", subject, session)
    changes = TASKS[task]
    levels = levels * np.exp(drift * drifting.standard_normal(n)) * np.array(changes.get("level", (1.0,) * n))
    powers = {}
    for name, at_rest in POWERS.items():
        own = _SUBJECT_SPREAD * born.standard_normal(n) + _RESPONSE_SPREAD * responding.standard_normal(n)
        own = own + drift * drifting.standard_normal(n)
        powers[name] = np.array(at_rest) * np.array(changes.get(name, (1.0,) * n)) * np.exp(own)
    coefficients, variance = autoregression(spectrum(levels, powers, alpha))
    apart = np.linalg.norm(_PLACES[:, None] - _PLACES, axis=2)
    deviation = np.sqrt(variance)
    return Head(coefficients, np.linalg.cholesky(deviation[:, None] * np.exp(-apart) * deviation))


def generate(
    seed: int, subjects: int, sessions: int, recordings: int, window: int, drift: float
) -> tuple[SequenceSet, list[Task]]:
    """Windows of some subjects at five mental tasks, ten of each drawn at random; one task per subject.

    Each subject has `sessions` with so many `recordings` of each task, of :data:`SECONDS` each. Windows are those of
    :func:`kinseq_documents.data.eeg.windows`. `drift` is the standard deviation of the logarithms of levels and powers
    between the sessions of a subject, 0 to 2. Labels are the tasks, groups the subjects; only what is drawn is kept.
    """
    n_subjects = as_count(subjects, "eeg_process: subjects")
    n_sessions, each = as_count(sessions, "eeg_process: sessions"), as_count(recordings, "eeg_process: recordings")
    length, samples = as_count(window, "eeg_process: window", least=2), round(SECONDS * RATE)
    if not 0.0 <= as_real(drift, "eeg_process: drift") <= 2.0:
        raise ParameterError(f"eeg_process: drift is {drift!r}, expected a number from 0 to 2")
    per_recording = (samples - 1) // length
    if n_sessions * each * per_recording < PER_TASK:
        raise ParameterError(
            f"eeg_process: {n_sessions} sessions of {each} recordings hold {n_sessions * each * per_recording} windows of"
            f" {length} samples of a task, expected at least {PER_TASK}; raise recordings or lower window"
        )
    arrays: list[FloatArray] = []
    labels, groups, ids, tasks = [], [], [], []
    for subject in range(1, n_subjects + 1):
        for task in TASKS:
            for session, number, window_indices in _selection(seed, subject, task, n_sessions, each, per_recording):
                rng = stream(seed, "eeg recording", subject, task, session, number)
                recorded = head(seed, subject, task, session, float(drift)).record(samples, rng)
                parts = windows(recorded, length)
                arrays += [parts[at] for at in window_indices]
                ids += [f"{subject}_{task}_{session * each + number + 1}/{at:02d}" for at in window_indices]
        count = PER_TASK * len(TASKS)
        labels += [task for task in TASKS for _ in range(PER_TASK)]
        groups += [str(subject)] * count
        tasks.append(Task(f"subject{subject}", np.arange((subject - 1) * count, subject * count), len(TASKS)))
    sequences = SequenceSet.from_arrays(arrays, labels=labels, groups=groups, ids=ids, name="eeg_process")
    return sequences, tasks


def _selection(
    seed: int, subject: int, task: str, sessions: int, each: int, per_recording: int
) -> list[tuple[int, int, IntArray]]:
    """Drawn session, recording and windows of a task, without excluded recordings."""
    rng = stream(seed, "eeg windows", subject, task)
    numbers = np.sort(rng.permutation(sessions * each * per_recording)[:PER_TASK])
    selection = []
    for whole in np.unique(numbers // per_recording).tolist():
        inside = numbers[numbers // per_recording == whole] % per_recording
        selection.append((*divmod(int(whole), each), inside.astype(np.int64)))
    return selection


LOADERS = (
    Loader(
        name="eeg_process",
        label="autoregressive processes in place of such recordings, ten windows of five mental tasks for each"
        " subject, anew in every trial",
        notes={
            "recordings": "of a task in a session",
            "drift": "deviation of the logarithms of levels and powers between sessions",
        },
        function=generate,
        kind="generated",
        params={"subjects": 7, "sessions": 2, "recordings": 5, "window": 125, "drift": 0.2},
    ),
)
