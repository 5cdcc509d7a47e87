"""Your own data in, clusters and a page of pictures out: defaults for users who want an answer before they read anything.

:func:`cluster` (in :mod:`.analysis`, where to begin reading) takes a folder or arrays, chooses what nobody gave by stated
rules, and returns a :class:`Clustering`. Every choice, whoever made it, is kept with its reason and printed on the page.

The steps in their order: :mod:`.preparation` reads and scales, :mod:`.states` chooses models, :mod:`.views` computes what
a measure makes of the sequences, :mod:`.partition` chooses the number of clusters and cuts; :mod:`.result` holds what was
found, for :mod:`.cautions`, :mod:`.prediction` and :mod:`.report`.
"""

# Plain imports: a fingerprint of this package has to cover every file of it.
from .analysis import cluster
from .result import Clustering
from .settings import Settings
from .views import View

__all__ = ["Clustering", "Settings", "View", "cluster"]
