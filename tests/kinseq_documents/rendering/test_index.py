"""The front page of the results, and what it says of verdicts."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pandas as pd
import pytest

from kinseq.core.errors import DataError
from kinseq_documents.conclusion import conclusion
from kinseq_documents.rendering import index, verdicts
from kinseq_documents.rendering.index import Entry
from tests.sentences import Recorded

HOSTILE = "<img src=x onerror=alert(1)>\"'&{{ 7*7 }}</script>"


class Page(HTMLParser):
    """Addresses, ids and tags of a page, and its words."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.images: list[dict[str, Any]] = []
        self.ids: list[str] = []
        self.articles: list[str] = []
        self.tags: list[str] = []
        self.said = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given: dict[str, Any] = dict(attrs)
        self.tags.append(tag)
        self.ids += [given["id"]] if "id" in given else []
        self.articles += [given["id"]] if tag == "article" else []
        self.links += [given["href"]] if tag == "a" else []
        self.images += [given] if tag == "img" else []

    def handle_data(self, data: str) -> None:
        self.said += data


def entry(name: str, *sources: tuple[str, str], **other: Any) -> Entry:
    given: dict[str, Any] = {"title": f"Title of {name}", "chapter": "chapter2", "caption": "", "nothing": False}
    files = [f"tables/{name}{end}" for end in (".md", ".tex", "_full.tex", ".csv", ".html")]
    files += [f"scores/{name}.csv", f"timings/{name}.csv", *(f"figures/{name}.{end}" for end in ("svg", "png", "pdf"))]
    given |= {"sources": sources, "products": tuple(files), "missing": {}, "stand_ins": (), **other}
    return Entry(id=name, **given)


def rows(kind: str, *given: tuple[str, str], **other: str) -> pd.DataFrame:
    """Rows of ``fidelity.csv``: experiment and verdict."""
    blank = {"document": "T", "item": "tab2_1", "place": "T Table 2.1", "row": "m = 2", "column": "SYM", "errata": ""}
    blank |= {"kind": kind, "sentence": "SYM is best.", **other}
    return pd.DataFrame([{**blank, "experiment": name, "verdict": verdict} for name, verdict in given], dtype=str)


def none(kind: str) -> pd.DataFrame:
    return rows(kind, ("nobody", "")).iloc[:0]


def written(
    folder: Path, *entries: Entry, cells: pd.DataFrame | None = None, claims: pd.DataFrame | None = None
) -> str:
    """The page of a folder that holds every product of the entries."""
    for file in [file for one in entries for file in one.products] + ["fidelity.html"]:
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text("")
    cells, claims = none("cell") if cells is None else cells, none("claim") if claims is None else claims
    pd.concat([cells, claims]).to_csv(folder / "fidelity.csv", index=False)
    listed = [{**vars(one), "sources": [list(pair) for pair in one.sources], "usage": []} for one in entries]
    index.write(listed, folder / "fidelity.csv", folder / "index.html", {"scale": "quick", "seed": 1, "version": "1"})
    return (folder / "index.html").read_text(encoding="utf-8")


def test_every_item_occurs_once_in_the_order_of_its_document(tmp_path: Path) -> None:
    entries = [
        entry("S_fig21", ("S", "fig21"), chapter="sic"),
        entry("S_fig3", ("S", "fig3"), chapter="sic"),
        entry("choices", chapter="chapter2"),
        entry("figC_1", ("T", "figC_1"), chapter="appendix_c"),
        entry("lonely", chapter="mine"),
        entry("tab10_1", ("T", "tab10_1"), chapter="chapter10"),
        entry("tab2_1", ("T", "tab2_1"), ("P2", "tab1")),
        entry("fig2_10", ("T", "fig2_10")),
        entry("fig2_9", ("T", "fig2_9")),
        entry("V_fig1_1", ("V", "fig1_1"), chapter="knn_itc"),
        entry("other", ("X", "fig1"), chapter="x"),
    ]
    page = Page(written(tmp_path, *entries))
    in_order = ["fig2_9", "fig2_10", "tab2_1", "choices", "tab10_1", "figC_1", "V_fig1_1", "S_fig3", "S_fig21"]
    assert page.articles == [*in_order, "other", "lonely"]
    assert len(set(page.ids)) == len(page.ids)
    # Items printed in the paper too are listed under its name, by a link.
    assert "document-P2" in page.ids
    assert "document-P1" not in page.ids
    assert page.links.count("#tab2_1") == 1


