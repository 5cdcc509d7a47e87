"""CPU seconds of all jobs of an experiment against the same computation in one Python process.

Run ``snakemake fig2_1 fig2_2`` first, at the scale that is asked for with ``--scale``: the jobs' side is read from
``results/timings``, as the kernel counted it for each job. Starting Python and importing libraries is part of every job.
"""

from __future__ import annotations

import argparse
import csv
import time
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[1]
EXPERIMENTS = ("fig2_1", "fig2_2")
"""Experiments on generated data, so that nothing but computation is compared."""

LIMIT = 1.3


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


def of_jobs(cat: Any, settings: dict[str, Any], experiment: str) -> float | None:
    """CPU seconds of the same jobs, or None where they have not been run."""
    path = ROOT / "results" / "timings" / f"{experiment}.csv"
    if not path.is_file():
        return None
    with path.open(encoding="utf-8") as table:
        return sum(float(row["cpu_seconds"]) for row in csv.DictReader(table))


def run(options: argparse.Namespace) -> str:
    """Lines of the section; what has not been run is said. It has no workloads that could be asked for by name."""
    if options.only:
        return ""
    cat, settings = catalogue(options.scale)
    lines = [
        f"## Whole workflow, {options.scale} scale",
        "",
        "| experiment | jobs (CPU s) | one process (CPU s) | ratio | limit |",
        "|---|--:|--:|--:|--:|",
    ]
    rows = []
    for experiment in EXPERIMENTS:
        jobs = of_jobs(cat, settings, experiment)
        if jobs is None:
            lines.append(f"| {experiment} | run `snakemake {experiment}` first | | | {LIMIT} |")
            continue
        alone = one_process(cat, settings, experiment)
        rows.append({"experiment": experiment, "jobs": jobs, "one_process": alone, "ratio": jobs / alone})
        lines.append(f"| {experiment} | {jobs:.1f} | {alone:.1f} | {jobs / alone:.2f} | {LIMIT} (at thesis scale) |")
    options.out.mkdir(parents=True, exist_ok=True)
    with (options.out / "workflow.csv").open("w", newline="", encoding="utf-8") as table:
        writer = csv.DictWriter(table, ["experiment", "jobs", "one_process", "ratio"])
        writer.writeheader()
        writer.writerows(rows)
    return "\n".join(lines)
