"""Who takes part: each is called as its own documentation shows, at its defaults, with the number of clusters given.

All get the same sequences, each column scaled by its mean and deviation over the whole set. What a method needs beyond
that (one length, each sequence scaled by itself) is done here and said in ``does``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec

import numpy as np
from numpy.typing import ArrayLike

from kinseq import SequenceSet
from kinseq.api.results import Clustering
from kinseq.core.arrays import FloatArray, IntArray
from kinseq.core.errors import DataError, ParameterError, unknown_name
from kinseq.features.frames import averaged
from kinseq.measures.elastic import centred, stretched, with_increments
from kinseq.measures.fusion import ALL, VOTING, frames_averaged
from kinseq.measures.registry import modules as measures
from kinseq_documents.fingerprint import fingerprint

Cluster = Callable[[SequenceSet, int, int], ArrayLike | Clustering]
"""``cluster(sequences, n_clusters, seed) -> labels``, or an analysis that has them."""


@dataclass(frozen=True)
class Contender:
    """A way to cluster sequences.

    Attributes
    ----------
    name : str
    title : str
    package : str
        What has to be installed.
    does : str
        One sentence: what is called, and what was done to the sequences before.
    cluster : callable
    ours_too : bool
        Whether code of kinseq is a part of it, though the package is another.
    """

    name: str
    title: str
    package: str
    does: str
    cluster: Cluster
    ours_too: bool = False

    @property
    def installed(self) -> bool:
        return find_spec(self.package) is not None

    def stamp(self) -> str:
        """Return the dependencies of results: the version of the package, for ours the code itself."""
        ours = fingerprint("kinseq.analysis", *sorted(entry.module for entry in measures().values()))
        if self.package == "kinseq":
            return ours
        try:
            theirs = version("scikit-learn" if self.package == "sklearn" else self.package)
        except PackageNotFoundError:
            return "none"
        return f"{theirs} {ours}" if self.ours_too else theirs


# ---------------------------------------------------------------------------------------------------------------------
# Preparation that several need
# ---------------------------------------------------------------------------------------------------------------------


def resampled(sequences: SequenceSet) -> FloatArray:
    """Return sequences stretched linearly to their median length, shape (N, d, T); equal lengths are left alone."""
    return np.stack([frames.T for frames in stretched(sequences)])


def standardised(frames: FloatArray) -> FloatArray:
    """Return a sequence with every column at mean 0 and deviation 1; columns that are constant up to rounding become 0."""
    deviation = frames.std(axis=0)
    varies = deviation > 1e-9 * np.abs(frames).max(axis=0)
    return np.asarray(np.where(varies, (frames - frames.mean(axis=0)) / np.where(varies, deviation, 1.0), 0.0))


# ---------------------------------------------------------------------------------------------------------------------
# Ours
# ---------------------------------------------------------------------------------------------------------------------


def _default(sequences: SequenceSet, n_clusters: int | None, seed: int) -> Clustering:
    import kinseq

    # Already scaled, as for all contenders.
    return kinseq.cluster(sequences, n_clusters=n_clusters, random_state=seed, scale="none")


def _own_number(sequences: SequenceSet, n_clusters: int, seed: int) -> Clustering:
    return _default(sequences, None, seed)


def _fusion(sequences: SequenceSet, n_clusters: int, seed: int) -> ArrayLike:
    import kinseq

    analysis = kinseq.cluster(sequences, n_clusters=n_clusters, measure="fusion", random_state=seed, scale="none")
    return analysis.labels


def _fused(views: Sequence[str]) -> Cluster:
    """Return some alignments in the place of those of the default."""

    def cluster(sequences: SequenceSet, n_clusters: int, seed: int) -> ArrayLike:
        import kinseq

        analysis = kinseq.cluster(
            sequences, n_clusters, "elastic", random_state=seed, params={"views": list(views)}, scale="none"
        )
        return analysis.labels

    return cluster


def _alone(name: str) -> Cluster:
    """Return a view by itself, cut as the product cuts fusions."""

    def cluster(sequences: SequenceSet, n_clusters: int, seed: int) -> ArrayLike:
        from kinseq.core.graphs.network_fusion import is_constant, local_affinity
        from kinseq.core.ordering import by_content
        from kinseq.core.seeds import derive_seed
        from kinseq.measures.fusion import one_view
        from kinseq.measures.registry import MeasureInput, get

        ordering = by_content(sequences)
        evidence = MeasureInput(sequences.subset(ordering.positions), seed=derive_seed(seed, "measure"))
        distance = one_view(evidence, name, **get("fusion").params).distance
        if is_constant(distance):
            raise DataError(f"no two sequences differ under {name}")
        return _cut([local_affinity(distance)], n_clusters, seed)[ordering.ranks]

    return cluster


def _cut(affinities: Sequence[FloatArray], n_clusters: int, seed: int) -> IntArray:
    """Return clusters of views that are fused and cut as kinseq does."""
    from kinseq.clustering.direct import direct_spectral
    from kinseq.core.graphs.network_fusion import fuse

    fused = fuse(affinities)
    distance = -np.log(np.maximum(fused / fused.max(), 1e-300))
    np.fill_diagonal(distance, 0.0)
    return direct_spectral(distance, n_clusters, random_state=seed)


def _elastic_by_aeon(sequences: SequenceSet, n_clusters: int, seed: int) -> ArrayLike:
    from aeon.distances import dtw_pairwise_distance, msm_pairwise_distance

    from kinseq.core.graphs.network_fusion import local_affinity
    from kinseq.features import normalise

    shorter = averaged(sequences, frames_averaged(sequences.lengths, sequences.n_features))
    total = shorter.lengths[:, None] + shorter.lengths
    affinities = []
    for view in (shorter, centred(shorter), normalise(shorter)):
        cases = [np.ascontiguousarray(frames.T) for frames in with_increments(view)]
        affinities.append(local_affinity(dtw_pairwise_distance(cases) / total))
    for view in (shorter, normalise(shorter)):
        cases = [np.ascontiguousarray(frames.T) for frames in stretched(view)]
        affinities.append(local_affinity(msm_pairwise_distance(cases)))
    return _cut(affinities, n_clusters, seed)


def _dtw(sequences: SequenceSet, n_clusters: int, seed: int) -> ArrayLike:
    import kinseq

    analysis = kinseq.cluster(sequences, n_clusters=n_clusters, measure="dtw", random_state=seed, scale="none")
    return analysis.labels


# ---------------------------------------------------------------------------------------------------------------------
# Others
# ---------------------------------------------------------------------------------------------------------------------


def _kasba(sequences: SequenceSet, n_clusters: int, seed: int) -> ArrayLike:
    from aeon.clustering import KASBA

    return KASBA(n_clusters=n_clusters, random_state=seed).fit_predict(resampled(sequences))


def _medoids(sequences: SequenceSet, n_clusters: int, seed: int) -> ArrayLike:
    from aeon.clustering import TimeSeriesKMedoids

    model = TimeSeriesKMedoids(n_clusters=n_clusters, distance="msm", random_state=seed)
    return model.fit_predict(resampled(sequences))


def _soft_dtw(sequences: SequenceSet, n_clusters: int, seed: int) -> ArrayLike:
    from tslearn.clustering import TimeSeriesKMeans
    from tslearn.utils import to_time_series_dataset

    model = TimeSeriesKMeans(n_clusters=n_clusters, metric="softdtw", random_state=seed)
    return model.fit_predict(to_time_series_dataset(list(sequences)))


def _kshape(sequences: SequenceSet, n_clusters: int, seed: int) -> ArrayLike:
    from tslearn.clustering import KShape
    from tslearn.preprocessing import TimeSeriesScalerMeanVariance

    cases = TimeSeriesScalerMeanVariance().fit_transform(resampled(sequences).transpose(0, 2, 1))
    return KShape(n_clusters=n_clusters, random_state=seed).fit_predict(cases)


def _dtaidistance(sequences: SequenceSet, n_clusters: int, seed: int) -> ArrayLike:
    from dtaidistance import dtw, dtw_ndim
    from dtaidistance.similarity import distance_to_similarity
    from sklearn.cluster import SpectralClustering

    cases = [np.ascontiguousarray(standardised(frames)) for frames in sequences]
    if sequences.n_features == 1:
        distance = dtw.distance_matrix_fast([case[:, 0].copy() for case in cases], parallel=False)
    else:
        distance = dtw_ndim.distance_matrix_fast(cases, ndim=sequences.n_features, parallel=False)
    model = SpectralClustering(n_clusters, affinity="precomputed", random_state=seed)
    return model.fit_predict(distance_to_similarity(distance))


def _statistics(sequences: SequenceSet, n_clusters: int, seed: int) -> ArrayLike:
    rows = np.array([np.concatenate([frames.mean(axis=0), frames.std(axis=0)]) for frames in sequences])
    return _k_means(standardised(rows), n_clusters, seed)


def _euclid(sequences: SequenceSet, n_clusters: int, seed: int) -> ArrayLike:
    return _k_means(resampled(sequences).reshape(len(sequences), -1), n_clusters, seed)


def _catch24(sequences: SequenceSet, n_clusters: int, seed: int) -> ArrayLike:
    from aeon.transformations.collection.feature_based import Catch22

    features = Catch22(catch24=True, replace_nans=True).fit_transform([frames.T for frames in sequences])
    return _k_means(standardised(np.asarray(features, dtype=np.float64)), n_clusters, seed)


def _multirocket(sequences: SequenceSet, n_clusters: int, seed: int) -> ArrayLike:
    from aeon.transformations.collection.convolution_based import MultiRocket

    features = MultiRocket(random_state=seed).fit_transform(resampled(sequences))
    return _k_means(standardised(np.asarray(features, dtype=np.float64)), n_clusters, seed)


def _k_means(rows: FloatArray, n_clusters: int, seed: int) -> ArrayLike:
    from sklearn.cluster import KMeans

    return KMeans(n_clusters, n_init=10, random_state=seed).fit_predict(rows)


CONTENDERS = (
    Contender("kinseq", "kinseq, default", "kinseq", "kinseq.cluster(sequences, n_clusters)", _default),
    Contender(
        "kasba", "aeon KASBA", "aeon", "k-means under the MSM distance; sequences stretched to one length", _kasba
    ),
    Contender(
        "medoids_msm",
        "aeon k-medoids, MSM",
        "aeon",
        "PAM under the MSM distance; sequences stretched to one length",
        _medoids,
    ),
    Contender("soft_dtw", "tslearn soft-DTW k-means", "tslearn", "TimeSeriesKMeans(metric='softdtw')", _soft_dtw),
    Contender(
        "kshape",
        "tslearn KShape",
        "tslearn",
        "KShape; sequences stretched to one length, each scaled by itself",
        _kshape,
    ),
    Contender(
        "dtaidistance",
        "dtaidistance DTW, spectral",
        "dtaidistance",
        "DTW, distance_to_similarity, scikit-learn's SpectralClustering; each sequence scaled by itself",
        _dtaidistance,
    ),
    Contender(
        "statistics",
        "means and deviations, k-means",
        "sklearn",
        "k-means on mean and deviation of each column",
        _statistics,
    ),
    Contender("euclid", "Euclid, k-means", "sklearn", "k-means; sequences stretched to one length", _euclid),
    Contender(
        "catch24",
        "catch24, k-means",
        "aeon",
        "k-means on 24 features of each column, each feature in units of its deviation",
        _catch24,
    ),
    Contender(
        "multirocket",
        "MultiRocket, k-means",
        "aeon",
        "k-means on some 50 000 features of random convolutions, in units of their deviations; sequences stretched to one length",
        _multirocket,
    ),
)
"""The others are compared with the first. At most ten, of different families; the last two are features, no distances."""

THREE = ("dtw_delta", "dtw_delta_centred", "dtw_delta_shape")
FOUR = ("dtw_delta", "dtw_delta_shape", "msm", "msm_shape")
BEFORE = ("dtw", "dtw_shape", "msm", "msm_shape")
_THESE = "kinseq.cluster(sequences, n_clusters, views=[{views}])"


def _candidate(name: str, title: str, views: Sequence[str]) -> Contender:
    return Contender(name, title, "kinseq", _THESE.format(views=", ".join(views)), _fused(views))


CANDIDATES = (
    _candidate("three_dtw", "kinseq, DTW with increments alone", THREE),
    _candidate("four", "kinseq, DTW with increments and MSM, lengths as they are", FOUR),
    _candidate("before", "kinseq, DTW and MSM without increments", BEFORE),
    Contender(
        "fusion",
        "kinseq fusion, all views",
        "kinseq",
        "kinseq.cluster(sequences, n_clusters, measure='fusion')",
        _fusion,
    ),
)
"""Candidates for the default, the cheapest first: chosen among by the rule of ``docs/reports/answers.md``."""
YARDSTICK = Contender(
    "dtw_local", "kinseq DTW, local widths", "kinseq", "kinseq.cluster(sequences, n_clusters, measure='dtw')", _dtw
)
"""Contender that the choice has to beat."""
COSTS = {"kinseq": 2, "three_dtw": 1, "four": 2, "before": 2, "fusion": 3}
"""Which of the default and the candidates is cheaper: DTW alone, with MSM, with models."""


VIEWS = tuple(
    Contender(
        f"view_{name}",
        f"kinseq, `{name}` alone",
        "kinseq",
        f"the view {name} alone, cut as a fusion is",
        _alone(name),
    )
    for name in (*VOTING, *ALL)
)
"""Each view by itself: no contender is compared with these, but the tables show what a choice among them could reach."""


BESIDE = (
    Contender(
        "kinseq_own_number", "kinseq, default, its own number", "kinseq", "kinseq.cluster(sequences)", _own_number
    ),
    Contender(
        "elastic_aeon",
        "the same alignments by aeon",
        "aeon",
        "dtw_pairwise_distance of the same frames with increments and msm_pairwise_distance of the same stretched ones, fused"
        " and cut as kinseq does",
        _elastic_by_aeon,
        ours_too=True,
    ),
)
"""These are not compared with others: how many clusters the default finds, and what its alignments cost elsewhere."""


EVERY = (*CONTENDERS, *CANDIDATES, YARDSTICK, *BESIDE, *VIEWS)
"""Everything that can be run."""


def named(names: list[str]) -> tuple[Contender, ...]:
    """Contenders and candidates by name; all without names."""
    by_name = {entry.name: entry for entry in EVERY}
    for name in names:
        if name not in by_name:
            raise ParameterError(unknown_name("contender", name, by_name))
    return tuple(by_name[name] for name in names) or tuple(by_name.values())
