"""Fingerprints of code: a digest over a module and everything inside the package that it imports.

The closure is found in the source text, nothing is imported. A job that carries the fingerprint of the library function
it calls is rerun exactly when something it depends on has been edited.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from .errors import ParameterError

ROOT = Path(__file__).parent
PACKAGE = __name__.rpartition(".")[0]


def _file_of(module: str) -> Path | None:
    """Source file of a module of the package, or None if there is no such module."""
    base = ROOT.joinpath(*module.split(".")[1:])
    for path in (base / "__init__.py", base.with_suffix(".py")):
        if path.is_file():
            return path
    return None


@cache
def _imports(module: str) -> frozenset[str]:
    """Modules of the package that a module imports anywhere in its text, type-checking blocks left out."""
    path = _file_of(module)
    if path is None:
        raise ParameterError(f"there is no module {module!r} to take a fingerprint of")
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    found: set[str] = set()
    tree = ast.parse(path.read_text(encoding="utf-8"))
    typing_only = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if id(node) in typing_only:
            continue
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            up = package.split(".")[: len(package.split(".")) - (node.level - 1)] if node.level else []
            base = ".".join([*up, node.module] if node.module else up)
            found.add(base)
            found.update(f"{base}.{alias.name}" for alias in node.names)
    return frozenset(name for name in found if name.split(".")[0] == PACKAGE and _file_of(name))


def _lazy_targets(module: str) -> dict[str, str]:
    """Names that a lazy package forwards, with the module that holds each."""
    path = _file_of(module)
    if path is None or path.name != "__init__.py":
        return {}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "attach":
            table = ast.literal_eval(node.args[1])
            return {name: module + target for name, target in table.items()}
    return {}


@cache
def _forwarded(module: str) -> frozenset[str]:
    """Modules reached through names that are imported from lazy packages."""
    path = _file_of(module)
    assert path is not None
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            up = package.split(".")[: len(package.split(".")) - (node.level - 1)] if node.level else []
            base = ".".join([*up, node.module] if node.module else up)
            if base.split(".")[0] == PACKAGE:
                table = _lazy_targets(base)
                found.update(table[alias.name] for alias in node.names if alias.name in table)
    return frozenset(found)


def closure(modules: Iterable[str]) -> list[str]:
    """Every module of the package that the given ones import, directly or not, themselves included; sorted."""
    seen: set[str] = set()
    waiting = list(modules)
    while waiting:
        module = waiting.pop()
        if module in seen:
            continue
        seen.add(module)
        waiting.extend(_imports(module) | _forwarded(module))
    return sorted(seen)


def fingerprint(*modules: str) -> str:
    """Digest of the sources in the import closure of `modules`.

    Parameters
    ----------
    *modules : str
        Full names of modules of this package, for example ``"kinseq.measures.kl_ll"``.

    Returns
    -------
    str
        16 hexadecimal digits that change when, and only when, a module of the closure changes or joins it.
    """
    digest = hashlib.blake2b(digest_size=8)
    for module in closure(modules):
        path = _file_of(module)
        assert path is not None
        digest.update(module.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()
