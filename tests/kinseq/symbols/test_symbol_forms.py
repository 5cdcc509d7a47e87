"""Columns next to symbols, numbers that are codes of other files' symbols, and what says that text holds symbols."""

import json

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
    assert any("'sex' (2 values), 'born'" in note for note in found.notes)
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
    assert any("'sex' (2 values), 'born'" in note for note in found.notes)


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
    assert "codes of the" in note


def test_numbers_in_another_column_stay_numbers(tmp_path):
    (tmp_path / "a.csv").write_text("time,steps\n" + "".join(f"{t},{t % 3}\n" for t in range(30)))
    (tmp_path / "b.csv").write_text("time,steps\n" + "".join(f"{t},{t % 4}\n" for t in range(30)))
    assert kinseq.read(tmp_path).alphabet is None


def test_codes_and_letters_in_memory_are_symbols_with_a_note():
    found = kinseq.cluster([[1, 2, 1, 2], [2, 2, 1, 1], list("ABAA"), list("BBAB")], 2, "edit")
    assert found.original.alphabet == ("1", "2", "A", "B")
    assert sum("codes of the" in note for note in found.notes) == 1
    mixed = kinseq.cluster([list("1A2B"), list("12AB"), list("ABAA"), list("BBAB")], 2, "edit")
    assert not any("codes of the" in note for note in mixed.notes)


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


STAGES = [["wake", "N1", "N2", "N1", "N2"], ["N1", "N1", "wake", "N2", "wake"], ["N2", "wake", "wake", "N1", "N1"]]


@pytest.mark.parametrize("line", ["{state}", "{t},{state}"])
def test_logs_without_a_header_lose_no_row(tmp_path, line):
    for i, row in enumerate(STAGES):
        text = "\n".join(line.format(t=30 * t, state=state) for t, state in enumerate(row * 2))
        (tmp_path / f"s{i}.csv").write_text(text + "\n")
    assert as_words(kinseq.read(tmp_path)) == [row * 2 for row in STAGES]


@pytest.mark.parametrize(
    ("header", "own"),
    [("id,1990,1991,1992,1993,1994", "p"), ("1990,1991,1992,1993,1994", ""), (",a,b,c,d,e", "")],
    ids=["years", "years alone", "row names"],
)
def test_a_row_a_sequence_under_any_header(tmp_path, header, own):
    ids = [f"{own}{i}," if header.count(",") == 5 else "" for i in range(3)]
    rows = "".join(f"{entry}{','.join(row)}\n" for entry, row in zip(ids, STAGES, strict=True))
    (tmp_path / "wide.csv").write_text(f"{header}\n{rows}")
    found = kinseq.read(tmp_path / "wide.csv")
    assert as_words(found) == STAGES
    assert not found.notes


def test_times_of_any_name_order_the_symbols(tmp_path):
    rows = "".join(f"p{i};{t};{state}\n" for i, row in enumerate(STAGES) for t, state in enumerate(row))
    (tmp_path / "long.csv").write_text(f"id;zeit;zustand\n{rows}")
    assert as_words(kinseq.read(tmp_path / "long.csv")) == STAGES


def test_event_logs_of_processes_are_read(tmp_path):
    rows = [f"p{i},{state},2024-01-01T{t:02d}:00:00Z" for i, row in enumerate(STAGES) for t, state in enumerate(row)]
    header = "case:concept:name,concept:name,time:timestamp"
    (tmp_path / "log.csv").write_text("\n".join([header, *rows[::-1]]) + "\n")
    assert sorted(as_words(kinseq.read(tmp_path / "log.csv"))) == sorted(STAGES)


def test_a_column_of_lists_has_a_sequence_a_row():
    found = kinseq.cluster(pd.DataFrame({"id": ["x", "y", "z"], "path": STAGES}), 2, "edit")
    assert as_words(found.original) == STAGES
    assert found.original.ids.tolist() == ["x", "y", "z"]


def test_a_column_of_single_symbols_is_no_column_of_sequences(tmp_path, recorded: Recorded):
    (tmp_path / "one.csv").write_text("id,state\na,x\nb,y\nc,x\n")
    with recorded.raises(DataError):
        kinseq.read(tmp_path / "one.csv", symbols="state")


EVENTS = [{"id": f"p{i}", "time": t, "action": state} for i, row in enumerate(ROWS) for t, state in enumerate(row)]


@pytest.mark.parametrize(
    "name, content",
    [
        ("events.jsonl", "\n".join(map(json.dumps, EVENTS))),
        ("events.json", json.dumps(EVENTS)),
        ("lists.jsonl", "\n".join(json.dumps({"id": f"p{i}", "path": row}) for i, row in enumerate(ROWS))),
        ("rows.json", json.dumps(ROWS)),
        ("by_id.json", json.dumps({f"p{i}": row for i, row in enumerate(ROWS)})),
    ],
)
def test_symbols_in_json(tmp_path, name, content):
    (tmp_path / name).write_text(content)
    found = kinseq.read(tmp_path / name)
    assert as_words(found) == ROWS
    assert found.ids.tolist() == (
        ["row 1", "row 2", "row 3", "row 4"] if name == "rows.json" else ["p0", "p1", "p2", "p3"]
    )


