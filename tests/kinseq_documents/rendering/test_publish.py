"""Published results belong to the current configuration."""

from __future__ import annotations

import os
import tarfile
from pathlib import Path
from typing import Any

import pytest

from kinseq.core.errors import DataError
from kinseq_documents import documents, plan, publishing
from kinseq_documents.evaluation import causes
from kinseq_documents.rendering import publish, verdicts
from tests.sentences import Recorded

ROOT = Path(__file__).resolve().parents[3]
MACHINE = {"cpu": "a processor", "cores": 2, "python": "3.11", "versions": {"numpy": "2"}}


def cell(document: str, value: float, verdict: str, **other: Any) -> dict[str, Any]:
    same = {
        "dataset": "d",
        "model": "hmm2",
        "measure": "sym",
        "clusterer": "spectral",
        "metric": "error",
        "unit": "percent",
    }
    return {**same, "document": document, "printed": str(value), "published": value, "verdict": verdict, **other}


def item(name: str, *cells: dict[str, Any], **other: Any) -> dict[str, Any]:
    """A record as a job writes it."""
    plain = {"id": name, "title": f"Title of {name}", "chapter": "chapter2", "caption": "", "sources": [["T", name]]}
    plain |= {"products": [f"tables/{name}.csv", f"figures/{name}.svg", f"figures/{name}.png", f"scores/{name}.csv"]}
    plain |= {"missing": {}, "stand_ins": [], "nothing": False, "cells": list(cells), "claims": [], "seconds": 10.0}
    plain |= {
        "scores": {f"scores/{name}.csv": "00ff"},
        "scale": "thesis",
        "seed": 1,
        "home": "T",
        "configuration": "a1",
    }
    plain |= {"shows_third_party": False, "machine": MACHINE}
    return {**plain, "data": {"d": {"title": "d", "generated": True, "bundled": False, "checksum": ""}}, **other}


def published(tmp_path: Path, *records: dict[str, Any]) -> Path:
    results, folder = tmp_path / "results", tmp_path / "docs"
    for one in records:
        for file in one["products"]:
            (results / file).parent.mkdir(parents=True, exist_ok=True)
            (results / file).write_text(file * (2 if file.endswith("png") else 1))
    publish.publish(records, results, folder, "c0ffee", {"requirements.lock": "abc"})
    return folder


def test_a_number_that_is_printed_twice_counts_once() -> None:
    shared = item(
        "tab2_1", cell("T", 33.33, "close"), cell("P2", 33.33, "close"), cell("T", 5.0, "worse", measure="bp")
    )
    again = item("tab3_2", cell("T", 33.33, "not available"), cell("P1", 32.33, "worse", errata="slug"))
    once = publish.counted_once([shared, again])
    assert sorted(zip(once["document"], once["verdict"], once["cause"], strict=True)) == [
        ("P1", "worse", "document"),
        ("T", "close", ""),
        ("T", "worse", "unknown"),
    ]
    assert ["T", "P2"] in once["documents"].tolist()


def test_pages_say_first_what_is_reproduced_under_the_judged_reading_and_under_others(tmp_path: Path) -> None:
    def told(value: float, verdict: str, beside: str) -> dict[str, Any]:
        return cell(
            "T", value, verdict, under="judged", other_verdict=beside, other_mean=20.5, other_std=1.0, other_n=7
        )

    readings = {"judged": "the judged reading", "other": "another recipe"}
    numbers = [
        told(1.0, "reproduced", "worse"),
        told(2.0, "reproduced", "reproduced"),
        told(3.0, "worse", "too few runs"),
    ]
    # Items without a reading, or without a verdict, count for neither.
    numbers += [told(4.0, "not available", ""), cell("T", 5.0, "reproduced", measure="bp")]
    folder = published(tmp_path, item("tab2_1", *numbers, readings=readings))
    said = "2 of 3 printed numbers are reproduced under one reading of what print leaves open, the judged reading"
    publish.write_pages(folder, {"tab2_1": "a1"})
    assert f"{said}; with another recipe 1 of 2." in (folder / "index.md").read_text()
    page = (folder / "T/tab2_1.md").read_text()
    assert "Another recipe" in page
    assert page.count("20.50 ± 1.00 (worse, 7 runs)") == 1
    (folder.parent / publish.CHOICES).write_text(
        "reading,among,held_out,held_out_of,folds,folds_alike,agree,judged,best,print,trials,contradicts\n"
        "judged,70,8,14,3,0,9,14,9,4,3,Kernel; Rows of SSD\n"
    )
    publish.write_pages(folder, {"tab2_1": "a1"})
    chosen = "It contradicts print on 2 choices (kernel and rows of SSD). It was chosen by agreement among 70"
    assert f"{said}; with another recipe 1 of 2. {chosen}" in (folder / "index.md").read_text()