def test_links_point_to_what_is_there(tmp_path: Path) -> None:
    cells = rows("cell", ("tab2_1", "worse"), errata="slug-of-it")
    drawn = entry(
        "V_fig1_1", ("V", "fig1_1"), products=tuple(f"figures/V_fig1_1.{end}" for end in ("npz", "png", "html"))
    )
    page = Page(written(tmp_path, entry("tab2_1", ("T", "tab2_1")), drawn, cells=cells))
    assert "fidelity.html#tab2_1" in page.links
    assert "fidelity.html#slug-of-it" in page.links
    assert "fidelity.html#V_fig1_1" not in page.links
    for link in [*page.links, *(image["src"] for image in page.images)]:
        file, _, part = unquote(link).partition("#")
        assert (tmp_path / file).is_file() if file else part in page.ids, link
    # Every product is reached.
    for file in (*entry("tab2_1").products, *drawn.products):
        assert file in page.links, file
    assert all(image["loading"] == "lazy" and image["alt"] for image in page.images)


def test_no_placeholder_is_shown_as_a_result(tmp_path: Path, recorded: Recorded) -> None:
    lost = entry("fig6_1", ("T", "fig6_1"), nothing=True, missing={"Songs": "the site has closed"})
    held = entry("fig6_2", ("T", "fig6_2"), missing={"Songs": "the site has closed"}, stand_ins=("Songs in code",))
    again = entry("fig6_3", ("T", "fig6_3"), nothing=True, missing={"Pairs of songs": "the site has closed"})
    page = Page(written(tmp_path, lost, held, again))
    assert [image["src"] for image in page.images] == ["figures/fig6_2.png"]
    assert not any(link.startswith(("figures/fig6_1", "figures/fig6_3")) for link in page.links)
    recorded.within(page.said)
    recorded.within(page.said)
    # One line a reason.
    assert page.said.count("the site has closed") == 1
    recorded.within(page.said)


def test_hostile_names_stay_harmless(tmp_path: Path) -> None:
    hostile = entry(
        "tab2_1",
        (HOSTILE, HOSTILE),
        title=HOSTILE,
        caption=HOSTILE,
        missing={HOSTILE: HOSTILE},
        stand_ins=(HOSTILE,),
    )
    cells = rows("cell", ("tab2_1", "worse"), row=HOSTILE, column=HOSTILE, errata='a"><script>')
    claims = rows("claim", ("tab2_1", "held"), sentence=HOSTILE, place=HOSTILE, item=HOSTILE)
    text = written(tmp_path, hostile, cells=cells, claims=claims)
    page = Page(text)
    assert "49" not in page.said
    assert page.tags.count("img") == 1
    assert page.tags.count("script") == text.count("<script") == 1
    assert page.images[0]["alt"] == HOSTILE
    assert all("onerror" not in image for image in page.images)
    assert page.said.count(HOSTILE) > 5
    assert page.articles == ["tab2_1"]


def test_the_page_loads_nothing_from_elsewhere(tmp_path: Path) -> None:
    assert not re.search(r"https?://|src=\"//", written(tmp_path, entry("tab2_1", ("T", "tab2_1"))))


@pytest.mark.parametrize(
    ("found", "decided", "other", "expected"),
    [
        (["reproduced"] * 2 + ["worse", "close"], [], {}, "2 of 4 cells reproduced, 1 close, 1 worse"),
        (
            ["too few runs"],
            ["held", "held", "undecided"],
            {},
            "0 of 1 cell reproduced, 1 too few runs; claims: 2 held, 1 undecided",
        ),
        (["not available"], [], {"missing": {"EEG": "gone"}}, "data not available: EEG"),
        (["not available"], [], {}, "0 of 1 cell reproduced, 1 not available"),
        ([], [], {"stand_ins": ("made up",)}, "stand-in data, never compared"),
        ([], [], {"nothing": True, "missing": {"EEG": "gone"}}, "data not available: EEG"),
        ([], [], {}, "print gives no numbers to compare"),
    ],
)
def test_a_verdict_in_one_line(found: list[str], decided: list[str], other: dict[str, Any], expected: str) -> None:
    cells = rows("cell", *(("a", verdict) for verdict in found)) if found else none("cell")
    claims = rows("claim", *(("a", verdict) for verdict in decided)) if decided else none("claim")
    assert index.sentence(entry("a", ("T", "tab2_1"), **other), cells, claims) == expected


