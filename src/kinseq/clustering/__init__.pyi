from ..core.graphs.affinity import best_eigengap as best_eigengap
from ..core.graphs.affinity import choose_width as choose_width
from ..core.graphs.affinity import eigengap as eigengap
from ..core.graphs.affinity import gaussian as gaussian
from ..core.graphs.affinity import local_widths as local_widths
from ..core.graphs.affinity import spectrum as spectrum
from ..core.graphs.affinity import width_grid as width_grid
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
    "best_eigengap",
    "choose_width",
    "eigengap",
    "gaussian",
    "get",
    "hdbscan",
    "hierarchical",
    "information_theoretic",
    "kmeans_of_means",
    "kmedoids",
    "local_widths",
    "markov",
    "names",
    "partition_cost",
    "segment",
    "spectral",
    "spectral_embedding",
    "spectrum",
    "sphere_packing",
    "ward",
    "width_grid",
]
