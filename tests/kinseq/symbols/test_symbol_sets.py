"""Sequences of symbols from files and from memory, and what becomes of them."""

import numpy as np
import pandas as pd
import pytest

import kinseq
from kinseq.core.errors import DataError, ParameterError
from kinseq.core.symbols import as_words, indicators, symbol_set
from kinseq.plotting.states import COLOURS, OTHERS
from kinseq.report.content import PALETTE
from tests.sentences import Recorded

CHAINS = (
    [[0.8, 0.1, 0.1], [0.3, 0.6, 0.1], [0.2, 0.2, 0.6]],
    [[0.4, 0.1, 0.5], [0.1, 0.2, 0.7], [0.6, 0.3, 0.1]],
)
NAMES = ["browse", "buy", "cart"]


def walks(n=30, seed=0, kinds=2, length=(30, 50)):
    """Sequences of Markov chains that take turns."""
    random, rows = np.random.default_rng(seed), []
    for i in range(n):
        states = [0]
        while len(states) < random.integers(*length):
            states.append(int(random.choice(3, p=CHAINS[i % kinds][states[-1]])))
        rows.append([NAMES[state] for state in states])
    return rows


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("logs")
    for i, row in enumerate(walks()):
        lines = "".join(f"{2 * t},{state}\n" for t, state in enumerate(row))
        (folder / f"u{i:02d}.csv").write_text(f"time,action\n{lines}")
    return folder


def test_a_folder_of_event_logs_is_clustered(logs, tmp_path):
    found = kinseq.cluster(logs)
    assert found.measure == "symbolic"
    assert found.n_clusters == 2
    kinds = np.arange(30) % 2
    assert min((found.labels == kinds).sum(), (found.labels != kinds).sum()) <= 1
    assert found.original.alphabet == ("browse", "buy", "cart")
    page = found.report(tmp_path).read_text()
    assert "sequences, one a row" in page
    assert COLOURS[0] in page
    assert "browse" in page


def test_arrays_and_files_give_the_same(logs):
    by_files, by_lists = kinseq.cluster(logs), kinseq.cluster(walks())
    assert (by_files.labels == by_lists.labels).all()
    assert np.array_equal(by_files.distance, by_lists.distance)


def test_words_say_what_groups_do(logs):
    table = kinseq.cluster(logs).explain()
    assert {"entries", "time in state"} & set(table["property"])
    assert table["sentence"].str.contains("cart").any()


def test_new_sequences_are_placed_and_strange_symbols_counted(logs, tmp_path, recorded: Recorded):
    found = kinseq.cluster(logs)
    new = walks(n=6, seed=5)
    expected = found.labels[np.arange(6) % 2]
    assert (found.predict(new) == expected).all()
    strange = [[*row, "refund"] for row in new]
    assert (found.predict(strange) == expected).all()
    with recorded.raises(DataError):
        found.predict([["x", "y"]])
    found.save(tmp_path / "kept")
    assert (kinseq.load(tmp_path / "kept").predict(new) == expected).all()


def test_the_estimator_and_the_function_agree():
    rows = walks()
    model = kinseq.SequenceClustering().fit(rows)
    assert model.measure_ == "symbolic"
    assert (model.labels_ == kinseq.cluster(rows).labels).all()


@pytest.mark.parametrize("seed", range(3))
def test_data_without_groups_are_one_group(seed):
    assert kinseq.cluster(walks(n=40, seed=seed, kinds=1)).n_clusters == 1


def table_of(rows):
    return pd.DataFrame(
        {
            "id": np.repeat([f"p{i}" for i in range(len(rows))], [len(row) for row in rows]),
            "state": [entry for row in rows for entry in row],
        }
    )


