"""The options of the commands, and their names in command-line messages.

They are the entries of :class:`~kinseq.readers.reading.Reading` and :class:`~kinseq.analysis.options.Options`, and those that a
command has in addition. Everything that shows or checks options is made of these tables.
"""

from __future__ import annotations

import math
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from .analysis.options import AUTO, EXPECTED, RANGE, as_number, in_words, is_coarse
from .analysis.options import OPTIONS as OF_ANALYSIS
from .core.errors import ParameterError
from .core.random_state import ROOT
from .core.settings import Option
from .core.wording import OPEN, Writer
from .divergences.checks import REPEATS
from .measures.registry import MEASURE
from .readers.reading import OPTIONS as OF_READING

_TEXT = {"type": "string", "minLength": 1}
FIRST = (
    Option(
        "data",
        "Folder, or file with many sequences: audio, CSV, TSV, Excel, NPY, NPZ, TS, Parquet, EDF, WFDB. The path is relative to the"
        " working directory.",
        _TEXT,
        word="DATA",
        required=True,
    ),
    Option(
        "k",
        'Number of clusters, or a range to choose it from, `"3-6"` or `[3, 6]`: at least 2, at most the number of sequences,'
        " and below 200 if there are more sequences than that. Without it, kinseq takes the groups that one view or property shows"
        " clearly; if there are none, as many as are clearer than in data without groups, or 1 if none are; large groups are"
        " divided further by the same rules, and `coarse` stops at the first division"
        " ([how many clusters](../docs/explanation/how-many-clusters.md)).",
        {"type": ["integer", "string", "array"], "minimum": 1, "items": {"type": "integer"}},
        word="K",
    ),
    Option(
        "measure",
        'Measure, or several as `"ssd,kl_ll"`. The first one gives the clusters, and the others are compared with it.'
        " For `--features words` the default is `pooled_dtw`.",
        {"anyOf": [_TEXT, {"type": "array", "items": {"type": "string"}, "minItems": 1, "uniqueItems": True}]},
        MEASURE,
        "MEASURE",
    ),
    Option(
        "name",
        "Name of the folder of results: letters, digits, `_`, `-`, `.`, at most 100. The commands use the name of the data."
        " Results that lie under a name you give are replaced, also those of other data, with a note.",
        {"type": "string", "pattern": r"^\w[\w.-]*$"},
        word="NAME",
        required=True,
    ),
)
OF_MEASURES = (
    Option(
        "views",
        'Views that `fusion` or `elastic` combines, as `"dtw,statistics"` or a list, instead of all that have a vote.',
        {"anyOf": [_TEXT, {"type": "array", "items": {"type": "string"}, "minItems": 1, "uniqueItems": True}]},
        word="VIEWS",
    ),
    Option(
        "only",
        'Properties that the measure `properties` counts, as `"length,roughness of 3"` or a list, instead of all.',
        {"anyOf": [_TEXT, {"type": "array", "items": {"type": "string"}, "minItems": 1, "uniqueItems": True}]},
        word="ONLY",
    ),
)
"""Parameters of measures that an analysis advises to set."""
LISTS = frozenset({*(entry.name for entry in OF_MEASURES), "value_columns", "drop_columns", "missing_codes"})
"""Options whose values are several names."""
OPTIONS = {
    entry.name: entry for entry in (*FIRST, *OF_MEASURES, *OF_READING.values(), *OF_ANALYSIS.values()) if entry.in_files
}
"""All keys that a configuration may hold under ``own``."""
WORDS = {name: entry.word for name, entry in OPTIONS.items() if entry.word is not None}
"""Command-line names of options, and placeholders of their values, in the order of the options."""


def reading_for(use: str) -> list[Option]:
    """Return the reading options on the command line for a use: ``"compare"`` or ``"predict"``."""
    return [entry for entry in OF_READING.values() if entry.word is not None and use not in entry.not_for]


