"""Alignments of packs of sequences against aeon's, one pair at a time, and against themselves in another order."""

import numpy as np
import pytest

from kinseq import SequenceSet
from kinseq.core.errors import DataError
from kinseq.measures import alignment
from kinseq.measures.alignment import (
    LANES,
    MORE_LANES,
    align_all,
    align_some,
    edited,
    edited_some,
    warped,
    warped_some,
)
from kinseq.measures.dtw import dtw, dtw_between
from kinseq.measures.elastic import msm, msm_between

ALL = {"dtw": warped, "msm": edited(0.5)}


def drawn(n, d, longest, seed=0):
    """Random walks of 1 to `longest` frames, rounded so that steps of nothing and ties are common."""
    random = np.random.default_rng(seed)
    lengths = random.integers(1, longest + 1, size=n)
    arrays = [np.round(np.cumsum(random.normal(size=(length, d)), axis=0)) / 2.0 for length in lengths]
    return SequenceSet.from_arrays(arrays, layout="channels_last")


@pytest.mark.parametrize("d", [1, 3, 6])
def test_the_same_as_one_pair_at_a_time(d):
    from aeon.distances import dtw_distance, msm_distance

    given = drawn(LANES + 5, d, 40)
    totals = {name: align_all(kernel, given, None) for name, kernel in ALL.items()}
    for i in (0, 7, LANES + 4):
        for j in range(len(given)):
            x, y = given[i].T.copy(), given[j].T.copy()
            assert totals["dtw"][i, j] == pytest.approx(dtw_distance(x, y), rel=1e-12, abs=1e-12)
            assert totals["msm"][i, j] == pytest.approx(msm_distance(x, y, c=0.5), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("name", ALL)
def test_lanes_order_direction_threads_and_calls_do_not_matter(name, monkeypatch):
    given = drawn(2 * LANES + 3, 2, 30, seed=1)
    whole = align_all(ALL[name], given, None)
    # From here on, calls are as short as for long sequences.
    monkeypatch.setattr(alignment, "CELLS_A_CALL", 1)
    np.testing.assert_array_equal(whole, whole.T)
    np.testing.assert_array_equal(whole.diagonal(), 0.0)
    order = np.random.default_rng(2).permutation(len(given))
    np.testing.assert_array_equal(
        align_all(ALL[name], given.subset(order), None, threads=2), whole[np.ix_(order, order)]
    )
    # The sides as two sets, of which neither fills its packs.
    some, others = np.arange(0, 20), np.arange(20, len(given))
    between = align_all(ALL[name], given.subset(some), given.subset(others), threads=2)
    np.testing.assert_array_equal(between, whole[np.ix_(some, others)])


@pytest.mark.parametrize("d", [1, 2, 4, 6])
@pytest.mark.parametrize("name", ALL)
def test_two_frames_at_once_are_two_frames_one_after_another(name, d):
    """Of odd and even lengths, of one frame too; more lanes than usual make the difference for warping."""
    given = drawn(MORE_LANES + LANES, d, 12, seed=5)
    np.testing.assert_array_equal(
        align_all(ALL[name], given, None, lanes=MORE_LANES), align_all(ALL[name], given, None, lanes=LANES)
    )
    assert {1, 2, 3} <= set(given.lengths.tolist())


@pytest.mark.parametrize("name", ALL)
def test_a_short_sequence_beside_a_long_one_ends_where_it_ends(name):
    """A lane goes on behind the end of its sequence; what follows there must not reach the cost."""
    long, short = drawn(1, 2, 2, seed=3)[0].repeat(60, axis=0), np.array([[1.0, 2.0], [0.5, -1.0], [3.0, 0.0]])
    alone = align_all(ALL[name], SequenceSet.from_arrays([short, short[:2]], layout="channels_last"), None)
    beside = align_all(ALL[name], SequenceSet.from_arrays([long, short, short[:2]], layout="channels_last"), None)
    assert beside[1, 2] == alone[0, 1] > 0.0


@pytest.mark.parametrize("cells", [1, 1 << 19])
def test_each_with_some_is_part_of_the_whole(cells, monkeypatch):
    """Whether a call takes few sequences or all."""
    monkeypatch.setattr(alignment, "CELLS_A_CALL", cells)
    given = drawn(40, 3, 20, seed=6)
    chosen = np.stack([np.random.default_rng(i).permutation(40)[:17] for i in range(40)])
    for some, name in ((warped_some, "dtw"), (edited_some(0.5), "msm")):
        whole = align_all(ALL[name], given, given)
        np.testing.assert_array_equal(
            align_some(some, given, given, chosen, threads=2), np.take_along_axis(whole, chosen, axis=1)
        )


def test_between_is_the_block_of_the_whole():
    given = drawn(9, 1, 12, seed=4)
    new, old = given.subset(np.arange(4)), given.subset(np.arange(4, 9))
    np.testing.assert_array_equal(dtw_between(new, old), dtw(given)[:4, 4:])
    np.testing.assert_array_equal(msm_between(new, old, cost=0.3), msm(given, cost=0.3)[:4, 4:])


def test_sets_of_different_features_are_refused():
    with pytest.raises(DataError, match="features"):
        align_all(warped, drawn(2, 2, 5), drawn(2, 3, 5))
