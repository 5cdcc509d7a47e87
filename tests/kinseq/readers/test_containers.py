"""Files of other programs, long tables without a column id, and tables whose columns are series."""

from __future__ import annotations

import importlib.util
import json
import pkgutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.io import savemat

import kinseq
from kinseq.core.errors import DataError
from kinseq.readers import containers
from kinseq.readers.containers import CONTAINERS
from tests.sentences import Recorded

N, FRAMES = 6, 20
GROUPS = ["a"] * 3 + ["b"] * 3


def waves(lengths: list[int] | None = None) -> list[np.ndarray]:
    rng = np.random.default_rng(0)
    return [rng.standard_normal((length, 2)) for length in lengths or [FRAMES] * N]


def the_same(found: kinseq.SequenceSet, expected: list[np.ndarray]) -> None:
    assert len(found) == len(expected)
    for own, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(own, other)


def test_every_module_is_a_kind_of_file_with_a_line_in_the_reference():
    modules = {entry.name for entry in pkgutil.iter_modules(containers.__path__)} - {"container", "tree"}
    listed = {importlib.util.find_spec(each.read.__module__).name.rpartition(".")[2] for each in CONTAINERS}
    assert modules == listed
    endings = [ending for each in CONTAINERS for ending in each.endings]
    assert len(set(endings)) == len(endings)
    page = (Path(__file__).resolve().parents[3] / "docs/reference/files.md").read_text(encoding="utf-8")
    for each in CONTAINERS:
        assert each.endings[0] == each.endings[0].lower()
        assert all(f"`{ending}`" in page for ending in each.endings), each.name


@pytest.mark.parametrize("channels_first", [False, True])
def test_a_cell_array_is_a_sequence_a_cell(tmp_path, channels_first):
    expected = waves([20, 25, 30, 22, 21, 23])
    cells = np.empty((1, N), dtype=object)
    cells[0, :] = [values.T if channels_first else values for values in expected]
    savemat(tmp_path / "a.mat", {"mix": cells, "info": {"labels": np.array([[1, 1, 1, 2, 2, 2]])}})
    found = kinseq.read(tmp_path)
    the_same(found, expected)
    assert found.labels.tolist() == ["1", "1", "1", "2", "2", "2"]
    assert any("'mix' as 6 sequences" in note for note in found.notes)


@pytest.mark.parametrize("axes", [(0, 1, 2), (0, 2, 1), (2, 1, 0), (1, 2, 0)])
def test_of_three_axes_the_one_as_long_as_the_labels_is_the_sequences(tmp_path, axes):
    expected = waves()
    savemat(tmp_path / "a.mat", {"X": np.transpose(np.stack(expected), axes), "y": np.array([0, 0, 0, 1, 1, 1])})
    found = kinseq.read(tmp_path)
    the_same(found, expected)
    assert found.labels.tolist() == list("000111")


def test_an_array_of_structs_and_files_of_one_matrix(tmp_path):
    expected = waves()
    (tmp_path / "one").mkdir()
    (tmp_path / "many").mkdir()
    entries = np.empty(N, dtype=[("data", object), ("gesture", object)])
    for i, values in enumerate(expected):
        entries[i] = (values, GROUPS[i])
        savemat(tmp_path / "many" / f"t{i}.mat", {"data": values, "fs": 50.0})
    savemat(tmp_path / "one" / "a.mat", {"trials": entries})
    structs, files = kinseq.read(tmp_path / "one"), kinseq.read(tmp_path / "many")
    the_same(structs, expected)
    the_same(files, expected)
    assert structs.labels.tolist() == GROUPS
    assert files.provenance["clock"] == {"step": 0.02, "unit": "s"}


def test_hdf5_groups_and_matlab_7_3(tmp_path):
    h5py = pytest.importorskip("h5py")
    expected = waves()
    with h5py.File(tmp_path / "a.h5", "w") as file:
        for i, values in enumerate(expected):
            file.create_dataset(f"trial{i}/data", data=values)
            file.create_dataset(f"trial{i}/label", data=GROUPS[i])
    found = kinseq.read(tmp_path / "a.h5")
    the_same(found, expected)
    assert found.ids.tolist() == [f"trial{i}" for i in range(N)]
    assert found.labels.tolist() == GROUPS


