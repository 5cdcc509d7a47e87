"""Character trajectories on made-up files in both layouts."""

import numpy as np
import pytest
from scipy.io import savemat

from kinseq.core.errors import DataError, ParameterError
from kinseq_documents.data import character_trajectories as characters
from kinseq_documents.data.registry import checksum
from tests.sentences import Recorded


def cells(arrays):
    made = np.empty(len(arrays), dtype=object)
    for i, array in enumerate(arrays):
        made[i] = array
    return made


def made_up(per_class=3):
    rng = np.random.default_rng(1)
    numbers = np.repeat(np.arange(1, 21), per_class)
    return [rng.normal(size=(3, int(rng.integers(4, 8)))) for _ in numbers], numbers


@pytest.fixture
def layouts(tmp_path):
    arrays, numbers = made_up()
    order = np.random.default_rng(2).permutation(len(arrays))
    half = len(order) // 2
    split, whole = tmp_path / "split", tmp_path / "whole"
    split.mkdir()
    whole.mkdir()
    first, second = order[:half], order[half:]
    savemat(split / characters.TRAIN, {"xtrain": cells([arrays[i] for i in first]), "ytrain": numbers[first]})
    savemat(split / characters.TEST, {"xtest": cells([arrays[i] for i in second])})
    rows = [f"{k},{numbers[i]},{characters.CHARACTERS[numbers[i] - 1]}" for k, i in enumerate(second)]
    (split / characters.TEST_LABELS).write_text("\n".join(["index_in_xtest,label_id,character", *reversed(rows)]))
    savemat(whole / characters.WHOLE, {"mixout": cells(arrays), "consts": {"charlabels": numbers}})
    return split, whole


def test_both_layouts_read_the_same(layouts):
    split, whole = (characters.load(folder) for folder in layouts)
    assert len(split) == 60
    assert split.n_features == 3
    assert checksum(split) == checksum(whole)
    assert split.ids[:4].tolist() == ["a000", "a001", "a002", "b000"]
    arrays, numbers = made_up()
    wanted = {array.T.tobytes() for array, number in zip(arrays, numbers, strict=True) if number == 14}
    assert {split[i].tobytes() for i in np.flatnonzero(split.labels == "r")} == wanted


def test_pairs_share_their_draw_within_a_trial_and_differ_between_trials(layouts):
    sequences = characters.load(layouts[0])
    tasks = characters.tasks(sequences, 1, per_class=2, n_pairs=190)
    assert len(tasks) == 190
    assert len({task.name for task in tasks}) == 190
    drawn = {}
    for task in tasks:
        assert task.n_clusters == 2
        a, b = task.name.split("-")
        assert sequences.labels[task.indices].tolist() == [a, a, b, b]
        for label, members in ((a, task.indices[:2]), (b, task.indices[2:])):
            assert drawn.setdefault(label, members.tolist()) == members.tolist()
    other = characters.tasks(sequences, 2, per_class=2, n_pairs=190)
    assert any(task.indices.tolist() != again.indices.tolist() for task, again in zip(tasks, other, strict=True))
    few = characters.tasks(sequences, 1, per_class=2, n_pairs=19)
    assert len(few) == 19
    by_name = {task.name: task.indices.tolist() for task in tasks}
    assert all(by_name[task.name] == task.indices.tolist() for task in few)


def test_bad_files_and_numbers_are_named(layouts, tmp_path, recorded: Recorded):
    sequences = characters.load(layouts[0])
    with recorded.raises(ParameterError):
        characters.tasks(sequences, 1, per_class=4, n_pairs=190)
    with recorded.raises(ParameterError):
        characters.tasks(sequences, 1, per_class=2, n_pairs=191)
    with pytest.raises(DataError, match=r"\.mat file"):
        characters.load(tmp_path)
    split = layouts[0]
    (split / characters.TEST_LABELS).write_text("index_in_xtest,label_id,character\n0,1,a\n")
    with recorded.raises(DataError):
        characters.load(split)
    (split / characters.TEST_LABELS).write_text("a,b\n")
    with recorded.raises((DataError,)):
        characters.load(split)
    savemat(split / characters.TRAIN, {"x": np.zeros(2)})
    with recorded.raises(DataError):
        characters.load(split)
