"""Long recordings that tables cut: layouts, faults of tables, tables that come back. All are made here."""

from __future__ import annotations

import base64
import csv
import io
import math
from pathlib import Path

import numpy as np
import pytest

import kinseq
from kinseq.cli.request import checked, from_texts
from kinseq.core.errors import DataError, ParameterError
from kinseq.core.wording import speaking
from kinseq.features import mfcc, read_audio
from kinseq.features.activity import active_segments
from kinseq.metrics.external import ari
from kinseq.options import COMMAND_LINE
from kinseq.readers import extent
from kinseq.readers.segments import LAYOUTS, audacity, delimited, raven, textgrid
from kinseq.readers.segments.export import tables_with_clusters
from kinseq.readers.segments.layout import Segment
from kinseq.report.recordings import Recordings
from kinseq.report.writing import content_of
from tests.reading import read_folder
from tests.sentences import Recorded

soundfile = pytest.importorskip("soundfile")

RATE = 16_000
KINDS = ("rising", "falling")


def _long(path: Path, calls: int = 16, seed: int = 1) -> list[tuple[float, float, str]]:
    """A recording of some calls with pauses of half a second, and where they are."""
    rng, place, spans = np.random.default_rng(seed), 0.5, []
    sound = 0.001 * rng.normal(size=round((calls * 0.85 + 1.0) * RATE))
    for number in range(calls):
        time = np.arange(round(0.3 * RATE)) / RATE
        sweep = 1500 + 4000 * time if number % 2 == 0 else 2700 - 4000 * time
        call = (
            0.3 * np.sin(2 * np.pi * np.cumsum(sweep * rng.uniform(0.97, 1.03)) / RATE) * np.hanning(len(time)) ** 0.3
        )
        first = round(place * RATE)
        sound[first : first + len(time)] += call
        spans.append((place, place + 0.3, KINDS[number % 2]))
        place += 0.8
    soundfile.write(path, sound, RATE, subtype="FLOAT")
    return spans


def _raven(spans: list[tuple[float, float, str]], views: tuple[str, ...] = ("Waveform 1", "Spectrogram 1")) -> str:
    header = "Selection\tView\tChannel\tBegin Time (s)\tEnd Time (s)\tLow Freq (Hz)\tHigh Freq (Hz)\tAnnotation"
    bands = {"Waveform 1": "0\t8000", "Spectrogram 1": "1200\t3100"}
    rows = [
        f"{number}\t{view}\t1\t{start:.9f}\t{stop:.9f}\t{bands[view]}\t{label}"
        for number, (start, stop, label) in enumerate(spans, 1)
        for view in views
    ]
    return "\n".join([header, *rows]) + "\n"


def _audacity(spans: list[tuple[float, float, str]]) -> str:
    return "".join(f"{start:.6f}\t{stop:.6f}\t{label}\n\\\t1200.000000\t3100.000000\n" for start, stop, label in spans)


def _textgrid(spans: list[tuple[float, float, str]], end: float) -> str:
    rows, before = [], 0.0
    for start, stop, label in spans:
        rows += [(before, start, ""), (start, stop, label)]
        before = stop
    rows.append((before, end, ""))
    lines = [
        'File type = "ooTextFile"',
        'Object class = "TextGrid"',
        "",
        "xmin = 0",
        f"xmax = {end}",
        "tiers? <exists>",
        "size = 2",
    ]
    lines.append("item []:")
    for number, (name, intervals) in enumerate((("calls", rows), ("noise", [(0.0, end, "wind")])), 1):
        lines += [
            f"    item [{number}]:",
            '        class = "IntervalTier"',
            f'        name = "{name}"',
            "        xmin = 0",
        ]
        lines += [f"        xmax = {end}", f"        intervals: size = {len(intervals)}"]
        for place, (start, stop, label) in enumerate(intervals, 1):
            lines += [f"        intervals [{place}]:", f"            xmin = {start}", f"            xmax = {stop}"]
            lines.append(f'            text = "{label}"')
    return "\n".join(lines) + "\n"


