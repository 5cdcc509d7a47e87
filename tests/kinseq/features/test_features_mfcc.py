"""Cepstral coefficients against an implementation written out from the stated conventions, sample by sample."""

from __future__ import annotations

import math
from dataclasses import fields

import numpy as np
import pytest

from kinseq.core.errors import DataError, ParameterError
from kinseq.features import CepstralRecipe, delta, mfcc
from kinseq.features.cepstral import RECIPES, cepstral_recipe, mfcc_of_stream
from tests.sentences import Recorded


def _signal(seconds: float = 0.2, rate: int = 8000, seed: int = 1) -> np.ndarray:
    rng = np.random.default_rng(seed)
    t = np.arange(int(seconds * rate)) / rate
    return 0.3 * np.sin(2 * np.pi * 440 * t * (1 + t)) + 0.05 * rng.normal(size=t.size)


def _mel(f: float, scale: str) -> float:
    if scale == "htk":
        return 2595.0 * math.log10(1.0 + f / 700.0)
    return f / (200.0 / 3.0) if f < 1000.0 else 15.0 + math.log(f / 1000.0) * 27.0 / math.log(6.4)


def _hz(m: float, scale: str) -> float:
    if scale == "htk":
        return 700.0 * (10.0 ** (m / 2595.0) - 1.0)
    return m * 200.0 / 3.0 if m < 15.0 else 1000.0 * math.exp((m - 15.0) * math.log(6.4) / 27.0)


