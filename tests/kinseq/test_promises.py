"""Promises of a version: the public names, and their types for type checkers."""

from __future__ import annotations

import ast
import inspect
import sys
import tomllib
import typing
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import kinseq

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("kinseq",)
FOREIGN = ("kinseq.adapters",)
"""Classes of other libraries' bases, which need not be installed and say what their methods take."""
ANYTHING = {
    "kinseq.sic.Classifier.fit(items)": "vectors to a classifier of scikit-learn, sequences or sentences to others",
    "kinseq.sic.Classifier.predict(items)": "the same",
}
"""Arguments that may be anything, and why."""


def rooms(room: ModuleType = kinseq) -> Iterator[ModuleType]:
    """The library and all public modules in it."""
    yield room
    for name in room.__all__:
        value = getattr(room, name) if room.__name__ not in FOREIGN else None
        if isinstance(value, ModuleType):
            yield from rooms(value)


def public() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Public functions and methods by their names."""
    for room in rooms():
        for name in room.__all__ if room.__name__ not in FOREIGN else ():
            value = getattr(room, name)
            if inspect.isclass(value):
                for method, function in inspect.getmembers(value, inspect.isfunction):
                    own = function.__module__.startswith("kinseq")
                    if own and (not method.startswith("_") or method in ("__init__", "__call__")):
                        yield f"{room.__name__}.{name}.{method}", function
                for attribute, entry in inspect.getmembers(value):
                    getter = getattr(entry, "fget", getattr(entry, "func", None))
                    if getter is not None and getter.__module__.startswith("kinseq") and not attribute.startswith("_"):
                        yield f"{room.__name__}.{name}.{attribute}", getter
            elif inspect.isroutine(value):
                yield f"{room.__name__}.{name}", value


@cache
def names_of(module: str) -> Mapping[str, Any]:
    """Names that a type checker knows in a module, with imports for type checking only."""
    found = dict(vars(sys.modules[module]))
    path = Path(str(sys.modules[module].__file__))
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            exec(compile(ast.Module(node.body, []), str(path), "exec"), found)
    return found


def holds_any(hint: Any) -> bool:
    """Whether a type says nothing. Arrays are of any shape; parameters, findings and options by name are of any type."""
    origin = typing.get_origin(hint) or hint
    if hint is Any:
        return True
    if isinstance(hint, typing.TypeVar):
        return holds_any(hint.__bound__) if hint.__bound__ else False
    if str(getattr(hint, "__module__", "")).startswith("numpy") or getattr(origin, "__module__", "").startswith(
        "numpy"
    ):
        return False
    inner = typing.get_args(hint)
    if origin in (dict, Mapping):
        inner = tuple(kind for kind in inner if kind is not Any)
    return any(holds_any(kind) for kind in inner if not isinstance(kind, (str, int)))


@pytest.mark.parametrize("name, function", [pytest.param(*entry, id=entry[0]) for entry in public()])
def test_public_arguments_and_results_have_types(name: str, function: Callable[..., Any]) -> None:
    wrapped = inspect.unwrap(function)
    hints = typing.get_type_hints(wrapped, dict(names_of(wrapped.__module__)))
    places = inspect.signature(wrapped).parameters.values()
    named = [p.name for p in places if p.name not in ("self", "cls") and p.kind is not inspect.Parameter.VAR_KEYWORD]
    wrong = [arg for arg in (*named, "return") if arg not in hints or holds_any(hints[arg])]
    assert [arg for arg in wrong if f"{name}({arg})" not in ANYTHING] == []


def test_what_is_promised_exists() -> None:
    for room in rooms():
        assert sorted(set(room.__all__)) == sorted(room.__all__)
        if room.__name__ not in FOREIGN:
            assert all(hasattr(room, name) for name in room.__all__)
            assert set(room.__all__) <= set(dir(room))


def test_exceptions_are_those_that_are_needed() -> None:
    functions = dict(public())
    for argument, why in ANYTHING.items():
        name, _, arg = argument.removesuffix(")").partition("(")
        hints = typing.get_type_hints(functions[name], dict(names_of(functions[name].__module__)))
        assert holds_any(hints[arg])
        assert why


LAZY = sorted(
    path for path in (ROOT / "src/kinseq").rglob("__init__.py") if "attach_stub(" in path.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("path", LAZY, ids=lambda path: path.parent.name)
def test_what_a_stub_names_is_there(path: Path) -> None:
    package = ".".join(path.parent.relative_to(ROOT / "src").parts)
    stub = ast.parse(path.with_suffix(".pyi").read_text(encoding="utf-8"))
    # A name without "as" would be hidden from type checkers.
    imported = [alias for node in stub.body if isinstance(node, ast.ImportFrom) for alias in node.names]
    assert imported
    assert all(alias.asname == alias.name for alias in imported)
    module = import_module(package)
    assert set(module.__all__) <= {alias.name for alias in imported}
    if package not in FOREIGN:
        assert all(hasattr(module, alias.name) for alias in imported)


def test_type_checkers_are_told_that_there_are_types() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"][
        "package-data"
    ]
    for package in PACKAGES:
        assert (ROOT / "src" / package / "py.typed").is_file()
    assert {"py.typed", "**/*.pyi"} <= set(settings["*"])


OTHER_ROOTS = {
    "kinseq.hmm.CategoricalHMM.__init__": "None, as of hmmlearn, whose place it takes",
    "kinseq.hmm.CategoricalHMM.sample": "None stands for that of the estimator",
    "kinseq.hmm.GaussianHMM.__init__": "None, as of hmmlearn, whose place it takes",
    "kinseq.hmm.GaussianHMM.sample": "None stands for that of the estimator",
}


def test_one_root_of_random_streams_everywhere() -> None:
    from kinseq.cli.console import parser
    from kinseq.comparing.run import compare
    from kinseq.core.random_state import ROOT as root

    roots = {
        name: parameters["random_state"].default
        for name, function in public()
        if "random_state" in (parameters := inspect.signature(function).parameters)
    }
    roots = {name: value for name, value in roots.items() if value is not inspect.Parameter.empty}
    assert {name for name, value in roots.items() if value != root} == set(OTHER_ROOTS)
    assert {"kinseq.cluster", "kinseq.SequenceClustering.__init__", "kinseq.compare"} <= set(roots)
    assert "kinseq.InformationTheoreticClustering.__init__" in roots
    assert inspect.signature(compare).parameters["random_state"].default == root
    for words in (["cluster", "data"], ["compare", "a", "b"]):
        assert parser().parse_args(words).seed == root
