"""Registries: what a table says, and what of a module it leads to."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from kinseq.core import plugins
from kinseq.core.errors import ParameterError
from kinseq.core.registries import Registry, plain
from tests.sentences import Recorded


@dataclass(frozen=True)
class Thing:
    name: str
    label: str
    size: int = 3
    params: Mapping[str, Any] = field(default_factory=dict)
    draw: Any = None


MODULE = """
from kinseq_test_things import Thing

THINGS = tuple(Thing(name=name, label=name.upper()) for name in "ab")
"""
A = '{"name": "a", "module": "letters", "label": "A", "draw": true}\n'
BROKEN = '{"name": "x", "module": "broken", "label": "X", "size": 4}\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package of things, with a table."""
    monkeypatch.setattr(plugins, "modules_of", lambda group: ())
    monkeypatch.setitem(sys.modules, "kinseq_test_things", sys.modules[__name__])
    monkeypatch.syspath_prepend(str(tmp_path))
    package = tmp_path / "some_things"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "letters.py").write_text(MODULE)
    (package / "broken.py").write_text("raise SystemExit\n")
    yield package
    for name in [name for name in sys.modules if name.startswith("some_things")]:
        del sys.modules[name]


def things(folder: Path, table: str) -> Registry[Thing]:
    (folder / "things.jsonl").write_text(table)
    planning = ("label", "size", "params", "draw")
    return Registry("thing", Thing, str(folder / "registry.py"), "some_things.registry", "THINGS", planning)


def test_names_and_fields_are_known_without_an_import(folder: Path) -> None:
    found = things(folder, BROKEN + A).modules()
    assert list(found) == ["x", "a"]
    assert found["x"].module == "some_things.broken"
    assert found["x"].fields == {"label": "X", "size": 4, "params": {}, "draw": None}
    assert found["a"].fields == {"label": "A", "size": 3, "params": {}, "draw": True}
    assert not [name for name in sys.modules if name.startswith("some_things")]


def test_only_the_module_of_an_entry_is_imported(folder: Path, recorded: Recorded) -> None:
    registry = things(folder, A + BROKEN)
    assert registry.get("a") == Thing("a", "A")
    assert "some_things.broken" not in sys.modules
    with recorded.raises(ParameterError):
        registry.get("b")


@pytest.mark.parametrize(
    "line",
    [
        '{"name": "c", "module": "letters"}',
        '{"name": "c"',
        '{"name": "c"}',
        "[]",
    ],
)
def test_a_wrong_line_is_one_sentence(folder: Path, line: str, recorded: Recorded) -> None:
    with recorded.raises(ParameterError):
        things(folder, A + line).get("c")


@pytest.mark.parametrize("text", ["THINGS = 3", "THINGS = (3,)", "THINGS = (Thing(name=3, label=''),)", "NOTHING = 0"])
def test_what_is_no_tuple_of_entries_is_refused(folder: Path, text: str, recorded: Recorded) -> None:
    (folder / "letters.py").write_text(f"from kinseq_test_things import Thing\n{text}\n")
    with recorded.raises(ParameterError):
        things(folder, A).get("a")


def test_fields_are_held_as_a_table_can_hold_them() -> None:
    assert plain({"a": (1, (2.5, None)), "f": len}) == {"a": [1, [2.5, None]], "f": True}
