"""Whatever is in a file, an array or an option: one sentence of ours or all of it, and nothing left out without a word.

Hypothesis makes the input. ``KINSEQ_EXAMPLES=1000`` asks for so many examples of each property, drawn anew in every run;
without it they are few and always the same.
"""

from __future__ import annotations

import io
import os
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, get_args

import numpy as np
import pandas
import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import kinseq
from kinseq.analysis.options import OPTIONS, Length, Scale, Width
from kinseq.analysis.views import option_names
from kinseq.cli import console
from kinseq.cli.request import checked, from_texts
from kinseq.clustering.registry import get as get_clusterer
from kinseq.clustering.registry import names as clusterer_names
from kinseq.comparing import request as comparing
from kinseq.comparing import run as comparing_run
from kinseq.core.errors import KinseqError
from kinseq.core.inputs import Columns, as_collection
from kinseq.core.settings import SYNONYMS
from kinseq.core.store import shielded, unshielded
from kinseq.features.extraction import OnBadFile
from kinseq.measures.registry import get as get_measure
from kinseq.models.kinds.registry import names as kind_names
from kinseq.options import COMPARING, WORDS
from kinseq.readers import Kind, Missing
from kinseq.readers.reading import OPTIONS as OF_READING
from tests.reading import read_folder

WANTED = os.environ.get("KINSEQ_EXAMPLES", "")


def examples(usual: int) -> Any:
    """A decorator: `usual` examples, or as many as were asked for."""
    return settings(
        max_examples=int(WANTED or usual),
        derandomize=not WANTED,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        print_blob=True,
    )


