"""The command ``kinseq``: its options, its files, one sentence for every mistake."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kinseq
from kinseq.analysis.options import Options
from kinseq.cli import commands, console
from kinseq.cli.completion import offered, script
from kinseq.cli.request import FILES
from kinseq.core.errors import ParameterError
from kinseq.core.wording import OPEN, Writer, all_as_typed, speaking
from kinseq.measures.registry import MEASURE
from kinseq.options import COMMAND_LINE, COMMANDS, OPTIONS, WORDS, command_of, parsed, typed
from kinseq.readers.reading import Reading
from tests.sentences import Recorded

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Eight small tables of two kinds, and a working folder of one's own."""
    random, data = np.random.default_rng(0), tmp_path / "my data"
    data.mkdir()
    for i in range(8):
        table = random.normal(6 * (i % 2), 1, size=(10, 2))
        lines = ["x,y", *(f"{x:.4f},{y:.4f}" for x, y in table)]
        (data / f"f{i}.csv").write_text("\n".join(lines) + "\n")
    monkeypatch.chdir(tmp_path)
    return data


def test_a_folder_becomes_a_page(folder: Path, capsys: pytest.CaptureFixture[str], recorded: Recorded) -> None:
    words = ["cluster", str(folder), "-k", "2", "--measure", "dtw", "--scale", "none"]
    page = console.run(words)
    assert page == Path("results/own/my_data/index.html")
    assert {entry.name for entry in page.parent.iterdir()} >= set(FILES)
    settings = json.loads((page.parent / "settings.json").read_text())
    assert settings["own"] == {"data": str(folder), "k": 2, "measure": "dtw", "scale": "none", "name": "my_data"}
    rows = (page.parent / "partition.csv").read_text().splitlines()[1:]
    clusters = [row.split(",")[1] for row in sorted(rows)]
    assert clusters[::2] == clusters[:1] * 4
    assert clusters[1::2] == clusters[1:2] * 4
    assert clusters[0] != clusters[1]
    said = capsys.readouterr().out
    recorded.within(said)
    recorded.within(said)
    # The command on the page repeats it.
    again = shlex.split(command_of("cluster", settings["own"]))
    assert again[:2] == ["kinseq", "cluster"]
    assert f"'{folder}'" in page.read_text() or "kinseq cluster" in page.read_text()
    assert console.run(again[1:]) == page


def test_results_of_other_data_under_a_given_name_are_replaced_with_a_note(
    folder: Path, capsys: pytest.CaptureFixture[str], recorded: Recorded
) -> None:
    words = ["-k", "2", "--measure", "dtw", "--name", "mine"]
    console.run(["cluster", str(folder), *words])
    console.run(["cluster", str(folder), *words])
    assert "replaced" not in capsys.readouterr().out
    other = folder.parent / "other"
    shutil.copytree(folder, other)
    (other / "f7.csv").unlink()
    page = console.run(["cluster", str(other), *words])
    recorded.within(capsys.readouterr().out)
    assert "f7.csv" not in (page.parent / "partition.csv").read_text()
    (page.parent / "notes.txt").write_text("mine")
    with recorded.raises(ParameterError):
        console.run(["cluster", str(folder), *words])
    assert json.loads((page.parent / "settings.json").read_text())["own"]["data"] == str(other)


def test_every_word_of_make_cluster_is_an_option() -> None:
    given = [
        "cluster",
        "data",
        *(f"{typed(OPTIONS[key])}=v" if key != "k" else "-kv" for key in WORDS if key != "data"),
    ]
    options = vars(console.parser().parse_args(given))
    assert {key: options[key] for key in WORDS if key != "data"} == {key: "v" for key in WORDS if key != "data"}


def test_a_range_and_one_length_reach_the_analysis_and_the_command(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[Any, ...]] = []
    monkeypatch.setattr(commands, "run_cluster", lambda *given, **named: asked.append((*given, named["command"])))
    console.run(["cluster", str(folder), "-k", "2-4", "--length", "stretch"])
    ((own, _, _, _, command),) = asked
    assert own == {"data": str(folder), "k": "2-4", "length": "stretch", "name": "my_data"}
    console.run(shlex.split(command)[1:])
    assert asked[1][0] == own


def test_what_begins_with_a_dash_survives_a_repetition() -> None:
    command = command_of("cluster", {"data": "-data", "name": "-n", "seed": 3, "results": "results"})
    assert command == "kinseq cluster ./-data --name=-n --seed 3"
    again = console.parser().parse_args(shlex.split(command)[1:])
    assert (again.data, again.name, again.seed) == ("./-data", "-n", 3)


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("k", "4", 4),
        ("k", "3-6", "3-6"),
        ("k", "3-3", 3),
        ("n_states", "2", 2),
        ("rate", "12.5", 12.5),
        ("sample", "all", None),
        ("sample", "auto", "auto"),
        ("sample", "40", 40),
        ("measure", "dtw,ssd", "dtw,ssd"),
    ],
)
def test_a_command_repeats_the_values_that_were_typed(name: str, text: str, value: object) -> None:
    assert parsed(OPTIONS[name], text) == value
    words = shlex.split(command_of("cluster", {"data": "a b", name: value}))
    options = vars(console.parser().parse_args(words[1:]))
    assert options["data"] == "a b"
    assert parsed(OPTIONS[name], options[name]) == value


