from . import adapters as adapters
from . import clustering as clustering
from . import divergences as divergences
from . import features as features
from . import hmm as hmm
from . import measures as measures
from . import metrics as metrics
from . import models as models
from . import sic as sic
from .api.clustering import cluster as cluster
from .api.estimator import SequenceClustering as SequenceClustering
from .api.loading import load as load
from .api.segmenting import segment_sequence as segment_sequence
from .clustering.itc_estimator import InformationTheoreticClustering as InformationTheoreticClustering
from .comparing.run import compare as compare
from .core.errors import KinseqError as KinseqError
from .core.sequences import SequenceSet as SequenceSet
from .divergences import density as density
from .divergences import information as information
from .measures.computing import dissimilarity as dissimilarity
from .readers.folder import read as read
from .readers.reading import Reading as Reading

__version__: str
__all__ = [
    "InformationTheoreticClustering",
    "KinseqError",
    "Reading",
    "SequenceClustering",
    "SequenceSet",
    "adapters",
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
    "read",
    "segment_sequence",
    "sic",
]
