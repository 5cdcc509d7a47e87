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
        Case(f"fusion views {views!r}", computed("fusion", {"views": views}), says=says)
        for views, says in (
            ([], r"views is \[\]; give a list of one or more of kl_ll"),
            ("dtw", r"views is 'dtw'; give a list"),
            (None, r"views is None; give a list"),
            (3, r"views is 3; give a list"),
            (["dtw", "dtw"], "none twice"),
            (["ppk"], "unknown view 'ppk'; valid names: dtw"),
            ([["dtw"]], "unknown view"),
            ([None], "unknown view None"),
        )
    ),
    *(
        Case(f"fusion {name}={value!r}", computed("fusion", {name: value}), says=says)
        for name, value, says in (
            ("states_each", 0, "states_each is 0, expected a whole number"),
            ("states_each", 2.5, "states_each is 2.5, expected a whole number"),
            ("states_common", 0, "states_common is 0, expected a whole number"),
            ("states_common", [2, 4], "states_common is .* expected a whole number"),
            ("covariance_each", "round", "unknown covariance 'round'; valid names: auto, diag, full"),
        )
    ),
    *(
        Case(f"elastic {name}={value!r}", computed("elastic", {name: value}), says=says)
        for name, value, says in (
            ("views", [], r"views is \[\]; give a list of one or more of"),
            (
                "views",
                ["dtw", "ssd"],
                "measure 'elastic' fuses dtw_delta, dtw_delta_centred, dtw_delta_shape, msm_stretched,"
                " msm_stretched_shape, dtw, dtw_shape, msm, msm_shape;"
                " measure 'fusion' takes ssd too",
            ),
            ("views", ["dtv"], "unknown view 'dtv'.*did you mean 'dtw'"),
            ("witnesses", "ssd", "witnesses is 'ssd'; give a list of some of"),
            ("witnesses", None, "witnesses is None; give a list of some of"),
            ("witnesses", ["ssd", "ssd"], "none twice"),
            ("witnesses", ["ppk"], "unknown view 'ppk'"),
            ("states_each", 2, "'states_each'.*valid"),
            ("frames_averaged", 0, "frames_averaged is 0, expected a whole number"),
        )
    ),
    Case(
        "states for a default without models",
        clustered({"n_states": 3}),
        says="n_states is 3, but there are no states in elastic; leave it out, or name a measure of models",
    ),
    Case(
        "elastic without witnesses", computed("elastic", {"witnesses": []}), gives=lambda found: found.shape == (5, 5)
    ),
    Case(
        "fusion of sequences with one frame",
        lambda _: measures.compute("fusion", [np.zeros((1, 2)), np.ones((3, 2))]),
        says="has a single frame but measure 'fusion' needs at least two; remove it",
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
        Case(
            f"{name} cost {cost!r}", computed(name, {"cost": cost}), says="cost is .* expected a positive finite number"
        )
        for name in ("msm", "msm_shape")
        for cost in (-1, 0, float("nan"), float("inf"), "a", True)
    ),
    Case("own width 0", clustered({"width": 0.0}), says="width is 0.0, expected a positive finite number"),
    *(
        Case(
            f"own width {width!r}",
            clustered({"width": width}),
            says="unknown width .*valid names: auto, eigengap, local",
        )
        for width in ("locl", None, True, ["local"])
    ),
)