@pytest.mark.parametrize(
    "words, said",
    [
        (["no/such/folder"], "no/such/folder"),
        (["{data}", "-k", "0"], "-k is '0'"),
        (["{data}", "-k", "two"], "-k is 'two'"),
        (["{data}", "-k", "9"], "9"),
        (["{data}", "-k", "3-2"], "give 2-3"),
        (["{data}", "-k", "2-9"], "-k is 2-9 but there are only 8"),
        (["{data}", "--length", "streched"], "stretch"),
        (["{data}", "--measure", "dwt"], "dtw"),
        (["{data}", "--scale", "z"], "zscore"),
        (["{data}", "--seed", "x"], "seed"),
        (["{data}", "--threads", "0"], "threads"),
        (["{data}", "--name", "a/b"], "the name 'a/b'"),
        ([" "], "kinseq cluster path/to/folder"),
        (["{data}", "--time", "t"], "'t'"),
        (["{data}", "--kind", "audios"], "unknown --kind 'audios'"),
        (["{data}", "--clusterer", "none"], "unknown --clusterer 'none'"),
        (["{data}", "--measure", "fusion", "--views", "dtw,nothing"], "unknown view 'nothing'"),
    ],
)
def test_mistakes_are_one_sentence_and_leave_nothing(
    words: list[str], said: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["kinseq", "cluster", *(word.format(data=folder) for word in words)])
    assert console.main() == 1
    told = capsys.readouterr().err.strip().splitlines()[-1]
    assert told.startswith("error: ")
    assert said in told
    assert not re.search(r"\b([A-Z]{2,}|K)=|\b[a-z]+_[a-z]+=|=[\"'\[]", told), told
    assert not list(Path().glob("results/own/*/index.html"))


@pytest.mark.parametrize("words", [["--kin", "table"], ["--mea", "dtw"], ["--thread", "2"], ["--nam", "x"]])
def test_no_option_is_guessed_from_its_beginning(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        console.parser().parse_args(["cluster", "data", *words])
    assert f"unrecognized arguments: {words[0]}" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["-k", "3"], ["-k3"], ["--k", "3"], ["--k=3"]])
def test_the_number_of_clusters_in_all_spellings(words: list[str]) -> None:
    assert console.parser().parse_args(["cluster", "data", *words]).k == "3"


