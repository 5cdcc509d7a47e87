"""SIC: similarity by iterative classifications.

``similarity`` turns a classifier into a similarity: it is trained on random labels again and again, and what counts is
who is classified together. ``labels`` holds what classifiers answered, from which all scores follow; ``drawing`` says what
an iteration trains on, ``classifying`` the contract of classifiers.
"""

from ..core.lazy import attach

__all__ = [
    "CRF",
    "Classifier",
    "Forest",
    "Labels",
    "Mixture",
    "Recipe",
    "Similarity",
    "WordHMMs",
    "answers",
    "bernoulli_mixture",
    "binary",
    "confidence",
    "convergence",
    "correlation",
    "entropy_trace",
    "one_versus_all",
    "score",
    "similarity",
    "similarity_law",
    "threshold",
]

__getattr__, __dir__ = attach(
    __name__,
    {
        "CRF": ".crf",
        "Classifier": ".classifying",
        "Forest": ".forests",
        "Labels": ".labels",
        "Mixture": ".mixture",
        "Recipe": ".classifying",
        "Similarity": ".computing",
        "WordHMMs": ".words",
        "answers": ".computing",
        "bernoulli_mixture": ".mixture",
        "binary": ".scores",
        "confidence": ".diagnostics",
        "convergence": ".diagnostics",
        "correlation": ".diagnostics",
        "entropy_trace": ".diagnostics",
        "independent_rate": ".scores",
        "joint_law": ".laws",
        "moments": ".laws",
        "OneVersusAll": ".versus",
        "one_versus_all": ".versus",
        "pair_counts": ".scores",
        "poisson_binomial": ".laws",
        "pooled_rate": ".scores",
        "score": ".computing",
        "scored": ".scores",
        "similarity": ".computing",
        "similarity_law": ".laws",
        "threshold": ".laws",
        "weights": ".scores",
    },
)
