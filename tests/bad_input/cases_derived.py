"""Bad input to data that are made of other data, and to mixtures that are fitted to sets of vectors."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from kinseq import SequenceSet
from kinseq.models.hmm import fit_mixtures
from kinseq_documents import plan
from kinseq_documents.data import registry
from kinseq_documents.stages.sequences import make_sequences

from .table import Case

LABELLED = SequenceSet.from_arrays(list(np.arange(24.0).reshape(4, 3, 2)), labels=["a", "b", "a", "b"], name="songs")
BARE = SequenceSet.from_arrays([np.ones((3, 2)), np.zeros((2, 2))], name="bare")
NEEDY = "its loader makes data of other data; name them under 'of'"


def selected(given: Any = LABELLED, **params: Any) -> Callable[[Path], Any]:
    return lambda _: registry.make("part", "selection", params, None, 1, given)


def planned(**entry: str) -> Callable[[Path], Any]:
    """Checks of the entry of a data set before anything runs."""
    others = {"made": {"title": "m", "loader": "mohmm"}, "read": {"title": "r", "loader": "japanese_vowels"}}
    return lambda _: plan.catalogue({"part": {"title": "p"} | entry, **others}, {}, {}, {})


def mixtures(sets: Any, n_components: Any = 2, **params: Any) -> Callable[[Path], Any]:
    return lambda _: fit_mixtures(sets, n_components, **params)


CASES = (
    Case("selection: one label", selected(labels=["a"])),
    Case("selection: a label twice", selected(labels=["a", "a"])),
    Case("selection: a text", selected(labels="ab")),
    Case("selection: unknown label", selected(labels=["a", "z"])),
    Case("selection: unknown scale", selected(scale="max")),
    Case("selection: shuffle is a number", selected(shuffle=1)),
    Case("selection: unknown parameter", selected(label=["a", "b"])),
    Case("selection: no labels", selected(BARE)),
    Case("selection: of nothing", selected(None)),
    Case("selection: all of it", selected(), gives=lambda made: made[0].ids.tolist() == LABELLED.ids.tolist()),
    Case("derived: without trials", lambda _: make_sequences("part", {"loader": "selection"}, None, 1, None)),
    Case("derived: of nothing", planned(loader="selection")),
    Case("derived: of what is not there", planned(loader="selection", derived_from="mad")),
    Case("derived: of files", planned(loader="selection", derived_from="read")),
    Case("derived: of itself", planned(loader="selection", derived_from="part")),
    Case("derived: by a loader that takes none", planned(loader="mohmm", derived_from="made")),
    Case("mixtures: more components than vectors", mixtures([np.eye(3), np.eye(3)[:2]], 3)),
    Case("mixtures: no component", mixtures([np.eye(3)], 0)),
    Case("mixtures: not a number", mixtures([np.array([[1.0], [np.nan], [2.0]])])),
    Case("mixtures: unknown pool", mixtures([np.eye(3)], pool="some")),
    Case("mixtures: unknown covariance", mixtures([np.eye(3)], covariance="round")),
    Case(
        "mixtures: vectors that coincide",
        mixtures([np.full((6, 2), 1e8), np.eye(2)]),
        gives=lambda bank: bool(np.isfinite(bank.means).all() and (np.linalg.eigvalsh(bank.covars) > 0).all()),
    ),
)
