"""Scores of partitions, their summaries, and the comparison with published numbers."""

from ..lazy import attach

__all__ = [
    "adjusted_purity",
    "ari",
    "clustering_error",
    "confusion",
    "matched_confusion",
    "nmi",
    "purity",
    "random_labels",
    "true_labels",
    "v_measure",
]

__getattr__, __dir__ = attach(
    __name__,
    {
        "adjusted_purity": ".clustering",
        "ari": ".clustering",
        "claims": ".claims",
        "clustering": ".clustering",
        "clustering_error": ".clustering",
        "confusion": ".clustering",
        "fidelity": ".fidelity",
        "matched_confusion": ".clustering",
        "nmi": ".clustering",
        "purity": ".clustering",
        "random_labels": ".clustering",
        "summary": ".summary",
        "true_labels": ".clustering",
        "v_measure": ".clustering",
    },
)
