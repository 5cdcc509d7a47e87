"""Public calls: clusters, an estimator, segments and saved results, built from readers, analysis and page.

:func:`cluster` (in :mod:`.clustering`, where to begin reading) and :class:`SequenceClustering` (:mod:`.estimator`) are two
interfaces to the same analysis. They return a :class:`Clustering`, or a :class:`SampledClustering` of many sequences;
:mod:`.loading` reads one that was saved. Nothing that draws or writes pages is imported before it is used.
"""

from ..core.lazy import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
