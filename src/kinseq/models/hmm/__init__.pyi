from .bank import HMMBank as HMMBank
from .decoding import viterbi as viterbi
from .scoring import log_likelihood as log_likelihood
from .shared_model import fit_common as fit_common
from .smoothing import expected_transitions as expected_transitions
from .smoothing import induced_transitions as induced_transitions
from .smoothing import posteriors as posteriors
from .starts import smoothed as smoothed
from .starts import with_start as with_start
from .training import fit_bank as fit_bank
from .training import fit_mixtures as fit_mixtures

__all__ = [
    "HMMBank",
    "expected_transitions",
    "fit_bank",
    "fit_common",
    "fit_mixtures",
    "induced_transitions",
    "log_likelihood",
    "posteriors",
    "smoothed",
    "viterbi",
    "with_start",
]