def test_all_forms_in_memory_are_one_set():
    rows = [list("abca"), list("bb"), list("acc")]
    wanted = symbol_set(rows)
    wide = pd.DataFrame({"t1": ["a", "b", "a"], "t2": ["b", "b", "c"], "t3": ["c", "", "c"], "t4": ["a", "", ""]})
    objects = np.empty(3, dtype=object)
    objects[:] = rows
    texts, cut = ["abca", "bb", "acc"], {"symbols": "characters"}
    forms = {
        "arrays": [np.array(row) for row in rows],
        "arrays of objects": [np.array(row, dtype=object) for row in rows],
        "arrays of bytes": [np.array(row).astype("S1") for row in rows],
        "columns": [np.array(row)[:, None] for row in rows],
        "nested lists": [[[entry] for entry in row] for row in rows],
        "an array of lists": objects,
        "a series of lists": pd.Series(rows),
        "categoricals": [pd.Series(row, dtype="category") for row in rows],
        "categoricals without an index": [pd.Categorical(row) for row in rows],
        "tables": [pd.DataFrame({"time": range(len(row), 0, -1), "state": row[::-1]}) for row in rows],
        "long": table_of(rows),
        "long, in another order": table_of(rows).assign(time=range(9)).iloc[[3, 2, 1, 0, 5, 4, 8, 7, 6]],
        "groups": table_of(rows).groupby("id"),
        "texts": (texts, cut),
        "an array of texts": (np.array(texts), cut),
        "an array of objects that are texts": (np.array(texts, dtype=object), cut),
        "a series of texts": (pd.Series(texts), cut),
        "words": (["a b c a", "b b", "a c c"], {"symbols": "words"}),
    }
    for name, data in forms.items():
        data, how = data if isinstance(data, tuple) else (data, {})
        result = kinseq.cluster(data, 2, "edit", **how)
        found, estimator = result.original, kinseq.SequenceClustering(2, "edit", **how).fit(data)
        assert found.alphabet == wanted.alphabet, name
        assert as_words(found) == as_words(wanted), name
        assert (estimator.labels_ == result.labels).all(), name
        assert (estimator.predict(data) == result.labels).all(), name
        assert np.array_equal(kinseq.dissimilarity(data, measure="edit", **how), result.distance), name
    found = kinseq.cluster(wide, 2, "edit").original
    assert as_words(found)[0] == list("abca")
    with pytest.raises(DataError, match="symbols='characters'"):
        kinseq.cluster(["abca", "bb"], 2)


def test_several_symbols_at_a_time_are_refused(recorded: Recorded):
    rows = [np.array(["ab", "bc", "ca"]), np.array(["ab", "bb", "aa"])]
    pairs = [np.column_stack([row, row]) for row in rows]
    for data in (pairs, [pair.tolist() for pair in pairs]):
        with recorded.raises(DataError):
            kinseq.cluster(data, 2)


def test_tables_are_read_by_their_times(recorded: Recorded):
    table = pd.DataFrame({"id": [1, 1, 1, 2, 2], "month": [3, 1, 7, 1, 4], "state": list("bacba")})
    found = kinseq.cluster(table, 2, "edit", symbols="state", time_column="month", every=1).original
    assert as_words(found) == [list("aabbbbc"), list("bbba")]
    uneven = {"symbols": "state", "time_column": "month"}
    with recorded.raises(DataError):
        kinseq.cluster(table, 2, "durations", **uneven)
    with recorded.raises(DataError):
        kinseq.cluster(table, 2, symbols="state", time_column="day")
    with recorded.raises(ParameterError):
        kinseq.cluster([list("ab"), list("ba")], 2, every=1)


def test_fusions_of_the_same_codes_by_other_symbols_are_apart():
    rows = [list("abab"), list("aabb"), list("bbbb"), list("bbba")]
    renamed = [[{"a": "x", "b": "y"}[entry] for entry in row] for row in rows]
    first, second = kinseq.cluster(rows, 2), kinseq.cluster(renamed, 2)
    assert (first.labels == second.labels).all()
    assert (second.predict(renamed) == second.labels).all()


def read(tmp_path, text, name="data.csv", **how):
    (tmp_path / name).write_text(text)
    return kinseq.read(tmp_path / name, **how)


