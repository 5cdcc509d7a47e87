"""Run every benchmark, or those named.

``python benchmarks/run.py [hmm ...] [--repeats 5] [--only W1,W2] [--quick] [--scale quick] [--results folder]``

A benchmark is a file ``bench_<name>.py`` in this folder with a function ``run(options)`` that returns the lines of a
markdown section and writes its CSV to ``benchmarks/out``.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def main() -> None:
    sys.path[:0] = [str(HERE), *(str(HERE.parent / name) for name in ("src", "workflow"))]
    # Linear algebra reads this on import; both sides of every comparison use one thread.
    for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[variable] = "1"
    from timing import environment

    names = sorted(path.stem.removeprefix("bench_") for path in HERE.glob("bench_*.py"))
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=names, metavar="name", help=f"which: {', '.join(names)} (all)")
    parser.add_argument("--repeats", type=int, default=5, help="runs of each candidate, their median is taken (5)")
    parser.add_argument("--only", default="", help="workloads, separated by commas (all)")
    parser.add_argument("--quick", action="store_true", help="leave out the slowest peers")
    parser.add_argument("--scale", default="thesis", help="scale at which the workflow is run (thesis)")
    parser.add_argument(
        "--results", type=Path, default=HERE.parent / "results", help="folder that the workflow left (results)"
    )
    parser.add_argument("--out", type=Path, default=HERE / "out", help="folder of the tables (benchmarks/out)")
    options = parser.parse_args()
    unknown = sorted(set(options.names) - set(names))
    if unknown:
        parser.error(f"unknown benchmark {unknown[0]!r}; valid names: {', '.join(names)}")
    if not options.results.is_dir():
        parser.error(f"--results {options.results}: no such folder; run the workflow first, or name the folder it left")
    sections = ["\n".join(f"- {line}" for line in environment())]
    print(sections[0], flush=True)
    for name in options.names:
        section = importlib.import_module(f"bench_{name}").run(options)
        if section:
            sections.append(section)
            print("\n" + section, flush=True)
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "benchmarks.md").write_text("\n\n".join(["# Benchmarks", *sections]) + "\n")


if __name__ == "__main__":
    main()
