"""The pinned requirements and the conda environments say the same, and every rule names an environment that exists."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
LOCKS = {
    name: (ROOT / name).read_text(encoding="utf-8")
    for name in ("requirements.lock", "requirements-slurm.lock", "requirements-peers.lock")
}
BOUND = {"cluster": "requirements-slurm.lock", "peers": "requirements-peers.lock"}
"""Extras that have a lock of their own, bound to the versions of the first."""
ENVIRONMENTS = sorted((ROOT / "envs").glob("*.yaml"))

# conda-forge calls these by other names than the Python package index does.
PIP_NAME = {"matplotlib-base": "matplotlib", "pysoundfile": "soundfile", "soxr-python": "soxr"}
# Not a requirement of Python packages, hence not in the lock.
INTERPRETER = "python"

# A strict match spec: lower-case name, = or ==, a whole version, nothing else. Spaces, wildcards, ranges, a build
# string or a channel in front would each mean something different to one of the solvers.
MATCH_SPEC = re.compile(r"(?P<name>[a-z0-9][a-z0-9._-]*)={1,2}(?P<version>[0-9]+(?:\.[0-9a-z]+)*)")


def canonical(name: str) -> str:
    """Name of a Python package as the index compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def locked(name: str = "requirements.lock") -> dict[str, str]:
    """Package to version in a lock."""
    pins = re.findall(r"^([A-Za-z0-9._-]+)==(\S+)", LOCKS[name], flags=re.MULTILINE)
    return {canonical(name): version for name, version in pins}


def pins(environment: Path) -> dict[str, str]:
    """conda package to version in an environment; fails on a line that is no strict match spec."""
    found: dict[str, str] = {}
    for line in yaml.safe_load(environment.read_text(encoding="utf-8"))["dependencies"]:
        assert isinstance(line, str), f"{environment.name}: {line!r} is no match spec"
        match = MATCH_SPEC.fullmatch(line)
        assert match, f"{environment.name}: {line!r} is no strict match spec name=version"
        assert match["name"] not in found, f"{environment.name}: {match['name']} stands there twice"
        found[match["name"]] = match["version"]
    return found


@pytest.mark.parametrize("environment", ENVIRONMENTS, ids=lambda path: path.stem)
def test_environment_holds_the_versions_of_the_lock(environment: Path) -> None:
    versions = {**locked("requirements-peers.lock"), **locked()}
    for name, version in pins(environment).items():
        if name == INTERPRETER:
            continue
        package = canonical(PIP_NAME.get(name, name))
        assert package in versions, f"{environment.name}: {name} is in no lock"
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


def test_every_environment_holds_the_core() -> None:
    core = pins(ROOT / "envs" / "core.yaml")
    for environment in ENVIRONMENTS:
        assert core.items() <= pins(environment).items(), f"{environment.name} lacks a package of core.yaml"


def test_rules_name_environments_that_exist() -> None:
    files = [ROOT / "Snakefile", ROOT / "workflow" / "Snakefile", *sorted((ROOT / "workflow" / "rules").glob("*.smk"))]
    used = []
    for file in files:
        for path in re.findall(r'conda:\s*"([^"]+)"', file.read_text(encoding="utf-8")):
            used.append(path)
            assert (file.parent / path).resolve() in ENVIRONMENTS, f"{file.name}: conda: {path} does not exist"
    assert used


def test_rules_that_run_something_name_an_environment() -> None:
    found = 0
    for file in sorted((ROOT / "workflow" / "rules").glob("*.smk")):
        for rule in re.split(r"^(?=(?:rule|checkpoint) \w+:)", file.read_text(encoding="utf-8"), flags=re.MULTILINE):
            if re.match(r"(?:rule|checkpoint) \w+:", rule) and re.search(r"^    (script|shell|notebook):", rule, re.M):
                found += 1
                assert re.search(r"^    conda:", rule, re.M), f"{file.name}: {rule.split(':')[0]} has no conda:"
    assert found > 5


@pytest.mark.parametrize("name", LOCKS)
def test_lock_has_a_hash_for_every_requirement(name: str) -> None:
    # A backslash at the end joins a requirement with its hashes, as pip reads it.
    requirements = [line for line in LOCKS[name].replace("\\\n", " ").splitlines() if line.strip() and line[0] != "#"]
    assert len(requirements) > 20
    for line in requirements:
        assert re.fullmatch(
            r"[A-Za-z0-9._-]+==\S+(\s*;[^#]*?)?(\s+--hash=sha256:[0-9a-f]{64})+\s*(#.*)?", line.rstrip()
        ), f"{name}: not a version with hashes: {line[:60]}"


def test_packages_whose_data_are_read_are_locked() -> None:
    # Nothing of them is imported, so that what they depend on is in no lock.
    lines = (ROOT / "requirements-sets.lock").read_text(encoding="utf-8").replace("\\\n", " ").splitlines()
    assert lines
    for line in lines:
        assert re.fullmatch(r"[a-z0-9-]+==[0-9.]+\s+--hash=sha256:[0-9a-f]{64}", line), line
    assert "--no-deps -r requirements-sets.lock" in (ROOT / "Makefile").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", LOCKS)
def test_lock_has_no_address_and_no_option(name: str) -> None:
    lock = LOCKS[name]
    assert "://" not in lock
    assert not re.search(r"\bfile:", lock)
    assert " @ " not in lock
    for line in lock.splitlines():
        assert not re.match(r"\s*(-[a-zA-Z]\b|--(?!hash=))", line), f"{name}: an option: {line[:60]}"


def wanted(extras: set[str]) -> set[str]:
    """Packages that the project names, with some extras."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = [*project["dependencies"], *(line for extra in extras for line in project["optional-dependencies"][extra])]
    return {canonical(re.match(r"[A-Za-z0-9._-]+", line)[0]) for line in lines}  # type: ignore[index]


def test_locks_hold_every_direct_requirement() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    others = set(project["optional-dependencies"]) - set(BOUND)
    assert wanted(others) <= set(locked()), "requirements.lock lacks some; run make lock"
    assert wanted({"workflow", "cluster"}) <= set(locked(BOUND["cluster"])), "run make lock"
    assert wanted({"peers"}) <= set(locked(BOUND["peers"])), "run make lock"


@pytest.mark.parametrize("extra", BOUND)
def test_a_lock_beside_the_first_changes_no_version(extra: str) -> None:
    plain, other = locked(), locked(BOUND[extra])
    both = set(plain) & set(other)
    assert {name: other[name] for name in both} == {name: plain[name] for name in both}
    # Everything that computes is held, so that installing the second lock moves nothing.
    assert wanted(set()) <= both
    assert wanted({extra}) - wanted(set()) <= set(other) - set(plain)


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
        assert set(profile.get("groups", {}).values()) == set(profile.get("group-components", {}))
