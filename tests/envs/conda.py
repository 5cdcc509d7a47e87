"""Stands in for conda if there is none: environments from the same files, made by venv and pip.

Snakemake asks for ``info --json``, ``--version``, ``config --get channel_priority --json`` and ``env create --file F --prefix P``
and ``clean``, and sources ``bin/activate`` in the prefix that the first one names. Everything else is refused. What a file names is
installed in the version that it names; what these packages depend on has the versions of the lock.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
PREFIX = "KINSEQ_TEST_CONDA"
"""Variable with the folder that has ``bin/conda`` and ``bin/activate``."""

ACTIVATE = """
export CONDA_PREFIX="$1"
export PATH="$1/bin:$PATH"
"""


def constraints(folder: Path) -> Path:
    """The versions of the lock, without hashes, as a file for pip."""
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    path = folder / "constraints.txt"
    path.write_text(
        "\n".join(re.findall(r"^[A-Za-z0-9._-]+==[^\s;]+", lock, flags=re.MULTILINE)) + "\n", encoding="utf-8"
    )
    return path


def create(prefix: Path, requirements: list[str], versions: Path) -> None:
    """An environment that holds some packages and what they depend on."""
    venv.create(prefix, with_pip=True, symlinks=True)
    # Nothing from the caller: pip would count packages on its path as installed.
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    pip = [str(prefix / "bin" / "python"), "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
    subprocess.run([*pip, "--constraint", str(versions), *requirements], check=True, env=environment)


def of_file(path: Path) -> list[str]:
    """Requirements of pip that say what an environment's file does."""
    from tests.envs.match_specs import INTERPRETER, PIP_NAME, pins

    found = pins(path)
    have = ".".join(map(str, sys.version_info[:2]))
    if found.pop(INTERPRETER) != have:
        raise SystemExit(f"conda: {path} asks for another Python than {have}, which is the one that runs")
    return [f"{PIP_NAME.get(name, name)}=={version}" for name, version in found.items()]


def install(folder: Path) -> Path:
    """Make the command and the script that is sourced; returns the folder of the command."""
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "activate").write_text(ACTIVATE, encoding="utf-8")
    command = folder / "bin" / "conda"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{Path(__file__).resolve()}" "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    return command.parent


def main(arguments: list[str]) -> None:
    home = Path(os.environ[PREFIX])
    if arguments == ["--version"]:
        print("conda 24.11.0")
    elif arguments == ["info", "--json"]:
        print(json.dumps({"conda_prefix": str(home), "platform": "linux-64"}))
    elif arguments == ["config", "--get", "channel_priority", "--json"]:
        print(json.dumps({"get": {"channel_priority": "strict"}}))
    elif arguments[:1] == ["clean"]:
        # Nothing was unpacked.
        pass
    elif arguments[:2] == ["env", "create"]:
        parser = argparse.ArgumentParser("conda env create")
        parser.add_argument("--file", type=Path, required=True)
        parser.add_argument("--prefix", type=Path, required=True)
        parser.add_argument("--quiet", action="store_true")
        parser.add_argument("--no-default-packages", action="store_true")
        parser.add_argument("--dry-run", action="store_true")
        given = parser.parse_args(arguments[2:])
        requirements = of_file(given.file)
        if given.dry_run:
            print("\n".join(requirements))
        else:
            create(given.prefix, requirements, constraints(home))
    else:
        raise SystemExit(f"conda: {' '.join(arguments)!r} is none of what this stand-in does")


if __name__ == "__main__":
    main(sys.argv[1:])