def test_layouts_of_files(tmp_path):
    long = read(tmp_path, "id,time,state\nx,2,b\nx,1,a\ny,1,b\ny,2,-\n")
    assert as_words(long) == [["a", "b"], ["b", None]]
    wide = read(tmp_path, "id,m1,m2,m3\n1,work,school,work\n2,school,school,\n")
    assert as_words(wide) == [["work", "school", "work"], ["school", "school"]]
    spells = read(tmp_path, "id,start,end,state\n1,0,3,work\n1,3,4,home\n2,0,2,home\n", every=1.0)
    assert as_words(spells) == [["work"] * 3 + ["home"], ["home"] * 2]
    lines = read(tmp_path, "a>b\nb a\n", "data.txt", symbols="characters")
    assert as_words(lines) == [["a", ">", "b"], ["b", "a"]]
    fasta = read(tmp_path, ">one first\nACG\nT-\n>two\nACC\n", "data.fasta")
    assert fasta.ids.tolist() == ["one", "two"]
    assert as_words(fasta) == [["A", "C", "G", "T", None], ["A", "C", "C"]]


def test_events_last_until_the_next_one(tmp_path):
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_text("time,action\n0,x\n3,y\n4,x\n")
    assert as_words(kinseq.read(tmp_path, every=1.0))[0] == ["x", "x", "x", "y", "x"]
    assert as_words(kinseq.read(tmp_path))[0] == ["x", "y", "x"]


def test_numbers_stay_numbers(tmp_path):
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_text("time,value\n0,1\n1,2\n2,1\n")
    assert kinseq.read(tmp_path).alphabet is None
    assert kinseq.read(tmp_path, symbols="value").alphabet == ("1", "2")


@pytest.mark.parametrize(
    "text, how",
    [
        ("id,start,end,state\n1,0,3,a\n1,2,4,b\n2,0,1,a\n", {"every": 1.0}),
        ("id,start,end,state\n1,0,3,a\n2,0,4,b\n", {}),
        ("id,state\n1,a\n1,a\n2,a\n2,a\n", {}),
        ("id,state\n" + "".join(f"{i % 2},note {i}\n" for i in range(60)), {}),
        ("id,state\n1,a\n1,b\n2,-\n2,\n", {}),
        ("id,time,state\n1,0,a\n1,1,b\n2,0,a\n2,1,3.5\n2,2,b\n", {}),
        ("id,time,state\n1,0,a\n1,1,b\n2,0,a\n", {"symbols": "action"}),
    ],
)
def test_bad_input_is_refused_in_a_sentence(tmp_path, text, how, recorded: Recorded):
    with recorded.raises(DataError):
        read(tmp_path, text, **how)


def test_indicators_have_a_column_a_symbol_and_none_for_missing_ones():
    numbers = indicators(symbol_set([["b", None, "a"], ["c", "c"]]))
    assert numbers.alphabet is None
    assert numbers.values.tolist() == [[0, 1, 0], [0, 0, 0], [1, 0, 0], [0, 0, 1], [0, 0, 1]]


def test_notes_on_symbols(tmp_path, recorded: Recorded):
    gaps = read(tmp_path, "id,start,end,state\n1,0,2,a\n1,4,5,b\n2,0,1,a\n", every=1.0)
    assert as_words(gaps)[0] == ["a", "a", None, None, "b"]
    assert any("1 gap between spells" in note for note in gaps.notes)
    ways = read(tmp_path, "id,state\n1,Work\n1,home\n2,work\n2,home\n")
    assert any("'Work' and 'work'" in note for note in ways.notes)
    for name, row in {"a.csv": "1\n2\n", "b.csv": "A\nB\n"}.items():
        (tmp_path / "codes").mkdir(exist_ok=True)
        (tmp_path / "codes" / name).write_text(f"state\n{row}")
    recorded.within("\n".join(kinseq.read(tmp_path / "codes", symbols="state").notes))


@pytest.mark.parametrize("kind", ["index", "distribution", "typical", "transitions"])
def test_groups_are_drawn(logs, kind):
    found = kinseq.cluster(logs)
    figure = found.plot(kind)
    assert len(figure.axes) == found.n_clusters
    assert next(text.get_text() for text in figure.legends[0].get_texts()) == "browse"
    if kind == "index":
        rows = [axis.images[0].get_array().shape[0] for axis in figure.axes]
        assert rows == np.bincount(found.labels).tolist()
    if kind == "distribution":
        top = figure.axes[0].collections[-1].get_paths()[0].vertices[:, 1].max()
        assert np.isclose(top, 1.0)


