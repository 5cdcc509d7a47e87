"""Options of reading: each one is an entry, which all doors take alike."""

from __future__ import annotations

import argparse
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args, get_type_hints

import numpy as np
import pytest

import kinseq
from kinseq.analysis.options import Options
from kinseq.cli import console
from kinseq.core.errors import DataError, ParameterError
from kinseq.core.settings import Settings, option, options_of
from kinseq.core.streamed import SequenceParts
from kinseq.readers import streaming
from kinseq.readers.reading import OPTIONS, Reading, ReadingOptions
from tests.sentences import Recorded

DESIGN = Path(__file__).resolve().parents[3] / "docs" / "design.md"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    random = np.random.default_rng(0)
    for i in range(8):
        table = np.column_stack([np.arange(20) / 4.0, random.normal(5.0 * (i % 2), 1.0, size=(20, 2))])
        np.savetxt(tmp_path / f"s{i}.csv", table, delimiter=",", header="t,x,y", comments="")
    return tmp_path


def test_keywords_have_the_types_of_the_options() -> None:
    hints, typed = get_type_hints(Reading), get_type_hints(ReadingOptions)
    assert list(typed) == list(OPTIONS)
    for name, hint in typed.items():
        # Comma-separated texts and None are accepted too, and stored as a tuple.
        assert hint == hints[name] or name in ("drop_columns", "missing_codes")


def test_the_command_line_has_a_word_for_each_option_with_one() -> None:
    known = console.parser()
    (commands,) = [entry for entry in known._actions if isinstance(entry, argparse._SubParsersAction)]
    for command, use in (("cluster", "cluster"), ("compare", "compare"), ("predict", "predict")):
        typed = {entry.dest for entry in commands.choices[command]._actions}
        wanted = {name for name, entry in OPTIONS.items() if entry.word and use not in entry.not_for}
        assert typed & OPTIONS.keys() == wanted


def test_the_option_that_the_design_adds_is_one(tmp_path: Path, recorded: Recorded) -> None:
    (entry,) = re.findall(r"```python\n(every: .*?)```", DESIGN.read_text(encoding="utf-8"), flags=re.DOTALL)
    space: dict[str, Any] = {"option": option, "dataclass": dataclass, "Reading": Reading}
    exec("@dataclass(frozen=True)\nclass More(Reading):\n" + re.sub("(?m)^", "    ", entry), space)
    more: type[Settings] = space["More"]
    made = options_of(more)["every"]
    recorded((made.word, made.of, made.help))
    assert more(every=3).changed() == {"every": 3}  # type: ignore[call-arg]
    with recorded.raises(ParameterError):
        more(every=0)  # type: ignore[call-arg]


def test_a_set_knows_how_it_was_read(folder: Path, recorded: Recorded) -> None:
    (folder / "notes.pdf").write_bytes(b"%PDF")
    read = kinseq.read(folder, time_column="t", value_columns="y,x", rate=4.0)
    assert read.reading == Reading(time_column="t", value_columns=("y", "x"), rate=4.0)
    recorded(read.notes[0])
    assert read.source == str(folder)
    again = kinseq.read(folder, read.reading)
    assert again.reading == read.reading
    np.testing.assert_array_equal(again.values, read.values)


def test_clusters_are_the_same_whichever_way_the_options_are_given(folder: Path) -> None:
    how = {"time_column": "t", "drop_columns": ["y"]}
    found = kinseq.cluster(folder, 2, "dtw", **how)
    for data, given in (
        (folder, {"reading": how}),
        (folder, {"reading": Reading(**how)}),
        (folder, {"reading": {"time_column": "t"}, "drop_columns": "y"}),
        (kinseq.read(folder, **how), {}),
    ):
        other = kinseq.cluster(data, 2, "dtw", **given)
        np.testing.assert_array_equal(other.distance, found.distance)
        assert (other.notes, other.details.call()) == (found.notes, found.details.call())
        np.testing.assert_array_equal(other.predict(folder), found.labels)
        np.testing.assert_array_equal(other.predict(kinseq.read(folder, **how)), found.labels)


