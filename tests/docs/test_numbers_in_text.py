"""The page of numbers in running text: what is said to follow does, from numbers that are compared; items and claims are there."""

from __future__ import annotations

import ast
import json
import operator
import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "reference" / "numbers-in-text.md").read_text(encoding="utf-8")
ROWS = [
    [cell.strip() for cell in line.split("|")[1:-1]] for line in PAGE.splitlines() if re.match(r"\| [TVS] \|", line)
]
FOLLOWING = [row for row in ROWS if row[4] == "follows"]
OPERATORS: dict[type[ast.operator], Any] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


def published(item: str) -> dict[str, Any]:
    (path,) = (ROOT / "docs" / "results" / "documents").glob(f"*/{item}.json")
    record: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return record


def value(node: ast.expr) -> float:
    if isinstance(node, ast.BinOp):
        return float(OPERATORS[type(node.op)](value(node.left), value(node.right)))
    assert isinstance(node, ast.Constant)
    return float(node.value)  # type: ignore[arg-type]


def named(row: list[str]) -> str:
    return " ".join(row[:3])


def test_every_row_says_what_becomes_of_its_number() -> None:
    assert len(ROWS) >= 20
    assert {len(row) for row in ROWS} == {6}
    assert {row[4] for row in ROWS} == {"follows", "claim", "cited", "not available"}


@pytest.mark.parametrize("row", FOLLOWING, ids=named)
def test_what_follows_is_right_and_from_numbers_that_are_compared(row: list[str]) -> None:
    (found,) = re.findall(r"([\d.(][\d.() +*/-]*) = ([\d.]+)", row[5])
    digits = len(found[1].partition(".")[2])
    assert value(ast.parse(found[0], mode="eval").body) == pytest.approx(float(found[1]), abs=0.5001 * 10**-digits)
    for item in re.findall(r"`(\w+)`", row[5]):
        printed = {cell["printed"] for cell in published(item)["cells"]}
        assert set(re.findall(r"\d+\.\d+", found[0])) <= printed


@pytest.mark.parametrize("row", ROWS, ids=named)
def test_items_and_claims_that_are_named_are_published(row: list[str]) -> None:
    names = re.findall(r"`(\w+)`", row[5])
    assert names or row[4] in ("follows", "cited")
    if row[4] == "claim":
        item, *claims = names
        assert claims
        assert set(claims) <= {claim["claim"] for claim in published(item)["claims"]}
    else:
        for item in names:
            assert published(item)["id"] == item
