"""Agreement about nearest neighbours, and what the page says of measures that lost sight of the sequences."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import kinseq
from kinseq.analysis.diagnostics import MIN_SHARED_NEIGHBOURS, cautions
from kinseq.core.errors import DataError
from kinseq.metrics.neighbours import neighbour_agreement
from tests.sentences import Recorded


def spread(n: int, seed: int, columns: int = 2) -> np.ndarray:
    """Distances between random points."""
    points = np.random.default_rng(seed).normal(size=(n, columns))
    return np.linalg.norm(points[:, None] - points, axis=2)


def brute(first: np.ndarray, other: np.ndarray, count: int) -> float:
    """Share of common neighbours, corrected for chance; for matrices without ties."""
    n = len(first)
    common = 0
    for i in range(n):
        one, two = (
            set(sorted((j for j in range(n) if j != i), key=lambda j: matrix[i, j])[:count])
            for matrix in (first, other)
        )
        common += len(one & two)
    chance = count / (n - 1)
    return (common / (n * count) - chance) / (1 - chance)


@pytest.mark.parametrize("n, count", [(6, 1), (12, 3), (40, 10)])
def test_it_is_the_share_of_common_neighbours_corrected_for_chance(n: int, count: int) -> None:
    first = spread(n, 0)
    other = first + 0.7 * spread(n, 1)
    assert neighbour_agreement(first, other) == pytest.approx(brute(first, other, count), abs=1e-12)


def test_it_depends_on_the_order_of_distances_alone_and_not_on_that_of_items() -> None:
    first, other = spread(30, 0), spread(30, 0) + spread(30, 1)
    value = neighbour_agreement(first, other)
    assert neighbour_agreement(np.expm1(first), other**3) == pytest.approx(value, abs=1e-12)
    order = np.random.default_rng(2).permutation(30)
    assert neighbour_agreement(first[order][:, order], other[order][:, order]) == pytest.approx(value, abs=1e-12)
    assert neighbour_agreement(other, first) == pytest.approx(value, abs=1e-12)
    assert neighbour_agreement(first, first) == pytest.approx(1.0)


def test_unrelated_matrices_are_near_zero_and_below_the_bound_of_the_page() -> None:
    values = [neighbour_agreement(spread(40, 2 * k), spread(40, 2 * k + 1)) for k in range(40)]
    assert abs(np.mean(values)) < 0.02
    assert max(values) < MIN_SHARED_NEIGHBOURS


def test_a_measure_that_tells_nothing_apart_agrees_with_none() -> None:
    flat = np.ones((20, 20)) - np.eye(20)
    assert neighbour_agreement(flat, spread(20, 0)) == 0.0
    assert neighbour_agreement(np.zeros((20, 20)), spread(20, 0)) == 0.0
    # Rounding does not make neighbours: entries that differ in their last digits only, in whatever unit.
    noise = 1e-5 * (flat + 1e-13 * spread(20, 3))
    assert neighbour_agreement(noise, noise) == 0.0
    # Two distinct pairs do not represent the other items.
    few = np.zeros((20, 20))
    few[0, 1] = few[1, 0] = few[2, 3] = few[3, 2] = 5.0
    assert neighbour_agreement(few, spread(20, 0)) < MIN_SHARED_NEIGHBOURS


def test_groups_of_equal_items_are_no_disagreement() -> None:
    groups = np.arange(30) % 3
    apart = (groups[:, None] != groups).astype(float)
    assert neighbour_agreement(apart, 7.0 * apart) == pytest.approx(1.0)


def test_few_and_mismatched_items() -> None:
    assert neighbour_agreement(np.zeros((2, 2)), np.ones((2, 2)) - np.eye(2)) == 1.0
    with pytest.raises(DataError, match="same items"):
        neighbour_agreement(spread(5, 0), spread(6, 0))


def two_groups(gap: float) -> list[np.ndarray]:
    rng = np.random.default_rng(int(gap))
    return [rng.normal(size=(60, 2)) + gap * (i % 2) for i in range(8)]


def test_the_page_warns_where_a_measure_collapses_on_well_separated_data(tmp_path: Path, recorded: Recorded) -> None:
    found = kinseq.cluster(two_groups(60.0), measure="ssd,kl_ll", n_resamples=2)
    # The partitions do not show it: both have a single cluster.
    assert found.n_clusters == 1
    assert found.details.agreement[0]["neighbours"] == 0.0
    said = " | ".join(cautions(found))
    recorded.within(said)
    recorded.within(said)
    page = found.report(tmp_path).read_text(encoding="utf-8")
    recorded.within(page)
    assert "suggested by the silhouette" not in page
    assert ("number of clusters", "1", "no two sequences differ under this measure") in found.choices


def test_the_page_does_not_warn_of_measures_that_see_the_same() -> None:
    found = kinseq.cluster(two_groups(1.0), measure="ssd,kl_ll", n_resamples=2)
    said = " | ".join(cautions(found))
    assert "nothing in common" not in said
    assert "near each other" not in said
