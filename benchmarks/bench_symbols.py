"""Sequences of symbols: kinseq's matrices next to Sequenzo's and rapidfuzz's, its models next to hmmlearn's, and the default.

Matrices are compared with those of Sequenzo number by number, on drawn sequences and on the life courses in ``KINSEQ_DATA``, before
the time is taken; libraries take turns. ``symbols.csv`` has the seconds of the processor, of all threads, and those on the clock,
which on a busy machine are also those of its other work; ratios are of the processor. Libraries that are not installed are left
out, and named below the table (``pip install sequenzo rapidfuzz``; neither is a dependency). ``--only matrices,models,default``
takes some parts, ``--quick`` smaller sets. Nine minutes.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import string
import warnings
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pandas

import kinseq
from kinseq.core.seeds import stream
from kinseq.core.symbols import symbol_set
from kinseq.hmm import CategoricalHMM
from kinseq.measures import compute
from timing import interleave, markdown, say, versions_of, write_csv

Rows = list[list[str]]
Row = dict[str, Any]
COLUMNS = ("what", "sequences", "library", "CPU", "clock", "over kinseq", "largest difference")
PEERS = ("sequenzo", "rapidfuzz", "hmmlearn")
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


def matrices(options: argparse.Namespace) -> list[Row]:
    """Return a row for each library with each matrix of each set."""
    sets: dict[str, Rows | None] = {
        f"{300 if options.quick else N} × {LENGTH}": drawn(300 if options.quick else N),
        "712 life courses × 70": life_courses(),
    }
    table = []
    for name, rows in sets.items():
        if rows is None:
            say("symbols: no life courses; name their folder (KINSEQ_DATA)")
            continue
        data = symbol_set(rows)
        for title, (measure, params, how) in MATRICES.items():
            calls: dict[str, Call] = {
                "kinseq": lambda m=measure, p=params, d=data: compute(m, d, n_jobs=THREADS, **p),
            }
            crashes = False
            if find_spec("sequenzo"):
                crashes = how["method"] == "DHD" and not survives(rows, how)
                if not crashes:
                    calls["Sequenzo"] = by_sequenzo(rows, how)
            if find_spec("rapidfuzz") and title == "OM, constant costs":
                calls["rapidfuzz, insertions and deletions"] = by_rapidfuzz(rows)
            first = {library: np.asarray(call(), dtype=np.float64) for library, call in calls.items()}
            timed = interleave(calls, dict.fromkeys(calls, 1 if title in SLOW else options.repeats))
            table += rows_of(
                title, name, timed, {library: apart(first["kinseq"], other) for library, other in first.items()}
            )
            if crashes:
                table.append(dict(zip(COLUMNS, (title, name, "Sequenzo", "crashes", "", "", ""), strict=True)))
            say(*(f"symbols: {row}\n" for row in table[-len(calls) :]))
    return table


def apart(ours: np.ndarray, other: np.ndarray) -> str:
    """Return the largest difference between two arrays."""
    return f"{np.abs(ours - other).max():.1e}"


def rows_of(
    what: str, size: str, timed: Mapping[str, tuple[float, float, int]], differences: Mapping[str, str]
) -> list[Row]:
    """Return a row for each library: CPU seconds of all threads, over those of kinseq, and the difference from its numbers."""
    return [
        dict(
            zip(
                COLUMNS,
                (
                    what,
                    size,
                    library,
                    f"{cpu:.3f}",
                    f"{wall:.3f}",
                    f"{cpu / timed['kinseq'][0]:.1f}",
                    differences.get(library, ""),
                ),
                strict=True,
            )
        )
        for library, (cpu, wall, _) in timed.items()
    ]


def by_rapidfuzz(rows: Rows) -> Call:
    """Return a call for insertions and deletions alone."""
    from rapidfuzz.distance import Indel
    from rapidfuzz.process import cdist

    names = {symbol: chr(97 + code) for code, symbol in enumerate(sorted({entry for row in rows for entry in row}))}
    texts = ["".join(names[entry] for entry in row) for row in rows]
    return lambda: cdist(texts, texts, scorer=Indel.distance, dtype=np.int32, workers=THREADS)


def models(options: argparse.Namespace) -> list[Row]:
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
    timed = interleave(calls, dict.fromkeys(calls, options.repeats))
    differences = {name: apart(ours.emissionprob_, end.emissionprob_) for name, end in ends.items()}
    return rows_of(f"CategoricalHMM, {STATES} states, {ITERATIONS} iterations", "400 × 60", timed, differences)


def default(options: argparse.Namespace) -> list[Row]:
    """Return rows of the default with two groups given."""
    from symbol_sets import planted

    pool = [row for seed in range(80) for row in planted("order", seed).rows]
    table: list[Row] = []
    kinseq.cluster(drawn(20), 2)  # what is compiled, and what a process does once, is no part of it
    for n in (200,) if options.quick else (200, 2000, 20_000):
        half = drawn(n // 2)
        made = half + [row[::-1] for row in drawn(n - n // 2)] if n == 200 else (pool * (n // len(pool) + 1))[:n]
        data = symbol_set(made)
        timed = interleave(
            {"kinseq": lambda d=data: kinseq.cluster(d, 2)}, {"kinseq": options.repeats if n == 200 else 1}
        )
        size = f"{n} × {LENGTH}" if n == 200 else f"{n} of 20 to 117"
        table += rows_of("the default, two groups given", size, timed, {})
        say(f"symbols: {table[-1]}")
    return table


PARTS = {"matrices": matrices, "models": models, "default": default}


def run(options: argparse.Namespace) -> str:
    """Return lines of the section; all parts that were taken are rows of ``symbols.csv``."""
    warnings.simplefilter("ignore")
    chosen = options.only.split(",") if options.only else list(PARTS)
    rows = [row for name in chosen for row in PARTS[name](options)]
    write_csv(options.out / "symbols.csv", rows)
    title = f"## Sequences of symbols (seconds; matrices on {THREADS} threads, all else on one)"
    return "\n".join([title, "", markdown(rows, list(COLUMNS)), "", versions_of(PEERS), ""])