def test_choices_that_cannot_be_read_are_refused(recorded: Recorded) -> None:
    for text in (
        "",
        "reading,among\na,3\n",
        "reading,among,held_out,held_out_of,agree,judged,best\na,many,1,2,1,2,1\n",
    ):
        with recorded.raises(DataError):
            verdicts.choices(text)


def test_parts_are_published_alone_and_keep_the_others(tmp_path: Path, recorded: Recorded) -> None:
    folder = published(
        tmp_path, item("tab2_1", cell("T", 1.0, "reproduced"), cell("T", 2.0, "close"), cell("T", 3.0, "worse"))
    )
    published(tmp_path, item("V_tab5_1", sources=[["V", "tab5_1"]], home="V", chapter="knn_itc"))
    assert [one["id"] for one in publish.published(folder)] == ["tab2_1", "V_tab5_1"]
    assert publish.write_pages(folder, {"tab2_1": "a1", "V_tab5_1": "a1"}, left_out={"V": (1, 0), "S": (2, 30)}) == []
    page = (folder / "index.md").read_text()
    recorded.within(page)
    recorded.within(page)
    assert "| unknown | worse | 1 |" in page
    assert page.count("| close |") == 0
    assert "(V/V_tab5_1.md)" in page
    assert "quick" not in page
    assert "stale" not in page
    assert publish.write_pages(folder, {"tab2_1": "a1", "V_tab5_1": "b2"}) == ["V_tab5_1"]
    assert "**stale**" in (folder / "index.md").read_text()
    assert "Stale" in (folder / "V" / "V_tab5_1.md").read_text()
    assert "Stale" not in (folder / "T" / "tab2_1.md").read_text()
    recorded.within((folder / "check.sha256").read_text())
    assert "V_tab5_1" not in (folder / "check.sha256").read_text()
    for line in (folder / "manifest.csv").read_text().splitlines()[1:]:
        assert line.count(",") == 2


def test_items_of_the_quick_scale_are_marked(tmp_path: Path, recorded: Recorded) -> None:
    folder = published(tmp_path, item("tab2_1"), item("tab2_2", scale="quick"))
    publish.write_pages(folder, {"tab2_1": "a1", "tab2_2": "a1"})
    page = (folder / "index.md").read_text()
    recorded.within(page)
    marked = [line for line in page.splitlines() if line.endswith("*quick*")]
    assert len(marked) == 1
    assert "T/tab2_2.md" in marked[0]


def test_third_party_pictures_and_large_figures_stay_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = published(tmp_path, item("shown"), item("hidden", shows_third_party=True))
    assert (folder / "T" / "shown.svg").is_file()
    assert not (folder / "T" / "shown.png").exists()
    assert not list((folder / "T").glob("hidden.[sp][vn]g"))
    assert (folder / "T" / "hidden.csv").is_file()
    monkeypatch.setattr(publish, "LARGEST_FIGURE", 3)
    published(tmp_path, item("shown"))
    assert not list((folder / "T").glob("shown.[sp][vn]g"))


def test_documents_that_need_no_data_are_checked_first() -> None:
    held = item("held", seconds=1.0, data={"d": {"title": "d", "generated": False, "bundled": False, "checksum": "1"}})
    assert [one["id"] for one in publish.easy([item("long", seconds=880.0), held, item("short")])] == ["short", "long"]
    assert [one["id"] for one in publish.easy([item("long", seconds=895.0), item("short")])] == ["short"]


def test_digests_follow_the_configuration_at_one_scale() -> None:
    entries = {"d": {"title": "d", "loader": "mohmm", "params": {"n_sequences": [4], "mean_length": [9]}}}
    experiment = {
        "id": "e",
        "title": "E",
        "chapter": "c",
        "sources": [],
        "metric": "error",
        "trials": {"quick": 2, "thesis": 3},
    }
    experiment |= {"parts": [{"datasets": ["d"], "models": [], "measures": ["dtw"], "clusterers": ["spectral"]}]}
    experiment |= {"render": {"kind": "table", "rows": ["dataset"], "columns": "measure", "sections": []}}

    def digest(datasets: Any = entries, printed: str = "", **changes: Any) -> str:
        cat = plan.catalogue(datasets, {}, {}, {"e": {**experiment, **changes}}, scale="thesis")
        return plan.configuration_digest(cat, "e", printed)

    assert digest() == digest(trials={"quick": 7, "thesis": 3})
    other = {"d": {**entries["d"], "params": {"n_sequences": [5], "mean_length": [9]}}}
    assert len({digest(), digest(trials={"quick": 2, "thesis": 4}), digest(other), digest(printed="1")}) == 4


