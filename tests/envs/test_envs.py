"""Every rule in its environment of conda, planned by a Python that has Snakemake and NumPy and nothing else.

Whatever a job imports is in the file of its environment, or the job fails: kinseq itself is not installed anywhere.
"""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ..workflow.project import DATASETS, EXPERIMENT, ROOT, Outcome, Project
from . import conda

VARIABLE = "KINSEQ_TEST_ENVS"
FOLDER = ROOT / ".test-envs"
"""In the folder of the repository: five environments are some gigabytes."""

DRAWING = {"kind": "drawing", "chapter": "chapter0", "sources": []}
COMPARISON = {key: value for key, value in EXPERIMENT.items() if key not in ("id", "parts", "render", "metric")}
MORE_DATA: dict[str, Any] = {
    "sentences": {"title": "sentences", "loader": "sentences", "params": {"items": 40}},
    "recordings": {
        "title": "recordings",
        "loader": "genre_folders",
        "params": {"name": "recordings", "features": "speech"},
        "folder": "recordings",
        "files": ["*/*.wav"],
    },
    "japanese_vowels": {
        "title": "vowels",
        "loader": "japanese_vowels",
        "folder": "japanese_vowels",
        "files": ["JapaneseVowels_TRAIN.ts"],
    },
}
CURVES = {"kind": "curves", "x_label": "Length", "panels": ["hierarchical"], "lines": ["yy"], "controls": []}
TABLE = {"kind": "table", "rows": ["dataset"], "columns": "measure", "sections": []}
PRINTED = "tab2_1"
EXPERIMENTS: dict[str, dict[str, Any]] = {
    # A table and a figure of clusters; a table of others, of data from files too; a table of matrices.
    "curve": {
        **COMPARISON,
        "metric": "error",
        "parts": [{"datasets": ["tiny"], "models": ["hmm2"], "measures": ["yy"], "clusterers": ["hierarchical"]}],
        "render": CURVES,
    },
    "demo": {
        **COMPARISON,
        "metric": "error",
        "parts": [
            {
                "datasets": ["tiny_other", "recordings", "japanese_vowels"],
                "models": ["hmm2"],
                "measures": ["kl_ll", "dtw"],
                "clusterers": ["spectral"],
            }
        ],
        "render": {**TABLE, "sections": ["clusterer"]},
    },
    "ranked": {
        **COMPARISON,
        "metric": "map",
        "parts": [{"datasets": ["sentences"], "models": [], "measures": ["short"]}],
        "render": TABLE,
    },
    "estimated": {
        **COMPARISON,
        "kind": "estimation",
        "metric": "bias",
        "parts": [{"problems": ["check_mixtures"], "estimators": ["nn_kl"], "sizes": {"quick": [30], "thesis": [30]}}],
        "render": TABLE,
    },
    "timed": {
        **COMPARISON,
        "kind": "estimation",
        "records": "seconds",
        "parts": [
            {
                "problems": ["gaussians"],
                "estimators": ["risks_closed_form"],
                "sizes": {"quick": [30, 60], "thesis": [30]},
            }
        ],
        "render": {"kind": "costs", "x_label": "Vectors"},
    },
    "alone": {**DRAWING, "title": "Joint", "chapter": "chapter1", "drawing": "neighbour_norms"},
    "words": {
        **DRAWING,
        "title": "Words",
        "drawing": "word_occurrences",
        "params": {"border": 2},
        "datasets": ["sentences"],
    },
    "symbols": {**DRAWING, "title": "Symbols", "chapter": "chapter1", "drawing": "symbols"},
    # All readings of a printed table, with other sequences instead of its own.
    "readings": {
        "kind": "multiverse",
        "title": "Readings",
        "chapter": "chapter0",
        "sources": [],
        "trials": {"quick": 1, "thesis": 1},
        "widths": {"low": 0.1, "high": 1, "n": 3},
        "axes": [
            {
                "name": "training",
                "label": "Training",
                "enters": "models",
                "levels": {"default": {"label": "default", "params": {"preset": "default"}}},
            },
            {
                "name": "kernel",
                "label": "Kernel",
                "enters": "affinity",
                "printed": "gaussian",
                "levels": {
                    "linear": {"label": "exp(-d)", "params": {"kernel": "linear"}},
                    "gaussian": {"label": "exp(-d^2)", "params": {"kernel": "gaussian"}},
                },
            },
        ],
        "readings": {name: {"training": "default", "kernel": "gaussian"} for name in ("print", "authors", "modern")},
        "tables": [
            {
                "name": "2.1",
                "file": PRINTED,
                "items": ["tab2_1"],
                "printed_as": {"tiny": "japanese_vowels"},
                "parts": [{"datasets": ["tiny"], "models": ["hmm2"], "measures": ["yy"]}],
            }
        ],
    },
    "moments": {**DRAWING, "title": "Moments", "drawing": "equal_moments"},
    "optima": {**DRAWING, "title": "Optima", "drawing": "em_optima"},
    "songs": {
        **DRAWING,
        "title": "Songs",
        "drawing": "song_samples",
        "params": {"n_songs": 1, "seconds": 5.0, "excerpt": 1.0},
    },
}


