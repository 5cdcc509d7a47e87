"""Lazy sub-packages: names are imported on first use (PEP 562), and listed once, in the stub.

This is what ``lazy_loader.attach_stub`` does for scikit-image; it would be one more package in the environment of every job, and it
forwards no name of a module above the package.
"""

from __future__ import annotations

import ast
import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple


class Forwarded(NamedTuple):
    """Target of a name of a lazy package: a module, or an object of one."""

    module: str
    is_module: bool


def names_of(stub: Path) -> tuple[dict[str, Forwarded], list[str]]:
    """Return the names that a stub imports, with their modules relative to the package, and the public ones.

    Each line reads ``from .module import name as name``; ``__all__`` is a literal.
    """
    forwarded: dict[str, Forwarded] = {}
    public: list[str] = []
    for node in ast.parse(stub.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom) and node.level:
            base = "." * node.level + node.module if node.module else ""
            folder = stub.parents[node.level - 1].joinpath(*(node.module or "").split("."))
            for alias in node.names:
                is_module = any((folder / part).is_file() for part in (f"{alias.name}.py", f"{alias.name}/__init__.py"))
                forwarded[alias.asname or alias.name] = Forwarded(
                    f"{base}.{alias.name}" if is_module else base, is_module
                )
        elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            public = list(ast.literal_eval(node.value))
    return forwarded, public


def attach_stub(package: str, file: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Make the module-level ``__getattr__``, ``__dir__`` and ``__all__`` of a package whose names load on first use.

    `package` and `file` are its ``__name__`` and ``__file__``; the stub lies next to the file.
    """
    forwarded, public = names_of(Path(file).with_suffix(".pyi"))

    def __getattr__(name: str) -> Any:
        if name not in forwarded:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = importlib.import_module(forwarded[name].module, package)
        return module if forwarded[name].is_module else getattr(module, name)

    return __getattr__, lambda: sorted(public), public
