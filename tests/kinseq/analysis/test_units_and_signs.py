"""Neither the unit of data or dissimilarities nor a sign is read in two ways."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import kinseq
from kinseq import measures
from kinseq.analysis.views import STARTPROB_EACH
from kinseq.clustering.registry import get
from kinseq.core.arrays import FloatArray
from kinseq.core.errors import DataError
from tests.sentences import Recorded


def waves(n: int = 8, frames: int = 40) -> list[FloatArray]:
    """Noisy waves of two periods, two channels."""
    rng = np.random.default_rng(0)

    def one(period: int) -> FloatArray:
        time = np.arange(frames)[:, None] / period + rng.random()
        return np.asarray(np.sin(2 * np.pi * time) + rng.normal(scale=0.3, size=(frames, 2)))

    return [one(4) for _ in range(n)] + [one(16) for _ in range(n)]


SEQUENCES = waves()
TRUTH = np.repeat([0, 1], 8)
D = measures.compute("dtw", SEQUENCES)
CLUSTERERS = ["spectral", "kmedoids", "hierarchical", "mcl"]
UNITS = [1e-150, 1e-10, 1e12]


def assert_same(labels: Any, expected: Any) -> None:
    """The same clusters, whatever their numbers: those of equal size are in an order of content, which is of bits."""
    assert kinseq.metrics.ari(expected, labels) == 1.0


def of_dtw(x: FloatArray, y: FloatArray) -> float:
    return float(measures.compute("dtw", [x, y])[0, 1])


# The unit


@pytest.mark.parametrize(
    ("clusterer", "n_clusters"), [*((clusterer, k) for clusterer in CLUSTERERS for k in (2, 3)), ("spectral", None)]
)
def test_no_cluster_depends_on_the_unit_of_dissimilarities(clusterer: str, n_clusters: int | None) -> None:
    expected = kinseq.cluster(D, n_clusters, "precomputed", clusterer=clusterer)
    for unit in UNITS:
        found = kinseq.cluster(unit * D, n_clusters, "precomputed", clusterer=clusterer)
        assert_same(found.labels, expected.labels)
        # Groups are described in the unit of the data.
        assert found.verdict.partition(": ")[0] == expected.verdict.partition(": ")[0]
        assert found.evidence_source == expected.evidence_source
        assert found.notes == expected.notes
        np.testing.assert_array_equal(found.predict(unit * D) == found.labels, expected.predict(D) == expected.labels)
        np.testing.assert_allclose(found.silhouettes, expected.silhouettes, atol=1e-12)
        np.testing.assert_allclose(found.membership_, expected.membership_, atol=1e-12)
        assert set(found.medoid_indices_.tolist()) == set(expected.medoid_indices_.tolist())


@pytest.mark.parametrize("measure", ["dtw", of_dtw, "mean_vector", "statistics", "elastic"])
def test_no_cluster_depends_on_the_unit_of_the_data(measure: Any) -> None:
    expected = kinseq.cluster(SEQUENCES, 2, measure, scale="none")
    for unit in (1e-12, 5e-6, 1e12):
        found = kinseq.cluster([unit * x for x in SEQUENCES], 2, measure, scale="none")
        assert_same(found.labels, expected.labels)
        # Groups are described in the unit of the data.
        assert found.verdict.partition(": ")[0] == expected.verdict.partition(": ")[0]
        assert found.evidence_source == expected.evidence_source
    model = kinseq.SequenceClustering(2, measure, scale="none").fit([5e-6 * x for x in SEQUENCES])
    assert_same(model.labels_, expected.labels)


@pytest.mark.parametrize("measure", ["dtw", "elastic"])
def test_a_wild_row_in_every_recording_does_not_hide_the_others(measure: str) -> None:
    spiked = [np.vstack([[1.6e9, 1.6e9], x]) for x in SEQUENCES]
    assert_same(kinseq.cluster(spiked, 2, measure).labels, TRUTH)


@pytest.mark.parametrize("unit", [1e-9, 1e-3, 1.0, 1e9])
def test_what_differs_by_rounding_is_the_same_in_any_unit(unit: float, recorded: Recorded) -> None:
    rng = np.random.default_rng(1)
    x = unit * (3.0 + rng.normal(size=(50, 2)))
    turned = [rng.permutation(x) for _ in range(8)]
    assert measures.compute("mean_vector", turned).max() > 0.0
    for n_clusters in (None, 2):
        found = kinseq.cluster(turned, n_clusters, "mean_vector", scale="none")
        assert found.n_clusters == 1
        recorded.within("\n".join(found.notes))


def test_sequences_that_differ_are_counted_in_no_unit(recorded: Recorded) -> None:
    line = np.abs(np.subtract.outer(np.array([0.0, 0.0, 1.0, 1.0, 1.0]), np.array([0.0, 0.0, 1.0, 1.0, 1.0])))
    for unit in (1e-12, 1.0, 1e12):
        notes = kinseq.cluster(unit * line, 3, "precomputed").notes
        recorded.within("\n".join(notes))


@pytest.mark.parametrize("unit", [1e-20, 1e-10, 1e12])
def test_scores_of_matrices_have_no_unit(unit: float) -> None:
    from scipy.sparse import csr_matrix

    from kinseq import sic
    from kinseq.clustering import mcl
    from kinseq.metrics.neighbours import neighbour_agreement
    from kinseq.metrics.pairs import METRICS

    other = measures.compute("statistics", SEQUENCES)
    expected = neighbour_agreement(D, other)
    assert 0.1 < expected < 1.0
    assert neighbour_agreement(unit * D, other) == expected
    assert neighbour_agreement(D, unit * other) == expected
    gap = next(metric.function for metric in METRICS if metric.name == "normality_gap")
    np.testing.assert_allclose(gap(TRUTH, unit * D), gap(TRUTH, D), rtol=1e-9)
    assert gap(TRUTH, D) < 1.0
    for name, scores in sic.confidence(unit * (D.max() - D)).items():
        before = sic.confidence(D.max() - D)[name]
        power = {"max": unit, "variance": unit**2}.get(name, 1.0)
        np.testing.assert_allclose(scores / power, before, rtol=1e-9, atol=1e-12)
    sparse = csr_matrix(np.where(np.median(D) > D, D.max() - D, 0.0))
    scaled, plain = (mcl.clean(factor * sparse).toarray() for factor in (unit, 1.0))
    np.testing.assert_allclose(scaled, plain, rtol=1e-9)
    assert len(np.unique(plain)) > 5


def test_covariances_in_small_units_have_to_be_symmetric() -> None:
    from kinseq.hmm import GaussianHMM

    model = GaussianHMM(n_components=1, covariance_type="full")
    for unit in (1e-10, 1.0):
        with pytest.raises(ValueError, match="symmetric"):
            model.covars_ = unit * np.array([[[2.0, 1.0], [0.5, 2.0]]])
        model.covars_ = unit * np.array([[[2.0, 1.0], [1.0, 2.0]]])


# The sign


@pytest.mark.filterwarnings("ignore:BP")
@pytest.mark.parametrize("clusterer", CLUSTERERS)
@pytest.mark.parametrize(("measure", "unit"), [("sym", 1.0), ("bp", 0.1)])
def test_signed_measures_are_read_in_one_way(measure: str, unit: float, clusterer: str) -> None:
    sequences = [unit * x for x in waves(frames=60)]
    params = {"covariance": "full"}
    found = kinseq.cluster(sequences, 2, measure, scale="none", clusterer=clusterer, n_states=4, params=params)
    apart = ~np.eye(16, dtype=bool)
    signed = measures.compute(measure, sequences, n_states=4, covariance="full", startprob=STARTPROB_EACH)
    assert (signed[apart] < 0.0).all()
    np.testing.assert_allclose(found.distance, np.abs(signed))
    assert_same(found.labels, TRUTH)
    np.testing.assert_array_equal(found.predict(sequences), found.labels)
    assert found.silhouettes.mean() > 0.6
    assert (found.membership_ > 0.5).all()
    assert found.labels[found.medoid_indices_].tolist() == [0, 1]
    # A medoid is the nearest to all others of its cluster, in sizes.
    for k, medoid in enumerate(found.medoid_indices_):
        members = np.flatnonzero(found.labels == k)
        assert medoid == members[np.abs(signed)[np.ix_(members, members)].sum(axis=1).argmin()]
    assert any(what == f"{measure}: sign" for what, _, _ in found.choices)


def test_the_signs_of_the_documents_stay_in_measures_and_clusterers() -> None:
    signed = measures.compute("sym", SEQUENCES, n_states=2)
    assert (signed[~np.eye(16, dtype=bool)] < 0.0).all()
    np.testing.assert_array_equal(get("spectral")(signed, 2), get("spectral")(np.abs(signed), 2))
    shifted = np.where(np.eye(16, dtype=bool), 0.0, signed - signed.min())
    np.testing.assert_array_equal(get("hierarchical")(signed, 2), get("hierarchical")(shifted, 2))


@pytest.mark.parametrize("clusterer", CLUSTERERS)
def test_a_negative_dissimilarity_is_refused_with_a_remedy(clusterer: str, recorded: Recorded) -> None:
    with recorded.raises(DataError):
        kinseq.cluster(-D, 2, "precomputed", clusterer=clusterer)
    with recorded.raises(DataError):
        kinseq.SequenceClustering(2, "precomputed", clusterer=clusterer).fit(-D)
    found = kinseq.cluster((-D).max() + D, 2, "precomputed", clusterer=clusterer)
    assert_same(found.labels, TRUTH)
    with pytest.raises(DataError, match="negative numbers"):
        found.predict(-D[:3])
    with recorded.raises(DataError):
        kinseq.cluster(SEQUENCES, 2, turned, clusterer=clusterer)


def turned(x: FloatArray, y: FloatArray) -> float:
    return -of_dtw(x, y)


def test_what_is_negative_by_rounding_is_zero() -> None:
    rounded = D.copy()
    rounded[0, 1] = rounded[1, 0] = -1e-12 * D.max()
    found = kinseq.cluster(rounded, 2, "precomputed")
    assert found.distance[0, 1] == 0.0
    assert_same(found.labels, TRUTH)


def test_of_logarithms_only_differences_count() -> None:
    shifted = np.where(np.eye(16, dtype=bool), 0.0, D - 2.0 * D.max())
    found = kinseq.cluster(shifted, 2, "precomputed", clusterer="spectral_direct")
    assert_same(found.labels, TRUTH)
    assert_same(found.labels, get("spectral_direct")(shifted, 2))
    apart = ~np.eye(16, dtype=bool)
    assert found.distance.min() == found.distance[apart].min() == 0.0
    np.testing.assert_array_equal(found.predict(shifted), found.labels)
    assert found.silhouettes.mean() > 0.5


def test_results_of_signed_measures_come_back_from_a_file(tmp_path: Any) -> None:
    found = kinseq.cluster(SEQUENCES, 2, "sym", n_states=2)
    found.save(tmp_path / "found.npz")
    again = kinseq.load(tmp_path / "found.npz")
    np.testing.assert_array_equal(again.distance, found.distance)
    np.testing.assert_array_equal(again.predict(SEQUENCES), found.predict(SEQUENCES))
