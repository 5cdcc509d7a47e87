"""Profiles: the jobs of a cluster run can be planned without a cluster."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml
from snakemake.resources import GroupResources, Resource, Resources

from tests.sentences import Recorded

from .project import ROOT, Project
from .test_own import make_data

PROFILE = yaml.safe_load((ROOT / "profiles/slurm/config.yaml").read_text(encoding="utf-8"))


def of_group(n: int, **resources: int) -> dict[str, str | int]:
    """Resources requested by a submission of `n` parallel jobs under the profile."""
    jobs = [SimpleNamespace(resources={"_cores": 1, **resources}, pipe_group=None) for _ in range(n)]
    constraints = Resources({"_cores": Resource("_cores", PROFILE["cores"])})
    return dict(GroupResources.basic_layered([jobs], constraints, run_local=False))


def test_the_slurm_profile_plans_every_job(small: Project, recorded: Recorded) -> None:
    shutil.copytree(ROOT / "profiles", small.folder / "profiles")
    outcome = small.run("--workflow-profile", "profiles/slurm", "--executor", "dryrun", "--config", "scale=thesis")
    assert "partitions" in outcome.text
    recorded.within(outcome.text)
    assert not (small.folder / "results/scores").exists()


def test_own_data_are_planned_under_the_slurm_profile_as_the_tutorial_says(small: Project, recorded: Recorded) -> None:
    shutil.copytree(ROOT / "profiles", small.folder / "profiles", dirs_exist_ok=True)
    make_data(small.folder)
    text = (ROOT / "docs/tutorials/on-a-cluster.md").read_text(encoding="utf-8").replace("\\\n", " ")
    commands = [shlex.split(line) for line in text.splitlines() if "workflow/cluster/Snakefile" in line]
    assert len(commands) == 2
    for words in commands:
        asked = [
            word.replace("path/to/new", "mes données").replace("path/to/folder", "mes données") for word in words[1:]
        ]
        outcome = small.run(*asked, "--executor", "dryrun")
        recorded.within(outcome.text)
        assert ("gather" in outcome.text) == ("parts=16" in asked)


def test_retries_are_in_the_profile_and_resources_in_the_rules() -> None:
    assert PROFILE["retries"] >= 1
    for path in (ROOT / "workflow/rules").glob("*.smk"):
        text = path.read_text()
        assert "retries:" not in text
        rules = re.split(r"^(?=rule \w+:)", re.split(r"^use rule ", text, flags=re.MULTILINE)[0], flags=re.MULTILINE)
        for rule in (rule for rule in rules if "    output:\n" in rule):
            for directive in ("log:", "conda:", "threads:", "resources:", "message:"):
                assert f"    {directive}" in rule, (path.name, directive)
            assert "    benchmark:" in rule or "        usage=" in rule, path.name


def test_memory_and_time_grow_when_a_job_is_tried_again() -> None:
    for path in (ROOT / "workflow/rules").glob("*.smk"):
        for amount in re.findall(r"(?:mem_mb|runtime)=(.*)", path.read_text()):
            assert re.fullmatch(r"growing\(\d+\),", amount), f"{path.name}: {amount}"
    # It multiplies by the number of the try.
    assert len(re.findall(r"amount \* attempt\n", (ROOT / "workflow/rules/common.smk").read_text())) == 1


def test_a_submission_of_several_pieces_asks_for_one_of_them_and_the_time_of_all() -> None:
    for group, components in PROFILE["group-components"].items():
        asked = of_group(components, mem_mb=1000, runtime=10)
        assert (asked["_cores"], asked["mem_mb"], asked["runtime"]) == (1, 1000, 10 * components), group


def test_batches_of_the_slurm_profile_are_no_smaller_than_those_of_one_machine() -> None:
    one = yaml.safe_load((ROOT / "config/config.yaml").read_text(encoding="utf-8"))["scales"]
    batches = yaml.safe_load((ROOT / "profiles/slurm" / PROFILE["configfile"]).read_text(encoding="utf-8"))
    assert set(batches) == {"scales"}
    assert set(batches["scales"]) == set(one)
    for scale, settings in batches["scales"].items():
        assert all(size >= one[scale]["batch"][key] for key, size in settings["batch"].items()), scale


def kernels_on(folder: Path) -> str:
    """Where a node whose folder of temporary files is `folder` keeps compiled kernels, by the profile."""
    # The executor puts it between double quotes, into a command that a shell of the submitting machine reads first.
    here = {"PATH": os.environ["PATH"], "TMPDIR": "/of/the/submitting/machine"}
    wrapped = subprocess.run(
        f'printf %s "{PROFILE["precommand"]}"', shell=True, env=here, capture_output=True, text=True, check=True
    ).stdout
    there = here | {"TMPDIR": str(folder)}
    script = f'{wrapped} && printf %s "$NUMBA_CACHE_DIR"'
    return subprocess.run(script, shell=True, env=there, capture_output=True, text=True, check=True).stdout


def test_compiled_kernels_stay_on_the_node(tmp_path: Path) -> None:
    kept = Path(kernels_on(tmp_path))
    assert kept.parent == tmp_path
    assert kept.stat().st_mode & 0o777 == 0o700
    assert kernels_on(tmp_path) == str(kept)


@pytest.mark.parametrize("of", ["nothing", "a file", "a link"])
def test_a_folder_for_kernels_that_cannot_be_trusted_is_not_used(tmp_path: Path, of: str) -> None:
    place = tmp_path / f"kinseq-{os.getuid()}"
    if of == "a file":
        place.touch()
    elif of == "a link":
        (tmp_path / "elsewhere").mkdir()
        place.symlink_to(tmp_path / "elsewhere")
    assert kernels_on(tmp_path / "no" / "folder" if of == "nothing" else tmp_path) == ""
