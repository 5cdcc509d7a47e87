"""Word models: likelihoods against sums over all paths and the general engine, training against its own definition."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.stats import norm

from kinseq.core.errors import DataError
from kinseq.models.hmm import HMMBank, log_likelihood
from kinseq.models.left_to_right import (
    Frames,
    WordModels,
    decode_words,
    fit_words,
    frames_of,
    least_frames,
    word_log_likelihood,
)
from tests.sentences import Recorded


def some_models(n_states: int, topology: int, d: int = 2, n: int = 2, seed: int = 0) -> WordModels:
    rng = np.random.default_rng(seed)
    start = rng.dirichlet(np.ones(2), n)
    moves = rng.dirichlet(np.ones(3), (n, n_states))
    if topology == 1 or n_states == 1:
        start[:] = (1.0, 0.0)
    if topology == 1:
        moves[:, :, 2] = 0.0
    moves[:, -1, 2] = 0.0
    moves /= moves.sum(axis=2, keepdims=True)
    return WordModels(
        start, moves, rng.normal(size=(n, n_states, d)), rng.uniform(0.3, 2.0, (n, n_states, d)), np.arange(d),
        np.zeros((n, 0)),
    )  # fmt: skip


def some_frames(lengths: list[int], d: int = 2, seed: int = 1) -> Frames:
    rows = np.random.default_rng(seed).normal(size=(sum(lengths), d))
    return Frames(np.ascontiguousarray(rows.T), rows, np.concatenate([[0], np.cumsum(lengths)]))


def paths(models: WordModels, c: int, x: np.ndarray) -> tuple[list[tuple[int, ...]], np.ndarray]:
    """Every sequence of states with its log-probability, from the full transition matrix with entry and exit."""
    k, full = models.n_states, models.transmat[c]
    found, scores = [], []
    for path in itertools.product(range(k), repeat=len(x)):
        whole = [0, *(state + 1 for state in path), k + 1]
        p = np.prod([full[i, j] for i, j in itertools.pairwise(whole)])
        b = sum(
            norm.logpdf(x[t], models.means[c, s], np.sqrt(models.variances[c, s])).sum() for t, s in enumerate(path)
        )
        found.append(path)
        scores.append(np.log(p) + b if p > 0 else -np.inf)
    return found, np.array(scores)


@pytest.mark.parametrize("topology", [1, 2])
@pytest.mark.parametrize("n_states", [1, 2, 3, 4])
def test_likelihoods_are_sums_and_maxima_over_all_paths(n_states: int, topology: int) -> None:
    models, frames = some_models(n_states, topology), some_frames([4, 2, 5])
    for decoding in ("viterbi", "forward"):
        found = word_log_likelihood(models, frames, decoding=decoding)  # type: ignore[arg-type]
        for s, c in itertools.product(range(3), range(2)):
            scores = paths(models, c, frames.rows[frames.offsets[s] : frames.offsets[s + 1]])[1]
            if np.isneginf(scores).all():
                assert np.isneginf(found[s, c])
                continue
            expected = scores.max() if decoding == "viterbi" else np.logaddexp.reduce(scores)
            assert found[s, c] == pytest.approx(expected, rel=1e-11)


@pytest.mark.parametrize("topology", [1, 2])
@pytest.mark.parametrize("n_states", [1, 2, 3, 4])
def test_paths_and_posteriors_are_those_of_all_paths(n_states: int, topology: int) -> None:
    models, frames = some_models(n_states, topology, n=3), some_frames([4, 5, 6])
    found = decode_words(models, frames)
    for decoding, of in (("viterbi", "path_log_likelihood"), ("forward", "log_likelihood")):
        scores = word_log_likelihood(models, frames, decoding=decoding)  # type: ignore[arg-type]
        np.testing.assert_allclose([getattr(made, of) for made in found], scores, rtol=1e-11)
    for s, c in itertools.product(range(3), range(3)):
        ways, scores = paths(models, c, frames.rows[frames.offsets[s] : frames.offsets[s + 1]])
        shares = np.exp(scores - np.logaddexp.reduce(scores))
        states = np.array(ways)
        assert found[s].paths[c].tolist() == list(ways[int(scores.argmax())])
        expected = [[shares[states[:, t] == k].sum() for k in range(n_states)] for t in range(states.shape[1])]
        np.testing.assert_allclose(found[s].posteriors[c], expected, atol=1e-12)
    assert [made.paths.tolist() for made in decode_words(models, frames, [2, 0])] == [
        found[2].paths.tolist(),
        found[0].paths.tolist(),
    ]


def test_a_path_that_is_not_there_is_said_to_be_none(recorded: Recorded) -> None:
    models = some_models(4, 1)
    with recorded.raises(DataError):
        decode_words(models, some_frames([4, 2]))
    with pytest.raises(DataError, match="position 2"):
        decode_words(models, some_frames([4, 2]), [2])


def test_paths_of_trained_models_are_cut_where_the_sounds_change() -> None:
    frames = frames_of(spoken())
    models = fit_words(frames, [np.arange(12)], n_states=3)
    for made, lengths in zip(decode_words(models, frames), sounds(), strict=True):
        np.testing.assert_array_equal(made.paths[0], np.repeat([0, 1, 2], lengths))
        np.testing.assert_array_equal(made.posteriors[0].argmax(axis=1), made.paths[0])


def test_sequences_too_short_for_a_path_have_no_likelihood() -> None:
    frames = some_frames([1, 2, 3, 4, 5])
    for topology, n_states in itertools.product((1, 2), (1, 2, 3, 4, 5)):
        found = word_log_likelihood(some_models(n_states, topology), frames)[:, 0]
        least = least_frames(n_states, topology)  # type: ignore[arg-type]
        np.testing.assert_array_equal(np.isfinite(found), np.arange(1, 6) >= least)


def test_no_sequences_have_no_likelihoods() -> None:
    models, frames = some_models(3, 2, n=2), some_frames([4, 5])
    for decoding in ("viterbi", "forward"):
        assert word_log_likelihood(models, frames, [], decoding).shape == (0, 2)  # type: ignore[arg-type]


def test_likelihoods_of_frames_far_from_every_state_are_exact() -> None:
    # The marker of the exit is farther away than any frame can be.
    models, frames = some_models(3, 2, n=2), some_frames([4, 5])
    far = Frames(1e6 * frames.columns, 1e6 * frames.rows, frames.offsets)
    for s, c in itertools.product(range(2), range(2)):
        scores = paths(models, c, far.rows[far.offsets[s] : far.offsets[s + 1]])[1]
        found = word_log_likelihood(models, far, [s], decoding="forward")[0, c]
        assert found == pytest.approx(np.logaddexp.reduce(scores), rel=1e-11)


def test_the_general_engine_gives_the_same_likelihood() -> None:
    # There, an exit is a state that emits a frame that no other state would.
    models, frames = some_models(4, 2, d=2, n=3), some_frames([9, 14])
    n, k = len(models), 4
    trans = models.transmat[:, 1:, 1:]
    bank = HMMBank(
        np.concatenate([models.start, np.zeros((n, 3))], axis=1),
        trans,
        np.concatenate([models.means, np.full((n, 1, 2), 50.0)], axis=1),
        np.concatenate([models.variances, np.ones((n, 1, 2))], axis=1),
    )
    ended = [np.vstack([frames.rows[a:b], [50.0, 50.0]]) for a, b in itertools.pairwise(frames.offsets)]
    expected = log_likelihood(bank, ended) + np.log(2.0 * np.pi)
    np.testing.assert_allclose(word_log_likelihood(models, frames, decoding="forward").T, expected, rtol=1e-9)
    assert k == bank.n_states - 1


def spoken(seed: int = 0, n: int = 12) -> list[np.ndarray]:
    """Three levels one after another, held for random times."""
    rng = np.random.default_rng(seed)
    return [
        np.concatenate([rng.normal((level, -level), 0.3, (rng.integers(3, 9), 2)) for level in (0.0, 3.0, -2.0)])
        for _ in range(n)
    ]


def sounds() -> list[list[int]]:
    """How long the levels of :func:`spoken` are held."""
    found = []
    for x in spoken():
        nearest = np.abs(x[:, :1] - [0.0, 3.0, -2.0]).argmin(axis=1)
        found.append(np.bincount(nearest, minlength=3).tolist())
    return found


def one_round(models: WordModels, frames: Frames, viterbi: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Means, variances and moves of class 0 after a round of training on all sequences, path by path."""
    k, d = models.n_states, models.features.size
    counts, visits = np.zeros((k + 2, k + 2)), np.zeros(k)
    first, second = np.zeros((k, d)), np.zeros((k, d))
    for a, b in itertools.pairwise(frames.offsets):
        x = frames.rows[a:b]
        found, scores = paths(models, 0, x)
        weights = (scores == scores.max()) * 1.0 if viterbi else np.exp(scores - np.logaddexp.reduce(scores))
        for path, weight in zip(found, weights, strict=True):
            for i, j in itertools.pairwise([0, *(s + 1 for s in path), k + 1]):
                counts[i, j] += weight
            for t, s in enumerate(path):
                visits[s] += weight
                first[s] += weight * x[t]
                second[s] += weight * x[t] ** 2
    means = first / visits[:, None]
    rows = counts[1:-1] / counts[1:-1].sum(axis=1, keepdims=True)
    return means, second / visits[:, None] - means**2, rows


