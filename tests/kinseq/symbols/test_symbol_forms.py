"""Columns next to symbols, numbers that are codes of other files' symbols, and what says that text holds symbols."""

import pandas as pd
import pytest

import kinseq
from kinseq.core.errors import DataError
from kinseq.core.symbols import as_words
from tests.sentences import Recorded

ROWS = [list("abcab"), list("bbcab"), list("accba"), list("abbca")]
ATTRIBUTES = {"sex": ["m", "f", "m", "f"], "born": [1960, 1961, 1962, 1963]}


def long_table(**more):
    """Rows of (id, time, state), with attributes of the sequences or columns that change in them."""
    table = pd.DataFrame(
        [(f"p{i}", t, state) for i, row in enumerate(ROWS) for t, state in enumerate(row)],
        columns=["id", "time", "state"],
    )
    return table.assign(**more)


def attributes():
    """The attributes of each row of the long table."""
    return {name: [value for value in values for _ in range(5)] for name, values in ATTRIBUTES.items()}


def wide_table(n_months=8):
    """A row for a sequence: attributes, and a state each month."""
    months = {f"m{t}": [row[t % 5] for row in ROWS] for t in range(n_months)}
    return pd.DataFrame({"id": [f"p{i}" for i in range(4)], **ATTRIBUTES, **months})


def test_attributes_of_sequences_are_left_out_in_files_and_memory(tmp_path):
    table = long_table(**attributes())
    table.to_csv(tmp_path / "long.csv", index=False)
    found = kinseq.read(tmp_path / "long.csv")
    assert as_words(found) == ROWS
    assert any("'sex' (2 values), 'born' (4 values)" in note for note in found.notes)
    assert "labels" in next(note for note in found.notes if "sex" in note)
    clustered = kinseq.cluster(table, 2, "edit")
    assert as_words(clustered.original) == ROWS
    assert any("'born' (4 values)" in note for note in clustered.notes)
    labelled = kinseq.read(tmp_path / "long.csv", labels="sex")
    assert list(labelled.labels) == ATTRIBUTES["sex"]


def test_a_row_a_sequence_may_have_attributes(tmp_path):
    wide_table().to_csv(tmp_path / "wide.csv", index=False)
    found = kinseq.read(tmp_path / "wide.csv")
    assert found.lengths.tolist() == [8] * 4
    assert any("'sex' (2 values), 'born' (4 values)" in note for note in found.notes)


def test_dropped_columns_leave_the_symbols(tmp_path):
    table = long_table(page=list("xyxyz") * 4, size=range(20))
    table.to_csv(tmp_path / "long.csv", index=False)
    assert as_words(kinseq.read(tmp_path / "long.csv", drop_columns=["page", "size"])) == ROWS
    found = kinseq.cluster(table, 2, "edit", drop_columns=["page", "size"])
    assert as_words(found.original) == ROWS
    wide = wide_table().drop(columns=list(ATTRIBUTES))
    assert (
        kinseq.cluster(wide.assign(remark="x"), 2, "edit", drop_columns=["remark"]).original.lengths.tolist() == [8] * 4
    )
    logs = [part.drop(columns="id") for _, part in table.groupby("id")]
    assert as_words(kinseq.cluster(logs, 2, "edit", drop_columns=["page", "size"]).original) == ROWS


def test_a_column_of_text_that_may_be_symbols_is_named(tmp_path, recorded: Recorded):
    table = long_table(page=list("xyxyz") * 4)
    with recorded.raises(DataError):
        kinseq.cluster(table, 2)
    assert as_words(kinseq.cluster(table, 2, "edit", symbols="state").original) == ROWS


def test_levels_of_an_index_are_ids():
    found = kinseq.cluster(long_table().set_index(["id", "time"]), 2, "edit")
    assert as_words(found.original) == ROWS


@pytest.mark.parametrize("header", ["time,state", "state"])
def test_numbers_in_the_column_of_other_files_symbols_are_codes(tmp_path, header):
    for i in range(12):
        letters = "121" if i % 3 else "ABA"
        lines = (f"{t},{state}" if "time" in header else state for t, state in enumerate(letters))
        (tmp_path / f"u{i:02d}.csv").write_text("\n".join([header, *lines]) + "\n")
    found = kinseq.read(tmp_path)
    assert found.alphabet == ("1", "2", "A", "B")
    (note,) = found.notes
    assert "8 sequences (u01.csv)" in note
    assert "codes of the same" in note


def test_numbers_in_another_column_stay_numbers(tmp_path):
    (tmp_path / "a.csv").write_text("time,steps\n" + "".join(f"{t},{t % 3}\n" for t in range(30)))
    (tmp_path / "b.csv").write_text("time,steps\n" + "".join(f"{t},{t % 4}\n" for t in range(30)))
    assert kinseq.read(tmp_path).alphabet is None


def test_codes_and_letters_in_memory_are_symbols_with_a_note():
    found = kinseq.cluster([[1, 2, 1, 2], [2, 2, 1, 1], list("ABAA"), list("BBAB")], 2, "edit")
    assert found.original.alphabet == ("1", "2", "A", "B")
    assert sum("codes of the same" in note for note in found.notes) == 1
    mixed = kinseq.cluster([list("1A2B"), list("12AB"), list("ABAA"), list("BBAB")], 2, "edit")
    assert not any("codes of the same" in note for note in mixed.notes)


def test_rows_of_codes_are_symbols_by_the_name_that_the_note_says(tmp_path):
    rows = "".join(f"p{i}," + ",".join(str((i + t) % 3) for t in range(12)) + "\n" for i in range(6))
    (tmp_path / "wide.csv").write_text("id," + ",".join(f"m{t}" for t in range(12)) + "\n" + rows)
    note = next(note for note in kinseq.read(tmp_path / "wide.csv").notes if "symbols" in note)
    name = note.rpartition("'")[0].rpartition("'")[2]
    found = kinseq.read(tmp_path / "wide.csv", symbols=name)
    assert found.alphabet == ("0", "1", "2")
    assert found.lengths.tolist() == [12] * 6


def test_lines_of_letters_are_refused_until_they_are_said_to_be_sequences(tmp_path, recorded: Recorded):
    (tmp_path / "letters.txt").write_text("ACGTACGTAC\nACCTACGTTT\nGGGTACAAAC\n")
    with recorded.raises(DataError):
        kinseq.read(tmp_path / "letters.txt")
    assert kinseq.read(tmp_path / "letters.txt", symbols="characters").alphabet == ("A", "C", "G", "T")
