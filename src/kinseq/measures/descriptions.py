"""One sentence on each view of a fusion; separate from the measures, so that a page need not import them."""

from __future__ import annotations

from collections.abc import Mapping

from .registry import REGISTRY

FUSED = (
    "kl_ll", "kl_ll_shape", "ssd", "ssd_joint", "dtw", "dtw_shape", "dtw_delta", "dtw_delta_centred", "dtw_delta_shape",
    "msm", "msm_shape", "msm_stretched", "msm_stretched_shape", "statistics", "spectrum", "lockstep_shape",
    "pooled", "edit", "om", "lcs", "subsequences", "durations",
)  # fmt: skip
"""Measures that can be fused; ``kl_ll_shape`` is a view only."""
_OF_A_VIEW = {"kl_ll_shape": "the order in which values follow each other, regardless of level and spread"}
VIEWS: Mapping[str, str] = {
    name: _OF_A_VIEW.get(name) or str(REGISTRY.own[name].fields["description"]) for name in FUSED
}
"""Measures that can be fused, and what each compares."""

COURSES = (
    "dtw", "dtw_shape", "dtw_delta", "dtw_delta_centred", "dtw_delta_shape", "msm", "msm_shape", "msm_stretched",
    "msm_stretched_shape", "lockstep_shape",
)  # fmt: skip
"""Views that compare the course over time; they nearly agree for sequences that begin together and vary alike."""
VOTING = ["dtw_delta", "dtw_delta_centred", "dtw_delta_shape", "msm_stretched", "msm_stretched_shape"]
"""Default views of ``elastic``; ``docs/reports/answers.md`` describes their choice."""
ALL = ["kl_ll", "kl_ll_shape", "ssd", "dtw", "dtw_shape", "msm", "msm_shape", "statistics"]
"""Default views of ``fusion``."""
BALANCED = ["kl_ll", "statistics", "dtw_delta", "dtw_delta_shape", "msm_stretched", "msm_stretched_shape"]
"""Views of ``balanced``: one of models, one of levels and spreads, four of alignments."""
OF_SYMBOLS = ["edit", "om", "subsequences"]
"""Default views of ``symbolic``; ``docs/reports/symbols.md`` describes their choice."""
REFERENCE_VIEWS = ["kl_ll_shape", "statistics"]
"""Auxiliary views of ``elastic``: cheap ones for differences that alignments ignore."""
