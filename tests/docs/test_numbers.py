"""Numbers on pages are those of the files of results: of the README, which no build makes, and of tables in reports."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from kinseq.analysis import limits
from kinseq.analysis.explaining import LEVEL
from kinseq.analysis.settings import Settings
from kinseq.metrics.unlabelled import DOUBTFUL, STABLE
from kinseq.report.words import WORDS

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs" / "_site"))

import numbers_of_divergences as divergences  # noqa: E402
import numbers_of_results as numbers  # noqa: E402

README = (ROOT / "README.md").read_text(encoding="utf-8")
ANSWERS = (ROOT / "docs" / "reports" / "answers.md").read_text(encoding="utf-8")


def test_the_readme_is_a_page() -> None:
    assert len(README.splitlines()) <= 150


def test_evidence_and_peers_of_the_readme_are_those_of_the_results() -> None:
    assert numbers.evidence(ROOT) in README, "put the lines of numbers_of_results.evidence there"
    assert numbers.peers_table(ROOT) in README, "put the table of numbers_of_results.peers_table there"


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


@pytest.mark.parametrize("page", sorted((ROOT / "docs").rglob("*.md")), ids=lambda path: path.stem)
def test_every_number_that_a_page_asks_for_is_there(page: Path) -> None:
    known = numbers.substitutions(ROOT)
    for name, _, key in re.findall(r"\{\{ (\w+)(\.(\w+))? \}\}", page.read_text(encoding="utf-8")):
        assert name in known, f"{page.name}: nobody fills {name}"
        assert not key or key in known[name], f"{page.name}: nobody fills {name}.{key}"


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
    assert f"more than {limits.DENSE} sequences, a sample of {limits.SAMPLE_LEAST} to {limits.SAMPLE_MOST}" in reading
    assert f"a probability of {LEVEL:.0%}".replace("%", " %") in reading.replace("\n", " ")
    assert f"more than {limits.DENSE}" in pages["sensor-logs"]
    assert f"more than {Settings().max_frames:,}".replace(",", " ") in pages["files"]
