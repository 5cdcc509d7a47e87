"""Bad input to the readers of EEG and of folders of music, to features that are asked for, and to stand-ins."""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import soundfile
from scipy.io import savemat

from kinseq import api as own
from kinseq.cli import request
from kinseq_documents.data import eeg, genres, registry

from .table import Case, texts

SAMPLES = "\n".join(" ".join(str((3 * t + c * t * t) % 11) for c in range(7)) for t in range(40)) + "\n"


def recordings(files: Mapping[str, str | bytes], window: Any = 12) -> Callable[[Path], Any]:
    def call(folder: Path) -> Any:
        for name, content in files.items():
            (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        return eeg.load(folder, window)

    return call


def matlab(*cell: Any, name: str = "data") -> Callable[[Path], Any]:
    """The published file with a single recording."""

    def call(folder: Path) -> Any:
        content = np.empty((1, 1), dtype=object)
        content[0, 0] = np.empty((1, len(cell)), dtype=object)
        for at, part in enumerate(cell):
            content[0, 0][0, at] = part
        savemat(folder / "eegdata.mat", {name: content})
        return eeg.load(folder, 12)

    return call


def made(loader: str, **params: Any) -> Callable[[Path], Any]:
    return lambda _: registry.make("made", loader, params, None, 1)


SEVEN = np.arange(280.0).reshape(7, 40) ** 2

EEG = (
    Case("eeg: empty folder", recordings({}), says="holds no recording; put <subject>_<task>_<session>.txt"),
    Case("eeg: named otherwise", recordings({"notes.txt": SAMPLES}), says=r"notes\.txt: is not named <subject>_<task>"),
    Case("eeg: nameless task", recordings({"1__2.txt": SAMPLES}), says=r"1__2\.txt: is not named <subject>_<task>"),
    Case("eeg: two columns", recordings({"1_a_1.txt": "1 2\n3 4\n"}), says=r"shape \(2, 2\), expected 7 channels"),
    Case(
        "eeg: shorter than a window",
        recordings({"1_a_1.txt": SAMPLES}, window=125),
        says="holds no recording of at least 126 samples; lower window",
    ),
    Case("eeg: window of one", recordings({"1_a_1.txt": SAMPLES}, window=1), says="eeg: window is 1, expected"),
    Case("eeg: window in words", recordings({"1_a_1.txt": SAMPLES}, window="125"), says="eeg: window is '125'"),
    Case(
        "eeg: twice",
        recordings({"1_a_1.txt": SAMPLES, "1_a_1.TXT": SAMPLES}),
        says="is the same subject, task and session as",
    ),
    Case(
        "eeg: a text in a number's place", recordings({"1_a_1.txt": SAMPLES + "x\n"}), says="cannot be read as a table"
    ),
    Case(
        "eeg: task with a low line",
        recordings({"1_letter_composing_1.txt": SAMPLES}),
        gives=lambda read: set(read.labels) == {"letter_composing"} and len(read) == 3,
    ),
    Case(
        "eeg: no MATLAB file", recordings({"eegdata.mat": b"MATLAB 5.0" * 40}), says=r"eegdata\.mat: cannot be read as"
    ),
    Case("eeg: MATLAB file cut off", recordings({"eegdata.mat": b""}), says=r"eegdata\.mat: cannot be read as"),
    Case("eeg: other variable", matlab("subject 1", "a", "trial 1", SEVEN, name="x"), says="expected a variable data"),
    Case("eeg: cells of three", matlab("subject 1", "a", "trial 1"), says="expected a variable data"),
    Case("eeg: nameless subject", matlab("somebody", "a", "trial 1", SEVEN), says="'somebody' is no subject such as"),
    Case(
        "eeg: six channels",
        matlab("subject 1", "a", "trial 1", SEVEN[:6]),
        says=r"recording 1: has the shape \(6, 40\)",
    ),
    Case(
        "eeg: a missing sample",
        matlab("subject 1", "a", "trial 1", np.where(SEVEN == 49.0, np.nan, SEVEN)),
        says="recording 1: sample 8 of channel 1 is nan; repair or remove",
    ),
)

PROCESSES = (
    Case("eeg_process: no subject", made("eeg_process", subjects=0), says="eeg_process: subjects is 0"),
    Case("eeg_process: half a session", made("eeg_process", sessions=0.5), says="eeg_process: sessions is 0.5"),
    Case(
        "eeg_process: drift below 0",
        made("eeg_process", drift=-0.1),
        says="drift is -0.1, expected a number from 0 to 2",
    ),
    Case("eeg_process: drift no number", made("eeg_process", drift=float("nan")), says="eeg_process: drift is nan"),
    Case("eeg_process: huge drift", made("eeg_process", drift=50), says="drift is 50, expected a number from 0 to 2"),
    Case(
        "eeg_process: too few windows",
        made("eeg_process", sessions=1, recordings=1, window=500),
        says="hold 4 windows of 500 samples of a task, expected at least 10",
    ),
    Case(
        "eeg_process: window longer than a recording",
        made("eeg_process", window=5000),
        says="hold 0 windows of 5000 samples",
    ),
    Case("voices: one speaker", made("voices", speakers=1), says="voices: speakers is 1, expected .* at least 2"),
    Case("voices: no word", made("voices", words=0), says="voices: words is 0"),
    Case(
        "voices: cannot be joined",
        made("voices", speakers=2, per_speaker=3, join=2),
        says="voices: per_speaker is 3, expected a multiple of join, which is 2",
    ),
    Case(
        "voices: more pairs than there are",
        made("voices", speakers=2, words=1, per_speaker=1, n_pairs=2),
        says="n_pairs is 2, there are 1 pairs",
    ),
    Case("voices: word for join", made("voices", join="two"), says="voices: join is 'two'"),
    Case("eeg_process: unknown parameter", made("eeg_process", sesions=1), says="unknown parameter 'sesions'"),
)

TABLES = {"a.csv": "x,y\n1,2\n3,5\n2,2\n", "b.csv": "x,y\n1,1\n3,4\n0,2\n", "c.csv": "x,y\n0,1\n3,1\n0,7\n"}


def asked(features: Any) -> Callable[[Path], Any]:
    """Features of a folder of tables, through the library."""

    def call(folder: Path) -> Any:
        for name, content in TABLES.items():
            (folder / name).write_text(content)
        return own.cluster(folder, 2, measure="mean_vector", features=features, n_resamples=1)

    return call


def worded(*words: str) -> Callable[[Path], Any]:
    """Words of the command line about a folder of tables."""

    def call(folder: Path) -> Any:
        (folder / "data").mkdir()
        for name, content in TABLES.items():
            (folder / "data" / name).write_text(content)
        given = request.from_texts({"data": str(folder / "data"), **texts(words)})
        return request.checked(given, folder / "results")

    return call


FEATURES = (
    Case(
        "features: chroma of tables", asked("chroma"), says="features is 'chroma' but .* holds no audio; leave features"
    ),
    Case("features: a recipe of tables", asked({"recipe": "music"}), says="holds no audio; leave features out"),
    Case(
        "features: unknown for recordings",
        asked("chrome"),
        says="unknown features 'chrome'.*valid names: chroma, .*music",
    ),
    Case("features: unknown setting", asked({"recipe": "chroma", "n_mels": 3}), says="unknown setting of the features"),
    Case("features: a number", asked(3), says="features is 3, expected a name or a dictionary"),
    Case(
        "FEATURES: unknown",
        worded("features=mfcc"),
        says="unknown features 'mfcc'.*valid names: chroma, .*music, music_mar",
    ),
    Case("FEATURES: empty", worded("features="), says="--features is empty; give a value or leave it out"),
    Case("FEATURES: known", worded("features=music_mar"), gives=lambda given: given["features"] == "music_mar"),
)


def wave(seconds: float = 2.2, level: float = 0.1, seed: int = 0) -> bytes:
    out = io.BytesIO()
    samples = level * np.random.default_rng(seed).normal(size=int(8000 * seconds))
    soundfile.write(out, samples, 8000, format="WAV", subtype="PCM_16")
    return out.getvalue()


MUSIC = {f"{genre}/{i}.wav": wave(seed=2 * k + i) for k, genre in enumerate(("jazz", "folk")) for i in range(2)}


def music(files: Mapping[str, bytes], **params: Any) -> Callable[[Path], Any]:
    """Recordings of a folder of genres, and what was said of those left out."""
    full = genres.LOADERS[0].with_defaults({"features": "music", **params})

    def call(folder: Path) -> Any:
        for name, content in files.items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_bytes(content)
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            return genres.load(folder, **full), " ".join(str(entry.message) for entry in said)

    return call


def without(name: str) -> dict[str, bytes]:
    return {key: content for key, content in MUSIC.items() if key != name}


GENRES = (
    Case("genres: empty folder", music({}), says="holds 0 folders, expected one a genre"),
    Case(
        "genres: one file", music(without("folk/0.wav")), says="genre 'folk' has 1 recordings in .* expected at least 2"
    ),
    Case(
        "genres: shorter than a window of MAR",
        music({**MUSIC, "folk/0.wav": wave(1.0), "folk/1.wav": wave(1.0)}, features="music_mar"),
        says="of genre 'folk' only 0 of 2 recordings can be used; the first reason: skipped .*window",
    ),
    Case(
        "genres: silence",
        music({**MUSIC, "jazz/0.wav": wave(level=0.0)}),
        says="of genre 'jazz' only 1 of 2 recordings can be used; .*silent",
    ),
    Case(
        "genres: a corrupt mp3 among good ones",
        music({**MUSIC, "jazz/bad.mp3": b"ID3" + bytes(range(256)) * 8}),
        gives=lambda found: len(found[0]) == 4 and "jazz/bad.mp3" in found[1],
    ),
    Case("genres: nothing but a text", music({"jazz/a.txt": b"x", "folk/a.txt": b"x"}), says="has 0 recordings"),
    Case("genres: not there", music(MUSIC, genres=["jazz", "polka"]), says="unknown genre 'polka'.*folk, jazz"),
    Case("genres: unknown features", music(MUSIC, features="loud"), says="unknown features 'loud'"),
)

CASES: tuple[Case, ...] = (*EEG, *PROCESSES, *FEATURES, *GENRES)
