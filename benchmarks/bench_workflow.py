"""CPU seconds of a run of the workflow against the same computation in one Python process.

Two experiments of the thesis are run anew by Snakemake, at its scale unless ``--scale quick`` is given, one job at a time,
in a temporary folder. Then a single process calls the functions of their stages one after another, fits everything once, and
keeps all in memory. Starting Python and importing libraries is part of every job, and of the single process. Both have to leave
the same scores, byte for byte. CPU seconds, not those of the clock, so that other work on the machine matters little;
compiled kernels are cached before.

What Snakemake's own process takes is the CPU seconds of a whole run less those of its jobs.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from timing import markdown, say, write_csv

ROOT = Path(__file__).resolve().parents[1]
EXPERIMENTS = ("fig2_1", "fig2_2")
"""Experiments on generated data, so that nothing but computation is compared."""
LINKED = ("Snakefile", "src", "workflow", "envs", "profiles")
"""Files of the project that a run needs in addition to its own configuration."""

RUNS = Path("benchmarks/runs.tsv")
"""Where the workflow writes what whole runs have used, below the results."""

TABLES, FIGURES = ("csv", "md", "tex", "html"), ("svg", "png", "pdf")
"""Forms of a table and of a figure, in the order in which they are written."""

LIMIT = 1.3
"""Jobs against a single process."""
LIMIT_WITH_ENGINE = 1.5
"""The same with Snakemake's own process."""


@cache
def catalogue(scale: str) -> tuple[Any, dict[str, Any]]:
    """Return the parsed configuration, as the workflow reads it."""
    from kinseq_documents import plan
    from kinseq_documents.catalogue import at_scale

    def parsed(name: str) -> Any:
        return yaml.safe_load((ROOT / "config" / name).read_text(encoding="utf-8"))

    settings = parsed("config.yaml")
    experiments = {name: parsed(f"experiments/{name}.yaml") for name in EXPERIMENTS}
    files = (at_scale(parsed("datasets.yaml"), scale), parsed("models.yaml"), parsed("variants.yaml"), experiments)
    batch = settings["scales"][scale]["batch"]
    return plan.catalogue(*files, readings=parsed("readings.yaml"), scale=scale, batch=batch), settings


def clustered(
    cat: Any, settings: dict[str, Any], experiment: str, data_of: dict[Any, Any]
) -> Iterator[tuple[Any, list[Any]]]:
    """Yield every job of an experiment with its partitions; each fitted thing is fitted once, and data are put into `data_of`."""
    from kinseq_documents import plan
    from kinseq_documents.kinds import matrices
    from kinseq_documents.stages import distances, loglik, models, partitions, sequences

    seed = settings["seed"]
    fitted: dict[Any, Any] = {}
    for job in plan.planned(cat, experiment).jobs():
        key = (job.dataset, job.trials)
        if key not in data_of:
            data_of[key] = sequences.make_sequences(job.dataset, cat.datasets[job.dataset], job.trials, seed, None)
        data, tasks = data_of[key]
        if job.models != (matrices.NO_MODEL,) and (key, job.models) not in fitted:
            specs = {name: cat.models[name] for name in job.models}
            banks = models.fit_models(data, tasks, specs, job.trials, seed)
            fitted[key, job.models] = {"models": banks, "loglik": loglik.log_likelihoods(data, tasks, banks)}
        measures = matrices.assigned(cat, job.measures, job.models)
        matrices_of_job = distances.distances(
            data, tasks, measures, job.trials, seed, fitted.get((key, job.models), {})
        )
        clusterers = {name: cat.clusterers[name] for name in job.clusterers}
        yield job, list(partitions.partitions(matrices_of_job, clusterers, job.dataset, seed))


