"""Which scale: recordings of words as they are, z-scored over the set, and each recording by itself.

Eight sets from the recordings of the workflow, labels are words or speakers; the default at the true number of clusters.
Without the recordings there is nothing to show.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Any

import numpy as np
import yaml

import kinseq
from answers.loading import CATALOGUE, catalogued
from kinseq import SequenceSet
from kinseq.core.errors import DataError
from kinseq.metrics import ari
from timing import markdown, say, write_csv

SCALES = {"as they are": "none", "z-scores over the set": "zscore", "z-scores over each sequence": "per_sequence"}
"""Names of the columns, and the setting."""
DIGITS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
WORDS = ["enable", "disable", "zoom_in", "zoom_out", "open", "close", "yes", "no"]
MORE = ["stop", "next", "previous", "move"]


def _arabic(label: str, **params: Any) -> tuple[str, dict[str, Any]]:
    # A speaker's recordings are ordered by take, then by word, so that all words occur equally often.
    return "arabic_speakers", {"label": label, "n_pairs": "none", **params}


def _english(words: list[str], per_word: int) -> tuple[str, dict[str, Any]]:
    params = {"words": words, "per_speaker": None, "per_word": per_word, "files": "*v0.02*"}
    return "english_words", {"label": "word", "n_pairs": "none", "trim": None, "features": "speech", **params}


SETS = {
    "ten digits of one speaker, 30 (Arabic)": _arabic("word", words=DIGITS, files="*00000001*", per_speaker=30),
    "ten digits of another speaker, 30 (Arabic)": _arabic("word", words=DIGITS, files="*00000002*", per_speaker=30),
    "6 words of 10 speakers, 60 (Arabic)": _arabic("word", words=WORDS[:6], speakers=10, per_speaker=6),
    "8 words of 10 speakers, 80 (Arabic)": _arabic("word", words=WORDS, speakers=10, per_speaker=8),
    "6 speakers, twelve words, 72 (Arabic)": _arabic("speaker", words=WORDS + MORE, speakers=6, per_speaker=12),
    "8 speakers, ten digits, 80 (Arabic)": _arabic("speaker", words=DIGITS, speakers=8, per_speaker=10),
    "5 words, 70 (English)": _english(["down", "go", "left", "no", "off"], 14),
    "6 words, 78 (English)": _english(["on", "right", "stop", "up", "yes", "down"], 13),
}
"""Entry of the catalogue, and what is taken of it."""


def roots() -> list[Path]:
    """Return folders that mirror data sets, in the order of the workflow."""
    config = yaml.safe_load((CATALOGUE.parent / "config.yaml").read_text(encoding="utf-8"))
    candidates = [os.environ.get("KINSEQ_DATA"), config.get("data_dir"), CATALOGUE.parents[1] / "data"]
    return [Path(folder) for folder in candidates if folder]


def row_of(words: str, sequences: SequenceSet) -> dict[str, Any]:
    """Return scores of one set at every scale."""
    assert sequences.labels is not None
    bare, n_clusters = SequenceSet.from_arrays(list(sequences)), int(np.unique(sequences.labels).size)
    scores = {
        column: float(ari(sequences.labels, kinseq.cluster(bare, n_clusters, scale=scale, n_resamples=1).labels))
        for column, scale in SCALES.items()
    }
    return {"recordings": words, "sequences": len(sequences), "classes": n_clusters} | scores


def differences(rows: list[dict[str, Any]]) -> list[str]:
    """Paired differences of the scales to the z-scores over the set, one sentence each."""
    first, middle, last = SCALES
    lines = []
    for one, other in ((middle, first), (last, middle)):
        gaps = np.array([row[one] - row[other] for row in rows])
        error = gaps.std(ddof=1) / np.sqrt(gaps.size) if gaps.size > 1 else np.nan
        lines.append(f"{one} less {other}: {gaps.mean():+.3f}, standard error {error:.3f}")
    return lines


def run(options: argparse.Namespace) -> str:
    """Return lines of the section."""
    if options.only and "scale" not in options.only.split(","):
        return ""
    rows = []
    for words, (entry, params) in SETS.items():
        try:
            sequences = catalogued(entry, **params)(roots())
        except DataError as error:
            say(f"scale: left out: {error}")
            continue
        say(f"scale: {words}")
        rows.append(row_of(words, sequences))
    if not rows:
        return ""
    write_csv(options.out / "scale.csv", rows)
    means: dict[str, Any] = {"recordings": "mean", "sequences": "", "classes": ""}
    means |= {column: np.mean([row[column] for row in rows]) for column in SCALES}
    cells = [{key: f"{value:.2f}" if key in SCALES else value for key, value in row.items()} for row in (*rows, means)]
    return "\n".join(["## Which scale", "", markdown(cells, list(cells[0])), "", *differences(rows), ""])
