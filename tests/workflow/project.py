"""A tiny project of its own for each test: a copy of the workflow, a small configuration, and calls of snakemake."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from ..copies import IGNORED, copy_library

ROOT = Path(__file__).resolve().parents[2]

DATASETS = {
    "tiny": {
        "title": "tiny mixture",
        "loader": "mohmm",
        "params": {"n_sequences": [12], "mean_length": [15, 30]},
    },
    "tiny_other": {
        "title": "another tiny mixture",
        "loader": "mohmm",
        "params": {"n_sequences": [10], "mean_length": [20]},
    },
    "lost": {
        "title": "lost recordings",
        "loader": "speaker_folders",
        "params": {"name": "lost"},
        "folder": "lost",
        "files": ["*/*.txt"],
        "gone": "the recordings are lost",
    },
}

MODELS = {"hmm2": {"kind": "hmm", "n_states": 2, "n_init": 1, "max_iter": 10}}
EXPERIMENT = {
    "id": "demo",
    "title": "A demonstration",
    "chapter": "chapter0",
    "sources": [{"document": "T", "item": "fig2_1"}],
    "metric": "error",
    "trials": {"quick": 3, "thesis": 5},
    "parts": [
        {
            "datasets": ["tiny", "tiny_other", "lost"],
            "models": ["hmm2"],
            "measures": ["yy", "kl_ll", "dtw"],
            "clusterers": ["spectral", "hierarchical"],
        }
    ],
    "render": {"kind": "table", "rows": ["dataset", "x"], "columns": "measure", "sections": ["clusterer"]},
}
SETTINGS = {
    "scale": "quick",
    "seed": 1,
    "experiments": "all",
    "data_dir": None,
    "offline": True,
    "keep_distances": False,
    "scales": {
        "quick": {"batch": {"trials": 3, "models": 4, "measures": 2}},
        "thesis": {"batch": {"trials": 5, "models": 1, "measures": 1}},
    },
}


def heed_interrupts() -> None:
    """Called in a child before its command: tests in the background of a shell have interrupts ignored, and hand that on."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@dataclass
class Outcome:
    """Status and output of a call."""

    status: int
    text: str


class Configuration:
    """A folder with a small configuration."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.config = folder / "config"
        (self.config / "experiments").mkdir(parents=True)
        (self.config / "published").mkdir()
        self.write("config.yaml", SETTINGS)
        self.write("datasets.yaml", DATASETS)
        self.write("models.yaml", MODELS)
        self.write("readings.yaml", {})
        self.write("variants.yaml", {"measures": {}, "clusterers": {}})
        self.write("experiments/demo.yaml", EXPERIMENT)

    def write(self, name: str, document: Any) -> None:
        """Write a file of the configuration."""
        (self.config / name).write_text(yaml.safe_dump(document, sort_keys=False), encoding="utf-8")

    def read(self, name: str) -> Any:
        """Read a file of the configuration."""
        return yaml.safe_load((self.config / name).read_text(encoding="utf-8"))

    def change(self, name: str, **changes: Any) -> None:
        """Change top-level keys of a file of the configuration."""
        self.write(name, {**self.read(name), **changes})


class Project(Configuration):
    """A folder with a workflow and a configuration."""

    patience = 600.0
    """Seconds after which a call is given up."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        # Numba caches compiled code by the path of its source, so a copy would compile everything again, for half a
        # minute.
        (folder / "src").symlink_to(ROOT / "src")
        shutil.copytree(ROOT / "workflow", folder / "workflow", ignore=IGNORED)
        shutil.copytree(ROOT / "envs", folder / "envs")
        shutil.copy(ROOT / "Snakefile", folder / "Snakefile")

    def environment(self, **extra: str) -> dict[str, str]:
        kept = {key: value for key, value in os.environ.items() if not key.startswith("KINSEQ")}
        return {**kept, "PYTHONHASHSEED": "0", "PYTHONPATH": str(self.source), **extra}

    @property
    def source(self) -> Path:
        """Folder of the library: that of the checkout, or a copy that may be edited."""
        return (self.folder / "src").resolve()

    def copy(self, folder: Path) -> Project:
        """Copy what is there, times of files included."""
        shutil.copytree(self.folder, folder, symlinks=True)
        copied = object.__new__(Project)
        copied.folder, copied.config = folder, folder / "config"
        return copied

    def copy_source(self) -> Path:
        """Put a copy of the library, with the same times of files, into the place of the checkout's."""
        (self.folder / "src").unlink()
        return copy_library(self.folder / "src").resolve()

    def command(self, *arguments: str) -> list[str]:
        return [sys.executable, "-m", "snakemake", *arguments]

    def make(self, *words: str) -> list[str]:
        """A call of make in the project, which gets the Makefile, the profiles and the packages that are installed."""
        if not (self.folder / "Makefile").exists():
            shutil.copy(ROOT / "Makefile", self.folder)
            shutil.copytree(ROOT / "profiles", self.folder / "profiles")
            (self.folder / ".venv").symlink_to(sys.prefix)
        return ["make", "-o", ".venv/.installed", "-o", ".venv/.compiled", *words, "CORES=2"]

    def snakemake(self, *arguments: str, cores: int = 2, **environment: str) -> Outcome:
        """Call snakemake in the project and wait."""
        done = subprocess.run(
            self.command("--cores", str(cores), "--scheduler", "greedy", "--show-failed-logs", *arguments),
            cwd=self.folder,
            env=self.environment(**environment),
            capture_output=True,
            text=True,
            check=False,
            timeout=self.patience,
        )
        return Outcome(done.returncode, done.stdout + done.stderr)

    def start(self, *command: str) -> subprocess.Popen[str]:
        """Start a command in the project, in a process group of its own."""
        return subprocess.Popen(
            command,
            cwd=self.folder,
            env=self.environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
            preexec_fn=heed_interrupts,
        )

    def run(self, *arguments: str, **options: Any) -> Outcome:
        """Call snakemake and insist on success."""
        outcome = self.snakemake(*arguments, **options)
        assert outcome.status == 0, outcome.text[-4000:]
        return outcome

    def pending(self, *arguments: str) -> list[str]:
        """Outputs that a run would make or make again now."""
        return self.planned(self.run("--summary", *arguments, "--quiet", "all"))

    @staticmethod
    def planned(summary: Outcome) -> list[str]:
        """Outputs with a pending update in what ``--summary`` printed."""
        rows = [line.split("\t") for line in summary.text.splitlines() if "\t" in line]
        assert rows[0][0] == "output_file", summary.text[:2000]
        return sorted(row[0] for row in rows[1:] if row[-1] == "update pending")

    def result(self, name: str) -> bytes:
        """Content of a result."""
        return (self.folder / "results" / name).read_bytes()
