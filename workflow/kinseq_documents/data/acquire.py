"""Where the files of a data set are: a local mirror, a copy bundled with a dependency, or a download with checks."""

from __future__ import annotations

import csv
import hashlib
import io
import shutil
import tarfile
import urllib.error
import urllib.request
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from kinseq.core.errors import DataError, UnavailableError
from kinseq.core.folders import stamp_of, walk
from kinseq.core.store import PathLike, replacing, write_text

from . import registry

COLUMNS = ("dataset", "status", "detail")
"""Columns of the table of available data."""
NOT_AVAILABLE = "not available"


def _bundled_folder(bundled: Mapping[str, str]) -> Path | None:
    """Folder inside an installed package, found without importing the package."""
    spec = find_spec(bundled["package"])
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(spec.submodule_search_locations[0]) / bundled["path"]


def _holds(folder: Path, files: Sequence[str]) -> bool:
    """Return whether a folder holds all of `files`; patterns are allowed, and no file at all means the folder must exist."""
    return folder.is_dir() and all(any(folder.glob(pattern)) for pattern in files)


def locate(name: str, entry: Mapping[str, Any], roots: Sequence[Path]) -> Path | None:
    """Return the folder that holds the files of a data set, or None if they are not on this machine.

    `entry` is its entry in ``datasets.yaml``: ``folder`` and ``files`` (patterns) for mirrors, ``bundled`` (package,
    path, files). Of the mirror folders `roots` the first one counts; a bundled copy comes last.
    """
    for root in roots:
        folder = root / str(entry.get("folder", name))
        if _holds(folder, entry.get("files", ())):
            return folder
    bundled = entry.get("bundled")
    if bundled:
        inside = _bundled_folder(bundled)
        if inside is not None and _holds(inside, bundled["files"]):
            return inside
    return None


def stamp(name: str, entry: Mapping[str, Any], roots: Sequence[Path]) -> str:
    """Return the digest of the names, sizes and times of a data set's files, so that recordings that were changed are read again.

    Data with a checksum (``sha256`` in ``datasets.yaml``) need none: they are what was expected, or refused. Empty for
    them, and for data that are not on this machine. Arguments are those of :func:`locate`.
    """
    folder = None if entry.get("sha256") else locate(name, entry, roots)
    return "" if folder is None else stamp_of(walk(folder).files)


def checksum(name: str, entry: Mapping[str, Any], roots: Sequence[Path]) -> str:
    """Return the SHA-256 over names and contents of the files that a data set is read from; empty if there are none here.

    Arguments are those of :func:`locate`.
    """
    folder = locate(name, entry, roots)
    if folder is None:
        return ""
    patterns = [*entry.get("files", ()), *entry.get("bundled", {}).get("files", ())] or ["**/*"]
    files = sorted({path for pattern in patterns for path in folder.glob(pattern) if path.is_file()})
    digest = hashlib.sha256()
    for path in files:
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        digest.update(f"{path.relative_to(folder).as_posix()} {content}\n".encode())
    return digest.hexdigest() if files else ""


def why_missing(name: str, entry: Mapping[str, Any]) -> str:
    """Return one sentence that says why the data are not there and how to get them."""
    gone = entry.get("gone")
    where = f"put {', '.join(entry.get('files', ())) or 'its files'} into <data folder>/{entry.get('folder', name)}/"
    source = f" (from {entry['url']})" if entry.get("url") and not gone else ""
    return f"{gone}; whoever holds a copy: {where}" if gone else f"not on this machine; {where}{source}"


def missing(datasets: Mapping[str, Mapping[str, Any]], roots: Sequence[Path]) -> dict[str, str]:
    """Return data sets that are read from files and are not on this machine, with the reason."""
    loaders = registry.modules()
    return {
        name: why_missing(name, entry)
        for name, entry in datasets.items()
        if entry["loader"] in loaders
        and loaders[entry["loader"]].fields["kind"] not in ("generated", "derived")
        and locate(name, entry, roots) is None
    }


def write_table(path: PathLike, rows: Iterable[tuple[str, str, str]]) -> None:
    """Write which data sets are available.

    A row is a name, one of ``available``, ``downloaded`` and :data:`NOT_AVAILABLE`, and where it is, or why it is not
    there.
    """
    table = io.StringIO()
    lines = csv.writer(table, lineterminator="\n")
    lines.writerow(COLUMNS)
    lines.writerows(rows)
    write_text(path, table.getvalue())


def read_table(path: PathLike) -> dict[str, str]:
    """Return unavailable data sets with reasons, from the output of :func:`write_table`."""
    try:
        with Path(path).open(encoding="utf-8", newline="") as lines:
            rows = list(csv.DictReader(lines))
            return {row["dataset"]: row["detail"] for row in rows if row["status"] == NOT_AVAILABLE}
    except (OSError, ValueError, KeyError) as error:
        raise DataError(f"{path}: is not the table of the data sets ({error}); delete it and run again") from None


def download(name: str, entry: Mapping[str, Any], root: Path, timeout: float = 30.0) -> Path:
    """Fetch the files of a data set into the mirror folder `root`, checking each against its SHA-256.

    ``download`` of the entry lists ``{url, sha256, file}``; archives (.zip, .tar.gz) are unpacked. `timeout` is how
    long to wait for the server (s). :class:`UnavailableError` says that there is nothing to download or that the server
    does not answer, :class:`DataError` that something else arrived; nothing is left behind then.
    """
    if not entry.get("download"):
        raise UnavailableError(f"{name}: {why_missing(name, entry)}")
    folder = root / str(entry.get("folder", name))
    for item in entry["download"]:
        target = folder / item["file"]
        if target.is_file():
            continue
        with replacing(target) as temporary:
            _fetch(name, item["url"], temporary, timeout, why_missing(name, entry))
            digest = hashlib.sha256(temporary.read_bytes()).hexdigest()
            if item.get("sha256") and digest != item["sha256"]:
                raise DataError(
                    f"{name}: {item['url']} arrived with SHA-256 {digest[:16]}..., expected {item['sha256'][:16]}...;"
                    " it was truncated or changed, try again or fetch it by hand"
                )
        _unpack(target)
    return folder


def _fetch(name: str, url: str, target: Path, timeout: float, otherwise: str) -> None:
    request = urllib.request.Request(url, headers={"User-Agent": "kinseq"})
    try:
        with urllib.request.urlopen(request, timeout=timeout) as answer, target.open("wb") as stream:
            shutil.copyfileobj(answer, stream)
    except (urllib.error.URLError, TimeoutError, ConnectionError) as error:
        reason = getattr(error, "reason", error)
        raise UnavailableError(f"{name}: {url} does not answer ({reason}); {otherwise}") from error


def _unpack(archive: Path) -> None:
    try:
        if archive.suffix == ".zip":
            with zipfile.ZipFile(archive) as content:
                content.extractall(archive.parent)
        elif archive.name.endswith((".tar.gz", ".tgz")):
            with tarfile.open(archive) as tar:
                tar.extractall(archive.parent, filter="data")
    except (zipfile.BadZipFile, tarfile.TarError) as error:
        raise DataError(f"{archive}: cannot be unpacked ({error}); delete it and try again") from error
