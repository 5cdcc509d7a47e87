"""What a version promises: the public names, and that type checkers see them with their types."""

from __future__ import annotations

import ast
import inspect
import sys
import tomllib
import typing
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import kinseq

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("kinseq", "kinseq_app", "kinseq_documents", "kinseq_drawing")
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
    """What a type checker knows in a module, with what is imported for it only."""
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


def lazy_packages() -> Iterator[Path]:
    for path in sorted((ROOT / "src/kinseq").rglob("__init__.py")):
        if "attach(" in path.read_text(encoding="utf-8"):
            yield path


def forwarded(tree: ast.Module) -> dict[str, str]:
    """Names of a lazy package by its table, each with the module that holds it."""
    (call,) = (n for n in ast.walk(tree) if isinstance(n, ast.Call) and getattr(n.func, "id", "") == "attach")
    return dict(ast.literal_eval(call.args[1]))


def listed(tree: ast.Module) -> list[str] | None:
    found = [n.value for n in tree.body if isinstance(n, ast.Assign) and ast.unparse(n.targets[0]) == "__all__"]
    return list(ast.literal_eval(found[0])) if found else None


@pytest.mark.parametrize("path", list(lazy_packages()), ids=lambda path: path.parent.name)
def test_type_checkers_see_what_lazy_packages_forward(path: Path) -> None:
    package, stub = (ast.parse(entry.read_text(encoding="utf-8")) for entry in (path, path.with_suffix(".pyi")))
    seen = {}
    for node in stub.body:
        if isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            # A name without "as" would be hidden.
            seen |= {str(alias.asname): (module, alias.name) for alias in node.names}
    table = forwarded(package)
    assert seen.keys() == table.keys()
    for name, (module, original) in seen.items():
        assert original == name
        target = table[name]
        parent = target.rpartition(".")[0] or "."
        assert module == (parent if target.rpartition(".")[2] == name else target)
    assert listed(stub) == listed(package)


def test_type_checkers_are_told_that_there_are_types() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"][
        "package-data"
    ]
    for package in PACKAGES:
        assert (ROOT / "src" / package / "py.typed").is_file()
    assert {"py.typed", "**/*.pyi"} <= set(settings["*"])


OTHER_ROOTS = {
    "kinseq.hmm.GaussianHMM.__init__": "None, as of hmmlearn, whose place it takes",
    "kinseq.hmm.GaussianHMM.sample": "None stands for that of the estimator",
}


def test_one_root_of_random_streams_everywhere() -> None:
    from kinseq.core.roots import ROOT as root
    from kinseq_app.comparing.run import compare
    from kinseq_app.console import parser

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
