"""kinseq clusters sequences: similarity measures, clustering and evaluation for sequences and sets."""

from .lazy import attach

__version__ = "0.1.0"
__all__ = [
    "InformationTheoreticClustering",
    "KinseqError",
    "SequenceClustering",
    "SequenceSet",
    "Task",
    "affinity",
    "cluster",
    "clustering",
    "compare",
    "divergences",
    "evaluation",
    "hmm",
    "measures",
    "models",
    "segment_sequence",
    "sic",
]

__getattr__, __dir__ = attach(
    __name__,
    {
        "InformationTheoreticClustering": ".clustering.itc_estimator",
        "SequenceSet": ".sequences",
        "Task": ".sequences",
        "KinseqError": ".errors",
        "SequenceClustering": ".estimators",
        "cluster": ".own",
        "compare": ".comparing",
        "affinity": ".affinity",
        "clustering": ".clustering",
        "data": ".data",
        "density": ".density",
        "divergences": ".divergences",
        "evaluation": ".evaluation",
        "features": ".features",
        "hmm": ".hmm",
        "information": ".information",
        "measures": ".measures",
        "models": ".models",
        "render": ".render",
        "segment_sequence": ".segmenting",
        "sic": ".sic",
        "stages": ".stages",
    },
)
