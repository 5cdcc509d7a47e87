"""Tables with two rows of names, as pandas writes them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import kinseq
from kinseq.core.errors import DataError
from tests.sentences import Recorded

VARIABLES, ITEMS = ["temp", "hum"], ["A", "B", "C"]


def frame(**names: Any) -> pd.DataFrame:
    """Thirty quarters of an hour of two variables of three items; every number tells row, variable and item."""
    numbers = [[100.0 * j + i + 0.25 * (i % 3) for j in range(6)] for i in range(30)]
    columns = pd.MultiIndex.from_product([VARIABLES, ITEMS], names=names.get("levels"))
    index = pd.date_range("2024-03-01", periods=30, freq="15min", name=names.get("index"))
    return pd.DataFrame(numbers, index=index, columns=columns)


def require_items(path: Path, **options: Any) -> Any:
    """Read a file and compare every number with that of the frame."""
    read = kinseq.read(path, **options)
    assert read.ids.tolist() == ITEMS
    assert list(read.provenance["columns"]) == VARIABLES
    expected = frame()
    for item, values in zip(ITEMS, read, strict=True):
        np.testing.assert_array_equal(values, expected.xs(item, axis=1, level=1)[VARIABLES].to_numpy())
    assert read.provenance["clock"]["step"] == 900.0
    return read


@pytest.mark.parametrize("index", [None, "when"])
@pytest.mark.parametrize("ending", ["csv", "xlsx"])
def test_the_first_row_has_channels_and_the_second_sequences(
    index: str | None, ending: str, tmp_path: Path, recorded: Recorded
) -> None:
    path = tmp_path / f"t.{ending}"
    made = frame(index=index)
    made.to_csv(path) if ending == "csv" else made.to_excel(path)
    notes = require_items(path).notes
    recorded.within("\n".join(notes))


def test_names_of_the_rows_or_numbers_in_them_tell_which_has_the_sequences(tmp_path: Path) -> None:
    swapped = frame(levels=["variable", "machine"]).swaplevel(axis=1).sort_index(axis=1, level=0, sort_remaining=False)
    swapped.to_csv(tmp_path / "t.csv")
    require_items(tmp_path / "t.csv", value_columns=VARIABLES)
    above = frame().swaplevel(axis=1).sort_index(axis=1, level=0, sort_remaining=False)
    above.columns = above.columns.set_levels(["unit_1", "unit_2", "unit_3"], level=0)
    above.to_csv(tmp_path / "t.csv")
    read = kinseq.read(tmp_path / "t.csv")
    assert read.ids.tolist() == ["unit_1", "unit_2", "unit_3"]
    # Numbers may be names too.
    above.columns = above.columns.set_levels([7, 8, 9], level=0)
    above.swaplevel(axis=1).to_csv(tmp_path / "t.csv")
    assert kinseq.read(tmp_path / "t.csv").ids.tolist() == ["7", "8", "9"]


def test_options_take_the_rows_the_other_way_round_or_as_channels(tmp_path: Path, recorded: Recorded) -> None:
    frame(levels=["kind", "place"]).to_csv(tmp_path / "t.csv")
    for name in ("1", "kind"):
        read = kinseq.read(tmp_path / "t.csv", id_column=name)
        assert read.ids.tolist() == VARIABLES
        assert list(read.provenance["columns"]) == ITEMS
    whole = kinseq.read(tmp_path / "t.csv", rows="frames")
    assert len(whole) == 1
    assert list(whole.provenance["columns"]) == [f"{variable} {item}" for variable in VARIABLES for item in ITEMS]
    np.testing.assert_array_equal(whole[0], frame().to_numpy())
    with recorded.raises(DataError):
        kinseq.read(tmp_path / "t.csv", id_column="machine")


def test_axes_below_markers_are_channels_of_one_sequence(tmp_path: Path) -> None:
    for k in range(3):
        rows = [f"{i},{i + k},{2 * i},{3.5 * i},{4 * i},{5 * i},{6 * i + k}" for i in range(1, 20)]
        head = [",hip,,,knee,,", "Frame,X,Y,Z,X,Y,Z", ",mm,mm,mm,mm,mm,mm"]
        (tmp_path / f"walk{k}.csv").write_text("\n".join([*head, *rows]) + "\n")
    read = kinseq.read(tmp_path)
    assert len(read) == 3
    names = ["hip X [mm]", "hip Y [mm]", "hip Z [mm]", "knee X [mm]", "knee Y [mm]", "knee Z [mm]"]
    assert list(read.provenance["columns"]) == names


def test_a_folder_of_such_files_has_the_sequences_of_each(tmp_path: Path) -> None:
    for day in ("mon", "tue"):
        frame().to_csv(tmp_path / f"{day}.csv")
    read = kinseq.read(tmp_path)
    assert read.ids.tolist() == [f"{day}.csv/{item}" for day in ("mon", "tue") for item in ITEMS]


def test_items_begin_and_end_when_they_are_there_and_none_lacks_a_channel(tmp_path: Path, recorded: Recorded) -> None:
    gaps = frame()
    gaps.loc[gaps.index[:5], (slice(None), "B")] = np.nan
    gaps.loc[gaps.index[25:], (slice(None), "C")] = np.nan
    gaps.to_csv(tmp_path / "t.csv")
    read = kinseq.read(tmp_path / "t.csv")
    assert read.lengths.tolist() == [30, 25, 25]
    np.testing.assert_array_equal(read[1][0], [105.5, 405.5])
    frame().drop(columns=[("hum", "B")]).to_csv(tmp_path / "t.csv")
    with recorded.raises(DataError):
        kinseq.read(tmp_path / "t.csv")