def scored(
    cat: Any,
    settings: dict[str, Any],
    experiment: str,
    job_partitions: Sequence[tuple[Any, list[Any]]],
    data_of: dict[Any, Any],
) -> str:
    """Return the table of scores of an experiment, as CSV."""
    from kinseq_documents import plan
    from kinseq_documents.stages import scores

    metrics, seed = plan.planned(cat, experiment).metrics(), settings["seed"]
    rows: list[dict[str, Any]] = []
    controlled: set[tuple[str, int]] = set()
    for job, results in job_partitions:
        data, tasks = data_of[job.dataset, job.trials]
        rows += scores.scores_of_partitions(data, tasks, results, metrics)
        missing = [trial for trial in job.trials if (job.dataset, trial) not in controlled]
        rows += scores.scores_of_controls(data, tasks, missing, seed, metrics)
        controlled |= {(job.dataset, trial) for trial in missing}
    return str(scores.table(experiment, rows, seed).to_csv(index=False, lineterminator="\n"))


def rendered(cat: Any, experiment: str, folder: Path) -> None:
    """Table and figure of an experiment whose scores are in a folder, written there."""
    from kinseq_documents import plan
    from kinseq_documents.plotting import figures
    from kinseq_documents.rendering import tables
    from kinseq_documents.stages.figures import draw
    from kinseq_documents.stages.tables import make

    kind = plan.planned(cat, experiment)
    files = {name: folder / Path(file).name for name, file in kind.rendered_files().items()}
    published = ROOT / "config/published" / f"{experiment}.csv"
    files |= {"published": published} if published.is_file() else {}
    tables.write(
        make(kind.experiment, files, kind.labels(), {}), *(folder / f"tables/{experiment}.{kind}" for kind in TABLES)
    )
    figures.write(
        draw(kind.experiment, files, kind.labels()), *(folder / f"figures/{experiment}.{kind}" for kind in FIGURES)
    )


def one_process(scale: str, folder: Path) -> dict[str, float]:
    """CPU seconds of this process from its start to the partitions, and to the figures; scores are left in a folder."""
    cat, settings = catalogue(scale)
    data_of: dict[Any, Any] = {}
    job_partitions = {name: list(clustered(cat, settings, name, data_of)) for name in EXPERIMENTS}
    to_partitions = time.process_time()
    for name in EXPERIMENTS:
        (folder / f"{name}.csv").write_text(
            scored(cat, settings, name, job_partitions[name], data_of), encoding="utf-8"
        )
        rendered(cat, name, folder)
    return {"partitions": to_partitions, "all": time.process_time()}


def alone(scale: str, folder: Path) -> dict[str, float]:
    """Return the same in a separate process."""
    folder.mkdir()
    command = [sys.executable, __file__, scale, str(folder)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True)
    seconds: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return seconds


def project(folder: Path, settings: dict[str, Any]) -> Path:
    """Return a folder in which the workflow runs as it is shipped, with results of its own and the other settings as they are."""
    folder.mkdir()
    for name in LINKED:
        (folder / name).symlink_to(ROOT / name)
    shutil.copytree(ROOT / "config", folder / "config")
    kept_settings = {key: value for key, value in settings.items() if key != "pathvars"}
    (folder / "config/config.yaml").write_text(yaml.safe_dump(kept_settings, sort_keys=False), encoding="utf-8")
    return folder


def launched(scale: str, folder: Path) -> Path:
    """Run the experiments, one job at a time; the folder of the results."""
    command = [sys.executable, "-m", "snakemake", "--cores", "1", "--config", f"scale={scale}", "--", *EXPERIMENTS]
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    home = project(folder, catalogue(scale)[1])
    done = subprocess.run(command, cwd=home, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"the workflow failed:\n{done.stderr[-2000:]}")
    return folder / "results"


def of_jobs(cat: Any, results: Path, experiment: str) -> float | None:
    """CPU seconds of an experiment's jobs up to its partitions; None where others have been run, as at another scale."""
    from kinseq_documents import plan

    path = results / "timings" / f"{experiment}.csv"
    if not path.is_file():
        return None
    with path.open(encoding="utf-8") as table:
        seconds = {row["job"].partition("benchmarks/")[2]: float(row["cpu_seconds"]) for row in csv.DictReader(table)}
    wanted = {file.removesuffix(".tsv") for file in plan.usage_files(plan.planned(cat, experiment).job_files())}
    return sum(seconds.values()) if set(seconds) == wanted else None


