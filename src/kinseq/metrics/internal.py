"""Quality of a partition without a true one: silhouettes, eigengaps, stability, typical items."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np
from numpy.typing import ArrayLike

from ..clustering.graph import spectral_path
from ..core.arrays import FloatArray, IntArray, as_count, as_distance
from ..core.errors import DataError
from ..core.graphs.laplacian import without_last_digits
from ..core.random_state import RandomState, check_seed
from ..core.seeds import stream
from .external import ari

Cut = Callable[[FloatArray, int], IntArray]
"""``cut(distance, n_clusters)`` returns cluster numbers."""
Cuts = Callable[[FloatArray, list[int]], list[IntArray]]
"""``cuts(distance, numbers)`` returns cluster numbers for each number of clusters."""

STABLE, DOUBTFUL = 0.75, 0.6
"""Mean Jaccard similarity above which a cluster counts as stable, and below which as unstable (Hennig, 2007)."""

MIN_STRUCTURE = 0.15
"""Least mean silhouette, corrected for chance, that indicates structure. Calibrated on labelled sets, see
``docs/reports/answers.md``. The 0.25 of Kaufman and Rousseeuw (1990) for the silhouette itself is reached by chance for few
items or few clusters."""


def _checked(distance: ArrayLike, labels: ArrayLike) -> tuple[FloatArray, IntArray]:
    square = as_distance(distance)
    array = np.asarray(labels)
    if array.shape != (len(square),):
        raise DataError(f"labels have shape {array.shape} but there are {len(square)} items; give one each")
    square -= min(0.0, float(square.min()))
    np.fill_diagonal(square, 0.0)
    return square, np.unique(array, return_inverse=True)[1].reshape(-1).astype(np.int64)


def _means(square: FloatArray, codes: IntArray) -> tuple[FloatArray, IntArray]:
    """Mean dissimilarity of each item to each cluster, excluding itself, and the sizes of the clusters."""
    sizes = np.bincount(codes)
    member = np.zeros((len(codes), sizes.size))
    member[np.arange(len(codes)), codes] = 1.0
    return square @ member / np.maximum(sizes - member, 1.0), sizes.astype(np.int64)


def silhouettes(distance: ArrayLike, labels: ArrayLike) -> FloatArray:
    """Silhouette of each item: how much nearer it is to its own cluster than to the next one.

    ``(b - a) / max(a, b)`` with a the mean dissimilarity to the own cluster and b the least mean dissimilarity to
    another one; between -1 and 1, and 0 for an item alone in its cluster or if there is a single cluster. Negative
    entries shift all off-diagonal ones up by the least. Rousseeuw (1987).
    """
    return silhouettes_of_checked(*_checked(distance, labels))


def silhouettes_of_checked(square: FloatArray, codes: IntArray) -> FloatArray:
    """:func:`silhouettes` without checks: of a symmetric matrix without negative entries and clusters 0 to K - 1."""
    own, other, sizes = _own_and_next(square, codes)
    if sizes.size == 1:
        return np.zeros(len(codes))
    widest = np.maximum(own, other)
    result = np.where(widest > 0, (other - own) / np.where(widest > 0, widest, 1.0), 0.0)
    return np.where(sizes[codes] > 1, result, 0.0)


def _own_and_next(square: FloatArray, codes: IntArray) -> tuple[FloatArray, FloatArray, IntArray]:
    """Mean dissimilarity of each item to its own cluster and to the nearest other one, and the sizes of the clusters."""
    means, sizes = _means(square, codes)
    rows = np.arange(len(codes))
    own = means[rows, codes].copy()
    means[rows, codes] = np.inf
    return own, means.min(axis=1), sizes


def membership(distance: ArrayLike, labels: ArrayLike) -> FloatArray:
    """Return how strongly each item belongs to its cluster, 0 to 1, 0.5 on the border.

    ``b / (a + b)`` with a the mean dissimilarity to the own cluster and b the least mean dissimilarity to another one.
    0.5 for an item alone in its cluster, and where both are 0; 1 for a single cluster.
    """
    square, codes = _checked(distance, labels)
    own, other, sizes = _own_and_next(square, codes)
    if sizes.size == 1:
        return np.ones(len(codes))
    return np.where(sizes[codes] > 1, nearness(own, other), 0.5)


def nearness(own: FloatArray, other: FloatArray) -> FloatArray:
    """``other / (own + other)`` of two dissimilarities: 1 where the first is 0, 0.5 where both are equal."""
    total = own + other
    return np.where(total > 0, other / np.where(total > 0, total, 1.0), 0.5)


def typicality(distance: ArrayLike, labels: ArrayLike) -> FloatArray:
    """Mean dissimilarity of each item to the others of its cluster; least for the most typical item (medoid).

    0 for an item alone in its cluster. Numbers have ten digits, so that items that are as typical are equal.
    """
    square, codes = _checked(distance, labels)
    return without_last_digits(_means(square, codes)[0][np.arange(len(codes)), codes])


LEVEL = 0.05
"""Probability that items without clusters are taken for items with clusters."""
TELLING_DEVIATIONS = 2.0
"""Standard deviations, over sets without clusters, within which two numbers of clusters are indistinguishable."""
MIN_DIVISOR = 1e-9
"""Floor of the distance of an expected silhouette from 1 in a denominator."""
MAX_CANDIDATES = 3
"""Largest number of cluster numbers that are named."""


@dataclass(frozen=True)
class Numbers:
    """Evidence for each number of clusters.

    Attributes
    ----------
    n_clusters : ndarray, shape (M,), int64
        Numbers that were tried.
    silhouette : ndarray, shape (M,)
        Mean silhouette of the partition into each number.
    expected : ndarray, shape (M,), or None
        Its mean over sets of items without clusters; None where there were none to compare with.
    deviation : float
        Standard deviation of the corrected silhouette over these sets, pooled over numbers; 0 without them.
    p_value : float or None
        Chance that items without clusters are as clear, at whatever number.
    best : int
        Number with the largest corrected silhouette, the least of equals; 1 where none is significant or could be tried.
        Without sets to compare with, the number with the largest silhouette.
    candidates : tuple of int
        The best number, and up to two more that do about as well: peaks within :data:`TELLING_DEVIATIONS` deviations of the
        largest.
        After a best number of 1, the number that is clearest.
    n_items, n_references : int
        How many items were examined, and how many sets without clusters.
    is_bound : bool
        Whether the p-value is at most that, since it was decided by far after a few sets.
    references : ndarray, shape (n_references, M), or None
        Silhouettes of the sets without clusters; None where these were compared in another way.
    tops : tuple of float
        How clear the strongest grouping is, in the items first and then in each set: the largest corrected silhouette, or what
        the sets were compared by.
    """

    n_clusters: IntArray
    silhouette: FloatArray
    expected: FloatArray | None
    deviation: float
    p_value: float | None
    best: int
    candidates: tuple[int, ...]
    n_items: int
    n_references: int
    is_bound: bool = False
    references: FloatArray | None = None
    tops: tuple[float, ...] = ()

    def tested(
        self, p_value: float, n_references: int, is_bound: bool = False, tops: tuple[float, ...] = ()
    ) -> Numbers:
        """Return the evidence with additional sets without clusters compared in another way."""
        return replace(self, p_value=p_value, n_references=n_references, is_bound=is_bound, tops=tops)

    def with_best(self, number: int) -> Numbers:
        """Return the evidence with a number chosen for other reasons; the other candidates follow."""
        return replace(self, best=number, candidates=(number, *(k for k in self.candidates if k not in (1, number))))

    def none_stands_out(self) -> Numbers:
        """Return the evidence for one group; the best number comes closest to significance."""
        return replace(self, best=1, candidates=(1, self.best))

    @property
    def corrected(self) -> FloatArray | None:
        """Silhouettes corrected for chance, shape (M,): 0 as expected without clusters, 1 at best; None without sets."""
        return None if self.expected is None else _corrected(self.silhouette, self.expected)


def compare_numbers(
    distance: ArrayLike,
    references: Iterable[ArrayLike] = (),
    numbers: Iterable[int] = range(2, 11),
    cuts: Cuts | None = None,
    step: Callable[[], None] | None = None,
) -> Numbers:
    """Return which numbers of clusters are clearer than in items without clusters.

    The mean silhouette rises or falls with the number of clusters even where there are none. So it is corrected for
    chance, as the adjusted Rand index is: by its mean over sets without clusters which are cut in the same way, by
    ``cuts(distance, numbers)``, spectral clustering with local widths by default. References are such matrices that are
    otherwise like the given one (:mod:`kinseq.core.graphs.reference`); with fewer than 19 of them nothing can be significant at
    the level :data:`LEVEL`. Numbers above N - 1 are not tried; `step` is called after each matrix. Rousseeuw (1987) for
    the silhouette; Tibshirani, Walther and Hastie (2001) for the comparison with items without clusters, there of the
    distortion of k-means.
    """
    square = as_distance(distance)
    counts = [as_count(number, "number of clusters", 2) for number in numbers]
    tried = np.array([number for number in counts if number < len(square)], dtype=np.int64)
    if not tried.size:
        return Numbers(tried, np.zeros(0), None, 0.0, None, 1, (1,), len(square), 0)
    curves = []
    for matrix in chain([square], references):
        curves.append(_curve(as_distance(matrix), tried.tolist(), cuts))
        if step is not None:
            step()
    scores, count = np.array(curves), len(curves) - 1
    if count < 2:
        peak = int(tried[scores[0].argmax()])
        return Numbers(tried, scores[0], None, 0.0, None, peak, (peak,), len(square), 0)
    expected, tops = scores[1:].mean(axis=0), _tops(scores)
    chance = float((tops >= tops[0]).mean())
    deviation = float(np.sqrt(_corrected(scores[1:], expected).var(axis=0, ddof=1).mean()))
    named = tuple(int(tried[i]) for i in _peaks(_corrected(scores[0], expected), TELLING_DEVIATIONS * deviation))
    candidates = named if chance <= LEVEL else (1, named[0])
    return Numbers(
        tried,
        scores[0],
        expected,
        deviation,
        chance,
        candidates[0],
        candidates,
        len(square),
        count,
        references=scores[1:],
        tops=tuple(tops.tolist()),
    )


SOFT_DIFFERENCE = 0.1
"""Difference in silhouettes that lowers the weight of a number of clusters by a factor e."""


def representative(distance: ArrayLike, partitions: Mapping[int, IntArray], about: float = 0.05) -> Numbers:
    """Return the number of clusters whose partition is most similar to those of the other good numbers.

    A partition into a number that is wrong by a few shares most of its pairs with the right one; one into two clusters
    where there are ten shares few. So each number is weighed by its silhouette, ``exp(s / SOFT_DIFFERENCE) / K`` (numbers count by
    their ratio), and the partition is taken that agrees most with all others on average, by the adjusted Rand index.
    Peaks of the silhouette that are lower than that of the number taken by at most `about` do about as well.
    """
    tried = np.array(sorted(partitions), dtype=np.int64)
    scores = np.array([float(silhouettes(distance, partitions[int(k)]).mean()) for k in tried])
    weights = np.exp((scores - scores.max()) / SOFT_DIFFERENCE) / tried
    alike = np.eye(len(tried))
    for i, j in zip(*np.triu_indices(len(tried), k=1), strict=True):
        alike[i, j] = alike[j, i] = ari(partitions[int(tried[i])], partitions[int(tried[j])])
    best = int((alike @ weights).argmax())
    margin = scores.max() - scores[best] + about
    named = [int(tried[i]) for i in _peaks(scores, margin) if i != best]
    candidates = (int(tried[best]), *named[: MAX_CANDIDATES - 1])
    return Numbers(tried, scores, None, 0.0, None, candidates[0], candidates, len(as_distance(distance)), 0)


def _corrected(silhouette: FloatArray, expected: FloatArray) -> FloatArray:
    return np.asarray((silhouette - expected) / np.maximum(1.0 - expected, MIN_DIVISOR))


def _curve(square: FloatArray, numbers: list[int], cuts: Cuts | None) -> list[float]:
    """Mean silhouette of the partition into each number of clusters."""
    partitions = cuts(square, numbers) if cuts is not None else spectral_path(square, numbers, width="local")
    return [float(silhouettes(square, labels).mean()) for labels in partitions]


def _tops(scores: FloatArray) -> FloatArray:
    """Return the largest corrected silhouette of each curve.

    Expected is the mean over all curves, so that all are treated alike: the share of those that reach the first is a p-value if
    the first is one of them.
    """
    return np.asarray(_corrected(scores, scores.mean(axis=0)).max(axis=1))


def _peaks(curve: FloatArray, margin: float) -> list[int]:
    """Return the positions of the largest entry, and of other peaks at most `margin` below it, largest first."""
    padded = np.concatenate([[-np.inf], curve, [-np.inf]])
    peak = (curve > padded[:-2]) & (curve >= padded[2:])
    order = [int(i) for i in np.argsort(-curve, kind="stable") if peak[i] and curve[i] >= curve.max() - margin]
    return order[:MAX_CANDIDATES]


@dataclass(frozen=True)
class Stability:
    """Stability of a partition under bootstrap samples of the items.

    Attributes
    ----------
    jaccard : ndarray, shape (K,)
        Of each cluster, the mean over resamples of the largest Jaccard similarity with a cluster found again.
    ari : float
        Mean adjusted Rand index between the partition and the one found again, on the items drawn.
    n_resamples : int
        Number of resamples.
    n_items : int
        Number of items that a resample draws, with replacement.
    """

    jaccard: FloatArray
    ari: float
    n_resamples: int
    n_items: int


def stability(
    distance: ArrayLike,
    labels: ArrayLike,
    cut: Cut,
    n_resamples: int = 50,
    most_items: int = 500,
    random_state: RandomState = 0,
    step: Callable[[], None] | None = None,
    blocks: Sequence[IntArray] = (),
) -> Stability:
    """Cluster bootstrap samples of the items and count which clusters recur.

    ``cut(distance, n_clusters)`` made the partition; the matrix is not computed anew. Items with a negative label are in no
    cluster. Each of `n_resamples` draws at
    most `most_items`, and `step` is called after it. `blocks` are positions of items that depend on each other: these are drawn
    whole, as many as there are. Hennig (2007), "Cluster-wise assessment of cluster stability"; Davison and Hinkley (1997),
    "Bootstrap Methods and their Application", section 3.8, for whole blocks.
    """
    seed = check_seed(random_state)
    square, codes = _checked(distance, labels)
    given = np.asarray(labels)
    outside = given < 0 if given.dtype.kind in "iuf" else np.zeros(len(codes), dtype=bool)
    codes = np.where(outside, -1, codes - bool(outside.any()))
    n, k = len(codes), int(codes.max()) + 1
    size = min(n, as_count(most_items, "most_items", 2))
    sums, n_present, indices = np.zeros(k), np.zeros(k), []
    for b in range(as_count(n_resamples, "n_resamples")):
        sample = _resampled(stream(seed, "bootstrap", b), n, size, blocks)
        old = codes[sample]
        count = min(k, sample.size)
        new = cut(square[np.ix_(sample, sample)], count)
        # The last row and column are for items in no cluster.
        counts = np.zeros((k + 1, int(new.max()) + 2))
        np.add.at(counts, (old, new), 1.0)
        both, sizes = counts[:-1, :-1], counts[:-1].sum(axis=1)
        union = sizes[:, None] + counts[:, :-1].sum(axis=0) - both
        there = (sizes > 0) & bool(both.size)
        sums[there] += (both / np.maximum(union, 1.0)).max(axis=1, initial=0.0)[there]
        n_present += there
        indices.append(ari(old, new))
        if step is not None:
            step()
    return Stability(sums / np.maximum(n_present, 1.0), float(np.mean(indices)), len(indices), size)


def _resampled(random: np.random.Generator, n: int, size: int, blocks: Sequence[IntArray]) -> IntArray:
    """Return distinct positions of a bootstrap sample; for whole blocks, a subset of their items if these are too many."""
    if not blocks:
        return np.unique(random.integers(n, size=size))
    items = np.concatenate([blocks[i] for i in np.unique(random.integers(len(blocks), size=len(blocks)))])
    return np.sort(random.permutation(items)[:size])


def share_between(values: ArrayLike, labels: ArrayLike) -> float:
    """Return the share of variance of values between clusters, corrected for their number (epsilon squared).

    1 where the cluster says the value, and 0 on average where they have nothing to do with each other; negative where
    clusters have less in common than that. 0 where values do not vary, or no cluster has two items. Kelley (1935), "An
    unbiased correlation ratio measure".
    """
    array, codes = (
        np.asarray(values, dtype=np.float64),
        np.unique(np.asarray(labels), return_inverse=True)[1].reshape(-1),
    )
    if array.ndim != 1 or codes.shape != array.shape or not np.isfinite(array).all():
        raise DataError(
            f"share_between: values of shape {array.shape} and {codes.size} labels; give finite ones, one each"
        )
    n, k = array.size, int(codes.max(initial=-1)) + 1
    if n <= k or np.ptp(array) == 0:
        return 0.0
    means = np.bincount(codes, weights=array) / np.bincount(codes)
    return 1.0 - float(np.mean((array - means[codes]) ** 2) / array.var()) * (n - 1) / (n - k)


def rank_correlation(a: ArrayLike, b: ArrayLike, most_items: int = 1500, random_state: RandomState = 0) -> float:
    """Spearman correlation between the entries of two (N, N) dissimilarity matrices; 0 if one is constant.

    With more than `most_items` items, as many are drawn.
    """
    seed = check_seed(random_state)
    from scipy.stats import rankdata

    first, second = as_distance(a), as_distance(b)
    n = len(first)
    if n > most_items:
        sample = np.sort(stream(seed, "rank correlation").permutation(n)[:most_items])
        first, second = first[np.ix_(sample, sample)], second[np.ix_(sample, sample)]
    upper = np.triu_indices(len(first), k=1)
    ranks = [rankdata(matrix[upper]) for matrix in (first, second)]
    if n < 3 or any(np.ptp(rank) == 0 for rank in ranks):
        return 0.0
    return float(np.corrcoef(ranks[0], ranks[1])[0, 1])
