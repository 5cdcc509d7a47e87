"""SIC: similarity by iterative classifications.

``similarity`` turns a classifier into a similarity: it is trained on random labels again and again, and what counts is
who is classified together. ``labels`` holds what classifiers answered, from which all scores follow; ``drawing`` says what
an iteration trains on, ``classifying`` the contract of classifiers.
"""

from ..core.lazy import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
