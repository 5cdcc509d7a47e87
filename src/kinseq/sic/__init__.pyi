from .classifying import Classifier as Classifier
from .classifying import ClassifierRecipe as ClassifierRecipe
from .computing import Similarity as Similarity
from .computing import answers as answers
from .computing import score as score
from .computing import similarity as similarity
from .crf import CRF as CRF
from .diagnostics import confidence as confidence
from .diagnostics import convergence as convergence
from .diagnostics import correlation as correlation
from .diagnostics import entropy_trace as entropy_trace
from .forests import Forest as Forest
from .labels import Labels as Labels
from .mixture import Mixture as Mixture
from .mixture import bernoulli_mixture as bernoulli_mixture
from .null_distribution import joint_law as joint_law
from .null_distribution import moments as moments
from .null_distribution import poisson_binomial as poisson_binomial
from .null_distribution import similarity_law as similarity_law
from .null_distribution import threshold as threshold
from .one_vs_all import OneVersusAll as OneVersusAll
from .one_vs_all import one_versus_all as one_versus_all
from .scores import binary as binary
from .scores import independent_rate as independent_rate
from .scores import pair_counts as pair_counts
from .scores import pooled_rate as pooled_rate
from .scores import scored as scored
from .scores import weights as weights
from .words import WordHMMs as WordHMMs

__all__ = [
    "CRF",
    "Classifier",
    "ClassifierRecipe",
    "Forest",
    "Labels",
    "Mixture",
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
