"""Numbers and options in sentences."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import kinseq
from kinseq.analysis.options import OPTIONS as OF_ANALYSIS
from kinseq.analysis.options import as_number
from kinseq.core.errors import ParameterError
from kinseq.core.settings import Option
from kinseq.core.wording import as_typed, option_name, pair, plain, speaking
from kinseq.options import COMMAND_LINE, COMMON, COMPARING, OPTIONS, shown
from kinseq.readers.reading import OPTIONS as OF_READING

SOURCES = Path(kinseq.__file__).parent
OF_THE_COMMAND = {
    SOURCES / name
    for name in (
        "options.py",
        "analysis/options.py",
        "readers/reading.py",
        "comparing/request.py",
        "report/result_names.py",
    )
}
"""Files next to those of the command line whose sentences are read there only."""
TYPED = {shown(entry) for entry in (*OPTIONS.values(), *COMPARING.values(), *COMMON.values()) if entry.word}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (1.23456, "1.23"),
        (999.7, "1000"),
        (1234.5, "1234"),
        (-54321.0, "-54321"),
        (2.5e9, "2.5e+09"),
    ],
)
def test_numbers_are_written_out(value, text):
    assert plain(value) == text


@pytest.mark.parametrize(
    ("first", "second", "texts"),
    [
        (997.3, 1003.1, ("997", "1003")),
        (1000.2, 1000.6, ("1000.2", "1000.6")),
        (20.0, 20.9, ("20", "20.9")),
        (100.0, 100.0, ("100", "100")),
        (1e-9, 2e-9, ("1e-09", "2e-09")),
        (101325.0, 101325.5, ("101325", "101325.5")),
    ],
)
def test_two_numbers_have_digits_that_tell_them_apart(first, second, texts):
    assert pair(first, second) == texts


def parsed() -> Iterator[tuple[Path, ast.Module]]:
    for path in sorted(SOURCES.rglob("*.py")):
        yield path, ast.parse(path.read_text(encoding="utf-8"))


def test_no_sentence_of_the_library_names_an_option_as_it_is_typed() -> None:
    option = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
    found = []
    for path, tree in parsed():
        if path in OF_THE_COMMAND or path.is_relative_to(SOURCES / "cli"):
            continue
        held = [node for node in ast.walk(tree) if isinstance(node, (ast.Module, ast.FunctionDef, ast.ClassDef))]
        texts = {id(node.body[0].value) for node in held if node.body and isinstance(node.body[0], ast.Expr)}
        found += [
            (str(path.relative_to(SOURCES)), node.lineno, name)
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in texts
            for name in option.findall(node.value)
            if name in TYPED
        ]
    assert found == []


def test_options_in_sentences_are_called_as_they_are_typed() -> None:
    seen = set()
    for path, tree in parsed():
        for node in ast.walk(tree):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
                continue
            if node.func.id not in ("as_typed", "option_name") or not isinstance(node.args[0], ast.Constant):
                continue
            name = node.args[0].value
            with speaking(COMMAND_LINE):
                assert as_typed(name) in TYPED, (path, node.lineno)
            seen.add(name)
    assert {"window_seconds", "segments", "missing", "time_column"} <= seen


def test_numbers_of_options_are_written_as_they_are_typed() -> None:
    assert as_typed("sample_rate", 250000.0) == "sample_rate=250000.0"
    with speaking(COMMAND_LINE):
        assert as_typed("sample_rate", 250000.0) == "--sample-rate 250000"
        assert as_typed("window_seconds", 0.005) == "--window 0.005"
        assert as_typed("sample", None) == "--sample all"


@pytest.mark.parametrize(
    ("argument", "typed"),
    [("n_clusters", "-k"), ("n_states", "--states"), ("sample_rate", "--sample-rate"), ("hop_seconds", "--hop")],
)
def test_arguments_in_errors_are_called_as_they_are_typed(argument: str, typed: str) -> None:
    with speaking(COMMAND_LINE):
        assert option_name(argument) == typed
    assert option_name(argument) == argument
    with speaking(COMMAND_LINE), pytest.raises(ParameterError, match=f"^{typed} is 0"):
        {**OF_READING, **OF_ANALYSIS}.get(argument, N_CLUSTERS).checked(0)


N_CLUSTERS = Option("n_clusters", "", {}, check=as_number)
