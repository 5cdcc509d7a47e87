"""CPU time for each sequence and each pair, from which on-a-cluster.md reckons what very many sequences would take."""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import soundfile

import kinseq
from kinseq.features.extraction import audio_features, features_of_file
from timing import markdown, say, write_csv

LENGTH, DIMENSION, CLASSES = 100, 2, 4
OLD, NEW = 800, 200
"""Sequences that are clustered, and new ones that are assigned to their clusters."""
RATE, RECORDINGS = 16000, 40


def waves(n: int, seed: int) -> list[np.ndarray]:
    """Noisy waves of a few periods."""
    random = np.random.default_rng(seed)
    steps = np.arange(LENGTH)[:, None]
    return [
        np.sin(steps / (2 + 2 * (i % CLASSES)) + random.random(DIMENSION))
        + random.normal(scale=0.3, size=(LENGTH, DIMENSION))
        for i in range(n)
    ]


def analysed(measure: str, n: int, seed: int) -> Any:
    """Return an analysis without a choice of the number of clusters."""
    return kinseq.cluster(waves(n, seed), measure=measure, n_clusters=CLASSES, n_resamples=1)


def run(options: argparse.Namespace) -> str:
    """Time every step once, after a smaller call on other data, and return a table."""
    wanted = {name for name in options.only.split(",") if name}
    if wanted and "W7" not in wanted:
        return ""
    rows: list[dict[str, str]] = []

    def timed(step: str, unit: str, count: float, call: Callable[[], Any]) -> Any:
        say(f"rates: {step}")
        start = time.process_time()
        result = call()
        rows.append({"step": step, "unit": unit, "CPU ms": f"{1e3 * (time.process_time() - start) / count:.3g}"})
        return result

    with tempfile.TemporaryDirectory() as folder:
        recording = Path(folder) / "second.wav"
        soundfile.write(recording, np.random.default_rng(0).normal(scale=0.1, size=RATE), RATE)
        speech = audio_features("speech")
        features_of_file(recording, speech, RATE)
        timed(
            "features of speech",
            "second of audio",
            RECORDINGS,
            lambda: [features_of_file(recording, speech, RATE) for _ in range(RECORDINGS)],
        )
    for measure in ("ssd", "elastic", "fusion"):
        # Compiles. Uses other data, since fits are cached.
        analysed(measure, 20, seed=0).predict(waves(5, seed=1))
        analysis = timed(
            f"{measure}: analysis", "pair of sequences", OLD * (OLD - 1) / 2, lambda m=measure: analysed(m, OLD, seed=2)
        )
        new = waves(NEW, seed=3)
        timed(f"{measure}: assignment", "new sequence and old one", NEW * OLD, lambda f=analysis, x=new: f.predict(x))
    write_csv(options.out / "rates.csv", rows)
    return f"## Rates\n\n{OLD} sequences of length {LENGTH} with {DIMENSION} columns.\n\n" + markdown(
        rows, list(rows[0])
    )