def attempt(call: Callable[[], Any]) -> Any:
    """Result of a call; None if it is refused in one sentence. Any other error, and any warning, is one of the test."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            return call()
        except KinseqError as error:
            sentence = str(error)
    assert "\n" not in sentence
    return None


@contextmanager
def folder_of(files: Mapping[str, str | bytes]) -> Iterator[Path]:
    with TemporaryDirectory() as place:
        folder = Path(place) / "data"
        folder.mkdir()
        for name, content in files.items():
            (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)
        yield folder


# Text tables

CELLS = st.sampled_from(
    [
        *(
            "0",
            "1",
            "2",
            "3",
            "1.5",
            "-2.25",
            "1e3",
            "-0.0",
            "1e400",
            "inf",
            "nan",
            "9007199254740993",
            "1700000000",
            "1,5",
        ),
        *("", " ", "NA", "?", "#N/A", "#DIV/0!", "true", "1_000", "1 000", "0x1F", "x", "y", "é", "{x}", "{", "%s"),
        *(
            "id",
            "time",
            "label",
            "group",
            "Time",
            "#1",
            "# a",
            "%2",
            "=1+1",
            "-",
            "'",
            '"',
            '"a"',
            '""',
            "\ufeff",
            "\x0c",
        ),
        *("2024-05-31", "2024-05-31 10:00:00", "31.05.2024", "10:00", "10:00:00.5", "1.234.567", "1.5 # note", "sep=;"),
    ]
)
TAME = st.sampled_from(["0", "1", "2", "3", "4.5", "-2.25", "1e3", "7", "NA", "#N/A"])


@st.composite
def text_tables(draw: Any) -> str:
    """Lines of cells, most of them of one width and many of them wild."""
    width, separator = draw(st.integers(1, 4)), draw(st.sampled_from([",", ";", "\t", " ", "|", ", "]))
    cells = draw(st.sampled_from([CELLS, TAME, st.one_of(TAME, TAME, TAME, CELLS)]))
    rows = draw(st.lists(st.lists(cells, min_size=width, max_size=width), max_size=6))
    if draw(st.booleans()):
        rows.insert(0, draw(st.lists(CELLS, min_size=max(1, width - 1), max_size=width + 1)))
    lines = [separator.join(row) for row in rows]
    for extra in draw(st.lists(st.sampled_from(["", "# made", "% 1", "#1,2", ",", "sep=;", " ", '# "']), max_size=2)):
        lines.insert(draw(st.integers(0, len(lines))), extra)
    end = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    return draw(st.sampled_from(["", "", "\ufeff"])) + end.join(lines) + draw(st.sampled_from([end, ""]))


def rows_at_least(text: str) -> int:
    """Rows that a table has at least: lines that hold something, less a header and what stands above it."""
    if '"' in text:
        return 0  # a line need not be a row
    lines = [line.strip() for line in io.StringIO(text.lstrip("\ufeff"), newline=None)]
    held = [line for line in lines if line.strip(",;\t| ")]
    while held and (held[0].startswith(("#", "%")) or held[0].lower().startswith("sep=")):
        held.pop(0)
    return len(held) - 1


@examples(150)
@given(st.lists(text_tables(), min_size=1, max_size=3), st.sampled_from(["refuse", "interpolate"]))
@example(["x,y\n1,2\n#N/A,3\n"] * 2, "interpolate")
def test_no_line_of_a_folder_is_left_out_without_a_word(tables: list[str], missing: Any) -> None:
    with folder_of({f"f{i}.csv": text for i, text in enumerate(tables)}) as folder:
        found = attempt(lambda: read_folder(folder, missing=missing, alone=True))
    if found is None:
        return
    made, notes = found
    said = " ".join(notes)
    if len(tables) > 1:
        assert len(made) == len(tables) or "skipped" in said
        frames = dict(zip(made.ids.tolist(), made.lengths.tolist(), strict=True))
        least = sum(rows_at_least(tables[int(name[1])]) for name in frames)
    else:
        least = rows_at_least(tables[0])
    assert made.lengths.sum() >= least or "passed over" in said


NUMBERS = st.floats(-1e6, 1e6, width=32).map(float)


@st.composite
def frames_of(draw: Any, columns: int, least: int = 1) -> list[list[float]]:
    return draw(st.lists(st.lists(NUMBERS, min_size=columns, max_size=columns), min_size=least, max_size=5))


@st.composite
def written_folders(draw: Any) -> tuple[dict[str, str], list[list[list[float]]], dict[str, Any]]:
    """Files as programs write them, the frames that they hold in the right order, and how to read them."""
    d, n = draw(st.integers(1, 3)), draw(st.integers(2, 4))
    truth = [draw(frames_of(d)) for _ in range(n)]
    separator = draw(st.sampled_from([",", ";", "\t", "|"]))
    comment = draw(st.sampled_from(["", "# made in May\n", "% a, b\n"]))
    time = draw(st.sampled_from(["", "time", "when", "{t}", "Timestamp"]))
    kind = draw(st.sampled_from(["dates", "numbers", "seconds"])) if time else ""
    end, quote = draw(st.sampled_from(["\n", "\r\n"])), draw(st.sampled_from(["", '"']))
    files = {}
    for i, frames in enumerate(truth):
        head = [*([time] if time else []), *(f"x{j}" for j in range(d))]
        rows = []
        for t, frame in enumerate(frames):
            moment = {
                "": [],
                "dates": [f"2024-05-31 10:00:{t:02d}"],
                "numbers": [str(t)],
                "seconds": [f"{1_700_000_000 + t}"],
            }[kind]
            rows.append([*moment, *(repr(value) for value in frame)])
        # Only named or dated columns may be in any order.
        if kind in ("dates", "numbers"):
            rows = draw(st.permutations(rows))
        lines = [separator.join(f"{quote}{cell}{quote}" for cell in row) for row in [head, *rows]]
        files[f"f{i}.csv"] = comment + end.join(lines) + end
    options = {"time_column": time} if kind == "numbers" or (kind == "seconds" and time != "time") else {}
    return files, truth, options


@examples(60)
@given(written_folders())
def test_what_programs_write_is_read_as_it_stands(
    written: tuple[dict[str, str], list[list[list[float]]], dict[str, Any]],
) -> None:
    files, truth, options = written
    with folder_of(files) as folder:
        made, notes = read_folder(folder, on_bad_file="refuse", **options)
    assert [frames.tolist() for frames in made] == truth, notes


@st.composite
def long_tables(draw: Any) -> tuple[str, dict[str, list[list[float]]]]:
    """One table of sequences whose rows are mixed, and what each of them is."""
    ids = draw(
        st.lists(
            st.sampled_from(["a", "b", "#1", "=1+1", "%", "{x}", "007", "1.0", "é", "NA"]), min_size=1, unique=True
        )
    )
    truth = {name: draw(frames_of(2)) for name in ids}
    rows = [(name, t, frame) for name, frames in truth.items() for t, frame in enumerate(frames)]
    rows = draw(st.permutations(rows))
    lines = ["id,time,x,y", *(f"{name},{t},{frame[0]!r},{frame[1]!r}" for name, t, frame in rows)]
    return "\n".join(lines) + "\n", truth


@examples(60)
@given(long_tables())
def test_rows_of_a_long_table_come_to_their_sequence(table: tuple[str, dict[str, list[list[float]]]]) -> None:
    text, truth = table
    with folder_of({"all.csv": text}) as folder:
        made, _ = read_folder(folder)
    assert {name: made[i].tolist() for i, name in enumerate(made.ids.tolist())} == truth


# Other files


def _bytes_of(name: str) -> bytes:
    stream = io.BytesIO()
    values = np.arange(12.0).reshape(6, 2)
    if name.endswith(".npy"):
        np.save(stream, values)
    elif name.endswith(".npz"):
        np.savez(stream, values=values, offsets=[0, 2, 6], ids=["a", "b"], labels=["u", "v"])
    elif name.endswith(".parquet"):
        pandas.DataFrame(
            {"id": ["a", "a", "b"], "when": pandas.to_datetime(["2024-05-31"] * 3), "x": [1, 2, 3]}
        ).to_parquet(stream)
    elif name.endswith(".ts"):
        return b"@problemName a\n@univariate false\n@dimensions 2\n@classLabel true u v\n@data\n1,2:3,4:u\n5,?:7,8:v\n"
    else:
        return b"id,label,group\nf0,u,g\nf1.csv,v,g\n"
    return stream.getvalue()


WHOLE = {name: _bytes_of(name) for name in ("a.npy", "a.npz", "a.parquet", "a.ts", "labels.csv")}


@examples(100)
@given(st.sampled_from(sorted(WHOLE)), st.data())
def test_damaged_files_are_refused_or_read(name: str, data: Any) -> None:
    content = bytearray(WHOLE[name])
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(content) - 1))
        action = data.draw(st.sampled_from(["set", "cut", "insert", "double"]))
        if action == "set":
            content[place] = data.draw(st.integers(0, 255))
        elif action == "cut":
            del content[max(1, place) :]
        elif action == "insert":
            content[place:place] = data.draw(st.binary(max_size=4))
        else:
            content[place:place] = content[place : place + 8]
    beside = {f"f{i}.csv": f"x\n{i}.5\n2\n" for i in range(2)} if name == "labels.csv" else {}
    with folder_of({**beside, name: bytes(content)}) as folder:
        found = attempt(lambda: read_folder(folder, missing="interpolate"))
    if found is not None and beside:
        assert len(found[0]) == 2


@examples(200)
@given(st.text(alphabet=st.sampled_from("'=+-@\t1.eE ;,\"ab\n\uff1d"), max_size=6))
def test_cells_for_spreadsheets_come_back(text: str) -> None:
    cell = shielded(text)
    assert unshielded(cell) == text
    assert not cell.startswith(("=", "@", "\t", "\n", "\uff1d"))
    if cell[:1] in ("+", "-"):
        float(cell)


# Arrays

OBJECTS = st.one_of(
    st.floats(),
    st.integers(),
    st.booleans(),
    st.decimals(),
    st.fractions(),
    st.text(max_size=3),
    st.binary(max_size=3),
    st.datetimes(),
    st.lists(st.floats(-1e3, 1e3), max_size=2),
    st.tuples(st.integers(0, 9), st.integers(0, 9)),
    st.sampled_from(
        [None, pandas.NA, pandas.NaT, np.float32(1.5), np.int8(3), range(2), {}, {1}, object(), np.ones(2)]
    ),
)
DTYPES = st.sampled_from(["f8", "f4", "i8", "u8", "u1", "?", "c16", "U3", "M8[s]", "O"])


@examples(80)
@given(st.data(), st.sampled_from([None, "channels_last", "channels_first"]), st.booleans())
def test_arrays_keep_their_sequences_frames_and_numbers(data: Any, layout: Any, ordered: bool) -> None:
    shapes = data.draw(
        st.one_of(
            hnp.array_shapes(min_dims=1, max_dims=4, min_side=0, max_side=5).map(lambda shape: [shape]),
            st.lists(hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4), max_size=4),
        )
    )
    dtype = data.draw(DTYPES)
    arrays = [
        data.draw(hnp.arrays(object, shape, elements=OBJECTS) if dtype == "O" else hnp.arrays(dtype, shape))
        for shape in shapes
    ]
    stacked = len(arrays) == 1 and data.draw(st.booleans())
    form = (
        arrays[0]
        if stacked
        else data.draw(st.sampled_from([list, tuple, lambda some: [a.tolist() for a in some]]))(arrays)
    )
    found = attempt(lambda: as_collection(form, layout, ordered))
    if found is None:
        return
    made, _ = found
    items = list(arrays[0]) if stacked else arrays
    assert len(made) == len(items)
    for frames, item in zip(made, items, strict=True):
        item = np.array(item.tolist() if hasattr(item, "tolist") else item, dtype=np.float64)
        given_frames = item[:, None] if item.ndim == 1 else item.T if layout == "channels_first" else item
        rest = given_frames[len(frames) :]
        assert np.isnan(rest).all()  # padding
        assert stacked or not rest.size
        assert (frames == given_frames[: len(frames)]).all()


@st.composite
def frames_in_pandas(draw: Any) -> Any:
    n = draw(st.integers(0, 6))
    pool = {
        "number": st.lists(st.sampled_from([0, 1, 2, 2**53 + 1, 1_700_000_000]), min_size=n, max_size=n),
        "real": st.lists(st.sampled_from([0.5, -1.0, np.nan, np.inf, 1e300]), min_size=n, max_size=n),
        "tame": st.lists(st.sampled_from([0.5, -1.0, 2.0, 3.0]), min_size=n, max_size=n),
        "text": st.lists(st.sampled_from(["a", "b", "", "1", "2024-05-31"]), min_size=n, max_size=n),
        "mixed": st.lists(st.sampled_from(["a", 1, None, 2.0, pandas.NA, b"a", (1,)]), min_size=n, max_size=n),
        "dates": st.just(list(pandas.date_range("2024-05-31", periods=n)[::-1])),
        "spans": st.just(list(pandas.to_timedelta(range(n), unit="s"))),
    }
    names = draw(
        st.lists(st.sampled_from(["id", "time", "x", "y", "t", 0, 1, ("a", "b"), None]), max_size=4, unique=True)
    )
    columns = {name: draw(st.sampled_from(sorted(pool)).flatmap(pool.__getitem__)) for name in names}
    return pandas.DataFrame(columns, index=range(n))


@examples(80)
@given(
    st.one_of(frames_in_pandas(), st.lists(frames_in_pandas(), max_size=3)),
    st.sampled_from([None, "id", "x", 0]),
    st.sampled_from([None, "time", "t", "q"]),
    st.sampled_from([None, ["x"], ["x", "y"], "x", [], [0]]),
)
def test_tables_in_memory_keep_their_rows(tables: Any, of: Any, time: Any, values: Any) -> None:
    found = attempt(lambda: as_collection(tables, columns=Columns(of, time, values)))
    if found is not None:
        rows = len(tables) if isinstance(tables, pandas.DataFrame) else sum(map(len, tables))
        states = 1
        if isinstance(tables, pandas.DataFrame) and found[0].alphabet is not None and len(found[0]) == rows:
            states = len(set(tables.columns) - {"id", "label", of})  # a wide table: a row a sequence
        assert found[0].lengths.sum() == rows * states
        assert isinstance(tables, pandas.DataFrame) or len(found[0]) == len(tables)


def test_times_in_text_are_no_states() -> None:
    """Found with the property above: a row was a sequence of its time and its symbol."""
    table = pandas.DataFrame({"time": ["09:00", "09:01"], "x": ["a", "b"]})
    with pytest.raises(KinseqError, match="id"):
        as_collection(table)


# Options

# Words of other settings, so that a value may be valid for a different setting.
REAL_WORDS = sorted(
    {
        *(
            word
            for valid in (Scale, Length, Missing, OnBadFile, Kind, Width, comparing.Scale)
            for word in get_args(valid)
        ),
        *(word for valid in comparing.CHOICES.values() for word in valid),
        *clusterer_names(),
        *kind_names(),
        *(
            "channels_last",
            "channels_first",
            "speech",
            "music",
            "folders",
            "labels.csv",
            "full",
            "diag",
            "classic",
            "exp",
        ),
        *("linear", "max", "mean", "one", "zero", "njw", "shi_malik", "literal", "median", "eigengap", "given", "2-3"),
    }
)
WILD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 10**20),
    st.floats(),
    st.sampled_from(REAL_WORDS),
    st.sampled_from(
        ["", " ", "auto", "none", "all", "x", "\0", "\ud800", "0", b"x", [], {}, (1, 2), [1, 1], np.array([1, 2])]
    ),
    st.sampled_from([np.float64(2.0), np.int8(3), np.array(2), np.nan, {"recipe": "speech"}, {"hop": 1}, object()]),
)
SETTINGS = st.sampled_from(
    [
        *OPTIONS,
        *OF_READING,
        *("name", "threads", "progress", "random_state", "cache", "command", "n_clusters", "measure"),
        *sorted(SYNONYMS),
        *sorted(get_clusterer("spectral").params),
        *("window", "nonsense", "options"),
    ]
)
ITEMS = [np.random.default_rng(i).normal(4.0 * (i % 2), 1.0, size=(6 + i % 2, 2)) for i in range(6)]
FILES = {f"f{i}.csv": "x,y\n" + "".join(f"{x:.3f},{y:.3f}\n" for x, y in frames) for i, frames in enumerate(ITEMS)}


@examples(50)
@given(st.booleans(), st.dictionaries(SETTINGS, WILD, min_size=1, max_size=2))
def test_settings_of_any_value_are_taken_or_refused(on_disk: bool, given_settings: dict[str, Any]) -> None:
    assume(not isinstance(given_settings.get("threads"), (int, float)) or not given_settings["threads"] >= 4)
    assume("cache" not in given_settings)
    given_settings.setdefault("n_clusters", 2)
    with folder_of(FILES) as folder:
        found = attempt(
            lambda: kinseq.cluster(str(folder) if on_disk else ITEMS, **{"measure": "mean_vector", **given_settings})
        )
    assert found is None or len(found.labels) == 6


READING = (
    "labels",
    "missing",
    "on_bad_file",
    "features",
    "kind",
    "sample_rate",
    "trim",
    "n_jobs",
    "name",
    "time_column",
)


@examples(40)
@given(
    st.dictionaries(st.sampled_from(READING), st.one_of(WILD, st.sampled_from(["x", "y", "table", "mean"])), max_size=3)
)
def test_ways_of_reading_of_any_value_are_taken_or_refused(options: dict[str, Any]) -> None:
    assume(not isinstance(options.get("n_jobs"), (int, float)) or not options["n_jobs"] >= 4)
    with folder_of(FILES) as folder:
        found = attempt(lambda: read_folder(folder, **options))
    assert found is None or len(found[0]) == 6


MEASURES, CLUSTERERS = (
    ("dtw", "mmd", "kl_ll", "ppk"),
    ("spectral", "hierarchical", "kmedoids", "mcl", "kmeans_of_means"),
)


@examples(25)
@given(st.sampled_from(MEASURES), st.sampled_from(CLUSTERERS), st.data())
def test_estimators_with_parameters_of_any_value_fit_or_refuse(measure: str, clusterer: str, data: Any) -> None:
    of_measure, of_clusterer = sorted(option_names(get_measure(measure), None)), sorted(get_clusterer(clusterer).params)
    words = ["scale", "layout", "sample", "random_state", "n_clusters", *of_clusterer, *of_measure]
    params = data.draw(st.dictionaries(st.sampled_from(words), WILD, min_size=1, max_size=2))
    # Slow is not wrong.
    assume(
        not any(
            isinstance(value, (int, float)) and value > 50 for name, value in params.items() if name != "random_state"
        )
    )

    model = kinseq.SequenceClustering(2, measure, clusterer=clusterer)
    named = {name: value for name, value in params.items() if name in model.get_params()}
    more = {name: value for name, value in params.items() if name not in named}

    def fit() -> Any:
        return model.set_params(**named, params=more).fit(ITEMS)

    found = attempt(fit)
    assert found is None or found.labels_.shape == (6,)


FITTED = kinseq.cluster([pandas.DataFrame(item, columns=["x", "y"]) for item in ITEMS], 2, "mean_vector")


@examples(60)
@given(
    st.one_of(
        frames_in_pandas(),
        st.lists(frames_in_pandas(), max_size=3),
        hnp.arrays("f8", hnp.array_shapes(max_dims=4)),
        WILD,
    )
)
def test_new_sequences_get_a_cluster_each_or_a_sentence(new: Any) -> None:
    found = attempt(lambda: FITTED.predict(new))
    if found is not None and isinstance(new, (list, np.ndarray)):
        assert len(found) == len(new)


TYPED = st.one_of(
    st.text(alphabet=st.characters(codec="utf-8"), max_size=5),
    st.sampled_from(
        [
            "-1",
            "0",
            "1",
            "2",
            "007",
            "1e3",
            "9" * 30,
            "all",
            "auto",
            "none",
            "speech",
            "ssd,",
            "dtw,dtw",
            "~",
            "/",
            "..",
            *REAL_WORDS,
        ]
    ),
)


@examples(100)
@given(st.dictionaries(st.sampled_from([*WORDS]), TYPED, max_size=4))
def test_words_of_any_value_are_taken_or_refused(words: dict[str, str]) -> None:
    with folder_of(FILES) as folder:
        entries = {"data": str(folder), **words}
        own = attempt(lambda: checked(from_texts(entries), folder.parent / "results"))
    assert own is None or {"data", "name"} <= set(own)


@examples(60)
@given(st.dictionaries(st.sampled_from([*COMPARING]), TYPED, max_size=3))
def test_words_of_a_comparison_are_taken_or_refused(words: dict[str, str]) -> None:
    with folder_of(FILES) as folder:
        entries = {"a": str(folder / "f0.csv"), "b": str(folder / "f1.csv"), **words}
        asked = attempt(lambda: comparing.checked(comparing.from_texts(entries), folder.parent / "r"))
    assert asked is None or {"a", "b", "name"} <= set(asked)


@examples(60)
@given(
    st.lists(
        st.tuples(st.sampled_from(["-k", "--seed", "--threads", "--results", "--sample", "--name"]), TYPED), max_size=3
    )
)
def test_typed_options_are_refused_before_any_work(options: list[tuple[str, str]]) -> None:
    with folder_of(FILES) as folder:
        typed = ["cluster", str(folder / "nothing"), *(f"{word}={value}" for word, value in options)]
        with pytest.raises((KinseqError, SystemExit)):
            console.run(typed)


@examples(25)
@given(st.lists(text_tables(), min_size=2, max_size=2), st.sampled_from(["auto", "none", "zscore"]))
def test_comparing_any_two_tables_gives_an_answer_or_a_sentence(tables: list[str], scale: Any) -> None:
    many = [text + text.partition("\n")[2] * 9 if i else text * 9 for i, text in enumerate(tables)]
    with folder_of({"a.csv": many[0], "b.csv": many[1]}) as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(comparing_run, "_SUBSAMPLES", 20)
        patch.setattr(comparing_run, "_PERMUTATIONS", 19)
        found = attempt(lambda: kinseq.compare(folder / "a.csv", folder / "b.csv", scale=scale, missing="interpolate"))
    if found is not None:
        assert np.isfinite([made.value for made in found.comparison.estimates]).all()
