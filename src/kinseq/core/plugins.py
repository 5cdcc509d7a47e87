"""Modules of other packages that register measures, clusterers and the like: entry points name them.

A package that is installed next to kinseq declares ``[project.entry-points."kinseq.measures"]`` with a line ``name = "module"``
for each module that holds a tuple ``MEASURES``.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from .errors import ParameterError

PREFIX = "kinseq."
"""Prefix of groups of entry points, followed by the name of the tuple in lower case."""


@cache
def _declared() -> tuple[tuple[str, EntryPoint], ...]:
    """Names of packages, and their entry points of the groups. Of two copies of a package, the importable one counts."""
    # Scanning all installed packages is slow, so do it once for all groups.
    found = entry_points()
    groups = sorted(group for group in found.groups if group.startswith(PREFIX))
    declared = (entry for group in groups for entry in found.select(group=group))
    return tuple((entry.dist.name, entry) for entry in declared if entry.dist is not None)


@cache
def modules_of(group: str) -> tuple[ModuleType, ...]:
    """Import the modules named by entry points of a group, sorted by name.

    Raises
    ------
    ParameterError
        If one names no module, or a module that cannot be imported.
    """
    modules: dict[str, ModuleType] = {}
    for package, entry in _declared():
        if entry.group != group:
            continue
        where = f"entry point {entry.name!r} of {group}, from {package}"
        if ":" in entry.value:
            raise ParameterError(f"{where}, is {entry.value!r}; name the module alone")
        try:
            modules[entry.value] = import_module(entry.value)
        except Exception as error:
            # Foreign code may raise anything.
            raise ParameterError(
                f"{where}, names the module {entry.value!r}, which cannot be imported ({type(error).__name__}:"
                f" {' '.join(str(error).split())}); mend or remove {package}"
            ) from error
    return tuple(modules[name] for name in sorted(modules))


@cache
def homes() -> dict[str, Path]:
    """Outermost packages of such modules, with their folders; nothing is imported."""
    folders: dict[str, Path] = {}
    for _, entry in _declared():
        spec = find_spec(entry.value.partition(".")[0])
        if spec is not None:
            place = spec.submodule_search_locations[0] if spec.submodule_search_locations else spec.origin
            folders[spec.name] = Path(str(place)).resolve().parent
    return folders


def forget() -> None:
    """Search for packages again on next use."""
    for cached in (_declared, modules_of, homes):
        cached.cache_clear()