_SAMPLE = "File or folder of the {} sample; its rows or frames are the vectors."
COMPARING = {
    entry.name: entry
    for entry in (
        Option("a", _SAMPLE.format("first"), _TEXT, word="A", required=True),
        Option("b", _SAMPLE.format("second"), _TEXT, word="B", required=True),
        Option(
            "name",
            "Name of the results. If not given, the names of the samples are joined.",
            OPTIONS["name"].schema,
            word="NAME",
        ),
        Option(
            "scale",
            "Scale of the columns of both samples together. `auto`: as they are for features of recordings, z-scores otherwise.",
            {"enum": ["auto", "none", "zscore"]},
            "auto",
            "SCALE",
        ),
        Option(
            "repeats",
            "Weight of a vector that only one sample repeats.",
            {"enum": list(REPEATS)},
            "once",
            "REPEATS",
        ),
        Option(
            "dependent",
            "Treatment of columns that are linear combinations of the columns before them.",
            {"enum": ["leave_out", "count"]},
            "leave_out",
            "DEPENDENT",
        ),
        *reading_for("compare"),
    )
}
"""All options of a comparison by name."""
PREDICTING = {
    entry.name: entry
    for entry in (
        Option(
            "result",
            "The result of `kinseq cluster`: its folder, or the file `result.kinseq` in it.",
            _TEXT,
            word="RESULT",
            required=True,
        ),
        Option("data", "Folder or file with new sequences of the same kind.", _TEXT, word="DATA", required=True),
        Option("name", "Name of the results. If not given, that of the data.", OPTIONS["name"].schema, word="NAME"),
        Option(
            "part",
            "Part of the sequences to place: `3/16` is the third of sixteen parts; other calls place the others at the same time,"
            " and `--gather` joins their results.",
            {"type": "string", "pattern": "^[0-9]+/[0-9]+$"},
            word="PART",
        ),
        Option(
            "gather",
            "Number of parts, placed by calls with `--part`, to join into tables and a page of all.",
            {"type": "integer", "minimum": 1},
            word="GATHER",
        ),
        # Without them, files are read as those of the clusters were.
        *(replace(entry, default=None) for entry in reading_for("predict")),
    )
}
"""All options of a prediction by name."""
LOOKING = {name: entry for name, entry in OPTIONS.items() if name == "data" or (name in OF_READING and name in WORDS)}
"""Options of a first look at data by name."""
COMMON = {
    entry.name: entry
    for entry in (
        Option("results", "Folder of results.", _TEXT, "results", "RESULTS"),
        Option("seed", "Root of every random stream.", {"type": "integer"}, ROOT, "SEED"),
        Option(
            "threads",
            "Number of threads (all processors it may use); the results do not depend on it.",
            {"type": "integer"},
            word="THREADS",
        ),
    )
}
"""Options of every command that computes."""
_TITLES = {
    "recordings": "recordings",
    "columns": "tables",
    "tables": "tables",
    "time": "tables",
    "poses": "pose tables",
}
GROUPS = {
    **{
        title: tuple(name for name, entry in OF_READING.items() if _TITLES.get(entry.of or "") == title)
        for title in ("recordings", "tables", "pose tables")
    },
    "run": tuple(COMMON),
}
"""Options that the help lists together by topic; the others are about all data."""
PLACES = ("data", "a", "b", "result", "shell")
"""Positional options of the command line."""
ALL = "all"
"""Value of ``--sample`` that compares all sequences; in Python None."""
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


def typed(entry: Option) -> str:
    """Return the flag of an option: ``-k``, or two dashes and its name in small letters.

    A positional argument is its word alone.
    """
    word = entry.word or entry.name.upper()
    return word if entry.name in PLACES else "-k" if word == "K" else f"--{word.lower().replace('_', '-')}"


def shown(entry: Option) -> str:
    """Return the name of an option in messages: as typed, or its library name if it is not on the command line."""
    return typed(entry) if entry.word else entry.name


def parsed(entry: Option, text: str) -> Any:
    """Return the value of an option as typed.

    Raises
    ------
    ParameterError
        If the text is blank, or no number where there has to be one.
    """
    name = shown(entry)
    if not text.strip():
        raise ParameterError(f"{name} is empty; give a value or leave it out")
    if entry.name == "k" and RANGE.fullmatch(text):
        one, several = as_number(text, name)
        return one if several is None else in_words(several)
    if entry.name == "k" and is_coarse(text):
        return text
    if entry.name == "sample":
        return _sample(text, name)
    if entry.name in LISTS:
        return names_in(text)
    if entry.schema.get("type") == "boolean":
        if text.lower() not in ("true", "false"):
            raise ParameterError(f"{name} is {text!r}, expected true or false")
        return text.lower() == "true"
    if entry.schema.get("type") == "number":
        return _real(text, name)
    if entry.name == "k" or entry.schema.get("type") == "integer":
        # Not str.isdigit, which accepts superscripts and the digits of every script.
        if not re.fullmatch(r"[0-9]{1,9}", text) or int(text) == 0:
            expected = EXPECTED if entry.name == "k" else "a whole number of at least 1"
            raise ParameterError(f"{name} is {text!r}, expected {expected} (nine digits at most)")
        return int(text)
    return text


def names_in(text: str) -> list[str]:
    """Return comma-separated names."""
    return [name.strip() for name in text.split(",")]