def write_data(folder: Path) -> None:
    """Recordings and a file of vowels as the loaders read them."""
    import soundfile

    rng = np.random.default_rng(0)
    for genre, pitch in (("high", 880.0), ("low", 220.0)):
        (folder / "data" / "recordings" / genre).mkdir(parents=True)
        for number in range(5):
            tone = np.sin(2.0 * np.pi * pitch * np.arange(8000) / 16000) + 0.1 * rng.normal(size=8000)
            soundfile.write(folder / "data" / "recordings" / genre / f"{number}.wav", 0.5 * tone, 16000)
    (folder / "data" / "japanese_vowels").mkdir()
    cases = [
        ":".join(",".join(f"{value:.4f}" for value in row) for row in rng.normal(speaker, 1.0, size=(12, 8)))
        + f":{speaker}"
        for speaker in range(1, 10)
        for _ in range(3)
    ]
    head = ["@problemName vowels", "@timeStamps false", "@missing false", "@univariate false", "@dimensions 12"]
    head += ["@equalLength true", "@seriesLength 8", "@classLabel true 1 2 3 4 5 6 7 8 9", "@data"]
    (folder / "data/japanese_vowels/JapaneseVowels_TRAIN.ts").write_text(
        "\n".join([*head, *cases]) + "\n", encoding="utf-8"
    )


def fill(project: Project) -> None:
    """Give a project tiny experiments that need every rule."""
    (project.config / "experiments/demo.yaml").unlink()
    shutil.copy(ROOT / "config/variants.yaml", project.config)
    variants = project.read("variants.yaml")
    variants["measures"]["short"] = {"measure": "sic", "params": {"n_iterations": 5, "classifier": "crf"}}
    project.write("variants.yaml", variants)
    project.write("datasets.yaml", {**DATASETS, **MORE_DATA})
    models = project.read("models.yaml")
    project.write("models.yaml", {name: {**model, "label": name} for name, model in models.items()})
    shutil.copy(ROOT / f"config/published/{PRINTED}.csv", project.config / "published")
    for name, experiment in EXPERIMENTS.items():
        project.write(f"experiments/{name}.yaml", {**experiment, "id": name})
    write_data(project.folder)


class Isolated(Project):
    """A project whose Snakemake is another Python's, and finds kinseq in the workflow alone."""

    python: Path
    conda: Path
    # Environments are created on the way, which takes minutes.
    patience = 3600.0

    def environment(self, **extra: str) -> dict[str, str]:
        found = super().environment(**extra)
        del found["PYTHONPATH"]
        path = os.pathsep.join([str(self.conda), found["PATH"]])
        return {**found, "PATH": path, conda.PREFIX: str(self.conda.parent), "KINSEQ_DATA": str(self.folder / "data")}

    def command(self, *arguments: str) -> list[str]:
        where = ("--software-deployment-method", "conda", "--conda-prefix", str(FOLDER / "made"))
        return [str(self.python), "-m", "snakemake", *where, *arguments]


@pytest.fixture(scope="session")
def isolated() -> Isolated:
    """A project of tiny experiments that need every rule."""
    if not os.environ.get(VARIABLE):
        pytest.skip("make test-envs runs these")
    shutil.rmtree(FOLDER, ignore_errors=True)
    found = shutil.which("conda")
    command = Path(found).parent if found else conda.install(FOLDER / "conda")
    print(f"environments are made by {found or 'the stand-in for conda, of venv and pip'}")
    conda.create(FOLDER / "bare", ["snakemake", "numpy"], conda.constraints(FOLDER))
    project = Isolated(FOLDER / "project")
    project.python, project.conda = FOLDER / "bare" / "bin" / "python", command
    fill(project)
    return project


def rules_of(project: Project) -> set[str]:
    """Names of the rules that run a script, drawings that share a job left out."""
    names: set[str] = set()
    for file in sorted((project.folder / "workflow" / "rules").glob("*.smk")):
        text = file.read_text(encoding="utf-8")
        blocks = re.split(r"^(?=rule|use rule|checkpoint)", text, flags=re.MULTILINE)
        scripts = {
            match[1]
            for block in blocks
            if "script:" in block and (match := re.match(r"(?:rule|checkpoint) (\w+):", block))
        }
        names |= scripts
    return names


def ended(*outcomes: Outcome) -> set[str]:
    """Names of the rules of which a job has ended."""
    return {name for outcome in outcomes for name in re.findall(r"\(Rule: (\w+)\)", outcome.text)}


def test_the_tiny_experiments_need_every_rule(tmp_path: Path) -> None:
    """In every run of the tests, so that a rule that is added is among those that are run in their environments."""
    project = Project(tmp_path)
    fill(project)
    plan = project.run("--dry-run", KINSEQ_DATA=str(project.folder / "data")).text
    assert rules_of(project) <= set(re.findall(r"^(\w+) +\d+$", plan, flags=re.MULTILINE))


def test_every_rule_runs_in_its_environment_with_nothing_beside_it(isolated: Isolated) -> None:
    found = ended(isolated.run())
    assert rules_of(isolated) <= found
    assert "drawings_moments_and_1_more" in found
    wanted = sorted((isolated.folder / "envs").glob("*.yaml"))
    assert len(list((FOLDER / "made").glob("*.yaml"))) == len(wanted)
    scores = (isolated.folder / "results/scores/demo.csv").read_text(encoding="utf-8")
    for name in ("recordings", "japanese_vowels", "tiny_other"):
        assert name in scores


@pytest.mark.parametrize(
    ("environment", "line", "target", "module"),
    [("render", "matplotlib-base", "results/figures/curve.svg", "matplotlib")],
)
def test_a_package_that_is_taken_out_of_a_file_is_missed(
    isolated: Isolated, environment: str, line: str, target: str, module: str
) -> None:
    isolated.run(target)
    path = isolated.folder / "envs" / f"{environment}.yaml"
    whole = path.read_text(encoding="utf-8")
    path.write_text(re.sub(rf"^  - {line}=.*\n", "", whole, flags=re.MULTILINE), encoding="utf-8")
    assert path.read_text(encoding="utf-8") != whole
    try:
        outcome = isolated.snakemake("--forcerun", "figures", "--", target)
    finally:
        path.write_text(whole, encoding="utf-8")
    assert outcome.status != 0
    assert f"No module named '{module}'" in outcome.text
