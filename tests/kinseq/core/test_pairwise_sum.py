"""Sums of compiled functions against NumPy's, to the last bit."""

from __future__ import annotations

import numpy as np
import pytest

from kinseq.core.pairwise_sum import pairwise_sum


@pytest.mark.parametrize("n", [0, 1, 7, 8, 9, 127, 128, 129, 250, 1000, 5003])
def test_sums_are_rounded_as_those_of_numpy(n: int) -> None:
    values = np.random.default_rng(n).normal(size=n + 5) * 10.0 ** np.arange(n + 5).clip(0, 12)
    assert pairwise_sum(values, 2, n + 2) == values[2 : n + 2].copy().sum()
