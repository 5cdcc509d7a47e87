"""Registries that are read from source text: what a folder registers is known without importing any of its files.

A registering module assigns a tuple of calls, ``MEASURES = (Measure(name="sym", needs="loglik", ...), ...)``. A registry
names the fields that a workflow plans with; these are literals, so that they are known without an import, and adding a
file changes nothing for the files that are already there. What cannot be read is refused: a field that is computed would
pass for the default.
"""

from __future__ import annotations

import ast
import importlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Generic, TypeVar

from . import outside
from .arrays import as_flag
from .errors import ParameterError, unknown_name

Entry = TypeVar("Entry")


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
        The fields to plan with that its source gives; those that are left out have the default of their class.
    arguments : frozenset of str
        Names of all fields that its source gives.
    """

    name: str
    module: str
    literals: Mapping[str, Any]
    arguments: frozenset[str] = frozenset()


def _entries(path: Path, variable: str) -> list[ast.expr]:
    """Expressions in the tuple that a file assigns to `variable`, none if it assigns nothing to it."""
    text = path.read_text(encoding="utf-8")
    if variable not in text:
        return []
    tree = ast.parse(text)
    read: list[ast.expr] = []
    entries: list[ast.expr] = []
    for statement in tree.body:
        if isinstance(statement, ast.Assign):
            targets, value = statement.targets, statement.value
        elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
            targets, value = [statement.target], statement.value
        else:
            continue
        for target in targets:
            if isinstance(target, ast.Name) and target.id == variable and isinstance(value, (ast.Tuple, ast.List)):
                read.append(target)
                entries += value.elts
    # Where the name stands once, there is nothing else to look for; a walk takes as long as parsing.
    for node in ast.walk(tree) if text.count(variable) > len(read) else ():
        if isinstance(node, ast.Name) and node.id == variable and isinstance(node.ctx, ast.Store) and node not in read:
            raise ParameterError(
                f"{path}, line {node.lineno}: {variable} is read without running the file; assign it once, at the top"
                " level, to a tuple written out"
            )
    if len(read) > 1:
        raise ParameterError(
            f"{path}, line {read[1].lineno}: {variable} is assigned twice; put all entries into one tuple"
        )
    return [
        member
        for entry in entries
        for member in _members(entry, f"{path}, line {entry.lineno}: an entry of {variable}")
    ]


def family(kind: Callable[..., Entry], shared: Mapping[str, Any], *rows: Mapping[str, Any]) -> tuple[Entry, ...]:
    """Entries that differ in a few fields: ``kind(**row)`` for each row, with the shared fields that it does not give itself.

    A registering tuple holds it as ``*family(Kind, {"unit": "number"}, {"name": "a"}, {"name": "b"})``. What `kind` makes is
    registered; it may take fields of its own.
    """
    return tuple(kind(**{**shared, **row}) for row in rows)


def _fields(mapping: ast.expr, where: str) -> dict[str, ast.expr]:
    keys = mapping.keys if isinstance(mapping, ast.Dict) else [None]
    names = [key.value if isinstance(key, ast.Constant) else None for key in keys]
    if not isinstance(mapping, ast.Dict) or not all(isinstance(name, str) for name in names):
        raise ParameterError(
            f"{where} is read without running the file; write {ast.unparse(mapping)} as a dictionary with names as keys"
        )
    return dict(zip(map(str, names), mapping.values, strict=True))


def _members(entry: ast.expr, where: str) -> Iterator[ast.expr]:
    """Yield the calls that a family stands for, or the entry itself."""
    call = entry.value if isinstance(entry, ast.Starred) else None
    if not isinstance(call, ast.Call) or ast.unparse(call.func) != family.__name__ or len(call.args) < 2:
        yield entry
        return
    kind, shared, *rows = call.args
    for row in rows:
        fields = {**_fields(shared, where), **_fields(row, where)}
        keywords = [ast.keyword(arg=name, value=value) for name, value in fields.items()]
        yield ast.copy_location(ast.Call(func=kind, args=[], keywords=keywords), row)


def _registration(entry: ast.expr, where: str, planning: Iterable[str]) -> tuple[dict[str, Any], frozenset[str]]:
    """Return the fields to plan with, and names of all fields, of one entry."""
    if not isinstance(entry, ast.Call):
        raise ParameterError(f"{where} is {ast.unparse(entry)}, expected a call with its fields written out")
    if entry.args or any(keyword.arg is None for keyword in entry.keywords):
        raise ParameterError(
            f"{where} has fields without a name (positional, * or **); write every field as name=value"
        )
    keywords = {str(keyword.arg): keyword.value for keyword in entry.keywords}
    literals: dict[str, Any] = {}
    for field in planning:
        if field in keywords:
            try:
                literals[field] = ast.literal_eval(keywords[field])
            except ValueError:
                raise ParameterError(
                    f"{where} has {field}={ast.unparse(keywords[field])}, but {field} is read without running the file;"
                    " write it as a literal"
                ) from None
    if not isinstance(literals.get("name"), str):
        raise ParameterError(f"{where} needs name= as a string literal")
    return literals, frozenset(keywords)


@cache
def registered(
    folder: Path, package: str, variable: str, planning: tuple[str, ...], others: tuple[tuple[str, Path], ...] = ()
) -> dict[str, Registered]:
    """Return what the modules of a folder, and `others` by name and file, register in a tuple called `variable`, by name.

    `planning` names the fields beside ``name`` that are known without importing a module. A ParameterError if two files
    register the same name, or the text of an entry leaves open its name or one of these fields.
    """
    entries: dict[str, Registered] = {}
    own = [(f"{package}.{path.stem}", path) for path in sorted(folder.glob("*.py"))]
    for module, path in (*own, *others):
        for expression in _entries(path, variable):
            where = f"{path}, line {expression.lineno}: an entry of {variable}"
            literals, arguments = _registration(expression, where, ("name", *planning))
            entry = Registered(literals["name"], module, literals, arguments)
            if entry.name in entries:
                raise ParameterError(
                    f"{entry.name!r} is registered in both {entries[entry.name].module} and {entry.module}; rename one"
                )
            entries[entry.name] = entry
    return entries


def load(kind: str, name: str, entries: Mapping[str, Registered], variable: str) -> Any:
    """Import the one module that registers `name` and return its entry.

    Raises
    ------
    ParameterError
        If nothing of that name is registered; the message lists the valid names.
    """
    if name not in entries:
        raise ParameterError(unknown_name(kind, name, entries))
    module = importlib.import_module(entries[name].module)
    return next(entry for entry in getattr(module, variable) if entry.name == name)


def completed(kind: str, name: str, params: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    """Return parameters completed by their defaults.

    A ParameterError if a name is not among the defaults (the message lists the valid ones), or what is True or False by
    default is neither.
    """
    for param, value in params.items():
        if param not in defaults:
            raise ParameterError(f"{kind} {name!r}: {unknown_name('parameter', param, defaults)}")
        # Nothing else has one meaning: an array has none, and the text "false" would be true.
        if isinstance(defaults[param], bool):
            as_flag(value, f"{kind} {name!r}: {param}")
    return {**defaults, **params}


class Registry(Generic[Entry]):
    """What the modules of one folder register under one name: known from their source text, imported one by one.

    Modules of other packages that entry points name are read like those of the folder (:mod:`.outside`).

    Parameters
    ----------
    kind : str
        What an entry is, in messages.
    file : str
        ``__file__`` of the module that holds the registry; the others lie beside it.
    module : str
        Its ``__name__``.
    variable : str
        Name of the tuple that registering modules assign.
    planning : tuple of str
        Fields beside ``name`` that are literals in the source, known without an import.
    check : callable, optional
        ``check(entry)`` raises for what is registered but cannot be used.
    """

    def __init__(
        self,
        kind: str,
        file: str,
        module: str,
        variable: str,
        planning: tuple[str, ...],
        check: Callable[[Registered], None] | None = None,
    ) -> None:
        self.kind, self.variable, self.planning, self._check = kind, variable, planning, check
        self.folder, self.package = Path(file).parent, module.rpartition(".")[0]
        self._checked: dict[str, Registered] | None = None

    @property
    def group(self) -> str:
        """Group of the entry points by which other packages register."""
        return f"{outside.PREFIX}{self.variable.lower()}"

    def modules(self) -> dict[str, Registered]:
        """Return every entry by name, read from the source.

        Raises
        ------
        ParameterError
            If one cannot be read, or cannot be used.
        """
        others = outside.modules_of(self.group)
        entries = registered(self.folder, self.package, self.variable, self.planning, others)
        if self._check is not None and entries is not self._checked:
            for entry in entries.values():
                self._check(entry)
            self._checked = entries
        return entries

    def names(self) -> list[str]:
        """Return all names, sorted."""
        return sorted(self.modules())

    def get(self, name: str) -> Entry:
        """Return the entry called `name`; only its own file is imported.

        Raises
        ------
        ParameterError
            If there is none; the message lists the valid names.
        """
        if not isinstance(name, str):
            raise ParameterError(f"{self.kind} is {name!r}, expected a name; valid names: {', '.join(self.names())}")
        entry: Entry = load(self.kind, name, self.modules(), self.variable)
        return entry
