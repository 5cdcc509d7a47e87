"""The vector number type and the small matrices built on it."""

import numpy as np
import pytest

from kinseq.core.compiled import compiled
from kinseq.models.hmm import simd
from kinseq.models.hmm.linalg import cholesky, clip_eigenvalues, identity, invert_factor
from kinseq.models.hmm.simd import LANES, aligned, choose, load, mantissa, store, total


@compiled()
def each(x, exps, logs, parts):
    for i in range(x.shape[0]):
        store(simd.exp(load(x, i)), exps, i)
        store(simd.log(load(x, i)), logs, i)
        store(mantissa(load(x, i)) * 2.0, parts, i)


@compiled()
def sums(x, threshold, out):
    for i in range(x.shape[0]):
        out[i, 0] = total(load(x, i))
        store(choose(load(x, i), threshold, 1.0, load(x, i) / 2.0), out, i + x.shape[0])


@compiled()
def clip(a, least, vectors, out):
    identity(1, vectors)
    clip_eigenvalues(a, simd.repeat(1.0), simd.repeat(least), 1, vectors, out)


@compiled()
def clip_again(a, on, least, vectors, out):
    clip_eigenvalues(a, load(on), simd.repeat(least), 1, vectors, out)


@compiled()
def factorise(a, minus, factor, inverse, pivots, log_det):
    store(cholesky(a, minus, factor), pivots)
    store(invert_factor(factor, inverse), log_det)


def evaluate(x):
    padded = np.zeros(-(-x.size // LANES) * LANES)
    padded[: x.size] = x
    rows = padded.reshape(-1, LANES)
    results = [np.empty_like(rows) for _ in range(3)]
    each(rows, *results)
    return [result.ravel()[: x.size] for result in results]


def test_exp():
    x = np.concatenate([np.linspace(-700, 0, 100_001), -np.logspace(-300, 2, 1000), np.linspace(0, 700, 1001)])
    np.testing.assert_allclose(evaluate(x)[0], np.exp(x), rtol=5e-16)
    assert evaluate(np.zeros(3))[0].tolist() == [1.0, 1.0, 1.0]
    np.testing.assert_array_equal(evaluate(np.array([-709.0, -1e5, -1e300, -np.inf]))[0], 0.0)


def test_log():
    rng = np.random.default_rng(0)
    x = np.concatenate([np.exp(rng.uniform(-700, 700, 100_000)), rng.uniform(0.5, 2.0, 100_000), [5e-324, 1e-310]])
    found = evaluate(x)[1]
    np.testing.assert_allclose(found, np.log(x), rtol=5e-16)
    assert evaluate(np.array([1.0, 0.0]))[1].tolist() == [0.0, -np.inf]


def test_sum_and_choice():
    x = np.arange(2.0 * LANES).reshape(2, LANES)
    out = np.zeros((4, LANES))
    sums(x, 5.0, out)
    assert out[:2, 0].tolist() == x.sum(axis=1).tolist()
    np.testing.assert_array_equal(out[2:], np.where(x < 5.0, 1.0, x / 2.0))


def matrices(rng, d, rank):
    a = np.stack([(lambda m: m @ m.T)(rng.normal(size=(d, rank)) * 10.0 ** rng.uniform(-2, 2)) for _ in range(LANES)])
    return np.ascontiguousarray(np.moveaxis(a, 0, 2))


@pytest.mark.parametrize("d, rank", [(1, 1), (2, 1), (3, 3), (12, 5), (12, 12), (30, 8)])
def test_clipped_eigenvalues(d, rank):
    a = matrices(np.random.default_rng(d), d, rank)
    # One lane is diagonal already, one has equal eigenvalues.
    a[:, :, 3] = np.diag(np.arange(d) * 1e-3)
    a[:, :, 4] = np.eye(d)
    given, out = a.copy(), aligned(d, d, LANES)
    clip(a, 1e-2, aligned(2, d, d, LANES), out)
    for lane in range(LANES):
        values, vectors = np.linalg.eigh(given[:, :, lane])
        wanted = (vectors * np.maximum(values, 1e-2)) @ vectors.T
        lower = np.tril_indices(d)
        np.testing.assert_allclose(out[:, :, lane][lower], wanted[lower], atol=1e-13 * max(1.0, values[-1]))


def test_clipping_one_lane_does_not_touch_another():
    rng = np.random.default_rng(1)
    given = matrices(rng, 6, 4)
    first, second = aligned(6, 6, LANES), aligned(6, 6, LANES)
    clip(given.copy(), 1e-3, aligned(2, 6, 6, LANES), first)
    other = np.ascontiguousarray(given[:, :, rng.permutation(LANES)])
    other[:, :, 0] = given[:, :, 7]
    other[:, :, 1:] = matrices(rng, 6, 2)[:, :, 1:]
    clip(other, 1e-3, aligned(2, 6, 6, LANES), second)
    lower = np.tril_indices(6)
    np.testing.assert_array_equal(second[:, :, 0][lower], first[:, :, 7][lower])


def test_clipping_from_the_basis_of_another_matrix():
    rng = np.random.default_rng(4)
    given, vectors, out = matrices(rng, 7, 4), aligned(2, 7, 7, LANES), aligned(7, 7, LANES)
    on, lower = np.arange(LANES) % 2 * 1.0, np.tril_indices(7)
    clip(given.copy(), 1e-3, vectors, out)
    kept = vectors.copy()
    for _ in range(30):
        given = given + 0.01 * matrices(rng, 7, 2)
        clip_again(given.copy(), on, 1e-3, vectors, out)
    for lane in range(LANES):
        values, columns = np.linalg.eigh(given[:, :, lane])
        wanted = (columns * np.maximum(values, 1e-3)) @ columns.T
        if on[lane]:
            np.testing.assert_allclose(out[:, :, lane][lower], wanted[lower], atol=1e-13 * values[-1])
        else:
            np.testing.assert_array_equal(vectors[1, :, :, lane], kept[1, :, :, lane])


def test_cholesky_and_inverse():
    a = matrices(np.random.default_rng(2), 5, 9)
    factor, inverse, pivots, log_det = aligned(5, 5, LANES), aligned(5, 5, LANES), aligned(LANES), aligned(LANES)
    factorise(a, 0.0, factor, inverse, pivots, log_det)
    for lane in range(LANES):
        truth = np.linalg.cholesky(a[:, :, lane])
        np.testing.assert_allclose(np.tril(factor[:, :, lane]), truth, rtol=1e-12, atol=1e-12 * truth.max())
        np.testing.assert_allclose(np.tril(inverse[:, :, lane]) @ truth, np.eye(5), atol=1e-10)
        assert log_det[lane] == pytest.approx(np.linalg.slogdet(a[:, :, lane])[1], abs=1e-12)
    for lane in range(LANES):
        least = np.linalg.eigvalsh(a[:, :, lane])[0]
        for minus in (0.99 * least, 1.01 * least):
            factorise(a, minus, factor, inverse, pivots, log_det)
            assert (pivots[lane] > 0) == (minus < least)
