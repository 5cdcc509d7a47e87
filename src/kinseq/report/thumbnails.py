"""Small figures of sequences: curves of a few columns, else an image of time by columns."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.arrays import FloatArray
from ..core.clock import duration, told_clock, unit_of
from ..core.wording import pair
from ..features.column_names import column_labels
from ..plotting.states import colours_of
from .content import Content
from .drawing import coloured, grey
from .recordings import Recordings

MAX_CURVES = 4
"""Largest number of columns drawn as curves."""
MAX_POINTS = 80
"""Largest number of points of a curve, and of columns of an image."""
MAX_BANDS = 40
"""Largest number of rows of an image."""
WIDTH, HEIGHT = 150.0, 60.0
N_SHADES = 15
"""Shades of a spectrogram in addition to white."""
MAX_LENGTH_RATIO = 4.0
"""Largest ratio of lengths drawn on one time scale."""


@dataclass(frozen=True)
class CurveColumn:
    """A curve's name, unit, and the values at its bottom and top, as text."""

    name: str
    unit: str
    low: str
    high: str


@dataclass(frozen=True)
class Thumbnail:
    """A small figure of one sequence: points of lines, or the address of an image, with its pitch as lines; its axes in words.

    Attributes
    ----------
    lines : sequence of str
    image : str
    time : str
        Its length.
    rows : (str, str)
        What stands at the bottom and at the top of an image.
    share : float
        Part of the width, in percent, where the time ends.
    """

    lines: Sequence[str]
    image: str
    time: str
    rows: tuple[str, str]
    share: float = 100.0


class Thumbnails:
    """Small figures of the sequences of a page.

    Attributes
    ----------
    columns : list of Column
        Of the curves; empty of images.
    longest : int
        Frames that fill the width of a curve; 0 where each fills it.
    rows : (str, str)
        What stands at the bottom and at the top of images; empty of symbols.
    are_states : bool
        Whether sequences are of symbols, and images of one row in the colours of the states.
    recordings : Recordings
        What spectrograms are made of; false where there are none.
    """

    def __init__(self, content: Content) -> None:
        result = content.result
        self._result, self._sequences = result, result.original if result.scaling.length is None else result.sequences
        self.there = bool(result.details.has_content)
        self.recordings = Recordings(content)
        self.are_states = self.there and result.original.alphabet is not None
        is_drawn = not self.recordings and not self.are_states
        curves = self.there and self._sequences.n_features <= MAX_CURVES and is_drawn
        drawn = self._sequences if curves or not self.there else result.sequences
        # The scale of a sequence that fits nowhere would flatten all other curves.
        belongs = np.setdiff1d(np.arange(len(drawn)), content.outside)
        values = (drawn.subset(belongs) if 0 < belongs.size < len(drawn) else drawn).values
        self._low, self._high = np.quantile(values, (0.002, 0.998), axis=0)
        self.columns = self._columns() if curves else []
        lengths = self._sequences.lengths
        self.longest = int(lengths.max()) if curves and lengths.max() <= MAX_LENGTH_RATIO * lengths.min() else 0
        self.rows = ("", "")
        if self.recordings:
            self.rows = ("0", f"{self.recordings.top / 1000.0:.3g} kHz")
        elif self.there and not curves and not self.are_states:
            names = column_labels(result.sequences)
            self.rows = (names[0], names[-1])

    def _columns(self) -> list[CurveColumn]:
        names = [unit_of(name) for name in column_labels(self._sequences)]
        return [
            CurveColumn(name, unit, *pair(float(low), float(high)))
            for (name, unit), low, high in zip(names, self._low, self._high, strict=True)
        ]

    def time(self, item: int) -> str:
        """Duration of a sequence, in words."""
        seconds = self.recordings.seconds(item)
        if seconds:
            return f"{seconds:.3g} s"
        return duration(told_clock(self._result.original), int(self._result.original.lengths[item]))

    def of(self, item: int, with_pitch: bool = False) -> Thumbnail | None:
        """Small figure of one sequence; None if there is nothing to show, or more columns than fit."""
        if not self.there or not (self.columns or self.recordings or self.are_states):
            return None
        if not self.columns:
            lines = [
                " ".join(f"{WIDTH * x:.0f},{HEIGHT * (1.0 - y):.1f}" for x, y in stretch)
                for stretch in (self.recordings.pitch(item) if with_pitch else ())
            ]
            return Thumbnail(lines, self.image(item), self.time(item), self.rows)
        heights = self._quantised(item).astype(np.float64) / 255.0
        share = self._sequences.lengths[item] / self.longest if self.longest else 1.0
        x = np.linspace(0.0, WIDTH * share, heights.shape[1])
        lines = [
            " ".join(f"{a:.0f},{2.0 + (HEIGHT - 4.0) * (1.0 - b):.1f}" for a, b in zip(x, line, strict=True))
            for line in heights
        ]
        return Thumbnail(lines, "", self.time(item), self.rows, 100.0 * float(share))

    def packed(self, item: int) -> str:
        """Data of the figure for the script: the bytes of an image, or 255 times the heights of the curves, in base 64."""
        if self.columns:
            return base64.b64encode(self._quantised(item).tobytes()).decode("ascii")
        return self.image(item).partition(",")[2]

    def image(self, item: int) -> str:
        """A sequence as an image, time from left to right and the first column, or the lowest frequency, at the bottom."""
        if self.are_states:
            return coloured(self._result.original[item][:, 0].astype(np.int64), colours_of(self._result.original))
        if self.recordings:
            levels = self.recordings.levels(item)
            # With so few shades, images take half the space.
            return "" if levels is None else grey(np.round(N_SHADES * levels[::-1]) / N_SHADES)
        part = self._scaled(self._result.sequences[item])[:, :: -max(1, self._low.size // MAX_BANDS)]
        return grey(part.T)

    def _quantised(self, item: int) -> Any:
        return np.round(255.0 * self._scaled(self._sequences[item]).T).astype(np.uint8)

    def _scaled(self, frames: FloatArray) -> FloatArray:
        """Some frames, scaled from 0 at the lowest value of a column to 1 at the highest."""
        steps = np.unique(np.linspace(0, len(frames) - 1, min(len(frames), MAX_POINTS)).astype(int))
        span = np.where(self._high > self._low, self._high - self._low, 1.0)
        return np.asarray(np.clip((frames[steps] - self._low) / span, 0.0, 1.0))
