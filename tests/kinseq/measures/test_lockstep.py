"""Shapes frame by frame, against a closed form and a direct sum."""

from __future__ import annotations

import numpy as np
import pytest

from kinseq.features.frames import to_length
from kinseq.measures.lockstep import lockstep_shape


@pytest.mark.parametrize("turn", [0.05, 0.25, 0.5])
def test_sines_are_apart_by_their_phases(turn: float) -> None:
    time = np.arange(60) / 20.0
    waves = [np.sin(2 * np.pi * (time + phase))[:, None] for phase in (0.0, turn)]
    # Of unit variance each: 2 - 2 times their correlation.
    assert lockstep_shape(waves)[0, 1] == pytest.approx(2.0 - 2.0 * np.cos(2 * np.pi * turn))


def test_it_is_the_mean_of_squares_over_frames_of_sequences_of_one_length() -> None:
    rng = np.random.default_rng(0)
    sequences = [rng.normal(size=(length, 2)) for length in (20, 31, 25)]
    shapes = []
    for frames in sequences:
        shape = to_length((frames - frames.mean(axis=0)) / frames.std(axis=0), 25)
        shapes.append((shape - shape.mean(axis=0)) / shape.std(axis=0))
    expected = [[np.square(one - other).sum() / 25 for other in shapes] for one in shapes]
    assert lockstep_shape(sequences) == pytest.approx(np.array(expected))


def test_level_and_size_count_for_nothing() -> None:
    rng = np.random.default_rng(1)
    frames = rng.normal(size=(30, 2))
    assert lockstep_shape([frames, 5.0 + 3.0 * frames])[0, 1] == pytest.approx(0.0, abs=1e-12)


def test_a_constant_feature_is_zero() -> None:
    frames = np.linspace(0.0, 1.0, 10)[:, None]
    distance = lockstep_shape([frames, np.full((10, 1), 4.0)])
    assert distance[0, 1] == pytest.approx(1.0)
