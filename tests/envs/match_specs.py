"""Contents of the conda environments; no package of this repository is imported, since the stand-in for conda has none."""

from __future__ import annotations

import re
from pathlib import Path

import yaml

# conda-forge uses other names for these than the Python package index.
CONDA_NAME = {"matplotlib": "matplotlib-base", "soundfile": "pysoundfile", "soxr": "soxr-python"}
PIP_NAME = {conda: pip for pip, conda in CONDA_NAME.items()}
# Not a requirement of Python packages, hence not in the lock.
INTERPRETER = "python"

# A strict match spec: lower-case name, = or ==, a whole version, nothing else. Spaces, wildcards, ranges, a build
# string or a channel prefix would each mean something different to one of the solvers.
MATCH_SPEC = re.compile(r"(?P<name>[a-z0-9][a-z0-9._-]*)={1,2}(?P<version>[0-9]+(?:\.[0-9a-z]+)*)")


def pins(environment: Path) -> dict[str, str]:
    """Conda package to version in an environment; fails on a line that is no strict match spec."""
    found: dict[str, str] = {}
    for line in yaml.safe_load(environment.read_text(encoding="utf-8"))["dependencies"]:
        assert isinstance(line, str), f"{environment.name}: {line!r} is no match spec"
        match = MATCH_SPEC.fullmatch(line)
        assert match, f"{environment.name}: {line!r} is no strict match spec name=version"
        assert match["name"] not in found, f"{environment.name}: {match['name']} stands there twice"
        found[match["name"]] = match["version"]
    return found


def held(environment: Path) -> set[str]:
    """Packages in an environment, as the Python package index names them."""
    return {PIP_NAME.get(name, name) for name in pins(environment)} - {INTERPRETER}