@pytest.mark.parametrize("form", ["cells", "structs", "axes"])
def test_matlab_7_3_is_hdf5_with_columns_first_and_references(tmp_path, form):
    h5py = pytest.importorskip("h5py")
    expected, codes = waves(), [1.0] * 3 + [2.0] * 3

    def put(file, name, values, kind=b"double"):
        made = file.create_dataset(name, data=values)
        made.attrs["MATLAB_class"] = np.bytes_(kind)
        return made

    def cells(file, name, entries):
        refs = np.array([[entry.ref] for entry in entries], dtype=h5py.ref_dtype)
        return put(file, name, refs, b"cell")

    path = tmp_path / "a.mat"
    with h5py.File(path, "w", userblock_size=512) as file:
        # MATLAB holds (frames, channels); in the file the axes are in the opposite order.
        parts = [put(file, f"#refs#/v{i}", values.T) for i, values in enumerate(expected)] if form != "axes" else []
        if form == "cells":
            cells(file, "mixout", parts)
            put(file, "y", np.array(codes)[:, None])
        elif form == "structs":
            labels = [put(file, f"#refs#/l{i}", np.array([[k]])) for i, k in enumerate(codes)]
            group = file.create_group("trial")
            group.attrs["MATLAB_class"] = np.bytes_(b"struct")
            cells(group, "data", parts)
            cells(group, "label", labels)
        else:
            put(file, "X", np.stack(expected).transpose(2, 1, 0))
            put(file, "y", np.array(codes)[None, :])
    with path.open("r+b") as stream:
        stream.write(b"MATLAB 7.3 MAT-file, Platform: GLNXA64".ljust(116) + b"\0" * 8 + b"\x00\x02IM")
    found = kinseq.read(path)
    the_same(found, expected)
    assert [float(label) for label in found.labels.tolist()] == codes


@pytest.mark.parametrize(
    "content",
    [
        {"a": waves()[0], "b": waves()[1]},
        {"name": "only a text"},
    ],
)
def test_unclear_matlab_files_are_refused(tmp_path, content, recorded: Recorded):
    savemat(tmp_path / "a.mat", content)
    with recorded.raises(DataError):
        kinseq.read(tmp_path / "a.mat")


def test_damaged_files_are_refused(tmp_path, recorded: Recorded):
    (tmp_path / "a.mat").write_bytes(b"MATLAB 5.0 MAT-file" + b"\0" * 200)
    with recorded.raises(DataError):
        kinseq.read(tmp_path / "a.mat")
    (tmp_path / "a.json").write_text('[{"x": 1},\n{"x": }]')
    with recorded.raises(DataError):
        kinseq.read(tmp_path / "a.json")
    (tmp_path / "b.json").write_text('[{"x": 1}, {"y": 2}]')
    with recorded.raises(DataError):
        kinseq.read(tmp_path / "b.json")
    (tmp_path / "c.jsonl").write_text('{"x": [1, 2], "y": [1, 2]}\n{"x": [1, 2], "y": [1]}\n')
    with recorded.raises(DataError):
        kinseq.read(tmp_path / "c.jsonl")


def test_json_lines_records_and_files(tmp_path):
    expected = waves()
    lines = [
        json.dumps({"id": f"s{i}", "label": GROUPS[i], "x": values[:, 0].tolist(), "y": values[:, 1].tolist()})
        for i, values in enumerate(expected)
    ]
    (tmp_path / "a.jsonl").write_text("\n".join(lines))
    found = kinseq.read(tmp_path / "a.jsonl")
    the_same(found, expected)
    assert found.labels.tolist() == GROUPS
    (tmp_path / "files").mkdir()
    for i, values in enumerate(expected):
        records = [{"t": 0.1 * k, "ax": a, "ay": b} for k, (a, b) in enumerate(values.tolist())]
        (tmp_path / "files" / f"r{i}.json").write_text(json.dumps(records))
    found = kinseq.read(tmp_path / "files")
    the_same(found, expected)
    assert found.provenance["time_column"] == "t"


