"""Maps: items of a group are next to each other, and where an item is does not depend on the order."""

from __future__ import annotations

import numpy as np
import pytest

from kinseq.metrics.maps import classical_mds, tsne


def on_a_line(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Dissimilarities by one property of three groups far apart, and the groups."""
    rng, groups = np.random.default_rng(n), np.arange(n) % 3
    values = groups + 0.05 * rng.normal(size=n)
    return np.abs(values[:, None] - values), groups


@pytest.mark.parametrize("n", [24, 60])
def test_groups_on_a_line_are_apart_on_the_map(n: int) -> None:
    """All other coordinates are 0, so that t-SNE could not move items past each other."""
    distance, groups = on_a_line(n)
    assert np.abs(classical_mds(distance)[:, 1]).max() < 1e-6
    places = tsne(distance)
    between = np.linalg.norm(places[:, None] - places, axis=2)
    np.fill_diagonal(between, np.inf)
    assert (groups[between.argmin(axis=1)] == groups).all()


def test_a_start_off_the_line_goes_with_the_item() -> None:
    distance, groups = on_a_line(24)
    order = np.random.default_rng(0).permutation(24)
    turned = tsne(distance[np.ix_(order, order)])
    between = np.linalg.norm(turned[:, None] - turned, axis=2)
    np.fill_diagonal(between, np.inf)
    assert (groups[order][between.argmin(axis=1)] == groups[order]).all()
