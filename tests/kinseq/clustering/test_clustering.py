"""Clusterers against SciPy and scikit-learn, and on data where the answer is known or hardly anything can be said."""

import numpy as np
import pytest
from scipy import linalg
from scipy.cluster import hierarchy
from scipy.spatial.distance import cdist, squareform
from sklearn.cluster import HDBSCAN, KMeans, SpectralClustering

from kinseq import clustering
from kinseq.clustering.direct import as_gaussian
from kinseq.core.errors import DataError, ParameterError
from kinseq.core.graphs import affinity
from kinseq.core.graphs.kmeans import STARTS, kmeans, relabel
from kinseq.metrics import ari, clustering_error
from tests.sentences import Recorded


def labelled(n=36, n_clusters=3, apart=12.0, seed=0):
    random = np.random.default_rng(seed)
    label = np.arange(n) % n_clusters
    centres = apart * np.eye(n_clusters, 4)
    x = centres[label] + random.normal(0.0, 1.0, (n, 4))
    d = cdist(x, x)
    return 0.5 * (d + d.T), label


def same_partition(a, b):
    np.testing.assert_array_equal(relabel(a), relabel(b))


WIDTHS = ["eigengap", "tightness", "median", "local", 3.0]


@pytest.mark.parametrize("embedding", ["njw", "shi_malik", "skip_first"])
@pytest.mark.parametrize("diagonal", ["zero", "one", "own"])
@pytest.mark.parametrize("width", WIDTHS)
def test_spectral_finds_clear_clusters(width, diagonal, embedding):
    d, label = labelled()
    found = clustering.spectral(d, 3, width, diagonal, embedding, random_state=1)
    assert found.dtype == np.int64
    same_partition(found, label)
    for starts in STARTS:
        found = clustering.spectral(
            d, 3, width, diagonal, embedding, 1, "linear", {"low": 0.1, "high": 2.0, "n": 12}, starts
        )
        same_partition(found, label)


def test_fixed_starts_depend_on_no_seed_order_or_last_digit():
    """Ten groups that touch, so that k-means ends elsewhere from start to start."""
    rng = np.random.default_rng(0)
    x = np.repeat(rng.normal(0.0, 2.0, (10, 3)), 12, axis=0) + rng.normal(0.0, 0.9, (120, 3))
    d = cdist(x, x)
    partitions: dict[str, list] = {"fixed": [], "k-means++": []}
    for seed in range(6):
        order = rng.permutation(120)
        noise = rng.normal(0.0, 1e-9, (120, 120))
        moved = d[np.ix_(order, order)] * (1.0 + noise + noise.T)
        for starts, found in partitions.items():
            labels = np.empty(120, dtype=np.int64)
            labels[order] = clustering.spectral(moved, 10, "local", random_state=seed, starts=starts)
            found.append(labels)
    assert all(ari(partitions["fixed"][0], labels) == 1.0 for labels in partitions["fixed"])
    assert any(ari(partitions["k-means++"][0], labels) < 1.0 for labels in partitions["k-means++"])


def with_an_outlying_pair(seed):
    """Two groups, and a pair of items that are near each other and far from all others."""
    random = np.random.default_rng(seed)
    x = random.normal(0.0, 0.5, (42, 2))
    x[:20, 0] += 4.0
    x[40:] = [[2.0, 30.0], [2.0, 30.1]]
    d = cdist(x, x)
    return 0.5 * (d + d.T)


@pytest.mark.parametrize("seed", range(5))
def test_an_outlying_pair_takes_the_second_vector_and_leaves_the_groups_to_the_third(seed):
    """With two clusters Ng, Jordan and Weiss cut the pair off; one more vector shows the groups."""
    d = with_an_outlying_pair(seed)
    for width in (1.0, 2.0):
        pair = np.arange(42) >= 40
        same_partition(clustering.spectral(d, 2, width, embedding="njw"), pair)
        found = clustering.spectral(d, 2, width, embedding="skip_first", starts="random_rows")
        assert np.unique(found[:20]).size == np.unique(found[20:40]).size == 1
        assert found[0] != found[20]
        # As far as the print says, phi_2 .. phi_K is the pair alone.
        same_partition(clustering.spectral(d, 2, width, embedding="shi_malik"), pair)


