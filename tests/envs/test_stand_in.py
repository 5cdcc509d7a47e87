"""The stand-in for conda starts as Snakemake starts it, and knows what each environment holds; nothing is installed."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from ..workflow.project import ROOT
from . import conda
from .match_specs import held


@pytest.fixture(scope="module")
def stand_in(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return conda.install(tmp_path_factory.mktemp("conda")) / "conda"


def said(command: Path, folder: Path, *words: str) -> str:
    """Call the stand-in away from the repository, with nothing of the caller's on the path of modules."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(
        [command, *words],
        cwd=folder,
        env=environment | {conda.PREFIX: str(command.parents[1])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_answers_as_conda_does(stand_in: Path, tmp_path: Path) -> None:
    assert said(stand_in, tmp_path, "--version").startswith("conda 24.")
    assert json.loads(said(stand_in, tmp_path, "info", "--json"))["conda_prefix"] == str(stand_in.parents[1])


@pytest.mark.parametrize("file", sorted((ROOT / "envs").glob("*.yaml")), ids=lambda path: path.stem)
def test_each_environment_can_be_planned(stand_in: Path, tmp_path: Path, file: Path) -> None:
    planned = said(
        stand_in, tmp_path, "env", "create", "--dry-run", "--file", str(file), "--prefix", str(tmp_path / "x")
    )
    assert {line.split("==")[0] for line in planned.split()} == held(file)
    assert not (tmp_path / "x").exists()
