"""Further trials of undecided cells, as a file of the results lists them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from kinseq.core.errors import DataError

from .evaluation.looks import LOOKS, NAMES
from .yaml_files import load

FILE = "further.yaml"
"""The list, in the folder of the results; without it every cell has the trials of its experiment."""


def read(path: Path, scale: str) -> dict[str, list[dict[str, Any]]]:
    """Return further trials by experiment, as a file lists them; none where there is no such file, or one of another scale.

    Raises
    ------
    DataError
        If the file lists something else.
    """
    if not path.is_file():
        return {}
    content = load(path)
    keys = {*NAMES, "until"}
    try:
        if content["scale"] != scale:
            return {}
        entries = {str(name): [dict(entry) for entry in some] for name, some in content["further"].items()}
        if any(set(entry) != keys or entry["until"] not in LOOKS for some in entries.values() for entry in some):
            raise ValueError(f"an entry has {', '.join(NAMES)} and until, one of {', '.join(map(str, LOOKS))}")
    except (TypeError, KeyError, AttributeError, ValueError) as error:
        raise DataError(f"{path}: is no list of further trials ({error}); delete it, make settle writes it") from None
    return entries


def combined(
    before: Mapping[str, Sequence[Mapping[str, Any]]], rows: Iterable[Mapping[str, Any]]
) -> dict[str, list[dict[str, Any]]]:
    """Return further trials combined with those required by undecided results; the larger number counts."""
    until: dict[tuple[str, ...], int] = {
        (name, *(str(entry[key]) for key in NAMES)): int(entry["until"])
        for name, some in before.items()
        for entry in some
    }
    for row in rows:
        key = (str(row["experiment"]), *(str(row[name]) for name in NAMES))
        until[key] = max(int(row["until"]), until.get(key, 0))
    found: dict[str, list[dict[str, Any]]] = {}
    for (name, *names), number in sorted(until.items()):
        found.setdefault(name, []).append({**dict(zip(NAMES, names, strict=True)), "until": number})
    return found