def _csv(spans: list[tuple[float, float, str]], file: str = "", header: str = "onset,offset,label") -> str:
    rows = [f"{start:.3f},{stop:.3f},{label}" + (f",{file}" if file else "") for start, stop, label in spans]
    return "\n".join([header + (",file" if file else ""), *rows]) + "\n"


@pytest.mark.parametrize(
    "name, write",
    [
        ("calls.txt", _raven),
        ("labels of calls.txt", _audacity),
        ("calls.TextGrid", lambda spans: _textgrid(spans, 14.6)),
        ("calls.csv", _csv),
    ],
)
def test_each_layout_gives_the_same_segments(tmp_path: Path, name: str, write: object, recorded: Recorded) -> None:
    if name.endswith("TextGrid"):
        pytest.importorskip("praatio")
    spans = _long(tmp_path / "long.wav")
    (tmp_path / name).write_text(write(spans))  # type: ignore[operator]
    read, notes = read_folder(tmp_path / "long.wav", segments=tmp_path / name, tier="calls")
    assert read.ids.tolist()[:2] == ["long.wav@0.500-0.800", "long.wav@1.300-1.600"]
    assert read.labels is not None
    assert read.labels.tolist() == [label for _, _, label in spans]
    recorded.within("\n".join(notes))
    sound = read_audio(tmp_path / "long.wav")[0][round(1.3 * RATE) : round(1.6 * RATE)]
    np.testing.assert_allclose(read[1], mfcc(sound - sound.mean(), RATE), atol=1e-9)


def test_clusters_come_back_in_the_table(tmp_path: Path) -> None:
    spans = _long(tmp_path / "long.wav")
    (tmp_path / "calls.txt").write_text(_raven(spans))
    found = kinseq.cluster(tmp_path / "long.wav", 2, segments=tmp_path / "calls.txt", measure="dtw")
    truth = np.array([KINDS.index(label) for _, _, label in spans])
    assert ari(truth, found.labels) == 1.0
    page = found.report(tmp_path / "page")
    back = list(csv.DictReader(io.StringIO((page.parent / "calls.clusters.txt").read_text()), delimiter="\t"))
    # Both views of a selection have its cluster, and nothing else has changed.
    assert [int(row["Cluster"]) - 1 for row in back] == np.repeat(found.labels, 2).tolist()
    text = "\n".join(line.rpartition("\t")[0] for line in (page.parent / "calls.clusters.txt").read_text().splitlines())
    assert text + "\n" == _raven(spans)
    labels = (page.parent / "long.audacity.txt").read_text().splitlines()
    assert labels[0].split("\t") == ["0.500000", "0.800000", f"cluster {found.labels[0] + 1}"]
    assert "long.wav#t=0.500,0.800" in page.read_text()
    played = Recordings(content_of(found))
    assert played.seconds(3) == pytest.approx(0.3)
    clips = played.clips()
    assert sorted(clips) == list(range(16))
    # The segment, which is loud, is played, and not the beginning of the recording, which is not.
    samples, _ = soundfile.read(io.BytesIO(base64.b64decode(clips[3].mp3)))
    assert np.abs(samples).max() > 0.1
    levels = played.levels(3)
    assert levels is not None
    # The fourth call falls from 2700 to 1500 Hz.
    peaks = levels.argmax(axis=0)
    assert (np.diff(peaks) < 0).all()
    assert peaks[0] * 1500 / 2700 == pytest.approx(peaks[-1], abs=1)
    # Exported tables can be read again, with their clusters.
    again, _ = read_folder(tmp_path / "long.wav", segments=page.parent / "calls.clusters.txt")
    assert again.ids.tolist() == found.sequences.ids.tolist()


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
def test_what_comes_back_is_read_again(layout: object) -> None:
    if layout is textgrid.LAYOUT:
        pytest.importorskip("praatio")
    spans = [(0.5, 0.75, "one"), (1.25, 1.5, "two"), (2.0, 2.5, "one")]
    text = {
        "Raven selection table": _raven(spans),
        "labels of Audacity": _audacity(spans),
        "TextGrid of Praat": _textgrid(spans, 3.0),
        "table of segments": _csv(spans),
    }[layout.name]  # type: ignore[attr-defined]
    place = Path("a.txt")
    first = layout.read(place, text, "calls")  # type: ignore[attr-defined]
    clusters = {row: f"c{i}" for i, segment in enumerate(first) for row in segment.rows}
    back = layout.write(text, clusters, "calls")  # type: ignore[attr-defined]
    assert layout.matches(place, back)  # type: ignore[attr-defined]
    second = layout.read(place, back, "calls")  # type: ignore[attr-defined]
    assert [(s.start, s.stop) for s in second] == [(s.start, s.stop) for s in first] == [(a, b) for a, b, _ in spans]
    assert all(f"c{i}" in back for i in range(3))
    # Again, the column is replaced and not added.
    assert layout.write(back, {}, "calls").count("Cluster") == back.count("Cluster")  # type: ignore[attr-defined]


