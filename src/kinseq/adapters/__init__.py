"""Estimators of kinseq for the pipelines, searches and benchmarks of other libraries.

``AeonClustering`` and ``SktimeClustering`` hold a :class:`kinseq.SequenceClustering` and speak for it. Their libraries are
imported when one of them is requested, and need not be installed otherwise.
"""

from ..core.lazy import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
