"""Comparisons with sequences without groups: sets that are kept, and sets that are compared side by side, change no answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from threading import get_ident, main_thread

import numpy as np
import pytest

import kinseq
from kinseq.analysis import null as comparisons
from kinseq.analysis.candidates import Candidate
from kinseq.analysis.null import Null
from kinseq.analysis.null_samples import GIVEN, NullSamples, SampleKey
from kinseq.analysis.options import Options
from kinseq.core.arrays import FloatArray
from kinseq.core.sequences import SequenceSet
from kinseq.metrics.groupings import Grouping, of_labels
from tests.processes import spliced, surrogates
from tests.sentences import Recorded

LEVELS, SHAPES = "levels", "shapes"


@pytest.fixture(autouse=True)
def side_by_side(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sets as small as those here would be compared one after another."""
    monkeypatch.setattr(comparisons, "SMALL_SETS", 0)


def compute(sequences: SequenceSet, names: Sequence[str]) -> Mapping[str, FloatArray]:
    """Two views: distances of means, and of sequences less their means."""
    frames = np.stack(list(sequences))
    rows = {LEVELS: frames.mean(axis=1), SHAPES: (frames - frames.mean(axis=1, keepdims=True)).reshape(len(frames), -1)}
    return {name: np.sqrt(np.square(rows[name][:, None] - rows[name]).sum(axis=2)) for name in names}


def waves(n: int = 14, frames: int = 24, apart: float = 0.0) -> SequenceSet:
    random, time = np.random.default_rng(3), np.arange(frames)[:, None]
    return SequenceSet.from_arrays(
        [
            np.sin(time / 3.0 + random.uniform(0, 6)) + apart * (i % 2) + 0.3 * random.normal(size=(frames, 1))
            for i in range(n)
        ],
        layout="channels_last",
    )


def null_of(sequences: SequenceSet, threads: int = 1) -> Null:
    return Null(sequences, compute, (LEVELS, SHAPES), Options(threads=threads))


def halves(null: Null) -> Grouping:
    return of_labels(compute(null.sequences, [LEVELS])[LEVELS], np.arange(len(null.sequences)) % 2)


QUESTIONS: list[Callable[[Null], object]] = [
    lambda null: null.views([LEVELS, SHAPES], 4),
    lambda null: null.views([LEVELS], 4, alone=True),
    lambda null: null.views([SHAPES], 4, together=False),
    lambda null: null.properties(4),
    lambda null: null.null_comparison(Candidate(LEVELS, halves(null))),
    lambda null: null.null_comparison(Candidate("level of 1", halves(null), by_property=True)),
    lambda null: null.before_and_after(halves(null).labels, [LEVELS, SHAPES]),
    lambda null: null.before_and_after(halves(null).labels, ["level of 1"], by_property=True),
    lambda null: null.within(np.arange(0, len(null.sequences), 2)).views([LEVELS, SHAPES], 2),
]
"""They share sets: all views, one by itself, some, a property's, and groups of a view and of a property."""


def answers(null: Null) -> list[object]:
    return [question(null) for question in QUESTIONS]


@pytest.mark.parametrize("apart", [0.0, 3.0])
def test_answers_do_not_depend_on_threads_or_on_earlier_questions(apart: float) -> None:
    plain = answers(null_of(waves(apart=apart)))
    assert answers(null_of(waves(apart=apart), threads=2)) == plain
    # Each from a fresh comparison, and from one that answered all others, in reverse order.
    assert [question(null_of(waves(apart=apart))) for question in QUESTIONS] == plain
    null = null_of(waves(apart=apart))
    assert [question(null) for question in reversed(QUESTIONS)] == plain[::-1]


def test_sets_and_views_that_are_kept_are_those_drawn_anew() -> None:
    sequences = waves()
    kept, anew = (NullSamples(sequences, 5, compute, most_bytes) for most_bytes in (1 << 20, 0))
    drawn: dict[str, Iterator[SequenceSet]] = {
        "surrogates": surrogates(sequences, 4, 5),
        "spliced": spliced(sequences, 4, 5),
    }
    for source, sets in drawn.items():
        for k, one in enumerate(islice(sets, 4)):
            place = SampleKey(source, k)  # type: ignore[arg-type]
            for _ in range(2):
                np.testing.assert_array_equal(kept.sequences(place).values, one.values)
                np.testing.assert_array_equal(anew.sequences(place).values, one.values)
                for name, view in compute(one, [LEVELS, SHAPES]).items():
                    np.testing.assert_array_equal(kept.views(place, 1, [name])[name], view)
                    np.testing.assert_array_equal(anew.views(place, 1, [SHAPES, LEVELS])[name], view)
    assert kept.sequences(GIVEN) is sequences


def test_each_view_of_a_set_is_computed_once_while_there_is_room() -> None:
    asked: Counter[tuple[bytes, str]] = Counter()

    def counting(sequences: SequenceSet, names: Sequence[str]) -> Mapping[str, FloatArray]:
        asked.update((sequences.values.tobytes(), name) for name in names)
        # A view in which all pairs are alike has no matrix.
        return {name: view for name, view in compute(sequences, [LEVELS]).items() if name in names}

    for most_bytes, most in ((1 << 20, 1), (0, 3)):
        asked.clear()
        sets = NullSamples(waves(), 0, counting, most_bytes)
        for k in (0, 1):
            for _ in range(3):
                assert list(sets.views(SampleKey("surrogates", k), 1, [SHAPES, LEVELS])) == [LEVELS]
        assert len(asked) == 4
        # Missing parts take no room.
        assert set(asked.values()) <= {1, most}
        assert max(asked.values()) == most


