"""``make bench``: run missing parts while the time lasts, and write the page."""

from __future__ import annotations

import argparse
import os
import platform
import sys
from collections.abc import Sequence
from pathlib import Path

import yaml

from kinseq.core.errors import KinseqError, ParameterError
from timing import versions_of

from . import full_archive
from .contenders import named
from .loading import CATALOGUE, LARGEST
from .page import publish, write_page
from .running import Limits, available, outcomes
from .sets import sets_named

ROOT = CATALOGUE.parents[1]
PUBLISHED_ARCHIVE = ROOT / "docs" / "results" / "archive-published.csv"
FULL_SIZE_LIMIT = 3600.0
"""CPU seconds that a set of the archive may take at least, since it is not cut down."""
LIBRARIES = ("numpy", "scipy", "numba", "scikit-learn", "aeon", "tslearn", "dtaidistance")


def roots() -> list[Path]:
    """Return folders that mirror data sets, in the order of the workflow."""
    config = yaml.safe_load((ROOT / "config" / "config.yaml").read_text(encoding="utf-8"))
    candidates = [os.environ.get("KINSEQ_DATA"), config.get("data_dir"), ROOT / "data"]
    return [Path(folder) for folder in candidates if folder]


def settings(options: argparse.Namespace) -> list[str]:
    """Return how the benchmark was run, one sentence each."""
    return [
        f"At most {options.largest} sequences of a set, as many of each class; draw {options.draw}; seed {options.seed}; one"
        f" thread; at most {options.limit:.0f} s of CPU for one contender on one set.",
        f"CPU is that of the clustering alone, after a call that compiles. Python {platform.python_version()},"
        f" {platform.machine()}; {versions_of(LIBRARIES)}.",
    ]


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Return options of the command line, checked."""
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--sets", default="", help="names, separated by commas (all)")
    parser.add_argument("--contenders", default="", help="names, separated by commas (all)")
    parser.add_argument("--largest", type=int, default=LARGEST, help=f"most sequences of a set ({LARGEST})")
    parser.add_argument("--draw", type=int, default=0, help="other sequences of large sets, 1, 2 ... (0, the first)")
    parser.add_argument("--limit", type=float, default=Limits.each, help="CPU seconds a set and contender (180)")
    parser.add_argument("--budget", type=float, default=Limits.budget / 60, help="minutes of this call (30)")
    parser.add_argument("--seed", type=int, default=0, help="seed of every contender (0)")
    parser.add_argument(
        "--out", type=Path, default=ROOT / "results" / "bench", help="folder of the page (results/bench)"
    )
    parser.add_argument(
        "--publish",
        action="store_true",
        help="write docs/results/peers.csv and peers-differences.csv too (draw 0 only)",
    )
    parser.add_argument("--archive", type=Path, help="folder of the UCR or UEA archive: its sets at full size instead")
    parser.add_argument(
        "--published",
        type=Path,
        default=PUBLISHED_ARCHIVE,
        help="CSV of results to compare the archive with: method, set, ari (docs/results/archive-published.csv)",
    )
    options = parser.parse_args(arguments)
    for name, least in (("largest", 4), ("limit", 1e-3), ("budget", 0), ("seed", 0), ("draw", 0)):
        if not getattr(options, name) >= least:
            raise ParameterError(f"bench: {name} is {getattr(options, name)}, expected at least {least}")
    return options


def run(arguments: Sequence[str] | None = None) -> Path:
    """Run the benchmark and return the page."""
    options = parsed(arguments)
    if options.archive is not None:
        limits = Limits(max(options.limit, FULL_SIZE_LIMIT), options.budget * 60)
        return full_archive.run(options.archive, options.published, options.out, limits, options.seed)
    sets, contenders = sets_named(_words(options.sets)), named(_words(options.contenders))
    sets_there, missing = available(sets, roots(), options.largest, options.draw)
    for why in missing.values():
        print(f"left out: {why}", file=sys.stderr)
    limits = Limits(options.limit, options.budget * 60)
    # Another draw has its own page: scores of other sequences must not replace the first ones.
    folder = options.out / f"draw-{options.draw}" if options.draw else options.out
    done = outcomes(sets_there, contenders, folder / "runs", limits, options.seed, lambda line: print(line, flush=True))
    left = sum(outcome.status == "not run" for outcome in done)
    if left:
        print(f"the budget is spent and {left} runs are left; the same command takes them up", file=sys.stderr)
    if options.publish and not options.draw:
        publish(done, [entry for entry, _ in sets_there], contenders, ROOT / "docs" / "results")
    return write_page(done, [entry for entry, _ in sets_there], missing, settings(options), folder)


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def main() -> int:
    """Entry point; errors are printed in their one sentence."""
    try:
        print(f"done: open {run()}")
    except KinseqError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("stopped; the same command takes up the work", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
