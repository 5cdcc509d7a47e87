"""Run the workflow from the Makefile: recover from a killed run, look for data, run, and keep the report up to date."""

from __future__ import annotations

import argparse
import contextlib
import csv
import json
import os
import resource
import shutil
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml
from launcher.engine import Stopped, heed_signals, snakemake
from launcher.owner import ownership

from kinseq.core.errors import KinseqError, ParameterError
from kinseq.core.roots import ROOT
from kinseq.core.store import require_writable, write_text

STATE = Path(".snakemake")
CONFIG = Path("config/config.yaml")
RUNS = Path("benchmarks/runs.tsv")
"""Accounts of whole runs, below the results."""
INTERVAL, INTERVAL_OF_FILES = 5, 30
"""Seconds between two lines of how far a run is, on a terminal and in a file."""


def results_folder(config: Path = CONFIG) -> Path:
    """Folder of results, which the configuration may name."""
    try:
        settings = yaml.safe_load(config.read_text(encoding="utf-8"))
        return Path(settings["pathvars"]["results"])
    except (OSError, ValueError, KeyError, TypeError, yaml.YAMLError):
        return Path("results")  # what is wrong with a configuration is for the workflow to say


def require_cores(cores: str) -> str:
    """A number of cores as snakemake takes it.

    Raises
    ------
    ParameterError
        If it is none.
    """
    if cores != "all" and not (cores.isascii() and cores.isdigit() and int(cores) > 0):
        raise ParameterError(f"CORES is {cores!r}, expected a whole number of at least 1, or all")
    return cores


def is_stale(report: Path, results: Path) -> bool:
    """Whether any result is younger than the report."""
    if not report.exists():
        return True
    shown = [path for folder in ("tables", "figures", "scores", "own") for path in (results / folder).rglob("*.*")]
    shown += list(results.glob("fidelity.*"))
    return any(path.stat().st_mtime > report.stat().st_mtime for path in shown)


def missing_data(table: Path) -> str:
    """One line of the data that cannot be had; empty where there is nothing to tell."""
    try:
        with table.open(encoding="utf-8", newline="") as rows:
            status = {row["dataset"]: row["status"] for row in csv.DictReader(rows)}
    except (OSError, ValueError, KeyError):
        return ""  # for the run to say
    missing = [name for name, availability in status.items() if availability == "not available"]
    named = ", ".join(missing[:4]) + (" ..." if len(missing) > 4 else "")
    return (
        f"not available: {len(missing)} of {len(status)} data sets ({named}); {table} has the reasons"
        if missing
        else ""
    )


def conclusion(results: Path) -> str:
    """What to open, and what became of the printed numbers, as far as it is there."""
    page, fidelity = results / "index.html", results / "fidelity.csv"
    if not page.is_file():
        return f"open {results}"
    if not fidelity.is_file():
        return f"open {page}"
    # Here, since nothing else needs the tables.
    from kinseq_documents.rendering import verdicts

    return f"open {page}\n{' '.join(verdicts.summary(*verdicts.read(fidelity)))}".rstrip()


def named_documents(words: str | None) -> list[str]:
    """Documents that are named, which are targets of the workflow."""
    if words is None:
        return []
    # Here, since other calls need no plan.
    from launcher.documents import named

    return named(words, CONFIG.parent)


def own_request(words: Sequence[str], results: Path) -> dict[str, Any]:
    """The key ``own`` of the configuration from words of the command line, checked."""
    # Here, since a run of the experiments does not need the library.
    from kinseq_app.request import checked, from_words

    return checked(from_words(words), results)


def cluster(own: Mapping[str, Any], cores: str, results: Path) -> int:
    """Cluster a user's own data, the key `own` of the configuration, and return the exit status."""
    from kinseq_app.request import PAGE

    page = results / "own" / own["name"] / PAGE
    require_writable(page.parent)
    before = page.stat().st_mtime_ns if page.exists() else None
    # A file, as values on the command line of snakemake lose their types.
    settings = STATE / "own.json"
    write_text(settings, json.dumps({"own": own}))
    status = snakemake("own", "--cores", cores, "--configfile", str(settings), "--rerun-incomplete")
    if status == 0:
        print(f"done: open {page}" if page.stat().st_mtime_ns != before else f"nothing has changed: open {page}")
    elif before is not None:
        print(f"{page} is of an earlier run and was left as it is", file=sys.stderr)
    return status


