"""Bad input to the readers of spoken words and of sets from two Gaussians, and to what is computed of spheres."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import soundfile

from kinseq import measures
from kinseq_documents.data import gaussian_sets, spoken_words
from kinseq_documents.drawings import registry as drawings

from .table import Case

RATE = 16000


def sound(seed: int = 0, rate: int = RATE, level: float = 0.1, seconds: float = 0.3) -> bytes:
    stream = io.BytesIO()
    signal = level * np.random.default_rng(seed).normal(size=int(seconds * rate))
    soundfile.write(stream, signal, rate, format="WAV", subtype="PCM_16")
    return stream.getvalue()


GOOD = {f"{word}/{speaker}_NO_01.wav": sound(k) for k, (word, speaker) in enumerate((w, s) for w in "ab" for s in "xy")}


def put(folder: Path, files: Mapping[str, bytes]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder


def words(files: Mapping[str, bytes] | None = None, **params: Any) -> Callable[[Path], Any]:
    full = spoken_words.LOADERS[0].with_defaults(params)
    return lambda folder: spoken_words.load(put(folder, GOOD if files is None else files), **full)


def pairs(n_pairs: Any, **params: Any) -> Callable[[Path], Any]:
    return lambda folder: spoken_words.tasks(words(**params)(folder), 0, n_pairs=n_pairs)


def archive(members: Mapping[str, bytes], cut: int | None = None, spoilt: bool = False) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as made:
        for name, content in members.items():
            made.writestr(name, content)
    content = stream.getvalue()
    if spoilt:
        middle = len(content) // 3
        content = content[:middle] + bytes(64) + content[middle + 64 :]
    return content[:cut]


def sets(**params: Any) -> Callable[[Path], Any]:
    full = gaussian_sets.LOADERS[0].with_defaults(params)
    return lambda _: gaussian_sets.draw(0, **full)


def growth(**params: Any) -> Callable[[Path], Any]:
    given = [np.arange(6.0).reshape(3, 2), np.arange(6.0).reshape(3, 2) + 1.0]
    return lambda _: measures.compute("sphere_growth", given, **params)


def circle(**params: Any) -> Callable[[Path], Any]:
    drawing = drawings.get("common_sphere")
    return lambda _: drawing.arrays(0, drawing.completed(params))


def steps(**params: Any) -> Callable[[Path], Any]:
    drawing = drawings.get("packing_steps")
    return lambda _: drawing.arrays(0, drawing.completed(params))


ONE = {"a/x_NO_01.wav": sound()}

CASES: tuple[Case, ...] = (
    Case("words: more of each word than there are", words(per_word=3)),
    Case("words: no recording of each word", words(per_word=0)),
    Case("words: alike is one list", words(alike=["a", "b"], label="word")),
    Case("words: alike names a word twice", words(alike=[["a", "b"], ["a"]], label="word")),
    Case("words: alike is unknown", words(alike=[["a", "c"]], label="word")),
    Case("words: no file of that pattern", lambda folder: spoken_words.recordings(put(folder, GOOD), "*.ogg")),
    Case("features: kind of several that is unknown", words(features={"recipe": "several", "kinds": ["mfcc", "fft"]})),
    Case("features: several of none", words(features={"recipe": "several", "kinds": []})),
    Case("features: order is a word", words(features={"recipe": "lpc", "order": "high"})),
    Case("features: order above the number of bands", words(features={"recipe": "plp", "order": 40})),
    Case("features: window of no length", words(features={"recipe": "plp", "window_seconds": 0})),
    Case("words: nothing there", words({"README.md": b"words"})),
    Case("words: name without a take", words({**ONE, "a/y.wav": sound()})),
    Case("words: two namings", words({**ONE, "a/y_nohash_1.wav": sound()})),
    Case("words: twice", words({**ONE, "more/a/x_NO_01.flac": sound()})),
    Case("words: unpacked beside the archive", words({**ONE, "all.zip": archive({"a/x_NO_01.wav": sound()})})),
    Case("words: archive cut short", words({"all.zip": archive(ONE, cut=900)})),
    Case("words: archive spoilt", words({"all.zip": archive(ONE, spoilt=True)})),
    Case("words: no archive at all", words({"all.tar.xz": b"<html>"})),
    Case(
        "words: name that leads out of the archive",
        words({"all.zip": archive({"../../a/x_NO_01.wav": sound()})}),
        gives=lambda found: len(found) == 1,
    ),
    Case("words: no audio in the file", words({**ONE, "a/y_NO_01.wav": b"x" * 99})),
    Case("words: no audio in the archive", words({"all.zip": archive({"a/y_NO_01.wav": b"x" * 99})})),
    Case("words: silence", words({**ONE, "a/y_NO_01.wav": sound(level=0.0)})),
    Case("words: shorter than a frame", words({"a/y_NO_01.wav": sound(seconds=0.01)})),
    Case("words: two rates", words({**ONE, "a/y_NO_01.wav": sound(rate=8000)})),
    Case(
        "words: noise is no word",
        words({**GOOD, "_background_noise_/rain.wav": sound()}),
        gives=lambda found: len(found) == 4,
    ),
    Case("words: unknown word", words(words=["c"])),
    Case("words: words as text", words(words="ab")),
    Case("words: no word", words(words=[])),
    Case("words: more speakers than there are", words(speakers=3)),
    Case("words: no speakers", words(speakers=0)),
    Case("words: more recordings than there are", words(per_speaker=3)),
    Case("words: half a recording", words(per_speaker=1.5)),
    Case("words: runs that do not fit", words(per_speaker=1, join=2)),
    Case("words: joined words as classes", words(join=2, label="word")),
    Case("words: unknown label", words(label="words")),
    Case("words: unknown features", words(features="mfcc")),
    Case("words: trim below nothing", words(trim=-3.0)),
    Case("words: more pairs than there are", pairs(2)),
    Case("words: no pairs", pairs(0)),
    Case("words: one speaker makes no pair", pairs("all", speakers=1)),
    Case("two Gaussians: none", sets(per_class=0)),
    Case("two Gaussians: sizes that fall", sets(sizes=[9, 3])),
    Case("two Gaussians: one size", sets(sizes=[9])),
    Case("two Gaussians: sizes of nothing", sets(sizes=[0, 3])),
    Case("two Gaussians: sizes that are a number", sets(sizes=9)),
    Case("two Gaussians: alike", sets(scale=1.0)),
    Case("two Gaussians: no spread", sets(scale=0)),
    Case("two Gaussians: scale that is no number", sets(scale=float("nan"))),
    Case("two Gaussians: unknown spread", sets(spread="sd")),
    Case("two Gaussians: unknown place", sets(place="add")),
    Case("two Gaussians: percent for a share", sets(outliers=10)),
    Case("two Gaussians: nothing but outliers", sets(outliers=0.99, sizes=[5, 9])),
    Case("spheres: unions below none", growth(n_unions=-1)),
    Case("spheres: width 0", growth(sigma=0.0)),
    Case("spheres: C above 1", growth(C=2.0)),
    Case("spheres: C and nu", growth(nu=0.1)),
    Case("circles: three", circle(radii=[1, 2, 3])),
    Case("circles: radius below 0", circle(radii=[1, -2])),
    Case("packing: one set a cluster", steps(per_cluster=1)),
    Case("packing: more clusters than sets", steps(n_clusters=9)),
)
