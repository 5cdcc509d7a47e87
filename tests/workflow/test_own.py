"""A user's own folder through the workflow: the page, what reruns it, and mistakes answered in one sentence."""

from __future__ import annotations

import html
import json
import os
import re
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from kinseq.cli.request import FILES, from_words, repeating
from kinseq.comparing import request
from kinseq.core.sequences import SequenceSet
from kinseq.options import WORDS
from kinseq.readers.writers import write_folder

from .project import ROOT, Outcome, Project


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
    assert left(fresh, "mes_données") == set(FILES)
    page = fresh.result("own/mes_données/index.html").decode()
    assert "make cluster DATA='mes données' K=2 MEASURE=ssd,dtw NAME=" in html.unescape(page)
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
        ({"DATA": "mes données", "KIND": "pictures"}, "unknown KIND 'pictures'; valid names: audio"),
        ({"DATA": "mes données", "STATES": "0"}, "STATES is '0', expected a whole number"),
        ({"DATA": "mes données", "LABELS": "truth.csv"}, "truth.csv"),
        (
            {"DATA": "mes données", "COLOUR": "red"},
            "unknown word 'COLOUR'; valid names: CLUSTERER, DATA, FEATURES, K",
        ),
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
    assert not any(left(fresh, path.name) & set(FILES) for path in (fresh.folder / "results/own").glob("*"))