def accounts(results: Path) -> list[dict[str, float]]:
    """Return what whole runs have used, as the workflow has written it; nothing where it has not."""
    path = results / RUNS
    if not path.is_file():
        return []
    return [
        {key: float(value) for key, value in row.items()}
        for row in csv.DictReader(io.StringIO(path.read_text(encoding="utf-8")), delimiter="\t")
    ]


def usages(results: Path) -> list[tuple[float, float]]:
    """When each job ended, in seconds since 1970, and its CPU seconds."""
    jobs = []
    for path in sorted((results / "benchmarks").rglob("*.tsv")):
        if path == results / RUNS:
            continue
        with path.open(encoding="utf-8") as table:
            for row in csv.DictReader(table, delimiter="\t"):
                # Counted by the job itself, or by Snakemake from outside, which misses anything shorter than its
                # polling interval.
                seconds = row.get("cpu_seconds") or row.get("cpu_time") or "-"
                jobs.append((path.stat().st_mtime, 0.0 if seconds in ("-", "NA") else float(seconds)))
    return jobs


def engine_share(results: Path) -> float | None:
    """CPU seconds of Snakemake's own process for each of its jobs' CPU seconds; None where no run was accounted for.

    Runs that made nothing new are left out: they have no jobs.
    """
    done = usages(results)
    own = jobs = 0.0
    for run in accounts(results):
        # A file may be slightly older than the start of the run.
        used = sum(seconds for ended, seconds in done if run["began"] - 1 <= ended <= run["ended"] + 1)
        if used > 0:
            own, jobs = own + max(0.0, run["cpu_seconds"] - used), jobs + used
    return own / jobs if jobs else None


def compared(scale: str, folder: Path) -> list[dict[str, Any]]:
    """Return rows of the table; ends the program if the workflow fails, or leaves other scores than the single process."""
    say("workflow: compiled kernels")
    alone("quick", folder / "warm")
    say(f"workflow: {', '.join(EXPERIMENTS)} at the scale {scale}, in jobs")
    results = launched(scale, folder / "project")
    say("workflow: the same in a single process")
    single = alone(scale, folder / "single")
    for name in EXPERIMENTS:
        if (results / "scores" / f"{name}.csv").read_bytes() != (folder / "single" / f"{name}.csv").read_bytes():
            raise SystemExit(f"{name}: the scores of the single process are not those of the workflow")
    cat, _ = catalogue(scale)
    # Jobs shared by both experiments would be counted twice; there are none, since their data differ.
    jobs = [of_jobs(cat, results, name) for name in EXPERIMENTS]
    if None in jobs:
        raise SystemExit(f"the timings in {results} are not those of the jobs that were planned")
    (run,) = accounts(results)
    return [
        _row("jobs, to the partitions", sum(filter(None, jobs)), single["partitions"], LIMIT),
        _row("all, Snakemake included", run["cpu_seconds"], single["all"], LIMIT_WITH_ENGINE),
    ]


def _row(what: str, workflow: float, single: float, limit: float) -> dict[str, Any]:
    ratio = workflow / single
    return {
        "what": what,
        "workflow (CPU s)": round(workflow, 1),
        "single process (CPU s)": round(single, 1),
        "ratio": round(ratio, 2),
        "limit": limit,
        "within": "yes" if ratio <= limit else "no",
    }


def run(options: argparse.Namespace) -> str:
    """Return lines of the section; it has no workloads that could be requested by name."""
    if options.only:
        return ""
    with tempfile.TemporaryDirectory() as folder:
        rows = compared(options.scale, Path(folder))
    write_csv(options.out / "workflow.csv", rows)
    share = engine_share(options.results)
    share_in_words = (
        "no whole run has left its accounts" if share is None else f"{share:.2f} CPU seconds for each of its jobs'"
    )
    return "\n".join(
        [
            f"## Whole workflow: {', '.join(EXPERIMENTS)} at the scale {options.scale}",
            "",
            markdown(rows, list(rows[0])),
            "",
            "The limits are those of the scale of the thesis.",
            f"Snakemake's own process in the whole runs of {options.results}: {share_in_words}.",
        ]
    )


if __name__ == "__main__":
    sys.path[:0] = [str(ROOT / "src"), str(ROOT / "workflow")]
    print(json.dumps(one_process(sys.argv[1], Path(sys.argv[2]))))
