"""The benchmark of the whole workflow: whose processor time is whose, and results of another scale are not taken for it."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import bench_workflow
import launch
import pytest
from kinseq import plan


def leave(results: Path, name: str, seconds: str, ended: float, column: str = "cpu_seconds") -> None:
    """What a job leaves of what it used."""
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
    launch.account(tmp_path, began=1e6, cpu_seconds=5.0)
    assert bench_workflow.engine_share(tmp_path) is None


def test_every_run_adds_a_line_to_the_accounts(tmp_path: Path) -> None:
    launch.account(tmp_path, began=1.0, cpu_seconds=5.0)
    launch.account(tmp_path, began=2.0, cpu_seconds=7.5)
    head, *lines = (tmp_path / bench_workflow.RUNS).read_text().splitlines()
    assert head.split("\t") == ["began", "ended", "cpu_seconds"]
    assert [(line.split("\t")[0], line.split("\t")[2]) for line in lines] == [("1.00", "5.00"), ("2.00", "7.50")]


def timings(results: Path, scale: str) -> float:
    """Timings of an experiment as a run at some scale leaves them; their sum."""
    cat, _ = bench_workflow.catalogue(scale)
    files = plan.usage_files(plan.upstream(cat, "fig2_1"))
    rows = [f"results/benchmarks/{file.removesuffix('.tsv')},2,{i + 1}.5" for i, file in enumerate(files)]
    (results / "timings").mkdir()
    (results / "timings/fig2_1.csv").write_text("\n".join(["job,seconds,cpu_seconds", *rows]) + "\n")
    return sum(i + 1.5 for i in range(len(files)))


def test_results_of_another_scale_are_not_taken(tmp_path: Path) -> None:
    total = timings(tmp_path, "quick")
    assert bench_workflow.of_jobs(bench_workflow.catalogue("quick")[0], tmp_path, "fig2_1") == total
    assert bench_workflow.of_jobs(bench_workflow.catalogue("thesis")[0], tmp_path, "fig2_1") is None


def test_the_ratio_with_snakemake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    total = timings(tmp_path, "quick")
    leave(tmp_path, "models/a", "40.0", 110)
    (tmp_path / bench_workflow.RUNS).write_text("began\tended\tcpu_seconds\n100\t130\t50\n")
    monkeypatch.setattr(bench_workflow, "one_process", lambda *_: total / 1.2)
    options = argparse.Namespace(only="", scale="quick", results=tmp_path, out=tmp_path / "out")
    row = next(line for line in bench_workflow.run(options).splitlines() if line.startswith("| fig2_1"))
    assert [cell.strip() for cell in row.split("|")][4:8] == ["1.20", "1.3", "1.50", "1.5"]
    said = bench_workflow.run(options)
    assert "run `snakemake fig2_2` at this scale first" in said
    assert "Snakemake's own process in the runs of these results: 0.25 CPU seconds for each of its jobs'." in said
    (tmp_path / bench_workflow.RUNS).unlink()
    assert "no whole run has left its accounts" in bench_workflow.run(options)