def test_layouts_are_told_apart(tmp_path: Path) -> None:
    spans = [(0.5, 0.75, "one")]
    texts = {
        raven.LAYOUT: _raven(spans),
        audacity.LAYOUT: _audacity(spans),
        textgrid.LAYOUT: _textgrid(spans, 1.0),
        delimited.LAYOUT: _csv(spans),
    }
    for layout, text in texts.items():
        assert next(entry for entry in LAYOUTS if entry.matches(tmp_path, text)) is layout
    for text in ("", "a,b\n1,2\n", "time,x,y\n0,1,2\n", "notes of the day\n", "1,5\n2,6\n"):
        assert not any(layout.matches(tmp_path, text) for layout in LAYOUTS)


@pytest.mark.parametrize(
    "header, row, expected",
    [
        (
            "Start (s),End (s),Scientific name,Common name,Confidence,File",
            "3.0,6.0,Turdus,Thrush,0.9,a.wav",
            (3.0, 6.0, "Thrush", "a.wav"),
        ),
        ("label,onset_s,offset_s,notated_path", "x,3,6,a.wav", (3.0, 6.0, "x", "a.wav")),
        ("start;end;label", "3,0;6,0;x", (3.0, 6.0, "x", "")),
        ("begin_time\tduration\tspecies", "3\t3\tx", (3.0, 6.0, "x", "")),
        ("onset_ms,offset_ms,label", "3000,6000,x", (3.0, 6.0, "x", "")),
        ("filename,start_time,end_time,low_freq,high_freq", "a.wav,3,6,100,900", (3.0, 6.0, "", "a.wav")),
    ],
)
def test_usual_names_of_columns(header: str, row: str, expected: tuple[object, ...]) -> None:
    text = f"{header}\n{row}\n"
    assert delimited.matches(Path("a.csv"), text)
    (segment,) = delimited.read(Path("a.csv"), text)
    assert (segment.start, segment.stop, segment.label, segment.file) == expected
    assert (segment.low, segment.high) == ((100.0, 900.0) if "low_freq" in header else (0.0, math.inf))


def test_a_place_in_a_file_of_several(tmp_path: Path) -> None:
    header = "Selection\tBegin Time (s)\tEnd Time (s)\tBegin File\tFile Offset (s)"
    text = f"{header}\n1\t0.5\t0.8\ta.wav\t0.5\n2\t100.5\t100.8\tb.wav\t1.3\n"
    found = raven.read(Path("a.txt"), text)
    assert [(segment.file, segment.start, round(segment.stop, 9)) for segment in found] == [
        ("a.wav", 0.5, 0.8),
        ("b.wav", 1.3, 1.6),
    ]


def test_faults_of_a_table_are_one_sentence_each(tmp_path: Path, recorded: Recorded) -> None:
    spans = _long(tmp_path / "long.wav", calls=4)
    odd = [
        (2.0, 1.0, "reversed"),
        (1.0, 1.0, "empty"),
        (99.0, 100.0, "outside"),
        (4.2, 9.0, "beyond"),
        (-1.0, 0.2, "before"),
    ]
    odd += [(0.6, 1.0, "overlaps"), (0.5, 0.8, "twice")]
    (tmp_path / "calls.csv").write_text(_csv([*spans, *odd]))
    read, notes = read_folder(tmp_path / "long.wav", segments="calls.csv")
    assert len(read) == len(spans) + 2
    assert max(float(entry.rpartition("-")[2]) for entry in read.ids.tolist()) == pytest.approx(4.4)
    for words in ("end before they begin", "are empty", "begin outside", "cut at the end", "overlap", "count once"):
        assert sum(words in note for note in notes) == 1
    for cell in ("x", "nan"):
        (tmp_path / "bad.csv").write_text(f"onset,offset\n1,2\n{cell},3\n")
        with recorded.raises(DataError):
            read_folder(tmp_path / "long.wav", segments="bad.csv")


