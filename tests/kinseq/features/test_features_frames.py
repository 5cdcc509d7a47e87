"""Increments, differences, normalisation and autoregression of frames."""

from __future__ import annotations

import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.interpolate import make_interp_spline

from kinseq.core.errors import DataError, KinseqWarning, ParameterError
from kinseq.core.sequences import SequenceSet
from kinseq.features import Scaling, delta, difference, fit_scaling, mar, normalise, scale, to_length
from kinseq.features.frames import KEPT_FRAMES, adds, averaged, median_length, middles
from tests.sentences import Recorded


def _arrays(d: int = 3, seed: int = 0) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    return [5.0 + rng.normal(size=(n, d)) * np.arange(1, d + 1) for n in (7, 1, 30)]


@pytest.mark.parametrize("function", [delta, normalise, scale, lambda x: difference(x[:1] + x[2:]), lambda x: x])
def test_lists_and_sets_agree(function) -> None:  # type: ignore[no-untyped-def]
    arrays = _arrays()
    listed = function(arrays)
    assert isinstance(listed, list)
    for one in (delta, normalise):
        stacked = one(SequenceSet.from_arrays(arrays, labels=[1, 2, 3], ids=["a", "b", "c"]))
        assert isinstance(stacked, SequenceSet)
        assert stacked.ids.tolist() == ["a", "b", "c"]
        assert stacked.labels is not None
        for i, array in enumerate(arrays):
            assert np.array_equal(stacked[i], one(array))


@pytest.mark.parametrize("lengths", [[1], [1] * 5, [9] * 6, [50] * 7, [130] * 30, [1, 2, 30, 7], [11, 12, 22]])
@pytest.mark.parametrize("d", [1, 2, 9])
def test_sequences_of_a_set_are_the_same_together_and_one_by_one(lengths: list[int], d: int) -> None:
    random = np.random.default_rng(lengths[0])
    arrays = [random.normal(size=(length, d)) * 10.0 ** random.integers(-3, 4) for length in lengths]
    # Also for constant ones, which have a branch of their own.
    arrays[0] = np.full((lengths[0], d), 0.1)
    together = SequenceSet.from_arrays(arrays, layout="channels_last")
    for function in (
        delta,
        lambda x: delta(x, 1),
        normalise,
        lambda x: normalise(x, "mean"),
        lambda x: averaged(x, 2),
        lambda x: averaged(x, 11),
        fit_scaling(together).apply,
    ):
        results = function(together)
        assert len(results) == len(arrays)
        for found, frames in zip(results, arrays, strict=True):
            np.testing.assert_array_equal(found, function(frames))


@pytest.mark.parametrize("width", [1, 2, 5])
def test_delta_is_the_slope_of_the_regression_line(width: int) -> None:
    x = _arrays()[2]
    inner = slice(width, len(x) - width)
    steps = np.arange(-width, width + 1)
    slopes = [np.polyfit(steps, x[t - width : t + width + 1], 1)[0] for t in range(width, len(x) - width)]
    np.testing.assert_allclose(delta(x, width)[inner], slopes, atol=1e-12)
    extended = np.concatenate([np.repeat(x[:1], width, 0), x, np.repeat(x[-1:], width, 0)])
    np.testing.assert_allclose(delta(x, width), delta(extended, width)[width:-width], atol=1e-12)


def test_delta_of_one_frame_is_zero_and_of_a_line_its_slope() -> None:
    assert np.array_equal(delta(np.array([[3.0, 4.0]])), np.zeros((1, 2)))
    np.testing.assert_allclose(delta(2.5 * np.arange(20.0)[:, None])[2:-2], 2.5)


def test_difference_undoes_the_cumulative_sum() -> None:
    x = _arrays()[2]
    np.testing.assert_allclose(difference(np.cumsum(x, axis=0)), x[1:], atol=1e-12)
    np.testing.assert_allclose(difference(x, 2), difference(difference(x)))
    stacked = difference(SequenceSet.from_arrays([x, x[:4]]))
    assert stacked.lengths.tolist() == [29, 3]
    assert np.array_equal(stacked[1], np.diff(x[:4], axis=0))


def test_difference_names_a_sequence_that_is_too_short(recorded: Recorded) -> None:
    with recorded.raises(DataError):
        difference(_arrays())


