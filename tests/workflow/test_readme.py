"""The examples of the README, of the tutorial on adding and of CONTRIBUTING.md are cut out and run."""

from __future__ import annotations

import contextlib
import csv
import io
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import yaml

from kinseq_documents import plan
from kinseq_documents.project import Project as Configuration

from .project import ROOT, Project

BATCH = {"trials": 15, "models": 4, "measures": 2}

README = (ROOT / "README.md").read_text(encoding="utf-8")
ADDING = (ROOT / "docs" / "tutorials" / "add-a-measure.md").read_text(encoding="utf-8")
CHANGING = (ROOT / "docs" / "tutorials" / "change-one-choice.md").read_text(encoding="utf-8")
EXPERIMENTS = (ROOT / "docs" / "reference" / "experiments.md").read_text(encoding="utf-8")
GUIDE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def examples(text: str) -> dict[str, str]:
    """Code blocks that say in their first line which file they are, by that path."""
    blocks = re.findall(r"^```\w+\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)
    named = {}
    for block in blocks:
        first, _, rest = block.partition("\n")
        if first.startswith("# ") and "/" in first:
            named[first.removeprefix("# ").strip()] = rest
    return named


LINE = re.compile(r"^```json\n(\{.*\})\n```", re.MULTILINE)
"""The line of a table that is shown."""


def write_tables(project: Project) -> None:
    """Write the lines of what was added, as ``make pages`` does."""
    search = {**os.environ, "PYTHONPATH": os.pathsep.join([str(project.source), str(project.folder / "workflow")])}
    call = [sys.executable, "-c", "from kinseq_documents import registry_tables; registry_tables.write()"]
    subprocess.run(call, env=search, check=True)


def install(folder: Path, target: Path) -> None:
    """Install a package of one's own as the tutorial says, but into a folder of its own."""
    call = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation"]
    done = subprocess.run([*call, "--target", target, folder], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_measure_a_data_set_and_an_experiment_as_the_tutorial_adds_them(small: Project, tmp_path: Path) -> None:
    found = examples(ADDING)
    assert set(found) == {
        "my_measures/roughness.py",
        "my_measures/pyproject.toml",
        "src/kinseq/measures/length_gap.py",
        "workflow/kinseq_documents/data/noise.py",
        "src/kinseq/metrics/homogeneity.py",
        "config/datasets.yaml",
        "config/experiments/noise_demo.yaml",
    }
    outside = tmp_path / "my_measures"
    outside.mkdir()
    source = small.copy_source()
    for path in found:
        if path.startswith(outside.name):
            (tmp_path / path).write_text(found[path])
        elif path.endswith(".py"):
            (small.folder / path).write_text(found[path])
    write_tables(small)
    assert LINE.search(ADDING)[1] in (source / "kinseq/measures/measures.jsonl").read_text().splitlines()
    beside = tmp_path / "beside"
    install(outside, beside)
    search = {"PYTHONPATH": os.pathsep.join([str(source), str(beside)])}
    small.change("datasets.yaml", **yaml.safe_load(found["config/datasets.yaml"]))
    experiment = found["config/experiments/noise_demo.yaml"].replace("length_gap, yy", "length_gap, yy, roughness")
    (small.config / "experiments/noise_demo.yaml").write_text(experiment)
    small.run("noise_demo", **search)
    rows = list(csv.DictReader(io.StringIO(small.result("scores/noise_demo.csv").decode())))
    errors = {row["measure"]: float(row["value"]) for row in rows if row["metric"] == "error"}
    assert set(errors) == {"length_gap", "yy", "roughness", "true_labels", "random_labels"}
    assert {row["metric"] for row in rows} >= {"error", "homogeneity"}
    assert not {"ari", "nmi"} & {row["metric"] for row in rows}
    homogeneous = {row["value"] for row in rows if (row["measure"], row["metric"]) == ("true_labels", "homogeneity")}
    assert homogeneous == {"1.0"}
    assert "length gap" in small.result("tables/noise_demo.md").decode()
    # An outside edit reruns the jobs of its measure, and their dependents.
    module = beside / "roughness.py"
    module.write_text(module.read_text() + "# edited\n")
    pending = small.planned(small.run("--summary", "noise_demo", "--quiet", "all", **search))
    assert "results/scores/noise_demo.csv" in pending
    assert not [path for path in pending if "/sequences/" in path or "/models/" in path]


@pytest.mark.slow
def test_a_choice_is_changed_as_the_tutorial_changes_it(small: Project) -> None:
    found = examples(CHANGING)
    (small.config / "experiments" / "demo.yaml").unlink()
    shutil.copy(ROOT / "config" / "readings.yaml", small.config)
    vowels = yaml.safe_load((ROOT / "config" / "datasets.yaml").read_text(encoding="utf-8"))["japanese_vowels"]
    small.change("datasets.yaml", japanese_vowels=vowels)
    for name in ("models.yaml", "readings.yaml", "datasets.yaml"):
        small.change(name, **yaml.safe_load(found.pop(f"config/{name}")))
    exec(found.pop("data/make_logs.py").replace('"data"', repr(str(small.folder / "data"))), {})
    for path, text in found.items():
        parsed = yaml.safe_load(text)
        small.write(path.removeprefix("config/"), parsed)
    vowels_table = small.read("experiments/my_vowels.yaml")
    assert vowels_table["readings"] == ["authors", "modern"]
    small.write("experiments/my_vowels.yaml", vowels_table | {"readings": ["authors", "modern", "fixed_width"]})
    # The vowels are planned but not run, since their models are slow.
    settings = small.read("config.yaml") | {"documents": None}
    project = Configuration.read(settings, small.config, ROOT / "workflow" / "schemas", str(small.folder / "data"))
    assert plan.chapters(project.catalogue)["mine"] == ["my_logs_table", "my_vowels"]
    planned = "\n".join(plan.planned(project.catalogue, "my_vowels").job_files())
    assert "hmm8@authors" in planned
    assert "spectral@fixed_width" in planned
    assert "yy@fixed_width" not in planned, "the width is of the clustering, not of the matrices"
    small.run("my_logs_table")
    rows = list(csv.DictReader(io.StringIO(small.result("scores/my_logs_table.csv").decode())))
    errors = {(row["measure"], row["clusterer"]): float(row["value"]) for row in rows if row["metric"] == "error"}
    assert {measure for measure, _ in errors} >= {"sym", "yy", "kl_ll", "true_labels"}
    assert errors["yy", "spectral"] == 0.0, "slow and fast logs are told apart"
    table = small.result("tables/my_logs_table.md").decode()
    assert table.startswith("# Likelihood-matrix distances on my logs (%)")
    assert "My logs" in table
    # A changed file is read again.
    stamp = project.stamp("my_logs")
    log = small.folder / "data" / "my_logs" / "slow" / "log0.csv"
    log.write_text(log.read_text() + "0,0\n")
    assert project.stamp("my_logs") != stamp


def test_a_problem_an_estimator_and_a_drawing_as_the_guide_adds_them(small: Project) -> None:
    found = examples(GUIDE)
    for path in ("problems/spread.py", "drawings/bell.py"):
        (small.folder / "workflow/kinseq_documents" / path).write_text(found[f"workflow/kinseq_documents/{path}"])
    write_tables(small)
    for name in ("spread", "bell"):
        (small.config / f"experiments/{name}.yaml").write_text(found[f"config/experiments/{name}.yaml"])
    small.change("config.yaml", scales={**small.read("config.yaml")["scales"], "quick": {"batch": BATCH}})
    small.run("spread", "bell")

    rows = list(csv.DictReader(io.StringIO(small.result("estimates/spread.csv").decode())))
    assert len(rows) == 2 * 20
    assert {(row["problem"], row["estimator"], row["truth"]) for row in rows} == {("normal", "plug_in", "4.0")}
    errors = [float(row["estimate"]) - 4.0 for row in rows if row["n"] == "5"]
    scores = list(csv.DictReader(io.StringIO(small.result("scores/spread.csv").decode())))
    bias = [float(row["value"]) for row in scores if (row["metric"], row["x"]) == ("bias", "5.0")]
    assert sorted(bias) == pytest.approx(sorted(errors))
    assert "plug-in variance" in small.result("tables/spread.md").decode()
    assert "spread" in small.result("timings/spread.csv").decode()

    with np.load(io.BytesIO(small.result("figures/bell.npz"))) as arrays:
        assert arrays["density"].max() == pytest.approx(1 / (2 * np.sqrt(2 * np.pi)))
    assert small.result("figures/bell.pdf").startswith(b"%PDF")

    # Neither a new estimator nor a new drawing reruns anything.
    new = (
        found["workflow/kinseq_documents/problems/spread.py"]
        .replace('"normal"', '"other"')
        .replace('"plug_in"', '"another"')
    )
    (small.folder / "workflow/kinseq_documents/problems/another.py").write_text(new)
    new = found["workflow/kinseq_documents/drawings/bell.py"].replace('"bell"', '"another"')
    (small.folder / "workflow/kinseq_documents/drawings/another.py").write_text(new)
    write_tables(small)
    assert small.pending("spread", "bell") == []


def test_the_python_example_says_what_the_readme_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code, shown = re.findall(r"^```(?:python|text)\n(.*?)^```", README, flags=re.MULTILINE | re.DOTALL)
    monkeypatch.chdir(tmp_path)
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(code, {})
    assert said.getvalue() == shown
    assert (tmp_path / "page" / "index.html").is_file()


def test_the_commands_of_the_readme_exist() -> None:
    """Targets of `make` on the front page exist in the Makefile."""
    (block,) = re.findall(r"^```sh\n(.*?)^```", README, flags=re.MULTILINE | re.DOTALL)
    named = set(re.findall(r"\bmake ([a-z-]+)", block + README))
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, flags=re.MULTILINE))
    assert {"install", "cluster", "reproduce", "docs"} <= named
    assert named - {"and"} <= targets


def test_every_target_of_the_list_exists_and_every_experiment_is_listed() -> None:
    table = EXPERIMENTS.split("<!-- targets: begin -->")[1].split("<!-- targets: end -->")[0]
    targets = set(re.findall(r"^\|[^|]*\| `(\w+)` \|", table, flags=re.MULTILINE))
    assert targets == {path.stem for path in (ROOT / "config/experiments").glob("*.yaml")}
