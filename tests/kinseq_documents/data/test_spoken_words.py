"""Spoken words: every layout gives the same sequences, and what is chosen of them is what was asked for."""

from __future__ import annotations

import io
import tarfile
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pytest
import soundfile

from kinseq.core.sequences import SequenceSet
from kinseq.features import extraction
from kinseq.features.extraction import features_of_file
from kinseq_documents.data import registry
from kinseq_documents.data.spoken_words import LOADERS, NAMINGS, load, recordings, tasks
from kinseq_documents.stages.sequences import make_sequences

RATE = 16000
WORDS, SPEAKERS, TAKES = ("go", "stop", "zoom_in"), ("00000001", "00000002", "00000010"), (1, 2)

Recordings = Mapping[tuple[str, str, int], bytes]


def tone(seed: int, kind: str = "FLAC") -> bytes:
    """A third of a second of noise that differs with the seed."""
    stream = io.BytesIO()
    signal = 0.1 * np.random.default_rng(seed).normal(size=RATE // 3)
    soundfile.write(stream, signal, RATE, format=kind, subtype="PCM_16")
    return stream.getvalue()


def every() -> Recordings:
    named = [(speaker, word, take) for speaker in SPEAKERS for word in WORDS for take in TAKES]
    return {key: tone(number) for number, key in enumerate(named)}


def zips(folder: Path, made: Recordings) -> None:
    """One archive a speaker."""
    for speaker in SPEAKERS:
        with zipfile.ZipFile(folder / f"speaker_{speaker}.zip", "w") as archive:
            for (who, word, take), content in made.items():
                if who == speaker:
                    archive.writestr(f"{who}/{word}_{take:02d}.flac", content)


def folders(folder: Path, made: Recordings) -> None:
    """One folder a word, blanks in its name, and noise that is no word."""
    for (speaker, word, take), content in made.items():
        path = folder / "dataset" / word.replace("_", " ") / f"{speaker}_NO_{take:02d}.flac"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    (folder / "background_noise").mkdir()
    (folder / "background_noise" / "rain.flac").write_bytes(tone(99))


def tar(folder: Path, made: Recordings) -> None:
    """One archive of everything, not in order."""
    with tarfile.open(folder / "words.tar.xz", "w:xz") as archive:
        for (speaker, word, take), content in reversed(made.items()):
            entry = tarfile.TarInfo(f"./{word}/{speaker}_nohash_{take}.flac")
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))


def read(folder: Path, **params: object) -> SequenceSet:
    return load(folder, **LOADERS[0].with_defaults(params))


