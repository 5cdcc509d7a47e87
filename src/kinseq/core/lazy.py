"""Sub-packages that import nothing until a name is asked for (PEP 562)."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping
from typing import Any


def attach(package: str, names: Mapping[str, str]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Make the module-level ``__getattr__`` and ``__dir__`` of a package whose names load on first use.

    `names` takes a public name to the relative module that holds it (``".registry"``); a name that its module ends with
    is that module itself. ``__dir__`` lists the package's ``__all__``, or all names where it has none.
    """

    def __getattr__(name: str) -> Any:
        if name not in names:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = importlib.import_module(names[name], package)
        return module if names[name].rpartition(".")[2] == name else getattr(module, name)

    def __dir__() -> list[str]:
        return sorted(getattr(sys.modules[package], "__all__", names))

    return __getattr__, __dir__
