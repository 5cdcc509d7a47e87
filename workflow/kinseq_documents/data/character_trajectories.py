"""Character trajectories: pen-tip velocities of twenty characters, 3 features a frame (T App. D.5; Williams, 2006).

Two layouts hold the same 2858 sequences in different orders: the UCI file ``mixoutALL_shifted.mat``, and a shuffled
half and half split, ``trajectories_train.mat`` with labels and ``trajectories_xtest.mat`` whose labels stand in
``labels_xtest_recovered.csv``. Sequences are put in an order of their own (by class, then by content), so that both
read the same.
"""

from __future__ import annotations

import csv
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from kinseq.core.arrays import FloatArray, IntArray, as_count
from kinseq.core.errors import DataError, ParameterError
from kinseq.core.seeds import content_key, stream
from kinseq.core.sequences import SequenceSet

from ..tasks import Task
from .registry import Loader, pairs

WHOLE = "mixoutALL_shifted.mat"
TRAIN, TEST, TEST_LABELS = "trajectories_train.mat", "trajectories_xtest.mat", "labels_xtest_recovered.csv"
CHARACTERS = tuple("abcdeghlmnopqrsuvwyz")
"""The characters of the data, in the order of their numbers 1 to 20."""


def _mat(path: Path) -> dict[str, Any]:
    from scipy.io import loadmat

    try:
        content: dict[str, Any] = loadmat(path, simplify_cells=True)
    except Exception as error:  # the parser raises many kinds
        raise DataError(f"{path}: is not a readable .mat file ({error}); fetch the file again") from error
    return content


def _field(content: dict[str, Any], name: str, path: Path) -> Any:
    if name not in content:
        raise DataError(f"{path}: has no variable {name!r}; it is another file, fetch it again")
    return content[name]


def _frames(cells: Any) -> list[FloatArray]:
    return [np.ascontiguousarray(np.asarray(cell, dtype=np.float64).T) for cell in cells]


def _numbers(labels: Any, path: Path) -> list[int]:
    numbers = [int(label) for label in np.atleast_1d(labels)]
    if not numbers or min(numbers) < 1 or max(numbers) > len(CHARACTERS):
        raise DataError(f"{path}: has class numbers outside 1 to {len(CHARACTERS)}; fetch the file again")
    return numbers


def _read_whole(path: Path) -> tuple[list[FloatArray], list[int]]:
    content = _mat(path)
    constants = _field(content, "consts", path)
    return _frames(_field(content, "mixout", path)), _numbers(_field(constants, "charlabels", path), path)


def _read_split(folder: Path) -> tuple[list[FloatArray], list[int]]:
    train, test = _mat(folder / TRAIN), _mat(folder / TEST)
    sequences = _frames(_field(train, "xtrain", folder / TRAIN)) + _frames(_field(test, "xtest", folder / TEST))
    numbers = _numbers(_field(train, "ytrain", folder / TRAIN), folder / TRAIN)
    path = folder / TEST_LABELS
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = sorted((int(row["index_in_xtest"]), int(row["label_id"])) for row in csv.DictReader(file))
    except (OSError, KeyError, ValueError) as error:
        raise DataError(f"{path}: cannot be read ({error}); it needs columns index_in_xtest and label_id") from error
    numbers += _numbers([number for _, number in rows], path)
    return sequences, numbers


def load(folder: Path, **_: Any) -> SequenceSet:
    """Read the data from a folder in either layout, the UCI file or the three files of the split.

    Labels are the characters.
    """
    whole = folder / WHOLE
    sequences, numbers = _read_whole(whole) if whole.is_file() else _read_split(folder)
    if len(sequences) != len(numbers):
        raise DataError(
            f"character_trajectories: {folder} has {len(sequences)} sequences but {len(numbers)} labels;"
            " the files do not belong together, fetch them again"
        )
    for i, frames in enumerate(sequences):
        if frames.ndim != 2 or frames.shape[1] != 3:
            raise DataError(
                f"character_trajectories: sequence {i} in {folder} has shape {frames.shape}, expected (T, 3)"
            )
    order = sorted(range(len(numbers)), key=lambda i: (numbers[i], content_key(sequences[i])))
    labels = [CHARACTERS[numbers[i] - 1] for i in order]
    counts: dict[str, int] = {}
    ids = []
    for label in labels:
        ids.append(f"{label}{counts.get(label, 0):03d}")
        counts[label] = counts.get(label, 0) + 1
    return SequenceSet.from_arrays([sequences[i] for i in order], labels=labels, ids=ids, name="character_trajectories")


def tasks(sequences: SequenceSet, seed: int, per_class: int, n_pairs: int) -> list[Task]:
    """Two-class tasks over pairs of characters, on sequences drawn again with the seed of the trial.

    `per_class` sequences are drawn of each character, without replacement; a character has the same ones in all of its
    pairs. The `n_pairs` pairs are spread evenly over the list of all in its own order; 190 takes every pair.
    """
    count = as_count(per_class, "character_trajectories: per_class")
    wanted = as_count(n_pairs, "character_trajectories: n_pairs")
    every = list(combinations(CHARACTERS, 2))
    if wanted > len(every):
        raise ParameterError(f"character_trajectories: n_pairs is {wanted}, there are {len(every)} pairs")
    assert sequences.labels is not None
    sizes = {label: int((sequences.labels == label).sum()) for label in CHARACTERS}
    least = min(sizes, key=lambda label: sizes[label])
    if sizes[least] < count:
        raise ParameterError(
            f"character_trajectories: per_class is {count} but there are only {sizes[least]} of {least!r};"
            " ask for fewer"
        )

    def pick(members: IntArray) -> IntArray:
        label = str(sequences.labels[members[0]])  # type: ignore[index]
        sample = stream(seed, "characters", label).choice(members, size=count, replace=False)
        return np.sort(sample).astype(np.int64)

    some_pairs = [every[i * len(every) // wanted] for i in range(wanted)]
    return pairs(sequences.labels, some_pairs, pick)


LOADERS = (
    Loader(
        name="character_trajectories",
        label="pen-tip velocities; every pair of characters is a task, its sequences drawn anew in every trial",
        notes={"n_pairs": "spread evenly over the list of pairs"},
        function=load,
        params={"per_class": 25, "n_pairs": 190},
        tasks=tasks,
    ),
)
