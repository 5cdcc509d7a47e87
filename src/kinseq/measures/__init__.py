"""Similarity measures between sequences, one file per measure or family, found by :mod:`kinseq.measures.registry`."""

from ..core.lazy import attach

__all__ = ["compute", "compute_with_findings", "get", "names", "table"]

__getattr__, __dir__ = attach(
    __name__,
    {
        "Measure": ".registry",
        "compute": ".computing",
        "compute_with_findings": ".evidence",
        "computing": ".computing",
        "dtw": ".dtw",
        "elastic": ".elastic",
        "evidence": ".evidence",
        "fisher": ".fisher",
        "fusion": ".fusion",
        "get": ".registry",
        "kl_ll": ".kl_ll",
        "likelihood": ".likelihood",
        "names": ".registry",
        "ppk": ".ppk",
        "registry": ".registry",
        "ssd": ".ssd",
        "statistics": ".statistics",
        "table": ".listing",
    },
)