def test_starts_of_kmeans_are_rows_at_random(monkeypatch, recorded: Recorded):
    asked, fit = [], KMeans.fit

    def spy(self, *args, **kwargs):
        asked.append(self.init)
        return fit(self, *args, **kwargs)

    monkeypatch.setattr(KMeans, "fit", spy)
    d, _ = labelled(40, 4, apart=3.0)
    clustering.spectral(d, 4, 1.5, starts="random_rows")
    clustering.spectral(d, 4, 1.5)
    assert asked == ["random", "k-means++"]
    with recorded.raises(ParameterError):
        clustering.spectral(d, 4, 1.5, starts="random")


def test_several_numbers_with_the_options_are_what_calls_give():
    d, _ = labelled(40, 4, apart=3.0)
    options = {"embedding": "skip_first", "kernel": "linear", "diagonal": "own", "starts": "random_rows"}
    np.fill_diagonal(d, 1.0)
    for width in (2.0, "eigengap"):
        found = clustering.get("spectral").for_numbers(d, [2, 3, 4], 5, width=width, **options)
        for number, labels in zip([2, 3, 4], found, strict=True):
            np.testing.assert_array_equal(labels, clustering.get("spectral")(d, number, 5, width=width, **options))


def test_a_clusterer_sees_the_diagonal_that_the_matrix_has():
    """Items with a large distance to themselves hang together with others only."""
    d, _ = labelled(12, 3, apart=3.0)
    np.fill_diagonal(d, d.max() + 1.0)
    with pytest.raises(DataError, match="similarity"):
        clustering.get("spectral")(d, 3)
    for name in ("spectral", "spectral_direct"):
        labels = clustering.get(name)(d, 3, diagonal="own")
        assert labels.shape == (12,)


def test_direct_affinities_have_the_diagonal_of_the_matrix():
    d, _ = labelled(8, 2, apart=1.0)
    np.fill_diagonal(d, np.linspace(0.5, 2.0, 8))
    a = affinity.gaussian(as_gaussian(d, "own"), 1.0, "own")
    expected = np.exp(-d)
    np.testing.assert_allclose(a / a.max(), expected / expected.max(), rtol=1e-12)


@pytest.mark.parametrize("diagonal", ["zero", "one"])
@pytest.mark.parametrize("seed", range(4))
def test_spectral_against_the_algorithm_spelled_out(diagonal, seed):
    d, _ = labelled(40, 4, apart=3.0, seed=seed)
    a = np.exp(-(d**2) / (2.0 * 1.5**2))
    np.fill_diagonal(a, 0.0 if diagonal == "zero" else 1.0)
    scale = 1.0 / np.sqrt(a.sum(axis=1))
    vectors = linalg.eigh(scale[:, None] * a * scale)[1][:, -4:]
    rows = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    expected = KMeans(4, n_init=200, random_state=0).fit(rows)
    found = clustering.spectral(d, 4, 1.5, diagonal, random_state=seed)
    centres = np.array([rows[found == k].mean(axis=0) for k in range(4)])
    distortion = ((rows - centres[found]) ** 2).sum()
    # Ten starts may narrowly miss the optimum that two hundred find, and never beat it.
    assert expected.inertia_ - 1e-9 <= distortion <= 1.05 * expected.inertia_


def test_spectral_against_scikit_learn_on_the_same_affinity():
    # Its embedding drops the row scaling; on clear clusters the partitions agree all the same.
    d, _ = labelled(60, 3, apart=6.0)
    theirs = SpectralClustering(3, affinity="precomputed", random_state=0).fit_predict(affinity.gaussian(d, 2.0, "one"))
    same_partition(clustering.spectral(d, 3, 2.0, "one"), theirs)


def test_spectral_does_not_depend_on_unit_or_order():
    d, _ = labelled(40, 3, apart=4.0, seed=3)
    found = clustering.spectral(d, 3, random_state=2)
    same_partition(clustering.spectral(1e5 * d, 3, random_state=2), found)
    order = np.random.default_rng(0).permutation(40)
    same_partition(clustering.spectral(d[np.ix_(order, order)], 3, random_state=2), found[order])


