"""Gaussian affinities, Laplacian spectra and the choice of the kernel width."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import linalg
from scipy.sparse import csgraph
from scipy.spatial.distance import cdist

from kinseq.core.errors import DataError, ParameterError
from kinseq.core.graphs import affinity, laplacian
from tests.sentences import Recorded


def points(n=40, n_clusters=3, apart=4.0, seed=0, d=3):
    random = np.random.default_rng(seed)
    centres = random.normal(0.0, apart, (n_clusters, d))
    return centres[np.arange(n) % n_clusters] + random.normal(0.0, 1.0, (n, d))


def distances(*args, **kwargs):
    x = points(*args, **kwargs)
    distance = cdist(x, x)
    return 0.5 * (distance + distance.T)


def gap_by_definition(distance, n_clusters, width, diagonal="zero"):
    """Eigenvalues of the generalised problem (D - A) phi = lambda D phi, as in the thesis, by SciPy."""
    a = np.exp(-(distance**2) / (2.0 * width**2))
    np.fill_diagonal(a, 0.0 if diagonal == "zero" else 1.0)
    degree = np.diag(a.sum(axis=1))
    values = linalg.eigh(degree - a, degree, eigvals_only=True)
    return values[n_clusters] - values[n_clusters - 1]


@pytest.mark.parametrize("diagonal, value", [("zero", 0.0), ("one", 1.0)])
def test_gaussian_entry_by_entry(diagonal, value):
    d = distances(8)
    a = affinity.gaussian(d, 1.7, diagonal)
    for i in range(8):
        for j in range(8):
            expected = value if i == j else np.exp(-(d[i, j] ** 2) / (2.0 * 1.7**2))
            assert a[i, j] == pytest.approx(expected, rel=1e-14)


def own_diagonal(n=9, seed=3, loops=(0.1, 2.0)):
    """A matrix whose diagonal is not zero and, at some items, is the least or the largest of its row."""
    d = distances(n, seed=seed)
    np.fill_diagonal(d, np.random.default_rng(seed).uniform(*loops, n) * np.median(d))
    return d


@pytest.mark.parametrize("kernel", ["gaussian", "linear"])
@pytest.mark.parametrize("diagonal", ["zero", "one", "own"])
def test_affinity_and_spectrum_by_formula_for_every_kernel_and_diagonal(kernel, diagonal):
    d = own_diagonal()
    d[0, 1:] *= -1.0
    d[1:, 0] *= -1.0
    unit = np.median(np.abs(d[np.triu_indices(9, k=1)]))
    for width in (0.3, 0.9):
        power = (np.abs(d) / unit) ** (2 if kernel == "gaussian" else 1)
        expected = np.exp(-power / (2.0 * width**2))
        if diagonal != "own":
            np.fill_diagonal(expected, 0.0 if diagonal == "zero" else 1.0)
        found = affinity.gaussian(d, width * unit, diagonal, kernel)
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-300)
        degree = np.diag(expected.sum(axis=1))
        values = linalg.eigh(degree - expected, degree, eigvals_only=True)
        np.testing.assert_allclose(affinity.spectrum(d, width * unit, diagonal, kernel), values, atol=1e-10)
        assert affinity.eigengap(d, 3, width * unit, diagonal, kernel) == pytest.approx(
            values[3] - values[2], abs=1e-10
        )


@pytest.mark.parametrize("kernel", ["gaussian", "linear"])
@pytest.mark.parametrize("n", [12, 60, 170])
def test_sweep_with_own_diagonals_finds_what_a_plain_one_finds(kernel, n):
    d = own_diagonal(n, seed=n)
    grid = {"low": 0.1, "high": 2.0, "n": 12}
    widths = np.geomspace(0.1, 2.0, 12) * laplacian.typical(d)
    gaps = [affinity.eigengap(d, 3, width, "own", kernel) for width in widths]
    width, gap = affinity.best_eigengap(d, 3, grid, "own", kernel=kernel)
    assert width == pytest.approx(widths[int(np.argmax(gaps))], rel=1e-12)
    assert gap == pytest.approx(max(gaps), abs=1e-9)
    assert affinity.choose_width(d, 3, grid=grid, diagonal="own", kernel=kernel) == width


def test_a_diagonal_of_zeros_makes_own_the_same_as_one():
    d = distances(20)
    for kernel in ("gaussian", "linear"):
        one, own = (affinity.gaussian(d, 2.0, diagonal, kernel) for diagonal in ("one", "own"))
        np.testing.assert_array_equal(one, own)
        one, own = (affinity.spectrum(d, 2.0, diagonal, kernel) for diagonal in ("one", "own"))
        np.testing.assert_allclose(one, own, atol=1e-13)


def test_a_matrix_that_looks_like_a_similarity_is_taken_with_its_own_diagonal_only():
    d = distances(6)
    np.fill_diagonal(d, d.max() + 1.0)
    for diagonal in ("zero", "one"):
        with pytest.raises(DataError, match="similarity"):
            affinity.gaussian(d, 1.0, diagonal)
    assert affinity.gaussian(d, 5.0, "own").diagonal().max() < affinity.gaussian(d, 5.0, "own").max()


def test_a_grid_in_units_of_the_median_is_log_spaced_and_the_first_of_a_tie_is_taken(recorded: Recorded):
    d = distances(10)
    unit = np.median(d[np.triu_indices(10, k=1)])
    np.testing.assert_allclose(
        affinity.best_eigengap(d, 10, {"low": 0.5, "high": 2.0, "n": 5})[0], 0.5 * unit, rtol=1e-12
    )
    for bad in (
        {"low": 0.1, "high": 2.0},
        {"low": 0.1, "high": 2.0, "n": 3, "step": 1},
        {"low": 2.0, "high": 0.1, "n": 3},
        {"low": -1.0, "high": 0.1, "n": 3},
        {"low": 0.1, "high": 2.0, "n": 0},
    ):
        with recorded.raises(ParameterError):
            affinity.choose_width(d, 2, grid=bad)


def test_skip_first_are_the_eigenvectors_after_the_constant_one():
    """Of the generalised problem by SciPy: rows scaled to length one do not see the degrees."""
    d = distances(15)
    for diagonal, kernel in (("zero", "gaussian"), ("one", "linear")):
        a = affinity.gaussian(d, 2.0, diagonal, kernel)
        degree = np.diag(a.sum(axis=1))
        _, phi = linalg.eigh(degree - a, degree)
        assert np.ptp(phi[:, 0]) < 1e-8
        for k in (1, 2, 4):
            expected = phi[:, 1 : k + 1] / np.linalg.norm(phi[:, 1 : k + 1], axis=1, keepdims=True)
            found = affinity.spectral_embedding(d, k, 2.0, diagonal, "skip_first", kernel)
            assert found.shape == (15, k)
            # Up to the sign of each vector.
            signs = np.sign((found * expected).sum(axis=0))
            np.testing.assert_allclose(found * signs, expected, atol=1e-7)


def test_skip_first_leaves_the_constant_vector_out_where_the_graph_falls_apart():
    """Three parts have three eigenvectors of the eigenvalue 1; what is left of them tells the parts apart."""
    d = np.full((9, 9), 1e4)
    for part in range(3):
        d[3 * part : 3 * part + 3, 3 * part : 3 * part + 3] = 1.0
    np.fill_diagonal(d, 0.0)
    points = affinity.spectral_embedding(d, 2, 1.0, embedding="skip_first")
    within = max(np.ptp(points[3 * part : 3 * part + 3], axis=0).max() for part in range(3))
    assert within < 1e-8
    assert min(np.linalg.norm(points[0] - points[3]), np.linalg.norm(points[3] - points[6])) > 0.5
    assert affinity.spectral_embedding(d, 9, 1.0, embedding="skip_first").shape == (9, 8)


def test_gaussian_with_one_width_per_item():
    d, width = distances(8), np.linspace(0.5, 2.0, 8)
    a = affinity.gaussian(d, width, "one")
    np.testing.assert_allclose(a, np.exp(-(d**2) / (2.0 * width[:, None] * width)), rtol=1e-13)
    np.testing.assert_allclose(affinity.gaussian(d, np.full(8, 1.3)), affinity.gaussian(d, 1.3), rtol=1e-13)
    np.testing.assert_array_equal(a, a.T)


def test_gaussian_squares_the_sign_away():
    d = distances(6) - 3.0
    np.fill_diagonal(d, 0.0)
    np.testing.assert_array_equal(affinity.gaussian(d, 1.0), affinity.gaussian(np.abs(d), 1.0))


@pytest.mark.parametrize("width", [0.0, -1.0, np.nan, np.inf, "wide", [1.0, 2.0], [[1.0]]])
def test_bad_width_is_refused(width):
    with pytest.raises(ParameterError, match="width"):
        affinity.gaussian(distances(5), width)


def test_bad_distance_and_names_are_refused(recorded: Recorded):
    with pytest.raises(DataError, match="symmetric"):
        affinity.gaussian(np.array([[0.0, 1.0], [2.0, 0.0]]), 1.0)
    with recorded.raises(ParameterError):
        affinity.gaussian(distances(5), 1.0, diagonal="two")
    with recorded.raises(ParameterError):
        affinity.choose_width(distances(5), 2, "largest")
    with recorded.raises(ParameterError):
        affinity.spectral_embedding(distances(5), 2, 1.0, embedding="pca")
    with pytest.raises(ParameterError, match="only 5 items"):
        affinity.eigengap(distances(5), 6, 1.0)
    for grid in ([], [1.0, -1.0], [[1.0]], [np.inf]):
        with pytest.raises(ParameterError, match="grid"):
            affinity.choose_width(distances(5), 2, grid=grid)


@pytest.mark.parametrize("diagonal", ["zero", "one"])
@pytest.mark.parametrize("relative", [0.3, 0.7, 1.5, 5.0])
def test_spectrum_against_scipy(diagonal, relative):
    d = distances(30)
    width = relative * np.median(d[np.triu_indices(30, 1)])
    a = affinity.gaussian(d, width, diagonal)
    degree = np.diag(a.sum(axis=1))
    expected = linalg.eigh(degree - a, degree, eigvals_only=True)
    np.testing.assert_allclose(affinity.spectrum(d, width, diagonal), expected, atol=1e-10)
    if diagonal == "zero":
        normed = csgraph.laplacian(a, normed=True)
        np.testing.assert_allclose(affinity.spectrum(d, width), np.linalg.eigvalsh(normed), atol=1e-10)


@pytest.mark.parametrize("diagonal", ["zero", "one"])
@pytest.mark.parametrize("n_clusters", [1, 2, 3, 7, 29])
def test_eigengap_against_scipy(n_clusters, diagonal):
    d = distances(30)
    expected = gap_by_definition(d, n_clusters, 2.0, diagonal)
    assert affinity.eigengap(d, n_clusters, 2.0, diagonal) == pytest.approx(expected, abs=1e-11)


def test_eigengap_of_ideal_clusters():
    # Two groups of three coinciding items, infinitely far apart: eigenvalues 0, 0, then 1.5 of the complete graphs.
    d = np.where(np.kron(np.eye(2), np.ones((3, 3))) > 0, 0.0, 1e6)
    assert affinity.eigengap(d, 2, 1.0) == pytest.approx(1.5, abs=1e-12)
    assert affinity.eigengap(d, 2, 1.0, "one") == pytest.approx(1.0, abs=1e-12)
    assert affinity.eigengap(d, 1, 1.0) == pytest.approx(0.0, abs=1e-12)
    assert affinity.eigengap(d, 6, 1.0) == 0.0


def test_spectrum_does_not_depend_on_the_unit_of_length():
    d = distances(25)
    base = affinity.spectrum(d, 1.0)
    for unit in (1e-300, 1e-150, 1e-6, 1e6, 1e150, 1e300):
        np.testing.assert_allclose(affinity.spectrum(d * unit, unit), base, atol=1e-12)


def test_far_items_keep_the_limit_instead_of_nan():
    # One item so far away that its affinities underflow; with a zero diagonal it tends to eigenvalue 1 of its own.
    d = distances(20, 1)
    d[-1, :-1] = d[:-1, -1] = 1000.0 + np.arange(19.0)
    near = affinity.spectrum(d[:-1, :-1], 1.0)
    np.testing.assert_allclose(affinity.spectrum(d, 1.0), np.sort(np.append(near, 1.0)), atol=1e-12)
    assert np.isfinite(affinity.spectral_embedding(d, 3, 1.0)).all()


def test_pairs_of_far_items_are_clusters_at_any_width():
    d = np.array([[0.0, 1.0, 9.0, 9.0], [1.0, 0.0, 9.0, 9.0], [9.0, 9.0, 0.0, 1.0], [9.0, 9.0, 1.0, 0.0]])
    for width in (1e-200, 1e-3, 0.1, 1.0):
        assert affinity.eigengap(d, 2, width) == pytest.approx(2.0, abs=1e-9)


@pytest.mark.parametrize("width", [1e-300, 1e-20, 1e20, 1e300])
@pytest.mark.parametrize("diagonal", ["zero", "one"])
def test_extreme_widths_stay_finite(width, diagonal):
    d = distances(12)
    assert np.isfinite(affinity.spectrum(d, width, diagonal)).all()
    assert np.isfinite(affinity.eigengap(d, 3, np.full(12, width), diagonal))
    for embedding in affinity.EMBEDDINGS:
        assert np.isfinite(affinity.spectral_embedding(d, 3, width, diagonal, embedding)).all()


def test_default_grid():
    d = distances(10)
    median = np.median(d[np.triu_indices(10, 1)])
    grid = affinity.width_grid(d)
    assert grid.shape == (23,)
    assert (grid[0], grid[-1]) == (pytest.approx(0.03 * median), pytest.approx(5.0 * median))
    np.testing.assert_allclose(np.diff(np.log(grid)), np.log(5.0 / 0.03) / 22)
    signed = d - 100.0
    np.fill_diagonal(signed, 0.0)
    np.testing.assert_allclose(affinity.width_grid(signed), affinity.width_grid(np.abs(signed)))


def test_median_leaves_zeros_out_only_where_they_are_the_majority():
    d = np.zeros((4, 4))
    d[0, 1] = d[1, 0] = 3.0
    d[2, 3] = d[3, 2] = 5.0
    assert affinity.choose_width(d, 2, "median") == 4.0
    assert affinity.choose_width(np.zeros((4, 4)), 2, "median") == 1.0
    assert affinity.choose_width(np.zeros((1, 1)), 1, "median") == 1.0


def test_local_widths():
    d = distances(12)
    width = affinity.choose_width(d, 3, "local")
    expected = np.sort(d, axis=1)[:, 7] / np.sqrt(2.0)
    np.testing.assert_allclose(width, expected)
    s = np.sort(d, axis=1)[:, 7]
    np.testing.assert_allclose(affinity.gaussian(d, width, "one"), np.exp(-(d**2) / (s[:, None] * s)), rtol=1e-12)
    np.testing.assert_allclose(affinity.local_widths(d[:4, :4]), d[:4, :4].max(axis=1) / np.sqrt(2.0))


def test_local_widths_of_coinciding_items_are_positive():
    d = np.zeros((12, 12))
    d[-1, :-1] = d[:-1, -1] = 2.0
    assert (affinity.local_widths(d) > 0).all()
    assert (affinity.local_widths(np.zeros((9, 9))) > 0).all()
    assert affinity.local_widths(np.zeros((1, 1))).tolist() == [1.0]


def plain_sweep(distance, n_clusters, widths, diagonal):
    """First of the widths whose eigengap, by the definition in doubles at every width, ties with the largest."""
    gaps = []
    for width in widths:
        values = affinity.spectrum(distance, width, diagonal)
        gaps.append(values[n_clusters] - values[n_clusters - 1] if n_clusters < len(distance) else 0.0)
    gaps = np.array(gaps)
    index = int(np.flatnonzero(gaps >= gaps.max() - laplacian.TIE_TOLERANCE)[0])
    return index, gaps


def skewed(n, seed):
    """Distances of very unequal size, as overfitted models produce."""
    random = np.random.default_rng(seed)
    x = random.standard_exponential((n, 4)) ** 4
    d = cdist(x, x)
    return 0.5 * (d + d.T)


def floored(n, seed):
    """Distances most of which sit at one ceiling, with many exact ties."""
    random = np.random.default_rng(seed)
    label = random.integers(0, max(2, n // 8), n)
    return np.where(label[:, None] == label, 0.0, 690.0)


CASES = {
    "gauss 60": lambda: distances(60, 4, seed=1),
    "gauss 90": lambda: distances(90, 9, 2.0, seed=2, d=6),
    "gauss 170": lambda: distances(170, 9, 3.0, seed=3, d=8),
    "no clusters 200": lambda: distances(200, 1, seed=4, d=12),
    "separated 180": lambda: distances(180, 6, 40.0, seed=5),
    "skewed 100": lambda: skewed(100, 6),
    "skewed 165": lambda: skewed(165, 7),
    "floored 70": lambda: floored(70, 8),
    "floored 163": lambda: floored(163, 9),
    "identical 60": lambda: np.zeros((60, 60)),
    "all equal 60": lambda: 1.0 - np.eye(60),
    "all equal 161": lambda: 1.0 - np.eye(161),
    "small 20": lambda: distances(20, 3, seed=10),
}


@pytest.mark.parametrize("diagonal", ["zero", "one"])
@pytest.mark.parametrize("n_clusters", [1, 2, 3, 9])
@pytest.mark.parametrize("case", sorted(CASES))
def test_bounded_sweep_finds_what_the_plain_sweep_finds(case, n_clusters, diagonal):
    d = CASES[case]()
    widths = affinity.width_grid(d)
    index, gaps = plain_sweep(d, n_clusters, widths, diagonal)
    width, gap = affinity.best_eigengap(d, n_clusters, diagonal=diagonal)
    assert width == widths[index]
    assert gap == pytest.approx(gaps[index], abs=1e-11)
    assert affinity.choose_width(d, n_clusters, diagonal=diagonal) == width


@settings(max_examples=25, deadline=None)
@given(st.integers(50, 75), st.integers(1, 12), st.floats(0.0, 20.0), st.integers(0, 10**6), st.booleans())
def test_bounded_sweep_on_random_data(n, n_clusters, apart, seed, one):
    d, diagonal = distances(n, 4, apart, seed), "one" if one else "zero"
    widths = affinity.width_grid(d, 12)
    index, _ = plain_sweep(d, n_clusters, widths, diagonal)
    assert affinity.choose_width(d, n_clusters, grid=widths, diagonal=diagonal) == widths[index]


@pytest.mark.parametrize("n_clusters", [1, 2, 5, 40])
@pytest.mark.parametrize("diagonal", ["zero", "one"])
@pytest.mark.parametrize("case", ["gauss 60", "separated 180", "skewed 100", "floored 70", "all equal 60"])
def test_bounds_are_bounds(case, n_clusters, diagonal):
    d = CASES[case]()
    graph = laplacian.Graph(d, diagonal)
    basis = laplacian.GroupBasis(d, n_clusters + 5)
    for width in affinity.width_grid(d, 9):
        _, log_degree = graph.walk(width)
        matrix = graph.normalised(width)
        values = np.linalg.eigvalsh(matrix)[::-1]
        gap = values[n_clusters - 1] - values[n_clusters]
        assert laplacian.moment_bound(matrix, n_clusters) >= gap
        lower = basis.eigenvalues(matrix, log_degree)
        assert (lower <= values[: lower.size]).all()


@pytest.mark.parametrize("case", ["gauss 170", "skewed 165", "floored 163", "separated 180"])
def test_error_of_single_precision_stays_far_below_its_bound(case):
    d = CASES[case]()
    graph = laplacian.Graph(d, "zero")
    for width in affinity.width_grid(d, 7):
        matrix = graph.normalised(width)
        rough, exact = (laplacian.cut_eigenvalues(matrix, 4, single) for single in (True, False))
        np.testing.assert_allclose(exact, np.linalg.eigvalsh(matrix)[::-1][3:5], atol=1e-12)
        assert max(abs(a - b) for a, b in zip(rough, exact, strict=True)) < laplacian.single_error(len(d)) / 10


@pytest.mark.parametrize("case", ["small 20", "gauss 90", "gauss 170"])
def test_bar_stops_the_sweep_only_where_it_is_out_of_reach(case):
    d = CASES[case]()
    width, gap = affinity.best_eigengap(d, 3)
    assert affinity.best_eigengap(d, 3, bar=gap) == (width, gap)
    assert affinity.best_eigengap(d, 3, bar=gap - 1e-3) == (width, gap)
    assert affinity.best_eigengap(d, 3, bar=gap + 1e-6)[1] == -np.inf


def test_a_plateau_goes_to_the_narrowest_width():
    d = CASES["floored 70"]()
    grid = affinity.width_grid(d)
    groups = np.unique(d, axis=0).shape[0]
    assert affinity.choose_width(d, groups, grid=grid, diagonal="one") == grid[0]


def test_tightness_is_the_least_distortion():
    from kinseq.core.graphs.kmeans import kmeans

    d = distances(30, 3, 2.0, seed=3)
    grid = affinity.width_grid(d, 6)
    for embedding in affinity.EMBEDDINGS:
        losses = [kmeans(affinity.spectral_embedding(d, 3, w, embedding=embedding), 3, seed=4)[1] for w in grid]
        chosen = affinity.choose_width(d, 3, "tightness", grid, embedding=embedding, random_state=4)
        assert chosen == grid[int(np.argmin(losses))]


@pytest.mark.parametrize("rule", ["eigengap", "tightness", "median"])
def test_chosen_width_scales_with_the_distances(rule):
    d = distances(30, 3)
    width = affinity.choose_width(d, 3, rule)
    assert affinity.choose_width(1e3 * d, 3, rule) == pytest.approx(1e3 * width, rel=1e-12)
    order = np.random.default_rng(0).permutation(30)
    assert affinity.choose_width(d[np.ix_(order, order)], 3, rule) == pytest.approx(width, rel=1e-12)


@pytest.mark.parametrize("diagonal", ["zero", "one"])
def test_njw_embedding_against_eigenvectors_by_scipy(diagonal):
    d = distances(25)
    a = affinity.gaussian(d, 2.0, diagonal)
    scale = 1.0 / np.sqrt(a.sum(axis=1))
    vectors = linalg.eigh(scale[:, None] * a * scale)[1][:, -3:]
    rows = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    ours = affinity.spectral_embedding(d, 3, 2.0, diagonal)
    # Up to the signs of eigenvectors: inner products of rows agree.
    np.testing.assert_allclose(ours @ ours.T, rows @ rows.T, atol=1e-10)
    np.testing.assert_allclose(np.linalg.norm(ours, axis=1), 1.0)


@pytest.mark.parametrize("diagonal", ["zero", "one"])
def test_shi_malik_embedding_solves_the_generalised_problem(diagonal):
    d = distances(25)
    a = affinity.gaussian(d, 2.0, diagonal)
    degree = np.diag(a.sum(axis=1))
    phi = affinity.spectral_embedding(d, 4, 2.0, diagonal, "shi_malik")
    assert phi.shape == (25, 3)
    values = linalg.eigh(degree - a, degree, eigvals_only=True)[1:4]
    np.testing.assert_allclose((degree - a) @ phi, degree @ phi * values, atol=1e-10)
    assert affinity.spectral_embedding(d, 1, 2.0, embedding="shi_malik").shape == (25, 1)
