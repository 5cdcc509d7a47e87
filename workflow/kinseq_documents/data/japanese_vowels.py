"""Japanese Vowels: nine speakers utter /ae/, 12 cepstrum coefficients a frame (T App. D.2; Kudo et al., 1999).

Two layouts are read: the UCI files ``ae.train`` and ``ae.test``, and the ``.ts`` files that come with `aeon`. Both hold
the same 640 sequences in the same order.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from kinseq.core.arrays import FloatArray
from kinseq.core.errors import DataError, ParameterError
from kinseq.core.sequences import SequenceSet

from .registry import Loader

N_FEATURES = 12
TEST_COUNTS = (31, 35, 88, 44, 29, 24, 40, 50, 29)
"""Utterances of each speaker in the test part; the training part has 30 of each."""


def _read_uci(path: Path, counts: tuple[int, ...]) -> tuple[list[FloatArray], list[str]]:
    """Blocks of a UCI file; a row of twelve ``1.0`` (or a blank line) ends each block."""
    blocks: list[FloatArray] = []
    rows: list[list[float]] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            row = [float(entry) for entry in line.split()]
        except ValueError as error:
            raise DataError(f"{path}: line {number} is not numeric ({error}); fetch the file again") from error
        if len(row) not in (0, N_FEATURES):
            raise DataError(
                f"{path}: line {number} has {len(row)} numbers, expected {N_FEATURES}; fetch the file again"
            )
        if not row or all(entry == 1.0 for entry in row):
            if rows:
                blocks.append(np.array(rows))
                rows = []
        else:
            rows.append(row)
    if rows:
        blocks.append(np.array(rows))
    if len(blocks) != sum(counts):
        raise DataError(
            f"{path}: has {len(blocks)} utterances, expected {sum(counts)}; the file is truncated, fetch it again"
        )
    labels = [str(speaker) for speaker, count in enumerate(counts, start=1) for _ in range(count)]
    return blocks, labels


def _read_ts(path: Path) -> tuple[list[FloatArray], list[str]]:
    from aeon.datasets import load_from_ts_file

    try:
        cases, labels = load_from_ts_file(str(path))
    except Exception as error:  # the parser raises many kinds
        raise DataError(f"{path}: is not a readable .ts file ({error}); fetch the file again") from error
    return [np.ascontiguousarray(case.T) for case in cases], [str(label) for label in labels]


def load(folder: Path, part: str) -> SequenceSet:
    """Read the data from a folder in either layout.

    The layouts are ``ae.train``/``ae.test`` and ``JapaneseVowels_TRAIN.ts``/``JapaneseVowels_TEST.ts``. The documents cluster
    the `part` ``"train"`` (270 sequences of 7 to 26 frames). Labels are the speakers "1" to "9".
    """
    counts = {"train": (30,) * 9, "test": TEST_COUNTS}
    if part not in counts:
        raise ParameterError(f"japanese_vowels: part is {part!r}, expected 'train' or 'test'")
    uci, bundled = folder / f"ae.{part}", folder / f"JapaneseVowels_{part.upper()}.ts"
    if uci.is_file():
        sequences, labels = _read_uci(uci, counts[part])
    elif bundled.is_file():
        sequences, labels = _read_ts(bundled)
    else:
        raise DataError(f"japanese_vowels: neither {uci.name} nor {bundled.name} is in {folder}; put one of them there")
    ids = [f"{part}{i:03d}" for i in range(len(sequences))]
    # One layout writes zero as -0; adding 0 makes both read the same to the bit.
    sequences = [frames + 0.0 for frames in sequences]
    return SequenceSet.from_arrays(sequences, labels=labels, ids=ids, name="japanese_vowels")


LOADERS = (
    Loader(
        name="japanese_vowels",
        label="the vowels, from the UCI files or a `.ts` file",
        notes={"part": "or `test`"},
        function=load,
        params={"part": "train"},
    ),
)
