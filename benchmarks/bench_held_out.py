"""Likelihood of new sequences: the defaults of ``kinseq.hmm.GaussianHMM`` and of hmmlearn, in nats a frame.

Each simulated set has parameters of its own; a real one is halves of the sequences of one class. The gap is hmmlearn's mean over
three seeds less ours of one seed: above 0, hmmlearn is better. ``--only`` names parts of the names of sets; real sets need
``KINSEQ_DATA``.
"""

from __future__ import annotations

import argparse
import logging
import os
import warnings
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from answers.sets import sets_named
from kinseq import KinseqError
from kinseq.core.arrays import FloatArray
from kinseq.core.seeds import stream
from kinseq.hmm import GaussianHMM
from timing import markdown, say, write_csv

STATES = (2, 8, 20)
KINDS = ("full", "diag", "tied", "spherical")
SEEDS = (0, 1, 2)
BEHIND = 0.05
"""Nats a frame; a smaller gap is none."""
MOST = 40
"""Sequences of a real class that are used."""
Sample = list[FloatArray]
SIMULATED = (
    # states, features, sequences, frames, probability to stay, spread of means, spread of shapes
    (5, 12, 30, 18, 0.8, 2.0, 0.4),
    (5, 12, 30, 18, 0.8, 2.0, 0.4),
    (3, 2, 20, 40, 0.9, 2.0, 0.4),
    (8, 6, 20, 50, 0.8, 1.5, 0.4),
    (2, 20, 15, 30, 0.9, 1.0, 0.3),
    (4, 3, 150, 60, 0.8, 2.0, 0.4),
    (10, 4, 10, 30, 0.7, 3.0, 0.3),
    (6, 8, 100, 50, 0.8, 1.0, 0.4),
)
REAL = {
    "japanese_vowels": (0, 3),
    "control_chart": (0, 1),
    "characters": (0, 3),
    "signs": (0,),
    "basic_motions": (0, 2),
    "pickup_gesture": (0,),
    "gun_point": (0,),
}
"""Sets, and which of their classes in sorted order."""


def drawn(number: int) -> tuple[Sample, Sample]:
    """Return sequences to fit and as many new ones of one simulated set."""
    states, d, n, frames, stay, spread, shapes = SIMULATED[number]
    random = stream(number, "held out")
    means = random.normal(scale=spread, size=(states, d))
    roots = random.normal(scale=shapes, size=(states, d, d)) + 0.5 * np.eye(d)

    def sequence() -> FloatArray:
        state, rows = int(random.integers(states)), []
        for _ in range(frames):
            state = state if random.random() < stay else int(random.integers(states))
            rows.append(means[state] + roots[state] @ random.normal(size=d))
        return np.array(rows)

    return [sequence() for _ in range(n)], [sequence() for _ in range(n)]


def sets() -> Iterator[tuple[str, Sample, Sample]]:
    """Name, sequences to fit and new ones of each set."""
    for number, (states, d, n, frames, *_) in enumerate(SIMULATED):
        yield f"{number + 1}: {states} states, {d} features, {n} × {frames}", *drawn(number)
    roots = [Path(os.environ["KINSEQ_DATA"])] if os.environ.get("KINSEQ_DATA") else []
    for name, classes in REAL.items():
        try:
            sequences = sets_named([name])[0].sequences(roots, 10**9)
        except (KinseqError, ImportError) as error:
            say(f"held_out: {name} left out, {error}")
            continue
        labels = np.asarray(sequences.labels)
        for number in classes:
            label = np.unique(labels)[number]
            rows = stream(number, "held out", name).permutation(np.flatnonzero(labels == label))[:MOST]
            chosen = [np.asarray(sequences[row]) for row in rows]
            yield f"{name}, class {label}", chosen[: len(chosen) // 2], chosen[len(chosen) // 2 :]


def held_out(model: Any, fitted: Sample, new: Sample) -> float:
    """Nats a frame of new sequences; NaN where the fit fails."""
    try:
        model.fit(np.concatenate(fitted), [len(x) for x in fitted])
        return float(model.score(np.concatenate(new), [len(x) for x in new]) / sum(map(len, new)))
    except ValueError:
        return float("nan")


def run(options: argparse.Namespace) -> str:
    """Return lines of the section."""
    if not find_spec("hmmlearn"):
        return ""
    from hmmlearn.hmm import GaussianHMM as Peer

    logging.getLogger("hmmlearn").setLevel(logging.CRITICAL)
    rows: list[dict[str, Any]] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, fitted, new in sets():
            if options.only and not any(part in name for part in options.only.split(",")):
                continue
            for k in STATES:
                for kind in KINDS:
                    model = GaussianHMM(k, kind, random_state=0)
                    ours = held_out(model, fitted, new)
                    theirs = [held_out(Peer(k, kind, random_state=seed), fitted, new) for seed in SEEDS]
                    # If hmmlearn fails with every seed, there is nothing to compare with.
                    mean = float(np.nanmean(theirs)) if np.isfinite(theirs).any() else float("nan")
                    row = {"set": name, "states": k, "covariances": kind, "hmmlearn": f"{mean:.2f}"}
                    row |= {"kinseq": f"{ours:.2f}", "gap": f"{mean - ours:.2f}", "prior": model.prior_}
                    rows.append(row)
            write_csv(options.out / "held_out.csv", rows)
            say(f"held_out: {name}")
    if not rows:
        return ""
    gaps = np.array([float(row["gap"]) for row in rows])
    worst = float(np.nanmax(gaps))
    count = f"More than {BEHIND} behind in {int((gaps > BEHIND).sum())} of {len(rows)} fits, at most {worst:.2f}."
    return "\n".join(["## Likelihood of new sequences, nats a frame", "", markdown(rows, list(rows[0])), "", count, ""])
