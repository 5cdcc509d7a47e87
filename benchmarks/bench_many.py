"""What an analysis costs against the number of sequences, from 10^3 to 10^5.

Each size is a process of its own, whose peak of memory is counted by the kernel. Up to ``limits.MAX_ALL_PAIRS`` sequences all pairs
are compared, of more a sample. ``--quick`` goes to 20 000 and ``--only 1000,3000`` takes some sizes. Then clusters of a sample
are held against those of all pairs, where both can be done; ``--only agreement`` does this alone.
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
AGREEMENT = "agreement"
PAIRS = ((3000, 1549, KINDS, None), (1200, 500, None, None), (1500, 400, KINDS, 40))
"""Where a sample is held against all pairs: sequences, sequences sampled, clusters asked for, members of the last kind."""


def draw_sequences(n: int, seed: int = 0) -> tuple[list[np.ndarray], np.ndarray]:
    """Return sequences of about :data:`LENGTH` frames of one feature, of six kinds, and their kinds."""
    rng = np.random.default_rng(seed)
    kinds, arrays = rng.integers(KINDS, size=n), []
    for kind in kinds:
        frames = LENGTH + int(rng.integers(-10, 11))
        time, noise = np.arange(frames), rng.normal(size=frames)
        change, start = int(rng.integers(frames // 4, 3 * frames // 4)), 2 * np.pi * rng.random()
        values = (
            noise,
            2 * np.sin(2 * np.pi * time / 15 + start) + 0.5 * noise,
            2 * np.sin(2 * np.pi * time / 40 + start) + 0.5 * noise,
            np.where(time < change, -2.0, 2.0) + 0.5 * noise,
            0.15 * np.cumsum(noise) + 3.0,
            4 * np.exp(-0.5 * ((time - change) / 6.0) ** 2) + 0.4 * noise,
        )[kind]
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


def rare(n: int, members: int, seed: int = 0) -> tuple[list[np.ndarray], np.ndarray]:
    """Return the first sequences of :func:`draw_sequences` of which only so many are of the last kind, and their kinds."""
    sequences, kinds = draw_sequences(2 * n, seed)
    last = kinds == KINDS - 1
    indices = np.sort(np.concatenate([np.flatnonzero(last)[:members], np.flatnonzero(~last)[: n - members]]))
    return [sequences[i] for i in indices], kinds[indices]


def agreed(n: int, sample: int, n_clusters: int | None, members: int | None) -> dict[str, Any]:
    """Return clusters of a sample beside those of all pairs, and the rule of representatives beside that of all sampled ones."""
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


def of_process(n: int) -> dict[str, Any]:
    """Return the same in a process of its own."""
    done = subprocess.run([sys.executable, __file__, str(n)], capture_output=True, text=True, check=True)
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
    return "\n".join(_costs(options, sizes) + (_agreement(options) if AGREEMENT in words or not options.only else []))


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
    print(json.dumps(measured(int(sys.argv[1]))))
