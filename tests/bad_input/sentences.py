"""Whole answers to every bad input of the table: ``sentences.json``, by the name of the row.

``python -m tests.bad_input`` writes the file anew; what it changes is to be read before it is committed.
"""

from __future__ import annotations

import importlib
import json
import re
import tempfile
import warnings
from pathlib import Path
from typing import Any

from kinseq.core.errors import KinseqError

from .table import Case

HERE = Path(__file__).parent
FILE = HERE / "sentences.json"
FOLDER = "FOLDER"
"""Name of the folder that a row is given."""
CASES: list[Case] = [
    case
    for module in sorted(path.stem for path in HERE.glob("cases_*.py"))
    for case in importlib.import_module(f"{__package__}.{module}").CASES
]


def answer(case: Case, folder: Path) -> Any:
    """Result of an input; warnings of other libraries are errors, since they are no message of ours."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return case.call(folder)


def in_words(error: KinseqError, folder: Path) -> str:
    """The kind of an error and its sentence, wherever the folder lies and objects are."""
    sentence = f"{type(error).__name__}: {error}".replace(f"{folder.parent}/", "")
    return re.sub(r"at 0x[0-9a-f]+", "at 0x...", sentence)


def written() -> dict[str, str]:
    """The sentences of the file."""
    found: dict[str, str] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def write() -> None:
    """Pass every input that must be refused, and write the messages."""
    sentences = {}
    for case in CASES:
        if case.gives is None:
            with tempfile.TemporaryDirectory() as place:
                folder = Path(place) / FOLDER
                folder.mkdir()
                try:
                    answer(case, folder)
                except KinseqError as error:
                    sentences[case.name] = in_words(error, folder)
    FILE.write_text(json.dumps(sentences, indent=0, ensure_ascii=False, sort_keys=True) + "\n", encoding="utf-8")
