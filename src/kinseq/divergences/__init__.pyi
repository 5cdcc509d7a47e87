from .batch import pairwise_jeffreys as pairwise_jeffreys
from .classifiers import classifier_divergence as classifier_divergence
from .classifiers import classifier_information as classifier_information
from .comparison import compare as compare
from .cross_validation import nn_risk as nn_risk
from .cross_validation import pairwise_nn_risk as pairwise_nn_risk
from .families import DIVERGENCES as DIVERGENCES
from .families import LOSSES as LOSSES
from .families import f_divergence as f_divergence
from .families import fl_divergence as fl_divergence
from .families import information_generator as information_generator
from .families import statistical_information as statistical_information
from .families import transformed_weight as transformed_weight
from .gaussian import gaussian_kl as gaussian_kl
from .gaussian import kl_of_gaussians as kl_of_gaussians
from .gaussian import mahalanobis_bound_jeffreys as mahalanobis_bound_jeffreys
from .gaussian import mahalanobis_bound_kl as mahalanobis_bound_kl
from .gaussian import pairwise_mahalanobis_bound_jeffreys as pairwise_mahalanobis_bound_jeffreys
from .mmd import median_distance as median_distance
from .mmd import mmd2 as mmd2
from .mmd import pairwise_mmd2 as pairwise_mmd2
from .nearest import nn_jeffreys as nn_jeffreys
from .nearest import nn_kl as nn_kl
from .nearest import nn_risk_curve as nn_risk_curve
from .nearest import pairwise_nn_risk_curves as pairwise_nn_risk_curves
from .nearest import realisable_priors as realisable_priors
from .restricted import linear_divergence as linear_divergence
from .restricted import restricted_divergence as restricted_divergence
from .wang import wang_jeffreys as wang_jeffreys
from .wang import wang_kl as wang_kl

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