def _real(text: str, name: str) -> float:
    """A positive number as text; float() also accepts nan, 1_0 and digits of other scripts."""
    digits = r"([0-9]{1,15}\.?[0-9]{0,15}|\.[0-9]{1,15})(e[+-]?[0-9]{1,3})?"
    value = float(text) if re.fullmatch(digits, text) else 0.0
    if not 0.0 < value < math.inf:
        raise ParameterError(f"{name} is {text!r}, expected a positive number such as 100 or 12.5")
    return value


def _sample(text: str, name: str) -> int | str | None:
    """Return a sample size as text."""
    if text in (ALL, AUTO):
        return None if text == ALL else text
    if not re.fullmatch(r"[0-9]{1,9}", text) or int(text) < 2:
        raise ParameterError(
            f"{name} is {text!r}, expected a whole number of at least 2 (nine digits at most), {AUTO!r}, or {ALL!r} to"
            " compare all"
        )
    return int(text)


def command_of(command: str, values: Mapping[str, Any]) -> str:
    """Return the command that repeats a run, quoted for the shell.

    Parameters
    ----------
    command : str
        A key of :data:`COMMANDS`.
    values : mapping
        Values of its options by their names, as :func:`parsed` gives them; what is missing, or is what holds without it, is left
        out.
    """
    words = ["kinseq", command]
    for name, entry in COMMANDS[command].options.items():
        if entry.name not in values or (entry.name in COMMON and values[entry.name] == entry.default):
            continue
        value = values[entry.name]
        if isinstance(value, bool):
            words += [name] * value
            continue
        text = _text_of(value)
        if not name.startswith("-"):
            # A value that begins with a dash would be parsed as an option.
            words.append(f"./{text}" if text.startswith("-") else text)
        elif text.startswith("-") and name.startswith("--"):
            words.append(f"{name}={text}")
        else:
            words += [name, text]
    return shlex.join(words)


ARGUMENTS = {
    "n_clusters": OPTIONS["k"],
    "random_state": COMMON["seed"],
    "n_jobs": COMMON["threads"],
    **{name: OPTIONS[name] for name in WORDS if "_" in name},
}
"""Arguments of Python that are not plain words, and their names on the command line."""


class CommandLine(Writer):
    """Options as typed on the command line."""

    joint = " "

    def named(self, name: str) -> str:
        """Return an option as typed, without a value; plain words stay unchanged."""
        return shown(ARGUMENTS[name]) if name in ARGUMENTS else name

    def typed(self, name: str, value: Any) -> str:
        """Return an option as typed, with parameters of measures listed individually."""
        if name == "params":
            return self.joint.join(self.typed(*entry) for entry in value.items())
        entry = ARGUMENTS.get(name) or OPTIONS.get(name) or COMPARING.get(name)
        word = name if entry is None else shown(entry)
        text = "" if value is OPEN or value is True else _text_of(value)
        return f"{word} {shlex.quote(text)}" if text else word


COMMAND_LINE = CommandLine()


def _text_of(value: Any) -> str:
    """Return a value as typed: 96000 and not 96000.0."""
    if value is None:
        return ALL
    if isinstance(value, Mapping):
        value = [name if number is None else f"{name}={number:.15g}" for name, number in value.items()]
    if isinstance(value, (list, tuple)):
        return ",".join(map(str, value))
    return f"{value:.15g}" if isinstance(value, float) else str(value)


def _command(text: str, example: str, entries: Mapping[str, Option]) -> Command:
    return Command(text, example, {typed(entry): entry for entry in entries.values()})


COMMANDS = {
    "cluster": _command(
        "cluster a folder or file and write a page about it",
        "kinseq cluster recordings -k 3-6 --measure dtw --name mine",
        {**{name: OPTIONS[name] for name in WORDS}, **COMMON},
    ),
    "read": _command(
        "show what would be read: sequences, channels, time, labels, notes; nothing is computed or written",
        "kinseq read recordings --missing interpolate",
        {**LOOKING, "threads": COMMON["threads"]},
    ),
    "compare": _command(
        "compare two samples of vectors: could they be equal, how different are they",
        "kinseq compare monday.csv tuesday.csv --scale none",
        {**COMPARING, **COMMON},
    ),
    "predict": _command(
        "place new sequences among the clusters of a result, and say which of them fit nowhere",
        "kinseq predict results/own/mine new_recordings --name tuesday",
        {**PREDICTING, "results": COMMON["results"], "threads": COMMON["threads"]},
    ),
    "completion": _command(
        "print a completion script for a shell",
        "source <(kinseq completion bash)",
        {
            "shell": Option(
                "shell", "The shell: `bash` or `zsh`.", {"enum": ["bash", "zsh"]}, word="SHELL", required=True
            )
        },
    ),
}
"""Commands of the command line."""
