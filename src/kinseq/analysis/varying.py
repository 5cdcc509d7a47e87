"""What varies where there is one cluster: properties that the dissimilarities follow, and sequences that are far from all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..core.arrays import FloatArray, IntArray
from ..core.roots import RandomState, as_root
from ..core.seeds import stream
from ..core.sequences import SequenceSet
from ..features.traits import Traits, traits
from ..metrics.maps import sample_items
from . import limits
from .explaining import LEVEL, WORDS, Words, words_for

if TYPE_CHECKING:
    import pandas

COMPARED = 150
"""Most sequences whose pairs are looked at."""
PERMUTATIONS = 199
"""Random orders of the sequences that correlations are compared with."""
MIDDLE = (0.1, 0.9)
"""Shares of the sequences below the ends of what is named as the range of a property."""
FEWEST = 5
"""Sequences that correlations ask for."""
LISTED = 5
"""Sequences that are listed as being furthest from others, and most that are listed for a property of theirs."""
UNUSUAL = 6.0
"""Deviations from the median from which on a sequence is listed for a property that the dissimilarities may not see."""
VARIATION = ("column", "property", "correlation", "p", "low", "high", "sentence")
OUTLIERS = ("item", "away", "property", "deviations", "value", "usual")


SHOWN = 3
"""Properties whose values are given of each sequence."""


class Varying(NamedTuple):
    """What varies within one cluster.

    Attributes
    ----------
    properties : pandas.DataFrame
        Properties that differ where sequences are dissimilar, most of all first: ``column``, ``property``, ``correlation``
        (Spearman's, over all pairs, of the difference in the property and the dissimilarity), ``p`` (of one as high if the
        dissimilarities had nothing to do with any property: Mantel's test (1967), corrected for all properties by the
        largest of each permutation; up to 0.02), ``low`` and ``high`` (deciles of the property, as compared), ``sentence``.
    outliers : pandas.DataFrame
        The 5 sequences that are furthest from all others, furthest first, and at most 5 more with a property 6 or more
        deviations from its median: ``item`` (position), ``away`` (mean dissimilarity to the others), ``property`` that is
        furthest from its median, by how many ``deviations``, its ``value`` and the ``usual`` one, the median, as texts.
    values : dict of list of str
        The first of these properties by name: its value of each sequence, as text, empty of those not looked at.
    """

    properties: pandas.DataFrame
    outliers: pandas.DataFrame
    values: dict[str, list[str]]


def varying(sequences: SequenceSet, distance: FloatArray, random_state: RandomState = 0) -> Varying:
    """What the dissimilarities of sequences follow, and which sequences are far from all others.

    They are in the units that words are said in. Of more than 1000, properties are looked at of as many, drawn at
    random, and of the furthest ones; correlations are of 150 at most, copies once. `random_state` is that of the
    permutations.
    """
    seed = as_root(random_state)
    away = distance.sum(axis=1) / max(len(distance) - 1, 1)
    # Those that pages show of many, and the outliers: spectra of long sequences take their time.
    sample = sample_items(np.zeros(len(sequences), dtype=np.int64), limits.MANY, seed)
    looked_at = np.union1d(sample, np.argsort(-away, kind="stable")[:LISTED])
    items, item_traits = sequences.subset(looked_at), traits(sequences.subset(looked_at))
    table, places = _properties(items, item_traits, distance[np.ix_(looked_at, looked_at)], seed)
    values, words = {}, words_for(items)
    for j in places[:SHOWN]:
        texts = [""] * len(sequences)
        for item, value in zip(looked_at.tolist(), item_traits.values[:, j].tolist(), strict=True):
            texts[item] = words[item_traits.kinds[j]].text_of(value)
        values[named(item_traits, j)] = texts
    return Varying(table, _outliers(item_traits, words, looked_at, away), values)


def _properties(
    sequences: SequenceSet, item_traits: Traits, distance: FloatArray, seed: int
) -> tuple[pandas.DataFrame, list[int]]:
    """Properties that dissimilarities follow as a table, and as positions."""
    import pandas as pd

    # An order that follows from the content, so that permutations do not depend on that of the files.
    first = {key: i for i, key in reversed(list(enumerate(sequences.content_keys)))}
    indices = np.array([first[key] for key in sorted(first)], dtype=np.int64)
    indices = indices[sample_items(np.zeros(len(indices), dtype=np.int64), COMPARED, seed)]
    if len(indices) < FEWEST:
        return pd.DataFrame([], columns=list(VARIATION)), []
    values = item_traits.values[indices]
    correlations, p = _followed(values, distance[np.ix_(indices, indices)], seed)
    particular = {kind: k for k, kind in enumerate(WORDS)}
    order = sorted(
        np.flatnonzero(p <= LEVEL).tolist(),
        key=lambda j: (-round(float(correlations[j]), 2), particular[item_traits.kinds[j]]),
    )
    rows, named_in = [], words_for(sequences)
    for j in order:
        low, high = (float(end) for end in np.quantile(values[:, j], MIDDLE))
        words = named_in[item_traits.kinds[j]]
        span = words.unit.format(f"{words.text_of(low)} to {words.text_of(high)}")
        sentence = (
            f"{named(item_traits, j)}: {span} in 80 of 100 sequences; the more two differ in it, the less alike they are"
            f" (correlation {correlations[j]:.2f})"
        )
        rows.append(
            (item_traits.columns[j], item_traits.kinds[j], float(correlations[j]), float(p[j]), low, high, sentence)
        )
    return pd.DataFrame(rows, columns=list(VARIATION)), order


def _outliers(
    item_traits: Traits, named_in: Mapping[str, Words], looked_at: IntArray, away: FloatArray
) -> pandas.DataFrame:
    """The sequences that are furthest from all others on average, or unusual in some property, and in which one."""
    import pandas as pd

    if len(away) < 2:
        return pd.DataFrame([], columns=list(OUTLIERS))
    usual = np.median(item_traits.values, axis=0)
    from_usual = np.abs(item_traits.values - usual)
    units = 1.4826 * np.median(from_usual, axis=0)
    # Most are often equal, as numbers of events are.
    units = np.where(units > 0.0, units, item_traits.values.std(axis=0))
    unusual = from_usual / np.where(units > 0.0, units, 1.0)
    most = unusual.max(axis=1)
    listed = np.argsort(-away[looked_at], kind="stable")[:LISTED].tolist()
    beside = [
        item for item in np.argsort(-most, kind="stable").tolist() if most[item] >= UNUSUAL and item not in listed
    ]
    rows = []
    for item in [*listed, *beside[:LISTED]]:
        j = int(unusual[item].argmax())
        words = named_in[item_traits.kinds[j]]
        value, median = (
            words.unit.format(words.text_of(float(one))) for one in (item_traits.values[item, j], usual[j])
        )
        rows.append(
            (
                int(looked_at[item]),
                float(away[looked_at[item]]),
                named(item_traits, j),
                float(most[item]),
                value,
                median,
            )
        )
    return pd.DataFrame(rows, columns=list(OUTLIERS))


def named(item_traits: Traits, j: int) -> str:
    """A property with its column."""
    return f"{item_traits.kinds[j]} of {item_traits.columns[j]}" if item_traits.columns[j] else item_traits.kinds[j]


def _followed(values: FloatArray, distance: FloatArray, seed: int) -> tuple[FloatArray, FloatArray]:
    """Rank correlations of differences in each property with dissimilarities over all pairs, and corrected p-values; (P,)."""
    n = len(values)
    upper = np.triu_indices(n, k=1)
    differences = np.array([_standard(np.abs(column[upper[0]] - column[upper[1]])) for column in values.T])
    ranks = np.zeros((n, n))
    ranks[upper] = _standard(distance[upper])
    ranks += ranks.T
    correlations = differences @ ranks[upper]
    rng = stream(seed, "varying")
    permuted: list[IntArray] = [rng.permutation(n) for _ in range(PERMUTATIONS)]
    by_chance = differences @ np.array([ranks[np.ix_(order, order)][upper] for order in permuted]).T
    exceeded = (by_chance.max(axis=0)[:, None] >= correlations - 1e-12).sum(axis=0)
    return correlations, (1.0 + exceeded) / (1.0 + PERMUTATIONS)


def _standard(values: FloatArray) -> FloatArray:
    """Ranks of mean 0 and length 1; zeros of values that are equal."""
    from scipy.stats import rankdata

    centred = rankdata(values) - (len(values) + 1) / 2.0
    size = float(np.linalg.norm(centred))
    return centred / size if size > 0.0 else centred
