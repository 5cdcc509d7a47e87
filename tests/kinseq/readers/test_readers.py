"""Readers of users' own files: every layout, and what happens to data that nobody prepared."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np
import pytest

import kinseq
from kinseq import readers
from kinseq.core.errors import DataError, ParameterError
from kinseq.core.sequences import SequenceSet
from kinseq.features import mfcc, normalise, read_audio
from kinseq.features.audio import EnergyTrimmer
from kinseq.readers import UNLABELLED
from kinseq_documents.fingerprint import closure
from tests.reading import read_folder
from tests.sentences import Recorded


def _csv(path: Path, text: str, encoding: str = "utf-8") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode(encoding))
    return path


def _write_wav(path: Path, seed: int, rate: int = 16000, channels: int = 1) -> None:
    soundfile = pytest.importorskip("soundfile")
    path.parent.mkdir(parents=True, exist_ok=True)
    soundfile.write(path, 0.1 * np.random.default_rng(seed).normal(size=(rate // 2, channels)), rate)


def _lists(sequences: SequenceSet) -> dict[str, list[list[float]]]:
    return {name: frames.tolist() for name, frames in zip(sequences.ids.tolist(), sequences, strict=True)}


# --- one file per sequence --------------------------------------------------------------------------------------------

# The same two frames as different programs write them.
SPELLINGS = {
    "plain.csv": "1,2\n3,4\n",
    "header.csv": "x,y\n1,2\n3,4\n",
    "spaces.csv": "x, y\n1, 2\n3, 4\n",
    "quotes.csv": '"x","y"\n"1","2"\n"3","4"\n',
    "windows.csv": "x,y\r\n1,2\r\n3,4\r\n",
    "blank_end.csv": "x,y\n1,2\n3,4\n\n\n",
    "blank_start.csv": "\n\nx,y\n1,2\n3,4",
    "semicolon.csv": "x;y\n1;2\n3;4\n",
    "decimal_comma.csv": "x;y\n1,0;2,0\n3,0;4,0\n",
    "tab.tsv": "x\ty\n1\t2\n3\t4\n",
    "tab.csv": "1\t2\n3\t4\n",
    "blanks.csv": "1 2\n3 4\n",
    "savetxt.csv": "# x,y\n1.0,2.0\n3.0,4.0\n",
    "comment.csv": "# recorded in May\nx,y\n1,2\n3,4\n",
    "row_counter.csv": ",x,y\n0,1,2\n1,3,4\n",
    "separator_at_end.csv": "1,2,\n3,4,\n",
    "header_separator_at_end.csv": "x,y,\n1,2,\n3,4,\n",
    "swapped.csv": "y,x\n2,1\n4,3\n",
    "time.csv": "x,time,y\n3,7.5,4\n1,2.5,2\n",
    "dates.csv": "Time,x,y\n2024-05-02 10:00,3,4\n2024-05-01,1,2\n",
    "exponents.csv": "1e0,+2\n3E0,.4e1\n",
}


@pytest.mark.parametrize("name", sorted(SPELLINGS))
def test_spellings_of_a_table(tmp_path: Path, name: str) -> None:
    _csv(tmp_path / "first.csv", "x,y\n5,6\n7,8\n")
    _csv(tmp_path / name, SPELLINGS[name])
    sequences, _ = read_folder(tmp_path, on_bad_file="refuse")
    assert _lists(sequences) == {"first.csv": [[5, 6], [7, 8]], name: [[1, 2], [3, 4]]}


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
def test_encodings_of_a_table(tmp_path: Path, encoding: str, recorded: Recorded) -> None:
    _csv(tmp_path / "a.csv", "größe,y\n1,2\n3,4\n", encoding)
    _csv(tmp_path / "b.csv", "y,größe\n2,1\n")
    sequences, notes = read_folder(tmp_path, on_bad_file="refuse")
    assert _lists(sequences) == {"a.csv": [[1, 2], [3, 4]], "b.csv": [[1, 2]]}
    assert sequences.provenance["columns"] == ["größe", "y"]
    recorded(notes)


def test_numbers_survive_to_the_last_bit(tmp_path: Path) -> None:
    x = np.random.default_rng(0).normal(size=(50, 3)) * 10.0 ** np.arange(-150, 150, 100)
    _csv(tmp_path / "a.csv", "\n".join(",".join(map(repr, row)) for row in x.tolist()))
    np.save(tmp_path / "b.npy", x)
    np.save(tmp_path / "c.npy", np.ones((4, 3), dtype=np.float32))
    sequences, _ = read_folder(tmp_path)
    assert np.array_equal(sequences[0], x)
    assert np.array_equal(sequences[1], x)
    assert sequences.ids.tolist() == ["a.csv", "b.npy", "c.npy"]


def test_sub_folders_blanks_accents_and_clutter(tmp_path: Path, recorded: Recorded) -> None:
    for name in ("b 1.csv", "süß/ä b.csv", "süß/deep/c.csv", "a.csv", ".hidden.csv", ".git/x.csv", "__MACOSX/y.csv"):
        _csv(tmp_path / name, f"{len(name)}\n2\n")
    _csv(tmp_path / "read me.txt", "hello")
    _csv(tmp_path / "Thumbs.db", "")
    (tmp_path / "süß/loop").symlink_to(tmp_path, target_is_directory=True)
    sequences, notes = read_folder(tmp_path)
    assert sequences.ids.tolist() == ["a.csv", "b 1.csv", "süß/deep/c.csv", "süß/ä b.csv"]
    recorded(notes[0])
    assert sequences.name == tmp_path.name
    assert read_folder(tmp_path, name="mine")[0].name == "mine"


def test_univariate_arrays_and_threads(tmp_path: Path) -> None:
    for i in range(20):
        np.save(tmp_path / f"{i:02d}.npy", np.arange(i + 1))
    one, four = (read_folder(tmp_path, n_jobs=jobs)[0] for jobs in (1, 4))
    assert one.lengths.tolist() == list(range(1, 21))
    assert np.array_equal(one.values, four.values)
    assert one.ids.tolist() == four.ids.tolist()


BAD = {
    "empty.csv": ("", "holds no row"),
    "header.csv": ("x,y\n", "holds no row of numbers"),
    "text.csv": ("x,y\n1,2\n1,abc\n", "line 3, column 'y' holds 'abc', which is no number"),
    "words.csv": ("hello\nworld\n", "which is no number"),
    "ragged.csv": ("1,2\n3,4,5\n", "line 1 has 2 cells and the rows below have 3"),
    "ragged_below.csv": ("x,y\n1,2\n3\n", "line 3 has 1 cell where the rows before it have 2"),
    "three.csv": ("1,2,3\n", "has 3 features where most files have 2"),
    "column.csv": ("x,z\n1,2\n", "has a column 'z', which most files do not have"),
    "doubled.csv": ("x,x\n1,2\n", "column 'x' occurs more than once"),
    "classes.csv": (
        "id,label\na,b\n",
        "call it labels.csv or pass labels='classes.csv'",
    ),
    "long.csv": ("id,x,y\na,1,2\n", "has a column id"),
    "clock.csv": ("time,x,y\n1,2,3\n,2,3\n", "line 3, column 'time' is neither a number nor a date"),
    "binary.csv": ("\0\1\2", "holds binary data"),
    "bad.npy": ("no array", "is no plain array"),
}


@pytest.mark.parametrize("name", sorted(BAD))
def test_bad_tables_are_named(tmp_path: Path, name: str) -> None:
    text, reason = BAD[name]
    for good in ("good a.csv", "good b.csv"):
        _csv(tmp_path / good, "x,y\n1,2\n3,4\n")
    _csv(tmp_path / name, text)
    sequences, notes = read_folder(tmp_path)
    assert sequences.ids.tolist() == ["good a.csv", "good b.csv"]
    (note,) = [note for note in notes if note.startswith(f"skipped {name}: ")]
    assert reason in note
    assert sequences.provenance["skipped"] == 1
    with pytest.raises(DataError) as caught:
        read_folder(tmp_path, on_bad_file="refuse")
    assert name in str(caught.value)
    assert reason in str(caught.value)


@pytest.mark.parametrize("array", [np.zeros((2, 2, 2)), np.zeros((0, 2)), np.array(["a"]), np.array([1 + 1j])])
def test_bad_arrays_are_named(tmp_path: Path, array: np.ndarray, recorded: Recorded) -> None:
    np.save(tmp_path / "a.npy", array)
    np.save(tmp_path / "b.npy", np.ones((3, 2)))
    assert read_folder(tmp_path)[0].ids.tolist() == ["b.npy"]
    with recorded.raises(DataError):
        read_folder(tmp_path, on_bad_file="refuse")


# --- missing numbers --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("hole", ["", "NA", "nan", "?", "NULL", " "])
def test_missing_numbers_are_refused_with_their_place(tmp_path: Path, hole: str, recorded: Recorded) -> None:
    _csv(tmp_path / "a.csv", "x,y\n1,2\n3,4\n")
    _csv(tmp_path / "b.csv", f"x,y\n1,2\n3,{hole}\n5,8\n{hole},9\n7,0\n")
    with recorded.raises(DataError):
        read_folder(tmp_path)  # even if bad files were skipped
    sequences, notes = read_folder(tmp_path, missing="interpolate")
    assert sequences[1].tolist() == [[1, 2], [3, 5], [5, 8], [6, 9], [7, 0]]
    recorded(notes)
    assert sequences.provenance["interpolated"] == 2


def test_interpolation_goes_by_time_and_keeps_the_ends(tmp_path: Path) -> None:
    _csv(tmp_path / "a.csv", "time,x\n4,\n0,\n1,10\n3,\n2.5,16\n")
    _csv(tmp_path / "b.csv", "time,x\n0,0\n3,\n4,4\n")
    sequences, _ = read_folder(tmp_path, missing="interpolate")
    assert sequences[0][:, 0].tolist() == [10, 10, 16, 16, 16]
    assert sequences[1][:, 0].tolist() == [0, 3, 4]


def test_the_line_named_is_that_of_the_file(tmp_path: Path, recorded: Recorded) -> None:
    _csv(tmp_path / "a.csv", "\n# comment\ntime,x\n3,1\n1,\n2,1\n")
    _csv(tmp_path / "b.csv", "time,x\n3,1\n")
    with recorded.raises(DataError):
        read_folder(tmp_path)
    _csv(tmp_path / "a.csv", "1,2\n\n3,\n")
    _csv(tmp_path / "b.csv", "5,2\n")
    with recorded.raises(DataError):
        read_folder(tmp_path)
    _csv(tmp_path / "a.csv", "1\n2\n\n4\n")
    _csv(tmp_path / "b.csv", "5\n")
    with recorded.raises(DataError):
        read_folder(tmp_path)


@pytest.mark.parametrize("end", ["\r\r\n", "\n\n", "\r\n\r\n"])
@pytest.mark.parametrize("columns", [1, 2])
def test_double_spaced_lines_are_rows_once(tmp_path: Path, end: str, columns: int) -> None:
    rows = [[f"{k}.5", f"{k * k}.25"][:columns] for k in range(5)]
    for name in "ab":
        lines = [",".join(row) + end for row in [["x", "y"][:columns], *rows]]
        (tmp_path / f"{name}.csv").write_bytes("".join(lines).encode())
    for missing in ("refuse", "interpolate"):
        sequences, notes = read_folder(tmp_path, missing=missing)  # type: ignore[arg-type]
        assert sequences[0].tolist() == [[float(cell) for cell in row] for row in rows]
        assert not any("blank" in note or "missing" in note for note in notes)


def test_lines_of_separators_between_all_rows_are_no_rows(tmp_path: Path) -> None:
    rows = [[0.5 * k, 2.25 * k] for k in range(5)]
    for name in "ab":
        _csv(tmp_path / f"{name}.csv", "x;y\n;\n" + "".join(f"{x};{y}\n;\n" for x, y in rows))
    for missing in ("refuse", "interpolate"):
        sequences, notes = read_folder(tmp_path, missing=missing)  # type: ignore[arg-type]
        assert [frames.tolist() for frames in sequences] == [rows, rows]
        assert any("blank line" in note for note in notes)
    # One such row is a frame that is missing.
    for name in "ab":
        _csv(tmp_path / f"{name}.csv", "x;y\n1;2\n3;4\n;\n5;6\n")
    sequences, _ = read_folder(tmp_path, missing="interpolate")
    assert sequences[0].tolist() == [[1, 2], [3, 4], [4, 5], [5, 6]]


def test_blank_lines_among_rows_are_told(tmp_path: Path, recorded: Recorded) -> None:
    for name in "ab":
        _csv(tmp_path / f"{name}.csv", "x,y\n1,2\n3,4\n\n\n5,6.5\n\n")
    sequences, notes = read_folder(tmp_path)
    assert sequences[0].tolist() == [[1, 2], [3, 4], [5, 6.5]]
    recorded.within("\n".join(notes))


def test_what_cannot_be_interpolated(tmp_path: Path, recorded: Recorded) -> None:
    _csv(tmp_path / "a.csv", "x,y\n1,\n2,\n")
    _csv(tmp_path / "b.csv", "x,y\n1,2\n2,3\n")
    with recorded.raises(DataError):
        read_folder(tmp_path)
    with recorded.raises(DataError):
        read_folder(tmp_path, missing="interpolate")
    _csv(tmp_path / "a.csv", "x,y\n1,inf\n2,3\n")
    for missing in ("refuse", "interpolate"):
        with recorded.raises(DataError):
            read_folder(tmp_path, missing=missing)  # type: ignore[arg-type]


# --- many sequences in one file ---------------------------------------------------------------------------------------

LONG = "id,time,x,y\nb,2,1,10\n007,1,0,0\nb,1,2,20\nNA,1,3,30\n007,0.5,4,40\nb,1.5,5,50\n"


def test_long_table(tmp_path: Path) -> None:
    path = _csv(tmp_path / "all.csv", LONG)
    for given in (path, tmp_path, str(path)):
        sequences, _ = read_folder(given)
        assert _lists(sequences) == {
            "b": [[2, 20], [5, 50], [1, 10]],
            "007": [[4, 40], [0, 0]],
            "NA": [[3, 30]],
        }
        assert list(_lists(sequences)) == ["b", "007", "NA"]  # order of first appearance
    _csv(path, "ID,x\na,1\nb,5\na,0\n")
    assert _lists(read_folder(path)[0]) == {"a": [[1], [0]], "b": [[5]]}  # without time: the order of the file


def test_long_table_with_labels(tmp_path: Path, recorded: Recorded) -> None:
    path = _csv(tmp_path / "all.csv", "id,label,group,x\na,u,g,1\nb,v,g,2\na,u,g,3\n")
    sequences, _ = read_folder(path)
    assert sequences.labels is not None
    assert sequences.groups is not None
    assert sequences.labels.tolist() == ["u", "v"]
    assert sequences.groups.tolist() == ["g", "g"]
    assert sequences.n_features == 1
    _csv(tmp_path / "labels.csv", "id,label\nb,w\na,z\n")
    labelled = read_folder(path)[0].labels
    assert labelled is not None
    assert labelled.tolist() == ["z", "w"]
    _csv(path, "id,label,x\na,u,1\nb,v,2\na,v,3\n")
    with recorded.raises(DataError):
        read_folder(path)


def test_long_table_faults(tmp_path: Path, recorded: Recorded) -> None:
    path = tmp_path / "all.csv"
    for text in (
        "x,y\n1,2\n",
        "id,x\na,1\n,2\n",
        "id,x\na,1\nb,oops\n",
        "id,x\na,1\nb,\n",
        "id,time\na,1\n",
        "id,time,x\na,soon,1\n",
    ):
        with recorded.raises(DataError):
            read_folder(_csv(path, text))
    _, notes = read_folder(_csv(path, "id,time,x\na,1,1\na,1,2\nb,1,3\nb,2,3\n"))
    recorded(notes[0])


def test_parquet(tmp_path: Path, recorded: Recorded) -> None:
    pytest.importorskip("pyarrow")
    pandas = pytest.importorskip("pandas")
    path = tmp_path / "all.parquet"
    frame = pandas.DataFrame({"id": [3, 1, 3], "time": [2.0, 0.0, 1.0], "x": [1.0, None, 3.0], "y": [1, 2, 3]})
    frame.to_parquet(path)
    with recorded.raises(DataError):
        read_folder(path)
    frame.fillna(7.0).to_parquet(path)
    assert _lists(read_folder(path)[0]) == {"3": [[3, 3], [1, 1]], "1": [[7, 2]]}
    frame.fillna(7.0).set_index("id").to_parquet(path)
    assert _lists(read_folder(tmp_path)[0]) == {"3": [[3, 3], [1, 1]], "1": [[7, 2]]}
    path.write_text("no parquet")
    with pytest.raises(DataError, match="Parquet"):
        read_folder(path)


def test_parquet_without_pyarrow_is_one_clear_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, recorded: Recorded
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    path = _csv(tmp_path / "all.parquet", "anything")
    with recorded.raises(ParameterError):
        read_folder(path)


def test_npz(tmp_path: Path, recorded: Recorded) -> None:
    path = tmp_path / "set.npz"
    values = np.arange(10.0)
    np.savez(path, values=values, offsets=[0, 3, 10], labels=[4, 2], ids=["p", "q"], groups=["g", "h"])
    sequences, _ = read_folder(path)
    assert _lists(sequences) == {"p": [[0], [1], [2]], "q": [[3], [4], [5], [6], [7], [8], [9]]}
    assert sequences.labels is not None
    assert sequences.groups is not None
    assert (sequences.labels.tolist(), sequences.groups.tolist()) == ([4, 2], ["g", "h"])
    np.savez(path, values=values.reshape(5, 2).astype(int), offsets=np.array([0, 5]))
    assert _lists(read_folder(tmp_path)[0]) == {"s00000": [[0, 1], [2, 3], [4, 5], [6, 7], [8, 9]]}
    values[4] = np.nan
    np.savez(path, values=values, offsets=[0, 3, 10])
    with recorded.raises(DataError):
        read_folder(path)
    assert read_folder(path, missing="interpolate")[0].values[4, 0] == 4.0


@pytest.mark.parametrize(
    "arrays",
    [
        {"x": [1]},
        {"values": [[1.0]]},
        {"values": [["a"]], "offsets": [0, 1]},
        {"values": np.zeros((2, 2, 2)), "offsets": [0, 2]},
        {"values": [[1.0], [2.0]], "offsets": [0, 3]},
        {"values": [[1.0], [2.0]], "offsets": [0.0, 2.0]},
        {"values": [[1.0], [2.0]], "offsets": [0, 0, 2]},
        {"values": [[1.0], [2.0]], "offsets": [0, 2], "labels": [1, 2]},
        {"values": [[1.0], [2.0]], "offsets": [0, 1, 2], "ids": ["a", "a"]},
        {"values": np.array([None, 1]), "offsets": [0, 2]},
    ],
)
def test_npz_faults(tmp_path: Path, arrays: dict[str, object], recorded: Recorded) -> None:
    path = tmp_path / "set.npz"
    np.savez(path, **{name: np.asarray(array) for name, array in arrays.items()})  # type: ignore[arg-type]
    with recorded.raises(DataError):
        read_folder(path)
    path.write_bytes(b"PK\3\4 damaged")
    with recorded.raises(DataError):
        read_folder(path)


TS = "#comment\n@problemName Made\n@timeStamps false\n@univariate false\n@classLabel true u v\n@data\n"


def test_ts(tmp_path: Path, recorded: Recorded) -> None:
    path = _csv(tmp_path / "Made_TRAIN.ts", TS + "1,2,3:4,5,6:u\n7,?,?:8,?,?:v\n\n1,NaN,3:4,5,6:v\n")
    with recorded.raises(DataError):
        read_folder(path)
    sequences, notes = read_folder(tmp_path, missing="interpolate")
    assert [frames.tolist() for frames in sequences] == [
        [[1, 4], [2, 5], [3, 6]],
        [[7, 8]],
        [[1, 4], [2, 5], [3, 6]],
    ]
    assert sequences.labels is not None
    assert sequences.labels.tolist() == ["u", "v", "v"]
    assert "2 frames of padding" in notes[0]
    _csv(path, "@classLabel false\n@data\n1,2\n3,4,5\n")
    plain = read_folder(path)[0]
    assert plain.labels is None
    assert plain.lengths.tolist() == [2, 3]


@pytest.mark.parametrize(
    "text",
    [
        TS,
        TS + "1,2:3,4:u\n1,2:u\n",
        TS + "1,2:3:u\n",
        TS + "1,x:3,4:u\n",
        TS + "?:?:u\n",
        "@timeStamps true\n@data\n(0,1)\n",
        "1,2,3\n",
    ],
)
def test_ts_faults(tmp_path: Path, text: str, recorded: Recorded) -> None:
    with recorded.raises(DataError):
        read_folder(_csv(tmp_path / "a.ts", text))


def test_ts_agrees_with_aeon_on_its_own_copy() -> None:
    aeon = pytest.importorskip("aeon")
    path = Path(aeon.__file__).parent / "datasets/data/JapaneseVowels/JapaneseVowels_TRAIN.ts"
    if not path.is_file():
        pytest.skip("this aeon bundles no vowels")
    from aeon.datasets import load_from_ts_file

    cases, labels = load_from_ts_file(str(path))
    sequences, _ = read_folder(path)
    assert sequences.labels is not None
    assert sequences.labels.tolist() == [str(label) for label in labels]
    for case, frames in zip(cases, sequences, strict=True):
        assert np.array_equal(case.T, frames)


# --- audio ------------------------------------------------------------------------------------------------------------


def test_audio_folder(tmp_path: Path, recorded: Recorded) -> None:
    for i, name in enumerate(["ja/é 1.wav", "ja/2.wav", "nein/3.flac"]):
        _write_wav(tmp_path / name, i, channels=1 + i % 2)
    _csv(tmp_path / "notes.txt", "a text file among the audio")
    _csv(tmp_path / "ja/broken.wav", "no audio")
    sequences, notes = read_folder(tmp_path, labels="folders", n_jobs=2)
    assert sequences.ids.tolist() == ["ja/2.wav", "ja/é 1.wav", "nein/3.flac"]
    assert sequences.labels is not None
    assert sequences.labels.tolist() == ["ja", "ja", "nein"]
    assert sequences.provenance["kind"] == "audio"
    recorded(notes[0])
    assert notes[1].startswith("skipped ja/broken.wav: cannot be read as audio")
    sound = read_audio(tmp_path / "ja/é 1.wav")[0]
    sound = sound - EnergyTrimmer(16000.0).feed(sound).mean
    assert np.array_equal(sequences[1], mfcc(sound, 16000))
    changed, _ = read_folder(
        tmp_path, features={"recipe": "music", "n_mels": 20, "normalise": "mean"}, cache=tmp_path / ".c"
    )
    music = mfcc(sound, 16000, "music", n_mels=20)
    assert np.array_equal(changed[1], normalise(music, "mean"))
    with recorded.raises(DataError):
        read_folder(tmp_path, on_bad_file="refuse")
    with recorded.raises(DataError):
        read_folder(tmp_path / "ja/2.wav")


def test_mixed_kinds_are_refused_until_one_is_chosen(tmp_path: Path, recorded: Recorded) -> None:
    _write_wav(tmp_path / "a.wav", 0)
    _write_wav(tmp_path / "b.wav", 1)
    _csv(tmp_path / "c.csv", "1,2\n3,4\n")
    _csv(tmp_path / "d.csv", "2,2\n3,5\n")
    with pytest.raises(DataError) as caught:
        read_folder(tmp_path)
    recorded.within(str(caught.value))
    assert "kind='audio' or kind='table'" in str(caught.value)
    assert read_folder(tmp_path, kind="audio")[0].ids.tolist() == ["a.wav", "b.wav"]
    sequences, notes = read_folder(tmp_path, kind="table")
    assert sequences.ids.tolist() == ["c.csv", "d.csv"]
    recorded(notes[0])
    with recorded.raises(DataError):
        read_folder(tmp_path, kind="ts")


# --- labels -----------------------------------------------------------------------------------------------------------


def _three(folder: Path) -> None:
    for i, name in enumerate(["a.csv", "sub/ä b.csv", "sub/c.npy"]):
        (folder / "sub").mkdir(exist_ok=True)
        if name.endswith("npy"):
            np.save(folder / name, np.ones((3, 1)) * i)
        else:
            _csv(folder / name, f"{i}\n2\n")


@pytest.mark.parametrize(
    "text",
    [
        "id,label\na,u\nsub/ä b,v\nsub/c,w\n",
        "id,label\nsub/c.npy,w\na.csv,u\nsub/ä b.csv,v\n",
        "ID, Label\r\n./a , u\r\nsub\\ä b.csv, v\r\nsub/c, w\r\n\r\n",
        "label;remark;id\nu;x;a\nv;;sub/ä b\nw;;sub/c\n",
        "id,label\na,u\nsub/a\u0308 b,v\nsub/c,w\na,u\n",  # decomposed accent; a repeated row that agrees
        '"id","label"\n"a","u"\n"sub/ä b","v"\n"sub/c","w"\n',
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_labels_file(tmp_path: Path, text: str, encoding: str) -> None:
    _three(tmp_path)
    _csv(tmp_path / "labels.csv", text, encoding)
    sequences, _ = read_folder(tmp_path)
    assert sequences.ids.tolist() == ["a.csv", "sub/c.npy", "sub/ä b.csv"]
    assert sequences.labels is not None
    assert sequences.labels.tolist() == ["u", "w", "v"]
    assert sequences.groups is None


def test_labels_file_of_old_windows_programs(tmp_path: Path) -> None:
    _three(tmp_path)
    _csv(tmp_path / "labels.csv", "id;label\na;u\nsub/ä b;v\nsub/c;w\n", "cp1252")
    labels = read_folder(tmp_path)[0].labels
    assert labels is not None
    assert labels.tolist() == ["u", "w", "v"]


def test_labels_for_some_are_marked(tmp_path: Path, recorded: Recorded) -> None:
    _three(tmp_path)
    _csv(tmp_path / "broken.csv", "oops,\nx,y\n")
    _csv(tmp_path / "labels.csv", "id,label,group\na,u,g\nbroken,u,g\nnobody,v,h\nsub/c,,h\n")
    sequences, notes = read_folder(tmp_path)
    assert sequences.labels is not None
    assert sequences.groups is not None
    assert sequences.labels.tolist() == ["u", UNLABELLED, UNLABELLED]
    assert sequences.groups.tolist() == ["g", "h", UNLABELLED]
    recorded(notes)
    recorded(notes)


def test_further_columns_of_labels_are_kept(tmp_path: Path) -> None:
    for name in ("a.csv", "b.csv"):
        _csv(tmp_path / name, "x\n1\n2\n")
    _csv(tmp_path / "labels.csv", "Site,id,label,,label of mine,id2\nnorth,a,u,x,'=1,3\n,b.csv,v\n")
    sequences, _ = read_folder(tmp_path)
    assert sequences.labels is not None
    assert sequences.labels.tolist() == ["u", "v"]
    assert sequences.provenance["about"] == {
        "Site": {"a.csv": "north", "b.csv": ""},
        "label of mine": {"a.csv": "=1", "b.csv": ""},
        "id2": {"a.csv": "3", "b.csv": ""},
    }


def test_labels_are_never_a_sequence(tmp_path: Path, recorded: Recorded) -> None:
    _three(tmp_path)
    _csv(tmp_path / "labels.csv", "id,label\na,1\n")
    _csv(tmp_path / "sub/labels.csv", "1\n2\n")
    _csv(tmp_path / "classes.csv", "id,label\nsub/c,2\n")
    for labels, expected in (("labels.csv", ["1", "", ""]), (None, None)):
        sequences, notes = read_folder(tmp_path, labels=labels)
        assert sequences.ids.tolist() == ["a.csv", "sub/c.npy", "sub/ä b.csv"]
        assert (None if sequences.labels is None else sequences.labels.tolist()) == expected
        recorded(notes)
    chosen = read_folder(tmp_path, labels="classes.csv", on_bad_file="refuse")[0]
    assert chosen.labels is not None
    assert chosen.labels.tolist() == ["", "2", ""]


@pytest.mark.parametrize(
    "text, message",
    [
        ("", "is empty"),
        ("name,class\na,u\n", "its header is 'name,class', expected id,label"),
        ("id,label\n", "holds no row"),
        ("id,label\n,u\n", "line 2 has no id"),
        ("id,label\na,u\na.csv,v\n", "lines 2 and 3 contradict each other about 'a.csv'"),
        ("id,label\nb,u\n", "none of its ids is that of a sequence, for example 'b' where an id looks like 'a.csv'"),
        ("id,label\na,u,v\n", "line 2 has 3 cells but the header has 2"),
        ("id,label\nsub/c,u\n", "may be 'sub/c.csv' or 'sub/c.npy'; write the extension"),
    ],
)
def test_labels_faults(tmp_path: Path, text: str, message: str, recorded: Recorded) -> None:
    _three(tmp_path)
    if "extension" in message:
        _csv(tmp_path / "sub/c.csv", "1\n")
    _csv(tmp_path / "labels.csv", text)
    with recorded.raises(DataError):
        read_folder(tmp_path)


def test_labels_that_were_asked_for_must_exist(tmp_path: Path, recorded: Recorded) -> None:
    _three(tmp_path)
    assert read_folder(tmp_path)[0].labels is None
    with recorded.raises(DataError):
        read_folder(tmp_path, labels="classes.csv")
    by_folder = read_folder(tmp_path, labels="folders")[0].labels
    assert by_folder is not None
    assert by_folder.tolist() == [UNLABELLED, "sub", "sub"]
    with recorded.raises(DataError):
        read_folder(tmp_path / "sub", labels="folders")


# --- data that nobody prepared ----------------------------------------------------------------------------------------


def test_remarks(tmp_path: Path, recorded: Recorded) -> None:
    _csv(tmp_path / "a.csv", "x,y\n1,5\n2,5\n")
    _csv(tmp_path / "b.csv", "x,y\n1,5\n2,5\n")
    _csv(tmp_path / "c.csv", "x,y\n3,5\n3,5\n3,5\n")
    _csv(tmp_path / "d.csv", "x,y\n3,5\n")
    sequences, notes = read_folder(tmp_path)
    assert len(sequences) == 4
    recorded(notes)


def test_two_files_are_enough_to_read(tmp_path: Path) -> None:
    _csv(tmp_path / "a.csv", "1\n2\n")
    _csv(tmp_path / "b.csv", "1\n3\n")
    assert len(read_folder(tmp_path)[0]) == 2


@pytest.mark.parametrize(
    "prepare",
    [
        lambda folder: folder / "nowhere",
        lambda folder: folder,
        lambda folder: _csv(folder / "a.txt", "Notes of May\n2 mice\n").parent,
        lambda folder: _csv(folder / "a.txt", "1\n2\n").parent,
        lambda folder: _csv(folder / "a.docx", "1\n2\n"),
        lambda folder: _csv(folder / "a.csv", "1\n2\n").parent,
        lambda folder: _csv(folder / "labels.csv", "id,label\na,b\n").parent,
        lambda folder: _csv(_csv(folder / "a.ts", "@data").parent / "b.ts", "").parent,
        lambda folder: _csv(_csv(folder / "a.csv", "").parent / "b.csv", "").parent,
    ],
)
def test_nothing_to_read_is_one_clear_sentence(tmp_path: Path, prepare, recorded: Recorded) -> None:  # type: ignore[no-untyped-def]
    with recorded.raises(DataError):
        read_folder(prepare(tmp_path))


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="permissions do not bind this user")
def test_a_folder_that_cannot_be_listed_is_named(tmp_path: Path, recorded: Recorded) -> None:
    _three(tmp_path)
    (tmp_path / "sub").chmod(0)
    try:
        with recorded.raises(DataError):
            read_folder(tmp_path)
    finally:
        (tmp_path / "sub").chmod(0o755)


@pytest.mark.parametrize(
    "arguments",
    [
        {"missing": "drop"},
        {"on_bad_file": "ignore"},
        {"kind": "audi"},
        {"features": {"normalise": "z"}},
        {"n_jobs": 0},
    ],
)
def test_bad_arguments_are_refused(tmp_path: Path, arguments: dict[str, object], recorded: Recorded) -> None:
    _three(tmp_path)
    with recorded.raises(ParameterError):
        read_folder(tmp_path, **arguments)  # type: ignore[arg-type]


def test_every_file_of_the_readers_is_in_the_fingerprint_of_what_uses_them() -> None:
    # Files to write never include inputs of a result.
    files = {path.stem for path in Path(readers.__file__).parent.glob("[a-z]*.py")} - {"writers"}
    assert {f"{readers.__name__}.{name}" for name in files} < set(closure(["kinseq.analysis"]))


def test_layouts_that_boards_and_archives_bring(tmp_path: Path) -> None:
    rng = np.random.default_rng(8)
    waves = [np.round(rng.normal(size=(20, 3)), 3) for _ in range(6)]

    def lines(wave: np.ndarray, mark: str, begin: str = "") -> str:
        return "".join(begin + mark.join(map(str, row)) + "\n" for row in wave.tolist())

    # A line with its label above each recording, whose rows all begin with a tab.
    blocks = "\n".join(("fall" if i % 2 else "walk") + "\n" + lines(wave, "\t", "\t") for i, wave in enumerate(waves))
    (tmp_path / "blocks.data").write_text(blocks)
    read = kinseq.read(tmp_path / "blocks.data")
    assert read.labels is not None
    assert read.labels.tolist() == ["walk", "fall"] * 3
    np.testing.assert_allclose(np.stack(list(read)), waves)
    # Output of a board: words, a header, rows.
    (tmp_path / "serial").mkdir()
    for i, wave in enumerate(waves):
        (tmp_path / f"serial/run{i}.log").write_text("Starting...\nSensor OK\nax,ay,az\n" + lines(wave, ","))
    np.testing.assert_allclose(np.stack(list(kinseq.read(tmp_path / "serial"))), waves)
    # Stacked users without a header, whose clock jumps between them.
    rows, now = "", 10**9
    for i, wave in enumerate(waves):
        now += 10**9
        for x, y, z in wave.tolist():
            now += int(rng.integers(48, 53))
            rows += f"{i + 1},{'fall' if i % 2 else 'walk'},{now},{x},{y},{z};\n"
    (tmp_path / "raw.txt").write_text(rows)
    read = kinseq.read(tmp_path / "raw.txt")
    assert read.labels is not None
    assert read.labels.tolist() == ["walk", "fall"] * 3
    np.testing.assert_allclose(np.stack(list(read)), waves)
    # An export with arbitrary names of items, and a number each.
    columns = ",".join(f"{'pump' if i % 2 else 'fan'}.{i}" for i in range(9))
    body = "".join(
        f"2024-01-01 {k:02d}:00," + ",".join(map(str, rng.normal(size=9).round(3))) + "\n" for k in range(20)
    )
    (tmp_path / "export.csv").write_text(f"Timestamp,{columns}\n{body}")
    read = kinseq.read(tmp_path / "export.csv")
    assert (len(read), read.n_features) == (9, 1)
    assert read.ids.tolist()[:2] == ["fan.0", "pump.1"]


def test_windows_of_channel_files_may_be_long(tmp_path: Path) -> None:
    values = np.random.default_rng(2).normal(size=(5, 128, 3))
    (tmp_path / "Inertial Signals").mkdir()
    for j, axis in enumerate("xyz"):
        text = "\n".join("  ".join(f"{x: .7e}" for x in row) for row in values[:, :, j])
        (tmp_path / f"Inertial Signals/body_acc_{axis}_train.txt").write_text(text + "\n")
    (tmp_path / "y_train.txt").write_text("1\n2\n1\n2\n1\n")
    read = kinseq.read(tmp_path)
    np.testing.assert_allclose(np.stack(list(read)), values, rtol=1e-6)
    assert read.labels is not None
    assert read.labels.tolist() == ["1", "2", "1", "2", "1"]
