"""Cost of an analysis against the number of sequences, from 10^3 to 10^5.

Each size is a process of its own, whose peak of memory is counted by the kernel. Up to ``limits.MAX_ALL_PAIRS`` sequences all pairs
are compared, of more a sample. ``--quick`` goes to 20 000 and ``--only 1000,3000`` takes some sizes. Then clusters of a sample
are compared with those of all pairs, where both can be done; ``--only agreement`` does this alone. ``--only million`` clusters a
million sequences from a Parquet file that is made on the way (1 GB in the folder of temporary files), and ``--only million:50000``
as many as are named; neither is run unless it is named.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from timing import markdown, say, write_csv

SIZES = (1000, 2000, 3000, 5000, 10_000, 20_000, 50_000, 100_000)
QUICK = 20_000
LENGTH, KINDS = 100, 6
TARGETS = {20_000: (120.0, 4.0), 100_000: (600.0, None)}
"""Seconds and GB that a size may take on two cores."""
AGREEMENT, FROM_A_FILE, MILLION = "agreement", "million", 1_000_000
PAIRS = ((3000, 1549, KINDS, None), (1200, 500, None, None), (1500, 400, KINDS, 40))
"""Runs that compare a sample with all pairs: sequences, sequences sampled, clusters requested, members of the last kind."""


COURSES = (
    lambda time, start, change, noise: noise,
    lambda time, start, change, noise: 2 * np.sin(2 * np.pi * time / 15 + start) + 0.5 * noise,
    lambda time, start, change, noise: 2 * np.sin(2 * np.pi * time / 40 + start) + 0.5 * noise,
    lambda time, start, change, noise: np.where(time < change, -2.0, 2.0) + 0.5 * noise,
    lambda time, start, change, noise: 0.15 * np.cumsum(noise, axis=-1) + 3.0,
    lambda time, start, change, noise: 4 * np.exp(-0.5 * ((time - change) / 6.0) ** 2) + 0.4 * noise,
)
"""The six kinds."""


def draw_sequences(n: int, seed: int = 0) -> tuple[list[np.ndarray], np.ndarray]:
    """Return sequences of about :data:`LENGTH` frames of one feature, of six kinds, and their kinds."""
    rng = np.random.default_rng(seed)
    kinds, arrays = rng.integers(KINDS, size=n), []
    for kind in kinds:
        frames = LENGTH + int(rng.integers(-10, 11))
        time, noise = np.arange(frames), rng.normal(size=frames)
        change, start = int(rng.integers(frames // 4, 3 * frames // 4)), 2 * np.pi * rng.random()
        values = COURSES[kind](time, start, change, noise)
        arrays.append(values[:, None])
    return arrays, kinds


def measured(n: int) -> dict[str, Any]:
    """Seconds and memory of one analysis and its page, in this process."""
    import tempfile

    import kinseq
    from kinseq.metrics import ari

    sequences, kinds = draw_sequences(n)
    kinseq.cluster(sequences[:60])  # kernels are compiled, or read from the cache
    wall, cpu = time.perf_counter(), time.process_time()
    analysis = kinseq.cluster(sequences, n_jobs=-1)
    analysed = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        analysis.report(folder)
    return {
        "sequences": n,
        "compared": len(getattr(analysis, "sample", analysis).labels),
        "analysis (s)": round(analysed - wall, 1),
        "page (s)": round(time.perf_counter() - analysed, 1),
        "CPU (s)": round(time.process_time() - cpu, 1),
        "peak (GB)": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20, 2),
        "clusters": analysis.n_clusters,
        "ARI": round(ari(kinds, analysis.labels), 3),
    }


def draw_many(kinds: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Sequences of these kinds at once, all of :data:`LENGTH` frames, shape (n, LENGTH)."""
    n, time = len(kinds), np.arange(LENGTH)
    noise, start = rng.normal(size=(n, LENGTH)), 2 * np.pi * rng.random((n, 1))
    change = rng.integers(LENGTH // 4, 3 * LENGTH // 4, size=(n, 1))
    values = np.empty((n, LENGTH))
    for kind, course in enumerate(COURSES):
        own = kinds == kind
        values[own] = course(time, start[own], change[own], noise[own])
    return values


def write_table(path: Path, n: int, at_once: int = 10_000, seed: int = 0) -> np.ndarray:
    """Write a long table of `n` sequences with the columns id and x, a row group for a number of them, and return their kinds."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rng, every, writer = np.random.default_rng(seed), [], None
    for start in range(0, n, at_once):
        some = min(at_once, n - start)
        kinds = rng.integers(KINDS, size=some)
        ids = pa.DictionaryArray.from_arrays(
            pa.array(np.repeat(np.arange(some, dtype=np.int32), LENGTH)),
            pa.array([f"s{start + i:07d}" for i in range(some)]),
        )
        table = pa.table({"id": ids.dictionary_decode(), "x": draw_many(kinds, rng).ravel()})
        writer = writer or pq.ParquetWriter(path, table.schema)
        writer.write_table(table)
        every.append(kinds)
    assert writer is not None
    writer.close()
    return np.concatenate(every)


def from_a_file(n: int) -> dict[str, Any]:
    """Seconds and memory of `n` sequences from a Parquet file to the page, in this process; the file is made before."""
    import tempfile

    import kinseq
    from kinseq.metrics import ari

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "many.parquet"
        kinds = write_table(path, n)
        megabytes = path.stat().st_size / 1e6
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        kinseq.cluster(draw_sequences(60)[0])  # kernels are compiled, or read from the cache
        wall, cpu = time.perf_counter(), time.process_time()
        analysis = kinseq.cluster(path, KINDS, n_jobs=2, progress=True)
        placed = time.process_time()
        analysis.report(Path(folder) / "page")
        shortcut = getattr(analysis, "shortcut", None)
        return {
            "sequences": n,
            "file (MB)": round(megabytes),
            "compared": len(getattr(analysis, "sample", analysis).labels),
            "aligned with": "all" if shortcut is None else shortcut.screen.compared,
            "representatives": len(getattr(analysis, "base", analysis).labels),
            "in doubt": "" if shortcut is None else round(shortcut.in_doubt, 4),
            "CPU (s)": round(time.process_time() - cpu),
            "CPU of the page (s)": round(time.process_time() - placed),
            "clock (s)": round(time.perf_counter() - wall),
            "peak (GB)": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20, 2),
            "peak of making the file (GB)": round(before, 2),
            "ARI": round(ari(kinds, analysis.labels), 4),
        }


def rare(n: int, members: int, seed: int = 0) -> tuple[list[np.ndarray], np.ndarray]:
    """Return the first sequences of :func:`draw_sequences` of which only so many are of the last kind, and their kinds."""
    sequences, kinds = draw_sequences(2 * n, seed)
    last = kinds == KINDS - 1
    indices = np.sort(np.concatenate([np.flatnonzero(last)[:members], np.flatnonzero(~last)[: n - members]]))
    return [sequences[i] for i in indices], kinds[indices]


def agreed(n: int, sample: int, n_clusters: int | None, members: int | None) -> dict[str, Any]:
    """Return clusters of a sample and of all pairs, and of the rules of representatives and of all sampled ones."""
    import kinseq
    from kinseq.metrics import ari

    sequences, kinds = draw_sequences(n) if members is None else rare(n, members)
    analyses, seconds = {}, {}
    for way, size in (("all pairs", None), ("sample", sample)):
        start = time.process_time()
        analyses[way] = kinseq.cluster(sequences, n_clusters, sample=size, n_resamples=1)
        seconds[way] = round(time.process_time() - start, 1)
    dense, sampled = analyses["all pairs"], analyses["sample"]
    others = np.setdiff1d(np.arange(n), sampled.sample_positions)
    by_all = sampled.sample.predict([sequences[i] for i in others])
    return {
        "sequences": n,
        "sampled": sample,
        "of the last kind": int((kinds == KINDS - 1).sum()),
        "asked": n_clusters or "",
        "clusters, all pairs": dense.n_clusters,
        "clusters, sample": sampled.n_clusters,
        "ARI, all pairs": round(ari(kinds, dense.labels), 3),
        "ARI, sample": round(ari(kinds, sampled.labels), 3),
        "ARI of the two": round(ari(dense.labels, sampled.labels), 3),
        "as by all sampled": round(float((sampled.labels[others] == by_all).mean()), 4),
        "CPU, all pairs (s)": seconds["all pairs"],
        "CPU, sample (s)": seconds["sample"],
    }


def of_process(n: int, *how: str) -> dict[str, Any]:
    """The same in a separate process; from a file if `how` says so."""
    command = [sys.executable, __file__, str(n), *how]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    row: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return row


def slopes(sizes: list[int], seconds: list[float]) -> list[str]:
    """Exponent of the cost between each size and the one before."""
    steps = np.diff(np.log(seconds)) / np.diff(np.log(sizes))
    return ["", *(f"{step:.2f}" for step in steps)]


def draw(rows: list[dict[str, Any]], path: Path) -> None:
    """Cost against the number of sequences, on logarithmic axes."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(5.2, 3.4), layout="constrained")
    axes = figure.subplots()
    sizes = [row["sequences"] for row in rows]
    for column, marker in (("CPU (s)", "o"), ("analysis (s)", "s"), ("peak (GB)", "^")):
        axes.loglog(sizes, [row[column] for row in rows], marker=marker, label=column)
    axes.set_xlabel("sequences")
    axes.legend()
    axes.grid(alpha=0.3, which="both")
    figure.savefig(path, dpi=150)


def run(options: argparse.Namespace) -> str:
    """Return lines of the section; the table and the figure go to the folder of the tables."""
    size_of, words = {str(size): size for size in SIZES}, options.only.split(",")
    named = sorted(size_of[word] for word in words if word in size_of)
    sizes = named if options.only else [size for size in SIZES if not options.quick or size <= QUICK]
    lines = _costs(options, sizes) + (_agreement(options) if AGREEMENT in words or not options.only else [])
    million = [int(word.partition(":")[2] or MILLION) for word in words if word.partition(":")[0] == FROM_A_FILE]
    return "\n".join(lines + (_from_files(options, million) if million else []))


def _from_files(options: argparse.Namespace, sizes: list[int]) -> list[str]:
    """Measure the cost of a file that is read in parts."""
    rows = []
    for size in sizes:
        say(f"many: {size} sequences from a file")
        rows.append(of_process(size, FROM_A_FILE))
    options.out.mkdir(parents=True, exist_ok=True)
    write_csv(options.out / "many_from_files.csv", rows)
    lines = [f"## Many sequences of {LENGTH} frames from a Parquet file", "", markdown(rows, list(rows[0])), ""]
    for row in (row for row in rows if row["sequences"] == MILLION):
        within = row["CPU (s)"] <= 2 * 1200 and row["clock (s)"] <= 1200 and row["peak (GB)"] < 4
        lines.append(f"{MILLION} sequences: {'within' if within else 'beyond'} 20 minutes and 4 GB on two cores.")
    return lines


def _agreement(options: argparse.Namespace) -> list[str]:
    """Return a sample against all pairs."""
    rows = []
    for pair in PAIRS:
        say(f"many: {pair[1]} of {pair[0]} sequences against all pairs")
        rows.append(agreed(*pair))
    write_csv(options.out / "many_agreement.csv", rows)
    return ["## A sample against all pairs", "", markdown(rows, list(rows[0])), ""]


def _costs(options: argparse.Namespace, sizes: list[int]) -> list[str]:
    """Return what some numbers of sequences cost, with the targets that are held or not."""
    if not sizes:
        return []
    rows = []
    for size in sizes:
        say(f"many: {size} sequences")
        rows.append(of_process(size))
    for row, slope in zip(rows, slopes(sizes, [row["CPU (s)"] for row in rows]), strict=True):
        row["slope of CPU"] = slope
    options.out.mkdir(parents=True, exist_ok=True)
    write_csv(options.out / "many.csv", rows)
    draw(rows, options.out / "many.png")
    lines = [f"## Many sequences of {LENGTH} frames", "", markdown(rows, list(rows[0])), ""]
    for size, (seconds, gigabytes) in TARGETS.items():
        for row in rows:
            if row["sequences"] == size:
                within = row["analysis (s)"] + row["page (s)"] <= seconds
                within = within and (gigabytes is None or row["peak (GB)"] <= gigabytes)
                limit = f"{seconds:g} s" + ("" if gigabytes is None else f" and {gigabytes:g} GB")
                lines.append(f"{size} sequences: {'within' if within else 'beyond'} {limit} on two cores.")
    return lines


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))
    print(json.dumps((from_a_file if FROM_A_FILE in sys.argv else measured)(int(sys.argv[1]))))
