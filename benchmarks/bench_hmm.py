"""Hidden Markov models beside hmmlearn: fits (W1), likelihood matrices (W2), global models (W3), two threads, memory.

Both sides start from the same parameters, run the same number of iterations without a test of the gain and compute in
float64. hmmlearn keeps its default prior of 0.01 on the covariances, which is its floor; ours is the default floor. A
peer that would take minutes is timed on a random part of the sequences or pairs and scaled up; the table says which
part.
"""

from __future__ import annotations

import argparse
import logging
import subprocess
import sys
import warnings
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from kinseq import SequenceSet
from kinseq.models.hmm import HMMBank, fit_bank, fit_global
from timing import interleave, markdown, say, write_csv

ITERATIONS = 20
EXACT = {"max_iter": ITERATIONS, "tol": -float("inf")}


# ---------------------------------------------------------------------------------------------------------------------
# Data
# ---------------------------------------------------------------------------------------------------------------------


def japanese_vowels() -> SequenceSet:
    """The 270 training utterances that come with aeon."""
    from aeon.datasets import load_japanese_vowels

    cases, labels = load_japanese_vowels(split="train")
    return SequenceSet.from_arrays([case.T for case in cases], labels=labels, name="Japanese Vowels")


def control_chart(n: int = 600, length: int = 60) -> SequenceSet:
    """Six kinds of control charts by the published formulas: normal, cyclic, trends and shifts in both directions."""
    rng = np.random.default_rng(1)
    t = np.arange(length)
    charts = []
    for i in range(n):
        x = 30.0 + 2.0 * rng.uniform(-3, 3, size=length)
        kind = i * 6 // n
        if kind == 1:
            x += rng.uniform(10, 15) * np.sin(2 * np.pi * t / rng.uniform(10, 15))
        elif kind in (2, 3):
            x += (1 if kind == 2 else -1) * rng.uniform(0.2, 0.5) * t
        elif kind in (4, 5):
            x += (1 if kind == 4 else -1) * rng.uniform(7.5, 20) * (t >= rng.uniform(length / 3, 2 * length / 3))
        charts.append(x[:, None])
    return SequenceSet.from_arrays(charts, name="control charts")


def smooth(n: int, low: int, high: int, d: int, seed: int) -> SequenceSet:
    """Made-up frames like those of speech features: a first-order autoregression about a mean of its own."""
    rng = np.random.default_rng(seed)
    result = []
    for _ in range(n):
        noise = rng.normal(size=(rng.integers(low, high + 1), d))
        for t in range(1, len(noise)):
            noise[t] += 0.8 * noise[t - 1]
        result.append(noise + rng.normal(size=d))
    return SequenceSet.from_arrays(result, name=f"{n} sequences of d={d}")


def start(data: SequenceSet, k: int, full: bool = False, common: bool = False) -> HMMBank:
    """The same initial parameters for every candidate: frames as means, variances of the data, random rows."""
    rng = np.random.default_rng(0)
    n, d = 1 if common else len(data), data.n_features
    pools = [data.values] if common else list(data)
    means = np.stack([pool[rng.choice(len(pool), k, replace=len(pool) < k)] for pool in pools])
    variances = np.tile(data.values.var(axis=0), (n, k, 1))
    covars = variances[..., None] * np.eye(d) if full else variances
    return HMMBank(rng.dirichlet(np.ones(k), size=n), rng.dirichlet(np.ones(k), size=(n, k)), means, covars)


# ---------------------------------------------------------------------------------------------------------------------
# hmmlearn
# ---------------------------------------------------------------------------------------------------------------------


