"""The benchmark of scales: what is compared, and what is left out."""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import pytest

import bench_scale
from kinseq import SequenceSet
from kinseq.core.errors import DataError
from tests.sentences import Recorded


def two_levels() -> SequenceSet:
    """Two classes that differ in level alone, in a column next to which another one varies a thousand times as much.

    Not by so much that the level by itself would be taken, whatever the scale.
    """
    random = np.random.default_rng(0)
    arrays = [
        np.column_stack([2.0 * (i % 2) + random.normal(size=12), 1000.0 * random.normal(size=12)]) for i in range(24)
    ]
    return SequenceSet.from_arrays(arrays, labels=np.arange(24) % 2)


def test_scales_are_told_apart_where_only_one_of_them_can_see() -> None:
    row = bench_scale.row_of("levels", two_levels())
    scores = {scale: row[column] for column, scale in bench_scale.SCALES.items()}
    assert (row["sequences"], row["classes"]) == (24, 2)
    assert scores["zscore"] == 1.0
    assert scores["none"] < 0.5
    assert scores["per_sequence"] < 0.5


def test_means_and_paired_differences(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, recorded: Recorded) -> None:
    def catalogued(name: str, **params: object) -> object:
        def load(roots: object) -> SequenceSet:
            if name == "english_words":
                raise DataError("not there")
            return two_levels()

        return load

    values = iter([0.1, 0.3, 0.2, 0.2, 0.6, 0.4])

    def row_of(words: str, sequences: SequenceSet) -> dict[str, object]:
        return {"recordings": words, "sequences": 1, "classes": 1} | {c: next(values) for c in bench_scale.SCALES}

    monkeypatch.setattr(bench_scale, "catalogued", catalogued)
    monkeypatch.setattr(bench_scale, "row_of", row_of)
    monkeypatch.setattr(bench_scale, "SETS", dict([*list(bench_scale.SETS.items())[:2], ("e", ("english_words", {}))]))
    text = bench_scale.run(argparse.Namespace(only="", out=tmp_path))
    assert "| mean |  |  | 0.15 | 0.45 | 0.30 |" in text
    recorded.within(text)
    recorded.within(text)
    assert (tmp_path / "scale.csv").read_text().count("\n") == 3
    assert bench_scale.run(argparse.Namespace(only="W1", out=tmp_path)) == ""


def test_every_set_is_of_the_catalogue_with_its_words() -> None:
    import yaml

    catalogue = yaml.safe_load(bench_scale.CATALOGUE.read_text(encoding="utf-8"))
    for entry, params in bench_scale.SETS.values():
        assert catalogue[entry]["loader"] == "spoken_words"
        assert len(set(params["words"])) == len(params["words"])
