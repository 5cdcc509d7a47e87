"""The page on own data: what its templates and its script are given, and that both are in the package."""

from __future__ import annotations

import ast
import base64
import fnmatch
import html
import json
import re
import tomllib
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import get_args

import numpy as np
import pandas as pd
import pytest

import kinseq
from kinseq.analysis.verdict import Degree, Verdict
from kinseq.core.clock import unit_of
from kinseq.features.column_names import titled
from kinseq.options import COMMANDS
from kinseq.report import assignment_page, data, drawing, glossary, sections
from kinseq.report.content import PALETTE, on
from kinseq.report.groups import answer, has_no_course, shortened
from kinseq.report.page import to_html
from kinseq.report.panels import WIDTH, Panel, strip, ticks
from kinseq.report.thumbnails import Thumbnails
from kinseq.report.writing import content_of
from tests.sentences import Recorded

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "src" / "kinseq" / "report"
KINDS, EACH = 3, 6


def levels(**settings: object) -> kinseq.api.Clustering:
    """Some levels, two columns, lengths that differ; ids that try to leave the page."""
    rng = np.random.default_rng(5)
    tables = {
        f"</script><b>{i}": pd.DataFrame(
            rng.normal(size=(20 + i % 4, 2)) + 9.0 * (i % KINDS), columns=["temp [C]", "flow"]
        )
        for i in range(KINDS * EACH)
    }
    return kinseq.cluster(tables, KINDS, "dtw", n_resamples=2, **settings)  # type: ignore[arg-type, return-value]


@pytest.fixture(scope="module")
def found() -> kinseq.api.Clustering:
    return levels()


