"""Numbers on pages are those of the files of results: of the README, which no build makes, and of tables in reports."""

from __future__ import annotations

import csv
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs" / "_site"))

import numbers_of_results as numbers  # noqa: E402

README = (ROOT / "README.md").read_text(encoding="utf-8")
ANSWERS = (ROOT / "docs" / "reports" / "answers.md").read_text(encoding="utf-8")
RESULTS = ROOT / "docs" / "results"


def cells(line: str) -> list[str]:
    """Cells of a line of a table, without what only stresses or counts."""
    inner = line.strip().removeprefix("|").removesuffix("|").split("|")
    return [re.sub(r"\*\*| \(\d+ sets\)", "", cell).strip() for cell in inner]


def tables(text: str, first: str) -> list[list[list[str]]]:
    """Tables whose header begins with some cells, header and rows."""
    found = re.findall(r"(?:^\|.*\n)+", text, flags=re.MULTILINE)
    split = [[cells(line) for line in block.splitlines()] for block in found]
    return [[rows[0], *rows[2:]] for rows in split if rows[0][: first.count("|") + 1] == first.split("|")]


def test_the_readme_is_a_page() -> None:
    assert len(README.splitlines()) <= 150


def test_evidence_and_peers_of_the_readme_are_those_of_the_results() -> None:
    assert numbers.evidence(ROOT) in README, "put the lines of numbers_of_results.evidence there"
    assert numbers.peers_table(ROOT) in README, "put the table of numbers_of_results.peers_table there"


def test_scores_of_the_report_are_those_of_the_results() -> None:
    with (RESULTS / "peers.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    groups = list(dict.fromkeys(row["group"] for row in rows))
    written = tables(ANSWERS, "set|kinseq, default|aeon KASBA")
    assert len(written) == len(groups) == 4
    for group, (head, *body) in zip(groups, written, strict=True):
        of_group = [row for row in rows if row["group"] == group]
        assert [[row[name] for name in head] for row in of_group] == body, group


def test_differences_of_the_report_are_those_of_the_results() -> None:
    with (RESULTS / "peers-differences.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    (written,) = tables(ANSWERS, "against|sets|difference, all")
    assert rows[1:] == written[1:]


def test_what_the_report_says_of_the_laboratory_is_in_its_table() -> None:
    planted = numbers.laboratory(ROOT)
    (row,) = re.findall(r"^\| one process, (\d+) sets: cut \| ([\d.]+ %) \|", ANSWERS, flags=re.MULTILINE)
    assert row == (str(planted["process"]), planted["process_cut"])
    assert f"[All {planted['sets']} sets](../results/laboratory.md)" in ANSWERS


@pytest.mark.parametrize("page", sorted((ROOT / "docs").rglob("*.md")), ids=lambda path: path.stem)
def test_every_number_that_a_page_asks_for_is_there(page: Path) -> None:
    known = numbers.substitutions(ROOT)
    for name, _, key in re.findall(r"\{\{ (\w+)(\.(\w+))? \}\}", page.read_text(encoding="utf-8")):
        assert name in known, f"{page.name}: nobody fills {name}"
        assert not key or key in known[name], f"{page.name}: nobody fills {name}.{key}"


def test_the_summary_is_of_the_published_run_if_there_is_one(tmp_path: Path) -> None:
    results = tmp_path / "docs" / "results"
    results.mkdir(parents=True)
    assert "No run at the documents' own scale" in numbers.summary(tmp_path)
    rows = ["kind,experiment,verdict", "cell,a,reproduced", "cell,a,close", "cell,a,not available", "claim,a,held"]
    (results / "fidelity.csv").write_text("\n".join(rows) + "\n")
    said = numbers.summary(tmp_path)
    assert said.startswith("Of 3 printed cells, 2 could be judged: 1 reproduced and 1 close.")
    assert "1 was not available" in said
