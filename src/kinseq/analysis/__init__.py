"""From sequences to clusters, with defaults for users who want an answer before reading the documentation.

What is not given is chosen by stated rules. Every choice, whoever made it, is kept with its reason and printed on the page.

The steps in their order (:mod:`.pipeline`): :mod:`.preparation` reads and scales, :mod:`.states` chooses models, :mod:`.views`
computes what a measure makes of the sequences, :mod:`.partition` chooses the number of clusters and cuts. :mod:`.result` holds
what was found; :mod:`.diagnostics` and :mod:`.prediction` work on it. People call them through :mod:`kinseq.api`.

Of many sequences, :mod:`.sampling` draws some, which go through these steps, and :mod:`.assigning` finds the clusters of all
others.
"""

# Plain imports, so that a fingerprint of this package covers every file of it.
from .options import Options
from .result import Result
from .views import View

__all__ = ["Options", "Result", "View"]