def test_the_first_rule_that_names_a_cell_tells_its_cause(tmp_path: Path) -> None:
    file = tmp_path / "causes.yaml"
    file.write_text(
        "- {where: {measure: [sym, bp], verdict: worse}, kind: choice, text: The width}\n"
        "- {where: {measure: sym}, kind: data, text: Other data.}\n"
        "- {where: {measure: yy}, kind: unknown, text: The width was tried}\n"
    )
    rules = documents.rules_of_causes(tmp_path)
    for given, expected in (
        (cell("T", 1.0, "worse"), causes.Cause("choice", "The width")),
        (cell("T", 1.0, "better"), causes.Cause("data", "Other data.")),
        (cell("T", 1.0, "better", measure="kl_ll"), causes.Cause("unknown")),
        (cell("T", 1.0, "worse", measure="kl_ll", errata="slug"), causes.Cause("document")),
        (cell("T", 1.0, "worse", reading="Near."), causes.Cause("choice", "The width; Near.")),
        (cell("T", 1.0, "worse", measure="kl_ll", errata="slug", reading="Near."), causes.Cause("choice", "Near.")),
        (cell("T", 1.0, "worse", measure="yy"), causes.Cause("unknown", "The width was tried")),
        (cell("T", 1.0, "worse", measure="yy", errata="slug"), causes.Cause("unknown", "The width was tried")),
        (cell("T", 1.0, "worse", measure="yy", reading="Near."), causes.Cause("choice", "The width was tried; Near.")),
        # For a number judged under a reading, the page states how many single changes were tried in vain.
        (
            cell("T", 1.0, "worse", measure="yy", under="authors", tried=4),
            causes.Cause("unknown", "The width was tried; none of 4 single changes brings it to print"),
        ),
        (
            cell("T", 1.0, "worse", measure="kl_ll", under="authors", tried=4),
            causes.Cause("unknown", "none of 4 single changes brings it to print"),
        ),
        (
            cell("T", 1.0, "worse", measure="kl_ll", under="authors", tried=4, reading="Near."),
            causes.Cause("choice", "Near."),
        ),
        (cell("T", 1.0, "one draw"), causes.Cause("runs")),
        (cell("T", 1.0, "reproduced"), causes.Cause("")),
        (cell("T", 1.0, "one run"), causes.Cause("runs")),
        (cell("T", 1.0, "not available", reason="data not available: x"), causes.Cause("missing")),
        (cell("T", 1.0, "not available", reason="no method"), causes.Cause("not computed")),
    ):
        assert causes.of(given, rules) == expected


@pytest.mark.parametrize(
    "text",
    [
        "- {where: {measure: sym}, kind: choice}",
        "- {where: {measure: sym}, kind: missing, text: x}",
        "- {where: {}, kind: data, text: x}",
        "- {where: {price: 3}, kind: data, text: x}",
        "- [",
    ],
)
def test_a_cause_that_is_none_is_refused(text: str, tmp_path: Path, recorded: Recorded) -> None:
    file = tmp_path / "causes.yaml"
    file.write_text(text)
    with recorded.raises(DataError):
        documents.rules_of_causes(tmp_path)


def test_where_nothing_else_is_known_it_is_told_how_many_readings_agree(tmp_path: Path) -> None:
    (tmp_path / "documents").mkdir()
    assert publish.readings_beside(tmp_path / "documents") == []
    (tmp_path / publish.CELLS).parent.mkdir(parents=True)
    (tmp_path / publish.CELLS).write_text(
        "dataset,model,measure,metric,printed,readings_agree,readings,least,most\n"
        "d,m,sym,error,9.85,16,48,10.62,19.01\n"
        "d,m,bp,error,24.5,0,48,8.4,19.5\n"
    )
    rules = publish.readings_beside(tmp_path / "documents")
    given = {"verdict": "worse", "dataset": "d", "model": "m", "metric": "error", "clusterer": "spectral"}
    some = causes.Cause("choice", "it agrees with 16 of 48 readings of what print leaves open (10.6 to 19.0)")
    none = causes.Cause("unknown", "it agrees with none of 48 readings of what print leaves open (8.4 to 19.5)")
    assert causes.of({**given, "measure": "sym", "published": 9.85}, rules) == some
    assert causes.of({**given, "measure": "bp", "published": 24.5}, rules) == none
    # Another number, another clusterer, an erratum, a rule by hand and a reading that comes near.
    assert causes.of({**given, "measure": "sym", "published": 9.8}, rules) == causes.Cause("unknown")
    sym = {**given, "measure": "sym", "published": 9.85}
    assert causes.of({**sym, "clusterer": "hierarchical"}, rules) == causes.Cause("unknown")
    assert causes.of({**sym, "errata": "slug"}, rules) == causes.Cause("document")
    by_hand = causes.Rule({"measure": frozenset({"sym"})}, causes.Cause("data", "Other data."))
    assert causes.of(sym, [*rules, by_hand]) == by_hand.cause
    assert causes.of({**sym, "reading": "Near."}, rules) == causes.Cause("choice", "Near.")


