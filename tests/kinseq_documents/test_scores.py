"""Rows of scores for partitions, matrices, estimates and controls."""

from types import SimpleNamespace

import numpy as np
import pytest

from kinseq.core.errors import DataError
from kinseq.core.sequences import SequenceSet
from kinseq.metrics import registry
from kinseq_documents.stages import scores
from kinseq_documents.tasks import Task
from tests.sentences import Recorded

LABELS = np.array(["a", "a", "b", "b", "a", "b"])
SEQUENCES = SequenceSet.from_arrays([np.full((3, 1), float(i)) for i in range(6)], labels=LABELS, name="six")
TASKS = [Task("first", np.array([0, 1, 2, 3]), 2, x=10.0), Task("all", np.arange(6), 2)]


def distance(task, matrix, findings=None):
    return SimpleNamespace(measure="m", model="hmm2", trial=3, task=task, matrix=matrix, findings=findings or {})


def test_a_matrix_is_scored_on_the_items_of_its_task():
    matrix = np.array([[0, 1, 3, 5], [1, 0, 2, 4], [3, 2, 0, 9], [5, 4, 9, 0]], dtype=float)
    found = [distance(TASKS[0], matrix, {"floored": 2, "note": "text"})]
    rows = scores.scores_of_matrices(SEQUENCES, TASKS, found, ["map", "p_at_1", "error"])
    assert {row["metric"]: row["value"] for row in rows} == {
        "map": pytest.approx(100 * (1 + 1 + 1 / 3 + 1 / 3) / 4),
        "p_at_1": 50.0,
        "floored": 2.0,
    }
    assert {(r["dataset"], r["task"], r["trial"], r["model"], r["measure"], r["clusterer"], r["x"]) for r in rows} == {
        ("six", "first", 3, "hmm2", "m", "none", 10.0)
    }


def test_default_metrics_are_those_of_the_kind():
    rows = scores.scores_of_matrices(SEQUENCES, TASKS, [distance(TASKS[1], np.ones((6, 6)) - np.eye(6))])
    assert [row["metric"] for row in rows] == registry.defaults(["matrix"])
    rows = scores.scores_of_estimates("gauss", "nn", 0, 1.5, 1.0, x=25)
    assert {row["metric"]: row["value"] for row in rows} == {"bias": 0.5, "nmse": 0.25}
    assert all((row["dataset"], row["measure"], row["clusterer"]) == ("gauss", "nn", "none") for row in rows)


def test_controls_of_matrices_are_perfect_and_chance():
    n = 200
    classes = np.arange(n) % 5
    many = SequenceSet.from_arrays(list(np.zeros((n, 2, 1))), labels=classes, name="many")
    tasks = [Task("all", np.arange(n), 5)]
    rows = scores.scores_of_controls(many, tasks, [0], 1, ["map", "roc_auc", "accuracy_1nn", "error"])
    values = {(row["measure"], row["metric"]): row["value"] for row in rows}
    assert values["true_labels", "map"] == values["true_labels", "accuracy_1nn"] == 100.0
    assert values["true_labels", "error"] == 0.0
    assert values["true_labels", "roc_auc"] == 1.0
    assert abs(values["random_distances", "roc_auc"] - 0.5) < 0.02
    # Chance is 39 of 199; average precision lies a little above.
    assert 19.0 < values["random_distances", "map"] < 24.0
    assert ("random_distances", "error") not in values
    assert ("random_labels", "map") not in values
    again = scores.scores_of_controls(many, tasks, [0], 1, ["map", "roc_auc", "accuracy_1nn", "error"])
    assert again == rows
    other = scores.scores_of_controls(many, tasks, [1], 1, ["map"])
    assert {r["value"] for r in other if r["measure"] == "random_distances"} != {values["random_distances", "map"]}


def test_more_metrics_change_no_row():
    """A control's random numbers are named by what it is, not by what is asked of it."""
    few = scores.scores_of_controls(SEQUENCES, TASKS, [0], 1, ["error"])
    more = scores.scores_of_controls(SEQUENCES, TASKS, [0], 1, ["error", "ari", "map"])
    assert [row for row in more if row["metric"] == "error"] == few


def test_without_labels_nothing_is_scored(recorded: Recorded):
    bare = SequenceSet.from_arrays(list(np.zeros((6, 2, 1))), name="bare")
    with recorded.raises(DataError):
        scores.scores_of_matrices(bare, TASKS, [distance(TASKS[1], np.zeros((6, 6)))])