def test_other_plots_are_refused(logs, recorded: Recorded):
    with recorded.raises(ParameterError):
        kinseq.cluster(logs).plot("sequence")
    numbers = kinseq.cluster([np.random.default_rng(i).normal(i % 2, 0.1, (9, 1)) for i in range(8)], 2)
    with recorded.raises(DataError):
        numbers.plot("index")


def test_events_without_a_duration_have_no_time_in_states(tmp_path, recorded: Recorded):
    for name, times in {"a.csv": (0, 1, 5, 6), "b.csv": (0, 2, 3, 9)}.items():
        rows = "".join(f"{t},{state}\n" for t, state in zip(times, "xyxz", strict=True))
        (tmp_path / name).write_text(f"time,action\n{rows}")
    with recorded.raises(DataError):
        kinseq.cluster(tmp_path, measure="durations")
    assert kinseq.cluster(tmp_path, measure="durations", every=1.0).measure == "durations"


def test_two_samples_of_symbols_are_not_compared(logs, tmp_path, recorded: Recorded):
    for name in ("a.csv", "b.csv", "c.csv"):
        (tmp_path / name).write_text("time,action\n0,x\n1,y\n2,x\n")
    with recorded.raises(DataError):
        kinseq.compare(logs, tmp_path)
    with pytest.raises(DataError, match="A: holds symbols"):
        kinseq.compare(walks(4), walks(4, seed=1))


def test_ids_have_any_name_and_columns_any_order(tmp_path, recorded):
    rows = walks(6)
    lines = [f"{t},{state},c{i}" for i, row in enumerate(rows) for t, state in enumerate(row)]
    made = read(tmp_path, "t,state,case\n" + "\n".join(lines) + "\n")
    assert as_words(made) == rows
    recorded(made.notes)
    coded = "t,state,case\n" + "\n".join(
        f"{t},{NAMES.index(state)},c{i}" for i, row in enumerate(rows) for t, state in enumerate(row)
    )
    assert as_words(read(tmp_path, coded, symbols="state")) == [[str(NAMES.index(s)) for s in row] for row in rows]


def test_parquet_and_workbooks_hold_symbols(tmp_path):
    pytest.importorskip("pyarrow")
    pytest.importorskip("openpyxl")
    rows = walks(6, length=(9, 10))
    wide = pd.DataFrame(rows, columns=[f"m{j}" for j in range(len(rows[0]))])
    wide.to_parquet(tmp_path / "wide.parquet")
    wide.to_excel(tmp_path / "wide.xlsx", index=False)
    long = pd.DataFrame(
        [(f"p{i}", t, s) for i, row in enumerate(rows) for t, s in enumerate(row)], columns=["id", "t", "s"]
    )
    long.to_parquet(tmp_path / "long.parquet")
    long["s"] = long["s"].astype("category")
    long.to_parquet(tmp_path / "categories.parquet")
    for name in ("wide.parquet", "wide.xlsx", "long.parquet", "categories.parquet"):
        assert as_words(kinseq.read(tmp_path / name)) == rows, name


def test_lines_of_words_are_sequences(tmp_path, recorded):
    rows = walks(6)
    made = read(tmp_path, "".join(" ".join(row) + "\n" for row in rows), "data.txt")
    assert as_words(made) == rows
    recorded(made.notes[0])
    prose = "It was a bright cold day in April\nand the clocks were striking thirteen\n"
    with pytest.raises(DataError):
        read(tmp_path, prose, "prose.txt")


def test_few_numbers_may_be_codes_and_a_note_says_so():
    codes = [np.array([NAMES.index(state) for state in row]) for row in walks(12)]
    found = kinseq.cluster(codes, 2)
    (note,) = [note for note in found.notes if "codes of states" in note]
    assert "symbols='1'" in note
    taken = kinseq.cluster(codes, 2, symbols="1")
    assert taken.original.alphabet == ("0", "1", "2")
    stacked = np.stack([code[:30] for code in codes])
    for data in (stacked, stacked[:, :, None]):
        assert kinseq.cluster(data, 2, "edit", symbols="1").original.alphabet == ("0", "1", "2")


def test_what_is_empty_or_no_sequences_is_named(recorded: Recorded):
    with recorded.raises(DataError):
        kinseq.cluster([["a", "b"], [], ["b", "a"]])
    with recorded.raises(ParameterError):
        kinseq.dissimilarity(walks(4), "edit")
    notes = kinseq.cluster([["Work", "b", "work"], ["b", "b"], ["work"]], 2).notes
    assert any("'Work' and 'work'" in note for note in notes)


