"""Sets of many channels: where they are looked for, and their table."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from answers import channels
from answers.running import Outcome
from kinseq.core.errors import DataError
from tests.sentences import Recorded


def test_a_set_is_read_from_either_place_and_refused_with_where_to_put_it(tmp_path: Path, recorded: Recorded) -> None:
    ering = next(entry for entry in channels.CHANNELS if entry.name == "ering")
    with recorded.raises(DataError):
        ering.sequences([tmp_path])
    (tmp_path / "own_number").mkdir()
    values = np.arange(24, dtype=np.float32).reshape(12, 2)
    np.savez(tmp_path / "own_number" / "ERing.npz", values=values, offsets=[0, 5, 12], labels=["1", "2"])
    read = ering.sequences([tmp_path])
    assert [len(frames) for frames in read] == [5, 7]
    assert np.array_equal(read[1], values[5:])


def outcome(data: str, contender: str, ari: float, n_clusters: int = 6) -> Outcome:
    return Outcome(contender, data, "ok", ari=ari, nmi=ari, cpu=2.0, n_clusters=n_clusters)


def test_the_table_has_sets_of_many_channels_alone_and_keeps_what_was_not_run(tmp_path: Path) -> None:
    first = [
        outcome("ering", "kinseq", 0.7),
        outcome("ering", channels.OWN, 0.6, 4),
        outcome("ering", "multirocket", 0.8),
        outcome("digits", "kinseq", 0.5),
    ]
    channels.publish(first, tmp_path)
    channels.publish([outcome("libras", "kinseq", 0.4, 15)], tmp_path)
    table = pd.read_csv(tmp_path / channels.FILE).set_index("set")
    assert table.index.tolist() == ["ering", "libras"]
    row = table.loc["ering"]
    assert (row["kinseq, default"], row["MultiRocket, k-means"]) == (0.7, 0.8)
    assert (row["own number"], row["own number, ARI"], row["true number"]) == (4, 0.6, 6)
    assert np.isnan(table.loc["libras", "own number"])
    page = "\n".join(channels.section(first, {"ering": "The ring"}))
    assert "The ring" in page
    assert "0.80 (2.0 s)" in page
    assert "digits" not in page
    assert channels.section([outcome("digits", "kinseq", 0.5)], {}) == []
