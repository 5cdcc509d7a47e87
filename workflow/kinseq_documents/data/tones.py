"""Harmonics of a note, summed block by block so that they stay in the cache of the processor, and a filter."""

from __future__ import annotations

from typing import Any

import numpy as np

from kinseq.core.arrays import FloatArray
from kinseq.core.compiled import compiled

_BLOCK = 256


@compiled()
def harmonics(  # pragma: no cover
    sine: FloatArray, twice: FloatArray, fade: FloatArray, fading: FloatArray, partials: FloatArray, dies: bool
) -> Any:
    """Return the sum of sines of multiples of a phase, ``sum_k partials[k] fade fading**k sin((k + 1) phase)``, shape (n,).

    `sine` is that of the phase, `twice` two times its cosine: ``sin((k + 1) p) = 2 cos(p) sin(k p) - sin((k - 1) p)``;
    all have shape (n,), `partials` (K,). `dies` says whether `fading` plays a part.
    """
    sound = np.zeros(sine.size)
    before, now, level = np.empty(_BLOCK), np.empty(_BLOCK), np.empty(_BLOCK)
    for start in range(0, sine.size, _BLOCK):
        # Views that are counted from 0, for loops that the compiler turns into vector instructions.
        out, turning, dying = (
            sound[start : start + _BLOCK],
            twice[start : start + _BLOCK],
            fading[start : start + _BLOCK],
        )
        size = out.size
        before[:size] = 0.0
        now[:size] = sine[start : start + _BLOCK]
        level[:size] = fade[start : start + _BLOCK]
        for k in range(partials.size):
            partial = partials[k]
            for i in range(size):
                out[i] += partial * level[i] * now[i]
            for i in range(size):
                following = turning[i] * now[i] - before[i]
                before[i] = now[i]
                now[i] = following
            if dies:
                for i in range(size):
                    level[i] *= dying[i]
    return sound


@compiled()
def low_passed(signal: FloatArray, keep: float) -> Any:  # pragma: no cover
    """Filter of first order, ``y[n] = (1 - keep) x[n] + keep y[n - 1]``, shape (n,)."""
    filtered, last = np.empty(signal.size), 0.0
    for i in range(signal.size):
        last = (1.0 - keep) * signal[i] + keep * last
        filtered[i] = last
    return filtered
