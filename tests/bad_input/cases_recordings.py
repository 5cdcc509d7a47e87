"""Bad input to the readers of EEG and of folders of music, to requested features, and to stand-ins."""

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
    Case("eeg: empty folder", recordings({})),
    Case("eeg: named otherwise", recordings({"notes.txt": SAMPLES})),
    Case("eeg: nameless task", recordings({"1__2.txt": SAMPLES})),
    Case("eeg: two columns", recordings({"1_a_1.txt": "1 2\n3 4\n"})),
    Case("eeg: shorter than a window", recordings({"1_a_1.txt": SAMPLES}, window=125)),
    Case("eeg: window of one", recordings({"1_a_1.txt": SAMPLES}, window=1)),
    Case("eeg: window in words", recordings({"1_a_1.txt": SAMPLES}, window="125")),
    Case("eeg: twice", recordings({"1_a_1.txt": SAMPLES, "1_a_1.TXT": SAMPLES})),
    Case("eeg: a text in a number's place", recordings({"1_a_1.txt": SAMPLES + "x\n"})),
    Case(
        "eeg: task with a low line",
        recordings({"1_letter_composing_1.txt": SAMPLES}),
        gives=lambda read: set(read.labels) == {"letter_composing"} and len(read) == 3,
    ),
    Case("eeg: no MATLAB file", recordings({"eegdata.mat": b"MATLAB 5.0" * 40})),
    Case("eeg: MATLAB file cut off", recordings({"eegdata.mat": b""})),
    Case("eeg: other variable", matlab("subject 1", "a", "trial 1", SEVEN, name="x")),
    Case("eeg: cells of three", matlab("subject 1", "a", "trial 1")),
    Case("eeg: nameless subject", matlab("somebody", "a", "trial 1", SEVEN)),
    Case("eeg: six channels", matlab("subject 1", "a", "trial 1", SEVEN[:6])),
    Case("eeg: a missing sample", matlab("subject 1", "a", "trial 1", np.where(SEVEN == 49.0, np.nan, SEVEN))),
)

PROCESSES = (
    Case("eeg_process: no subject", made("eeg_process", subjects=0)),
    Case("eeg_process: half a session", made("eeg_process", sessions=0.5)),
    Case("eeg_process: drift below 0", made("eeg_process", drift=-0.1)),
    Case("eeg_process: drift no number", made("eeg_process", drift=float("nan"))),
    Case("eeg_process: huge drift", made("eeg_process", drift=50)),
    Case("eeg_process: too few windows", made("eeg_process", sessions=1, recordings=1, window=500)),
    Case("eeg_process: window longer than a recording", made("eeg_process", window=5000)),
    Case("voices: one speaker", made("voices", speakers=1)),
    Case("voices: no word", made("voices", words=0)),
    Case("voices: cannot be joined", made("voices", speakers=2, per_speaker=3, join=2)),
    Case("voices: more pairs than there are", made("voices", speakers=2, words=1, per_speaker=1, n_pairs=2)),
    Case("voices: word for join", made("voices", join="two")),
    Case("eeg_process: unknown parameter", made("eeg_process", sesions=1)),
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
    Case("features: chroma of tables", asked("chroma")),
    Case("features: a recipe of tables", asked({"recipe": "music"})),
    Case("features: unknown for recordings", asked("chrome")),
    Case("features: unknown setting", asked({"recipe": "chroma", "n_mels": 3})),
    Case("features: a number", asked(3)),
    Case("FEATURES: unknown", worded("features=mfcc")),
    Case("FEATURES: empty", worded("features=")),
    Case("FEATURES: known", worded("features=music_mar"), gives=lambda given: given["features"] == "music_mar"),
)


def wave(seconds: float = 2.2, level: float = 0.1, seed: int = 0) -> bytes:
    out = io.BytesIO()
    samples = level * np.random.default_rng(seed).normal(size=int(8000 * seconds))
    soundfile.write(out, samples, 8000, format="WAV", subtype="PCM_16")
    return out.getvalue()


MUSIC = {f"{genre}/{i}.wav": wave(seed=2 * k + i) for k, genre in enumerate(("jazz", "folk")) for i in range(2)}


def music(files: Mapping[str, bytes], **params: Any) -> Callable[[Path], Any]:
    """Recordings of a folder of genres, and the notes on those left out."""
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
    Case("genres: empty folder", music({})),
    Case("genres: one file", music(without("folk/0.wav"))),
    Case(
        "genres: shorter than a window of MAR",
        music({**MUSIC, "folk/0.wav": wave(1.0), "folk/1.wav": wave(1.0)}, features="music_mar"),
    ),
    Case("genres: silence", music({**MUSIC, "jazz/0.wav": wave(level=0.0)})),
    Case(
        "genres: a corrupt mp3 among good ones",
        music({**MUSIC, "jazz/bad.mp3": b"ID3" + bytes(range(256)) * 8}),
        gives=lambda found: len(found[0]) == 4 and "jazz/bad.mp3" in found[1],
    ),
    Case("genres: nothing but a text", music({"jazz/a.txt": b"x", "folk/a.txt": b"x"})),
    Case("genres: not there", music(MUSIC, genres=["jazz", "polka"])),
    Case("genres: unknown features", music(MUSIC, features="loud")),
)

CASES: tuple[Case, ...] = (*EEG, *PROCESSES, *FEATURES, *GENRES)