def test_rules_of_causes_name_experiments_that_are_there() -> None:
    known = {path.stem for path in (ROOT / "config" / "experiments").glob("*.yaml")}
    named = {name for rule in documents.rules_of_causes(ROOT / "config") for name in rule.where.get("experiment", ())}
    assert named <= known


def test_published_results_are_of_the_configuration_that_is_there() -> None:
    """If this fails, ``make pages`` marks what is stale, and ``make publish DOCUMENT=...`` makes it again."""
    folder = ROOT / "docs" / "results" / "documents"
    items = publish.published(folder)
    outdated = publish.stale(items, documents.digests(ROOT / "config", items))
    rules = [*documents.rules_of_causes(ROOT / "config"), *publish.readings_beside(folder)]
    left_out = documents.left_out(ROOT / "config", items)
    choices = publish.choices_beside(folder)
    for name, text in publish.texts(items, outdated, rules, left_out, choices).items():
        assert (folder / name).read_text(encoding="utf-8") == text, (
            f"{name} is old; stale: {', '.join(outdated) or 'nothing'}"
        )


@pytest.mark.parametrize(
    ("unit", "printed", "told"),
    [
        ("number", "0.403", ["0.403", "0.403", "0.403 ± 0.000", "15", "+0.000"]),
        ("percent", "0.403", ["0.403", "40.30", "40.29 ± 0.00", "15", "-0.01"]),
        ("number", "0", ["0", "0.00", "0.00 ± 0.00", "15", "+0.00"]),
    ],
)
def test_numbers_are_told_as_finely_as_in_print(unit: str, printed: str, told: list[str]) -> None:
    published = float(printed) * (100 if unit == "percent" else 1)
    mean = 0.0 if printed == "0" else published - (0.01 if unit == "percent" else 0.0001)
    row = publish._row(
        cell("V", published, "reproduced", unit=unit, mean=mean, std=0.0, n=15, difference=mean - published)
        | {"printed": printed}
    )
    assert row[2:7] == told


def test_a_page_tells_why_a_number_differs() -> None:
    one = item(
        "tab2_1",
        cell("T", 1.0, "worse", measure="bp", note="As printed"),
        cell("T", 2.0, "better", errata="a b"),
        cell("T", 3.0, "worse", measure="yy"),
        cell("T", 4.0, "worse", measure="kl_ll", errata="a", reading="Near"),
        cell("T", 5.0, "close", measure="yy", errata="a"),
        files={},
        commit="c0ffee",
    )
    rule = causes.Rule(
        {"experiment": frozenset({"tab2_1"}), "measure": frozenset({"bp"})}, causes.Cause("data", "Other data")
    )
    lines = [line for line in publish.item_page(one, False, [rule]).splitlines() if line.startswith("|")]
    address = "../../../reference/errata.md#"
    assert lines[0].endswith("| Verdict | Note | Why |")
    assert [line.split(" | ")[-2:] for line in lines[2:]] == [
        ["As printed", "data: Other data |"],
        ["", f"errata: [a]({address}a), [b]({address}b) |"],
        ["", "unknown |"],
        ["", f"open choice: Near; errata: [a]({address}a) |"],
        ["", " |"],
    ]
    plain = item("tab2_1", cell("T", 1.0, "close"), files={}, commit="c0ffee")
    assert "Why" not in publish.item_page(plain, False)


def test_scores_are_packed_and_their_bytes_follow_from_the_tables(tmp_path: Path) -> None:
    (tmp_path / "scores").mkdir()
    for name in ("a", "b"):
        (tmp_path / "scores" / f"{name}.csv").write_text(f"{name}\n", encoding="utf-8")
    items = [{"scores": {"scores/a.csv": "1"}}, {"scores": {"scores/b.csv": "2", "scores/gone.csv": "3"}}]
    first = publishing.pack_scores(items, tmp_path).read_bytes()
    os.utime(tmp_path / "scores" / "a.csv", (0, 0))
    archive = publishing.pack_scores(items[::-1], tmp_path)
    assert archive.read_bytes() == first
    with tarfile.open(archive) as packed:
        assert packed.getnames() == ["scores/a.csv", "scores/b.csv"]