def test_predictions_of_symbols_have_a_page(logs, tmp_path, recorded: Recorded):
    found = kinseq.cluster(logs)
    page = found.place([*walks(3, seed=5), ["buy", "gift", "cart", "buy"]]).report(tmp_path).read_text()
    assert "s00003" in page
    recorded.within(page)


def in_order(seed):
    """Sixty courses through three states for regular times, a third of them in another order."""
    random, rows = np.random.default_rng(seed), []
    for i in range(60):
        states = ("work", "school", "training") if i % 3 == 0 else ("school", "training", "work")
        times = random.multinomial(48, random.dirichlet([60.0, 50.0, 55.0]))
        row = [state for state, n in zip(states, times, strict=True) for _ in range(n)]
        for place in random.choice(48, 2, replace=False):
            row[place] = "ill"
        rows.append(row)
    return rows


def test_courses_of_regular_durations_are_not_divided_further():
    assert np.bincount(kinseq.cluster(in_order(4)).labels).tolist() == [40, 20]


def test_what_tells_more_pairs_is_said_first():
    table = kinseq.cluster(in_order(4), 2).explain()
    for _, own in table.groupby("cluster"):
        surely = np.abs(own["effect"].to_numpy() - 0.5)
        assert surely[0] == surely.max()


def test_arrays_of_text_are_sequences_and_clusterers_of_vectors_refuse_them(recorded: Recorded):
    rows = np.array([list("abcab"), list("bbcab"), list("aaaaa"), list("aaaba")])
    for array in (rows, rows.astype(object)):
        assert kinseq.cluster(array, 2, "edit").original.alphabet == ("a", "b", "c")
    with recorded.raises(DataError):
        kinseq.SequenceClustering(2, clusterer="kmeans_of_means").fit(walks(6))


TO_XYZ = np.array([[0.4125, 0.3576, 0.1804], [0.2127, 0.7152, 0.0722], [0.0193, 0.1192, 0.9503]])
WITHOUT_GREEN = np.array([[0.3673, 0.8606, -0.2280], [0.2801, 0.6725, 0.0474], [-0.0118, 0.0429, 0.9689]])
"""How people without green cones see linear RGB (Machado and others 2009)."""


def lab(colour, seen=None):
    """A colour in CIELAB, under daylight."""
    values = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    linear = np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)
    linear = linear if seen is None else np.clip(seen @ linear, 0.0, 1.0)
    ratio = TO_XYZ @ linear / np.array([0.9505, 1.0, 1.0888])
    f = np.where(ratio > 0.00886, np.cbrt(ratio), 7.787 * ratio + 4 / 29)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("seen", [None, WITHOUT_GREEN])
def test_colours_of_states_are_told_apart_and_are_none_of_clusters(seen):
    states = [lab(colour, seen) for colour in (*COLOURS, OTHERS)]
    apart = [np.linalg.norm(one - other) for i, one in enumerate(states) for other in states[:i]]
    assert min(apart) > 9.0
    assert max(np.hypot(*lab(colour)[1:]) for colour in COLOURS) < min(
        np.hypot(*lab(colour)[1:]) for colour in PALETTE[:6]
    )


def test_copies_are_compared_as_all_others():
    rows = walks(9, length=(8, 14))
    twice = kinseq.dissimilarity(rows + rows[::-1], measure="om", substitution="transitions")
    assert np.allclose(twice[:9, :9], kinseq.dissimilarity(rows, measure="om", substitution="transitions"))
    assert np.array_equal(twice[9:, 9:], twice[:9, :9][::-1, ::-1])
    assert np.array_equal(twice[:9, 9:], twice[:9, :9][:, ::-1])


def test_truth_values_are_symbols():
    random = np.random.default_rng(0)
    rows = [(random.random(20) < share).tolist() for share in (0.1, 0.9) * 6]
    for form in (rows, [np.array(row) for row in rows]):
        found = kinseq.cluster(form, 2)
        assert found.original.alphabet == ("False", "True")
        assert len({*found.labels[::2]}) == 1
