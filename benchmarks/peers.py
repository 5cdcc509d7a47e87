"""Other packages that fit hidden Markov models in Python, each as three calls from given parameters.

``fits`` fits one model to each chosen sequence, ``scores`` the likelihood of pairs (or of whole rows) of sequences and
models, ``common`` one model to all. A call is None where a library cannot do it. Libraries that are not installed are
left out of the tables.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np

from kinseq import SequenceSet
from kinseq.models.hmm import HMMBank

ITERATIONS = 20
FLOOR = 0.01
Call = Callable[[], Any]


@dataclass(frozen=True)
class Peer:
    """A library, and how many fits, pairs or rows of the work it is timed on."""

    name: str
    package: str
    fits: Callable[[SequenceSet, HMMBank, Sequence[int]], Call | None]
    scores: Callable[[SequenceSet, HMMBank, Any], Call | None]
    common: Callable[[SequenceSet, HMMBank], Call | None]
    n_fits: int
    n_pairs: int
    by_rows: bool = False
    """Scores every sequence under a model at once, so that `n_pairs` counts models."""
    once: bool = False
    """Too slow to be repeated on the common models."""

    @property
    def installed(self) -> bool:
        return find_spec(self.package) is not None


# ---------------------------------------------------------------------------------------------------------------------
# hmmlearn
# ---------------------------------------------------------------------------------------------------------------------


def _hmmlearn_model(bank: HMMBank, m: int, implementation: str) -> Any:
    from hmmlearn.hmm import GaussianHMM

    model = GaussianHMM(
        bank.n_states,
        "full" if bank.full else "diag",
        # Weights that keep a dying state from a division by zero, at no cost.
        covars_prior=FLOOR * np.eye(bank.n_features) if bank.full else FLOOR,
        covars_weight=bank.n_features + 1 if bank.full else 1,
        means_weight=1e-6,
        n_iter=ITERATIONS,
        tol=-np.inf,
        init_params="",
        implementation=implementation,
    )
    model.startprob_, model.transmat_ = bank.startprob[m], bank.transmat[m]
    model.means_, model.covars_ = bank.means[m], bank.covars[m]
    return model


def hmmlearn(implementation: str, once: bool) -> Peer:
    def fits(data: SequenceSet, bank: HMMBank, sample: Sequence[int]) -> Call:
        def call() -> None:
            for s in sample:
                _hmmlearn_model(bank, s, implementation).fit(data[s])

        return call

    def scores(data: SequenceSet, bank: HMMBank, pairs: Any) -> Call:
        models = {m: _hmmlearn_model(bank, m, implementation) for m in {int(m) for m, _ in pairs}}

        def call() -> None:
            for m, s in pairs:
                # The fast implementation gives up on pairs that underflow, which only shortens its time.
                with suppress(ValueError):
                    models[int(m)].score(data[int(s)])

        return call

    def common(data: SequenceSet, bank: HMMBank) -> Call:
        return lambda: _hmmlearn_model(bank, 0, implementation).fit(data.values, data.lengths)

    return Peer(f"hmmlearn {implementation}", "hmmlearn", fits, scores, common, 60, 1500, once=once)


# ---------------------------------------------------------------------------------------------------------------------
# pomegranate, on torch
# ---------------------------------------------------------------------------------------------------------------------


def _pomegranate_model(bank: HMMBank, m: int) -> Any:
    import torch
    from pomegranate.distributions import Normal
    from pomegranate.hmm import DenseHMM

    torch.set_num_threads(1)
    torch.set_default_dtype(torch.float64)
    k = bank.n_states
    # Its models end explicitly; a constant probability of the end changes no posterior.
    ends = np.full(k, 1e-3)
    states = [
        Normal(
            torch.tensor(bank.means[m, i]),
            torch.tensor(bank.covars[m, i]),
            covariance_type="full" if bank.full else "diag",
            min_cov=FLOOR,
        )
        for i in range(k)
    ]
    edges = torch.tensor(bank.transmat[m] * (1.0 - ends[:, None]))
    return DenseHMM(states, edges, torch.tensor(bank.startprob[m]), torch.tensor(ends), max_iter=ITERATIONS, tol=0.0)


def pomegranate() -> Peer:
    def tensors(data: SequenceSet, sample: Sequence[int]) -> list[Any]:
        import torch

        return [torch.tensor(data[int(s)][None]) for s in sample]

    def fits(data: SequenceSet, bank: HMMBank, sample: Sequence[int]) -> Call:
        frames = tensors(data, sample)

        def call() -> None:
            for s, x in zip(sample, frames, strict=True):
                # Full covariances of short sequences become singular; giving up only shortens its time.
                with suppress(RuntimeError):
                    _pomegranate_model(bank, int(s)).fit([x])

        return call

    def scores(data: SequenceSet, bank: HMMBank, pairs: Any) -> Call:
        models = {int(m): _pomegranate_model(bank, int(m)) for m, _ in pairs}
        frames = tensors(data, [s for _, s in pairs])

        def call() -> None:
            for (m, _), x in zip(pairs, frames, strict=True):
                models[int(m)].log_probability(x)

        return call

    def common(data: SequenceSet, bank: HMMBank) -> Call:
        import torch

        # It takes sequences of one length in one tensor.
        by_length = [
            torch.tensor(np.stack([data[int(s)] for s in np.flatnonzero(data.lengths == length)]))
            for length in np.unique(data.lengths)
        ]
        return lambda: _pomegranate_model(bank, 0).fit(by_length)

    return Peer("pomegranate", "pomegranate", fits, scores, common, 4, 100, once=True)


# ---------------------------------------------------------------------------------------------------------------------
# The batched scan that a user of JAX would write
# ---------------------------------------------------------------------------------------------------------------------


def _scan_functions() -> dict[str, Callable[..., Any]]:
    import jax

    jax.config.update("jax_enable_x64", True)
    import jax.numpy as jnp

    def densities(x: Any, means: Any, covars: Any) -> tuple[Any, Any]:
        z = x[:, None, :] - means
        logs = -0.5 * ((z * z / covars).sum(-1) + jnp.log(2 * jnp.pi * covars).sum(-1))
        top = logs.max(1)
        return jnp.exp(logs - top[:, None]), top

    def forward(b: Any, inside: Any, start: Any, trans: Any) -> tuple[Any, Any]:
        def step(alpha: Any, frame: Any) -> Any:
            density, first, within = frame
            joint = jnp.where(first, start, alpha @ trans) * density
            scale = jnp.where(within, joint.sum(), 1.0)
            alpha = jnp.where(within, joint / scale, alpha)
            return alpha, (alpha, scale)

        first = jnp.arange(b.shape[0]) == 0
        return jax.lax.scan(step, start, (b, first, inside))[1]

    def log_likelihood(x: Any, inside: Any, start: Any, trans: Any, means: Any, covars: Any) -> Any:
        b, top = densities(x, means, covars)
        _, scale = forward(b, inside, start, trans)
        return (jnp.log(scale) + jnp.where(inside, top, 0.0)).sum()

    def expectation(x: Any, inside: Any, start: Any, trans: Any, means: Any, covars: Any) -> tuple[Any, ...]:
        b, _ = densities(x, means, covars)
        alpha, scale = forward(b, inside, start, trans)

        def step(beta: Any, frame: Any) -> Any:
            density, c, within = frame
            w = jnp.where(within, density * beta / c, 0.0)
            return jnp.where(within, trans @ w, 1.0), (beta, w)

        _, (beta, w) = jax.lax.scan(step, jnp.ones_like(start), (b, scale, inside), reverse=True)
        gamma = alpha * beta * inside[:, None]
        counts = trans * (alpha[:-1].T @ w[1:])
        return gamma[0], counts, gamma.sum(0), gamma.T @ x, gamma.T @ (x * x)

    def maximisation(starts: Any, counts: Any, visits: Any, first: Any, second: Any) -> tuple[Any, ...]:
        weights = jnp.maximum(visits, 1e-10)[:, None]
        means = first / weights
        covars = jnp.maximum(second / weights - means * means, 1e-4)
        trans = counts / jnp.maximum(counts.sum(1, keepdims=True), 1e-10)
        return starts / starts.sum(), trans, means, covars

    def fit_one(x: Any, inside: Any, *model: Any) -> Any:
        return jax.lax.fori_loop(0, ITERATIONS, lambda _, now: maximisation(*expectation(x, inside, *now)), model)

    def fit_all(x: Any, inside: Any, *model: Any) -> Any:
        batch = jax.vmap(expectation, in_axes=(0, 0, None, None, None, None))

        def iteration(_: Any, now: Any) -> Any:
            return maximisation(*(part.sum(0) for part in batch(x, inside, *now)))

        return jax.lax.fori_loop(0, ITERATIONS, iteration, model)

    row = jax.vmap(log_likelihood, in_axes=(0, 0, None, None, None, None))

    def rows(x: Any, inside: Any, *models: Any) -> Any:
        return jax.lax.map(lambda model: row(x, inside, *model), models)

    return {"fits": jax.jit(jax.vmap(fit_one)), "common": jax.jit(fit_all), "scores": jax.jit(rows)}


def jax_scan() -> Peer:
    def padded(data: SequenceSet) -> tuple[Any, Any]:
        inside = np.arange(data.lengths.max()) < data.lengths[:, None]
        # Relative to the common mean, so that squares keep their digits.
        x = np.zeros((*inside.shape, data.n_features))
        x[inside] = data.values - data.values.mean(axis=0)
        return x, inside

    def call(kind: str, data: SequenceSet, bank: HMMBank, models: Any) -> Call | None:
        if bank.full:
            return None
        function = _scan_functions()[kind]
        centre = data.values.mean(axis=0)
        model = bank.startprob[models], bank.transmat[models], bank.means[models] - centre, bank.covars[models]
        x, inside = padded(data)

        def run() -> None:
            import jax

            jax.block_until_ready(function(x, inside, *model))

        return run

    return Peer(
        "JAX scan",
        "jax",
        lambda data, bank, sample: call("fits", data, bank, slice(None)),
        lambda data, bank, models: call("scores", data, bank, models),
        lambda data, bank: call("common", data, bank, 0),
        10**9,
        30,
        by_rows=True,
    )


PEERS = (hmmlearn("scaling", once=False), hmmlearn("log", once=True), pomegranate(), jax_scan())
"""The first is what the targets refer to."""