def _reference(signal: np.ndarray, rate: int, r: CepstralRecipe) -> np.ndarray:
    """Slow and literal: discrete Fourier sums, triangles and cosines written out."""
    size, hop = round(r.window_seconds * rate), round(r.hop_seconds * rate)
    n_fft = r.n_fft or 2 ** math.ceil(math.log2(size))
    if r.center:
        signal = np.concatenate([np.zeros(size // 2), signal, np.zeros(size // 2)])
    top = r.fmax or rate / 2
    edges = [
        _mel(r.fmin, r.mel) + (_mel(top, r.mel) - _mel(r.fmin, r.mel)) * i / (r.n_mels + 1) for i in range(r.n_mels + 2)
    ]
    corners = [_hz(m, r.mel) for m in edges]
    n_bins = n_fft // 2 + 1
    weights = np.zeros((r.n_mels, n_bins))
    for b in range(r.n_mels):
        knots = edges if r.filter_shape == "mel" else corners
        for k in range(n_bins):
            f = k * rate / n_fft
            at = _mel(f, r.mel) if r.filter_shape == "mel" else f
            if knots[b] < at <= knots[b + 1]:
                weights[b, k] = (at - knots[b]) / (knots[b + 1] - knots[b])
            elif knots[b + 1] < at < knots[b + 2]:
                weights[b, k] = (knots[b + 2] - at) / (knots[b + 2] - knots[b + 1])
            if r.filter_norm == "slaney":
                weights[b, k] *= 2.0 / (corners[b + 2] - corners[b])
    kernel = np.exp(-2j * np.pi * np.outer(np.arange(n_bins), np.arange(size)) / n_fft)
    rows = []
    for start in range(0, len(signal) - size + 1, hop):
        x = [float(v) * r.full_scale for v in signal[start : start + size]]
        energy = math.log(max(sum(v * v for v in x), r.floor))
        if r.zero_mean:
            x = [v - sum(x) / size for v in x]
        x = [x[0] * (1 - r.preemphasis)] + [x[i] - r.preemphasis * x[i - 1] for i in range(1, size)]
        if r.window == "hamming":
            x = [v * (0.54 - 0.46 * math.cos(2 * math.pi * i / (size - 1))) for i, v in enumerate(x)]
        elif r.window == "hann":
            x = [v * (0.5 - 0.5 * math.cos(2 * math.pi * i / size)) for i, v in enumerate(x)]
        spectrum = np.abs(kernel @ np.array(x))
        bands = weights @ (spectrum**2 if r.spectrum == "power" else spectrum)
        logs = [math.log(max(v, r.floor)) for v in bands]
        row = []
        for n in range(r.n_mfcc):
            c = sum(v * math.cos(math.pi * n * (j + 0.5) / r.n_mels) for j, v in enumerate(logs))
            c *= math.sqrt((1.0 if n == 0 else 2.0) / r.n_mels)
            row.append(c * (1.0 + r.lifter / 2 * math.sin(math.pi * n / r.lifter)) if r.lifter else c)
        row = row[1:] if r.drop_c0 else row
        rows.append([*row, energy] if r.energy != "none" else row)
    out = np.array(rows)
    if r.energy == "normalised":
        loudest = out[:, -1].max()
        out[:, -1] = [1.0 - 0.1 * (loudest - max(e, loudest - 50.0 * math.log(10.0) / 10.0)) for e in out[:, -1]]
    blocks = [out]
    for _ in range(r.deltas):
        last, w = blocks[-1], r.delta_width
        norm = 2.0 * sum(k * k for k in range(1, w + 1))
        grown = np.zeros_like(last)
        for t in range(len(last)):
            for k in range(1, w + 1):
                grown[t] += k * (last[min(t + k, len(last) - 1)] - last[max(t - k, 0)]) / norm
        blocks.append(grown)
    return np.concatenate(blocks, axis=1)


@pytest.mark.parametrize("name", sorted(RECIPES))
@pytest.mark.parametrize("rate", [8000, 11025])
def test_recipes_match_the_conventions_written_out(name: str, rate: int) -> None:
    signal = _signal(rate=rate)
    np.testing.assert_allclose(mfcc(signal, rate, name), _reference(signal, rate, RECIPES[name]), rtol=0, atol=1e-8)


# One value other than the default for each convention: it must have exactly the effect that its description states.
CHANGES = [
    {"window_seconds": 0.02, "hop_seconds": 0.007},
    {"window": "rectangular"},
    {"window": "hann"},
    {"center": True},
    {"zero_mean": True},
    {"preemphasis": 0.5},
    {"full_scale": 1000.0},
    {"n_fft": 512},
    {"spectrum": "power"},
    {"n_mels": 20},
    {"mel": "slaney"},
    {"filter_shape": "hz"},
    {"filter_norm": "slaney"},
    {"fmin": 100.0, "fmax": 3000.0},
    {"floor": 1e7},
    {"n_mfcc": 5},
    {"drop_c0": False},
    {"lifter": 0},
    {"lifter": 10},
    {"energy": "log"},
    {"energy": "none"},
    {"deltas": 2},
    {"delta_width": 3},
]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: "-".join(change))
def test_every_convention_has_its_stated_effect(change: dict[str, object]) -> None:
    signal = _signal(0.15)
    signal[700:] *= 1e-4  # quiet enough for the floors to matter
    signal[700:] += 0.01
    found = mfcc(signal, 8000, "speech", **change)
    recipe = cepstral_recipe("speech", **change)
    assert found.shape[1] == recipe.n_features
    np.testing.assert_allclose(found, _reference(signal, 8000, recipe), rtol=0, atol=1e-8)
    plain = mfcc(signal, 8000, "speech")
    assert found.shape != plain.shape or np.abs(found - plain).max() > 1e-6


def test_every_convention_is_tried() -> None:
    assert {name for change in CHANGES for name in change} == {entry.name for entry in fields(CepstralRecipe)}


def test_shapes_of_the_documents() -> None:
    rate = 16000
    signal = _signal(1.0, rate)
    assert mfcc(signal, rate, "speech").shape == (98, 26)  # 1 + (1000 - 25) // 10
    minute = np.resize(signal, 60 * rate)
    assert mfcc(minute, rate, "music").shape == (3999, 6)  # the thesis rounds to 4000


def test_agrees_with_librosa_where_it_makes_the_same_choices() -> None:
    librosa = pytest.importorskip("librosa")
    signal, rate = _signal(1.0, 16000), 16000
    theirs = librosa.feature.mfcc(
        y=signal, sr=rate, n_mfcc=7, n_fft=512, win_length=480, hop_length=240, n_mels=30, center=True
    )
    ours = mfcc(signal, rate, "music", center=True, drop_c0=False)
    # librosa takes 10 log10 and stores its filters in single precision
    np.testing.assert_allclose(ours * 10.0 / np.log(10.0), theirs.T, atol=2e-5)


def test_loudness_moves_only_what_it_should() -> None:
    signal = _signal(0.5)
    soft, loud = (mfcc(scale * signal, 8000, floor=1e-12) for scale in (0.1, 1.0))
    np.testing.assert_allclose(soft, loud, atol=1e-8)  # c0 is dropped and the energy is normalised
    soft, loud = (mfcc(scale * signal, 8000, "music", floor=1e-30, drop_c0=False) for scale in (0.1, 1.0))
    np.testing.assert_allclose(loud[:, 1:], soft[:, 1:], atol=1e-9)
    np.testing.assert_allclose(loud[:, 0] - soft[:, 0], np.sqrt(30) * np.log(100.0), atol=1e-9)


@pytest.mark.parametrize("name", sorted(RECIPES))
@pytest.mark.parametrize("center", [False, True])
def test_pieces_give_the_same_bits_as_the_whole(name: str, center: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    signal = rng.normal(size=8000 * 25) * 0.1
    recipe = cepstral_recipe(name, center=center)
    whole = mfcc(signal, 8000, recipe)
    for cuts in (np.sort(rng.integers(0, signal.size, 40)), [1, 2, 3], np.arange(333, signal.size, 777)):
        pieces = np.split(signal, cuts)
        assert np.array_equal(mfcc_of_stream(pieces, 8000, recipe), whole)
    # and more than one run of frames was involved
    monkeypatch.setattr("kinseq.features.cepstral._FRAMES_PER_RUN", 100)
    np.testing.assert_allclose(mfcc(signal, 8000, recipe), whole, atol=1e-9)


def test_hops_longer_than_the_window_skip_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kinseq.features.cepstral._FRAMES_PER_RUN", 3)
    signal = _signal(2.0)
    change = {"hop_seconds": 0.1, "window_seconds": 0.03}
    found = mfcc_of_stream(np.split(signal, np.arange(50, signal.size, 130)), 8000, cepstral_recipe("speech", **change))
    np.testing.assert_allclose(found, _reference(signal, 8000, cepstral_recipe("speech", **change)), atol=1e-8)


def test_integers_are_pcm() -> None:
    signal = np.round(_signal() * 32767) / 32768
    pcm = (signal * 32768).astype(np.int16)
    assert np.array_equal(mfcc(pcm, 8000), mfcc(signal, 8000))
    unsigned = (np.round(signal * 128) + 128).astype(np.uint8)
    assert np.array_equal(mfcc(unsigned, 8000), mfcc(np.round(signal * 128) / 128, 8000))


def test_silence_is_finite() -> None:
    for name in RECIPES:
        assert np.isfinite(mfcc(np.zeros(8000), 8000, name)).all()


def test_deltas_are_those_of_delta() -> None:
    features = mfcc(_signal(0.5), 8000)
    assert np.array_equal(features[:, 13:], delta(features[:, :13], 2))


@pytest.mark.parametrize(
    "signal",
    [
        np.zeros((2, 8000)),
        np.zeros(0),
        np.zeros(100),
        np.array([0.0] * 500 + [np.nan] + [0.0] * 500),
        np.full(8000, 1e200),
        ["a", "b"],
    ],
)
def test_bad_signals_are_refused_by_name(signal: object, recorded: Recorded) -> None:
    with recorded.raises(DataError):
        mfcc(signal, 8000)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "arguments",
    [
        {"recipe": "speach"},
        {"n_melz": 3},
        {"n_mels": 5},
        {"n_mels": 200},
        {"n_fft": 100},
        {"fmax": 5000.0},
        {"fmin": 4000.0},
        {"fmin": 3000.0, "fmax": 2000.0},
        {"preemphasis": 1.5},
        {"preemphasis": float("nan")},
        {"window": "kaiser"},
        {"floor": 0.0},
        {"window_seconds": 0.0001},
        {"hop_seconds": -1},
        {"deltas": -1},
        {"n_mfcc": 1, "energy": "none"},
        {"sample_rate": 0},
        {"sample_rate": float("nan")},
        {"sample_rate": "fast"},
    ],
)
def test_bad_settings_are_refused_by_name(arguments: dict[str, object], recorded: Recorded) -> None:
    rate = arguments.pop("sample_rate", 8000)
    with recorded.raises(ParameterError):
        mfcc(np.zeros(8000), rate, **arguments)  # type: ignore[arg-type]
