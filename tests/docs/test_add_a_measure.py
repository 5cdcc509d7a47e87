"""The tutorial on adding a measure, followed to the letter in a copy of the project."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sentences import Recorded

ROOT = Path(__file__).resolve().parents[2]
TUTORIAL = (ROOT / "docs" / "tutorials" / "add-a-measure.md").read_text(encoding="utf-8")
LEFT_OUT = shutil.ignore_patterns(".*", "results", "__pycache__", "_build", "*.egg-info")

MODULE = re.compile(r"```python\n# (src/kinseq/measures/length_gap\.py)\n(.*?)```", re.DOTALL)
LINE = re.compile(r"```json\n(.*?)\n```")
CHECKS = re.compile(r"```sh\n\.venv/bin/python (-m pytest .*)\n```")
EXPECTED = re.compile(r"says\nthat `(.*?)`")


def called(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Output of Python in a copy of the project; nothing of the checkout is imported there."""
    search = os.pathsep.join(str(folder / name) for name in ("src", "workflow"))
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST")}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**environment, "PYTHONPATH": search},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A copy of the project, with the table of results that pages show."""
    folder = tmp_path / "project"
    for name in ("src", "workflow", "config", "tests"):
        shutil.copytree(ROOT / name, folder / name, ignore=LEFT_OUT)
    shutil.copytree(ROOT / "docs", folder / "docs", ignore=shutil.ignore_patterns("_build", "__pycache__"))
    for path in ROOT.glob("*.*"):
        if path.is_file():
            shutil.copy(path, folder)
    return folder


def test_a_measure_is_added_as_the_tutorial_says(copied: Path, recorded: Recorded) -> None:
    path, text = MODULE.search(TUTORIAL).groups()
    (copied / path).write_text(text, encoding="utf-8")
    unknown = called(copied, "-c", "import kinseq; kinseq.measures.get('length_gap')")
    assert EXPECTED.search(TUTORIAL)[1] in unknown.stderr
    assert called(copied, "workflow/describe.py").returncode == 0
    table = (copied / "src/kinseq/measures/measures.jsonl").read_text(encoding="utf-8").splitlines()
    assert LINE.search(TUTORIAL)[1] in table
    assert "| `length_gap` |" in (copied / "docs/reference/measures.md").read_text(encoding="utf-8")
    recorded.within((copied / "docs/explanation/choosing-a-measure.md").read_text(encoding="utf-8"))
    checks = called(
        copied, *CHECKS.search(TUTORIAL)[1].replace('"', "").split(" -k ")[0].split(), "-k", "length_gap or table"
    )
    assert checks.returncode == 0, checks.stdout[-3000:]
    assert "passed" in checks.stdout
