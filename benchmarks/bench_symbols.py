"""Sequences of symbols: kinseq's matrices next to Sequenzo's and rapidfuzz's, its models next to hmmlearn's, and the default.

Matrices are compared with those of Sequenzo number by number, on drawn sequences and on the life courses in ``KINSEQ_DATA``, before
the time is taken; libraries take turns, with two threads each. Sequenzo and rapidfuzz are no dependencies, and are left out where
they are not installed (``pip install sequenzo rapidfuzz``). ``--only matrices,models,default`` takes some parts, ``--quick``
smaller sets. Nine minutes.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import string
import warnings
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pandas

import kinseq
from kinseq import SequenceSet
from kinseq.core.seeds import stream
from kinseq.core.symbols import symbol_set
from kinseq.hmm import CategoricalHMM
from kinseq.measures import compute
from timing import interleave, markdown, say, write_csv

Rows = list[list[str]]
THREADS = 2
N, LENGTH, ALPHABET = 2000, 70, 6
MATRICES: dict[str, tuple[str, dict[str, Any], dict[str, Any]]] = {
    "OM, constant costs": ("om", {}, {"method": "OM", "sm": "CONSTANT", "indel": 1}),
    "OM, costs from transitions": ("om", {"substitution": "transitions"}, {"method": "OM", "sm": "TRATE", "indel": 1}),
    "LCS": ("lcs", {"normalise": False}, {"method": "LCS"}),
    "HAM": ("hamming", {}, {"method": "HAM", "sm": "CONSTANT"}),
    "DHD": ("dynamic_hamming", {}, {"method": "DHD", "sm": "TRATE"}),
}
"""Matrices: our measure and its parameters, and what Sequenzo is given for the same."""
SLOW = ("OM, costs from transitions",)
"""Matrices that are timed once, after the run that they are compared by."""
STATES, ITERATIONS = 4, 20
Call = Callable[[], Any]


def drawn(n: int, length: int = LENGTH) -> Rows:
    """Return sequences of which no two are the same."""
    return np.array(list(string.ascii_lowercase))[stream(0, "symbols", n).integers(0, ALPHABET, (n, length))].tolist()


def life_courses() -> Rows | None:
    """Return the 70 months of each person from September on, which published analyses use; None where they are not there."""
    path = Path(os.environ.get("KINSEQ_DATA", ".")) / "life_courses" / "school_to_work.csv.gz"
    if not path.is_file():
        return None
    table = pandas.read_csv(path, dtype=str)
    months = [name for name in table.columns if name.lower() not in ("id", "person")][2:]
    return table[months].to_numpy().tolist()


def by_sequenzo(rows: Rows, how: dict[str, Any]) -> Call:
    """Return a call of Sequenzo, whose words are kept back."""
    from sequenzo import SequenceData, get_distance_matrix
    from threadpoolctl import threadpool_limits

    table = pandas.DataFrame(rows, columns=[f"t{t}" for t in range(len(rows[0]))])
    table.insert(0, "id", range(len(table)))
    with contextlib.redirect_stdout(io.StringIO()):
        states = sorted({entry for row in rows for entry in row})
        data = SequenceData(table, time=list(table.columns[1:]), id_col="id", states=states)

    def call() -> np.ndarray:
        with contextlib.redirect_stdout(io.StringIO()), threadpool_limits(THREADS, user_api="openmp"):
            return np.asarray(get_distance_matrix(data, quiet=True, as_numpy=True, **how))

    return call


def _alone(rows: Rows, how: dict[str, Any]) -> np.ndarray:
    return np.asarray(by_sequenzo(rows, how)())


def survives(rows: Rows, how: dict[str, Any]) -> bool:
    """Whether Sequenzo returns a matrix, tried in a separate process, which may crash."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        try:
            pool.submit(_alone, rows, how).result()
        except BrokenProcessPool:
            return False
    return True


def matrices(options: argparse.Namespace) -> list[dict[str, Any]]:
    """Return a row for each matrix of each set: seconds on the clock, and the largest difference."""
    sets: dict[str, Rows | None] = {
        f"{N} x {LENGTH}": drawn(300 if options.quick else N),
        "life courses": life_courses(),
    }
    table = []
    for name, rows in sets.items():
        if rows is None:
            continue
        data = symbol_set(rows)
        for title, (measure, params, how) in MATRICES.items():
            calls: dict[str, Call] = {
                "kinseq": lambda m=measure, p=params, d=data: compute(m, d, n_jobs=THREADS, **p),
            }
            row: dict[str, Any] = {"set": name, "matrix": title, "kinseq": "", "Sequenzo": "", "rapidfuzz": ""}
            if find_spec("sequenzo"):
                if how["method"] != "DHD" or survives(rows, how):
                    calls["Sequenzo"] = by_sequenzo(rows, how)
                else:
                    row["Sequenzo"] = "crashes"
            if find_spec("rapidfuzz") and title == "OM, constant costs":
                calls["rapidfuzz"] = by_rapidfuzz(rows)
            first = {library: np.asarray(call(), dtype=np.float64) for library, call in calls.items()}
            ours = first.pop("kinseq")
            differs = max((float(np.abs(ours - other).max()) for other in first.values()), default=float("nan"))
            timed = interleave(calls, dict.fromkeys(calls, 1 if title in SLOW else options.repeats))
            row |= {library: round(wall, 3) for library, (_, wall, _) in timed.items()}
            others = [wall for library, (_, wall, _) in timed.items() if library == "Sequenzo"]
            row["Sequenzo / kinseq"] = round(others[0] / timed["kinseq"][1], 1) if others else ""
            row["largest difference"] = f"{differs:.1e}"
            table.append(row)
            say(f"symbols: {row}")
    return table


