"""Groups in a few words: the right property and column, what is repeated, what is left, and silence where there is nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kinseq.analysis.explaining import WITHOUT_VALUES, WORDS, explain
from kinseq.analysis.group_labels import (
    MOST_WORDS,
    TEMPLATES,
    _without_repetition,
    called_by,
    groups_in_words,
    phrase,
)
from kinseq.core.arrays import FloatArray, IntArray
from kinseq.core.sequences import SequenceSet
from tests.sentences import Recorded

FRAMES = 80
TIME = np.arange(FRAMES)
TEN = np.repeat([0, 1, 2], 10)


def as_set(arrays: list[FloatArray], columns: list[str] | None = None) -> SequenceSet:
    given = SequenceSet.from_arrays(arrays, layout="channels_last")
    return (
        given
        if columns is None
        else SequenceSet.from_arrays([pd.DataFrame(x, columns=columns) for x in arrays], layout="channels_last")
    )


def called(arrays: list[FloatArray], labels: IntArray, columns: list[str] | None = None) -> str:
    return groups_in_words(explain(as_set(arrays, columns), labels), np.bincount(labels))


def pumps(labels: IntArray, seed: int = 0) -> list[FloatArray]:
    """Some with a current that creeps up, some with a pressure that swings, and some with neither."""
    rng = np.random.default_rng(seed)
    arrays = []
    for kind in labels:
        current, pressure = 3.0 + 0.05 * rng.normal(size=FRAMES), 7.0 + 0.1 * rng.normal(size=FRAMES)
        current += (kind == 0) * (TIME / FRAMES - 0.5)
        pressure += (kind == 1) * 0.8 * np.sin(2 * np.pi * (TIME / 16 + rng.uniform()))
        arrays.append(np.stack([current, pressure], axis=1))
    return arrays


def test_each_kind_of_property_has_words() -> None:
    assert set(TEMPLATES) == {*WORDS, "shape"} - WITHOUT_VALUES
    for kind, templates in TEMPLATES.items():
        for exceeds, between in ((True, False), (False, False), (True, True)):
            said = phrase(kind, "load", "9 s", exceeds, between, (1.0, 0.0) if exceeds else (-1.0, 0.0))
            assert "{" not in said
            assert ("load" in said) == any("{column}" in text for text in templates)
            assert ("9 s" in said) == any("{value}" in text for text in templates)


WORD = st.sampled_from(["with", "about", "at", "every", "of", "rpm", "rising", "steadily", "now", "5", "s"])


@given(st.lists(WORD, min_size=1, max_size=6), st.lists(WORD, min_size=1, max_size=6))
@example(["with", "rpm", "rising"], ["with", "rpm", "rising", "steadily", "now"])
def test_what_is_new_in_words_is_never_empty_and_ends_as_they_do(new: list[str], before: list[str]) -> None:
    said = _without_repetition(" ".join(new), " ".join(before))
    assert said
    assert " ".join(new).endswith(said)


FINDING = st.tuples(
    st.sampled_from(["", "rpm", "load", "energy", "rpm and load"]),
    st.sampled_from(sorted(TEMPLATES)),
    st.floats(0.0, 1.0),
    st.sampled_from(["", "with rpm rising", "with rpm rising steadily now", "with load about 3", "of about 80 frames"]),
)


@settings(deadline=None)
@given(st.lists(st.lists(FINDING, min_size=1, max_size=4), min_size=2, max_size=8), st.randoms(use_true_random=False))
def test_groups_have_words_whatever_was_found(findings: list[list[tuple[Any, ...]]], random: Any) -> None:
    rows = [
        (k, column, kind, effect, 0.01, "", words, words, float("nan"))
        for k, found in enumerate(findings)
        for column, kind, effect, words in found
    ]
    columns = ["cluster", "column", "property", "effect", "p", "where", "sentence", "words", "value"]
    table = pd.DataFrame(rows, columns=columns).assign(direction=0)
    sizes = np.array([random.randint(1, 90) for _ in findings])
    said = groups_in_words(table, sizes)
    assert isinstance(said, str)
    assert len(said.split()) <= MOST_WORDS + 3 * len(findings) + 12


def test_a_group_that_is_what_the_others_are_not_is_said_so() -> None:
    said = called(pumps(TEN), TEN, ["current", "pressure"])
    rising, cycling, neither = said.split("; ")
    assert rising in ("10 with current rising", "10 with current varying by about 0.29")
    assert cycling.startswith("10 with pressure ")
    assert neither == "10 with neither"


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (lambda k, rng: 2.0 + 3.0 * k + 0.1 * rng.normal(size=FRAMES), ("about 2", "about 5")),
        (
            lambda k, rng: np.sin(2 * np.pi * (TIME / (8 + 8 * k) + rng.uniform())),
            ("every 8 frames", "every 16 frames"),
        ),
        (lambda k, rng: (1 - 2 * k) * (TIME - FRAMES / 2) / 20 + rng.normal(size=FRAMES), ("rising", "falling")),
        (lambda k, rng: (1 + 3 * k) * rng.normal(size=FRAMES), ("varying by about", "by about")),
        (
            lambda k, rng: np.exp(-(((TIME - 20 - 40 * k) / 4.0) ** 2)) + 0.05 * rng.normal(size=FRAMES),
            ("at 2", "at 7"),
        ),
    ],
    ids=["level", "period", "trend", "spread", "event"],
)
def test_planted_groups_are_called_by_what_they_differ_in(make: Any, expected: tuple[str, str], seed: int) -> None:
    rng, labels = np.random.default_rng(seed), np.repeat([0, 1], 10)
    planted = [make(k, rng) for k in labels]
    column = seed % 3
    arrays = [rng.normal(size=(FRAMES, 3)) for _ in labels]
    for x, own in zip(arrays, planted, strict=True):
        x[:, column] = own
    first, second = called(arrays, labels, ["a", "b", "c"]).split("; ")
    assert f" {'abc'[column]} " in f"{first} "
    assert expected[0] in first
    assert expected[1] in second


def test_random_labels_get_no_words() -> None:
    rng = np.random.default_rng(1)
    arrays = [rng.normal(size=(FRAMES, 2)) for _ in range(24)]
    said = [called(arrays, rng.permutation(np.arange(24) % 3)) for _ in range(20)]
    assert sum(map(bool, said)) <= 2


@pytest.mark.parametrize(
    "own, others, said",
    [
        (0.9, 0.1, "rising"),
        (0.5, -0.9, "rising overall"),
        (0.9, -0.9, "rising"),
        (-0.9, 0.4, "falling"),
        (0.9, 0.5, "rising more steadily"),
        (0.5, 0.9, "rising less steadily"),
        (-0.5, -0.9, "falling less steadily"),
        (-0.9, -0.5, "falling more steadily"),
        (0.1, 0.9, "neither rising nor falling"),
        (0.2, -0.1, "rising a little"),
        (-0.2, 0.1, "falling a little"),
        (0.1, 0.2, "neither rising nor falling"),
    ],
)
def test_two_courses_of_one_kind_are_not_called_the_same(own: float, others: float, said: str) -> None:
    medians = np.arctanh([own, others]).tolist()
    assert phrase("trend", "load", "", own > others, False, medians) == f"with load {said}"
    # A group between others is described by itself.
    alone = "neither rising nor falling" if abs(own) < 0.3 else said.split()[0] + " overall" * (abs(own) < 0.6)
    assert phrase("trend", "load", "", own > others, True, medians) == f"with load {alone}"


def test_groups_that_rise_both_are_called_by_how_steadily(recorded: Recorded) -> None:
    rng = np.random.default_rng(4)
    time = np.linspace(0.0, 1.0, FRAMES)[:, None]
    arrays = [(0.6 + 5.0 * (k == 1)) * time + 0.3 * rng.normal(size=(FRAMES, 1)) for k in TEN[:20]]
    rows = explain(SequenceSet.from_arrays(arrays), TEN[:20])
    of_trend = rows[rows["property"] == "trend"].sort_values("cluster")["words"]
    recorded(of_trend.tolist())


def test_the_only_column_without_a_name_is_called_the_values() -> None:
    rng = np.random.default_rng(2)
    labels = np.repeat([0, 1], 8)
    arrays = [rng.normal(size=(FRAMES, 1)) + 9.0 * k for k in labels]
    assert called(arrays, labels).startswith("8 with the values about ")
    assert called(arrays, labels, ["load"]).startswith("8 with load about ")


def table(*rows: tuple[int, str, str, float, str]) -> pd.DataFrame:
    """As of explain; a property that members lie in between in ends with that here."""
    entries = [
        (k, column, kind.removesuffix(" in between"), effect, 0.01, "", "", words, 0 if "between" in kind else 1)
        for k, kind, column, effect, words in rows
    ]
    names = ["cluster", "column", "property", "effect", "p", "where", "sentence", "words", "direction"]
    return pd.DataFrame(entries, columns=names)


def test_what_the_group_before_has_too_is_not_repeated(recorded: Recorded) -> None:
    rows = table(
        (0, "event time", "load", 0.0, "with the main event of load at 8 h"),
        (1, "event time", "load", 1.0, "with the main event of load at 14 h"),
    )
    recorded(groups_in_words(rows, np.array([20, 19])))
    middle = table(
        (0, "period", "", 1.0, "with the values cycling every 20 frames"),
        (1, "period", "", 0.0, "with the values cycling every 5 frames"),
        (2, "period in between", "", 1.0, "with the values cycling every 10 frames"),
    )
    said = groups_in_words(middle, np.array([9, 8, 7]))
    recorded(said)
    same = table((0, "level", "a", 0.0, "with a about 2"), (1, "level", "a", 1.0, "with a about 2"))
    recorded(groups_in_words(same, np.array([3, 4])))


def test_of_many_groups_the_largest_are_named_and_the_sentence_stays_short(recorded: Recorded) -> None:
    rows = [(k, "level", "a", 1.0, f"with a about {k}") for k in range(7)]
    sizes = np.array([3, 9, 4, 8, 5, 7, 6])
    recorded(groups_in_words(table(*rows), sizes))
    long = [(k, "shape", f"c{k}", 1.0, f"with c{k} of a shape of its own that goes on and on") for k in range(4)]
    said = groups_in_words(table(*long), np.full(4, 5))
    assert len(said.split()) <= MOST_WORDS + 1
    assert said.endswith("; ...")


def test_where_nothing_is_told_there_are_no_words_and_of_two_groups_one_is_the_other(recorded: Recorded) -> None:
    nothing = (1, "", "", float("nan"), "")
    assert groups_in_words(table((0, "", "", float("nan"), ""), nothing), np.array([2, 2])) == ""
    said = groups_in_words(table((0, "level", "a", 1.0, "with a about 2"), nothing), np.array([4, 6]))
    recorded(said)


def test_several_groups_that_nothing_sets_apart_are_the_others(recorded: Recorded) -> None:
    def nothing(k: int) -> tuple[int, str, str, float, str]:
        return (k, "", "", float("nan"), "")

    said = groups_in_words(table(nothing(0), (1, "level", "a", 1.0, "with a about 2"), nothing(2)), np.array([4, 6, 5]))
    recorded(said)
    levels = [(k, "level", "abc"[k], 1.0, f"with {'abc'[k]} about 2") for k in range(3)]
    assert groups_in_words(table(*levels, nothing(3)), np.full(4, 2)).endswith("; 2 with none of these")


def test_coefficients_of_recordings_are_no_words_and_loudness_is(recorded: Recorded) -> None:
    numbers = (0, "trend", "coefficient 6", 1.0, "with coefficient 6 rising")
    heard = (0, "brightness", "", 0.95, "with brighter sound")
    other = (1, "level", "energy (loudness)", 0.0, phrase("level", "energy (loudness)", "-3.1", False, False))
    said = groups_in_words(table(numbers, heard, other), np.array([5, 6]))
    recorded(said)
    assert groups_in_words(table(numbers, (1, *numbers[1:])), np.array([5, 6])) == ""
    assert phrase("period", "energy (loudness)", "150 ms", True, False) == "repeating every 150 ms"
    sounds = table((0, "brightness", "", 1.0, "with brighter sound"), (1, "brightness", "", 0.0, "with darker sound"))
    recorded(groups_in_words(sounds, np.array([5, 6])))


def test_a_group_is_called_by_what_the_table_has_first() -> None:
    rows = [("spread", "load", 0.97, "s"), ("level", "load", 1.0, "l"), ("shape", "load", 1.0, "h")]
    (row,) = called_by(table(*((0, *entry) for entry in rows)))
    assert row is not None
    assert row["words"] == "s"


def test_groups_that_one_property_does_not_tell_apart_get_a_second_one(recorded: Recorded) -> None:
    """Two levels, two periods each; a spread that goes with the level is the same fact, and no second one."""
    levels = table(
        (0, "level", "load", 0.17, "with load about 1"),
        (0, "spread", "load", 0.17, "with load varying by about 1"),
        (0, "period", "load", 0.22, "with load cycling every 6 s"),
        (1, "level", "load", 0.17, "with load about 1.1"),
        (1, "period", "load", 0.78, "with load cycling every 9 s"),
        (2, "level", "load", 0.83, "with load about 20"),
        (2, "period", "load", 0.6, "with load cycling every 8 s"),
        (3, "level", "load", 0.83, "with load about 21"),
    )
    recorded(groups_in_words(levels, np.full(4, 5)))
    # If one property distinguishes them, it suffices.
    apart = table(
        (0, "level", "load", 0.0, "with load about 1"),
        (0, "period", "load", 0.1, "with load cycling every 6 s"),
        (1, "level in between", "load", 1.0, "with load about 5"),
        (1, "period", "load", 0.9, "with load cycling every 9 s"),
        (2, "level", "load", 1.0, "with load about 20"),
    )
    recorded(groups_in_words(apart, np.full(3, 5)))


def test_next_to_nothing_is_no_number_with_many_zeros(recorded: Recorded) -> None:
    rng = np.random.default_rng(3)
    arrays = [20.0 * (k == 1) + 0.01 * rng.normal(size=(FRAMES, 1)) for k in TEN[:20]]
    recorded(called(arrays, TEN[:20], ["load"]))