def test_spectral_is_reproducible_and_takes_large_seeds():
    d, _ = labelled(40, 4, apart=2.0, seed=5)
    a, b = (clustering.spectral(d, 4, random_state=2**64 - 1) for _ in range(2))
    np.testing.assert_array_equal(a, b)


def test_duplicated_items_stay_together():
    d, _ = labelled(30, 3, apart=6.0)
    index = np.append(np.arange(30), [0, 1, 2, 0])
    found = clustering.spectral(d[np.ix_(index, index)], 3)
    assert found[30:].tolist() == found[[0, 1, 2, 0]].tolist()


@pytest.mark.parametrize("linkage", ["complete", "average", "single", "weighted"])
@pytest.mark.parametrize("n_clusters", [1, 2, 5, 30])
def test_hierarchical_against_scipy(linkage, n_clusters):
    d, _ = labelled(30, 3, apart=2.0, seed=1)
    tree = hierarchy.linkage(squareform(d, checks=False), method=linkage)
    expected = hierarchy.fcluster(tree, n_clusters, criterion="maxclust")
    same_partition(clustering.hierarchical(d, n_clusters, linkage), expected)


def furthest_neighbour(d, n_clusters):
    clusters = [[i] for i in range(len(d))]
    while len(clusters) > n_clusters:
        pairs = [(i, j) for i in range(len(clusters)) for j in range(i)]
        i, j = min(pairs, key=lambda p: max(d[a, b] for a in clusters[p[0]] for b in clusters[p[1]]))
        clusters[j] += clusters.pop(i)
    labels = np.empty(len(d), dtype=int)
    for k, members in enumerate(clusters):
        labels[members] = k
    return labels


def test_complete_linkage_by_hand():
    d, _ = labelled(14, 3, apart=2.0, seed=7)
    same_partition(clustering.hierarchical(d, 3), furthest_neighbour(d, 3))


def test_hierarchical_shifts_negative_dissimilarities():
    d, _ = labelled(20, 3, apart=2.0, seed=2)
    signed = d - 50.0
    np.fill_diagonal(signed, 0.0)
    same_partition(clustering.hierarchical(signed, 4), clustering.hierarchical(d, 4))


def test_hierarchical_keeps_the_number_of_clusters_through_ties():
    assert np.unique(clustering.hierarchical(1.0 - np.eye(7), 4)).size == 4
    assert np.unique(clustering.hierarchical(np.zeros((7, 7)), 4)).size == 4


def test_kmedoids_against_all_choices_of_medoids():
    from itertools import combinations

    d, _ = labelled(16, 3, apart=3.0, seed=4)
    best = min(d[:, list(m)].min(axis=1).sum() for m in combinations(range(16), 3))
    found = clustering.kmedoids(d, 3, n_init=50)
    loss = sum(d[np.ix_(found == k, found == k)].sum(axis=1).min() for k in range(3))
    assert loss == pytest.approx(best)


def test_kmedoids_finds_clear_clusters():
    d, label = labelled()
    same_partition(clustering.kmedoids(d, 3), label)
    same_partition(clustering.kmedoids(d - 100.0 * (1 - np.eye(36)), 3), label)


@pytest.mark.parametrize(
    ("name", "params"),
    [
        ("spectral", {"width": "local"}),
        ("spectral", {"width": 0.7, "embedding": "shi_malik"}),
        ("spectral", {}),
        ("spectral_direct", {"diagonal": "one"}),
        ("hierarchical", {}),
    ],
)
def test_several_numbers_of_clusters_are_those_of_one_at_a_time(name, params):
    points = np.concatenate([np.random.default_rng(6).normal([x, 0], 1.0, (9, 2)) for x in (0, 5, 12)])
    distance = np.linalg.norm(points[:, None] - points, axis=2)
    clusterer = clustering.registry.get(name)
    numbers = [5, 1, 2, 3, 27]
    together = clusterer.for_numbers(distance, numbers, random_state=3, **params)
    for number, labels in zip(numbers, together, strict=True):
        np.testing.assert_array_equal(labels, clusterer(distance, number, random_state=3, **params))
    with pytest.raises(ParameterError, match="unknown"):
        clusterer.for_numbers(distance, [2], wdth=1.0)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("diagonal", ["zero", "one"])
