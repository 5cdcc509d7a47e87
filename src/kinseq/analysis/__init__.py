"""Your own data in, clusters and a page of figures out: defaults for users who want an answer before they read anything.

:func:`cluster` (in :mod:`.pipeline`, where to begin reading) takes a folder or arrays, chooses what nobody gave by stated
rules, and returns an :class:`Analysis`. Every choice, whoever made it, is kept with its reason and printed on the page.

The steps in their order: :mod:`.preparation` reads and scales, :mod:`.states` chooses models, :mod:`.views` computes what
a measure makes of the sequences, :mod:`.partition` chooses the number of clusters and cuts. :mod:`.result` holds what was
found; :mod:`.diagnostics`, :mod:`.prediction` and :mod:`kinseq.report.writing` work on it, and :mod:`.analysis` puts them at its side.

Of many sequences, :mod:`.sampling` draws some, which go through these steps, :mod:`.assigning` finds the clusters of all
others, and :func:`cluster` returns a :class:`SampledAnalysis` (:mod:`.sampled`).
"""

# Plain imports: a fingerprint of this package has to cover every file of it.
from ..api.analysis import Analysis
from ..api.pipeline import cluster
from ..api.sampled import SampledAnalysis
from .settings import Settings
from .views import View

__all__ = ["Analysis", "SampledAnalysis", "Settings", "View", "cluster"]
