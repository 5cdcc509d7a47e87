"""The benchmark of the whole workflow: whose processor time is whose, and results of another scale are not taken for it."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import pytest
import yaml

import bench_workflow
from kinseq.core.store import write_text
from kinseq_documents import jobs, plan
from tests.sentences import Recorded


def leave(results: Path, name: str, seconds: str, ended: float, column: str = "cpu_seconds") -> None:
    """Record of the resources of a job."""
    path = results / "benchmarks" / f"{name}.tsv"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"seconds\t{column}\n1\t{seconds}\n")
    os.utime(path, (ended, ended))


def test_own_time_of_snakemake_is_what_its_jobs_did_not_take(tmp_path: Path) -> None:
    runs = tmp_path / bench_workflow.RUNS
    leave(tmp_path, "models/a", "30.0", 110)
    leave(tmp_path, "scores/a", "10.0", 120, column="cpu_time")
    leave(tmp_path, "scores/b", "-", 121, column="cpu_time")
    leave(tmp_path, "models/c", "60.0", 320)
    leave(tmp_path, "models/by_hand", "1000.0", 200)
    # Two runs: 40 of 50 seconds are those of jobs, then 60 of 66; the third had nothing to do.
    runs.write_text("began\tended\tcpu_seconds\n100\t130\t50\n300\t330\t66\n400\t410\t5\n")
    assert bench_workflow.engine_share(tmp_path) == pytest.approx((10 + 6) / (40 + 60))


def test_without_accounts_nothing_is_said_of_snakemake(tmp_path: Path) -> None:
    leave(tmp_path, "models/a", "30.0", 110)
    assert bench_workflow.engine_share(tmp_path) is None
    jobs.account(tmp_path / bench_workflow.RUNS, began=1e6)
    assert bench_workflow.engine_share(tmp_path) is None


def test_every_run_adds_a_line_to_the_accounts(tmp_path: Path) -> None:
    for began in (1.0, 2.0):
        jobs.account(tmp_path / bench_workflow.RUNS, began=began)
    head, *lines = (tmp_path / bench_workflow.RUNS).read_text().splitlines()
    assert head.split("\t") == ["began", "ended", "cpu_seconds"]
    used = sum(os.times()[:4])
    assert [line.split("\t")[0] for line in lines] == ["1.00", "2.00"]
    assert all(0.0 < float(line.split("\t")[2]) <= used + 0.1 for line in lines)


def timings(results: Path, scale: str) -> float:
    """Timings of an experiment as a run at some scale leaves them; their sum."""
    cat, _ = bench_workflow.catalogue(scale)
    files = plan.usage_files(plan.planned(cat, "fig2_1").job_files())
    rows = [f"results/benchmarks/{file.removesuffix('.tsv')},2,{i + 1}.5" for i, file in enumerate(files)]
    (results / "timings").mkdir()
    (results / "timings/fig2_1.csv").write_text("\n".join(["job,seconds,cpu_seconds", *rows]) + "\n")
    return sum(i + 1.5 for i in range(len(files)))


def test_results_of_another_scale_are_not_taken(tmp_path: Path) -> None:
    total = timings(tmp_path, "quick")
    assert bench_workflow.of_jobs(bench_workflow.catalogue("quick")[0], tmp_path, "fig2_1") == total
    assert bench_workflow.of_jobs(bench_workflow.catalogue("thesis")[0], tmp_path, "fig2_1") is None


def made(monkeypatch: pytest.MonkeyPatch, scores: str = "x,1\n") -> None:
    """A run of the workflow and a process that take no time, in their stead."""

    def launched(scale: str, folder: Path) -> Path:
        results = folder / "results"
        for name in bench_workflow.EXPERIMENTS:
            write_text(results / f"scores/{name}.csv", "x,1\n")
        (results / bench_workflow.RUNS).parent.mkdir(parents=True, exist_ok=True)
        (results / bench_workflow.RUNS).write_text("began\tended\tcpu_seconds\n1.00\t2.00\t150.00\n")
        return results

    def alone(scale: str, folder: Path) -> dict[str, float]:
        for name in bench_workflow.EXPERIMENTS:
            write_text(folder / f"{name}.csv", scores)
        return {"partitions": 80.0, "all": 90.0}

    seconds = {"fig2_1": 40.0, "fig2_2": 60.0}
    monkeypatch.setattr(bench_workflow, "launched", launched)
    monkeypatch.setattr(bench_workflow, "alone", alone)
    monkeypatch.setattr(bench_workflow, "of_jobs", lambda cat, results, name: seconds[name])


def test_ratios_are_those_of_jobs_and_of_the_whole_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, recorded: Recorded
) -> None:
    made(monkeypatch)
    options = argparse.Namespace(only="", scale="thesis", results=tmp_path, out=tmp_path / "out")
    said = bench_workflow.run(options)
    rows = [[cell.strip() for cell in line.split("|")[2:7]] for line in said.splitlines() if line.startswith("| ")]
    assert rows[1:] == [["100.0", "80.0", "1.25", "1.3", "yes"], ["150.0", "90.0", "1.67", "1.5", "no"]]
    recorded.within(said)
    assert (tmp_path / "out/workflow.csv").is_file()
    leave(tmp_path, "models/a", "40.0", 110)
    (tmp_path / bench_workflow.RUNS).write_text("began\tended\tcpu_seconds\n100\t130\t50\n")
    recorded.within(bench_workflow.run(options))


def test_another_computation_is_not_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, recorded: Recorded
) -> None:
    made(monkeypatch, scores="x,2\n")
    with pytest.raises(SystemExit, match=r"fig2_1: .*scores"):
        bench_workflow.compared("thesis", tmp_path)
    made(monkeypatch)
    monkeypatch.setattr(bench_workflow, "of_jobs", lambda cat, results, name: None)
    with recorded.raises(SystemExit):
        bench_workflow.compared("thesis", tmp_path / "again")


def test_the_project_of_the_benchmark_is_the_shipped_one_with_results_of_its_own(tmp_path: Path) -> None:
    _, settings = bench_workflow.catalogue("thesis")
    given = {**settings, "pathvars": {"results": "/elsewhere"}, "seed": 7}
    folder = bench_workflow.project(tmp_path / "project", given)
    kept = yaml.safe_load((folder / "config/config.yaml").read_text())
    assert kept == {**settings, "seed": 7}
    assert {path.name for path in folder.iterdir()} == {"config", *bench_workflow.LINKED}
    assert all((folder / name).exists() for name in bench_workflow.LINKED)
