"""Options: a setting's name, type, default and what it means, said once; whatever shows or checks options reads them here."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, Literal

Of = Literal["arrays", "files"]
"""What of the data an option is about; None for all."""


@dataclass(frozen=True)
class Option:
    """One option.

    Attributes
    ----------
    name : str
    text : str
        What it means, in Markdown; the first sentence by itself.
    schema : mapping
        JSON schema of its values where they are written in a file; a value may be more than that in Python.
    default : object
        What holds without it; None where the data decide, or nothing does.
    word : str or None
        What ``make cluster`` calls it, and in small letters the command line; None if it is no word.
    of : {"arrays", "files"} or None
        What of the data it is about; None for all.
    required : bool
    in_files : bool
        Whether a configuration may hold it.
    """

    name: str
    text: str
    schema: Mapping[str, Any]
    default: Any = None
    word: str | None = None
    of: Of | None = None
    required: bool = False
    in_files: bool = True

    @property
    def choices(self) -> tuple[str, ...]:
        """The values that it may have, where they are listed; empty where not."""
        return tuple(self.schema.get("enum", ()))

    @property
    def nullable(self) -> bool:
        """Whether None has a meaning of its own."""
        return "null" in self.schema.get("type", ())

    @property
    def help(self) -> str:
        """The first sentence as a command line shows it, with the default."""
        first = re.split(r"(?<=[.;]) ", self.text)[0].rstrip(".;").replace("`", "")
        words = first[0].lower() + first[1:] if first[1:2].islower() else first
        listed = f": {', '.join(self.choices)}" if self.choices and not all(c in words for c in self.choices) else ""
        return f"{words}{listed}" + ("" if self.default is None else f" ({self.default})")


def option(
    default: Any,
    text: str,
    schema: Mapping[str, Any],
    word: str | None = None,
    of: Of | None = None,
    in_files: bool = True,
) -> Any:
    """A field of a dataclass of settings that is an option; see :class:`Option`."""
    return field(default=default, metadata={"option": (text, schema, word, of, in_files)})


def options_of(settings: type) -> dict[str, Option]:
    """The options of a dataclass of settings by name, in its order."""
    options = {}
    for entry in fields(settings):
        if "option" in entry.metadata:
            text, schema, word, of, in_files = entry.metadata["option"]
            default = None if entry.default is MISSING else entry.default
            options[entry.name] = Option(entry.name, text, schema, default, word, of, in_files=in_files)
    return options