def peer(bank: HMMBank, m: int, implementation: str) -> Any:
    """Model m of a bank as an hmmlearn model."""
    from hmmlearn.hmm import GaussianHMM

    model = GaussianHMM(
        bank.n_states,
        "full" if bank.full else "diag",
        # Weights that keep a dying state from dividing by zero; they cost nothing.
        covars_prior=0.01 * np.eye(bank.n_features) if bank.full else 0.01,
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


def peer_fits(data: SequenceSet, bank: HMMBank, chosen: Any, implementation: str) -> Callable[[], None]:
    def call() -> None:
        for s in chosen:
            peer(bank, s, implementation).fit(data[s])

    return call


def peer_scores(data: SequenceSet, bank: HMMBank, pairs: Any, implementation: str) -> Callable[[], None]:
    models = {m: peer(bank, m, implementation) for m in {int(m) for m, _ in pairs}}

    def call() -> None:
        for m, s in pairs:
            # The peer's fast implementation gives up on pairs that underflow, which only shortens its time.
            with suppress(ValueError):
                models[int(m)].score(data[int(s)])

    return call


# ---------------------------------------------------------------------------------------------------------------------
# Workloads
# ---------------------------------------------------------------------------------------------------------------------


@dataclass
class Workload:
    """One row: what is done, our call (of a number of threads), and the peer's on a part of the work."""

    name: str
    what: str
    target: float
    stretch: float
    ours: Callable[[int], Any]
    peer: Callable[[str], Callable[[], None]]
    part: float
    others: dict[str, Callable[[], Any]]


def _share(whole: int, most: int) -> Any:
    chosen = np.random.default_rng(2).permutation(whole)[:most]
    return chosen, len(chosen) / whole


def fits(
    name: str, data: SequenceSet, k: int, target: float, stretch: float, full: bool = False, most: int = 60
) -> Workload:
    bank = start(data, k, full)
    chosen, part = _share(len(data), most)
    others: dict[str, Callable[[], Any]] = {}
    if name == "W1":
        # One k-means start, as a user without initial parameters would have it.
        others["with k-means"] = lambda: fit_bank(data, k, "full" if full else "diag", n_init=1, **EXACT)
    return Workload(
        name,
        f"fit {len(data)} HMMs, K={k}, d={data.n_features}, {'full' if full else 'diagonal'} ({data.name})",
        target,
        stretch,
        lambda threads: fit_bank(data, k, init=bank, threads=threads, **EXACT),
        lambda implementation: peer_fits(data, bank, chosen, implementation),
        part,
        others,
    )


def scores(name: str, data: SequenceSet, k: int, target: float, stretch: float, most: int = 1500) -> Workload:
    bank = fit_bank(data, k, init=start(data, k), max_iter=5, tol=-np.inf)
    rng = np.random.default_rng(3)
    pairs = rng.integers(len(data), size=(most, 2))
    return Workload(
        name,
        f"{len(data)} x {len(data)} log-likelihoods, K={k}, d={data.n_features} ({data.name})",
        target,
        stretch,
        lambda threads: bank.log_likelihood(data, threads=threads),
        lambda implementation: peer_scores(data, bank, pairs, implementation),
        most / len(data) ** 2,
        {},
    )


def common(name: str, data: SequenceSet, k: int, target: float, stretch: float) -> Workload:
    bank = start(data, k, common=True)

    def call(implementation: str) -> Callable[[], None]:
        return lambda: peer(bank, 0, implementation).fit(data.values, data.lengths)

    return Workload(
        name,
        f"one HMM for {len(data)} sequences, K={k}, d={data.n_features} ({data.name})",
        target,
        stretch,
        lambda threads: fit_global(data, k, init=bank, threads=threads, **EXACT),
        call,
        1.0,
        {},
    )


def workloads(wanted: set[str]) -> list[Callable[[], Workload]]:
    table: dict[str, Callable[[], Workload]] = {
        "W1": lambda: fits("W1", japanese_vowels(), 2, 120, 155),
        "W1b": lambda: fits("W1b", control_chart(), 5, 45, 130),
        "W1c": lambda: fits("W1c", smooth(100, 100, 160, 26, 4), 4, 8, 30),
        "W1f": lambda: fits("W1f", japanese_vowels(), 2, 60, 280, full=True),
        "W2": lambda: scores("W2", japanese_vowels(), 2, 700, 950),
        "W2b": lambda: scores("W2b", control_chart(), 5, 180, 270),
        "W2c": lambda: scores("W2c", smooth(1500, 100, 160, 26, 5), 2, 140, 190),
        "W3": lambda: common("W3", japanese_vowels(), 40, 10, 15),
        "W3b": lambda: common("W3b", control_chart(), 40, 9, 15),
        "W3c": lambda: common("W3c", smooth(400, 60, 60, 135, 6), 30, 5.5, 8),
    }
    return [make for name, make in table.items() if not wanted or name in wanted]


def measure(work: Workload, repeats: int, quick: bool) -> list[dict[str, Any]]:
    """Rows of all candidates of one workload."""
    say(f"{work.name}: {work.what}")
    candidates: dict[str, Callable[[], Any]] = {"kinseq": lambda: work.ours(1)}
    candidates.update({f"kinseq {name}": call for name, call in work.others.items()})
    candidates["kinseq, 2 threads"] = lambda: work.ours(2)
    candidates["hmmlearn scaling"] = work.peer("scaling")
    turns = dict.fromkeys(candidates, repeats)
    if not quick:
        candidates["hmmlearn log"] = work.peer("log")
        turns["hmmlearn log"] = repeats if work.name.startswith(("W1", "W2")) else 1
    times = interleave(candidates, turns)
    base = times["hmmlearn scaling"]
    rows = []
    for name, (cpu, wall, runs) in times.items():
        part = work.part if name.startswith("hmmlearn") else 1.0
        ours = times["kinseq"]
        rows.append(
            {
                "workload": work.name,
                "what": work.what,
                "candidate": name,
                "cpu_ms": round(1e3 * cpu / part, 3),
                "wall_ms": round(1e3 * wall / part, 3),
                "part_timed": round(part, 5),
                "runs": runs,
                "ratio_to_kinseq": round(cpu / part / ours[0], 2),
                "target": work.target,
                "stretch": work.stretch,
                "reached": round(base[0] / work.part / ours[0], 1),
            }
        )
    return rows


def summary(rows: list[dict[str, Any]]) -> str:
    """One line a workload."""
    lines = []
    for name in dict.fromkeys(row["workload"] for row in rows):
        found = {row["candidate"]: row for row in rows if row["workload"] == name}
        ours, peer_row = found["kinseq"], found["hmmlearn scaling"]
        log = found.get("hmmlearn log")
        lines.append(
            {
                "": name,
                "workload": ours["what"],
                "kinseq, ms": f"{ours['cpu_ms']:.4g}",
                "2 threads, wall ms": f"{found['kinseq, 2 threads']['wall_ms']:.4g} (1: {ours['wall_ms']:.4g})",
                "hmmlearn scaling, ms": f"{peer_row['cpu_ms']:.4g}",
                "log, ms": f"{log['cpu_ms']:.4g}" if log else "-",
                "times faster": f"**{ours['reached']:.0f}**" if ours["reached"] >= 20 else f"**{ours['reached']:.1f}**",
                "target": ours["target"],
                "stretch": ours["stretch"],
                "part of peer timed": f"{100 * peer_row['part_timed']:.3g} %",
            }
        )
    text = markdown(lines, list(lines[0]))
    for row in rows:
        if row["candidate"] == "kinseq with k-means":
            text += f"\n\n{row['workload']} with our own k-means start: {row['cpu_ms']:.4g} ms."
    return text


# ---------------------------------------------------------------------------------------------------------------------
# Memory, each case in a process of its own
# ---------------------------------------------------------------------------------------------------------------------


def fit_and_score_1500() -> Callable[[], Any]:
    data = smooth(1500, 100, 160, 26, 5)
    return lambda: fit_bank(data, 2, max_iter=10).log_likelihood(data)


def score_100_000() -> Callable[[], Any]:
    values = np.random.default_rng(0).normal(size=(100_000 * 100, 12))
    data = SequenceSet(values, np.arange(100_001) * 100)
    bank = start(data, 4, common=True).subset(np.zeros(30, dtype=np.int64))
    return lambda: bank.log_likelihood(data)


def one_long_sequence() -> Callable[[], Any]:
    data = SequenceSet.from_arrays([np.random.default_rng(0).normal(size=(100_000, 26))])
    return lambda: fit_bank(data, 4, max_iter=3, n_init=1)


MEMORY = {
    "fit and score 1500 x 1500, T about 130, d=26, K=2 full": fit_and_score_1500,
    "score 100 000 x T=100, d=12 under 30 models, K=4": score_100_000,
    "fit one sequence of T=100 000, d=26, K=4 full": one_long_sequence,
}


def _status(field: str) -> float:
    """A memory field of this process, MB (Linux)."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(f"{field}:"):
            return int(line.split()[1]) / 1024
    raise KeyError(field)


def memory() -> list[dict[str, Any]]:
    if not Path("/proc/self/clear_refs").exists():
        return [{"case": "memory", "beyond data and imports, MB": "measured on Linux only"}]
    rows = []
    for number, name in enumerate(MEMORY):
        say(f"memory: {name}")
        code = f"import bench_hmm; bench_hmm.one_memory_case({number})"
        path = [str(Path(__file__).parent), *sys.path]
        found = subprocess.run(
            [sys.executable, "-c", f"import sys; sys.path[:0] = {path!r}; {code}"],
            capture_output=True,
            text=True,
            check=True,
        )
        rows.append({"case": name, "beyond data and imports, MB": found.stdout.strip()})
    return rows


def one_memory_case(number: int) -> None:
    """Print by how much the peak exceeds the memory held before; run in a fresh process."""
    small = smooth(20, 5, 9, 3, 0)
    fit_bank(small, 2).log_likelihood(small)  # loads the compiled kernels
    call = list(MEMORY.values())[number]()
    before = _status("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew
    call()
    print(f"{_status('VmHWM') - before:.0f}")


def run(options: argparse.Namespace) -> str:
    """All workloads; writes ``hmm.csv`` and returns the tables."""
    warnings.simplefilter("ignore")
    logging.getLogger("hmmlearn").setLevel(logging.ERROR)
    wanted = {name for name in options.only.split(",") if name}
    rows: list[dict[str, Any]] = []
    for make in workloads(wanted):
        rows += measure(make(), options.repeats, options.quick)
    write_csv(options.out / "hmm.csv", rows)
    text = f"## Hidden Markov models\n\n{__doc__.split(chr(10), 2)[2].strip()}\n\n{summary(rows)}"
    if not wanted:
        text += "\n\n" + markdown(cases := memory(), list(cases[0]))
    return text
