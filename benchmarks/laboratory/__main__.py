"""``make laboratory``: run missing parts while the time lasts, and write the page."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from kinseq.core.errors import KinseqError, ParameterError
from kinseq.core.store import write_text

from .changes import SETS, rates, sampled
from .grid import cases
from .page import write_page
from .running import Work, minutes_left, run, wanted

ROOT = Path(__file__).resolve().parents[2]
RECORDS = ROOT / "benchmarks" / "out"


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Return options of the command line, checked."""
    parser = argparse.ArgumentParser(prog="make laboratory", description=__doc__)
    parser.add_argument("--only", default="", help="kinds or families, separated by commas (all)")
    parser.add_argument("--share", type=float, default=1.0, help="part of the grid that is run, 0 to 1 (1)")
    parser.add_argument("--draw", type=int, default=0, help="other sets of the same grid, 1, 2 ... (0, the first)")
    parser.add_argument("--budget", type=float, default=90.0, help="minutes of this call (90)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes (as many as there are cores)")
    parser.add_argument(
        "--out", type=Path, help="folder of the page (docs/results; of a part of the grid, benchmarks/out)"
    )
    parser.add_argument(
        "--changes", type=int, default=0, help="only see how many of so many sets keep their answer under seven changes"
    )
    parser.add_argument("--records", type=Path, help="file of what was found (benchmarks/out/laboratory.jsonl)")
    options = parser.parse_args(arguments)
    for name, least in (("budget", 0), ("changes", 0), ("draw", 0), ("jobs", 1), ("share", 0)):
        if not getattr(options, name) >= least:
            raise ParameterError(f"laboratory: {name} is {getattr(options, name)}, expected at least {least}")
    if options.share > 1:
        raise ParameterError(f"laboratory: share is {options.share:g}, expected at most 1")
    return options


def run_all(arguments: Sequence[str] | None = None) -> Path:
    """Run the laboratory and return the page."""
    options = parsed(arguments)
    if options.changes:
        return run_changes(options)
    only = [word.strip() for word in options.only.split(",") if word.strip()]
    placed = cases(options.draw, only, options.share)
    works = wanted(placed)
    name = f"laboratory-draw-{options.draw}" if options.draw else "laboratory"
    file = options.records or RECORDS / f"{name}.jsonl"
    records = run(works, file, options.budget, options.jobs, _say)
    for line in costs(records.values()):
        _say(line)
    left = len(works) - len(records)
    if left:
        minutes = minutes_left(works, records, options.jobs)
        _say(f"the budget is spent and {left} of {len(works)} parts are left; the same command takes them up")
        _say(f"they will take about {minutes:.0f} minutes" if minutes is not None else "nothing was run")
    whole = not left and not only and options.share == 1
    if not whole:
        every = wanted(cases(options.draw))
        minutes = minutes_left(every, records, options.jobs)
        if minutes is not None:
            _say(f"all of the grid, {len(every)} parts, would take about {minutes:.0f} minutes more")
    folder = options.out or (ROOT / "docs" / "results" if whole else RECORDS)
    return write_page(records.values(), len(placed), folder, name)


def run_changes(options: argparse.Namespace) -> Path:
    """See which answers hang on digits and seeds, and return the table; that of fewer sets than all goes to benchmarks/out."""
    only = [word.strip() for word in options.only.split(",") if word.strip()]
    works = [Work(case, "changes") for case in sampled(options.changes, options.draw, only)]
    name = f"laboratory-changes-draw-{options.draw}" if options.draw else "laboratory-changes"
    file = options.records or RECORDS / f"{name}.jsonl"
    records = run(works, file, options.budget, options.jobs, _say)
    if left := len(works) - len(records):
        _say(f"the budget is spent and {left} of {len(works)} sets are left; the same command takes them up")
    whole = not left and not only and len(works) >= SETS
    table = (options.out or (ROOT / "docs" / "results" if whole else RECORDS)) / f"{name}.csv"
    found = rates(records.values())
    _say(found.to_string(index=False))
    write_text(table, found.to_csv(index=False, float_format="%.4f"))
    return table


def costs(records: Any) -> list[str]:
    """CPU seconds by number of sequences: mean of everything, and of the default with and without the number."""
    by_size: dict[int, list[Mapping[str, Any]]] = {}
    for record in records:
        by_size.setdefault(int(record["n"]), []).append(record)
    lines = []
    for n, some in sorted(by_size.items()):
        cells = [("number chosen", "seconds_found"), ("number given", "seconds_given")]
        parts = [f"{words} {np.mean([r[name] for r in some if r.get(name)] or [0.0]):.2f}" for words, name in cells]
        others = [record["seconds"] for record in some if record["part"] == "beside"]
        lines.append(
            f"{n} sequences: CPU seconds a set, {', '.join(parts)}, rules and views {np.mean(others or [0.0]):.2f}"
        )
    return lines


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def main() -> int:
    """Entry point; errors are printed in their one sentence."""
    try:
        print(f"done: see {run_all()}")
    except KinseqError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("stopped; the same command takes up the work", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
