"""Data without clusters: how often the default finds more than one.

Sequences of one model, for which a promise of one in twenty is made, the larger sets once more with sequences of one length,
and continua, for which no promise is made. ``--only bump,walk`` takes some kinds of data, ``--only one_length`` sequences of one
length; ``--quick`` draws four sets of each kind and size in place of twenty. About 10 minutes.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy.signal import lfilter
from scipy.stats import binomtest

import kinseq
from kinseq.analysis.diagnostics import CHECKS
from kinseq.core.seeds import stream
from kinseq.metrics.internal import LEVEL, share_between
from timing import markdown, say, write_csv

SIZES = (25, 60)
"""Sequences of a set."""
DRAWS, QUICK = 20, 4
"""Sets of each kind and size."""
LESS = 5
"""Sets of continua, of which hardly any is left whole."""
FRAMES, SAME = (60, 120), (90, 91)
"""Least number of frames, and the first that is too many; also of sequences of one length."""

Rng = np.random.Generator


def white(frames: int, rng: Rng) -> np.ndarray:
    """Normal noise of two columns."""
    return rng.normal(size=(frames, 2))


def heavy(frames: int, rng: Rng) -> np.ndarray:
    """Noise of two columns after Student's t of 2.5 degrees of freedom: some frames are far out."""
    return rng.standard_t(2.5, size=(frames, 2))


def autoregressive(frames: int, rng: Rng, warm_up: int = 50) -> np.ndarray:
    """Return a process of first order that remembers .8 of the frame before."""
    return np.asarray(lfilter([1.0], [1.0, -0.8], rng.normal(size=frames + warm_up)))[warm_up:, None]


def hmm(frames: int, rng: Rng) -> np.ndarray:
    """Two states three deviations apart, left with probability .1 at each frame; the first is that before the first frame."""
    states = np.cumsum(rng.random(frames) < 0.1) % 2
    return rng.normal(3.0 * states)[:, None]


def bump(frames: int, rng: Rng) -> np.ndarray:
    """Return one bell of random place and width in little noise."""
    centre, width = rng.uniform(0.2, 0.8) * frames, rng.uniform(0.03, 0.12) * frames
    bell = np.exp(-0.5 * ((np.arange(frames) - centre) / width) ** 2)
    return (bell + 0.1 * rng.normal(size=frames))[:, None]


def levels(frames: int, rng: Rng) -> np.ndarray:
    """White noise whose level and logarithm of spread are normal over sequences."""
    level, spread = rng.normal(), np.exp(0.5 * rng.normal())
    return (level + spread * rng.normal(size=frames))[:, None]


def walk(frames: int, rng: Rng) -> np.ndarray:
    """Return a random walk."""
    return np.cumsum(rng.normal(size=frames))[:, None]


def sine(frames: int, rng: Rng) -> np.ndarray:
    """Return a sine of random frequency and phase in little noise."""
    phase = rng.uniform(0.02, 0.15) * np.arange(frames) + rng.uniform()
    return (np.sin(2 * np.pi * phase) + 0.1 * rng.normal(size=frames))[:, None]


Maker = Callable[[int, Rng], np.ndarray]


class Group(NamedTuple):
    """Kinds of data that are counted together: the name that takes them all, sizes of sets, lengths, and sets of each."""

    name: str
    kinds: tuple[Maker, ...]
    sizes: tuple[int, ...]
    frames: tuple[int, int]
    draws: int


ONE_MODEL: tuple[Maker, ...] = (white, heavy, autoregressive, hmm, bump)
GROUPS = {
    "one model": Group("one_model", ONE_MODEL, SIZES, FRAMES, DRAWS),
    "one model, 90 frames": Group("one_length", ONE_MODEL, SIZES[-1:], SAME, DRAWS // 2),
    "a continuum": Group("continua", (levels, walk, sine), SIZES, FRAMES, LESS),
}


def draw_set(make: Maker, n_sequences: int, draw: int, frames: tuple[int, int] = FRAMES) -> list[np.ndarray]:
    """Return one set; sequences differ in length as much as `frames` lets them."""
    rng = stream(draw, "bench", "unclustered", make.__name__, n_sequences)
    return [make(int(rng.integers(*frames)), rng) for _ in range(n_sequences)]


def row_of(make: Maker, n_sequences: int, draw: int, group: str) -> dict[str, Any]:
    """Return what the default finds in a set of a group."""
    start = time.process_time()
    sequences = draw_set(make, n_sequences, draw, GROUPS[group].frames)
    analysis = kinseq.cluster(sequences, n_resamples=1)
    return {
        "kind": make.__name__,
        "group": group,
        "sequences": n_sequences,
        "draw": draw,
        "clusters": analysis.n_clusters,
        "p": analysis.numbers.p_value,
        "lengths": round(share_between([len(frames) for frames in sequences], analysis.labels), 3),
        "no gaps": bool(CHECKS["continuous"](analysis)),
        "by length": bool(CHECKS["by length"](analysis)),
        "CPU (s)": round(time.process_time() - start, 1),
    }


def counted(words: str, rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return how often more than one cluster was found, with the exact 95 % interval of that chance (Clopper and Pearson)."""
    cut = [row for row in rows if row["clusters"] > 1]
    test = binomtest(len(cut), len(rows), LEVEL, alternative="greater")
    low, high = binomtest(len(cut), len(rows)).proportion_ci(method="exact")
    return {
        "data": words,
        "cut": f"{len(cut)} of {len(rows)}",
        "95 % interval": f"{low:.3f} to {high:.3f}",
        f"p, if {LEVEL:g}": f"{test.pvalue:.3f}",
        "of lengths, between clusters": f"{np.mean([row['lengths'] for row in cut]):.2f}" if cut else "",
        "warned: lengths": f"{sum(row['by length'] for row in cut)} of {len(cut)}",
        "no gaps": f"{sum(row['no gaps'] for row in cut)} of {len(cut)}",
        "either": f"{sum(row['by length'] or row['no gaps'] for row in cut)} of {len(cut)}",
    }


def summed(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return counts over all sets of each group, of each size, and of each kind."""
    lines = []
    for words in GROUPS:
        some = [row for row in rows if row["group"] == words]
        parts = {words: some}
        for column in ("sequences", "kind"):
            for value in dict.fromkeys(row[column] for row in some):
                parts[f"{words}, {value}"] = [row for row in some if row[column] == value]
        lines += [counted(name, part) for name, part in parts.items() if part]
    return lines


def run(options: argparse.Namespace) -> str:
    """Return lines of the section; one row per set goes to the folder of the tables."""
    wanted = {name for name in options.only.split(",") if name}
    rows: list[dict[str, Any]] = []
    for words, group in GROUPS.items():
        for make in group.kinds:
            if wanted and group.name not in wanted and make.__name__ not in wanted:
                continue
            for n_sequences in group.sizes:
                for draw in range(min(group.draws, QUICK) if options.quick else group.draws):
                    rows.append(row_of(make, n_sequences, draw, words))
                say(f"unclustered: {words}, {make.__name__}, {n_sequences} sequences")
    if not rows:
        return ""
    write_csv(options.out / "unclustered.csv", rows)
    lines = summed(rows)
    return "\n".join(["## Data without clusters", "", markdown(lines, list(lines[0])), ""])
