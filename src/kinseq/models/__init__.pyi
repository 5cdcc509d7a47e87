from . import hmm as hmm
from . import kinds as kinds
from . import left_to_right as left_to_right
from . import markov as markov
from . import selection as selection
from . import spheres as spheres

__all__ = [
    "hmm",
    "kinds",
    "left_to_right",
    "selection",
]
