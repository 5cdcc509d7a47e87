"""Small figures of single sequences, as the script of the page draws them: curves of a few columns, or an image."""

from __future__ import annotations

import base64
from collections import Counter
from typing import Any, NamedTuple

import numpy as np

from ..core.clock import display_clock, duration
from ..core.wording import pair
from ..features.column_names import column_labels, titled
from ..plotting.states import colours_of
from .content import Content
from .drawing import coloured
from .recordings import Recordings

MAX_CURVES = 4
"""Most columns that are drawn as curves: of more, those that are named most often in statements on the groups."""
MAX_POINTS = 80
"""Largest number of points of a curve."""
MAX_LENGTH_RATIO = 4.0
"""Largest ratio of lengths drawn on one time scale."""


class CurveColumn(NamedTuple):
    """A curve's name, unit, and the values at its bottom and top, as text."""

    name: str
    unit: str
    low: str
    high: str


class Thumbnails:
    """Small figures of the sequences of a page.

    Attributes
    ----------
    columns : list of CurveColumn
        Of the curves; empty of images.
    longest : int
        Frames that fill the width of a curve; 0 where each fills it.
    are_states : bool
        Whether sequences are of symbols, and images of one row in the colours of the states.
    recordings : Recordings
        The source of spectrograms; false where there are none.
    """

    def __init__(self, content: Content) -> None:
        result = content.result
        self._result, self._sequences = result, result.original if result.scaling.length is None else result.sequences
        self.there = bool(result.details.has_content)
        self.recordings = Recordings(content)
        self.are_states = self.there and result.original.alphabet is not None
        self.columns: list[CurveColumn] = []
        self.longest = 0
        if not self.there or self.recordings or self.are_states:
            return
        names, lengths = column_labels(self._sequences), self._sequences.lengths
        told = [] if content.explanation is None else content.explanation["column"]
        often = [name for name, _ in Counter(name for name in told if name in names).most_common(MAX_CURVES)]
        chosen = list(dict.fromkeys([*often, *names]))[:MAX_CURVES]
        self._drawn = sorted(names.index(name) for name in chosen)
        # The scale of a sequence that fits nowhere would flatten all other curves.
        every = np.arange(len(self._sequences))
        belongs = np.setdiff1d(every, content.outside)
        belongs = belongs if len(belongs) else every
        values = np.concatenate([self._sequences[item][:, self._drawn] for item in belongs.tolist()])
        self._low, self._high = np.quantile(values, (0.002, 0.998), axis=0)
        self.columns = [
            CurveColumn(*titled(names[j]), *pair(float(low), float(high)))
            for j, low, high in zip(self._drawn, self._low, self._high, strict=True)
        ]
        self.longest = int(lengths.max()) if lengths.max() <= MAX_LENGTH_RATIO * lengths.min() else 0

    def time(self, item: int) -> str:
        """Duration of a sequence, in words."""
        seconds = self.recordings.seconds(item)
        if seconds:
            return f"{seconds:.3g} s"
        return duration(display_clock(self._result.original), int(self._result.original.lengths[item]))

    def packed(self, item: int) -> str:
        """The bytes of an image, or 255 times the heights of the curves, in base 64; empty where there is neither."""
        if self.columns:
            return base64.b64encode(self._quantised(item).tobytes()).decode("ascii")
        if self.are_states:
            codes = self._result.original[item][:, 0].astype(np.int64)
            return coloured(codes, colours_of(self._result.original)).partition(",")[2]
        return self.recordings.image(item).partition(",")[2]

    def _quantised(self, item: int) -> Any:
        frames = self._sequences[item][:, self._drawn]
        steps = np.unique(np.linspace(0, len(frames) - 1, min(len(frames), MAX_POINTS)).astype(int))
        span = np.where(self._high > self._low, self._high - self._low, 1.0)
        return np.round(255.0 * np.clip((frames[steps] - self._low) / span, 0.0, 1.0).T).astype(np.uint8)