@pytest.fixture(scope="module")
def words(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("words")
    zips(folder, every())
    return folder


@pytest.mark.parametrize("layout", [zips, folders, tar])
def test_every_layout_is_read_alike(layout: Callable[[Path, Recordings], None], tmp_path: Path) -> None:
    layout(tmp_path, every())
    found = recordings(tmp_path)
    assert [(r.speaker, r.take, r.word) for r in found] == [
        (speaker, take, word) for speaker in SPEAKERS for take in TAKES for word in WORDS
    ]
    sequences = read(tmp_path)
    assert sequences.n_features == 26
    assert sequences.labels is not None
    assert sequences.labels.tolist() == [speaker for speaker in SPEAKERS for _ in range(6)]
    assert sequences.ids[4] == "00000001/stop_02"
    content = every()[SPEAKERS[1], "zoom_in", 1]
    (tmp_path / "alone.flac").write_bytes(content)
    alone = features_of_file(
        tmp_path / "alone.flac", extraction.audio_features("speech", **extraction.AS_WRITTEN), RATE
    )
    np.testing.assert_array_equal(sequences[6 + 2], alone)


def test_namings_exclude_each_other() -> None:
    for name in ("go/00000001_NO_01", "go/0a7c_nohash_0", "00000001/go_01", "00000001/zoom_in_02"):
        assert sum(pattern.fullmatch(name) is not None for pattern in NAMINGS.values()) == 1, name


def test_first_takes_come_before_second_ones(words: Path) -> None:
    chosen = read(words, per_speaker=4, speakers=2)
    assert chosen.ids.tolist() == [
        f"{speaker}/{word}" for speaker in SPEAKERS[:2] for word in ("go_01", "stop_01", "zoom_in_01", "go_02")
    ]
    assert read(words, words=["stop"]).ids.tolist() == [f"{s}/stop_{t:02d}" for s in SPEAKERS for t in TAKES]


def test_joined_words_are_the_frames_one_after_another(words: Path) -> None:
    single, joined = read(words, per_speaker=4), read(words, per_speaker=4, join=2)
    assert len(joined) == 6
    assert joined.ids[1] == "00000001/zoom_in_01+go_02"
    np.testing.assert_array_equal(joined[1], np.concatenate([single[2], single[3]]))
    np.testing.assert_array_equal(joined[2], np.concatenate([single[4], single[5]]))


def test_classes_may_be_words(words: Path) -> None:
    found = read(words, label="word", speakers=2)
    assert sorted(set(map(str, found.labels if found.labels is not None else []))) == sorted(WORDS)
    (task,) = tasks(found, 0, n_pairs="none")
    assert task.n_clusters == 3
    assert task.indices.size == 12


def test_ends_are_cut_where_they_are_quiet(tmp_path: Path) -> None:
    quiet = np.zeros(RATE)
    quiet[RATE // 2 : RATE // 2 + RATE // 4] = 0.1 * np.random.default_rng(0).normal(size=RATE // 4)
    for word in WORDS:
        path = tmp_path / word / "00000001_NO_01.wav"
        path.parent.mkdir()
        soundfile.write(path, quiet, RATE)
    assert set(read(tmp_path).lengths.tolist()) == {98}
    # A quarter of a second and 50 ms on both sides, in windows of 25 ms.
    assert set(read(tmp_path, trim=40.0).lengths.tolist()) <= {33, 34, 35, 36}


def test_pairs_are_fixed_and_spread_over_all(words: Path) -> None:
    found = read(words, per_speaker=2)
    assert [task.name for task in tasks(found, 0, n_pairs="all")] == [
        "00000001-00000002",
        "00000001-00000010",
        "00000002-00000010",
    ]
    few = tasks(found, 0, n_pairs=2)
    assert [task.name for task in few] == ["00000001-00000002", "00000001-00000010"]
    assert [task.name for task in tasks(found, 7, n_pairs=2)] == [task.name for task in few]
    assert few[1].indices.tolist() == [0, 1, 4, 5]
    assert few[1].n_clusters == 2


def test_tasks_that_are_the_same_in_every_trial_belong_to_none(words: Path) -> None:
    entry = {"loader": "spoken_words", "params": {"per_speaker": 2}}
    for trials in (None, [0, 1, 2]):
        _, made = make_sequences("words", entry, trials, 1, words)
        assert [task.trial for task in made] == [None] * 3
    # What is planned by.
    assert registry.modules()["spoken_words"].fields["draws"] is False
    assert registry.modules()["character_trajectories"].fields["draws"] is True


def test_of_each_word_the_first_takes_come_first(words: Path) -> None:
    found = read(words, per_word=4, label="word")
    assert found.labels is not None
    assert np.unique(found.labels, return_counts=True)[1].tolist() == [4, 4, 4]
    # Three speakers say each word once before the first of them says it again.
    assert [name for name in found.ids.tolist() if "/go_" in name] == [
        "00000001/go_01",
        "00000001/go_02",
        "00000002/go_01",
        "00000010/go_01",
    ]


def test_words_that_sound_alike_share_a_label(words: Path) -> None:
    found = read(words, label="word", alike=[["go", "stop"]])
    assert found.labels is not None
    assert set(found.labels.tolist()) == {"go+stop", "zoom_in"}
    assert found.groups is not None
    assert set(found.groups.tolist()) == set(SPEAKERS)
    np.testing.assert_array_equal(found.values, read(words, label="word").values)


def test_only_files_of_a_pattern_are_read(words: Path) -> None:
    found = read(words, files="*_00000002.zip", label="word")
    assert found.groups is not None
    assert set(found.groups.tolist()) == {"00000002"}


def test_columns_of_several_features_travel_with_the_words(words: Path) -> None:
    entry = {
        "loader": "spoken_words",
        "params": {
            "per_speaker": 3,
            "label": "word",
            "n_pairs": "none",
            "features": {"recipe": "several", "kinds": ["plp", "mfcc"]},
        },
    }
    found, _ = make_sequences("words", entry, None, 1, words)
    assert isinstance(found, SequenceSet)
    columns = found.provenance["columns_of"]
    assert list(columns) == ["plp", "mfcc"]
    mfcc = read(words, per_speaker=3, features="speech")
    both = [*columns["mfcc"]["static"], columns["mfcc"]["energy"][0]]
    np.testing.assert_array_equal(found.values[:, both], mfcc.values[:, :13])