@pytest.mark.parametrize("embedding", ["njw", "shi_malik"])
@pytest.mark.parametrize(
    "distance",
    [
        np.zeros((1, 1)),
        np.array([[0.0, 2.0], [2.0, 0.0]]),
        np.zeros((6, 6)),
        1.0 - np.eye(6),
        1e-300 * (1.0 - np.eye(6)),
        1e300 * (1.0 - np.eye(6)),
        -1.0 * (1.0 - np.eye(6)),
        np.where(np.kron(np.eye(3), np.ones((20, 20))) > 0, 0.0, 690.0),
    ],
    ids=["one", "two", "identical", "equal", "tiny", "huge", "negative", "three points"],
)
@pytest.mark.filterwarnings("error")
def test_spectral_on_nothing_to_see(distance, embedding, diagonal, width):
    n = len(distance)
    for n_clusters in {1, min(2, n), min(4, n)} | ({n} if n < 10 else set()):
        found = clustering.spectral(distance, n_clusters, width, diagonal, embedding)
        assert found.shape == (n,)
        assert found[0] == 0
        assert found.max() < n_clusters
        np.testing.assert_array_equal(found, relabel(found))
    assert clustering.spectral(distance, 1, width, diagonal, embedding).max() == 0
    if n < 10:
        assert np.unique(clustering.spectral(distance, n, width, diagonal, embedding)).size == n


def test_lumps_of_equal_eigenvalues_do_not_break_the_embedding():
    # Many exactly equal eigenvalues, where bisection in LAPACK fails or returns too few.
    random = np.random.default_rng(0)
    label = random.integers(0, 40, 250)
    d = np.where(label[:, None] == label, 0.0, 690.0)
    for n_clusters in (2, 9, 40):
        for width in (0.5, 20.0, 2000.0):
            points = affinity.spectral_embedding(d, n_clusters, width)
            assert points.shape == (250, n_clusters)
            assert np.isfinite(points).all()
    assert clustering_error(label, clustering.spectral(d, 40, 20.0)) < 15.0


@pytest.mark.parametrize("function", [clustering.spectral, clustering.hierarchical, clustering.kmedoids])
def test_bad_input_is_refused(function, recorded: Recorded):
    d, _ = labelled(6)
    with pytest.raises(ParameterError, match="only 6 items"):
        function(d, 7)
    with pytest.raises(ParameterError, match="at least 1"):
        function(d, 0)
    with pytest.raises(ParameterError, match="whole number"):
        function(d, 2.5)
    with pytest.raises(DataError, match="square"):
        function(d[:, :4], 2)
    with recorded.raises(DataError):
        function(np.where(d > d.max() - 1e-9, np.nan, d), 2)
    with pytest.raises(DataError, match="symmetric"):
        function(np.triu(d), 2)


def test_unknown_names_are_refused(recorded: Recorded):
    d, _ = labelled(6)
    with pytest.raises(ParameterError, match="width rule"):
        clustering.spectral(d, 2, "widest")
    with pytest.raises(ParameterError, match="linkage"):
        clustering.hierarchical(d, 2, "ward")
    with recorded.raises(ParameterError):
        clustering.get("dbscan")


def test_kmeans_counts_what_it_minimises():
    x = np.random.default_rng(0).normal(size=(300, 2))
    labels, distortion = kmeans(x, 3, seed=1)
    centres = np.array([x[labels == k].mean(axis=0) for k in range(3)])
    assert distortion == pytest.approx(((x - centres[labels]) ** 2).sum())
    np.testing.assert_array_equal(kmeans(x, 3, seed=1)[0], labels)


def test_relabel():
    assert relabel(["b", "a", "b", "c"]).tolist() == [0, 1, 0, 2]
    assert relabel(np.array([[3], [3], [1]])).tolist() == [0, 0, 1]


