"""Estimators of kinseq as those of other libraries: what their pipelines, searches and benchmarks take.

``AeonClustering`` and ``SktimeClustering`` hold a :class:`kinseq.SequenceClustering` and speak for it. Their libraries are
imported when one of them is requested, and need not be installed otherwise.
"""

from ..core.lazy import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
