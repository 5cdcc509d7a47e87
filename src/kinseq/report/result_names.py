"""Names and folders of results: valid names, and results that may be replaced."""

from __future__ import annotations

import json
import os
import re
import unicodedata
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any

from ..core.errors import DataError, KinseqError, ParameterError
from ..core.wording import listed
from ..readers.discovery import root_of

SETTINGS = "settings.json"
"""File in a results folder that names its data."""

_NAME = re.compile(r"\w[\w.-]*")
_MAX_CHARACTERS = 100


def resolve_path(data: str) -> Path:
    """Resolve the path of existing data, including ``~``.

    ParameterError or DataError if it is blank, not UTF-8, cannot be resolved, or nothing that can be read is there.
    """
    try:
        str(data).encode()
    except UnicodeEncodeError:
        raise DataError(f"{data!r}: the name is not UTF-8; rename the folder or file") from None
    try:
        path = Path(data).expanduser() if str(data).strip() else data
    except RuntimeError as error:  # ~user of an unknown user, or no home directory
        raise DataError(f"{data}: cannot be resolved ({error}); write the path without '~'") from None
    return root_of(path)


def stem_of(data: Path) -> str:
    """Return the name of a folder or file without invalid characters; blank if nothing is left."""
    stem = data.resolve().name if data.is_dir() else data.stem
    # Systems compose accents differently; normalise them to composed letters.
    return as_name(unicodedata.normalize("NFC", stem))


def as_name(text: str) -> str:
    """A text reduced to a valid name of results."""
    return re.sub(r"[^\w.-]+", "_", text).strip("._-")[:_MAX_CHARACTERS]


def require_name(name: str) -> None:
    """Raise :class:`ParameterError` unless `name` is valid for a folder of results."""
    if not _NAME.fullmatch(name) or len(name) > _MAX_CHARACTERS:
        raise ParameterError(
            f"the name {name!r} may hold letters, digits, '_', '-' and '.', start with a letter, a digit or '_', and have at"
            f" most {_MAX_CHARACTERS} characters; give another one"
        )


def require_free(
    home: Path,
    name: str,
    usual: str,
    files: Collection[str],
    data: Sequence[Path],
    owners: Callable[[Any], Sequence[str]],
    also: Collection[str] = (),
) -> None:
    """Refuse a name whose folder must not be overwritten.

    Results of the same data are replaced. Those of other data are replaced if the name was given, and is not just that of the
    data, and their folder holds nothing else.

    Parameters
    ----------
    home : Path
        Folder that holds the folders of results.
    name, usual : str
        The name, and the one that results of these data have by themselves.
    files : collection of str
        Names of the files of a result.
    data : sequence of Path
        What is to be analysed.
    owners : callable
        Returns the data of an earlier result, from the parsed :data:`SETTINGS` next to it.
    also : collection of str
        Names of what else the folder of a result may hold.

    Raises
    ------
    ParameterError
        If the name is taken.
    KinseqError
        If the folder cannot be listed.
    """
    try:
        alike = [entry.name for entry in home.iterdir() if folded(entry.name) == folded(name)]
    except FileNotFoundError:
        return
    except OSError as error:
        raise KinseqError(f"{home}: cannot be listed ({error.strerror}); check it and its permissions") from None
    if alike and name not in alike:
        # One and the same folder if file names ignore case.
        raise ParameterError(
            f"the name {name!r} differs from {alike[0]!r}, which is in {home}, by case only; give another name (--name)"
        )
    folder = home / name
    if not any((folder / file).exists() for file in files):
        return
    paths = _data_of(folder, owners)
    if paths is None:
        raise ParameterError(
            f"{folder}: holds files, but no {SETTINGS} says of which data; move it away, or give another name (--name)"
        )
    if _same(paths, data):
        return
    held = sorted(entry.name for entry in folder.iterdir() if not entry.name.startswith("."))
    others = [name for name in held if name not in files and name not in also]
    if others or name == usual:
        more = f" and {listed(others)} with it" if others else ""
        raise ParameterError(
            f"{folder}: holds the results of other data, {' and '.join(paths)}{more}; give another name"
            " (--name), or delete that folder"
        )


def replaced(folder: Path, data: Sequence[str], owners: Callable[[Any], Sequence[str]]) -> list[str]:
    """Return a note if a folder has results of other data, which will be replaced."""
    paths = _data_of(folder, owners)
    if paths is None or _same(paths, data):
        return []
    return [f"the earlier results of {' and '.join(paths)}, which had the same name, are replaced"]


def _data_of(folder: Path, owners: Callable[[Any], Sequence[str]]) -> list[str] | None:
    """Return the data of the results in a folder; None if unknown."""
    try:
        read = json.loads((folder / SETTINGS).read_text(encoding="utf-8"))
        return [str(Path(owner).expanduser()) for owner in owners(read)]
    except (OSError, ValueError, KeyError, TypeError, RuntimeError):
        return None


def _same(paths: Sequence[str], data: Sequence[Path | str]) -> bool:
    return [os.path.realpath(path) for path in paths] == [os.path.realpath(path) for path in data]


def folded(name: str) -> str:
    """A name as seen by systems that ignore case."""
    return unicodedata.normalize("NFC", name).casefold()
