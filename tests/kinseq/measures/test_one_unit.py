"""Dissimilarities of new sequences by a fusion are in the unit of the matrix of the old ones."""

from __future__ import annotations

import numpy as np
import pytest

import kinseq
from kinseq.core.arrays import FloatArray
from kinseq.core.errors import ParameterError
from kinseq.measures import fusion
from tests.sentences import Recorded


def waves(seed: int, n: int) -> list[FloatArray]:
    random = np.random.default_rng(seed)
    time = np.arange(30.0)
    return [
        np.sin(2 * np.pi * (time / period + random.random()))[:, None] + random.normal(0, 0.3, (30, 1))
        for period in [5.0, 15.0] * n
    ]


@pytest.mark.parametrize("measure", ["elastic", "fusion", "pooled_dtw"])
def test_copies_have_the_row_of_their_original_and_others_do_not_depend_on_each_other(measure: str) -> None:
    old, new = waves(0, 8), waves(1, 1)
    whole = kinseq.dissimilarity(old, measure=measure)
    moved = [old[3].copy(), old[5] + 1e-9, *new]
    between = kinseq.dissimilarity(moved, old, measure=measure)
    np.testing.assert_array_equal(between[:2], whole[[3, 5]])
    alone = kinseq.dissimilarity(new[1:2], old, measure=measure)
    np.testing.assert_allclose(alone, between[3:], rtol=1e-12)
    # The order of the old ones does not matter.
    order = np.random.default_rng(2).permutation(len(old))
    turned = kinseq.dissimilarity(new, [old[i] for i in order], measure=measure)
    np.testing.assert_allclose(turned, between[2:][:, order], rtol=1e-9)


def test_new_sequences_of_the_same_process_are_as_near_as_old_ones_to_each_other() -> None:
    beyond = []
    for seed in range(6):
        old, new = waves(seed, 20), waves(100 + seed, 20)
        within = kinseq.dissimilarity(old)
        np.fill_diagonal(within, np.inf)
        nearest = kinseq.dissimilarity(new, old).min(axis=1)
        beyond.append(float((nearest > np.quantile(within.min(axis=1), 0.95)).mean()))
    assert np.mean(beyond) < 0.12


def test_a_sequence_that_is_fused_anew_is_as_the_last_of_a_set(
    monkeypatch: pytest.MonkeyPatch, recorded: Recorded
) -> None:
    # From pairs of raw values alone, results on old ones do not change with the new one.
    sequences = waves(3, 7)
    whole = kinseq.dissimilarity(sequences, measure="elastic", views=["msm", "dtw"])
    last = kinseq.dissimilarity(sequences[-1:], sequences[:-1], measure="elastic", views=["msm", "dtw"])
    ratios = last[0] / whole[-1, :-1]
    np.testing.assert_allclose(ratios, ratios[0], rtol=1e-6)
    monkeypatch.setattr(fusion, "MAX_FUSED_ANEW", 5)
    with recorded.raises(ParameterError):
        kinseq.dissimilarity(sequences[-1:], sequences, measure="elastic")
