"""Hidden Markov models against other libraries: fits (W1), likelihood matrices (W2), common models (W3), two threads, memory.

Both sides start from the same parameters, run the same number of iterations without a test of the gain and compute in
float64. The others keep variances up by 0.01, hmmlearn's default prior; ours is the default floor. A library that would
take minutes is timed on a random part of the sequences or pairs and scaled up; the table says which part. pomegranate
and JAX take part if they are installed; XLA's threads all count as CPU time.
"""

from __future__ import annotations

import argparse
import logging
import os
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from kinseq import SequenceSet
from kinseq.models.hmm import HMMBank, fit_bank, fit_common, induced_transitions, log_likelihood
from peers import ITERATIONS, PEERS, Call, Peer
from timing import interleave, markdown, say, write_csv

EXACT = {"max_iter": ITERATIONS, "tol": -float("inf")}
OURS, TWO = "kinseq", "kinseq, 2 threads"


# ---------------------------------------------------------------------------------------------------------------------
# Data
# ---------------------------------------------------------------------------------------------------------------------


def japanese_vowels() -> SequenceSet:
    """Return the 270 training utterances that come with aeon."""
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
    """Return the same initial parameters for every candidate: frames as means, variances of the data, random rows."""
    rng = np.random.default_rng(0)
    n, d = 1 if common else len(data), data.n_features
    pools = [data.values] if common else list(data)
    means = np.stack([pool[rng.choice(len(pool), k, replace=len(pool) < k)] for pool in pools])
    variances = np.tile(data.values.var(axis=0), (n, k, 1))
    covars = variances[..., None] * np.eye(d) if full else variances
    return HMMBank(rng.dirichlet(np.ones(k), size=n), rng.dirichlet(np.ones(k), size=(n, k)), means, covars)


# ---------------------------------------------------------------------------------------------------------------------
# Workloads
# ---------------------------------------------------------------------------------------------------------------------


@dataclass
class Workload:
    """One row: the task, our call (of a number of threads), and each peer's call with the part of the work it does."""

    name: str
    what: str
    target: float
    stretch: float
    ours: Callable[[int], Any]
    peer: Callable[[Peer], tuple[Call | None, float]]
    others: dict[str, Call] = field(default_factory=dict)


def _sample(whole: int, most: int) -> Any:
    return np.random.default_rng(2).permutation(whole)[:most]


def fits(name: str, data: SequenceSet, k: int, target: float, stretch: float, full: bool = False) -> Workload:
    bank = start(data, k, full)
    others: dict[str, Call] = {}
    if name == "W1":
        # One k-means start, as a user without initial parameters would have it.
        others["with k-means"] = lambda: fit_bank(data, k, "full" if full else "diag", n_init=1, **EXACT)

    def peer(which: Peer) -> tuple[Call | None, float]:
        sample = _sample(len(data), which.n_fits)
        return which.fits(data, bank, sample), len(sample) / len(data)

    return Workload(
        name,
        f"fit {len(data)} HMMs, K={k}, d={data.n_features}, {'full' if full else 'diagonal'} ({data.name})",
        target,
        stretch,
        lambda threads: fit_bank(data, k, init=bank, n_jobs=threads, **EXACT),
        peer,
        others,
    )


def scores(name: str, data: SequenceSet, k: int, target: float, stretch: float) -> Workload:
    bank = fit_bank(data, k, init=start(data, k), max_iter=5, tol=-np.inf)

    def peer(which: Peer) -> tuple[Call | None, float]:
        n = len(data)
        if which.by_rows:
            models = _sample(n, which.n_pairs)
            return which.scores(data, bank, models), len(models) / n
        pairs = np.random.default_rng(3).integers(n, size=(which.n_pairs, 2))
        return which.scores(data, bank, pairs), which.n_pairs / n**2

    return Workload(
        name,
        f"{len(data)} x {len(data)} log-likelihoods, K={k}, d={data.n_features} ({data.name})",
        target,
        stretch,
        lambda threads: log_likelihood(bank, data, n_jobs=threads),
        peer,
    )


