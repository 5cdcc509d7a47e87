"""Whether an answer hangs on digits and seeds: a sample of the sets, each clustered again after seven changes.

The frames get noise of a millionth of the spread of their column, or are rounded to a thousandth of it, and five other seeds draw
the data without groups. No change is one that a person would see in the data.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

import kinseq
from kinseq import SequenceSet
from kinseq.core.seeds import stream
from kinseq.core.sequences import as_sequence_set

from .grid import Case, cases
from .planted import Planted

NOISE, STEP = 1e-6, 1e-3
"""Deviation of the noise, and step of the rounding, in units of the spread of each column."""
SEEDS = (1, 2, 3, 4, 5)
"""Other values of `random_state` than 0."""
MOST = 60
"""Largest number of sequences of a set."""
SETS = 600
"""Number of sets of the whole report."""
BORDERLINE = "borderline"


def sampled(count: int, draw: int = 0, only: Sequence[str] = ()) -> list[Case]:
    """Return `count` sets of the grid of at most :data:`MOST` sequences, in the order in which a seed draws them."""
    small = [placed.case for placed in cases(draw, only) if placed.case.n <= MOST]
    return [small[i] for i in stream(draw, "laboratory", "changes").permutation(len(small))[:count]]


def changed(sequences: SequenceSet) -> Iterator[tuple[str, SequenceSet, int]]:
    """Yield the name of each change, the sequences after it, and the seed."""
    spread = sequences.values.std(axis=0)
    noise = stream(0, "laboratory", "noise").normal(size=sequences.values.shape)
    yield "noise", sequences.with_frames(sequences.values + NOISE * spread * noise), 0
    step = np.where(spread > 0.0, STEP * spread, 1.0)
    rounded = np.where(spread > 0.0, np.round(sequences.values / step) * step, sequences.values)
    yield "rounding", sequences.with_frames(rounded), 0
    for seed in SEEDS:
        yield f"seed {seed}", sequences, seed


def answers_after_changes(planted: Planted) -> dict[str, Any]:
    """Return number of groups and degree of a set as it is, and after each change."""

    def answered(sequences: SequenceSet, seed: int) -> dict[str, Any]:
        found = kinseq.cluster(sequences, random_state=seed, progress=False)
        return {"number": found.n_clusters, "degree": found.degree}

    sequences = as_sequence_set(planted.sequences)
    after = {name: answered(other, seed) for name, other, seed in changed(sequences)}
    return {"as it is": answered(sequences, 0), "after": after}


def rates(records: Iterable[Mapping[str, Any]]) -> pd.DataFrame:
    """Return, for each change, the shares of sets with the same number and the same degree; sets that failed count as changed.

    The last row is of all changes together: sets in which none changed the number, or the degree, and the share of sets that are
    borderline as they are.
    """
    known = [record for record in records if record["part"] == "changes"]
    done = [record for record in known if "after" in record]
    names = list(done[0]["after"]) if done else []
    rows: list[dict[str, Any]] = []
    same = {
        what: np.array(
            [[one["after"][name][what] == one["as it is"][what] for name in names] for one in done], dtype=bool
        )
        for what in ("number", "degree")
    }
    for place, name in enumerate(names):
        shares = {what: same[what][:, place].sum() / len(known) for what in same}
        rows.append({"change": name, "sets": len(known), **shares})
    if done:
        every = {what: same[what].all(axis=1).sum() / len(known) for what in same}
        borderline = float(np.mean([one["as it is"]["degree"] == BORDERLINE for one in done]))
        rows.append({"change": "all seven", "sets": len(known), **every, BORDERLINE: borderline})
    return pd.DataFrame(rows)
