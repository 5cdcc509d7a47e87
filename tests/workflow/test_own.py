"""A user's own folder through the workflow: the page, what reruns it, and mistakes answered in one sentence."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from kinseq.data.writers import write_folder
from kinseq.own.settings import WORDS
from kinseq.sequences import SequenceSet

from .project import Outcome, Project

FILES = {"index.html", "partition.csv", "distance.csv", "distance.npz", "settings.json"}
FILES |= {"heatmap.png", "map.png", "dendrogram.png"}


def make_data(folder: Path) -> Path:
    """A folder of CSV files with a blank and an accent in its name and theirs."""
    rng = np.random.default_rng(0)
    arrays = [rng.normal(3.0 * (i % 2), 1.0, size=(25, 2)) for i in range(12)]
    ids = [f"pièce {i}" for i in range(12)]
    write_folder(folder / "mes données", SequenceSet.from_arrays(arrays, ids=ids, labels=[i % 2 for i in range(12)]))
    return folder / "mes données"


def launch(project: Project, **words: str) -> Outcome:
    """What ``make cluster`` calls."""
    given = [f"--set={word}={value}" for word, value in words.items()]
    done = subprocess.run(
        [sys.executable, "workflow/launch.py", "--cores", "2", "--own", *given],
        cwd=project.folder,
        env=project.environment(),
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    return Outcome(done.returncode, done.stdout + done.stderr)


def left(project: Project, name: str) -> set[str]:
    folder = project.folder / "results/own" / name
    return {path.name for path in folder.iterdir() if not path.name.startswith(".")} if folder.exists() else set()


def test_a_folder_in_and_a_page_out(fresh: Project) -> None:
    data = make_data(fresh.folder)
    outcome = launch(fresh, DATA="mes données", K="2", MEASURE="ssd,dtw")
    assert outcome.status == 0, outcome.text[-3000:]
    assert "done: open results/own/mes_données/index.html" in outcome.text
    assert left(fresh, "mes_données") == FILES
    page = fresh.result("own/mes_données/index.html").decode()
    assert "make cluster DATA=&#x27;mes données&#x27; K=2 MEASURE=ssd,dtw NAME=" in page
    assert "ETA" in outcome.text or "iteration" in outcome.text

    # A second call does nothing; a file that changed, or another number of clusters, makes it anew.
    before = fresh.folder.joinpath("results/own/mes_données/index.html").stat().st_mtime_ns
    settings = "results/own/mes_données/settings.json"
    assert launch(fresh, DATA="mes données", K="2", MEASURE="ssd,dtw").status == 0
    assert fresh.folder.joinpath("results/own/mes_données/index.html").stat().st_mtime_ns == before
    # What the page calls the settings is a configuration that snakemake takes.
    kept = fresh.folder / "kept.json"
    kept.write_bytes(fresh.folder.joinpath(settings).read_bytes())
    assert not fresh.pending("own", "--configfile", str(kept))
    changed = json.loads(kept.read_text(encoding="utf-8"))
    changed["own"]["k"] = 3
    (fresh.folder / "other.json").write_text(json.dumps(changed), encoding="utf-8")
    assert len(fresh.pending("own", "--configfile", "other.json")) == len(FILES)
    table = data / "pièce 3.csv"
    table.write_text("\n".join(table.read_text(encoding="utf-8").splitlines()[:-1]) + "\n", encoding="utf-8")
    assert len(fresh.pending("own", "--configfile", str(kept))) == len(FILES)


@pytest.mark.parametrize(
    "arguments, sentence",
    [
        ({"DATA": ""}, "name the data: make cluster DATA="),
        ({"DATA": "nowhere"}, "nowhere: no such file or folder"),
        ({"DATA": "mes données", "K": "two"}, "K is 'two', expected a whole number"),
        ({"DATA": "mes données", "NAME": "../up"}, "NAME '../up' may hold letters"),
        ({"DATA": "mes données", "NAME": "vowels"}, "NAME 'vowels' is that of the example"),
        ({"DATA": "mes données", "K": "13"}, "n_clusters is 13 but there are only 12"),
        ({"DATA": "mes données", "MEASURE": "sdd"}, "did you mean 'ssd'"),
        ({"DATA": "mes données", "KIND": "pictures"}, "own.kind: unknown value 'pictures'; valid names: audio"),
        ({"DATA": "mes données", "STATES": "0"}, "STATES is '0', expected a whole number"),
        ({"DATA": "mes données", "LABELS": "truth.csv"}, "truth.csv"),
        ({"DATA": "mes données", "COLOUR": "red"}, "'COLOUR' is not known; valid words: DATA, K"),
        ({"DATA": "empty"}, "holds nothing that can be read"),
        ({"DATA": "mixed"}, "kinds cannot be mixed"),
    ],
)
def test_mistakes_are_answered_in_one_sentence(fresh: Project, arguments: dict[str, str], sentence: str) -> None:
    make_data(fresh.folder)
    (fresh.folder / "empty").mkdir()
    (fresh.folder / "mixed").mkdir()
    for name in ("a.csv", "b.npz"):
        (fresh.folder / "mixed" / name).write_text("1,2\n3,4\n")
    outcome = launch(fresh, **arguments)
    assert outcome.status != 0
    errors = [line for line in outcome.text.splitlines() if line.startswith("error: ")]
    assert len(errors) == 1, outcome.text[-1500:]
    assert sentence in errors[0]
    assert "Traceback" not in outcome.text
    assert not any(left(fresh, path.name) & FILES for path in (fresh.folder / "results/own").glob("*"))


def test_words_of_the_command_line_are_those_of_the_makefile(fresh: Project) -> None:
    make = (Path(__file__).parents[2] / "Makefile").read_text(encoding="utf-8")
    listed = next(line for line in make.splitlines() if line.startswith("WORDS := "))
    assert listed.split()[2:] == list(WORDS.values())


def test_a_folder_of_several_kinds_and_labels_of_another_name(fresh: Project) -> None:
    data = make_data(fresh.folder)
    (data / "note.npz").write_bytes(b"not a sequence")
    (data / "labels.csv").rename(data / "truth.csv")
    outcome = launch(
        fresh, DATA="mes données", KIND="table", LABELS="truth.csv", K="2", STATES="2", MEASURE="ssd", NAME="it"
    )
    assert outcome.status == 0, outcome.text[-3000:]
    page = fresh.result("own/it/index.html").decode()
    assert "LABELS=truth.csv KIND=table STATES=2" in page
    assert "adjusted Rand index" in page


def test_wrong_settings_are_told_before_anything_runs(fresh: Project) -> None:
    for own, sentence in (
        ({"data": "nowhere", "name": "a"}, "no such file or folder"),
        ({"data": "config"}, "name"),
        ({"data": "config", "name": "vowels"}, "is the name of the example"),
        ({"data": "config", "name": "a", "clusters": 3}, "clusters"),
    ):
        (fresh.folder / "own.json").write_text(json.dumps({"own": own}), encoding="utf-8")
        outcome = fresh.snakemake("own", "--configfile", "own.json", "--quiet", "rules")
        assert outcome.status != 0
        assert sentence in outcome.text
