"""Registries that are read from source text: what a folder registers is known without importing any of its files.

A registering module assigns a tuple of calls, ``MEASURES = (Measure(name="sym", needs="loglik", ...), ...)``. Arguments
written as literals can be asked for without an import, so that a workflow can plan with them, and adding a file changes
nothing for the files that are already there.
"""

from __future__ import annotations

import ast
import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from .errors import ParameterError, unknown_name


@dataclass(frozen=True)
class Registered:
    """One registered thing, as far as its source text tells.

    Attributes
    ----------
    name : str
        Its name.
    module : str
        Full name of the module that registers it.
    literals : mapping
        Keyword arguments that are written as literals.
    arguments : frozenset of str
        Names of all keyword arguments.
    """

    name: str
    module: str
    literals: Mapping[str, Any]
    arguments: frozenset[str] = frozenset()


def _registrations(path: Path, variable: str) -> list[tuple[dict[str, Any], frozenset[str]]]:
    """Literal keyword arguments, and names of all, of each call in the tuple that a file assigns to `variable`."""
    found: list[tuple[dict[str, Any], frozenset[str]]] = []
    for statement in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(statement, ast.Assign):
            targets, value = statement.targets, statement.value
        elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
            targets, value = [statement.target], statement.value
        else:
            continue
        if not any(isinstance(target, ast.Name) and target.id == variable for target in targets):
            continue
        calls = value.elts if isinstance(value, (ast.Tuple, ast.List)) else [value]
        for call in calls:
            literals: dict[str, Any] = {}
            keywords = call.keywords if isinstance(call, ast.Call) else []
            for keyword in keywords:
                try:
                    literals[str(keyword.arg)] = ast.literal_eval(keyword.value)
                except ValueError:
                    continue
            if not isinstance(literals.get("name"), str):
                raise ParameterError(
                    f"{path}: an entry of {variable} (line {call.lineno}) needs name= as a string literal"
                )
            found.append((literals, frozenset(str(keyword.arg) for keyword in keywords)))
    return found


@cache
def registered(folder: Path, package: str, variable: str) -> dict[str, Registered]:
    """What the modules of a folder register, by name.

    Parameters
    ----------
    folder : Path
        Folder of the package.
    package : str
        Full name of the package.
    variable : str
        Name of the tuple that registering modules assign.

    Raises
    ------
    ParameterError
        If two files register the same name.
    """
    found: dict[str, Registered] = {}
    for path in sorted(folder.glob("*.py")):
        for literals, arguments in _registrations(path, variable):
            entry = Registered(literals["name"], f"{package}.{path.stem}", literals, arguments)
            if entry.name in found:
                raise ParameterError(
                    f"{entry.name!r} is registered in both {found[entry.name].module} and {entry.module}; rename one"
                )
            found[entry.name] = entry
    return found


def load(kind: str, name: str, found: Mapping[str, Registered], variable: str) -> Any:
    """Import the one module that registers `name` and return its entry.

    Raises
    ------
    ParameterError
        If nothing of that name is registered; the message lists the valid names.
    """
    if name not in found:
        raise ParameterError(unknown_name(kind, name, found))
    module = importlib.import_module(found[name].module)
    return next(entry for entry in getattr(module, variable) if entry.name == name)
