"""Options and fixtures of all tests."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from . import sentences

# Tests call make themselves. If make called them, they would inherit its level and flags, and theirs would print
# folders.
for _name in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "MAKEOVERRIDES"):
    os.environ.pop(_name, None)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that writes ``sentences.json`` again."""
    parser.addoption("--write-sentences", action="store_true", help="write tests/sentences.json anew (with -n 0)")


_STATES: dict[str, object] = {}


@pytest.fixture(autouse=True)
def own_data(request: pytest.FixtureRequest) -> None:
    """Begin the random stream ``RNG`` of a module anew, so that data of a test do not depend on which tests ran before."""
    stream = getattr(request.module, "RNG", None)
    if isinstance(stream, np.random.Generator):
        bits = stream.bit_generator
        bits.state = _STATES.setdefault(request.module.__name__, bits.state)


@pytest.fixture
def recorded(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[sentences.Recorded]:
    """Compare sentences with those that ``sentences.json`` has for the test."""
    # Where tests are distributed, the name of a group of tests stands behind their own.
    group = request.node.get_closest_marker("xdist_group")
    test = request.node.nodeid if group is None else request.node.nodeid.removesuffix(f"@{group.args[0]}")
    compare = sentences.Recorded(test, tmp_path, is_written=request.config.getoption("--write-sentences"))
    yield compare
    compare.close()