def test_tables_beside_their_recordings(tmp_path: Path) -> None:
    (tmp_path / "day").mkdir()
    first = _long(tmp_path / "day" / "a.wav", calls=4)
    second = _long(tmp_path / "b.wav", calls=6, seed=2)
    (tmp_path / "day" / "a.Table.1.selections.txt").write_text(_raven(first))
    (tmp_path / "b.txt").write_text(_audacity(second))
    (tmp_path / "readme.txt").write_text("Recorded at the pond.\n")
    read, notes = read_folder(tmp_path, segments="beside")
    assert [entry.partition("@")[0] for entry in read.ids.tolist()] == ["b.wav"] * 6 + ["day/a.wav"] * 4
    assert any("2 tables" in note and "10 segments of 2 recordings" in note for note in notes)
    assert any("readme.txt" in note and "b.txt" not in note for note in notes if note.startswith("ignored"))
    # By default recordings stay whole, and tables next to them are reported.
    whole, notes = read_folder(tmp_path)
    assert len(whole) == 2
    assert any("segments='beside'" in note and "b.txt" in note for note in notes)
    back = tables_with_clusters(read, np.zeros(len(read), dtype=int))
    assert sorted(back) == [
        "a.Table.1.selections.clusters.txt",
        "b.audacity.txt",
        "b.clusters.txt",
        "day_a.audacity.txt",
    ]


def test_one_table_of_several_recordings(tmp_path: Path, recorded: Recorded) -> None:
    folder = tmp_path / "sounds"
    folder.mkdir()
    a, b = _long(folder / "a.wav", calls=2), _long(folder / "b.wav", calls=2)
    rows = [_csv(a, "a.wav"), _csv(b, r"C:\\field\\b").partition("\n")[2]]
    (tmp_path / "all.csv").write_text("".join(rows))
    read, _ = read_folder(folder, segments=tmp_path / "all.csv")
    assert [entry.partition("@")[0] for entry in read.ids.tolist()] == ["a.wav", "a.wav", "b.wav", "b.wav"]
    (tmp_path / "nameless.csv").write_text(_csv(a))
    with recorded.raises(DataError):
        read_folder(folder, segments=tmp_path / "nameless.csv")
    (tmp_path / "other.csv").write_text(_csv(a, "c.wav"))
    with recorded.raises(DataError):
        read_folder(folder, segments=tmp_path / "other.csv")


def test_the_band_of_a_selection_is_kept_alone(tmp_path: Path) -> None:
    time = np.arange(4 * RATE) / RATE
    sound = 0.3 * np.sin(2 * np.pi * 2000 * time)
    hum = 0.3 * np.sin(2 * np.pi * 300 * time) * (time > 2.0)
    soundfile.write(tmp_path / "long.wav", sound + hum, RATE, subtype="FLOAT")
    (tmp_path / "calls.txt").write_text(_raven([(0.5, 1.5, "x"), (2.5, 3.5, "x")], ("Spectrogram 1",)))
    apart = []
    for band in ("all", "selection"):
        read, _ = read_folder(tmp_path / "long.wav", segments="calls.txt", band=band)
        apart.append(np.abs(read[0][:, 0].mean() - read[1][:, 0].mean()))
    assert apart[1] < 0.05 * apart[0]


def test_segments_by_energy(tmp_path: Path, recorded: Recorded) -> None:
    spans = _long(tmp_path / "long.wav")
    found = active_segments(tmp_path / "long.wav")
    assert found.shape == (16, 2)
    np.testing.assert_allclose(found, [(start, stop) for start, stop, _ in spans], atol=0.06)
    read, notes = read_folder(tmp_path / "long.wav", segments="auto")
    assert len(read) == 16
    assert read.labels is None
    recorded.within("\n".join(notes))
    assert list(tables_with_clusters(read, np.arange(16))) == ["long.audacity.txt"]
    soundfile.write(tmp_path / "noise.wav", 0.01 * np.random.default_rng(0).normal(size=3 * RATE), RATE)
    assert len(active_segments(tmp_path / "noise.wav")) == 0
    with recorded.raises(DataError):
        read_folder(tmp_path / "noise.wav", segments="auto")


