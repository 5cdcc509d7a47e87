"""The pinned requirements and the conda environments say the same, and every rule has what its jobs import, and no more."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

import pytest
import yaml

from tests.sentences import Recorded

from ..envs.match_specs import INTERPRETER, PIP_NAME, held, pins
from .environment_needs import ENVIRONMENTS, ROOT, needed, ours, outside, packages, rules

BOUND = {
    "cluster": "requirements-slurm.lock",
    "peers": "requirements-peers.lock",
    "docs": "requirements-docs.lock",
    "dist": "requirements-dist.lock",
    "lint": "requirements-lint.lock",
    "speech": "requirements-speech.lock",
}
"""Extras that have a lock file of their own, which only adds to the first."""
UNBOUND = {"eeg"}
"""Extras that nothing in the project installs: large packages that few need."""
LOCKS = {name: (ROOT / name).read_text(encoding="utf-8") for name in ("requirements.lock", *BOUND.values())}


def canonical(name: str) -> str:
    """Name of a Python package as the index compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def locked(name: str = "requirements.lock") -> dict[str, str]:
    """Package to version in a lock."""
    pins = re.findall(r"^([A-Za-z0-9._-]+)==(\S+)", LOCKS[name], flags=re.MULTILINE)
    return {canonical(name): version for name, version in pins}


@pytest.mark.parametrize("environment", ENVIRONMENTS, ids=lambda path: path.stem)
def test_environment_holds_the_versions_of_the_lock(environment: Path) -> None:
    versions = locked()
    for name, version in pins(environment).items():
        if name == INTERPRETER:
            continue
        package = canonical(PIP_NAME.get(name, name))
        assert package in versions, f"{environment.name}: {name} is not in the lock"
        assert version == versions[package], (
            f"{environment.name}: {name} is {version}, the lock has {versions[package]}"
        )


@pytest.mark.parametrize("environment", ENVIRONMENTS, ids=lambda path: path.stem)
def test_environment_names_its_channels(environment: Path) -> None:
    document = yaml.safe_load(environment.read_text(encoding="utf-8"))
    assert set(document) == {"channels", "dependencies"}
    # Without nodefaults a solver may mix in another channel's builds.
    assert document["channels"] == ["conda-forge", "nodefaults"]
    python = tuple(map(int, pins(environment)[INTERPRETER].split(".")))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    least = tuple(map(int, project["requires-python"].removeprefix(">=").split(".")))
    assert python >= least


def test_every_rule_runs_where_all_that_it_imports_is() -> None:
    found = rules()
    assert {rule.name for rule in found} >= {
        "sequences",
        "models",
        "partitions",
        "drawing",
        "fidelity",
        "example",
    }
    for rule in found:
        assert rule.environment in ENVIRONMENTS, f"{rule.name}: {rule.environment} does not exist"
        lacking = needed(rule) - held(rule.environment)
        assert not lacking, f"{rule.environment.name} lacks {sorted(lacking)}, which {rule.name} imports"


@pytest.mark.parametrize("environment", ENVIRONMENTS, ids=lambda path: path.stem)
def test_an_environment_holds_nothing_that_none_of_its_rules_imports(environment: Path) -> None:
    asked = {name for rule in rules() if rule.environment == environment for name in needed(rule)}
    assert held(environment) == asked


def test_every_import_of_the_scripts_and_packages_is_seen() -> None:
    text = ast.parse(
        """
from __future__ import annotations
import os, PIL.Image
from typing import TYPE_CHECKING
from . import beside
from kinseq_documents.stages import distances
if TYPE_CHECKING:
    import pandas
def late():
    from sklearn.cluster import KMeans
    try:
        import pyarrow.parquet
    except ImportError:
        import kinseq.hmm
"""
    )
    assert packages(outside(text)) == {"pillow", "scikit-learn", "pyarrow"}
    # The lazy package stands for everything it may load.
    assert {"kinseq_documents.stages.distances", "kinseq.hmm.estimator"} <= ours(text)
    # All imports of a measure belong to the job that computes it.
    (distances,) = (rule for rule in rules() if rule.name == "distances")
    assert {"python-crfsuite", "numba", "psutil"} <= needed(distances)


def test_no_rule_that_runs_something_is_overlooked() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "workflow").rglob("*.smk"))
    assert len(rules()) == len(re.findall(r"^ *(?:script|shell|notebook|wrapper|run):", text, flags=re.MULTILINE))
    scripts = set((ROOT / "workflow" / "scripts").glob("*.py"))
    assert {rule.script for rule in rules()} == scripts
    assert {rule.environment for rule in rules()} == set(ENVIRONMENTS)


@pytest.mark.parametrize("name", LOCKS)
def test_lock_has_a_hash_for_every_requirement(name: str) -> None:
    # A backslash at the end joins a requirement with its hashes, as pip reads it.
    requirements = [line for line in LOCKS[name].replace("\\\n", " ").splitlines() if line.strip() and line[0] != "#"]
    assert requirements
    for line in requirements:
        assert re.fullmatch(
            r"[A-Za-z0-9._-]+==\S+(\s*;[^#]*?)?(\s+--hash=sha256:[0-9a-f]{64})+\s*(#.*)?", line.rstrip()
        ), f"{name}: not a version with hashes: {line[:60]}"