def test_a_summary_to_read_aloud(recorded: Recorded) -> None:
    cells = rows(
        "cell", *(("a", verdict) for verdict in ["worse", "reproduced", "reproduced", "too few runs", "not available"])
    )
    claims = rows("claim", ("a", "held"), ("a", "not held"), ("a", "held"))
    recorded(verdicts.summary(cells, claims))
    recorded(verdicts.summary(cells[4:], none("claim")))
    assert verdicts.summary(none("cell"), none("claim")) == []


def test_a_number_that_two_documents_print_counts_once_on_every_page(tmp_path: Path, recorded: Recorded) -> None:
    row = dict.fromkeys(verdicts.SAME_NUMBER, "a") | {"kind": "cell", "experiment": "tab2_1", "document": "T"}
    rows = [
        row | {"verdict": "close"},
        row | {"verdict": "close", "document": "P2"},
        row | {"verdict": "worse", "published": "b"},
        row | {"verdict": "not available", "x": ""},
        row | {"verdict": "better", "x": "", "document": "V", "experiment": "V_tab1"},
    ]
    pd.DataFrame(rows).to_csv(tmp_path / "fidelity.csv", index=False)
    cells, claims = verdicts.read(tmp_path / "fidelity.csv")
    summary = verdicts.summary(cells, claims)
    recorded(summary)
    (tmp_path / "index.html").write_text("")
    assert summary[0] in conclusion(tmp_path)
    assert verdicts.once(cells)["documents"].tolist() == [["T", "P2"], ["T"], ["T", "V"]]


def test_the_last_lines_of_a_run_call_readings_by_their_names(tmp_path: Path, recorded: Recorded) -> None:
    (tmp_path / "fidelity.csv").write_text(
        "kind,experiment,document,reading,verdict,modern_verdict\n"
        "cell,a,T,authors,reproduced,worse\ncell,a,T,authors,worse,worse\n"
    )
    (tmp_path / "index.html").write_text("")
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "readings.yaml").write_text("authors: {label: the reading}\nmodern: {label: the recipe}\n")
    last = conclusion(tmp_path, tmp_path).splitlines()[1]
    assert last.startswith(
        "Of 2 printed cells, 2 could be judged: 1 reproduced and 1 worse. Of the others, 0 had too few runs. 1 of 2 printed"
        " numbers is reproduced under one reading of what print leaves open, the reading; with the recipe 0 of 2."
    )
    (tmp_path / "docs" / "results").mkdir(parents=True)
    (tmp_path / "docs" / "results" / "readings.csv").write_text(
        "reading,among,held_out,held_out_of,folds,folds_alike,agree,judged,best,print,trials,contradicts\n"
        "authors,4,5,6,2,0,5,6,5,1,3,Kernel\n"
    )
    last = conclusion(tmp_path, tmp_path)
    recorded.within(last)
    assert "did not choose it" not in last


def test_what_an_item_cost(tmp_path: Path) -> None:
    (tmp_path / "timings.csv").write_text("job,seconds,cpu_seconds\na,9,1.5\nb,9,2\n")
    (tmp_path / "used.tsv").write_text("s\tcpu_time\n9\t4.5\n")
    (tmp_path / "short.tsv").write_text("s\tcpu_time\n0\tNA\n")
    usage = [tmp_path / "used.tsv", tmp_path / "short.tsv", tmp_path / "none.tsv"]
    assert index.cost(tmp_path / "timings.csv", usage) == 8
    assert index.cost(tmp_path / "none.csv", []) is None


def test_a_table_that_is_none_is_refused(tmp_path: Path, recorded: Recorded) -> None:
    for text in ("a,b\n1,2\n", ""):
        (tmp_path / "fidelity.csv").write_text(text)
        with recorded.raises(DataError):
            verdicts.read(tmp_path / "fidelity.csv")
