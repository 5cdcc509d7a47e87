"""Which answers hang on digits and seeds: changes are as small as they say, rates count as told, plain sets keep their answer."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from kinseq import SequenceSet
from laboratory.__main__ import run_all
from laboratory.changes import MOST, SEEDS, answers_after_changes, changed, rates, sampled
from laboratory.planted import draw


def test_changes_are_small_and_leave_the_given_frames_alone() -> None:
    rng = np.random.default_rng(0)
    arrays = [np.column_stack([rng.normal(5.0, 40.0, 30), np.full(30, 7.0)]) for _ in range(5)]
    sequences = SequenceSet.from_arrays(arrays)
    before = sequences.values.copy()
    found = {name: (other, seed) for name, other, seed in changed(sequences)}
    assert list(found) == ["noise", "rounding", *(f"seed {seed}" for seed in SEEDS)]
    np.testing.assert_array_equal(sequences.values, before)
    spread = before.std(axis=0)
    moved = (found["noise"][0].values - before)[:, 0] / spread[0]
    assert moved.std() == pytest.approx(1e-6, rel=0.2)
    rounded = found["rounding"][0].values
    assert np.abs(rounded - before)[:, 0].max() <= 0.5001e-3 * spread[0]
    np.testing.assert_allclose(
        rounded[:, 0] / (1e-3 * spread[0]), np.round(rounded[:, 0] / (1e-3 * spread[0])), atol=1e-6
    )
    np.testing.assert_array_equal(rounded[:, 1], before[:, 1])
    for seed in SEEDS:
        np.testing.assert_array_equal(found[f"seed {seed}"][0].values, before)
        assert found[f"seed {seed}"][1] == seed


def test_samples_are_small_sets_of_the_grid_and_grow_by_their_ends() -> None:
    few, more = sampled(20), sampled(40)
    assert more[:20] == few
    assert max(case.n for case in more) <= MOST
    assert len({case.kind for case in more}) > 15
    assert sampled(20, draw=1) != few


def test_rates_are_shares_of_all_sets() -> None:
    def record(as_it_is: tuple[int, str], noise: tuple[int, str], seed: tuple[int, str]) -> dict[str, object]:
        named = [{"number": number, "degree": degree} for number, degree in (as_it_is, noise, seed)]
        return {"part": "changes", "as it is": named[0], "after": {"noise": named[1], "seed 1": named[2]}}

    table = rates(
        [
            record((2, "clear"), (2, "clear"), (2, "clear")),
            record((2, "clear"), (2, "separated"), (3, "separated")),
            record((1, "borderline"), (1, "borderline"), (2, "clear")),
            {"part": "changes", "why": "failed"},
            {"part": "default"},
        ]
    ).set_index("change")
    assert table.sets.tolist() == [4, 4, 4]
    assert table.number.tolist() == [0.75, 0.25, 0.25]
    assert table.degree.tolist() == [0.5, 0.25, 0.25]
    assert table.loc["all seven", "borderline"] == pytest.approx(1 / 3)


def test_a_call_writes_its_table_and_takes_up_its_records(tmp_path: Path) -> None:
    arguments = ["--changes", "1", "--only", "level", "--jobs", "1"]
    arguments += ["--records", str(tmp_path / "records.jsonl"), "--out", str(tmp_path)]
    table = run_all(arguments)
    assert table == tmp_path / "laboratory-changes.csv"
    assert table.read_text().startswith("change,sets,number,degree,borderline")
    first = (tmp_path / "records.jsonl").read_text()
    run_all(arguments)
    assert (tmp_path / "records.jsonl").read_text().strip() == first.strip()
    assert json.loads(first)["part"] == "changes"


OF_TWO = ["level", "period", "trend", "walks_apart", "length", "much_larger_waves", "duty_period", "pulse_interval"]
OF_NONE = ["white_noise", "walks", "ar_5", "ar_9", "bursts", "smooth_noise"]
OF_NONE += ["heavy_tails", "pulse_trains", "saw_teeth", "duty_cycle", "day_profiles", "telegraph"]


@pytest.mark.parametrize("kind, number", [*((kind, 2) for kind in OF_TWO), *((kind, 1) for kind in OF_NONE)])
def test_twenty_plain_sets_keep_their_number_and_degree(kind: str, number: int) -> None:
    # Ten sequences; of sets that are less plain the report counts how many keep theirs.
    found = answers_after_changes(draw(kind, 10, number, "obvious" if number > 1 else "none", 0))
    assert found["as it is"]["number"] == number
    assert all(answer == found["as it is"] for answer in found["after"].values())