def test_one_length_is_reached_by_lines_from_frame_to_frame() -> None:
    given = _arrays()[2]
    # Above a length, the weights are not cached.
    for length in (2, 7, len(given), 83, KEPT_FRAMES + 1):
        found = to_length(given, length)
        places = np.linspace(0.0, len(given) - 1.0, length)
        np.testing.assert_allclose(found, make_interp_spline(np.arange(len(given)), given, k=1)(places), atol=1e-12)
        np.testing.assert_array_equal(found[[0, -1]], given[[0, -1]])
    # A line stays the same line, whatever its length, and what is stretched to whole steps comes back.
    line = np.linspace([0.0, 5.0], [3.0, -1.0], 9)
    np.testing.assert_allclose(to_length(line, 4), np.linspace([0.0, 5.0], [3.0, -1.0], 4), atol=1e-12)
    np.testing.assert_allclose(to_length(to_length(given, 2 * len(given) - 1), len(given)), given, atol=1e-12)
    both = to_length(SequenceSet.from_arrays([given, given[:5]]), 11)
    assert both.lengths.tolist() == [11, 11]
    np.testing.assert_array_equal(both[1], to_length(given[:5], 11))
    assert to_length(both, 11) is both
    np.testing.assert_array_equal(to_length(given, len(given)), given)
    np.testing.assert_array_equal(to_length([given[:1]], 3)[0], np.repeat(given[:1], 3, axis=0))
    assert median_length(SequenceSet.from_arrays([given, given[:5], given[:4], given[:8]])) == 6


def test_normalise_per_sequence() -> None:
    for array, centred, normal in zip(
        _arrays(), normalise(_arrays(), "mean"), normalise(_arrays(), "mean_variance"), strict=True
    ):
        np.testing.assert_allclose(centred.mean(axis=0), 0.0, atol=1e-12)
        np.testing.assert_allclose(centred - centred[0], array - array[0], atol=1e-12)
        np.testing.assert_allclose(normal.std(axis=0), 1.0 if len(array) > 1 else 0.0, atol=1e-12)
    assert np.array_equal(normalise(_arrays()[0], "none"), _arrays()[0])


def test_constant_features_become_zero_and_not_nan() -> None:
    x = np.column_stack([np.full(50, 0.1), np.arange(50.0), 1e6 + 1e-12 * np.arange(50)])
    for found in (normalise(x), scale(x)):
        assert np.isfinite(found).all()
        assert (found[:, 0] == 0.0).all()
        np.testing.assert_allclose(found[:, 1].std(), 1.0)
        assert np.abs(found[:, 2]).max() < 1e-6


@pytest.mark.parametrize("factor", [1e-200, 1e-10, 1e200])
def test_units_do_not_matter(factor: float) -> None:
    x = _arrays()[2]
    np.testing.assert_allclose(normalise(factor * x), normalise(x), atol=1e-9)
    np.testing.assert_allclose(scale(factor * x), scale(x), atol=1e-9)


def test_scale_uses_all_frames_of_the_set(recorded: Recorded) -> None:
    arrays = _arrays()
    stacked = np.concatenate(arrays)
    scaled = np.concatenate(scale(arrays))
    np.testing.assert_allclose(scaled, (stacked - stacked.mean(0)) / stacked.std(0), atol=1e-12)
    assert scale(arrays, "none") is arrays
    fitted = fit_scaling(arrays)
    assert isinstance(fitted, Scaling)
    np.testing.assert_allclose(fitted.apply(arrays[0]), scale(arrays)[0])
    with recorded.raises(DataError):
        fitted.apply(np.zeros((4, 2)))


@pytest.mark.parametrize(
    "call",
    [
        lambda: delta(np.zeros((3, 1)), 0),
        lambda: difference(np.zeros((3, 1)), 0.5),
        lambda: to_length(np.zeros((3, 1)), 0),
        lambda: normalise(np.zeros((3, 1)), "variance"),
        lambda: scale(np.zeros((3, 1)), "z"),
        lambda: mar(np.zeros((300, 2)), order=0),
        lambda: mar(np.zeros((300, 2)), window=-1),
        lambda: mar(np.zeros((300, 2)), hop=float("nan")),
        lambda: mar(np.zeros((300, 6)), window=0.3),
    ],
)
def test_bad_arguments_are_refused(call, recorded: Recorded) -> None:  # type: ignore[no-untyped-def]
    with recorded.raises(ParameterError):
        call()


@pytest.mark.parametrize("bad", [[[np.nan]], [], [1.0, 2.0]])
@pytest.mark.parametrize("function", [delta, difference, normalise, scale, mar])
def test_bad_frames_are_refused(function, bad: list[object], recorded: Recorded) -> None:  # type: ignore[no-untyped-def]
    with recorded.raises(DataError):
        function(np.array(bad))


# --- multivariate autoregression --------------------------------------------------------------------------------------


