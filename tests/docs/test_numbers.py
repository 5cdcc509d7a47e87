"""Numbers on pages are those of the files of results: of the README, which no build makes, and of tables in reports."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from kinseq.analysis import limits
from kinseq.analysis.explaining import LEVEL
from kinseq.analysis.options import Options
from kinseq.metrics.unlabelled import DOUBTFUL, STABLE
from kinseq.report.words import WORDS

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs" / "_site"))

import filled_pages  # noqa: E402
import numbers_of_divergences as divergences  # noqa: E402
import numbers_of_results as numbers  # noqa: E402

README = (ROOT / "README.md").read_text(encoding="utf-8")
ANSWERS = (ROOT / "docs" / "reports" / "answers.md").read_text(encoding="utf-8")


def test_the_readme_is_a_page() -> None:
    assert len(README.splitlines()) <= 150


def test_what_the_report_says_of_the_laboratory_is_in_its_table() -> None:
    planted = numbers.laboratory(ROOT)
    (row,) = re.findall(r"^\| one process, (\d+) sets: cut \| ([\d.]+ %) \|", ANSWERS, flags=re.MULTILINE)
    assert row == (str(planted["process"]), planted["process_cut"])
    assert f"[All {planted['sets']} sets](../results/laboratory.md)" in ANSWERS


def test_warnings_of_labelled_sets_are_counted_alike() -> None:
    ((warned, good, right, bad),) = re.findall(
        r"^\| \*\*all 78, true number\*\* \| (\d+) of (\d+) \| (\d+) of (\d+) \|$", ANSWERS, flags=re.MULTILINE
    )
    page = (ROOT / "docs" / "explanation" / "can-i-believe-it.md").read_text(encoding="utf-8").replace("\n", " ")
    assert f"{right} of the {bad} bad results have a warning, and so have {warned} of the {good} good ones" in page


KNOWN = numbers.values(ROOT)


@pytest.mark.parametrize("page", filled_pages.pages(ROOT), ids=lambda path: path.stem)
def test_numbers_of_pages_are_those_of_the_results(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert filled_pages.filled(text, KNOWN) == text, "call make pages"
    # A comment at the beginning of a line makes HTML of the whole line.
    assert not re.search(r"^\s*(?:[-*+] |\d+\. )?<!-- value: \S+ -->[^\n]+", text, flags=re.MULTILINE)


def test_every_page_with_results_is_compared() -> None:
    names = {path.relative_to(ROOT).as_posix() for path in filled_pages.pages(ROOT)}
    assert {"README.md", "docs/index.md", "docs/reports/sic.md", "docs/reference/commands.md"} <= names


def test_no_page_holds_a_place_that_only_a_build_fills() -> None:
    for page in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]:
        assert not re.search(r"\{\{ \S+ \}\}", page.read_text(encoding="utf-8")), page.name


def test_a_value_is_written_between_its_marks() -> None:
    known = {"lab": {"sets": 12}, "table": "| a |\n"}
    line = "All <!-- value: lab.sets -->7<!-- end --> sets"
    assert filled_pages.filled(line, known) == line.replace("7", "12")
    block = "<!-- value: table -->\n\nold\n\n<!-- end -->\n"
    assert filled_pages.filled(block, known) == block.replace("old", "| a |")
    for name in ("lab.none", "none"):
        with pytest.raises(KeyError, match=name):
            filled_pages.filled(line.replace("lab.sets", name), known)


def test_the_summary_is_of_the_published_run_if_there_is_one(tmp_path: Path) -> None:
    assert "No run at the documents' own scale" in numbers.summary(tmp_path)
    same = dict.fromkeys(("dataset", "model", "measure", "clusterer", "metric"), "a")
    verdicts = ["reproduced", "close", "not available"]
    cells = [{**same, "document": "T", "published": i, "verdict": verdict} for i, verdict in enumerate(verdicts)]
    record = {"id": "a", "title": "A", "chapter": "", "caption": "", "sources": [["T", "tab2_1"]], "products": []}
    record |= {"missing": {}, "stand_ins": [], "nothing": False, "cells": cells, "claims": []}
    folder = tmp_path / "docs" / "results" / "documents" / "T"
    folder.mkdir(parents=True)
    (folder / "a.json").write_text(json.dumps(record))
    said = numbers.summary(tmp_path)
    assert said.startswith("Of 3 printed cells, 2 could be judged: 1 reproduced and 1 close.")
    assert "1 was not available" in said


def test_what_is_said_of_the_rules_on_divergences_follows_from_the_errors() -> None:
    errors = divergences.table_of(ROOT, "kl_check")
    for name, (words, rule, held) in {**divergences.CHECK, **divergences.FRESH}.items():
        row = errors.loc[(name, divergences.SIZE)]
        nearest, three = row["nn_kl"], min(row["wang_kl"], row["wang_kl_k3"])
        right = {"1": row.min() > 1 / 9, "2": nearest < three, "3": nearest < three, "4": row["wang_kl_k3"] < nearest}
        if held.startswith("yes"):
            assert right[rule[0]], words


def test_limits_that_pages_state_are_those_of_the_code() -> None:
    pages = {path.stem: path.read_text(encoding="utf-8") for path in (ROOT / "docs").glob("*/*.md")}
    for text in (WORDS["stability"], pages["can-i-believe-it"]):
        assert f"{STABLE:g}" in text
        assert f"below {DOUBTFUL:g}" in text
    reading = pages["reading-your-page"]
    assert (
        f"more than {limits.MAX_ALL_PAIRS} sequences, a sample of {limits.SAMPLE_LEAST} to {limits.SAMPLE_MOST}"
        in reading
    )
    assert f"a probability of {LEVEL:.0%}".replace("%", " %") in reading.replace("\n", " ")
    assert f"more than {limits.MAX_ALL_PAIRS}" in pages["sensor-logs"]
    assert f"more than {Options().max_frames:,}".replace(",", " ") in pages["files"]
