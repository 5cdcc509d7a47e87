"""A sample that represents many sequences: its size, members, and what it can miss."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence

import numpy as np

from ..clustering.registry import get as get_clusterer
from ..core.arrays import FloatArray, IntArray
from ..core.errors import DataError, ParameterError
from ..core.seeds import stream
from ..core.sequences import SequenceSet
from ..core.streamed import SequenceParts
from ..core.system import memory
from ..core.wording import as_typed, option_name
from ..features.frames import fit_scaling
from ..measures.registry import Measure
from . import limits
from .log import NO_REMARKS, Remarks, as_choice
from .options import Options

STATISTICS_STEP = 1e-6
"""Step, in standard deviations, to which statistics are rounded, since the unit of the data affects the last digits."""
FAR, NOTHING = 2.0, 1e-3
"""Least ratio of the distance from a sample to that of its most isolated member for a sequence to be unlike all of it;
uninformative distances."""
MATRICES_OF_A_MEASURE = 6
"""Number of matrices over all pairs that one measure needs at a time; a fusion needs as many for each view."""


def subsample(n_items: int, most: int, seed: int, purpose: str) -> IntArray:
    """Positions of all items, or of a random sample of many."""
    if n_items <= most:
        return np.arange(n_items)
    return np.sort(stream(seed, purpose).permutation(n_items)[:most])


def sample_size(
    sequences: SequenceSet | SequenceParts, measures: Sequence[Measure], n_clusters: int | None, options: Options
) -> tuple[int, Remarks]:
    """Number of sequences to compare, all or a sample, and the reason.

    The size of a sample follows from the number of sequences, frames and features; no clock and no machine decides it.
    ParameterError if a sample is larger than the set, or the measure cannot compare others with it; DataError if all
    pairs are requested, and their dissimilarities do not fit into the memory.
    """
    n, sample = len(sequences), options.sample
    # Otherwise sequences outside the sample that belong to no cluster would be put into one.
    finds = get_clusterer(options.clusterer).finds_n_clusters
    if finds and isinstance(sample, int):
        raise ParameterError(
            f"sample is {sample}, but clusterer {options.clusterer!r} compares all sequences; leave it out"
        )
    if finds or sample is None:
        require_memory(n, measures, sequences.name)
        return n, NO_REMARKS
    if isinstance(sample, int):
        if sample > n:
            raise ParameterError(
                f"sample is {sample} but there are only {n} sequences; give a smaller number, or {as_typed('sample', None)} to"
                " compare all of them"
            )
        size = sample
    else:
        size = n if n <= limits.MAX_ALL_PAIRS else default_size(float(sequences.lengths.mean()), sequences.n_features)
    if size == n:
        return n, NO_REMARKS
    require_extensible(measures[0], n)
    if n_clusters is not None and n_clusters > size:
        raise ParameterError(
            f"{option_name('n_clusters')} is {n_clusters}, but {size} of the {n} sequences are compared; ask for"
            " fewer clusters or give"
            f" {as_typed('sample', n_clusters)} or more"
        )
    why = "given" if sample == size else f"more than {limits.MAX_ALL_PAIRS} sequences; by their lengths and features"
    return size, as_choice("sequences compared with each other", f"{size} of {n}", why)


def default_size(frames: float, n_features: int) -> int:
    """Size of a sample of more than :data:`.limits.MAX_ALL_PAIRS` sequences, by mean length and number of features."""
    pairs = limits.SAMPLE_CELLS / (frames * (1.0 + n_features / 4.0))
    return min(limits.SAMPLE_MOST, max(limits.SAMPLE_LEAST, math.isqrt(int(pairs))))


def require_extensible(measure: Measure, n: int) -> None:
    """Raise :class:`ParameterError` for a measure without an answer for sequences outside a sample."""
    if measure.cross is None and measure.scope == "task":
        raise ParameterError(
            f"measure {measure.name!r} depends on the whole set, so that of {n} sequences none can be assigned to the"
            " clusters of a sample; take elastic, fusion, ssd, kl_ll or another that has answers for new sequences, or"
            f" {as_typed('sample', None)} to compare all"
        )


def require_memory(n: int, measures: Sequence[Measure], name: str) -> None:
    """Raise :class:`DataError` if matrices over all pairs of `n` sequences do not fit into the memory."""
    views = max(len(measure.params.get("views", ("one",))) for measure in measures)
    needed, there = 8.0 * n * n * (MATRICES_OF_A_MEASURE * views + len(measures)), memory()
    if needed > there:
        raise DataError(
            f"{name}: comparing all pairs of {n} sequences takes about {needed / 2**30:.1f} GB, but there are"
            f" {there / 2**30:.1f} GB of memory; leave sample out, or take fewer sequences"
        )


def drawn(columns: FloatArray, size: int, seed: int) -> tuple[IntArray, IntArray]:
    """Return ascending positions of a sample that keeps the share of every kind, and of sequences unlike all of it.

    `columns`, shape (N, p), are statistics of the sequences (level, spread, speed, length), in an order of content. The set is cut,
    again and again, across the statistic in which a part varies most, into as many parts as the sample has sequences; one is drawn
    from each. So numbers of members of a cluster vary no more than in a simple random sample, and hardly at all where statistics
    tell the cluster from the others: proportional allocation (Cochran, 1977, "Sampling Techniques", chapter 5).
    """
    columns = np.asarray(np.round(fit_scaling(columns).apply(columns) / STATISTICS_STEP) * STATISTICS_STEP + 0.0)
    sampled = stratified(columns, size, seed)
    return sampled, far_away(columns, sampled)


def far_away(columns: FloatArray, sampled: IntArray) -> IntArray:
    """Positions of rows much further from every sampled one than any sampled one is from its nearest.

    Much further: by the factor :data:`FAR`. `columns`, shape (N, p), are statistics in units of their deviations, `sampled` the
    positions of at least two rows.
    """
    from scipy.spatial import cKDTree

    tree = cKDTree(columns[sampled])
    usual = max(float(tree.query(columns[sampled], k=2)[0][:, 1].max()), NOTHING)
    return np.flatnonzero(tree.query(columns)[0] > FAR * usual).astype(np.int64)


def stratified(columns: FloatArray, size: int, seed: int) -> IntArray:
    """One row from each of `size` equal parts, cut across the columns that vary most."""
    random = stream(seed, "sample")
    rows: list[int] = []
    parts = [(np.arange(len(columns)), size)]
    while parts:
        members, count = parts.pop()
        if count == 1:
            rows.append(int(members[random.integers(len(members))]))
            continue
        column = columns[members, int(columns[members].std(axis=0).argmax())]
        members, left = members[np.argsort(column, kind="stable")], count // 2
        cut = round(len(members) * left / count)
        parts += [(members[:cut], left), (members[cut:], count - left)]
    return np.sort(np.array(rows, dtype=np.int64))


def smallest_in_sight(n: int, size: int, members: int) -> int:
    """Size of the smallest cluster that has `members` in a simple random sample with probability :data:`.limits.SIGHT_PROBABILITY`.

    Of `n` sequences, `size` are in the sample; `n` where it is too small for any cluster.
    """
    from scipy.stats import hypergeom

    def missed(cluster: int) -> bool:
        return bool(hypergeom.sf(members - 1, n, cluster, size) < limits.SIGHT_PROBABILITY)

    return bisect_left(range(n), True, key=lambda cluster: not missed(cluster))
