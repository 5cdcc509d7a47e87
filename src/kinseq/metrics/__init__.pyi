from . import estimation as estimation
from . import registry as registry
from . import retrieval as retrieval
from .external import accuracy as accuracy
from .external import adjusted_purity as adjusted_purity
from .external import ari as ari
from .external import balanced_accuracy as balanced_accuracy
from .external import clustering_error as clustering_error
from .external import confusion as confusion
from .external import matched_confusion as matched_confusion
from .external import nmi as nmi
from .external import purity as purity
from .external import random_labels as random_labels
from .external import true_labels as true_labels
from .external import v_measure as v_measure

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
