"""The order of rows by times that rise, fall, begin again or stand in disorder."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

import kinseq
from kinseq.core.errors import DataError
from kinseq.core.inputs import TOLD, Columns, as_collection
from kinseq.core.row_order import Times, orders_within, row_order
from tests.sentences import Recorded

ROWS = 40
K = np.arange(ROWS)
DAY = 86_400.0

WRAPPED: dict[str, tuple[np.ndarray, Times, float]] = {
    "night": ((79_200 + 600.0 * K) % DAY, "clock", 600.0),
    "three days": ((79_200 + 7200.0 * K) % DAY, "clock", 7200.0),
    "two rows a day": ((28_800 + 43_200.0 * K) % DAY, "clock", 43_200.0),
    "12 hours": (3600.0 + (32_400 + 1800.0 * K) % 43_200, "clock", 1800.0),
    "dates of one day": ((79_200 + 600.0 * K) % DAY, "dates", 600.0),
    "8 bits": ((200.0 + 2 * K) % 256, "numbers", 2.0),
    "16 bits": ((65_000.0 + 20 * K) % 65_536, "numbers", 20.0),
    "16 bits, signed": ((32_000.0 + 32_768 + 50 * K) % 65_536 - 32_768, "numbers", 50.0),
    "32 bits": ((2.0**32 - 5000 + 1000 * K) % 2**32, "numbers", 1000.0),
    "seconds of the day": ((86_000.0 + 60 * K) % DAY, "numbers", 60.0),
    "milliseconds of the day": ((1000 * DAY - 3000 + 250 * K) % (1000 * DAY), "numbers", 250.0),
    "hours": (np.round((22.0 + 0.25 * K) % 24, 6), "numbers", 0.25),
    "minutes of the day": ((1400.0 + 5 * K) % 1440, "numbers", 5.0),
}


@pytest.mark.parametrize("name", WRAPPED)
def test_a_clock_that_begins_again_goes_on_in_the_order_of_the_rows(name: str) -> None:
    times, kind, step = WRAPPED[name]
    assert (np.diff(times) < 0).any()
    found = row_order(times, kind, "t")
    assert found.positions.tolist() == K.tolist()
    assert not found.moved
    assert found.again == int((np.diff(times) < 0).sum())
    np.testing.assert_allclose(np.diff(found.times), step, rtol=1e-6)
    newest_first = row_order(times[::-1].copy(), kind, "t")
    assert newest_first.positions.tolist() == K[::-1].tolist()
    assert newest_first.moved
    np.testing.assert_allclose(newest_first.times, found.times)


@pytest.mark.parametrize(("form", "digits"), [("%H%M%S", 10), ("%H%M", 600)])
def test_times_of_day_written_as_a_number_become_seconds(form: str, digits: int) -> None:
    start = dt.datetime(2024, 3, 30, 22, 51)
    times = np.array([float(f"{start + dt.timedelta(seconds=digits * 30 * k):{form}}") for k in range(ROWS)])
    found = row_order(times, "numbers", "t")
    assert found.positions.tolist() == K.tolist()
    assert found.again >= 1
    assert found.seconds
    np.testing.assert_allclose(np.diff(found.times), 30 * digits)


def test_what_is_out_of_order_is_sorted() -> None:
    rng = np.random.default_rng(0)
    cases: dict[str, np.ndarray] = {
        "shuffled": rng.permutation(ROWS).astype(float),
        "newest first": K[::-1].astype(float),
        "blocks": np.concatenate([K[25:], K[:25]]).astype(float),
        "late rows": np.array([*range(10), 11, 10, *range(12, 20), 21, 22, 20, *range(23, ROWS)], dtype=float),
        "shuffled, of a counter": 20.0 * rng.permutation(ROWS) % 65_536,
        "a few": np.array([3.0, 1, 2, 0]),
    }
    for name, times in cases.items():
        found = row_order(times, "numbers", "t")
        assert found.times.tolist() == sorted(times.tolist()), name
        assert (found.moved, found.again) == (True, 0), name


MIXED: dict[str, tuple[np.ndarray, Times]] = {
    "working hours of three days": (np.tile(28_800 + 600.0 * np.arange(40), 3), "clock"),
    "three recordings, shifted": (np.concatenate([K + 0.0, K + 0.3, K + 0.6]), "numbers"),
    "two animals, one after the other": (np.tile(K.astype(float), 2), "numbers"),
    "the same days twice": (np.tile(DAY * K, 2), "dates"),
    "a counter of whatever period": (np.concatenate([np.arange(500.0, 777), np.arange(0.0, 200)]), "numbers"),
}


@pytest.mark.parametrize("name", MIXED)
def test_stretches_are_never_mixed(name: str, recorded: Recorded) -> None:
    times, kind = MIXED[name]
    with recorded.raises(DataError):
        row_order(times, kind, "column 't'")


def test_disorder_of_small_numbers_is_never_a_clock() -> None:
    rng = np.random.default_rng(1)
    for _ in range(300):
        times = rng.permutation(int(rng.integers(8, 30))).astype(float)
        try:
            found = row_order(times, "numbers", "t")
        except DataError:
            continue
        assert found.times.tolist() == sorted(times.tolist())


def test_each_sequence_has_its_own_order() -> None:
    night = WRAPPED["night"][0]
    times = np.stack([night, night[::-1], np.sort(night)], axis=1).ravel()
    codes = np.tile([0, 1, 2], ROWS)
    positions, moments, orders = orders_within(times, codes, "clock", lambda code: f"sequence {code}")
    assert sorted(orders) == [0, 1]
    assert orders[1].moved
    assert not orders[0].moved
    assert codes[positions].tolist() == [0] * ROWS + [1] * ROWS + [2] * ROWS
    np.testing.assert_allclose(moments[:ROWS], moments[ROWS : 2 * ROWS])
    assert (np.diff(moments)[np.diff(codes[positions]) == 0] > 0).all()


# Tables in memory

ALL = np.random.default_rng(2).permutation(ROWS)
STAMPS = pd.date_range("2024-03-30 22:00", periods=ROWS, freq="10min")
X = np.sin(np.arange(ROWS))


def of(kind: str, rows: np.ndarray = K) -> pd.DataFrame:
    """Rows of one recording, with their times in some form."""
    x = pd.DataFrame({"x": X})
    clock = pd.to_timedelta(STAMPS - STAMPS.normalize())
    forms: dict[str, Callable[[], pd.DataFrame]] = {
        "times of day": lambda: x.assign(time=clock),
        "times of day as of a spreadsheet": lambda: x.assign(time=[stamp.time() for stamp in STAMPS]),
        "day and time of day": lambda: x.assign(Date=STAMPS.normalize(), Time=clock),
        "day and time of day, as of a spreadsheet": lambda: x.assign(
            day=STAMPS.normalize(), time=[stamp.time() for stamp in STAMPS]
        ),
        "dates in the index": lambda: x.set_index(STAMPS),
        "named dates in the index": lambda: x.set_index(STAMPS.rename("when")),
        "durations in the index": lambda: x.set_index(STAMPS - STAMPS[0]),
        "periods in the index": lambda: x.set_index(STAMPS.to_period("min")),
        "numbers in an index called time": lambda: x.set_index(pd.Index(K / 2, name="time")),
        "dates with a zone": lambda: x.set_index(STAMPS.tz_localize("Asia/Tokyo")),
    }
    return forms[kind]().iloc[rows]


IN_ORDER = ("times of day", "times of day as of a spreadsheet")
OTHERS = (
    "day and time of day",
    "day and time of day, as of a spreadsheet",
    "dates in the index",
    "named dates in the index",
    "durations in the index",
    "periods in the index",
    "numbers in an index called time",
    "dates with a zone",
)


@pytest.mark.parametrize("kind", [*IN_ORDER, *OTHERS])
def test_tables_come_in_the_order_of_time(kind: str) -> None:
    rows = K if kind in IN_ORDER else ALL
    table = of(kind, rows)
    listed, _ = as_collection([table, table])
    long, _ = as_collection(pd.concat([table.assign(id="a"), table.assign(id="b")]))
    for found in (listed, long):
        assert found.n_features == 1
        assert [frames.ravel().tolist() for frames in found] == [X.tolist()] * 2
        told = " ".join(found.provenance[TOLD])
        assert ("begins again" if kind in IN_ORDER else "sorted the rows of 2 sequences") in told


def test_series_come_in_the_order_of_their_index(recorded: Recorded) -> None:
    series = pd.Series(X, index=STAMPS).iloc[ALL]
    found, how = as_collection({"a": series, "b": series})
    assert [frames.ravel().tolist() for frames in found] == [X.tolist()] * 2
    assert "the index" in how
    recorded(found.provenance[TOLD][0])
    counted, _ = as_collection([pd.Series(X, index=ALL)] * 2)
    assert counted[0].ravel().tolist() == X.tolist()
    with recorded.raises(DataError):
        as_collection([series, pd.Series(X)])
    with recorded.raises(DataError):
        as_collection({"a": series.to_frame("x"), "b": pd.DataFrame({"x": X})})


def test_a_column_of_times_goes_before_the_index() -> None:
    table = of("dates in the index", ALL).assign(time=K)
    found, how = as_collection([table, table])
    assert found[0].ravel().tolist() == X[ALL].tolist()
    assert "column 'time'" in how
    named, _ = as_collection([of("named dates in the index", ALL)] * 2, columns=Columns(time="when"))
    assert named[0].ravel().tolist() == X.tolist()


def test_an_index_of_levels_names_the_sequences() -> None:
    table = pd.concat([of("dates in the index", ALL)] * 2, keys=["a", "b"], names=["id", "time"])
    found, _ = as_collection(table)
    assert found.ids.tolist() == ["a", "b"]
    assert found[1].ravel().tolist() == X.tolist()


def test_an_analysis_tells_what_was_done_to_the_rows(recorded: Recorded) -> None:
    rng = np.random.default_rng(3)
    frames = [
        pd.DataFrame({"time": (65_000 + 20 * K) % 65_536, "x": rng.normal(size=ROWS) + 5 * (i % 2)}) for i in range(6)
    ]
    result = kinseq.cluster(frames, n_clusters=2, measure="dtw")
    recorded.within("\n".join(result.notes))
