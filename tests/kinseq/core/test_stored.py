"""Differences below the resolution of stored numbers do not count; measured ones stay."""

from __future__ import annotations

import numpy as np
import pytest

import kinseq
from kinseq.core.arrays import FloatArray
from kinseq.core.sequences import SequenceSet
from kinseq.core.stored import as_stored
from kinseq.features.properties import properties

HALF = np.arange(24) // 2 % 2


def with_wave(constants: list[FloatArray], seed: int = 0) -> list[FloatArray]:
    """A column that swings alike in all, and a second one."""
    rng, time = np.random.default_rng(seed), np.arange(60)
    waves = [np.sin(2 * np.pi * (time / 8 + rng.random())) + rng.normal(0.0, 0.3, 60) for _ in constants]
    return [np.stack([wave, second], axis=1) for wave, second in zip(waves, constants, strict=True)]


def stored(arrays: list[FloatArray]) -> SequenceSet:
    return as_stored(SequenceSet.from_arrays([np.asarray(x, dtype=np.float64).reshape(len(x), -1) for x in arrays]))


def test_rounding_to_32_bits_in_some_files_is_undone() -> None:
    rng = np.random.default_rng(0)
    exact = [rng.normal(size=40) for _ in range(4)]
    mixed = [x.astype(np.float32).astype(np.float64) if i % 2 else x for i, x in enumerate(exact)]
    found = stored(mixed)
    np.testing.assert_array_equal(found.values.ravel(), np.concatenate(exact).astype(np.float32).astype(np.float64))
    same = [float(np.float32(0.3)) * np.ones(9), 0.3 * np.ones(9)]
    assert np.ptp(stored(same).values) == 0.0


def test_levels_that_some_files_hold_in_16_bits_are_the_same() -> None:
    half = float(np.float16(0.3))
    assert np.ptp(stored([np.full(9, half), np.full(9, 0.3)]).values) == 0.0
    assert np.ptp(stored([np.full(9, half), np.full(9, 0.301)]).values) > 0.0
    # Nobody rounds to 16 bits what is a short decimal or a whole number.
    for one, other in ((100.0, 100.02), (1000.0, 1000.3), (0.5, 0.5002)):
        assert np.ptp(stored([np.full(9, one), np.full(9, other)]).values) == other - one


def test_numbers_beyond_32_bits_stay() -> None:
    rounded = float(np.float32(100.3))
    for number in (1e300, -1e300, 1e-300):
        values = stored([np.array([rounded]), np.array([number, 0.1])]).values.ravel()
        assert values.tolist() == [rounded, number, float(np.float32(0.1))]


def test_numbers_that_somebody_wrote_are_no_rounding() -> None:
    # Fractions of two and whole numbers fit into 32 bits; next to them, decimals are measurements.
    for arrays in ([np.full(9, 0.5), np.full(9, 0.50000001)], [np.full(9, 20.0), np.full(9, 20.000001)]):
        given = SequenceSet.from_arrays([x[:, None] for x in arrays])
        assert as_stored(given) is given


def test_what_moves_by_the_last_digits_stands_still_and_what_moves_by_more_moves() -> None:
    rng = np.random.default_rng(1)
    sums = np.where(rng.random(50) < 0.5, 0.1 + 0.2, 0.3)
    assert np.ptp(sums) > 0.0
    assert np.ptp(stored([sums, sums[::-1]]).values) == 0.0
    grid = [50.0 + 1e-6 * rng.normal(size=50) for _ in range(3)]
    given = SequenceSet.from_arrays([x[:, None] for x in grid])
    assert as_stored(given) is given
    single = [np.float32(0.3) + np.spacing(np.float32(0.3)) * rng.integers(0, 3, 50) for _ in range(3)]
    assert np.ptp(stored(single).values) == 0.0


@pytest.mark.parametrize(("low", "high"), [(0.1, 0.7), (-40.0, 40.1), (1000.0, 1000.1)])
def test_a_column_that_stands_still_has_a_level_and_nothing_else(low: float, high: float) -> None:
    sequences = SequenceSet.from_arrays(with_wave([np.full(60, high if half else low) for half in HALF]))
    scaled = kinseq.cluster(list(sequences)).sequences
    found = properties(scaled)
    for kind in ("trend", "timing", "roughness", "spread"):
        assert np.ptp(found.of(f"{kind} of 2")) == 0.0
    assert np.unique(found.of("level of 2")).size == 2
    table = kinseq.cluster(list(sequences)).explain()
    assert set(table.loc[table["column"] == "2", "property"]) <= {"level", "shape"}


def test_files_that_were_rounded_make_no_groups() -> None:
    rounded = [np.full(60, float(np.float32(0.3)) if half else 0.3) for half in HALF]
    found = kinseq.cluster(with_wave(rounded))
    assert found.n_clusters == 1
    assert any("without any change" in note and note.endswith(": column 2") for note in found.notes)
