from . import clustering as clustering
from . import estimation as estimation
from . import registry as registry
from . import retrieval as retrieval
from .clustering import accuracy as accuracy
from .clustering import adjusted_purity as adjusted_purity
from .clustering import ari as ari
from .clustering import balanced_accuracy as balanced_accuracy
from .clustering import clustering_error as clustering_error
from .clustering import confusion as confusion
from .clustering import matched_confusion as matched_confusion
from .clustering import nmi as nmi
from .clustering import purity as purity
from .clustering import random_labels as random_labels
from .clustering import true_labels as true_labels
from .clustering import v_measure as v_measure

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
