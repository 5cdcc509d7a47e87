"""Fingerprints of code: a digest over a module and everything inside our packages that it imports.

The closure is found in the source text, nothing is imported. A job that carries the fingerprint of the library function
it calls is rerun exactly when something it depends on has been edited.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

from kinseq.core import errors, plugins
from kinseq.core.errors import ParameterError
from kinseq.core.lazy import names_of

HOMES = {"kinseq": Path(errors.__file__).resolve().parents[2], "kinseq_documents": Path(__file__).resolve().parents[1]}
"""Packages whose sources count, and the folder that each lies in; those that register something from outside count too."""

BY_NAME = frozenset(
    {"kinseq.core.lazy", "kinseq.core.registries", "kinseq.core.plugins", "kinseq_documents.registry_tables"}
)
"""Modules that import others by names in strings: lazy packages, whose stubs are read here, and registries, where the caller
adds the module that it requires; no job writes their tables. No other module may, since its imports could not be seen."""


def _home_of(module: str) -> Path | None:
    """Return the folder of the package that holds a module, if its sources count."""
    package = module.split(".")[0]
    return HOMES.get(package) or plugins.homes().get(package)


def _file_of(module: str) -> Path | None:
    """Source file of a module of the packages, or None if there is no such module."""
    names = module.split(".")
    home = _home_of(module)
    if home is None:
        return None
    base = home.joinpath(*names)
    for path in (base / "__init__.py", base.with_suffix(".py")):
        if path.is_file():
            return path
    return None


BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
"""Fields of a statement that hold other statements, which may be imports."""

BY_STRING = ("import_module", "__import__")
"""Functions that import a module by a name in a string."""


@cache
def path_of(module: str) -> Path:
    """Source file of a module, which has to be there."""
    path = _file_of(module)
    if path is None:
        raise ParameterError(f"there is no module {module!r} to take a fingerprint of")
    return path


def tree_of(module: str) -> ast.Module:
    """Syntax tree of a module. It is not kept: those of hundreds of files slow down the collection of garbage."""
    return ast.parse(path_of(module).read_text(encoding="utf-8"))


def nodes_of(tree: ast.AST, typing: bool, expressions: bool = True) -> Iterator[ast.AST]:
    """Yield every node of a tree, those in type-checking blocks only if `typing`, those of expressions only if `expressions`."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, ast.If) and not typing and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            waiting += node.orelse
        elif expressions:
            waiting += ast.iter_child_nodes(node)
        else:
            for field in BLOCKS:
                waiting += getattr(node, field, ())


@cache
def lazy_table(module: str) -> Mapping[str, str] | None:
    """Return names that a lazy package forwards with the module that holds each; None for any other module."""
    path = path_of(module)
    if path.name != "__init__.py" or b"attach_stub" not in path.read_bytes():
        return None
    if not any(isinstance(node, ast.Call) and _called(node) == "attach_stub" for node in ast.walk(tree_of(module))):
        return None
    stub = path.with_suffix(".pyi")
    if not stub.is_file():
        raise ParameterError(f"{path}: the stub that holds the names of the lazy package is missing")
    return {name: module + entry.module for name, entry in names_of(stub)[0].items()}


def modules_of_package(module: str) -> Iterator[str]:
    """Yield a module imported as a whole. Any name of a lazy package may then be used, so all count."""
    table = lazy_table(module)
    if table is None:
        yield module
    else:
        for target in set(table.values()):
            yield from modules_of_package(target)


def modules_of_names(base: str, names: Iterable[str]) -> Iterator[str]:
    """Yield modules behind ``from base import names``."""
    table = lazy_table(base)
    for name in names:
        if _file_of(f"{base}.{name}"):
            yield from modules_of_package(f"{base}.{name}")
        elif table is None:
            yield base
        elif name in table:
            yield from modules_of_package(table[name])
        elif name == "*":
            yield from modules_of_package(base)


def _called(node: ast.AST) -> str:
    """Return the name of the function called by a node, without the objects it is an attribute of."""
    function = node.func if isinstance(node, ast.Call) else None
    return str(getattr(function, "id", getattr(function, "attr", "")))


@cache
def imports(module: str, typing: bool = False) -> frozenset[str]:
    """Return modules of the packages that a module, by its full name, imports anywhere in its text.

    Names that are imported from a lazy package count as the modules that hold them, and a lazy package that is imported
    itself as all its modules. Imports for the type checker count if `typing`. A module that imports by a name that is
    known only when it runs is refused.
    """
    path = path_of(module)
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    names: set[str] = set()
    # Most nodes are expressions, which few files need searching.
    text = path.read_text(encoding="utf-8")
    for node in nodes_of(tree_of(module), typing, expressions=any(name in text for name in BY_STRING)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if _home_of(alias.name) is not None:
                    names.update(modules_of_package(alias.name))
        elif isinstance(node, ast.ImportFrom):
            up = package.split(".")[: len(package.split(".")) - (node.level - 1)] if node.level else []
            base = ".".join([*up, node.module] if node.module else up)
            if _home_of(base) is not None:
                names.update(modules_of_names(base, (alias.name for alias in node.names)))
        elif _called(node) in BY_STRING and module not in BY_NAME:
            raise ParameterError(
                f"{path}, line {getattr(node, 'lineno', 0)}: a module that is imported by a name in a string escapes"
                " the fingerprint; write an import statement, or register the module"
            )
    return frozenset(names - {module})


def _packages(module: str) -> Iterator[str]:
    """Packages around a module that Python runs before it; lazy ones do nothing and do not count."""
    parent = module.rpartition(".")[0]
    while parent:
        if lazy_table(parent) is None:
            yield parent
        parent = parent.rpartition(".")[0]


def closure(modules: Iterable[str]) -> list[str]:
    """Return every module of the packages that the given ones import, directly or not, themselves included; sorted."""
    visited: set[str] = set()
    waiting = list(modules)
    while waiting:
        module = waiting.pop()
        if module not in visited:
            visited.add(module)
            waiting += [*imports(module), *_packages(module)]
    return sorted(visited)


@cache
def fingerprint(*modules: str) -> str:
    """Return the digest of the sources in the import closure of some modules, as ``"kinseq.measures.kl_ll"``.

    16 hexadecimal digits that change when, and only when, a module of the closure changes or joins it.
    """
    digest = hashlib.blake2b(digest_size=8)
    for module in closure(modules):
        digest.update(module.encode() + b"\0" + path_of(module).read_bytes() + b"\0")
    return digest.hexdigest()


def forget() -> None:
    """Read sources again on next use."""
    for cached in (path_of, lazy_table, imports, fingerprint):
        cached.cache_clear()
