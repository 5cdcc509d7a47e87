"""Bad input to the fusion of measures, to what it fuses, and to the kernel width of one's own data."""

from __future__ import annotations

from typing import Any

import numpy as np

from kinseq import api as own
from kinseq import measures

from .table import Case

SEQUENCES = [np.random.default_rng(i).normal(size=(12, 2)) for i in range(5)]


def computed(name: str, params: dict[str, Any]) -> Any:
    return lambda _: measures.compute(name, SEQUENCES, **params)


def clustered(params: dict[str, Any]) -> Any:
    return lambda _: own.cluster(SEQUENCES, 2, **params)


LEVELS = [np.full((5, 1), float(i % 2)) for i in range(6)]

CASES: tuple[Case, ...] = (
    *(
        Case(f"fusion views {views!r}", computed("fusion", {"views": views}))
        for views in ([], "dtw", None, 3, ["dtw", "dtw"], ["ppk"], [["dtw"]], [None])
    ),
    *(
        Case(f"fusion {name}={value!r}", computed("fusion", {name: value}))
        for name, value in (
            ("states_each", 0),
            ("states_each", 2.5),
            ("states_common", 0),
            ("states_common", [2, 4]),
            ("covariance_each", "round"),
        )
    ),
    *(
        Case(f"elastic {name}={value!r}", computed("elastic", {name: value}))
        for name, value in (
            ("views", []),
            (
                "views",
                ["dtw", "ssd"],
            ),
            ("views", ["dtv"]),
            ("witnesses", "ssd"),
            ("witnesses", None),
            ("witnesses", ["ssd", "ssd"]),
            ("witnesses", ["ppk"]),
            ("states_each", 2),
            ("frames_averaged", 0),
        )
    ),
    Case("states for a default without models", clustered({"n_states": 3})),
    Case(
        "elastic without witnesses", computed("elastic", {"witnesses": []}), gives=lambda found: found.shape == (5, 5)
    ),
    Case(
        "fusion of sequences with one frame", lambda _: measures.compute("fusion", [np.zeros((1, 2)), np.ones((3, 2))])
    ),
    Case(
        "fusion of equal sequences",
        lambda _: measures.compute("fusion", [np.ones((5, 2))] * 6),
        gives=lambda distance: not distance.any(),
    ),
    Case(
        "fusion of constant sequences at two levels",
        lambda _: own.cluster(LEVELS, 2).labels,
        gives=lambda labels: labels.tolist() == [0, 1] * 3,
    ),
    *(
        Case(f"{name} cost {cost!r}", computed(name, {"cost": cost}))
        for name in ("msm", "msm_shape")
        for cost in (-1, 0, float("nan"), float("inf"), "a", True)
    ),
    Case("own width 0", clustered({"width": 0.0})),
    *(Case(f"own width {width!r}", clustered({"width": width})) for width in ("locl", None, True, ["local"])),
)
