"""Renew the lock files: one that ``make install`` installs, and one for each further extra that only adds to it.

``requirements-sets.lock`` is not renewed: other versions could bring other data along, and numbers of the benchmark would no
longer be of the same sets.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BASE = "requirements.lock"
BASE_EXTRAS = ("workflow", "all", "fit", "build", "dev")
ADDED = {
    "requirements-slurm.lock": ("workflow", "cluster"),
    "requirements-peers.lock": ("peers",),
    "requirements-docs.lock": ("docs",),
    "requirements-dist.lock": ("dist",),
    "requirements-lint.lock": ("lint",),
    "requirements-speech.lock": ("speech",),
}
"""Lock files that add to the base, with the extras that they are for."""
COMPILE = (
    *("-m", "piptools", "compile", "--quiet", "--generate-hashes", "--no-header", "--no-annotate", "--strip-extras"),
    *("--allow-unsafe", "--no-emit-index-url", "--no-emit-trusted-host", "--no-emit-find-links"),
)
_ENTRY = re.compile(r"^[A-Za-z0-9]\S*==(?:.*\\\n)*.*\n", re.MULTILINE)
"""A pinned version and its hashes, one on each line."""


def compiled(file: Path, extras: tuple[str, ...], *options: str) -> list[str]:
    """Entries of a lock file for some extras; what the file holds already keeps its version."""
    chosen = [word for extra in extras for word in ("--extra", extra)]
    command = [sys.executable, *COMPILE, *chosen, *options, "--output-file", str(file), "pyproject.toml"]
    subprocess.run(command, cwd=ROOT, check=True)
    return entries(file.read_text(encoding="utf-8"))


def entries(lock: str) -> list[str]:
    """Entries of a lock file: each a version with its hashes; comments are left out."""
    return _ENTRY.findall(lock)


def added(lock: list[str], base: list[str]) -> list[str]:
    """Entries of packages that the base does not hold.

    Raises
    ------
    SystemExit
        If a package is in both with different versions.
    """
    pinned = dict(entry.split(maxsplit=1)[0].split("==") for entry in base)
    rest = []
    for entry in lock:
        name, version = entry.split(maxsplit=1)[0].split("==")
        if name not in pinned:
            rest.append(entry)
        elif pinned[name] != version:
            sys.exit(f"error: {name} is {version} here and {pinned[name]} in {BASE}; loosen what asks for it")
    return rest


def main() -> None:
    """Write all lock files anew."""
    base = compiled(ROOT / BASE, BASE_EXTRAS)
    (ROOT / BASE).write_text("".join(base), encoding="utf-8")
    for name, extras in ADDED.items():
        rest = added(compiled(ROOT / name, extras, "--constraint", BASE), base)
        (ROOT / name).write_text("".join(rest), encoding="utf-8")


if __name__ == "__main__":
    main()
