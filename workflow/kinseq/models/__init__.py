"""Models of sequences and of sets of vectors."""

from ..lazy import attach

__getattr__, __dir__ = attach(__name__, {"hmm": ".hmm", "markov": ".markov", "selection": ".selection"})
