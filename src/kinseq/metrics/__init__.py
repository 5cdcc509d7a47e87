"""Metrics of partitions, matrices and estimates; how clear groups are where nothing is known of them."""

from ..core.lazy import attach

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
        "clustering": ".clustering",
        "clustering_error": ".clustering",
        "confusion": ".clustering",
        "estimation": ".estimation",
        "matched_confusion": ".clustering",
        "nmi": ".clustering",
        "purity": ".clustering",
        "random_labels": ".clustering",
        "registry": ".registry",
        "retrieval": ".retrieval",
        "true_labels": ".clustering",
        "v_measure": ".clustering",
    },
)
