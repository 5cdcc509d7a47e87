"""Whole sentences that tests compare: ``sentences.json``, by the test and in the order of its calls.

``--write-sentences`` makes the tests that run write the file anew; read what it changes before it is committed.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

FILE = Path(__file__).with_name("sentences.json")
Recorded = Callable[[object], None]
"""Type of the fixture ``recorded``: compare a sentence, or several, with the file."""


def read() -> dict[str, list[object]]:
    """The sentences of the file by test."""
    found: dict[str, list[object]] = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    return found


def write(sentences: dict[str, list[object]]) -> None:
    """Replace the sentences of some tests."""
    kept = read() | sentences
    FILE.write_text(json.dumps(kept, indent=0, ensure_ascii=False, sort_keys=True) + "\n", encoding="utf-8")


def as_stored(value: object, folder: Path) -> object:
    """A text, or several, as JSON returns them, wherever the folder of the test lies."""
    if isinstance(value, str):
        return value.replace(f"{folder}/", "")
    if isinstance(value, list | tuple):
        return [as_stored(entry, folder) for entry in value]
    if value is None:
        return None
    raise TypeError(f"{type(value).__name__} is no text")
