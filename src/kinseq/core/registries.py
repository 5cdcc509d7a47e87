"""Registries: entries by name, listed in a table so that their modules need not be imported.

A module assigns a tuple of entries, ``MEASURES = (Measure(name="sym", ...), ...)``. The table of the registry, ``measures.jsonl``
in the same folder, has a line for each entry: its name, its module, and the fields that a workflow plans with as far as they
differ from their defaults. It is data and no module, so a new line changes nothing for the entries that are there. Modules of other
packages have no table; they are imported (:mod:`.plugins`).
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from . import plugins
from .arrays import as_flag
from .errors import ParameterError, unknown_name


class Named(Protocol):
    """Interface of entries of registries: a dataclass with a name."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def name(self) -> str:
        """Its name."""


Entry = TypeVar("Entry", bound=Named)


@dataclass(frozen=True)
class Registered:
    """One entry, as known without its module.

    Attributes
    ----------
    name : str
        Its name.
    module : str
        Full name of the module that registers it.
    fields : mapping
        The fields to plan with, those of their class where the table says nothing. Of a function it is known whether there is one.
    """

    name: str
    module: str
    fields: Mapping[str, Any]


def plain(value: Any) -> Any:
    """Return a field in the form of a table: lists for tuples, and True for a function."""
    if isinstance(value, Mapping):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, (tuple, list)):
        return [plain(inner) for inner in value]
    return True if callable(value) else value


def completed(kind: str, name: str, params: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    """Return parameters completed by their defaults.

    A ParameterError if a name is not among the defaults (the message lists the valid ones), or what is True or False by
    default is neither.
    """
    for param, value in params.items():
        if param not in defaults:
            raise ParameterError(f"{kind} {name!r}: {unknown_name('parameter', param, defaults)}")
        # Other values are ambiguous: an array has no truth value, and the text "false" would be true.
        if isinstance(defaults[param], bool):
            as_flag(value, f"{kind} {name!r}: {param}")
    return {**defaults, **params}


class Registry(Generic[Entry]):
    """Entries of the modules of one folder, and of other packages by entry points, in tuples of a common name.

    Parameters
    ----------
    kind : str
        What an entry is, in messages.
    entry_class : type
        Its class, a dataclass with a ``name``.
    file : str
        ``__file__`` of the module that holds the registry; the table and the other modules lie next to it.
    module : str
        Its ``__name__``.
    variable : str
        Name of the tuple; that of the table, and of the group of entry points, is the same in lower case.
    planning : iterable of str
        Fields next to ``name`` that are in the table.
    """

    def __init__(
        self, kind: str, entry_class: type[Entry], file: str, module: str, variable: str, planning: Iterable[str] = ()
    ) -> None:
        self.kind, self.entry_class, self.variable = kind, entry_class, variable
        self.group = f"{plugins.PREFIX}{variable.lower()}"
        self.folder, self.package = Path(file).parent, module.rpartition(".")[0]
        self.table = self.folder / f"{variable.lower()}.jsonl"
        self.planning = {
            field.name: _default(field) for field in dataclasses.fields(entry_class) if field.name in planning
        }
        self._with_others: tuple[tuple[ModuleType, ...], dict[str, Registered]] = ((), {})

    @cached_property
    def own(self) -> dict[str, Registered]:
        """Entries of this package by name, in the order of the table."""
        entries: dict[str, Registered] = {}
        for number, line in enumerate(self.table.read_text(encoding="utf-8").splitlines(), start=1):
            try:
                row = dict(json.loads(line))
                name, module = row.pop("name"), row.pop("module")
            except (ValueError, TypeError, KeyError) as error:
                raise ParameterError(
                    f'{self.table}, line {number}: is {line!r:.80}, expected {{"name": ..., "module": ...}} and fields'
                ) from error
            entries[name] = Registered(name, f"{self.package}.{module}", {**self.planning, **row})
        return entries

    def forget(self) -> None:
        """Read the table again on next use."""
        vars(self).pop("own", None)

    def modules(self) -> dict[str, Registered]:
        """Return every entry by name; modules of other packages are imported.

        Raises
        ------
        ParameterError
            If one of these cannot be used.
        """
        others = plugins.modules_of(self.group)
        if not others:
            return self.own
        if others != self._with_others[0]:
            entries = dict(self.own)
            for module in others:
                for entry in self.entries_of(module):
                    name = entry.name
                    if name in entries:
                        raise ParameterError(
                            f"{name!r} is registered in both {entries[name].module} and {module.__name__}; rename one"
                        )
                    entries[name] = Registered(name, module.__name__, self.fields_of(entry))
            self._with_others = others, entries
        return self._with_others[1]

    def entries_of(self, module: ModuleType) -> tuple[Entry, ...]:
        """Return the entries that a module registers.

        Raises
        ------
        ParameterError
            If that is no tuple of entries.
        """
        entries = getattr(module, self.variable, None)
        if not isinstance(entries, tuple) or not all(
            isinstance(entry, self.entry_class) and isinstance(entry.name, str) for entry in entries
        ):
            wanted = f"a tuple of {self.entry_class.__name__}, each with a name"
            raise ParameterError(f"{module.__name__}: {self.variable} is {entries!r:.60}, expected {wanted}")
        return entries

    def fields_of(self, entry: Entry) -> dict[str, Any]:
        """Return the fields of an entry that plans use."""
        return {field: plain(getattr(entry, field)) for field in self.planning}

    def names(self) -> list[str]:
        """Return all names, sorted."""
        return sorted(self.modules())

    def get(self, name: str) -> Entry:
        """Return the entry called `name`, importing only its own module.

        Raises
        ------
        ParameterError
            If there is none; the message lists the valid names, or names a module whose line in the table is missing.
        """
        if not isinstance(name, str):
            raise ParameterError(f"{self.kind} is {name!r}, expected a name; valid names: {', '.join(self.names())}")
        found = self.own.get(name) or self.modules().get(name)
        if found is None:
            raise ParameterError(self.unknown(name))
        for entry in self.entries_of(import_module(found.module)):
            if entry.name == name:
                return entry
        raise ParameterError(f"{self.table}: {self.kind} {name!r} is not in {found.module}; mend its line")

    def unknown(self, name: str) -> str:
        """Return the error message for an unknown name; it names the module if only the line in the table is missing."""
        entry = re.compile(rf"\bname=([\"']){re.escape(name)}\1")
        for path in sorted(self.folder.glob("*.py")):
            text = path.read_text(encoding="utf-8")
            if self.variable in text and entry.search(text):
                return f"{self.kind} {name!r}: {path.name} has no line for it in {self.table.name}; run make pages"
        return unknown_name(self.kind, name, self.modules())


def _default(field: dataclasses.Field[Any]) -> Any:
    """Return the default of a field in the form of a table, None if there is none."""
    if field.default_factory is not dataclasses.MISSING:
        return plain(field.default_factory())
    return None if field.default is dataclasses.MISSING else plain(field.default)
