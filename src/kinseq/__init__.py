"""kinseq clusters sequences: similarity measures, clustering and evaluation for sequences and sets."""

from .core.lazy import attach

__version__ = "1.0.0"
__all__ = [
    "InformationTheoreticClustering",
    "KinseqError",
    "SequenceClustering",
    "SequenceSet",
    "Task",
    "adapters",
    "affinity",
    "cluster",
    "clustering",
    "compare",
    "dissimilarity",
    "divergences",
    "features",
    "hmm",
    "load",
    "measures",
    "metrics",
    "models",
    "segment_sequence",
    "sic",
]

__getattr__, __dir__ = attach(
    __name__,
    {
        "InformationTheoreticClustering": ".clustering.itc_estimator",
        "SequenceSet": ".core.sequences",
        "Task": ".core.sequences",
        "KinseqError": ".core.errors",
        "SequenceClustering": ".api.estimator",
        "cluster": ".api.pipeline",
        "compare": ".comparing.run",
        "adapters": ".adapters",
        "affinity": ".core.graphs.affinity",
        "clustering": ".clustering",
        "density": ".divergences.density",
        "dissimilarity": ".measures.computing",
        "divergences": ".divergences",
        "features": ".features",
        "hmm": ".hmm",
        "load": ".api.loading",
        "information": ".divergences.information",
        "measures": ".measures",
        "metrics": ".metrics",
        "models": ".models",
        "segment_sequence": ".api.segmenting",
        "sic": ".sic",
    },
)
