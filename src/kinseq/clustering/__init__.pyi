from . import registry as registry
from .agglomerative import hierarchical as hierarchical
from .agglomerative import ward as ward
from .density import hdbscan as hdbscan
from .graph import spectral as spectral
from .graph import spectral_embedding as spectral_embedding
from .itc import information_theoretic as information_theoretic
from .itc import partition_cost as partition_cost
from .mcl import markov as markov
from .means import kmeans_of_means as kmeans_of_means
from .packing import sphere_packing as sphere_packing
from .partitioning import kmedoids as kmedoids
from .registry import Clusterer as Clusterer
from .registry import get as get
from .registry import names as names
from .segmentation import Segmentation as Segmentation
from .segmentation import segment as segment

__all__ = [
    "get",
    "hdbscan",
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
    "ward",
]
