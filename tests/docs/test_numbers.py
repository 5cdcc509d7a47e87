"""Numbers on pages are those of the files of results: of the README, which no build makes, and of tables in reports."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections.abc import Callable, Iterable
from inspect import signature
from pathlib import Path
from typing import Any

import pytest
import yaml
from sklearn.metrics import adjusted_rand_score

from kinseq.analysis import limits
from kinseq.analysis.explaining import MAX_P_VALUE
from kinseq.analysis.options import Options
from kinseq.features.extraction import AudioFeatures, audio_features
from kinseq.hmm import GaussianHMM
from kinseq.metrics.internal import DOUBTFUL, STABLE
from kinseq.metrics.registry import UNITS
from kinseq.report.glossary import WORDS
from kinseq_documents import documents
from kinseq_documents.evaluation.fidelity import MIN_RUNS
from kinseq_documents.rendering.verdicts import DOCUMENTS
from tests.sentences import Recorded

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs" / "_site"))

import filled_pages  # noqa: E402
import numbers_of_divergences as divergences  # noqa: E402
import numbers_of_results as numbers  # noqa: E402

README = (ROOT / "README.md").read_text(encoding="utf-8")
ANSWERS = (ROOT / "docs" / "reports" / "answers.md").read_text(encoding="utf-8")


def test_the_readme_is_a_page() -> None:
    assert len(README.splitlines()) <= 150


NUMBER = re.compile(
    r"(?<![\w.#/-])\d[\d.,]*\b(?: ?%)?(?![\w/-])"
    r"|\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|fifty|hundreds?|thousands?)\b",
    re.IGNORECASE,
)
"""A number in running text, in digits or as a word."""


def running(text: str) -> str:
    """Text of a page outside values that are filled in, names of code, addresses, and programs, which are run elsewhere."""
    text = re.sub(r"<!-- value: \S+ -->.*?<!-- end -->", "", text, flags=re.DOTALL)
    # A comment on a command is text.
    text = re.sub(r"^```(?!sh)\w+\n.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"\]\([^)]*\)|`[^`\n]+`", "]", text)
    return " ".join(re.sub(r"^(?:#+ )?\d+\. ", "", text, flags=re.MULTILINE).split())


def numbers_left(text: str, stated: Iterable[str] = ()) -> list[str]:
    """Numbers that a page says next to what is stated elsewhere, a few words around each."""
    said = running(text)
    for known in stated:
        said = said.replace(known, "")
    return [said[max(0, m.start() - 30) : m.end() + 24] for m in NUMBER.finditer(said)]


def seconds_of_everything() -> float:
    """Processor time of a whole run at the quick scale, by the table of costs."""
    known = documents.costs(ROOT / "config")
    return sum(cost.seconds for cost in known.values())


def python_needed() -> str:
    return str(tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["requires-python"])


FIRST = (ROOT / "docs" / "tutorials" / "first-folder.md").read_text(encoding="utf-8")
STATED: dict[str, Callable[[], bool]] = {
    "tables and figures of five documents": lambda: len(DOCUMENTS) == 5,
    "on a folder of thirty logs: three groups, clearly separated": lambda: (
        {"range(30)", "3 groups, clearly separated"} <= said_in(FIRST)
    ),
    "Three commands": lambda: README.split("```sh\n")[1].split("```")[0].count("\n") == 3,
    "Python 3.11 or newer": lambda: python_needed() == ">=3.11",
    # Two cores share the work; the costs omit the models and matrices that several targets share.
    "with fewer trials; a quarter to half an hour": lambda: 0.5 < seconds_of_everything() / 2 / 60 / 15 < 1.5,
    "Your first folder] takes ten minutes": lambda: "the whole tutorial takes ten minutes" in FIRST,
    "its own defaults] try three starts": lambda: signature(GaussianHMM).parameters["n_init"].default == 3,
    "1 is perfect, 0 is chance": lambda: adjusted_rand_score([0, 0, 1, 1], [1, 1, 0, 0]) == 1.0,
    "[two samples]": lambda: (ROOT / "docs" / "tutorials" / "two-samples.md").is_file(),
}
"""Numbers of the README that no value fills, and where each is from."""


def said_in(text: str) -> set[str]:
    return {word for word in ("range(30)", "3 groups, clearly separated") if word in text}


def test_every_number_of_the_readme_is_filled_in_or_looked_up() -> None:
    for known, holds in STATED.items():
        assert known in running(README), f"the README says no more {known!r}"
        assert holds(), known
    assert numbers_left(README, STATED) == [], "fill it in as a value, or say in STATED where it is from"


def tutorial(name: str) -> str:
    return running((ROOT / "docs" / "tutorials" / f"{name}.md").read_text(encoding="utf-8"))


def features(name: str) -> AudioFeatures:
    return audio_features(name)


PERCENT = UNITS["percent"]
SAID_BY_TUTORIALS: dict[tuple[str, str], Callable[[], object]] = {
    ("first-folder", "It writes thirty files"): lambda: "range(30)" in FIRST,
    ("regenerate-a-table", f"| *reproduced* | within {PERCENT.reproduced_within:g} point,"): lambda: True,
    (
        "regenerate-a-table",
        f"| *close* | within {PERCENT.close_within:g} points, and within half of the printed number |",
    ): lambda: True,
    (
        "regenerate-a-table",
        f"fewer than {MIN_RUNS} trials, a standard error above {PERCENT.largest_se:g} points",
    ): lambda: True,
    ("regenerate-a-table", "It takes about 15 minutes on two cores"): lambda: "a quarter to half an hour" in README,
    ("regenerate-a-table", "You need Python 3.11 or newer"): lambda: python_needed() == ">=3.11",
    ("sensor-logs", f"are more than {limits.MAX_ALL_PAIRS} | nothing: a sample"): lambda: True,
    ("recordings", "brings recordings to 16 000 Hz (music: 22 050)"): lambda: (
        features("speech").highest_rate == 16000 and features("music").highest_rate == 22050
    ),
    ("change-one-choice", "with models of two to five states. What happens with eight?"): lambda: (
        {"hmm2", "hmm3", "hmm4", "hmm5"} <= models_of("tab2_1") and "hmm8" not in parsed("models.yaml")
    ),
}
"""Numbers of tutorials that follow from the code or the configuration; what their programs print is compared where they are run."""


def parsed(name: str) -> dict[str, Any]:
    document: dict[str, Any] = yaml.safe_load((ROOT / "config" / name).read_text(encoding="utf-8"))
    return document


def models_of(experiment: str) -> set[str]:
    return {model for part in parsed(f"experiments/{experiment}.yaml")["parts"] for model in part["models"]}


@pytest.mark.parametrize(("page", "said"), SAID_BY_TUTORIALS, ids=lambda text: text[:40])
def test_numbers_of_tutorials_are_those_of_the_code(page: str, said: str) -> None:
    assert said in tutorial(page)
    assert SAID_BY_TUTORIALS[page, said]()


def test_a_number_from_nowhere_is_found(recorded: Recorded) -> None:
    page = "<!-- value: a -->12<!-- end -->\n```python\nx = 7\n```\nIt is 30 % faster, in `k=4` of [six](x9.md) cases."
    assert len(numbers_left(page)) == 2
    recorded(numbers_left(page, ["It is 30 % faster"]))


def test_the_goals_of_the_laboratory_are_its_table() -> None:
    goals = numbers.laboratory(ROOT)["goals"].splitlines()
    assert goals[0] == "| what | sets | reached | asked | met |"
    (cut,) = [line for line in goals if line.startswith("| data without groups: cut |")]
    planted = numbers.laboratory(ROOT)
    _, _, sets, reached, *_ = (cell.strip() for cell in cut.split("|"))
    assert (int(sets), f"{100 * float(reached):.1f} %") == (planted["process"], planted["process_cut"])


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
    # A comment at the beginning of a line turns the whole line into HTML.
    assert not re.search(r"^\s*(?:[-*+] |\d+\. )?<!-- value: \S+ -->[^\n]+", text, flags=re.MULTILINE)


def test_every_page_with_results_is_compared() -> None:
    names = {path.relative_to(ROOT).as_posix() for path in filled_pages.pages(ROOT)}
    assert {"README.md", "docs/index.md", "docs/reports/sic.md", "docs/reference/commands.md"} <= names


def test_no_page_holds_a_place_that_only_a_build_fills() -> None:
    for page in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]:
        assert not re.search(r"\{\{ \S+ \}\}", page.read_text(encoding="utf-8")), page.name


def test_a_value_is_written_between_its_marks(recorded: Recorded) -> None:
    known = {"lab": {"sets": 12}, "table": "| a |\n"}
    line = "All <!-- value: lab.sets -->7<!-- end --> sets"
    assert filled_pages.filled(line, known) == line.replace("7", "12")
    block = "<!-- value: table -->\n\nold\n\n<!-- end -->\n"
    assert filled_pages.filled(block, known) == block.replace("old", "| a |")
    for name in ("lab.none", "none"):
        with recorded.raises(KeyError):
            filled_pages.filled(line.replace("lab.sets", name), known)


def test_the_summary_is_of_the_published_run_if_there_is_one(tmp_path: Path, recorded: Recorded) -> None:
    recorded.within(numbers.summary(tmp_path))
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
    assert f"a probability of {MAX_P_VALUE:.0%}".replace("%", " %") in reading.replace("\n", " ")
    assert f"more than {limits.MAX_ALL_PAIRS}" in pages["sensor-logs"]
    assert f"more than {Options().max_frames:,}".replace(",", " ") in pages["files"]
