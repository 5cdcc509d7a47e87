"""The page in a browser: open, tap, search, switch, correct, take away, and give back."""

from __future__ import annotations

import csv
import io
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import soundfile

import kinseq
from kinseq.api.results import Clustering

from .opened import PATIENCE, Opened

KINDS, EACH = 3, 6
NAMES = ["=sum", "<b>bold", 'comma, "quoted"', "été", "plain", "日本"]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tables on three levels; files with names that a page or a spreadsheet could take for something else."""
    folder = tmp_path_factory.mktemp("data") / "devices"
    folder.mkdir()
    rng = np.random.default_rng(3)
    for i in range(KINDS * EACH):
        values = rng.normal(size=(30 + i % 5, 2)) + 9.0 * (i % KINDS)
        name = f"{NAMES[i % len(NAMES)]} {i:02d}.csv"
        pd.DataFrame(values, columns=["temp [C]", "flow"]).to_csv(folder / name, index=False)
    return folder


@pytest.fixture(scope="module")
def found(data: Path) -> Clustering:
    result = kinseq.cluster(data, KINDS, "dtw", n_resamples=3)
    assert isinstance(result, Clustering)
    return result


@pytest.fixture(scope="module")
def page(found: Clustering, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return found.report(tmp_path_factory.mktemp("page"))


def ids(found: Clustering) -> list[str]:
    return [str(name) for name in found.sequences.ids]


def selected(page: Opened) -> str:
    return page.texts("#detail h3")[0]


def test_a_dot_is_tapped_and_marked_everywhere(opened: Opened, page: Path, found: Clustering) -> None:
    opened.open(page)
    item = 4
    opened.pick(item)
    assert selected(opened) == ids(found)[item]
    assert all("selected" in said for said in opened.classes(item).values())
    near = found.details.neighbours(5)[item]
    assert [text[1:] for text in opened.texts("#detail .near button")] == [ids(found)[j] for j in near]
    assert opened.count("#detail svg polyline") == 2
    assert f"{found.original.lengths[item]} frames" in opened.texts("#detail .axis")[0]
    # The axis ends where the curve does.
    ends = opened.run(
        "return ['.axis', 'polyline'].map(part => document.querySelector('#detail ' + part).getBoundingClientRect().right)"
    )
    assert abs(ends[0] - ends[1]) < 3
    # A neighbour is one tap away.
    opened.tap(opened.all("#detail .near button")[0])
    assert selected(opened) == ids(found)[near[0]]
    opened.press("\ue00c")
    assert opened.texts("#detail h3") == []


def test_what_is_pointed_at_is_marked_on_all_figures(opened: Opened, page: Path, found: Clustering) -> None:
    from selenium.webdriver.common.action_chains import ActionChains

    opened.open(page)
    order = opened.run("return JSON.parse(document.getElementById('data').textContent).order")
    heat = opened.one("#heat")
    opened.run("arguments[0].scrollIntoView({block: 'center'})", heat)
    box = opened.run("const b = arguments[0].getBoundingClientRect(); return [b.width, b.height]", heat)
    # The middle of a row, right of it a column.
    n, row, column = len(order), 2, 9
    strip = 0.045 * n
    x = (strip + column + 0.5) / (n + strip) * box[0] - box[0] / 2
    y = (row + 0.5) / n * box[1] - box[1] / 2
    ActionChains(opened.driver).move_to_element_with_offset(heat, round(x), round(y)).perform()
    marked = opened.run("return [...new Set([...document.querySelectorAll('.marked')].map(e => +e.dataset.i))]")
    assert set(marked) == {order[row], order[column]}
    for item in marked:
        assert all("marked" in said for said in opened.classes(item).values())
    leaf = opened.all("#tree .strip rect")[5]
    opened.run("arguments[0].scrollIntoView({block: 'center'})", leaf)
    ActionChains(opened.driver).move_to_element(leaf).perform()
    assert set(opened.run("return [...document.querySelectorAll('.marked')].map(e => e.dataset.i)")) == {
        leaf.get_attribute("data-i")
    }


def test_the_map_can_be_walked_by_keyboard(opened: Opened, page: Path) -> None:
    opened.open(page)
    opened.run("document.querySelector('#map [tabindex=\"0\"]').focus()")
    seen = set()
    for key in ["\ue014", "\ue015", "\ue012", "\ue013"] * 6:
        opened.press(key)
        seen.add(tuple(opened.texts("#detail h3")))
    assert len(seen - {()}) > 3
    # One tab stop, wherever the focus was moved.
    assert opened.count("#map [tabindex='0']") == 1


def test_search_hides_and_counts(opened: Opened, page: Path, found: Clustering) -> None:
    opened.open(page)
    opened.run("document.getElementById('list').open = true")
    opened.one("#search").send_keys("bold")
    wanted = [name for name in ids(found) if "bold" in name]
    assert opened.texts("#count") == [f"{len(wanted)} of {KINDS * EACH} sequences"]
    assert opened.count("#map .dim") == KINDS * EACH - len(wanted)
    assert opened.texts("#table tbody tr td:first-child") == sorted(wanted)
    opened.one("#search").send_keys("\ue007")
    assert selected(opened) in wanted


def test_clusters_are_hidden_and_shown(opened: Opened, page: Path, found: Clustering) -> None:
    opened.open(page)
    sizes = np.bincount(found.labels)
    opened.run("document.getElementById('list').open = true")
    opened.all("#legend button")[1].click()
    assert opened.count("#map .gone") == sizes[1]
    assert opened.all("#legend button")[1].get_attribute("aria-pressed") == "false"
    assert len(opened.texts("#table tbody tr")) == KINDS * EACH - sizes[1]
    opened.all("#legend button")[1].click()
    assert opened.count("#map .gone") == 0


def test_other_numbers_of_clusters_and_colours(opened: Opened, page: Path, found: Clustering) -> None:
    opened.open(page)
    opened.choose("#partitions", "4 clusters")
    labels = found.details.neighbouring[4]
    assert len(opened.all("#legend button")) == 4
    for item in range(KINDS * EACH):
        assert all(f"k{labels[item]}" in said for said in opened.classes(item).values())
    assert opened.one("#elsewhere").is_displayed()
    opened.choose("#colours", "length")
    fills = opened.run(
        "return [...document.querySelectorAll('#map [data-i]')].map(e =>"
        " [+e.dataset.i, getComputedStyle(e.querySelector('circle') || e).fill])"
    )
    lengths = found.original.lengths
    colours = {(int(lengths[item]), fill) for item, fill in fills}
    assert len(colours) == len(set(lengths.tolist()))
    opened.choose("#maps", "MDS")
    assert opened.one("#map").get_attribute("aria-label").startswith("Map of the sequences by MDS")
    assert len(opened.all("#map .centres text")) == 4


def test_the_table_sorts_by_a_click(opened: Opened, page: Path, found: Clustering) -> None:
    opened.open(page)
    opened.run("document.getElementById('list').open = true")
    for step, expected in ((1, sorted(found.original.lengths)), (2, sorted(found.original.lengths)[::-1])):
        place = opened.texts("#table thead th").index("frames" + ("" if step == 1 else " ▴"))
        opened.tap(opened.all("#table thead button")[place])
        assert [int(text) for text in opened.texts(f"#table tbody td:nth-child({place + 1})")] == expected
    assert opened.one("#table thead [aria-sort]").get_attribute("aria-sort") == "descending"


def test_tables_and_figures_are_taken_away(opened: Opened, page: Path, downloads: Path) -> None:
    opened.open(page)
    for name in ("partition", "explanation"):
        opened.tap(opened.one(f"[data-table={name}]"))
        assert opened.saved(downloads, f"{name}.csv") == (page.parent / f"{name}.csv").read_bytes().decode("utf-8")
    assert not opened.one("[data-figure=numbers]").is_displayed()
    for name in ("map", "heat", "tree"):
        opened.tap(opened.one(f"[data-figure={name}]"))
        text = opened.saved(downloads, f"{name}.svg")
        assert text.startswith("<svg")
        opened.driver.get((downloads / f"{name}.svg").as_uri())
        assert opened.run("return document.documentElement.tagName") == "svg"
        if name == "map":
            fills = opened.run("return [...document.querySelectorAll('circle')].map(e => e.getAttribute('fill'))")
            assert len(set(fills)) == KINDS
        opened.open(page)


def test_corrected_labels_go_out_and_come_back(
    opened: Opened, page: Path, found: Clustering, data: Path, downloads: Path
) -> None:
    opened.open(page)
    opened.run("document.getElementById('correct').open = true")
    opened.write("#corrections input[data-cluster='0']", "warm, = or not")
    opened.choose("#corrections li:nth-child(3) select", "cluster 2")
    moved = int(found.details.typical(0)[0])
    opened.pick(moved)
    opened.choose("#move", "a new cluster")
    opened.run("document.getElementById('correct').open = true")
    opened.tap(opened.one("[data-table=labels]"))
    text = opened.saved(downloads, "labels.csv")
    expected = {
        name: "cluster 4" if item == moved else "warm, = or not" if k == 0 else "cluster 2"
        for item, (name, k) in enumerate(zip(ids(found), found.labels.tolist(), strict=True))
    }
    rows = list(csv.DictReader(io.StringIO(text)))
    assert {row["id"].removeprefix("'"): row["label"] for row in rows} == expected
    assert not any(row["id"].startswith("=") for row in rows)
    # Each change can be undone.
    for _ in range(3):
        opened.tap(opened.one("#undo"))
    assert not opened.one("#undo").is_enabled()
    assert [text.split(" (")[0][1:] for text in opened.texts("#legend button")] == [
        f"cluster {k + 1}" for k in range(KINDS)
    ]

    again = kinseq.cluster(data, KINDS, "dtw", n_resamples=3, labels=str(downloads / "labels.csv"))
    assert dict(zip(ids(again), again.sequences.labels.tolist(), strict=True)) == expected  # type: ignore[arg-type, union-attr]
    opened.open(again.report(downloads / "again"))
    assert f"{KINDS * EACH} sequences have a label; there are {KINDS} different labels." in opened.one("body").text
    score = again.scores["dtw"]["adjusted Rand index"]
    assert 0.0 < score < 1.0
    assert f"{score:.2f}" in opened.one("#scores").text
    opened.choose("#colours", "label")
    assert set(opened.texts("#key span")) == {"warm, = or not", "cluster 2", "cluster 4", ""}


@pytest.mark.parametrize("width", [1400, 390])
@pytest.mark.parametrize("dark", [False, True])
def test_nothing_leaves_the_window(opened: Opened, page: Path, width: int, dark: bool) -> None:
    opened.open(page, width, dark=dark)
    assert opened.run("return document.documentElement.scrollWidth") <= width
    ground = opened.run("return getComputedStyle(document.body).backgroundColor")
    light = int(ground.removeprefix("rgb(").split(",")[0]) > 128
    assert light != dark


def test_controls_have_names(opened: Opened, page: Path) -> None:
    opened.open(page)
    opened.pick(0)
    nameless = opened.run(
        "return [...document.querySelectorAll('button, input, select, [role=button], svg[role], audio')].filter(e =>"
        " !(e.getAttribute('aria-label') || e.textContent.trim() || (e.labels && e.labels.length && e.labels[0].textContent.trim())"
        " || e.closest('[aria-hidden]'))).map(e => e.outerHTML.slice(0, 80))"
    )
    assert nameless == []


def test_what_is_printed_has_no_controls(opened: Opened, page: Path) -> None:
    opened.open(page, medium="print")
    assert not opened.one("#search").is_displayed()
    assert not opened.one("#detail").is_displayed()
    assert opened.one("#map").is_displayed()


@pytest.mark.parametrize("width, screen", [(1400, 1000), (390, 844)])
def test_the_answer_begins_on_the_first_screen(opened: Opened, page: Path, width: int, screen: int) -> None:
    opened.open(page, width, screen)
    rows = opened.run(
        "return [...document.querySelectorAll('#answer .row')].map(e => e.getBoundingClientRect().bottom)"
    )
    assert len(rows) == KINDS
    assert max(rows) <= screen
    inks = opened.run("return [...document.querySelectorAll('#answer .own')].map(e => getComputedStyle(e).stroke)")
    assert len(set(inks)) == KINDS


def test_a_link_to_a_fold_opens_it(opened: Opened, page: Path) -> None:
    opened.open(page)
    for name in ("words", "settings"):
        assert not opened.run("return document.getElementById(arguments[0]).open", name)
        opened.tap(opened.one(f"a[href='#{name}']"))
        assert opened.run("return document.getElementById(arguments[0]).open", name)


@pytest.mark.parametrize("width", [1400, 390])
def test_controls_are_large_enough_to_hit(opened: Opened, page: Path, width: int) -> None:
    opened.open(page, width)
    opened.pick(0)
    small = opened.run(
        "return [...document.querySelectorAll('button, input, select, summary')].filter(e => e.offsetParent"
        " && e.getBoundingClientRect().height < 24).map(e => e.outerHTML.slice(0, 80))"
    )
    assert small == []
    names = opened.run("return [...document.querySelectorAll('svg[role]')].map(e => e.getAttribute('aria-label'))")
    assert all(len(name.split()) >= 4 for name in names if name), names
    assert opened.count("main") == 1


@pytest.fixture(scope="module")
def heard(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page on tones of two pitches."""
    folder, rate = tmp_path_factory.mktemp("heard") / "<b>tones #1", 16000
    folder.mkdir()
    rng = np.random.default_rng(8)
    for i in range(12):
        sound = np.sin(2 * np.pi * (300.0, 900.0)[i % 2] * (1 + 0.01 * i) * np.arange(4 * rate) / rate)
        soundfile.write(folder / f"a & {i:02d}.wav", 0.2 * sound + 0.001 * rng.normal(size=sound.size), rate)
    return kinseq.cluster(folder, 2, "mean_vector", n_resamples=2).report(tmp_path_factory.mktemp("page"))


