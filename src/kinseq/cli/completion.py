"""Completion of the command line for bash and zsh, made from the same tables as its help.

Scripts know all words by themselves: nothing is started while a user types.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import Literal

from ..clustering import registry as clusterers
from ..core.settings import Option
from ..features import registry as features
from ..measures import registry as measures
from ..options import COMMANDS, HELP

Shell = Literal["bash", "zsh"]
PATHS = ("data", "a", "b", "result", "labels")
FOLDERS = ("results",)


def script(shell: Shell) -> str:
    """Return the script that completes ``kinseq`` in a shell."""
    return {"bash": _bash, "zsh": _zsh}[shell]()


def offered(entry: Option) -> tuple[str, ...]:
    """Values of an option that can be listed; empty otherwise."""
    registered = {
        "measure": measures.names,
        "clusterer": lambda: [n for n, e in clusterers.modules().items() if e.fields["takes"] == "matrix"],
        "features": features.names,
    }
    return tuple(sorted(registered[entry.name]())) if entry.name in registered else entry.choices


def _bash() -> str:
    cases = []
    for name, command in COMMANDS.items():
        for typed, entry in command.options.items():
            # Without candidates, bash completes file names.
            if typed.startswith("-") and offered(entry):
                cases.append(f'        "{name} {typed}") words="{" ".join(offered(entry))}" ;;')
        places = [" ".join(offered(e)) for typed, e in command.options.items() if not typed.startswith("-")]
        words = " ".join((*(typed for typed in command.options if typed.startswith("-")), *HELP))
        cases.append(f'        "{name} "*) words="{" ".join(filter(None, places))}"; options="{words}" ;;')
    return _BASH.format(cases="\n".join(cases), commands=" ".join((*COMMANDS, "--version", *HELP)))


# macOS has bash 3.2, without compopt and mapfile.
_BASH = """\
# Completion of kinseq for bash: source <(kinseq completion bash)
_kinseq() {{
    local current=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} words="" options=""
    # --option=value comes as three words.
    if [[ $current == "=" ]]; then
        current=""
    elif [[ $before == "=" ]]; then
        before=${{COMP_WORDS[COMP_CWORD - 2]}}
    fi
    if ((COMP_CWORD == 1)); then
        words="{commands}"
    else
        case "${{COMP_WORDS[1]}} $before" in
{cases}
        esac
    fi
    if [[ $current == -* && -n $options ]]; then words=$options; fi
    COMPREPLY=($(compgen -W "$words" -- "$current"))
}}
complete -o default -F _kinseq kinseq
"""


def _zsh() -> str:
    commands = "\n".join(_quoted(f"{name}:{command.text}", 8) for name, command in COMMANDS.items())
    parts = []
    for name, command in COMMANDS.items():
        place = (str(number) for number in range(1, 9))
        specs = [_spec(typed, entry, place) for typed, entry in command.options.items()]
        lines = " \\\n".join(
            _quoted(spec, 20) for spec in (*specs, "(-h --help)-h[show help]", "(-h --help)--help[show help]")
        )
        parts.append(f"            {name})\n                _arguments \\\n{lines} ;;")
    return _ZSH.format(commands=commands, parts="\n".join(parts))


def _spec(typed: str, entry: Option, place: Iterator[str]) -> str:
    """An argument in the syntax of zsh's ``_arguments``."""
    help_text = _masked(entry.help, ":[]")
    listed = offered(entry)
    action = f"({' '.join(listed)})" if listed else ""
    if entry.name in PATHS:
        action = "_files"
    elif entry.name in FOLDERS:
        action = "_files -/"
    if not typed.startswith("-"):
        return f"{next(place)}:{help_text}:{action}"
    # The value of -k may follow directly; other options use an equals sign.
    return f"{typed}{'=' if typed.startswith('--') else '+'}[{help_text}]:{entry.word}:{action}"


def _masked(text: str, signs: str) -> str:
    return "".join("\\" + sign if sign in signs else sign for sign in text)


def _quoted(text: str, indent: int) -> str:
    return " " * indent + shlex.quote(text)


_ZSH = """\
#compdef kinseq
# Completion of kinseq for zsh: source <(kinseq completion zsh) after compinit, or a file _kinseq in a folder of fpath.
_kinseq() {{
    local curcontext=$curcontext context state line
    typeset -A opt_args
    local -a commands=(
{commands}
    )
    _arguments -C \\
        '(-h --help)'{{-h,--help}}'[show help]' \\
        '--version[show the version]' \\
        '1:command:->command' \\
        '*::argument:->argument'
    case $state in
        command) _describe command commands ;;
        argument)
            case $line[1] in
{parts}
            esac ;;
    esac
}}
if [[ $funcstack[1] == _kinseq ]]; then _kinseq "$@"; else compdef _kinseq kinseq; fi
"""
