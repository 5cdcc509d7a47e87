"""Check the docstrings of public names by numpydoc; the checks are chosen in ``pyproject.toml``."""

from __future__ import annotations

import inspect
import sys
import tomllib
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from types import ModuleType

import kinseq

ROOT = Path(__file__).resolve().parents[1]
FOREIGN = ("kinseq.adapters",)
"""Packages whose names need libraries that may not be installed."""
MEMBERS = (property, cached_property, classmethod, staticmethod)


def names(package: ModuleType) -> Iterator[str]:
    """Yield the public classes and functions of a package and of its public packages, and the public members of classes."""
    for name in package.__all__ if package.__name__ not in FOREIGN else ():
        value, path = getattr(package, name), f"{package.__name__}.{name}"
        if inspect.ismodule(value):
            yield from names(value)
        elif inspect.isclass(value) or inspect.isroutine(value):
            yield path
        if inspect.isclass(value):
            for member, entry in vars(value).items():
                if not member.startswith("_") and (inspect.isfunction(entry) or isinstance(entry, MEMBERS)):
                    yield f"{path}.{member}"


def main() -> None:
    """Print each finding on a line; the status is 1 if there is any."""
    from numpydoc.validate import validate  # installed with the linters alone

    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["kinseq"]["docstrings"]
    findings = [
        f"{path}: {code} {message}"
        for path in dict.fromkeys(names(kinseq))
        for code, message in validate(path)["errors"]
        if code in settings["checks"] and path not in settings.get(code, ())
    ]
    print("\n".join(findings), end="\n" * bool(findings))
    sys.exit(bool(findings))


if __name__ == "__main__":
    main()
