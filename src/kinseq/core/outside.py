"""Modules of other packages that register measures, clusterers and the like: entry points name them.

A package that is installed beside kinseq declares ``[project.entry-points."kinseq.measures"]`` with a line ``name = "module"``
for each module that holds a tuple ``MEASURES``. The module is found without importing it, and read like those of the registry's
own folder.
"""

from __future__ import annotations

from functools import cache
from importlib.machinery import ModuleSpec, PathFinder
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path

from .errors import ParameterError

PREFIX = "kinseq."
"""Of the groups of entry points; what follows is the name of the tuple in lower case."""


@cache
def _declared() -> tuple[tuple[str, EntryPoint], ...]:
    """Names of packages, and their entry points of any of the groups. Of two copies of a package the first is the one imported."""
    # Every package that is installed is looked at, so once for all groups.
    found = entry_points()
    groups = sorted(group for group in found.groups if group.startswith(PREFIX))
    declared = (entry for group in groups for entry in found.select(group=group))
    return tuple((entry.dist.name, entry) for entry in declared if entry.dist is not None)


@cache
def modules_of(group: str) -> tuple[tuple[str, Path], ...]:
    """Full names and files of the modules that entry points of a group name, sorted.

    Raises
    ------
    ParameterError
        If one names no module, or a module that is not there.
    """
    found: dict[str, Path] = {}
    for package, entry in _declared():
        if entry.group != group:
            continue
        where = f"entry point {entry.name!r} of {group}, from {package}"
        if ":" in entry.value:
            raise ParameterError(f"{where}, is {entry.value!r}; name the module alone, which is read and not run")
        path = _file_of(entry.value)
        if path is None:
            raise ParameterError(
                f"{where}, names the module {entry.value!r}, which is not there; install {package} again or remove it"
            )
        found[entry.value] = path
    return tuple(sorted(found.items()))


@cache
def homes() -> dict[str, Path]:
    """Outermost packages that hold such modules, with the folder that each lies in."""
    groups = sorted({entry.group for _, entry in _declared()})
    return {module.split(".")[0]: _above(path, module) for group in groups for module, path in modules_of(group)}


def _above(path: Path, module: str) -> Path:
    depth = len(module.split(".")) + (path.name == "__init__.py")
    return path.resolve().parents[depth - 1]


def _file_of(module: str) -> Path | None:
    """Source file of a module, found without importing it or a package around it."""
    first, *rest = module.split(".")
    try:
        spec = find_spec(first)
    except ValueError:
        return None
    name = first
    for part in rest:
        name = f"{name}.{part}"
        places = None if spec is None else spec.submodule_search_locations
        spec = None if places is None else PathFinder.find_spec(name, places)
    return _source(spec)


def _source(spec: ModuleSpec | None) -> Path | None:
    return None if spec is None or spec.origin is None or not spec.has_location else Path(spec.origin)


def forget() -> None:
    """Look for packages anew when they are asked for next."""
    for cached in (_declared, modules_of, homes):
        cached.cache_clear()
