"""Two files or folders in, an answer out: ``kinseq compare``, ``kinseq.compare`` and what they have to say."""

from __future__ import annotations

import html
import json
import re
import shlex
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import soundfile

import kinseq
from kinseq import divergences as dv
from kinseq.cli import console
from kinseq.comparing import run as comparing_run
from kinseq.comparing.request import FILES, checked, from_texts
from kinseq.comparing.run import _resemblance
from kinseq.core.arrays import FloatArray
from kinseq.core.errors import DataError, ParameterError
from kinseq.core.sequences import SequenceSet
from kinseq.divergences.columns import differences
from kinseq.options import COMPARING, OPTIONS, command_of
from kinseq.readers.reading import OPTIONS as OF_READING
from kinseq.report.comparison import text as comparison_text
from tests.sentences import Recorded

SUBSAMPLES, PERMUTATIONS = comparing_run._SUBSAMPLES, comparing_run._PERMUTATIONS


def table(path: Path, values: FloatArray, columns: str = "x,y") -> Path:
    """A table of numbers as they are, so that nothing is lost in the file."""
    rows = [",".join(repr(float(number)) for number in row) for row in values]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join([columns, *rows]) + "\n", encoding="utf-8")
    return path


def draw(n: int, seed: int, shift: float = 0.0) -> FloatArray:
    return np.random.default_rng(seed).normal(loc=shift, size=(n, 2))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    # Most tests concern the comparison and its sentences, for which a few draws suffice.
    monkeypatch.setattr(comparing_run, "_SUBSAMPLES", 20)
    monkeypatch.setattr(comparing_run, "_PERMUTATIONS", 99)
    return tmp_path


