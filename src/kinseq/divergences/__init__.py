"""A laboratory for divergences between sets of vectors: estimators, families and their integral representations.

Functions of two arrays, shapes (n, d) and (m, d); results in nats.
"""

from ..core.lazy import attach

__all__ = [
    "classifier_divergence",
    "compare",
    "f_divergence",
    "fl_divergence",
    "gaussian_kl",
    "linear_divergence",
    "mahalanobis_bound_jeffreys",
    "mahalanobis_bound_kl",
    "mmd2",
    "nn_jeffreys",
    "nn_kl",
    "nn_risk",
    "nn_risk_curve",
    "pairwise_jeffreys",
    "restricted_divergence",
    "statistical_information",
    "transformed_weight",
    "wang_jeffreys",
    "wang_kl",
]

__getattr__, __dir__ = attach(
    __name__,
    {
        "DIVERGENCES": ".families",
        "LOSSES": ".families",
        "classifier_divergence": ".classifiers",
        "classifier_information": ".classifiers",
        "compare": ".comparison",
        "f_divergence": ".families",
        "fl_divergence": ".families",
        "gaussian_kl": ".gaussian",
        "information_generator": ".families",
        "kl_of_gaussians": ".gaussian",
        "linear_divergence": ".restricted",
        "mahalanobis_bound_jeffreys": ".gaussian",
        "mahalanobis_bound_kl": ".gaussian",
        "median_distance": ".mmd",
        "mmd2": ".mmd",
        "nn_jeffreys": ".nearest",
        "nn_kl": ".nearest",
        "nn_risk": ".cross_validation",
        "nn_risk_curve": ".nearest",
        "pairwise_jeffreys": ".batch",
        "pairwise_mahalanobis_bound_jeffreys": ".gaussian",
        "pairwise_mmd2": ".mmd",
        "pairwise_nn_risk": ".cross_validation",
        "pairwise_nn_risk_curves": ".nearest",
        "realisable_priors": ".nearest",
        "restricted_divergence": ".restricted",
        "statistical_information": ".families",
        "transformed_weight": ".families",
        "wang_jeffreys": ".wang",
        "wang_kl": ".wang",
    },
)
