"""What a user asks of ``make compare`` or ``kinseq compare``, checked before any data are read."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

from kinseq.core.errors import DataError, ParameterError, unknown_name

from ..naming import SETTINGS, as_name, located, require_free, require_name, stem_of
from ..options import COMPARING, as_real, typed

Scale = Literal["auto", "none", "zscore"]
Dependent = Literal["leave_out", "count"]

WORDS = {name: entry.word for name, entry in COMPARING.items() if entry.word is not None}
"""Keys of a request, and what they are called on the command line of ``make compare``."""
USAGE = "make compare A=first B=second [NAME=mine]"
PAGE, TEXT, TABLE, COLUMNS, FIGURE = (
    "index.html",
    "comparison.txt",
    "comparison.csv",
    "columns.csv",
    "comparison.png",
)
FILES = (PAGE, TEXT, TABLE, COLUMNS, FIGURE, SETTINGS)
"""What a comparison leaves in its folder."""
CHOICES = {name: entry.choices for name, entry in COMPARING.items() if entry.choices}
"""Keys that have one of some values."""
NUMBERS = {name for name, entry in COMPARING.items() if entry.schema.get("type") == "number"}
"""Keys that are positive numbers."""
READING = ("time_column", "features", "sample_rate", "window_seconds", "hop_seconds")
"""Keys, beside the choices, that say how samples are read."""


def from_words(entries: Iterable[str]) -> dict[str, Any]:
    """A request from words of the command line, ``WORD=value`` each (:data:`WORDS`); always with ``a`` and ``b``.

    Not checked any further, see :func:`checked`. ParameterError if a word is unknown, a value blank, or a sample not
    named.
    """
    keys = {word: key for key, word in WORDS.items()}
    request: dict[str, Any] = {}
    for word, _, value in (entry.partition("=") for entry in entries):
        if word not in keys:
            raise ParameterError(unknown_name("word", word, keys))
        if not value.strip():
            lacking = keys[word] in ("a", "b")
            raise ParameterError(
                f"name both samples: {USAGE}" if lacking else f"{word} is empty; give a value or leave it out"
            )
        request[keys[word]] = value
    if not {"a", "b"} <= set(request):
        raise ParameterError(f"name both samples: {USAGE}")
    for key in NUMBERS & set(request):
        request[key] = as_real(request[key], WORDS[key])
    return request


def checked(request: Mapping[str, Any], results: Path = Path("results")) -> dict[str, Any]:
    """A request, checked as far as it can be without reading the data: with a name, and paths without ``~``.

    ParameterError or DataError if a sample is not there, both are the same or one holds the other, a choice or the name
    is unknown, or the name is taken by other data.
    """
    for key, valid in CHOICES.items():
        if key in request and request[key] not in valid:
            raise ParameterError(unknown_name(WORDS[key], request[key], valid))
    a, b = located(request["a"]), located(request["b"])
    require_apart(a, b)
    home = Path(os.path.realpath(results / "compare"))
    for sample in (a, b):
        if home.is_relative_to(os.path.realpath(sample)):
            raise DataError(
                f"{sample}: holds the folder of results, {results}; put the data into a folder of their own"
            )
    name = request.get("name") or as_name(f"{stem_of(a) or 'a'}-{stem_of(b) or 'b'}")
    require_name(name)
    require_free(
        results / "compare", name, FILES, (a, b), lambda settings: [settings["compare"][key] for key in ("a", "b")]
    )
    return {**request, "a": str(a), "b": str(b), "name": name}


def require_apart(a: Path, b: Path) -> None:
    """Raise :class:`DataError` for the same data twice, and for a folder beside a part of it."""
    real_a, real_b = Path(os.path.realpath(a)), Path(os.path.realpath(b))
    if real_a == real_b:
        raise DataError(f"{a} and {b}: are the same; name two samples")
    for outer, inner, real_outer, real_inner in ((a, b, real_a, real_b), (b, a, real_b, real_a)):
        if real_inner.is_relative_to(real_outer):
            raise DataError(f"{outer}: holds {inner}, which would be compared with itself; name two samples apart")


def repeating(request: Mapping[str, Any], seed: int = 1, make: bool = True) -> str:
    """The command that repeats a comparison, quoted for the shell.

    Without `make` it is ``kinseq compare``, for those who have no checkout, and with a seed, for which ``make`` has no word.
    """
    if not make or seed != 1:
        options = [
            f"{typed(COMPARING[key])}={_said(request[key])}" for key in WORDS if key in request and key not in "ab"
        ]
        # What begins with a dash would be taken for an option.
        paths = [f"./{request[key]}" if request[key].startswith("-") else request[key] for key in ("a", "b")]
        seeded = [] if seed == 1 else ["--seed", str(seed)]
        return shlex.join(["kinseq", "compare", *paths, *options, *seeded])
    return "make compare " + " ".join(
        f"{word}={shlex.quote(_said(request[key]))}" for key, word in WORDS.items() if key in request
    )


def _said(value: str | float) -> str:
    """A value as it is typed."""
    return value if isinstance(value, str) else f"{value:.15g}"
