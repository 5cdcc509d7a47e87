"""Some of the songs that are made in code, to see and to hear (in the place of the music of T ch. 6)."""

from __future__ import annotations

import io
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from kinseq.core.arrays import FloatArray, as_count, as_positive
from kinseq.core.errors import ParameterError
from kinseq.core.seeds import derive_seed
from kinseq.features.cepstral import cepstral_recipe, mel_filters
from kinseq.plotting import html
from kinseq.plotting.sound import mp3

from ..data.songs import RATE, STYLES, make_song
from ..plotting import array_figures
from .registry import Arrays, Drawing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_WINDOW, _HOP = 1024, 882
_RANGE = 70.0  # dB below the loudest that a spectrogram shows
_BANDS = 64


def _compute(seed: int, n_songs: int, seconds: float, excerpt: float) -> Arrays:
    """Beginnings of the first songs of each style in the first trial, and their spectrograms."""
    count = as_count(n_songs, "n_songs")
    if not as_positive(excerpt, "excerpt") <= as_positive(seconds, "seconds"):
        raise ParameterError(f"excerpt is {excerpt:g} s, expected no more than the {seconds:g} s of a song")
    data = derive_seed(seed, "data", "styles", 0)
    heard = [
        make_song(style, number, seconds, data).samples[: round(excerpt * RATE)]
        for style in STYLES
        for number in range(count)
    ]
    samples = np.array(heard)
    return {
        "style": np.repeat(list(STYLES), count),
        "number": np.tile(np.arange(count), len(STYLES)),
        "samples": np.round(32767.0 * samples).astype(np.int16),
        "levels": np.array([spectrogram(line) for line in samples], dtype=np.float32),
    }


def spectrogram(samples: FloatArray) -> FloatArray:
    """Return levels over time in bands of equal width on the mel scale, in dB below the loudest, shape (bands, frames)."""
    from scipy.fft import rfft

    taper = 0.5 - 0.5 * np.cos(2.0 * np.pi * np.arange(_WINDOW) / _WINDOW)
    frames = np.lib.stride_tricks.sliding_window_view(samples, _WINDOW)[::_HOP]
    power = np.square(np.abs(rfft(frames * taper, axis=1)))
    bands = power @ mel_filters(cepstral_recipe("music", n_mels=_BANDS, n_fft=_WINDOW), RATE).T
    return np.asarray(np.maximum(10.0 * np.log10(np.maximum(bands / bands.max(), 1e-30)), -_RANGE).T)


def _draw(arrays: Arrays, excerpt: float, **_: Any) -> Figure:
    panels = {
        f"{str(style).capitalize()} {number + 1}": levels
        for style, number, levels in zip(arrays["style"], arrays["number"], arrays["levels"], strict=True)
    }
    return array_figures.spectrograms(panels, float(excerpt), len(set(arrays["style"].tolist())))


def _page(arrays: Arrays, title: str, excerpt: float, **_: Any) -> str:
    """Players with spectrograms, a row per style."""
    out = [
        f"<h1>{escape(title)}</h1>",
        f'<p class="how">The first {excerpt:g} seconds of each, and their spectrograms. Every song has its own key, tempo,'
        " chords, sounds and recording. All is made in code; no recording was used.</p>",
    ]
    for style in dict.fromkeys(arrays["style"].tolist()):
        out.append(f'<h2>{escape(style.capitalize())}</h2><div style="display:flex;flex-wrap:wrap;gap:16px">')
        for at in np.flatnonzero(arrays["style"] == style):
            name = f"{style} {int(arrays['number'][at]) + 1}"
            sound = html.uri(mp3(arrays["samples"][at], RATE), "audio/mpeg")
            out.append(
                f'<figure style="margin:0;width:300px">{_thumbnail(arrays["levels"][at], name)}'
                f'<audio controls preload="none" style="width:300px" src="{sound}">'
                f"</audio><figcaption>{escape(name)}</figcaption></figure>"
            )
        out.append("</div>")
    return html.page(title, out)


def _thumbnail(levels: FloatArray, name: str) -> str:
    from matplotlib.image import imsave

    out = io.BytesIO()
    imsave(out, levels[::-1], cmap="viridis", vmin=-_RANGE, vmax=0.0, format="png", metadata={"Software": ""})
    address = html.uri(out.getvalue(), "image/png")
    return f'<img alt="spectrogram of {escape(name)}" style="width:300px;height:96px" src="{address}">'


DRAWINGS = (
    Drawing(
        name="song_samples",
        label="spectrograms of songs of the four styles, and a page with players",
        notes={"n_songs": "of each style", "seconds": "of a song", "excerpt": "seconds that are shown"},
        source="thesis 2011, chapter 6",
        compute=_compute,
        draw=_draw,
        page=_page,
        params={"n_songs": 3, "seconds": 30.0, "excerpt": 6.0},
    ),
)
