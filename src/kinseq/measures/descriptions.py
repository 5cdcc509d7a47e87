"""One sentence on each view of a fusion; separate from the measures, so that a page does not import them."""

from __future__ import annotations

from collections.abc import Mapping

from .registry import REGISTRY

FUSED = (
    "kl_ll", "kl_ll_shape", "ssd", "ssd_joint", "dtw", "dtw_shape", "dtw_delta", "dtw_delta_centred", "dtw_delta_shape",
    "msm", "msm_shape", "msm_stretched", "msm_stretched_shape", "statistics", "spectrum", "lockstep_shape",
    "pooled", "edit", "om", "lcs", "subsequences", "durations",
)  # fmt: skip
"""Measures that can be fused; ``kl_ll_shape`` is a view only."""
_OF_A_VIEW = {"kl_ll_shape": "the order in which values follow each other, whatever their level and spread"}
VIEWS: Mapping[str, str] = {
    name: _OF_A_VIEW.get(name) or str(REGISTRY.own[name].fields["description"]) for name in FUSED
}
"""Measures that can be fused, and what each of them sees."""

COURSES = (
    "dtw", "dtw_shape", "dtw_delta", "dtw_delta_centred", "dtw_delta_shape", "msm", "msm_shape", "msm_stretched",
    "msm_stretched_shape", "lockstep_shape",
)  # fmt: skip
"""Views that compare the course over time, which are much the same of sequences that begin together and vary alike."""
VOTING = ["dtw_delta", "dtw_delta_centred", "dtw_delta_shape", "msm_stretched", "msm_stretched_shape"]
"""Views that ``elastic`` fuses where none are named; ``docs/reports/answers.md`` says how they were chosen."""
ALL = ["kl_ll", "kl_ll_shape", "ssd", "dtw", "dtw_shape", "msm", "msm_shape", "statistics"]
"""Views that ``fusion`` fuses where none are named."""
BALANCED = ["kl_ll", "statistics", "dtw_delta", "dtw_delta_shape", "msm_stretched", "msm_stretched_shape"]
"""Views of ``balanced``: one of models, one of levels and spreads, four of alignments."""
OF_SYMBOLS = ["edit", "om", "subsequences"]
"""Views that ``symbolic`` fuses where none are named; ``docs/reports/symbols.md`` says how they were chosen."""
REFERENCE_VIEWS = ["kl_ll_shape", "statistics"]
"""Auxiliary views of ``elastic``: what alignments are not made to see, and what costs next to nothing."""