def test_what_is_advised_can_be_asked_for(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[tuple[Any, ...]] = []
    monkeypatch.setattr(commands, "run_cluster", lambda *one, **named: given.append((*one, named["command"])))
    words = ["--measure", "fusion", "--views", "dtw, statistics", "--only", "roughness of 3"]
    console.run(["cluster", str(folder), *words])
    ((own, *_, command),) = given
    assert own["views"] == ["dtw", "statistics"]
    assert own["only"] == ["roughness of 3"]
    console.run(shlex.split(command)[1:])
    assert given[1][0] == own


@pytest.mark.parametrize(
    ("writer", "options"),
    [
        (Writer(), "measure='fusion', params={'views': ['dtw', 'msm']}, n_clusters=3, time_column=..."),
        (COMMAND_LINE, "--measure fusion --views dtw,msm -k 3 --time"),
    ],
)
def test_options_are_called_what_they_are_where_they_are_read(writer: Writer, options: str) -> None:
    entries = {"measure": "fusion", "params": {"views": ["dtw", "msm"]}, "n_clusters": 3, "time_column": OPEN}
    with speaking(writer):
        assert all_as_typed(**entries) == options
    assert all_as_typed(**entries).startswith("measure='fusion'")


def test_the_command_is_installed_with_the_library() -> None:
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"]
    module, _, function = scripts["kinseq"].partition(":")
    assert getattr(import_module(module), function) is console.main


def module(*words: str) -> subprocess.CompletedProcess[str]:
    """``python -m kinseq`` in a separate process."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    command = [sys.executable, "-m", "kinseq", *words]
    return subprocess.run(command, capture_output=True, text=True, env=environment)


def test_the_module_is_the_command() -> None:
    found = module("--version")
    assert (found.returncode, found.stdout, found.stderr) == (0, f"kinseq {kinseq.__version__}\n", "")
    refused = module("cluster", "no/such/folder")
    assert refused.returncode == 1
    assert refused.stderr.startswith("error: ")


def test_without_a_word_the_help_is_shown(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.argv", ["kinseq"])
    assert console.main() == 0
    told = capsys.readouterr()
    assert told.out == console.parser().format_help()
    assert not told.err


def test_help_names_the_defaults(capsys: pytest.CaptureFixture[str], recorded: Recorded) -> None:
    recorded.within(" ".join(console.parser().format_help().split()))
    assert OPTIONS["measure"].help.endswith(f"({MEASURE})")
    for key in ("missing", "scale", "length", "clusterer", "features"):
        assert OPTIONS[key].help.endswith(f"({getattr(Options if hasattr(Options, key) else Reading, key)})")
    with pytest.raises(SystemExit) as left:
        console.parser().parse_args(["cluster", "--help"])
    assert left.value.code == 0
    assert f"({MEASURE})" in capsys.readouterr().out


@pytest.fixture
def named_in_examples(folder: Path) -> None:
    folder.rename("recordings")
    for name in ("monday", "tuesday"):
        table = np.random.default_rng(len(name)).normal(size=(30, 2))
        np.savetxt(f"{name}.csv", table, delimiter=",", header="x,y", comments="")


@pytest.mark.parametrize("command", sorted(COMMANDS))
@pytest.mark.usefixtures("named_in_examples")
def test_the_help_of_a_command_ends_with_an_example_that_works(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["kinseq", command, "--help"])
    with pytest.raises(SystemExit):
        console.main()
    example = capsys.readouterr().out.splitlines()[-1].strip()
    assert example == COMMANDS[command].example
    if command == "completion":
        assert complete(["kinseq", "clu"], example) == ["cluster"]
        return
    if command == "predict":
        Path("recordings").rename("new_recordings")
        console.run(["cluster", "new_recordings", "-k", "2", "--measure", "dtw", "--name", "mine"])
        capsys.readouterr()
    monkeypatch.setattr("sys.argv", shlex.split(example))
    assert console.main() == 0
    if command == "read":
        assert capsys.readouterr().out.startswith("recordings: ")
        return
    page = capsys.readouterr().out.splitlines()[-1].removeprefix("done: open ")
    assert Path(page).is_file()


def complete(words: list[str], source: str = "") -> list[str]:
    """Completions of bash for the last of some words."""
    typed = " ".join(shlex.quote(word) for word in words)
    lines = [
        f'kinseq() {{ {shlex.quote(sys.executable)} -m kinseq "$@"; }}',
        source or script("bash"),
        f"COMP_WORDS=({typed}); COMP_CWORD={len(words) - 1}; _kinseq; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
    ]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    found = subprocess.run(
        ["bash", "-c", "\n".join(lines)], capture_output=True, text=True, env=environment, check=True
    )
    assert not found.stderr
    return found.stdout.split()


@pytest.mark.parametrize(
    "typed, offers",
    [
        ("kinseq ''", [*COMMANDS, "--version", "-h", "--help"]),
        ("kinseq comp", ["compare", "completion"]),
        (
            "kinseq cluster --s",
            [
                "--sample-rate",
                "--segments",
                "--symbols",
                "--step",
                "--skip-rows",
                "--scale",
                "--states",
                "--sample",
                "--seed",
            ],
        ),
        ("kinseq cluster folder -k 3 --measure msm_s", ["msm_shape", "msm_stretched", "msm_stretched_shape"]),
        ("kinseq cluster folder --scale ''", ["zscore", "per_sequence", "none"]),
        # Bash takes an option apart at the equals sign.
        ("kinseq cluster folder --scale =", ["zscore", "per_sequence", "none"]),
        ("kinseq cluster folder --scale = per", ["per_sequence"]),
        ("kinseq cluster folder --clusterer k", ["kmedoids"]),
        ("kinseq compare a b --scale ''", ["auto", "none", "zscore"]),
        ("kinseq completion ''", ["bash", "zsh"]),
        # Files: bash completes them itself.
        ("kinseq cluster ''", []),
        ("kinseq cluster folder --labels ''", []),
    ],
)
def test_bash_completes(typed: str, offers: list[str]) -> None:
    assert complete(shlex.split(typed)) == offers


def test_zsh_is_told_every_option_with_its_values() -> None:
    text = script("zsh")
    assert text.startswith("#compdef kinseq\n")
    for name, command in COMMANDS.items():
        _, _, part = text.partition(f"            {name})\n")
        specs = shlex.split(part.partition(";;")[0])
        told = {spec.partition("[")[0].rstrip("=+"): spec for spec in specs}
        for word, entry in command.options.items():
            spec = told[word] if word.startswith("-") else next(s for s in specs if entry.help.replace(":", "\\:") in s)
            assert spec.endswith(f"({' '.join(offered(entry))})") == bool(offered(entry))
            assert len(spec.replace("\\:", "").split(":")) == 3


def test_every_command_takes_what_its_table_lists() -> None:
    for name, command in COMMANDS.items():
        given = [word for typed in command.options for word in ([typed, "1"] if typed.startswith("-") else [])]
        places = ["bash" if name == "completion" else "x" for typed in command.options if not typed.startswith("-")]
        assert vars(console.parser().parse_args([name, *places, *given])).keys() == {
            "command",
            *(entry.name for entry in command.options.values()),
        }
