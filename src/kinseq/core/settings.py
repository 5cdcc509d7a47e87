"""Options as data: entries with name, text, schema, check and placeholder, and frozen classes for their values.

The command line, schemas, tables of the documentation and docstrings are made of the entries.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, dataclass, field, fields
from functools import cache
from typing import Any, Self

from .arrays import as_count, as_positive
from .errors import ParameterError, is_one_of, unknown_name
from .wording import option_name

Check = Callable[[Any, str], Any]
"""``check(value, name)`` returns the stored value, or raises :class:`ParameterError`."""


SYNONYMS = {
    "K": "n_clusters",
    "k": "n_clusters",
    "num_clusters": "n_clusters",
    "n_components": "n_states",
    "metric": "measure",
    "distance": "measure",
    "affinity": "measure",
    "covariance_type": "covariance",
    "n_iter": "max_iter",
    "method": "clusterer",
    "algorithm": "clusterer",
    "seed": "random_state",
    "random_seed": "random_state",
    "threads": "n_jobs",
    "verbose": "progress",
    "normalize": "scale",
    "normalise": "scale",
    "standardize": "scale",
    "data": "X",
    "sequences": "X",
    "y": "labels",
    "id": "id_column",
    "time": "time_column",
    "fps": "rate",
    "frame_rate": "rate",
    "sampling_rate": "rate",
    "columns": "value_columns",
    "usecols": "value_columns",
    "drop": "drop_columns",
    "na_values": "missing_codes",
    "missing_code": "missing_codes",
    "skiprows": "skip_rows",
    "var_name": "variable_name",
    "n_samples": "sample",
    "sample_size": "sample",
    "subsample": "sample",
}
"""Names of options in other libraries: scikit-learn, tslearn, aeon."""


def unknown_option(kind: str, name: str, valid: Iterable[str]) -> str:
    """Error message for an unknown option: its name here, or the nearest one."""
    known = set(valid)
    if SYNONYMS.get(name) in known:
        return f"unknown {kind} {name!r}; here it is called {SYNONYMS[name]!r}"
    return unknown_name(kind, name, known)


@dataclass(frozen=True)
class Option:
    """One option.

    Attributes
    ----------
    name : str
    text : str
        Its meaning, in Markdown; the first sentence stands by itself.
    schema : mapping
        JSON schema of its values where they are written in a file; a value may be more than that in Python.
    default : object
        The value without it; None where the data decide, or nothing does.
    word : str or None
        Name of its value on the command line, whose small letters are the option there; None if the command line lacks it.
    of : str or None
        The part of the data that it is about, such as ``"files"``; None for all.
    required : bool
    in_files : bool
        Whether a configuration may hold it.
    check : callable or None
        Check of a value that differs from the default; the schema's own if None.
    not_for : tuple of str
        Uses of the same class of options that do not take this one.
    """

    name: str
    text: str
    schema: Mapping[str, Any]
    default: Any = None
    word: str | None = None
    of: str | None = None
    required: bool = False
    in_files: bool = True
    check: Check | None = None
    not_for: tuple[str, ...] = ()

    @property
    def choices(self) -> tuple[str, ...]:
        """The allowed values, if they are listed; otherwise empty."""
        return tuple(self.schema.get("enum", ()))

    @property
    def types(self) -> tuple[str, ...]:
        """Types of its values in the schema."""
        types = self.schema.get("type", ())
        return (types,) if isinstance(types, str) else tuple(types)

    @property
    def help(self) -> str:
        """The first sentence as shown on a command line, with the default."""
        first = re.split(r"(?<=[.;]) ", self.text)[0].rstrip(".;").replace("`", "")
        words = first[0].lower() + first[1:] if first[1:2].islower() else first
        listed = f": {', '.join(self.choices)}" if self.choices and not all(c in words for c in self.choices) else ""
        return f"{words}{listed}" + ("" if self.default in (None, (), False) else f" ({self.default})")

    def checked(self, value: Any) -> Any:
        """Return a value in stored form; :class:`ParameterError` if it is invalid."""
        if value is None and (self.default in (None, ()) or "null" in self.types):
            return self.default if self.default == () else None
        if not differs(value, self.default):
            return self.default
        name = option_name(self.name)
        if self.check is not None:
            return self.check(value, name)
        if self.choices and not is_one_of(value, self.choices):
            raise ParameterError(unknown_name(name, value, self.choices))
        if "integer" in self.types:
            return as_count(value, name, self.schema["minimum"])
        if "number" in self.types:
            number = as_positive(value, name)
            return value if isinstance(value, int) else number
        return value


def option(
    default: Any,
    text: str,
    schema: Mapping[str, Any],
    word: str | None = None,
    *,
    of: str | None = None,
    in_files: bool = True,
    check: Check | None = None,
    not_for: tuple[str, ...] = (),
) -> Any:
    """Return a dataclass field that is an option; see :class:`Option`."""
    entry = {"text": text, "schema": schema, "word": word, "of": of, "in_files": in_files}
    return field(default=default, metadata={"option": {**entry, "check": check, "not_for": not_for}})


@cache
def options_of(settings: Any) -> Mapping[str, Option]:
    """Return the options of a settings class by name, in order."""
    return {
        entry.name: Option(entry.name, default=None if entry.default is MISSING else entry.default, **about)
        for entry in fields(settings)
        if (about := entry.metadata.get("option")) is not None
    }


@dataclass(frozen=True)
class Settings:
    """Values of options, checked on creation."""

    def __post_init__(self) -> None:
        kind: Any = type(self)
        for name, entry in options_of(kind).items():
            object.__setattr__(self, name, entry.checked(getattr(self, name)))

    def changed(self) -> dict[str, Any]:
        """Return the options that differ from their defaults."""
        kind: Any = type(self)
        entries = options_of(kind).items()
        return {name: value for name, entry in entries if differs(value := getattr(self, name), entry.default)}

    def altered(self, **changes: Any) -> Self:
        """Return a copy with other, already checked values."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__, **changes)
        return other

    def overview(self, sequences: Any) -> str:
        """Return notes on data read with these options, several lines; empty if there are none."""
        return ""


def differs(value: Any, default: Any) -> bool:
    """Return whether a setting was changed; always True for an array, which compares elementwise."""
    return value is not default and not (isinstance(same := value == default, bool) and same)


def described(options: Iterable[Option], indent: str) -> str:
    """Options in the form of a docstring's parameter section; the first line has no indent."""
    lines = []
    for entry in options:
        # Links are for readers of the page, and marks of code are doubled.
        text = re.sub(r" See \[[^]]*\]\([^)]*\)\.", "", entry.text)
        plain = text.replace("`null`", "`None`").replace("`", "``")
        lines += [f"{entry.name} : default {entry.default!r}", _filled(plain, 116 - len(indent))]
    return textwrap.indent("\n".join(lines), indent).lstrip()


def _filled(text: str, width: int) -> str:
    return textwrap.fill(text, width, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False)
