"""The estimator ``kinseq.hmm.GaussianHMM`` against hmmlearn's: one model of many sequences, paths, posteriors.

Both start from the same parameters, take the same number of iterations with hmmlearn's priors, and use one thread. Likelihoods
and paths are compared before the time is taken. hmmlearn has two implementations of the recursions; paths are the same in
both. The target is a ratio of CPU time to the faster one. dynamax, where it is installed, does the same in JAX on sequences of one
length with diagonal covariances; its priors differ, so that its numbers are not compared. pylibhmm has no wheels and did not build.
"""

from __future__ import annotations

import argparse
import logging
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np

from bench_hmm import control_chart, japanese_vowels, smooth, start
from kinseq import SequenceSet
from kinseq.hmm import HMMLEARN, GaussianHMM
from kinseq.models.hmm import HMMBank
from timing import interleave, markdown, say, write_csv

ITERATIONS = 20
OURS = "kinseq"
IMPLEMENTATIONS = ("scaling", "log")


@dataclass(frozen=True)
class Workload:
    """One row: task of a model, data, target."""

    name: str
    what: str
    make: Callable[[], tuple[SequenceSet, HMMBank]]
    call: Callable[[Any, SequenceSet], Any]
    target: float
    implementations: tuple[str, ...] = IMPLEMENTATIONS


def fitted(model: Any, data: SequenceSet) -> float:
    """Log-likelihood before the last iteration of a fit from the parameters that are set."""
    return float(model.fit(data.values, data.lengths).monitor_.history[-1])


def paths(model: Any, data: SequenceSet) -> Any:
    return model.decode(data.values, data.lengths)[1]


def posteriors(model: Any, data: SequenceSet) -> Any:
    return model.predict_proba(data.values, data.lengths)


def many(data: SequenceSet, k: int, full: bool = False) -> tuple[SequenceSet, HMMBank]:
    return data, start(data, k, full, common=True)


def long(n: int, d: int, k: int) -> tuple[SequenceSet, HMMBank]:
    """Return one sequence that the states of a model explain."""
    rng = np.random.default_rng(0)
    trans = 0.05 * rng.dirichlet(np.ones(k), size=k) + 0.95 * np.eye(k)
    bank = HMMBank(np.full((1, k), 1 / k), trans[None], 2.0 * rng.normal(size=(1, k, d)), np.ones((1, k, d)))
    model = GaussianHMM(k, random_state=0)
    put(model, bank)
    return SequenceSet(model.sample(n)[0], np.array([0, n]), name=f"{n} frames"), bank


WORKLOADS = (
    Workload("F1", "fit one model, K=5, of 270 sequences, T 7-26, d=12", lambda: many(japanese_vowels(), 5), fitted, 5),
    Workload("F2", "fit one model, K=5, of 600 sequences, T=60, d=1", lambda: many(control_chart(), 5), fitted, 5),
    Workload(
        "F3",
        "fit one model, K=8, of 400 sequences, T 100-160, d=12, full",
        lambda: many(smooth(400, 100, 160, 12, 7), 8, full=True),
        fitted,
        5,
    ),
    Workload("F4", "fit one model, K=4, of one sequence, T=50 000, d=4", lambda: long(50_000, 4, 4), fitted, 1),
    Workload("D1", "decode 1 000 000 frames, K=12, d=2", lambda: long(1_000_000, 2, 12), paths, 2, ("log",)),
    Workload("D2", "decode 1 000 000 frames, K=12, d=12", lambda: long(1_000_000, 12, 12), paths, 2, ("log",)),
    Workload("D3", "decode 600 sequences, T=60, K=5, d=1", lambda: many(control_chart(), 5), paths, 2, ("log",)),
    Workload("P1", "posteriors of 100 000 frames, K=12, d=12", lambda: long(100_000, 12, 12), posteriors, 2),
)


def put(model: Any, bank: HMMBank) -> None:
    """Set the parameters of an estimator."""
    model.startprob_, model.transmat_ = bank.startprob[0], bank.transmat[0]
    model.means_, model.covars_ = bank.means[0], bank.covars[0]


def candidates(work: Workload, data: SequenceSet, bank: HMMBank) -> dict[str, Callable[[], Any]]:
    """Calls by name, each of a model that begins again."""
    kind = "full" if bank.full else "diag"
    options = {**HMMLEARN, "n_iter": ITERATIONS, "tol": -np.inf, "init_params": ""}

    def called(make: Callable[[], Any]) -> Callable[[], Any]:
        def call() -> Any:
            model = make()
            put(model, bank)
            return work.call(model, data)

        return call

    calls = {OURS: called(lambda: GaussianHMM(bank.n_states, kind, **options))}
    if find_spec("hmmlearn"):
        from hmmlearn.hmm import GaussianHMM as Peer

        theirs = {name: value for name, value in options.items() if name != "n_init"}
        for which in work.implementations:
            calls[f"hmmlearn {which}"] = called(
                lambda which=which: Peer(bank.n_states, kind, implementation=which, **theirs)
            )
    if work.call in DYNAMAX and kind == "diag" and np.ptp(data.lengths) == 0 and find_spec("dynamax"):
        calls[JAX] = DYNAMAX[work.call](bank, data)
    return calls


