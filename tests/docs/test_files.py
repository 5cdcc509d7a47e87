"""The examples of the reference of files are read as the page says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import kinseq

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "reference" / "files.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```(text|python) (\S+)\n(.*?)^```\n\n(.+?)\n", PAGE, flags=re.MULTILINE | re.DOTALL)


def test_there_are_examples_and_every_link_to_one_is_right() -> None:
    assert len(EXAMPLES) >= 15
    table = PAGE[PAGE.index("## Find your file") : PAGE.index("### A board")]
    headings = {
        re.sub(r"[^\w ]", "", line).strip().lower().replace(" ", "-") for line in re.findall(r"^#+ (.*)", PAGE, re.M)
    }
    assert set(re.findall(r"\]\(#([\w-]+)\)", table)) <= headings


@pytest.mark.parametrize(("kind", "name", "text", "said"), EXAMPLES, ids=[name for _, name, *_ in EXAMPLES])
def test_an_example_is_read_as_the_page_says(
    kind: str, name: str, text: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = re.match(r"(\d+) sequences", said)
    channels = re.search(r"(\d+) channel", said)
    assert channels is not None
    if kind == "python":
        monkeypatch.chdir(tmp_path)
        exec(compile(text, name, "exec"), {})
    elif number is None:
        # One file per sequence: another one next to it.
        (tmp_path / f"other_{name}").write_text(text, encoding="utf-8")
    if kind == "text":
        (tmp_path / name).write_text(text, encoding="utf-8")
    read = kinseq.read(tmp_path)
    assert len(read) == (2 if number is None else int(number[1]))
    assert read.n_features == int(channels[1])
    assert (read.labels is not None) == ("with labels" in said)
