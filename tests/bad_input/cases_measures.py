"""Bad input to the functions that compute a measure by name."""

from __future__ import annotations

import numpy as np

from kinseq import measures

from .table import Case

PAIR = [np.zeros((5, 2)), np.ones((5, 2))]

CASES: tuple[Case, ...] = (
    Case("unknown measure", lambda _: measures.compute("sdd", PAIR), says=r"sdd.*ssd"),
    Case("unknown parameter", lambda _: measures.compute("dtw", PAIR, widow=3), says=r"dtw.*widow"),
    Case(
        "unknown property",
        lambda _: measures.compute("properties", PAIR, only=["size"]),
        says=r"property 'size'.*level of 1",
    ),
    Case(
        "no list of properties", lambda _: measures.compute("properties", PAIR, only="length"), says=r"only is 'length'"
    ),
)
