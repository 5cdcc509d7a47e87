"""The error classes and the warning class of kinseq.

Every message says what was wrong, where, and what to do about it, in one sentence, so that a command line can print it
without a traceback.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def printable(text: str) -> str:
    r"""Return a text that can be printed anywhere: bytes of file names that are not UTF-8 become ``\xff``."""
    try:
        return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    except UnicodeEncodeError:
        return text.encode("utf-8", "backslashreplace").decode()


_CONTROL = {code: repr(chr(code))[1:-1] for code in (*range(32), 127)}


class KinseqError(Exception):
    """Base class of every error that kinseq raises on purpose."""

    def __str__(self) -> str:
        # Names of files and columns may contain line breaks and control characters.
        return printable(super().__str__()).translate(_CONTROL)


class DataError(KinseqError, ValueError):
    """Input data break a rule: a shape, a value that is not finite, a label count, a file that cannot be parsed."""


class ParameterError(KinseqError, ValueError):
    """An argument lies outside its range or contradicts another one."""


class ConfigError(KinseqError, ValueError):
    """A configuration file holds a key or a value that is not allowed."""


class UnavailableError(KinseqError):
    """A data set is not available on this machine; the message says how to get it."""


class KinseqWarning(UserWarning):
    """A repair or an omission that the user should know of."""


def is_one_of(value: object, valid: Iterable[str]) -> bool:
    """Return whether a value is one of some names; False for arrays, which compare entry by entry."""
    return isinstance(value, str) and value in valid


def unknown_name(kind: str, name: object, valid: Iterable[str]) -> str:
    """Error message for an unknown name of a `kind`, as "measure", with the nearest valid one as a hint."""
    names = sorted(valid)
    # A name in capital letters is the same name.
    folded = {valid_name.casefold(): valid_name for valid_name in names} if isinstance(name, str) else {}
    close = get_close_matches(str(name), names, n=1) or [
        folded[found] for found in get_close_matches(str(name).casefold(), folded, n=1)
    ]
    hint = f" (did you mean {close[0]!r}?)" if close else ""
    return f"unknown {kind} {name!r}{hint}; valid names: {', '.join(names)}"
