"""Own data: make hands on to kinseq whatever the path, and a small Snakefile calls the same command."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from kinseq.cli.request import FILES
from kinseq.core.sequences import SequenceSet
from kinseq.readers.writers import write_folder
from tests.sentences import Recorded

from .project import ROOT, Project

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
    "-a",
    "blank at the end ",
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
    for name in ("kinseq", "snakemake"):
        tell = f"#!{sys.executable}\nimport json, sys\nprint(json.dumps(sys.argv[1:]))\n"
        (folder / "bin" / name).write_text(tell, encoding="utf-8")
        (folder / "bin" / name).chmod(0o755)
    (folder / "bin" / "python").symlink_to("/bin/true")
    return folder


def made(makefile: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Call make where somebody's environment holds variables of the same names."""
    environment = {**os.environ, "DATA": "of somebody", "ARGS": "-k 9", "DOCUMENT": "P1", "MAKEFLAGS": ""}
    return subprocess.run(
        ["make", "-o", ".venv/.installed", "-o", ".venv/.compiled", *words],
        cwd=makefile,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def handed_on(makefile: Path, *words: str) -> list[str]:
    """Arguments that reach the program from a call of make."""
    done = made(makefile, *words)
    assert done.returncode == 0, done.stderr
    said: list[str] = json.loads(done.stdout.splitlines()[0])
    return said


@pytest.mark.parametrize("value", VALUES)
def test_make_hands_paths_on_as_they_were_given(makefile: Path, value: str) -> None:
    command, *options, place = handed_on(makefile, "cluster", f"DATA={value}", "CORES=3")
    assert (command, place) == ("cluster", value)
    assert options == ["--results", "results", "--threads", "3", "--"]
    command, *_, a, b = handed_on(makefile, "compare", f"A={value}", f"B=x{value}")
    assert (command, a, b) == ("compare", value, f"x{value}")
    assert handed_on(makefile, "reproduce", f"DOCUMENT={value}")[-1] == f"documents={value}"
    assert not (makefile / "made").exists()


def test_make_hands_options_on_as_a_shell_reads_them(makefile: Path) -> None:
    words = handed_on(makefile, "cluster", "DATA=a", "ARGS=-k 3-6 --labels 'my labels.csv' --name \"it\"", "CORES=1")
    assert words[5:] == ["-k", "3-6", "--labels", "my labels.csv", "--name", "it", "--", "a"]


def test_make_takes_nothing_from_the_environment(makefile: Path) -> None:
    assert handed_on(makefile, "cluster", "CORES=1") == [
        "cluster", "--results", "results", "--threads", "1", "--", "",
    ]  # fmt: skip
    assert not [word for word in handed_on(makefile, "reproduce") if word.startswith("documents=")]


@pytest.mark.parametrize("goal, word", [("cluster", "K=3"), ("cluster", "A=x"), ("compare", "DATA=x")])
def test_make_refuses_variables_that_it_does_not_know(makefile: Path, goal: str, word: str) -> None:
    done = made(makefile, goal, "DATA=a" if goal == "cluster" else "A=a", word)
    assert done.returncode != 0
    assert f"{word[: word.index('=')]}: not known" in done.stderr
    assert 'ARGS="-k 4' in done.stderr
    assert done.stdout == ""


def make_data(folder: Path) -> Path:
    """A folder of CSV files with a blank and an accent in its name and theirs."""
    rng = np.random.default_rng(0)
    arrays = [rng.normal(3.0 * (i % 2), 1.0, size=(25, 2)) for i in range(12)]
    ids = [f"pièce {i}" for i in range(12)]
    write_folder(folder / "mes données", SequenceSet.from_arrays(arrays, ids=ids, labels=[i % 2 for i in range(12)]))
    return folder / "mes données"


SNAKEFILE = ("--snakefile", "workflow/cluster/Snakefile")


SETTINGS = ("--config", "data=mes données", "options=-k 2 --measure dtw")
SCATTERED = (*SETTINGS, "new=neue", "parts=2")
PATH = f"{Path(sys.executable).parent}:{os.environ['PATH']}"


@pytest.fixture(scope="module")
def clustered(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project in which a folder was clustered, and the same sequences were placed as new ones; treat it as read-only."""
    project = Project(tmp_path_factory.mktemp("own") / "project")
    data = make_data(project.folder)
    shutil.copytree(data, project.folder / "neue")
    (project.folder / "neue/labels.csv").unlink()
    project.run(*SNAKEFILE, *SCATTERED, PATH=PATH)
    return project


MADE = len(FILES) + 1
"""Files of a result, and the stamp of a run that succeeded."""


@pytest.mark.xdist_group("own")
def test_a_folder_in_and_a_page_out(clustered: Project, tmp_path: Path, recorded: Recorded) -> None:
    fresh, settings = clustered.copy(tmp_path / "project"), SETTINGS
    data, folder = fresh.folder / "mes données", fresh.folder / "results/own/mes_données"
    left = {file.name for file in folder.iterdir() if file.name[0] != "."}
    assert left == set(FILES)
    assert "12 sequences" in (fresh.folder / "results/logs/own/mes_données.log").read_text(encoding="utf-8")

    # A second call does nothing; a changed file or other options make it again.
    assert not fresh.pending(*SNAKEFILE, *settings)
    assert len(fresh.pending(*SNAKEFILE, "--config", "data=mes données", "options=-k 3 --measure dtw")) == MADE
    table = data / "pièce 3.csv"
    table.write_text("\n".join(table.read_text(encoding="utf-8").splitlines()[:-1]) + "\n", encoding="utf-8")
    assert len(fresh.pending(*SNAKEFILE, *settings)) == MADE

    # A failure leaves the earlier page, with a note on it, and says why; the same call fails again.
    before = fresh.result("own/mes_données/index.html").decode()
    table_before = fresh.result("own/mes_données/partition.csv")
    for _ in range(2):
        failed = fresh.snakemake(*SNAKEFILE, "--config", "data=mes données", "options=-k 13", PATH=PATH)
        assert failed.status != 0
        recorded.within(failed.text)
        page = fresh.result("own/mes_données/index.html").decode()
        (mark,) = re.findall('<section class="warn" role="status">.*older than the data.*</section>', page)
        assert page.replace(mark, "") == before
        assert fresh.result("own/mes_données/partition.csv") == table_before

    # A success leaves a page without the note.
    fresh.run(*SNAKEFILE, *settings, PATH=PATH)
    assert "older than the data" not in fresh.result("own/mes_données/index.html").decode()
    assert not fresh.pending(*SNAKEFILE, *settings)


@pytest.mark.xdist_group("own")
def test_contents_decide_and_not_dates(clustered: Project, tmp_path: Path) -> None:
    fresh = clustered.copy(tmp_path / "project")
    table = fresh.folder / "mes données/pièce 3.csv"
    os.utime(table)
    assert not fresh.pending(*SNAKEFILE, *SETTINGS)
    status, (head, *rows) = table.stat(), table.read_text(encoding="utf-8").splitlines()
    for days, text in ((0, [head, *rows[::-1]]), (1, [head, *rows[5:], *rows[:5]])):
        table.write_text("\n".join(text) + "\n", encoding="utf-8")
        os.utime(table, ns=(status.st_atime_ns, status.st_mtime_ns - days * 86_400 * 10**9))
        assert table.stat().st_size == status.st_size
        assert len(fresh.pending(*SNAKEFILE, *SETTINGS)) == MADE


@pytest.mark.xdist_group("own")
def test_labels_that_lie_elsewhere_are_of_the_data(clustered: Project, tmp_path: Path) -> None:
    fresh = clustered.copy(tmp_path / "project")
    shutil.copy(fresh.folder / "mes données/labels.csv", tmp_path / "mine.csv")
    # By a name that only a shell would expand.
    settings = (
        "--config",
        "data=~/project/mes données",
        "options=-k 2 --measure dtw --labels ~/mine.csv",
        "name=labelled",
    )
    home = {"HOME": str(tmp_path), "PATH": PATH}
    fresh.run(*SNAKEFILE, *settings, **home)
    planned = ("--summary", *SNAKEFILE, *settings, "--quiet", "all")
    assert not fresh.planned(fresh.run(*planned, **home))
    text = (tmp_path / "mine.csv").read_text(encoding="utf-8")
    (tmp_path / "mine.csv").write_text(text.replace(",0", ",7"), encoding="utf-8")
    assert len(fresh.planned(fresh.run(*planned, **home))) == MADE


@pytest.mark.xdist_group("own")
def test_another_version_of_kinseq_makes_results_anew(clustered: Project, tmp_path: Path) -> None:
    fresh = clustered.copy(tmp_path / "project")
    init = fresh.copy_source() / "kinseq/__init__.py"
    init.write_text(f'{init.read_text(encoding="utf-8")}\n__version__ = "99.0"\n', encoding="utf-8")
    assert len(fresh.pending(*SNAKEFILE, *SETTINGS)) == MADE


@pytest.mark.xdist_group("own")
def test_a_plan_is_printed_and_a_profile_that_hides_changes_is_named(clustered: Project, recorded: Recorded) -> None:
    settings = ("--config", "data=mes données", "options=-k 3 --measure dtw", "new=neue", "parts=2")
    planned = clustered.run(*SNAKEFILE, *settings, "-n", "--logger", "kinseq", "--rerun-triggers", "mtime", "input")
    recorded.within(planned.text)
    recorded.within(planned.text)
    lines = clustered.run(*SNAKEFILE, *settings, "-n", "--logger", "kinseq").text.splitlines()
    recorded.within(lines)
    recorded.within(lines)
    recorded.within(lines)


@pytest.mark.xdist_group("own")
def test_data_that_are_gone_are_an_error_where_results_are_left(
    clustered: Project, tmp_path: Path, recorded: Recorded
) -> None:
    fresh = clustered.copy(tmp_path / "project")
    shutil.rmtree(fresh.folder / "mes données")
    outcome = fresh.snakemake(*SNAKEFILE, *SETTINGS, "name=mes_données")
    assert outcome.status != 0
    recorded.within(outcome.text)


@pytest.mark.xdist_group("own")
def test_new_sequences_are_scattered_over_jobs_and_gathered(clustered: Project) -> None:
    parts = clustered.folder / "results/predict/neue/parts"
    assert {file.name for file in parts.iterdir()} == {"1-of-2.npz", "2-of-2.npz"}
    # They are the old ones, each in its cluster.
    old, new = (
        [row.split(",")[:2] for row in clustered.result(f"{place}/partition.csv").decode().splitlines()]
        for place in ("own/mes_données", "predict/neue")
    )
    assert old == new
    assert not clustered.pending(*SNAKEFILE, *SCATTERED)


@pytest.mark.parametrize(
    "settings, sentence",
    [
        ([], "name the data: --config data="),
        (["data=nowhere"], "nowhere: no such file or folder"),
        (["data=config", "clusters=3"], "clusters"),
        (["data=nowhere", "name=mine"], "nowhere: no such file or folder"),
        (["data=config", "new=nowhere"], "nowhere: no such file or folder"),
        (
            ["data=config", "options=-k 3 --name two"],
            "options has --name; leave it out there, and say it by --config name=",
        ),
        (["data=config", "options=--results=there"], "options has --results"),
        (["data=config", "options=--threads 2"], "options has --threads; leave it out there, and say it by --cores"),
        (["data=config", "options=-k 3 elsewhere"], "are not those of kinseq cluster"),
        (["data=config", "options=--labels 'mine"], "quote them as for a shell"),
        (["data=config", "options=--measure dwt"], "unknown measure 'dwt'"),
        (["data=config", "options=--labels ~/mine.csv"], "no such labels file"),
    ],
)
def test_mistakes_end_in_a_sentence(fresh: Project, settings: list[str], sentence: str) -> None:
    outcome = fresh.snakemake(*SNAKEFILE, *(["--config", *settings] if settings else []))
    assert outcome.status != 0
    assert sentence in outcome.text
    assert not (fresh.folder / "results").exists()


@pytest.mark.xdist_group("own")
def test_symbols_are_clustered_and_placed_as_by_the_command(tmp_path: Path) -> None:
    fresh = Project(tmp_path / "project")
    random = np.random.default_rng(0)
    rows = [
        [state for state, n in zip(("abc", "cab")[i % 2], random.integers(3, 7, 3), strict=True) for _ in range(n)]
        for i in range(12)
    ]
    lines = [f"p{i:02d},{t},{state}" for i, row in enumerate(rows) for t, state in enumerate(row)]
    for name in ("careers.csv", "new.csv"):
        (fresh.folder / name).write_text("\n".join(["id,time,state", *lines]) + "\n", encoding="utf-8")
    fresh.run(*SNAKEFILE, "--config", "data=careers.csv", "options=-k 2", "new=new.csv", "parts=2", PATH=PATH)
    words = ["cluster", "careers.csv", "-k", "2", "--results", str(tmp_path / "results")]
    subprocess.run([f"{Path(sys.executable).parent}/kinseq", *words], cwd=fresh.folder, check=True, capture_output=True)
    table = fresh.result("own/careers/partition.csv")
    assert table == (tmp_path / "results/own/careers/partition.csv").read_bytes()
    labels = [line.split(",")[1] for line in table.decode().splitlines()[1:]]
    placed = fresh.result("predict/new/partition.csv").decode().splitlines()
    place = placed[0].split(",").index("cluster")
    assert [line.split(",")[place] for line in placed[1:]] == labels
    assert len(set(labels)) == 2
