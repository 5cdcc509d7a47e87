"""Sets of many channels: three of the UEA archive next to those of the benchmark that have several, and who is good there.

Most sets of the benchmark have one channel. Those of many are compared by themselves, with the contenders that are strong on them.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path

import numpy as np
import pandas as pd

from kinseq import SequenceSet
from kinseq.core.errors import DataError
from kinseq.core.store import write_text
from kinseq.plotting.html import table

from . import full_archive
from .contenders import BESIDE, CONTENDERS
from .loading import MOTION, BenchSet, Load
from .running import Outcome

FOLDERS = ("own_number", "uea")
"""Folders among the data in which a set of the archive is looked for: ``NAME.npz``, or a folder of both parts."""
ALSO = ("basic_motions", "japanese_vowels", "signs", "characters")
"""Open sets of many channels."""
PEERS = ("kinseq", "dtaidistance", "multirocket", "catch24", "kasba", "medoids_msm")
"""Contenders that are compared: aeon's KASBA is its newest clusterer."""
OWN = BESIDE[0].name
FILE = "peers-channels.csv"


def _stored(name: str) -> Load:
    def load(roots: Sequence[Path]) -> SequenceSet:
        for place in (root / folder for root in roots for folder in FOLDERS):
            if (place / f"{name}.npz").is_file():
                with np.load(place / f"{name}.npz") as data:
                    arrays = np.split(data["values"].astype(np.float64), data["offsets"][1:-1])
                    return SequenceSet.from_arrays(arrays, labels=data["labels"], name=name, layout="channels_last")
            if (place / name).is_dir():
                return full_archive.loader_of(place / name)(roots)
        raise DataError(f"{name}: is not there; put {name}_TRAIN.ts and {name}_TEST.ts into <data folder>/uea/{name}/")

    return load


CHANNELS = tuple(
    BenchSet(name.lower(), title, MOTION, _stored(name), group="channels", source="UEA archive, no licence stated")
    for name, title in (
        ("ERing", "ERing, gestures by a ring on a finger"),
        ("RacketSports", "RacketSports, strokes of badminton and squash"),
        ("Libras", "Libras, movements of a hand in Brazilian sign language"),
    )
)
"""Sets of the archive with few sequences, of which the first 200 of a fixed draw are taken."""


def rows(outcomes: Sequence[Outcome]) -> pd.DataFrame:
    """Return one row per set of many channels: index and seconds of each contender, index and number of the default's own choice.

    Columns are ``set``, for each contender of :data:`PEERS` its title and the title with ``, CPU (s)``, then ``own number`` (of
    clusters), ``own number, ARI``, and ``true number``. A cell without clusters is NaN.
    """
    cells = {(entry.data, entry.contender): entry for entry in outcomes if entry.status == "ok"}
    titles = {entry.name: entry.title for entry in CONTENDERS}
    found = []
    for name in (*ALSO, *(entry.name for entry in CHANNELS)):
        if not any((name, peer) in cells for peer in PEERS):
            continue
        row: dict[str, object] = {"set": name}
        for peer in PEERS:
            outcome = cells.get((name, peer))
            row[titles[peer]] = np.nan if outcome is None else outcome.ari
            row[f"{titles[peer]}, CPU (s)"] = np.nan if outcome is None else outcome.cpu
        own, true = cells.get((name, OWN)), cells.get((name, PEERS[0]))
        row["own number"] = np.nan if own is None else own.n_clusters
        row["own number, ARI"] = np.nan if own is None else own.ari
        row["true number"] = np.nan if true is None else true.n_clusters
        found.append(row)
    return pd.DataFrame(found)


def section(outcomes: Sequence[Outcome], titles: dict[str, str]) -> list[str]:
    """Return the part of the page about them; nothing if none was run."""
    found = rows(outcomes)
    if found.empty:
        return []
    peers = [title for title in found.columns if f"{title}, CPU (s)" in found.columns]
    lines = []
    for row in found.to_dict("records"):
        cells = ["" if np.isnan(row[peer]) else f"{row[peer]:.2f} ({row[f'{peer}, CPU (s)']:.1f} s)" for peer in peers]
        own = "" if np.isnan(row["own number"]) else f"{row['own number, ARI']:.2f} ({row['own number']:.0f})"
        lines.append([escape(titles.get(row["set"], row["set"])), *cells, own])
    means = [f"<b>{found[peer].mean():.2f}</b>" for peer in peers]
    lines.append(["<b>mean</b>", *means, f"<b>{found['own number, ARI'].mean():.2f}</b>"])
    header = ["Set", *map(escape, peers), "default, its own number (clusters)"]
    return ["<h2>Sets of many channels</h2>", *table(header, lines, numeric=range(1, len(header)))]


def publish(outcomes: Sequence[Outcome], folder: Path) -> None:
    """Write ``peers-channels.csv``; sets that were not run stay as they are published."""
    file, found = folder / FILE, rows(outcomes)
    if found.empty:
        return
    if file.is_file():
        before = pd.read_csv(file)
        found = pd.concat([before[~before["set"].isin(found["set"])], found], ignore_index=True)
    write_text(file, found.to_csv(index=False, float_format="%.4g", lineterminator="\n"))
