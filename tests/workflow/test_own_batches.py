"""A user's large folder through the workflow: read in batches, taken up where it was left, and the same to the last byte."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from kinseq.core.sequences import SequenceSet
from kinseq_app.request import FILES
from kinseq_app.writers import write_folder

from .project import Project

WANTED = ("own", "--configfile", "own.json")
BATCHES = 2


def make(project: Project, **settings: object) -> Path:
    """Series of two kinds, and a request to cluster them."""
    rng = np.random.default_rng(0)
    arrays = [rng.normal(3.0 * (i % 2), 1.0, size=(12, 1)) for i in range(24)]
    write_folder(project.folder / "waves", SequenceSet.from_arrays(arrays, ids=[f"w{i}" for i in range(24)]))
    make_request(project, **settings)
    return project.folder / "waves"


def make_request(project: Project, **settings: object) -> None:
    """The key of the configuration."""
    own = {"data": "waves", "name": "it", "k": 2, "n_resamples": 2, "sample": 12, "measure": "dtw", **settings}
    (project.folder / "own.json").write_text(json.dumps({"own": own}), encoding="utf-8")


def parts(pending: list[str]) -> list[str]:
    return [path.split("/.parts/")[1] for path in pending if "/.parts/" in path]


def test_batches_are_taken_up_and_give_what_one_job_gives(fresh: Project) -> None:
    data, home = make(fresh, batches=1), fresh.folder / "results/own/it"
    fresh.run(*WANTED)
    assert {path.name for path in home.iterdir() if path.is_file()} == set(FILES)
    home.rename(fresh.folder / "one")

    # A run that ends when one batch is read; another takes it up.
    make_request(fresh, batches=BATCHES)
    first = "results/own/it/.parts/read/0.pkl"
    fresh.run(first, *WANTED[1:])
    read = (fresh.folder / first).stat().st_mtime_ns
    said = fresh.run(*WANTED).text
    assert (fresh.folder / first).stat().st_mtime_ns == read
    assert f"{BATCHES} batches, read and assigned in jobs of their own; BATCHES=1 does all in one job" in (
        fresh.folder / "results/logs/own/it_files.log"
    ).read_text(encoding="utf-8")
    assert "Batch 1 of the files of it" in said
    for name in FILES:
        assert (home / name).read_bytes() == (fresh.folder / "one" / name).read_bytes(), name
    assert not fresh.pending(*WANTED)

    # A file that was changed: its batch alone is opened again, and all that follows is made anew.
    inodes = {file: (home / ".parts" / file).stat().st_ino for file in ("read/0.pkl", "read/1.pkl")}
    path = data / "w3.csv"
    path.write_text("\n".join(path.read_text(encoding="utf-8").splitlines()[:-1]) + "\n", encoding="utf-8")
    assert {"infos.pkl", "sample.pkl", "clusters.pkl", "assigned/0.pkl"} <= set(parts(fresh.pending(*WANTED)))
    fresh.run(*WANTED)
    assert sum((home / ".parts" / file).stat().st_ino != inode for file, inode in inodes.items()) == 1


def test_mistakes_of_large_data_are_told_as_those_of_small(fresh: Project) -> None:
    data = make(fresh, batches=3, on_bad_file="refuse")
    (data / "words.csv").write_text("x\nhigh\nlow\n", encoding="utf-8")
    outcome = fresh.snakemake(*WANTED)
    assert outcome.status != 0
    told = {line for line in outcome.text.splitlines() if line.startswith("error: ")}
    assert told == {
        "error: waves/words.csv: line 2, column 'x' holds 'high', which is no number; correct the cell or remove the column"
    }
    assert not any((fresh.folder / "results/own/it" / name).exists() for name in FILES)
