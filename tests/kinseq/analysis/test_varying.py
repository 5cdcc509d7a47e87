"""Variation within one cluster: planted properties come first, and the page shows them, and outliers."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

import kinseq
from kinseq.analysis import limits
from kinseq.analysis.explaining import varying
from kinseq.core.sequences import SequenceSet
from kinseq.report.page import to_html
from kinseq.report.writing import content_of

N, FRAMES = 40, 60


def planted(seed: int, property: str) -> SequenceSet:
    """Sequences of two columns of noise, of which the second differs in one property, as much as it likes."""
    rng = np.random.default_rng(seed)
    arrays = []
    for _ in range(N):
        frames = rng.normal(size=(FRAMES, 2))
        part = rng.normal()
        if property == "level":
            frames[:, 1] += 3.0 * part
        elif property == "spread":
            frames[:, 1] *= np.exp(part)
        else:
            frames[:, 1] += 3.0 * part * np.linspace(-1.0, 1.0, FRAMES)
        arrays.append(frames)
    return SequenceSet.from_arrays(arrays, layout="channels_last")


@pytest.mark.parametrize("property", ["level", "spread", "trend"])
def test_what_is_planted_comes_first(property: str) -> None:
    for seed in range(3):
        sequences = planted(seed, property)
        if property == "spread":
            # Alignments of two noisy sequences are far from each other even if both are as noisy.
            spreads = np.log([frames[:, 1].std() for frames in sequences])
            away = np.abs(spreads[:, None] - spreads)
        else:
            away = kinseq.measures.compute("dtw", sequences)
        found = varying(sequences, away)
        first = found.properties.iloc[0]
        assert (first["property"], first["column"]) == (property, "column 2")
        assert f"{property} of column 2" in found.values
        assert len(found.values[f"{property} of column 2"]) == N


def test_dissimilarities_that_follow_nothing_get_no_statement() -> None:
    sequences, said = planted(0, "level"), 0
    for seed in range(40):
        points = np.random.default_rng(seed).normal(size=(N, 3))
        away = np.linalg.norm(points[:, None] - points, axis=2)
        said += len(varying(sequences, away, seed).properties) > 0
    assert said <= 2


def test_the_order_of_the_sequences_changes_nothing() -> None:
    sequences = planted(1, "trend")
    away = kinseq.measures.compute("dtw", sequences)
    order = np.random.default_rng(0).permutation(N)
    found, again = varying(sequences, away), varying(sequences.subset(order), away[np.ix_(order, order)])
    assert found.properties["sentence"].tolist() == again.properties["sentence"].tolist()


def test_of_many_some_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    sequences = planted(3, "level")
    monkeypatch.setattr(limits, "MAX_EXAMINED", 20)
    said = varying(sequences, kinseq.measures.compute("dtw", sequences)).values["level of column 2"]
    assert sum(text != "" for text in said) == 20
    for item in (i for i, text in enumerate(said) if text):
        assert float(said[item]) == pytest.approx(float(sequences[item][:, 1].mean()), abs=0.01)


@pytest.mark.parametrize("n", [2, 3])
def test_few_sequences_have_no_correlations(n: int) -> None:
    sequences = planted(0, "level").subset(np.arange(n))
    found = varying(sequences, np.ones((n, n)) - np.eye(n))
    assert found.properties.empty


def test_the_page_on_one_cluster_says_what_varies_and_what_is_far() -> None:
    rng = np.random.default_rng(4)
    tables = {
        f"<b>{i:02d}": pd.DataFrame(rng.normal(size=(30, 1)) + 2.0 * rng.normal(), columns=["temp [C]"])
        for i in range(20)
    }
    tables["<b>07"] += 90.0
    found = kinseq.cluster(tables, 1, "dtw", n_resamples=2)
    page = to_html(content_of(found))
    assert "What varies most" in page
    assert "What sets it apart" not in page
    listed = [int(item) for item in re.findall(r'data-select="(\d+)"', page)]
    assert listed == [7]
    assert '"level of temp [C]":[' in page
    # What is far from all others has a picture of its own scale.
    assert page.count('<figure class="panel curve') == 2