@pytest.mark.parametrize("goal, words", [("cluster", WORDS), ("compare", request.WORDS)])
def test_make_hands_on_every_word_of_its_command_line_and_no_other(goal: str, words: dict[str, str]) -> None:
    named = [*words.values(), "NO_SUCH_WORD"]
    done = subprocess.run(
        ["make", "--dry-run", goal, *(f"{word}=a value" for word in named), "CORES=1"],
        cwd=Path(__file__).parents[2],
        env={**os.environ, "OTHER": "x", "SAMPLE_RATE": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    command = done.stdout.splitlines()[-1]
    assert sorted(re.findall(r"--set (\w+)=", command)) == sorted(named)
    assert "--cores 1" in command


def test_two_samples_in_and_an_answer_out(fresh: Project) -> None:
    data = make_data(fresh.folder)
    copy = fresh.folder / "others"
    copy.mkdir()
    for number in range(0, 12, 2):
        (data / f"pièce {number}.csv").rename(copy / f"{number}.csv")
    (data / "labels.csv").unlink(missing_ok=True)
    call = [sys.executable, "workflow/launch.py", "--compare", "--set", "A=mes données", "--set", "B=others"]
    for wrong, sentence in ((["--set", "K=2"], "unknown word 'K'"), ([], "")):
        done = subprocess.run(
            [*call, *wrong],
            cwd=fresh.folder,
            env=fresh.environment(),
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
        assert (done.returncode == 0) == (not sentence), done.stderr[-2000:]
        assert f"error: {sentence}" in done.stderr or not sentence
        assert "Traceback" not in done.stderr
    assert "done: open results/compare/mes_données-others/index.html" in done.stdout
    text = fresh.result("compare/mes_données-others/comparison.txt").decode()
    assert "The samples differ" in text
    assert "make compare A='mes données' B=others" in text


VALUES = [
    "a$b",
    "a$$b",
    "$(b",
    "${HOME}",
    "$(shell touch made)",
    "a#b",
    "a\\#b",
    "it's",
    'a "b"',
    "a b",
    "a\nb",
    "é%$<@*",
    "a\\",
    "`id`",
    "a=b",
]


@pytest.fixture(scope="module")
def makefile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder where make calls a program that tells with which arguments it was called."""
    folder = tmp_path_factory.mktemp("make")
    shutil.copy(ROOT / "Makefile", folder)
    (folder / "bin").mkdir()
    (folder / ".venv").mkdir()
    (folder / ".venv/bin").symlink_to(folder / "bin")
    (folder / ".venv/.installed").touch()
    tell = f"#!{sys.executable}\nimport json, sys\nprint(json.dumps(sys.argv[1:]))\n"
    (folder / "bin/python").write_text(tell, encoding="utf-8")
    (folder / "bin/python").chmod(0o755)
    return folder


def words_of(makefile: Path, *command: str, shell: str | None = None) -> list[str]:
    """Words that reach the launcher from a call of make."""
    given = (
        shell.replace("make ", "make -o .venv/.installed ", 1)
        if shell
        else ["make", "-o", ".venv/.installed", *command]
    )
    environment = {**os.environ, "K": "9", "NAME": "somebody", "MAKEFLAGS": ""}
    done = subprocess.run(
        given, shell=shell is not None, cwd=makefile, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    said: list[str] = json.loads(done.stdout)
    return [after for word, after in pairwise(said) if word == "--set"]


@pytest.mark.parametrize("value", VALUES)
def test_make_hands_words_on_as_they_were_given(makefile: Path, value: str) -> None:
    assert set(words_of(makefile, "cluster", f"DATA={value}", "K=3")) == {f"DATA={value}", "K=3"}
    assert set(words_of(makefile, "compare", f"A={value}", f"B=x{value}")) == {f"A={value}", f"B=x{value}"}
    assert not (makefile / "made").exists()


@pytest.mark.parametrize("value", [*VALUES, " blank in front", "blank at the end "])
def test_the_command_that_repeats_an_analysis_is_taken_by_shell_and_make(
    makefile: Path, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = {"data": value, "name": "it", "k": 2, "labels": value}
    monkeypatch.chdir(makefile)
    again = from_words(words_of(makefile, shell=repeating(own, 1)))
    assert (again["name"], again["k"]) == ("it", 2)
    assert os.path.normpath(again["data"]) == os.path.normpath(value)
    assert os.path.normpath(again["labels"]) == os.path.normpath(value)


def test_make_hands_on_words_that_nobody_knows_and_not_its_own(makefile: Path) -> None:
    given = words_of(makefile, "cluster", "DATA=a", "MEASUER=ssd", "CORES=2", "PYTHON=python3")
    assert set(given) == {"DATA=a", "MEASUER=ssd"}


@pytest.mark.slow
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

    # Labels under a name of their own are read as well, so a change of them makes the page anew.
    wanted = ("own", "--configfile", str(fresh.folder / "results/own/it/settings.json"))
    assert not fresh.pending(*wanted)
    with (data / "truth.csv").open("a", encoding="utf-8") as file:
        file.write("\n")
    assert len(fresh.pending(*wanted)) == len(FILES)


@pytest.mark.slow
def test_the_files_behind_a_linked_folder_are_watched(fresh: Project) -> None:
    data = make_data(fresh.folder)
    (fresh.folder / "linked").mkdir()
    (fresh.folder / "linked/inner").symlink_to(data)
    settings = fresh.folder / "own.json"
    own = {"data": "linked", "name": "a", "k": 2, "measure": "dtw", "n_resamples": 2}
    settings.write_text(json.dumps({"own": own}), encoding="utf-8")
    fresh.run("own", "--configfile", str(settings))
    assert not fresh.pending("own", "--configfile", str(settings))
    (data / "pièce 3.csv").write_text("1.0,2.0\n2.0,1.0\n", encoding="utf-8")
    assert len(fresh.pending("own", "--configfile", str(settings))) == len(FILES)


def test_a_folder_of_results_that_cannot_be_written_is_told(fresh: Project) -> None:
    make_data(fresh.folder)
    (fresh.folder / "results").symlink_to(fresh.folder / "nowhere")
    outcome = launch(fresh, DATA="mes données")
    assert outcome.status != 0
    assert "error: results: is a link to" in outcome.text


def test_a_run_that_fails_leaves_the_page_of_an_earlier_one(fresh: Project) -> None:
    make_data(fresh.folder)
    assert launch(fresh, DATA="mes données", K="2", MEASURE="dtw", NAME="it").status == 0
    before = fresh.result("own/it/index.html")
    failed = launch(fresh, DATA="mes données", K="13", MEASURE="dtw", NAME="it")
    assert failed.status != 0
    assert "index.html is of an earlier run and was left as it is" in failed.text
    assert "done" not in failed.text
    assert left(fresh, "it") == set(FILES)

    # A limit on the size of files stands for a full disk.
    command = [sys.executable, "workflow/launch.py", "--own", "--set=DATA=mes données", "--set=K=3", "--set=NAME=it"]
    done = subprocess.run(
        ["bash", "-c", 'ulimit -f 16; exec "$@"', "bash", *command, "--set=MEASURE=dtw"],
        cwd=fresh.folder, env=fresh.environment(), capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert done.returncode != 0
    assert "error: " in done.stderr, done.stderr
    assert "Traceback" not in done.stderr
    assert fresh.result("own/it/index.html") == before
    assert left(fresh, "it") == set(FILES)


def test_wrong_settings_are_told_before_anything_runs(fresh: Project) -> None:
    for own, sentence in (
        ({"data": "nowhere", "name": "a"}, "no such file or folder"),
        ({"data": "config"}, "name"),
        ({"data": "config", "name": "vowels"}, "is that of the example"),
        ({"data": "config", "name": "a", "clusters": 3}, "clusters"),
    ):
        (fresh.folder / "own.json").write_text(json.dumps({"own": own}), encoding="utf-8")
        outcome = fresh.snakemake("own", "--configfile", "own.json", "--quiet", "rules")
        assert outcome.status != 0
        assert sentence in outcome.text
