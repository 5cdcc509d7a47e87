"""Metrics of partitions, matrices and estimates, their summaries, and the comparison with published numbers."""

from ..lazy import attach

__all__ = [
    "accuracy",
    "adjusted_purity",
    "ari",
    "balanced_accuracy",
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
        "accuracy": ".clustering",
        "adjusted_purity": ".clustering",
        "ari": ".clustering",
        "balanced_accuracy": ".clustering",
        "claims": ".claims",
        "clustering": ".clustering",
        "clustering_error": ".clustering",
        "confusion": ".clustering",
        "estimation": ".estimation",
        "fidelity": ".fidelity",
        "matched_confusion": ".clustering",
        "nmi": ".clustering",
        "purity": ".clustering",
        "random_labels": ".clustering",
        "registry": ".registry",
        "retrieval": ".retrieval",
        "summary": ".summary",
        "true_labels": ".clustering",
        "v_measure": ".clustering",
    },
)
