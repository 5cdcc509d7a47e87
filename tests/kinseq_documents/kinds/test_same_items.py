"""The same items under other classes: matrices are computed once, and nothing that looks at classes is shared."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kinseq import measures
from kinseq.core.errors import ConfigError, DataError
from kinseq.core.sequences import SequenceSet
from kinseq.measures.registry import Measure
from kinseq_documents import plan
from kinseq_documents.catalogue import Catalogue
from kinseq_documents.kinds import matrices
from kinseq_documents.kinds.comparison import Comparison
from kinseq_documents.kinds.drawing import Drawing
from kinseq_documents.stages import distances, scores
from kinseq_documents.tasks import Task
from tests.sentences import Recorded

WORDS: dict[str, Any] = {"title": "Words", "loader": "spoken_words", "folder": "words", "params": {"label": "word"}}
ALIKE: dict[str, Any] = {**WORDS, "same_items_as": "words", "params": {"label": "word", "alike": [["four", "seven"]]}}
MEASURES = {
    "learnt": {"measure": "sic", "params": {"labels": "classes"}, "label": "learnt"},
    "blind": {"measure": "sic", "params": {"labels": 4}, "label": "blind"},
}


def catalogue(alike: dict[str, Any] = ALIKE, **part: Any) -> Catalogue:
    experiment = {
        "id": "e",
        "metric": "ari" if "clusterers" in part else "map",
        "trials": {"quick": 2, "thesis": 2},
        "parts": [{"datasets": ["alike"], "models": [], "measures": ["dtw"], **part}],
        "render": {"kind": "table", "rows": ["dataset"], "columns": "measure", "sections": []},
    }
    return plan.catalogue({"words": WORDS, "alike": alike}, {}, {"measures": MEASURES}, {"e": experiment})


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        ({}, "distances/words/none/dtw/t000-001.npz"),
        ({"measures": ["blind"]}, "distances/words/none/blind/t000-001.npz"),
        ({"measures": ["learnt"]}, "distances/alike/none/learnt/t000-001.npz"),
        # A job makes all of its matrices of one set.
        ({"measures": ["dtw", "learnt"]}, "distances/alike/none/dtw+learnt/t000-001.npz"),
        ({"clusterers": ["mcl"]}, "partitions/alike/none/dtw/mcl/t000-001.npz"),
        ({"datasets": ["words"]}, "distances/words/none/dtw/t000-001.npz"),
    ],
)
def test_matrices_that_no_class_goes_into_are_those_of_the_same_items(part: dict[str, Any], expected: str) -> None:
    cat = catalogue(**part)
    assert [job.file for job in Comparison(cat, cat.experiments["e"]).jobs()] == [expected]
    # Judged by its own classes.
    scored = Comparison(cat, cat.experiments["e"]).scored_jobs()[0]
    assert scored["dataset"] == part.get("datasets", ["alike"])[0]
    own = Comparison(cat, cat.experiments["e"]).inputs()["sequences"][scored["sequences"]]
    assert own == f"sequences/{scored['dataset']}/all.npz"
    behind = Comparison(cat, cat.experiments["e"]).job_files()
    assert own in behind
    assert f"sequences/{expected.split('/')[1]}/all.npz" in behind


def test_stored_matrices_are_clustered_under_either_classes() -> None:
    cat = catalogue(measures=["blind"], clusterers=["mcl"])
    job = Comparison(cat, cat.experiments["e"]).jobs()[0]
    assert (job.dataset, job.items) == ("alike", "words")
    assert matrices.items_behind(cat, "alike", ["learnt"]) == "alike"


def test_a_drawing_shows_the_matrix_of_the_same_items_beside_its_own_classes() -> None:
    cat = catalogue()
    shown = {"drawing": "similarity_maps", "datasets": ["alike"], "measure": "blind"}
    assert Drawing(cat, shown).inputs() == {
        "distances": "distances/words/none/blind/t000-000.npz",
        "sequences": "sequences/alike/all.npz",
    }


@pytest.mark.parametrize(
    "changes",
    [
        {"same_items_as": "word"},
        {"params": {"label": "speaker"}},
        {"params": {"label": "word", "per_word": 3}},
        {"folder": "other"},
        {"loader": "sentences", "params": {}},
        {"same_items_as": "alike"},
    ],
)
def test_data_that_differ_in_more_than_classes_are_refused(changes: dict[str, Any], recorded: Recorded) -> None:
    with recorded.raises(ConfigError):
        catalogue({**ALIKE, **changes})


def items(labels: list[str]) -> SequenceSet:
    rng = np.random.default_rng(4)
    found = SequenceSet.from_arrays([rng.normal(i % 3, 1.0, (5, 2)) for i in range(len(labels))])
    return replace(found, name="words", labels=np.array(labels))


def test_one_matrix_is_scored_by_either_classes(tmp_path: Path, recorded: Recorded) -> None:
    one, two = items(["a", "b", "c"] * 4), items(["a", "b", "b"] * 4)
    task = Task("all", np.arange(12), 3)
    entry = {"d": {"measure": "dtw", "params": {}, "models": ["none"]}}
    distances.write(tmp_path / "d.npz", distances.distances(one, [task], entry, [0], 1, {}))
    coarse = Task("all", np.arange(12), 2)
    for given, own in ((one, task), (two, coarse)):
        rows = scores.scores_of_matrices(given, [own], distances.read(tmp_path / "d.npz", [own]), ["map"])
        expected = distances.distances(given, [own], entry, [0], 1, {})
        assert rows == scores.scores_of_matrices(given, [own], expected, ["map"])
    assert [d.measure for d in distances.read(tmp_path / "d.npz", [task], ["d"])] == ["d"]
    assert list(distances.read(tmp_path / "d.npz", [task], ["e"])) == []
    for other in (Task("all", np.arange(12)[::-1].copy(), 3), Task("some", np.arange(12), 3)):
        with recorded.raises(DataError):
            list(distances.read(tmp_path / "d.npz", [other]))


def test_a_measure_is_given_classes_only_if_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def compute(evidence: measures.registry.MeasureInput, labels: str) -> np.ndarray:
        seen.append(evidence.items.labels)
        return np.zeros((6, 6))

    curious = Measure(
        "curious", "c", "none", compute, params={"labels": "auto"}, classes_by={"labels": "classes"}, random=True
    )
    monkeypatch.setattr(measures.registry, "get", lambda name: curious)
    given, task = items(["a", "b"] * 3), Task("all", np.arange(6), 2)
    for params in ({}, {"labels": "classes"}):
        entry = {"c": {"measure": "curious", "params": params, "models": ["none"]}}
        list(distances.distances(given, [task], entry, [0], 1, {}))
    assert seen[0] is None
    np.testing.assert_array_equal(seen[1], given.labels)