def test_settings_in_json_beside_tables_are_no_data(tmp_path):
    for i, values in enumerate(waves()):
        pd.DataFrame(values, columns=["x", "y"]).to_csv(tmp_path / f"r{i}.csv", index=False)
    (tmp_path / "settings.json").write_text('{"rate": 100}')
    found = kinseq.read(tmp_path)
    assert len(found) == N
    assert any("settings.json" in note for note in found.notes)


def test_arff_with_a_relational_attribute(tmp_path):
    expected = waves()
    head = [
        "@relation g",
        "@attribute rel relational",
        "  @attribute a0 numeric",
        "@end rel",
        "@attribute class {a,b}",
        "@data",
    ]
    cases = [
        "'" + "\\n".join(",".join(map(repr, channel)) for channel in values.T.tolist()) + f"',{label}"
        for values, label in zip(expected, GROUPS, strict=True)
    ]
    (tmp_path / "a.arff").write_text("\n".join(head + cases))
    found = kinseq.read(tmp_path)
    the_same(found, expected)
    assert found.labels.tolist() == GROUPS


def long_frame(expected: list[np.ndarray], name: str, **columns: list[str]) -> pd.DataFrame:
    parts = []
    for i, values in enumerate(expected):
        frame = pd.DataFrame(
            {name: f"m{i}", **{key: entries[i] for key, entries in columns.items()}}, index=range(len(values))
        )
        parts.append(frame.assign(x=values[:, 0], y=values[:, 1]))
    return pd.concat(parts)


def test_arrow_and_workbooks_of_several_sheets(tmp_path):
    pytest.importorskip("pyarrow")
    pytest.importorskip("openpyxl")
    expected = waves()
    long_frame(expected, "id").reset_index(drop=True).to_feather(tmp_path / "a.feather")
    the_same(kinseq.read(tmp_path / "a.feather"), expected)
    with pd.ExcelWriter(tmp_path / "a.xlsx") as book:
        for i, values in enumerate(expected):
            pd.DataFrame(values, columns=["x", "y"]).to_excel(book, sheet_name=f"run {i}", index=False)
    found = kinseq.read(tmp_path / "a.xlsx")
    the_same(found, expected)
    assert found.ids.tolist() == [f"run {i}" for i in range(N)]


@pytest.mark.parametrize("name", ["LCLid", "machine", "user_id", "Subject"])
def test_an_id_of_another_name_and_a_coarser_label(tmp_path, name, recorded: Recorded):
    expected = waves([20, 25, 30, 22, 21, 23])
    long_frame(expected, name, activity=GROUPS).to_csv(tmp_path / "a.csv", index=False)
    found = kinseq.read(tmp_path / "a.csv")
    the_same(found, expected)
    assert found.ids.tolist() == [f"m{i}" for i in range(N)]
    assert found.labels.tolist() == GROUPS
    recorded.within("\n".join(found.notes))


def test_without_a_header_units_whose_cycles_begin_anew_are_the_ids(tmp_path):
    expected = waves([20, 25, 30, 22, 21, 23])
    rows = [f"{i + 1} {k + 1} {a:.6f} {b:.6f}  " for i, v in enumerate(expected) for k, (a, b) in enumerate(v.tolist())]
    (tmp_path / "a.txt").write_text("\n".join(rows))
    found = kinseq.read(tmp_path)
    assert found.ids.tolist() == [str(i + 1) for i in range(N)]
    np.testing.assert_allclose(found[2], expected[2], atol=1e-6)


