"""Sequences of any lengths that are compared at one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.interpolate import make_interp_spline

import kinseq
from kinseq import SequenceClustering
from kinseq import api as own
from kinseq.core.sequences import SequenceSet
from kinseq.readers.writers import write_folder
from tests.sentences import Recorded


def curves(n: int = 15, seed: int = 0) -> list[np.ndarray]:
    """Rising and falling curves in two columns, of 10 to 40 frames; n is odd, so that one has the median length."""
    random = np.random.default_rng(seed)
    lengths = random.permutation(np.linspace(10, 40, n).astype(int))
    return [
        np.linspace([0, 9], [3 - 6 * (i % 2), 7], frames) + random.normal(0, 0.2, (frames, 2))
        for i, frames in enumerate(lengths)
    ]


def by_hand(sequences: list[np.ndarray], length: int) -> list[np.ndarray]:
    """The same at one length, by SciPy."""
    return [
        make_interp_spline(np.arange(len(x)), x, k=1)(np.linspace(0, len(x) - 1, length)) if len(x) != length else x
        for x in sequences
    ]


MEDIAN = int(np.median([len(x) for x in curves()]))


@pytest.mark.parametrize(
    "words",
    [
        {"measure": "dtw"},
        {"measure": "msm", "scale": "per_sequence"},
        {"measure": "dtw", "scale": "none"},
        {"measure": "kl_ll", "n_states": 2},
        {"measure": "dtw", "sample": 9},
    ],
)
def test_it_is_the_analysis_of_sequences_stretched_by_hand(words: dict[str, Any]) -> None:
    new = curves(5, 1)
    found = kinseq.cluster(curves(), 2, length="stretch", **words)
    other = kinseq.cluster(by_hand(curves(), MEDIAN), 2, **words)
    whole, plain = (getattr(entry, "sample", entry) for entry in (found, other))
    assert set(whole.sequences.lengths) == {MEDIAN}
    np.testing.assert_allclose(whole.distance, plain.distance, atol=1e-6)
    np.testing.assert_array_equal(found.labels, other.labels)
    np.testing.assert_array_equal(found.predict(new), other.predict(by_hand(new, MEDIAN)))
    # Up to the sign of an axis.
    np.testing.assert_allclose(
        np.abs(found.transform(new)), np.abs(other.transform(by_hand(new, MEDIAN))), rtol=1e-3, atol=1e-5
    )
    # The input is unchanged.
    assert [len(x) for x in found.original] == [len(x) for x in curves()]
    np.testing.assert_array_equal(found.details.medoids[0], curves()[found.medoid_indices_[0]])


def test_new_sequences_take_the_length_of_the_old_ones_whatever_theirs() -> None:
    found = kinseq.cluster(curves(), 2, "dtw", length="stretch")
    np.testing.assert_allclose(found.transform(curves()), found.embedding_, atol=1e-9)
    longer = [np.repeat(x, 50, axis=0) for x in curves()]
    np.testing.assert_array_equal(found.predict(longer), found.labels)
    np.testing.assert_array_equal(found.predict(longer[:1]), found.labels[:1])
    assert (
        found.details.repeat()
        == "kinseq.cluster(sequences, n_clusters=2, measure='dtw', random_state=0, length='stretch')"
    )
    value, why = {what: (value, why) for what, value, why in found.choices}["length of the sequences"]
    assert value.startswith(f"{MEDIAN} frames")
    assert why == "given"


def test_clusterers_of_sequences_see_one_length_too() -> None:
    words: dict[str, Any] = {"clusterer": "kmeans_of_means", "n_clusters": 2}
    # Means over time weigh frames alike, so that a pause at the end is in them; at one length it is a part of the whole.
    model = SequenceClustering(length="stretch", **words).fit(curves())
    np.testing.assert_array_equal(model.labels_, SequenceClustering(**words).fit(by_hand(curves(), MEDIAN)).labels_)


def test_lengths_that_are_chance_are_pointed_out_and_no_longer_seen() -> None:
    random = np.random.default_rng(3)
    noise = [random.normal(size=(15 + 30 * (i % 2), 1)) for i in range(24)]
    plain, stretched = (kinseq.cluster(noise, 2, "msm", length=length) for length in ("as_given", "stretch"))
    assert len(set(plain.labels[::2])) == len(set(plain.labels[1::2])) == 1
    said = [text for text in plain.warnings() if "shorter and longer" in text]
    assert len(said) == 1
    assert "length='stretch'" in said[0]
    assert "length='stretch'" in said[0]
    assert not any("shorter and longer" in text for text in stretched.warnings())


def test_files_of_a_single_frame_are_left_out_and_named(tmp_path: Path, recorded: Recorded) -> None:
    given = SequenceSet.from_arrays([*curves(5), np.zeros((1, 2))])
    write_folder(tmp_path / "data", given)
    found = own.cluster(tmp_path / "data", 2, "dtw", length="stretch")
    assert len(found.labels) == 5
    recorded.within("\n".join(found.notes))
    assert len(own.cluster(tmp_path / "data", 2, "dtw").labels) == 6