def compare(words: Sequence[str], cores: str, results: Path) -> int:
    """Compare two samples of a user and return the exit status; a single job, for which no workflow is needed."""
    from kinseq_app.comparing.request import checked, from_words, repeating

    request = checked(from_words(words), results)
    require_writable(results / "compare" / request["name"])
    from kinseq_app.comparing.run import carry_out

    threads = (os.cpu_count() or 1) if cores == "all" else int(cores)
    print(f"done: open {carry_out(request, results, ROOT, threads, repeating(request))}")
    return 0


def reproduce(
    targets: Sequence[str], scale: str, cores: str, rest: Sequence[str], results: Path, verbose: bool = False
) -> int:
    """Run the experiments, renew the report, and return the exit status.

    Parameters
    ----------
    targets : sequence of str
        What to make; everything if there are none.
    scale, cores : str
    rest : sequence of str
        Further arguments of snakemake.
    results : Path
    verbose : bool
        Whether snakemake and the jobs say all that they have to say.
    """
    began, start, report = time.time(), time.monotonic(), results / "report.html"
    require_writable(results)
    settings = ["--config", f"scale={scale}"]
    interval = None if verbose else INTERVAL if sys.stderr.isatty() else INTERVAL_OF_FILES
    status = snakemake(*targets, "--cores", cores, *settings, *rest, "--rerun-incomplete", interval=interval)
    if results.is_dir():  # or else nothing could be planned
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        account(results, began, used.ru_utime + used.ru_stime)
    if status == 0 and not verbose and (missing := missing_data(results / "data.csv")):
        print(missing, flush=True)
    if status == 0 and not targets:
        if is_stale(report, results):
            status = snakemake("--report", str(report), *settings)
        else:
            print("everything is up to date")
    if status == 0:
        what = conclusion(results) if not targets else " ".join(targets)
        print(f"done in {time.monotonic() - start:.0f} s: {what}")
    return status


def account(results: Path, began: float, cpu_seconds: float) -> None:
    """Add what a run has used, its jobs and Snakemake itself, to the accounts that ``make benchmark`` reads."""
    file = results / RUNS
    earlier = file.read_text(encoding="utf-8") if file.is_file() else "began\tended\tcpu_seconds\n"
    # What cannot be written is not worth the end of a run.
    with contextlib.suppress(OSError):
        write_text(file, f"{earlier}{began:.2f}\t{time.time():.2f}\t{cpu_seconds:.2f}\n")


def take_up(locks: Path) -> None:
    """Remove the locks that a killed run has left, as snakemake does when it is told to unlock."""
    print("an earlier run was killed; taking up its work", file=sys.stderr)
    shutil.rmtree(locks, ignore_errors=True)  # snakemake says what is left


def run(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line asks and return the exit status.

    Raises
    ------
    KinseqError
        If it cannot be done as asked.
    Stopped
        If the run was asked to stop.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scale", default="quick", choices=["quick", "thesis"])
    parser.add_argument("--cores", default="2")
    parser.add_argument("--document", help="documents, as V,S: what their items need, and no more; all for every one")
    parser.add_argument("--verbose", action="store_true", help="show all that Snakemake and the jobs say")
    parser.add_argument("--own", action="store_true", help="cluster a folder or file of one's own instead")
    parser.add_argument("--compare", action="store_true", help="compare two samples of one's own instead")
    parser.add_argument(
        "--set", action="append", default=[], metavar="WORD=value", help="a word of make cluster or make compare"
    )
    parser.add_argument("targets", nargs="*", help="what to make; everything if nothing is named")
    options, rest = parser.parse_known_args(arguments)
    cores, results = require_cores(options.cores), results_folder()
    if options.compare:
        return compare(options.set, cores, results)
    own = own_request(options.set, results) if options.own else None  # first, so that a mistake is told at once
    targets = [*options.targets, *named_documents(options.document)]
    require_writable(STATE)
    STATE.mkdir(exist_ok=True)
    locks = STATE / "locks"
    with ownership(STATE / "kinseq.lock", locks) as unfinished:
        if unfinished:
            take_up(locks)
        if own is not None:
            return cluster(own, cores, results)
        return reproduce(targets, options.scale, cores, rest, results, options.verbose)


def main() -> int:
    """Entry point; errors are told in their one sentence."""
    heed_signals()
    try:
        return run()
    except KinseqError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except Stopped as stop:
        with contextlib.suppress(OSError):  # a terminal that was closed
            print("stopped; the same command takes up the work", file=sys.stderr)
        return 128 + stop.number


if __name__ == "__main__":
    sys.exit(main())
