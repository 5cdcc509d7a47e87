"""Profiles: the jobs of a cluster run can be planned without a cluster."""

from __future__ import annotations

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
        for directive in ("log:", "conda:", "threads:", "resources:", "benchmark:", "message:"):
            rules = text.count("    output:\n")
            assert text.count(f"    {directive}") >= rules, (path.name, directive)
