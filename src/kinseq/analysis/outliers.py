"""One list of outliers: anomalies first, with their most extreme property, then the least similar sequences."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..core.arrays import FloatArray, IntArray
from ..core.random_state import RandomState, check_seed
from ..core.sequences import SequenceSet
from ..core.wording import plain
from ..features.explanatory import Traits, traits
from ..features.frames import summarised
from ..metrics.maps import sample_items
from . import explaining, limits
from .explaining import (
    EFFECT_STEP,
    FINEST,
    FOLLOWING,
    MAIN_SHARE,
    MOST_DEVIATIONS,
    USUALLY_FINEST,
    WORDS,
    in_unit,
    named,
    unit_in,
    words_for,
)

if TYPE_CHECKING:
    import pandas

MIN_DEVIATIONS = 6.0
"""Least deviation of an anomaly from the median of its cluster."""
MIN_MEMBERS = 8
"""Least number of members with a value for a cluster to define its usual range."""
LISTED = 5
"""Least number of sequences listed: if fewer are anomalies, those least similar to others are added."""
TAILS, BETWEEN_TAILS = (0.1, 0.9), 2.563
"""Quantiles of a property whose distance also measures its spread, for equal or skewed values, and the deviations between them."""
FINEST_LEVEL = 0.02
"""Deviation of levels that counts as none, relative to the typical deviation within a sequence."""
DISSIMILARITY = "dissimilarity"
DERIVED = (*explaining.DERIVED, DISSIMILARITY)
"""Properties given as the reason if no plainer one applies."""
COLUMNS = (
    "item",
    "cluster",
    "anomaly",
    "column",
    "property",
    "deviations",
    "value",
    "usual",
    "unit",
    "away",
    "sentence",
)


def outliers(
    sequences: SequenceSet,
    labels: IntArray,
    distance: FloatArray,
    random_state: RandomState = 0,
    scattered: IntArray | None = None,
) -> pandas.DataFrame:
    """Return anomalies, and the sequences least similar to the others of their cluster.

    Parameters
    ----------
    sequences : SequenceSet
        In the units that words are said in.
    labels : ndarray, int64, shape (N,)
        Clusters from 0.
    distance : ndarray, shape (N, N)
        Dissimilarities.
    random_state : int, RandomState, Generator or None
        Names the random stream that draws those whose properties are examined, of more than 1000.
    scattered : ndarray, int64, optional
        Positions of sequences that belong to no cluster and are put where they are nearest: all are listed.

    Returns
    -------
    pandas.DataFrame
        See :meth:`kinseq.analysis.result.Result.outliers`; ``item`` is the position.

    Notes
    -----
    A deviation of a property is 1.4826 times the median distance from the median of the cluster, or the distance of its deciles
    in deviations of a normal distribution where that is more, and never less than the resolution of the property: where all
    periods are equal, another one is still so many resolutions away.
    """
    import pandas as pd

    if len(labels) < 2:
        return no_outliers()
    seed, n = check_seed(random_state), len(labels)
    own = labels[:, None] == labels
    away = np.where(own, distance, 0.0).sum(axis=1) / np.maximum(own.sum(axis=1) - 1, 1)
    furthest = np.argsort(-away, kind="stable")
    in_none = np.zeros(0, dtype=np.int64) if scattered is None else scattered
    # Spectra of long sequences are slow.
    examined = np.union1d(sample_items(np.zeros(n, dtype=np.int64), limits.MAX_EXAMINED, seed), furthest[:LISTED])
    examined = np.union1d(examined, in_none)
    items, of = sequences.subset(examined), labels[examined]
    item_traits = traits(items)
    finest = np.array([_finest(items, item_traits, j) for j in range(len(item_traits.kinds))])
    logarithm = np.log(np.maximum(away, 1e-9 * max(float(np.median(away)), np.finfo(float).tiny)))[examined]
    values = np.column_stack([item_traits.values, logarithm])
    usual, deviations = _standing(values, np.append(finest, USUALLY_FINEST), of)
    outside = np.isin(examined, in_none)
    # What belongs to no cluster is compared with all others where its cluster is too small to say what is usual.
    alone = np.flatnonzero(outside & (np.bincount(of)[of] < MIN_MEMBERS))
    if alone.size:
        of_all = _standing(values, np.append(finest, USUALLY_FINEST), np.zeros(len(of), dtype=np.int64))
        usual[alone], deviations[alone] = of_all[0][alone], of_all[1][alone]
    reasons = [_reason(*rows, item_traits) for rows in zip(deviations, values, strict=True)]
    most = np.array([row[j] for row, j in zip(deviations, reasons, strict=True)])
    found = np.flatnonzero(most >= MIN_DEVIATIONS)
    listed = found[np.lexsort((-away[examined[found]], -most[found]))].tolist()
    rest = [i for i in np.lexsort((-away[examined], ~outside)).tolist() if i not in set(listed)]
    more = max(LISTED - len(listed), int(outside[rest].sum()))
    rows, words = [], words_for(items)
    for i in [*listed, *rest[: max(0, more)]]:
        j, item = reasons[i], int(examined[i])
        value, median = float(values[i, j]), float(usual[i, j])
        if j == len(item_traits.kinds):
            kind, column, unit = DISSIMILARITY, "", ""
            shown, texts = np.exp([value, median]).tolist(), [plain(one) for one in np.exp([value, median]).tolist()]
            name = "mean dissimilarity to the others"
        else:
            kind, column = item_traits.kinds[j], item_traits.columns[j]
            shown = [words[kind].shown(one) for one in (value, median)]
            texts = [in_unit(words, kind, column, words[kind].text_of(one)) for one in (value, median)]
            unit, name = unit_in(words, kind, column), named(item_traits, j, items)
        rows.append(
            (
                item,
                int(labels[item]) + 1,
                bool(most[i] >= MIN_DEVIATIONS),
                column,
                kind,
                float(most[i]),
                *shown,
                unit,
                float(away[item]),
                f"{name}: {texts[0]}, usually {texts[1]}",
            )
        )
    return pd.DataFrame(rows, columns=list(COLUMNS))


def no_outliers() -> pandas.DataFrame:
    """Return the empty table."""
    import pandas as pd

    return pd.DataFrame([], columns=list(COLUMNS))


def _finest(items: SequenceSet, item_traits: Traits, j: int) -> float:
    """The resolution of a property."""
    kind = item_traits.kinds[j]
    if kind != "level":
        return FINEST.get(kind, USUALLY_FINEST)
    within = summarised(items, lambda frames: frames.std(axis=1))
    typical = float(np.median(within[:, j])) if j < within.shape[1] else 0.0
    return FINEST_LEVEL * (typical or float(items.values.std(axis=0)[j]))


def _standing(values: FloatArray, finest: FloatArray, labels: IntArray) -> tuple[FloatArray, FloatArray]:
    """Median of each property in the cluster of each sequence, and deviations from it; shape (N, P) each."""
    usual, deviations = np.full(values.shape, np.nan), np.zeros(values.shape)
    for k in np.unique(labels):
        own = np.flatnonzero(labels == k)
        for j, finest_of in enumerate(finest.tolist()):
            column = values[own, j]
            there = np.flatnonzero(~np.isnan(column))
            if not there.size:
                continue
            has = column[there]
            middle = float(np.median(has))
            usual[own, j] = middle
            # A property that few sequences have does not show what is usual.
            if len(has) < max(MIN_MEMBERS, 0.5 * len(own)):
                continue
            low = float(np.quantile(has, TAILS[0], method="higher"))
            high = float(np.quantile(has, TAILS[1], method="lower"))
            scale = max(1.4826 * float(np.median(np.abs(has - middle))), (high - low) / BETWEEN_TAILS, finest_of)
            deviations[own[there], j] = np.abs(has - middle) / max(scale, 1e-9 * abs(middle), np.finfo(float).tiny)
    return usual, deviations


def _reason(deviations: FloatArray, values: FloatArray, item_traits: Traits) -> int:
    """The most extreme property; of about equal ones the plainest.

    What is derived from others, and what follows from an unusual trend, as a spread does, is a reason only where nothing else is.
    """
    kinds, columns = [*item_traits.kinds, DISSIMILARITY], [*item_traits.columns, ""]
    place = {kind: k for k, kind in enumerate([*WORDS, DISSIMILARITY])}
    steps = np.round(np.log(np.clip(deviations, 0.1, MOST_DEVIATIONS)) / np.log(EFFECT_STEP))
    far = deviations >= MIN_DEVIATIONS
    rising = {
        columns[j]
        for j, kind in enumerate(kinds)
        if kind == "trend" and far[j] and np.tanh(values[j]) ** 2 >= MAIN_SHARE
    }
    following = {kind for kind, _ in FOLLOWING}

    def key(j: int) -> tuple[bool, bool, float, int, float]:
        last = kinds[j] in DERIVED or (kinds[j] in following and columns[j] in rising)
        return not far[j], last, -float(steps[j]), place[kinds[j]], -float(deviations[j])

    return min(range(len(kinds)), key=key)
