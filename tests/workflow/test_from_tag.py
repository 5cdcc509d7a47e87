"""The workflow from a tag of its repository, as ``snakedeploy`` writes it, in an empty folder and without kinseq installed."""

from __future__ import annotations

import csv
import os
import shutil
import subprocess
import sysconfig
import venv
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from tests.sentences import Recorded

from .project import ROOT, Outcome

ADDRESS = "https://github.com/owner/kinseq"
SNAKEFILE = """
module kinseq:
    snakefile:
        github("owner/kinseq", path="workflow/Snakefile", tag="v1.2.3")
    config:
        config


use rule * from kinseq
"""


def git(folder: Path, *arguments: str) -> None:
    """Call git with a name for its author."""
    named = ("-c", "user.name=test", "-c", "user.email=test@example.org")
    subprocess.run(["git", *named, *arguments], cwd=folder, check=True, capture_output=True)


@dataclass
class Deployed:
    """An empty folder with a Snakefile that names a tag, and a Python that has every package but kinseq."""

    folder: Path
    python: Path
    environment: dict[str, str]

    def snakemake(self, *arguments: str, **environment: str) -> Outcome:
        done = subprocess.run(
            [str(self.python), "-m", "snakemake", *arguments, "--cores", "1"],
            cwd=self.folder,
            env={**self.environment, **environment},
            capture_output=True,
            text=True,
            check=False,
            timeout=600,
        )
        return Outcome(done.returncode, done.stdout + done.stderr)

    def run(self, *arguments: str) -> Outcome:
        outcome = self.snakemake(*arguments)
        assert outcome.status == 0, outcome.text[-4000:]
        return outcome


@pytest.fixture(scope="session")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bare clone of a repository with what a user would get: the files of the checkout as they are now, under a tag."""
    folder = tmp_path_factory.mktemp("repository")
    for name in ("config", "docs", "envs", "src", "workflow"):
        shutil.copytree(
            ROOT / name,
            folder / "made" / name,
            ignore=shutil.ignore_patterns("__pycache__", ".*", "*.egg-info", "_build"),
        )
    git(folder, "init", "--quiet", "made")
    git(folder / "made", "add", "--all")
    git(folder / "made", "commit", "--quiet", "--message", "one")
    git(folder / "made", "tag", "v1.2.3")
    git(folder, "clone", "--quiet", "--bare", "made", "bare.git")
    return folder / "bare.git"


@pytest.fixture(scope="session")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Python with the packages of this one. An editable kinseq is not among them: lines of its files are not followed."""
    folder = tmp_path_factory.mktemp("python")
    venv.create(folder, symlinks=True)
    paths = sysconfig.get_paths(vars={"base": str(folder), "platbase": str(folder)})
    packages = sysconfig.get_paths()["purelib"]
    assert not Path(packages, "kinseq").exists(), "kinseq is installed, and not from the checkout"
    Path(paths["purelib"], "others.pth").write_text(packages + "\n", encoding="utf-8")
    return folder / "bin" / "python"


@pytest.fixture
def deployed(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, repository: Path, python: Path) -> Deployed:
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("KINSEQ", "GIT_", "PYTHONPATH"))}
    mapped = {
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": f"url.file://{repository}.insteadOf",
        "GIT_CONFIG_VALUE_0": ADDRESS,
        "XDG_CACHE_HOME": str(tmp_path_factory.getbasetemp() / "cache"),
    }
    folder = tmp_path / "empty"
    folder.mkdir()
    (folder / "Snakefile").write_text(SNAKEFILE, encoding="utf-8")
    return Deployed(folder, python, {**kept, **mapped})


def test_a_plain_call_plans_everything(deployed: Deployed) -> None:
    text = deployed.run("--dry-run").text
    assert "\nall " in text
    for path in (ROOT / "config" / "experiments").glob("*.yaml"):
        if yaml.safe_load(path.read_text(encoding="utf-8")).get("on_request"):
            continue
        products = (f"results/tables/{path.stem}.md", f"results/figures/{path.stem}.svg")
        assert any(product in text for product in products), path.stem
    assert sorted(path.name for path in deployed.folder.iterdir()) == [".snakemake", "Snakefile"]


@pytest.mark.parametrize(
    "text",
    # What has another version has another text, too.
    [pytest.param('__version__ = "0.0.9"\n', marks=pytest.mark.slow), None],
    ids=["older", "edited"],
)
def test_another_kinseq_that_is_installed_is_refused_in_a_sentence(
    deployed: Deployed, tmp_path: Path, text: str | None, recorded: Recorded
) -> None:
    installed = tmp_path / "installed"
    shutil.copytree(ROOT / "src", installed, ignore=shutil.ignore_patterns("__pycache__"))
    init = installed / "kinseq" / "__init__.py"
    init.write_text(init.read_text(encoding="utf-8") + "# another one\n" if text is None else text, encoding="utf-8")
    outcome = deployed.snakemake("--dry-run", PYTHONPATH=str(installed))
    assert outcome.status == 1
    recorded.within(outcome.text)
    assert "pip uninstall kinseq" in outcome.text
    assert "Traceback" not in outcome.text


def test_the_same_kinseq_may_be_installed(deployed: Deployed) -> None:
    outcome = deployed.snakemake("--dry-run", "V_tab4_1", PYTHONPATH=str(ROOT / "src"))
    assert outcome.status == 0, outcome.text[-2000:]


@pytest.mark.slow
def test_a_table(deployed: Deployed) -> None:
    deployed.run("V_tab4_1")
    with (deployed.folder / "results/scores/V_tab4_1.csv").open(encoding="utf-8") as file:
        assert len(list(csv.DictReader(file))) > 10
    assert "itc" in (deployed.folder / "results/tables/V_tab4_1.md").read_text(encoding="utf-8").lower()


def test_sources_that_cannot_be_listed_are_refused_in_a_sentence(
    deployed: Deployed, repository: Path, recorded: Recorded
) -> None:
    (deployed.folder / "Snakefile").write_text(
        SNAKEFILE.replace(
            'github("owner/kinseq", path="workflow/Snakefile", tag="v1.2.3")',
            f'"git+file://{repository.parent}/made/workflow/Snakefile@v1.2.3"',
        ),
        encoding="utf-8",
    )
    outcome = deployed.snakemake("--dry-run")
    assert outcome.status == 1
    recorded.within(outcome.text)
