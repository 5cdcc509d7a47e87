"""What each view of a fusion sees, in words; apart from the measures, so that a page can say it without them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

VIEWS: Mapping[str, str] = {
    "kl_ll": "the values that frames take and in which order, by a model of each sequence",
    "kl_ll_shape": "the order in which frames take which values, whatever the level and spread, by a model of each sequence",
    "ssd": "how sequences pass between states that all share, by a model of all",
    "ssd_joint": "which shared states sequences visit and how they pass between them, by a model of all",
    "dtw": "the course of the values over time, whatever its speed",
    "dtw_shape": "the shape of the course, whatever its level, spread and speed",
    "dtw_delta": "the course of the values and how they change, whatever its speed",
    "dtw_delta_centred": "the course of the values and how they change, whatever its level",
    "dtw_delta_shape": "the shape of the course and how it bends, whatever its level and spread",
    "msm": "the course of the values over time, with its stops",
    "msm_shape": "the shape of the course with its stops, whatever its level and spread",
    "msm_stretched": "the course of the values with its stops, whatever its length",
    "msm_stretched_shape": "the shape of the course with its stops, whatever its level, spread and length",
    "statistics": "levels, spreads, speeds and lengths",
}
"""Measures that can be fused, and what each of them sees."""

VOTING = ["dtw_delta", "dtw_delta_centred", "dtw_delta_shape", "msm_stretched", "msm_stretched_shape"]
"""Views that ``elastic`` fuses where none are named; how they were decided on is told in ``docs/answers.md``."""
ALL = ["kl_ll", "kl_ll_shape", "ssd", "dtw", "dtw_shape", "msm", "msm_shape", "statistics"]
"""Views that ``fusion`` fuses where none are named."""
WITNESSES = ["kl_ll_shape", "statistics"]
"""Views without a vote in ``elastic``: what alignments are not made to see, and what costs next to nothing."""
MADE_OF: Mapping[str, Sequence[str]] = {"elastic": (*VOTING, *WITNESSES), "fusion": tuple(ALL)}
"""What of a measure with its default parameters can be computed apart (:class:`~kinseq.measures.registry.Measure`), so that
a workflow can be planned where what the measures import is not installed."""
