"""A second look inside each group: what is found there, what is said of it, and that nothing is found where nothing is."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import adjusted_rand_score

import kinseq
from kinseq.analysis.candidates import Candidate
from kinseq.analysis.limits import THRESHOLDS
from kinseq.api import Clustering
from kinseq.core.arrays import IntArray
from kinseq.core.sequences import SequenceSet
from kinseq.metrics.groupings import of_labels
from kinseq.report.content import PALETTE
from kinseq.report.data import partitions
from kinseq.report.writing import content_of

LEAKING, NORMAL, HOT = 0, 1, 2
COLUMNS = ["current", "pressure_bar", "oil_temperature"]


def compressors(seed: int = 0, frames: int = 30) -> tuple[list[pd.DataFrame], IntArray]:
    """Logs of 13 compressors that leak, of 20 that are normal, and of 19 that get hot; and which is which."""
    random, time = np.random.default_rng(seed), np.linspace(0.0, 1.0, frames)
    kinds = random.permutation(np.repeat([LEAKING, NORMAL, HOT], [13, 20, 19]))
    load, logs = np.cos(4.0 * np.pi * time), []
    for kind in kinds:
        current = 8.0 + 2.0 * load + 0.3 * random.normal(size=frames)
        pressure = 7.0 + 0.2 * load - 5.0 * (kind == LEAKING) + 0.1 * random.normal(size=frames)
        drift = (kind == HOT) * DRIFT * time * (1.0 + 0.1 * random.normal())
        oil = 60.0 + load + drift + 0.3 * random.normal(size=frames)
        logs.append(pd.DataFrame(np.stack([current, pressure, oil], axis=1), columns=COLUMNS))
    return logs, kinds


DRIFT = 1.3
"""Degrees by which the oil of hot ones gets warmer."""
LOGS, KINDS = compressors()


@pytest.fixture(scope="module")
def found() -> Clustering:
    result = kinseq.cluster(LOGS, measure="dtw", n_resamples=2)
    assert isinstance(result, Clustering)
    return result


def test_what_a_group_falls_into_is_found_and_said(found: Clustering, tmp_path: Path) -> None:
    np.testing.assert_array_equal(found.labels == 1, KINDS == LEAKING)
    assert list(found.within()) == [1]
    inner = found.within()[1]
    assert adjusted_rand_score(KINDS[KINDS != LEAKING], inner.labels) > 0.9
    # Never more than two levels.
    assert inner.within() == {}
    (said,) = found._within_groups()
    assert said.startswith("within group 1: 2 groups")
    assert said.endswith(
        ": 20 with oil_temperature about 60; 19 with oil_temperature highest at 97 and lowest at 24 % of the time"
    )
    assert f"W{said[1:]}." in " ".join(found.summary().split())
    page = found.report(tmp_path / "page").read_text(encoding="utf-8")
    part = page[page.index('id="answer"') :]
    # Groups within groups have rows of their own, in place of the group that they are in.
    part = part[: part.index("</section>")]
    rows = re.findall(r'<div class="row (\w+)"><div class="who"><span class="dot">([\d.]+)</span><b>(\d+)</b>', part)
    sizes = np.bincount(inner.labels).tolist()
    assert rows == [
        ("p0", "1.1", str(sizes[0])),
        ("p1", "1.2", str(sizes[1])),
        ("k1", "2", str((found.labels == 1).sum())),
    ]
    # The second is of another tint of the colour that the group has.
    inks = dict(re.findall(r"\.(p\d)\{--ink:(#\w+)", page))
    assert inks["p0"] == PALETTE[0].lower() != inks["p1"]
    # Every member is drawn.
    drawn = [
        row.count("M")
        for row in re.findall(r'<figure class="panel curve"[^~]*?<path class="members" d="([^"]*)"', part)
    ]
    assert set(drawn) == {*sizes, int((found.labels == 1).sum())}
    # The menu has these groups too.
    (divided,) = [labels for name, labels in partitions(content_of(found)) if name.endswith("with 1 divided")]
    assert adjusted_rand_score(KINDS, divided) > 0.9
    assert page.index(f"W{said[1:]}.") < page.index('id="answer"')
    found.save(tmp_path / "saved")
    again = kinseq.load(tmp_path / "saved").within()[1]
    np.testing.assert_array_equal(again.labels, inner.labels)


def test_with_the_number_given_what_a_group_falls_into_goes_before_a_cut() -> None:
    three = kinseq.cluster(LOGS, 3, "dtw", n_resamples=2)
    assert three.decision.groups is not None
    assert adjusted_rand_score(KINDS, three.labels) > 0.9
    assert three.verdict == (
        "3 groups, separated: 20 with neither; 19 with oil_temperature highest at 97 and lowest at 24 % of the time; 13 with"
        " pressure about 2 bar"
    )


def test_within_halves_of_one_process_there_is_nothing() -> None:
    random = np.random.default_rng(1)
    halves = kinseq.cluster([random.normal(size=(20, 1)) for _ in range(44)], 2, "dtw", n_resamples=2)
    assert np.bincount(halves.labels).max() >= 20
    assert halves.within() == {}
    assert halves._within_groups() == []


def test_the_more_groups_are_looked_into_the_more_has_to_stand_out_in_each() -> None:
    random, asked = np.random.default_rng(1), list[tuple[int, int]]()
    levels = np.repeat([0.0, 5.0, 10.0, 15.0], [24, 22, 20, 6])
    found = kinseq.cluster([random.normal(size=(12, 1)) + level for level in levels], 4, "dtw", n_resamples=2)
    assert isinstance(found, Clustering)

    def look(members: SequenceSet, n_groups: int) -> Clustering:
        asked.append((len(members), n_groups))
        return found

    assert list(replace(found, _look=look).within()) == [1, 2, 3]
    assert asked == [(24, 3), (22, 3), (20, 3)]
    assert THRESHOLDS.shared_by(3).level == THRESHOLDS.level / 3


def test_groups_of_lengths_are_not_told_within_a_group() -> None:
    random = np.random.default_rng(1)
    arrays = [random.normal(size=((20, 60)[i % 2], 1)) for i in range(24)]
    lengths = kinseq.cluster(arrays, 2, "properties", params={"only": ["length"]}, n_resamples=2)
    by = Candidate("length", of_labels(lengths.distance, lengths.labels), by_property=True)
    lengths.decision = replace(lengths.decision, by=by)
    assert lengths.verdict.startswith("2 groups that differ only in length")
    assert lengths.degree == "lengths"
    halves = kinseq.cluster([frames + 9.0 * (i < 12) for i, frames in enumerate(arrays * 2)], 2, "dtw", n_resamples=2)
    assert isinstance(halves, Clustering)
    assert replace(halves, _look=lambda members, n_groups: lengths).within() == {}


def test_groups_of_a_matrix_and_by_models_are_not_looked_into() -> None:
    places = np.concatenate([np.linspace(0.0, 1.0, 10), np.linspace(5.0, 6.0, 10), np.linspace(90.0, 91.0, 10)])
    matrix = np.abs(places[:, None] - places)
    assert kinseq.cluster(matrix, 2, "precomputed", n_resamples=2).within() == {}
    random = np.random.default_rng(1)
    arrays = [random.normal(size=(12, 1)) + 9.0 * (i % 2) for i in range(40)]
    assert kinseq.cluster(arrays, 2, "kl_ll", n_resamples=2, n_states=1).within() == {}
