"""One list of outliers: anomalies first, each with the property that is furthest out, and none among ordinary sequences."""

from __future__ import annotations

import numpy as np
import pytest

import kinseq
from kinseq.analysis import limits
from kinseq.analysis.outliers import LISTED, MIN_DEVIATIONS, outliers
from kinseq.core.sequences import SequenceSet
from kinseq.report.page import to_html
from kinseq.report.writing import content_of

N, FRAMES = 40, 200


def waves(seed: int, period: float = 50.0) -> list[np.ndarray]:
    """Noisy waves of one period around 60."""
    rng, time = np.random.default_rng(seed), np.arange(FRAMES)
    return [
        (60 + 4 * np.sin(2 * np.pi * time / period + rng.uniform(0, 6)) + rng.normal(0, 0.6, FRAMES))[:, None]
        for _ in range(N)
    ]


def listed(arrays: list[np.ndarray], distance: np.ndarray | None = None) -> object:
    """Outliers of one cluster; dissimilarities that see nothing, if none are given."""
    sequences = SequenceSet.from_arrays(arrays, layout="channels_last")
    n = len(arrays)
    return outliers(
        sequences, np.zeros(n, dtype=np.int64), np.ones((n, n)) - np.eye(n) if distance is None else distance
    )


@pytest.mark.parametrize("seed", range(3))
def test_a_fast_cycle_among_equal_periods_is_found_by_its_period(seed: int) -> None:
    found = listed([*waves(seed), *waves(seed, 11.0)[:1]])
    assert found["anomaly"].sum() == 1
    first = found.iloc[0]
    assert (first["item"], first["property"]) == (N, "period")
    assert first["value"] == pytest.approx(11.0, rel=0.05)
    assert first["usual"] == pytest.approx(50.0, rel=0.05)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("property", "change"),
    [
        ("level", lambda x: x + 20.0),
        ("level", lambda x: x - 20.0),
        ("spread", lambda x: (x - 60.0) * 20.0 + 60.0),
        ("spread", lambda x: np.full_like(x, 60.0)),
        ("trend", lambda x: x + 12.0 * np.linspace(-1.0, 1.0, FRAMES)[:, None]),
    ],
)
def test_the_reason_is_what_was_changed(seed: int, property: str, change: object) -> None:
    arrays = waves(seed)
    arrays[7] = change(arrays[7])
    found = listed(arrays)
    assert found[found["anomaly"]]["item"].tolist() == [7]
    assert found.iloc[0]["property"] == property
    assert found.iloc[0]["deviations"] >= MIN_DEVIATIONS
    column = np.array([x.mean() for x in arrays])
    if property == "level":
        assert found.iloc[0]["value"] == pytest.approx(column[7])
        assert found.iloc[0]["usual"] == pytest.approx(np.median(column))


def test_ordinary_sequences_are_no_anomalies() -> None:
    number = 0
    for seed in range(10):
        rng = np.random.default_rng(seed)
        number += int(listed(waves(seed))["anomaly"].sum())
        number += int(listed([rng.normal(size=(FRAMES, 2)) for _ in range(N)])["anomaly"].sum())
        number += int(listed([rng.normal(size=(FRAMES, 1)).cumsum(axis=0) for _ in range(N)])["anomaly"].sum())
        number += int(listed([rng.exponential(size=(int(rng.uniform(50, 200)), 1)) for _ in range(N)])["anomaly"].sum())
    assert number <= 10  # of 1600


def test_two_values_that_many_have_are_usual() -> None:
    assert not listed([*waves(0)[:30], *waves(1, 11.0)[:10]])["anomaly"].any()


def test_what_only_the_measure_sees_is_an_anomaly_by_its_dissimilarity() -> None:
    distance = np.random.default_rng(0).uniform(0.9, 1.1, (N, N))
    distance = (distance + distance.T) / 2
    distance[3] = distance[:, 3] = 5.0
    np.fill_diagonal(distance, 0.0)
    found = listed(waves(0), distance)
    assert found[found["anomaly"]]["item"].tolist() == [3]
    assert found.iloc[0]["property"] == "dissimilarity"
    assert found.iloc[0]["value"] == pytest.approx(5.0)
    # Anomalies are followed by the sequences least similar to others.
    away = distance.sum(axis=1)
    rest = found["item"].tolist()[1:]
    assert rest == [i for i in np.argsort(-away) if i != 3][: LISTED - 1]


def test_the_order_of_the_sequences_changes_nothing() -> None:
    arrays = waves(2)
    arrays[4] = arrays[4] + 9.0
    arrays[8] = arrays[8] * 3.0
    order = np.random.default_rng(0).permutation(N)
    distance = kinseq.measures.compute("dtw", arrays)
    found = listed(arrays, distance)
    again = listed([arrays[i] for i in order], distance[np.ix_(order, order)])
    assert found["item"].tolist() == order[again["item"]].tolist()
    assert found["sentence"].tolist() == again["sentence"].tolist()


def test_a_member_is_held_against_its_own_cluster() -> None:
    arrays = [*waves(0), *[x + 30.0 for x in waves(1)]]
    # It has the level of the other cluster.
    arrays[0] = arrays[0] + 30.0
    n = 2 * N
    sequences = SequenceSet.from_arrays(arrays, layout="channels_last")
    found = outliers(sequences, np.repeat([0, 1], N), np.ones((n, n)) - np.eye(n))
    assert found[found["anomaly"]][["item", "cluster", "property"]].to_numpy().tolist() == [[0, 1, "level"]]


@pytest.mark.parametrize("n", [2, 3, 7])
def test_few_sequences_have_no_anomalies(n: int) -> None:
    arrays = waves(0)[:n]
    arrays[0] = arrays[0] + 1000.0
    found = listed(arrays)
    assert len(found) == min(n, LISTED)
    assert not found["anomaly"].any()


def test_of_many_the_furthest_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_EXAMINED", 20)
    arrays = waves(0)
    distance = kinseq.measures.compute("dtw", arrays)
    assert (
        listed(arrays, distance)["item"].tolist() == np.argsort(-distance.sum(axis=1), kind="stable")[:LISTED].tolist()
    )


def test_a_result_and_its_page_list_them() -> None:
    arrays = waves(3)
    arrays[5] = arrays[5] + 20.0
    found = kinseq.cluster(arrays, 1, "dtw", n_resamples=2)
    table = found.outliers()
    assert table.index.name == "id"
    assert bool(table.iloc[0]["anomaly"])
    assert table.index[0] == found.sequences.ids[5]
    page = to_html(content_of(found))
    assert table.iloc[0]["sentence"] in page
    assert "<h2>Outliers</h2>" in page
    # Ordinary sequences are not listed, however far out the least similar one is.
    assert table["sentence"].iloc[-1] not in page
    assert not table["anomaly"].iloc[-1]
    assert kinseq.cluster(found.distance, 1, "precomputed", n_resamples=2).outliers().empty
