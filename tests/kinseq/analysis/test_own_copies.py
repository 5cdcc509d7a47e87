"""Copies of sequences are named by every door; page and console are looked at in test_own_files."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import kinseq
from kinseq import SequenceClustering
from kinseq.core.ordering import by_content
from kinseq.core.sequences import SequenceSet
from kinseq.metrics.external import ari
from tests.sentences import Recorded


def walks(n: int = 8, frames: int = 15) -> list[np.ndarray]:
    """Noise at two levels."""
    random = np.random.default_rng(0)
    return [random.normal(4.0 * (i % 2), 1.0, (frames + i % 3, 2)) for i in range(n)]


def said(notes: list[str]) -> list[str]:
    """Notes that speak of copies."""
    return [note for note in notes if "cop" in note]


ONCE = "and count once for the number of clusters"
EACH = "and count like any other"


def test_copies_are_named_with_what_they_are_copies_of(recorded: Recorded) -> None:
    plain = walks()
    assert said(kinseq.cluster(plain, 2, "dtw").notes) == []
    one = kinseq.cluster([plain[5], *plain], 2, "dtw")
    recorded(said(one.notes))
    three = kinseq.cluster([*plain, plain[1], plain[0], plain[1]], 2, "dtw")
    recorded(said(three.notes))
    chosen = kinseq.cluster([*plain, plain[1], plain[0], plain[1]], None, "dtw")
    assert said(chosen.notes)[0].endswith(ONCE)
    every = kinseq.cluster([*plain, *plain], 2, "dtw")
    assert said(every.notes)[0].startswith("8 sequences are copies of others (s00008 of s00000, ")
    recorded(said(every.notes)[0])
    np.testing.assert_array_equal(every.labels[:8], every.labels[8:])


def test_what_differs_only_as_it_was_given_is_said_to_be_alike_as_it_is_compared(recorded: Recorded) -> None:
    plain = walks()
    moved = [*plain, 3.0 * plain[2] + 5.0]
    assert said(kinseq.cluster(moved, 2, "dtw").notes) == []
    # Numbers of few digits, which are scaled without rounding.
    exact = [np.array([[0.0], [2.0], [0.0], [2.0]]) + 0.0, np.array([[8.0], [16.0], [8.0], [16.0]])]
    exact += [np.array([[0.0], [1.0], [5.0], [i]]) for i in range(4)]
    found = kinseq.cluster(exact, 2, "dtw", scale="per_sequence")
    recorded(found.notes[0])
    assert found.labels[0] == found.labels[1]
    # A curve and its copy at half the pace.
    slow = [
        np.arange(5.0)[:, None],
        np.arange(0, 4.5, 0.5)[:, None],
        *(i * np.arange(5.0)[:, None] ** 2 for i in (1, 2, 3)),
    ]
    assert said(kinseq.cluster(slow, 2, "dtw").notes) == []
    stretched = kinseq.cluster(slow, 2, "dtw", length="stretch")
    recorded(said(stretched.notes)[0])
    assert stretched.labels[0] == stretched.labels[1]


@pytest.mark.parametrize(
    "words", [{"measure": "dtw"}, {"clusterer": "kmeans_of_means"}, {"measure": "dtw", "sample": 6}]
)
def test_an_estimator_says_so_too(words: dict[str, Any], recorded: Recorded) -> None:
    model = SequenceClustering(n_clusters=2, **words).fit([*walks(), walks()[3]])
    assert len(said(model.notes_)) == 1
    recorded(said(model.notes_)[0])
    assert model.labels_[8] == model.labels_[3]
    assert said(SequenceClustering(n_clusters=2, **words).fit(walks()).notes_) == []


def test_the_order_names_the_earliest_of_equal_sequences() -> None:
    plain = walks(3)
    found = by_content(SequenceSet.from_arrays([plain[2], plain[0], plain[2], plain[1], plain[0], plain[2]]))
    assert found.copies() == {2: 0, 4: 1, 5: 0}
    assert list(found.copies()) == [2, 4, 5]
    assert by_content(SequenceSet.from_arrays(plain)).copies() == {}


def dead_and_live(n_dead: int = 20, n_live: int = 20) -> list[np.ndarray]:
    """Sensors that stand still, all at the same value, and sensors that swing."""
    random = np.random.default_rng(1)
    phases = 2 * np.pi * random.random(n_live)
    waves = [np.sin(np.arange(60) / 1.3 + phase) + random.normal(0.0, 0.3, 60) for phase in phases]
    return [np.zeros((60, 1))] * n_dead + [wave[:, None] for wave in waves]


def test_sequences_that_stand_still_count_as_they_are() -> None:
    truth = np.repeat([1, 0], 20)
    chosen, given = kinseq.cluster(dead_and_live()), kinseq.cluster(dead_and_live(), 2)
    for found in (chosen, given):
        assert found.n_clusters == 2
        assert ari(truth, found.labels) == 1.0
        assert said(found.notes)[0].startswith("19 sequences are copies of others")
        assert said(found.notes)[0].endswith(EACH)
    # The order in which they are given does not matter.
    order = np.random.default_rng(0).permutation(40)
    again = kinseq.cluster([dead_and_live()[i] for i in order])
    assert ari(chosen.labels[order], again.labels) == 1.0


def test_copies_of_one_recording_make_a_group_only_where_the_number_is_given() -> None:
    live = dead_and_live(0, 20)
    many = [*live, *[live[0]] * 15]
    assert kinseq.cluster(many).n_clusters == 1
    given = kinseq.cluster(many, 2, "dtw")
    assert len(set(given.labels[[0, *range(20, 35)]].tolist())) == 1
    assert given.n_clusters == 2


@pytest.mark.parametrize("measure", ["elastic", "dtw", "statistics"])
def test_verdicts_on_copies_are_true(measure: str, recorded: Recorded) -> None:
    one, other = walks()[:2]
    for asked in (2, None, (2, 3)):
        assert kinseq.cluster([one] * 6, asked, measure).degree == "none"
    assert kinseq.cluster([one] * 6, 1, measure).degree == "none"
    pairs = [one, other] * 8
    two = kinseq.cluster(pairs, 2, measure)
    assert two.degree == "too_few"
    assert two.labels.tolist() in ([0, 1] * 8, [1, 0] * 8)
    free = kinseq.cluster(pairs, None, measure)
    recorded(free.verdict)
    recorded.within("\n".join(free.notes))


def test_what_a_measure_does_not_tell_apart_is_not_one_group_as_asked(recorded: Recorded) -> None:
    random = np.random.default_rng(0)
    frames = random.normal(size=(30, 2))
    found = kinseq.cluster([random.permutation(frames) for _ in range(6)], 2, "mean_vector")
    recorded(found.verdict)
