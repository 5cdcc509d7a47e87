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
    """What a workflow does with the entry of a data set before anything runs."""
    others = {"made": {"title": "m", "loader": "mohmm"}, "read": {"title": "r", "loader": "japanese_vowels"}}
    return lambda _: plan.catalogue({"part": {"title": "p"} | entry, **others}, {}, {}, {})


def mixtures(sets: Any, n_components: Any = 2, **params: Any) -> Callable[[Path], Any]:
    return lambda _: fit_mixtures(sets, n_components, **params)


CASES = (
    Case("selection: one label", selected(labels=["a"]), says=r"labels is \['a'\], expected at least two"),
    Case("selection: a label twice", selected(labels=["a", "a"]), says="at least two different names"),
    Case("selection: a text", selected(labels="ab"), says="labels is 'ab', expected at least two different names"),
    Case("selection: unknown label", selected(labels=["a", "z"]), says="unknown label 'z'.*valid.*a, b"),
    Case("selection: unknown scale", selected(scale="max"), says="unknown scale 'max'"),
    Case("selection: shuffle is a number", selected(shuffle=1), says="shuffle is 1, expected true or false"),
    Case("selection: unknown parameter", selected(label=["a", "b"]), says="unknown parameter 'label'.*labels"),
    Case("selection: no labels", selected(BARE), says="bare: has no labels to select by; take a data set with labels"),
    Case("selection: of nothing", selected(None), says="makes data of other data; name them under 'of'"),
    Case("selection: all of it", selected(), gives=lambda made: made[0].ids.tolist() == LABELLED.ids.tolist()),
    Case(
        "derived: without trials",
        lambda _: make_sequences("part", {"loader": "selection"}, None, 1, None),
        says="trials",
    ),
    Case("derived: of nothing", planned(loader="selection"), says=f"data set 'part': {NEEDY}"),
    Case("derived: of what is not there", planned(loader="selection", of="mad"), says="unknown data set 'mad'.*'made'"),
    Case("derived: of files", planned(loader="selection", of="read"), says="is of 'read', which is not generated"),
    Case("derived: of itself", planned(loader="selection", of="part"), says="is of 'part', which is not generated"),
    Case("derived: by a loader that takes none", planned(loader="mohmm", of="made"), says="leave 'of' out"),
    Case(
        "mixtures: more components than vectors",
        mixtures([np.eye(3), np.eye(3)[:2]], 3),
        says="has 2 vectors, fewer than",
    ),
    Case("mixtures: no component", mixtures([np.eye(3)], 0), says="n_components is 0, expected"),
    Case("mixtures: not a number", mixtures([np.array([[1.0], [np.nan], [2.0]])]), says="holds NaN at index"),
    Case("mixtures: unknown pool", mixtures([np.eye(3)], pool="some"), says="pool is 'some', expected"),
    Case("mixtures: unknown covariance", mixtures([np.eye(3)], covariance="round"), says="covariance.*round"),
    Case(
        "mixtures: vectors that coincide",
        mixtures([np.full((6, 2), 1e8), np.eye(2)]),
        gives=lambda bank: bool(np.isfinite(bank.means).all() and (np.linalg.eigvalsh(bank.covars) > 0).all()),
    ),
)