@pytest.mark.parametrize("scale", [1.0, 200.0])
def test_direct_affinities_have_the_spectrum_of_the_affinity_itself(scale):
    random = np.random.default_rng(3)
    d = scale * np.triu(random.normal(size=(12, 12)), k=1)
    d += d.T
    # A common factor of all pairs, so that the affinity is representable.
    a = np.exp(d.min() - d)
    np.fill_diagonal(a, 0.0)
    root = np.sqrt(a.sum(axis=1))
    expected = 1.0 - np.linalg.eigvalsh(a / root[:, None] / root)[::-1]
    np.testing.assert_allclose(affinity.spectrum(as_gaussian(d), 1.0), expected, atol=1e-9)
    np.testing.assert_array_equal(
        clustering.get("spectral_direct")(d, 3), clustering.get("spectral_direct")(d - 7.5, 3)
    )


def test_direct_affinities_keep_what_a_gaussian_of_the_median_width_blurs():
    label = np.arange(30) % 3
    d = np.where(label[:, None] == label, 0.1, 3.0)
    np.fill_diagonal(d, 0.0)
    same_partition(clustering.get("spectral_direct")(d, 3), label)
    # In units a hundred times smaller, the same numbers are an affinity that hardly distinguishes the items.
    gaps = [np.diff(affinity.spectrum(as_gaussian(unit * d), 1.0))[2] for unit in (1.0, 0.01)]
    assert gaps[0] > 10 * gaps[1] > 0


def with_strays(seed=0):
    """Distances of two groups of 20 and 12 points, and of four points far from all others."""
    random = np.random.default_rng(seed)
    x = random.normal(0.0, 1.0, (36, 2))
    x[20:32, 0] += 12.0
    x[32:] = [[-40.0, 0.0], [0.0, 50.0], [60.0, 60.0], [30.0, -70.0]]
    d = cdist(x, x)
    return 0.5 * (d + d.T), np.repeat([0, 1, -1], [20, 12, 4])


def test_density_leaves_strays_in_no_cluster():
    d, label = with_strays()
    np.testing.assert_array_equal(clustering.hdbscan(d), label)
    for selection in ("eom", "leaf"):
        other = HDBSCAN(metric="precomputed", cluster_selection_method=selection, min_cluster_size=4, copy=True)
        mine = clustering.hdbscan(d, min_cluster_size=4, selection=selection)
        np.testing.assert_array_equal(mine, relabel(other.fit_predict(d)))
    # Two groups closer than epsilon are one, which has to be allowed.
    assert set(clustering.hdbscan(d, epsilon=15.0, allow_single_cluster=True)[:32]) == {0}
    # Too few for a cluster.
    assert clustering.hdbscan(d[:4, :4]).tolist() == [-1] * 4


@pytest.mark.parametrize(
    "params",
    [
        {"min_cluster_size": 1},
        {"min_samples": 0},
        {"epsilon": -1.0},
        {"selection": "best"},
        {"allow_single_cluster": 2},
    ],
)
def test_parameters_of_density_are_checked(params, recorded: Recorded):
    with recorded.raises(ParameterError):
        clustering.hdbscan(with_strays()[0], **params)


def test_negative_labels_stay_in_no_cluster():
    assert relabel([-1, 5, 5, -1, 2]).tolist() == [-1, 0, 0, -1, 1]
    assert relabel([-1, -1]).tolist() == [-1, -1]


@pytest.mark.parametrize("n_clusters", [2, 3, 5])
def test_ward_of_distances_between_points_is_that_of_the_points(n_clusters):
    x = np.random.default_rng(0).normal(size=(30, 3))
    d = cdist(x, x)
    expected = hierarchy.cut_tree(hierarchy.linkage(x, "ward"), n_clusters=n_clusters)
    same_partition(clustering.ward(0.5 * (d + d.T), n_clusters), expected)
    # Of one coordinate, the first principal one.
    line = np.linalg.svd(x - x.mean(axis=0))[0][:, :1] * np.linalg.svd(x - x.mean(axis=0))[1][0]
    of_line = hierarchy.cut_tree(hierarchy.linkage(line, "ward"), n_clusters=n_clusters)
    same_partition(clustering.ward(0.5 * (d + d.T), n_clusters, n_dimensions=1), of_line)
    with pytest.raises(ParameterError, match="n_dimensions"):
        clustering.ward(d, 2, n_dimensions=0)
