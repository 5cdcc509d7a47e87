"""Runs of further trials: look by look, the cheapest cells first, until all is decided or the time is spent."""

from __future__ import annotations

import argparse
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import yaml

from kinseq.core.errors import DataError
from kinseq.core.store import write_text

from . import further
from .evaluation.looks import LOOKS
from .evaluation.settling import MORE_RUNS
from .evaluation.summary import records

TABLE = "undecided.csv"
"""File of undecided numbers in the folder of the results."""


def run(arguments: Sequence[str] | None = None) -> int:
    """Run further trials, and return the exit status; what was run before is not run again.

    Raises
    ------
    DataError
        If a file of the results cannot be read.
    """
    parser = argparse.ArgumentParser(description="Run further trials of cells and claims that are undecided.")
    parser.add_argument("--results", default="results", type=Path, help="folder of the results")
    parser.add_argument("--scale", default="thesis", help="scale of the run")
    parser.add_argument(
        "--cores", default=1, type=int, help="cores of the run, of which the estimates of time take account"
    )
    parser.add_argument(
        "--minutes", default=120.0, type=float, help="time to spend; a look that would take longer is cut short"
    )
    parser.add_argument("command", nargs="+", help="call of snakemake that all targets are added to")
    options = parser.parse_args(arguments)
    end = time.monotonic() + 60.0 * options.minutes
    table = options.results / TABLE

    def snakemake(*targets: str) -> int:
        return subprocess.run([*options.command, *targets], check=False).returncode

    for look in LOOKS:
        if status := snakemake("--", str(table)):
            return status
        rows = _read(table)
        left = (end - time.monotonic()) * options.cores
        chosen, out = affordable([row for row in rows if row["until"] == look], left)
        print(sentence(look, chosen, out), flush=True)
        if not chosen:
            continue
        file = options.results / further.FILE
        entries = further.combined(further.read(file, options.scale), chosen)
        write_text(file, yaml.safe_dump({"scale": options.scale, "further": entries}, sort_keys=False))
    status = snakemake("--", str(table)) or snakemake()
    if not status:
        causes = pd.Series([row["cause"] for row in things(_read(table))], dtype=object).value_counts()
        print("undecided now: " + (", ".join(f"{count} {cause}" for cause, count in causes.items()) or "nothing"))
    return status


def _read(table: Path) -> list[dict[str, Any]]:
    try:
        rows = pd.read_csv(table, keep_default_na=False)
        return [
            {**row, "until": int(row["until"] or 0), "seconds": float(row["seconds"] or 0.0)} for row in records(rows)
        ]
    except (OSError, ValueError, KeyError) as error:
        raise DataError(f"{table}: cannot be read ({error}); delete it, and call make settle again") from None


def things(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return one row per printed cell or claim; a claim has one for each cell that it compares."""
    found: dict[tuple[str, str, str], dict[str, Any]] = {}
    for row in rows:
        key = (str(row["experiment"]), str(row["kind"]), str(row["what"]))
        found.setdefault(key, {**row, "seconds": 0.0})["seconds"] += float(row["seconds"])
    return list(found.values())


def affordable(
    rows: Sequence[Mapping[str, Any]], seconds: float
) -> tuple[list[Mapping[str, Any]], list[dict[str, Any]]]:
    """Return rows of the cells and claims that fit into a number of seconds, the cheapest first, and those that do not fit.

    The second ones are one row a cell or claim.
    """
    wanted = sorted(
        things([row for row in rows if row["cause"] == MORE_RUNS]), key=lambda row: (row["seconds"], str(row["what"]))
    )
    inside, out = set(), []
    for one in wanted:
        seconds -= one["seconds"]
        if seconds < 0:
            out.append(one)
        else:
            inside.add((one["experiment"], one["kind"], one["what"]))
    return [row for row in rows if (row["experiment"], row["kind"], row["what"]) in inside], out


def sentence(look: int, chosen: Sequence[Mapping[str, Any]], out: Sequence[Mapping[str, Any]]) -> str:
    """Return the work of a look, in a line."""
    counts = pd.Series([row["kind"] for row in things(chosen)], dtype=object).value_counts()
    parts = [f"{count} {kind}{'s' if count > 1 else ''}" for kind, count in counts.items()]
    if not parts and not out:
        return f"up to {look} trials: nothing to decide"
    seconds = sum(float(row["seconds"]) for row in chosen)
    text = f"up to {look} trials: {' and '.join(parts) or 'none'}, about {seconds / 60:.0f} min of processor time"
    return text + (f"; {len(out)} left out, since the time does not suffice" if out else "")