def test_a_folder_of_json_lines_is_one_of_event_logs(tmp_path):
    for i, row in enumerate(ROWS):
        events = [{"time": t, "action": state} for t, state in enumerate(row)]
        (tmp_path / f"p{i}.jsonl").write_text("\n".join(map(json.dumps, events[::-1])))
    assert as_words(kinseq.read(tmp_path)) == ROWS


def test_numbers_in_json_stay_numbers_next_to_labels(tmp_path):
    rows = [{"id": f"p{i}", "label": "ab"[i % 2], "x": [0.1 * i, 0.2, 0.4]} for i in range(4)]
    (tmp_path / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)))
    found = kinseq.read(tmp_path / "rows.jsonl")
    assert found.alphabet is None
    assert found.labels.tolist() == ["a", "b", "a", "b"]


def test_lists_in_cells_are_sequences(tmp_path):
    pd.DataFrame({"id": ["p0", "p1", "p2", "p3"], "path": ROWS}).to_csv(tmp_path / "lists.csv", index=False)
    assert as_words(kinseq.read(tmp_path / "lists.csv")) == ROWS
    pytest.importorskip("pyarrow")
    pd.DataFrame({"id": ["p0", "p1", "p2", "p3"], "path": ROWS}).to_parquet(tmp_path / "lists.parquet")
    assert as_words(kinseq.read(tmp_path / "lists.parquet")) == ROWS


STAYS = [[("a", 2.0), ("b", 1.5), ("c", 2.5)], [("b", 3.0), ("a", 1.0)], [("c", 1.0), ("b", 4.0)]]
LASTED = [list("aabbcc"), list("bbba"), list("cbbbb")]


def test_states_that_last_are_taken_at_steps(tmp_path, recorded: Recorded):
    rows = "".join(f"p{i},{state},{lasts}\n" for i, row in enumerate(STAYS) for state, lasts in row)
    (tmp_path / "long.csv").write_text(f"id,state,duration\n{rows}")
    (tmp_path / "logs").mkdir()
    for i, row in enumerate(STAYS):
        text = "".join(f"{state},{lasts}\n" for state, lasts in row)
        (tmp_path / "logs" / f"p{i}.csv").write_text(f"state,duration\n{text}")
    for data in (tmp_path / "long.csv", tmp_path / "logs"):
        with recorded.raises(DataError):
            kinseq.read(data)
        # 3.5 steps are 4, to the even one: the end of a state is rounded, not its duration.
        assert as_words(kinseq.read(data, every=1)) == LASTED
        found = kinseq.read(data, drop_columns=["duration"], symbols="state")
        assert as_words(found) == [[state for state, _ in row] for row in STAYS]
    (tmp_path / "long.csv").write_text(f"id,state,duration\n{rows}p3,a,-1\n")
    with recorded.raises(DataError):
        kinseq.read(tmp_path / "long.csv", every=1)


def test_a_number_next_to_durations_is_data(tmp_path):
    rows = "".join(f"p{i % 3},a,{i},{i * i}\n" for i in range(12))
    (tmp_path / "long.csv").write_text(f"id,kind,duration,force\n{rows}")
    assert kinseq.read(tmp_path / "long.csv").alphabet is None


def test_activities_of_process_logs_count_once(tmp_path):
    header = "case:concept:name,concept:name,lifecycle:transition,time:timestamp,org:resource"
    rows = [
        f"p{i},{state},{step},2024-01-01T{t:02d}:{minute}:00Z,r{t % 2}"
        for i, row in enumerate(STAGES)
        for t, state in enumerate(row)
        for step, minute in (("start", "00"), ("complete", "30"))
    ]
    (tmp_path / "log.csv").write_text("\n".join([header, *rows]) + "\n")
    found = kinseq.read(tmp_path / "log.csv")
    assert as_words(found) == STAGES
    assert any("lifecycle:transition" in note for note in found.notes)


def test_activities_with_beginnings_and_ends_are_spells(tmp_path):
    header = "Case ID,Activity,Start Timestamp,Complete Timestamp"
    rows = [
        f"p{i},{state},2024-01-01T{t:02d}:00:00,2024-01-01T{t + 1:02d}:00:00"
        for i, row in enumerate(STAGES)
        for t, state in enumerate(row)
    ]
    (tmp_path / "log.csv").write_text("\n".join([header, *rows]) + "\n")
    assert as_words(kinseq.read(tmp_path / "log.csv", every="1h")) == STAGES