@pytest.mark.parametrize("viterbi", [True, False])
@pytest.mark.parametrize("topology", [1, 2])
def test_a_round_of_training_is_that_of_the_definition(topology: int, viterbi: bool) -> None:
    frames = some_frames([5, 4, 4, 5])
    everyone = [np.arange(4)]
    rounds = (1, 0) if viterbi else (0, 1)
    before = fit_words(frames, everyone, 3, topology, 0, 0, floor=1e-12)  # type: ignore[arg-type]
    after = fit_words(frames, everyone, 3, topology, *rounds, floor=1e-12)  # type: ignore[arg-type]
    means, variances, rows = one_round(before, frames, viterbi)
    np.testing.assert_allclose(after.means[0], means, atol=1e-10)
    np.testing.assert_allclose(after.variances[0], np.maximum(variances, 1e-12), atol=1e-10)
    # Allowed transitions keep a small probability if none was observed.
    np.testing.assert_allclose(after.transmat[0, 1:-1], rows, atol=3e-5)
    likelihoods = word_log_likelihood(before, frames, decoding="viterbi" if viterbi else "forward")
    assert after.trace[0, 0] == pytest.approx(likelihoods.sum(), rel=1e-12)


@pytest.mark.parametrize("topology", [1, 2])
def test_training_gains_and_keeps_what_is_forbidden_at_zero(topology: int) -> None:
    frames = frames_of(spoken() + spoken(1))
    models = fit_words(frames, [np.arange(12), np.arange(12, 24)], 5, topology, 6, 6, tol=0.0)  # type: ignore[arg-type]
    gains = np.diff(models.trace, axis=1)
    assert (gains[:, :5] > -1e-3).all()
    assert (gains[:, 6:] > -1e-3).all()
    # All paths together are likelier than the best one.
    assert (gains[:, 5] > 0).all()
    full = models.transmat
    for i, j in itertools.product(range(7), repeat=2):
        step = j - i
        allowed = (0 <= step <= topology and not (i == j == 0)) and not (i == 0 and j == 6)
        if i == 6:
            continue
        assert ((full[:, i, j] > 0) == allowed).all(), (i, j)
    np.testing.assert_allclose(full.sum(axis=2), 1.0, atol=1e-12)