PERIOD = 6


def switched(shift: float = 0.0, n: int = 36, frames: int = 60) -> SequenceSet:
    """Machines that are on for half of each cycle of six frames, begun at each of them in turn; every other six one level up."""
    random, time = np.random.default_rng(4), np.arange(frames)
    arrays = [
        ((time + i) % PERIOD < PERIOD // 2) + shift * (i // PERIOD % 2) + 0.1 * random.normal(size=frames)
        for i in range(n)
    ]
    return SequenceSet.from_arrays([array[:, None] for array in arrays], layout="channels_last")


@pytest.mark.parametrize("by_property", [False, True])
def test_groups_of_what_sequences_are_last_and_those_of_when_they_begin_do_not(by_property: bool) -> None:
    null = null_of(switched(2.0))
    moments, levels = np.arange(36) % PERIOD, np.arange(36) // PERIOD % 2
    before, after = null.before_and_after(moments, [SHAPES])
    assert before > 0.7
    assert after < 0.1
    assert not null.survives_phase_shift(moments, [SHAPES])
    name = "level of 1" if by_property else LEVELS
    before, after = null.before_and_after(levels, [name], by_property)
    assert before > 0.9
    assert after > 0.9 * before
    assert null.survives_phase_shift(levels, [name], by_property)
    # Views that do not show the groups are neutral.
    assert null.before_and_after(levels, [SHAPES]) == (0.0, 0.0)
    assert null.survives_phase_shift(levels, [LEVELS, SHAPES])
    assert not null.survives_phase_shift(moments, [LEVELS, SHAPES])


def test_groups_that_do_not_last_stand_as_one_process_however_clear_they_are(recorded: Recorded) -> None:
    null = null_of(switched())
    moments = of_labels(compute(null.sequences, [SHAPES])[SHAPES], np.arange(36) % PERIOD)
    assert moments.strength > 0.7
    recorded(null.null_comparison(Candidate(SHAPES, moments)))


def test_where_the_time_in_a_sequence_has_a_meaning_all_groups_last() -> None:
    random, time = np.random.default_rng(4), np.arange(60)
    arrays = [
        (np.exp(-0.5 * ((time - 15 - 30 * (i % 2)) / 3.0) ** 2) + 0.05 * random.normal(size=60))[:, None]
        for i in range(24)
    ]
    null = null_of(SequenceSet.from_arrays(arrays, layout="channels_last"))
    assert null.before_and_after(np.arange(24) % 2, [SHAPES]) == (0.0, 0.0)
    assert null.survives_phase_shift(np.arange(24) % 2, [SHAPES])
    assert null.survives_phase_shift(np.zeros(24, dtype=np.int64), [SHAPES])


def test_moved_sequences_are_parts_of_the_given_ones_that_begin_anywhere() -> None:
    sequences = waves(14, 24)
    begun = set()
    for k in range(20):
        for whole, part in zip(
            sequences, NullSamples(sequences, 5, None).sequences(SampleKey("moved", k)), strict=True
        ):
            assert len(part) == 18
            (at,) = (t for t in range(7) if np.array_equal(whole[t : t + 18], part))
            begun.add(at)
    assert begun == set(range(7))


def test_averaged_frames_have_views_of_their_own() -> None:
    sets = NullSamples(waves(), 0, compute)
    one, two = (sets.views(SampleKey("surrogates", 0), factor, [SHAPES])[SHAPES] for factor in (1, 2))
    assert not np.array_equal(one, two)


@pytest.mark.parametrize("number", [None, 2])
def test_a_whole_analysis_is_the_same_on_two_threads(number: int | None) -> None:
    arrays = list(waves(16, 40))
    time = np.arange(40)[:, None]
    arrays[8:] = [frames + np.sin(time / 1.5 + i) for i, frames in enumerate(arrays[8:])]
    one, two = (kinseq.cluster(arrays, n_clusters=number, n_jobs=n_jobs) for n_jobs in (1, 2))
    np.testing.assert_array_equal(one.labels, two.labels)
    np.testing.assert_array_equal(one.distance, two.distance)
    assert one.verdict == two.verdict
    assert one.alternative_groupings == two.alternative_groupings
    assert one.choices == two.choices


def test_the_number_of_threads_is_no_part_of_an_answer() -> None:
    null = null_of(waves(apart=3.0))
    assert replace(null, options=Options(threads=3)).views([LEVELS], 4) == null.views([LEVELS], 4)


@pytest.mark.parametrize("small", [True, False])
def test_small_sets_are_compared_one_after_another(small: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if small:
        monkeypatch.undo()
    seen = set()

    def compute_here(sequences: SequenceSet, names: Sequence[str]) -> Mapping[str, FloatArray]:
        seen.add(get_ident())
        return compute(sequences, names)

    replace(null_of(waves(), threads=2), compute=compute_here).views([LEVELS], 4)
    assert (seen == {main_thread().ident}) is small