@pytest.mark.parametrize(
    "given",
    [
        {"time_colum": "t"},
        {"fps": 3.0},
        {"reading": {"tme_column": "t"}},
        {"reading": {"rate": 1.0}, "rate": 2.0},
        {"reading": "t"},
        {"window": 0.1},
        {"layout": "channels_first"},
    ],
    ids=lambda entry: next(iter(entry)) if isinstance(entry, dict) else "",
)
def test_words_that_are_none_are_refused_before_a_file_is_opened(
    tmp_path: Path, given: dict[str, Any], recorded: Recorded
) -> None:
    with recorded.raises(ParameterError):
        kinseq.cluster(tmp_path / "nothing here", 2, "kl_ll" if "window" not in given else WITH_WINDOW, **given)


WITH_WINDOW = next(name for name in kinseq.measures.names() if "window" in kinseq.measures.get(name).params)


def test_options_of_sequences_that_were_read_before_are_refused(folder: Path, recorded: Recorded) -> None:
    read = kinseq.read(folder)
    with recorded.raises(ParameterError):
        kinseq.cluster(read, 2, "dtw", missing="interpolate")
    assert kinseq.cluster(read, 2, "dtw", labels=["a", "b"] * 4).sequences.labels.tolist() == ["a", "b"] * 4


def test_options_are_checked_once_a_call(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[type] = []
    for kind in (Reading, Options):
        check = kind.__post_init__
        monkeypatch.setattr(kind, "__post_init__", lambda self, check=check: (made.append(type(self)), check(self))[1])
    found = kinseq.cluster(folder, 2, "dtw", time_column="t")
    assert sorted(entry.__name__ for entry in made) == ["Options", "Reading"]
    made.clear()
    found.predict(folder)
    assert not made


def test_a_large_table_is_streamed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"id": np.repeat(["a", "b", "c"], 5), "x": np.arange(15.0)})
    table.to_parquet(tmp_path / "t.parquet")
    held = kinseq.read(tmp_path / "t.parquet", rate=2.0)
    monkeypatch.setattr(streaming, "STREAMED_FROM", 1)
    streamed = kinseq.read(tmp_path / "t.parquet", rate=2.0)
    assert isinstance(streamed, SequenceParts)
    assert streamed.reading == held.reading
    assert streamed.provenance == held.provenance
    np.testing.assert_array_equal(streamed.load().values, held.values)
    found = kinseq.cluster(streamed, 2, "dtw")
    np.testing.assert_array_equal(found.distance, kinseq.cluster(held, 2, "dtw").distance)


def test_a_recording_is_segmented_from_its_file(folder: Path, recorded: Recorded) -> None:
    frames = np.random.default_rng(1).normal(size=(60, 1)) * np.repeat([1.0, 6.0], 30)[:, None]
    path = folder / "long.csv"
    np.savetxt(path, np.column_stack([np.arange(60.0), frames]), delimiter=",", header="t,x", comments="")
    words: dict[str, Any] = {"window": 10, "n_segments": 2, "n_sources": 2, "measure": "pooled"}
    wanted = kinseq.segment_sequence(frames, **words).boundaries
    np.testing.assert_array_equal(
        kinseq.segment_sequence(path, reading={"time_column": "t"}, **words).boundaries, wanted
    )
    with recorded.raises(DataError):
        kinseq.segment_sequence(folder, **words)
    with recorded.raises(ParameterError):
        kinseq.segment_sequence(frames, reading={}, **words)


def test_choices_of_options_are_their_types() -> None:
    hints = get_type_hints(Reading)
    for name, entry in OPTIONS.items():
        if entry.choices:
            kinds = [hint for hint in (hints[name], *get_args(hints[name])) if get_args(hint)]
            assert any(set(get_args(hint)) == set(entry.choices) for hint in kinds), name
