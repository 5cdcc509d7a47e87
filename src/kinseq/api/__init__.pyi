from .clustering import cluster as cluster
from .estimator import SequenceClustering as SequenceClustering
from .loading import load as load
from .results import Clustering as Clustering
from .results import SampledClustering as SampledClustering
from .segmenting import segment_sequence as segment_sequence

__all__ = ["Clustering", "SampledClustering", "SequenceClustering", "cluster", "load", "segment_sequence"]
