"""Models of sequences and of sets of vectors."""

from ..core.lazy import attach

__all__ = ["hmm", "kinds", "left_to_right", "selection"]

__getattr__, __dir__ = attach(
    __name__,
    {
        "hmm": ".hmm",
        "kinds": ".kinds",
        "left_to_right": ".left_to_right",
        "markov": ".markov",
        "selection": ".selection",
        "spheres": ".spheres",
    },
)
