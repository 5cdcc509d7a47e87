"""Who takes part: each is called as its own documentation shows, at its defaults, with the number of clusters given.

All get the same sequences, each column scaled by its mean and deviation over the whole set. What a method needs beyond
that (one length, each sequence scaled by itself) is done here and said in ``does``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import Any

import numpy as np
from kinseq import SequenceSet
from kinseq.arrays import FloatArray
from kinseq.errors import ParameterError, unknown_name
from kinseq.fingerprint import fingerprint
from kinseq.measures.fusion import ELASTIC, averaged, frames_averaged
from kinseq.measures.registry import modules as measures
from kinseq.own.result import Result
from numpy.typing import ArrayLike

Cluster = Callable[[SequenceSet, int, int], ArrayLike | Result]
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
    """

    name: str
    title: str
    package: str
    does: str
    cluster: Cluster

    @property
    def installed(self) -> bool:
        return find_spec(self.package) is not None

    def stamp(self) -> str:
        """What results depend on: the version of the package, for ours the code itself."""
        if self.package == "kinseq":
            return fingerprint("kinseq.own", *sorted(entry.module for entry in measures().values()))
        try:
            return version("scikit-learn" if self.package == "sklearn" else self.package)
        except PackageNotFoundError:
            return "none"


# ---------------------------------------------------------------------------------------------------------------------
# Preparation that several need
# ---------------------------------------------------------------------------------------------------------------------


def resampled(sequences: SequenceSet) -> FloatArray:
    """Sequences stretched linearly to their median length, shape (N, d, T); equal lengths are left alone."""
    length = int(np.median(sequences.lengths))
    grid = np.linspace(0.0, 1.0, length)
    out = np.empty((len(sequences), sequences.n_features, length))
    for i, frames in enumerate(sequences):
        places = np.linspace(0.0, 1.0, len(frames))
        for channel in range(sequences.n_features):
            out[i, channel] = np.interp(grid, places, frames[:, channel])
    return out


def standardised(frames: FloatArray) -> FloatArray:
    """A sequence with every column at mean 0 and deviation 1; columns that are constant up to rounding become 0."""
    deviation = frames.std(axis=0)
    varies = deviation > 1e-9 * np.abs(frames).max(axis=0)
    return np.asarray(np.where(varies, (frames - frames.mean(axis=0)) / np.where(varies, deviation, 1.0), 0.0))


# ---------------------------------------------------------------------------------------------------------------------
# Ours
# ---------------------------------------------------------------------------------------------------------------------


def _default(sequences: SequenceSet, n_clusters: int | None, seed: int) -> Result:
    import kinseq

    # Scaled already, as for everybody.
    return kinseq.cluster(sequences, n_clusters=n_clusters, random_state=seed, scale="none")


def _own_number(sequences: SequenceSet, n_clusters: int, seed: int) -> Result:
    return _default(sequences, None, seed)


def _fusion(sequences: SequenceSet, n_clusters: int, seed: int, **options: Any) -> ArrayLike:
    import kinseq

    given = {"measure": "fusion", "random_state": seed, "scale": "none", **options}
    return kinseq.cluster(sequences, n_clusters=n_clusters, **given).labels


def _elastic(sequences: SequenceSet, n_clusters: int, seed: int) -> ArrayLike:
    return _fusion(sequences, n_clusters, seed, views=list(ELASTIC))


def _elastic_by_aeon(sequences: SequenceSet, n_clusters: int, seed: int) -> ArrayLike:
    from aeon.distances import dtw_pairwise_distance, msm_pairwise_distance
    from kinseq.clustering.direct import direct_spectral
    from kinseq.network_fusion import fuse, local_affinity

    shorter = averaged(sequences, frames_averaged(sequences.lengths, sequences.n_features))
    total = shorter.lengths[:, None] + shorter.lengths
    affinities = []
    for change in (np.asarray, standardised):
        cases = [np.ascontiguousarray(change(frames).T) for frames in shorter]
        affinities += [local_affinity(each(cases) / total) for each in (dtw_pairwise_distance, msm_pairwise_distance)]
    distance = -np.log(np.maximum(fuse(affinities), 1e-300))
    np.fill_diagonal(distance, 0.0)
    return direct_spectral(distance, n_clusters, seed=seed)


def _measure(measure: str, width: Any) -> Cluster:
    def cluster(sequences: SequenceSet, n_clusters: int, seed: int) -> ArrayLike:
        import kinseq
        from kinseq.clustering import spectral

        found = kinseq.cluster(sequences, n_clusters=n_clusters, measure=measure, random_state=seed, scale="none")
        return spectral(found.distance, n_clusters, width=width, seed=seed)

    return cluster


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
)
"""The first is what the others are compared with. At most eight, of different families."""

_OWN = "spectral clusters of kinseq's {measure}, kernel width by the {width} rule"
CANDIDATES = (
    Contender("fusion", "kinseq fusion", "kinseq", "kinseq.cluster(sequences, n_clusters, measure='fusion')", _fusion),
    *(
        Contender(
            f"{measure}_{width}",
            f"kinseq {measure}, {width} width",
            "kinseq",
            _OWN.format(measure=measure, width=width),
            _measure(measure, width),
        )
        for measure, width in (
            ("ssd", "eigengap"),
            ("ssd", "local"),
            ("kl_ll", "local"),
            ("dtw", "eigengap"),
            ("dtw", "local"),
        )
    ),
)
"""What the default of kinseq was, or could be instead: chosen among by leaving one set out."""


BESIDE = (
    Contender(
        "kinseq_own_number", "kinseq, default, its own number", "kinseq", "kinseq.cluster(sequences)", _own_number
    ),
    Contender(
        "elastic",
        "kinseq, the elastic views alone",
        "kinseq",
        f"kinseq.cluster(sequences, n_clusters, views={list(ELASTIC)})",
        _elastic,
    ),
    Contender(
        "elastic_aeon",
        "the same four by aeon",
        "aeon",
        "dtw_pairwise_distance and msm_pairwise_distance of sequences as they are and scaled each by itself, fused and cut"
        " as kinseq does",
        _elastic_by_aeon,
    ),
)
"""Nobody is compared with these: how many clusters the default finds, and what it costs beside what it contains."""


def named(names: list[str]) -> tuple[Contender, ...]:
    """Contenders and candidates by name; all without names.

    Raises
    ------
    ParameterError
        If a name is unknown.
    """
    known = {entry.name: entry for entry in (*CONTENDERS, *CANDIDATES, *BESIDE)}
    for name in names:
        if name not in known:
            raise ParameterError(unknown_name("contender", name, known))
    return tuple(known[name] for name in names) or tuple(known.values())
