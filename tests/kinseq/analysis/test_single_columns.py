"""Groups of one column that the others drown."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import kinseq
from kinseq.metrics.external import ari
from tests.sentences import Recorded

FRAMES, N = 60, 16
TRUE = np.arange(N) % 2


def drowned(seed: int, n_others: int = 2, planted: bool = True) -> list[np.ndarray]:
    """Sequences whose first column has the period 12 or 20, where it is planted; the others are walks and noise."""
    stream = np.random.default_rng(seed)
    found = []
    for group in TRUE:
        period = 12 if group or not planted else 20
        wave = np.sin(2 * np.pi * np.arange(FRAMES) / period + stream.uniform(0, 2 * np.pi))
        walks = np.cumsum(stream.standard_normal((FRAMES, n_others - 1)), axis=0)
        noise = stream.standard_normal(FRAMES)
        found.append(np.column_stack([wave + 0.3 * stream.standard_normal(FRAMES), walks, noise]))
    return found


@pytest.mark.parametrize("seed", range(4))
def test_a_walk_and_noise_do_not_hide_the_groups_of_a_column(seed: int, recorded: Recorded) -> None:
    found = kinseq.cluster(drowned(seed))
    assert ari(TRUE, found.labels) == 1.0
    recorded(found.notes[0])


@pytest.mark.parametrize("seed", range(6))
def test_columns_without_groups_are_one_group(seed: int) -> None:
    assert kinseq.cluster(drowned(seed, n_others=3, planted=False)).n_clusters == 1


def test_new_sequences_are_placed_by_that_column_also_after_loading(tmp_path) -> None:
    found = kinseq.cluster(drowned(0))
    found.save(tmp_path / "result.npz")
    # The other columns are of another walk and other noise.
    new = drowned(9)
    expected = found.labels
    for result in (found, kinseq.load(tmp_path / "result.npz")):
        np.testing.assert_array_equal(result.labels, found.labels)
        np.testing.assert_array_equal(result.predict(new), expected)


def test_neither_order_nor_names_nor_threads_matter() -> None:
    sequences = drowned(1)
    named = [pd.DataFrame(entry, columns=["speed", "walk", "noise"]) for entry in sequences]
    labels = kinseq.cluster(sequences).labels
    backwards = kinseq.cluster(named[::-1], n_jobs=2)
    assert ari(labels, backwards.labels[::-1]) == 1.0
    assert "value_columns='speed'" in backwards.notes[0]


def test_a_measure_that_is_named_sees_all_columns() -> None:
    assert kinseq.cluster(drowned(0), measure="dtw").n_clusters == 1