def common(name: str, data: SequenceSet, k: int, target: float, stretch: float) -> Workload:
    bank = start(data, k, common=True)
    return Workload(
        name,
        f"one HMM for {len(data)} sequences, K={k}, d={data.n_features} ({data.name})",
        target,
        stretch,
        lambda threads: fit_common(data, k, init=bank, n_jobs=threads, **EXACT),
        lambda which: (which.common(data, bank), 1.0),
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
    """Return rows of all candidates of one workload."""
    say(f"{work.name}: {work.what}")
    candidates: dict[str, Call] = {OURS: lambda: work.ours(1), TWO: lambda: work.ours(2)}
    candidates.update({f"{OURS} {name}": call for name, call in work.others.items()})
    turns, parts = dict.fromkeys(candidates, repeats), dict.fromkeys(candidates, 1.0)
    for which in PEERS[:1] if quick else PEERS:
        call, part = work.peer(which) if which.installed else (None, 0.0)
        if call is not None:
            candidates[which.name], parts[which.name] = call, part
            turns[which.name] = 1 if which.once and part == 1.0 else repeats
    times = interleave(candidates, turns)
    ours = times[OURS][0]
    return [
        {
            "workload": work.name,
            "what": work.what,
            "candidate": name,
            "cpu_ms": round(1e3 * cpu / parts[name], 3),
            "wall_ms": round(1e3 * wall / parts[name], 3),
            "part_timed": round(parts[name], 5),
            "runs": runs,
            "ratio_to_kinseq": round(cpu / parts[name] / ours, 2),
            "target": work.target,
            "stretch": work.stretch,
        }
        for name, (cpu, wall, runs) in times.items()
    ]


def summary(rows: list[dict[str, Any]]) -> str:
    """Milliseconds of all candidates of each workload, the ratio to the first peer, and what was timed of a part only."""
    lines, parts = [], []
    installed = [which.name for which in PEERS if any(row["candidate"] == which.name for row in rows)]
    for name in dict.fromkeys(row["workload"] for row in rows):
        row_of = {row["candidate"]: row for row in rows if row["workload"] == name}
        reached = row_of[PEERS[0].name]["ratio_to_kinseq"]
        line = {
            "": name,
            "workload": row_of[OURS]["what"],
            "kinseq, ms": f"{row_of[OURS]['cpu_ms']:.4g}",
            "wall with 1 and 2 threads, ms": f"{row_of[OURS]['wall_ms']:.4g}, {row_of[TWO]['wall_ms']:.4g}",
        }
        for peer in installed:
            line[f"{peer}, ms"] = f"{row_of[peer]['cpu_ms']:.4g}" if peer in row_of else "-"
            if peer in row_of and row_of[peer]["part_timed"] < 1.0:
                parts.append(f"{name} {peer} {100 * row_of[peer]['part_timed']:.3g} %")
        line["times faster"] = f"**{reached:.0f}**" if reached >= 20 else f"**{reached:.1f}**"
        line.update(target=row_of[OURS]["target"], stretch=row_of[OURS]["stretch"])
        lines.append(line)
    text = markdown(lines, list(lines[0]))
    text += f"\n\nTimes faster: CPU time of {PEERS[0].name} over ours."
    if parts:
        text += f" Timed on a part of the work and scaled up: {', '.join(parts)}."
    for row in rows:
        if row["candidate"].endswith("k-means"):
            text += f"\n\n{row['workload']} with our own k-means start: {row['cpu_ms']:.4g} ms."
    return text


# ---------------------------------------------------------------------------------------------------------------------
# Memory, each case in a process of its own
# ---------------------------------------------------------------------------------------------------------------------


def fit_and_score_1500() -> Callable[[], Any]:
    data = smooth(1500, 100, 160, 26, 5)
    return lambda: log_likelihood(fit_bank(data, 2, max_iter=10), data)


def score_100_000() -> Callable[[], Any]:
    values = np.random.default_rng(0).normal(size=(100_000 * 100, 12))
    data = SequenceSet(values, np.arange(100_001) * 100)
    bank = start(data, 4, common=True).subset(np.zeros(30, dtype=np.int64))
    return lambda: log_likelihood(bank, data)


def one_long_sequence() -> Callable[[], Any]:
    data = SequenceSet.from_arrays([np.random.default_rng(0).normal(size=(100_000, 26))])
    return lambda: fit_bank(data, 4, max_iter=3, n_init=1)


MEMORY = {
    "fit and score 1500 x 1500, T about 130, d=26, K=2 full": fit_and_score_1500,
    "score 100 000 x T=100, d=12 under 30 models, K=4": score_100_000,
    "fit one sequence of T=100 000, d=26, K=4 full": one_long_sequence,
}


def fresh(code: str, environment: Mapping[str, str] | None = None) -> str:
    """Return what `code` prints in a separate process."""
    path = [str(Path(__file__).parent), *sys.path]
    command = [sys.executable, "-c", f"import sys; sys.path[:0] = {path!r}; {code}"]
    return subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout.strip()


def _status(field: str) -> float:
    """Return a memory field of this process, MB (Linux)."""
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
        megabytes = fresh(f"import bench_hmm; bench_hmm.one_memory_case({number})")
        rows.append({"case": name, "beyond data and imports, MB": megabytes})
    return rows


def one_memory_case(number: int) -> None:
    """Print by how much the peak exceeds the memory held before; run in a fresh process."""
    small = smooth(20, 5, 9, 3, 0)
    log_likelihood(fit_bank(small, 2), small)  # loads the compiled kernels
    call = list(MEMORY.values())[number]()
    before = _status("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")  # reset the peak
    call()
    print(f"{_status('VmHWM') - before:.0f}")


# ---------------------------------------------------------------------------------------------------------------------
# First use, in a process without compiled kernels
# ---------------------------------------------------------------------------------------------------------------------


def one_first_use() -> None:
    """Print the CPU seconds of the first calls of each kind; run in a fresh process with an empty cache."""
    data = smooth(20, 5, 9, 3, 0)
    seconds = []
    for call in (
        lambda: fit_bank(data, 2),
        lambda: log_likelihood(fit_bank(data, 2, init=start(data, 2)), data),
        lambda: induced_transitions(fit_common(data, 3), data),
    ):
        begin = time.process_time()
        call()
        seconds.append(time.process_time() - begin)
    print(*seconds)


def first_use() -> list[dict[str, Any]]:
    """CPU seconds of compilation, and of the import beyond that of numba."""
    say("first use")
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
        first, score, common_model = map(
            float, fresh("import bench_hmm; bench_hmm.one_first_use()", environment).split()
        )
    clock = "import time, numba; t = time.process_time(); import kinseq.models.hmm as h; h.fit_bank; h.HMMBank;"
    imports = median(float(fresh(f"{clock} print(time.process_time() - t)")) for _ in range(5))
    rows = [
        ("first fit of a bank", first),
        ("first likelihood matrix", score),
        ("first common model with transitions", common_model),
        ("all compilation (limit 25)", first + score + common_model),
        ("import of kinseq.models.hmm beyond numba's (limit 0.2)", imports),
    ]
    return [{"first use": what, "CPU s": f"{seconds:.3g}"} for what, seconds in rows]


def run(options: argparse.Namespace) -> str:
    """Return all workloads; writes ``hmm.csv`` and returns the tables."""
    warnings.simplefilter("ignore")
    logging.getLogger("hmmlearn").setLevel(logging.ERROR)
    wanted = {name for name in options.only.split(",") if name}
    rows: list[dict[str, Any]] = []
    for make in workloads(wanted):
        rows += measure(make(), options.repeats, options.quick)
    if not rows:
        return ""
    write_csv(options.out / "hmm.csv", rows)
    text = f"## Hidden Markov models\n\n{__doc__.split(chr(10), 2)[2].strip()}\n\n{summary(rows)}"
    if not wanted:
        for cases in (memory(), first_use()):
            text += "\n\n" + markdown(cases, list(cases[0]))
    return text
