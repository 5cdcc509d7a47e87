"""Whole sentences that tests compare: ``sentences.json``, by the test and in the order of its calls.

``--write-sentences`` makes the tests that run write the file anew; read what it changes before it is committed.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from difflib import SequenceMatcher
from pathlib import Path
from typing import TypeVar

import pytest

FILE = Path(__file__).with_name("sentences.json")
ROOT = Path(__file__).parents[1]
Error = TypeVar("Error", bound=BaseException)


class Recorded:
    """Value of the fixture ``recorded``: compare sentences with those that the file has for the test."""

    def __init__(self, test: str, folder: Path, *, is_written: bool) -> None:
        self.test, self.folder, self.is_written = test, folder, is_written
        self.expected: list[object] = read().get(test, [])
        self.new: list[object] = []

    def __call__(self, value: object) -> None:
        """Compare a sentence, or several."""
        __tracebackhide__ = True
        self.new.append(as_stored(value, self.folder))
        if not self.is_written:
            assert len(self.new) <= len(self.expected), (
                f"{self.test} compares more sentences than are recorded; run it with --write-sentences"
            )
            assert self.new[-1] == self.expected[len(self.new) - 1]

    def within(self, text: str | Collection[str]) -> None:
        """Look for a recorded sentence in a longer text, or among several texts.

        If it is not there any more, ``--write-sentences`` replaces it by the passage that is most like it. The file
        has the first one of a new test before the test is run.
        """
        __tracebackhide__ = True
        stored = as_stored(text if isinstance(text, str) else list(text), self.folder)
        assert isinstance(stored, str | list)
        part = self.expected[len(self.new)] if len(self.new) < len(self.expected) else ""
        assert part, f"{self.test} looks for a sentence that is not recorded"
        assert isinstance(part, str)
        if self.is_written and part not in stored:
            part = max(_passages(stored), key=lambda passage: SequenceMatcher(None, passage, part).ratio())
        self.new.append(part)
        assert part in stored

    @contextmanager
    def raises(self, kind: type[Error] | tuple[type[Error], ...]) -> Iterator[pytest.ExceptionInfo[Error]]:
        """Compare the message of an expected error."""
        __tracebackhide__ = True
        with pytest.raises(kind) as caught:
            yield caught
        self(str(caught.value))

    @contextmanager
    def warns(self, kind: type[Warning]) -> Iterator[pytest.WarningsRecorder]:
        """Compare the messages of expected warnings of one class, each once."""
        __tracebackhide__ = True
        with pytest.warns(kind) as caught:
            yield caught
        self(list(dict.fromkeys(str(one.message) for one in caught if issubclass(one.category, kind))))

    def close(self) -> None:
        """Write the sentences, or demand that none is missing."""
        if self.is_written:
            write({self.test: self.new})
        else:
            assert len(self.new) == len(self.expected), f"{self.test} compares fewer sentences than are recorded"


def _passages(stored: str | list[object]) -> list[str]:
    """Entries of a list, or parts of a text between full stops, semicolons, line ends and tags."""
    if isinstance(stored, list):
        return [str(entry) for entry in stored]
    return [passage for passage in re.split(r"(?<=[.;])\s+|\n+|<[^>]*>", stored) if passage]


def read() -> dict[str, list[object]]:
    """The sentences of the file by test."""
    found: dict[str, list[object]] = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    return found


def write(sentences: dict[str, list[object]]) -> None:
    """Replace the sentences of some tests."""
    kept = read() | sentences
    FILE.write_text(json.dumps(kept, indent=0, ensure_ascii=False, sort_keys=True) + "\n", encoding="utf-8")


def as_stored(value: object, folder: Path) -> object:
    """A text, or several, as JSON returns them, without the folders and servers of this machine."""
    if isinstance(value, str):
        for known in (folder, folder.parent, folder.parent.parent, ROOT):
            value = value.replace(f"{known}/", "")
        for known, name in ((str(folder), "folder"), (folder.name, "folder"), (str(ROOT), "clone")):
            value = value.replace(known, name)
        return re.sub(r"127\.0\.0\.1:\d+", "server", value.replace(tempfile.gettempdir(), "temporary"))
    if isinstance(value, list | tuple):
        return [as_stored(entry, folder) for entry in value]
    if value is None:
        return None
    raise TypeError(f"{type(value).__name__} is no text")