def playing(page: Opened) -> list[int]:
    """Which of the players are heard: their time goes on."""
    moments = []
    for _ in range(2):
        moments.append(page.run("return [...document.querySelectorAll('audio')].map(e => e.currentTime)"))
        time.sleep(0.4)
    return [k for k, (before, after) in enumerate(zip(*moments, strict=True)) if after > before]


def heard_with(page: Opened, k: int) -> list[int]:
    """Which players are heard once one of them is."""
    end = time.monotonic() + PATIENCE
    while k not in playing(page):
        assert time.monotonic() < end, f"player {k} is not heard"
    # Again, since another one may have been stopped in the meantime.
    return playing(page)


def press_play(page: Opened, player: Any) -> None:
    """Press the button of a player, at its left end."""
    from selenium.webdriver.common.action_chains import ActionChains

    page.run("arguments[0].scrollIntoView({block: 'center'})", player)
    width = player.size["width"]
    ActionChains(page.driver).move_to_element_with_offset(player, 18 - width // 2, 0).click().perform()


def test_recordings_are_heard_one_at_a_time(opened: Opened, heard: Path) -> None:
    opened.open(heard)
    players = opened.all(".examples audio")
    assert len(players) == 8
    assert playing(opened) == []
    for k in (0, 5):
        press_play(opened, players[k])
        assert heard_with(opened, k) == [k]
        assert [opened.run("return arguments[0].paused", player) for player in players].count(False) == 1
    seconds = opened.run("return arguments[0].duration", players[5])
    assert seconds == pytest.approx(4.0, abs=0.2)
    # For a tapped dot, the one next to its course.
    opened.pick(3)
    press_play(opened, opened.one("#detail audio"))
    assert heard_with(opened, 0) == [0]
    assert opened.one("#detail audio").get_attribute("aria-label") == selected(opened)


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page on one cluster, of levels without a gap."""
    rng = np.random.default_rng(6)
    tables = {
        f"<i>{i:02d}": pd.DataFrame(rng.normal(size=(30, 1)) + 2.0 * rng.normal(), columns=["temp [C]"])
        for i in range(20)
    }
    tables["<i>03"] += 30.0
    return kinseq.cluster(tables, 1, "dtw", n_resamples=2).report(tmp_path_factory.mktemp("alone"))


def test_one_cluster_has_outliers_to_tap_and_colours_by_what_varies(opened: Opened, alone: Path) -> None:
    opened.open(alone)
    opened.run("document.getElementById('further').open = true")
    button = opened.one("[data-select]")
    opened.tap(button)
    assert selected(opened) == button.text
    opened.choose("#colours", "level of temp [C]")
    fills = opened.run("return [...document.querySelectorAll('#map circle')].map(e => getComputedStyle(e).fill)")
    assert len(set(fills)) > 12
    assert opened.one("#key .ramp").is_displayed()


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page on two samples, of which one column differs."""
    rng = np.random.default_rng(7)
    x, y = (pd.DataFrame(rng.normal(size=(60, 2)), columns=["<b>temp [C]", "flow"]) for _ in range(2))
    y["<b>temp [C]"] += 2.0
    return kinseq.compare(x, y).report(tmp_path_factory.mktemp("compared"))


@pytest.fixture(scope="module")
def placed(found: Clustering, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page on new sequences: one like each kind, and one that is far from all."""
    rng = np.random.default_rng(8)
    tables = {
        f"<b>{name}": pd.DataFrame(rng.normal(size=(30, 2)) + level, columns=["temp [C]", "flow"])
        for name, level in zip(["low", "middle", "high", "far"], [0.0, 9.0, 18.0, 90.0], strict=True)
    }
    return found.place(tables).report(tmp_path_factory.mktemp("placed"))


@pytest.mark.parametrize("width", [1400, 390])
@pytest.mark.parametrize("dark", [False, True])
def test_other_pages_fit_too(opened: Opened, alone: Path, compared: Path, placed: Path, width: int, dark: bool) -> None:
    for page in (alone, compared, placed):
        opened.open(page, width, dark=dark)
        assert opened.run("return document.documentElement.scrollWidth") <= width


@pytest.fixture(scope="module")
def symbols(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rng = np.random.default_rng(2)
    days = [rng.choice(["home", "out"] if i % 2 else ["work", "shop", "out"], size=24).tolist() for i in range(24)]
    result = kinseq.cluster(days, 2, n_resamples=3)
    return result.report(tmp_path_factory.mktemp("symbols"))


@pytest.fixture(scope="module")
def by_leaves() -> Clustering:
    """Two groups, of which one falls into two; the clusters are the leaves."""
    rng = np.random.default_rng(0)
    tables = [pd.DataFrame({"x": level + 0.1 * rng.normal(size=30)}) for level in np.repeat([0.0, 0.8, 12.0], 14)]
    return replace(kinseq.cluster(tables, 2, n_resamples=3), _by_leaves=True)


@pytest.fixture(scope="module")
def divided(by_leaves: Clustering, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return by_leaves.report(tmp_path_factory.mktemp("divided"))


def test_leaves_have_numbers_and_colours_until_something_else_is_chosen(opened: Opened, divided: Path) -> None:
    opened.open(divided)
    numbers = opened.texts("#answer .who .dot")
    assert numbers == ["1.1", "1.2", "2"]
    assert sorted(opened.texts("#map .centres text")) == sorted(opened.texts("#heat .centres text")) == numbers
    assert set(numbers) <= set(opened.texts("#legend .dot"))
    ground = "return getComputedStyle(document.querySelectorAll('#answer .who .dot')[arguments[0]]).backgroundColor"
    dots = (
        "return [...new Set([...document.querySelectorAll(arguments[0] + ' [data-i]')]"
        ".map(e => getComputedStyle(e).fill))].sort()"
    )
    for figure in ("#map", "#heat", "#tree"):
        assert opened.run(dots, figure) == sorted(opened.run(ground, k) for k in range(3))
    opened.choose("#partitions", "2 clusters, the first division")
    assert sorted(opened.texts("#map .centres text")) == ["1", "2"]
    colours = opened.run(dots, "#map")
    assert len(colours) == 2
    # Group 2 is not divided, and keeps its colour; those within group 1 have tints of its colour.
    assert [opened.run(ground, k) in colours for k in range(3)] == [False, False, True]
    opened.choose("#colours", "membership")
    assert "".join(opened.texts("#map .centres text")) == ""


@pytest.fixture(scope="module")
def placed_in_leaves(by_leaves: Clustering, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page on new sequences, one of each leaf."""
    noise = 0.1 * np.random.default_rng(3).normal(size=30)
    tables = {f"new {level:g}": pd.DataFrame({"x": level + noise}) for level in (0.0, 0.8, 12.0)}
    return by_leaves.place(tables).report(tmp_path_factory.mktemp("placed_in_leaves"))


def test_new_sequences_have_numbers_and_colours_of_the_leaves(
    opened: Opened, divided: Path, placed_in_leaves: Path
) -> None:
    colours = (
        "return Object.fromEntries([...document.querySelectorAll('#answer .who .dot')]"
        ".map(e => [e.textContent, getComputedStyle(e).backgroundColor]))"
    )
    opened.open(divided)
    wanted = opened.run(colours)
    opened.open(placed_in_leaves)
    assert opened.run(colours) == wanted
    assert len(set(wanted.values())) == 3


@pytest.mark.parametrize("width", [1400, 820, 390])
@pytest.mark.parametrize(
    "kind", ["page", "heard", "alone", "compared", "placed", "symbols", "divided", "placed_in_leaves"]
)
def test_pages_break_no_rule_of_accessibility(
    opened: Opened, request: pytest.FixtureRequest, kind: str, width: int
) -> None:
    axe_core_python = pytest.importorskip("axe_core_python")
    opened.open(request.getfixturevalue(kind), width)
    opened.run("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    opened.run((Path(axe_core_python.__file__).parent / "axe.min.js").read_text("utf-8"))
    found = opened.driver.execute_async_script(
        "axe.run({resultTypes: ['violations']}).then(arguments[arguments.length - 1])"
    )
    said = [
        (rule["id"], rule["impact"], len(rule["nodes"]), rule["nodes"][0]["html"][:160]) for rule in found["violations"]
    ]
    assert said == []


def test_a_tap_on_a_phone_shows_its_answer_in_sight(opened: Opened, page: Path) -> None:
    opened.open(page, 390, 844)
    assert not opened.one("#detail").is_displayed()
    dot = opened.one("#map [data-i='4']")
    opened.run("arguments[0].scrollIntoView({block: 'center'})", dot)
    opened.pick(4)
    box = opened.run("const b = document.getElementById('detail').getBoundingClientRect(); return [b.top, b.bottom]")
    assert 844 / 2 < box[0] < box[1] <= 844
    assert opened.run("return arguments[0].getBoundingClientRect().top < arguments[1]", dot, box[0])
    opened.tap(opened.one("#detail .close"))
    assert not opened.one("#detail").is_displayed()


def test_a_comparison_shows_the_column_that_differs(opened: Opened, compared: Path) -> None:
    opened.open(compared)
    # Differences come first, followed by equal columns.
    assert opened.texts("#answer .who b") == ["<b>temp [C]", "flow"]
    assert opened.one(".verdict").text.startswith("In B, <b>temp [C] higher by ")
    assert opened.one(".verdict").text.endswith("; flow: no difference seen.")
    rows = opened.all("#answer .row")
    assert "<b>temp [C]: higher in B (median " in rows[0].text
    assert "no difference seen" in rows[1].text
    boxes = opened.run("return [...document.querySelectorAll('#answer .box')].map(e => getComputedStyle(e).stroke)")
    assert len(boxes) == 4
    assert len(set(boxes)) == 2
    # The interval of a difference excludes the line of no difference; the other one crosses it.
    ends = opened.run(
        "return [...document.querySelectorAll('#answer .panel:nth-child(2) svg')].map(e => [e.querySelector('.own').getBBox(),"
        " e.querySelector('.other').getBBox()].map(b => [b.x, b.x + b.width]))"
    )
    (own, zero), (flow, _) = ends
    assert own[0] > zero[0]
    assert flow[0] < zero[0] < flow[1]
    opened.one("summary").click()
    assert "level" in opened.one("details table").text


@pytest.mark.parametrize("dark", [False, True])
def test_tables_and_figures_of_a_comparison_are_taken_away(
    opened: Opened, compared: Path, downloads: Path, dark: bool
) -> None:
    opened.open(compared, dark=dark)
    for name in ("comparison", "columns"):
        opened.tap(opened.one(f"[data-table={name}]"))
        assert opened.saved(downloads, f"{name}.csv") == (compared.parent / f"{name}.csv").read_bytes().decode("utf-8")
    for name, kind in (("column-1", "path"), ("column-2", "path")):
        opened.run("document.querySelectorAll('details').forEach(one => { one.open = true; })")
        opened.tap(opened.one(f"[data-figure={name}]"))
        assert opened.saved(downloads, f"{name}.svg").startswith("<svg")
        opened.driver.get((downloads / f"{name}.svg").as_uri())
        assert opened.run("return document.querySelectorAll(arguments[0]).length", kind) > 1
        ground = opened.run("return getComputedStyle(document.documentElement).backgroundColor")
        assert (int(ground.removeprefix("rgb(").split(",")[0]) > 128) != dark
        opened.open(compared, dark=dark)