def by_rapidfuzz(rows: Rows) -> Call:
    """Return a call for insertions and deletions alone."""
    from rapidfuzz.distance import Indel
    from rapidfuzz.process import cdist

    names = {symbol: chr(97 + code) for code, symbol in enumerate(sorted({entry for row in rows for entry in row}))}
    texts = ["".join(names[entry] for entry in row) for row in rows]
    return lambda: cdist(texts, texts, scorer=Indel.distance, dtype=np.int32, workers=THREADS)


def models(options: argparse.Namespace) -> list[dict[str, Any]]:
    """Return rows of a fit of one model to 400 sequences of 60 symbols, from the same start."""
    data = symbol_set(drawn(400, 60))
    random = stream(0, "start of a model of symbols")
    start, trans, emission = (
        random.dirichlet(np.ones(k), shape) for k, shape in ((STATES, None), (STATES, STATES), (ALPHABET, STATES))
    )
    codes, lengths = data.values.astype(np.int64), data.lengths
    given = {"n_iter": ITERATIONS, "tol": -np.inf, "init_params": ""}

    def fitted(make: Callable[..., Any]) -> Call:
        def call() -> Any:
            model = make(STATES, **given)
            model.startprob_, model.transmat_, model.emissionprob_ = start.copy(), trans.copy(), emission.copy()
            model.n_features = ALPHABET
            return model.fit(codes, lengths=lengths)

        return call

    calls = {"kinseq": fitted(CategoricalHMM)}
    if find_spec("hmmlearn"):
        from hmmlearn.hmm import CategoricalHMM as Peer

        calls |= {
            f"hmmlearn {which}": fitted(lambda *a, w=which, **k: Peer(*a, implementation=w, **k))
            for which in ("scaling", "log")
        }
    ends = {name: call() for name, call in calls.items()}
    ours = ends["kinseq"]
    times = interleave(calls, dict.fromkeys(calls, options.repeats))
    return [
        {
            "candidate": name,
            "cpu_ms": round(1e3 * cpu, 2),
            "ratio_to_kinseq": round(cpu / times["kinseq"][0], 1),
            "largest_difference": f"{np.abs(ends[name].emissionprob_ - ours.emissionprob_).max():.1e}",
        }
        for name, (cpu, _, _) in times.items()
    ]


def default(options: argparse.Namespace) -> list[dict[str, Any]]:
    """Return rows of the default: CPU seconds with the number given, and of many sequences."""
    from symbol_sets import planted

    pool = [row for seed in range(80) for row in planted("order", seed).rows]
    table = []
    for n in (200,) if options.quick else (200, 2000, 20_000):
        made = (
            drawn(n // 2) + [row[::-1] for row in drawn(n - n // 2)] if n == 200 else (pool * (n // len(pool) + 1))[:n]
        )
        data: SequenceSet | Rows = symbol_set(made)
        runs = options.repeats if n == 200 else 1
        times = interleave({"default": lambda d=data: kinseq.cluster(d, 2)}, {"default": runs})
        cpu, wall, _ = times["default"]
        table.append({"sequences": n, "cpu_s": round(cpu, 2), "wall_s": round(wall, 2)})
        say(f"symbols: {table[-1]}")
    return table


PARTS = {"matrices": matrices, "models": models, "default": default}
TITLES = {
    "matrices": "Matrices of symbols (seconds on the clock, two threads)",
    "models": f"One model of {STATES} states of 400 x 60 symbols, {ITERATIONS} iterations, one thread",
    "default": "The default of symbols, two groups given, one thread",
}


def run(options: argparse.Namespace) -> str:
    """Return lines of the section."""
    warnings.simplefilter("ignore")
    lines = []
    for name, part in PARTS.items():
        if not options.only or name in options.only.split(","):
            rows = part(options)
            write_csv(options.out / f"symbols-{name}.csv", rows)
            lines += [f"## {TITLES[name]}", "", markdown(rows, list(rows[0])), ""]
    return "\n".join(lines)
