"""Orders of sequences by content."""

from __future__ import annotations

import numpy as np

from kinseq import SequenceSet
from kinseq.core.ordering import by_content, steady_order


def test_a_steady_order_follows_the_values_and_not_their_last_digits() -> None:
    rng = np.random.default_rng(0)
    arrays = [rng.normal(size=(length, 2)) * [1.0, 1e3] for length in rng.integers(5, 40, size=30)]
    order = steady_order(SequenceSet.from_arrays(arrays))
    noisy = [frames * (1.0 + 1e-7 * rng.normal(size=frames.shape)) for frames in arrays]
    np.testing.assert_array_equal(steady_order(SequenceSet.from_arrays(noisy)), order)
    # The order by digests is another one for other digits.
    positions = by_content(SequenceSet.from_arrays(arrays)).positions
    assert (by_content(SequenceSet.from_arrays(noisy)).positions != positions).any()


def test_a_steady_order_is_of_the_sequences_and_not_of_where_they_stand_or_their_units() -> None:
    rng = np.random.default_rng(1)
    arrays = [rng.normal(size=(20, 2)) for _ in range(12)] + [np.zeros((8, 2)), np.zeros((9, 2))]
    order = [arrays[i] for i in steady_order(SequenceSet.from_arrays(arrays))]
    places = rng.permutation(len(arrays))
    moved = SequenceSet.from_arrays([7.0 + 1e3 * arrays[i] for i in places])
    again = [arrays[places[i]] for i in steady_order(moved)]
    assert [a is b for a, b in zip(order, again, strict=True)] == [True] * len(arrays)
    swapped = SequenceSet.from_arrays([frames[:, ::-1] for frames in arrays])
    np.testing.assert_array_equal(steady_order(swapped), steady_order(SequenceSet.from_arrays(arrays)))
