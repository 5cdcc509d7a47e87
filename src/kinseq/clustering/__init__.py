"""Clusterers of dissimilarity matrices and of items, found by :mod:`kinseq.clustering.registry`."""

from ..core.lazy import attach

__all__ = [
    "get",
    "hierarchical",
    "information_theoretic",
    "kmeans_of_means",
    "kmedoids",
    "markov",
    "names",
    "partition_cost",
    "segment",
    "spectral",
    "spectral_embedding",
    "sphere_packing",
]

__getattr__, __dir__ = attach(
    __name__,
    {
        "Clusterer": ".registry",
        "get": ".registry",
        "hierarchical": ".agglomerative",
        "information_theoretic": ".itc",
        "kmeans_of_means": ".means",
        "kmedoids": ".partitioning",
        "markov": ".mcl",
        "names": ".registry",
        "partition_cost": ".itc",
        "registry": ".registry",
        "segment": ".segmentation",
        "Segmentation": ".segmentation",
        "spectral": ".graph",
        "spectral_embedding": ".graph",
        "sphere_packing": ".packing",
    },
)