@pytest.fixture
def all_draws(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As many draws as in use."""
    monkeypatch.setattr(comparing_run, "_SUBSAMPLES", SUBSAMPLES)
    monkeypatch.setattr(comparing_run, "_PERMUTATIONS", PERMUTATIONS)


@pytest.mark.usefixtures("all_draws")
def test_two_tables_become_a_text_a_table_and_a_figure(
    folder: Path, capsys: pytest.CaptureFixture[str], recorded: Recorded
) -> None:
    x, y = draw(40, 0), draw(50, 1, 1.3)
    table(folder / "first sample.csv", x)
    table(folder / "second.csv", y)
    words = ["compare", "first sample.csv", "second.csv", "--scale", "none", "--seed", "3"]
    page = console.run(words)
    assert page == Path("results/compare/first_sample-second/index.html")
    text = page.parent / "comparison.txt"
    assert {entry.name for entry in text.parent.iterdir()} == set(FILES)
    said = capsys.readouterr()
    assert "ETA" in said.err
    recorded.within(said.out)
    # The output equals that of the library for the same vectors.
    expected = dv.compare(x, y, random_state=3)
    rows = pd.read_csv(text.parent / "comparison.csv").set_index("estimate")
    for made in expected.estimates:
        assert rows.loc[made.name, ["value", "low", "high"]].tolist() == pytest.approx(
            [made.value, made.low, made.high]
        )
    assert rows.loc["mmd2", "p_value"] == expected["mmd2"].p_value == 0.001
    assert "The samples differ" in text.read_text()
    assert "at most 0.003 (by " in text.read_text()  # the least of three p-values, three times
    assert (text.parent / "comparison.png").read_bytes()[:4] == b"\x89PNG"
    # The command reproduces it byte by byte.
    before = {file: (text.parent / file).read_bytes() for file in FILES}
    again = shlex.split(text.read_text().splitlines()[-1])
    assert again[:2] == ["kinseq", "compare"]
    console.run(again[1:])
    changed = {file for file in FILES if (text.parent / file).read_bytes() != before[file]}
    assert changed <= {"settings.json"}  # which now has the name that was made before


def test_z_scores_are_those_of_both_samples_together(folder: Path) -> None:
    x, y = draw(30, 0) * [1.0, 1000.0], draw(20, 1) * [1.0, 1000.0] + [2.0, 0.0]
    found = kinseq.compare(table(folder / "a.csv", x), table(folder / "b.csv", y)).comparison
    both = np.concatenate([x, y])
    scaled = (both - both.mean(axis=0)) / both.std(axis=0)
    assert found["nn_risk"].value == pytest.approx(dv.nn_risk(scaled[:30], scaled[30:]), abs=1e-12)
    unscaled = kinseq.compare(folder / "a.csv", folder / "b.csv", scale="none").comparison
    assert unscaled["nn_risk"].value > found["nn_risk"].value + 0.1


def test_columns_are_matched_by_name(folder: Path, recorded: Recorded) -> None:
    x, y = draw(30, 0), draw(30, 1, 1.0)
    a, b = table(folder / "a.csv", x, "x,y"), table(folder / "b.csv", y[:, ::-1], "y,x")
    straight = kinseq.compare(a, table(folder / "c.csv", y, "x,y")).comparison
    assert kinseq.compare(a, b).comparison == straight
    with recorded.raises(DataError):
        kinseq.compare(a, table(folder / "d.csv", y, "u,v"))


@pytest.mark.parametrize(
    "first, second",
    [
        ("xxy", "xyy"),
        ("xxy", "xyx"),
        ("xxy", "xxy"),
        ("xyz", "xyy"),
        ("xyz", "xyw"),
        ("xy", "yx"),
        ("xyz", "xy"),
    ],
)
def test_columns_that_names_leave_open_are_not_matched(first: str, second: str, recorded: Recorded) -> None:
    x, y = np.random.default_rng(0).normal(size=(2, 30, 3))
    named = [
        SequenceSet.from_arrays([z], provenance={"columns": list(names)}) for z, names in ((x, first), (y, second))
    ]
    with recorded.raises(DataError):
        kinseq.compare(*named)


@pytest.mark.parametrize("order", ["xyz", "zyx", "yxz", "zxy"])
def test_columns_in_memory_are_matched_by_name(order: str) -> None:
    x, y = (np.random.default_rng(seed).normal(size=(30, 3)) * [1.0, 2.0, 3.0] for seed in (0, 1))
    expected = kinseq.compare(x, y, scale="none").comparison
    a = pd.DataFrame(x, columns=list("xyz"))
    b = pd.DataFrame(y, columns=list("xyz"))[list(order)]
    for first, second in ((a, b), ([a], [b]), (a, [b]), (a.assign(id="u"), b.assign(id="v"))):
        assert kinseq.compare(first, second, scale="none").comparison == expected


def test_names_that_are_the_same_as_text_are_refused() -> None:
    x = np.random.default_rng(0).normal(size=(30, 2))
    table = pd.DataFrame(x, columns=[1, "1"])
    for given in (table, [table]):
        with pytest.raises(DataError, match="type only"):
            kinseq.compare(given, x)


def test_sequences_of_folders_are_drawn_whole(folder: Path, recorded: Recorded) -> None:
    rng = np.random.default_rng(0)
    for name in ("one", "two"):
        for i in range(9):
            table(folder / name / f"{i}.csv", rng.normal(size=2) + 0.05 * rng.normal(size=(12, 2)))
    made = kinseq.compare("one", "two")
    assert made.comparison.units == (9, 9)
    assert made.comparison["mmd2"].p_value is not None
    assert made.comparison["mmd2"].p_value > 0.01
    recorded.within("\n".join(made.notes))
    # A folder against one file: blocks as long as the memory of the folder's sequences.
    single = kinseq.compare("one", table(folder / "b.csv", draw(60, 5)))
    assert single.comparison.units == (9, 5)
    assert any("neighbouring vectors resemble" in note for note in single.notes)


def remembering(rng: np.random.Generator, frames: int = 100) -> FloatArray:
    """A first-order autoregression whose neighbouring frames have a correlation of .95."""
    frames_of = rng.normal(size=(frames, 1))
    frames_of[0] /= np.sqrt(1.0 - 0.95**2)
    for t in range(1, frames):
        frames_of[t] += 0.95 * frames_of[t - 1]
    return np.asarray(frames_of)


def test_few_recordings_of_one_process_are_permuted_whole_or_not_at_all(recorded: Recorded) -> None:
    rng, small = np.random.default_rng(0), 0
    for _ in range(6):
        made = kinseq.compare([remembering(rng) for _ in range(6)], [remembering(rng) for _ in range(6)])
        assert made.comparison.units == (6, 6)
        small += min(made.comparison[name].p_value for name in ("nn_risk", "mmd2")) <= 0.01
    assert small <= 1
    few = kinseq.compare([remembering(rng) for _ in range(3)], [remembering(rng) for _ in range(3)])
    assert all(estimate.p_value is None for estimate in few.comparison.estimates)
    recorded.within(str(few))
    # Differences are found in as few.
    apart = kinseq.compare([remembering(rng) for _ in range(6)], [remembering(rng) + 9.0 for _ in range(6)])
    assert "The samples differ" in str(apart)


def test_of_one_long_recording_blocks_are_permuted(recorded: Recorded) -> None:
    rng = np.random.default_rng(1)
    made = kinseq.compare(remembering(rng, 900), remembering(rng, 900))
    assert 4 <= min(made.comparison.units) <= max(made.comparison.units) <= 60
    recorded.within(str(kinseq.compare(remembering(rng, 60), remembering(rng, 60))))


def test_recordings_of_two_rates_are_compared_at_the_lower(folder: Path, recorded: Recorded) -> None:
    rng = np.random.default_rng(0)
    noise = rng.normal(size=16000)
    for name, rate in (("a", 8000), ("b", 16000)):
        soundfile.write(folder / f"{name}.wav", 0.1 * noise[:rate], rate)
    made = kinseq.compare("a.wav", "b.wav")
    recorded.within("\n".join(made.notes))
    assert "as they are" in str(made)
    other = kinseq.compare("b.wav", "a.wav")
    recorded.within("\n".join(other.notes))
    assert other.comparison["nn_risk"].value == pytest.approx(made.comparison["nn_risk"].value, abs=1e-12)


def test_of_too_many_vectors_some_are_drawn(folder: Path, monkeypatch: pytest.MonkeyPatch, recorded: Recorded) -> None:
    monkeypatch.setattr(comparing_run, "MAX_VECTORS", 400)
    np.save(folder / "a.npy", draw(400, 0))
    np.save(folder / "b.npy", draw(100, 1))
    made = kinseq.compare("a.npy", "b.npy")
    assert (made.comparison.n, made.comparison.m) == (300, 100)
    recorded.within("\n".join(made.notes))
    recorded.within(str(made))


def test_what_two_samples_share_is_said(folder: Path, recorded: Recorded) -> None:
    x, y = draw(30, 0), draw(30, 1)
    y[:4] = x[10:14]
    made = kinseq.compare(table(folder / "a.csv", x), table(folder / "b.csv", y))
    recorded.within("\n".join(made.notes))


def test_what_is_easily_overlooked_is_said(folder: Path, recorded: Recorded) -> None:
    rows = np.arange(30.0)[:, None]
    a = table(folder / "a.csv", np.hstack([rows, draw(30, 0)]), "row,x,y")
    b = table(folder / "b.csv", np.hstack([rows, draw(30, 1)]), "row,x,y")
    counted = kinseq.compare(a, b)
    for sample in "AB":
        assert any(note.startswith(f"{sample}: using column 'row' as time") for note in counted.notes)
    np.save(folder / "c.npy", draw(30, 2))
    made = kinseq.compare(table(folder / "d.csv", draw(30, 3)), folder / "c.npy")
    recorded.within("\n".join(made.notes))
    assert not any("as time" in note for note in made.notes)


def test_columns_without_change_are_no_dimension(folder: Path, recorded: Recorded) -> None:
    x, y = draw(30, 0), draw(24, 1, 1.0)
    plain = kinseq.compare(table(folder / "a.csv", x, "x,y"), table(folder / "b.csv", y, "x,y"))
    site = [np.column_stack([np.full(len(z), 7.3), z]) for z in (x, y)]
    a, b = (table(folder / f"{name}.csv", z, "site,x,y") for name, z in zip("cd", site, strict=True))
    beside = kinseq.compare(a, b)
    assert beside.comparison == plain.comparison
    recorded.within("\n".join(beside.notes))
    # A column that differs between the samples separates them.
    other = table(folder / "e.csv", np.column_stack([np.full(len(y), 9.0), y]), "site,x,y")
    apart = kinseq.compare(a, other)
    assert not any("left out" in note for note in apart.notes)
    assert apart.comparison["nn_risk"].value < 0.2 * plain.comparison["nn_risk"].value


def test_columns_that_follow_from_others_are_no_dimension(folder: Path, recorded: Recorded) -> None:
    x, y = draw(40, 0), draw(36, 1, 0.8)
    plain = kinseq.compare(x, y)
    turn = np.array([[1.0, 1.0], [2.0, 0.0], [0.3, -4.0]])
    for k in range(3):
        wider = [np.column_stack([z, z @ turn[k] + 5.0]) for z in (x, y)]
        if k == 1:
            wider = [np.column_stack([z[:, 0], z[:, 2], z[:, 1]]) for z in wider]
        found = kinseq.compare(*wider)
        assert found.comparison["wang_j"].value == pytest.approx(plain.comparison["wang_j"].value, rel=1e-9)
        assert found.comparison == plain.comparison
        (said,) = [note for note in found.notes if "left out" in note]
        assert said.startswith("left out 1 column whose values follow from the columns before")
        assert said.endswith(": column 2" if k == 1 else ": column 3")
        counted = kinseq.compare(*wider, dependent="count")
        assert counted.comparison.d == 3
        assert counted.comparison["wang_j"].value > 1.2 * plain.comparison["wang_j"].value
        assert not any("left out" in note for note in counted.notes)
    # In files, by name, next to a constant column.
    named = [np.column_stack([z[:, 0], np.full(len(z), 7.0), 2.54 * z[:, 0], z[:, 1]]) for z in (x, y)]
    a, b = (table(folder / f"{side}.csv", z, "inch,site,cm,y") for side, z in zip("ab", named, strict=True))
    found = kinseq.compare(a, b)
    assert found.comparison == plain.comparison
    assert [note.rpartition(": ")[2] for note in found.notes if "left out" in note] == ["site", "cm"]
    console.run(["compare", str(a), str(b), "--dependent", "count"])
    recorded.within(Path("results/compare/a-b/comparison.txt").read_text())
    assert "whose values follow" not in Path("results/compare/a-b/comparison.txt").read_text()


def test_rows_with_an_id_each_are_vectors(folder: Path) -> None:
    x, y = draw(12, 0), draw(14, 1, 1.0)
    for name, values in (("a", x), ("b", y)):
        rows = [f"s{i},{p!r},{q!r}" for i, (p, q) in enumerate(values.tolist())]
        (folder / f"{name}.csv").write_text("\n".join(["id,x,y", *rows]) + "\n")
    made = kinseq.compare("a.csv", "b.csv")
    assert made.comparison == kinseq.compare(table(folder / "c.csv", x), table(folder / "d.csv", y)).comparison
    assert not any("frames of one" in note for note in made.notes)


def test_resemblance_is_the_correlation_of_neighbours_within_sequences() -> None:
    rng = np.random.default_rng(0)
    walk = np.cumsum(rng.normal(size=(500, 1)), axis=0)
    assert _resemblance(SequenceSet.from_arrays([walk])) > 0.9
    assert abs(_resemblance(SequenceSet.from_arrays([rng.normal(size=(2000, 2))]))) < 0.07
    # Neighbours across the border of two sequences do not count.
    apart = [np.array([[1.0], [-1.0]]), np.array([[-1.0], [1.0]])]
    assert _resemblance(SequenceSet.from_arrays(apart)) == pytest.approx(-1.0)
    assert _resemblance(SequenceSet.from_arrays([np.ones((5, 1))])) == 0.0
    assert _resemblance(SequenceSet.from_arrays([np.ones((1, 1)), np.zeros((1, 1))])) == 0.0


def test_results_are_replaced_by_results_only(folder: Path, recorded: Recorded) -> None:
    a, b, c = (table(folder / f"{name}.csv", draw(12, seed)) for name, seed in (("a", 0), ("b", 1), ("c", 2)))
    asked = checked(from_texts({"a": "a.csv", "b": "b.csv", "name": "mine"}))
    home = Path("results/compare/mine")
    home.mkdir(parents=True)
    (home / "comparison.txt").write_text("mine own")
    with recorded.raises(ParameterError):
        checked(asked)
    (home / "settings.json").write_text(json.dumps({"compare": {"a": str(a), "b": str(b)}}))
    assert checked(asked) == asked
    other = {**asked, "b": str(c)}
    assert checked(other) == other
    (home / "notes.txt").write_text("mine too")
    with recorded.raises(ParameterError):
        checked(other)
    (home / "notes.txt").unlink()
    home.rename(home.parent / "a-c")
    with recorded.raises(ParameterError):
        checked({"a": str(a), "b": str(c)})
    (home.parent / "a-c").rename(home)
    # A failed run leaves previous files.
    a.write_text("x,y\n1,2\n3,nan\n")
    with recorded.raises(DataError):
        console.run(["compare", "a.csv", "b.csv", "--name", "mine"])
    assert (home / "comparison.txt").read_text() == "mine own"
    assert {entry.name for entry in home.iterdir()} == {"comparison.txt", "settings.json"}


def test_the_command_survives_the_shell() -> None:
    asked = {"a": "-a b.csv", "b": "b'$.csv", "name": "-n", "missing": "interpolate"}
    options = console.parser().parse_args(shlex.split(command_of("compare", {**asked, "seed": 5}))[1:])
    assert (options.a, options.b, options.name, options.seed) == ("./-a b.csv", "b'$.csv", "-n", 5)
    options = console.parser().parse_args(shlex.split(command_of("compare", asked))[1:])
    assert (options.a, options.b, options.name, options.missing) == ("./-a b.csv", "b'$.csv", "-n", "interpolate")


def test_samples_may_be_arrays_tables_sequences_and_files(folder: Path) -> None:
    x, y = draw(30, 0), draw(36, 1, 1.0)
    files = kinseq.compare(table(folder / "a.csv", x), table(folder / "b.csv", y))
    for a, b in (
        (x, y),
        (x.tolist(), y),
        (pd.DataFrame(x, columns=["x", "y"]), pd.DataFrame(y[:, ::-1], columns=["y", "x"])),
        (folder / "a.csv", y),
        ([x], SequenceSet.from_arrays([y])),
    ):
        assert kinseq.compare(a, b).comparison == files.comparison
    assert kinseq.compare(x[:, 0], y[:, 0]).comparison == kinseq.compare(x[:, :1], y[:, :1]).comparison
    assert "A  A: 30 vectors in 1 sequence" in str(kinseq.compare(x, y))
    # Sequences are drawn whole, as those of a folder and of a table with a column id.
    several = kinseq.compare(list(x.reshape(10, 3, 2)), y.reshape(12, 3, 2))
    assert several.comparison.units == (10, 12)
    rows = [pd.DataFrame(z, columns=["x", "y"]).assign(id=np.arange(len(z)) // 3) for z in (x, y)]
    assert kinseq.compare(*rows).comparison == several.comparison


def test_samples_of_few_levels_may_hold_the_same_vectors(folder: Path, recorded: Recorded) -> None:
    few, many = (np.random.default_rng(0).random((60, 1)) < share for share in (0.2, 0.8))
    made = kinseq.compare(table(folder / "a.csv", few, "x"), table(folder / "b.csv", many, "x"))
    assert "The samples differ" in str(made)
    assert not any("number for number" in note for note in made.notes)
    recorded.within("\n".join(made.notes))
    same = kinseq.compare(few, few[::-1])
    assert same.comparison["mmd2"].p_value == 1.0


@pytest.mark.usefixtures("all_draws")
def test_what_counts_once_is_said(folder: Path, recorded: Recorded) -> None:
    x, y = np.repeat(draw(25, 0), 4, axis=0), draw(100, 1)
    made = kinseq.compare(x, y)
    assert made.comparison["nn_risk"].p_value > 0.05
    assert any(note.startswith("75 vectors of A repeat others of it") for note in made.notes)
    assert "A  A: 25 of 100 vectors" in str(made)
    # They are similar only as copies.
    assert not any("resemble" in note for note in made.notes)
    each = kinseq.compare(x, y, repeats="each")
    assert each.comparison["nn_risk"].p_value < 0.05
    recorded.within("\n".join(each.notes))
    page = console.run(["compare", str(table(folder / "a.csv", x)), str(table(folder / "b.csv", y)), "--repeats=each"])
    assert (page.parent / "comparison.txt").read_text().endswith("--repeats each\n")
    nothing = kinseq.compare(np.zeros(20), np.ones(20))
    recorded.within(str(nothing))
    assert any(note.startswith("no interval and no p-value: ") for note in nothing.notes)


def mixed(n: int, seed: int, shift: float, spread: float, tied: float) -> FloatArray:
    """Four columns: a level, a spread, and two that go together more or less."""
    rng = np.random.default_rng(seed)
    frames = rng.normal(size=(n, 4)) * [1.0, spread, 1.0, 1.0] + [shift, 0.0, 0.0, 0.0]
    frames[:, 3] = tied * frames[:, 2] + np.sqrt(1.0 - tied**2) * frames[:, 3]
    return np.asarray(frames)


def test_columns_that_differ_are_named_with_what_they_differ_in() -> None:
    names = ["temp [C]", "flow", "left", "right"]
    found = differences(mixed(80, 0, 0.0, 1.0, 0.0), mixed(90, 1, 1.0, 2.5, 0.85), names)
    sure = found[found["p"] <= 0.05]
    assert set(zip(sure["column"], sure["property"], strict=True)) == {
        ("temp [C]", "level"),
        ("flow", "spread"),
        ("left and right", "correlation"),
    }
    assert (sure["effect"] > 0.5).all()
    assert sure["sentence"].str.contains(" in B ").all()
    # The other way round, the same.
    back = differences(mixed(90, 1, 1.0, 2.5, 0.85), mixed(80, 0, 0.0, 1.0, 0.0), names)
    turned = back.set_index(["column", "property"])["effect"]
    for row in found.itertuples():
        assert turned[row.column, row.property] == pytest.approx(1.0 - row.effect)


@pytest.mark.parametrize("law", ["normal", "exponential", "uniform", "standard_cauchy"])
def test_equal_laws_get_a_statement_in_about_one_case_of_twenty(law: str) -> None:
    rng, said = np.random.default_rng(3), 0
    for seed in range(60):
        x, y = (getattr(rng, law)(size=(n, 3)) for n in (40, 60))
        said += differences(x, y, n_permutations=99, random_state=seed)["p"].min() <= 0.05
    # More than 7 of 60 would occur in one of a hundred such tests.
    assert said <= 7


@pytest.mark.parametrize("seed", range(3))
def test_two_peaks_against_one_are_named(seed: int) -> None:
    rng = np.random.default_rng(seed)
    one = rng.normal(5.0, 2.3, 200)
    two = rng.permutation(np.concatenate([rng.normal(3.0, 0.5, 100), rng.normal(7.0, 0.5, 100)]))
    for x, y, side in ((one, two, "B"), (two, one, "A")):
        found = differences(x[:, None], y[:, None], ["flow"])
        (row,) = found[found["property"] == "peaks"].itertuples()
        assert row.p <= 0.01
        assert row.sentence.startswith(f"flow: two-peaked in {side}, at about ")
        low, high = (float(part) for part in re.findall(r"about (\S+) and (\S+),", row.sentence)[0])
        assert (low, high) == (pytest.approx(3.0, abs=0.2), pytest.approx(7.0, abs=0.2))
        # By hand: the variance within the two halves, against the whole.
        within = (np.var(two[two < 5.0]) * (two < 5.0).sum() + np.var(two[two >= 5.0]) * (two >= 5.0).sum()) / len(two)
        assert (row.b if side == "B" else row.a) == pytest.approx(1.0 - within / np.var(two), abs=1e-6)
    assert "peaks" not in set(differences(one[:100, None], one[100:, None])["property"])


@pytest.mark.parametrize("seed", range(4))
def test_there_is_one_decision_with_what_decided_it(seed: int) -> None:
    rng = np.random.default_rng(seed)
    far = np.vstack([rng.normal(0.0, 1.0, (140, 3)), rng.normal(0.0, 8.0, (10, 3))])
    for y in (far, rng.normal(size=(150, 3)), rng.normal(0.3, 1.0, (150, 3))):
        content = kinseq.compare(rng.normal(size=(150, 3)), y).content
        said = str(content.comparison), comparison_text(content)
        assert ("The samples differ" in said[1]) == (content.least <= 0.05)
        assert ("differ significantly" in said[1]) <= ("The samples differ" in said[1])
        p = [one.p_value for one in content.comparison.estimates if one.p_value is not None]
        p.append(content.by_column["p"].min())
        assert content.least == min(1.0, len(p) * min(p))
        if "The samples differ" in said[1]:
            assert ("single columns" in said[1].split("(by ")[1].split(")")[0]) == (len(p) * p[-1] <= 0.05)


def test_pairs_are_counted_where_they_tell_and_few_values_are_counted_else(recorded: Recorded) -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(300, 1))
    y = np.vstack([rng.normal(size=(292, 1)), 30.0 * rng.choice([-1.0, 1.0], (8, 1))])
    found = differences(x, y, repeats="each").set_index("property")
    recorded.within(found.loc["form", "sentence"])
    for row in differences(x, rng.normal(0.0, 3.0, (300, 1))).itertuples():
        counted = re.findall(r", in (\d+) of 100 pairs", row.sentence)
        assert [int(number) >= 55 for number in counted] == [True] * len(counted)
        assert bool(counted) == (abs(row.effect - 0.5) >= 0.05) or row.property == "level"


def test_groups_are_permuted_whole() -> None:
    rng = np.random.default_rng(4)
    x, y = (np.repeat(rng.normal(size=(10, 1)), 30, axis=0) + 0.1 * rng.normal(size=(300, 1)) for _ in range(2))
    of = np.repeat(np.arange(10), 30)
    by_vector = differences(x, y)
    by_group = differences(x, y, groups=(of, of))
    assert by_vector["p"].min() <= 0.002
    assert by_group["p"].min() > 0.05


def test_the_page_shows_columns_and_hostile_names_stay_text(folder: Path, recorded: Recorded) -> None:
    bad = "<script>alert(1)</script>"
    x, y = pd.DataFrame(draw(40, 0), columns=[bad, "flow"]), pd.DataFrame(draw(50, 1), columns=[bad, "flow"])
    y[bad] += 3.0
    x.to_csv(folder / "a.csv", index=False)
    y.to_csv(folder / "b.csv", index=False)
    made = kinseq.compare("a.csv", "b.csv", scale="none")
    page = made.report("out")
    assert page == Path("out/index.html")
    text = page.read_text(encoding="utf-8")
    assert bad not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;: higher in B (median " in text
    # A row for each column, also for the one that does not differ.
    assert text.count(" in A and in B: all values") == 2
    assert "&lt;/script&gt; higher by " in text
    recorded.within(text)
    assert "src=" not in text.replace("data:", "")
    assert f"  {bad}: higher in B" in str(made)
    rows = pd.read_csv(page.parent / "columns.csv")
    assert rows.loc[0, ["column", "property"]].tolist() == [bad, "level"]
    # The call on the page gives the same.
    (call,) = re.findall(r"found = (kinseq\.compare\(.*\))", html.unescape(text))
    assert str(eval(call, {"kinseq": kinseq})) == str(made)


def test_a_comparison_takes_all_words_that_say_how_files_are_read(folder: Path, recorded: Recorded) -> None:
    words = {name for name, entry in OF_READING.items() if entry.word and name in OPTIONS} - {"labels", "rate"}
    assert words <= COMPARING.keys()
    for name in ("labels", "rate", "layout"):
        with recorded.raises(ParameterError):
            kinseq.compare("a", "b", **{name: {"labels": "folders", "rate": 2.0, "layout": "channels_first"}[name]})
    with recorded.raises(ParameterError):
        kinseq.compare(np.eye(9), np.ones((9, 9)) - np.eye(9), segments="auto")
    with recorded.raises(ParameterError):
        kinseq.compare(np.eye(9), np.ones((9, 9)) - np.eye(9), skip_rows=1)
    with pytest.raises(ParameterError, match="skip_rows"):
        kinseq.compare("a", "b", skip_row=1)


def test_tables_are_compared_as_they_are_asked_to_be_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparing_run, "_SUBSAMPLES", 20)
    monkeypatch.setattr(comparing_run, "_PERMUTATIONS", 19)
    for name, seed in (("a", 1), ("b", 2)):
        table(folder / f"{name}.csv", np.column_stack([draw(30, seed), np.arange(30.0) % 7]), "x,y,battery")
    found = kinseq.compare("a.csv", "b.csv", drop_columns=["battery"])
    assert found.comparison.d == 2
    assert "drop_columns=['battery']" in found.content.call
    console.run(["compare", "a.csv", "b.csv", "--drop", "battery", "--results", str(folder / "results")])
    assert "2 features" in (folder / "results" / "compare" / "a-b" / "comparison.txt").read_text()


def test_recordings_are_cut_before_they_are_compared(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, recorded: Recorded
) -> None:
    monkeypatch.setattr(comparing_run, "_SUBSAMPLES", 20)
    monkeypatch.setattr(comparing_run, "_PERMUTATIONS", 19)
    rng, rate, rows = np.random.default_rng(4), 8_000, ["onset,offset,file"]
    for side, pitch in (("a", 1_000.0), ("b", 1_300.0)):
        # Everything but the calls is the same noise.
        noise = 0.01 * np.random.default_rng(7).normal(size=12 * rate)
        for call in range(10):
            first = round((0.5 + 1.1 * call) * rate)
            time = np.arange(round(0.3 * rate)) / rate
            noise[first : first + len(time)] += 0.3 * np.sin(2 * np.pi * pitch * rng.uniform(0.98, 1.02) * time)
            rows.append(f"{first / rate},{first / rate + 0.3},{side}.wav")
        (folder / side).mkdir()
        soundfile.write(folder / side / f"{side}.wav", noise, rate, subtype="FLOAT")
    calls = folder / "calls.csv"
    calls.write_text("\n".join(rows) + "\n")
    paths = [str(folder / "a"), str(folder / "b")]
    found = kinseq.compare(*paths, segments=calls)
    assert "10 sequences" in str(found)
    assert sum("10 segments of 1 recording" in note for note in found.notes) == 2
    assert f"segments={str(calls)!r}" in found.content.call
    by_energy = kinseq.compare(*paths, segments="auto")
    assert sum("into 10 segments" in note for note in by_energy.notes) == 2
    results = ["--results", str(folder / "results")]
    console.run(["compare", *paths, "--segments", str(calls), *results])
    assert "10 segments of 1 recording" in capsys.readouterr().out
    with recorded.raises(DataError):
        kinseq.compare(*paths, segments="beside")
