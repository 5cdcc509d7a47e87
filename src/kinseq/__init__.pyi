from . import adapters as adapters
from . import clustering as clustering
from . import divergences as divergences
from . import features as features
from . import hmm as hmm
from . import measures as measures
from . import metrics as metrics
from . import models as models
from . import sic as sic
from .analysis import cluster as cluster
from .analysis.estimator import SequenceClustering as SequenceClustering
from .analysis.loading import load as load
from .clustering.itc_estimator import InformationTheoreticClustering as InformationTheoreticClustering
from .clustering.segmenting import segment_sequence as segment_sequence
from .core.errors import KinseqError as KinseqError
from .core.graphs import affinity as affinity
from .core.sequences import SequenceSet as SequenceSet
from .core.sequences import Task as Task
from .divergences import density as density
from .divergences import information as information
from .doors import compare as compare
from .measures.computing import dissimilarity as dissimilarity

__version__: str
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
