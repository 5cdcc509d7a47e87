from .estimator import SequenceClustering as SequenceClustering
from .loading import load as load
from .pipeline import cluster as cluster
from .results import Analysis as Analysis
from .results import SampledAnalysis as SampledAnalysis
from .segmenting import segment_sequence as segment_sequence

__all__ = ["Analysis", "SampledAnalysis", "SequenceClustering", "cluster", "load", "segment_sequence"]
