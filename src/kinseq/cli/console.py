"""The commands ``kinseq read DATA``, ``kinseq cluster DATA -k 5`` and ``kinseq compare A B``, without a workflow.

``make cluster`` and ``make compare`` hand on to them.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .. import __version__
from ..comparing import request as comparing
from ..core.arrays import as_count, as_seed
from ..core.errors import KinseqError, ParameterError
from ..core.jobs import as_threads
from ..core.store import require_writable
from ..core.wording import speaking
from ..measures.registry import MEASURE
from ..options import COMMAND_LINE, COMMANDS, COMMON, GROUPS, command_of


def parser() -> argparse.ArgumentParser:
    """Arguments of the command line."""
    whole = argparse.ArgumentParser(
        prog="kinseq",
        allow_abbrev=False,
        description="Look at sequences, cluster them, place new ones among the clusters, or compare two samples of vectors.",
        epilog=f"kinseq cluster DATA needs no option: the measure is then {MEASURE}, and the number of clusters is chosen."
        " kinseq cluster --help lists the options.",
    )
    whole.add_argument("--version", action="version", version=f"kinseq {__version__}")
    commands = whole.add_subparsers(dest="command", required=True)
    for name, command in COMMANDS.items():
        part = commands.add_parser(
            name,
            help=_escaped(command.text),
            description=_escaped(command.text[0].upper() + command.text[1:] + "."),
            epilog=f"example:\n  {_escaped(command.example)}",
            # Do not wrap lines of examples.
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        groups = {title: part.add_argument_group(title) for title in GROUPS if name != "completion"}
        place_of = {option: groups[title] for title in groups for option in GROUPS[title]}
        for word, entry in command.options.items():
            place = place_of.get(entry.name, part)
            if not word.startswith("-"):
                part.add_argument(
                    entry.name, metavar=entry.word, help=_escaped(entry.help), choices=entry.choices or None
                )
            elif entry.name in COMMON:
                kind = _whole if entry.schema["type"] == "integer" else str
                place.add_argument(
                    word,
                    dest=entry.name,
                    default=entry.default,
                    type=kind,
                    help=_escaped(entry.help),
                    metavar=entry.word,
                )
            else:
                words = [word, f"-{word}"] if len(word) == 2 else [word]
                place.add_argument(*words, dest=entry.name, metavar=entry.word, help=_escaped(entry.help))
    return whole


def _escaped(text: str) -> str:
    """A literal text, escaped for argparse's formatting."""
    return text.replace("%", "%%")


def _whole(text: str) -> int | str:
    """A number if possible; other text is refused by name later."""
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 1000 else text


_FLAGS = frozenset(
    word
    for command in COMMANDS.values()
    for word, entry in command.options.items()
    if entry.schema.get("type") == "boolean"
)


def _parsed(words: Sequence[str]) -> argparse.Namespace:
    """Return an option as typed; a boolean option without a value is true."""
    return parser().parse_args([f"{word}=true" if word in _FLAGS else word for word in words])


def run(arguments: Sequence[str] | None = None) -> Path:
    """Run a command line (by default that of the process), and return the file to open.

    KinseqError if something is wrong with an option or the data; nothing is written then.
    """
    options = _parsed(sys.argv[1:] if arguments is None else arguments)
    with speaking(COMMAND_LINE):
        return _run_command(options)


def _run_command(options: argparse.Namespace) -> Path:
    if not options.results.strip():
        raise ParameterError("--results is empty; give a folder, or '.' for the current one")
    options.results = Path(options.results)
    require_writable(options.results)
    return {"cluster": _cluster, "compare": _compare, "predict": _predict}[options.command](options)


def texts(options: argparse.Namespace) -> dict[str, str]:
    """Return the options of a command as typed, by name."""
    names = [entry.name for entry in COMMANDS[options.command].options.values() if entry.name not in COMMON]
    return {name: text for name in names if (text := getattr(options, name)) is not None}


def _repeating(options: argparse.Namespace, values: Mapping[str, Any]) -> str:
    """The command that repeats a run, with resolved paths and without dependence on threads."""
    return command_of(options.command, {**values, "seed": options.seed, "results": str(options.results)})


def _threads(options: argparse.Namespace) -> int:
    """Return the number of threads: the given one, or that of the processors that this process may use."""
    return as_threads(-1) if options.threads is None else as_count(options.threads, "threads")


def _compare(options: argparse.Namespace) -> Path:
    """Compare two samples and return the text."""
    request = comparing.checked(comparing.from_texts(texts(options)), options.results)
    seed, threads = as_seed(options.seed, "seed"), _threads(options)
    require_writable(options.results / "compare" / request["name"])
    from ..comparing.run import run_compare

    return run_compare(request, options.results, seed, threads, _repeating(options, request))


def _cluster(options: argparse.Namespace) -> Path:
    """Cluster a folder or file and return the page."""
    # Imported here to keep --help fast.
    from .request import PAGE, checked, from_texts

    own = checked(from_texts(texts(options)), options.results)
    seed, threads = as_seed(options.seed, "seed"), _threads(options)
    page = options.results / "own" / own["name"] / PAGE
    require_writable(page.parent)
    from .commands import run_cluster

    run_cluster(own, page, seed, threads, command=_repeating(options, own))
    return Path(page)


def _predict(options: argparse.Namespace) -> Path:
    """Place new sequences and return the page, or the output file of a shard."""
    from .predict import checked, from_texts, run_predict

    request = checked(from_texts(texts(options)), options.results)
    threads = _threads(options)
    require_writable(options.results / "predict" / request["name"])
    given = {name: value for name, value in request.items() if name not in ("part", "gather")}
    return run_predict(
        request, options.results, threads, command_of("predict", {**given, "results": str(options.results)})
    )


def main() -> int:
    """Entry point; prints errors in one sentence, and the help without arguments."""
    if len(sys.argv) < 2:
        parser().print_help()
        return 0
    options = _parsed(sys.argv[1:])
    if options.command == "completion":
        from .completion import script

        print(script(options.shell), end="")
        return 0
    try:
        with speaking(COMMAND_LINE):
            if options.command == "read":
                from .read import describe

                print(describe(texts(options), _threads(options)))
                return 0
            path = _run_command(options)
            print(f"done: {'open ' if path.suffix == '.html' else ''}{path}")
    except KinseqError as error:
        with speaking(COMMAND_LINE):
            print(f"error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130
    return 0
