"""Every statement is held against the raw frames: recomputed by other means, with nothing of what made it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import ndimage, signal, stats

from kinseq.analysis.explaining import explain
from kinseq.core.sequences import SequenceSet

Frames = np.ndarray[Any, np.dtype[np.float64]]
Made = tuple[list[Frames], np.ndarray[Any, np.dtype[np.int64]]]

# ---------------------------------------------------------------------------------------------------------------------
# Sets whose groups differ in what is known
# ---------------------------------------------------------------------------------------------------------------------

EACH, FRAMES = 14, 240
TIME = np.arange(FRAMES)


def coloured(rng: np.random.Generator, memory: float, size: float, frames: int = FRAMES) -> Frames:
    return signal.lfilter([1.0], [1.0, -memory], rng.normal(0.0, size, frames + 60))[60:]


def one_column(make: Callable[[np.random.Generator, int], Frames], n_groups: int = 2) -> Callable[[int], Made]:
    def made(seed: int) -> Made:
        rng = np.random.default_rng(seed)
        labels = np.repeat(np.arange(n_groups), EACH)
        return [np.asarray(make(rng, k)).reshape(-1, 1) for k in labels], labels

    return made


def wave(rng: np.random.Generator, period: float) -> Frames:
    return np.sin(2.0 * np.pi * (TIME / period + rng.random()))


def bursts(rng: np.random.Generator, k: int) -> Frames:
    x = rng.normal(0.0, 0.1, FRAMES)
    for begin in rng.permutation(8)[: (2, 6)[k]] * 30 + 5:
        x[begin : begin + 14] += 3.0 * np.sin(1.4 * np.arange(14) + rng.random())
    return x


def switched(rng: np.random.Generator, k: int) -> Frames:
    x, place, on = np.zeros(FRAMES), -int(rng.integers(0, 20)), bool(rng.integers(2))
    while place < FRAMES:
        survives_phase_shift = int(max(4.0, rng.normal(12.0 if on else (12.0, 30.0)[k], 1.5)))
        x[max(place, 0) : max(place + survives_phase_shift, 0)] = on
        place, on = place + survives_phase_shift, not on
    return 3.0 + 5.0 * x + rng.normal(0.0, 0.15, FRAMES)


def day(rng: np.random.Generator, k: int) -> Frames:
    """High in the morning, or somewhat less, and all night."""
    x = 0.3 + 0.05 * np.abs(rng.normal(size=FRAMES))
    x += (3.0, 0.5)[k] * np.exp(-0.5 * ((TIME - rng.normal(90, 5)) / 14.0) ** 2) + (0.0, 2.2)[k] * (TIME > 190)
    return x * np.exp(rng.normal(0.0, 0.05))


def coupled(seed: int) -> Made:
    rng = np.random.default_rng(seed)
    labels = np.repeat([0, 1, 2], EACH)
    sequences = []
    for k in labels:
        common = coloured(rng, 0.7, 1.0)
        other = (1.0, -1.0, 0.0)[k] * common + coloured(rng, 0.7, (0.5, 0.5, 1.1)[k])
        sequences.append(np.stack([20.0 + common + coloured(rng, 0.7, 0.5), 300.0 + 8.0 * other], axis=1))
    return sequences, labels


def two_peaked(seed: int) -> Made:
    """Walkers and cyclists are one group, cars are the other."""
    rng = np.random.default_rng(seed)
    labels = np.repeat([0, 1], 2 * EACH)
    speeds = [*np.repeat([5.0, 15.0], EACH), *np.full(2 * EACH, 50.0)]
    return [speed * np.exp(rng.normal(0, 0.04)) + rng.normal(0.0, 0.5, (FRAMES, 1)) for speed in speeds], labels


def machines(seed: int) -> Made:
    """Memory leaks in one of three columns, and errors come with them."""
    rng = np.random.default_rng(seed)
    labels = np.repeat([0, 1], EACH)
    sequences = []
    for k in labels:
        load = 30.0 + coloured(rng, 0.9, 1.0)
        memory = 40.0 + k * 0.18 * np.exp(rng.normal(0, 0.1)) * TIME + coloured(rng, 0.8, 0.4)
        errors = rng.poisson(0.05 + 0.5 * k * (TIME > 180)).astype(float)
        sequences.append(np.stack([load, memory, errors], axis=1))
    return sequences, labels


SETS: dict[str, Callable[[int], Made]] = {
    "level": one_column(lambda rng, k: 101325.0 + 5.0 * k + rng.normal(0, 0.5) + rng.normal(0.0, 0.4, FRAMES)),
    "spread": one_column(lambda rng, k: (1.0, 2.5)[k] * coloured(rng, 0.5, 1.0)),
    "trend": one_column(
        lambda rng, k: (0.0, 4.0, -4.0)[k] * TIME / FRAMES + rng.normal(0, 0.6) + coloured(rng, 0.5, 0.3), 3
    ),
    "discharge": one_column(
        lambda rng, k: (
            (4.1 - 0.8 * TIME / FRAMES if k else 3.3 - 0.05 * TIME / FRAMES - 0.6 * np.exp((TIME - FRAMES) / 8.0))
            + rng.normal(0.0, 0.005, FRAMES)
        )
    ),
    "period": one_column(lambda rng, k: wave(rng, rng.normal((16.0, 26.0)[k], 0.4)) + rng.normal(0.0, 0.2, FRAMES)),
    "sweeps and trills": one_column(
        lambda rng, k: (
            (900.0, -900.0, 0.0)[k] * TIME / FRAMES
            + 400.0 * (k == 2) * wave(rng, rng.normal(14.0, 0.5))
            + rng.normal(3200, 100)
            + rng.normal(0.0, 20.0, FRAMES)
        ),
        3,
    ),
    "switched": one_column(switched),
    "bursts": one_column(bursts),
    "step": one_column(
        lambda rng, k: (
            40.0 + 15.0 / (1.0 + np.exp(-(TIME - rng.normal((60, 180)[k], 5)) / 4.0)) + rng.normal(0, 0.8, FRAMES)
        )
    ),
    "peak": one_column(
        lambda rng, k: (
            5.0 * np.exp(-0.5 * ((TIME - rng.normal((60, 170)[k], 5)) / 6.0) ** 2) + rng.normal(0, 0.3, FRAMES)
        )
    ),
    "dies out": one_column(
        lambda rng, k: 5.0 * np.exp(-TIME / (50.0, 150.0)[k]) * wave(rng, 14.0) + rng.normal(0.0, 0.15, FRAMES)
    ),
    "form": one_column(lambda rng, k: (rng.normal(size=FRAMES), rng.standard_t(3.0, FRAMES) / 1.7)[k]),
    "memory": one_column(lambda rng, k: coloured(rng, (0.1, 0.8)[k], (1.0, 0.6)[k])),
    "length": lambda seed: (
        [
            np.random.default_rng([seed, i]).normal(
                size=(int(np.random.default_rng([seed, i, 1]).normal((120, 200)[i // EACH], 6)), 1)
            )
            for i in range(2 * EACH)
        ],
        np.repeat([0, 1], EACH),
    ),
    "day": one_column(day),
    "slowing": one_column(
        lambda rng, k: (
            2.0 * np.sin(2 * np.pi * np.cumsum(np.linspace(1 / 8, (1 / 8, 1 / 24)[k], FRAMES)) + 6.0 * rng.random())
            + rng.normal(0.0, 0.1, FRAMES)
        )
    ),
    "coupled": coupled,
    "two-peaked": two_peaked,
    "machines": machines,
}

# ---------------------------------------------------------------------------------------------------------------------
# The auditor
# ---------------------------------------------------------------------------------------------------------------------

RATE = 2.0
"""Frames a second."""


def has_period(x: Frames) -> tuple[bool, float]:
    """Whether one line of the periodogram and what is near it have half of the power, and its period in frames."""
    frequency, power = signal.periodogram(x, window="hann", nfft=16 * len(x), detrend="constant")
    top = int(power.argmax())
    near = np.abs(frequency - frequency[top]) <= 2.5 / len(x)
    return bool(power[near].sum() > 0.5 * power.sum() and frequency[top] >= 1.8 / len(x)), 1.0 / max(
        frequency[top], 1e-9
    )


def runs(x: Frames, upper: bool) -> Frames:
    """Lengths of the whole stretches above, or below, the middle of two states."""
    middle = np.quantile(x, [0.03, 0.97]).mean()
    smooth = ndimage.median_filter(x, 3)
    found, n = ndimage.label((smooth > middle) == upper)
    sizes = np.bincount(found)[1:]
    whole = [s for i, s in enumerate(sizes, 1) if found[0] != i and found[-1] != i]
    return np.array(whole, dtype=float) if n else np.zeros(0)


def moment(x: Frames) -> list[float]:
    """Where the largest step is, and where the largest burst is, in frames."""
    w = max(3, len(x) // 24)
    steps = np.abs(np.convolve(x, np.r_[np.ones(w), -np.ones(w)] / w, "valid"))
    away = ndimage.uniform_filter1d(np.abs(x - np.median(x)), w)
    return [float(steps.argmax()) + w - 0.5, float(away.argmax())]


def count_bursts(x: Frames) -> float:
    away = ndimage.maximum_filter1d(np.abs(x - np.median(x)), 7)
    unit = stats.median_abs_deviation(x)
    return float(ndimage.label(away > 6.5 * max(unit, 1e-3 * x.std()))[1])


def crossings(x: Frames) -> float:
    units = (x - x.mean()) / x.std()
    state, upward = 0, []
    for t, value in enumerate(units):
        if value > 0.5 and state <= 0:
            upward += [t] * (state < 0)
            state = 1
        elif value < -0.5:
            state = -1
    gaps = np.diff(upward)
    return float(100.0 * gaps.std() / gaps.mean()) if len(gaps) >= 3 else np.nan


def rms_step(x: Frames) -> float:
    return float(np.sqrt(np.mean(np.diff(x) ** 2)))


RAW: dict[str, Callable[[Frames], float]] = {
    "level": lambda x: float(np.mean(x)),
    "spread": lambda x: float(stats.tstd(x)) * np.sqrt((len(x) - 1) / len(x)),
    "trend": lambda x: float(stats.linregress(np.arange(len(x)), x).rvalue),
    "form": lambda x: float(stats.kurtosis(x, fisher=False)),
    "roughness": lambda x: rms_step(x) / x.std(),
    "event size": lambda x: float(np.abs(x - np.median(x)).max()),
    "quickening": lambda x: rms_step(x[(len(x) + 1) // 2 :]) / rms_step(x[: (len(x) + 1) // 2]),
    "period": lambda x: has_period(x)[1] / RATE if has_period(x)[0] else np.nan,
    "time high": lambda x: float(np.median(runs(x, True))) / RATE if len(runs(x, True)) else np.nan,
    "time low": lambda x: float(np.median(runs(x, False))) / RATE if len(runs(x, False)) else np.nan,
    "dwell": lambda x: (
        float(np.median(runs(x, True)) + np.median(runs(x, False))) / 2 / RATE
        if len(runs(x, True)) and len(runs(x, False))
        else np.nan
    ),
    "events": count_bursts,
    "regularity": crossings,
}
WORDS = {
    "higher": 1, "lower": -1, "larger": 1, "smaller": -1, "longer": 1, "shorter": -1,
    "rougher": 1, "smoother": -1, "faster": 1, "slower": -1, "later": 1, "earlier": -1, "more events": 1, "fewer events": -1,
    "heavier": 1, "lighter": -1, "less regular": 1, "more regular": -1,
}  # fmt: skip
"""Words of sentences, and the side of the others that they mean."""
OWN_SIGN = {
    "rising": 1,
    "falling": -1,
    "positive correlation": 1,
    "negative correlation": -1,
    "faster towards": 1,
    "slower towards": -1,
}
"""Words on a group by itself."""
SPREAD, NUMBERS = 0.1, 0.07
"""Share of the spread between sequences, and of a number, by which a claim may differ from what is recomputed."""


def audit(sequences: list[Frames], labels: Any, table: pd.DataFrame, columns: list[str], most: int = 5) -> list[str]:
    """Contradictions between the first statements on each group and the raw frames, one sentence each."""
    wrong = []
    for k, rows in table.groupby("cluster"):
        for row in rows.head(most).to_dict("records"):
            if row["property"]:
                own = labels == k - 1
                wrong += [
                    f"{k} {row['property']}: {said}: {row['sentence']}"
                    for said in _contradictions(sequences, own, row, columns)
                ]
    return wrong


def _contradictions(sequences: list[Frames], own: Any, row: dict[str, Any], columns: list[str]) -> list[str]:
    kind, wrong = row["property"], []
    parts = row["column"].split(" and ") if row["column"] else columns[:1]
    places = [columns.index(part) for part in parts]
    x = [frames[:, places[0]] for frames in sequences]
    sentence = re.sub(r"(upper|lower) of two states", "", row["sentence"])
    side = next((sign for words, sign in WORDS.items() if words in sentence), None)
    is_share = bool(re.match(r"all \d+|(\d+|none) of \d+", sentence))
    if side is not None and not is_share and row["direction"] and side != row["direction"]:
        wrong.append("words and direction differ")
    if kind == "shape":
        return wrong
    if kind == "event time":
        values = np.array([min(moment(one), key=lambda at: abs(at / RATE - row["value"])) / RATE for one in x])
        if np.isnan(row["value"]):
            return wrong
    elif kind == "timing":
        weights = [np.square(one - one.mean()) for one in x]
        values = np.array([(w * np.arange(len(w))).sum() / w.sum() / RATE for w in weights])
    elif kind == "length":
        values = np.array([len(one) / RATE for one in x])
    elif kind == "correlation":
        values = np.array(
            [stats.pearsonr(frames[:, places[0]], frames[:, places[1]]).statistic for frames in sequences]
        )
    else:
        values = np.array([RAW[kind](one) for one in x])
    inside, outside = values[own & ~np.isnan(values)], values[~own & ~np.isnan(values)]
    spread = float(np.ptp(np.quantile(values[~np.isnan(values)], [0.05, 0.95]))) if inside.size + outside.size else 0.0
    if kind in ("period", "dwell", "event time") and is_share:
        for n, count, name in (
            (row["n_with"], inside.size, "n_with"),
            (row["n_others_with"], outside.size, "n_others_with"),
        ):
            if abs(n - count) > 0.15 * len(x):
                wrong.append(f"{name} is {count}")
    elif not inside.size or not outside.size:
        return [*wrong, "nobody has it"]
    elif row["direction"]:
        gap = np.median(inside) - np.median(outside)
        if row["direction"] * gap < -SPREAD * spread or (
            abs(gap) > SPREAD * spread and np.sign(gap) != row["direction"]
        ):
            wrong.append(f"{np.median(inside):.4g} against {np.median(outside):.4g}")
    elif not (outside > np.median(inside)).any() or not (outside < np.median(inside)).any():
        wrong.append("nothing lies on one side")
    is_denied = "neither" in row["words"] or "without" in row["words"]
    for words, sign in OWN_SIGN.items():
        if is_denied or words not in row["words"]:
            continue
        centre = 1.0 if kind == "quickening" else 0.0
        if kind in ("trend", "correlation", "quickening") and sign * (np.median(inside) - centre) < 0:
            wrong.append(f"{words}, but it is {np.median(inside):.3g}")
    claims = [row["value"]] if not np.isnan(row["value"]) else [row["low"], row["high"]]
    for claim in claims:
        if np.isnan(claim):
            continue
        near = np.median(inside) if len(claims) == 1 else inside[np.abs(inside - claim).argmin()]
        slack = max(
            SPREAD * spread, 1.0 if kind in ("events", "regularity") else 0.0, 2.0 / RATE if row["unit"] == "s" else 0.0
        )
        if abs(claim - near) > slack + 1e-9 * abs(claim):
            wrong.append(f"{near:.4g} and not {claim:.4g}")
        if (
            len(claims) == 1
            and (np.abs(inside - claim) > 0.3 * abs(np.median(outside) - claim) + SPREAD * spread).all()
        ):
            wrong.append(f"nobody has {claim:.4g}")
        said = [float(n) for n in re.findall(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?", row["sentence"].split(", in ")[0])]
        if not any(abs(n - claim) <= NUMBERS * abs(claim) + 0.006 for n in said):
            wrong.append(f"the sentence does not say {claim:.4g}")
    if not np.isnan(row["start"]) and kind == "level" and row["direction"]:
        begin, end = round(row["start"] * RATE), round(row["end"] * RATE)
        course = np.array(x)
        difference = course[own].mean(axis=0) - course[~own].mean(axis=0)
        here, elsewhere = difference[begin:end].mean(), np.delete(difference, np.arange(begin, end)).mean()
        if row["direction"] * here <= max(0.0, row["direction"] * elsewhere):
            wrong.append(f"in its place {here:.3g}, elsewhere {elsewhere:.3g}")
    return wrong


def explained(name: str, seed: int) -> tuple[list[Frames], Any, pd.DataFrame, list[str]]:
    sequences, labels = SETS[name](seed)
    columns = ["speed", "flow", "errors"][: sequences[0].shape[1]]
    tables = [pd.DataFrame(frames, columns=columns) for frames in sequences]
    provenance = {"clock": {"step": 1.0 / RATE, "unit": "s"}}
    made = SequenceSet.from_arrays(tables, layout="channels_last")
    made = SequenceSet(made.values, made.offsets, ids=made.ids, provenance={**made.provenance, **provenance})
    return sequences, labels, explain(made, labels, seed), columns


@pytest.mark.parametrize("name", SETS)
def test_nothing_that_is_said_is_contradicted_by_the_frames(name: str) -> None:
    sequences, labels, table, columns = explained(name, 0)
    assert (table["property"] != "").any()
    assert audit(sequences, labels, table, columns) == []


@pytest.mark.parametrize(
    ("name", "kind", "planted"),
    [
        ("level", "level", {"direction": "turned"}),
        ("level", "level", {"value": 1.5}),
        ("spread", "spread", {"direction": "turned"}),
        ("trend", "trend", {"words": "with speed falling", "where direction": 1}),
        ("period", "period", {"value": 3.0}),
        ("switched", "time low", {"value": 7.0}),
        ("bursts", "events", {"value": 12.0}),
        ("step", "event time", {"value": 15.0}),
        ("form", "form", {"direction": "turned"}),
        ("memory", "roughness", {"direction": "turned"}),
        ("length", "length", {"value": 9.0}),
        ("coupled", "correlation", {"words": "with positive correlation of speed and flow", "where direction": -1}),
        ("sweeps and trills", "period", {"n_with": -9}),
        ("day", "level", {"start": "elsewhere"}),
        ("dies out", "quickening", {"words": "with speed changing faster towards the end"}),
        ("two-peaked", "level", {"low": "middle"}),
    ],
)
def test_a_false_statement_of_each_kind_is_caught(name: str, kind: str, planted: dict[str, Any]) -> None:
    sequences, labels, table, columns = explained(name, 1)
    rows = table[table["property"] == kind]
    if "where direction" in planted:
        rows = rows[rows["direction"] == planted.pop("where direction")]
    if "start" in planted:
        rows = rows[~rows["start"].isna()]
    if "low" in planted:
        rows = rows[~rows["low"].isna()]
    row = rows.iloc[[0]].copy()
    assert audit(sequences, labels, row, columns) == []
    for entry, value in planted.items():
        if value == "turned":
            row[entry] = -row[entry]
        elif value == "elsewhere":
            row["start"], row["end"] = (0.0, 20.0) if float(row["start"].iloc[0]) > 40.0 else (100.0, 118.0)
        elif value == "middle":
            row["value"], row["low"], row["high"] = (row["low"] + row["high"]) / 2.0, np.nan, np.nan
        elif entry in ("value", "n_with"):
            row[entry] = row[entry] + value
        else:
            row[entry] = value
    assert audit(sequences, labels, row, columns)
