"""The measures as a table, for choosing one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .registry import get, names
from .requirements import REQUIREMENTS

if TYPE_CHECKING:
    import pandas

MODELS = {"each": "a model of each sequence", "common": "one model of all sequences", None: ""}
"""Models that are fitted first, in words."""


def table() -> pandas.DataFrame:
    """Return what each measure compares, needs and costs.

    Returns
    -------
    pandas.DataFrame
        Index: names. Columns: ``label``, as the documents print it; ``description``; ``of``, ``"sequences"``, ``"words"`` or
        ``"items"`` of both kinds; ``fits``, the models that are fitted first; ``cost``: ``"cheap"``, ``"models"`` (the time is that
        of their fits) or ``"matrix"`` (the time is that of the matrix itself); ``scope``, whether an entry depends on its
        ``"pair"`` alone or on all sequences (``"task"``); ``predicts``, whether new sequences can be compared with old ones;
        ``parameters`` with their defaults; ``source``.
    """
    import pandas as pd

    rows = []
    for name in names():
        entry = get(name)
        models = REQUIREMENTS[entry.requires].models
        cost = "cheap" if entry.cheap else "models" if models else "matrix"
        rows.append(
            {
                "label": entry.label,
                "description": entry.description,
                "of": {"tokens": "words", "items": "items"}.get(entry.requires, "sequences"),
                "fits": MODELS[models],
                "cost": cost,
                "scope": entry.scope,
                "predicts": entry.cross is not None or entry.scope == "pair",
                "parameters": dict(entry.params),
                "source": entry.source,
            }
        )
    return pd.DataFrame(rows, index=pd.Index(names(), name="measure"))