def test_blocks_do_not_move_segments_by_energy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _long(tmp_path / "long.wav", calls=5)
    whole = active_segments(tmp_path / "long.wav")
    monkeypatch.setattr("kinseq.features.audio._BLOCK_FRAMES", 1777)
    assert np.array_equal(active_segments(tmp_path / "long.wav"), whole)


def test_what_cannot_be_cut_is_refused(tmp_path: Path, recorded: Recorded) -> None:
    spans = _long(tmp_path / "long.wav", calls=4)
    with pytest.raises(DataError, match="segments="):
        read_folder(tmp_path / "long.wav")
    with speaking(COMMAND_LINE), pytest.raises(DataError, match="--segments"):
        read_folder(tmp_path / "long.wav")
    with recorded.raises(DataError):
        read_folder(tmp_path / "long.wav", segments="nowhere.txt")
    with recorded.raises(DataError):
        read_folder(tmp_path, segments="beside")
    (tmp_path / "list.txt").write_text("a, b and c\n")
    with recorded.raises(DataError):
        read_folder(tmp_path, segments="list.txt")
    (tmp_path / "calls.csv").write_text(_csv(spans))
    with pytest.raises(ParameterError, match="unknown band"):
        read_folder(tmp_path, segments="calls.csv", band="box")  # type: ignore[arg-type]
    with recorded.raises(ParameterError):
        read_folder(tmp_path / "calls.csv", segments="calls.csv")
    with pytest.raises(DataError, match="segments='beside'"):
        read_folder(tmp_path)
    with speaking(COMMAND_LINE), pytest.raises(DataError, match="--segments beside"):
        read_folder(tmp_path)
    with recorded.raises(DataError):
        checked(from_texts({"data": str(tmp_path / "long.wav"), "segments": "nowhere.txt"}), tmp_path / "results")
    own = checked(from_texts({"data": str(tmp_path / "long.wav"), "segments": "calls.csv"}), tmp_path / "results")
    assert Path(own["segments"]) == tmp_path / "calls.csv"


def test_a_change_of_the_table_is_seen(tmp_path: Path) -> None:
    folder = tmp_path / "sounds"
    folder.mkdir()
    spans = _long(folder / "long.wav", calls=4)
    (tmp_path / "calls.csv").write_text(_csv(spans))
    before = extent(folder / "long.wav", segments=tmp_path / "calls.csv")
    assert (before.files, before.one_each) == (1, True)
    assert extent(folder / "long.wav", segments=tmp_path / "calls.csv").stamp == before.stamp
    (tmp_path / "calls.csv").write_text(_csv(spans[:3]))
    assert extent(folder / "long.wav", segments=tmp_path / "calls.csv").stamp != before.stamp


def test_a_textgrid_needs_the_name_of_one_of_several_tiers(tmp_path: Path, recorded: Recorded) -> None:
    pytest.importorskip("praatio")
    spans = _long(tmp_path / "long.wav", calls=4)
    (tmp_path / "long.TextGrid").write_text(_textgrid(spans, 4.4))
    with recorded.raises(ParameterError):
        read_folder(tmp_path, segments="beside")
    with recorded.raises(ParameterError):
        read_folder(tmp_path, segments="beside", tier="cals")
    assert len(read_folder(tmp_path, segments="beside", tier="noise")[0]) == 1


def test_numbers_of_segments_are_no_labels(tmp_path: Path) -> None:
    spans = [
        (start, stop, str(number)) for number, (start, stop, _) in enumerate(_long(tmp_path / "long.wav", calls=4))
    ]
    (tmp_path / "long.txt").write_text(_audacity(spans))
    assert read_folder(tmp_path, segments="beside")[0].labels is None
    assert Segment(0.0, 1.0, (0,), 1).label == ""