def test_columns_that_cross_are_refused_with_the_commands(tmp_path, recorded: Recorded):
    frame = long_frame(waves(), "user").assign(trial=np.tile(np.repeat(["t0", "t1"], FRAMES // 2), N))
    frame.to_csv(tmp_path / "a.csv", index=False)
    with recorded.raises(DataError):
        kinseq.read(tmp_path / "a.csv")


@pytest.mark.parametrize("begins_anew", [True, False])
def test_users_are_divided_by_activities_at_whose_changes_the_time_begins_anew(tmp_path, begins_anew):
    expected = waves()
    activity = np.repeat(["walk", "run"], FRAMES)
    frame = long_frame(expected, "user").assign(
        user=np.repeat([f"u{i // 2}" for i in range(N)], FRAMES),
        activity=np.tile(activity, N // 2),
        ts=np.tile(np.arange(FRAMES if begins_anew else 2 * FRAMES), N if begins_anew else N // 2),
    )
    frame.to_csv(tmp_path / "a.csv", index=False)
    found = kinseq.read(tmp_path / "a.csv")
    if begins_anew:
        the_same(found, expected)
        assert found.ids.tolist()[:3] == ["u0/walk", "u0/run", "u1/walk"]
        assert found.labels.tolist() == ["walk", "run"] * (N // 2)
    else:
        assert found.ids.tolist() == [f"u{i}" for i in range(N // 2)]


def test_names_of_rows_with_lists_are_the_ids(tmp_path):
    expected = waves()
    rows = [{"sample": f"s{i}", "x": v[:, 0].tolist(), "y": v[:, 1].tolist()} for i, v in enumerate(expected)]
    pd.DataFrame(rows).to_feather(tmp_path / "a.feather")
    found = kinseq.read(tmp_path / "a.feather")
    the_same(found, expected)
    assert found.ids.tolist() == [f"s{i}" for i in range(N)]


def test_a_log_with_a_state_is_not_divided(tmp_path):
    values = np.random.default_rng(0).standard_normal((60, 2))
    frame = pd.DataFrame(values, columns=["x", "y"]).assign(state=np.repeat([0, 1], 30))
    frame.to_csv(tmp_path / "a.csv", index=False)
    assert len(kinseq.read(tmp_path / "a.csv")) == 1


def test_separators_at_line_ends_and_other_endings(tmp_path):
    expected = waves()
    for i, values in enumerate(expected):
        (tmp_path / f"r{i}.tsd").write_text("\n".join(f"{a!r}\t{b!r};" for a, b in values.tolist()) + "\n")
    the_same(kinseq.read(tmp_path), expected)


def test_columns_of_a_time_are_series(tmp_path):
    values = np.random.default_rng(0).standard_normal((30, 5))
    times = pd.date_range("2024-01-01", periods=30, freq="h", name="")
    named = pd.DataFrame(values, columns=[f"MT_{j:03d}" for j in range(5)], index=times)
    named.to_csv(tmp_path / "a.csv")
    found = kinseq.read(tmp_path / "a.csv")
    assert found.ids.tolist() == named.columns.tolist()
    the_same(found, list(values.T[:, :, None]))
    words = named.set_axis(["temp", "hum", "co", "wind", "rain"], axis=1)
    words.to_csv(tmp_path / "b.csv")
    assert len(kinseq.read(tmp_path / "b.csv")) == 1
    the_same(kinseq.read(tmp_path / "b.csv", rows="moments"), list(values.T[:, :, None]))
    assert len(kinseq.read(tmp_path / "a.csv", rows="frames")) == 1


def test_tables_of_matlab_are_refused_or_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, recorded: Recorded
) -> None:
    import scipy.io
    from scipy.io.matlab import MatlabOpaque

    # The result of scipy for a table, a string array or a date, which it cannot write itself.
    fields = [("s0", object), ("s1", object), ("s2", object), ("arr", object)]
    table = MatlabOpaque(np.array([(b"walk", b"MCOS", b"table", np.arange(6.0)[:, None])], dtype=fields))
    path = tmp_path / "a.mat"
    scipy.io.savemat(path, {"x": 1.0})
    waves = np.random.default_rng(0).normal(size=(5, 40, 2))
    monkeypatch.setattr(scipy.io, "loadmat", lambda *_, **__: {"__header__": b"", "walk": table})
    with recorded.raises(DataError):
        kinseq.read(path)
    monkeypatch.setattr(scipy.io, "loadmat", lambda *_, **__: {"walk": table, "X": waves})
    assert len(kinseq.read(path)) == 5