def script_data(page: str) -> dict[str, object]:
    """Data read by the script of a page."""
    (text,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    return dict(json.loads(text))


def test_no_module_of_the_page_writes_markup() -> None:
    for path in PAGE.glob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
        said = {ast.get_docstring(node, clean=False) for node in ast.walk(tree) if isinstance(node, documented)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value not in said:
                assert not re.search(r"</?[a-z]+[ >]", node.value), f"{path.name}, line {node.lineno}: {node.value!r}"


def test_templates_style_and_script_are_in_the_package() -> None:
    patterns = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"][
        "package-data"
    ]
    for path in PAGE.iterdir():
        if path.is_file() and path.suffix != ".py":
            relative = path.relative_to(PAGE.parent).as_posix()
            assert any(fnmatch.fnmatch(relative, pattern) for pattern in patterns["kinseq"]), relative


def test_the_script_is_given_what_was_found(found: kinseq.api.Clustering) -> None:
    page = to_html(content_of(found))
    given = script_data(page)
    assert given["ids"] == found.sequences.ids.tolist()
    assert "</script><b>" not in page
    assert given["partitions"][0] == {"name": "3 clusters, as requested", "labels": found.labels.tolist()}  # type: ignore[index]
    assert given["neighbours"] == found.details.neighbours(5).tolist()
    np.testing.assert_allclose(given["memberships"], found.membership_, atol=5e-5)  # type: ignore[arg-type]
    assert sorted(given["order"]) == list(range(KINDS * EACH))  # type: ignore[type-var, arg-type]
    assert given["curves"][0][:2] == ["temp", "C"]  # type: ignore[index]
    assert given["curves"][1][:2] == ["flow", ""]  # type: ignore[index]


def test_further_columns_of_the_labels_can_be_coloured_by(tmp_path: Path) -> None:
    rows = ["id,label,site,length"]
    for i in range(8):
        values = np.random.default_rng(i).normal(size=(20, 1)) + 9.0 * (i % 2)
        pd.DataFrame(values, columns=["x"]).to_csv(tmp_path / f"{i}.csv", index=False)
        rows.append(f"{i},{'ab'[i % 2]},<i>{'north' if i > 3 else 'south'},{i}")
    (tmp_path / "labels.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    page = to_html(content_of(kinseq.cluster(tmp_path, 2, "mean_vector", n_resamples=2)))  # type: ignore[arg-type]
    given = script_data(page)
    # A name that the page uses itself is distinguished.
    assert given["columns"] == {
        "site": ["<i>south"] * 4 + ["<i>north"] * 4,
        "length (labels.csv)": [str(i) for i in range(8)],
    }
    assert "<i>north" not in page


def test_numbers_beside_the_given_one_are_there_to_switch_to(found: kinseq.api.Clustering) -> None:
    assert sorted(found.details.neighbouring) == [2, 4]
    for number, labels in found.details.neighbouring.items():
        np.testing.assert_array_equal(labels, kinseq.cluster(found.original, number, "dtw", n_resamples=2).labels)
    names = [name for name, _ in data.partitions(content_of(found))]
    assert names[0] == "3 clusters, as requested"
    assert {"2 clusters, one fewer", "4 clusters, one more"} <= set(names)
    mcl = kinseq.cluster(found.original, None, "dtw", clusterer="mcl", n_resamples=2)
    assert mcl.details.neighbouring == {}


def test_the_page_names_what_was_compared(found: kinseq.api.Clustering, recorded: Recorded) -> None:
    recorded.within(to_html(content_of(found)))


def test_places_keep_the_shape_of_a_map() -> None:
    points = np.random.default_rng(1).normal(size=(30, 2)) * (5.0, 1.0)
    for width in (drawing.SIZE, drawing.WIDE):
        drawn = drawing.places(points, width)
        assert drawn.min() >= drawing.EDGE - 1e-9
        assert (drawn <= np.array([width, drawing.SIZE]) - drawing.EDGE + 1e-9).all()
        scale = np.ptp(drawn, axis=0) / np.ptp(points, axis=0)
        np.testing.assert_allclose(scale[0], scale[1])
    assert np.isfinite(drawing.places(np.zeros((3, 2)))).all()


def test_dots_are_where_they_are_and_numbers_in_their_middle(found: kinseq.api.Clustering) -> None:
    content = content_of(found)
    method, points = next(iter(content.maps.items()))
    shown = drawing.interactive_map(content, method, points)
    np.testing.assert_allclose([[dot.x, dot.y] for dot in shown.dots], drawing.places(points))
    for number, x, y in shown.centres:
        own = np.array([[dot.x, dot.y] for dot in shown.dots if dot.cluster == int(number) - 1])
        # Next to dots that it would hide, over them if they are far apart.
        away = np.median(own, axis=0) - (x, y)
        assert away[0] == pytest.approx(0.0)
        assert abs(away[1]) == pytest.approx(drawing.NUMBER if np.ptp(own, axis=0).max() < 2 * drawing.NUMBER else 0.0)


def test_a_heat_map_has_a_pixel_for_each_pair(found: kinseq.api.Clustering) -> None:
    from io import BytesIO

    from PIL import Image

    content = content_of(found)
    heat = drawing.heatmap(content)
    image = np.asarray(Image.open(BytesIO(base64.b64decode(heat.image.partition(",")[2]))))
    square = found.distance[np.ix_(content.order, content.order)]
    np.testing.assert_array_equal(image, np.round((drawing.N_SHADES - 1) * np.clip(square / heat.high, 0, 1)))
    assert heat.borders == [EACH, 2 * EACH]
    # Its strip names the group of each row.
    of_rows = [run.number for run in heat.runs for _ in range(run.begin, run.end)]
    assert of_rows == [str(k + 1) for k in found.labels[content.order]]


def test_a_dendrogram_has_a_branch_for_each_merge(found: kinseq.api.Clustering) -> None:
    tree = drawing.dendrogram(content_of(found))
    assert tree is not None
    assert sum(path.count("M") for path in tree.branches.values()) == KINDS * EACH - 1
    # Branches that join clusters have no colour.
    assert tree.branches["out"].count("M") == KINDS - 1


def test_heat_map_and_dendrogram_have_one_order(found: kinseq.api.Clustering) -> None:
    content = content_of(found)
    tree = drawing.dendrogram(content)
    assert tree is not None
    assert content.tree is not None
    # Two that join first are next to each other in it, and their branch has the colour of their cluster.
    left, right = content.tree.merges[0, :2].astype(int)
    places = np.argsort(content.tree.leaves)
    assert abs(int(places[left]) - int(places[right])) == 1
    x = [
        (places[side] + 0.5) * tree.width / len(content.order) for side in sorted((left, right), key=places.__getitem__)
    ]
    look = f"k{found.labels[content.order[places[left]]]}"
    assert tree.branches[look].startswith(f"M{x[0]:.1f} ")
    assert f"H{x[1]:.1f}V" in tree.branches[look]


@pytest.mark.parametrize(
    "header, name, unit",
    [
        ("temp [C]", "temp", "C"),
        ("flow (l/min)", "flow", "l/min"),
        ("rpm", "rpm", ""),
        ("a_[V]", "a", "V"),
        ("[C]", "[C]", ""),
    ],
)
def test_units_are_taken_from_headers(header: str, name: str, unit: str) -> None:
    assert unit_of(header) == (name, unit)


def test_small_figures_have_the_scale_of_all_and_the_units_given(found: kinseq.api.Clustering) -> None:
    thumbnails = Thumbnails(content_of(found))
    lengths = found.original.lengths
    assert thumbnails.longest == lengths.max()
    assert thumbnails.time(0) == f"{lengths[0]} frames"
    low, high = (float(getattr(thumbnails.columns[0], end)) for end in ("low", "high"))
    assert low == pytest.approx(found.original.values[:, 0].min(), abs=1.0)
    assert high == pytest.approx(found.original.values[:, 0].max(), abs=1.0)
    packed = np.frombuffer(base64.b64decode(thumbnails.packed(3)), dtype=np.uint8).reshape(2, -1)
    units = (found.original[3] - thumbnails._low) / (thumbnails._high - thumbnails._low)
    np.testing.assert_allclose(packed.T / 255, np.clip(units, 0, 1), atol=0.003)


def test_what_the_page_refers_to_stands_on_it(found: kinseq.api.Clustering) -> None:
    page = html.unescape(to_html(content_of(found)))
    assert set(glossary.FIRST) == set(get_args(Degree)) - {"borderline"}
    assert glossary.FIRST["clear"].meaning in page
    for word, meaning in glossary.WORDS.items():
        assert f"<dt><b>{word}</b></dt><dd>{meaning}</dd>" in page, word
    typed = [setting.typed for setting in glossary.settings()]
    assert set(typed) == {name for name in COMMANDS["cluster"].options if name.startswith("-")}
    for setting in glossary.settings():
        text = "".join(setting.pieces)
        assert "](" not in text, setting.typed
        assert "docs/" not in text, setting.typed
        assert f"<dt><code>{setting.typed}</code></dt>" in page
    anchors = set(re.findall(r' id="([^"]+)"', page))
    assert set(re.findall(r'<a href="#([^"]+)"', page)) <= anchors


def test_the_first_sentence_has_the_colour_of_what_it_is_worth() -> None:
    assert set(sections.COLOURS) <= set(get_args(Degree))
    for degree in get_args(Degree):
        assert (sections.COLOURS.get(degree) == "good") == Verdict("", degree).is_sure


def test_a_wish_that_was_followed_is_not_explained() -> None:
    rng = np.random.default_rng(0)
    alone = kinseq.cluster([rng.normal(size=(20, 1)) for _ in range(6)], 1, "dtw", n_resamples=2)
    assert glossary.meaning(content_of(alone)) == ""


def test_words_of_the_page_are_those_of_the_glossary() -> None:
    text = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    for word, meaning in glossary.WORDS.items():
        entry = re.search(rf"^{re.escape(word)}\n((?:  .*\n)+)", text, re.MULTILINE)
        assert entry is not None, word
        assert " ".join(entry[1].split()) == meaning, word


def test_sequences_without_a_course_in_common_are_shown_by_an_example(recorded: Recorded) -> None:
    rng, time = np.random.default_rng(0), np.arange(50)
    waves = np.sin(2 * np.pi * (time / 12 + rng.uniform(size=(20, 1))))
    together = np.sin(2 * np.pi * time / 12) + 0.2 * rng.normal(size=(20, 50))
    assert has_no_course(waves)
    assert not has_no_course(together)
    fast = np.sin(2 * np.pi * (time / 5 + rng.uniform(size=(20, 1)))) + 0.1 * rng.normal(size=(20, 50))
    assert has_no_course(fast)
    # Noise about a level is no course either, but its median says where the level is.
    assert not has_no_course(3.0 + rng.normal(size=(20, 50)))
    assert not has_no_course(np.ones((5, 50)))
    assert not has_no_course(waves[:1])
    tables = [pd.DataFrame({"load": np.sin(2 * np.pi * (time / (8 + 9 * (i % 2)) + rng.uniform()))}) for i in range(16)]
    page = to_html(content_of(kinseq.cluster(tables, 2, "spectrum", n_resamples=2)))  # type: ignore[arg-type]
    recorded.within(page)


def path(panel: Panel, look: str) -> str:
    """The one path of some look."""
    (found,) = (layer.path for layer in panel.layers if layer.look == look)
    return found


def test_the_answer_has_a_row_for_each_group_and_one_scale_for_each_column(found: kinseq.api.Clustering) -> None:
    content = content_of(found)
    shown = answer(content, Thumbnails(content))
    assert shown is not None
    assert [row.number for row in shown.rows] == ["1", "2", "3"]
    assert [row.size for row in shown.rows] == [EACH] * KINDS
    assert all([panel.title for panel in row.panels] == ["temp [C]", "flow"] for row in shown.rows)
    for column in range(2):
        panels = [row.panels[column] for row in shown.rows]
        # The scale is the same in all rows, and the median of a group is the grey line of the others.
        assert all(panel.ticks == panels[0].ticks for panel in panels)
        for k, panel in enumerate(panels):
            assert f"of group {k + 1}," in panel.name
            assert path(panel, "members").count("M") == EACH
            others = [layer.path for layer in panel.layers if layer.look == "other"]
            assert others == [path(other, "own") for j, other in enumerate(panels) if j != k]
            assert {label.text for label in panel.labels} == {str(j + 1) for j in range(KINDS) if j != k}
        # A path is its first point and the steps to the next ones.
        numbers = [np.array(re.findall(r"-?\d+", path(panel, "own")), dtype=float) for panel in panels]
        points = [one.reshape(-1, 2).cumsum(axis=0) for one in numbers]
        assert all(np.array_equal(one[[0, -1], 0], [0, WIDTH]) for one in points)
        heights = [one[:, 1].mean() for one in points]
        means = [found.original[int(np.flatnonzero(found.labels == k)[0])][:, column].mean() for k in range(KINDS)]
        assert np.argsort(heights).tolist() == np.argsort(means)[::-1].tolist()


def test_ticks_stand_at_their_values() -> None:
    low, high = -1.3, 9.7
    for at, text in ticks(low, high):
        assert low + (high - low) * at / 100.0 == pytest.approx(float(text.replace("−", "-")))


@pytest.mark.parametrize(
    "name, unit",
    [
        ("temperature_c", "°C"),
        ("pressure_bar", "bar"),
        ("time_ms", "ms"),
        ("temp [C]", "C"),
        ("c", ""),
        ("energy (loudness)", ""),
        ("_c", ""),
        ("rpm", ""),
    ],
)
def test_units_are_taken_from_the_end_of_names(name: str, unit: str) -> None:
    assert titled(name)[1] == unit


def test_sentences_have_units_behind_numbers_and_names_without_them() -> None:
    rng = np.random.default_rng(1)
    tables = [
        pd.DataFrame({"oil_c": rng.normal(40.0 + 9.0 * (i % 2), 1.0, 30), "flow [l/min]": rng.normal(size=30)})
        for i in range(16)
    ]
    found = kinseq.cluster(tables, 2, "mean_vector", n_resamples=2)
    assert re.search(r"8 with oil about 4\d °C; 8 about 4\d °C$", found.verdict)  # type: ignore[union-attr]
    first = found.explain().iloc[0]  # type: ignore[union-attr]
    assert re.match(r"(higher|lower) level of oil \([\d.]+ against [\d.]+ °C\)", first["sentence"])
    assert (first["column"], first["unit"]) == ("oil_c", "°C")
    # Names that differ in their units keep them.
    both = [table.assign(oil_k=table["oil_c"] + 273.0) for table in tables]
    assert "level of oil_c (" in str(
        kinseq.cluster(both, 2, "mean_vector", n_resamples=2).explain()["sentence"].tolist()
    )  # type: ignore[union-attr]


def test_what_all_names_share_is_written_once() -> None:
    assert shortened(["a_01_mg", "a_02_mg", "a_12_mg"]) == (["01", "02", "12"], "a_…_mg")
    assert shortened(["flow", "force"]) == (["flow", "force"], "")
    assert shortened(["x_1", "x_1_2"]) == (["1", "1_2"], "x_…")


def test_many_columns_are_a_table_in_which_what_differs_is_framed() -> None:
    rng = np.random.default_rng(4)
    tables = [
        pd.DataFrame(
            rng.normal(size=(30, 6)) + 8.0 * (i % 2) * (np.arange(6) == 4), columns=[f"v_{j}" for j in range(6)]
        )
        for i in range(12)
    ]
    content = content_of(kinseq.cluster(tables, 2, "mean_vector", n_resamples=2))  # type: ignore[arg-type]
    shown = answer(content, Thumbnails(content))
    assert shown is not None
    assert list(shown.columns) == list("012345")
    assert [[cell.tells for cell in line].index(True) for line in shown.deviations] == [4, 4]
    high, low = sorted((float(line[4].text.replace("−", "-")) for line in shown.deviations), reverse=True)
    assert high == pytest.approx(1.0, abs=0.05)
    assert low == pytest.approx(-1.0, abs=0.05)


def test_a_page_on_one_group_says_its_statement_once() -> None:
    rng = np.random.default_rng(2)
    tables = [pd.DataFrame(rng.normal(size=(30, 2)), columns=["x", "y"]) for _ in range(24)]
    page = to_html(content_of(kinseq.cluster(tables, n_resamples=2)))  # type: ignore[arg-type]
    assert "no groups found" in page.lower()
    assert "Before you believe it" not in page
    assert "Dark blocks" not in page
    assert "typical of them" not in page


def test_leaves_of_the_tree_have_one_number_and_colour_everywhere() -> None:
    rng = np.random.default_rng(0)
    # Two levels far apart, of which the lower one is of two.
    levels = np.repeat([0.0, 0.8, 12.0], 14)
    tables = [pd.DataFrame({"x": level + 0.1 * rng.normal(size=30)}) for level in levels]
    result = replace(kinseq.cluster(tables, 2, n_resamples=2), _by_leaves=True)
    content = content_of(result)
    assert [number for number, _, _ in content.groups] == ["1.1", "1.2", "2"]
    shown = answer(content, Thumbnails(content))
    assert shown is not None
    # Groups within a group have tints of its colour.
    looks = [f"k{len(PALETTE)}", f"k{len(PALETTE) + 1}", "k1"]
    assert [(row.number, row.look) for row in shown.rows] == list(zip(["1.1", "1.2", "2"], looks, strict=True))
    assert len({look.ink for look in content.looks} | set(PALETTE)) == len(PALETTE) + 2
    heat, mapped = drawing.heatmap(content), drawing.interactive_map(content, "MDS", content.maps["MDS"])
    assert [run.number for run in heat.runs] == ["1.1", "1.2", "2"]
    assert sorted(centre.number for centre in mapped.centres) == ["1.1", "1.2", "2"]
    for dot in mapped.dots:
        assert (dot.cluster, dot.look) == (result.labels[dot.item], looks[result.labels[dot.item]])
    grown = drawing.dendrogram(content)
    assert grown is not None
    # Inside of each leaf, between the leaves of the first group, and at the top.
    assert {look: path.count("M") for look, path in grown.branches.items()} == {
        **dict.fromkeys(looks, 13),
        "k0": 1,
        "out": 1,
    }
    for _, _, members in content.groups:
        assert len(set(levels[members])) == 1
    given = script_data(to_html(content))
    first, division = given["partitions"][:2]  # type: ignore[index]
    assert first["labels"] == result.labels.tolist()
    assert division["name"].startswith("2 clusters, the first division: ")
    assert division["labels"] == result.level(1).tolist()


def test_new_sequences_have_the_numbers_and_tints_of_the_page() -> None:
    rng = np.random.default_rng(0)
    levels = np.repeat([0.0, 0.8, 12.0], 14)
    tables = [pd.DataFrame({"x": level + 0.1 * rng.normal(size=30)}) for level in levels]
    result = replace(kinseq.cluster(tables, 2, n_resamples=2), _by_leaves=True)
    new = {name: tables[i] for name, i in (("a", 0), ("b", 14), ("c", 28), ("d", 29))}
    placed = result.place(new)
    page, looks = assignment_page.to_html(placed), content_of(result).looks
    numbers = dict(re.findall(r'<b class="id">(\w)</b><br><span class="dot">([\d.]+)<', page))
    kinds = dict(zip(placed.ids.tolist(), placed.labels.tolist(), strict=True))
    assert numbers == {name: looks[k].number for name, k in kinds.items()}
    assert sorted(set(numbers.values())) == ["1.1", "1.2", "2"]
    found = re.findall(r'<div class="row (k\d+)"><div class="who"><b class="id">(\w)', page)
    assert {name: style for style, name in found} == {name: looks[k].style for name, k in kinds.items()}
    for look in looks:
        assert f".{look.style}{{--ink:{look.ink};" in page
        assert f"in cluster {look.number}" in page
    # The tables count clusters from 1; the page gives both numbers.
    assert '<th class="num">in the tables</th>' in page
    for k, look in enumerate(looks):
        assert re.search(
            rf'<span class="dot {look.style}">{re.escape(look.number)}</span>.*?"in the tables: ">{k + 1}<', page
        )
    written = [line.split(",")[1] for line in assignment_page.partition_csv(placed).splitlines()[1:]]
    assert written == [str(k + 1) for k in placed.labels]


def test_small_figures_of_symbols_have_the_colours_of_the_states() -> None:
    from io import BytesIO

    from matplotlib.colors import to_hex
    from PIL import Image

    days = [["home"] * 5 + ["work"] * 7] * 4 + [["work"] * 3 + ["home"] * 9] * 4
    content = content_of(kinseq.cluster(days, 2, n_resamples=2))  # type: ignore[arg-type]
    legend = {state.name: state.colour for state in answer(content, Thumbnails(content)).legend}  # type: ignore[union-attr]
    image = Image.open(BytesIO(base64.b64decode(Thumbnails(content).packed(4))))
    row = np.asarray(image)[0] / 255.0
    assert [to_hex(ink) for ink in row] == [legend[name].lower() for name in days[4]]
    assert "state: 0 to" not in to_html(content)


def test_data_without_groups_are_dots_next_to_the_data() -> None:
    shown = strip("", 4.0, np.array([0.0, 1.0, 1.0]), "these data")
    assert path(shown, "members").count("M") == 3
    # The line marks its value on the axis of the dots.
    at, (label,) = {tick.text: tick.at for tick in shown.ticks}, shown.labels
    assert at["4"] == pytest.approx(label.at)
    assert path(shown, "own") == f"M{2 * label.at:.1f} 18V100"


def test_ids_are_unique(found: kinseq.api.Clustering) -> None:
    page = to_html(content_of(levels(labels=["a", "b"] * (KINDS * EACH // 2))))
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))


def test_text_on_colours_can_be_read() -> None:
    def light(ink: str) -> float:
        if len(ink) == 4:
            return {"#fff": 1.0, "#000": 0.0}[ink]
        parts = [int(ink[at : at + 2], 16) / 255.0 for at in (1, 3, 5)]
        red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    for ink in PALETTE:
        low, high = sorted((light(ink), light(on(ink))))
        assert (high + 0.05) / (low + 0.05) >= 4.5, ink


def test_a_group_is_numbered_once_in_the_strip_of_the_heat_map() -> None:
    """Where the order of the tree takes a group apart, its longest run has the number."""
    groups = [("1", "k0", np.array([0, 1, 3, 4, 5])), ("2", "k1", np.array([2]))]
    content = SimpleNamespace(group_of=np.array([0, 0, 1, 0, 0, 0]), groups=groups)
    runs = drawing._runs(content, np.arange(6))  # type: ignore[arg-type]
    assert [(run.begin, run.end, run.number) for run in runs] == [(0, 2, ""), (2, 3, "2"), (3, 6, "1")]


def test_what_names_have_in_common_is_said_once() -> None:
    """Of many columns, the names are shortened; of few, they are written in full."""
    many, few = [f"sensor_{k}_mg" for k in range(6)], ["sensor_0_mg", "sensor_1_mg"]
    said = [sections._columns(SimpleNamespace(provenance={"columns": names})) for names in (many, few)]
    assert said[0].count("sensor") == 1
    assert said[0].startswith(" (sensor_…_mg: 0, 1")
    assert said[1].count("sensor") == 2


def test_new_sequences_that_fit_share_one_scale() -> None:
    """Axes of a column agree between clusters; a sequence that fits nowhere has its own."""
    bands = np.stack([np.full((3, 1, 5), level) for level in (0.0, 10.0)])
    placed = SimpleNamespace(
        times=np.array([1.0, 1.0, 9.0]),
        bands=bands,
        curves=np.stack([np.full((1, 5), level) for level in (1.0, 9.0, 900.0)]),
        columns=np.array(["flow"]),
        ids=np.array(["a", "b", "c"]),
        numbers=np.array(["1", "2"]),
    )
    first, second, far = (assignment_page._course(placed, i, k, 0) for i, k in ((0, 0), (1, 1), (2, 1)))
    assert first.ticks == second.ticks != far.ticks
    assert first.layers[-1].path.split()[1] == second.layers[-1].path.split()[1].replace("10", "90")


def test_what_was_compared_stands_next_to_how_sure_it_is(found: kinseq.api.Clustering) -> None:
    """Both are in one frame, which ends before the map; no markup is written out as text."""
    page = to_html(content_of(found._judged), Path("page.html"))
    frame = page.partition('<div class="two">')[2].partition("<section>")[0]
    assert frame.count("<div>") + 1 == frame.count("</div>") == 3
    assert "&lt;/div" not in page


def test_what_fits_no_group_stands_alone_in_the_tree() -> None:
    rng = np.random.default_rng(1)
    tables = [pd.DataFrame({"x": level + 0.1 * rng.normal(size=20)}) for level in np.repeat([0.0, 9.0], 6)]
    result = kinseq.cluster(tables, 2, "dtw", n_resamples=2)
    alone = int(np.flatnonzero(result.labels == 0)[2])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(result.details), "scattered", np.array([alone]))
        content = content_of(result)
        heat, grown = drawing.heatmap(content), drawing.dendrogram(content)
    assert sorted((run.look, run.end - run.begin) for run in heat.runs) == [("k0", 5), ("k1", 6), ("out", 1)]
    assert grown is not None
    assert {look: path.count("M") for look, path in grown.branches.items()} == {"k0": 4, "k1": 5, "out": 2}
