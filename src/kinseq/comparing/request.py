"""Request of ``kinseq compare``, checked before any data are read."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from ..core.errors import DataError, ParameterError, unknown_name
from ..options import COMPARING, parsed, shown
from ..report.result_names import SETTINGS, as_name, require_free, require_name, resolve_path, stem_of

Scale = Literal["auto", "none", "zscore"]
Dependent = Literal["leave_out", "count"]

USAGE = "kinseq compare first second [--name mine]"
PAGE, TEXT, TABLE, COLUMNS, FIGURE = (
    "index.html",
    "comparison.txt",
    "comparison.csv",
    "columns.csv",
    "comparison.png",
)
FILES = (PAGE, TEXT, TABLE, COLUMNS, FIGURE, SETTINGS)
"""Files of a comparison in its folder."""
CHOICES = {name: entry.choices for name, entry in COMPARING.items() if entry.choices}
"""Keys with a fixed list of values."""
NUMBERS = {name for name, entry in COMPARING.items() if entry.schema.get("type") == "number"}
"""Keys that are positive numbers."""


def from_texts(texts: Mapping[str, str]) -> dict[str, Any]:
    """Return the request as typed, by option name; always with ``a`` and ``b``.

    Not checked any further, see :func:`checked`. ParameterError if a value is blank, or a sample not named.
    """
    samples = {key: texts.get(key, "") for key in ("a", "b")}
    others = {key: parsed(COMPARING[key], text) for key, text in texts.items() if key not in samples}
    if not all(text.strip() for text in samples.values()):
        raise ParameterError(f"name both samples: {USAGE}")
    return {**samples, **others}


def checked(request: Mapping[str, Any], results: Path = Path("results")) -> dict[str, Any]:
    """Check a request without reading the data: set the name, and expand ``~`` in paths.

    ParameterError or DataError if a sample is not there, both are the same or one holds the other, a choice or the name
    is unknown, or the name is taken by other data.
    """
    for key, valid in CHOICES.items():
        if key in request and request[key] not in valid:
            raise ParameterError(unknown_name(shown(COMPARING[key]), request[key], valid))
    a, b = resolve_path(request["a"]), resolve_path(request["b"])
    require_apart(a, b)
    home = Path(os.path.realpath(results / "compare"))
    for sample in (a, b):
        if home.is_relative_to(os.path.realpath(sample)):
            raise DataError(
                f"{sample}: holds the folder of results, {results}; put the data into a folder of their own"
            )
    usual = as_name(f"{stem_of(a) or 'a'}-{stem_of(b) or 'b'}")
    name = request.get("name") or usual
    require_name(name)
    require_free(results / "compare", name, usual, FILES, (a, b), data_of)
    return {**request, "a": str(a), "b": str(b), "name": name}


def data_of(settings: Any) -> list[str]:
    """Return the samples of a comparison, from the parsed file next to it."""
    return [settings["compare"][key] for key in ("a", "b")]


def require_apart(a: Path, b: Path) -> None:
    """Raise :class:`DataError` if both are the same data, or one folder contains the other."""
    real_a, real_b = Path(os.path.realpath(a)), Path(os.path.realpath(b))
    if real_a == real_b:
        raise DataError(f"{a} and {b}: are the same; name two samples")
    for outer, inner, real_outer, real_inner in ((a, b, real_a, real_b), (b, a, real_b, real_a)):
        if real_inner.is_relative_to(real_outer):
            raise DataError(f"{outer}: holds {inner}, which would be compared with itself; name two samples apart")
