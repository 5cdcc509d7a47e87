"""Profiles: the jobs of a cluster run can be planned without a cluster."""

from __future__ import annotations

import re
import shutil

import yaml

from .project import ROOT, Project


def test_the_slurm_profile_plans_every_job(small: Project) -> None:
    shutil.copytree(ROOT / "profiles", small.folder / "profiles")
    outcome = small.run("--workflow-profile", "profiles/slurm", "--executor", "dryrun", "--config", "scale=thesis")
    assert "partitions" in outcome.text
    assert "This was a dry-run" in outcome.text
    assert not (small.folder / "results/scores").exists()


def test_retries_are_in_the_profile_and_resources_in_the_rules() -> None:
    profile = yaml.safe_load((ROOT / "profiles/slurm/config.yaml").read_text())
    assert profile["retries"] >= 1
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