JAX = "dynamax"


def _in_jax(bank: HMMBank, data: SequenceSet) -> tuple[Any, Any, Any, Any]:
    """Model, parameters, which of them are fitted, and emissions (sequences, frames, features)."""
    import jax

    jax.config.update("jax_enable_x64", True)
    from dynamax.hidden_markov_model import DiagonalGaussianHMM

    model = DiagonalGaussianHMM(
        bank.n_states, data.n_features, initial_probs_concentration=1.0, transition_matrix_concentration=1.0
    )
    params, props = model.initialize(
        initial_probs=jax.numpy.asarray(bank.startprob[0]),
        transition_matrix=jax.numpy.asarray(bank.transmat[0]),
        emission_means=jax.numpy.asarray(bank.means[0]),
        emission_scale_diags=jax.numpy.sqrt(jax.numpy.asarray(bank.covars[0])),
    )
    frames = data.values.reshape(len(data), -1, data.n_features)
    return model, params, props, jax.numpy.asarray(frames)


def _fit_in_jax(bank: HMMBank, data: SequenceSet) -> Callable[[], Any]:
    model, params, props, frames = _in_jax(bank, data)
    return lambda: float(model.fit_em(params, props, frames, num_iters=ITERATIONS, verbose=False)[1][-1])


def _over_sequences(name: str) -> Callable[[HMMBank, SequenceSet], Callable[[], Any]]:
    def prepared(bank: HMMBank, data: SequenceSet) -> Callable[[], Any]:
        import jax

        model, params, _, frames = _in_jax(bank, data)
        compiled = jax.jit(jax.vmap(lambda sequence: getattr(model, name)(params, sequence)))
        return lambda: jax.block_until_ready(compiled(frames))

    return prepared


DYNAMAX = {fitted: _fit_in_jax, paths: _over_sequences("most_likely_states"), posteriors: _over_sequences("smoother")}
"""Names in dynamax."""


def measure(work: Workload, repeats: int) -> list[dict[str, Any]]:
    """Return rows of all candidates of one workload."""
    say(f"{work.name}: {work.what}")
    data, bank = work.make()
    calls = candidates(work, data, bank)
    ours, *others = (np.asarray(call()) for name, call in calls.items() if name != JAX)
    if JAX in calls:
        calls[JAX]()  # compiles
    differs = max((float(np.abs(ours - other).max() / max(1.0, np.abs(other).max())) for other in others), default=0.0)
    times = interleave(calls, dict.fromkeys(calls, repeats))
    return [
        {
            "workload": work.name,
            "what": work.what,
            "candidate": name,
            "cpu_ms": round(1e3 * cpu, 3),
            "wall_ms": round(1e3 * wall, 3),
            "runs": runs,
            "ratio_to_kinseq": round(cpu / times[OURS][0], 2),
            "target": work.target,
            "largest_difference": f"{differs:.1e}",
        }
        for name, (cpu, wall, runs) in times.items()
    ]


def summary(rows: list[dict[str, Any]]) -> str:
    """Return one line per workload."""
    lines = []
    for name in dict.fromkeys(row["workload"] for row in rows):
        row_of = {row["candidate"]: row for row in rows if row["workload"] == name}
        peers = [row["ratio_to_kinseq"] for which, row in row_of.items() if which.startswith("hmmlearn")]
        line = {"": name, "workload": row_of[OURS]["what"], "kinseq, ms": f"{row_of[OURS]['cpu_ms']:.4g}"}
        for which in IMPLEMENTATIONS:
            row = row_of.get(f"hmmlearn {which}")
            line[f"hmmlearn {which}, ms"] = f"{row['cpu_ms']:.4g}" if row else "-"
        row = row_of.get(JAX)
        line["dynamax, ms"] = f"{row['cpu_ms']:.4g}" if row else "-"
        line["times faster"] = f"**{min(peers):.1f}**" if peers else "-"
        line["target"] = f"{row_of[OURS]['target']:g}"
        line["largest relative difference"] = row_of[OURS]["largest_difference"] if peers else "-"
        lines.append(line)
    return markdown(lines, list(lines[0]))


def run(options: argparse.Namespace) -> str:
    """Return all workloads; writes ``gaussian_hmm.csv`` and returns the table."""
    warnings.simplefilter("ignore")
    logging.getLogger("hmmlearn").setLevel(logging.ERROR)
    wanted = {name for name in options.only.split(",") if name}
    rows: list[dict[str, Any]] = []
    for work in WORKLOADS:
        if not wanted or work.name in wanted:
            rows += measure(work, options.repeats)
    if not rows:
        return ""
    write_csv(options.out / "gaussian_hmm.csv", rows)
    return f"## Estimator of hidden Markov models\n\n{__doc__.split(chr(10), 2)[2].strip()}\n\n{summary(rows)}"
