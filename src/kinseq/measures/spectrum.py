"""Spectra compared as distributions: speed and periods of changes, whatever their phase, level and size."""

from __future__ import annotations

import numpy as np

from ..core.arrays import FloatArray
from ..core.sequences import Sequences, SequenceSet, as_sequence_set
from ..features.frames import median_length, stacks
from .elastic import standardised
from .registry import Measure, MeasureInput

MAX_FREQUENCY = 0.5
"""Highest frequency, in cycles a frame."""
FEWEST_CYCLES = 2.0
"""Cycles in a sequence of median length at the lowest frequency; under the window, slower ones look like a trend."""
N_BANDS = 160
"""Number of frequencies, at equal steps of their logarithm: steps of 2.5 % for a hundred frames."""
AT_ONCE = 1 << 20
"""Approximate number of values transformed at a time."""
PADDING_FACTOR = 4
"""Length of the transform, relative to that of the sequence, so that fractional numbers of periods count too."""


def cumulative_spectra(sequences: Sequences, slowest: float | None = None) -> FloatArray:
    """Return the share of the power at and below each frequency, shape (N, BANDS, d).

    Parameters
    ----------
    sequences : SequenceSet or list of array_like, each of shape (T, d)
    slowest : float, optional
        Lowest frequency, in cycles a frame; by default :data:`FEWEST_CYCLES` in the median length. Frequencies lie from there to
        :data:`MAX_FREQUENCY`, at equal steps of their logarithm.

    Returns
    -------
    ndarray
        Between 0 and 1, not decreasing along the second axis; of a feature that is constant in a sequence, 1 everywhere.

    Notes
    -----
    Powers are those of the sequence less its mean, in units of its deviation, under a Hann window.
    """
    data = standardised(sequences)
    frequencies = np.geomspace(slowest or _slowest(data), MAX_FREQUENCY, N_BANDS)
    spectra = np.ones((len(data), N_BANDS, data.n_features))
    for members, stack in stacks(data):
        length, d = stack.shape[1:]
        at_once = max(1, AT_ONCE // (PADDING_FACTOR * length * d))
        for first in range(0, len(members), at_once):
            spectra[members[first : first + at_once]] = _shares(stack[first : first + at_once], frequencies)
    return spectra


def _shares(frames: FloatArray, frequencies: FloatArray) -> FloatArray:
    """Spectra of standardised sequences of one length, shape (n, T, d)."""
    points = PADDING_FACTOR * frames.shape[1]
    grid = np.fft.rfftfreq(points)
    # Drop the zeros at both ends of the window, which would leave nothing of two frames.
    window = np.hanning(frames.shape[1] + 2)[1:-1, None]
    power = np.cumsum(np.square(np.abs(np.fft.rfft(frames * window, points, axis=1))), axis=1)
    total = power[:, -1:]
    power /= np.where(total > 0, total, 1.0)
    # Linear interpolation between frequencies of the transform; the last one is its own neighbour.
    before = np.searchsorted(grid, frequencies, side="right") - 1
    after = np.minimum(before + 1, len(grid) - 1)
    step = np.where(after > before, grid[after] - grid[before], 1.0)[:, None]
    left = power[:, before]
    along = (power[:, after] - left) / step * (frequencies - grid[before])[:, None] + left
    return np.where(total > 0, along, 1.0)


def spectrum(sequences: Sequences) -> FloatArray:
    """Wasserstein distance of normalised power spectra over the logarithm of the frequency, summed over features.

    Two waves are as far apart as the logarithms of their periods, whatever their phases; of waves of one period, those of
    another form are apart by what their overtones carry.

    Parameters
    ----------
    sequences : SequenceSet or list of array_like, each of shape (T, d)

    Returns
    -------
    ndarray, shape (N, N)
        In units of a factor e in frequency; symmetric, not negative, zero diagonal.

    Notes
    -----
    Source: in no document; Cazelles, Robert and Tobar (2021), "The Wasserstein-Fourier distance for stationary time
    series", here of order 1 and on a logarithmic scale, so that ratios of periods count.
    """
    data = as_sequence_set(sequences)
    return _distances(data, data)


def _slowest(sequences: SequenceSet) -> float:
    return min(FEWEST_CYCLES / median_length(sequences), MAX_FREQUENCY / 2.0)


def _distances(new: SequenceSet, old: SequenceSet) -> FloatArray:
    from scipy.spatial.distance import cdist

    slowest = _slowest(old)
    of_old = cumulative_spectra(old, slowest).reshape(len(old), -1)
    of_new = of_old if new is old else cumulative_spectra(new, slowest).reshape(len(new), -1)
    return np.asarray(cdist(of_new, of_old, metric="cityblock") * np.log(MAX_FREQUENCY / slowest) / (N_BANDS - 1))


def _compute(evidence: MeasureInput) -> FloatArray:
    return spectrum(evidence.sequences)


def _cross(old: MeasureInput, new: MeasureInput) -> FloatArray:
    return _distances(new.sequences, old.sequences)


MEASURES = (
    Measure(
        name="spectrum",
        description="the periods of the values and how fast they change, regardless of phase, level and amplitude",
        label="Wasserstein distance of spectra",
        source="in no document; Cazelles, Robert and Tobar 2021",
        function=_compute,
        cross=_cross,
        requires="sequences",
        cheap=True,
        every_frame=True,
        scope="task",
        one_frame=False,
    ),
)