def test_states_find_the_parts_of_a_word() -> None:
    frames = frames_of(spoken())
    models = fit_words(frames, [np.arange(12)], 3)
    raw = np.concatenate(spoken())
    scaled = (np.array([[0.0, 0.0], [3.0, -3.0], [-2.0, 2.0]]) - raw.mean(axis=0)) / raw.std(axis=0)
    np.testing.assert_allclose(models.means[0], scaled, atol=0.1)


def test_classes_do_not_see_each_other_and_features_are_chosen() -> None:
    sequences = [np.column_stack([x, np.random.default_rng(i).normal(size=len(x))]) for i, x in enumerate(spoken())]
    frames = frames_of(sequences)
    both = fit_words(frames, [[0, 1, 2, 3], [4, 5, 6]], 3, features=[0, 1])
    alone = fit_words(frames_of(sequences), [[4, 5, 6]], 3, features=[0, 1])
    np.testing.assert_array_equal(both.means[1], alone.means[0])
    np.testing.assert_array_equal(both.moves[1], alone.moves[0])
    scores = word_log_likelihood(both, frames)
    np.testing.assert_array_equal(word_log_likelihood(both, frames, [7, 2]), scores[[7, 2]])


def test_offset_and_scale_of_features_do_not_matter() -> None:
    sequences = spoken()
    changed = [1e-3 * x + 1e5 for x in sequences]
    first, second = (
        word_log_likelihood(fit_words(frames_of(x), [[0, 1, 2], [3, 4, 5]], 3), frames_of(x))
        for x in (sequences, changed)
    )
    np.testing.assert_allclose(first, second, rtol=1e-5)


def test_constant_features_and_equal_frames_do_no_harm() -> None:
    still = [np.ones((6, 2)) for _ in range(4)]
    models = fit_words(frames_of(still), [[0, 1], [2, 3]], 3)
    assert np.isfinite(word_log_likelihood(models, frames_of(still))).all()
    assert (models.variances >= 0.01).all()


def test_sequences_too_short_to_train_on_are_refused(recorded: Recorded) -> None:
    with recorded.raises(DataError):
        fit_words(some_frames([6, 3, 7]), [[0, 1]], 5)
    with recorded.raises(DataError):
        fit_words(some_frames([6, 3]), [[0], []], 2)
