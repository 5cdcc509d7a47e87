from .categorical import CategoricalHMM as CategoricalHMM
from .estimator import HMMLEARN as HMMLEARN
from .estimator import GaussianHMM as GaussianHMM
from .many import fit_each as fit_each
from .many import score_matrix as score_matrix
from .monitor import ConvergenceMonitor as ConvergenceMonitor

__all__ = [
    "HMMLEARN",
    "CategoricalHMM",
    "ConvergenceMonitor",
    "GaussianHMM",
    "fit_each",
    "score_matrix",
]
