"""Options and fixtures of all tests."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from . import sentences

# Tests call make themselves. If make called them, they would inherit its level and flags, and theirs would print
# folders.
for _name in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "MAKEOVERRIDES"):
    os.environ.pop(_name, None)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that writes ``sentences.json`` again."""
    parser.addoption("--write-sentences", action="store_true", help="write tests/sentences.json anew (with -n 0)")


@pytest.fixture
def recorded(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[sentences.Recorded]:
    """Compare sentences with those that ``sentences.json`` has for the test."""
    name, is_written = request.node.nodeid, request.config.getoption("--write-sentences")
    expected, new = sentences.read().get(name, []), []

    def compare(value: object) -> None:
        __tracebackhide__ = True
        new.append(sentences.as_stored(value, tmp_path))
        if not is_written:
            assert len(new) <= len(expected), (
                f"{name} compares more sentences than are recorded; run it with --write-sentences"
            )
            assert new[-1] == expected[len(new) - 1]

    yield compare
    if is_written:
        sentences.write({name: new})
    else:
        assert len(new) == len(expected), f"{name} compares fewer sentences than are recorded"
