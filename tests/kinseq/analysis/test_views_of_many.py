"""Which views are examined where there are many sequences."""

from __future__ import annotations

import numpy as np
import pytest

from kinseq.analysis import limits
from kinseq.analysis.candidates import DIRECT_VIEWS
from kinseq.analysis.options import Options
from kinseq.analysis.views import component_views
from kinseq.core.sequences import SequenceSet
from kinseq.measures import registry
from kinseq.measures.fusion import AUXILIARY_VIEWS

RNG = np.random.default_rng(2)


def test_of_many_sequences_views_without_models_and_alignments_are_still_examined(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sequences = SequenceSet.from_arrays([RNG.normal(size=(24, 1)) for _ in range(12)])
    measure = registry.get("elastic")
    few = component_views(measure, sequences, Options())
    monkeypatch.setattr(limits, "MAX_EXAMINED", 11)
    many = component_views(measure, sequences, Options())
    assert set(few) - set(many) == set(AUXILIARY_VIEWS) - set(DIRECT_VIEWS)
    for name, view in many.items():
        np.testing.assert_array_equal(view.distance, few[name].distance)