def test_packages_whose_data_are_read_are_locked(recorded: Recorded) -> None:
    # None of them is imported, so their dependencies are in no lock.
    lines = (ROOT / "requirements-sets.lock").read_text(encoding="utf-8").replace("\\\n", " ").splitlines()
    assert lines
    for line in lines:
        assert re.fullmatch(r"[a-z0-9-]+==[0-9.]+\s+--hash=sha256:[0-9a-f]{64}", line), line
    recorded.within((ROOT / "Makefile").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", LOCKS)
def test_lock_has_no_address_and_no_option(name: str) -> None:
    lock = LOCKS[name]
    assert "://" not in lock
    assert not re.search(r"\bfile:", lock)
    assert " @ " not in lock
    for line in lock.splitlines():
        assert not re.match(r"\s*(-[a-zA-Z]\b|--(?!hash=))", line), f"{name}: an option: {line[:60]}"


def wanted(extras: set[str]) -> set[str]:
    """Packages that the project names, with some extras and those that they consist of."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = [*project["dependencies"], *(line for extra in extras for line in project["optional-dependencies"][extra])]
    parts = {part for line in lines if (own := re.fullmatch(r"kinseq\[(.+)\]", line)) for part in own[1].split(",")}
    if parts - extras:
        return wanted(extras | parts)
    return {canonical(re.match(r"[A-Za-z0-9._-]+", line)[0]) for line in lines} - {"kinseq"}  # type: ignore[index]


def test_all_is_every_extra_that_reads_files_or_computes() -> None:
    assert wanted({"all"}) == wanted({"audio", "files", "crf", "parquet", "excel", "praat", "physiology"})
    assert not wanted(set()) & {"librosa", "soundfile", "soxr", "pyarrow", "openpyxl"}


def test_locks_hold_every_direct_requirement() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    others = set(project["optional-dependencies"]) - set(BOUND) - UNBOUND
    assert wanted(others) <= set(locked()), "requirements.lock lacks some; run make lock"
    for extra, name in BOUND.items():
        assert wanted({extra}) <= set(locked()) | set(locked(name)), "run make lock"


def test_make_lock_is_given_every_extra_of_each_lock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / ".ci")
    import lock

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    others = set(project["optional-dependencies"]) - set(BOUND) - UNBOUND
    assert wanted(set(lock.BASE_EXTRAS)) == wanted(others)
    assert {name: file for file, extras in lock.ADDED.items() for name in set(extras) & set(BOUND)} == BOUND


@pytest.mark.parametrize("extra", BOUND)
def test_a_lock_beside_the_first_only_adds(extra: str) -> None:
    # So that installing it changes nothing; make installs it with the first, which it needs.
    assert not set(locked()) & set(locked(BOUND[extra]))
    assert f"-r requirements.lock -r {BOUND[extra]}" in (ROOT / "Makefile").read_text(encoding="utf-8")


def test_what_is_pinned_twice_is_left_out_of_the_second_lock_and_must_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / ".ci")
    import lock

    base = lock.entries(LOCKS["requirements.lock"])
    assert len(base) == len(locked())
    new = "new-one==1.0 \\\n    --hash=sha256:ab \\\n    --hash=sha256:cd\n"
    assert lock.entries(f"# The following\n{base[0]}\n{new}") == [base[0], new]
    assert lock.added([base[0], new], base) == [new]
    # Extras that name other extras of the project make the compiler write the project itself, at its path.
    assert lock.entries(f"{base[0]}kinseq @ file:///a/folder\n\n{new}") == [base[0], new]
    with pytest.raises(SystemExit, match="0 here and"):
        lock.added([f"{base[0].partition('==')[0]}==0 \\\n    --hash=sha256:ab\n"], base)


def test_profiles_use_options_and_rules_that_exist() -> None:
    from snakemake.cli import get_argument_parser

    options = set(get_argument_parser()._option_string_actions)
    text = "".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "workflow" / "rules").glob("*.smk")))
    rules = set(re.findall(r"^(?:rule|use rule \w+ as) (\w+)(?: with)?:", text, flags=re.MULTILINE))
    for path in sorted((ROOT / "profiles").glob("*/config.yaml")):
        profile = yaml.safe_load(path.read_text(encoding="utf-8"))
        for key in profile:
            assert f"--{key}" in options, f"{path.parent.name}: {key} is no option of snakemake"
        for key in ("groups", "set-resources", "set-threads"):
            assert set(profile.get(key, {})) <= rules, f"{path.parent.name}: {key} names a rule that does not exist"
        groups = set(re.findall(r'group:\s*"(\w+)"', text)) if "group-components" in profile else set()
        assert groups | set(profile.get("groups", {}).values()) == set(profile.get("group-components", {}))
