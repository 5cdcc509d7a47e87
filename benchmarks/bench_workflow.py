"""CPU seconds of all jobs of an experiment against the same computation in one Python process.

Run ``make thesis`` first, or ``snakemake fig2_1 fig2_2`` at the scale that is asked for with ``--scale``: the jobs' side is
read from ``timings`` in the folder of results, as the kernel counted it for each job. Starting Python and importing
libraries is part of every job. What Snakemake's own process takes is known of whole runs only (``make reproduce``,
``make thesis``): the CPU seconds of a run less those of its jobs, spread over the jobs by their CPU seconds.
"""

from __future__ import annotations

import argparse
import csv
import time
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from timing import write_csv

ROOT = Path(__file__).resolve().parents[1]
EXPERIMENTS = ("fig2_1", "fig2_2")
"""Experiments on generated data, so that nothing but computation is compared."""

RUNS = Path("benchmarks/runs.tsv")
"""Where the launcher writes what whole runs have used, below the results."""

LIMIT = 1.3
"""Jobs against one process."""
LIMIT_WITH_ENGINE = 1.5
"""The same with Snakemake's own process."""


@cache
def catalogue(scale: str) -> tuple[Any, dict[str, Any]]:
    """The parsed configuration, as the workflow reads it."""
    from kinseq import plan

    def parsed(name: str) -> Any:
        return yaml.safe_load((ROOT / "config" / name).read_text(encoding="utf-8"))

    settings = parsed("config.yaml")
    experiments = {name: parsed(f"experiments/{name}.yaml") for name in EXPERIMENTS}
    files = (plan.at_scale(parsed("datasets.yaml"), scale), parsed("models.yaml"), parsed("variants.yaml"), experiments)
    return plan.catalogue(*files, scale=scale, batch=settings["scales"][scale]["batch"]), settings


def one_process(cat: Any, settings: dict[str, Any], experiment: str) -> float:
    """CPU seconds of an experiment's stages called one after another, each fitted thing fitted once."""
    from kinseq.kinds import comparison
    from kinseq.stages import distances, loglik, models, partitions, sequences

    start = time.process_time()
    seed = settings["seed"]
    drawn: dict[Any, Any] = {}
    fitted: dict[Any, Any] = {}
    for job in comparison.jobs(cat, cat.experiments[experiment]):
        key = (job.dataset, job.trials)
        if key not in drawn:
            drawn[key] = sequences.make_sequences(job.dataset, cat.datasets[job.dataset], job.trials, seed, None)
        data, tasks = drawn[key]
        if job.models != (comparison.NO_MODEL,) and (key, job.models) not in fitted:
            specs = {name: cat.models[name] for name in job.models}
            banks = models.fit_models(data, tasks, specs, job.trials, seed)
            fitted[key, job.models] = {"models": banks, "loglik": loglik.log_likelihoods(data, tasks, banks)}
        measures = comparison.assigned(cat, job.measures, job.models)
        found = distances.distances(data, tasks, measures, job.trials, seed, fitted.get((key, job.models), {}))
        chosen = {name: cat.clusterers[name] for name in job.clusterers}
        for _ in partitions.partitions(found, chosen, job.dataset, seed):
            pass
    return time.process_time() - start


def of_jobs(cat: Any, results: Path, experiment: str) -> float | None:
    """CPU seconds of the same jobs; None where they have not been run, or others have: at another scale, in other batches."""
    from kinseq import plan

    path = results / "timings" / f"{experiment}.csv"
    if not path.is_file():
        return None
    with path.open(encoding="utf-8") as table:
        seconds = {row["job"].partition("benchmarks/")[2]: float(row["cpu_seconds"]) for row in csv.DictReader(table)}
    wanted = {file.removesuffix(".tsv") for file in plan.usage_files(plan.upstream(cat, experiment))}
    return sum(seconds.values()) if set(seconds) == wanted else None


def usages(results: Path) -> list[tuple[float, float]]:
    """When each job ended, in seconds since 1970, and its CPU seconds."""
    found = []
    for path in sorted((results / "benchmarks").rglob("*.tsv")):
        if path == results / RUNS:
            continue
        with path.open(encoding="utf-8") as table:
            for row in csv.DictReader(table, delimiter="\t"):
                # Counted by the job itself, or by Snakemake from outside, who misses what is shorter than a look.
                seconds = row.get("cpu_seconds") or row.get("cpu_time") or "-"
                found.append((path.stat().st_mtime, 0.0 if seconds in ("-", "NA") else float(seconds)))
    return found


def engine_share(results: Path) -> float | None:
    """CPU seconds of Snakemake's own process for each of its jobs' CPU seconds; None where no run was accounted for.

    Runs that made nothing new are left out: they have no jobs.
    """
    path = results / RUNS
    if not path.is_file():
        return None
    with path.open(encoding="utf-8") as table:
        runs = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(table, delimiter="\t")]
    done = usages(results)
    own = jobs = 0.0
    for run in runs:
        # A file may be a little older than the clock of the run says.
        used = sum(seconds for ended, seconds in done if run["began"] - 1 <= ended <= run["ended"] + 1)
        if used > 0:
            own, jobs = own + max(0.0, run["cpu_seconds"] - used), jobs + used
    return own / jobs if jobs else None


def run(options: argparse.Namespace) -> str:
    """Lines of the section; what has not been run is said. It has no workloads that could be asked for by name."""
    if options.only:
        return ""
    cat, settings = catalogue(options.scale)
    share = engine_share(options.results)
    lines = [
        f"## Whole workflow, {options.scale} scale",
        "",
        "| experiment | jobs (CPU s) | one process (CPU s) | ratio | limit | with Snakemake | limit |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    rows = []
    for experiment in EXPERIMENTS:
        jobs = of_jobs(cat, options.results, experiment)
        if jobs is None:
            lines.append(
                f"| {experiment} | run `snakemake {experiment}` at this scale first | | | {LIMIT} | | {LIMIT_WITH_ENGINE} |"
            )
            continue
        alone = one_process(cat, settings, experiment)
        ratio = jobs / alone
        both = None if share is None else ratio * (1 + share)
        rows.append(
            {"experiment": experiment, "jobs": jobs, "one_process": alone, "ratio": ratio, "ratio_with_snakemake": both}
        )
        shown = "not accounted for" if both is None else f"{both:.2f}"
        lines.append(
            f"| {experiment} | {jobs:.1f} | {alone:.1f} | {ratio:.2f} | {LIMIT} | {shown} | {LIMIT_WITH_ENGINE} |"
        )
    said = "no whole run has left its accounts" if share is None else f"{share:.2f} CPU seconds for each of its jobs'"
    lines += [
        "",
        f"Snakemake's own process in the runs of these results: {said}. The limits are those of the scale of the thesis.",
    ]
    if rows:
        write_csv(options.out / "workflow.csv", rows)
    return "\n".join(lines)
