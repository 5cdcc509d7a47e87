"""The tutorials are run as they stand, from the top: Python, commands, and what is shown of their output."""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from kinseq.cli.console import main
from kinseq.options import COMMANDS

ROOT = Path(__file__).resolve().parents[2]
TUTORIALS = ROOT / "docs" / "tutorials"
RUN = ("first-folder", "two-samples", "from-python")
LONG = ("recordings", "behaviour", "sensor-logs", "long-logs", "symbols")
"""Tutorials of several default analyses, half a minute each, run by make test-all. That their commands and options exist is tested
here, what they do in tests/kinseq/readers (segments, recordings, tables) and tests/kinseq/analysis."""
ELSEWHERE = {
    "regenerate-a-table": "below, as a plan",
    "add-a-measure": "tests/workflow/test_readme.py",
    "change-one-choice": "tests/workflow/test_readme.py",
    "on-a-cluster": "tests/cluster, and below as a plan",
    "index": "has no commands",
}
"""Tutorials whose commands need the checkout or a cluster, and where they are run."""
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def blocks(page: str) -> list[tuple[str, str]]:
    """Pieces of code of a page, with their languages."""
    text = (TUTORIALS / f"{page}.md").read_text(encoding="utf-8")
    return re.findall(r"^```(\w+)\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)


def matches(shown: str, said: str) -> str | None:
    """The first line of what is shown that was not said, in this order; ``...`` stands for anything."""
    lines = iter(said.splitlines())
    for line in shown.splitlines():
        pattern = ".*".join(re.escape(part) for part in line.strip().split("..."))
        if not any(re.fullmatch(pattern, other.strip()) for other in lines):
            return line
    return None


def command(line: str) -> str:
    """Output of a line of a shell; `kinseq` is called here, since starting Python takes as long as the rest."""
    words = shlex.split(line, comments=True)
    if words[0] != "kinseq":
        done = subprocess.run(line, shell=True, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{line}: {done.stderr}"
        return done.stdout
    said = io.StringIO()
    with contextlib.redirect_stdout(said), pytest.MonkeyPatch.context() as patched:
        patched.setattr(sys, "argv", words)
        status = main()
    assert status == 0, f"{line}: {said.getvalue()}"
    return said.getvalue()


def test_every_tutorial_is_run_somewhere() -> None:
    assert {path.stem for path in TUTORIALS.glob("*.md")} == {*RUN, *LONG, *ELSEWHERE}


def test_what_is_asked_of_make_exists() -> None:
    """On all tutorials; words after a target are those of the command line."""
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE))
    named = {
        word
        for page in TUTORIALS.glob("*.md")
        for word in re.findall(r"(?:^|`|; )make ([a-z-]+)", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    }
    assert {"reproduce", "thesis", "install-cluster", "compare"} <= named <= targets


def test_what_is_asked_of_kinseq_exists() -> None:
    """On the README and all tutorials: commands, and options of them."""
    pages = [ROOT / "README.md", *TUTORIALS.glob("*.md")]
    named = {
        call
        for page in pages
        for call in re.findall(r"(?:^|`|/)kinseq (\w+)([^`\n#]*)", page.read_text(), re.MULTILINE)
    }
    assert {"cluster", "compare"} <= {command for command, _ in named} <= {*COMMANDS, "completion"}
    for command, rest in named:
        known = {"--help", *re.findall(r"--[a-z][a-z-]*", help_of(command))}
        assert set(re.findall(r"(?<!\S)--[a-z][a-z-]*", rest)) <= known, f"kinseq {command}{rest}"


def help_of(command: str) -> str:
    """Output of ``kinseq command --help``."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said), pytest.MonkeyPatch.context() as patched:
        patched.setattr(sys, "argv", ["kinseq", command, "--help"])
        with contextlib.suppress(SystemExit):
            main()
    return said.getvalue()


def test_what_is_asked_of_snakemake_can_be_planned(tmp_path: Path) -> None:
    """Targets and settings of the tutorials, in the checkout and without a network; nothing is run."""
    calls = [
        line.split("#")[0].split()
        for page in ("regenerate-a-table", "on-a-cluster")
        for language, text in blocks(page)
        for line in text.splitlines()
        if language == "sh" and line.split("#")[0].split()[:1] in (["snakemake"], [".venv/bin/snakemake"])
    ]
    asked = {word for call in calls for word in call[1:]}
    assert {"tab2_1", "chapter2", "data", "scale=thesis", "profiles/slurm"} <= asked
    assert (ROOT / "profiles" / "slurm" / "config.yaml").is_file()
    places = ", ".join(f"{name}: {tmp_path / name}" for name in ("results", "logs", "benchmarks"))
    command = [sys.executable, "-m", "snakemake", "-n", "--cores", "2", "--nolock"]
    command += [
        "--config",
        "scale=thesis",
        "offline=true",
        f"pathvars={{{places}}}",
        "--",
        "tab2_1",
        "chapter2",
        "data",
    ]
    environment = {**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT / 'workflow'}", "PYTHONHASHSEED": "0"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    # A line names a job, but not all of its files.
    said = done.stdout + done.stderr
    assert "chapter2: " in said
    assert max(map(len, said.splitlines())) < 1000


@pytest.mark.parametrize("page", [*RUN, *(pytest.param(page, marks=pytest.mark.slow) for page in LONG)])
def test_a_tutorial_runs_and_says_what_it_shows(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "tutorial"}
    said, ran = "", 0
    for language, text in blocks(page):
        if language == "python":
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(compile(text, page, "exec"), names)
            said = printed.getvalue()
        elif language == "sh":
            said = "".join(command(line) for line in text.splitlines() if line.strip())
        elif language == "text":
            missing = matches(text, said)
            assert missing is None, f"{page}: {missing!r} was not said:\n{said}"
        elif language == "pycon":
            parsed = doctest.DocTestParser().get_doctest(text, names, page, page, 0)
            told = io.StringIO()
            result = doctest.DocTestRunner(verbose=False, optionflags=OPTIONS).run(
                parsed, out=told.write, clear_globs=False
            )
            names.update(parsed.globs)
            assert not result.failed, told.getvalue()
        else:
            pytest.fail(f"{page}: nobody runs {language}")
        ran += 1
    assert ran > 3


def test_the_groups_of_the_recordings_are_the_kinds_of_calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No property of a coefficient puts some of the trills among the rises."""
    import kinseq

    monkeypatch.chdir(tmp_path)
    code = next(text for language, text in blocks("recordings") if language == "python")
    exec(compile(code, "make_long.py", "exec"), {"__name__": "__main__"})
    found = kinseq.cluster("long.wav", segments="calls.txt")
    kinds = found.original.labels.tolist()
    assert {(label, kind) for label, kind in zip(found.labels.tolist(), kinds, strict=True)} in (
        {(0, "rise"), (1, "trill")},
        {(1, "rise"), (0, "trill")},
    )
