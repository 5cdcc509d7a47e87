"""Clusterers of dissimilarity matrices, found by :mod:`kinseq.clustering.registry`."""

from ..lazy import attach

__all__ = ["get", "hierarchical", "kmedoids", "names", "segment", "spectral", "spectral_embedding"]

__getattr__, __dir__ = attach(
    __name__,
    {
        "Clusterer": ".registry",
        "get": ".registry",
        "hierarchical": ".agglomerative",
        "kmedoids": ".partitioning",
        "names": ".registry",
        "registry": ".registry",
        "segment": ".segmentation",
        "Segmentation": ".segmentation",
        "spectral": ".graph",
        "spectral_embedding": ".graph",
    },
)
