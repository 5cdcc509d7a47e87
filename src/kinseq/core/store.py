"""Files in and out: npz for arrays, CSV for tables; written to a temporary name and renamed, so never half-written."""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np

from .errors import DataError, KinseqError

PathLike = str | os.PathLike[str]

DRAFT = ".draft."
"""Prefix of files and folders being written, which a killed process may leave behind."""


@contextmanager
def replacing(path: PathLike) -> Iterator[Path]:
    """Yield a temporary path in the folder of `path`, renamed to `path` after the block succeeds.

    A process that dies, or one that was orphaned and goes on writing, can then never leave a half-written `path`. A
    KinseqError if the folder cannot be made or written to.
    """
    target = Path(path)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f"{DRAFT}{target.name}.", suffix=target.suffix)
    except OSError as error:
        raise KinseqError(
            f"{target}: cannot be written ({error.strerror}); check the folder and its permissions"
        ) from error
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(target)
    except OSError as error:
        raise KinseqError(
            f"{target}: could not be written ({error.strerror or error}); free space or change it"
        ) from error
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def replacing_files(folder: PathLike) -> Iterator[Path]:
    """Yield an empty temporary folder inside `folder`, and move its files to `folder` after the block succeeds.

    A block that fails leaves every file of `folder` as it was. A KinseqError if it cannot be made or written to.
    """
    target = Path(folder)
    try:
        target.mkdir(parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(dir=target, prefix=DRAFT))
    except OSError as error:
        raise KinseqError(
            f"{target}: cannot be written ({error.strerror}); check the folder and its permissions"
        ) from error
    try:
        yield draft
        for file in sorted(draft.iterdir()):
            file.replace(target / file.name)
    except OSError as error:
        raise KinseqError(
            f"{target}: could not be written ({error.strerror or error}); free space or change it"
        ) from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def remove_drafts(folder: PathLike) -> None:
    """Remove leftovers of killed processes in and below a folder; no other process may be writing there."""
    for left in list(Path(folder).rglob(f"{DRAFT}*")):
        if left.is_dir():
            shutil.rmtree(left, ignore_errors=True)
        else:
            # A file that cannot be removed does not justify ending a run.
            with suppress(OSError):
                left.unlink()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def write_text(path: PathLike, text: str) -> None:
    """Write `text` to `path` atomically."""
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


_FORMULA = re.compile(r"'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")
"""First characters of cells that spreadsheets evaluate, or that :func:`shielded` has escaped."""


def shielded(cell: str) -> str:
    """Escape user text for a CSV cell: an apostrophe keeps spreadsheets from evaluating formulas.

    Numbers stay as they are. :func:`unshielded` gives the same text back.
    """
    return f"'{cell}" if _FORMULA.match(cell) and not _is_number(cell) else cell


def unshielded(cell: str) -> str:
    """Undo :func:`shielded`: remove one apostrophe before a formula."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell


def _is_number(cell: str) -> bool:
    return re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", cell, re.ASCII) is not None


def require_writable(folder: Path) -> None:
    """Raise :class:`KinseqError` if a folder, or its nearest existing parent, is not writable."""
    try:
        with suppress(FileNotFoundError, NotADirectoryError):
            folder.lstat()  # too long, or with a null byte
        place = next(path for path in (folder, *folder.parents) if os.path.lexists(path))
        if place.is_symlink() and not place.exists():
            raise KinseqError(
                f"{place}: is a link to {place.readlink()}, which is not there; make that folder or remove the link"
            )
        if not place.is_dir():
            raise KinseqError(f"{place}: is a file where a folder of the results must go; move it away")
        with tempfile.TemporaryFile(dir=place) as probe:
            probe.write(bytes(4096))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise KinseqError(f"{folder}: cannot be written to ({reason}); change its permissions or free space") from None


def write_arrays(path: PathLike, arrays: Mapping[str, Any], meta: Mapping[str, Any] | None = None) -> None:
    """Write named arrays and a JSON-compatible `meta` to an uncompressed npz."""
    content = {name: np.asarray(array) for name, array in arrays.items()}
    for name, array in content.items():
        if array.dtype == object:
            raise DataError(f"{path}: array {name!r} holds Python objects; store numbers or strings")
    content["meta"] = np.array(json.dumps(dict(meta or {}), sort_keys=True))
    with replacing(path) as temporary, temporary.open("wb") as stream:
        np.savez(stream, allow_pickle=False, **content)


def read_arrays(
    path: PathLike, wanted: Callable[[str], bool] = lambda name: True
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Read the output of :func:`write_arrays`, or only the named arrays; return ``(arrays, meta)``.

    A DataError if the file is missing, truncated or not of this kind.
    """
    try:
        with np.load(path, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files if name == "meta" or wanted(name)}
    except FileNotFoundError as error:
        raise DataError(f"{path}: no such file; run the stage that makes it") from error
    except (OSError, ValueError, EOFError, zipfile.BadZipFile) as error:
        raise DataError(
            f"{path}: is not a readable npz ({error}); delete it and run the stage that makes it"
        ) from error
    meta = json.loads(str(arrays.pop("meta"))) if "meta" in arrays else {}
    return arrays, meta
