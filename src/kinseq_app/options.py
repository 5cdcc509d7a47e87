"""The options of an analysis of one's own data, for the command line, ``make cluster`` and the key ``own`` of a configuration;
and those of a comparison of two samples, for the command line and ``make compare``.

Of an analysis, those of :class:`~kinseq.analysis.settings.Settings` and what a call names beside them. Everything that shows or
checks options is made of these tables: an option is one entry, here or there.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kinseq.analysis.settings import Settings
from kinseq.core.errors import ParameterError
from kinseq.core.options import Option, options_of
from kinseq.divergences.checks import REPEATS
from kinseq.measures.registry import MEASURE

_TEXT = {"type": "string", "minLength": 1}
FIRST = (
    Option(
        "data",
        "Folder, or file with many sequences: audio, CSV, TSV, NPY, NPZ, TS, Parquet. The path is relative to the working"
        " directory.",
        _TEXT,
        word="DATA",
        required=True,
    ),
    Option(
        "k",
        'Number of clusters, or a range to choose it from, `"3-6"` or `[3, 6]`: at least 2, at most the number of sequences,'
        " and below 200 if there are more sequences than that. Without it, kinseq takes the groups that one view or property shows"
        " clearly; if there are none, as many groups as stand out from sequences of one process, or 1 if nothing does"
        " ([how many clusters](../docs/explanation/how-many-clusters.md)).",
        {"type": ["integer", "string", "array"], "minimum": 1, "items": {"type": "integer"}},
        word="K",
    ),
    Option(
        "measure",
        'Measure, or several as `"ssd,kl_ll"`. The first one gives the clusters, and the others are compared with it.'
        " For `FEATURES=words` the default is `pooled_dtw`.",
        {"anyOf": [_TEXT, {"type": "array", "items": {"type": "string"}, "minItems": 1, "uniqueItems": True}]},
        MEASURE,
        "MEASURE",
    ),
    Option(
        "name",
        "Name of the folder of results: letters, digits, `_`, `-`, `.`, at most 100. The commands use the name of the data. A"
        " name that is used for results of other data is an error.",
        {"type": "string", "pattern": r"^\w[\w.-]*$"},
        word="NAME",
        required=True,
    ),
)
OPTIONS = {entry.name: entry for entry in (*FIRST, *options_of(Settings).values()) if entry.in_files}
"""All that a configuration may hold under ``own``, by name."""
WORDS = {name: entry.word for name, entry in OPTIONS.items() if entry.word is not None}
"""Names of options that the command line and ``make cluster`` take, and what they are called there."""
_SAMPLE = "A file or folder whose rows or frames are compared."
COMPARING = {
    entry.name: entry
    for entry in (
        Option("a", _SAMPLE, _TEXT, word="A", required=True),
        Option("b", _SAMPLE, _TEXT, word="B", required=True),
        Option(
            "name",
            "Name of the results. Without it, the names of the samples are joined.",
            OPTIONS["name"].schema,
            word="NAME",
        ),
        OPTIONS["kind"],
        OPTIONS["missing"],
        Option(
            "scale",
            "Scale of the columns of both samples together. `auto`: as they are for features of recordings, z-scores otherwise.",
            {"enum": ["auto", "none", "zscore"]},
            "auto",
            "SCALE",
        ),
        Option(
            "repeats",
            "How often a vector counts that occurs several times in one sample only.",
            {"enum": list(REPEATS)},
            "once",
            "REPEATS",
        ),
        Option(
            "dependent",
            "Whether columns that are linear combinations of the columns before them are left out.",
            {"enum": ["leave_out", "count"]},
            "leave_out",
            "DEPENDENT",
        ),
        OPTIONS["time_column"],
        OPTIONS["features"],
        OPTIONS["sample_rate"],
        OPTIONS["window_seconds"],
        OPTIONS["hop_seconds"],
    )
}
"""All that a comparison may be asked with, by name."""
COMMON = {
    entry.name: entry
    for entry in (
        Option("results", "Folder of results.", _TEXT, "results", "RESULTS"),
        Option("seed", "Root of every random stream.", {"type": "integer"}, 1, "SEED"),
        Option("threads", "Number of threads; the results do not depend on it.", {"type": "integer"}, word="THREADS"),
    )
}
"""What every command that computes can be told."""
HELP = ("-h", "--help")


@dataclass(frozen=True)
class Command:
    """A command of the command line.

    Attributes
    ----------
    text : str
        What it does.
    example : str
        A whole line that works.
    options : mapping
        Its options by what is typed before their values; places, without a dash, by their words.
    """

    text: str
    example: str
    options: Mapping[str, Option]


def typed(entry: Option, places: tuple[str, ...] = ()) -> str:
    """What is typed before the value of an option: ``-k``, else two dashes and its word in small letters; of a place, its word."""
    word = entry.word or entry.name.upper()
    return word if entry.name in places else "-k" if word == "K" else f"--{word.lower().replace('_', '-')}"


def _command(text: str, example: str, entries: Mapping[str, Option], *places: str) -> Command:
    return Command(text, example, {typed(entry, places): entry for entry in entries.values()})


COMMANDS = {
    "cluster": _command(
        "cluster a folder or file and write a page about it",
        "kinseq cluster recordings -k 3-6 --measure dtw --name mine",
        {**{name: OPTIONS[name] for name in WORDS}, **COMMON},
        "data",
    ),
    "compare": _command(
        "compare two samples of vectors: could they be equal, how far apart are they",
        "kinseq compare monday.csv tuesday.csv --scale none",
        {**COMPARING, **COMMON},
        "a",
        "b",
    ),
    "completion": _command(
        "print what makes a shell complete these words",
        "source <(kinseq completion bash)",
        {
            "shell": Option(
                "shell", "The shell: `bash` or `zsh`.", {"enum": ["bash", "zsh"]}, word="SHELL", required=True
            )
        },
        "shell",
    ),
}
"""What the command line can be asked."""


def as_real(text: str, word: str) -> float:
    """A positive number in words; float() alone takes more than people mean, such as nan, 1_0 and digits of other scripts."""
    digits = r"([0-9]{1,15}\.?[0-9]{0,15}|\.[0-9]{1,15})(e[+-]?[0-9]{1,3})?"
    value = float(text) if re.fullmatch(digits, text) else 0.0
    if not 0.0 < value < math.inf:
        raise ParameterError(f"{word} is {text!r}, expected a positive number such as 100 or 12.5")
    return value


def schema() -> dict[str, Any]:
    """JSON schema of the key ``own`` of a configuration."""
    return {
        "type": ["object", "null"],
        "additionalProperties": False,
        "required": [name for name, entry in OPTIONS.items() if entry.required],
        "properties": {name: dict(entry.schema) for name, entry in OPTIONS.items()},
    }


def with_own(schema_of_config: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of a configuration, which leaves the key ``own`` open, with that of the key."""
    return {**schema_of_config, "properties": {**schema_of_config["properties"], "own": schema()}}


def table() -> str:
    """Rows of the reference table, in Markdown."""
    rows = []
    for name, entry in OPTIONS.items():
        default = "" if entry.default is None else f" {entry.default} "
        rows.append(f"| `own.{name}`{'*' * entry.required} |{default or ' '}| {entry.text} |")
    return "\n".join(rows) + "\n"