def _literal_mar(window: np.ndarray, order: int) -> np.ndarray:
    """One window by ordinary least squares with a column of ones, as the model is written."""
    n, d = window.shape
    design = np.array([[1.0, *np.concatenate([window[t - p] for p in range(1, order + 1)])] for t in range(order, n)])
    solution = np.linalg.lstsq(design, window[order:], rcond=None)[0]
    residual = window[order:] - design @ solution
    coefficients = [solution[1 + p * d : 1 + (p + 1) * d].T for p in range(order)]
    covariance = residual.T @ residual / (n - order)
    upper = [covariance[a, b] for a in range(d) for b in range(a, d)]
    return np.concatenate([*(matrix.ravel() for matrix in coefficients), solution[0], upper])


@pytest.mark.parametrize("d, order", [(1, 1), (2, 3), (6, 3), (3, 1)])
def test_mar_is_ordinary_least_squares_of_each_window(d: int, order: int) -> None:
    rng = np.random.default_rng(5)
    x = np.cumsum(rng.normal(size=(500, d)), axis=0) * 10.0 ** (np.arange(d) - d // 2) + 7.0
    found = mar(x, order=order, window=60, hop=25, frame_period=1)
    starts = range(0, 500 - 60 + 1, 25)
    assert found.shape == (len(starts), d * d * order + d + d * (d + 1) // 2)
    for row, start in zip(found, starts, strict=True):
        expected = _literal_mar(x[start : start + 60], order)
        np.testing.assert_allclose(row, expected, rtol=1e-6, atol=1e-8 * np.abs(expected).max())


def test_mar_recovers_the_process_that_made_the_data() -> None:
    rng = np.random.default_rng(6)
    b1, b2 = np.array([[0.5, 0.2], [-0.3, 0.4]]), np.array([[-0.2, 0.1], [0.0, 0.3]])
    root, mean = np.array([[1.0, 0.0], [0.6, 0.5]]), np.array([0.7, -1.1])
    z = np.zeros((60_000, 2))
    noise = rng.normal(size=z.shape) @ root.T + mean
    for t in range(2, len(z)):
        z[t] = b1 @ z[t - 1] + b2 @ z[t - 2] + noise[t]
    (found,) = mar(z[100:], order=2, window=59_000, hop=59_000, frame_period=1)
    covariance = root @ root.T
    expected = np.concatenate([b1.ravel(), b2.ravel(), mean, covariance[np.triu_indices(2)]])
    np.testing.assert_allclose(found, expected, atol=0.03)


def test_mar_has_the_size_of_the_document() -> None:
    x = np.random.default_rng(0).normal(size=(3999, 6))  # 60 s at 15 ms
    assert mar(x).shape == (59, 135)


def test_windows_do_not_drift() -> None:
    # 1 s is 66.67 frames: the starts are 0, 66, 133, 200 ...
    x = np.random.default_rng(1).normal(size=(400, 1))
    found = mar(x, order=1)
    starts = [0, 66, 133, 200, 266]
    assert len(found) == len(starts)
    for row, start in zip(found, starts, strict=True):
        np.testing.assert_allclose(row, _literal_mar(x[start : start + 133], 1), atol=1e-10)


def test_mar_of_a_set_is_that_of_each_sequence(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(2)
    arrays = [rng.normal(size=(n, 2)) for n in (150, 400, 140)]
    single = [mar(array) for array in arrays]
    monkeypatch.setattr("kinseq.features.autoregression._WINDOWS_PER_BATCH", 3)
    stacked = mar(SequenceSet.from_arrays(arrays, ids=["a", "b", "c"]))
    assert stacked.lengths.tolist() == [len(vectors) for vectors in single]
    for i, vectors in enumerate(single):
        assert np.array_equal(stacked[i], vectors)
        assert np.array_equal(mar(arrays)[i], vectors)


def test_mar_of_windows_that_do_not_determine_it_is_finite_and_counted() -> None:
    rng = np.random.default_rng(3)
    x = rng.normal(size=(400, 3))
    x[:140, 1] = 4.0
    x[:, 2] = x[:, 0] - 2.0 * x[:, 1]
    with pytest.warns(KinseqWarning, match="5 of 5 windows"):
        found = mar(x, order=1)
    assert np.isfinite(found).all()
    b = found[0, :9].reshape(3, 3)
    assert np.abs(b[1]).max() == 0.0  # nothing to predict
    assert np.abs(b[:, 1]).max() == 0.0  # nothing to predict from
    np.testing.assert_allclose(found[0, 10], 4.0)  # so that the intercept is the constant itself
    with pytest.warns(KinseqWarning, match="2 of 2"):
        still = mar(np.full((200, 2), 3.0), order=2)
    np.testing.assert_allclose(still, np.tile([0.0] * 8 + [3.0, 3.0, 0.0, 0.0, 0.0], (2, 1)))


def test_mar_does_not_depend_on_units() -> None:
    rng = np.random.default_rng(4)
    x = np.cumsum(rng.normal(size=(200, 2)), axis=0)
    factor = np.array([1e-6, 1e5])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        (plain, _), (scaled, _) = (mar(y, order=1) for y in (x, x * factor))
    np.testing.assert_allclose(scaled[:4].reshape(2, 2), plain[:4].reshape(2, 2) * factor[:, None] / factor, rtol=1e-8)
    np.testing.assert_allclose(scaled[4:6], plain[4:6] * factor, rtol=1e-7)
    np.testing.assert_allclose(scaled[6:], plain[6:] * np.outer(factor, factor)[np.triu_indices(2)], rtol=1e-8)


def test_mar_names_a_sequence_that_is_too_short(recorded: Recorded) -> None:
    with recorded.raises(DataError):
        mar(SequenceSet.from_arrays([np.ones((200, 1)), np.ones((100, 1))], ids=["a", "b"]))


def test_features_import_nothing_heavy() -> None:
    code = (
        "import sys; from kinseq.features import delta, mar, normalise; import kinseq.features.cepstral;"
        "import kinseq.readers;"
        "heavy = {'librosa', 'soundfile', 'soxr', 'pandas', 'sklearn', 'numba', 'matplotlib', 'aeon'};"
        "heavy &= set(sys.modules);"
        "assert not heavy, heavy"
    )
    library = Path(sys.modules["kinseq"].__file__ or "").parent.parent
    subprocess.run([sys.executable, "-c", code], check=True, env={"PYTHONPATH": str(library)})


def test_features_that_follow_from_those_before_add_nothing() -> None:
    rng = np.random.default_rng(7)
    x = rng.normal(size=(60, 3))
    wide = np.column_stack([x[:, 0], 2 * x[:, 0] - 3, x[:, 1], x[:, 0] - 7 * x[:, 1], x[:, 2], x.sum(axis=1) * 1e6])
    assert adds(wide).tolist() == [True, False, True, False, True, False]
    assert adds(wide[:, ::-1]).tolist() == [True, True, True, False, False, False]
    # As many as the rank, whatever the units, an offset or single precision.
    for scaled in (wide * 10.0 ** rng.integers(-90, 90, 6), wide + 100.0, wide.astype(np.float32).astype(np.float64)):
        assert adds(scaled).sum() == 3
    for d, rank in ((9, 2), (20, 13), (55, 30)):
        made = rng.normal(size=(60, rank)) @ rng.normal(size=(rank, d))
        assert adds(made).tolist() == [True] * rank + [False] * (d - rank)
    # A difference of a thousandth makes another feature; a few distinct vectors always lie in a plane.
    assert adds(np.column_stack([x[:, 0], x[:, 0] + 1e-3 * x[:, 1]])).all()
    assert adds(x[:4]).all()
    assert adds(np.repeat(x[:4], 20, axis=0)).all()
    assert not adds(np.column_stack([x[:, 0], x[:, 0]])).all()
    assert adds(np.column_stack([x[:, 0], np.full(60, 2.0)])).all()


@pytest.mark.parametrize(
    "of",
    [
        lambda x: delta(x, 2),
        lambda x: normalise(x, "mean"),
        normalise,
        lambda x: averaged(x, 3),
        lambda x: to_length(x, 9),
        lambda x: to_length(x, 1),
    ],
)
def test_sequences_of_one_length_go_together_and_get_what_each_gets_alone(of: Callable[..., Any]) -> None:
    """To the last bit, since digests of results depend on it; lengths come in any order, one of them once."""
    rng = np.random.default_rng(3)
    for d in (1, 3):
        arrays = [rng.normal(size=(int(n), d)) * 10.0 ** rng.integers(-8, 8) for n in [5, 1, 12, 5, 12, 5, 40, 1, 12]]
        arrays[3][:] = 0.1
        arrays[4][:, 0] = arrays[4][0, 0]
        together = of(SequenceSet.from_arrays(arrays))
        assert len(together) == len(arrays)
        for one, frames in zip(together, arrays, strict=True):
            np.testing.assert_array_equal(one, of(frames))


def test_middles_of_long_sequences() -> None:
    sequences = SequenceSet.from_arrays([np.arange(n, dtype=float)[:, None] for n in (3, 8, 5)])
    assert [part[:, 0].tolist() for part in middles(sequences, 4)] == [[0, 1, 2], [2, 3, 4, 5], [0, 1, 2, 3]]
    assert middles(sequences, 8) is sequences
