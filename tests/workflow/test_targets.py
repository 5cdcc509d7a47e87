"""Programs that make calls and no other test runs: each program starts, and each run of Snakemake can be planned."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from functools import cache

import pytest

from tests.sentences import Recorded

from .project import ROOT

CALL = re.compile(r"(?:PYTHONPATH=(\S+) )?\.venv/bin/python (?:-m (\S+)|(\S+\.py))")
OTHERS = {"venv", "pip", "pytest", "sphinx"}
"""Modules that are not of this repository."""
START = """
import runpy, sys
for name in sys.argv[1:]:
    run = runpy.run_path if name.endswith(".py") else runpy.run_module
    sys.path.insert(0, name.rpartition("/")[0] or ".")
    print(name, flush=True)
    run(name, run_name="started")
    del sys.path[0]
"""
"""Runs all of each program but what stands behind the question whether it is the main one: its imports and its tables."""


@cache
def recipe(*words: str) -> str:
    """Return what make would call for targets, whose environments count as prepared."""
    done = subprocess.run(
        ["make", "-n", "-o", ".venv/.installed", "-o", ".venv/.compiled", *words],
        cwd=ROOT,
        env={**os.environ, "MAKEFLAGS": "", "PYTHON": sys.executable},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def targets() -> list[str]:
    """Return every target of the Makefile."""
    (listed,) = re.findall(r"^\.PHONY: (.*)$", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE)
    return [target for target in listed.split() if target != "help"]


def programs() -> list[tuple[str, str]]:
    """Return search path and name of each program that make calls, and of those that the guides name."""
    called = CALL.findall("".join(recipe(target) for target in targets()))
    found = {(path, module or file) for path, module, file in called} - {("", module) for module in OTHERS}
    named = [*(ROOT / "benchmarks").glob("*.py"), *(ROOT / "docs" / "pictures").glob("*.py")]
    return sorted(found | {("benchmarks:workflow", str(path.relative_to(ROOT))) for path in named})


def test_programs_of_make_are_found() -> None:
    names = {name for _, name in programs()}
    assert {"answers", "laboratory", "benchmarks/run.py", "workflow/publish.py", ".ci/dist.py", ".ci/lock.py"} <= names


@pytest.mark.parametrize("path", sorted({path for path, _ in programs()}))
def test_programs_start(path: str) -> None:
    names = [name for other, name in programs() if other == path]
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(
        [sys.executable, "-c", START, *names],
        cwd=ROOT,
        env=environment | ({"PYTHONPATH": path} if path else {}),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.split() == names


@pytest.mark.parametrize("name", ["answers", "laboratory", "benchmarks/run.py"])
def test_options_that_make_hands_on_are_known(name: str) -> None:
    words = {
        "answers": ("bench", "ARCHIVE=a", "RESULTS=b.csv", "PUBLISH=1", "DRAW=1"),
        "laboratory": ("laboratory", "SHARE=0.1"),
        "benchmarks/run.py": ("benchmark", "BENCHMARKS=scale", "QUICK=1"),
    }[name]
    (line,) = [line for line in recipe(*words).replace("\\\n", " ").splitlines() if f" {name}" in line]
    path = next((path for path, other in programs() if other == name), "")
    start = [sys.executable, *(["-m"] if not name.endswith(".py") else []), name, "--help"]
    done = subprocess.run(
        start, cwd=ROOT, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert set(re.findall(r"(?<= )--[a-z]+", line)) <= set(re.findall(r"--[a-z]+", done.stdout))


def test_benchmarks_can_be_named_and_made_small(recorded: Recorded) -> None:
    assert recipe("benchmark").rstrip().endswith("benchmarks/run.py")
    line = recipe("benchmark", "BENCHMARKS=scale itc", "QUICK=1")
    recorded.within(line)


def test_the_archive_is_compared_with_given_results_alone() -> None:
    """The folder of the results of the workflow has the same name, and is none."""
    assert "--published" not in recipe("bench", "ARCHIVE=a")
    assert '--published "$KINSEQ_RESULTS"' in recipe("bench", "ARCHIVE=a", "RESULTS=b.csv")


@pytest.mark.parametrize("target", ["multiverse", "publish"])
def test_a_run_at_the_scale_of_the_documents_can_be_planned(target: str) -> None:
    (words,) = re.findall(r"\.venv/bin/snakemake (.*)", recipe(target))
    done = subprocess.run(
        [sys.executable, "-m", "snakemake", "-n", "--nolock", *words.split()],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert "would run" in done.stderr or "Nothing to be" in done.stderr
