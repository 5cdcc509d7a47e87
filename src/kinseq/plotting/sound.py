"""Encode sound for a page."""

from __future__ import annotations

import io

from numpy.typing import ArrayLike

from ..core.extras import from_extra

RATES_HZ = (8000, 11025, 12000, 16000, 22050)
"""Sampling rates (Hz) that are written; higher ones would make pages too large."""
BYTES_A_SECOND = 5000
"""Bytes per second at the highest of these, slightly fewer at others."""


def mp3(samples: ArrayLike, rate: float) -> bytes:
    """Samples as an MP3 file of constant bit rate.

    They are floating point in [-1, 1], or 16-bit integers, shape (n,); `rate` (Hz) is one of :data:`RATES_HZ`.
    """
    with from_extra("audio", "writing sound"):
        import soundfile

    out = io.BytesIO()
    soundfile.write(out, samples, round(rate), format="MP3", compression_level=0.8, bitrate_mode="CONSTANT")
    return out.getvalue()
