"""Wording: no phrases that readers do not know, and no sentences in tests outside of the files that record them."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MOST_WORDS = 2
"""Words that ``match=`` of a test may hold: a name, a number, or a fragment that a new wording keeps."""
SENTENCE = 4
"""Words from which on a text that an assertion compares is a sentence."""
PROSE = re.compile(r"(?<![\w/.,-])[A-Za-z]{2,}(?![\w/])")
CODE = re.compile(r"[|<>\\={}]|&lt;|\w\(")
WORD = re.compile(r"[A-Za-z]{2,}")
PHRASES = re.compile(
    r"\b(told|asked for|is asked|are asked|looked into|stands? out|standing out|beside|by what it holds|held against"
    r"|(some|no)body said|one process|the same of|says nothing of)\b(?!\s*[:=]|\s+in\s+\w+\s*%)",
    re.IGNORECASE,
)
OPENINGS = re.compile(r"^(What|The same of)\b(?!.*\?)")
"""First words of a docstring that is no phrase by itself."""
NAMES = re.compile(r"segments[= ](.{0,2})beside|`beside`|segments: beside")
STREAMS = {"one process"}
"""Names of random streams: with another name labels would change."""
PROGRAMS = sorted(
    path for folder in ("src", "workflow", "benchmarks", "docs") for path in (ROOT / folder).rglob("*.py")
)
PAGES = sorted(
    path
    for pattern in (
        "*.md",
        "config/*.md",
        "docs/**/*.md",
        "workflow/**/*.md",
        "src/**/*.jinja",
        "src/**/*.js",
        "src/**/*.jsonl",
    )
    for path in ROOT.glob(pattern)
    if not {"_build", "documents"} & set(path.parts)  # published runs stay as they are
)


def _texts(path: Path) -> Iterator[tuple[int, str]]:
    """Docstrings, other texts and comments of a program, each with its line."""
    source = path.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            yield node.lineno, "" if node.value in STREAMS else re.sub(r":\w+:`[^`]*`", "", node.value)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def _prose(path: Path) -> Iterator[tuple[int, str]]:
    """Lines of a page without code."""
    is_code = False
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        is_code ^= line.lstrip().startswith("```")
        if not is_code:
            yield number, re.sub(r"`[^`]*`", "", line)


def _wrong(path: Path, texts: Iterator[tuple[int, str]]) -> list[str]:
    found = ((line, PHRASES.search(NAMES.sub("", text))) for line, text in texts)
    return [f"{path.relative_to(ROOT)}:{line}: {match.group()!r}" for line, match in found if match]


def test_phrases_that_readers_do_not_know_are_not_used() -> None:
    programs = [entry for path in PROGRAMS for entry in _wrong(path, _texts(path))]
    pages = [entry for path in PAGES for entry in _wrong(path, _prose(path))]
    assert programs + pages == []


@pytest.mark.parametrize("folder", ["src", "workflow", "benchmarks", "tests", "docs"])
def test_docstrings_begin_with_what_a_thing_is_or_does(folder: str) -> None:
    wrong = []
    for path in sorted((ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Expr)
                and isinstance(node.value, ast.Constant)
                and isinstance(node.value.value, str)
            ):
                first = node.value.value.split("\n")[0]
                wrong += [f"{path.relative_to(ROOT)}:{node.lineno}: {first}"] if OPENINGS.search(first) else []
    assert wrong == []


def _pattern(node: ast.expr) -> str | None:
    """Constant parts of a text; None of anything else."""
    if isinstance(node, ast.JoinedStr):
        return " ".join(str(part.value) for part in node.values if isinstance(part, ast.Constant))
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _is_sentence(node: ast.expr) -> bool:
    """Whether a constant has several words of prose, and not markup, code or a table."""
    text = node.value if isinstance(node, ast.Constant) else None
    return isinstance(text, str) and len(PROSE.findall(text)) >= SENTENCE and not CODE.search(text)


def _compared(test: ast.expr) -> Iterator[ast.expr]:
    """Constants that an assertion finds in a text or that a text equals."""
    for node in ast.walk(test):
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In):
            yield node.left
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Eq):
            for side in (node.left, *node.comparators):
                yield from side.elts if isinstance(side, ast.List | ast.Tuple) else [side]


def test_sentences_that_tests_compare_are_recorded() -> None:
    """``recorded`` and ``recorded.within`` compare with ``sentences.json``; an assertion has a name or a number."""
    wrong = []
    for path in sorted((ROOT / "tests").rglob("*.py")):
        if path.is_relative_to(ROOT / "tests" / "cluster"):  # words of SLURM
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Assert):
                sentences = [ast.unparse(text) for text in _compared(node.test) if _is_sentence(text)]
                wrong += [f"{path.relative_to(ROOT)}:{node.lineno}: {text}" for text in sentences]
    assert wrong == []


def test_sentences_of_errors_are_recorded() -> None:
    """``match=`` has a name or a number; ``recorded.raises`` compares whole sentences with ``sentences.json``."""
    wrong = []
    for path in sorted((ROOT / "tests").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.keyword) and node.arg == "match":
                pattern = _pattern(node.value)
                if pattern is None or len(WORD.findall(re.sub(r"\\[a-zA-Z]", "", pattern))) > MOST_WORDS:
                    wrong.append(f"{path.relative_to(ROOT)}:{node.value.lineno}: {ast.unparse(node.value)}")
    assert wrong == []
